//! The deterministic kernel of Houserule.
//!
//! It owns all state of a game and all chance in it: entities and their
//! attributes, dice, chits, geometry, the sequence of play, questions to the
//! players, the record. It runs no rule itself: whoever embeds it hands it a
//! [`rules::Rules`], the one small trait through which it asks for anything.
//!
//! What it refuses to know: files, clocks, threads, floating point, scripting
//! languages, and the name of any rule, unit kind or chit colour of any game.
//!
//! Read the modules in this order: [`value`], [`world`], [`chance`], [`dice`],
//! [`chits`], [`geometry`], [`event`], [`decision`], [`sequence`], [`game`],
//! [`engine`], [`record`].
#![forbid(unsafe_code)]
#![deny(clippy::float_arithmetic)]

pub mod chance;
pub mod chits;
pub mod dice;
pub mod geometry;
