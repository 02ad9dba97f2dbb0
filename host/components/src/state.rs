//! What an instance carries, and what everything that is done with one needs of
//! it: whose it is, what runs in it, its fuel.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use wasmtime::{Memory, StoreContextMut, Trap, TypedFunc};

use crate::limits::{FUEL_A_CHECK, MemoryLimiter};
use rules::hosting::Running;
use rules::hosting::calls::{chain_of, in_running};
use rules::hosting::chain::{Chain, Stopped};
use rules::registration::Registrar;

/// What an instance carries.
pub(crate) struct InstanceState {
    pub shared: Rc<Running>,
    /// Its component.
    pub source: Rc<ComponentSource>,
    /// The registrar at which it registers; only while it does.
    pub registrar: Option<Rc<Registrar>>,
    /// The rules that run in it, and their layers, innermost last.
    pub current: Vec<(Rc<Chain>, usize)>,
    /// The fuel that it was last given.
    pub granted: u64,
    pub limit: MemoryLimiter,
    /// Where the host reaches into it, if it is a module without a component.
    pub ends: Option<Rc<Ends>>,
    /// The keys of records that it was given, and where they lie, if it lets them lie
    /// there: until it is put back.
    pub keys: Vec<(Name, u32)>,
    /// Whether it makes room or tidies up, and may not ask for anything.
    pub is_closed: bool,
}

/// Where a component is from. All that is made of it shares one, so that what is
/// its own is told from what is another's.
pub(crate) struct ComponentSource {
    /// The mod.
    pub module: Name,
    /// Its file.
    pub path: String,
}

impl ComponentSource {
    /// The file as a place.
    pub fn place(&self) -> Place {
        Place::new(&*self.module, self.path.as_str(), 0)
    }
}

/// A function of a component, by its number.
#[derive(Clone)]
pub(crate) struct Export {
    pub source: Rc<ComponentSource>,
    pub function: u32,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "function {} of {}", self.function, self.source.path)
    }
}

/// Where the host reaches into an instance that is a module without a component.
pub(crate) struct Ends {
    /// Its memory.
    pub memory: Memory,
    /// What makes room in it.
    pub realloc: TypedFunc<(u32, u32, u32, u32), u32>,
    /// Where the table of what is free in it lies, if it has one.
    pub table: Option<usize>,
}

impl InstanceState {
    /// The instance waits for a later call.
    pub(crate) fn rest(&mut self, nobody: &Rc<Running>) {
        self.shared = nobody.clone();
        self.current.clear();
        self.keys.clear();
        self.granted = 0;
        self.limit.rest();
    }

    /// It is used again, with so much memory; whether it may have that.
    pub(crate) fn wake(&mut self, shared: &Rc<Running>, size: usize) -> bool {
        self.shared = shared.clone();
        self.limit.wake(size)
    }

    /// A rule by its id, and its outermost layer.
    pub(crate) fn chain(&self, rule: &str) -> wasmtime::Result<(Rc<Chain>, usize)> {
        let chain = chain_of(&self.shared, rule).map_err(|fault| self.fault(fault))?;
        let last = chain.links.len() - 1;
        Ok((chain, last))
    }

    /// Where the host reaches into the instance that asks it for something.
    pub(crate) fn ends(&self) -> wasmtime::Result<Rc<Ends>> {
        match &self.ends {
            Some(ends) if !self.is_closed => Ok(ends.clone()),
            _ => Err(Trap::CannotLeaveComponent.into()),
        }
    }

    /// The rule under the wrap that runs.
    pub(crate) fn under(&self) -> wasmtime::Result<(Rc<Chain>, usize)> {
        match self.current.last() {
            Some((chain, level)) if *level > 0 => Ok((chain.clone(), level - 1)),
            _ => {
                let message = "expected a wrap, found a call of `base` outside of one";
                Err(self.fault(Fault::new(FaultCode::NotAllowed, message)))
            }
        }
    }

    /// Whether nothing has stopped the rule that runs.
    ///
    /// # Errors
    /// When something has.
    pub(crate) fn stopped(&self) -> wasmtime::Result<()> {
        match *self.shared.stop.borrow() {
            Some(_) => Err(stopped()),
            None => Ok(()),
        }
    }

    /// Stops the rule that runs with a fault.
    pub(crate) fn fault(&self, fault: Fault) -> wasmtime::Error {
        let fault = in_running(&self.shared, fault).at(self.source.place());
        let Stopped = self.shared.stop_with(fault);
        stopped()
    }

    /// Takes checks for work that no fuel counts.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(crate) fn charge(&self, checks: u64) -> wasmtime::Result<()> {
        self.shared.spend(checks).map_err(|fault| self.fault(fault))
    }
}

/// What ends a call at once; why, is in what is shared.
pub(crate) fn stopped() -> wasmtime::Error {
    wasmtime::Error::msg("this rule has been stopped")
}

/// Gives an instance the fuel that the budget is worth.
pub(crate) fn grant(store: &mut StoreContextMut<'_, InstanceState>) {
    let fuel = store
        .data()
        .shared
        .budget
        .get()
        .saturating_mul(FUEL_A_CHECK);
    store.data_mut().granted = fuel;
    // Fuel is counted, so it can be set.
    let _ = store.set_fuel(fuel);
}

/// Charges the budget with the fuel that an instance has used.
pub(crate) fn settle(store: &mut StoreContextMut<'_, InstanceState>) {
    let left = store.get_fuel().unwrap_or(0);
    let state = store.data_mut();
    let checks = state.granted.saturating_sub(left).div_ceil(FUEL_A_CHECK);
    state.granted = left;
    state
        .shared
        .budget
        .set(state.shared.budget.get().saturating_sub(checks));
}

/// What an instance gives and costs depends on what it was entered for before:
/// only what is computed apart, for which all instances are new, is kept.
pub(crate) fn layer_entered(shared: &Running, layer: u32) {
    if let Some(scripts) = shared.scripts() {
        scripts.spoil_nested();
        scripts.layer_entered(layer);
    }
}

/// The function is over that was entered; where one broke off, whoever called it
/// tells that it is over itself.
pub(crate) fn layer_left(shared: &Running, layer: u32) {
    if let Some(scripts) = shared.scripts() {
        scripts.layer_left(layer);
    }
}
