//! Tells a match as it happens: as a battle report, or as JSON.

use std::io;

use houserule::embed::{
    NarratedEvent, Narration, Tabletop, Trouble, WhyAbout, narrated_to_referee,
};
use houserule::kernel::brief::Depth;
use houserule::kernel::event::Event;
use houserule::kernel::game::Game;
use houserule::printable;
use houserule::report::{LineKind, Part, ReportLine, ScreenRow};
use houserule::types::Unit;
use serde_json::json;

use crate::detail;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;

/// Tells what happens to one viewer.
pub struct Reporter {
    narration: Narration,
    is_quiet: bool,
    is_explaining: bool,
    /// Whether a turn was told whose map is not drawn.
    is_map_due: bool,
    viewer: String,
}

impl Reporter {
    /// A reporter of a match that has just begun, for a report of some depth,
    /// with the rules behind each line or not.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn in_depth(
        table: &Tabletop,
        viewer: &str,
        is_quiet: bool,
        depth: Depth,
        causes: bool,
    ) -> Result<Reporter, Trouble> {
        let narration = table.narration_in(viewer, depth, causes)?;
        let viewer = viewer.to_string();
        Ok(Reporter {
            narration,
            is_quiet,
            is_explaining: false,
            is_map_due: false,
            viewer,
        })
    }

    /// Puts the map of a turn that was told on a page.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn draw(&mut self, table: &mut Tabletop, ui: &mut Ui) -> Result<(), Failure> {
        if std::mem::take(&mut self.is_map_due) && detail::is_page(ui.format) {
            detail::map(&table.map_svg(&self.viewer, None)?, ui)?;
        }
        Ok(())
    }

    /// Tells what a shorter report still holds back, and its table.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn finish(&mut self, table: &mut Tabletop, ui: &mut Ui) -> Result<(), Failure> {
        let rest = self.narration.finish();
        if self.is_quiet || ui.is_json() {
            return Ok(());
        }
        rest.iter().try_for_each(|line| print_line(line, ui))?;
        self.is_map_due |= !rest.is_empty();
        self.draw(table, ui)?;
        let lines = match self.narration.score() {
            Some(score) if self.narration.depth() == Depth::Story => score.lines(),
            _ => Vec::new(),
        };
        if lines.is_empty() {
            return Ok(());
        }
        ui.line("")?;
        print_line(&section("Fire and losses"), ui)?;
        if detail::is_page(ui.format) {
            return Ok(detail::table(&lines, ui)?);
        }
        Ok(lines.iter().try_for_each(|line| print_line(line, ui))?)
    }

    /// Whether the tree behind each step is told too; for the referee.
    pub fn explain(&mut self, is_wanted: bool) {
        self.is_explaining = is_wanted;
    }

    /// Tells what is new. In the middle of an action nothing is told: a fault
    /// may still undo all of it, and its draws are numbered at its end.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell(&mut self, table: &Tabletop, ui: &mut Ui) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let narrated = table.tell(&mut self.narration);
        self.print(&narrated, table, ui)
    }

    /// Whether nothing is told before the end.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Tells everything so far, even of an action that is not over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_all(&mut self, table: &Tabletop, ui: &mut Ui) -> io::Result<()> {
        let narrated = table.tell_all(&mut self.narration);
        self.print(&narrated, table, ui)?;
        let rest = self.narration.pause();
        if self.is_quiet || ui.is_json() {
            return Ok(());
        }
        rest.iter().try_for_each(|line| print_line(line, ui))?;
        ui.flush()
    }

    /// Tells the turn or phase that has begun and in which nothing has happened yet: that is
    /// where somebody is asked.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_heading(&mut self, ui: &mut Ui) -> io::Result<()> {
        let heading = self.narration.open_heading();
        if self.is_quiet || ui.is_json() {
            return Ok(());
        }
        heading.iter().try_for_each(|line| print_line(line, ui))
    }

    /// Passes over what is new.
    pub fn skip(&mut self, table: &Tabletop) {
        table.tell(&mut self.narration);
    }

    /// Tells the last lines of everything so far.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_last(&mut self, table: &Tabletop, count: usize, ui: &mut Ui) -> io::Result<()> {
        let narrated = table.tell_all(&mut self.narration);
        let lines: Vec<&ReportLine> = narrated.iter().flat_map(|one| &one.lines).collect();
        lines[lines.len().saturating_sub(count)..]
            .iter()
            .try_for_each(|line| print_line(line, ui))
    }

    fn print(
        &mut self,
        narrated: &[NarratedEvent],
        table: &Tabletop,
        ui: &mut Ui,
    ) -> io::Result<()> {
        if self.is_quiet || narrated.is_empty() {
            return Ok(());
        }
        for NarratedEvent { event, lines } in narrated {
            if ui.is_json() {
                let mut json = serde_json::to_value(event).map_err(io::Error::other)?;
                json["type"] = json!("event");
                ui.json(&json)?;
            } else {
                self.is_map_due |= lines.iter().any(|line| line.sort == LineKind::Section);
                lines.iter().try_for_each(|line| print_line(line, ui))?;
            }
            if self.is_explaining {
                why(table, event.number, ui)?;
            }
        }
        ui.flush()
    }
}

