//! Maps of hexes. Directions count from 0 in the north clockwise to 5.

use kernel::error::{Fault, FaultCode};
use kernel::geometry::{
    Hex, HexEye, HexMet, HexReach, HexStep, Hexside, LARGEST_RADIUS, Length, hex_area,
    hex_direction, hex_distance, hex_line, hex_path_cost, hex_reach, hex_ring, hex_sight,
};
use kernel::value::Value;

use super::function::{Entry, Function, spec};
use super::places::{Costs, HexWhere, Paid, Tops};
use super::types::{ContractName, Give, Given, HexWay, MostCost, Radius, Typed};
use crate::limits::cost;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &DISTANCE, &DIRECTION, &NEIGHBOUR, &RING, &AREA, &LINE, &PATH_COST, &REACH, &SIGHT,
];

/// `game:hex_distance`.
pub const DISTANCE: Function<(HexWhere, HexWhere), u32> = Function {
    spec: spec(
        "game:hex_distance",
        "hexes.distance",
        &["a", "b"],
        "How many steps lie between two hexes.",
    ),
    run: |call, (a, b)| Ok(hex_distance(call.hex(a)?, call.hex(b)?)),
};

/// `game:hex_direction`.
pub const DIRECTION: Function<(HexWhere, HexWhere), Option<Way>> = Function {
    spec: spec(
        "game:hex_direction",
        "hexes.direction",
        &["a", "b"],
        "The direction, 0 to 5, in which b lies straight from a; nothing if it lies between two.",
    ),
    run: |call, (a, b)| Ok(hex_direction(call.hex(a)?, call.hex(b)?).map(Way)),
};

/// A direction on a map, 0 to 5.
#[derive(Clone, Copy, Debug)]
pub struct Way(pub u8);

/// `game:hex_neighbour`.
pub const NEIGHBOUR: Function<(HexWhere, HexWay), Hex> = Function {
    spec: spec(
        "game:hex_neighbour",
        "hexes.neighbour",
        &["from", "direction"],
        "The next hex in a direction.",
    ),
    run: |call, (from, HexWay(way))| Ok(call.hex(from)?.neighbour(one_of_six(way)?)),
};

/// How many directions there are on a map.
const WAYS: u32 = 6;

/// A direction; one that was reckoned goes round where its rule says so.
fn one_of_six(way: u32) -> Result<u8, Fault> {
    match u8::try_from(way) {
        Ok(way) if u32::from(way) < WAYS => Ok(way),
        _ => {
            let message = format!("expected a direction from 0 to 5, found {way}");
            let fault = Fault::new(FaultCode::OutOfRange, message);
            Err(fault.hint("a direction that was reckoned goes round with `% 6`"))
        }
    }
}

/// `game:hex_ring`.
pub const RING: Function<(HexWhere, Radius), Vec<Hex>> = Function {
    spec: spec(
        "game:hex_ring",
        "hexes.ring",
        &["centre", "radius"],
        "The hexes at that distance (at most 256), clockwise from the north.",
    )
    .costs("4 for each hex"),
    run: |call, (centre, radius)| {
        let (centre, radius) = (call.hex(centre)?, checked(radius)?);
        call.spend(cost::hex_ring(radius))?;
        Ok(hex_ring(centre, radius))
    },
};

/// `game:hex_area`.
pub const AREA: Function<(HexWhere, Radius), Vec<Hex>> = Function {
    spec: spec(
        "game:hex_area",
        "hexes.area",
        &["centre", "radius"],
        "The hexes within that distance (at most 256), ring by ring.",
    )
    .costs("4 for each hex"),
    run: |call, (centre, radius)| {
        let (centre, radius) = (call.hex(centre)?, checked(radius)?);
        call.spend(cost::hex_area(radius))?;
        Ok(hex_area(centre, radius))
    },
};

/// `game:hex_line`.
pub const LINE: Function<(HexWhere, HexWhere), Vec<HexStep>> = Function {
    spec: spec(
        "game:hex_line",
        "hexes.line",
        &["a", "b"],
        "What the line from centre to centre passes at each step, its ends included: one hex, or the two beside it where it runs exactly along their side; the rules say what that means.",
    )
    .costs("8 for each step"),
    run: |call, (a, b)| {
        let (a, b) = (call.hex(a)?, call.hex(b)?);
        call.spend(cost::hex_line(near_enough(a, b)?))?;
        Ok(hex_line(a, b))
    },
};

