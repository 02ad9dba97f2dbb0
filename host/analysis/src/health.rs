//! A scenario held to what it says of itself, over many games.

use std::collections::{BTreeMap, BTreeSet};

use kernel::decision::Input;
use kernel::value::{Name, Side};
use matches::odds::Range;
use matches::play::Match;
use matches::scenario::{Balance, EntityItem, Scenario};
use matches::tally::PlayedOut;

use crate::series::{Programme, Reached, Seeded, SeriesError};
use crate::summary::{Proportion, counted, percent};

/// Where a scenario claims to be even, each side wins so often, in millionths.
const EVEN: (u32, u32) = (350_000, 650_000);
/// Fewer chances to act than this are let go by, in millionths.
const MOST_IDLE: u32 = 150_000;
/// No opening is played in more of the games than this, in millionths.
const MOST_ALIKE: u32 = 500_000;
/// So many decisions of a side are its opening.
const OPENING: usize = 5;
/// An end that is left out by so many games comes in fewer than one of twenty.
const ENOUGH_FOR_ENDS: usize = 60;

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
    /// Whether it is as it should be.
    pub verdict: Verdict,
    /// What was found, and what was expected if that is something else.
    pub found: String,
}

/// Whether something is as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is.
    Well,
    /// So few games neither show nor rule out what is claimed.
    Open,
    /// It is not.
    Unwell,
    /// The scenario claims nothing.
    Unclaimed,
}

/// What is noted of a game.
struct GameNotes {
    seed: u64,
    winner: Option<String>,
    reason: String,
    fault: Option<String>,
    /// The first decisions of each side, in the order of the sides.
    openings: Vec<String>,
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
) -> Result<(Health, Reached), SeriesError> {
    let all: Vec<Seeded> = (0..games)
        .map(|game| Seeded {
            variant: 0,
            seed: seed.wrapping_add(game),
        })
        .collect();
    let scenario = &programme.found.scenario;
    let mut looked: Vec<GameNotes> = Vec::new();
    let reached = programme.play(
        &all,
        &|seeded, played| GameNotes::at(scenario, seeded, played),
        stop,
        &mut |one| {
            looked.push(one);
            done();
            Ok(())
        },
    )?;
    let signs = vec![
        faults(&looked),
        balance(scenario, &looked),
        ends(scenario, &looked),
        idle(&looked),
        openings(scenario, &looked),
        arms(scenario, &looked),
    ];
    Ok((
        Health {
            games: looked.len() as u64,
            signs,
        },
        reached,
    ))
}

impl Health {
    /// Whether all is as it should be.
    pub fn is_well(&self) -> bool {
        self.signs
            .iter()
            .all(|sign| matches!(sign.verdict, Verdict::Well | Verdict::Unclaimed))
    }

    /// Whether nothing is other than it should be, as far as these games say.
    pub fn is_plausible(&self) -> bool {
        self.signs
            .iter()
            .all(|sign| sign.verdict != Verdict::Unwell)
    }
}

impl Verdict {
    fn well_if(is_well: bool) -> Verdict {
        if is_well {
            Verdict::Well
        } else {
            Verdict::Unwell
        }
    }

    /// Of a share that is claimed to lie between two bounds.
    fn of_range(found: Range, (low, high): (u32, u32)) -> Verdict {
        if found.low >= low && found.high <= high {
            Verdict::Well
        } else if found.high >= low && found.low <= high {
            Verdict::Open
        } else {
            Verdict::Unwell
        }
    }

    /// As it says itself.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Well => "well",
            Verdict::Open => "open",
            Verdict::Unwell => "not",
            Verdict::Unclaimed => "-",
        }
    }
}

impl GameNotes {
    fn at(scenario: &Scenario, seeded: &Seeded, played: &PlayedOut) -> GameNotes {
        let game = &played.game;
        GameNotes {
            seed: seeded.seed,
            winner: played.winner().filter(|_| played.fault.is_none()),
            reason: played.reason(),
            fault: played.fault.as_ref().map(ToString::to_string),
            openings: sides_of(scenario)
                .map(|side| opening_of(game, side))
                .collect(),
            idle: idle_of(game),
            acted: acted_of(scenario, game),
        }
    }
}

fn sides_of(scenario: &Scenario) -> impl Iterator<Item = Side> {
    (0..).map(Side).take(scenario.sides.len())
}

/// The first decisions of a side.
fn opening_of(game: &Match, side: Side) -> String {
    let own = game
        .recorded_inputs()
        .iter()
        .filter(|input| input.by == side);
    own.take(OPENING)
        .map(|input| &*input.text)
        .collect::<Vec<_>>()
        .join("\n")
}

