//! How much fits into a hex.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Unit;
use crate::carry::may_leave;
use crate::friends;
use crate::morale::havens;
use crate::movement::{company, held, stops};
use crate::overrun::posts;
use crate::unit::{is_vehicle, left};

chapter!(tcsbase.stack);

/// Steps of troops, and vehicles, that fit into a hex.
const TROOPS: i64 = 15;
const VEHICLES: usize = 10;

/// [move.who, move.enemy] Of some hexes those in which a unit may come down to the ground: where no enemy stands.
#[rule]
pub fn grounds(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let held = held(game, unit);
    let free = hexes.iter().copied().filter(|hex| !held.contains(hex));
    free.collect()
}

/// [stack.limit] It takes up as much room as any.
#[wrap(grounds)]
fn where_it_finds_room(base: grounds::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    with_room(game, unit, base(game, unit, hexes))
}

/// [move.who] Whether a unit takes up room in its hex: what is on the ground does.
#[rule]
pub fn takes_room(_game: &Reads, _unit: Unit) -> bool {
    true
}

/// [stack.limit] A move ends only where there is room.
#[wrap(stops)]
fn where_room_is(base: stops::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    with_room(game, unit, base(game, unit, hexes))
}

/// [stack.limit] Nor does anybody fall back into a hex without room.
#[wrap(havens)]
fn no_full_haven(base: havens::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    with_room(game, unit, base(game, unit, hexes))
}

/// [stack.limit] Nor does anybody drive at the enemy out of a hex in which he could not be stopped.
#[wrap(posts)]
fn where_it_may_be_stopped(base: posts::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    with_room(game, unit, base(game, unit, hexes))
}

/// Those of some hexes in which a unit finds room beside its friends.
fn with_room(game: &Reads, unit: Unit, mut hexes: Vec<Hex>) -> Vec<Hex> {
    let friends: Vec<(Hex, Unit)> = friends(game, unit)
        .into_iter()
        .map(|other| (other.at(), other))
        .collect();
    let fits_beside = |hex: &Hex| {
        let there = friends.iter().filter(|(at, _)| at == hex);
        fits(game, unit, there.map(|(_, other)| *other))
    };
    // Most hexes are empty, and all of these are alike.
    let fits_alone = fits(game, unit, std::iter::empty());
    let is_empty = |hex: &Hex| friends.iter().all(|(at, _)| at != hex);
    hexes.retain(|hex| match is_empty(hex) {
        true => fits_alone,
        false => fits_beside(hex),
    });
    hexes
}

/// [stack.limit] A stack ends its move only where there is room for all of it, also for the largest of its
/// troops, and for its vehicles.
#[wrap(company)]
fn room_for_all(base: company::Base, game: &Reads, unit: Unit, to: Hex, others: &[Unit]) -> i64 {
    let most = base(game, unit, to, others);
    let there: Vec<Unit> = friends(game, unit)
        .into_iter()
        .filter(|other| other.at() == to)
        .collect();
    let (vehicles, mut troops): (Vec<Unit>, Vec<Unit>) = others
        .iter()
        .copied()
        .partition(|other| is_vehicle(game, *other));
    troops.sort_by_key(|other| std::cmp::Reverse(left(game, *other)));
    let fit = |number: &i64| {
        let number = *number as usize;
        let with = troops
            .iter()
            .take(number)
            .chain(vehicles.iter().take(number));
        fits(game, unit, there.iter().chain(with).copied())
    };
    (0..=most).rev().find(fit).unwrap_or(0)
}

/// [stack.limit] Nobody gets off a carrier, or is set down by one, where there is no room.
#[wrap(may_leave)]
fn room_to_get_off(base: may_leave::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    let at = carrier.at();
    let there = friends(game, carrier)
        .into_iter()
        .filter(|other| other.at() == at);
    if !fits(game, unit, there.chain([carrier])) {
        refuse!("there is no room in the hex");
    }
    base(game, carrier, unit)
}

/// Whether a unit finds room beside others.
fn fits(game: &Reads, unit: Unit, others: impl Iterator<Item = Unit>) -> bool {
    let (vehicles, troops): (Vec<Unit>, Vec<Unit>) = others
        .filter(|other| takes_room(game, *other))
        .chain([unit])
        .partition(|other| is_vehicle(game, *other));
    vehicles.len() <= VEHICLES
        && troops
            .into_iter()
            .map(|other| left(game, other))
            .sum::<i64>()
            <= TROOPS
}
