//! `houserule replay`: a journal played again.

use std::path::{Path, PathBuf};

use clap::Args;
use houserule::embed::{Loaded, Lost, Salvage, Tabletop, Trouble};
use houserule::kernel::brief::Depth;
use houserule::kernel::error::{Fault, FaultCode, Place};
use serde_json::json;

use crate::commands::run::{begin, end};
use crate::detail::{self, DetailArgs};
use crate::diagnostics::{Severity, fault_json};
use crate::failure::Failure;
use crate::reporter::Reporter;
use crate::ui::Ui;
use houserule::printable::counted;

/// A record has no secrets from who replays it.
const VIEWER: &str = "referee";

const EXAMPLES: &str = "\
Examples:
  houserule replay raid.journal                 how it ended
  houserule replay raid.journal --verify        whether all is as it was
  houserule replay raid.journal --report        the battle report once more
  houserule replay raid.journal --report --to 40
  houserule replay raid.journal --salvage good.journal";

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
    /// Only tell whether every state and every event is as it was recorded
    #[arg(long, conflicts_with = "report")]
    pub verify: bool,
    /// Print the battle report; `--detail` and `--rules` do so too
    #[arg(long)]
    pub report: bool,
    /// How much is told.
    #[command(flatten)]
    pub detail: DetailArgs,
    /// Stop after this many decisions
    #[arg(long, value_name = "N")]
    pub to: Option<usize>,
    /// Write what can be played of a damaged journal into this new file
    ///
    /// It ends before the first decision that was changed, cannot be played, or
    /// comes out otherwise than it was recorded.
    #[arg(long, value_name = "NEW", conflicts_with_all = ["verify", "report", "to"])]
    pub salvage: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be read or was changed, or a replay that differs.
pub fn run(args: &ReplayArgs, ui: &mut Ui) -> Result<(), Failure> {
    if let Some(to) = &args.salvage {
        return salvage(&args.file, to, ui);
    }
    let loaded = match Tabletop::load(&args.file, &ui.folders, args.to) {
        Ok(loaded) => loaded,
        Err(trouble) => {
            return Err(unloaded(&args.file, trouble, "replay {} --salvage NEW", ui));
        }
    };
    let Loaded {
        mut table,
        is_torn,
        decisions,
        ..
    } = loaded;
    if is_torn {
        ui.note(TORN);
    }
    if args.verify {
        return verified(&mut table, decisions, ui);
    }
    let about = table.about(VIEWER)?;
    let depth = args.detail.depth(Depth::Volley, ui.format)?;
    let is_narrated = args.report || args.detail.is_asked() || detail::is_page(ui.format);
    let mut reporter =
        Reporter::in_depth(&table, VIEWER, !is_narrated, depth, args.detail.causes())?;
    if is_narrated {
        begin(&about, ui)?;
    }
    reporter.tell_all(&table, ui)?;
    reporter.finish(&mut table, ui)?;
    end(&about, VIEWER, &mut table, ui)
}

/// What is said of a journal whose end was torn off.
pub(super) const TORN: &str = "the last line was torn off in the middle, and is left out";

/// Tells what can be saved of a journal that did not load, and by which words.
pub(super) fn unloaded(path: &Path, trouble: Trouble, words: &str, ui: &mut Ui) -> Failure {
    let Trouble::Faults { .. } = &trouble else {
        return trouble.into();
    };
    let Ok(Salvage {
        loaded,
        lost: Some(_),
    }) = Tabletop::salvage(path, &ui.folders)
    else {
        return trouble.into();
    };
    let good = loaded.table.standing().decisions;
    let words = words.replacen("{}", &path.display().to_string(), 1);
    if let Failure::Faults(faults) = trouble.into()
        && let Err(error) = ui.faults(&faults, Severity::Error)
    {
        return error.into();
    }
    ui.note(&format!(
        "{} can be played: `houserule {words}`",
        up_to(good)
    ));
    Failure::Reported
}

/// So much of a game.
fn up_to(decisions: usize) -> String {
    match decisions {
        0 => "the game before its first decision".into(),
        1 => "the game up to its first decision".into(),
        many => format!("the game up to decision {many}"),
    }
}

/// Tells what of a journal is lost.
///
/// # Errors
/// When nobody reads it.
pub(super) fn tell_lost(lost: &Lost, ui: &mut Ui) -> std::io::Result<()> {
    ui.faults(&lost.faults, Severity::Warning)?;
    let count = match lost.decisions {
        0 => String::new(),
        count => format!(", {} with it", counted(count, "decision")),
    };
    ui.note(&format!("lost from decision {} on{count}", lost.decision));
    Ok(())
}

fn salvage(from: &Path, to: &Path, ui: &mut Ui) -> Result<(), Failure> {
    if to.exists() {
        let message = "expected a new file, found one that is there";
        let place = Place::new("", to.display().to_string(), 0);
        return Err(Fault::new(FaultCode::JournalUnwritten, message)
            .at(place)
            .into());
    }
    let Salvage {
        loaded: Loaded {
            mut table, is_torn, ..
        },
        lost,
    } = Tabletop::salvage(from, &ui.folders)?;
    table.save(to)?;
    if is_torn {
        ui.note(TORN);
    }
    if let Some(lost) = &lost {
        tell_lost(lost, ui)?;
    }
    let (count, state) = (table.standing().decisions, table.hash());
    if ui.is_json() {
        let lost = lost.as_ref().map(|lost| {
            let faults: Vec<_> = lost
                .faults
                .iter()
                .map(|fault| fault_json(fault, Severity::Warning))
                .collect();
            json!({ "from": lost.decision, "decisions": lost.decisions, "faults": faults })
        });
        let file = to.display().to_string();
        return Ok(ui.json(
            &json!({ "type": "salvaged", "file": file, "inputs": count, "lost": lost, "state": state }),
        )?);
    }
    Ok(ui.line(format!(
        "{} saved in {}, state {state}",
        counted(count, "decision"),
        to.display()
    ))?)
}

fn verified(table: &mut Tabletop, all: usize, ui: &mut Ui) -> Result<(), Failure> {
    let (state, count) = (table.hash(), table.standing().decisions);
    if ui.is_json() {
        ui.json(&json!({ "type": "verified", "inputs": count, "of": all, "state": state }))?;
    } else {
        let word = if count == 1 && count == all {
            "decision"
        } else {
            "decisions"
        };
        let of = if count == all {
            String::new()
        } else {
            format!(" of {all}")
        };
        ui.line(format!(
            "{count}{of} {word}, every state and event as recorded, state {state}"
        ))?;
    }
    Ok(())
}
