//! A broken rule undoes its action whole and nothing else; a refusal changes
//! nothing at all.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::atomic::Ordering::Relaxed;

use kernel::audience::Audience;
use kernel::chance::BotChance;
use kernel::decision::{Domain, Input};
use kernel::engine::{Play, Rejected, Wanted};
use kernel::error::{Fault, FaultCode};
use kernel::game::MOST_QUESTIONS;
use kernel::rules::Stop;
use kernel::value::{Side, Value};

use support::rulebook::{ask, entity, yes};
use support::{Toy, choose, everything, hostile, name, refused, start};

fn begins(input: &Input) -> bool {
    !matches!(
        input,
        Input::React { .. } | Input::Decline { .. } | Input::Answer { .. }
    )
}

/// Plays random games in which, now and then, the n-th call of an input fails.
#[test]
fn a_fault_at_any_call_leaves_the_game_as_before_its_action() {
    let toy = Toy::new();
    let (mut faults, mut inside) = (0, 0);
    for seed in 0..60 {
        let mut bot = BotChance::new(seed, 9);
        let mut play = start(&toy, seed, 2 + seed as usize % 3);
        let mut at_start = everything(&mut play);
        let mut taken = 0;
        for _ in 0..120 {
            let Some(input) = choose(&mut play, &toy, &mut bot) else {
                break;
            };
            let before = everything(&mut play);
            if bot.below(3) == 0 {
                toy.fault_at.store(i64::from(bot.below(8)), Relaxed);
            }
            let outcome = play.submit(&toy, &input);
            toy.fault_at.store(-1, Relaxed);
            match outcome {
                Ok(()) if begins(&input) => (at_start, taken) = (before, 1),
                Ok(()) => taken += 1,
                Err(Rejected::Fault { fault, undone }) => {
                    assert_eq!(fault.message, "injected", "{fault}");
                    let expected = if begins(&input) {
                        (&before, 0)
                    } else {
                        (&at_start, taken)
                    };
                    assert_eq!(
                        (&everything(&mut play), undone),
                        expected,
                        "after {input:?}"
                    );
                    faults += 1;
                    if !begins(&input) {
                        inside += 1;
                        taken = 0;
                    }
                }
                Err(Rejected::Refusal(refusal)) => panic!("{input:?}: {refusal}"),
            }
        }
    }
    assert!(faults > 300 && inside > 100, "found {faults} and {inside}");
}

#[test]
fn every_refused_input_leaves_the_game_as_it_was() {
    let toy = Toy::new();
    for seed in 0..6 {
        let mut bot = BotChance::new(seed, 3);
        let mut play = start(&toy, seed, 2);
        while let Some(input) = choose(&mut play, &toy, &mut bot) {
            if bot.below(3) == 0 {
                for by in [Side(0), Side(1)] {
                    for nonsense in hostile(by) {
                        refused(&mut play, &toy, &nonsense);
                    }
                }
                let waiting = play.wanted().sides();
                for by in [Side(0), Side(1)]
                    .into_iter()
                    .filter(|side| !waiting.contains(side))
                {
                    for wrong in [
                        Input::Done { by },
                        Input::Pass { by },
                        Input::TakeBack { by },
                        Input::Decline { by, standing: true },
                    ] {
                        refused(&mut play, &toy, &wrong);
                    }
                }
            }
            play.submit(&toy, &input).unwrap();
        }
        for nonsense in hostile(Side(0)) {
            assert!(refused(&mut play, &toy, &nonsense).contains("over"));
        }
    }
}

/// The toy with the opening rule changed, and the way it starts.
fn opening(
    rule: impl Fn(&mut kernel::game::Game, &[Value]) -> Result<Value, Stop> + Send + Sync + 'static,
) -> (Toy, Result<Play, Fault>) {
    let mut toy = Toy::new();
    toy.rule("toy.open", rule);
    let play = Play::start(support::set_up(1, 2), &toy);
    (toy, play)
}

fn asks(count: usize) -> (Toy, Result<Play, Fault>) {
    opening(move |game, _| {
        for _ in 0..count {
            ask(game, "toy.sure", vec![(Side(0), Domain::yes_no())], false)?;
        }
        yes()
    })
}

fn answer(question: &str, value: Value) -> Input {
    Input::Answer {
        by: Side(0),
        question: name(question),
        value,
    }
}

