//! The commands, one file each.

pub mod bisect;
#[cfg(feature = "wasm")]
pub mod build;
pub mod check;
pub mod compare;
pub mod design;
pub mod eval;
pub mod fmt;
pub mod health;
pub mod new;
pub mod odds;
pub mod play;
pub mod replay;
pub mod rpc;
pub mod rules;
pub mod run;
pub mod scenarios;
pub mod serve;
pub mod simulate;
mod tally;
pub mod test;
pub mod types;
pub mod why;
