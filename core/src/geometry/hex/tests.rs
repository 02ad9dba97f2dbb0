//! Hexes against slow and obvious versions.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::geometry::Length;

fn near() -> impl Strategy<Value = Hex> {
    (-9_i64..=9, -9_i64..=9).prop_map(|(q, r)| Hex::new(q, r))
}

fn all_near(centre: Hex, radius: i64) -> Vec<Hex> {
    let (q, r) = (i64::from(centre.q()), i64::from(centre.r()));
    (q - radius..=q + radius)
        .flat_map(|q| (r - radius..=r + radius).map(move |r| Hex::new(q, r)))
        .collect()
}

/// Steps from a to all within a radius, by walking.
fn walked(a: Hex, radius: u32) -> BTreeMap<Hex, u32> {
    let mut found = BTreeMap::from([(a, 0)]);
    let mut edge = vec![a];
    for steps in 1..=radius {
        let next: Vec<Hex> = edge.iter().flat_map(|hex| hex.neighbours()).collect();
        edge = next
            .into_iter()
            .filter(|hex| {
                found
                    .insert(*hex, steps)
                    .map(|old| found.insert(*hex, old))
                    .is_none()
            })
            .collect();
    }
    found
}

/// The square of the distance between two points, each in parts of a step.
fn squared(q: i64, r: i64) -> i64 {
    q * q + q * r + r * r
}

/// The hexes whose centres are nearest to the point k/n of a line.
fn nearest(a: Hex, b: Hex, k: i64, n: i64) -> BTreeSet<Hex> {
    let at = |from: i32, to: i32| i64::from(from) * n + i64::from(to - from) * k;
    let (q, r) = (at(a.q(), b.q()), at(a.r(), b.r()));
    let gap = |hex: &Hex| squared(i64::from(hex.q()) * n - q, i64::from(hex.r()) * n - r);
    let all = all_near(Hex::new(q.div_euclid(n), r.div_euclid(n)), 2);
    let least = all.iter().map(&gap).min().unwrap();
    all.into_iter().filter(|hex| gap(hex) == least).collect()
}

fn costs() -> impl Strategy<Value = HexCosts> {
    let cost = || prop_oneof![4 => (0_u32..6).prop_map(Some), 1 => Just(None)];
    let hexes = prop::collection::btree_map(near(), cost(), 0..60);
    let sides = prop::collection::btree_map((near(), 0_u8..6), cost(), 0..40);
    let roads = prop::collection::btree_map((near(), 0_u8..6), 0_u32..3, 0..20);
    (cost(), hexes, sides, roads).prop_map(|(otherwise, enter, sides, roads)| HexCosts {
        otherwise,
        enter,
        cross: sides
            .into_iter()
            .map(|((hex, way), cost)| ((hex, hex.neighbour(way)), cost))
            .collect(),
        along: roads
            .into_iter()
            .map(|((hex, way), cost)| ((hex, hex.neighbour(way)), cost))
            .collect(),
    })
}

/// The way from the start to a hex by the hexes before it; `None` where it leads
/// round and round.
fn way_to(start: Hex, to: Hex, found: &[HexReach]) -> Option<Vec<Hex>> {
    let before: BTreeMap<Hex, Hex> = found.iter().map(|one| (one.hex, one.from)).collect();
    let mut way = vec![to];
    while way[way.len() - 1] != start {
        way.push(*before.get(&way[way.len() - 1])?);
        if way.len() > found.len() {
            return None;
        }
    }
    way.reverse();
    Some(way)
}

/// Hexes at the end of the coordinates.
fn last() -> impl Strategy<Value = Hex> {
    let end = i64::from(HEX_LIMIT);
    let near_end = move || prop_oneof![-end..=8 - end, -4_i64..=4, end - 8..=end];
    (near_end(), near_end()).prop_map(|(q, r)| Hex::new(q, r))
}

