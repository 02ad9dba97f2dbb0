//! Numbers that stand for values: by them it is told that something is as it was.
//!
//! Absent on purpose: what has a stamp, and who compares them; see
//! [`crate::query`].

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The next stamp that no thread has taken.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// So many a thread takes at once, so that threads seldom wait for each other.
const TAKEN: u64 = 1 << 12;

thread_local! {
    /// The stamps that the thread has taken and not given yet: the next, and the end.
    static MINE: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

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
        MINE.with(|mine| {
            let (next, end) = match mine.get() {
                (next, end) if next == end => {
                    let first = NEXT.fetch_add(TAKEN, Ordering::Relaxed);
                    (first, first + TAKEN)
                }
                left => left,
            };
            mine.set((next + 1, end));
            Stamp(next)
        })
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
