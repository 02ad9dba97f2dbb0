//! Movement, hex by hex.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::{Border, Field, Ground, Objective, Road, Unit};
use crate::bindings::tcsbase::tables::{TerrainRoads, TerrainSides};
use crate::bindings::words::{Class, State, Terrain, What};
use crate::los::{sees, sees_like};
use crate::map::{beyond_edge, effects, hex_of, on_map};
use crate::mode::moves;
use crate::stack::takes_room;
use crate::unit::{against, left};
use crate::{carry, clock, cmd, enemies, friends, mines, ow, seq};

chapter!(tcsbase.r#move);

/// Costs are counted in sixths of a point, for roads take halves and thirds.
pub const POINT: i64 = 6;

/// A hex that can be reached, with the one before it, and what it costs.
#[record]
pub struct Reached {
    pub hex: Hex,
    pub before: Hex,
    pub cost: i64,
}

impl Reached {
    fn of((hex, (cost, before)): (Hex, (u32, Hex))) -> Reached {
        Reached {
            hex,
            before,
            cost: i64::from(cost),
        }
    }
}

/// The column of a class in a table of costs.
fn of<T>(class: Class, foot: T, tracked: T, wheeled: T) -> Option<T> {
    match class {
        Class::Foot => Some(foot),
        Class::Tracked => Some(tracked),
        Class::Wheeled => Some(wheeled),
        Class::Helicopter => None,
    }
}

fn sixths(points: i64) -> u32 {
    u32::try_from(points * POINT).unwrap_or(0)
}

/// The hexes that a unit can reach for so much, in sixths, whatever it fears; enemies are in the way.
pub fn within(game: &Reads, unit: Unit, most: u32) -> Vec<Reached> {
    let (costs, held) = (costs_inside(game, unit), held_against(game, unit));
    let is_on_map = on_map(game);
    let step = |from: Hex, to: Hex| {
        let is_barred = !is_on_map(&to) || held.contains(&to);
        step_cost(&costs, from, to).filter(|_| !is_barred)
    };
    let found = search(unit.at(), most, None, &step);
    found.into_iter().map(Reached::of).collect()
}

/// The hexes that enemies of a unit stand in.
pub fn held(game: &Reads, unit: Unit) -> Vec<Hex> {
    let standing = enemies(game, unit)
        .into_iter()
        .filter(|enemy| is_on_ground(game, *enemy));
    standing.map(Unit::at).collect()
}

/// Those of them that it is not in itself.
fn held_against(game: &Reads, unit: Unit) -> Vec<Hex> {
    let (at, mut held) = (unit.at(), held(game, unit));
    held.retain(|hex| *hex != at);
    held
}

/// Whether a unit stands on the ground, so that it is in the way.
fn is_on_ground(game: &Reads, unit: Unit) -> bool {
    unit.class() != Class::Helicopter || takes_room(game, unit)
}

/// What one step costs: no way leads into a hex of the enemy, nor, where some keep a unit away, nearer to them.
fn steps(game: &Reads, unit: Unit) -> impl Fn(Hex, Hex) -> Option<u32> {
    let (costs, held) = (costs_inside(game, unit), held_against(game, unit));
    let mut shunned = cmd::shunned(game, unit);
    if unit.state() == State::Suppressed {
        shunned.extend(feared(game, unit));
    }
    shunned.sort();
    shunned.dedup();
    let is_on_map = on_map(game);
    move |from, to| {
        let is_nearer = |enemy: &Hex| enemy.distance(to) < enemy.distance(from);
        let is_barred = !is_on_map(&to) || held.contains(&to) || shunned.iter().any(is_nearer);
        if is_barred {
            return None;
        }
        step_cost(&costs, from, to)
    }
}

/// Every hex that can be reached for so much, in order, with the smallest of the hexes before it on a cheapest way: as
/// [`Hex::reach`] finds them, without a list of what all steps of the map cost, which is dearer to hand over than they
/// are to look for. Whoever asks for one hex is done when it is found.
fn search(
    start: Hex,
    most: u32,
    wanted: Option<Hex>,
    step: &impl Fn(Hex, Hex) -> Option<u32>,
) -> BTreeMap<Hex, (u32, Hex)> {
    let mut found: BTreeMap<Hex, (u32, Hex)> = BTreeMap::from([(start, (0, start))]);
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((so_far, hex))) = open.pop() {
        if found.get(&hex).is_some_and(|(best, _)| *best < so_far) {
            continue;
        }
        if wanted == Some(hex) {
            break;
        }
        for next in hex.neighbours() {
            let best = found.get(&next).copied();
            // What is cheaper than what has been paid already gets no cheaper.
            if next == start || best.is_some_and(|(known, _)| known < so_far) {
                continue;
            }
            let Some(cost) = step(hex, next).map(|cost| so_far + cost) else {
                continue;
            };
            if cost > most {
                continue;
            }
            if best.is_none_or(|known| (cost, hex) < known) {
                found.insert(next, (cost, hex));
            }
            if best.is_none_or(|(known, _)| cost < known) {
                open.push(Reverse((cost, next)));
            }
        }
    }
    found
}

