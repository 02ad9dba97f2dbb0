//! The series rules: the map, the turn, modes, fire, morale, overwatch,
//! missions.

mod area;
mod arithmetic;
mod artillery;
mod at_rolls;
mod fire;
mod landing;
mod map;
mod modes;
mod morale;
mod movement;
mod overwatch;
mod spotting;
mod turn;

use houserule_guest::prelude::*;

houserule_guest::module!(register);

const UNIT: &str = "tcsbase.unit";
const BATTERY: &str = "tcsbase.battery";
const PAIR: &str = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit)";

fn register(rules: &mut Rules) {
    map::register(rules);
    turn::register(rules);
    modes::register(rules);
    fire::register(rules);
    area::register(rules);
    morale::register(rules);
    movement::register(rules);
    overwatch::register(rules);
    at_rolls::register(rules);
    spotting::register(rules);
    artillery::register(rules);
    landing::register(rules);
}

fn range(a: Entity, b: Entity) -> i64 {
    i64::from(a.get::<Hex>("at").distance(b.get("at")))
}

fn enemies(game: Game, unit: Entity) -> Vec<Entity> {
    let side = unit.side();
    game.entities(UNIT).into_iter().filter(|other| other.side() != side).collect()
}

fn friends(game: Game, unit: Entity) -> Vec<Entity> {
    let side = unit.side();
    game.entities(UNIT).into_iter().filter(|other| *other != unit && other.side() == side).collect()
}

/// The number of the present trigger of overwatch.
fn trigger(game: Game) -> i64 {
    game.named("clock").get("trigger")
}

/// Two dice, one after the other.
fn two_dice(game: Game, purpose: &str) -> i64 {
    game.roll_all(&[Die::new(6), Die::new(6)], purpose).iter().sum()
}
