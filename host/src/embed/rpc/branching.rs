//! Matches that go on from a moment of the one in play, beside it. Who serves
//! several matches says how one is opened.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::Server;
use super::messages::{Problem, json};
use crate::embed::{Seat, Tabletop, Trouble};

/// A match that was opened beside another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Branched {
    /// The room that it is in: it stands in the path of a connection.
    pub room: String,
    /// What opens a seat at all its sides.
    pub token: String,
    /// How many decisions of this match it goes on from.
    pub decisions: usize,
}

/// Opens a match beside another, which goes on from so many of its decisions.
pub type Branching = Box<dyn FnMut(&Tabletop, usize) -> Result<Branched, Trouble>>;

impl Server {
    /// How a match is opened beside this one, from one of its moments.
    pub fn branch_by(&mut self, branching: Branching) {
        self.branching = Some(branching);
    }

    /// Opens a match beside this one, if whoever serves it can.
    pub(super) fn branch(
        &mut self,
        seat: &Seat,
        viewer: Option<&str>,
        at: Option<u32>,
    ) -> Result<Json, Problem> {
        let viewer = seat.viewer(viewer)?;
        let Server {
            table: Some(table),
            branching,
            ..
        } = self
        else {
            return Err(Problem::new(-32003, "no match is in play: start one"));
        };
        let Some(branching) = branching else {
            let reason = "whoever serves this match has room for one alone";
            return Err(Trouble::refusal("playing on beside it", reason).into());
        };
        let decisions = match at {
            Some(event) => table.decisions_at(&viewer, event)?,
            None => table.standing().decisions,
        };
        Ok(json(&branching(table, decisions)?))
    }
}
