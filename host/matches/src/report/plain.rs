//! Events and decisions in a line each, also those that a report leaves to others.

use kernel::engine::SeenEvent;
use kernel::value::{EntityId, Name};

use super::{NarratedParts, Phrases, Report};

impl Report {
    /// An event in words, also one without a line of its own in a report: what is done,
    /// though what comes of it tells that, and which phase begins.
    pub fn plainly(&self, event: &SeenEvent, names: &dyn Fn(EntityId) -> Name) -> String {
        let say = Phrases {
            unit: self.options.unit,
            names,
        };
        let seen = NarratedParts { event, say };
        match &*event.kind {
            "action" | "reaction" => seen.action(&self.book),
            "done" => seen.stop(),
            "phase" => {
                let mut alone = Report::new(self.options, &self.book);
                alone.begin_phase(&seen);
                let heading = alone.pending.map(|heading| heading.text);
                format!("{} begins", heading.as_deref().unwrap_or("a phase"))
            }
            _ => seen.declared(&self.book).1,
        }
    }
}
