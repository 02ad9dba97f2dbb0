//! Calls into components, out of them, and from one into the next.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Field, Mismatch, Type, Value};
use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Value as LuaValue};
use wasmtime::{AsContextMut, Store, StoreContextMut, Trap};

use crate::lua::chain::{Chain, Stopped};
use crate::lua::layer::too_many_arguments;
use crate::lua::registration::Desk;
use crate::lua::registry::{Body, Returns, Signature};
use crate::lua::values::{from_lua, to_lua};
use crate::lua::vm::{Frame, Shared, too_long, unlimited};
use crate::wasm::limits::{DEEPEST, FUEL_A_CHECK, HOST_CALL, Limit, NESTED_STACK};
use crate::wasm::typed::{found_words, typed, typed_domain};
use crate::wasm::v1::{self, Module, State, nodes_of_list, value_of};
use crate::wasm::{Guest, first_line};

/// The instances of one call from the kernel.
#[derive(Default)]
pub(crate) struct Pool {
    idle: RefCell<Vec<Live>>,
    memory: Arc<AtomicUsize>,
    stack: Cell<usize>,
}

impl Pool {
    /// Forgets all instances that do not run.
    pub fn clear(&self) {
        self.idle.borrow_mut().clear();
    }

    fn take(&self, guest: &Rc<Guest>) -> Option<Live> {
        let mut idle = self.idle.borrow_mut();
        let place = idle.iter().rposition(|live| Rc::ptr_eq(&live.store.data().guest, guest))?;
        Some(idle.swap_remove(place))
    }
}

/// An instance that may be entered.
struct Live {
    store: Store<State>,
    module: Module,
}

/// Calls a rule if its outermost layer is a function of a component.
pub(crate) fn run_outermost(
    lua: &Lua,
    shared: &Rc<Shared>,
    chain: &Rc<Chain>,
    args: &[Value],
) -> Option<Result<Value, Stopped>> {
    let last = chain.links.len().checked_sub(1)?;
    match chain.links[last].body {
        Body::Luau(_) | Body::Lines(_) | Body::Nothing => None,
        Body::Component(_) => {
            let args = arguments(chain, args.to_vec());
            let args = args.map_err(|fault| shared.stop_with(fault.in_rule(&chain.rule)));
            Some(args.and_then(|args| direct(lua, shared, chain, last, &args)))
        }
    }
}

/// The function by which scripts call a layer of a component.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn script_function(
    lua: &Lua,
    shared: &Rc<Shared>,
    rule: &kernel::value::Name,
    level: usize,
) -> mlua::Result<Function> {
    // Found at the first call. The chain holds this function, not the other way round.
    let found = OnceCell::<Weak<Chain>>::new();
    let (shared, rule) = (shared.clone(), rule.clone());
    lua.create_function(move |lua, list: MultiValue| {
        let look = || {
            let chain = shared.chains.borrow().get(&rule).cloned()?;
            let _ = found.set(Rc::downgrade(&chain));
            Some(chain)
        };
        let chain = found.get().and_then(Weak::upgrade).or_else(look);
        let Some(chain) = chain else { return Err(mlua::Error::runtime("the rule is not bound")) };
        let tables = shared.tables()?;
        // A wrap gets the rule under it first, then all get the game.
        let before = if level > 0 { 2 } else { 1 };
        let mut args = Vec::with_capacity(chain.signature.args.len());
        for (i, field) in chain.signature.args.iter().enumerate() {
            let value = from_lua(&tables, list.get(before + i).unwrap_or(&LuaValue::Nil), &field.ty);
            let value =
                value.map_err(|m| shared.fault(lua, bad_argument(&chain, field, &m).in_rule(&chain.rule)))?;
            args.push(value);
        }
        let outcome = unlimited(lua, || direct(lua, &shared, &chain, level, &args));
        let Ok(value) = outcome else { return Err(mlua::Error::runtime("this rule has been stopped")) };
        match (&chain.signature.returns, value) {
            (Returns::Value(Type::Verdict), Value::Text(why)) => (false, &*why).into_lua_multi(lua),
            (Returns::Value(Type::Verdict), _) => true.into_lua_multi(lua),
            (_, value) => to_lua(lua, &tables, &value)?.into_lua_multi(lua),
        }
    })
}

fn bad_argument(chain: &Chain, field: &Field, mismatch: &Mismatch) -> Fault {
    Fault::mismatch(&format!("`{}`, argument `{}`", chain.rule, field.name), mismatch)
}

/// Calls a layer of a rule, in whatever language it is, from a component.
pub(super) fn invoke(
    lua: &Lua,
    shared: &Rc<Shared>,
    chain: &Rc<Chain>,
    level: usize,
    args: Vec<Value>,
) -> Result<Value, Stopped> {
    let args = arguments(chain, args).map_err(|fault| shared.stop_with(in_running(shared, fault)))?;
    // What is noted for those who ask why is noted by the machine.
    if shared.recorder.is_running() {
        let value = shared.call_script(lua, chain, level, &args)?;
        return outcome(shared, &chain.rule, &chain.signature, value);
    }
    direct(lua, shared, chain, level, &args)
}

