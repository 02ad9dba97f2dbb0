//! Modes: who may fire, who may move, and who counts as moving.

use houserule_guest::prelude::*;

use crate::UNIT;

const ONE: &str = "unit: entity(tcsbase.unit)";

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.mode.fires", ONE)
            .returns("verdict")
            .cites(&["tcsbase.mode.fire", "tcsbase.mode.move"])
            .doc("whether the mode of a unit lets it fire in the Suppressive Fire Phase"),
        |_: Game, (unit,): (Entity,)| in_mode(unit, "fire"),
    );
    rules.define(
        Rule::new("tcsbase.mode.watches", ONE)
            .returns("verdict")
            .cites(&["tcsbase.ow.who"])
            .doc("whether the mode and state of a unit let it fire overwatch"),
        |_: Game, (unit,): (Entity,)| {
            ready(unit)?;
            in_mode(unit, "fire")
        },
    );
    rules.define(
        Rule::new("tcsbase.mode.moves", ONE)
            .returns("verdict")
            .cites(&["tcsbase.mode.fire", "tcsbase.mode.move", "tcsbase.move.who"])
            .doc("whether the mode of a unit lets it move"),
        |_: Game, (unit,): (Entity,)| in_mode(unit, "move"),
    );
    rules.define(
        Rule::new("tcsbase.mode.is_moving", ONE)
            .returns("bool")
            .cites(&["tcsbase.mode.cover"])
            .doc("whether a unit counts as moving to those who fire at it"),
        |_: Game, (unit,): (Entity,)| unit.get::<String>("mode") == "move",
    );
    rules.define(
        Rule::new("tcsbase.mode.choices", ONE)
            .returns("list(text)")
            .cites(&["tcsbase.mode.two", "tcsbase.mode.set"])
            .doc("the modes that a unit may be in, now and by a change"),
        |_: Game, (unit,): (Entity,)| -> Vec<String> {
            let modes = if unit.get("is_marked") { vec!["fire"] } else { vec!["fire", "move"] };
            modes.into_iter().map(str::to_string).collect()
        },
    );
    rules
        .action("tcsbase.mode.change")
        .title("Change mode")
        .at("tcsbase.seq.mode")
        .actor(UNIT)
        .cites(&["tcsbase.seq.mode", "tcsbase.mode.set"])
        .allowed(|game, unit| {
            ready(unit)?;
            if others(game, unit).is_empty() { Err("it has no other mode".into()) } else { Ok(()) }
        })
        .param("mode", "To which mode?", "fire|move|dual", |game, unit, _| {
            Some(Domain::words(others(game, unit).iter().map(String::as_str)))
        })
        .score(|game, unit, params| changing(game, unit, &params.get::<String>("mode")))
        .perform(|_, unit, params| unit.set("mode", params.get::<String>("mode")));
}

fn others(game: Game, unit: Entity) -> Vec<String> {
    let mut modes: Vec<String> = game.call("tcsbase.mode.choices", [unit.into()]);
    let now: String = unit.get("mode");
    modes.retain(|mode| *mode != now);
    modes
}

/// A bot stands still where it sees somebody to fire at, and moves elsewhere.
fn changing(game: Game, unit: Entity, mode: &str) -> i64 {
    let sees = |other: &Entity| game.call::<bool>("tcsbase.los.sees", [unit.into(), (*other).into()]);
    let is_armed = unit.get::<i64>("reach") > 0 || unit.get::<i64>("fp") > 0;
    let has_target = is_armed && crate::enemies(game, unit).iter().any(sees);
    match mode {
        "fire" if has_target => 6,
        "move" | "dual" if is_armed && !has_target && unit.get("advances") => 4,
        _ => -1,
    }
}

fn in_mode(unit: Entity, mode: &str) -> Verdict {
    match unit.get::<String>("mode") {
        now if now == mode => Ok(()),
        now => Err(format!("it is in {now} mode")),
    }
}

/// Whether nothing keeps a unit down.
pub fn ready(unit: Entity) -> Verdict {
    match unit.get::<String>("state").as_str() {
        "ready" => Ok(()),
        state => Err(format!("it is {state}")),
    }
}

/// Whether a unit may fire a point weapon in the Suppressive Fire Phase.
pub fn may_fire(game: Game, unit: Entity) -> Verdict {
    ready(unit)?;
    game.call::<Verdict>("tcsbase.mode.fires", [unit.into()])
}
