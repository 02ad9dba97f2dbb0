//! Modern and advanced armour.

use houserule_guest::prelude::*;

use crate::bindings::tcs::tables::{ArmorModels, ArmorPlates};
use crate::bindings::tcsbase::carry;
use crate::bindings::tcsbase::fire::{atroll, defence};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::{Against, Plates};

chapter!(tcs.armor);

/// The row of a vehicle's plates.
fn plates(game: &Reads, target: Unit) -> ArmorPlates {
    let worn = target.plates();
    let mut rows = ArmorPlates::all(game);
    let place = rows.iter().position(|row| row.plates.word() == worn.word()).unwrap_or(0);
    rows.swap_remove(place)
}

/// [armor.atroll, tbl.atroll_armor] Modern tanks take from the dice of AT rolls, plates one more.
/// cites: armor.atroll.notarty, homebrew
#[wrap(atroll::modifier)]
fn thick(base: atroll::modifier::Base, game: &Reads, target: Unit) -> i64 {
    let model = ArmorModels::find(game, &target.model()).map_or(0, |row| row.modifier);
    base(game, target) + model - i64::from(target.plates() != Plates::None)
}

/// [armor.reactive.heat, tbl.advarmor] Reactive armour against missiles and bomblets,
/// cites: opt
#[wrap(defence)]
fn against_heat(base: defence::Base, game: &Reads, target: Unit, against: Against) -> i64 {
    let is_heat = [Against::Missile, Against::Bomblet].contains(&against);
    let more = if is_heat && target.plates() == Plates::Reactive { plates(game, target).heat } else { 0 };
    base(game, target, against) + more
}

/// [armor.reactive.other, tbl.advarmor] against tip charges, and against all else.
#[wrap(defence)]
fn against_others(base: defence::Base, game: &Reads, target: Unit, against: Against) -> i64 {
    let more = match against {
        _ if target.plates() != Plates::Reactive => 0,
        Against::Missile | Against::Bomblet => 0,
        Against::Tip => plates(game, target).tip,
        Against::Point | Against::Shell => plates(game, target).other,
    };
    base(game, target, against) + more
}

/// [dua, tbl.advarmor] Depleted uranium against everything.
#[wrap(defence)]
fn uranium(base: defence::Base, game: &Reads, target: Unit, against: Against) -> i64 {
    let more = if target.plates() == Plates::Dua { plates(game, target).other } else { 0 };
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
