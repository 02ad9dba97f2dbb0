//! Fire: values, modifiers, the shot of a gun.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::FireShot;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::options;
use crate::bindings::words::{State, Target};
use crate::carry::half_power;
use crate::illum::lit;
use crate::los::sees;
use crate::map::{dug_in, effects, smoke_of, terrain_of};
use crate::mode::{is_moving, may_fire};
use crate::unit::lose;
use crate::{area, clock, enemies, friends, point, range, seq, signed, two_dice};

chapter!(tcsbase.fire);

/// The gun, as a weapon that a shot is told of.
pub const GUN: &str = "the gun";

/// A bot would rather fire at a vehicle that it hits with less.
const AT_TROOPS: i64 = 10;

#[words]
pub enum Weapon {
    Gun,
    Area,
}

/// What a unit defends itself against, a word to which other mods may add: guns, shells and bombs, and whatever is
/// rolled for on the Area Fire Table.
pub const POINT: &str = "point";
pub const SHELL: &str = "shell";
pub const AREA: &str = "area";

/// The table on which fire is rolled.
#[words]
pub enum Table {
    Point,
    Area,
}

/// What came of two dice against a number.
#[record]
pub struct Outcome {
    pub needed: i64,
    pub modifier: i64,
    pub dice: i64,
    pub killed: bool,
}

/// [unit.values] How far a weapon of a unit reaches, 0 without one.
#[rule]
pub fn reach(_game: &Reads, firer: Unit, weapon: Weapon) -> i64 {
    match weapon {
        Weapon::Gun => firer.reach(),
        Weapon::Area => firer.area_reach(),
    }
}

/// [unit.values] The defence value of a unit against a kind of weapon: `point`, `shell`, `area`, or what a mod adds.
#[rule]
pub fn defence(_game: &Reads, target: Unit, _against: &str) -> i64 {
    target.dv()
}

/// [terrain.combat, mode.cover] What the target's terrain and mode add to the dice.
#[rule]
pub fn terrain(game: &Reads, target: Unit, table: Table) -> i64 {
    let is_moving = is_moving(game, target);
    let here = effects(game, terrain_of(game, target.at()));
    let besides = if target.is_dug_in() {
        Some(dug_in(game))
    } else {
        None
    };
    let added = std::iter::once(here)
        .chain(besides)
        .map(|row| match (table, is_moving) {
            (Table::Point, false) => row.still,
            (Table::Point, true) => row.moving,
            (Table::Area, false) => row.area_still,
            (Table::Area, true) => row.area_moving,
        });
    added.sum()
}

/// [night.fire, fire.point.mods, fire.area.mods] What night and smoke add to the dice.
#[rule]
pub fn sight(game: &Reads, firer: Unit, target: Unit, _table: Table) -> i64 {
    let smoke = |unit: Unit| smoke_of(game, unit.at());
    let is_dark = clock(game).is_night() && !lit(game, target.at());
    let night = if is_dark {
        game.option(options::night::MODIFIER)
    } else {
        0
    };
    let markers = smoke(firer)
        + if range(firer, target) > 0 {
            smoke(target)
        } else {
            0
        };
    night - 2 * markers
}

/// [fire.point.mods] All that is added to the dice of direct fire. @open
#[rule]
pub fn modifier(game: &Reads, firer: Unit, target: Unit, table: Table) -> i64 {
    let same_hex = i64::from(range(firer, target) == 0 && table == Table::Point);
    terrain(game, target, table) + sight(game, firer, target, table) + same_hex
}

/// [fire.point.how, unit.fire_kind, unit.target_kind] Whether the gun of a unit can hit another, whatever the phase. @open
#[rule]
pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if target.target() == Target::Area {
        if 2 * range(firer, target) > reach(game, firer, Weapon::Gun) {
            refuse!("its gun is of no use against that beyond half its range");
        }
    } else if point::needed(game, firer, target).is_none() {
        if !point::pierces(game, firer, target) {
            refuse!("its gun does nothing to that armour");
        }
        refuse!("it is out of range of the gun");
    }
    if !sees(game, firer, target) {
        refuse!("it does not see the target");
    }
    Ok(())
}

/// What a shot is worth to a bot: the number that it needs, and little at troops.
pub fn chance(game: &Reads, firer: Unit, target: Unit) -> i64 {
    match target.target() {
        Target::Area => AT_TROOPS,
        _ => point::needed(game, firer, target).unwrap_or(13),
    }
}

