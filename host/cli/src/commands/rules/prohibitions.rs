//! `houserule rules MOD --prohibitions`: what each state leaves a piece to do.

use std::collections::BTreeSet;
use std::io;

use houserule::kernel::value::owner_of;
use houserule::printable::{padded, width};
use houserule::testing::{Leave, ProhibitionTable, Prohibitions, prohibitions};
use serde_json::{Value as Json, json};

use super::RulesArgs;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;

/// Prints the tables of a mod, or why not.
pub(super) fn print(args: &RulesArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    let Some(what) = &args.what else {
        return Err(Failure::Usage(
            "of which mod? `houserule rules MOD --prohibitions`".to_string(),
        ));
    };
    let workshop = ui.workshop.clone();
    let module = workshop.manifest(owner_of(what))?.id.clone();
    let found = prohibitions(&workshop, &module, args.selection.request()?)?;
    if ui.is_json() {
        return Ok(ui.document(&as_json(&found))?);
    }
    Ok(as_text(&found, ui)?)
}

// ---- text --------------------------------------------------------------------

fn as_text(found: &Prohibitions, ui: &mut Ui) -> io::Result<()> {
    for (place, one) in found.tables.iter().enumerate() {
        if place > 0 {
            ui.line("")?;
        }
        table(one, ui)?;
    }
    if found.tables.is_empty() {
        return ui.line("no case sets up a `situation`");
    }
    ui.line("")?;
    ui.line("+ allowed   . not at this point of the game   - nothing to do it with or to")?;
    ui.line(
        "a number: forbidden, by the clause below   ? before a number: by a rule that cites no clause",
    )?;
    if !found.unshown.is_empty() {
        let unshown: Vec<&str> = found.unshown.iter().map(|id| &**id).collect();
        ui.line(format!("no case sets up who could: {}", unshown.join(", ")))?;
    }
    Ok(())
}

/// A table and the reasons in it, each with a number.
fn table(table: &ProhibitionTable, ui: &mut Ui) -> io::Result<()> {
    let mut reasons: Vec<(&str, &str)> = Vec::new();
    let wide = table
        .rows
        .iter()
        .map(|row| width(&row.action))
        .max()
        .unwrap_or_default();
    ui.line(format!(
        "{}  {}",
        table.of.bold(),
        format!("({})", table.file).dimmed()
    ))?;
    let states: Vec<&str> = table
        .states
        .iter()
        .map(|state| state.title.as_str())
        .collect();
    ui.drawn(format!("  {:wide$}  {}", "", states.join("  ")))?;
    for row in &table.rows {
        let mut line = format!("  {}", padded(&row.action, wide));
        for (state, cell) in states.iter().zip(&row.cells) {
            let mark = mark(cell, &mut reasons);
            line.push_str(&format!("  {}", padded(&mark, width(state))));
        }
        ui.drawn(line.trim_end())?;
    }
    for (place, (clause, reason)) in reasons.iter().enumerate() {
        ui.line(format!("  {:>3}  {}  {reason}", place + 1, clause.cyan()))?;
    }
    for state in table.states.iter() {
        if let Some(failure) = &state.failure {
            ui.line(format!("  {} `{}`: {failure}", "fails".red(), state.case))?;
        }
    }
    Ok(())
}

fn mark<'a>(cell: &'a Leave, reasons: &mut Vec<(&'a str, &'a str)>) -> String {
    let mut number = |clause: &'a str, reason: &'a str| {
        let same = reasons.iter().position(|known| *known == (clause, reason));
        let place = same.unwrap_or(reasons.len());
        if same.is_none() {
            reasons.push((clause, reason));
        }
        place + 1
    };
    match cell {
        Leave::Allowed => "+".to_string(),
        Leave::Absent => ".".to_string(),
        Leave::Nothing(_) => "-".to_string(),
        Leave::Forbidden { clause, reason } => number(clause, reason).to_string(),
        Leave::Uncited { rule, reason } => format!("?{}", number(rule, reason)),
    }
}

// ---- JSON --------------------------------------------------------------------

fn as_json(found: &Prohibitions) -> Json {
    let tables: Vec<Json> = found.tables.iter().map(table_as_json).collect();
    let unshown: BTreeSet<&str> = found.unshown.iter().map(|id| &**id).collect();
    json!({ "tables": tables, "unshown": unshown })
}

fn table_as_json(table: &ProhibitionTable) -> Json {
    let row = |row: &houserule::testing::ProhibitionRow| {
        let cells = table.states.iter().zip(&row.cells);
        let cells: Vec<Json> = cells
            .map(|(state, cell)| cell_as_json(&state.title, cell))
            .collect();
        json!({ "action": &*row.action, "title": &*row.title, "cells": cells })
    };
    let state = |state: &houserule::testing::State| json!({ "state": state.title, "case": state.case, "failure": state.failure });
    json!({
        "of": table.of,
        "file": table.file,
        "states": table.states.iter().map(state).collect::<Vec<_>>(),
        "actions": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn cell_as_json(state: &str, cell: &Leave) -> Json {
    let mut json = json!({ "state": state, "verdict": cell.word() });
    match cell {
        Leave::Allowed | Leave::Absent => {}
        Leave::Nothing(reason) => json["reason"] = json!(&**reason),
        Leave::Forbidden { clause, reason } => {
            json["clause"] = json!(&**clause);
            json["reason"] = json!(&**reason);
        }
        Leave::Uncited { rule, reason } => {
            json["rule"] = json!(&**rule);
            json["reason"] = json!(&**reason);
        }
    }
    json
}
