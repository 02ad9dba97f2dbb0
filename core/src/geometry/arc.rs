//! Arcs of fire and of facing.

use super::angle::{Angle, Direction};
use super::point::{Point, Vector};

/// The four quarters around a facing: front, right, rear, left.
///
/// ```text
///     \ 0 /
///    3  x  1        a bearing on a border belongs to the earlier of the two:
///     / 2 \         45 and 315 to the front, 135 to the right, 225 to the rear
/// ```
pub const QUADRANTS: [Arc; 4] = [
    Arc::new(Angle::ZERO, Angle::degrees(45)),
    Arc::new(Angle::RIGHT, Angle::degrees(45)),
    Arc::new(Angle::HALF, Angle::degrees(45)),
    Arc::new(Angle::degrees(270), Angle::degrees(45)),
];

/// An arc around whatever bears it: centred so far clockwise from its facing,
/// and so wide to either side. Its edges are inside.
///
/// ```text
///          centre
///    edge    |    edge
///       \    |    /
///        \ hw|hw /
///         \  |  /
///          from
/// ```
///
/// ```
/// use kernel::geometry::{Angle, Arc, Direction, Point};
/// let front = Arc::new(Angle::ZERO, Angle::degrees(45));
/// let here = Point::ORIGIN;
/// assert!(front.contains(here, Direction::NORTH, Point::from_um(5, 5)));
/// assert!(!front.contains(here, Direction::NORTH, Point::from_um(6, 5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arc {
    centre: Angle,
    half_width: Angle,
}

impl Arc {
    /// All around.
    pub const ALL_ROUND: Arc = Arc::new(Angle::ZERO, Angle::HALF);

    /// The arc centred so far clockwise from the facing, so wide to either
    /// side; the half width is held between 0 and 180 degrees.
    pub const fn new(centre: Angle, half_width: Angle) -> Arc {
        let half_width = match half_width.minutes() {
            minutes if minutes < 0 => Angle::ZERO,
            minutes if minutes > Angle::HALF.minutes() => Angle::HALF,
            _ => half_width,
        };
        Arc {
            centre: centre.normalised(),
            half_width,
        }
    }

    /// How far clockwise of the facing its centre lies, 0 to just below 360 degrees.
    pub const fn centre(self) -> Angle {
        self.centre
    }

    /// How far it reaches to either side of its centre, 0 to 180 degrees.
    pub const fn half_width(self) -> Angle {
        self.half_width
    }

    /// Its counter-clockwise and its clockwise edge, for a bearer of that facing.
    pub fn edges(self, facing: Direction) -> (Direction, Direction) {
        let middle = facing.turned(self.centre);
        (
            middle.turned(-self.half_width),
            middle.turned(self.half_width),
        )
    }

    /// Whether `target` lies in the arc of a bearer at `from` with that facing.
    /// Exact against the table of directions; a target at `from` is in every arc.
    pub fn contains(self, from: Point, facing: Direction, target: Point) -> bool {
        self.holds(facing, target - from)
    }

    /// Whether a vector from the bearer lies in the arc.
    pub(super) fn holds(self, facing: Direction, v: Vector) -> bool {
        if self.half_width >= Angle::HALF {
            return true;
        }
        let (left, right) = self.edges(facing);
        let (from_left, from_right) = (left.vector().cross(v), right.vector().cross(v));
        if self.half_width > Angle::RIGHT {
            // The rest of the circle is narrower than half: outside is strictly within it.
            return from_left <= 0 || from_right >= 0;
        }
        // An arc without width is a ray, which the cross products take for a line.
        from_left <= 0
            && from_right >= 0
            && (self.half_width > Angle::ZERO || left.vector().dot(v) >= 0)
    }
}

/// The first of the arcs around a bearer that holds `other`, by index.
///
/// With [`QUADRANTS`] it is the face of a target that a shot from `other` meets.
///
/// ```
/// use kernel::geometry::{Direction, Point, QUADRANTS, first_arc_holding};
/// let target = Point::ORIGIN;
/// let facing = Direction::EAST;
/// let rear = first_arc_holding(target, facing, &QUADRANTS, Point::from_um(-9, 1));
/// assert_eq!(rear, Some(2));
/// ```
pub fn first_arc_holding(
    at: Point,
    facing: Direction,
    arcs: &[Arc],
    other: Point,
) -> Option<usize> {
    arcs.iter().position(|arc| arc.contains(at, facing, other))
}

/// All of the arcs around a bearer that hold `other`, by index: on a border,
/// several, and a rule may let a player choose.
///
/// ```
/// use kernel::geometry::{Direction, Point, QUADRANTS, arcs_holding};
/// let corner = Point::from_um(5, 5);
/// assert_eq!(arcs_holding(Point::ORIGIN, Direction::NORTH, &QUADRANTS, corner), [0, 1]);
/// ```
pub fn arcs_holding(at: Point, facing: Direction, arcs: &[Arc], other: Point) -> Vec<usize> {
    arcs.iter()
        .enumerate()
        .filter(|(_, arc)| arc.contains(at, facing, other))
        .map(|(index, _)| index)
        .collect()
}
