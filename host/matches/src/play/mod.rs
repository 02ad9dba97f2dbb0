//! A match: a rulebook, a game in play, its inputs and events.

mod again;
mod beside;
mod dependencies;
mod game_match;
mod history;
mod odds;
mod rewind;
mod scripted;
mod settled;
mod why;

pub use again::{PlayedAgain, play_again};
pub use beside::clauses_behind;
pub use dependencies::{Invalidation, mark, marks_behind};
pub use game_match::{Cut, Header, Match, RecordedInput, SubmitError};
pub use odds::OddsOf;
pub use scripted::{fit, input_of, run_script, run_script_to, take_line};

pub use crate::bot::{Bot, BotKind};
pub use crate::scenario::Setup;
