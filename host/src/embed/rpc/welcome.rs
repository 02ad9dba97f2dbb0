//! How somebody sits down: the version of the messages, the seat that a token
//! opens, and what whoever follows at once is given.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::calls::{Follow, Have, Hello};
use super::messages::{Problem, json};
use super::{ConnectionId, Right, Server};
use crate::embed::{Catalogue, Detail, Role, Seat};

/// The version of these messages: another one is not understood.
const PROTOCOL: u32 = 1;

/// What a connection may do.
#[derive(Serialize, JsonSchema)]
pub(super) struct Welcome {
    /// The version of these messages.
    protocol: u32,
    /// The role that it has: the methods of this role and of those before it.
    role: Role,
    /// Where it sits.
    at: Seat,
    /// As whom it looks, if it does not say: its only side, or the first.
    viewer: Option<String>,
    /// The game in play, by the name that its changes bear.
    game: Option<String>,
    /// The words and shapes of the match, for who follows from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    catalogue: Option<Catalogue>,
}

impl Server {
    pub(super) fn hello(
        &mut self,
        from: ConnectionId,
        right: Right,
        hello: Hello,
    ) -> Result<Json, Problem> {
        if let Some(other) = hello.protocol.filter(|version| *version != PROTOCOL) {
            let message = format!("expected version {PROTOCOL} of these messages, found {other}");
            return Err(Problem::new(-32009, message));
        }
        let right = match hello.token {
            None => right,
            Some(token) => {
                let right = self.right(from, Some(&token))?;
                if let Some(connection) = self.connections.get_mut(&from) {
                    // Whoever changes seats leaves with the other all that was told there.
                    connection.right = right;
                    connection.subscriptions.clear();
                    connection.follows.clear();
                    connection.watches = false;
                }
                right
            }
        };
        let at = self.seat(right);
        let viewer = at.first_viewer().map(ToString::to_string);
        let game = self.table.is_some().then(|| self.feeds.game());
        let catalogue = match hello.have {
            Some(have) => self.follow_at_once(from, right, have, hello.events)?,
            None => None,
        };
        Ok(json(&Welcome {
            protocol: PROTOCOL,
            role: at.role(),
            at,
            viewer,
            game,
            catalogue,
        }))
    }

    /// Follows as the first viewer of a seat; the words and shapes of what is
    /// followed, if a match is in play.
    fn follow_at_once(
        &mut self,
        from: ConnectionId,
        right: Right,
        have: Option<Have>,
        events: Detail,
    ) -> Result<Option<Catalogue>, Problem> {
        self.seat(right).needs(Role::Seat)?;
        self.follow(
            from,
            right,
            Follow {
                viewer: None,
                have,
                events,
            },
        )?;
        let seat = self.seat(right);
        let viewer = seat.viewer(None)?;
        Ok(self
            .table
            .as_ref()
            .map(|table| table.catalogue(&viewer))
            .transpose()?)
    }
}
