//! The phases of a turn.

use houserule_guest::prelude::*;
use houserule_guest::rules::Acting;

use crate::{BATTERY, UNIT};

pub fn register(rules: &mut Rules) {
    let phases = [
        "tcsbase.seq.mode",
        "tcsbase.seq.markers",
        "tcsbase.seq.call",
        "tcsbase.seq.missions",
        "tcsbase.seq.direct",
        "tcsbase.seq.action",
        "tcsbase.seq.cleanup",
    ];
    rules.phase(Phase::rounds("tcsbase.seq.game", &phases, Some("tcsbase.seq.over")).title("Game").root());
    let acts = |id: &str, order: Acting, title: &str| {
        Phase::acts(id, order).title(title).announced().may_end("tcsbase.seq.may_end").ends_when_idle()
    };
    rules.phase(
        acts("tcsbase.seq.mode", Acting::OneAfterAnother, "Mode Determination").cites(&["tcsbase.seq.mode"]),
    );
    rules.automatic(Phase::sequence("tcsbase.seq.markers", &[]).cites(&["tcsbase.ow.marker"]), |game| {
        for unit in game.entities(UNIT) {
            unit.set("is_marked", false);
            unit.set("has_fired", false);
        }
    });
    rules.phase(
        acts("tcsbase.seq.call", Acting::OneAfterAnother, "Call for Fire").cites(&["tcsbase.seq.call"]),
    );
    rules.automatic(Phase::sequence("tcsbase.seq.missions", &[]).title("Missions").announced(), |game| {
        for battery in game.entities(BATTERY) {
            game.push("tcsbase.art.fire", [battery.into()]);
        }
    });
    rules.phase(
        acts("tcsbase.seq.direct", Acting::Alternating, "Suppressive Fire")
            .may_pass("tcsbase.seq.may_end")
            .cites(&["tcsbase.seq.sfp"]),
    );
    rules.phase(acts("tcsbase.seq.action", Acting::OneAfterAnother, "Action").cites(&["tcsbase.seq.action"]));
    rules.automatic(
        Phase::sequence("tcsbase.seq.cleanup", &[]).title("Clean Up").cites(&["tcsbase.seq.cleanup"]),
        |game| {
            for unit in game.entities(UNIT) {
                unit.set("state", "ready");
                unit.set("has_fired", false);
                unit.set("has_moved", false);
            }
            for battery in game.entities(BATTERY) {
                battery.set("fired_last", battery.get::<i64>("fired_now"));
                battery.set("fired_now", 0);
            }
        },
    );
    rules.define(
        Rule::new("tcsbase.seq.may_end", "side: text").returns("verdict"),
        |_: Game, (_,): (String,)| Verdict::Ok(()),
    );
    rules.define(Rule::new("tcsbase.seq.over", "").returns("bool"), |game: Game, ()| {
        let is_gone = |side: &String| game.all(UNIT, "side", side.as_str()).is_empty();
        game.turns().is_some_and(|turns| game.round("tcsbase.seq.game") >= turns)
            || game.sides().iter().any(is_gone)
    });
    rules.define(
        Rule::new("tcsbase.mode.choices", "unit: entity(tcsbase.unit)")
            .returns("list(text)")
            .cites(&["tcsbase.mode.set"])
            .doc("the modes that a unit may change to"),
        |_: Game, (unit,): (Entity,)| -> Vec<String> {
            let is_ground = unit.get::<String>("class") != "helicopter";
            let is_marked = is_ground && unit.get("is_marked");
            let now: String = unit.get("mode");
            let modes = if is_marked { vec!["fire"] } else { vec!["fire", "move"] };
            modes.into_iter().filter(|mode| *mode != now).map(str::to_string).collect()
        },
    );
    rules
        .action("tcsbase.mode.change")
        .title("Change mode")
        .at("tcsbase.seq.mode")
        .actor(UNIT)
        .cites(&["tcsbase.mode.set"])
        .allowed(|_, unit| match unit.get::<String>("state").as_str() {
            "ready" => Ok(()),
            state => Err(format!("it is {state}")),
        })
        .param("mode", "To which mode?", "fire|move|dual", |game, unit, _| {
            let choices: Vec<String> = game.call("tcsbase.mode.choices", [unit.into()]);
            Some(Domain::words(choices.iter().map(String::as_str)))
        })
        .score(|_, _, _| -1)
        .perform(|_, unit, params| unit.set("mode", params.get::<String>("mode")));
}
