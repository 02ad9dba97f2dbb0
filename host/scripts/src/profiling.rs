//! What rules cost, measured where layers are entered and left.
//!
//! A call that met an answer is counted where that is found. Functions of
//! components are measured where the host enters them, also where the component
//! runs them itself.
#![expect(
    clippy::disallowed_types,
    reason = "what rules cost is told in time; no game reads it"
)]

use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kernel::value::Name;
use rustc_hash::FxHashMap;

use rules::hosting::Lookup;
use rules::hosting::registry::Layer;
use rules::profile::{Cost, Profile, of_machine, open};

/// A layer that runs.
#[derive(Debug)]
struct OpenLayer {
    layer: u32,
    rule: Name,
    since: Instant,
    /// How long what it called has taken.
    inner: Duration,
}

/// Measures what a machine does, if somebody wants to know.
#[derive(Debug)]
pub(crate) struct Profiler {
    counted: Option<Arc<Mutex<Profile>>>,
    running: RefCell<Vec<OpenLayer>>,
    /// Rules by the numbers that tell their calls from those of others.
    rules: RefCell<FxHashMap<u32, Name>>,
}

impl Profiler {
    /// The profiler of a new machine.
    pub fn of_machine() -> Profiler {
        Profiler {
            counted: of_machine(),
            running: RefCell::default(),
            rules: RefCell::default(),
        }
    }

    /// Whether it measures.
    pub fn is_on(&self) -> bool {
        self.counted.is_some()
    }

    /// The number by which calls of a rule are told from those of others.
    pub fn number(&self, rule: &Name, number: u32) {
        if self.is_on() {
            self.rules.borrow_mut().insert(number, rule.clone());
        }
    }

    /// The kernel calls a rule: what broke off before is forgotten.
    pub fn restart(&self) {
        if self.is_on() {
            self.running.borrow_mut().clear();
        }
    }

    /// A layer begins.
    pub fn enter(&self, layer: u32, of: &Layer) {
        let (rule, since) = (of.rule.clone(), Instant::now());
        self.running.borrow_mut().push(OpenLayer {
            layer,
            rule,
            since,
            inner: Duration::ZERO,
        });
    }

    /// A layer is over.
    pub fn leave(&self, layer: u32, of: &Layer) {
        let mut running = self.running.borrow_mut();
        // Those above it broke off.
        let Some(place) = running.iter().rposition(|open| open.layer == layer) else {
            return;
        };
        running.truncate(place + 1);
        let Some(left) = running.pop() else { return };
        let whole = left.since.elapsed();
        let is_inside = running.last().is_some_and(|outer| outer.rule == left.rule);
        if let Some(outer) = running.last_mut() {
            outer.inner += whole;
        }
        let own = whole.saturating_sub(left.inner);
        let cost = Cost {
            calls: 1,
            hits: 0,
            own,
            whole,
        };
        self.count(|counted| {
            // The layers of a rule are one call of it.
            let of_rule = if is_inside {
                Cost {
                    calls: 0,
                    whole: Duration::ZERO,
                    ..cost
                }
            } else {
                cost
            };
            counted
                .rules
                .entry(left.rule.clone())
                .or_default()
                .add(of_rule);
            for clause in of.cites.iter() {
                counted.clauses.entry(clause.clone()).or_default().add(cost);
            }
        });
    }

    /// An answer stood for a call of a rule.
    pub fn hit(&self, rule: &Name) {
        self.count(|counted| counted.rules.entry(rule.clone()).or_default().hits += 1);
    }

    /// The same for a rule by its number.
    pub fn hit_number(&self, number: u32) {
        if let Some(rule) = self.rules.borrow().get(&number) {
            self.hit(rule);
        }
    }

    /// A row of a table, or a clause, was looked up.
    pub fn looked_up(&self, lookup: Lookup, id: &Name) {
        self.count(|counted| {
            let of = match lookup {
                Lookup::Table => &mut counted.tables,
                Lookup::Clause => &mut counted.clauses,
            };
            of.entry(id.clone()).or_default().calls += 1;
        });
    }

    fn count(&self, work: impl FnOnce(&mut Profile)) {
        if let Some(counted) = &self.counted {
            work(&mut open(counted));
        }
    }
}
