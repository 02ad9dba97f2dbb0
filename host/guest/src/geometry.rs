//! The open table.

use crate::Entity;
use crate::bindings::houserule::contract::data;
use crate::bindings::houserule::contract::geometry as wit;

pub use wit::{Contact, Met, Quarter, SideOf, Stretch};

/// A point of the table, in micrometres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// To the east.
    pub x: i64,
    /// To the north.
    pub y: i64,
}

/// A point, or an entity that stands at its attribute `at`.
#[derive(Clone, Copy, Debug)]
pub enum Where {
    /// A point.
    At(Point),
    /// An entity.
    Of(Entity),
}

impl From<Point> for Where {
    fn from(point: Point) -> Where {
        Where::At(point)
    }
}

impl From<Entity> for Where {
    fn from(entity: Entity) -> Where {
        Where::Of(entity)
    }
}

/// A shape on the table.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Three or more corners in order.
    Polygon(Vec<Where>),
    /// A centre and a radius.
    Disc(Where, i64),
    /// A line with half its width.
    Line(Vec<Where>, i64),
}

fn at(place: impl Into<Where>) -> wit::Where {
    match place.into() {
        Where::At(point) => wit::Where::At(data::Point {
            x: point.x,
            y: point.y,
        }),
        Where::Of(entity) => wit::Where::Of(entity.0),
    }
}

fn all(places: &[Where]) -> Vec<wit::Where> {
    places.iter().copied().map(at).collect()
}

fn point(point: data::Point) -> Point {
    Point {
        x: point.x,
        y: point.y,
    }
}

impl Where {
    /// The distance, rounded up to the micrometre.
    pub fn distance(self, other: impl Into<Where>) -> i64 {
        wit::distance(at(self), at(other))
    }

    /// Whether they are at most so far apart.
    pub fn within(self, other: impl Into<Where>, reach: i64) -> bool {
        wit::within(at(self), at(other), reach)
    }

    /// Whether they are farther apart than that.
    pub fn beyond(self, other: impl Into<Where>, reach: i64) -> bool {
        wit::beyond(at(self), at(other), reach)
    }

    /// Those of a list that are nearest, by their places.
    pub fn nearest(self, among: &[Where]) -> Vec<u32> {
        wit::nearest(at(self), &all(among))
    }

    /// The direction to another; `None` where they are one point.
    pub fn bearing(self, other: impl Into<Where>) -> Option<i32> {
        wit::bearing(at(self), at(other))
    }

    /// The point so far towards another.
    pub fn toward(self, other: impl Into<Where>, distance: i64) -> Point {
        point(wit::toward(at(self), at(other), distance))
    }

    /// The point so far in a direction.
    pub fn offset(self, direction: i32, distance: i64) -> Point {
        point(wit::offset(at(self), direction, distance))
    }

    /// Whether another lies in an arc.
    pub fn in_arc(
        self,
        facing: i32,
        other: impl Into<Where>,
        centre: i32,
        half_width: i32,
    ) -> bool {
        wit::in_arc(at(self), facing, at(other), centre, half_width)
    }

    /// The quarter in which another lies.
    pub fn quadrant(self, facing: i32, other: impl Into<Where>) -> Quarter {
        wit::quadrant(at(self), facing, at(other))
    }
}

/// The groups of those within `link` of each other, by their places.
pub fn connected(among: &[Where], link: i64) -> Vec<Vec<u32>> {
    wit::connected(&all(among), link)
}

/// The length of a path over its points, its start among them.
pub fn path_length(points: &[Where]) -> i64 {
    wit::path_length(&all(points))
}

impl Shape {
    fn wit(&self) -> wit::Shape {
        match self {
            Shape::Polygon(corners) => wit::Shape::Polygon(all(corners)),
            Shape::Disc(centre, radius) => wit::Shape::Disc(wit::Disc {
                centre: at(*centre),
                radius: *radius,
            }),
            Shape::Line(line, half_width) => wit::Shape::Line(wit::Ribbon {
                line: all(line),
                half_width: *half_width,
            }),
        }
    }

