//! A match from its first decision to its last.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use kernel::decision::{Domain, Input};
use kernel::digest::StateHash;
use kernel::engine::{Legal, Play, Rejected, Stopping, View, Wanted};
use kernel::error::{Fault, FaultCode, Refusal};
use kernel::event::Event;
use kernel::game::Game;
use kernel::record::{encode, open, settled};
use kernel::value::{EntityId, Name, Side, Value};
use kernel::world::Viewer;

use crate::bot::{Bot, BotKind};
use crate::play::dependencies::{Dependencies, DependencyLog, noting};
use crate::play::history::{Before, History};
use crate::play::settled::SettledEvents;
use crate::play::why::Causes;
use crate::record::{Journal, Mark, begin_line, end_line, fault_line, input_line, player_line};
use crate::scenario::Setup;
use rules::printable;
use rules::rulebook::Rulebook;
use rules::rulebook::host::Marks;

/// Why an input was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubmitError {
    /// The rules do not allow it; nothing has changed.
    Refusal(Refusal),
    /// A mod is broken: the action that hit it is undone, with this many
    /// inputs that were taken before.
    Fault {
        /// What is broken.
        fault: Fault,
        /// How many inputs are undone with it.
        undone: u32,
    },
    /// The journal could not be written; nothing has changed.
    Unwritten(Fault),
}

/// Why something was rejected that was only looked at: nothing is undone with it.
fn rejected_unplayed(rejected: Rejected) -> SubmitError {
    match rejected {
        Rejected::Refusal(refusal) => SubmitError::Refusal(refusal),
        Rejected::Fault { fault, .. } => SubmitError::Fault { fault, undone: 0 },
    }
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmitError::Refusal(refusal) => refusal.fmt(f),
            SubmitError::Fault { fault, undone: 0 } => fault.fmt(f),
            SubmitError::Fault { fault, undone } => {
                write!(f, "{fault}\n  the action is undone, with {undone} inputs")
            }
            SubmitError::Unwritten(fault) => fault.fmt(f),
        }
    }
}

/// What a game has come to, with the events that are settled.
pub(super) fn mark_of(play: &Play, events_hash: &StateHash) -> Mark {
    let state = play.hash();
    let question = match play.wanted() {
        Wanted::Answer { question, .. } => Some(question),
        _ => None,
    };
    let game = play.game();
    Mark {
        state,
        events: open(
            events_hash,
            game.open_events(),
            question.as_deref(),
            game.world(),
        ),
    }
}

/// What was left when something that had happened was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// How many events.
    pub events: usize,
    /// How many decisions.
    pub decisions: usize,
}

/// An input that stands, as a record writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedInput {
    /// The side that decided.
    pub by: Side,
    /// The input, for [`kernel::record::decode`].
    pub text: String,
    /// The key under which it was taken, if whoever sent it gave one.
    pub key: Option<Name>,
    /// How often play had been taken back between players.
    pub epoch: u32,
}

/// A rulebook, a game in play, and all that came in and went out.
pub struct Match {
    pub(super) rulebook: Rc<Rulebook>,
    pub(super) setup: Header,
    pub(super) play: Play,
    pub(super) events: SettledEvents,
    /// The hash of these events.
    pub(super) events_hash: StateHash,
    pub(super) inputs: Vec<Input>,
    pub(super) recorded_inputs: Vec<RecordedInput>,
    /// The game before each input.
    pub(super) history: History,
    /// Whether somebody may look back further than to where the action began.
    pub(super) keeps_past: bool,
    /// Every line of the record since the start, also of what was taken back.
    pub(super) lines: Vec<String>,
    pub(super) journal: Option<Journal>,
    /// Whether the record goes on with each input.
    pub(super) is_recorded: bool,
    /// The highest epoch that there ever was.
    pub(super) epochs: u32,
    /// What was left each time something that had happened was taken back.
    pub(super) cuts: Vec<Cut>,
    pub(super) checks_twice: bool,
    /// Whether what happened before its first decision is not known.
    pub(super) is_without_past: bool,
    pub(super) causes: Causes,
    /// What each decision reached, if the rulebook is to note it.
    pub(super) dependencies: Option<DependencyLog>,
    /// What of its past was left as it was when the rules changed.
    pub(super) left: LeftPast,
}

