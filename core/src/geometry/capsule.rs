//! What lies within a radius of a spine: discs, and the legs of ribbons.
//!
//! ```text
//!      .-----------------.
//!     (  u-----------v  r )        a spine of one point makes a disc
//!      '-----------------'
//! ```
//!
//! Bounds: differences of points lie below 2^41, so their products lie below
//! 2^83 and squares below 2^83; radii are at most 2^42, lengths of segments
//! below 2^42.

use std::cmp::Ordering;

use super::fraction::Ratio;
use super::length::Length;
use super::point::{Point, Vector};
use super::segment::{Contact, Segment};
use super::wide::Wide;

/// How the part of `line` from one fraction of it to another meets the capsule.
/// Exact. The fractions' parts are at most 2^42.
pub(super) fn contact(
    line: Segment,
    from: Ratio,
    to: Ratio,
    spine: Segment,
    radius: Length,
) -> Contact {
    if is_far(line, spine, radius) {
        return Contact::Apart;
    }
    let radius = i128::from(radius.um());
    let nearest = [
        compare_place(line, from, spine, radius),
        compare_place(line, to, spine, radius),
        compare_end(line, from, to, spine.a, radius),
        compare_end(line, from, to, spine.b, radius),
        compare_crossing(line, from, to, spine, radius),
    ];
    match nearest.into_iter().min() {
        Some(Ordering::Less) => Contact::Crosses,
        Some(Ordering::Equal) => Contact::Touches,
        _ => Contact::Apart,
    }
}

/// Whether upright rectangles around both are already too far apart.
fn is_far(line: Segment, spine: Segment, radius: Length) -> bool {
    let gap = |a: Length, b: Length, c: Length, d: Length| {
        c.min(d) - a.max(b) > radius || a.min(b) - c.max(d) > radius
    };
    gap(line.a.x(), line.b.x(), spine.a.x(), spine.b.x())
        || gap(line.a.y(), line.b.y(), spine.a.y(), spine.b.y())
}

/// How the distance from a place on a line to the spine compares with the radius.
fn compare_place(line: Segment, place: Ratio, spine: Segment, radius: i128) -> Ordering {
    // Everything is multiplied by the denominator q, so that the place is an integer vector.
    let (p, q) = (place.numerator(), place.denominator());
    let (start, way, v) = (line.a - spine.a, line.vector(), spine.vector());
    let x = q * i128::from(start.x()) + p * i128::from(way.x());
    let y = q * i128::from(start.y()) + p * i128::from(way.y());
    let (vx, vy) = (i128::from(v.x()), i128::from(v.y()));

    let along = x * vx + y * vy;
    let reach = Wide::square(radius * q);
    if along <= 0 {
        return Wide::square(x).plus(Wide::square(y)).cmp(&reach);
    }
    if along >= q * v.squared() {
        return Wide::square(x - q * vx)
            .plus(Wide::square(y - q * vy))
            .cmp(&reach);
    }
    // Below 2^252 on either side.
    Wide::square(vx * y - vy * x).cmp(&reach.times(v.squared().unsigned_abs()))
}

/// How the distance from an end of the spine to the part of the line compares
/// with the radius, if the nearest place is not an end of that part.
fn compare_end(line: Segment, from: Ratio, to: Ratio, end: Point, radius: i128) -> Ordering {
    let (way, to_end) = (line.vector(), end - line.a);
    if way.is_zero() {
        return Ordering::Greater;
    }
    let foot = Ratio::new(way.dot(to_end), way.squared());
    if foot < from || foot > to {
        return Ordering::Greater;
    }
    let reach = Wide::product(
        (radius * radius).unsigned_abs(),
        way.squared().unsigned_abs(),
    );
    Wide::square(way.cross(to_end)).cmp(&reach)
}

/// As if at no distance where the part of the line cuts through the spine.
fn compare_crossing(
    line: Segment,
    from: Ratio,
    to: Ratio,
    spine: Segment,
    radius: i128,
) -> Ordering {
    if line.meets(spine) != Contact::Crosses {
        return Ordering::Greater;
    }
    let v = spine.vector();
    let crossing = Ratio::new((spine.a - line.a).cross(v), line.vector().cross(v));
    if from <= crossing && crossing <= to {
        0.cmp(&radius)
    } else {
        Ordering::Greater
    }
}

