//! Looking at rules without running them: what a change of mods concerns, and
//! whether types fit.
//!
//! What it refuses to know: machines in which rules run, and how findings are
//! shown. What it does not follow in a file it says so of, and never guesses.
//!
//! Read [`touched`], then [`typecheck`].

pub mod touched;
#[cfg(feature = "typecheck")]
pub mod typecheck;
