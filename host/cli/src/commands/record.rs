//! `houserule record`: a moment of a recorded game as a test.

use std::path::{Path, PathBuf};

use clap::Args;
use houserule::analysis::moment::{Keeping, KeptMoment, Moment, NotKept, keep};
use houserule::case::{KeptCase, case_of, title_of};
use houserule::kernel::error::Fault;
use houserule::kernel::value::{Name, is_word};
use houserule::play::{Match, replay};
use houserule::scenario::Scenario;
use houserule::testing::{accept, compare, golden_file, golden_text, play};
use houserule::types::Unit;
use houserule::workshop::Found;
use indicatif::ProgressBar;
use serde_json::json;

use super::why::{found, give_one, several};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::progress::{bar, tells};
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule record raid.journal --at \"knocked out\" --as hit       which events say so
  houserule record raid.journal --at 212 --as hit                 the case, on standard output
  houserule record raid.journal --at 212 --as hit --mod my_rules  into the tests of that mod
  houserule record raid.journal --at 212 --as hit --golden        as a scenario with what led to it
  houserule record raid.journal --at 212 --as hit --whole         with all that came before";

/// So many games are played to shrink a test, if nothing else is said.
pub const USUAL_TRIES: usize = 4_000;

/// Keeps a moment of a recorded game as a test that shows one event.
///
/// It becomes a case: the step that brings the event about, over its scenario, with
/// what had become otherwise by then and matters. Dice and chits are written down
/// with what they were for. With `--golden` it becomes a scenario with the decisions
/// and pieces without which the event does not come about, and a golden.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RecordArgs {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    pub file: PathBuf,
    /// The number of the event that it must show, or words of its line in the report
    #[arg(long, value_name = "EVENT|TEXT")]
    pub at: String,
    /// The id of the test: one word
    #[arg(long = "as", value_name = "NAME")]
    pub name: String,
    /// Its title, instead of the scenario's
    #[arg(long)]
    pub title: Option<String>,
    /// The mod whose test it becomes
    #[arg(long = "mod", value_name = "MOD")]
    pub module: Option<String>,
    /// A scenario with what led to it, and its golden, instead of a case
    #[arg(long)]
    pub golden: bool,
    /// How many games to play, or steps to run, to shrink it
    #[arg(long, value_name = "N", default_value_t = USUAL_TRIES)]
    pub tries: usize,
    /// Keep all decisions and pieces, as a scenario
    #[arg(long, conflicts_with = "tries")]
    pub whole: bool,
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be played again, an event that is not there or does not
/// come about again, a file that cannot be written.
pub fn run(args: &RecordArgs, ui: &mut Ui) -> Result<(), Failure> {
    is_free_word(&args.name).map_err(Failure::Usage)?;
    let folder = written_to(args, ui)?;
    let interrupted = interrupted();
    let replayed = replay(&args.file, None)?;
    if interrupted.is_set() {
        ui.note("stopped while the journal was played again: there is no test yet");
        return Err(Failure::Stopped);
    }
    let unit = unit_of(&replayed.found.scenario);
    let event = chosen_event(&args.at, &replayed.game, unit, ui)?;
    if event < replayed.game.events_before(0) {
        return Err(Failure::Plain(NotKept::NoDecision.to_string()));
    }
    let title = args
        .title
        .as_deref()
        .unwrap_or(&replayed.found.scenario.title);
    let moment = Moment {
        game: &replayed.game,
        source: &replayed.found.source,
        selector: &replayed.active.line,
        turns: replayed.file.header.turns,
        event,
        unit,
    };
    let stop = || interrupted.is_set();
    let tries = if args.whole { 0 } else { args.tries };
    let keeping = Keeping {
        id: &args.name,
        title,
        tries,
        stop: &stop,
    };
    if !args.golden && !args.whole {
        match as_case(args, &moment, &keeping, ui) {
            Ok(kept) => {
                if interrupted.is_set() {
                    ui.note(&stopped_after(kept.tries, tries));
                }
                return tell_case(&kept, folder, ui);
            }
            Err(why) => ui.note(&format!("no case: {why}; kept with what led to it")),
        }
        let file = folder.as_ref().map(|at| at.join(scenario_file(&args.name)));
        file.as_deref().map_or(Ok(()), is_new)?;
    }
    let kept = as_scenario(&moment, &keeping, ui)?;
    if interrupted.is_set() {
        ui.note(&stopped_after(kept.tries, tries));
    }
    match (&args.module, folder) {
        (Some(module), Some(folder)) => write(module, &folder, title, &args.name, &kept, ui),
        _ => tell(&kept, &[], ui),
    }
}

