//! Values that rules pass around and types that say which values fit.
//!
//! Everything that crosses a boundary (an attribute, an argument of a step,
//! an answer, a field of an event) is a [`Value`]; a [`Type`] is checked
//! there, once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::dice::Die;
use crate::geometry::{Angle, Direction, Hex, Length, Point};

/// A name or an id: of a rule, a kind, an attribute, an entity.
pub type Name = Arc<str>;

/// An entity of the world, by slot. Slots are never reused within a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntityId(pub u32);

/// A side of the game, by its place in the list of sides (0..32).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

/// A piece of data. Maps and records share one form; both are ordered by key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Value {
    /// An optional that is absent.
    #[default]
    None,
    /// A truth value.
    Bool(bool),
    /// A whole number, within plus or minus 2^53.
    Int(i64),
    /// Text, an id, or the tag of an enum.
    Text(Name),
    /// An entity.
    Entity(EntityId),
    /// A length in micrometres.
    Length(Length),
    /// An angle in minutes of arc.
    Angle(Angle),
    /// A facing.
    Direction(Direction),
    /// A point of the table.
    Point(Point),
    /// A hex of the map.
    Hex(Hex),
    /// A die with the reasons of its shifts.
    Die(Die),
    /// A list.
    List(Arc<[Value]>),
    /// A map or a record.
    Map(Arc<BTreeMap<Name, Value>>),
}

/// Whole numbers beyond this lose precision in a script; they are refused.
pub const LARGEST_INT: i64 = (1 << 53) - 1;

impl Value {
    /// Text from a string slice.
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// A list from its members.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::List(items.into_iter().collect())
    }

    /// A record from its fields.
    pub fn record<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value::Map(Arc::new(
            fields.into_iter().map(|(k, v)| (Arc::from(k), v)).collect(),
        ))
    }

    /// The field of a map or record; `None` where there is none.
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(map) => map.get(name),
            _ => None,
        }
    }

    /// The text, if this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is a number.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The entity, if this is one.
    pub fn as_entity(&self) -> Option<EntityId> {
        match self {
            Value::Entity(entity) => Some(*entity),
            _ => None,
        }
    }

    /// The point, if this is one.
    pub fn as_point(&self) -> Option<Point> {
        match self {
            Value::Point(point) => Some(*point),
            _ => None,
        }
    }

    /// The hex, if this is one.
    pub fn as_hex(&self) -> Option<Hex> {
        match self {
            Value::Hex(hex) => Some(*hex),
            _ => None,
        }
    }

    /// Whether this is an absent optional.
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// Every entity that this value mentions, in order.
    pub fn entities(&self, found: &mut Vec<EntityId>) {
        match self {
            Value::Entity(entity) => found.push(*entity),
            Value::List(items) => items.iter().for_each(|item| item.entities(found)),
            Value::Map(map) => map.values().for_each(|item| item.entities(found)),
            _ => {}
        }
    }

    /// Whether a die is in it. Two dice of as many sides count as equal,
    /// whatever shifted them, but a rule may tell the one from the other.
    pub fn holds_die(&self) -> bool {
        match self {
            Value::Die(_) => true,
            Value::List(items) => items.iter().any(Value::holds_die),
            Value::Map(map) => map.values().any(Value::holds_die),
            _ => false,
        }
    }

    /// Whether it is the same value, and the dice in it were shifted for the
    /// same reasons, which do not count where values are compared.
    pub fn is_exactly(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Die(mine), Value::Die(theirs)) => {
                mine == theirs && mine.reasons() == theirs.reasons()
            }
            (Value::List(mine), Value::List(theirs)) => {
                mine.len() == theirs.len()
                    && std::iter::zip(mine.iter(), theirs.iter()).all(|(a, b)| a.is_exactly(b))
            }
            (Value::Map(mine), Value::Map(theirs)) => {
                mine.len() == theirs.len()
                    && std::iter::zip(mine.iter(), theirs.iter())
                        .all(|((name, a), (other, b))| name == other && a.is_exactly(b))
            }
            _ => self == other,
        }
    }

    /// What kind of value this is, in the words of [`Type`].
    pub fn type_word(&self) -> &'static str {
        match self {
            Value::None => "nothing",
            Value::Bool(_) => "a bool",
            Value::Int(_) => "an integer",
            Value::Text(_) => "a text",
            Value::Entity(_) => "an entity",
            Value::Length(_) => "a length",
            Value::Angle(_) => "an angle",
            Value::Direction(_) => "a direction",
            Value::Point(_) => "a point",
            Value::Hex(_) => "a hex",
            Value::Die(_) => "a die",
            Value::List(_) => "a list",
            Value::Map(_) => "a record",
        }
    }
}

