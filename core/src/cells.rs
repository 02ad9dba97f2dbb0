//! Sets of cells: attributes of entities, each by its entity and slot.
//!
//! Two questions are asked of them. Which cells has an input read or written?
//! In which do two courses of one game differ? Where the two have nothing in
//! common, the input does in one course what it did in the other.

use std::cell::Cell;

use crate::stamp::Stamp;
use crate::value::EntityId;

/// A set of cells.
///
/// It may say more than there is, never less: slots from 63 on count as one.
///
/// ```
/// use kernel::cells::CellSet;
/// use kernel::value::EntityId;
///
/// let mut read = CellSet::default();
/// read.add(EntityId(3), 7);
/// let mut differing = CellSet::default();
/// differing.add(EntityId(3), 8);
/// assert!(!read.meets(&differing));
/// differing.add(EntityId(3), 7);
/// assert!(read.meets(&differing));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellSet {
    /// The slots of each entity, by its number, one bit each.
    by_entity: Box<[u64]>,
    /// Those of all entities of each kind.
    by_kind: Box<[u64]>,
}

/// The bit of a slot; those that do not fit share the last.
fn bit(slot: u16) -> u64 {
    1 << slot.min(63)
}

fn put(masks: &mut Box<[u64]>, place: usize, bits: u64) {
    if place >= masks.len() {
        let mut longer = std::mem::take(masks).into_vec();
        longer.resize(place + 1, 0);
        *masks = longer.into();
    }
    masks[place] |= bits;
}

fn have_common(some: &[u64], others: &[u64]) -> bool {
    std::iter::zip(some, others).any(|(a, b)| a & b != 0)
}

impl CellSet {
    /// One cell.
    pub fn add(&mut self, entity: EntityId, slot: u16) {
        put(&mut self.by_entity, entity.0 as usize, bit(slot));
    }

    /// A slot of all entities of a kind.
    pub fn add_kind(&mut self, kind: u16, slot: u16) {
        put(&mut self.by_kind, usize::from(kind), bit(slot));
    }

    /// All of both.
    pub(crate) fn and(mut self, other: &CellSet) -> CellSet {
        let both = [
            (&mut self.by_entity, &other.by_entity),
            (&mut self.by_kind, &other.by_kind),
        ];
        for (mine, theirs) in both {
            for (place, bits) in theirs.iter().enumerate() {
                put(mine, place, *bits);
            }
        }
        self
    }

    /// The same without cells of these entities, by their numbers.
    pub(crate) fn without_entities(&self, entities: &[usize]) -> CellSet {
        let mut rest = self.clone();
        for entity in entities {
            if let Some(mask) = rest.by_entity.get_mut(*entity) {
                *mask = 0;
            }
        }
        rest
    }

    /// The same with the slots of the kinds of its entities, as far as they have
    /// one, and of no others.
    pub(crate) fn with_kinds(mut self, kind_of: impl Fn(usize) -> Option<u16>) -> CellSet {
        self.by_kind = Box::default();
        for (entity, mask) in self.by_entity.iter().enumerate() {
            if *mask != 0
                && let Some(kind) = kind_of(entity)
            {
                put(&mut self.by_kind, usize::from(kind), *mask);
            }
        }
        self
    }

    /// Whether there is no cell in it.
    pub fn is_empty(&self) -> bool {
        let mut masks = self.by_entity.iter().chain(&self.by_kind);
        masks.all(|mask| *mask == 0)
    }

    /// Whether a cell, or a slot of a kind, is in both.
    pub fn meets(&self, other: &CellSet) -> bool {
        have_common(&self.by_entity, &other.by_entity) || have_common(&self.by_kind, &other.by_kind)
    }
}

/// The cells that are read and written while an input is taken.
#[derive(Debug)]
pub(crate) struct CellTracker {
    by_entity: Box<[Cell<u64>]>,
    by_kind: Box<[Cell<u64>]>,
    epoch: Stamp,
}

impl CellTracker {
    /// For a world of so many entities and kinds. What comes later is not
    /// tracked: nothing of it was there in another course before.
    pub fn new(entities: usize, kinds: usize) -> CellTracker {
        CellTracker {
            by_entity: vec![Cell::new(0); entities].into(),
            by_kind: vec![Cell::new(0); kinds].into(),
            epoch: Stamp::fresh(),
        }
    }

    /// A cell is read or written.
    pub fn note(&self, entity: EntityId, slot: u16) {
        if let Some(mask) = self.by_entity.get(entity.0 as usize) {
            mask.set(mask.get() | bit(slot));
        }
    }

    /// A slot is read of all entities of a kind.
    pub fn note_kind(&self, kind: u16, slot: u16) {
        if let Some(mask) = self.by_kind.get(usize::from(kind)) {
            mask.set(mask.get() | bit(slot));
        }
    }

    /// By which this is told from others.
    pub fn epoch(&self) -> Stamp {
        self.epoch
    }

    /// What was noted.
    pub fn into_cells(self) -> CellSet {
        let masks = |cells: Box<[Cell<u64>]>| cells.iter().map(Cell::get).collect();
        CellSet {
            by_entity: masks(self.by_entity),
            by_kind: masks(self.by_kind),
        }
    }
}

/// A tracker, while a game has one. A copy of the game has none.
#[derive(Debug, Default)]
pub(crate) struct Tracked(pub Option<Box<CellTracker>>);

impl Clone for Tracked {
    fn clone(&self) -> Tracked {
        Tracked::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_that_do_not_fit_count_as_one() {
        let (mut some, mut others) = (CellSet::default(), CellSet::default());
        some.add(EntityId(1), 63);
        others.add(EntityId(1), 200);
        assert!(some.meets(&others));
    }

    #[test]
    fn a_slot_of_a_kind_meets_that_of_the_kind_alone() {
        let (mut some, mut others) = (CellSet::default(), CellSet::default());
        some.add_kind(2, 5);
        others.add(EntityId(2), 5);
        assert!(!some.meets(&others));
        others.add_kind(2, 5);
        assert!(some.meets(&others));
    }

    #[test]
    fn a_tracker_notes_what_was_there_when_it_began() {
        let tracker = CellTracker::new(2, 1);
        tracker.note(EntityId(1), 4);
        tracker.note(EntityId(2), 4);
        tracker.note_kind(0, 3);
        let mut expected = CellSet::default();
        expected.add(EntityId(1), 4);
        expected.add_kind(0, 3);
        assert_eq!(tracker.into_cells(), expected);
    }
}
