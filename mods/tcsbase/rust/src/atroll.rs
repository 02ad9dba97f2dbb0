//! AT rolls: infantry at vehicles right beside it.

use houserule_guest::prelude::*;

use crate::arithmetic::armour;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::options;
use crate::bindings::tcsbase::tables::FireAtrollNumbers;
use crate::bindings::words::Place;
use crate::fire::{Outcome, apply};
use crate::illum::lit;
use crate::map::{effects, terrain_of};
use crate::mode::{is_moving, ready};
use crate::ow::Entered;
use crate::unit::is_vehicle;
use crate::{clock, enemies, is_of_trigger, range, seq, trigger, two_dice};

chapter!(tcsbase.fire.atroll);

/// [who] Whether a unit can make an AT roll at another, in whatever mode it is. @open
#[rule]
pub fn may(game: &Reads, unit: Unit, target: Unit) -> Verdict {
    if !unit.is_infantry() {
        refuse!("it is no infantry");
    }
    if unit.side() == target.side() {
        refuse!("that is a friend");
    }
    if !is_vehicle(game, target) {
        refuse!("that is no vehicle");
    }
    if range(unit, target) > 1 {
        refuse!("it is too far away");
    }
    ready(unit)
}

/// [who] Those of a side who can make an AT roll at whoever has entered a hex.
#[rule]
pub fn beside(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    let mover: Unit = entered.get("mover");
    if !mover.exists(game) {
        return Vec::new();
    }
    let own = Unit::all(game)
        .into_iter()
        .filter(|unit| unit.side() == side);
    own.filter(|unit| ow_may(game, *unit, mover).is_ok())
        .collect()
}

/// [who] Whether a unit can make an AT roll at an enemy who has entered a hex. @open
#[rule]
pub fn ow_may(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    may(game, unit, mover)
}

/// [table] What the dice must come to, before modifiers.
#[rule]
pub fn needed(game: &Reads, unit: Unit, target: Unit) -> i64 {
    let place = if range(unit, target) == 0 {
        Place::Same
    } else {
        Place::Adjacent
    };
    FireAtrollNumbers::get(game, place, armour(target.dv())).needed
}

/// [table, tcsbase.illum] What the target's terrain and mode, and the night where nothing lights it, add to the dice. @open
#[rule]
pub fn modifier(game: &Reads, target: Unit) -> i64 {
    let row = effects(game, terrain_of(game, target.at()));
    let terrain = if is_moving(game, target) {
        row.at_roll_moving
    } else {
        row.at_roll_still
    };
    let is_dark = clock(game).is_night() && !lit(game, target.at());
    let night = if is_dark {
        game.option(options::fire::atroll::NIGHT)
    } else {
        0
    };
    terrain + night
}

/// [tcsbase.fire.atroll, who, table] Two dice against the number.
#[step]
pub fn roll(game: &Acts, unit: Unit, target: Unit) {
    if !unit.exists(game) || !target.exists(game) || ready(unit).is_err() {
        return;
    }
    let needed = needed(game, unit, target);
    let modifier = modifier(game, target);
    let dice = two_dice(game, &format!("AT roll of {unit}"));
    let killed = dice + modifier >= needed;
    apply(
        game,
        unit,
        target,
        "an AT roll",
        Outcome {
            needed,
            modifier,
            dice,
            killed,
        },
    );
}

// One in the Suppressive Fire Phase, and one whenever an enemy enters a hex:
// neither needs permission, nor leaves a marker.
/// [who] AT roll
#[action(at = seq::direct, actor = Unit, told)]
mod r#try {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !unit.is_infantry() {
            refuse!("it is no infantry");
        }
        if unit.has_rolled() {
            refuse!("it has made its roll");
        }
        if targets(game, unit).is_empty() {
            refuse!("no vehicle is beside it");
        }
        Ok(())
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit) -> Domain<Unit> {
        Domain::one_of(targets(game, unit))
    }

    pub fn score(game: &Reads, unit: Unit, target: Unit) -> i64 {
        odds(game, unit, target)
    }

    pub fn perform(game: &Acts, unit: Unit, target: Unit) {
        unit.set_has_rolled(game, true);
        roll::push(game, unit, target);
    }
}

/// [who] AT roll
#[reaction(at = Entered, actor = beside)]
mod watch {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        if !entered.mover.exists(game) {
            refuse!("it is out of play");
        }
        if is_of_trigger(game, unit.roll_trigger()) {
            refuse!("it has made its roll");
        }
        ow_may(game, unit, entered.mover)
    }

    pub fn score(game: &Reads, unit: Unit, entered: Entered) -> i64 {
        odds(game, unit, entered.mover)
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered) {
        unit.set_roll_trigger(game, trigger(game));
        roll::push(game, unit, entered.mover);
    }
}

fn targets(game: &Reads, unit: Unit) -> Vec<Unit> {
    enemies(game, unit)
        .into_iter()
        .filter(|other| may(game, unit, *other).is_ok())
        .collect()
}

fn odds(game: &Reads, unit: Unit, target: Unit) -> i64 {
    14 - needed(game, unit, target)
}
