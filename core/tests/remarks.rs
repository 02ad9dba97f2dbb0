//! What somebody chose is told in the words in which it was offered, but to those alone who
//! may know all that the words rest on.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::audience::Share;
use kernel::chance::Chance;
use kernel::decision::{Choice, Domain, Input, Question};
use kernel::engine::{Play, SeenEvent};
use kernel::event::Event;
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::rules::Stop;
use kernel::value::{Name, Side, Type, Value};
use kernel::world::Viewer;
use proptest::prelude::*;

use support::rulebook::{action, deploy, entity, plain_book, yes};
use support::{Toy, name, sides};

const RED: Side = Side(0);
const BLUE: Side = Side(1);

/// The parameters of the action, in order, with the rules of their domains.
const PARAMS: [(&str, &str); 3] = [
    ("first", "toy.choose.first"),
    ("second", "toy.choose.second"),
    ("third", "toy.choose.third"),
];

/// To whom a parameter may be told.
const SHARES: [Option<Share>; 4] = [
    None,
    Some(Share::All),
    Some(Share::Owner),
    Some(Share::Nobody),
];

/// A parameter whose words tell what is known.
#[derive(Clone, Copy, Debug)]
struct Told {
    share: Option<Share>,
    /// Whether its domain looks at what only red may see.
    looks: bool,
    /// What red chooses, where that is told to others, and where it is not.
    chosen: [bool; 2],
}

/// What the words of a choice may rest on: which of both it is, the secret, what was chosen before.
fn offered(looks: bool) -> impl Fn(&mut Game, &[Value]) -> Result<Value, Stop> {
    move |game, args| {
        let secret = match looks {
            true => game.get(entity(&args[0]), "secret")?.clone(),
            false => Value::None,
        };
        let before = args.last().cloned().unwrap_or_default();
        let choice = |value: &str| {
            let label = format!("{value}, {secret:?}, after {before:?}");
            Value::record([
                ("value", Value::text(value)),
                ("label", Value::text(&label)),
            ])
        };
        Ok(Value::record([
            ("domain", Value::text("choices")),
            ("choices", Value::list([choice("left"), choice("right")])),
        ]))
    }
}

/// A game in which a piece of red's acts, and holds a secret.
fn play(toy: &mut Toy, params: &[Told; 3], secret: i64) -> Play {
    let mut book = plain_book();
    let declared = PARAMS.map(|(name, rule)| (name, Type::Any, rule)).to_vec();
    let mut action = action("toy.choose", "toy.moving", Some("toy.piece"), declared);
    for (param, told) in action.params.iter_mut().zip(params) {
        param.share = told.share;
    }
    book.actions.insert(action.id.clone(), action);
    book.root = Some(name("toy.moving"));
    for ((_, rule), told) in PARAMS.into_iter().zip(params) {
        toy.rule(rule, offered(told.looks));
    }
    toy.rule("toy.choose.allowed", |_, _| yes());
    toy.rule("toy.choose.perform", |_, _| yes());
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(2), table, Chance::seeded(1));
    deploy(&mut game, 2);
    let world = game.world_mut();
    let red = world.find("red-1").unwrap();
    let slot = world.attribute(red, "secret").unwrap();
    world.set(red, slot, Value::Int(secret)).unwrap();
    let mut play = Play::start(game, toy).unwrap();
    play.take_events();
    play
}

fn word(chosen: bool) -> &'static str {
    if chosen { "left" } else { "right" }
}

/// Whether others are told what is chosen, whatever the domains look at.
fn is_own(told: &Told) -> bool {
    matches!(told.share, Some(Share::Owner | Share::Nobody))
}

/// What red does in one of two games that part in what only red may know.
fn events_of(params: &[Told; 3], game: usize) -> (Play, Vec<Event>) {
    let mut toy = Toy::new();
    let mut play = play(&mut toy, params, game as i64);
    let choices = PARAMS.into_iter().zip(params).map(|((param, _), told)| {
        let part = if is_own(told) { game } else { 0 };
        (param, Value::text(word(told.chosen[part])))
    });
    let input = Input::Act {
        by: RED,
        action: name("toy.choose"),
        actor: play.game().world().find("red-1"),
        params: Value::record(choices),
    };
    play.submit(&toy, &input).unwrap();
    let events = play.take_events();
    (play, events)
}

fn seen((play, events): &(Play, Vec<Event>), viewer: Viewer) -> Vec<SeenEvent> {
    play.game().show_events(viewer, events)
}

/// The words that somebody reads, by parameter.
fn read(game: &(Play, Vec<Event>), viewer: Viewer) -> BTreeMap<Name, Name> {
    let seen = seen(game, viewer);
    seen.into_iter().flat_map(|event| event.remarks).collect()
}

