//! Counterbattery, in chains.

use houserule_guest::prelude::*;

use crate::BATTERY;
use crate::arithmetic::tubes_lost;

const LOOK: &str = "battery: entity(tcsbase.battery), target: entity(tcsbase.battery), number: integer";
const PAIR: &str = "battery: entity(tcsbase.battery), target: entity(tcsbase.battery)";
const ONE: &str = "battery: entity(tcsbase.battery)";

pub fn register(rules: &mut Rules) {
    role(rules);
    may(rules);
    acquisition(rules);
    answer(rules);
    effect(rules);
    points(rules);
}

/// A battery in this role fires at batteries, and at nothing else.
fn role(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.art.roles").cites(&["tcs.cb.role"]),
        |game: Game, (battery,): (Entity,)| {
            let mut roles: Vec<String> = game.base([battery.into()]);
            roles.push("cb".into());
            roles
        },
    );
    rules.wrap(
        Rule::over("tcsbase.art.may_call").cites(&["tcs.cb.role", "tcs.cb.unplanned"]),
        |game: Game, (battery,): (Entity,)| -> Verdict {
            if battery.get::<String>("role") == "cb" {
                return Err("it fires at batteries only".into());
            }
            game.base([battery.into()])
        },
    );
}

fn may(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.cb.may", LOOK)
            .returns("verdict")
            .cites(&["tcs.cb.role", "tcs.cb.ammo"])
            .doc("whether a battery may look for one that has fired"),
        |game: Game, (battery, target, number): (Entity, Entity, i64)| -> Verdict {
            match () {
                () if !game.exists(target) => Err("it is out of play".into()),
                () if battery.side() == target.side() => Err("that is a friend".into()),
                () if battery.get::<String>("role") != "cb" => Err("that is not its role".into()),
                () if battery.get::<i64>("tubes") == 0 => Err("it has no tubes left".into()),
                () if stock(battery).is_empty() => Err("it has no rounds left".into()),
                () if battery.get::<i64>("tried") == number
                    && game.option::<String>("tcs.cb.attempts") == "once" =>
                {
                    Err("it has looked for that one".into())
                }
                () => Ok(()),
            }
        },
    );
    let under = |game: Game, args: (Entity, Entity, i64)| -> Verdict {
        game.base([args.0.into(), args.1.into(), args.2.into()])
    };
    rules.wrap(
        Rule::over("tcs.cb.may").cites(&["tcs.cb.rate"]),
        move |game: Game, args: (Entity, Entity, i64)| -> Verdict {
            match args.0.get("has_countered") {
                true => Err("it has fired counterbattery in this turn".into()),
                false => under(game, args),
            }
        },
    );
    rules.wrap(
        Rule::over("tcs.cb.may").cites(&["tcs.cb.mortars"]),
        move |game: Game, args: (Entity, Entity, i64)| -> Verdict {
            let is_mortar = |battery: Entity| battery.get::<String>("system") == "mortar";
            match is_mortar(args.0) || is_mortar(args.1) {
                true => Err("mortars take no part".into()),
                false => under(game, args),
            }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.art.refresh").cites(&["tcs.cb.rate"]),
        |game: Game, (battery,): (Entity,)| {
            game.base::<Value>([battery.into()]);
            battery.set("has_countered", false);
        },
    );
}

fn acquisition(rules: &mut Rules) {
    rules.define(
        Rule::new("tcs.cb.needed", "target: entity(tcsbase.battery)")
            .returns("integer")
            .cites(&["tcs.cb.acquire", "tcs.tbl.acquire"])
            .doc("what a die must show, by how often the target has fired"),
        |game: Game, (target,): (Entity,)| {
            let fires = target.get::<i64>("fired_now") + target.get::<i64>("fired_last");
            let rows = game.rows("tcs.cb.numbers");
            let row = rows.iter().rev().find(|row| row.get::<i64>("fires") <= fires);
            row.map_or(7, |row| row.get("needed"))
        },
    );
    rules.define(
        Rule::new("tcs.cb.net", "batteries: list(entity(tcsbase.battery)), target: entity(tcsbase.battery)")
            .returns("integer")
            .cites(&["tcs.cb.acquire"])
            .doc("how many dice batteries roll together"),
        |game: Game, (batteries, target): (Vec<Entity>, Entity)| -> i64 {
            let points = |list: &[Entity]| list.iter().map(|battery| battery.get::<i64>("cb")).sum::<i64>();
            let lent = match game.option::<String>("tcs.cb.lenders").as_str() {
                "all" => points(&idle(game, &batteries, target)),
                _ => 0,
            };
            points(&batteries) + lent
        },
    );
    rules.wrap(
        Rule::over("tcs.cb.net").cites(&["tcs.cb.ew"]),
        |game: Game, (batteries, target): (Vec<Entity>, Entity)| -> i64 {
            (game.base::<i64>([batteries.into(), target.into()]) - target.get::<i64>("ew")).max(0)
        },
    );
}

