//! Types and values as text: what mods write in signatures and data, what
//! players write on a command line, and what reports print.
//!
//! | type | values |
//! |---|---|
//! | `any` | everything; a bare word is a text |
//! | `bool` | `true`, `false` |
//! | `integer`, `integer 0..5` | `3` |
//! | `text`, `id` | bare, or in double quotes |
//! | `close\|medium\|long` | one of the tags |
//! | `entity`, `entity(skirmish.unit)` | `tank-1` or `@tank-1` |
//! | `length` | `12in`, `3.5in`, `10cm`, `5mm`, `254000um` |
//! | `angle` | `30deg`, `90'`, `22deg30'` |
//! | `direction` | `n`, `ne`, `135deg` |
//! | `point` | `(10in, 8in)` |
//! | `hex` | `<3,-1>`, or by its name on maps `h0304` |
//! | `die` | `d8` |
//! | `path` | `[(0in, 0in), (4in, 0in)]` |
//! | `list(T)`, `map(T)` | `[1, 2]`, `{close = 3, long = 1}` |
//! | `{name: T, other: T?}` | `{name = 3}` |
//! | `T?` | a value of `T`, or `nil` |
//! | `verdict` | `nil` for allowed, or the reason why not |
//! | `skirmish.shot` | values of the record type of that id |
//!
//! Nothing here knows of worlds: whoever reads an entity says how to find it.

mod grammar;
mod printing;
mod ron_values;
mod text;
mod typed;

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::dice::Die;
use kernel::geometry::{Angle, Direction, Length, Point};
use kernel::value::{EntityId, Mismatch, Name, Type, Value};
use kernel::world::closest;

pub use grammar::{named_records, parse_effects, parse_fields, parse_type};
pub use printing::{Manner, Unit, ValuePart, print_parts, print_value, write_value};
pub use ron_values::from_ron;
pub use text::{parse_length, parse_value};
pub use typed::{domain_sort, element_of, found_words, typed, typed_domain};

/// The named types of the loaded mods, records and enums, by id.
pub type Records = BTreeMap<Name, Type>;

/// Finds an entity by its name, or by what whoever asks calls it.
pub type Find<'a> = &'a dyn Fn(&str) -> Option<EntityId>;

/// Types and values nested deeper than this are refused.
const DEEPEST: usize = 32;

/// For places where no entity can be meant: it finds none.
pub fn no_entities(_: &str) -> Option<EntityId> {
    None
}

/// What a place of a type holds when nothing is said: zero (or what is nearest
/// in the range), `false`, nothing written, the first tag, an empty list,
/// nothing for an optional. `None` for types without such a value: ids,
/// entities, dice, paths.
///
/// ```
/// use rules::types::{Records, natural_zero, parse_type};
/// use kernel::value::Value;
/// let records = Records::new();
/// let zero = |text| natural_zero(&parse_type(text, &records).unwrap());
/// assert_eq!(zero("integer 2..5"), Some(Value::Int(2)));
/// assert_eq!(zero("close|medium"), Some(Value::text("close")));
/// assert_eq!(zero("die"), None);
/// ```
pub fn natural_zero(ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::Any | Type::Optional(_) | Type::Verdict => Value::None,
        Type::Bool => Value::Bool(false),
        Type::Int { min, max } => Value::Int(0.clamp(*min, (*max).max(*min))),
        Type::Text => Value::text(""),
        Type::Enum(tags) => Value::Text(tags.first()?.clone()),
        Type::Length => Value::Length(Length::ZERO),
        Type::Angle => Value::Angle(Angle::ZERO),
        Type::Direction => Value::Direction(Direction::NORTH),
        Type::Point => Value::Point(Point::ORIGIN),
        Type::Hex => Value::Hex(kernel::geometry::Hex::ORIGIN),
        Type::List(_) => Value::list([]),
        Type::Map(_) => Value::record([]),
        Type::Record(fields) => {
            let mut map = BTreeMap::new();
            for field in fields.iter() {
                keep(&mut map, &field.name, natural_zero(&field.ty)?);
            }
            Value::Map(Arc::new(map))
        }
        Type::Id | Type::Entity(_) | Type::Die | Type::Path => return None,
    })
}

/// An absent field of a record is left out, so that equal records are equal.
fn keep(map: &mut BTreeMap<Name, Value>, name: &Name, value: Value) {
    if !value.is_none() {
        map.insert(name.clone(), value);
    }
}

fn mismatch(expected: impl ToString, found: impl Into<String>) -> Mismatch {
    let (mut expected, found) = (expected.to_string(), found.into());
    if let Some(number) = number_in(&found) {
        match expected.as_str() {
            "length" => {
                expected = format!("length with its unit, such as `{number}in` or `{number}cm`")
            }
            "angle" => expected = format!("angle with its unit, such as `{number}deg`"),
            "die" => expected = format!("die such as `d{number}`"),
            _ => {}
        }
    }
    if expected == "point" && found.starts_with("a list of ") {
        expected = "point in quotes, such as `\"(12in, 4in)\"`".into();
    }
    Mismatch {
        place: String::new(),
        expected,
        found,
    }
}

/// A field that a record does not have: the nearest that it has, or all of a few.
fn unknown_field(ty: &Type, key: &str) -> Mismatch {
    let fields: Vec<&str> = match ty {
        Type::Record(fields) => fields.iter().map(|field| &*field.name).collect(),
        _ => Vec::new(),
    };
    let expected = match closest(key, fields.iter().copied()) {
        Some(near) => format!("the field `{near}`"),
        None => ty.to_string(),
    };
    mismatch(expected, format!("the unknown field {}", quoted(key)))
}

/// The number in ``the integer 12`` or `` `12` ``, if that is all there is.
fn number_in(found: &str) -> Option<&str> {
    let number = found
        .trim_start_matches("the integer ")
        .trim_matches('`')
        .trim();
    number
        .parse::<f64>()
        .is_ok_and(f64::is_finite)
        .then_some(number)
}

/// The same mismatch, one level further out: in a field or in the n-th item.
fn inside(outer: &str, mut inner: Mismatch) -> Mismatch {
    inner.place = match inner.place.as_str() {
        "" => outer.into(),
        rest if rest.starts_with('[') => format!("{outer}{rest}"),
        rest => format!("{outer}.{rest}"),
    };
    inner
}

/// A piece of foreign text, short enough for a message.
fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    if short.is_empty() {
        "nothing".into()
    } else {
        format!("`{short}`")
    }
}

/// Whether a text can be a value of an enum.
pub(crate) fn is_tag(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_tag_letter)
}

fn is_tag_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/')
}

fn die_of(text: &str) -> Option<Die> {
    let sides = text
        .strip_prefix('d')
        .filter(|sides| sides.bytes().all(|b| b.is_ascii_digit()))?;
    Die::new(sides.parse().ok()?).ok()
}

/// The name of a kind: `ClosedGround` for `dsii.closed_ground`.
pub fn camel(id: &str) -> String {
    let rest = id.split_once('.').map_or(id, |(_, rest)| rest);
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    rest.split(['.', '_', '-']).map(word).collect()
}

#[cfg(test)]
mod tests;
