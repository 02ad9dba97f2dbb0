//! Hexes of a map.

use std::fmt;

use crate::bindings::houserule::contract::data;
use crate::bindings::houserule::contract::hexes as wit;

/// A hex by its axial coordinates; directions count from 0 in the north
/// clockwise to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex {
    /// It grows to the south-east.
    pub q: i32,
    /// It grows to the south.
    pub r: i32,
}

/// What it is called on maps, `h0304` for row 4 of column 3, if both have two
/// digits; else its coordinates.
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (column @ 0..100, row @ 0..100) = self.column_row() {
            let digits = |number: i32| [number / 10, number % 10].map(|one| b'0' + one as u8);
            let ([a, b], [c, d]) = (digits(column), digits(row));
            let name = [b'h', a, b, c, d];
            return f.write_str(std::str::from_utf8(&name).unwrap_or_default());
        }
        write!(f, "<{},{}>", self.q, self.r)
    }
}

/// What moves over a map cost; without a cost there is no way.
#[derive(Clone, Debug, Default)]
pub struct HexCosts {
    /// To enter a hex that is not listed.
    pub otherwise: Option<u32>,
    /// To enter a hex.
    pub enter: Vec<(Hex, Option<u32>)>,
    /// More, to cross the side from the first to the second.
    pub cross: Vec<(Hex, Hex, Option<u32>)>,
    /// Instead of both.
    pub along: Vec<(Hex, Hex, u32)>,
}

impl Hex {
    /// A hex from its coordinates.
    pub fn new(q: i32, r: i32) -> Hex {
        Hex { q, r }
    }

    /// The hex of a column and row as maps print them: columns run north to
    /// south, and those with an odd number lie half a hex lower.
    pub fn at(column: i32, row: i32) -> Hex {
        Hex {
            q: column,
            r: row - (column - column.rem_euclid(2)) / 2,
        }
    }

    /// Its column and row, as [`Hex::at`] takes them.
    pub fn column_row(self) -> (i32, i32) {
        (self.q, self.r + (self.q - self.q.rem_euclid(2)) / 2)
    }

    /// How many steps lie between two hexes.
    pub fn distance(self, other: Hex) -> u32 {
        let (q, r) = (
            i64::from(other.q) - i64::from(self.q),
            i64::from(other.r) - i64::from(self.r),
        );
        q.abs().max(r.abs()).max((q + r).abs()) as u32
    }

