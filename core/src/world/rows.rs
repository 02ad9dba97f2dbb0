//! The rows of a world, by slot, in pieces that snapshots share.
//!
//! A snapshot is taken at each step, and few rows are written in one: a copy
//! counts up once for each piece, and the first write into a piece copies that
//! piece alone.

use std::ops::Index;
use std::sync::Arc;

use super::{Pieces, Row};

/// Rows by slot. Those of entities that are gone stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityRows(Pieces<Arc<Row>, 16>);

impl EntityRows {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A row, if there is one at that slot.
    pub fn get(&self, slot: usize) -> Option<&Arc<Row>> {
        self.0.get(slot)
    }

    /// A row for writing; whoever shares it keeps what was there. There must be
    /// one at that slot.
    pub fn write(&mut self, slot: usize) -> &mut Row {
        Arc::make_mut(&mut self.0[slot])
    }

    /// All, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Row>> {
        self.0.iter()
    }

    /// One more.
    pub fn push(&mut self, row: Row) {
        self.0.push(Arc::new(row));
    }

    /// The slots at which another row stands than in earlier rows, or one alone.
    pub fn other_than(&self, before: &EntityRows) -> Vec<usize> {
        let slots = self.0.in_other_pieces(&before.0);
        slots
            .filter(|slot| match (self.get(*slot), before.get(*slot)) {
                (Some(now), Some(then)) => !Arc::ptr_eq(now, then),
                (None, None) => false,
                _ => true,
            })
            .collect()
    }
}

impl Index<usize> for EntityRows {
    type Output = Arc<Row>;

    /// A row; there must be one at that slot.
    fn index(&self, slot: usize) -> &Arc<Row> {
        &self.0[slot]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::StateHash;
    use crate::stamp::Stamp;
    use crate::value::Value;
    use crate::world::{RowCell, Viewers};

    fn row(number: i64) -> Row {
        Row {
            kind: 0,
            name: Arc::from("mob"),
            is_alive: true,
            cells: Pieces::from_iter([RowCell {
                value: Value::Int(number),
                viewers: Viewers::ALL,
                stamp: Stamp::NONE,
            }]),
            existence: Viewers::ALL,
            digest: None::<StateHash>,
            being: Stamp::NONE,
        }
    }

    fn numbers(rows: &EntityRows) -> Vec<Value> {
        rows.iter().map(|row| row.cells[0].value.clone()).collect()
    }

    #[test]
    fn rows_stand_at_their_slots_on_both_sides_of_a_piece() {
        let mut rows = EntityRows::default();
        assert_eq!((rows.len(), rows.get(0).is_none()), (0, true));
        for number in 0..40 {
            rows.push(row(number));
            assert_eq!(rows.len() as i64, number + 1);
        }
        for slot in 0..40 {
            assert_eq!(rows[slot].cells[0].value, Value::Int(slot as i64));
        }
        assert!(rows.get(40).is_none() && rows.get(48).is_none());
        assert_eq!(numbers(&rows), (0..40).map(Value::Int).collect::<Vec<_>>());
    }

    #[test]
    fn a_snapshot_keeps_what_was_there() {
        let mut rows = EntityRows::default();
        (0..40).for_each(|number| rows.push(row(number)));
        let before = rows.clone();
        rows.write(17).cells[0].value = Value::Int(-1);
        rows.push(row(40));
        assert_eq!(before[17].cells[0].value, Value::Int(17));
        assert_eq!((before.len(), rows.len()), (40, 41));
        assert_eq!(rows[17].cells[0].value, Value::Int(-1));
        // What was not written is the same object still.
        assert!(Arc::ptr_eq(&before[16], &rows[16]));
    }

    #[test]
    fn only_what_was_written_or_came_is_other() {
        let mut rows = EntityRows::default();
        (0..40).for_each(|number| rows.push(row(number)));
        let before = rows.clone();
        assert!(rows.other_than(&before).is_empty());
        rows.write(3).cells[0].value = Value::Int(-1);
        rows.write(16).cells[0].value = Value::Int(-1);
        (40..50).for_each(|number| rows.push(row(number)));
        let other: Vec<usize> = [3, 16].into_iter().chain(40..50).collect();
        assert_eq!(rows.other_than(&before), other);
        assert_eq!(before.other_than(&rows), other);
    }
}
