//! Which cells of tables no case notices: each cell is changed in turn, and
//! some case that reads its row must fail.
//!
//! A figure that can be changed without any case failing is a figure that
//! nobody has checked against the printed page.

use std::collections::{BTreeMap, BTreeSet};

use kernel::dice::Die;
use kernel::error::Fault;
use kernel::geometry::Length;
use kernel::value::{Name, Type, Value};
use serde::Serialize;

use crate::books::{Books, CaseAt, whole};
use matches::workers::share_out;
use matches::workshop::Workshop;
use rules::hosting::rows::{NoNames, row_mark};
use rules::types::write_value;

/// One cell, and whether a case notices that it is changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct CellResult {
    /// The mod that wrote the row or amended the cell.
    pub module: String,
    /// The row: the table and the key.
    pub row: String,
    /// The column.
    pub column: String,
    /// What the cell holds.
    pub holds: String,
    /// What it was changed to.
    pub changed: String,
    /// The first case that failed with it; none if nobody noticed.
    pub noticed: Option<String>,
}

/// A cell that is to be changed.
struct CellEdit {
    table: Name,
    key: Vec<Value>,
    column: usize,
    from: Value,
    to: Value,
    mark: Name,
    name: Name,
}

/// Changes each cell that a mod wrote or amended, one at a time, and runs the
/// cases of the mod that read its row until one fails. `done` is told of each.
///
/// # Errors
/// When the mod does not compose, or a test file does not load.
pub fn audit_rows(
    workshop: &Workshop,
    module: &Name,
    done: &(dyn Fn(&CellResult) + Sync),
) -> Result<Vec<CellResult>, Fault> {
    let Some(sources) = workshop.sources().get(module) else {
        return Ok(Vec::new());
    };
    let files: Vec<String> = sources
        .under("tests")
        .map(|(file, _)| file.to_string())
        .collect();
    let readers = readers(workshop, module, &files)?;
    let cells = cells_of(workshop, module)?;
    let audit = |books: &mut Books<'_>, cell: &CellEdit| audit(books, module, cell, &readers, done);
    share_out(&cells, || Books::new(workshop), audit)
        .into_iter()
        .collect()
}

/// The cases that pass, by the rows that they read.
fn readers(
    workshop: &Workshop,
    module: &Name,
    files: &[String],
) -> Result<BTreeMap<String, Vec<CaseAt>>, Fault> {
    let read = |books: &mut Books<'_>, file: &String| {
        let mut found = Vec::new();
        for at in books.listed(module, file)? {
            let (_, run) = books.run(&at)?;
            if run.fault.is_none() {
                let rows = run.reached.into_iter().filter(|mark| mark.ends_with(']'));
                found.extend(rows.map(|mark| (mark, at.clone())));
            }
        }
        Ok(found)
    };
    let each = share_out(files, || Books::new(workshop), read);
    let each: Result<Vec<Vec<(String, CaseAt)>>, Fault> = each.into_iter().collect();
    let mut readers: BTreeMap<String, Vec<CaseAt>> = BTreeMap::new();
    for (mark, case) in each?.into_iter().flatten() {
        readers.entry(mark).or_default().push(case);
    }
    Ok(readers)
}

/// The cells of the rows that a mod wrote, and those that it amended, each
/// with another value that fits.
fn cells_of(workshop: &Workshop, module: &Name) -> Result<Vec<CellEdit>, Fault> {
    let rulebook = whole(workshop, module)?;
    let mut cells = Vec::new();
    for (id, table) in rulebook.tables() {
        for (key, row) in table.rows() {
            let is_own = *row.origin.place.module == **module;
            for (column, field) in table.columns.iter().enumerate() {
                let amended = row.changes[column].as_ref();
                if !amended.map_or(is_own, |origin| *origin.place.module == **module) {
                    continue;
                }
                let others = table.rows().map(|(_, other)| &other.cells[column]);
                let Some(to) = another(&row.cells[column], &field.ty, others) else {
                    continue;
                };
                cells.push(CellEdit {
                    table: id.clone(),
                    key: key.to_vec(),
                    column,
                    from: row.cells[column].clone(),
                    to,
                    mark: row_mark(table, key),
                    name: field.name.clone(),
                });
            }
        }
    }
    Ok(cells)
}

/// Another value of a type: near by, so that only a case that knows the figure
/// can tell.
fn another<'a>(
    value: &Value,
    ty: &Type,
    mut others: impl Iterator<Item = &'a Value>,
) -> Option<Value> {
    let step = |n: i64, min: i64, max: i64| if n < max { n + 1 } else { (n - 1).max(min) };
    let found = match (ty, value) {
        (Type::Optional(inner), value) if !value.is_none() => return another(value, inner, others),
        (Type::Int { min, max }, Value::Int(n)) => Value::Int(step(*n, *min, *max)),
        (_, Value::Int(n)) => Value::Int(n + 1),
        (_, Value::Bool(yes)) => Value::Bool(!yes),
        (_, Value::Length(length)) => Value::Length(Length::from_um(length.um() + 25_400)),
        (_, Value::Die(die)) => Value::Die(
            Die::new(if die.sides() < 12 {
                die.sides() + 2
            } else {
                10
            })
            .ok()?,
        ),
        (Type::Enum(tags), Value::Text(text)) => {
            Value::Text(tags.iter().find(|tag| *tag != text)?.clone())
        }
        (_, Value::List(items)) if items.len() > 1 => Value::List(items[1..].into()),
        _ => return others.find(|other| *other != value).cloned(),
    };
    (found != *value).then_some(found)
}

/// Changes one cell, and runs the cases that read its row until one fails.
fn audit(
    books: &mut Books<'_>,
    module: &Name,
    cell: &CellEdit,
    readers: &BTreeMap<String, Vec<CaseAt>>,
    done: &(dyn Fn(&CellResult) + Sync),
) -> Result<CellResult, Fault> {
    let mut noticed = None;
    for at in readers.get(&*cell.mark).into_iter().flatten() {
        if books.fails_with(at, &cell.table, &cell.key, cell.column, &cell.to)? {
            noticed = Some(at.head.title.clone());
            break;
        }
    }
    let result = CellResult {
        module: module.to_string(),
        row: cell.mark.to_string(),
        column: cell.name.to_string(),
        holds: text(&cell.from),
        changed: text(&cell.to),
        noticed,
    };
    done(&result);
    Ok(result)
}

fn text(value: &Value) -> String {
    if value.is_none() {
        "nothing".into()
    } else {
        write_value(value, &NoNames)
    }
}

/// The rows of which no cell is noticed.
pub fn unnoticed_rows(results: &[CellResult]) -> BTreeSet<&str> {
    let noticed: BTreeSet<&str> = results
        .iter()
        .filter(|cell| cell.noticed.is_some())
        .map(|cell| cell.row.as_str())
        .collect();
    results
        .iter()
        .map(|cell| cell.row.as_str())
        .filter(|row| !noticed.contains(row))
        .collect()
}
