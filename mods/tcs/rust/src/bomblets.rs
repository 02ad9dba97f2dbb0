//! Bomblets and mines on helicopters.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::HeloBomblets;
use crate::bindings::tcsbase::art::{Struck, fell};
use crate::bindings::tcsbase::kinds::{Mission, Unit};
use crate::bindings::tcsbase::unit::lose;
use crate::rounds::{are_bomblets, around_of};
use crate::{is_helicopter, two_dice, units};

chapter!(tcs.helo);

/// What dice must come to.
const KILLS: i64 = 10;

/// [helo.arty else nil] Bomblets or mines are strewn over hexes.
#[rule]
pub fn strew(game: &Writes, hexes: &[Hex]) {
    let under = units(game)
        .into_iter()
        .filter(|unit| is_helicopter(*unit) && hexes.contains(&unit.at()));
    under.for_each(|helicopter| bomblet::push(game, helicopter));
}

/// [helo.arty] Those of a mission, in all hexes that it reaches; shells do nothing.
#[wrap(fell)]
fn from_shells(base: fell::Base, game: &Acts, mission: Mission, struck: &[Struck]) {
    base(game, mission, struck);
    if are_bomblets(&mission.rounds()) {
        let mut hexes: Vec<Hex> = struck.iter().map(|one| one.at).collect();
        hexes.extend(around_of(game, mission, struck));
        strew(game, &hexes);
    }
}

/// [helo.arty] One roll for a helicopter, however many there are.
#[step]
fn bomblet(game: &Acts, helicopter: Unit) {
    if !helicopter.exists(game) {
        return;
    }
    helicopter.set_is_engaged(game, true);
    let dice = two_dice(game, &format!("bomblets on {helicopter}"));
    let is_lost = dice >= KILLS;
    HeloBomblets {
        helicopter,
        dice,
        result: if is_lost { "destroyed" } else { "no effect" },
    }
    .tell(game);
    if is_lost {
        lose(game, helicopter, "shells", None);
    }
}
