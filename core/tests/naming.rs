//! What entities are called that are given no name, who finds them by name, and
//! who is told who knows of them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use kernel::engine::Play;
use kernel::error::FaultCode;
use kernel::game::{Game, Guard};
use kernel::value::{Name, Side, Value};
use kernel::world::Viewer;

use support::{Toy, name, set_up};

const RED: Side = Side(0);
const BLUE: Side = Side(1);

/// The name of a new entity of a side.
fn made(game: &mut Game, kind: &str, side: Side) -> Name {
    let owner = Value::Text(game.side_name(side));
    game.set_guard(Guard::STEP);
    let entity = game.create(kind, None, &[(name("side"), owner)]).unwrap();
    game.world().name(entity)
}

/// Whether the other side has made some of a kind already must not be read off
/// the names of one's own.
#[test]
fn names_do_not_count_what_others_may_not_know_of() {
    for kind in ["toy.shadow", "toy.flag"] {
        let of_blue = |others: usize| {
            let mut game = set_up(1, 2);
            for _ in 0..others {
                made(&mut game, kind, RED);
            }
            [made(&mut game, kind, BLUE), made(&mut game, kind, BLUE)]
        };
        assert_eq!(of_blue(0), of_blue(3), "{kind}");
        let word = kind.rsplit('.').next().unwrap();
        assert_eq!(&*of_blue(3)[1], format!("blue-{word}-2"));
    }
}

/// What belongs to nobody and is hidden is found one by one: the number of the first that comes to light says
/// nothing of how many were laid before it.
#[test]
fn what_nobody_owns_and_not_all_know_of_is_numbered_by_lot() {
    for kind in ["toy.shadow", "toy.flag"] {
        let laid = |salt: u64| {
            let mut game = set_up(1, 2);
            game.set_salt(salt);
            game.set_guard(Guard::STEP);
            let word = kind.rsplit('.').next().unwrap();
            let mut next = || {
                let entity = game.create(kind, None, &[]).unwrap();
                let name = game.world().name(entity);
                let number = name.strip_prefix(&format!("{word}-")).unwrap();
                number.parse::<u64>().unwrap()
            };
            let numbers: Vec<u64> = (0..200).map(|_| next()).collect();
            numbers
        };
        let (once, again, other) = (laid(7), laid(7), laid(8));
        assert_eq!(once, again, "the same in the same game");
        assert_ne!(once, other, "and otherwise in another");
        assert!(once.iter().all(|number| *number >= 1_000), "{once:?}");
        let later: usize = once.windows(2).filter(|two| two[0] < two[1]).count();
        assert!((60..140).contains(&later), "{later} of 199 rise: {once:?}");
    }
}

/// Where all know of all, they are counted together.
#[test]
fn what_all_know_of_is_counted_for_all() {
    let mut game = set_up(1, 2);
    let kind = "toy.piece";
    let names = [RED, BLUE, RED].map(|side| made(&mut game, kind, side));
    let numbers: Vec<_> = names
        .iter()
        .map(|name| name.strip_prefix("piece-").unwrap())
        .collect();
    assert_eq!(numbers, ["1", "2", "3"]);
}

/// A rule that answers for a side gets nothing by a name that the side does not
/// know, whether or not it knows that there is something.
#[test]
fn who_does_not_know_a_name_finds_nothing_by_it() {
    let toy = Toy::new();
    let mut game = set_up(1, 2);
    let world = game.world_mut();
    let flag = world.schema().require("toy.flag").unwrap();
    let piece = world.schema().require("toy.piece").unwrap();
    let flag = world.create(flag, "a-flag", &[]).unwrap();
    let piece = world.create(piece, "a-piece", &[]).unwrap();
    let mut play = Play::start(game, &toy).unwrap();
    let game = play.game_mut();
    let mut known = |guard| {
        let before = game.set_guard(guard);
        let found = [flag, piece].map(|entity| (game.knows_of(entity), game.knows_by_name(entity)));
        game.set_guard(before);
        found
    };
    let in_the_eyes_of = |side| Guard::answering(Viewer::Side(side));
    let (nameless, named) = ((true, false), (true, true));
    assert_eq!(known(in_the_eyes_of(BLUE)), [nameless, named]);
    assert_eq!(known(Guard::STEP), [named, named]);
}

/// Nobody is told who else has found out about his own.
#[test]
fn a_side_learns_nothing_of_what_others_know_of() {
    let toy = Toy::new();
    let mut game = set_up(1, 2);
    let owner = Value::Text(game.side_name(BLUE));
    game.set_guard(Guard::STEP);
    let shadow = game
        .create("toy.shadow", None, &[(name("side"), owner)])
        .unwrap();
    let piece = game.create("toy.piece", None, &[]).unwrap();
    let mut play = Play::start(game, &toy).unwrap();
    let game = play.game_mut();
    let mut told = |guard, side, entity| {
        let before = game.set_guard(guard);
        let told = game.sees_entity(side, entity);
        game.set_guard(before);
        told.map_err(|fault| fault.code)
    };
    let for_blue = Guard::answering(Viewer::Side(BLUE));
    assert_eq!(
        told(for_blue, RED, shadow),
        Err(FaultCode::HiddenRead),
        "of another"
    );
    assert_eq!(told(for_blue, BLUE, shadow), Ok(true), "of itself");
    assert_eq!(told(for_blue, RED, piece), Ok(true), "of what all see");
    assert_eq!(told(Guard::STEP, RED, shadow), Ok(false), "in a step");
}
