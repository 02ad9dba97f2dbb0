//! Helicopters: modes, pop-ups, and those that answer them.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::{UNIT, enemies, is_helicopter, trigger};

/// Metres above the ground of a helicopter that is low.
const LOW: i64 = 100;

const ONE: &str = "helicopter: entity(tcsbase.unit)";
const AIMED: &str = "helicopter: entity(tcsbase.unit), target: entity(tcsbase.unit)";

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcs.helo.up",
        "helicopters: list(entity(tcsbase.unit)), target: entity(tcsbase.unit)",
        AskedFirst::OthersOnly,
        &["tcs.helo.popup.seq"],
    );
    rules.wrap(
        Rule::over("tcsbase.los.height_of").cites(&["tcs.helo.modes", "tcs.helo.low", "tcs.helo.noe"]),
        |game: Game, (unit,): (Entity,)| -> i64 {
            let is_low = is_helicopter(unit) && unit.get::<String>("height") == "low";
            if is_low { LOW } else { game.base([unit.into()]) }
        },
    );
    // Its modes are heights, and it moves and fires in either.
    rules.wrap(
        Rule::over("tcsbase.mode.choices").cites(&["tcs.helo.modes", "tcs.helo.move_and_fire"]),
        |game: Game, (unit,): (Entity,)| -> Vec<String> {
            if is_helicopter(unit) { vec![unit.get::<String>("mode")] } else { game.base([unit.into()]) }
        },
    );
    may(rules);
    overwatch(rules);
    soviet(rules);
    popup(rules);
    counter(rules);
    steps(rules);
}

fn may(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.helo.may_pop", AIMED)
            .returns("verdict")
            .cites(&["tcs.helo.popup.when"])
            .doc("whether a helicopter may pop up to fire its missile at a target"),
        |game: Game, (helicopter, target): (Entity, Entity)| -> Verdict {
            let fit: Verdict = match () {
                () if !is_helicopter(helicopter) => Err("it is no helicopter".into()),
                () if helicopter.side() == target.side() => Err("that is a friend".into()),
                () if helicopter.get::<String>("height") != "noe" => Err("it is up already".into()),
                () if helicopter.get("has_popped") => Err("it has popped up in this phase".into()),
                () => Ok(()),
            };
            fit?;
            game.call::<Verdict>("tcs.atgm.ready", [helicopter.into()])?;
            game.call::<Verdict>("tcs.atgm.hits", [helicopter.into(), target.into()])?;
            match sees_from_above(game, helicopter, target) {
                true => Ok(()),
                false => Err("it would not see the target".into()),
            }
        },
    );
}

/// A pop-up is the missile's fire from overwatch, too.
fn overwatch(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.helo.ow_may", AIMED)
            .returns("verdict")
            .cites(&["tcs.helo.ow"])
            .doc("whether a helicopter may pop up at this trigger"),
        |game: Game, (helicopter, mover): (Entity, Entity)| -> Verdict {
            match helicopter.get::<i64>("missile_trigger") == trigger(game) {
                true => Err("it has fired at this trigger".into()),
                false => game.call("tcs.helo.may_pop", [helicopter.into(), mover.into()]),
            }
        },
    );
}

fn sees_from_above(game: Game, helicopter: Entity, target: Entity) -> bool {
    let (from, to): (Hex, Hex) = (helicopter.get("at"), target.get("at"));
    let height: i64 = game.call("tcsbase.los.height_of", [target.into()]);
    let range = i64::from(from.distance(to));
    let both = || [helicopter.into(), target.into()];
    range <= game.call("tcsbase.los.night_limit", both())
        && range <= game.call("tcsbase.los.weather_limit", [helicopter.into()])
        && game.call("tcsbase.los.through_smoke", both())
        && game.call("tcsbase.los.clear", [from.into(), LOW.into(), to.into(), height.into()])
}

/// Soviet helicopters learn it late, or never.
fn soviet(rules: &mut Rules) {
    let is_late = |game: Game| game.named("clock").get::<i64>("conflict") >= 12 * 60;
    rules.wrap(
        Rule::over("tcs.helo.may_pop").cites(&["tcs.helo.popup.soviet"]),
        move |game: Game, (helicopter, target): (Entity, Entity)| -> Verdict {
            let never = game.option::<String>("tcs.helo.soviet") == "never";
            if helicopter.get("is_soviet") && (never || !is_late(game)) {
                return Err("its crew has not learned it".into());
            }
            game.base([helicopter.into(), target.into()])
        },
    );
    rules.wrap(
        Rule::over("tcsbase.fire.modifier").cites(&["tcs.helo.popup.soviet"]),
        |game: Game, (firer, target, table): (Entity, Entity, String)| -> i64 {
            let under: i64 = game.base([firer.into(), target.into(), table.into()]);
            let less = if firer.get("is_soviet") && firer.get("is_up") { 2 } else { 0 };
            under - less
        },
    );
    rules.wrap(Rule::over("tcsbase.seq.hour").cites(&["tcs.helo.popup.soviet"]), |game: Game, ()| {
        let clock = game.named("clock");
        let before: i64 = clock.get("minutes");
        game.base::<Value>([]);
        clock.set("conflict", clock.get::<i64>("conflict") + clock.get::<i64>("minutes") - before);
    });
}

