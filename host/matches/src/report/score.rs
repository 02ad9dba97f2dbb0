//! The table at the end of a story: who did how much of what.

use std::collections::BTreeMap;

use rules::printable;

use super::line::ReportLine;

/// Numbers by row and column, as events were counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Score {
    columns: Vec<String>,
    rows: BTreeMap<String, BTreeMap<String, u32>>,
}

impl Score {
    pub(super) fn add(&mut self, row: &str, column: &str) {
        if !self.columns.iter().any(|known| known == column) {
            self.columns.push(column.to_string());
        }
        let cell = self
            .rows
            .entry(row.to_string())
            .or_default()
            .entry(column.to_string())
            .or_default();
        *cell = cell.saturating_add(1);
    }

    /// What is counted, in the order in which it first happened.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Each row by name, with a number for each column.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Vec<u32>)> {
        self.rows.iter().map(|(name, cells)| {
            let number = |column: &String| cells.get(column).copied().unwrap_or_default();
            (name.as_str(), self.columns.iter().map(number).collect())
        })
    }

    /// The table in lines; none if nothing was counted.
    pub fn lines(&self) -> Vec<ReportLine> {
        let wide = self
            .rows
            .keys()
            .map(|name| printable::width(name))
            .max()
            .unwrap_or_default();
        let line = |name: &str, cells: Vec<String>| {
            let cells = cells.iter().zip(&self.columns);
            let cells =
                cells.map(|(cell, column)| format!("{cell:>width$}", width = column.len().max(5)));
            ReportLine::fact(
                1,
                printable::padded(name, wide),
                cells.collect::<Vec<_>>().join("  "),
            )
        };
        if self.rows.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![line("", self.columns.clone())];
        for (name, cells) in self.rows() {
            lines.push(line(name, cells.iter().map(ToString::to_string).collect()));
        }
        lines
    }
}
