//! Guided missiles.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::arithmetic::{missile_column, missile_row, tenth};
use crate::{PAIR, UNIT, enemies, range, trigger};

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
    numbers(rules);
    limits(rules);
    launch(rules);
    suppressive(rules);
    overwatch(rules);
    refresh(rules);
}

fn numbers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.atgm.row", PAIR)
            .returns("integer?")
            .cites(&["tcs.atgm.values", "tcs.atgm.rows"])
            .doc("the row of the ATGM Table by the range; nothing beyond twice the nominal range"),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let nominal: i64 = missile(game, firer)?.get("nominal");
            missile_row(range(firer, target), nominal)
        },
    );
    rules.wrap(
        Rule::over("tcs.atgm.row").cites(&["tcs.atgm.minrange"]),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let minimum: i64 = missile(game, firer)?.get("minimum");
            if range(firer, target) <= minimum { None } else { game.base([firer.into(), target.into()]) }
        },
    );
    rules.define(
        Rule::new("tcs.atgm.needed", PAIR)
            .returns("integer?")
            .cites(&["tcs.atgm.table", "tcs.atgm.values", "tcs.atgm.cols"])
            .doc("what the dice must come to, before modifiers; nothing where there is no shot"),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let missile = missile(game, firer)?;
            let row: i64 = game.call::<Option<i64>>("tcs.atgm.row", [firer.into(), target.into()])?;
            let against = if missile.get("tip") { "tip" } else { "missile" };
            let defence: i64 = game.call("tcsbase.fire.defence", [target.into(), against.into()]);
            let column = missile_column(missile.get::<i64>("av") - defence)?;
            game.row("tcs.atgm.numbers", [row.into(), column.into()]).map(|row| row.get("needed"))
        },
    );
    rules.define(
        Rule::new("tcs.atgm.area_fp", "firer: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcs.atgm.area"])
            .doc("the firepower of a missile at troops"),
        |game: Game, (firer,): (Entity,)| {
            let least: i64 = game.option("tcs.atgm.area_minimum");
            missile(game, firer).map_or(0, |missile| tenth(missile.get("av"), least))
        },
    );
}

fn limits(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.atgm.ready", "firer: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcs.atgm.limits", "tcs.atgm.values"])
            .doc("whether a unit has a missile that it could fire"),
        |_: Game, (firer,): (Entity,)| -> Verdict {
            match (firer.get::<Option<String>>("missile"), firer.get::<String>("state").as_str()) {
                (None, _) => Err("it has no missiles".into()),
                (_, "ready") => Ok(()),
                (_, state) => Err(format!("it is {state}")),
            }
        },
    );
    rules.wrap(
        Rule::over("tcs.atgm.ready").cites(&["tcs.atgm.supply"]),
        |game: Game, (firer,): (Entity,)| -> Verdict {
            match firer.get::<i64>("missiles") {
                0 if firer.get::<Option<String>>("missile").is_some() => {
                    Err("its missiles are used up".into())
                }
                _ => game.base([firer.into()]),
            }
        },
    );
    rules.define(
        Rule::new("tcs.atgm.may", PAIR)
            .returns("verdict")
            .cites(&["tcs.atgm.limits"])
            .doc("whether the missile of a unit can hit another, whatever the phase"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let both = || [firer.into(), target.into()];
            game.call::<Verdict>("tcs.atgm.ready", [firer.into()])?;
            if range(firer, target) == 0 {
                return Err("it is in the same hex".into());
            }
            game.call::<Verdict>("tcs.atgm.hits", both())?;
            match game.call("tcsbase.los.sees", both()) {
                true => Ok(()),
                false => Err("it does not see the target".into()),
            }
        },
    );
    rules.define(
        Rule::new("tcs.atgm.hits", PAIR)
            .returns("verdict")
            .cites(&["tcs.atgm.table", "tcs.atgm.area"])
            .doc("whether a missile can do something to a target at its range"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let rule =
                if target.get::<String>("target") == "area" { "tcs.atgm.row" } else { "tcs.atgm.needed" };
            match game.call::<Option<i64>>(rule, [firer.into(), target.into()]) {
                Some(_) => Ok(()),
                None => Err("the shot is impossible".into()),
            }
        },
    );
}

