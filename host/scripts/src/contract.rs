//! The contract for scripts: its functions as functions of the machine, and
//! what they give as values of it.

use std::rc::Rc;

use kernel::value::EntityId;
use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use crate::arguments;
use crate::values::{Metatables, entity_to_lua, immediate_to_lua, to_lua};
use crate::vm::{Shared, unlimited};
use rules::contract::types::Given;
use rules::contract::{self, Entry};

/// The arguments of a function, its handle among them; what is left out is nil.
type Args = (
    LuaValue,
    LuaValue,
    LuaValue,
    LuaValue,
    LuaValue,
    LuaValue,
    LuaValue,
);

/// Adds the functions of the contract to the tables that have their handles as
/// their first argument.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(
    lua: &Lua,
    host: &Table,
    (game, deck, die): (&Table, &Table, &Table),
    shared: &Rc<Shared>,
    shown: &Table,
) -> mlua::Result<()> {
    let (point, hex): (Table, Table) = (host.get("point")?, host.get("hex")?);
    for entry in contract::all().filter(|entry| !entry.spec().is_native) {
        match entry.spec().luau.split_once([':', '@']) {
            // The handle of the game says nothing.
            Some(("game", name)) => {
                let slow = function(lua, shared, entry, name, 1)?;
                game.set(
                    name,
                    crate::answers::reading(lua, shared, entry, slow, (&point, &hex, shown))?,
                )?;
            }
            Some(("deck", name)) => deck.set(name, function(lua, shared, entry, name, 0)?)?,
            Some(("die", name)) => die.set(name, function(lua, shared, entry, name, 0)?)?,
            Some(("", name)) => host.set(name, function(lua, shared, entry, name, 0)?)?,
            _ => {}
        }
    }
    Ok(())
}

/// A function of the contract as one of the machine, after some arguments that
/// are no business of its.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn function(
    lua: &Lua,
    shared: &Rc<Shared>,
    entry: &'static dyn Entry,
    name: &'static str,
    handles: usize,
) -> mlua::Result<Function> {
    let shared = shared.clone();
    let takes_more = entry
        .takes()
        .last()
        .is_some_and(|last| last.luau == "...any");
    if takes_more {
        return lua.create_function(move |lua, list: MultiValue| {
            let mut list = list.into_vec();
            called(lua, &shared, (entry, name, handles), &mut list, shown)
        });
    }
    let gives_two = entry
        .gives()
        .is_some_and(|names| names.luau.starts_with('('));
    if gives_two {
        return lua.create_function(move |lua, (a, b, c, d, e, f, g): Args| {
            called(
                lua,
                &shared,
                (entry, name, handles),
                &mut [a, b, c, d, e, f, g],
                both_shown,
            )
        });
    }
    lua.create_function(move |lua, (a, b, c, d, e, f, g): Args| {
        called(
            lua,
            &shared,
            (entry, name, handles),
            &mut [a, b, c, d, e, f, g],
            shown,
        )
    })
}

fn called<T>(
    lua: &Lua,
    shared: &Shared,
    (entry, name, handles): (&dyn Entry, &'static str, usize),
    list: &mut [LuaValue],
    shown: fn(&Lua, &Shared, Given, Option<&Table>) -> mlua::Result<T>,
) -> mlua::Result<T> {
    shared.stopped()?;
    unlimited(lua, || {
        let mut args = arguments::ScriptArguments::new(lua, shared, name, list, handles);
        match entry.call_with(&shared.running, &mut args) {
            Ok(given) => shown(lua, shared, given, args.last_list.as_ref()),
            Err(fault) => Err(shared.fault(lua, fault)),
        }
    })
}

fn both_shown(
    lua: &Lua,
    shared: &Shared,
    given: Given,
    list: Option<&Table>,
) -> mlua::Result<(LuaValue, LuaValue)> {
    match given {
        Given::Both(both) => Ok((
            shown(lua, shared, both.0, list)?,
            shown(lua, shared, both.1, list)?,
        )),
        one => Ok((shown(lua, shared, one, list)?, LuaValue::Nil)),
    }
}

fn shown(lua: &Lua, shared: &Shared, given: Given, list: Option<&Table>) -> mlua::Result<LuaValue> {
    match given {
        Given::Value(value) => match immediate_to_lua(&value) {
            Some(plain) => Ok(plain),
            None => to_lua(lua, &*shared.tables()?, &value),
        },
        given => Showing {
            lua,
            tables: &*shared.tables()?,
            list,
        }
        .value(given),
    }
}

/// What a function gives, while it is turned into tables.
struct Showing<'a> {
    lua: &'a Lua,
    tables: &'a Metatables,
    list: Option<&'a Table>,
}

impl Showing<'_> {
    fn value(&self, given: Given) -> mlua::Result<LuaValue> {
        match given {
            Given::Value(value) => to_lua(self.lua, self.tables, &value),
            Given::Word(word) => Ok(LuaValue::String(self.lua.create_string(word)?)),
            Given::Listed(list) => {
                let all: Vec<EntityId> = list.iter().collect();
                self.table(all.into_iter().map(|entity| Ok(entity_to_lua(entity))))
            }
            Given::Place(place) => Ok(LuaValue::Number((place + 1) as f64)),
            Given::Chosen(places) => {
                let chosen = |place| {
                    self.list
                        .map_or(Ok(LuaValue::Nil), |list| list.get(place + 1))
                };
                self.table(places.into_iter().map(chosen))
            }
            Given::List(items) => self.table(items.into_iter().map(|item| self.value(item))),
            Given::Record(fields) => {
                let table = self.lua.create_table_with_capacity(0, fields.len())?;
                for (name, field) in fields {
                    table.raw_set(name, self.value(field)?)?;
                }
                Ok(LuaValue::Table(table))
            }
            Given::Both(both) => self.value(both.0),
        }
    }

    fn table(
        &self,
        items: impl ExactSizeIterator<Item = mlua::Result<LuaValue>>,
    ) -> mlua::Result<LuaValue> {
        let table = self.lua.create_table_with_capacity(items.len(), 0)?;
        for (i, item) in items.enumerate() {
            table.raw_set(i + 1, item?)?;
        }
        Ok(LuaValue::Table(table))
    }
}
