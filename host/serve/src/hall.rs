//! The hall: the rooms of one process, by name.

use std::sync::{Arc, Mutex, PoisonError};

use crate::room::Room;

/// All rooms, in the order in which they were added. Whoever enters one is
/// nobody there until it shows a token.
#[derive(Default)]
pub struct Hall {
    rooms: Mutex<Vec<(String, Arc<Room>)>>,
}

impl Hall {
    /// Adds a room under a name, which links bear; in the place of the one that
    /// had the name.
    pub fn add(&self, name: impl Into<String>, room: Room) {
        let name = name.into();
        let mut rooms = self.rooms();
        rooms.retain(|(other, _)| *other != name);
        rooms.push((name, Arc::new(room)));
    }

    /// Takes a room away: nobody enters it any more, and it is gone when the last who is
    /// in it has left.
    pub fn remove(&self, name: &str) {
        self.rooms().retain(|(other, _)| other != name);
    }

    /// The room of that name; without a name, the only or first one.
    pub fn room(&self, name: Option<&str>) -> Option<Arc<Room>> {
        let rooms = self.rooms();
        let found = match name {
            Some(name) => rooms.iter().find(|(other, _)| other == name),
            None => rooms.first(),
        };
        found.map(|(_, room)| room.clone())
    }

    /// How many rooms there are, and in how many somebody plays.
    pub fn count(&self) -> (usize, usize) {
        let rooms = self.rooms();
        (
            rooms.len(),
            rooms.iter().filter(|(_, room)| room.is_awake()).count(),
        )
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<Room>)>> {
        // Whoever panicked has left a whole list.
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
