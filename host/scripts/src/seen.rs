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
use mlua::{LightUserData, Table, Value as LuaValue, ffi};

use crate::coordinates::{entries_at, hex_at, point_at, points_at};
use crate::values::entity_from_lua;

/// What the machine says of a value; `houserule_Cell` has the same form there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Cell {
    sort: c_int,
    flag: c_int,
    number: f64,
    data: *const c_void,
    length: usize,
    meta: *const c_void,
}

impl Cell {
    const EMPTY: Cell = Cell {
        sort: ffi::LUA_TNIL,
        flag: 0,
        number: 0.0,
        data: std::ptr::null(),
        length: 0,
        meta: std::ptr::null(),
    };
}

unsafe extern "C-unwind" {
    fn houserule_table(table: *const c_void, found: *mut Cell);
    fn houserule_length(table: *const c_void) -> usize;
    fn houserule_item(table: *const c_void, index: c_int, found: *mut Cell);
    fn houserule_entry(
        table: *const c_void,
        iter: c_int,
        key: *mut Cell,
        found: *mut Cell,
    ) -> c_int;
}

/// A value of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
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
    cell: Cell,
    held: PhantomData<&'a LuaValue>,
}

/// Looks at a value, which is held meanwhile. Whoever looks calls nothing in the
/// machine: it could change what is looked at, or let go of it.
pub(crate) fn look<T>(value: &LuaValue, at: impl FnOnce(Seen<'_>) -> T) -> T {
    let seen = match value {
        LuaValue::Nil => Seen::Nil,
        LuaValue::Boolean(yes) => Seen::Bool(*yes),
        LuaValue::Integer(n) => Seen::Number(*n as f64),
        LuaValue::Number(n) => Seen::Number(*n),
        LuaValue::LightUserData(data) => Seen::Entity(entity_from_lua(*data)),
        LuaValue::String(text) => return at(Seen::Text(&text.as_bytes())),
        LuaValue::Table(table) => Seen::Table(SeenTable::of(table)),
        other => Seen::Other(other.type_name()),
    };
    at(seen)
}

impl<'a> Seen<'a> {
    /// # Safety
    /// What the machine has said of a value in a table that is held for `'a`.
    unsafe fn of(cell: Cell) -> Seen<'a> {
        match cell.sort {
            ffi::LUA_TNIL => Seen::Nil,
            ffi::LUA_TBOOLEAN => Seen::Bool(cell.flag != 0),
            ffi::LUA_TNUMBER => Seen::Number(cell.number),
            ffi::LUA_TLIGHTUSERDATA => {
                Seen::Entity(entity_from_lua(LightUserData(cell.data.cast_mut())))
            }
            // A text lies where it is for as long as something holds it.
            ffi::LUA_TSTRING => {
                Seen::Text(unsafe { slice::from_raw_parts(cell.data.cast::<u8>(), cell.length) })
            }
            ffi::LUA_TTABLE => Seen::Table(SeenTable {
                cell,
                held: PhantomData,
            }),
            ffi::LUA_TFUNCTION => Seen::Other("function"),
            ffi::LUA_TVECTOR => Seen::Other("vector"),
            ffi::LUA_TTHREAD => Seen::Other("thread"),
            ffi::LUA_TBUFFER => Seen::Other("buffer"),
            _ => Seen::Other("userdata"),
        }
    }
}

impl<'a> SeenTable<'a> {
    fn of(table: &'a Table) -> SeenTable<'a> {
        let mut cell = Cell::EMPTY;
        // The table is held, and there is room for what is said of it.
        unsafe { houserule_table(table.to_pointer(), &raw mut cell) };
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
    pub fn item(self, number: usize) -> Seen<'a> {
        let mut cell = Cell::EMPTY;
        // As in `of`; what it holds is held with it.
        unsafe {
            houserule_item(
                self.cell.data,
                c_int::try_from(number).unwrap_or(0),
                &raw mut cell,
            );
            Seen::of(cell)
        }
    }

    /// What it has under its keys.
    pub fn pairs(self) -> impl Iterator<Item = (Seen<'a>, Seen<'a>)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (mut key, mut value) = (Cell::EMPTY, Cell::EMPTY);
            // As in `item`.
            unsafe {
                next = houserule_entry(self.cell.data, next, &raw mut key, &raw mut value);
                (next >= 0).then(|| (Seen::of(key), Seen::of(value)))
            }
        })
    }

    /// What it has under a name.
    pub fn field(self, name: &str) -> Seen<'a> {
        let is_it = |key: &Seen<'_>| matches!(key, Seen::Text(text) if *text == name.as_bytes());
        self.pairs()
            .find(|(key, _)| is_it(key))
            .map_or(Seen::Nil, |(_, value)| value)
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
