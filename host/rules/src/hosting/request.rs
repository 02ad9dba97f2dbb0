//! Requests: what is asked of the rules at once, under one budget and one clock.

use std::time::Duration;

use crate::hosting::Running;
use crate::limits::REQUEST_BUDGET;

/// While it lives, all calls share the budget and the clock of one request.
pub struct RequestScope<'a> {
    /// Nothing within another request.
    shared: Option<&'a Running>,
}

impl Drop for RequestScope<'_> {
    fn drop(&mut self) {
        if let Some(shared) = self.shared {
            shared.pool.set(None);
            shared.watch.end();
        }
    }
}

/// While it lives, a call outside of any request has the clock to itself.
pub struct Clock<'a> {
    /// Nothing within a request.
    own: Option<&'a Running>,
    was_on: bool,
}

impl Drop for Clock<'_> {
    fn drop(&mut self) {
        match (self.own, self.was_on) {
            (Some(running), true) => running.watch.begin(),
            (Some(running), false) => running.watch.end(),
            (None, _) => {}
        }
    }
}

impl Running {
    /// Lets all calls until the returned token is dropped share one budget and
    /// one clock: a rule that pushes itself, or thirty that tell what is legal,
    /// could else run for long within their limits. A request within another
    /// is part of it.
    pub fn request(&self) -> RequestScope<'_> {
        if self.pool.get().is_some() {
            return RequestScope { shared: None };
        }
        self.pool.set(Some(REQUEST_BUDGET));
        self.watch.begin();
        if let Some(scripts) = self.scripts() {
            scripts.tidy_answers();
        }
        RequestScope { shared: Some(self) }
    }

    /// A call from the kernel has cost so many checks, or would have where its answer was
    /// kept: they are taken from what is left to the request, if one is answered.
    pub fn charge_call(&self, used: u64) {
        self.spent.set(self.spent.get().wrapping_add(used));
        let left = self.pool.get().map(|pool| pool.saturating_sub(used));
        self.pool.set(left);
    }

    /// Sets the clock for one call that may belong to no request, as in odds and
    /// in cases of tests, until the returned token is dropped. What called it
    /// has all of its time again after it.
    pub fn clock(&self) -> Clock<'_> {
        if self.pool.get().is_some() {
            return Clock {
                own: None,
                was_on: false,
            };
        }
        let was_on = self.watch.is_on();
        self.watch.begin();
        Clock {
            own: Some(self),
            was_on,
        }
    }

    /// How long requests may take by the clock before they are broken off, or
    /// `None` for a replay, which does what the journal says. Gives what it was.
    pub fn watch(&self, patience: Option<Duration>) -> Option<Duration> {
        self.watch.patience(patience)
    }

    /// Whether the watchdog has broken something off since this was last asked:
    /// whatever came of that is no result.
    pub fn was_broken_off(&self) -> bool {
        self.watch.has_fired()
    }
}
