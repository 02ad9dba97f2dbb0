//! With what a helicopter that pops up fires at its one target.

use houserule_guest::prelude::*;

use crate::atgm::{announce, reaches, ready};
use crate::bindings::tcsbase::fire::{self, area, gun, gun_ready, point};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::terrain::past_hedgerows;
use crate::bindings::words::{State, Target, Weapon};
use crate::guns::passes_over;
use crate::helo::LOW;
use crate::range;
use crate::split::{pause, rake};

chapter!(tcs.helo);

/// Weapons that are fired together; a gun and small arms count as one.
#[words]
pub enum Arms {
    Missile,
    Gun,
    AreaFire,
    MissileAndGun,
    MissileAndAreaFire,
}

impl Arms {
    pub fn has_missile(self) -> bool {
        !matches!(self, Arms::Gun | Arms::AreaFire)
    }

    pub fn has_gun(self) -> bool {
        self != Arms::Missile
    }
}

/// Whom area fire and a gun at troops attack: all in the hex, or the target alone, as from overwatch.
#[words]
pub enum AtWhom {
    Hex,
    Mover,
}

/// [helo.popup.when, helo.popup.onetarget, fires] The weapons that a helicopter could fire together at a target at this range, seen or not, those
/// first of which a bot makes use.
#[rule]
pub fn sets(game: &Reads, helicopter: Unit, target: Unit) -> Vec<Arms> {
    let sees_over = passes_over(game, helicopter, LOW, target);
    let is_open = sees_over || past_hedgerows(game, helicopter, target).is_ok();
    let can_launch = ready(game, helicopter).is_ok() && reaches(game, helicopter, target).is_ok();
    let missile = can_launch && is_open;
    let is_free = helicopter.state() == State::Ready && is_open;
    let gun = is_free && has_reach(game, helicopter, target);
    let area = is_free
        && helicopter.fp() > 0
        && area::hurts(game, target).is_ok()
        && range(helicopter, target) <= fire::reach(game, helicopter, Weapon::Area);
    let all = [
        (Arms::MissileAndGun, missile && gun),
        (Arms::MissileAndAreaFire, missile && area),
        (Arms::Missile, missile),
        (Arms::Gun, gun),
        (Arms::AreaFire, area),
    ];
    let able = all.into_iter().filter(|(_, is_able)| *is_able);
    able.map(|(arms, _)| arms).collect()
}

/// Whether the gun of a helicopter does something to a target at this range; to troops it does to half of it.
fn has_reach(game: &Reads, helicopter: Unit, target: Unit) -> bool {
    let reaches = match target.target() {
        Target::Area => 2 * range(helicopter, target) <= fire::reach(game, helicopter, Weapon::Gun),
        _ => point::needed(game, helicopter, target).is_some(),
    };
    reaches && gun_ready(game, helicopter).is_ok()
}

/// Those that have not been fired in this phase.
pub fn unfired(game: &Reads, helicopter: Unit, target: Unit) -> Vec<Arms> {
    let mut found = sets(game, helicopter, target);
    found.retain(|arms| {
        !(arms.has_missile() && helicopter.has_launched()
            || arms.has_gun() && helicopter.has_fired())
    });
    found
}

/// Whether a helicopter has a weapon that has not been fired in this phase.
pub fn has_anything_left(game: &Reads, helicopter: Unit) -> Verdict {
    let has_gun = helicopter.fp() > 0 || gun_ready(game, helicopter).is_ok();
    if helicopter.is_off_map() {
        refuse!("it is off the map");
    }
    match helicopter.state() {
        State::Ready => {}
        state => refuse!("it is {state}"),
    }
    if has_gun && !helicopter.has_fired() {
        return Ok(());
    }
    match (helicopter.missile(), has_gun) {
        (None, true) => refuse!("its weapons have been fired"),
        (None, false) => refuse!("it has no weapons"),
        _ => ready(game, helicopter)?,
    }
    if helicopter.has_launched() {
        refuse!("its missile has been fired");
    }
    Ok(())
}

/// What a helicopter is to fire, as it pops up.
pub fn chosen(game: &Acts, helicopter: Unit, found: &[Arms]) -> Option<Arms> {
    match found {
        [] => None,
        [only] => Some(*only),
        several => {
            let question = Question::new("tcs.helo.arms", "With what does it fire?");
            let domain = Domain::one_of(several.iter().copied());
            Some(game.ask(&helicopter.side(), question.about(*helicopter), domain))
        }
    }
}

/// These weapons fire no more in this phase.
pub fn use_up(game: &Writes, helicopter: Unit, arms: Arms) {
    if arms.has_missile() {
        helicopter.set_has_launched(game, true);
    }
    if arms.has_gun() {
        helicopter.set_has_fired(game, true);
    }
}

/// They fire, at one target; in the Suppressive Fire Phase the enemy has a fire between missile and gun.
pub fn fire_all(game: &Acts, helicopter: Unit, target: Unit, arms: Arms, at_whom: AtWhom) {
    if arms.has_missile() {
        announce::push(game, helicopter, target);
    }
    let is_alone = at_whom == AtWhom::Mover;
    if arms.has_missile() && arms.has_gun() && !is_alone {
        let raked = (arms == Arms::MissileAndAreaFire).then(|| target.at());
        pause::push(game, helicopter, target, raked);
    }
    match arms {
        Arms::Gun | Arms::MissileAndGun if is_alone && target.target() == Target::Area => {
            area::shell_at_movers::push(game, helicopter, target);
        }
        Arms::Gun | Arms::MissileAndGun => gun::push(game, helicopter, target),
        Arms::AreaFire | Arms::MissileAndAreaFire if is_alone => {
            let fp = area::strength(game, helicopter);
            area::at_movers::push(game, helicopter, target, fp);
        }
        Arms::AreaFire | Arms::MissileAndAreaFire => {
            rake::push(game, helicopter, target.at());
        }
        Arms::Missile => {}
    }
}
