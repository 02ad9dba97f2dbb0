//! Simple polygons.

use thiserror::Error;

use super::capsule;
use super::fraction::Ratio;
use super::length::Length;
use super::point::Point;
use super::segment::{Contact, Segment};
use super::shape::{Bounds, Containment};

/// A polygon whose edges meet only at their common corners.
///
/// Corners may be given in either sense of rotation, and may lie on a straight
/// line with their neighbours.
///
/// ```
/// use kernel::geometry::{Contact, Containment, Point, Polygon, Segment};
/// let at = |x, y| Point::from_um(x, y);
/// let wood = Polygon::new(vec![at(0, 0), at(10, 0), at(10, 10), at(0, 10)])?;
/// assert_eq!(wood.locate(at(5, 5)), Containment::Inside);
/// assert_eq!(wood.locate(at(10, 10)), Containment::Edge);
/// assert_eq!(wood.meets(Segment::new(at(-5, 10), at(15, 10))), Contact::Touches);
/// assert_eq!(wood.meets(Segment::new(at(-5, 9), at(15, 10))), Contact::Crosses);
/// # Ok::<(), kernel::geometry::PolygonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygon {
    corners: Vec<Point>,
    bounds: Bounds,
}

/// Why a list of corners makes no polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PolygonError {
    /// Fewer than three corners: give at least three.
    #[error("expected at least 3 corners, found {0}")]
    TooFewCorners(usize),
    /// A corner is the same point as the next one: leave one of them out. The
    /// last corner joins the first by itself.
    #[error("expected each corner to differ from the next, found corner {0} twice in a row")]
    RepeatedCorner(usize),
    /// Two edges cross, touch or overlap away from a common corner: split the
    /// area into several polygons. An edge has the index of its first corner.
    #[error(
        "expected edges to meet at their common corners only, found edges {0} and {1} meeting elsewhere"
    )]
    EdgesMeet(usize, usize),
}

impl Polygon {
    /// The polygon with these corners, in order around it.
    ///
    /// # Errors
    ///
    /// See [`PolygonError`]; the first fault in the order given is reported.
    pub fn new(corners: Vec<Point>) -> Result<Polygon, PolygonError> {
        if corners.len() < 3 {
            return Err(PolygonError::TooFewCorners(corners.len()));
        }
        let edges: Vec<Segment> = edges_of(&corners).collect();
        if let Some(index) = edges.iter().position(|edge| edge.a == edge.b) {
            return Err(PolygonError::RepeatedCorner(index));
        }
        for (i, &edge) in edges.iter().enumerate() {
            for (j, &other) in edges.iter().enumerate().skip(i + 1) {
                if !may_both_bound(edge, other, j == i + 1, i == 0 && j + 1 == edges.len()) {
                    return Err(PolygonError::EdgesMeet(i, j));
                }
            }
        }
        // Edges that meet at their corners only enclose some area.
        let bounds = Bounds::of(&corners);
        Ok(Polygon { corners, bounds })
    }

    /// The rectangle with these opposite corners, its sides along the table's.
    ///
    /// # Errors
    ///
    /// If the corners do not differ in both coordinates.
    pub fn rectangle(a: Point, b: Point) -> Result<Polygon, PolygonError> {
        Polygon::new(vec![
            a,
            Point::new(b.x(), a.y()),
            b,
            Point::new(a.x(), b.y()),
        ])
    }

