//! Hexes: distance, lines, rings, areas, ways and sight, in whole numbers.
//!
//! A hex has two axial coordinates, `q` and `r`; the third, `s = -q - r`, is
//! implied. Drawn with flat tops, north up:
//!
//! ```text
//!          ____
//!         /0,-1\            direction 0 is north, and they go clockwise:
//!    ____/      \____         0 north        ( 0,-1)
//!   /-1,0\      /1,-1\        1 north-east   ( 1,-1)
//!  /      \____/      \       2 south-east   ( 1, 0)
//!  \      /0,0 \      /       3 south        ( 0, 1)
//!   \____/      \____/        4 south-west   (-1, 1)
//!   /-1,1\      /1,0 \        5 north-west   (-1, 0)
//!  /      \____/      \
//!  \      /0,1 \      /
//!   \____/      \____/
//! ```
//!
//! The names of directions are for reading only; nothing here depends on how a
//! map is drawn. Coordinates lie within [`HEX_LIMIT`] of zero; beyond it they
//! are held there.

mod line;
mod sight;
mod ways;

#[cfg(test)]
mod tests;

pub use line::{HexStep, hex_line};
pub use sight::{HexEye, HexMet, Hexside, hex_sight, is_hex_blocked};
pub use ways::{HexCosts, HexReach, hex_path_cost, hex_reach};

use std::fmt;

/// Coordinates of hexes lie within this of zero, either way.
pub const HEX_LIMIT: i32 = 1 << 20;

/// More hexes than this no area or ring has; a radius past it is held there.
pub const LARGEST_RADIUS: u32 = 256;

/// A hex of a map, by its axial coordinates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hex {
    q: i32,
    r: i32,
}

/// The six neighbours of the hex at the origin, clockwise from north.
pub const HEX_DIRECTIONS: [Hex; 6] = [
    Hex { q: 0, r: -1 },
    Hex { q: 1, r: -1 },
    Hex { q: 1, r: 0 },
    Hex { q: 0, r: 1 },
    Hex { q: -1, r: 1 },
    Hex { q: -1, r: 0 },
];

impl Hex {
    /// The hex at the origin.
    pub const ORIGIN: Hex = Hex { q: 0, r: 0 };

    /// The hex of two coordinates, each held within [`HEX_LIMIT`].
    pub fn new(q: i64, r: i64) -> Hex {
        let held = |n: i64| n.clamp(-i64::from(HEX_LIMIT), i64::from(HEX_LIMIT)) as i32;
        Hex {
            q: held(q),
            r: held(r),
        }
    }

    /// The hex of two coordinates, if both are within [`HEX_LIMIT`].
    pub fn checked(q: i64, r: i64) -> Option<Hex> {
        let hex = Hex::new(q, r);
        (i64::from(hex.q) == q && i64::from(hex.r) == r).then_some(hex)
    }

    /// The hex of a column and row as maps print them: columns run north to
    /// south, and those with an odd number lie half a hex lower.
    ///
    /// ```
    /// use kernel::geometry::{Hex, hex_distance};
    /// assert_eq!(Hex::at(3, 4).column_row(), (3, 4));
    /// assert_eq!(hex_distance(Hex::at(2, 2), Hex::at(3, 2)), 1);
    /// ```
    pub fn at(column: i32, row: i32) -> Hex {
        let (column, row) = (i64::from(column), i64::from(row));
        Hex::new(column, row - (column - column.rem_euclid(2)) / 2)
    }

    /// Its column and row, as [`Hex::at`] takes them.
    pub fn column_row(self) -> (i32, i32) {
        (self.q, self.r + (self.q - self.q.rem_euclid(2)) / 2)
    }

    /// What it is called on maps: its column and row, if both have two digits;
    /// else its coordinates.
    ///
    /// ```
    /// use kernel::geometry::Hex;
    /// assert_eq!(Hex::at(3, 4).name(), "h0304");
    /// assert_eq!(Hex::new(-1, 4).name(), "<-1,4>");
    /// ```
    pub fn name(self) -> String {
        let (column, row) = self.column_row();
        let is_printed = |n: i32| (0..100).contains(&n);
        match is_printed(column) && is_printed(row) {
            true => format!("h{column:02}{row:02}"),
            false => self.to_string(),
        }
    }

