//! Smoke in a hex.

use houserule_guest::prelude::*;

use std::collections::BTreeMap;

use crate::art::Prize;
use crate::bindings::tcsbase::events::{SmokeCleared, SmokeDrifted, SmokePlaced};
use crate::bindings::tcsbase::kinds::{Ground, Mission, Unit};
use crate::bindings::words::{Class, State};
use crate::los::sees;
use crate::map::{hex_of, is_on_map, name_of, smoke_of};
use crate::mode::is_moving;
use crate::unit::{against, of_side};
use crate::{clock, die, range};

chapter!(tcsbase.smoke);

/// [mission, art.smoke_from_he] A marker of smoke.
#[step]
pub fn place(game: &Acts, at: Hex) {
    more(game, at, 1);
    SmokePlaced { at }.tell(game);
}

/// Puts markers into a hex.
fn more(game: &Writes, at: Hex, markers: i64) {
    let ground = ground_of(game, at);
    ground.set_smoke(game, (ground.smoke() + markers).min(9));
}

/// The ground of a hex, made if there is none yet.
pub fn ground_of(game: &Writes, at: Hex) -> Ground {
    let name = name_of(at);
    Ground::find(game, &name).unwrap_or_else(|| Ground::create(game, Some(&name), []))
}

/// [remove] Each marker goes on a die of 4 or more.
#[step]
pub fn clear(game: &Acts, at: Ground) {
    let dice = vec![Die::new(6); usize::try_from(at.smoke()).unwrap_or(0)];
    let faces = game.roll_all(&dice, &format!("smoke at {at}"));
    let left = faces.into_iter().filter(|face| *face < 4).count() as i64;
    let cleared = at.smoke() - left;
    if cleared > 0 {
        let at = hex_of(at);
        SmokeCleared { at, cleared, left }.tell(game);
    }
    at.set_smoke(game, left);
}

/// What smoke is worth to a bot, and what more for each friend whom it hides from an enemy: hiding two is worth more
/// than shells on troops.
const SMOKE: i64 = 2;
const HIDDEN: i64 = 4;

/// It looks at so many enemies, those nearest to each of them.
const WATCHERS: usize = 6;

/// [mission] Whether smoke hides others from a unit.
#[rule]
pub fn blinds(_game: &Reads, _unit: Unit) -> bool {
    true
}

/// [mission] How far a unit could fire at those who come.
#[rule]
pub fn threat(_game: &Reads, unit: Unit) -> i64 {
    unit.reach().max(unit.area_reach())
}

/// [mission] The hexes in which smoke hides those of a side who come from enemies who could fire at them, right before
/// these: what it is worth there to a bot.
#[rule]
pub fn screens(game: &Reads, side: &str) -> Vec<Prize> {
    let mut moving = of_side(game, side);
    moving.retain(|unit| {
        unit.advances() && is_moving(game, *unit) && unit.class() != Class::Helicopter
    });
    let mut found: BTreeMap<Hex, i64> = BTreeMap::new();
    let threats: Vec<(Unit, i64)> = against(game, side)
        .into_iter()
        .filter(|enemy| enemy.state() != State::Paralyzed && blinds(game, *enemy))
        .map(|enemy| (enemy, threat(game, enemy)))
        .collect();
    for unit in moving {
        let mut near: Vec<(i64, Unit)> = threats
            .iter()
            .map(|(enemy, reach)| (range(*enemy, unit), *enemy, *reach))
            .filter(|(far, _, reach)| (2..=*reach).contains(far))
            .map(|(far, enemy, _)| (far, enemy))
            .collect();
        near.sort();
        for (_, enemy) in near.into_iter().take(WATCHERS) {
            if sees(game, enemy, unit) {
                let before = enemy.at().line(unit.at())[1].0;
                *found.entry(before).or_default() += HIDDEN;
            }
        }
    }
    let called: Vec<Hex> = Mission::all_with(game, Mission::SIDE, side.to_string())
        .into_iter()
        .map(Mission::at)
        .collect();
    found.retain(|hex, _| is_on_map(game, *hex) && smoke_of(game, *hex) == 0);
    found.retain(|hex, _| !called.contains(hex));
    let prize = |(at, hidden)| Prize {
        at,
        worth: SMOKE + hidden,
    };
    found.into_iter().map(prize).collect()
}

/// [advanced else nil] What all dice have left drifts on a 5, where there is a wind; off the map it is lost.
#[step]
pub fn drift(game: &Acts) {
    let wind = clock(game).wind();
    if wind == 0 {
        return;
    }
    let mut drifting = Vec::new();
    for at in Ground::all(game).into_iter().filter(|at| at.smoke() > 0) {
        let (from, die) = (hex_of(at), die(game, &format!("smoke at {at} drifts")));
        if die >= 5 {
            let to = from.neighbours()[wind as usize - 1];
            drifting.push((to, at.smoke()));
            at.set_smoke(game, 0);
            SmokeDrifted { die, at: from, to }.tell(game);
        }
    }
    // What has drifted into a hex does not drift on with what was there.
    for (to, markers) in drifting {
        if is_on_map(game, to) {
            more(game, to, markers);
        }
    }
}
