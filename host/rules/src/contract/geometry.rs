//! The open table. Predicates are exact; edges belong to the thing.

use kernel::error::{Fault, FaultCode};
use kernel::geometry::{
    self as geo, Angle, Arc, Contact, Containment, Direction, Length, Met, Path, Point, Shape,
    Stretch,
};
use kernel::value::Value;

use super::function::{Entry, Function, spec};
use super::places::{Area, LaidTemplate, Obstacles, Paid, Where, corners};
use super::types::{ContractName, Give, Given, Groups, Indices, Typed, places};
use crate::limits::cost;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &DISTANCE,
    &WITHIN,
    &BEYOND,
    &NEAREST,
    &BEARING,
    &TOWARD,
    &OFFSET,
    &IN_ARC,
    &QUADRANT,
    &CONNECTED,
    &LOCATE,
    &NEAR,
    &NEAR_EDGE,
    &STRETCHES,
    &MEETS,
    &SIGHT,
    &BLOCKED,
    &PATH_LENGTH,
    &COVERS,
];

/// `game:distance`.
pub const DISTANCE: Function<(Where, Where), Length> = Function {
    spec: spec(
        "game:distance",
        "geometry.distance",
        &["a", "b"],
        "The distance, rounded up to the micrometre, so that `<=` says the same as `within`.",
    ),
    run: |call, (a, b)| Ok(geo::distance(call.point(a)?, call.point(b)?)),
};

/// `game:within`.
pub const WITHIN: Function<(Where, Where, Length), bool> = Function {
    spec: spec(
        "game:within",
        "geometry.within",
        &["a", "b", "reach"],
        "Whether two points are at most so far apart; exact.",
    ),
    run: |call, (a, b, reach)| Ok(geo::within(call.point(a)?, call.point(b)?, reach)),
};

/// `game:beyond`.
pub const BEYOND: Function<(Where, Where, Length), bool> = Function {
    spec: spec(
        "game:beyond",
        "geometry.beyond",
        &["a", "b", "reach"],
        "Whether they are farther apart than that; exact.",
    ),
    run: |call, (a, b, reach)| Ok(geo::beyond(call.point(a)?, call.point(b)?, reach)),
};

/// `game:nearest`.
pub const NEAREST: Function<(Where, Paid<Where>), Indices> = Function {
    spec: spec(
        "game:nearest",
        "geometry.nearest",
        &["from", "list"],
        "Those of a list that are nearest, more than one if they tie; components get their places in the list.",
    )
    .costs("4 for each of the list"),
    run: |call, (from, list)| Ok(Indices(geo::nearest(call.point(from)?, &call.points(&list)?))),
};

/// `game:bearing`.
pub const BEARING: Function<(Where, Where), Option<Direction>> = Function {
    spec: spec(
        "game:bearing",
        "geometry.bearing",
        &["a", "b"],
        "The direction from a to b; nothing where they are one point.",
    ),
    run: |call, (a, b)| Ok(geo::bearing(call.point(a)?, call.point(b)?)),
};

/// `game:toward`.
pub const TOWARD: Function<(Where, Where, Length), Point> = Function {
    spec: spec(
        "game:toward",
        "geometry.toward",
        &["a", "b", "distance"],
        "The point so far from a towards b.",
    ),
    run: |call, (a, b, distance)| Ok(geo::toward(call.point(a)?, call.point(b)?, distance)),
};

/// `game:offset`.
pub const OFFSET: Function<(Where, Direction, Length), Point> = Function {
    spec: spec(
        "game:offset",
        "geometry.offset",
        &["a", "direction", "distance"],
        "The point so far from a in a direction.",
    ),
    run: |call, (a, direction, distance)| Ok(geo::offset(call.point(a)?, direction, distance)),
};

/// `game:in_arc`.
pub const IN_ARC: Function<(Where, Direction, Where, Angle, Angle), bool> = Function {
    spec: spec(
        "game:in_arc",
        "geometry.in-arc",
        &["a", "facing", "b", "centre", "half_width"],
        "Whether b lies in the arc of a: its middle `centre` from the facing, and so wide to either side. Edges belong to it.",
    ),
    run: |call, (a, facing, b, centre, half_width)| {
        Ok(Arc::new(centre, half_width).contains(call.point(a)?, facing, call.point(b)?))
    },
};

