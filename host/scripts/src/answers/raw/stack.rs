//! Arguments of a function of the contract, read off the stack of the machine.
//!
//! Nothing here makes anything in the machine or calls it, so nothing can be
//! raised while the game is held. What is given in a form that is not read here
//! is left to the function of the binding, which also says what is wrong.

use std::ffi::c_int;
use std::rc::Rc;
use std::slice;

use kernel::chits::Worths;
use kernel::deck::End;
use kernel::dice::Die;
use kernel::error::{Fault, FaultCode};
use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{EntityId, Mismatch, Name, Type, Value};
use mlua::ffi::{self, lua_State};
use mlua::{LightUserData, Value as LuaValue};

use crate::coordinates::{entries_at, pair_at, whole_number};
use crate::taking::{MOST_PARTS, SHORT_TEXT, from_lua, text_parts};
use crate::values::{Metatables, entity_at};
use crate::vm::Shared;
use rules::contract::places::{
    Area, Corners, Costs, HexWhere, LaidTemplate, Obstacles, Outline, Paid, Priced, RowOf, Tops,
    Where,
};
use rules::contract::types::{
    Arguments, AudienceSpec, DeckRef, Drawing, Loose, QuestionSpec, Untyped,
};

type Read<T> = Result<T, Fault>;

/// The places of metatables among those that the host knows.
const POINT: usize = 0;
const HEX: usize = 1;

/// No function takes more arguments.
const MOST: c_int = 6;

/// Names of fields, by their places among the upvalues of a function.
#[derive(Clone, Copy)]
pub(super) enum FieldName {
    X,
    Y,
    Q,
    R,
    Shape,
    Base,
    Top,
    Polygon,
    Line,
    HalfWidth,
    Centre,
    Radius,
}

impl FieldName {
    /// Their names, in their order.
    pub const NAMES: [&str; 12] = [
        "x",
        "y",
        "q",
        "r",
        "shape",
        "base",
        "top",
        "polygon",
        "line",
        "half_width",
        "centre",
        "radius",
    ];

    /// The place of the first of them among the upvalues.
    pub const FIRST: c_int = 6;

    pub fn place(self) -> c_int {
        ffi::lua_upvalueindex(FieldName::FIRST + self as c_int)
    }
}

/// The arguments of a call, and which of them comes next.
pub(super) struct Stack<'a> {
    state: *mut lua_State,
    shared: &'a Shared,
    next: c_int,
    /// Where the list lies that was read last.
    pub last_list: Option<c_int>,
}

/// What is not read here.
fn left() -> Fault {
    Fault::new(FaultCode::WrongType, String::new())
}