/// What of the past of a match was left as it was when its rules changed.
#[derive(Clone, Copy, Default)]
pub(super) struct LeftPast {
    /// Whether any of it was.
    pub is_some: bool,
    /// Whether the rules of then hid something.
    pub had_secrets: bool,
}

/// What a match was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The scenario's id.
    pub scenario: Name,
    /// Its title.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// What the sides are called, in order.
    pub side_titles: Vec<String>,
}

impl Match {
    /// Starts a match and runs it to its first decision.
    ///
    /// # Errors
    /// A fault of the rules that run before anybody acts.
    pub fn start(rulebook: Rc<Rulebook>, setup: Setup) -> Result<Match, Fault> {
        let causes = Causes::new(setup.game.clone());
        let request = rulebook.running().request();
        let (play, notes) = noting(&rulebook, || Play::start(setup.game, &*rulebook));
        drop(request);
        let mut play = play?;
        let events = play.take_events();
        let dependencies = rulebook.notes_dependencies().then(|| {
            let mut log = DependencyLog::default();
            log.start = log.noted(&rulebook, notes, std::iter::empty());
            log
        });
        let events_hash = settled(&StateHash::default(), &events, play.game().world());
        play.keep_digests();
        let begin = begin_line(&mark_of(&play, &events_hash));
        let header = Header {
            scenario: setup.scenario,
            title: setup.title,
            seed: setup.seed,
            side_titles: setup.side_titles,
        };
        Ok(Match {
            rulebook,
            setup: header,
            play,
            events: events.into_iter().collect(),
            events_hash,
            inputs: Vec::new(),
            recorded_inputs: Vec::new(),
            history: History::default(),
            keeps_past: true,
            lines: vec![begin],
            journal: None,
            is_recorded: true,
            epochs: 0,
            cuts: Vec::new(),
            checks_twice: false,
            is_without_past: false,
            causes,
            dependencies,
            left: LeftPast::default(),
        })
    }

    /// Keeps a journal from now on: no input is taken before it is written. It
    /// must hold all [`Match::lines`] so far.
    pub fn keep(&mut self, journal: Journal) {
        self.journal = Some(journal);
    }

    /// From now on no record is made of inputs, nor the state hashed after each
    /// of them: for games that nobody will keep.
    pub fn stop_recording(&mut self) {
        self.is_recorded = self.journal.is_some();
    }

    /// From now on nobody looks back at what it was before the action that goes on, or
    /// goes back there: for games of which only the end counts.
    pub fn keep_no_past(&mut self) {
        self.keeps_past = false;
    }

    /// The journal, if one is kept.
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// Every line of the record as far as it was made, as a journal holds them.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// What was left each time something that had happened was taken back: by
    /// a fault, an undo or a reload.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// How many of the inputs belong to the action that goes on, or that was
    /// the last: what a fault would undo.
    pub fn inputs_in_action(&self) -> usize {
        self.play.inputs_in_action() as usize
    }

    /// From now on every input is taken twice from the same state, and both
    /// must do the same: a script that keeps state of its own is found out.
    pub fn check_twice(&mut self) {
        self.checks_twice = true;
    }

    /// Whether some of the past was left as it was when the rules changed: by those in
    /// force it may have come out otherwise.
    pub fn has_left_past(&self) -> bool {
        self.left.is_some
    }

    /// Whether something was hidden by rules that some of the past was left under.
    pub fn has_left_secrets(&self) -> bool {
        self.left.had_secrets
    }

    /// What the match was made from.
    pub fn header(&self) -> &Header {
        &self.setup
    }

