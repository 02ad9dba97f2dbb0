//! The odds of what a house rule stands behind, with and without it: decisions of
//! a game that reach it, each from the very state in which it was made.
//!
//! What comes out otherwise by the same dice is counted first, for there the odds
//! differ. The work is bounded as a whole, by runs of steps and not by the clock, so
//! that the same question has the same answer on every machine.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::decision::Input;
use kernel::error::Fault;
use kernel::event::Event;
use kernel::record::decode;
use kernel::value::{Name, Value};
use matches::odds::{By, Distribution, EventWords, Limits, Outcome, Policy, What};
use matches::play::{Match, OddsOf, RecordedInput, clauses_behind};
use matches::workshop::{Found, Overrides, Workshop};
use rules::rulebook::Rulebook;
use rules::types::Unit;
use serde::Serialize;

use crate::conflicts::Party;

/// So many decisions are looked at, one of each sort of action.
const MOST: usize = 3;

/// So many outcomes are told, those first whose odds shift most.
const MOST_OUTCOMES: usize = 8;

/// So many ways to tell outcomes apart are tried.
const MOST_WAYS: usize = 8;

/// So many runs of steps are made for all odds of a house rule.
pub const MOST_RUNS: u64 = 120_000;

/// So many of them for those of one action.
pub const MOST_RUNS_OF_ONE: u64 = 40_000;

/// Where more runs of steps are needed, games are sampled.
const LIMITS: Limits = Limits {
    runs: 10_000,
    work: 100_000_000,
    samples: 1_000,
    seed: 1,
};

/// What a decision comes to without a house rule and with it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chances {
    /// The seed of the game.
    pub seed: u64,
    /// The number of the decision, from 1.
    pub decision: usize,
    /// The decision, as a journal has it.
    pub input: String,
    /// The same, for people.
    #[serde(skip)]
    pub words: String,
    /// By what outcomes are told apart: `events`, or an expression.
    pub by: String,
    /// What can happen, with its odds without and with it; events by their ids.
    pub outcomes: Vec<(String, [String; 2])>,
    /// What each of them is called, for people.
    #[serde(skip)]
    pub told: Vec<String>,
    /// How they were found.
    pub how: String,
}

/// The two sets of rules between which odds are compared.
pub struct Between<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario.
    pub found: &'a Found,
    /// Without the house rule.
    pub before: &'a Overrides,
    /// With it.
    pub after: &'a Overrides,
}

/// How far it has come, and whether somebody has had enough.
#[derive(Clone, Copy)]
pub struct ChancesMonitor<'a> {
    /// Whether it is to stop with what it has.
    pub stop: &'a dyn Fn() -> bool,
    /// Told now and then how many runs of steps were made.
    pub ran: &'a dyn Fn(u64),
}

/// It is told after so many runs.
const TOLD_EACH: u64 = 500;

/// Odds that were counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CountedChances {
    /// Those that differ.
    pub found: Vec<Chances>,
    /// Actions of which it was not counted to the end whether they do.
    pub uncounted: Vec<Name>,
}

/// A decision that a house rule stands behind.
struct OddsCandidate {
    action: Name,
    place: usize,
    input: Input,
    /// What happens without the house rule by the same dice, where that is something else.
    otherwise: Option<Vec<Event>>,
}

/// The odds of decisions that a house rule stands behind, in a game that was
/// played with it.
///
/// # Errors
/// What is wrong in the scenario or its mods.
pub fn chances(
    between: &Between<'_>,
    party: &Party,
    seed: u64,
    course: &[RecordedInput],
    watch: ChancesMonitor<'_>,
) -> Result<CountedChances, Vec<Fault>> {
    let with_seed = |overrides: &Overrides| Overrides {
        seed: Some(seed),
        ..overrides.clone()
    };
    let (chosen, setup) = between
        .workshop
        .prepare(between.found, &with_seed(between.after))?;
    let (before, _) = between
        .workshop
        .prepare(between.found, &with_seed(between.before))?;
    let rules = [&before.rulebook, &chosen.rulebook];
    let mut game = Match::start(chosen.rulebook.clone(), setup).map_err(|fault| vec![fault])?;
    let candidates = candidates(&mut game, rules, party, course, watch.stop);
    let unit = between.found.scenario.unit();
    let (mut counted, ran) = (CountedChances::default(), Cell::new(0));
    for candidate in candidates {
        if counted.found.len() >= MOST || (watch.stop)() {
            break;
        }
        let end = MOST_RUNS.min(ran.get() + MOST_RUNS_OF_ONE);
        let is_enough = || {
            ran.set(ran.get() + 1);
            if ran.get().is_multiple_of(TOLD_EACH) {
                (watch.ran)(ran.get());
            }
            ran.get() > end || (watch.stop)()
        };
        let state = DecisionState {
            game: &game,
            candidate: &candidate,
            unit,
            is_enough: &is_enough,
        };
        let other = state.first_other(rules);
        let is_cut = ran.get() > end;
        ran.set(ran.get().min(end));
        match other {
            Some(other) => counted.found.push(Chances {
                seed,
                decision: candidate.place + 1,
                input: course[candidate.place].text.clone(),
                words: game.decision_words(candidate.place, unit),
                by: other.by,
                outcomes: other.outcomes,
                told: other.told,
                how: other.how,
            }),
            None if is_cut && !(watch.stop)() => counted.uncounted.push(candidate.action),
            None => {}
        }
    }
    Ok(counted)
}

