//! Attributes that hold until an edge of a phase: the same games come out as by
//! rules that clear them by hand, and only those are cleared whom it concerns.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Book;
use kernel::chance::{BotChance, Chance};
use kernel::engine::Play;
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{EntityId, Value};
use kernel::world::{Edge, Until};
use proptest::prelude::*;

use support::rulebook::{deploy, int, plain_book, yes};
use support::{Toy, choose, name, play_out, play_out_from, show_events, sides};

/// The book of the invented game with attributes of pieces that do not hold for good.
fn book_with(until: &[(&str, Until)]) -> Book {
    let mut book = plain_book();
    let mut schema = (*book.schema).clone();
    let piece = schema.require_mut("toy.piece").unwrap();
    for attribute in &mut piece.attributes {
        let own = until
            .iter()
            .filter(|(of, _)| *of == &*attribute.name)
            .map(|(_, until)| until.clone());
        attribute.until = own.collect();
    }
    book.schema = Arc::new(schema);
    book
}

fn until(edge: Edge, phase: &str, of: Option<&str>) -> Until {
    Until {
        edge,
        phase: name(phase),
        of: of.map(name),
    }
}

fn set_up(book: Book, seed: u64, count: usize) -> Game {
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(count), table, Chance::seeded(seed));
    deploy(&mut game, count);
    game
}

/// The invented game, where the end of the turn clears nothing.
fn toy_that_clears_nothing() -> Toy {
    let mut toy = Toy::new();
    toy.rule("toy.end", |game, _| {
        let flag = game.entities("toy.flag")?[0];
        let turn = int(game, flag, "turn")? + 1;
        game.set(flag, "turn", Value::Int(turn))?;
        if game.entities("toy.piece")?.len() < 2 {
            game.finish(Value::Int(turn))?;
        }
        yes()
    });
    toy
}

fn worn(game: &Game) -> BTreeMap<EntityId, (Option<String>, Value)> {
    let world = game.world();
    let kind = world.schema().require("toy.piece").unwrap();
    let one = |entity: EntityId| {
        let side = world
            .read(entity, "side")
            .unwrap()
            .as_text()
            .map(str::to_string);
        (entity, (side, world.read(entity, "worn").unwrap().clone()))
    };
    world.of_kind(kind).map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_lifetime_does_what_rules_do_that_clear_by_hand(seed in any::<u64>(), count in 1usize..4) {
        let by_hand = play_out(&Toy::new(), seed, count);
        let book = book_with(&[
            ("is_watching", until(Edge::Ends, "toy.firing", None)),
            ("worn", until(Edge::Begins, "toy.end", None)),
        ]);
        let by_itself = play_out_from(&toy_that_clears_nothing(), set_up(book, seed, count), seed);
        prop_assert_eq!(by_hand.inputs, by_itself.inputs);
        prop_assert_eq!(by_hand.hashes, by_itself.hashes);
        for viewer in support::viewers(by_hand.play.game()) {
            let (one, other) = (by_hand.play.game(), by_itself.play.game());
            prop_assert_eq!(
                show_events(one, viewer, &by_hand.events),
                show_events(other, viewer, &by_itself.events)
            );
        }
    }

    #[test]
    fn only_those_are_cleared_whose_phase_it_is(seed in any::<u64>()) {
        let toy = toy_that_clears_nothing();
        let book = book_with(&[("worn", until(Edge::Begins, "toy.duel", Some("side")))]);
        let mut play = Play::start(set_up(book, seed, 2), &toy).unwrap();
        let mut bot = BotChance::new(seed, 0);
        for _ in 0..400 {
            let before = worn(play.game());
            let was_open = play.game().flow().phase("toy.duel").is_some();
            let Some(input) = choose(&mut play, &toy, &mut bot) else { break };
            play.submit(&toy, &input).unwrap();
            prop_assert_eq!(play.hash(), play.game().hash_afresh());
            let Some(duel) = play.game().flow().phase("toy.duel").filter(|_| !was_open) else { continue };
            let whose = duel.data.field("side").unwrap().as_text().unwrap().to_string();
            for (entity, (side, now)) in worn(play.game()) {
                match side.as_ref() == Some(&whose) {
                    true => prop_assert_eq!(now, Value::Int(0)),
                    false => prop_assert_eq!(Some(now), before.get(&entity).map(|(_, then)| then.clone())),
                }
            }
        }
    }
}
