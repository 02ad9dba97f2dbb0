//! A match: a rulebook, a game in play, its inputs and events, and who plays.

mod bot;
mod game_match;

pub use bot::{Bot, BotKind};
pub use game_match::{Match, Refused, Setup};
