//! What has become otherwise between two states of a game, and how it is put in place in another copy of the first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::game::{Game, Guard};
use kernel::value::{EntityId, Name, Value};

/// Of a kind with fewer things than this each may stay.
const MANY: usize = 6;

/// Something that has become otherwise. Values are those of the later state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum StateChange {
    /// A thing is gone.
    Gone(Name),
    /// A thing is new, and of this kind.
    New(Name, Name),
    /// An attribute of a thing holds another value.
    Set(Name, Name, Value),
    /// Of a kind only these are there.
    Only(Name, Vec<Name>),
}

impl StateChange {
    /// Of which thing, or of which kind.
    pub fn of(&self) -> &Name {
        match self {
            StateChange::Gone(name)
            | StateChange::New(name, _)
            | StateChange::Set(name, ..)
            | StateChange::Only(name, _) => name,
        }
    }

    /// The attribute that holds another value, if it is that.
    pub fn attribute(&self) -> Option<&Name> {
        match self {
            StateChange::Set(_, attribute, _) => Some(attribute),
            _ => None,
        }
    }
}

/// What has become otherwise, thing by thing.
pub(super) fn changes(before: &Game, after: &Game) -> Vec<StateChange> {
    let gone = before
        .world()
        .all()
        .map(|entity| before.world().name(entity));
    let gone = gone
        .filter(|name| after.world().find(name).is_none())
        .map(StateChange::Gone);
    let mut found: Vec<StateChange> = gone.collect();
    for entity in after.world().all() {
        found.extend(of_thing(before, after, entity).unwrap_or_default());
    }
    found
}

fn of_thing(before: &Game, after: &Game, entity: EntityId) -> Option<Vec<StateChange>> {
    let name = after.world().name(entity);
    let kind = after.world().kind(entity).ok()?;
    let known = before.world().find(&name);
    let mut found = Vec::new();
    if known.is_none() {
        found.push(StateChange::New(name.clone(), kind.id.clone()));
    }
    for (slot, attribute) in kind.attributes.iter().enumerate() {
        let value = after.world().get(entity, u16::try_from(slot).ok()?).ok()?;
        let was = match known {
            Some(known) => before.world().read(known, &attribute.name).ok()?,
            None => &attribute.default,
        };
        if renamed(value, after, before).as_ref() != Some(was) {
            found.push(StateChange::Set(
                name.clone(),
                attribute.name.clone(),
                value.clone(),
            ));
        }
    }
    Some(found)
}

/// A value in which things have the numbers that they have in another game; nothing where one of them is not there.
pub(super) fn renamed(value: &Value, from: &Game, to: &Game) -> Option<Value> {
    Some(match value {
        Value::Entity(entity) => Value::Entity(to.world().find(&from.world().name(*entity))?),
        Value::List(items) => Value::List(
            items
                .iter()
                .map(|item| renamed(item, from, to))
                .collect::<Option<Arc<[Value]>>>()?,
        ),
        Value::Map(fields) => {
            let field =
                |(name, item): (&Name, &Value)| Some((name.clone(), renamed(item, from, to)?));
            Value::Map(Arc::new(
                fields
                    .iter()
                    .map(field)
                    .collect::<Option<BTreeMap<_, _>>>()?,
            ))
        }
        other => other.clone(),
    })
}

/// Whether two values of two games are the same: things by their names, those that are gone as well.
pub(super) fn is_alike((one, here): (&Value, &Game), (other, there): (&Value, &Game)) -> bool {
    match (one, other) {
        (Value::Entity(one), Value::Entity(other)) => {
            here.world().name(*one) == there.world().name(*other)
        }
        (Value::List(one), Value::List(other)) => {
            let mut pairs = one.iter().zip(other.iter());
            one.len() == other.len()
                && pairs.all(|(one, other)| is_alike((one, here), (other, there)))
        }
        (Value::Map(one), Value::Map(other)) => {
            let is_same =
                |((name, one), (other_name, other)): ((&Name, &Value), (&Name, &Value))| {
                    name == other_name && is_alike((one, here), (other, there))
                };
            one.len() == other.len() && one.iter().zip(other.iter()).all(is_same)
        }
        (one, other) => one == other,
    }
}

/// The kinds of which there are many things, each with those that something is about: what it names, and what one of
/// these mentions or is mentioned by.
pub(super) fn only_these(before: &Game, after: &Game, about: &BTreeSet<Name>) -> Vec<StateChange> {
    let mentioned = |entity: EntityId| -> BTreeSet<Name> {
        let row = after.world().row(entity).ok();
        // Lists are of what has been seen or done; who carries or leads whom is said by itself.
        row.into_iter()
            .flat_map(|row| row.cells.iter())
            .filter_map(|cell| cell.value.as_entity())
            .map(|entity| after.world().name(entity))
            .collect()
    };
    let mut near = about.clone();
    for entity in after.world().all() {
        let (name, mentions) = (after.world().name(entity), mentioned(entity));
        match about.contains(&name) {
            true => near.extend(mentions),
            false if !mentions.is_disjoint(about) => {
                near.insert(name);
            }
            false => {}
        }
    }
    let mut kinds: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
    for entity in before.world().all() {
        let Ok(kind) = before.world().kind(entity) else {
            continue;
        };
        kinds
            .entry(kind.id.clone())
            .or_default()
            .push(before.world().name(entity));
    }
    let many = kinds.into_iter().filter(|(_, names)| names.len() >= MANY);
    many.map(|(kind, mut names)| {
        names.retain(|name| near.contains(name));
        StateChange::Only(kind, names)
    })
    .collect()
}

/// Puts changes in place: what is left first, then what is new, what is set, what is gone. Nothing where they do not
/// fit.
pub(super) fn put_in_place(changes: &[StateChange], from: &Game, to: &mut Game) -> Option<()> {
    let guard = to.set_guard(Guard::STEP);
    for change in changes {
        if let StateChange::Only(kind, names) = change {
            for entity in to.entities(kind).ok()? {
                if !names.contains(&to.world().name(entity)) {
                    to.remove(entity).ok()?;
                }
            }
        }
    }
    for change in changes {
        if let StateChange::New(name, kind) = change {
            to.create(kind, Some(name), &[]).ok()?;
        }
    }
    for change in changes {
        if let StateChange::Set(name, attribute, value) = change {
            let entity = to.world().find(name)?;
            let value = renamed(value, from, to)?;
            to.set(entity, attribute, value).ok()?;
        }
    }
    for change in changes {
        if let StateChange::Gone(name) = change {
            let entity = to.world().find(name)?;
            to.remove(entity).ok()?;
        }
    }
    to.set_guard(guard);
    Some(())
}
