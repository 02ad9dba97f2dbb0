//! Who is told what: rolls, draws and events by their audience, parameters by
//! what their domains read, and what a watched game tells too widely.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::audience::{Audience, Share, Widening};
use kernel::book::Action;
use kernel::chance::Chance;
use kernel::decision::{Domain, Input, Question};
use kernel::deck::Pile;
use kernel::dice::Die;
use kernel::engine::{Play, SeenEvent};
use kernel::error::{Fault, FaultCode};
use kernel::event::{Cause, Event};
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{EntityId, Side, Type, Value};
use kernel::world::{Viewer, Viewers};

use support::rulebook::{action, deploy, entity, own, plain_book, yes};
use support::{Toy, name, set_up, sides};

const RED: Side = Side(0);
const BLUE: Side = Side(1);

fn seen(game: &Game, viewer: Viewer, events: &[Event], kind: &str) -> Vec<SeenEvent> {
    game.show_events(viewer, events)
        .into_iter()
        .filter(|event| &*event.kind == kind)
        .collect()
}

fn words(event: &SeenEvent) -> Vec<String> {
    let word = |(name, value): &(_, Option<Value>)| {
        format!("{name}{}", if value.is_some() { "" } else { "?" })
    };
    event.fields.iter().map(word).collect()
}

fn dice(count: usize) -> Vec<Die> {
    vec![Die::new(6).unwrap(); count]
}

#[test]
fn a_roll_is_told_to_its_audience_alone() {
    let mut game = set_up(1, 2);
    let to_red = Audience::to(Viewers::side(RED));
    game.roll(&dice(3), "watch", &to_red, Cause::default())
        .unwrap();
    game.roll(&dice(1), "open", &Audience::default(), Cause::default())
        .unwrap();
    let held = Audience::default().only("chits", Viewers::side(BLUE));
    game.draw("toy.pot", 2, false, &held, Cause::default())
        .unwrap();
    game.roll(&dice(1), "last", &Audience::default(), Cause::default())
        .unwrap();
    let events = game.take_events();
    let rolls = |viewer| -> Vec<_> {
        seen(&game, viewer, &events, "roll")
            .iter()
            .map(|event| event.draws.unwrap())
            .collect()
    };
    assert_eq!(
        rolls(Viewer::Side(RED)),
        [(1, 3), (4, 4), (5, 5)],
        "two draws of blue's are not counted"
    );
    assert_eq!(rolls(Viewer::Side(BLUE)), [(1, 1), (4, 4)]);
    assert_eq!(rolls(Viewer::Spectator), [(1, 1), (2, 2)]);
    for (viewer, shown, draws) in [
        (Viewer::Side(BLUE), vec!["pot", "chits"], Some((2, 3))),
        (Viewer::Side(RED), vec!["pot", "chits?"], None),
        (Viewer::Spectator, vec!["pot", "chits?"], None),
    ] {
        let chits = seen(&game, viewer, &events, "chits");
        assert_eq!(
            (words(&chits[0]), chits[0].draws),
            (shown.iter().map(ToString::to_string).collect(), draws)
        );
    }
}

#[test]
fn a_field_that_is_not_there_has_no_audience() {
    let mut game = set_up(1, 2);
    let wrong = Audience::default().only("face", Viewers::side(RED));
    let fault = game
        .roll(&dice(1), "x", &wrong, Cause::default())
        .unwrap_err();
    assert_eq!(fault.code, FaultCode::WrongType);
    let fault = game
        .emit("toy.hit", [].into(), &wrong, Cause::default())
        .unwrap_err();
    assert!(fault.hint.clone().unwrap().contains("`who`"));
}

/// Where red's pieces choose `much`, which rests on what only red may see, and
/// then `wide`, which rests on what everybody sees; `spare` is not asked for.
fn play(toy: &mut Toy, share: Option<Share>, reveals: Option<&str>, watched: bool) -> Play {
    play_of(toy, (None, share), reveals, watched)
}

