//! Odds: exact against figures found elsewhere, told with what led there, and
//! never more than a side may know.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

#[path = "odds/compared.rs"]
mod compared;
#[path = "odds/order.rs"]
mod order;
#[path = "odds/reckoned.rs"]
mod reckoned;
#[path = "odds/sampled.rs"]
mod sampled;

use std::cell::Cell;

use houserule::embed::{OddsAbout, OddsQuestion, OddsSubject, Start, Tabletop, Trouble, WireInput};
use houserule::odds::{
    By, DefaultAnswer, Distribution, Fraction, GivenAnswer, How, Limits, Mean, OddsQuery, Policy,
    Unanswered, What,
};
use houserule::play::Match;
use houserule::types::Unit;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::value::{Name, Value};
use serde_json::{Value as Json, json};

fn start(mods: &str, scenario: &str) -> Match {
    let (workshop, faults) = Workshop::open(&[folder(mods)]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario(scenario).unwrap();
    workshop.start(&found, &Overrides::default()).unwrap().0
}

fn toss() -> Match {
    start("toss", "table")
}

/// What is asked of a rule, by an expression, with everything else as it is.
struct Of<'a> {
    game: &'a Match,
    rule: &'a str,
    args: Vec<Value>,
    by: Option<&'a str>,
    policy: Policy,
    limits: Limits,
}

