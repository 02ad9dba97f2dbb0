//! Movement, hex by hex.

use houserule_guest::prelude::*;

use crate::map::{effects, ground, is_on_map};
use crate::modes::ready;
use crate::{UNIT, enemies};

/// What each move of a unit costs.
pub fn costs(game: Game, unit: Entity) -> HexCosts {
    let class: String = unit.get("class");
    let cost = |terrain: &str| effects(game, terrain).get::<Option<u32>>(&class);
    let mut costs = HexCosts { otherwise: cost("open"), ..HexCosts::default() };
    for place in game.entities("tcsbase.ground") {
        let name = place.name();
        let (Ok(column), Ok(row)) = (name[1..3].parse::<i32>(), name[3..5].parse::<i32>()) else { continue };
        let hex = Hex::at(column, row);
        costs.enter.push((hex, cost(&place.get::<String>("terrain"))));
        let level: i64 = place.get("level");
        for next in hex.neighbours() {
            if ground(game, next).level != level {
                costs.cross.push((hex, next, Some(1)));
                costs.cross.push((next, hex, Some(1)));
            }
        }
    }
    let at: Hex = unit.get("at");
    let held = enemies(game, unit).into_iter().filter(|enemy| enemy.get::<String>("class") != "helicopter");
    costs
        .enter
        .extend(held.map(|enemy| enemy.get::<Hex>("at")).filter(|hex| *hex != at).map(|hex| (hex, None)));
    costs
}

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.move.reach", "unit: entity(tcsbase.unit)")
            .returns("list({hex: hex, before: hex})")
            .cites(&["tcsbase.terrain.movement", "tcsbase.move.enemy", "tcsbase.gen.map_edge"])
            .doc("the hexes that a unit can move to, each with the one before it"),
        |game: Game, (unit,): (Entity,)| -> Vec<Record> {
            let found = unit.get::<Hex>("at").reach(unit.get("allowance"), &costs(game, unit));
            let on_map = found.into_iter().filter(|(hex, _, _)| is_on_map(game, *hex));
            on_map.map(|(hex, _, before)| record([("hex", hex.into()), ("before", before.into())])).collect()
        },
    );
    rules.define(
        Rule::new("tcsbase.move.may", "unit: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcsbase.move.who"])
            .doc("whether a unit may move"),
        |game: Game, (unit,): (Entity,)| -> Verdict {
            if unit.get("has_moved") {
                return Err("it has moved".into());
            }
            ready(unit)?;
            game.call::<Verdict>("tcsbase.mode.moves", [unit.into()])
        },
    );
    go(rules);
    rules.step(
        Rule::new("tcsbase.move.walk", "unit: entity(tcsbase.unit), way: list(hex)").cites(&[
            "tcsbase.ow.trigger",
            "tcsbase.ow.resolve",
            "tcsbase.move.ow",
        ]),
        |game: Game, (unit, way): (Entity, Vec<Hex>)| {
            let Some((next, rest)) = way.split_first() else { return };
            if !game.exists(unit) || unit.get::<String>("state") != "ready" {
                return;
            }
            game.call::<Value>("tcsbase.ow.enter", [unit.into(), (*next).into()]);
            game.open("tcsbase.ow.entered", record([("mover", unit.into())]));
            game.push("tcsbase.move.walk", [unit.into(), rest.to_vec().into()]);
        },
    );
}

fn go(rules: &mut Rules) {
    rules
        .action("tcsbase.move.go")
        .title("Move")
        .at("tcsbase.seq.action")
        .actor(UNIT)
        .cites(&["tcsbase.seq.action", "tcsbase.move.who"])
        .allowed(|game, unit| game.call::<Verdict>("tcsbase.move.may", [unit.into()]))
        .param("to", "Where to?", "hex", |game, unit, _| {
            let at: Hex = unit.get("at");
            let found: Vec<Record> = game.call("tcsbase.move.reach", [unit.into()]);
            let mut hexes: Vec<Hex> =
                found.iter().map(|one| one.get("hex")).filter(|hex| *hex != at).collect();
            // Those first that lead to the enemy.
            let goals: Vec<Hex> = enemies(game, unit).iter().map(|enemy| enemy.get("at")).collect();
            hexes.sort_by_key(|hex| goals.iter().map(|goal| hex.distance(*goal)).min());
            Some(Domain::hexes(hexes))
        })
        .score(|game, unit, params| {
            let to: Hex = params.get("to");
            let goals = enemies(game, unit);
            let nearest = goals.iter().map(|enemy| to.distance(enemy.get("at"))).min().unwrap_or(0);
            let now = goals.iter().map(|enemy| unit.get::<Hex>("at").distance(enemy.get("at"))).min();
            if nearest < now.unwrap_or(0) && unit.get("advances") { 100 - i64::from(nearest) } else { -1 }
        })
        .perform(|game, unit, params| {
            unit.set("has_moved", true);
            let found: Vec<Record> = game.call("tcsbase.move.reach", [unit.into()]);
            let mut way = vec![params.get::<Hex>("to")];
            while let Some(step) = found.iter().find(|one| one.get::<Hex>("hex") == way[way.len() - 1]) {
                let before: Hex = step.get("before");
                if before == unit.get("at") || way.len() > found.len() {
                    break;
                }
                way.push(before);
            }
            way.reverse();
            game.push("tcsbase.move.walk", [unit.into(), way.into()]);
        });
}
