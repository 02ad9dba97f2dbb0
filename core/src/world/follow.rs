//! Two courses of one world: in which attributes they differ, and how one takes
//! over what has changed in the other.

use std::sync::Arc;

use super::{MOST_PARTS, NO_KIND, Row, SIDE, World};
use crate::cells::CellSet;
use crate::value::EntityId;

impl World {
    /// The attributes that hold something else than in another course of the
    /// same world; `None` where more is another: what there is, who sees it,
    /// whose it is. Of rows that neither has written `since`, it is known.
    pub(crate) fn differing_cells(
        &self,
        other: &World,
        since: Option<(&World, &World, &CellSet)>,
    ) -> Option<CellSet> {
        let is_alike = Arc::ptr_eq(&self.schema, &other.schema)
            && self.rows.len() == other.rows.len()
            && self.aside == other.aside;
        if !is_alike {
            return None;
        }
        let (mut cells, places) = match since {
            None => (CellSet::default(), self.rows.other_than(&other.rows)),
            Some((mine, theirs, known)) => {
                let mut places = self.rows.other_than(&mine.rows);
                places.extend(other.rows.other_than(&theirs.rows));
                (known.without_entities(&places), places)
            }
        };
        for place in places {
            let (mine, theirs) = (&self.rows[place], &other.rows[place]);
            if !is_same_being(mine, theirs) {
                return None;
            }
            let pairs = std::iter::zip(mine.cells.iter(), theirs.cells.iter());
            for (slot, (cell, other)) in (0u16..).zip(pairs) {
                if cell.viewers != other.viewers {
                    return None;
                }
                if cell.value.is_exactly(&other.value) {
                    continue;
                }
                if slot == SIDE {
                    return None;
                }
                cells.add(EntityId(place as u32), slot);
            }
        }
        let kind_of = |entity: usize| Some(self.rows[entity].kind).filter(|kind| *kind != NO_KIND);
        Some(cells.with_kinds(kind_of))
    }

    /// Whether a world that grows as another did, which has lost nothing, still
    /// holds no more than it may.
    pub(crate) fn can_grow_as(&self, before: &World, after: &World) -> bool {
        before.rows.len() <= after.rows.len()
            && self.parts + after.parts <= MOST_PARTS + before.parts
    }

    /// Changes as another course of the world did between these two states.
    pub(crate) fn follow(&mut self, before: &World, after: &World) {
        for place in after.rows.other_than(&before.rows) {
            let Some(now) = after.rows.get(place).cloned() else {
                continue;
            };
            let entity = EntityId(place as u32);
            match before.rows.get(place) {
                Some(then) => self.follow_row(entity, then, &now),
                None => self.take_in(entity, &now),
            }
        }
    }

    fn follow_row(&mut self, entity: EntityId, then: &Row, now: &Row) {
        if now.is_alive && !then.is_alive {
            self.set_alive(entity, true);
        }
        let pairs = std::iter::zip(then.cells.iter(), now.cells.iter());
        for (slot, (then, now)) in (0u16..).zip(pairs) {
            if !then.value.is_exactly(&now.value) {
                self.replace(entity, slot, now.value.clone());
            }
            if then.viewers != now.viewers {
                self.replace_viewers(entity, Some(slot), now.viewers);
            }
        }
        if then.existence != now.existence {
            self.replace_viewers(entity, None, now.existence);
        }
        if then.is_alive && !now.is_alive {
            self.set_alive(entity, false);
        }
    }

    /// Makes an entity that another course made.
    fn take_in(&mut self, entity: EntityId, row: &Row) {
        let mut row = row.clone();
        let is_alive = std::mem::replace(&mut row.is_alive, true);
        row.digest = None;
        self.parts += row.parts();
        self.rows.push(row);
        self.insert_name(entity);
        self.stamp_being(entity);
        self.index_being(entity);
        self.stale.push(entity);
        if !is_alive {
            self.set_alive(entity, false);
        }
    }
}

/// Whether two rows are of the same entity, which is there in both or in none,
/// and is known to the same.
fn is_same_being(one: &Row, other: &Row) -> bool {
    (one.kind, one.is_alive, one.existence) == (other.kind, other.is_alive, other.existence)
        && one.name == other.name
        && one.cells.len() == other.cells.len()
}
