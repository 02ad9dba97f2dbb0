//! Decks in play: dealt in secret from what a side owns, taken back, brought
//! under other rules, and refused where they would tell.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::audience::Audience;
use kernel::book::Book;
use kernel::chance::{Chance, Script};
use kernel::chits::Composition;
use kernel::decision::Input;
use kernel::deck::{Deck, DeckId, DeckKind, End, Pile};
use kernel::engine::{Play, Rejected, SeenDeck};
use kernel::error::{Fault, FaultCode};
use kernel::event::Cause;
use kernel::game::{CardPick, Effects, Game, Guard, Onto};
use kernel::value::{Side, Value};
use kernel::world::{FirstViewers, Viewer, Viewers};

use support::rulebook::{book, dealt, hand, own, pack, plain_book, yes};
use support::{Toy, everything, name, refused, set_up, show_events, start};

const RED: Side = Side(0);
const BLUE: Side = Side(1);

fn planning(toy: &Toy) -> Play {
    let mut play = start(toy, 3, 2);
    let answer = Input::Answer {
        by: RED,
        question: name("toy.sure"),
        value: Value::Bool(true),
    };
    play.submit(toy, &answer).unwrap();
    play.take_events();
    play
}

fn act(play: &Play, by: Side, action: &str, actor: Option<&str>) -> Input {
    let actor = actor.map(|actor| play.game().world().find(actor).unwrap());
    Input::Act {
        by,
        action: name(action),
        actor,
        params: Value::None,
    }
}

fn fetch(play: &Play, by: Side) -> Input {
    act(play, by, "toy.fetch", None)
}

fn fault(play: &mut Play, toy: &Toy, input: &Input) -> Fault {
    let before = everything(play);
    match play.submit(toy, input) {
        Err(Rejected::Fault { fault, .. }) => {
            assert_eq!(
                everything(play),
                before,
                "a fault of {input:?} changed something"
            );
            fault
        }
        other => panic!("expected a fault of {input:?}, found {other:?}"),
    }
}

fn seen(play: &Play, viewer: Viewer, id: &DeckId) -> SeenDeck {
    let side = id.of.map(|side| play.game().side_name(side));
    let mut decks = play.game().view(viewer).decks.into_iter();
    decks
        .find(|deck| deck.deck == id.deck && deck.of == side)
        .unwrap()
}

/// Each side draws from its own, unseen, and in whatever order they come.
#[test]
fn a_hand_is_dealt_in_secret() {
    let toy = Toy::new();
    let mut outcomes = Vec::new();
    for order in [[RED, RED, BLUE], [RED, BLUE, RED], [BLUE, RED, RED]] {
        let mut play = planning(&toy);
        let others = [Viewer::Side(BLUE), Viewer::Spectator];
        let before = others.map(|viewer| seen(&play, viewer, &own(RED)));
        for by in order {
            play.submit(&toy, &fetch(&play, by)).unwrap();
        }
        assert_eq!(others.map(|viewer| seen(&play, viewer, &own(RED))), before);
        let events = play.take_events();
        assert!(!show_events(play.game(), Viewer::Side(BLUE), &events).contains("red"));
        assert!(show_events(play.game(), Viewer::Side(RED), &events).contains("cards=["));
        for by in [RED, BLUE] {
            play.submit(&toy, &Input::Done { by }).unwrap();
        }
        assert_eq!(play.game().deck(&own(RED)).unwrap().out(), 2);
        assert_eq!(
            hand(play.game(), play.game().world().find("red-1").unwrap())
                .unwrap()
                .len(),
            2
        );
        outcomes.push(play.hash());
    }
    assert!(outcomes.iter().all(|hash| *hash == outcomes[0]));
}

