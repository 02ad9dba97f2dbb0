//! Reads values of a known type from text.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{LARGEST_INT, Mismatch, Name, Type, Value, is_id};

use super::{DEEPEST, Find, die_of, inside, keep, mismatch, quoted, unknown_field};

const WINDS: [(&str, i32); 8] = [
    ("n", 0),
    ("ne", 45),
    ("e", 90),
    ("se", 135),
    ("s", 180),
    ("sw", 225),
    ("w", 270),
    ("nw", 315),
];

const UNITS: [(&str, i64); 4] = [("in", 25_400), ("cm", 10_000), ("mm", 1_000), ("um", 1)];

/// Reads a value of a type.
///
/// ```
/// use rules::types::{Records, no_entities, parse_type, parse_value};
/// use kernel::{geometry::Length, value::Value};
/// let length = parse_type("length", &Records::new()).unwrap();
/// let read = |text| parse_value(&length, text, &no_entities);
/// assert_eq!(read("3.5in"), Ok(Value::Length(Length::tenths_of_inch(35))));
/// assert!(read("0.00001in").is_err(), "not a whole number of micrometres");
/// ```
///
/// # Errors
/// The first place where the text does not fit the type.
pub fn parse_value(ty: &Type, text: &str, find: Find<'_>) -> Result<Value, Mismatch> {
    let trimmed = text.trim();
    if let Some(value) = whole_text(ty, text, trimmed) {
        return Ok(value);
    }
    let mut reader = Text {
        rest: trimmed,
        find,
    };
    let value = reader.value(ty, 0)?;
    reader.space();
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(mismatch(ty, quoted(trimmed)))
    }
}

/// A text that stands alone needs no quotes, whatever is in it.
fn whole_text(ty: &Type, text: &str, trimmed: &str) -> Option<Value> {
    match ty {
        Type::Text if !trimmed.starts_with('"') => Some(Value::text(text)),
        Type::Optional(inner) if trimmed != "nil" => whole_text(inner, text, trimmed),
        Type::Verdict if trimmed != "nil" => whole_text(&Type::Text, text, trimmed),
        _ => None,
    }
}

/// Reads a length: `12in`, `3.5in`, `10cm`, `5mm`, `254000um`.
///
/// # Errors
/// When it is not a number with a unit, not a whole number of micrometres, or
/// too long for the kernel.
pub fn parse_length(text: &str) -> Result<Length, Mismatch> {
    match parse_value(&Type::Length, text, &super::no_entities)? {
        Value::Length(length) => Ok(length),
        other => Err(mismatch("a length", other.type_word())),
    }
}

/// A decimal number, exactly: `digits / 10^places`.
struct Decimal {
    digits: i128,
    places: u32,
}

impl Decimal {
    /// The whole number of units in so many times `factor`, if it is one.
    fn times(&self, factor: i64) -> Option<i64> {
        let product = self.digits.checked_mul(i128::from(factor))?;
        let scale = 10i128.checked_pow(self.places)?;
        (product % scale == 0).then(|| i64::try_from(product / scale).ok())?
    }
}

struct Text<'a> {
    rest: &'a str,
    find: Find<'a>,
}

