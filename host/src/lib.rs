//! Houserule as a library: a match in play, for front-ends and the command
//! line, and the parts of the engine as far as they are asked for from outside.
//!
//! What it refuses to know: terminals and sockets, and the rules of any game.
//! It is the only crate of the engine that a front-end sees.
//!
//! Read [`embed`], then [`case`]. What else is here stands in crates of its own,
//! under the names of its parts.

pub use analysis;
pub use kernel;
pub use matches::{bindings, explain, odds, record, report, workshop};
pub use rules::kept::{keep_in as keep_texts, tidy as tidy_texts};
pub use rules::{
    alone, data, design, limits, lines, modset, printable, printed, profile, rulebook, types, whole,
};
pub use testing;

pub mod case;
pub mod embed;

pub use lint::{
    LintRequest, Looker, asked_by_scripts, cursor, format, has_component, invalidation, look,
    meeting, types as script_types, unused, with_all_clauses,
};

/// Mods that are WebAssembly components.
#[cfg(feature = "wasm")]
pub use components as wasm;

/// Matches: played, played by bots, played again from their journals, counted.
pub mod play {
    pub use matches::bot::{Bot, BotKind};
    pub use matches::play::*;
    pub use matches::replay::*;
    pub use matches::tally::*;
}

/// Scenarios, and the scripts in them.
pub mod scenario {
    pub use matches::play::{fit, input_of, run_script, run_script_to};
    pub use matches::scenario::*;
}
