//! What files register that are run again, in the place of what they registered
//! before.

use std::rc::Rc;

use kernel::value::Name;

use super::{Origin, RawLayer, RawLine, Registered, Registrations};

/// Whether something comes from a file that was run again.
type IsAgain<'a> = &'a dyn Fn(&Origin) -> bool;

impl Registrations {
    /// The same with what files registered when they were run again. `None`
    /// where that is not the same things in the same order, each with another
    /// content, or where other files count on the content while they are loaded.
    pub fn run_again(&self, anew: &Registrations, is_again: IsAgain<'_>) -> Option<Registrations> {
        let is_settled = anew.faults.is_empty()
            && untouched(&self.records, &anew.records, is_again)
            && untouched(&self.edits, &anew.edits, is_again)
            && untouched(&self.ladders, &anew.ladders, is_again);
        if !is_settled {
            return None;
        }
        let layer = |old: &Rc<RawLayer>, new: &Rc<RawLayer>| {
            let is_like = old.rule == new.rule && old.kind == new.kind;
            is_like.then(|| at_place(new, |raw| raw.registered = old.registered))
        };
        let line = |old: &Rc<RawLine>, new: &Rc<RawLine>| {
            let is_like = old.rule == new.rule && old.verb == new.verb;
            is_like.then(|| at_place(new, |raw| raw.registered = old.registered))
        };
        Some(Registrations {
            layers: replaced(&self.layers, &anew.layers, is_again, layer)?,
            lines: replaced(&self.lines, &anew.lines, is_again, line)?,
            signatures: alike(&self.signatures, &anew.signatures, is_again, |raw| {
                &raw.rule
            })?,
            actions: alike(&self.actions, &anew.actions, is_again, |raw| &raw.id)?,
            phases: alike(&self.phases, &anew.phases, is_again, |raw| &raw.id)?,
            removed_phases: alike(&self.removed_phases, &anew.removed_phases, is_again, of_two)?,
            windows: alike(&self.windows, &anew.windows, is_again, |raw| &raw.id)?,
            events: alike(&self.events, &anew.events, is_again, |raw| &raw.id)?,
            listeners: alike(&self.listeners, &anew.listeners, is_again, |raw| &raw.1)?,
            opened: alike(&self.opened, &anew.opened, is_again, |raw| &raw.0)?,
            records: self.records.clone(),
            edits: self.edits.clone(),
            ladders: self.ladders.clone(),
            reported: self.reported.clone(),
            faults: self.faults.clone(),
        })
    }
}

fn of_two(raw: &(Name, Origin)) -> &Name {
    &raw.0
}

/// What is registered anew, changed to be in its place.
fn at_place<T: Clone>(new: &Rc<T>, put: impl FnOnce(&mut T)) -> Rc<T> {
    let mut raw = T::clone(new);
    put(&mut raw);
    Rc::new(raw)
}

/// Whether nothing of a list comes from files that were run again.
fn untouched<T: Registered>(before: &[T], anew: &[T], is_again: IsAgain<'_>) -> bool {
    anew.is_empty() && !before.iter().any(|raw| is_again(raw.origin()))
}

/// The list with what was registered anew, if it has the same names.
fn alike<T: Registered>(
    before: &[T],
    anew: &[T],
    is_again: IsAgain<'_>,
    name: fn(&T) -> &Name,
) -> Option<Vec<T>> {
    replaced(before, anew, is_again, |old, new| {
        (name(old) == name(new)).then(|| new.clone())
    })
}

/// The list with what was registered anew, each in the place of what it is like.
fn replaced<T: Registered>(
    before: &[T],
    anew: &[T],
    is_again: IsAgain<'_>,
    put: impl Fn(&T, &T) -> Option<T>,
) -> Option<Vec<T>> {
    if !anew.iter().all(|raw| is_again(raw.origin())) {
        return None;
    }
    let mut left = anew.iter();
    let list = before.iter().map(|old| match is_again(old.origin()) {
        true => left.next().and_then(|new| put(old, new)),
        false => Some(old.clone()),
    });
    let list = list.collect::<Option<Vec<T>>>()?;
    left.next().is_none().then_some(list)
}
