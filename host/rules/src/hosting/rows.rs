//! Tables of the composed rules, as rules read them.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::digest::Names;
use kernel::error::{Fault, FaultCode};
use kernel::value::{EntityId, Field, Name, Value};

use crate::data::table::Table;
use crate::types::write_value;

/// A row of a table for rules.
#[derive(Clone, Debug)]
pub struct ScriptRow {
    /// Its key.
    pub key: Vec<Value>,
    /// Key and columns by name.
    pub cells: Vec<(Name, Value)>,
    /// What coverage calls it.
    pub mark: Name,
}

/// The rows of a table, as components read them.
pub struct RowIndex {
    /// All rows, by key.
    pub rows: Vec<ScriptRow>,
    /// The place of the row of a key.
    pub by_key: BTreeMap<Vec<Value>, usize>,
}

impl RowIndex {
    /// The index of these rows.
    pub fn new(rows: &[ScriptRow]) -> RowIndex {
        let by_key = rows
            .iter()
            .enumerate()
            .map(|(i, row)| (row.key.clone(), i))
            .collect();
        RowIndex {
            rows: rows.to_vec(),
            by_key,
        }
    }
}

/// The rows of a table as scripts read them.
pub fn script_rows(table: &Table) -> Vec<ScriptRow> {
    let names: Vec<Name> = table
        .key
        .iter()
        .chain(table.columns.iter())
        .map(|field: &Field| field.name.clone())
        .collect();
    table
        .rows()
        .map(|(key, row)| ScriptRow {
            key: key.to_vec(),
            cells: names
                .iter()
                .cloned()
                .zip(key.iter().chain(&row.cells).cloned())
                .collect(),
            mark: row_mark(table, key),
        })
        .collect()
}

/// What coverage calls a row: the table and the key.
pub fn row_mark(table: &Table, key: &[Value]) -> Name {
    let key: Vec<String> = key
        .iter()
        .map(|value| write_value(value, &NoNames))
        .collect();
    Arc::from(format!("{}[{}]", table.id, key.join(", ")))
}

/// Values of tables hold no entities.
pub struct NoNames;

impl Names for NoNames {
    fn name_of(&self, _: EntityId) -> Name {
        Arc::from("?")
    }
}

/// The fault of what a mod gave for a row of a table and is none.
pub fn no_row(table: &Table, found: &str) -> Fault {
    let message = format!("expected a row of `{}` as a table, found {found}", table.id);
    Fault::new(FaultCode::BadRow, message)
}
