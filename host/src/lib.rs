//! Mods over the Houserule kernel: reading, checking, ordering and choosing them.

pub mod data;
pub mod modset;
pub mod types;
