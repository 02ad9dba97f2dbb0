//! The kernel's hexes for scripts. A hex is given as such, or as an entity,
//! which stands at its attribute `at`.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::geometry::{
    Hex, HexCosts, HexEye, HexMet, HexStep, Hexside, LARGEST_RADIUS, Length, hex_area, hex_direction,
    hex_distance, hex_line, hex_path_cost, hex_reach, hex_ring, hex_sight,
};
use kernel::value::Value;
use mlua::{Lua, Table, Value as LuaValue};

use crate::geometry::{field, length, make, wrong};
use crate::values::{Metatables, entity_from_lua, hex_of, hex_to_lua, whole};
use crate::vm::Shared;
use rules::limits::cost;

type Me = LuaValue;
type One = (Me, LuaValue, LuaValue);

fn hex(game: &Game, value: &LuaValue) -> Result<Hex, Fault> {
    match value {
        LuaValue::LightUserData(data) => match game.get(entity_from_lua(*data), "at")? {
            Value::Hex(hex) => Ok(*hex),
            _ => Err(wrong("an entity that stands in a hex", value)
                .hint("its attribute `at` holds no hex: test it before you measure")),
        },
        LuaValue::Table(table) => hex_of(table).ok_or_else(|| wrong("a hex or an entity", value)),
        _ => Err(wrong("a hex or an entity", value)),
    }
}

fn count(value: &LuaValue, what: &str) -> Result<u32, Fault> {
    whole(value).and_then(|n| u32::try_from(n).ok()).ok_or_else(|| wrong(what, value))
}

fn radius(value: &LuaValue) -> Result<u32, Fault> {
    let steps = count(value, "a number of hexes")?;
    if steps <= LARGEST_RADIUS {
        return Ok(steps);
    }
    let message = format!("expected a radius of at most {LARGEST_RADIUS} hexes, found {steps}");
    Err(Fault::new(FaultCode::OutOfRange, message))
}

fn hexes(shared: &Shared, game: &Game, table: &Table) -> Result<Vec<Hex>, Fault> {
    shared.spend(cost::places(table.raw_len()))?;
    table.sequence_values::<LuaValue>().map(|item| hex(game, &item.unwrap_or(LuaValue::Nil))).collect()
}

/// The functions of hexes on the game handle.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    measures(lua, table, shared)?;
    lists(lua, table, shared)?;
    ways(lua, table, shared)?;
    sight(lua, table, shared)
}

fn measures(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let state = shared.clone();
    let distance = move |lua: &Lua, (_, a, b): One| {
        state.with(lua, |game| Ok(hex_distance(hex(game, &a)?, hex(game, &b)?)))
    };
    table.set("hex_distance", lua.create_function(distance)?)?;
    let state = shared.clone();
    let direction = move |lua: &Lua, (_, a, b): One| {
        state.with(lua, |game| Ok(hex_direction(hex(game, &a)?, hex(game, &b)?)))
    };
    table.set("hex_direction", lua.create_function(direction)?)?;
    make(lua, table, shared, "hex_neighbour", |lua, shared, (_, from, way): One| {
        let found = shared.with(lua, |game| {
            let way = count(&way, "a direction from 0 to 5")?;
            Ok(hex(game, &from)?.neighbour((way % 6) as u8))
        })?;
        hex_to_lua(lua, &*shared.tables()?, found)
    })
}

fn list_to_lua(lua: &Lua, shared: &Shared, list: Vec<Hex>) -> mlua::Result<Table> {
    let tables = shared.tables()?;
    let result = lua.create_table_with_capacity(list.len(), 0)?;
    for hex in list {
        result.push(hex_to_lua(lua, &tables, hex)?)?;
    }
    Ok(result)
}

fn lists(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    make(lua, table, shared, "hex_ring", |lua, shared, (_, centre, steps): One| {
        let ring = shared.with(lua, |game| {
            let (centre, radius) = (hex(game, &centre)?, radius(&steps)?);
            shared.spend(cost::hex_ring(radius))?;
            Ok(hex_ring(centre, radius))
        })?;
        list_to_lua(lua, shared, ring)
    })?;
    make(lua, table, shared, "hex_area", |lua, shared, (_, centre, steps): One| {
        let area = shared.with(lua, |game| {
            let (centre, radius) = (hex(game, &centre)?, radius(&steps)?);
            shared.spend(cost::hex_area(radius))?;
            Ok(hex_area(centre, radius))
        })?;
        list_to_lua(lua, shared, area)
    })?;
    make(lua, table, shared, "hex_line", |lua, shared, (_, a, b): One| {
        let line = shared.with(lua, |game| {
            let (a, b) = (hex(game, &a)?, hex(game, &b)?);
            near_enough(a, b)?;
            shared.spend(cost::hex_line(hex_distance(a, b)))?;
            Ok(hex_line(a, b))
        })?;
        let tables = shared.tables()?;
        let result = lua.create_table_with_capacity(line.len(), 0)?;
        for step in line {
            result.push(step_to_lua(lua, &tables, step)?)?;
        }
        Ok(result)
    })
}

/// Lines are drawn over maps, not from one end of the coordinates to the other.
fn near_enough(a: Hex, b: Hex) -> Result<(), Fault> {
    let apart = hex_distance(a, b);
    if apart <= LARGEST_RADIUS * 2 {
        return Ok(());
    }
    let message = format!("expected hexes at most {} apart, found {apart}", LARGEST_RADIUS * 2);
    Err(Fault::new(FaultCode::OutOfRange, message))
}

