//! How helicopters fly.

use houserule_guest::INCH;
use houserule_guest::prelude::*;

use crate::aa::able;
use crate::arithmetic::checks;
use crate::{UNIT, enemies, is_helicopter};

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.helo.cost", "what: low|noe|change")
            .returns("integer")
            .cites(&["tcs.helo.mp", "tcs.tbl.helo_mp"])
            .doc("movement points: of a hex at a height, or of a change of height"),
        |game: Game, (what,): (String,)| -> i64 {
            game.row("tcs.helo.costs", [what.into()]).map_or(0, |row| row.get("cost"))
        },
    );
    // It flies instead of moving.
    rules.wrap(
        Rule::over("tcsbase.mode.moves").cites(&["tcs.helo.move_and_fire"]),
        |game: Game, (unit,): (Entity,)| -> Verdict {
            if is_helicopter(unit) {
                return Err("it flies".into());
            }
            game.base([unit.into()])
        },
    );
    rules
        .action("tcs.helo.fly")
        .title("Fly")
        .at("tcsbase.seq.action")
        .actor(UNIT)
        .cites(&["tcs.helo.mp", "tcs.helo.change", "tcs.helo.move_and_fire"])
        .allowed(|_, unit| match () {
            () if !is_helicopter(unit) => Err("it is no helicopter".into()),
            () if unit.get::<i64>("spent") >= unit.get("allowance") => Err("it has no points left".into()),
            () => Ok(()),
        })
        .param("height", "At which height?", "low|noe", |_, _, _| Some(Domain::words(["noe", "low"])))
        .param("to", "Where to?", "hex", |game, unit, params| {
            Some(Domain::hexes(reach(game, unit, &params.get::<String>("height"))))
        })
        .score(|_, _, _| -1)
        .perform(|game, unit, params| {
            let (height, to): (String, Hex) = (params.get("height"), params.get("to"));
            let from: Hex = unit.get("at");
            if unit.get::<String>("height") != height {
                unit.set("height", height.as_str());
                game.emit(
                    "tcs.helo.changed",
                    record([("helicopter", unit.into()), ("height", height.into())]),
                );
                let cost: i64 = game.call("tcs.helo.cost", ["change".into()]);
                game.push("tcs.helo.pay", [unit.into(), cost.into(), false.into()]);
            }
            let way: Vec<Hex> = from.line(to).into_iter().map(|(hex, _)| hex).skip(1).collect();
            game.push("tcs.helo.leg", [unit.into(), way.into()]);
        });
    steps(rules);
}

/// The hexes of the map that a helicopter can still fly to.
fn reach(game: Game, unit: Entity, height: &str) -> Vec<Hex> {
    let cost = |what: &str| game.call::<i64>("tcs.helo.cost", [what.into()]);
    let change = if unit.get::<String>("height") == height { 0 } else { cost("change") };
    let left = unit.get::<i64>("allowance") - unit.get::<i64>("spent") - change;
    let most = left / cost(height).max(1);
    let at: Hex = unit.get("at");
    let (width, depth) = game.size();
    let rows = |column: i64| (1..=depth / INCH).map(move |row| Hex::at(column as i32, row as i32));
    let all = (1..=width / INCH).flat_map(rows);
    all.filter(|hex| *hex != at && i64::from(hex.distance(at)) <= most).collect()
}

fn steps(rules: &mut Rules) {
    rules.step(
        Rule::new("tcs.helo.leg", "helicopter: entity(tcsbase.unit), way: list(hex)").cites(&["tcs.helo.mp"]),
        |game: Game, (unit, way): (Entity, Vec<Hex>)| {
            let Some((next, rest)) = way.split_first() else { return };
            if !game.exists(unit) || unit.get::<String>("state") != "ready" {
                return;
            }
            game.call::<Value>("tcsbase.ow.enter", [unit.into(), (*next).into()]);
            let cost: i64 = game.call("tcs.helo.cost", [unit.get::<Value>("height")]);
            game.push("tcs.helo.pay", [unit.into(), cost.into(), true.into()]);
            game.open("tcsbase.ow.entered", record([("mover", unit.into())]));
            game.push("tcs.helo.leg", [unit.into(), rest.to_vec().into()]);
        },
    );
    rules.step(
        Rule::new("tcs.helo.pay", "helicopter: entity(tcsbase.unit), cost: integer, entered: bool")
            .cites(&["tcs.helo.aa10"]),
        |game: Game, (unit, cost, entered): (Entity, i64, bool)| {
            if !game.exists(unit) {
                return;
            }
            let before: i64 = unit.get("spent");
            unit.set("spent", before + cost);
            let halts = checks(before, before + cost);
            for _ in 0..halts {
                game.push("tcs.helo.aa", [unit.into()]);
            }
            if entered && halts == 0 {
                game.call::<Value>("tcs.helo.overflown", [unit.into()]);
            }
        },
    );
    rules.define(
        Rule::new("tcs.helo.overflown", "helicopter: entity(tcsbase.unit)")
            .effects("writes")
            .cites(&["tcs.helo.mp"])
            .doc("what those do over whom a helicopter flies"),
        |_: Game, (_,): (Entity,)| {},
    );
    rules.wrap(
        Rule::over("tcs.helo.overflown").cites(&["tcs.helo.aa.overfly", "tcs.helo.overfly"]),
        |game: Game, (unit,): (Entity,)| {
            let at: Hex = unit.get("at");
            let able = able(game, unit);
            let under = enemies(game, unit).into_iter().filter(|enemy| enemy.get::<Hex>("at") == at);
            let under: Vec<Entity> = under.filter(|enemy| able.contains(enemy)).collect();
            if !under.is_empty() {
                game.push("tcs.helo.aa_by", [under.into(), unit.into()]);
            }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.seq.refresh").cites(&["tcs.helo.aa10"]),
        |game: Game, (unit,): (Entity,)| {
            game.base::<Value>([unit.into()]);
            unit.set("spent", 0);
        },
    );
}
