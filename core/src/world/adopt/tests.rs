//! Worlds under other kinds, again and again.

use std::sync::Arc;

use proptest::prelude::*;

use crate::error::FaultCode;
use crate::value::{EntityId, Name, Type, Value};
use crate::world::{Attribute, FirstViewers, Kind, Schema, World};

/// What kinds there are, and of what type an attribute of theirs is; nothing where
/// they have none.
#[derive(Clone, Debug)]
struct Rules {
    has_drones: bool,
    has_more: bool,
    unit: Option<bool>,
    drone: Option<bool>,
}

fn rules() -> impl Strategy<Value = Rules> {
    let sort = || proptest::option::of(any::<bool>());
    (any::<bool>(), any::<bool>(), sort(), sort()).prop_map(
        |(has_drones, has_more, unit, drone)| Rules {
            has_drones,
            has_more,
            unit,
            drone,
        },
    )
}

fn attribute(name: &str, is_text: bool) -> Attribute {
    let (ty, default) = match is_text {
        true => (Type::Text, Value::text("none")),
        false => (Type::INT, Value::Int(0)),
    };
    Attribute {
        name: Arc::from(name),
        ty,
        default,
        viewers: FirstViewers::All,
        doc: Arc::from(""),
        is_bookkeeping: false,
        until: Arc::from([]),
        module: Arc::from("m"),
    }
}

fn schema(rules: &Rules) -> Arc<Schema> {
    let mut schema = Schema::default();
    let mut declare = |id: &str, more: &[&str], health: Option<bool>| {
        let mut kind = Kind::new(id, "m");
        for name in more {
            kind.extend(attribute(name, false)).unwrap();
        }
        if let Some(is_text) = health {
            kind.extend(attribute("health", is_text)).unwrap();
        }
        schema.declare(kind).unwrap();
    };
    // Kinds and attributes stand in other slots from one set of rules to the next.
    let more: &[&str] = match rules.has_more {
        true => &["armour", "range", "speed"],
        false => &[],
    };
    if rules.has_more && rules.has_drones {
        declare("m.drone", &[], rules.drone);
    }
    declare("m.unit", more, rules.unit);
    if !rules.has_more && rules.has_drones {
        declare("m.drone", &[], rules.drone);
    }
    Arc::new(schema)
}

#[derive(Clone, Debug)]
enum Act {
    Create(bool),
    Remove(u8),
    Set(u8, u8),
    Adopt(Rules),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => any::<bool>().prop_map(Act::Create),
        2 => any::<u8>().prop_map(Act::Remove),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(entity, value)| Act::Set(entity, value)),
        3 => rules().prop_map(Act::Adopt),
    ]
}

fn world(rules: &Rules) -> World {
    let sides: Arc<[Name]> = Arc::from([Name::from("red")]);
    World::new(schema(rules), sides)
}

fn health(world: &World, entity: EntityId) -> Option<Value> {
    world.read(entity, "health").ok().cloned()
}

