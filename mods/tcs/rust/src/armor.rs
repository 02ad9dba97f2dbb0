//! Modern and advanced armour.

use houserule_guest::prelude::*;

use crate::bindings::tcs::tables::{ArmorModels, ArmorPlates};
use crate::bindings::tcsbase::carry;
use crate::bindings::tcsbase::fire::{atroll, defence};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::Plates;

chapter!(tcs.armor);

/// What a unit defends itself against, besides guns, shells and area fire: missiles, those with a tip charge, and
/// bomblets that pierce as missiles do.
pub const MISSILE: &str = "missile";
pub const TIP: &str = "tip";
pub const BOMBLET: &str = "bomblet";
const HEAT: [&str; 2] = [MISSILE, BOMBLET];

/// [tbl.advarmor] What the plates of a vehicle add to its defence value. AT rolls have nothing to do with it.
/// cites: armor.atroll.notarty, homebrew, opt
#[rule]
pub fn plates(game: &Reads, target: Unit, against: &str) -> i64 {
    let row = ArmorPlates::get(game, target.plates());
    match against {
        MISSILE | BOMBLET => row.heat,
        TIP => row.tip,
        _ => row.other,
    }
}

/// [armor.atroll, tbl.atroll_armor] Modern tanks take from the dice of AT rolls, plates one more.
#[wrap(atroll::modifier)]
fn thick(base: atroll::modifier::Base, game: &Reads, target: Unit) -> i64 {
    let model = ArmorModels::find(game, &target.model()).map_or(0, |row| row.modifier);
    base(game, target) + model - i64::from(target.plates() != Plates::None)
}

/// [armor.reactive.heat, tbl.advarmor] Reactive armour against missiles and bomblets,
#[wrap(defence)]
fn against_heat(base: defence::Base, game: &Reads, target: Unit, against: &str) -> i64 {
    let is_heat = HEAT.contains(&against);
    let more = if is_heat && target.plates() == Plates::Reactive {
        plates(game, target, against)
    } else {
        0
    };
    base(game, target, against) + more
}

/// [armor.reactive.other, tbl.advarmor] against tip charges, and against all else.
#[wrap(defence)]
fn against_others(base: defence::Base, game: &Reads, target: Unit, against: &str) -> i64 {
    let is_heat = HEAT.contains(&against);
    let more = if !is_heat && target.plates() == Plates::Reactive {
        plates(game, target, against)
    } else {
        0
    };
    base(game, target, against) + more
}

/// [dua, tbl.advarmor] Depleted uranium against everything.
#[wrap(defence)]
fn uranium(base: defence::Base, game: &Reads, target: Unit, against: &str) -> i64 {
    let more = if target.plates() == Plates::Dua {
        plates(game, target, against)
    } else {
        0
    };
    base(game, target, against) + more
}

/// [armor.reactive.nocarry] Nobody rides on reactive armour, nor in it.
#[wrap(carry::fits_inside, carry::fits_outside)]
fn no_riders(base: carry::fits_inside::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if carrier.plates() == Plates::Reactive {
        refuse!("its plates would kill them");
    }
    base(game, carrier, unit)
}
