//! The world: entities and their attributes.
//!
//! Identity is the name, storage is by slot. Rows are copied on write, so a
//! clone of the world (a snapshot) costs one counter for sixteen entities, and
//! play is taken back by putting an earlier world in the place of the present
//! one.

mod adopt;
mod follow;
mod index;
mod lifetime;
mod pieces;
mod row;
mod rows;
mod schema;
mod size;
mod viewers;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::nearest::{closest, is_exchanged};
pub use lifetime::{Edge, Until};
pub use pieces::Pieces;
pub(crate) use row::NO_KIND;
pub use row::{Row, RowCell};
pub(crate) use rows::EntityRows;
pub use schema::{
    Attribute, FirstViewers, Kind, MOST_ATTRIBUTES, MOST_KINDS, NoEntities, SIDE, Schema,
};
pub use size::MOST_PARTS;
pub use viewers::{Viewer, Viewers};

use index::{Indexes, KindStamps};

use crate::digest::{StateHash, StateHasher};
use crate::error::{Fault, FaultCode};
use crate::groups::WorldGroups;
use crate::stamp::Stamp;
use crate::value::{EntityId, KindOf, Name, Side, Value};

use size::{check_size, parts_of};

/// Entities and their attributes.
#[derive(Clone, Debug)]
pub struct World {
    schema: Arc<Schema>,
    sides: Arc<[Name]>,
    rows: EntityRows,
    names: Arc<BTreeMap<Name, EntityId>>,
    by_kind: Arc<[Arc<BTreeMap<Name, EntityId>>]>,
    sum: StateHash,
    stale: Vec<EntityId>,
    /// How much there is, of entities that are gone too.
    parts: u64,
    /// Values of attributes that the kinds had under other rules.
    aside: Arc<BTreeMap<(EntityId, Name), (Value, Viewers)>>,
    indexes: Arc<Indexes>,
    /// The stamps of each kind, and of the last change.
    kinds_at: Arc<[KindStamps]>,
    revision: Stamp,
    /// When what there is has changed last, in groups.
    groups: WorldGroups,
}

impl World {
    /// An empty world for these kinds and sides.
    pub fn new(schema: Arc<Schema>, sides: Arc<[Name]>) -> World {
        let kinds = schema.kinds().len();
        World {
            schema,
            sides,
            rows: EntityRows::default(),
            names: Arc::default(),
            by_kind: (0..kinds).map(|_| Arc::default()).collect(),
            sum: StateHash::default(),
            stale: Vec::new(),
            parts: 0,
            aside: Arc::default(),
            indexes: Arc::default(),
            kinds_at: (0..kinds).map(|_| KindStamps::fresh()).collect(),
            revision: Stamp::fresh(),
            groups: WorldGroups::fresh(),
        }
    }

    /// All rows by slot, also those of entities that were removed.
    pub(crate) fn rows(&self) -> &EntityRows {
        &self.rows
    }

    /// The kinds.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The sides, in order.
    pub fn sides(&self) -> &Arc<[Name]> {
        &self.sides
    }

    /// The side of that name.
    pub fn side(&self, name: &str) -> Option<Side> {
        self.sides
            .iter()
            .position(|side| &**side == name)
            .map(|i| Side(i as u8))
    }

    /// The entity of that name.
    pub fn find(&self, name: &str) -> Option<EntityId> {
        self.names.get(name).copied()
    }

    /// How many entities there have ever been, those that are gone among them.
    pub fn slots(&self) -> usize {
        self.rows.len()
    }

    /// Every entity, sorted by name.
    pub fn all(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.names.values().copied()
    }

