//! The map: ground, heights, lines of sight.

use houserule_guest::INCH;
use houserule_guest::prelude::*;

const METRE: i64 = 1_000_000;
/// A contour is 20 m.
const CONTOUR: i64 = 20 * METRE;

/// What is in a hex; open ground at level 0 where nothing is listed.
pub struct Ground {
    pub terrain: String,
    pub level: i64,
    pub smoke: i64,
}

pub fn ground(game: Game, hex: Hex) -> Ground {
    let (column, row) = hex.column_row();
    match game.find(&format!("h{column:02}{row:02}")) {
        Some(found) => {
            Ground { terrain: found.get("terrain"), level: found.get("level"), smoke: found.get("smoke") }
        }
        None => Ground { terrain: "open".into(), level: 0, smoke: 0 },
    }
}

/// Whether a hex is on the map: columns and rows are numbered from 1 on, and an
/// inch of the table is a hex.
pub fn is_on_map(game: Game, hex: Hex) -> bool {
    let (width, depth) = game.size();
    let (column, row) = hex.column_row();
    (1..=width / INCH).contains(&i64::from(column)) && (1..=depth / INCH).contains(&i64::from(row))
}

pub fn effects(game: Game, terrain: &str) -> Record {
    game.row("tcsbase.terrain.effects", [terrain.into()]).unwrap_or_default()
}

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.los.ground", "at: hex")
            .returns("integer")
            .cites(&["tcsbase.los.height"])
            .doc("the height of the ground of a hex, in metres"),
        |game: Game, (at,): (Hex,)| ground(game, at).level * CONTOUR / METRE,
    );
    rules.define(
        Rule::new("tcsbase.los.smoke_at", "at: hex")
            .returns("integer")
            .cites(&["tcsbase.los.smoke"])
            .doc("smoke markers in a hex"),
        |game: Game, (at,): (Hex,)| ground(game, at).smoke,
    );
    rules.define(
        Rule::new("tcsbase.los.clear", "a: hex, above_a: integer, b: hex, above_b: integer")
            .returns("bool")
            .cites(&["tcsbase.los.height", "tcsbase.los.block", "tcsbase.los.hexside"])
            .doc(
                "whether nothing rises above the line between two heights, given in metres above the ground",
            ),
        |game: Game, (a, above_a, b, above_b): (Hex, i64, Hex, i64)| {
            let end = |hex: Hex, above: i64| ground(game, hex).level * CONTOUR + above * METRE;
            let mut tops: Vec<(Hex, i64)> = Vec::new();
            for (hex, beside) in a.line(b) {
                for hex in std::iter::once(hex).chain(beside) {
                    let here = ground(game, hex);
                    let grown: i64 = effects(game, &here.terrain).get("height");
                    tops.push((hex, here.level * CONTOUR + grown * METRE));
                }
            }
            let either = game.option::<String>("tcsbase.los.hexsides") == "either";
            !a.is_blocked(end(a, above_a), b, end(b, above_b), &tops, 0, either)
        },
    );
    rules.define(
        Rule::new("tcsbase.los.height_of", "unit: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcsbase.los.height"])
            .doc("how many metres above the ground a unit is"),
        |_: Game, (_,): (Entity,)| 0,
    );
    visibility(rules);
}

/// Farther than any map reaches.
const ANY: i64 = 99;

fn visibility(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.los.through_smoke", "unit: entity(tcsbase.unit), target: entity(tcsbase.unit)")
            .returns("bool")
            .cites(&["tcsbase.los.smoke"])
            .doc("whether smoke between them does not hide the target"),
        |game: Game, (unit, target): (Entity, Entity)| {
            let (a, b): (Hex, Hex) = (unit.get("at"), target.get("at"));
            let between = |hex: Hex| hex != a && hex != b && ground(game, hex).smoke > 0;
            !a.line(b).into_iter().any(|(hex, beside)| between(hex) && beside.is_none_or(between))
        },
    );
    rules.define(
        Rule::new("tcsbase.los.night_limit", "unit: entity(tcsbase.unit), target: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcsbase.los.visibility", "tcsbase.night.limit"])
            .doc("how many hexes a unit sees at most in the dark"),
        |game: Game, (_, target): (Entity, Entity)| {
            let clock = game.named("clock");
            let is_lit = game.call::<bool>("tcsbase.illum.lit", [target.get("at")]);
            if clock.get("is_night") && !is_lit { clock.get("limit") } else { ANY }
        },
    );
    rules.define(
        Rule::new("tcsbase.los.weather_limit", "unit: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcsbase.los.visibility", "tcsbase.weather.limit"])
            .doc("how many hexes a unit sees at most in the weather"),
        |game: Game, (_,): (Entity,)| match game.named("clock").get::<i64>("weather") {
            0 => ANY,
            limit => limit,
        },
    );
    rules.define(
        Rule::new("tcsbase.illum.lit", "at: hex")
            .returns("bool")
            .cites(&["tcsbase.illum.light"])
            .doc("whether an illumination round lights a hex"),
        |game: Game, (at,): (Hex,)| {
            game.entities("tcsbase.light").into_iter().any(|light| light.get::<Hex>("at").distance(at) <= 3)
        },
    );
    rules.define(
        Rule::new("tcsbase.los.sees", "unit: entity(tcsbase.unit), target: entity(tcsbase.unit)")
            .returns("bool")
            .cites(&["tcsbase.los.line", "tcsbase.los.visibility"])
            .doc("whether a unit sees another"),
        |game: Game, (unit, target): (Entity, Entity)| {
            let (a, b): (Hex, Hex) = (unit.get("at"), target.get("at"));
            let both = || [unit.into(), target.into()];
            let height = |unit: Entity| game.call::<i64>("tcsbase.los.height_of", [unit.into()]);
            let range = i64::from(a.distance(b));
            range <= game.call("tcsbase.los.night_limit", both())
                && range <= game.call("tcsbase.los.weather_limit", [unit.into()])
                && game.call("tcsbase.los.through_smoke", both())
                && game.call(
                    "tcsbase.los.clear",
                    [a.into(), height(unit).into(), b.into(), height(target).into()],
                )
        },
    );
}
