//! RON files read piece by piece, so that one mistake does not hide the next
//! and each is reported at its own line.
//!
//! A file is first split into [`RawRon`]s, which are the very text of the file;
//! their place in it gives line and column.

use std::cell::OnceCell;
use std::fmt;

use super::lines::LineIndex;
use super::ron_words;
use super::sheet::Sheets;
use super::table_item::RowItem;
use kernel::error::{Fault, FaultCode, Place};
use kernel::world::closest;
use ron::Options;
use ron::error::SpannedError;
use ron::extensions::Extensions;
use ron::value::RawValue;
use rustc_hash::FxHashSet;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};

/// A part of a RON file that has not been read yet.
pub type RawRon<'a> = &'a RawValue;

/// A value out of a RON file, and where it stood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datum {
    /// The value.
    pub value: ron::Value,
    /// Where it stood.
    pub place: Place,
}

/// One RON file of a mod.
pub struct RonReader<'a> {
    module: &'a str,
    text: &'a str,
    /// Its top, by which all places are told.
    top: Place,
    /// Where each line begins, once somebody asks for a place.
    lines: OnceCell<LineIndex>,
    /// The `.csv` files that it may name.
    sheets: Option<&'a Sheets<'a>>,
}

impl<'a> RonReader<'a> {
    /// A file by its mod, its path in the mod's folder, and its text.
    pub fn new(module: &'a str, file: &'a str, text: &'a str) -> RonReader<'a> {
        let top = Place::new(module, file, 0);
        RonReader {
            module,
            text,
            top,
            lines: OnceCell::new(),
            sheets: None,
        }
    }

    /// The same with the `.csv` files that it may name.
    pub fn with_sheets(self, sheets: &'a Sheets<'a>) -> RonReader<'a> {
        RonReader {
            sheets: Some(sheets),
            ..self
        }
    }

    /// The rows of a `.csv` file.
    ///
    /// # Errors
    /// When it is not there, and everything that is wrong in it.
    pub fn sheet(&self, name: &str) -> Result<Vec<RowItem>, Vec<Fault>> {
        match self.sheets {
            Some(sheets) => sheets.rows(self.module, name),
            None => Sheets::default().rows(self.module, name),
        }
    }

    /// The mod it belongs to.
    pub fn module(&self) -> &'a str {
        self.module
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// When it does not parse.
    pub fn whole<T: Deserialize<'a>>(&self) -> Result<T, Fault> {
        options()
            .from_str(self.text)
            .map_err(|error| self.fault(&error, 0))
    }

    /// Reads a piece of the file.
    ///
    /// # Errors
    /// When it does not parse.
    pub fn part<T: Deserialize<'a>>(&self, piece: RawRon<'a>) -> Result<T, Fault> {
        let text = piece.get_ron();
        options()
            .from_str(text)
            .map_err(|error| self.fault(&error, self.offset(text)))
    }

    /// Reads a piece as a value whose type is not known yet.
    ///
    /// # Errors
    /// When it does not parse, has a bare name for a text, or a key twice.
    pub fn datum(&self, piece: RawRon<'a>) -> Result<Datum, Fault> {
        let Strict(value) = self.part(piece)?;
        Ok(Datum {
            value,
            place: self.place(piece),
        })
    }

    /// Where the file begins, after what says nothing.
    pub fn beginning(&self) -> Place {
        self.place_at(self.text.len() - after_space(self.text).len())
    }

    /// Where a piece begins.
    pub fn place(&self, piece: RawRon<'_>) -> Place {
        let text = piece.get_ron();
        self.place_at(self.offset(text) + text.len() - after_space(text).len())
    }

    /// Where a text first stands in the file in quotes; the top of the file if
    /// it does not.
    pub fn locate(&self, wanted: &str) -> Place {
        self.place_at(self.text.find(&format!("\"{wanted}\"")).unwrap_or(0))
    }

    /// The same behind the first place of another text, if that is there.
    pub fn locate_behind(&self, before: &str, wanted: &str) -> Place {
        let start = self.text.find(before).unwrap_or(0);
        let found = self.text[start..].find(&format!("\"{wanted}\""));
        found.map_or_else(|| self.locate(wanted), |at| self.place_at(start + at))
    }

    /// How far a slice of the text is from its start.
    fn offset(&self, slice: &str) -> usize {
        let offset = (slice.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if offset <= self.text.len() { offset } else { 0 }
    }

    fn place_at(&self, offset: usize) -> Place {
        let lines = self.lines.get_or_init(|| LineIndex::of(self.text));
        let (line, column) = lines.place(self.text, offset);
        Place {
            line,
            column,
            ..self.top.clone()
        }
    }

    fn fault(&self, error: &SpannedError, offset: usize) -> Fault {
        let base = self.place_at(offset);
        let (line, column) = (
            error.span.start.line.max(1) as u32,
            error.span.start.col as u32,
        );
        let column = if line == 1 {
            base.column.max(1) + column.max(1) - 1
        } else {
            column
        };
        let place = Place {
            line: base.line + line - 1,
            column,
            ..base
        };
        syntax_fault(
            &error.code,
            parted_line(self.text, place.line, place.column),
        )
        .at(place)
    }
}