impl<'a> Stack<'a> {
    /// The arguments from a place of the stack on.
    ///
    /// # Safety
    /// To be used within the call whose stack it is, of a function with the
    /// names of fields among its upvalues.
    pub unsafe fn new(state: *mut lua_State, shared: &'a Shared, first: c_int) -> Stack<'a> {
        // What is left out is nil.
        unsafe { ffi::lua_settop(state, ffi::lua_gettop(state).max(first + MOST)) };
        Stack {
            state,
            shared,
            next: first,
            last_list: None,
        }
    }

    fn take(&mut self) -> c_int {
        self.next += 1;
        self.next - 1
    }

    fn sort(&self, at: c_int) -> c_int {
        unsafe { ffi::lua_type(self.state, at) }
    }

    fn number(&self, at: c_int) -> Read<i64> {
        if self.sort(at) != ffi::LUA_TNUMBER {
            return Err(left());
        }
        let number = unsafe { ffi::lua_tonumberx(self.state, at, std::ptr::null_mut()) };
        whole_number(number).ok_or_else(left)
    }

    fn small<T: TryFrom<i64>>(&self, at: c_int) -> Read<T> {
        T::try_from(self.number(at)?).map_err(|_| left())
    }

    fn length_at(&self, at: c_int) -> Read<Length> {
        self.number(at).map(Length::from_um)
    }

    fn text_at(&self, at: c_int) -> Read<Name> {
        if self.sort(at) != ffi::LUA_TSTRING {
            return Err(left());
        }
        let mut length = 0;
        // The text is the machine's, and lies there for as long as it is on the stack.
        let bytes = unsafe {
            let start = ffi::lua_tolstring(self.state, at, &raw mut length);
            slice::from_raw_parts(start.cast::<u8>(), length)
        };
        std::str::from_utf8(bytes)
            .map(Name::from)
            .map_err(|_| left())
    }

    fn entity_at(&self, at: c_int) -> EntityId {
        entity_at(unsafe { ffi::lua_tolightuserdata(self.state, at) }.addr())
    }

    /// Which of the host's metatables a table has: 0 for none.
    fn form(&self, at: c_int) -> Read<usize> {
        unsafe {
            if ffi::lua_getmetatable(self.state, at) == 0 {
                return Ok(0);
            }
            let meta = ffi::lua_topointer(self.state, -1).addr();
            ffi::lua_settop(self.state, -2);
            let known = self.shared.answers.metatables.get();
            known
                .iter()
                .position(|one| *one == meta)
                .map(|place| place + 1)
                .ok_or_else(left)
        }
    }

    /// Reads a field of a table without a metatable, or with one of the host's
    /// own; it lies uppermost on the stack while it is read.
    fn field<T>(
        &self,
        table: c_int,
        field: FieldName,
        read: impl FnOnce(&Self, c_int) -> Read<T>,
    ) -> Read<T> {
        unsafe {
            ffi::lua_pushvalue(self.state, field.place());
            ffi::lua_rawget(self.state, table);
            let top = ffi::lua_gettop(self.state);
            let found = read(self, top);
            ffi::lua_settop(self.state, top - 1);
            found
        }
    }

    /// The two whole numbers of a table with one of the host's metatables.
    fn pair(&self, at: c_int, form: usize, names: [char; 2]) -> Read<[i64; 2]> {
        let meta = self.shared.answers.metatables.get()[form];
        if meta == 0 || !self.is_table(at) {
            return Err(left());
        }
        // It lies on the stack meanwhile.
        unsafe { pair_at(ffi::lua_topointer(self.state, at), meta, names) }.ok_or_else(left)
    }

    /// A table that is a point, or a list of nothing but entities.
    fn point_or_entities(&self, at: c_int) -> Read<Simple> {
        if let Ok([x, y]) = self.pair(at, POINT, ['x', 'y']) {
            let point = Point::checked(Length::from_um(x), Length::from_um(y));
            return point.map(Simple::Point).ok_or_else(left);
        }
        let length = self.length_of(self.plain_table(at)?)?;
        // It lies on the stack meanwhile.
        let entries = unsafe { entries_at(ffi::lua_topointer(self.state, at)) };
        if length > MOST_PARTS as usize || entries != length {
            return Err(left());
        }
        let entity = |stack: &Self, at: c_int| match stack.sort(at) {
            ffi::LUA_TLIGHTUSERDATA => Ok(Value::Entity(stack.entity_at(at))),
            _ => Err(left()),
        };
        self.items(at, length, entity)
            .collect::<Read<Vec<Value>>>()
            .map(Simple::Entities)
    }

    fn is_table(&self, at: c_int) -> bool {
        self.sort(at) == ffi::LUA_TTABLE
    }

    /// A table that is nothing but a table.
    fn plain_table(&self, at: c_int) -> Read<c_int> {
        if self.is_table(at) && self.form(at)? == 0 {
            Ok(at)
        } else {
            Err(left())
        }
    }

    fn place_at(&self, at: c_int) -> Read<Where> {
        match self.sort(at) {
            ffi::LUA_TLIGHTUSERDATA => Ok(Where::Of(self.entity_at(at))),
            _ => {
                let [x, y] = self.pair(at, POINT, ['x', 'y'])?;
                Point::checked(Length::from_um(x), Length::from_um(y))
                    .map(Where::At)
                    .ok_or_else(left)
            }
        }
    }

    fn hex_at(&self, at: c_int) -> Read<HexWhere> {
        match self.sort(at) {
            ffi::LUA_TLIGHTUSERDATA => Ok(HexWhere::Of(self.entity_at(at))),
            _ => {
                let [q, r] = self.pair(at, HEX, ['q', 'r'])?;
                Hex::checked(q, r).map(HexWhere::At).ok_or_else(left)
            }
        }
    }

    /// A list that is paid for before it is read.
    fn list<T: Priced>(
        &self,
        table: c_int,
        read: impl Fn(&Self, c_int) -> Read<T>,
    ) -> Read<Paid<T>> {
        let length = self.length_of(table)?;
        Paid::read(
            &self.shared.running,
            length,
            self.items(table, length, read),
        )
    }

    fn length_of(&self, table: c_int) -> Read<usize> {
        unsafe {
            if ffi::lua_checkstack(self.state, 16) == 0 {
                return Err(left());
            }
            Ok(ffi::lua_objlen(self.state, table))
        }
    }

    fn items<T>(
        &self,
        table: c_int,
        length: usize,
        read: impl Fn(&Self, c_int) -> Read<T>,
    ) -> impl Iterator<Item = Read<T>> {
        (1..=length).map(move |i| unsafe {
            ffi::lua_rawgeti_(self.state, table, i as c_int);
            let top = ffi::lua_gettop(self.state);
            let item = read(self, top);
            ffi::lua_settop(self.state, top - 1);
            item
        })
    }

    fn area_at(&self, at: c_int) -> Read<Area> {
        self.plain_table(at)?;
        let address = unsafe { ffi::lua_topointer(self.state, at) }.addr();
        let cell = self
            .shared
            .kept
            .try_borrow()
            .map_err(|_| left())?
            .shape_at(address);
        match cell.as_ref().and_then(|cell| cell.get()) {
            Some(shape) => Ok(Area::Measured(shape.clone())),
            None => Ok(Area::Described(self.outline(at)?, cell)),
        }
    }

    fn outline(&self, table: c_int) -> Read<Outline> {
        let corners = self.field(table, FieldName::Polygon, |from, at| {
            if !from.is_table(at) {
                return Ok(None);
            }
            let length = from.length_of(at)?;
            let items = from.items(at, length, Stack::place_at);
            Corners::read(&from.shared.running, length, items).map(Some)
        })?;
        if let Some(corners) = corners {
            return Ok(Outline::Polygon(corners));
        }
        let line = self.field(table, FieldName::Line, |from, at| match from.is_table(at) {
            true => from.list(at, Stack::place_at).map(Some),
            false => Ok(None),
        })?;
        if let Some(line) = line {
            return Ok(Outline::Line(
                line,
                self.field(table, FieldName::HalfWidth, Stack::length_at)?,
            ));
        }
        let centre = self.field(table, FieldName::Centre, Stack::place_at)?;
        Ok(Outline::Disc(
            centre,
            self.field(table, FieldName::Radius, Stack::length_at)?,
        ))
    }

    fn obstacle_at(&self, at: c_int) -> Read<RowOf<(Area, Length, Length)>> {
        self.plain_table(at)?;
        let or_zero = |from: &Self, at| match from.sort(at) {
            ffi::LUA_TNIL => Ok(Length::ZERO),
            _ => from.length_at(at),
        };
        let base = self.field(at, FieldName::Base, or_zero)?;
        let top = self.field(at, FieldName::Top, Stack::length_at)?;
        Ok(RowOf((
            self.field(at, FieldName::Shape, Stack::area_at)?,
            base,
            top,
        )))
    }
}

/// A value that holds no part of the machine.
enum Simple {
    Plain(LuaValue),
    Text(Name),
    Point(Point),
    Entities(Vec<Value>),
}

/// Such a value, to be held against a type.
struct Offered {
    value: Simple,
    tables: Rc<Metatables>,
}

impl Loose for Offered {
    fn fit(&self, ty: &Type) -> Result<Value, Mismatch> {
        let part = match &self.value {
            Simple::Plain(value) => return from_lua(&self.tables, value, ty),
            Simple::Text(text) => text_parts(text.len()),
            Simple::Point(_) | Simple::Entities(_) => 1,
        };
        // As often as a value is looked at on its way, so often it counts.
        let mut parts = part;
        let mut inner = ty;
        while let Type::Optional(of) = inner {
            inner = of;
            parts += part;
        }
        let value = match (&self.value, inner) {
            (Simple::Text(text), Type::Text | Type::Id | Type::Enum(_) | Type::Any) => {
                Some(Value::Text(text.clone()))
            }
            (Simple::Point(point), Type::Point | Type::Any) => Some(Value::Point(*point)),
            (Simple::Entities(all), Type::List(of)) if matches!(**of, Type::Entity(_)) => {
                parts += all.len() as u64;
                Some(Value::List(all.as_slice().into()))
            }
            _ => None,
        };
        self.tables.budget.add_parts(parts);
        // What does not fit is said by the binding.
        let left = || Mismatch {
            place: String::new(),
            expected: String::new(),
            found: String::new(),
        };
        value
            .filter(|_| parts <= u64::from(MOST_PARTS))
            .ok_or_else(left)
    }
}

impl Arguments for Stack<'_> {
    fn is_nothing(&mut self) -> bool {
        let is_nothing = self.sort(self.next) == ffi::LUA_TNIL;
        self.next += c_int::from(is_nothing);
        is_nothing
    }

