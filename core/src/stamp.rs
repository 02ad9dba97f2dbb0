//! Numbers that stand for values: by them it is told that something is as it was.
//!
//! Absent on purpose: what has a stamp, and who compares them; see
//! [`crate::query`].

use std::sync::atomic::{AtomicU64, Ordering};

/// The next stamp that nothing has had.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A number that stands for one value of one thing.
///
/// It means nothing outside of the process, and is no part of the state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Stamp(u64);

impl Stamp {
    /// The stamp of what is not there.
    pub const NONE: Stamp = Stamp(0);

    /// A stamp that nothing has had.
    pub fn fresh() -> Stamp {
        Stamp(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The stamp of a part of the state that is compared with others of its sort:
/// for that the stamp does not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unseen(pub Stamp);

impl PartialEq for Unseen {
    fn eq(&self, _: &Unseen) -> bool {
        true
    }
}

impl Eq for Unseen {}
