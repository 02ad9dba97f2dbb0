//! What house rules do: the same seeds with and without them, bots deciding
//! afresh, game by game beside each other.
//!
//! [`PairQuery`] plays the pairs, [`Impact::of`] counts what shifted and
//! how sure that is, [`past`] makes decisions of before again by the new rules,
//! [`chances`] counts the odds of what they stand behind; [`report`] is the page.

pub mod chances;
mod pairs;
pub mod past;
pub mod report;
mod shift;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::error::Fault;
use kernel::value::{Name, Value, owner_of};
use matches::play::{Invalidation, RecordedInput};
use matches::tally::{PlayedOut, Players};
use matches::workshop::{Found, Overrides, Workshop};
use rules::modset::selector::{Amendment, Request};

pub use chances::Chances;
pub use pairs::{PairError, PairQuery, PairSide, Pairs};
pub use past::{MadeBefore, RefusedDecision, ReplayOutcome};
pub use shift::{Interval, MeasuredShift};

use crate::conflicts::Party;
use crate::series::Seeded;
use crate::simulation::GameRow;
use shift::{deviations, of_means, of_shares};

/// The course of so many games is kept, to be made again by the other rules.
const MOST_COURSES: u64 = 20;

/// So many things that happened are told of, those that shifted most.
const MOST_HAPPENINGS: usize = 12;

/// What is asked.
pub struct ImpactQuery<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario.
    pub found: &'a Found,
    /// The rules that both sides of a pair have.
    pub overrides: &'a Overrides,
    /// Who decides.
    pub players: &'a Players,
    /// How many games at once.
    pub jobs: Option<usize>,
    /// The seed of the first pair.
    pub seed: u64,
    /// How many pairs.
    pub games: u64,
}

/// A game of a pair.
#[derive(Clone, PartialEq, Debug)]
pub struct PairedGame {
    /// What is kept of every game.
    pub row: GameRow,
    /// The whole numbers in its result, and how long its lists are.
    pub numbers: BTreeMap<String, i64>,
    /// What happened how often: events that rules told.
    pub happened: BTreeMap<String, u64>,
    /// Its decisions; of the first games only.
    pub course: Vec<RecordedInput>,
    /// The marks of all that it reached, if that was noted.
    reached: Option<Arc<BTreeSet<Name>>>,
}

/// Games that were played before, and what has become other since.
#[derive(Clone, Copy)]
pub struct Baseline<'a> {
    /// The games.
    pub games: &'a Games,
    /// What is other than it was when they were played; nothing, if it is left out.
    pub invalidation: Option<&'a Invalidation>,
}

/// Games of one set of rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    /// The selector line.
    pub selector: String,
    /// The games, by seed.
    pub games: Vec<PairedGame>,
    /// How many of them were known, and not played again.
    pub reused: u64,
}

impl ImpactQuery<'_> {
    /// The overrides with a house rule, or without it.
    pub fn overrides_with(&self, party: &Party, is_on: bool) -> Overrides {
        let mut with = self.overrides.clone();
        with.with.push(party.selector.to_string());
        if is_on {
            let is_other = |id: &Name| party.options.iter().all(|(own, _)| own != id);
            with.options.retain(|(id, _)| is_other(id));
            with.options.extend(party.options.iter().cloned());
            let is_other = |one: &Amendment| party.amends.iter().all(|own| !own.is_of_cell(one));
            with.amends.retain(is_other);
            with.amends.extend(party.amends.iter().cloned());
            return with;
        }
        let mut without = self.overrides.clone();
        without.without.push(party.selector.to_string());
        // What is said of a mod that only the other side has is said of that side alone.
        let (there, here) = (self.mods_of(&with), self.mods_of(&without));
        if let (Some(there), Some(here)) = (there, here) {
            let is_meant = |id: &str| {
                let owner = Name::from(owner_of(id));
                here.contains(&owner) || !there.contains(&owner)
            };
            without.options.retain(|(id, _)| is_meant(id));
            without.amends.retain(|one| is_meant(&one.table));
        }
        without
    }

    /// The mods that take part by some overrides, whatever is said of their options and
    /// tables; nothing where something else is wrong.
    fn mods_of(&self, overrides: &Overrides) -> Option<Vec<Name>> {
        let request = self.workshop.request(&self.found.scenario, overrides);
        let request = Request {
            options: Vec::new(),
            amends: Vec::new(),
            ..request.ok()?
        };
        let active = request.resolve_unnamed(self.workshop.manifests());
        active.ok().map(|active| active.order.mods)
    }

    /// The selector line of some overrides.
    fn selector(&self, overrides: &Overrides) -> Result<String, Vec<Fault>> {
        let request = self.workshop.request(&self.found.scenario, overrides)?;
        Ok(request.resolve(self.workshop.manifests())?.line)
    }
}

