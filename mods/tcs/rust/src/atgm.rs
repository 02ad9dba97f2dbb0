//! Guided missiles.

use houserule_guest::prelude::*;

use crate::arithmetic::{missile_column, missile_row};
use crate::{UNIT, allows, is_helicopter, range};

const PAIR: &str = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit)";

/// The values of a unit's missile, if it has one.
pub fn missile(game: Game, unit: Entity) -> Option<Record> {
    let name: String = unit.get::<Option<String>>("missile")?;
    let mut row = game.row("tcs.atgm.types", [name.as_str().into()])?;
    if name == "tow_1" {
        row.0.insert("av".into(), game.option::<i64>("tcs.atgm.tow_1").into());
    }
    Some(row)
}

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.atgm.needed", PAIR)
            .returns("integer?")
            .cites(&[
                "tcs.atgm.table",
                "tcs.atgm.values",
                "tcs.atgm.rows",
                "tcs.atgm.cols",
                "tcs.atgm.minrange",
            ])
            .doc("what the dice must come to, before modifiers; nothing where there is no shot"),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let missile = missile(game, firer)?;
            let row = missile_row(range(firer, target), missile.get("nominal"), missile.get("minimum"))?;
            let column = missile_column(missile.get::<i64>("av") - target.get::<i64>("dv"))?;
            game.row("tcs.atgm.numbers", [row.into(), column.into()]).map(|row| row.get("needed"))
        },
    );
    rules.define(
        Rule::new("tcs.atgm.may", PAIR)
            .returns("verdict")
            .cites(&["tcs.atgm.limits", "tcs.atgm.minrange"])
            .doc("whether a unit may fire its missile at another"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let both = || [firer.into(), target.into()];
            ready(firer)?;
            match () {
                () if range(firer, target) == 0 => Err("it is in the same hex".into()),
                () if is_helicopter(target) && !is_helicopter(firer) => {
                    Err("that is for other weapons".into())
                }
                () if target.get::<String>("target") == "area" => Err("its missile is wasted on that".into()),
                () if game.call::<Option<i64>>("tcs.atgm.needed", both()).is_none() => {
                    Err("the shot is impossible".into())
                }
                () if !game.call::<bool>("tcsbase.los.sees", both()) => {
                    Err("it does not see the target".into())
                }
                () => Ok(()),
            }
        },
    );
    rules.step(Rule::new("tcs.atgm.launch", PAIR).cites(&["tcs.atgm.table"]), launch);
    rules
        .action("tcs.atgm.fire")
        .title("Fire a missile")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcs.atgm.extra_fire", "tcs.atgm.split"])
        .told()
        .allowed(|_, firer| ready(firer))
        .param("target", "At what?", "entity(tcsbase.unit)", |game, firer, _| {
            let enemies = game.entities(UNIT).into_iter().filter(|other| other.side() != firer.side());
            let may =
                enemies.filter(|other| allows(game, "tcs.atgm.may", [firer.into(), (*other).into()]).is_ok());
            Some(Domain::entities(may.collect::<Vec<_>>()))
        })
        .score(|_, _, _| 12)
        .perform(|game, firer, params| game.push("tcs.atgm.launch", [firer.into(), params.get("target")]));
    rules
        .reaction("tcs.atgm.overwatch")
        .title("Fire a missile from overwatch")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcs.atgm.ow_one_marker", "tcs.atgm.extra_fire"])
        .allowed(|game, unit, window| {
            if !game.exists(window.get("mover")) {
                return Err("it is out of play".into());
            }
            let mover: Value = window.get("mover");
            allows(game, "tcsbase.ow.may", [unit.into(), mover.clone()])?;
            allows(game, "tcs.atgm.may", [unit.into(), mover])
        })
        .score(|_, _, _, _| 7)
        .perform(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            if game.call("tcsbase.ow.ask", [unit.into(), mover.into()]) {
                game.push("tcs.atgm.launch", [unit.into(), mover.into()]);
            } else {
                unit.set("has_launched", true);
            }
        });
    // A new turn, and each phase in it, finds missiles ready.
    for phase in ["tcsbase.seq.markers.run", "tcsbase.seq.cleanup.run"] {
        rules.wrap(Rule::over(phase), |game: Game, ()| {
            game.base::<Value>([]);
            for unit in game.entities(UNIT) {
                unit.set("has_launched", false);
                unit.set("has_popped", false);
            }
        });
    }
}

fn ready(firer: Entity) -> Verdict {
    match () {
        () if firer.get::<Option<String>>("missile").is_none() => Err("it has no missiles".into()),
        () if firer.get("has_launched") => Err("its missile has been fired".into()),
        () if firer.get::<String>("state") != "ready" => Err("it is suppressed".into()),
        () if firer.get::<String>("mode") != "fire" => Err("it is not in fire mode".into()),
        () => Ok(()),
    }
}

fn launch(game: Game, (firer, target): (Entity, Entity)) {
    if !game.exists(firer) || !game.exists(target) {
        return;
    }
    let Some(needed) = game.call::<Option<i64>>("tcs.atgm.needed", [firer.into(), target.into()]) else {
        return;
    };
    firer.set("has_launched", true);
    let outcome: Record = game.call("tcsbase.fire.roll", [firer.into(), target.into(), needed.into()]);
    game.call::<Value>("tcsbase.fire.apply", [firer.into(), target.into(), outcome.into()]);
}
