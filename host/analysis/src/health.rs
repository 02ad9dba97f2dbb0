//! A scenario held to what it says of itself, over many games.

use std::collections::{BTreeMap, BTreeSet};

use kernel::decision::Input;
use kernel::value::{Name, Side};
use matches::play::Match;
use matches::scenario::{Balance, Scenario};
use matches::tally::PlayedOut;

use crate::series::{Broken, Programme, Reached, Seeded};
use crate::summary::{Share, counted, percent};

/// Where a scenario claims to be even, each side wins so often, in millionths.
const EVEN: (u32, u32) = (350_000, 650_000);
/// Fewer chances to act than this are let go by, in millionths.
const MOST_IDLE: u32 = 150_000;
/// No opening is played in more of the games than this, in millionths.
const MOST_ALIKE: u32 = 500_000;
/// So many decisions are an opening.
const OPENING: usize = 8;

/// How a scenario is.
#[derive(Clone, PartialEq, Debug)]
pub struct Health {
    /// How many games were played.
    pub games: u64,
    /// What was looked at.
    pub signs: Vec<Sign>,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sign {
    /// What: `balance`, `ends`, `idle`, `openings`, `arms` or `faults`.
    pub about: &'static str,
    /// Whether it is as it should be; `None` where the scenario claims nothing.
    pub is_well: Option<bool>,
    /// What was found, and what was expected if that is something else.
    pub found: String,
}

/// What is noted of a game.
struct Looked {
    seed: u64,
    winner: Option<String>,
    reason: String,
    fault: Option<String>,
    opening: Vec<String>,
    /// How often a side could act and was done without, and how often it was
    /// done at all.
    idle: (u64, u64),
    acted: BTreeSet<Name>,
}

/// Plays games of a scenario, from a seed on, and holds it to what it says.
/// `done` is told of each game.
///
/// # Errors
/// What is wrong in the scenario or its mods.
pub fn health(
    programme: &Programme<'_>,
    seed: u64,
    games: u64,
    stop: &(dyn Fn() -> bool + Sync),
    done: &mut dyn FnMut(),
) -> Result<(Health, Reached), Broken> {
    let all: Vec<Seeded> =
        (0..games).map(|game| Seeded { variant: 0, seed: seed.wrapping_add(game) }).collect();
    let scenario = &programme.found.scenario;
    let mut looked: Vec<Looked> = Vec::new();
    let reached =
        programme.play(&all, &|seeded, played| Looked::at(scenario, seeded, played), stop, &mut |one| {
            looked.push(one);
            done();
            Ok(())
        })?;
    let signs = vec![
        faults(&looked),
        balance(scenario, &looked),
        ends(scenario, &looked),
        idle(&looked),
        openings(&looked),
        arms(scenario, &looked),
    ];
    Ok((Health { games: looked.len() as u64, signs }, reached))
}

impl Health {
    /// Whether all is as it should be.
    pub fn is_well(&self) -> bool {
        self.signs.iter().all(|sign| sign.is_well != Some(false))
    }
}

impl Looked {
    fn at(scenario: &Scenario, seeded: &Seeded, played: &PlayedOut) -> Looked {
        let game = &played.game;
        Looked {
            seed: seeded.seed,
            winner: played.winner().filter(|_| played.fault.is_none()),
            reason: played.reason(),
            fault: played.fault.as_ref().map(ToString::to_string),
            opening: game.said().iter().take(OPENING).map(|said| said.text.clone()).collect(),
            idle: idle_of(game),
            acted: acted_of(scenario, game),
        }
    }
}

/// How often a side that had something to do was done with a phase without
/// having done anything in it, and how often a side was done.
fn idle_of(game: &Match) -> (u64, u64) {
    let mut busy: BTreeSet<(Name, Side)> = BTreeSet::new();
    let (mut idle, mut all) = (0, 0);
    for (place, input) in game.inputs().iter().enumerate() {
        let before = game.game_before(place);
        let Some(phase) = before.flow().phases().last().map(|phase| phase.id.clone()) else { continue };
        let here = (phase, input.by());
        match input {
            Input::Act { .. } => {
                busy.insert(here);
            }
            Input::Done { by } => {
                let was_busy = busy.remove(&here);
                let could = was_busy || could_act(game, place, *by);
                all += u64::from(could);
                idle += u64::from(could && !was_busy);
            }
            _ => {}
        }
    }
    (idle, all)
}

/// Whether there was something that a side could do before a decision.
fn could_act(game: &Match, place: usize, by: Side) -> bool {
    let _request = game.rulebook().running().request();
    let mut copy = game.game_before(place).clone();
    let legal = copy.legal(&**game.rulebook(), by).unwrap_or_default();
    legal.iter().any(|legal| legal.refused.is_none())
}

/// The arms of which something acted: by their templates, or by what stands in
/// the scenario without one.
fn acted_of(scenario: &Scenario, game: &Match) -> BTreeSet<Name> {
    let world = game.game().world();
    let actors: BTreeSet<Name> = game
        .inputs()
        .iter()
        .filter_map(|input| match input {
            Input::Act { actor, .. } | Input::React { actor, .. } => *actor,
            _ => None,
        })
        .map(|actor| world.name(actor))
        .collect();
    // What is made of a template is called by its name and a number.
    let is_of = |actor: &str, item: &str| {
        actor.strip_prefix(item).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let items = scenario.entities.iter().filter_map(|item| Some((item, item.template.clone()?)));
    let acted = items.filter(|(item, _)| actors.iter().any(|actor| is_of(actor, &item.name)));
    acted.map(|(_, template)| template).collect()
}

fn faults(looked: &[Looked]) -> Sign {
    let broken: Vec<&Looked> = looked.iter().filter(|one| one.fault.is_some()).collect();
    let found = match broken.first() {
        None => "no game broke off".to_string(),
        Some(first) => format!(
            "{} of {} games broke off, the first with seed {}: {}",
            broken.len(),
            looked.len(),
            first.seed,
            first.fault.as_deref().unwrap_or_default()
        ),
    };
    Sign { about: "faults", is_well: Some(broken.is_empty()), found }
}

fn balance(scenario: &Scenario, looked: &[Looked]) -> Sign {
    let won: Vec<&String> = looked.iter().filter_map(|one| one.winner.as_ref()).collect();
    let share = |side: &str| {
        let wins = won.iter().filter(|winner| **winner == side).count();
        Share::of(wins as u64, won.len() as u64)
    };
    let lies_in = |side: &str, (low, high): (u32, u32)| {
        let range = share(side).range;
        !won.is_empty() && range.low >= low && range.high <= high
    };
    let text = |side: &str| {
        let Share { count, range } = share(side);
        format!("{side} wins {count} of {} ({} to {})", won.len(), percent(range.low), percent(range.high))
    };
    let sides: Vec<&str> = scenario.sides.iter().map(|side| &*side.id).collect();
    let found = sides.iter().map(|side| text(side)).collect::<Vec<_>>().join(", ");
    let (is_well, claim) = match &scenario.balance {
        None => (None, "; it claims nothing".to_string()),
        Some(Balance::Even) => {
            let claim = format!("; it claims to be even, {} to {} each", percent(EVEN.0), percent(EVEN.1));
            (Some(sides.iter().all(|side| lies_in(side, EVEN))), claim)
        }
        Some(Balance::Edge(side, from, to)) => {
            let claim = format!("; it claims that {side} wins {from} to {to} %");
            (Some(lies_in(side, (from * 10_000, to * 10_000))), claim)
        }
    };
    Sign { about: "balance", is_well, found: found + &claim }
}

fn ends(scenario: &Scenario, looked: &[Looked]) -> Sign {
    let whole = looked.iter().filter(|one| one.fault.is_none());
    let found = counted(whole.map(|one| one.reason.clone()));
    let text =
        found.iter().map(|(reason, count)| format!("{reason} ({count})")).collect::<Vec<_>>().join(", ");
    let is_there = |end: &&String| found.iter().any(|(reason, _)| reason == *end);
    let missing: Vec<&str> = scenario.ends.iter().filter(|end| !is_there(end)).map(String::as_str).collect();
    let (is_well, claim) = match (scenario.ends.is_empty(), missing.is_empty()) {
        (true, _) => (None, "; it claims nothing".to_string()),
        (false, true) => (Some(true), String::new()),
        (false, false) => (Some(false), format!("; never: {}", missing.join(", "))),
    };
    Sign { about: "ends", is_well, found: text + &claim }
}

fn idle(looked: &[Looked]) -> Sign {
    let (idle, all) = looked.iter().fold((0, 0), |(idle, all), one| (idle + one.idle.0, all + one.idle.1));
    let share = millionths(idle, all);
    let found = format!("{idle} of {all} chances to act were let go by ({})", percent(share));
    let claim = if share < MOST_IDLE {
        String::new()
    } else {
        format!("; expected less than {}", percent(MOST_IDLE))
    };
    Sign { about: "idle", is_well: Some(share < MOST_IDLE), found: found + &claim }
}

fn openings(looked: &[Looked]) -> Sign {
    let mut counts: BTreeMap<&[String], u64> = BTreeMap::new();
    looked.iter().for_each(|one| *counts.entry(&one.opening).or_default() += 1);
    let most = counts.values().copied().max().unwrap_or_default();
    let share = millionths(most, looked.len() as u64);
    let found =
        format!("{} openings in {} games, the commonest in {}", counts.len(), looked.len(), percent(share));
    let is_well = looked.len() < 2 || share <= MOST_ALIKE;
    let claim = if is_well { String::new() } else { format!("; expected at most {}", percent(MOST_ALIKE)) };
    Sign { about: "openings", is_well: Some(is_well), found: found + &claim }
}

fn arms(scenario: &Scenario, looked: &[Looked]) -> Sign {
    let arms: BTreeSet<&Name> = scenario.entities.iter().filter_map(|item| item.template.as_ref()).collect();
    let idle: Vec<&str> = arms
        .iter()
        .filter(|arm| !looked.iter().any(|one| one.acted.contains(**arm)))
        .map(|arm| &***arm)
        .collect();
    let found = match idle.is_empty() {
        true => format!("all {} arms acted", arms.len()),
        false => format!("{} of {} arms never acted: {}", idle.len(), arms.len(), idle.join(", ")),
    };
    Sign { about: "arms", is_well: (!arms.is_empty()).then_some(idle.is_empty()), found }
}

/// So many of so many, in millionths.
fn millionths(count: u64, all: u64) -> u32 {
    (count * 1_000_000).checked_div(all).and_then(|share| u32::try_from(share).ok()).unwrap_or_default()
}
