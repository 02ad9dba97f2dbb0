//! Improved rounds.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::art::vehicle_modifier;
use crate::bindings::tcsbase::fire::defence;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::tables::ArtRounds;
use crate::bindings::words::{Against, Rounds};

chapter!(tcs.icm);

/// Armour beyond this keeps bomblets out.
const THICK: i64 = 8;

/// [tbl.rounds] Their firepower.
#[register]
fn firepower(rules: &Registrar) {
    let calibers = [("105", 15), ("155", 20), ("203", 36), ("mlrs", 50)];
    let rows = [Rounds::Dpicm, Rounds::Icm].into_iter().flat_map(|rounds| {
        calibers.map(|(caliber, fp)| ArtRounds { rounds, caliber: caliber.to_string(), fp })
    });
    rules.add_rows(ArtRounds::ID, rows);
}

/// [icm.vehicle.icm] Bomblets hurt thin armour only.
#[wrap(vehicle_modifier)]
fn icm(base: vehicle_modifier::Base, game: &Reads, rounds: Rounds, target: Unit) -> Option<i64> {
    let under = base(game, rounds, target)?;
    match rounds {
        Rounds::Icm if defence(game, target, Against::Shell) >= 2 => None,
        Rounds::Icm => Some(under + 3),
        _ => Some(under),
    }
}

/// [icm.vehicle.dpicm] Those that pierce armour hurt thick armour less.
#[wrap(vehicle_modifier)]
fn dpicm(base: vehicle_modifier::Base, game: &Reads, rounds: Rounds, target: Unit) -> Option<i64> {
    let under = base(game, rounds, target)?;
    match rounds {
        Rounds::Dpicm => Some(under + 3 - (defence(game, target, Against::Shell) - THICK).max(0)),
        _ => Some(under),
    }
}
