//! Missions: called, fired, complete.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::BATTERY;

const ONE: &str = "battery: entity(tcsbase.battery)";

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcsbase.art.complete",
        "battery: entity(tcsbase.battery), number: integer",
        AskedFirst::OthersOnly,
        &["tcsbase.art.battery"],
    );
    roles(rules);
    call(rules);
    rules.step(
        Rule::new("tcsbase.art.fire", ONE).cites(&["tcsbase.seq.sfp", "tcsbase.art.size"]),
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
            game.push("tcsbase.art.land", [battery.into(), rounds.into(), size.into(), mission.get("at")]);
        },
    );
    rules.step(
        Rule::new(
            "tcsbase.art.spend",
            "battery: entity(tcsbase.battery), rounds: he|dpicm|icm, size: integer 1..3",
        )
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
    rules.define(
        Rule::new("tcsbase.art.refresh", ONE)
            .effects("writes")
            .cites(&["tcsbase.seq.cleanup", "tcsbase.art.assign"])
            .doc("what the Clean Up Phase does for a battery"),
        |_: Game, (battery,): (Entity,)| {
            battery.set("fired_last", battery.get::<i64>("fired_now"));
            battery.set("fired_now", 0);
            if let Some(role) = battery.get::<Option<String>>("next_role") {
                battery.set("role", role);
                battery.set("next_role", Value::Nothing);
            }
        },
    );
}

fn roles(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.art.roles", ONE)
            .returns("list(text)")
            .cites(&["tcsbase.art.assign"])
            .doc("the roles that a battery may be assigned"),
        |_: Game, (_,): (Entity,)| vec!["ds".to_string(), "gs".to_string()],
    );
    rules
        .action("tcsbase.art.assign")
        .title("Assign a battery")
        .at("tcsbase.seq.command")
        .actor(BATTERY)
        .cites(&["tcsbase.seq.command", "tcsbase.art.assign"])
        .allowed(|_, battery| match battery.get::<Option<String>>("next_role") {
            Some(_) => Err("it has been assigned".into()),
            None => Ok(()),
        })
        .param("role", "To which role, from the next turn on?", "ds|gs|cb", |game, battery, _| {
            let mut roles: Vec<String> = game.call("tcsbase.art.roles", [battery.into()]);
            let now: String = battery.get("role");
            roles.retain(|role| *role != now);
            Some(Domain::words(roles.iter().map(String::as_str)))
        })
        .score(|_, _, _| -1)
        .perform(|_, battery, params| battery.set("next_role", params.get::<String>("role")));
}

fn call(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.art.may_call", ONE)
            .returns("verdict")
            .cites(&["tcsbase.art.call", "tcsbase.art.battery"])
            .doc("whether a battery may be called for fire"),
        |_: Game, (battery,): (Entity,)| -> Verdict {
            match () {
                () if battery.get::<Option<Record>>("mission").is_some() => Err("it has a mission".into()),
                () if battery.get::<i64>("tubes") == 0 => Err("it has nothing left to fire with".into()),
                () if stock(battery).is_empty() => Err("it has no rounds left".into()),
                () => Ok(()),
            }
        },
    );
    rules
        .action("tcsbase.art.call")
        .title("Call for fire")
        .at("tcsbase.seq.call")
        .actor(BATTERY)
        .cites(&["tcsbase.seq.call", "tcsbase.art.call", "tcsbase.art.size"])
        .allowed(|game, battery| game.call("tcsbase.art.may_call", [battery.into()]))
        .param("rounds", "Which rounds?", "he|dpicm|icm", |_, battery, _| Some(Domain::words(stock(battery))))
        .param("size", "How many battery fires?", "integer 1..3", |_, battery, params| {
            Some(Domain::integer(1, battery.get::<i64>(&params.get::<String>("rounds")).min(3)))
        })
        .param("at", "At which hex?", "hex", |game, battery, _| {
            let enemies = game.entities(crate::UNIT).into_iter().filter(|unit| unit.side() != battery.side());
            let ground = enemies.filter(|unit| unit.get::<String>("class") != "helicopter");
            let mut hexes: Vec<(Hex, String)> = ground
                .map(|unit| (unit.get("at"), format!("{} at {}", unit.label(), unit.get::<Hex>("at"))))
                .collect();
            hexes.sort();
            hexes.dedup_by_key(|(hex, _)| *hex);
            Some(Domain::choices(hexes))
        })
        .score(|game, battery, params| {
            let at: Hex = params.get("at");
            let soft = |unit: &Entity| unit.get::<String>("target") != "point" && unit.get::<Hex>("at") == at;
            let is_soft =
                game.entities(crate::UNIT).iter().any(|unit| unit.side() != battery.side() && soft(unit));
            3 + if is_soft { 5 } else { 0 } - params.get::<i64>("size")
        })
        .perform(|_, battery, params| battery.set("mission", params));
}

/// The rounds that a battery has.
fn stock(battery: Entity) -> Vec<&'static str> {
    ["he", "dpicm", "icm"].into_iter().filter(|rounds| battery.get::<i64>(rounds) > 0).collect()
}
