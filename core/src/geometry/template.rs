//! Templates: what a blast, a spray or a burst covers.

use super::angle::{Angle, Direction};
use super::arc::Arc;
use super::length::Length;
use super::point::{Point, compare_distance, within};
use super::segment::Segment;
use super::shape::Disc;
use super::wide::{Wide, compare_products};

/// How a template covers a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coverage {
    /// Not at all.
    Clear,
    /// Some of it, if only its edge.
    Partly,
    /// All of it, its edge included.
    Wholly,
}

/// An area laid on the table for a moment. Its edges belong to it.
///
/// ```text
///      Disc        Ring         Sector         Strip
///                 .---.        \     /       +---------+
///      (*)       ( (*) )        \ * /        *---------*
///                 '---'          \ /         +---------+
///                                 *
/// ```
///
/// ```
/// use kernel::geometry::{Angle, Coverage, Direction, Disc, Length, Point, Sector, Template};
/// let flame: Template =
///     Sector::new(Point::ORIGIN, Direction::NORTH, Angle::degrees(45), Length::from_um(50)).into();
/// assert!(flame.covers(Point::from_um(10, 10)));
/// let base = |x, y| Disc::new(Point::from_um(x, y), Length::from_um(5));
/// assert_eq!(flame.covers_base(base(0, 55)), Coverage::Partly);
/// assert_eq!(flame.covers_base(base(0, 45)), Coverage::Wholly);
/// assert_eq!(flame.covers_base(base(0, -6)), Coverage::Clear);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// A blast.
    Disc(Disc),
    /// A blast with a hole.
    Ring(Ring),
    /// A cone.
    Sector(Sector),
    /// A beaten zone.
    Strip(Strip),
}

impl Template {
    /// Whether it covers a point. Exact.
    pub fn covers(&self, point: Point) -> bool {
        self.covers_base(Disc::new(point, Length::ZERO)) != Coverage::Clear
    }

    /// How it covers a round base. Exact. A base of no radius is covered
    /// wholly or not at all.
    pub fn covers_base(&self, base: Disc) -> Coverage {
        let (reaches, holds) = match self {
            Template::Disc(disc) => (disc.meets_disc(base).is_any(), disc_holds(*disc, base)),
            Template::Ring(ring) => (ring.reaches(base), ring.holds(base)),
            Template::Sector(sector) => (sector.reaches(base), sector.holds(base)),
            Template::Strip(strip) => (strip.reaches(base), strip.holds(base)),
        };
        match (reaches, holds) {
            (_, true) => Coverage::Wholly,
            (true, false) => Coverage::Partly,
            (false, false) => Coverage::Clear,
        }
    }
}

impl From<Disc> for Template {
    fn from(disc: Disc) -> Template {
        Template::Disc(disc)
    }
}

impl From<Ring> for Template {
    fn from(ring: Ring) -> Template {
        Template::Ring(ring)
    }
}

impl From<Sector> for Template {
    fn from(sector: Sector) -> Template {
        Template::Sector(sector)
    }
}

impl From<Strip> for Template {
    fn from(strip: Strip) -> Template {
        Template::Strip(strip)
    }
}

fn disc_holds(disc: Disc, base: Disc) -> bool {
    within(disc.centre(), base.centre(), disc.radius() - base.radius())
}

/// All points from one distance to another around a centre.
///
/// ```
/// use kernel::geometry::{Length, Point, Ring, Template};
/// let ring: Template = Ring::new(Point::ORIGIN, Length::inches(2), Length::inches(4)).into();
/// assert!(ring.covers(Point::new(Length::inches(2), Length::ZERO)));
/// assert!(!ring.covers(Point::new(Length::INCH, Length::INCH)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    centre: Point,
    inner: Length,
    outer: Length,
}

impl Ring {
    /// The ring between two radii, in either order, each held between zero and
    /// 2^42 micrometres.
    pub fn new(centre: Point, one: Length, other: Length) -> Ring {
        let (one, other) = (one.reach(), other.reach());
        Ring {
            centre,
            inner: one.min(other),
            outer: one.max(other),
        }
    }

    fn reaches(self, base: Disc) -> bool {
        within(self.centre, base.centre(), self.outer + base.radius())
            && compare_distance(self.centre, base.centre(), self.inner - base.radius()).is_ge()
    }

    fn holds(self, base: Disc) -> bool {
        within(self.centre, base.centre(), self.outer - base.radius())
            && (self.inner == Length::ZERO
                || compare_distance(self.centre, base.centre(), self.inner + base.radius()).is_ge())
    }
}

/// All points up to a distance and within an angle to either side of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sector {
    origin: Point,
    direction: Direction,
    arc: Arc,
    length: Length,
}

impl Sector {
    /// The sector from an origin: so far to either side of a direction (0 to
    /// 180 degrees), so long (held between zero and 2^42 micrometres).
    pub fn new(origin: Point, direction: Direction, half_angle: Angle, length: Length) -> Sector {
        Sector {
            origin,
            direction,
            arc: Arc::new(Angle::ZERO, half_angle),
            length: length.reach(),
        }
    }

