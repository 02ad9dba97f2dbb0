//! How long attributes hold: those that a phase takes back to their default
//! when it begins or ends.

use crate::value::{EntityId, Name, Value};
use crate::world::World;

/// An edge of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// It begins: before anything in it.
    Begins,
    /// It ends: after everything in it.
    Ends,
}

/// What an attribute holds until.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Until {
    /// The edge.
    pub edge: Edge,
    /// The phase.
    pub phase: Name,
    /// Whose phase it must be: the field of what the phase was given that names
    /// the entity, or what the entity's own attribute of that name holds.
    /// Without it every entity is meant.
    pub of: Option<Name>,
}

impl Until {
    /// Whether it is this edge of this phase.
    pub fn is_at(&self, edge: Edge, phase: &str) -> bool {
        self.edge == edge && *self.phase == *phase
    }
}

impl World {
    /// Takes back to their default the attributes that hold until this edge of
    /// a phase, which was given these data.
    pub(crate) fn expire(&mut self, edge: Edge, phase: &str, data: &Value) {
        let schema = self.schema.clone();
        for (kind, slot, until) in schema.lifetimes() {
            if !until.is_at(edge, phase) {
                continue;
            }
            let default = &schema.kind(kind).attributes[slot as usize].default;
            let entities: Vec<EntityId> = self.of_kind(kind).collect();
            for entity in entities {
                let row = &self.rows[entity.0 as usize];
                // A die that was shifted to and fro is equal to the default, and yet remembers why.
                if !row.cells[slot as usize].value.is_exactly(default)
                    && self.is_concerned(entity, until, data)
                {
                    self.replace(entity, slot, default.clone());
                }
            }
        }
    }

    fn is_concerned(&self, entity: EntityId, until: &Until, data: &Value) -> bool {
        let Some(of) = &until.of else { return true };
        let Some(whose) = data.field(of).filter(|value| !value.is_none()) else {
            return false;
        };
        *whose == Value::Entity(entity) || self.read(entity, of).is_ok_and(|held| held == whose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Die, Ladder, LadderEnd};
    use crate::value::Type;
    use crate::world::{Attribute, FirstViewers, Kind, Schema};
    use std::sync::Arc;

    /// A die that was shifted to and fro is the same die, but for its reasons.
    #[test]
    fn what_expires_forgets_why_it_was_shifted() {
        let die = Die::new(8).unwrap();
        let mut kind = Kind::new("m.unit", "m");
        let until = Until {
            edge: Edge::Ends,
            phase: Arc::from("m.turn"),
            of: None,
        };
        let quality = Attribute {
            name: Arc::from("quality"),
            ty: Type::Die,
            default: Value::Die(die.clone()),
            viewers: FirstViewers::All,
            doc: Arc::from(""),
            is_bookkeeping: false,
            until: Arc::from([until]),
            module: Arc::from("m"),
        };
        kind.extend(quality).unwrap();
        let mut schema = Schema::default();
        schema.declare(kind).unwrap();
        let mut world = World::new(Arc::new(schema), Arc::from([]));
        let unit = world.create(0, "unit-1", &[]).unwrap();
        let ladder = Ladder::new([6, 8, 10], LadderEnd::Stop, LadderEnd::Stop).unwrap();
        let up = ladder.shift(&die, 1, "on a hill").unwrap().die;
        let shifted = ladder.shift(&up, -1, "in smoke").unwrap().die;
        world.set(unit, 1, Value::Die(shifted)).unwrap();
        world.expire(Edge::Ends, "m.turn", &Value::None);
        let Value::Die(left) = world.get(unit, 1).unwrap() else {
            unreachable!("it is a die");
        };
        assert!(left.reasons().is_empty(), "{:?}", left.reasons());
    }
}
