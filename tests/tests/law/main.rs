//! The law of views, tested on bytes.
//!
//! Two games are played in lockstep through the door that clients use, lines in
//! and lines out. They part in something that a viewer may not know: in what
//! another side decides in secret, in a hidden draw, in a hidden set-up, in
//! whether another side has decided at all. From then on all that this viewer
//! gets is compared, byte for byte, until the rules tell it.
//!
//! The suite plays a few games; `HOUSERULE_LAW_GAMES=2000 cargo test --workspace
//! --test law nothing_hidden -- --nocapture` plays on until all that is hidden
//! has parted often enough, at most so many games of each. `HOUSERULE_LAW_OF`
//! names one, and `HOUSERULE_LAW_KEEP` a file from which a run is taken up that
//! was broken off.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests stop where they go wrong"
)]

mod about;
mod again;
mod attacks;
mod door;
mod games;
mod keep;
mod lockstep;
mod mutations;
mod parting;
mod player;
mod probes;
mod reloads;
mod saves;
mod tally;
mod values;
mod widening;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock};

use houserule::modset::files::Sources;
use houserule::workshop::Workshop;
use houserule_tests::folder;
use kernel::value::Name;
use rayon::prelude::*;

use crate::games::{GAMES, SELDOM, Subject};
use crate::keep::{Next, Run};
use crate::lockstep::{JOURNAL, Known, Lockstep, Pair, Plan};
use crate::mutations::Sabotage;
use crate::tally::Tally;

/// Pairs of one game, in the suite and in the long run.
const PAIRS: [usize; 2] = [8, 24];
/// So many games of each are a long run.
const LONG: u64 = 12;
/// So many are played with the same knowledge of what has parted before.
const AT_ONCE: usize = 8;
/// Every hidden thing parts in so many pairs of the long run.
const LEAST: usize = 20;
/// So many pairs are compared in it.
const MANY: usize = 2_000;

/// The seeds of the games to play of each, if more than a few: so many from 0,
/// or, in parts, `500..1000`.
fn requested() -> Option<Range<u64>> {
    let requested = std::env::var_os("HOUSERULE_LAW_GAMES")?
        .into_string()
        .unwrap();
    let (from, to) = requested.split_once("..").unwrap_or(("0", &requested));
    Some(from.parse().unwrap()..to.parse().unwrap())
}

/// The part of a name that is looked at; all, if nothing is said.
fn requested_name() -> String {
    std::env::var_os("HOUSERULE_LAW_OF")
        .unwrap_or_default()
        .into_string()
        .unwrap()
}

/// The mods of the repository, the examples of the book, and one that is made
/// for this.
fn sources() -> BTreeMap<Name, Sources> {
    let (mods, faults) = houserule_tests::mods();
    assert!(faults.is_empty(), "{faults:?}");
    let mut sources = mods.sources().clone();
    for path in ["veil", "hunts", "../docs/examples/hearts"] {
        let one = Sources::read(&folder(path)).unwrap();
        sources.insert(one.id.clone(), one);
    }
    sources
}

fn workshop(sources: BTreeMap<Name, Sources>) -> Rc<Workshop> {
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    Rc::new(workshop)
}

thread_local! {
    /// The mods as they are, once for each thread that plays.
    static WORKSHOP: OnceCell<Rc<Workshop>> = const { OnceCell::new() };
}

/// The mods as they are.
fn honest() -> Rc<Workshop> {
    WORKSHOP.with(|kept| kept.get_or_init(|| workshop(sources())).clone())
}

