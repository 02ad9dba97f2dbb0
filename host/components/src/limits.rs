//! How much a component may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::ResourceLimiter;

/// Bytes of machine stack that a call into a component may use.
pub(super) const STACK: usize = 256 << 10;

/// Bytes of machine stack that nested calls may have used when one more begins.
pub(super) const NESTED_STACK: usize = 768 << 10;

/// Functions that may run at once in one instance, on one stack.
pub(super) const DEEPEST_HERE: usize = 12;

/// Bytes of memory of one instance.
pub(super) const MEMORY: usize = 64 << 20;

/// Bytes of memory of all instances that are alive.
pub(super) const ALL_MEMORY: usize = 256 << 20;

/// Entries of one table of functions.
pub(super) const TABLE: usize = 1 << 16;

/// Fuel that is worth one check of a script: both take about as long.
pub(super) const FUEL_A_CHECK: u64 = 256;

/// Instances that wait for later calls, as new, of one set of rules: as many as are
/// let go of together where questions lie within questions. With half of them four
/// times as many are made anew, a twentieth of the time of a battle.
pub(super) const RESTING: usize = 16;

/// What one call of the host may be given, in bytes and parts of values.
pub(super) const HOST_CALL: usize = 16 << 20;

/// Bytes of memory of all instances that are alive: now, and at most since it
/// is measured.
#[derive(Default)]
pub(crate) struct MemoryGauge {
    pub now: AtomicUsize,
    pub most: AtomicUsize,
}

/// What an instance has taken.
pub(crate) struct MemoryLimiter {
    all: Arc<MemoryGauge>,
    mine: usize,
    /// Whether it wanted more than it may have.
    pub was_refused: bool,
}

impl MemoryLimiter {
    /// The limit of a new instance, beside all that are alive.
    pub fn new(all: &Arc<MemoryGauge>) -> MemoryLimiter {
        MemoryLimiter {
            all: all.clone(),
            mine: 0,
            was_refused: false,
        }
    }

    /// The instance waits, and counts no more.
    pub fn rest(&mut self) {
        self.all.now.fetch_sub(self.mine, Ordering::Relaxed);
        self.mine = 0;
    }

    /// It is used again, with so much memory; whether it may have that.
    pub fn wake(&mut self, size: usize) -> bool {
        self.memory_growing(0, size, None).unwrap_or(false)
    }
}

impl Drop for MemoryLimiter {
    fn drop(&mut self) {
        self.all.now.fetch_sub(self.mine, Ordering::Relaxed);
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        if desired > MEMORY || self.all.now.load(Ordering::Relaxed) + more > ALL_MEMORY {
            self.was_refused = true;
            return Ok(false);
        }
        let before = self.all.now.fetch_add(more, Ordering::Relaxed);
        self.all.most.fetch_max(before + more, Ordering::Relaxed);
        self.mine += more;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.was_refused |= desired > TABLE;
        Ok(desired <= TABLE)
    }
}
