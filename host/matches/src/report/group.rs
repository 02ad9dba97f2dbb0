//! Events of one sort that are told together: `2 shots at blue-a-1, 26.6 to
//! 27.9 in`.
//!
//! What differs between them is drawn together where it can be: entities to a
//! list, lengths to the shortest and the longest. Where anything else differs
//! they are told apart.

use std::collections::BTreeMap;

use kernel::geometry::Length;
use kernel::value::{Name, Value};

/// A value of a template, or of several at once.
#[derive(Clone, PartialEq, Eq, Debug)]
enum GroupedValue {
    /// Names, and how each is said here: a unit is introduced once.
    Names(Vec<(String, String)>),
    Lengths(Length, Length),
    Text(String),
}

/// How a template's values are said.
pub(super) trait Sayer {
    /// The value of a name in braces; nothing for what is no name of a value.
    fn value(&mut self, name: &str) -> Option<Value>;
    /// Values in words.
    fn say(&mut self, value: &Value) -> String;
    /// A value by its bare name.
    fn name(&self, value: &Value) -> String;
    /// A field of the event, or else of what began the line.
    fn led(&self, _name: &str) -> Option<Value> {
        None
    }
}

/// Some events of one sort, and how they read together.
#[derive(Clone, Debug)]
pub(super) struct EventGroup {
    kind: Name,
    /// The word before the text.
    pub heading: String,
    template: Name,
    count: usize,
    cells: BTreeMap<String, GroupedValue>,
}

impl EventGroup {
    /// One event.
    pub fn new(kind: &Name, heading: String, template: &Name, sayer: &mut dyn Sayer) -> EventGroup {
        let mut cells = BTreeMap::new();
        let template = &Name::from(with_extras(template, sayer, &mut cells));
        for name in names_in(template) {
            // A unit is introduced once, though two parts of a text name it.
            if cells.contains_key(name) {
                continue;
            }
            let cell = match sayer.value(name) {
                Some(Value::Length(length)) => GroupedValue::Lengths(length, length),
                Some(value @ Value::Entity(_)) => {
                    GroupedValue::Names(vec![(sayer.name(&value), sayer.say(&value))])
                }
                Some(value) => GroupedValue::Text(sayer.say(&value)),
                None => continue,
            };
            cells.insert(name.to_string(), cell);
        }
        EventGroup {
            kind: kind.clone(),
            heading,
            template: template.clone(),
            count: 1,
            cells,
        }
    }

    /// Takes another in, if both read as one.
    pub fn takes(&mut self, other: &EventGroup) -> bool {
        let is_same = self.kind == other.kind && self.template == other.template;
        if !is_same || !self.template.contains('|') || !self.agrees(other) {
            return false;
        }
        self.count += other.count;
        for (name, cell) in &other.cells {
            if let Some(own) = self.cells.get_mut(name) {
                own.widen(cell);
            }
        }
        true
    }

    fn agrees(&self, other: &EventGroup) -> bool {
        self.cells.len() == other.cells.len()
            && self
                .cells
                .iter()
                .all(|(name, cell)| match (cell, other.cells.get(name)) {
                    (GroupedValue::Text(one), Some(GroupedValue::Text(two))) => one == two,
                    (GroupedValue::Names(_), Some(GroupedValue::Names(_)))
                    | (GroupedValue::Lengths(..), Some(GroupedValue::Lengths(..))) => true,
                    _ => false,
                })
    }

