//! Bringing a world under other kinds: what a reload of the rules does to
//! what stands on the table.

use std::sync::Arc;

use super::{NO_KIND, Pieces, Row, RowCell, SIDE, Schema, Viewers, World};
use crate::digest::StateHash;
use crate::error::{Fault, FaultCode};
use crate::stamp::Stamp;
use crate::value::{EntityId, Name, Value};

/// A value that does not fit the type its attribute has now.
#[derive(Debug)]
pub(crate) struct Migration {
    pub entity: EntityId,
    /// The slot under the new kinds.
    pub attribute: u16,
    pub old: Value,
}

impl World {
    /// Brings every entity under other kinds. Attributes keep their values by
    /// name; new ones take their default, or what was kept aside for them;
    /// those that are gone are kept aside. What does not fit its new type
    /// takes the default, and is returned for the rules to say more.
    ///
    /// # Errors
    /// When an entity is of a kind that nobody declares any more. The world is
    /// of no use then.
    pub(crate) fn adopt(&mut self, schema: &Arc<Schema>) -> Result<Vec<Migration>, Fault> {
        self.adopt_without(schema, |_| false)
    }

    /// The same of a world that is a past of another: what is not there any more does
    /// not come back from it, and goes with its kind.
    ///
    /// # Errors
    /// As [`World::adopt`], of what is still there.
    pub(crate) fn adopt_past(
        &mut self,
        schema: &Arc<Schema>,
        present: &World,
    ) -> Result<Vec<Migration>, Fault> {
        self.adopt_without(schema, |entity| present.row(entity).is_err())
    }

    fn adopt_without(
        &mut self,
        schema: &Arc<Schema>,
        is_lost: impl Fn(EntityId) -> bool,
    ) -> Result<Vec<Migration>, Fault> {
        let old = std::mem::replace(&mut self.schema, schema.clone());
        let rows = std::mem::take(&mut self.rows);
        let mut doubtful = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let entity = EntityId(place as u32);
            let before = old.get(row.kind).map(|kind| &kind.id);
            let new = match before.map(|kind| (kind, schema.require(kind))) {
                Some((_, Ok(kind))) => self.migrated(entity, row, kind, &old, &mut doubtful),
                Some((kind, Err(_))) if row.is_alive && !is_lost(entity) => {
                    return Err(kind_is_gone(kind, row));
                }
                // Who might know its name cannot be told any more.
                _ => Row {
                    kind: NO_KIND,
                    is_alive: false,
                    existence: Viewers::NONE,
                    digest: None,
                    ..(**row).clone()
                },
            };
            self.rows.push(new);
        }
        self.index_again();
        self.parts = self.parts_afresh();
        let migrations = doubtful
            .into_iter()
            .filter(|(entity, slot)| self.must_migrate(*entity, *slot));
        let migrations: Vec<(EntityId, u16)> = migrations.collect();
        let migration = |(entity, attribute): (EntityId, u16)| {
            let default = schema.kind(self.rows[entity.0 as usize].kind).attributes
                [attribute as usize]
                .default
                .clone();
            Migration {
                entity,
                attribute,
                old: self.replace(entity, attribute, default),
            }
        };
        Ok(migrations.into_iter().map(migration).collect())
    }

    /// A row under its new kind. Attributes of another type than before are
    /// noted: whether their values fit can be told when all rows are there.
    fn migrated(
        &mut self,
        entity: EntityId,
        row: &Row,
        kind: u16,
        old: &Schema,
        doubtful: &mut Vec<(EntityId, u16)>,
    ) -> Row {
        let (schema, before) = (self.schema.clone(), old.kind(row.kind));
        let after = schema.kind(kind);
        let mut new = Row {
            kind,
            cells: Pieces::default(),
            digest: None,
            ..row.clone()
        };
        for (slot, attribute) in (0u16..).zip(&after.attributes) {
            let aside = (entity, attribute.name.clone());
            let (value, viewers) = match before.find(&attribute.name) {
                Some(found) => {
                    if before.attributes[found as usize].ty != attribute.ty && row.is_alive {
                        doubtful.push((entity, slot));
                    }
                    let cell = &row.cells[found as usize];
                    (cell.value.clone(), cell.viewers)
                }
                None => match self.take_aside(&aside) {
                    Some(kept) => {
                        if row.is_alive {
                            doubtful.push((entity, slot));
                        }
                        kept
                    }
                    None => (
                        attribute.default.clone(),
                        Row::first(attribute.viewers, self.owner_of(row)),
                    ),
                },
            };
            new.cells.push(RowCell {
                value,
                viewers,
                // All are stamped when all are there.
                stamp: Stamp::NONE,
            });
        }
        let gone = before
            .attributes
            .iter()
            .enumerate()
            .filter(|(_, a)| after.find(&a.name).is_none());
        for (slot, attribute) in gone.filter(|_| row.is_alive) {
            let cell = &row.cells[slot];
            if cell.value != attribute.default {
                let kept = (cell.value.clone(), cell.viewers);
                Arc::make_mut(&mut self.aside).insert((entity, attribute.name.clone()), kept);
            }
        }
        new
    }

    fn take_aside(&mut self, key: &(EntityId, Name)) -> Option<(Value, Viewers)> {
        if !self.aside.contains_key(key) {
            return None;
        }
        Arc::make_mut(&mut self.aside).remove(key)
    }

    fn must_migrate(&self, entity: EntityId, slot: u16) -> bool {
        let row = &self.rows[entity.0 as usize];
        let attribute = &self.schema.kind(row.kind).attributes[slot as usize];
        attribute
            .ty
            .check(&row.cells[slot as usize].value, self)
            .is_err()
    }

    /// Fills the indexes and forgets hashes.
    fn index_again(&mut self) {
        self.by_kind = self.schema.kinds().iter().map(|_| Arc::default()).collect();
        self.names = Arc::default();
        self.sum = StateHash::default();
        self.stale.clear();
        for place in 0..self.rows.len() as u32 {
            if self.rows[place as usize].is_alive {
                self.insert_name(EntityId(place));
                self.stale.push(EntityId(place));
            }
        }
        self.stamp_everything();
    }

    /// What is kept aside of entities that are in the world, by name: values
    /// of attributes that no kind has at present.
    pub(crate) fn kept_aside(&self) -> impl Iterator<Item = (Name, &Name, &Value)> {
        let alive = |entity: EntityId| self.rows.get(entity.0 as usize).filter(|row| row.is_alive);
        self.aside
            .iter()
            .filter_map(move |((entity, attribute), (value, _))| {
                alive(*entity).map(|row| (row.name.clone(), attribute, value))
            })
    }
}

fn kind_is_gone(kind: &str, row: &Row) -> Fault {
    let message = format!(
        "expected the kind `{kind}`, of which `{}` is one, found it declared no more",
        row.name
    );
    let side = row
        .cells
        .get(SIDE as usize)
        .and_then(|cell| cell.value.as_text());
    let fault = Fault::new(FaultCode::UnknownKind, message);
    match side {
        Some(side) => fault.hint(format!(
            "`{}` belongs to side `{side}`: keep the kind for this game",
            row.name
        )),
        None => fault.hint("keep the kind for this game"),
    }
}

#[cfg(test)]
mod tests;
