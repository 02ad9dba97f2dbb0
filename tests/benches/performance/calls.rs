//! Calls and reads against bare Luau and bare mlua.

use std::hint::black_box;

use kernel::game::{Game, Guard};
use kernel::rules::Rules;
use kernel::value::{Name, Value};
use kernel::world::Viewer;
use mlua::{Function, Lua, UserData, UserDataFields, Value as LuaValue};

use crate::clock::{Bound, Table, compare};
use crate::tiny;

const COUNT: u32 = 20_000;

/// What a bare host would show of a unit.
struct Unit {
    armour: i64,
}

impl UserData for Unit {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("armour", |_, unit| Ok(unit.armour));
    }
}

/// The measured function once more, without any host.
const BARE: &str = "
local rows = { rifle = { { power = 4 }, { power = 3 }, { power = 1 } } }
local function get(weapon, band)
    return rows[weapon][band]
end
local function strength(_game, weapon, range, armour)
    local band = if range <= 10 then 1 elseif range <= 20 then 2 else 3
    local row = get(weapon, band)
    local power = row.power
    if armour > power then
        return 0
    end
    return math.max(0, (power - armour) * 2 + 20 - range)
end
local function reads(unit, count)
    local sum = 0
    for _ = 1, count do
        sum += unit.armour
    end
    return sum
end
return strength, reads";

pub fn measure(table: &mut Table) {
    let rulebook = tiny::rulebook();
    let mut game = tiny::setup(&rulebook, 100).game;
    game.set_guard(Guard::answering(Viewer::Referee));
    let lua = Lua::new();
    lua.sandbox(true).unwrap();
    let (strength, reads): (Function, Function) = lua.load(BARE).eval().unwrap();
    between_rules(table, &*rulebook, &mut game);
    from_kernel(table, &*rulebook, &mut game, &strength);
    attributes(table, &*rulebook, &mut game, &lua, &reads);
}

fn call(rules: &dyn Rules, game: &mut Game, rule: &Name, args: &[Value]) {
    black_box(rules.call(game, rule, args).unwrap());
}

/// Runs a loop of the ruleset.
fn run(rules: &dyn Rules, game: &mut Game, name: &str) {
    let rule = Name::from(format!("tiny.loop.{name}"));
    call(rules, game, &rule, &[Value::Int(i64::from(COUNT))]);
}

fn between_rules(table: &mut Table, rules: &dyn Rules, game: &mut Game) {
    let pairs = [
        ("rule call through one wrap", "bare", "wrapped", Bound::AtMost(3.0)),
        ("  the same against a bare function around it", "bare-wrapped", "wrapped", Bound::None),
        ("  rule call without a wrap", "bare", "plain", Bound::None),
    ];
    for (what, bare, ours, bound) in pairs.into_iter().filter(|pair| table.wants(pair.0)).collect::<Vec<_>>()
    {
        let mut other = game.clone();
        let (a, b, ratio) = compare(COUNT, || run(rules, &mut other, bare), || run(rules, game, ours));
        table.add(what, ratio, "x", bound, &format!("{b:.0} ns against {a:.0} ns in Luau"));
    }
}

fn from_kernel(table: &mut Table, rules: &dyn Rules, game: &mut Game, bare: &Function) {
    let args = [Value::text("rifle"), Value::Int(12), Value::Int(2)];
    let wraps = [
        (
            "kernel to Luau rule call",
            "tiny.play.plain",
            Guard::answering(Viewer::Referee),
            Bound::AtMost(2.0),
        ),
        ("  the same of a rule that may ask", "tiny.play.plain", Guard::STEP, Bound::None),
    ];
    for (what, rule, guard, bound) in wraps {
        if !table.wants(what) {
            continue;
        }
        let rule = Name::from(rule);
        let before = game.set_guard(guard);
        let (a, b, ratio) = compare(
            COUNT,
            || {
                for _ in 0..COUNT {
                    let result: f64 = bare.call((LuaValue::Nil, "rifle", 12, 2)).unwrap();
                    black_box(result);
                }
            },
            || {
                for _ in 0..COUNT {
                    call(rules, game, &rule, &args);
                }
            },
        );
        game.set_guard(before);
        table.add(what, ratio, "x", bound, &format!("{b:.0} ns against {a:.0} ns in mlua"));
    }
}

fn attributes(table: &mut Table, rules: &dyn Rules, game: &mut Game, lua: &Lua, reads: &Function) {
    let unit = lua.create_userdata(Unit { armour: 3 }).unwrap();
    let pairs = [
        ("attribute read from a rule", "reads", Bound::AtMost(1.5)),
        ("  the same of a text", "text-reads", Bound::None),
    ];
    for (what, ours, bound) in pairs {
        if !table.wants(what) {
            continue;
        }
        let bare = || {
            black_box(reads.call::<f64>((&unit, COUNT)).unwrap());
        };
        let (a, b, ratio) = compare(COUNT, bare, || run(rules, game, ours));
        table.add(what, ratio, "x", bound, &format!("{b:.0} ns against {a:.0} ns of userdata"));
    }
}
