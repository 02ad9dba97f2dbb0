//! The deterministic kernel of Houserule.
//!
//! It owns all state of a game and all chance in it: entities and their
//! attributes, dice, chits, decks, geometry, the sequence of play, questions to the
//! players, the record. It runs no rule itself: whoever embeds it hands it a
//! [`rules::Rules`], the one small trait through which it asks for anything.
//!
//! What it refuses to know: files, clocks, threads, floating point, scripting
//! languages, and the name of any rule, unit kind or chit colour of any game.
//!
//! Read the modules in this order: [`value`], [`world`], [`cells`], [`chance`], [`dice`],
//! [`chits`], [`deck`], [`geometry`], [`event`], [`audience`], [`decision`],
//! [`sequence`], [`query`], [`game`], [`rules`], [`engine`], [`record`].
#![forbid(unsafe_code)]
#![deny(clippy::float_arithmetic)]

pub mod audience;
pub mod book;
pub mod brief;
pub mod cells;
pub mod chance;
pub mod chits;
pub mod decision;
pub mod deck;
pub mod dice;
pub mod digest;
pub mod engine;
pub mod error;
pub mod event;
pub mod game;
pub mod geometry;
mod groups;
mod nearest;
pub mod notation;
mod past;
pub mod query;
pub mod record;
pub mod rules;
pub mod sequence;
pub mod stamp;
pub mod value;
pub mod world;
