//! Morale of units and companies.

use houserule_guest::prelude::*;

use crate::arithmetic::{recovered, step_of};
use crate::bindings::tcsbase::events::{
    MoraleChecked, MoraleCompanyChanged, MoraleOverrun, MoraleRallied, MoraleRetreated,
};
use crate::bindings::tcsbase::kinds::{Company, Unit};
use crate::bindings::tcsbase::tables::MoraleResults;
use crate::bindings::words::{Class, ResultsEffect, State, Terrain};
use crate::carry::{by_weapon, put};
use crate::fire::{self, Table};
use crate::map::{on_map, terrain_of};
use crate::movement::{POINT, Reached, arrive, caught_leaving, way_to, within};
use crate::unit::{is_vehicle, left, lose};
use crate::victory::count;
use crate::{enemies, landing, signed, two_dice};

chapter!(tcsbase.morale);

/// What a surrender adds to company morale.
pub const SURRENDER: i64 = 3;

/// Steps of a platoon.
const PLATOON: i64 = 5;

/// Sixths of movement points that a unit falls back.
const RETREAT: u32 = 5 * POINT as u32;

/// [fire.area.crossref] What losses, company and rating add to a morale check.
#[rule]
pub fn crossref(_game: &Reads, unit: Unit) -> i64 {
    let company = unit.company().map_or(0, Company::morale);
    (unit.lost() + company + unit.morale() - 2).max(0)
}

/// [mods] What the cause of a morale check and cover add to it: artillery two, and close combat two. @open
#[rule]
pub fn modifier(game: &Reads, unit: Unit, cause: &str) -> i64 {
    2 * i64::from(["shells", "close combat"].contains(&cause)) + cover(game, unit)
}

/// [mods] What houses and holes add to a morale check.
#[rule]
pub fn cover(game: &Reads, unit: Unit) -> i64 {
    let is_covered = unit.is_dug_in() || terrain_of(game, unit.at()) == Terrain::Village;
    -i64::from(is_covered)
}

/// [table] The row of the Morale Table.
#[rule]
pub fn result(game: &Reads, total: i64) -> ResultsEffect {
    let rows = MoraleResults::all(game);
    let starts: Vec<i64> = rows.iter().map(|row| row.from).collect();
    rows[step_of(&starts, total)].effect
}

/// [when, table] A unit checks its morale.
#[step]
pub fn check(game: &Acts, unit: Unit, cause: &str) {
    if !unit.exists(game) {
        return;
    }
    let modifier = crossref(game, unit) + modifier(game, unit, cause);
    let dice = two_dice(game, &format!("morale of {unit}"));
    let effect = match result(game, dice + modifier) {
        ResultsEffect::Surrender if !gives_up(game, unit, cause) => ResultsEffect::Retreat,
        effect => effect,
    };
    let result = if effect == ResultsEffect::None {
        "steady"
    } else {
        effect.word()
    };
    MoraleChecked {
        unit,
        dice,
        modifier: &signed(modifier),
        result,
    }
    .tell(game);
    falter(game, unit, effect, cause);
}

/// [table, suppressed, paralyzed] What a result of the Morale Table does to a unit.
#[rule]
pub fn falter(game: &Writes, unit: Unit, effect: ResultsEffect, cause: &str) {
    match effect {
        ResultsEffect::Suppressed if unit.state() == State::Ready => {
            unit.set_state(game, State::Suppressed)
        }
        ResultsEffect::Paralyzed => unit.set_state(game, State::Paralyzed),
        ResultsEffect::Retreat => retreat::push(game, unit),
        ResultsEffect::Surrender => {
            worsen(game, unit, SURRENDER, cause);
            lose(game, unit, "surrender", None);
        }
        ResultsEffect::Suppressed | ResultsEffect::None => {}
    }
}

/// [table] Whether a unit that would surrender finds somebody to do it to: an enemy on the ground within three hexes.
#[rule]
pub fn gives_up(game: &Reads, unit: Unit, _cause: &str) -> bool {
    let near =
        |enemy: &Unit| enemy.class() != Class::Helicopter && unit.at().distance(enemy.at()) <= 3;
    enemies(game, unit).iter().any(near)
}

/// [syr] Up to five points of movement away, to end farther from the nearest enemy and beside none; whoever cannot
/// is lost.
#[step]
pub fn retreat(game: &Acts, unit: Unit) {
    if !unit.exists(game) {
        return;
    }
    let at = unit.at();
    let enemies: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
    let away = |hex: Hex| {
        enemies
            .iter()
            .map(|enemy| enemy.distance(hex))
            .min()
            .unwrap_or(u32::MAX)
    };
    let found = within(game, unit, RETREAT);
    let is_on_map = on_map(game);
    let is_away = |hex: Hex| enemies.is_empty() || away(hex) > away(at).max(1);
    let ends: Vec<Hex> = found
        .iter()
        .map(|one| one.hex)
        .filter(|hex| is_on_map(hex) && is_away(*hex))
        .collect();
    let ends = havens(game, unit, &ends);
    let fit = found.iter().filter(|one| ends.contains(&one.hex));
    let best = fit.max_by_key(|one| {
        let Reached { hex, cost, .. } = **one;
        (away(hex), std::cmp::Reverse(cost), std::cmp::Reverse(hex))
    });
    match best.map(|one| one.hex) {
        Some(hex) => {
            unit.set_carrier(game, None);
            unit.set_is_outside(game, false);
            unit.set_state(game, State::Paralyzed);
            MoraleRetreated { unit, at: hex }.tell(game);
            if hex != at {
                fall_back::push(game, unit, at, &way_to(unit, &found, hex));
            }
        }
        None => {
            MoraleOverrun { unit }.tell(game);
            lose(game, unit, "retreat", None);
        }
    }
}

