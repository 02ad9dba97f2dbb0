//! The end of a game: the rules' own record of its result, in lines.

use kernel::value::{Name, Value};

use super::Phrases;
use super::line::ReportLine;
use super::phrases::spaced;

/// Fields that read best first, in this order; others follow by name.
const FIRST: [&str; 6] = ["victor", "winner", "result", "reason", "score", "points"];

/// Headings longer than this do not push the others aside.
const WIDEST: usize = 40;

/// The result of a game: a line for each field, one for each entry of a field
/// that is itself a record. A field without a value is left out.
pub fn result_lines(result: &Value, say: &Phrases<'_>) -> Vec<ReportLine> {
    let Value::Map(fields) = result else {
        return match result {
            Value::None => Vec::new(),
            other => vec![ReportLine::fact(0, "result".into(), say.value(other))],
        };
    };
    let rank = |name: &str| {
        FIRST
            .iter()
            .position(|first| *first == name)
            .unwrap_or(FIRST.len())
    };
    let mut ordered: Vec<(&Name, &Value)> = fields
        .iter()
        .filter(|(_, value)| !value.is_none())
        .collect();
    // A stable sort: what has no rank stays by name.
    ordered.sort_by_key(|(name, _)| rank(name));
    // Headings of one width, so that the values stand under each other.
    let widths = ordered
        .iter()
        .map(|(name, _)| name.chars().count())
        .filter(|width| *width <= WIDEST);
    let width = widths.max().unwrap_or_default();
    let heading = |name: &str| format!("{:<width$}", spaced(name));
    ordered
        .into_iter()
        .flat_map(|(name, value)| field_lines(&heading(name), value, say))
        .collect()
}

fn field_lines(heading: &str, value: &Value, say: &Phrases<'_>) -> Vec<ReportLine> {
    match value {
        Value::Map(entries) if !entries.is_empty() => {
            let blank = " ".repeat(heading.chars().count());
            let headings = std::iter::once(heading).chain(std::iter::repeat(&*blank));
            let line = |((name, value), heading): ((&Name, &Value), &str)| {
                ReportLine::fact(
                    0,
                    heading.into(),
                    format!("{}: {}", spaced(name), say.value(value)),
                )
            };
            entries.iter().zip(headings).map(line).collect()
        }
        _ => vec![ReportLine::fact(0, heading.into(), say.value(value))],
    }
}
