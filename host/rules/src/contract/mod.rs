//! The contract: every function that a rule can call on the game, once.
//!
//! Each stands here with what it takes and gives, the effect that a signature
//! must list for it, what it costs, a sentence for those who write rules, and
//! what it does, on values of the kernel. A language turns its own values into
//! those and back, and adds nothing: scripts get their functions from this list
//! ([`all`]), components call the same ones by name. What is said of a function
//! in `schemas` and in the reference is held to what is said here.
//!
//! Read `function` (what one is, how it is called), `types` (what it takes and
//! gives), and one chapter, `geometry` say.

pub mod chance;
pub mod decks;
pub mod entities;
mod function;
pub mod geometry;
pub mod hexes;
pub mod lookup;
pub mod places;
pub mod questions;
pub mod sequence;
#[cfg(test)]
mod tests;
pub mod types;

pub use function::{Call, Entry, Function, Spec, call_at_load, over_game};

/// Functions that belong together.
pub struct Chapter {
    /// What they are about.
    pub title: &'static str,
    /// The functions, in the order in which they are explained.
    pub functions: &'static [&'static dyn Entry],
}

/// All functions, by chapter.
pub const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Clauses, options, tables",
        functions: lookup::ALL,
    },
    Chapter {
        title: "Entities",
        functions: entities::ALL,
    },
    Chapter {
        title: "The sequence of play",
        functions: sequence::ALL,
    },
    Chapter {
        title: "Dice and chits",
        functions: chance::ALL,
    },
    Chapter {
        title: "Decks of cards",
        functions: decks::ALL,
    },
    Chapter {
        title: "Questions",
        functions: questions::ALL,
    },
    Chapter {
        title: "The open table",
        functions: geometry::ALL,
    },
    Chapter {
        title: "Hexes",
        functions: hexes::ALL,
    },
];

/// All functions.
pub fn all() -> impl Iterator<Item = &'static dyn Entry> {
    CHAPTERS
        .iter()
        .flat_map(|chapter| chapter.functions.iter().copied())
}
