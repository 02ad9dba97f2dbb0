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
    let functions = Functions {
        address: Rc::as_ptr(shared),
        owner: slow,
    };
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

    use mlua::{Function, Lua, Table, Value as LuaValue};

    use super::super::reading::tests::game;
    use super::writer;
    use crate::taking::from_lua;
    use crate::values::{Metatables, entity_to_lua};
    use crate::vm::Shared;
    use kernel::game::Guard;
    use kernel::value::{EntityId, Type, Value};

    type Attribute = (&'static str, Type, Value);

    /// A machine with rifles of these attributes, what writes them, and how often
    /// that was left to the binding.
    struct Writing {
        shared: Rc<Shared>,
        tables: Rc<Metatables>,
        write: Function,
        left: Rc<Cell<u32>>,
        rifles: EntityId,
        lua: Lua,
    }

    impl Writing {
        fn of(attributes: &[Attribute]) -> Writing {
            let (lua, shared) = (Lua::new(), crate::vm::fresh());
            *shared.game.borrow_mut() = game(attributes);
            shared.game.borrow_mut().set_guard(Guard::STEP);
            let table = || lua.create_table().unwrap();
            let [point, hex, die] = [table(), table(), table()];
            let tables = Rc::new(Metatables {
                point,
                hex,
                die,
                budget: shared.budget.clone(),
            });
            shared
                .answers
                .metatables
                .set([tables.point.to_pointer().addr(), 0, 0]);
            *shared.tables.borrow_mut() = Some(tables.clone());
            shared.is_running.set(true);
            shared.budget.set(10_000);
            let rifles = shared.game.borrow().world().find("rifles").unwrap();
            let left = Rc::new(Cell::new(0));
            let count = left.clone();
            let slow = lua.create_function(move |_: &Lua, _: mlua::MultiValue| {
                count.set(count.get() + 1);
                Ok(())
            });
            let write = writer(&lua, &shared, slow.unwrap()).unwrap();
            Writing {
                shared,
                tables,
                write,
                left,
                rifles,
                lua,
            }
        }

        fn set(&self, name: &str, value: LuaValue) {
            self.write
                .call::<()>((entity_to_lua(self.rifles), name, value))
                .unwrap();
        }

        fn read(&self, name: &str) -> Value {
            self.shared
                .game
                .borrow()
                .world()
                .read(self.rifles, name)
                .unwrap()
                .clone()
        }

        fn table(&self) -> Table {
            self.lua.create_table().unwrap()
        }
    }

    #[test]
    fn plain_values_are_written_without_the_binding() {
        let rifles = Writing::of(&[
            ("armour", Type::INT, Value::Int(4)),
            ("weapon", Type::Text, Value::text("rifle")),
        ]);
        rifles.set("armour", LuaValue::Number(2.0));
        rifles.set(
            "weapon",
            LuaValue::String(rifles.lua.create_string("bow").unwrap()),
        );
        assert_eq!(
            rifles.left.get(),
            0,
            "the binding was called for what can be read off the stack"
        );
        assert_eq!(
            (rifles.read("armour"), rifles.read("weapon")),
            (Value::Int(2), Value::text("bow"))
        );

        // What does not fit, and what is no plain value, is left to the binding, unpaid.
        let budget = rifles.shared.budget.get();
        rifles.set("armour", LuaValue::Number(1.5));
        rifles.set("weapon", LuaValue::Table(rifles.table()));
        assert_eq!((rifles.left.get(), rifles.shared.budget.get()), (2, budget));
        assert_eq!(rifles.read("armour"), Value::Int(2));
    }

    #[test]
    fn points_and_lists_of_entities_are_written_without_the_binding() {
        let (place, mates) = (
            Type::Optional(Type::Point.into()),
            Type::List(Type::Entity(None).into()),
        );
        let rifles = Writing::of(&[
            ("at", place.clone(), Value::None),
            ("mates", mates.clone(), Value::List([].into())),
        ]);
        let point = rifles.table();
        point.set("x", 7).unwrap();
        point.set("y", -3).unwrap();
        point
            .set_metatable(Some(rifles.tables.point.clone()))
            .unwrap();
        let both = [entity_to_lua(rifles.rifles), entity_to_lua(rifles.rifles)];
        let both = rifles.lua.create_sequence_from(both).unwrap();
        for (name, ty, value) in [
            ("at", &place, LuaValue::Table(point)),
            ("mates", &mates, LuaValue::Table(both.clone())),
            ("mates", &mates, LuaValue::Table(rifles.table())),
        ] {
            let before = rifles.shared.budget.parts();
            rifles.set(name, value.clone());
            let parts = rifles.shared.budget.parts() - before;
            assert_eq!(
                rifles.left.get(),
                0,
                "the binding was called for what can be read off the stack"
            );
            // It is the same value, and as many parts of one, as the binding makes of it.
            assert_eq!(
                rifles.read(name),
                from_lua(&rifles.tables, &value, ty).unwrap()
            );
            assert_eq!(rifles.shared.budget.parts() - before, 2 * parts, "{name}");
        }

        // Lists with anything else in them are left to the binding.
        both.set("leader", 1).unwrap();
        rifles.set("mates", LuaValue::Table(both));
        rifles.set(
            "mates",
            LuaValue::Table(rifles.lua.create_sequence_from([1, 2]).unwrap()),
        );
        assert_eq!(rifles.left.get(), 2);
    }
}