/// How many cards another side's deck holds is public here; while the phase
/// lasts it stays as it was before.
#[test]
fn a_public_size_stays_as_it_was_until_all_are_ready() {
    let mut toy = Toy::new();
    toy.rule("toy.walk.allowed", |_, _| yes());
    let mut plain = plain_book();
    plain.decks.get_mut("toy.own").unwrap().size = FirstViewers::All;
    let mut game = {
        let table = (
            kernel::geometry::Length::inches(48),
            kernel::geometry::Length::inches(48),
        );
        Game::new(Arc::new(plain), support::sides(2), table, Chance::seeded(3))
    };
    support::rulebook::deploy(&mut game, 2);
    let mut play = Play::start(game, &toy).unwrap();
    let answer = Input::Answer {
        by: RED,
        question: name("toy.sure"),
        value: Value::Bool(true),
    };
    play.submit(&toy, &answer).unwrap();
    let sizes = |play: &mut Play| {
        let shown = [
            Viewer::Side(RED),
            Viewer::Side(BLUE),
            Viewer::Spectator,
            Viewer::Referee,
        ]
        .map(|viewer| seen(play, viewer, &own(RED)).stock.size);
        // What rules that answer for a side are told is the same.
        let answered = [Viewer::Side(RED), Viewer::Side(BLUE)].map(|viewer| {
            let guard = play.game_mut().set_guard(Guard::answering(viewer));
            let size = play.game().deck_size(&own(RED), Pile::Stock).unwrap();
            play.game_mut().set_guard(guard);
            Some(size)
        });
        assert_eq!(answered, [shown[0], shown[1]]);
        shown.map(Option::unwrap)
    };
    assert_eq!(sizes(&mut play), [5, 5, 5, 5]);
    play.submit(&toy, &fetch(&play, RED)).unwrap();
    play.submit(&toy, &fetch(&play, RED)).unwrap();
    assert_eq!(sizes(&mut play), [3, 5, 5, 3]);
    for by in [RED, BLUE] {
        play.submit(&toy, &Input::Done { by }).unwrap();
    }
    assert_eq!(sizes(&mut play), [3, 3, 3, 3]);
}

#[test]
fn who_drew_or_looked_does_not_take_back_and_who_laid_down_does() {
    let mut toy = Toy::new();
    let mut play = planning(&toy);
    let take_back = Input::TakeBack { by: RED };
    play.submit(&toy, &fetch(&play, RED)).unwrap();
    assert!(refused(&mut play, &toy, &take_back).contains("cards were drawn"));
    let before = everything(&mut play);
    play.submit(&toy, &act(&play, RED, "toy.drop", Some("red-1")))
        .unwrap();
    assert_ne!(everything(&mut play), before);
    assert_eq!(play.game().deck(&own(RED)).unwrap().size(Pile::Discard), 1);
    play.submit(&toy, &take_back).unwrap();
    assert_eq!(everything(&mut play), before);

    type Act = fn(&mut Game) -> Result<(), Fault>;
    let acts: [Act; 3] = [
        |game| game.deck_cards(&own(RED), Pile::Stock).map(|_| ()),
        |game| game.shuffle_deck(&own(RED), Cause::default()),
        |game| {
            let card = game.deck_cards(&own(RED), Pile::Stock)?[0].clone();
            game.take_cards(
                &own(RED),
                CardPick::Found(&card),
                &Audience::default(),
                Cause::default(),
            )
            .map(|_| ())
        },
    ];
    for act in acts {
        toy.rule("toy.scout.perform", move |game, _| {
            act(game)?;
            yes()
        });
        play.submit(&toy, &self::act(&play, RED, "toy.scout", None))
            .unwrap();
        assert!(refused(&mut play, &toy, &take_back).contains("stays"));
    }
}

/// The order in which the sides come must not decide who gets what.
#[test]
fn a_deck_that_is_shared_is_not_dealt_from_in_secret() {
    type Act = fn(&mut Game, &DeckId) -> Result<(), Fault>;
    let acts: [Act; 4] = [
        |game, id| {
            game.take_cards(
                id,
                CardPick::Drawn(1, End::Top),
                &Audience::default(),
                Cause::default(),
            )
            .map(|_| ())
        },
        |game, id| game.put_cards(id, &[], Onto::Discard),
        |game, id| game.gather_cards(id),
        |game, id| game.shuffle_deck(id, Cause::default()),
    ];
    for (act, id) in acts
        .into_iter()
        .flat_map(|act| [(act, pack()), (act, own(BLUE))])
    {
        let mut toy = Toy::new();
        let whose = id.clone();
        toy.rule("toy.scout.perform", move |game, _| {
            act(game, &id)?;
            yes()
        });
        let mut play = planning(&toy);
        let input = self::act(&play, RED, "toy.scout", None);
        let fault = fault(&mut play, &toy, &input);
        assert_eq!(fault.code, FaultCode::NotYours);
        assert!(
            fault
                .message
                .contains("expected a deck of side `red` in its secret phase"),
            "{fault}"
        );
        assert_eq!(fault.message.contains("the table's"), whose.of.is_none());
        assert!(fault.hint.clone().unwrap().contains("`of: Side`"));
    }
}

