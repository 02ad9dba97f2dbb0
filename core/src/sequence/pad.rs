//! The scratch pad of one side in a secret phase: how everything lay before
//! each of its actions, so that it can take them back and so that nobody else
//! sees what it did.

use std::sync::Arc;

use crate::deck::{Deck, DeckId};
use crate::digest::StateHasher;
use crate::past::Past;
use crate::value::{EntityId, Side, Value};

/// One action in a secret phase.
#[derive(Clone, Debug)]
pub(crate) struct PadEntry {
    /// The state before it. Of that, only what its side owns counts: the others
    /// may have done something since.
    pub before: Arc<Past>,
    /// Whether dice, chits or cards were drawn, which nobody may take back.
    pub has_drawn: bool,
}

/// The state before an action is the same for those who began at the same.
impl PartialEq for PadEntry {
    fn eq(&self, other: &PadEntry) -> bool {
        Arc::ptr_eq(&self.before, &other.before) && self.has_drawn == other.has_drawn
    }
}

impl Eq for PadEntry {}

/// One side's pad, while its secret phase runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pad {
    is_ready: bool,
    entries: Vec<PadEntry>,
}

impl Pad {
    /// Whether the side has said that it is ready.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// How many actions can be taken back.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing can be taken back.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn set_ready(&mut self) {
        self.is_ready = true;
    }

    pub(crate) fn begin_entry(&mut self, before: Arc<Past>) {
        self.entries.push(PadEntry {
            before,
            has_drawn: false,
        });
    }

    /// The entry of the action that runs.
    pub(crate) fn entry(&mut self) -> Option<&mut PadEntry> {
        self.entries.last_mut()
    }

    /// All states before actions.
    pub(crate) fn pasts(&mut self) -> impl Iterator<Item = &mut Past> {
        self.entries
            .iter_mut()
            .map(|entry| Arc::make_mut(&mut entry.before))
    }

    /// Whether the last action drew dice, chits or cards, so that it stays.
    pub fn has_drawn(&self) -> bool {
        self.entries.last().is_some_and(|entry| entry.has_drawn)
    }

    /// The last action, which is taken back.
    pub(crate) fn take_back(&mut self) -> Option<PadEntry> {
        self.entries.pop()
    }

    /// The state before the side did anything here.
    pub(crate) fn before(&self) -> Option<&Past> {
        self.entries.first().map(|entry| &*entry.before)
    }

    /// What an attribute of something that the side owns held before that.
    pub(crate) fn value_before(&self, side: Side, entity: EntityId, slot: u16) -> Option<&Value> {
        let world = &self.before()?.world;
        (world.owner(entity) == Some(side))
            .then(|| world.get(entity, slot).ok())
            .flatten()
    }

    /// How a deck of the side lay before that.
    pub(crate) fn deck_before(&self, side: Side, id: &DeckId) -> Option<&Deck> {
        (id.of == Some(side))
            .then(|| self.before()?.decks.get(id))
            .flatten()
    }

    pub(crate) fn write(&self, side: Side, writer: &mut StateHasher) {
        writer.number(1 + 2 * u64::from(self.is_ready));
        writer.number(self.entries.len() as u64);
        for entry in &self.entries {
            writer.number(u64::from(entry.has_drawn));
            entry.before.write(side, writer);
        }
    }
}
