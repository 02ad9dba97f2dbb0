//! Where rounds fall, and what they do.

use std::collections::BTreeMap;

use houserule_guest::prelude::*;

use crate::fire::signed;
use crate::map::is_on_map;
use crate::{UNIT, two_dice};

const FALL: &str = "battery: entity(tcsbase.battery), rounds: he|dpicm|icm, count: integer, at: hex";

/// More rounds than this in a hex add nothing.
const MOST_MORE: i64 = 3;

pub fn register(rules: &mut Rules) {
    smoke(rules);
    rules.define(
        Rule::new("tcsbase.art.exact", "battery: entity(tcsbase.battery), rounds: he|dpicm|icm")
            .returns("bool")
            .cites(&["tcsbase.art.designator"])
            .doc("whether the rounds of a battery need no designator"),
        |_: Game, (battery, _): (Entity, String)| battery.get::<String>("system") == "launcher",
    );
    rules.define(
        Rule::new("tcsbase.art.sees", "unit: entity(tcsbase.unit), at: hex")
            .returns("bool")
            .cites(&["tcsbase.art.observer", "tcsbase.night.observe"])
            .doc("whether a unit observes the fall of shot in a hex"),
        observes,
    );
    rules.step(
        Rule::new(
            "tcsbase.art.land",
            "battery: entity(tcsbase.battery), rounds: he|dpicm|icm, size: integer, at: hex",
        )
        .cites(&["tcsbase.art.designator", "tcsbase.art.adjust"]),
        |game: Game, (battery, rounds, size, at): (Entity, String, i64, Hex)| {
            let both = [battery.into(), rounds.as_str().into()];
            let exact: bool = game.call("tcsbase.art.exact", both);
            // Fire that is checked costs nothing.
            let Some(centre) = (if exact { Some(at) } else { aimed(game, battery, at) }) else { return };
            let count = size * battery.get::<i64>("tubes");
            let all = [battery.into(), rounds.as_str().into(), count.into(), centre.into()];
            game.push("tcsbase.art.scatter", all);
            game.push("tcsbase.art.spend", [battery.into(), rounds.into(), size.into()]);
        },
    );
    rules.step(
        Rule::new("tcsbase.art.scatter", FALL).cites(&["tcsbase.art.patterns", "tcsbase.smoke.mission"]),
        scatter,
    );
    rules.step(
        Rule::new("tcsbase.art.hit", FALL).cites(&["tcsbase.art.area", "tcsbase.fire.area.rounds"]),
        hit,
    );
    rules.step(
        Rule::new(
            "tcsbase.art.vehicle",
            "battery: entity(tcsbase.battery), rounds: he|dpicm|icm, target: entity(tcsbase.unit)",
        )
        .cites(&["tcsbase.art.point.table"]),
        vehicle,
    );
    rules.define(
        Rule::new("tcsbase.art.vehicle_modifier", "rounds: he|dpicm|icm, target: entity(tcsbase.unit)")
            .returns("integer?")
            .cites(&["tcsbase.art.point.table"])
            .doc("what is added to the dice of a round against a vehicle; nothing where it cannot hurt it"),
        |game: Game, (_, target): (String, Entity)| -> Option<i64> {
            Some(i64::from(game.call::<bool>("tcsbase.mode.is_moving", [target.into()])))
        },
    );
}

fn observes(game: Game, (unit, at): (Entity, Hex)) -> bool {
    let from: Hex = unit.get("at");
    let clock = game.named("clock");
    let limit = if clock.get("is_night") { clock.get("limit") } else { 30 };
    let height: i64 = game.call("tcsbase.los.height_of", [unit.into()]);
    unit.get::<String>("state") == "ready"
        && i64::from(from.distance(at)) <= limit
        && game.call::<bool>("tcsbase.los.clear", [from.into(), height.into(), at.into(), 0.into()])
}

/// The designator round, and the adjustment: where the fire for effect falls,
/// or nothing where it is checked.
fn aimed(game: Game, battery: Entity, at: Hex) -> Option<Hex> {
    let faces = game.roll_all(&[Die::new(6), Die::new(6)], "designator");
    let distance = [1, 1, 2, 2, 3, 4][faces[1] as usize - 1];
    let mut fell = at;
    for _ in 0..distance {
        fell = fell.neighbours()[faces[0] as usize - 1];
    }
    let own = game.entities(UNIT).into_iter().filter(|unit| unit.side() == battery.side());
    let observer = own.into_iter().find(|unit| game.call("tcsbase.art.sees", [(*unit).into(), fell.into()]));
    let told = |result: &str, by: Value| {
        record([
            ("battery", battery.into()),
            ("at", fell.into()),
            ("observer", by),
            ("result", result.into()),
        ])
    };
    let Some(observer) = observer else {
        game.emit("tcsbase.art.designated", told("nobody sees it", Value::Nothing));
        return kept(game, battery, fell);
    };
    let needed = 5 + i64::from(at.distance(fell));
    let dice = two_dice(game, "adjustment");
    if dice >= needed {
        game.emit(
            "tcsbase.art.designated",
            told(&format!("adjusted, {dice} against {needed}"), observer.into()),
        );
        return Some(at);
    }
    game.emit(
        "tcsbase.art.designated",
        told(&format!("not adjusted, {dice} against {needed}"), observer.into()),
    );
    kept(game, battery, fell)
}

/// Whether the fire for effect follows the designator.
fn kept(game: Game, battery: Entity, fell: Hex) -> Option<Hex> {
    let question = Question::new("tcsbase.art.check_fire", "Fire for effect where the designator fell?");
    game.ask::<bool>(&battery.side(), question.about(&[battery]), Domain::yes()).then_some(fell)
}

