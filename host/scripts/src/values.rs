//! Values on their way into Luau; `taking` has those on their way out.
//!
//! Lengths, angles and directions are plain numbers there (micrometres,
//! minutes of arc), so that rules can add and compare them; points and dice
//! are frozen tables with a metatable; entities are light userdata.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use kernel::chits::Worths;
use kernel::dice::Die;
use kernel::error::Fault;
use kernel::game::Game;
use kernel::geometry::{Hex, Point, Shape};
use kernel::value::{EntityId, Value};
use kernel::world::Schema;
use mlua::{LightUserData, Lua, LuaString, Table, Value as LuaValue};
use rustc_hash::FxHashMap;

use crate::recent::{Recent, RecentKey, SPREAD};
use rules::limits::Budget;

/// The metatables of the tables that stand for kernel values.
#[derive(Clone, Debug)]
pub struct Metatables {
    pub(crate) point: Table,
    pub(crate) hex: Table,
    pub(crate) die: Table,
    /// Where it is noted how many parts of values were taken out.
    pub(crate) budget: Rc<Budget>,
}

/// What a script reads when it indexes an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EntityField {
    /// Its name.
    Name,
    /// Its kind.
    Kind,
    /// An attribute, by slot.
    Slot(u16),
}

/// Lists and records that were read lately, and more of them than this are
/// forgotten before the next call from the kernel.
const MOST_KEPT: usize = 4096;

/// The same of tables that say what chits are worth.
const MOST_WORTHS: usize = 256;

/// What tells a value that was shown from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ShownKey {
    /// Where a text, a list or a record lies, which is held. What is empty may lie
    /// where something empty of another sort lies.
    Text(usize),
    List(usize),
    Map(usize),
    Point(Point),
    Hex(Hex),
}

impl ShownKey {
    /// What tells a value from others; `None` for one that is plain, or that is
    /// shown anew each time.
    fn of(value: &Value) -> Option<ShownKey> {
        Some(match value {
            Value::Text(text) => ShownKey::Text(Arc::as_ptr(text).addr()),
            Value::List(items) => ShownKey::List(Arc::as_ptr(items).addr()),
            Value::Map(map) => ShownKey::Map(Arc::as_ptr(map).addr()),
            Value::Point(point) => ShownKey::Point(*point),
            Value::Hex(hex) => ShownKey::Hex(*hex),
            _ => return None,
        })
    }
}

impl RecentKey for ShownKey {
    fn mixed(self) -> u64 {
        let (first, second) = match self {
            ShownKey::Text(address) | ShownKey::List(address) | ShownKey::Map(address) => {
                (address as u64, 0)
            }
            ShownKey::Point(point) => (point.x().um() as u64, point.y().um() as u64),
            ShownKey::Hex(hex) => (hex.q() as u64, hex.r() as u64),
        };
        (first.wrapping_mul(SPREAD) ^ second).wrapping_mul(SPREAD)
    }
}

/// What need not be looked up or turned into Luau again.
///
/// All of it follows from the values themselves, so that a script cannot tell
/// whether something was kept. Within one call from the kernel nothing is
/// forgotten: the same list, read twice, is the same table both times.
#[derive(Debug, Default)]
pub(crate) struct ValueCache {
    /// Slots of attributes, by kind and the address of the name in the
    /// machine; the names are held, so that no address comes again.
    reads: FxHashMap<(u16, usize), EntityField>,
    /// Those of them that were asked for last, each at a place of its own.
    recent: Recent<(u16, usize), EntityField>,
    names: Vec<LuaString>,
    schema: Option<Arc<Schema>>,
    /// What was shown as an attribute: its place in the table of the machine
    /// that holds it as scripts see it.
    shown: FxHashMap<ShownKey, u32>,
    /// Those of them that were asked for last.
    recently_shown: Recent<ShownKey, u32>,
    /// The same values, held so that no address comes again.
    held: Vec<Value>,
    /// Whether the last attribute that was read is there now.
    has_shown: bool,
    /// Tables by the address of the list or record that they show, which is
    /// held too.
    tables: FxHashMap<usize, (Value, Table)>,
    /// Shapes by the address of such a table; empty until it is measured.
    shapes: FxHashMap<usize, Rc<OnceCell<Rc<Shape>>>>,
    /// What chits are worth, by the address of a table that says so and that
    /// nobody can change; it is held, so that its address does not come again.
    /// With it, how many parts were taken out: who reads it again pays again.
    worths: FxHashMap<usize, (Table, Worths, u64)>,
}

