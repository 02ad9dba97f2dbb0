//! Reading an attribute.

use std::ffi::{c_char, c_int, c_void};

use kernel::value::Value;
use mlua::ffi::{self, lua_State};

use super::{houserule_setwork, houserule_work, push, shared_of};
use crate::values::{EntityField, Immediate, entity_at, immediate};
use crate::vm::Shared;
use rules::limits::CHECKS_A_CALL;

/// An attribute that needs no help of the binding.
enum FoundAttribute {
    /// A plain value.
    Plain(Immediate),
    /// It was shown before, and lies at this place of what was shown.
    Shown(u32),
}

/// What the machine is told of an attribute; `houserule_Found` has the same form
/// there.
#[repr(C)]
pub(super) struct RawFound {
    number: f64,
    entity: *mut c_void,
    place: c_int,
}

/// Finds an attribute for the machine, before it calls anything.
pub(super) type FindAttribute = unsafe extern "C-unwind" fn(
    shared: *const c_void,
    entity: *mut c_void,
    name: *const c_char,
    found: *mut RawFound,
) -> c_int;

/// `entity.attribute`, if it can be read at once; 0 if not, else what it is.
pub(super) unsafe extern "C-unwind" fn find(
    shared: *const c_void,
    entity: *mut c_void,
    name: *const c_char,
    found: *mut RawFound,
) -> c_int {
    // The machine asks within a call, with what it was given and a place of its own.
    let (Some(shared), Some(found)) = (unsafe { shared.cast::<Shared>().as_ref() }, unsafe {
        found.as_mut()
    }) else {
        return 0;
    };
    match attribute(shared, entity.addr(), name.addr()) {
        None => 0,
        Some(FoundAttribute::Plain(Immediate::Nil)) => 1,
        Some(FoundAttribute::Plain(Immediate::Bool(yes))) => 2 + c_int::from(yes),
        Some(FoundAttribute::Plain(Immediate::Number(number))) => {
            found.number = number;
            4
        }
        Some(FoundAttribute::Plain(Immediate::Entity(address))) => {
            found.entity = std::ptr::without_provenance_mut(address);
            5
        }
        Some(FoundAttribute::Shown(place)) => {
            found.place = place as c_int;
            6
        }
    }
}

/// `entity.attribute`: plain values, and what was shown before, at once;
/// everything else by the function of the binding that is its second upvalue.
pub(super) unsafe extern "C-unwind" fn read(state: *mut lua_State) -> c_int {
    unsafe {
        let Some(shared) = shared_of(state) else {
            return slow(state);
        };
        if ffi::lua_type(state, 2) == ffi::LUA_TSTRING
            && ffi::lua_type(state, 1) == ffi::LUA_TLIGHTUSERDATA
        {
            let entity = ffi::lua_tolightuserdata(state, 1).addr();
            // The address by which the binding knows a text, too.
            let name = ffi::lua_tolstring(state, 2, std::ptr::null_mut()).addr();
            match attribute(shared, entity, name) {
                Some(FoundAttribute::Plain(value)) => {
                    push(state, value);
                    return 1;
                }
                Some(FoundAttribute::Shown(place)) => {
                    ffi::lua_rawgeti_(state, ffi::lua_upvalueindex(3), place as c_int);
                    return 1;
                }
                None => {}
            }
        }
        let before = houserule_work(state);
        let count = slow(state);
        if shared.kept.try_borrow().is_ok_and(|kept| kept.has_shown()) {
            // Who reads it next finds it: that it was not there costs nothing.
            houserule_setwork(state, before);
        }
        count
    }
}

/// Reads by the function of the binding.
///
/// # Safety
/// Within a call of [`read`].
unsafe fn slow(state: *mut lua_State) -> c_int {
    unsafe {
        ffi::lua_settop(state, 2);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(2));
        ffi::lua_insert(state, 1);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, 2, 1);
        1
    }
}

