//! Calls into components, out of them, and from one into the next.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kernel::error::{Fault, FaultCode};
use kernel::value::Value;
use wasmtime::{AsContextMut, PoolConcurrencyLimitError, Store, Trap};

use crate::code::{Code, Instance};
use crate::faults::{first_line, too_deep, too_much_memory, with_word};
use crate::guest::Guest;
use crate::limits::{ALL_MEMORY, HOST_CALL, MemoryGauge, MemoryLimiter, NESTED_STACK, RESTING};
use crate::state::{
    ComponentSource, Export, InstanceState, grant, layer_entered, layer_left, settle,
};
use crate::v1::{self, GuestValue};
use rules::hosting::chain::{Chain, Stopped};
use rules::hosting::{Component, Footprint, FootprintMeasure, Instances, Running};
use rules::limits::{DEEPEST_COMPONENTS, too_long, with_hint};
use rules::registration::Registrar;

/// The instances of one call from the kernel, and those that wait for the next.
#[derive(Default)]
pub(crate) struct InstancePool {
    /// The components that they are of.
    guests: RefCell<Vec<Rc<Guest>>>,
    idle: RefCell<Vec<Live>>,
    /// Those that are as new, for later calls.
    resting: RefCell<Vec<Live>>,
    /// Whom they run for meanwhile.
    nobody: Rc<Running>,
    /// Those that wait until something is computed apart, outermost first.
    aside: RefCell<Vec<Vec<Live>>>,
    memory: Arc<MemoryGauge>,
    /// Where the stack began that the outermost function of a component found.
    stack: Cell<usize>,
    /// The most functions at once and the deepest stack since it is measured.
    frames: Cell<usize>,
    deepest: Cell<usize>,
}

impl Instances for InstancePool {
    fn clear(&self) {
        self.rest(self.idle.take());
    }

    fn seal(&self) {
        let waiting = self.idle.take();
        self.aside.borrow_mut().push(waiting);
    }

    fn unseal(&self) {
        let waiting = self.aside.borrow_mut().pop().unwrap_or_default();
        self.rest(self.idle.replace(waiting));
    }

    fn measure(&self, frames: usize) -> FootprintMeasure {
        let (now, most) = (self.now(frames), self.most());
        self.set_most(now);
        FootprintMeasure { now, most }
    }

    fn measured(&self, since: FootprintMeasure) -> Footprint {
        let most = self.most();
        self.set_most(most.max(since.most));
        most.above(since.now)
    }

    fn has_room(&self, frames: usize, room: Footprint) -> bool {
        let most = self.now(frames).with(room);
        let fits = most.frames <= DEEPEST_COMPONENTS
            && most.memory <= ALL_MEMORY
            && most.stack <= NESTED_STACK;
        if fits {
            self.set_most(self.most().max(most));
        }
        fits
    }

    fn entered(&self, frames: usize) {
        self.frames.set(self.frames.get().max(frames));
    }
}

impl InstancePool {
    /// The instances of components of a machine.
    pub fn of(running: &Running) -> Rc<InstancePool> {
        let made = running.instances().and_then(|there| {
            let there: Rc<dyn Any> = there;
            there.downcast::<InstancePool>().ok()
        });
        made.unwrap_or_else(|| {
            let pool = Rc::new(InstancePool::default());
            running.attach_instances(pool.clone());
            pool
        })
    }

    /// A component that has registered.
    ///
    /// # Errors
    /// When none from there has.
    fn guest(&self, source: &Rc<ComponentSource>) -> Result<Rc<Guest>, Fault> {
        let guests = self.guests.borrow();
        guests
            .iter()
            .find(|guest| Rc::ptr_eq(&guest.source, source))
            .cloned()
            .ok_or_else(|| {
                let message = "expected a component that has registered, found one that has not";
                Fault::new(FaultCode::Script, message)
            })
    }

    /// How much of the stack is taken, here and now.
    fn stack_taken(&self) -> usize {
        let here = 0u8;
        self.stack.get().abs_diff(std::ptr::from_ref(&here).addr())
    }

    fn now(&self, frames: usize) -> Footprint {
        Footprint {
            frames,
            memory: self.memory.now.load(Ordering::Relaxed),
            stack: self.stack_taken(),
        }
    }

    fn most(&self) -> Footprint {
        let memory = self.memory.most.load(Ordering::Relaxed);
        Footprint {
            frames: self.frames.get(),
            memory,
            stack: self.deepest.get(),
        }
    }

    fn set_most(&self, most: Footprint) {
        self.frames.set(most.frames);
        self.memory.most.store(most.memory, Ordering::Relaxed);
        self.deepest.set(most.stack);
    }

