//! Where there are too many ways, games are sampled, and it is said.

use std::cell::Cell;

use houserule::odds::{Fraction, How, Limits, Unanswered};
use houserule::types::Unit;
use kernel::value::Value;

use crate::{Of, cup, toss};

#[test]
fn a_handful_of_too_many_ways_is_not_begun() {
    let game = toss();
    let runs_of = |runs| {
        let limits = Limits {
            runs,
            samples: 1,
            seed: 7,
            ..Limits::default()
        };
        let of = Of {
            limits,
            ..Of::new(&game, "toss.core.grab", &[Value::Int(2)], "")
        };
        let made = Cell::new(0);
        let odds = of.ask_until(&|| {
            made.set(made.get() + 1);
            false
        });
        (odds.unwrap().is_exact(), made.get())
    };
    let sampled = runs_of(1);
    assert!(!sampled.0);
    assert_eq!(runs_of(4), sampled, "five handfuls are more than four runs");
    // Each of them once, and once in another order.
    assert_eq!(runs_of(5), (true, 10));
}

#[test]
fn what_is_far_too_much_is_given_up_before_all_runs_are_made() {
    let game = toss();
    let asked = |dice| Of::new(&game, "toss.core.dozens", &[Value::Int(dice)], "");
    let runs = Cell::new(0);
    let count = || {
        runs.set(runs.get() + 1);
        false
    };
    let odds = asked(60).ask_until(&count).unwrap();
    assert!(matches!(odds.how, How::Sampled { games: 10_000, .. }));
    assert!(runs.get() < 20_000, "{} runs", runs.get());
    // 46,656 ways are many, and not too many.
    assert!(asked(6).ask().unwrap().is_exact());
}

#[test]
fn too_many_ways_are_sampled_and_it_is_said() {
    let game = toss();
    let limits = Limits {
        runs: 200,
        samples: 3_000,
        seed: 7,
        ..Limits::default()
    };
    let of = Of {
        limits,
        ..Of::new(&game, "toss.core.until_six", &[cup(&game)], "red-cup.score")
    };
    let odds = of.ask().unwrap();
    assert_eq!(
        odds.how,
        How::Sampled {
            games: 3_000,
            seed: 7
        }
    );
    let pair = |runs| {
        Of {
            limits: Limits { runs, ..limits },
            ..Of::new(&game, "toss.core.pair", &[], "")
        }
        .ask()
        .unwrap()
    };
    let (sampled, exact) = (pair(3), pair(1_000));
    assert!(exact.is_exact() && !sampled.is_exact());
    assert_eq!(sampled, pair(3), "the same seeds give the same");
    let within = sampled.outcomes.iter().filter(|one| {
        let range = one.range.unwrap();
        let truth = exact.of(&one.value);
        Fraction::of(range.low.into(), 1_000_000) <= truth
            && truth <= Fraction::of(range.high.into(), 1_000_000)
    });
    assert!(within.count() >= 9, "{sampled:?}");
}

/// What rules cost is counted beside the runs of steps, and ends the count and the sample too.
#[test]
fn work_is_limited_over_the_whole_question() {
    let game = toss();
    let asked = |work| {
        let limits = Limits {
            work,
            ..Limits::default()
        };
        let of = Of {
            limits,
            ..Of::new(&game, "toss.core.dozens", &[Value::Int(6)], "")
        };
        of.ask()
    };
    assert!(asked(u64::MAX).unwrap().is_exact());
    let few = asked(500_000).unwrap();
    let How::Sampled { games, seed: 1 } = few.how else {
        panic!("{few:?}");
    };
    assert!((100..10_000).contains(&games), "{games} games");
    assert_eq!(few, asked(500_000).unwrap(), "work is counted, not timed");
    assert_eq!(asked(10), Err(Unanswered::TooDear { work: 10 }));
}

/// A die that is thrown until it shows a six has ever more ways, each less likely: games are played instead, whether
/// the first way looked at ends or not, and whether it is one step or many.
#[test]
fn what_ends_when_luck_has_it_is_sampled() {
    let game = toss();
    let limits = Limits {
        samples: 2_000,
        ..Limits::default()
    };
    let between = |rule: &str, args: &[Value], by: &str, least: i64, most: i64| {
        let made = Cell::new(0);
        let of = Of {
            limits,
            ..Of::new(&game, rule, args, by)
        };
        let odds = of
            .ask_until(&|| {
                made.set(made.get() + 1);
                false
            })
            .unwrap();
        assert!(matches!(odds.how, How::Sampled { .. }), "{rule}: {odds:?}");
        let mean = odds.mean().map(|mean| mean.number(Unit::Inches));
        if let Some(mean) = mean {
            assert!(
                Fraction::whole(least) < mean && mean < Fraction::whole(most),
                "{rule}: {mean}"
            );
        }
        made.get()
    };
    // A die that explodes is worth 4.2 in the mean, a six takes six throws.
    let runs = between("toss.core.exploding", &[], "", 4, 5);
    assert!(runs < 5_000, "{runs} runs for a way that never ends");
    let runs = between("toss.core.throws_to_six", &[], "", 5, 7);
    assert!(runs < 5_000, "{runs} runs for a way that never ends");
    between("toss.core.until_six", &[cup(&game)], "red-cup.score", 0, 2);
    let why = Of::new(
        &game,
        "toss.core.round_of_throws",
        &[cup(&game)],
        "red-cup.score",
    );
    let why = why.ask().unwrap_err();
    assert!(
        matches!(&why, Unanswered::Endless { next, trail } if next == "toss.core.round_of_throws" && !trail.is_empty()),
        "no throw ends it: {why}"
    );
}
