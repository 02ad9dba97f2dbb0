//! Arguments of a function of the contract, as a script gives them.

use std::rc::Rc;
use std::sync::Arc;

use kernel::chits::{Uneven, Worths};
use kernel::deck::End;
use kernel::dice::Die;
use kernel::error::{Fault, FaultCode};
use kernel::geometry::{Angle, Direction, Length};
use kernel::value::{EntityId, Mismatch, Name, Type, Value};
use mlua::{Lua, LuaString, Table, Value as LuaValue};

use crate::coordinates::{hex_of, point_of};
use crate::taking::{SHORT_TEXT, describe, die_of, from_lua, shift_parts, text_parts, whole};
use crate::values::{Metatables, entity_from_lua};
use crate::vm::Shared;
use rules::contract::places::{
    Area, Corners, Costs, Crossing, HexWhere, LaidTemplate, Obstacles, Outline, Paid, Priced,
    RowOf, Tops, Where,
};
use rules::contract::types::{
    Arguments, AudienceSpec, DeckRef, Drawing, Loose, QuestionSpec, Untyped,
};
use rules::limits::{CHECKS_A_PART, too_long};

/// No game has more sides.
const MOST_SIDES: usize = 64;

/// The arguments, and which of them comes next.
pub(crate) struct ScriptArguments<'a> {
    lua: &'a Lua,
    shared: &'a Shared,
    /// The function.
    name: &'static str,
    list: &'a mut [LuaValue],
    next: usize,
    /// The list that was read last.
    pub last_list: Option<Table>,
}

