//! A game is its seed and its inputs: whatever way it is run, it comes out the
//! same.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use kernel::chance::BotChance;
use kernel::decision::Input;
use kernel::engine::{Play, Wanted};
use kernel::record::{decode, encode};
use kernel::value::{Name, Side, Value};
use kernel::world::Viewer;

use support::{Played, Toy, everything, play_out, set_up, show_events, show_view, start, viewers};

fn answers(inputs: &[Input]) -> Vec<(Name, Value)> {
    let answer = |input: &Input| match input {
        Input::Answer {
            question, value, ..
        } => Some((question.clone(), value.clone())),
        _ => None,
    };
    inputs.iter().filter_map(answer).collect()
}

/// The answers in the order of the sides that are asked, as a list at hand
/// must have them.
fn sorted_by_side(inputs: &[Input]) -> Vec<Input> {
    let mut sorted = inputs.to_vec();
    let mut start = 0;
    while start < sorted.len() {
        let id = |input: &Input| match input {
            Input::Answer { question, .. } if &**question == "toy.bid" => Some(question.clone()),
            _ => None,
        };
        let same = sorted[start..]
            .iter()
            .take_while(|input| id(input).is_some())
            .count();
        sorted[start..start + same].sort_by_key(Input::by);
        start += same.max(1);
    }
    sorted
}

#[test]
fn suspended_and_answered_later_is_answered_at_once() {
    let toy = Toy::new();
    let mut asked = 0;
    for seed in 0..80 {
        let mut late = play_out(&toy, seed, 2);
        let inputs = sorted_by_side(&late.inputs);
        let mut game = set_up(seed, 2);
        game.queue_answers(answers(&inputs));
        let mut once = Play::start(game, &toy).unwrap();
        let mut events = once.take_events();
        for input in inputs
            .iter()
            .filter(|input| !matches!(input, Input::Answer { .. }))
        {
            once.submit(&toy, input).unwrap();
            events.extend(once.take_events());
        }
        asked += answers(&inputs).len();
        assert_eq!(once.game().queued_answers().count(), 0);
        assert_eq!(once.wanted(), Wanted::Over);
        assert_eq!(
            everything(&mut once),
            everything(&mut late.play),
            "seed {seed}"
        );
        assert_eq!(events, late.events, "seed {seed}");
    }
    assert!(asked > 200, "the games must ask much, found {asked}");
}

#[test]
fn replay_gives_the_same_game_after_every_input() {
    let toy = Toy::new();
    for (seed, sides) in [(1, 2), (2, 2), (3, 3), (4, 4), (5, 4), (6, 2)] {
        let played = play_out(&toy, seed, sides);
        let mut again = start(&toy, seed, sides);
        let mut events = again.take_events();
        for (input, hash) in played.inputs.iter().zip(&played.hashes) {
            let line = encode(input, again.game().world());
            let read = decode(&line, again.game().world()).unwrap();
            assert_eq!(read, *input, "{line}");
            again.submit(&toy, &read).unwrap();
            assert_eq!(again.hash(), *hash, "after {line}");
            events.extend(again.take_events());
        }
        assert_eq!(events, played.events);
    }
}

#[test]
fn the_same_game_on_other_threads() {
    let last = |played: Played| (played.inputs, played.hashes);
    let here = last(play_out(&Toy::new(), 11, 3));
    let there: Vec<_> = (0..3)
        .map(|_| std::thread::spawn(|| play_out(&Toy::new(), 11, 3)))
        .collect();
    for thread in there {
        assert_eq!(last(thread.join().unwrap()), here);
    }
    assert_ne!(last(play_out(&Toy::new(), 12, 3)).1, here.1);
}

/// What a viewer was shown while a step waited stays true when it has run again.
#[test]
fn numbers_given_while_a_step_waits_are_kept() {
    let toy = Toy::new();
    let mut compared = 0;
    for seed in 0..20 {
        let mut bot = BotChance::new(seed, 0);
        let mut play = start(&toy, seed, 2);
        while let Some(input) = support::choose(&mut play, &toy, &mut bot) {
            let numbers = |play: &Play| -> Vec<Vec<(u32, Name)>> {
                let of = |viewer| play.game().view(viewer).entities;
                let number = |seen: &kernel::engine::Seen| {
                    (seen.handle, play.game().world().name(seen.entity))
                };
                viewers(play.game())
                    .iter()
                    .skip(1)
                    .map(|v| of(*v).iter().map(number).collect())
                    .collect()
            };
            let before = numbers(&play);
            play.submit(&toy, &input).unwrap();
            let after = numbers(&play);
            for (before, after) in before.iter().zip(&after) {
                for (handle, name) in before {
                    compared += 1;
                    let now = after.iter().find(|(other, _)| other == handle);
                    assert!(
                        now.is_none_or(|(_, other)| other == name),
                        "{handle} was {name}, is {now:?}"
                    );
                }
            }
        }
    }
    assert!(compared > 1000);
}

/// A snapshot is a game of its own: playing on from it changes nothing else.
#[test]
fn a_snapshot_taken_anywhere_goes_on_alone() {
    let toy = Toy::new();
    let played = play_out(&toy, 21, 2);
    let mut play = start(&toy, 21, 2);
    let mut snapshots = Vec::new();
    for input in &played.inputs {
        snapshots.push(play.clone());
        play.submit(&toy, input).unwrap();
    }
    for (i, snapshot) in snapshots.iter().enumerate().step_by(7) {
        let mut copy = snapshot.clone();
        for (input, hash) in played.inputs[i..].iter().zip(&played.hashes[i..]).take(25) {
            copy.submit(&toy, input).unwrap();
            assert_eq!(copy.hash(), *hash);
        }
    }
    assert_eq!(play.hash(), *played.hashes.last().unwrap());
}

#[test]
fn another_epoch_gives_other_dice_and_nothing_else() {
    let toy = Toy::new();
    let rolls = |epoch| {
        let mut game = set_up(7, 2);
        game.set_epoch(epoch);
        let mut play = Play::start(game, &toy).unwrap();
        let answer = Input::Answer {
            by: Side(0),
            question: "toy.sure".into(),
            value: Value::Bool(true),
        };
        play.submit(&toy, &answer).unwrap();
        let events = play.take_events();
        show_events(play.game(), Viewer::Referee, &events)
    };
    assert_eq!(rolls(0), rolls(0));
    assert!((1..6).any(|epoch| rolls(epoch) != rolls(0)));
}

#[test]
fn views_are_the_same_for_the_same_game() {
    let toy = Toy::new();
    let (a, b) = (play_out(&toy, 5, 3), play_out(&toy, 5, 3));
    for viewer in viewers(a.play.game()) {
        assert_eq!(
            show_view(a.play.game(), viewer),
            show_view(b.play.game(), viewer)
        );
        assert_eq!(
            show_events(a.play.game(), viewer, &a.events),
            show_events(b.play.game(), viewer, &b.events)
        );
    }
}
