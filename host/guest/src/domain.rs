//! What there is to choose from.

use crate::{Entity, Hex, Point, Record, Value, record};

/// The answers that there are to a question, or the values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain(pub(crate) Record);

/// A part of the table.
#[derive(Clone, Copy, Debug)]
pub enum Region {
    /// A centre and a radius.
    Disc(Point, i64),
    /// Its lower left and its upper right corner.
    Rectangle(Point, Point),
}

impl Domain {
    /// One of these, each with what the player reads.
    pub fn choices<T: Into<Value>, L: Into<String>>(list: impl IntoIterator<Item = (T, L)>) -> Domain {
        Domain(record([("domain", "choices".into()), ("choices", labelled(list))]))
    }

    /// One of these words.
    pub fn words<'a>(list: impl IntoIterator<Item = &'a str>) -> Domain {
        Domain::choices(list.into_iter().map(|word| (word, word)))
    }

    /// One of these entities.
    pub fn entities(list: impl IntoIterator<Item = Entity>) -> Domain {
        Domain::choices(choices_of(list))
    }

    /// One of these hexes.
    pub fn hexes(list: impl IntoIterator<Item = Hex>) -> Domain {
        Domain::choices(list.into_iter().map(|hex| (hex, hex.to_string())))
    }

    /// Yes or no.
    pub fn yes() -> Domain {
        Domain::choices([(true, "yes"), (false, "no")])
    }

    /// Some of these, each at most once.
    pub fn several<T: Into<Value>, L: Into<String>>(
        list: impl IntoIterator<Item = (T, L)>,
        min: u32,
        max: Option<u32>,
    ) -> Domain {
        let choices = labelled(list);
        let all = match &choices {
            Value::List(items) => items.len() as i64,
            _ => 0,
        };
        let max = max.map_or(all, i64::from);
        Domain(record([
            ("domain", "several".into()),
            ("choices", choices),
            ("min", min.into()),
            ("max", max.into()),
        ]))
    }

    /// Some of these entities, or none of them; nothing is asked where there
    /// are none.
    pub fn some_of(list: impl IntoIterator<Item = Entity>) -> Option<Domain> {
        let list: Vec<Entity> = list.into_iter().collect();
        if list.is_empty() { None } else { Some(Domain::several(choices_of(list), 0, None)) }
    }

    /// A whole number in a range.
    pub fn integer(min: i64, max: i64) -> Domain {
        Domain(record([("domain", "integer".into()), ("min", min.into()), ("max", max.into())]))
    }

    /// A point in any one of these; `candidates` are for bots.
    pub fn place(regions: impl IntoIterator<Item = Region>, candidates: Vec<Point>) -> Domain {
        let one = |region: Region| match region {
            Region::Disc(centre, radius) => {
                record([("centre", centre.into()), ("radius", Value::Int(radius))])
            }
            Region::Rectangle(min, max) => record([("min", min.into()), ("max", max.into())]),
        };
        let regions: Vec<Record> = regions.into_iter().map(one).collect();
        Domain(record([
            ("domain", "place".into()),
            ("regions", regions.into()),
            ("candidates", candidates.into()),
        ]))
    }

    /// A list of points to walk, without the start; `candidates` are for bots.
    pub fn route(from: Point, legs: u32, candidates: Vec<Vec<Point>>) -> Domain {
        Domain(record([
            ("domain", "route".into()),
            ("from", from.into()),
            ("legs", legs.into()),
            ("candidates", candidates.into()),
        ]))
    }

    /// The same with a rule that has the last word: it gets the arguments and
    /// the answer, and gives a verdict.
    #[must_use]
    pub fn checked(mut self, rule: &str, args: Vec<Value>) -> Domain {
        self.0.0.insert("check".into(), rule.into());
        self.0.0.insert("check_args".into(), args.into());
        self
    }
}

fn choices_of(list: impl IntoIterator<Item = Entity>) -> impl Iterator<Item = (Entity, String)> {
    list.into_iter().map(|entity| (entity, entity.label()))
}

fn labelled<T: Into<Value>, L: Into<String>>(list: impl IntoIterator<Item = (T, L)>) -> Value {
    let one = |(value, label): (T, L)| {
        Value::from(record([("value", value.into()), ("label", Value::Text(label.into()))]))
    };
    Value::List(list.into_iter().map(one).collect())
}