impl<'a> ScriptArguments<'a> {
    /// The arguments of a function, after its handles.
    pub fn new(
        lua: &'a Lua,
        shared: &'a Shared,
        name: &'static str,
        list: &'a mut [LuaValue],
        handles: usize,
    ) -> ScriptArguments<'a> {
        ScriptArguments {
            lua,
            shared,
            name,
            list,
            next: handles,
            last_list: None,
        }
    }

    fn next(&mut self) -> LuaValue {
        self.next += 1;
        self.list
            .get_mut(self.next - 1)
            .map_or(LuaValue::Nil, std::mem::take)
    }

    /// What does not fit, of the argument that was read last.
    fn mismatch(&self, wanted: &str, found: &LuaValue) -> Fault {
        let found = match found {
            LuaValue::LightUserData(_) => "entity",
            other => other.type_name(),
        };
        // In the words of scripts the handle is none.
        let number = self.next - 1;
        let message = format!(
            "`{}`, argument {number}: expected {wanted}, found {found}",
            self.name
        );
        Fault::new(FaultCode::WrongType, message)
    }

    fn table(&mut self) -> Result<Table, Fault> {
        match self.next() {
            LuaValue::Table(table) => Ok(table),
            other => Err(self.mismatch("a table", &other)),
        }
    }

    fn optional_table(&mut self) -> Result<Option<Table>, Fault> {
        match self.next() {
            LuaValue::Nil => Ok(None),
            LuaValue::Table(table) => Ok(Some(table)),
            other => Err(self.mismatch("a table", &other)),
        }
    }

    /// Pays for a text that a function is given: one that is longer than names are
    /// may stay in the game, and costs what a value of that length does.
    fn pay_for(&self, text: &LuaString) -> Result<(), Fault> {
        match text.as_bytes().len() {
            ..=SHORT_TEXT => Ok(()),
            length => self.spend_parts(text_parts(length)),
        }
    }

    fn spend_parts(&self, parts: u64) -> Result<(), Fault> {
        self.shared
            .running
            .spend(parts.saturating_mul(CHECKS_A_PART))
    }

    /// A text that is not refused for what is no UTF-8 in it.
    fn lossy(&self, text: &LuaString) -> Result<Name, Fault> {
        self.pay_for(text)?;
        Ok(text.to_string_lossy().into())
    }

    /// A die; each shift that it remembers is read, and paid for first.
    fn die_of(&self, value: &LuaValue) -> Result<Die, Fault> {
        self.spend_parts(shift_parts(value))?;
        die(value)
    }

    fn loose(&self, value: LuaValue) -> Result<Untyped, Fault> {
        let tables = self.shared.tables().map_err(|error| script(&error))?;
        Ok(Untyped(Box::new(LuauValue { value, tables })))
    }

    /// A list of what a function reads.
    fn list<T: Priced>(
        &self,
        table: &Table,
        read: impl Fn(&LuaValue) -> Result<T, Fault>,
    ) -> Result<Paid<T>, Fault> {
        let items = table
            .sequence_values::<LuaValue>()
            .map(|item| read(&item.unwrap_or(LuaValue::Nil)));
        Paid::read(&self.shared.running, table.raw_len(), items)
    }

    /// A list of rows that a function reads; what is none has a name.
    fn rows<T>(
        &self,
        list: &LuaValue,
        expected: &str,
        read: impl Fn(&Table) -> Result<T, Fault>,
    ) -> Result<Paid<RowOf<T>>, Fault> {
        match list {
            LuaValue::Nil => Ok(Paid::default()),
            LuaValue::Table(list) => self.list(list, |row| match row {
                LuaValue::Table(row) => read(row).map(RowOf),
                other => Err(wrong(expected, other)),
            }),
            other => Err(wrong(expected, other)),
        }
    }

    fn area_of(&self, value: &LuaValue) -> Result<Area, Fault> {
        let LuaValue::Table(table) = value else {
            return Err(wrong("a shape", value));
        };
        let cell = self.shared.kept.borrow().shape(table);
        match cell.as_ref().and_then(|cell| cell.get()) {
            Some(shape) => Ok(Area::Measured(shape.clone())),
            None => Ok(Area::Described(self.outline(table, value)?, cell)),
        }
    }

    fn outline(&self, table: &Table, value: &LuaValue) -> Result<Outline, Fault> {
        let running = &self.shared.running;
        if let LuaValue::Table(corners) = field(table, "polygon") {
            let places = corners
                .sequence_values::<LuaValue>()
                .map(|at| place(&at.unwrap_or(LuaValue::Nil)));
            return Corners::read(running, corners.raw_len(), places).map(Outline::Polygon);
        }
        if let LuaValue::Table(line) = field(table, "line") {
            return Ok(Outline::Line(
                self.list(&line, place)?,
                length(&field(table, "half_width"))?,
            ));
        }
        if field(table, "centre").is_nil() {
            let expected =
                "a shape with `polygon`, `centre` and `radius`, or `line` and `half_width`";
            return Err(wrong(expected, value));
        }
        Ok(Outline::Disc(
            place(&field(table, "centre"))?,
            length(&field(table, "radius"))?,
        ))
    }

    fn audience_in(&self, how: &Table) -> Result<AudienceSpec, Fault> {
        let mut spec = AudienceSpec::default();
        for pair in how.pairs::<LuaValue, LuaValue>() {
            let (key, value) = pair.map_err(|error| script(&error))?;
            let word = key
                .as_string()
                .map(|word| word.to_string_lossy())
                .unwrap_or_default();
            match (word.as_str(), &value) {
                ("to", sides) => spec.to = Some(self.sides_of(sides)?),
                ("only", LuaValue::Table(fields)) => {
                    spec.only = self.shown_only(fields, &value)?;
                }
                ("reveals", LuaValue::String(why)) => spec.reveals = Some(self.lossy(why)?),
                ("only", _) => return Err(bad_audience("`only` as sides by field", &value)),
                ("reveals", _) => return Err(bad_audience("`reveals` as a sentence", &value)),
                _ => return Err(bad_audience("`to`, `only` or `reveals`", &key)),
            }
        }
        Ok(spec)
    }

    /// Those who see some fields.
    fn shown_only(
        &self,
        fields: &Table,
        value: &LuaValue,
    ) -> Result<Vec<(Name, Vec<Name>)>, Fault> {
        let one = |pair: mlua::Result<(LuaString, LuaValue)>| {
            let (name, sides) =
                pair.map_err(|_| bad_audience("`only` as sides by field", value))?;
            Ok((self.lossy(&name)?, self.sides_of(&sides)?))
        };
        fields.pairs().map(one).collect()
    }

    /// One side, or several; none of them is nobody.
    fn sides_of(&self, to: &LuaValue) -> Result<Vec<Name>, Fault> {
        let wrong = || bad_audience("a side or a list of sides", to);
        match to {
            LuaValue::String(side) => Ok(vec![self.lossy(side)?]),
            LuaValue::Table(sides) if sides.raw_len() <= MOST_SIDES => sides
                .sequence_values::<LuaString>()
                .map(|side| self.lossy(&side.map_err(|_| wrong())?))
                .collect(),
            _ => Err(wrong()),
        }
    }
}

