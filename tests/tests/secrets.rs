//! The view law over whole games of hidden things: states that differ only in
//! what a side may not know give that side the same view, prompts, legal
//! actions, refusals and events, now and after what the side does next.
//!
//! The suite plays a few games; `HOUSERULE_LAW_GAMES=2000 cargo test --release
//! -p houserule-tests --test secrets` plays as many as one wants.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop where they go wrong")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::play::{Bot, BotKind};
use houserule::rulebook::Rulebook;
use houserule::workshop::{Wishes, Workshop};
use kernel::decision::{Input, Question};
use kernel::digest::Sum;
use kernel::engine::{Legal, Play, Rejected, SeenEvent, Stopping, View, Wanted};
use kernel::error::Refusal;
use kernel::event::Event;
use kernel::value::{EntityId, Side, Value};
use kernel::world::Viewer;
use rayon::prelude::*;

/// A change of hidden facts: attributes of entities, and their new values.
type Swap = Vec<(EntityId, &'static str, Value)>;

/// A game of hidden things: what a side could have otherwise without another
/// knowing, and the events that tell everybody a secret, as the rules say.
#[derive(Clone, Copy)]
struct Subject {
    /// What is played, by the seed of the game.
    scenarios: &'static [&'static str],
    swaps: fn(&Play, Side, Viewer) -> Vec<Swap>,
    reveals: &'static [&'static str],
}

const COUNTRY: Subject = Subject {
    scenarios: &[
        "netepic/close-country",
        "netepic/sniper-hunt",
        "netepic/infiltration",
        "netepic/broken-line",
        "netepic/colossus",
    ],
    swaps,
    // Who halts before an enemy does not charge: of an order that stays face
    // down the other side learns what the action shows.
    reveals: &[
        "netepic.stealth.revealed",
        "netepic.blip.false-one",
        "netepic.core.order-shown",
        "netepic.core.stopped",
    ],
};

/// Cruise missiles on their way: which counters are dummies, and what the
/// others carry, until they come down.
const STRIKE: Subject = Subject {
    scenarios: &["iceburg/missile-strike"],
    swaps: salvo_swaps,
    reveals: &["iceburg.cruise.exploded", "iceburg.cruise.unmasked"],
};

