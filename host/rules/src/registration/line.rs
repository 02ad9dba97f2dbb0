//! What mods register as lines of rules that are open.

use std::any::Any;
use std::rc::Rc;

use kernel::value::Name;

use super::Origin;
use crate::lines::{LineWords, Verb};

/// A line as a mod gives it.
#[derive(Clone, Debug)]
pub struct RawLine {
    /// The rule.
    pub rule: Name,
    /// What it does.
    pub verb: Verb,
    /// Clauses or mods whose `set` or `case` it goes before.
    pub over: Rc<[Name]>,
    /// Its condition, its value, its reason: only the machine of scripts knows
    /// what it holds.
    pub spec: Rc<dyn Any>,
    /// What of it can be read.
    pub words: LineWords,
    /// Where it comes from.
    pub origin: Origin,
    /// Its place among all lines that were registered.
    pub registered: usize,
}
