//! Numbers of the rules that need no game.

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
