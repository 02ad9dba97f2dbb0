//! Two courses of one game, and an input that does in one what it did in the
//! other: what spares whoever makes a course again to make all of it.
//!
//! While an input is taken it is tracked which attributes are read or written,
//! in whatever runs. Where two states differ in other attributes alone, all
//! that ran would run the same, and leave the same: so what has changed in the
//! one can be put into the other. Where they differ in anything else, nothing
//! is said.

use std::sync::Arc;

use crate::cells::{CellSet, CellTracker, Tracked};
use crate::decision::Input;
use crate::engine::{Play, Rejected};
use crate::game::{Game, RunningStep};
use crate::rules::Rules;

impl Play {
    /// Takes an input, as [`Play::submit`] does, and tells which attributes of
    /// what was there before were read or written for it; `None` if that was not
    /// tracked to the end.
    ///
    /// # Errors
    /// As [`Play::submit`].
    pub fn submit_tracked(
        &mut self,
        rules: &dyn Rules,
        input: &Input,
    ) -> Result<Option<CellSet>, Rejected> {
        let game = self.game_mut();
        let kinds = game.world.schema().kinds().len();
        let tracker = CellTracker::new(game.world.slots(), kinds);
        game.tracked = Tracked(Some(Box::new(tracker)));
        let taken = self.submit(rules, input);
        let tracker = std::mem::take(&mut self.game.tracked).0;
        taken?;
        Ok(tracker.map(|tracker| tracker.into_cells()))
    }

    /// The attributes in which the game differs from another course of it.
    /// `None` where they differ in more: in what there is, who sees what, whose
    /// it is, where play stands, what is in pots and decks.
    ///
    /// What is known of two earlier states of both saves to look at what they
    /// have not written `since`.
    pub fn differing_cells(
        &self,
        other: &Play,
        since: Option<(&Play, &Play, &CellSet)>,
    ) -> Option<CellSet> {
        let since =
            since.map(|(mine, theirs, cells)| (&mine.game.world, &theirs.game.world, cells));
        let is_alike = self.inputs_in_action == other.inputs_in_action
            && self.game.is_idle()
            && other.game.is_idle()
            && self.game.stands_as(&other.game);
        is_alike
            .then(|| self.game.world.differing_cells(&other.game.world, since))
            .flatten()
    }

    /// Does what an input did in another course, between these two states of
    /// it, the first of which must differ from this one in attributes alone that
    /// the input neither read nor wrote. False, and nothing done, where it left
    /// a step open, or a secret phase.
    pub fn follow(&mut self, before: &Play, after: &Play) -> bool {
        self.reader.hand_over(&mut self.game);
        if !after.game.is_idle()
            || !self
                .game
                .world
                .has_room_for(&before.game.world, &after.game.world)
        {
            return false;
        }
        if after.inputs_in_action == 1 {
            self.action_start = self.game.clone();
        }
        self.inputs_in_action = after.inputs_in_action;
        self.game.follow(&before.game, &after.game);
        true
    }
}

impl Game {
    /// Whether no step and no secret phase is open, and nothing is queued.
    fn is_idle(&self) -> bool {
        let RunningStep {
            answers,
            asking,
            by,
            start,
            asked: _,
            draws: _,
            events,
            pushed,
        } = &self.running;
        answers.is_empty()
            && asking.is_none()
            && by.is_none()
            && start.is_none()
            && events.is_empty()
            && pushed.is_empty()
            && self.happened.is_empty()
            && self.queued_answers.is_empty()
            && self.eyes.is_none()
            && !self.flow.is_secret()
    }

    /// Whether all but what is in the world is as in another game.
    fn stands_as(&self, other: &Game) -> bool {
        // For what reasons dice were shifted does not count there.
        self.flow == other.flow
            && !self.flow.holds_die()
            && self.pots == other.pots
            && self.decks == other.decks
            && self.chance.is_seeded_as(&other.chance)
            && (self.epoch, self.salt, self.guard) == (other.epoch, other.salt, other.guard)
            && (self.table, self.turns) == (other.table, other.turns)
            && (&self.named, &self.sightings) == (&other.named, &other.sightings)
            && (&self.unnoticed, self.is_looked_at) == (&other.unnoticed, other.is_looked_at)
    }

    /// Changes as another game did between these two states. Stamps come with
    /// the values that they stand for.
    fn follow(&mut self, before: &Game, after: &Game) {
        self.world.follow(&before.world, &after.world);
        self.flow.clone_from(&after.flow);
        self.pots = Arc::clone(&after.pots);
        (self.decks, self.decks_at) = (Arc::clone(&after.decks), after.decks_at);
        (self.sightings, self.sighted_at) = (after.sightings.clone(), after.sighted_at);
        self.named = Arc::clone(&after.named);
        self.unnoticed.clone_from(&after.unnoticed);
        self.is_looked_at = after.is_looked_at;
        // Players may have agreed to throw dice anew before the next input.
        self.epoch = after.epoch;
        match before.era == after.era {
            true => self.forget_answers(),
            false => self.begin_era(),
        }
    }
}
