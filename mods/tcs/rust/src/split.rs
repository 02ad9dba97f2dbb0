//! Both weapons at one target.

use houserule_guest::prelude::*;

use crate::atgm::{self, announce};
use crate::bindings::tcsbase::fire::{self, area, atroll, gun, gun_ready};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::mode::fires;
use crate::bindings::tcsbase::seq;
use crate::bindings::words::{State, Target};
use crate::enemies;

chapter!(tcs.atgm);

/// What is fired besides a missile: the gun, or the small arms.
#[words]
pub enum Besides {
    Gun,
    AreaFire,
}

/// [atgm.split.same] Fire missile and gun at one target
#[action(at = seq::direct, actor = Unit, told)]
mod both {
    use super::*;

    pub fn allowed(game: &Reads, firer: Unit) -> Verdict {
        atgm::may_launch(game, firer)?;
        if firer.fp() == 0 {
            gun_ready(game, firer)?;
        }
        if firer.has_fired() {
            refuse!("its gun has fired");
        }
        Ok(())
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, firer: Unit) -> Domain<Unit> {
        let able = |other: &Unit| {
            atgm::may(game, firer, *other).is_ok() && !weapons(game, firer, *other).is_empty()
        };
        Domain::one_of(enemies(game, firer).into_iter().filter(able))
    }

    /// With what besides?
    #[param]
    pub fn besides(game: &Reads, firer: Unit, target: Unit) -> Option<Domain<Besides>> {
        let found = weapons(game, firer, target);
        (found != [Besides::Gun]).then(|| Domain::one_of(found))
    }

    /// Bots fire small arms by themselves.
    pub fn score(_game: &Reads, _firer: Unit, target: Unit, besides: Option<Besides>) -> i64 {
        match besides.unwrap_or(Besides::Gun) {
            Besides::AreaFire => -1,
            Besides::Gun if target.target() == Target::Area => 1,
            Besides::Gun => 5,
        }
    }

    pub fn perform(game: &Acts, firer: Unit, target: Unit, besides: Option<Besides>) {
        // Both are announced before either is resolved: the gun has fired even if there is nothing left to hit.
        firer.set_has_fired(game, true);
        announce::push(game, firer, target);
        match besides.unwrap_or(Besides::Gun) {
            Besides::Gun => {
                pause::push(game, firer, target, None);
                gun::push(game, firer, target);
            }
            Besides::AreaFire => {
                pause::push(game, firer, target, Some(target.at()));
                rake::push(game, firer, target.at());
            }
        }
    }

    /// With what a unit can fire at a target besides its missile.
    fn weapons(game: &Reads, firer: Unit, target: Unit) -> Vec<Besides> {
        let gun = gun_ready(game, firer).is_ok() && fire::may(game, firer, target).is_ok();
        let area = firer.fp() > 0 && area::may(game, firer, target).is_ok();
        let all = [(Besides::Gun, gun), (Besides::AreaFire, area)].into_iter();
        all.filter(|(_, is_able)| *is_able)
            .map(|(weapon, _)| weapon)
            .collect()
    }
}

/// [extra_fire] The small arms of a unit follow its missile, if it still can fire them.
#[step]
pub fn rake(game: &Acts, firer: Unit, at: Hex) {
    if firer.exists(game) && firer.state() != State::Paralyzed {
        area::volley::push(game, &[firer], at);
    }
}

/// [atgm.split.same] A unit has fired its missile, and not yet its gun.
#[window(others_only)]
pub struct Between {
    pub firer: Unit,
    pub target: Option<Unit>,
}

/// [atgm.split.same else nil] Between missile and gun the enemy may make one fire; if the missile has destroyed its target, while
/// others are in the hex that small arms rake.
#[step]
pub fn pause(game: &Acts, firer: Unit, target: Unit, raked: Option<Hex>) {
    let is_there = |enemy: &Unit| Some(enemy.at()) == raked;
    let target = Some(target).filter(|target| target.exists(game));
    if !firer.exists(game) {
        return;
    }
    if target.is_some() || enemies(game, firer).iter().any(is_there) {
        firer.set_is_answered(game, false);
        Between { firer, target }.open(game);
    }
}

/// Whether the one fire in between is still to come.
fn is_open(game: &Reads, between: &Between) -> Verdict {
    if !between.firer.exists(game) || between.firer.is_answered() {
        refuse!("there is one fire in between");
    }
    Ok(())
}

