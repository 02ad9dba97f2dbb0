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
//! Absent on purpose: games, which know what stamp a thing has; rules, arguments,
//! and what a rule has answered.

mod graph;
mod states;
#[cfg(test)]
mod tests;

pub(crate) use graph::ClosingState;
pub use graph::{Answer, Closed, Graph};

use crate::stamp::Stamp;
use crate::value::EntityId;

/// The state of a game as far as rules can read it: another one after each
/// change, and one that no other state has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Revision {
    pub(crate) world: Stamp,
    pub(crate) game: Stamp,
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
    /// A pile of a deck, its cards or how many there are: the number of a
    /// [`Cell`](crate::audience::Cell).
    Pile(u32),
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
    pub const PILE: u64 = 11;
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
            Source::Pile(number) => (sort::PILE, number),
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
            sort::PILE => Source::Pile(what),
            sort::ANSWER => Source::Answer(Answer(what)),
            _ => Source::Attribute(EntityId(what), (sort >> 4) as u16),
        }
    }
}

/// One thing that was read, as it was: two words, for there are very many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SourceRead {
    /// The number of its source.
    number: u64,
    stamp: Stamp,
}

impl SourceRead {
    pub(crate) fn new(source: Source, stamp: Stamp) -> SourceRead {
        SourceRead {
            number: source.number(),
            stamp,
        }
    }

    fn source(self) -> Source {
        Source::of(self.number)
    }
}
