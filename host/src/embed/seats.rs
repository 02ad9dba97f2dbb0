//! Seats: who may look as whom, decide for whom, and do what.
//!
//! A connection holds a seat by a token that the host gave it. Of a token only
//! the hash is kept. Seats are no part of a game and stand in no journal; a
//! host can keep them in a file of their own, so that links outlive a server.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::error::{Fault, FaultCode, Place};
use rules::whole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tabletop::unwritten;
use super::{FaultAbout, Trouble};

/// What is asked of whoever calls a method: one of these, or more.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Nothing: not even a seat.
    Public,
    /// A seat, which is told what its viewers may know, and no more.
    Seat,
    /// To be the referee, who sees everything and rules on the game.
    Referee,
    /// To be the host, whose process and whose files they are.
    Host,
}

/// Where somebody sits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "seat", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Nowhere: who has not shown a token yet.
    #[default]
    Nobody,
    /// At one side of the table, or at several.
    Sides {
        /// The sides.
        sides: Vec<String>,
    },
    /// Among those who only watch.
    Spectator,
    /// In the chair of the referee.
    Referee,
    /// At home: who started the process.
    Host,
}

impl Seat {
    /// A seat at one side.
    pub fn of_side(side: impl Into<String>) -> Seat {
        Seat::Sides {
            sides: vec![side.into()],
        }
    }

    /// What whoever sits here may do.
    pub fn role(&self) -> Role {
        match self {
            Seat::Nobody => Role::Public,
            Seat::Sides { .. } | Seat::Spectator => Role::Seat,
            Seat::Referee => Role::Referee,
            Seat::Host => Role::Host,
        }
    }

    /// Refuses what this seat may not do.
    ///
    /// # Errors
    /// When it takes another role.
    pub fn needs(&self, role: Role) -> Result<(), Trouble> {
        if self.role() >= role {
            Ok(())
        } else {
            Err(Trouble::Forbidden {})
        }
    }

    /// As whom to look: the viewer that is asked for, if the seat may look so; its
    /// only one, if none is. Whether there is such a viewer is not said to
    /// who may not look so.
    ///
    /// # Errors
    /// When it may not, or when it must say which.
    pub fn viewer(&self, named: Option<&str>) -> Result<String, Trouble> {
        match (self, named) {
            (Seat::Nobody, _) => Err(Trouble::Forbidden {}),
            (Seat::Host | Seat::Referee, named) => Ok(named.unwrap_or("referee").to_string()),
            (Seat::Spectator, None | Some("spectator")) => Ok("spectator".to_string()),
            (Seat::Spectator, _) => Err(Trouble::Forbidden {}),
            (Seat::Sides { sides }, named) => own(sides, named),
        }
    }

    /// As whom it looks, if it does not say: a side, the first of several.
    pub fn first_viewer(&self) -> Option<&str> {
        match self {
            Seat::Nobody => None,
            Seat::Sides { sides } => sides.first().map(String::as_str),
            Seat::Spectator => Some("spectator"),
            Seat::Referee | Seat::Host => Some("referee"),
        }
    }

    /// For whom to decide: the side that is asked for, if it may be decided for
    /// from here.
    ///
    /// # Errors
    /// When it may not, or when it must say which.
    pub fn decider(&self, named: Option<&str>) -> Result<String, Trouble> {
        match (self, named) {
            (Seat::Host, Some(side)) => Ok(side.to_string()),
            (Seat::Host, None) => Err(Trouble::Unsaid {
                message: "expected a side".into(),
            }),
            (Seat::Sides { sides }, named) => own(sides, named),
            (Seat::Nobody | Seat::Spectator | Seat::Referee, _) => Err(Trouble::Forbidden {}),
        }
    }

    /// Trouble as it may be told here: what is wrong in mods or files is for
    /// those who can mend it, and where files are for the host.
    pub fn may_hear(&self, trouble: Trouble) -> Trouble {
        match (trouble, self.role()) {
            (trouble, Role::Host) => trouble,
            (Trouble::Unwritten { fault }, _) => Trouble::Unwritten {
                fault: FaultAbout::unwritten(fault.code, fault.slug),
            },
            (Trouble::Faults { .. }, Role::Public | Role::Seat) => Trouble::Broken {},
            (trouble, _) => trouble,
        }
    }
}

