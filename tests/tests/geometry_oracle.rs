//! The kernel's areas and segments against the `geo` crate, whose integer
//! predicates are exact as long as products of coordinates fit into 64 bits.

use geo::coordinate_position::{CoordPos, CoordinatePosition};
use geo::{Contains, Coord, Intersects, Line, LineString};
use kernel::geometry::{Contact, Containment, Point, Polygon, Segment};
use proptest::prelude::*;

/// Small coordinates make ties and touching likely, large ones reach the limit of `geo`.
fn point() -> impl Strategy<Value = Point> {
    let small = (-6_i64..=6, -6_i64..=6);
    let large = (-(1_i64 << 29)..=1 << 29, -(1_i64 << 29)..=1 << 29);
    prop_oneof![3 => small, 1 => large].prop_map(|(x, y)| Point::from_um(x, y))
}

fn segment() -> impl Strategy<Value = Segment> {
    (point(), point()).prop_map(|(a, b)| Segment::new(a, b))
}

fn polygon() -> impl Strategy<Value = Polygon> {
    prop::collection::vec(point(), 3..7)
        .prop_filter_map("not simple", |corners| Polygon::new(corners).ok())
}

fn coord(point: Point) -> Coord<i64> {
    Coord {
        x: point.x().um(),
        y: point.y().um(),
    }
}

fn geo_line(segment: Segment) -> Line<i64> {
    Line::new(coord(segment.a), coord(segment.b))
}

fn geo_polygon(polygon: &Polygon) -> geo::Polygon<i64> {
    geo::Polygon::new(
        polygon
            .corners()
            .iter()
            .copied()
            .map(coord)
            .collect::<LineString<i64>>(),
        vec![],
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        max_global_rejects: 200_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn segments_meet_where_geo_has_them_intersect(one in segment(), other in segment()) {
        prop_assert_eq!(one.meets(other).is_any(), geo_line(one).intersects(&geo_line(other)));
        prop_assert_eq!(one.contains(other.a), geo_line(one).intersects(&coord(other.a)));
    }

    #[test]
    fn a_point_lies_where_geo_has_it(polygon in polygon(), point in point()) {
        let expected = match geo_polygon(&polygon).coordinate_position(&coord(point)) {
            CoordPos::Inside => Containment::Inside,
            CoordPos::OnBoundary => Containment::Edge,
            CoordPos::Outside => Containment::Outside,
        };
        prop_assert_eq!(polygon.locate(point), expected);
        prop_assert_eq!(expected == Containment::Inside, geo_polygon(&polygon).contains(&geo::Point(coord(point))));
    }

    #[test]
    fn a_segment_meets_a_polygon_where_geo_has_them_intersect(polygon in polygon(), segment in segment()) {
        let met = polygon.meets(segment);
        prop_assert_eq!(met.is_any(), geo_polygon(&polygon).intersects(&geo_line(segment)));
        prop_assert_eq!(met, polygon.meets(segment.reversed()));
    }

    #[test]
    fn a_polygon_is_refused_where_geo_finds_edges_crossing(corners in prop::collection::vec(point(), 4..7)) {
        let edge = |i: usize| Line::new(coord(corners[i]), coord(corners[(i + 1) % corners.len()]));
        let apart = |i: usize, j: usize| (i + 1) % corners.len() != j && (j + 1) % corners.len() != i;
        let n = corners.len();
        let is_tangled = (0..n).any(|i| (i + 1..n).any(|j| apart(i, j) && edge(i).intersects(&edge(j))));
        prop_assert!(!(is_tangled && Polygon::new(corners.clone()).is_ok()));
    }

    #[test]
    fn the_sides_of_a_triangle_touch_it(a in point(), b in point(), c in point(), d in point()) {
        if let Ok(triangle) = Polygon::new(vec![a, b, c]) {
            prop_assert_eq!(triangle.meets(Segment::new(a, b)), Contact::Touches);
            let is_inner = geo_polygon(&triangle).contains(&geo::Point(coord(d)));
            prop_assert!(!is_inner || triangle.meets(Segment::new(a, d)) == Contact::Crosses);
        }
    }
}
