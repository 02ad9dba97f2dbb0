//! The view law: two states that differ only in what a viewer may not know
//! give that viewer the same bytes. And the proof that this check sees leaks.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::collections::BTreeMap;

use kernel::audience::Audience;
use kernel::chance::BotChance;
use kernel::decision::{Domain, Input};
use kernel::deck::{Deck, DeckId, End, Pile};
use kernel::engine::{Play, Rejected};
use kernel::event::Cause;
use kernel::game::CardPick;
use kernel::record::{decode, encode};
use kernel::value::{Side, Value};
use kernel::world::{Viewer, Viewers};

use support::rulebook::{ask, choices, dealt, entity, int, no, own, pack, yes};
use support::{Toy, choose, hostile, name, set_up, show_events, show_prompt, show_view};

const RED: Side = Side(0);
const BLUE: Side = Side(1);

/// The game with other hidden facts: what blue keeps from red, and what
/// nobody sees.
fn other_secrets(seed: u64) -> kernel::game::Game {
    let mut game = set_up(seed, 2);
    let world = game.world_mut();
    for entity in world.all().collect::<Vec<_>>() {
        let is_blue = world.owner(entity) == Some(BLUE);
        let kind = world.kind(entity).unwrap().id.clone();
        let hidden: &[&str] = match (&*kind, is_blue) {
            ("toy.piece", true) => &["secret", "plan", "worn"],
            ("toy.piece", false) => &["worn"],
            ("toy.flag", _) => &["worth"],
            ("toy.shadow", true) => &["at"],
            _ => &[],
        };
        for attribute in hidden {
            let slot = world.attribute(entity, attribute).unwrap();
            world.set(entity, slot, Value::Int(7)).unwrap();
        }
    }
    // An entity more, whose existence red may not know of.
    let shadow = world.schema().require("toy.shadow").unwrap();
    let side = (name("side"), Value::text("blue"));
    world.create(shadow, "a-second-shadow", &[side]).unwrap();
    game
}

/// Other cards where red may not look: on blue's hands, in blue's own deck, in
/// the pack from which only blue deals.
fn other_cards(play: &mut Play) {
    let game = play.game_mut();
    let mut decks: Vec<(DeckId, Deck)> = game
        .decks()
        .map(|(id, deck)| (id.clone(), deck.clone()))
        .collect();
    decks.retain(|(id, _)| id.of != Some(RED));
    for (id, deck) in decks {
        let kind = game.book().decks[&id.deck].clone();
        let lies = |pile| {
            deck.cards(pile)
                .map(|card| card.to_string())
                .collect::<Vec<_>>()
        };
        let (stock, discard) = (lies(Pile::Stock), lies(Pile::Discard));
        let turned = Deck::lying(
            &kind,
            stock.iter().rev().map(String::as_str),
            discard.iter().rev().map(String::as_str),
        );
        game.set_deck(&id, turned.unwrap()).unwrap();
    }
}

/// What red gets of a game.
fn bytes(play: &mut Play, toy: &Toy) -> Result<String, String> {
    let events = play.take_events();
    let mut text = String::new();
    for viewer in [Viewer::Side(RED), Viewer::Spectator] {
        let game = play.game();
        text += &format!("{}\n{}\n", show_view(game, viewer), game.view_hash(viewer));
        text += &show_events(game, viewer, &events);
        text += &show_events(game, viewer, game.open_events());
    }
    text += &show_prompt(play, toy, RED).map_err(|fault| fault.to_string())?;
    for nonsense in hostile(RED) {
        match play.submit(toy, &nonsense) {
            Err(Rejected::Refusal(refusal)) => text += &format!("\n{refusal}"),
            other => return Err(format!("{nonsense:?}: {other:?}")),
        }
    }
    Ok(text)
}

