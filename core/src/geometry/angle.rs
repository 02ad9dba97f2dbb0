//! Angles in minutes of arc, and the table of integer directions.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use super::point::Vector;

/// The length of every vector of the table of directions, before rounding: 2^30.
pub const DIRECTION_SCALE: i64 = 1 << 30;

const FULL: i32 = 360 * 60;
const QUARTER: i32 = 90 * 60;
const EIGHTH: usize = 45 * 60;

/// An angle or a turn in minutes of arc, clockwise; a degree has 60.
///
/// It is not normalised by itself: a turn of 450 degrees is more than one of 90.
/// Operators saturate.
///
/// ```
/// use kernel::geometry::Angle;
/// let turn = Angle::degrees(-30);
/// assert_eq!(turn.normalised(), Angle::degrees(330));
/// assert_eq!(Angle::from_minutes(1350).to_string(), "22°30'");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Angle(i32);

impl Angle {
    /// No angle at all.
    pub const ZERO: Angle = Angle(0);
    /// A right angle.
    pub const RIGHT: Angle = Angle(QUARTER);
    /// Half a turn.
    pub const HALF: Angle = Angle(2 * QUARTER);
    /// A full turn.
    pub const FULL: Angle = Angle(FULL);

    /// So many minutes of arc.
    pub const fn from_minutes(minutes: i32) -> Angle {
        Angle(minutes)
    }

    /// So many degrees, saturating.
    pub const fn degrees(n: i32) -> Angle {
        Angle(n.saturating_mul(60))
    }

    /// The angle in minutes of arc.
    pub const fn minutes(self) -> i32 {
        self.0
    }

    /// The same angle within one turn: from 0 to just below 360 degrees.
    pub const fn normalised(self) -> Angle {
        Angle(self.0.rem_euclid(FULL))
    }

    /// The same angle without its sign, saturating.
    pub const fn abs(self) -> Angle {
        Angle(self.0.saturating_abs())
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        match minutes % 60 {
            0 => write!(f, "{sign}{}°", minutes / 60),
            rest => write!(f, "{sign}{}°{rest:02}'", minutes / 60),
        }
    }
}

impl Add for Angle {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle {
        Angle(self.0.saturating_add(other.0))
    }
}

impl Sub for Angle {
    type Output = Angle;
    fn sub(self, other: Angle) -> Angle {
        Angle(self.0.saturating_sub(other.0))
    }
}

impl Mul<i32> for Angle {
    type Output = Angle;
    fn mul(self, factor: i32) -> Angle {
        Angle(self.0.saturating_mul(factor))
    }
}

impl Neg for Angle {
    type Output = Angle;
    fn neg(self) -> Angle {
        Angle(self.0.saturating_neg())
    }
}

/// A facing: a whole minute of arc clockwise from north, from 0 to 21,599.
///
/// ```text
///    [`vector`](Direction::vector) = 2^30 * (sin, cos), each rounded to the nearest integer
/// ```
///
/// The table is the same under quarter turns and mirroring, so that opposite
/// directions have exactly opposite vectors.
///
/// ```
/// use kernel::geometry::{Angle, Direction};
/// let facing = Direction::NORTH.turned(Angle::degrees(-45));
/// assert_eq!(facing, Direction::degrees(315));
/// assert_eq!(facing.clockwise_to(Direction::EAST), Angle::degrees(135));
/// assert_eq!(Direction::EAST.vector().x(), 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(u16);

impl Direction {
    /// Up the table, along +y.
    pub const NORTH: Direction = Direction(0);
    /// To the right, along +x.
    pub const EAST: Direction = Direction(QUARTER as u16);
    /// Down the table, along -y.
    pub const SOUTH: Direction = Direction(2 * QUARTER as u16);
    /// To the left, along -x.
    pub const WEST: Direction = Direction(3 * QUARTER as u16);

    /// So many minutes of arc clockwise from north; whole turns are dropped.
    pub const fn from_minutes(minutes: i32) -> Direction {
        Direction(minutes.rem_euclid(FULL) as u16)
    }

    /// So many degrees clockwise from north; whole turns are dropped.
    pub const fn degrees(n: i32) -> Direction {
        Direction::from_minutes((n % 360) * 60)
    }

    /// Minutes of arc clockwise from north, 0 to 21,599.
    pub const fn minutes(self) -> i32 {
        self.0 as i32
    }

