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
//! Read `state` (what an instance carries, its fuel), then `v1` (the contract as
//! components see it), `direct`, `code` and `guest` (what instances are made of),
//! and `run` (instances, calls); below them are `engine`, `limits` and `faults`.
//! `pack` makes components of modules.

mod code;
mod direct;
mod engine;
mod faults;
mod guest;
mod limits;
mod pack;
mod run;
mod state;
mod v1;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use kernel::error::Fault;
use kernel::value::Name;

#[doc(hidden)]
pub use code::run_whole;
pub use engine::keep_compiled;
use guest::Guest;
pub use pack::{TARGET, is_component, outdated, pack, source_hash, source_hash_in};
use run::{InstancePool, register};

use rules::hosting::Running;
use rules::limits::BUDGET;
use rules::registration::Registrar;

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
    register(&InstancePool::of(running), running, registrar, &guest)
}
