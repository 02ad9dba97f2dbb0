//! Tells a match as it happens: as a battle report, or as JSON.

use std::io;

use houserule::embed::{Tabletop, Telling, Told, Trouble, WhyAbout};
use houserule::kernel::event::Event;
use houserule::kernel::game::Game;
use houserule::kernel::value::EntityId;
use houserule::kernel::world::Viewer;
use houserule::report::{Part, Report, ReportLine, ReportOptions, Row, Sort};
use houserule::types::Unit;
use serde_json::json;

use crate::desk::Desk;
use crate::paint::Paint;

/// Tells what happens to one viewer.
pub struct Teller {
    telling: Telling,
    is_quiet: bool,
    is_explaining: bool,
}

impl Teller {
    /// A teller of a match that has just begun.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn new(table: &Tabletop, viewer: &str, is_quiet: bool) -> Result<Teller, Trouble> {
        Ok(Teller { telling: table.telling(viewer)?, is_quiet, is_explaining: false })
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
        let told = table.tell(&mut self.telling);
        self.print(&told, table, desk)
    }

    /// Tells everything so far, even of an action that is not over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_all(&mut self, table: &Tabletop, desk: &mut Desk) -> io::Result<()> {
        let told = table.tell_all(&mut self.telling);
        self.print(&told, table, desk)
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
        lines[lines.len().saturating_sub(count)..].iter().try_for_each(|line| print_line(line, desk))
    }

    fn print(&self, told: &[Told], table: &Tabletop, desk: &mut Desk) -> io::Result<()> {
        if self.is_quiet || told.is_empty() {
            return Ok(());
        }
        for Told { event, lines } in told {
            if desk.is_json() {
                let mut json = serde_json::to_value(event).map_err(io::Error::other)?;
                json["type"] = json!("event");
                desk.json(&json)?;
            } else {
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
        let gap = if line.source.is_empty() { 0 } else { room.saturating_sub(text.chars().count()).max(2) };
        let text = if line.depth == 0 { text.bold().to_string() } else { text.dimmed().to_string() };
        desk.line(format!("{text}{}{}", " ".repeat(gap), line.source.dimmed()))?;
    }
    Ok(())
}

/// Tells events of a game to the referee.
///
/// # Errors
/// When nobody reads it.
pub fn tell_events(game: &Game, events: &[Event], unit: Unit, desk: &mut Desk) -> io::Result<()> {
    let mut report = Report::new(ReportOptions { unit, causes: true }, game.book());
    let name = |entity: EntityId| game.world().name(entity);
    for event in game.show_events(Viewer::Referee, events) {
        if desk.is_json() {
            let labels = |entity| (game.handle(Viewer::Referee, entity), name(entity));
            let mut json = houserule::report::event_json(&event, &labels);
            json["type"] = json!("event");
            desk.json(&json)?;
        } else {
            report.event(&event, &name).iter().try_for_each(|line| print_line(line, desk))?;
        }
    }
    desk.flush()
}

/// Prints a line of a report.
///
/// # Errors
/// When nobody reads it.
pub fn print_line(line: &ReportLine, desk: &mut Desk) -> io::Result<()> {
    for row in line.rows(desk.width) {
        desk.line(coloured(line.sort, &row))?;
    }
    Ok(())
}

fn coloured(sort: Sort, row: &Row) -> String {
    let mut text = String::new();
    for (part, piece) in &row.pieces {
        let piece = match (sort, part) {
            (_, Part::Space) => piece.clone(),
            (Sort::Section, Part::Text) => piece.yellow().bold().to_string(),
            (Sort::Deed, Part::Text) => piece.bold().to_string(),
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