/// What a unit has left, in sixths.
fn remaining(game: &Reads, unit: Unit) -> u32 {
    u32::try_from(allowance(game, unit) * POINT - unit.used()).unwrap_or(0)
}

/// What each move of a unit costs: its terrain, contours, hexsides, roads, mines; no way leads off the map.
pub fn ground_costs(game: &Reads, unit: Unit) -> HexCosts {
    let mut costs = costs_inside(game, unit);
    let beyond = beyond_edge(game).into_iter().map(|hex| (hex, None));
    let is_on_map = on_map(game);
    costs.enter.retain(|(hex, _)| is_on_map(hex));
    costs.enter.extend(beyond);
    costs.enter.sort_by_key(|(hex, _)| *hex);
    costs
}

/// The same for who looks himself where the map ends.
fn costs_inside(game: &Reads, unit: Unit) -> HexCosts {
    let class = unit.class();
    let mut listed: Vec<(Terrain, Option<u32>)> = Vec::new();
    let mut of_terrain = |terrain: Terrain| match listed.iter().find(|(other, _)| *other == terrain)
    {
        Some((_, cost)) => *cost,
        None => {
            let row = effects(game, terrain);
            let cost = of(class, row.foot, row.tracked, row.wheeled)
                .flatten()
                .map(sixths);
            listed.push((terrain, cost));
            cost
        }
    };
    let open = of_terrain(Terrain::Open);
    let mut enter: BTreeMap<Hex, Option<u32>> = BTreeMap::new();
    let mut levels: BTreeMap<Hex, i64> = BTreeMap::new();
    for ground in Ground::all(game) {
        let hex = hex_of(ground);
        levels.insert(hex, ground.level());
        enter.insert(hex, of_terrain(ground.terrain()));
    }
    let mut along = roads(game, class);
    let ways_out = ways_out(game, unit, open, &enter, &along);
    let fields = fields(game, &unit.side());
    for (hex, here) in &fields {
        let cost = enter.entry(*hex).or_insert(open);
        *cost = cost.and_then(|cost| mined(game, unit, here, cost));
    }
    for ((_, to), cost) in &mut along {
        let here = fields.get(to).map_or(&[][..], Vec::as_slice);
        *cost = mined(game, unit, here, *cost).unwrap_or(*cost);
    }
    let is_on_map = on_map(game);
    along.retain(|(_, to), _| is_on_map(to));
    let beyond = |to: Hex| enter.get(&to).copied().unwrap_or(open).unwrap_or(0);
    let mut cross = crossings(game, unit, &levels, beyond);
    for WayOut { step, hex, road } in ways_out {
        let mined = enter.get(&step.1).copied().unwrap_or(open).unwrap_or(0);
        if let Some(side) = cross.entry(step).or_insert(Some(0)) {
            *side += hex.saturating_sub(mined);
        }
        along.entry(step).and_modify(|cost| *cost = road.max(*cost));
    }
    let cross = cross.into_iter();
    HexCosts {
        otherwise: open,
        enter: enter.into_iter().collect(),
        cross: cross.map(|((from, to), more)| (from, to, more)).collect(),
        along: along
            .into_iter()
            .map(|((from, to), cost)| (from, to, cost))
            .collect(),
    }
}