    /// How it reads.
    pub fn text(&self, length: &dyn Fn(Length) -> String) -> String {
        let (one, many) = self
            .template
            .split_once('|')
            .unwrap_or((&self.template, &self.template));
        let mut text = String::new();
        let mut rest = if self.count == 1 { one } else { many };
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            match after
                .split_once('}')
                .map(|(name, after)| (self.cell(name, length), after))
            {
                Some((Some(value), after)) => {
                    text.push_str(&value);
                    rest = after;
                }
                _ => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text + rest
    }

    fn cell(&self, name: &str, length: &dyn Fn(Length) -> String) -> Option<String> {
        // A field of that name is meant before the number of events.
        let Some(cell) = self.cells.get(name) else {
            return (name == "count").then(|| self.count.to_string());
        };
        Some(match cell {
            GroupedValue::Names(names) => listed(names),
            GroupedValue::Text(text) => text.clone(),
            GroupedValue::Lengths(low, high) if length(*low) == length(*high) => length(*low),
            GroupedValue::Lengths(low, high) => {
                let (low, high) = (length(*low), length(*high));
                // `26.6 to 27.9 in`: the unit is said once.
                format!(
                    "{} to {high}",
                    low.rsplit_once(' ').map_or(&*low, |(number, _)| number)
                )
            }
        })
    }
}

impl GroupedValue {
    fn widen(&mut self, other: &GroupedValue) {
        match (self, other) {
            (GroupedValue::Names(names), GroupedValue::Names(more)) => {
                for name in more {
                    if names.iter().all(|(known, _)| *known != name.0) {
                        names.push(name.clone());
                    }
                }
            }
            (GroupedValue::Lengths(low, high), GroupedValue::Lengths(least, most)) => {
                *low = (*low).min(*least);
                *high = (*high).max(*most);
            }
            _ => {}
        }
    }
}

/// Adds a group to others as the last: to one that reads alike where there is
/// one, which is told then when the last of it happened.
pub(super) fn gather_at_end(groups: &mut Vec<EventGroup>, group: EventGroup) {
    match groups.iter_mut().position(|other| other.takes(&group)) {
        Some(place) => {
            let grown = groups.remove(place);
            groups.push(grown);
        }
        None => groups.push(group),
    }
}

/// Adds a group to others: to one that reads alike where there is one, or
/// after the last of its sort, so that all shots of a line stand before what
/// became of them.
pub(super) fn gather(groups: &mut Vec<EventGroup>, group: EventGroup) {
    if groups.iter_mut().any(|other| other.takes(&group)) {
        return;
    }
    let of_its_sort = groups.iter().rposition(|other| other.kind == group.kind);
    groups.insert(of_its_sort.map_or(groups.len(), |place| place + 1), group);
}

/// A template whose parts in square brackets have become values of their own:
/// what stands in one is said if all of it is known, here or of what began the
/// line, and events of which it differs are told apart.
fn with_extras(
    template: &str,
    sayer: &dyn Sayer,
    cells: &mut BTreeMap<String, GroupedValue>,
) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((inside, after)) = after.split_once(']') else {
            break;
        };
        let key = format!("#{}", cells.len());
        let extra = whole_text(inside, sayer).unwrap_or_default();
        text.push_str(before);
        text.push_str(&format!("{{{key}}}"));
        cells.insert(key, GroupedValue::Text(extra));
        rest = after;
    }
    text + rest
}

/// A text whose values are all known, by their bare names.
fn whole_text(text: &str, sayer: &dyn Sayer) -> Option<String> {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        whole.push_str(before);
        whole.push_str(&sayer.name(&sayer.led(name)?));
        rest = after;
    }
    Some(whole + rest)
}

/// Names as people list them.
fn listed(names: &[(String, String)]) -> String {
    let phrases: Vec<&str> = names.iter().map(|(_, phrase)| &**phrase).collect();
    match phrases.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => phrases.concat(),
    }
}

fn names_in(template: &str) -> impl Iterator<Item = &str> {
    template
        .split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Band(&'static str);

    impl Sayer for Band {
        fn value(&mut self, name: &str) -> Option<Value> {
            (name == "band").then(|| Value::text(self.0))
        }

        fn say(&mut self, value: &Value) -> String {
            value.as_text().unwrap_or_default().to_string()
        }

        fn name(&self, value: &Value) -> String {
            value.as_text().unwrap_or_default().to_string()
        }
    }

    #[test]
    fn shots_that_read_otherwise_stand_together_before_what_became_of_them() {
        let mut groups = Vec::new();
        for band in ["close", "long"] {
            for (kind, template) in [
                ("toy.shot", "1 shot, {band}|{count} shots, {band}"),
                ("toy.miss", "1 miss|{count} misses"),
            ] {
                let group = EventGroup::new(
                    &kind.into(),
                    String::new(),
                    &template.into(),
                    &mut Band(band),
                );
                gather(&mut groups, group);
            }
        }
        let texts: Vec<String> = groups
            .iter()
            .map(|group| group.text(&|_| String::new()))
            .collect();
        assert_eq!(texts, ["1 shot, close", "1 shot, long", "2 misses"]);
    }

    struct Kill(&'static str, Option<&'static str>);

    impl Sayer for Kill {
        fn value(&mut self, name: &str) -> Option<Value> {
            (name == "target").then(|| Value::text(self.0))
        }

        fn say(&mut self, value: &Value) -> String {
            value.as_text().unwrap_or_default().to_string()
        }

        fn name(&self, value: &Value) -> String {
            value.as_text().unwrap_or_default().to_string()
        }

        fn led(&self, name: &str) -> Option<Value> {
            self.1.filter(|_| name == "unit").map(Value::text)
        }
    }

    #[test]
    fn what_stands_in_brackets_is_said_where_it_is_known_and_parts_what_differs() {
        let template = "{target} lost[ by {unit}]|{count} lost[ by {unit}]".into();
        let kill = |by| {
            EventGroup::new(
                &"toy.kill".into(),
                String::new(),
                &template,
                &mut Kill("a", by),
            )
        };
        let mut groups = Vec::new();
        for by in [Some("red"), None, Some("red")] {
            gather_at_end(&mut groups, kill(by));
        }
        let texts: Vec<String> = groups
            .iter()
            .map(|group| group.text(&|_| String::new()))
            .collect();
        assert_eq!(texts, ["a lost", "2 lost by red"]);
    }
}
