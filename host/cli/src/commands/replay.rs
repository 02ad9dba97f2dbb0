//! `houserule replay`: a journal played again.

use std::path::PathBuf;

use clap::Args;
use houserule::kernel::error::{Fault, FaultCode, Place};
use houserule::kernel::world::Viewer;
use houserule::play::{ReplayWishes, Replayed, replay};
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
    let mut replayed = replay(&args.file, ReplayWishes { up_to: args.to, is_explaining: false })?;
    let journal = &replayed.file;
    if journal.is_torn {
        desk.note("the last line was torn off in the middle, and is left out");
    }
    check_end(args, &mut replayed)?;
    if args.verify {
        return verified(&mut replayed, desk);
    }
    let header = &replayed.file.header;
    let about = About {
        title: &replayed.scenario.title,
        line: &header.selector,
        mods: header.mods.clone(),
        bots: header.bots.clone(),
        viewer: Viewer::Referee,
    };
    let game = &mut replayed.game;
    let mut teller = Teller::new(game, Viewer::Referee, replayed.scenario.is_metric, !args.report);
    if args.report {
        begin(&about, game, desk)?;
    }
    teller.tell_all(game, desk)?;
    end(&about, game, &teller, desk)
}

fn check_end(args: &ReplayArgs, replayed: &mut Replayed) -> Result<(), Failure> {
    let state = replayed.game.hash().to_string();
    match replayed.file.end() {
        Some(end) if replayed.is_whole && *end != *state => {
            let message = format!("expected the game to end in the state {end}, found {state}");
            let place = Place::new("", args.file.display().to_string(), 0);
            Err(Fault::new(FaultCode::BadJournal, message).at(place).into())
        }
        _ => Ok(()),
    }
}

fn verified(replayed: &mut Replayed, desk: &mut Desk) -> Result<(), Failure> {
    let state = replayed.game.hash().to_string();
    let (count, all) = (replayed.game.inputs().len(), replayed.file.played().len());
    if desk.is_json() {
        desk.json(&json!({ "type": "verified", "inputs": count, "of": all, "state": state }))?;
    } else {
        let of = if count == all { String::new() } else { format!(" of {all}") };
        desk.line(format!("{count}{of} decisions, every state as recorded, state {state}"))?;
    }
    Ok(())
}
