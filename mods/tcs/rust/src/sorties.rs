//! Sorties that hunt helicopters.

use houserule_guest::prelude::*;

use crate::arithmetic::rounded;
use crate::bindings::tcs::events::HeloHuntedDown;
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::air;
use crate::bindings::tcsbase::fire::area::fpmod;
use crate::bindings::tcsbase::kinds::{Sortie, Unit};
use crate::bindings::tcsbase::seq;
use crate::bindings::tcsbase::unit::{against, lose};
use crate::bindings::words::Hunted;
use crate::{is_helicopter, two_dice, units};

chapter!(tcs.helo);

/// What dice must come to.
const KILLS: i64 = 8;

/// [helo.air.sortie] Hunt a helicopter
#[action(at = seq::call, actor = Sortie, audience = "owner")]
mod hunt {
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

    /// Which?
    #[param(audience = "owner")]
    pub fn prey(game: &Reads, sortie: Sortie) -> Domain<Unit> {
        let side = sortie.side();
        Domain::one_of(
            units(game)
                .into_iter()
                .filter(|unit| is_helicopter(*unit) && unit.side() != side),
        )
    }

    pub fn score(_game: &Reads, _sortie: Sortie) -> i64 {
        6
    }

    pub fn perform(game: &Acts, sortie: Sortie, prey: Unit) {
        sortie.set_prey(game, Some(prey));
        sortie.set_at(game, Some(prey.at()));
    }
}

/// [helo.air.sortie] It attacks that instead of the ground, where it is now; with what attacks it has left, the ground.
/// @reveals(aircraft that come are seen by all)
#[wrap(air::strike)]
fn strikes(base: air::strike::Base, game: &Acts, sortie: Sortie, at: Hex) {
    if !sortie.exists(game) || sortie.prey().is_none() {
        return base(game, sortie, at);
    }
    let Some(helicopter) = sortie.prey().filter(|prey| prey.exists(game)) else {
        let below = |enemy: &Unit| enemy.at() == at && !is_helicopter(*enemy);
        if against(game, &sortie.side()).iter().any(below) {
            base(game, sortie, at);
        }
        return;
    };
    helicopter.set_is_engaged(game, true);
    let modifier = hunting(game, sortie);
    let dice = two_dice(game, &format!("{sortie} at {helicopter}"));
    let is_lost = dice + modifier >= KILLS;
    let result = if is_lost { "destroyed" } else { "missed" };
    HeloHuntedDown {
        sortie,
        helicopter,
        dice,
        modifier: &format!("{modifier:+}"),
        result,
    }
    .tell(game);
    if is_lost {
        lose(game, helicopter, "air", None);
    }
}

/// [helo.air.sortie] What its firepower adds to the dice.
/// cites: helo.air.no
#[rule]
pub fn hunting(game: &Reads, sortie: Sortie) -> i64 {
    match game.option(options::helo::HUNTED) {
        Hunted::Tenth => rounded(sortie.fp(), 10),
        Hunted::Table => fpmod(game, sortie.fp()).unwrap_or(0),
    }
}
