//! Folders of mods that are watched while a match goes on, and how long a save is
//! waited for: for every match that is served, whoever is at its other end.

use std::path::PathBuf;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// Files that change come in bursts; after this they are looked at.
pub const SETTLE: Duration = Duration::from_millis(15);

/// When nobody has asked for anything so long, the next save is made ready for.
pub const QUIET: Duration = Duration::from_millis(200);

/// A file that is half written is looked at again after this.
pub const AGAIN: Duration = Duration::from_millis(60);

/// Tells when anything in the folders changes, for as long as what is given back is
/// kept. `None` where one of them cannot be watched: then rules are taken over when
/// somebody asks for it.
pub fn watcher(
    folders: &[PathBuf],
    changed: impl Fn() + Send + 'static,
) -> Option<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            changed();
        }
    })
    .ok()?;
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive).ok()?;
    }
    Some(watcher)
}