/// What one step costs by the costs of the ground, which stand in order: asked for many, without another search.
pub fn step_cost(costs: &HexCosts, from: Hex, to: Hex) -> Option<u32> {
    let step = |(a, b): (&Hex, &Hex)| (*a, *b);
    if let Ok(place) = costs
        .along
        .binary_search_by_key(&(from, to), |(a, b, _)| step((a, b)))
    {
        return Some(costs.along[place].2);
    }
    let enter = match costs.enter.binary_search_by_key(&to, |(hex, _)| *hex) {
        Ok(place) => costs.enter[place].1,
        Err(_) => costs.otherwise,
    };
    let more = match costs
        .cross
        .binary_search_by_key(&(from, to), |(a, b, _)| step((a, b)))
    {
        Ok(place) => costs.cross[place].2,
        Err(_) => Some(0),
    };
    Some(enter? + more?)
}

/// A way out of the hex of a unit which pays more to leave it: what at least for the next hex, and for the road to it.
struct WayOut {
    step: (Hex, Hex),
    hex: u32,
    road: u32,
}

/// All of them, by what hexes and roads cost without mines.
fn ways_out(
    game: &Reads,
    unit: Unit,
    open: Option<u32>,
    enter: &BTreeMap<Hex, Option<u32>>,
    along: &BTreeMap<(Hex, Hex), u32>,
) -> Vec<WayOut> {
    let (at, times) = (unit.at(), u32::try_from(leaving(game, unit)).unwrap_or(1));
    if times <= 1 {
        return Vec::new();
    }
    let way = |next: Hex| WayOut {
        step: (at, next),
        hex: times * enter.get(&next).copied().unwrap_or(open).unwrap_or(0),
        road: times * along.get(&(at, next)).copied().unwrap_or(0),
    };
    at.neighbours().map(way).into()
}

/// [who else 1] How many times what the next hex costs a unit pays to leave its own.
#[rule]
pub fn leaving(_game: &Reads, _unit: Unit) -> i64 {
    1
}

/// The fields that a side knows of, hex by hex.
fn fields(game: &Reads, side: &str) -> BTreeMap<Hex, Vec<Field>> {
    let mut found: BTreeMap<Hex, Vec<Field>> = BTreeMap::new();
    for field in Field::all(game) {
        if field.is_seen_by(game, side) {
            found.entry(field.at()).or_default().push(field);
        }
    }
    found
}

/// What a hex costs with the mines in it: where several fields overlap, the dearest counts.
fn mined(game: &Reads, unit: Unit, fields: &[Field], without: u32) -> Option<u32> {
    let without = i64::from(without);
    let costs = fields
        .iter()
        .map(|field| mines::cost(game, unit, *field, without));
    u32::try_from(costs.max().unwrap_or(without)).ok()
}

/// What it costs to go from a hex to the next besides entering it: a point for each contour, and what lies along the
/// hexside. Where several meet they are added up, and what is prohibited stays so. A river takes all points that a unit
/// has, and the hex beyond it no more than these.
fn crossings(
    game: &Reads,
    unit: Unit,
    levels: &BTreeMap<Hex, i64>,
    beyond: impl Fn(Hex) -> u32,
) -> BTreeMap<(Hex, Hex), Option<u32>> {
    let mut found: BTreeMap<(Hex, Hex), Option<u32>> = BTreeMap::new();
    for (hex, level) in levels {
        for next in hex.neighbours() {
            let contours = (level - levels.get(&next).unwrap_or(&0)).abs();
            if contours > 0 {
                found.insert((*hex, next), Some(sixths(contours)));
                found.insert((next, *hex), Some(sixths(contours)));
            }
        }
    }
    let (rivers, others): (Vec<SideCost>, Vec<SideCost>) = borders(game, unit)
        .into_iter()
        .partition(|side| side.takes_all);
    for SideCost { from, to, more, .. } in others {
        let cost = found.entry((from, to)).or_insert(Some(0));
        *cost = cost.zip(more).map(|(so_far, more)| so_far + more);
    }
    for SideCost { from, to, more, .. } in rivers {
        let all = sixths(unit.allowance()).saturating_sub(beyond(to));
        let cost = found.entry((from, to)).or_insert(Some(0));
        *cost = cost.zip(more).map(|_| all);
    }
    found
}

/// What it costs a unit more to cross a hexside one way, or that it takes all points that the unit has.
struct SideCost {
    from: Hex,
    to: Hex,
    more: Option<u32>,
    takes_all: bool,
}