/// A value of a script that has not been held against a type.
struct LuauValue {
    value: LuaValue,
    tables: Rc<Metatables>,
}

impl Loose for LuauValue {
    fn fit(&self, ty: &Type) -> Result<Value, Mismatch> {
        from_lua(&self.tables, &self.value, ty)
    }
}

/// What a chit is worth; an empty table in it is a list.
fn worth_of(tables: &Metatables, worth: &LuaValue) -> Result<Value, Fault> {
    let read = from_lua(tables, worth, &Type::Any);
    let worth = read.map_err(|mismatch| Fault::mismatch("the worth of a chit", &mismatch))?;
    let Value::Map(fields) = &worth else {
        return Ok(worth);
    };
    let listed = |value: &Value| match value {
        Value::Map(map) if map.is_empty() => Value::list([]),
        other => other.clone(),
    };
    Ok(Value::Map(Arc::new(
        fields
            .iter()
            .map(|(name, value)| (name.clone(), listed(value)))
            .collect(),
    )))
}

fn script(error: &mlua::Error) -> Fault {
    Fault::new(FaultCode::Script, error.to_string())
}

fn wrong(expected: &str, found: &LuaValue) -> Fault {
    Fault::new(
        FaultCode::WrongType,
        format!("expected {expected}, found {}", describe(found)),
    )
}

/// What a table has itself under a name: no script runs while the host reads what it was given.
fn field(table: &Table, name: &str) -> LuaValue {
    table.raw_get(name).unwrap_or(LuaValue::Nil)
}

fn place(value: &LuaValue) -> Result<Where, Fault> {
    match value {
        LuaValue::LightUserData(data) => Ok(Where::Of(entity_from_lua(*data))),
        LuaValue::Table(table) => point_of(table)
            .map(Where::At)
            .ok_or_else(|| wrong("a point or an entity", value)),
        _ => Err(wrong("a point or an entity", value)),
    }
}

fn hex(value: &LuaValue) -> Result<HexWhere, Fault> {
    match value {
        LuaValue::LightUserData(data) => Ok(HexWhere::Of(entity_from_lua(*data))),
        LuaValue::Table(table) => hex_of(table)
            .map(HexWhere::At)
            .ok_or_else(|| wrong("a hex or an entity", value)),
        _ => Err(wrong("a hex or an entity", value)),
    }
}

fn length(value: &LuaValue) -> Result<Length, Fault> {
    whole(value).map(Length::from_um).ok_or_else(|| {
        let fault = wrong("a length in whole micrometres", value);
        if is_fraction(value) {
            fault.hint("round it: `math.floor(length)`")
        } else {
            fault
        }
    })
}

/// Whether rounding would make a whole number of it.
pub(crate) fn is_fraction(value: &LuaValue) -> bool {
    matches!(value, LuaValue::Number(n) if n.is_finite() && n.fract() != 0.0)
}

/// A length, or nothing at all where it is left out.
fn length_or_zero(value: &LuaValue) -> Result<Length, Fault> {
    if value.is_nil() {
        Ok(Length::ZERO)
    } else {
        length(value)
    }
}

fn direction(value: &LuaValue) -> Result<Direction, Fault> {
    let minutes = whole(value).and_then(|n| i32::try_from(n).ok());
    minutes
        .map(Direction::from_minutes)
        .ok_or_else(|| wrong("a direction in whole minutes of arc", value))
}

fn angle(value: &LuaValue) -> Result<Angle, Fault> {
    let minutes = whole(value).and_then(|n| i32::try_from(n).ok());
    minutes
        .map(Angle::from_minutes)
        .ok_or_else(|| wrong("an angle in whole minutes of arc", value))
}

