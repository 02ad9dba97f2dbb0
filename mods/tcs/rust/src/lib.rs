//! Modern warfare over the series rules.

mod aa;
mod arithmetic;
mod at8;
mod atgm;
mod cb;
mod dual;
mod flight;
mod guns;
mod helo;
mod night;
mod rounds;

use houserule_guest::prelude::*;

houserule_guest::module!(register);

const UNIT: &str = "tcsbase.unit";
const BATTERY: &str = "tcsbase.battery";
const PAIR: &str = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit)";

fn register(rules: &mut Rules) {
    dual::register(rules);
    atgm::register(rules);
    at8::register(rules);
    cb::register(rules);
    guns::register(rules);
    helo::register(rules);
    aa::register(rules);
    flight::register(rules);
    night::register(rules);
    rounds::register(rules);
}

fn range(a: Entity, b: Entity) -> i64 {
    i64::from(a.get::<Hex>("at").distance(b.get("at")))
}

fn is_helicopter(unit: Entity) -> bool {
    unit.get::<String>("class") == "helicopter"
}

fn enemies(game: Game, unit: Entity) -> Vec<Entity> {
    let side = unit.side();
    game.entities(UNIT).into_iter().filter(|other| other.side() != side).collect()
}

/// The number of the present trigger of overwatch.
fn trigger(game: Game) -> i64 {
    game.named("clock").get("trigger")
}

/// Two dice, one after the other.
fn two_dice(game: Game, purpose: &str) -> i64 {
    game.roll_all(&[Die::new(6), Die::new(6)], purpose).iter().sum()
}
