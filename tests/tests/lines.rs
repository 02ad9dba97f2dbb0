//! Lines on rules that are open for them: how they combine, whoever says them
//! and in whatever order.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::Request;
use houserule::rulebook::Rulebook;
use houserule::testing::{Filter, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::folder;
use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::rules::{Rules, Stop};
use kernel::value::{Name, Value};
use proptest::prelude::*;

/// The mods of `tests/lines`, as they are.
fn workshop() -> Workshop {
    let (workshop, faults) = Workshop::open(&[folder("lines")]);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn compose(workshop: &Workshop, line: &str) -> Result<std::rc::Rc<Rulebook>, Vec<Fault>> {
    workshop
        .compose(&Request::parse(line).unwrap())
        .map(|chosen| chosen.rulebook)
}

/// What a rule gives for a gun of the field, in which some attributes are set.
fn value_of(line: &str, rule: &str, gun: &str, set: &[(&str, Value)]) -> Result<Value, Stop> {
    let workshop = workshop();
    let found = workshop.scenario("range/field").unwrap();
    let overrides = houserule::workshop::Overrides {
        with: line.split(' ').map(str::to_string).collect(),
        ..houserule::workshop::Overrides::default()
    };
    let (chosen, mut setup) = workshop
        .prepare(&found, &overrides)
        .map_err(|faults| faults[0].clone())?;
    let id = setup.game.world().find(gun).unwrap();
    for (attribute, value) in set {
        setup.game.set(id, attribute, value.clone()).unwrap();
    }
    chosen
        .rulebook
        .call(&mut setup.game, &Name::from(rule), &[Value::Entity(id)])
}

/// The same, as it is written.
fn written(line: &str, rule: &str, gun: &str, set: &[(&str, Value)]) -> String {
    houserule::types::write_value(&value_of(line, rule, gun, set).unwrap(), &Game::empty())
}

/// A gun of which something is true, as `value_of` sets it.
fn with(attribute: &str) -> [(&str, Value); 1] {
    [(attribute, Value::Bool(true))]
}

#[test]
fn the_cases_of_the_mods_hold() {
    for module in ["range", "rain", "night"] {
        let filter = Filter {
            mods: vec![module.into()],
            text: None,
        };
        for one in run_suite(&workshop(), &filter, None, &|_| {}) {
            assert!(one.failure.is_none(), "{one:?}");
        }
    }
}

/// Two mods that know nothing of each other, in either order.
const ORDERS: [&str; 2] = ["rain night", "night rain"];

#[test]
fn shifts_of_mods_that_know_nothing_of_each_other_meet_the_ladder_once() {
    for line in ORDERS {
        // Up three and down two and down one.
        assert_eq!(
            written(line, "range.fire.die", "gun-1", &with("has_moved")),
            "d8"
        );
        assert_eq!(written(line, "range.fire.die", "gun-2", &[]), "d4");
    }
}

#[test]
fn of_the_weather_the_best_and_the_worst_count() {
    for line in ORDERS {
        assert_eq!(written(line, "range.fire.points", "gun-1", &[]), "5");
        assert_eq!(
            written(
                line,
                "range.fire.points",
                "gun-1",
                &[("points", Value::Int(9))]
            ),
            "5"
        );
    }
}

#[test]
fn never_wins_over_allow() {
    for line in ORDERS {
        assert_eq!(
            written(line, "range.fire.is_seen", "gun-1", &with("is_covered")),
            "true"
        );
        assert_eq!(
            written(line, "range.fire.is_seen", "gun-1", &with("has_moved")),
            "false"
        );
    }
}

#[test]
fn night_says_that_it_goes_before_rain_and_its_wrap_is_around_both() {
    for line in ORDERS {
        assert_eq!(written(line, "range.fire.said", "gun-1", &[]), "\"dark!\"");
        assert_eq!(
            written(line, "range.fire.targets", "gun-1", &[]),
            "[gun-1,puddle]"
        );
    }
}

#[test]
fn a_line_can_ignore_lines_of_a_kind() {
    for line in ORDERS {
        assert_eq!(
            written(line, "range.fire.barred", "gun-1", &with("is_jammed")),
            "nil"
        );
        assert_eq!(
            written(line, "range.fire.barred", "gun-2", &with("is_jammed")),
            "\"gun-2 is jammed\""
        );
    }
}

#[test]
fn a_function_gives_a_reason_or_does_not() {
    let moved = [
        ("has_moved", Value::Bool(true)),
        ("is_covered", Value::Bool(true)),
    ];
    assert_eq!(
        written("range", "range.fire.barred", "gun-2", &moved),
        "\"it has moved into cover\""
    );
}

#[test]
fn what_is_halved_is_rounded_as_its_rule_says() {
    // 5 halved up is 3, and one; and one more before it is halved to the nearest.
    let five = [("points", Value::Int(5)), ("shots", Value::Int(2))];
    assert_eq!(written("rain", "range.fire.halves", "gun-1", &five), "4");
    assert_eq!(written("rain", "range.fire.whole", "gun-1", &five), "4");
}

#[test]
fn a_line_goes_with_its_clause_and_a_machine_can_be_used_again() {
    let workshop = workshop();
    for (line, expected) in [
        ("range rain", 3),
        ("range rain -rain.fire.shift", 2),
        ("range -range.fire.moving rain", 2),
    ] {
        let rulebook = compose(&workshop, line).unwrap();
        assert_eq!(
            rulebook.rules()["range.fire.die"].layers.len(),
            expected,
            "{line}"
        );
    }
}

/// A mod with one open rule of a number, and the lines in some order.
fn rulebook(open: &str, lines: &[String]) -> Rulebook {
    let manifest = "Mod(id: \"sums\", version: \"1.0.0\", title: \"S\", authors: [], engine: \"0.1\", groups: [Group(id: \"a\", title: \"A\", clauses: [Clause(id: \"sums.a.on\", title: \"On\", text: \"On.\", effect: Adds)])])";
    let rules = format!(
        "--!strict\nlocal rules = require(\"@rules\")\nlocal sums = require(\"@sums\")\nlocal a, over = sums.a, sums.over.a\n\
         a.dice = rules.ladder {{ steps = {{ 4, 6, 8, 10, 12 }} }}\n\
         --- A number. @open({open})\nfunction a.number(_game: Reads, n: Integer): Integer\n    return n\nend\n\
         --- A die. @open\nfunction a.die(_game: Reads, n: Integer): Die\n    return rules.die(n)\nend\n{}\n",
        lines.join("\n")
    );
    let files = [("mod.ron", manifest), ("rules/sums.luau", &rules)];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let sources = BTreeMap::from([("sums".into(), Sources::from_memory("sums", files))]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
        .compose_alone(&Request::parse("sums").unwrap())
        .unwrap_or_else(|faults| panic!("{faults:?}\n{rules}"))
}

fn number(rulebook: &Rulebook, rule: &str, n: i64) -> Value {
    rulebook
        .call(&mut Game::empty(), &Name::from(rule), &[Value::Int(n)])
        .unwrap()
}

/// A line on the number.
#[derive(Clone, Debug)]
enum One {
    Add(i64, Option<u8>),
    Scale(i64, i64),
    Least(i64),
    Most(i64),
    Ignore(u8),
}

impl One {
    fn text(&self) -> String {
        match self {
            One::Add(n, None) => format!("over.number:add(\"on\", {n})"),
            One::Add(n, Some(kind)) => {
                format!("over.number:add(\"on\", {n}, nil, {{ kind = \"k{kind}\" }})")
            }
            One::Scale(n, d) => format!("over.number:scale(\"on\", {n}, {d})"),
            One::Least(n) => format!("over.number:least(\"on\", {n})"),
            One::Most(n) => format!("over.number:most(\"on\", {n})"),
            One::Ignore(kind) => format!("over.number:ignore(\"on\", {{ kind = \"k{kind}\" }})"),
        }
        .replace("\"on\"", "\"a.on\"")
    }
}

/// The same by the plain words of the laws.
fn expected(start: i64, cap: i64, lines: &[One]) -> i64 {
    let ignored = |kind: &u8| {
        lines
            .iter()
            .any(|line| matches!(line, One::Ignore(other) if other == kind))
    };
    let (mut n, mut d) = (start, 1);
    for line in lines {
        if let One::Scale(by, over) = line {
            (n, d) = (n * by, d * over);
        }
    }
    let terms = |wanted: Option<u8>| -> Vec<i64> {
        let of = |line: &One| match line {
            One::Add(n, kind)
                if *kind == wanted && kind.as_ref().is_none_or(|kind| !ignored(kind)) =>
            {
                Some(*n)
            }
            _ => None,
        };
        lines.iter().filter_map(of).collect()
    };
    let mut sum: i64 = terms(None).iter().sum();
    for kind in 0..3 {
        let of = terms(Some(kind));
        sum += of.iter().copied().max().unwrap_or(0).max(0)
            + of.iter().copied().min().unwrap_or(0).min(0);
    }
    let value = n.div_euclid(d) + sum.clamp(-cap, cap);
    let least = lines
        .iter()
        .filter_map(|line| {
            if let One::Least(n) = line {
                Some(*n)
            } else {
                None
            }
        })
        .max();
    let most = lines
        .iter()
        .filter_map(|line| {
            if let One::Most(n) = line {
                Some(*n)
            } else {
                None
            }
        })
        .min();
    match (least, most) {
        (Some(least), Some(most)) if least > most => most,
        _ => value
            .max(least.unwrap_or(i64::MIN))
            .min(most.unwrap_or(i64::MAX)),
    }
}

fn one() -> impl Strategy<Value = One> {
    prop_oneof![
        4 => (-5i64..6, prop::option::of(0u8..3)).prop_map(|(n, kind)| One::Add(n, kind)),
        1 => (1i64..4, 1i64..4).prop_map(|(n, d)| One::Scale(n, d)),
        1 => (-20i64..20).prop_map(One::Least),
        1 => (-20i64..20).prop_map(One::Most),
        1 => (0u8..3).prop_map(One::Ignore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn lines_of_a_sum_commute_and_keep_its_laws(
        lines in prop::collection::vec(one(), 0..8),
        start in -20i64..20,
        cap in 0i64..9,
        turn in 0usize..8,
    ) {
        let texts: Vec<String> = lines.iter().map(One::text).collect();
        let mut turned = texts.clone();
        turned.rotate_left(turn % texts.len().max(1));
        turned.reverse();
        let open = format!("cap {cap}");
        let wanted = Value::Int(expected(start, cap, &lines));
        prop_assert_eq!(number(&rulebook(&open, &texts), "sums.a.number", start), wanted.clone());
        prop_assert_eq!(number(&rulebook(&open, &turned), "sums.a.number", start), wanted);
    }

    #[test]
    fn shifts_of_a_die_are_summed_before_they_meet_the_ladder(
        steps in prop::collection::vec(-4i64..5, 0..6),
        start in 0usize..5,
    ) {
        let ladder = [4u16, 6, 8, 10, 12];
        let texts: Vec<String> =
            steps.iter().map(|n| format!("over.die:shift(\"a.on\", {n}, \"because {n}\")")).collect();
        let place = (start as i64 + steps.iter().sum::<i64>()).clamp(0, 4) as usize;
        let die = number(&rulebook("", &texts), "sums.a.die", i64::from(ladder[start]));
        let Value::Die(die) = die else { panic!("{die:?}") };
        prop_assert_eq!(die.sides(), ladder[place]);
        prop_assert!(die.reasons().iter().all(|shift| &*shift.reason != "because 0"), "{die:?}");
    }
}

#[test]
fn two_mods_that_set_a_value_otherwise_are_named_both() {
    let rain = "over.said:set(\"fire.other\", \"wet\")";
    let night = "over.said:set(\"fire.other\", \"dark\")";
    let build = |night: &str| {
        let mut sources = workshop().sources().clone();
        for (module, line) in [("rain", rain), ("night", night)] {
            let mut files = sources[module].to_files();
            let text = format!(
                "local range = require(\"@range\")\nlocal over = range.over.fire\n{line}\n"
            );
            files.retain(|path, _| !path.starts_with("rules/"));
            files.insert("rules/x.luau".into(), Arc::from(text));
            sources.insert(module.into(), Sources::from_memory(module, files));
        }
        let workshop = Workshop::from_sources(sources).0;
        let rulebook = compose(&workshop, "range rain night")
            .map_err(|faults| Stop::Fault(faults[0].clone()))?;
        let found = workshop.scenario("range/field").unwrap();
        let overrides = houserule::workshop::Overrides {
            with: vec!["rain".into(), "night".into()],
            ..houserule::workshop::Overrides::default()
        };
        let (_, mut setup) = workshop.prepare(&found, &overrides).unwrap();
        let id = setup.game.world().find("gun-1").unwrap();
        rulebook.call(
            &mut setup.game,
            &"range.fire.said".into(),
            &[Value::Entity(id)],
        )
    };
    let Err(Stop::Fault(fault)) = build(night) else {
        panic!("expected a fault")
    };
    assert_eq!(fault.code, FaultCode::Conflict);
    assert!(
        fault.message.contains("rain.fire.other") && fault.message.contains("night.fire.other"),
        "{fault:?}"
    );
    let over = night.replace("\"dark\")", "\"dark\", nil, { over = \"rain\" })");
    assert_eq!(build(&over).unwrap(), Value::text("dark"));
}
