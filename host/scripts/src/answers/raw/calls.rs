//! Functions of the contract that only read, called without the binding.
//!
//! What is given is read off the stack ([`Stack`]), the function of the contract
//! does the rest, and charges what it charges everybody; what it gives is put on
//! the stack. Where something is given in another form, and where there is a
//! fault, the function of the binding is called as if nothing had been tried.

use std::ffi::c_int;
use std::rc::Rc;
use std::sync::LazyLock;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::rules::Stop;
use kernel::value::Value;
use mlua::ffi::{self, lua_State};
use mlua::{Function, IntoLua, Lua, MultiValue, Table};

use super::stack::{FieldName, Stack};
use super::{Functions, closure, push, shared_of};
use crate::values::immediate;
use crate::vm::Shared;
use rules::contract::{self, Entry, types::Given};

/// Where the arguments begin, after the handle of the game.
const FIRST: c_int = 2;

/// Results that are nested deeper are shown by the binding.
const DEEPEST: u32 = 8;

/// All functions of the contract, by number.
static ALL: LazyLock<Vec<&'static dyn Entry>> = LazyLock::new(|| contract::all().collect());

/// A function of the game, over the one of the binding, which owns a share; the
/// same again if it does more than reading.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn reading(
    lua: &Lua,
    shared: &Rc<Shared>,
    entry: &'static dyn Entry,
    slow: Function,
    (point, hex, shown): (&Table, &Table, &Table),
) -> mlua::Result<Function> {
    let is_single = !entry
        .gives()
        .is_some_and(|names| names.luau.starts_with('('))
        && entry
            .takes()
            .last()
            .is_none_or(|last| last.luau != "...any");
    let number = ALL
        .iter()
        .position(|one| one.spec().luau == entry.spec().luau);
    let Some(number) = number.filter(|_| entry.spec().effect == Effects::READS && is_single) else {
        return Ok(slow);
    };
    let functions = Functions {
        address: Rc::as_ptr(shared),
        owner: slow,
    };
    closure(
        lua,
        &functions,
        call,
        upvalues(lua, number, (point, hex, shown))?,
    )
}

/// What a function that shows values has as upvalues after the first two.
///
/// # Errors
/// When the machine has no memory for it.
pub(super) fn upvalues(
    lua: &Lua,
    number: usize,
    (point, hex, shown): (&Table, &Table, &Table),
) -> mlua::Result<MultiValue> {
    let mut all = MultiValue::new();
    all.push_back(number.into_lua(lua)?);
    all.push_back(origin(lua, point, [FieldName::X, FieldName::Y])?.into_lua(lua)?);
    all.push_back(origin(lua, hex, [FieldName::Q, FieldName::R])?.into_lua(lua)?);
    for name in FieldName::NAMES {
        all.push_back(name.into_lua(lua)?);
    }
    all.push_back(shown.into_lua(lua)?);
    Ok(all)
}

/// The point or the hex at the origin, of which those that are shown are copies: a
/// copy has room for its fields, and its metatable.
fn origin(lua: &Lua, meta: &Table, fields: [FieldName; 2]) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    for field in fields {
        table.raw_set(FieldName::NAMES[field as usize], 0.0)?;
    }
    table.set_metatable(Some(meta.clone()))?;
    Ok(table)
}

/// The upvalue that is the number of the function.
const NUMBER: c_int = 3;

/// The upvalue where what was shown lies, after the names of fields.
pub(super) const SHOWN: c_int = 6 + FieldName::NAMES.len() as c_int;

unsafe extern "C-unwind" fn call(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        let before = super::houserule_work(state);
        if let Some(shared) = shared_of(state)
            && shared.stop.try_borrow().is_ok_and(|stop| stop.is_none())
        {
            let (budget, taken) = (shared.budget.get(), shared.budget.parts());
            let (given, list) = called(state, shared);
            if let Some(given) = given
                && show(state, shared, given, list, 0)
            {
                // It was paid for in checks.
                super::houserule_setwork(state, before);
                return 1;
            }
            shared.budget.set(budget);
            shared.budget.set_parts(taken);
            ffi::lua_settop(state, count);
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_insert(state, 1);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, count, 1);
        super::houserule_setwork(state, before);
        1
    }
}

