//! Values as text, for records, command lines and scripts.
//!
//! | value | written |
//! |---|---|
//! | nothing | `nil` |
//! | bool, integer | `true`, `12` |
//! | text, id, enum tag | `"close"` |
//! | entity | `@tank-1` |
//! | length | `254000um` |
//! | angle, direction | `90'`, `^2700` (minutes of arc) |
//! | point | `(254000,127000)` (micrometres) |
//! | die | `d8` |
//! | list, map | `[1, 2]`, `{close = 3, long = 1}` |

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::dice::Die;
use crate::digest::Names;
use crate::geometry::{Angle, Direction, Hex, Length, Point};
use crate::value::{EntityId, Name, Value};

/// Values nested deeper than this do not parse.
const DEEPEST: usize = 32;

/// Writes a value as text.
pub fn print(value: &Value, names: &dyn Names) -> String {
    let mut text = String::new();
    write(value, names, &mut text);
    text
}

fn write(value: &Value, names: &dyn Names, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match value {
        Value::None => write!(out, "nil"),
        Value::Bool(yes) => write!(out, "{yes}"),
        Value::Int(n) => write!(out, "{n}"),
        Value::Text(text) => {
            quote(text, out);
            Ok(())
        }
        Value::Entity(entity) => {
            out.push('@');
            word_or_quoted(&names.name_of(*entity), out);
            Ok(())
        }
        Value::Length(length) => write!(out, "{}um", length.um()),
        Value::Angle(angle) => write!(out, "{}'", angle.minutes()),
        Value::Direction(direction) => write!(out, "^{}", direction.minutes()),
        Value::Point(point) => write!(out, "({},{})", point.x().um(), point.y().um()),
        Value::Hex(hex) => write!(out, "{hex}"),
        Value::Die(die) => write!(out, "d{}", die.sides()),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                separate(i, out);
                write(item, names, out);
            }
            out.push(']');
            Ok(())
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                separate(i, out);
                if crate::value::is_word(key) && !key.starts_with(|c: char| c.is_ascii_digit()) {
                    out.push_str(key);
                } else {
                    quote(key, out);
                }
                out.push_str(" = ");
                write(item, names, out);
            }
            out.push('}');
            Ok(())
        }
    };
}

fn separate(i: usize, out: &mut String) {
    if i > 0 {
        out.push_str(", ");
    }
}

/// Writes a name as it is where it reads as one word, else as a text.
pub(crate) fn word_or_quoted(name: &str, out: &mut String) {
    if !name.is_empty() && name.chars().all(is_part_of_word) {
        out.push_str(name);
    } else {
        quote(name, out);
    }
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '#')
}

/// Whether a value is nested no deeper than text can say.
pub(crate) fn is_shallow(value: &Value) -> bool {
    fn fits(value: &Value, depth: usize) -> bool {
        depth <= DEEPEST
            && match value {
                Value::List(items) => items.iter().all(|item| fits(item, depth + 1)),
                Value::Map(map) => map.values().all(|item| fits(item, depth + 1)),
                _ => true,
            }
    }
    fits(value, 0)
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Reads a value from text; `find` gives the entity of a name.
///
/// # Errors
/// What was expected, and at which character (from 1).
pub fn parse(text: &str, find: &dyn Fn(&str) -> Option<EntityId>) -> Result<Value, String> {
    let mut reader = NotationReader::new(text, find);
    let value = reader.value(0)?;
    reader.space();
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        reader.fail("nothing more")
    }
}

/// Reads values one after another from a line.
pub(crate) struct NotationReader<'a> {
    whole: &'a str,
    rest: &'a str,
    find: &'a dyn Fn(&str) -> Option<EntityId>,
}