/// A quarter of the table around something that faces somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quarter {
    /// Where it faces.
    Front,
    /// To its right.
    Right,
    /// Behind it.
    Rear,
    /// To its left.
    Left,
}

/// `game:quadrant`.
pub const QUADRANT: Function<(Where, Direction, Where), Quarter> = Function {
    spec: spec(
        "game:quadrant",
        "geometry.quadrant",
        &["a", "facing", "b"],
        "The quarter of a in which b lies.",
    ),
    run: |call, (a, facing, b)| {
        Ok(
            match geo::first_arc_holding(call.point(a)?, facing, &geo::QUADRANTS, call.point(b)?) {
                Some(1) => Quarter::Right,
                Some(2) => Quarter::Rear,
                Some(3) => Quarter::Left,
                _ => Quarter::Front,
            },
        )
    },
};

/// `game:connected`.
pub const CONNECTED: Function<(Paid<Where>, Length), Groups> = Function {
    spec: spec(
        "game:connected",
        "geometry.connected",
        &["list", "link"],
        "The groups in which each is within `link` of another of its group: lists of places in the list.",
    )
    .costs("4 for each of the list, and a quarter of the square of their number"),
    run: |call, (list, link)| {
        call.spend(cost::connected(list.all().len()))?;
        Ok(Groups(geo::connected(&call.points(&list)?, link)))
    },
};

/// `game:locate`.
pub const LOCATE: Function<(Area, Where), Containment> = Function {
    spec: spec(
        "game:locate",
        "geometry.locate",
        &["shape", "at"],
        "Where a point lies.",
    )
    .costs(AREA),
    run: |call, (area, at)| Ok(call.shape(&area)?.locate(call.point(at)?)),
};

/// What an area costs.
const AREA: &str = "8 for each corner, and half the square of the corners of a polygon";

/// What areas in a list cost.
const AREAS: &str =
    "24 for each of the list, 8 for each corner, and half the square of the corners of a polygon";

/// `game:near`.
pub const NEAR: Function<(Area, Where, Length), bool> = Function {
    spec: spec(
        "game:near",
        "geometry.near",
        &["shape", "at", "reach"],
        "Whether a point is inside a shape or within so far of it.",
    )
    .costs(AREA),
    run: |call, (area, at, reach)| Ok(call.shape(&area)?.is_within(call.point(at)?, reach)),
};

/// `game:near_edge`.
pub const NEAR_EDGE: Function<(Area, Where, Length), bool> = Function {
    spec: spec(
        "game:near_edge",
        "geometry.near-edge",
        &["shape", "at", "reach"],
        "Whether a point is within so far of the edge of a polygon or disc. F047 for a line.",
    )
    .costs(AREA),
    run: |call, (area, at, reach)| {
        let at = call.point(at)?;
        match &*call.shape(&area)? {
            Shape::Polygon(polygon) => Ok(polygon.has_edge_within(at, reach)),
            Shape::Disc(disc) => Ok(disc.has_edge_within(at, reach)),
            Shape::Ribbon(_) => Err(Fault::new(
                FaultCode::BadGeometry,
                "expected a polygon or a disc, found a line",
            )),
        }
    },
};

/// `game:stretches`.
pub const STRETCHES: Function<(Where, Where, Paid<Area>), Vec<Stretch>> = Function {
    spec: spec(
        "game:stretches",
        "geometry.stretches",
        &["a", "b", "shapes"],
        "A straight leg cut where it enters or leaves a shape; the lengths add up to the leg.",
    )
    .costs("as the areas of `sight`, and the square of the number of areas and corners"),
    run: |call, (a, b, areas)| {
        let leg = call.segment(a, b)?;
        let areas = call.shapes(&areas)?;
        call.spend(cost::stretches(
            areas.len(),
            areas.iter().map(corners).sum(),
        ))?;
        let found = geo::stretches(leg, &areas);
        call.spend(cost::items(
            found.iter().map(|stretch| stretch.areas.len()).sum(),
        ))?;
        Ok(found)
    },
};

/// `game:meets`.
pub const MEETS: Function<(Area, Where, Where), Contact> = Function {
    spec: spec(
        "game:meets",
        "geometry.meets",
        &["shape", "a", "b"],
        "How the straight line from a to b meets a shape.",
    )
    .costs(AREA),
    run: |call, (area, a, b)| Ok(call.shape(&area)?.meets(call.segment(a, b)?)),
};

