//! What whoever serves several seats needs to let each speak in its turn.

use serde_json::Value as Json;

use super::{ConnectionId, Right, Server};

impl Server {
    /// Takes one message of a connection that was read already, as [`Server::line`]
    /// takes a line: for whoever lets others speak between those of a batch.
    pub fn one(&mut self, connection: ConnectionId, message: Json) -> bool {
        let is_here = self.connections.contains_key(&connection);
        let reply = is_here.then(|| self.message(connection, message)).flatten();
        let is_answered = reply.is_some();
        if let Some(reply) = reply {
            self.send(connection, reply.to_string());
        }
        is_answered
    }

    /// The number of the seat that a connection holds, if it was given one.
    pub fn seat_held(&self, connection: ConnectionId) -> Option<u32> {
        match self.connections.get(&connection)?.right {
            Right::Given(number) => Some(number),
            Right::Nobody | Right::Host => None,
        }
    }
}
