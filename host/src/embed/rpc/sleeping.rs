//! A match that is put away while those who play it stay: what is left of its
//! server can be kept by another thread, and holds nothing of the match.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::feeds::{Counts, Feeds};
use super::{Connection, ConnectionId, Right, Server};
use crate::embed::{ReloadMode, Seats, Tabletop};

/// A server without its match: seats, connections, and how far each of them was
/// told.
pub struct Sleeping {
    folders: Vec<PathBuf>,
    seats: Seats,
    connections: BTreeMap<ConnectionId, Connection>,
    last: u64,
    watching: Option<ReloadMode>,
    counts: Counts,
}

impl Server {
    /// Puts the match away: those who are connected stay, and keep their seats.
    pub fn sleep(&mut self) {
        self.table = None;
        self.feeds.sleep();
    }

    /// Takes the same match up again; those who follow are told all of it.
    pub fn wake(&mut self, table: Tabletop) {
        self.table = Some(table);
        self.expect_saves();
        self.feeds.wake();
        self.tell();
    }

    /// Whether a line is said by who has a seat, or shows a token that opens one: for anybody
    /// else a match that sleeps need not be taken up.
    pub fn is_said_by_a_seat(&self, connection: ConnectionId, line: &[u8]) -> bool {
        let right = self.connections.get(&connection).map(|found| found.right);
        if right.is_some_and(|right| right != Right::Nobody) {
            return true;
        }
        match serde_json::from_slice::<Json>(line) {
            Ok(Json::Array(batch)) => batch.iter().any(|message| self.shows_a_seat(message)),
            Ok(message) => self.shows_a_seat(&message),
            Err(_) => false,
        }
    }

    /// Whether a message bears a token that opens a seat, or says `hello` with one.
    fn shows_a_seat(&self, message: &Json) -> bool {
        [&message["token"], &message["params"]["token"]]
            .into_iter()
            .filter_map(Json::as_str)
            .any(|token| self.seats.opened_by(token).is_some())
    }

    /// Puts the match away, and the server with it.
    pub fn put_away(self) -> Sleeping {
        let Server {
            folders,
            seats,
            connections,
            last,
            watching,
            feeds,
            ..
        } = self;
        Sleeping {
            folders,
            seats,
            connections,
            last,
            watching,
            counts: feeds.counts(),
        }
    }
}

impl Sleeping {
    /// The server again, before its match is taken up.
    pub fn taken_up(self) -> Server {
        let Sleeping {
            folders,
            seats,
            connections,
            last,
            watching,
            counts,
        } = self;
        let feeds = Feeds::from(counts);
        Server {
            connections,
            last,
            watching,
            feeds,
            ..Server::with_seats(folders, seats)
        }
    }

    /// Somebody leaves. The seat stays given.
    pub fn disconnect(&mut self, connection: ConnectionId) {
        self.connections.remove(&connection);
    }
}

#[cfg(test)]
mod tests {
    use super::Sleeping;

    #[test]
    fn what_sleeps_can_be_kept_by_another_thread() {
        fn is_sent<T: Send>() {}
        is_sent::<Sleeping>();
    }
}