    /// The entities of a kind, sorted by name.
    pub fn of_kind(&self, kind: u16) -> impl Iterator<Item = EntityId> + '_ {
        self.by_kind[kind as usize].values().copied()
    }

    /// The row of an entity.
    ///
    /// # Errors
    /// When it is not in the world (any more).
    pub fn row(&self, entity: EntityId) -> Result<&Row, Fault> {
        match self.rows.get(entity.0 as usize) {
            Some(row) if row.is_alive => Ok(row),
            Some(row) => Err(Fault::new(
                FaultCode::NoSuchEntity,
                format!("`{}` is no longer in the world", row.name),
            )),
            None => Err(Fault::new(
                FaultCode::NoSuchEntity,
                format!("no entity has the slot {}", entity.0),
            )),
        }
    }

    /// The name of an entity, also of one that was removed.
    pub fn name(&self, entity: EntityId) -> Name {
        self.rows
            .get(entity.0 as usize)
            .map_or_else(|| Arc::from("?"), |row| row.name.clone())
    }

    /// The kind of an entity.
    ///
    /// # Errors
    /// When it is not in the world.
    pub fn kind(&self, entity: EntityId) -> Result<&Kind, Fault> {
        Ok(self.schema.kind(self.row(entity)?.kind))
    }

    /// The slot of an attribute of an entity.
    ///
    /// # Errors
    /// When the entity is not there, or its kind has no such attribute.
    pub fn attribute(&self, entity: EntityId, name: &str) -> Result<u16, Fault> {
        self.kind(entity)?.require(name)
    }

    /// Reads an attribute by slot.
    ///
    /// # Errors
    /// When the entity is not there.
    pub fn get(&self, entity: EntityId, attribute: u16) -> Result<&Value, Fault> {
        Ok(&self.row(entity)?.cells[attribute as usize].value)
    }

    /// Reads an attribute by name.
    ///
    /// # Errors
    /// When the entity or the attribute is not there.
    pub fn read(&self, entity: EntityId, name: &str) -> Result<&Value, Fault> {
        self.get(entity, self.attribute(entity, name)?)
    }

    /// The side that owns an entity.
    pub fn owner(&self, entity: EntityId) -> Option<Side> {
        let row = self.rows.get(entity.0 as usize)?;
        row.cells[SIDE as usize]
            .value
            .as_text()
            .and_then(|name| self.side(name))
    }

    /// Who sees an attribute: those who see both it and the entity.
    ///
    /// # Errors
    /// When the entity is not there.
    pub fn viewers(&self, entity: EntityId, attribute: u16) -> Result<Viewers, Fault> {
        let row = self.row(entity)?;
        Ok(row.existence.both(row.cells[attribute as usize].viewers))
    }

    /// Who sees that an entity exists.
    pub fn existence(&self, entity: EntityId) -> Viewers {
        self.row(entity).map_or(Viewers::NONE, |row| row.existence)
    }

    /// Who sees, or saw while it was there, that an entity exists.
    pub(crate) fn last_existence(&self, entity: EntityId) -> Viewers {
        self.rows
            .get(entity.0 as usize)
            .map_or(Viewers::NONE, |row| row.existence)
    }

    /// Who sees an attribute of an entity, or did when it was removed.
    pub(crate) fn last_viewers(&self, entity: EntityId, attribute: u16) -> Option<Viewers> {
        let row = self.rows.get(entity.0 as usize)?;
        row.cells
            .get(usize::from(attribute))
            .map(|cell| row.existence.both(cell.viewers))
    }

    /// The kind of an entity, also of one that was removed; `None` where that is
    /// declared no more.
    pub(crate) fn last_kind(&self, entity: EntityId) -> Option<&Kind> {
        self.schema.get(self.rows.get(entity.0 as usize)?.kind)
    }

    /// Makes an entity.
    ///
    /// # Errors
    /// When the name is taken, an attribute is unknown, or a value does not fit.
    pub fn create(
        &mut self,
        kind: u16,
        name: &str,
        attributes: &[(Name, Value)],
    ) -> Result<EntityId, Fault> {
        if self.names.contains_key(name) {
            return Err(Fault::new(
                FaultCode::NameTaken,
                format!("an entity named `{name}` is there already"),
            ));
        }
        let schema = self.schema.clone();
        let declared = schema.kind(kind);
        let mut values: Vec<Value> = declared
            .attributes
            .iter()
            .map(|a| a.default.clone())
            .collect();
        for (attribute, value) in attributes {
            let slot = declared.require(attribute)?;
            self.check(declared, slot, value)?;
            values[slot as usize] = value.clone();
        }
        let owner = values[SIDE as usize]
            .as_text()
            .and_then(|side| self.side(side));
        let parts = self.parts + 1 + values.iter().map(parts_of).sum::<u64>();
        check_size(self.parts, parts)?;
        self.parts = parts;
        let entity = EntityId(self.rows.len() as u32);
        self.rows
            .push(Row::new(declared, kind, Arc::from(name), values, owner));
        self.insert_name(entity);
        self.stamp_being(entity);
        self.index_being(entity);
        self.stale.push(entity);
        Ok(entity)
    }

    /// Takes an entity out of the world.
    ///
    /// # Errors
    /// When it is not there.
    pub fn remove(&mut self, entity: EntityId) -> Result<(), Fault> {
        self.row(entity)?;
        self.set_alive(entity, false);
        Ok(())
    }

    /// Writes an attribute by slot.
    ///
    /// # Errors
    /// When the entity is not there, or the value does not fit.
    pub fn set(&mut self, entity: EntityId, attribute: u16, value: Value) -> Result<(), Fault> {
        let kind = self.row(entity)?.kind;
        let schema = self.schema.clone();
        self.check(schema.kind(kind), attribute, &value)?;
        let before = self.get(entity, attribute)?;
        if *before == value && !value.holds_die() {
            // It is so already: no row need be copied for it.
            return Ok(());
        }
        let held = parts_of(before);
        check_size(self.parts, self.parts - held + parts_of(&value))?;
        self.replace(entity, attribute, value);
        Ok(())
    }

    /// Takes back what a side did to what it owns since an earlier state: its
    /// entities hold what they held, and those that it has made since are gone.
    /// Nothing is checked again: a value may name an entity that is gone.
    pub(crate) fn take_back(&mut self, past: &World, side: Side) {
        for place in 0..self.rows.len() as u32 {
            let entity = EntityId(place);
            if self.owner(entity) != Some(side) {
                continue;
            }
            match past.rows.get(place as usize) {
                Some(before) => self.write_back(entity, before),
                None if self.rows[place as usize].is_alive => self.set_alive(entity, false),
                None => {}
            }
        }
    }

    fn write_back(&mut self, entity: EntityId, before: &Arc<Row>) {
        if Arc::ptr_eq(before, &self.rows[entity.0 as usize]) {
            return;
        }
        for (slot, cell) in (0u16..).zip(before.cells.iter()) {
            self.replace(entity, slot, cell.value.clone());
        }
    }

    /// The hash of what a side owns.
    pub(crate) fn digest_of(&self, side: Side) -> StateHash {
        let mut sum = StateHash::default();
        for row in self
            .rows
            .iter()
            .filter(|row| row.is_alive && self.owner_of(row) == Some(side))
        {
            sum.add(&row.digest.unwrap_or_else(|| self.row_digest(row)));
        }
        sum
    }

    /// Changes who sees an attribute, or (`None`) that the entity exists.
    ///
    /// # Errors
    /// When the entity is not there.
    pub fn set_viewers(
        &mut self,
        entity: EntityId,
        attribute: Option<u16>,
        viewers: Viewers,
    ) -> Result<(), Fault> {
        self.row(entity)?;
        self.replace_viewers(entity, attribute, viewers);
        Ok(())
    }

    /// How much there is: entities, of those that are gone too, their attributes,
    /// and what is in lists and maps.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Counts it afresh.
    pub fn parts_afresh(&self) -> u64 {
        self.rows.iter().map(|row| row.parts()).sum()
    }

    /// The hash of all entities: the sum of their digests, each over the
    /// attributes that differ from their defaults, sorted by name.
    pub fn digest(&self) -> StateHash {
        let mut stale: Vec<EntityId> = self.stale.clone();
        stale.sort_unstable();
        stale.dedup();
        let mut sum = self.sum;
        let rows = stale.iter().map(|entity| &self.rows[entity.0 as usize]);
        for row in rows.filter(|row| row.is_alive && row.digest.is_none()) {
            sum.add(&self.row_digest(row));
        }
        sum
    }

    /// Keeps the digests that are still to be found, so that the next hash finds
    /// those alone of what is written from now on.
    pub fn keep_digests(&mut self) {
        for entity in std::mem::take(&mut self.stale) {
            let slot = entity.0 as usize;
            if !self.rows[slot].is_alive || self.rows[slot].digest.is_some() {
                continue;
            }
            let digest = self.row_digest(&self.rows[slot]);
            self.rows.write(slot).digest = Some(digest);
            self.sum.add(&digest);
        }
    }

    /// The same hash computed from nothing, for tests.
    pub fn digest_afresh(&self) -> StateHash {
        let mut sum = StateHash::default();
        for row in self.rows.iter().filter(|row| row.is_alive) {
            sum.add(&self.row_digest(row));
        }
        sum
    }

    fn row_digest(&self, row: &Row) -> StateHash {
        let kind = self.schema.kind(row.kind);
        let first = |viewers: FirstViewers| Row::first(viewers, self.owner_of(row));
        let mut writer = StateHasher::new("entity");
        writer.text(&kind.id);
        writer.text(&row.name);
        writer.number(row.existence.bits() ^ first(kind.existence).bits());
        for slot in kind.slots_by_name() {
            let attribute = &kind.attributes[slot];
            let cell = &row.cells[slot];
            let shown = cell.viewers.bits() ^ first(attribute.viewers).bits();
            if cell.value != attribute.default || shown != 0 {
                writer.text(&attribute.name);
                writer.value(&cell.value, self);
                writer.number(shown);
            }
        }
        writer.sum()
    }

    fn owner_of(&self, row: &Row) -> Option<Side> {
        row.cells[SIDE as usize]
            .value
            .as_text()
            .and_then(|name| self.side(name))
    }

    fn check(&self, kind: &Kind, attribute: u16, value: &Value) -> Result<(), Fault> {
        let declared = &kind.attributes[attribute as usize];
        declared.ty.check(value, self).map_err(|mismatch| {
            Fault::mismatch(&format!("`{}.{}`", kind.id, declared.name), &mismatch)
        })?;
        match (attribute, value) {
            (SIDE, Value::Text(side)) if self.side(side).is_none() => Err(Fault::new(
                FaultCode::WrongType,
                format!(
                    "`{}.side`: expected one of {}, found `{side}`",
                    kind.id,
                    self.sides.join(", ")
                ),
            )),
            _ => Ok(()),
        }
    }

    fn replace(&mut self, entity: EntityId, attribute: u16, value: Value) -> Value {
        let parts = parts_of(&value);
        let cell = &mut self.touch(entity).cells[attribute as usize];
        let old = std::mem::replace(&mut cell.value, value);
        if old != cell.value || old.holds_die() {
            let new = cell.value.clone();
            self.stamp_cell(entity, attribute);
            self.reindex(entity, attribute, &old, &new);
        }
        self.parts = self.parts + parts - parts_of(&old);
        old
    }

    fn replace_viewers(&mut self, entity: EntityId, attribute: Option<u16>, viewers: Viewers) {
        let row = self.touch(entity);
        let old = match attribute {
            Some(slot) => std::mem::replace(&mut row.cells[slot as usize].viewers, viewers),
            None => std::mem::replace(&mut row.existence, viewers),
        };
        if old != viewers {
            self.stamp_shown(entity, attribute);
        }
    }

    /// The row for writing; its digest goes stale.
    fn touch(&mut self, entity: EntityId) -> &mut Row {
        let row = self.rows.write(entity.0 as usize);
        if let Some(digest) = row.digest.take() {
            self.sum.subtract(&digest);
            self.stale.push(entity);
        }
        row
    }

    fn set_alive(&mut self, entity: EntityId, is_alive: bool) {
        let row = self.touch(entity);
        row.is_alive = is_alive;
        let (name, kind) = (row.name.clone(), row.kind as usize);
        if is_alive {
            self.insert_name(entity);
            self.stale.push(entity);
        } else {
            Arc::make_mut(&mut self.names).remove(&name);
            self.names_of_kind(kind).remove(&name);
        }
        self.stamp_being(entity);
        self.index_being(entity);
    }

    /// The names of a kind, for writing.
    fn names_of_kind(&mut self, kind: usize) -> &mut BTreeMap<Name, EntityId> {
        Arc::make_mut(&mut Arc::make_mut(&mut self.by_kind)[kind])
    }

    fn insert_name(&mut self, entity: EntityId) {
        let (name, kind) = {
            let row = &self.rows[entity.0 as usize];
            (row.name.clone(), row.kind as usize)
        };
        Arc::make_mut(&mut self.names).insert(name.clone(), entity);
        self.names_of_kind(kind).insert(name, entity);
    }
}

impl KindOf for World {
    fn kind_of(&self, entity: EntityId) -> Option<&Name> {
        self.kind(entity).ok().map(|kind| &kind.id)
    }
}
