//! The phases of a turn.

use houserule_guest::prelude::*;
use houserule_guest::rules::Acting;

use crate::arithmetic::recovered;
use crate::{BATTERY, UNIT};

const PHASES: [&str; 8] = [
    "tcsbase.seq.command",
    "tcsbase.seq.mode",
    "tcsbase.seq.markers",
    "tcsbase.seq.call",
    "tcsbase.seq.missions",
    "tcsbase.seq.direct",
    "tcsbase.seq.action",
    "tcsbase.seq.cleanup",
];

const DAY: i64 = 24 * 60;

pub fn register(rules: &mut Rules) {
    rules.phase(Phase::rounds("tcsbase.seq.game", &PHASES, Some("tcsbase.seq.over")).title("Game").root());
    let acts = |id: &str, order: Acting, title: &str| {
        Phase::acts(id, order).title(title).announced().may_end("tcsbase.seq.may_end").ends_when_idle()
    };
    rules.phase(
        acts("tcsbase.seq.command", Acting::OneAfterAnother, "Command").cites(&["tcsbase.seq.command"]),
    );
    rules.phase(
        acts("tcsbase.seq.mode", Acting::OneAfterAnother, "Mode Determination").cites(&["tcsbase.seq.mode"]),
    );
    rules.automatic(Phase::sequence("tcsbase.seq.markers", &[]).cites(&["tcsbase.ow.marker"]), |game| {
        game.entities(UNIT).into_iter().for_each(|unit| unit.set("is_marked", false));
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
            .cites(&["tcsbase.seq.sfp", "tcsbase.seq.sfp.alternate"]),
    );
    rules.phase(acts("tcsbase.seq.action", Acting::OneAfterAnother, "Action").cites(&["tcsbase.seq.action"]));
    rules.automatic(
        Phase::sequence("tcsbase.seq.cleanup", &[])
            .title("Clean Up")
            .announced()
            .cites(&["tcsbase.seq.cleanup"]),
        |game| {
            for unit in game.entities(UNIT) {
                game.call::<Value>("tcsbase.seq.refresh", [unit.into()]);
            }
            for battery in game.entities(BATTERY) {
                game.call::<Value>("tcsbase.art.refresh", [battery.into()]);
            }
            for ground in game.entities("tcsbase.ground") {
                if ground.get::<i64>("smoke") > 0 {
                    game.push("tcsbase.smoke.clear", [ground.into()]);
                }
            }
            game.entities("tcsbase.light").into_iter().for_each(|light| game.remove(light));
            game.push("tcsbase.seq.hour", []);
        },
    );
    clock(rules);
    ends(rules);
}

fn clock(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.seq.refresh", "unit: entity(tcsbase.unit)")
            .effects("writes draws")
            .cites(&["tcsbase.seq.cleanup"])
            .doc("what the Clean Up Phase does for a unit"),
        |game: Game, (unit,): (Entity,)| {
            for spent in ["has_fired", "has_moved", "has_rolled"] {
                unit.set(spent, false);
            }
            game.call::<Value>("tcsbase.morale.rally", [unit.into()]);
        },
    );
    rules.step(
        Rule::new("tcsbase.seq.hour", "").cites(&["tcsbase.gen.hour", "tcsbase.gen.night_turn"]),
        |game: Game, ()| {
            let clock = game.named("clock");
            let length = if clock.get("is_night") { 60 } else { 20 };
            let time = clock.get::<i64>("minutes") + length;
            clock.set("minutes", time);
            if time % 60 == 0 {
                for company in game.entities("tcsbase.company") {
                    game.call::<Value>("tcsbase.morale.recover", [company.into()]);
                }
            }
        },
    );
    rules.define(
        Rule::new("tcsbase.gen.time", "")
            .returns("integer")
            .cites(&["tcsbase.gen.hour"])
            .doc("minutes since midnight"),
        |game: Game, ()| game.named("clock").get::<i64>("minutes") % DAY,
    );
    rules.define(
        Rule::new("tcsbase.morale.share", "company: entity(tcsbase.company)")
            .returns("integer")
            .cites(&["tcsbase.morale.recovery"])
            .doc("which fraction of its morale a company recovers in an hour, as a divisor"),
        |_: Game, (_,): (Entity,)| 3,
    );
    rules.define(
        Rule::new("tcsbase.morale.recover", "company: entity(tcsbase.company)")
            .effects("writes")
            .cites(&["tcsbase.morale.recovery"])
            .doc("recovers morale of a company on the full hour"),
        |game: Game, (company,): (Entity,)| {
            let morale: i64 = company.get("morale");
            company.set(
                "morale",
                morale - recovered(morale, game.call("tcsbase.morale.share", [company.into()])),
            );
        },
    );
}

fn ends(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.seq.may_end", "side: text").returns("verdict"),
        |_: Game, (_,): (String,)| Verdict::Ok(()),
    );
    rules.define(Rule::new("tcsbase.seq.over", "").returns("bool"), |game: Game, ()| {
        let is_gone = |side: &String| game.all(UNIT, "side", side.as_str()).is_empty();
        game.turns().is_some_and(|turns| game.round("tcsbase.seq.game") >= turns)
            || game.sides().iter().any(is_gone)
    });
}
