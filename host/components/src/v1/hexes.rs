//! Hexes for components.

use kernel::error::Fault;
use kernel::geometry::{Hex, HexMet, HexReach, HexStep, Hexside};

use rules::contract::hexes;
use rules::contract::places::{Costs, Crossing, HexWhere, Paid, RowOf, Tops};
use rules::contract::types::{HexWay, MostCost, Radius};

use super::bindings::houserule::contract::data;
use super::bindings::houserule::contract::hexes as wit;
use super::{CallResult, hex_in, hex_out, length};
use crate::state::InstanceState;

fn hex(hex: data::Hex) -> Result<HexWhere, Fault> {
    hex_in(hex).map(HexWhere::At)
}

fn crossing(from: data::Hex, to: data::Hex) -> Result<Crossing, Fault> {
    Ok((hex(from)?, hex(to)?))
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

impl InstanceState {
    fn costs(&self, costs: wit::Costs) -> Result<Costs, Fault> {
        Ok(Costs {
            otherwise: costs.otherwise,
            enter: self.paid(costs.enter, |one| Ok(RowOf((hex(one.at)?, one.cost))))?,
            cross: self.paid(costs.cross, |one| {
                Ok(RowOf((crossing(one.from, one.to)?, one.cost)))
            })?,
            along: self.paid(costs.along, |one| {
                Ok(RowOf((crossing(one.from, one.to)?, one.cost)))
            })?,
        })
    }

    fn path(&self, path: Vec<data::Hex>) -> Result<Paid<HexWhere>, Fault> {
        self.paid(path, hex)
    }
}

impl wit::Host for InstanceState {
    fn distance(&mut self, a: data::Hex, b: data::Hex) -> CallResult<u32> {
        self.run(&hexes::DISTANCE, || Ok((hex(a)?, hex(b)?)))
    }

    fn direction(&mut self, a: data::Hex, b: data::Hex) -> CallResult<Option<u8>> {
        let way = self.run(&hexes::DIRECTION, || Ok((hex(a)?, hex(b)?)))?;
        Ok(way.map(|way| way.0))
    }

    fn neighbour(&mut self, from: data::Hex, direction: u8) -> CallResult<data::Hex> {
        self.run(&hexes::NEIGHBOUR, || {
            Ok((hex(from)?, HexWay(u32::from(direction))))
        })
        .map(hex_out)
    }

    fn ring(&mut self, centre: data::Hex, radius: u32) -> CallResult<Vec<data::Hex>> {
        self.run(&hexes::RING, || Ok((hex(centre)?, Radius(radius))))
            .map(out)
    }

    fn area(&mut self, centre: data::Hex, radius: u32) -> CallResult<Vec<data::Hex>> {
        self.run(&hexes::AREA, || Ok((hex(centre)?, Radius(radius))))
            .map(out)
    }

    fn line(
        &mut self,
        a: data::Hex,
        b: data::Hex,
    ) -> CallResult<Vec<(data::Hex, Option<data::Hex>)>> {
        let line = self.run(&hexes::LINE, || Ok((hex(a)?, hex(b)?)))?;
        Ok(line.into_iter().map(pair).collect())
    }

    fn path_cost(&mut self, path: Vec<data::Hex>, costs: wit::Costs) -> CallResult<Option<u32>> {
        self.run(&hexes::PATH_COST, || {
            Ok((self.path(path)?, self.costs(costs)?))
        })
    }

    fn reach(
        &mut self,
        from: data::Hex,
        most: u32,
        costs: wit::Costs,
    ) -> CallResult<Vec<wit::Reached>> {
        let found = self.run(&hexes::REACH, || {
            Ok((hex(from)?, MostCost(most), self.costs(costs)?))
        })?;
        let reached = |one: HexReach| wit::Reached {
            hex: hex_out(one.hex),
            cost: one.cost,
            from: hex_out(one.from),
        };
        Ok(found.into_iter().map(reached).collect())
    }

    fn sight(
        &mut self,
        a: data::Hex,
        height_a: i64,
        b: data::Hex,
        height_b: i64,
        tops: wit::Tops,
    ) -> CallResult<Vec<wit::Met>> {
        let tops = || -> Result<Tops, Fault> {
            let heights = self.paid(tops.heights, |top| {
                Ok(RowOf((hex(top.at)?, length(top.top)?)))
            })?;
            Ok(Tops {
                heights,
                otherwise: length(tops.otherwise)?,
            })
        };
        let met = self.run(&hexes::SIGHT, || {
            Ok((
                hex(a)?,
                length(height_a)?,
                hex(b)?,
                length(height_b)?,
                tops()?,
            ))
        })?;
        let one = |met: HexMet| wit::Met {
            hexes: pair(met.step),
            distance: met.distance,
            blocks_both: met.is_blocked(Hexside::Both),
            blocks_either: met.is_blocked(Hexside::Either),
        };
        Ok(met.into_iter().map(one).collect())
    }
}