impl ValueCache {
    /// What a key reads of an entity.
    ///
    /// # Errors
    /// When the entity is not there, or its kind has no such attribute.
    pub fn read_of(
        &mut self,
        game: &Game,
        entity: EntityId,
        key: &LuaString,
    ) -> Result<EntityField, Fault> {
        let world = game.world();
        if !self
            .schema
            .as_ref()
            .is_some_and(|schema| Arc::ptr_eq(schema, world.schema()))
        {
            self.schema = Some(world.schema().clone());
            self.reads.clear();
            self.recent = Recent::default();
            self.names.clear();
        }
        let kind = world.row(entity)?.kind;
        let place = (kind, key.to_pointer().addr());
        if let Some(read) = self.reads.get(&place) {
            return Ok(*read);
        }
        let read = match &*key.to_string_lossy() {
            "name" => EntityField::Name,
            "kind" => EntityField::Kind,
            name => EntityField::Slot(world.schema().kind(kind).require(name)?),
        };
        self.names.push(key.clone());
        self.reads.insert(place, read);
        Ok(read)
    }

    /// The same, if it was looked up before: by the kind, and the address of
    /// the key in the machine.
    pub fn known(&self, game: &Game, kind: u16, key: usize) -> Option<EntityField> {
        let schema = self
            .schema
            .as_ref()
            .filter(|schema| Arc::ptr_eq(schema, game.world().schema()));
        schema?;
        let place = (kind, key);
        self.recent.get(place).or_else(|| {
            let read = self.reads.get(&place).copied()?;
            self.recent.put(place, read);
            Some(read)
        })
    }

    /// Where a value lies that was shown before.
    pub fn place_of(&self, value: &Value) -> Option<u32> {
        let key = ShownKey::of(value)?;
        self.recently_shown.get(key).or_else(|| {
            let place = self.shown.get(&key).copied()?;
            self.recently_shown.put(key, place);
            Some(place)
        })
    }

    /// A value is shown: where it is to be put, if it need not be shown again.
    pub fn show(&mut self, value: &Value) -> Option<u32> {
        let key = ShownKey::of(value);
        self.has_shown = key.is_some();
        let next = self.shown.len() as u32 + 1;
        let place = *self.shown.entry(key?).or_insert(next);
        if place == next {
            self.held.push(value.clone());
        }
        Some(place)
    }

    /// Whether the attribute that was shown last need not be shown again.
    pub fn has_shown(&self) -> bool {
        self.has_shown
    }

    /// Forgets lists and records when there are too many; not while a rule runs.
    pub fn tidy(&mut self) {
        if self.shown.len() > MOST_KEPT {
            self.shown.clear();
            self.recently_shown = Recent::default();
            self.held.clear();
        }
        if self.tables.len() > MOST_KEPT {
            self.tables.clear();
            self.shapes.clear();
        }
        if self.worths.len() > MOST_WORTHS {
            self.worths.clear();
        }
    }

    /// What chits are worth by a table that was read before, and of how many
    /// parts it is.
    pub fn worths(&self, table: &Table) -> Option<(Worths, u64)> {
        let (_, worths, parts) = self.worths.get(&table.to_pointer().addr())?;
        Some((worths.clone(), *parts))
    }

    /// Keeps what a table says of chits, if it will always say so. Where another
    /// table said the same, what that said is given: with it come the sums that
    /// were reckoned before.
    pub fn keep_worths(&mut self, table: &Table, worths: Worths, parts: u64) -> Worths {
        let mut known = self.worths.values().map(|(_, known, _)| known);
        // Which one is found does not matter: they are equal.
        let worths = known
            .find(|known| **known == worths)
            .cloned()
            .unwrap_or(worths);
        if is_fixed(table) {
            self.worths.insert(
                table.to_pointer().addr(),
                (table.clone(), worths.clone(), parts),
            );
        }
        worths
    }

    /// Where the shape of a table is kept that shows a record of the kernel's.
    pub fn shape(&self, table: &Table) -> Option<Rc<OnceCell<Rc<Shape>>>> {
        self.shape_at(table.to_pointer().addr())
    }

    /// The same, by the address of the table in the machine.
    pub fn shape_at(&self, table: usize) -> Option<Rc<OnceCell<Rc<Shape>>>> {
        self.shapes.get(&table).cloned()
    }