/// How often a side that had something to do was done with a phase without
/// having done anything in it, and how often a side was done. What the rules'
/// scores call a loss, such as leaving a good position, is nothing to do.
fn idle_of(game: &Match) -> (u64, u64) {
    let mut busy: BTreeSet<(Name, Side)> = BTreeSet::new();
    let (mut idle, mut all) = (0, 0);
    for (place, input) in game.inputs().iter().enumerate() {
        let before = game.game_before(place);
        let Some(phase) = before.flow().phases().last().map(|phase| phase.id.clone()) else {
            continue;
        };
        let here = (phase, input.by());
        match input {
            Input::Act { .. } => {
                busy.insert(here);
            }
            Input::Done { by } => {
                let was_busy = busy.remove(&here);
                let could = was_busy || game.had_prospects(place, *by).unwrap_or_default();
                all += u64::from(could);
                idle += u64::from(could && !was_busy);
            }
            _ => {}
        }
    }
    (idle, all)
}

/// What acted of what a scenario places: designs, and units without one.
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
    let is_of = |actor: &str, item: &EntityItem| {
        actor
            .strip_prefix(&*item.name)
            .is_some_and(|rest| rest.is_empty() || item.template.is_some() && rest.starts_with('-'))
    };
    let acted = |item: &&EntityItem| actors.iter().any(|actor| is_of(actor, item));
    let items = scenario.entities.iter().filter(acted);
    items.map(|item| arm_of(item).clone()).collect()
}

/// What an entity of a scenario is told by: its design, or its name if it has none.
fn arm_of(item: &EntityItem) -> &Name {
    item.template.as_ref().unwrap_or(&item.name)
}

fn faults(looked: &[GameNotes]) -> Sign {
    let broken: Vec<&GameNotes> = looked.iter().filter(|one| one.fault.is_some()).collect();
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
    Sign {
        about: "faults",
        verdict: Verdict::well_if(broken.is_empty()),
        found,
    }
}

fn balance(scenario: &Scenario, looked: &[GameNotes]) -> Sign {
    let won: Vec<&String> = looked
        .iter()
        .filter_map(|one| one.winner.as_ref())
        .collect();
    let share = |side: &str| {
        let wins = won.iter().filter(|winner| **winner == side).count();
        Proportion::of(wins as u64, won.len() as u64)
    };
    let text = |side: &str| {
        let Proportion { count, range } = share(side);
        format!(
            "{side} wins {count} of {} ({} to {})",
            won.len(),
            percent(range.low),
            percent(range.high)
        )
    };
    let sides: Vec<&str> = scenario.sides.iter().map(|side| &*side.id).collect();
    let found = sides
        .iter()
        .map(|side| text(side))
        .collect::<Vec<_>>()
        .join(", ");
    let (verdict, claim) = match &scenario.balance {
        None => (Verdict::Unclaimed, "; it claims nothing".to_string()),
        Some(_) if won.is_empty() => (Verdict::Open, "; nobody won".to_string()),
        Some(Balance::Even) => {
            let claim = format!(
                "; it claims to be even, {} to {} each",
                percent(EVEN.0),
                percent(EVEN.1)
            );
            let verdicts: Vec<Verdict> = sides
                .iter()
                .map(|side| Verdict::of_range(share(side).range, EVEN))
                .collect();
            (worst(&verdicts), claim)
        }
        Some(Balance::Edge(side, from, to)) => {
            let claim = format!("; it claims that {side} wins {from} to {to} %");
            (
                Verdict::of_range(share(side).range, (from * 10_000, to * 10_000)),
                claim,
            )
        }
    };
    Sign {
        about: "balance",
        verdict,
        found: found + &claim,
    }
}

fn worst(verdicts: &[Verdict]) -> Verdict {
    let is_there = |verdict: &&Verdict| verdicts.contains(*verdict);
    *[Verdict::Unwell, Verdict::Open]
        .iter()
        .find(is_there)
        .unwrap_or(&Verdict::Well)
}

