//! What it costs to move over a map of hexes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Hex, hex_distance};

/// More hexes than this no reach holds; what is farther is left out.
const MOST_REACHED: usize = 1 << 16;

/// What each move over a map costs, in whatever part of a movement point the
/// rules count in. What is `None` cannot be entered or crossed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HexCosts {
    /// To enter a hex that is not listed.
    pub otherwise: Option<u32>,
    /// To enter a hex.
    pub enter: BTreeMap<Hex, Option<u32>>,
    /// More to cross the side from the first hex to the second.
    pub cross: BTreeMap<(Hex, Hex), Option<u32>>,
    /// Instead of entering and crossing: along a road from the first to the
    /// second.
    pub along: BTreeMap<(Hex, Hex), u32>,
}

impl HexCosts {
    /// The cost of a move to a neighbour; `None` where it cannot be made.
    pub fn of(&self, from: Hex, to: Hex) -> Option<u32> {
        if hex_distance(from, to) != 1 {
            return None;
        }
        if let Some(cost) = self.along.get(&(from, to)) {
            return Some(*cost);
        }
        let enter = self.enter.get(&to).copied().unwrap_or(self.otherwise)?;
        let cross = self.cross.get(&(from, to)).copied().unwrap_or(Some(0))?;
        Some(enter.saturating_add(cross))
    }
}

/// The cost of a way over neighbouring hexes, its start first; `None` where
/// one of its moves cannot be made.
pub fn hex_path_cost(path: &[Hex], costs: &HexCosts) -> Option<u32> {
    let mut sum = 0u32;
    for leg in path.windows(2) {
        sum = sum.saturating_add(costs.of(leg[0], leg[1])?);
    }
    Some(sum)
}

/// A hex that can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexReach {
    /// The hex.
    pub hex: Hex,
    /// The least that it costs to come there.
    pub cost: u32,
    /// The hex before it on a cheapest way; itself for the start. Of several it is
    /// the smallest from which the move costs something; where none does, the one
    /// that was reached first. So whoever goes on from it comes to the start.
    pub from: Hex,
}

/// Every hex that can be reached for at most so much, sorted by hex. Hexes
/// farther than [`super::LARGEST_RADIUS`] from the start are left out. `spend` is
/// told of each hex as it is found, so that whoever counts the work can end it.
///
/// # Errors
/// When `spend` says so.
pub fn hex_reach<E>(
    start: Hex,
    most: u32,
    costs: &HexCosts,
    mut spend: impl FnMut() -> Result<(), E>,
) -> Result<Vec<HexReach>, E> {
    spend()?;
    let mut found: BTreeMap<Hex, (u32, Hex)> = BTreeMap::from([(start, (0, start))]);
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((so_far, hex))) = open.pop() {
        if found.get(&hex).is_some_and(|(best, _)| *best < so_far) {
            continue;
        }
        for next in hex.neighbours() {
            let Some(cost) = costs.of(hex, next).map(|cost| so_far.saturating_add(cost)) else {
                continue;
            };
            if cost > most || next == start || hex_distance(start, next) > super::LARGEST_RADIUS {
                continue;
            }
            let is_known = found.len() < MOST_REACHED || found.contains_key(&next);
            let best = found.get(&next).copied();
            // A move that costs nothing could lead back to where it came from: two
            // hexes must not lie before each other.
            let is_as_good = |best, from| cost == best && so_far < cost && hex < from;
            if is_known && best.is_none_or(|(best, from)| cost < best || is_as_good(best, from)) {
                if found.insert(next, (cost, hex)).is_none() {
                    spend()?;
                }
                if best.is_none_or(|(best, _)| cost < best) {
                    open.push(Reverse((cost, next)));
                }
            }
        }
    }
    Ok(found
        .into_iter()
        .map(|(hex, (cost, from))| HexReach { hex, cost, from })
        .collect())
}
