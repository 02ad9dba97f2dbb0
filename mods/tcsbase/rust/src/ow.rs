//! Overwatch: fire at those who move.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::{MoveEnteredHex, OwDie};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::options;
use crate::bindings::words::{NearMarked, ReturnFire, Target, Trigger};
use crate::carry::put;
use crate::fire::gun_ready;
use crate::mode::watches;
use crate::{area, clock, die, is_of_trigger, range, trigger};

chapter!(tcsbase.ow);

/// To this range unmarked units need no permission.
const NEAR: i64 = 3;

/// [trigger] A unit has entered a hex.
#[window(others_only)]
pub struct Entered {
    pub mover: Unit,
}

/// [trigger, move.ow] Puts a unit into the next hex of its way: fire at it there has not been permitted yet.
/// @never_draws
#[rule]
pub fn enter(game: &Writes, mover: Unit, at: Hex) {
    put(game, mover, at);
    expose(game, mover);
    MoveEnteredHex { unit: mover, at }.tell(game);
}

/// A unit does something at which others may fire, as if it entered a hex.
pub fn expose(game: &Writes, mover: Unit) {
    let clock = clock(game);
    clock.set_trigger(game, clock.trigger() + 1);
    mover.set_trigger(game, Trigger::New);
    mover.set_marked_left(game, 0);
}

/// [resolve] Whether a unit may fire its gun from overwatch at this trigger. @open
#[rule]
pub fn gun(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if is_of_trigger(game, unit.gun_trigger()) {
        refuse!("it has fired at this trigger");
    }
    gun_ready(game, unit)?;
    crate::fire::may(game, unit, mover)
}

/// [resolve] Whether a unit may fire at a mover with area fire from overwatch at this trigger. @open
#[rule]
pub fn volley(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if is_of_trigger(game, unit.gun_trigger()) {
        refuse!("it has fired at this trigger");
    }
    if unit.fp() == 0 {
        refuse!("it has no area fire");
    }
    area::may(game, unit, mover)
}

/// [permission, marked] Whether a unit needs no permission to fire at a mover.
#[rule]
pub fn free(game: &Reads, unit: Unit, mover: Unit) -> bool {
    let own_only = game.option(options::ow::NEAR_MARKED) == NearMarked::Own;
    range(unit, mover) <= NEAR && (own_only || !unit.is_marked())
}

/// [who, permission, marked, gen.sides] Whether a unit may try to fire overwatch, whatever its weapon. @open
#[rule]
pub fn may(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if !mover.exists(game) {
        refuse!("it is out of play");
    }
    if unit.side() == mover.side() {
        refuse!("it is a friend");
    }
    watches(game, unit)?;
    if is_of_trigger(game, unit.asked()) {
        if !unit.may_again() {
            refuse!("its roll has failed");
        }
        return Ok(());
    }
    if mover.trigger() == Trigger::Refused && !free(game, unit, mover) {
        refuse!("the fire was not permitted");
    }
    Ok(())
}

/// [trigger, who] Those of a side who may try to fire overwatch at whoever has entered a hex, whatever their weapons.
#[rule]
pub fn watchers(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    let mover: Unit = entered.get("mover");
    if !mover.exists(game) {
        return Vec::new();
    }
    let own = Unit::all(game)
        .into_iter()
        .filter(|unit| unit.side() == side);
    own.filter(|unit| may(game, *unit, mover).is_ok()).collect()
}

/// [trigger, resolve] Of these those whose guns may fire at it: nobody else is asked.
#[rule]
pub fn gunners(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    let armed = watchers(game, side, entered)
        .into_iter()
        .filter(|unit| gun_ready(game, *unit).is_ok());
    armed
        .filter(|unit| gun(game, *unit, entered.get("mover")).is_ok())
        .collect()
}

/// [trigger, resolve] Of these those who may fire at it with area fire: nobody else is asked.
#[rule]
pub fn shooters(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    let armed = watchers(game, side, entered)
        .into_iter()
        .filter(|unit| unit.fp() > 0);
    armed
        .filter(|unit| volley(game, *unit, entered.get("mover")).is_ok())
        .collect()
}

/// [permission, marked, marker] Rolls for permission where it is needed; marks the unit if it fires.
#[rule]
pub fn ask(game: &Writes, unit: Unit, mover: Unit) -> bool {
    if is_of_trigger(game, unit.asked()) {
        return unit.may_again();
    }
    let is_free = free(game, unit, mover);
    if !is_free && mover.trigger() == Trigger::New {
        let given = rolled(game, "permission", 5);
        mover.set_trigger(
            game,
            if given {
                Trigger::Given
            } else {
                Trigger::Refused
            },
        );
    }
    if !is_free && mover.trigger() != Trigger::Given {
        return false;
    }
    once(game, unit, |unit| {
        !unit.is_marked() || rolled(game, "additional overwatch", 6)
    })
}

/// One marker, and one answer at a trigger, cover all weapons of a unit.
fn once(game: &Writes, unit: Unit, may: impl FnOnce(Unit) -> bool) -> bool {
    let fires = may(unit);
    unit.set_asked(game, trigger(game));
    unit.set_may_again(game, fires);
    if fires {
        unit.set_is_marked(game, true);
    }
    fires
}

