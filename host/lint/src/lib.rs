//! Looking at rules without running them: what a change of mods concerns,
//! whether types fit, and how files are laid out.
//!
//! What it refuses to know: machines in which rules run, and how findings are
//! shown. What it does not follow in a file it says so of, and never guesses.
//!
//! Read [`invalidation`], then [`look`], [`types`] and [`typecheck`]; [`cursor`] is for
//! editors.

mod built;
mod by_text;
mod composed;
pub mod cursor;
mod findings;
pub mod format;
pub mod invalidation;
mod look;
mod meeting;
mod said;
mod scope;
pub mod typecheck;
pub mod types;
mod unused;
mod wanted;

pub use built::has_component;
pub use findings::asked_by_scripts;
pub use look::{Looker, look};
pub use meeting::meeting;
pub use typecheck::with_all_clauses;
pub use unused::unused;
pub use wanted::LintRequest;
