//! Mods that are WebAssembly components: loaded, called, limited.
//!
//! What it refuses to know: scripts, WASI, clocks, files of a mod, threads of a guest.
//! A component imports the contract in `schemas/wit` and nothing else. Fuel is
//! counted, never time; not-a-number has one form; memory is limited. An
//! instance is as new for each call from the kernel, so that no state hides in
//! it: it is put back to what it was, or made anew. While it runs it cannot be
//! entered again, so nested calls take further instances.
//!
//! Compiled code is kept by content, in the process and, where a folder is
//! given ([`keep_compiled`]), between processes.
//!
//! Read `run` (instances, fuel, calls), then `code` and `direct` (what instances
//! are made of), `v1` (the contract as components see it), `engine` and `limits`;
//! `pack` makes components of modules.

mod code;
mod direct;
mod engine;
mod limits;
mod pack;
mod run;
mod v1;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;

#[doc(hidden)]
pub use code::run_whole;
use code::{Code, NoCode};
pub use engine::keep_compiled;
pub use pack::{TARGET, is_component, outdated, pack, source_hash, source_hash_in};
use run::{Pool, register};

use rules::hosting::Running;
use rules::limits::BUDGET;
use rules::registration::Registrar;

/// A function of a component, by its number.
#[derive(Clone)]
struct Export {
    guest: Rc<Guest>,
    function: u32,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "function {} of {}", self.function, self.guest.path)
    }
}

/// A component that is loaded.
pub(crate) struct Guest {
    /// The mod.
    pub module: Name,
    /// Its file.
    pub path: String,
    /// What its instances are made of.
    pub code: Code,
    /// The same for where the first engine has no room, once that was met.
    spare: OnceCell<Code>,
    bytes: Arc<[u8]>,
}

impl Guest {
    /// The file as a place.
    pub fn place(&self) -> Place {
        Place::new(&*self.module, self.path.as_str(), 0)
    }

    /// Compiles a component, unless that was done before, and checks that it
    /// keeps to the contract.
    ///
    /// # Errors
    /// When it is no component, or imports or exports something else.
    pub fn load(module: &Name, path: &str, bytes: &[u8]) -> Result<Guest, Fault> {
        let place = || Place::new(&**module, path, 0);
        let broken = |expected: &str, error: wasmtime::Error| {
            let message = format!("expected {expected}, found one that is not: {}", first_line(&error));
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
            NoCode::Alien(error) => {
                broken("a component that keeps to the contract `houserule:contract@1.0.0`", error)
                    .hint("it may import only what is in `schemas/wit/v1`; build it again if it is older")
            }
        })?;
        let (module, path) = (module.clone(), path.into());
        Ok(Guest { module, path, code, spare: OnceCell::new(), bytes: bytes.into() })
    }

    /// It in an engine whose instances take what they need when they are made.
    fn spare(&self) -> wasmtime::Result<&Code> {
        if let Some(spare) = self.spare.get() {
            return Ok(spare);
        }
        let code = self.code.again(engine::spare()?, &self.bytes)?;
        Ok(self.spare.get_or_init(|| code))
    }
}

/// Compiles a component, unless its code is kept, and checks that it keeps to
/// the contract: a mod with it loads without delay afterwards.
///
/// # Errors
/// When it is no component, or imports or exports something else.
pub fn check(module: &str, path: &str, bytes: &[u8]) -> Result<(), Fault> {
    Guest::load(&Name::from(module), path, bytes).map(|_| ())
}

/// Lets a component of a mod register.
///
/// # Errors
/// When it is none, or what ended it.
pub fn run_component(
    running: &Rc<Running>,
    registrar: &Rc<Registrar>,
    module: &Name,
    path: &str,
    bytes: &[u8],
) -> Result<(), Fault> {
    running.stop.borrow_mut().take();
    running.budget.set(BUDGET);
    let guest = Rc::new(Guest::load(module, path, bytes)?);
    register(&pool_of(running), running, registrar, &guest)
}

/// The instances of components of a machine.
fn pool_of(running: &Running) -> Rc<Pool> {
    let made = running.instances().and_then(|there| {
        let there: Rc<dyn Any> = there;
        there.downcast::<Pool>().ok()
    });
    made.unwrap_or_else(|| {
        let pool = Rc::new(Pool::default());
        running.attach_instances(pool.clone());
        pool
    })
}

fn first_line(error: &wasmtime::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or("").trim().to_string()
}
