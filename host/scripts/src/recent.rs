//! What was looked up last, found again by one look at one place, without a map.

use std::cell::Cell;

/// How many things are remembered, as a power of two.
const RECENT_BITS: u32 = 9;

/// By which something is remembered: what mixes it up for the place where it is looked
/// for.
pub(crate) trait RecentKey: Copy + PartialEq {
    /// A number of its own, as far as there can be one.
    fn mixed(self) -> u64;
}

/// What spreads numbers over all places.
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl RecentKey for (u16, usize) {
    /// Of a kind, and the address of a key.
    fn mixed(self) -> u64 {
        let (kind, address) = self;
        (address as u64 ^ u64::from(kind) << 48).wrapping_mul(SPREAD)
    }
}

/// A place where one thing is remembered.
type RecentPlace<K, T> = Cell<Option<(K, T)>>;

/// What was found for keys, as far as it was asked for lately.
#[derive(Debug)]
pub(crate) struct Recent<K: RecentKey, T: Copy>(Box<[RecentPlace<K, T>]>);

impl<K: RecentKey, T: Copy> Default for Recent<K, T> {
    fn default() -> Recent<K, T> {
        Recent(vec![Cell::new(None); 1 << RECENT_BITS].into())
    }
}

impl<K: RecentKey, T: Copy> Recent<K, T> {
    fn cell(&self, key: K) -> Option<&RecentPlace<K, T>> {
        self.0.get((key.mixed() >> (64 - RECENT_BITS)) as usize)
    }

    /// What was found, if it is remembered.
    pub fn get(&self, key: K) -> Option<T> {
        self.cell(key)?
            .get()
            .filter(|(there, _)| *there == key)
            .map(|(_, found)| found)
    }

    /// Remembers what was found, in the place of another.
    pub fn put(&self, key: K, found: T) {
        if let Some(cell) = self.cell(key) {
            cell.set(Some((key, found)));
        }
    }
}