/// The same, where the action as a whole has an audience.
fn play_with(toy: &mut Toy, share: Option<Share>) -> Play {
    play_of(toy, (share, None), None, false)
}

fn play_of(
    toy: &mut Toy,
    (whole, share): (Option<Share>, Option<Share>),
    reveals: Option<&str>,
    watched: bool,
) -> Play {
    let mut book = plain_book();
    let params = ["much", "spare", "wide"]
        .map(|text| (text, Type::Any, text))
        .to_vec();
    let mut action: Action = action("toy.choose", "toy.moving", Some("toy.piece"), params);
    for param in &mut action.params {
        param.domain = name(&format!("toy.choose.{}", param.name));
    }
    action.share = whole;
    action.params[2].share = share;
    action.params[2].reveals = reveals.map(name);
    book.actions.insert(action.id.clone(), action);
    book.root = Some(name("toy.moving"));
    let numbers = || Value::record([("domain", Value::text("integer")), ("max", Value::Int(9))]);
    toy.rule("toy.choose.much", move |game, args| {
        game.get(entity(&args[0]), "secret")?;
        Ok(numbers())
    });
    toy.rule("toy.choose.spare", |_, _| Ok(Value::None));
    toy.rule("toy.choose.wide", move |game, args| {
        game.get(entity(&args[0]), "at")?;
        Ok(numbers())
    });
    toy.rule("toy.choose.allowed", |_, _| yes());
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(2), table, Chance::seeded(1));
    deploy(&mut game, 2);
    if watched {
        game.watch_audiences();
    }
    let mut play = Play::start(game, toy).unwrap();
    play.take_events();
    play
}

fn choose(play: &mut Play, toy: &Toy) -> Vec<Event> {
    let actor = play.game().world().find("red-1");
    let params = Value::record([("much", Value::Int(7)), ("wide", Value::Int(3))]);
    play.submit(
        toy,
        &Input::Act {
            by: RED,
            action: name("toy.choose"),
            actor,
            params,
        },
    )
    .unwrap();
    play.take_events()
}

fn shown_params(play: &Play, viewer: Viewer, events: &[Event]) -> (Value, Vec<String>) {
    let action = seen(play.game(), viewer, events, "action").remove(0);
    let params = action.fields.iter().find(|(name, _)| &**name == "params");
    let hidden = words(&action)
        .into_iter()
        .filter(|word| word.ends_with('?'));
    (params.unwrap().1.clone().unwrap(), hidden.collect())
}

fn record(fields: &[(&str, i64)]) -> Value {
    Value::record(
        fields
            .iter()
            .map(|(name, value)| (*name, Value::Int(*value))),
    )
}

#[test]
fn a_parameter_is_told_to_those_who_may_see_what_it_rests_on() {
    let mut toy = Toy::new();
    toy.rule("toy.choose.perform", |_, _| yes());
    let hidden = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("params.{name}?")).collect()
    };
    let all = record(&[("much", 7), ("wide", 3)]);

    let mut game = play(&mut toy, None, None, false);
    let events = choose(&mut game, &toy);
    for viewer in [Viewer::Referee, Viewer::Side(RED)] {
        assert_eq!(
            shown_params(&game, viewer, &events),
            (all.clone(), vec![]),
            "{viewer:?}"
        );
    }
    for viewer in [Viewer::Side(BLUE), Viewer::Spectator] {
        let nothing = (record(&[]), hidden(&["much", "spare", "wide"]));
        assert_eq!(
            shown_params(&game, viewer, &events),
            nothing,
            "{viewer:?}, asked for or not"
        );
    }

    let mut game = play(&mut toy, Some(Share::All), None, false);
    let events = choose(&mut game, &toy);
    let wide = (record(&[("wide", 3)]), hidden(&["much", "spare"]));
    assert_eq!(shown_params(&game, Viewer::Side(BLUE), &events), wide);

    let mut game = play(&mut toy, Some(Share::Nobody), None, false);
    let events = choose(&mut game, &toy);
    let own = (record(&[("much", 7)]), hidden(&["wide"]));
    assert_eq!(shown_params(&game, Viewer::Side(RED), &events), own);
    assert_eq!(shown_params(&game, Viewer::Referee, &events), (all, vec![]));
}