/// How a game is played in which nothing is known of those before.
fn plan(subject: &'static Subject, seed: u64, pairs: usize) -> Plan<'static> {
    let seeks = subject.seeks.iter().map(ToString::to_string);
    Plan {
        subject,
        workshop: honest(),
        seed,
        pairs,
        known: Known::default(),
        sought: Rc::new(seeks.collect()),
        is_brief: false,
        journals: subject.name == "plots" || (subject.name == "veil" && seed.is_multiple_of(8)),
        is_set_up_apart: pairs >= PAIRS[1],
        is_set_up_only: false,
    }
}

/// Plays a game: what was parted, and the pairs.
fn played(game: &Next, pairs: usize, before: &Tally) -> (Tally, Vec<Pair>) {
    let mut plan = plan(game.subject, game.seed, pairs);
    plan.known = Known::Counts(Rc::new(before.parted.clone()));
    if plan.sought.is_empty() {
        plan.sought = Rc::new(before.sought(LEAST));
    }
    plan.journals |= plan.is_set_up_apart && before.count(JOURNAL) < LEAST;
    let parts = [
        (game.is_for_play, false),
        (game.is_for_set_up && plan.is_set_up_apart, true),
    ];
    let parts = parts.into_iter().filter(|(is_worth_it, _)| *is_worth_it);
    parts.fold(
        (Tally::default(), Vec::new()),
        |(tally, pairs), (_, is_set_up_only)| {
            let game = Lockstep::play(Plan {
                is_set_up_only,
                ..plan.clone()
            });
            (tally.and(game.tally), [pairs, game.ended].concat())
        },
    )
}

/// The pairs of some games.
fn pairs_of(games: &[(&'static Subject, u64)]) -> Vec<Pair> {
    let next = |(subject, seed): &(&'static Subject, u64)| Next {
        subject,
        seed: *seed,
        is_for_play: true,
        is_for_set_up: true,
    };
    games
        .par_iter()
        .flat_map(|game| played(&next(game), PAIRS[1], &Tally::default()).1)
        .collect()
}

/// Plays on, some games at once, until all has parted often enough that can
/// part in them, or there are no more seeds.
fn played_on(subjects: &[&'static Subject], seeds: &Range<u64>, pairs: usize) -> Tally {
    let run = Mutex::new(Run::taken_up(
        std::env::var_os("HOUSERULE_LAW_KEEP").map(PathBuf::from),
    ));
    loop {
        let before = run.lock().unwrap().all.clone();
        let games = run.lock().unwrap().next(subjects, seeds, AT_ONCE);
        if games.is_empty() {
            return before;
        }
        games.par_iter().for_each(|game| {
            let (tally, _) = played(game, pairs, &before);
            tally.leaks.iter().for_each(|leak| println!("{leak}"));
            run.lock().unwrap().note(game, tally);
        });
        let run = run.lock().unwrap();
        let seldom: Vec<String> = run
            .seldom()
            .iter()
            .map(|(what, count)| format!("{what} {count}"))
            .collect();
        let Tally {
            games,
            pairs,
            leaks,
            ..
        } = &run.all;
        let found = leaks.len();
        let rare = seldom.len();
        println!(
            "{games} games, {pairs} pairs, {found} leaks, {rare} parted seldom: {}",
            seldom.join(", ")
        );
    }
}

/// Pairs of the small game, which leaks are tried on.
fn pairs_of_veil() -> Vec<Pair> {
    static PAIRS_OF_VEIL: OnceLock<Vec<Pair>> = OnceLock::new();
    let games = [("veil", 5), ("signs", 4)]
        .map(|(name, seeds)| (0..seeds).map(move |seed| (subject(name), seed)));
    PAIRS_OF_VEIL
        .get_or_init(|| pairs_of(&games.into_iter().flatten().collect::<Vec<_>>()))
        .clone()
}

/// In what circumstances a pair is compared again.
struct Leaky<'a> {
    workshop: &'a Rc<Workshop>,
    sabotage: Option<Sabotage>,
    /// A house rule that is played besides.
    with: Option<&'a str>,
    /// The mods that it is held against, where these are others than those that
    /// are.
    beside: Option<&'a Rc<Workshop>>,
}

impl Leaky<'_> {
    fn mods(workshop: &Rc<Workshop>) -> Leaky<'_> {
        Leaky {
            workshop,
            sabotage: None,
            with: None,
            beside: None,
        }
    }

    /// Whether a pair is noticed so, and not as soon without what leaks.
    fn betrays(&self, pair: &Pair) -> bool {
        let mut other = pair.clone();
        other.spec.with.extend(self.with.map(ToString::to_string));
        let Some(leaks) = again::noticed(&other, self.workshop, self.sabotage) else {
            return false;
        };
        let noticed = match self.beside {
            Some(beside) => again::noticed(pair, beside, None),
            None => honestly_noticed(pair),
        };
        noticed.is_none_or(|noticed| leaks < noticed)
    }
}

/// At which line a pair is noticed where nothing leaks: asked once for each.
fn honestly_noticed(pair: &Pair) -> Option<usize> {
    static KNOWN: Mutex<BTreeMap<String, Option<usize>>> = Mutex::new(BTreeMap::new());
    let key = format!("{pair:?}");
    if let Some(known) = KNOWN.lock().unwrap().get(&key) {
        return *known;
    }
    let noticed = again::noticed(pair, &honest(), None);
    KNOWN.lock().unwrap().insert(key, noticed);
    noticed
}

/// Whether a pair is noticed by mods that leak, or through an engine that
/// does. Those that part in what a text names are tried first.
fn is_noticed(mut pairs: Vec<Pair>, near: &str, leaky: &Leaky) -> bool {
    let named = |pair: &Pair| pair.words().filter(|word| near.contains(*word)).count();
    pairs.sort_by_key(|pair| std::cmp::Reverse(named(pair)));
    pairs.iter().any(|pair| leaky.betrays(pair))
}

fn subject(name: &str) -> &'static Subject {
    GAMES
        .iter()
        .chain(SELDOM)
        .find(|subject| subject.name == name)
        .unwrap()
}

