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
    /// Whose changes are that do not say it: those of its only side, or of the first of
    /// several. A seat at one side looks and decides as that where it does not say; one at
    /// several says it.
    viewer: Option<String>,
    /// The game in play, by the name that its changes bear.
    game: Option<String>,
    /// The words and shapes of the match, for who follows from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    catalogue: Option<Catalogue>,
}

impl Server {
    /// Somebody says who it is: from now on the connection is what its token opens.
    pub(super) fn hello(
        &mut self,
        from: ConnectionId,
        right: Right,
        hello: Hello,
    ) -> Result<Json, Problem> {
        let right = self.shown(from, right, &hello)?;
        let viewer = self.seat(right).first_viewer().map(ToString::to_string);
        if let Some(connection) = self.connections.get_mut(&from) {
            if hello.token.is_some() {
                // Whoever changes seats leaves with the other all that was told there.
                connection.right = right;
                connection.subscriptions.clear();
                connection.follows.clear();
                connection.watches = false;
            }
            connection.told = viewer;
        }
        self.welcome(from, right, hello)
    }

    /// The same in a message that is said as a seat for itself alone: whatever token it
    /// shows, the connection stays what it is. A program passes it on for somebody.
    pub(super) fn hello_in_passing(
        &mut self,
        from: ConnectionId,
        right: Right,
        hello: Hello,
    ) -> Result<Json, Problem> {
        let right = self.shown(from, right, &hello)?;
        self.welcome(from, right, hello)
    }

    /// The right that is shown, if it is said in messages that are understood here.
    fn shown(&self, from: ConnectionId, right: Right, hello: &Hello) -> Result<Right, Problem> {
        if let Some(other) = hello.protocol.filter(|version| *version != PROTOCOL) {
            let message = format!("expected version {PROTOCOL} of these messages, found {other}");
            return Err(Problem::new(-32009, message));
        }
        match &hello.token {
            None => Ok(right),
            Some(token) => self.right(from, Some(token)),
        }
    }

    fn welcome(&mut self, from: ConnectionId, right: Right, hello: Hello) -> Result<Json, Problem> {
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
        let seat = self.seat(right);
        seat.needs(Role::Seat)?;
        let first = seat.first_viewer().map(ToString::to_string);
        let viewer = seat.viewer(first.as_deref())?;
        let follow = Follow {
            viewer: Some(viewer.clone()),
            have,
            events,
        };
        self.follow(from, right, follow)?;
        Ok(self
            .table
            .as_ref()
            .map(|table| table.catalogue(&viewer))
            .transpose()?)
    }
}