/// A field of a record, an argument of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// What fits in it.
    pub ty: Type,
}

/// Which values fit somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// Anything.
    Any,
    /// A truth value.
    Bool,
    /// A whole number from `min` to `max`, both included.
    Int {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// Any text.
    Text,
    /// The full id of something: two to five parts.
    Id,
    /// One of these tags.
    Enum(Arc<[Name]>),
    /// An entity; of this kind, if one is named.
    Entity(Option<Name>),
    /// A length.
    Length,
    /// An angle.
    Angle,
    /// A facing.
    Direction,
    /// A point of the table.
    Point,
    /// A hex of the map.
    Hex,
    /// A die.
    Die,
    /// Two or more points, walked in order.
    Path,
    /// A list of one type.
    List(Arc<Type>),
    /// A map from text to one type.
    Map(Arc<Type>),
    /// A record with these fields.
    Record(Arc<[Field]>),
    /// That type, or nothing.
    Optional(Arc<Type>),
    /// Whether something is allowed: nothing, or the reason why not.
    Verdict,
}

/// A value that does not fit its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Where inside the value: `shot.barrels`, or empty for the value itself.
    pub place: String,
    /// What fits there.
    pub expected: String,
    /// What stood there.
    pub found: String,
}

impl Mismatch {
    /// The same mismatch, one step further inside a value.
    #[must_use]
    pub fn inside(mut self, place: &str) -> Mismatch {
        self.place = match self.place.as_str() {
            "" => place.to_string(),
            inner if inner.starts_with('[') => format!("{place}{inner}"),
            inner => format!("{place}.{inner}"),
        };
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "`{}`: ", self.place)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// Tells the kind of an entity, so that a type can be checked without a world.
pub trait KindOf {
    /// The kind's id, if the entity exists.
    fn kind_of(&self, entity: EntityId) -> Option<&Name>;
}

impl Type {
    /// Any whole number.
    pub const INT: Type = Type::Int {
        min: -LARGEST_INT,
        max: LARGEST_INT,
    };

    /// Checks a value.
    ///
    /// # Errors
    /// The first place where the value does not fit.
    pub fn check(&self, value: &Value, kinds: &dyn KindOf) -> Result<(), Mismatch> {
        self.check_at(value, kinds, &ValuePlace::Whole)
    }

    fn check_at(
        &self,
        value: &Value,
        kinds: &dyn KindOf,
        place: &ValuePlace<'_>,
    ) -> Result<(), Mismatch> {
        let fits = match (self, value) {
            (Type::Any, _)
            | (Type::Bool, Value::Bool(_))
            | (Type::Text, Value::Text(_))
            | (Type::Length, Value::Length(_))
            | (Type::Angle, Value::Angle(_))
            | (Type::Direction, Value::Direction(_))
            | (Type::Point, Value::Point(_))
            | (Type::Hex, Value::Hex(_))
            | (Type::Die, Value::Die(_))
            | (Type::Optional(_) | Type::Verdict, Value::None)
            | (Type::Verdict, Value::Text(_)) => true,
            (Type::Int { min, max }, Value::Int(n)) => (min..=max).contains(&n),
            (Type::Id, Value::Text(text)) => is_id(text),
            (Type::Enum(tags), Value::Text(text)) => tags.contains(text),
            (Type::Entity(kind), Value::Entity(entity)) => {
                let found = kinds.kind_of(*entity);
                found.is_some() && kind.as_ref().is_none_or(|kind| found == Some(kind))
            }
            (Type::Optional(inner), value) => return inner.check_at(value, kinds, place),
            (Type::Path, Value::List(points)) => {
                points.len() >= 2 && points.iter().all(|p| matches!(p, Value::Point(_)))
            }
            (Type::List(inner), Value::List(items)) => {
                for (i, item) in items.iter().enumerate() {
                    inner.check_at(item, kinds, &ValuePlace::Item(place, i + 1))?;
                }
                true
            }
            (Type::Map(inner), Value::Map(map)) => {
                for (key, item) in map.iter() {
                    inner.check_at(item, kinds, &ValuePlace::Under(place, key))?;
                }
                true
            }
            (Type::Record(fields), Value::Map(map)) => {
                return check_record(fields, map, kinds, place);
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(self.mismatch(value, kinds, place))
        }
    }

    fn mismatch(&self, value: &Value, kinds: &dyn KindOf, place: &ValuePlace<'_>) -> Mismatch {
        let found = match value {
            Value::Int(n) => format!("the integer {n}"),
            Value::Text(text) => format!("`{text}`"),
            Value::Entity(entity) => match kinds.kind_of(*entity) {
                Some(kind) => format!("an entity of kind `{kind}`"),
                None => "an entity that is not there".into(),
            },
            other => other.type_word().into(),
        };
        Mismatch {
            place: place.to_string(),
            expected: self.to_string(),
            found,
        }
    }
}

/// Where in a value something lies; it is only written out for what does not fit.
enum ValuePlace<'a> {
    Whole,
    Item(&'a ValuePlace<'a>, usize),
    Under(&'a ValuePlace<'a>, &'a str),
}

impl fmt::Display for ValuePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuePlace::Whole => Ok(()),
            ValuePlace::Item(list, number) => write!(f, "{list}[{number}]"),
            ValuePlace::Under(ValuePlace::Whole, key) => f.write_str(key),
            ValuePlace::Under(record, key) => write!(f, "{record}.{key}"),
        }
    }
}