fn has_no_leaks(tally: &Tally) {
    println!("{}", tally.text());
    let leaks = &tally.leaks;
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks[..leaks.len().min(12)].join("\n\n")
    );
}

/// The same of some games by rules in components, in which little of what is hidden
/// comes up: in fewer of them it did not find that the way of a unit was hidden from
/// who sees it go.
#[cfg(feature = "wasm")]
#[test]
fn nothing_plotted_reaches_the_enemy() {
    let range = requested().unwrap_or(0..8);
    has_no_leaks(&played_on(&[&games::PLOTS], &range, PAIRS[0]));
}

#[test]
fn nothing_hidden_reaches_who_may_not_know() {
    let of = requested_name();
    let range = requested().unwrap_or(0..1);
    let seldom = if requested().is_some() { SELDOM } else { &[] };
    let subjects: Vec<&'static Subject> = GAMES
        .iter()
        .chain(seldom)
        .filter(|subject| subject.name.contains(&of))
        .collect();
    let tally = played_on(&subjects, &range, PAIRS[usize::from(requested().is_some())]);
    has_no_leaks(&tally);
    if range.end - range.start >= LONG && of.is_empty() {
        assert_eq!(
            tally.seldom(LEAST),
            [],
            "parted in fewer pairs than {LEAST}"
        );
        assert!(tally.pairs >= MANY, "{} pairs", tally.pairs);
    }
}