    /// The neighbours, clockwise from the north.
    pub fn neighbours(self) -> [Hex; 6] {
        [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)].map(|(q, r)| Hex {
            q: self.q + q,
            r: self.r + r,
        })
    }

    /// The next hex in a direction.
    pub fn neighbour(self, direction: u8) -> Hex {
        Hex::from_wit(wit::neighbour(self.wit(), direction))
    }

    /// The direction in which another lies straight from here.
    pub fn direction(self, other: Hex) -> Option<u8> {
        wit::direction(self.wit(), other.wit())
    }

    /// The hexes at that distance, clockwise from the north.
    pub fn ring(self, radius: u32) -> Vec<Hex> {
        wit::ring(self.wit(), radius)
            .into_iter()
            .map(Hex::from_wit)
            .collect()
    }

    /// The hexes within that distance, ring by ring.
    pub fn area(self, radius: u32) -> Vec<Hex> {
        wit::area(self.wit(), radius)
            .into_iter()
            .map(Hex::from_wit)
            .collect()
    }

    /// What the line to another passes at each step: a hex, and the other one
    /// beside the line where it runs along a side.
    pub fn line(self, to: Hex) -> Vec<(Hex, Option<Hex>)> {
        let one = |(hex, beside): (data::Hex, Option<data::Hex>)| {
            (Hex::from_wit(hex), beside.map(Hex::from_wit))
        };
        wit::line(self.wit(), to.wit())
            .into_iter()
            .map(one)
            .collect()
    }

    /// What a way costs, its start first; `None` where there is none.
    pub fn path_cost(path: &[Hex], costs: &HexCosts) -> Option<u32> {
        let path: Vec<data::Hex> = path.iter().map(|hex| hex.wit()).collect();
        wit::path_cost(&path, &costs.wit())
    }

    /// Every hex that can be reached for so much: it, the cost, the one before.
    pub fn reach(self, most: u32, costs: &HexCosts) -> Vec<(Hex, u32, Hex)> {
        let found = wit::reach(self.wit(), most, &costs.wit());
        found
            .into_iter()
            .map(|one| (Hex::from_wit(one.hex), one.cost, Hex::from_wit(one.from)))
            .collect()
    }

    /// Whether the line of sight between two heights is blocked, where a line
    /// along a side is blocked if both hexes (or either) rise above it. `tops`
    /// are heights of hexes, `otherwise` is that of all others.
    pub fn is_blocked(
        self,
        height: i64,
        other: Hex,
        other_height: i64,
        tops: &[(Hex, i64)],
        otherwise: i64,
        either: bool,
    ) -> bool {
        let met = self.sight(height, other, other_height, tops, otherwise);
        met.iter().any(|met| {
            if either {
                met.blocks_either
            } else {
                met.blocks_both
            }
        })
    }

    /// What the line of sight between two heights passes between its ends.
    pub fn sight(
        self,
        height: i64,
        other: Hex,
        other_height: i64,
        tops: &[(Hex, i64)],
        otherwise: i64,
    ) -> Vec<HexMet> {
        let heights = tops.iter().map(|(hex, height)| wit::Top {
            at: hex.wit(),
            top: *height,
        });
        let tops = wit::Tops {
            heights: heights.collect(),
            otherwise,
        };
        let one = |met: wit::Met| HexMet {
            hex: Hex::from_wit(met.hexes.0),
            beside: met.hexes.1.map(Hex::from_wit),
            distance: met.distance,
            blocks_both: met.blocks_both,
            blocks_either: met.blocks_either,
        };
        let met = wit::sight(self.wit(), height, other.wit(), other_height, &tops);
        met.into_iter().map(one).collect()
    }

    fn wit(self) -> data::Hex {
        data::Hex {
            q: self.q,
            r: self.r,
        }
    }

    fn from_wit(hex: data::Hex) -> Hex {
        Hex { q: hex.q, r: hex.r }
    }
}

/// A step of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexMet {
    /// The hex.
    pub hex: Hex,
    /// The other one, where the line runs along a side.
    pub beside: Option<Hex>,
    /// How many steps it is away.
    pub distance: u32,
    /// Whether the line is blocked where both hexes must rise above it.
    pub blocks_both: bool,
    /// Whether it is blocked where one of them is enough.
    pub blocks_either: bool,
}

impl HexCosts {
    fn wit(&self) -> wit::Costs {
        wit::Costs {
            otherwise: self.otherwise,
            enter: self
                .enter
                .iter()
                .map(|(at, cost)| wit::ToEnter {
                    at: at.wit(),
                    cost: *cost,
                })
                .collect(),
            cross: (self.cross.iter())
                .map(|(from, to, cost)| wit::ToCross {
                    from: from.wit(),
                    to: to.wit(),
                    cost: *cost,
                })
                .collect(),
            along: (self.along.iter())
                .map(|(from, to, cost)| wit::Road {
                    from: from.wit(),
                    to: to.wit(),
                    cost: *cost,
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hex;

    #[test]
    fn columns_and_rows_come_back() {
        assert_eq!(Hex::at(3, 4).column_row(), (3, 4));
        assert_eq!(Hex::at(2, 2).distance(Hex::at(3, 2)), 1);
        assert_eq!(Hex::new(0, 0).distance(Hex::new(2, -5)), 5);
    }

    #[test]
    fn a_hex_is_called_by_two_digits_each_or_by_its_coordinates() {
        assert_eq!(Hex::at(3, 14).to_string(), "h0314");
        assert_eq!(Hex::at(99, 0).to_string(), "h9900");
        assert_eq!(Hex::at(100, 4).to_string(), "<100,-46>");
        assert_eq!(Hex::new(-1, 0).to_string(), "<-1,0>");
    }
}
