//! Values of the machine, looked at where they lie: neither the machine nor the
//! binding has any part in it.
#![expect(
    unsafe_code,
    reason = "the machine is asked what its safe interface tells at greater cost"
)]

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::slice;

use kernel::geometry::{Hex, Point};
use kernel::value::{EntityId, Value};
use mlua::ffi::{self, lua_State};
use mlua::{LightUserData, Table, Value as LuaValue};

use crate::coordinates::{entries_at, hex_at, point_at, points_at};
use crate::values::entity_from_lua;

/// What the machine says of a value; `houserule_Cell` has the same form there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct MachineCell {
    sort: c_int,
    flag: c_int,
    number: f64,
    data: *const c_void,
    length: usize,
    meta: *const c_void,
}

impl MachineCell {
    const EMPTY: MachineCell = MachineCell {
        sort: ffi::LUA_TNIL,
        flag: 0,
        number: 0.0,
        data: std::ptr::null(),
        length: 0,
        meta: std::ptr::null(),
    };
}

unsafe extern "C-unwind" {
    fn houserule_table(table: *const c_void, found: *mut MachineCell);
    fn houserule_length(table: *const c_void) -> usize;
    fn houserule_item(table: *const c_void, index: c_int, found: *mut MachineCell);
    fn houserule_entry(
        table: *const c_void,
        iter: c_int,
        key: *mut MachineCell,
        found: *mut MachineCell,
    ) -> c_int;
}

/// A value of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeenValue<'a> {
    Nil,
    Bool(bool),
    Number(f64),
    Entity(EntityId),
    Text(&'a [u8]),
    Table(SeenTable<'a>),
    /// What is no data, by what it is called.
    Other(&'static str),
}

/// A table of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenTable<'a> {
    cell: MachineCell,
    held: PhantomData<&'a LuaValue>,
}

/// Looks at a value, which is held meanwhile. Whoever looks calls nothing in the
/// machine: it could change what is looked at, or let go of it.
pub(crate) fn look<T>(value: &LuaValue, at: impl FnOnce(SeenValue<'_>) -> T) -> T {
    let seen = match value {
        LuaValue::Nil => SeenValue::Nil,
        LuaValue::Boolean(yes) => SeenValue::Bool(*yes),
        LuaValue::Integer(n) => SeenValue::Number(*n as f64),
        LuaValue::Number(n) => SeenValue::Number(*n),
        LuaValue::LightUserData(data) => SeenValue::Entity(entity_from_lua(*data)),
        LuaValue::String(text) => return at(SeenValue::Text(&text.as_bytes())),
        LuaValue::Table(table) => SeenValue::Table(SeenTable::of(table)),
        other => SeenValue::Other(other.type_name()),
    };
    at(seen)
}

impl<'a> SeenValue<'a> {
    /// What lies at a place of a stack.
    ///
    /// # Safety
    /// Within a call of the machine, for as long as it lies there; whoever looks calls
    /// nothing in the machine.
    pub unsafe fn at(state: *mut lua_State, place: c_int) -> SeenValue<'a> {
        // Nothing here takes memory or raises; there is room for what is said of it.
        unsafe {
            match ffi::lua_type(state, place) {
                ffi::LUA_TNIL | ffi::LUA_TNONE => SeenValue::Nil,
                ffi::LUA_TBOOLEAN => SeenValue::Bool(ffi::lua_toboolean(state, place) != 0),
                ffi::LUA_TNUMBER => {
                    SeenValue::Number(ffi::lua_tonumberx(state, place, std::ptr::null_mut()))
                }
                ffi::LUA_TLIGHTUSERDATA => SeenValue::Entity(entity_from_lua(LightUserData(
                    ffi::lua_tolightuserdata(state, place),
                ))),
                ffi::LUA_TSTRING => {
                    let mut length = 0;
                    let text = ffi::lua_tolstring(state, place, &raw mut length);
                    SeenValue::Text(slice::from_raw_parts(text.cast::<u8>(), length))
                }
                ffi::LUA_TTABLE => {
                    SeenValue::Table(SeenTable::lying_at(ffi::lua_topointer(state, place)))
                }
                sort => SeenValue::of(MachineCell {
                    sort,
                    ..MachineCell::EMPTY
                }),
            }
        }
    }

    /// # Safety
    /// What the machine has said of a value in a table that is held for `'a`.
    unsafe fn of(cell: MachineCell) -> SeenValue<'a> {
        match cell.sort {
            ffi::LUA_TNIL => SeenValue::Nil,
            ffi::LUA_TBOOLEAN => SeenValue::Bool(cell.flag != 0),
            ffi::LUA_TNUMBER => SeenValue::Number(cell.number),
            ffi::LUA_TLIGHTUSERDATA => {
                SeenValue::Entity(entity_from_lua(LightUserData(cell.data.cast_mut())))
            }
            // A text lies where it is for as long as something holds it.
            ffi::LUA_TSTRING => SeenValue::Text(unsafe {
                slice::from_raw_parts(cell.data.cast::<u8>(), cell.length)
            }),
            ffi::LUA_TTABLE => SeenValue::Table(SeenTable {
                cell,
                held: PhantomData,
            }),
            ffi::LUA_TFUNCTION => SeenValue::Other("function"),
            ffi::LUA_TVECTOR => SeenValue::Other("vector"),
            ffi::LUA_TTHREAD => SeenValue::Other("thread"),
            ffi::LUA_TBUFFER => SeenValue::Other("buffer"),
            _ => SeenValue::Other("userdata"),
        }
    }
}