    /// Lets go of instances: what of them can be as new waits for later calls.
    fn rest(&self, all: Vec<Live>) {
        for mut live in all {
            if self.resting.borrow().len() < RESTING && live.put_back() {
                live.store.data_mut().rest(&self.nobody);
                self.resting.borrow_mut().push(live);
            }
        }
    }

    /// An instance that is as new, if one waits.
    ///
    /// # Errors
    /// When its memory is more than there may be.
    fn wake(
        &self,
        shared: &Rc<Running>,
        source: &Rc<ComponentSource>,
    ) -> Option<Result<Live, Fault>> {
        let mut live = taken(&self.resting, source)?;
        let size = live.size();
        let is_given = live.store.data_mut().wake(shared, size);
        Some(if is_given {
            Ok(live)
        } else {
            Err(too_much_memory())
        })
    }
}

/// An instance of a component out of several.
fn taken(of: &RefCell<Vec<Live>>, source: &Rc<ComponentSource>) -> Option<Live> {
    let mut all = of.borrow_mut();
    let place = all
        .iter()
        .rposition(|live| Rc::ptr_eq(&live.store.data().source, source))?;
    Some(all.swap_remove(place))
}

/// An instance that may be entered.
struct Live {
    store: Store<InstanceState>,
    instance: Instance,
}

impl Live {
    /// Puts it back to what it was at first; whether it could be.
    fn put_back(&mut self) -> bool {
        match &self.instance {
            Instance::Direct(instance) => instance.put_back(&mut self.store),
            Instance::Whole(_) => false,
        }
    }

    /// Bytes of its memory.
    fn size(&self) -> usize {
        self.store
            .data()
            .ends
            .as_ref()
            .map_or(0, |ends| ends.memory.data_size(&self.store))
    }
}

impl Component for Export {
    fn run(
        &self,
        running: &Rc<Running>,
        chain: &Rc<Chain>,
        level: usize,
        args: &[Value],
    ) -> Result<Value, Stopped> {
        let entering = Entering {
            pool: &InstancePool::of(running),
            shared: running,
            chain,
            level,
        };
        entering.run(&self.source, self.function, args)
    }
}

/// A call into a component.
struct Entering<'a> {
    pool: &'a Rc<InstancePool>,
    shared: &'a Rc<Running>,
    chain: &'a Rc<Chain>,
    level: usize,
}

impl Entering<'_> {
    fn run(
        &self,
        source: &Rc<ComponentSource>,
        function: u32,
        args: &[Value],
    ) -> Result<Value, Stopped> {
        let shared = self.shared;
        let layer = self.chain.links[self.level].number;
        layer_entered(shared, layer);
        if shared.frames.borrow().is_empty() {
            let here = 0u8;
            self.pool.stack.set(std::ptr::from_ref(&here).addr());
        }
        let used = self.pool.stack_taken();
        self.pool.deepest.set(self.pool.deepest.get().max(used));
        if shared.frames.borrow().len() >= DEEPEST_COMPONENTS || used > NESTED_STACK {
            return Err(self.fault(too_deep()));
        }
        self.pool.entered(shared.push_frame(layer));
        let outcome = self.enter(source, function, args);
        shared.frames.borrow_mut().pop();
        layer_left(shared, layer);
        outcome
    }

    fn fault(&self, fault: Fault) -> Stopped {
        let place = {
            let layers = self.shared.layers.borrow();
            layers[self.chain.links[self.level].number as usize]
                .place
                .clone()
        };
        self.shared
            .stop_with(fault.at(place).in_rule(&self.chain.rule))
    }

    /// One that ran before in this call, one that is as new, or a new one.
    fn instance(&self, source: &Rc<ComponentSource>) -> Result<Live, Fault> {
        let made = || {
            let guest = self.pool.guest(source)?;
            live(self.pool, self.shared, &guest, None).map_err(|error| broken(&error))
        };
        let idle = taken(&self.pool.idle, source).map(Ok);
        idle.or_else(|| self.pool.wake(self.shared, source))
            .unwrap_or_else(made)
    }

    fn enter(
        &self,
        source: &Rc<ComponentSource>,
        function: u32,
        args: &[Value],
    ) -> Result<Value, Stopped> {
        let mut live = self.instance(source).map_err(|fault| self.fault(fault))?;
        let depth = self.shared.frames.borrow().len();
        let current = &mut live.store.data_mut().current;
        current.clear();
        current.push((self.chain.clone(), self.level));
        grant(&mut live.store.as_context_mut());
        let outcome = live.instance.call(&mut live.store, function, args);
        settle(&mut live.store.as_context_mut());
        self.shared.frames.borrow_mut().truncate(depth);
        if self.shared.stop.borrow().is_some() {
            return Err(Stopped);
        }
        if live.store.data().current.len() > 1 && outcome.is_ok() {
            let message = "expected `leave` after each rule that was entered here, found one that was not left";
            return Err(self.fault(Fault::new(FaultCode::NotAllowed, message)));
        }
        match outcome {
            Ok(Ok(GuestValue(given))) => {
                let value = given.map_err(|fault| self.fault(fault))?;
                self.pool.idle.borrow_mut().push(live);
                Ok(value)
            }
            Ok(Err(fault)) => {
                let fault = v1::fault_of(fault, &source.module);
                Err(self.fault(with_word(self.shared, fault, &source.module)))
            }
            Err(error) => Err(self.fault(trapped(&error, &live.store))),
        }
    }
}

