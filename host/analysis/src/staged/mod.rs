//! A moment of a game as a case: the step that brings an event about, over its scenario as it is set up, with
//! what had become otherwise by then and matters, and with the dice and chits that came up.
//!
//! The step begins with the last dice before the event, so that nothing has to be played up to it. What had become
//! otherwise, piece by piece and then attribute by attribute, is left out as long as the step tells the same.
//!
//! | read | for |
//! |---|---|
//! | `steps` | the steps of a decision, and those from which the event can be shown |
//! | `change` | what has become otherwise, and how it is put in place |
//! | `revealed` | what more may see by then than where the game begins |
//! | `luau` | the case as text |

mod change;
mod luau;
mod revealed;
mod steps;

pub(crate) use luau::quoted;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use kernel::chance::{Chance, Script};
use kernel::decision::Input;
use kernel::engine::{Play, Wanted};
use kernel::event::{Event, EventField};
use kernel::game::Game;
use kernel::value::{Name, Value};
use matches::play::clauses_behind;
use matches::scenario::{Scenario, scripted_die, set_up};
use rules::rulebook::Rulebook;

use crate::moment::{Keeping, Moment, rolled, texts};
use change::{StateChange, changes, is_alike, only_these, put_in_place, renamed};
pub use luau::CaseHeading;
use revealed::{Revealed, revealed};
use steps::{StagedStep, stages};

/// So much may be set before it is tried with fewer things on the table.
const ENOUGH: usize = 6;

/// A moment as a case.
pub struct Staged {
    /// The event, as a report tells it.
    pub shows: String,
    /// The rule of the step that is run.
    pub step: Name,
    /// How many attributes and pieces are set, and how many had become otherwise.
    pub changes: [usize; 2],
    /// How many times the step was run.
    pub tries: usize,
    /// The clauses that it reaches.
    pub reached: BTreeSet<Name>,
    /// What the game had revealed by then.
    revealed: Vec<Revealed>,
    scene: CaseScene,
}

impl Staged {
    /// Reveals what the game had revealed by then, of what is named where it is found to be told too widely.
    pub fn reveal(&mut self, why: &str) {
        let named = self.revealed.iter().filter(|one| one.is_named(why));
        self.scene.reveals = named.cloned().collect();
    }
}

/// All that a case says.
struct CaseScene {
    /// What is thrown before the first decision.
    start: Vec<Event>,
    /// The answers that are given before, each with what happened after it.
    opening: Vec<(Input, Vec<Event>)>,
    /// The game before the step, in which all that is named is found.
    game: Game,
    changes: Vec<StateChange>,
    /// What it reveals of what the game had revealed by then.
    reveals: Vec<Revealed>,
    answers: Vec<(Name, Value)>,
    rule: Name,
    args: Vec<Value>,
    /// What happens in it.
    events: Vec<Event>,
    /// The event, with things as they are called in `game`.
    shown: Event,
    /// The place of the event among those of its kind, from 1.
    place: usize,
    /// The seed of the game, and the number of the decision, from 1.
    seed: u64,
    decision: usize,
}

/// The search: where it begins, and what it is to show.
struct Search<'a> {
    rulebook: &'a Rc<Rulebook>,
    base: Play,
    stage: &'a StagedStep,
    shown: &'a Event,
    keeping: &'a Keeping<'a>,
    tries: Cell<usize>,
}

/// A moment as a case; nothing where no step of its decision shows the event by itself. `tried` is told of each run:
/// how many, and how many changes are left.
pub fn stage(
    moment: &Moment<'_>,
    keeping: &Keeping<'_>,
    tried: &mut dyn FnMut(usize, usize),
) -> Option<Staged> {
    let game = moment.game;
    let shown = game.settled_events().get(moment.event)?;
    let input = (0..game.inputs().len())
        .rev()
        .find(|input| game.events_before(*input) <= moment.event)?;
    let start = game.settled_events()[..game.events_before(0)].to_vec();
    let (base, opening) = begun(moment, &start, input)?;
    let before: usize = opening.iter().map(|(_, events)| kinds(events, shown)).sum();
    let before = before + kinds(&start, shown);
    for stage in stages(moment, input)? {
        let search = Search {
            rulebook: game.rulebook(),
            base: base.clone(),
            stage: &stage,
            shown,
            keeping,
            tries: Cell::new(0),
        };
        let all = changes(base.game(), &stage.game);
        let Some((enough, first)) = search.begun(&all) else {
            continue;
        };
        let kept = search.shrunk(enough, tried);
        let kept = search.among_few(kept, tried);
        // What fell before is what falls now, as far as it still falls.
        let events = search.played(&kept, &stage.dealt).unwrap_or(first);
        let (exact, reached) =
            clauses_behind(game.rulebook(), || search.played_out(&kept, &events));
        let Some((play, events)) = exact else {
            continue;
        };
        let place = events
            .iter()
            .position(|event| search.is_shown(event, play.game()))?;
        let shows = game.event_text(moment.event, moment.unit);
        return Some(Staged {
            shows: shows.trim().to_string(),
            step: stage.rule.clone(),
            changes: [kept.len(), all.len()],
            tries: search.tries.get(),
            reached,
            revealed: search.revealed(&kept),
            scene: CaseScene {
                place: before + kinds(&events[..=place], shown),
                changes: kept,
                reveals: Vec::new(),
                answers: stage.answers.clone(),
                rule: stage.rule.clone(),
                args: stage.args.clone(),
                game: stage.game.clone(),
                shown: shown.clone(),
                events,
                start,
                opening,
                seed: game.header().seed,
                decision: input + 1,
            },
        });
    }
    None
}