impl Baseline<'_> {
    /// Whether a game is the same by the rules of now.
    fn spares(&self, game: &PairedGame) -> bool {
        self.invalidation
            .is_none_or(|other| other.spares(game.reached.as_deref()))
    }

    /// The games that are the same by the rules of now, by their seeds.
    fn spared(self) -> BTreeMap<u64, PairedGame> {
        let games = self.games.games.iter();
        games
            .filter(|game| self.spares(game))
            .map(|game| (game.row.seed, game.clone()))
            .collect()
    }
}

impl PairedGame {
    fn of(seeded: &Seeded, played: &PlayedOut, is_course_kept: bool) -> PairedGame {
        let mut numbers = BTreeMap::new();
        if let Some(result) = played.game.game().finished() {
            collect("", result, &mut numbers);
        }
        let mut happened: BTreeMap<String, u64> = BTreeMap::new();
        let emitted = played
            .game
            .settled_events()
            .iter()
            .filter(|event| event.kind.contains('.'));
        emitted.for_each(|event| *happened.entry(event.kind.to_string()).or_default() += 1);
        PairedGame {
            row: GameRow::of(seeded, played),
            numbers,
            happened,
            course: if is_course_kept {
                played.game.recorded_inputs().to_vec()
            } else {
                Vec::new()
            },
            reached: played.reached.clone().map(Arc::new),
        }
    }

    /// Games reach mostly the same: each mark is held once.
    fn share_names(&mut self, names: &mut BTreeSet<Name>) {
        let Some(reached) = &self.reached else { return };
        let shared = |mark: &Name| match names.get(mark) {
            Some(known) => known.clone(),
            None => {
                names.insert(mark.clone());
                mark.clone()
            }
        };
        self.reached = Some(Arc::new(reached.iter().map(shared).collect()));
    }
}

/// The whole numbers in a result and the lengths of its lists, by the way to them.
fn collect(path: &str, value: &Value, numbers: &mut BTreeMap<String, i64>) {
    match value {
        Value::Int(number) => {
            numbers.insert(path.to_string(), *number);
        }
        // Losses are lists of what was lost.
        Value::List(items) => {
            numbers.insert(path.to_string(), items.len() as i64);
        }
        Value::Map(fields) => {
            for (name, value) in fields.iter() {
                let path = if path.is_empty() {
                    name.to_string()
                } else {
                    format!("{path}.{name}")
                };
                collect(&path, value, numbers);
            }
        }
        _ => {}
    }
}

/// What a house rule does to a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Impact {
    /// The house rule, as it is selected.
    pub subject: String,
    /// The scenario, and its title.
    pub scenario: [String; 2],
    /// The selector lines without and with it.
    pub selectors: [String; 2],
    /// The seed of the first pair.
    pub seed: u64,
    /// How many pairs were to be played.
    pub wanted: u64,
    /// How many pairs were played, with those of which a game broke off.
    pub played: u64,
    /// How many pairs were played to their end.
    pub pairs: u64,
    /// How many house rules were asked of at once; intervals are as much wider.
    pub asked: usize,
    /// Pairs of which the game with it was not played, since nothing that the other reached is other by it.
    pub spared: u64,
    /// Pairs whose games are not the same.
    pub differing: u64,
    /// Pairs that somebody else won.
    pub turned: u64,
    /// Seeds at which a game broke off, with why.
    pub broken: Vec<(u64, String)>,
    /// How often each side wins.
    pub wins: Vec<MeasuredShift>,
    /// How long games last, and the numbers of their results.
    pub measures: Vec<MeasuredShift>,
    /// What is done, and what happens, for each game: what shifted most.
    pub happenings: Vec<MeasuredShift>,
    /// Decisions of before, by the new rules.
    pub past: Vec<ReplayOutcome>,
    /// The odds of what the house rule stands behind.
    pub chances: Vec<Chances>,
    /// Actions whose odds were not counted to their end, for that would have been too much.
    pub uncounted: Vec<Name>,
}

