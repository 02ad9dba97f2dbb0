//! Overwatch: fire at those who move.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::{MoveEnteredHex, OwDie};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::options;
use crate::bindings::words::{NearMarked, Trigger};
use crate::mode::watches;
use crate::{clock, point, range, trigger};

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
    let clock = clock(game);
    clock.set_trigger(game, clock.trigger() + 1);
    mover.set_trigger(game, Trigger::New);
    mover.set_at(game, at);
    MoveEnteredHex { unit: mover, at }.tell(game);
}

/// [resolve] Whether a unit may fire its gun from overwatch at this trigger.
#[rule]
pub fn gun(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if unit.gun_trigger() == trigger(game) {
        refuse!("it has fired at this trigger");
    }
    crate::fire::may(game, unit, mover)
}

/// [permission, marked] Whether a unit needs no permission to fire at a mover.
#[rule]
pub fn free(game: &Reads, unit: Unit, mover: Unit) -> bool {
    let own_only = game.option(options::ow::NEAR_MARKED) == NearMarked::Own;
    range(unit, mover) <= NEAR && (own_only || !unit.is_marked())
}

/// [who, permission, marked] Whether a unit may try to fire overwatch, whatever its weapon.
#[rule]
pub fn may(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if !mover.exists(game) {
        refuse!("it is out of play");
    }
    if unit.side() == mover.side() {
        refuse!("it is a friend");
    }
    watches(game, unit)?;
    if !free(game, unit, mover) && mover.trigger() == Trigger::Refused {
        refuse!("the fire was not permitted");
    }
    if unit.asked() == trigger(game) && !unit.may_again() {
        refuse!("its roll has failed");
    }
    Ok(())
}

/// [permission, marked, marker] Rolls for permission where it is needed; marks the unit if it fires.
#[rule]
pub fn ask(game: &Writes, unit: Unit, mover: Unit) -> bool {
    let is_free = free(game, unit, mover);
    if !is_free && mover.trigger() == Trigger::New {
        let given = die(game, "permission", 5);
        mover.set_trigger(game, if given { Trigger::Given } else { Trigger::Refused });
    }
    if !is_free && mover.trigger() != Trigger::Given {
        return false;
    }
    // One marker, and one roll at a trigger, cover all weapons.
    if unit.asked() != trigger(game) {
        let may = !unit.is_marked() || die(game, "additional overwatch", 6);
        unit.set_asked(game, trigger(game));
        unit.set_may_again(game, may);
    }
    let fires = unit.may_again();
    if fires {
        unit.set_is_marked(game, true);
    }
    fires
}

fn die(game: &Writes, what: &str, needed: i64) -> bool {
    let die = game.roll(&Die::new(6), what);
    let is_given = die >= needed;
    OwDie { what, die, needed, result: if is_given { "given" } else { "refused" } }.tell(game);
    is_given
}

/// [trigger, resolve] Fire overwatch
#[reaction(at = Entered, actor = Unit)]
mod fire {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        may(game, unit, entered.mover)?;
        gun(game, unit, entered.mover)
    }

    pub fn score(game: &Reads, unit: Unit, entered: Entered) -> i64 {
        // A shot in a hundred is not worth a marker.
        11 - point::needed(game, unit, entered.mover).unwrap_or(13)
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered) {
        unit.set_gun_trigger(game, trigger(game));
        if ask(game, unit, entered.mover) {
            crate::fire::gun::push(game, unit, entered.mover);
        }
    }
}