/// From where to where the line runs inside the capsule, along a line that
/// counts as `length` long, each to the nearest micrometre, halves up; `None`
/// where it does not, or for less than that shows.
pub(super) fn inner_range(
    line: Segment,
    length: i64,
    spine: Segment,
    radius: Length,
) -> Option<(i64, i64)> {
    if contact(line, Ratio::START, Ratio::END, spine, radius) != Contact::Crosses {
        return None;
    }
    let radius = i128::from(radius.um());
    // A capsule is a disc at either end and a band between them; being convex,
    // it meets the line in one range, which their ranges cover.
    [
        disc_range(line, length, spine.a - line.a, radius),
        disc_range(line, length, spine.b - line.a, radius),
        band_range(line, length, spine, radius),
    ]
    .into_iter()
    .filter(|(from, to)| from < to)
    .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// How many of the half micrometres along the line, (2k + 1) / 2 for k below
/// `length`, pass the test, which all pass up to some place: that place,
/// rounded. The test is given 2k + 1 and 2 * length, at most 2^43.
fn rounded_place(length: i64, is_before: impl Fn(i128, i128) -> bool) -> i64 {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(i128::from(2 * middle + 1), i128::from(2 * length)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn disc_range(line: Segment, length: i64, centre: Vector, radius: i128) -> (i64, i64) {
    let way = line.vector();
    let foot = way.dot(centre);
    let is_before_foot = |k: i128, m: i128| k * way.squared() <= foot * m;
    // How the distance of the place k/m from the centre compares with the radius.
    let side = |k: i128, m: i128| {
        let x = k * i128::from(way.x()) - m * i128::from(centre.x());
        let y = k * i128::from(way.y()) - m * i128::from(centre.y());
        Wide::square(x)
            .plus(Wide::square(y))
            .cmp(&Wide::square(radius * m))
    };
    let entry = rounded_place(length, |k, m| is_before_foot(k, m) && side(k, m).is_ge());
    let exit = rounded_place(length, |k, m| is_before_foot(k, m) || side(k, m).is_le());
    (entry, exit)
}

/// The range between the two lines along the spine and the two across its ends.
fn band_range(line: Segment, length: i64, spine: Segment, radius: i128) -> (i64, i64) {
    const NOTHING: (i64, i64) = (0, 0);
    let (way, v) = (line.vector(), spine.vector());
    let start = line.a - spine.a;
    if v.is_zero() {
        return NOTHING;
    }

    let (dot, slope) = (v.dot(start), v.dot(way));
    let across = match slope {
        0 if dot < 0 || dot > v.squared() => return NOTHING,
        0 => (0, length),
        _ => {
            let (one, other) = (
                Ratio::new(-dot, slope),
                Ratio::new(v.squared() - dot, slope),
            );
            (one.min(other).of(length), one.max(other).of(length))
        }
    };

    // How far the place k/m lies to the left of the spine, times m and the
    // spine's length; below 2^127, since the place is on the line.
    let left = |k: i128, m: i128| {
        let x = k * i128::from(way.x()) + m * i128::from(start.x());
        let y = k * i128::from(way.y()) + m * i128::from(start.y());
        i128::from(v.x()) * y - i128::from(v.y()) * x
    };
    let edge = |m: i128| Wide::square(radius * m).times(v.squared().unsigned_abs());
    let drift = v.cross(way).signum();
    let along = if drift == 0 {
        if Wide::square(left(0, 1)) < edge(1) {
            (0, length)
        } else {
            NOTHING
        }
    } else {
        let side = |k: i128, m: i128| {
            let left = left(k, m) * drift;
            (left < 0, Wide::square(left).cmp(&edge(m)))
        };
        let entry = rounded_place(length, |k, m| side(k, m).0 && side(k, m).1.is_ge());
        let exit = rounded_place(length, |k, m| side(k, m).0 || side(k, m).1.is_le());
        (entry, exit)
    };
    (across.0.max(along.0), across.1.min(along.1))
}