/// The same with arguments that fit, without the machine where it is not needed.
fn direct(
    lua: &Lua,
    shared: &Rc<Shared>,
    chain: &Rc<Chain>,
    level: usize,
    args: &[Value],
) -> Result<Value, Stopped> {
    let value = match &chain.links[level].body {
        Body::Luau(_) | Body::Lines(_) | Body::Nothing => shared.call_script(lua, chain, level, args),
        Body::Component(export) => {
            Entering { lua, shared, chain, level }.run(&export.guest, export.function, args)
        }
    };
    outcome(shared, &chain.rule, &chain.signature, value?)
}

/// A fault with the place and the rule of the component that runs.
pub(super) fn in_running(shared: &Shared, fault: Fault) -> Fault {
    let Some(layer) = shared.frames.borrow().last().map(|frame| frame.layer) else { return fault };
    let layer = &shared.layers.borrow()[layer as usize];
    fault.at(layer.place.clone()).in_rule(&layer.rule)
}

/// Arguments by the signature of a rule: what is left out at the end is
/// nothing, and there are no more than it lists.
fn arguments(chain: &Chain, mut args: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let fields = &chain.signature.args;
    if let Some(extra) = args.iter().skip(fields.len()).find(|arg| !arg.is_none()) {
        return Err(too_many_arguments(&chain.rule, fields.len(), &found_words(extra)));
    }
    args.resize(fields.len(), Value::None);
    for (arg, field) in args.iter_mut().zip(fields.iter()) {
        let value = typed(std::mem::take(arg), &field.ty);
        *arg = value.map_err(|mismatch| bad_argument(chain, field, &mismatch))?;
    }
    Ok(args)
}

/// What a rule gives back, by its signature.
fn outcome(
    shared: &Shared,
    rule: &kernel::value::Name,
    signature: &Signature,
    value: Value,
) -> Result<Value, Stopped> {
    let checked = match &signature.returns {
        Returns::Nothing => Ok(Value::None),
        Returns::Value(ty) => typed(value, ty).map_err(|mismatch| mismatch.to_string()),
        Returns::Domain(ty) => typed_domain(value, ty),
    };
    checked.map_err(|message| {
        let fault = Fault::new(FaultCode::BadReturn, format!("`{rule}` returns: {message}")).in_rule(rule);
        let layers = shared.layers.borrow();
        let place = layers.iter().rfind(|layer| layer.rule == *rule).map(|layer| layer.place.clone());
        shared.stop_with(match place {
            Some(place) => fault.at(place),
            None => fault,
        })
    })
}

/// A call into a component.
struct Entering<'a> {
    lua: &'a Lua,
    shared: &'a Rc<Shared>,
    chain: &'a Rc<Chain>,
    level: usize,
}

impl Entering<'_> {
    fn run(&self, guest: &Rc<Guest>, function: u32, args: &[Value]) -> Result<Value, Stopped> {
        let shared = self.shared;
        // What an instance costs depends on whether there is one already: what
        // is computed with one is not kept.
        shared.spoil_answers();
        let layer = self.chain.links[self.level].number;
        if let (Some(reached), Some(mark)) = (&*shared.reached.borrow(), Some(crate::lua::layer_mark(layer)))
        {
            let _ = reached.set(mark, true);
        }
        let here = 0u8;
        let address = std::ptr::from_ref(&here).addr();
        if shared.frames.borrow().is_empty() {
            shared.instances.stack.set(address);
        }
        let used = shared.instances.stack.get().abs_diff(address);
        if shared.frames.borrow().len() >= DEEPEST || used > NESTED_STACK {
            let message = format!("expected at most {DEEPEST} nested calls of components, found more");
            return Err(self.fault(Fault::new(FaultCode::TooDeep, message)));
        }
        shared.frames.borrow_mut().push(Frame { layer, outside: None });
        let outcome = self.enter(guest, function, args);
        shared.frames.borrow_mut().pop();
        outcome
    }

    fn fault(&self, fault: Fault) -> Stopped {
        let place = {
            let layers = self.shared.layers.borrow();
            layers[self.chain.links[self.level].number as usize].place.clone()
        };
        self.shared.stop_with(fault.at(place).in_rule(&self.chain.rule))
    }

    fn enter(&self, guest: &Rc<Guest>, function: u32, args: &[Value]) -> Result<Value, Stopped> {
        let idle = self.shared.instances.take(guest);
        let made = idle.map_or_else(|| live(self.lua, self.shared, guest, None), Ok);
        let mut live = made.map_err(|error| self.fault(broken(&error)))?;
        live.store.data_mut().current = Some((self.chain.clone(), self.level));
        grant(&mut live.store.as_context_mut());
        let args = nodes_of_list(args);
        let outcome = live.module.call_call(&mut live.store, function, &args);
        settle(&mut live.store.as_context_mut());
        if self.shared.stop.borrow().is_some() {
            return Err(Stopped);
        }
        match outcome {
            Ok(Ok(nodes)) => {
                let value = value_of(nodes).map_err(|fault| self.fault(fault))?;
                self.shared.instances.idle.borrow_mut().push(live);
                Ok(value)
            }
            Ok(Err(fault)) => Err(self.fault(v1::fault_of(fault, &guest.module))),
            Err(error) => Err(self.fault(trapped(&error, &live.store))),
        }
    }
}

