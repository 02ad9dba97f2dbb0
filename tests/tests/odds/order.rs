//! Handfuls of which a rule looks at the order, against every order counted by hand.

use std::cell::Cell;

use houserule::odds::{Distribution, Fraction, How, Limits, Unanswered};
use kernel::value::Value;

use super::{Of, cup, start, toss};

/// The bag holds three of `one`, two of `two` and `black`.
fn odds(rule: &str, count: i64) -> Distribution {
    let game = toss();
    let rule = format!("toss.core.{rule}");
    let odds = Of::new(&game, &rule, &[Value::Int(count)], "").ask();
    odds.unwrap()
}

fn is(odds: &Distribution, outcome: &str, above: u128, below: u128) {
    let of = odds.of(&Value::text(outcome));
    assert_eq!(of, Fraction::of(above, below), "{outcome} in {odds:?}");
    assert!(odds.is_exact());
}

#[test]
fn the_first_of_a_handful_is_each_chit_as_often_as_it_is_there() {
    for rule in ["first", "first_kept"] {
        for count in [1, 2, 4, 6] {
            let odds = odds(rule, count);
            is(&odds, "one", 1, 2);
            is(&odds, "two", 1, 3);
            is(&odds, "black", 1, 6);
        }
    }
}

#[test]
fn so_is_the_one_in_the_middle() {
    for count in [3, 5] {
        is(&odds("middle", count), "black", 1, 6);
    }
}

#[test]
fn what_is_between_two_steps_and_a_question_keeps_the_order() {
    // The last of two is drawn, and only then it is asked what to do with it.
    let game = toss();
    let odds = Of::new(
        &game,
        "toss.core.last_after_all",
        &[cup(&game)],
        "red-cup.score",
    );
    let odds = odds.ask().unwrap();
    assert!(odds.is_exact());
    let of = |score: i64| odds.of(&Value::Int(score));
    // Half of all answers are no; `one` scores 1, `two` 2 and `black` 5.
    assert_eq!(of(0), Fraction::of(1, 2));
    assert_eq!(of(1), Fraction::of(1, 4));
    assert_eq!(of(2), Fraction::of(1, 6));
    assert_eq!(of(5), Fraction::of(1, 12));
}

#[test]
fn a_handful_that_is_given_on_is_told_without_its_order() {
    let odds = odds("grab", 2);
    let of = |names: [&str; 2]| odds.of(&Value::list(names.map(Value::text)));
    assert_eq!(of(["one", "two"]), Fraction::of(2, 5));
    assert_eq!(of(["two", "one"]), Fraction::zero());
    assert!(matches!(odds.how, How::Exact { runs: 5, .. }), "{odds:?}");
}

/// What the first count came to is told where somebody stops the second, unless that says otherwise already.
#[test]
fn what_was_counted_once_is_not_lost() {
    let game = toss();
    let until = |rule: &str, most: u64| {
        let made = Cell::new(0);
        let rule = format!("toss.core.{rule}");
        let asked = Of::new(&game, &rule, &[Value::Int(2)], "");
        asked.ask_until(&|| made.replace(made.get() + 1) >= most)
    };
    // There are five handfuls of two.
    assert!(matches!(until("grab", 4).unwrap().how, How::Partial { .. }));
    for most in 5..10 {
        let once = until("grab", most).unwrap();
        assert!(matches!(once.how, How::Once { .. }), "{once:?}");
        assert!(!once.is_exact() && once.how_text().contains("counted once"));
        assert_eq!(once.outcomes, odds("grab", 2).outcomes);
    }
    assert!(until("grab", 10).unwrap().is_exact());
    let other = until("first", 9);
    assert!(
        matches!(other, Err(Unanswered::Stopped { .. })),
        "{other:?}"
    );
}

#[test]
fn where_orders_are_too_many_games_are_played_in_which_they_fall_as_they_fall() {
    let game = toss();
    let rule = "toss.core.first";
    let few = Limits {
        runs: 20,
        ..Limits::default()
    };
    let asked = Of {
        limits: few,
        ..Of::new(&game, rule, &[Value::Int(6)], "")
    };
    let odds = asked.ask().unwrap();
    assert!(matches!(odds.how, How::Sampled { .. }), "{odds:?}");
    let of_one = &odds.outcomes[0];
    assert_eq!(of_one.value, Value::text("one"));
    let range = of_one.range.unwrap();
    assert!(range.low < 500_000 && 500_000 < range.high, "{range:?}");
}

#[test]
fn markers_that_are_given_out_in_the_order_drawn_are_each_units_alike() {
    let game = start("../mods", "dsii/skirmish");
    let args = [Value::text("blue")];
    let quality = |unit: &str| {
        let by = format!("{unit}.quality");
        let odds = Of::new(&game, "dsii.setup.draw_commands", &args, &by).ask();
        odds.unwrap().of(&Value::text("green"))
    };
    assert_eq!(quality("blue-a"), Fraction::of(3, 11));
    assert_eq!(quality("blue-b"), Fraction::of(3, 11));
}
