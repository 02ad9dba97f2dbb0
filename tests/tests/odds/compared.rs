//! What is compared with what: a word that can never be equal is told, and not taken for the odds of never.

use houserule::embed::{OddsSubject, Start, Tabletop};
use houserule::modset::files::Sources;
use houserule::odds::{By, Limits, Policy};
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::value::Value;

use crate::{Of, start, toss};

#[test]
fn a_word_that_an_attribute_cannot_hold_is_told() {
    let game = start("../mods", "dsii/duel");
    let world = game.game().world();
    let read = |by: &str| By::read(by, game.game(), &|name| world.find(name));
    for (by, reason) in [
        (
            "red-a-1.status = knocked_oot",
            "found `knocked_oot`; did you mean `knocked_out`?",
        ),
        (
            "not (knocked_oot = red-a-1.status)",
            "did you mean `knocked_out`?",
        ),
        (
            "count(dsii.element, it.status = knockedout) > 1",
            "did you mean `knocked_out`?",
        ),
        (
            "red-a-1.side = rde",
            "expected one of `blue`, `red`, found `rde`; did you mean `red`?",
        ),
        ("red-a-1.unit.side = rde", "did you mean `red`?"),
        (
            "events(dsii.dmg.suffered, it.target = red-9) = 1",
            "expected a thing of the game to compare with, found `red-9`",
        ),
        (
            "events(dsii.dmg.suffered) = 1in",
            "expected a whole number to compare with, found a length",
        ),
        ("red-a-1.is_moved = maybe", "found `is_moved`"),
        (
            "count(dsii.element, it.statis = fit) = 1",
            "expected an attribute of `dsii.element`, found `statis`",
        ),
        (
            "red-a-1.unit.sied = red",
            "expected an attribute of `dsii.unit`, found `sied`",
        ),
        (
            "red-a-1.armour >= 2in",
            "expected a whole number to compare with, found a length",
        ),
    ] {
        let why = read(by).map(|_| "nothing").unwrap_err().to_string();
        assert!(why.contains(reason), "{by}: {why}");
    }
    for by in [
        "red-a-1.status = knocked_out",
        "red-a-1.status ~= none",
        "count(dsii.element, it.side = red and it.armour >= 2) = 1",
        "last(dsii.dmg.suffered).target = red-a-1",
    ] {
        assert!(read(by).is_ok(), "{by}");
    }
}

#[test]
fn a_die_is_compared_with_the_word_for_one() {
    let game = toss();
    for (by, yes) in [
        ("result = d8", "2/3"),
        ("result ~= d6", "2/3"),
        ("d6 = result", "1/3"),
    ] {
        let odds = Of::new(&game, "toss.core.larger", &[], by).ask().unwrap();
        assert_eq!(odds.of(&Value::Bool(true)).to_string(), yes, "{by}");
    }
    for (by, reason) in [
        (
            "result = dice",
            "expected a die such as `d6` to compare with, found `dice`",
        ),
        ("result = 8", "found a die and an integer"),
    ] {
        let why = Of::new(&game, "toss.core.larger", &[], by)
            .ask()
            .unwrap_err();
        assert!(why.to_string().contains(reason), "{by}: {why}");
    }
    let world = game.game().world();
    let why = By::read("red-cup.score = red-cup", game.game(), &|name| {
        world.find(name)
    });
    let why = why.map(|_| "nothing").unwrap_err().to_string();
    assert!(why.contains("found an entity"), "{why}");
}

/// What a rule gives says what it is compared with, where the rules are known.
#[test]
fn a_word_that_a_rule_cannot_give_is_told() {
    let (workshop, faults) = houserule::workshop::Workshop::open(&[folder("toss")]);
    assert!(faults.is_empty(), "{faults:?}");
    let start = Start {
        scenario: "table".into(),
        ..Start::default()
    };
    let table = Tabletop::start_in(std::rc::Rc::new(workshop), &[folder("toss")], &start).unwrap();
    let ask = |rule: &str, by: &str| {
        let subject = OddsSubject::Rule {
            rule: rule.into(),
            args: Vec::new(),
        };
        table.odds_of(
            "referee",
            &subject,
            Some(by),
            Policy::default(),
            Limits::default(),
            &[],
            &|| false,
        )
    };
    let odds = ask("toss.core.coin", "result = heads").unwrap().odds;
    assert_eq!(odds.of(&Value::Bool(true)).to_string(), "1/2");
    let odds = ask("toss.core.larger", "result >= d8").unwrap().odds;
    assert_eq!(odds.of(&Value::Bool(true)).to_string(), "2/3");
    for (rule, by, reason) in [
        (
            "toss.core.coin",
            "result = heds",
            "expected one of `heads`, `tails`, found `heds`; did you mean `heads`?",
        ),
        (
            "toss.core.pair",
            "result = 7in",
            "expected a whole number to compare with, found a length",
        ),
        (
            "toss.core.pair",
            "toss.core.omen(red-cup) = none and result = six",
            "found `six`",
        ),
    ] {
        let why = ask(rule, by).map(|_| "nothing").unwrap_err().to_string();
        assert!(why.contains(reason), "{by}: {why}");
    }
}

/// A field that a record does not have is told with those that it has.
#[test]
fn a_field_that_a_rule_does_not_give_is_told() {
    let (workshop, faults) = houserule::workshop::Workshop::open(&[folder("../mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let start = Start {
        scenario: "dsii/duel".into(),
        ..Start::default()
    };
    let workshop = std::rc::Rc::new(workshop);
    let table = Tabletop::start_in(workshop, &[folder("../mods")], &start).unwrap();
    let factors = "{red = 2, yellow = 2, green = 0}";
    let subject = OddsSubject::Rule {
        rule: "dsii.dmg.draw".into(),
        args: vec![
            ("count".into(), "1".into()),
            ("factors".into(), factors.into()),
        ],
    };
    let why = table.odds_of(
        "referee",
        &subject,
        Some("result.halvs = 2"),
        Policy::default(),
        Limits::default(),
        &[],
        &|| false,
    );
    let why = why.map(|_| "nothing").unwrap_err().to_string();
    assert!(
        why.contains("found `halvs`; did you mean `halves`?"),
        "{why}"
    );
}

/// A piece may be called as a side is: where only a side fits, that is meant.
#[test]
fn a_word_that_is_a_side_is_the_side_though_a_piece_is_called_so() {
    let (whole, _) = Workshop::open(&[folder("toss")]);
    let mut sources = whole.sources().clone();
    let mut files = sources["toss"].to_files();
    let scenario = files.get_mut("scenarios/table.ron").unwrap();
    *scenario = scenario.replace("\"blue-cup\"", "\"blue\"").into();
    sources.insert("toss".into(), Sources::from_memory("toss", files));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("toss/table").unwrap();
    let game = workshop.start(&found, &Overrides::default()).unwrap().0;
    let world = game.game().world();
    let read = |by: &str| By::read(by, game.game(), &|name| world.find(name));
    for by in [
        "count(toss.cup, it.side = blue)",
        "count(toss.cup, blue = it.side)",
        "blue.score",
    ] {
        read(by).map(|_| ()).unwrap();
    }
    let why = read("count(toss.cup, it.side = red-cup)")
        .map(|_| ())
        .unwrap_err();
    assert!(why.to_string().contains("found an entity"), "{why}");
}
