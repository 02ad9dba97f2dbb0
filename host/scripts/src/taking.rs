//! Values on their way out of Luau.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::dice::{Die, Shift};
use kernel::geometry::{Angle, Direction, Length};
use kernel::value::{LARGEST_INT, Mismatch, Name, Type, Value};
use mlua::Value as LuaValue;

use crate::coordinates::whole_number;
use crate::seen::{SeenTable, SeenValue, look};
use crate::values::Metatables;
use rules::printable::cut_off;

/// Values nested deeper than this, such as a table that holds itself, are no
/// data; the text of a journal could not say them.
const DEEPEST: u32 = 30;

/// More parts than this one value cannot have.
pub(crate) const MOST_PARTS: u32 = 1 << 16;

/// More parts than this the values of one call cannot have together: nobody could
/// pay for them, which is only found once they are all there.
const MOST_PENDING: u64 = 8 * MOST_PARTS as u64;

/// A text that is no longer is given to a function of the host for nothing more
/// than the call: names and most sentences are not.
pub(crate) const SHORT_TEXT: usize = 64;

/// So many bytes of text count as a part.
const BYTES_A_PART: u64 = 16;

/// How many parts a text of so many bytes counts for.
pub(crate) fn text_parts(bytes: usize) -> u64 {
    1 + bytes as u64 / BYTES_A_PART
}

/// A Luau value as the kernel's, of a type.
///
/// # Errors
/// Where it does not have the form of the type, is nested too deep or is too
/// large. Ranges and kinds of entities are checked by the kernel afterwards.
pub fn from_lua(tables: &Metatables, value: &LuaValue, ty: &Type) -> Result<Value, Mismatch> {
    look(value, |seen| from_seen(tables, seen, ty))
}

/// The same of a value that is looked at.
///
/// # Errors
/// As of [`from_lua`].
pub(crate) fn from_seen(
    tables: &Metatables,
    value: SeenValue<'_>,
    ty: &Type,
) -> Result<Value, Mismatch> {
    let taking = Taking {
        tables,
        parts: Cell::new(0),
    };
    let taken = taking.value(value, ty, 0);
    tables.budget.add_parts(u64::from(taking.parts.get()));
    taken
}

/// One value on its way out, with the number of its parts so far.
struct Taking<'a> {
    tables: &'a Metatables,
    parts: Cell<u32>,
}

