//! Fire at helicopters.

use houserule_guest::prelude::*;

use crate::{UNIT, enemies, is_helicopter, range, two_dice};

const SHOT: &str = "unit: entity(tcsbase.unit), helicopter: entity(tcsbase.unit)";

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.helo.aa_may", SHOT)
            .returns("verdict")
            .cites(&["tcs.helo.aa_how"])
            .doc("whether a unit can fire at a helicopter, in whatever mode"),
        |game: Game, (unit, helicopter): (Entity, Entity)| -> Verdict {
            match () {
                () if unit.side() == helicopter.side() => Err("that is a friend".into()),
                () if unit.get::<i64>("aa") == 0 || is_helicopter(unit) => {
                    Err("it has nothing to fire at aircraft with".into())
                }
                () if unit.get::<String>("state") != "ready" => Err("it is kept down".into()),
                () if range(unit, helicopter) > unit.get("aa_reach") => Err("it is out of range".into()),
                () if !game.call::<bool>("tcsbase.los.sees", [unit.into(), helicopter.into()]) => {
                    Err("it does not see the helicopter".into())
                }
                () => Ok(()),
            }
        },
    );
    modifiers(rules);
    rules.step(Rule::new("tcs.helo.aa", "helicopter: entity(tcsbase.unit)").cites(&["tcs.helo.aa_how"]), all);
    rules.step(
        Rule::new("tcs.helo.aa_by", "units: list(entity(tcsbase.unit)), helicopter: entity(tcsbase.unit)")
            .cites(&["tcs.helo.aa_how"]),
        |game: Game, (units, helicopter): (Vec<Entity>, Entity)| by(game, &units, helicopter),
    );
    rules
        .action("tcs.helo.aa_shoot")
        .title("Fire at a helicopter")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcs.helo.aa_how"])
        .told()
        .allowed(|_, unit| match () {
            () if unit.get("has_fired_up") => Err("it has fired at a helicopter".into()),
            () if unit.get::<i64>("aa") == 0 => Err("it has nothing to fire at aircraft with".into()),
            () => Ok(()),
        })
        .param("helicopter", "At which?", "entity(tcsbase.unit)", |game, unit, _| {
            let able = enemies(game, unit).into_iter().filter(|other| is_helicopter(*other));
            let may = |other: &Entity| {
                game.call::<Verdict>("tcs.helo.aa_may", [unit.into(), (*other).into()]).is_ok()
            };
            Some(Domain::entities(able.filter(may).collect::<Vec<_>>()))
        })
        .score(|_, _, _| 3)
        .perform(|game, unit, params| {
            unit.set("has_fired_up", true);
            game.push("tcs.helo.aa_by", [vec![unit].into(), params.get("helicopter")]);
        });
    rules.wrap(
        Rule::over("tcsbase.seq.refresh").cites(&["tcs.helo.aa_how"]),
        |game: Game, (unit,): (Entity,)| {
            game.base::<Value>([unit.into()]);
            unit.set("has_fired_up", false);
        },
    );
}

fn modifiers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.helo.aa_modifier", SHOT)
            .returns("integer")
            .cites(&["tcs.helo.aa_how"])
            .doc("what is added to the dice of a unit against a helicopter"),
        |_: Game, (_, _): (Entity, Entity)| 0,
    );
    rules.wrap(
        Rule::over("tcs.helo.aa_modifier").cites(&["tcs.helo.aa.def"]),
        |game: Game, (unit, helicopter): (Entity, Entity)| -> i64 {
            game.base::<i64>([unit.into(), helicopter.into()]) - helicopter.get::<i64>("dv")
        },
    );
    rules.wrap(
        Rule::over("tcs.helo.aa_modifier").cites(&["tcs.helo.popup.ff"]),
        |game: Game, (unit, helicopter): (Entity, Entity)| -> i64 {
            let hides = helicopter.get("is_up") && game.call("tcs.helo.forgets", [helicopter.into()]);
            game.base::<i64>([unit.into(), helicopter.into()]) - i64::from(hides)
        },
    );
}

/// Everybody who can fires at a helicopter.
fn all(game: Game, (helicopter,): (Entity,)) {
    if game.exists(helicopter) {
        by(game, &able(game, helicopter), helicopter);
    }
}

/// Those who can fire at a helicopter.
pub fn able(game: Game, helicopter: Entity) -> Vec<Entity> {
    let may =
        |unit: &Entity| game.call::<Verdict>("tcs.helo.aa_may", [(*unit).into(), helicopter.into()]).is_ok();
    enemies(game, helicopter).into_iter().filter(may).collect()
}

/// All of them roll, also when it is hit already.
fn by(game: Game, units: &[Entity], helicopter: Entity) {
    if !game.exists(helicopter) {
        return;
    }
    let mut is_lost = false;
    for unit in units {
        let needed: i64 = unit.get("aa");
        let modifier: i64 = game.call("tcs.helo.aa_modifier", [(*unit).into(), helicopter.into()]);
        let dice = two_dice(game, &format!("{} at {}", unit.label(), helicopter.label()));
        let hits = dice + modifier >= needed;
        is_lost |= hits;
        game.emit(
            "tcs.helo.aa_fire",
            record([
                ("unit", (*unit).into()),
                ("helicopter", helicopter.into()),
                ("dice", dice.into()),
                ("modifier", format!("{modifier:+}").into()),
                ("needed", needed.into()),
                ("result", if hits { "shot down" } else { "missed" }.into()),
            ]),
        );
    }
    if is_lost {
        game.remove(helicopter);
    }
}
