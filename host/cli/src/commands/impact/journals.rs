//! Decisions that were made without a house rule, made again with it: those of the
//! first games, and those of journals.

use std::path::{Path, PathBuf};

use houserule::analysis::conflicts::Party;
use houserule::analysis::impact::{ImpactQuery, MadeBefore, ReplayOutcome, past};
use houserule::kernel::error::Fault;
use houserule::play::{Replayed, replay};
use houserule::workshop::Overrides;

use super::{ImpactArgs, Playing, RuleGames};
use crate::failure::Failure;
use crate::selection::{mods_are_here, overrides};
use crate::ui::Ui;
use houserule::printable::counted;

/// Decisions that were made without the house rule, made again with it, until
/// somebody has had enough.
pub(super) fn again(
    args: &ImpactArgs,
    playing: &Playing<'_>,
    party: &Party,
    compared: &RuleGames,
    ui: &mut Ui,
) -> Result<Vec<ReplayOutcome>, Vec<Fault>> {
    let (workshop, found) = (playing.workshop, playing.question.found);
    let mut all = Vec::new();
    let games = compared.before.games.games.iter();
    for game in games.filter(|game| !game.course.is_empty()) {
        if (playing.stop)() {
            return Ok(all);
        }
        let seed = game.row.seed;
        let seeded = |overrides: &Overrides| Overrides {
            seed: Some(seed),
            ..overrides.clone()
        };
        let without = seeded(&compared.without);
        let made = MadeBefore {
            of: format!("seed {seed}"),
            course: &game.course,
            words: &|place| past::words_of(workshop, found, &without, &game.course, place),
        };
        all.push(past::again(
            workshop,
            found,
            &seeded(&compared.with),
            &made,
        )?);
    }
    let mut had_it = Vec::new();
    for path in args.journals.iter().flat_map(|folder| in_folder(folder)) {
        if (playing.stop)() {
            break;
        }
        let name = name_of(&path);
        match of_journal(&path, playing, party) {
            Ok(OldGame::HadIt) => had_it.push(name),
            Ok(OldGame::Made { past, left: 0 }) => all.push(past),
            Ok(OldGame::Made { past, left }) => {
                let left = counted(left, "decision");
                ui.note(&format!(
                    "{name}: the other house rules do not take decision {}: {left} from there on left out",
                    past.decisions + 1
                ));
                all.push(past);
            }
            // One journal of many, and the games that were played are worth more.
            Err(faults) => {
                let why: Vec<String> = faults.iter().map(ToString::to_string).collect();
                ui.note(&format!("left out: {}: {}", path.display(), why.join("; ")));
            }
        }
    }
    if !had_it.is_empty() {
        let games = counted(had_it.len(), "game");
        ui.note(&format!(
            "left out: {games} that had `{}` already: {}",
            party.selector,
            had_it.join(", ")
        ));
    }
    Ok(all)
}

/// What comes of a game that was played before.
enum OldGame {
    /// It was played with the house rule.
    HadIt,
    /// Its decisions were made again, but for so many at the end that the other house
    /// rules do not take.
    Made { past: ReplayOutcome, left: usize },
}

/// The decisions of a journal by the rules that it was played by, those that both
/// sides have, and the house rule.
fn of_journal(path: &Path, playing: &Playing<'_>, party: &Party) -> Result<OldGame, Vec<Fault>> {
    let workshop = playing.workshop;
    let replayed = replay(path, None)?;
    let shown = path.display().to_string();
    mods_are_here(&shown, &replayed, workshop, "`--mods`").map_err(|fault| vec![fault])?;
    if party.clauses.is_subset(&replayed.active.clauses) {
        return Ok(OldGame::HadIt);
    }
    let both = of_both_sides(&replayed, playing.question.overrides)?;
    let found = workshop.at_home(&replayed.found);
    let question = ImpactQuery {
        found: &found,
        overrides: &both,
        ..*playing.question
    };
    let [without, with] = [false, true].map(|is_on| question.overrides_with(party, is_on));
    let course = replayed.game.recorded_inputs();
    // What others make illegal is not laid at its door.
    let taken = past::taken(workshop, &found, &without, course)?;
    let unit = replayed.found.scenario.unit();
    let made = MadeBefore {
        of: name_of(path),
        course: &course[..taken],
        words: &|place| replayed.game.decision_words(place, unit),
    };
    let past = past::again(workshop, &found, &with, &made)?;
    let left = course.len() - taken;
    Ok(OldGame::Made { past, left })
}

/// What a journal was played by, with what is said of both sides.
fn of_both_sides(replayed: &Replayed, said: &Overrides) -> Result<Overrides, Vec<Fault>> {
    let mut both = overrides(std::slice::from_ref(&replayed.selector), &[], &[])?;
    both.options
        .retain(|(id, _)| said.options.iter().all(|(said, _)| said != id));
    both.amends
        .retain(|one| !said.amends.iter().any(|said| said.is_of_cell(one)));
    both.with.extend(said.with.iter().cloned());
    both.without.extend(said.without.iter().cloned());
    both.options.extend(said.options.iter().cloned());
    both.amends.extend(said.amends.iter().cloned());
    both.seed = Some(replayed.file.header.seed);
    both.turns = replayed.file.header.turns;
    Ok(both)
}

/// A folder in which there is nothing to make again is a slip of the pen.
///
/// # Errors
/// When it is none, or has no journal.
pub(super) fn are_in(folder: &Path) -> Result<(), Failure> {
    if let Err(error) = std::fs::read_dir(folder) {
        return Err(Failure::Plain(format!("{}: {error}", folder.display())));
    }
    match in_folder(folder).is_empty() {
        true => Err(Failure::Plain(format!(
            "expected a folder of journals, found no file that ends in `.journal` in {}",
            folder.display()
        ))),
        false => Ok(()),
    }
}

/// The journals in a folder, by name.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let is_journal = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "journal");
    let mut found: Vec<PathBuf> = entries.filter(is_journal).collect();
    found.sort();
    found
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().to_string())
        .unwrap_or_default()
}
