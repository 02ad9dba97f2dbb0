//! How much fits into a hex.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Unit;
use crate::friends;
use crate::movement::stops;
use crate::unit::{is_vehicle, left};

chapter!(tcsbase.stack);

/// Steps of troops, and vehicles, that fit into a hex.
const TROOPS: i64 = 15;
const VEHICLES: usize = 10;

/// [stack.limit] A move ends only where there is room.
#[wrap(stops)]
fn where_room_is(base: stops::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let mut found = base(game, unit, hexes);
    let friends: Vec<(Hex, Unit)> =
        friends(game, unit).into_iter().map(|other| (other.at(), other)).collect();
    found.retain(|hex| fits(game, unit, friends.iter().filter(|(at, _)| at == hex).map(|(_, other)| *other)));
    found
}

/// Whether a unit finds room beside others.
fn fits(game: &Reads, unit: Unit, others: impl Iterator<Item = Unit>) -> bool {
    let (vehicles, troops): (Vec<Unit>, Vec<Unit>) = others.partition(|other| is_vehicle(game, *other));
    match is_vehicle(game, unit) {
        true => vehicles.len() < VEHICLES,
        false => troops.iter().map(|other| left(game, *other)).sum::<i64>() + left(game, unit) <= TROOPS,
    }
}
