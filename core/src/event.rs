//! Events: the only way out. What happened, who may know it, what caused it.

use std::sync::Arc;

use crate::value::{Name, Value};
use crate::world::Viewers;

/// The events that the kernel tells by itself; all others are declared by mods.
pub const KERNEL_EVENTS: [&str; 12] = [
    "action",
    "answer",
    "cards",
    "chits",
    "done",
    "pass",
    "phase",
    "reaction",
    "revealed",
    "roll",
    "shuffled",
    "taken_back",
];

/// A field of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventField {
    /// Its name.
    pub name: Name,
    /// What it holds.
    pub value: Value,
    /// Who sees it, of those who see the event.
    pub viewers: Viewers,
    /// Who sees each part of a record, of those; nothing where it is whole.
    /// What somebody may not see is listed as hidden, there or not.
    pub parts: Vec<(Name, Viewers)>,
}

impl EventField {
    /// A field that is shown as a whole.
    pub fn new(name: impl Into<Name>, value: Value, viewers: Viewers) -> EventField {
        EventField {
            name: name.into(),
            value,
            viewers,
            parts: Vec::new(),
        }
    }
}

/// Words for people beside a value of an event: what somebody chose, as it was offered, or for
/// whom cards are.
///
/// They follow from the rules, and are no part of what has happened: no hash covers them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Where the value stands: a field, or `params.` and the name of a parameter.
    pub place: Name,
    /// The words.
    pub words: Name,
    /// Who may read them, of those who see the value: words may say more than it does.
    pub viewers: Viewers,
}

/// What brought an event about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cause {
    /// The innermost rule or clause that was running: its id.
    pub rule: Option<Name>,
    /// The rules that were running, outermost first.
    pub stack: Arc<[Name]>,
    /// The first and last draw that it used, as numbered in its action.
    pub draws: Option<(u32, u32)>,
    /// What the innermost of those rules that says so gives away, in words.
    pub reveals: Option<Name>,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What sort: `skirmish.fire.shot`, or one of the kernel's own
    /// (`roll`, `chits`, `action`, `answer`, `phase`).
    pub kind: Name,
    /// Its fields, in the order they were declared.
    pub fields: Vec<EventField>,
    /// Words beside its values.
    pub remarks: Vec<Remark>,
    /// Who may know that it happened.
    pub audience: Viewers,
    /// What brought it about.
    pub cause: Cause,
    /// The action it belongs to: 0 for what happens before the first.
    pub action: u32,
}

/// What an event tells, by whatever rule it came about, and whoever may know of
/// it: dice of one size are the same, for whatever reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventContent {
    /// What sort it is.
    pub kind: Name,
    /// Its fields, each with its name.
    pub fields: Vec<(Name, Value)>,
}

impl Event {
    /// What it tells. What an action is called is a word for people, and is no part
    /// of it; nor are remarks.
    pub fn content(&self) -> EventContent {
        let is_act = matches!(&*self.kind, "action" | "reaction");
        let is_told = |field: &&EventField| !(is_act && &*field.name == "title");
        let of = |field: &EventField| (field.name.clone(), field.value.clone());
        EventContent {
            kind: self.kind.clone(),
            fields: self.fields.iter().filter(is_told).map(of).collect(),
        }
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields
            .iter()
            .find(|field| &*field.name == name)
            .map(|field| &field.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Die, Ladder, LadderEnd};

    fn event(kind: &str, fields: [(&str, Value); 2]) -> Event {
        let field = |(name, value)| EventField::new(name, value, Viewers::ALL);
        Event {
            kind: kind.into(),
            fields: fields.map(field).into(),
            remarks: Vec::new(),
            audience: Viewers::ALL,
            cause: Cause::default(),
            action: 0,
        }
    }

    /// Two house rules may shift a die to and fro: what is rolled is the same die.
    #[test]
    fn reasons_and_titles_tell_nothing() {
        let ladder = Ladder::new([6, 8, 10], LadderEnd::Stop, LadderEnd::Stop).unwrap();
        let die = Die::new(8).unwrap();
        let up = ladder.shift(&die, 1, "hill").unwrap().die;
        let shifted = ladder.shift(&up, -1, "smoke").unwrap().die;
        assert_eq!(shifted.reasons().len(), 2);
        let shot = |die: &Die| {
            event(
                "fire",
                [("die", Value::Die(die.clone())), ("at", Value::Int(1))],
            )
        };
        assert_eq!(shot(&shifted).content(), shot(&die).content());
        let act = |title: &str, kind: &str| {
            event(
                kind,
                [
                    ("action", Value::text("m.go")),
                    ("title", Value::text(title)),
                ],
            )
        };
        assert_eq!(
            act("Go", "action").content(),
            act("Move", "action").content()
        );
        assert_ne!(
            act("Go", "m.named").content(),
            act("Move", "m.named").content()
        );
    }
}
