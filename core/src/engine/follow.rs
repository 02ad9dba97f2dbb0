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
        let is_alike = self.inputs_in_action == other.inputs_in_action
            && self.game.is_at_rest()
            && other.game.is_at_rest()
            && self.game.stands_as(&other.game);
        if !is_alike {
            return None;
        }
        let since =
            since.map(|(mine, theirs, cells)| (&*mine.game.world, &*theirs.game.world, cells));
        let now = self.game.world.differing_cells(&other.game.world, since)?;
        Some(now.and(&self.game.running.differing_cells(&other.game.running)?))
    }

    /// Does what an input did in another course, between these two states of
    /// it, the first of which must differ from this one in attributes alone that
    /// the input neither read nor wrote. False, and nothing done, where a secret
    /// phase is open after it.
    pub fn follow(&mut self, before: &Play, after: &Play) -> bool {
        self.reader.hand_over(&mut self.game);
        if !after.game.is_at_rest()
            || !(self.game.world).can_grow_as(&before.game.world, &after.game.world)
        {
            return false;
        }
        let Some(running) = self.game.running_as(&before.game, &after.game) else {
            return false;
        };
        if after.inputs_in_action == 1 {
            self.action_start = self.game.clone();
        }
        self.inputs_in_action = after.inputs_in_action;
        self.game.follow(&before.game, &after.game, running);
        true
    }
}

impl Game {
    /// Whether no secret phase is open, nothing is queued, and a step that is
    /// open waits for an answer.
    fn is_at_rest(&self) -> bool {
        self.running.start.is_some() == self.running.asking.is_some()
            && self.happened.is_empty()
            && self.queued_answers.is_empty()
            && self.eyes.is_none()
            && !self.flow.is_secret()
    }

    /// The step that another game has open after an input, as it stands in this
    /// one: with what it is taken back to here. `None` where that cannot be told.
    fn running_as(&self, before: &Game, after: &Game) -> Option<RunningStep> {
        let mut running = RunningStep::clone(&after.running);
        let Some(start) = &mut running.start else {
            return Some(running);
        };
        match &self.running.start {
            Some(mine) if before.flow.step == after.flow.step => start.clone_from(mine),
            _ => start.stand_in(&self.world, &before.world)?,
        }
        Some(running)
    }

    /// Whether all but what is in the world is as in another game.
    fn stands_as(&self, other: &Game) -> bool {
        // For what reasons dice were shifted does not count there.
        self.flow == other.flow
            && !self.flow.holds_die()
            && self.running.stands_as(&other.running)
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
    fn follow(&mut self, before: &Game, after: &Game, running: RunningStep) {
        self.world.follow(&before.world, &after.world);
        *self.running = running;
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

impl RunningStep {
    /// Whether all but what it is taken back to is as in another.
    fn stands_as(&self, other: &RunningStep) -> bool {
        (&self.answers, &self.asking, self.by) == (&other.answers, &other.asking, other.by)
            && (self.asked, self.draws, self.shuffles) == (other.asked, other.draws, other.shuffles)
            && (&self.events, &self.pushed) == (&other.events, &other.pushed)
            && self.start.is_some() == other.start.is_some()
    }

    /// The attributes in which what it is taken back to differs.
    fn differing_cells(&self, other: &RunningStep) -> Option<CellSet> {
        match (&self.start, &other.start) {
            (Some(mine), Some(theirs)) => mine.differing_cells(theirs),
            _ => Some(CellSet::default()),
        }
    }
}
