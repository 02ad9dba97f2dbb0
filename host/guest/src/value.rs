//! Values, as rules pass them around.

use std::borrow::Cow;
use std::panic::Location;

use crate::bindings::houserule::contract::data::{self, Node, Span};
use crate::{Entity, FromValue, Hex, Point};

pub use data::FaultCode;

/// A piece of data.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An optional that is absent.
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A whole number, within plus or minus 2^53.
    Int(i64),
    /// Text, an id, or the tag of an enum.
    Text(String),
    /// An entity.
    Entity(Entity),
    /// A length in micrometres.
    Length(i64),
    /// An angle in minutes of arc.
    Angle(i32),
    /// A direction in minutes of arc.
    Direction(i32),
    /// A point of the table.
    Point(Point),
    /// A hex of the map.
    Hex(Hex),
    /// A die.
    Die(Die),
    /// A list.
    List(Vec<Value>),
    /// A map or a record.
    Map(Record),
}

/// The name of a field: that of the source, or one that was made.
pub type FieldName = Cow<'static, str>;

/// A record or map by name: attributes, parameters, what a window carries.
///
/// Most have two fields or three, so they lie one after another, in the order
/// of their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Vec<(FieldName, Value)>);

impl Record {
    /// The field of a name; where it is absent, what stands for nothing.
    ///
    /// A field of another type is a fault of the mod.
    #[track_caller]
    pub fn get<T: FromValue>(&self, name: &str) -> T {
        T::from_value(self.field(name).cloned().unwrap_or(Value::Nothing))
    }

    /// Whether there is such a field.
    pub fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// Sets a field.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Value) {
        self.put(name.into(), value);
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        let place = self.place(name).ok()?;
        Some(&self.0[place].1)
    }

    /// Takes the value of a field, which is nothing from then on.
    pub(crate) fn take(&mut self, name: &str) -> Value {
        match self.place(name) {
            Ok(place) => std::mem::replace(&mut self.0[place].1, Value::Nothing),
            Err(_) => Value::Nothing,
        }
    }

    /// The fields of a record of the host, which has them in order.
    pub(crate) fn in_order(fields: Vec<(FieldName, Value)>) -> Record {
        Record(fields)
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| (**other).cmp(name))
    }

    fn put(&mut self, name: FieldName, value: Value) {
        match self.place(&name) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (name, value)),
        }
    }
}

impl Extend<(FieldName, Value)> for Record {
    fn extend<T: IntoIterator<Item = (FieldName, Value)>>(&mut self, fields: T) {
        for (name, value) in fields {
            self.put(name, value);
        }
    }
}

impl IntoIterator for Record {
    type Item = (FieldName, Value);
    type IntoIter = std::vec::IntoIter<(FieldName, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A record from its fields.
///
/// ```
/// use houserule_guest::{Value, record};
/// let shot = record([("rounds", Value::from(3)), ("kind", "smoke".into())]);
/// assert_eq!(shot.get::<i64>("rounds"), 3);
/// ```
pub fn record<const N: usize>(fields: [(&'static str, Value); N]) -> Record {
    filled(N, &mut fields.into_iter())
}

/// Once for records of all lengths: each copy of the code must be compiled.
fn filled(count: usize, fields: &mut dyn Iterator<Item = (&'static str, Value)>) -> Record {
    let mut record = Record(Vec::with_capacity(count));
    for (name, value) in fields {
        if value != Value::Nothing {
            record.put(name.into(), value);
        }
    }
    record
}

/// A die with the reasons of its shifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Die {
    /// How many sides.
    pub sides: u16,
    pub(crate) shifts: Vec<data::Shift>,
}

impl PartialEq for data::Shift {
    fn eq(&self, other: &Self) -> bool {
        (self.by, self.was, self.is, &self.reason) == (other.by, other.was, other.is, &other.reason)
    }
}

impl Die {
    /// A die with so many sides.
    pub fn new(sides: u16) -> Die {
        Die {
            sides,
            shifts: Vec::new(),
        }
    }

    /// Why it was shifted, in order.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        self.shifts.iter().map(|shift| shift.reason.as_str())
    }

    pub(crate) fn wit(&self) -> data::Die {
        data::Die {
            sides: self.sides,
            shifts: self.shifts.clone(),
        }
    }

    pub(crate) fn from_wit(die: data::Die) -> Die {
        Die {
            sides: die.sides,
            shifts: die.shifts,
        }
    }
}

/// Why not, in words that players read; [`reason!`](crate::reason) makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A reason in words.
    pub fn new(text: impl Into<String>) -> Reason {
        Reason(text.into())
    }

    /// Its words.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Whether something is allowed: yes, or the reason why not.
pub type Verdict = Result<(), Reason>;

/// Why not, with values in braces: `reason!("it is {state}")`.
#[macro_export]
macro_rules! reason {
    ($($text:tt)*) => {
        $crate::Reason::new(format!($($text)*))
    };
}

/// Ends the function with why not: `refuse!("it is {state}")`.
#[macro_export]
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::reason!($($text)*))
    };
}

/// A length in micrometres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(pub i64);

/// An angle in minutes of arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Angle(pub i32);

/// A direction in minutes of arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(pub i32);

/// Points to walk, one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Point>);

/// A broken rule.
#[derive(Clone, Debug)]
pub struct Fault {
    code: FaultCode,
    message: String,
    hint: Option<String>,
    at: Option<(String, u32)>,
}

