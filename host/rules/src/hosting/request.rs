//! Requests: what is asked of the rules at once, under one budget and one clock.

use std::time::Duration;

use crate::hosting::Running;
use crate::limits::REQUEST_BUDGET;

/// While it lives, all calls share the budget and the clock of one request.
pub struct Request<'a> {
    /// Nothing within another request.
    shared: Option<&'a Running>,
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        if let Some(shared) = self.shared {
            shared.pool.set(None);
            shared.watch.end();
        }
    }
}

impl Running {
    /// Lets all calls until the returned token is dropped share one budget and
    /// one clock: a rule that pushes itself, or thirty that tell what is legal,
    /// could else run for long within their limits. A request within another
    /// is part of it.
    pub fn request(&self) -> Request<'_> {
        if self.pool.get().is_some() {
            return Request { shared: None };
        }
        self.pool.set(Some(REQUEST_BUDGET));
        self.watch.begin();
        if let Some(scripts) = self.scripts() {
            scripts.tidy_answers();
        }
        Request { shared: Some(self) }
    }

    /// How long requests may take by the clock before they are broken off, or
    /// `None` for a replay, which does what the journal says. Gives what it was.
    pub fn watch(&self, patience: Option<Duration>) -> Option<Duration> {
        self.watch.patience(patience)
    }
}
