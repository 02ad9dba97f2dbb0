//! Night vision and thermal sights.

use houserule_guest::prelude::*;

use crate::arithmetic::night_modifier;
use crate::atgm;
use crate::bindings::tcs::options;
use crate::bindings::tcs::tables::NvDivisors;
use crate::bindings::tcsbase::fire::point;
use crate::bindings::tcsbase::illum::lit;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::mode::is_moving;
use crate::bindings::tcsbase::smoke::blinds;
use crate::bindings::tcsbase::{art, fire, los};
use crate::bindings::words::{
    Class, DivisorsMode, Sight, State, Table, ThermalArea, ThermalObserve, Weapon,
};
use crate::{clock, range};

chapter!(tcs.nv);

/// Farther than any map reaches.
const ANY: i64 = 99;

/// By night nobody observes farther than this.
const OBSERVED: i64 = 8;

fn is_on_foot(unit: Unit) -> bool {
    unit.class() == Class::Foot
}

/// [who, nosee] Modern units see beyond the limit of the night.
#[wrap(los::dark_limit)]
fn by_night(base: los::dark_limit::Base, game: &Reads, unit: Unit) -> i64 {
    if unit.sight() == Sight::None {
        base(game, unit)
    } else {
        ANY
    }
}

/// [thermal] Thermal sights see through weather,
#[wrap(los::weather_limit)]
fn in_weather(base: los::weather_limit::Base, game: &Reads, unit: Unit) -> i64 {
    if unit.sight() == Sight::Thermal {
        ANY
    } else {
        base(game, unit)
    }
}

/// [thermal] and through smoke.
#[wrap(los::through_smoke)]
fn in_smoke(base: los::through_smoke::Base, game: &Reads, unit: Unit, target: Unit) -> bool {
    unit.sight() == Sight::Thermal || base(game, unit, target)
}

/// [thermal] so that it counts which sights a unit has.
#[wrap(los::sees_like)]
fn with_like_sights(base: los::sees_like::Base, game: &Reads, unit: Unit, other: Unit) -> bool {
    unit.sight() == other.sight() && base(game, unit, other)
}

/// [thermal] No bot hides from them behind it.
#[wrap(blinds)]
fn not_blinded(base: blinds::Base, game: &Reads, unit: Unit) -> bool {
    unit.sight() != Sight::Thermal && base(game, unit)
}

/// [thermal] Neither hides a hex from them.
#[wrap(los::sees_hex)]
fn sees_hex(base: los::sees_hex::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    match unit.sight() {
        Sight::Thermal => los::clear(game, unit.at(), los::height_of(game, unit), at, 0),
        _ => base(game, unit, at),
    }
}

/// [observe] By night nobody observes beyond eight hexes.
#[wrap(art::sees)]
fn observes(base: art::sees::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    let (clock, from) = (clock(game), unit.at());
    let is_dark = clock.is_night() && !lit(game, at)
        || game.option(options::nv::THERMAL_OBSERVE) == ThermalObserve::Always;
    if unit.sight() == Sight::None || !is_dark {
        return base(game, unit, at);
    }
    // Where the night itself is brighter no sight makes it darker.
    let far = if clock.is_night() {
        OBSERVED.max(clock.limit())
    } else {
        OBSERVED
    };
    unit.state() == State::Ready
        && !unit.is_buttoned()
        && i64::from(from.distance(at)) <= far.min(los::sky_limit(game))
        && los::is_free_of_smoke(game, from, at)
        && los::clear(game, from, los::height_of(game, unit), at, 0)
}

/// [helo.popup.no_observe] Nobody observes artillery by a pop-up.
#[wrap(art::sees)]
fn from_below(base: art::sees::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    !unit.is_up() && base(game, unit, at)
}

/// Whether the weapons of a unit reach half as far at a target: on foot, where nothing lights the night, whichever sights
/// it has; a thermal sight does all that one for the night does.
fn is_halved(game: &Reads, unit: Unit, target: Unit) -> bool {
    let is_dark = clock(game).is_night() && !lit(game, target.at());
    is_dark && is_on_foot(unit) && unit.sight() != Sight::None
}

/// Whether a target is in the half of the range that a weapon of a unit has left by night.
fn is_near(game: &Reads, firer: Unit, target: Unit, weapon: Weapon) -> bool {
    !is_halved(game, firer, target) || 2 * range(firer, target) <= fire::reach(game, firer, weapon)
}

