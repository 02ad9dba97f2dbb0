//! Events: the only way out. What happened, who may know it, what caused it.

use std::sync::Arc;

use crate::value::{Name, Value};
use crate::world::Viewers;

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
    /// Who may know that it happened.
    pub audience: Viewers,
    /// What brought it about.
    pub cause: Cause,
    /// The action it belongs to: 0 for what happens before the first.
    pub action: u32,
}

impl Event {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields
            .iter()
            .find(|field| &*field.name == name)
            .map(|field| &field.value)
    }
}
