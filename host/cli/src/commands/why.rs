//! `houserule why`: what is behind an event of a recorded game.

use std::io;
use std::path::PathBuf;

use clap::Args;
use houserule::embed::WhyAbout;
use houserule::play::{Match, replay};
use houserule::types::Unit;
use serde_json::json;

use crate::failure::Failure;
use crate::paint::Paint;
use crate::reporter::tree;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule why raid.journal \"knocked out\"   which events say so, or the tree if one does
  houserule why raid.journal 212             the tree behind event 212
  houserule why raid.journal 212 --whole     with every rule that was called";

/// Shows the tree behind an event of a recorded game: rules with what they
/// were given and gave, where they are printed, house rules and what they
/// changed, tables, options, dice and chits.
///
/// The game is played again by the rules that are kept beside its journal.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct WhyArgs {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    pub file: PathBuf,
    /// The number of an event, or words of its line in the report
    #[arg(value_name = "EVENT|TEXT")]
    pub what: String,
    /// Show every rule that was called, not only those that decided something
    #[arg(long)]
    pub whole: bool,
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be played again, or an event that is not there.
pub fn run(args: &WhyArgs, ui: &mut Ui) -> Result<(), Failure> {
    let replayed = replay(&args.file, None)?;
    let unit = if replayed.found.scenario.is_metric {
        Unit::Centimetres
    } else {
        Unit::Inches
    };
    let game = &replayed.game;
    let found = found(&args.what, game, unit)?;
    let [event] = found.as_slice() else {
        several(&found, game, unit, ui)?;
        if !ui.is_json() {
            ui.line("")?;
            ui.line(give_one(&found))?;
        }
        return Ok(());
    };
    let lines: Vec<WhyAbout> = game
        .why_lines(*event, unit, args.whole)
        .into_iter()
        .map(WhyAbout::from)
        .collect();
    let heading = game.heading_at(*event, unit);
    if lines.is_empty() {
        let reason = game.told_by_nobody(*event, event + 1, unit);
        return Err(Failure::Plain(format!(
            "{reason} ({})",
            shown_heading(heading.as_deref())
        )));
    }
    let words = decision_of(game, *event).map(|place| game.decision_words(place, unit));
    if ui.is_json() {
        let json = json!({ "event": event + 1, "heading": heading, "words": words, "why": lines });
        return Ok(ui.document(&json)?);
    }
    ui.line(shown_heading(heading.as_deref()).yellow().bold())?;
    if let Some(words) = words {
        ui.line(format!("  {}", words.bold()))?;
    }
    Ok(tree(&lines, ui)?)
}

/// The turn and phase of an event, as a heading of a report.
fn shown_heading(heading: Option<&str>) -> &str {
    heading.unwrap_or("Before the first turn")
}

/// The decision in which an event happened, by its place; none before the first.
fn decision_of(game: &Match, event: usize) -> Option<usize> {
    let mut taken = (0..game.inputs().len()).rev();
    taken.find(|input| game.events_before(*input) <= event)
}

/// The events that are meant, by their places.
pub(super) fn found(what: &str, game: &Match, unit: Unit) -> Result<Vec<usize>, Failure> {
    let count = game.settled_events().len();
    if let Ok(number) = what.parse::<usize>() {
        return match number.checked_sub(1).filter(|event| *event < count) {
            Some(event) => Ok(vec![event]),
            None => Err(Failure::Usage(format!(
                "expected an event from 1 to {count}, found {number}"
            ))),
        };
    }
    if what.trim().is_empty() {
        return Err(Failure::Usage(
            "expected the number of an event, or words of its line, found nothing".into(),
        ));
    }
    let wanted = what.to_lowercase();
    let found: Vec<usize> = (0..count)
        .filter(|event| {
            game.event_text(*event, unit)
                .to_lowercase()
                .contains(&wanted)
        })
        .collect();
    if found.is_empty() {
        return Err(Failure::Plain(format!(
            "no event of this game says `{what}`; words are those of a report that tells everything, `--detail full`"
        )));
    }
    Ok(found)
}

/// Lists the events that could be meant, under the turn and phase of each.
pub(super) fn several(found: &[usize], game: &Match, unit: Unit, ui: &mut Ui) -> io::Result<()> {
    if ui.is_json() {
        let list: Vec<_> = found
            .iter()
            .map(|event| {
                let heading = game.heading_at(*event, unit);
                json!({ "event": event + 1, "heading": heading, "text": game.event_text(*event, unit) })
            })
            .collect();
        return ui.document(&json!({ "events": list }));
    }
    let mut before: Option<Option<String>> = None;
    for event in found {
        let heading = game.heading_at(*event, unit);
        if before.as_ref() != Some(&heading) {
            ui.line(shown_heading(heading.as_deref()).yellow().bold())?;
            before = Some(heading);
        }
        let number = format!("{:>6}", event + 1);
        ui.line(format!(
            "{}  {}",
            number.bold(),
            game.event_text(*event, unit)
        ))?;
    }
    Ok(())
}

/// What to do about several events that could be meant.
pub(super) fn give_one(found: &[usize]) -> String {
    format!("{} events say so: give the number of one", found.len())
}