impl Impact {
    /// What shifted between games without a house rule and games with it, where
    /// `asked` of them are asked of at once.
    pub fn of(
        question: &ImpactQuery<'_>,
        party: &Party,
        asked: usize,
        before: &Games,
        after: &Games,
    ) -> Impact {
        let pairs: Vec<(&PairedGame, &PairedGame)> =
            before.games.iter().zip(&after.games).collect();
        let played = pairs.len() as u64;
        let broken = pairs.iter().flat_map(|(one, other)| [one, other]);
        let broken = broken
            .filter_map(|game| Some((game.row.seed, game.row.fault.clone()?)))
            .collect();
        let whole: Vec<(&PairedGame, &PairedGame)> = pairs
            .into_iter()
            .filter(|(one, other)| one.row.fault.is_none() && other.row.fault.is_none())
            .collect();
        let z = deviations(asked);
        let count = |differs: fn(&PairedGame, &PairedGame) -> bool| {
            whole
                .iter()
                .filter(|(one, other)| differs(one, other))
                .count() as u64
        };
        Impact {
            subject: party.to_string(),
            scenario: [
                question.found.scenario.id.to_string(),
                question.found.scenario.title.clone(),
            ],
            selectors: [before.selector.clone(), after.selector.clone()],
            seed: question.seed,
            wanted: question.games,
            played,
            pairs: whole.len() as u64,
            asked,
            spared: after.reused,
            differing: count(|one, other| {
                one.happened != other.happened || one.row.state != other.row.state
            }),
            turned: count(|one, other| one.row.winner != other.row.winner),
            broken,
            wins: wins(&whole, z),
            measures: measures(&whole, asked),
            happenings: happenings(&whole, asked),
            past: Vec::new(),
            chances: Vec::new(),
            uncounted: Vec::new(),
        }
    }

    /// Whether somebody stopped it before all pairs were played.
    pub fn is_stopped(&self) -> bool {
        self.played < self.wanted
    }
}

type WholePairs<'a> = [(&'a PairedGame, &'a PairedGame)];

fn wins(pairs: &WholePairs<'_>, z: f64) -> Vec<MeasuredShift> {
    let winner = |game: &PairedGame| game.row.winner.clone().unwrap_or_else(|| "nobody".into());
    let sides: BTreeSet<String> = pairs
        .iter()
        .flat_map(|(one, other)| [winner(one), winner(other)])
        .collect();
    let of = |side: String| {
        let won = pairs
            .iter()
            .map(|(one, other)| (winner(one) == side, winner(other) == side));
        of_shares(&side, won, z)
    };
    sides.into_iter().map(of).collect()
}

/// Each line of the table is a question of its own.
fn measures(pairs: &WholePairs<'_>, asked: usize) -> Vec<MeasuredShift> {
    let games = pairs.iter().flat_map(|(one, other)| [one, other]);
    let names: BTreeSet<&String> = games.flat_map(|game| game.numbers.keys()).collect();
    let asked = asked.max(1) * (names.len() + 1);
    let decisions = pairs
        .iter()
        .map(|(one, other)| (one.row.decisions as f64, other.row.decisions as f64));
    let mut found = vec![of_means("decisions", decisions, asked)];
    for name in names {
        let of = |game: &PairedGame| Some(*game.numbers.get(name)? as f64);
        let both = pairs
            .iter()
            .filter_map(|(one, other)| Some((of(one)?, of(other)?)));
        found.push(of_means(name, both, asked));
    }
    found
}

/// Actions and events for each game, those first that shifted most surely: what
/// is not shown was asked of too.
fn happenings(pairs: &WholePairs<'_>, asked: usize) -> Vec<MeasuredShift> {
    let games = pairs.iter().flat_map(|(one, other)| [*one, *other]);
    let names: BTreeSet<&String> = games
        .flat_map(|game| game.row.actions.keys().chain(game.happened.keys()))
        .collect();
    let of = |game: &PairedGame, name: &String| {
        let times = game
            .row
            .actions
            .get(name)
            .or_else(|| game.happened.get(name));
        times.copied().unwrap_or_default() as f64
    };
    let asked = asked.max(1) * names.len().max(1);
    let mut found: Vec<MeasuredShift> = names
        .into_iter()
        .map(|name| {
            of_means(
                name,
                pairs
                    .iter()
                    .map(|(one, other)| (of(one, name), of(other, name))),
                asked,
            )
        })
        .filter(|shift| shift.is_other())
        .collect();
    found.sort_by(|a, b| {
        b.sureness()
            .total_cmp(&a.sureness())
            .then_with(|| a.name.cmp(&b.name))
    });
    found.truncate(MOST_HAPPENINGS);
    found
}