/// Which action it is may be told to its side alone.
#[test]
fn an_action_is_told_to_its_audience() {
    let mut toy = Toy::new();
    toy.rule("toy.choose.perform", |_, _| yes());
    for (share, sees) in [
        (None, true),
        (Some(Share::All), true),
        (Some(Share::Owner), false),
    ] {
        let mut game = play_with(&mut toy, share);
        let events = choose(&mut game, &toy);
        let action = |viewer| words(&seen(game.game(), viewer, &events, "action")[0]);
        assert_eq!(
            action(Viewer::Side(RED)),
            ["by", "action", "title", "actor", "params"],
            "{share:?}"
        );
        let blue = action(Viewer::Side(BLUE));
        let something = ["by", "action?", "title?", "actor?", "params?"];
        assert_eq!(blue != something, sees, "{share:?}: {blue:?}");
    }
}

fn found(play: &Play) -> Vec<(String, Vec<String>)> {
    let cells = |widening: &Widening| widening.cells.iter().map(ToString::to_string).collect();
    play.game()
        .widenings()
        .map(|widening| (widening.subject.to_string(), cells(widening)))
        .collect()
}

#[test]
fn a_parameter_that_is_told_too_widely_is_found() {
    let mut toy = Toy::new();
    toy.rule("toy.choose.perform", |_, _| yes());
    for (share, reveals, expected) in [
        (
            Some(Share::All),
            None,
            vec![("wide".to_string(), vec!["toy.piece.secret".to_string()])],
        ),
        (Some(Share::All), Some("it is said aloud"), vec![]),
        (Some(Share::Owner), None, vec![]),
        (None, None, vec![]),
    ] {
        let mut game = play(&mut toy, share, reveals, true);
        choose(&mut game, &toy);
        assert_eq!(found(&game), expected, "{share:?} {reveals:?}");
    }
}

/// What happens after a hidden read, and whether that is too wide.
type After = (
    &'static str,
    bool,
    fn(&mut Game, EntityId) -> Result<(), Fault>,
);

const AFTER: [After; 9] = [
    ("a roll for all", true, |game, _| {
        roll(game, &Audience::default())
    }),
    ("a roll for its owner", false, |game, _| {
        roll(game, &Audience::to(Viewers::side(RED)))
    }),
    ("a roll for the others", true, |game, _| {
        roll(game, &Audience::to(Viewers::side(BLUE)))
    }),
    ("a roll whose faces are its owner's", true, |game, _| {
        roll(game, &Audience::default().only("faces", Viewers::side(RED)))
    }),
    ("a roll that says what it reveals", false, |game, _| {
        roll(
            game,
            &Audience {
                reveals: Some(name("by the rule")),
                ..Audience::default()
            },
        )
    }),
    ("a roll of a rule that says so", false, |game, _| {
        let cause = Cause {
            reveals: Some(name("by the rule")),
            ..Cause::default()
        };
        game.roll(&dice(1), "x", &Audience::default(), cause)
            .map(|_| ())
    }),
    ("a roll once all may see it", false, |game, piece| {
        game.show(piece, Some("secret"), Viewers::ALL)?;
        roll(game, &Audience::default())
    }),
    ("an event", true, |game, _| {
        game.emit("toy.hit", [].into(), &Audience::default(), Cause::default())
    }),
    ("a question", true, |game, _| {
        let to = vec![(BLUE, Domain::yes_no())];
        let (id, text) = (name("toy.sure"), name("Sure?"));
        let question = Question {
            id,
            text,
            to,
            is_secret: false,
            about: vec![],
            reveals: None,
        };
        game.queue_answers([(name("toy.sure"), Value::Bool(true))]);
        game.ask(question).map(|_| ())
    }),
];

fn roll(game: &mut Game, audience: &Audience) -> Result<(), Fault> {
    game.roll(&dice(1), "x", audience, Cause::default())
        .map(|_| ())
}

