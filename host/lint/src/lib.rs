//! Looking at rules without running them: what a change of mods concerns, and
//! whether types fit.
//!
//! What it refuses to know: machines in which rules run, and how findings are
//! shown. What it does not follow in a file it says so of, and never guesses.
//!
//! Read [`touched`], then [`look`], [`types`] and [`typecheck`].

mod findings;
mod found;
mod look;
mod scope;
pub mod touched;
pub mod typecheck;
pub mod types;

pub use found::{Looked, Wanted};
pub use look::look;