fn any_param() -> impl Strategy<Value = Told> {
    (
        prop::sample::select(&SHARES[..]),
        any::<bool>(),
        any::<[bool; 2]>(),
    )
        .prop_map(|(share, looks, chosen)| Told {
            share,
            looks,
            chosen,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Two games that part in a secret, or in what was chosen in secret, read the same to whoever
    /// may know neither; who acts and the referee read all words of what they are told.
    #[test]
    fn words_give_nothing_away(params in [any_param(), any_param(), any_param()]) {
        let both = [0, 1].map(|game| events_of(&params, game));
        for viewer in [Viewer::Side(BLUE), Viewer::Spectator] {
            prop_assert_eq!(seen(&both[0], viewer), seen(&both[1], viewer), "{:?}", viewer);
        }
        prop_assert_eq!(read(&both[0], Viewer::Referee).len(), 3);
        let is_reserved = |told: &Told| told.share == Some(Share::Nobody);
        let owned = params.iter().take_while(|told| !is_reserved(told)).count();
        prop_assert_eq!(read(&both[0], Viewer::Side(RED)).len(), owned);
    }
}

#[test]
fn words_that_rest_on_what_all_may_see_are_read_by_all() {
    let open = Told {
        share: None,
        looks: false,
        chosen: [true, true],
    };
    let game = events_of(&[open; 3], 0);
    for viewer in [
        Viewer::Referee,
        Viewer::Side(RED),
        Viewer::Side(BLUE),
        Viewer::Spectator,
    ] {
        let read = read(&game, viewer);
        assert_eq!(read.len(), 3, "{viewer:?}");
        assert!(read["params.first"].starts_with("left, "), "{read:?}");
    }
}

/// What the words of an answer rest on nobody notes: they are for whoever was asked.
#[test]
fn the_words_of_an_answer_are_for_whoever_was_asked() {
    let open = Told {
        share: None,
        looks: false,
        chosen: [true, true],
    };
    let mut toy = Toy::new();
    let mut play = play(&mut toy, &[open; 3], 0);
    toy.rule("toy.choose.perform", |game, _| {
        let choice = |value: i64, label: &str| Choice {
            value: Value::Int(value),
            label: name(label),
        };
        let of = [choice(1, "the hidden gun"), choice(2, "the mortar")];
        game.queue_answers([(name("toy.which"), Value::Int(1))]);
        game.ask(Question {
            id: name("toy.which"),
            text: name("With which?"),
            to: vec![(BLUE, Domain::choices_of(of))],
            is_secret: false,
            about: vec![],
            reveals: None,
        })?;
        yes()
    });
    let params = PARAMS.map(|(param, _)| (param, Value::text("left")));
    let input = Input::Act {
        by: RED,
        action: name("toy.choose"),
        actor: play.game().world().find("red-1"),
        params: Value::record(params),
    };
    play.submit(&toy, &input).unwrap();
    let events = play.take_events();
    let words = |viewer| {
        let seen = play.game().show_events(viewer, &events);
        let answer = seen
            .into_iter()
            .find(|event| &*event.kind == "answer")
            .unwrap();
        let value = answer
            .fields
            .iter()
            .find(|(name, _)| &**name == "value")
            .cloned();
        assert_eq!(
            value.unwrap().1,
            Some(Value::Int(1)),
            "all know what was answered"
        );
        answer.remarks
    };
    let hidden = vec![(name("value"), name("the hidden gun"))];
    assert_eq!(words(Viewer::Side(BLUE)), hidden);
    assert_eq!(words(Viewer::Referee), hidden);
    assert_eq!(words(Viewer::Side(RED)), []);
    assert_eq!(words(Viewer::Spectator), []);
}

/// An entity is offered by its name, and told by the name that each viewer has for it.
#[test]
fn what_a_value_says_by_itself_has_no_words() {
    let mut toy = Toy::new();
    let open = Told {
        share: None,
        looks: false,
        chosen: [true, true],
    };
    let play = play(&mut toy, &[open; 3], 0);
    let game = play.game();
    let red = game.world().find("red-1").unwrap();
    let choice = |value: Value, label: &str| Choice {
        value,
        label: name(label),
    };
    let of = |all: Vec<Choice>| Domain::choices_of(all);
    let entity = Value::Entity(red);
    let named = of(vec![choice(entity.clone(), "red-1")]);
    assert_eq!(game.offered_words(RED, &named, &entity), None);
    let other = of(vec![choice(entity.clone(), "red-1, the wreck")]);
    let words = game.offered_words(RED, &other, &entity);
    assert_eq!(words.as_deref(), Some("red-1, the wreck"));
    let several = |first: &str, second: &str| Domain::Several {
        of: [(1, first), (2, second)]
            .map(|(value, label)| choice(Value::Int(value), label))
            .into(),
        min: 0,
        max: 2,
        check: None,
    };
    let both = Value::list([Value::Int(2), Value::Int(1)]);
    let words = |domain| game.offered_words(RED, &domain, &both);
    assert_eq!(
        words(several("a gun", "a man")).as_deref(),
        Some("a man, a gun")
    );
    assert_eq!(
        words(several("a gun, hit", "a man")).as_deref(),
        Some("a man; a gun, hit")
    );
    assert_eq!(
        game.offered_words(RED, &several("a gun", "a man"), &Value::list([])),
        None
    );
}
