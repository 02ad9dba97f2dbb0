//! The supersonic missile: fired at whoever fires a missile.

use houserule_guest::prelude::*;

use crate::atgm::missile;
use crate::{UNIT, is_helicopter};

const COUNTER: &str = "unit: entity(tcsbase.unit), firer: entity(tcsbase.unit)";

fn is_supersonic(game: Game, unit: Entity) -> bool {
    missile(game, unit).is_some_and(|row| row.get("supersonic"))
}

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.atgm.at8.may", COUNTER)
            .returns("verdict")
            .cites(&["tcs.atgm.at8.counter"])
            .doc("whether a unit may answer a missile with its own before it arrives"),
        |game: Game, (unit, firer): (Entity, Entity)| -> Verdict {
            match () {
                () if !is_supersonic(game, unit) => Err("its missiles are too slow".into()),
                () if unit.get("has_countered") => Err("it has tried".into()),
                () if unit.get("has_launched") => Err("its missile has been fired".into()),
                () => game.call::<Verdict>("tcs.atgm.may", [unit.into(), firer.into()]),
            }
        },
    );
    rules.wrap(
        Rule::over("tcs.atgm.at8.may").cites(&["tcs.atgm.at8.cannot"]),
        |game: Game, (unit, firer): (Entity, Entity)| -> Verdict {
            match () {
                () if game.call("tcs.atgm.forgets", [firer.into()]) => {
                    Err("that missile needs nobody any more".into())
                }
                () if is_helicopter(firer) => Err("that is a helicopter".into()),
                () => game.base([unit.into(), firer.into()]),
            }
        },
    );
    rules.define(
        Rule::new("tcs.atgm.at8.ask", COUNTER)
            .returns("bool")
            .effects("draws writes")
            .cites(&["tcs.atgm.at8.counter"])
            .doc("whether a supersonic missile comes first"),
        |game: Game, (unit, _): (Entity, Entity)| die(game, unit, "counterfire"),
    );
    rules.wrap(
        Rule::over("tcs.atgm.at8.ask").cites(&["tcs.atgm.at8.marked"]),
        |game: Game, (unit, firer): (Entity, Entity)| -> bool {
            let first: bool = game.base([unit.into(), firer.into()]);
            first && (!unit.get::<bool>("is_marked") || die(game, unit, "additional overwatch"))
        },
    );
    // The missile that is on its way has shown nobody yet: it has not been resolved.
    rules.wrap(
        Rule::over("tcs.atgm.at8.ask").cites(&["tcs.atgm.at8.spot"]),
        |game: Game, (unit, firer): (Entity, Entity)| -> bool {
            let both = || [unit.into(), firer.into()];
            game.call("tcsbase.fire.finds", both()) && game.base(both())
        },
    );
    counterfire(rules);
    in_overwatch(rules);
}

fn die(game: Game, unit: Entity, what: &str) -> bool {
    let face = game.roll(&Die::new(6), what);
    let result = if face == 6 { "in time" } else { "too late" };
    game.emit(
        "tcs.atgm.at8.rolled",
        record([("unit", unit.into()), ("die", face.into()), ("result", result.into())]),
    );
    face == 6
}

fn counterfire(rules: &mut Rules) {
    rules
        .reaction("tcs.atgm.at8.counterfire")
        .title("Fire back before the missile arrives")
        .at("tcs.atgm.fired_at")
        .actor(UNIT)
        .cites(&["tcs.atgm.at8.counter", "tcs.atgm.at8.order"])
        .allowed(|game, unit, window| {
            let firer: Entity = window.get("firer");
            if unit != window.get("target") || !game.exists(firer) {
                return Err("it is not fired at".into());
            }
            game.call::<Verdict>("tcs.atgm.at8.may", [unit.into(), firer.into()])
        })
        .score(|_, _, _, _| 8)
        .perform(|game, unit, window, _| {
            unit.set("has_countered", true);
            let firer: Entity = window.get("firer");
            if game.call("tcs.atgm.at8.ask", [unit.into(), firer.into()]) {
                unit.set("has_launched", true);
                game.push("tcs.atgm.launch", [unit.into(), firer.into()]);
            }
        });
    // What was fired may be answered again when it is fired again.
    rules.wrap(
        Rule::over("tcs.atgm.launch").cites(&["tcs.atgm.at8.counter"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            game.base::<Value>([firer.into(), target.into()]);
            if game.exists(target) && is_supersonic(game, target) {
                target.set("has_countered", false);
            }
        },
    );
}

/// From overwatch either the gun or the missile, not both.
fn in_overwatch(rules: &mut Rules) {
    let pairs = [("tcsbase.ow.gun", "missile_trigger"), ("tcs.atgm.ow_may", "gun_trigger")];
    for (rule, other) in pairs {
        rules.wrap(
            Rule::over(rule).cites(&["tcs.atgm.at8.ow_exclusive"]),
            move |game: Game, (unit, mover): (Entity, Entity)| -> Verdict {
                if is_supersonic(game, unit) && unit.get::<i64>(other) == crate::trigger(game) {
                    return Err("it fires either its gun or its missile from overwatch".into());
                }
                game.base([unit.into(), mover.into()])
            },
        );
    }
}
