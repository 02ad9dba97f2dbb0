//! Heights and lines of sight.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::{Ground, Unit};
use crate::bindings::tcsbase::options;
use crate::bindings::words::{Hexsides, Terrain};
use crate::clock;
use crate::illum::lit;
use crate::map::{effects, ground_of, level_of, smoke_of};

chapter!(tcsbase.los);

const METRE: i64 = 1_000_000;
/// A contour is 20 m.
const CONTOUR: i64 = 20 * METRE;

/// Farther than any map reaches.
const ANY: i64 = 99;

/// [height] The height of the ground of a hex, in metres.
#[rule]
pub fn ground(game: &Reads, at: Hex) -> i64 {
    level_of(game, at) * CONTOUR / METRE
}

/// [smoke] Smoke markers in a hex.
#[rule]
pub fn smoke_at(game: &Reads, at: Hex) -> i64 {
    smoke_of(game, at)
}

/// [line, hexside] Whether the line between two hexes runs along hexsides. Any other line that is on a hexside goes from
/// one hex of it into the other, and passes both.
#[rule]
pub fn runs_along(_game: &Reads, a: Hex, b: Hex) -> bool {
    let (q, r) = (b.q - a.q, b.r - a.r);
    let mut ways = [q.abs(), r.abs(), (q + r).abs()];
    ways.sort_unstable();
    ways[0] > 0 && ways[0] == ways[1]
}

/// [line] The hexes that the line between two passes, both included, in order: where it runs along a hexside, with the
/// other one beside it.
pub fn passed(game: &Reads, a: Hex, b: Hex) -> Vec<(Hex, Option<Hex>)> {
    let line = a.line(b);
    if line.iter().all(|(_, beside)| beside.is_none()) || runs_along(game, a, b) {
        return line;
    }
    // How far along the line the middle of a hex lies.
    let (q, r) = (b.q - a.q, b.r - a.r);
    let far = |hex: &Hex| (2 * q + r) * hex.q + (q + 2 * r) * hex.r;
    let in_order = |(hex, beside): (Hex, Option<Hex>)| {
        let mut both: Vec<Hex> = std::iter::once(hex).chain(beside).collect();
        both.sort_by_key(far);
        both.into_iter().map(|hex| (hex, None))
    };
    line.into_iter().flat_map(in_order).collect()
}

/// [height, block, hexside, reciprocal] Whether nothing rises above the line between two heights, given in metres above the
/// ground.
#[rule]
pub fn clear(game: &Reads, a: Hex, above_a: i64, b: Hex, above_b: i64) -> bool {
    let end = |hex: Hex, above: i64| level_of(game, hex) * CONTOUR + above * METRE;
    let mut growth: Vec<(Terrain, i64)> = Vec::new();
    let mut tops: Vec<(Hex, i64)> = Vec::new();
    let is_between = |hex: &Hex| *hex != a && *hex != b;
    for (hex, beside) in a.line(b) {
        for hex in std::iter::once(hex).chain(beside).filter(is_between) {
            let ground = ground_of(game, hex);
            let terrain = ground.map_or(Terrain::Open, Ground::terrain);
            let known = growth
                .iter()
                .find(|(other, _)| *other == terrain)
                .map(|(_, height)| *height);
            let height = known.unwrap_or_else(|| {
                let height = effects(game, terrain).height;
                growth.push((terrain, height));
                height
            });
            let level = ground.map_or(0, Ground::level);
            let top = level * CONTOUR + height * METRE;
            // All others lie at nothing, and need not be named.
            if top != 0 {
                tops.push((hex, top));
            }
        }
    }
    let is_low = end(a, above_a).min(end(b, above_b)) < 0;
    if tops.is_empty() && !is_low {
        return true;
    }
    let either = game.option(options::los::HEXSIDES) == Hexsides::Either || !runs_along(game, a, b);
    !a.is_blocked(end(a, above_a), b, end(b, above_b), &tops, 0, either)
}

/// [height] How many metres above the ground a unit is.
#[rule]
pub fn height_of(_game: &Reads, _unit: Unit) -> i64 {
    0
}

/// [smoke] Whether smoke between them does not hide the target.
#[rule]
pub fn through_smoke(game: &Reads, unit: Unit, target: Unit) -> bool {
    // Nobody's place matters where there is none.
    !is_smoky(game) || is_free_of_smoke(game, unit.at(), target.at())
}

/// [smoke] Whether there is smoke anywhere.
#[rule]
pub fn is_smoky(game: &Reads) -> bool {
    Ground::all(game)
        .into_iter()
        .any(|ground| ground.smoke() > 0)
}

/// [smoke] Whether no smoke lies between two hexes, on both sides where the line runs along a hexside.
#[rule]
pub fn is_free_of_smoke(game: &Reads, a: Hex, b: Hex) -> bool {
    if !is_smoky(game) {
        return true;
    }
    let between = |hex: Hex| hex != a && hex != b && smoke_of(game, hex) > 0;
    !passed(game, a, b)
        .into_iter()
        .any(|(hex, beside)| between(hex) && beside.is_none_or(between))
}

/// [visibility, night.limit] How many hexes a unit sees at most in the dark.
#[rule]
pub fn night_limit(game: &Reads, unit: Unit, target: Unit) -> i64 {
    if clock(game).is_night() && !lit(game, target.at()) {
        dark_limit(game, unit)
    } else {
        ANY
    }
}

/// [visibility, night.limit] How many hexes a unit sees where it is dark.
#[rule]
pub fn dark_limit(game: &Reads, _unit: Unit) -> i64 {
    clock(game).limit()
}

/// [visibility, tcsbase.weather] How many hexes a unit sees at most in the weather.
#[rule]
pub fn weather_limit(game: &Reads, _unit: Unit) -> i64 {
    sky_limit(game)
}

/// [visibility, tcsbase.weather] How many hexes the weather lets anybody see who has nothing to help him.
#[rule]
pub fn sky_limit(game: &Reads) -> i64 {
    match clock(game).weather() {
        0 => ANY,
        limit => limit,
    }
}

/// [line, visibility] Whether a unit sees another.
#[rule]
pub fn sees(game: &Reads, unit: Unit, target: Unit) -> bool {
    let (a, b) = (unit.at(), target.at());
    let range = i64::from(a.distance(b));
    range <= night_limit(game, unit, target)
        && range <= weather_limit(game, unit)
        // What the ground hides stays hidden, whatever smoke comes and goes.
        && clear(game, a, height_of(game, unit), b, height_of(game, target))
        && through_smoke(game, unit, target)
}

/// [line, visibility] Whether another unit sees from its place what a unit sees: what else a rule has it depend on is
/// added here.
#[rule]
pub fn sees_like(game: &Reads, unit: Unit, other: Unit) -> bool {
    let eyes = |one: Unit| {
        let limits = (dark_limit(game, one), weather_limit(game, one));
        (one.class(), height_of(game, one), limits)
    };
    unit.at() == other.at() && eyes(unit) == eyes(other)
}

/// [line, visibility] Whether a unit sees a hex, or what flies over it.
#[rule]
pub fn sees_hex(game: &Reads, unit: Unit, at: Hex) -> bool {
    let from = unit.at();
    let range = i64::from(from.distance(at));
    let is_dark = clock(game).is_night() && !lit(game, at);
    (!is_dark || range <= dark_limit(game, unit))
        && range <= weather_limit(game, unit)
        && is_free_of_smoke(game, from, at)
        && clear(game, from, height_of(game, unit), at, 0)
}
