//! Cases at the edges, each the smallest that shows its rule.

use super::*;

fn um(n: i64) -> Length {
    Length::from_um(n)
}

fn at(x: i64, y: i64) -> Point {
    Point::from_um(x, y)
}

fn line(a: (i64, i64), b: (i64, i64)) -> Segment {
    Segment::new(at(a.0, a.1), at(b.0, b.1))
}

fn polygon(corners: &[(i64, i64)]) -> Result<Polygon, PolygonError> {
    Polygon::new(corners.iter().map(|&(x, y)| at(x, y)).collect())
}

/// A square with a notch cut into its upper side, down to (5, 5).
///
/// ```text
///    (0,10)--.   .--(10,10)
///      |      \ /     |
///      |     (5,5)    |
///    (0,0)---------(10,0)
/// ```
fn notched() -> Polygon {
    polygon(&[(0, 0), (10, 0), (10, 10), (7, 10), (5, 5), (3, 10), (0, 10)]).unwrap()
}

#[test]
fn segments_that_share_an_end_or_a_run_only_touch() {
    let wall = line((0, 0), (10, 0));
    assert_eq!(
        wall.meets(line((10, 0), (20, 5))),
        Contact::Touches,
        "shared end"
    );
    assert_eq!(
        wall.meets(line((5, 0), (15, 0))),
        Contact::Touches,
        "overlap on one line"
    );
    assert_eq!(wall.meets(wall), Contact::Touches, "itself");
    assert_eq!(
        wall.meets(line((11, 0), (15, 0))),
        Contact::Apart,
        "a gap on one line"
    );
    assert_eq!(
        wall.meets(line((5, 0), (5, 0))),
        Contact::Touches,
        "a point on it"
    );
    assert_eq!(wall.meets(line((9, -1), (9, 1))), Contact::Crosses);
}

#[test]
fn a_line_along_an_edge_or_through_a_corner_touches() {
    let wood = notched();
    assert_eq!(
        wood.meets(line((-5, 0), (15, 0))),
        Contact::Touches,
        "along an edge"
    );
    assert_eq!(
        wood.meets(line((2, 0), (4, 0))),
        Contact::Touches,
        "within an edge"
    );
    assert_eq!(
        wood.meets(line((-5, 5), (5, -5))),
        Contact::Touches,
        "past a corner"
    );
    assert_eq!(
        wood.meets(line((5, 5), (5, 20))),
        Contact::Touches,
        "down into the notch"
    );
    assert_eq!(
        wood.meets(line((5, 6), (5, 20))),
        Contact::Apart,
        "in the notch"
    );
    assert_eq!(
        wood.meets(line((4, 10), (6, 10))),
        Contact::Apart,
        "across the mouth of the notch"
    );
    assert_eq!(
        wood.meets(line((-5, 10), (15, 10))),
        Contact::Touches,
        "along both teeth"
    );
    assert_eq!(
        wood.meets(line((0, 5), (10, 5))),
        Contact::Crosses,
        "under the notch, through its corner"
    );
    assert_eq!(
        wood.meets(line((1, 1), (2, 2))),
        Contact::Crosses,
        "wholly inside"
    );
    assert_eq!(
        wood.meets(line((0, 0), (10, 10))),
        Contact::Crosses,
        "from corner to corner"
    );
}

#[test]
fn what_runs_along_an_edge_is_not_inside() {
    let wood = Shape::from(notched());
    assert_eq!(wood.length_inside(line((-5, 0), (15, 0))), Length::ZERO);
    assert_eq!(
        wood.inner_ranges(line((0, 5), (10, 5))),
        [(Length::ZERO, um(10))]
    );
    // At height 9 the notch is open from 3.4 to 6.6; a cut is rounded half up.
    assert_eq!(
        wood.inner_ranges(line((-5, 9), (15, 9))),
        [(um(5), um(8)), (um(12), um(15))]
    );
}

#[test]
fn polygons_that_are_not_simple_are_refused() {
    assert_eq!(
        polygon(&[(0, 0), (9, 0)]),
        Err(PolygonError::TooFewCorners(2))
    );
    assert_eq!(
        polygon(&[(0, 0), (9, 0), (9, 0), (0, 9)]),
        Err(PolygonError::RepeatedCorner(1))
    );
    assert_eq!(
        polygon(&[(0, 0), (9, 0), (0, 9), (0, 0)]),
        Err(PolygonError::RepeatedCorner(3))
    );
    assert_eq!(
        polygon(&[(0, 0), (9, 9), (9, 0), (0, 9)]),
        Err(PolygonError::EdgesMeet(0, 2)),
        "bow tie"
    );
    assert_eq!(
        polygon(&[(0, 0), (9, 0), (5, 0)]),
        Err(PolygonError::EdgesMeet(0, 1)),
        "no area"
    );
    assert_eq!(
        polygon(&[(0, 0), (9, 0), (9, 9), (4, 0), (0, 9)]),
        Err(PolygonError::EdgesMeet(0, 2)),
        "pinched"
    );
    assert!(
        polygon(&[(0, 0), (5, 0), (9, 0), (0, 9)]).is_ok(),
        "a corner on a straight line"
    );
}

