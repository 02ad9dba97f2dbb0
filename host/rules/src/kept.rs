//! What was reckoned of texts alone, kept in a folder for the next process.
//!
//! It may be gone, broken or of another program: then it is reckoned again, and
//! nobody can tell but by the time that it takes. What another program kept is
//! never read, whatever it says: ours may read a text otherwise.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

struct Kept {
    folder: PathBuf,
    program: blake3::Hash,
}

/// Where it is kept, if anywhere.
static KEPT: OnceLock<Kept> = OnceLock::new();

/// Bytes of a hash.
const HASH: usize = blake3::OUT_LEN;

/// Keeps what is reckoned of texts in a folder from now on. `program` tells this
/// program from every other one. To be called once, before the first mod is read.
pub fn keep_in(folder: &Path, program: &str) {
    let _ = KEPT.set(Kept { folder: folder.to_path_buf(), program: blake3::hash(program.as_bytes()) });
}

impl Kept {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(blake3::hash(name.as_bytes()).to_hex().as_str())
    }

    /// What tells that bytes are as this program has written them.
    fn seal(&self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(self.program.as_bytes(), bytes)
    }
}

/// What this program has kept under a name, as it was written.
pub fn read(name: &str) -> Option<Vec<u8>> {
    let kept = KEPT.get()?;
    let mut bytes = fs::read(kept.path(name)).ok()?;
    let end = bytes.len().checked_sub(HASH)?;
    let is_ours = kept.seal(&bytes[..end]).as_bytes()[..] == bytes[end..];
    bytes.truncate(end);
    is_ours.then_some(bytes)
}

/// Keeps something under a name, in the place of what was there. What cannot be
/// kept is reckoned again.
pub fn write(name: &str, mut bytes: Vec<u8>) {
    let Some(kept) = KEPT.get() else { return };
    let seal = kept.seal(&bytes);
    bytes.extend_from_slice(seal.as_bytes());
    replace(&kept.path(name), &bytes);
}

/// Whether anything is kept.
pub fn is_on() -> bool {
    KEPT.get().is_some()
}

/// Writes a file of a cache, whole or not at all.
pub fn replace(path: &Path, bytes: &[u8]) {
    let unfinished = path.with_extension(std::process::id().to_string());
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(&unfinished, bytes));
    if written.and_then(|()| fs::rename(&unfinished, path)).is_err() {
        let _ = fs::remove_file(&unfinished);
    }
}