fn own(sides: &[String], named: Option<&str>) -> Result<String, Trouble> {
    match (named, sides) {
        (None, [only]) => Ok(only.clone()),
        (Some(named), sides) if sides.iter().any(|side| side == named) => Ok(named.to_string()),
        (Some(_), _) => Err(Trouble::Forbidden {}),
        (None, sides) => {
            let message = format!(
                "expected one of the sides of this seat: {}",
                sides.join(", ")
            );
            Err(Trouble::Unsaid { message })
        }
    }
}

/// Whether a token opens a seat, for whoever stands at a door: to be asked on any
/// thread, without the match. What it says holds for this moment.
#[derive(Clone, Default, Debug)]
pub struct SeatKeys(Arc<Mutex<BTreeMap<u32, blake3::Hash>>>);

impl SeatKeys {
    /// Whether it opens any.
    pub fn opens(&self, token: &str) -> bool {
        let key = key_of(token);
        // Hashes are compared in one time, whatever they are.
        self.all().values().any(|other| *other == key)
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u32, blake3::Hash>> {
        // Whoever panicked has left whole keys.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The seats that a host has given away.
#[derive(Default)]
pub struct Seats {
    given: BTreeMap<u32, GrantedSeat>,
    keys: SeatKeys,
    last: u32,
    /// Where they are kept, if they are.
    file: Option<PathBuf>,
}

/// Seats as a file keeps them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatsFile {
    last: u32,
    seats: BTreeMap<u32, KeptSeat>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptSeat {
    at: Seat,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
}

struct GrantedSeat {
    seat: Seat,
    key: blake3::Hash,
    /// When it is over, if it ever is: in seconds since 1970.
    until: Option<u64>,
}

impl Seats {
    /// Gives a seat away: its number, and the token that opens it. The token is
    /// told once, and cannot be found out again.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn give(&mut self, seat: Seat) -> Result<(u32, String), Trouble> {
        self.give_until(seat, None)
    }

    /// Gives a seat away for some time, in seconds since 1970. Seats have no
    /// clock: whoever has one says when their time [is over](Self::over).
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn give_until(&mut self, seat: Seat, until: Option<u64>) -> Result<(u32, String), Trouble> {
        let Some(number) = self.last.checked_add(1) else {
            let reason = "all numbers of seats are given away";
            return Err(Trouble::refusal("giving a seat", reason));
        };
        let secret: [u8; 32] = random("giving a seat")?;
        let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let key = key_of(&token);
        self.put(number, GrantedSeat { seat, key, until });
        if let Err(trouble) = self.keep() {
            self.take(number);
            return Err(trouble);
        }
        self.last = number;
        Ok((number, token))
    }

    /// Takes a seat away from whoever has its token; whether it was given.
    ///
    /// # Errors
    /// When the file of the seats cannot be written: then the seat is gone as
    /// long as this process runs.
    pub fn revoke(&mut self, number: u32) -> Result<bool, Trouble> {
        let was_given = self.take(number);
        self.keep()?;
        Ok(was_given)
    }

    /// Whether tokens open seats of these, now and later.
    pub fn keys(&self) -> SeatKeys {
        self.keys.clone()
    }

    fn put(&mut self, number: u32, seat: GrantedSeat) {
        self.keys.all().insert(number, seat.key);
        self.given.insert(number, seat);
    }

    fn take(&mut self, number: u32) -> bool {
        self.keys.all().remove(&number);
        self.given.remove(&number).is_some()
    }

    /// The seats whose time is over by now, in seconds since 1970.
    pub fn over(&self, now: u64) -> Vec<u32> {
        let is_over = |given: &GrantedSeat| given.until.is_some_and(|until| until <= now);
        self.given
            .iter()
            .filter(|(_, given)| is_over(given))
            .map(|(number, _)| *number)
            .collect()
    }

    /// The seats that a file keeps, none if it is not there; what is given and
    /// taken away from now on is kept in it.
    ///
    /// # Errors
    /// When it cannot be read, or is something else.
    pub fn kept_in(path: &Path) -> Result<Seats, Trouble> {
        let wrong = |reason: String| {
            let place = Place::new("", path.display().to_string(), 0);
            Trouble::from(Fault::new(FaultCode::BadJournal, reason).at(place))
        };
        let mut seats = Seats {
            file: Some(path.to_path_buf()),
            ..Seats::default()
        };
        whole::tidy_beside(path);
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(seats),
            Err(error) => {
                return Err(wrong(format!(
                    "the seats of the game cannot be read: {error}"
                )));
            }
        };
        let kept: SeatsFile = serde_json::from_slice(&bytes).map_err(|error| {
            wrong(format!(
                "expected the seats of a game, found something else: {error}"
            ))
        })?;
        for (number, KeptSeat { at, hash, until }) in kept.seats {
            let key = blake3::Hash::from_hex(&hash)
                .map_err(|_| wrong(format!("expected the hash of a token, found `{hash}`")))?;
            if matches!(at, Seat::Host | Seat::Nobody) {
                let reason =
                    "expected seats that can be given away, found one of the host or of nobody";
                return Err(wrong(reason.into()));
            }
            let seat = at;
            seats.put(number, GrantedSeat { seat, key, until });
        }
        seats.last = seats
            .given
            .keys()
            .copied()
            .max()
            .unwrap_or_default()
            .max(kept.last);
        Ok(seats)
    }

    /// Writes the file whole or not at all.
    fn keep(&self) -> Result<(), Trouble> {
        let Some(path) = &self.file else {
            return Ok(());
        };
        let seat = |(number, given): (&u32, &GrantedSeat)| {
            let (at, hash) = (given.seat.clone(), given.key.to_hex().to_string());
            (
                *number,
                KeptSeat {
                    at,
                    hash,
                    until: given.until,
                },
            )
        };
        let kept = SeatsFile {
            last: self.last,
            seats: self.given.iter().map(seat).collect(),
        };
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
        whole::put_on_disk(path, text.as_bytes()).map_err(|error| {
            let reason = format!("the seats of the game cannot be kept: {error}");
            let place = Place::new("", path.display().to_string(), 0);
            unwritten(Fault::new(FaultCode::JournalUnwritten, reason).at(place))
        })
    }

    /// Whether none is given.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// The seat that a token opens, by its number.
    pub fn opened_by(&self, token: &str) -> Option<u32> {
        let key = key_of(token);
        // Hashes are compared in one time, whatever they are.
        self.given
            .iter()
            .find(|(_, given)| given.key == key)
            .map(|(number, _)| *number)
    }

    /// A seat by its number, if it is given and was not taken away.
    pub fn get(&self, number: u32) -> Option<&Seat> {
        self.given.get(&number).map(|given| &given.seat)
    }

    /// All seats that are given, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Seat)> {
        self.given
            .iter()
            .map(|(number, given)| (*number, &given.seat))
    }
}

