//! `houserule rules MOD --questions`: what rules ask players.

use std::io;

use houserule::kernel::value::owner_of;
use houserule::printable::counted;
use houserule::testing::{SeenQuestion, questions};
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
    found.retain(|one| one.id == what || is_within(&one.id, what));
    if ui.is_json() {
        return Ok(ui.document(&json!({ "questions": found }))?);
    }
    if found.is_empty() {
        return Ok(ui.line(format!(
            "no case of `{module}` comes to a question of `{what}`"
        ))?);
    }
    Ok(found.iter().try_for_each(|one| tell(one, ui))?)
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
