//! Measuring: functions of the contract that take places, lengths and shapes
//! that were measured before, and give a plain value.
//!
//! They are called more often than all others together. What is given is read
//! off the stack; the function of the contract does the rest, and charges what
//! it charges everybody. Where something is given otherwise, and where there is
//! a fault, the function of the binding is called as if nothing had been tried.

use std::ffi::c_int;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::geometry::{Length, Point};
use kernel::rules::Stop;
use kernel::value::{EntityId, Value};
use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Value as LuaValue};

use super::reading::plain;
use super::{Functions, closure, push, shared_of};
use crate::values::whole;
use crate::vm::Shared;
use rules::contract::geometry::{BEYOND, DISTANCE, NEAR, WITHIN};
use rules::contract::places::{Area, Where};

/// Where the arguments begin, after the handle of the game.
const FIRST: c_int = 2;

/// The function of the contract of that name, over the one of the binding, which
/// owns a share; the same again where there is none.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn measuring(
    lua: &Lua,
    shared: &Rc<Shared>,
    luau: &str,
    slow: Function,
) -> mlua::Result<Function> {
    let function = match luau {
        "game:distance" => distance,
        "game:within" => within,
        "game:beyond" => beyond,
        "game:near" => near,
        _ => return Ok(slow),
    };
    let functions = Functions { address: Rc::as_ptr(shared), owner: slow };
    closure(lua, &functions, function, ())
}

unsafe extern "C-unwind" fn distance(state: *mut lua_State) -> c_int {
    unsafe {
        measure(state, |shared| {
            let (a, b) = (place(state, shared, FIRST)?, place(state, shared, FIRST + 1)?);
            given(shared, DISTANCE.call(shared, || Ok((a, b))).map(Value::Length))
        })
    }
}

unsafe extern "C-unwind" fn within(state: *mut lua_State) -> c_int {
    unsafe {
        measure(state, |shared| {
            let (a, b) = (place(state, shared, FIRST)?, place(state, shared, FIRST + 1)?);
            let reach = length(state, FIRST + 2)?;
            given(shared, WITHIN.call(shared, || Ok((a, b, reach))).map(Value::Bool))
        })
    }
}

unsafe extern "C-unwind" fn beyond(state: *mut lua_State) -> c_int {
    unsafe {
        measure(state, |shared| {
            let (a, b) = (place(state, shared, FIRST)?, place(state, shared, FIRST + 1)?);
            let reach = length(state, FIRST + 2)?;
            given(shared, BEYOND.call(shared, || Ok((a, b, reach))).map(Value::Bool))
        })
    }
}

unsafe extern "C-unwind" fn near(state: *mut lua_State) -> c_int {
    unsafe {
        measure(state, |shared| {
            let (area, at) = (measured(state, shared, FIRST)?, place(state, shared, FIRST + 1)?);
            let reach = length(state, FIRST + 2)?;
            given(shared, NEAR.call(shared, || Ok((area, at, reach))).map(Value::Bool))
        })
    }
}

/// Does it at once, or by the function of the binding.
///
/// # Safety
/// Within a call of a function that [`closure`] has made.
unsafe fn measure(state: *mut lua_State, work: impl FnOnce(&Shared) -> Option<Value>) -> c_int {
    unsafe {
        if let Some(shared) = shared_of(state)
            && shared.stop.try_borrow().is_ok_and(|stop| stop.is_none())
        {
            let before = shared.budget.get();
            if let Some(found) = work(shared).as_ref().and_then(plain) {
                push(state, found);
                return 1;
            }
            shared.budget.set(before);
        }
        let count = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_insert(state, 1);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, count, 1);
        1
    }
}

/// What a function has given; a fault is met again by the function of the binding.
fn given(shared: &Shared, result: Result<Value, Fault>) -> Option<Value> {
    match result {
        Ok(value) => Some(value),
        Err(fault) => {
            if fault.code == FaultCode::TooSlow {
                // The watchdog does not say so again.
                shared.stop.borrow_mut().get_or_insert(Stop::Fault(Box::new(fault)));
            }
            None
        }
    }
}

/// A whole number.
///
/// # Safety
/// Within a call.
unsafe fn number(state: *mut lua_State, index: c_int) -> Option<i64> {
    if unsafe { ffi::lua_type(state, index) } != ffi::LUA_TNUMBER {
        return None;
    }
    whole(&LuaValue::Number(unsafe { ffi::lua_tonumberx(state, index, std::ptr::null_mut()) }))
}

/// A length.
///
/// # Safety
/// Within a call.
unsafe fn length(state: *mut lua_State, index: c_int) -> Option<Length> {
    unsafe { number(state, index) }.map(Length::from_um)
}

/// An entity, or a point of the game's own.
///
/// # Safety
/// Within a call.
unsafe fn place(state: *mut lua_State, shared: &Shared, index: c_int) -> Option<Where> {
    unsafe {
        match ffi::lua_type(state, index) {
            ffi::LUA_TLIGHTUSERDATA => {
                let address = ffi::lua_tolightuserdata(state, index).addr();
                Some(Where::Of(EntityId((address as u32).wrapping_sub(1))))
            }
            ffi::LUA_TTABLE => {
                if ffi::lua_getmetatable(state, index) == 0 {
                    return None;
                }
                let meta = ffi::lua_topointer(state, -1).addr();
                ffi::lua_settop(state, -2);
                let [point, ..] = shared.answers.metatables.get();
                if meta != point {
                    return None;
                }
                ffi::lua_rawgetfield(state, index, c"x".as_ptr());
                ffi::lua_rawgetfield(state, index, c"y".as_ptr());
                let (x, y) = (length(state, -2), length(state, -1));
                ffi::lua_settop(state, -3);
                Point::checked(x?, y?).map(Where::At)
            }
            _ => None,
        }
    }
}

/// A shape that was measured before.
///
/// # Safety
/// Within a call.
unsafe fn measured(state: *mut lua_State, shared: &Shared, index: c_int) -> Option<Area> {
    if unsafe { ffi::lua_type(state, index) } != ffi::LUA_TTABLE {
        return None;
    }
    let address = unsafe { ffi::lua_topointer(state, index) }.addr();
    let cell = shared.kept.try_borrow().ok()?.shape_at(address)?;
    cell.get().cloned().map(Area::Measured)
}
