//! Spotting, where it is played: who keeps still in cover must be found first.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::SpotLooked;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::Cover;
use crate::fire::Outcome;
use crate::los::sees;
use crate::map::{effects, terrain_of};
use crate::{area, enemies, fire, mode, ow, range, seq, signed, two_dice};

chapter!(tcsbase.spot);

/// To be found at no distance takes this much.
const LEAST: i64 = 3;

/// What cover that protects in part only adds to the dice.
const IN_PART: i64 = 2;

/// [opt else "none"] Behind what a unit is hidden, if it has not been spotted.
#[rule]
pub fn cover(game: &Reads, target: Unit) -> Cover {
    match target.is_spotted() || mode::of(target) != mode::FIRE {
        true => Cover::None,
        false => effects(game, terrain_of(game, target.at())).cover,
    }
}

/// [opt] Fire spots the target first, if it is hidden.
#[wrap(fire::finds)]
fn finds(base: fire::finds::Base, game: &Writes, firer: Unit, target: Unit) -> bool {
    if !base(game, firer, target) {
        return false;
    }
    let modifier = match cover(game, target) {
        Cover::None => return true,
        Cover::Part => IN_PART,
        Cover::Full => 0,
    };
    let needed = LEAST + range(firer, target);
    let dice = two_dice(game, &format!("spotting {target}"));
    let is_found = dice + modifier >= needed;
    target.set_is_spotted(game, is_found);
    let result = if is_found { "spotted" } else { "not spotted" };
    SpotLooked {
        unit: firer,
        target,
        dice,
        modifier: &signed(modifier),
        needed,
        result,
    }
    .tell(game);
    is_found
}

/// [opt else nil] Whoever fires, at aircraft too, or moves in view of an enemy has been spotted, and with him what he fires
/// from. @never_draws
#[rule]
pub fn show(game: &Writes, unit: Unit) {
    if unit.exists(game)
        && enemies(game, unit)
            .into_iter()
            .any(|other| sees(game, other, unit))
    {
        unit.set_is_spotted(game, true);
        if let Some(carrier) = unit.carrier() {
            carrier.set_is_spotted(game, true);
        }
    }
}

/// [opt] A shot shows who fired it.
#[wrap(fire::apply)]
fn shot(
    base: fire::apply::Base,
    game: &Writes,
    firer: Unit,
    target: Unit,
    weapon: &str,
    outcome: Outcome,
) {
    base(game, firer, target, weapon, outcome);
    show(game, firer);
}

/// [opt] So does area fire, all who took part in it.
#[wrap(area::engage)]
fn volley(base: area::engage::Base, game: &Writes, firers: &[Unit]) {
    base(game, firers);
    firers.iter().for_each(|one| show(game, *one));
}

/// [opt] And whoever fires it alone.
#[wrap(area::attack)]
fn attacked(base: area::attack::Base, game: &Acts, firer: Unit, target: Unit, fp: i64) {
    base(game, firer, target, fp);
    show(game, firer);
}

/// [opt] So does a move.
#[wrap(ow::enter)]
fn moved(base: ow::enter::Base, game: &Writes, mover: Unit, at: Hex) {
    base(game, mover, at);
    show(game, mover);
}

/// [opt] A new turn finds all hidden again.
#[wrap(seq::refresh)]
fn hidden(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_is_spotted(game, false);
}
