//! The test runner for mods: cases in Luau, goldens of scenarios, and what
//! they reach.
//!
//! A case must pass with its clauses on, and, where a clause adds or changes
//! something, fail with that clause off. A scenario with a script must play
//! as its golden says, each of its inputs twice with the same outcome, and
//! once more from its inputs alone.
//!
//! What it refuses to know: terminals, and how findings are shown. Cases are
//! written in Luau, so that it knows that host of scripts and no other.
//!
//! Read [`run_suite`], `case` and `library` (what a case can do), `golden`, then
//! what is asked of the tests themselves: [`coverage`], [`prohibitions()`], [`audit_rows`],
//! [`audit_subsets`].

mod audiences;
mod books;
mod case;
mod coverage;
mod golden;
mod library;
mod odds;
mod openings;
mod outcome;
mod prohibitions;
mod questions;
mod remembered;
mod rows;
mod runner;
mod subsets;
mod trials;
mod waiting;

pub use coverage::{ClauseCoverage, coverage};
pub use golden::{Golden, accept, compare, golden_file, golden_text, play, play_by};
pub use outcome::{TestKind, TestResult};
pub use prohibitions::{
    Leave, ProhibitionRow, ProhibitionTable, Prohibitions, State, prohibitions,
};
pub use questions::{SeenQuestion, questions};
pub use remembered::Memory;
pub use rows::{CellResult, audit_rows, unnoticed_rows};
pub use runner::{Filter, run_for_audiences, run_suite};
pub use subsets::{
    CaseDifference, GamePlayed, Plan, Subset, SubsetResult, audit_subsets, subsets_of,
};
pub use trials::{TrialCase, Trials, Tried};
