//! The scratch pad of one side in a secret phase: what it wrote so far, so
//! that it can take it back and so that nobody else sees it.

use crate::deck::{Deck, DeckId};
use crate::digest::{Names, Writer};
use crate::value::{EntityId, Name, Value};

/// What one action in a secret phase did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Entry {
    pub writes: Vec<(EntityId, u16, Value)>,
    pub made: Vec<EntityId>,
    /// How far names were counted before, by their stem.
    pub named: Vec<(Name, u32)>,
    /// How decks of the side lay before each change.
    pub decks: Vec<(DeckId, Deck)>,
    /// Whether dice, chits or cards were drawn, which nobody may take back.
    pub has_drawn: bool,
}

/// One side's pad.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pad {
    is_open: bool,
    is_ready: bool,
    entries: Vec<Entry>,
}

impl Pad {
    /// Whether the secret phase runs.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

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

    pub(crate) fn open(&mut self) {
        *self = Pad { is_open: true, ..Pad::default() };
    }

    pub(crate) fn close(&mut self) {
        *self = Pad::default();
    }

    pub(crate) fn set_ready(&mut self) {
        self.is_ready = true;
    }

    pub(crate) fn begin_entry(&mut self) {
        self.entries.push(Entry::default());
    }

    /// The entry of the action that runs.
    pub(crate) fn entry(&mut self) -> Option<&mut Entry> {
        self.entries.last_mut()
    }

    /// Whether the last action drew dice, chits or cards, so that it stays.
    pub fn has_drawn(&self) -> bool {
        self.entries.last().is_some_and(|entry| entry.has_drawn)
    }

    /// What the last action did.
    pub(crate) fn take_back(&mut self) -> Option<Entry> {
        self.entries.pop()
    }

    /// What an attribute held before the side first wrote it here.
    pub(crate) fn before(&self, entity: EntityId, slot: u16) -> Option<&Value> {
        self.entries
            .iter()
            .flat_map(|entry| &entry.writes)
            .find(|(e, s, _)| *e == entity && *s == slot)
            .map(|(_, _, before)| before)
    }

    /// How a deck lay before the side first changed it here.
    pub(crate) fn deck_before(&self, id: &DeckId) -> Option<&Deck> {
        let mut changes = self.entries.iter().flat_map(|entry| &entry.decks);
        changes.find(|(changed, _)| changed == id).map(|(_, before)| before)
    }

    /// Makes what is noted of decks of other cards; what cannot be is forgotten.
    pub(crate) fn adopt_decks(&mut self, remade: &dyn Fn(&DeckId, &Deck) -> Option<Deck>) {
        for entry in &mut self.entries {
            let decks = std::mem::take(&mut entry.decks).into_iter();
            let remade = |(id, deck): (DeckId, Deck)| remade(&id, &deck).map(|deck| (id, deck));
            entry.decks = decks.filter_map(remade).collect();
        }
    }

    /// Puts what is noted under other slots of attributes.
    pub(crate) fn adopt(&mut self, slot_of: &dyn Fn(EntityId, u16) -> Option<u16>) {
        for entry in &mut self.entries {
            let writes = std::mem::take(&mut entry.writes);
            let moved = |(entity, slot, before)| slot_of(entity, slot).map(|slot| (entity, slot, before));
            entry.writes = writes.into_iter().filter_map(moved).collect();
        }
    }

    /// Whether the side made the entity here.
    pub(crate) fn made(&self, entity: EntityId) -> bool {
        self.entries.iter().any(|entry| entry.made.contains(&entity))
    }

    pub(crate) fn write(&self, writer: &mut Writer, names: &dyn Names) {
        writer.number(u64::from(self.is_open) + 2 * u64::from(self.is_ready));
        writer.number(self.entries.len() as u64);
        for entry in &self.entries {
            writer.number(u64::from(entry.has_drawn));
            writer.number(entry.made.len() as u64);
            entry.made.iter().for_each(|entity| writer.text(&names.name_of(*entity)));
            writer.number(entry.writes.len() as u64);
            for (entity, slot, before) in &entry.writes {
                writer.text(&names.name_of(*entity));
                writer.number(u64::from(*slot));
                writer.value(before, names);
            }
            for (id, before) in &entry.decks {
                writer.text("deck");
                writer.text(&id.deck);
                before.write(writer);
            }
        }
    }
}
