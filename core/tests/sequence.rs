//! Phases and windows: who acts when, who is asked, and how each ends.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::audience::Audience;
use kernel::book::{Acts, AskOrder, Order, PhaseBody};
use kernel::chance::Chance;
use kernel::decision::{Domain, Input};
use kernel::engine::{MOST_REACTIONS, Play, Rejected, Wanted};
use kernel::error::FaultCode;
use kernel::event::Cause;
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{Side, Value};
use kernel::world::Viewer;

use support::rulebook::{ask, deploy, entity, no, plain_book, yes};
use support::{Toy, everything, name, refused, sides};

fn begin(toy: &Toy, count: usize, change: impl FnOnce(&mut kernel::book::Book)) -> Play {
    let mut book = plain_book();
    change(&mut book);
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(count), table, Chance::seeded(4));
    deploy(&mut game, count);
    Play::start(game, toy).unwrap()
}

/// One phase alone, in which sides walk.
fn only(toy: &Toy, count: usize, order: Order, idle: bool) -> Play {
    begin(toy, count, |book| {
        book.root = Some(name("toy.moving"));
        let acts = Acts {
            order,
            first: None,
            may_pass: Some(name("toy.may")),
            may_end: None,
            until: None,
            ends_when_idle: idle,
            ends_after_passes: None,
        };
        book.phases.get_mut("toy.moving").unwrap().body = PhaseBody::Acts(acts);
    })
}

fn still() -> Toy {
    let mut toy = Toy::new();
    toy.rule("toy.walk.perform", |game, args| {
        game.roll(
            &[kernel::dice::Die::new(100).unwrap()],
            "walk",
            &Audience::default(),
            Cause::default(),
        )?;
        game.set(entity(&args[0]), "is_watching", Value::Bool(false))?;
        yes()
    });
    toy
}

fn walk(play: &Play, by: u8, n: u32) -> Input {
    let side = play.game().world().sides()[by as usize].clone();
    let actor = play.game().world().find(&format!("{side}-{n}"));
    Input::Act {
        by: Side(by),
        action: name("toy.walk"),
        actor,
        params: Value::record([("to", Value::Int(1))]),
    }
}

fn turn(play: &Play) -> Option<u8> {
    match play.wanted() {
        Wanted::Act { sides, .. } if sides.len() == 1 => Some(sides[0].0),
        _ => None,
    }
}

#[test]
fn alternating_goes_round_past_the_idle_and_the_done() {
    let toy = still();
    let mut play = only(&toy, 3, Order::Alternating, true);
    let mut order = Vec::new();
    let mut left = [3, 3, 3];
    while let Some(by) = turn(&play) {
        order.push(by);
        let input = match (order.len(), by) {
            (2, 1) => Input::Pass { by: Side(1) },
            (4, 0) => Input::Done { by: Side(0) },
            _ => {
                left[by as usize] -= 1;
                walk(&play, by, left[by as usize] + 1)
            }
        };
        play.submit(&toy, &input).unwrap();
        if left == [2, 0, 0] {
            break;
        }
    }
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 1, 2, 1]);
}

#[test]
fn one_after_another_acts_until_done_and_never_passes() {
    let toy = still();
    let mut play = only(&toy, 2, Order::OneAfterAnother, false);
    for n in 1..=2 {
        let input = walk(&play, 0, n);
        play.submit(&toy, &input).unwrap();
        assert_eq!(turn(&play), Some(0));
    }
    assert!(
        refused(&mut play, &toy, &Input::Pass { by: Side(0) })
            .contains("nobody waits for this go to pass")
    );
    play.submit(&toy, &Input::Done { by: Side(0) }).unwrap();
    assert_eq!(turn(&play), Some(1));
    play.submit(&toy, &Input::Done { by: Side(1) }).unwrap();
    assert_eq!(play.wanted(), Wanted::Over);
}

/// A phase of two or three sides in turn that ends after so many passes of each.
fn passing(toy: &Toy, count: usize, times: u32) -> Play {
    begin(toy, count, |book| {
        book.root = Some(name("toy.moving"));
        let acts = Acts {
            order: Order::Alternating,
            first: None,
            may_pass: Some(name("toy.may")),
            may_end: None,
            until: None,
            ends_when_idle: false,
            ends_after_passes: Some(times),
        };
        book.phases.get_mut("toy.moving").unwrap().body = PhaseBody::Acts(acts);
    })
}

