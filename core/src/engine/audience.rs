//! What is read on the way to something that is told: noted while the check of
//! an action wants to know who may be told its parameters, and while a test
//! watches for what is told too widely.

use std::collections::BTreeSet;

use crate::audience::{Cell, Reads, Widening};
use crate::book::{Action, Param};
use crate::deck::{DeckId, Pile};
use crate::error::{Fault, FaultCode};
use crate::event::Event;
use crate::game::Game;
use crate::query::Source;
use crate::sequence::Frame;
use crate::value::{EntityId, Name, Side};
use crate::world::{FirstViewers, RowCell, Viewer, Viewers};

impl Game {
    /// Watches from now on for what is told to more than may see what it rests
    /// on: for tests. It changes nothing of the game.
    pub fn watch_audiences(&mut self) {
        self.watch.get_or_insert_with(Box::default);
    }

    /// What was told too widely since the watch began.
    pub fn widenings(&self) -> impl Iterator<Item = &Widening> {
        self.watch.iter().flat_map(|watch| &watch.found)
    }

    /// Forgets what was read before; a step that is watched begins.
    pub(crate) fn begin_reads(&mut self) {
        if self.watch.is_some() {
            self.reads = Some(Box::new(Reads::begun(true)));
        }
    }

    /// Notes from now on what is read; gives what was noted before.
    pub(crate) fn open_reads(&mut self) -> Option<Box<Reads>> {
        let reads = Reads::begun(self.watch.is_some());
        self.reads.replace(Box::new(reads))
    }

    /// Goes on with what was noted before.
    pub(crate) fn close_reads(&mut self, before: Option<Box<Reads>>) {
        self.reads = before;
    }

    /// Notes that an attribute is read.
    pub(crate) fn note_attribute(&self, entity: EntityId, slot: u16) {
        self.track(entity, slot);
        self.note_source(Source::Attribute(entity, slot));
        if let Some(reads) = &self.reads {
            self.tell_attribute(reads, entity, slot);
        }
    }

    /// The same of an attribute that is at hand.
    pub(crate) fn note_cell(&self, entity: EntityId, slot: u16, cell: &RowCell) {
        self.track(entity, slot);
        self.note_read(Source::Attribute(entity, slot), cell.stamp);
        if let Some(reads) = &self.reads {
            self.tell_attribute(reads, entity, slot);
        }
    }

    /// Notes for audiences that an attribute is read.
    pub(crate) fn tell_attribute(&self, reads: &Reads, entity: EntityId, slot: u16) {
        if let Ok(viewers) = self.world.viewers(entity, slot) {
            reads.note(Cell::Attribute(entity, slot), viewers);
        }
    }

    /// Notes for audiences that an attribute of all entities of a kind is read
    /// that a viewer knows of: of what everybody sees there is nothing to note.
    pub(crate) fn tell_hidden(&self, reads: &Reads, viewer: Viewer, kind: u16, slot: u16) {
        for entity in self.world.hidden_in(kind, slot) {
            if self.is_seen(viewer, *entity) {
                reads.note(Cell::Existence(*entity), self.world.existence(*entity));
                self.tell_attribute(reads, *entity, slot);
            }
        }
    }

    /// Notes that a rule finds out that an entity exists.
    pub(crate) fn note_existence(&self, entity: EntityId) {
        self.note_source(Source::Existence(entity));
        if let Some(reads) = &self.reads {
            reads.note(Cell::Existence(entity), self.world.existence(entity));
        }
    }

    /// Notes that the name of an entity is read.
    pub(crate) fn note_naming(&self, entity: EntityId) {
        self.note_source(Source::Naming(entity));
        self.note_source(Source::Owner(entity));
        if let Some(reads) = &self.reads {
            reads.note(Cell::Naming(entity), self.named_for(entity));
        }
    }

    /// Those who know what an entity is called.
    pub(crate) fn named_for(&self, entity: EntityId) -> Viewers {
        let owner = || {
            self.world
                .owner(entity)
                .map_or(Viewers::NONE, Viewers::side)
        };
        let naming = match self.world.last_kind(entity).map(|kind| kind.naming) {
            Some(FirstViewers::All) => Viewers::ALL,
            Some(FirstViewers::Owner) => owner(),
            Some(FirstViewers::Nobody) | None => Viewers::NONE,
        };
        self.world.last_existence(entity).both(naming)
    }

    /// Whether a side knows that an entity exists, for a rule that looks.
    ///
    /// # Errors
    /// When the rule answers for somebody else, whom nobody tells who knows of it.
    pub fn sees_entity(&self, side: Side, entity: EntityId) -> Result<bool, Fault> {
        self.note_existence(entity);
        let (scope, asked) = (self.guard.scope, Viewer::Side(side));
        let is_open = self.world.existence(entity) == Viewers::ALL;
        if scope == Viewer::Referee || scope == asked || is_open {
            return Ok(self.is_seen(asked, entity));
        }
        Err(Fault::new(
            FaultCode::HiddenRead,
            format!(
                "expected only what {} may see, found a look at what {} knows of",
                self.viewer_word(scope),
                self.viewer_word(asked)
            ),
        )
        .hint("ask in a step, which may read everything"))
    }

    /// Those who look at this game: its sides, and the spectator.
    fn everybody_there(&self) -> Viewers {
        let sides = (0..self.world.sides().len() as u8).map(|side| Viewers::side(Side(side)));
        sides.fold(Viewers::SPECTATOR, Viewers::and)
    }