impl<'a> NotationReader<'a> {
    pub(crate) fn new(
        text: &'a str,
        find: &'a dyn Fn(&str) -> Option<EntityId>,
    ) -> NotationReader<'a> {
        NotationReader {
            whole: text,
            rest: text,
            find,
        }
    }

    pub(crate) fn fail<T>(&self, expected: &str) -> Result<T, String> {
        let read = self.whole.strip_suffix(self.rest).unwrap_or(self.whole);
        let place = read.chars().count() + 1;
        let found: String = self.rest.chars().take(12).collect();
        let found = if found.is_empty() {
            "the end".to_string()
        } else {
            format!("`{found}`")
        };
        Err(format!(
            "expected {expected} at character {place}, found {found}"
        ))
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// What has not been read yet.
    pub(crate) fn rest(mut self) -> &'a str {
        self.space();
        self.rest
    }

    pub(crate) fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    pub(crate) fn eat(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            self.fail(&format!("`{token}`"))
        }
    }

    pub(crate) fn word(&mut self) -> &'a str {
        self.space();
        let end = self
            .rest
            .find(|c| !is_part_of_word(c))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A name, as [`word_or_quoted`] writes it.
    pub(crate) fn name(&mut self) -> Result<String, String> {
        self.space();
        if self.rest.starts_with('"') {
            self.quoted()
        } else {
            Ok(self.word().to_string())
        }
    }

    fn number(&mut self) -> Result<i64, String> {
        self.space();
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let sign = usize::from(self.rest.starts_with('-'));
        let end = sign + digits(&self.rest[sign..]);
        match self.rest[..end].parse() {
            Ok(number) => {
                self.rest = &self.rest[end..];
                Ok(number)
            }
            Err(_) => self.fail("a whole number"),
        }
    }

    pub(crate) fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return self.fail("values nested less deep");
        }
        self.space();
        match self.rest.chars().next() {
            Some('"') => Ok(Value::Text(Arc::from(self.quoted()?))),
            Some('@') => self.entity(),
            Some('(') => self.point(),
            Some('<') => self.hex(),
            Some('[') => self.list(depth),
            Some('{') => self.map(depth),
            Some('^') => {
                self.expect("^")?;
                let minutes = self.number()?;
                let minutes = i32::try_from(minutes).or_else(|_| self.fail("minutes of arc"))?;
                Ok(Value::Direction(Direction::from_minutes(minutes)))
            }
            Some(c) if c == '-' || c.is_ascii_digit() => self.measure(),
            _ => self.named(),
        }
    }

    fn named(&mut self) -> Result<Value, String> {
        let before = self.rest;
        let word = self.word();
        match word {
            "nil" => Ok(Value::None),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => {
                let sides = word
                    .strip_prefix('d')
                    .and_then(|sides| sides.parse::<u16>().ok());
                match sides.and_then(|sides| Die::new(sides).ok()) {
                    Some(die) => Ok(Value::Die(die)),
                    None => {
                        self.rest = before;
                        self.fail("a value")
                    }
                }
            }
        }
    }

    fn measure(&mut self) -> Result<Value, String> {
        let number = self.number()?;
        if let Some(rest) = self.rest.strip_prefix("um") {
            self.rest = rest;
            return Ok(Value::Length(Length::from_um(number)));
        }
        if let Some(rest) = self.rest.strip_prefix('\'') {
            self.rest = rest;
            return match i32::try_from(number) {
                Ok(minutes) => Ok(Value::Angle(Angle::from_minutes(minutes))),
                Err(_) => self.fail("an angle in minutes of arc"),
            };
        }
        if number.unsigned_abs() > crate::value::LARGEST_INT.unsigned_abs() {
            return self.fail("a number within 2^53");
        }
        Ok(Value::Int(number))
    }

    fn quoted(&mut self) -> Result<String, String> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[i + 1..];
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    _ => return self.fail("`\\\"`, `\\\\` or `\\n` in a text"),
                },
                c => text.push(c),
            }
        }
        self.fail("a closing quote")
    }

    fn entity(&mut self) -> Result<Value, String> {
        self.expect("@")?;
        let before = self.rest;
        let name = self.name()?;
        match (self.find)(&name) {
            Some(entity) => Ok(Value::Entity(entity)),
            None => {
                self.rest = before;
                self.fail("the name of an entity")
            }
        }
    }

    fn point(&mut self) -> Result<Value, String> {
        self.expect("(")?;
        let x = self.number()?;
        self.expect(",")?;
        let y = self.number()?;
        self.expect(")")?;
        Ok(Value::Point(Point::new(
            Length::from_um(x),
            Length::from_um(y),
        )))
    }

    fn hex(&mut self) -> Result<Value, String> {
        self.expect("<")?;
        let q = self.number()?;
        self.expect(",")?;
        let r = self.number()?;
        self.expect(">")?;
        Hex::checked(q, r).map_or_else(
            || self.fail("a hex nearer to the middle"),
            |hex| Ok(Value::Hex(hex)),
        )
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::list(items))
    }

    fn map(&mut self, depth: usize) -> Result<Value, String> {
        self.expect("{")?;
        let mut map: BTreeMap<Name, Value> = BTreeMap::new();
        while !self.eat("}") {
            if !map.is_empty() {
                self.expect(",")?;
            }
            self.space();
            let before = self.rest;
            let is_quoted = self.rest.starts_with('"');
            let key: Name = Arc::from(self.name()?);
            if (key.is_empty() && !is_quoted) || map.contains_key(&key) {
                self.rest = before;
                return self.fail("a key that was not there before");
            }
            self.expect("=")?;
            let value = self.value(depth + 1)?;
            map.insert(key, value);
        }
        Ok(Value::Map(Arc::new(map)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_told_by_its_character() {
        let fault = |text| parse(text, &|_| None).unwrap_err();
        assert!(fault("[\"a\", ?]").contains("at character 7"));
        assert!(fault("[\"\u{e9}\", ?]").contains("at character 7"));
    }
}
