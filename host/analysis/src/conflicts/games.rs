//! The decisions of a game, each made again from the state in which it was made.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use matches::play::{Match, RecordedInput, clauses_behind, take_line};
use matches::tally::play_out;
use matches::workshop::{Found, Overrides};
use rules::rulebook::{Rulebook, WarmHost};
use rules::types::Unit;

use crate::outcome::OutcomePart;

use super::{
    ConflictMonitor, ConflictQuery, CutScript, DecisionOutcome, Ground, Job, JobOutcomes,
    NotComparable, ShownBy, Turned,
};

/// So many other seeds are tried, from 1 on, before it is said that a decision never comes out otherwise.
const OTHER_SEEDS: u64 = 24;

/// The course of a game: each decision, which parties stood behind it, and what it came to.
pub(super) struct TracedCourse<'a> {
    question: &'a ConflictQuery<'a>,
    found: &'a Found,
    game: Match,
    behind: Vec<BTreeSet<usize>>,
    outcomes: Vec<DecisionOutcome>,
    /// What broke the game off, so that it has no more decisions.
    pub broken: Option<Fault>,
    /// Where its script does not fit, so that it was played no further.
    pub cut: Option<CutScript>,
    unit: Unit,
    /// A host kept warm, for rules to be composed in it.
    warm: Option<WarmHost>,
}

impl<'a> TracedCourse<'a> {
    /// Plays the game with all parties: its script, or by bots.
    pub fn of(
        question: &'a ConflictQuery<'a>,
        found: &'a Found,
    ) -> Result<TracedCourse<'a>, Vec<Fault>> {
        let all = question.overrides_without(&BTreeSet::new());
        let rulebook = question.workshop.prepare(found, &all)?.0.rulebook;
        let PlayedCourse {
            inputs,
            broken,
            cut,
        } = decisions(question, found, &all, &rulebook)?;
        let mut course = TracedCourse {
            question,
            found,
            game: begun(found, &all, &rulebook)?,
            behind: Vec::new(),
            outcomes: Vec::new(),
            broken,
            cut,
            unit: found.scenario.unit(),
            warm: None,
        };
        for input in &inputs {
            let from = course.game.settled_events().len();
            let (taken, clauses) = clauses_behind(&rulebook, || course.game.repeat(input));
            if !matches!(taken, Ok(None)) {
                break;
            }
            course.behind.push(question.parties_of(&clauses));
            course
                .outcomes
                .push(outcome_from(&course.game, from, course.unit));
        }
        Ok(course)
    }

    /// What a decision comes to by other rules; nothing if its state does not fit them.
    fn again(&self, place: usize, rulebook: &Rc<Rulebook>) -> Option<DecisionOutcome> {
        self.again_by(place, rulebook, None)
    }

    /// The same, by the dice of another seed if one is given.
    fn again_by(
        &self,
        place: usize,
        rulebook: &Rc<Rulebook>,
        seed: Option<u64>,
    ) -> Option<DecisionOutcome> {
        let mut game = self.game.beside(place, rulebook).ok()?;
        if let Some(seed) = seed {
            game.set_luck(seed);
        }
        Some(match game.repeat(self.game.recorded_inputs().get(place)?) {
            Ok(None) => outcome_from(&game, 0, self.unit),
            Ok(Some(reason)) => DecisionOutcome::stopped(format!("refused: {reason}")),
            Err(fault) => DecisionOutcome::stopped(format!("broke: {fault}")),
        })
    }

    /// The rules with all parties, by mods in an order.
    fn in_order(&self, order: &[Name]) -> Result<Rc<Rulebook>, NotComparable> {
        if *order == *self.game.rulebook().mods() {
            return Ok(self.game.rulebook().clone());
        }
        let turned = self.question.workshop.with_order(order);
        let all = self.question.overrides_without(&BTreeSet::new());
        let prepared = turned
            .prepare(self.found, &all)
            .map_err(|_| NotComparable)?;
        Ok(prepared.0.rulebook)
    }

    /// What comes of a job; nothing where the rules do not compose.
    fn without(&mut self, job: &Job) -> Option<BTreeMap<usize, DecisionOutcome>> {
        let rulebook = Rc::new(self.composed(&job.out)?);
        let each = job
            .places
            .iter()
            .filter_map(|place| Some((*place, self.again(*place, &rulebook)?)));
        let made = each.collect();
        self.warm = Rc::try_unwrap(rulebook).ok().map(Rulebook::into_warm_host);
        Some(made)
    }

    /// The rules without some parties, in a warm host if there is one.
    fn composed(&mut self, out: &BTreeSet<usize>) -> Option<Rulebook> {
        let (workshop, overrides) = (self.question.workshop, self.question.overrides_without(out));
        let request = workshop.request(&self.found.scenario, &overrides).ok()?;
        let Some(warm) = self.warm.take() else {
            return workshop.compose_alone(&request).ok();
        };
        match workshop.compose_in(warm, &request) {
            Ok(rulebook) => Some(rulebook),
            Err(broken) => {
                self.warm = broken.warm_host.map(|left| *left);
                None
            }
        }
    }
}

