//! Calls and reads against bare Luau and bare mlua.

use std::cell::Cell;
use std::hint::black_box;

use houserule::rulebook::Rulebook;
use kernel::game::{Game, Guard};
use kernel::rules::Rules;
use kernel::value::{Name, Value};
use kernel::world::Viewer;
use mlua::{Function, Lua, UserData, UserDataFields, Value as LuaValue, VmState};

use crate::clock::{Bound, Table, compare};
use crate::tiny;

const COUNT: u32 = 20_000;

/// An input of a raid makes so many calls from the kernel, about.
const CALLS_A_REQUEST: u32 = 100;

/// What a bare host would show of a unit.
struct Unit {
    armour: i64,
    weapon: String,
}

impl UserData for Unit {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("armour", |_, unit| Ok(unit.armour));
        fields.add_field_method_get("weapon", |_, unit| Ok(unit.weapon.clone()));
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
local function texts(unit, count)
    local sum = 0
    for _ = 1, count do
        sum += if unit.weapon == \"rifle\" then 1 else 0
    end
    return sum
end
return strength, reads, texts";

pub fn measure(table: &mut Table) {
    let rulebook = tiny::rulebook();
    let mut game = tiny::setup(&rulebook, 100).game;
    game.set_guard(Guard::answering(Viewer::Referee));
    // What a call costs that runs; kept answers have a row of their own.
    rulebook.keep_answers(false);
    let lua = Lua::new();
    lua.sandbox(true).unwrap();
    let (strength, reads, texts): (Function, Function, Function) = lua.load(BARE).eval().unwrap();
    between_rules(table, &*rulebook, &mut game);
    from_kernel(
        table,
        &rulebook,
        &mut game,
        &strength,
        Bound::None,
        "kernel to Luau rule call",
    );
    let limited = budgeted();
    let (strength_too, _, _): (Function, Function, Function) = limited.load(BARE).eval().unwrap();
    let what = "kernel to Luau rule call, mlua with the same limits";
    from_kernel(
        table,
        &rulebook,
        &mut game,
        &strength_too,
        Bound::AtMost(1.2),
        what,
    );
    attributes(table, &*rulebook, &mut game, &lua, [&reads, &texts]);
    rulebook.keep_answers(true);
    let what = "  the same, where its answer is kept";
    from_kernel(table, &rulebook, &mut game, &strength, Bound::None, what);
}

/// Makes so many calls from the kernel and nothing else, or as many bare ones: for
/// whoever counts instructions.
pub fn alone(is_ours: bool, count: u32) {
    if !is_ours {
        let limited = budgeted();
        let (strength, _, _): (Function, Function, Function) = limited.load(BARE).eval().unwrap();
        return call_bare(&strength, count);
    }
    let rulebook = tiny::rulebook();
    let mut game = tiny::setup(&rulebook, 100).game;
    game.set_guard(Guard::answering(Viewer::Referee));
    rulebook.keep_answers(false);
    call_ours(&rulebook, &mut game, count);
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
        (
            "rule call through one wrap",
            "bare",
            "wrapped",
            Bound::AtMost(3.0),
        ),
        (
            "  the same against a bare function around it",
            "bare_wrapped",
            "wrapped",
            Bound::None,
        ),
        ("  rule call without a wrap", "bare", "plain", Bound::None),
    ];
    for (what, bare, ours, bound) in pairs
        .into_iter()
        .filter(|pair| table.wants(pair.0))
        .collect::<Vec<_>>()
    {
        let mut other = game.clone();
        let (a, b, ratio) = compare(
            COUNT,
            || run(rules, &mut other, bare),
            || run(rules, game, ours),
        );
        table.add(
            what,
            ratio,
            "x",
            bound,
            &format!("{b:.0} ns against {a:.0} ns in Luau"),
        );
    }
}

/// Bare mlua, but safe against scripts that never end or eat all memory.
fn budgeted() -> Lua {
    let lua = Lua::new();
    lua.sandbox(true).unwrap();
    lua.set_memory_limit(256 << 20).unwrap();
    let budget = Cell::new(u64::MAX);
    lua.set_interrupt(move |_| {
        budget.set(budget.get() - 1);
        Ok(VmState::Continue)
    });
    lua
}

/// Calls the function so often as a bare host would.
fn call_bare(strength: &Function, count: u32) {
    for _ in 0..count {
        let result: f64 = strength.call((LuaValue::Nil, "rifle", 12, 2)).unwrap();
        black_box(result);
    }
}

/// Calls the rule so often as the kernel does: within requests, which have one budget
/// and one clock for all their calls.
fn call_ours(rules: &Rulebook, game: &mut Game, count: u32) {
    let args = [Value::text("rifle"), Value::Int(12), Value::Int(2)];
    let rule = Name::from("tiny.play.plain");
    let mut left = count;
    while left > 0 {
        let _request = rules.running().request();
        for _ in 0..left.min(CALLS_A_REQUEST) {
            call(rules, game, &rule, &args);
        }
        left = left.saturating_sub(CALLS_A_REQUEST);
    }
}

fn from_kernel(
    table: &mut Table,
    rules: &Rulebook,
    game: &mut Game,
    bare: &Function,
    bound: Bound,
    what: &str,
) {
    if !table.wants(what) {
        return;
    }
    let (a, b, ratio) = compare(
        COUNT,
        || call_bare(bare, COUNT),
        || call_ours(rules, game, COUNT),
    );
    table.add(
        what,
        ratio,
        "x",
        bound,
        &format!("{b:.0} ns against {a:.0} ns in mlua"),
    );
}

fn attributes(
    table: &mut Table,
    rules: &dyn Rules,
    game: &mut Game,
    lua: &Lua,
    bare: [&Function; 2],
) {
    let unit = lua
        .create_userdata(Unit {
            armour: 3,
            weapon: "rifle".into(),
        })
        .unwrap();
    let pairs = [
        ("attribute read from a rule", "reads", Bound::AtMost(1.5)),
        ("  the same of a text", "text_reads", Bound::None),
    ];
    for ((what, ours, bound), function) in pairs.into_iter().zip(bare) {
        if !table.wants(what) {
            continue;
        }
        let bare = || {
            black_box(function.call::<f64>((&unit, COUNT)).unwrap());
        };
        let (a, b, ratio) = compare(COUNT, bare, || run(rules, game, ours));
        table.add(
            what,
            ratio,
            "x",
            bound,
            &format!("{b:.0} ns against {a:.0} ns of userdata"),
        );
    }
}
