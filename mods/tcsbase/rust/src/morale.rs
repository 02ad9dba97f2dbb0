//! Morale of units and companies.

use houserule_guest::prelude::*;

use crate::arithmetic::step_of;
use crate::fire::signed;
use crate::map::{ground, is_on_map};
use crate::movement::costs;
use crate::{enemies, two_dice};

const ONE: &str = "unit: entity(tcsbase.unit)";

/// Steps of a platoon.
const PLATOON: i64 = 5;

pub fn register(rules: &mut Rules) {
    numbers(rules);
    company(rules);
    rules.step(
        Rule::new("tcsbase.morale.check", "unit: entity(tcsbase.unit), is_artillery: bool")
            .cites(&["tcsbase.morale.when", "tcsbase.morale.table"]),
        check,
    );
    rules.step(Rule::new("tcsbase.morale.retreat", ONE).cites(&["tcsbase.morale.syr"]), retreat);
    rules.define(
        Rule::new("tcsbase.morale.rally", ONE)
            .effects("writes draws")
            .cites(&["tcsbase.morale.suppressed", "tcsbase.morale.paralyzed"])
            .doc("what becomes of those who were kept down, in the Clean Up Phase"),
        |game: Game, (unit,): (Entity,)| match unit.get::<String>("state").as_str() {
            "suppressed" => unit.set("state", "ready"),
            "paralyzed" => {
                let face = game.roll(&Die::new(6), &format!("recovery of {}", unit.label()));
                unit.set("state", if face >= 4 { "suppressed" } else { "paralyzed" });
            }
            _ => {}
        },
    );
}

fn numbers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.morale.crossref", ONE)
            .returns("integer")
            .cites(&["tcsbase.fire.area.crossref"])
            .doc("what losses, company and rating add to a morale check"),
        |_: Game, (unit,): (Entity,)| {
            let company = unit.get::<Option<Entity>>("company").map_or(0, |company| company.get("morale"));
            (unit.get::<i64>("lost") + company + unit.get::<i64>("morale") - 2).max(0)
        },
    );
    rules.define(
        Rule::new("tcsbase.morale.modifier", "unit: entity(tcsbase.unit), is_artillery: bool")
            .returns("integer")
            .cites(&["tcsbase.morale.mods"])
            .doc("what artillery and cover add to a morale check"),
        |game: Game, (unit, is_artillery): (Entity, bool)| {
            let is_covered = unit.get("is_dug_in") || ground(game, unit.get("at")).terrain == "village";
            2 * i64::from(is_artillery) - i64::from(is_covered)
        },
    );
    rules.define(
        Rule::new("tcsbase.morale.result", "total: integer")
            .returns("none|suppressed|paralyzed|retreat|surrender")
            .cites(&["tcsbase.morale.table"])
            .doc("the row of the Morale Table"),
        |game: Game, (total,): (i64,)| -> String {
            let rows = game.rows("tcsbase.morale.results");
            let starts: Vec<i64> = rows.iter().map(|row| row.get("from")).collect();
            rows[step_of(&starts, total)].get("result")
        },
    );
}

fn company(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.morale.lose", "unit: entity(tcsbase.unit), steps: integer, company: integer")
            .effects("writes")
            .cites(&["tcsbase.morale.company", "tcsbase.unit.losses"])
            .doc("takes steps of a unit, and morale of its company"),
        |game: Game, (unit, steps, worse): (Entity, i64, i64)| {
            let lost = unit.get::<i64>("lost") + steps;
            unit.set("lost", lost);
            let all: i64 = unit.get("steps");
            let more = if lost >= all && all >= PLATOON { 2 } else { 0 };
            game.call::<Value>("tcsbase.morale.worsen", [unit.into(), (worse + more).into()]);
        },
    );
    rules.define(
        Rule::new("tcsbase.morale.worsen", "unit: entity(tcsbase.unit), by: integer")
            .effects("writes")
            .cites(&["tcsbase.morale.company", "tcsbase.unit.company"])
            .doc("worsens the morale of the company of a unit"),
        |_: Game, (unit, by): (Entity, i64)| {
            if let Some(company) = unit.get::<Option<Entity>>("company") {
                company.set("morale", company.get::<i64>("morale") + by);
            }
        },
    );
}

fn check(game: Game, (unit, is_artillery): (Entity, bool)) {
    if !game.exists(unit) {
        return;
    }
    let modifier = game.call::<i64>("tcsbase.morale.crossref", [unit.into()])
        + game.call::<i64>("tcsbase.morale.modifier", [unit.into(), is_artillery.into()]);
    let dice = two_dice(game, &format!("morale of {}", unit.label()));
    let mut result: String = game.call("tcsbase.morale.result", [(dice + modifier).into()]);
    if result == "surrender" && !is_pressed(game, unit) {
        result = "retreat".into();
    }
    let told = [
        ("unit", unit.into()),
        ("dice", dice.into()),
        ("modifier", signed(modifier).into()),
        ("result", if result == "none" { "steady".into() } else { result.as_str().into() }),
    ];
    game.emit("tcsbase.morale.checked", record(told));
    match result.as_str() {
        "suppressed" if unit.get::<String>("state") == "ready" => unit.set("state", "suppressed"),
        "paralyzed" => unit.set("state", "paralyzed"),
        "retreat" => game.push("tcsbase.morale.retreat", [unit.into()]),
        "surrender" => {
            game.call::<Value>("tcsbase.morale.worsen", [unit.into(), 3.into()]);
            game.remove(unit);
        }
        _ => {}
    }
}

/// Whether an enemy on the ground is near enough to take prisoners.
fn is_pressed(game: Game, unit: Entity) -> bool {
    let at: Hex = unit.get("at");
    let near =
        |enemy: &Entity| enemy.get::<String>("class") != "helicopter" && at.distance(enemy.get("at")) <= 3;
    enemies(game, unit).iter().any(near)
}

/// Up to five points of movement away, to end farther from the nearest enemy
/// and beside none; whoever cannot is lost.
fn retreat(game: Game, (unit,): (Entity,)) {
    let at: Hex = unit.get("at");
    let enemies: Vec<Hex> = enemies(game, unit).iter().map(|enemy| enemy.get("at")).collect();
    let away = |hex: Hex| enemies.iter().map(|enemy| enemy.distance(hex)).min().unwrap_or(u32::MAX);
    let found = at.reach(5, &costs(game, unit));
    let fit = found.into_iter().map(|(hex, cost, _)| (hex, cost));
    let fit = fit.filter(|(hex, _)| is_on_map(game, *hex) && away(*hex) > away(at).max(1));
    let best = fit.max_by_key(|(hex, cost)| (away(*hex), std::cmp::Reverse(*cost), std::cmp::Reverse(*hex)));
    match best {
        Some((hex, _)) => {
            unit.set("at", hex);
            unit.set("state", "paralyzed");
            game.emit("tcsbase.morale.retreated", record([("unit", unit.into()), ("at", hex.into())]));
        }
        None => {
            game.emit("tcsbase.morale.overrun", record([("unit", unit.into())]));
            game.remove(unit);
        }
    }
}
