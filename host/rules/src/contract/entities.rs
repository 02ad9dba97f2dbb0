//! Entities: who there is, what they are like, who knows of them.

use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::game::{Game, Listed};
use kernel::value::{EntityId, Name, Type, Value};
use kernel::world::Viewers;

use super::function::{Call, Entry, Function, spec};
use super::types::{AttributeValue, Fields, Id, SideName, Untyped};
use crate::limits::cost;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &GET,
    &FIND,
    &ENTITIES,
    &ALL_WITH,
    &CREATE,
    &REMOVE,
    &EXISTS,
    &REVEAL,
    &HIDE,
    &SEES_ENTITY,
    &READ,
    &WRITE,
    &LABEL,
];

/// `game:get`.
pub const GET: Function<(Name,), EntityId> = Function {
    spec: spec(
        "game:get",
        "game.named",
        &["name"],
        "The entity of that name; F035 if there is none that the running rule may know of.",
    ),
    run: |call, (name,)| {
        found(call, &name).ok_or_else(|| {
            let message = format!("expected an entity named `{name}`, found none");
            Fault::new(FaultCode::NoSuchEntity, message)
        })
    },
};

/// `game:find`.
pub const FIND: Function<(Name,), Option<EntityId>> = Function {
    spec: spec(
        "game:find",
        "game.find",
        &["name"],
        "The entity of that name, if there is one.",
    ),
    run: |call, (name,)| Ok(found(call, &name)),
};

fn found(call: &Call<'_>, name: &str) -> Option<EntityId> {
    let found = call.game.world().find(name);
    call.game.note_named(name, found);
    found.filter(|entity| call.game.knows_by_name(*entity))
}

/// `game:entities`.
pub const ENTITIES: Function<(Id,), Listed> = Function {
    spec: spec(
        "game:entities",
        "game.entities",
        &["kind"],
        "Every entity of a kind that the running rule may know of, by name. F012 for an unknown kind.",
    )
    .costs("1 for each"),
    run: |call, (Id(kind),)| {
        let list = call.game.listed(&kind)?;
        call.spend(cost::items(list.len()))?;
        Ok(list)
    },
};

/// `game:all`.
pub const ALL_WITH: Function<(Id, Name, Untyped), Listed> = Function {
    spec: spec(
        "game:all",
        "game.all-with",
        &["kind", "attribute", "value"],
        "Those whose attribute holds a value, by name.",
    )
    .costs("1 for each of the kind"),
    run: |call, (Id(kind), attribute, value)| {
        let schema = call.game.world().schema().clone();
        let number = schema.require(&kind)?;
        let declared = schema.kind(number);
        let slot = declared.require(&attribute)?;
        let ty = Type::Optional(Arc::new(declared.attributes[slot as usize].ty.clone()));
        let wanted = value.fit(&ty, format_args!("`{kind}.{attribute}`"))?;
        let running = call.running;
        call.game.holders((number, slot), &wanted, |known| {
            running.spend(cost::items(known))
        })
    },
};

/// `game:create`.
pub const CREATE: Function<(Id, Fields, Option<Name>), EntityId> = Function {
    spec: spec(
        "game:create",
        "game.create",
        &["kind", "attributes", "name"],
        "Makes an entity. Without a name it is called after its kind, with a number. F036 for a name in use.",
    )
    .writes("makes an entity"),
    run: |call, (Id(kind), Fields(values), name)| {
        if let Some(name) = name.as_deref().filter(|name| !kernel::value::is_word(name)) {
            let message = format!("expected the name of an entity as one lower case word, found `{name}`");
            return Err(Fault::new(FaultCode::WrongType, message));
        }
        let values = attributes(call, &kind, values)?;
        call.game.create(&kind, name.as_deref(), &values)
    },
};

/// Attributes of a kind, each by its type.
fn attributes(
    call: &Call<'_>,
    kind: &str,
    values: Vec<(Name, Untyped)>,
) -> Result<Vec<(Name, Value)>, Fault> {
    let schema = call.game.world().schema();
    let declared = schema.kind(schema.require(kind)?);
    let one = |(name, value): (Name, Untyped)| {
        let ty = &declared.attributes[declared.require(&name)? as usize].ty;
        let value = value.fit(ty, format_args!("`{kind}.{name}`"))?;
        Ok::<_, Fault>((name, value))
    };
    let mut list = values
        .into_iter()
        .map(one)
        .collect::<Result<Vec<_>, Fault>>()?;
    list.sort();
    Ok(list)
}

/// `game:remove`.
pub const REMOVE: Function<(EntityId,), ()> = Function {
    spec: spec(
        "game:remove",
        "game.remove",
        &["entity"],
        "Takes an entity out of the world. F027 in a secret phase.",
    )
    .writes("removes an entity"),
    run: |call, (entity,)| call.game.remove(entity),
};