fn options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The text without leading white space and comments.
pub(super) fn after_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(line) = rest.strip_prefix("//") {
            line.split_once('\n').map(|(_, after)| after)
        } else if rest.starts_with("/*") {
            after_block(rest)
        } else {
            return rest;
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

/// The text after a block comment, which may hold others.
fn after_block(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix("/*") {
            depth += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix("*/") {
            depth = depth.checked_sub(1)?;
            rest = after;
            if depth == 0 {
                return Some(rest);
            }
        } else {
            rest = rest.get(rest.chars().next()?.len_utf8()..)?;
        }
    }
}

/// A line of a text, parted before a column; both count from 1.
pub fn parted_line(text: &str, line: u32, column: u32) -> (&str, &str) {
    let from = |number: u32| number.saturating_sub(1) as usize;
    let line = text.lines().nth(from(line)).unwrap_or_default();
    let at = line.char_indices().nth(from(column));
    line.split_at(at.map_or(line.len(), |(at, _)| at))
}

/// What is wrong with the text of a file, whose line is parted where that shows.
pub fn syntax_fault(error: &ron::Error, line: (&str, &str)) -> Fault {
    use ron::Error as E;
    let fault = Fault::new(FaultCode::Syntax, ron_words::message_of(error));
    let near = match error {
        E::NoSuchStructField {
            expected, found, ..
        }
        | E::NoSuchEnumVariant {
            expected, found, ..
        } => closest(found, expected.iter().copied()),
        _ => None,
    };
    let near = near.map(|near| format!("did you mean `{near}`?"));
    let hint = near.or_else(|| ron_words::hint_of(error, line).map(String::from));
    hint.into_iter().fold(fault, Fault::hint)
}

/// The whole number of a RON value, if it is one.
pub fn integer_of(value: &ron::Value) -> Option<i64> {
    crate::types::from_ron(&kernel::value::Type::INT, value, &crate::types::no_entities)
        .ok()?
        .as_int()
}

/// The entries of a map or record, or the members of a list, unread.
#[derive(Clone, Debug)]
pub enum Entries<'a> {
    /// `{"close": 3}` or `(close: 3)`.
    Named(Vec<(String, RawRon<'a>)>),
    /// `["HEL", 3]` or `("HEL", 3)`.
    Listed(Vec<RawRon<'a>>),
}

impl Default for Entries<'_> {
    fn default() -> Self {
        Entries::Named(Vec::new())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map, a record or a list")
    }

    fn visit_unit<E>(self) -> Result<Entries<'de>, E> {
        Ok(Entries::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
        let mut entries: Vec<(String, RawRon<'de>)> = Vec::new();
        let mut known = FxHashSet::default();
        while let Some((key, piece)) = map.next_entry::<String, RawRon<'de>>()? {
            if !known.insert(key.clone()) {
                return Err(A::Error::custom(format_args!(
                    "expected each key once, found `{key}` twice"
                )));
            }
            entries.push((key, piece));
        }
        Ok(Entries::Named(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Entries<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Entries::Listed(items))
    }
}

/// A RON value read without forgiveness: a bare name is no text, and no key
/// comes twice.
struct Strict(ron::Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

impl<'de> DeserializeSeed<'de> for StrictVisitor {
    type Value = ron::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ron::Value, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = ron::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a bool, a text in quotes, a list or a map")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<ron::Value, E> {
        Ok(ron::Value::Bool(yes))
    }

    fn visit_i64<E>(self, n: i64) -> Result<ron::Value, E> {
        Ok(ron::Value::Number(n.into()))
    }

    fn visit_u64<E>(self, n: u64) -> Result<ron::Value, E> {
        let number = i64::try_from(n).map_or_else(|_| n.into(), ron::value::Number::from);
        Ok(ron::Value::Number(number))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<ron::Value, E> {
        Err(E::custom(
            "expected a whole number, or text with a unit such as \"3.5in\", found a decimal",
        ))
    }

    fn visit_char<E>(self, c: char) -> Result<ron::Value, E> {
        Ok(ron::Value::String(c.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<ron::Value, E> {
        Ok(ron::Value::String(text.to_string()))
    }

    fn visit_none<E>(self) -> Result<ron::Value, E> {
        Ok(ron::Value::Option(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<ron::Value, D::Error> {
        inner.deserialize_any(StrictVisitor)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<ron::Value, E> {
        Err(E::custom(
            "expected a value, found a bare name or `()`; texts and tags stand in quotes",
        ))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ron::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(StrictVisitor)? {
            items.push(item);
        }
        Ok(ron::Value::Seq(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ron::Value, A::Error> {
        let mut entries = ron::Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(StrictVisitor)?;
            if entries.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format_args!(
                    "expected each key once, found `{key}` twice"
                )));
            }
        }
        Ok(ron::Value::Map(entries))
    }
}