/// After the last event of a step, what is behind it.
fn why(table: &Tabletop, event: u32, ui: &mut Ui) -> io::Result<()> {
    let mut below = table.why_step(event);
    if below.is_empty() {
        return Ok(());
    }
    if ui.is_json() {
        let lines = serde_json::to_value(below).map_err(io::Error::other)?;
        return ui.json(&json!({ "type": "why", "event": event, "lines": lines }));
    }
    below.iter_mut().for_each(|line| line.depth += 4);
    tree(&below, ui)
}

/// Text of a tree is never squeezed into less than this.
const LEAST_TEXT: usize = 24;

/// So much is left at least before the source of a line.
const GAP: usize = 2;

/// Prints a tree.
///
/// # Errors
/// When nobody reads it.
pub fn tree(lines: &[WhyAbout], ui: &mut Ui) -> io::Result<()> {
    for line in lines {
        for (text, source) in branch(line, ui.width) {
            let text = match line.depth {
                0 => text.bold().to_string(),
                _ => text.dimmed().to_string(),
            };
            ui.line(format!("{text}{}", source.dimmed()))?;
        }
    }
    Ok(())
}

/// A line of a tree: its text in rows under each other, and at the right of the last
/// one its source, with the space before it.
fn branch(line: &WhyAbout, width: usize) -> Vec<(String, String)> {
    let indent = "  ".repeat(line.depth);
    let room = width.saturating_sub(indent.len()).max(LEAST_TEXT);
    let rows = printable::wrapped(&printable::line(&line.text), room);
    let mut rows: Vec<(String, String)> = rows
        .iter()
        .map(|row| (format!("{indent}{row}"), String::new()))
        .collect();
    if line.source.is_empty() {
        return rows;
    }
    let source = printable::line(&line.source);
    let left = width.saturating_sub(printable::width(&source));
    match rows.last_mut() {
        Some((text, beside)) if printable::width(text) + GAP <= left => {
            let gap = left - printable::width(text);
            *beside = format!("{}{source}", " ".repeat(gap));
        }
        _ => rows.push((" ".repeat(left), source.into_owned())),
    }
    rows
}

/// Tells events of a game to the referee.
///
/// # Errors
/// When nobody reads it.
pub fn tell_events(game: &Game, events: &[Event], unit: Unit, ui: &mut Ui) -> io::Result<()> {
    for narrated in narrated_to_referee(game, events, unit) {
        if ui.is_json() {
            let mut json = serde_json::to_value(&narrated.event).map_err(io::Error::other)?;
            json["type"] = json!("event");
            ui.json(&json)?;
        } else {
            narrated
                .lines
                .iter()
                .try_for_each(|line| print_line(line, ui))?;
        }
    }
    ui.flush()
}

/// Prints a line of a report.
///
/// # Errors
/// When nobody reads it.
pub fn print_line(line: &ReportLine, ui: &mut Ui) -> io::Result<()> {
    if detail::is_page(ui.format) {
        return detail::line(line, ui);
    }
    for row in line.rows(ui.width) {
        ui.line(coloured(line.sort, &row))?;
    }
    Ok(())
}

fn coloured(sort: LineKind, row: &ScreenRow) -> String {
    let mut text = String::new();
    for (part, piece) in &row.pieces {
        let piece = match (sort, part) {
            (_, Part::Space) => piece.clone(),
            (LineKind::Section, Part::Text) => piece.yellow().bold().to_string(),
            (LineKind::Action, Part::Text) => piece.bold().to_string(),
            (_, Part::Heading) => piece.cyan().to_string(),
            (_, Part::Text) => piece.clone(),
            (_, Part::Cause | Part::Draws) => piece.dimmed().to_string(),
        };
        text.push_str(&piece);
    }
    text
}

/// A line of the end of a report: what it is about, and what there is to say.
pub fn fact(heading: &str, text: impl Into<String>) -> ReportLine {
    ReportLine::fact(0, heading.to_string(), text.into())
}

/// A heading of a report.
pub fn section(text: impl Into<String>) -> ReportLine {
    ReportLine::section(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_fits_a_narrow_terminal() {
        let line = |text: &str, source: &str| WhyAbout {
            depth: 1,
            text: text.into(),
            source: source.into(),
        };
        let rows = |text: &str, source: &str| -> Vec<String> {
            let rows = branch(&line(text, source), 40);
            rows.into_iter()
                .map(|(text, source)| text + &source)
                .collect()
        };
        assert_eq!(
            rows("Options", "p. 18"),
            ["  Options                          p. 18"]
        );
        assert_eq!(
            rows(
                "Options: Each element may move and fire, or do nothing.",
                "p. 18"
            ),
            [
                "  Options: Each element may move and",
                "  fire, or do nothing.             p. 18"
            ]
        );
        assert_eq!(
            rows("Each element may move, and then fire.", "p. 18"),
            [
                "  Each element may move, and then fire.",
                "                                   p. 18"
            ]
        );
        assert_eq!(
            rows("Each element may move.", ""),
            ["  Each element may move."]
        );
    }
}