/// What the function has given, and where the list lies that it was given last.
///
/// # Safety
/// Within a call of [`call`].
unsafe fn called(state: *mut lua_State, shared: &Shared) -> (Option<Given>, Option<c_int>) {
    let number = unsafe { super::houserule_number(state, NUMBER) };
    let Some(entry) = ALL.get(number as usize) else {
        return (None, None);
    };
    let mut args = unsafe { Stack::new(state, shared, FIRST) };
    let given = given(shared, entry.call_with(&shared.running, &mut args));
    (given, args.last_list)
}

/// What a function has given; a fault is met again by the function of the binding.
pub(super) fn given(shared: &Shared, result: Result<Given, Fault>) -> Option<Given> {
    match result {
        Ok(given) => Some(given),
        Err(fault) => {
            if fault.code == FaultCode::TooSlow && shared.stop.try_borrow_mut().is_ok() {
                // The watchdog does not say so again.
                shared.halt(Stop::Fault(fault));
            }
            None
        }
    }
}

/// Puts what was given on the stack; whether it can be shown here. Nothing of the
/// game is held meanwhile, for the machine may raise that it has no memory.
///
/// # Safety
/// Within a call of [`call`].
unsafe fn show(
    state: *mut lua_State,
    shared: &Shared,
    given: Given,
    list: Option<c_int>,
    depth: u32,
) -> bool {
    unsafe {
        if depth > DEEPEST || ffi::lua_checkstack(state, 8) == 0 {
            return false;
        }
        match given {
            Given::Value(value) => show_value(state, &value, depth),
            Given::Word(word) => {
                text(state, word);
                true
            }
            Given::Listed(list) => show_listed(state, shared, &list.value(), depth),
            Given::Place(place) => {
                ffi::lua_pushnumber(state, (place + 1) as f64);
                true
            }
            Given::Chosen(places) => {
                ffi::lua_createtable(state, places.len() as c_int, 0);
                for (i, place) in (1..).zip(places) {
                    match list {
                        Some(list) => ffi::lua_rawgeti_(state, list, place as c_int + 1),
                        None => return false,
                    };
                    ffi::lua_rawseti_(state, -2, i);
                }
                true
            }
            Given::List(items) => {
                ffi::lua_createtable(state, items.len() as c_int, 0);
                for (i, item) in (1..).zip(items) {
                    if !show(state, shared, item, list, depth + 1) {
                        return false;
                    }
                    ffi::lua_rawseti_(state, -2, i);
                }
                true
            }
            Given::Record(fields) => {
                ffi::lua_createtable(state, 0, fields.len() as c_int);
                for (name, field) in fields {
                    text(state, name);
                    if !show(state, shared, field, list, depth + 1) {
                        return false;
                    }
                    ffi::lua_rawset(state, -3);
                }
                true
            }
            Given::Both(_) => false,
        }
    }
}

/// A list that others are given too: a copy of the table that was shown before.
///
/// # Safety
/// As of [`show`].
unsafe fn show_listed(state: *mut lua_State, shared: &Shared, list: &Value, depth: u32) -> bool {
    unsafe {
        let before = shared
            .kept
            .try_borrow()
            .ok()
            .and_then(|kept| kept.place_of(list));
        if let Some(place) = before {
            ffi::lua_rawgeti_(state, ffi::lua_upvalueindex(SHOWN), place as c_int);
        } else {
            if !show_value(state, list, depth) {
                return false;
            }
            let place = shared
                .kept
                .try_borrow_mut()
                .ok()
                .and_then(|mut kept| kept.show(list));
            if let Some(place) = place {
                ffi::lua_pushvalue(state, -1);
                ffi::lua_rawseti_(state, ffi::lua_upvalueindex(SHOWN), place as c_int);
            }
        }
        ffi::lua_clonetable(state, -1);
        ffi::lua_replace(state, -2);
        true
    }
}