fn count(value: &LuaValue, what: &str) -> Result<u32, Fault> {
    whole(value)
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| wrong(what, value))
}

/// What a way costs; nothing where there is none.
fn cost(value: &LuaValue) -> Result<Option<u32>, Fault> {
    if value.is_nil() {
        Ok(None)
    } else {
        count(value, "a cost, or nothing where there is no way").map(Some)
    }
}

fn crossing(row: &Table) -> Result<Crossing, Fault> {
    Ok((hex(&field(row, "from"))?, hex(&field(row, "to"))?))
}

pub(crate) fn die(value: &LuaValue) -> Result<Die, Fault> {
    let by_sides = || Die::new(u16::try_from(whole(value)?).ok()?).ok();
    die_of(value).or_else(by_sides).ok_or_else(|| {
        Fault::new(
            FaultCode::BadDie,
            format!("expected a die, found {}", describe(value)),
        )
    })
}

fn end(value: &LuaValue) -> Result<End, Fault> {
    match value {
        LuaValue::String(word) if word == "top" => Ok(End::Top),
        LuaValue::String(word) if word == "bottom" => Ok(End::Bottom),
        other => Err(wrong("`top` or `bottom`", other)),
    }
}

fn bad_audience(expected: &str, found: &LuaValue) -> Fault {
    let found = match found {
        LuaValue::String(text) => format!("`{}`", text.to_string_lossy()),
        other => describe(other),
    };
    Fault::new(
        FaultCode::WrongType,
        format!("to whom it is told: expected {expected}, found {found}"),
    )
}