    fn reaches(self, base: Disc) -> bool {
        let in_arc = self
            .arc
            .contains(self.origin, self.direction, base.centre());
        if in_arc {
            return within(self.origin, base.centre(), self.length + base.radius());
        }
        self.sides()
            .into_iter()
            .any(|side| self.side_within(side, base.centre(), base.radius(), true))
    }

    fn holds(self, base: Disc) -> bool {
        let (centre, radius) = (base.centre(), base.radius());
        if !self.arc.contains(self.origin, self.direction, centre)
            || !within(self.origin, centre, self.length - radius)
        {
            return false;
        }
        let has_sides = self.arc.half_width() < Angle::HALF;
        let is_cut = |side| self.side_within(side, centre, radius, false);
        radius == Length::ZERO || !has_sides || !self.sides().into_iter().any(is_cut)
    }

    fn sides(self) -> [Direction; 2] {
        let (left, right) = self.arc.edges(self.direction);
        [left, right]
    }

    /// Whether the straight side in that direction is so near to a point: at
    /// most so far with `inclusive`, nearer than that without.
    fn side_within(self, side: Direction, point: Point, radius: Length, inclusive: bool) -> bool {
        // In units of the side's vector d (about 2^30 long): the point is
        // dot / |d| along the side and cross / |d| away from its line.
        let (d, v) = (side.vector(), point - self.origin);
        let (dot, cross) = (d.dot(v), d.cross(v));
        let (length, radius) = (i128::from(self.length.um()), i128::from(radius.um()));
        let square = d.squared().unsigned_abs();
        let order = if dot <= 0 {
            v.squared().cmp(&(radius * radius))
        } else if Wide::square(dot) <= Wide::product((length * length).unsigned_abs(), square) {
            Wide::square(cross).cmp(&Wide::product((radius * radius).unsigned_abs(), square))
        } else {
            // The nearest point is the corner:
            // v^2 + length^2 - radius^2 compares with 2 * length * dot / |d|.
            let sum = v.squared() + length * length - radius * radius;
            let right = Wide::square(2 * length * dot);
            if sum < 0 {
                std::cmp::Ordering::Less
            } else {
                Wide::square(sum).times(square).cmp(&right)
            }
        };
        order.is_lt() || (inclusive && order.is_eq())
    }
}

/// A rectangle along a middle line: a beaten zone.
///
/// ```
/// use kernel::geometry::{Length, Point, Segment, Strip, Template};
/// let at = |x, y| Point::from_um(x, y);
/// let zone: Template = Strip::new(Segment::new(at(0, 0), at(30, 40)), Length::from_um(5)).into();
/// assert!(zone.covers(at(4, -3)) && zone.covers(at(34, 37)));
/// assert!(!zone.covers(at(5, -4)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strip {
    middle: Segment,
    half_width: Length,
}

impl Strip {
    /// The rectangle along the segment, so wide to either side (held between
    /// zero and 2^42 micrometres). Its ends are square. Along a segment of no
    /// length it covers that one point.
    pub fn new(middle: Segment, half_width: Length) -> Strip {
        Strip {
            middle,
            half_width: half_width.reach(),
        }
    }

    /// The segment along its middle.
    pub const fn middle(self) -> Segment {
        self.middle
    }

    fn reaches(self, base: Disc) -> bool {
        let (way, v) = (self.middle.vector(), base.centre() - self.middle.a);
        if way.is_zero() {
            return within(self.middle.a, base.centre(), base.radius());
        }
        // In units of the middle line's length |w|: the point is dot / |w| along
        // it and cross / |w| away from it; `past` is how far along it is too far.
        let (square, dot, cross) = (way.squared(), way.dot(v), way.cross(v).abs());
        let past = (-dot).max(dot - square).max(0);
        let (half, radius) = (
            i128::from(self.half_width.um()),
            i128::from(base.radius().um()),
        );
        let by_square = |n: i128| Wide::product((n * n).unsigned_abs(), square.unsigned_abs());
        if Wide::square(cross) <= by_square(half) {
            return Wide::square(past) <= by_square(radius);
        }
        if past == 0 {
            return Wide::square(cross) <= by_square(half + radius);
        }
        // The corner is nearest: past^2 + (cross - half |w|)^2 <= radius^2 |w|^2, or
        // past^2 + cross^2 + half^2 |w|^2 - radius^2 |w|^2 <= 2 cross half |w|.
        let sum = Wide::square(past)
            .plus(Wide::square(cross))
            .plus(by_square(half));
        sum.checked_minus(by_square(radius)).is_none_or(|left| {
            compare_products(left, left, Wide::square(2 * cross), by_square(half)).is_le()
        })
    }

    fn holds(self, base: Disc) -> bool {
        let (way, v) = (self.middle.vector(), base.centre() - self.middle.a);
        let (square, dot) = (way.squared(), way.dot(v));
        let (half, radius) = (
            i128::from(self.half_width.um()),
            i128::from(base.radius().um()),
        );
        if way.is_zero() {
            return v.is_zero() && radius == 0;
        }
        let by_square = |n: i128| Wide::product((n * n).unsigned_abs(), square.unsigned_abs());
        let is_deep = |n: i128| n >= 0 && Wide::square(n) >= by_square(radius);
        is_deep(dot)
            && is_deep(square - dot)
            && radius <= half
            && Wide::square(way.cross(v)) <= by_square(half - radius)
    }
}