    /// Its corners in the order given.
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// Its edges in order; the first runs from the first corner to the second.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        edges_of(&self.corners)
    }

    /// Where a point lies. Exact.
    pub fn locate(&self, point: Point) -> Containment {
        if !self.bounds.has(point) {
            return Containment::Outside;
        }
        let mut is_inside = false;
        for edge in self.edges() {
            if edge.contains(point) {
                return Containment::Edge;
            }
            // Count the edges to the right of the point that its level cuts.
            let rises = edge.b.y() > point.y();
            if (edge.a.y() > point.y()) != rises {
                let side = edge.vector().cross(point - edge.a);
                is_inside ^= if rises { side > 0 } else { side < 0 };
            }
        }
        if is_inside {
            Containment::Inside
        } else {
            Containment::Outside
        }
    }

    /// How a segment meets it. Exact. One that runs along an edge or through a
    /// corner without sharing inner points only touches.
    pub fn meets(&self, segment: Segment) -> Contact {
        self.contact(segment, Ratio::START, Ratio::END)
    }

    /// Whether a point is at most so far from its boundary, be it inside or outside. Exact.
    ///
    /// ```
    /// use kernel::geometry::{Length, Point, Polygon};
    /// let wood = Polygon::rectangle(Point::ORIGIN, Point::from_um(100, 100))?;
    /// assert!(wood.has_edge_within(Point::from_um(90, 50), Length::from_um(10)));
    /// assert!(!wood.has_edge_within(Point::from_um(50, 50), Length::from_um(10)));
    /// # Ok::<(), kernel::geometry::PolygonError>(())
    /// ```
    pub fn has_edge_within(&self, point: Point, length: Length) -> bool {
        self.bounds.has_within(point, length)
            && self.edges().any(|edge| edge.is_within(point, length))
    }

    /// How a disc of that radius around the point meets it: `Crosses` if they
    /// share inner points.
    pub(super) fn meets_disc(&self, centre: Point, radius: Length) -> Contact {
        if self.locate(centre) == Containment::Inside {
            return Contact::Crosses;
        }
        let spine = Segment::new(centre, centre);
        let of_edge = |edge| capsule::contact(edge, Ratio::START, Ratio::END, spine, radius);
        self.edges().map(of_edge).max().unwrap_or(Contact::Apart)
    }

    /// How the part of a line from one fraction to another meets it.
    pub(super) fn contact(&self, line: Segment, from: Ratio, to: Ratio) -> Contact {
        if !self.bounds.may_meet(line) {
            return Contact::Apart;
        }
        if line.a == line.b {
            return match self.locate(line.a) {
                Containment::Inside => Contact::Crosses,
                Containment::Edge => Contact::Touches,
                Containment::Outside => Contact::Apart,
            };
        }
        let cuts = Cuts::of(self, line);
        if cuts
            .inner_parts()
            .any(|part| part.0.max(from) < part.1.min(to))
        {
            return Contact::Crosses;
        }
        // What is left is a single point inside, or the boundary.
        let is_met = cuts
            .inner_parts()
            .any(|part| part.0 <= from && to <= part.1)
            || cuts.runs.iter().any(|run| run.0 <= to && from <= run.1)
            || cuts
                .places
                .iter()
                .any(|&place| from <= place && place <= to && cuts.is_boundary(place));
        if is_met {
            Contact::Touches
        } else {
            Contact::Apart
        }
    }

    /// From where to where a line runs inside, as [`Shape::inner_ranges`](super::Shape::inner_ranges).
    pub(super) fn inner_ranges(&self, line: Segment, length: i64) -> Vec<(i64, i64)> {
        if line.a == line.b || !self.bounds.may_meet(line) {
            return Vec::new();
        }
        Cuts::of(self, line)
            .inner_parts()
            .map(|part| (part.0.of(length), part.1.of(length)))
            .collect()
    }
}

fn edges_of(corners: &[Point]) -> impl Iterator<Item = Segment> + '_ {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| Segment::new(a, b))
}

/// Whether two edges may belong to one simple polygon: the second may begin
/// where the first ends, or end where it begins, but must share no other point.
fn may_both_bound(edge: Segment, other: Segment, is_next: bool, is_last: bool) -> bool {
    match (is_next, is_last) {
        (true, _) => !edge.contains(other.b) && !other.contains(edge.a),
        (_, true) => !edge.contains(other.a) && !other.contains(edge.b),
        _ => edge.meets(other) == Contact::Apart,
    }
}

/// Where the line through a segment meets the boundary of a polygon.
struct Cuts {
    /// The ends of the segment, and where it meets the boundary, in order.
    places: Vec<Ratio>,
    /// Where the line meets the boundary, in no order; beyond the segment too.
    contacts: Vec<Ratio>,
    /// Where the line, shifted to its left by less than anything, would pass through an edge.
    passages: Vec<Ratio>,
    /// Where the line runs along an edge.
    runs: Vec<(Ratio, Ratio)>,
}

impl Cuts {
    /// The cuts of a line whose ends differ.
    fn of(polygon: &Polygon, line: Segment) -> Cuts {
        let way = line.vector();
        let mut cuts = Cuts {
            places: Vec::new(),
            contacts: Vec::new(),
            passages: Vec::new(),
            runs: Vec::new(),
        };
        for edge in polygon.edges() {
            let v = edge.vector();
            let start = edge.a - line.a;
            let (side, other_side) = (way.cross(start), way.cross(edge.b - line.a));
            if side == 0 && other_side == 0 {
                let place = |point: Point| Ratio::new(way.dot(point - line.a), way.squared());
                let (one, other) = (place(edge.a), place(edge.b));
                cuts.runs.push((one.min(other), one.max(other)));
                cuts.contacts.extend([one, other]);
            } else if side.signum() * other_side.signum() <= 0 {
                let place = Ratio::new(start.cross(v), way.cross(v));
                cuts.contacts.push(place);
                if (side > 0) != (other_side > 0) {
                    cuts.passages.push(place);
                }
            }
        }
        cuts.places = cuts
            .contacts
            .iter()
            .copied()
            .filter(|place| place.is_on_segment())
            .collect();
        cuts.places.extend([Ratio::START, Ratio::END]);
        cuts.places.sort_unstable();
        cuts.places.dedup();
        cuts
    }

    fn is_boundary(&self, place: Ratio) -> bool {
        self.contacts.contains(&place)
    }

    /// The parts of the segment between two contacts that run inside.
    fn inner_parts(&self) -> impl Iterator<Item = (Ratio, Ratio)> + '_ {
        let parts = self
            .places
            .iter()
            .zip(self.places.iter().skip(1))
            .map(|(&from, &to)| (from, to));
        parts.filter(|&(from, to)| {
            // The shift does not move a part off or onto the inside, unless it lies on an edge.
            let is_on_edge = self.runs.iter().any(|run| run.0 <= from && to <= run.1);
            let passages_ahead = self
                .passages
                .iter()
                .filter(|&&passage| passage >= to)
                .count();
            !is_on_edge && passages_ahead % 2 == 1
        })
    }
}
