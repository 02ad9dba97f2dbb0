//! Numbers of the rules that need no game.

/// The row of the ATGM Table: to half the nominal range, to it, to twice it.
pub fn missile_row(range: i64, nominal: i64, minimum: i64) -> Option<i64> {
    match range {
        _ if range <= minimum || range > nominal * 2 => None,
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

/// Tubes lost to one counterbattery fire.
pub fn tubes_lost(die: i64, is_improved: bool, tubes: i64, is_launcher: bool) -> i64 {
    let less = if tubes <= 2 && !is_launcher { 2 } else { 0 };
    ((die - less) / if is_improved { 2 } else { 3 }).max(0)
}

/// What comes off the dice for hexes (and smoke) beyond the limit.
pub fn night_modifier(beyond: i64, divisor: i64) -> i64 {
    -((beyond * 2 + divisor).div_euclid(divisor * 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missiles_are_best_in_the_middle() {
        assert_eq!(
            [1, 2, 6, 7, 13, 14, 26, 27].map(|range| missile_row(range, 13, 1)),
            [None, Some(1), Some(1), Some(2), Some(2), Some(3), Some(3), None]
        );
        assert_eq!(
            [missile_row(3, 4, 3), missile_row(4, 4, 3), missile_row(8, 4, 3), missile_row(9, 4, 3)],
            [None, Some(2), Some(3), None]
        );
        assert_eq!(
            [7, 3, 1, 0, -2, -3, -5, -6].map(missile_column),
            [Some(1), Some(2), Some(2), Some(3), Some(3), Some(4), Some(4), None]
        );
    }

    #[test]
    fn few_tubes_do_little() {
        assert_eq!(tubes_lost(5, false, 6, false), 1);
        assert_eq!(tubes_lost(4, false, 2, false), 0);
        assert_eq!(tubes_lost(4, true, 1, true), 2);
        assert_eq!(tubes_lost(1, false, 2, false), 0);
        assert_eq!([1, 3, 4].map(|die| tubes_lost(die, true, 6, false)), [0, 1, 2]);
    }

    #[test]
    fn the_dark_is_counted() {
        assert_eq!(night_modifier(7, 5), -1);
        assert_eq!(night_modifier(8, 5), -2);
        assert_eq!(night_modifier(6, 4), -2);
        assert_eq!(night_modifier(0, 4), 0);
    }
}