    /// Those who may see a cell now; of what is gone, those who could at last.
    fn may_see_now(&self, cell: Cell, then: Viewers) -> Viewers {
        match cell {
            Cell::Existence(entity) => self.world.last_existence(entity),
            Cell::Naming(entity) => self.named_for(entity),
            Cell::Attribute(entity, slot) => self.world.last_viewers(entity, slot).unwrap_or(then),
            // Who sees a deck is declared, and stays so.
            Cell::Cards(..) | Cell::Count(..) => then,
        }
    }

    /// The cells, of these, that some of an audience may not see.
    fn hidden_from(&self, audience: Viewers, cells: &[(Cell, Viewers)]) -> BTreeSet<Name> {
        let audience = audience.both(self.everybody_there());
        let is_hidden = |(cell, then): &&(Cell, Viewers)| {
            audience.without(self.may_see_now(*cell, *then)) != Viewers::NONE
        };
        cells
            .iter()
            .filter(is_hidden)
            .map(|(cell, _)| self.cell_name(*cell))
            .collect()
    }

    fn cell_name(&self, cell: Cell) -> Name {
        let (entity, what) = match cell {
            Cell::Existence(entity) => (entity, None),
            Cell::Naming(entity) => (entity, Some("name")),
            Cell::Attribute(entity, slot) => {
                let kind = self.world.last_kind(entity);
                let attribute = kind.and_then(|kind| kind.attributes.get(usize::from(slot)));
                (
                    entity,
                    Some(attribute.map_or("?", |attribute| &attribute.name)),
                )
            }
            Cell::Cards(place, pile) => return self.pile_name(place, "the cards of", pile),
            Cell::Count(place, pile) => {
                return self.pile_name(place, "how many cards are in", pile);
            }
        };
        let kind = self.world.last_kind(entity).map_or("?", |kind| &kind.id);
        match what {
            Some(what) => Name::from(format!("{kind}.{what}")),
            None => Name::from(format!("that there is a {kind}")),
        }
    }

    fn pile_name(&self, place: usize, what: &str, pile: Pile) -> Name {
        let deck = self.decks.keys().nth(place).map_or("?", |id| &id.deck);
        let pile = match pile {
            Pile::Stock => "stock",
            Pile::Discard => "discard pile",
        };
        Name::from(format!("{what} the {pile} of {deck}"))
    }

    /// Notes that a rule looks at a pile of a deck: at its cards, or how many
    /// there are.
    pub(crate) fn note_pile(&self, id: &DeckId, pile: Pile, is_counted: bool) {
        let Some(place) = self.decks.keys().position(|one| one == id) else {
            return;
        };
        let number = Cell::pile_number(place, pile, is_counted);
        self.note_source(Source::Pile(number));
        if let Some(reads) = &self.reads {
            self.tell_pile(reads, Cell::of_pile(number));
        }
    }

    /// Notes for audiences that a pile is looked at.
    pub(crate) fn tell_pile(&self, reads: &Reads, cell: Cell) {
        let (place, pile, is_counted) = match cell {
            Cell::Cards(place, pile) => (place, pile, false),
            Cell::Count(place, pile) => (place, pile, true),
            _ => return,
        };
        let viewers = self
            .decks
            .keys()
            .nth(place)
            .and_then(|id| self.pile_viewers(id, pile, is_counted).ok());
        if let Some(viewers) = viewers {
            reads.note(cell, viewers);
        }
    }

    /// Keeps it in mind if an event of the step that runs goes to more than
    /// may see what the step has read.
    pub(crate) fn watch_event(&mut self, event: &Event) {
        let (Some(_), Some(reads), true) = (&self.watch, &self.reads, self.running.start.is_some())
        else {
            return;
        };
        let declared = self
            .book
            .events
            .get(&event.kind)
            .and_then(|kind| kind.reveals.as_ref());
        if event.cause.reveals.as_ref().or(declared).is_some() {
            return;
        }
        let cells = self.hidden_from(event.audience, &reads.cells());
        let step = match self.flow.top() {
            Some(Frame::Step { rule, .. }) => rule.clone(),
            _ => Name::from("?"),
        };
        let rule = event.cause.rule.clone().unwrap_or_else(|| step.clone());
        self.keep_widening(Widening {
            step,
            rule,
            subject: event.kind.clone(),
            cells,
        });
    }

    fn keep_widening(&mut self, widening: Widening) {
        if let Some(watch) = self
            .watch
            .as_deref_mut()
            .filter(|_| !widening.cells.is_empty())
        {
            watch.found.insert(widening);
        }
    }

    fn cells_read(&self) -> Vec<(Cell, Viewers)> {
        let reads = self.reads.as_ref();
        reads.map_or_else(Vec::new, |reads| reads.cells())
    }

    /// Those who may see all that was read since reads are noted.
    pub(crate) fn narrowest_read(&self) -> Viewers {
        let reads = self.reads.as_ref();
        reads.map_or(Viewers::ALL, |reads| reads.narrowest())
    }

    /// To whom a parameter is told that was just checked: it rests on what was
    /// read for it, and for those before it.
    pub(crate) fn param_audience(&mut self, by: Side, action: &Action, param: &Param) -> Viewers {
        let Some(share) = param.share else {
            return self.narrowest_read();
        };
        let declared = share.viewers(by);
        if self.watch.is_some() && param.reveals.is_none() {
            let cells = self.hidden_from(declared, &self.cells_read());
            let step = action.id.clone();
            self.keep_widening(Widening {
                rule: param.domain.clone(),
                step,
                subject: param.name.clone(),
                cells,
            });
        }
        declared
    }
}