/// How many of some events are of the kind of another.
fn kinds(events: &[Event], like: &Event) -> usize {
    events
        .iter()
        .filter(|event| event.kind == like.kind)
        .count()
}

/// A game that was begun, and the answers that were given in it, each with what happened after it.
type BegunGame = (Play, Vec<(Input, Vec<Event>)>);

/// The scenario as a case sets it up, once the questions are answered with which it begins.
fn begun(moment: &Moment<'_>, start: &[Event], until: usize) -> Option<BegunGame> {
    let rulebook = moment.game.rulebook();
    let _request = rulebook.running().request();
    let scenario = Scenario::read("", "scenario.ron", moment.source).ok()?;
    let mut setup = set_up(&scenario, rulebook, scenario.seed, None).ok()?;
    setup.game.set_chance(Chance::scripted(script_of(start)?));
    let mut play = Play::start(setup.game, &**rulebook).ok()?;
    play.take_events();
    let mut opening = Vec::new();
    for input in &moment.game.inputs()[..until] {
        if !matches!(play.wanted(), Wanted::Answer { .. }) {
            break;
        }
        let place = opening.len();
        let events = moment.game.events_before(place)..moment.game.events_before(place + 1);
        let events = moment.game.settled_events().get(events)?.to_vec();
        play.game_mut()
            .set_chance(Chance::scripted(script_of(&events)?));
        play.submit(&**rulebook, input).ok()?;
        play.take_events();
        opening.push((input.clone(), events));
    }
    let is_free = !matches!(play.wanted(), Wanted::Answer { .. } | Wanted::Over);
    is_free.then_some((play, opening))
}

/// What fell in some events, as a script; nothing where a deck was shuffled.
fn script_of(events: &[Event]) -> Option<Script> {
    let (mut dice, mut chits) = (Vec::new(), Vec::new());
    for event in events {
        let field = |name: &str| event.field(name).cloned().unwrap_or_default();
        match &*event.kind {
            "roll" => {
                for one in rolled(&field("dice"), &field("faces")) {
                    dice.push(scripted_die(&one).ok()?);
                }
            }
            "chits" => chits.extend(texts(&field("chits"))),
            "shuffled" | "cards" => return None,
            _ => {}
        }
    }
    Some(Script::new(dice, chits))
}

