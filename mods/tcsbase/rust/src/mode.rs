//! Modes: who may fire, who may move, and who counts as moving.

use houserule_guest::kind;
use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::{Class, State, Target};
use crate::los::sees;
use crate::movement::{POINT, allowance, still_moves};
use crate::unit::{from_the_ground, is_vehicle};
use crate::{enemies, point, range, seq};

chapter!(tcsbase.mode);

/// The modes of the series.
pub const FIRE: &str = "fire";
pub const MOVE: &str = "move";

/// A unit by the word for its mode: other mods have more of them.
#[kind("tcsbase.unit")]
struct InMode {
    mode: String,
}

/// The mode of a unit.
pub fn of(unit: Unit) -> String {
    InMode::of(*unit).mode()
}

fn put_in(game: &Writes, unit: Unit, mode: String) {
    InMode::of(*unit).set_mode(game, mode);
}

/// A bot that advances stops for a number like this, or for troops so near.
const GOOD: i64 = 8;
const NEAR: i64 = 3;

/// [fire, move] Whether the mode of a unit lets it fire in the Suppressive Fire Phase. @open
#[rule]
pub fn fires(_game: &Reads, unit: Unit) -> Verdict {
    in_mode(unit, FIRE)
}

/// [ow.who] Whether the mode and state of a unit let it fire overwatch. @open
#[rule]
pub fn watches(_game: &Reads, unit: Unit) -> Verdict {
    ready(unit)?;
    in_mode(unit, FIRE)
}

/// [fire, move, move.who] Whether the mode of a unit lets it move. @open
#[rule]
pub fn moves(_game: &Reads, unit: Unit) -> Verdict {
    in_mode(unit, MOVE)
}

/// [cover] Whether a unit counts as moving to those who fire at it.
#[rule]
pub fn is_moving(_game: &Reads, unit: Unit) -> bool {
    of(unit) == MOVE
}

/// [two, set] The modes that a unit may be in, now and by a change.
#[rule]
pub fn choices(_game: &Reads, unit: Unit) -> Vec<String> {
    let modes = if unit.is_marked() {
        &[FIRE][..]
    } else {
        &[FIRE, MOVE]
    };
    modes.iter().map(|mode| mode.to_string()).collect()
}

/// [seq.mode, set] Change mode
#[action(at = seq::mode, actor = Unit)]
mod change {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        ready(unit)?;
        if others(game, unit).is_empty() {
            if unit.is_marked() {
                refuse!("it has fired overwatch, and keeps its mode");
            }
            refuse!("it has no other mode");
        }
        Ok(())
    }

    /// To which mode?
    #[param]
    pub fn mode(game: &Reads, unit: Unit) -> Domain<String> {
        Domain::one_of(others(game, unit))
    }

    /// A bot stands still where it has somebody to fire at, and moves elsewhere; whoever is aboard is to get off.
    pub fn score(game: &Reads, unit: Unit, mode: String) -> i64 {
        if unit.carrier().is_some() {
            return if mode == MOVE { 4 } else { -1 };
        }
        let is_armed = unit.reach() > 0 || unit.fp() > 0;
        let has_target = is_armed && has_target(game, unit);
        match mode.as_str() {
            FIRE if has_target => 6,
            FIRE => -1,
            _ if is_armed && !has_target && unit.advances() => 4,
            _ => -1,
        }
    }

    pub fn perform(game: &Acts, unit: Unit, mode: String) {
        put_in(game, unit, mode);
    }
}

/// Whether a bot stands still for somebody at whom it may fire.
#[rule]
pub fn has_target(game: &Reads, unit: Unit) -> bool {
    enemies(game, unit)
        .into_iter()
        .filter(|other| from_the_ground(game, *other).is_ok())
        .any(|other| is_worth(game, unit, other))
}

/// Whoever is to advance stops for a good shot alone.
fn is_worth(game: &Reads, unit: Unit, other: Unit) -> bool {
    if !unit.advances() {
        return sees(game, unit, other);
    }
    let hits = point::needed(game, unit, other).is_some_and(|needed| needed <= GOOD);
    let is_near = unit.fp() > 0 && range(unit, other) <= NEAR && other.target() != Target::Point;
    (is_near || hits && other.target() != Target::Area) && sees(game, unit, other)
}

/// [in_move] Change mode on the move
#[action(at = seq::action, actor = Unit)]
mod switch {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !is_vehicle(game, unit) || unit.class() == Class::Helicopter {
            refuse!("it is no vehicle on the ground");
        }
        if unit.carrier().is_some() {
            refuse!("it is carried");
        }
        ready(unit)?;
        still_moves(game, unit)?;
        if unit.has_moved() || unit.used() + price(game, unit) > allowance(game, unit) * POINT {
            refuse!("it has not points enough");
        }
        if others(game, unit).is_empty() {
            refuse!("it has no other mode");
        }
        Ok(())
    }

    /// To which mode?
    #[param]
    pub fn mode(game: &Reads, unit: Unit) -> Domain<String> {
        Domain::one_of(others(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, unit: Unit, mode: String) {
        unit.set_used(game, unit.used() + price(game, unit));
        put_in(game, unit, mode);
    }

    fn price(game: &Reads, unit: Unit) -> i64 {
        allowance(game, unit) * POINT / 2
    }
}

fn others(game: &Reads, unit: Unit) -> Vec<String> {
    let (now, mut modes) = (of(unit), choices(game, unit));
    modes.retain(|mode| *mode != now);
    modes
}

fn in_mode(unit: Unit, mode: &str) -> Verdict {
    if unit.is_off_map() {
        refuse!("it is off the map");
    }
    let now = of(unit);
    if now != mode {
        refuse!("it is in {now} mode");
    }
    Ok(())
}

/// Whether nothing keeps a unit down.
pub fn ready(unit: Unit) -> Verdict {
    if unit.is_off_map() {
        refuse!("it is off the map");
    }
    match unit.state() {
        State::Ready => Ok(()),
        state => refuse!("it is {state}"),
    }
}

/// Whether a unit may fire a point weapon in the Suppressive Fire Phase.
pub fn may_fire(game: &Reads, unit: Unit) -> Verdict {
    ready(unit)?;
    fires(game, unit)
}