/// What a step in a secret phase may look at: its own, and what all see.
#[test]
fn a_step_on_a_pad_looks_into_its_own_deck_alone() {
    let mut toy = Toy::new();
    toy.rule("toy.scout.perform", |game, args| {
        let me = support::rulebook::side_of(game, &args[0]);
        game.deck_cards(&own(me), Pile::Stock)?;
        game.deck_size(&own(me), Pile::Discard)?;
        game.deck_size(&pack(), Pile::Stock)?;
        let theirs = Side(1 - me.0);
        for hidden in [
            game.deck_cards(&own(theirs), Pile::Stock).map(|_| ()),
            game.deck_cards(&pack(), Pile::Stock).map(|_| ()),
            game.deck_size(&own(theirs), Pile::Stock).map(|_| ()),
            game.deck_cards(&own(theirs), Pile::Discard).map(|_| ()),
        ] {
            assert_eq!(hidden.unwrap_err().code, FaultCode::HiddenRead);
        }
        yes()
    });
    let mut play = planning(&toy);
    play.submit(&toy, &act(&play, BLUE, "toy.scout", None))
        .unwrap();
}

/// One card, from the top.
const ONE: CardPick<'static> = CardPick::Drawn(1, End::Top);

/// Each of these takes nothing: it is a fault that says why, and nothing changes.
fn takes_nothing(game: &mut Game, cases: &[(&DeckId, CardPick<'_>, FaultCode, &str)]) {
    let before = game.hash();
    for (id, taken, code, message) in cases {
        let fault = game
            .take_cards(id, *taken, &Audience::default(), Cause::default())
            .unwrap_err();
        assert_eq!(fault.code, *code, "{fault}");
        assert!(fault.message.contains(*message), "{fault}");
        assert_eq!(game.hash(), before);
    }
}

#[test]
fn a_deck_that_is_not_there_is_a_fault_that_says_so() {
    let mut game = set_up(1, 2);
    let no_such = DeckId {
        deck: name("toy.pakc"),
        of: None,
    };
    let (sideless, strange) = (
        DeckId {
            of: None,
            ..own(RED)
        },
        own(Side(7)),
    );
    let tables = DeckId {
        of: Some(RED),
        ..pack()
    };
    let cases = [
        (
            &no_such,
            ONE,
            FaultCode::UnknownPot,
            "no mod declares the deck `toy.pakc`",
        ),
        (
            &sideless,
            ONE,
            FaultCode::UnknownPot,
            "expected the side whose deck `toy.own` is meant",
        ),
        (
            &strange,
            ONE,
            FaultCode::UnknownPot,
            "one of red, blue, to have a deck `toy.own`, found number 7",
        ),
        (
            &tables,
            ONE,
            FaultCode::UnknownPot,
            "expected no side, for the deck `toy.pack` is the table's",
        ),
    ];
    takes_nothing(&mut game, &cases);
    let fault = game
        .take_cards(&no_such, ONE, &Audience::default(), Cause::default())
        .unwrap_err();
    assert_eq!(fault.hint.as_deref(), Some("did you mean `toy.pack`?"));
}

#[test]
fn what_a_deck_does_not_have_is_a_fault_that_says_so() {
    let mut game = set_up(1, 2);
    let draw = |count| CardPick::Drawn(count, End::Top);
    let (pack, reds) = (pack(), own(RED));
    let cases = [
        (
            &pack,
            draw(9),
            FaultCode::BadPot,
            "expected a deck with 9 or more cards to draw, found 8",
        ),
        (
            &pack,
            CardPick::Found("q"),
            FaultCode::BadPot,
            "expected a card of this deck, found `q`",
        ),
        (&reds, draw(u32::MAX), FaultCode::BadPot, "found 5"),
    ];
    takes_nothing(&mut game, &cases);
}

#[test]
fn cards_that_are_not_out_are_not_put_back() {
    let mut game = set_up(1, 2);
    let before = game.hash();
    for onto in [
        Onto::Stock(End::Top),
        Onto::Stock(End::Bottom),
        Onto::Discard,
    ] {
        let fault = game.put_cards(&pack(), &[name("a")], onto).unwrap_err();
        assert!(
            fault.message.contains("found `a`, of which no more are"),
            "{fault}"
        );
    }
    assert_eq!(game.hash(), before);
}

#[test]
fn a_deck_is_shuffled_neither_by_a_script_nor_by_who_only_reads() {
    let mut game = set_up(1, 2);
    let before = game.hash();
    game.set_chance(Chance::scripted(Script::default()));
    let fault = game.shuffle_deck(&pack(), Cause::default()).unwrap_err();
    assert_eq!(fault.code, FaultCode::ScriptedDice);
    assert_eq!(game.hash(), before);
    let answering = Guard {
        effects: Effects::READS,
        ..Guard::STEP
    };
    game.set_guard(answering);
    let fault = game.shuffle_deck(&pack(), Cause::default()).unwrap_err();
    assert_eq!(fault.code, FaultCode::NotAllowed);
}

/// Those to whom it is dealt see which card; who may count sees how many; the
/// rest see that something was drawn.
#[test]
fn a_deal_keeps_its_shape() {
    let mut game = set_up(1, 3);
    let green = Viewer::Side(Side(2));
    let [red, blue] = [RED, BLUE].map(Viewer::Side);
    let draw = |game: &mut Game, id: &DeckId, to: Audience| {
        game.take_cards(id, CardPick::Drawn(2, End::Top), &to, Cause::default())
            .unwrap();
        let events = game.take_events();
        [red, blue, green, Viewer::Spectator, Viewer::Referee].map(|viewer| {
            let event = game.show_events(viewer, &events).pop().unwrap();
            let is_shown = |field: &str| {
                event
                    .fields
                    .iter()
                    .any(|(name, value)| &**name == field && value.is_some())
            };
            (is_shown("count"), is_shown("cards"))
        })
    };
    let (all, count, none) = ((true, true), (true, false), (false, false));
    assert_eq!(
        draw(&mut game, &pack(), dealt(Viewers::side(BLUE))),
        [count, all, count, count, all]
    );
    assert_eq!(
        draw(&mut game, &pack(), Audience::default()),
        [count, count, count, count, all],
        "nobody sees the stock"
    );
    assert_eq!(draw(&mut game, &pack(), dealt(Viewers::ALL)), [all; 5]);
    assert_eq!(
        draw(&mut game, &own(RED), dealt(Viewers::side(RED))),
        [all, none, none, none, all]
    );
}

/// Told to one side alone, it is not there for the others.
#[test]
fn a_deal_that_is_whispered_is_there_for_one_side_alone() {
    let mut game = set_up(1, 3);
    game.take_events();
    let whisper = Audience::to(Viewers::side(BLUE));
    let cards = game
        .take_cards(
            &pack(),
            CardPick::Drawn(1, End::Top),
            &whisper,
            Cause::default(),
        )
        .unwrap();
    let events = game.take_events();
    assert!(game.show_events(Viewer::Side(RED), &events).is_empty());
    let seen = game.show_events(Viewer::Side(BLUE), &events);
    assert_eq!(
        seen[0].fields.last().unwrap().1,
        Some(Value::list(cards.iter().cloned().map(Value::Text)))
    );
    game.put_cards(&pack(), &cards, Onto::Stock(End::Top))
        .unwrap();
}

#[test]
fn a_deal_does_not_share_a_field_that_it_lacks() {
    let mut game = set_up(1, 3);
    let stranger = Audience::default().only("cadrs", Viewers::ALL);
    let fault = game
        .take_cards(
            &pack(),
            CardPick::Drawn(1, End::Top),
            &stranger,
            Cause::default(),
        )
        .unwrap_err();
    assert!(fault.message.contains("found `cadrs`"), "{fault}");
}

#[test]
fn a_shuffle_of_a_deck_whose_size_is_hidden_has_no_numbers_of_draws() {
    let mut game = set_up(1, 3);
    // Two are left in the pack, which one draw puts in order.
    game.take_cards(
        &pack(),
        CardPick::Drawn(6, End::Top),
        &Audience::default(),
        Cause::default(),
    )
    .unwrap();
    game.take_events();
    for (id, draws) in [(pack(), Some((1, 1))), (own(BLUE), None)] {
        game.shuffle_deck(&id, Cause::default()).unwrap();
        let events = game.take_events();
        let seen = game.show_events(Viewer::Side(RED), &events);
        assert_eq!(seen[0].draws, draws);
    }
}

fn with_cards(cards: [(&str, u32); 3], is_each: bool) -> Arc<Book> {
    let mut plain = plain_book();
    let mut kind = DeckKind::new(Composition::new(cards).unwrap()).unwrap();
    kind.is_each = is_each;
    plain.decks.insert(name("toy.own"), kind);
    Arc::new(plain)
}

#[test]
fn a_deck_is_brought_under_other_rules() {
    let toy = Toy::new();
    let mut play = planning(&toy);
    let before = play
        .game()
        .deck(&own(RED))
        .unwrap()
        .cards(Pile::Stock)
        .cloned()
        .collect::<Vec<_>>();
    play.submit(&toy, &fetch(&play, RED)).unwrap();
    play.submit(&toy, &act(&play, RED, "toy.drop", Some("red-1")))
        .unwrap();
    let hash = play.hash();
    play.adopt(&toy, &book()).unwrap();
    assert_eq!(play.hash(), hash, "the same cards lie as they lay");

    let more = with_cards([("x", 2), ("y", 3), ("z", 2)], true);
    play.adopt(&toy, &more).unwrap();
    let deck = play.game().deck(&own(RED)).unwrap();
    assert_eq!(
        deck.cards(Pile::Stock).take(4).cloned().collect::<Vec<_>>(),
        before[1..]
    );
    assert_eq!(
        (deck.size(Pile::Stock), deck.size(Pile::Discard), deck.out()),
        (6, 1, 0)
    );
    // What is noted to be taken back is made of these cards too.
    play.submit(&toy, &Input::TakeBack { by: RED }).unwrap();
    let deck = play.game().deck(&own(RED)).unwrap();
    assert_eq!(
        (deck.size(Pile::Stock), deck.size(Pile::Discard), deck.out()),
        (6, 0, 1)
    );
}

#[test]
fn a_deck_is_not_brought_under_rules_that_lack_what_is_out_of_it() {
    let toy = Toy::new();
    let mut play = planning(&toy);
    let stock = play.game().deck(&own(RED)).unwrap();
    let out = stock.cards(Pile::Stock).next().unwrap().clone();
    play.submit(&toy, &fetch(&play, RED)).unwrap();
    let more = with_cards([("x", 2), ("y", 3), ("z", 2)], true);
    play.adopt(&toy, &more).unwrap();
    let fewer = ["x", "y", "z"].map(|card| (card, u32::from(card != &*out)));
    let fault = play
        .clone()
        .adopt(&toy, &with_cards(fewer, true))
        .unwrap_err();
    assert_eq!(fault.code, FaultCode::BadPot);
    assert!(
        fault
            .message
            .contains(&format!("at least as many `{out}` as are out of it")),
        "{fault}"
    );
    let shared = with_cards([("x", 2), ("y", 3), ("z", 2)], false);
    let fault = play.clone().adopt(&toy, &shared).unwrap_err();
    assert!(
        fault
            .message
            .contains("to be the table's or the sides' as before"),
        "{fault}"
    );
    // A deck of which nothing is out may change hands.
    let mut unused = planning(&toy);
    unused.adopt(&toy, &shared).unwrap();
    assert_eq!(
        unused
            .game()
            .deck(&DeckId {
                of: None,
                ..own(RED)
            })
            .unwrap()
            .out(),
        0
    );
}

#[test]
fn a_deck_is_put_down_as_it_shall_lie() {
    let mut game = set_up(1, 2);
    let kind = game.book().decks["toy.pack"].clone();
    let stacked = Deck::lying(&kind, ["c", "a"], ["b"]).unwrap();
    game.set_deck(&pack(), stacked.clone()).unwrap();
    assert_eq!(game.deck(&pack()), Ok(&stacked));
    assert_eq!(
        game.set_deck(&own(RED), stacked).unwrap_err().code,
        FaultCode::BadPot
    );
    let drawn = game
        .take_cards(
            &pack(),
            CardPick::Drawn(2, End::Top),
            &Audience::default(),
            Cause::default(),
        )
        .unwrap();
    assert_eq!(drawn, ["c", "a"].map(name));
}
