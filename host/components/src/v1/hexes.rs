//! Hexes for components.

use std::collections::BTreeMap;

use kernel::error::{Fault, FaultCode};
use kernel::geometry::{
    Hex, HexCosts, HexEye, HexStep, Hexside, LARGEST_RADIUS, Length, hex_area, hex_direction, hex_distance,
    hex_line, hex_path_cost, hex_reach, hex_ring, hex_sight,
};

use rules::limits::cost;

use super::bindings::houserule::contract::data;
use super::bindings::houserule::contract::hexes as wit;
use super::{State, hex_in, hex_out, length};

impl State {
    fn hex(&self, hex: data::Hex) -> wasmtime::Result<Hex> {
        hex_in(hex).map_err(|fault| self.fault(fault))
    }

    fn hexes(&self, list: Vec<data::Hex>) -> wasmtime::Result<Vec<Hex>> {
        self.charge(cost::places(list.len()))?;
        list.into_iter().map(|hex| self.hex(hex)).collect()
    }

    fn within(&self, found: u32, most: u32) -> wasmtime::Result<()> {
        if found <= most {
            return Ok(());
        }
        let message = format!("expected at most {most} hexes, found {found}");
        Err(self.fault(Fault::new(FaultCode::OutOfRange, message)))
    }

    fn costs(&self, costs: wit::Costs) -> wasmtime::Result<HexCosts> {
        let mut made = HexCosts { otherwise: costs.otherwise, ..HexCosts::default() };
        self.charge(cost::rows(costs.enter.len() + costs.cross.len() + costs.along.len()))?;
        for one in costs.enter {
            made.enter.insert(self.hex(one.at)?, one.cost);
        }
        for one in costs.cross {
            made.cross.insert((self.hex(one.from)?, self.hex(one.to)?), one.cost);
        }
        for one in costs.along {
            made.along.insert((self.hex(one.from)?, self.hex(one.to)?), one.cost);
        }
        Ok(made)
    }
}

fn out(list: Vec<Hex>) -> Vec<data::Hex> {
    list.into_iter().map(hex_out).collect()
}

fn pair(step: HexStep) -> (data::Hex, Option<data::Hex>) {
    match step {
        HexStep::Through(hex) => (hex_out(hex), None),
        HexStep::Along(a, b) => (hex_out(a), Some(hex_out(b))),
    }
}

impl wit::Host for State {
    fn distance(&mut self, a: data::Hex, b: data::Hex) -> wasmtime::Result<u32> {
        Ok(hex_distance(self.hex(a)?, self.hex(b)?))
    }

    fn direction(&mut self, a: data::Hex, b: data::Hex) -> wasmtime::Result<Option<u8>> {
        Ok(hex_direction(self.hex(a)?, self.hex(b)?))
    }

    fn ring(&mut self, centre: data::Hex, radius: u32) -> wasmtime::Result<Vec<data::Hex>> {
        self.within(radius, LARGEST_RADIUS)?;
        self.charge(cost::hex_ring(radius))?;
        Ok(out(hex_ring(self.hex(centre)?, radius)))
    }

    fn area(&mut self, centre: data::Hex, radius: u32) -> wasmtime::Result<Vec<data::Hex>> {
        self.within(radius, LARGEST_RADIUS)?;
        self.charge(cost::hex_area(radius))?;
        Ok(out(hex_area(self.hex(centre)?, radius)))
    }

    fn line(&mut self, a: data::Hex, b: data::Hex) -> wasmtime::Result<Vec<(data::Hex, Option<data::Hex>)>> {
        let (a, b) = (self.hex(a)?, self.hex(b)?);
        self.within(hex_distance(a, b), LARGEST_RADIUS * 2)?;
        self.charge(cost::hex_line(hex_distance(a, b)))?;
        Ok(hex_line(a, b).into_iter().map(pair).collect())
    }

    fn path_cost(&mut self, path: Vec<data::Hex>, costs: wit::Costs) -> wasmtime::Result<Option<u32>> {
        Ok(hex_path_cost(&self.hexes(path)?, &self.costs(costs)?))
    }

    fn reach(
        &mut self,
        from: data::Hex,
        most: u32,
        costs: wit::Costs,
    ) -> wasmtime::Result<Vec<wit::Reached>> {
        let found = hex_reach(self.hex(from)?, most, &self.costs(costs)?);
        self.charge(cost::hex_reach(found.len()))?;
        let reached = found.into_iter().map(|one| wit::Reached {
            hex: hex_out(one.hex),
            cost: one.cost,
            before: hex_out(one.from),
        });
        Ok(reached.collect())
    }

    fn sight(
        &mut self,
        a: data::Hex,
        height_a: i64,
        b: data::Hex,
        height_b: i64,
        tops: Vec<wit::Top>,
        otherwise: i64,
    ) -> wasmtime::Result<Vec<wit::Met>> {
        let um = |um: i64| length(um).map_err(|fault| self.fault(fault));
        let (a, b) = (self.hex(a)?, self.hex(b)?);
        self.within(hex_distance(a, b), LARGEST_RADIUS * 2)?;
        self.charge(cost::hex_line(hex_distance(a, b)) + cost::rows(tops.len()))?;
        let mut heights: BTreeMap<Hex, Length> = BTreeMap::new();
        for top in tops {
            heights.insert(self.hex(top.at)?, um(top.height)?);
        }
        let otherwise = um(otherwise)?;
        let (a, b) = (HexEye { hex: a, height: um(height_a)? }, HexEye { hex: b, height: um(height_b)? });
        let met = hex_sight(a, b, |hex| heights.get(&hex).copied().unwrap_or(otherwise));
        let one = |met: kernel::geometry::HexMet| {
            let (hex, beside) = pair(met.step);
            let (blocks_both, blocks_either) =
                (met.is_blocked(Hexside::Both), met.is_blocked(Hexside::Either));
            wit::Met { hex, beside, distance: met.distance, blocks_both, blocks_either }
        };
        Ok(met.into_iter().map(one).collect())
    }
}
