//! Areas of any form.

use super::capsule;
use super::fraction::Ratio;
use super::length::Length;
use super::point::{COORDINATE_LIMIT, Point, compare_distance};
use super::polygon::Polygon;
use super::segment::{Contact, Segment};

/// Where a point lies with regard to an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Containment {
    /// Not in it at all.
    Outside,
    /// On its boundary, exactly.
    Edge,
    /// In it and off its boundary.
    Inside,
}

impl Containment {
    /// Whether it is in the area, its edge included.
    pub fn is_in(self) -> bool {
        self != Containment::Outside
    }
}

impl From<Contact> for Containment {
    /// A single point crosses what it is inside of and touches what it is on the edge of.
    fn from(contact: Contact) -> Containment {
        match contact {
            Contact::Apart => Containment::Outside,
            Contact::Touches => Containment::Edge,
            Contact::Crosses => Containment::Inside,
        }
    }
}

/// All points at most a radius from a centre: a base, a blast, a round hill.
///
/// ```
/// use kernel::geometry::{Contact, Disc, Length, Containment, Point};
/// let base = Disc::new(Point::ORIGIN, Length::from_um(5));
/// assert_eq!(base.locate(Point::from_um(3, 4)), Containment::Edge);
/// let other = Disc::new(Point::from_um(8, 0), Length::from_um(3));
/// assert_eq!(base.meets_disc(other), Contact::Touches);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Disc {
    centre: Point,
    radius: Length,
}

impl Disc {
    /// The disc with that radius, which is held between zero and 2^42 micrometres.
    pub fn new(centre: Point, radius: Length) -> Disc {
        Disc {
            centre,
            radius: radius.reach(),
        }
    }

    /// Its middle.
    pub const fn centre(self) -> Point {
        self.centre
    }

    /// How far it reaches.
    pub const fn radius(self) -> Length {
        self.radius
    }

    /// Where a point lies. Exact. A disc of no radius is all edge.
    pub fn locate(self, point: Point) -> Containment {
        self.meets(Segment::new(point, point)).into()
    }

    /// How a segment meets it. Exact. A tangent touches.
    pub fn meets(self, segment: Segment) -> Contact {
        capsule::contact(segment, Ratio::START, Ratio::END, self.spine(), self.radius)
    }

    /// How two discs meet: `Crosses` if they overlap. Exact.
    pub fn meets_disc(self, other: Disc) -> Contact {
        match compare_distance(self.centre, other.centre, self.radius + other.radius) {
            std::cmp::Ordering::Less => Contact::Crosses,
            std::cmp::Ordering::Equal => Contact::Touches,
            std::cmp::Ordering::Greater => Contact::Apart,
        }
    }

    /// Whether a point is at most so far from its boundary, be it inside or outside. Exact.
    pub fn has_edge_within(self, point: Point, length: Length) -> bool {
        !length.is_negative()
            && compare_distance(self.centre, point, self.radius + length).is_le()
            && compare_distance(self.centre, point, self.radius - length).is_ge()
    }

    fn spine(self) -> Segment {
        Segment::new(self.centre, self.centre)
    }
}

/// All points at most half a width from a line of points: a road, a river, a hedge.
/// Its ends and bends are round.
///
/// ```text
///     .---------------.
///    (  *-----------*  \
///     '------------. \  \      the points given are marked *
///                   \ *  )
///                    '--'
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ribbon {
    points: Vec<Point>,
    half_width: Length,
    bounds: Bounds,
}

impl Ribbon {
    /// The ribbon along these points, its half width held between zero and
    /// 2^42 micrometres. One point makes a disc, no points make nothing.
    pub fn new(points: Vec<Point>, half_width: Length) -> Ribbon {
        let half_width = half_width.reach();
        let bounds = Bounds::of(&points).grown(half_width);
        Ribbon {
            points,
            half_width,
            bounds,
        }
    }

    /// The points along its middle.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// How far it reaches to either side.
    pub const fn half_width(&self) -> Length {
        self.half_width
    }

    /// The legs of its middle line.
    fn legs(&self) -> impl Iterator<Item = Segment> + '_ {
        let dot = self
            .points
            .first()
            .filter(|_| self.points.len() == 1)
            .map(|&point| Segment::new(point, point));
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        pairs.map(|(&a, &b)| Segment::new(a, b)).chain(dot)
    }
}

/// An area: a wood, a hill, a road, a cloud of smoke.
///
/// ```
/// use kernel::geometry::{Contact, Length, Point, Ribbon, Segment, Shape};
/// let at = |x, y| Point::from_um(x, y);
/// let road: Shape = Ribbon::new(vec![at(0, 0), at(100, 0), at(100, 100)], Length::from_um(5)).into();
/// assert_eq!(road.meets(Segment::new(at(0, 5), at(80, 5))), Contact::Touches);
/// let across = Segment::new(at(50, -20), at(50, 20));
/// assert_eq!(road.inner_ranges(across), [(Length::from_um(15), Length::from_um(25))]);
/// assert_eq!(road.length_inside(across), Length::from_um(10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Straight edges.
    Polygon(Polygon),
    /// A circle and what is in it.
    Disc(Disc),
    /// A line with a width.
    Ribbon(Ribbon),
}

impl From<Polygon> for Shape {
    fn from(polygon: Polygon) -> Shape {
        Shape::Polygon(polygon)
    }
}

impl From<Disc> for Shape {
    fn from(disc: Disc) -> Shape {
        Shape::Disc(disc)
    }
}

impl From<Ribbon> for Shape {
    fn from(ribbon: Ribbon) -> Shape {
        Shape::Ribbon(ribbon)
    }
}

