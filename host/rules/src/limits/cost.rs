//! What the functions of the host cost, in checks. Each cost is paid before the
//! work is done, and bounds what the answer can take of memory.

use kernel::chits::MOST_CHITS;

/// A point or a hex that is given: as a table, or as an entity that stands there.
const PLACE: u64 = 4;

/// A row of a table that is given: what a way costs, how high a hex is.
const ROW: u64 = 24;

/// A corner of an area that is measured against a line.
const CORNER: u64 = 4;

/// So many points or hexes that are given.
pub fn places(count: usize) -> u64 {
    count as u64 * PLACE
}

/// So many rows that are given.
pub fn rows(count: usize) -> u64 {
    count as u64 * ROW
}

/// So many values that are looked at one by one.
pub fn items(count: usize) -> u64 {
    count as u64
}

/// So many chits that are drawn, as far as a pot can hold them.
pub fn chits(count: u32) -> u64 {
    u64::from(count.min(MOST_CHITS))
}

/// A polygon with so many corners: every edge is held against every other.
pub fn polygon(corners: usize) -> u64 {
    square(corners) / 2
}

/// What an area with so many corners costs each time it is measured.
pub fn area(corners: usize) -> u64 {
    (corners as u64).saturating_mul(CORNER)
}

/// Groups of so many points: each is held against each other.
pub fn connected(points: usize) -> u64 {
    square(points) / 4
}

/// The stretches of a leg through so many areas, with so many corners in all:
/// each edge may cut the leg, and each stretch may lie in all of them.
pub fn stretches(areas: usize, corners: usize) -> u64 {
    square(areas.saturating_add(corners)).saturating_add(area(corners))
}

/// All hexes within a radius.
pub fn hex_area(radius: u32) -> u64 {
    let radius = u64::from(radius);
    (3 * radius * (radius + 1) + 1) * PLACE
}

/// The hexes at a radius.
pub fn hex_ring(radius: u32) -> u64 {
    (6 * u64::from(radius) + 1) * PLACE
}

/// The hexes of a line between hexes so far apart.
pub fn hex_line(distance: u32) -> u64 {
    (u64::from(distance) + 1) * (2 * PLACE)
}

/// A hex that is reached, with its six neighbours.
pub const HEX_REACHED: u64 = 6 * PLACE;

fn square(count: usize) -> u64 {
    (count as u64).saturating_mul(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::BUDGET;

    #[test]
    fn what_grows_with_the_square_is_refused_in_time() {
        assert!(connected(30_000) > BUDGET && connected(1_000) < BUDGET / 10);
        assert!(stretches(30_000, 30_000) > BUDGET && stretches(200, 200) < BUDGET / 10);
        assert!(polygon(30_000) > BUDGET && polygon(500) < BUDGET / 10);
        assert_eq!(polygon(usize::MAX), u64::MAX / 2);
    }
}
