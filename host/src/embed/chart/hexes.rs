//! Hexes on the chart, where a game has any.
//!
//! The engine lays them out as maps print them: columns run north to south,
//! from the left, those with an odd number half a hex lower; the far edge of
//! the table is north. An inch of the table is a hex, and both columns and
//! rows are numbered from 1.

use std::collections::BTreeMap;

use kernel::book::Book;
use kernel::geometry::{Hex, Length, Point, hex_distance};
use kernel::value::{Type, Value};
use kernel::world::Kind;

use super::{Caption, Chart, ChartArea, ChartShape, HexCell, ground, has_place, last_part};

/// A hex is so wide and deep.
const INCH: i64 = 25_400;

/// Half of what hexsides and roads are wide.
const HALF_WIDTH: i64 = INCH / 16;

/// Where hexes lie on a table of some depth.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    width: i64,
    depth: i64,
}

impl HexCell {
    /// What it is called.
    pub fn name(&self) -> String {
        hex_at(self.column, self.row).name()
    }
}

fn hex_at(column: i64, row: i64) -> Hex {
    let number = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
    Hex::at(number(column), number(row))
}

impl Layout {
    /// That of a game in which anything is in a hex.
    pub fn of(book: &Book, (width, depth): (Length, Length)) -> Option<Layout> {
        book.schema.has_hexes().then_some(Layout {
            width: width.um(),
            depth: depth.um(),
        })
    }

    /// The middle of a hex.
    pub fn centre(self, hex: Hex) -> Point {
        let (column, row) = hex.column_row();
        let lower = if column.rem_euclid(2) == 1 {
            INCH / 2
        } else {
            0
        };
        let down = i64::from(row) * INCH - INCH / 2 + lower - INCH / 4;
        point(i64::from(column) * INCH - INCH / 2, self.depth - down)
    }

    /// Where a value is, be it a point or a hex.
    pub fn spot(layout: Option<Layout>, value: &Value) -> Option<Point> {
        value
            .as_point()
            .or_else(|| Some(layout?.centre(value.as_hex()?)))
    }

    /// Its corners, one after the other.
    fn corners(self, hex: Hex) -> Vec<Point> {
        let (x, y) = (self.centre(hex).x().um(), self.centre(hex).y().um());
        let (near, far, half) = (INCH / 3, 2 * INCH / 3, INCH / 2);
        let around = [
            (far, 0),
            (near, half),
            (-near, half),
            (-far, 0),
            (-near, -half),
            (near, -half),
        ];
        around.map(|(right, up)| point(x + right, y + up)).to_vec()
    }

    /// The side between two hexes beside each other.
    fn side(self, a: Hex, b: Hex) -> Vec<Point> {
        let to = self.centre(b);
        let apart = |corner: &Point| {
            let (x, y) = (corner.x().um() - to.x().um(), corner.y().um() - to.y().um());
            x * x + y * y
        };
        let mut corners = self.corners(a);
        corners.sort_by_key(apart);
        corners.truncate(2);
        corners
    }

    /// All hexes of the table.
    pub fn hexes(self) -> Vec<HexCell> {
        let rows = self.depth / INCH;
        let columns =
            (1..=self.width / INCH).flat_map(|column| (1..=rows).map(move |row| (column, row)));
        let cell = |(column, row)| {
            let hex = hex_at(column, row);
            HexCell {
                column,
                row,
                centre: self.centre(hex),
                corners: self.corners(hex),
            }
        };
        columns.map(cell).collect()
    }

    /// Puts on the chart what is no piece: a hexside, a road, what is in a hex.
    /// Gives whether it was any of them.
    pub fn place(
        self,
        chart: &mut Chart,
        kind: &Kind,
        values: &BTreeMap<&str, &Value>,
        label: &str,
    ) -> bool {
        let band = |line: Vec<Point>| ChartShape::Band(line, Length::from_um(HALF_WIDTH));
        let shape = match (hex_of(values, "at"), hex_of(values, "to"), hexes_of(values)) {
            (Some(at), Some(to), _) if hex_distance(at, to) == 1 => band(self.side(at, to)),
            (None, _, Some(way)) if !has_place(kind) => {
                band(way.into_iter().map(|hex| self.centre(hex)).collect())
            }
            _ => return !has_place(kind) && self.place_ground(chart, kind, values, label),
        };
        chart.areas.push(ChartArea {
            label: label.to_string(),
            sort: sort_of_line(kind, values),
            shape,
            is_named: false,
        });
        true
    }

