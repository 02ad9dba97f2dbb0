//! Odds: handfuls, and a whole shot.

use houserule::odds::{By, Limits, OddsQuery, Policy, What};
use houserule::play::Match;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::game::Game;
use kernel::value::{Name, Value};

use crate::clock::{Bound, Table, median, seconds};

const ROUNDS: usize = 5;

pub fn measure(table: &mut Table) {
    let (handful, hit) = (
        "odds of five chits from the pot of 119",
        "odds of a whole shot: to hit, evasion, three chits",
    );
    if !table.wants(handful) && !table.wants(hit) {
        return;
    }
    let (workshop, faults) = Workshop::open(&[folder("../mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("dsii/duel").unwrap();
    let game = workshop.start(&found, &Overrides::default()).unwrap().0;
    if table.wants(handful) {
        let factors = ["red", "yellow", "green"].map(|colour| (colour, Value::Int(2)));
        let args = vec![Value::Int(5), Value::record(factors)];
        let time = milliseconds(&game, game.game(), "dsii.dmg.draw", &args, "result.halves");
        table.add(
            handful,
            time,
            "ms",
            Bound::AtMost(10.0),
            "182,637,273 draws, 15,336 handfuls, 471 sums",
        );
    }
    if table.wants(hit) {
        let world = game.game().world();
        let (firer, target) = (
            world.find("blue-a-1").unwrap(),
            world.find("red-a-1").unwrap(),
        );
        let weapon = Value::record([
            ("type", Value::text("HKP")),
            ("class", Value::Int(3)),
            ("barrels", Value::Int(1)),
            ("mount", Value::text("turret")),
            ("guidance", Value::text("none")),
        ]);
        let shot = Value::record([
            ("firer", Value::Entity(firer)),
            ("weapon", weapon),
            ("target", Value::Entity(target)),
            ("band", Value::text("medium")),
        ]);
        let mut evading = game.game().clone();
        evading
            .set(
                world.find("red-a").unwrap(),
                "is_evading",
                Value::Bool(true),
            )
            .unwrap();
        let time = milliseconds(
            &game,
            &evading,
            "dsii.fire.shoot_gun",
            &[shot],
            "red-a-1.status",
        );
        table.add(
            hit,
            time,
            "ms",
            Bound::AtMost(100.0),
            "three dice, then 97 sums of three chits",
        );
    }
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