fn launch(rules: &mut Rules) {
    rules.window("tcs.atgm.fired_at", PAIR, AskedFirst::OthersOnly, &["tcs.atgm.table"]);
    rules.step(
        Rule::new("tcs.atgm.announce", PAIR).cites(&["tcs.atgm.table", "tcs.atgm.atroll_unchanged"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            if game.exists(firer) && game.exists(target) {
                firer.set("has_launched", true);
                if !game.call::<bool>("tcsbase.fire.finds", [firer.into(), target.into()]) {
                    return;
                }
                game.open("tcs.atgm.fired_at", record([("firer", firer.into()), ("target", target.into())]));
                game.push("tcs.atgm.launch", [firer.into(), target.into()]);
            }
        },
    );
    rules.step(Rule::new("tcs.atgm.launch", PAIR).cites(&["tcs.atgm.table", "tcs.atgm.area"]), flies);
    rules.wrap(
        Rule::over("tcs.atgm.launch").cites(&["tcs.atgm.supply"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            if game.exists(firer) && firer.get::<String>("state") == "ready" {
                firer.set("missiles", (firer.get::<i64>("missiles") - 1).max(0));
            }
            game.base::<Value>([firer.into(), target.into()]);
        },
    );
}

fn flies(game: Game, (firer, target): (Entity, Entity)) {
    if !game.exists(firer) || !game.exists(target) || firer.get::<String>("state") != "ready" {
        if game.exists(firer) && game.exists(target) {
            game.emit("tcs.atgm.lost", record([("firer", firer.into())]));
        }
        return;
    }
    let name = firer.get::<Option<String>>("missile").unwrap_or_default();
    if target.get::<String>("target") == "area" {
        let fp: i64 = game.call("tcs.atgm.area_fp", [firer.into()]);
        game.push("tcsbase.fire.area.attack", [firer.into(), target.into(), fp.into()]);
        return;
    }
    let Some(needed) = game.call::<Option<i64>>("tcs.atgm.needed", [firer.into(), target.into()]) else {
        return;
    };
    let aimed = [firer.into(), target.into(), name.as_str().into(), needed.into()];
    let outcome: Record = game.call("tcsbase.fire.roll", aimed);
    game.call::<Value>("tcsbase.fire.apply", [firer.into(), target.into(), name.into(), outcome.into()]);
}

/// Whether a unit may fire its missile in the Suppressive Fire Phase.
fn may_now(game: Game, firer: Entity) -> Verdict {
    game.call::<Verdict>("tcs.atgm.ready", [firer.into()])?;
    if firer.get("has_launched") {
        return Err("its missile has been fired".into());
    }
    game.call::<Verdict>("tcsbase.mode.fires", [firer.into()])
}

fn may_hit(game: Game, firer: Entity, target: Entity) -> bool {
    game.call::<Verdict>("tcs.atgm.may", [firer.into(), target.into()]).is_ok()
}

fn suppressive(rules: &mut Rules) {
    rules
        .action("tcs.atgm.fire")
        .title("Fire missiles")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcs.atgm.extra_fire", "tcs.atgm.split", "tcs.atgm.split.alternate"])
        .told()
        .allowed(may_now)
        .param("target", "At what?", "entity(tcsbase.unit)", |game, firer, _| {
            let may = enemies(game, firer).into_iter().filter(|other| may_hit(game, firer, *other));
            Some(Domain::entities(may.collect::<Vec<_>>()))
        })
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", |game, firer, params| {
            let target: Entity = params.get("target");
            let able = |other: &Entity| {
                *other != firer
                    && other.side() == firer.side()
                    && may_now(game, *other).is_ok()
                    && may_hit(game, *other, target)
            };
            Domain::some_of(game.entities(UNIT).into_iter().filter(able))
        })
        .score(|game, firer, params| {
            let target: Entity = params.get("target");
            if target.get::<String>("target") == "area" {
                return 1;
            }
            let needed: Option<i64> = game.call("tcs.atgm.needed", [firer.into(), target.into()]);
            15 - needed.unwrap_or(14) - params.get::<Vec<Entity>>("with").len() as i64
        })
        .perform(|game, firer, params| {
            let target: Entity = params.get("target");
            game.push("tcs.atgm.announce", [firer.into(), target.into()]);
            for other in params.get::<Vec<Entity>>("with") {
                game.push("tcs.atgm.announce", [other.into(), target.into()]);
            }
        });
}

fn overwatch(rules: &mut Rules) {
    rules
        .reaction("tcs.atgm.overwatch")
        .title("Fire a missile from overwatch")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcs.atgm.ow_one_marker", "tcs.atgm.extra_fire"])
        .allowed(|game, unit, window| {
            game.call("tcsbase.ow.with", [unit.into(), window.get("mover"), "tcs.atgm.ow_may".into()])
        })
        .score(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            if mover.get::<String>("target") == "area" {
                return 0;
            }
            let needed: Option<i64> = game.call("tcs.atgm.needed", [unit.into(), mover.into()]);
            12 - needed.unwrap_or(14)
        })
        .perform(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            unit.set("missile_trigger", trigger(game));
            if game.call("tcsbase.ow.ask", [unit.into(), mover.into()]) {
                game.push("tcs.atgm.announce", [unit.into(), mover.into()]);
            }
        });
    rules.define(
        Rule::new("tcs.atgm.ow_may", "unit: entity(tcsbase.unit), mover: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcs.atgm.extra_fire"])
            .doc("whether a unit may fire its missile from overwatch at this trigger"),
        |game: Game, (unit, mover): (Entity, Entity)| -> Verdict {
            if unit.get::<i64>("missile_trigger") == trigger(game) {
                return Err("it has fired at this trigger".into());
            }
            game.call::<Verdict>("tcs.atgm.may", [unit.into(), mover.into()])
        },
    );
}

/// A new turn finds missiles ready.
fn refresh(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.seq.refresh").cites(&["tcs.atgm.split"]),
        |game: Game, (unit,): (Entity,)| {
            game.base::<Value>([unit.into()]);
            unit.set("has_launched", false);
        },
    );
    rules.define(
        Rule::new("tcs.atgm.forgets", "firer: entity(tcsbase.unit)")
            .returns("bool")
            .cites(&["tcs.atgm.values"])
            .doc("whether the missile of a unit finds its target by itself"),
        |game: Game, (firer,): (Entity,)| missile(game, firer).is_some_and(|row| row.get("forgets")),
    );
}