fn begun(found: &Found, all: &Overrides, rulebook: &Rc<Rulebook>) -> Result<Match, Vec<Fault>> {
    let seed = all.seed.unwrap_or(found.scenario.seed);
    let setup = matches::scenario::set_up(&found.scenario, rulebook, seed, all.turns)?;
    Match::start(rulebook.clone(), setup).map_err(|fault| vec![fault])
}

/// What was decided in a game, and why no more.
#[derive(Default)]
struct PlayedCourse {
    inputs: Vec<RecordedInput>,
    broken: Option<Fault>,
    cut: Option<CutScript>,
}

/// The decisions of a game by all rules, and what broke it off.
fn decisions(
    question: &ConflictQuery<'_>,
    found: &Found,
    all: &Overrides,
    rulebook: &Rc<Rulebook>,
) -> Result<PlayedCourse, Vec<Fault>> {
    let mut first = begun(found, all, rulebook)?;
    let script = &found.scenario.script;
    let mut course = PlayedCourse::default();
    if script.is_empty() {
        course.broken = play_out(&mut first, found, question.players).err();
    } else {
        // Its dice are those of the seed: with other house rules there are others, and lines that are refused.
        let mut lines = (0..).zip(script);
        let stopped =
            lines.find_map(|(taken, act)| Some((taken, take_line(&mut first, act).err()?)));
        match stopped {
            Some((taken, fault)) if fault.code == FaultCode::BadScenario => {
                course.cut = Some(CutScript {
                    taken,
                    lines: script.len(),
                    reason: fault.into_message(),
                });
            }
            stopped => course.broken = stopped.map(|(_, fault)| fault),
        }
    }
    course.inputs = first.recorded_inputs().to_vec();
    Ok(course)
}

/// What was told since so many events.
fn outcome_from(game: &Match, from: usize, unit: Unit) -> DecisionOutcome {
    let settled = game.settled_events().iter().enumerate().skip(from);
    let (said, texts) = settled
        .map(|(place, event)| {
            (
                OutcomePart::Event(event.content()),
                game.event_words(place, unit),
            )
        })
        .unzip();
    DecisionOutcome { said, texts }
}

impl Ground for TracedCourse<'_> {
    fn behind(&self) -> &[BTreeSet<usize>] {
        &self.behind
    }

    fn outcome(&self, place: usize) -> &DecisionOutcome {
        &self.outcomes[place]
    }

    fn made(&mut self, jobs: &[Job], watch: ConflictMonitor<'_>) -> Vec<JobOutcomes> {
        let one = |job: &Job| {
            let made = (!(watch.stop)()).then(|| self.without(job).unwrap_or_default());
            (watch.done)();
            made
        };
        jobs.iter().map(one).collect()
    }

    fn order(&self) -> Vec<Name> {
        self.game.rulebook().mods().to_vec()
    }

    fn first_turned(
        &mut self,
        orders: &[Vec<Name>; 2],
        places: &[usize],
    ) -> Result<Option<Turned>, NotComparable> {
        let [straight, turned] = [self.in_order(&orders[0])?, self.in_order(&orders[1])?];
        let both = |place: &usize| {
            let made = [&straight, &turned].map(|rulebook| self.again(*place, rulebook));
            let [Some(one), Some(other)] = made else {
                return None;
            };
            Some((*place, [one, other]))
        };
        let mut made = places.iter().filter_map(both);
        Ok(made.find(|(_, [one, other])| one != other))
    }

    /// Every decision shows what all rules do that stand behind it.
    fn is_for(&self, _place: usize, _party: usize) -> bool {
        true
    }

    fn has_other_dice(&self) -> bool {
        true
    }

    fn differs_by_luck(&mut self, place: usize, out: &BTreeSet<usize>) -> bool {
        let with_all = self.game.rulebook().clone();
        let Some(without) = self.composed(out) else {
            return false;
        };
        let without = Rc::new(without);
        let differs = (1..=OTHER_SEEDS).any(|seed| {
            let [one, other] =
                [&with_all, &without].map(|rules| self.again_by(place, rules, Some(seed)));
            one != other
        });
        self.warm = Rc::try_unwrap(without).ok().map(Rulebook::into_warm_host);
        differs
    }

    fn shown_by(&self, place: usize) -> ShownBy {
        let recorded = self.game.recorded_inputs().get(place);
        ShownBy::Decision {
            scenario: self.found.scenario.id.to_string(),
            number: place + 1,
            input: recorded.map_or_else(String::new, |input| input.text.clone()),
            words: self.game.decision_words(place, self.unit),
        }
    }
}