/// [simplified] A 5 is for unmarked units; a 6 is for as many marked ones too as another die says, and nobody rolls for
/// himself. Within three hexes unmarked units are free, and marked ones need the 6.
#[wrap(ask)]
fn simply(base: ask::Base, game: &Writes, unit: Unit, mover: Unit) -> bool {
    let is_answered = is_of_trigger(game, unit.asked());
    if is_answered || !unit.is_marked() && range(unit, mover) <= NEAR {
        return base(game, unit, mover);
    }
    if mover.trigger() == Trigger::New {
        let die = die(game, "permission");
        OwDie {
            what: "permission",
            die,
            needed: 5,
            result: if die >= 5 { "given" } else { "refused" },
        }
        .tell(game);
        mover.set_trigger(
            game,
            if die >= 5 {
                Trigger::Given
            } else {
                Trigger::Refused
            },
        );
        if die == 6 {
            mover.set_marked_left(game, crate::die(game, "marked units that may fire"));
        }
    }
    if mover.trigger() != Trigger::Given {
        return false;
    }
    once(game, unit, |unit| {
        let left = mover.marked_left();
        if unit.is_marked() && left > 0 {
            mover.set_marked_left(game, left - 1);
        }
        !unit.is_marked() || left > 0
    })
}

/// [simplified] Marked units are never free.
#[wrap(free)]
fn not_marked(base: free::Base, game: &Reads, unit: Unit, mover: Unit) -> bool {
    !unit.is_marked() && base(game, unit, mover)
}

fn rolled(game: &Writes, what: &str, needed: i64) -> bool {
    let die = die(game, what);
    let is_given = die >= needed;
    OwDie {
        what,
        die,
        needed,
        result: if is_given { "given" } else { "refused" },
    }
    .tell(game);
    is_given
}

/// A gun fires at one unit, troops or not: who else is in its hex is not attacked.
fn fire_gun(game: &Acts, unit: Unit, target: Unit) {
    if target.target() == Target::Area {
        area::shell_at_movers::push(game, unit, target);
    } else {
        crate::fire::gun::push(game, unit, target);
    }
}

/// [trigger, resolve] Fire overwatch
#[reaction(at = Entered, actor = gunners)]
mod fire {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        may(game, unit, entered.mover)?;
        gun(game, unit, entered.mover)
    }

    pub fn score(game: &Reads, unit: Unit, entered: Entered) -> i64 {
        // A shot in a hundred is not worth a marker.
        11 - crate::fire::chance(game, unit, entered.mover)
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered) {
        if ask(game, unit, entered.mover) {
            unit.set_gun_trigger(game, trigger(game));
            fire_gun(game, unit, entered.mover);
            answered(game, unit, entered.mover);
        }
    }
}

/// [trigger, resolve] Fire overwatch, area fire
#[reaction(at = Entered, actor = shooters)]
mod fire_area {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        may(game, unit, entered.mover)?;
        volley(game, unit, entered.mover)
    }

    pub fn score(_game: &Reads, _unit: Unit, _entered: Entered) -> i64 {
        4
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered) {
        if ask(game, unit, entered.mover) {
            unit.set_gun_trigger(game, trigger(game));
            area::at_movers::push(game, unit, entered.mover, area::strength(game, unit));
            answered(game, unit, entered.mover);
        }
    }
}

/// [trigger] A unit has fired overwatch at a mover.
#[window(others_only)]
pub struct Fired {
    pub firer: Unit,
    pub mover: Unit,
}

/// [trigger] By an option the moving side may fire back, once at a trigger: where somebody has fired from inside a vehicle,
/// at that.
#[rule]
pub fn answered(game: &Writes, firer: Unit, mover: Unit) {
    if game.option(options::ow::RETURN_FIRE) == ReturnFire::Once {
        let firer = firer.carrier().unwrap_or(firer);
        Fired { firer, mover }.open(game);
    }
}

/// [trigger] Whether a unit of the moving side may fire back at who has fired, whatever its weapon. @open
#[rule]
pub fn may_return(game: &Reads, unit: Unit, firer: Unit) -> Verdict {
    if !firer.exists(game) || unit.side() == firer.side() {
        refuse!("it was not fired at");
    }
    if clock(game).returned() == trigger(game) {
        refuse!("there is one return fire at a trigger");
    }
    watches(game, unit)
}

/// [trigger] Return fire
#[reaction(at = Fired, actor = Unit)]
mod r#return {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, fired: Fired) -> Verdict {
        may_return(game, unit, fired.firer)?;
        gun(game, unit, fired.firer)
    }

    pub fn score(game: &Reads, unit: Unit, fired: Fired) -> i64 {
        12 - crate::fire::chance(game, unit, fired.firer)
    }

    pub fn perform(game: &Acts, unit: Unit, fired: Fired) {
        clock(game).set_returned(game, trigger(game));
        unit.set_gun_trigger(game, trigger(game));
        fire_gun(game, unit, fired.firer);
    }
}

/// [trigger] Return fire, area fire
#[reaction(at = Fired, actor = Unit)]
mod return_area {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, fired: Fired) -> Verdict {
        may_return(game, unit, fired.firer)?;
        volley(game, unit, fired.firer)
    }

    pub fn score(_game: &Reads, _unit: Unit, _fired: Fired) -> i64 {
        4
    }

    pub fn perform(game: &Acts, unit: Unit, fired: Fired) {
        clock(game).set_returned(game, trigger(game));
        unit.set_gun_trigger(game, trigger(game));
        let fp = area::strength(game, unit);
        area::at_movers::push(game, unit, fired.firer, fp);
    }
}