fn workshop(extra: Option<Sources>) -> Workshop {
    let (whole, faults) = houserule_tests::mods();
    assert!(faults.is_empty(), "{faults:?}");
    let mut sources = whole.sources().clone();
    sources.extend(extra.map(|mods| (mods.id.clone(), mods)));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn start(workshop: &Workshop, subject: Subject, seed: u64, with: &[&str]) -> (Rc<Rulebook>, Play) {
    let found = workshop.scenario(subject.scenarios[seed as usize % subject.scenarios.len()]).unwrap();
    let with = with.iter().map(ToString::to_string).collect();
    let wishes = Wishes { seed: Some(seed), with, ..Wishes::default() };
    let (chosen, setup) = workshop.prepare(&found, &wishes).unwrap();
    let play = Play::start(setup.game, &*chosen.rulebook).unwrap();
    (chosen.rulebook, play)
}

fn is_hidden(play: &Play, entity: EntityId, attribute: &str, from: Viewer) -> bool {
    let world = play.game().world();
    let slot = world.attribute(entity, attribute).unwrap();
    !world.viewers(entity, slot).unwrap().contains(from)
}

fn value(play: &Play, entity: EntityId, attribute: &str) -> Value {
    let world = play.game().world();
    world.get(entity, world.attribute(entity, attribute).unwrap()).unwrap().clone()
}

fn of_kind(play: &Play, kind: &str, side: Side) -> Vec<EntityId> {
    let world = play.game().world();
    let is_one = |entity: &EntityId| {
        world.owner(*entity) == Some(side) && world.kind(*entity).is_ok_and(|found| *found.id == *kind)
    };
    world.all().filter(is_one).collect()
}

/// Everything of a side that could be otherwise without another knowing.
fn swaps(play: &Play, side: Side, from: Viewer) -> Vec<Swap> {
    let mut swaps = Vec::new();
    let counters = of_kind(play, "netepic.counter", side);
    for truly in counters.iter().filter(|one| value(play, **one, "is_true") == Value::Bool(true)) {
        let stand = value(play, *truly, "stand");
        let others =
            counters.iter().filter(|other| *other != truly && value(play, **other, "stand") == stand);
        for other in others.filter(|other| is_hidden(play, **other, "is_true", from)) {
            swaps.push(vec![(*truly, "is_true", Value::Bool(false)), (*other, "is_true", Value::Bool(true))]);
        }
    }
    for one in of_kind(play, "netepic.detachment", side) {
        let is_face_down =
            value(play, one, "has_order") == Value::Bool(true) && is_hidden(play, one, "order", from);
        let free = ["first_fire", "advance", "charge"].map(Value::text);
        let now = value(play, one, "order");
        if is_face_down && free.contains(&now) {
            swaps.extend(
                free.into_iter().filter(|order| *order != now).map(|order| vec![(one, "order", order)]),
            );
        }
    }
    let sheets = of_kind(play, "netepic.sheet", side);
    if let [one, other, ..] = sheets.as_slice() {
        let (a, b) = (value(play, *one, "has_fired"), value(play, *other, "has_fired"));
        if a != b {
            swaps.push(vec![(*one, "has_fired", b), (*other, "has_fired", a)]);
        }
    }
    swaps
}

/// Which counters of a salvo are real, what they carry, and what is left in
/// the silo. A counter whose missile flies is known to be real.
fn salvo_swaps(play: &Play, side: Side, from: Viewer) -> Vec<Swap> {
    let mut swaps = Vec::new();
    let counters = of_kind(play, "iceburg.counter", side);
    let hidden = |one: &&EntityId| is_hidden(play, **one, "warhead", from);
    for one in counters.iter().filter(hidden) {
        let warhead = value(play, *one, "warhead");
        let flies = !value(play, *one, "impact").is_none();
        for other in counters.iter().filter(hidden).filter(|other| *other != one && !flies) {
            let theirs = value(play, *other, "warhead");
            let is_lying = value(play, *other, "impact").is_none();
            if is_lying && theirs != warhead {
                swaps.push(vec![(*one, "warhead", theirs), (*other, "warhead", warhead.clone())]);
            }
        }
        if !warhead.is_none() {
            let others = ["HE", "MAK", "nuclear"].map(Value::text);
            swaps.extend(
                others
                    .into_iter()
                    .filter(|other| *other != warhead)
                    .map(|other| vec![(*one, "warhead", other)]),
            );
        }
    }
    for silo in of_kind(play, "iceburg.arsenal", side) {
        swaps.push(vec![
            (silo, "launchers", Value::Int(5)),
            (silo, "stock", Value::record([("mines", Value::Int(3))])),
        ]);
    }
    swaps
}

fn twin(play: &Play, swap: &Swap) -> Play {
    let mut twin = play.clone();
    let world = twin.game_mut().world_mut();
    for (entity, attribute, value) in swap {
        let slot = world.attribute(*entity, attribute).unwrap();
        world.set(*entity, slot, value.clone()).unwrap();
    }
    twin
}

/// The part of a question that a side may read.
fn asked(question: &Question, side: Side) -> String {
    let domain = question.to.iter().find(|(to, _)| *to == side).map(|(_, domain)| domain);
    format!("{} {} {domain:?}", question.id, question.text)
}

/// One of so many things that are refused is tried.
const TRIED: usize = 4;

/// All that a side gets of a game, in the order in which it gets it.
#[derive(PartialEq, Debug, Default)]
struct Given {
    views: Vec<(View, Sum)>,
    events: Vec<SeenEvent>,
    question: Option<String>,
    legal: Vec<Legal>,
    stopping: Option<Stopping>,
    refusals: Vec<Refusal>,
}

fn given(play: &mut Play, rules: &Rulebook, side: Side, events: &[Event]) -> Result<Given, String> {
    let mut given = Given::default();
    for viewer in [Viewer::Side(side), Viewer::Spectator] {
        let game = play.game();
        let view = game.view(viewer);
        let hash = game.hash_of_view(viewer, &view);
        given.views.push((view, hash));
        given.events.extend(game.show_events(viewer, events));
        given.events.extend(game.show_events(viewer, game.open_events()));
    }
    let wanted = play.wanted();
    if !wanted.sides().contains(&side) {
        return Ok(given);
    }
    if let Wanted::Answer { question, .. } = &wanted {
        given.question = Some(asked(question, side));
        return Ok(given);
    }
    let legal = play.game_mut().legal(rules, side).map_err(|fault| fault.to_string())?;
    given.stopping = Some(play.game_mut().may_stop(rules, side).map_err(|fault| fault.to_string())?);
    let is_window = matches!(wanted, Wanted::React { .. });
    // A part of what is refused is tried at each step: over the games all come up.
    let part = play.game().flow().actions() as usize % TRIED;
    let refused = legal.iter().filter(|one| one.refused.is_some()).skip(part).step_by(TRIED);
    for one in refused {
        let (by, params) = (side, Value::Map(Arc::default()));
        let input = match is_window {
            true => Input::React { by, reaction: one.action.clone(), actor: one.actor, params },
            false => Input::Act { by, action: one.action.clone(), actor: one.actor, params },
        };
        match play.submit(rules, &input) {
            Err(Rejected::Refusal(refusal)) => given.refusals.push(refusal),
            other => return Err(format!("{input:?}: {other:?}")),
        }
    }
    given.legal = legal;
    Ok(given)
}

fn compare(a: Result<Given, String>, b: Result<Given, String>) -> Option<String> {
    match (a, b) {
        (Ok(a), Ok(b)) if a == b => None,
        (Ok(a), Ok(b)) => {
            let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
            let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            Some(line.map_or_else(|| "one is longer".into(), |(a, b)| format!("{a}\n  against\n{b}")))
        }
        (a, b) => Some(format!("{:?} {:?}", a.err(), b.err())),
    }
}

/// Compares a state with one in which something hidden is otherwise, before
/// and after what the other side does.
fn pair(
    subject: Subject,
    play: &Play,
    rules: &Rulebook,
    side: Side,
    swap: &Swap,
    next: Option<&Input>,
) -> Option<String> {
    let (mut one, mut other) = (play.clone(), twin(play, swap));
    let told = compare(given(&mut one, rules, side, &[]), given(&mut other, rules, side, &[]));
    let Some(input) = next.filter(|_| told.is_none()) else { return told };
    let (a, b) = (one.submit(rules, input), other.submit(rules, input));
    let (first, second) = (one.take_events(), other.take_events());
    if first.iter().chain(&second).any(|event| subject.reveals.contains(&&*event.kind)) {
        return None;
    }
    match (a, b) {
        (Ok(()), Ok(())) => {
            compare(given(&mut one, rules, side, &first), given(&mut other, rules, side, &second))
        }
        (Err(Rejected::Refusal(a)), Err(Rejected::Refusal(b))) if a == b => None,
        (a, b) => Some(format!("{input:?}: {a:?} against {b:?}")),
    }
}

/// Whether both sides decide at once, each without the other knowing what, or
/// whether at all.
fn is_at_once(wanted: &Wanted, side: Side, by: Side) -> bool {
    let is_both = wanted.sides().contains(&side) && wanted.sides().contains(&by);
    by != side && is_both
}

/// What another side has committed, while a side still decides, changes nothing
/// for it. `None` where the two do not decide at once.
fn committed(play: &Play, rules: &Rulebook, side: Side, input: &Input) -> Option<Result<(), String>> {
    if !is_at_once(&play.wanted(), side, input.by()) {
        return None;
    }
    let (mut before, mut after) = (play.clone(), play.clone());
    after.submit(rules, input).unwrap();
    if !after.wanted().sides().contains(&side) {
        return None;
    }
    let events = after.take_events();
    let told = compare(given(&mut before, rules, side, &[]), given(&mut after, rules, side, &events));
    Some(told.map_or(Ok(()), Err))
}

/// What came of a game.
#[derive(Default)]
struct Tally {
    pairs: usize,
    commitments: usize,
    leak: Option<String>,
}

/// Plays a game between random bots and compares pairs at each step; after
/// so many steps it is left.
fn law(workshop: &Workshop, subject: Subject, seed: u64, steps: usize, with: &[&str]) -> Tally {
    let (rules, mut play) = start(workshop, subject, seed, with);
    play.take_events();
    let mut bots: BTreeMap<Side, Bot> =
        [Side(0), Side(1)].map(|side| (side, Bot::new(BotKind::Random, seed, side))).into();
    let mut tally = Tally::default();
    for step in 0..steps {
        let sides = play.wanted().sides();
        let Some(by) = sides.get((step + seed as usize) % sides.len().max(1)).copied() else { break };
        let input = bots.get_mut(&by).unwrap().decide(&mut play, &*rules).unwrap();
        for side in [Side(0), Side(1)] {
            if let Some(told) = committed(&play, &rules, side, &input) {
                tally.commitments += 1;
                if let Err(leak) = told {
                    tally.leak = Some(format!("seed {seed}, step {step}, {input:?}: {leak}"));
                    return tally;
                }
            }
            let owner = Side(1 - side.0);
            let all = (subject.swaps)(&play, owner, Viewer::Side(side));
            // One of each step's is enough: over the games all come up.
            if let Some(swap) = all.get((step * 7 + seed as usize) % all.len().max(1)) {
                tally.pairs += 1;
                let next = (by == side).then_some(&input);
                if let Some(leak) = pair(subject, &play, &rules, side, swap, next) {
                    tally.leak = Some(format!("seed {seed}, step {step}, {swap:?}: {leak}"));
                    return tally;
                }
            }
        }
        play.submit(&*rules, &input).unwrap();
        play.take_events();
    }
    tally
}

/// The seeds of the games to play: so many from 0, or, in parts, `500..1000`.
fn games() -> Range<u64> {
    let Some(wished) = std::env::var_os("HOUSERULE_LAW_GAMES") else { return 0..5 };
    let wished = wished.to_str().unwrap();
    let (from, to) = wished.split_once("..").unwrap_or(("0", wished));
    from.parse().unwrap()..to.parse().unwrap()
}

#[test]
fn nothing_hidden_reaches_the_other_side() {
    let tallies: Vec<Tally> = games()
        .into_par_iter()
        .map_init(|| workshop(None), |workshop, seed| law(workshop, COUNTRY, seed, 400, &[]))
        .collect();
    for tally in &tallies {
        assert_eq!(tally.leak, None);
    }
    let pairs: usize = tallies.iter().map(|tally| tally.pairs).sum();
    let commitments: usize = tallies.iter().map(|tally| tally.commitments).sum();
    println!("{} games, {pairs} pairs, {commitments} commitments", tallies.len());
    assert!(pairs > 50 * tallies.len(), "only {pairs} pairs");
    assert!(commitments > 5 * tallies.len(), "only {commitments} commitments");
}

/// Dummies are as real as the rest of a salvo, to everybody but their owner.
#[test]
fn nothing_of_a_salvo_reaches_the_other_side() {
    let tallies: Vec<Tally> = games()
        .into_par_iter()
        .map_init(|| workshop(None), |workshop, seed| law(workshop, STRIKE, seed, 120, &[]))
        .collect();
    for tally in &tallies {
        assert_eq!(tally.leak, None);
    }
    let pairs: usize = tallies.iter().map(|tally| tally.pairs).sum();
    assert!(pairs > 10 * tallies.len(), "only {pairs} pairs");
}

/// A refusal that looks under a counter.
#[test]
fn a_salvo_that_leaks_is_caught() {
    let mods = leaky(
        "iceburg",
        "[]",
        r#"--!strict
        local rules = require("@rules")
        rules.wrap("dsii.move.barred", {}, function(base, game, element)
            for _, counter in game:entities("iceburg.counter") do
                if counter.warhead == nil then
                    return "a dummy lies somewhere"
                end
            end
            return base(game, element)
        end)"#,
    );
    let workshop = workshop(Some(mods));
    assert!((0..8).any(|seed| law(&workshop, STRIKE, seed, 120, &["leaky"]).leak.is_some()));
}

/// A mod that tells what it should not.
fn leaky(base: &str, data: &str, rules: &str) -> Sources {
    let manifest = format!(
        "Mod(id: \"leaky\", version: \"1.0.0\", title: \"Leaky\", engine: \"0.1\", \
         depends: [(\"{base}\", \"*\")], groups: [])"
    );
    let files: [(&str, &str); 3] =
        [("mod.ron", &manifest), ("data/leak.ron", data), ("rules/leak.luau", rules)];
    let files = files.map(|(path, text)| (path.to_string(), Arc::from(text))).into();
    Sources::from_memory("leaky", files)
}

fn is_caught(data: &str, rules: &str) -> bool {
    let workshop = workshop(Some(leaky("netepic", data, rules)));
    (0..8).any(|seed| law(&workshop, COUNTRY, seed, 400, &["leaky"]).leak.is_some())
}

#[test]
fn an_event_that_leaks_is_caught() {
    assert!(is_caught(
        "[Event(id: \"leaky.told\", heading: \"leak\", text: \"{names}\", fields: \"names: text\")]",
        r#"--!strict
        local rules = require("@rules")
        rules.on("netepic.core.moved", {}, function(game, _event)
            local names = {}
            for _, counter in game:all("netepic.counter", "is_true", true) do
                table.insert(names, counter.name)
            end
            game:emit("leaky.told", { names = table.concat(names, " ") })
        end)"#,
    ));
}

#[test]
fn a_view_that_leaks_is_caught() {
    assert!(is_caught(
        "[Extend(kind: \"netepic.counter\", attributes: [(name: \"smell\", type: \"bool\", default: false)])]",
        r#"--!strict
        local rules = require("@rules")
        rules.on("netepic.core.moved", {}, function(game, _event)
            for _, counter in game:entities("netepic.counter") do
                counter.smell = counter.is_true
            end
        end)"#,
    ));
}

/// A refusal that looks at a secret is a fault of the rule that makes it.
#[test]
fn a_refusal_that_leaks_is_caught() {
    assert!(is_caught(
        "[]",
        r#"--!strict
        local rules = require("@rules")
        rules.wrap("netepic.core.move.allowed", {}, function(base, game, actor)
            for _, counter in game:entities("netepic.counter") do
                if counter.is_true and counter.side ~= actor.side then
                    return false, `something is at {counter.name}`
                end
            end
            return base(game, actor)
        end)"#,
    ));
}
