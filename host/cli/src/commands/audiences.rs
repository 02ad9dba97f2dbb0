//! What the cases of a mod tell to more than may see what it rests on, not
//! played again until something changes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::testing::{Filter, run_for_audiences};
use houserule::workshop::Workshop;

use crate::config::{cache, program};

/// Faults of what is told too widely in the cases and scenarios of a mod.
pub(super) fn disclosed_too_widely(workshop: &Workshop, id: &Name) -> Vec<Fault> {
    let passed = passed_at(workshop, id);
    if passed.as_ref().is_some_and(|path| path.exists()) {
        return Vec::new();
    }
    let filter = Filter {
        mods: vec![id.clone()],
        text: None,
    };
    let found: Vec<Fault> = run_for_audiences(workshop, &filter)
        .into_iter()
        .filter_map(|result| result.failure)
        .collect();
    if let (true, Some(path)) = (found.is_empty(), passed) {
        // What cannot be noted is played again.
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let _ = folder.and_then(|()| std::fs::write(path, ""));
    }
    found
}

/// The file that says that a mod has passed with the texts that it has now, and
/// those of all that it stands on, under this program.
fn passed_at(workshop: &Workshop, id: &Name) -> Option<PathBuf> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(program()?.as_bytes());
    for module in under(workshop, id) {
        let sources = workshop.sources().get(&module)?;
        hasher.update(sources.hash().as_bytes());
        for (path, text) in sources.all() {
            for part in [path, &**text] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
    }
    Some(
        cache()?
            .join("audiences")
            .join(hasher.finalize().to_hex().as_str()),
    )
}

/// A mod with all that it stands on.
fn under(workshop: &Workshop, id: &Name) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut open = vec![id.clone()];
    while let Some(module) = open.pop() {
        if found.insert(module.clone()) {
            let manifest = workshop.manifests().get(&module);
            open.extend(
                manifest
                    .iter()
                    .flat_map(|one| one.depends.iter().map(|on| on.id.clone())),
            );
        }
    }
    found
}
