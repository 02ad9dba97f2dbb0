//! Missions: called, fired, complete.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::BATTERY;

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcsbase.art.complete",
        "battery: entity(tcsbase.battery), number: integer",
        AskedFirst::OthersOnly,
        &["tcsbase.art.battery"],
    );
    rules
        .action("tcsbase.art.call")
        .title("Call for fire")
        .at("tcsbase.seq.call")
        .actor(BATTERY)
        .cites(&["tcsbase.seq.call", "tcsbase.art.battery", "tcsbase.art.size"])
        .allowed(|_, battery| match () {
            () if battery.get::<Option<Record>>("mission").is_some() => Err("it has a mission".into()),
            () if battery.get::<String>("role") == "cb" => Err("it fires at batteries only".into()),
            () if battery.get::<i64>("tubes") == 0 => Err("it has nothing left to fire with".into()),
            () if stock(battery).is_empty() => Err("it has no rounds left".into()),
            () => Ok(()),
        })
        .param("rounds", "Which rounds?", "he|dpicm|icm", |_, battery, _| Some(Domain::words(stock(battery))))
        .param("size", "How many battery fires?", "integer 1..3", |_, battery, params| {
            Some(Domain::integer(1, battery.get::<i64>(&params.get::<String>("rounds")).min(3)))
        })
        .param("at", "At which hex?", "hex", |game, battery, _| {
            let enemies = game.entities(crate::UNIT).into_iter().filter(|unit| unit.side() != battery.side());
            let mut hexes: Vec<Hex> = enemies.map(|unit| unit.get("at")).collect();
            hexes.sort();
            hexes.dedup();
            Some(Domain::hexes(hexes))
        })
        .score(|_, _, params| 3 + params.get::<i64>("size"))
        .perform(|_, battery, params| battery.set("mission", params));
    rules.step(
        Rule::new("tcsbase.art.fire", "battery: entity(tcsbase.battery)")
            .cites(&["tcsbase.seq.sfp", "tcsbase.art.size"]),
        |game: Game, (battery,): (Entity,)| {
            let Some(mission) = battery.get::<Option<Record>>("mission") else { return };
            battery.set("mission", Value::Nothing);
            let rounds: String = mission.get("rounds");
            let size = mission.get::<i64>("size").min(battery.get(&rounds));
            if size == 0 || battery.get::<i64>("tubes") == 0 {
                return;
            }
            let told = record([
                ("battery", battery.into()),
                ("size", size.into()),
                ("rounds", rounds.as_str().into()),
                ("at", mission.get("at")),
            ]);
            game.emit("tcsbase.art.fired", told);
            game.call::<Value>("tcsbase.art.spend", [battery.into(), rounds.into(), size.into()]);
        },
    );
    rules.define(
        Rule::new(
            "tcsbase.art.spend",
            "battery: entity(tcsbase.battery), rounds: he|dpicm|icm, size: integer 1..3",
        )
        .effects("writes")
        .cites(&["tcsbase.art.battery"])
        .doc("takes the rounds of a mission that was fired; then the mission is complete"),
        |game: Game, (battery, rounds, size): (Entity, String, i64)| {
            battery.set(&rounds, battery.get::<i64>(&rounds) - size);
            battery.set("fired_now", battery.get::<i64>("fired_now") + size);
            let clock = game.named("clock");
            let number = clock.get::<i64>("missions") + 1;
            clock.set("missions", number);
            game.open(
                "tcsbase.art.complete",
                record([("battery", battery.into()), ("number", number.into())]),
            );
        },
    );
}

/// The rounds that a battery has.
fn stock(battery: Entity) -> Vec<&'static str> {
    ["he", "dpicm", "icm"].into_iter().filter(|rounds| battery.get::<i64>(rounds) > 0).collect()
}