/// An attribute, if it can be read at once; it is paid.
fn attribute(shared: &Shared, entity: usize, name: usize) -> Option<FoundAttribute> {
    if !shared.is_running.get() || shared.stop.try_borrow().ok()?.is_some() {
        return None;
    }
    let game = shared.game.try_borrow().ok()?;
    let kept = shared.kept.try_borrow().ok()?;
    let entity = entity_at(entity);
    let kind = game.world().row(entity).ok()?.kind;
    let EntityField::Slot(slot) = kept.known(&game, kind, name)? else {
        return None;
    };
    // What cannot be read, and what cannot be paid, is a fault for the other.
    if shared.budget.get() <= CHECKS_A_CALL {
        return None;
    }
    let at_once = |value: &Value| match immediate(value) {
        Some(plain) => Some(FoundAttribute::Plain(plain)),
        None => kept.place_of(value).map(FoundAttribute::Shown),
    };
    // What is noted here, and read by the binding after all, is noted once.
    let found = at_once(game.get_slot(entity, slot).ok()?)?;
    shared.spend(CHECKS_A_CALL).ok()?;
    Some(found)
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::sync::Arc;

    use kernel::book::Book;
    use kernel::chance::Chance;
    use kernel::game::Game;
    use kernel::geometry::Length;
    use kernel::value::{Name, Type, Value};
    use kernel::world::{Attribute, FirstViewers, Kind, Schema};
    use mlua::{Function, LightUserData, Lua, LuaString, Table, Value as LuaValue};

    use crate::values::{entity_from_lua, entity_to_lua};
    use crate::vm::Shared;

    /// A game with one entity, whose attributes hold these values.
    pub(crate) fn game(attributes: &[(&str, Type, Value)]) -> Game {
        let mut kind = Kind::new("m.unit", "m");
        for (name, ty, value) in attributes {
            let attribute = Attribute {
                name: Arc::from(*name),
                ty: ty.clone(),
                default: value.clone(),
                viewers: FirstViewers::All,
                doc: Arc::from(""),
                is_bookkeeping: false,
                until: Arc::from([]),
                module: Arc::from("m"),
            };
            kind.extend(attribute).unwrap();
        }
        let mut schema = Schema::default();
        schema.declare(kind).unwrap();
        let book = Book {
            schema: Arc::new(schema),
            ..Book::default()
        };
        let table = (Length::inches(48), Length::inches(48));
        let sides: Arc<[Name]> = Arc::from([Name::from("red")]);
        let mut game = Game::new(Arc::new(book), sides, table, Chance::seeded(1));
        game.world_mut().create(0, "rifles", &[]).unwrap();
        game
    }

    /// A machine that reads attributes of one entity, and how often it called the
    /// binding for that.
    struct Reading {
        lua: Lua,
        read: Function,
        entity: LuaValue,
        calls: Rc<Cell<u32>>,
    }

    impl Reading {
        /// Over a game, with nothing looked up yet.
        fn new() -> Reading {
            let (lua, shared) = (Lua::new(), crate::vm::fresh());
            let attributes = [
                ("armour", Type::INT, Value::Int(4)),
                ("weapon", Type::Text, Value::text("rifle")),
            ];
            *shared.game.borrow_mut() = game(&attributes);
            shared.is_running.set(true);
            let entity = entity_to_lua(shared.game.borrow().world().find("rifles").unwrap());
            let (calls, shown) = (Rc::new(Cell::new(0)), lua.create_table().unwrap());
            let slow = binding(&lua, &shared, &shown, &calls);
            let read = super::super::reader(&lua, &shared, slow, &shown).unwrap();
            Reading {
                lua,
                read,
                entity,
                calls,
            }
        }

        fn ask(&self, name: &str) -> LuaValue {
            self.read.call((self.entity.clone(), name)).unwrap()
        }

        /// Has the binding look the names up, and show what is there.
        fn look_up(&self) {
            for name in ["armour", "weapon"] {
                assert!(self.ask(name).is_nil());
            }
            assert_eq!(self.calls.get(), 2);
        }
    }

    /// What the binding does: it looks the name up, and shows the value.
    fn binding(lua: &Lua, shared: &Rc<Shared>, shown: &Table, calls: &Rc<Cell<u32>>) -> Function {
        let (count, state, table) = (calls.clone(), shared.clone(), shown.clone());
        let slow = move |_: &Lua, (data, key): (LightUserData, LuaString)| {
            count.set(count.get() + 1);
            let game = state.game.borrow();
            let entity = entity_from_lua(data);
            let read = state
                .kept
                .borrow_mut()
                .read_of(&game, entity, &key)
                .unwrap();
            let crate::values::EntityField::Slot(slot) = read else {
                return Ok(LuaValue::Nil);
            };
            let value = game.get_slot(entity, slot).unwrap();
            if let Some(place) = state.kept.borrow_mut().show(value) {
                table.raw_set(place, "as it was shown")?;
            }
            Ok(LuaValue::Nil)
        };
        lua.create_function(slow).unwrap()
    }

    #[test]
    fn what_was_looked_up_and_shown_is_read_without_the_binding() {
        let reading = Reading::new();
        reading.look_up();
        assert_eq!(reading.ask("armour"), LuaValue::Number(4.0));
        assert_eq!(
            reading.ask("weapon"),
            LuaValue::String(reading.lua.create_string("as it was shown").unwrap())
        );
        assert_eq!(
            reading.calls.get(),
            2,
            "the binding was called for a name that it had looked up"
        );
    }

    #[test]
    fn the_machine_finds_it_before_it_looks_at_the_metatable() {
        let reading = Reading::new();
        reading.look_up();
        let lua = &reading.lua;
        let (meta, asked) = (lua.create_table().unwrap(), Rc::new(Cell::new(0)));
        let count = asked.clone();
        let index = move |_: &Lua, (_, _): (LightUserData, LuaString)| {
            count.set(count.get() + 1);
            Ok("of the metatable")
        };
        meta.set("__index", lua.create_function(index).unwrap())
            .unwrap();
        lua.set_type_metatable::<LightUserData>(Some(meta));
        let look: Function = lua
            .load("local e = ... return e.armour, e.weapon, e.title")
            .into_function()
            .unwrap();
        let found: (i64, String, String) = look.call(reading.entity.clone()).unwrap();
        assert_eq!(
            found,
            (4, "as it was shown".into(), "of the metatable".into())
        );
        assert_eq!(
            (reading.calls.get(), asked.get()),
            (2, 1),
            "a call was made for what is found without one"
        );
    }
}