    /// What is in a hex that a thing without a place is called after.
    fn place_ground(
        self,
        chart: &mut Chart,
        kind: &Kind,
        values: &BTreeMap<&str, &Value>,
        label: &str,
    ) -> bool {
        let Some(hex) = Hex::named(label).filter(|hex| hex.name() == label) else {
            return false;
        };
        let marks = numbers(kind, values);
        if marks.is_empty() && is_ordinary(kind, values) {
            return true;
        }
        let text = marks.join(", ");
        let label = if text.is_empty() {
            label.to_string()
        } else {
            format!("{label} ({text})")
        };
        let shape = ChartShape::Polygon(self.corners(hex));
        chart.areas.push(ChartArea {
            label,
            sort: sort_of(kind, values),
            shape,
            is_named: false,
        });
        if !text.is_empty() {
            chart.captions.push(Caption {
                at: self.centre(hex),
                text,
            });
        }
        true
    }
}

fn point(x: i64, y: i64) -> Point {
    Point::new(Length::from_um(x), Length::from_um(y))
}

fn hex_of(values: &BTreeMap<&str, &Value>, name: &str) -> Option<Hex> {
    values.get(name)?.as_hex()
}

/// The first list of two hexes or more.
fn hexes_of(values: &BTreeMap<&str, &Value>) -> Option<Vec<Hex>> {
    let hexes = |value: &&Value| match value {
        Value::List(items) => items
            .iter()
            .map(Value::as_hex)
            .collect::<Option<Vec<Hex>>>(),
        _ => None,
    };
    values.values().filter_map(hexes).find(|way| way.len() > 1)
}

/// What sort of thing it is: the first word that its kind has, or the kind.
fn sort_of(kind: &Kind, values: &BTreeMap<&str, &Value>) -> String {
    let words = kind
        .attributes
        .iter()
        .filter(|attribute| matches!(attribute.ty, Type::Enum(_)));
    let mut found = words.filter_map(|attribute| values.get(&*attribute.name)?.as_text());
    found
        .next()
        .map_or_else(|| last_part(&kind.id), |word| word.replace('_', " "))
}

/// The same of a line: a `primary` road is a primary road, if maps know no `primary`.
fn sort_of_line(kind: &Kind, values: &BTreeMap<&str, &Value>) -> String {
    let (sort, what) = (sort_of(kind, values), last_part(&kind.id));
    if sort == what || ground::is_known(&sort) {
        sort
    } else {
        format!("{sort} {what}")
    }
}

/// Whether all words of a thing are what they were at first.
fn is_ordinary(kind: &Kind, values: &BTreeMap<&str, &Value>) -> bool {
    let mut words = kind
        .attributes
        .iter()
        .filter(|attribute| matches!(attribute.ty, Type::Enum(_)));
    words.all(|attribute| {
        values
            .get(&*attribute.name)
            .is_none_or(|value| attribute.default == **value)
    })
}

/// The numbers of a thing that are not what they were at first, by name.
fn numbers(kind: &Kind, values: &BTreeMap<&str, &Value>) -> Vec<String> {
    let number = |attribute: &kernel::world::Attribute| {
        let value = *values.get(&*attribute.name)?;
        let n = value.as_int().filter(|_| attribute.default != *value)?;
        Some(format!("{} {n}", attribute.name.replace('_', " ")))
    };
    kind.attributes.iter().filter_map(number).collect()
}

/// Parts the pieces that stand in one hex, so that each can be seen.
pub(super) fn spread(chart: &mut Chart) {
    let mut together: BTreeMap<Hex, Vec<usize>> = BTreeMap::new();
    for (place, piece) in chart.pieces.iter().enumerate() {
        if let Some(hex) = piece.hex {
            together.entry(hex).or_default().push(place);
        }
    }
    for places in together.values() {
        let (count, step) = (places.len() as i64, INCH / 4);
        for (number, place) in places.iter().enumerate() {
            let piece = &mut chart.pieces[*place];
            let right = (2 * number as i64 - (count - 1)) * step / 2;
            piece.at = point(piece.at.x().um() + right, piece.at.y().um());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout {
        width: 12 * INCH,
        depth: 18 * INCH,
    };

    #[test]
    fn north_is_at_the_far_edge_and_odd_columns_lie_lower() {
        let [even, odd, south] = [(2, 3), (3, 3), (2, 4)].map(|(column, row)| {
            let centre = LAYOUT.centre(Hex::at(column, row));
            (centre.x().um(), centre.y().um())
        });
        assert_eq!((odd.0 - even.0, even.1 - odd.1), (INCH, INCH / 2));
        assert_eq!((south.0 - even.0, even.1 - south.1), (0, INCH));
    }

    #[test]
    fn hexes_beside_each_other_share_a_side() {
        let hex = Hex::at(5, 5);
        for next in hex.neighbours() {
            let (mut ours, mut theirs) = (LAYOUT.side(hex, next), LAYOUT.side(next, hex));
            let place = |point: &Point| (point.x().um(), point.y().um());
            ours.sort_by_key(place);
            theirs.sort_by_key(place);
            for (a, b) in ours.iter().zip(&theirs) {
                let apart = (a.x().um() - b.x().um()).abs() + (a.y().um() - b.y().um()).abs();
                assert!(apart <= 4, "{a:?} {b:?}");
            }
        }
    }
}