    /// Where a point lies.
    pub fn locate(&self, place: impl Into<Where>) -> SideOf {
        wit::locate(&self.wit(), at(place))
    }

    /// Whether a point is inside, or within so far of it.
    pub fn is_near(&self, place: impl Into<Where>, reach: i64) -> bool {
        wit::near(&self.wit(), at(place), reach)
    }

    /// Whether a point is within so far of its edge; a line has none.
    pub fn is_near_edge(&self, place: impl Into<Where>, reach: i64) -> bool {
        wit::near_edge(&self.wit(), at(place), reach)
    }

    /// How the line between two points meets it.
    pub fn meets(&self, a: impl Into<Where>, b: impl Into<Where>) -> Contact {
        wit::meets(&self.wit(), at(a), at(b))
    }

    /// Whether it covers a point, its edge included.
    pub fn covers(&self, place: impl Into<Where>) -> bool {
        self.is_near(place, 0)
    }
}

/// What stands between: a shape with the heights from which and up to which it
/// stands.
pub type Obstacle = (Shape, i64, i64);

fn obstacles(list: &[Obstacle]) -> Vec<wit::Obstacle> {
    let one = |(shape, base, top): &Obstacle| wit::Obstacle {
        shape: shape.wit(),
        base: *base,
        top: *top,
    };
    list.iter().map(one).collect()
}

/// Whether something that stands between blocks the line of sight.
pub fn is_blocked(
    a: impl Into<Where>,
    height_a: i64,
    b: impl Into<Where>,
    height_b: i64,
    between: &[Obstacle],
) -> bool {
    wit::blocked(
        at(a),
        at(b),
        &obstacles(between),
        Some(height_a),
        Some(height_b),
    )
}

/// Every obstacle that the line of sight meets, by its place in the list.
pub fn sight(
    a: impl Into<Where>,
    height_a: i64,
    b: impl Into<Where>,
    height_b: i64,
    between: &[Obstacle],
) -> Vec<Met> {
    wit::sight(
        at(a),
        at(b),
        &obstacles(between),
        Some(height_a),
        Some(height_b),
    )
}

/// A straight leg cut where it enters or leaves a shape.
pub fn stretches(a: impl Into<Where>, b: impl Into<Where>, shapes: &[Shape]) -> Vec<Stretch> {
    wit::stretches(
        at(a),
        at(b),
        &shapes.iter().map(Shape::wit).collect::<Vec<_>>(),
    )
}

/// A template laid on the table.
#[derive(Clone, Copy, Debug)]
pub enum Template {
    /// A centre and a radius.
    Disc(Where, i64),
    /// A centre, the inner and the outer radius.
    Ring(Where, i64, i64),
    /// From one point to another, with half its width.
    Strip(Where, Where, i64),
    /// An origin, a direction, half the angle, a length.
    Sector(Where, i32, i32, i64),
}

impl Template {
    /// Whether it covers a point, its edge included.
    pub fn covers(self, place: impl Into<Where>) -> bool {
        let template = match self {
            Template::Disc(centre, radius) => wit::Template::Disc(wit::Disc {
                centre: at(centre),
                radius,
            }),
            Template::Ring(centre, inner, radius) => wit::Template::Ring(wit::Ring {
                centre: at(centre),
                inner,
                radius,
            }),
            Template::Strip(from, to, half_width) => wit::Template::Strip(wit::Strip {
                from: at(from),
                to: at(to),
                half_width,
            }),
            Template::Sector(origin, direction, half_angle, length) => {
                wit::Template::Sector(wit::Sector {
                    origin: at(origin),
                    direction,
                    half_angle,
                    length,
                })
            }
        };
        wit::covers(template, at(place))
    }
}
