//! The supersonic missile: fired at whoever fires a missile.

use houserule_guest::prelude::*;

use crate::atgm::{self, FiredAt, forgets, launch, missile};
use crate::bindings::tcs::events::AtgmAt8Rolled;
use crate::bindings::tcsbase::fire::area::shell_at_movers;
use crate::bindings::tcsbase::fire::{finds, gun};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::mode::fires;
use crate::bindings::tcsbase::{ow, seq};
use crate::{is_helicopter, is_of_trigger, trigger};

chapter!(tcs.atgm.at8);

/// Whom fire at a launcher is aimed at: who fires from a hatch is under the armour of the vehicle that he is in.
fn seen_as(firer: Unit) -> Unit {
    firer.carrier().unwrap_or(firer)
}

fn is_supersonic(game: &Reads, unit: Unit) -> bool {
    missile(game, unit).is_some_and(|missile| missile.supersonic)
}

/// [counter] Whether a unit may answer a missile with its own before it arrives, in a mode in which it fires. @open
#[rule]
pub fn may(game: &Reads, unit: Unit, firer: Unit) -> Verdict {
    if !is_supersonic(game, unit) {
        refuse!("its missiles are too slow");
    }
    if unit.has_countered() {
        refuse!("it has tried to fire first");
    }
    // As units move it is more overwatch, for which a marked one rolls besides.
    if unit.has_launched() && game.phase(seq::action::ID).is_none() {
        refuse!("its missile has been fired");
    }
    fires(game, unit)?;
    atgm::may(game, unit, seen_as(firer))
}

/// [cannot] Not at every missile.
#[wrap(may)]
fn at_some(base: may::Base, game: &Reads, unit: Unit, firer: Unit) -> Verdict {
    if forgets(game, firer) {
        refuse!("that missile needs nobody any more");
    }
    if is_helicopter(firer) {
        refuse!("that is a helicopter");
    }
    base(game, unit, firer)
}

/// [counter] What may be answered is told as it is launched.
#[wrap(atgm::is_answerable)]
fn first_told(base: atgm::is_answerable::Base, game: &Reads, firer: Unit, target: Unit) -> bool {
    base(game, firer, target) || may(game, target, firer).is_ok()
}

/// [counter] Whether a supersonic missile comes first. @never_asks
#[rule]
pub fn ask(game: &Writes, unit: Unit, _firer: Unit) -> bool {
    die(game, unit, "counterfire")
}

/// [marked] One that is marked needs a second die.
#[wrap(ask)]
fn marked(base: ask::Base, game: &Writes, unit: Unit, firer: Unit) -> bool {
    base(game, unit, firer) && (!unit.is_marked() || die(game, unit, "additional overwatch"))
}

/// [spot] The missile that is on its way has shown nobody yet: it has not been resolved.
#[wrap(ask)]
fn spotted(base: ask::Base, game: &Writes, unit: Unit, firer: Unit) -> bool {
    finds(game, unit, seen_as(firer)) && base(game, unit, firer)
}

fn die(game: &Writes, unit: Unit, what: &str) -> bool {
    let die = game.roll(&Die::new(6), what);
    AtgmAt8Rolled {
        unit,
        die,
        result: if die == 6 { "in time" } else { "too late" },
    }
    .tell(game);
    die == 6
}

/// [counter, order] Fire back before the missile arrives
#[reaction(at = FiredAt, actor = Unit)]
mod counterfire {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, fired: FiredAt) -> Verdict {
        if unit != fired.target || !fired.firer.exists(game) {
            refuse!("it is not fired at");
        }
        may(game, unit, fired.firer)
    }

    pub fn score(_game: &Reads, _unit: Unit, _fired: FiredAt) -> i64 {
        8
    }

    pub fn perform(game: &Acts, unit: Unit, fired: FiredAt) {
        unit.set_has_countered(game, true);
        if ask(game, unit, fired.firer) {
            unit.set_has_launched(game, true);
            launch::push(game, unit, seen_as(fired.firer));
        }
    }
}

/// [counter] What was fired may be answered again when it is fired again.
#[wrap(launch)]
fn arrived(base: launch::Base, game: &Acts, firer: Unit, target: Unit) {
    base(game, firer, target);
    if target.exists(game) && is_supersonic(game, target) {
        target.set_has_countered(game, false);
    }
}

/// [ow_exclusive] From overwatch the missile if its gun has not fired.
#[wrap(atgm::ow_may)]
fn no_gun(base: atgm::ow_may::Base, game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    one_weapon(game, unit, unit.main_gun_trigger())?;
    base(game, unit, mover)
}

/// [ow_exclusive] Its gun, at vehicles or troops, not what else it fires from overwatch.
#[wrap(gun, shell_at_movers)]
fn of_the_gun(base: gun::Base, game: &Acts, firer: Unit, target: Unit) {
    if firer.exists(game) && is_supersonic(game, firer) {
        firer.set_main_gun_trigger(game, trigger(game));
    }
    base(game, firer, target);
}

/// [ow_exclusive] And the gun if the missile has not.
#[wrap(ow::gun)]
fn no_missile(base: ow::gun::Base, game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    one_weapon(game, unit, unit.missile_trigger())?;
    base(game, unit, mover)
}

fn one_weapon(game: &Reads, unit: Unit, other_fired: i64) -> Verdict {
    if is_supersonic(game, unit) && is_of_trigger(game, other_fired) {
        refuse!("it fires either its gun or its missile from overwatch");
    }
    Ok(())
}