    /// The rules that it is played by.
    pub fn rulebook(&self) -> &Rc<Rulebook> {
        &self.rulebook
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        self.play.game()
    }

    /// What the game waits for.
    pub fn wanted(&self) -> Wanted {
        self.play.wanted()
    }

    /// The inputs taken so far.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The inputs taken so far, as a record writes them.
    pub fn recorded_inputs(&self) -> &[RecordedInput] {
        &self.recorded_inputs
    }

    /// What the match has come to: its state, and all that was told.
    pub fn mark(&self) -> Mark {
        mark_of(&self.play, &self.events_hash)
    }

    /// What it had come to before an input, from 0; what it has come to by now
    /// for the number of inputs taken.
    pub(super) fn mark_before(&self, input: usize) -> Mark {
        match self.history.get(input) {
            Some(before) => mark_of(&before.play, &before.events_hash),
            None => self.mark(),
        }
    }

    /// The hash of the events that had happened before an input, from 0.
    pub(super) fn events_hash_before(&self, input: usize) -> StateHash {
        self.history
            .get(input)
            .map_or(self.events_hash, |before| before.events_hash)
    }

    /// The game as it was before an input, from 0; as it is for the number of
    /// inputs taken.
    pub fn game_before(&self, input: usize) -> &Game {
        self.history
            .get(input)
            .map_or(self.play.game(), |before| before.play.game())
    }

    /// Whether there was anything for a side to do before an input, from 0, that
    /// the rules' scores don't call a loss.
    ///
    /// # Errors
    /// As [`Match::legal`].
    pub fn had_prospects(&self, input: usize, side: Side) -> Result<bool, Fault> {
        let _request = self.rulebook.running().request();
        let play = self
            .history
            .get(input)
            .map_or(&self.play, |before| &before.play);
        Bot::new(BotKind::Greedy, 0, side).has_prospects(play, &*self.rulebook)
    }

    /// How many events had happened before an input, from 0.
    pub fn events_before(&self, input: usize) -> usize {
        self.history
            .get(input)
            .map_or(self.events.len(), |before| before.events)
    }

    /// Everything that has happened, for the referee. What happened so far in
    /// a step that waits for an answer comes last.
    pub fn events(&self) -> Vec<Event> {
        self.events
            .iter()
            .chain(self.play.game().open_events())
            .cloned()
            .collect()
    }

    /// How many events happened in both of two courses of a game before the first
    /// input that brought about others, or that is not in both.
    pub fn events_shared(&self, other: &Match) -> usize {
        let inputs = self.inputs.len().min(other.inputs.len());
        // The hash of events stands for all of them so far.
        let is_same =
            |input: &usize| self.events_hash_before(*input) == other.events_hash_before(*input);
        let shared = (0..=inputs).take_while(is_same).last();
        shared.map_or(0, |input| self.events_before(input))
    }

    /// What has happened after the first so many events, for the referee, as
    /// [`Match::events`] gives it.
    pub fn events_after(&self, count: usize) -> Vec<Event> {
        let settled = self.events.get(count..).unwrap_or_default();
        settled
            .iter()
            .chain(self.play.game().open_events())
            .cloned()
            .collect()
    }

    /// What the inputs taken so far have brought about, without what happens in
    /// a step that waits for an answer; in the middle of an action a fault may
    /// still take the events of that action back.
    pub fn settled_events(&self) -> &[Event] {
        &self.events
    }

    /// The game as a viewer may see it.
    pub fn view(&self, viewer: Viewer) -> View {
        self.play.game().view(viewer)
    }

    /// The hash of the state.
    pub fn hash(&self) -> StateHash {
        self.play.hash()
    }

    /// Everything that a side might do now, allowed or not.
    ///
    /// # Errors
    /// A fault of the rules that tell.
    pub fn legal(&self, side: Side) -> Result<Vec<Legal>, Fault> {
        let _request = self.rulebook.running().request();
        self.play.legal(&*self.rulebook, side)
    }

