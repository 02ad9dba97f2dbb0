//! Secret phases: a pad for each side, on which it writes unseen.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use kernel::audience::Audience;
use kernel::chance::BotChance;
use kernel::decision::Input;
use kernel::engine::{Play, Rejected};
use kernel::error::FaultCode;
use kernel::value::{Side, Value};
use kernel::world::Viewer;

use support::rulebook::{entity, int, yes};
use support::{Toy, everything, name, refused, show_events, show_view, start};

fn planning(toy: &Toy, seed: u64, sides: usize) -> Play {
    let mut play = start(toy, seed, sides);
    let answer = Input::Answer {
        by: Side(0),
        question: name("toy.sure"),
        value: Value::Bool(true),
    };
    play.submit(toy, &answer).unwrap();
    play.take_events();
    play
}

fn act(play: &Play, by: u8, action: &str, n: i64) -> Input {
    let side = play.game().world().sides()[by as usize].clone();
    let actor =
        (action == "toy.plan").then(|| play.game().world().find(&format!("{side}-1")).unwrap());
    let params = match action {
        "toy.plan" => Value::record([("n", Value::Int(n))]),
        _ => Value::None,
    };
    Input::Act {
        by: Side(by),
        action: name(action),
        actor,
        params,
    }
}

/// Each side's own actions, in its own order; the sides are mixed in any way.
#[test]
fn who_comes_first_changes_neither_dice_nor_hash_nor_views() {
    let toy = Toy::new();
    let actions = ["toy.scout", "toy.plan", "toy.hide", "toy.scout", "done"];
    for count in [2, 4] {
        let mut outcomes = Vec::new();
        for order in 0..12 {
            let mut play = planning(&toy, 5, count);
            let mut bot = BotChance::new(order, 0);
            let mut at = vec![0; count];
            while at.iter().any(|at| *at < actions.len()) {
                let by = bot.below(count as u32) as usize;
                let Some(action) = actions.get(at[by]) else {
                    continue;
                };
                at[by] += 1;
                let input = match *action {
                    "done" => Input::Done { by: Side(by as u8) },
                    action => act(&play, by as u8, action, 2),
                };
                play.submit(&toy, &input).unwrap();
            }
            let own = |play: &mut Play| -> Vec<String> {
                let events = play.take_events();
                (0..count as u8)
                    .map(|s| show_events(play.game(), Viewer::Side(Side(s)), &events))
                    .collect()
            };
            let events = own(&mut play);
            let views: Vec<String> = support::viewers(play.game())[1..]
                .iter()
                .map(|viewer| show_view(play.game(), *viewer))
                .collect();
            // What is rolled after the phase must not know the order either.
            let mut later = Vec::new();
            for _ in 0..8 {
                let Some(input) = support::choose(&mut play, &toy, &mut BotChance::new(9, 9))
                else {
                    break;
                };
                play.submit(&toy, &input).unwrap();
                later.push(play.hash());
            }
            outcomes.push((events, views, later));
        }
        for outcome in &outcomes[1..] {
            assert_eq!(*outcome, outcomes[0]);
        }
    }
}

#[test]
fn the_others_see_and_read_what_was_there_before() {
    let toy = Toy::new();
    let mut play = planning(&toy, 1, 2);
    let views =
        |play: &Play| [Viewer::Side(Side(1)), Viewer::Spectator].map(|v| show_view(play.game(), v));
    let before = views(&play);
    let of_red = show_view(play.game(), Viewer::Side(Side(0)));
    for action in ["toy.plan", "toy.hide", "toy.scout"] {
        let input = act(&play, 0, action, 3);
        play.submit(&toy, &input).unwrap();
    }
    let ready = Input::Done { by: Side(0) };
    play.submit(&toy, &ready).unwrap();
    assert_eq!(views(&play), before);
    let events = play.take_events();
    for viewer in [Viewer::Side(Side(1)), Viewer::Spectator] {
        assert_eq!(show_events(play.game(), viewer, &events), "");
    }
    assert_ne!(show_view(play.game(), Viewer::Side(Side(0))), of_red);
    refused(&mut play, &toy, &ready);
    play.submit(&toy, &Input::Done { by: Side(1) }).unwrap();
    let piece = play.game().world().find("red-1").unwrap();
    assert_eq!(int(play.game(), piece, "plan").unwrap(), 3);
    assert_ne!(views(&play), before);
}

#[test]
fn taking_back_restores_all_and_dice_stay() {
    let toy = Toy::new();
    let mut play = planning(&toy, 1, 2);
    let take_back = Input::TakeBack { by: Side(0) };
    assert!(refused(&mut play, &toy, &take_back).contains("nothing"));
    let before = everything(&mut play);
    for action in ["toy.plan", "toy.hide", "toy.plan"] {
        let input = act(&play, 0, action, 2);
        play.submit(&toy, &input).unwrap();
    }
    let other = act(&play, 1, "toy.plan", 1);
    play.submit(&toy, &other).unwrap();
    for _ in 0..3 {
        play.submit(&toy, &take_back).unwrap();
    }
    assert!(refused(&mut play, &toy, &take_back).contains("nothing"));
    play.submit(&toy, &Input::TakeBack { by: Side(1) }).unwrap();
    assert_eq!(everything(&mut play), before);

    // Done again, it is what it would have been: the same names and dice.
    let scout = |play: &mut Play| {
        for action in ["toy.hide", "toy.scout"] {
            let input = act(play, 0, action, 2);
            play.submit(&toy, &input).unwrap();
        }
        play.hash()
    };
    let again = scout(&mut play);
    assert_eq!(again, scout(&mut planning(&toy, 1, 2)));
    assert!(refused(&mut play, &toy, &take_back).contains("drawn"));
}

