//! Morale of units and companies.

use houserule_guest::prelude::*;

use crate::arithmetic::{recovered, step_of};
use crate::bindings::tcsbase::events::{MoraleChecked, MoraleOverrun, MoraleRetreated};
use crate::bindings::tcsbase::kinds::{Company, Unit};
use crate::bindings::tcsbase::tables::MoraleResults;
use crate::bindings::words::{Class, Effect, State, Terrain};
use crate::map::{is_on_map, place};
use crate::movement::costs;
use crate::{enemies, signed, two_dice};

chapter!(tcsbase.morale);

/// Steps of a platoon.
const PLATOON: i64 = 5;

/// [fire.area.crossref] What losses, company and rating add to a morale check.
#[rule]
pub fn crossref(_game: &Reads, unit: Unit) -> i64 {
    let company = unit.company().map_or(0, Company::morale);
    (unit.lost() + company + unit.morale() - 2).max(0)
}

/// [mods] What artillery and cover add to a morale check.
#[rule]
pub fn modifier(game: &Reads, unit: Unit, is_artillery: bool) -> i64 {
    let is_covered = unit.is_dug_in() || place(game, unit.at()).terrain == Terrain::Village;
    2 * i64::from(is_artillery) - i64::from(is_covered)
}

/// [table] The row of the Morale Table.
#[rule]
pub fn result(game: &Reads, total: i64) -> Effect {
    let rows = MoraleResults::all(game);
    let starts: Vec<i64> = rows.iter().map(|row| row.from).collect();
    rows[step_of(&starts, total)].effect
}

/// [when, table] A unit checks its morale.
#[step]
pub fn check(game: &Acts, unit: Unit, is_artillery: bool) {
    if !unit.exists(game) {
        return;
    }
    let modifier = crossref(game, unit) + modifier(game, unit, is_artillery);
    let dice = two_dice(game, &format!("morale of {unit}"));
    let effect = match result(game, dice + modifier) {
        Effect::Surrender if !is_pressed(game, unit) => Effect::Retreat,
        effect => effect,
    };
    let result = if effect == Effect::None { "steady" } else { effect.word() };
    MoraleChecked { unit, dice, modifier: &signed(modifier), result }.tell(game);
    match effect {
        Effect::Suppressed if unit.state() == State::Ready => unit.set_state(game, State::Suppressed),
        Effect::Paralyzed => unit.set_state(game, State::Paralyzed),
        Effect::Retreat => retreat::push(game, unit),
        Effect::Surrender => {
            worsen(game, unit, 3);
            unit.remove(game);
        }
        Effect::Suppressed | Effect::None => {}
    }
}

/// Whether an enemy on the ground is near enough to take prisoners.
fn is_pressed(game: &Reads, unit: Unit) -> bool {
    let near = |enemy: &Unit| enemy.class() != Class::Helicopter && unit.at().distance(enemy.at()) <= 3;
    enemies(game, unit).iter().any(near)
}

/// [syr] Up to five points of movement away, to end farther from the nearest enemy and beside none; whoever cannot
/// is lost.
#[step]
pub fn retreat(game: &Acts, unit: Unit) {
    let at = unit.at();
    let enemies: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
    let away = |hex: Hex| enemies.iter().map(|enemy| enemy.distance(hex)).min().unwrap_or(u32::MAX);
    let found = at.reach(5, &costs(game, unit));
    let fit = found.into_iter().map(|(hex, cost, _)| (hex, cost));
    let fit = fit.filter(|(hex, _)| is_on_map(game, *hex) && away(*hex) > away(at).max(1));
    let best = fit.max_by_key(|(hex, cost)| (away(*hex), std::cmp::Reverse(*cost), std::cmp::Reverse(*hex)));
    match best {
        Some((hex, _)) => {
            unit.set_at(game, hex);
            unit.set_state(game, State::Paralyzed);
            MoraleRetreated { unit, at: hex }.tell(game);
        }
        None => {
            MoraleOverrun { unit }.tell(game);
            unit.remove(game);
        }
    }
}

/// [suppressed, paralyzed] What becomes of those who were kept down, in the Clean Up Phase.
#[rule]
pub fn rally(game: &Writes, unit: Unit) {
    match unit.state() {
        State::Suppressed => unit.set_state(game, State::Ready),
        State::Paralyzed => {
            let face = game.roll(&Die::new(6), &format!("recovery of {unit}"));
            unit.set_state(game, if face >= 4 { State::Suppressed } else { State::Paralyzed });
        }
        State::Ready => {}
    }
}

/// [company, unit.losses] Takes steps of a unit, and morale of its company. @never_draws
#[rule]
pub fn lose(game: &Writes, unit: Unit, steps: i64, company: i64) {
    let lost = unit.lost() + steps;
    unit.set_lost(game, lost);
    let all = unit.steps();
    let more = if lost >= all && all >= PLATOON { 2 } else { 0 };
    worsen(game, unit, company + more);
}

/// [company, unit.company] Worsens the morale of the company of a unit. @never_draws
#[rule]
pub fn worsen(game: &Writes, unit: Unit, by: i64) {
    if let Some(company) = unit.company() {
        company.set_morale(game, company.morale() + by);
    }
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
    company.set_morale(game, morale - recovered(morale, share(game, company)));
}
