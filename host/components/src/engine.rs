//! The engines that all components share, and the code that they have compiled.
//!
//! Instances are made by the thousand in a game, so their memory is taken from
//! a pool, where it stays mapped and only what was written is put back.
//! A pool has so many places: where it has none, or none of the size, an
//! instance is made in a second engine, which takes memory from the system each
//! time. Both run the same code for the same fuel; nobody can tell.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use wasmtime::component::{Component, Linker};
use wasmtime::{
    Cache, CacheConfig, Config, Enabled, Engine, InstanceAllocationStrategy, Module,
    PoolingAllocationConfig,
};

use crate::faults::first_line;
use crate::limits::{MEMORY, STACK, TABLE};
use crate::state::InstanceState;
use crate::v1;

/// Instances that the pool has places for: those of a hundred sets of rules, with all
/// that wait.
const INSTANCES: u32 = 2048;

/// Addresses that a place has: as many as a module can name, so that nothing
/// need be compared when it reads or writes.
const ADDRESSES: u64 = 4 << 30;

/// Addresses behind those that nothing lies at, for what is added to one.
const BEHIND: u64 = 32 << 20;

/// Bytes of an instance's memory that stay mapped between two uses: few, for
/// what stays counts as written.
const RESIDENT: usize = 32 << 10;

/// Where compiled code is kept between processes, if anywhere.
static KEPT_IN: OnceLock<PathBuf> = OnceLock::new();

/// Keeps compiled code in a folder from now on. To be called before the first
/// component is loaded; a folder that cannot be used changes nothing.
pub fn keep_compiled(folder: &Path) {
    let _ = KEPT_IN.set(folder.to_path_buf());
}

/// The code that is kept there. It has a thread of its own, which nobody pays for
/// who plays without components.
fn kept_code() -> Option<Cache> {
    static CACHE: OnceLock<Option<Cache>> = OnceLock::new();
    let open = || {
        let mut config = CacheConfig::new();
        config.with_directory(KEPT_IN.get()?);
        Cache::new(config).ok()
    };
    CACHE.get_or_init(open).clone()
}

/// The imports that components get.
///
/// # Errors
/// Never, unless the contract names something twice.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<InstanceState>> {
    let mut linker = Linker::new(engine);
    v1::link(&mut linker)?;
    Ok(linker)
}

/// The engine that components run in: with a pool, where the system has the
/// addresses for one.
///
/// # Errors
/// When the system has no engine at all.
pub(crate) fn engine() -> wasmtime::Result<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    let made = || {
        let roomy = Engine::new(&pooled(ADDRESSES, BEHIND));
        roomy
            .or_else(|_| Engine::new(&pooled(MEMORY as u64, 0)))
            .ok()
    };
    match ENGINE.get_or_init(made) {
        Some(engine) => Ok(engine),
        None => spare(),
    }
}

/// The engine for what finds no place in the pool.
///
/// # Errors
/// When the system has no engine at all.
pub(crate) fn spare() -> wasmtime::Result<&'static Engine> {
    static SPARE: OnceLock<Result<Engine, String>> = OnceLock::new();
    let made = SPARE.get_or_init(|| Engine::new(&on_demand()).map_err(|error| first_line(&error)));
    made.as_ref()
        .map_err(|error| wasmtime::Error::msg(error.clone()))
}

/// What decides what a component computes and what it costs: the same in both.
fn common() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    config.consume_fuel(true);
    config.cranelift_nan_canonicalization(true);
    config.wasm_relaxed_simd(false);
    config.wasm_backtrace_max_frames(None);
    config.max_wasm_stack(STACK);
    config.cache(kept_code());
    config
}

fn on_demand() -> Config {
    let mut config = common();
    config.memory_init_cow(false);
    config
        .memory_reservation(0)
        .memory_guard_size(0)
        .memory_reservation_for_growth(1 << 20);
    config
}

/// A pool whose places have so many addresses for memory, and behind it.
fn pooled(addresses: u64, behind: u64) -> Config {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(INSTANCES)
        .total_core_instances(4 * INSTANCES)
        .total_memories(INSTANCES)
        .total_tables(4 * INSTANCES)
        .table_elements(TABLE)
        .max_memory_size(MEMORY)
        .linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(TABLE)
        .pagemap_scan(Enabled::Auto);
    let mut config = common();
    config
        .memory_reservation(addresses)
        .memory_guard_size(behind);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    config
}

/// Compiled code by engine and content: rulebooks are composed again and again.
struct CodeCache<T>(Mutex<BTreeMap<(bool, [u8; 32]), T>>);

impl<T: Clone> CodeCache<T> {
    const fn new() -> CodeCache<T> {
        CodeCache(Mutex::new(BTreeMap::new()))
    }

    fn find(
        &self,
        engine: &Engine,
        bytes: &[u8],
        compile: impl FnOnce() -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        let is_pooled = !spare().is_ok_and(|spare| Engine::same(engine, spare));
        let key = (is_pooled, *blake3::hash(bytes).as_bytes());
        let found = self.0.lock().ok().and_then(|kept| kept.get(&key).cloned());
        if let Some(found) = found {
            return Ok(found);
        }
        let made = compile()?;
        if let Ok(mut kept) = self.0.lock() {
            kept.insert(key, made.clone());
        }
        Ok(made)
    }
}

/// A component, compiled.
///
/// # Errors
/// When it is no component.
pub(crate) fn compiled(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
    static COMPILED: CodeCache<Component> = CodeCache::new();
    COMPILED.find(engine, bytes, || Component::new(engine, bytes))
}

/// A module, compiled.
///
/// # Errors
/// When it is no module.
pub(crate) fn compiled_module(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Module> {
    static COMPILED: CodeCache<Module> = CodeCache::new();
    COMPILED.find(engine, bytes, || Module::new(engine, bytes))
}