    fn keep(&mut self, value: &Value, address: usize, table: &Table) {
        self.tables.insert(address, (value.clone(), table.clone()));
        let mut entities = Vec::new();
        value.entities(&mut entities);
        // Where an entity stands may change; such a record is no fixed shape.
        if matches!(value, Value::Map(_)) && entities.is_empty() {
            self.shapes.insert(table.to_pointer().addr(), Rc::default());
        }
    }
}

/// Whether nobody can change a table, nor one in it.
fn is_fixed(table: &Table) -> bool {
    let part = |value: &LuaValue| value.as_table().is_none_or(is_fixed);
    table.is_readonly()
        && table
            .pairs::<LuaValue, LuaValue>()
            .all(|pair| pair.is_ok_and(|(_, value)| part(&value)))
}

/// A value as Luau sees it; lists and records that were read before as the
/// table that showed them then. Nobody can change it, for it is read-only.
pub(crate) fn kept_to_lua(
    lua: &Lua,
    tables: &Metatables,
    kept: &RefCell<ValueCache>,
    value: &Value,
) -> mlua::Result<LuaValue> {
    let address = match value {
        Value::List(items) => Arc::as_ptr(items).addr(),
        Value::Map(map) => Arc::as_ptr(map).addr(),
        _ => return to_lua(lua, tables, value),
    };
    if let Some((_, table)) = kept.borrow().tables.get(&address) {
        return Ok(LuaValue::Table(table.clone()));
    }
    let shown = to_lua(lua, tables, value)?;
    if let LuaValue::Table(table) = &shown {
        kept.borrow_mut().keep(value, address, table);
    }
    Ok(shown)
}

/// A value that needs no memory in the machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Immediate {
    Nil,
    Bool(bool),
    Number(f64),
    /// An entity, by its address.
    Entity(usize),
}

/// The same of the kernel's; nothing for one that needs memory.
pub(crate) fn immediate(value: &Value) -> Option<Immediate> {
    Some(match value {
        Value::None => Immediate::Nil,
        Value::Bool(yes) => Immediate::Bool(*yes),
        Value::Int(n) => Immediate::Number(*n as f64),
        Value::Entity(entity) => Immediate::Entity(address_of(*entity)),
        Value::Length(length) => Immediate::Number(length.um() as f64),
        Value::Angle(angle) => Immediate::Number(f64::from(angle.minutes())),
        Value::Direction(direction) => Immediate::Number(f64::from(direction.minutes())),
        _ => return None,
    })
}

/// A value that needs no memory in the machine, as the binding gives it.
pub(crate) fn immediate_to_lua(value: &Value) -> Option<LuaValue> {
    Some(match immediate(value)? {
        Immediate::Nil => LuaValue::Nil,
        Immediate::Bool(yes) => LuaValue::Boolean(yes),
        Immediate::Number(n) => LuaValue::Number(n),
        Immediate::Entity(address) => light(address),
    })
}

/// The address by which the machine knows an entity, which is never null.
fn address_of(entity: EntityId) -> usize {
    entity.0 as usize + 1
}

/// The entity of an address.
pub(crate) fn entity_at(address: usize) -> EntityId {
    EntityId((address as u32).wrapping_sub(1))
}

fn light(address: usize) -> LuaValue {
    LuaValue::LightUserData(LightUserData(std::ptr::without_provenance_mut(address)))
}

/// The light userdata of an entity.
pub fn entity_to_lua(entity: EntityId) -> LuaValue {
    light(address_of(entity))
}

/// The entity of a light userdata.
pub fn entity_from_lua(data: LightUserData) -> EntityId {
    entity_at(data.0.addr())
}

/// A value as Luau sees it.
pub fn to_lua(lua: &Lua, tables: &Metatables, value: &Value) -> mlua::Result<LuaValue> {
    if let Some(plain) = immediate_to_lua(value) {
        return Ok(plain);
    }
    Ok(match value {
        Value::Text(text) => LuaValue::String(lua.create_string(text.as_bytes())?),
        Value::Point(point) => LuaValue::Table(point_to_lua(lua, tables, *point)?),
        Value::Hex(hex) => LuaValue::Table(hex_to_lua(lua, tables, *hex)?),
        Value::Die(die) => LuaValue::Table(die_to_lua(lua, tables, die)?),
        Value::List(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (i, item) in items.iter().enumerate() {
                table.raw_set(i + 1, to_lua(lua, tables, item)?)?;
            }
            table.set_readonly(true);
            LuaValue::Table(table)
        }
        Value::Map(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (key, item) in map.iter() {
                table.raw_set(&**key, to_lua(lua, tables, item)?)?;
            }
            table.set_readonly(true);
            LuaValue::Table(table)
        }
        _ => LuaValue::Nil,
    })
}

