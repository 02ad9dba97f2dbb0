//! Matches and their records: what is played by a rulebook, by whom, and what
//! is left of it in files.
//!
//! What it refuses to know: in which language a rule is written, who asks (a
//! terminal, a program, a test), and the rules of any game.
//!
//! Read [`scenario`] (what is set up), [`play`] (a match, from its first
//! decision to its last), [`bot`] (who decides without hands), [`workshop`] (all
//! mods at hand, and what is made of them), [`record`] and [`replay`] (journals,
//! written and played again), then [`report`] and [`explain`], which tell what
//! happened and why, [`tally`], which counts it over many games, and [`odds`], which
//! counts what can happen; [`workers`] shares work out among threads.

pub mod bindings;
pub mod bot;
pub mod explain;
pub mod odds;
pub mod play;
pub mod record;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod tally;
pub mod workers;
pub mod workshop;
