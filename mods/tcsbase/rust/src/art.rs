//! Missions: called, fired, complete.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::ArtFired;
use crate::bindings::tcsbase::kinds::{Battery, BatteryMission, Unit};
use crate::bindings::words::{Class, Role, Rounds, Target};
use crate::{clock, landing, seq};

chapter!(tcsbase.art);

/// [battery] A mission is complete.
#[window(others_only)]
pub struct Complete {
    pub battery: Battery,
    pub number: i64,
}

/// How many rounds of a sort a battery has left.
pub fn left(battery: Battery, rounds: Rounds) -> i64 {
    match rounds {
        Rounds::He => battery.he(),
        Rounds::Dpicm => battery.dpicm(),
        Rounds::Icm => battery.icm(),
    }
}

/// [seq.sfp, size] A battery fires its mission.
#[step]
pub fn fire(game: &Acts, battery: Battery) {
    let Some(BatteryMission { at, rounds, size }) = battery.mission() else { return };
    battery.set_mission(game, None);
    let size = size.min(left(battery, rounds));
    if size == 0 || battery.tubes() == 0 {
        return;
    }
    ArtFired { battery, size, rounds: rounds.word(), at }.tell(game);
    landing::land::push(game, battery, rounds, size, at);
}

/// [battery] Takes the rounds of a mission that was fired; then the mission is complete.
#[step]
pub fn spend(game: &Acts, battery: Battery, rounds: Rounds, size: i64) {
    let left = left(battery, rounds) - size;
    match rounds {
        Rounds::He => battery.set_he(game, left),
        Rounds::Dpicm => battery.set_dpicm(game, left),
        Rounds::Icm => battery.set_icm(game, left),
    }
    battery.set_fired_now(game, battery.fired_now() + size);
    let clock = clock(game);
    let number = clock.missions() + 1;
    clock.set_missions(game, number);
    Complete { battery, number }.open(game);
}

/// [seq.cleanup, assign] What the Clean Up Phase does for a battery. @never_draws
#[rule]
pub fn refresh(game: &Writes, battery: Battery) {
    battery.set_fired_last(game, battery.fired_now());
    battery.set_fired_now(game, 0);
    if let Some(role) = battery.next_role() {
        battery.set_role(game, role);
        battery.set_next_role(game, None);
    }
}

/// [assign] The roles that a battery may be assigned.
#[rule]
pub fn roles(_game: &Reads, _battery: Battery) -> Vec<Role> {
    vec![Role::Ds, Role::Gs]
}

/// [call, battery] Whether a battery may be called for fire.
#[rule]
pub fn may_call(_game: &Reads, battery: Battery) -> Verdict {
    if battery.mission().is_some() {
        refuse!("it has a mission");
    }
    if battery.tubes() == 0 {
        refuse!("it has nothing left to fire with");
    }
    if stock(battery).is_empty() {
        refuse!("it has no rounds left");
    }
    Ok(())
}

/// The rounds that a battery has.
fn stock(battery: Battery) -> Vec<Rounds> {
    Rounds::ALL.iter().copied().filter(|rounds| left(battery, *rounds) > 0).collect()
}

/// [seq.command, assign] Assign a battery
#[action(at = seq::command, actor = Battery)]
mod assign {
    use super::*;

    pub fn allowed(_game: &Reads, battery: Battery) -> Verdict {
        match battery.next_role() {
            Some(_) => refuse!("it has been assigned"),
            None => Ok(()),
        }
    }

    /// To which role, from the next turn on?
    #[param]
    pub fn role(game: &Reads, battery: Battery) -> Domain<Role> {
        let now = battery.role();
        Domain::one_of(roles(game, battery).into_iter().filter(|role| *role != now))
    }

    pub fn score(_game: &Reads, _battery: Battery) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, battery: Battery, role: Role) {
        battery.set_next_role(game, Some(role));
    }
}

/// [seq.call, call, size] Call for fire
#[action(at = seq::call, actor = Battery)]
mod call {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        may_call(game, battery)
    }

    /// Which rounds?
    #[param]
    pub fn rounds(_game: &Reads, battery: Battery) -> Domain<Rounds> {
        Domain::one_of(stock(battery))
    }

    /// How many battery fires?
    #[param]
    pub fn size(_game: &Reads, battery: Battery, rounds: Rounds) -> Domain<i64> {
        Domain::between(1, left(battery, rounds).min(3))
    }

    /// At which hex?
    #[param]
    pub fn at(game: &Reads, battery: Battery) -> Domain<Hex> {
        let enemies = Unit::all(game).into_iter().filter(|unit| unit.side() != battery.side());
        let ground = enemies.filter(|unit| unit.class() != Class::Helicopter);
        let mut hexes: Vec<(Hex, String)> =
            ground.map(|unit| (unit.at(), format!("{unit} at {}", unit.at()))).collect();
        hexes.sort();
        hexes.dedup_by_key(|(hex, _)| *hex);
        Domain::labelled(hexes)
    }

    pub fn score(game: &Reads, battery: Battery, at: Hex, size: i64) -> i64 {
        let is_soft =
            |unit: Unit| unit.side() != battery.side() && unit.target() != Target::Point && unit.at() == at;
        3 + if Unit::all(game).into_iter().any(is_soft) { 5 } else { 0 } - size
    }

    pub fn perform(game: &Acts, battery: Battery, rounds: Rounds, size: i64, at: Hex) {
        battery.set_mission(game, Some(BatteryMission { at, rounds, size }));
    }
}