impl Search<'_> {
    /// Runs the step over some changes, with what fell in some events; what happened, if it shows the event.
    fn played(&self, changes: &[StateChange], dealt: &[Event]) -> Option<Vec<Event>> {
        self.tries.set(self.tries.get() + 1);
        let (play, events) = self.run(changes, dealt)?;
        events
            .iter()
            .any(|event| self.is_shown(event, play.game()))
            .then_some(events)
    }

    /// The same, if nothing that was to fall is left over.
    fn played_out(&self, changes: &[StateChange], dealt: &[Event]) -> Option<(Play, Vec<Event>)> {
        let (play, events) = self.run(changes, dealt)?;
        let is_whole = play.game().chance().left_over().is_empty()
            && play.game().queued_answers().next().is_none();
        (is_whole && events.iter().any(|event| self.is_shown(event, play.game())))
            .then_some((play, events))
    }

    /// Changes over which the step shows the event, with what then happens: all of them. But where these end a turn,
    /// the game goes on from the step to what falls for nobody: then none, or all but those of one attribute.
    fn begun(&self, all: &[StateChange]) -> Option<(Vec<StateChange>, Vec<Event>)> {
        let attributes: BTreeSet<&Name> = all.iter().filter_map(StateChange::attribute).collect();
        let without = |out: &Name| {
            let left = all.iter().filter(|change| change.attribute() != Some(out));
            left.cloned().collect()
        };
        let fewer = attributes.into_iter().map(without);
        [all.to_vec(), Vec::new()]
            .into_iter()
            .chain(fewer)
            .find_map(|changes: Vec<StateChange>| {
                let events = self.played(&changes, &self.stage.dealt)?;
                Some((changes, events))
            })
    }

    fn run(&self, changes: &[StateChange], dealt: &[Event]) -> Option<(Play, Vec<Event>)> {
        let _request = self.rulebook.running().request();
        let mut play = self.base.clone();
        let game = play.game_mut();
        put_in_place(changes, &self.stage.game, game)?;
        let args: Vec<Value> = (self.stage.args.iter())
            .map(|arg| renamed(arg, &self.stage.game, game))
            .collect::<Option<_>>()?;
        let answer = |(question, value): &(Name, Value)| {
            Some((question.clone(), renamed(value, &self.stage.game, game)?))
        };
        let answers: Vec<(Name, Value)> = self
            .stage
            .answers
            .iter()
            .map(answer)
            .collect::<Option<_>>()?;
        game.set_chance(Chance::scripted(script_of(dealt)?));
        game.queue_answers(answers);
        play.run_step(&**self.rulebook, &self.stage.rule, &args)
            .ok()?;
        let events = play.take_events();
        Some((play, events))
    }

    /// What the game had revealed before the step, of what is there over some changes.
    fn revealed(&self, changes: &[StateChange]) -> Vec<Revealed> {
        let mut play = self.base.clone();
        match put_in_place(changes, &self.stage.game, play.game_mut()) {
            Some(()) => revealed(play.game(), &self.stage.game),
            None => Vec::new(),
        }
    }

    /// Whether an event is the one that is to be shown: things may have other numbers, but not other names.
    fn is_shown(&self, event: &Event, game: &Game) -> bool {
        let is_same = |(one, other): (&EventField, &EventField)| {
            one.name == other.name && is_alike((&one.value, game), (&other.value, &self.stage.game))
        };
        event.kind == self.shown.kind
            && event.fields.len() == self.shown.fields.len()
            && event.fields.iter().zip(&self.shown.fields).all(is_same)
    }

    /// Where much must still be set, what else is there may be in the way: the same with nothing else there, kind by
    /// kind, if that is less.
    fn among_few(
        &self,
        mut kept: Vec<StateChange>,
        tried: &mut dyn FnMut(usize, usize),
    ) -> Vec<StateChange> {
        if kept.len() <= ENOUGH {
            return kept;
        }
        for only in only_these(self.base.game(), &self.stage.game, &self.about()) {
            let StateChange::Only(kind, names) = &only else {
                continue;
            };
            let world = self.base.game().world();
            let is_left = |change: &StateChange| {
                let of = world
                    .find(change.of())
                    .and_then(|entity| world.kind(entity).ok());
                of.is_none_or(|of| of.id != *kind) || names.contains(change.of())
            };
            let few = kept.iter().filter(|change| is_left(change)).cloned();
            let few: Vec<StateChange> = std::iter::once(only.clone()).chain(few).collect();
            if few.len() < kept.len() && self.played(&few, &self.stage.dealt).is_some() {
                kept = self.shrunk(few, tried);
            }
        }
        kept
    }

    /// What the step and the event name.
    fn about(&self) -> BTreeSet<Name> {
        let mut found = Vec::new();
        self.stage
            .args
            .iter()
            .for_each(|arg| arg.entities(&mut found));
        self.shown
            .fields
            .iter()
            .for_each(|field| field.value.entities(&mut found));
        found
            .into_iter()
            .map(|entity| self.stage.game.world().name(entity))
            .collect()
    }

    /// Leaves out what had become otherwise of whole pieces, and then of attributes.
    fn shrunk(
        &self,
        all: Vec<StateChange>,
        tried: &mut dyn FnMut(usize, usize),
    ) -> Vec<StateChange> {
        let mut kept = all;
        for by_piece in [true, false] {
            let mut size = parts(&kept, by_piece).len().div_ceil(2);
            while size > 0 {
                let mut end = parts(&kept, by_piece).len();
                while end > 0 {
                    if self.tries.get() >= self.keeping.tries || (self.keeping.stop)() {
                        return kept;
                    }
                    let out: BTreeSet<usize> = parts(&kept, by_piece)
                        [end.saturating_sub(size)..end]
                        .iter()
                        .flatten()
                        .copied()
                        .collect();
                    let rest = (0..kept.len()).filter(|place| !out.contains(place));
                    let fewer: Vec<StateChange> = rest.map(|place| kept[place].clone()).collect();
                    if self.played(&fewer, &self.stage.dealt).is_some() {
                        kept = fewer;
                    }
                    tried(self.tries.get(), kept.len());
                    end = end.saturating_sub(size);
                }
                size /= 2;
            }
        }
        kept
    }
}

/// The places of changes that go together: those of a piece, or each by itself.
fn parts(changes: &[StateChange], by_piece: bool) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (place, change) in changes.iter().enumerate() {
        let is_next = place > 0 && changes[place - 1].of() == change.of();
        match parts.last_mut().filter(|_| by_piece && is_next) {
            Some(part) => part.push(place),
            None => parts.push(vec![place]),
        }
    }
    parts
}
