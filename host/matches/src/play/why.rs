//! Why something happened in a match: the decision behind it is made again from
//! the state before it, and this time what its steps do is noted.
//!
//! A match keeps the state before each decision, and the same state, rules and
//! decision come to the same: so play notes nothing for whoever may ask later.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::decision::Input;
use kernel::engine::{Play, SeenEvent};
use kernel::event::{Event, Remark};
use kernel::game::Game;
use kernel::record::decode;
use kernel::value::Name;
use kernel::world::Viewer;
use rules::rulebook::Rulebook;
use rules::types::Unit;

use crate::explain::{InputTrace, Scene, Trail, Why, WhyLine};
use crate::play::settled::begins_phase;
use crate::play::{Invalidation, Match};
use crate::report::{Phrases, Report, ReportOptions, decision_words, label};

/// More rulebooks of before are not held: by the oldest of more than these, what
/// it is held for is made again at once.
const MOST_EARLIER: usize = 4;

/// What it takes to make inputs again, by their places; none is what happened
/// before the first.
pub(super) struct Causes {
    /// The game before anything happened.
    origin: Game,
    /// Rules of before, with the inputs that may come out otherwise by those in
    /// force, the oldest first.
    earlier: Vec<(Rc<Rulebook>, BTreeSet<Option<usize>>)>,
    /// What inputs did that were made again already.
    known: RefCell<BTreeMap<Option<usize>, InputTrace>>,
}

impl Causes {
    /// Those of a match that begins from that game.
    pub fn new(origin: Game) -> Causes {
        Causes {
            origin,
            earlier: Vec::new(),
            known: RefCell::default(),
        }
    }

    /// Those of another match that began the same.
    pub fn begun(&self) -> Causes {
        let begun = Causes::new(self.origin.clone());
        begun.take_over(self, None);
        begun
    }

    /// What another match knows of an input that came out the same there.
    pub fn take_over(&self, from: &Causes, input: Option<usize>) {
        if let Some(known) = from.known.borrow().get(&input) {
            self.known.borrow_mut().insert(input, known.clone());
        }
    }

    /// Forgets all inputs from that one on.
    pub fn cut(&mut self, keep: usize) {
        let stays = |input: &Option<usize>| input.is_none_or(|input| input < keep);
        self.known.get_mut().retain(|input, _| stays(input));
        for (_, inputs) in &mut self.earlier {
            inputs.retain(stays);
        }
        self.earlier.retain(|(_, inputs)| !inputs.is_empty());
    }

    /// The rules that an input is to be made again by, where those in force may
    /// come to something else.
    fn rules_of(&self, input: Option<usize>) -> Option<&Rc<Rulebook>> {
        self.earlier
            .iter()
            .find(|(_, inputs)| inputs.contains(&input))
            .map(|(rulebook, _)| rulebook)
    }

    /// Whether an input can be made again without rules that may go.
    fn is_settled(&self, input: Option<usize>) -> bool {
        self.known.borrow().contains_key(&input) || self.rules_of(input).is_some()
    }
}

impl Match {
    /// Other rules are about to take the place of those in force, and the past
    /// stays as it was: holds these for what may come out otherwise.
    pub(super) fn hold_rules(&mut self, invalidation: &Invalidation) {
        let affected = self
            .dependencies
            .as_ref()
            .map(|log| log.affected_by(invalidation));
        let may_differ = |input: &Option<usize>| match (&affected, input) {
            (None, _) => true,
            (Some(affected), None) => affected.is_start,
            (Some(affected), Some(place)) => affected.decisions.get(*place) != Some(&false),
        };
        let inputs: BTreeSet<_> = std::iter::once(None)
            .chain((0..self.inputs.len()).map(Some))
            .filter(|input| !self.causes.is_settled(*input) && may_differ(input))
            .collect();
        if !inputs.is_empty() {
            self.causes.earlier.push((self.rulebook.clone(), inputs));
        }
        if self.causes.earlier.len() > MOST_EARLIER {
            let oldest = self.causes.earlier[0].1.clone();
            oldest.iter().for_each(|input| _ = self.trace_of(*input));
            self.causes.earlier.remove(0);
        }
    }

    /// What an input did; none when it cannot be made again.
    fn trace_of(&self, input: Option<usize>) -> Option<InputTrace> {
        if let Some(known) = self.causes.known.borrow().get(&input) {
            return Some(known.clone());
        }
        let rulebook = self.causes.rules_of(input).unwrap_or(&self.rulebook);
        // It was done in time once, and takes longer while it is noted.
        let patience = rulebook.running().watch(None);
        let request = rulebook.running().request();
        let (is_done, steps) = rulebook.noting_steps(|| self.is_made_again(rulebook, input));
        drop(request);
        rulebook.running().watch(patience);
        let trace = InputTrace {
            steps: steps.into(),
            layers: rulebook.layers().clone(),
        };
        is_done.then(|| {
            self.causes.known.borrow_mut().insert(input, trace.clone());
            trace
        })
    }

    fn is_made_again(&self, rulebook: &Rc<Rulebook>, input: Option<usize>) -> bool {
        let book = rulebook.book();
        let Some(place) = input else {
            let mut game = self.causes.origin.clone();
            if !Arc::ptr_eq(game.book(), book) {
                game.rebind(book);
            }
            return Play::start(game, &**rulebook).is_ok();
        };
        let (Some(before), Some(input)) = (self.history.get(place), self.inputs.get(place)) else {
            return false;
        };
        let mut play = before.play.clone();
        if !Arc::ptr_eq(play.game().book(), book) {
            play.rebind(book);
        }
        play.submit(&**rulebook, input).is_ok()
    }

