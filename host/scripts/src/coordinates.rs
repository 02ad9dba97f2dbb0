//! Numbers, points and hexes as scripts have them.

use kernel::geometry::{Hex, Length, Point};
use kernel::value::{LARGEST_INT, Value};
use mlua::Table;

use crate::answers::{pair_of, pairs_of};

/// A number of the machine as a whole number, if it is one.
pub(crate) fn whole_number(n: f64) -> Option<i64> {
    // What is no number, or too large for one, comes to another one.
    let whole = n as i64;
    (whole as f64 == n && n.abs() <= LARGEST_INT as f64).then_some(whole)
}

/// A point from a table with `x` and `y`.
pub(crate) fn point_of(table: &Table) -> Option<Point> {
    let [x, y] = pair_of(table, ['x', 'y'])?;
    Point::checked(Length::from_um(x), Length::from_um(y))
}

/// So many points at the beginning of a list, if it holds nothing else.
pub(crate) fn points_of(list: &Table, count: usize) -> Option<Vec<Value>> {
    let point = |[x, y]: [i64; 2]| Point::checked(Length::from_um(x), Length::from_um(y));
    pairs_of(list, ['x', 'y'], count)?.into_iter().map(|pair| point(pair).map(Value::Point)).collect()
}

/// A hex from a table with `q` and `r`.
pub(crate) fn hex_of(table: &Table) -> Option<Hex> {
    let [q, r] = pair_of(table, ['q', 'r'])?;
    Hex::checked(q, r)
}