/// Of each sort of action the first decision that a house rule stands behind, and of
/// those the first that comes out otherwise without it by the same dice, if one does:
/// these before the others.
fn candidates(
    game: &mut Match,
    [before, after]: [&Rc<Rulebook>; 2],
    party: &Party,
    course: &[RecordedInput],
    stop: &dyn Fn() -> bool,
) -> Vec<OddsCandidate> {
    let mut found: Vec<OddsCandidate> = Vec::new();
    for (place, recorded) in course.iter().enumerate() {
        if stop() {
            break;
        }
        let input = decode(&recorded.text, game.game().world()).ok();
        let (taken, clauses) = clauses_behind(after, || game.repeat(recorded));
        if !matches!(taken, Ok(None)) {
            break;
        }
        let (true, Some(input)) = (!party.clauses.is_disjoint(&clauses), input) else {
            continue;
        };
        let (Input::Act { action: id, .. } | Input::React { reaction: id, .. }) = &input else {
            continue;
        };
        let told = &game.settled_events()[game.events_before(place)..];
        let is_drawn = told
            .iter()
            .any(|event| matches!(&*event.kind, "roll" | "chits"));
        let known = found.iter().position(|known| known.action == *id);
        let is_found = known.is_some_and(|known| found[known].otherwise.is_some());
        if !is_drawn || is_found {
            continue;
        }
        let candidate = OddsCandidate {
            action: id.clone(),
            place,
            otherwise: otherwise(game, place, recorded, before),
            input,
        };
        match known {
            None => found.push(candidate),
            Some(known) if candidate.otherwise.is_some() => found[known] = candidate,
            Some(_) => {}
        }
    }
    found.sort_by_key(|candidate| candidate.otherwise.is_none());
    found
}

/// What the last decision of a game comes to by other rules and the same dice, where
/// that is something else.
fn otherwise(
    game: &Match,
    place: usize,
    recorded: &RecordedInput,
    rules: &Rc<Rulebook>,
) -> Option<Vec<Event>> {
    let mut other = game.beside(place, rules).ok()?;
    if !matches!(other.repeat(recorded), Ok(None)) {
        return None;
    }
    let told = &game.settled_events()[game.events_before(place)..];
    let others = other.settled_events();
    let are_same = told.len() == others.len()
        && told
            .iter()
            .zip(others)
            .all(|(one, other)| one.content() == other.content());
    (!are_same).then(|| others.to_vec())
}

type Texts = Vec<(String, String)>;

/// Outcomes with their odds without and with a house rule.
type Outcomes = Vec<(String, [String; 2])>;

/// Odds that differ: by what they are told apart, outcomes by their ids and in
/// words, and how they were found.
struct OtherOdds {
    by: String,
    outcomes: Outcomes,
    told: Vec<String>,
    how: String,
}

/// A decision in the state in which it was made.
struct DecisionState<'a> {
    game: &'a Match,
    candidate: &'a OddsCandidate,
    unit: Unit,
    is_enough: &'a dyn Fn() -> bool,
}

