//! What to look for in the files of mods.

use std::path::Path;

/// What to look at.
#[derive(Clone, Copy, Default)]
pub struct LintRequest<'a> {
    /// One file of each mod; all without it.
    pub file: Option<&'a str>,
    /// Where what was found is kept, by what is in the files.
    pub kept_in: Option<&'a Path>,
}
