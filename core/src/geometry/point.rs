//! Points, vectors, distances, bearings.

use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

use super::angle::{DIRECTION_SCALE, Direction};
use super::length::Length;

/// Coordinates and heights lie within this many micrometres of zero: 2^40.
pub const COORDINATE_LIMIT: Length = Length::from_um(1 << 40);

/// A place on the table: x to the right, y up the table.
///
/// ```
/// use kernel::geometry::{Length, Point};
/// let point = Point::new(Length::inches(13), Length::inches(12));
/// assert_eq!(point, Point::from_um(330_200, 304_800));
/// assert_eq!(Point::from_um(i64::MAX, 0).x(), kernel::geometry::COORDINATE_LIMIT);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    x: Length,
    y: Length,
}

impl Point {
    /// Where both coordinates are zero.
    pub const ORIGIN: Point = Point {
        x: Length::ZERO,
        y: Length::ZERO,
    };

    /// The point with these coordinates, each held within [`COORDINATE_LIMIT`].
    pub fn new(x: Length, y: Length) -> Point {
        Point {
            x: x.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
            y: y.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
        }
    }

    /// The point with these coordinates in micrometres, each held within [`COORDINATE_LIMIT`].
    pub fn from_um(x: i64, y: i64) -> Point {
        Point::new(Length::from_um(x), Length::from_um(y))
    }

    /// The point with these coordinates, or `None` if one is past [`COORDINATE_LIMIT`].
    pub fn checked(x: Length, y: Length) -> Option<Point> {
        let point = Point::new(x, y);
        (point.x == x && point.y == y).then_some(point)
    }

    /// How far to the right.
    pub const fn x(self) -> Length {
        self.x
    }

    /// How far up the table.
    pub const fn y(self) -> Length {
        self.y
    }
}

/// A difference of two points, in micrometres, or a direction of the table.
/// Each part lies within 2^41 of zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector {
    x: i64,
    y: i64,
}

impl Vector {
    const LIMIT: i64 = 2 * COORDINATE_LIMIT.um();

    /// The vector with these parts, each held within 2^41 of zero.
    pub fn new(x: i64, y: i64) -> Vector {
        Vector {
            x: x.clamp(-Self::LIMIT, Self::LIMIT),
            y: y.clamp(-Self::LIMIT, Self::LIMIT),
        }
    }

    /// To the right.
    pub const fn x(self) -> i64 {
        self.x
    }

    /// Up the table.
    pub const fn y(self) -> i64 {
        self.y
    }

    /// Positive if `other` points to the left of this vector (counter-clockwise),
    /// negative if to the right, zero if both lie on one line. Below 2^84.
    ///
    /// ```
    /// use kernel::geometry::Direction;
    /// let (north, east) = (Direction::NORTH.vector(), Direction::EAST.vector());
    /// assert!(north.cross(east) < 0);
    /// ```
    pub fn cross(self, other: Vector) -> i128 {
        i128::from(self.x) * i128::from(other.y) - i128::from(self.y) * i128::from(other.x)
    }

    /// Positive if `other` points forward along this vector, negative if
    /// backward, zero if square to it. Below 2^84.
    pub fn dot(self, other: Vector) -> i128 {
        i128::from(self.x) * i128::from(other.x) + i128::from(self.y) * i128::from(other.y)
    }

    /// The square of its length, exactly. Below 2^84.
    pub fn squared(self) -> i128 {
        self.dot(self)
    }

    /// Whether both parts are zero.
    pub const fn is_zero(self) -> bool {
        self.x == 0 && self.y == 0
    }

    /// Its length, rounded up to the micrometre.
    pub fn length(self) -> Length {
        let squared = self.squared().unsigned_abs();
        let root = squared.isqrt();
        let up = u128::from(root * root < squared);
        Length::from_um((root + up) as i64)
    }
}

impl Sub for Point {
    type Output = Vector;
    fn sub(self, other: Point) -> Vector {
        Vector::new(self.x.um() - other.x.um(), self.y.um() - other.y.um())
    }
}

impl Add<Vector> for Point {
    type Output = Point;
    fn add(self, by: Vector) -> Point {
        Point::from_um(self.x.um() + by.x, self.y.um() + by.y)
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        Vector {
            x: -self.x,
            y: -self.y,
        }
    }
}

