//! Stamps of what the world holds, and indexes of entities by what they hold.
//!
//! An index is made when somebody first asks for the entities of a kind that
//! hold a value, and is kept up from then on.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{EntityRows, Viewers, World};
use crate::groups::WorldGroups;
use crate::stamp::Stamp;
use crate::value::{EntityId, Value};

/// Stamps of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindStamps {
    /// Which entities there are, and who knows of them.
    pub members: Stamp,
    /// Who sees their attributes.
    pub shown: Stamp,
}

impl KindStamps {
    pub fn fresh() -> KindStamps {
        KindStamps {
            members: Stamp::fresh(),
            shown: Stamp::fresh(),
        }
    }
}

/// The entities that hold one value, sorted by name.
#[derive(Clone, Debug)]
struct Bucket {
    stamp: Stamp,
    entities: Vec<EntityId>,
}

/// The entities of a kind by the value of one attribute.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// The stamp of every value that nobody has held since the index is there.
    born: Stamp,
    buckets: FxHashMap<Value, Bucket>,
    /// Those of which not everybody sees it.
    hidden: Vec<EntityId>,
}

/// All indexes, by kind and slot.
pub(super) type Indexes = FxHashMap<(u16, u16), Arc<Index>>;

impl World {
    pub(crate) fn revision(&self) -> Stamp {
        self.revision
    }

    /// When what there is has changed last, in groups.
    pub(crate) fn groups(&self) -> WorldGroups {
        self.groups
    }

    /// Something has changed that no stamp but this one tells.
    pub(super) fn next_stamp(&mut self) -> Stamp {
        self.revision = Stamp::fresh();
        self.revision
    }

    pub(crate) fn cell_stamp(&self, entity: EntityId, slot: u16) -> Option<Stamp> {
        self.rows
            .get(entity.0 as usize)?
            .cells
            .get(usize::from(slot))
            .map(|cell| cell.stamp)
    }

    pub(crate) fn being_stamp(&self, entity: EntityId) -> Stamp {
        self.rows
            .get(entity.0 as usize)
            .map_or(Stamp::NONE, |row| row.being)
    }

    pub(crate) fn members_stamp(&self, kind: u16) -> Option<Stamp> {
        self.kinds_at
            .get(usize::from(kind))
            .map(|stamps| stamps.members)
    }

    pub(crate) fn shown_stamp(&self, kind: u16) -> Option<Stamp> {
        self.kinds_at
            .get(usize::from(kind))
            .map(|stamps| stamps.shown)
    }

    pub(crate) fn bucket_stamp(&self, kind: u16, slot: u16, value: &Value) -> Option<Stamp> {
        let index = self.indexes.get(&(kind, slot))?;
        Some(
            index
                .buckets
                .get(value)
                .map_or(index.born, |bucket| bucket.stamp),
        )
    }

    /// How many entities of a kind there are.
    pub(crate) fn count_of_kind(&self, kind: u16) -> usize {
        self.by_kind[usize::from(kind)].len()
    }

    /// Makes sure that there is an index of an attribute.
    pub(crate) fn index(&mut self, kind: u16, slot: u16) {
        if !self.indexes.contains_key(&(kind, slot)) {
            let index = self.built(kind, slot);
            Arc::make_mut(&mut self.indexes).insert((kind, slot), Arc::new(index));
        }
    }

    /// The entities of a kind that hold a value, sorted by name, if there is an
    /// index of it.
    pub(crate) fn held(&self, kind: u16, slot: u16, value: &Value) -> &[EntityId] {
        let bucket = self
            .indexes
            .get(&(kind, slot))
            .and_then(|index| index.buckets.get(value));
        bucket.map_or(&[], |bucket| &bucket.entities)
    }

    /// Those of a kind of which not everybody sees an attribute, if there is an
    /// index of it.
    pub(crate) fn hidden_in(&self, kind: u16, slot: u16) -> &[EntityId] {
        self.indexes
            .get(&(kind, slot))
            .map_or(&[], |index| &index.hidden)
    }

    fn built(&self, kind: u16, slot: u16) -> Index {
        let born = Stamp::fresh();
        let mut index = Index {
            born,
            buckets: FxHashMap::default(),
            hidden: Vec::new(),
        };
        for entity in self.of_kind(kind) {
            let row = &self.rows[entity.0 as usize];
            let value = row.cells[usize::from(slot)].value.clone();
            // They come sorted by name.
            let bucket = index.buckets.entry(value);
            bucket
                .or_insert_with(|| Bucket {
                    stamp: born,
                    entities: Vec::new(),
                })
                .entities
                .push(entity);
            if row.existence.both(row.cells[usize::from(slot)].viewers) != Viewers::ALL {
                index.hidden.push(entity);
            }
        }
        index
    }

    /// An attribute holds another value, or other viewers see it: its stamp,
    /// those of the indexes, and what follows from who owns an entity.
    pub(super) fn stamp_cell(&mut self, entity: EntityId, slot: u16) {
        let stamp = self.next_stamp();
        let row = self.rows.write(entity.0 as usize);
        row.cells[usize::from(slot)].stamp = stamp;
        let kind = usize::from(row.kind);
        self.groups.change_attribute(entity, slot, stamp);
        if slot == super::SIDE {
            self.groups.change_beings(stamp);
            // Its owner may be the one who knows its name, by which it is sorted.
            Arc::make_mut(&mut self.kinds_at)[kind].members = stamp;
        }
    }