/// Plays both games with the same inputs; the first place where red could
/// tell them apart, or where the kernel stopped a rule that tells.
fn difference(toy: &Toy, seed: u64, turns: usize) -> Option<String> {
    let begin = |game| Play::start(game, toy).map_err(|fault| fault.to_string());
    let (mut one, mut other) = match (begin(set_up(seed, 2)), begin(other_secrets(seed))) {
        (Ok(one), Ok(other)) => (one, other),
        (a, b) => return Some(format!("{:?} {:?}", a.err(), b.err())),
    };
    let mut bot = BotChance::new(seed, 5);
    let mut other_is_dealt = false;
    for turn in 0..turns {
        if !other_is_dealt && other.wanted().sides().len() > 1 {
            other_is_dealt = true;
            other_cards(&mut other);
        }
        match (bytes(&mut one, toy), bytes(&mut other, toy)) {
            (Ok(a), Ok(b)) if a == b => {}
            (Ok(a), Ok(b)) => {
                let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
                return Some(format!("turn {turn}: {line:?}"));
            }
            (a, b) => return Some(format!("{:?} {:?}", a.err(), b.err())),
        }
        let input = choose(&mut one, toy, &mut bot)?;
        let line = encode(&input, one.game().world());
        let Ok(same) = decode(&line, other.game().world()) else {
            return Some(line);
        };
        match (one.submit(toy, &input), other.submit(toy, &same)) {
            (Ok(()), Ok(())) => {}
            (a, b) => return Some(format!("{line}: {a:?} {b:?}")),
        }
    }
    None
}

/// The toy without the rules that reveal, on purpose, what is hidden: blue's
/// plans stay away from what everybody sees.
fn discreet() -> Toy {
    let mut toy = Toy::new();
    toy.rule("toy.plan.allowed", |_, _| yes());
    toy
}

fn revealing(input: &Input) -> bool {
    matches!(input, Input::Answer { question, .. } if &**question == "toy.take")
}

#[test]
fn what_is_hidden_changes_nothing_that_a_viewer_gets() {
    let mut toy = discreet();
    // Without the show in a raid, which tells one secret after the other.
    toy.rule("toy.raid.allowed", |_, _| no("the raiders rest"));
    for seed in 0..30 {
        let found = difference(&toy, seed, 150);
        assert_eq!(found, None, "seed {seed}");
    }
    assert!(!revealing(&Input::Done { by: RED }));
}

#[test]
fn raids_and_their_questions_keep_secrets_too() {
    let mut toy = discreet();
    toy.rule("toy.raid.perform", |game, args| {
        let who = entity(args[1].field("who").unwrap());
        let by = support::rulebook::side_of(game, &args[0]);
        let mark = game.create("toy.shadow", None, &[(name("side"), Value::text("blue"))])?;
        game.set(mark, "at", Value::Int(3))?;
        ask(game, "toy.sure", vec![(by, Domain::yes_no())], true)?;
        let both = [RED, BLUE]
            .map(|side| (side, Domain::Integer { min: 0, max: 9 }))
            .to_vec();
        ask(game, "toy.bid", both, true)?;
        let fields = [
            (name("who"), Value::Entity(who)),
            (name("secret"), Value::Entity(mark)),
        ]
        .into();
        game.emit("toy.hit", fields, &Audience::default(), Cause::default())?;
        game.set(who, "is_watching", Value::Bool(false))?;
        yes()
    });
    toy.rule("toy.raid.allowed", |game, _| {
        let shadows = game.world().all().count();
        if shadows > 40 { no("enough") } else { yes() }
    });
    for seed in 0..6 {
        assert_eq!(difference(&toy, seed, 60), None, "seed {seed}");
    }
}

