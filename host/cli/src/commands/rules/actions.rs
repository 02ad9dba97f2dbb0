//! What a clause does to the rules and tables of other mods: how house rules
//! touch their base.

use std::collections::BTreeSet;

use houserule::data::table::{Provenance, Table};
use houserule::kernel::game::Game;
use houserule::kernel::value::{Name, Value, owner_of};
use houserule::modset::manifest::Clause;
use houserule::rulebook::LayerKind;
use houserule::types::{Unit, print_value};

use super::ClauseLibrary;

/// How a clause touches something of another mod, and what.
pub(super) type ActionLine = (&'static str, String);

/// What a clause does to other mods, in order, each once.
pub(super) fn actions(library: &ClauseLibrary<'_>, clause: &Clause) -> Vec<ActionLine> {
    let own = owner_of(&clause.id);
    let rulebook = &library.chosen.rulebook;
    let mut found: BTreeSet<ActionLine> = BTreeSet::new();
    for entry in rulebook
        .rules()
        .values()
        .filter(|entry| owner_of(&entry.id) != own)
    {
        for layer in entry.layers.iter().filter(|layer| *layer.module == *own) {
            let how = match layer.kind {
                LayerKind::Replace => "replaces",
                LayerKind::Lines | LayerKind::Line => "adds to",
                LayerKind::Wrap | LayerKind::Define => "wraps",
            };
            if layer.cites.contains(&clause.id) {
                found.insert((how, entry.id.to_string()));
            }
        }
    }
    for table in rulebook
        .tables()
        .values()
        .filter(|table| owner_of(&table.id) != own)
    {
        found.extend(rows(table, &clause.id, own));
    }
    found.into_iter().collect()
}

/// The rows of a table that a clause adds, and the cells that it amends.
fn rows(table: &Table, clause: &Name, own: &str) -> Vec<ActionLine> {
    let is_of = |origin: &Provenance| *origin.place.module == *own && origin.cites.contains(clause);
    let mut found = Vec::new();
    for (key, row) in table.rows() {
        if is_of(&row.origin) {
            found.push(("adds", format!("{} {}", table.id, key_text(key))));
        }
        for (field, change) in table.columns.iter().zip(&row.changes) {
            if change.as_ref().is_some_and(&is_of) {
                found.push((
                    "amends",
                    format!("{} {}: {}", table.id, key_text(key), field.name),
                ));
            }
        }
    }
    found
}

fn key_text(key: &[Value]) -> String {
    let names = Game::empty();
    let each: Vec<String> = key
        .iter()
        .map(|value| print_value(value, &names, Unit::AsWritten))
        .collect();
    format!("({})", each.join(", "))
}