impl Shape {
    /// Where a point lies. Exact.
    pub fn locate(&self, point: Point) -> Containment {
        match self {
            Shape::Polygon(polygon) => polygon.locate(point),
            _ => self.meets(Segment::new(point, point)).into(),
        }
    }

    /// How a segment meets it: `Crosses` if it shares inner points with the
    /// area (one wholly inside does), `Touches` if it shares only boundary. Exact.
    ///
    /// A ribbon is taken leg by leg: where two legs far from each other along it
    /// lie edge to edge, their common edge still counts as edge.
    pub fn meets(&self, segment: Segment) -> Contact {
        self.contact(segment, Ratio::START, Ratio::END)
    }

    /// How a disc meets it: `Crosses` if they overlap. Exact.
    pub fn meets_disc(&self, disc: Disc) -> Contact {
        match self {
            Shape::Polygon(polygon) => polygon.meets_disc(disc.centre, disc.radius),
            Shape::Disc(other) => other.meets_disc(disc),
            Shape::Ribbon(ribbon) => {
                let radius = disc.radius + ribbon.half_width;
                legs_contact(
                    ribbon,
                    disc.spine(),
                    Ratio::START,
                    Ratio::END,
                    radius.reach(),
                )
            }
        }
    }

    /// Whether a point is in it or at most so far from it. Exact.
    ///
    /// ```
    /// use kernel::geometry::{Disc, Length, Point, Shape};
    /// let hill: Shape = Disc::new(Point::ORIGIN, Length::INCH).into();
    /// assert!(hill.is_within(Point::new(Length::inches(2), Length::ZERO), Length::INCH));
    /// ```
    pub fn is_within(&self, point: Point, length: Length) -> bool {
        !length.is_negative() && self.meets_disc(Disc::new(point, length)).is_any()
    }

    /// The stretches of a segment inside, in order, each from so far to so far
    /// along it.
    ///
    /// The segment counts as its [length](Segment::length), rounded up; places
    /// along it are rounded to the nearest micrometre, halves up. What runs along
    /// an edge is not inside. Stretches that show no length are left out, those
    /// that meet are one.
    pub fn inner_ranges(&self, segment: Segment) -> Vec<(Length, Length)> {
        let length = segment.length().um();
        let mut ranges = match self {
            Shape::Polygon(polygon) => polygon.inner_ranges(segment, length),
            Shape::Disc(disc) => capsule::inner_range(segment, length, disc.spine(), disc.radius)
                .into_iter()
                .collect(),
            Shape::Ribbon(ribbon) if !ribbon.bounds.may_meet(segment) => Vec::new(),
            Shape::Ribbon(ribbon) => {
                let of_leg = |leg| capsule::inner_range(segment, length, leg, ribbon.half_width);
                ribbon.legs().filter_map(of_leg).collect()
            }
        };
        ranges.sort_unstable();
        let mut merged: Vec<(Length, Length)> = Vec::new();
        for (from, to) in ranges.into_iter().filter(|(from, to)| from < to) {
            let (from, to) = (Length::from_um(from), Length::from_um(to));
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        merged
    }

    /// How much of a segment is inside: the sum of its [stretches](Shape::inner_ranges)
    /// there, with their rounding.
    pub fn length_inside(&self, segment: Segment) -> Length {
        self.inner_ranges(segment)
            .into_iter()
            .map(|(from, to)| to - from)
            .sum()
    }

    /// How the part of a line from one fraction to another meets it; the
    /// fractions' parts are at most 2^42.
    pub(super) fn contact(&self, line: Segment, from: Ratio, to: Ratio) -> Contact {
        match self {
            Shape::Polygon(polygon) => polygon.contact(line, from, to),
            Shape::Disc(disc) => capsule::contact(line, from, to, disc.spine(), disc.radius),
            Shape::Ribbon(ribbon) if !ribbon.bounds.may_meet(line) => Contact::Apart,
            Shape::Ribbon(ribbon) => legs_contact(ribbon, line, from, to, ribbon.half_width),
        }
    }
}

fn legs_contact(ribbon: &Ribbon, line: Segment, from: Ratio, to: Ratio, radius: Length) -> Contact {
    ribbon
        .legs()
        .map(|leg| capsule::contact(line, from, to, leg, radius))
        .max()
        .unwrap_or(Contact::Apart)
}

/// The smallest upright rectangle around some points, to turn away quickly
/// what cannot meet them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bounds {
    low: (Length, Length),
    high: (Length, Length),
}

impl Bounds {
    pub(super) fn of(points: &[Point]) -> Bounds {
        let nothing = Bounds {
            low: (Length::MAX, Length::MAX),
            high: (-Length::MAX, -Length::MAX),
        };
        points.iter().fold(nothing, |bounds, point| Bounds {
            low: (bounds.low.0.min(point.x()), bounds.low.1.min(point.y())),
            high: (bounds.high.0.max(point.x()), bounds.high.1.max(point.y())),
        })
    }

    fn grown(self, by: Length) -> Bounds {
        Bounds {
            low: (self.low.0 - by, self.low.1 - by),
            high: (self.high.0 + by, self.high.1 + by),
        }
    }

    pub(super) fn has(self, point: Point) -> bool {
        (self.low.0..=self.high.0).contains(&point.x())
            && (self.low.1..=self.high.1).contains(&point.y())
    }

    pub(super) fn has_within(self, point: Point, length: Length) -> bool {
        !length.is_negative() && self.grown(length.min(COORDINATE_LIMIT * 4)).has(point)
    }

    pub(super) fn may_meet(self, segment: Segment) -> bool {
        let (a, b) = (segment.a, segment.b);
        a.x().max(b.x()) >= self.low.0
            && a.x().min(b.x()) <= self.high.0
            && a.y().max(b.y()) >= self.low.1
            && a.y().min(b.y()) <= self.high.1
    }
}