/// From where to where, past what, and how high the eyes are.
pub type Looking = (Where, Where, Obstacles, Option<Length>, Option<Length>);

/// `game:sight`.
pub const SIGHT: Function<Looking, Vec<Met>> = Function {
    spec: spec(
        "game:sight",
        "geometry.sight",
        &["a", "b", "obstacles", "height_a", "height_b"],
        "Every obstacle that the line of sight meets; heights are of the eyes, 0 without them.",
    )
    .costs(AREAS),
    run: |call, (a, b, obstacles, height_a, height_b)| {
        let obstacles = call.obstacles(&obstacles)?;
        Ok(geo::sight(
            call.eye(a, height_a)?,
            call.eye(b, height_b)?,
            &obstacles,
        ))
    },
};

/// `game:blocked`.
pub const BLOCKED: Function<Looking, bool> = Function {
    spec: spec(
        "game:blocked",
        "geometry.blocked",
        &["a", "b", "obstacles", "height_a", "height_b"],
        "Whether some obstacle blocks the line of sight.",
    )
    .costs(AREAS),
    run: |call, (a, b, obstacles, height_a, height_b)| {
        let (a, b) = (call.eye(a, height_a)?, call.eye(b, height_b)?);
        Ok(geo::is_blocked(a, b, &call.obstacles(&obstacles)?))
    },
};

/// `game:path_length`.
pub const PATH_LENGTH: Function<(Paid<Where>,), Length> = Function {
    spec: spec(
        "game:path_length",
        "geometry.path-length",
        &["points"],
        "The length of a path over its points, its start among them.",
    )
    .costs("4 for each of the list"),
    run: |call, (points,)| Ok(Path::new(call.points(&points)?).length()),
};

/// `game:covers`.
pub const COVERS: Function<(LaidTemplate, Where), bool> = Function {
    spec: spec(
        "game:covers",
        "geometry.covers",
        &["template", "at"],
        "Whether a template covers a point, its edge included.",
    ),
    run: |call, (template, at)| Ok(call.template(&template)?.covers(call.point(at)?)),
};

fn names(luau: &str, wit: &str) -> ContractName {
    ContractName {
        luau: luau.to_string(),
        wit: wit.to_string(),
    }
}

fn length(length: Length) -> Given {
    Given::Value(Value::Length(length))
}

impl Give for Quarter {
    fn result() -> Option<ContractName> {
        Some(names(r#""front" | "right" | "rear" | "left""#, "quarter"))
    }

    fn give(self) -> Given {
        Given::Word(match self {
            Quarter::Front => "front",
            Quarter::Right => "right",
            Quarter::Rear => "rear",
            Quarter::Left => "left",
        })
    }
}

impl Give for Containment {
    fn result() -> Option<ContractName> {
        Some(names(r#""inside" | "edge" | "outside""#, "side-of"))
    }

    fn give(self) -> Given {
        Given::Word(match self {
            Containment::Inside => "inside",
            Containment::Edge => "edge",
            Containment::Outside => "outside",
        })
    }
}

impl Give for Contact {
    fn result() -> Option<ContractName> {
        Some(names("Contact", "contact"))
    }

    fn give(self) -> Given {
        Given::Word(match self {
            Contact::Apart => "apart",
            Contact::Touches => "touches",
            Contact::Crosses => "crosses",
        })
    }
}

impl Typed for Met {
    fn names() -> ContractName {
        names("Met", "met")
    }
}

impl Give for Met {
    fn result() -> Option<ContractName> {
        Some(Met::names())
    }

    fn give(self) -> Given {
        Given::Record(vec![
            ("obstacle", Given::Place(self.obstacle)),
            ("plan", self.plan.give()),
            ("solid", self.solid.give()),
            ("length", length(self.length_inside())),
        ])
    }
}

impl Typed for Stretch {
    fn names() -> ContractName {
        names("Stretch", "stretch")
    }
}

impl Give for Stretch {
    fn result() -> Option<ContractName> {
        Some(Stretch::names())
    }

    fn give(self) -> Given {
        Given::Record(vec![
            ("from", length(self.from)),
            ("to", length(self.to)),
            ("length", length(self.length())),
            ("areas", places(self.areas)),
        ])
    }
}