    /// Whether a side may pass, and whether it may say that it is done.
    ///
    /// # Errors
    /// A fault of the rules that tell.
    pub fn may_stop(&self, side: Side) -> Result<Stopping, Fault> {
        let _request = self.rulebook.running().request();
        self.play.may_stop(&*self.rulebook, side)
    }

    /// Whether a side may begin an action with somebody, before it is asked for parameters:
    /// whether the rules allow it so far.
    ///
    /// # Errors
    /// A refusal with the reason, a fault of the rules.
    pub fn check_begun(
        &self,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
    ) -> Result<(), SubmitError> {
        let _request = self.rulebook.running().request();
        let begun = self.play.check_begun(&*self.rulebook, side, action, actor);
        begun.map_err(rejected_unplayed)
    }

    /// The next parameter of an action: its name, what is asked, its domain.
    ///
    /// # Errors
    /// A fault of the rules that tell.
    pub fn next_param(
        &self,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &BTreeMap<Name, Value>,
    ) -> Result<Option<(Name, Name, Domain)>, Fault> {
        let _request = self.rulebook.running().request();
        self.play
            .next_param(&*self.rulebook, side, action, actor, given)
    }

    /// Whether a side may choose a value for a parameter of something (its
    /// title, the parameter), whose domain it was told.
    ///
    /// # Errors
    /// A refusal with the reason, a fault of the rules.
    pub fn check_value(
        &self,
        side: Side,
        of: (&str, &str),
        domain: &Domain,
        value: &Value,
    ) -> Result<(), SubmitError> {
        let _request = self.rulebook.running().request();
        let outcome = self
            .play
            .check_value(&*self.rulebook, side, of, domain, value);
        outcome.map_err(rejected_unplayed)
    }

    /// Calls a rule that only reads, in the eyes of a viewer.
    ///
    /// # Errors
    /// A fault of the rule.
    pub fn reads(&self, viewer: Viewer, rule: &Name, args: &[Value]) -> Result<Value, Fault> {
        let _request = self.rulebook.running().request();
        self.play.ask_rule(&*self.rulebook, viewer, rule, args)
    }

    /// How long an input, or a question what is legal, may take by the clock
    /// before it is broken off; `None` for as long as its budget lasts.
    pub fn watch(&self, patience: Option<Duration>) {
        self.rulebook.running().watch(patience);
    }

    /// Takes an input: all of it, written to the journal, or nothing.
    ///
    /// # Errors
    /// A refusal, a fault, or a journal that cannot be written.
    pub fn submit(&mut self, input: &Input) -> Result<(), SubmitError> {
        self.submit_keyed(input, None)
    }

    /// The same under a key of whoever sends it, which the record keeps.
    ///
    /// # Errors
    /// As [`Match::submit`].
    pub fn submit_keyed(&mut self, input: &Input, key: Option<&Name>) -> Result<(), SubmitError> {
        let _span = tracing::info_span!(target: "houserule::play", "input", number = self.inputs.len() + 1, by = input.by().0).entered();
        let before = Before {
            play: self.play.clone(),
            events: self.events.len(),
            events_hash: self.events_hash,
        };
        let rulebook = self.rulebook.clone();
        let request = rulebook.running().request();
        let is_tracked = rulebook.notes_dependencies();
        let (outcome, notes) = noting(&rulebook, || match is_tracked {
            true => self.play.submit_tracked(&*rulebook, input),
            false => self.play.submit(&*rulebook, input).map(|()| None),
        });
        drop(request);
        match outcome {
            Ok(cells) => {
                let noted = self.noted_dependencies(&before.play, notes);
                let noted = noted.map(|noted| noted.and_cells(cells));
                if self.checks_twice {
                    self.take_again(&before, input)?;
                }
                let events = self.play.take_events();
                let events_hash = settled(&self.events_hash, &events, self.play.game().world());
                let text = encode(input, before.play.game().world());
                if self.is_recorded || self.dependencies.is_some() {
                    self.play.keep_digests();
                }
                if self.is_recorded
                    && let Err(unwritten) = self.record(&text, key, &events_hash)
                {
                    self.play = before.play;
                    return Err(unwritten);
                }
                self.events.extend(events);
                self.events_hash = events_hash;
                self.inputs.push(input.clone());
                let (key, epoch) = (key.cloned(), before.play.game().epoch());
                self.recorded_inputs.push(RecordedInput {
                    by: input.by(),
                    text,
                    key,
                    epoch,
                });
                self.history.push(before);
                if !self.keeps_past {
                    self.history.keep_last(self.inputs_in_action());
                }
                if let (Some(log), Some(noted)) = (&mut self.dependencies, noted) {
                    log.decisions.push(noted);
                }
                Ok(())
            }
            Err(Rejected::Refusal(refusal)) => Err(SubmitError::Refusal(refusal)),
            Err(Rejected::Fault { fault, undone }) => {
                let fault = self.located(fault);
                tracing::warn!(target: "houserule::play", fault = %printable::line(&fault.to_string()), undone, "a fault undid an action");
                self.take_back(fault, undone)
            }
        }
    }