/// What a step does to the game, with the piece that acts.
type Step = fn(&mut kernel::game::Game, kernel::value::EntityId) -> Result<(), kernel::rules::Stop>;

/// Steps that others would notice, and what each is refused as.
const NOTICED: [(Step, FaultCode); 12] = [
    (
        |game, _| Ok(game.set(game.world().find("blue-1").unwrap(), "at", Value::Int(1))?),
        FaultCode::NotYours,
    ),
    (
        |game, _| Ok(game.set(game.world().find("flag-1").unwrap(), "turn", Value::Int(1))?),
        FaultCode::NotYours,
    ),
    (
        |game, own| Ok(game.set(own, "side", Value::text("blue"))?),
        FaultCode::NotAllowed,
    ),
    (|game, own| Ok(game.remove(own)?), FaultCode::NotAllowed),
    (
        |game, own| Ok(game.show(own, Some("plan"), kernel::world::Viewers::ALL)?),
        FaultCode::NotAllowed,
    ),
    (
        |game, _| Ok(game.finish(Value::None)?),
        FaultCode::NotAllowed,
    ),
    (
        |game, _| Ok(game.enter("toy.duel", Value::None)?),
        FaultCode::NotAllowed,
    ),
    (
        |game, _| Ok(game.leave("toy.planning")?),
        FaultCode::NotAllowed,
    ),
    (
        |game, own| {
            let data = Value::record([("mover", Value::Entity(own)), ("left", Value::Int(1))]);
            Ok(game.open("toy.leg", data)?)
        },
        FaultCode::NotAllowed,
    ),
    (
        |game, _| {
            Ok(game
                .draw("toy.pot", 1, true, &Audience::default(), Default::default())
                .map(|_| ())?)
        },
        FaultCode::NotAllowed,
    ),
    (
        |game, _| {
            let blue = (name("side"), Value::text("blue"));
            Ok(game.create("toy.piece", None, &[blue]).map(|_| ())?)
        },
        FaultCode::NotYours,
    ),
    (
        |game, _| Ok(game.create("toy.piece", Some("x"), &[]).map(|_| ())?),
        FaultCode::NotAllowed,
    ),
];

#[test]
fn what_others_would_notice_is_a_fault() {
    for (i, (effect, code)) in NOTICED.into_iter().enumerate() {
        let mut toy = Toy::new();
        toy.rule("toy.plan.perform", move |game, args| {
            effect(game, entity(&args[0])).and(yes())
        });
        let mut play = planning(&toy, 1, 2);
        let before = everything(&mut play);
        let input = act(&play, 0, "toy.plan", 1);
        match play.submit(&toy, &input) {
            Err(Rejected::Fault { fault, undone: 0 }) => {
                assert_eq!(fault.code, code, "effect {i}: {fault}")
            }
            other => panic!("effect {i}: {other:?}"),
        }
        assert_eq!(everything(&mut play), before);
    }
}

#[test]
fn a_step_on_a_pad_reads_nothing_of_the_others() {
    let mut toy = Toy::new();
    toy.rule("toy.plan.perform", |game, args| {
        if game.guard().scope == Viewer::Side(Side(1)) {
            let foe = game.world().find("red-1").unwrap();
            assert_eq!(int(game, foe, "at")?, 101, "what was there before");
            assert_eq!(
                game.get(foe, "plan").unwrap_err().code,
                FaultCode::HiddenRead
            );
            let all = game.entities("toy.piece")?;
            assert!(
                all.iter()
                    .all(|e| !game.world().name(*e).starts_with("red-piece"))
            );
            let new = game.world().find("red-piece-1").unwrap();
            assert_eq!(game.get(new, "at").unwrap_err().code, FaultCode::HiddenRead);
            assert!(!game.knows_of(new));
        }
        game.set(entity(&args[0]), "at", Value::Int(55))?;
        yes()
    });
    let mut play = planning(&toy, 1, 2);
    for (by, action) in [(0, "toy.plan"), (0, "toy.hide"), (1, "toy.plan")] {
        let input = act(&play, by, action, 1);
        play.submit(&toy, &input).unwrap();
    }
    // Nor does an input of red's name what blue made.
    let input = act(&play, 1, "toy.hide", 0);
    play.submit(&toy, &input).unwrap();
    let made = play.game().world().find("blue-piece-1").unwrap();
    let params = Value::record([("n", Value::Entity(made))]);
    let actor = play.game().world().find("red-1");
    let act = Input::Act {
        by: Side(0),
        action: name("toy.plan"),
        actor,
        params,
    };
    let reason = refused(&mut play, &toy, &act);
    assert!(reason.contains("there is no such entity"), "{reason}");
}