impl DecisionState<'_> {
    /// The first way to tell what comes of it by which its odds differ: by the
    /// events that happen, or by a field of one of them.
    fn first_other(&self, rules: [&Rc<Rulebook>; 2]) -> Option<OtherOdds> {
        let [before, after] = rules;
        let names = self.game.beside(self.candidate.place, after).ok()?;
        for by in self.ways() {
            let (Some(was), Some(is)) = (self.odds(before, &by), self.odds(after, &by)) else {
                continue;
            };
            let how = is.how_text();
            let words = EventWords::of(names.game().book(), &[&was, &is]);
            let mut told = BTreeMap::new();
            let mut texts = |odds: &Distribution| {
                let texts = odds.texts(names.game(), self.unit);
                let words = odds.readable_texts(&words, names.game(), self.unit);
                told.extend(texts.iter().cloned().zip(words));
                let decimals = odds.outcomes.iter().map(Outcome::decimal);
                texts.into_iter().zip(decimals).collect::<Texts>()
            };
            let (was, is) = (texts(&was), texts(&is));
            if was != is {
                let outcomes = beside(&was, &is);
                let told = outcomes.iter().filter_map(|(text, _)| told.remove(text));
                return Some(OtherOdds {
                    by: if by.is_empty() { "events".into() } else { by },
                    told: told.collect(),
                    outcomes,
                    how,
                });
            }
        }
        None
    }

    /// Expressions for what comes of it, those first by which it came out otherwise; an
    /// empty one for the events themselves.
    fn ways(&self) -> Vec<String> {
        let place = self.candidate.place;
        let (from, to) = (
            self.game.events_before(place),
            self.game.events_before(place + 1),
        );
        let told = &self.game.settled_events()[from..to];
        let other = self.candidate.otherwise.as_deref().unwrap_or(told);
        let kinds = |events: &[Event]| -> Vec<Name> {
            events.iter().map(|event| event.kind.clone()).collect()
        };
        let mut ways = vec![(kinds(told) == kinds(other), String::new())];
        for event in told {
            let is_plain =
                |value: &Value| matches!(value, Value::Text(_) | Value::Int(_) | Value::Bool(_));
            for field in event.fields.iter().filter(|field| is_plain(&field.value)) {
                let way = format!("last({}).{}", event.kind, field.name);
                let is_known = ways.iter().any(|(_, known)| *known == way);
                if event.kind.contains('.') && !is_known && ways.len() < MOST_WAYS {
                    let [is, was] =
                        [told, other].map(|all| last_value(all, &event.kind, &field.name));
                    ways.push((is == was, way));
                }
            }
        }
        ways.sort_by_key(|(is_same, _)| *is_same);
        ways.into_iter().map(|(_, way)| way).collect()
    }

    /// What it comes to by some rules; nothing where not all of it was counted.
    fn odds(&self, rules: &Rc<Rulebook>, by: &str) -> Option<Distribution> {
        let beside = self.game.beside(self.candidate.place, rules).ok()?;
        let find = |name: &str| beside.game().world().find(name);
        let by = if by.is_empty() {
            By::events()
        } else {
            By::read(by, beside.game(), &find).ok()?
        };
        let what = What::Input(self.candidate.input.clone());
        let of = OddsOf {
            what,
            by,
            policy: Policy::default(),
            eyes: None,
            limits: LIMITS,
        };
        let odds = beside.odds(None, of, self.is_enough).ok()?;
        (!(self.is_enough)()).then_some(odds)
    }
}

/// A field of the last event of a kind.
fn last_value<'e>(events: &'e [Event], kind: &Name, field: &Name) -> Option<&'e Value> {
    let event = events.iter().rev().find(|event| event.kind == *kind)?;
    let found = event.fields.iter().find(|one| one.name == *field)?;
    Some(&found.value)
}

/// Outcomes of both, each with its odds on both sides.
fn beside(was: &Texts, is: &Texts) -> Outcomes {
    let of = |all: &Texts, text: &String| {
        all.iter()
            .find(|(known, _)| known == text)
            .map_or_else(|| "0.000000".into(), |(_, odds)| odds.clone())
    };
    let mut texts: Vec<&String> = is.iter().map(|(text, _)| text).collect();
    for (text, _) in was {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let mut all: Outcomes = texts
        .into_iter()
        .map(|text| (text.clone(), [of(was, text), of(is, text)]))
        .collect();
    // Odds have as many digits each: they differ by what their digits differ.
    let digits = |odds: &String| odds.replace('.', "").parse::<i64>().unwrap_or_default();
    all.sort_by_key(|(_, [was, is])| -(digits(is) - digits(was)).abs());
    all.truncate(MOST_OUTCOMES);
    all
}