#[test]
fn a_phase_ends_when_each_side_has_passed_so_often_running() {
    let toy = still();
    for times in 1..=3 {
        let mut play = passing(&toy, 2, times);
        play.submit(&toy, &Input::Pass { by: Side(0) }).unwrap();
        // What is done begins the count anew.
        let input = walk(&play, 1, 1);
        play.submit(&toy, &input).unwrap();
        for pass in 0..2 * times {
            assert_eq!(turn(&play), Some((pass % 2) as u8), "{times}");
            let by = Side((pass % 2) as u8);
            play.submit(&toy, &Input::Pass { by }).unwrap();
        }
        assert_eq!(play.wanted(), Wanted::Over, "{times}");
    }
    // Without a number, and with one that is never reached, it goes on.
    let without = only(&toy, 2, Order::Alternating, false);
    for mut play in [without, passing(&toy, 2, u32::MAX)] {
        for pass in 0..20 {
            let by = Side(pass % 2);
            play.submit(&toy, &Input::Pass { by }).unwrap();
            assert_ne!(play.wanted(), Wanted::Over);
        }
    }
}

#[test]
fn only_who_is_not_done_is_waited_for_to_pass() {
    let toy = still();
    let mut play = passing(&toy, 3, 2);
    play.submit(&toy, &Input::Pass { by: Side(0) }).unwrap();
    play.submit(&toy, &Input::Done { by: Side(1) }).unwrap();
    for by in [2, 0, 2, 0] {
        assert_eq!(turn(&play), Some(by));
        play.submit(&toy, &Input::Pass { by: Side(by) }).unwrap();
    }
    assert_eq!(play.wanted(), Wanted::Over);
}

#[test]
fn nobody_passes_when_all_others_are_done() {
    let toy = still();
    let mut play = only(&toy, 3, Order::Alternating, false);
    play.submit(&toy, &Input::Done { by: Side(0) }).unwrap();
    play.submit(&toy, &Input::Pass { by: Side(1) }).unwrap();
    play.submit(&toy, &Input::Done { by: Side(2) }).unwrap();
    assert!(
        refused(&mut play, &toy, &Input::Pass { by: Side(1) }).contains("every other side is done")
    );
    let input = walk(&play, 1, 1);
    play.submit(&toy, &input).unwrap();
    play.submit(&toy, &Input::Done { by: Side(1) }).unwrap();
    assert_eq!(play.wanted(), Wanted::Over);
}

#[test]
fn a_compulsory_action_comes_before_any_stop() {
    let toy = still();
    let mut play = begin(&toy, 2, |book| {
        book.root = Some(name("toy.moving"));
        book.actions.get_mut("toy.walk").unwrap().is_compulsory = true;
    });
    for _ in 0..2 {
        let by = turn(&play).unwrap();
        for stop in [Input::Done { by: Side(by) }, Input::Pass { by: Side(by) }] {
            assert!(refused(&mut play, &toy, &stop).contains("must be done first"));
        }
        let input = walk(&play, by, 1);
        play.submit(&toy, &input).unwrap();
    }
}

#[test]
fn loops_end_or_are_a_fault() {
    let toy = Toy::new();
    let with_loop = |phases: Vec<&str>, until: Option<&str>| {
        let mut book = plain_book();
        let phases = phases.into_iter().map(name).collect();
        book.phases.get_mut("toy.rounds").unwrap().body = PhaseBody::Loop {
            phases,
            until: until.map(name),
        };
        book.root = Some(name("toy.rounds"));
        book.phases.get_mut("toy.game").unwrap().body = PhaseBody::Sequence(vec![]);
        let table = (Length::inches(1), Length::inches(1));
        let mut game = Game::new(Arc::new(book), sides(2), table, Chance::seeded(4));
        deploy(&mut game, 2);
        Play::start(game, &toy)
            .map(|play| play.wanted())
            .map_err(|fault| fault.code)
    };
    assert_eq!(with_loop(vec![], None), Ok(Wanted::Over));
    assert_eq!(
        with_loop(vec!["toy.game"], None),
        Err(FaultCode::TooManySteps)
    );
    assert_eq!(
        with_loop(vec!["toy.rounds"], None),
        Err(FaultCode::TooManySteps)
    );
    assert_eq!(
        with_loop(vec!["toy.end", "toy.game"], Some("toy.over")),
        Ok(Wanted::Over)
    );
    assert_eq!(
        with_loop(vec!["toy.nothing"], None),
        Err(FaultCode::UnknownPhase)
    );
    assert_eq!(
        with_loop(vec!["toy.end"], Some("toy.first")),
        Err(FaultCode::BadReturn)
    );
    assert_eq!(
        with_loop(vec!["toy.end"], Some("toy.nothing")),
        Err(FaultCode::UnknownRule)
    );
}