fn ends(scenario: &Scenario, looked: &[GameNotes]) -> Sign {
    let whole = looked.iter().filter(|one| one.fault.is_none());
    let found = counted(whole.map(|one| one.reason.clone()));
    let text = found
        .iter()
        .map(|(reason, count)| format!("{reason} ({count})"))
        .collect::<Vec<_>>()
        .join(", ");
    let is_there = |end: &&String| found.iter().any(|(reason, _)| reason == *end);
    let missing: Vec<&str> = scenario
        .ends
        .iter()
        .filter(|end| !is_there(end))
        .map(String::as_str)
        .collect();
    let never = || format!("; never: {}", missing.join(", "));
    let (verdict, claim) = match (scenario.ends.is_empty(), missing.is_empty()) {
        (true, _) => (Verdict::Unclaimed, "; it claims nothing".to_string()),
        (false, true) => (Verdict::Well, String::new()),
        (false, false) if looked.len() < ENOUGH_FOR_ENDS => (Verdict::Open, never()),
        (false, false) => (Verdict::Unwell, never()),
    };
    Sign {
        about: "ends",
        verdict,
        found: text + &claim,
    }
}

fn idle(looked: &[GameNotes]) -> Sign {
    let (idle, all) = looked.iter().fold((0, 0), |(idle, all), one| {
        (idle + one.idle.0, all + one.idle.1)
    });
    let share = millionths(idle, all);
    let found = format!(
        "{idle} of {all} chances to act were let go by ({})",
        percent(share)
    );
    let claim = if share < MOST_IDLE {
        String::new()
    } else {
        format!("; expected less than {}", percent(MOST_IDLE))
    };
    Sign {
        about: "idle",
        verdict: Verdict::well_if(share < MOST_IDLE),
        found: found + &claim,
    }
}

fn openings(scenario: &Scenario, looked: &[GameNotes]) -> Sign {
    let mut is_well = true;
    let mut found = Vec::new();
    for (place, side) in scenario.sides.iter().enumerate() {
        let counts = counted(
            looked
                .iter()
                .filter_map(|one| one.openings.get(place).cloned()),
        );
        let most = counts
            .iter()
            .map(|(_, count)| *count)
            .max()
            .unwrap_or_default();
        let share = millionths(most, looked.len() as u64);
        is_well &= looked.len() < 2 || share <= MOST_ALIKE;
        found.push(format!(
            "{} of {}, the commonest in {}",
            counts.len(),
            side.id,
            percent(share)
        ));
    }
    let claim = if is_well {
        String::new()
    } else {
        format!("; expected at most {}", percent(MOST_ALIKE))
    };
    Sign {
        about: "openings",
        verdict: Verdict::well_if(is_well),
        found: found.join("; ") + &claim,
    }
}

/// What should act in some game: all designs; where a scenario places units without
/// any, those of kinds of which most acted, for an order or a marker seldom acts.
fn armed<'s>(scenario: &'s Scenario, looked: &[GameNotes]) -> (&'static str, BTreeSet<&'s Name>) {
    let designs: BTreeSet<&Name> = scenario
        .entities
        .iter()
        .filter_map(|item| item.template.as_ref())
        .collect();
    if !designs.is_empty() {
        return ("arms", designs);
    }
    let mut kinds: BTreeMap<&Name, Vec<&Name>> = BTreeMap::new();
    let owned = scenario.entities.iter().filter(|item| item.side.is_some());
    for (kind, item) in owned.filter_map(|item| Some((item.kind.as_ref()?, item))) {
        kinds.entry(kind).or_default().push(&item.name);
    }
    let has_acted = |name: &&&Name| looked.iter().any(|one| one.acted.contains(**name));
    kinds.retain(|_, units| units.iter().filter(has_acted).count() * 2 > units.len());
    ("units", kinds.into_values().flatten().collect())
}

fn arms(scenario: &Scenario, looked: &[GameNotes]) -> Sign {
    let (what, arms) = armed(scenario, looked);
    let idle: Vec<&str> = arms
        .iter()
        .filter(|arm| !looked.iter().any(|one| one.acted.contains(**arm)))
        .map(|arm| &***arm)
        .collect();
    let found = match (arms.len(), idle.len()) {
        (0, _) => "no designs, and no kind of which most acted".to_string(),
        (all, 0) => format!("all {all} {what} acted"),
        (all, some) => format!("{some} of {all} {what} never acted: {}", idle.join(", ")),
    };
    let verdict = if arms.is_empty() {
        Verdict::Unclaimed
    } else {
        Verdict::well_if(idle.is_empty())
    };
    Sign {
        about: "arms",
        verdict,
        found,
    }
}

/// So many of so many, in millionths.
fn millionths(count: u64, all: u64) -> u32 {
    (count * 1_000_000)
        .checked_div(all)
        .and_then(|share| u32::try_from(share).ok())
        .unwrap_or_default()
}
