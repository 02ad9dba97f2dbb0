//! One cell of a table that a player changes without a mod:
//! `dsii.fire.ranges[RFAC,1].close=10in`.

use std::fmt;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, is_id, is_word};

use crate::data::table::{Cells, Provenance, Table};
use crate::types::{no_entities, parse_value};

/// A change of one cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Amendment {
    /// The table.
    pub table: Name,
    /// The row: the fields of the key in their order, as text.
    pub key: Vec<String>,
    /// The column.
    pub column: Name,
    /// What the cell is to hold, as text.
    pub value: String,
}

impl Amendment {
    /// Whether a part of a selector line is one, right or wrong.
    pub(super) fn is_meant(part: &str) -> bool {
        part.split('=')
            .next()
            .is_some_and(|left| left.contains('['))
    }

    /// Reads `table[key,…].column=value`.
    ///
    /// ```
    /// use rules::modset::selector::Amendment;
    /// let text = "dsii.fire.ranges[RFAC,1].close=10in";
    /// assert_eq!(Amendment::parse(text).unwrap().to_string(), text);
    /// assert!(Amendment::parse("dsii.fire.ranges.close=10in").is_err());
    /// ```
    ///
    /// # Errors
    /// When it has another form. Whether there is such a row shows when the
    /// rules are composed.
    pub fn parse(text: &str) -> Result<Amendment, Fault> {
        Amendment::read(text).ok_or_else(|| {
            let message = format!("expected `table[key,…].column=value`, found `{text}`");
            Fault::new(FaultCode::BadRow, message)
                .hint("for instance `dsii.fire.ranges[RFAC,1].close=10in`")
        })
    }

    fn read(text: &str) -> Option<Amendment> {
        let (table, rest) = text.split_once('[')?;
        let (key, rest) = rest.split_once("].")?;
        let (column, value) = rest.split_once('=')?;
        let key: Vec<String> = parts(key)
            .into_iter()
            .map(|part| part.trim().to_string())
            .collect();
        let is_whole = is_id(table)
            && is_word(column)
            && !value.is_empty()
            && !key.iter().any(String::is_empty);
        is_whole.then(|| Amendment {
            table: table.into(),
            key,
            column: column.into(),
            value: value.into(),
        })
    }

    /// Whether it changes the cell that another one does.
    pub fn is_of_cell(&self, other: &Amendment) -> bool {
        (&self.table, &self.key, &self.column) == (&other.table, &other.key, &other.column)
    }

    /// Where faults of it are: on the command line or in the selector line.
    pub fn place(&self) -> Place {
        Place::new("", &*format!("--amend {self}"), 0)
    }

    /// Changes the cell.
    ///
    /// # Errors
    /// When the table has no such row or column, or the value does not fit.
    pub fn apply(&self, table: &mut Table) -> Result<(), Fault> {
        let origin = Provenance {
            place: self.place(),
            cites: [].into(),
        };
        let cells = self.cells(table)?;
        // What a player says comes after all mods.
        table.amend(&cells, origin, &|_, _| true)
    }

    fn cells(&self, table: &Table) -> Result<Cells, Fault> {
        if self.key.len() != table.key.len() {
            let fields: Vec<&str> = table.key.iter().map(|field| &*field.name).collect();
            let message = format!(
                "expected {} in the brackets after `{}`, found {}",
                fields.join(", "),
                self.table,
                self.key.join(", ")
            );
            return Err(Fault::new(FaultCode::BadRow, message));
        }
        let Some(column) = table.columns.iter().find(|field| field.name == self.column) else {
            return Err(table.unknown_column(&self.column));
        };
        let texts = table
            .key
            .iter()
            .zip(&self.key)
            .chain([(column, &self.value)]);
        let cell = |(field, text): (&kernel::value::Field, &String)| {
            let value = parse_value(&field.ty, text, &no_entities);
            let value = value.map_err(|m| table.mismatch_fault(&field.name, &m))?;
            Ok((field.name.clone(), value))
        };
        texts.map(cell).collect()
    }
}

/// The parts between commas that are not within quotes or brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut is_quoted) = (Vec::new(), 0, 0usize, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '(' | '{' | '[' if !is_quoted => depth += 1,
            ')' | '}' | ']' if !is_quoted => depth = depth.saturating_sub(1),
            ',' if !is_quoted && depth == 0 => {
                found.extend(text.get(start..i));
                start = i + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found
}

impl fmt::Display for Amendment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Amendment {
            table,
            key,
            column,
            value,
        } = self;
        write!(f, "{table}[{}].{column}={value}", key.join(","))
    }
}
