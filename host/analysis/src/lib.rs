//! What rules do to games: many games and what came of them, scenarios held to
//! what they say of themselves, two sets of rules side by side, and the one
//! change among many that makes the difference.
//!
//! All of it plays games as they are played, by the matches' own replaying and
//! counting; there is no model of a rule here.
//!
//! What it refuses to know: terminals, progress bars and command lines, in
//! which language a rule is written, and the rules of any game.
//!
//! Read [`series`] (many games on many cores, in order), [`simulation`] (what is
//! kept of each, in shards), [`summary`], then [`health`], [`compare`] and
//! [`bisect`], [`impact`] (what a house rule does to games), [`conflicts`] (house
//! rules that undo each other), [`moment`] (a moment of a game as a test, with what led to it) and [`staged`]
//! (as a case, without that), [`opening`] (what falls before the first decision of a scenario); [`refused`] says for people why a decision no longer fits.

pub mod bisect;
pub mod compare;
pub mod conflicts;
pub mod health;
pub mod impact;
pub mod moment;
pub mod opening;
mod outcome;
pub mod refused;
pub mod series;
pub mod simulation;
pub mod staged;
pub mod summary;
