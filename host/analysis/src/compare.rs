//! The same game by two sets of rules: where it parts, why on both sides, and
//! what came of it.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::event::Event;
use kernel::value::{Name, Value};
use kernel::world::Viewer;
use matches::explain::WhyLine;
use matches::play::{Match, RecordedInput, play_again};
use matches::report::{Phrases, ReportLine, result_lines};
use matches::tally::{Players, play_out};
use matches::workshop::{Found, Overrides, Workshop};
use rules::types::{Unit, print_value};

use crate::refused;

/// Where a game of one set of rules came from.
pub struct Ruled<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario, as those mods have it.
    pub found: &'a Found,
    /// The selection.
    pub overrides: &'a Overrides,
}

/// A game played by one set of rules.
pub struct PlayedBy {
    /// The selector line.
    pub line: String,
    /// The game.
    pub game: Match,
    /// In what lengths are told.
    unit: Unit,
    /// What broke it off.
    pub fault: Option<Fault>,
}

/// Two games of the same decisions.
pub struct Compared {
    /// By the first set of rules.
    pub a: PlayedBy,
    /// By the second, with the same decisions as far as they fit.
    pub b: PlayedBy,
    /// How many decisions of the first game there were.
    pub decisions: usize,
    /// How many of them a record had that ended before its game was over, so that bots
    /// went on.
    pub recorded: Option<usize>,
    /// The first of a record that already the first set of rules does not take.
    pub illegal_before: Option<IllegalInput>,
    /// The first that the second set of rules does not take.
    pub illegal: Option<IllegalInput>,
    /// Where the two first tell something else.
    pub parting: Option<Divergence>,
}

/// A decision that was right by one set of rules and is wrong by the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalInput {
    /// Its number, from 1.
    pub decision: usize,
    /// What it was, as a journal has it.
    pub text: String,
    /// The same, for people.
    pub words: String,
    /// Why it is wrong.
    pub reason: String,
    /// How many decisions were left out with it, itself among them.
    pub left: usize,
}

/// Where two games part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The number of the event, from 1: those before are the same.
    pub event: usize,
    /// The number of decisions that had been taken when it was told.
    pub decision: usize,
    /// The turn and phase in which that is, as the heading of a report; nothing before the first.
    pub heading: Option<String>,
    /// The last of those decisions, in the words of a report; nothing before the first.
    pub words: Option<String>,
    /// What the first tells there; nothing if it tells no more.
    pub a: Option<Tale>,
    /// What the second tells there.
    pub b: Option<Tale>,
}

/// An event with the rules behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tale {
    /// As a report has it.
    pub text: String,
    /// The tree of rules behind it.
    pub why: Vec<WhyLine>,
}

/// What is decided in both games.
pub enum Course<'a> {
    /// What bots decide by the first set of rules, from a seed.
    Bots(&'a Players, u64),
    /// What was decided in a game that was recorded.
    Recorded(&'a Match),
}

/// Plays a game by one set of rules, and again with the same decisions by
/// another. From the first decision that does not fit bots go on, and so they do
/// where a record ends before its game is over.
///
/// # Errors
/// What is wrong in the scenario or the mods of either, with which of them.
pub fn compare(
    a: &Ruled<'_>,
    b: &Ruled<'_>,
    course: &Course<'_>,
) -> Result<Compared, (char, Vec<Fault>)> {
    let nobody = Players::default();
    let (seed, players) = match course {
        Course::Bots(players, seed) => (*seed, *players),
        Course::Recorded(game) => (game.header().seed, &nobody),
    };
    let first = a.begin(seed).map_err(|faults| ('a', faults))?;
    let (first, illegal_before) = match course {
        Course::Bots(..) => (first, None),
        Course::Recorded(game) => {
            let course = game.recorded_inputs();
            first.along(course, game).map_err(|faults| ('a', faults))?
        }
    };
    let taken = first.game.inputs().len();
    let first = match first.game.game().finished() {
        Some(_) => first,
        None => first.by_bots(a.found, players),
    };
    let goes_on = illegal_before.is_none() && first.game.inputs().len() > taken;
    let recorded = matches!(course, Course::Recorded(_)).then_some(taken);
    let recorded = recorded.filter(|_| goes_on);
    let inputs = first.game.recorded_inputs().to_vec();
    let second = b.begin(seed).map_err(|faults| ('b', faults))?;
    let (second, illegal) = second
        .along(&inputs, &first.game)
        .map_err(|faults| ('b', faults))?;
    let parting = parting(&first, &second);
    let second = match illegal.is_some() || second.game.game().finished().is_none() {
        true => second.by_bots(b.found, players),
        false => second,
    };
    Ok(Compared {
        parting,
        a: first,
        b: second,
        decisions: inputs.len(),
        recorded,
        illegal_before,
        illegal,
    })
}

impl Compared {
    /// The clauses and options in which the two sets of rules differ.
    pub fn differing(&self) -> BTreeSet<Name> {
        let (a, b) = (self.a.game.rulebook(), self.b.game.rulebook());
        apart(a.clauses(), b.clauses())
            .chain(apart(a.options(), b.options()))
            .collect()
    }
}

/// The ids that one of two has alone, or that are something else in each.
fn apart<'a, T: PartialEq>(
    a: &'a BTreeMap<Name, T>,
    b: &'a BTreeMap<Name, T>,
) -> impl Iterator<Item = Name> + 'a {
    let ids = a.keys().chain(b.keys());
    ids.filter(|id| a.get(*id) != b.get(*id)).cloned()
}