    /// The input in which an event happened, and how many there were before it.
    fn input_of(&self, event: usize) -> (Option<usize>, usize) {
        let begun = self.history.begun_by(event);
        match begun.checked_sub(1) {
            Some(input) => (Some(input), self.history[input].events),
            None => (None, 0),
        }
    }

    /// The tree of rules behind an event, by its place in [`Match::events`]; none
    /// if no step told it.
    pub fn why(&self, event: usize) -> Option<Why> {
        if event >= self.events.len() {
            return None;
        }
        let mut inputs = vec![self.input_of(event).0];
        // What led to it may have been put on the agenda by an earlier input.
        while let Some(Some(input)) = inputs.last()
            && self.history[*input].play.game().flow().has_steps()
        {
            inputs.push(input.checked_sub(1));
        }
        let mut trail = Trail::default();
        for input in inputs.into_iter().rev() {
            let before = input.map_or(0, |input| self.history[input].events);
            trail.add(input, before, &self.trace_of(input)?);
        }
        trail.why(&self.rulebook, event)
    }

    /// Whether an event is the last that its step told.
    pub fn ends_step(&self, event: usize) -> bool {
        let (input, before) = self.input_of(event);
        event < self.events.len()
            && self
                .trace_of(input)
                .is_some_and(|trace| trace.ends_step(event - before))
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            rulebook: self.rulebook(),
            events: self.settled_events(),
            is_from_start: !self.is_without_past,
            game: self.game(),
        }
    }

    /// The tree behind an event, in lines; whole, or only what has dice,
    /// chits, tables, options, clauses or house rules in it. Nothing if no
    /// step told the event.
    pub fn why_lines(&self, event: usize, unit: Unit, is_whole: bool) -> Vec<WhyLine> {
        self.why(event)
            .map_or_else(Vec::new, |why| self.scene().why_lines(&why, unit, is_whole))
    }

    /// The same for nothing but the step that told the event.
    pub fn step_lines(&self, event: usize, unit: Unit) -> Vec<WhyLine> {
        self.why(event)
            .map_or_else(Vec::new, |why| self.scene().step_lines(&why, unit))
    }

    /// What to say of an event that no step told, which has that number for whoever
    /// asks.
    pub fn told_by_nobody(&self, event: usize, number: usize, unit: Unit) -> String {
        let text = self.event_text(event, unit);
        let what = match text.is_empty() {
            true => String::new(),
            false => format!(": {text}"),
        };
        format!("no rule told event {number}, the game itself did{what}")
    }

    /// The lines of the report for an event, for the referee.
    pub fn event_text(&self, event: usize, unit: Unit) -> String {
        self.scene().event_text(event, unit)
    }

    /// What an event tells, for whoever must read something of it: where a report leaves an
    /// action to what happens in it, the first of that which it tells; else the event itself.
    pub fn event_words(&self, event: usize, unit: Unit) -> String {
        self.scene().event_words(event, unit)
    }

    /// The turn and the phase in which an event happens, as the heading of a report for the referee has them; nothing
    /// before the first phase.
    pub fn heading_at(&self, event: usize, unit: Unit) -> Option<String> {
        let options = ReportOptions {
            unit,
            causes: false,
        };
        let mut report = Report::new(options, self.rulebook().book());
        report.begin_after(&self.phases_before(event.saturating_add(1), Viewer::Referee));
        report.heading()
    }

    /// The phases that began before an event, as a viewer is told of them. The events of a step that waits for an
    /// answer come after those that are settled.
    pub fn phases_before(&self, event: usize, viewer: Viewer) -> Vec<SeenEvent> {
        let waiting = event.saturating_sub(self.events.len());
        let waiting = self.game().open_events().iter().take(waiting);
        let waiting = waiting.filter(|event| begins_phase(event));
        let before = self.events.phases_before(event).chain(waiting);
        let phases: Vec<Event> = before.cloned().collect();
        self.game().show_events(viewer, &phases)
    }

    /// A decision that was taken, by its place, in the words of a report for the referee.
    pub fn decision_words(&self, place: usize, unit: Unit) -> String {
        let input = self.inputs.get(place);
        input.map_or_else(String::new, |input| {
            words_in(input, self.game_before(place), self.remarks_of(place), unit)
        })
    }

    /// The words beside what was chosen in a decision, where it was an action or a reaction.
    pub fn remarks_of(&self, place: usize) -> Vec<(Name, Name)> {
        let taken = self.events_before(place)..self.events_before(place.saturating_add(1));
        let is_act = |event: &&Event| matches!(&*event.kind, "action" | "reaction");
        let told = self
            .events
            .get(taken)
            .and_then(|events| events.iter().find(is_act));
        let words = |remark: &Remark| (remark.place.clone(), remark.words.clone());
        told.map_or_else(Vec::new, |event| event.remarks.iter().map(words).collect())
    }

    /// A decision as a record writes it in the same words, if it can be read as the game
    /// stands; else as it is written.
    pub fn recorded_words(&self, text: &str, unit: Unit) -> String {
        match decode(text, self.game().world()) {
            Ok(input) => words_in(&input, self.game(), Vec::new(), unit),
            Err(_) => text.to_string(),
        }
    }
}

fn words_in(input: &Input, game: &Game, remarks: Vec<(Name, Name)>, unit: Unit) -> String {
    let names = |entity| label(game, Viewer::Referee, entity);
    let say = Phrases {
        unit,
        names: &names,
    };
    decision_words(input, game, remarks, say)
}
