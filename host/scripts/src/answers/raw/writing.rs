//! Writing an attribute.

use std::ffi::c_int;
use std::rc::Rc;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua};

use super::calls::given;
use super::stack::Stack;
use super::{Functions, Machine, closure, houserule_setwork, houserule_work, shared_of};
use crate::vm::Shared;
use rules::contract::Entry;
use rules::contract::entities::WRITE;

/// The function that writes an attribute: plain values and texts at once,
/// everything else by `slow`, the function of the binding.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn writer(lua: &Lua, shared: &Rc<Shared>, slow: Function) -> mlua::Result<Function> {
    // The slow one owns a share: it is made over `shared`.
    let functions = Functions { address: Rc::as_ptr(shared), owner: slow };
    closure(lua, &functions, write, ())
}

unsafe extern "C-unwind" fn write(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        let before = houserule_work(state);
        if let Some(shared) = shared_of(state)
            && shared.stop.try_borrow().is_ok_and(|stop| stop.is_none())
        {
            let (budget, taken) = (shared.budget.get(), shared.budget.parts());
            if is_written(state, shared) {
                // It was paid for in checks.
                houserule_setwork(state, before);
                return 0;
            }
            shared.budget.set(budget);
            shared.budget.set_parts(taken);
            ffi::lua_settop(state, count);
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_insert(state, 1);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, count, 0);
        houserule_setwork(state, before);
        0
    }
}

/// Writes, if it can be done at once. Where it cannot, nothing is changed: what
/// is written is the last that the function of the contract does.
///
/// # Safety
/// Within a call of [`write`]. Of the stack an entity, a name and a value are
/// read, for which no names of fields are needed.
unsafe fn is_written(state: *mut lua_State, shared: &Shared) -> bool {
    let mut args = unsafe { Stack::new(state, shared, 1) };
    // Nothing is called in the machine meanwhile, so nothing can be raised.
    let earlier = shared.answers.caller.replace(Some(Machine(state)));
    let outcome = WRITE.call_with(&shared.running, &mut args);
    shared.answers.caller.set(earlier);
    given(shared, outcome).is_some()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use mlua::{Function, Lua, Value as LuaValue};

    use super::super::reading::tests::game;
    use super::writer;
    use crate::values::{Metatables, entity_to_lua, from_lua};
    use kernel::game::Guard;
    use kernel::value::{Type, Value};

    #[test]
    fn plain_values_are_written_without_the_binding() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let attributes = [("armour", Type::INT, Value::Int(4)), ("weapon", Type::Text, Value::text("rifle"))];
        *shared.game.borrow_mut() = game(&attributes);
        shared.game.borrow_mut().set_guard(Guard::STEP);
        let table = || lua.create_table().unwrap();
        let tables = Metatables { point: table(), hex: table(), die: table(), budget: shared.budget.clone() };
        *shared.tables.borrow_mut() = Some(Rc::new(tables));
        shared.is_running.set(true);
        shared.budget.set(10_000);
        let rifles = shared.game.borrow().world().find("rifles").unwrap();
        let calls = Rc::new(Cell::new(0));
        let count = calls.clone();
        let slow = lua.create_function(move |_: &Lua, _: mlua::MultiValue| {
            count.set(count.get() + 1);
            Ok(())
        });
        let write: Function = writer(&lua, &shared, slow.unwrap()).unwrap();
        let set = |name: &str, value: LuaValue| write.call::<()>((entity_to_lua(rifles), name, value));
        set("armour", LuaValue::Number(2.0)).unwrap();
        set("weapon", LuaValue::String(lua.create_string("bow").unwrap())).unwrap();
        assert_eq!(calls.get(), 0, "the binding was called for what can be read off the stack");
        let read = |name: &str| shared.game.borrow().world().read(rifles, name).unwrap().clone();
        assert_eq!((read("armour"), read("weapon")), (Value::Int(2), Value::text("bow")));

        // What does not fit, and what is no plain value, is left to the binding, unpaid.
        let left = shared.budget.get();
        set("armour", LuaValue::Number(1.5)).unwrap();
        set("weapon", LuaValue::Table(lua.create_table().unwrap())).unwrap();
        assert_eq!((calls.get(), shared.budget.get()), (2, left));
        assert_eq!(read("armour"), Value::Int(2));
    }

    #[test]
    fn points_and_lists_of_entities_are_written_without_the_binding() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let mates = Type::List(Type::Entity(None).into());
        let attributes = [
            ("at", Type::Optional(Type::Point.into()), Value::None),
            ("mates", mates, Value::List([].into())),
        ];
        *shared.game.borrow_mut() = game(&attributes);
        shared.game.borrow_mut().set_guard(Guard::STEP);
        let table = || lua.create_table().unwrap();
        let tables = Metatables { point: table(), hex: table(), die: table(), budget: shared.budget.clone() };
        shared.answers.metatables.set([tables.point.to_pointer().addr(), 0, 0]);
        let point = table();
        point.set("x", 7).unwrap();
        point.set("y", -3).unwrap();
        point.set_metatable(Some(tables.point.clone())).unwrap();
        let tables = Rc::new(tables);
        *shared.tables.borrow_mut() = Some(tables.clone());
        shared.is_running.set(true);
        shared.budget.set(10_000);
        let rifles = shared.game.borrow().world().find("rifles").unwrap();
        let calls = Rc::new(Cell::new(0));
        let count = calls.clone();
        let slow = lua.create_function(move |_: &Lua, _: mlua::MultiValue| {
            count.set(count.get() + 1);
            Ok(())
        });
        let write: Function = writer(&lua, &shared, slow.unwrap()).unwrap();
        let set = |name: &str, value: LuaValue| write.call::<()>((entity_to_lua(rifles), name, value));
        let both = lua.create_sequence_from([entity_to_lua(rifles), entity_to_lua(rifles)]).unwrap();
        for (name, ty, value) in [
            ("at", &attributes[0].1, LuaValue::Table(point)),
            ("mates", &attributes[1].1, LuaValue::Table(both.clone())),
            ("mates", &attributes[1].1, LuaValue::Table(table())),
        ] {
            let before = shared.budget.parts();
            set(name, value.clone()).unwrap();
            let parts = shared.budget.parts() - before;
            assert_eq!(calls.get(), 0, "the binding was called for what can be read off the stack");
            // It is the same value, and as many parts of one, as the binding makes of it.
            assert_eq!(
                *shared.game.borrow().world().read(rifles, name).unwrap(),
                from_lua(&tables, &value, ty).unwrap()
            );
            assert_eq!(shared.budget.parts() - before, 2 * parts, "{name}");
        }

        // Lists with anything else in them are left to the binding.
        both.set("leader", 1).unwrap();
        set("mates", LuaValue::Table(both)).unwrap();
        set("mates", LuaValue::Table(lua.create_sequence_from([1, 2]).unwrap())).unwrap();
        assert_eq!(calls.get(), 2);
    }
}
