//! A match: a rulebook, a game in play, its inputs and events, and who plays.

mod bot;
mod game_match;
mod replay;
mod rewind;

pub use bot::{Bot, BotKind};
pub use game_match::{Header, Match, Refused, Said, Setup};
pub use replay::{
    Kept, Recording, ReplayWishes, Replayed, mod_records, play_again, replay, replay_file, store_of,
};
