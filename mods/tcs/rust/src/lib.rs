//! Modern warfare over the series rules.

mod arithmetic;
mod atgm;
mod cb;
mod helo;
mod night;

use houserule_guest::prelude::*;

houserule_guest::module!(register);

const UNIT: &str = "tcsbase.unit";
const BATTERY: &str = "tcsbase.battery";

fn register(rules: &mut Rules) {
    atgm::register(rules);
    cb::register(rules);
    helo::register(rules);
    night::register(rules);
}

/// Whether a rule that gives a verdict finds nothing against it.
fn allows(game: Game, rule: &str, args: [Value; 2]) -> Verdict {
    game.call::<Option<String>>(rule, args).map_or(Ok(()), Err)
}

fn range(a: Entity, b: Entity) -> i64 {
    i64::from(a.get::<Hex>("at").distance(b.get("at")))
}

fn is_helicopter(unit: Entity) -> bool {
    unit.get::<String>("class") == "helicopter"
}
