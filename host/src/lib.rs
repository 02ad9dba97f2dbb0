//! Mods, composition, Luau host, scenarios, record and analysis over the
//! Houserule kernel.

#[cfg(feature = "wasm")]
pub use components as wasm;
pub use kernel;
pub use rules::{
    data, definitions, design, hosting, limits, modset, printable, registration, rulebook, trace, types,
};

pub mod embed;
pub mod explain;
pub mod play;
pub mod record;
pub mod report;
pub mod scenario;
pub mod testing;
#[cfg(feature = "typecheck")]
pub mod typecheck;
pub mod workshop;
