//! How long helicopters stay over the map.

use houserule_guest::prelude::*;

use crate::atgm::rearm;
use crate::bindings::tcs::events::HeloLeft;
use crate::bindings::tcsbase::r#gen::go_on;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::unit::lose;
use crate::bindings::tcsbase::{cmd, seq};
use crate::flight::{cost_at, enter, is_free, may_fly, room_at, still_moves};
use crate::{at_edge, clock, hexes, is_helicopter};

chapter!(tcs.helo);

/// Minutes over the map, and off it before there are new ones.
const STATION: i64 = 6 * 60;
const REST: i64 = 3 * 60;

/// [helo.station.max else false] Whether a helicopter has to be off the map before this turn is over.
#[rule]
pub fn is_due(game: &Reads, helicopter: Unit) -> bool {
    let turn = if clock(game).is_night() { 60 } else { 20 };
    helicopter.station() + turn > STATION
}

/// [helo.station.max] Fly off the map
#[action(at = seq::action, actor = Unit)]
mod leave {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !is_helicopter(unit) || unit.is_off_map() {
            refuse!("it is no helicopter over the map");
        }
        is_free(unit)?;
        if !at_edge(game, unit.at()) {
            refuse!("it is not at the edge of the map");
        }
        still_moves(game, unit)
    }

    pub fn score(game: &Reads, unit: Unit) -> i64 {
        if is_due(game, unit) { 50 } else { -1 }
    }

    pub fn perform(game: &Acts, unit: Unit) {
        unit.set_is_off_map(game, true);
        unit.set_has_left(game, true);
        unit.set_rest(game, 0);
        HeloLeft {
            helicopter: unit,
            result: "leaves the map",
        }
        .tell(game);
    }
}

/// [helo.station.max] Whether a helicopter may come back: in no turn in which it has left; short trips to arm and refuel
/// count for nothing. @open
/// cites: helo.station.faarp
#[rule]
pub fn may_return(_game: &Reads, unit: Unit) -> Verdict {
    if unit.has_left() && unit.rest() == 0 {
        refuse!("it has left in this turn");
    }
    if unit.station() >= STATION {
        refuse!("it has been over the map too long");
    }
    Ok(())
}

/// [helo.station.rest] Three hours off the map give six new ones; who has been over it comes back no sooner.
#[wrap(may_return)]
fn rested(base: may_return::Base, game: &Reads, unit: Unit) -> Verdict {
    if unit.rest() >= REST {
        return Ok(());
    }
    if unit.has_left() || unit.station() > 0 {
        refuse!("it has not been off the map for three hours");
    }
    base(game, unit)
}

/// [helo.station.rest] They are counted from the start again. @never_draws
#[rule]
pub fn anew(game: &Writes, unit: Unit) {
    if unit.rest() >= REST {
        unit.set_station(game, 0);
        rearm(game, unit);
    }
}

// It enters a hex like any other: it pays for it, and is fired at. How far from an enemy it stays without orders is
// measured from where it left.
/// [helo.station.max] Fly back to the map
#[action(at = seq::action, actor = Unit)]
mod come_back {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !is_helicopter(unit) || !unit.is_off_map() {
            refuse!("it is not off the map");
        }
        may_fly(game, unit, unit.height())?;
        if unit.spent() + cost_at(game, unit.height()) > unit.allowance() {
            refuse!("it has not points enough");
        }
        may_return(game, unit)
    }

    /// Where?
    #[param]
    pub fn at(game: &Reads, unit: Unit) -> Domain<Hex> {
        let mut edge = hexes(game);
        edge.retain(|hex| at_edge(game, *hex));
        let goals = cmd::goals(game, unit, &edge);
        Domain::one_of(room_at(game, unit, unit.height(), goals))
    }

    pub fn score(_game: &Reads, unit: Unit) -> i64 {
        if unit.rest() >= REST { 5 } else { -1 }
    }

    pub fn perform(game: &Acts, unit: Unit, at: Hex) {
        back(game, unit);
        unit.set_is_off_map(game, false);
        HeloLeft {
            helicopter: unit,
            result: "comes back",
        }
        .tell(game);
        enter(game, unit, at);
    }
}

/// [helo.station.max] A helicopter comes back. @never_draws
#[rule]
pub fn back(_game: &Writes, _unit: Unit) {}

/// [helo.station.rest] With new hours, if it has rested.
#[wrap(back)]
fn fresh(base: back::Base, game: &Writes, unit: Unit) {
    anew(game, unit);
    base(game, unit);
}

/// [helo.station.max] The minutes are counted; arming and refuelling take none.
#[wrap(go_on)]
fn counted(base: go_on::Base, game: &Acts) {
    let before = clock(game).minutes();
    base(game);
    let minutes = clock(game).minutes() - before;
    let flying: Vec<Unit> = Unit::all(game)
        .into_iter()
        .filter(|unit| is_helicopter(*unit))
        .collect();
    for unit in flying {
        if unit.is_off_map() {
            unit.set_rest(game, unit.rest() + minutes);
        } else {
            unit.set_station(game, unit.station() + minutes);
            overdue(game, unit);
        }
    }
}

/// [helo.station.max] What becomes of one that stays too long.
#[rule]
pub fn overdue(_game: &Writes, _unit: Unit) {}

/// [helo.station.loss] It is lost.
#[wrap(overdue)]
fn falls(base: overdue::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    if unit.station() > STATION {
        HeloLeft {
            helicopter: unit,
            result: "has stayed too long, and is lost",
        }
        .tell(game);
        lose(game, unit, "fuel", None);
    }
}
