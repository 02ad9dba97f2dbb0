//! Mods, composition, Luau host, scenarios, record and analysis over the
//! Houserule kernel.

pub use kernel;

pub mod data;
pub mod definitions;
pub mod design;
pub mod embed;
pub mod explain;
pub mod hosting;
pub mod languages;
pub mod limits;
pub mod lua;
pub mod modset;
pub mod play;
pub mod printable;
pub mod record;
pub mod registration;
pub mod report;
pub mod rulebook;
pub mod scenario;
pub mod testing;
pub mod trace;
#[cfg(feature = "typecheck")]
pub mod typecheck;
pub mod types;
#[cfg(feature = "wasm")]
pub mod wasm;
pub mod workshop;
