//! What answers rest on, so that an answer lives until something that it has
//! read holds another value.
//!
//! Everything that a rule can read carries a [`Stamp`], a number that nothing
//! else has ever had. A stamp stands for a value: where the stamp is the same,
//! so is the value, in every copy of a game, also after play was taken back.
//! A [`Graph`] keeps, of each answer, the stamps of what was read for it, in
//! the order in which it was read, with answers among them. It holds no
//! answers itself: that is for whoever calls rules.
//!
//! Absent on purpose: rules, arguments, and what a rule has answered.

mod graph;
#[cfg(test)]
mod tests;

pub use graph::{Answer, Closed, Graph};

use crate::audience::Cell;
use crate::game::Game;
use crate::stamp::Stamp;
use crate::value::EntityId;
use crate::world::{SIDE, Viewer};

/// The state of a game as far as rules can read it: another one after each
/// change, and one that no other state has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Revision {
    pub(crate) world: Stamp,
    pub(crate) game: Stamp,
}

impl Revision {
    /// The revision of nothing.
    const NONE: Revision = Revision { world: Stamp::NONE, game: Stamp::NONE };
}

/// Something that an answer rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// An attribute, by slot.
    Attribute(EntityId, u16),
    /// Whether an entity is there, as one finds out who looks for it.
    Existence(EntityId),
    /// What an entity is called.
    Naming(EntityId),
    /// Whether an entity is there, where it is known to have been.
    Presence(EntityId),
    /// Who owns an entity, where only what follows from it is told.
    Owner(EntityId),
    /// That nobody has a name: a number of [`Graph`].
    Nobody(u32),
    /// Which entities of a kind there are, and who knows of them.
    Members(u16),
    /// Who sees attributes of entities of a kind.
    Shown(u16),
    /// Which entities of a kind hold a value: a number of [`Graph`].
    Bucket(u32),
    /// The innermost phase of an id: a number of [`Graph`].
    Phase(u32),
    /// The viewers' own numbers.
    Sightings,
    /// The decks.
    Decks,
    /// Another answer.
    Answer(Answer),
}

/// The sorts of sources but attributes, which have the slot in the place of the
/// sort, four bits higher.
mod sort {
    pub const EXISTENCE: u64 = 1;
    pub const NAMING: u64 = 2;
    pub const PRESENCE: u64 = 3;
    pub const OWNER: u64 = 4;
    pub const NOBODY: u64 = 5;
    pub const MEMBERS: u64 = 6;
    pub const SHOWN: u64 = 7;
    pub const BUCKET: u64 = 8;
    pub const PHASE: u64 = 9;
    pub const SIGHTINGS: u64 = 10;
    pub const DECKS: u64 = 11;
    pub const ANSWER: u64 = 12;
}

impl Source {
    /// A number that no other source has.
    fn number(self) -> u64 {
        let (sort, what) = match self {
            Source::Attribute(entity, slot) => (u64::from(slot) << 4, entity.0),
            Source::Existence(entity) => (sort::EXISTENCE, entity.0),
            Source::Naming(entity) => (sort::NAMING, entity.0),
            Source::Presence(entity) => (sort::PRESENCE, entity.0),
            Source::Owner(entity) => (sort::OWNER, entity.0),
            Source::Nobody(number) => (sort::NOBODY, number),
            Source::Members(kind) => (sort::MEMBERS, u32::from(kind)),
            Source::Shown(kind) => (sort::SHOWN, u32::from(kind)),
            Source::Bucket(number) => (sort::BUCKET, number),
            Source::Phase(number) => (sort::PHASE, number),
            Source::Sightings => (sort::SIGHTINGS, 0),
            Source::Decks => (sort::DECKS, 0),
            Source::Answer(answer) => (sort::ANSWER, answer.0),
        };
        sort << 32 | u64::from(what)
    }

    /// The source of a number.
    fn of(number: u64) -> Source {
        let (sort, what) = (number >> 32, number as u32);
        match sort & 15 {
            sort::EXISTENCE => Source::Existence(EntityId(what)),
            sort::NAMING => Source::Naming(EntityId(what)),
            sort::PRESENCE => Source::Presence(EntityId(what)),
            sort::OWNER => Source::Owner(EntityId(what)),
            sort::NOBODY => Source::Nobody(what),
            sort::MEMBERS => Source::Members(what as u16),
            sort::SHOWN => Source::Shown(what as u16),
            sort::BUCKET => Source::Bucket(what),
            sort::PHASE => Source::Phase(what),
            sort::SIGHTINGS => Source::Sightings,
            sort::DECKS => Source::Decks,
            sort::ANSWER => Source::Answer(Answer(what)),
            _ => Source::Attribute(EntityId(what), (sort >> 4) as u16),
        }
    }
}

/// One thing that was read, as it was: two words, for there are very many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Read {
    /// The number of its source.
    number: u64,
    stamp: Stamp,
}

impl Read {
    fn new(source: Source, stamp: Stamp) -> Read {
        Read { number: source.number(), stamp }
    }

    fn source(self) -> Source {
        Source::of(self.number)
    }
}

impl Game {
    /// Gives the game what notes what rules read, or takes it away. It is no
    /// part of the game: a copy has none.
    pub fn lend_graph(&mut self, graph: Option<Box<Graph>>) -> Option<Box<Graph>> {
        std::mem::replace(&mut self.graph.0, graph)
    }

