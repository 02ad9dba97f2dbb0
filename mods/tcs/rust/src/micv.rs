//! Mechanized infantry and its vehicles.

use houserule_guest::prelude::*;

use crate::atgm;
use crate::bindings::tcsbase::fire::area::divisor;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::unit::lose;
use crate::bindings::tcsbase::{carry, mode, morale};
use crate::bindings::words::{Mode, State};
use crate::{aboard, perish};

chapter!(tcs.micv);

/// A squad, as bulk.
const SQUAD: i64 = 1;

/// The missile that is fired from a hatch.
const FROM_A_HATCH: &str = "dragon";

/// Steps of a squad; a team has fewer.
const SQUAD_STEPS: i64 = 2;

/// What the loss of a platoon adds to company morale.
const PLATOON: i64 = 2;

/// [micv.carry] One squad, whatever room there is; and one thing in tow.
#[wrap(carry::fits_inside)]
fn one_squad(base: carry::fits_inside::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    let inside = aboard(game, carrier)
        .into_iter()
        .filter(|one| !one.is_outside() && !one.is_towed());
    if carrier.is_micv()
        && !unit.is_towed()
        && inside.map(|one| one.bulk()).sum::<i64>() + unit.bulk() > SQUAD
    {
        refuse!("it has room for a squad alone");
    }
    base(game, carrier, unit)
}

/// [micv.carry] Both at once.
#[wrap(carry::takes_both)]
fn squad_and_tow(base: carry::takes_both::Base, game: &Reads, carrier: Unit) -> bool {
    carrier.is_micv() || base(game, carrier)
}

/// [mounted_fire] The vehicle of mechanized infantry on the map that a squad is in, if it is in one.
/// cites: single, squads, nostack, safe
#[rule]
pub fn mounted_in(_game: &Reads, unit: Unit) -> Option<Unit> {
    let is_inside = !unit.is_outside() && !unit.is_towed() && !unit.is_off_map();
    unit.carrier()
        .filter(|carrier| is_inside && carrier.is_micv() && !carrier.is_off_map())
}

/// [mounted_fire] Squads fire from inside.
#[wrap(mode::fires)]
fn from_inside(base: mode::fires::Base, game: &Reads, unit: Unit) -> Verdict {
    match mounted_in(game, unit) {
        Some(carrier) if carrier.mode() != Mode::Move => Ok(()),
        _ => base(game, unit),
    }
}

/// [mounted_fire] From overwatch too, where their vehicle could.
#[wrap(mode::watches)]
fn watches_from_inside(base: mode::watches::Base, game: &Reads, unit: Unit) -> Verdict {
    match mounted_in(game, unit) {
        Some(carrier) if carrier.mode() == Mode::Fire && unit.state() == State::Ready => Ok(()),
        _ => base(game, unit),
    }
}

/// [mounted_fire] And with it in close combat.
#[wrap(carry::firing_inside)]
fn fights_from_inside(
    base: carry::firing_inside::Base,
    game: &Reads,
    carriers: &[Unit],
) -> Vec<Unit> {
    let mut found = base(game, carriers);
    let inside = carriers.iter().flat_map(|carrier| aboard(game, *carrier));
    found.extend(inside.filter(|unit| mounted_in(game, *unit).is_some()));
    found
}

/// [mounted_fire] At half.
#[wrap(divisor)]
fn at_half(base: divisor::Base, game: &Reads, firer: Unit) -> i64 {
    let under = base(game, firer);
    if mounted_in(game, firer).is_some() {
        2 * under
    } else {
        under
    }
}

/// [mounted_fire] Dragons only from an open hatch, other missiles not at all.
#[wrap(atgm::ready)]
fn no_missiles(base: atgm::ready::Base, game: &Reads, firer: Unit) -> Verdict {
    let is_dragon = firer.missile().as_deref() == Some(FROM_A_HATCH);
    let from_inside = |carrier: Unit| carrier.has_hatch() && is_dragon;
    let is_armed = firer.missile().is_some();
    if is_armed && mounted_in(game, firer).is_some_and(|carrier| !from_inside(carrier)) {
        refuse!("missiles are not fired from inside");
    }
    base(game, firer)
}

/// Whether a unit is a squad of a platoon: no team, no weapon or crew, and no platoon itself.
fn is_squad(unit: Unit) -> bool {
    unit.is_infantry() && unit.steps() == SQUAD_STEPS && !unit.platoon().is_empty()
}

/// [morale2] Two for a platoon, or for the last squad that is left of one, whichever of its teams are; all else weighs as
/// what it is.
#[wrap(morale::grief)]
fn platoons(base: morale::grief::Base, game: &Reads, unit: Unit) -> i64 {
    if !is_squad(unit) {
        return base(game, unit);
    }
    let others = Unit::all_with(game, Unit::PLATOON, unit.platoon()).into_iter();
    let mut others =
        others.filter(|other| *other != unit && other.side() == unit.side() && is_squad(*other));
    if others.next().is_none() { PLATOON } else { 0 }
}

/// [micv.loss] Whoever is enclosed dies with the vehicle, by fire, chemicals or mines; not in soft ground.
#[wrap(lose)]
fn enclosed(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    let kills = power.is_some() || carry::by_weapon(game, cause);
    if unit.is_micv() && unit.is_enclosed() && kills {
        let inside = aboard(game, unit)
            .into_iter()
            .filter(|one| !one.is_outside() && !one.is_towed());
        inside.for_each(|one| perish(game, one));
    }
    base(game, unit, cause, power);
}
