//! Area fire.

use houserule_guest::prelude::*;

use crate::arithmetic::{firepower, rounded, rounded_sum, step_of};
use crate::assault::CLOSE;
use crate::bindings::tcsbase::events::{FireAreaHit, FireVolley};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::tables::FireAreaResults;
use crate::bindings::words::{Class, State, Target};
use crate::fire::{AREA, GUN, Table, Weapon, defence, finds, modifier, reach};
use crate::los::sees;
use crate::mines::MINES;
use crate::unit::{from_the_ground, is_vehicle, left, lose};
use crate::{enemies, fire, mode, morale, range, seq, signed, two_dice, units};

chapter!(tcsbase.fire.area);

/// What the Area Fire Table says.
#[record]
pub struct Effect {
    pub steps: i64,
    pub company: i64,
    pub check: bool,
}

/// [multipliers] By what the firepower of a unit is divided.
#[rule]
pub fn divisor(_game: &Reads, firer: Unit) -> i64 {
    if firer.state() == State::Suppressed {
        2
    } else {
        1
    }
}

/// [multipliers, unit.losses, gen.rounding] The firepower of a unit as it is, rounded once for all that divides it.
#[rule]
pub fn strength(game: &Reads, firer: Unit) -> i64 {
    rounded(firer.fp(), divisor(game, firer))
}

/// [multipliers, gen.rounding] The same at double, as in close combat: it is doubled first, and rounded then.
#[rule]
pub fn doubled(game: &Reads, firer: Unit) -> i64 {
    rounded(2 * firer.fp(), divisor(game, firer))
}

/// [multipliers, gen.rounding] The firepower of several together: what divides it is applied to each, and rounded once.
#[rule]
pub fn combined(game: &Reads, firers: &[Unit]) -> i64 {
    rounded_sum(firers.iter().map(|one| (one.fp(), divisor(game, *one))))
}

/// [multipliers, gen.rounding] The same at double.
#[rule]
pub fn combined_doubled(game: &Reads, firers: &[Unit]) -> i64 {
    rounded_sum(firers.iter().map(|one| (2 * one.fp(), divisor(game, *one))))
}

/// A roll on the Area Fire Table: what the weapon adds to the dice, what all adds, and what it comes from, a word as
/// for `tcsbase.unit.lose`.
#[record]
pub struct Blow {
    pub power: i64,
    pub modifier: i64,
    pub cause: String,
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
    Effect {
        steps: row.steps,
        company: row.company,
        check: row.check,
    }
}

/// [point] Whether area fire at a unit can hurt anybody. @open
#[rule]
pub fn hurts(_game: &Reads, target: Unit) -> Verdict {
    if target.target() == Target::Point {
        refuse!("it is armoured");
    }
    Ok(())
}

/// [who, point] Whether the area fire of a unit can reach another, whatever the phase. @open
#[rule]
pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    hurts(game, target)?;
    if range(firer, target) > reach(game, firer, Weapon::Area) {
        refuse!("it is out of range");
    }
    if !sees(game, firer, target) {
        refuse!("it does not see the target");
    }
    Ok(())
}

/// [who, mods, stack.fire] Units fire together at a hex: each soft unit in it is attacked by all who may be turned on it,
/// by the modifiers of whoever of them is placed worst, if the nearest of them finds it.
#[step]
pub fn volley(game: &Acts, firers: &[Unit], at: Hex) {
    for one in firers {
        one.set_has_fired(game, true);
        one.set_is_engaged(game, true);
    }
    tell(game, firers, at, "area fire");
    let meant: Vec<Vec<Unit>> = firers
        .iter()
        .map(|one| under_fire(game, *one, at))
        .collect();
    let mut has_found = false;
    for target in exposed(game, at) {
        let at_it = firers
            .iter()
            .zip(&meant)
            .filter(|(_, meant)| meant.contains(&target));
        let able: Vec<Unit> = at_it.map(|(one, _)| *one).collect();
        let nearest = able.iter().min_by_key(|one| range(**one, target));
        if nearest.is_some_and(|one| finds(game, *one, target)) {
            has_found = true;
            attack::push(
                game,
                worst(game, &able, target),
                target,
                combined(game, &able),
            );
        }
    }
    if has_found {
        engage(game, firers);
    }
}

/// Tells who fires at a hex: what comes of it is told of those in it.
fn tell(game: &Writes, firers: &[Unit], at: Hex, weapon: &str) {
    let firers = firers.to_vec();
    FireVolley { firers, at, weapon }.tell(game);
}

/// Who of some has the least on his dice at a target; the first of those who have the same.
fn worst(game: &Reads, firers: &[Unit], target: Unit) -> Unit {
    let all = firers.iter().copied();
    all.min_by_key(|one| modifier(game, *one, target, Table::Area))
        .unwrap_or(firers[0])
}

/// [who] All who have fired together have been in action.
#[rule]
pub fn engage(game: &Writes, firers: &[Unit]) {
    firers.iter().for_each(|one| one.set_is_engaged(game, true));
}

/// [who, stack.fire] Those in a hex whom the fire of a unit attacks: nobody of its own side, and of those whom it may not
/// be turned on, none.
#[rule]
pub fn under_fire(game: &Reads, firer: Unit, at: Hex) -> Vec<Unit> {
    let flies = firer.class() == Class::Helicopter;
    exposed(game, at)
        .into_iter()
        .filter(|unit| unit.side() != firer.side())
        .filter(|unit| flies || from_the_ground(game, *unit).is_ok())
        .collect()
}

