//! Movement hex by hex, and overwatch.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::UNIT;
use crate::fire::range;
use crate::map::{effects, ground};

/// What each move of a unit costs.
fn costs(game: Game, unit: Entity) -> HexCosts {
    let class: String = unit.get("class");
    let at: Hex = unit.get("at");
    let open = effects(game, "open");
    let cost = |row: &Record| row.get::<Option<u32>>(&class);
    let (width, depth) = (40, 40);
    let mut costs = HexCosts { otherwise: cost(&open), ..HexCosts::default() };
    for place in game.entities("tcsbase.ground") {
        let name = place.name();
        let (Ok(column), Ok(row)) = (name[1..3].parse::<i32>(), name[3..5].parse::<i32>()) else { continue };
        if column > width || row > depth {
            continue;
        }
        let hex = Hex::at(column, row);
        costs.enter.push((hex, cost(&effects(game, &place.get::<String>("terrain")))));
        let level: i64 = place.get("level");
        for next in hex.neighbours() {
            if ground(game, next).level != level {
                costs.cross.push((hex, next, Some(1)));
                costs.cross.push((next, hex, Some(1)));
            }
        }
    }
    for enemy in game.entities(UNIT) {
        if enemy.side() != unit.side() && enemy.get::<Hex>("at") != at {
            costs.enter.push((enemy.get("at"), None));
        }
    }
    costs
}

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcsbase.ow.entered",
        "mover: entity(tcsbase.unit)",
        AskedFirst::OthersOnly,
        &["tcsbase.ow.trigger"],
    );
    rules.define(
        Rule::new("tcsbase.move.reach", "unit: entity(tcsbase.unit)")
            .returns("list({hex: hex, before: hex})")
            .cites(&["tcsbase.terrain.movement"])
            .doc("the hexes that a unit can move to, each with the one before it"),
        |game: Game, (unit,): (Entity,)| -> Vec<Record> {
            let found = unit.get::<Hex>("at").reach(unit.get("allowance"), &costs(game, unit));
            let on_map = found.into_iter().filter(|(hex, _, _)| is_on_map(*hex));
            on_map.map(|(hex, _, before)| record([("hex", hex.into()), ("before", before.into())])).collect()
        },
    );
    rules
        .action("tcsbase.move.go")
        .title("Move")
        .at("tcsbase.seq.action")
        .actor(UNIT)
        .cites(&["tcsbase.seq.action", "tcsbase.mode.move", "tcsbase.mode.fire"])
        .allowed(|game, unit| {
            game.call::<Option<String>>("tcsbase.move.may", [unit.into()]).map_or(Ok(()), Err)
        })
        .param("to", "Where to?", "hex", |game, unit, _| {
            let at: Hex = unit.get("at");
            let found: Vec<Record> = game.call("tcsbase.move.reach", [unit.into()]);
            let hexes = found.iter().map(|one| one.get::<Hex>("hex")).filter(|hex| *hex != at);
            Some(Domain::hexes(hexes.collect::<Vec<_>>()))
        })
        .score(|game, unit, params| {
            let to: Hex = params.get("to");
            let enemies = game.entities(UNIT).into_iter().filter(|other| other.side() != unit.side());
            let nearest = enemies.map(|enemy| to.distance(enemy.get("at"))).min().unwrap_or(0);
            100 - i64::from(nearest)
        })
        .perform(|game, unit, params| {
            unit.set("has_moved", true);
            let found: Vec<Record> = game.call("tcsbase.move.reach", [unit.into()]);
            let mut way = vec![params.get::<Hex>("to")];
            while let Some(step) = found.iter().find(|one| one.get::<Hex>("hex") == way[way.len() - 1]) {
                let before: Hex = step.get("before");
                if before == unit.get("at") || way.len() > 60 {
                    break;
                }
                way.push(before);
            }
            way.reverse();
            game.push("tcsbase.move.walk", [unit.into(), way.into()]);
        });
    rules.define(
        Rule::new("tcsbase.move.may", "unit: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcsbase.mode.move"])
            .doc("whether a unit may move"),
        |_: Game, (unit,): (Entity,)| -> Verdict {
            match () {
                () if unit.get("has_moved") => Err("it has moved".into()),
                () if unit.get::<String>("state") != "ready" => Err("it is suppressed".into()),
                () if unit.get::<String>("mode") == "fire" => Err("it is in fire mode".into()),
                () => Ok(()),
            }
        },
    );
    rules.step(
        Rule::new("tcsbase.move.walk", "unit: entity(tcsbase.unit), way: list(hex)")
            .cites(&["tcsbase.ow.trigger"]),
        |game: Game, (unit, way): (Entity, Vec<Hex>)| {
            let Some((next, rest)) = way.split_first() else { return };
            if !game.exists(unit) || unit.get::<String>("state") != "ready" {
                return;
            }
            unit.set("at", *next);
            unit.set("trigger", "new");
            game.emit("tcsbase.move.entered_hex", record([("unit", unit.into()), ("at", (*next).into())]));
            game.open("tcsbase.ow.entered", record([("mover", unit.into())]));
            game.push("tcsbase.move.walk", [unit.into(), rest.to_vec().into()]);
        },
    );
    permission(rules);
    rules
        .reaction("tcsbase.ow.fire")
        .title("Fire overwatch")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcsbase.ow.trigger"])
        .allowed(|game, unit, window| {
            let mover: Entity = window.get("mover");
            if !game.exists(mover) {
                return Err("it is out of play".into());
            }
            let may: Option<String> = game.call("tcsbase.ow.may", [unit.into(), mover.into()]);
            let shot: Option<String> = game.call("tcsbase.fire.may", [unit.into(), mover.into()]);
            may.or(shot).map_or(Ok(()), Err)
        })
        .score(|_, _, _, _| 5)
        .perform(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            if game.call("tcsbase.ow.ask", [unit.into(), mover.into()]) {
                game.push("tcsbase.fire.gun", [unit.into(), mover.into()]);
            }
        });
}

