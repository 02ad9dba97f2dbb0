//! Aircraft.

use houserule_guest::prelude::*;

use crate::area::{Blow, exposed, fpmod, suffer};
use crate::bindings::tcsbase::events::{AirAaFire, AirCame, AirStrayed};
use crate::bindings::tcsbase::kinds::{Sortie, Unit};
use crate::bindings::words::{Class, State, Target};
use crate::fire::{Table, terrain};
use crate::landing::{Shells, at_vehicle, chosen, unlucky};
use crate::map::hexes;
use crate::spot::show;
use crate::unit::is_vehicle;
use crate::{los, seq, two_dice, units};

chapter!(tcsbase.air);

/// Bombs are as heavy shells to a vehicle.
const BOMB: &str = "203";

/// Friends so near may be taken for the enemy.
const NEAR: u32 = 2;

/// [sortie] Send a sortie
#[action(at = seq::call, actor = Sortie, audience = "owner")]
mod send {
    use super::*;

    pub fn allowed(_game: &Reads, sortie: Sortie) -> Verdict {
        if sortie.attacks() == 0 {
            refuse!("it has no attacks left");
        }
        if sortie.at().is_some() {
            refuse!("it has been sent");
        }
        Ok(())
    }

    /// To which hex?
    #[param(audience = "owner")]
    pub fn at(game: &Reads, sortie: Sortie) -> Domain<Hex> {
        let enemies = units(game)
            .into_iter()
            .filter(|unit| unit.side() != sortie.side());
        let mut found: Vec<Hex> = enemies.map(Unit::at).collect();
        found.sort();
        found.dedup();
        let others: Vec<Hex> = hexes(game)
            .into_iter()
            .filter(|hex| !found.contains(hex))
            .collect();
        found.extend(others);
        Domain::one_of(found)
    }

    pub fn score(game: &Reads, sortie: Sortie, at: Hex) -> i64 {
        let there: Vec<Unit> = units(game)
            .into_iter()
            .filter(|unit| unit.at() == at && unit.class() != Class::Helicopter)
            .collect();
        let is_own = |unit: &Unit| unit.side() == sortie.side();
        if there.is_empty() || there.iter().any(is_own) {
            -1
        } else {
            5 + there.len() as i64
        }
    }

    pub fn perform(game: &Acts, sortie: Sortie, at: Hex) {
        sortie.set_at(game, Some(at));
    }
}

/// [sortie else nil] A sortie comes to the hex to which it was sent, attack by attack.
/// @reveals(aircraft that come are seen by all)
#[step]
pub fn come(game: &Acts, sortie: Sortie) {
    let Some(at) = sortie.at() else { return };
    AirCame { sortie, at }.tell(game);
    for _ in 0..sortie.attacks() {
        pass::push(game, sortie, at);
    }
    leave::push(game, sortie);
}

/// [sortie] One attack of a sortie: it is fired at first.
#[step]
pub fn pass(game: &Acts, sortie: Sortie, at: Hex) {
    if sortie.exists(game) && sortie.attacks() > 0 {
        sortie.set_attacks(game, sortie.attacks() - 1);
        approach::push(game, sortie, at);
        strike::push(game, sortie, at);
    }
}

/// [sortie] It flies home.
#[step]
fn leave(game: &Acts, sortie: Sortie) {
    if sortie.exists(game) {
        sortie.set_at(game, None);
    }
}

/// [sortie else nil] A sortie comes near.
#[step]
pub fn approach(_game: &Acts, _sortie: Sortie, _at: Hex) {}

/// [aa] Everybody who sees the hex and can fire at aircraft does so; all roll.
#[wrap(approach)]
fn fired_at(base: approach::Base, game: &Acts, sortie: Sortie, at: Hex) {
    base(game, sortie, at);
    let mut is_lost = false;
    for unit in units(game)
        .into_iter()
        .filter(|unit| unit.side() != sortie.side())
    {
        if may_fire(game, unit, at).is_ok() {
            unit.set_is_engaged(game, true);
            let needed = unit.aa();
            let dice = two_dice(game, &format!("{unit} at {sortie}"));
            is_lost |= dice >= needed;
            let result = if dice >= needed {
                "shot down"
            } else {
                "missed"
            };
            AirAaFire {
                unit,
                sortie,
                dice,
                needed,
                result,
            }
            .tell(game);
            show(game, unit);
        }
    }
    if is_lost {
        sortie.remove(game);
    }
}

/// [aa] Whether a unit can fire at aircraft over a hex, in whatever mode. Fire at helicopters, and theirs, is for other
/// mods.
/// @open
/// cites: air.helo
#[rule]
pub fn may_fire(game: &Reads, unit: Unit, at: Hex) -> Verdict {
    if unit.aa() == 0 || unit.class() == Class::Helicopter {
        refuse!("it has nothing to fire at aircraft with");
    }
    if unit.state() == State::Paralyzed {
        refuse!("it is paralyzed");
    }
    if i64::from(unit.at().distance(at)) > unit.aa_reach() {
        refuse!("it is out of range");
    }
    if !los::sees_hex(game, unit, at) {
        refuse!("it does not see the hex");
    }
    Ok(())
}

/// [attack else nil] A sortie attacks all that is soft on the ground of a hex, and one vehicle; a friend near by may be
/// taken for the enemy.
/// @reveals(aircraft that come are seen by all)
#[step]
pub fn strike(game: &Acts, sortie: Sortie, at: Hex) {
    if !sortie.exists(game) {
        return;
    }
    let near = units(game)
        .into_iter()
        .filter(|unit| unit.side() == sortie.side() && unit.at().distance(at) <= NEAR);
    let nearest = near.min_by_key(|unit| (unit.at().distance(at), *unit));
    let strays = unlucky(game, nearest.is_some(), &format!("{sortie} near friends"));
    let at = match nearest.filter(|_| strays) {
        Some(target) => {
            AirStrayed { sortie, target }.tell(game);
            target.at()
        }
        None => at,
    };
    if let Some(power) = fpmod(game, sortie.fp()) {
        let flies = |unit: &Unit| unit.class() == Class::Helicopter;
        for target in exposed(game, at).into_iter().filter(|unit| !flies(unit)) {
            let modifier = power + terrain(game, target, Table::Area);
            let dice = two_dice(game, &format!("bombs on {target}"));
            suffer::push(
                game,
                target,
                dice,
                Blow {
                    power,
                    modifier,
                    cause: "bombs".into(),
                },
            );
        }
    }
    let is_hard = |unit: &Unit| {
        let is_ground = is_vehicle(game, *unit) && unit.class() != Class::Helicopter;
        unit.at() == at && is_ground && unit.target() != Target::Area
    };
    let hard: Vec<Unit> = units(game).into_iter().filter(is_hard).collect();
    let question = Question::new("tcsbase.air.vehicle", "Which vehicle?").about(*sortie);
    if let Some(target) = chosen(game, &sortie.side(), question, &hard) {
        bombed::push(game, target, sortie.fp());
    }
}

/// [attack] The vehicle that a sortie attacks is hit as by a heavy shell; those aboard suffer the bombs.
/// cites: carry.loss
#[step]
fn bombed(game: &Acts, target: Unit, fp: i64) {
    if target.exists(game) {
        let bomb = Shells {
            rounds: "he".into(),
            caliber: BOMB.into(),
            at: target.at(),
            count: 1,
            is_beside: false,
            cause: "bombs".into(),
        };
        at_vehicle(game, &bomb, target, fpmod(game, fp));
    }
}
