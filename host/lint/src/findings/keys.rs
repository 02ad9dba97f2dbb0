//! Cells of tables that are to be keys of another table, and are none.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Value};
use kernel::world::closest;
use rules::data::table::{KeysOf, Table};

use super::world::WorldOfNames;

/// Checks what a mod has written into the tables of all mods.
pub(super) fn check(world: &WorldOfNames<'_>, module: &Name, found: &mut Vec<Fault>) {
    for table in world.known.tables().values() {
        for keys in &table.keys_of {
            match world.known.tables().get(&keys.table) {
                Some(other) => of_column(module, table, keys, other, found),
                None if keys.place.module == *module => found.extend(unknown_table(world, keys)),
                None => {}
            }
        }
    }
}

fn of_column(module: &Name, table: &Table, keys: &KeysOf, other: &Table, found: &mut Vec<Fault>) {
    let known: BTreeSet<&str> = other.first_keys().collect();
    let cells = table
        .rows()
        .filter_map(|(key, row)| table.cell_of(key, row, &keys.column));
    for (word, place) in
        cells.flat_map(|(cell, place)| words(cell).into_iter().map(move |word| (word, place)))
    {
        if place.module == *module && !known.contains(word) {
            found.push(no_key(table, keys, word, place, &known));
        }
    }
}

fn no_key(
    table: &Table,
    keys: &KeysOf,
    word: &str,
    place: &Place,
    known: &BTreeSet<&str>,
) -> Fault {
    let message = format!(
        "`{}` of table `{}`: no row of `{}` has the key `{word}`",
        keys.column, table.id, keys.table
    );
    let fault = Fault::new(FaultCode::BadRow, message).at(place.clone());
    match closest(word, known.iter().copied()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint(format!(
            "there are {}",
            known.iter().copied().collect::<Vec<_>>().join(", ")
        )),
    }
}

/// The words in a cell: itself, or those of a list.
fn words(cell: &Value) -> Vec<&str> {
    match cell {
        Value::List(items) => items.iter().filter_map(Value::as_text).collect(),
        cell => cell.as_text().into_iter().collect(),
    }
}

/// One that is nearly another; what is not in play may be there at other times.
fn unknown_table(world: &WorldOfNames<'_>, keys: &KeysOf) -> Option<Fault> {
    let near = closest(&keys.table, world.known.tables().keys().map(|id| &**id))?;
    let message = format!(
        "there is no table `{}`, of which `{}` is to hold keys",
        keys.table, keys.column
    );
    let fault = Fault::new(FaultCode::UnknownTable, message).at(keys.place.clone());
    Some(fault.hint(format!("did you mean `{near}`?")))
}
