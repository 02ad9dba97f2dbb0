//! What a game knows of those before it: which things have parted how often.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::LEAST;
use crate::about::Lines;
use crate::parting::SetUp;

/// How often things have parted before a game.
#[derive(Clone, Default)]
pub enum Known {
    /// Nothing has.
    #[default]
    Nothing,
    /// Each so many times.
    Counts(Rc<BTreeMap<String, usize>>),
    /// Often enough, but for what some lines of a mod are about.
    AllBut(Rc<Lines>),
}

impl Known {
    pub(super) fn count(&self, what: &str) -> usize {
        match self {
            Known::Nothing => 0,
            Known::Counts(counts) => counts.get(what).copied().unwrap_or(0),
            Known::AllBut(lines) => {
                if lines.are_about(what) {
                    0
                } else {
                    LEAST
                }
            }
        }
    }

    /// Whether something is worth parting in: of what some lines are about that alone.
    pub(super) fn is_wanted(&self, what: &str) -> bool {
        let Known::AllBut(lines) = self else {
            return true;
        };
        lines.are_about(what)
    }

    /// How often what is wanted is tried at least, where so many twins can go beside a game.
    pub(super) fn least_turns(&self, most: usize) -> usize {
        if matches!(self, Known::AllBut(_)) {
            most
        } else {
            0
        }
    }

    /// Whether a change of the set-up is in an attribute that they look at.
    pub(super) fn looks_at(&self, change: &SetUp) -> bool {
        let Known::AllBut(lines) = self else {
            return false;
        };
        change
            .cells
            .iter()
            .any(|(_, attribute, _)| lines.look_at(attribute))
    }
}
