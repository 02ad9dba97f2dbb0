//! The events of a match that are settled, and which of them begin a phase.

use std::ops::Deref;

use kernel::event::Event;

/// Events in order. Where phases begin is noted as they come, so that nobody looks through all of them for it.
#[derive(Debug, Default)]
pub(super) struct SettledEvents {
    events: Vec<Event>,
    /// The places of those that begin a phase, in order.
    phases: Vec<usize>,
}

impl SettledEvents {
    /// Adds what has happened since.
    pub fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        let from = self.events.len();
        self.events.extend(events);
        let fresh = (from..).zip(&self.events[from..]);
        let begun = fresh.filter(|(_, event)| begins_phase(event));
        self.phases.extend(begun.map(|(place, _)| place));
    }

    /// Leaves the first so many.
    pub fn truncate(&mut self, count: usize) {
        self.events.truncate(count);
        self.phases.truncate(self.phases_until(count));
    }

    /// Those before a place that begin a phase.
    pub fn phases_before(&self, place: usize) -> impl Iterator<Item = &Event> {
        let places = &self.phases[..self.phases_until(place)];
        places.iter().map(|place| &self.events[*place])
    }

    fn phases_until(&self, place: usize) -> usize {
        self.phases.partition_point(|phase| *phase < place)
    }
}

impl Deref for SettledEvents {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.events
    }
}

impl FromIterator<Event> for SettledEvents {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> SettledEvents {
        let mut settled = SettledEvents::default();
        settled.extend(events);
        settled
    }
}

/// Whether a phase begins with an event.
pub(super) fn begins_phase(event: &Event) -> bool {
    &*event.kind == "phase"
}

#[cfg(test)]
mod tests {
    use kernel::event::Cause;
    use kernel::world::Viewers;

    use super::*;

    #[test]
    fn phases_are_found_wherever_events_come_and_go() {
        let event = |kind: &str| Event {
            kind: kind.into(),
            fields: Vec::new(),
            remarks: Vec::new(),
            audience: Viewers::ALL,
            cause: Cause::default(),
            action: 0,
        };
        let kinds = ["phase", "roll", "phase", "phase", "roll"];
        let mut settled: SettledEvents = kinds.iter().map(|kind| event(kind)).collect();
        let by_hand = |settled: &SettledEvents, place: usize| {
            let before = settled.iter().take(place);
            before.filter(|event| begins_phase(event)).count()
        };
        let agrees = |settled: &SettledEvents| {
            (0..=settled.len() + 2)
                .all(|place| settled.phases_before(place).count() == by_hand(settled, place))
        };
        assert!(agrees(&settled));
        assert_eq!(settled.phases_before(3).count(), 2);
        settled.truncate(3);
        assert!(agrees(&settled) && settled.len() == 3);
        settled.extend([event("roll"), event("phase")]);
        assert!(agrees(&settled) && settled.phases_before(9).count() == 3);
        settled.truncate(9);
        assert_eq!(settled.len(), 5);
    }
}
