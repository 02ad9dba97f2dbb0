//! What a function holds on to: its upvalues, which the safe interface of the
//! machine does not show.
//!
//! See decision 68 for why they are looked at.
#![expect(
    unsafe_code,
    reason = "the upvalues of a function can be read in no other way"
)]

use std::ffi::c_int;

use mlua::{Function, Lua, ffi, lua_State};

/// A function for our own scripts: takes a function and a number, from 1, and
/// gives the name of that upvalue (empty where the compiler kept none) and its
/// value, or nothing when there are no more.
///
/// # Errors
/// When the machine has no memory for it.
pub(super) fn reader(lua: &Lua) -> mlua::Result<Function> {
    // SAFETY: `read` keeps to the protocol of C functions: it looks only at its
    // own arguments and says how many results it leaves on the stack.
    unsafe { lua.create_c_function(read) }
}

/// `read(function, number) -> name?, value`.
///
/// # Safety
/// To be called by the machine, with the state that it hands over.
unsafe extern "C-unwind" fn read(state: *mut lua_State) -> c_int {
    // SAFETY: the machine hands over its own state, with at least twenty free
    // slots. The first index is checked to be a function before it is used as
    // one; `lua_getupvalue` checks the number, and gives a text that the
    // function's code owns, or null without pushing anything. No value with a
    // destructor is alive here, should the machine unwind for want of memory.
    unsafe {
        if ffi::lua_type(state, 1) != ffi::LUA_TFUNCTION {
            return 0;
        }
        let number = ffi::lua_tointegerx(state, 2, std::ptr::null_mut());
        let Ok(number) = c_int::try_from(number) else {
            return 0;
        };
        let name = ffi::lua_getupvalue(state, 1, number);
        if name.is_null() {
            return 0;
        }
        ffi::lua_pushstring(state, name);
        ffi::lua_insert(state, -2);
        2
    }
}