    fn text(&mut self) -> Read<Name> {
        let at = self.take();
        // What is longer is paid for, by the binding.
        let is_long = self.sort(at) == ffi::LUA_TSTRING
            && unsafe { ffi::lua_objlen(self.state, at) } > SHORT_TEXT;
        if is_long {
            return Err(left());
        }
        self.text_at(at)
    }

    fn whole(&mut self, _: &str) -> Read<i64> {
        let at = self.take();
        self.number(at)
    }

    fn count(&mut self, _: &str) -> Read<u32> {
        let at = self.take();
        self.small(at)
    }

    fn entity(&mut self) -> Read<EntityId> {
        let at = self.take();
        if self.sort(at) == ffi::LUA_TLIGHTUSERDATA {
            Ok(self.entity_at(at))
        } else {
            Err(left())
        }
    }

    fn length(&mut self) -> Read<Length> {
        let at = self.take();
        self.length_at(at)
    }

    fn direction(&mut self) -> Read<Direction> {
        let at = self.take();
        self.small(at).map(Direction::from_minutes)
    }

    fn angle(&mut self) -> Read<Angle> {
        let at = self.take();
        self.small(at).map(Angle::from_minutes)
    }

    fn place(&mut self) -> Read<Where> {
        let at = self.take();
        self.place_at(at)
    }

