//! AT rolls: infantry at vehicles right beside it.

use houserule_guest::prelude::*;

use crate::arithmetic::armour;
use crate::map::{effects, ground};
use crate::modes::ready;
use crate::{UNIT, enemies, range, trigger, two_dice};

const AGAINST: &str = "unit: entity(tcsbase.unit), target: entity(tcsbase.unit)";
const WHO: &[&str] = &["tcsbase.fire.atroll.who"];
const TABLE: &[&str] = &["tcsbase.fire.atroll.table"];

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.atroll.may", AGAINST)
            .returns("verdict")
            .cites(WHO)
            .doc("whether a unit can make an AT roll at another, in whatever mode it is"),
        |_: Game, (unit, target): (Entity, Entity)| -> Verdict {
            match () {
                () if !unit.get::<bool>("is_infantry") => Err("it is no infantry".into()),
                () if unit.side() == target.side() => Err("that is a friend".into()),
                () if target.get::<String>("target") == "area" => Err("that is no vehicle".into()),
                () if range(unit, target) > 1 => Err("it is too far away".into()),
                () => ready(unit),
            }
        },
    );
    numbers(rules);
    occasions(rules);
}

fn numbers(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.fire.atroll.needed", AGAINST)
            .returns("integer")
            .cites(TABLE)
            .doc("what the dice must come to, before modifiers"),
        |game: Game, (unit, target): (Entity, Entity)| -> i64 {
            let place = if range(unit, target) == 0 { "same" } else { "adjacent" };
            let row =
                game.row("tcsbase.fire.atroll.numbers", [place.into(), armour(target.get("dv")).into()]);
            row.map_or(13, |row| row.get("needed"))
        },
    );
    rules.define(
        Rule::new("tcsbase.fire.atroll.modifier", "target: entity(tcsbase.unit)")
            .returns("integer")
            .cites(TABLE)
            .doc("what the target's terrain and mode, and the night, add to the dice"),
        |game: Game, (target,): (Entity,)| -> i64 {
            let is_moving: bool = game.call("tcsbase.mode.is_moving", [target.into()]);
            let column = if is_moving { "at_roll_moving" } else { "at_roll_still" };
            let terrain: i64 = effects(game, &ground(game, target.get("at")).terrain).get(column);
            let is_night: bool = game.named("clock").get("is_night");
            terrain + if is_night { game.option("tcsbase.fire.atroll.night") } else { 0 }
        },
    );
    rules.step(
        Rule::new("tcsbase.fire.atroll.roll", AGAINST)
            .cites(&["tcsbase.fire.atroll.who", "tcsbase.fire.atroll.table"]),
        |game: Game, (unit, target): (Entity, Entity)| {
            if !game.exists(unit) || !game.exists(target) || ready(unit).is_err() {
                return;
            }
            let needed: i64 = game.call("tcsbase.fire.atroll.needed", [unit.into(), target.into()]);
            let modifier: i64 = game.call("tcsbase.fire.atroll.modifier", [target.into()]);
            let dice = two_dice(game, &format!("AT roll of {}", unit.label()));
            let outcome = record([
                ("needed", needed.into()),
                ("modifier", modifier.into()),
                ("dice", dice.into()),
                ("killed", (dice + modifier >= needed).into()),
            ]);
            game.call::<Value>(
                "tcsbase.fire.apply",
                [unit.into(), target.into(), "an AT roll".into(), outcome.into()],
            );
        },
    );
}

/// One roll in the Suppressive Fire Phase, and one whenever an enemy enters a
/// hex: neither needs permission, nor leaves a marker.
fn occasions(rules: &mut Rules) {
    rules
        .action("tcsbase.fire.atroll.try")
        .title("AT roll")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(WHO)
        .told()
        .allowed(|game, unit| match () {
            () if !unit.get::<bool>("is_infantry") => Err("it is no infantry".into()),
            () if unit.get("has_rolled") => Err("it has made its roll".into()),
            () if targets(game, unit).is_empty() => Err("no vehicle is beside it".into()),
            () => Ok(()),
        })
        .param("target", "At what?", "entity(tcsbase.unit)", |game, unit, _| {
            Some(Domain::entities(targets(game, unit)))
        })
        .score(|game, unit, params| odds(game, unit, params.get("target")))
        .perform(|game, unit, params| {
            unit.set("has_rolled", true);
            game.push("tcsbase.fire.atroll.roll", [unit.into(), params.get("target")]);
        });
    rules
        .reaction("tcsbase.fire.atroll.watch")
        .title("AT roll")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(WHO)
        .allowed(|game, unit, window| {
            let mover: Entity = window.get("mover");
            match () {
                () if !game.exists(mover) => Err("it is out of play".into()),
                () if unit.get::<i64>("roll_trigger") == trigger(game) => Err("it has made its roll".into()),
                () => game.call("tcsbase.fire.atroll.may", [unit.into(), mover.into()]),
            }
        })
        .score(|game, unit, window, _| odds(game, unit, window.get("mover")))
        .perform(|game, unit, window, _| {
            unit.set("roll_trigger", trigger(game));
            game.push("tcsbase.fire.atroll.roll", [unit.into(), window.get("mover")]);
        });
}

fn targets(game: Game, unit: Entity) -> Vec<Entity> {
    let may = |other: &Entity| {
        game.call::<Verdict>("tcsbase.fire.atroll.may", [unit.into(), (*other).into()]).is_ok()
    };
    enemies(game, unit).into_iter().filter(may).collect()
}

fn odds(game: Game, unit: Entity, target: Entity) -> i64 {
    14 - game.call::<i64>("tcsbase.fire.atroll.needed", [unit.into(), target.into()])
}
