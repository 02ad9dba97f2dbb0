//! What rules cost, while somebody wants to know: how often they were called,
//! how many calls met an answer that was kept, and how long they took.
//!
//! It is counted for the whole process, whatever machines run on however many
//! threads, and changes nothing of what rules give. Without it nothing is
//! counted, and no clock is read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::value::Name;

static IS_WANTED: AtomicBool = AtomicBool::new(false);

/// What each machine has counted.
static ALL: Mutex<Vec<Arc<Mutex<Profile>>>> = Mutex::new(Vec::new());

/// What one thing has cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// How often it was called, or looked up; calls that met an answer are not
    /// among them.
    pub calls: u64,
    /// How often an answer that was kept stood for a call.
    pub hits: u64,
    /// How long it ran itself.
    pub own: Duration,
    /// How long it ran with all that it called.
    pub whole: Duration,
}

impl Cost {
    /// Adds another.
    pub fn add(&mut self, other: Cost) {
        self.calls += other.calls;
        self.hits += other.hits;
        self.own += other.own;
        self.whole += other.whole;
    }
}

/// What rules have cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    /// Each rule, with all its layers.
    pub rules: BTreeMap<Name, Cost>,
    /// The functions that carry out a clause, and how often it was asked for.
    pub clauses: BTreeMap<Name, Cost>,
    /// How often rows of a table were looked up.
    pub tables: BTreeMap<Name, Cost>,
}

impl Profile {
    fn add(&mut self, other: Profile) {
        let sums = [
            (&mut self.rules, other.rules),
            (&mut self.clauses, other.clauses),
            (&mut self.tables, other.tables),
        ];
        for (mine, theirs) in sums {
            for (name, cost) in theirs {
                mine.entry(name).or_default().add(cost);
            }
        }
    }
}

/// Counts from now on, in every machine that is made from now on.
pub fn begin() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// Where a new machine counts, if that is wanted.
pub fn of_machine() -> Option<Arc<Mutex<Profile>>> {
    if !IS_WANTED.load(Ordering::Relaxed) {
        return None;
    }
    let profile = Arc::default();
    open(&ALL).push(Arc::clone(&profile));
    Some(profile)
}

/// All that was counted since this was last called.
pub fn take() -> Profile {
    let mut sum = Profile::default();
    for profile in open(&ALL).iter() {
        sum.add(std::mem::take(&mut *open(profile)));
    }
    sum
}

/// What is locked here is whole after every step: a thread that broke off
/// leaves nothing half done.
pub fn open<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_several_machines_add_up() {
        assert!(of_machine().is_none(), "nobody wants to know");
        let cost = |calls, own| Cost {
            calls,
            own: Duration::from_micros(own),
            ..Cost::default()
        };
        let one = Profile {
            rules: [(Name::from("a.b.c"), cost(2, 10))].into(),
            ..Profile::default()
        };
        let mut sum = one.clone();
        sum.add(Profile {
            tables: [(Name::from("a.t"), cost(1, 0))].into(),
            ..one
        });
        assert_eq!(sum.rules[&Name::from("a.b.c")], cost(4, 20));
        assert_eq!(sum.tables[&Name::from("a.t")].calls, 1);
    }
}
