//! The odds of what a house rule stands behind, with and without it: decisions of
//! a game that reach it, each from the very state in which it was made.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kernel::decision::Input;
use kernel::error::Fault;
use kernel::record::decode;
use kernel::value::Value;
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

/// Where more runs of steps are needed, games are sampled.
const LIMITS: Limits = Limits {
    runs: 20_000,
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
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Chances>, Vec<Fault>> {
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
    let mut game = Match::start(chosen.rulebook.clone(), setup).map_err(|fault| vec![fault])?;
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let unit = between.found.scenario.unit();
    for (place, recorded) in course.iter().enumerate() {
        if found.len() >= MOST || stop() {
            break;
        }
        let input = decode(&recorded.text, game.game().world()).ok();
        let (taken, clauses) = clauses_behind(&chosen.rulebook, || game.repeat(recorded));
        if !matches!(taken, Ok(None)) {
            break;
        }
        let (true, Some(input)) = (!party.clauses.is_disjoint(&clauses), input) else {
            continue;
        };
        let (Input::Act { action: id, .. } | Input::React { reaction: id, .. }) = &input else {
            continue;
        };
        let is_drawn = game.settled_events()[game.events_before(place)..]
            .iter()
            .any(|event| matches!(&*event.kind, "roll" | "chits"));
        if !is_drawn || !seen.insert(id.clone()) {
            continue;
        }
        let state = DecisionState {
            game: &game,
            place,
            input: &input,
            unit,
            stop,
        };
        let rules = [&before.rulebook, &chosen.rulebook];
        if let Some(other) = state.first_other(rules) {
            found.push(Chances {
                seed,
                decision: place + 1,
                input: recorded.text.clone(),
                words: game.decision_words(place, unit),
                by: other.by,
                outcomes: other.outcomes,
                told: other.told,
                how: other.how,
            });
        }
    }
    Ok(found)
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
    place: usize,
    input: &'a Input,
    unit: Unit,
    stop: &'a dyn Fn() -> bool,
}

impl DecisionState<'_> {
    /// The first way to tell what comes of it by which its odds differ: by the
    /// events that happen, or by a field of one of them.
    fn first_other(&self, rules: [&Rc<Rulebook>; 2]) -> Option<OtherOdds> {
        let [before, after] = rules;
        let names = self.game.beside(self.place, after).ok()?;
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

    /// Expressions for what comes of it; an empty one for the events themselves.
    fn ways(&self) -> Vec<String> {
        let from = self.game.events_before(self.place);
        let to = self.game.events_before(self.place + 1);
        let mut ways = vec![String::new()];
        for event in &self.game.settled_events()[from..to] {
            let is_plain =
                |value: &Value| matches!(value, Value::Text(_) | Value::Int(_) | Value::Bool(_));
            for field in event.fields.iter().filter(|field| is_plain(&field.value)) {
                let way = format!("last({}).{}", event.kind, field.name);
                if event.kind.contains('.') && !ways.contains(&way) && ways.len() < MOST_WAYS {
                    ways.push(way);
                }
            }
        }
        ways
    }

    /// What it comes to by some rules.
    fn odds(&self, rules: &Rc<Rulebook>, by: &str) -> Option<Distribution> {
        let beside = self.game.beside(self.place, rules).ok()?;
        let find = |name: &str| beside.game().world().find(name);
        let by = if by.is_empty() {
            By::events()
        } else {
            By::read(by, beside.game(), &find).ok()?
        };
        let what = What::Input(self.input.clone());
        let of = OddsOf {
            what,
            by,
            policy: Policy::default(),
            eyes: None,
            limits: LIMITS,
        };
        beside.odds(None, of, self.stop).ok()
    }
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
