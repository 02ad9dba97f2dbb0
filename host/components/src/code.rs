//! What instances are made of: the module of a component where that is all there
//! is to it, else the component as it is.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::value::Value;
use wasmtime::{AsContextMut, Engine, Error, Store};

use crate::direct::{self, DirectModule};
use crate::engine;
use crate::state::InstanceState;
use crate::v1::bindings::houserule::contract::data::Fault;
use crate::v1::{self, GuestValue, ModulePre, nodes_of_list};

static WHOLE: AtomicBool = AtomicBool::new(false);

/// Whether components that are loaded from now on all run as they are: a test
/// holds what is faster against it.
#[doc(hidden)]
pub fn run_whole(yes: bool) {
    WHOLE.store(yes, Ordering::Relaxed);
}

/// A component with all that it imports.
pub(crate) enum Code {
    Direct(DirectModule),
    Whole(ModulePre<InstanceState>),
}

/// Why there is none.
pub(crate) enum NoCode {
    /// It is no component.
    Invalid(Error),
    /// It does not keep to the contract.
    Alien(Error),
}

impl Code {
    /// Compiles a component, unless that was done before.
    ///
    /// # Errors
    /// When it is none, or imports or exports what the contract does not have.
    pub fn load(engine: &Engine, bytes: &[u8]) -> Result<Code, NoCode> {
        let direct = if WHOLE.load(Ordering::Relaxed) {
            None
        } else {
            DirectModule::load(engine, bytes)
        };
        match direct {
            Some(direct) => Ok(Code::Direct(direct)),
            None => whole(engine, bytes).map(Code::Whole),
        }
    }

    /// The same code for another engine.
    ///
    /// # Errors
    /// When that has no room for it.
    pub fn again(&self, engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Code> {
        match self {
            Code::Direct(_) => DirectModule::load(engine, bytes)
                .map(Code::Direct)
                .ok_or_else(direct::missing),
            Code::Whole(_) => match whole(engine, bytes) {
                Ok(whole) => Ok(Code::Whole(whole)),
                Err(NoCode::Invalid(error) | NoCode::Alien(error)) => Err(error),
            },
        }
    }

    /// The engine that it was compiled for.
    pub fn engine(&self) -> &Engine {
        match self {
            Code::Direct(direct) => direct.engine(),
            Code::Whole(whole) => whole.engine(),
        }
    }

    /// A new instance.
    ///
    /// # Errors
    /// When there is no room for one, or what ended it as it began.
    pub fn instantiate(&self, store: &mut Store<InstanceState>) -> wasmtime::Result<Instance> {
        match self {
            Code::Direct(direct) => direct.instantiate(store).map(Instance::Direct),
            Code::Whole(whole) => whole
                .instantiate(store.as_context_mut())
                .map(Instance::Whole),
        }
    }
}

fn whole(engine: &Engine, bytes: &[u8]) -> Result<ModulePre<InstanceState>, NoCode> {
    // What is larger than a place of the pool is valid all the same.
    let component = engine::compiled(engine, bytes)
        .or_else(|_| engine::compiled(engine::spare()?, bytes))
        .map_err(NoCode::Invalid)?;
    let linker = engine::linker(component.engine()).map_err(NoCode::Alien)?;
    linker
        .instantiate_pre(&component)
        .and_then(ModulePre::new)
        .map_err(NoCode::Alien)
}

/// An instance, made of either.
pub(crate) enum Instance {
    Direct(direct::DirectInstance),
    Whole(v1::Module),
}

impl Instance {
    /// Lets it register.
    ///
    /// # Errors
    /// What ended it.
    pub fn call_register(&self, store: &mut Store<InstanceState>) -> wasmtime::Result<()> {
        match self {
            Instance::Direct(instance) => instance.call_register(store),
            Instance::Whole(module) => module.call_register(store),
        }
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
    ) -> wasmtime::Result<Result<GuestValue, Fault>> {
        match self {
            Instance::Direct(instance) => instance.call(store, function, args),
            Instance::Whole(module) => {
                let outcome = module.call_call(store, function, &nodes_of_list(args))?;
                Ok(outcome.map(GuestValue::of))
            }
        }
    }
}