type Leak = (&'static str, fn(&mut Toy));

/// A rule that tells, of each kind. The check or the kernel must catch each.
const LEAKS: [Leak; 15] = [
    ("a card that is dealt to all", |toy| {
        toy.rule("toy.deal.perform", |game, _| {
            game.take_cards(
                &pack(),
                CardPick::Drawn(1, End::Top),
                &dealt(Viewers::ALL),
                Cause::default(),
            )?;
            yes()
        });
    }),
    ("a refusal that looks into a deck", |toy| {
        toy.rule("toy.walk.allowed", |game, _| {
            match &*game.deck_cards(&pack(), Pile::Stock)?[0] {
                "a" => no("it does not feel like it"),
                _ => yes(),
            }
        });
    }),
    ("a refusal that counts cards in secret", |toy| {
        toy.rule("toy.walk.allowed", |game, _| {
            match game.deck_size(&own(BLUE), Pile::Stock)? {
                4.. => no("it does not feel like it"),
                _ => yes(),
            }
        });
    }),
    ("a card laid where all see it", |toy| {
        toy.rule("toy.walk.perform", |game, args| {
            let card = game.deck_cards(&pack(), Pile::Stock)?[0].clone();
            game.set(entity(&args[0]), "at", Value::Int(i64::from(&*card == "a")))?;
            yes()
        });
    }),
    ("a field of an event that all may see", |toy| {
        toy.rule("toy.walk.perform", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            let secret = game.get(piece, "secret")?.clone();
            let fields = [(name("secret"), secret)].into();
            game.emit("toy.hit", fields, &Audience::default(), Cause::default())?;
            yes()
        });
    }),
    ("an event that only happens if a secret is so", |toy| {
        toy.rule("toy.walk.perform", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            if int(game, piece, "secret")? > 0 {
                game.emit(
                    "toy.hit",
                    BTreeMap::new(),
                    &Audience::default(),
                    Cause::default(),
                )?;
            }
            yes()
        });
    }),
    ("a write that all may see", |toy| {
        toy.rule("toy.walk.perform", |game, args| {
            let piece = game.world().find("blue-1").unwrap();
            let secret = game.get(piece, "secret")?.clone();
            game.set(entity(&args[0]), "at", secret)?;
            yes()
        });
    }),
    ("a refusal that depends on a hidden attribute", |toy| {
        toy.rule("toy.walk.allowed", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            if int(game, piece, "secret")? > 0 {
                no("a mine lies there")
            } else {
                yes()
            }
        });
    }),
    ("a refusal that depends on a hidden name", |toy| {
        toy.rule("toy.walk.allowed", |game, _| {
            let flag = game.entities("toy.flag")?[0];
            no(&game.known_name(flag)?)
        });
    }),
    ("a choice among what is hidden", |toy| {
        toy.rule("toy.how", |game, _| {
            let shadows: Vec<_> = game
                .world()
                .all()
                .filter(|e| game.world().name(*e).contains("shadow"))
                .collect();
            Ok(choices(game, &shadows))
        });
    }),
    ("a question that offers what is hidden", |toy| {
        toy.rule("toy.walk.perform", |game, _| {
            let dark = game.world().find("dark-blue").unwrap();
            let choice = kernel::decision::Choice {
                value: Value::Entity(dark),
                label: name("that"),
            };
            ask(
                game,
                "toy.take",
                vec![(RED, Domain::choices_of([choice]))],
                false,
            )?;
            yes()
        });
    }),
    ("a question that exists only if a secret is so", |toy| {
        toy.rule("toy.walk.perform", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            if int(game, piece, "secret")? > 0 {
                ask(game, "toy.sure", vec![(BLUE, Domain::yes_no())], true)?;
            }
            yes()
        });
    }),
    (
        "a window whose reaction exists only if a secret is so",
        |toy| {
            toy.rule("toy.snap.allowed", |game, args| {
                let actor = entity(&args[0]);
                if int(game, actor, "secret")? > 0 {
                    yes()
                } else {
                    no("it sleeps")
                }
            });
        },
    ),
    ("a phase that ends if a secret is so", |toy| {
        toy.rule("toy.over", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            Ok(Value::Bool(int(game, piece, "secret")? > 0))
        });
    }),
    ("the result of the game", |toy| {
        toy.rule("toy.open", |game, _| {
            let piece = game.world().find("blue-1").unwrap();
            let secret = game.get(piece, "secret")?.clone();
            game.finish(secret)?;
            yes()
        });
    }),
];

#[test]
fn every_deliberate_leak_is_caught() {
    for (what, leak) in LEAKS {
        let mut toy = discreet();
        toy.rule("toy.raid.allowed", |_, _| no("the raiders rest"));
        leak(&mut toy);
        let caught = (0..6).find_map(|seed| difference(&toy, seed, 80));
        assert!(caught.is_some(), "nobody noticed {what}");
    }
}

/// What is revealed later does not tell its past, and a hidden one who acts
/// shows only that something was done.
#[test]
fn events_are_redacted_as_of_when_they_happened() {
    let toy = discreet();
    let mut game = set_up(1, 2);
    let dark = game.world().find("dark-blue").unwrap();
    let fields = || [(name("who"), Value::Entity(dark))].into();
    game.emit("toy.hit", fields(), &Audience::default(), Cause::default())
        .unwrap();
    game.show(dark, None, Viewers::ALL).unwrap();
    game.emit("toy.hit", fields(), &Audience::default(), Cause::default())
        .unwrap();
    let mut play = Play::start(game, &toy).unwrap();
    let events = play.take_events();
    let who = |viewer| -> Vec<bool> {
        let seen = play.game().show_events(viewer, &events);
        let hits = seen.iter().filter(|event| &*event.kind == "toy.hit");
        hits.map(|event| event.fields[0].1.is_some()).collect()
    };
    assert_eq!(who(Viewer::Side(RED)), [false, true]);
    assert_eq!(who(Viewer::Side(BLUE)), [true, true]);
}