    /// The hex of a name on maps, with the letter or without.
    ///
    /// ```
    /// use kernel::geometry::Hex;
    /// assert_eq!(Hex::named("h0304"), Some(Hex::at(3, 4)));
    /// assert_eq!(Hex::named("0304"), Some(Hex::at(3, 4)));
    /// for other in ["h03044", "h03", "x0304", "h+304", "huts"] {
    ///     assert_eq!(Hex::named(other), None);
    /// }
    /// ```
    pub fn named(name: &str) -> Option<Hex> {
        let digits = name.strip_prefix('h').unwrap_or(name);
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = |part: &str| part.parse().ok();
        Some(Hex::at(number(&digits[..2])?, number(&digits[2..])?))
    }

    /// The first coordinate.
    pub fn q(self) -> i32 {
        self.q
    }

    /// The second coordinate.
    pub fn r(self) -> i32 {
        self.r
    }

    /// The neighbour in a direction, 0 to 5 clockwise from north; others count
    /// round.
    #[must_use]
    pub fn neighbour(self, direction: u8) -> Hex {
        self.plus(HEX_DIRECTIONS[usize::from(direction) % 6], 1)
    }

    /// All six neighbours, clockwise from north.
    pub fn neighbours(self) -> [Hex; 6] {
        HEX_DIRECTIONS.map(|step| self.plus(step, 1))
    }

    fn plus(self, step: Hex, times: i64) -> Hex {
        let (q, r) = self.sum(step, times);
        Hex::new(q, r)
    }

    /// The same, if it is within [`HEX_LIMIT`].
    fn exactly(self, step: Hex, times: i64) -> Option<Hex> {
        let (q, r) = self.sum(step, times);
        Hex::checked(q, r)
    }

    fn sum(self, step: Hex, times: i64) -> (i64, i64) {
        (
            i64::from(self.q) + i64::from(step.q) * times,
            i64::from(self.r) + i64::from(step.r) * times,
        )
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{},{}>", self.q, self.r)
    }
}

/// How many steps lie between two hexes; 0 for one and the same.
pub fn hex_distance(a: Hex, b: Hex) -> u32 {
    let (q, r) = (
        i64::from(b.q) - i64::from(a.q),
        i64::from(b.r) - i64::from(a.r),
    );
    let most = q.abs().max(r.abs()).max((q + r).abs());
    // Within the limit of coordinates this is less than 2^23.
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// The direction in which b lies from a, where it lies straight that way.
pub fn hex_direction(a: Hex, b: Hex) -> Option<u8> {
    let steps = i64::from(hex_distance(a, b));
    let found = HEX_DIRECTIONS
        .iter()
        .position(|step| steps > 0 && a.exactly(*step, steps) == Some(b));
    found.and_then(|place| u8::try_from(place).ok())
}

/// The hexes at exactly so many steps, clockwise from the one in the north;
/// the centre itself at 0. A radius beyond [`LARGEST_RADIUS`] is held there;
/// hexes beyond [`HEX_LIMIT`] are left out.
pub fn hex_ring(centre: Hex, radius: u32) -> Vec<Hex> {
    let radius = radius.min(LARGEST_RADIUS);
    if radius == 0 {
        return vec![centre];
    }
    let mut ring = Vec::with_capacity(radius as usize * 6);
    let (mut q, mut r) = centre.sum(HEX_DIRECTIONS[0], i64::from(radius));
    // From the northern corner the first side runs south-east.
    for side in [2, 3, 4, 5, 0, 1] {
        let step = HEX_DIRECTIONS[side];
        for _ in 0..radius {
            ring.extend(Hex::checked(q, r));
            (q, r) = (q + i64::from(step.q), r + i64::from(step.r));
        }
    }
    ring
}

/// The hexes within so many steps: the centre, then ring by ring. Those beyond
/// [`HEX_LIMIT`] are left out.
pub fn hex_area(centre: Hex, radius: u32) -> Vec<Hex> {
    (0..=radius.min(LARGEST_RADIUS))
        .flat_map(|radius| hex_ring(centre, radius))
        .collect()
}
