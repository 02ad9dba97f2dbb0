//! The open table (lengths, angles, points, arcs, areas, paths, sight, templates) and
//! the map of [hexes](Hex), which has an orientation of its own.
//!
//! # Units, ranges, orientation
//!
//! ```text
//!              0 north, +y
//!                  |
//!    270 west -----+----- 90 east, +x        angles run clockwise
//!                  |
//!              180 south
//! ```
//!
//! - A [`Length`] counts micrometres, an [`Angle`] minutes of arc.
//! - A coordinate or a height lies within [`COORDINATE_LIMIT`], 2^40 micrometres
//!   (1,099 km) either way of zero; what is built from more saturates there.
//!   Within that range every function is total: none panics, none overflows.
//! - Predicates are exact. There is no tolerance: a point lies inside, on the
//!   edge or outside, and a line is [apart from, touches or crosses](Contact) a thing.
//!   Where an answer is a number that cannot be exact (a distance, a point
//!   along a line), its rounding is stated.
//! - Edges belong to the thing: what lies on the edge of an arc, a template or a
//!   range is in it. Areas tell their edge apart, as [`Containment`] and [`Contact`]
//!   do, and a way along the edge of an area leads through none of it.
//! - Radii and widths are held between zero and 2^42 micrometres, which is more
//!   than any distance on the table.
//! - Lists come back in the order given, ties included.
//!
//! Nothing here knows what a unit, a wood or a shot is.

mod angle;
mod arc;
mod capsule;
mod fraction;
mod hex;
mod length;
mod path;
mod point;
mod polygon;
mod segment;
mod shape;
mod sight;
mod template;
mod wide;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;

pub use angle::{Angle, DIRECTION_SCALE, Direction};
pub use arc::{Arc, QUADRANTS, arcs_holding, first_arc_holding};
pub use hex::{
    HEX_DIRECTIONS, HEX_LIMIT, Hex, HexCosts, HexEye, HexMet, HexReach, HexStep, Hexside,
    LARGEST_RADIUS, hex_area, hex_direction, hex_distance, hex_line, hex_path_cost, hex_reach,
    hex_ring, hex_sight, is_hex_blocked,
};
pub use length::Length;
pub use path::{Path, Stretch, points_along, stretches};
pub use point::{
    COORDINATE_LIMIT, Point, Vector, bearing, beyond, connected, distance, list_beyond,
    list_within, nearest, offset, toward, within,
};
pub use polygon::{Polygon, PolygonError};
pub use segment::{Contact, Segment, Turn, turn};
pub use shape::{Containment, Disc, Ribbon, Shape};
pub use sight::{Eye, Met, Obstacle, is_blocked, sight};
pub use template::{Coverage, Ring, Sector, Strip, Template};