/// Whether there is anybody to fire at.
fn has_targets(targets: &[Unit]) -> Verdict {
    if targets.is_empty() {
        refuse!("it has no target");
    }
    Ok(())
}

/// What a target is worth to a bot: most is the unit that has just fired.
fn worth(between: &Between, target: Unit) -> i64 {
    if target == between.firer { 9 } else { 6 }
}

/// [atgm.split.same] Fire a gun in between
#[reaction(at = Between, actor = Unit)]
mod fire_between {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, between: Between) -> Verdict {
        is_open(game, &between)?;
        gun_ready(game, unit)?;
        if unit.has_fired() {
            refuse!("its gun has fired");
        }
        if unit.state() != State::Ready {
            refuse!("it is kept down");
        }
        fires(game, unit)?;
        has_targets(&targets(game, unit))
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit, _between: Between) -> Domain<Unit> {
        Domain::one_of(targets(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit, between: Between, target: Unit) -> i64 {
        worth(&between, target)
    }

    pub fn perform(game: &Acts, unit: Unit, between: Between, target: Unit) {
        between.firer.set_is_answered(game, true);
        gun::push(game, unit, target);
    }

    fn targets(game: &Reads, unit: Unit) -> Vec<Unit> {
        let enemies = enemies(game, unit).into_iter();
        enemies
            .filter(|other| fire::may(game, unit, *other).is_ok())
            .collect()
    }
}

/// [atgm.split.same] Fire a missile in between
#[reaction(at = Between, actor = Unit)]
mod launch_between {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, between: Between) -> Verdict {
        is_open(game, &between)?;
        atgm::may_launch(game, unit)?;
        has_targets(&atgm::targets(game, unit))
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit, _between: Between) -> Domain<Unit> {
        Domain::one_of(atgm::targets(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit, between: Between, target: Unit) -> i64 {
        worth(&between, target)
    }

    pub fn perform(game: &Acts, unit: Unit, between: Between, target: Unit) {
        between.firer.set_is_answered(game, true);
        announce::push(game, unit, target);
    }
}

/// [atgm.split.same] Area fire in between
#[reaction(at = Between, actor = Unit)]
mod volley_between {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, between: Between) -> Verdict {
        is_open(game, &between)?;
        if unit.fp() == 0 {
            refuse!("it has no area fire");
        }
        if unit.has_fired() {
            refuse!("it has fired");
        }
        if unit.state() == State::Paralyzed {
            refuse!("it is paralyzed");
        }
        fires(game, unit)?;
        has_targets(&targets(game, unit))
    }

    /// At whose hex?
    #[param]
    pub fn target(game: &Reads, unit: Unit, _between: Between) -> Domain<Unit> {
        Domain::one_of(targets(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit, _between: Between) -> i64 {
        5
    }

    pub fn perform(game: &Acts, unit: Unit, between: Between, target: Unit) {
        between.firer.set_is_answered(game, true);
        area::volley::push(game, &[unit], target.at());
    }

    fn targets(game: &Reads, unit: Unit) -> Vec<Unit> {
        let enemies = enemies(game, unit).into_iter();
        enemies
            .filter(|other| area::may(game, unit, *other).is_ok())
            .collect()
    }
}

/// [atgm.split.same] AT roll in between
#[reaction(at = Between, actor = Unit)]
mod roll_between {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, between: Between) -> Verdict {
        is_open(game, &between)?;
        if !unit.is_infantry() {
            refuse!("it is no infantry");
        }
        if unit.has_rolled() {
            refuse!("it has made its roll");
        }
        has_targets(&targets(game, unit))
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit, _between: Between) -> Domain<Unit> {
        Domain::one_of(targets(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit, between: Between, target: Unit) -> i64 {
        worth(&between, target)
    }

    pub fn perform(game: &Acts, unit: Unit, between: Between, target: Unit) {
        between.firer.set_is_answered(game, true);
        unit.set_has_rolled(game, true);
        atroll::roll::push(game, unit, target);
    }

    fn targets(game: &Reads, unit: Unit) -> Vec<Unit> {
        let enemies = enemies(game, unit).into_iter();
        enemies
            .filter(|other| atroll::may(game, unit, *other).is_ok())
            .collect()
    }
}
