//! What one viewer was told of a match, with the names that things had for
//! that viewer when they were told.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Book;
use kernel::engine::SeenEvent;
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::{EntityId, Name, Value};
use kernel::world::Viewer;

use crate::report::{Phrases, Report, ReportLine, ReportOptions, result_lines};
use rules::types::Unit;

/// Tells one viewer what happens.
pub struct Told {
    viewer: Viewer,
    unit: Unit,
    report: Report,
    /// How many events the viewer saw.
    seen: u32,
    names: BTreeMap<EntityId, Name>,
}

impl Told {
    /// Nothing told yet.
    pub fn new(book: &Arc<Book>, viewer: Viewer, unit: Unit) -> Told {
        let report = Report::new(ReportOptions { unit, causes: true }, book);
        Told { viewer, unit, report, seen: 0, names: BTreeMap::new() }
    }

    /// Who is told.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Events as the viewer sees them, numbered for that viewer.
    pub fn show(&mut self, game: &Game, events: &[Event]) -> Vec<SeenEvent> {
        let mut seen = game.show_events(self.viewer, events);
        for event in &mut seen {
            self.seen += 1;
            event.number = self.seen;
            self.learn_names(game, event);
        }
        seen
    }

    /// The lines of an event that was just shown.
    pub fn lines(&mut self, event: &SeenEvent) -> Vec<ReportLine> {
        let names = &self.names;
        self.report.event(event, &|entity| names.get(&entity).cloned().unwrap_or_else(|| Name::from("?")))
    }

    /// What the viewer calls an entity, also when it is gone.
    pub fn name(&self, game: &Game, entity: EntityId) -> Name {
        self.names.get(&entity).cloned().unwrap_or_else(|| label(game, self.viewer, entity))
    }

    /// The result of the game.
    pub fn result(&self, game: &Game, result: &Value) -> Vec<ReportLine> {
        result_lines(result, &Phrases { unit: self.unit, names: &|entity| self.name(game, entity) })
    }

    /// Keeps what entities are called, for when they are gone.
    fn learn_names(&mut self, game: &Game, event: &SeenEvent) {
        let mut spoken_of = Vec::new();
        for value in event.fields.iter().filter_map(|(_, value)| value.as_ref()) {
            value.entities(&mut spoken_of);
        }
        for entity in spoken_of {
            let label = label(game, self.viewer, entity);
            if !label.starts_with(['#', '?']) || !self.names.contains_key(&entity) {
                self.names.insert(entity, label);
            }
        }
    }
}

/// What a viewer calls an entity; the referee knows even what is gone.
pub fn label(game: &Game, viewer: Viewer, entity: EntityId) -> Name {
    match viewer {
        Viewer::Referee => game.world().name(entity),
        _ => game.label(viewer, entity),
    }
}
