//! What is found out about a game and kept until something changes.
//!
//! What rules answer is kept by whoever calls them, for as long as what they
//! have read is the same: see [`crate::query`]. Here is the number that says
//! whether anything has changed at all.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::game::Game;
use crate::stamp::Stamp;
use crate::value::{EntityId, Side, Value};
use crate::world::{SIDE, Viewer};

/// The stamps of what an answer rests on.
type AnswerStamps = [Stamp; 5];

/// The entities of a kind that each side owns, and since when.
type Owned = FxHashMap<(Side, u16), (AnswerStamps, Arc<[EntityId]>)>;

/// The number of the present state, but for its world, and what was found out.
#[derive(Clone, Debug)]
pub(crate) struct RuleAnswers {
    stamp: Stamp,
    /// The stamps of the phases that were open when somebody last looked, and since when
    /// they are.
    phases: Vec<Stamp>,
    phases_at: Stamp,
    /// What each side owned when somebody last looked; copies of a game share it.
    owned: Arc<Owned>,
}

impl Default for RuleAnswers {
    fn default() -> RuleAnswers {
        RuleAnswers {
            stamp: Stamp::fresh(),
            phases: Vec::new(),
            phases_at: Stamp::fresh(),
            owned: Arc::default(),
        }
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
        if !self.are_phases_known() {
            let now = self.flow.phases().map(|phase| phase.stamp.0);
            self.answers.phases = now.collect();
            self.answers.phases_at = Stamp::fresh();
            self.answers.forget();
        }
    }

    /// Whether the phases are open that were when somebody last looked.
    fn are_phases_known(&self) -> bool {
        let now = self.flow.phases().map(|phase| phase.stamp.0);
        now.eq(self.answers.phases.iter().copied())
    }

    /// The stamp of all that can be read of phases.
    pub(super) fn phases_at(&self) -> Stamp {
        match self.are_phases_known() {
            true => self.answers.phases_at,
            false => Stamp::fresh(),
        }
    }

    /// The entities of a kind that a side owns, and knows that it owns, in the
    /// order of [`Game::known_of_kind`].
    pub(crate) fn owned(&mut self, side: Side, kind: u16) -> Arc<[EntityId]> {
        let since = self.owned_since(side, kind);
        let before = self
            .answers
            .owned
            .get(&(side, kind))
            .filter(|(then, _)| Some(*then) == since);
        if let Some((_, owned)) = before {
            return owned.clone();
        }
        let viewer = Viewer::Side(side);
        let known = self.known_of_kind(viewer, kind);
        let owned: Arc<[EntityId]> = known
            .into_iter()
            .filter(|entity| self.owns_openly(viewer, side, *entity))
            .collect();
        if let Some(since) = since {
            Arc::make_mut(&mut self.answers.owned).insert((side, kind), (since, owned.clone()));
        }
        owned
    }

    /// The stamps of what it rests on which entities of a kind a side owns, and in
    /// which order: who there is, who sees what of them, whose they are, and the
    /// numbers of those whose names are hidden. `None` while pads are open.
    fn owned_since(&mut self, side: Side, kind: u16) -> Option<AnswerStamps> {
        if self.flow.is_secret() {
            return None;
        }
        self.world.index(kind, SIDE);
        let wanted = Value::Text(self.world.sides().get(usize::from(side.0))?.clone());
        let held = self.world.bucket_stamp(kind, SIDE, &wanted)?;
        let (members, shown) = (
            self.world.members_stamp(kind)?,
            self.world.shown_stamp(kind)?,
        );
        Some([self.era, members, shown, held, self.sighted_at])
    }

    fn owns_openly(&self, viewer: Viewer, side: Side, entity: EntityId) -> bool {
        self.world.owner(entity) == Some(side)
            && self
                .world
                .viewers(entity, SIDE)
                .is_ok_and(|viewers| viewers.contains(viewer))
    }
}