    /// What notes what rules read, if the game has one.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.0.as_deref()
    }

    /// The same, to be changed.
    pub fn graph_mut(&mut self) -> Option<&mut Graph> {
        self.graph.0.as_deref_mut()
    }

    /// The state as far as rules can read it.
    pub fn revision(&self) -> Revision {
        Revision { world: self.world.revision(), game: self.answers.stamp() }
    }

    /// Whether an answer is still what its rule would give, in this game.
    pub fn is_answer_valid(&self, graph: &Graph, answer: Answer) -> bool {
        graph.is_valid(answer, self, self.revision())
    }

    /// Uses an answer that is valid: what is open rests on it, and what was
    /// read for it counts as read.
    pub fn use_answer(&self, graph: &Graph, answer: Answer) {
        graph.note_answer(answer);
        if let Some(reads) = &self.reads {
            graph.note_again(answer, self, reads.epoch());
        }
    }

    /// A rule begins whose answer is to be kept: how many were open before.
    pub fn begin_answer(&mut self) -> usize {
        let (revision, viewer) = (self.revision(), self.guard.scope);
        self.graph_mut().map_or(0, |graph| graph.open(revision, viewer))
    }

    /// The rule is over that began when so many were open. What it has read is
    /// kept under the number that is given, or under a new one; `None` if its
    /// answer may not be kept.
    pub fn end_answer(&mut self, depth: usize, cost: u64, place: Option<Answer>) -> Option<Closed> {
        let (revision, era) = (self.revision(), self.era);
        let told = self.reads.as_ref().map_or(Stamp::NONE, |reads| reads.epoch());
        self.graph_mut()?.close(depth, revision, era, cost, told, place)
    }

    /// The same, where the answer may not be kept.
    pub fn drop_answer(&mut self, depth: usize) {
        if let Some(graph) = self.graph_mut() {
            graph.drop_open(depth);
        }
    }

    /// Notes that something is read, if a rule is open whose answer is kept.
    pub(crate) fn note_source(&self, source: Source) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            match self.stamp_of(graph, source) {
                Some(stamp) => graph.note(Read::new(source, stamp)),
                None => graph.spoil(),
            }
        }
    }

    /// Notes that the rule that runs looks for the innermost phase of an id.
    pub fn note_phase(&self, id: &str) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            self.note_source(Source::Phase(graph.phase_number(id)));
        }
    }

    /// Notes that the rule that runs finds out whether an entity is there.
    pub fn note_presence(&self, entity: EntityId) {
        self.note_source(Source::Presence(entity));
    }

    /// Notes that the rule that runs looks for an entity by name, and finds it
    /// or not. An entity has its name as long as it is there.
    pub fn note_named(&self, name: &str, found: Option<EntityId>) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            self.note_source(match found {
                Some(entity) => Source::Presence(entity),
                None => Source::Nobody(graph.name_number(name)),
            });
        }
    }

    /// Notes that the rule that runs shows what its viewer calls an entity.
    pub fn note_label(&self, entity: EntityId) {
        self.note_source(Source::Presence(entity));
        self.note_source(Source::Owner(entity));
        self.note_source(Source::Sightings);
    }

    /// What the rules that are open do may not be kept.
    pub fn spoil_answers(&self) {
        if let Some(graph) = &self.graph.0 {
            graph.spoil();
        }
    }

    /// What runs depends on what ran before it: of the rules that are open only
    /// the answers of the outermost so many may be kept, the last of which is
    /// computed apart.
    pub fn spoil_nested(&self, kept: usize) {
        if let Some(graph) = &self.graph.0 {
            graph.spoil_nested(kept);
        }
    }

    /// The stamp that something has now; `None` if it has none, and nothing can
    /// be said of it.
    fn stamp_of(&self, graph: &Graph, source: Source) -> Option<Stamp> {
        match source {
            Source::Attribute(entity, slot) => self.world.cell_stamp(entity, slot),
            Source::Existence(entity) | Source::Naming(entity) | Source::Presence(entity) => {
                Some(self.world.being_stamp(entity))
            }
            Source::Owner(entity) => self.world.cell_stamp(entity, SIDE),
            Source::Nobody(number) => graph.name(number, |name| {
                self.world.find(name).map_or(Stamp::NONE, |entity| self.world.being_stamp(entity))
            }),
            Source::Members(kind) => self.world.members_stamp(kind),
            Source::Shown(kind) => self.world.shown_stamp(kind),
            Source::Bucket(number) => {
                graph.bucket(number, |kind, slot, value| self.world.bucket_stamp(kind, slot, value))
            }
            Source::Phase(number) => {
                graph.phase(number, |id| self.flow.phase(id).map_or(Stamp::NONE, |phase| phase.stamp.0))
            }
            Source::Sightings => Some(self.sighted_at),
            Source::Decks => Some(self.decks_at),
            Source::Answer(answer) => graph.version(answer),
        }
    }

    /// Notes for audiences what was read in the eyes of a viewer, as it was
    /// noted then.
    fn note_read_again(&self, graph: &Graph, viewer: Viewer, source: Source) {
        let Some(reads) = &self.reads else { return };
        match source {
            Source::Attribute(entity, slot) => self.tell_attribute(reads, entity, slot),
            Source::Existence(entity) => reads.note(Cell::Existence(entity), self.world.existence(entity)),
            Source::Naming(entity) => reads.note(Cell::Naming(entity), self.named_for(entity)),
            Source::Members(kind) => {
                for entity in self.known_of_kind(viewer, kind) {
                    reads.note(Cell::Existence(entity), self.world.existence(entity));
                }
            }
            Source::Bucket(number) => {
                graph.bucket(number, |kind, slot, _| {
                    self.tell_hidden(reads, viewer, kind, slot);
                    None
                });
            }
            _ => {}
        }
    }
}
