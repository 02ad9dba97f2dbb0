//! Point fire.

use houserule_guest::prelude::*;

use crate::UNIT;
use crate::arithmetic::{point_column, point_row};
use crate::map::{effects, ground};

const PAIR: &str = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit)";

pub fn range(a: Entity, b: Entity) -> i64 {
    i64::from(a.get::<Hex>("at").distance(b.get("at")))
}

pub fn register(rules: &mut Rules) {
    rules.record("tcsbase.fire.outcome", "needed: integer, modifier: integer, dice: integer, killed: bool");
    rules.define(
        Rule::new("tcsbase.fire.point.needed", PAIR)
            .returns("integer?")
            .cites(&["tcsbase.fire.point.how", "tcsbase.fire.point.table"])
            .doc("what the dice must come to, before modifiers; nothing where there is no shot"),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let row = point_row(range(firer, target), firer.get("reach"))?;
            let column = point_column(firer.get::<i64>("av") - target.get::<i64>("dv"))?;
            game.row("tcsbase.fire.point.numbers", [row.into(), column.into()]).map(|row| row.get("needed"))
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.terrain", "target: entity(tcsbase.unit)")
            .returns("integer")
            .cites(&["tcsbase.terrain.combat"])
            .doc("what the target's terrain and mode add to the dice"),
        |game: Game, (target,): (Entity,)| {
            let row = effects(game, &ground(game, target.get("at")).terrain);
            row.get::<i64>(if target.get::<String>("mode") == "fire" { "still" } else { "moving" })
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.sight", PAIR)
            .returns("integer")
            .cites(&["tcsbase.night.fire", "tcsbase.fire.point.mods"])
            .doc("what night and smoke add to the dice"),
        |game: Game, (firer, target): (Entity, Entity)| {
            let smoke = |unit: Entity| ground(game, unit.get("at")).smoke;
            let night =
                if game.named("clock").get("is_night") { game.option("tcsbase.night.modifier") } else { 0 };
            let markers = smoke(firer) + if range(firer, target) > 0 { smoke(target) } else { 0 };
            night - 2 * markers
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.modifier", PAIR)
            .returns("integer")
            .cites(&["tcsbase.fire.point.mods"])
            .doc("all that is added to the dice of point fire"),
        |game: Game, (firer, target): (Entity, Entity)| {
            let same_hex = i64::from(range(firer, target) == 0);
            game.call::<i64>("tcsbase.fire.terrain", [target.into()])
                + game.call::<i64>("tcsbase.fire.sight", [firer.into(), target.into()])
                + same_hex
        },
    );
    rules.define(
        Rule::new(
            "tcsbase.fire.roll",
            "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), needed: integer",
        )
        .returns("tcsbase.fire.outcome")
        .effects("draws")
        .cites(&["tcsbase.fire.point.how"])
        .doc("rolls two dice against a number"),
        |game: Game, (firer, target, needed): (Entity, Entity, i64)| {
            let modifier: i64 = game.call("tcsbase.fire.modifier", [firer.into(), target.into()]);
            let faces = game.roll_all(&[Die::new(6), Die::new(6)], &format!("fire of {}", firer.label()));
            let dice: i64 = faces.iter().sum();
            record([
                ("needed", needed.into()),
                ("modifier", modifier.into()),
                ("dice", dice.into()),
                ("killed", (dice + modifier >= needed).into()),
            ])
        },
    );
    rules.define(
        Rule::new(
            "tcsbase.fire.apply",
            "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), outcome: tcsbase.fire.outcome",
        )
        .effects("writes")
        .doc("tells a shot, and removes what it killed"),
        |game: Game, (firer, target, outcome): (Entity, Entity, Record)| {
            let result = if outcome.get("killed") { "killed" } else { "missed" };
            game.emit(
                "tcsbase.fire.shot",
                record([
                    ("firer", firer.into()),
                    ("target", target.into()),
                    ("dice", outcome.get("dice")),
                    ("modifier", outcome.get("modifier")),
                    ("needed", outcome.get("needed")),
                    ("result", result.into()),
                ]),
            );
            if outcome.get("killed") {
                game.remove(target);
            }
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.may", PAIR)
            .returns("verdict")
            .cites(&["tcsbase.mode.fire", "tcsbase.mode.move"])
            .doc("whether a unit may fire its gun at another"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let both = || [firer.into(), target.into()];
            match () {
                () if firer.get::<String>("state") != "ready" => Err("it is suppressed".into()),
                () if firer.get::<String>("mode") == "move" => Err("it is in move mode".into()),
                () if firer.get("has_fired") => Err("its gun has fired".into()),
                () if target.get::<String>("target") == "area" => {
                    Err("its gun is of no use against that".into())
                }
                () if game.call::<Option<i64>>("tcsbase.fire.point.needed", both()).is_none() => {
                    Err("the shot is impossible".into())
                }
                () if !game.call::<bool>("tcsbase.los.sees", both()) => {
                    Err("it does not see the target".into())
                }
                () => Ok(()),
            }
        },
    );
    rules.step(
        Rule::new("tcsbase.fire.gun", PAIR).cites(&["tcsbase.fire.point.how"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            if !game.exists(firer) || !game.exists(target) {
                return;
            }
            let needed: Option<i64> = game.call("tcsbase.fire.point.needed", [firer.into(), target.into()]);
            let Some(needed) = needed else { return };
            firer.set("has_fired", true);
            let outcome: Record =
                game.call("tcsbase.fire.roll", [firer.into(), target.into(), needed.into()]);
            game.call::<Value>("tcsbase.fire.apply", [firer.into(), target.into(), outcome.into()]);
        },
    );
    rules
        .action("tcsbase.fire.shoot")
        .title("Fire a gun")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcsbase.seq.sfp", "tcsbase.fire.point.how"])
        .told()
        .allowed(|_, firer| match () {
            () if firer.get::<i64>("reach") == 0 => Err("it has no gun".into()),
            () if firer.get("has_fired") => Err("its gun has fired".into()),
            () if firer.get::<String>("mode") == "move" => Err("it is in move mode".into()),
            () => Ok(()),
        })
        .param("target", "At what?", "entity(tcsbase.unit)", |game, firer, _| {
            Some(Domain::entities(targets(game, firer, "tcsbase.fire.may")))
        })
        .score(|_, _, _| 10)
        .perform(|game, firer, params| game.push("tcsbase.fire.gun", [firer.into(), params.get("target")]));
}

/// The enemies that a rule lets a unit fire at.
pub fn targets(game: Game, firer: Entity, rule: &str) -> Vec<Entity> {
    let side = firer.side();
    let enemies = game.entities(UNIT).into_iter().filter(|other| other.side() != side);
    enemies
        .filter(|other| game.call::<Option<String>>(rule, [firer.into(), (*other).into()]).is_none())
        .collect()
}