impl<'a> Of<'a> {
    fn new(game: &'a Match, rule: &'a str, args: &[Value], by: &'a str) -> Of<'a> {
        let by = (!by.is_empty()).then_some(by);
        Of {
            game,
            rule,
            args: args.to_vec(),
            by,
            policy: Policy::default(),
            limits: Limits::default(),
        }
    }

    fn ask(&self) -> Result<Distribution, Unanswered> {
        self.ask_until(&|| false)
    }

    fn ask_until(&self, stop: &dyn Fn() -> bool) -> Result<Distribution, Unanswered> {
        let game = self.game.game();
        let find = |name: &str| game.world().find(name);
        let by = self
            .by
            .map_or(By::result(), |text| By::read(text, game, &find).unwrap());
        let asked = OddsQuery {
            game,
            rules: &**self.game.rulebook(),
            what: What::Rule(Name::from(self.rule), self.args.clone()),
            by,
            policy: self.policy.clone(),
            eyes: None,
            limits: self.limits,
        };
        asked.answer(stop)
    }
}

fn cup(game: &Match) -> Value {
    Value::Entity(game.game().world().find("red-cup").unwrap())
}

fn of(odds: &Distribution, number: i64) -> String {
    odds.of(&Value::Int(number)).to_string()
}

#[test]
fn two_dice_make_a_triangle() {
    let game = toss();
    let odds = Of::new(&game, "toss.core.pair", &[], "").ask().unwrap();
    assert_eq!(
        (of(&odds, 2), of(&odds, 7), of(&odds, 11)),
        ("1/36".into(), "1/6".into(), "1/18".into())
    );
    assert_eq!(odds.mean().unwrap(), Mean::Number(Fraction::whole(7)));
    assert_eq!(odds.outcomes.len(), 11);
}

#[test]
fn the_mean_of_lengths_is_told_in_the_unit_of_the_table() {
    let game = toss();
    let odds = Of::new(&game, "toss.core.rolls_off", &[], "")
        .ask()
        .unwrap();
    let mean = odds.mean().unwrap();
    assert_eq!(mean, Mean::Micrometres(Fraction::of(88_900, 2)));
    assert_eq!(mean.text(Unit::Inches), "1.750000 in");
    assert_eq!(mean.text(Unit::Centimetres), "4.445000 cm");
    let texts = odds.texts(game.game(), Unit::Inches);
    assert_eq!(
        odds.json(&texts, Unit::Inches)["mean"],
        json!({ "odds": "7/4", "decimal": "1.750000", "unit": "in" })
    );
    // Where one outcome is no length there is none.
    let by = "result = 1in";
    let odds = Of::new(&game, "toss.core.rolls_off", &[], by)
        .ask()
        .unwrap();
    assert_eq!(odds.mean(), None);
}

#[test]
fn a_handful_is_counted_once_whatever_came_first() {
    let game = toss();
    let odds = Of::new(&game, "toss.core.grab", &[Value::Int(2)], "")
        .ask()
        .unwrap();
    let found: Vec<String> = odds
        .outcomes
        .iter()
        .map(|one| one.odds.to_string())
        .collect();
    // Of the 15 pairs: 6 of one and two, 3 of ones, 3 of one and black, 2 of two and black, 1 of twos.
    assert_eq!(found, ["2/5", "1/5", "1/5", "2/15", "1/15"]);
    assert!(
        matches!(odds.how, How::Exact { runs: 5, .. }),
        "{:?}",
        odds.how
    );
}

#[test]
fn steps_that_come_to_the_same_are_walked_once() {
    let game = toss();
    let args = [cup(&game), Value::Int(40)];
    let odds = Of::new(&game, "toss.core.throw", &args, "red-cup.score")
        .ask()
        .unwrap();
    let How::Exact { runs, nodes } = odds.how else {
        panic!("{:?}", odds.how)
    };
    assert!(runs < 40 * 41 * 6, "{runs} runs, of 6^40 ways");
    assert!(nodes < 40 * 41, "{nodes} nodes");
    // Numbers that 128 bits do not hold: two of three fail, forty times.
    assert_eq!(odds.of(&Value::Int(0)).decimal(12), "0.000000090438");
    let all = odds
        .outcomes
        .iter()
        .fold(Fraction::zero(), |sum, one| sum.plus(&one.odds));
    assert_eq!(all, Fraction::one());
    assert_eq!(odds.mean().unwrap(), Mean::Number(Fraction::of(40, 3)));
}

#[test]
fn what_happens_counts_as_an_outcome_too() {
    let game = toss();
    let args = [cup(&game), Value::Int(2)];
    for (by, yes) in [
        ("events(toss.scored, it.points = 1) = 1", "4/9"),
        ("events(toss.scored) = 2", "1"),
        ("last(toss.scored).points = 1", "1/3"),
        ("count(toss.cup, it.score > 0) = 1", "5/9"),
        ("not (red-cup.score = 0) and blue-cup.score = 0", "5/9"),
        ("red-cup.score + 1 >= 3", "1/9"),
        ("last(toss.scored).cup = red-cup", "1"),
        ("toss.core.omen(red-cup) = 0 or red-cup.score = 2", "1"),
    ] {
        let odds = Of::new(&game, "toss.core.throw", &args, by).ask().unwrap();
        assert_eq!(odds.of(&Value::Bool(true)).to_string(), yes, "{by}");
    }
}

#[test]
fn expressions_say_what_is_wrong_with_them() {
    let game = toss();
    let world = game.game().world();
    for (by, reason) in [
        (
            "red-cub.score",
            "there is no `red-cub`; did you mean `red-cup`?",
        ),
        ("red-cup.scor", "found `scor`"),
        ("3 = 3", "depends on what happens"),
        ("red-cup.score =", "found the end"),
        ("(red-cup.score", "expected `)`"),
        ("red-cup.score 3", "nothing more"),
        ("count(toss.cap)", "toss.cap"),
        ("events(toss.score)", "did you mean `toss.scored`?"),
        ("events(rolls) = 1", "did you mean `roll`?"),
        ("events(and)", "no mod declares the event `and`"),
        ("12zoll = red-cup.score", "expected a number"),
        (
            "last(toss.scored).point",
            "expected a field of `toss.scored` (cup, points), found `point`",
        ),
        ("events(toss.scored, it.point = 1)", "found `point`"),
        (
            "events(toss.scored).points",
            "did you mean `last(toss.scored).points`?",
        ),
        ("", "found the end"),
    ] {
        let error = By::read(by, game.game(), &|name| world.find(name))
            .unwrap_err()
            .to_string();
        assert!(error.contains(reason), "{by}: {error}");
    }
    let nested = format!("{}red-cup.score{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(By::read(&nested, game.game(), &|name| world.find(name)).is_err());
}

#[test]
fn questions_are_answered_by_a_policy() {
    let game = toss();
    let ask = |policy: Policy| {
        let of = Of {
            policy,
            ..Of::new(&game, "toss.core.gamble", &[cup(&game)], "red-cup.score")
        };
        of.ask().unwrap()
    };
    let mean = |others| {
        ask(Policy {
            given: Vec::new(),
            others,
        })
        .mean()
        .unwrap()
        .number(Unit::Inches)
    };
    assert_eq!(mean(DefaultAnswer::Split), Fraction::of(7, 2));
    // Whoever throws again up to 3 and stays from 4 on gets 4.25 in the mean.
    assert_eq!(mean(DefaultAnswer::Best), Fraction::of(17, 4));
    assert_eq!(mean(DefaultAnswer::Worst), Fraction::of(11, 4));
    let question = Name::from("toss.again");
    for answer in [Value::Bool(false), Value::text("no")] {
        let odds = ask(Policy {
            given: vec![(question.clone(), answer.into())],
            others: DefaultAnswer::Best,
        });
        assert_eq!(of(&odds, 6), "1/6");
        assert!(odds.questions.is_empty(), "it was answered");
        assert_eq!(odds.answered, std::slice::from_ref(&question));
    }
    let odds = ask(Policy::default());
    assert_eq!(odds.questions, [question]);
}

#[test]
fn a_best_answer_needs_outcomes_that_can_be_better() {
    let game = toss();
    let policy = Policy {
        given: Vec::new(),
        others: DefaultAnswer::Best,
    };
    let of = Of {
        policy,
        ..Of::new(&game, "toss.core.gamble", &[cup(&game)], "red-cup.side")
    };
    let why = of.ask().unwrap_err();
    assert!(
        why.to_string().contains("to find the best answer by"),
        "{why}"
    );
}

#[test]
fn what_breaks_tells_the_dice_that_led_there() {
    let game = toss();
    let why = Of::new(&game, "toss.core.breaks", &[cup(&game)], "red-cup.score")
        .ask()
        .unwrap_err();
    let Unanswered::Fault { fault, trail } = &why else {
        panic!("{why}")
    };
    assert!(fault.message.contains("the cup breaks"), "{fault}");
    assert_eq!(trail, &["d6=4 (a crack)", "d6=2 (a break)"]);
    let why = Of::new(
        &game,
        "toss.core.throw",
        &[cup(&game), Value::Int(1)],
        "red-cup.score.colour",
    )
    .ask();
    let why = why.unwrap_err();
    assert!(
        matches!(&why, Unanswered::Outcome { trail, .. } if trail == &["d6=1 (a throw)"]),
        "{why}"
    );
}

#[test]
fn what_never_ends_is_given_up() {
    let game = toss();
    let why = Of::new(&game, "toss.core.round", &[cup(&game)], "red-cup.score")
        .ask()
        .unwrap_err();
    assert!(
        matches!(&why, Unanswered::Endless { next, .. } if next == "toss.core.round"),
        "{why}"
    );
    let limits = Limits {
        runs: 3_000,
        ..Limits::default()
    };
    let policy = Policy {
        given: vec![(Name::from("toss.more"), Value::Bool(true).into())],
        ..Policy::default()
    };
    let of = Of {
        limits,
        policy,
        ..Of::new(&game, "toss.core.asks_on", &[cup(&game)], "red-cup.score")
    };
    let why = of.ask().unwrap_err();
    assert!(
        matches!(&why, Unanswered::Endless { next, .. } if next == "toss.more"),
        "{why}"
    );
}

#[test]
fn whoever_has_had_enough_stops_it() {
    let game = toss();
    let asked = OddsQuery {
        game: game.game(),
        rules: &**game.rulebook(),
        what: What::Rule(
            Name::from("toss.core.throw"),
            vec![cup(&game), Value::Int(200)],
        ),
        by: By::events(),
        policy: Policy::default(),
        eyes: None,
        limits: Limits {
            runs: 1_000_000,
            ..Limits::default()
        },
    };
    assert!(matches!(
        asked.answer(&|| true),
        Err(Unanswered::Stopped { .. })
    ));
}

/// What was counted before somebody stopped it is told, and the truth lies between what it says.
#[test]
fn odds_that_are_stopped_tell_what_was_counted() {
    let game = start("../mods", "dsii/duel");
    let factors = Value::record(["red", "yellow", "green"].map(|colour| (colour, Value::Int(2))));
    let args = [Value::Int(5), factors];
    let draw = Of::new(&game, "dsii.dmg.draw", &args, "result.halves");
    let runs_so_far = Cell::new(0);
    let has_had_enough = || runs_so_far.replace(runs_so_far.get() + 1) >= 200;
    let (exact, partial) = (
        draw.ask().unwrap(),
        draw.ask_until(&has_had_enough).unwrap(),
    );
    let How::Partial { runs, counted } = &partial.how else {
        panic!("{:?}", partial.how)
    };
    assert!(
        *runs < 471 && Fraction::zero() < *counted && *counted < Fraction::one(),
        "{:?}",
        partial.how
    );
    let sum = partial
        .outcomes
        .iter()
        .fold(Fraction::zero(), |sum, one| sum.plus(&one.odds));
    assert_eq!(sum, *counted);
    for one in &partial.outcomes {
        let (truth, range) = (exact.of(&one.value), one.range.unwrap());
        assert!(one.odds <= truth, "{one:?}, in truth {truth}");
        assert!(
            Fraction::of(range.low.into(), 1_000_000) <= truth,
            "{one:?}, in truth {truth}"
        );
        assert!(
            truth <= Fraction::of(range.high.into(), 1_000_000),
            "{one:?}, in truth {truth}"
        );
    }
    assert!(partial.how_text().contains("stopped after") && !partial.is_exact());
    assert!(
        partial.mean().is_none(),
        "the mean of what was counted is not that of all"
    );
}

// ---- what a side may know ---------------------------------------------------------

/// The odds that a seat is told, or the words in which it is not.
fn outcomes_for(
    table: &mut Tabletop,
    side: &str,
    action: &str,
    by: &str,
) -> Result<Vec<(String, String)>, Trouble> {
    let odds = odds_for(table, side, action, by)?;
    Ok(odds
        .outcomes
        .into_iter()
        .map(|one| (one.outcome, one.odds))
        .collect())
}

/// The same with how they were found.
fn odds_for(
    table: &mut Tabletop,
    side: &str,
    action: &str,
    by: &str,
) -> Result<OddsAbout, Trouble> {
    let actor = Some(format!("{side}-cup").as_str().into());
    let input = WireInput::Act {
        by: side.into(),
        action: action.into(),
        actor,
        params: Default::default(),
    };
    let of = OddsQuestion {
        input,
        by: Some(by.into()),
        answers: Default::default(),
        others: None,
    };
    table.odds(side, &of)
}

/// The table, in which something that red may not see is so or so.
fn tossed(omen: i64, hoard: i64, spies: usize) -> Tabletop {
    let (workshop, _) = Workshop::open(&[folder("toss")]);
    let start = Start {
        scenario: "table".into(),
        ..Start::default()
    };
    Tabletop::start_changed(std::rc::Rc::new(workshop), &[], &start, |setup| {
        let world = setup.game.world();
        let (red, blue) = (
            world.find("red-cup").unwrap(),
            world.find("blue-cup").unwrap(),
        );
        setup.game.set(red, "omen", Value::Int(omen)).unwrap();
        setup.game.set(blue, "hoard", Value::Int(hoard)).unwrap();
        for _ in 0..spies {
            setup
                .game
                .create(
                    "toss.spy",
                    None,
                    &[(Name::from("side"), Value::text("blue"))],
                )
                .unwrap();
        }
    })
    .unwrap()
}

#[test]
fn a_side_is_told_what_rests_on_what_it_sees() {
    let mut table = tossed(0, 3, 0);
    let plain = outcomes_for(&mut table, "red", "toss.core.plain", "red-cup.score").unwrap();
    assert_eq!(
        plain,
        [("0".into(), "2/3".into()), ("1".into(), "1/3".into())]
    );
    let own = outcomes_for(&mut table, "red", "toss.core.own", "red-cup.score >= 7").unwrap();
    assert_eq!(
        own,
        [
            ("false".into(), "2/3".into()),
            ("true".into(), "1/3".into())
        ]
    );
}

/// The outcomes of an action of the red cup where answers are given as a client does.
fn answered(answers: Json) -> Result<Vec<String>, Trouble> {
    let of = json!({
        "input": { "input": "act", "by": "red", "action": "toss.core.wager", "actor": "red-cup" },
        "by": "red-cup.score",
        "answers": answers,
    });
    let of: OddsQuestion = serde_json::from_value(of).unwrap();
    let odds = tossed(0, 3, 0).odds("red", &of)?;
    Ok(odds.outcomes.into_iter().map(|one| one.outcome).collect())
}

#[test]
fn answers_are_given_as_json_has_them() {
    let legal = serde_json::to_value(tossed(0, 3, 0).legal("red").unwrap()).unwrap();
    let red = legal["actions"][0]["actor"].clone();
    assert!(red["entity"].is_u64(), "{legal}");
    // A number, a piece and a choice by its value, a list that is none of the answers.
    let of = |stake: Json, whose: Json, way: Json| {
        answered(json!({ "toss.stake": stake, "toss.whose": whose, "toss.way": way }))
    };
    let [blue, twice] = [json!("blue-cup"), json!(2)];
    assert_eq!(of(json!(4), blue.clone(), twice.clone()).unwrap(), ["8"]);
    assert_eq!(of(json!(4), red, twice.clone()).unwrap(), ["0"]);
    // Words of players are read by what there is to choose from.
    assert_eq!(of(json!("4"), blue.clone(), twice.clone()).unwrap(), ["8"]);
    for wrong in [
        // The value of one choice is the label of another.
        of(json!(4), blue.clone(), json!("2")),
        of(json!(true), blue.clone(), twice.clone()),
        of(json!([4]), blue.clone(), twice.clone()),
        of(
            json!({ "record": { "stake": 4 } }),
            blue.clone(),
            twice.clone(),
        ),
        of(json!({ "entity": 99 }), blue, twice),
    ] {
        let why = wrong.unwrap_err().to_string();
        assert!(!why.starts_with("odds"), "{why}");
    }
}

#[test]
fn words_that_may_be_several_answers_are_none() {
    let game = toss();
    let of = |answer: GivenAnswer| {
        let given = vec![
            (Name::from("toss.stake"), Value::Int(1).into()),
            (Name::from("toss.way"), answer),
        ];
        let policy = Policy {
            given,
            ..Policy::default()
        };
        let of = Of {
            policy,
            ..Of::new(&game, "toss.core.settle", &[cup(&game)], "red-cup.score")
        };
        of.ask().map(|odds| odds.outcomes.len())
    };
    // Against the own cup nothing is won, against the other as much as the way is.
    assert_eq!(of(Value::Int(2).into()).unwrap(), 2);
    let why = of(GivenAnswer::Words(Name::from("2"), Value::Int(2))).unwrap_err();
    assert!(
        why.to_string().contains("`2` may be any of 2 answers here"),
        "{why}"
    );
}

#[test]
fn events_are_told_in_the_words_of_a_report() {
    let table = tossed(0, 3, 0);
    let of = |by: Option<&str>, rule: &str, args: &[(&str, &str)]| {
        let args = args
            .iter()
            .map(|(name, text)| (name.to_string(), text.to_string()));
        let subject = OddsSubject::Rule {
            rule: rule.into(),
            args: args.collect(),
        };
        let (policy, limits) = (Policy::default(), Limits::default());
        table
            .odds_of("referee", &subject, by, policy, limits, &[], &|| false)
            .unwrap()
    };
    let thrown = of(
        None,
        "toss.core.throw",
        &[("cup", "red-cup"), ("times", "2")],
    );
    assert_eq!(thrown.told, ["2 x score"]);
    assert_eq!(thrown.texts, ["2 x toss.scored"]);
    // What is offered can be asked.
    let example = thrown.example.unwrap();
    assert_eq!(example, "events(toss.scored)");
    let asked = of(
        Some(&example),
        "toss.core.throw",
        &[("cup", "red-cup"), ("times", "2")],
    );
    assert_eq!((asked.told, asked.example), (vec!["2".to_string()], None));
    assert_eq!(
        of(None, "toss.core.pair", &[]).example,
        None,
        "a number is one"
    );
}

/// The rules are fine: what a side is refused below is not refused because of them.
#[test]
fn a_referee_is_told_the_odds_of_each_action() {
    for action in [
        "toss.core.plain",
        "toss.core.own",
        "toss.core.theirs",
        "toss.core.spied",
        "toss.core.fated",
        "toss.core.keeps",
        "toss.core.hire",
        "toss.core.passed",
        "toss.core.auction",
    ] {
        let input = WireInput::Act {
            by: "red".into(),
            action: action.into(),
            actor: Some("red-cup".into()),
            params: Default::default(),
        };
        let of = OddsQuestion {
            input,
            by: None,
            answers: Default::default(),
            others: None,
        };
        tossed(0, 3, 1).odds("referee", &of).unwrap();
    }
}

#[test]
fn no_odds_tell_what_is_hidden() {
    let worlds = [(0, 3, 0), (5, 3, 0), (0, 6, 0), (0, 3, 2), (4, 1, 1)];
    let asked = [
        ("toss.core.plain", "red-cup.score"),
        ("toss.core.own", "red-cup.score"),
        ("toss.core.theirs", "red-cup.score"),
        ("toss.core.spied", "red-cup.score"),
        ("toss.core.fated", "red-cup.score"),
        ("toss.core.plain", "red-cup.omen"),
        ("toss.core.plain", "blue-cup.hoard"),
        ("toss.core.plain", "toss.core.omen(red-cup)"),
        ("toss.core.plain", "count(toss.spy)"),
        ("toss.core.plain", "spy-1.side"),
        ("toss.core.hire", "count(toss.spy)"),
        ("toss.nothing", "red-cup.score"),
        ("toss.core.auction", "red-cup.score"),
        ("toss.core.passed", "red-cup.score"),
    ];
    let answers = |(omen, hoard, spies)| {
        let mut table = tossed(omen, hoard, spies);
        asked.map(|(action, by)| odds_for(&mut table, "red", action, by))
    };
    let first = answers(worlds[0]);
    for world in worlds {
        assert_eq!(answers(world), first, "{world:?}");
    }
    let refused = |place: usize| match &first[place] {
        Err(Trouble::Refusal { reason, .. }) => reason.clone(),
        other => panic!("{:?}: {other:?}", asked[place]),
    };
    for place in [4, 5, 6, 7, 12] {
        assert_eq!(
            refused(place),
            refused(2),
            "the same words whatever it rests on: {:?}",
            asked[place]
        );
    }
    // Spies that it does not know of are none, as in what it is told to be legal.
    assert!(first[3].is_ok());
    // Nobody is looked for who might react.
    assert!(first[13].is_ok());
}

#[test]
fn odds_are_for_whoever_decides() {
    let table = tossed(0, 3, 0);
    let input = WireInput::Act {
        by: "blue".into(),
        action: "toss.core.plain".into(),
        actor: Some("blue-cup".into()),
        params: Default::default(),
    };
    let of = OddsQuestion {
        input,
        by: None,
        answers: Default::default(),
        others: None,
    };
    assert_eq!(table.odds("red", &of).unwrap_err(), Trouble::Forbidden {});
    assert_eq!(
        table.odds("spectator", &of).unwrap_err(),
        Trouble::Forbidden {}
    );
    // It is not for blue to act: that is refused as the action itself would be.
    assert!(matches!(
        table.odds("blue", &of),
        Err(Trouble::Refusal { .. })
    ));
}

#[test]
fn a_pot_out_of_which_something_was_kept_tells_no_more() {
    let mut table = tossed(0, 3, 0);
    let before = outcomes_for(&mut table, "red", "toss.core.keeps", "red-cup.score = 1").unwrap();
    assert_eq!(before[1], ("true".into(), "1/6".into()));
    let act = |side: &str| WireInput::Act {
        by: side.into(),
        action: "toss.core.keeps".into(),
        actor: Some(format!("{side}-cup").as_str().into()),
        params: Default::default(),
    };
    table.submit(&act("red")).unwrap();
    table.submit(&act("blue")).unwrap();
    assert!(matches!(
        outcomes_for(&mut table, "red", "toss.core.keeps", "red-cup.score = 1"),
        Err(Trouble::Refusal { .. })
    ));
}
