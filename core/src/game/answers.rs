//! What is found out about a game and kept until something changes.
//!
//! What rules answer is kept by whoever calls them, for as long as what they
//! have read is the same: see [`crate::query`]. Here is the number that says
//! whether anything has changed at all.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::game::Game;
use crate::query::Revision;
use crate::stamp::Stamp;
use crate::value::{EntityId, Side};
use crate::world::Viewer;

/// The entities of a kind that each side owns.
type Owned = FxHashMap<(Side, u16), Arc<[EntityId]>>;

/// The number of the present state, but for its world, and what was found out.
#[derive(Debug)]
pub(crate) struct RuleAnswers {
    stamp: Stamp,
    /// The stamps of the phases that were open when somebody last looked.
    phases: Vec<Stamp>,
    /// What each side owned at a revision.
    owned: Option<(Revision, Owned)>,
}

impl Default for RuleAnswers {
    fn default() -> RuleAnswers {
        RuleAnswers { stamp: Stamp::fresh(), phases: Vec::new(), owned: None }
    }
}

/// A copy of a game is in the same state until one of the two changes.
impl Clone for RuleAnswers {
    fn clone(&self) -> RuleAnswers {
        RuleAnswers { stamp: self.stamp, phases: self.phases.clone(), owned: None }
    }
}

impl RuleAnswers {
    /// The number of the present state, but for its world.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Something changes.
    pub fn forget(&mut self) {
        self.stamp = Stamp::fresh();
    }
}

impl Game {
    /// Something changes that rules can read, besides the world.
    pub(crate) fn forget_answers(&mut self) {
        self.answers.forget();
    }

    /// Something changes that everything may rest on.
    pub(crate) fn begin_era(&mut self) {
        self.era = Stamp::fresh();
        self.answers.forget();
    }

    /// Looks whether other phases are open than before: rules are about to be
    /// asked.
    pub(crate) fn follow_flow(&mut self) {
        let now = || self.flow.phases().map(|phase| phase.stamp.0);
        if !now().eq(self.answers.phases.iter().copied()) {
            self.answers.phases = now().collect();
            self.answers.forget();
        }
    }

    /// The entities of a kind that a side owns, and knows that it owns, in the
    /// order of [`Game::known_of_kind`].
    pub(crate) fn owned(&mut self, side: Side, kind: u16) -> Arc<[EntityId]> {
        let now = self.revision();
        if self.answers.owned.as_ref().is_none_or(|(then, _)| *then != now) {
            self.answers.owned = Some((now, Owned::default()));
        }
        if let Some(owned) = self.answers.owned.as_ref().and_then(|(_, owned)| owned.get(&(side, kind))) {
            return owned.clone();
        }
        let viewer = Viewer::Side(side);
        let known = self.known_of_kind(viewer, kind);
        let owned: Arc<[EntityId]> =
            known.into_iter().filter(|entity| self.owns_openly(viewer, side, *entity)).collect();
        if let Some((_, all)) = &mut self.answers.owned {
            all.insert((side, kind), owned.clone());
        }
        owned
    }

    fn owns_openly(&self, viewer: Viewer, side: Side, entity: EntityId) -> bool {
        self.world.owner(entity) == Some(side)
            && self.world.viewers(entity, crate::world::SIDE).is_ok_and(|viewers| viewers.contains(viewer))
    }
}