/// The batteries of the side, in this role, that cannot fire themselves.
fn idle(game: Game, batteries: &[Entity], target: Entity) -> Vec<Entity> {
    let cannot = |battery: &Entity| {
        let args = [(*battery).into(), target.into(), (-1).into()];
        game.call::<Verdict>("tcs.cb.may", args).is_err()
    };
    let side = batteries[0].side();
    let own = game.all(BATTERY, "role", "cb").into_iter().filter(|other| other.side() == side);
    own.filter(|other| !batteries.contains(other) && cannot(other)).collect()
}

fn effect(rules: &mut Rules) {
    rules.step(
        Rule::new("tcs.cb.fire", PAIR).cites(&["tcs.cb.resolve", "tcs.cb.ammo", "tcs.cb.commit"]),
        fire,
    );
    rules.define(
        Rule::new("tcs.cb.less", ONE)
            .returns("integer")
            .cites(&["tcs.cb.resolve"])
            .doc("what comes off the die of a battery before it is divided"),
        |_: Game, (_,): (Entity,)| 0,
    );
    rules.wrap(
        Rule::over("tcs.cb.less").cites(&["tcs.cb.twotubes"]),
        |game: Game, (battery,): (Entity,)| -> i64 {
            let is_few = battery.get::<i64>("tubes") <= 2 && battery.get::<String>("system") != "launcher";
            game.base::<i64>([battery.into()]) + if is_few { 2 } else { 0 }
        },
    );
    rules.define(
        Rule::new("tcs.cb.most", "target: entity(tcsbase.battery)")
            .returns("integer")
            .cites(&["tcs.cb.resolve"])
            .doc("how many tubes a battery can lose"),
        |_: Game, (target,): (Entity,)| -> i64 { target.get("tubes") },
    );
    rules.wrap(
        Rule::over("tcs.cb.most").cites(&["tcs.mlrs.cb_loss"]),
        |game: Game, (target,): (Entity,)| -> i64 {
            let under: i64 = game.base([target.into()]);
            if target.get::<String>("system") == "launcher" {
                under.min(target.get("fired_now"))
            } else {
                under
            }
        },
    );
    rules.step(
        Rule::new("tcs.cb.silenced", "target: entity(tcsbase.battery)").cites(&["tcs.cb.onmap"]),
        |game: Game, (target,): (Entity,)| {
            if target.get::<i64>("tubes") == 0 && target.get::<Option<Hex>>("at").is_some() {
                game.remove(target);
            }
        },
    );
}

/// Points go from battery to battery in the turn at midnight, and no other.
fn points(rules: &mut Rules) {
    let given = |battery: Entity, params: &Record| battery.get::<i64>(&params.get::<String>("which"));
    rules
        .action("tcs.cb.shift_points")
        .title("Assign points to another battery")
        .at("tcsbase.seq.command")
        .actor(BATTERY)
        .cites(&["tcs.cb.points"])
        .allowed(|game, battery| match game.call::<i64>("tcsbase.gen.time", []) {
            0 if battery.get::<i64>("cb") + battery.get::<i64>("ew") > 0 => Ok(()),
            0 => Err("it has no points".into()),
            _ => Err("points change hands at midnight only".into()),
        })
        .param("which", "Which points?", "cb|ew", |_, battery, _| {
            Some(Domain::words(["cb", "ew"].into_iter().filter(|which| battery.get::<i64>(which) > 0)))
        })
        .param("to", "To which battery?", "entity(tcsbase.battery)", |game, battery, _| {
            let own = game.entities(BATTERY).into_iter().filter(|other| other.side() == battery.side());
            Some(Domain::entities(own.filter(|other| *other != battery).collect::<Vec<_>>()))
        })
        .param("points", "How many?", "integer 1..20", move |_, battery, params| {
            Some(Domain::integer(1, given(battery, &params)))
        })
        .score(|_, _, _| -1)
        .perform(|_, battery, params| {
            let (which, to): (String, Entity) = (params.get("which"), params.get("to"));
            let points: i64 = params.get("points");
            battery.set(&which, battery.get::<i64>(&which) - points);
            to.set(&which, to.get::<i64>(&which) + points);
        });
}

