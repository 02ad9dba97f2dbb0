//! Units: what they are, and how they are lost.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::Class;
use crate::carry::aboard;
use crate::victory::count;
use crate::{area, fire};

chapter!(tcsbase.unit);

/// [class] Whether a unit is a vehicle; all else goes on foot.
#[rule]
pub fn is_vehicle(_game: &Reads, unit: Unit) -> bool {
    unit.class() != Class::Foot
}

/// [class] Whether those on the ground may turn their weapons on a unit at all. @open
#[rule]
pub fn from_the_ground(_game: &Reads, _target: Unit) -> Verdict {
    Ok(())
}

/// [class] Guns and area fire are turned on whom they may.
#[wrap(fire::may, area::may)]
fn may_be_fired_at(base: fire::may::Base, game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if firer.class() != Class::Helicopter {
        from_the_ground(game, target)?;
    }
    base(game, firer, target)
}

/// [gen.sides] All units on the map that nobody carries.
#[rule]
pub fn units(game: &Reads) -> Vec<Unit> {
    Unit::all(game)
        .into_iter()
        .filter(|unit| unit.carrier().is_none() && !unit.is_off_map())
        .collect()
}

/// [gen.sides] Those of a side.
#[rule]
pub fn of_side(game: &Reads, side: &str) -> Vec<Unit> {
    units(game)
        .into_iter()
        .filter(|unit| unit.side() == side)
        .collect()
}

/// [gen.sides] Those of all others.
#[rule]
pub fn against(game: &Reads, side: &str) -> Vec<Unit> {
    units(game)
        .into_iter()
        .filter(|unit| unit.side() != side)
        .collect()
}

/// [losses, vehicle_hit] Takes a unit out of play. The cause is a word: `fire`, `shells`, `mines`, `soft ground`,
/// `close combat`, `surrender`, `retreat`. Its power is what the weapon adds to the dice of area fire, for what else
/// it may do; whoever is aboard gets off. @never_asks
#[rule]
pub fn lose(game: &Writes, unit: Unit, _cause: &str, _power: Option<i64>) {
    for passenger in aboard(game, unit) {
        passenger.set_carrier(game, None);
        passenger.set_is_outside(game, false);
    }
    count(game, unit, left(game, unit).max(0));
    unit.remove(game);
}

/// [steps] Steps that a unit has left.
#[rule]
pub fn left(_game: &Reads, unit: Unit) -> i64 {
    unit.steps() - unit.lost()
}