#[test]
fn what_a_step_tells_after_a_hidden_read_is_found() {
    for (what, is_wide, after) in AFTER {
        for reads in [true, false] {
            let mut toy = Toy::new();
            toy.rule("toy.choose.perform", move |game, args| {
                let piece = entity(&args[0]);
                if reads {
                    game.get(piece, "secret")?;
                }
                Ok(after(game, piece).map(|()| Value::None)?)
            });
            let mut game = play(&mut toy, None, None, true);
            choose(&mut game, &toy);
            assert_eq!(
                !found(&game).is_empty(),
                is_wide && reads,
                "{what}, after a read: {reads}"
            );
        }
    }
}

/// That somebody is there, and what he is called, may be hidden too.
#[test]
fn existence_and_names_are_read_too() {
    for (kind, cell) in [
        ("toy.shadow", "that there is a toy.shadow"),
        ("toy.flag", "toy.flag.name"),
    ] {
        let mut toy = Toy::new();
        toy.rule("toy.choose.perform", move |game, _| {
            for entity in game.entities(kind)? {
                game.known_name(entity)?;
            }
            Ok(roll(game, &Audience::default()).map(|()| Value::None)?)
        });
        let mut game = play(&mut toy, None, None, true);
        choose(&mut game, &toy);
        assert!(
            found(&game)
                .iter()
                .any(|(_, cells)| cells.iter().any(|one| one == cell)),
            "{:?}",
            found(&game)
        );
    }
}

/// A look into a deck is a read of those who may see what lies there.
#[test]
fn a_look_into_a_deck_is_a_read() {
    type Look = fn(&mut Game) -> Result<(), Fault>;
    let looks: [(Look, &str); 2] = [
        (
            |game| game.deck_cards(&own(RED), Pile::Stock).map(|_| ()),
            "the cards of the stock of toy.own",
        ),
        (
            |game| game.deck_size(&own(RED), Pile::Stock).map(|_| ()),
            "how many cards are in the stock of toy.own",
        ),
    ];
    for (look, cell) in looks {
        let mut toy = Toy::new();
        toy.rule("toy.choose.perform", move |game, _| {
            look(game)?;
            Ok(roll(game, &Audience::default()).map(|()| Value::None)?)
        });
        let mut game = play(&mut toy, None, None, true);
        choose(&mut game, &toy);
        assert_eq!(found(&game), [("roll".to_string(), vec![cell.to_string()])]);
    }
}

/// So a parameter whose domain looks into a deck of the side's own is told to
/// that side alone.
#[test]
fn a_parameter_that_rests_on_a_hidden_deck_is_its_owners() {
    for looks in [false, true] {
        let mut toy = Toy::new();
        toy.rule("toy.choose.perform", |_, _| yes());
        let mut game = play(&mut toy, None, None, false);
        toy.rule("toy.choose.much", move |game, args| {
            let side = game.world().owner(entity(&args[0])).unwrap();
            if looks {
                game.deck_size(&own(side), Pile::Stock)?;
            }
            Ok(Value::record([
                ("domain", Value::text("integer")),
                ("max", Value::Int(9)),
            ]))
        });
        let events = choose(&mut game, &toy);
        let (_, hidden) = shown_params(&game, Viewer::Side(BLUE), &events);
        assert_eq!(hidden.len(), if looks { 3 } else { 0 }, "{hidden:?}");
    }
}

/// To watch changes nothing of the game.
#[test]
fn who_watches_changes_nothing() {
    let mut toy = Toy::new();
    toy.rule("toy.choose.perform", |game, args| {
        game.get(entity(&args[0]), "secret")?;
        Ok(roll(game, &Audience::default()).map(|()| Value::None)?)
    });
    let both = [false, true].map(|watched| {
        let mut game = play(&mut toy, None, None, watched);
        let events = choose(&mut game, &toy);
        (events, game.hash())
    });
    assert_eq!(both[0], both[1]);
}