fn answer(rules: &mut Rules) {
    let may = |game: Game, battery: Entity, window: &Record| -> Verdict {
        let args = [battery.into(), window.get("battery"), window.get("number")];
        game.call("tcs.cb.may", args)
    };
    rules
        .reaction("tcs.cb.answer")
        .title("Counterbattery")
        .at("tcsbase.art.complete")
        .actor(BATTERY)
        .cites(&["tcs.cb.trigger", "tcs.cb.many"])
        .allowed(move |game, battery, window| may(game, battery, &window))
        .param(
            "with",
            "With which others?",
            "list(entity(tcsbase.battery))",
            move |game, battery, window, _| {
                let friends = game.entities(BATTERY).into_iter().filter(|other| *other != battery);
                Domain::some_of(
                    friends
                        .filter(|other| other.side() == battery.side() && may(game, *other, &window).is_ok()),
                )
            },
        )
        .score(|_, _, _, _| 10)
        .perform(|game, battery, window, params| {
            let target: Entity = window.get("battery");
            let mut all = vec![battery];
            all.extend(params.get::<Vec<Entity>>("with"));
            for one in &all {
                one.set("tried", window.get::<i64>("number"));
            }
            if search(game, &all, target) {
                for one in all {
                    game.push("tcs.cb.fire", [one.into(), target.into()]);
                }
            }
        });
}

/// Rolls all dice of an acquisition; whether one of them found the target.
fn search(game: Game, batteries: &[Entity], target: Entity) -> bool {
    let net: i64 = game.call("tcs.cb.net", [batteries.to_vec().into(), target.into()]);
    let needed: i64 = game.call("tcs.cb.needed", [target.into()]);
    let dice: Vec<Die> = (0..net).map(|_| Die::new(6)).collect();
    let faces = if dice.is_empty() { Vec::new() } else { game.roll_all(&dice, "acquisition") };
    let is_found = faces.iter().any(|face| *face >= needed);
    let result = if is_found { "found" } else { "not found" };
    game.emit(
        "tcs.cb.searched",
        record([
            ("by", batteries.to_vec().into()),
            ("battery", target.into()),
            ("net", net.into()),
            ("needed", needed.into()),
            ("dice", faces.into()),
            ("result", result.into()),
        ]),
    );
    is_found
}

fn fire(game: Game, (battery, target): (Entity, Entity)) {
    if !game.exists(target) {
        return;
    }
    let rounds = match stock(battery).as_slice() {
        [] => return,
        [only] => only.to_string(),
        several => {
            let question = Question::new("tcs.cb.rounds", "Which rounds?").about(&[battery]);
            game.ask(&battery.side(), question, Domain::words(several.iter().copied()))
        }
    };
    battery.set("has_countered", true);
    let die = game.roll(&Die::new(6), "counterbattery");
    let divisor = game.row("tcs.cb.divisors", [rounds.as_str().into()]).map_or(3, |row| row.get("divisor"));
    let lost = tubes_lost(die, game.call("tcs.cb.less", [battery.into()]), divisor);
    let lost = lost.min(game.call("tcs.cb.most", [target.into()]));
    let left = target.get::<i64>("tubes") - lost;
    target.set("tubes", left);
    let told = [
        ("battery", battery.into()),
        ("target", target.into()),
        ("rounds", rounds.as_str().into()),
        ("die", die.into()),
        ("lost", lost.into()),
        ("left", left.into()),
    ];
    game.emit("tcs.cb.hit", record(told));
    game.push("tcs.cb.silenced", [target.into()]);
    game.push("tcsbase.art.spend", [battery.into(), rounds.into(), 1.into()]);
}

/// What a battery can answer with, the best first.
fn stock(battery: Entity) -> Vec<&'static str> {
    ["dpicm", "icm", "he"].into_iter().filter(|rounds| battery.get::<i64>(rounds) > 0).collect()
}