/// Helicopters rise, may be answered, are fired at, fire and go down.
fn rise(game: Game, all: &[Entity], target: Entity) {
    for helicopter in all {
        helicopter.set("has_popped", true);
        game.push("tcs.helo.rise", [(*helicopter).into()]);
    }
    game.open("tcs.helo.up", record([("helicopters", all.to_vec().into()), ("target", target.into())]));
    for helicopter in all {
        game.push("tcs.helo.aa", [(*helicopter).into()]);
    }
    for helicopter in all {
        game.push("tcs.helo.shoot", [(*helicopter).into(), target.into()]);
    }
}

fn may_watch(game: Game, unit: Entity, mover: Entity) -> Verdict {
    game.call("tcsbase.ow.with", [unit.into(), mover.into(), "tcs.helo.ow_may".into()])
}

fn may_suppress(game: Game, unit: Entity, target: Entity) -> Verdict {
    if unit.get("has_launched") {
        return Err("its missile has been fired".into());
    }
    game.call::<Verdict>("tcs.helo.may_pop", [unit.into(), target.into()])
}

type May = fn(Game, Entity, Entity) -> Verdict;

/// The friends that may pop up together with a helicopter.
fn together(game: Game, unit: Entity, target: Entity, may: May) -> Option<Domain> {
    let friends =
        game.entities(UNIT).into_iter().filter(|other| *other != unit && other.side() == unit.side());
    Domain::some_of(friends.filter(|other| may(game, *other, target).is_ok()))
}

/// What a missile is worth to a bot; at troops it is wasted.
fn odds(game: Game, helicopter: Entity, target: Entity) -> i64 {
    if target.get::<String>("target") == "area" {
        return 0;
    }
    14 - game.call::<Option<i64>>("tcs.atgm.needed", [helicopter.into(), target.into()]).unwrap_or(14)
}

fn popup(rules: &mut Rules) {
    rules
        .reaction("tcs.helo.popup")
        .title("Pop up and fire")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcs.helo.popup.seq", "tcs.helo.popup.onetarget", "tcs.helo.ow"])
        .allowed(|game, unit, window| may_watch(game, unit, window.get("mover")))
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", |game, unit, window, _| {
            together(game, unit, window.get("mover"), may_watch)
        })
        .score(|game, unit, window, params| {
            let others = params.get::<Vec<Entity>>("with").len() as i64;
            odds(game, unit, window.get("mover")) - others
        })
        .perform(|game, unit, window, params| {
            let mover: Entity = window.get("mover");
            let mut all = vec![unit];
            all.extend(params.get::<Vec<Entity>>("with"));
            all.retain(|helicopter| {
                helicopter.set("missile_trigger", trigger(game));
                game.call("tcsbase.ow.ask", [(*helicopter).into(), mover.into()])
            });
            if !all.is_empty() {
                rise(game, &all, mover);
            }
        });
    rules
        .action("tcs.helo.popup_fire")
        .title("Pop up and fire")
        .at("tcsbase.seq.direct")
        .actor(UNIT)
        .cites(&["tcs.helo.popup.when", "tcs.helo.popup.seq", "tcs.helo.fires"])
        .allowed(|game, unit| {
            game.call::<Verdict>("tcs.atgm.ready", [unit.into()])?;
            match () {
                () if !is_helicopter(unit) => Err("it is no helicopter".into()),
                () if unit.get("has_launched") => Err("its missile has been fired".into()),
                () if unit.get("has_popped") => Err("it has popped up in this phase".into()),
                () => Ok(()),
            }
        })
        .param("target", "At what?", "entity(tcsbase.unit)", |game, unit, _| {
            let able = enemies(game, unit).into_iter();
            let able = able.filter(|other| may_suppress(game, unit, *other).is_ok());
            Some(Domain::entities(able.collect::<Vec<_>>()))
        })
        .param("with", "Together with whom?", "list(entity(tcsbase.unit))", |game, unit, params| {
            together(game, unit, params.get("target"), may_suppress)
        })
        .score(|game, unit, params| {
            let others = params.get::<Vec<Entity>>("with").len() as i64;
            odds(game, unit, params.get("target")) - others
        })
        .perform(|game, unit, params| {
            let mut all = vec![unit];
            all.extend(params.get::<Vec<Entity>>("with"));
            all.iter().for_each(|one| one.set("has_launched", true));
            rise(game, &all, params.get("target"));
        });
}

