//! Tells a match as it happens: as a battle report, or as JSON.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use houserule::explain::WhyLine;
use houserule::kernel::book::Book;
use houserule::kernel::engine::{SeenEvent, Wanted};
use houserule::kernel::event::Event;
use houserule::kernel::game::Game;
use houserule::kernel::value::{EntityId, Name, Side, Value};
use houserule::kernel::world::{Viewer, closest};
use houserule::play::Match;
use houserule::report::{
    Part, Phrases, Report, ReportLine, ReportOptions, Row, Sort, event_json, result_lines,
};
use houserule::types::Unit;
use owo_colors::OwoColorize;
use serde_json::{Value as Json, json};

use crate::desk::{Desk, Failure};

/// Tells what happens to one viewer.
pub struct Teller {
    viewer: Viewer,
    unit: Unit,
    report: Report,
    /// How many events of the match were told or passed over.
    told: usize,
    /// How many the viewer saw.
    seen: u32,
    /// What entities were called when they were last spoken of.
    names: BTreeMap<EntityId, Name>,
    is_quiet: bool,
    is_explaining: bool,
}

impl Teller {
    /// A teller of a match that has just begun.
    pub fn new(game: &Match, viewer: Viewer, is_metric: bool, is_quiet: bool) -> Teller {
        let unit = if is_metric { Unit::Centimetres } else { Unit::Inches };
        Teller { is_quiet, ..Teller::of_book(game.rulebook().book(), viewer, unit) }
    }

    /// A teller of single events of games by that book.
    pub fn of_book(book: &Arc<Book>, viewer: Viewer, unit: Unit) -> Teller {
        let report = Report::new(ReportOptions { unit, causes: true }, book);
        Teller {
            viewer,
            unit,
            report,
            told: 0,
            seen: 0,
            names: BTreeMap::new(),
            is_quiet: false,
            is_explaining: false,
        }
    }

