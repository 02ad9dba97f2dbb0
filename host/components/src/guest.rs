//! Components that are loaded: compiled, and held against the contract.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;

use crate::code::{Code, NoCode};
use crate::engine;
use crate::faults::first_line;
use crate::pack::is_component;
use crate::state::ComponentSource;

/// A component that is loaded.
pub(crate) struct Guest {
    /// Where it is from.
    pub source: Rc<ComponentSource>,
    /// What its instances are made of.
    pub code: Code,
    /// The same for where the first engine has no room, once that was met.
    spare: OnceCell<Code>,
    bytes: Arc<[u8]>,
}

impl Guest {
    /// Compiles a component, unless that was done before, and checks that it
    /// keeps to the contract.
    ///
    /// # Errors
    /// When it is no component, or imports or exports something else.
    pub fn load(module: &Name, path: &str, bytes: &[u8]) -> Result<Guest, Fault> {
        let place = || Place::new(&**module, path, 0);
        let broken = |expected: &str, error: wasmtime::Error| {
            let message = format!(
                "expected {expected}, found one that is not: {}",
                first_line(&error)
            );
            Fault::new(FaultCode::BadComponent, message).at(place())
        };
        if !is_component(bytes) {
            let message = "expected a WebAssembly component, found something else".to_string();
            return Err(Fault::new(FaultCode::BadComponent, message)
                .at(place())
                .hint("`houserule build` makes one of a module"));
        }
        let engine = engine::engine().map_err(|error| broken("a machine for components", error))?;
        let code = Code::load(engine, bytes).map_err(|error| match error {
            NoCode::Invalid(error) => broken("a valid component", error),
            NoCode::Alien(error) => broken(
                "a component that keeps to the contract `houserule:contract@1.0.0`",
                error,
            )
            .hint("it may import only what is in `schemas/wit/v1`; build it again if it is older"),
        })?;
        let source = Rc::new(ComponentSource {
            module: module.clone(),
            path: path.into(),
        });
        Ok(Guest {
            source,
            code,
            spare: OnceCell::new(),
            bytes: bytes.into(),
        })
    }

    /// It in an engine whose instances take what they need when they are made.
    ///
    /// # Errors
    /// When there is no such engine, or no room for it there.
    pub fn spare(&self) -> wasmtime::Result<&Code> {
        if let Some(spare) = self.spare.get() {
            return Ok(spare);
        }
        let code = self.code.again(engine::spare()?, &self.bytes)?;
        Ok(self.spare.get_or_init(|| code))
    }
}
