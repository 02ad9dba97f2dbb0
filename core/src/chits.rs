//! chits
