//! Area fire.

use houserule_guest::prelude::*;

use crate::arithmetic::{firepower, rounded, step_of};
use crate::fire::signed;
use crate::{PAIR, UNIT, enemies, friends, range, two_dice};

pub fn register(rules: &mut Rules) {
    rules.record("tcsbase.fire.effect", "steps: integer, company: integer, check: bool");
    numbers(rules);
    may(rules);
    effects(rules);
    rules
        .action("tcsbase.fire.area.shoot")
        .title("Area fire")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcsbase.seq.sfp", "tcsbase.fire.area.who"])
        .told()
        .allowed(ready)
        .param("target", "At whose hex?", "entity(tcsbase.unit)", |game, firer, _| {
            let able = enemies(game, firer).into_iter().filter(|other| may_hit(game, firer, *other));
            Some(Domain::entities(able.collect::<Vec<_>>()))
        })
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", |game, firer, params| {
            let target: Entity = params.get("target");
            let able = |other: &Entity| ready(game, *other).is_ok() && may_hit(game, *other, target);
            Domain::some_of(friends(game, firer).into_iter().filter(able))
        })
        .score(|_, _, params| 5 + params.get::<Vec<Entity>>("with").len() as i64)
        .perform(|game, firer, params| {
            let mut all = vec![firer];
            all.extend(params.get::<Vec<Entity>>("with"));
            let at = params.get::<Entity>("target").get::<Hex>("at");
            game.push("tcsbase.fire.area.volley", [all.into(), at.into()]);
        });
}

fn ready(game: Game, firer: Entity) -> Verdict {
    match () {
        () if firer.get::<i64>("fp") == 0 => Err("it has no area fire".into()),
        () if firer.get("has_fired") => Err("it has fired".into()),
        () if firer.get::<String>("state") == "paralyzed" => Err("it is paralyzed".into()),
        () => game.call::<Verdict>("tcsbase.mode.fires", [firer.into()]),
    }
}

fn may_hit(game: Game, firer: Entity, target: Entity) -> bool {
    game.call::<Verdict>("tcsbase.fire.area.may", [firer.into(), target.into()]).is_ok()
}

fn numbers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.area.strength", "firer: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcsbase.fire.area.multipliers", "tcsbase.unit.losses"])
            .doc("the firepower of a unit as it is"),
        |_: Game, (firer,): (Entity,)| {
            let fp: i64 = firer.get("fp");
            if firer.get::<String>("state") == "suppressed" { rounded(fp, 2) } else { fp }
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.area.fpmod", "fp: integer")
            .returns("integer?")
            .cites(&["tcsbase.fire.area.fpmod"])
            .doc("what firepower adds to the dice; nothing where there is too little to attack with"),
        |_: Game, (fp,): (i64,)| -> Option<i64> { firepower(fp) },
    );
    rules.define(
        Rule::new("tcsbase.fire.area.result", "total: integer")
            .returns("tcsbase.fire.effect")
            .cites(&["tcsbase.fire.area.table"])
            .doc("the row of the Area Fire Table"),
        |game: Game, (total,): (i64,)| -> Record {
            let rows = game.rows("tcsbase.fire.area.results");
            let starts: Vec<i64> = rows.iter().map(|row| row.get("from")).collect();
            let row = &rows[step_of(&starts, total)];
            record([
                ("steps", row.get("steps")),
                ("company", row.get("company")),
                ("check", row.get("check")),
            ])
        },
    );
}

fn may(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.area.may", PAIR)
            .returns("verdict")
            .cites(&["tcsbase.fire.area.who", "tcsbase.fire.area.point"])
            .doc("whether the area fire of a unit can reach another, whatever the phase"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let reach: i64 = game.call("tcsbase.fire.reach", [firer.into(), "area".into()]);
            match () {
                () if target.get::<String>("target") == "point" => Err("it is armoured".into()),
                () if range(firer, target) > reach => Err("it is out of range".into()),
                () if !game.call::<bool>("tcsbase.los.sees", [firer.into(), target.into()]) => {
                    Err("it does not see the target".into())
                }
                () => Ok(()),
            }
        },
    );
}