#[test]
fn so_many_questions_in_a_step_and_no_more() {
    let (toy, play) = asks(MOST_QUESTIONS);
    let mut play = play.unwrap();
    for _ in 0..MOST_QUESTIONS {
        play.submit(&toy, &answer("toy.sure", Value::Bool(true)))
            .unwrap();
    }
    assert!(matches!(play.wanted(), Wanted::Act { .. }));

    let (toy, play) = asks(MOST_QUESTIONS + 1);
    let mut play = play.unwrap();
    let before = everything(&mut play);
    for i in 0..MOST_QUESTIONS as u32 {
        let outcome = play.submit(&toy, &answer("toy.sure", Value::Bool(true)));
        match outcome {
            Ok(()) => assert!(i + 1 < MOST_QUESTIONS as u32),
            Err(Rejected::Fault { fault, undone }) => {
                assert_eq!((fault.code, undone), (FaultCode::TooManyQuestions, i));
                assert_eq!(i + 1, MOST_QUESTIONS as u32);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(everything(&mut play), before);
}

#[test]
fn rules_that_never_end_are_a_fault() {
    let mut toy = Toy::new();
    toy.rule("toy.open", |game, _| {
        let piece = game.entities("toy.piece")?[0];
        game.push("toy.leg.walk", vec![Value::Entity(piece), Value::Int(1)])?;
        yes()
    });
    toy.rule("toy.leg.walk", |game, args| {
        game.push(
            "toy.leg.walk",
            vec![Value::Entity(entity(&args[0])), Value::Int(1)],
        )?;
        yes()
    });
    let fault = Play::start(support::set_up(1, 2), &toy).unwrap_err();
    assert_eq!(fault.code, FaultCode::TooManySteps);
}

#[test]
fn a_rule_that_goes_on_after_its_question_is_a_fault() {
    let question = |game: &mut kernel::game::Game| {
        ask(game, "toy.sure", vec![(Side(0), Domain::yes_no())], false)
    };
    let swallows = opening(move |game, _| {
        question(game)
            .or_else(|_| yes().map(|value| vec![value]))
            .and(yes())
    });
    assert_eq!(swallows.1.unwrap_err().code, FaultCode::BadQuestion);
    let asks_again = opening(move |game, _| {
        let _ = question(game);
        question(game).and(yes())
    });
    assert_eq!(asks_again.1.unwrap_err().code, FaultCode::BadQuestion);
    let stops = opening(|_, _| Err(Stop::Asked));
    assert_eq!(stops.1.unwrap_err().code, FaultCode::BadQuestion);
}

#[test]
fn a_question_must_be_one() {
    let cases: [(Vec<(Side, Domain)>, FaultCode); 5] = [
        (vec![], FaultCode::BadQuestion),
        (vec![(Side(7), Domain::yes_no())], FaultCode::BadQuestion),
        (vec![(Side(255), Domain::yes_no())], FaultCode::BadQuestion),
        (
            vec![(Side(0), Domain::yes_no()), (Side(0), Domain::yes_no())],
            FaultCode::BadQuestion,
        ),
        (
            vec![(Side(0), Domain::Integer { min: 2, max: 1 })],
            FaultCode::BadQuestion,
        ),
    ];
    for (to, code) in cases {
        let (_, play) = opening(move |game, _| ask(game, "toy.sure", to.clone(), false).and(yes()));
        assert_eq!(play.unwrap_err().code, code);
    }
}

#[test]
fn who_ends_the_game_may_still_ask() {
    let (toy, play) = opening(|game, _| {
        game.finish(Value::Int(3))?;
        ask(game, "toy.sure", vec![(Side(0), Domain::yes_no())], false)?;
        yes()
    });
    let mut play = play.unwrap();
    play.submit(&toy, &answer("toy.sure", Value::Bool(true)))
        .unwrap();
    assert_eq!(play.wanted(), Wanted::Over);
    assert_eq!(play.game().finished(), Some(&Value::Int(3)));
}

#[test]
fn what_must_only_read_does_not_write_draw_ask_or_push() {
    type Effect = fn(&mut kernel::game::Game) -> Result<(), Stop>;
    let effects: [Effect; 6] = [
        |game| {
            Ok(game
                .roll(&[], "x", &Audience::default(), Default::default())
                .map(|_| ())?)
        },
        |game| Ok(game.create("toy.flag", None, &[]).map(|_| ())?),
        |game| Ok(game.finish(Value::None)?),
        |game| {
            Ok(game
                .draw("toy.pot", 1, true, &Audience::default(), Default::default())
                .map(|_| ())?)
        },
        |game| Ok(game.enter("toy.duel", Value::None)?),
        |game| ask(game, "toy.sure", vec![(Side(0), Domain::yes_no())], false).map(|_| ()),
    ];
    for effect in effects {
        let mut toy = Toy::new();
        toy.rule("toy.may", move |game, _| effect(game).and(yes()));
        let mut play = start(&toy, 1, 2);
        play.submit(&toy, &answer("toy.sure", Value::Bool(true)))
            .unwrap();
        let before = everything(&mut play);
        match play.submit(&toy, &Input::Done { by: Side(0) }) {
            Err(Rejected::Fault { fault, .. }) => assert_eq!(fault.code, FaultCode::NotAllowed),
            other => panic!("{other:?}"),
        }
        assert_eq!(everything(&mut play), before);
    }
}

#[test]
fn answers_that_no_longer_fit_are_asked_again() {
    let toy = Toy::new();
    let mut play = start(&toy, 1, 2);
    let mut changed = Toy::new();
    changed.rule("toy.open", |game, _| {
        ask(
            game,
            "toy.bid",
            vec![(Side(1), Domain::Integer { min: 0, max: 9 })],
            false,
        )?;
        yes()
    });
    // The rules change while the question waits: it is put anew.
    play.submit(&changed, &answer("toy.sure", Value::Bool(true)))
        .unwrap();
    match play.wanted() {
        Wanted::Answer { question, .. } => assert_eq!(&*question.id, "toy.bid"),
        other => panic!("{other:?}"),
    }
}

/// Who hears that a phase knows nobody to begin should hear which rule said so.
#[test]
fn a_rule_that_names_nobody_to_act_first_is_named() {
    let mut toy = Toy::new();
    toy.rule("toy.first", |_, _| Ok(Value::text("nobody")));
    let mut bot = BotChance::new(1, 9);
    let mut play = start(&toy, 1, 2);
    let fault = loop {
        let input = choose(&mut play, &toy, &mut bot).unwrap();
        match play.submit(&toy, &input) {
            Ok(()) => {}
            Err(Rejected::Fault { fault, .. }) => break fault,
            Err(Rejected::Refusal(refusal)) => panic!("{input:?}: {refusal}"),
        }
    };
    assert_eq!(fault.code, FaultCode::WrongType);
    assert_eq!(fault.rule.as_deref(), Some("toy.first"));
    assert!(
        fault.message.ends_with("red, blue, found `nobody`"),
        "{}",
        fault.message
    );
}
