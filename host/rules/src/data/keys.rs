//! Cells of tables that are to be keys of another table, and are none.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Value;
use kernel::world::closest;

use super::table::{KeysOf, Table};

/// The cells of a column that are no keys of another table, each where it is written.
pub fn unknown_keys(table: &Table, keys: &KeysOf, other: &Table) -> Vec<Fault> {
    let known: BTreeSet<&str> = other.first_keys().collect();
    let cells = table
        .rows()
        .filter_map(|(key, row)| table.cell_of(key, row, &keys.column));
    let words =
        cells.flat_map(|(cell, place)| words(cell).into_iter().map(move |word| (word, place)));
    words
        .filter(|(word, _)| !known.contains(word))
        .map(|(word, place)| no_key(table, keys, word, place, &known))
        .collect()
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