impl<'a> SeenTable<'a> {
    fn of(table: &'a Table) -> SeenTable<'a> {
        // The table is held.
        unsafe { SeenTable::lying_at(table.to_pointer()) }
    }

    /// # Safety
    /// Where a table lies that is held for `'a`.
    unsafe fn lying_at(table: *const c_void) -> SeenTable<'a> {
        let mut cell = MachineCell::EMPTY;
        // There is room for what is said of it.
        unsafe { houserule_table(table, &raw mut cell) };
        SeenTable {
            cell,
            held: PhantomData,
        }
    }

    /// How long it is as a list.
    pub fn length(self) -> usize {
        // As in `of`.
        unsafe { houserule_length(self.cell.data) }
    }

    /// How many entries hold something.
    pub fn entries(self) -> usize {
        unsafe { entries_at(self.cell.data) }
    }

    /// Whether it is nothing but a list.
    pub fn is_list(self) -> bool {
        self.entries() == self.length()
    }

    pub fn is_readonly(self) -> bool {
        self.cell.flag != 0
    }

    /// Whether it has a metatable, and that one.
    pub fn has_meta(self, meta: &Table) -> bool {
        !self.cell.meta.is_null() && self.cell.meta == meta.to_pointer()
    }

    /// An item of the list, by its number from 1 on.
    pub fn item(self, number: usize) -> SeenValue<'a> {
        let mut cell = MachineCell::EMPTY;
        // As in `of`; what it holds is held with it.
        unsafe {
            houserule_item(
                self.cell.data,
                c_int::try_from(number).unwrap_or(0),
                &raw mut cell,
            );
            SeenValue::of(cell)
        }
    }

    /// What it has under its keys.
    pub fn pairs(self) -> impl Iterator<Item = (SeenValue<'a>, SeenValue<'a>)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (mut key, mut value) = (MachineCell::EMPTY, MachineCell::EMPTY);
            // As in `item`.
            unsafe {
                next = houserule_entry(self.cell.data, next, &raw mut key, &raw mut value);
                (next >= 0).then(|| (SeenValue::of(key), SeenValue::of(value)))
            }
        })
    }

    /// What it has under a name.
    pub fn field(self, name: &str) -> SeenValue<'a> {
        let is_it =
            |key: &SeenValue<'_>| matches!(key, SeenValue::Text(text) if *text == name.as_bytes());
        self.pairs()
            .find(|(key, _)| is_it(key))
            .map_or(SeenValue::Nil, |(_, value)| value)
    }

    /// The point that it is.
    pub fn point(self) -> Option<Point> {
        unsafe { point_at(self.cell.data) }
    }

    /// The hex that it is.
    pub fn hex(self) -> Option<Hex> {
        unsafe { hex_at(self.cell.data) }
    }

    /// The points in it, if it is a list of nothing else.
    pub fn points(self) -> Option<Vec<Value>> {
        unsafe { points_at(self.cell.data, self.length()) }
    }
}
