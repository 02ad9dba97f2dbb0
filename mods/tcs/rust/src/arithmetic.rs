//! Numbers of the rules that need no game.

/// The row of the ATGM Table: to half the nominal range, to it, to twice it.
pub fn missile_row(range: i64, nominal: i64) -> Option<i64> {
    match range {
        _ if range > nominal * 2 => None,
        _ if range * 2 <= nominal => Some(1),
        _ if range <= nominal => Some(2),
        _ => Some(3),
    }
}

/// Its column, by attack against defence.
pub fn missile_column(differential: i64) -> Option<i64> {
    match differential {
        4.. => Some(1),
        1..=3 => Some(2),
        -2..=0 => Some(3),
        -5..=-3 => Some(4),
        _ => None,
    }
}

/// A fraction, one half and more up.
pub fn rounded(n: i64, by: i64) -> i64 {
    (n * 2 + by).div_euclid(by * 2)
}

/// A tenth, one half and more up, but at least so much.
pub fn tenth(n: i64, least: i64) -> i64 {
    rounded(n, 10).max(least)
}

/// Tubes lost to one counterbattery fire, `less` taken off the die first.
pub fn tubes_lost(die: i64, less: i64, divisor: i64) -> i64 {
    ((die - less) / divisor).max(0)
}

/// What comes off the dice for hexes (and smoke) beyond the limit.
pub fn night_modifier(beyond: i64, divisor: i64) -> i64 {
    -rounded(beyond, divisor)
}

/// In how many of 36 ways two dice come to a number or more.
pub fn ways(number: i64) -> i64 {
    match number {
        ..=2 => 36,
        3..=7 => 36 - (number - 2) * (number - 1) / 2,
        8..=12 => (13 - number) * (14 - number) / 2,
        _ => 0,
    }
}

/// How many tens of movement points lie between two amounts spent.
pub fn checks(before: i64, after: i64) -> i64 {
    after / 10 - before / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_two_dice() {
        let found: Vec<i64> = (1..=13).map(ways).collect();
        let mut counted = vec![0; 13];
        for (one, other) in (1..=6).flat_map(|one| (1..=6).map(move |other| (one, other))) {
            (1..=one + other).for_each(|number| counted[number - 1] += 1);
        }
        assert_eq!(found, counted);
    }

    #[test]
    fn missiles_are_best_in_the_middle() {
        assert_eq!(
            [1, 6, 7, 13, 14, 26, 27].map(|range| missile_row(range, 13)),
            [Some(1), Some(1), Some(2), Some(2), Some(3), Some(3), None]
        );
        assert_eq!(
            [7, 3, 1, 0, -2, -3, -5, -6].map(missile_column),
            [
                Some(1),
                Some(2),
                Some(2),
                Some(3),
                Some(3),
                Some(4),
                Some(4),
                None
            ]
        );
    }

    #[test]
    fn a_missile_is_wasted_on_troops() {
        assert_eq!([18, 14, 4].map(|av| tenth(av, 1)), [2, 1, 1]);
        assert_eq!(tenth(4, 0), 0);
    }

    #[test]
    fn few_tubes_do_little() {
        assert_eq!(tubes_lost(5, 0, 3), 1);
        assert_eq!(tubes_lost(4, 2, 3), 0);
        assert_eq!(tubes_lost(4, 0, 2), 2);
        assert_eq!(tubes_lost(1, 2, 3), 0);
        assert_eq!([1, 3, 4].map(|die| tubes_lost(die, 0, 2)), [0, 1, 2]);
    }

    #[test]
    fn the_dark_is_counted() {
        assert_eq!(night_modifier(7, 5), -1);
        assert_eq!(night_modifier(8, 5), -2);
        assert_eq!(night_modifier(6, 4), -2);
        assert_eq!(night_modifier(0, 4), 0);
    }

    #[test]
    fn a_helicopter_is_fired_at_every_ten_points() {
        assert_eq!((1..=25).map(|n| checks(n - 1, n)).sum::<i64>(), 2);
        assert_eq!((1..=4).map(|n| checks(n * 5 - 5, n * 5)).sum::<i64>(), 2);
        assert_eq!(checks(5, 25), 2);
    }
}