/// The same of a value; lists and records of the game are read-only.
///
/// # Safety
/// As of [`show`], with a place on the stack that is free.
pub(super) unsafe fn show_value(state: *mut lua_State, value: &Value, depth: u32) -> bool {
    unsafe {
        if let Some(plain) = immediate(value) {
            push(state, plain);
            return true;
        }
        if depth > DEEPEST || ffi::lua_checkstack(state, 8) == 0 {
            return false;
        }
        match value {
            Value::Text(word) => text(state, word),
            Value::Point(point) => {
                let (x, y) = (point.x().um() as f64, point.y().um() as f64);
                pair(state, (FieldName::X, x), (FieldName::Y, y), 4);
            }
            Value::Hex(hex) => pair(
                state,
                (FieldName::Q, hex.q() as f64),
                (FieldName::R, hex.r() as f64),
                5,
            ),
            Value::List(items) => {
                ffi::lua_createtable(state, items.len() as c_int, 0);
                for (i, item) in (1..).zip(items.iter()) {
                    if !show_value(state, item, depth + 1) {
                        return false;
                    }
                    ffi::lua_rawseti_(state, -2, i);
                }
                ffi::lua_setreadonly(state, -1, 1);
            }
            Value::Map(map) => {
                ffi::lua_createtable(state, 0, map.len() as c_int);
                for (name, item) in map.iter() {
                    text(state, name);
                    if !show_value(state, item, depth + 1) {
                        return false;
                    }
                    ffi::lua_rawset(state, -3);
                }
                ffi::lua_setreadonly(state, -1, 1);
            }
            _ => return false,
        }
        true
    }
}

unsafe fn text(state: *mut lua_State, word: &str) {
    unsafe { ffi::lua_pushlstring_(state, word.as_ptr().cast(), word.len()) };
}

/// A point or a hex, a copy of the one that is that upvalue.
unsafe fn pair(
    state: *mut lua_State,
    first: (FieldName, f64),
    second: (FieldName, f64),
    origin: c_int,
) {
    unsafe {
        ffi::lua_clonetable(state, ffi::lua_upvalueindex(origin));
        for (field, number) in [first, second] {
            ffi::lua_pushvalue(state, field.place());
            ffi::lua_pushnumber(state, number);
            ffi::lua_rawset(state, -3);
        }
        ffi::lua_setreadonly(state, -1, 1);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};
    use rules::contract::geometry::SIGHT;

    use super::reading;

    #[test]
    fn what_only_reads_is_called_without_the_binding() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        shared.is_running.set(true);
        shared.budget.set(10_000);
        let (point, hex) = (lua.create_table().unwrap(), lua.create_table().unwrap());
        let address = |table: &Table| table.to_pointer().addr();
        shared
            .answers
            .metatables
            .set([address(&point), address(&hex), 0]);
        let calls = Rc::new(Cell::new(0));
        let count = calls.clone();
        let slow = move |_: &Lua, _: MultiValue| {
            count.set(count.get() + 1);
            Ok(LuaValue::Nil)
        };
        let slow = lua.create_function(slow).unwrap();
        let shown = lua.create_table().unwrap();
        let sight: Function = reading(&lua, &shared, &SIGHT, slow, (&point, &hex, &shown)).unwrap();
        let look = lua.load(
            "local sight, point, shape = ...
            local function at(x, y)
                return setmetatable({ x = x, y = y }, point)
            end
            local wood = { shape = shape or { centre = at(50000, 0), radius = 20000 }, top = 4 }
            return sight(nil, at(0, 0), at(100000, 0), { wood }, 0, 0)",
        );
        let look = look.into_function().unwrap();

        let met: Table = look.call((&sight, &point)).unwrap();
        assert_eq!(
            calls.get(),
            0,
            "the binding was called for what can be read off the stack"
        );
        assert_eq!(met.raw_len(), 1);
        let first: Table = met.get(1).unwrap();
        assert_eq!(first.get::<i64>("obstacle").unwrap(), 1);
        assert_eq!(first.get::<String>("plan").unwrap(), "crosses");
        assert_eq!(first.get::<i64>("length").unwrap(), 40_000);

        let left = shared.budget.get();
        let nothing: LuaValue = look.call((&sight, &point, "a wood")).unwrap();
        assert!(nothing.is_nil());
        assert_eq!(calls.get(), 1, "what cannot be read is left to the binding");
        assert_eq!(shared.budget.get(), left, "and pays nothing before");
    }
}
