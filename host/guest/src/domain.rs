//! What there is to choose from.

use std::marker::PhantomData;

use crate::{Entity, Hex, Path, Point, Record, Value, record};

/// The answers that there are to a question, or the values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain<T> {
    pub(crate) fields: Record,
    of: PhantomData<T>,
}

/// A part of the table.
#[derive(Clone, Copy, Debug)]
pub enum Region {
    /// A centre and a radius.
    Disc(Point, i64),
    /// Its lower left and its upper right corner.
    Rectangle(Point, Point),
}

/// What can be chosen from a list.
pub trait Choice: Into<Value> {
    /// What the player reads.
    fn label(&self) -> String;
}

impl Choice for Entity {
    fn label(&self) -> String {
        Entity::label(*self)
    }
}

impl Choice for Hex {
    fn label(&self) -> String {
        self.to_string()
    }
}

impl Choice for bool {
    fn label(&self) -> String {
        if *self { "yes".into() } else { "no".into() }
    }
}

impl Choice for String {
    fn label(&self) -> String {
        self.clone()
    }
}

impl<T> Domain<T> {
    fn new(fields: Record) -> Domain<T> {
        Domain {
            fields,
            of: PhantomData,
        }
    }

    /// The same with a rule that has the last word: it gets the arguments and
    /// the answer, and gives a verdict.
    #[must_use]
    pub fn checked(mut self, rule: &str, args: Vec<Value>) -> Domain<T> {
        self.fields.set("check", rule.into());
        self.fields.set("check_args", args.into());
        self
    }
}

impl<T: Into<Value>> Domain<T> {
    /// One of these, each with what the player reads.
    pub fn labelled<L: Into<String>>(list: impl IntoIterator<Item = (T, L)>) -> Domain<T> {
        Domain::new(record([
            ("domain", "choices".into()),
            ("choices", labelled(list)),
        ]))
    }
}

impl<T: Choice> Domain<T> {
    /// One of these.
    pub fn one_of(list: impl IntoIterator<Item = T>) -> Domain<T> {
        Domain::labelled(list.into_iter().map(with_label))
    }
}

impl<T: Choice> Domain<Vec<T>> {
    /// Some of these, each at most once.
    pub fn several(
        list: impl IntoIterator<Item = T>,
        min: u32,
        max: Option<u32>,
    ) -> Domain<Vec<T>> {
        let choices = labelled(list.into_iter().map(with_label));
        let all = match &choices {
            Value::List(items) => items.len() as i64,
            _ => 0,
        };
        let max = max.map_or(all, i64::from);
        Domain::new(record([
            ("domain", "several".into()),
            ("choices", choices),
            ("min", min.into()),
            ("max", max.into()),
        ]))
    }

    /// Some of these, or none of them; nothing is asked where there are none.
    pub fn some_of(list: impl IntoIterator<Item = T>) -> Option<Domain<Vec<T>>> {
        let list: Vec<T> = list.into_iter().collect();
        if list.is_empty() {
            None
        } else {
            Some(Domain::several(list, 0, None))
        }
    }
}

impl Domain<bool> {
    /// Yes or no.
    pub fn yes() -> Domain<bool> {
        Domain::one_of([true, false])
    }
}

impl Domain<i64> {
    /// A whole number in a range.
    pub fn between(min: i64, max: i64) -> Domain<i64> {
        Domain::new(record([
            ("domain", "integer".into()),
            ("min", min.into()),
            ("max", max.into()),
        ]))
    }
}

impl Domain<Point> {
    /// A point in any one of these; `candidates` are for bots.
    pub fn place(
        regions: impl IntoIterator<Item = Region>,
        candidates: Vec<Point>,
    ) -> Domain<Point> {
        let one = |region: Region| match region {
            Region::Disc(centre, radius) => {
                record([("centre", centre.into()), ("radius", Value::Int(radius))])
            }
            Region::Rectangle(min, max) => record([("min", min.into()), ("max", max.into())]),
        };
        let regions: Vec<Record> = regions.into_iter().map(one).collect();
        Domain::new(record([
            ("domain", "place".into()),
            ("regions", regions.into()),
            ("candidates", candidates.into()),
        ]))
    }
}

impl Domain<Path> {
    /// Points to walk, without the start; `candidates` are for bots.
    pub fn route(from: Point, legs: u32, candidates: Vec<Vec<Point>>) -> Domain<Path> {
        Domain::new(record([
            ("domain", "route".into()),
            ("from", from.into()),
            ("legs", legs.into()),
            ("candidates", candidates.into()),
        ]))
    }
}

fn with_label<T: Choice>(item: T) -> (T, String) {
    let label = item.label();
    (item, label)
}

fn labelled<T: Into<Value>, L: Into<String>>(list: impl IntoIterator<Item = (T, L)>) -> Value {
    let one = |(value, label): (T, L)| {
        Value::from(record([
            ("label", Value::Text(label.into())),
            ("value", value.into()),
        ]))
    };
    Value::List(list.into_iter().map(one).collect())
}