/// The distance between two points, rounded up to the micrometre.
///
/// Rounding up makes `distance(a, b) <= range` the same as [`within`], whatever
/// the range.
///
/// ```
/// use kernel::geometry::{Length, Point, distance};
/// let a = Point::ORIGIN;
/// assert_eq!(distance(a, Point::from_um(3, 4)), Length::from_um(5));
/// assert_eq!(distance(a, Point::from_um(1, 1)), Length::from_um(2));
/// ```
pub fn distance(a: Point, b: Point) -> Length {
    (b - a).length()
}

/// Whether two points are at most so far apart. Exact.
///
/// ```
/// use kernel::geometry::{Length, Point, within};
/// let gun = Point::ORIGIN;
/// assert!(within(gun, Point::from_um(3_000, 4_000), Length::MM * 5));
/// assert!(!within(gun, Point::from_um(3_000, 4_001), Length::MM * 5));
/// ```
pub fn within(a: Point, b: Point, length: Length) -> bool {
    compare_distance(a, b, length).is_le()
}

/// Whether two points are more than so far apart: the opposite of [`within`].
pub fn beyond(a: Point, b: Point, length: Length) -> bool {
    compare_distance(a, b, length).is_gt()
}

/// How the distance of two points compares with a length. Exact.
pub(super) fn compare_distance(a: Point, b: Point, length: Length) -> Ordering {
    if length.is_negative() {
        return Ordering::Greater;
    }
    let reach = i128::from(length.reach().um());
    (b - a).squared().cmp(&(reach * reach))
}