fn key_of(token: &str) -> blake3::Hash {
    blake3::hash(token.as_bytes())
}

/// A seed that nobody can guess, for a game of people who have the scenario's file: who knows the seed knows the dice
/// to come, and what was drawn in secret. It is one that numbers of JSON hold exactly.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn secret_seed() -> Result<u64, Trouble> {
    let bytes: [u8; 8] = random("drawing a seed")?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}

/// Bytes of the operating system.
fn random<const COUNT: usize>(what: &str) -> Result<[u8; COUNT], Trouble> {
    let mut bytes = [0u8; COUNT];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Trouble::refusal(
            what,
            format!("the operating system gives no randomness: {error}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Seat, Seats};
    use crate::embed::Trouble;

    #[test]
    fn a_token_opens_its_seat_until_it_is_revoked() {
        let mut seats = Seats::default();
        let (blue, token) = seats.give(Seat::of_side("blue")).unwrap();
        let (red, other) = seats.give(Seat::of_side("red")).unwrap();
        assert_eq!(token.len(), 64, "256 bits");
        assert_ne!(token, other);
        assert_eq!(
            (seats.opened_by(&token), seats.opened_by(&other)),
            (Some(blue), Some(red))
        );
        let keys = seats.keys();
        assert!(keys.opens(&token) && keys.opens(&other) && !keys.opens(&token[..63]));
        assert_eq!(seats.opened_by(&token[..63]), None);
        assert_eq!(seats.opened_by(""), None);
        assert!(seats.revoke(blue).unwrap() && !seats.revoke(blue).unwrap());
        assert!(!keys.opens(&token) && keys.opens(&other));
        assert_eq!(
            (seats.opened_by(&token), seats.opened_by(&other)),
            (None, Some(red))
        );
        let (again, _) = seats.give(Seat::Spectator).unwrap();
        assert_ne!(again, blue, "a number is never given twice");
    }

    #[test]
    fn seats_outlive_a_process_in_their_file_and_tokens_do_not_stand_in_it() {
        let folder = std::env::temp_dir().join(format!("houserule-seats-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("raid.journal.seats");
        let mut seats = Seats::kept_in(&path).unwrap();
        assert!(seats.is_empty());
        let (blue, token) = seats.give(Seat::of_side("blue")).unwrap();
        let (red, other) = seats.give(Seat::of_side("red")).unwrap();
        assert!(!std::fs::read_to_string(&path).unwrap().contains(&token));
        assert!(seats.revoke(red).unwrap());
        let mut again = Seats::kept_in(&path).unwrap();
        assert!(again.keys().opens(&token) && !again.keys().opens(&other));
        assert_eq!(
            (again.opened_by(&token), again.opened_by(&other)),
            (Some(blue), None)
        );
        assert_eq!(again.get(blue), Some(&Seat::of_side("blue")));
        assert_eq!(
            again.give(Seat::Spectator).unwrap().0,
            red + 1,
            "a number is never given twice"
        );
        let (guest, _) = again.give_until(Seat::Spectator, Some(1_000)).unwrap();
        let half = folder.join(".raid.journal.seats.draft-1-0");
        std::fs::write(&half, "half").unwrap();
        let kept = Seats::kept_in(&path).unwrap();
        assert!(!half.exists(), "whoever wrote that is gone");
        assert_eq!(
            (kept.over(999), kept.over(1_000)),
            (vec![], vec![guest]),
            "as long as it was given for"
        );
        std::fs::write(&path, "not seats").unwrap();
        assert!(matches!(Seats::kept_in(&path), Err(Trouble::Faults { .. })));
        // Nobody is made the host by a file, and numbers come to an end.
        let hash = blake3::hash(b"token").to_hex();
        for at in ["host", "nobody"] {
            let text = format!(
                r#"{{"last":1,"seats":{{"1":{{"at":{{"seat":"{at}"}},"hash":"{hash}"}}}}}}"#
            );
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Seats::kept_in(&path), Err(Trouble::Faults { .. })));
        }
        std::fs::write(&path, r#"{"last":4294967295,"seats":{}}"#).unwrap();
        let mut full = Seats::kept_in(&path).unwrap();
        assert!(matches!(
            full.give(Seat::Spectator),
            Err(Trouble::Refusal { .. })
        ));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_seat_looks_and_decides_for_nobody_else() {
        let blue = Seat::of_side("blue");
        assert_eq!(blue.viewer(None).unwrap(), "blue");
        assert_eq!(blue.viewer(Some("blue")).unwrap(), "blue");
        for other in ["red", "referee", "spectator", "nobody", ""] {
            assert_eq!(
                blue.viewer(Some(other)).unwrap_err(),
                Trouble::Forbidden {},
                "{other}"
            );
            assert_eq!(
                blue.decider(Some(other)).unwrap_err(),
                Trouble::Forbidden {},
                "{other}"
            );
        }
        let both = Seat::Sides {
            sides: vec!["blue".into(), "red".into()],
        };
        assert!(matches!(both.viewer(None), Err(Trouble::Unsaid { .. })));
        assert_eq!(both.decider(Some("red")).unwrap(), "red");
        assert_eq!(
            Seat::Spectator.decider(Some("red")).unwrap_err(),
            Trouble::Forbidden {}
        );
        assert_eq!(
            Seat::Referee.decider(Some("red")).unwrap_err(),
            Trouble::Forbidden {}
        );
        assert_eq!(Seat::Referee.viewer(Some("red")).unwrap(), "red");
        assert_eq!(
            Seat::Nobody.viewer(Some("spectator")).unwrap_err(),
            Trouble::Forbidden {}
        );
        assert!(blue.needs(Role::Seat).is_ok() && blue.needs(Role::Referee).is_err());
        assert!(
            Seat::Nobody.needs(Role::Seat).is_err() && Seat::Nobody.needs(Role::Public).is_ok()
        );
    }
}
