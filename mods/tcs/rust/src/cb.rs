//! Counterbattery, in chains.

use houserule_guest::prelude::*;

use crate::BATTERY;
use crate::arithmetic::tubes_lost;

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new(
            "tcs.cb.may",
            "battery: entity(tcsbase.battery), target: entity(tcsbase.battery), number: integer",
        )
        .returns("verdict")
        .cites(&["tcs.cb.role", "tcs.cb.rate", "tcs.cb.ammo", "tcs.cb.mortars"])
        .doc("whether a battery may look for one that has fired"),
        |game: Game, (battery, target, number): (Entity, Entity, i64)| -> Verdict {
            let is_mortar = |battery: Entity| battery.get::<String>("system") == "mortar";
            match () {
                () if battery.side() == target.side() => Err("that is a friend".into()),
                () if battery.get::<String>("role") != "cb" => Err("that is not its role".into()),
                () if is_mortar(battery) || is_mortar(target) => Err("mortars take no part".into()),
                () if battery.get("has_countered") => Err("it has fired counterbattery in this turn".into()),
                () if battery.get::<i64>("tubes") == 0 => Err("it has no tubes left".into()),
                () if stock(battery).is_empty() => Err("it has no rounds left".into()),
                () if battery.get::<i64>("tried") == number
                    && game.option::<String>("tcs.cb.attempts") == "once" =>
                {
                    Err("it has looked for that one".into())
                }
                () => Ok(()),
            }
        },
    );
    rules.define(
        Rule::new("tcs.cb.needed", "target: entity(tcsbase.battery)")
            .returns("integer")
            .cites(&["tcs.cb.acquire"])
            .doc("what a die must show, by how often the target has fired"),
        |game: Game, (target,): (Entity,)| {
            let fires = target.get::<i64>("fired_now") + target.get::<i64>("fired_last");
            let rows = game.rows("tcs.cb.numbers");
            let row = rows.iter().rev().find(|row| row.get::<i64>("fires") <= fires);
            row.map_or(7, |row| row.get("needed"))
        },
    );
    answer(rules);
    rules.step(
        Rule::new("tcs.cb.fire", "battery: entity(tcsbase.battery), target: entity(tcsbase.battery)")
            .cites(&["tcs.cb.resolve", "tcs.cb.twotubes", "tcs.cb.ammo", "tcs.cb.commit"]),
        fire,
    );
    rules.wrap(Rule::over("tcsbase.seq.cleanup.run").cites(&["tcs.cb.rate"]), |game: Game, ()| {
        game.base::<Value>([]);
        for battery in game.entities(BATTERY) {
            battery.set("has_countered", false);
        }
    });
}

fn answer(rules: &mut Rules) {
    let may = |game: Game, battery: Entity, window: &Record| -> Verdict {
        let args = [battery.into(), window.get("battery"), window.get("number")];
        game.call::<Option<String>>("tcs.cb.may", args).map_or(Ok(()), Err)
    };
    rules
        .reaction("tcs.cb.answer")
        .title("Counterbattery")
        .at("tcsbase.art.complete")
        .actor(BATTERY)
        .cites(&["tcs.cb.trigger", "tcs.cb.many"])
        .allowed(move |game, battery, window| may(game, battery, &window))
        .param(
            "with",
            "With which others?",
            "list(entity(tcsbase.battery))",
            move |game, battery, window, _| {
                let friends = game.entities(BATTERY).into_iter().filter(|other| *other != battery);
                let able: Vec<Entity> = friends
                    .filter(|other| other.side() == battery.side() && may(game, *other, &window).is_ok())
                    .collect();
                match able.is_empty() {
                    true => None,
                    false => {
                        Some(Domain::several(able.into_iter().map(|other| (other, other.label())), 0, None))
                    }
                }
            },
        )
        .score(|_, _, _, _| 10)
        .perform(|game, battery, window, params| {
            let target: Entity = window.get("battery");
            let mut all = vec![battery];
            all.extend(params.get::<Vec<Entity>>("with"));
            for one in &all {
                one.set("tried", window.get::<i64>("number"));
            }
            if search(game, &all, target) {
                for one in all {
                    game.push("tcs.cb.fire", [one.into(), target.into()]);
                }
            }
        });
}

/// Rolls all dice of an acquisition; whether one of them found the target.
fn search(game: Game, batteries: &[Entity], target: Entity) -> bool {
    let points: i64 = batteries.iter().map(|battery| battery.get::<i64>("cb")).sum();
    let net = (points - target.get::<i64>("ew")).max(0);
    let needed: i64 = game.call("tcs.cb.needed", [target.into()]);
    let dice: Vec<Die> = (0..net).map(|_| Die::new(6)).collect();
    let faces = if dice.is_empty() { Vec::new() } else { game.roll_all(&dice, "acquisition") };
    let is_found = faces.iter().any(|face| *face >= needed);
    let result = if is_found { "found" } else { "not found" };
    game.emit(
        "tcs.cb.searched",
        record([
            ("side", batteries[0].side().into()),
            ("battery", target.into()),
            ("net", net.into()),
            ("needed", needed.into()),
            ("dice", faces.into()),
            ("result", result.into()),
        ]),
    );
    is_found
}

fn fire(game: Game, (battery, target): (Entity, Entity)) {
    let rounds = match stock(battery).as_slice() {
        [] => return,
        [only] => only.to_string(),
        several => {
            let question = Question::new("tcs.cb.rounds", "Which rounds?").about(&[battery]);
            game.ask(&battery.side(), question, Domain::words(several.iter().copied()))
        }
    };
    battery.set("has_countered", true);
    let die = game.roll(&Die::new(6), "counterbattery");
    let is_launcher = battery.get::<String>("system") == "launcher";
    let lost = tubes_lost(die, rounds != "he", battery.get("tubes"), is_launcher);
    let there: i64 = target.get("tubes");
    // No more launchers are lost than have fired.
    let most =
        if target.get::<String>("system") == "launcher" { there.min(target.get("fired_now")) } else { there };
    let lost = lost.min(most);
    target.set("tubes", there - lost);
    game.emit(
        "tcs.cb.hit",
        record([
            ("battery", battery.into()),
            ("target", target.into()),
            ("rounds", rounds.as_str().into()),
            ("die", die.into()),
            ("lost", lost.into()),
        ]),
    );
    game.call::<Value>("tcsbase.art.spend", [battery.into(), rounds.into(), 1.into()]);
}

/// What a battery can answer with.
fn stock(battery: Entity) -> Vec<&'static str> {
    ["he", "dpicm", "icm"].into_iter().filter(|rounds| battery.get::<i64>(rounds) > 0).collect()
}
