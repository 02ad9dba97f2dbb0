//! Point fire.

use houserule_guest::prelude::*;

use crate::arithmetic::{point_column, point_row};
use crate::map::{effects, ground};
use crate::modes::may_fire;
use crate::{PAIR, UNIT, enemies, friends, range, two_dice};

const AT_TABLE: &str = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), table: point|area";

pub fn register(rules: &mut Rules) {
    rules.record("tcsbase.fire.outcome", "needed: integer, modifier: integer, dice: integer, killed: bool");
    numbers(rules);
    modifiers(rules);
    shot(rules);
    may(rules);
    rules
        .action("tcsbase.fire.shoot")
        .title("Fire guns")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcsbase.seq.sfp", "tcsbase.seq.sfp.alternate", "tcsbase.fire.point.how"])
        .told()
        .allowed(gun_ready)
        .param("target", "At what?", "entity(tcsbase.unit)", |game, firer, _| {
            let able = enemies(game, firer).into_iter().filter(|other| may_hit(game, firer, *other));
            Some(Domain::entities(able.collect::<Vec<_>>()))
        })
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", |game, firer, params| {
            let target: Entity = params.get("target");
            let able = |other: &Entity| gun_ready(game, *other).is_ok() && may_hit(game, *other, target);
            Domain::some_of(friends(game, firer).into_iter().filter(able))
        })
        .score(|game, firer, params| {
            let (target, with) = (params.get::<Entity>("target"), params.get::<Vec<Entity>>("with"));
            let needed: Option<i64> = game.call("tcsbase.fire.point.needed", [firer.into(), target.into()]);
            let odds = 14 - needed.unwrap_or(13);
            odds + if with.len() == 1 && odds < 6 { 2 } else { -(with.len() as i64) }
        })
        .perform(|game, firer, params| {
            let target: Entity = params.get("target");
            game.push("tcsbase.fire.gun", [firer.into(), target.into()]);
            for other in params.get::<Vec<Entity>>("with") {
                game.push("tcsbase.fire.gun", [other.into(), target.into()]);
            }
        });
}

fn may_hit(game: Game, firer: Entity, target: Entity) -> bool {
    game.call::<Verdict>("tcsbase.fire.may", [firer.into(), target.into()]).is_ok()
}

fn gun_ready(game: Game, firer: Entity) -> Verdict {
    match () {
        () if firer.get::<i64>("reach") == 0 => Err("it has no gun".into()),
        () if firer.get("has_fired") => Err("its gun has fired".into()),
        () => may_fire(game, firer),
    }
}

fn numbers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.reach", "firer: entity(tcsbase.unit), weapon: gun|area")
            .returns("integer")
            .cites(&["tcsbase.unit.values"])
            .doc("how far a weapon of a unit reaches, 0 without one"),
        |_: Game, (firer, weapon): (Entity, String)| {
            firer.get::<i64>(if weapon == "gun" { "reach" } else { "area_reach" })
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.defence", "target: entity(tcsbase.unit), against: point|missile|tip|shell")
            .returns("integer")
            .cites(&["tcsbase.unit.values"])
            .doc("the defence value of a unit against a kind of weapon"),
        |_: Game, (target, _): (Entity, String)| target.get::<i64>("dv"),
    );
    rules.define(
        Rule::new("tcsbase.fire.point.needed", PAIR)
            .returns("integer?")
            .cites(&["tcsbase.fire.point.how", "tcsbase.fire.point.table"])
            .doc("what the dice must come to, before modifiers; nothing where there is no shot"),
        |game: Game, (firer, target): (Entity, Entity)| -> Option<i64> {
            let reach: i64 = game.call("tcsbase.fire.reach", [firer.into(), "gun".into()]);
            let row = point_row(range(firer, target), reach).filter(|_| reach > 0)?;
            let defence: i64 = game.call("tcsbase.fire.defence", [target.into(), "point".into()]);
            let column = point_column(firer.get::<i64>("av") - defence)?;
            game.row("tcsbase.fire.point.numbers", [row.into(), column.into()]).map(|row| row.get("needed"))
        },
    );
}

