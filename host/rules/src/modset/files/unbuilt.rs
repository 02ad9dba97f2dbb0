//! Rules in a compiled language of which there is no component: without it the mod
//! would take part and do nothing.

use std::path::Path;

use kernel::error::{Fault, FaultCode, Place};

use super::Sources;

impl Sources {
    /// What is wrong where the source of a component lies in the folder of the mod,
    /// and no component.
    pub fn unbuilt(&self) -> Option<Fault> {
        let is_component = |path: &str| path.ends_with(".wasm");
        if self.under("rules").any(|(path, _)| is_component(path)) {
            return None;
        }
        let folder = self.folder.as_ref()?;
        let name = ["rust", "c"]
            .into_iter()
            .find(|name| has_source(&folder.join(name)))?;
        let message = format!(
            "expected a component in `rules`, built from what lies in `{name}`, found none"
        );
        let fault = Fault::new(FaultCode::BadComponent, message)
            .at(Place::new(&*self.id, name, 0))
            .hint(format!("`houserule build {}`", self.id));
        Some(fault)
    }
}

/// Whether what `houserule build` makes components of lies there: a crate, or files in C.
fn has_source(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).any(|path| {
        path.file_name().is_some_and(|name| name == "Cargo.toml")
            || path.extension().is_some_and(|ending| ending == "c")
    })
}
