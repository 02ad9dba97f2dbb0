//! Houserule over WebSocket and HTTP: matches that people join from a browser
//! or from a program of their own, each with a seat.
//!
//! The messages are those of `houserule::embed::rpc`, word for word; this crate
//! only carries them. What a seat may do and see the engine decides.
//!
//! What it refuses to know: the rules of any game, what a view shows, files
//! named by a client. Encryption is a proxy's.
//!
//! Read [`room`], a match on a thread of its own, and [`watching`], what it looks at
//! beside those who are in it, and `turns`, who is heard when; then [`hall`], all rooms and
//! who may enter, and [`branches`], which opens more of them beside one; then
//! [`door`], what comes over the network, [`guard`], what is turned away there, and
//! `held`, how many connections there are and how they end.

#![expect(
    clippy::disallowed_types,
    reason = "connections have a clock; nothing that they read off it reaches a match"
)]

pub mod branches;
pub mod door;
pub mod guard;
pub mod hall;
mod held;
mod page;
pub mod room;
mod turns;
pub mod watching;

pub use branches::Branches;
pub use door::{Serving, serve};
pub use hall::Hall;
pub use room::{BranchOpener, Opening, Room, since_1970};