impl Ruled<'_> {
    /// The game before its first decision.
    fn begin(&self, seed: u64) -> Result<PlayedBy, Vec<Fault>> {
        let overrides = Overrides {
            seed: Some(seed),
            ..self.overrides.clone()
        };
        let (chosen, setup) = self.workshop.prepare(self.found, &overrides)?;
        let game = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
        let unit = self.found.scenario.unit();
        Ok(PlayedBy {
            line: chosen.active.line,
            game,
            unit,
            fault: None,
        })
    }
}

impl PlayedBy {
    fn by_bots(mut self, found: &Found, players: &Players) -> PlayedBy {
        if self.fault.is_none() {
            self.fault = play_out(&mut self.game, found, players).err();
        }
        self
    }

    /// The game with decisions that were made in another, as far as they fit.
    fn along(
        self,
        course: &[RecordedInput],
        made: &Match,
    ) -> Result<(PlayedBy, Option<IllegalInput>), Vec<Fault>> {
        let PlayedBy {
            line, game, unit, ..
        } = self;
        let again = play_again(game, course).map_err(|(place, fault)| {
            vec![fault.hint(format!("it broke at decision {}", place + 1))]
        })?;
        let left = again.left.len();
        let illegal = again.mismatch.map(|(place, reason)| IllegalInput {
            decision: place + 1,
            text: course[place].text.clone(),
            words: refused::decision(&again.game, &course[place].text, unit, || {
                made.decision_words(place, unit)
            }),
            reason: refused::in_words(&reason),
            left,
        });
        Ok((
            PlayedBy {
                line,
                game: again.game,
                unit,
                fault: None,
            },
            illegal,
        ))
    }

    /// How it ended, in lines; nothing while it goes on.
    pub fn ending(&self) -> Vec<String> {
        let names = |entity| self.game.game().label(Viewer::Referee, entity);
        let say = Phrases {
            unit: self.unit,
            names: &names,
        };
        let result = self.game.game().finished();
        let lines = result
            .map(|result| result_lines(result, &say))
            .unwrap_or_default();
        let rows = |line: &ReportLine| {
            line.plain(0)
                .lines()
                .map(|row| row.trim_end().to_string())
                .collect::<Vec<_>>()
        };
        lines.iter().flat_map(rows).collect()
    }

    /// What is told at a place, where the other side tells another event.
    fn tale(&self, event: usize, other: Option<&Event>) -> Option<Tale> {
        let own = self.game.settled_events().get(event)?;
        let text = self.game.event_text(event, self.unit);
        let text = match text.trim_end() {
            "" if &*own.kind == "phase" => self.game.event_words(event, self.unit),
            "" => self.fields_of(own, other),
            told => told.to_string(),
        };
        Some(Tale {
            text,
            why: self.game.why_lines(event, self.unit, false),
        })
    }

    /// An event that no report tells: what it is, and the fields that are not as those
    /// of another.
    fn fields_of(&self, own: &Event, other: Option<&Event>) -> String {
        let other = other
            .filter(|other| other.kind == own.kind)
            .map(Event::content);
        let fields = own.content().fields;
        let differs = |field: &&(Name, Value)| {
            other
                .as_ref()
                .is_none_or(|other| !other.fields.contains(field))
        };
        let shown = fields.iter().filter(differs).map(|(name, value)| {
            let value = print_value(value, self.game.game(), self.unit);
            format!("{name} = {value}")
        });
        let shown: Vec<String> = shown.collect();
        format!("{}: {}", own.kind, shown.join(", "))
    }

    /// How many decisions had been taken when an event was told.
    fn decision_of(&self, event: usize) -> usize {
        let taken = self.game.inputs().len();
        (0..taken)
            .rev()
            .find(|input| self.game.events_before(*input) <= event)
            .map_or(0, |input| input + 1)
    }
}

/// The first event that the two tell in another way: of other things, or with
/// other figures.
fn parting(a: &PlayedBy, b: &PlayedBy) -> Option<Divergence> {
    let (mine, theirs) = (a.game.settled_events(), b.game.settled_events());
    let event = mine
        .iter()
        .zip(theirs)
        .take_while(|(one, other)| one.content() == other.content())
        .count();
    let (one, other) = (
        a.tale(event, theirs.get(event)),
        b.tale(event, mine.get(event)),
    );
    if one.is_none() && other.is_none() {
        return None;
    }
    let of = if one.is_some() { a } else { b };
    let decision = of.decision_of(event);
    let last = decision.checked_sub(1);
    Some(Divergence {
        event: event + 1,
        decision,
        heading: of.game.heading_at(event, of.unit),
        words: last.map(|place| of.game.decision_words(place, of.unit)),
        a: one,
        b: other,
    })
}