/// Brings a world under other rules, if they have all that stands on the table.
fn adopted(before: &World, schema: &Arc<Schema>) -> Option<World> {
    let mut world = before.clone();
    let lacks = before
        .all()
        .any(|entity| schema.require(&before.kind(entity).unwrap().id).is_err());
    let Ok(migrations) = world.adopt(schema) else {
        assert!(lacks, "rules that have all kinds are refused");
        return None;
    };
    assert!(!lacks, "an entity is there, and its kind is not");
    for migration in migrations {
        assert!(world.row(migration.entity).is_ok(), "only of what is there");
    }
    for entity in world.all() {
        let kind = world.kind(entity).unwrap();
        for (slot, attribute) in (0u16..).zip(&kind.attributes) {
            let value = world.get(entity, slot).unwrap();
            assert!(attribute.ty.check(value, &world).is_ok());
        }
        let (was, is) = (health(before, entity), health(&world, entity));
        if let (Some(was), Some(is)) = (was, is)
            && was.type_word() == is.type_word()
        {
            assert_eq!(was, is, "a value that fits stays");
        }
    }
    assert_eq!(world.digest(), world.digest_afresh());
    assert_eq!(world.parts(), world.parts_afresh());
    assert_eq!(world.slots(), before.slots());
    Some(world)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_world_comes_under_other_kinds_as_often_as_they_change(
        first in rules(),
        acts in prop::collection::vec(act(), 1..40),
    ) {
        let mut world = world(&first);
        for (number, act) in acts.into_iter().enumerate() {
            let all: Vec<EntityId> = world.all().collect();
            let pick = |place: u8| all.get(usize::from(place) % all.len().max(1)).copied();
            match act {
                Act::Create(is_drone) => {
                    let id = if is_drone { "m.drone" } else { "m.unit" };
                    if let Ok(kind) = world.schema().require(id) {
                        world.create(kind, &format!("one-{number}"), &[]).unwrap();
                    }
                }
                Act::Remove(place) => {
                    if let Some(entity) = pick(place) {
                        world.remove(entity).unwrap();
                    }
                }
                Act::Set(place, value) => {
                    let Some(entity) = pick(place) else { continue };
                    let Ok(slot) = world.attribute(entity, "health") else { continue };
                    let value = match world.get(entity, slot).unwrap() {
                        Value::Text(_) => Value::text(&value.to_string()),
                        _ => Value::Int(value.into()),
                    };
                    world.set(entity, slot, value).unwrap();
                }
                Act::Adopt(rules) => {
                    if let Some(other) = adopted(&world, &schema(&rules)) {
                        world = other;
                    }
                }
            }
        }
    }
}

fn plain(has_drones: bool, unit: Option<bool>) -> Rules {
    Rules {
        has_drones,
        has_more: false,
        unit,
        drone: None,
    }
}

/// The rules of what is gone may go, and others come after them.
#[test]
fn what_is_gone_stays_gone_when_its_kind_is_declared_no_more() {
    let mut world = world(&plain(true, None));
    let drone = world.schema().require("m.drone").unwrap();
    let drone = world.create(drone, "drone-1", &[]).unwrap();
    world.remove(drone).unwrap();
    for rules in [plain(false, None), plain(false, Some(false))] {
        world = adopted(&world, &schema(&rules)).unwrap();
    }
    assert!(world.adopt(&Arc::default()).is_ok(), "nothing is there");
    assert!(world.adopt(&schema(&plain(true, None))).is_ok());
    assert_eq!(&*world.name(drone), "drone-1");
    assert!(world.last_kind(drone).is_none());
}

/// What was laid aside for one that is gone by now needs no rule to migrate it.
#[test]
fn what_was_laid_aside_for_what_is_gone_is_no_hindrance() {
    let mut world = world(&plain(false, Some(false)));
    let unit = world.create(0, "unit-1", &[]).unwrap();
    let health = world.attribute(unit, "health").unwrap();
    world.set(unit, health, Value::Int(7)).unwrap();
    assert!(
        world
            .adopt(&schema(&plain(false, None)))
            .unwrap()
            .is_empty()
    );
    world.remove(unit).unwrap();
    let migrations = world.adopt(&schema(&plain(false, Some(true)))).unwrap();
    assert!(migrations.is_empty(), "{migrations:?}");
}

/// What was made after a past was kept, and taken back since, goes from it with its kind.
#[test]
fn what_was_taken_back_is_no_hindrance_in_a_past_that_knew_it() {
    let mut present = world(&plain(true, None));
    let drone = present.schema().require("m.drone").unwrap();
    let drone = present.create(drone, "drone-1", &[]).unwrap();
    let past = present.clone();
    let fewer = schema(&plain(false, None));
    let refused = past.clone().adopt_past(&fewer, &present);
    assert_eq!(refused.unwrap_err().code, FaultCode::UnknownKind);
    present.remove(drone).unwrap();
    present.adopt(&fewer).unwrap();
    let mut brought = past;
    assert!(brought.adopt_past(&fewer, &present).unwrap().is_empty());
    assert!(brought.row(drone).is_err());
    assert_eq!(brought.digest(), brought.digest_afresh());
}