impl Fault {
    /// A fault of the mod's own (F029): what was expected and what was found.
    pub fn new(message: &str) -> Fault {
        Fault {
            code: FaultCode::Script,
            message: message.into(),
            hint: None,
            at: None,
        }
    }

    /// A fault of a code.
    pub fn coded(code: FaultCode, message: &str) -> Fault {
        Fault {
            code,
            ..Fault::new(message)
        }
    }

    /// The same fault with a hint.
    #[must_use]
    pub fn hint(mut self, hint: &str) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// The same fault with its place.
    #[must_use]
    pub fn at(mut self, file: &str, line: u32) -> Fault {
        self.at = Some((file.into(), line));
        self
    }

    /// Ends the rule that runs.
    #[track_caller]
    pub fn raise(self) -> ! {
        let caller = Location::caller();
        let fault = if self.at.is_some() {
            self
        } else {
            self.at(caller.file(), caller.line())
        };
        crate::bindings::houserule::contract::game::fail(&fault.into_wit());
        unreachable!("a rule that has failed does not go on")
    }

    pub(crate) fn into_wit(self) -> data::Fault {
        let at = self.at.map(|(file, line)| data::Place { file, line });
        data::Fault {
            code: self.code,
            message: self.message,
            hint: self.hint,
            at,
        }
    }
}

pub(crate) fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| text.to_string()).collect()
}

/// A value as an arena of the bindings, for what is not called often.
pub(crate) fn nodes(value: &Value) -> Vec<Node> {
    let mut nodes = vec![Node::Nothing];
    put(&mut nodes, 0, value);
    nodes
}

fn put(nodes: &mut Vec<Node>, at: usize, value: &Value) {
    nodes[at] = match value {
        Value::Nothing => Node::Nothing,
        Value::Bool(yes) => Node::Truth(*yes),
        Value::Int(n) => Node::Whole(*n),
        Value::Text(text) => Node::Text(text.clone()),
        Value::Entity(entity) => Node::Entity(entity.0),
        Value::Length(um) => Node::Length(*um),
        Value::Angle(minutes) => Node::Angle(*minutes),
        Value::Direction(minutes) => Node::Direction(*minutes),
        Value::Point(point) => Node::Point(data::Point {
            x: point.x,
            y: point.y,
        }),
        Value::Hex(hex) => Node::Hex(data::Hex { q: hex.q, r: hex.r }),
        Value::Die(die) => Node::Die(die.wit()),
        Value::List(items) => {
            let first = nodes.len();
            nodes.resize_with(first + items.len(), || Node::Nothing);
            for (i, item) in items.iter().enumerate() {
                put(nodes, first + i, item);
            }
            Node::Items(Span {
                first: first as u32,
                count: items.len() as u32,
            })
        }
        Value::Map(map) => {
            let first = nodes.len();
            nodes.resize_with(first + map.len() * 2, || Node::Nothing);
            for (i, (key, item)) in map.iter().enumerate() {
                nodes[first + i * 2] = Node::Text(key.to_string());
                put(nodes, first + i * 2 + 1, item);
            }
            Node::Fields(Span {
                first: first as u32,
                count: map.len() as u32 * 2,
            })
        }
    };
}

/// The value of an arena that the host has made.
pub(crate) fn read(mut nodes: Vec<Node>) -> Value {
    if nodes.is_empty() {
        Value::Nothing
    } else {
        take(&mut nodes, 0)
    }
}

/// The value of a node that holds no others.
fn leaf(node: Node) -> Value {
    match node {
        Node::Nothing | Node::Items(_) | Node::Fields(_) => Value::Nothing,
        Node::Truth(yes) => Value::Bool(yes),
        Node::Whole(n) => Value::Int(n),
        Node::Text(text) => Value::Text(text),
        Node::Entity(entity) => Value::Entity(Entity(entity)),
        Node::Length(um) => Value::Length(um),
        Node::Angle(minutes) => Value::Angle(minutes),
        Node::Direction(minutes) => Value::Direction(minutes),
        Node::Point(point) => Value::Point(Point {
            x: point.x,
            y: point.y,
        }),
        Node::Hex(hex) => Value::Hex(Hex { q: hex.q, r: hex.r }),
        Node::Die(die) => Value::Die(Die::from_wit(die)),
    }
}

fn take(nodes: &mut Vec<Node>, at: usize) -> Value {
    match std::mem::replace(&mut nodes[at], Node::Nothing) {
        Node::Items(span) => {
            let places = span.first as usize..(span.first + span.count) as usize;
            Value::List(places.map(|place| take(nodes, place)).collect())
        }
        Node::Fields(span) => {
            let mut record = Record::default();
            for key in (span.first as usize..(span.first + span.count) as usize).step_by(2) {
                if let Value::Text(name) = take(nodes, key) {
                    let value = take(nodes, key + 1);
                    record.put(name.into(), value);
                }
            }
            Value::Map(record)
        }
        other => leaf(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_from_its_arena() {
        let inner = record([("a", Value::List(vec![])), ("b", Value::from("x"))]);
        let value = Value::List(vec![
            1.into(),
            inner.into(),
            Hex { q: 3, r: -1 }.into(),
            Value::Nothing,
        ]);
        assert_eq!(read(nodes(&value)), value);
    }
}
