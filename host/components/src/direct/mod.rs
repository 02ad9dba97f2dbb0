//! Components that are a module and what a tool put around it, run without
//! what is around it.
//!
//! To make an instance of a component takes as long as many rules, and no host
//! is shown its memory. So the module in it is taken out and gets the contract
//! from us, by the canonical ABI that it is built for; and what it was at first
//! can be put back after a call (`memory`), which takes a tenth of the time.
//!
//! A component that is anything else runs as it is. So does one whose module
//! could keep something that is not put back: it tells `parts`.
//!
//! Read `parts` (what is taken out), [`DirectModule`] and [`DirectInstance`], `abi`, `shapes`,
//! `types`, `values` and `imports`, `room`, `memory`.

mod abi;
mod imports;
pub(crate) mod memory;
mod parts;
mod room;
mod shapes;
mod types;
mod values;

use std::rc::Rc;

use kernel::value::Value;
use wasmtime::{
    AsContextMut, Engine, Global, InstancePre, Linker, Module, Store, StoreContextMut, TypedFunc,
    Val,
};

use crate::engine;
use crate::state::{Ends, InstanceState};
use crate::v1::bindings::houserule::contract::data::Fault;
use crate::v1::{CallResult, GuestValue};
use abi::{Lift, Lower};
use memory::{Pristine, WrittenPages};

/// A module with all that it imports.
pub(crate) struct DirectModule {
    pre: InstancePre<InstanceState>,
    /// The names by which it gives out what it could remember something in.
    globals: Vec<String>,
    /// Its memory at first.
    pristine: Rc<Pristine>,
}

impl DirectModule {
    /// The module of a component, if it can run without what is around it.
    pub fn load(engine: &Engine, component: &[u8]) -> Option<DirectModule> {
        let parts = parts::of(component)?;
        let module = engine::compiled_module(engine, &parts.module).ok()?;
        let mut linker = Linker::new(engine);
        imports::link(&mut linker).ok()?;
        let pre = linker.instantiate_pre(&module).ok()?;
        has_ends(&module).then(|| DirectModule {
            pre,
            globals: parts.globals,
            pristine: Rc::new(parts.memory),
        })
    }

    /// The engine that it was compiled for.
    pub fn engine(&self) -> &Engine {
        self.pre.module().engine()
    }

    /// A new instance.
    ///
    /// # Errors
    /// When there is no room for one.
    pub fn instantiate(&self, store: &mut Store<InstanceState>) -> CallResult<DirectInstance> {
        let instance = self.pre.instantiate(&mut *store)?;
        let memory = instance
            .get_memory(&mut *store, "memory")
            .ok_or_else(missing)?;
        let realloc = instance.get_typed_func(&mut *store, "cabi_realloc")?;
        let table = instance
            .get_global(&mut *store, room::TABLE)
            .and_then(|table| table.get(&mut *store).i32());
        let ends = Rc::new(Ends {
            memory,
            realloc,
            table: table.map(|at| at.cast_unsigned() as usize),
        });
        let globals = self.globals.iter().map(|name| {
            let global = instance.get_global(&mut *store, name).ok_or_else(missing)?;
            Ok((global, global.get(&mut *store)))
        });
        let globals = globals.collect::<CallResult<Vec<(Global, Val)>>>()?;
        store.data_mut().ends = Some(ends.clone());
        Ok(DirectInstance {
            call: instance.get_typed_func(&mut *store, "call")?,
            after: instance.get_typed_func(&mut *store, "cabi_post_call").ok(),
            register: instance.get_typed_func(&mut *store, "register")?,
            ends,
            globals,
            pristine: self.pristine.clone(),
            written: WrittenPages::unknown(),
        })
    }
}

pub(crate) fn missing() -> wasmtime::Error {
    wasmtime::Error::msg("expected what a module of the contract exports, found none")
}

/// Whether a module exports what the contract asks for, by its types.
fn has_ends(module: &Module) -> bool {
    let takes = |name: &str, takes: usize, gives: usize| {
        let ty = module
            .get_export(name)
            .and_then(|export| export.func().cloned());
        ty.is_some_and(|ty| {
            let mut all = ty.params().chain(ty.results());
            ty.params().len() == takes && ty.results().len() == gives && all.all(|one| one.is_i32())
        })
    };
    let after = module.get_export("cabi_post_call").is_none() || takes("cabi_post_call", 1, 0);
    takes("register", 0, 0) && takes("call", 3, 1) && takes("cabi_realloc", 4, 1) && after
}

impl Ends {
    /// Room that the module makes; meanwhile it may not ask the host for anything.
    fn room(
        &self,
        store: &mut StoreContextMut<'_, InstanceState>,
        align: u32,
        size: u32,
    ) -> CallResult<u32> {
        closed(store, |store| self.realloc.call(store, (0, 0, align, size)))
    }
}

fn closed<T>(
    store: &mut StoreContextMut<'_, InstanceState>,
    work: impl FnOnce(&mut StoreContextMut<'_, InstanceState>) -> CallResult<T>,
) -> CallResult<T> {
    store.data_mut().is_closed = true;
    let outcome = work(store);
    store.data_mut().is_closed = false;
    outcome
}

/// An instance of a module.
pub(crate) struct DirectInstance {
    call: TypedFunc<(u32, u32, u32), u32>,
    after: Option<TypedFunc<u32, ()>>,
    register: TypedFunc<(), ()>,
    ends: Rc<Ends>,
    globals: Vec<(Global, Val)>,
    pristine: Rc<Pristine>,
    written: WrittenPages,
}

impl DirectInstance {
    /// Lets it register.
    ///
    /// # Errors
    /// What ended it.
    pub fn call_register(&self, store: &mut Store<InstanceState>) -> CallResult<()> {
        self.register.call(store, ())
    }

    /// Calls a function of it by its number.
    ///
    /// # Errors
    /// What ended it.
    pub fn call(
        &self,
        store: &mut Store<InstanceState>,
        function: u32,
        args: &[Value],
    ) -> CallResult<Result<GuestValue, Fault>> {
        let mut context = store.as_context_mut();
        let (at, count) = values::list(&mut Lower::new(&mut context, &self.ends), args)?;
        let result = self.call.call(&mut *store, (function, at, count))?;
        let outcome = Lift::new(self.ends.memory.data(&*store)).read(result)?;
        if let Some(after) = &self.after {
            closed(&mut store.as_context_mut(), |store| {
                after.call(store, result)
            })?;
        }
        Ok(outcome)
    }

    /// Puts everything back that it could remember something in; whether it is as
    /// new now.
    pub fn put_back(&self, store: &mut Store<InstanceState>) -> bool {
        let memory = self.ends.memory.data_mut(&mut *store);
        if !self.pristine.put_back(memory, &self.written) {
            return false;
        }
        self.globals
            .iter()
            .all(|(global, value)| global.set(&mut *store, *value).is_ok())
    }
}
