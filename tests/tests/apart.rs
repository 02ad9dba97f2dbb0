//! What components ask of rules that only read is computed apart and kept, and
//! nobody can tell that it was: not by what it gives or costs, not by a limit
//! that it meets, not by what an instance remembers.
#![cfg(feature = "wasm")]

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::Request;
use houserule::play::{Bot, BotKind, Match};
use houserule::rulebook::Rulebook;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::raw::counting;
use houserule_tests::{folder, ships};
use kernel::error::FaultCode;
use kernel::game::{Game, Guard};
use kernel::rules::{Rules, Stop};
use kernel::value::{Name, Side, Value};
use kernel::world::{Viewer, Viewers};

/// Inputs of a battle: it is played four times.
const INPUTS: usize = 30;

/// What a call comes to, and what is left of the budget of its request.
type Outcome = (Result<Value, FaultCode>, Option<u64>);

/// The mod of the harm, those under it, and one that counts.
fn with_harm(is_counted: bool) -> (Rc<Rulebook>, Game) {
    let read = |name: &str| Sources::read(&folder(name)).unwrap();
    let mut mods = vec![read("conformance"), read("harm")];
    if is_counted {
        let manifest = r#"Mod(id: "bad", version: "1.0.0", title: "Bad", engine: "0.1", depends: [("both", "1")])"#;
        let bytes: String = counting()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let files = [("mod.ron", manifest), ("rules/bad.wasm", &bytes)];
        let files = files
            .into_iter()
            .map(|(path, text)| (path.to_string(), Arc::from(text)));
        mods.push(Sources::from_memory("mod", files.collect()));
    }
    let mods: BTreeMap<Name, Sources> = mods.into_iter().map(|one| (one.id.clone(), one)).collect();
    let (workshop, faults) = Workshop::from_sources(mods);
    assert!(faults.is_empty(), "{faults:?}");
    let with: Vec<String> = if is_counted {
        vec!["harm".into(), "bad".into()]
    } else {
        vec!["harm".into()]
    };
    let found = workshop.scenario("both/field").unwrap();
    let overrides = Overrides {
        with: with.clone(),
        ..Overrides::default()
    };
    let (_, setup) = workshop.prepare(&found, &overrides).unwrap();
    let rulebook = workshop
        .compose(&Request::parse(&with.join(" ")).unwrap())
        .unwrap()
        .rulebook;
    (rulebook, setup.game)
}

fn asked(rulebook: &Rulebook, game: &mut Game, rule: &str, args: &[Value]) -> Outcome {
    let request = rulebook.running().request();
    let outcome = rulebook.call(game, &Name::from(rule), args);
    let left = rulebook.running().pool.get();
    drop(request);
    let outcome = outcome.map_err(|stop| match stop {
        Stop::Fault(fault) => fault.code,
        Stop::Asked => panic!("{rule} asks"),
    });
    (outcome, left)
}

/// What calls come to one after another: the same whether answers are kept,
/// forgotten now and then, or never kept.
fn alike(calls: &[(&str, i64)], is_counted: bool) -> Vec<Result<Value, FaultCode>> {
    let (rulebook, mut game) = with_harm(is_counted);
    game.set_guard(Guard::answering(Viewer::Referee));
    let mut all = || -> Vec<Outcome> {
        let args = |n: i64| if n < 0 { vec![] } else { vec![Value::Int(n)] };
        calls
            .iter()
            .map(|(rule, n)| asked(&rulebook, &mut game, rule, &args(*n)))
            .collect()
    };
    let kept = all();
    rulebook.drop_answers(Some(2));
    assert_eq!(all(), kept, "answers are forgotten now and then");
    rulebook.drop_answers(None);
    rulebook.keep_answers(false);
    assert_eq!(all(), kept, "no answer is kept");
    kept.into_iter().map(|(outcome, _)| outcome).collect()
}

