//! Properties of the open table, against slow and obvious versions.

use proptest::prelude::*;

use super::capsule;
use super::fraction::Ratio;
use super::*;

fn um(n: i64) -> Length {
    Length::from_um(n)
}

fn at(x: i64, y: i64) -> Point {
    Point::from_um(x, y)
}

fn times(point: Point, factor: i64) -> Point {
    at(point.x().um() * factor, point.y().um() * factor)
}

fn near() -> impl Strategy<Value = Point> {
    (-12_i64..=12, -12_i64..=12).prop_map(|(x, y)| at(x, y))
}

fn segment() -> impl Strategy<Value = Segment> {
    (near(), near()).prop_map(|(a, b)| Segment::new(a, b))
}

fn polygon() -> impl Strategy<Value = Polygon> {
    prop::collection::vec(near(), 3..6)
        .prop_filter_map("not simple", |corners| Polygon::new(corners).ok())
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        2 => polygon().prop_map(Shape::from),
        1 => (near(), 0_i64..9).prop_map(|(centre, radius)| Disc::new(centre, um(radius)).into()),
        1 => (prop::collection::vec(near(), 0..4), 0_i64..5).prop_map(|(points, w)| Ribbon::new(points, um(w)).into()),
    ]
}

fn enlarged(shape: &Shape, factor: i64) -> Shape {
    let all = |points: &[Point]| {
        points
            .iter()
            .map(|&point| times(point, factor))
            .collect::<Vec<_>>()
    };
    match shape {
        Shape::Polygon(polygon) => Polygon::new(all(polygon.corners())).unwrap().into(),
        Shape::Disc(disc) => Disc::new(times(disc.centre(), factor), disc.radius() * factor).into(),
        Shape::Ribbon(ribbon) => {
            Ribbon::new(all(ribbon.points()), ribbon.half_width() * factor).into()
        }
    }
}

/// The place k/m along a segment, in a world m times as large.
fn place(line: Segment, k: i64, m: i64) -> Point {
    let way = line.vector();
    at(
        line.a.x().um() * m + way.x() * k,
        line.a.y().um() * m + way.y() * k,
    )
}

