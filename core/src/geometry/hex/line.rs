//! The straight line from the centre of one hex to that of another.

use super::{Hex, hex_distance};

/// What a line passes at one of its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HexStep {
    /// Through one hex.
    Through(Hex),
    /// Exactly along the side between two, the smaller one first: what that
    /// means is for the rules to say.
    Along(Hex, Hex),
}

impl HexStep {
    /// The hexes of the step: one, or both beside the line.
    pub fn hexes(self) -> impl Iterator<Item = Hex> {
        let (first, second) = match self {
            HexStep::Through(hex) => (hex, None),
            HexStep::Along(a, b) => (a, Some(b)),
        };
        std::iter::once(first).chain(second)
    }
}

/// The steps of the line from a to b, both included: as many as their distance
/// and one more. At step k it tells where the point k/distance of the line
/// lies: in a hex, or on the side between two. The line from b to a passes the
/// same, backwards.
///
/// ```
/// use kernel::geometry::{Hex, HexStep, hex_line};
/// let line = hex_line(Hex::new(0, 0), Hex::new(1, 1));
/// assert_eq!(line[1], HexStep::Along(Hex::new(0, 1), Hex::new(1, 0)));
/// ```
pub fn hex_line(a: Hex, b: Hex) -> Vec<HexStep> {
    let steps = i64::from(hex_distance(a, b));
    if steps == 0 {
        return vec![HexStep::Through(a)];
    }
    (0..=steps).map(|step| passed(a, b, step, steps)).collect()
}

/// What the point step/steps of the line lies in. One of the three coordinates
/// changes by a whole step each time, so a point is never where three meet.
fn passed(a: Hex, b: Hex, step: i64, steps: i64) -> HexStep {
    let (a, b) = (cube(a), cube(b));
    let whole = (0..3)
        .find(|&axis| (b[axis] - a[axis]).abs() == steps)
        .unwrap_or(0);
    let (next, last) = ((whole + 1) % 3, (whole + 2) % 3);
    let fixed = a[whole] + (b[whole] - a[whole]) / steps * step;
    let scaled = a[next] * steps + (b[next] - a[next]) * step;
    let (floor, rest) = (scaled.div_euclid(steps), scaled.rem_euclid(steps));
    let hex = |value: i64| {
        let mut found = [0; 3];
        found[whole] = fixed;
        found[next] = value;
        found[last] = -fixed - value;
        Hex::new(found[0], found[1])
    };
    match (rest * 2).cmp(&steps) {
        std::cmp::Ordering::Less => HexStep::Through(hex(floor)),
        std::cmp::Ordering::Greater => HexStep::Through(hex(floor + 1)),
        std::cmp::Ordering::Equal => {
            let (one, other) = (hex(floor), hex(floor + 1));
            HexStep::Along(one.min(other), one.max(other))
        }
    }
}

fn cube(hex: Hex) -> [i64; 3] {
    let (q, r) = (i64::from(hex.q()), i64::from(hex.r()));
    [q, r, -q - r]
}