/// The one event that is meant, which a report tells.
fn chosen_event(what: &str, game: &Match, unit: Unit, ui: &mut Ui) -> Result<usize, Failure> {
    let places = found(what, game, unit)?;
    let [event] = places.as_slice() else {
        several(&places, game, unit, ui)?;
        return Err(Failure::Usage(give_one(&places)));
    };
    let is_of_a_decision = *event >= game.events_before(0);
    if is_of_a_decision && game.event_text(*event, unit).trim().is_empty() {
        let message = format!(
            "event {} has no line in the report, so that nothing can show it: give one that has",
            event + 1
        );
        return Err(Failure::Usage(message));
    }
    Ok(*event)
}

/// How far a test was shrunk when somebody had enough.
fn stopped_after(made: usize, most: usize) -> String {
    format!("stopped after {made} of at most {most} tries: it is as small as it had become")
}

/// The moment as a case.
fn as_case(
    args: &RecordArgs,
    moment: &Moment<'_>,
    keeping: &Keeping<'_>,
    ui: &Ui,
) -> Result<KeptCase, String> {
    let title = args
        .title
        .clone()
        .unwrap_or_else(|| title_of(&args.name, moment));
    let keeping = Keeping {
        title: &title,
        ..*keeping
    };
    let bar = shrinking(ui, keeping.tries as u64);
    let kept = case_of(
        &ui.workshop,
        args.module.as_deref(),
        moment,
        &keeping,
        &mut |tries, changes| {
            bar.set_position(tries as u64);
            bar.set_message(counted(changes, "change"));
        },
    );
    bar.finish_and_clear();
    kept
}

/// The moment as a scenario with what led to it.
fn as_scenario(moment: &Moment<'_>, keeping: &Keeping<'_>, ui: &Ui) -> Result<KeptMoment, Failure> {
    let bar = shrinking(ui, keeping.tries as u64);
    let kept = keep(moment, keeping, &mut |tries, lines, entities| {
        bar.set_position(tries as u64);
        bar.set_message(format!(
            "{}, {}",
            counted(lines, "decision"),
            counted(entities, "piece")
        ));
    });
    bar.finish_and_clear();
    kept.map_err(|why| match why {
        NotKept::Faults(faults) => Failure::Faults(faults),
        other => Failure::Plain(other.to_string()),
    })
}

/// Writes a case into its mod if that was asked for, and tells of it.
fn tell_case(kept: &KeptCase, folder: Option<PathBuf>, ui: &mut Ui) -> Result<(), Failure> {
    let file = folder.map(|folder| folder.join(&kept.path));
    if let Some(file) = &file {
        is_new(file)?;
        let unwritten = |error: std::io::Error| Failure::unwritten(file, &error);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).map_err(unwritten)?;
        }
        std::fs::write(file, &kept.text).map_err(unwritten)?;
    }
    if ui.is_json() {
        return Ok(ui.document(&json!({
            "shows": kept.shows,
            "text": kept.text,
            "step": kept.step,
            "changes": { "kept": kept.changes[0], "of": kept.changes[1] },
            "cites": kept.cites,
            "runs": kept.tries,
            "files": file.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        }))?);
    }
    let Some(file) = file else {
        ui.page(kept.text.trim_end())?;
        ui.note(&summary_of_case(kept));
        return Ok(());
    };
    ui.line(format!("{}  {}", "shows".cyan(), kept.shows))?;
    ui.line(format!("{}  {}", "kept ".cyan(), summary_of_case(kept)))?;
    Ok(ui.line(format!("{}  {}", "wrote".cyan(), file.display()))?)
}

/// What a case runs, how much it sets, and whether it hangs on a clause.
pub fn summary_of_case(kept: &KeptCase) -> String {
    let [changes, all] = kept.changes;
    let cited = match kept.cites.len() {
        0 => String::new(),
        some => format!("; it fails without {}", counted(some, "clause")),
    };
    format!(
        "the step {}, {changes} of {}{cited}",
        kept.step,
        counted(all, "change")
    )
}

/// A bar that counts games, and tells how much is left of the one that is shrunk.
fn shrinking(ui: &Ui, tries: u64) -> ProgressBar {
    let bar = bar(ui, tries);
    tells(&bar, "{pos} of at most {len} tries, {msg} left");
    bar
}

/// Whether a word can be the id of a test.
fn is_free_word(name: &str) -> Result<(), String> {
    match is_word(name) {
        true => Ok(()),
        false => Err(format!(
            "expected one word of lower case letters, digits, `-` and `_` as the id of the test, found `{name}`"
        )),
    }
}

