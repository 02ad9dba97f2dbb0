//! All that can be read, in groups: which of them have changed tells of most answers,
//! by one comparison, that they hold still.
//!
//! A group is told to have changed as soon as one of the things in it has. So where no
//! group of an answer has changed, nothing has that it rests on; where one has, what
//! it rests on is looked at thing by thing.
//!
//! An attribute is in two groups, that of its entity and that of its slot, and may be
//! another only where both have changed: what a unit that moved has written concerns no
//! answer about where others stand, nor one about how strong it is.

use std::ops::{BitOr, BitOrAssign};

use crate::stamp::Stamp;
use crate::value::EntityId;

/// How many groups there are of entities, of slots, and in a world in all.
const ENTITIES: usize = 32;
const SLOTS: usize = 28;
const IN_WORLD: usize = ENTITIES + SLOTS + 1;

/// How many there are: those of the world, phases, the viewers' own numbers, and decks.
const COUNT: usize = IN_WORLD + 3;

const _: () = assert!(COUNT == u64::BITS as usize);

const ALL_ENTITIES: u64 = (1 << ENTITIES) - 1;
const ALL_SLOTS: u64 = ((1 << SLOTS) - 1) << ENTITIES;

fn place_of_entity(entity: EntityId) -> usize {
    entity.0 as usize % ENTITIES
}

fn place_of_slot(slot: u16) -> usize {
    ENTITIES + usize::from(slot) % SLOTS
}

/// Some of the groups, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ReadGroups(u64);

impl ReadGroups {
    /// No group.
    pub const NONE: ReadGroups = ReadGroups(0);
    /// All of them.
    pub const ALL: ReadGroups = ReadGroups(u64::MAX);
    /// Which entities there are, and who sees what of them.
    pub const BEINGS: ReadGroups = ReadGroups(1 << (IN_WORLD - 1));
    /// The phases that are open.
    pub const PHASES: ReadGroups = ReadGroups(1 << IN_WORLD);
    /// The viewers' own numbers.
    pub const SIGHTINGS: ReadGroups = ReadGroups(1 << (IN_WORLD + 1));
    /// Decks and their piles.
    pub const DECKS: ReadGroups = ReadGroups(1 << (IN_WORLD + 2));

    /// An attribute of an entity.
    pub fn of_attribute(entity: EntityId, slot: u16) -> ReadGroups {
        ReadGroups(1 << place_of_entity(entity) | 1 << place_of_slot(slot))
    }

    /// An attribute of whichever entities have one.
    pub fn of_slot(slot: u16) -> ReadGroups {
        ReadGroups(ALL_ENTITIES | 1 << place_of_slot(slot))
    }

    /// Whether something in these groups may be another, where all that changed is in
    /// those.
    pub fn may_differ(self, changed: ReadGroups) -> bool {
        let both = self.0 & changed.0;
        let is_attribute = both & ALL_ENTITIES != 0 && both & ALL_SLOTS != 0;
        is_attribute || both & !(ALL_ENTITIES | ALL_SLOTS) != 0
    }
}

impl BitOr for ReadGroups {
    type Output = ReadGroups;

    fn bitor(self, other: ReadGroups) -> ReadGroups {
        ReadGroups(self.0 | other.0)
    }
}

impl BitOrAssign for ReadGroups {
    fn bitor_assign(&mut self, other: ReadGroups) {
        *self = *self | other;
    }
}

/// Of each group of a world, the stamp of the last change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldGroups([Stamp; IN_WORLD]);

impl WorldGroups {
    /// Everything is new.
    pub fn fresh() -> WorldGroups {
        WorldGroups([Stamp::fresh(); IN_WORLD])
    }

    /// An attribute of an entity has changed.
    pub fn change_attribute(&mut self, entity: EntityId, slot: u16, stamp: Stamp) {
        self.0[place_of_entity(entity)] = stamp;
        self.0[place_of_slot(slot)] = stamp;
    }

    /// It has changed which entities there are, or who sees what of them.
    pub fn change_beings(&mut self, stamp: Stamp) {
        self.0[IN_WORLD - 1] = stamp;
    }

    /// All attributes of an entity have changed.
    pub fn change_entity(&mut self, entity: EntityId, stamp: Stamp) {
        self.0[place_of_entity(entity)] = stamp;
        self.0[ENTITIES..ENTITIES + SLOTS].fill(stamp);
    }
}

/// The same of a game; with what changes rarely, and all at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupStamps {
    pub era: Stamp,
    pub world: WorldGroups,
    pub phases: Stamp,
    pub sightings: Stamp,
    pub decks: Stamp,
}

impl Default for GroupStamps {
    fn default() -> GroupStamps {
        GroupStamps {
            era: Stamp::NONE,
            world: WorldGroups([Stamp::NONE; IN_WORLD]),
            phases: Stamp::NONE,
            sightings: Stamp::NONE,
            decks: Stamp::NONE,
        }
    }
}

impl GroupStamps {
    /// The groups in which two states of one era differ.
    pub fn other_than(&self, before: &GroupStamps) -> ReadGroups {
        let mut changed = 0;
        for (place, (now, then)) in std::iter::zip(&self.world.0, &before.world.0).enumerate() {
            changed |= u64::from(now != then) << place;
        }
        let rest = [
            (self.phases != before.phases, ReadGroups::PHASES),
            (self.sightings != before.sightings, ReadGroups::SIGHTINGS),
            (self.decks != before.decks, ReadGroups::DECKS),
        ];
        rest.into_iter()
            .filter(|(is_other, _)| *is_other)
            .fold(ReadGroups(changed), |changed, (_, group)| changed | group)
    }
}
