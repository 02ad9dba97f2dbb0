//! `houserule replay`: a journal played again.

use std::path::PathBuf;

use clap::Args;
use houserule::embed::{Loaded, Tabletop};
use serde_json::json;

use crate::commands::run::{begin, end};
use crate::desk::{Desk, Failure};
use crate::teller::Teller;

/// A record has no secrets from who replays it.
const VIEWER: &str = "referee";

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
    let Loaded { mut table, is_torn, decisions, .. } = Tabletop::load(&args.file, &desk.folders, args.to)?;
    if is_torn {
        desk.note("the last line was torn off in the middle, and is left out");
    }
    if args.verify {
        return verified(&mut table, decisions, desk);
    }
    let about = table.about(VIEWER)?;
    let mut teller = Teller::new(&table, VIEWER, !args.report)?;
    if args.report {
        begin(&about, desk)?;
    }
    teller.tell_all(&table, desk)?;
    end(&about, VIEWER, &mut table, desk)
}

fn verified(table: &mut Tabletop, all: usize, desk: &mut Desk) -> Result<(), Failure> {
    let (state, count) = (table.hash(), table.standing().decisions);
    if desk.is_json() {
        desk.json(&json!({ "type": "verified", "inputs": count, "of": all, "state": state }))?;
    } else {
        let word = if count == 1 && count == all { "decision" } else { "decisions" };
        let of = if count == all { String::new() } else { format!(" of {all}") };
        desk.line(format!("{count}{of} {word}, every state as recorded, state {state}"))?;
    }
    Ok(())
}