impl Arguments for ScriptArguments<'_> {
    fn is_nothing(&mut self) -> bool {
        let is_nothing = self.list.get(self.next).is_none_or(LuaValue::is_nil);
        self.next += usize::from(is_nothing);
        is_nothing
    }

    fn text(&mut self) -> Result<Name, Fault> {
        let value = self.next();
        if let LuaValue::String(text) = &value {
            self.pay_for(text)?;
            return match text.to_str() {
                Ok(text) => Ok(Name::from(&*text)),
                Err(_) => Err(self.mismatch("a text in UTF-8", &value)),
            };
        }
        // As everywhere in Luau, a number stands for its text.
        match self.lua.coerce_string(value.clone()) {
            Ok(Some(text)) => Ok(text.to_string_lossy().into()),
            _ => Err(self.mismatch("a text", &value)),
        }
    }

    fn whole(&mut self, what: &str) -> Result<i64, Fault> {
        let value = self.next();
        whole(&value).ok_or_else(|| {
            let fault = wrong(&format!("{what} as a whole number"), &value);
            if is_fraction(&value) {
                fault.hint("round it: `math.floor`, `math.round` or `//`")
            } else {
                fault
            }
        })
    }

    fn count(&mut self, what: &str) -> Result<u32, Fault> {
        count(&self.next(), what)
    }

    fn entity(&mut self) -> Result<EntityId, Fault> {
        match self.next() {
            LuaValue::LightUserData(data) => Ok(entity_from_lua(data)),
            other => Err(self.mismatch("an entity", &other)),
        }
    }

    fn length(&mut self) -> Result<Length, Fault> {
        length(&self.next())
    }

    fn direction(&mut self) -> Result<Direction, Fault> {
        direction(&self.next())
    }

    fn angle(&mut self) -> Result<Angle, Fault> {
        angle(&self.next())
    }

    fn place(&mut self) -> Result<Where, Fault> {
        place(&self.next())
    }

    fn places(&mut self) -> Result<Paid<Where>, Fault> {
        let table = self.table()?;
        let places = self.list(&table, place)?;
        self.last_list = Some(table);
        Ok(places)
    }

    fn area(&mut self) -> Result<Area, Fault> {
        let value = self.next();
        self.area_of(&value)
    }

    fn areas(&mut self) -> Result<Paid<Area>, Fault> {
        let table = self.table()?;
        self.list(&table, |area| self.area_of(area))
    }

    fn obstacles(&mut self) -> Result<Obstacles, Fault> {
        let table = self.table()?;
        let expected = "obstacles as records with `shape`, `base` and `top`";
        let rows = self.rows(&LuaValue::Table(table), expected, |row| {
            let base = length_or_zero(&field(row, "base"))?;
            let top = length(&field(row, "top"))?;
            Ok((self.area_of(&field(row, "shape"))?, base, top))
        });
        rows.map(Obstacles)
    }

    fn template(&mut self) -> Result<LaidTemplate, Fault> {
        let table = self.table()?;
        let get = |name| field(&table, name);
        if !get("origin").is_nil() {
            let (origin, along) = (place(&get("origin"))?, direction(&get("direction"))?);
            return Ok(LaidTemplate::Sector(
                origin,
                along,
                angle(&get("half_angle"))?,
                length(&get("length"))?,
            ));
        }
        if !get("from").is_nil() {
            let half_width = length(&get("half_width"));
            return Ok(LaidTemplate::Strip(
                place(&get("from"))?,
                place(&get("to"))?,
                half_width?,
            ));
        }
        let (centre, radius) = (place(&get("centre"))?, length(&get("radius"))?);
        match get("inner") {
            LuaValue::Nil => Ok(LaidTemplate::Disc(centre, radius)),
            inner => Ok(LaidTemplate::Ring(centre, length(&inner)?, radius)),
        }
    }

    fn hex(&mut self) -> Result<HexWhere, Fault> {
        hex(&self.next())
    }

    fn hexes(&mut self) -> Result<Paid<HexWhere>, Fault> {
        let table = self.table()?;
        self.list(&table, hex)
    }

    fn costs(&mut self) -> Result<Costs, Fault> {
        let table = self.table()?;
        let rows = "a list of costs";
        Ok(Costs {
            otherwise: cost(&field(&table, "otherwise"))?,
            enter: self.rows(&field(&table, "enter"), rows, |row| {
                Ok((hex(&field(row, "at"))?, cost(&field(row, "cost"))?))
            })?,
            cross: self.rows(&field(&table, "cross"), rows, |row| {
                Ok((crossing(row)?, cost(&field(row, "cost"))?))
            })?,
            along: self.rows(&field(&table, "along"), rows, |row| {
                Ok((crossing(row)?, count(&field(row, "cost"), "a cost")?))
            })?,
        })
    }

    fn tops(&mut self) -> Result<Tops, Fault> {
        let table = self.table()?;
        let otherwise = length_or_zero(&field(&table, "otherwise"))?;
        let heights = self.rows(&LuaValue::Table(table), "heights of hexes", |row| {
            Ok((hex(&field(row, "at"))?, length(&field(row, "top"))?))
        })?;
        Ok(Tops { heights, otherwise })
    }

    fn die(&mut self) -> Result<Die, Fault> {
        let value = self.next();
        self.die_of(&value)
    }

    fn dice(&mut self) -> Result<Paid<Die>, Fault> {
        let table = self.table()?;
        self.list(&table, |value| self.die_of(value))
    }

    fn audience(&mut self) -> Result<AudienceSpec, Fault> {
        let table = self.table()?;
        self.audience_in(&table)
    }

    fn drawing(&mut self) -> Result<Drawing, Fault> {
        let how = self.table()?;
        // The table is the script's: what is left of it is a copy.
        let rest = self.lua.create_table().map_err(|error| script(&error))?;
        let mut from = LuaValue::Nil;
        for pair in how.pairs::<LuaValue, LuaValue>() {
            let (key, value) = pair.map_err(|error| script(&error))?;
            match key.as_string() {
                Some(word) if word == "from" => from = value,
                _ => rest.raw_set(key, value).map_err(|error| script(&error))?,
            }
        }
        let from = if from.is_nil() {
            None
        } else {
            Some(end(&from)?)
        };
        Ok(Drawing {
            from,
            audience: self.audience_in(&rest)?,
        })
    }

    fn end(&mut self) -> Result<End, Fault> {
        end(&self.next())
    }

    fn deck(&mut self) -> Result<DeckRef, Fault> {
        let value = self.next();
        let text = |name| {
            value
                .as_table()
                .and_then(|deck| deck.raw_get::<Option<String>>(name).ok())
                .flatten()
        };
        match text("id") {
            Some(id) => Ok(DeckRef {
                id: id.into(),
                of: text("side").map(Name::from),
            }),
            None => Err(self.mismatch("a deck", &value)),
        }
    }

    fn cards(&mut self) -> Result<Paid<Name>, Fault> {
        let table = self.table()?;
        self.list(&table, |card| match card {
            LuaValue::String(card) => self.lossy(card),
            other => Err(wrong("a list of cards", other)),
        })
    }

    fn worths(&mut self) -> Result<Worths, Fault> {
        let table = self.table()?;
        let tables = self.shared.tables().map_err(|error| script(&error))?;
        let before = tables.budget.parts();
        if let Some((worths, parts)) = self.shared.kept.borrow().worths(&table) {
            tables.budget.set_parts(before + parts);
            return Ok(worths);
        }
        let mut worths = Vec::new();
        for pair in table.pairs::<LuaValue, LuaValue>() {
            let (chit, worth) = pair.map_err(|error| script(&error))?;
            let LuaValue::String(chit) = chit else {
                return Err(wrong("worths by the names of chits", &chit));
            };
            worths.push((self.lossy(&chit)?, worth_of(&tables, &worth)?));
            // Each is paid for with the rest; they are not all made first.
            let parts = tables.budget.parts() - before;
            if parts.saturating_mul(CHECKS_A_PART) > tables.budget.get() {
                return Err(too_long());
            }
        }
        let bad = |error: Uneven| Fault::new(FaultCode::WrongType, error.to_string());
        let worths = Worths::new(worths).map_err(bad)?;
        let parts = tables.budget.parts() - before;
        Ok(self
            .shared
            .kept
            .borrow_mut()
            .keep_worths(&table, worths, parts))
    }

    fn untyped(&mut self) -> Result<Untyped, Fault> {
        let value = self.next();
        self.loose(value)
    }

    fn rest(&mut self) -> Result<Vec<Untyped>, Fault> {
        let mut rest = Vec::new();
        while self.next < self.list.len() {
            rest.push(self.untyped()?);
        }
        Ok(rest)
    }

    fn fields(&mut self) -> Result<Vec<(Name, Untyped)>, Fault> {
        let Some(table) = self.optional_table()? else {
            return Ok(Vec::new());
        };
        let one = |pair: mlua::Result<(String, LuaValue)>| {
            let (name, value) =
                pair.map_err(|_| Fault::new(FaultCode::WrongType, "expected attributes by name"))?;
            Ok((name.into(), self.loose(value)?))
        };
        table.pairs().map(one).collect()
    }

    fn record(&mut self) -> Result<Untyped, Fault> {
        match self.optional_table()? {
            Some(table) => self.loose(LuaValue::Table(table)),
            None => Ok(Value::Map(std::sync::Arc::default()).into()),
        }
    }

    fn asking(&mut self) -> Result<QuestionSpec, Fault> {
        let (id, text, sides) = (self.text()?, self.text()?, self.table()?);
        let options = self.optional_table()?;
        let mut to = Vec::new();
        for one in sides.sequence_values::<Table>().flatten() {
            let side: LuaString = one.get("side").map_err(|_| {
                Fault::new(
                    FaultCode::BadQuestion,
                    format!("`{id}`: expected a side to ask"),
                )
            })?;
            to.push((self.lossy(&side)?, self.loose(field(&one, "domain"))?));
        }
        let option = |name| {
            options
                .as_ref()
                .map_or(LuaValue::Nil, |options| field(options, name))
        };
        let about = match option("about") {
            LuaValue::Table(list) => {
                self.shared.running.spend(list.raw_len() as u64)?;
                list.sequence_values()
                    .flatten()
                    .map(entity_from_lua)
                    .collect::<Vec<EntityId>>()
            }
            _ => Vec::new(),
        };
        let is_secret = matches!(option("secret"), LuaValue::Boolean(true));
        let reveals = option("reveals").as_string().map(|why| self.lossy(why));
        Ok(QuestionSpec {
            id,
            text,
            to,
            is_secret,
            about,
            reveals: reveals.transpose()?,
        })
    }
}