/// A side lets one chance to react go.
fn let_go(play: &mut Play, toy: &Toy, by: Side) {
    let decline = Input::Decline {
        by,
        standing: false,
    };
    play.submit(toy, &decline).unwrap();
}

/// Walks into a snap shot, into a counter to it, into a counter to that: in
/// each window the others are those who did not open it.
#[test]
fn reactions_nest_three_deep_and_each_answers_the_last() {
    let mut toy = Toy::new();
    toy.rule("toy.hit.apply", |game, args| {
        let (shooter, target) = (entity(&args[0]), entity(&args[1]));
        if game.knows_of(shooter) && game.knows_of(target) {
            game.remove(target)?;
        }
        yes()
    });
    let mut play = begin(&toy, 2, |book| book.root = Some(name("toy.moving")));
    let piece = |play: &Play, text: &str| play.game().world().find(text);
    let react = |by, reaction: &str, actor| Input::React {
        by: Side(by),
        reaction: name(reaction),
        actor,
        params: Value::None,
    };
    let by_asked = |play: &Play| match play.wanted() {
        Wanted::React { side, window, .. } => (side.0, window.to_string()),
        other => panic!("{other:?}"),
    };
    let input = walk(&play, 0, 1);
    play.submit(&toy, &input).unwrap();
    assert_eq!(by_asked(&play), (1, "toy.leg".into()));
    for (by, reaction, actor) in [
        (1, "toy.snap", "blue-1"),
        (0, "toy.counter", "red-2"),
        (1, "toy.counter", "blue-2"),
    ] {
        let actor = piece(&play, actor);
        play.submit(&toy, &react(by, reaction, actor)).unwrap();
    }
    // Red may answer the last shot; it lets it go, and all is carried out from the top.
    assert_eq!(by_asked(&play), (0, "toy.shot".into()));
    let windows = play.game().flow().top();
    assert!(windows.is_some());
    let_go(&mut play, &toy, Side(0));
    // blue-2 removed red-2, so its shot at blue-1 never came; others may still
    // answer that shot, and let it go.
    assert_eq!(piece(&play, "red-2"), None);
    while let Wanted::React { side, .. } = play.wanted() {
        let_go(&mut play, &toy, side);
    }
    assert!(piece(&play, "blue-1").is_some());
    assert_eq!(
        piece(&play, "red-1"),
        None,
        "the mover was removed in the middle of its move"
    );
    assert_eq!(turn(&play), Some(1));
    assert_eq!(play.hash(), play.game().hash_afresh());
}

#[test]
fn a_standing_decline_holds_for_the_action_alone() {
    let toy = Toy::new();
    let mut play = begin(&toy, 2, |book| book.root = Some(name("toy.moving")));
    let long = |play: &Play, by, n| match walk(play, by, n) {
        Input::Act {
            by, action, actor, ..
        } => {
            let how = Value::Entity(actor.unwrap());
            Input::Act {
                by,
                action,
                actor,
                params: Value::record([("to", Value::Int(3)), ("how", how)]),
            }
        }
        other => other,
    };
    let input = long(&play, 0, 1);
    play.submit(&toy, &input).unwrap();
    play.submit(
        &toy,
        &Input::Decline {
            by: Side(1),
            standing: true,
        },
    )
    .unwrap();
    assert_eq!(
        turn(&play),
        Some(1),
        "it was not asked about the second and third leg"
    );
    let input = long(&play, 1, 1);
    play.submit(&toy, &input).unwrap();
    for _ in 0..3 {
        assert!(matches!(play.wanted(), Wanted::React { side: Side(0), .. }));
        let_go(&mut play, &toy, Side(0));
    }
    let input = long(&play, 0, 2);
    play.submit(&toy, &input).unwrap();
    assert!(
        matches!(play.wanted(), Wanted::React { side: Side(1), .. }),
        "asked again in the next action"
    );
}

#[test]
fn a_uniform_window_asks_who_can_do_nothing() {
    let mut toy = Toy::new();
    toy.rule("toy.snap.allowed", |_, _| no("never"));
    let mut play = begin(&toy, 2, |book| {
        book.root = Some(name("toy.moving"));
        let window = book.windows.get_mut("toy.leg").unwrap();
        (window.is_uniform, window.order) = (true, AskOrder::OthersOnly);
    });
    let input = walk(&play, 0, 1);
    play.submit(&toy, &input).unwrap();
    assert!(matches!(play.wanted(), Wanted::React { side: Side(1), .. }));
    let_go(&mut play, &toy, Side(1));
    assert_eq!(turn(&play), Some(1));
}

