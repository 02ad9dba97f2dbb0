//! What helicopters carry, and what they cannot do.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::HeloTurnedAway;
use crate::bindings::tcsbase::fire::atroll;
use crate::bindings::tcsbase::kinds::{Field, Unit};
use crate::bindings::tcsbase::unit::lose;
use crate::bindings::tcsbase::{assault, carry, mode, unit as units};
use crate::bindings::words::{CostsWhat, Height, State};
use crate::flight::{cost, is_free, pay};
use crate::helo::may_pop;
use crate::{aboard, is_helicopter, perish};

chapter!(tcs.helo);

/// [cannot] No AT rolls.
#[wrap(atroll::may)]
fn no_rolls(base: atroll::may::Base, game: &Reads, unit: Unit, target: Unit) -> Verdict {
    if is_helicopter(unit) {
        refuse!("helicopters make no AT rolls");
    }
    base(game, unit, target)
}

/// [cannot] No assaults.
#[wrap(assault::may)]
fn no_assaults(base: assault::may::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_helicopter(unit) {
        refuse!("helicopters do not assault");
    }
    base(game, unit)
}

/// [helo.carry.load] They load and unload in the nap of the earth.
#[wrap(carry::may_stop)]
fn lands(base: carry::may_stop::Base, game: &Reads, carrier: Unit) -> Verdict {
    if !is_helicopter(carrier) {
        return base(game, carrier);
    }
    if carrier.is_off_map() {
        refuse!("it is off the map");
    }
    is_free(carrier)?;
    if carrier.height() != Height::Noe {
        refuse!("it is too high");
    }
    Ok(())
}

/// [cannot] No landing among mines.
#[wrap(carry::may_stop)]
fn not_in_mines(base: carry::may_stop::Base, game: &Reads, carrier: Unit) -> Verdict {
    let at = carrier.at();
    if is_helicopter(carrier) && Field::all(game).into_iter().any(|field| field.at() == at) {
        refuse!("it cannot land among mines");
    }
    base(game, carrier)
}

/// [cannot] Mines of which its side does not know it finds as it comes down: it has paid, and takes nobody aboard.
/// @reveals(whoever is to land looks at the ground)
#[wrap(carry::get_on)]
fn takes_nobody_off_mines(base: carry::get_on::Base, game: &Acts, carrier: Unit, unit: Unit) {
    if finds_mines(game, carrier) {
        carry::pay(game, carrier, unit);
    } else {
        base(game, carrier, unit);
    }
}

/// [cannot] Nor does it set anybody down.
/// @reveals(whoever is to land looks at the ground)
#[wrap(carry::get_off)]
fn sets_nobody_among_mines(base: carry::get_off::Base, game: &Acts, carrier: Unit, unit: Unit) {
    if !carrier.exists(game) || !finds_mines(game, carrier) {
        base(game, carrier, unit);
    }
}

/// Whether a helicopter that is about to land finds mines of which its side has not known: it does from now on.
fn finds_mines(game: &Writes, carrier: Unit) -> bool {
    let (at, side) = (carrier.at(), carrier.side());
    let is_buried = |field: &Field| field.at() == at && !field.is_seen_by(game, &side);
    let mut buried = Field::all(game);
    buried.retain(|field| is_helicopter(carrier) && is_buried(field));
    for field in &buried {
        field.set_is_known(game, true);
        field.reveal(game, None, None);
    }
    if !buried.is_empty() {
        HeloTurnedAway {
            helicopter: carrier,
            at,
        }
        .tell(game);
    }
    !buried.is_empty()
}

/// [helo.carry.load] For ten points.
#[wrap(carry::price)]
fn in_points(base: carry::price::Base, game: &Reads, carrier: Unit, unit: Unit) -> i64 {
    if is_helicopter(carrier) {
        cost(game, CostsWhat::Load)
    } else {
        base(game, carrier, unit)
    }
}

/// [helo.carry.sling] Twenty for a sling load.
#[wrap(carry::price)]
fn for_a_sling(base: carry::price::Base, game: &Reads, carrier: Unit, unit: Unit) -> i64 {
    if is_helicopter(carrier) && is_slung(game, unit) {
        cost(game, CostsWhat::Sling)
    } else {
        base(game, carrier, unit)
    }
}

