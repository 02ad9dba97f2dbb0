//! Sight over a map of hexes that have heights.

use super::{Hex, HexStep, hex_line};
use crate::geometry::Length;

/// Where somebody looks from, or at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexEye {
    /// The hex; the line begins and ends at its centre.
    pub hex: Hex,
    /// How high, from the level that all heights are counted from.
    pub height: Length,
}

/// When a line along the side between two hexes is blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hexside {
    /// Only if both of them block.
    Both,
    /// If either of them blocks.
    Either,
}

/// What a line of sight passes between its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexMet {
    /// The hex, or the two beside the line.
    pub step: HexStep,
    /// How many steps from the first eye.
    pub distance: u32,
    /// The hexes that rise above the line there, in the order of the step.
    pub rises: [bool; 2],
}

impl HexMet {
    /// Whether the line is blocked here.
    pub fn is_blocked(&self, along: Hexside) -> bool {
        match (self.step, along) {
            (HexStep::Through(_), _) => self.rises[0],
            (HexStep::Along(..), Hexside::Both) => self.rises[0] && self.rises[1],
            (HexStep::Along(..), Hexside::Either) => self.rises[0] || self.rises[1],
        }
    }
}

/// What the line passes between the hexes at its ends, which never block, in
/// order from the first; `top` tells how high a hex rises. A hex rises above
/// the line if it is higher than the line is at that step: at step k of n the
/// line is at `a + (b - a) * k / n`, compared exactly.
pub fn hex_sight(a: HexEye, b: HexEye, top: impl Fn(Hex) -> Length) -> Vec<HexMet> {
    let line = hex_line(a.hex, b.hex);
    let steps = line.len().saturating_sub(1);
    let (low, high, all) = (
        i128::from(a.height.um()),
        i128::from(b.height.um()),
        steps as i128,
    );
    let rises = |hex: Hex, step: usize| {
        i128::from(top(hex).um()) * all > low * all + (high - low) * step as i128
    };
    (1..steps)
        .map(|at| {
            let mut found = [false; 2];
            for (place, hex) in line[at].hexes().enumerate() {
                found[place] = rises(hex, at);
            }
            HexMet {
                step: line[at],
                distance: u32::try_from(at).unwrap_or(u32::MAX),
                rises: found,
            }
        })
        .collect()
}

/// Whether the line of sight is blocked on its way.
pub fn is_hex_blocked(a: HexEye, b: HexEye, along: Hexside, top: impl Fn(Hex) -> Length) -> bool {
    hex_sight(a, b, top).iter().any(|met| met.is_blocked(along))
}