impl Taking<'_> {
    fn value(&self, value: SeenValue<'_>, ty: &Type, depth: u32) -> Result<Value, Mismatch> {
        let wrong = || mismatch(value, ty);
        self.count(depth, value)?;
        Ok(match (ty, value) {
            (Type::Optional(_), SeenValue::Nil) => Value::None,
            (Type::Optional(inner), value) => self.value(value, inner, depth)?,
            (Type::Any, value) => self.any(value, depth)?,
            (Type::Bool, SeenValue::Bool(yes)) => Value::Bool(yes),
            (Type::Int { .. }, SeenValue::Number(n)) => {
                Value::Int(whole_number(n).ok_or_else(wrong)?)
            }
            (Type::Length, SeenValue::Number(n)) => {
                Value::Length(Length::from_um(whole_number(n).ok_or_else(wrong)?))
            }
            (Type::Angle, SeenValue::Number(n)) => {
                Value::Angle(Angle::from_minutes(minutes(n).ok_or_else(wrong)?))
            }
            (Type::Direction, SeenValue::Number(n)) => {
                Value::Direction(Direction::from_minutes(minutes(n).ok_or_else(wrong)?))
            }
            (Type::Text | Type::Id | Type::Enum(_), SeenValue::Text(text)) => {
                Value::Text(text_of(text).ok_or_else(wrong)?)
            }
            (Type::Entity(_), SeenValue::Entity(entity)) => Value::Entity(entity),
            (Type::Point, SeenValue::Table(table)) => {
                Value::Point(table.point().ok_or_else(wrong)?)
            }
            (Type::Hex, SeenValue::Table(table)) => Value::Hex(table.hex().ok_or_else(wrong)?),
            (Type::Die, value) => Value::Die(self.die(value).ok_or_else(wrong)?),
            (Type::Path, SeenValue::Table(table)) => self.list(table, &Type::Point, depth)?,
            (Type::List(inner), SeenValue::Table(table)) => self.list(table, inner, depth)?,
            (Type::Map(inner), SeenValue::Table(table)) => {
                self.map(table, |_| (None, inner), depth)?
            }
            (Type::Record(fields), SeenValue::Table(table)) => {
                let field =
                    |key: &[u8]| match fields.iter().find(|field| field.name.as_bytes() == key) {
                        Some(field) => (Some(&field.name), &field.ty),
                        None => (None, &Type::Any),
                    };
                self.map(table, field, depth)?
            }
            (Type::Verdict, SeenValue::Nil | SeenValue::Bool(true)) => Value::None,
            (Type::Verdict, SeenValue::Text(reason)) => {
                Value::Text(text_of(reason).ok_or_else(wrong)?)
            }
            _ => return Err(wrong()),
        })
    }

    fn count(&self, depth: u32, value: SeenValue<'_>) -> Result<(), Mismatch> {
        let weight = match value {
            SeenValue::Text(text) => text_parts(text.len()),
            _ => 1,
        };
        self.add(weight);
        let (expected, found) = if depth > DEEPEST {
            (
                format!("a value nested at most {DEEPEST} deep"),
                "a deeper one, or a table that holds itself",
            )
        } else if self.is_too_large() {
            (
                format!("a value of at most {MOST_PARTS} parts"),
                "a larger one",
            )
        } else {
            return Ok(());
        };
        Err(Mismatch {
            place: String::new(),
            expected,
            found: found.into(),
        })
    }

    fn add(&self, weight: u64) {
        let parts = u64::from(self.parts.get()) + weight;
        self.parts.set(u32::try_from(parts).unwrap_or(u32::MAX));
    }

    fn is_too_large(&self) -> bool {
        let pending = self.tables.budget.parts() + u64::from(self.parts.get());
        self.parts.get() > MOST_PARTS || pending > MOST_PENDING
    }

    /// A die, with what its shifts weigh; nothing where they weigh too much.
    fn die(&self, value: SeenValue<'_>) -> Option<Die> {
        self.add(weight_of_shifts(value));
        (!self.is_too_large()).then(|| die_seen(value)).flatten()
    }

    fn list(&self, table: SeenTable<'_>, inner: &Type, depth: u32) -> Result<Value, Mismatch> {
        let len = table.length();
        // What the host has made is a list; what a script has made may have
        // fields too, or holes.
        if !table.is_readonly() && !table.is_list() {
            return Err(Mismatch {
                place: String::new(),
                expected: "a list without gaps and without named fields".into(),
                found: "a table with other keys".into(),
            });
        }
        if *inner == Type::Point
            && let Some(points) = self.points(table, depth)
        {
            return Ok(points);
        }
        let mut items = Vec::with_capacity(len.min(MOST_PARTS as usize));
        for i in 1..=len {
            let item = self.value(table.item(i), inner, depth + 1);
            items.push(item.map_err(|m| m.inside(&format!("[{i}]")))?);
        }
        Ok(Value::List(items.into()))
    }

    /// The same of points, if they are nothing but that and not too many.
    fn points(&self, table: SeenTable<'_>, depth: u32) -> Option<Value> {
        let parts = u64::from(self.parts.get()) + table.length() as u64;
        let fits = depth < DEEPEST && parts <= u64::from(MOST_PARTS);
        let points = fits.then(|| table.points())??;
        self.parts.set(parts as u32);
        Some(Value::List(points.into()))
    }

    /// A record or a map; by a key, what it is called if that is known, and the
    /// type of what is there.
    fn map<'t>(
        &self,
        table: SeenTable<'_>,
        of: impl Fn(&[u8]) -> (Option<&'t Name>, &'t Type),
        depth: u32,
    ) -> Result<Value, Mismatch> {
        let mut map = BTreeMap::new();
        for (key, item) in table.pairs() {
            let key = match key {
                SeenValue::Text(key) => Some(of(key)).and_then(|(name, ty)| {
                    // A key that nothing declares stays with its value; the next count looks at it.
                    if name.is_none() {
                        self.add(text_parts(key.len()) - 1);
                    }
                    let name = name.cloned().or_else(|| text_of(key))?;
                    Some((name, ty))
                }),
                _ => None,
            };
            let Some((key, inner)) = key else {
                return Err(Mismatch {
                    place: String::new(),
                    expected: "keys that are texts".into(),
                    found: "another key".into(),
                });
            };
            let value = self
                .value(item, inner, depth + 1)
                .map_err(|m| m.inside(&key))?;
            map.insert(key, value);
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn any(&self, value: SeenValue<'_>, depth: u32) -> Result<Value, Mismatch> {
        let wrong = || Mismatch {
            expected: "data that rules can hold".into(),
            ..mismatch(value, &Type::Any)
        };
        Ok(match value {
            SeenValue::Nil => Value::None,
            SeenValue::Bool(yes) => Value::Bool(yes),
            SeenValue::Number(n) => Value::Int(whole_number(n).ok_or_else(wrong)?),
            SeenValue::Text(text) => Value::Text(text_of(text).ok_or_else(wrong)?),
            SeenValue::Entity(entity) => Value::Entity(entity),
            SeenValue::Table(table) => {
                if table.has_meta(&self.tables.point) {
                    Value::Point(table.point().ok_or_else(wrong)?)
                } else if table.has_meta(&self.tables.hex) {
                    Value::Hex(table.hex().ok_or_else(wrong)?)
                } else if table.has_meta(&self.tables.die) {
                    Value::Die(self.die(value).ok_or_else(wrong)?)
                } else if table.length() > 0 {
                    self.list(table, &Type::Any, depth)?
                } else {
                    self.map(table, |_| (None, &Type::Any), depth)?
                }
            }
            SeenValue::Other(_) => return Err(wrong()),
        })
    }
}

fn mismatch(value: SeenValue<'_>, ty: &Type) -> Mismatch {
    Mismatch {
        place: String::new(),
        expected: ty.to_string(),
        found: described(value),
    }
}

/// A Luau value in words, for messages.
pub fn describe(value: &LuaValue) -> String {
    look(value, described)
}

fn described(value: SeenValue<'_>) -> String {
    match value {
        SeenValue::Nil => "nil".into(),
        SeenValue::Bool(yes) => format!("`{yes}`"),
        SeenValue::Number(n) if n.is_finite() && n.abs() > LARGEST_INT as f64 => {
            format!("the number {n:e}, past the largest whole number, 2^53 - 1")
        }
        SeenValue::Number(n) => format!("the number {n}"),
        SeenValue::Text(text) => {
            let shown = cut_off(&String::from_utf8_lossy(text), 60);
            match std::str::from_utf8(text) {
                Ok(_) => format!("the text `{shown}`"),
                Err(_) => format!("the text `{shown}`, which is not UTF-8"),
            }
        }
        SeenValue::Entity(_) => "an entity".into(),
        SeenValue::Table(table) => described_table(table).into(),
        SeenValue::Other(name) => format!("a {name}"),
    }
}

/// A point or a hex with coordinates that are too large looks like one to
/// whoever wrote it.
fn described_table(table: SeenTable<'_>) -> &'static str {
    let are_numbers = |names: [&str; 2]| {
        names
            .into_iter()
            .all(|name| matches!(table.field(name), SeenValue::Number(_)))
    };
    if are_numbers(["x", "y"]) && table.point().is_none() {
        "a point with a coordinate that is not whole or past 2^40 micrometres"
    } else if are_numbers(["q", "r"]) && table.hex().is_none() {
        "a hex with a coordinate that is not whole or past 2^20"
    } else {
        "a table"
    }
}

fn text_of(text: &[u8]) -> Option<Name> {
    std::str::from_utf8(text).ok().map(Arc::from)
}

/// A whole number that both Luau and the kernel can hold.
pub fn whole(value: &LuaValue) -> Option<i64> {
    match value {
        LuaValue::Integer(n) => (n.abs() <= LARGEST_INT).then_some(*n),
        LuaValue::Number(n) => whole_number(*n),
        _ => None,
    }
}

fn minutes(n: f64) -> Option<i32> {
    whole_number(n).and_then(|n| i32::try_from(n).ok())
}

/// A die from a die table, or from a text such as `d8`.
pub(crate) fn die_of(value: &LuaValue) -> Option<Die> {
    look(value, die_seen)
}

/// How many parts the shifts of a die weigh that is given to a function.
pub(crate) fn shift_parts(value: &LuaValue) -> u64 {
    look(value, weight_of_shifts)
}

/// A part for each shift, and what its reason weighs where that is long.
fn weight_of_shifts(value: SeenValue<'_>) -> u64 {
    let SeenValue::Table(table) = value else {
        return 0;
    };
    let SeenValue::Table(shifts) = table.field("shifts") else {
        return 0;
    };
    let weight = |shift| match shift {
        SeenValue::Table(row) => match row.field("reason") {
            SeenValue::Text(text) if text.len() > SHORT_TEXT => text_parts(text.len()),
            _ => 1,
        },
        _ => 1,
    };
    (1..=shifts.length())
        .map(|number| weight(shifts.item(number)))
        .sum()
}

fn die_seen(value: SeenValue<'_>) -> Option<Die> {
    match value {
        SeenValue::Table(table) => {
            let SeenValue::Number(sides) = table.field("sides") else {
                return None;
            };
            let die = Die::new(u16::try_from(whole_number(sides)?).ok()?).ok()?;
            let SeenValue::Table(shifts) = table.field("shifts") else {
                return None;
            };
            let shifts = (1..=shifts.length()).map(|number| shifts.item(number));
            let shifts: Vec<Shift> = shifts.filter_map(shift_of).collect();
            Some(die.with_reasons(shifts))
        }
        SeenValue::Text(text) => {
            let text = std::str::from_utf8(text).ok()?;
            Die::new(text.strip_prefix('d')?.parse().ok()?).ok()
        }
        _ => None,
    }
}

fn shift_of(shift: SeenValue<'_>) -> Option<Shift> {
    let SeenValue::Table(table) = shift else {
        return None;
    };
    let number = |name| match table.field(name) {
        SeenValue::Number(n) => whole_number(n),
        _ => None,
    };
    let SeenValue::Text(reason) = table.field("reason") else {
        return None;
    };
    Some(Shift {
        by: i8::try_from(number("by")?).ok()?,
        from: u16::try_from(number("from")?).ok()?,
        to: u16::try_from(number("to")?).ok()?,
        reason: text_of(reason)?,
    })
}

/// Several results of a Luau function as one value of a type. A verdict comes
/// as `true`, or as `false` and the reason.
pub(crate) fn result_from_lua(
    tables: &Metatables,
    first: &LuaValue,
    second: &LuaValue,
    ty: &Type,
) -> Result<Value, Mismatch> {
    look(first, |first| {
        look(second, |second| result_from_seen(tables, first, second, ty))
    })
}

/// The same of results that are looked at.
pub(crate) fn result_from_seen(
    tables: &Metatables,
    first: SeenValue<'_>,
    second: SeenValue<'_>,
    ty: &Type,
) -> Result<Value, Mismatch> {
    match (ty, first) {
        (Type::Verdict, SeenValue::Bool(true)) => Ok(Value::None),
        (Type::Verdict, SeenValue::Bool(false) | SeenValue::Nil) => match second {
            SeenValue::Text(reason) => Ok(Value::Text(
                text_of(reason).unwrap_or_else(|| Arc::from("?")),
            )),
            _ => Ok(Value::text("the rules do not allow it")),
        },
        _ => from_seen(tables, first, ty),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kernel::dice::Die;
    use kernel::geometry::{Length, Point};
    use kernel::value::{EntityId, Field, Type, Value};
    use mlua::{Lua, Table, Value as LuaValue};

    use super::from_lua;
    use crate::values::{Metatables, entity_to_lua};

    /// A machine with the tables of the host, and entity number 7 as `unit`.
    fn machine() -> (Lua, Metatables) {
        let lua = Lua::new();
        let meta = |name: &str| {
            let table = lua.create_table().unwrap();
            lua.globals().set(name, &table).unwrap();
            table
        };
        let tables = Metatables {
            point: meta("point"),
            hex: meta("hex"),
            die: meta("die"),
            budget: crate::vm::fresh().budget.clone(),
        };
        lua.globals()
            .set("unit", entity_to_lua(EntityId(7)))
            .unwrap();
        (lua, tables)
    }

    fn evaluated(lua: &Lua, text: &str) -> LuaValue {
        lua.load(format!("return {text}")).eval().unwrap()
    }

    /// Takes what scripts say as values of these types.
    fn are_taken(all: impl IntoIterator<Item = (&'static str, Type, Value)>) {
        let (lua, tables) = machine();
        for (text, ty, value) in all {
            assert_eq!(
                from_lua(&tables, &evaluated(&lua, text), &ty).unwrap(),
                value,
                "{text}"
            );
        }
    }

    fn numbers(all: &[i64]) -> Value {
        Value::list(all.iter().map(|n| Value::Int(*n)))
    }

    fn point() -> Value {
        Value::Point(Point::new(Length::from_um(3), Length::from_um(-4)))
    }

    #[test]
    fn plain_values_and_dice_are_taken_by_their_types() {
        let die = Value::Die(Die::new(8).unwrap());
        are_taken([
            ("nil", Type::Any, Value::None),
            ("-0", Type::INT, Value::Int(0)),
            ("9007199254740991", Type::INT, Value::Int((1 << 53) - 1)),
            ("'two words'", Type::Text, Value::text("two words")),
            ("unit", Type::Any, Value::Entity(EntityId(7))),
            ("'d8'", Type::Die, die.clone()),
            ("{ sides = 8, shifts = {}, reasons = {} }", Type::Die, die),
        ]);
    }

    #[test]
    fn lists_are_taken_by_their_types() {
        are_taken([
            (
                "{ 4, 5, 6 }",
                Type::List(Arc::new(Type::INT)),
                numbers(&[4, 5, 6]),
            ),
            ("{}", Type::List(Arc::new(Type::INT)), numbers(&[])),
            ("{ [2] = 5, [1] = 4 }", Type::Any, numbers(&[4, 5])),
            ("{ { x = 3, y = -4 } }", Type::Path, Value::list([point()])),
        ]);
    }

    #[test]
    fn records_and_points_are_taken_by_their_types() {
        let field = |name: &str, ty: Type| Field {
            name: name.into(),
            ty,
        };
        let record = [field("at", Type::Point), field("n", Type::Length)];
        are_taken([
            ("{}", Type::Any, Value::record([])),
            ("setmetatable({ y = -4, x = 3 }, point)", Type::Any, point()),
            (
                "{ at = { x = 3, y = -4 }, n = 9 }",
                Type::Record(record.into()),
                Value::record([("at", point()), ("n", Value::Length(Length::from_um(9)))]),
            ),
            (
                "{ a = { b = { true } } }",
                Type::Any,
                Value::record([(
                    "a",
                    Value::record([("b", Value::list([Value::Bool(true)]))]),
                )]),
            ),
        ]);
    }

    #[test]
    fn what_is_no_value_is_told() {
        let (lua, tables) = machine();
        let list = || Type::List(Arc::new(Type::INT));
        let cases = [
            ("1.5", Type::INT, "", "the number 1.5"),
            ("0/0", Type::INT, "", "the number NaN"),
            ("2 ^ 53 - 1", Type::Text, "", "the number 9007199254740991"),
            (
                "1e300",
                Type::Length,
                "",
                "the number 1e300, past the largest whole number, 2^53 - 1",
            ),
            (
                "{ x = 2 ^ 41, y = 0 }",
                Type::Point,
                "",
                "a point with a coordinate that is not whole or past 2^40 micrometres",
            ),
            (
                "{ q = 0, r = 2 ^ 21 }",
                Type::Hex,
                "",
                "a hex with a coordinate that is not whole or past 2^20",
            ),
            ("{ x = 1, y = 0 }", Type::Text, "", "a table"),
            ("3", Type::Text, "", "the number 3"),
            (
                "'\\xff'",
                Type::Text,
                "",
                "the text `\u{fffd}`, which is not UTF-8",
            ),
            ("print", Type::Any, "", "a function"),
            ("{ 4, 'five' }", list(), "[2]", "the text `five`"),
            ("{ 4, n = 5 }", list(), "", "a table with other keys"),
            ("{ [3] = 4 }", Type::Any, "", "another key"),
            ("{ [{}] = 4 }", Type::Any, "", "another key"),
            ("{ a = { b = print } }", Type::Any, "a.b", "a function"),
        ];
        for (text, ty, place, found) in cases {
            let mismatch = from_lua(&tables, &evaluated(&lua, text), &ty).unwrap_err();
            assert_eq!(
                (&*mismatch.place, &*mismatch.found),
                (place, found),
                "{text}"
            );
        }
        let circle: Table = lua.load("local t = {} t.t = t return t").eval().unwrap();
        let mismatch = from_lua(&tables, &LuaValue::Table(circle), &Type::Any).unwrap_err();
        assert_eq!(mismatch.found, "a deeper one, or a table that holds itself");
        let long: Table = lua.load("return table.create(70000, 1)").eval().unwrap();
        let mismatch = from_lua(&tables, &LuaValue::Table(long), &list()).unwrap_err();
        assert_eq!(mismatch.found, "a larger one");
    }
}
