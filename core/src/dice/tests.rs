use super::*;
use crate::chance::{Chance, DrawPosition, Enumeration, Odds, Script, ScriptedDie};
use proptest::prelude::*;

fn die(sides: u16) -> Die {
    Die::new(sides).unwrap()
}

fn ladder(bottom: LadderEnd, top: LadderEnd) -> Ladder {
    Ladder::new([4, 6, 8, 10, 12], bottom, top).unwrap()
}

fn odds_that_active_wins(active: &[u16], passive: &[u16], tie: Tie) -> Odds {
    let pool = |sides: &[u16]| Pool::new(sides.iter().map(|sides| die(*sides)));
    let (mut wins, mut all) = (Odds::ZERO, Odds::ZERO);
    let mut enumeration = Enumeration::new();
    loop {
        let mut chance = enumeration.chance();
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        let active = pool(active).roll(&mut draws).unwrap();
        let passive = pool(passive).roll(&mut draws).unwrap();
        let odds = Odds::of(chance.forks()).unwrap();
        all = all.checked_add(odds).unwrap();
        if opposed(active.as_slice(), passive.as_slice(), tie) == Opposed::Active {
            wins = wins.checked_add(odds).unwrap();
        }
        if !enumeration.advance(&chance) {
            assert_eq!(all, Odds::ONE);
            return wins;
        }
    }
}

#[test]
fn opposed_odds_are_those_of_the_closed_form() {
    let odds = |n, d| Odds::new(n, d).unwrap();
    assert_eq!(
        odds_that_active_wins(&[8], &[6], Tie::ActiveLoses),
        odds(9, 16)
    );
    assert_eq!(odds_that_active_wins(&[8], &[6], Tie::Draw), odds(9, 16));
    assert_eq!(
        odds_that_active_wins(&[8], &[6], Tie::ActiveWins),
        odds(33, 48)
    );
    assert_eq!(
        odds_that_active_wins(&[8], &[6, 6], Tie::ActiveLoses),
        odds(127, 288)
    );
    assert_eq!(
        odds_that_active_wins(&[8], &[], Tie::ActiveLoses),
        Odds::ONE
    );
    assert_eq!(
        odds_that_active_wins(&[], &[], Tie::ActiveLoses),
        Odds::ZERO
    );
}

#[test]
fn each_end_follows_its_own_rule() {
    let shift = |bottom, top, sides, by| ladder(bottom, top).shift(&die(sides), by, "why");
    let seen = |bottom, top, sides, by| {
        let Shifted { die, surplus } = shift(bottom, top, sides, by).unwrap();
        (die.sides(), surplus)
    };
    assert_eq!(seen(LadderEnd::Stop, LadderEnd::Stop, 12, 1), (12, 0));
    assert_eq!(seen(LadderEnd::Stop, LadderEnd::Convert, 4, -3), (4, 0));
    assert_eq!(seen(LadderEnd::Convert, LadderEnd::Stop, 6, -3), (4, -2));
    assert_eq!(
        seen(LadderEnd::Refuse, LadderEnd::Convert, 10, i8::MAX),
        (12, 126)
    );
    assert_eq!(
        seen(LadderEnd::Convert, LadderEnd::Refuse, 4, i8::MIN),
        (4, -128)
    );
    assert_eq!(seen(LadderEnd::Refuse, LadderEnd::Refuse, 4, 4), (12, 0));
    let refused = shift(LadderEnd::Stop, LadderEnd::Refuse, 10, 3);
    assert_eq!(
        refused,
        Err(DiceError::Refused {
            die: die(10),
            by: 3,
            reason: "why".into(),
            past: 2
        })
    );
}

#[test]
fn a_die_off_the_ladder_cannot_be_shifted() {
    let error = ladder(LadderEnd::Stop, LadderEnd::Stop)
        .shift(&die(20), 0, "why")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a die on the ladder d4-6-8-10-12, found d20"
    );
}

#[test]
fn a_ladder_ascends() {
    let new = |rungs: &[u16]| Ladder::new(rungs.iter().copied(), LadderEnd::Stop, LadderEnd::Stop);
    assert_eq!(new(&[]), Err(DiceError::NoRungs));
    assert_eq!(new(&[0, 4]), Err(DiceError::NoSides));
    assert_eq!(
        new(&[4, 4]),
        Err(DiceError::NotAscending {
            before: 4,
            found: 4
        })
    );
    assert_eq!(
        new(&[4, 8, 6]),
        Err(DiceError::NotAscending {
            before: 8,
            found: 6
        })
    );
    assert_eq!(Die::new(0), Err(DiceError::NoSides));
}

#[test]
fn a_die_remembers_every_shift_but_equals_any_like_it() {
    let ladder = ladder(LadderEnd::Stop, LadderEnd::Stop);
    let once = ladder.shift(&die(10), 1, "first").unwrap().die;
    let twice = ladder.shift(&once, 1, "second").unwrap().die;
    let reasons: Vec<_> = twice
        .reasons()
        .iter()
        .map(|s| (s.by, s.from, s.to, &*s.reason))
        .collect();
    assert_eq!(reasons, [(1, 10, 12, "first"), (1, 12, 12, "second")]);
    assert_eq!(once.reasons().len(), 1);
    assert_eq!(twice, die(12));
    assert!(die(8) < twice);
}

#[test]
fn a_pool_keeps_its_order_and_numbers_its_draws() {
    let scripted =
        [(8, 3), (6, 6), (8, 6), (4, 3)].map(|(sides, face)| ScriptedDie::of(sides, face));
    let mut chance = Chance::scripted(Script::new(scripted, [""; 0]));
    let start = DrawPosition {
        draw: 2,
        ..DrawPosition::default()
    };
    let pool = Pool::new([8, 6, 8, 4].map(die));
    let rolls = pool.roll(&mut Draws::new(&mut chance, start)).unwrap();
    let shown: Vec<_> = rolls
        .as_slice()
        .iter()
        .map(|r| (r.die.sides(), r.face, r.draw))
        .collect();
    assert_eq!(shown, [(8, 3, 2), (6, 6, 3), (8, 6, 4), (4, 3, 5)]);
    assert_eq!(rolls.highest().unwrap().draw, 3);
    assert_eq!(rolls.lowest().unwrap().draw, 2);
    assert_eq!(
        (rolls.sum(), rolls.at_least(6), rolls.at_least(7)),
        (18, 2, 0)
    );

    let none = Rolls::default();
    assert_eq!((none.highest(), none.lowest(), none.sum()), (None, None, 0));
}

proptest! {
    #[test]
    fn steps_are_either_walked_or_surplus(start in 0usize..5, by: i8) {
        let ladder = ladder(LadderEnd::Convert, LadderEnd::Convert);
        let from = ladder.rungs()[start];
        let Shifted { die, surplus } = ladder.shift(&die(from), by, "why").unwrap();
        let end = ladder.rungs().binary_search(&die.sides()).unwrap();
        prop_assert_eq!(end as i32 - start as i32 + surplus, i32::from(by));
        prop_assert!(surplus == 0 || (end == 4 && surplus > 0) || (end == 0 && surplus < 0));
    }

    #[test]
    fn faces_are_on_their_dice(seed: u64, sides in proptest::collection::vec(1u16.., 0..20)) {
        let pool = Pool::new(sides.iter().map(|sides| die(*sides)));
        let rolls = pool.roll(&mut Draws::new(&mut Chance::seeded(seed), DrawPosition::default())).unwrap();
        prop_assert!(rolls.as_slice().iter().all(|roll| (1..=roll.die.sides()).contains(&roll.face)));
    }
}
