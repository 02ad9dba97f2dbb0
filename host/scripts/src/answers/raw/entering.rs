//! Calling a rule from the kernel: what it is given goes from the kernel to the
//! stack of the machine in one call, without the binding.

use std::ffi::c_int;
use std::rc::Rc;

use kernel::value::Value;
use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use super::calls::{show_value, upvalues};
use super::{Functions, closure, houserule_limit, shared_of};
use crate::vm::Shared;

/// The functions by which the kernel comes in.
pub(crate) struct Entrance {
    enter: Function,
    show: Function,
}

impl Entrance {
    /// Those of a machine with the metatables of points and hexes, and the table of
    /// what was shown.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn of(
        lua: &Lua,
        shared: &Rc<Shared>,
        tables: (&Table, &Table, &Table),
    ) -> mlua::Result<Entrance> {
        let held = shared.clone();
        let owner = lua.create_function(move |_, ()| Ok(Rc::strong_count(&held)))?;
        let functions = Functions {
            address: Rc::as_ptr(shared),
            owner,
        };
        // It is no function of the contract, and looks at no number.
        let made = |function| closure(lua, &functions, function, upvalues(lua, 0, tables)?);
        Ok(Entrance {
            enter: made(enter)?,
            show: made(show)?,
        })
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
        let Some(count) = arguments(state) else {
            return 0;
        };
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kernel::dice::Die;
    use kernel::geometry::{Length, Point};
    use kernel::value::{EntityId, Value};
    use mlua::{Function, Lua, Table, Value as LuaValue};

    use super::Entrance;

    #[test]
    fn arguments_go_in_without_the_binding_and_dice_are_left_to_it() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let (point, hex, shown) = (
            lua.create_table().unwrap(),
            lua.create_table().unwrap(),
            lua.create_table().unwrap(),
        );
        let entrance = Entrance::of(&lua, &shared, (&point, &hex, &shown)).unwrap();
        let rule: Function = lua
            .load(
                "return function(game, unit, at, way, record)
                assert(game == nil and at.x == 3 and #way == 2 and record.names[1] == 'one')
                assert(table.isfrozen(way) and table.isfrozen(record.names))
                return { unit = unit, at = at }, 'why'
            end",
            )
            .eval()
            .unwrap();
        let at = Value::Point(Point::new(Length::from_um(3), Length::from_um(-4)));
        let way = Value::list([at.clone(), at.clone()]);
        let record = Value::record([("names", Value::list([Value::text("one")]))]);
        let args = [Value::Entity(EntityId(7)), at, way, record];
        let (first, second) = entrance.call(&shared, &rule, &args).unwrap().unwrap();
        let given = first.as_table().unwrap();
        assert!(given.get::<LuaValue>("unit").unwrap().is_light_userdata());
        assert_eq!(given.get::<Table>("at").unwrap().metatable(), Some(point));
        assert_eq!(second.to_string().unwrap(), "why");
        assert_eq!(entrance.shown(&shared, &args).unwrap().unwrap().len(), 5);

        // What fails in the rule is told; then others come in as before.
        let failing: Function = lua
            .load("return function() error('no') end")
            .eval()
            .unwrap();
        assert!(entrance.call(&shared, &failing, &args).unwrap().is_err());
        let dice = [
            Value::Die(Die::new(8).unwrap()),
            Value::List(Arc::from([Value::Bool(true)])),
        ];
        assert!(entrance.call(&shared, &failing, &dice).is_none());
        assert!(entrance.shown(&shared, &dice).is_none());
        assert!(entrance.call(&shared, &rule, &args).unwrap().is_ok());
    }
}
