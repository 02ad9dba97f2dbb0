//! `houserule rules MOD --questions`: what rules ask players.

use std::collections::BTreeSet;
use std::io;

use houserule::kernel::value::owner_of;
use houserule::printable::counted;
use houserule::testing::{SeenQuestion, questions};
use houserule::{asked_by_scripts, has_component};
use serde_json::json;

use super::{RulesArgs, is_within};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;

/// So many answers are told of a question.
const MOST: usize = 6;

/// Prints the questions of a mod, of a chapter, or one.
///
/// # Errors
/// When there is no such mod, or its cases do not load.
pub(super) fn print(args: &RulesArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    let what = args.what.as_deref().unwrap_or_default();
    let workshop = ui.workshop.clone();
    let module = workshop.manifest(owner_of(what))?.id.clone();
    let mut found = questions(&workshop, &module, &args.selection.request()?)?;
    let is_meant = |id: &str| id == what || is_within(id, what);
    found.retain(|one| is_meant(&one.id));
    let sources = workshop.sources().get(&module);
    let mut left = sources.map_or_else(BTreeSet::new, |files| asked_by_scripts(&module, files));
    left.retain(|id| is_meant(id) && found.iter().all(|one| one.id != *id));
    let is_compiled = sources.is_some_and(has_component);
    if ui.is_json() {
        return Ok(ui.document(&json!({
            "questions": found, "without_a_case": left, "has_component": is_compiled,
        }))?);
    }
    if found.is_empty() {
        ui.line(format!(
            "no case of `{module}` comes to a question of `{what}`"
        ))?;
    }
    found.iter().try_for_each(|one| tell(one, ui))?;
    if !left.is_empty() {
        let left: Vec<&str> = left.iter().map(|id| &**id).collect();
        ui.line(format!(
            "{}  {}",
            "no case comes to".cyan(),
            left.join(", ")
        ))?;
    }
    if is_compiled {
        ui.note(&format!(
            "rules of `{module}` are compiled, and name no questions before they ask: those that no case comes to are \
             not known"
        ));
    }
    Ok(())
}

fn tell(one: &SeenQuestion, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!("{}  {}", one.id.bold(), one.text))?;
    let sides: Vec<&str> = one.sides.iter().map(|side| &**side).collect();
    ui.line(format!("    {}  {}", "asked of".cyan(), sides.join(", ")))?;
    let mut answers: Vec<&str> = one.answers.iter().take(MOST).map(|one| &**one).collect();
    if one.answers.len() > MOST {
        answers.push("…");
    }
    let cases = format!("(in {})", counted(one.cases, "case"));
    let answers = answers.join(", ");
    ui.line(format!(
        "    {}  {answers}  {}",
        "answers ".cyan(),
        cases.dimmed()
    ))
}
