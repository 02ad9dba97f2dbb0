//! Straight segments and how they meet.

use super::capsule;
use super::fraction::Ratio;
use super::length::Length;
use super::point::{Point, Vector, distance, round_ratio};

/// Which way three points turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The third point is to the left of the line from the first to the second.
    Left,
    /// The three points are on one line.
    Straight,
    /// The third point is to the right of it.
    Right,
}

/// Which way the points a, b, c turn. Exact.
///
/// ```
/// use kernel::geometry::{Point, Turn, turn};
/// let [a, b, c] = [(0, 0), (0, 5), (3, 9)].map(|(x, y)| Point::from_um(x, y));
/// assert_eq!(turn(a, b, c), Turn::Right);
/// ```
pub fn turn(a: Point, b: Point, c: Point) -> Turn {
    match (b - a).cross(c - a) {
        0 => Turn::Straight,
        n if n > 0 => Turn::Left,
        _ => Turn::Right,
    }
}

/// How a thing meets another, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contact {
    /// They share no point.
    Apart,
    /// They share edges or ends only.
    Touches,
    /// They share inner points.
    Crosses,
}

impl Contact {
    /// Whether they share any point.
    pub fn is_any(self) -> bool {
        self != Contact::Apart
    }
}

/// A straight segment with both its ends. The two may be one point.
///
/// ```
/// use kernel::geometry::{Contact, Point, Segment};
/// let at = |x, y| Point::from_um(x, y);
/// let wall = Segment::new(at(0, 0), at(10, 0));
/// assert_eq!(wall.meets(Segment::new(at(5, -5), at(5, 5))), Contact::Crosses);
/// assert_eq!(wall.meets(Segment::new(at(5, 0), at(5, 5))), Contact::Touches);
/// assert_eq!(wall.meets(Segment::new(at(5, 1), at(5, 5))), Contact::Apart);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// Where it starts.
    pub a: Point,
    /// Where it ends.
    pub b: Point,
}

impl Segment {
    /// The segment from one point to another.
    pub const fn new(a: Point, b: Point) -> Segment {
        Segment { a, b }
    }

    /// From its start to its end.
    pub fn vector(self) -> Vector {
        self.b - self.a
    }

    /// The same segment the other way round.
    pub fn reversed(self) -> Segment {
        Segment::new(self.b, self.a)
    }

    /// Its length, rounded up to the micrometre.
    pub fn length(self) -> Length {
        distance(self.a, self.b)
    }

    /// Whether a point lies on it. Exact.
    pub fn contains(self, point: Point) -> bool {
        let (to_a, to_b) = (self.a - point, self.b - point);
        to_a.cross(to_b) == 0 && to_a.dot(to_b) <= 0
    }

    /// How two segments meet. Exact.
    ///
    /// ```text
    ///     Crosses      Touches     Touches       Touches         Apart
    ///       \ /           /          |                              /
    ///        X           /        ---+---     a===b===a'==b'    ---
    ///       / \      ---+                     (on one line)
    /// ```
    ///
    /// They cross only in one point that is an end of neither.
    pub fn meets(self, other: Segment) -> Contact {
        let (u, v) = (self.vector(), other.vector());
        let sides = (
            u.cross(other.a - self.a).signum(),
            u.cross(other.b - self.a).signum(),
        );
        let other_sides = (
            v.cross(self.a - other.a).signum(),
            v.cross(self.b - other.a).signum(),
        );
        if sides.0 * sides.1 < 0 && other_sides.0 * other_sides.1 < 0 {
            return Contact::Crosses;
        }
        let has_end_on_it = self.contains(other.a)
            || self.contains(other.b)
            || other.contains(self.a)
            || other.contains(self.b);
        if has_end_on_it {
            Contact::Touches
        } else {
            Contact::Apart
        }
    }

    /// Whether a point is at most so far from its nearest point. Exact.
    ///
    /// ```
    /// use kernel::geometry::{Length, Point, Segment};
    /// let wall = Segment::new(Point::from_um(0, 0), Point::from_um(4_000, 3_000));
    /// assert!(wall.is_within(Point::from_um(3_000, -4_000), Length::MM * 5));
    /// assert!(!wall.is_within(Point::from_um(3_000, -4_000), Length::from_um(4_999)));
    /// ```
    pub fn is_within(self, point: Point, length: Length) -> bool {
        self.is_within_segment(Segment::new(point, point), length)
    }

    /// Whether some points of both are at most so far apart. Exact.
    pub fn is_within_segment(self, other: Segment, length: Length) -> bool {
        !length.is_negative()
            && capsule::contact(self, Ratio::START, Ratio::END, other, length.reach()).is_any()
    }

    /// Its point nearest to a point, each coordinate rounded to the nearest
    /// micrometre, halves away from its start.
    ///
    /// ```
    /// use kernel::geometry::{Point, Segment};
    /// let wall = Segment::new(Point::from_um(0, 0), Point::from_um(10, 0));
    /// assert_eq!(wall.nearest_point(Point::from_um(4, 7)), Point::from_um(4, 0));
    /// assert_eq!(wall.nearest_point(Point::from_um(14, 7)), Point::from_um(10, 0));
    /// ```
    pub fn nearest_point(self, point: Point) -> Point {
        let v = self.vector();
        let along = v.dot(point - self.a);
        if along <= 0 {
            return self.a;
        }
        if along >= v.squared() {
            return self.b;
        }
        // Here `along` is below 2^84 and a part of the vector within 2^41.
        let part = |n: i64| round_ratio(i128::from(n) * along, v.squared()) as i64;
        self.a + Vector::new(part(v.x()), part(v.y()))
    }
}
