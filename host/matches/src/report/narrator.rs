//! Telling one viewer what happens: the one way from events to lines, whoever
//! asks for them and in whatever depth.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Book;
use kernel::brief::Depth;
use kernel::engine::SeenEvent;
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::{EntityId, Name, Value};
use kernel::world::Viewer;

use crate::report::{
    Abridged, Phrases, Report, ReportLine, ReportOptions, Score, can_abridge, result_lines,
};

/// Tells one viewer what happens, event by event.
pub struct Narrator {
    viewer: Viewer,
    options: ReportOptions,
    book: Arc<Book>,
    report: Report,
    /// What is told instead of the full report.
    short: Option<(Depth, Abridged)>,
    /// How many events the viewer saw.
    seen: u32,
    /// What things were called when they were told.
    names: BTreeMap<EntityId, Name>,
}

/// The lines of an event.
pub struct Narrated {
    /// Those of the full report.
    pub full: Vec<ReportLine>,
    /// Those of the depth in which it is told, where that is another.
    pub short: Option<Vec<ReportLine>>,
}

impl Narrated {
    /// The lines that are told.
    pub fn lines(self) -> Vec<ReportLine> {
        self.short.unwrap_or(self.full)
    }
}

impl Narrator {
    /// Nothing told yet; all of it will be.
    pub fn new(book: &Arc<Book>, viewer: Viewer, options: ReportOptions) -> Narrator {
        Narrator {
            viewer,
            options,
            book: book.clone(),
            report: Report::new(options, book),
            short: None,
            seen: 0,
            names: BTreeMap::new(),
        }
    }

    /// The same in a depth. A game whose mods do not say how it reads in short
    /// is told in full.
    #[must_use]
    pub fn in_depth(mut self, depth: Depth) -> Narrator {
        let is_short = depth != Depth::Full && can_abridge(&self.book);
        self.short = is_short.then(|| (depth, Abridged::new(depth, self.options.unit, &self.book)));
        self
    }

    /// The same for a game of which the beginning is not known, nor what the number of its turn is.
    #[must_use]
    pub fn without_numbers(mut self) -> Narrator {
        self.report = self.report.without_numbers();
        self
    }

    /// The same after phases that the viewer was told of already.
    #[must_use]
    pub fn after(mut self, phases: &[SeenEvent]) -> Narrator {
        self.report.begin_after(phases);
        self
    }

    /// The phase that was told last, with the number of its turn where it is counted.
    pub fn phase(&self) -> Option<&str> {
        self.report.phase()
    }

    /// Who is told.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The depth in which it really tells.
    pub fn depth(&self) -> Depth {
        self.short.as_ref().map_or(Depth::Full, |(depth, _)| *depth)
    }

    /// What is declared of the events.
    pub fn book(&self) -> &Arc<Book> {
        &self.book
    }

    /// Who did how much of what, where not everything is told.
    pub fn score(&self) -> Option<&Score> {
        self.short.as_ref().map(|(_, short)| short.score())
    }

    /// Goes on with events as another book declares them.
    pub fn switch_book(&mut self, book: &Arc<Book>) {
        if Arc::ptr_eq(&self.book, book) {
            return;
        }
        self.book = book.clone();
        self.report.switch_book(book);
        if let Some((_, short)) = &mut self.short {
            short.switch_book(book);
        }
    }

    /// Forgets what was told: headings and numbers of turns depend on all of it.
    pub fn begin_again(&mut self) {
        self.report = Report::new(self.options, &self.book);
        if let Some((depth, short)) = &mut self.short {
            *short = Abridged::new(*depth, self.options.unit, &self.book);
        }
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
        let names = std::mem::take(&mut self.names);
        let name = |entity: EntityId| {
            names
                .get(&entity)
                .cloned()
                .unwrap_or_else(|| Name::from("?"))
        };
        let narrated = self.narrate(event, &name);
        self.names = names;
        narrated.lines()
    }

    /// An event that was just shown, in words, also where a report leaves it to others.
    pub fn plainly(&self, event: &SeenEvent) -> String {
        let name = |entity: EntityId| {
            let known = self.names.get(&entity).cloned();
            known.unwrap_or_else(|| Name::from("?"))
        };
        self.report.plainly(event, &name)
    }

    /// The lines of an event, with what somebody calls things.
    pub fn narrate(&mut self, event: &SeenEvent, names: &dyn Fn(EntityId) -> Name) -> Narrated {
        let full = self.report.event(event, names);
        let short = self
            .short
            .as_mut()
            .map(|(_, short)| short.event(event, names));
        Narrated { full, short }
    }

    /// The lines that a story or a volley still holds back: for the end.
    pub fn finish(&mut self) -> Vec<ReportLine> {
        self.short
            .as_mut()
            .map_or_else(Vec::new, |(_, short)| short.finish())
    }

    /// The heading under which nothing is told yet, where all is told: it is not told again.
    pub fn open_heading(&mut self) -> Vec<ReportLine> {
        match self.short {
            Some(_) => Vec::new(),
            None => self.report.open_heading(),
        }
    }

    /// What the viewer calls an entity, also when it is gone.
    pub fn name(&self, game: &Game, entity: EntityId) -> Name {
        self.names
            .get(&entity)
            .cloned()
            .unwrap_or_else(|| label(game, self.viewer, entity))
    }

    /// The result of the game.
    pub fn result(&self, game: &Game, result: &Value) -> Vec<ReportLine> {
        let unit = self.options.unit;
        result_lines(
            result,
            &Phrases {
                unit,
                names: &|entity| self.name(game, entity),
            },
        )
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
