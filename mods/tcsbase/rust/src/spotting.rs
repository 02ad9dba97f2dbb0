//! Spotting, where it is played: who keeps still in cover must be found first.

use houserule_guest::prelude::*;

use crate::fire::signed;
use crate::map::{effects, ground};
use crate::{enemies, range, two_dice};

const SPOT: &[&str] = &["tcsbase.spot.opt"];

/// To be found at no distance takes this much.
const LEAST: i64 = 3;

/// What cover that protects in part only adds to the dice.
const IN_PART: i64 = 2;

pub fn register(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.spot.cover", "target: entity(tcsbase.unit)")
            .returns("none|part|full")
            .cites(SPOT)
            .doc("behind what a unit is hidden, if it has not been spotted"),
        |game: Game, (target,): (Entity,)| -> String {
            match target.get::<bool>("is_spotted") || target.get::<String>("mode") != "fire" {
                true => "none".into(),
                false => effects(game, &ground(game, target.get("at")).terrain).get("cover"),
            }
        },
    );
    rules.wrap(Rule::over("tcsbase.fire.finds").cites(SPOT), finds);
    rules.define(
        Rule::new("tcsbase.spot.show", "unit: entity(tcsbase.unit)")
            .effects("writes")
            .cites(SPOT)
            .doc("whoever fires or moves in view of an enemy has been spotted"),
        |game: Game, (unit,): (Entity,)| {
            let sees = |other: Entity| game.call::<bool>("tcsbase.los.sees", [other.into(), unit.into()]);
            if game.exists(unit) && enemies(game, unit).into_iter().any(sees) {
                unit.set("is_spotted", true);
            }
        },
    );
    shown(rules);
}

/// Fire spots the target first, if it is hidden.
fn finds(game: Game, (firer, target): (Entity, Entity)) -> bool {
    if !game.base::<bool>([firer.into(), target.into()]) {
        return false;
    }
    let modifier = match game.call::<String>("tcsbase.spot.cover", [target.into()]).as_str() {
        "none" => return true,
        "part" => IN_PART,
        _ => 0,
    };
    let needed = LEAST + range(firer, target);
    let dice = two_dice(game, &format!("spotting {}", target.label()));
    let is_found = dice + modifier >= needed;
    target.set("is_spotted", is_found);
    let result = if is_found { "spotted" } else { "not spotted" };
    let told = [
        ("unit", firer.into()),
        ("target", target.into()),
        ("dice", dice.into()),
        ("modifier", signed(modifier).into()),
        ("needed", needed.into()),
        ("result", result.into()),
    ];
    game.emit("tcsbase.spot.looked", record(told));
    is_found
}

fn shown(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.fire.apply").cites(SPOT),
        |game: Game, (firer, target, weapon, outcome): (Entity, Entity, String, Record)| {
            game.base::<Value>([firer.into(), target.into(), weapon.into(), outcome.into()]);
            game.call::<Value>("tcsbase.spot.show", [firer.into()]);
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.area.attack").cites(SPOT),
        |game: Game, (firer, target, fp): (Entity, Entity, i64)| {
            game.base::<Value>([firer.into(), target.into(), fp.into()]);
            game.call::<Value>("tcsbase.spot.show", [firer.into()]);
        },
    );
    rules.wrap(Rule::over("tcsbase.ow.enter").cites(SPOT), |game: Game, (mover, at): (Entity, Hex)| {
        game.base::<Value>([mover.into(), at.into()]);
        game.call::<Value>("tcsbase.spot.show", [mover.into()]);
    });
    rules.wrap(Rule::over("tcsbase.seq.refresh").cites(SPOT), |game: Game, (unit,): (Entity,)| {
        game.base::<Value>([unit.into()]);
        unit.set("is_spotted", false);
    });
}
