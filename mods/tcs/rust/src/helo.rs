//! Helicopters that pop up, and those that answer.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::atgm::missile;
use crate::{UNIT, allows, is_helicopter, range};

/// Metres above the ground of a helicopter that is low.
const LOW: i64 = 100;

/// Hexes to which units that are no aircraft guns reach.
const AA_RANGE: i64 = 8;

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcs.helo.up",
        "helicopters: list(entity(tcsbase.unit)), target: entity(tcsbase.unit), forgets: bool",
        AskedFirst::OthersOnly,
        &["tcs.helo.popup.counter"],
    );
    rules.wrap(
        Rule::over("tcsbase.los.height_of").cites(&["tcs.helo.modes"]),
        |game: Game, (unit,): (Entity,)| {
            let is_low = is_helicopter(unit) && unit.get::<String>("height") == "low";
            if is_low { LOW } else { game.base([unit.into()]) }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.modifier").cites(&["tcs.helo.air.helo"]),
        |game: Game, (firer, target): (Entity, Entity)| -> i64 {
            let under: i64 = game.base([firer.into(), target.into()]);
            match is_helicopter(target) {
                true => under - 3 - game.call::<i64>("tcsbase.fire.terrain", [target.into()]),
                false => under,
            }
        },
    );
    rules.define(
        Rule::new("tcs.helo.may_pop", "helicopter: entity(tcsbase.unit), target: entity(tcsbase.unit)")
            .returns("verdict")
            .cites(&["tcs.helo.popup.when"])
            .doc("whether a helicopter may pop up to fire its missile at a target"),
        |game: Game, (helicopter, target): (Entity, Entity)| -> Verdict {
            let from: Hex = helicopter.get("at");
            let to: Hex = target.get("at");
            let height: i64 = game.call("tcsbase.los.height_of", [target.into()]);
            let both = [helicopter.into(), target.into()];
            match () {
                () if !is_helicopter(helicopter) => Err("it is no helicopter".into()),
                () if helicopter.side() == target.side() => Err("that is a friend".into()),
                () if helicopter.get::<String>("height") != "noe" => Err("it is up already".into()),
                () if helicopter.get("has_popped") => Err("it has popped up in this phase".into()),
                () if helicopter.get("has_launched") => Err("its missile has been fired".into()),
                () if game.call::<Option<i64>>("tcs.atgm.needed", both).is_none() => {
                    Err("the shot is impossible".into())
                }
                () if !game.call::<bool>(
                    "tcsbase.los.clear",
                    [from.into(), LOW.into(), to.into(), height.into()],
                ) =>
                {
                    Err("it would not see the target".into())
                }
                () => Ok(()),
            }
        },
    );
    popup(rules);
    counter(rules);
    steps(rules);
}

fn popup(rules: &mut Rules) {
    let may = |game: Game, unit: Entity, mover: Entity| -> Verdict {
        if !game.exists(mover) {
            return Err("it is out of play".into());
        }
        allows(game, "tcs.helo.may_pop", [unit.into(), mover.into()])?;
        allows(game, "tcsbase.ow.may", [unit.into(), mover.into()])
    };
    rules
        .reaction("tcs.helo.popup")
        .title("Pop up and fire")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcs.helo.popup.seq", "tcs.helo.popup.onetarget"])
        .allowed(move |game, unit, window| may(game, unit, window.get("mover")))
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", move |game, unit, window, _| {
            let friends =
                game.entities(UNIT).into_iter().filter(|other| *other != unit && other.side() == unit.side());
            let able: Vec<Entity> =
                friends.filter(|other| may(game, *other, window.get("mover")).is_ok()).collect();
            match able.is_empty() {
                true => None,
                false => Some(Domain::several(able.into_iter().map(|other| (other, other.label())), 0, None)),
            }
        })
        .score(|_, _, _, _| 9)
        .perform(|game, unit, window, params| {
            let mover: Entity = window.get("mover");
            let mut all = vec![unit];
            all.extend(params.get::<Vec<Entity>>("with"));
            all.retain(|helicopter| {
                let may: bool = game.call("tcsbase.ow.ask", [(*helicopter).into(), mover.into()]);
                helicopter.set("has_popped", true);
                may
            });
            if all.is_empty() {
                return;
            }
            let forgets = all.iter().all(|one| missile(game, *one).is_some_and(|row| row.get("forgets")));
            for helicopter in &all {
                game.push("tcs.helo.rise", [(*helicopter).into()]);
            }
            let told = record([
                ("helicopters", all.clone().into()),
                ("target", mover.into()),
                ("forgets", forgets.into()),
            ]);
            game.open("tcs.helo.up", told);
            for helicopter in &all {
                game.push("tcs.helo.aa", [(*helicopter).into()]);
            }
            for helicopter in &all {
                game.push("tcs.helo.shoot", [(*helicopter).into(), mover.into()]);
            }
        });
}