fn effects(rules: &mut Rules) {
    rules.step(
        Rule::new("tcsbase.fire.area.volley", "firers: list(entity(tcsbase.unit)), at: hex")
            .cites(&["tcsbase.fire.area.who", "tcsbase.stack.fire"]),
        |game: Game, (firers, at): (Vec<Entity>, Hex)| {
            let fp: i64 = firers
                .iter()
                .map(|one| game.call::<i64>("tcsbase.fire.area.strength", [(*one).into()]))
                .sum();
            firers.iter().for_each(|one| one.set("has_fired", true));
            for target in enemies(game, firers[0]) {
                let is_meant = target.get::<Hex>("at") == at && target.get::<String>("target") != "point";
                if is_meant && game.call("tcsbase.fire.finds", [firers[0].into(), target.into()]) {
                    game.push("tcsbase.fire.area.attack", [firers[0].into(), target.into(), fp.into()]);
                }
            }
        },
    );
    rules.step(
        Rule::new(
            "tcsbase.fire.area.attack",
            "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), fp: integer",
        )
        .cites(&["tcsbase.fire.area.fpmod", "tcsbase.fire.area.mods"]),
        |game: Game, (firer, target, fp): (Entity, Entity, i64)| {
            let Some(power) = game.call::<Option<i64>>("tcsbase.fire.area.fpmod", [fp.into()]) else {
                return;
            };
            if !game.exists(target) || !game.exists(firer) {
                return;
            }
            let both = [firer.into(), target.into(), "area".into()];
            let modifier = power + game.call::<i64>("tcsbase.fire.modifier", both);
            let dice = two_dice(game, &format!("fire of {}", firer.label()));
            game.push(
                "tcsbase.fire.area.suffer",
                [target.into(), dice.into(), modifier.into(), false.into()],
            );
        },
    );
    rules.step(
        Rule::new(
            "tcsbase.fire.area.suffer",
            "target: entity(tcsbase.unit), dice: integer, modifier: integer, is_artillery: bool",
        )
        .cites(&["tcsbase.fire.area.table", "tcsbase.fire.area.both", "tcsbase.unit.steps"]),
        suffer,
    );
}

/// What a result of the Area Fire Table does to a unit.
fn suffer(game: Game, (target, dice, modifier, is_artillery): (Entity, i64, i64, bool)) {
    if !game.exists(target) {
        return;
    }
    let effect: Record = game.call("tcsbase.fire.area.result", [(dice + modifier).into()]);
    let steps: i64 = effect.get("steps");
    let is_vehicle = target.get::<String>("target") == "both";
    let left = target.get::<i64>("steps") - target.get::<i64>("lost");
    let is_lost = match is_vehicle {
        true => steps >= 1 && target.get::<i64>("dv") <= 1 || steps >= 2 && target.get::<i64>("dv") <= 3,
        false => steps >= left,
    };
    let result = match (is_lost, is_vehicle) {
        (true, _) => "destroyed".to_string(),
        (false, true) => "no effect".to_string(),
        (false, false) if steps > 0 => format!("{steps} lost"),
        (false, false) => "no loss".to_string(),
    };
    let told = [
        ("target", target.into()),
        ("dice", dice.into()),
        ("modifier", signed(modifier).into()),
        ("result", result.into()),
    ];
    game.emit("tcsbase.fire.area_hit", record(told));
    if !is_vehicle {
        game.call::<Value>(
            "tcsbase.morale.lose",
            [target.into(), steps.min(left).into(), effect.get("company")],
        );
    }
    if is_lost {
        game.remove(target);
    } else if effect.get("check") && target.get::<i64>("morale") > 0 {
        game.push("tcsbase.morale.check", [target.into(), is_artillery.into()]);
    }
}
