//! Numbers of the rules that need no game.

use crate::bindings::words::NumbersArmour;

/// The row of the Point Fire Table: up to a quarter of the range, to a half,
/// to the whole; none beyond.
pub fn point_row(range: i64, reach: i64) -> Option<i64> {
    match range {
        _ if range > reach => None,
        _ if range * 4 <= reach => Some(1),
        _ if range * 2 <= reach => Some(2),
        _ => Some(3),
    }
}

/// Its column, by how much the attack beats the defence; none at -6 or less.
pub fn point_column(differential: i64) -> Option<i64> {
    match differential {
        2.. => Some(1),
        -1..=1 => Some(2),
        -3..=-2 => Some(3),
        -5..=-4 => Some(4),
        _ => None,
    }
}

/// A fraction, one half and more up.
pub fn rounded(n: i64, by: i64) -> i64 {
    (n * 2 + by).div_euclid(by * 2)
}

/// A sum of fractions, rounded as one.
pub fn rounded_sum(fractions: impl IntoIterator<Item = (i64, i64)>) -> i64 {
    let (over, under) = fractions
        .into_iter()
        .fold((0, 1), |(over, under), (n, by)| {
            let common = under * by / common_factor(under, by);
            (over * (common / under) + n * (common / by), common)
        });
    rounded(over, under)
}

fn common_factor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

/// What firepower adds to the dice; nothing below 1. From 5 on it is a tenth,
/// rounded, up to 8.
pub fn firepower(fp: i64) -> Option<i64> {
    match fp {
        ..=0 => None,
        1 => Some(-2),
        2 => Some(-1),
        3..=4 => Some(0),
        _ => Some(rounded(fp, 10).min(8)),
    }
}

/// The place in a table of steps: the last one that begins at or below.
pub fn step_of(starts: &[i64], n: i64) -> usize {
    starts.iter().rposition(|start| *start <= n).unwrap_or(0)
}

/// The armour of a vehicle in the AT Roll Table, by its defence value.
pub fn armour(defence: i64) -> NumbersArmour {
    match defence {
        ..=1 => NumbersArmour::Light,
        2..=5 => NumbersArmour::Medium,
        _ => NumbersArmour::Heavy,
    }
}

/// What company morale recovers in an hour: a share, at least 1.
pub fn recovered(morale: i64, share: i64) -> i64 {
    if morale == 0 {
        0
    } else {
        rounded(morale, share).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armour_is_of_three_sorts() {
        let sorts = [0, 1, 2, 5, 6, 14].map(|defence| armour(defence).word());
        assert_eq!(
            sorts,
            ["light", "light", "medium", "medium", "heavy", "heavy"]
        );
    }

    #[test]
    fn the_table_is_read_by_range_and_differential() {
        assert_eq!(
            [0, 4, 5, 8, 9, 16, 17].map(|range| point_row(range, 16)),
            [Some(1), Some(1), Some(2), Some(2), Some(3), Some(3), None]
        );
        assert_eq!(
            [6, 2, 1, -1, -2, -4, -6].map(point_column),
            [Some(1), Some(1), Some(2), Some(2), Some(3), Some(4), None]
        );
    }

    #[test]
    fn a_half_is_rounded_up() {
        assert_eq!([14, 15, 16].map(|tenths| rounded(tenths, 10)), [1, 2, 2]);
    }

    #[test]
    fn a_sum_is_rounded_once() {
        assert_eq!(rounded_sum([(5, 2); 5]), 13);
        assert_eq!(rounded_sum([(1, 3), (1, 3), (5, 6)]), 2);
        assert_eq!(rounded_sum([(7, 1), (1, 4), (1, 4)]), 8);
        assert_eq!((rounded_sum([]), rounded_sum([(9, 4)])), (0, 2));
    }

    #[test]
    fn firepower_is_a_tenth_and_little_below_five() {
        let found = [0, 1, 2, 4, 5, 14, 15, 16, 25, 54, 300].map(firepower);
        let expected = [
            None,
            Some(-2),
            Some(-1),
            Some(0),
            Some(1),
            Some(1),
            Some(2),
            Some(2),
            Some(3),
        ];
        assert_eq!(found[..9], expected);
        assert_eq!(found[9..], [Some(5), Some(8)]);
    }

    #[test]
    fn company_morale_recovers_by_shares() {
        assert_eq!([3, 4, 8].map(|share| 7 - recovered(7, share)), [5, 5, 6]);
        assert_eq!((recovered(0, 3), recovered(1, 3)), (0, 1));
    }

    #[test]
    fn steps_of_a_table_begin_at_their_number() {
        assert_eq!(
            [-4, 0, 5, 6, 99].map(|n| step_of(&[0, 6, 10], n)),
            [0, 0, 0, 1, 2]
        );
    }
}