impl<'a> Text<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        self.eat_tight(token)
    }

    fn eat_tight(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn fail<T>(&self, expected: impl ToString) -> Result<T, Mismatch> {
        Err(mismatch(expected, quoted(self.rest)))
    }

    fn value(&mut self, ty: &Type, depth: usize) -> Result<Value, Mismatch> {
        if depth > DEEPEST {
            return self.fail("values nested less deep");
        }
        self.space();
        let before = self.rest;
        let value = match ty {
            Type::Any => return self.anything(depth),
            Type::Bool => self.token(|word| word.parse().ok().map(Value::Bool)),
            Type::Int { min, max } => self.token(|word| {
                integer(word)
                    .filter(|n| (min..=max).contains(&n))
                    .map(Value::Int)
            }),
            Type::Text => self.some_text().map(|text| Value::text(&text)),
            Type::Id => self
                .some_text()
                .filter(|text| is_id(text))
                .map(|text| Value::text(&text)),
            Type::Enum(tags) => self
                .some_text()
                .and_then(|text| tags.iter().find(|tag| ***tag == *text))
                .cloned()
                .map(Value::Text),
            Type::Entity(_) => self.entity(),
            Type::Length => self.length().map(Value::Length),
            Type::Angle => self.angle().map(Value::Angle),
            Type::Direction => self.direction().map(Value::Direction),
            Type::Point => self.point().map(Value::Point),
            Type::Hex => self.hex().map(Value::Hex),
            Type::Die => self.token(die_of_word),
            Type::Path => return self.path(depth),
            Type::List(inner) => return self.list(inner, depth),
            Type::Map(inner) => return self.map(ty, &|_| Some((**inner).clone()), depth),
            Type::Record(_) => return self.record(ty, depth),
            Type::Optional(inner) => return self.optional(inner, depth),
            Type::Verdict => return self.optional(&Type::Text, depth),
        };
        // What follows it, if the value is a part of something, is not what is wrong.
        value.ok_or_else(|| {
            let read = before[..before.len() - self.rest.len()].trim();
            mismatch(ty, quoted(if read.is_empty() { before } else { read }))
        })
    }

    fn optional(&mut self, inner: &Type, depth: usize) -> Result<Value, Mismatch> {
        let before = self.rest;
        if self.word() == "nil" {
            return Ok(Value::None);
        }
        self.rest = before;
        self.value(inner, depth + 1)
    }

    /// A bare word: everything up to a space or a mark of punctuation.
    fn word(&mut self) -> &'a str {
        let stops = |c: char| {
            c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | '(' | ')' | '=' | '"')
        };
        let end = self.rest.find(stops).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn token(&mut self, read: impl Fn(&str) -> Option<Value>) -> Option<Value> {
        read(self.word())
    }

    /// Quoted text, or bare text up to a comma or a closing bracket.
    fn some_text(&mut self) -> Option<String> {
        if self.rest.starts_with('"') {
            return self.quoted();
        }
        let stops = |c: char| matches!(c, ',' | '[' | ']' | '{' | '}' | '"' | '=');
        let end = self.rest.find(stops).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_string())
    }

    fn quoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[i + 1..];
                    return Some(text);
                }
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    c @ ('"' | '\\') => text.push(c),
                    _ => return None,
                },
                c => text.push(c),
            }
        }
        None
    }

    fn entity(&mut self) -> Option<Value> {
        self.eat_tight("@");
        let name = if self.rest.starts_with('"') {
            self.quoted()?
        } else {
            self.word().to_string()
        };
        (self.find)(&name).map(Value::Entity)
    }

    fn decimal(&mut self) -> Option<Decimal> {
        let negative = self.eat_tight("-");
        let whole = self.digits();
        let part = if self.eat_tight(".") {
            Some(self.digits())
        } else {
            None
        };
        if whole.is_empty() || part == Some("") || whole.len() > 19 {
            return None;
        }
        let part = part.unwrap_or_default().trim_end_matches('0');
        if part.len() > 9 {
            return None;
        }
        let digits: i128 = format!("{whole}{part}").parse().ok()?;
        Some(Decimal {
            digits: if negative { -digits } else { digits },
            places: part.len() as u32,
        })
    }

    fn digits(&mut self) -> &'a str {
        let end = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits
    }

    fn length(&mut self) -> Option<Length> {
        let number = self.decimal()?;
        // Reports write `12 in`.
        self.space();
        let unit = self.word();
        let (_, um) = UNITS.iter().find(|(name, _)| *name == unit)?;
        number.times(*um).map(Length::from_um)
    }

    fn angle(&mut self) -> Option<Angle> {
        let negative = self.eat_tight("-");
        let number = self.decimal()?;
        if number.digits < 0 {
            return None;
        }
        let minutes = if self.eat_tight("'") {
            number.times(1)?
        } else if self.eat_tight("deg") || self.eat_tight("°") {
            let degrees = number.times(60)?;
            let more = self.digits();
            if more.is_empty() {
                degrees
            } else {
                let more: i64 = more
                    .parse()
                    .ok()
                    .filter(|more| *more < 60 && self.eat_tight("'"))?;
                degrees.checked_add(more)?
            }
        } else {
            return None;
        };
        i32::try_from(if negative { -minutes } else { minutes })
            .ok()
            .map(Angle::from_minutes)
    }

    fn direction(&mut self) -> Option<Direction> {
        if self.eat_tight("^") {
            return self.digits().parse().ok().map(Direction::from_minutes);
        }
        if self
            .rest
            .starts_with(|c: char| c == '-' || c.is_ascii_digit())
        {
            return self
                .angle()
                .map(|angle| Direction::from_minutes(angle.normalised().minutes()));
        }
        let word = self.word();
        WINDS
            .iter()
            .find(|(wind, _)| *wind == word)
            .map(|(_, degrees)| Direction::degrees(*degrees))
    }

    fn point(&mut self) -> Option<Point> {
        let mut ordinate = |open| {
            if !self.eat(open) {
                return None;
            }
            self.space();
            self.length()
        };
        let (x, y) = (ordinate("(")?, ordinate(",")?);
        if self.eat(")") {
            Point::checked(x, y)
        } else {
            None
        }
    }

    /// `<3,-1>` by its coordinates, `h0304` or `0304` by its name on maps.
    fn hex(&mut self) -> Option<Hex> {
        if !self.rest.starts_with('<') {
            return Hex::named(self.word());
        }
        let mut coordinate = |open| {
            if !self.eat(open) {
                return None;
            }
            self.space();
            let sign = if self.eat_tight("-") { -1 } else { 1 };
            self.digits().parse::<i64>().ok().map(|n| sign * n)
        };
        let (q, r) = (coordinate("<")?, coordinate(",")?);
        if self.eat(">") {
            Hex::checked(q, r)
        } else {
            None
        }
    }

    fn path(&mut self, depth: usize) -> Result<Value, Mismatch> {
        let before = self.rest;
        match self.list(&Type::Point, depth)? {
            Value::List(points) if points.len() < 2 => {
                Err(mismatch("a path of two or more points", quoted(before)))
            }
            path => Ok(path),
        }
    }

    fn list(&mut self, inner: &Type, depth: usize) -> Result<Value, Mismatch> {
        if !self.eat("[") {
            return self.fail(format_args!("`[` of a list of {inner}"));
        }
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() && !self.eat(",") {
                return self.fail("`,` or `]`");
            }
            let item = self.value(inner, depth + 1);
            items.push(item.map_err(|m| inside(&format!("[{}]", items.len() + 1), m))?);
        }
        Ok(Value::list(items))
    }

    fn record(&mut self, ty: &Type, depth: usize) -> Result<Value, Mismatch> {
        let Type::Record(fields) = ty else {
            return self.fail(ty);
        };
        let find = |name: &str| {
            fields
                .iter()
                .find(|field| *field.name == *name)
                .map(|field| field.ty.clone())
        };
        let value = self.map(ty, &find, depth)?;
        let missing = |field: &&kernel::value::Field| {
            !matches!(field.ty, Type::Optional(_) | Type::Any | Type::Verdict)
                && value.field(&field.name).is_none()
        };
        match fields.iter().find(missing) {
            Some(field) => Err(inside(&field.name, mismatch(&field.ty, "nothing"))),
            None => Ok(value),
        }
    }

    fn map(
        &mut self,
        ty: &Type,
        type_of: &dyn Fn(&str) -> Option<Type>,
        depth: usize,
    ) -> Result<Value, Mismatch> {
        if !self.eat("{") {
            return self.fail(format_args!("`{{` of {ty}"));
        }
        let mut map: BTreeMap<Name, Value> = BTreeMap::new();
        let mut is_first = true;
        while !self.eat("}") {
            if !is_first && !self.eat(",") {
                return self.fail("`,` or `}`");
            }
            is_first = false;
            self.space();
            let before = self.rest;
            let key = if self.rest.starts_with('"') {
                self.quoted()
            } else {
                Some(self.word().to_string())
            };
            let Some(key) = key.filter(|key| !key.is_empty()) else {
                return Err(mismatch("a key", quoted(before)));
            };
            let Some(inner) = type_of(&key) else {
                return Err(unknown_field(ty, &key));
            };
            if map.contains_key(key.as_str()) {
                return Err(mismatch("each key once", format!("{} twice", quoted(&key))));
            }
            if !self.eat("=") {
                return self.fail(format_args!("`=` after {}", quoted(&key)));
            }
            let value = self.value(&inner, depth + 1).map_err(|m| inside(&key, m))?;
            keep(&mut map, &Arc::from(key), value);
        }
        Ok(Value::Map(Arc::new(map)))
    }

    /// Without a type the form decides; what has none is text.
    fn anything(&mut self, depth: usize) -> Result<Value, Mismatch> {
        match self.rest.chars().next() {
            Some('[') => return self.list(&Type::Any, depth),
            Some('{') => return self.map(&Type::Any, &|_| Some(Type::Any), depth),
            Some('(') => return self.value(&Type::Point, depth),
            Some('<') => return self.value(&Type::Hex, depth),
            Some('@') => return self.value(&Type::Entity(None), depth),
            Some('^') => return self.value(&Type::Direction, depth),
            Some('"') | None => return self.value(&Type::Text, depth),
            _ => {}
        }
        let before = self.rest;
        if before.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            for ty in [Type::Length, Type::Angle, Type::INT] {
                if let Ok(value) = self.value(&ty, depth) {
                    return Ok(value);
                }
                self.rest = before;
            }
        }
        let text = self.some_text().unwrap_or_default();
        Ok(match text.as_str() {
            "" => return Err(mismatch("a value", quoted(before))),
            "nil" => Value::None,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => die_of_word(text).unwrap_or_else(|| Value::text(text)),
        })
    }
}

fn integer(word: &str) -> Option<i64> {
    word.parse()
        .ok()
        .filter(|n| (-LARGEST_INT..=LARGEST_INT).contains(n))
}

fn die_of_word(word: &str) -> Option<Value> {
    die_of(word).map(Value::Die)
}
