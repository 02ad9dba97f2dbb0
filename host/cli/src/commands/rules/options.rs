//! The options of mods: what each may be, what it is, and by which clause it means
//! something. For people and for programs.

use std::io;

use houserule::kernel::game::Game;
use houserule::kernel::value::{Name, Value};
use houserule::modset::manifest::ModOption;
use houserule::types::write_value;
use serde_json::{Value as Json, json};

use super::as_text::{cell, heading};
use super::{ClauseLibrary, is_within};
use crate::paint::Paint;
use crate::ui::Ui;

/// The options of a mod or a chapter; all that are in play without one.
fn options_of<'a>(library: &ClauseLibrary<'a>, module: Option<&str>) -> Vec<&'a ModOption> {
    let all = library.options.values().copied();
    all.filter(|option| value_of(library, &option.id).is_some())
        .filter(|option| module.is_none_or(|module| is_within(&option.id, module)))
        .collect()
}

/// What an option is, if its mod is in play.
fn value_of<'a>(library: &'a ClauseLibrary<'_>, id: &Name) -> Option<&'a Value> {
    library.chosen.rulebook.options().get(id)
}

/// The option of that id, if it is in play.
pub(super) fn of<'a>(library: &ClauseLibrary<'a>, id: &str) -> Option<&'a ModOption> {
    let option = library.options.get(&Name::from(id)).copied();
    option.filter(|option| value_of(library, &option.id).is_some())
}

/// All of them under a heading.
pub(super) fn list(
    library: &ClauseLibrary<'_>,
    module: Option<&str>,
    ui: &mut Ui,
) -> io::Result<()> {
    let options = options_of(library, module);
    heading("Options", options.len(), ui)?;
    for option in options {
        print(library, option, ui)?;
    }
    Ok(())
}

/// One option in full.
pub(super) fn print(
    library: &ClauseLibrary<'_>,
    option: &ModOption,
    ui: &mut Ui,
) -> io::Result<()> {
    ui.line(format!(
        "{}  {}  {}",
        option.id.bold(),
        option.title,
        "(option)".dimmed()
    ))?;
    if !option.text.is_empty() {
        ui.line(format!("    {}", option.text))?;
    }
    ui.line(format!("    {}  {}", "type    ".cyan(), option.ty))?;
    let value = value_of(library, &option.id).unwrap_or(&option.default);
    let usual = match *value == option.default {
        true => String::new(),
        false => format!("  {} if nothing is said", cell(&option.default)),
    };
    ui.line(format!(
        "    {}  {}{}",
        "value   ".cyan(),
        cell(value),
        usual.dimmed()
    ))?;
    match &option.clause {
        Some(clause) => ui.line(format!("    {}  {clause}", "clause  ".cyan())),
        None => Ok(()),
    }
}

/// All of them as records.
pub(super) fn as_json(library: &ClauseLibrary<'_>, module: Option<&str>) -> Json {
    let options = options_of(library, module);
    options
        .into_iter()
        .map(|option| one_as_json(library, option))
        .collect()
}

/// One as a record.
pub(super) fn one_as_json(library: &ClauseLibrary<'_>, option: &ModOption) -> Json {
    let written = |value: &Value| write_value(value, &Game::empty());
    let value = value_of(library, &option.id).unwrap_or(&option.default);
    json!({
        "id": &*option.id,
        "title": &*option.title,
        "text": &*option.text,
        "type": option.ty.to_string(),
        "value": written(value),
        "default": written(&option.default),
        "clause": option.clause.as_deref(),
    })
}
