//! Between values and the types of Rust.

use std::collections::BTreeMap;

use crate::value::FaultCode;
use crate::{
    Angle, Die, Direction, Domain, Entity, Fault, Hex, Length, Path, Point, Reason, Record, Value,
    Verdict,
};

/// What a value can be read as.
pub trait FromValue: Sized {
    /// The value as this type; another type is a fault of the mod.
    #[track_caller]
    fn from_value(value: Value) -> Self;
}

#[track_caller]
fn wrong(expected: &str, found: &Value) -> ! {
    Fault::coded(
        FaultCode::WrongType,
        &format!("expected {expected}, found {found:?}"),
    )
    .raise()
}

/// Of what gives nothing back, or nothing that is wanted.
impl FromValue for () {
    fn from_value(_: Value) {}
}

impl FromValue for Value {
    fn from_value(value: Value) -> Value {
        value
    }
}

macro_rules! whole {
    ($($ty:ty),*) => { $(
        impl FromValue for $ty {
            #[track_caller]
            fn from_value(value: Value) -> $ty {
                let number = match value {
                    Value::Int(n) | Value::Length(n) => n,
                    Value::Angle(n) | Value::Direction(n) => i64::from(n),
                    other => wrong("a number", &other),
                };
                match <$ty>::try_from(number) {
                    Ok(n) => n,
                    Err(_) => wrong(concat!("a number that fits ", stringify!($ty)), &Value::Int(number)),
                }
            }
        }
    )* };
}
whole!(i64, i32, u32, u16, u8, usize);

macro_rules! plain {
    ($($ty:ty: $variant:ident, $words:literal;)*) => { $(
        impl FromValue for $ty {
            #[track_caller]
            fn from_value(value: Value) -> $ty {
                match value {
                    Value::$variant(found) => found,
                    other => wrong($words, &other),
                }
            }
        }

        impl From<$ty> for Value {
            fn from(value: $ty) -> Value {
                Value::$variant(value)
            }
        }
    )* };
}
plain! {
    bool: Bool, "true or false";
    String: Text, "a text";
    Point: Point, "a point";
    Hex: Hex, "a hex";
    Die: Die, "a die";
}

impl FromValue for Entity {
    #[track_caller]
    fn from_value(value: Value) -> Entity {
        match value {
            Value::Entity(entity) => entity,
            other => wrong("an entity", &other),
        }
    }
}

impl From<Entity> for Value {
    fn from(entity: Entity) -> Value {
        Value::Entity(entity)
    }
}

impl FromValue for Verdict {
    /// What a rule that returns `verdict` gives.
    #[track_caller]
    fn from_value(value: Value) -> Verdict {
        match value {
            Value::Nothing => Ok(()),
            Value::Text(why) => Err(Reason::new(why)),
            other => wrong("a verdict", &other),
        }
    }
}

impl FromValue for Record {
    #[track_caller]
    fn from_value(value: Value) -> Record {
        match value {
            Value::Map(record) => record,
            Value::Nothing => Record::default(),
            Value::List(items) if items.is_empty() => Record::default(),
            other => wrong("a record", &other),
        }
    }
}

impl From<Record> for Value {
    fn from(record: Record) -> Value {
        Value::Map(record)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    #[track_caller]
    fn from_value(value: Value) -> Option<T> {
        if value == Value::Nothing {
            None
        } else {
            Some(T::from_value(value))
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    #[track_caller]
    fn from_value(value: Value) -> Vec<T> {
        match value {
            Value::List(items) => {
                // By hand: what a place is told of must not be read by an iterator.
                let mut read = Vec::with_capacity(items.len());
                for item in items {
                    read.push(T::from_value(item));
                }
                read
            }
            Value::Nothing => Vec::new(),
            Value::Map(map) if map.is_empty() => Vec::new(),
            other => wrong("a list", &other),
        }
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    #[track_caller]
    fn from_value(value: Value) -> BTreeMap<String, T> {
        let mut read = BTreeMap::new();
        for (name, value) in Record::from_value(value) {
            read.insert(name.into_owned(), T::from_value(value));
        }
        read
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => { $(impl From<$ty> for Value {
        fn from(n: $ty) -> Value {
            Value::Int(n.into())
        }
    })* };
}
numbers!(i64, i32, u32, u16, u8);

impl From<usize> for Value {
    fn from(n: usize) -> Value {
        Value::Int(n as i64)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nothing, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<BTreeMap<String, T>> for Value {
    fn from(map: BTreeMap<String, T>) -> Value {
        let fields = map.into_iter();
        Value::Map(Record::in_order(
            fields
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        ))
    }
}

/// What a rule may give back: nothing, a value, or a fault.
pub trait Answer {
    /// It as the host wants it.
    ///
    /// # Errors
    /// The fault, if it is one.
    fn answer(self) -> Result<Value, Fault>;
}

impl Answer for () {
    fn answer(self) -> Result<Value, Fault> {
        Ok(Value::Nothing)
    }
}

impl<T: Into<Value>> Answer for T {
    fn answer(self) -> Result<Value, Fault> {
        Ok(self.into())
    }
}

impl<T: Answer> Answer for Result<T, Fault> {
    fn answer(self) -> Result<Value, Fault> {
        self.and_then(Answer::answer)
    }
}

impl Answer for Verdict {
    fn answer(self) -> Result<Value, Fault> {
        Ok(self
            .err()
            .map_or(Value::Nothing, |reason| Value::Text(reason.text().into())))
    }
}

impl<T> From<Domain<T>> for Value {
    fn from(domain: Domain<T>) -> Value {
        domain.fields.into()
    }
}

macro_rules! measures {
    ($($ty:ident: $variant:ident, $words:literal;)*) => { $(
        impl FromValue for $ty {
            #[track_caller]
            fn from_value(value: Value) -> $ty {
                match value {
                    Value::$variant(n) => $ty(n),
                    other => wrong($words, &other),
                }
            }
        }

        impl From<$ty> for Value {
            fn from(value: $ty) -> Value {
                Value::$variant(value.0)
            }
        }
    )* };
}
measures! {
    Length: Length, "a length";
    Angle: Angle, "an angle";
    Direction: Direction, "a direction";
}

impl FromValue for Path {
    #[track_caller]
    fn from_value(value: Value) -> Path {
        Path(Vec::from_value(value))
    }
}

impl From<Path> for Value {
    fn from(path: Path) -> Value {
        path.0.into()
    }
}

/// Types that the contract has a name for.
pub trait Typed {
    /// The name: `integer`, `list(hex)`.
    fn name() -> String;
}

macro_rules! named {
    ($($ty:ty: $name:literal;)*) => { $(
        impl Typed for $ty {
            fn name() -> String {
                $name.into()
            }
        }
    )* };
}
named! {
    bool: "bool";
    i64: "integer";
    i32: "integer";
    u32: "integer";
    String: "text";
    Value: "any";
    Record: "any";
    Entity: "entity";
    Length: "length";
    Angle: "angle";
    Direction: "direction";
    Point: "point";
    Path: "path";
    Hex: "hex";
    Die: "die";
    Verdict: "verdict";
}

impl<T: Typed> Typed for Option<T> {
    fn name() -> String {
        format!("{}?", T::name())
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn name() -> String {
        format!("list({})", T::name())
    }
}

impl<T: Typed> Typed for BTreeMap<String, T> {
    fn name() -> String {
        format!("map({})", T::name())
    }
}
