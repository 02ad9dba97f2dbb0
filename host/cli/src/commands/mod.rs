//! The commands, one file each.

mod audiences;
pub mod bisect;
pub mod book;
#[cfg(feature = "wasm")]
pub mod build;
pub mod check;
pub mod compare;
pub mod conflicts;
pub mod design;
pub mod eval;
pub mod fmt;
pub mod health;
pub mod impact;
pub mod lsp;
pub mod new;
pub mod odds;
pub mod play;
mod profile;
pub mod record;
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
