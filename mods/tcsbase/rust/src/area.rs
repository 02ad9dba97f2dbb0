//! Area fire.

use houserule_guest::prelude::*;

use crate::arithmetic::{firepower, rounded, step_of};
use crate::bindings::tcsbase::events::FireAreaHit;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::tables::FireAreaResults;
use crate::bindings::words::{State, Target};
use crate::fire::{Table, Weapon, finds, modifier, reach};
use crate::los::sees;
use crate::{enemies, friends, mode, morale, range, seq, signed, two_dice};

chapter!(tcsbase.fire.area);

/// What the Area Fire Table says.
#[fields]
pub struct Effect {
    pub steps: i64,
    pub company: i64,
    pub check: bool,
}

/// [multipliers, unit.losses] The firepower of a unit as it is.
#[rule]
pub fn strength(_game: &Reads, firer: Unit) -> i64 {
    if firer.state() == State::Suppressed { rounded(firer.fp(), 2) } else { firer.fp() }
}

/// [fpmod] What firepower adds to the dice; nothing where there is too little to attack with.
#[rule]
pub fn fpmod(_game: &Reads, fp: i64) -> Option<i64> {
    firepower(fp)
}

/// [table] The row of the Area Fire Table.
#[rule]
pub fn result(game: &Reads, total: i64) -> Effect {
    let rows = FireAreaResults::all(game);
    let starts: Vec<i64> = rows.iter().map(|row| row.from).collect();
    let row = &rows[step_of(&starts, total)];
    Effect { steps: row.steps, company: row.company, check: row.check }
}

/// [who, point] Whether the area fire of a unit can reach another, whatever the phase.
#[rule]
pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if target.target() == Target::Point {
        refuse!("it is armoured");
    }
    if range(firer, target) > reach(game, firer, Weapon::Area) {
        refuse!("it is out of range");
    }
    if !sees(game, firer, target) {
        refuse!("it does not see the target");
    }
    Ok(())
}

/// [who, stack.fire] Units fire together at a hex: each soft unit in it is attacked.
#[step]
pub fn volley(game: &Acts, firers: &[Unit], at: Hex) {
    let fp = firers.iter().map(|one| strength(game, *one)).sum();
    firers.iter().for_each(|one| one.set_has_fired(game, true));
    for target in enemies(game, firers[0]) {
        let is_meant = target.at() == at && target.target() != Target::Point;
        if is_meant && finds(game, firers[0], target) {
            attack::push(game, firers[0], target, fp);
        }
    }
}

/// [fpmod, mods] Two dice on the Area Fire Table.
#[step]
pub fn attack(game: &Acts, firer: Unit, target: Unit, fp: i64) {
    let Some(power) = fpmod(game, fp) else { return };
    if !target.exists(game) || !firer.exists(game) {
        return;
    }
    let modifier = power + modifier(game, firer, target, Table::Area);
    let dice = two_dice(game, &format!("fire of {firer}"));
    suffer::push(game, target, dice, modifier, false);
}

/// [table, both, unit.steps] What a result of the Area Fire Table does to a unit.
#[step]
pub fn suffer(game: &Acts, target: Unit, dice: i64, modifier: i64, is_artillery: bool) {
    if !target.exists(game) {
        return;
    }
    let Effect { steps, company, check } = result(game, dice + modifier);
    let is_vehicle = target.target() == Target::Both;
    let left = target.steps() - target.lost();
    let is_lost = match is_vehicle {
        true => steps >= 1 && target.dv() <= 1 || steps >= 2 && target.dv() <= 3,
        false => steps >= left,
    };
    let result = match (is_lost, is_vehicle) {
        (true, _) => "destroyed",
        (false, true) => "no effect",
        (false, false) if steps > 0 => &format!("{steps} lost"),
        (false, false) => "no loss",
    };
    FireAreaHit { target, dice, modifier: &signed(modifier), result }.tell(game);
    if !is_vehicle {
        morale::lose(game, target, steps.min(left), company);
    }
    if is_lost {
        target.remove(game);
    } else if check && target.morale() > 0 {
        morale::check::push(game, target, is_artillery);
    }
}

/// [seq.sfp, who] Area fire
#[action(at = seq::direct, actor = Unit, told)]
mod shoot {
    use super::*;

    pub fn allowed(game: &Reads, firer: Unit) -> Verdict {
        if firer.fp() == 0 {
            refuse!("it has no area fire");
        }
        if firer.has_fired() {
            refuse!("it has fired");
        }
        if firer.state() == State::Paralyzed {
            refuse!("it is paralyzed");
        }
        mode::fires(game, firer)
    }

    /// At whose hex?
    #[param]
    pub fn target(game: &Reads, firer: Unit) -> Domain<Unit> {
        Domain::one_of(enemies(game, firer).into_iter().filter(|other| may(game, firer, *other).is_ok()))
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, firer: Unit, target: Unit) -> Option<Domain<Vec<Unit>>> {
        let able = |other: &Unit| allowed(game, *other).is_ok() && may(game, *other, target).is_ok();
        Domain::some_of(friends(game, firer).into_iter().filter(able))
    }

    pub fn score(_game: &Reads, _firer: Unit, with: Vec<Unit>) -> i64 {
        5 + with.len() as i64
    }

    pub fn perform(game: &Acts, firer: Unit, target: Unit, with: Vec<Unit>) {
        let mut all = vec![firer];
        all.extend(with);
        volley::push(game, &all, target.at());
    }
}