    /// Moves an entity in the index of an attribute from one value to the other.
    pub(super) fn reindex(&mut self, entity: EntityId, slot: u16, old: &Value, new: &Value) {
        let row = &self.rows[entity.0 as usize];
        if !row.is_alive || self.indexes.is_empty() {
            return;
        }
        let key = (row.kind, slot);
        if !self.indexes.contains_key(&key) {
            return;
        }
        let stamp = self.revision;
        let Some(index) = Arc::make_mut(&mut self.indexes).get_mut(&key) else {
            return;
        };
        let index = Arc::make_mut(index);
        index.take(entity, old, stamp);
        index.put(entity, new, stamp, &self.rows);
    }

    /// An entity came, went, or is known to others than before.
    pub(super) fn stamp_being(&mut self, entity: EntityId) {
        let stamp = self.next_stamp();
        let row = self.rows.write(entity.0 as usize);
        row.being = stamp;
        row.cells.iter_mut().for_each(|cell| cell.stamp = stamp);
        self.groups.change_entity(entity, stamp);
        self.groups.change_beings(stamp);
        Arc::make_mut(&mut self.kinds_at)[usize::from(row.kind)] = KindStamps {
            members: stamp,
            shown: stamp,
        };
    }

    /// Other viewers see an attribute of an entity, or all of them.
    pub(super) fn stamp_shown(&mut self, entity: EntityId, slot: Option<u16>) {
        match slot {
            Some(slot) => self.stamp_cell(entity, slot),
            None => self.stamp_being(entity),
        }
        let kind = self.rows[entity.0 as usize].kind;
        Arc::make_mut(&mut self.kinds_at)[usize::from(kind)].shown = self.revision;
        self.groups.change_beings(self.revision);
        let is_alive = self.rows[entity.0 as usize].is_alive;
        self.each_index(kind, |index, at, rows, stamp| {
            index.see(entity, at, is_alive, rows);
            // Who knows of it is asked when it is found: its bucket is another.
            if slot.is_none() && is_alive {
                let value = &rows[entity.0 as usize].cells[usize::from(at)].value;
                index.touch(value, stamp);
            }
        });
    }

    /// Puts an entity that came into the indexes, or takes one that went out.
    pub(super) fn index_being(&mut self, entity: EntityId) {
        let row = &self.rows[entity.0 as usize];
        let (kind, is_alive) = (row.kind, row.is_alive);
        self.each_index(kind, |index, slot, rows, stamp| {
            let value = rows[entity.0 as usize].cells[usize::from(slot)]
                .value
                .clone();
            match is_alive {
                true => index.put(entity, &value, stamp, rows),
                false => index.take(entity, &value, stamp),
            }
            index.see(entity, slot, is_alive, rows);
        });
    }

    /// Works on each index of a kind.
    fn each_index(&mut self, kind: u16, mut work: impl FnMut(&mut Index, u16, &EntityRows, Stamp)) {
        if self.indexes.is_empty() {
            return;
        }
        let slots = self.schema.kind(kind).attributes.len() as u16;
        let indexes = Arc::make_mut(&mut self.indexes);
        for slot in 0..slots {
            if let Some(index) = indexes.get_mut(&(kind, slot)) {
                work(Arc::make_mut(index), slot, &self.rows, self.revision);
            }
        }
    }

    /// Everything is another: other kinds are in force.
    pub(super) fn stamp_everything(&mut self) {
        self.indexes = Arc::default();
        self.kinds_at = self
            .schema
            .kinds()
            .iter()
            .map(|_| KindStamps::fresh())
            .collect();
        self.next_stamp();
        self.groups = WorldGroups::fresh();
        for slot in 0..self.rows.len() {
            let row = self.rows.write(slot);
            row.being = self.revision;
            row.cells
                .iter_mut()
                .for_each(|cell| cell.stamp = self.revision);
        }
    }
}

impl Index {
    fn take(&mut self, entity: EntityId, value: &Value, stamp: Stamp) {
        if let Some(bucket) = self.buckets.get_mut(value) {
            bucket.entities.retain(|other| *other != entity);
            // It stays when it is empty: its stamp must not come again.
            bucket.stamp = stamp;
        }
    }

    fn put(&mut self, entity: EntityId, value: &Value, stamp: Stamp, rows: &EntityRows) {
        let bucket = self.buckets.entry(value.clone()).or_insert_with(|| Bucket {
            stamp,
            entities: Vec::new(),
        });
        bucket.stamp = stamp;
        let name = |entity: &EntityId| &rows[entity.0 as usize].name;
        let place = bucket
            .entities
            .partition_point(|other| name(other) < name(&entity));
        bucket.entities.insert(place, entity);
    }

    fn touch(&mut self, value: &Value, stamp: Stamp) {
        if let Some(bucket) = self.buckets.get_mut(value) {
            bucket.stamp = stamp;
        }
    }

    /// Notes whether everybody sees the attribute of an entity.
    fn see(&mut self, entity: EntityId, slot: u16, is_alive: bool, rows: &EntityRows) {
        let row = &rows[entity.0 as usize];
        let viewers = row.existence.both(row.cells[usize::from(slot)].viewers);
        self.hidden.retain(|other| *other != entity);
        if is_alive && viewers != Viewers::ALL {
            self.hidden.push(entity);
        }
    }
}
