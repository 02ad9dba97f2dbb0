//! The watchdog: it breaks off what runs for too long by the clock.
//!
//! It never decides what a game comes to. Whatever a script does is charged,
//! and ends long before; that the watchdog fires at all is a fault of what
//! things cost. A live input that it broke off is undone whole, and the journal
//! says so; a replay does what the journal says and has no watchdog.

use std::cell::Cell;
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "the watchdog alone has a clock, and no result depends on it"
)]
use std::time::Instant;

/// How long one request may take.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// So many looks at the watchdog pass between two looks at the clock.
const LOOKS: u32 = 4096;

/// A clock for one request.
#[derive(Debug)]
pub struct Watch {
    patience: Cell<Option<Duration>>,
    looks: Cell<u32>,
    #[expect(clippy::disallowed_types, reason = "see above")]
    since: Cell<Option<Instant>>,
    /// What the thread had computed when the request first seemed slow.
    suspected: Cell<Option<Duration>>,
    /// Whether it has broken something off since somebody last asked.
    has_fired: Cell<bool>,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            patience: Cell::new(Some(PATIENCE)),
            looks: Cell::new(0),
            since: Cell::new(None),
            suspected: Cell::new(None),
            has_fired: Cell::new(false),
        }
    }
}

impl Watch {
    /// How long requests may take from now on; `None` for as long as they like.
    pub fn patience(&self, patience: Option<Duration>) -> Option<Duration> {
        self.patience.replace(patience)
    }

    /// A request begins.
    #[expect(clippy::disallowed_types, reason = "see above")]
    pub fn begin(&self) {
        self.since.set(self.patience.get().map(|_| Instant::now()));
        self.looks.set(0);
        self.suspected.set(None);
    }

    /// Whether a request goes on.
    pub fn is_on(&self) -> bool {
        self.since.get().is_some()
    }

    /// A request has ended.
    pub fn end(&self) {
        self.since.set(None);
    }

    /// Whether the request has taken too long.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_over_after(1)
    }

    /// The same, where nobody has looked so many times. It is asked for each read of
    /// an attribute, and nearly always the answer is here.
    #[inline]
    pub fn is_over_after(&self, missed: u32) -> bool {
        let looks = self.looks.get() + missed;
        self.looks.set(looks);
        looks >= LOOKS && self.is_over_by_clock()
    }

    #[cold]
    fn is_over_by_clock(&self) -> bool {
        self.looks.set(self.looks.get() % LOOKS);
        let is_over = self.look();
        if is_over {
            self.has_fired.set(true);
        }
        is_over
    }

    /// Whether it has broken something off since this was last asked.
    pub fn has_fired(&self) -> bool {
        self.has_fired.take()
    }

    /// Looks at the clock. A machine with much else to do is slow, not the
    /// request: what counts is what the thread has computed, where the system
    /// tells, from the moment on at which a quarter of the time was gone.
    fn look(&self) -> bool {
        let (Some(since), Some(patience)) = (self.since.get(), self.patience.get()) else {
            return false;
        };
        let elapsed = since.elapsed();
        if elapsed < patience / 4 {
            return false;
        }
        match (computed(), self.suspected.get()) {
            (None, _) => elapsed > patience,
            (now, None) => {
                self.suspected.set(now);
                elapsed > patience && patience.is_zero()
            }
            (Some(now), Some(then)) => {
                elapsed > patience && now.saturating_sub(then) > patience / 4 * 3
            }
        }
    }
}

/// What this thread has computed so far, where the system tells.
fn computed() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ')
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}
