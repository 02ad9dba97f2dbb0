use super::philox::{fit, philox};
use super::*;
use proptest::prelude::*;

fn some(bound: u32) -> NonZeroU32 {
    NonZeroU32::new(bound).unwrap()
}

/// Runs `run` down every path; the outcomes in order of first appearance, with their odds.
fn odds_of<T: PartialEq>(run: impl Fn(&mut Draws<'_>) -> T) -> Vec<(T, Odds)> {
    let mut outcomes: Vec<(T, Odds)> = Vec::new();
    let mut enumeration = Enumeration::new();
    loop {
        let mut chance = enumeration.chance();
        let outcome = run(&mut Draws::new(&mut chance, DrawPosition::default()));
        let odds = Odds::of(chance.forks()).unwrap();
        match outcomes.iter_mut().find(|(seen, _)| *seen == outcome) {
            Some((_, sum)) => *sum = sum.checked_add(odds).unwrap(),
            None => outcomes.push((outcome, odds)),
        }
        if !enumeration.advance(&chance) {
            return outcomes;
        }
    }
}

#[test]
fn philox_gives_the_published_answers() {
    let vectors = include_str!("../../../tests/vectors/philox.txt");
    let lines: Vec<&str> = vectors
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(lines.len(), 3);
    for line in lines {
        let words = line
            .strip_prefix("philox4x32 10 ")
            .unwrap()
            .split_whitespace();
        let words: Vec<u32> = words
            .map(|word| u32::from_str_radix(word, 16).unwrap())
            .collect();
        let [c0, c1, c2, c3, k0, k1, expected @ ..] = &words[..] else {
            panic!("{line}")
        };
        assert_eq!(philox([*k0, *k1], [*c0, *c1, *c2, *c3]), expected, "{line}");
    }
}

#[test]
fn a_place_fills_the_counter_without_overlap() {
    let place = DrawPosition {
        action: 0x0102_0304,
        lane: 0xaa,
        epoch: 0x00bb_ccdd,
        step: 0x1122,
        draw: 0x99,
    };
    assert_eq!(
        place.counter(0x3344),
        [0x99, 0x3344_1122, 0x0102_0304, 0xaabb_ccdd]
    );
    let wrapped = DrawPosition {
        epoch: 0x01bb_ccdd,
        ..place
    };
    assert_eq!(wrapped.counter(0), place.counter(0));
}

/// A change here changes every recorded game.
#[test]
fn draws_of_a_known_seed_stay_as_they_are() {
    let roll = |place| uniform(0x0123_4567_89ab_cdef, place, some(20)) + 1;
    let table: Vec<u32> = (0..12)
        .map(|draw| {
            roll(DrawPosition {
                action: 3,
                step: 1,
                draw,
                ..DrawPosition::default()
            })
        })
        .collect();
    assert_eq!(table, [3, 1, 20, 14, 5, 16, 2, 9, 3, 17, 14, 8]);
    let secret = DrawPosition {
        action: 3,
        lane: 2,
        epoch: 1,
        step: 1,
        draw: 0,
    };
    assert_eq!(roll(secret), 16);
    let mut bot = BotChance::new(0x0123_4567_89ab_cdef, 1);
    assert_eq!([0; 6].map(|_| bot.below(100)), [75, 94, 19, 84, 42, 6]);
}

#[test]
fn faces_are_equally_likely() {
    // (sides, chi-square that a fair die exceeds once in a thousand, in thousandths)
    for (sides, limit) in [
        (4, 16_266),
        (6, 20_515),
        (8, 24_322),
        (10, 27_877),
        (12, 31_264),
        (20, 43_820),
    ] {
        let each: i64 = 10_000;
        let mut seen = vec![0i64; sides as usize];
        for draw in 0..sides * each as u32 {
            let place = DrawPosition {
                draw: draw % 7,
                action: draw / 7,
                ..DrawPosition::default()
            };
            seen[uniform(42, place, some(sides)) as usize] += 1;
        }
        let squares: i64 = seen.iter().map(|count| (count - each).pow(2)).sum();
        assert!(squares * 1000 < limit * each, "d{sides}: {seen:?}");
    }
}

#[test]
fn every_number_keeps_equally_many_words() {
    // All 2^32 words would take too long; the first and last words of each number show the edges.
    for bound in [3u32, 6, 7, 10, 12, 20, 1000, 65_537, (1 << 31) + 1] {
        let kept = |number: u64| {
            let first = (number << 32).div_ceil(u64::from(bound));
            let end = ((number + 1) << 32).div_ceil(u64::from(bound));
            let rejected = (first..end)
                .take(2)
                .filter(|word| fit(*word as u32, some(bound)).is_none());
            end - first - rejected.count() as u64
        };
        let fair = (1u64 << 32) / u64::from(bound);
        for number in [
            0,
            1,
            u64::from(bound / 2),
            u64::from(bound - 2),
            u64::from(bound - 1),
        ] {
            assert_eq!(kept(number), fair, "{number} of {bound}");
        }
    }
}

#[test]
fn a_rejected_word_never_moves_the_next_draw() {
    let bound = some((1 << 31) + 1);
    let at = |draw| DrawPosition {
        action: 9,
        draw,
        ..DrawPosition::default()
    };
    let is_retried = |draw| fit(philox(key_of(1), at(draw).counter(0))[0], bound).is_none();
    assert!((0..200).filter(|draw| is_retried(*draw)).count() > 50);

    let mut chance = Chance::seeded(1);
    let mut draws = Draws::new(&mut chance, at(0));
    for draw in 0..200 {
        assert_eq!(draws.uniform(bound.get()), Ok(uniform(1, at(draw), bound)));
        assert_eq!(draws.place(), at(draw + 1));
    }
}

#[test]
fn each_part_of_a_place_matters() {
    let place = DrawPosition::default();
    let others = [
        DrawPosition { action: 1, ..place },
        DrawPosition { lane: 1, ..place },
        DrawPosition { epoch: 1, ..place },
        DrawPosition { step: 1, ..place },
        DrawPosition { draw: 1, ..place },
    ];
    for other in others {
        assert_ne!(
            uniform(1, place, some(u32::MAX)),
            uniform(1, other, some(u32::MAX)),
            "{other:?}"
        );
    }
    assert_ne!(
        uniform(1, place, some(u32::MAX)),
        uniform(1 << 32, place, some(u32::MAX))
    );
}

#[test]
fn weights_of_a_seeded_choice_are_kept() {
    let mut chance = Chance::seeded(3);
    let mut draws = Draws::new(&mut chance, DrawPosition::default());
    let mut seen = [0u32; 4];
    for _ in 0..6000 {
        seen[draws.choose_weighted(&[1, 0, 2, 3]).unwrap()] += 1;
    }
    assert_eq!(seen[1], 0);
    for (index, expected) in [(0, 1000), (2, 2000), (3, 3000)] {
        assert!(seen[index].abs_diff(expected) < 150, "{seen:?}");
    }
}

#[test]
fn nothing_to_draw_from_is_an_error_from_every_source() {
    let script = Script::new([ScriptedDie::any(1)], ["a"]);
    for mut chance in [
        Chance::seeded(1),
        Chance::scripted(script),
        Enumeration::new().chance(),
    ] {
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        assert_eq!(draws.uniform(0), Err(ChanceError::NoOutcome));
        assert_eq!(draws.die(0), Err(ChanceError::NoOutcome));
        assert_eq!(draws.choose_weighted(&[0, 0]), Err(ChanceError::NoOutcome));
        assert_eq!(
            draws.chit([("a", 0)].into_iter()),
            Err(ChanceError::NoOutcome)
        );
        let found = u64::from(u32::MAX) * 2;
        let too_many = Err(ChanceError::TooManyOutcomes { found });
        assert_eq!(draws.choose_weighted(&[u32::MAX, u32::MAX]), too_many);
        assert_eq!(draws.place(), DrawPosition::default());
        assert_eq!(chance.mark(), ChanceMark::default());
    }
}

#[test]
fn a_script_that_does_not_fit_is_an_error_and_stays_unused() {
    let script = Script::new([ScriptedDie::of(8, 5), ScriptedDie::any(7)], ["b"]);
    let mut chance = Chance::scripted(script);
    let mut draws = Draws::new(&mut chance, DrawPosition::default());
    let wrong_die = draws.die(6).unwrap_err();
    assert_eq!(
        wrong_die.to_string(),
        "expected a scripted result for a d6, found `d8=5`"
    );
    assert_eq!(draws.die(8), Ok(5));
    let wrong_face = draws.die(6).unwrap_err();
    assert_eq!(
        wrong_face.to_string(),
        "expected a scripted face from 1 to 6, found 7"
    );
    assert_eq!(draws.uniform(10), Ok(6));
    assert_eq!(draws.die(4), Err(ChanceError::NoDieLeft { sides: 4 }));

    let all_out = [("a", 1), ("b", 0)];
    assert_eq!(
        draws.chit(all_out.into_iter()),
        Err(ChanceError::NoMoreOfChit { found: "b".into() })
    );
    assert_eq!(draws.chit([("a", 1), ("b", 2)].into_iter()), Ok(1));
    assert_eq!(
        draws.chit([("a", 1)].into_iter()),
        Err(ChanceError::NoChitLeft)
    );
    assert_eq!(draws.place().draw, 3);
    assert!(chance.left_over().is_empty());
}

#[test]
fn a_scripted_face_of_zero_is_out_of_range() {
    let mut chance = Chance::scripted(Script::new([ScriptedDie::any(0)], [""; 0]));
    let rolled = Draws::new(&mut chance, DrawPosition::default()).die(6);
    assert_eq!(rolled, Err(ChanceError::WrongFace { sides: 6, found: 0 }));
    assert_eq!(chance.left_over().dice, [ScriptedDie::any(0)]);
}

#[test]
fn an_enumeration_takes_every_path_once() {
    let paths = odds_of(|draws| {
        let first = draws.die(2).unwrap();
        let rest = if first == 1 { draws.die(3).unwrap() } else { 0 };
        (first, rest)
    });
    let odds = |n, d| Odds::new(n, d).unwrap();
    let expected = [
        ((1, 1), odds(1, 6)),
        ((1, 2), odds(1, 6)),
        ((1, 3), odds(1, 6)),
        ((2, 0), odds(1, 2)),
    ];
    assert_eq!(paths, expected);
}

#[test]
fn an_enumeration_skips_what_has_no_weight() {
    let paths = odds_of(|draws| draws.choose_weighted(&[0, 2, 0, 3, 0]).unwrap());
    assert_eq!(
        paths,
        [(1, Odds::new(2, 5).unwrap()), (3, Odds::new(3, 5).unwrap())]
    );
}

#[test]
fn a_run_without_chance_has_one_path() {
    assert_eq!(odds_of(|_| ()), [((), Odds::ONE)]);
}

#[test]
fn a_walk_that_changes_between_paths_is_found() {
    let mut enumeration = Enumeration::new();
    let mut chance = enumeration.chance();
    assert_eq!(
        Draws::new(&mut chance, DrawPosition::default()).die(6),
        Ok(1)
    );
    assert!(enumeration.advance(&chance));
    let mut chance = enumeration.chance();
    let mut draws = Draws::new(&mut chance, DrawPosition::default());
    assert_eq!(
        draws.die(8),
        Err(ChanceError::Diverged {
            expected: 6,
            found: 8
        })
    );
    assert!(draws.choose_weighted(&[6]).is_err());
    assert_eq!(draws.die(6), Ok(2));
}

#[test]
fn bots_share_no_numbers_with_the_game_or_each_other() {
    let numbers =
        |mut bot: BotChance| -> Vec<u32> { (0..64).map(|_| bot.below(u32::MAX)).collect() };
    let game = |draw| {
        uniform(
            8,
            DrawPosition {
                draw,
                ..DrawPosition::default()
            },
            some(u32::MAX),
        )
    };
    let game: Vec<u32> = (0..64).map(game).collect();
    let (first, second) = (numbers(BotChance::new(8, 0)), numbers(BotChance::new(8, 1)));
    assert!(
        first
            .iter()
            .all(|number| !game.contains(number) && !second.contains(number))
    );
    assert!(second.iter().all(|number| !game.contains(number)));
    assert_eq!(BotChance::new(8, 0).below(0), 0);
}

#[test]
fn odds_that_do_not_fit_are_absent() {
    let tiny = Odds::new(1, 1 << 127).unwrap();
    assert_eq!(tiny.checked_mul(tiny), None);
    assert_eq!(
        tiny.checked_mul(Odds::new(1 << 100, 1).unwrap()),
        Odds::new(1, 1 << 27)
    );
    assert_eq!(tiny.checked_add(Odds::new(1, 3).unwrap()), None);
}

proptest! {
    #[test]
    fn uniform_stays_below_its_bound(seed: u64, action: u32, draw: u32, bound in 1u32..) {
        let place = DrawPosition { action, draw, ..DrawPosition::default() };
        prop_assert!(uniform(seed, place, some(bound)) < bound);
    }

    #[test]
    fn after_a_rewind_the_same_draws_come_again(
        seed: u64,
        before in 0usize..4,
        sides in proptest::collection::vec(1u16..=20, 0..12),
    ) {
        let faces = || (0..16u32).map(|_| ScriptedDie::any(1));
        let mut walked = Enumeration::new();
        let mut first = walked.chance();
        for _ in 0..5 {
            Draws::new(&mut first, DrawPosition::default()).choose_weighted(&[1, 2]).unwrap();
        }
        walked.advance(&first);
        let sources =
            [Chance::seeded(seed), Chance::scripted(Script::new(faces(), ["a"; 16])), walked.chance()];
        for mut chance in sources {
            let step = DrawPosition { action: 4, step: 1, ..DrawPosition::default() };
            for _ in 0..before {
                let _ = Draws::new(&mut chance, DrawPosition::default()).chit([("a", 1), ("b", 2)].into_iter());
            }
            let mark = chance.mark();
            let run = |chance: &mut Chance| {
                let mut draws = Draws::new(chance, step);
                let dice: Vec<_> = sides.iter().map(|sides| draws.die(*sides)).collect();
                (dice, draws.chit([("a", 3), ("b", 1)].into_iter()), draws.place())
            };
            let once = run(&mut chance);
            let (end, forks) = (chance.mark(), chance.forks().to_vec());
            chance.rewind(mark);
            prop_assert_eq!(chance.mark(), mark);
            prop_assert_eq!(run(&mut chance), once);
            prop_assert_eq!(chance.mark(), end);
            prop_assert_eq!(chance.forks(), forks);
        }
    }

    #[test]
    fn a_handful_is_known_to_part_in_as_many_paths_as_it_does(
        counts in proptest::collection::vec(0u32..5, 1..5),
        share in 0u32..100,
    ) {
        let n = counts.iter().sum::<u32>() * share / 100;
        let run = |draws: &mut Draws<'_>| draws.handful(&counts, n).unwrap();
        let mut first = Enumeration::new().chance();
        run(&mut Draws::new(&mut first, DrawPosition::default()));
        let paths = odds_of(run).len() as u128;
        prop_assert_eq!(first.forks().first().map_or(1, |fork| fork.paths()), paths);
    }

    #[test]
    fn odds_of_all_paths_add_up_to_one(
        weights in proptest::collection::vec(proptest::collection::vec(0u32..4, 1..4), 0..5),
    ) {
        let possible = |weights: &&Vec<u32>| weights.iter().any(|weight| *weight > 0);
        let weights: Vec<Vec<u32>> = weights.iter().filter(possible).cloned().collect();
        let paths = odds_of(|draws| {
            weights.iter().map(|fork| draws.choose_weighted(fork).unwrap()).collect::<Vec<_>>()
        });
        let sum = paths.iter().try_fold(Odds::ZERO, |sum, (_, odds)| sum.checked_add(*odds));
        prop_assert_eq!(sum, Some(Odds::ONE));
        let count: usize = weights.iter().map(|fork| fork.iter().filter(|w| **w > 0).count()).product();
        prop_assert_eq!(paths.len(), count);
    }
}
