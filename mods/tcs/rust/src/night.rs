//! Night vision and thermal sights.

use houserule_guest::prelude::*;

use crate::arithmetic::night_modifier;
use crate::range;

/// Farther than any map reaches.
const ANY: i64 = 99;

/// Whether a unit sees with this.
fn sees_with(unit: Entity, sight: &str) -> bool {
    unit.get::<String>("sight") == sight
}

fn is_on_foot(unit: Entity) -> bool {
    unit.get::<String>("class") == "foot"
}

/// Smoke markers on the line between two hexes, both included; along a hexside
/// the one of two hexes that has more counts.
fn markers(game: Game, a: Hex, b: Hex) -> i64 {
    let at = |hex: Hex| game.call::<i64>("tcsbase.los.smoke_at", [hex.into()]);
    a.line(b).into_iter().map(|(hex, beside)| at(hex).max(beside.map_or(0, at))).sum()
}

/// Hexes of the range beyond what one sees without help, by night or weather.
fn beyond(game: Game, firer: Entity, target: Entity) -> i64 {
    let clock = game.named("clock");
    let is_lit: bool = game.call("tcsbase.illum.lit", [target.get("at")]);
    let night = if clock.get("is_night") && !is_lit { clock.get("limit") } else { ANY };
    let weather = match clock.get::<i64>("weather") {
        0 => ANY,
        limit => limit,
    };
    (range(firer, target) - night.min(weather)).max(0)
}

pub fn register(rules: &mut Rules) {
    limits(rules);
    reach(rules);
    rules.wrap(
        Rule::over("tcsbase.fire.sight").cites(&[
            "tcs.nv.vehicle",
            "tcs.nv.vehicle.area",
            "tcs.nv.illum",
            "tcs.tbl.night",
        ]),
        |game: Game, (firer, target, table): (Entity, Entity, String)| -> i64 {
            let is_vehicle = sees_with(firer, "night") && !is_on_foot(firer);
            if !is_vehicle || table == "area" {
                return game.base([firer.into(), target.into(), table.into()]);
            }
            let smoke = |unit: Entity| game.call::<i64>("tcsbase.los.smoke_at", [unit.get("at")]);
            night_modifier(beyond(game, firer, target), divisor(game, target))
                - 2 * (smoke(firer) + smoke(target))
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.sight").cites(&["tcs.nv.thermal", "tcs.tbl.night"]),
        |game: Game, (firer, target, table): (Entity, Entity, String)| -> i64 {
            let args = || [firer.into(), target.into(), table.as_str().into()];
            match sees_with(firer, "thermal") {
                true if table == "area" && game.option::<String>("tcs.nv.thermal_area") == "night" => {
                    game.base(args())
                }
                true if table == "area" => 0,
                true => night_modifier(
                    game.call("tcs.nv.count", [firer.into(), target.into()]),
                    divisor(game, target),
                ),
                false => game.base(args()),
            }
        },
    );
    counting(rules);
}

fn divisor(game: Game, target: Entity) -> i64 {
    let mode = if game.call("tcsbase.mode.is_moving", [target.into()]) { "move" } else { "fire" };
    game.row("tcs.nv.divisors", [mode.into()]).map_or(4, |row| row.get("divisor"))
}

/// What a thermal sight counts on its way.
fn counting(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.nv.count", crate::PAIR)
            .returns("integer")
            .cites(&["tcs.nv.thermal"])
            .doc("hexes beyond the limit of night and weather, for a thermal sight"),
        |game: Game, (firer, target): (Entity, Entity)| beyond(game, firer, target),
    );
    rules.wrap(
        Rule::over("tcs.nv.count").cites(&["tcs.nv.thermal.count"]),
        |game: Game, (firer, target): (Entity, Entity)| -> i64 {
            let smoke: i64 = game.call("tcs.nv.smoke", [firer.get("at"), target.get("at")]);
            game.base::<i64>([firer.into(), target.into()]) + smoke
        },
    );
    rules.define(
        Rule::new("tcs.nv.smoke", "a: hex, b: hex")
            .returns("integer")
            .cites(&["tcs.nv.thermal"])
            .doc("smoke markers on the line between two hexes, both included, every hex beside it too"),
        |game: Game, (a, b): (Hex, Hex)| -> i64 {
            let at = |hex: Hex| game.call::<i64>("tcsbase.los.smoke_at", [hex.into()]);
            a.line(b).into_iter().map(|(hex, beside)| at(hex) + beside.map_or(0, at)).sum()
        },
    );
    rules.wrap(
        Rule::over("tcs.nv.smoke").cites(&["tcs.nv.thermal.hexside"]),
        |game: Game, (a, b): (Hex, Hex)| -> i64 { markers(game, a, b) },
    );
}

fn limits(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.los.night_limit").cites(&["tcs.nv.who", "tcs.nv.nosee"]),
        |game: Game, (unit, target): (Entity, Entity)| -> i64 {
            if sees_with(unit, "none") { game.base([unit.into(), target.into()]) } else { ANY }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.los.weather_limit").cites(&["tcs.nv.thermal"]),
        |game: Game, (unit,): (Entity,)| -> i64 {
            if sees_with(unit, "thermal") { ANY } else { game.base([unit.into()]) }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.los.through_smoke").cites(&["tcs.nv.thermal"]),
        |game: Game, (unit, target): (Entity, Entity)| -> bool {
            sees_with(unit, "thermal") || game.base([unit.into(), target.into()])
        },
    );
    rules.wrap(
        Rule::over("tcsbase.art.sees").cites(&["tcs.nv.observe"]),
        |game: Game, (unit, at): (Entity, Hex)| -> bool {
            let (clock, from) = (game.named("clock"), unit.get::<Hex>("at"));
            let is_dark =
                clock.get("is_night") || game.option::<String>("tcs.nv.thermal_observe") == "always";
            if sees_with(unit, "none") || !is_dark {
                return game.base([unit.into(), at.into()]);
            }
            let height: i64 = game.call("tcsbase.los.height_of", [unit.into()]);
            let weather: i64 = clock.get("weather");
            let limit = if weather == 0 { 8 } else { weather.min(8) };
            unit.get::<String>("state") == "ready"
                && i64::from(from.distance(at)) <= limit
                && game.call::<bool>("tcsbase.los.clear", [from.into(), height.into(), at.into(), 0.into()])
        },
    );
    rules.wrap(
        Rule::over("tcsbase.art.sees").cites(&["tcs.helo.popup.no_observe"]),
        |game: Game, (unit, at): (Entity, Hex)| -> bool {
            !unit.get::<bool>("is_up") && game.base::<bool>([unit.into(), at.into()])
        },
    );
}

/// By night, weapons on foot reach half as far.
fn reach(rules: &mut Rules) {
    let halved = |game: Game, unit: Entity| {
        game.named("clock").get("is_night") && is_on_foot(unit) && sees_with(unit, "night")
    };
    rules.wrap(
        Rule::over("tcsbase.fire.reach").cites(&["tcs.nv.infantry"]),
        move |game: Game, (unit, weapon): (Entity, String)| -> i64 {
            let under: i64 = game.base([unit.into(), weapon.into()]);
            if halved(game, unit) { under / 2 } else { under }
        },
    );
    rules.wrap(
        Rule::over("tcs.atgm.row").cites(&["tcs.nv.infantry"]),
        move |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let row: Option<i64> = game.base([firer.into(), target.into()]);
            // Twice the nominal range is the most: by night, the nominal one.
            row.filter(|row| *row < 3 || !halved(game, firer))
        },
    );
}