/// The square of the distance from a point to a segment, as a ratio.
fn squared_distance(point: Point, line: Segment) -> (i128, i128) {
    let (way, v) = (line.vector(), point - line.a);
    match way.dot(v) {
        dot if dot <= 0 => (v.squared(), 1),
        dot if dot >= way.squared() => ((point - line.b).squared(), 1),
        _ => (way.cross(v) * way.cross(v), way.squared()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn rounded_distance_says_the_same_as_within(a in near(), b in near(), length in -3_i64..40) {
        prop_assert_eq!(distance(a, b) <= um(length), within(a, b, um(length)));
        prop_assert_ne!(within(a, b, um(length)), beyond(a, b, um(length)));
        prop_assert_eq!(distance(a, b), distance(b, a));
        prop_assert_eq!(toward(a, b, distance(a, b)), b);
    }

    #[test]
    fn bearing_lies_between_its_borders(a in near(), x in -1_000_000_i64..1_000_000, y in -1_000_000_i64..1_000_000) {
        let b = at(x, y);
        prop_assume!(a != b);
        let found = bearing(a, b).unwrap();
        let side = |one: i32, other: i32| {
            let (one, other) = (found.turned(Angle::from_minutes(one)), found.turned(Angle::from_minutes(other)));
            let (one, other) = (one.vector(), other.vector());
            Vector::new(one.x() + other.x(), one.y() + other.y()).cross(b - a)
        };
        prop_assert!(side(-1, 0) <= 0 && side(0, 1) > 0);
        prop_assert!(found.vector().dot(b - a) > 0);
        prop_assert_eq!(bearing(b, a), Some(found.opposite()));
    }

    #[test]
    fn every_direction_is_its_own_bearing(minute in 0..21_600, centre in 0..21_600, half in 0..=10_800) {
        let direction = Direction::from_minutes(minute);
        let target = Point::ORIGIN + direction.vector();
        prop_assert_eq!(bearing(Point::ORIGIN, target), Some(direction));
        let arc = Arc::new(Angle::from_minutes(centre), Angle::from_minutes(half));
        let off = direction.between(Direction::from_minutes(centre));
        prop_assert_eq!(arc.contains(Point::ORIGIN, Direction::NORTH, target), off.minutes() <= half);
    }

    #[test]
    fn quadrants_cover_every_target_once_or_on_a_border(facing in 0..21_600, target in near()) {
        let facing = Direction::from_minutes(facing);
        let held = arcs_holding(Point::ORIGIN, facing, &QUADRANTS, target);
        prop_assert!(!held.is_empty());
        prop_assert_eq!(first_arc_holding(Point::ORIGIN, facing, &QUADRANTS, target), held.first().copied());
    }

    #[test]
    fn segments_meet_as_their_distance_says(one in segment(), other in segment(), length in 0_i64..20) {
        let contact = one.meets(other);
        prop_assert_eq!(contact, other.meets(one));
        prop_assert_eq!(contact, one.reversed().meets(other));
        prop_assert_eq!(contact.is_any(), one.is_within_segment(other, Length::ZERO));
        prop_assert_eq!(one.is_within_segment(other, um(length)), other.is_within_segment(one, um(length)));
        let ends = [
            squared_distance(one.a, other), squared_distance(one.b, other),
            squared_distance(other.a, one), squared_distance(other.b, one),
        ];
        let square = i128::from(length * length);
        let slow = contact == Contact::Crosses || ends.iter().any(|(n, d)| *n <= square * d);
        prop_assert_eq!(one.is_within_segment(other, um(length)), slow);
    }

    #[test]
    fn part_of_a_line_is_a_line(line in segment(), spine in segment(), r in 0_i64..9, p in 0_i64..=7, n in 0_i64..=7) {
        let (from, to) = (p.min(n), p.max(n));
        let fraction = |p: i64| Ratio::new(i128::from(p), 7);
        let part = Segment::new(place(line, from, 7), place(line, to, 7));
        let grown = Segment::new(times(spine.a, 7), times(spine.b, 7));
        let slow = capsule::contact(part, Ratio::START, Ratio::END, grown, um(r * 7));
        prop_assert_eq!(capsule::contact(line, fraction(from), fraction(to), spine, um(r)), slow);
    }

    #[test]
    fn part_of_a_line_meets_a_polygon_as_a_line_does(line in segment(), polygon in polygon(), p in 0_i64..=7, n in 0_i64..=7) {
        let (from, to) = (p.min(n), p.max(n));
        let fraction = |p: i64| Ratio::new(i128::from(p), 7);
        let part = Segment::new(place(line, from, 7), place(line, to, 7));
        let slow = enlarged(&Shape::from(polygon.clone()), 7).meets(part);
        let found = polygon.contact(line, fraction(from), fraction(to));
        // A part of no length inside is a single point of a longer line.
        let expected = if from == to && line.a != line.b { slow.min(Contact::Touches) } else { slow };
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_line_meets_a_polygon_as_the_places_on_it_do(line in segment(), polygon in polygon()) {
        prop_assume!(line.a != line.b);
        // All places where something changes, as n/d; then what lies between them.
        let way = line.vector();
        let mut changes = vec![(0_i128, 1_i128), (1, 1)];
        for edge in polygon.edges() {
            let slant = way.cross(edge.vector());
            if slant != 0 {
                let n = (edge.a - line.a).cross(edge.vector()) * slant.signum();
                changes.push((n, slant.abs()));
            }
            changes.push((way.dot(edge.a - line.a), way.squared()));
        }
        changes.retain(|(n, d)| 0 <= *n && n <= d);
        changes.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
        let mut slow = Contact::Apart;
        let mut look = |n: i128, d: i128, is_point: bool| {
            let (n, d) = (n as i64, d as i64);
            let Shape::Polygon(large) = enlarged(&Shape::from(polygon.clone()), d) else { return };
            match large.locate(place(line, n, d)) {
                Containment::Inside if !is_point => slow = Contact::Crosses,
                Containment::Outside => {}
                _ => slow = slow.max(Contact::Touches),
            }
        };
        for pair in changes.windows(2) {
            let ((n, d), (m, e)) = (pair[0], pair[1]);
            look(n, d, true);
            look(m, e, true);
            if n * e != m * d {
                look(n * e + m * d, 2 * d * e, false);
            }
        }
        prop_assert_eq!(polygon.meets(line), slow);
        prop_assert_eq!(polygon.meets(line.reversed()), slow);
    }

    #[test]
    fn ranges_inside_are_where_the_places_are_inside(line in segment(), shape in shape()) {
        let length = line.length().um();
        let ranges = shape.inner_ranges(line);
        prop_assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        prop_assert!(ranges.iter().all(|range| Length::ZERO <= range.0 && range.1 <= um(length)));
        // A cut in the middle of a micrometre is rounded up, so what is strictly
        // inside in the middle of each must be counted, what is outside must not.
        let large = if length > 0 { enlarged(&shape, 2 * length) } else { shape.clone() };
        for k in 0..length {
            let is_counted = ranges.iter().any(|range| range.0 <= um(k) && um(k) < range.1);
            match large.locate(place(line, 2 * k + 1, 2 * length)) {
                Containment::Inside => prop_assert!(is_counted, "{k} is inside, not in {ranges:?}"),
                Containment::Outside => prop_assert!(!is_counted, "{k} is outside, but in {ranges:?}"),
                Containment::Edge => {}
            }
        }
        if shape.meets(line) != Contact::Crosses {
            prop_assert!(ranges.is_empty());
        }
    }

    #[test]
    fn stretches_add_up_to_the_leg(leg in segment(), areas in prop::collection::vec(shape(), 0..4)) {
        let parts = stretches(leg, &areas);
        prop_assert_eq!(parts.iter().map(Stretch::length).sum::<Length>(), leg.length());
        prop_assert!(parts.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].areas != pair[1].areas));
        for (index, area) in areas.iter().enumerate() {
            let held: Length = parts.iter().filter(|part| part.areas.contains(&index)).map(Stretch::length).sum();
            prop_assert_eq!(held, area.length_inside(leg));
        }
    }

    #[test]
    fn sight_is_the_same_both_ways(
        a in near(), b in near(), heights in (-3_i64..9, -3_i64..9),
        obstacles in prop::collection::vec((shape(), -3_i64..6, 0_i64..6), 0..4),
    ) {
        let obstacles: Vec<Obstacle> = obstacles
            .into_iter()
            .map(|(shape, base, rise)| Obstacle { shape, base: um(base), top: um(base + rise) })
            .collect();
        let (a, b) = (Eye { at: a, height: um(heights.0) }, Eye { at: b, height: um(heights.1) });
        let summary = |a, b| {
            let mut met: Vec<_> = sight(a, b, &obstacles).iter().map(|m| (m.obstacle, m.plan, m.solid)).collect();
            met.sort_unstable();
            met
        };
        prop_assert_eq!(summary(a, b), summary(b, a));
        prop_assert_eq!(is_blocked(a, b, &obstacles), is_blocked(b, a, &obstacles));
        let is_solid = summary(a, b).iter().any(|met| met.2 == Contact::Crosses);
        prop_assert_eq!(is_blocked(a, b, &obstacles), is_solid);
        for (index, plan, solid) in summary(a, b) {
            prop_assert!(solid <= plan);
            // The line is clear of what lies wholly below or above it.
            let obstacle = &obstacles[index];
            let (low, high) = (a.height.min(b.height), a.height.max(b.height));
            if obstacle.top < low || high < obstacle.base {
                prop_assert_eq!(solid, Contact::Apart);
            }
            if obstacle.base < low && high < obstacle.top {
                prop_assert_eq!(solid, plan);
            }
        }
    }

    #[test]
    fn a_disc_meets_a_shape_as_a_larger_shape_its_centre(shape in shape(), centre in near(), radius in 0_i64..9) {
        let disc = Disc::new(centre, um(radius));
        let met = shape.meets_disc(disc);
        prop_assert_eq!(met.is_any(), shape.is_within(centre, um(radius)));
        if radius == 0 {
            prop_assert_eq!(Containment::from(met), shape.locate(centre));
        }
        if let Shape::Polygon(polygon) = &shape {
            let near_edge = polygon.edges().any(|edge| {
                let (n, d) = squared_distance(centre, edge);
                n <= i128::from(radius * radius) * d
            });
            prop_assert_eq!(polygon.has_edge_within(centre, um(radius)), near_edge);
            prop_assert_eq!(met.is_any(), near_edge || polygon.locate(centre).is_in());
        }
    }

    #[test]
    fn a_strip_covers_what_its_rectangle_does(
        a in near(), (i, j) in (-2_i64..=2, -2_i64..=2), half in 1_i64..3, base in near(), radius in 0_i64..9,
    ) {
        prop_assume!((i, j) != (0, 0));
        // A slanted line with whole corners: (3, 4) has the length 5.
        let (x, y) = (3 * i - 4 * j, 4 * i + 3 * j);
        let whole = distance(Point::ORIGIN, at(x, y)).um();
        prop_assume!(whole * whole == x * x + y * y);
        let (b, side) = (a + Vector::new(x, y), Vector::new(-y * half, x * half));
        let strip = Template::from(Strip::new(Segment::new(a, b), um(whole * half)));
        let polygon = Polygon::new(vec![a + side, b + side, b + -side, a + -side]).unwrap();
        let disc = Disc::new(base, um(radius));
        let covered = strip.covers_base(disc);
        prop_assert_eq!(covered != Coverage::Clear, polygon.meets_disc(base, um(radius)).is_any());
        let is_held = polygon.locate(base).is_in() && (radius == 0 || !polygon.has_edge_within(base, um(radius - 1)));
        prop_assert!(covered != Coverage::Wholly || is_held);
        prop_assert_eq!(strip.covers(base), polygon.locate(base).is_in());
    }

    #[test]
    fn half_a_disc_covers_what_lies_in_front(base in near(), length in 1_i64..12, radius in 0_i64..6) {
        let sector = Sector::new(Point::ORIGIN, Direction::NORTH, Angle::RIGHT, um(length));
        let covered = Template::from(sector).covers_base(Disc::new(base, um(radius)));
        let front = if base.y() >= Length::ZERO {
            within(Point::ORIGIN, base, um(length + radius))
        } else {
            Segment::new(at(-length, 0), at(length, 0)).is_within(base, um(radius))
        };
        prop_assert_eq!(covered != Coverage::Clear, front);
        let is_held = base.y() >= um(radius) && within(Point::ORIGIN, base, um(length - radius));
        prop_assert_eq!(covered == Coverage::Wholly, is_held);
    }

    #[test]
    fn a_ring_is_a_disc_without_a_disc(base in near(), (inner, outer) in (0_i64..9, 0_i64..12), radius in 0_i64..4) {
        let (inner, outer) = (inner.min(outer), inner.max(outer));
        let disc = Disc::new(base, um(radius));
        let covered = Template::from(Ring::new(Point::ORIGIN, um(outer), um(inner))).covers_base(disc);
        let far = distance(Point::ORIGIN, base);
        prop_assert_eq!(covered != Coverage::Clear, far <= um(outer + radius) && !within(Point::ORIGIN, base, um(inner - radius - 1))
            && (base - Point::ORIGIN).squared() >= i128::from((inner - radius).max(0)).pow(2));
        let whole = Template::from(Disc::new(Point::ORIGIN, um(outer))).covers_base(disc) == Coverage::Wholly;
        prop_assert!(covered != Coverage::Wholly || whole);
    }

    #[test]
    fn groups_are_the_closure_of_links(points in prop::collection::vec(near(), 0..9), link in 0_i64..9) {
        let n = points.len();
        let mut linked: Vec<Vec<bool>> =
            points.iter().map(|&a| points.iter().map(|&b| within(a, b, um(link))).collect()).collect();
        for via in 0..n {
            for i in 0..n {
                for j in 0..n {
                    linked[i][j] |= linked[i][via] && linked[via][j];
                }
            }
        }
        let mut slow: Vec<Vec<usize>> = (0..n).map(|i| (0..n).filter(|&j| linked[i][j]).collect()).collect();
        slow.sort_unstable();
        slow.dedup();
        prop_assert_eq!(connected(&points, um(link)), slow);
    }

    #[test]
    fn nearest_point_of_a_segment_is_nearest_to_a_micrometre(line in segment(), point in near()) {
        let (n, d) = squared_distance(point, line);
        let found = (line.nearest_point(point) - point).squared();
        // (sqrt(n/d) + 1)^2 bounds it, hence n/d + 2 * ceil(sqrt(n/d)) + 1.
        let root = i128::from((n / d).unsigned_abs().isqrt() as u32) + 1;
        prop_assert!(found * d <= n + (2 * root + 1) * d);
    }
}

/// Coordinates at and near the ends of their range.
fn far() -> impl Strategy<Value = Point> {
    let limit = COORDINATE_LIMIT.um();
    let coordinate = prop_oneof![
        Just(-limit),
        Just(limit),
        -limit..=limit,
        limit - 9..=limit,
        -limit..=9 - limit,
        -9_i64..9
    ];
    (coordinate.clone(), coordinate).prop_map(|(x, y)| at(x, y))
}

fn any_length() -> impl Strategy<Value = Length> {
    prop_oneof![
        Just(Length::MAX),
        Just(-Length::MAX),
        any::<i64>().prop_map(um),
        (0_i64..1 << 41).prop_map(um)
    ]
}

fn far_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        prop::collection::vec(far(), 3..6)
            .prop_filter_map("not simple", |corners| Polygon::new(corners).ok())
            .prop_map(Shape::from),
        (far(), any_length()).prop_map(|(centre, radius)| Disc::new(centre, radius).into()),
        (prop::collection::vec(far(), 1..4), any_length())
            .prop_map(|(points, w)| Ribbon::new(points, w).into()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    // Tests run with overflow checks, so that to return at all proves the bounds.
    #[test]
    fn nothing_overflows_at_the_ends_of_the_range(
        a in far(), b in far(), c in far(), shape in far_shape(), one in any_length(), other in any_length(), minute: i32,
    ) {
        let line = Segment::new(a, b);
        let direction = Direction::from_minutes(minute);
        prop_assert_eq!(distance(a, b) <= one, within(a, b, one));
        prop_assert_eq!(bearing(b, a), bearing(a, b).map(Direction::opposite));
        prop_assert_eq!(toward(a, b, distance(a, b)), b);
        let _ = (toward(a, b, one), offset(a, direction, one), line.nearest_point(c), line.is_within(c, one));
        prop_assert_eq!(shape.meets(line), shape.meets(line.reversed()));
        prop_assert_eq!(shape.is_within(c, one), !one.is_negative() && shape.meets_disc(Disc::new(c, one)).is_any());
        let parts = stretches(line, std::slice::from_ref(&shape));
        prop_assert_eq!(parts.iter().map(Stretch::length).sum::<Length>(), line.length());

        let (eye, target) = (Eye { at: a, height: one }, Eye { at: b, height: other });
        let obstacle = [Obstacle { shape, base: Length::ZERO, top: Length::MAX }];
        prop_assert_eq!(is_blocked(eye, target, &obstacle), is_blocked(target, eye, &obstacle));

        let arc = Arc::new(Angle::from_minutes(minute), Angle::from_minutes(minute / 7));
        let _ = arc.contains(a, direction, b);
        let disc = Disc::new(c, other);
        let templates = [
            Template::from(Disc::new(a, one)),
            Ring::new(a, one, other).into(),
            Sector::new(a, direction, arc.half_width(), one).into(),
            Strip::new(line, one).into(),
        ];
        for template in templates {
            prop_assert!(!template.covers(c) || template.covers_base(disc) != Coverage::Clear);
        }
    }
}