#[test]
fn leaving_a_phase_drops_all_that_lies_above_it() {
    let mut toy = still();
    toy.rule("toy.walk.perform", |game, args| {
        game.enter("toy.duel", Value::record([("side", Value::text("blue"))]))?;
        game.push("toy.leg.walk", vec![args[0].clone(), Value::Int(1)])?;
        yes()
    });
    toy.rule("toy.strike.perform", |game, _| {
        game.leave("toy.moving")?;
        game.push("toy.leg.walk", vec![Value::None, Value::Int(1)])
            .unwrap_err();
        yes()
    });
    let mut play = begin(&toy, 2, |book| book.root = Some(name("toy.moving")));
    let input = walk(&play, 0, 1);
    play.submit(&toy, &input).unwrap();
    assert_eq!(turn(&play), Some(1), "the duel is blue's");
    let actor = play.game().world().find("blue-1");
    let strike = Input::Act {
        by: Side(1),
        action: name("toy.strike"),
        actor,
        params: Value::None,
    };
    play.submit(&toy, &strike).unwrap();
    assert_eq!(play.wanted(), Wanted::Over);
    let red = play.game().world().find("red-1").unwrap();
    assert_eq!(
        play.game().get(red, "at"),
        Ok(&Value::Int(101)),
        "what waited above is gone"
    );
}

/// One more roll in a step changes no roll of the steps after it.
#[test]
fn an_extra_roll_stays_in_its_step() {
    let faces = |extra: usize| {
        let mut toy = still();
        toy.rule("toy.walk.perform", move |game, args| {
            let die = kernel::dice::Die::new(100).unwrap();
            game.roll(
                std::slice::from_ref(&die),
                "first",
                &Audience::default(),
                Cause::default(),
            )?;
            game.roll(
                &vec![die; extra],
                "extra",
                &Audience::default(),
                Cause::default(),
            )?;
            game.push("toy.hit.apply", vec![args[0].clone(), args[0].clone()])?;
            game.push("toy.hit.apply", vec![args[0].clone(), args[0].clone()])?;
            yes()
        });
        toy.rule("toy.hit.apply", |game, _| {
            game.roll(
                &[kernel::dice::Die::new(100).unwrap()],
                "later",
                &Audience::default(),
                Cause::default(),
            )?;
            yes()
        });
        let mut play = only(&toy, 2, Order::Alternating, false);
        for by in [0, 1, 0] {
            let input = walk(&play, by, 1);
            play.submit(&toy, &input).unwrap();
        }
        let events = play.take_events();
        let rolls = events
            .iter()
            .filter(|event| event.field("purpose") == Some(&Value::text("later")));
        let faces: Vec<Value> = rolls
            .clone()
            .map(|event| event.field("faces").unwrap().clone())
            .collect();
        (
            faces,
            rolls.map(|event| event.cause.draws).collect::<Vec<_>>(),
        )
    };
    let (plain, numbers) = faces(0);
    assert_eq!(
        numbers[..2],
        [Some((2, 2)), Some((3, 3))],
        "numbered within the action"
    );
    assert!(plain.windows(2).any(|two| two[0] != two[1]));
    for extra in [1, 5] {
        let (with, numbers) = faces(extra);
        assert_eq!(with, plain);
        let first = 2 + extra as u32;
        assert_eq!(numbers[0], Some((first, first)));
    }
}

/// Lists that a rule gets in a side's eyes tell nothing by their order.
#[test]
fn entities_without_a_name_come_in_the_order_of_the_viewers_own_numbers() {
    let toy = Toy::new();
    let order = |names: [&str; 2]| {
        let mut game = support::set_up(1, 2);
        let world = game.world_mut();
        let flag = world.schema().require("toy.flag").unwrap();
        for text in names {
            world.create(flag, text, &[]).unwrap();
        }
        let mut play = Play::start(game, &toy).unwrap();
        let viewer = Viewer::Side(Side(1));
        let game = play.game_mut();
        let guard = game.set_guard(kernel::game::Guard::answering(viewer));
        let seen = game.entities("toy.flag").unwrap();
        game.set_guard(guard);
        let numbers: Vec<_> = seen
            .iter()
            .map(|entity| game.handle(viewer, *entity).unwrap())
            .collect();
        (numbers, game.view_hash(viewer))
    };
    let (numbers, hash) = order(["a-flag", "z-flag"]);
    assert!(numbers.is_sorted());
    assert_eq!((numbers, hash), order(["z-flag", "a-flag"]));
}

