//! Mods, composition, Luau host, scenarios, record and analysis over the
//! Houserule kernel.

pub use kernel;
pub use rules::{
    data, definitions, design, hosting, limits, modset, printable, registration, rulebook, trace, types,
};

pub mod embed;
pub mod explain;
pub mod languages;
pub mod lua;
pub mod play;
pub mod record;
pub mod report;
pub mod scenario;
pub mod testing;
#[cfg(feature = "typecheck")]
pub mod typecheck;
#[cfg(feature = "wasm")]
pub mod wasm;
pub mod workshop;
