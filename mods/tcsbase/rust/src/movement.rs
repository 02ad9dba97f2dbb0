//! Movement, hex by hex.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::{Ground, Unit};
use crate::bindings::words::{Class, State, Terrain};
use crate::map::{effects, is_on_map, place};
use crate::mode::{moves, ready};
use crate::{enemies, ow, seq};

chapter!(tcsbase.r#move);

/// A hex that can be reached, with the one before it.
#[record]
pub struct Reached {
    pub hex: Hex,
    pub before: Hex,
}

/// What each move of a unit costs.
pub fn costs(game: &Reads, unit: Unit) -> HexCosts {
    let class = unit.class();
    let cost = |terrain: Terrain| {
        let row = effects(game, terrain);
        let cost = match class {
            Class::Foot => row.foot,
            Class::Tracked => row.tracked,
            Class::Wheeled => row.wheeled,
            Class::Helicopter => None,
        };
        cost.and_then(|cost| u32::try_from(cost).ok())
    };
    let mut costs = HexCosts { otherwise: cost(Terrain::Open), ..HexCosts::default() };
    for ground in Ground::all(game) {
        let name = ground.name();
        let (Ok(column), Ok(row)) = (name[1..3].parse::<i32>(), name[3..5].parse::<i32>()) else { continue };
        let hex = Hex::at(column, row);
        costs.enter.push((hex, cost(ground.terrain())));
        let level = ground.level();
        for next in hex.neighbours() {
            if place(game, next).level != level {
                costs.cross.push((hex, next, Some(1)));
                costs.cross.push((next, hex, Some(1)));
            }
        }
    }
    let at = unit.at();
    let held = enemies(game, unit).into_iter().filter(|enemy| enemy.class() != Class::Helicopter);
    costs.enter.extend(held.map(Unit::at).filter(|hex| *hex != at).map(|hex| (hex, None)));
    costs
}

/// [terrain.movement, enemy, gen.map_edge] The hexes that a unit can move to, each with the one before it.
#[rule]
pub fn reach(game: &Reads, unit: Unit) -> Vec<Reached> {
    let most = u32::try_from(unit.allowance()).unwrap_or(0);
    let found = unit.at().reach(most, &costs(game, unit));
    let on_map = found.into_iter().filter(|(hex, _, _)| is_on_map(game, *hex));
    on_map.map(|(hex, _, before)| Reached { hex, before }).collect()
}

/// [who] Whether a unit may move.
#[rule]
pub fn may(game: &Reads, unit: Unit) -> Verdict {
    if unit.has_moved() {
        refuse!("it has moved");
    }
    ready(unit)?;
    moves(game, unit)
}

/// [ow.trigger, ow.resolve, ow] A unit enters the next hex of its way; whoever watches may fire.
#[step]
pub fn walk(game: &Acts, unit: Unit, way: &[Hex]) {
    let Some((next, rest)) = way.split_first() else { return };
    if !unit.exists(game) || unit.state() != State::Ready {
        return;
    }
    ow::enter(game, unit, *next);
    ow::Entered { mover: unit }.open(game);
    walk::push(game, unit, rest);
}

/// [seq.action, who] Move
#[action(at = seq::action, actor = Unit)]
mod go {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        may(game, unit)
    }

    /// Where to?
    #[param]
    pub fn to(game: &Reads, unit: Unit) -> Domain<Hex> {
        let at = unit.at();
        let mut hexes: Vec<Hex> =
            reach(game, unit).iter().map(|one| one.hex).filter(|hex| *hex != at).collect();
        // Those first that lead to the enemy.
        let goals: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
        hexes.sort_by_key(|hex| goals.iter().map(|goal| hex.distance(*goal)).min());
        Domain::one_of(hexes)
    }

    pub fn score(game: &Reads, unit: Unit, to: Hex) -> i64 {
        let goals = enemies(game, unit);
        let nearest = |from: Hex| goals.iter().map(|enemy| from.distance(enemy.at())).min().unwrap_or(0);
        let then = nearest(to);
        if then < nearest(unit.at()) && unit.advances() { 100 - i64::from(then) } else { -1 }
    }

    pub fn perform(game: &Acts, unit: Unit, to: Hex) {
        unit.set_has_moved(game, true);
        let found = reach(game, unit);
        let mut way = vec![to];
        while let Some(step) = found.iter().find(|one| one.hex == way[way.len() - 1]) {
            if step.before == unit.at() || way.len() > found.len() {
                break;
            }
            way.push(step.before);
        }
        way.reverse();
        walk::push(game, unit, &way);
    }
}