/// [infantry] By night guns on foot fire to half their range; within it, as by day.
#[wrap(point::needed)]
fn near_guns(base: point::needed::Base, game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    base(game, firer, target).filter(|_| is_near(game, firer, target, Weapon::Gun))
}

/// [infantry] Area fire too.
#[wrap(fire::area::may)]
fn near_volleys(base: fire::area::may::Base, game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if !is_near(game, firer, target, Weapon::Area) {
        refuse!("by night it is out of range");
    }
    base(game, firer, target)
}

/// [infantry] Missiles too: twice the nominal range is the most, by night the nominal one.
#[wrap(atgm::row)]
fn near_missiles(base: atgm::row::Base, game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    base(game, firer, target).filter(|row| *row < 3 || !is_halved(game, firer, target))
}

/// Hexes of the range beyond what one sees without help, by night or weather.
fn beyond(game: &Reads, firer: Unit, target: Unit) -> i64 {
    let clock = clock(game);
    let is_lit = lit(game, target.at());
    let night = if clock.is_night() && !is_lit {
        clock.limit()
    } else {
        ANY
    };
    (range(firer, target) - night.min(los::sky_limit(game))).max(0)
}

/// A fifth of what is counted comes off the dice where the target moves, a fourth where it keeps still.
fn divisor(game: &Reads, target: Unit) -> i64 {
    let mode = if is_moving(game, target) {
        DivisorsMode::Move
    } else {
        DivisorsMode::Fire
    };
    NvDivisors::get(game, mode).divisor
}

/// [vehicle, nv.vehicle.area, illum, tbl.night] Hexes beyond the limit are counted, and the night does not.
#[wrap(fire::sight)]
fn of_vehicles(
    base: fire::sight::Base,
    game: &Reads,
    firer: Unit,
    target: Unit,
    table: Table,
) -> i64 {
    let is_vehicle = firer.sight() == Sight::Night && !is_on_foot(firer);
    if !is_vehicle || table == Table::Area {
        return base(game, firer, target, table);
    }
    let smoke = |unit: Unit| los::smoke_at(game, unit.at());
    let markers = smoke(firer)
        + if range(firer, target) > 0 {
            smoke(target)
        } else {
            0
        };
    night_modifier(beyond(game, firer, target), divisor(game, target)) - 2 * markers
}

/// [thermal, tbl.night] Thermal sights count on their way.
#[wrap(fire::sight)]
fn thermal(base: fire::sight::Base, game: &Reads, firer: Unit, target: Unit, table: Table) -> i64 {
    let as_others = game.option(options::nv::THERMAL_AREA) == ThermalArea::Night;
    match (firer.sight(), table) {
        (Sight::Thermal, Table::Area) if as_others => base(game, firer, target, table),
        (Sight::Thermal, Table::Area) => 0,
        (Sight::Thermal, Table::Point) => {
            night_modifier(count(game, firer, target), divisor(game, target))
        }
        _ => base(game, firer, target, table),
    }
}

/// [thermal] Hexes beyond the limit of night and weather, for a thermal sight.
#[rule]
pub fn count(game: &Reads, firer: Unit, target: Unit) -> i64 {
    beyond(game, firer, target)
}

/// [nv.thermal.count] Each marker on the line counts as a hex.
#[wrap(count)]
fn with_smoke(base: count::Base, game: &Reads, firer: Unit, target: Unit) -> i64 {
    base(game, firer, target) + smoke(game, firer.at(), target.at())
}

/// [thermal] Smoke markers on the line between two hexes, both included, in every hex that it passes or is beside.
#[rule]
pub fn smoke(game: &Reads, a: Hex, b: Hex) -> i64 {
    let at = |hex: Hex| los::smoke_at(game, hex);
    a.line(b)
        .into_iter()
        .map(|(hex, beside)| at(hex) + beside.map_or(0, at))
        .sum()
}

/// [nv.thermal.hexside] Along a hexside it counts once, where there is more.
#[wrap(smoke)]
fn once(base: smoke::Base, game: &Reads, a: Hex, b: Hex) -> i64 {
    if !los::runs_along(game, a, b) {
        return base(game, a, b);
    }
    let at = |hex: Hex| los::smoke_at(game, hex);
    a.line(b)
        .into_iter()
        .map(|(hex, beside)| at(hex).max(beside.map_or(0, at)))
        .sum()
}
