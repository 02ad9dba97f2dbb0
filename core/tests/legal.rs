//! Who may do what: whom a rule lists.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::book::{Acts, Order, PhaseBody};
use kernel::chance::Chance;
use kernel::decision::{Choice, Domain, Input};
use kernel::engine::Play;
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{Side, Value};

use support::rulebook::{deploy, no, plain_book};
use support::{Toy, name, refused, sides};

const RED: Side = Side(0);

/// A game in which sides walk, and a rule lists who might.
fn listed(toy: &Toy) -> Play {
    let mut book = plain_book();
    book.root = Some(name("toy.moving"));
    let acts = Acts {
        order: Order::Alternating,
        first: None,
        may_pass: None,
        may_end: None,
        until: None,
        ends_when_idle: false,
        ends_after_passes: None,
    };
    book.phases.get_mut("toy.moving").unwrap().body = PhaseBody::Acts(acts);
    book.actions.get_mut("toy.walk").unwrap().listed = Some(name("toy.up"));
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(2), table, Chance::seeded(4));
    deploy(&mut game, 2);
    Play::start(game, toy).unwrap()
}

/// Lists the second piece of everybody, and whatever its own side has not.
fn second_only() -> Toy {
    let mut toy = Toy::new();
    toy.rule("toy.up", |game, _| {
        let pieces = game.entities("toy.piece")?;
        let second = pieces
            .into_iter()
            .filter(|piece| game.world().name(*piece).ends_with("-2"));
        Ok(Value::list(second.map(Value::Entity)))
    });
    toy
}

fn walk(play: &Play, n: u32) -> Input {
    let side = play.game().world().sides()[0].clone();
    let actor = play.game().world().find(&format!("{side}-{n}"));
    let params = Value::record([("to", Value::Int(1))]);
    Input::Act {
        by: RED,
        action: name("toy.walk"),
        actor,
        params,
    }
}

fn walkers(play: &mut Play, toy: &Toy) -> Vec<String> {
    let legal = play.legal(toy, RED).unwrap();
    let actors = legal
        .into_iter()
        .filter(|one| &*one.action == "toy.walk")
        .filter_map(|one| one.actor);
    actors
        .map(|actor| play.game().world().name(actor).to_string())
        .collect()
}

#[test]
fn only_those_whom_the_rule_lists_and_who_are_ones_own() {
    let toy = second_only();
    let mut play = listed(&toy);
    let side = play.game().world().sides()[0].clone();
    assert_eq!(walkers(&mut play, &toy), [format!("{side}-2")]);
}

#[test]
fn who_is_not_listed_is_told_why_by_the_verdict_or_else_that_it_cannot_now() {
    let mut toy = second_only();
    let mut play = listed(&toy);
    let input = walk(&play, 1);
    assert!(refused(&mut play, &toy, &input).contains("not one of yours who can do it now"));
    toy.rule("toy.walk.allowed", |_, _| no("its boots are wet"));
    assert!(refused(&mut play, &toy, &input).contains("its boots are wet"));
}

#[test]
fn who_is_listed_may() {
    let toy = second_only();
    let mut play = listed(&toy);
    let input = walk(&play, 2);
    play.submit(&toy, &input).unwrap();
}

/// Two equal cards of a hand are two: each may be chosen as often as it is offered.
#[test]
fn several_equal_choices_are_chosen_as_often_as_they_are_offered() {
    let choice = |card: &str| Choice {
        value: Value::text(card),
        label: name(card),
    };
    let hand = Domain::Several {
        of: ["wind", "wind", "fog"].map(choice).into(),
        min: 0,
        max: 3,
        check: None,
    };
    let chosen =
        |cards: &[&str]| hand.accepts(&Value::list(cards.iter().map(|one| Value::text(one))));
    assert_eq!(chosen(&["wind", "wind"]), Ok(()));
    assert_eq!(
        chosen(&["wind", "wind", "wind"]),
        Err("it is offered only 2 times".into())
    );
    assert_eq!(
        chosen(&["fog", "fog"]),
        Err("each may be chosen only once".into())
    );
}
