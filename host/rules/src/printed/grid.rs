//! Tables and the lines of rules as grids.

use kernel::value::{Name, Value, owner_of};
use kernel::world::NoEntities;

use super::{Grid, PrintedCell, RulesInForce};
use crate::data::table::{Provenance, Table, TableRow};
use crate::lines::Verb;
use crate::rulebook::{LayerEntry, RuleEntry};
use crate::types::{Unit, print_value};

/// Text of a value in a cell.
pub(super) fn cell_text(value: &Value) -> String {
    match value {
        Value::None => "\u{2013}".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        other => print_value(other, &NoEntities, Unit::AsWritten),
    }
}

/// The words of a name in code: `half_width` is `half width`.
pub(super) fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// The key of a row in words.
pub(super) fn key_text(key: &[Value]) -> String {
    key.iter().map(cell_text).collect::<Vec<_>>().join(", ")
}

/// A table with its rows. What other mods wrote in it bears a number.
pub(super) fn of_table(rules: RulesInForce<'_>, table: &Table) -> Grid {
    let mut notes = ChangeNotes {
        rules,
        owner: owner_of(&table.id),
        found: Vec::new(),
    };
    let (head, keys, rows) = match (table.key.len(), table.columns.len()) {
        (2, 1) => crossed(table, &mut notes),
        _ => listed(table, &mut notes),
    };
    Grid {
        id: table.id.to_string(),
        title: table.title.to_string(),
        source: table.source.to_string(),
        head,
        keys,
        rows,
        notes: notes.found,
    }
}

type PrintedRows = (Vec<String>, usize, Vec<Vec<PrintedCell>>);

/// Row by row, as a table is declared.
fn listed(table: &Table, notes: &mut ChangeNotes<'_>) -> PrintedRows {
    let fields = table.key.iter().chain(table.columns.iter());
    let head = fields.map(|field| spoken(&field.name)).collect();
    let mut rows = Vec::new();
    for (key, row) in table.rows_as_added() {
        let mut line: Vec<PrintedCell> = key
            .iter()
            .map(|value| PrintedCell::plain(cell_text(value)))
            .collect();
        if let Some(first) = line.first_mut() {
            first.note = notes.number(&row.origin);
        }
        let cells = row.cells.iter().zip(&row.changes);
        line.extend(cells.map(|(value, change)| PrintedCell {
            text: cell_text(value),
            note: change.as_ref().and_then(|change| notes.number(change)),
        }));
        rows.push(line);
    }
    (head, table.key.len(), rows)
}

/// A table with two keys and one column, one key across the other.
fn crossed(table: &Table, notes: &mut ChangeNotes<'_>) -> PrintedRows {
    let (mut down, mut across): (Vec<&Value>, Vec<&Value>) = (Vec::new(), Vec::new());
    for (key, _) in table.rows_as_added() {
        for (place, known) in [(0, &mut down), (1, &mut across)] {
            if let Some(value) = key.get(place).filter(|value| !known.contains(value)) {
                known.push(value);
            }
        }
    }
    let corner = table
        .key
        .first()
        .map_or_else(String::new, |field| spoken(&field.name));
    let head = std::iter::once(corner)
        .chain(across.iter().map(|value| cell_text(value)))
        .collect();
    let mut cell = |key: &[Value]| match table.get(key) {
        None => PrintedCell::default(),
        Some(row) => PrintedCell {
            text: row.cells.first().map_or_else(String::new, cell_text),
            note: notes.number(last_hand(row)),
        },
    };
    let mut rows = Vec::new();
    for value in down {
        let mut line = vec![PrintedCell::plain(cell_text(value))];
        line.extend(
            across
                .iter()
                .map(|other| cell(&[value.clone(), (*other).clone()])),
        );
        rows.push(line);
    }
    (head, 1, rows)
}

/// Who wrote the one cell of a row last.
fn last_hand(row: &TableRow) -> &Provenance {
    row.changes
        .first()
        .and_then(Option::as_ref)
        .unwrap_or(&row.origin)
}

/// Who changed what, by number.
struct ChangeNotes<'a> {
    rules: RulesInForce<'a>,
    owner: &'a str,
    found: Vec<String>,
}

impl ChangeNotes<'_> {
    /// The number of whoever wrote something, if it is not the table's own mod.
    fn number(&mut self, origin: &Provenance) -> Option<usize> {
        if *origin.place.module == *self.owner {
            return None;
        }
        let cites: Vec<String> = origin.cites.iter().map(|id| self.rules.named(id)).collect();
        let text = if cites.is_empty() {
            origin.place.module.to_string()
        } else {
            cites.join(", ")
        };
        let place = self
            .found
            .iter()
            .position(|known| *known == text)
            .unwrap_or_else(|| {
                self.found.push(text);
                self.found.len() - 1
            });
        Some(place + 1)
    }
}

/// A line of a rule: what it does, and when, in its own words, or else in the title of
/// its clause, whose sentence stands in the book.
pub(super) fn line_cells(
    rules: RulesInForce<'_>,
    rule: &RuleEntry,
    layer: &LayerEntry,
) -> Option<[String; 3]> {
    let (verb, words) = layer.line.as_ref()?;
    let clauses = || layer.cites.iter().filter_map(|id| rules.clause(id));
    let titles: Vec<&str> = clauses().map(|clause| &*clause.title).collect();
    let when = match (&words.reason, verb) {
        // Their reason says what they do.
        (_, Verb::Refuse | Verb::Ignore) | (None, _) => titles.join(", "),
        (Some(reason), _) => reason.to_string(),
    };
    let who = layer
        .cites
        .iter()
        .map(|id| id.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let who = if who.is_empty() {
        layer.module.to_string()
    } else {
        who
    };
    Some([words.effect(*verb, &rule.signature.returns), when, who])
}

/// The modifiers of a rule: its lines. Nothing for a rule without.
pub(super) fn of_lines(rules: RulesInForce<'_>, rule: &RuleEntry) -> Option<Grid> {
    let lines: Vec<[String; 3]> = rule
        .layers
        .iter()
        .filter_map(|layer| line_cells(rules, rule, layer))
        .collect();
    (!lines.is_empty()).then(|| Grid {
        id: rule.id.to_string(),
        title: modified(rules, rule),
        source: String::new(),
        head: ["Modifier", "When", "Clause"].map(String::from).to_vec(),
        keys: 1,
        rows: lines
            .into_iter()
            .map(|line| line.map(PrintedCell::plain).to_vec())
            .collect(),
        notes: Vec::new(),
    })
}

/// What the lines of a rule modify, in words: the sentence of its header, or else the
/// title of its clause.
fn modified(rules: RulesInForce<'_>, rule: &RuleEntry) -> String {
    let doc = rule.doc.trim().trim_end_matches('.');
    let clause = || {
        let first = rule.layers.first()?.cites.first()?;
        Some(rules.clause(first)?.title.to_string())
    };
    match (doc, clause()) {
        ("", Some(title)) => format!("Modifiers: {title}"),
        ("", None) => format!("Modifiers: {}", rule.id),
        (doc, _) => format!("Modifiers: {doc}"),
    }
}

/// The chapter to which the id of a table or rule belongs: its first two parts.
pub(super) fn chapter_of(id: &str) -> Name {
    let mut parts = id.split('.');
    let (first, second) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    format!("{first}.{second}").into()
}