/// `game:exists`.
pub const EXISTS: Function<(EntityId,), bool> = Function {
    spec: spec(
        "game:exists",
        "game.exists",
        &["entity"],
        "Whether the entity is in the world still.",
    ),
    run: |call, (entity,)| {
        call.game.note_presence(entity);
        Ok(call.game.world().row(entity).is_ok())
    },
};

/// `game:reveal`.
pub const REVEAL: Function<(EntityId, Option<Name>, Option<SideName>), ()> = Function {
    spec: spec(
        "game:reveal",
        "game.reveal",
        &["entity", "attribute", "side"],
        "Lets a side (everybody without one) see an attribute, or without an attribute that the entity exists. F027 in a secret phase.",
    )
    .writes("reveals something"),
    run: |call, (entity, attribute, side)| {
        let before = viewers_of(call, entity, attribute.as_deref())?;
        let more = match side {
            Some(SideName(side)) => Viewers::side(call.side(&side)?),
            None => Viewers::ALL,
        };
        call.game.show(entity, attribute.as_deref(), before.and(more))
    },
};

/// Who sees an attribute of an entity, or the entity itself.
fn viewers_of(
    call: &Call<'_>,
    entity: EntityId,
    attribute: Option<&str>,
) -> Result<Viewers, Fault> {
    let row = call.game.world().row(entity)?;
    Ok(match attribute {
        Some(name) => {
            let slot = call.game.world().attribute(entity, name)?;
            row.cells[slot as usize].viewers
        }
        None => row.existence,
    })
}

/// `game:hide`.
pub const HIDE: Function<(EntityId, Option<Name>), ()> = Function {
    spec: spec(
        "game:hide",
        "game.hide",
        &["entity", "attribute"],
        "Hides an attribute, or the entity, from all but its owner. F027 in a secret phase.",
    )
    .writes("hides something"),
    run: |call, (entity, attribute)| {
        let owner = call
            .game
            .world()
            .owner(entity)
            .map_or(Viewers::NONE, Viewers::side);
        call.game.show(entity, attribute.as_deref(), owner)
    },
};

/// `game:sees_entity`.
pub const SEES_ENTITY: Function<(SideName, EntityId), bool> = Function {
    spec: spec(
        "game:sees_entity",
        "game.sees-entity",
        &["side", "entity"],
        "Whether a side knows that the entity exists.",
    ),
    run: |call, (SideName(side), entity)| {
        let side = call.side(&side)?;
        call.game.sees_entity(side, entity)
    },
};

/// An attribute of an entity.
pub const READ: Function<(EntityId, Name), AttributeValue> = Function {
    spec: spec(
        "entity.[attribute]",
        "game.get",
        &["entity", "attribute"],
        "An attribute, or the name or the kind: F013 for one that the kind does not have, F028 for one that is hidden from the side for which the rule answers.",
    )
    .native(),
    run: |call, (entity, name)| attribute(call.game, entity, &name).map(AttributeValue),
};

/// An attribute of an entity, or its name or kind.
///
/// # Errors
/// When the entity is not there, has no such attribute, or hides it from those
/// for whom the rule answers.
pub fn attribute(game: &Game, entity: EntityId, name: &str) -> Result<Value, Fault> {
    match name {
        "name" => game.known_name(entity).map(Value::Text),
        "kind" => {
            game.note_presence(entity);
            Ok(Value::Text(game.world().kind(entity)?.id.clone()))
        }
        name => game.get(entity, name).cloned(),
    }
}

/// An attribute of an entity, written.
pub const WRITE: Function<(EntityId, Name, Untyped), ()> = Function {
    spec: spec(
        "entity.[attribute] =",
        "game.set",
        &["entity", "attribute", "value"],
        "Writes an attribute: F013 for one that the kind does not have, F022 or F023 for a value that does not fit.",
    )
    .writes("writes"),
    run: |call, (entity, attribute, value)| {
        let kind = call.game.world().kind(entity)?;
        let ty = kind.attributes[kind.require(&attribute)? as usize].ty.clone();
        let value = value.fit(&ty, format_args!("`{}.{attribute}`", kind.id))?;
        call.game.set(entity, &attribute, value)
    },
};

/// What the running rule may call an entity.
pub const LABEL: Function<(EntityId,), Name> = Function {
    spec: spec(
        "tostring(entity)",
        "game.label",
        &["entity"],
        "What the running rule may call it: its name, or a number such as `#3`.",
    ),
    run: |call, (entity,)| {
        call.game.note_label(entity);
        Ok(Name::from(
            &*call.game.label(call.game.guard().scope, entity),
        ))
    },
};