    /// Tells what is new. In the middle of an action nothing is told: a fault
    /// may still undo all of it, and its draws are numbered at its end.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell(&mut self, game: &Match, desk: &mut Desk) -> io::Result<()> {
        if !matches!(game.wanted(), Wanted::Act { .. } | Wanted::Over) {
            return Ok(());
        }
        self.tell_all(game, desk)
    }

    /// Tells everything so far, even of an action that is not over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_all(&mut self, game: &Match, desk: &mut Desk) -> io::Result<()> {
        let fresh = game.told().get(self.told..).unwrap_or_default();
        self.told = game.told().len();
        if self.is_quiet || fresh.is_empty() {
            return Ok(());
        }
        if self.is_explaining {
            let first = self.told - fresh.len();
            for (i, event) in fresh.iter().enumerate() {
                self.events(game.game(), std::slice::from_ref(event), desk)?;
                self.why(game, first + i, desk)?;
            }
        } else {
            self.events(game.game(), fresh, desk)?;
        }
        desk.flush()
    }

    /// Whether the tree behind each step is told too.
    pub fn explain(&mut self, is_wanted: bool) {
        self.is_explaining = is_wanted;
    }

    /// After the last event of a step, what is behind it.
    fn why(&self, game: &Match, event: usize, desk: &mut Desk) -> io::Result<()> {
        if !game.ends_step(event) {
            return Ok(());
        }
        let mut below = game.step_lines(event, self.unit);
        if below.is_empty() {
            return Ok(());
        }
        if desk.is_json() {
            let list: Vec<Json> = below.iter().map(why_json).collect();
            return desk.json(&json!({ "type": "why", "event": event + 1, "lines": list }));
        }
        below.iter_mut().for_each(|line| line.depth += 4);
        tree(&below, desk)
    }

    /// Tells some events.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn events(&mut self, game: &Game, events: &[Event], desk: &mut Desk) -> io::Result<()> {
        for mut event in game.show_events(self.viewer, events) {
            self.seen += 1;
            event.number = self.seen;
            self.learn_names(game, &event);
            if desk.is_json() {
                let mut json =
                    event_json(&event, &|entity| (game.handle(self.viewer, entity), self.name(entity)));
                json["type"] = json!("event");
                desk.json(&json)?;
            } else {
                let names = &self.names;
                let name = |entity| names.get(&entity).cloned().unwrap_or_else(|| Name::from("?"));
                for line in self.report.event(&event, &name) {
                    print_line(&line, desk)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps what entities are called, for when they are gone.
    fn learn_names(&mut self, game: &Game, event: &SeenEvent) {
        let mut spoken_of = Vec::new();
        event
            .fields
            .iter()
            .filter_map(|(_, value)| value.as_ref())
            .for_each(|value| value.entities(&mut spoken_of));
        for entity in spoken_of {
            let label = label(game, self.viewer, entity);
            if !label.starts_with(['#', '?']) || !self.names.contains_key(&entity) {
                self.names.insert(entity, label);
            }
        }
    }

    fn name(&self, entity: EntityId) -> Name {
        self.names.get(&entity).cloned().unwrap_or_else(|| Name::from("?"))
    }

    /// The result of the game, in lines.
    pub fn result(&self, game: &Game, result: &Value) -> Vec<ReportLine> {
        let name = |entity| match self.names.get(&entity) {
            Some(name) => name.clone(),
            None => label(game, self.viewer, entity),
        };
        result_lines(result, &Phrases { unit: self.unit, names: &name })
    }

    /// The result as JSON.
    pub fn result_json(&self, game: &Game, result: &Value) -> Json {
        let labels = |entity| (game.handle(self.viewer, entity), label(game, self.viewer, entity));
        houserule::report::value_json(result, &labels)
    }
}

/// Prints a tree.
///
/// # Errors
/// When nobody reads it.
pub fn tree(lines: &[WhyLine], desk: &mut Desk) -> io::Result<()> {
    for line in lines {
        let text = format!("{}{}", "  ".repeat(line.depth), line.text);
        let room = desk.width.saturating_sub(line.source.chars().count());
        let gap = if line.source.is_empty() { 0 } else { room.saturating_sub(text.chars().count()).max(2) };
        let text = if line.depth == 0 { text.bold().to_string() } else { text.dimmed().to_string() };
        desk.line(format!("{text}{}{}", " ".repeat(gap), line.source.dimmed()))?;
    }
    Ok(())
}

/// A line of a tree as JSON.
pub fn why_json(line: &WhyLine) -> Json {
    json!({ "depth": line.depth, "text": line.text, "source": line.source })
}

/// What a viewer calls an entity; the referee knows even what is gone.
pub fn label(game: &Game, viewer: Viewer, entity: EntityId) -> Name {
    match viewer {
        Viewer::Referee => game.world().name(entity),
        _ => game.label(viewer, entity),
    }
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
    ReportLine {
        sort: Sort::Fact,
        indent: 0,
        heading: Some(heading.to_string()),
        text: text.into(),
        cause: None,
        draws: None,
    }
}

/// A heading of a report.
pub fn section(text: impl Into<String>) -> ReportLine {
    ReportLine { sort: Sort::Section, indent: 0, heading: None, text: text.into(), cause: None, draws: None }
}

/// The side of a name, among those of a game.
///
/// # Errors
/// When there is none, with what comes near.
pub fn side_of(game: &Game, name: &str) -> Result<Side, Failure> {
    let world = game.world();
    world.side(name).ok_or_else(|| {
        let sides: Vec<&str> = world.sides().iter().map(|side| &**side).collect();
        let near = closest(name, sides.iter().copied());
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::Plain(format!("expected one of the sides {}, found `{name}`{hint}", sides.join(", ")))
    })
}

/// The viewer of a name: `referee`, `spectator`, or a side.
///
/// # Errors
/// When there is none.
pub fn viewer_of(game: &Game, name: &str) -> Result<Viewer, Failure> {
    match name {
        "referee" => Ok(Viewer::Referee),
        "spectator" => Ok(Viewer::Spectator),
        side => Ok(Viewer::Side(side_of(game, side)?)),
    }
}