    fn places(&mut self) -> Read<Paid<Where>> {
        let at = self.take();
        self.plain_table(at)?;
        let places = self.list(at, Stack::place_at)?;
        self.last_list = Some(at);
        Ok(places)
    }

    fn area(&mut self) -> Read<Area> {
        let at = self.take();
        self.area_at(at)
    }

    fn areas(&mut self) -> Read<Paid<Area>> {
        let at = self.take();
        self.plain_table(at)?;
        self.list(at, Stack::area_at)
    }

    fn obstacles(&mut self) -> Read<Obstacles> {
        let at = self.take();
        self.plain_table(at)?;
        self.list(at, Stack::obstacle_at).map(Obstacles)
    }

    fn hex(&mut self) -> Read<HexWhere> {
        let at = self.take();
        self.hex_at(at)
    }

    fn hexes(&mut self) -> Read<Paid<HexWhere>> {
        let at = self.take();
        self.plain_table(at)?;
        self.list(at, Stack::hex_at)
    }

    fn untyped(&mut self) -> Read<Untyped> {
        let (at, state) = (self.take(), self.state);
        let value = unsafe {
            match self.sort(at) {
                ffi::LUA_TNIL => Simple::Plain(LuaValue::Nil),
                ffi::LUA_TBOOLEAN => {
                    Simple::Plain(LuaValue::Boolean(ffi::lua_toboolean(state, at) != 0))
                }
                ffi::LUA_TNUMBER => {
                    let number = ffi::lua_tonumberx(state, at, std::ptr::null_mut());
                    Simple::Plain(LuaValue::Number(number))
                }
                ffi::LUA_TLIGHTUSERDATA => {
                    let data = LightUserData(ffi::lua_tolightuserdata(state, at));
                    Simple::Plain(LuaValue::LightUserData(data))
                }
                ffi::LUA_TSTRING => Simple::Text(self.text_at(at)?),
                ffi::LUA_TTABLE => self.point_or_entities(at)?,
                _ => return Err(left()),
            }
        };
        let tables = self.shared.tables().map_err(|_| left())?;
        Ok(Untyped(Box::new(Offered { value, tables })))
    }

    // What is asked seldom, or means more than reading, is left.

    fn template(&mut self) -> Read<LaidTemplate> {
        Err(left())
    }

    fn costs(&mut self) -> Read<Costs> {
        Err(left())
    }

    fn tops(&mut self) -> Read<Tops> {
        Err(left())
    }

    fn die(&mut self) -> Read<Die> {
        Err(left())
    }

    fn dice(&mut self) -> Read<Paid<Die>> {
        Err(left())
    }

    fn audience(&mut self) -> Read<AudienceSpec> {
        Err(left())
    }

    fn drawing(&mut self) -> Read<Drawing> {
        Err(left())
    }

    fn end(&mut self) -> Read<End> {
        Err(left())
    }

    fn deck(&mut self) -> Read<DeckRef> {
        Err(left())
    }

    fn cards(&mut self) -> Read<Paid<Name>> {
        Err(left())
    }

    fn worths(&mut self) -> Read<Worths> {
        Err(left())
    }

    fn rest(&mut self) -> Read<Vec<Untyped>> {
        Err(left())
    }

    fn fields(&mut self) -> Read<Vec<(Name, Untyped)>> {
        Err(left())
    }

    fn record(&mut self) -> Read<Untyped> {
        Err(left())
    }

    fn asking(&mut self) -> Read<QuestionSpec> {
        Err(left())
    }
}
