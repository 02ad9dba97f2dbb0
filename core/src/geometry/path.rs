//! Paths of straight legs, and what they lead through.

use super::length::Length;
use super::point::{Point, toward};
use super::segment::Segment;
use super::shape::Shape;

/// A way along straight legs from point to point.
///
/// Each leg counts as its length rounded up to the micrometre, and the path as
/// the sum of its legs.
///
/// ```
/// use kernel::geometry::{Length, Path, Point};
/// let at = |x, y| Point::from_um(x, y);
/// let path = Path::new(vec![at(0, 0), at(30, 40), at(30, 100)]);
/// assert_eq!(path.length(), Length::from_um(110));
/// assert_eq!(path.point_at(Length::from_um(70)), Some(at(30, 60)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    points: Vec<Point>,
}

impl Path {
    /// The path through these points. One point is a path without legs.
    pub const fn new(points: Vec<Point>) -> Path {
        Path { points }
    }

    /// The points it leads through.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Its legs in order.
    pub fn legs(&self) -> impl Iterator<Item = Segment> + '_ {
        self.points
            .iter()
            .zip(self.points.iter().skip(1))
            .map(|(&a, &b)| Segment::new(a, b))
    }

    /// The sum of its legs, each rounded up to the micrometre.
    pub fn length(&self) -> Length {
        self.legs().map(Segment::length).sum()
    }

    /// The point so far along it, rounded as [`toward`] does; its ends for less
    /// than nothing and for more than its length. `None` if it has no points.
    pub fn point_at(&self, length: Length) -> Option<Point> {
        let mut left = length.max(Length::ZERO);
        for leg in self.legs() {
            if left <= leg.length() {
                return Some(toward(leg.a, leg.b, left));
            }
            left = left - leg.length();
        }
        self.points.last().copied()
    }

    /// The stretches of each leg in turn; see [`stretches`].
    pub fn stretches(&self, areas: &[Shape]) -> Vec<Vec<Stretch>> {
        self.legs().map(|leg| stretches(leg, areas)).collect()
    }
}

/// A part of a leg that lies in the same areas throughout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stretch {
    /// How far along the leg it begins.
    pub from: Length,
    /// How far along the leg it ends.
    pub to: Length,
    /// The areas it is inside of, by index, in ascending order.
    pub areas: Vec<usize>,
}

impl Stretch {
    /// How long it is; never zero.
    pub fn length(&self) -> Length {
        self.to - self.from
    }
}

/// A leg cut where it enters and leaves areas.
///
/// ```text
///               .--------.
///    *----------|--------|------*
///    0     []   a   [0]  b  []  length
///               '--------'
/// ```
///
/// Each cut is rounded to the nearest micrometre along the leg, halves up. The
/// stretches follow each other without gaps, so they add up exactly to the
/// leg's length, which is rounded up. A stretch along the edge of an area is
/// not inside it. A leg of no length has no stretches.
///
/// ```
/// use kernel::geometry::{Disc, Length, Point, Segment, stretches};
/// let at = |x, y| Point::from_um(x, y);
/// let wood = Disc::new(at(50, 0), Length::from_um(20)).into();
/// let parts = stretches(Segment::new(at(0, 0), at(100, 0)), &[wood]);
/// let areas: Vec<_> = parts.iter().map(|part| (part.length().um(), part.areas.as_slice())).collect();
/// assert_eq!(areas, [(30, &[][..]), (40, &[0]), (30, &[])]);
/// ```
pub fn stretches(leg: Segment, areas: &[Shape]) -> Vec<Stretch> {
    let inside: Vec<Vec<(Length, Length)>> =
        areas.iter().map(|area| area.inner_ranges(leg)).collect();
    let mut cuts = vec![Length::ZERO, leg.length()];
    cuts.extend(inside.iter().flatten().flat_map(|&(from, to)| [from, to]));
    cuts.sort_unstable();
    cuts.dedup();
    cuts.iter()
        .zip(cuts.iter().skip(1))
        .map(|(&from, &to)| {
            let holds = |ranges: &[(Length, Length)]| {
                ranges.iter().any(|range| range.0 <= from && to <= range.1)
            };
            let areas = inside
                .iter()
                .enumerate()
                .filter(|(_, ranges)| holds(ranges))
                .map(|(index, _)| index);
            Stretch {
                from,
                to,
                areas: areas.collect(),
            }
        })
        .collect()
}

/// Points along a straight line: `from`, then one after each further `step`,
/// rounded as [`toward`] does, as far as the line's length (rounded up)
/// reaches. Only `from` for a step of zero or less.
///
/// ```
/// use kernel::geometry::{Length, Point, points_along};
/// let at = |x| Point::from_um(x, 0);
/// let points: Vec<_> = points_along(at(0), at(25), Length::from_um(10)).collect();
/// assert_eq!(points, [at(0), at(10), at(20)]);
/// ```
pub fn points_along(from: Point, to: Point, step: Length) -> impl Iterator<Item = Point> {
    let whole = Segment::new(from, to).length();
    let next = move |&along: &Length| {
        Some(along + step).filter(|&along| step > Length::ZERO && along <= whole)
    };
    std::iter::successors(Some(Length::ZERO), next).map(move |along| toward(from, to, along))
}