/// [fire.point.how] Whether a unit that fires finds what it fires at: whom it sees, it finds. @never_asks
#[rule]
pub fn finds(_game: &Writes, _firer: Unit, _target: Unit) -> bool {
    true
}

/// [fire.point.how] Whether the gun of a unit can be used. @open
#[rule]
pub fn gun_ready(_game: &Reads, firer: Unit) -> Verdict {
    match firer.reach() {
        0 => refuse!("it has no gun"),
        _ => Ok(()),
    }
}

/// [fire.point.weapondiff else 0] What a game says of the gun of a unit, and of no other weapon: added to the dice of its
/// shots.
#[rule]
pub fn accuracy(_game: &Reads, firer: Unit, weapon: &str) -> i64 {
    if weapon == GUN { firer.accuracy() } else { 0 }
}

/// [unit.values] What a weapon that kills a vehicle adds to the dice at those aboard it.
#[rule]
pub fn power(_game: &Reads, firer: Unit, _weapon: &str) -> Option<i64> {
    half_power(firer.av())
}

/// [fire.point.how, gen.dice] Rolls two dice against a number.
#[rule]
pub fn roll(game: &Draws, firer: Unit, target: Unit, weapon: &str, needed: i64) -> Outcome {
    let modifier = modifier(game, firer, target, Table::Point) + accuracy(game, firer, weapon);
    let dice = two_dice(game, &format!("{weapon} of {firer}"));
    Outcome {
        needed,
        modifier,
        dice,
        killed: dice + modifier >= needed,
    }
}

/// [unit.vehicle_hit, seq.sfp.effect] Tells a shot, and removes what it killed.
#[rule]
pub fn apply(game: &Writes, firer: Unit, target: Unit, weapon: &str, outcome: Outcome) {
    let shot = FireShot {
        firer,
        weapon,
        target,
        range: range(firer, target),
        dice: outcome.dice,
        modifier: &signed(outcome.modifier),
        needed: outcome.needed,
        result: if outcome.killed { "killed" } else { "missed" },
    };
    shot.tell(game);
    firer.set_is_engaged(game, true);
    target.set_is_engaged(game, true);
    if outcome.killed {
        lose(game, target, "fire", power(game, firer, weapon));
    }
}

/// [tcsbase.fire.point, fire.point.how, seq.sfp.once] The gun of a unit fires at another.
#[step]
pub fn gun(game: &Acts, firer: Unit, target: Unit) {
    if !firer.exists(game) || !target.exists(game) || firer.state() != State::Ready {
        return;
    }
    // Whoever fired before may have driven it out of range or sight.
    if may(game, firer, target).is_err() {
        return;
    }
    if target.target() == Target::Area {
        area::shell::push(game, firer, target.at());
        return;
    }
    let Some(needed) = point::needed(game, firer, target) else {
        return;
    };
    firer.set_has_fired(game, true);
    firer.set_is_engaged(game, true);
    if finds(game, firer, target) {
        let outcome = roll(game, firer, target, GUN, needed);
        apply(game, firer, target, GUN, outcome);
    }
}

/// [seq.sfp, seq.sfp.alternate, fire.point.how] Fire guns
#[action(at = seq::direct, actor = Unit, told)]
mod shoot {
    use super::*;

    pub fn allowed(game: &Reads, firer: Unit) -> Verdict {
        gun_ready(game, firer)?;
        if firer.has_fired() {
            refuse!("its gun has fired");
        }
        may_fire(game, firer)
    }

    /// At what?
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
        let able =
            |other: &Unit| allowed(game, *other).is_ok() && may(game, *other, target).is_ok();
        Domain::some_of(friends(game, firer).into_iter().filter(able))
    }

    pub fn score(game: &Reads, firer: Unit, target: Unit, with: Vec<Unit>) -> i64 {
        let odds = 14 - chance(game, firer, target);
        odds + if with.len() == 1 && odds < 6 {
            2
        } else {
            -(with.len() as i64)
        }
    }

    pub fn perform(game: &Acts, firer: Unit, target: Unit, with: Vec<Unit>) {
        gun::push(game, firer, target);
        with.into_iter()
            .for_each(|other| gun::push(game, other, target));
    }
}
