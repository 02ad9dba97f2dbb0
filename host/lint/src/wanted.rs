//! What to look for in the files of a mod, and what was found.

use std::path::Path;

use kernel::error::Fault;

/// What was found.
#[derive(Default, Debug)]
pub struct Looked {
    /// What is wrong in every game.
    pub problems: Vec<Fault>,
    /// What goes wrong in some: types that do not fit, rules whose clause may be
    /// off, wraps that swallow others.
    pub advice: Vec<Fault>,
}

/// What to look at.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// One file of the mod; all without it.
    pub file: Option<&'a str>,
    /// Where what was found is kept, by what is in the files.
    pub kept_in: Option<&'a Path>,
}
