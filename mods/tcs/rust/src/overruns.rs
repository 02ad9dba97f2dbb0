//! Overruns by helicopters.

use houserule_guest::prelude::*;

use crate::aa::{aa_by, able};
use crate::arithmetic::checks;
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::events::OverrunDone;
use crate::bindings::tcsbase::kinds::Ground;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::stack::grounds;
use crate::bindings::tcsbase::tables::TerrainEffects;
use crate::bindings::tcsbase::unit::is_vehicle;
use crate::bindings::tcsbase::{carry, cmd, overrun, seq};
use crate::bindings::words::{Cover, EffectsTerrain, Height, Overruns, Terrain};
use crate::flight::{cost_at, fly_to, is_free, may_fly, reach, straight};
use crate::{enemies, is_helicopter};

chapter!(tcs.helo);

/// The enemies in a hex whom a helicopter may overrun.
fn prey(game: &Reads, unit: Unit, at: Hex) -> Vec<Unit> {
    overrun::victims(game, unit, at)
        .into_iter()
        .filter(|enemy| overrun::may_target(game, unit, *enemy).is_ok())
        .collect()
}

/// [helo.overrun.who] Whom a helicopter strafes: also other helicopters.
#[wrap(overrun::victims)]
fn and_helicopters(base: overrun::victims::Base, game: &Reads, unit: Unit, at: Hex) -> Vec<Unit> {
    if !is_helicopter(unit) {
        return base(game, unit, at);
    }
    enemies(game, unit)
        .into_iter()
        .filter(|enemy| enemy.at() == at)
        .collect()
}

/// Whether a helicopter has overrun all in a hex that it may in this phase.
fn is_done(game: &Reads, unit: Unit, at: Hex) -> bool {
    match game.option(options::helo::OVERRUNS) {
        Overruns::Hex => unit.overran().contains(&at),
        Overruns::Unit => {
            let done = unit.overran_units();
            prey(game, unit, at)
                .iter()
                .all(|enemy| done.contains(enemy))
        }
    }
}

/// [helo.overrun.how] Overrun from the air
#[action(at = seq::action, actor = Unit)]
mod strafe {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        is_free(unit)?;
        if unit.has_countered_up() {
            refuse!("it has answered a pop-up in this phase");
        }
        may_fly(game, unit, unit.height())?;
        if chances(game, unit).is_empty() {
            refuse!("it reaches nobody whom it can overrun");
        }
        Ok(())
    }

    /// Which hex?
    #[param]
    pub fn at(game: &Reads, unit: Unit) -> Domain<Hex> {
        Domain::one_of(chances(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, unit: Unit, at: Hex) {
        let mut done = unit.overran();
        done.push(at);
        unit.set_overran(game, done);
        // Those that an overrun has destroyed are no more to be remembered.
        let mut units = unit.overran_units();
        units.retain(|other| other.exists(game));
        units.extend(prey(game, unit, at));
        unit.set_overran_units(game, units);
        let (spent, from) = (unit.spent(), unit.at());
        unit.set_strafes(game, Some(at));
        if unit.at() != at {
            fly_to(game, unit, unit.height(), at);
        }
        strafed::push(game, unit, at, spent);
        turns_away::push(game, unit, from, at);
    }

    fn chances(game: &Reads, unit: Unit) -> Vec<Hex> {
        let mut near = reach(game, unit, unit.height());
        near.push(unit.at());
        let mut hexes: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
        hexes.sort();
        hexes.dedup();
        hexes.retain(|at| {
            near.contains(at) && !is_done(game, unit, *at) && !prey(game, unit, *at).is_empty()
        });
        cmd::prey(game, unit, &hexes)
    }
}

/// [helo.overrun.how] A helicopter is over the enemy: he fires, then it does. Whoever fired as the last hex was paid for, at
/// a tenth point that was reached or stepped over there, has fired.
#[step]
fn strafed(game: &Acts, unit: Unit, at: Hex, spent: i64) {
    if !unit.exists(game) {
        return;
    }
    unit.set_strafes(game, None);
    if unit.at() != at {
        return;
    }
    let before = unit.spent() - cost_at(game, unit.height());
    let was_fired_at = unit.spent() > spent && checks(before, unit.spent()) > 0;
    defended(game, unit, was_fired_at);
    overrun::attack::push(game, unit, at);
    overrun::check::push(game, unit, at);
}

/// [helo.overrun.how] In the nap of the earth it is on the ground, and shares no hex with an enemy when the overrun is over:
/// it is back in the last hex of its way in which it can be.
/// cites: helo.noe
#[step]
fn turns_away(game: &Acts, unit: Unit, from: Hex, at: Hex) {
    let is_there = unit.exists(game) && unit.at() == at && unit.height() == Height::Noe;
    let way = straight(game, from, at);
    let Some((_, before)) = way.split_last().filter(|_| is_there) else {
        return;
    };
    if !grounds(game, unit, &[at]).is_empty() {
        return;
    }
    let mut on_way = before.iter().rev().copied();
    let back = on_way.find(|hex| !grounds(game, unit, &[*hex]).is_empty());
    carry::put(game, unit, back.unwrap_or(from));
    OverrunDone {
        unit,
        at,
        result: "it turns away",
    }
    .tell(game);
}

/// [helo.overrun.how] Defender's Fire Segment. @never_draws
#[rule]
pub fn defended(_game: &Writes, _unit: Unit, _was_fired_at: bool) {}

/// [helo.overrun.aa] All who can fire at it do so, whatever its points, but not twice for one hex.
#[wrap(defended)]
fn fired_at(_base: defended::Base, game: &Writes, unit: Unit, was_fired_at: bool) {
    if !was_fired_at {
        aa_by::push(game, &able(game, unit), unit);
    }
}

/// [helo.overrun.who] In the open anybody, elsewhere vehicles, and helicopters anywhere.
#[wrap(overrun::may_target)]
fn whom(base: overrun::may_target::Base, game: &Reads, unit: Unit, target: Unit) -> Verdict {
    if !is_helicopter(unit) {
        return base(game, unit, target);
    }
    if !is_vehicle(game, target) && has_cover(game, target.at()) {
        refuse!("it has cover there");
    }
    Ok(())
}

/// Whether troops find cover in a hex.
fn has_cover(game: &Reads, at: Hex) -> bool {
    let (column, row) = at.column_row();
    let terrain =
        Ground::find(game, &format!("h{column:02}{row:02}")).map_or(Terrain::Open, Ground::terrain);
    let listed = EffectsTerrain::ALL
        .iter()
        .find(|one| one.word() == terrain.word());
    listed.is_some_and(|one| TerrainEffects::get(game, *one).cover != Cover::None)
}

/// [helo.overrun.how] A new turn, new overruns.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_overran(game, Vec::new());
    unit.set_overran_units(game, Vec::new());
}

/// [chem.helo] In High its crew cannot fly in the nap of the earth.
#[wrap(may_fly)]
fn not_in_masks(base: may_fly::Base, game: &Reads, unit: Unit, height: Height) -> Verdict {
    if height == Height::Noe && crate::mopp::level(game, unit) == crate::bindings::words::Mopp::High
    {
        refuse!("its crew is masked");
    }
    base(game, unit, height)
}
