//! The languages that rules can be written in, put together.
//!
//! This is the one place that knows both, scripts in Luau and WebAssembly
//! components; whoever composes rulebooks takes [`ALL`].
//!
//! What it refuses to know: anything more, also what a script or a component is.
//!
//! Read [`ALL`]: there is nothing else.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::{Name, Value};

use rules::rulebook::host::{Languages, ScriptHost};
use scripts::LuaHost;

/// All languages that this build has a machine for.
pub static ALL: &dyn Languages = &AllLanguages;

struct AllLanguages;

impl Languages for AllLanguages {
    fn scripts(
        &self,
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<Box<dyn ScriptHost>, Fault> {
        Ok(Box::new(LuaHost::new(clauses, confirming, options)?))
    }

    #[cfg(feature = "wasm")]
    fn run_component(
        &self,
        host: &dyn ScriptHost,
        module: &Name,
        path: &str,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        components::run_component(host.running(), host.registrar(), module, path, bytes)
    }

    #[cfg(not(feature = "wasm"))]
    fn run_component(
        &self,
        _: &dyn ScriptHost,
        module: &Name,
        path: &str,
        _: &[u8],
    ) -> Result<(), Fault> {
        use kernel::error::{FaultCode, Place};
        let message = "expected rules in Luau, found a WebAssembly component: this build has no machine for it";
        Err(Fault::new(FaultCode::BadComponent, message)
            .at(Place::new(&**module, path, 0))
            .hint("build with the feature `wasm`"))
    }
}