#[test]
fn discs_and_roads_tell_touching_from_crossing() {
    let disc = Disc::new(Point::ORIGIN, um(5));
    assert_eq!(
        disc.meets(line((-9, 5), (9, 5))),
        Contact::Touches,
        "tangent"
    );
    assert_eq!(
        disc.meets(line((3, 4), (9, 9))),
        Contact::Touches,
        "ends on the rim"
    );
    assert_eq!(
        disc.meets(line((1, 1), (2, 2))),
        Contact::Crosses,
        "wholly inside"
    );
    assert_eq!(disc.meets(line((-9, 6), (9, 6))), Contact::Apart);
    assert!(disc.has_edge_within(at(0, 2), um(3)) && !disc.has_edge_within(at(0, 1), um(3)));

    let road = Shape::from(Ribbon::new(vec![at(0, 0), at(20, 0), at(20, 20)], um(3)));
    assert_eq!(
        road.locate(at(23, 0)),
        Containment::Edge,
        "round outside the bend"
    );
    assert_eq!(road.locate(at(23, -3)), Containment::Outside);
    assert_eq!(
        road.inner_ranges(line((-10, 0), (40, 0))),
        [(um(7), um(33))],
        "along one leg, across the other"
    );
    assert_eq!(
        Shape::from(Ribbon::new(vec![], um(3))).meets(line((0, 0), (9, 9))),
        Contact::Apart
    );
}

#[test]
fn a_line_that_grazes_the_top_is_not_blocked() {
    let house = |base, top| Obstacle {
        shape: Polygon::rectangle(at(40, -10), at(60, 10)).unwrap().into(),
        base: um(base),
        top: um(top),
    };
    let eye = |x, height| Eye {
        at: at(x, 0),
        height: um(height),
    };
    let solid = |a, b, obstacle: Obstacle| sight(a, b, &[obstacle]).first().map(|met| met.solid);

    assert_eq!(
        solid(eye(0, 30), eye(100, 30), house(0, 30)),
        Some(Contact::Touches),
        "level with the top"
    );
    assert_eq!(
        solid(eye(0, 30), eye(100, 30), house(0, 31)),
        Some(Contact::Crosses)
    );
    assert_eq!(
        solid(eye(0, 30), eye(100, 30), house(30, 31)),
        Some(Contact::Touches),
        "level with the base"
    );
    assert_eq!(
        solid(eye(0, 30), eye(100, 30), house(31, 40)),
        Some(Contact::Apart),
        "under a bridge"
    );
    // Falling from 100 to 0, the line is at 40 over the far wall.
    assert_eq!(
        solid(eye(0, 100), eye(100, 0), house(0, 40)),
        Some(Contact::Touches),
        "over the far wall's top"
    );
    assert_eq!(
        solid(eye(0, 100), eye(100, 0), house(0, 41)),
        Some(Contact::Crosses)
    );
    assert_eq!(
        solid(eye(0, 100), eye(100, 0), house(0, 39)),
        Some(Contact::Apart)
    );
    // Straight up, from inside.
    assert_eq!(
        solid(eye(50, 0), eye(50, 9), house(0, 40)),
        Some(Contact::Crosses)
    );
    assert_eq!(
        solid(eye(50, 40), eye(50, 49), house(0, 40)),
        Some(Contact::Touches),
        "from the roof"
    );
    // The line comes down to the top only where it ends, inside.
    assert_eq!(
        solid(eye(0, 50), eye(50, 40), house(0, 40)),
        Some(Contact::Touches),
        "to the roof"
    );
}

#[test]
fn obstacles_come_in_the_order_of_the_line() {
    let post = |x, y| Obstacle {
        shape: Disc::new(at(x, y), um(5)).into(),
        base: Length::ZERO,
        top: um(9),
    };
    let eye = |x| Eye {
        at: at(x, 0),
        height: um(1),
    };
    let order = |a, b| -> Vec<usize> {
        let posts = [post(80, 0), post(50, 5), post(20, 0), post(20, 1)];
        sight(eye(a), eye(b), &posts)
            .iter()
            .map(|met| met.obstacle)
            .collect()
    };
    assert_eq!(order(0, 100), [2, 3, 0, 1]);
    assert_eq!(order(100, 0), [0, 2, 3, 1]);
}

