//! What was looked up last, found again by one look at one place, without a map.

use std::cell::Cell;

/// How many things are remembered, as a power of two.
const RECENT_BITS: u32 = 9;

/// By which something is remembered: a kind, and the address of a key.
type RecentKey = (u16, usize);

/// A place where one thing is remembered.
type RecentPlace<T> = Cell<Option<(RecentKey, T)>>;

/// What was found for kinds and keys, as far as it was asked for lately.
#[derive(Debug)]
pub(crate) struct Recent<T: Copy>(Box<[RecentPlace<T>]>);

impl<T: Copy> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(vec![Cell::new(None); 1 << RECENT_BITS].into())
    }
}

impl<T: Copy> Recent<T> {
    fn cell(&self, (kind, key): RecentKey) -> Option<&RecentPlace<T>> {
        let mixed = (key as u64 ^ u64::from(kind) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0.get((mixed >> (64 - RECENT_BITS)) as usize)
    }

    /// What was found, if it is remembered.
    pub fn get(&self, key: RecentKey) -> Option<T> {
        self.cell(key)?
            .get()
            .filter(|(there, _)| *there == key)
            .map(|(_, found)| found)
    }

    /// Remembers what was found, in the place of another.
    pub fn put(&self, key: RecentKey, found: T) {
        if let Some(cell) = self.cell(key) {
            cell.set(Some((key, found)));
        }
    }
}
