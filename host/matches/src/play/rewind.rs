//! Taking a match back, and going on with it by other rules.

use std::rc::Rc;
use std::sync::Arc;

use kernel::engine::{Play, Wanted};
use kernel::error::Refusal;
use kernel::record::{encode, settled};

use crate::play::game_match::mark_of;
use crate::play::{Cut, Invalidation, Match, SubmitError};
use crate::record::{RulesRecord, input_line, player_line, reload_line, undo_line};
use rules::rulebook::Rulebook;

impl Match {
    /// Forgets the inputs after the first `keep`; the game is put right by the
    /// caller.
    pub(super) fn cut(&mut self, keep: usize) {
        if let Some(before) = self.history.cut(keep) {
            self.events.truncate(before.events);
            self.events_hash = before.events_hash;
            self.cuts.push(Cut {
                events: before.events,
                decisions: keep,
            });
        }
        self.inputs.truncate(keep);
        if let Some(log) = &mut self.dependencies {
            log.truncate(keep);
        }
        self.causes.cut(keep);
        self.recorded_inputs.truncate(keep);
    }

    /// What a fault that a record tells of did: the last inputs are undone.
    pub fn obey_fault(&mut self, undone: usize, line: String) {
        let keep = self.history.len().saturating_sub(undone);
        if undone > 0 && undone == self.inputs_in_action() {
            // As it was done then, also where rules have changed in mid-action.
            self.play.take_action_back();
        } else if let Some(before) = self.history.get(keep) {
            self.play = before.play.clone();
        }
        self.cut(keep);
        self.lines.push(line);
    }

    /// Takes over from a record who decides for a side: nothing of the game.
    pub fn obey_player(&mut self, side: &str, bot: Option<&str>) {
        self.lines.push(player_line(side, bot));
    }

    /// Takes play back to where so many inputs had been taken; from then on
    /// draws are those of an epoch: the same as before for the same epoch.
    ///
    /// # Errors
    /// A refusal when there were never so many; a fault of the rules in force
    /// now, if those of then were others; a journal that cannot be written.
    pub fn undo(&mut self, keep: usize, epoch: u32) -> Result<(), SubmitError> {
        let Some(before) = self.history.get(keep) else {
            let refusal = Refusal::new("taking back", "there is nothing to take back");
            return Err(SubmitError::Refusal(refusal));
        };
        let (mut play, events_hash) = (before.play.clone(), before.events_hash);
        self.adopted(&mut play, &self.rulebook.clone())?;
        play.game_mut().set_epoch(epoch);
        // A step that was open there has run by the rules of now, and may be over.
        let events = play.take_events();
        let events_hash = settled(&events_hash, &events, play.game().world());
        play.keep_digests();
        let mark = mark_of(&play, &events_hash);
        self.write(undo_line(self.history.len() - keep, epoch, &mark))?;
        self.play = play;
        self.cut(keep);
        self.events.extend(events);
        self.events_hash = events_hash;
        self.epochs = self.epochs.max(epoch);
        Ok(())
    }

    /// An epoch that there never was.
    pub fn next_epoch(&self) -> u32 {
        self.epochs + 1
    }

    /// Sets the epoch of the inputs to come, before the first of them: to
    /// play a record again.
    pub fn set_epoch(&mut self, epoch: u32) {
        self.play.game_mut().set_epoch(epoch);
        self.epochs = self.epochs.max(epoch);
    }

    /// Brings a state of the game under a rulebook, if it is under another.
    pub(super) fn adopted(
        &self,
        play: &mut Play,
        rulebook: &Rc<Rulebook>,
    ) -> Result<(), SubmitError> {
        if Arc::ptr_eq(play.game().book(), rulebook.book()) {
            return Ok(());
        }
        let request = rulebook.running().request();
        let outcome = play.adopt(&**rulebook, rulebook.book());
        drop(request);
        outcome.map_err(|fault| SubmitError::Fault { fault, undone: 0 })
    }

    /// Goes on by other rules, and leaves the past as it was; what changed
    /// between the two is told for a later reload.
    ///
    /// # Errors
    /// A fault when the state does not fit the new rules: nothing has changed
    /// then. A journal that cannot be written.
    pub fn go_on_by(
        &mut self,
        rulebook: Rc<Rulebook>,
        rules: RulesRecord<'_>,
        invalidation: &Invalidation,
    ) -> Result<(), SubmitError> {
        let mut play = self.play.clone();
        let is_asking = matches!(play.wanted(), Wanted::Answer { .. });
        match invalidation {
            Invalidation::These(_) if !is_asking => play.rebind(rulebook.book()),
            _ => self.adopted(&mut play, &rulebook)?,
        }
        // An open step was run anew.
        let events = play.take_events();
        let events_hash = settled(&self.events_hash, &events, play.game().world());
        play.keep_digests();
        let mark = mark_of(&play, &events_hash);
        self.write(reload_line(None, rules, &mark))?;
        self.hold_rules(invalidation);
        self.play = play;
        self.cuts.push(Cut {
            events: self.events.len(),
            decisions: self.recorded_inputs.len(),
        });
        self.events.extend(events);
        self.events_hash = events_hash;
        self.left.is_some = true;
        self.left.had_secrets |= self.rulebook.book().has_secrets();
        self.rulebook = rulebook;
        if let Some(log) = &mut self.dependencies {
            log.leave_past(invalidation);
            log.changes_rulebook();
        }
        Ok(())
    }

    /// Puts another course of the same game in place of this one, which comes
    /// back: the inputs so far as they are under other rules.
    ///
    /// # Errors
    /// A journal that cannot be written.
    pub fn put_in_place(
        &mut self,
        mut other: Match,
        rules: RulesRecord<'_>,
    ) -> Result<Match, SubmitError> {
        // Dice that players agreed to throw anew stay thrown.
        other.set_epoch(self.play.game().epoch());
        // Inputs that were set aside before, and are taken now, are new to the
        // journal, as those are that come after one that is left out.
        let kept = std::iter::zip(&self.recorded_inputs, &other.recorded_inputs)
            .take_while(|(a, b)| a == b)
            .count();
        let mut lines = vec![reload_line(Some(kept), rules, &other.mark_before(kept))];
        for place in kept..other.inputs.len() {
            let text = encode(
                &other.inputs[place],
                other.history[place].play.game().world(),
            );
            let key = other.recorded_inputs[place].key.as_deref();
            lines.push(input_line(&text, key, &other.mark_before(place + 1)));
        }
        self.write_all(lines)?;
        other.lines = std::mem::take(&mut self.lines);
        other.is_recorded = self.is_recorded;
        other.journal = self.journal.take();
        other.epochs = self.epochs.max(other.epochs);
        other.cuts = std::mem::take(&mut self.cuts);
        let same = std::iter::zip(self.events.iter(), other.events.iter())
            .take_while(|(a, b)| a == b)
            .count();
        other.cuts.push(Cut {
            events: same,
            decisions: kept,
        });
        other.checks_twice = self.checks_twice;
        Ok(std::mem::replace(self, other))
    }
}