/// The order in which a scenario lists what looks alike is no order of numbers.
#[test]
fn numbers_of_what_looks_alike_follow_the_salt() {
    let toy = Toy::new();
    let order = |salt| {
        let mut game = support::set_up(1, 2);
        let flag = game.world().schema().require("toy.flag").unwrap();
        for n in 3..9 {
            game.world_mut()
                .create(flag, &format!("flag-{n}"), &[])
                .unwrap();
        }
        game.set_salt(salt);
        let play = Play::start(game, &toy).unwrap();
        let seen = play.game().view(Viewer::Side(Side(0))).entities;
        let flags = seen.iter().filter(|seen| &*seen.kind == "toy.flag");
        flags
            .map(|seen| play.game().world().name(seen.entity))
            .collect::<Vec<_>>()
    };
    assert_eq!(order(1), order(1));
    assert!((2..6).all(|salt| order(salt) != order(1)));
    assert!(!order(1).is_sorted() || !order(2).is_sorted());
}

#[test]
fn queued_answers_obey_the_rule_with_the_last_word() {
    let mut toy = Toy::new();
    toy.rule("toy.open", |game, _| {
        let centre = kernel::geometry::Point::from_um(0, 0);
        let domain = Domain::Place {
            regions: [kernel::decision::Region::Disc {
                centre,
                radius: Length::INCH,
            }]
            .into(),
            candidates: [].into(),
            check: Some(kernel::decision::Check {
                rule: name("toy.check"),
                args: [].into(),
            }),
        };
        let at = ask(game, "toy.place", vec![(Side(0), domain)], false)?;
        game.finish(at[0].clone())?;
        yes()
    });
    toy.rule("toy.check", |_, args| match args[0].as_point() {
        Some(point) if point.x().um() == 1 => yes(),
        _ => no("not there"),
    });
    let at = |x| Value::Point(kernel::geometry::Point::from_um(x, 0));
    for (x, is_taken) in [(1, true), (2, false)] {
        let mut game = support::set_up(1, 2);
        game.queue_answers([(name("toy.place"), at(x))]);
        let mut play = Play::start(game, &toy).unwrap();
        assert_eq!(play.wanted() == Wanted::Over, is_taken);
        if !is_taken {
            let answer = |x| Input::Answer {
                by: Side(0),
                question: name("toy.place"),
                value: at(x),
            };
            refused(&mut play, &toy, &answer(2));
            refused(&mut play, &toy, &answer(30_000_000));
            play.submit(&toy, &answer(1)).unwrap();
            let _ = everything(&mut play);
        }
        assert_eq!(play.game().finished(), Some(&at(1)));
    }
}

#[test]
fn no_more_sides_than_a_set_of_viewers_holds() {
    let toy = Toy::new();
    let begin = |count: usize| {
        let many: Arc<[_]> = (0..count).map(|i| name(&format!("s{i}"))).collect();
        let table = (Length::INCH, Length::INCH);
        let mut book = plain_book();
        book.root = Some(name("toy.planning"));
        Play::start(
            Game::new(Arc::new(book), many, table, Chance::seeded(1)),
            &toy,
        )
    };
    assert_eq!(begin(33).unwrap_err().code, FaultCode::BadScenario);
    assert_eq!(begin(0).unwrap().wanted(), Wanted::Over);
    let mut play = begin(32).unwrap();
    for side in 0..32 {
        play.submit(&toy, &Input::Done { by: Side(side) }).unwrap();
    }
    assert_eq!(play.wanted(), Wanted::Over);
}

/// A reaction that never refuses itself is no end of a window: whoever goes on is told which it is.
#[test]
fn a_window_that_is_answered_for_ever_is_a_fault() {
    let mut toy = Toy::new();
    toy.rule("toy.snap.allowed", |_, _| yes());
    toy.rule("toy.snap.perform", |_, _| yes());
    let mut play = begin(&toy, 2, |book| book.root = Some(name("toy.moving")));
    let input = walk(&play, 0, 1);
    play.submit(&toy, &input).unwrap();
    let snap = Input::React {
        by: Side(1),
        reaction: name("toy.snap"),
        actor: play.game().world().find("blue-1"),
        params: Value::None,
    };
    for _ in 0..MOST_REACTIONS {
        play.submit(&toy, &snap).unwrap();
    }
    let Err(Rejected::Fault { fault, undone }) = play.submit(&toy, &snap) else {
        panic!("it goes on for ever");
    };
    assert_eq!(fault.code, FaultCode::TooManySteps);
    assert!(fault.message.contains("toy.leg") && fault.message.contains("toy.snap"));
    assert_eq!(undone, MOST_REACTIONS + 1);
}
