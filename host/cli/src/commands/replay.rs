//! `houserule replay`: a journal played again.

use std::path::PathBuf;

use clap::Args;
use houserule::kernel::error::{Fault, FaultCode, Place};
use houserule::kernel::record::decode;
use houserule::kernel::world::Viewer;
use houserule::play::{Match, Refused};
use houserule::record::{JournalFile, Played, state_mark};
use serde_json::json;

use crate::commands::run::{About, begin, end};
use crate::desk::{Desk, Failure};
use crate::teller::Teller;

const EXAMPLES: &str = "\
Examples:
  houserule replay raid.journal                 how it ended
  houserule replay raid.journal --verify        whether every state is as it was
  houserule replay raid.journal --report        the battle report once more
  houserule replay raid.journal --report --to 40";

/// Plays a journal again, by the rules that are kept beside it.
///
/// It needs neither bots nor the mods as they are now: their sources of that
/// day lie in the folder `FILE.mods`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only tell whether every state is the one that was recorded
    #[arg(long, conflicts_with = "report")]
    pub verify: bool,
    /// Print the battle report
    #[arg(long)]
    pub report: bool,
    /// Stop after this many decisions
    #[arg(long, value_name = "N")]
    pub to: Option<usize>,
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be read or was changed, or a replay that differs.
pub fn run(args: &ReplayArgs, desk: &mut Desk) -> Result<(), Failure> {
    let journal = JournalFile::read(&args.file)?;
    if journal.is_torn {
        desk.note("the last line was torn off in the middle, and is left out");
    }
    let mut reopened = journal.reopen(&args.file, &desk.workshop)?;
    // Faults show the rules of that day.
    std::mem::swap(&mut desk.workshop, &mut reopened.workshop);
    desk.broken.clear();
    let (mut game, scenario) = (reopened.game, reopened.scenario);
    let about = About {
        title: &scenario.title,
        line: &journal.header.selector,
        mods: journal.header.mods.clone(),
        bots: journal.header.bots.clone(),
        viewer: Viewer::Referee,
    };
    let mut teller = Teller::new(&game, Viewer::Referee, scenario.is_metric, !args.report);
    if args.report {
        begin(&about, &game, desk)?;
    }
    teller.tell(&game, desk)?;
    let played = journal.played();
    let to = args.to.unwrap_or(played.len()).min(played.len());
    for one in &played[..to] {
        take(args, &mut game, one)?;
        teller.tell(&game, desk)?;
    }
    teller.tell_all(&game, desk)?;
    check_end(args, &journal, &mut game, to == played.len())?;
    if args.verify { verified(&mut game, to, played.len(), desk) } else { end(&about, &mut game, &teller, desk) }
}

fn take(args: &ReplayArgs, game: &mut Match, one: &Played<'_>) -> Result<(), Failure> {
    let at = |fault: Fault| fault.at(Place::new("", args.file.display().to_string(), one.line));
    let bad = |message: String| Failure::from(at(Fault::new(FaultCode::BadJournal, message)));
    let input = decode(one.text, game.game().world()).map_err(bad)?;
    game.submit(&input).map_err(|refused| match refused {
        Refused::Refusal(refusal) => bad(format!("expected what was allowed then, found a refusal: {refusal}")),
        Refused::Fault { fault, .. } | Refused::Unwritten(fault) => Failure::from(at(*fault)),
    })?;
    let state = state_mark(&game.hash());
    if state == one.state {
        return Ok(());
    }
    Err(bad(format!("expected the state {} after this input, found {state}", one.state)))
}

fn check_end(args: &ReplayArgs, journal: &JournalFile, game: &mut Match, is_whole: bool) -> Result<(), Failure> {
    let state = game.hash().to_string();
    match journal.end() {
        Some(end) if is_whole && *end != *state => {
            let message = format!("expected the game to end in the state {end}, found {state}");
            let place = Place::new("", args.file.display().to_string(), 0);
            Err(Fault::new(FaultCode::BadJournal, message).at(place).into())
        }
        _ => Ok(()),
    }
}

fn verified(game: &mut Match, to: usize, all: usize, desk: &mut Desk) -> Result<(), Failure> {
    let state = game.hash().to_string();
    if desk.is_json() {
        desk.json(&json!({ "type": "verified", "inputs": to, "of": all, "state": state }))?;
    } else {
        let of = if to == all { String::new() } else { format!(" of {all}") };
        desk.line(format!("{to}{of} decisions, every state as recorded, state {state}"))?;
    }
    Ok(())
}
