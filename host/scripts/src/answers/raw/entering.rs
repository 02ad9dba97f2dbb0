//! Calling a rule from the kernel: what it is given goes from the kernel to the
//! stack of the machine in one call, without the binding.

use std::ffi::c_int;
use std::rc::Rc;

use kernel::value::Value;
use mlua::ffi::{self, lua_State};
use mlua::{Function, IntoLua, Lua, MultiValue, Table, Value as LuaValue};

use super::calls::show_value;
use super::stack::FieldName;
use super::{Functions, closure, houserule_limit, shared_of};
use crate::vm::Shared;

/// The functions by which the kernel comes in.
pub(crate) struct Entrance {
    enter: Function,
    show: Function,
}

impl Entrance {
    /// Those of a machine with these metatables, and the table of what was shown.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn of(
        lua: &Lua,
        shared: &Rc<Shared>,
        (point, hex, shown): (&Table, &Table, &Table),
    ) -> mlua::Result<Entrance> {
        let held = shared.clone();
        let owner = lua.create_function(move |_, ()| Ok(Rc::strong_count(&held)))?;
        let functions = Functions { address: Rc::as_ptr(shared), owner };
        let made = |function| {
            // In the places of the functions of the contract, which show values too.
            let mut more = MultiValue::new();
            more.push_back(LuaValue::Nil);
            more.push_back(point.into_lua(lua)?);
            more.push_back(hex.into_lua(lua)?);
            for name in FieldName::NAMES {
                more.push_back(name.into_lua(lua)?);
            }
            more.push_back(shown.into_lua(lua)?);
            closure(lua, &functions, function, more)
        };
        Ok(Entrance { enter: made(enter)?, show: made(show)? })
    }

    /// Calls a rule with the handle of the game and these arguments, and counts
    /// its work from there on; nothing where one of them cannot be shown here.
    pub fn call(
        &self,
        shared: &Shared,
        rule: &Function,
        args: &[Value],
    ) -> Option<mlua::Result<(LuaValue, LuaValue)>> {
        offered(shared, args, || self.enter.call(rule))
    }

    /// What a rule is called with: the handle of the game and these arguments;
    /// nothing where one of them cannot be shown here.
    pub fn shown(&self, shared: &Shared, args: &[Value]) -> Option<mlua::Result<MultiValue>> {
        offered(shared, args, || self.show.call(()))
    }
}

/// Lets one of the functions take the arguments; nothing if it left them.
fn offered<T>(
    shared: &Shared,
    args: &[Value],
    work: impl FnOnce() -> mlua::Result<T>,
) -> Option<mlua::Result<T>> {
    shared.answers.offered.set(Some(std::ptr::from_ref(args)));
    let outcome = work();
    shared.answers.offered.take().is_none().then_some(outcome)
}

/// `enter(rule)`: what the rule gives, and its reason.
unsafe extern "C-unwind" fn enter(state: *mut lua_State) -> c_int {
    unsafe {
        let Some(count) = arguments(state) else { return 0 };
        houserule_limit(state, 1);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, count, 2);
        2
    }
}

/// `show()`: what the rule is called with.
unsafe extern "C-unwind" fn show(state: *mut lua_State) -> c_int {
    unsafe { arguments(state).unwrap_or(0) }
}

/// Puts the arguments on the stack; how many there are with the handle of the
/// game. Nothing where one cannot be shown; then they are still offered.
///
/// # Safety
/// Within a call of [`enter`] or [`show`].
unsafe fn arguments(state: *mut lua_State) -> Option<c_int> {
    unsafe {
        let shared = shared_of(state)?;
        let offered = shared.answers.offered.take()?;
        // Whoever offers them waits until the function is over.
        let args: &[Value] = offered.as_ref()?;
        let count = c_int::try_from(args.len() + 1).ok()?;
        if ffi::lua_checkstack(state, count + 8) != 0 {
            ffi::lua_pushnil(state);
            // What it raises passes through: nothing here is held.
            if args.iter().all(|arg| show_value(state, arg, 0)) {
                return Some(count);
            }
        }
        shared.answers.offered.set(Some(offered));
        None
    }
}