fn counter(rules: &mut Rules) {
    let able = |game: Game, unit: Entity, window: &Record| -> Vec<Entity> {
        let mut up: Vec<Entity> = window.get("helicopters");
        up.retain(|enemy| game.exists(*enemy) && enemy.get("is_up"));
        up.retain(|enemy| {
            game.call::<Verdict>("tcs.helo.may_counter", [unit.into(), (*enemy).into()]).is_ok()
        });
        up
    };
    rules.define(
        Rule::new("tcs.helo.may_counter", AIMED)
            .returns("verdict")
            .cites(&["tcs.helo.popup.counter"])
            .doc("whether a helicopter may pop up in answer to one that has"),
        |game: Game, (unit, enemy): (Entity, Entity)| -> Verdict {
            game.call::<Verdict>("tcs.helo.may_pop", [unit.into(), enemy.into()])?;
            match game.option::<String>("tcs.helo.counter_permission").as_str() {
                "overwatch" => game.call::<Verdict>("tcsbase.mode.watches", [unit.into()]),
                _ => Ok(()),
            }
        },
    );
    rules.wrap(
        Rule::over("tcs.helo.may_counter").cites(&["tcs.helo.popup.ff"]),
        |game: Game, (unit, enemy): (Entity, Entity)| -> Verdict {
            if game.call("tcs.helo.forgets", [enemy.into()]) {
                return Err("its missile needs no aim".into());
            }
            game.base([unit.into(), enemy.into()])
        },
    );
    rules.define(
        Rule::new("tcs.helo.forgets", ONE)
            .returns("bool")
            .cites(&["tcs.helo.popup.seq"])
            .doc("whether a helicopter may be gone before its missile arrives"),
        |game: Game, (unit,): (Entity,)| -> bool {
            let is_hellfire = unit.get::<Option<String>>("missile").as_deref() == Some("hellfire");
            let all = game.option::<String>("tcs.helo.forgetful") == "flagged";
            game.call("tcs.atgm.forgets", [unit.into()]) && (all || is_hellfire)
        },
    );
    rules
        .reaction("tcs.helo.counter")
        .title("Counter-pop up")
        .at("tcs.helo.up")
        .actor(UNIT)
        .cites(&["tcs.helo.popup.counter", "tcs.helo.popup.counter.seq"])
        .allowed(move |game, unit, window| match able(game, unit, &window).is_empty() {
            true => Err("it can answer none of them".into()),
            false => Ok(()),
        })
        .param("target", "At which?", "entity(tcsbase.unit)", move |game, unit, window, _| {
            Some(Domain::entities(able(game, unit, &window)))
        })
        .score(|game, unit, _, params| odds(game, unit, params.get("target")))
        .perform(|game, unit, _, params| {
            let counters = game.option::<String>("tcs.helo.counter_permission") == "overwatch";
            unit.set("has_popped", true);
            unit.set("has_launched", true);
            unit.set("is_marked", counters || unit.get("is_marked"));
            game.push("tcs.helo.rise", [unit.into()]);
            game.push("tcs.helo.aa", [unit.into()]);
            game.push("tcs.helo.shoot", [unit.into(), params.get("target")]);
        });
}

fn steps(rules: &mut Rules) {
    let height = |name: &'static str, event: &'static str, height: &'static str| {
        (Rule::new(name, ONE).cites(&["tcs.helo.popup.seq"]), move |game: Game, (unit,): (Entity,)| {
            if game.exists(unit) {
                unit.set("height", height);
                unit.set("is_up", height == "low");
                game.emit(event, record([("helicopter", unit.into())]));
            }
        })
    };
    let (rule, rise) = height("tcs.helo.rise", "tcs.helo.rose", "low");
    rules.step(rule, rise);
    let (rule, sink) = height("tcs.helo.sink", "tcs.helo.sank", "noe");
    rules.step(rule, sink);
    rules.step(
        Rule::new("tcs.helo.shoot", AIMED).cites(&["tcs.helo.popup.seq", "tcs.helo.popup.onetarget"]),
        |game: Game, (helicopter, target): (Entity, Entity)| {
            if game.exists(helicopter) {
                game.push("tcs.atgm.announce", [helicopter.into(), target.into()]);
                game.push("tcs.helo.sink", [helicopter.into()]);
            }
        },
    );
    // Once in each phase in which there is fire: as units move, all are down again.
    rules.wrap(
        Rule::over("tcsbase.seq.refresh").cites(&["tcs.helo.popup.when"]),
        |game: Game, (unit,): (Entity,)| {
            game.base::<Value>([unit.into()]);
            unit.set("has_popped", false);
        },
    );
    rules.automatic(
        Phase::sequence("tcs.helo.settle", &[]).before("tcsbase.seq.action").cites(&["tcs.helo.popup.when"]),
        |game| {
            for unit in game.entities(UNIT) {
                unit.set("has_popped", false);
                unit.set("has_launched", false);
            }
        },
    );
}
