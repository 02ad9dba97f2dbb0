//! What rules cost, measured where layers are entered and left.
//!
//! A call that met an answer is counted where that is found; what a component
//! does for the kernel is measured around it, and is else part of what called it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kernel::value::Name;
use mlua::{Lua, Table};

use crate::vm::Shared;
use rules::hosting::registry::Layer;
use rules::profile::{Cost, Profile, of_machine, open};

/// A layer that runs.
#[derive(Debug)]
struct Open {
    layer: u32,
    rule: Name,
    since: Instant,
    /// How long what it called has taken.
    inner: Duration,
}

/// Measures what a machine does.
#[derive(Debug)]
pub(crate) struct Profiler {
    counted: Arc<Mutex<Profile>>,
    running: RefCell<Vec<Open>>,
}

impl Profiler {
    /// A profiler, if somebody wants to know.
    pub fn wanted() -> Option<Profiler> {
        Some(Profiler { counted: of_machine()?, running: RefCell::default() })
    }

    /// The kernel calls a rule: what broke off before is forgotten.
    pub fn restart(&self) {
        self.running.borrow_mut().clear();
    }

    fn enter(&self, layer: u32, of: &Layer) {
        let (rule, since) = (of.rule.clone(), Instant::now());
        self.running.borrow_mut().push(Open { layer, rule, since, inner: Duration::ZERO });
    }

    fn leave(&self, layer: u32, of: &Layer) {
        let mut running = self.running.borrow_mut();
        // Those above it broke off.
        let Some(place) = running.iter().rposition(|open| open.layer == layer) else { return };
        running.truncate(place + 1);
        let Some(left) = running.pop() else { return };
        let whole = left.since.elapsed();
        let is_inside = running.last().is_some_and(|outer| outer.rule == left.rule);
        if let Some(outer) = running.last_mut() {
            outer.inner += whole;
        }
        let own = whole.saturating_sub(left.inner);
        let cost = Cost { calls: 1, hits: 0, own, whole };
        let mut counted = open(&self.counted);
        add(
            counted.rules.entry(left.rule).or_default(),
            match is_inside {
                true => Cost { calls: 0, whole: Duration::ZERO, ..cost },
                false => cost,
            },
        );
        for clause in of.cites.iter() {
            add(counted.clauses.entry(clause.clone()).or_default(), cost);
        }
    }

    /// An answer stood for a call of a rule.
    pub fn hit(&self, rule: &Name) {
        open(&self.counted).rules.entry(rule.clone()).or_default().hits += 1;
    }

    /// The kernel called a rule whose outermost layer is a component.
    pub fn ran(&self, rule: &Name, whole: Duration) {
        let cost = Cost { calls: 1, hits: 0, own: whole, whole };
        add(open(&self.counted).rules.entry(rule.clone()).or_default(), cost);
    }

    fn looked_up(&self, sort: &str, id: &str) {
        let mut counted = open(&self.counted);
        let of = if sort == "table" { &mut counted.tables } else { &mut counted.clauses };
        of.entry(Name::from(id)).or_default().calls += 1;
    }
}

fn add(sum: &mut Cost, cost: Cost) {
    sum.calls += cost.calls;
    sum.own += cost.own;
    sum.whole += cost.whole;
}

/// Adds the functions through which layers tell that they begin and end.
///
/// # Errors
/// When the machine has no memory for them.
pub(super) fn functions(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let over = |of: &Shared, layer: u32, tell: fn(&Profiler, u32, &Layer)| {
        let layers = of.layers.borrow();
        if let (Some(profiler), Some(found)) = (&of.profiler, layers.get(layer as usize)) {
            tell(profiler, layer, found);
        }
    };
    let of = shared.clone();
    host.set(
        "cost_enter",
        lua.create_function(move |_, layer: u32| {
            over(&of, layer, Profiler::enter);
            Ok(())
        })?,
    )?;
    let of = shared.clone();
    host.set(
        "cost_leave",
        lua.create_function(move |_, layer: u32| {
            over(&of, layer, Profiler::leave);
            Ok(())
        })?,
    )?;
    let of = shared.clone();
    let looked_up = lua.create_function(move |_, (sort, id): (String, String)| {
        if let Some(profiler) = &of.profiler {
            profiler.looked_up(&sort, &id);
        }
        Ok(())
    })?;
    host.set("cost_lookup", looked_up)?;
    host.set("is_profiled", shared.profiler.is_some())
}
