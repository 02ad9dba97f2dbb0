//! Seats that are given, listed and taken away.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::messages::{Problem, json, notification};
use super::{Connection, Right, Server};
use crate::embed::{Seat, Trouble};

/// A seat that was given.
#[derive(Serialize, JsonSchema)]
pub(super) struct SeatAbout {
    /// Its number.
    number: u32,
    /// Where it is.
    at: Seat,
    /// How many connections hold it.
    connections: usize,
}

/// A seat that is given now.
#[derive(Serialize, JsonSchema)]
pub(super) struct GivenSeat {
    /// Its number.
    number: u32,
    /// What opens it. It is told once: only its hash is kept.
    token: String,
}

impl Server {
    pub(super) fn give_seat(&mut self, seat: Seat) -> Result<Json, Problem> {
        match &seat {
            Seat::Nobody | Seat::Host => {
                return Err(Problem::new(
                    -32602,
                    "expected `sides`, `spectator` or `referee`",
                ));
            }
            Seat::Sides { sides } if sides.is_empty() => {
                return Err(Problem::new(-32602, "expected at least one side"));
            }
            Seat::Sides { sides } => {
                let twice = |place: usize| sides[..place].contains(&sides[place]);
                if let Some(place) = (1..sides.len()).find(|place| twice(*place)) {
                    let message =
                        format!("expected each side once, found `{}` twice", sides[place]);
                    return Err(Problem::new(-32602, message));
                }
                if let Some(table) = &self.table {
                    for side in sides {
                        table.standing_of(side)?;
                        if matches!(&**side, "referee" | "spectator") {
                            return Err(Trouble::unknown("a side", side, std::iter::empty()).into());
                        }
                    }
                }
            }
            Seat::Spectator | Seat::Referee => {}
        }
        let (number, token) = self.seats.give(seat)?;
        Ok(json(&GivenSeat { number, token }))
    }

    /// Takes away the seats whose time is over by now, in seconds since 1970.
    /// To be called before each line where seats are given for some time: a
    /// server has no clock of its own.
    pub fn expire(&mut self, now: u64) {
        for number in self.seats.over(now) {
            if let Err(trouble) = self.revoke_seat(number) {
                tracing::warn!(target: "houserule::embed", number, %trouble, "a seat whose time is over stays in the file of seats");
            }
        }
    }

    /// Takes a seat away, from all who hold it now too.
    pub(super) fn revoke_seat(&mut self, number: u32) -> Result<bool, Trouble> {
        let gone = Right::Given(number);
        for connection in self.connections.values_mut() {
            let told = |one: &Connection| one.subscriptions.len() + one.follows.len();
            let before = told(connection);
            connection.subscriptions.retain(|one| one.right != gone);
            connection.follows.retain(|one| one.right != gone);
            let is_held = connection.right == gone;
            if is_held {
                connection.right = Right::Nobody;
            }
            if is_held || told(connection) < before {
                let line = notification("revoked", &json!({ "number": number }));
                connection.out.push(line);
            }
        }
        self.seats.revoke(number)
    }

    pub(super) fn seats_given(&self) -> Vec<SeatAbout> {
        let about = |(number, at): (u32, &Seat)| {
            let holds = |connection: &&Connection| connection.right == Right::Given(number);
            SeatAbout {
                number,
                at: at.clone(),
                connections: self.connections.values().filter(holds).count(),
            }
        };
        self.seats.iter().map(about).collect()
    }
}