/// The hexes of a step: one, or both beside the line.
fn step_to_lua(lua: &Lua, tables: &Metatables, step: HexStep) -> mlua::Result<Table> {
    let hexes = lua.create_table()?;
    for hex in step.hexes() {
        hexes.push(hex_to_lua(lua, tables, hex)?)?;
    }
    Ok(hexes)
}

fn ways(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let state = shared.clone();
    let cost = move |lua: &Lua, (_, path, costs): (Me, Table, Table)| {
        state.with(lua, |game| {
            Ok(hex_path_cost(&hexes(&state, game, &path)?, &costs_of(&state, game, &costs)?))
        })
    };
    table.set("hex_path_cost", lua.create_function(cost)?)?;
    type Reach = (Me, LuaValue, LuaValue, Table);
    make(lua, table, shared, "hex_reach", |lua, shared, (_, from, most, costs): Reach| {
        let reached = shared.with(lua, |game| {
            let most = count(&most, "the most that the way may cost")?;
            Ok(hex_reach(hex(game, &from)?, most, &costs_of(shared, game, &costs)?))
        })?;
        shared.charge(lua, cost::hex_reach(reached.len()))?;
        let tables = shared.tables()?;
        let result = lua.create_table_with_capacity(reached.len(), 0)?;
        for one in reached {
            let row = lua.create_table_with_capacity(0, 3)?;
            row.raw_set("hex", hex_to_lua(lua, &tables, one.hex)?)?;
            row.raw_set("cost", one.cost)?;
            row.raw_set("from", hex_to_lua(lua, &tables, one.from)?)?;
            result.push(row)?;
        }
        Ok(result)
    })
}

/// `{ otherwise = 2, enter = { { at, cost }, … }, cross = { { from, to, cost }, … }, along = … }`.
fn costs_of(shared: &Shared, game: &Game, table: &Table) -> Result<HexCosts, Fault> {
    let cost = |value: LuaValue| match value {
        LuaValue::Nil => Ok(None),
        value => count(&value, "a cost, or nothing where there is no way").map(Some),
    };
    let rows = |name: &str| -> Result<Vec<Table>, Fault> {
        match field(table, name) {
            LuaValue::Nil => Ok(Vec::new()),
            LuaValue::Table(rows) => {
                shared.spend(cost::rows(rows.raw_len()))?;
                rows.sequence_values::<Table>()
                    .map(|row| row.map_err(|_| wrong("rows as tables", &LuaValue::Table(rows.clone()))))
                    .collect()
            }
            other => Err(wrong("a list of costs", &other)),
        }
    };
    let mut costs = HexCosts { otherwise: cost(field(table, "otherwise"))?, ..HexCosts::default() };
    for row in rows("enter")? {
        costs.enter.insert(hex(game, &field(&row, "at"))?, cost(field(&row, "cost"))?);
    }
    for row in rows("cross")? {
        let side = (hex(game, &field(&row, "from"))?, hex(game, &field(&row, "to"))?);
        costs.cross.insert(side, cost(field(&row, "cost"))?);
    }
    for row in rows("along")? {
        let side = (hex(game, &field(&row, "from"))?, hex(game, &field(&row, "to"))?);
        costs.along.insert(side, count(&field(&row, "cost"), "a cost")?);
    }
    Ok(costs)
}

fn sight(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Sight = (Me, LuaValue, LuaValue, LuaValue, LuaValue, Table);
    make(lua, table, shared, "hex_sight", |lua, shared, (_, a, high_a, b, high_b, tops): Sight| {
        let met = shared.with(lua, |game| met_between(shared, game, (&a, &high_a), (&b, &high_b), &tops))?;
        let tables = shared.tables()?;
        let result = lua.create_table_with_capacity(met.len(), 0)?;
        for one in met {
            let row = lua.create_table_with_capacity(0, 4)?;
            row.raw_set("hexes", step_to_lua(lua, &tables, one.step)?)?;
            row.raw_set("distance", one.distance)?;
            row.raw_set("blocks_both", one.is_blocked(Hexside::Both))?;
            row.raw_set("blocks_either", one.is_blocked(Hexside::Either))?;
            result.push(row)?;
        }
        Ok(result)
    })
}

type End<'a> = (&'a LuaValue, &'a LuaValue);

fn met_between(
    shared: &Shared,
    game: &Game,
    a: End<'_>,
    b: End<'_>,
    tops: &Table,
) -> Result<Vec<HexMet>, Fault> {
    let eye = |(at, height): End<'_>| Ok::<_, Fault>(HexEye { hex: hex(game, at)?, height: length(height)? });
    let (a, b) = (eye(a)?, eye(b)?);
    near_enough(a.hex, b.hex)?;
    shared.spend(cost::hex_line(hex_distance(a.hex, b.hex)) + cost::rows(tops.raw_len()))?;
    let mut heights: BTreeMap<Hex, Length> = BTreeMap::new();
    for row in tables_of(tops) {
        heights.insert(hex(game, &field(&row, "at"))?, length(&field(&row, "top"))?);
    }
    let otherwise = match field(tops, "otherwise") {
        LuaValue::Nil => Length::ZERO,
        value => length(&value)?,
    };
    Ok(hex_sight(a, b, |hex| heights.get(&hex).copied().unwrap_or(otherwise)))
}

fn tables_of(list: &Table) -> Vec<Table> {
    list.sequence_values::<Table>().flatten().collect()
}
