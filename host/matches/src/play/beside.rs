//! A decision of a match made by other rules, beside it.

use std::collections::BTreeSet;
use std::rc::Rc;

use kernel::chance::Chance;
use kernel::value::Name;

use crate::play::dependencies::reaching;
use crate::play::history::History;
use crate::play::settled::SettledEvents;
use crate::play::{Match, SubmitError};
use rules::rulebook::Rulebook;

impl Match {
    /// The match as it was before a decision, from 0, under other rules, without
    /// its past: for what one decision comes to by them.
    ///
    /// # Errors
    /// When that state does not fit the other rules.
    pub fn beside(&self, decision: usize, rulebook: &Rc<Rulebook>) -> Result<Match, SubmitError> {
        let before = self
            .history
            .get(decision)
            .map_or(&self.play, |before| &before.play);
        let mut play = before.clone();
        self.adopted(&mut play, rulebook)?;
        // An open step was run anew; what it told was told before.
        play.take_events();
        Ok(Match {
            rulebook: rulebook.clone(),
            setup: self.setup.clone(),
            play,
            events: SettledEvents::default(),
            events_hash: self.events_hash_before(decision),
            inputs: Vec::new(),
            recorded_inputs: Vec::new(),
            history: History::default(),
            keeps_past: true,
            lines: Vec::new(),
            journal: None,
            is_recorded: true,
            epochs: self.epochs,
            cuts: Vec::new(),
            checks_twice: false,
            is_without_past: true,
            causes: self.causes.begun(),
            dependencies: None,
            left: self.left,
        })
    }

    /// Throws the dice and draws of all that comes from another seed: for what else a decision may come to.
    pub fn set_luck(&mut self, seed: u64) {
        self.play.game_mut().set_chance(Chance::seeded(seed));
    }
}

/// Does some work, and tells which clauses were behind what it reached.
pub fn clauses_behind<T>(rulebook: &Rulebook, work: impl FnOnce() -> T) -> (T, BTreeSet<Name>) {
    let (result, marks) = reaching(rulebook, work);
    let marks = marks.unwrap_or_default();
    let texts = marks
        .iter()
        .filter_map(|mark| std::str::from_utf8(mark).ok());
    let found = texts.flat_map(|mark| rulebook.clauses_at(mark)).collect();
    (result, found)
}