fn check_record(
    fields: &[Field],
    map: &BTreeMap<Name, Value>,
    kinds: &dyn KindOf,
    place: &ValuePlace<'_>,
) -> Result<(), Mismatch> {
    let mut known = 0;
    for field in fields {
        let value = map.get(&field.name);
        known += usize::from(value.is_some());
        field.ty.check_at(
            value.unwrap_or(&Value::None),
            kinds,
            &ValuePlace::Under(place, &field.name),
        )?;
    }
    if known == map.len() {
        return Ok(());
    }
    match map
        .keys()
        .find(|key| fields.iter().all(|field| field.name != **key))
    {
        None => Ok(()),
        Some(key) => Err(Mismatch {
            place: ValuePlace::Under(place, key).to_string(),
            expected: format!("one of {}", list_names(fields.iter().map(|f| &*f.name))),
            found: format!("the unknown field `{key}`"),
        }),
    }
}

fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

impl fmt::Display for Type {
    /// The type as mods write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Any => f.write_str("any"),
            Type::Bool => f.write_str("bool"),
            Type::Int { .. } if *self == Type::INT => f.write_str("integer"),
            Type::Int { min, max } => write!(f, "integer {min}..{max}"),
            Type::Text => f.write_str("text"),
            Type::Id => f.write_str("id"),
            Type::Enum(tags) => f.write_str(&tags.join("|")),
            Type::Entity(None) => f.write_str("entity"),
            Type::Entity(Some(kind)) => write!(f, "entity({kind})"),
            Type::Length => f.write_str("length"),
            Type::Angle => f.write_str("angle"),
            Type::Direction => f.write_str("direction"),
            Type::Point => f.write_str("point"),
            Type::Hex => f.write_str("hex"),
            Type::Die => f.write_str("die"),
            Type::Path => f.write_str("path"),
            Type::List(inner) => write!(f, "list({inner})"),
            Type::Map(inner) => write!(f, "map({inner})"),
            Type::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|x| format!("{}: {}", x.name, x.ty))
                    .collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
            Type::Optional(inner) => write!(f, "{inner}?"),
            Type::Verdict => f.write_str("verdict"),
        }
    }
}

/// Whether a text is a full id: two to five parts of lower case letters,
/// digits, `_` and `-`, joined by dots.
///
/// ```
/// use kernel::value::is_id;
/// assert!(is_id("skirmish.fire.to_hit"));
/// assert!(!is_id("fire") && !is_id("Skirmish.fire") && !is_id("a..b"));
/// ```
pub fn is_id(text: &str) -> bool {
    let parts = text.split('.').count();
    (2..=5).contains(&parts) && text.split('.').all(is_word)
}

/// Whether a text is one part of an id, or the name of an attribute.
pub fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

/// The first part of an id: the mod that owns it.
pub fn owner_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}
