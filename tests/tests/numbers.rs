//! Numbers and shapes at the edge of what there is: whatever a rule measures,
//! it gets an answer or a fault, and the host never falls over.

use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::{Fixture, folder};
use kernel::rules::{Rules, Stop};
use kernel::value::Value;

/// A rule that calls a method of the game with arguments out of a list, by a
/// number that says which.
const RULES: &str = r#"--!strict
local m = require("@m")
local rules = require("@rules")

local METHODS = {
    "distance", "within", "beyond", "nearest", "bearing", "toward", "offset", "in_arc", "quadrant", "connected",
    "locate", "near", "near_edge", "stretches", "meets", "sight", "blocked", "path_length", "covers",
}
local BIG = 2 ^ 53 - 1

local function edges(game)
    local point = rules.point
    local near, far, back = point(0, 0), point(2 ^ 40, 2 ^ 40), point(-(2 ^ 40), -(2 ^ 40))
    local limit, other = point(1000000000, 1000000000), point(-1000000000, 1000000000)
    local square = { polygon = { point(0, 0), point(0, 1000), point(1000, 1000), point(1000, 0) } }
    local flat = { polygon = { near, near, near } }
    local bow = { polygon = { point(0, 0), point(10, 10), point(10, 0), point(0, 10) } }
    local wide = { polygon = { limit, other, point(-1000000000, -1000000000) } }
    local disc, all = { centre = near, radius = 5 }, { centre = limit, radius = BIG }
    local line = { line = { near, limit, other }, half_width = 10 }
    return {
        0, 1, -1, 0.5, BIG, -BIG, 2 ^ 31, -(2 ^ 31), 2 ^ 62, 0 / 0, math.huge, -math.huge, "x", true, near, far, back,
        limit, other, game:get("r1"), game:get("b1"), {}, { near, limit, other }, { near }, square, flat, bow, wide,
        disc, all, line, { disc, square }, { { shape = square, base = 0, top = 10 } },
        { { shape = wide, base = -BIG, top = BIG } }, { { shape = all, top = 1 } },
        { origin = near, direction = 0, half_angle = BIG, length = BIG },
        { origin = limit, direction = -5, half_angle = 600, length = 10 },
        { from = near, to = limit, half_width = BIG }, { centre = near, radius = -1, inner = 5 }, false, nil :: any,
    }
end

function m.core.try(game: Reads, number: Integer): string
    local list = edges(game)
    local count = 41
    local state = number
    local function pick(n)
        state = (state * 1103515245 + 12345) % 2147483648
        return (state // 65536) % n + 1
    end
    local name = METHODS[pick(#METHODS)]
    local a, b, c = list[pick(count)], list[pick(count)], list[pick(count)]
    local d, e = list[pick(count)], list[pick(count)]
    game[name](game, a, b, c, d, e)
    return name
end
"#;

#[test]
fn whatever_is_measured_there_is_an_answer() {
    let fixture = Fixture::read(&folder("base/README.txt")).unwrap();
    let mut sources = fixture.sources();
    let mut files = sources.get("m").unwrap().to_files();
    files.insert("rules/try.luau".into(), Arc::from(RULES));
    sources.insert(Arc::from("m"), Sources::from_memory("m", files));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("base/field").unwrap();
    let overrides = Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    };
    let (chosen, mut setup) = workshop.prepare(&found, &overrides).unwrap();
    let (mut answers, mut broken) = (0, 0);
    for number in 0..20_000 {
        match chosen.rulebook.call(
            &mut setup.game,
            &"m.core.try".into(),
            &[Value::Int(number * 7919)],
        ) {
            Ok(_) => answers += 1,
            Err(Stop::Fault(fault)) => {
                assert!(fault.place.is_some(), "{fault}");
                broken += 1;
            }
            Err(Stop::Asked) => panic!("nobody was to be asked"),
        }
    }
    assert!(
        answers > 200 && broken > 200,
        "{answers} answers, {broken} faults"
    );
}