/// A new instance.
fn live(lua: &Lua, shared: &Rc<Shared>, guest: &Rc<Guest>, desk: Option<Rc<Desk>>) -> wasmtime::Result<Live> {
    let state = State {
        shared: shared.clone(),
        lua: lua.weak(),
        guest: guest.clone(),
        desk,
        current: None,
        granted: 0,
        limit: Limit::new(&shared.instances.memory),
    };
    let mut store = Store::new(guest.pre.engine(), state);
    store.limiter(|state| &mut state.limit);
    store.set_hostcall_fuel(HOST_CALL);
    // What runs when an instance is made is charged too.
    grant(&mut store.as_context_mut());
    let module = guest.pre.instantiate(&mut store);
    settle(&mut store.as_context_mut());
    let module = module.map_err(|error| {
        let fault = trapped(&error, &store);
        wasmtime::Error::msg(fault.message.clone()).context(FaultIn(Box::new(fault)))
    })?;
    Ok(Live { store, module })
}

/// A fault on its way through an error of the machine.
#[derive(Debug)]
struct FaultIn(Box<Fault>);

impl std::fmt::Display for FaultIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)
    }
}

fn broken(error: &wasmtime::Error) -> Fault {
    match error.downcast_ref::<FaultIn>() {
        Some(FaultIn(fault)) => (**fault).clone(),
        None => Fault::new(FaultCode::Script, first_line(error)),
    }
}

/// Gives an instance the fuel that the budget is worth.
pub(super) fn grant(store: &mut StoreContextMut<'_, State>) {
    let fuel = store.data().shared.budget.get().saturating_mul(FUEL_A_CHECK);
    store.data_mut().granted = fuel;
    // Fuel is counted, so it can be set.
    let _ = store.set_fuel(fuel);
}

/// Charges the budget with the fuel that an instance has used.
pub(super) fn settle(store: &mut StoreContextMut<'_, State>) {
    let left = store.get_fuel().unwrap_or(0);
    let state = store.data_mut();
    let checks = state.granted.saturating_sub(left).div_ceil(FUEL_A_CHECK);
    state.granted = left;
    state.shared.budget.set(state.shared.budget.get().saturating_sub(checks));
}

/// Why the machine ended a call.
fn trapped(error: &wasmtime::Error, store: &Store<State>) -> Fault {
    let trap = error.downcast_ref::<Trap>();
    if store.data().limit.was_refused {
        let message = "expected at most 64 MiB of memory in an instance and 256 MiB in all, found more";
        return Fault::new(FaultCode::TooMuchMemory, message);
    }
    match trap {
        Some(Trap::OutOfFuel) => too_long(),
        Some(Trap::StackOverflow) => Fault::new(
            FaultCode::TooDeep,
            "expected calls within the stack of a component, found deeper ones",
        ),
        Some(trap) => Fault::new(FaultCode::Script, format!("the component trapped: {trap}")),
        None => Fault::new(FaultCode::Script, format!("the component failed: {}", first_line(error))),
    }
}

/// Lets a component register everything.
///
/// # Errors
/// What ended it before it was done.
pub(crate) fn register(
    lua: &Lua,
    shared: &Rc<Shared>,
    desk: &Rc<Desk>,
    guest: &Rc<Guest>,
) -> Result<(), Fault> {
    let at = |fault: Fault| fault.at(guest.place());
    let mut live = live(lua, shared, guest, Some(desk.clone())).map_err(|error| at(broken(&error)))?;
    grant(&mut live.store.as_context_mut());
    shared.loading.set(1);
    let outcome = live.module.call_register(&mut live.store);
    shared.loading.set(0);
    settle(&mut live.store.as_context_mut());
    match (shared.stop.borrow_mut().take(), outcome) {
        (Some(kernel::rules::Stop::Fault(fault)), _) => Err(at(*fault)),
        (_, Err(error)) => Err(at(trapped(&error, &live.store))),
        _ => Ok(()),
    }
}

/// The rule of an id, with its wraps, for a component.
pub(super) fn chain_of(shared: &Shared, rule: &str) -> Result<Rc<Chain>, Fault> {
    shared.chains.borrow().get(rule).cloned().ok_or_else(|| {
        let fault = Fault::new(FaultCode::UnknownRule, format!("no mod defines the rule `{rule}`"));
        match shared.nearest("rule", rule) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    })
}

/// The arguments in a list.
pub(super) fn list_of(value: Value) -> Vec<Value> {
    match value {
        Value::List(items) => items.to_vec(),
        Value::None => Vec::new(),
        Value::Map(map) if map.is_empty() => Vec::new(),
        other => vec![other],
    }
}

/// A name for what is shared between threads of the kernel.
pub(super) fn name(text: &str) -> kernel::value::Name {
    Arc::from(text)
}