/// Each round falls by the pattern; hexes with two or more smoke.
fn scatter(game: Game, (battery, rounds, count, centre): (Entity, String, i64, Hex)) {
    let dice = vec![Die::new(6); usize::try_from(count).unwrap_or(0)];
    let distances = game.roll_all(&dice, "pattern, distances");
    let pattern: Vec<i64> = game.rows("tcsbase.art.pattern").iter().map(|row| row.get("b")).collect();
    let row: Vec<i64> = distances.iter().map(|face| pattern[*face as usize - 1]).collect();
    let astray = row.iter().filter(|distance| **distance > 0).count();
    let mut ways = match astray {
        0 => Vec::new(),
        _ => game.roll_all(&vec![Die::new(6); astray], "pattern, directions"),
    }
    .into_iter();
    let mut struck: BTreeMap<Hex, i64> = BTreeMap::new();
    for distance in row {
        let way = if distance > 0 { ways.next().unwrap_or(1) } else { 1 };
        let hex = (0..distance).fold(centre, |hex, _| hex.neighbours()[way as usize - 1]);
        if is_on_map(game, hex) {
            *struck.entry(hex).or_default() += 1;
        }
    }
    let list: Vec<String> = struck.iter().map(|(hex, count)| format!("{count} at {hex}")).collect();
    game.emit("tcsbase.art.fell", record([("battery", battery.into()), ("hexes", list.join(", ").into())]));
    for (hex, count) in &struck {
        game.push(
            "tcsbase.art.hit",
            [battery.into(), rounds.as_str().into(), (*count).into(), (*hex).into()],
        );
    }
    for (hex, count) in struck {
        if count >= 2 {
            game.push("tcsbase.smoke.place", [hex.into()]);
        }
    }
}

/// One attack on each soft unit of a hex, and one round after the other on
/// vehicles.
fn hit(game: Game, (battery, rounds, count, at): (Entity, String, i64, Hex)) {
    let key = [rounds.as_str().into(), battery.get::<String>("caliber").into()];
    let fp = game.row("tcsbase.art.rounds", key).map_or(0, |row| row.get("fp"));
    let power: Option<i64> = game.call("tcsbase.fire.area.fpmod", [Value::Int(fp)]);
    let here = game.entities(UNIT).into_iter().filter(|unit| unit.get::<Hex>("at") == at);
    let (soft, hard): (Vec<Entity>, Vec<Entity>) = here
        .filter(|unit| unit.get::<String>("class") != "helicopter")
        .partition(|unit| unit.get::<String>("target") == "area");
    for (unit, power) in soft.into_iter().zip(std::iter::repeat(power)).filter_map(|(u, p)| Some((u, p?))) {
        let more = (count - 1).min(MOST_MORE);
        let terrain: i64 = game.call("tcsbase.fire.terrain", [unit.into(), "area".into()]);
        let dice = two_dice(game, &format!("shells on {}", unit.label()));
        let modifier = power + more + terrain;
        game.push("tcsbase.fire.area.suffer", [unit.into(), dice.into(), modifier.into(), true.into()]);
    }
    for round in 0..if hard.is_empty() { 0 } else { count } {
        let chosen = match hard.len() {
            1 => 0,
            all => game.roll(&Die::new(all as u16), &format!("which vehicle, round {}", round + 1)) - 1,
        };
        game.push(
            "tcsbase.art.vehicle",
            [battery.into(), rounds.as_str().into(), hard[chosen as usize].into()],
        );
    }
}

fn vehicle(game: Game, (battery, rounds, target): (Entity, String, Entity)) {
    if !game.exists(target) {
        return;
    }
    let armour = if target.get::<i64>("dv") <= 1 { "light" } else { "heavy" };
    let key = [battery.get::<String>("caliber").into(), armour.into()];
    let needed: Option<i64> = game.row("tcsbase.art.point.numbers", key).and_then(|row| row.get("needed"));
    let modifier: Option<i64> = game.call("tcsbase.art.vehicle_modifier", [rounds.into(), target.into()]);
    let (Some(needed), Some(modifier)) = (needed, modifier) else { return };
    let dice = two_dice(game, &format!("a round at {}", target.label()));
    let is_lost = dice + modifier >= needed;
    let told = [
        ("battery", battery.into()),
        ("target", target.into()),
        ("dice", dice.into()),
        ("modifier", signed(modifier).into()),
        ("needed", needed.into()),
        ("result", if is_lost { "destroyed" } else { "no effect" }.into()),
    ];
    game.emit("tcsbase.art.vehicle_hit", record(told));
    if is_lost {
        game.remove(target);
    }
}

/// Smoke in a hex.
fn smoke(rules: &mut Rules) {
    rules.step(
        Rule::new("tcsbase.smoke.place", "at: hex").cites(&["tcsbase.art.smoke_from_he"]),
        |game: Game, (at,): (Hex,)| {
            let (column, row) = at.column_row();
            let name = format!("h{column:02}{row:02}");
            let ground = game.find(&name);
            let ground = ground.unwrap_or_else(|| game.create("tcsbase.ground", record([]), Some(&name)));
            ground.set("smoke", (ground.get::<i64>("smoke") + 1).min(9));
        },
    );
    rules.step(
        Rule::new("tcsbase.smoke.clear", "at: entity(tcsbase.ground)").cites(&["tcsbase.smoke.remove"]),
        |game: Game, (at,): (Entity,)| {
            let markers: i64 = at.get("smoke");
            let dice = vec![Die::new(6); usize::try_from(markers).unwrap_or(0)];
            let faces = game.roll_all(&dice, &format!("smoke at {}", at.label()));
            at.set("smoke", faces.into_iter().filter(|face| *face < 4).count());
        },
    );
}
