//! States by number, and what has changed since the last of them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::Revision;
use crate::groups::{GroupStamps, ReadGroups};

/// Of so many states before the last it is remembered what was found valid in them.
const MOST_STATES: usize = 4;

/// Of so many states, the last, it is known what has changed since.
const MOST_SINCE: usize = 32;

/// Gives numbers to states, of which those before the last are met again where play
/// is taken back, or tried out.
#[derive(Debug, Default)]
pub(super) struct StateNumbers {
    last: Cell<(Revision, u64)>,
    before: RefCell<VecDeque<(Revision, u64)>>,
    /// The greatest number that was given; 0 is no state's.
    given: Cell<u64>,
    /// Of states up to this one nothing is known any more.
    forgotten: Cell<u64>,
    /// When the groups changed last, as of the last state.
    stamps: RefCell<GroupStamps>,
    /// Of each of the last numbers, what has changed since it was given.
    since: [Cell<ReadGroups>; MOST_SINCE],
}

impl StateNumbers {
    /// The number of a state; its groups are asked for where it is another than the
    /// last.
    pub fn of(&self, now: Revision, stamps: impl FnOnce() -> GroupStamps) -> u64 {
        match self.last.get() {
            (last, number) if last == now && number != 0 => number,
            last => self.turn_to(now, last, stamps()),
        }
    }

    fn turn_to(&self, now: Revision, last: (Revision, u64), stamps: GroupStamps) -> u64 {
        let before = self.stamps.replace(stamps);
        if stamps.era != before.era {
            // All may have changed, what has no group too.
            self.forgotten.set(self.given.get());
        }
        let changed = stamps.other_than(&before);
        for since in &self.since {
            since.set(since.get() | changed);
        }
        let mut before = self.before.borrow_mut();
        before.push_front(last);
        let known = before
            .iter()
            .position(|(state, number)| *state == now && *number != 0);
        let known = known.and_then(|place| before.remove(place));
        before.truncate(MOST_STATES);
        // A state that is met again keeps what has changed since it was met first:
        // answers were found anew meanwhile, on which others rest.
        let (_, number) = known.unwrap_or_else(|| (now, self.give()));
        self.last.set((now, number));
        number
    }

    fn give(&self) -> u64 {
        let number = self.given.get() + 1;
        self.given.set(number);
        self.since[place_since(number)].set(ReadGroups::NONE);
        number
    }

    /// Whether nothing has changed in some groups since a state, by its number.
    pub fn are_as_in(&self, state: u64, groups: ReadGroups) -> bool {
        state > self.forgotten.get()
            && state + MOST_SINCE as u64 > self.given.get()
            && !groups.may_differ(self.since[place_since(state)].get())
    }

    /// All that is known of states is forgotten.
    pub fn forget(&mut self) {
        self.last.set(Default::default());
        self.before.get_mut().clear();
        self.forgotten.set(self.given.get());
    }
}

fn place_since(state: u64) -> usize {
    state as usize % MOST_SINCE
}