/// Whether a test of that id can be written here.
///
/// # Errors
/// Why not.
pub fn is_free(name: &str) -> Result<(), String> {
    is_free_word(name)?;
    let files = [format!("{name}.luau"), format!("{name}.ron")];
    match files.iter().find(|file| Path::new(file).exists()) {
        Some(file) => Err(format!("there is a file `{file}` already")),
        None => Ok(()),
    }
}

/// In what lengths a scenario is told.
fn unit_of(scenario: &Scenario) -> Unit {
    if scenario.is_metric {
        Unit::Centimetres
    } else {
        Unit::Inches
    }
}

/// The folder of a mod.
fn folder_of(module: &str, ui: &Ui) -> Result<PathBuf, Failure> {
    let id = ui.workshop.manifest(module)?.id.clone();
    let folder = ui
        .workshop
        .sources()
        .get(&id)
        .and_then(|sources| sources.folder.clone());
    folder.ok_or_else(|| Failure::Plain(format!("the mod `{module}` was not read from a folder")))
}

/// The folder of the mod that it is written to, which has no such test yet: to find that
/// out when it is shrunk would be late.
fn written_to(args: &RecordArgs, ui: &Ui) -> Result<Option<PathBuf>, Failure> {
    let Some(module) = &args.module else {
        return Ok(None);
    };
    let folder = folder_of(module, ui)?;
    is_new(&folder.join(match args.golden || args.whole {
        true => scenario_file(&args.name),
        false => format!("tests/{}.luau", args.name),
    }))?;
    Ok(Some(folder))
}

/// Where a scenario stands in its mod.
fn scenario_file(name: &str) -> String {
    format!("scenarios/{name}.ron")
}

/// Nothing that is there is written over.
fn is_new(file: &Path) -> Result<(), Failure> {
    match file.exists() {
        false => Ok(()),
        true => Err(Failure::Plain(format!(
            "{}: there is such a file already",
            file.display()
        ))),
    }
}

/// Writes the scenario and its golden, by the mods as they are now.
fn write(
    module: &str,
    folder: &Path,
    title: &str,
    name: &str,
    kept: &KeptMoment,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let path = scenario_file(name);
    let file = folder.join(&path);
    is_new(&file)?;
    let scenario = Scenario::read(module, &path, &kept.text)?;
    let found = Found {
        module: Some(Name::from(module)),
        scenario,
        source: kept.text.as_str().into(),
    };
    let (game, line) = play(&ui.workshop, &found).map_err(|fault: Fault| {
        fault.hint("it was recorded by the rules of its journal; by the mods as they are now it is not played to its end")
    })?;
    let text = golden_text(&game, &line, &found.scenario);
    let unit = unit_of(&found.scenario);
    let events = game.settled_events().len();
    if !(0..events).any(|event| game.event_text(event, unit).trim() == kept.shows) {
        return Err(Failure::Plain(
            "by the mods as they are now the event does not come about: nothing is written".into(),
        ));
    }
    let unwritten = |error: std::io::Error| Failure::unwritten(&file, &error);
    let snap = golden_file(name);
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).map_err(unwritten)?;
    }
    std::fs::write(&file, &kept.text).map_err(unwritten)?;
    if let Some(new) = compare(None, &text, PathBuf::from(&snap)) {
        accept(folder, &new, title).map_err(unwritten)?;
    }
    tell(kept, &[file.clone(), folder.join(snap)], ui)
}

fn tell(kept: &KeptMoment, files: &[PathBuf], ui: &mut Ui) -> Result<(), Failure> {
    let files: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    if ui.is_json() {
        return Ok(ui.document(&json!({
            "shows": kept.shows,
            "text": kept.text,
            "decisions": { "kept": kept.decisions[0], "of": kept.decisions[1] },
            "entities": { "kept": kept.entities[0], "of": kept.entities[1] },
            "games": kept.tries,
            "scripted": kept.is_scripted,
            "files": files,
        }))?);
    }
    if files.is_empty() {
        ui.page(kept.text.trim_end())?;
        ui.note(&summary(kept));
        return Ok(());
    }
    ui.line(format!("{}  {}", "shows".cyan(), kept.shows))?;
    ui.line(format!("{}  {}", "kept ".cyan(), summary(kept)))?;
    files
        .iter()
        .try_for_each(|file| ui.line(format!("{}  {file}", "wrote".cyan())))?;
    Ok(())
}

/// How much is left of the game.
pub fn summary(kept: &KeptMoment) -> String {
    let [decisions, all] = kept.decisions;
    let [pieces, of] = kept.entities;
    let chance = if kept.is_scripted {
        ""
    } else {
        "; no script brings it about, so it keeps its seed, and all of the game"
    };
    format!(
        "{} of {all}, {} of {of}{chance}",
        counted(decisions, "decision"),
        counted(pieces, "piece")
    )
}