/// A new instance; one that finds no place in the pool is made without it.
fn live(
    pool: &Rc<InstancePool>,
    shared: &Rc<Running>,
    guest: &Rc<Guest>,
    registrar: Option<Rc<Registrar>>,
) -> wasmtime::Result<Live> {
    let budget = shared.budget.get();
    match made(pool, shared, guest, registrar.clone(), &guest.code) {
        Err(error) if error.is::<PoolConcurrencyLimitError>() => {
            shared.budget.set(budget);
            made(pool, shared, guest, registrar, guest.spare()?)
        }
        made => made,
    }
}

fn made(
    pool: &Rc<InstancePool>,
    shared: &Rc<Running>,
    guest: &Rc<Guest>,
    registrar: Option<Rc<Registrar>>,
    code: &Code,
) -> wasmtime::Result<Live> {
    let state = InstanceState {
        shared: shared.clone(),
        source: guest.source.clone(),
        registrar,
        current: Vec::new(),
        granted: 0,
        limit: MemoryLimiter::new(&pool.memory),
        ends: None,
        keys: Vec::new(),
        is_closed: false,
    };
    let mut store = Store::new(code.engine(), state);
    store.limiter(|state| &mut state.limit);
    store.set_hostcall_fuel(HOST_CALL);
    // What runs when an instance is made is charged too.
    grant(&mut store.as_context_mut());
    let instance = code.instantiate(&mut store);
    settle(&mut store.as_context_mut());
    let instance = instance.map_err(|error| {
        let fault = trapped(&error, &store);
        error.context(FaultIn(fault))
    })?;
    Ok(Live { store, instance })
}

/// A fault on its way through an error of the machine.
#[derive(Debug)]
struct FaultIn(Fault);

impl std::fmt::Display for FaultIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)
    }
}

fn broken(error: &wasmtime::Error) -> Fault {
    match error.downcast_ref::<FaultIn>() {
        Some(FaultIn(fault)) => fault.clone(),
        None => Fault::new(FaultCode::Script, first_line(error)),
    }
}

/// Why the machine ended a call.
fn trapped(error: &wasmtime::Error, store: &Store<InstanceState>) -> Fault {
    let trap = error.downcast_ref::<Trap>();
    if store.data().limit.was_refused {
        return too_much_memory();
    }
    match trap {
        Some(Trap::OutOfFuel) => too_long(),
        Some(Trap::StackOverflow) => with_hint(Fault::new(
            FaultCode::TooDeep,
            "expected calls within the stack of a component, found deeper ones",
        )),
        Some(trap) => Fault::new(FaultCode::Script, format!("the component trapped: {trap}")),
        None => Fault::new(
            FaultCode::Script,
            format!("the component failed: {}", first_line(error)),
        ),
    }
}

/// Lets a component register everything.
///
/// # Errors
/// What ended it before it was done.
pub(crate) fn register(
    pool: &Rc<InstancePool>,
    shared: &Rc<Running>,
    registrar: &Rc<Registrar>,
    guest: &Rc<Guest>,
) -> Result<(), Fault> {
    let at = |fault: Fault| fault.at(guest.source.place());
    pool.guests.borrow_mut().push(guest.clone());
    let mut live =
        live(pool, shared, guest, Some(registrar.clone())).map_err(|error| at(broken(&error)))?;
    grant(&mut live.store.as_context_mut());
    shared.loading.set(1);
    let outcome = live.instance.call_register(&mut live.store);
    shared.loading.set(0);
    settle(&mut live.store.as_context_mut());
    match (shared.stop.borrow_mut().take(), outcome) {
        (Some(kernel::rules::Stop::Fault(fault)), _) => Err(at(fault)),
        (_, Err(error)) => Err(at(trapped(&error, &live.store))),
        _ => Ok(()),
    }
}
