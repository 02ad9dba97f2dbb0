//! Both weapons at one target, and guns at helicopters.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::{PAIR, UNIT, enemies, is_helicopter};

pub fn register(rules: &mut Rules) {
    at_helicopters(rules);
    between(rules);
    rules
        .action("tcs.atgm.both")
        .title("Fire missile and gun at one target")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcs.atgm.split.same"])
        .told()
        .allowed(|game, firer| {
            game.call::<Verdict>("tcs.atgm.ready", [firer.into()])?;
            match () {
                () if firer.get("has_launched") => Err("its missile has been fired".into()),
                () if firer.get("has_fired") => Err("its gun has fired".into()),
                () if firer.get::<i64>("reach") == 0 => Err("it has no gun".into()),
                () => game.call::<Verdict>("tcsbase.mode.fires", [firer.into()]),
            }
        })
        .param("target", "At what?", "entity(tcsbase.unit)", |game, firer, _| {
            let may =
                |rule: &str, other: Entity| game.call::<Verdict>(rule, [firer.into(), other.into()]).is_ok();
            let able = enemies(game, firer).into_iter();
            let able = able.filter(|other| may("tcs.atgm.may", *other) && may("tcsbase.fire.may", *other));
            Some(Domain::entities(able.collect::<Vec<_>>()))
        })
        .score(|_, _, _| 5)
        .perform(|game, firer, params| {
            let target: Entity = params.get("target");
            game.push("tcs.atgm.announce", [firer.into(), target.into()]);
            game.push("tcs.atgm.pause", [firer.into(), target.into()]);
            game.push("tcsbase.fire.gun", [firer.into(), target.into()]);
        });
}

/// Between missile and gun the enemy may make one fire.
fn between(rules: &mut Rules) {
    rules.window("tcs.atgm.between", PAIR, AskedFirst::OthersOnly, &["tcs.atgm.split.same"]);
    rules.step(
        Rule::new("tcs.atgm.pause", PAIR).cites(&["tcs.atgm.split.same"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            if game.exists(firer) && game.exists(target) {
                firer.set("is_answered", false);
                game.open("tcs.atgm.between", record([("firer", firer.into()), ("target", target.into())]));
            }
        },
    );
    rules
        .reaction("tcs.atgm.fire_between")
        .title("Fire a gun in between")
        .at("tcs.atgm.between")
        .actor(UNIT)
        .cites(&["tcs.atgm.split.same"])
        .allowed(|game, unit, window| {
            let firer: Entity = window.get("firer");
            if !game.exists(firer) || firer.get("is_answered") {
                return Err("there is one fire in between".into());
            }
            if unit.get("has_fired") {
                return Err("its gun has fired".into());
            }
            game.call::<Verdict>("tcsbase.mode.fires", [unit.into()])?;
            match targets(game, unit).is_empty() {
                true => Err("it has no target".into()),
                false => Ok(()),
            }
        })
        .param("target", "At what?", "entity(tcsbase.unit)", |game, unit, _, _| {
            Some(Domain::entities(targets(game, unit)))
        })
        .score(
            |_, _, window, params| if params.get::<Value>("target") == window.get("firer") { 9 } else { 6 },
        )
        .perform(|game, unit, window, params| {
            window.get::<Entity>("firer").set("is_answered", true);
            game.push("tcsbase.fire.gun", [unit.into(), params.get("target")]);
        });
}

fn targets(game: Game, unit: Entity) -> Vec<Entity> {
    let may =
        |other: &Entity| game.call::<Verdict>("tcsbase.fire.may", [unit.into(), (*other).into()]).is_ok();
    enemies(game, unit).into_iter().filter(may).collect()
}

/// Units on the ground have nothing but their fire at aircraft for helicopters,
/// unless the option says otherwise.
fn at_helicopters(rules: &mut Rules) {
    for rule in ["tcsbase.fire.may", "tcsbase.fire.area.may", "tcsbase.fire.atroll.may", "tcs.atgm.hits"] {
        rules.wrap(
            Rule::over(rule).cites(&["tcs.helo.aa_how"]),
            |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
                let never = game.option::<String>("tcs.helo.ground_fire") == "never";
                if never && is_helicopter(target) && !is_helicopter(firer) {
                    return Err("that is for fire at aircraft".into());
                }
                game.base([firer.into(), target.into()])
            },
        );
    }
    rules.wrap(
        Rule::over("tcsbase.fire.modifier").cites(&["tcs.helo.air.helo"]),
        |game: Game, (firer, target, table): (Entity, Entity, String)| -> i64 {
            let under: i64 = game.base([firer.into(), target.into(), table.into()]);
            if is_helicopter(target) && is_helicopter(firer) { under - 3 } else { under }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.terrain").cites(&["tcs.helo.air.helo"]),
        |game: Game, (target, table): (Entity, String)| -> i64 {
            if is_helicopter(target) { 0 } else { game.base([target.into(), table.into()]) }
        },
    );
}