/// What rules conceal before anybody looks has no number either, so that what
/// is left unnumbered tells nobody how much there is of it.
#[test]
fn what_is_concealed_before_anybody_looks_is_not_numbered() {
    let mut toy = discreet();
    toy.rule("toy.open", |game, _| {
        for piece in game.entities("toy.piece")? {
            if game.world().owner(piece) == Some(BLUE) {
                game.show(piece, None, Viewers::side(BLUE))?;
            }
        }
        yes()
    });
    let seen_with = |more: &[&str]| {
        let mut game = set_up(1, 2);
        let world = game.world_mut();
        let piece = world.schema().require("toy.piece").unwrap();
        for one in more {
            let attributes = [
                (name("side"), Value::text("blue")),
                (name("at"), Value::Int(3)),
            ];
            world.create(piece, one, &attributes).unwrap();
        }
        let play = Play::start(game, &toy).unwrap();
        let numbers = play
            .game()
            .view(Viewer::Side(RED))
            .entities
            .iter()
            .map(|one| one.handle)
            .collect();
        (show_view(play.game(), Viewer::Side(RED)), numbers)
    };
    let (one, numbers): (String, Vec<u32>) = seen_with(&[]);
    assert_eq!(numbers, Vec::from_iter(1..=numbers.len() as u32));
    for more in [&["a-scout"][..], &["a-scout", "z-scout"]] {
        assert_eq!(seen_with(more).0, one);
    }
}

/// Tells some of a hit that came of those draws.
fn hit(game: &mut kernel::game::Game, draws: (u32, u32), audience: &Audience) {
    let cause = Cause {
        draws: Some(draws),
        ..Cause::default()
    };
    game.emit("toy.hit", BTreeMap::new(), audience, cause)
        .unwrap();
}

/// Draws are numbered as a viewer knows of them, and two events may tell of one.
#[test]
fn draws_are_numbered_for_the_viewer() {
    let toy = discreet();
    let mut game = set_up(1, 2);
    let die = || kernel::dice::Die::new(6).unwrap();
    game.roll(
        &[die(), die()],
        "first",
        &Audience::default(),
        Cause::default(),
    )
    .unwrap();
    hit(&mut game, (2, 2), &Audience::default());
    let to_blue = Audience::to(Viewers::side(BLUE));
    hit(&mut game, (3, 5), &to_blue);
    hit(&mut game, (6, 7), &Audience::default());
    // Nonsense, which nobody sees.
    hit(&mut game, (9, 8), &Audience::to(Viewers::NONE));
    game.roll(&[], "nothing", &Audience::default(), Cause::default())
        .unwrap();
    let mut play = Play::start(game, &toy).unwrap();
    let mut events = play.take_events();
    events.retain(|event| matches!(&*event.kind, "toy.hit" | "roll"));
    let draws = |viewer| -> Vec<_> {
        play.game()
            .show_events(viewer, &events[..6])
            .iter()
            .map(|event| event.draws)
            .collect()
    };
    assert_eq!(
        draws(Viewer::Side(RED)),
        [Some((1, 2)), Some((2, 2)), Some((3, 4)), None]
    );
    assert_eq!(
        draws(Viewer::Side(BLUE))[2..4],
        [Some((3, 5)), Some((6, 7))]
    );
}

/// While others decide, a side learns only that it must wait.
#[test]
fn who_must_wait_is_told_the_same_whatever_the_others_decide() {
    let toy = Toy::new();
    let mut words = std::collections::BTreeSet::new();
    for seed in 0..8 {
        let mut bot = BotChance::new(seed, 6);
        let mut play = support::start(&toy, seed, 2);
        while let Some(input) = choose(&mut play, &toy, &mut bot) {
            let waiting = play.wanted().sides();
            for side in [RED, BLUE]
                .into_iter()
                .filter(|side| !waiting.contains(side))
            {
                let in_secret = play
                    .game()
                    .flow()
                    .phases()
                    .any(|phase| &*phase.id == "toy.planning");
                assert_eq!(play.game().view(Viewer::Side(side)).wanted, "wait");
                assert_eq!(play.game().prompt(Viewer::Side(side)), None);
                let prompt = show_prompt(&mut play, &toy, side).unwrap();
                let refusals: Vec<String> = hostile(side)[1..]
                    .iter()
                    .map(|input| support::refused(&mut play, &toy, input))
                    .collect();
                words.insert((in_secret, prompt, refusals));
            }
            play.submit(&toy, &input).unwrap();
        }
    }
    assert_eq!(
        words.len(),
        2,
        "one set of words, and one for who is ready in secret: {words:?}"
    );
}