/// What it costs to cross hexsides; a bridge makes good what lies under it.
fn borders(game: &Reads, unit: Unit) -> Vec<SideCost> {
    let all: Vec<(Hex, Hex, What)> = Border::all(game)
        .into_iter()
        .map(|side| (side.at(), side.to(), side.what()))
        .collect();
    let bridged = |a: Hex, b: Hex| {
        all.iter()
            .any(|(at, to, what)| *what == What::Bridge && [(a, b), (b, a)].contains(&(*at, *to)))
    };
    let mut found = Vec::new();
    for (at, to, what) in &all {
        if bridged(*at, *to) {
            continue;
        }
        let row = TerrainSides::get(game, *what);
        let more = of(unit.class(), row.foot, row.tracked, row.wheeled).flatten();
        let (more, takes_all) = (more.map(sixths), row.takes_all);
        found.extend([(*at, *to), (*to, *at)].map(|(from, to)| SideCost {
            from,
            to,
            more,
            takes_all,
        }));
    }
    found
}

/// What it costs to go along roads; where two run together, the better one.
fn roads(game: &Reads, class: Class) -> BTreeMap<(Hex, Hex), u32> {
    let mut found: BTreeMap<(Hex, Hex), u32> = BTreeMap::new();
    for road in Road::all(game) {
        let row = TerrainRoads::get(game, road.sort());
        let Some(cost) = of(class, row.foot, row.tracked, row.wheeled) else {
            continue;
        };
        let cost = u32::try_from(cost).unwrap_or(0);
        for pair in road.along().windows(2) {
            for step in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let best = found.entry(step).or_insert(cost);
                *best = cost.min(*best);
            }
        }
    }
    found
}

/// [who] The movement points of a unit as it is.
#[rule]
pub fn allowance(_game: &Reads, unit: Unit) -> i64 {
    unit.allowance()
}

/// [terrain.movement, enemy, gen.map_edge, morale.suppressed] The hexes that a unit can move to, each with the one before it.
#[rule]
pub fn reach(game: &Reads, unit: Unit) -> Vec<Reached> {
    let (at, step) = (unit.at(), steps(game, unit));
    let found = search(at, remaining(game, unit), None, &step);
    let beside = at.neighbours().into_iter();
    let left: Vec<(Hex, (u32, Hex))> = beside
        .filter(|next| !found.contains_key(next))
        .filter_map(|next| Some((next, (step(at, next)?, at))))
        .collect();
    let mut found: Vec<Reached> = found.into_iter().map(Reached::of).collect();
    if !left.is_empty() && one_at_least(game, unit) {
        found.extend(left.into_iter().map(Reached::of));
    }
    found
}

/// [terrain.movement, enemy, gen.map_edge, morale.suppressed] Whether a unit can move to a hex, for who asks about one
/// alone: what it says of all is `reach`.
#[rule]
pub fn reaches(game: &Reads, unit: Unit, to: Hex) -> bool {
    let (at, step) = (unit.at(), steps(game, unit));
    let found = search(at, remaining(game, unit), Some(to), &step);
    let is_beside = || at.distance(to) == 1 && step(at, to).is_some();
    found.contains_key(&to) || is_beside() && one_at_least(game, unit)
}

/// [move.min else false] Whether a unit may move one hex, whatever it costs: it has not moved.
#[rule]
pub fn one_at_least(game: &Reads, unit: Unit) -> bool {
    unit.used() == 0 && allowance(game, unit) > 0
}

/// [who] Whether another of its stack reaches and may enter what a unit does, for nothing parts them that counts there:
/// what else a rule has it depend on is added here.
#[rule]
pub fn moves_like(game: &Reads, unit: Unit, other: Unit) -> bool {
    let plain = |one: Unit| {
        let pace = (one.at(), one.class(), one.allowance(), one.used());
        (pace, one.side(), one.state())
    };
    let reckoned = |one: Unit| {
        let pace = (allowance(game, one), leaving(game, one));
        let orders = (cmd::orders(game, one), cmd::is_free(game, one));
        (pace, left(game, one), orders)
    };
    plain(unit) == plain(other)
        && reckoned(unit) == reckoned(other)
        && (unit.state() == State::Ready || sees_like(game, unit, other))
}