/// The direction from one point to another, to the nearest minute of arc;
/// `None` if they are the same point.
///
/// The border between two neighbouring directions is the sum of their two
/// vectors in the table (the half minute, to within 2^-30 of a radian); what
/// lies on the border goes to the clockwise one. So the bearing back is
/// always exactly opposite.
///
/// ```
/// use kernel::geometry::{Direction, Point, bearing};
/// let here = Point::ORIGIN;
/// assert_eq!(bearing(here, Point::from_um(5, 5)), Some(Direction::degrees(45)));
/// assert_eq!(bearing(here, Point::from_um(-9, 0)), Some(Direction::WEST));
/// assert_eq!(bearing(here, here), None);
/// ```
pub fn bearing(from: Point, to: Point) -> Option<Direction> {
    let v = to - from;
    // Turn the vector back by quarters until it points up, or up and right.
    let (quarters, v) = match (v.x, v.y) {
        (0, 0) => return None,
        (x, y) if x >= 0 && y > 0 => (0, v),
        (x, y) if x > 0 => (1, Vector { x: -y, y: x }),
        (x, y) if y < 0 => (2, Vector { x: -x, y: -y }),
        (x, y) => (3, Vector { x: y, y: -x }),
    };
    let (mut low, mut high) = (0, 5400);
    while low < high {
        let middle = (low + high) / 2;
        if is_at_or_past_border(v, middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(Direction::from_minutes(quarters * 5400 + low))
}

/// Whether a vector lies clockwise of, or on, the border between a minute and the next.
fn is_at_or_past_border(v: Vector, minute: i32) -> bool {
    let (here, next) = (
        Direction::from_minutes(minute).vector(),
        Direction::from_minutes(minute + 1).vector(),
    );
    Vector {
        x: here.x + next.x,
        y: here.y + next.y,
    }
    .cross(v)
        <= 0
}

/// The point so far from one point toward another, and past it if the length
/// is more than their distance; backward for a negative length. The two points
/// count as [`distance`] apart, so at that length it is exactly the second.
/// Each coordinate is rounded to the nearest micrometre, halves away from
/// `from`. `from` itself if the two are one.
///
/// ```
/// use kernel::geometry::{Length, Point, toward};
/// let to = Point::from_um(3_000, 4_000);
/// assert_eq!(toward(Point::ORIGIN, to, Length::MM), Point::from_um(600, 800));
/// ```
pub fn toward(from: Point, to: Point, length: Length) -> Point {
    let v = to - from;
    let whole = i128::from(v.length().um());
    if whole == 0 {
        return from;
    }
    let part = |n: i64| round_ratio(i128::from(n) * i128::from(length.um()), whole);
    displaced(from, part(v.x), part(v.y))
}

/// The point so far from a point in a direction; backward for a negative
/// length. Each coordinate is rounded to the nearest micrometre, halves away
/// from `from`.
///
/// ```
/// use kernel::geometry::{Direction, Length, Point, offset};
/// let moved = offset(Point::ORIGIN, Direction::degrees(90), Length::INCH);
/// assert_eq!(moved, Point::from_um(25_400, 0));
/// ```
pub fn offset(from: Point, direction: Direction, length: Length) -> Point {
    let v = direction.vector();
    let part = |n: i64| {
        round_ratio(
            i128::from(n) * i128::from(length.um()),
            i128::from(DIRECTION_SCALE),
        )
    };
    displaced(from, part(v.x), part(v.y))
}

fn displaced(from: Point, x: i128, y: i128) -> Point {
    let limit = i128::from(Vector::LIMIT);
    from + Vector {
        x: x.clamp(-limit, limit) as i64,
        y: y.clamp(-limit, limit) as i64,
    }
}

/// A ratio with a positive denominator, to the nearest integer, halves away from zero.
pub(super) fn round_ratio(numerator: i128, denominator: i128) -> i128 {
    let (quotient, rest) = (numerator / denominator, numerator % denominator);
    if rest.abs() >= denominator - rest.abs() {
        quotient + numerator.signum()
    } else {
        quotient
    }
}

/// Those of the points that are nearest to a point, by index in the order
/// given: several if they tie, none if there are no points. Exact.
///
/// ```
/// use kernel::geometry::{Point, nearest};
/// let points = [Point::from_um(9, 0), Point::from_um(0, 5), Point::from_um(3, -4)];
/// assert_eq!(nearest(Point::ORIGIN, &points), [1, 2]);
/// ```
pub fn nearest(from: Point, points: &[Point]) -> Vec<usize> {
    let least = points.iter().map(|&point| (point - from).squared()).min();
    indices(points, |point| Some((point - from).squared()) == least)
}

/// Those of the points [`within`] a length of a point, by index in the order given.
///
/// ```
/// use kernel::geometry::{Length, Point, list_beyond, list_within};
/// let points = [Point::from_um(9, 0), Point::from_um(0, 5)];
/// assert_eq!(list_within(Point::ORIGIN, &points, Length::from_um(5)), [1]);
/// assert_eq!(list_beyond(Point::ORIGIN, &points, Length::from_um(5)), [0]);
/// ```
pub fn list_within(from: Point, points: &[Point], length: Length) -> Vec<usize> {
    indices(points, |point| within(from, point, length))
}

/// Those of the points [`beyond`] a length of a point, by index in the order given.
pub fn list_beyond(from: Point, points: &[Point], length: Length) -> Vec<usize> {
    indices(points, |point| beyond(from, point, length))
}

fn indices(points: &[Point], holds: impl Fn(Point) -> bool) -> Vec<usize> {
    points
        .iter()
        .enumerate()
        .filter(|&(_, &point)| holds(point))
        .map(|(index, _)| index)
        .collect()
}

/// The points in groups, chained by gaps of at most `link`, by index.
///
/// Groups come in the order of their first member, members in the order given.
///
/// ```text
///    0--1--2     gap     4--5        groups [0, 1, 2], [3], [4, 5]
///                     3
/// ```
///
/// ```
/// use kernel::geometry::{Length, Point, connected};
/// let points: Vec<Point> = [0, 50, 20, 10].map(|x| Point::from_um(x, 0)).to_vec();
/// assert_eq!(connected(&points, Length::from_um(10)), vec![vec![0, 2, 3], vec![1]]);
/// ```
pub fn connected(points: &[Point], link: Length) -> Vec<Vec<usize>> {
    let mut free: Vec<usize> = (0..points.len()).collect();
    let mut groups = Vec::new();
    while !free.is_empty() {
        let mut group = vec![free.remove(0)];
        let mut next = 0;
        while let Some(&Some(&point)) = group.get(next).map(|&index| points.get(index)).as_ref() {
            let is_linked = |&index: &usize| {
                points
                    .get(index)
                    .is_some_and(|&other| within(point, other, link))
            };
            let (linked, apart): (Vec<usize>, Vec<usize>) = free.into_iter().partition(is_linked);
            group.extend(linked);
            free = apart;
            next += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
