//! Night vision and thermal sights.

use houserule_guest::prelude::*;

use crate::arithmetic::night_modifier;

/// Whether a unit sees with this.
fn sees_with(unit: Entity, sight: &str) -> bool {
    unit.get::<String>("sight") == sight
}

/// Smoke markers on the line between two hexes, both included; along a hexside
/// the one of two hexes that has more counts.
fn markers(game: Game, a: Hex, b: Hex) -> i64 {
    let at = |hex: Hex| game.call::<i64>("tcsbase.los.smoke_at", [hex.into()]);
    a.line(b).into_iter().map(|(hex, beside)| at(hex).max(beside.map_or(0, at))).sum()
}

pub fn register(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.los.limit").cites(&["tcs.nv.vehicle", "tcs.nv.thermal"]),
        |game: Game, (unit,): (Entity,)| -> i64 {
            match unit.get::<String>("sight").as_str() {
                "none" => game.base([unit.into()]),
                _ => 99,
            }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.los.through_smoke").cites(&["tcs.nv.thermal", "tcs.nv.nosee"]),
        |game: Game, (unit, target): (Entity, Entity)| -> bool {
            sees_with(unit, "thermal") || game.base([unit.into(), target.into()])
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.sight").cites(&[
            "tcs.nv.vehicle",
            "tcs.nv.thermal.count",
            "tcs.nv.thermal.hexside",
        ]),
        |game: Game, (firer, target): (Entity, Entity)| -> i64 {
            let limit: i64 = game.named("clock").get("limit");
            let (a, b): (Hex, Hex) = (firer.get("at"), target.get("at"));
            let beyond = if limit == 0 { 0 } else { (i64::from(a.distance(b)) - limit).max(0) };
            let mode: String = target.get("mode");
            let divisor: i64 = game.row("tcs.nv.divisors", [mode.into()]).map_or(4, |row| row.get("divisor"));
            let smoke = |unit: Entity| game.call::<i64>("tcsbase.los.smoke_at", [unit.get("at")]);
            match firer.get::<String>("sight").as_str() {
                "thermal" => night_modifier(beyond + markers(game, a, b), divisor),
                "night" => night_modifier(beyond, divisor) - 2 * (smoke(firer) + smoke(target)),
                _ => game.base([firer.into(), target.into()]),
            }
        },
    );
}
