//! A match that is put away while those who play it stay: what is left of its
//! server can be kept by another thread, and holds nothing of the match.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::feeds::{Counts, Feeds};
use super::{Connection, ConnectionId, Server};
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