/// [stack.fire, point] All in a hex that area fire attacks.
#[rule]
pub fn exposed(game: &Reads, at: Hex) -> Vec<Unit> {
    units(game)
        .into_iter()
        .filter(|unit| unit.at() == at && unit.target() != Target::Point)
        .collect()
}

/// [ow.resolve, stack.fire] Area fire from overwatch attacks those who move, and no other in their hex.
#[step]
pub fn at_movers(game: &Acts, firer: Unit, mover: Unit, fp: i64) {
    // Whoever fired before may have destroyed it.
    if !mover.exists(game) {
        return;
    }
    let moves = |unit: &Unit| *unit == mover || unit.carrier() == Some(mover);
    exposed(game, mover.at())
        .into_iter()
        .filter(moves)
        .for_each(|unit| attack::push(game, firer, unit, fp));
}

/// [fire.point.how] What a gun has at troops: half its attack value as firepower, at all who are exposed in the hex.
#[step]
pub fn shell(game: &Acts, firer: Unit, at: Hex) {
    if !firer.exists(game) || firer.state() != State::Ready {
        return;
    }
    firer.set_has_fired(game, true);
    firer.set_is_engaged(game, true);
    tell(game, &[firer], at, GUN);
    for target in under_fire(game, firer, at) {
        if finds(game, firer, target) {
            attack::push(game, firer, target, rounded(firer.av(), 2));
        }
    }
}

/// [ow.resolve, fire.point.how] What a gun has at troops from overwatch: the same, at those who move.
#[step]
pub fn shell_at_movers(game: &Acts, firer: Unit, mover: Unit) {
    if !firer.exists(game) || !mover.exists(game) || firer.state() != State::Ready {
        return;
    }
    // Whoever fired before may have driven it out of range or sight.
    if fire::may(game, firer, mover).is_err() {
        return;
    }
    firer.set_has_fired(game, true);
    at_movers::push(game, firer, mover, rounded(firer.av(), 2));
}

/// [fpmod, mods] Two dice on the Area Fire Table.
#[step]
pub fn attack(game: &Acts, firer: Unit, target: Unit, fp: i64) {
    let Some(power) = fpmod(game, fp) else { return };
    if !target.exists(game) || !firer.exists(game) {
        return;
    }
    firer.set_is_engaged(game, true);
    let modifier = power + modifier(game, firer, target, Table::Area);
    let dice = two_dice(game, &format!("fire of {firer}"));
    suffer::push(
        game,
        target,
        dice,
        Blow {
            power,
            modifier,
            cause: "fire".into(),
        },
    );
}

/// [morale.when] Whether a unit checks its morale after a result that calls for it.
#[rule]
pub fn checks(_game: &Reads, unit: Unit, _cause: &str) -> bool {
    unit.morale() > 0
}

/// [table] What a unit is under that is rolled for on the Area Fire Table, in words, by what its losses come from, a word as
/// for `tcsbase.unit.lose`.
#[rule]
pub fn under(_game: &Reads, cause: &str) -> String {
    let said = match cause {
        "shells" => "under shells",
        "bombs" => "under bombs",
        MINES => "in mines",
        CLOSE => "in close combat",
        _ => "under fire",
    };
    said.into()
}

/// [table, both, unit.steps, unit.values] What a result of the Area Fire Table does to a unit.
#[step]
pub fn suffer(game: &Acts, target: Unit, dice: i64, blow: Blow) {
    if !target.exists(game) {
        return;
    }
    // Mines fire at nobody.
    if blow.cause != MINES {
        target.set_is_engaged(game, true);
    }
    let Effect {
        steps,
        company,
        check,
    } = result(game, dice + blow.modifier);
    let is_light = target.target() == Target::Both && is_vehicle(game, target);
    let left = left(game, target);
    let is_lost = if is_light {
        let dv = defence(game, target, AREA);
        steps >= 1 && dv <= 1 || steps >= 2 && dv <= 3
    } else {
        steps >= left
    };
    let result = match (is_lost, is_light) {
        (true, _) => "destroyed",
        (false, true) => "no effect",
        (false, false) if steps > 0 => &format!("{steps} lost"),
        (false, false) => "no loss",
    };
    FireAreaHit {
        target,
        under: &under(game, &blow.cause),
        dice,
        modifier: &signed(blow.modifier),
        result,
    }
    .tell(game);
    if !is_light {
        morale::losses(game, target, steps.min(left), company, &blow.cause);
    }
    if is_lost {
        lose(game, target, &blow.cause, Some(blow.power));
    } else if check && checks(game, target, &blow.cause) {
        morale::check::push(game, target, &blow.cause);
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
        Domain::one_of(
            enemies(game, firer)
                .into_iter()
                .filter(|other| may(game, firer, *other).is_ok()),
        )
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, firer: Unit, target: Unit) -> Option<Domain<Vec<Unit>>> {
        let side = firer.side();
        // Whoever is carried is among them: where the mode lets him fire he fires together with others.
        let beside = |other: &Unit| *other != firer && other.side() == side && !other.is_off_map();
        let able =
            |other: &Unit| allowed(game, *other).is_ok() && may(game, *other, target).is_ok();
        let beside = Unit::all(game).into_iter().filter(beside);
        Domain::some_of(beside.filter(able))
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