/// [syr] Of some hexes those in which a unit that falls back may end.
#[rule]
pub fn havens(_game: &Reads, _unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    hexes.to_vec()
}

/// [syr] It falls back hex by hex: what lies there has its effect.
#[step]
fn fall_back(game: &Acts, unit: Unit, from: Hex, way: &[Hex]) {
    let Some((next, rest)) = way.split_first() else {
        return;
    };
    if !unit.exists(game) || unit.at() != from {
        return;
    }
    if caught_leaving(game, unit) {
        fall_back::push(game, unit, from, way);
        return;
    }
    put(game, unit, *next);
    arrive::push(game, unit, from);
    fall_back::push(game, unit, *next, rest);
}

/// [suppressed, paralyzed] What becomes of those who were kept down, in the Clean Up Phase.
#[rule]
pub fn rally(game: &Writes, unit: Unit) {
    match unit.state() {
        State::Suppressed => unit.set_state(game, State::Ready),
        State::Paralyzed => {
            let die = game.roll(&Die::new(6), &format!("recovery of {unit}"));
            let (state, result) = match die {
                4.. => (State::Suppressed, "suppressed"),
                _ => (State::Paralyzed, "still paralyzed"),
            };
            unit.set_state(game, state);
            MoraleRallied { unit, die, result }.tell(game);
        }
        State::Ready => {}
    }
}

/// [company, unit.losses] Takes steps of a unit, and morale of its company. @never_draws
#[rule]
pub fn losses(game: &Writes, unit: Unit, steps: i64, company: i64, cause: &str) {
    let lost = unit.lost() + steps;
    count(game, unit, steps.min(left(game, unit)));
    unit.set_lost(game, lost);
    let more = if lost >= unit.steps() {
        grief(game, unit)
    } else {
        0
    };
    worsen(game, unit, company + more, cause);
}

/// [company] What the loss of a whole unit by fire adds to company morale: two for a platoon.
#[rule]
pub fn grief(_game: &Reads, unit: Unit) -> i64 {
    if unit.steps() >= PLATOON { 2 } else { 0 }
}

/// [company, unit.company] Worsens the morale of the company of a unit. @never_draws
#[rule]
pub fn worsen(game: &Writes, unit: Unit, by: i64, _cause: &str) {
    if let Some(company) = unit.company() {
        set_morale(game, company, (company.morale() + by).min(99));
    }
}

/// The morale of a company changes, which is told: it counts in the checks of all its units.
fn set_morale(game: &Writes, company: Company, after: i64) {
    let before = company.morale();
    if after != before {
        company.set_morale(game, after);
        MoraleCompanyChanged {
            company,
            before,
            after,
        }
        .tell(game);
    }
}

/// [armor] When a vehicle is lost by fire, the others of its platoon check.
#[wrap(lose)]
fn platoon_sees(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    let (platoon, side) = (unit.platoon(), unit.side());
    let is_by_fire = power.is_some() || by_weapon(game, cause);
    let is_shaken = is_vehicle(game, unit) && is_by_fire && !platoon.is_empty();
    base(game, unit, cause, power);
    if is_shaken {
        let others = Unit::all_with(game, Unit::PLATOON, platoon).into_iter();
        let others = others
            .filter(|other| other.side() == side && is_vehicle(game, *other) && other.morale() > 0);
        others.for_each(|other| check::push(game, other, cause));
    }
}

/// [armor] Suppressed vehicles are buttoned up; paralyzed ones are buttoned up and suppressed.
#[wrap(falter)]
fn buttons_up(base: falter::Base, game: &Writes, unit: Unit, effect: ResultsEffect, cause: &str) {
    match effect {
        ResultsEffect::Suppressed if is_vehicle(game, unit) => unit.set_is_buttoned(game, true),
        ResultsEffect::Paralyzed if is_vehicle(game, unit) => {
            unit.set_is_buttoned(game, true);
            base(game, unit, ResultsEffect::Suppressed, cause);
        }
        _ => base(game, unit, effect, cause),
    }
}

/// [armor] Whoever is buttoned up sees little: one less on his dice,
#[wrap(fire::modifier)]
fn sees_little(
    base: fire::modifier::Base,
    game: &Reads,
    firer: Unit,
    target: Unit,
    table: Table,
) -> i64 {
    base(game, firer, target, table) - i64::from(firer.is_buttoned())
}

/// [armor] and no observation.
#[wrap(landing::sees)]
fn sees_no_shells(base: landing::sees::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    !unit.is_buttoned() && base(game, unit, at)
}

/// [armor] Hatches are opened in the Clean Up Phase.
#[wrap(rally)]
fn opens(base: rally::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_is_buttoned(game, false);
}

/// [recovery] Which fraction of its morale a company recovers in an hour, as a divisor.
#[rule]
pub fn share(_game: &Reads, _company: Company) -> i64 {
    3
}

/// [recovery] Recovers morale of a company on the full hour. @never_draws
#[rule]
pub fn recover(game: &Writes, company: Company) {
    let morale = company.morale();
    set_morale(
        game,
        company,
        morale - recovered(morale, share(game, company)),
    );
}