    /// This direction after a turn, clockwise if positive.
    pub const fn turned(self, by: Angle) -> Direction {
        Direction::from_minutes(self.minutes() + by.0 % FULL)
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Direction {
        self.turned(Angle::HALF)
    }

    /// The clockwise turn from this direction to another: 0 to just below 360 degrees.
    pub const fn clockwise_to(self, other: Direction) -> Angle {
        Angle(other.minutes() - self.minutes()).normalised()
    }

    /// The angle between two directions, whichever way is shorter: 0 to 180 degrees.
    ///
    /// ```
    /// use kernel::geometry::{Angle, Direction};
    /// assert_eq!(Direction::degrees(350).between(Direction::degrees(10)), Angle::degrees(20));
    /// ```
    pub fn between(self, other: Direction) -> Angle {
        self.clockwise_to(other).min(other.clockwise_to(self))
    }

    /// The vector of this direction from the published table, of length
    /// [`DIRECTION_SCALE`] before rounding.
    pub fn vector(self) -> Vector {
        let (sin, cos) = first_quadrant(i32::from(self.0) % QUARTER);
        let (x, y) = match i32::from(self.0) / QUARTER {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        };
        Vector::new(x, y)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Angle(self.minutes()).fmt(f)
    }
}

/// Sine and cosine, times 2^30, of 0 to 5,400 minutes.
fn first_quadrant(minutes: i32) -> (i64, i64) {
    let index = minutes.unsigned_abs() as usize;
    let entry = |i: usize| {
        TABLE
            .get(i)
            .map_or((0, 0), |&(sin, cos)| (i64::from(sin), i64::from(cos)))
    };
    if index <= EIGHTH {
        entry(index)
    } else {
        let (sin, cos) = entry((2 * EIGHTH).saturating_sub(index));
        (cos, sin)
    }
}

/// Sine and cosine of each minute of the first 45 degrees, times 2^30.
static TABLE: [(i32, i32); EIGHTH + 1] = table();

/// Fixed point with 60 binary places. The series below err by less than 2^-55,
/// and no sine or cosine of a whole minute lies so near to a half of 2^-30.
const ONE: i128 = 1 << 60;
/// Pi with 60 binary places, to the nearest.
const PI: i128 = 3_622_009_729_038_561_421;

const fn table() -> [(i32, i32); EIGHTH + 1] {
    let mut table = [(0, 0); EIGHTH + 1];
    let mut minute = 0;
    while minute <= EIGHTH {
        let angle = PI * minute as i128 / 10_800;
        table[minute] = (
            to_scale(series(angle, angle, 1)),
            to_scale(series(ONE, angle, 0)),
        );
        minute += 1;
    }
    table
}

/// The Taylor series that begins with `term`, the power `order` of the angle.
const fn series(first: i128, angle: i128, order: i128) -> i128 {
    let square = angle * angle / ONE;
    let mut term = first;
    let mut sum = first;
    let mut n = order;
    while term != 0 {
        term = -(term * square / ONE) / ((n + 1) * (n + 2));
        sum += term;
        n += 2;
    }
    sum
}

const fn to_scale(value: i128) -> i32 {
    ((value + (1 << 29)) >> 30) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str = include_str!("../../../tests/vectors/directions.txt");

    fn whole_table() -> impl Iterator<Item = (i64, i64)> {
        (0..FULL)
            .map(|minute| Direction::from_minutes(minute).vector())
            .map(|v| (v.x(), v.y()))
    }

    #[test]
    fn directions_agree_with_the_published_sample() {
        let mut seen = 0;
        for line in VECTORS
            .lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        {
            let numbers: Vec<i64> = line
                .split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect();
            let vector = Direction::from_minutes(numbers[0] as i32).vector();
            assert_eq!(
                (vector.x(), vector.y()),
                (numbers[1], numbers[2]),
                "minute {}",
                numbers[0]
            );
            seen += 1;
        }
        assert!(seen >= 100, "only {seen} directions in the sample");
    }

    #[test]
    fn the_whole_table_has_the_published_checksum() {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for (minute, (x, y)) in whole_table().enumerate() {
            for byte in format!("{minute} {x} {y}\n").bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        let published = VECTORS
            .lines()
            .find_map(|line| line.strip_prefix("fnv1a64 "));
        assert_eq!(published, Some(format!("{hash:016x}").as_str()));
    }

    #[test]
    fn each_direction_lies_clockwise_of_the_one_before() {
        let table: Vec<_> = whole_table().collect();
        for (i, &(x, y)) in table.iter().enumerate() {
            let (nx, ny) = table[(i + 1) % table.len()];
            assert!(
                i128::from(x) * i128::from(ny) < i128::from(y) * i128::from(nx),
                "minute {i}"
            );
            let (ox, oy) = table[(i + table.len() / 2) % table.len()];
            assert_eq!((ox, oy), (-x, -y));
        }
    }

    #[test]
    fn angles_print_as_degrees_and_minutes() {
        assert_eq!(Angle::degrees(45).to_string(), "45°");
        assert_eq!(Angle::from_minutes(-61).to_string(), "-1°01'");
        assert_eq!(Direction::from_minutes(-1).to_string(), "359°59'");
        assert_eq!(
            Direction::degrees(i32::MIN).minutes(),
            i32::MIN.rem_euclid(360) * 60
        );
    }
}