proptest! {
    #[test]
    fn rings_and_directions_hold_at_the_end_of_the_map(centre in last(), other in last(), radius in 0_u32..5) {
        let all: BTreeSet<Hex> = all_near(centre, 6)
            .into_iter()
            .filter(|hex| hex_distance(centre, *hex) == radius)
            .collect();
        let ring = hex_ring(centre, radius);
        prop_assert_eq!(ring.len(), all.len());
        prop_assert_eq!(ring.into_iter().collect::<BTreeSet<_>>(), all);
        // Straight from one to the other means that all three coordinates change as a step's do.
        let steps = i64::from(hex_distance(centre, other));
        let (q, r) = (i64::from(other.q() - centre.q()), i64::from(other.r() - centre.r()));
        let straight = HEX_DIRECTIONS.iter().position(|step| {
            steps > 0 && (q, r) == (i64::from(step.q()) * steps, i64::from(step.r()) * steps)
        });
        prop_assert_eq!(hex_direction(centre, other).map(usize::from), straight);
    }

    #[test]
    fn distance_is_the_number_of_steps(a in near(), b in near()) {
        prop_assert_eq!(walked(a, 40).get(&b).copied(), Some(hex_distance(a, b)));
        prop_assert_eq!(hex_distance(a, b), hex_distance(b, a));
    }

    #[test]
    fn a_line_passes_the_nearest_hexes(a in near(), b in near()) {
        let line = hex_line(a, b);
        let n = i64::from(hex_distance(a, b));
        prop_assert_eq!(line.len() as i64, n + 1);
        for (k, step) in line.iter().enumerate() {
            let found: BTreeSet<Hex> = step.hexes().collect();
            prop_assert_eq!(found, nearest(a, b, k as i64, n.max(1)));
        }
        let mut back = hex_line(b, a);
        back.reverse();
        prop_assert_eq!(line, back);
    }

    #[test]
    fn rings_and_areas_are_all_at_their_distance(centre in near(), radius in 0_u32..7) {
        let ring = hex_ring(centre, radius);
        let expected: BTreeSet<Hex> =
            all_near(centre, 8).into_iter().filter(|hex| hex_distance(centre, *hex) == radius).collect();
        prop_assert_eq!(ring.iter().copied().collect::<BTreeSet<_>>(), expected);
        prop_assert_eq!(ring.len(), if radius == 0 { 1 } else { radius as usize * 6 });
        prop_assert_eq!(ring[0], centre.plus(HEX_DIRECTIONS[0], i64::from(radius)));
        for pair in ring.windows(2) {
            prop_assert_eq!(hex_distance(pair[0], pair[1]), 1);
        }
        let area = hex_area(centre, radius);
        let within: BTreeSet<Hex> =
            all_near(centre, 8).into_iter().filter(|hex| hex_distance(centre, *hex) <= radius).collect();
        prop_assert_eq!(area.len(), within.len());
        prop_assert_eq!(area.into_iter().collect::<BTreeSet<_>>(), within);
    }

    #[test]
    fn the_cheapest_way_is_the_cheapest(start in near(), most in 0_u32..14, costs in costs()) {
        // Relax every move until nothing gets cheaper.
        let inside: Vec<Hex> = all_near(start, 30);
        let mut least: BTreeMap<Hex, u32> = BTreeMap::from([(start, 0)]);
        let zero_free = costs.otherwise != Some(0);
        prop_assume!(zero_free);
        loop {
            let mut is_better = false;
            for from in &inside {
                let Some(so_far) = least.get(from).copied() else { continue };
                for to in from.neighbours() {
                    let Some(cost) = costs.of(*from, to).map(|cost| so_far + cost) else { continue };
                    if cost <= most && least.get(&to).is_none_or(|old| cost < *old) {
                        least.insert(to, cost);
                        is_better = true;
                    }
                }
            }
            if !is_better {
                break;
            }
        }
        let mut paid = 0;
        let spend = || { paid += 1; Ok::<(), Infallible>(()) };
        let Ok(found) = hex_reach(start, most, &costs, spend);
        prop_assert_eq!(paid, found.len());
        let cheapest: BTreeMap<Hex, u32> = found.iter().map(|reach| (reach.hex, reach.cost)).collect();
        prop_assert_eq!(&cheapest, &least);
        for reach in &found {
            let way = way_to(start, reach.hex, &found);
            prop_assert!(way.is_some(), "no way back from {}", reach.hex);
            prop_assert_eq!(hex_path_cost(&way.unwrap_or_default(), &costs), Some(reach.cost));
        }
    }

    #[test]
    fn sight_compares_fractions(
        a in near(), b in near(), high_a in 0_i64..50, high_b in 0_i64..50,
        tops in prop::collection::btree_map(near(), 0_i64..50, 0..80),
    ) {
        let um = Length::from_um;
        let top = |hex: Hex| um(tops.get(&hex).copied().unwrap_or(0));
        let (from, to) = (HexEye { hex: a, height: um(high_a) }, HexEye { hex: b, height: um(high_b) });
        let n = i64::from(hex_distance(a, b));
        let mut slow = [false, false];
        for k in 1..n {
            let over: Vec<bool> = nearest(a, b, k, n)
                .into_iter()
                .map(|hex| (top(hex).um() - high_a) * n > (high_b - high_a) * k)
                .collect();
            slow[0] |= over.iter().all(|over| *over);
            slow[1] |= over.iter().any(|over| *over);
        }
        for (along, expected) in [(Hexside::Both, slow[0]), (Hexside::Either, slow[1])] {
            prop_assert_eq!(is_hex_blocked(from, to, along, top), expected);
            prop_assert_eq!(is_hex_blocked(to, from, along, top), expected);
        }
    }

    #[test]
    fn columns_and_rows_come_back(column in -2000_i32..2000, row in -2000_i32..2000) {
        prop_assert_eq!(Hex::at(column, row).column_row(), (column, row));
        let below = Hex::at(column, row + 1);
        prop_assert_eq!(hex_direction(Hex::at(column, row), below), Some(3));
        let lower = if column.rem_euclid(2) == 0 { row - 1 } else { row };
        prop_assert_eq!(hex_direction(Hex::at(column, row), Hex::at(column + 1, lower)), Some(1));
    }

    #[test]
    fn far_hexes_do_not_overflow(q in any::<i64>(), r in any::<i64>(), way in any::<u8>()) {
        let hex = Hex::new(q, r);
        hex_distance(hex, Hex::new(-q.saturating_abs(), r)).checked_add(1).unwrap();
        let _ = hex.neighbour(way);
        hex_line(hex, hex.neighbour(way));
        hex.column_row();
    }
}

#[test]
fn a_line_along_a_side_names_both() {
    let line = hex_line(Hex::ORIGIN, Hex::new(2, 2));
    let along: Vec<HexStep> = vec![
        HexStep::Through(Hex::ORIGIN),
        HexStep::Along(Hex::new(0, 1), Hex::new(1, 0)),
        HexStep::Through(Hex::new(1, 1)),
        HexStep::Along(Hex::new(1, 2), Hex::new(2, 1)),
        HexStep::Through(Hex::new(2, 2)),
    ];
    assert_eq!(line, along);
}

#[test]
fn a_reach_that_cannot_be_paid_is_not_gone_through() {
    let costs = HexCosts {
        otherwise: Some(1),
        ..HexCosts::default()
    };
    let mut paid = 0;
    let spend = || {
        paid += 1;
        if paid <= 10 { Ok(()) } else { Err("too much") }
    };
    assert_eq!(
        hex_reach(Hex::new(0, 0), u32::MAX, &costs, spend),
        Err("too much")
    );
    assert_eq!(paid, 11);
}