/// [helo.carry.load] Of their own points.
#[wrap(carry::may_pay)]
fn has_points(base: carry::may_pay::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if !is_helicopter(carrier) {
        return base(game, carrier, unit);
    }
    if carrier.spent() + carry::price(game, carrier, unit) > carrier.allowance() {
        refuse!("it has not points enough");
    }
    Ok(())
}

/// [helo.carry.load] They are fired at as they pay.
#[wrap(carry::pay)]
fn pays(base: carry::pay::Base, game: &Writes, carrier: Unit, unit: Unit) {
    if is_helicopter(carrier) {
        pay::push(game, carrier, carry::price(game, carrier, unit), false);
    } else {
        base(game, carrier, unit);
    }
}

/// [mp] Whether a unit hangs under a helicopter that carries it.
/// cites: helo.kinds, helo.carry.nofire
#[rule]
pub fn is_slung(_game: &Reads, unit: Unit) -> bool {
    unit.is_slingable()
}

/// [helo.sling.what] A vehicle does, or what is towed; mortars ride inside, as all troops.
#[wrap(is_slung)]
fn not_on_foot(base: is_slung::Base, game: &Reads, unit: Unit) -> bool {
    base(game, unit) && (unit.is_towed() || units::is_vehicle(game, unit))
}

/// [helo.carry.sling] A helicopter that can takes one sling load.
#[wrap(carry::fits_inside)]
fn hangs(base: carry::fits_inside::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if !is_helicopter(carrier) {
        return base(game, carrier, unit);
    }
    if !is_slung(game, unit) {
        // To tow in the air is to sling.
        if unit.is_towed() {
            refuse!("it hangs from no sling");
        }
        return base(game, carrier, unit);
    }
    if !carrier.slings() {
        refuse!("it takes no sling loads");
    }
    if aboard(game, carrier)
        .into_iter()
        .any(|one| is_slung(game, one))
    {
        refuse!("it has a sling load");
    }
    Ok(())
}

/// [helo.carry.sling] It hangs there while others ride inside.
#[wrap(carry::takes_both)]
fn inside_and_below(base: carry::takes_both::Base, game: &Reads, carrier: Unit) -> bool {
    is_helicopter(carrier) || base(game, carrier)
}

/// [helo.sling.what] What is towed, and light vehicles that a game names, hang from slings; all else rides inside.
#[wrap(carry::may_load)]
fn slung_vehicles(base: carry::may_load::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if !is_helicopter(carrier) || !units::is_vehicle(game, unit) || !is_slung(game, unit) {
        return base(game, carrier, unit);
    }
    if unit.at() != carrier.at()
        || unit.side() != carrier.side()
        || unit.used() > 0
        || unit.has_moved()
        || unit.state() != State::Ready
        || is_helicopter(unit)
    {
        refuse!("it is not ready beside the helicopter");
    }
    if !aboard(game, unit).is_empty() {
        refuse!("somebody is aboard it");
    }
    mode::moves(game, unit)?;
    carry::fits_inside(game, carrier, unit)
}

/// [helo.sling.what] A vehicle that hangs from a sling loads and unloads nobody.
#[wrap(carry::may_stop)]
fn hangs_still(base: carry::may_stop::Base, game: &Reads, carrier: Unit) -> Verdict {
    if carrier.carrier().is_some() {
        refuse!("it is carried");
    }
    base(game, carrier)
}

/// [helo.carry.nopop] No pop-up with a sling load.
#[wrap(may_pop)]
fn too_heavy(base: may_pop::Base, game: &Reads, helicopter: Unit, target: Unit) -> Verdict {
    if aboard(game, helicopter)
        .into_iter()
        .any(|one| is_slung(game, one))
    {
        refuse!("it has a sling load");
    }
    base(game, helicopter, target)
}

/// [helo.carry.loss] With the helicopter goes all that it carries.
#[wrap(lose)]
fn all_is_lost(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    if is_helicopter(unit) {
        aboard(game, unit)
            .into_iter()
            .for_each(|passenger| perish(game, passenger));
    }
    base(game, unit, cause, power);
}
