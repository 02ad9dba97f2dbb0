//! A match: a rulebook, a game in play, its inputs and events, and who plays.

mod again;
mod bot;
mod game_match;
mod reach;
mod replay;
mod rewind;
mod tally;

pub use bot::{Bot, BotKind};
pub use game_match::{Cut, Header, Match, Refused, Said, Setup};
pub use reach::Touched;
pub(crate) use reach::mark;
pub use replay::{
    Kept, Parting, PlayedAgain, Recording, ReplayWishes, Replayed, Salvaged, mod_records, play_again, replay,
    replay_file, salvage, store_of,
};
pub(crate) use replay::{mod_records_after, that_count};
pub use tally::{Deeds, Players, Tally, tally};