fn counter(rules: &mut Rules) {
    rules
        .reaction("tcs.helo.counter")
        .title("Counter-pop up")
        .at("tcs.helo.up")
        .actor(UNIT)
        .cites(&["tcs.helo.popup.counter", "tcs.helo.popup.ff"])
        .allowed(|game, unit, window| {
            if window.get("forgets") {
                return Err("its missile needs no aim".into());
            }
            let mut enemies: Vec<Entity> = window.get("helicopters");
            enemies.retain(|enemy| game.exists(*enemy));
            let verdicts: Vec<Verdict> = enemies
                .iter()
                .map(|enemy| allows(game, "tcs.helo.may_pop", [unit.into(), (*enemy).into()]))
                .collect();
            let refused = verdicts.first().cloned().unwrap_or(Err("there is none".into()));
            if verdicts.iter().any(Result::is_ok) { Ok(()) } else { refused }
        })
        .param("target", "At which?", "entity(tcsbase.unit)", |game, unit, window, _| {
            let mut enemies: Vec<Entity> = window.get("helicopters");
            enemies.retain(|enemy| game.exists(*enemy));
            let able = enemies
                .into_iter()
                .filter(|enemy| allows(game, "tcs.helo.may_pop", [unit.into(), (*enemy).into()]).is_ok());
            Some(Domain::entities(able.collect::<Vec<_>>()))
        })
        .score(|_, _, _, _| 8)
        .perform(|game, unit, _, params| {
            unit.set("has_popped", true);
            game.push("tcs.helo.rise", [unit.into()]);
            game.push("tcs.helo.aa", [unit.into()]);
            game.push("tcs.helo.shoot", [unit.into(), params.get("target")]);
        });
}

fn steps(rules: &mut Rules) {
    let one = "helicopter: entity(tcsbase.unit)";
    rules.step(
        Rule::new("tcs.helo.rise", one).cites(&["tcs.helo.popup.seq"]),
        |game: Game, (unit,): (Entity,)| {
            if game.exists(unit) {
                unit.set("height", "low");
                game.emit("tcs.helo.rose", record([("helicopter", unit.into())]));
            }
        },
    );
    rules.define(
        Rule::new("tcs.helo.aa_needed", "unit: entity(tcsbase.unit), helicopter: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcs.helo.aa.def", "tcs.helo.popup.ff"])
            .doc("what the dice of a unit must come to against a helicopter"),
        |game: Game, (unit, helicopter): (Entity, Entity)| {
            let forgets = missile(game, helicopter).is_some_and(|row| row.get("forgets"));
            unit.get::<i64>("aa") + helicopter.get::<i64>("dv") + i64::from(forgets)
        },
    );
    rules.step(Rule::new("tcs.helo.aa", one).cites(&["tcs.helo.aa_how"]), aa);
    rules.step(
        Rule::new("tcs.helo.shoot", "helicopter: entity(tcsbase.unit), target: entity(tcsbase.unit)")
            .cites(&["tcs.helo.popup.seq"]),
        |game: Game, (helicopter, target): (Entity, Entity)| {
            if !game.exists(helicopter) {
                return;
            }
            game.push("tcs.atgm.launch", [helicopter.into(), target.into()]);
            game.push("tcs.helo.sink", [helicopter.into()]);
        },
    );
    rules.step(
        Rule::new("tcs.helo.sink", one).cites(&["tcs.helo.popup.seq"]),
        |game: Game, (unit,): (Entity,)| {
            if game.exists(unit) {
                unit.set("height", "noe");
                game.emit("tcs.helo.sank", record([("helicopter", unit.into())]));
            }
        },
    );
}

/// Everybody who can fires at a helicopter, also when it is hit already.
fn aa(game: Game, (helicopter,): (Entity,)) {
    if !game.exists(helicopter) {
        return;
    }
    let mut is_lost = false;
    for unit in game.entities(UNIT) {
        let can = unit.side() != helicopter.side()
            && unit.get::<i64>("aa") > 0
            && !is_helicopter(unit)
            && unit.get::<String>("state") == "ready"
            && range(unit, helicopter) <= AA_RANGE
            && game.call("tcsbase.los.sees", [unit.into(), helicopter.into()]);
        if !can {
            continue;
        }
        let needed: i64 = game.call("tcs.helo.aa_needed", [unit.into(), helicopter.into()]);
        let dice: i64 = game.roll_all(&[Die::new(6), Die::new(6)], "fire at a helicopter").iter().sum();
        is_lost |= dice >= needed;
        game.emit(
            "tcs.helo.aa_fire",
            record([
                ("unit", unit.into()),
                ("helicopter", helicopter.into()),
                ("dice", dice.into()),
                ("needed", needed.into()),
                ("result", if dice >= needed { "destroyed" } else { "missed" }.into()),
            ]),
        );
    }
    if is_lost {
        game.remove(helicopter);
    }
}