#[test]
fn what_an_instance_remembers_reaches_nobody_who_only_reads() {
    // It gives how often it was called, and is asked twice.
    let twice = Ok(Value::Int(1_001));
    assert_eq!(
        alike(&[("harm.do.twice", -1), ("harm.do.twice", -1)], true),
        [twice.clone(), twice]
    );
}

#[test]
fn functions_within_each_other_are_counted_where_an_answer_is_kept() {
    let deep = Err(FaultCode::TooDeep);
    let calls = [20, 47, 48, 60, 47].map(|n| ("harm.do.down", n));
    let expected = [
        Ok(Value::Int(20)),
        Ok(Value::Int(47)),
        deep.clone(),
        deep,
        Ok(Value::Int(47)),
    ];
    assert_eq!(alike(&calls, false), expected);
}

#[test]
fn memory_is_counted_where_an_answer_is_kept() {
    let calls = [2, 4, 7, 4].map(|n| ("harm.do.hold", n));
    let much = Err(FaultCode::TooMuchMemory);
    assert_eq!(
        alike(&calls, false),
        [
            Ok(Value::Int(3)),
            Ok(Value::Int(5)),
            much,
            Ok(Value::Int(5))
        ]
    );
}

#[test]
fn nobody_gets_the_answer_of_another_viewer() {
    let (rulebook, mut game) = with_harm(false);
    let hidden = game.world().find("red-1").unwrap();
    game.set_guard(Guard::STEP);
    game.show(hidden, None, Viewers::side(Side(1))).unwrap();
    let mut knows = |viewer: Viewer| {
        game.set_guard(Guard::answering(viewer));
        asked(&rulebook, &mut game, "harm.do.knows", &[]).0.unwrap()
    };
    let sides = [
        Viewer::Side(Side(1)),
        Viewer::Side(Side(0)),
        Viewer::Side(Side(1)),
        Viewer::Side(Side(0)),
    ];
    let known = sides.map(&mut knows);
    assert_ne!(known[0], known[1]);
    assert_eq!((&known[0], &known[1]), (&known[2], &known[3]));
}

fn battle(workshop: &Workshop) -> Match {
    workshop
        .start(
            &workshop.scenario("tcs/crossing").unwrap(),
            &Overrides::default(),
        )
        .unwrap()
        .0
}

/// What is legal, and what it costs to ask.
fn legal(game: &Match) -> (String, Option<u64>) {
    let rulebook = game.rulebook().clone();
    let request = rulebook.running().request();
    let text = [Side(0), Side(1)]
        .map(|side| format!("{:?}", game.legal(side)))
        .concat();
    let left = rulebook.running().pool.get();
    drop(request);
    (text, left)
}

#[test]
fn a_battle_is_the_same_and_costs_the_same() {
    if !ships("tcs") {
        return;
    }
    let (workshop, faults) = houserule_tests::mods();
    assert!(faults.is_empty(), "{faults:?}");
    let (mut kept, mut dropped, mut anew) =
        (battle(&workshop), battle(&workshop), battle(&workshop));
    dropped.rulebook().drop_answers(Some(3));
    anew.rulebook().keep_answers(false);
    kept.rulebook().count_answers(true);
    let mut bots: BTreeMap<Side, Bot> = [Side(0), Side(1)]
        .map(|side| (side, Bot::new(BotKind::Greedy, 1, side)))
        .into();
    while kept.inputs().len() < INPUTS {
        let before = kept.inputs().len();
        kept.play_bots(&mut bots, |game| game.inputs().len() > before)
            .unwrap();
        for input in &kept.inputs()[before..] {
            dropped.submit(input).unwrap();
            anew.submit(input).unwrap();
        }
        let now = legal(&kept);
        assert_eq!(legal(&kept), now);
        assert_eq!(legal(&dropped), now);
        assert_eq!(legal(&anew), now);
        assert_eq!((kept.hash(), kept.lines()), (anew.hash(), anew.lines()));
        assert_eq!(kept.hash(), dropped.hash());
    }
    let counts = kept.rulebook().answer_counts();
    assert!(counts.hits > counts.calls / 2, "{counts:?}");
}