/// An engine that sends what an earlier one did is found out.
#[test]
fn leaks_of_the_engine_are_found_when_they_are_put_back() {
    let workshop = workshop(sources());
    for sabotage in Sabotage::ALL {
        let near = match sabotage {
            Sabotage::Params => "errand doubt",
            Sabotage::Draws => "draw listen tempt",
            Sabotage::Taken | Sabotage::Standing | Sabotage::Stale | Sabotage::Undone => {
                "number order decisions"
            }
            Sabotage::Journal => "journal",
            Sabotage::Undo | Sabotage::Reload => "",
        };
        let leaky = Leaky {
            sabotage: Some(sabotage),
            ..Leaky::mods(&workshop)
        };
        let mut pairs = pairs_of_veil();
        if sabotage == Sabotage::Undone {
            // Only whoever asks for something gets such a reply.
            pairs.retain(|pair| pair.spec.is_agreed && !pair.also.is_empty());
            let notices =
                |pair: &Pair, sabotage| again::noticed_in_a_proposal(pair, &workshop, sabotage);
            assert!(
                pairs.iter().any(|pair| notices(pair, Some(sabotage))),
                "{sabotage:?} is not found"
            );
            assert!(
                !pairs.iter().any(|pair| notices(pair, None)),
                "without it something else is noticed"
            );
            continue;
        }
        assert!(is_noticed(pairs, near, &leaky), "{sabotage:?} is not found");
    }
}

/// How many dice fall tells which hidden team fires, if they are told.
#[test]
fn dice_of_unseen_fire_that_are_told_are_noticed() {
    let mut sources = sources();
    let kept = "then { to = firer.side }";
    let changed = mutations::replaced(
        &sources["netepic"],
        "rules/core_shoot.luau",
        kept,
        "then nil",
    );
    sources.insert("netepic".into(), changed);
    let games: Vec<_> = (0..12)
        .step_by(2)
        .map(|seed| (subject("marksmen"), seed))
        .collect();
    let pairs = pairs_of(&games);
    let workshop = workshop(sources);
    assert!(
        is_noticed(pairs.clone(), "roll fire", &Leaky::mods(&workshop)),
        "nobody notices the dice in {} pairs",
        pairs.len()
    );
}

/// A house rule that tells what it should not.
fn leaky(data: &str, rules: &str) -> Sources {
    let manifest = "Mod(id: \"leaky\", version: \"1.0.0\", title: \"Leaky\", engine: \"0.1\", \
                    depends: [(\"veil\", \"*\")], groups: [])";
    let files: [(&str, &str); 3] = [
        ("mod.ron", manifest),
        ("data/leak.ron", data),
        ("rules/leak.luau", rules),
    ];
    let files = files
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .into();
    Sources::from_memory("leaky", files)
}

/// What a house rule does with what it finds out whenever an agent moves.
const LEAKS: &[(&str, &str)] = &[
    (
        r#"[Event(id: "leaky.told", heading: "leak", text: "{names}", fields: "names: text")]"#,
        r#"local names = {}
           for _, agent in game:all("veil.agent", "guise", "spy") do
               table.insert(names, agent.name)
           end
           game:emit("leaky.told", { names = table.concat(names, " ") })"#,
    ),
    (
        r#"[Extend(kind: "veil.agent", attributes: [(name: "smell", type: "bool", default: false)])]"#,
        r#"for _, agent in game:entities("veil.agent") do
               agent.smell = agent.guise == "spy"
           end"#,
    ),
    (
        "[]",
        r#"for _ in game:all("veil.agent", "guise", "spy") do
               game:roll(6, "somebody is nervous")
           end"#,
    ),
    (
        "[]",
        r#"for _, purse in game:entities("veil.purse") do
               game:reveal(purse, "luck")
           end"#,
    ),
];

/// So is a house rule that tells on purpose: in an event, in an attribute, in
/// the number of dice, in who sees what.
#[test]
fn mods_that_leak_on_purpose_are_noticed() {
    for (data, does) in LEAKS {
        let mut sources = sources();
        let rules = format!(
            "--!strict\nlocal rules = require(\"@rules\")\nlocal veil = require(\"@veil\")\n\
             rules.on(veil.events.moved, {{}}, function(game, _event)\n{does}\nend)"
        );
        sources.insert("leaky".into(), leaky(data, &rules));
        let workshop = workshop(sources);
        let leaky = Leaky {
            with: Some("leaky"),
            ..Leaky::mods(&workshop)
        };
        assert!(
            is_noticed(pairs_of_veil(), does, &leaky),
            "not noticed: {does}"
        );
    }
}