/// Those of some companions of a unit who may end their move in a hex in which it may: of those who move alike one is
/// asked.
fn able(game: &Reads, unit: Unit, to: Hex, companions: Vec<Unit>) -> Vec<Unit> {
    let (mut asked, mut found) = (vec![(unit, true)], Vec::new());
    for other in companions {
        let like = asked.iter().find(|(one, _)| moves_like(game, *one, other));
        let goes = like.map(|(_, goes)| *goes).unwrap_or_else(|| {
            let goes = can_end(game, other, to);
            asked.push((other, goes));
            goes
        });
        if goes {
            found.push(other);
        }
    }
    found
}

/// Whether a unit can end its move in a hex.
fn can_end(game: &Reads, unit: Unit, to: Hex) -> bool {
    reaches(game, unit, to) && !stops(game, unit, &[to]).is_empty()
}

/// [who] Those of the stack of a unit who may move.
#[rule]
pub fn companions(game: &Reads, unit: Unit) -> Vec<Unit> {
    let at = unit.at();
    let beside = friends(game, unit)
        .into_iter()
        .filter(|other| other.at() == at);
    beside.filter(|other| may(game, *other).is_ok()).collect()
}

/// Where a bot of a side goes that advances: to what the enemy holds, and to the enemy.
#[rule]
pub fn goals(game: &Reads, side: &str) -> Vec<Hex> {
    let objectives = Objective::all(game)
        .into_iter()
        .filter(|one| one.holder() != side);
    let mut goals: Vec<Hex> = objectives.map(Objective::at).collect();
    goals.extend(against(game, side).into_iter().map(Unit::at));
    goals
}

/// Where a bot takes a unit: nowhere if it does not advance.
#[rule]
pub fn aims(game: &Reads, unit: Unit) -> Vec<Hex> {
    if unit.advances() {
        goals(game, &unit.side())
    } else {
        Vec::new()
    }
}

/// [who] Of some hexes those in which a unit may end its move.
#[rule]
pub fn stops(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    cmd::goals(game, unit, hexes)
}

/// [who] How many of others may end their move in a hex together with a unit, whichever they are.
#[rule]
pub fn company(_game: &Reads, _unit: Unit, _to: Hex, others: &[Unit]) -> i64 {
    others.len() as i64
}

/// [who] Whether a unit may move. @open
#[rule]
pub fn may(game: &Reads, unit: Unit) -> Verdict {
    if unit.has_moved() {
        refuse!("it has moved");
    }
    still_moves(game, unit)?;
    if unit.carrier().is_some() {
        refuse!("it is aboard");
    }
    if unit.state() == State::Paralyzed {
        refuse!("it is paralyzed");
    }
    moves(game, unit)
}

/// Whether the assaults of the side of a unit, which end its moves, have not begun.
pub fn still_moves(game: &Reads, unit: Unit) -> Verdict {
    if clock(game).assaulting() == unit.side() {
        refuse!("the assaults of its side have begun");
    }
    Ok(())
}

/// [ow.trigger, ow.resolve, ow] A unit enters the next hex of its way; whoever watches may fire.
#[step]
pub fn walk(game: &Acts, unit: Unit, way: &[Hex]) {
    let Some((next, rest)) = way.split_first() else {
        return;
    };
    if !unit.exists(game) || !goes_on(game, unit, *next) || !dares(game, unit, *next) {
        return;
    }
    if caught_leaving(game, unit) {
        walk::push(game, unit, way);
        return;
    }
    let from = unit.at();
    ow::enter(game, unit, *next);
    arrive::push(game, unit, from);
    watched::push(game, unit);
    walk::push(game, unit, rest);
}

/// [morale.suppressed, morale.paralyzed] Whether what keeps a unit down lets it go into the next hex: no nearer to an
/// enemy whom it sees, and nowhere if it is paralyzed.
#[rule]
pub fn dares(game: &Reads, unit: Unit, next: Hex) -> bool {
    match unit.state() {
        State::Ready => true,
        State::Paralyzed => false,
        State::Suppressed => {
            let at = unit.at();
            feared(game, unit)
                .into_iter()
                .all(|enemy| enemy.distance(next) >= enemy.distance(at))
        }
    }
}

/// Where the enemies are whom a unit sees.
fn feared(game: &Reads, unit: Unit) -> Vec<Hex> {
    enemies(game, unit)
        .into_iter()
        .filter(|enemy| sees(game, unit, *enemy))
        .map(Unit::at)
        .collect()
}

