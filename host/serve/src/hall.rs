//! The hall: the rooms of one process, by name.

use std::collections::BTreeMap;

use crate::room::Room;

/// All rooms. Whoever enters one is nobody there until it shows a token.
#[derive(Default)]
pub struct Hall {
    rooms: BTreeMap<String, Room>,
}

impl Hall {
    /// Adds a room under a name, which links bear.
    pub fn add(&mut self, name: impl Into<String>, room: Room) {
        self.rooms.insert(name.into(), room);
    }

    /// The room of that name; without a name, the only or first one.
    pub fn room(&self, name: Option<&str>) -> Option<&Room> {
        match name {
            Some(name) => self.rooms.get(name),
            None => self.rooms.values().next(),
        }
    }

    /// How many rooms there are, and in how many somebody plays.
    pub fn count(&self) -> (usize, usize) {
        (self.rooms.len(), self.rooms.values().filter(|room| room.is_awake()).count())
    }
}
