//! What a line of a journal says that its input came to.

use std::fmt;
use std::str::FromStr;

use kernel::digest::{SHOWN_DIGITS, StateHash};

use super::is_hash;

/// What a match has come to: its state, and all that was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// The hash of the state.
    pub state: StateHash,
    /// The hash of the events until then, from [`kernel::record::settled`] and
    /// [`kernel::record::open`].
    pub events: StateHash,
}

impl Mark {
    /// As much of it as a line shows.
    pub fn shown(&self) -> ShownMark {
        ShownMark {
            state: self.state.shown(),
            events: self.events.shown(),
        }
    }
}

/// The whole mark, as the last line of a game has it.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.state, self.events)
    }
}

/// A mark as a line of a journal shows it: the first digits of each hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownMark {
    /// Of the state.
    pub state: String,
    /// Of the events.
    pub events: String,
}

impl fmt::Display for ShownMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.state, self.events)
    }
}

impl FromStr for ShownMark {
    type Err = ();

    fn from_str(text: &str) -> Result<ShownMark, ()> {
        let (state, events) = text.split_once(' ').ok_or(())?;
        match is_hash(state, SHOWN_DIGITS) && is_hash(events, SHOWN_DIGITS) {
            true => Ok(ShownMark {
                state: state.to_string(),
                events: events.to_string(),
            }),
            false => Err(()),
        }
    }
}