/// [enemy] Whether nobody has come into the way of a unit.
#[rule]
pub fn goes_on(game: &Reads, unit: Unit, next: Hex) -> bool {
    !enemies(game, unit)
        .into_iter()
        .any(|enemy| enemy.at() == next && is_on_ground(game, enemy))
}

/// [enemy] Nor does anybody get off there, where a carrier flies over the enemy.
#[wrap(carry::may_leave)]
fn not_among_enemies(
    base: carry::may_leave::Base,
    game: &Reads,
    carrier: Unit,
    unit: Unit,
) -> Verdict {
    if !goes_on(game, unit, carrier.at()) {
        refuse!("the enemy is in that hex");
    }
    base(game, carrier, unit)
}

/// [who else false] Whether what lies in its hex has an effect on a unit as it leaves: then it tries anew when that is over.
/// @never_draws
#[rule]
pub fn caught_leaving(_game: &Writes, _unit: Unit) -> bool {
    false
}

/// [who else nil] A unit has arrived in a hex from another one: what lies there has its effect.
#[step]
pub fn arrive(_game: &Acts, _unit: Unit, _from: Hex) {}

/// [ow.trigger, ow] Whoever watches may fire at it there.
#[step]
pub fn watched(game: &Acts, unit: Unit) {
    if unit.exists(game) {
        ow::Entered { mover: unit }.open(game);
    }
}

/// [who] A unit pays for its move to a hex, in sixths. @never_draws
#[rule]
pub fn pay(game: &Writes, unit: Unit, _to: Hex, cost: i64) {
    unit.set_used(game, unit.used() + cost);
}

/// The way that leads to a hex.
pub fn way_to(unit: Unit, found: &[Reached], to: Hex) -> Vec<Hex> {
    let mut way = vec![to];
    while let Some(step) = found.iter().find(|one| one.hex == way[way.len() - 1]) {
        if step.before == unit.at() || way.len() > found.len() {
            break;
        }
        way.push(step.before);
    }
    way.reverse();
    way
}

/// [seq.action, who] Move
#[action(at = seq::action, actor = Unit)]
mod go {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        may(game, unit)
    }

    /// Where to? @reveals(who moves is seen on its way)
    #[param(audience = "all")]
    pub fn to(game: &Reads, unit: Unit) -> Domain<Hex> {
        let at = unit.at();
        let hexes: Vec<Hex> = reach(game, unit)
            .iter()
            .map(|one| one.hex)
            .filter(|hex| *hex != at)
            .collect();
        let mut hexes = stops(game, unit, &hexes);
        // Those first that lead to the enemy.
        let goals: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
        hexes.sort_by_cached_key(|hex| goals.iter().map(|goal| hex.distance(*goal)).min());
        Domain::one_of(hexes)
    }

    /// Together with whom of its stack? @reveals(who moves is seen on its way)
    #[param(audience = "all")]
    pub fn with(game: &Reads, unit: Unit, to: Hex) -> Option<Domain<Vec<Unit>>> {
        let able = able(game, unit, to, companions(game, unit));
        if able.is_empty() {
            return None;
        }
        let most = u32::try_from(company(game, unit, to, &able)).unwrap_or(0);
        if most == 0 {
            None
        } else {
            Some(Domain::several(able, 0, Some(most)))
        }
    }

    /// A bot that advances goes for the nearest enemy, or for an objective that the enemy holds.
    pub fn score(game: &Reads, unit: Unit, to: Hex, with: Vec<Unit>) -> i64 {
        let aims = aims(game, unit);
        let nearest = |from: Hex| {
            aims.iter()
                .map(|aim| from.distance(*aim))
                .min()
                .unwrap_or(0)
        };
        let then = nearest(to);
        if then < nearest(unit.at()) {
            100 - i64::from(then) - with.len() as i64
        } else {
            -1
        }
    }

    pub fn perform(game: &Acts, unit: Unit, to: Hex, with: Vec<Unit>) {
        for one in std::iter::once(unit).chain(with) {
            let found = reach(game, one);
            let Some(cost) = found
                .iter()
                .find(|reached| reached.hex == to)
                .map(|reached| reached.cost)
            else {
                continue;
            };
            pay(game, one, to, cost);
            walk::push(game, one, &way_to(one, &found, to));
        }
    }
}
