//! Mods that are WebAssembly components: loaded, called, limited.
//!
//! What it refuses to know: scripts, WASI, clocks, files of a mod, threads of a guest.
//! A component imports the contract in `schemas/wit` and nothing else. Fuel is
//! counted, never time; not-a-number has one form; memory is limited. An
//! instance lives no longer than the call from the kernel that needed it, so
//! that no state hides in it; while it runs it cannot be entered again, so
//! nested calls take further instances.
//!
//! Compiled code is kept by content, in the process and, where a folder is
//! given ([`keep_compiled`]), between processes.

mod limits;
mod pack;
mod run;
mod v1;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Mutex, OnceLock};

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use wasmtime::component::{Component, Linker};
use wasmtime::{Cache, CacheConfig, Config, Engine};

pub use pack::{TARGET, is_component, outdated, pack, source_hash, source_hash_in};
use run::{Pool, register};

use rules::hosting::Running;
use rules::limits::BUDGET;
use rules::registration::Registrar;
use v1::State;

/// A function of a component, by its number.
#[derive(Clone)]
struct Export {
    pool: Rc<Pool>,
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
    /// It with the imports that it gets.
    pub pre: v1::ModulePre<State>,
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
        let engine = engine().map_err(|error| broken("a machine for components", error))?;
        let component = compiled(engine, bytes).map_err(|error| broken("a valid component", error))?;
        let linker = linker(engine).map_err(|error| broken("the contract", error))?;
        let pre = linker.instantiate_pre(&component);
        let pre = pre.and_then(v1::ModulePre::new).map_err(|error| {
            broken("a component that keeps to the contract `houserule:contract@1.0.0`", error)
                .hint("it may import only what is in `schemas/wit/v1`; build it again if it is older")
        })?;
        Ok(Guest { module: module.clone(), path: path.into(), pre })
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

fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    v1::link(&mut linker)?;
    Ok(linker)
}

/// Where compiled code is kept between processes, if anywhere.
static KEPT_IN: OnceLock<Cache> = OnceLock::new();

/// Keeps compiled code in a folder from now on. To be called before the first
/// component is loaded; a folder that cannot be used changes nothing.
pub fn keep_compiled(folder: &Path) {
    let mut config = CacheConfig::new();
    config.with_directory(folder);
    if let Ok(cache) = Cache::new(config) {
        let _ = KEPT_IN.set(cache);
    }
}

/// The machine that all components share.
fn engine() -> wasmtime::Result<&'static Engine> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    let made = ENGINE.get_or_init(|| {
        let mut config = Config::new();
        config.wasm_component_model(true);
        config.consume_fuel(true);
        config.cranelift_nan_canonicalization(true);
        config.wasm_relaxed_simd(false);
        config.wasm_backtrace_max_frames(None);
        config.max_wasm_stack(limits::STACK);
        // An instance lives for one call: to make it must cost little.
        config.memory_init_cow(false);
        config.memory_reservation(0).memory_guard_size(0).memory_reservation_for_growth(1 << 20);
        config.cache(KEPT_IN.get().cloned());
        Engine::new(&config).map_err(|error| first_line(&error))
    });
    made.as_ref().map_err(|error| wasmtime::Error::msg(error.clone()))
}

/// Compiled components by content: rulebooks are composed again and again.
fn compiled(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
    static COMPILED: OnceLock<Mutex<BTreeMap<[u8; 32], Component>>> = OnceLock::new();
    let key = *blake3::hash(bytes).as_bytes();
    let kept = COMPILED.get_or_init(Mutex::default);
    let found = kept.lock().ok().and_then(|kept| kept.get(&key).cloned());
    if let Some(component) = found {
        return Ok(component);
    }
    let component = Component::new(engine, bytes)?;
    if let Ok(mut kept) = kept.lock() {
        kept.insert(key, component.clone());
    }
    Ok(component)
}
