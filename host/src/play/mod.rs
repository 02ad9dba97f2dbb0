//! A match: a rulebook, a game in play, its inputs and events, and who plays.

mod bot;
mod game_match;
mod replay;

pub use bot::{Bot, BotKind};
pub use game_match::{Header, Match, Refused, Setup};
pub use replay::{Recording, ReplayWishes, Replayed, mod_records, replay, store_of};
