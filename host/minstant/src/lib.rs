//! The clock of the system, under the name of a crate that some of our libraries
//! ask for. README.md says why.
#![forbid(unsafe_code)]

pub use std::time::Instant;
