//! Bringing a game under other rules: under the same ones it changes nothing,
//! wherever it is done.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::book::Book;
use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::error::FaultCode;
use kernel::value::{Side, Type, Value};

use support::{Toy, everything, name, play_out, rulebook, show_events, start, viewers};

/// The same rules, read anew.
fn again() -> Arc<Book> {
    let mut book = (*rulebook::book()).clone();
    book.schema = Arc::new((*book.schema).clone());
    Arc::new(book)
}

#[test]
fn the_same_rules_change_nothing_at_any_moment() {
    let toy = Toy::new();
    let (mut open, mut windows, mut secret) = (0, 0, 0);
    for seed in 0..60 {
        let played = play_out(&toy, seed, 2);
        let mut play = start(&toy, seed, 2);
        play.take_events();
        for (input, hash) in played.inputs.iter().zip(&played.hashes) {
            let before = everything(&mut play);
            let wanted = play.wanted();
            open += usize::from(matches!(wanted, Wanted::Answer { .. }));
            windows += usize::from(matches!(wanted, Wanted::React { .. }));
            secret += usize::from(wanted.sides().len() > 1);
            let shown = |play: &kernel::engine::Play| {
                let game = play.game();
                viewers(game)
                    .into_iter()
                    .map(|v| show_events(game, v, game.open_events()))
                    .collect::<Vec<_>>()
            };
            let events = shown(&play);
            play.adopt(&toy, &again()).unwrap();
            assert_eq!(
                everything(&mut play),
                before,
                "seed {seed}, before {input:?}"
            );
            assert_eq!(
                (play.wanted(), shown(&play)),
                (wanted, events),
                "seed {seed}, before {input:?}"
            );
            assert!(
                play.take_events().is_empty(),
                "nothing happens because rules were read"
            );
            play.submit(&toy, input).unwrap();
            play.take_events();
            assert_eq!(play.hash(), *hash, "seed {seed}, after {input:?}");
        }
        assert_eq!(play.wanted(), Wanted::Over);
    }
    assert!(
        open > 100 && windows > 20 && secret > 20,
        "{open} questions, {windows} windows, {secret} pads"
    );
}

#[test]
fn what_is_under_way_must_be_there() {
    let toy = Toy::new();
    let play = start(&toy, 7, 2);
    let phase = play.game().flow().phases().last().unwrap();
    let mut book = (*again()).clone();
    book.phases.remove(&phase.id);
    let fault = play.clone().adopt(&toy, &Arc::new(book)).unwrap_err();
    assert_eq!(fault.code, FaultCode::UnknownPhase);
    assert!(fault.message.contains(&*phase.id), "{fault}");
    let mut book = (*again()).clone();
    book.schema = Arc::default();
    assert_eq!(
        play.clone().adopt(&toy, &Arc::new(book)).unwrap_err().code,
        FaultCode::UnknownKind
    );
}

#[test]
fn an_epoch_is_part_of_the_state() {
    let toy = Toy::new();
    let mut play = start(&toy, 7, 2);
    let before = play.hash();
    play.game_mut().set_epoch(1);
    let after = play.hash();
    assert_ne!(before, after, "other dice will fall");
    play.game_mut().set_epoch(0);
    assert_eq!(play.hash(), before);
}

/// What red has made on its pad and taken back was there as blue began on its own.
#[test]
fn what_was_taken_back_needs_no_rule_to_migrate_it() {
    let mut toy = Toy::new();
    toy.rule("toy.migrate.piece_worn", |_, _| Ok(Value::text("none")));
    let mut play = start(&toy, 7, 2);
    let (red, blue) = (Side(0), Side(1));
    let hide = |by| Input::Act {
        by,
        action: name("toy.hide"),
        actor: None,
        params: Value::None,
    };
    let sure = Input::Answer {
        by: red,
        question: name("toy.sure"),
        value: Value::Bool(true),
    };
    for input in [sure, hide(red), hide(blue), Input::TakeBack { by: red }] {
        play.submit(&toy, &input).unwrap();
    }
    let mut book = (*again()).clone();
    let mut schema = (*book.schema).clone();
    let piece = schema.require_mut("toy.piece").unwrap();
    let worn = piece.attributes.iter_mut().find(|one| &*one.name == "worn");
    let worn = worn.unwrap();
    (worn.ty, worn.default) = (Type::Text, Value::text(""));
    book.schema = Arc::new(schema);
    play.adopt(&toy, &Arc::new(book)).unwrap();
    play.submit(&toy, &Input::TakeBack { by: blue }).unwrap();
    assert_eq!(play.hash(), play.game().hash_afresh());
}
