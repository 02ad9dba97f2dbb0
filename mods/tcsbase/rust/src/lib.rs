//! The series rules: the map, the turn, point fire, overwatch, missions.

mod arithmetic;
mod artillery;
mod fire;
mod map;
mod overwatch;
mod turn;

use houserule_guest::prelude::*;

houserule_guest::module!(register);

const UNIT: &str = "tcsbase.unit";
const BATTERY: &str = "tcsbase.battery";

fn register(rules: &mut Rules) {
    map::register(rules);
    turn::register(rules);
    fire::register(rules);
    overwatch::register(rules);
    artillery::register(rules);
}