#[test]
fn a_path_is_as_long_as_its_legs() {
    let path = Path::new(vec![at(0, 0), at(1, 1), at(1, 11), at(1, 11), at(11, 11)]);
    assert_eq!(
        path.legs().map(|leg| leg.length().um()).collect::<Vec<_>>(),
        [2, 10, 0, 10]
    );
    assert_eq!(path.length(), um(22));
    let points = [-5, 0, 2, 7, 12, 15, 22, 99].map(|length| path.point_at(um(length)).unwrap());
    assert_eq!(
        points,
        [
            at(0, 0),
            at(0, 0),
            at(1, 1),
            at(1, 6),
            at(1, 11),
            at(4, 11),
            at(11, 11),
            at(11, 11)
        ]
    );
    assert_eq!(Path::default().point_at(Length::ZERO), None);
    let wood = [Shape::from(Disc::new(at(1, 6), um(2)))];
    let inside = |parts: &Vec<Stretch>| {
        parts
            .iter()
            .filter(|part| part.areas == [0])
            .map(Stretch::length)
            .sum()
    };
    assert_eq!(
        path.stretches(&wood)
            .iter()
            .map(inside)
            .collect::<Vec<Length>>(),
        [0, 4, 0, 0].map(um)
    );
}

#[test]
fn a_bearing_on_a_border_goes_clockwise() {
    for minute in (0..21_600).step_by(7) {
        let (here, next) = (
            Direction::from_minutes(minute),
            Direction::from_minutes(minute + 1),
        );
        let (one, other) = (here.vector(), next.vector());
        let border = at(one.x() + other.x(), one.y() + other.y());
        assert_eq!(bearing(Point::ORIGIN, border), Some(next));
        let (x, y) = (border.x().um(), border.y().um());
        let just_before = at(x - y.signum(), y + x.signum());
        assert_eq!(bearing(Point::ORIGIN, just_before), Some(here));
    }
}

#[test]
fn edges_of_arcs_are_inside() {
    for half in (0..=10_800).step_by(300) {
        let arc = Arc::new(Angle::degrees(33), Angle::from_minutes(half));
        let is_held = |off: i32| {
            let target = Direction::degrees(33)
                .turned(Angle::from_minutes(off))
                .vector();
            arc.contains(Point::ORIGIN, Direction::NORTH, Point::ORIGIN + target)
        };
        assert!(is_held(half) && is_held(-half), "half width {half}");
        assert_eq!(is_held(half + 1), half == 10_800);
        assert_eq!(is_held(-half - 1), half == 10_800);
    }
    let face = |x, y| first_arc_holding(Point::ORIGIN, Direction::NORTH, &QUADRANTS, at(x, y));
    assert_eq!(
        [face(5, 5), face(5, -5), face(-5, -5), face(-5, 5)],
        [Some(0), Some(1), Some(2), Some(0)]
    );
    assert_eq!(
        arcs_holding(Point::ORIGIN, Direction::NORTH, &QUADRANTS, at(5, 5)),
        [0, 1]
    );
}

/// A quarter or three quarters of a disc, whose straight sides lie along the axes.
#[test]
fn sectors_cover_bases_as_their_sides_say() {
    let length = 10;
    let quarter = Sector::new(
        Point::ORIGIN,
        Direction::degrees(45),
        Angle::degrees(45),
        um(length),
    );
    let rest = Sector::new(
        Point::ORIGIN,
        Direction::degrees(225),
        Angle::degrees(135),
        um(length),
    );
    let sides = [line((0, 0), (length, 0)), line((0, 0), (0, length))];
    for (x, y, radius) in (-15..=15).flat_map(|x| {
        (-15..=15).flat_map(move |y| [0, 1, 2, 5, 9, 10, 11, 25].map(|radius| (x, y, radius)))
    }) {
        let (point, base) = (at(x, y), Disc::new(at(x, y), um(radius)));
        let near_side = sides.iter().any(|side| side.is_within(point, um(radius)));
        let in_reach = within(point, Point::ORIGIN, um(length + radius));
        let is_deep = within(point, Point::ORIGIN, um(length - radius));
        // On this grid the nearest point of a side has whole coordinates.
        let is_cut = sides.iter().any(|side| {
            let foot = side.nearest_point(point);
            (point - foot).squared() < i128::from(radius * radius)
        });
        for (sector, in_arc) in [(quarter, x >= 0 && y >= 0), (rest, x <= 0 || y <= 0)] {
            let expected = match (in_arc, in_reach, is_deep && !is_cut) {
                (true, _, true) => Coverage::Wholly,
                (true, true, _) => Coverage::Partly,
                (true, false, _) => Coverage::Clear,
                (false, ..) if near_side => Coverage::Partly,
                (false, ..) => Coverage::Clear,
            };
            assert_eq!(
                Template::from(sector).covers_base(base),
                expected,
                "{x} {y} {radius}"
            );
        }
    }
}
