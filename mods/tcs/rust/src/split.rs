//! Both weapons at one target.

use houserule_guest::prelude::*;

use crate::atgm::{self, announce, ready};
use crate::bindings::tcsbase::fire::{self, gun};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::mode::fires;
use crate::bindings::tcsbase::seq;
use crate::bindings::words::Target;
use crate::enemies;

chapter!(tcs.atgm);

/// [atgm.split.same] Fire missile and gun at one target
#[action(at = seq::direct, actor = Unit, told)]
mod both {
    use super::*;

    pub fn allowed(game: &Reads, firer: Unit) -> Verdict {
        ready(game, firer)?;
        if firer.has_launched() {
            refuse!("its missile has been fired");
        }
        if firer.has_fired() {
            refuse!("its gun has fired");
        }
        if firer.reach() == 0 {
            refuse!("it has no gun");
        }
        fires(game, firer)
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, firer: Unit) -> Domain<Unit> {
        let able = |other: &Unit| {
            atgm::may(game, firer, *other).is_ok() && fire::may(game, firer, *other).is_ok()
        };
        Domain::one_of(enemies(game, firer).into_iter().filter(able))
    }

    pub fn score(_game: &Reads, _firer: Unit, target: Unit) -> i64 {
        if target.target() == Target::Area {
            1
        } else {
            5
        }
    }

    pub fn perform(game: &Acts, firer: Unit, target: Unit) {
        announce::push(game, firer, target);
        pause::push(game, firer, target);
        gun::push(game, firer, target);
    }
}

/// [atgm.split.same] A unit has fired its missile, and not yet its gun.
#[window(others_only)]
pub struct Between {
    pub firer: Unit,
    pub target: Unit,
}

/// [atgm.split.same] Between missile and gun the enemy may make one fire.
#[step]
fn pause(game: &Acts, firer: Unit, target: Unit) {
    if firer.exists(game) && target.exists(game) {
        firer.set_is_answered(game, false);
        Between { firer, target }.open(game);
    }
}

/// [atgm.split.same] Fire a gun in between
#[reaction(at = Between, actor = Unit)]
mod fire_between {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, between: Between) -> Verdict {
        if !between.firer.exists(game) || between.firer.is_answered() {
            refuse!("there is one fire in between");
        }
        if unit.has_fired() {
            refuse!("its gun has fired");
        }
        fires(game, unit)?;
        if targets(game, unit).is_empty() {
            refuse!("it has no target");
        }
        Ok(())
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit, _between: Between) -> Domain<Unit> {
        Domain::one_of(targets(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit, between: Between, target: Unit) -> i64 {
        if target == between.firer { 9 } else { 6 }
    }

    pub fn perform(game: &Acts, unit: Unit, between: Between, target: Unit) {
        between.firer.set_is_answered(game, true);
        gun::push(game, unit, target);
    }
}

fn targets(game: &Reads, unit: Unit) -> Vec<Unit> {
    enemies(game, unit)
        .into_iter()
        .filter(|other| fire::may(game, unit, *other).is_ok())
        .collect()
}