/// `game:hex_path_cost`.
pub const PATH_COST: Function<(Paid<HexWhere>, Costs), Option<u32>> = Function {
    spec: spec(
        "game:hex_path_cost",
        "hexes.path-cost",
        &["path", "costs"],
        "What a way over neighbouring hexes costs, its start first; nothing where there is none.",
    )
    .costs("4 for each hex, 24 for each cost"),
    run: |call, (path, costs)| Ok(hex_path_cost(&call.hexes(&path)?, &call.hex_costs(&costs)?)),
};

/// `game:hex_reach`.
pub const REACH: Function<(HexWhere, MostCost, Costs), Vec<HexReach>> = Function {
    spec: spec(
        "game:hex_reach",
        "hexes.reach",
        &["from", "most", "costs"],
        "Every hex that can be reached for at most so much, sorted by its coordinates.",
    )
    .costs("24 for each cost and for each hex that is reached"),
    run: |call, (from, MostCost(most), costs)| {
        let (from, costs) = (call.hex(from)?, call.hex_costs(&costs)?);
        hex_reach(from, most, &costs, || call.spend(cost::HEX_REACHED))
    },
};

/// `game:hex_sight`.
pub const SIGHT: Function<(HexWhere, Length, HexWhere, Length, Tops), Vec<HexMet>> = Function {
    spec: spec(
        "game:hex_sight",
        "hexes.sight",
        &["a", "height_a", "b", "height_b", "tops"],
        "What a line of sight passes between its ends, which never block; heights are of the eyes.",
    )
    .costs("8 for each step, 24 for each height"),
    run: |call, (a, height_a, b, height_b, tops)| {
        let a = HexEye {
            hex: call.hex(a)?,
            height: height_a,
        };
        let b = HexEye {
            hex: call.hex(b)?,
            height: height_b,
        };
        call.spend(cost::hex_line(near_enough(a.hex, b.hex)?))?;
        let heights = call.heights(&tops)?;
        Ok(hex_sight(a, b, |hex| {
            heights.get(&hex).copied().unwrap_or(tops.otherwise)
        }))
    },
};

fn checked(Radius(radius): Radius) -> Result<u32, Fault> {
    if radius <= LARGEST_RADIUS {
        return Ok(radius);
    }
    let message = format!("expected a radius of at most {LARGEST_RADIUS} hexes, found {radius}");
    Err(Fault::new(FaultCode::OutOfRange, message))
}

/// How far apart two hexes are. Lines are drawn over maps, not from one end of
/// the coordinates to the other.
fn near_enough(a: Hex, b: Hex) -> Result<u32, Fault> {
    let apart = hex_distance(a, b);
    if apart <= LARGEST_RADIUS * 2 {
        return Ok(apart);
    }
    let message = format!(
        "expected hexes at most {} apart, found {apart}",
        LARGEST_RADIUS * 2
    );
    Err(Fault::new(FaultCode::OutOfRange, message))
}

fn names(luau: &str, wit: &str) -> ContractName {
    ContractName {
        luau: luau.to_string(),
        wit: wit.to_string(),
    }
}

impl Typed for Way {
    fn names() -> ContractName {
        names("number", "u8")
    }
}

impl Give for Way {
    fn result() -> Option<ContractName> {
        Some(Way::names())
    }

    fn give(self) -> Given {
        Given::Value(Value::Int(i64::from(self.0)))
    }
}

impl Typed for HexStep {
    fn names() -> ContractName {
        names("{ Hex }", "tuple<hex, option<hex>>")
    }
}

impl Give for HexStep {
    fn result() -> Option<ContractName> {
        Some(HexStep::names())
    }

    fn give(self) -> Given {
        Given::List(self.hexes().map(Give::give).collect())
    }
}

impl Typed for HexReach {
    fn names() -> ContractName {
        names("HexReach", "reached")
    }
}

impl Give for HexReach {
    fn result() -> Option<ContractName> {
        Some(HexReach::names())
    }

    fn give(self) -> Given {
        Given::Record(vec![
            ("hex", self.hex.give()),
            ("cost", self.cost.give()),
            ("from", self.from.give()),
        ])
    }
}

impl Typed for HexMet {
    fn names() -> ContractName {
        names("HexMet", "met")
    }
}

impl Give for HexMet {
    fn result() -> Option<ContractName> {
        Some(HexMet::names())
    }

    fn give(self) -> Given {
        Given::Record(vec![
            ("hexes", self.step.give()),
            ("distance", self.distance.give()),
            ("blocks_both", self.is_blocked(Hexside::Both).give()),
            ("blocks_either", self.is_blocked(Hexside::Either).give()),
        ])
    }
}