fn modifiers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.terrain", "target: entity(tcsbase.unit), table: point|area")
            .returns("integer")
            .cites(&["tcsbase.terrain.combat", "tcsbase.mode.cover"])
            .doc("what the target's terrain and mode add to the dice"),
        |game: Game, (target, table): (Entity, String)| {
            let how = match game.call("tcsbase.mode.is_moving", [target.into()]) {
                true => "moving",
                false => "still",
            };
            let column = if table == "area" { format!("area_{how}") } else { how.to_string() };
            let of = |terrain: &str| effects(game, terrain).get::<i64>(&column);
            of(&ground(game, target.get("at")).terrain)
                + if target.get("is_dug_in") { of("dug_in") } else { 0 }
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.sight", AT_TABLE)
            .returns("integer")
            .cites(&["tcsbase.night.fire", "tcsbase.fire.point.mods", "tcsbase.fire.area.mods"])
            .doc("what night and smoke add to the dice"),
        |game: Game, (firer, target, _): (Entity, Entity, String)| {
            let smoke = |unit: Entity| ground(game, unit.get("at")).smoke;
            let is_dark = game.named("clock").get("is_night")
                && !game.call::<bool>("tcsbase.illum.lit", [target.get("at")]);
            let night: i64 = if is_dark { game.option("tcsbase.night.modifier") } else { 0 };
            let markers = smoke(firer) + if range(firer, target) > 0 { smoke(target) } else { 0 };
            night - 2 * markers
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.modifier", AT_TABLE)
            .returns("integer")
            .cites(&["tcsbase.fire.point.mods"])
            .doc("all that is added to the dice of direct fire"),
        |game: Game, (firer, target, table): (Entity, Entity, String)| {
            let same_hex = i64::from(range(firer, target) == 0 && table == "point");
            game.call::<i64>("tcsbase.fire.terrain", [target.into(), table.as_str().into()])
                + game.call::<i64>("tcsbase.fire.sight", [firer.into(), target.into(), table.into()])
                + same_hex
        },
    );
}

fn shot(rules: &mut Rules) {
    let aimed = "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), weapon: text, needed: integer";
    rules.define(
        Rule::new("tcsbase.fire.roll", aimed)
            .returns("tcsbase.fire.outcome")
            .effects("draws")
            .cites(&["tcsbase.fire.point.how", "tcsbase.gen.dice"])
            .doc("rolls two dice against a number"),
        |game: Game, (firer, target, weapon, needed): (Entity, Entity, String, i64)| {
            let both = [firer.into(), target.into(), "point".into()];
            let modifier: i64 = game.call("tcsbase.fire.modifier", both);
            let dice = two_dice(game, &format!("{weapon} of {}", firer.label()));
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
            "firer: entity(tcsbase.unit), target: entity(tcsbase.unit), weapon: text, outcome: tcsbase.fire.outcome",
        )
        .effects("writes")
        .cites(&["tcsbase.unit.vehicle_hit", "tcsbase.seq.sfp.effect"])
        .doc("tells a shot, and removes what it killed"),
        |game: Game, (firer, target, weapon, outcome): (Entity, Entity, String, Record)| {
            let result = if outcome.get("killed") { "killed" } else { "missed" };
            let told = [
                ("firer", firer.into()),
                ("weapon", weapon.into()),
                ("target", target.into()),
                ("range", range(firer, target).into()),
                ("dice", outcome.get("dice")),
                ("modifier", signed(outcome.get("modifier")).into()),
                ("needed", outcome.get("needed")),
                ("result", result.into()),
            ];
            game.emit("tcsbase.fire.shot", record(told));
            if outcome.get("killed") {
                game.remove(target);
            }
        },
    );
    rules.step(
        Rule::new("tcsbase.fire.gun", PAIR).cites(&["tcsbase.fire.point.how", "tcsbase.seq.sfp.once"]),
        |game: Game, (firer, target): (Entity, Entity)| {
            if !game.exists(firer) || !game.exists(target) || firer.get::<String>("state") != "ready" {
                return;
            }
            let needed: Option<i64> = game.call("tcsbase.fire.point.needed", [firer.into(), target.into()]);
            let Some(needed) = needed else { return };
            firer.set("has_fired", true);
            if !game.call::<bool>("tcsbase.fire.finds", [firer.into(), target.into()]) {
                return;
            }
            let aimed = [firer.into(), target.into(), "the gun".into(), needed.into()];
            let outcome: Record = game.call("tcsbase.fire.roll", aimed);
            let done = [firer.into(), target.into(), "the gun".into(), outcome.into()];
            game.call::<Value>("tcsbase.fire.apply", done);
        },
    );
}

/// A number with its sign, as people write modifiers.
pub fn signed(n: i64) -> String {
    format!("{n:+}")
}

fn may(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.finds", PAIR)
            .returns("bool")
            .effects("draws writes")
            .cites(&["tcsbase.fire.point.how"])
            .doc("whether a unit that fires finds what it fires at: whom it sees, it finds"),
        |_: Game, (_, _): (Entity, Entity)| true,
    );
    rules.define(
        Rule::new("tcsbase.fire.may", PAIR)
            .returns("verdict")
            .cites(&["tcsbase.fire.point.how", "tcsbase.unit.fire_kind", "tcsbase.unit.target_kind"])
            .doc("whether the gun of a unit can hit another, whatever the phase"),
        |game: Game, (firer, target): (Entity, Entity)| -> Verdict {
            let both = || [firer.into(), target.into()];
            match () {
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
}
