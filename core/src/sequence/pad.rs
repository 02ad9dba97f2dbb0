//! The scratch pad of one side in a secret phase: what it wrote so far, so
//! that it can take it back and so that nobody else sees it.

use crate::digest::Writer;
use crate::value::{EntityId, Value};

/// What one action in a secret phase did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Entry {
    pub writes: Vec<(EntityId, u16, Value)>,
    pub made: Vec<EntityId>,
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

    pub(crate) fn note_write(&mut self, entity: EntityId, slot: u16, before: Value) {
        if let Some(entry) = self.entries.last_mut() {
            entry.writes.push((entity, slot, before));
        }
    }

    pub(crate) fn note_new(&mut self, entity: EntityId) {
        if let Some(entry) = self.entries.last_mut() {
            entry.made.push(entity);
        }
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

    /// Whether the side made the entity here.
    pub(crate) fn made(&self, entity: EntityId) -> bool {
        self.entries.iter().any(|entry| entry.made.contains(&entity))
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.number(u64::from(self.is_open) + 2 * u64::from(self.is_ready));
        writer.number(self.entries.len() as u64);
    }
}