    /// What an input reached that was just taken.
    fn noted_dependencies(&mut self, before: &Play, notes: Option<Marks>) -> Option<Dependencies> {
        let rulebook = self.rulebook.clone();
        let windows = before.game().flow().windows().map(|window| &window.id);
        Some(self.dependencies.as_mut()?.noted(&rulebook, notes, windows))
    }

    /// From now on what decisions reach is noted; of those so far it is not
    /// known.
    pub fn note_dependencies(&mut self) {
        self.rulebook.note_dependencies(true);
        self.dependencies
            .get_or_insert_with(|| DependencyLog::unknown(self.inputs.len()));
    }

    /// What comes before the first decision is noted in another match that
    /// began the same.
    pub fn knows_start(&mut self, other: &Match) {
        if let (Some(log), Some(known)) = (&mut self.dependencies, &other.dependencies) {
            *log = known.begun();
        }
    }

    /// Records who decides for a side from here on: a bot, or people.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn note_player(&mut self, side: Side, bot: Option<BotKind>) -> Result<(), SubmitError> {
        if !self.is_recorded {
            return Ok(());
        }
        let name = self.play.game().side_name(side);
        let bot = bot.map(|kind| kind.to_string());
        self.write(player_line(&name, bot.as_deref()))
    }

    /// Records a line, before what it says is done.
    pub(super) fn write(&mut self, line: String) -> Result<(), SubmitError> {
        self.write_all(vec![line])
    }

    /// Records several lines, all or none, before what they say is done.
    pub(super) fn write_all(&mut self, lines: Vec<String>) -> Result<(), SubmitError> {
        if let Some(journal) = &mut self.journal {
            journal.write(&lines).map_err(SubmitError::Unwritten)?;
        }
        self.lines.extend(lines);
        Ok(())
    }

    /// Records an input, by its text, that has come to the present state and to
    /// these events; and the end of the game with it, if that is what it came to.
    fn record(
        &mut self,
        text: &str,
        key: Option<&Name>,
        events_hash: &StateHash,
    ) -> Result<(), SubmitError> {
        let mark = mark_of(&self.play, events_hash);
        let mut lines = vec![input_line(text, key.map(|key| &**key), &mark)];
        if self.play.game().finished().is_some() {
            lines.push(end_line(&mark));
        }
        self.write_all(lines)
    }

    /// A fault without a place is where its rule is defined.
    fn located(&self, fault: Fault) -> Fault {
        let entry = fault
            .rule
            .as_ref()
            .and_then(|rule| self.rulebook.rules().get(rule));
        match entry.map(|entry| entry.place.clone()) {
            Some(place) => fault.at(place),
            None => fault,
        }
    }

    /// Takes an input a second time from the state before it.
    fn take_again(&mut self, before: &Before, input: &Input) -> Result<(), SubmitError> {
        let mut again = before.play.clone();
        let outcome = again.submit(&*self.rulebook, input);
        let events = again.take_events();
        let first = self.play.take_events();
        let differs = events
            .iter()
            .zip(&first)
            .find(|(a, b)| a != b)
            .map(|(a, _)| a.clone());
        let is_same = outcome.is_ok()
            && differs.is_none()
            && events.len() == first.len()
            && again.hash() == self.play.hash();
        self.play.put_events_back(first);
        if is_same {
            return Ok(());
        }
        let cause =
            differs.and_then(|event| event.cause.rule.map(|rule| format!(", first in `{rule}`")));
        let message = format!(
            "expected the same from the same input taken twice, found another outcome{}",
            cause.unwrap_or_default()
        );
        let fault = Fault::new(FaultCode::HiddenState, message)
            .hint("some script keeps state in its locals: keep it in attributes of entities");
        let book = self.rulebook.book();
        let fault = match input {
            Input::Act { action: id, .. } | Input::React { reaction: id, .. } => {
                match book.actions.get(id).or_else(|| book.reactions.get(id)) {
                    Some(action) => self.located(fault.in_rule(&action.perform)),
                    None => fault,
                }
            }
            _ => fault,
        };
        self.play = before.play.clone();
        Err(SubmitError::Fault { fault, undone: 0 })
    }

    /// After a fault: the inputs of the action are gone, and the journal says so. If it
    /// cannot now, it does before it says anything else; what is broken is told all the
    /// same.
    fn take_back(&mut self, fault: Fault, undone: u32) -> Result<(), SubmitError> {
        self.cut(self.history.len().saturating_sub(undone as usize));
        if undone > 0 || fault.code == FaultCode::TooSlow {
            let line = fault_line(&fault, undone);
            self.lines.push(line.clone());
            if let Some(journal) = &mut self.journal
                && let Err(unwritten) = journal.owe(&line)
            {
                tracing::warn!(target: "houserule::play", fault = %printable::line(&unwritten.to_string()), "a fault is not in the journal yet");
            }
        }
        Err(SubmitError::Fault { fault, undone })
    }

    /// Lets a bot decide, if one of its sides must; whether one did.
    ///
    /// # Errors
    /// A fault of the rules, or a journal that cannot be written.
    pub fn bot_turn(&mut self, bots: &mut BTreeMap<Side, Bot>) -> Result<bool, Fault> {
        let sides = self.wanted().sides();
        let Some(side) = sides.iter().find(|side| bots.contains_key(side)) else {
            return Ok(false);
        };
        let Some(bot) = bots.get_mut(side) else {
            return Ok(false);
        };
        let rulebook = self.rulebook.clone();
        let request = rulebook.running().request();
        let input = bot.decide(&self.play, &*rulebook)?;
        drop(request);
        match self.submit(&input) {
            Ok(()) => Ok(true),
            Err(SubmitError::Fault { fault, .. } | SubmitError::Unwritten(fault)) => Err(fault),
            Err(SubmitError::Refusal(refusal)) => Err(Fault::new(
                FaultCode::BadQuestion,
                format!("expected what a rule offered to be allowed, found a refusal: {refusal}"),
            )
            .hint("the rule that offers it and the rule that checks it disagree")),
        }
    }

    /// Lets bots play until somebody without a bot must decide, the game is
    /// over, or `stop` says so; it is asked after each input.
    ///
    /// # Errors
    /// A fault of the rules, or a journal that cannot be written.
    pub fn play_bots(
        &mut self,
        bots: &mut BTreeMap<Side, Bot>,
        mut stop: impl FnMut(&Match) -> bool,
    ) -> Result<(), Fault> {
        while self.bot_turn(bots)? {
            if stop(self) {
                break;
            }
        }
        Ok(())
    }
}
