//! Notices that something in the folders of mods was written, however an
//! editor does it. Whether anything that counts has changed is told by the
//! contents, elsewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::hearing::Signal;

/// Writes that come closer together than this are one save.
const STRETCH: Duration = Duration::from_millis(12);
/// A stream of writes is looked at after so many stretches of [`STRETCH`].
const MOST_STRETCHES: u32 = 5;
/// How often folders are looked for that vanished.
const TICK: Duration = Duration::from_millis(250);

/// Watches folders until nobody listens any more.
///
/// # Errors
/// When the system cannot watch anything, in words.
pub fn watch(folders: &[PathBuf], signals: Sender<Signal>) -> Result<(), String> {
    let (sender, events) = channel();
    let watcher = notify::recommended_watcher(sender).map_err(|error| error.to_string())?;
    let mut watch = FolderWatch {
        watcher,
        folders: folders.iter().map(|path| Folder::new(path)).collect(),
    };
    watch.look_again();
    std::thread::spawn(move || watch.run(&events, &signals));
    Ok(())
}

/// A folder, and which one it was when it was last watched.
struct Folder {
    path: PathBuf,
    identity: Option<Identity>,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

impl Folder {
    fn new(path: &Path) -> Folder {
        Folder {
            path: path.to_path_buf(),
            identity: None,
        }
    }

    #[cfg(unix)]
    fn identity_now(&self) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt as _;
        let found = std::fs::metadata(&self.path).ok()?;
        Some((found.dev(), found.ino()))
    }

    #[cfg(not(unix))]
    fn identity_now(&self) -> Option<Identity> {
        self.path.canonicalize().ok()
    }
}

struct FolderWatch {
    watcher: RecommendedWatcher,
    folders: Vec<Folder>,
}

impl FolderWatch {
    fn run(mut self, events: &Receiver<notify::Result<notify::Event>>, signals: &Sender<Signal>) {
        loop {
            let saved = match events.recv_timeout(TICK) {
                Ok(event) if !is_write(&event) => continue,
                Ok(event) => {
                    let mut files = BTreeSet::from_iter(files_of(event));
                    wait_for_quiet(events, &mut files);
                    self.look_again();
                    Some(files.into_iter().collect())
                }
                // A folder that is moved away and back tells nobody.
                Err(RecvTimeoutError::Timeout) => self.look_again().then(Vec::new),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if saved.is_some_and(|files| signals.send(Signal::Saved(files)).is_err()) {
                return;
            }
        }
    }

    /// Watches folders that are other than they were; whether there were any.
    fn look_again(&mut self) -> bool {
        let mut is_other = false;
        for folder in &mut self.folders {
            let now = folder.identity_now();
            if now == folder.identity {
                continue;
            }
            is_other = true;
            // Of a folder that is gone there is nothing to stop watching.
            let _ = self.watcher.unwatch(&folder.path);
            let is_watched = now.is_some()
                && self
                    .watcher
                    .watch(&folder.path, RecursiveMode::Recursive)
                    .is_ok();
            folder.identity = now.filter(|_| is_watched);
        }
        is_other
    }
}

/// Whether something was written. Our own reading is told as well, and would
/// never end.
fn is_write(event: &notify::Result<notify::Event>) -> bool {
    match event.as_ref().map(|event| event.kind) {
        Ok(EventKind::Access(AccessKind::Close(mode))) => mode == AccessMode::Write,
        Ok(EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_))) => false,
        _ => true,
    }
}

/// The files that somebody has written.
fn files_of(event: notify::Result<notify::Event>) -> Vec<PathBuf> {
    event.map(|event| event.paths).unwrap_or_default()
}

/// Waits until nothing more is written, and notes what is.
fn wait_for_quiet(events: &Receiver<notify::Result<notify::Event>>, files: &mut BTreeSet<PathBuf>) {
    for _ in 0..MOST_STRETCHES {
        let mut is_quiet = true;
        let mut left = STRETCH;
        // Whatever comes within a stretch begins another.
        while let Ok(event) = events.recv_timeout(left) {
            if is_write(&event) {
                is_quiet = false;
                left = Duration::from_millis(1);
                files.extend(files_of(event));
            }
        }
        if is_quiet {
            return;
        }
    }
}