pub(crate) fn point_to_lua(lua: &Lua, tables: &Metatables, point: Point) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("x", point.x().um() as f64)?;
    table.raw_set("y", point.y().um() as f64)?;
    table.set_metatable(Some(tables.point.clone()))?;
    table.set_readonly(true);
    Ok(table)
}

pub(crate) fn hex_to_lua(lua: &Lua, tables: &Metatables, hex: Hex) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("q", hex.q())?;
    table.raw_set("r", hex.r())?;
    table.set_metatable(Some(tables.hex.clone()))?;
    table.set_readonly(true);
    Ok(table)
}

pub(crate) fn die_to_lua(lua: &Lua, tables: &Metatables, die: &Die) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("sides", die.sides())?;
    let (reasons, shifts) = (lua.create_table()?, lua.create_table()?);
    for shift in die.reasons() {
        reasons.push(&*shift.reason)?;
        let row =
            lua.create_table_from([("by", i64::from(shift.by)), ("from", i64::from(shift.from))])?;
        row.set("to", shift.to)?;
        row.set("reason", &*shift.reason)?;
        row.set_readonly(true);
        shifts.push(row)?;
    }
    reasons.set_readonly(true);
    shifts.set_readonly(true);
    table.raw_set("reasons", reasons)?;
    table.raw_set("shifts", shifts)?;
    table.set_metatable(Some(tables.die.clone()))?;
    table.set_readonly(true);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kernel::geometry::Point;
    use kernel::value::Value;
    use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};
    use rules::contract::geometry::LOCATE;

    use super::{Metatables, ValueCache, kept_to_lua};
    use crate::answers::reading;

    /// An empty text and an empty list that are made of nothing lie at one place.
    #[test]
    fn an_empty_text_is_not_shown_as_an_empty_list() {
        let mut cache = ValueCache::default();
        let place = cache.show(&Value::Text(Arc::default())).unwrap();
        let list = Value::List(Arc::default());
        assert_eq!(cache.place_of(&list), None);
        assert_ne!(cache.show(&list), Some(place));
    }

    /// A limit must not depend on who has measured an area before.
    #[test]
    fn an_area_is_paid_the_same_whoever_has_measured_it() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        shared.is_running.set(true);
        let table = || lua.create_table().unwrap();
        let tables = Metatables {
            point: table(),
            hex: table(),
            die: table(),
            budget: shared.budget.clone(),
        };
        let address = |table: &Table| table.to_pointer().addr();
        shared
            .answers
            .metatables
            .set([address(&tables.point), address(&tables.hex), 0]);
        let slow = lua.create_function(|_: &Lua, _: MultiValue| Ok(LuaValue::Nil));
        let around = (&tables.point, &tables.hex, &table());
        let locate: Function = reading(&lua, &shared, &LOCATE, slow.unwrap(), around).unwrap();
        let points = |places: &[(i64, i64)]| {
            let point = |(x, y): &(i64, i64)| Value::Point(Point::from_um(*x, *y));
            Value::list(places.iter().map(point))
        };
        let wood = points(&[(0, 0), (90, 0), (99, 50), (90, 90), (0, 90)]);
        let road = points(&[(0, 0), (50, 0), (50, 50)]);
        let width = ("half_width", Value::Int(9));
        for area in [
            Value::record([("polygon", wood)]),
            Value::record([("line", road), width]),
        ] {
            let at = kept_to_lua(&lua, &tables, &shared.kept, &points(&[(5, 5)]));
            let at: LuaValue = at.unwrap().as_table().unwrap().get(1).unwrap();
            let shape = kept_to_lua(&lua, &tables, &shared.kept, &area).unwrap();
            let paid = || {
                shared.budget.set(10_000);
                let found: String = locate.call((LuaValue::Nil, &shape, &at)).unwrap();
                assert_eq!(found, "inside");
                10_000 - shared.budget.get()
            };
            assert_eq!(paid(), paid(), "{area:?}");
        }
    }
}
