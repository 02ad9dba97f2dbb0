//! Running a copy of a game bit by bit: for those who look at every way that it can go.
//!
//! Play goes through [`Play::submit`](super::Play::submit), which runs to the next decision or takes all of it
//! back. Here a caller holds copies, runs one thing of the agenda at a time under a source of chance of its
//! own, and sees between any two of them what each copy has come to.

use crate::chance::{Chance, Enumeration};
use crate::decision::Input;
use crate::digest::{StateHash, StateHasher};
use crate::engine::Rejected;
use crate::engine::advance::AgendaProgress;
use crate::error::{Fault, FaultCode};
use crate::game::{Game, Guard, RunningStep};
use crate::rules::{Rules, Stop};
use crate::sequence::Frame;
use crate::value::{EntityId, Name, Side, Value};

impl Game {
    /// A copy to be played apart from the game: with another source of chance, no queued answers, nothing
    /// noted, and for `eyes` only what that side may see: a step that reads more is a fault there, and windows
    /// are let go by.
    #[must_use]
    pub fn apart(&self, chance: Chance, eyes: Option<Side>) -> Game {
        let mut copy = self.clone();
        copy.chance = chance;
        copy.eyes = eyes;
        copy.queued_answers.clear();
        copy.happened.clear();
        copy.watch = None;
        copy.reads = None;
        copy
    }

    /// Puts a step aside that waits for an answer: the state stays as everybody sees it now, and the step
    /// stays on the agenda.
    pub fn leave_step(&mut self) {
        *self.running = RunningStep::default();
    }

    /// Takes an input without running what follows from it.
    ///
    /// # Errors
    /// A refusal, or a fault of the rules that check it. The copy is then of no use.
    pub fn begin(&mut self, rules: &dyn Rules, input: &Input) -> Result<(), Rejected> {
        self.take(rules, input)
    }

    /// Puts a step on the agenda, as one of the side whose go it is.
    pub fn begin_step_of(&mut self, rule: &Name, args: &[Value]) {
        let by = self.flow.acting();
        self.flow.push_step(rule, args, by);
    }

    /// Runs what comes first on the agenda; false once the game waits for somebody.
    ///
    /// # Errors
    /// A fault of what runs. The copy is then of no use.
    pub fn go_on(&mut self, rules: &dyn Rules) -> Result<bool, Fault> {
        let progress = self.run_next(rules);
        self.forget_answers();
        Ok(progress? == AgendaProgress::GoesOn)
    }

    /// Calls a rule as a step would, and puts what it pushes on the agenda. `None` where it asks a question:
    /// call it again once that is answered.
    ///
    /// # Errors
    /// A fault of the rule. The copy is then of no use.
    pub fn call_as_step(
        &mut self,
        rules: &dyn Rules,
        rule: &Name,
        args: &[Value],
    ) -> Result<Option<Value>, Fault> {
        self.begin_step();
        self.running.by = self.flow.acting();
        self.guard = self.step_guard();
        let outcome = rules.call(self, rule, args);
        self.guard = Guard::STEP;
        match (outcome, self.running.asking.is_some()) {
            (Ok(value), false) => {
                let pushed = self.end_step();
                self.flow.agenda.extend(pushed.into_iter().rev());
                self.notice();
                self.forget_answers();
                Ok(Some(value))
            }
            (Err(Stop::Asked), true) => Ok(None),
            (Err(Stop::Fault(fault)), _) => Err(fault.in_rule(rule)),
            (Ok(_), true) | (Err(Stop::Asked), false) => {
                let message =
                    "expected a rule that stops at a question without an answer, found another";
                Err(Fault::new(FaultCode::BadQuestion, message).in_rule(rule))
            }
        }
    }

    /// All ways on from here: a step that waits for an answer runs again, and comes to its draws as they fell.
    pub fn ways_on(&self) -> Enumeration {
        match self.running.start.is_some() {
            true => Enumeration::after(&self.chance),
            false => Enumeration::in_order(self.chance.handful_order()),
        }
    }

    /// How many things lie on the agenda.
    pub fn agenda_len(&self) -> usize {
        self.flow.agenda.len()
    }

    /// Whether a phase comes next; it may be one that has yet to begin.
    pub fn is_at_phase(&self) -> bool {
        matches!(self.flow.top(), Some(Frame::Phase(_)))
    }

    /// Whether a secret phase is open.
    pub fn is_in_secret(&self) -> bool {
        self.flow.is_secret()
    }

    /// How many entities there have ever been.
    pub fn entities_made(&self) -> usize {
        self.world.slots()
    }

    /// Whether the decks lie as they do in another copy of this game that this one was made from.
    pub fn has_decks_of(&self, other: &Game) -> bool {
        std::sync::Arc::ptr_eq(&self.decks, &other.decks) || self.decks == other.decks
    }

    /// Whether chits of a pot are out, and stay out.
    pub fn has_chits_out(&self, pot: &str) -> bool {
        self.pots.get(pot).is_some_and(|pot| pot.outside() > 0)
    }

    /// Equal for two copies of a game only if the same runs in both from here on, whatever is drawn: it covers
    /// the state, and with it the agenda; what names and numbers the next new things get; and at a question
    /// the draws of the step that waits, which runs again.
    pub fn likeness(&mut self) -> StateHash {
        self.keep_digests();
        let state = self.hash();
        let mut writer = StateHasher::new("likeness");
        writer.hash(&state);
        for (stem, count) in self.named.iter() {
            writer.text(stem);
            writer.number(u64::from(*count));
        }
        let mut write = |entities: &[EntityId]| {
            writer.number(entities.len() as u64);
            entities
                .iter()
                .for_each(|entity| writer.number(u64::from(entity.0)));
        };
        self.sightings.iter().for_each(|seen| write(seen));
        write(&self.unnoticed);
        if self.running.start.is_some() {
            for fork in self.chance.forks() {
                writer.number(u64::from(fork.chosen()));
                writer.number(fork.total() as u64);
            }
        }
        writer.sum()
    }
}
