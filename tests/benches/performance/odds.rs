//! Odds: handfuls, and a whole shot.

use houserule::odds::{By, Limits, OddsQuery, Policy, What};
use houserule::play::Match;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::game::Game;
use kernel::value::{Name, Value};

use crate::clock::{Bound, Table, median, seconds};

const ROUNDS: usize = 5;

const HANDFUL: &str = "odds of five chits from the pot of 119";
const HIT: &str = "odds of a whole shot: to hit, evasion, three chits";

pub fn measure(table: &mut Table) {
    if !table.wants(HANDFUL) && !table.wants(HIT) {
        return;
    }
    let (workshop, faults) = Workshop::open(&[folder("../mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("dsii/duel").unwrap();
    let game = workshop.start(&found, &Overrides::default()).unwrap().0;
    if table.wants(HANDFUL) {
        measure_handful(table, &game);
    }
    if table.wants(HIT) {
        measure_hit(table, &game);
    }
}

/// Many draws that come to few sums.
fn measure_handful(table: &mut Table, game: &Match) {
    let factors = ["red", "yellow", "green"].map(|colour| (colour, Value::Int(2)));
    let args = vec![Value::Int(5), Value::record(factors)];
    let time = milliseconds(game, game.game(), "dsii.dmg.draw", &args, "result.halves");
    table.add(
        HANDFUL,
        time,
        "ms",
        Bound::AtMost(10.0),
        "182,637,273 draws, 15,336 handfuls, 471 sums",
    );
}

/// Dice and chits in one rule, at a target that evades.
fn measure_hit(table: &mut Table, game: &Match) {
    let world = game.game().world();
    let mut evading = game.game().clone();
    evading
        .set(
            world.find("red-a").unwrap(),
            "is_evading",
            Value::Bool(true),
        )
        .unwrap();
    let time = milliseconds(
        game,
        &evading,
        "dsii.fire.shoot_gun",
        &[shot(game.game())],
        "red-a-1.status",
    );
    table.add(
        HIT,
        time,
        "ms",
        Bound::AtMost(100.0),
        "three dice, then 97 sums of three chits",
    );
}

/// A shot of the first blue vehicle at the first red one.
fn shot(game: &Game) -> Value {
    let find = |name: &str| Value::Entity(game.world().find(name).unwrap());
    let weapon = Value::record([
        ("type", Value::text("HKP")),
        ("class", Value::Int(3)),
        ("barrels", Value::Int(1)),
        ("mount", Value::text("turret")),
        ("guidance", Value::text("none")),
    ]);
    Value::record([
        ("firer", find("blue-a-1")),
        ("weapon", weapon),
        ("target", find("red-a-1")),
        ("band", Value::text("medium")),
    ])
}

fn milliseconds(of: &Match, game: &Game, rule: &str, args: &[Value], by: &str) -> f64 {
    let find = |name: &str| game.world().find(name);
    let asked = OddsQuery {
        game,
        rules: &**of.rulebook(),
        what: What::Rule(Name::from(rule), args.to_vec()),
        by: By::read(by, game, &find).unwrap(),
        policy: Policy::default(),
        eyes: None,
        limits: Limits::default(),
    };
    median(
        (0..ROUNDS)
            .map(|_| seconds(|| asked.answer(&|| false).unwrap()) * 1e3)
            .collect(),
    )
}
