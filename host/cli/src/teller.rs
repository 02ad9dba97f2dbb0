//! Tells a match as it happens: as a battle report, or as JSON.

use std::io;

use houserule::embed::{NarratedEvent, Narration, Tabletop, Trouble, WhyAbout, told_to_referee};
use houserule::kernel::brief::Depth;
use houserule::kernel::event::Event;
use houserule::kernel::game::Game;
use houserule::report::{LineKind, Part, ReportLine, ScreenRow};
use houserule::types::Unit;
use serde_json::json;

use crate::desk::{Desk, Failure};
use crate::detail;
use crate::paint::Paint;

/// Tells what happens to one viewer.
pub struct Teller {
    telling: Narration,
    is_quiet: bool,
    is_explaining: bool,
    /// Whether a turn was told whose map is not drawn.
    is_map_due: bool,
    viewer: String,
}

impl Teller {
    /// A teller of a match that has just begun, for a report of some depth,
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
    ) -> Result<Teller, Trouble> {
        let telling = table.telling_in(viewer, depth, causes)?;
        let viewer = viewer.to_string();
        Ok(Teller {
            telling,
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
    pub fn draw(&mut self, table: &mut Tabletop, desk: &mut Desk) -> Result<(), Failure> {
        if std::mem::take(&mut self.is_map_due) && detail::is_page(desk.format) {
            detail::map(&table.map_svg(&self.viewer, None)?, desk)?;
        }
        Ok(())
    }

    /// Tells what a shorter report still holds back, and its table.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn finish(&mut self, table: &mut Tabletop, desk: &mut Desk) -> Result<(), Failure> {
        let rest = self.telling.finish();
        if self.is_quiet || desk.is_json() {
            return Ok(());
        }
        rest.iter().try_for_each(|line| print_line(line, desk))?;
        self.is_map_due |= !rest.is_empty();
        self.draw(table, desk)?;
        let lines = match self.telling.score() {
            Some(score) if self.telling.depth() == Depth::Story => score.lines(),
            _ => Vec::new(),
        };
        if lines.is_empty() {
            return Ok(());
        }
        desk.line("")?;
        print_line(&section("Fire and losses"), desk)?;
        if detail::is_page(desk.format) {
            return Ok(detail::table(&lines, desk)?);
        }
        Ok(lines.iter().try_for_each(|line| print_line(line, desk))?)
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
    pub fn tell(&mut self, table: &Tabletop, desk: &mut Desk) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let told = table.tell(&mut self.telling);
        self.print(&told, table, desk)
    }

    /// Tells everything so far, even of an action that is not over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_all(&mut self, table: &Tabletop, desk: &mut Desk) -> io::Result<()> {
        let told = table.tell_all(&mut self.telling);
        self.print(&told, table, desk)?;
        let rest = self.telling.pause();
        if self.is_quiet || desk.is_json() {
            return Ok(());
        }
        rest.iter().try_for_each(|line| print_line(line, desk))?;
        desk.flush()
    }

    /// Passes over what is new.
    pub fn skip(&mut self, table: &Tabletop) {
        table.tell(&mut self.telling);
    }

    /// Tells the last lines of everything so far.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_last(&mut self, table: &Tabletop, count: usize, desk: &mut Desk) -> io::Result<()> {
        let told = table.tell_all(&mut self.telling);
        let lines: Vec<&ReportLine> = told.iter().flat_map(|told| &told.lines).collect();
        lines[lines.len().saturating_sub(count)..]
            .iter()
            .try_for_each(|line| print_line(line, desk))
    }

    fn print(
        &mut self,
        told: &[NarratedEvent],
        table: &Tabletop,
        desk: &mut Desk,
    ) -> io::Result<()> {
        if self.is_quiet || told.is_empty() {
            return Ok(());
        }
        for NarratedEvent { event, lines } in told {
            if desk.is_json() {
                let mut json = serde_json::to_value(event).map_err(io::Error::other)?;
                json["type"] = json!("event");
                desk.json(&json)?;
            } else {
                self.is_map_due |= lines.iter().any(|line| line.sort == LineKind::Section);
                lines.iter().try_for_each(|line| print_line(line, desk))?;
            }
            if self.is_explaining {
                why(table, event.number, desk)?;
            }
        }
        desk.flush()
    }
}

/// After the last event of a step, what is behind it.
fn why(table: &Tabletop, event: u32, desk: &mut Desk) -> io::Result<()> {
    let mut below = table.why_step(event);
    if below.is_empty() {
        return Ok(());
    }
    if desk.is_json() {
        let lines = serde_json::to_value(below).map_err(io::Error::other)?;
        return desk.json(&json!({ "type": "why", "event": event, "lines": lines }));
    }
    below.iter_mut().for_each(|line| line.depth += 4);
    tree(&below, desk)
}

/// Prints a tree.
///
/// # Errors
/// When nobody reads it.
pub fn tree(lines: &[WhyAbout], desk: &mut Desk) -> io::Result<()> {
    for line in lines {
        let text = format!("{}{}", "  ".repeat(line.depth), line.text);
        let room = desk.width.saturating_sub(line.source.chars().count());
        let gap = if line.source.is_empty() {
            0
        } else {
            room.saturating_sub(text.chars().count()).max(2)
        };
        let text = if line.depth == 0 {
            text.bold().to_string()
        } else {
            text.dimmed().to_string()
        };
        desk.line(format!("{text}{}{}", " ".repeat(gap), line.source.dimmed()))?;
    }
    Ok(())
}

/// Tells events of a game to the referee.
///
/// # Errors
/// When nobody reads it.
pub fn tell_events(game: &Game, events: &[Event], unit: Unit, desk: &mut Desk) -> io::Result<()> {
    for told in told_to_referee(game, events, unit) {
        if desk.is_json() {
            let mut json = serde_json::to_value(&told.event).map_err(io::Error::other)?;
            json["type"] = json!("event");
            desk.json(&json)?;
        } else {
            told.lines
                .iter()
                .try_for_each(|line| print_line(line, desk))?;
        }
    }
    desk.flush()
}

/// Prints a line of a report.
///
/// # Errors
/// When nobody reads it.
pub fn print_line(line: &ReportLine, desk: &mut Desk) -> io::Result<()> {
    if detail::is_page(desk.format) {
        return detail::line(line, desk);
    }
    for row in line.rows(desk.width) {
        desk.line(coloured(line.sort, &row))?;
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
