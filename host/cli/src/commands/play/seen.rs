//! Which saved files were seen as they are now: of what changes nothing in
//! play one line tells, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The contents of files as they were looked at last.
#[derive(Default)]
pub(super) struct SeenFiles(BTreeMap<PathBuf, Option<blake3::Hash>>);

impl SeenFiles {
    /// Of files that were written those that are other than they were, by name.
    pub(super) fn news(&mut self, files: &[PathBuf]) -> Vec<String> {
        let mut names = Vec::new();
        for path in files.iter().filter(|path| is_of_an_author(path)) {
            let now = contents(path);
            if self.0.insert(path.clone(), now) != Some(now) {
                names.extend(
                    path.file_name()
                        .map(|name| name.to_string_lossy().into_owned()),
                );
            }
        }
        names
    }

    /// All of them as they are now were taken over.
    pub(super) fn taken(&mut self) {
        for (path, held) in &mut self.0 {
            *held = contents(path);
        }
    }
}

fn contents(path: &Path) -> Option<blake3::Hash> {
    std::fs::read(path).ok().map(|bytes| blake3::hash(&bytes))
}

/// Whether it is a file that people write, and none that an editor keeps beside.
fn is_of_an_author(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_kept_beside = name.starts_with('.') || name.ends_with('~');
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    !is_kept_beside && ["luau", "ron", "csv", "snap", "md"].contains(&&*ending)
}
