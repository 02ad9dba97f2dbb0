//! The states of a match before each of its inputs.

use std::ops::Index;
use std::rc::Rc;

use kernel::digest::StateHash;
use kernel::engine::Play;

/// The state before an input, to go back to.
#[derive(Debug)]
pub(super) struct Before {
    pub play: Play,
    pub events: usize,
    /// The hash of those events.
    pub events_hash: StateHash,
}

/// The states before each input, but for the first of them where nobody goes back so far.
#[derive(Debug, Default)]
pub(super) struct History {
    let_go: usize,
    /// A state is large, and is not moved again.
    kept: Vec<Rc<Before>>,
}

impl History {
    /// Of how many inputs.
    pub fn len(&self) -> usize {
        self.let_go + self.kept.len()
    }

    /// The state before an input, from 0, if it is kept.
    pub fn get(&self, input: usize) -> Option<&Before> {
        let place = input.checked_sub(self.let_go)?;
        self.kept.get(place).map(|before| &**before)
    }

    /// Another input was taken.
    pub fn push(&mut self, before: Before) {
        self.kept.push(Rc::new(before));
    }

    /// Leaves the inputs before one; gives the state before that one, if it was taken.
    pub fn cut(&mut self, input: usize) -> Option<Rc<Before>> {
        let place = input.saturating_sub(self.let_go).min(self.kept.len());
        self.kept.drain(place..).next()
    }

    /// Lets go of the states before all but the last so many inputs.
    pub fn keep_last(&mut self, inputs: usize) {
        let gone = self.kept.len().saturating_sub(inputs);
        self.kept.drain(..gone);
        self.let_go += gone;
    }

    /// How many inputs were taken when no more than so many events had happened.
    pub fn begun_by(&self, events: usize) -> usize {
        let is_begun = |before: &Rc<Before>| before.events <= events;
        self.let_go + self.kept.partition_point(is_begun)
    }
}

impl Index<usize> for History {
    type Output = Before;

    /// The state before an input, which must be kept.
    fn index(&self, input: usize) -> &Before {
        &self.kept[input - self.let_go]
    }
}