/// Numbered columns and rows from 1 on are on the map.
fn is_on_map(hex: Hex) -> bool {
    let (column, row) = hex.column_row();
    (1..=40).contains(&column) && (1..=40).contains(&row)
}

fn permission(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.ow.may", "unit: entity(tcsbase.unit), mover: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcsbase.ow.trigger", "tcsbase.ow.permission", "tcsbase.ow.marked"])
            .doc("whether a unit may try to fire overwatch, whatever its weapon"),
        |_: Game, (unit, mover): (Entity, Entity)| -> Verdict {
            match () {
                () if unit.side() == mover.side() => Err("it is a friend".into()),
                () if unit.get::<String>("state") != "ready" => Err("it is suppressed".into()),
                () if unit.get::<String>("mode") != "fire" => Err("it is not in fire mode".into()),
                () if mover.get::<String>("trigger") == "refused"
                    && (range(unit, mover) > 3 || unit.get("is_marked")) =>
                {
                    Err("the fire was not permitted".into())
                }
                () => Ok(()),
            }
        },
    );
    rules.define(
        Rule::new("tcsbase.ow.ask", "unit: entity(tcsbase.unit), mover: entity(tcsbase.unit)")
            .returns("bool")
            .effects("draws writes")
            .cites(&["tcsbase.ow.permission", "tcsbase.ow.marked", "tcsbase.ow.marker"])
            .doc("rolls for permission where it is needed; marks the unit if it fires"),
        |game: Game, (unit, mover): (Entity, Entity)| {
            let is_marked: bool = unit.get("is_marked");
            if mover.get::<String>("trigger") == "new" && (range(unit, mover) > 3 || is_marked) {
                let given = die(game, "permission", 5);
                mover.set("trigger", if given { "given" } else { "refused" });
            }
            let is_free = range(unit, mover) <= 3 && !is_marked;
            let may = is_free || mover.get::<String>("trigger") == "given";
            let fires = may && (!is_marked || die(game, "additional overwatch", 6));
            if fires {
                unit.set("is_marked", true);
                unit.set("has_fired", false);
            } else if may {
                unit.set("has_fired", true);
            }
            fires
        },
    );
}

fn die(game: Game, what: &str, needed: i64) -> bool {
    let face = game.roll(&Die::new(6), what);
    let result = if face >= needed { "given" } else { "refused" };
    game.emit(
        "tcsbase.ow.die",
        record([("what", what.into()), ("die", face.into()), ("result", result.into())]),
    );
    face >= needed
}
