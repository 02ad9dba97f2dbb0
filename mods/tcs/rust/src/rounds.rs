//! Improved rounds.

use std::collections::BTreeMap;

use houserule_guest::prelude::*;

use crate::arithmetic::rounded;
use crate::armor::BOMBLET;
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::art::{
    self, Shells, Struck, burst, fell, fp, softs, vehicle_modifier,
};
use crate::bindings::tcsbase::fire::defence;
use crate::bindings::tcsbase::kinds::{Mission, Unit};
use crate::bindings::tcsbase::unit::is_vehicle;
use crate::bindings::words::AdjacentFp;

chapter!(tcs.icm);

/// Armour beyond this keeps bomblets out.
const THICK: i64 = 8;

/// Adjacent hexes have such a part of the firepower.
const PART: i64 = 5;

pub fn are_bomblets(rounds: &str) -> bool {
    ["dpicm", "icm"].contains(&rounds)
}

/// Whether bomblets of a caliber reach adjacent hexes.
fn reach_far(rounds: &str, caliber: &str) -> bool {
    are_bomblets(rounds) && ["203", "mlrs"].contains(&caliber)
}

/// [icm.area] Vehicles take the roll for vehicles, and no other.
#[wrap(softs)]
fn troops(base: softs::Base, game: &Reads, burst: &Shells) -> Vec<Unit> {
    let mut found = base(game, burst);
    found.retain(|unit| !are_bomblets(&burst.rounds) || !is_vehicle(game, *unit));
    found
}

/// [adjacent] What rounds do beside the hexes that they struck, where they are heavy enough.
#[wrap(fell)]
fn beside(base: fell::Base, game: &Acts, mission: Mission, struck: &[Struck]) {
    base(game, mission, struck);
    let Some(battery) = mission.battery() else {
        return;
    };
    let (rounds, caliber) = (mission.rounds(), battery.caliber());
    if !reach_far(&rounds, &caliber) {
        return;
    }
    for Struck { at, count } in around(game, struck) {
        let (rounds, caliber, cause) = (
            rounds.clone(),
            caliber.clone(),
            art::cause(game, mission, at),
        );
        let shells = Shells {
            rounds,
            caliber,
            at,
            count,
            is_beside: true,
            cause,
        };
        burst::push(game, &shells, &art::softs(game, &shells));
    }
}

/// [adjacent] The hexes round about those that were struck, each with the rounds that reach it.
/// cites: icm.smoke, icm.mission
#[rule]
pub fn around(_game: &Reads, struck: &[Struck]) -> Vec<Struck> {
    let ring = |one: &Struck| {
        one.at.neighbours().map(|at| Struck {
            at,
            count: one.count,
        })
    };
    struck.iter().flat_map(ring).collect()
}

/// [miller] All are found first: none that was struck itself, and none twice.
#[wrap(around)]
fn once(base: around::Base, game: &Reads, struck: &[Struck]) -> Vec<Struck> {
    let mut found: BTreeMap<Hex, i64> = BTreeMap::new();
    for Struck { at, count } in base(game, struck) {
        if struck.iter().all(|one| one.at != at) {
            *found.entry(at).or_default() += count;
        }
    }
    found
        .into_iter()
        .map(|(at, count)| Struck { at, count })
        .collect()
}

/// [adjacent] There they have a fifth of their firepower.
#[wrap(fp)]
fn a_fifth(base: fp::Base, game: &Reads, burst: &Shells) -> i64 {
    let whole = base(game, burst);
    match game.option(options::icm::ADJACENT_FP) {
        _ if !burst.is_beside => whole,
        AdjacentFp::Rounded => rounded(whole, PART),
        AdjacentFp::Floor => whole / PART,
    }
}

/// What a bomblet adds to the dice: three, or two from an adjacent hex.
fn from(burst: &Shells) -> i64 {
    if burst.is_beside { 2 } else { 3 }
}

/// [icm.vehicle.icm] Those of the old kind hurt thin armour only.
#[wrap(vehicle_modifier)]
fn icm(base: vehicle_modifier::Base, game: &Reads, burst: &Shells, target: Unit) -> Option<i64> {
    let under = base(game, burst, target)?;
    match burst.rounds.as_str() {
        "icm" if defence(game, target, BOMBLET) >= 2 => None,
        "icm" => Some(under + from(burst)),
        _ => Some(under),
    }
}

/// [icm.vehicle.dpicm] Those that pierce armour hurt thick armour less.
#[wrap(vehicle_modifier)]
fn dpicm(base: vehicle_modifier::Base, game: &Reads, burst: &Shells, target: Unit) -> Option<i64> {
    let under = base(game, burst, target)?;
    match burst.rounds.as_str() {
        "dpicm" => Some(under + from(burst) - (defence(game, target, BOMBLET) - THICK).max(0)),
        _ => Some(under),
    }
}

/// [icm.kinds] They pierce as missiles do.
#[wrap(art::against)]
fn bomblets(base: art::against::Base, game: &Reads, burst: &Shells) -> String {
    if are_bomblets(&burst.rounds) {
        BOMBLET.into()
    } else {
        base(game, burst)
    }
}

/// The hexes beside those that were struck which a mission reaches too.
pub fn around_of(game: &Reads, mission: Mission, struck: &[Struck]) -> Vec<Hex> {
    let is_heavy = mission
        .battery()
        .is_some_and(|battery| reach_far(&mission.rounds(), &battery.caliber()));
    let ring = if is_heavy {
        heavy_ring(game, struck)
    } else {
        Vec::new()
    };
    ring.into_iter().map(|one| one.at).collect()
}

/// [adjacent else {}] The hexes that heavy rounds reach beside those that they struck.
#[rule]
pub fn heavy_ring(game: &Reads, struck: &[Struck]) -> Vec<Struck> {
    around(game, struck)
}
