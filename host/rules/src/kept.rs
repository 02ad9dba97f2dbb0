//! What was reckoned of texts alone, kept in a folder for the next process.
//!
//! It may be gone, broken or of another program: then it is reckoned again, and
//! nobody can tell but by the time that it takes. What another program kept is
//! never read, whatever it says: ours may read a text otherwise.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::whole;

#[derive(Debug)]
struct KeptFolder {
    folder: PathBuf,
    program: blake3::Hash,
}

/// Where it is kept, if anywhere.
static KEPT: OnceLock<KeptFolder> = OnceLock::new();

/// The folders in which this process has tidied.
static TIDIED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Bytes of a hash.
const HASH: usize = blake3::OUT_LEN;

/// Keeps what is reckoned of texts in a folder from now on. `program` tells this
/// program from every other one. To be called once, before the first mod is read.
pub fn keep_in(folder: &Path, program: &str) {
    let _ = KEPT.set(KeptFolder::of(folder, program));
}

impl KeptFolder {
    fn of(folder: &Path, program: &str) -> KeptFolder {
        KeptFolder {
            folder: folder.to_path_buf(),
            program: blake3::hash(program.as_bytes()),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder
            .join(blake3::hash(name.as_bytes()).to_hex().as_str())
    }

    /// What tells that bytes are as this program has written them.
    fn seal(&self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(self.program.as_bytes(), bytes)
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.path(name)).ok()?;
        let end = bytes.len().checked_sub(HASH)?;
        let is_ours = self.seal(&bytes[..end]).as_bytes()[..] == bytes[end..];
        bytes.truncate(end);
        is_ours.then_some(bytes)
    }

    fn write(&self, name: &str, mut bytes: Vec<u8>) {
        let seal = self.seal(&bytes);
        bytes.extend_from_slice(seal.as_bytes());
        replace(&self.path(name), &bytes);
    }
}

/// What this program has kept under a name, as it was written.
pub fn read(name: &str) -> Option<Vec<u8>> {
    KEPT.get()?.read(name)
}

/// Keeps something under a name, in the place of what was there. What cannot be
/// kept is reckoned again.
pub fn write(name: &str, bytes: Vec<u8>) {
    if let Some(kept) = KEPT.get() {
        kept.write(name, bytes);
    }
}

/// Whether anything is kept.
pub fn is_on() -> bool {
    KEPT.get().is_some()
}

/// Writes a file of a cache, whole or not at all: what cannot be kept is reckoned
/// again. The first time that this process writes into a folder, what others who were
/// killed have left half written there goes.
pub fn replace(path: &Path, bytes: &[u8]) {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tidied = TIDIED.lock().unwrap_or_else(PoisonError::into_inner);
    if tidied.insert(folder.to_path_buf()) {
        whole::tidy(folder, &|_| true);
    }
    drop(tidied);
    let _ = whole::put(path, bytes);
}

/// Where a folder of a cache has more than so many files, those that were written first
/// are removed, until half as many are left.
pub fn tidy(folder: &Path, most: usize) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((about.modified().ok()?, entry.path()))
        })
        .collect();
    if files.len() <= most {
        return;
    }
    files.sort();
    files.truncate(files.len() - most / 2);
    for (_, path) in files {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_half_written_into_a_cache_goes_with_the_next_that_is_kept() {
        let folder = std::env::temp_dir().join(format!("houserule-halves-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let left = folder.join(".names.draft-77-3");
        fs::write(&left, "half").unwrap();
        replace(&folder.join("others"), b"fire");
        assert!(!left.exists());
        assert_eq!(fs::read(folder.join("others")).unwrap(), b"fire");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_what_this_program_wrote_is_read() {
        let folder = std::env::temp_dir().join(format!("houserule-kept-{}", std::process::id()));
        let kept = KeptFolder::of(&folder, "this one");
        assert_eq!(kept.read("names"), None);
        kept.write("names", b"fire, move".to_vec());
        kept.write("others", Vec::new());
        assert_eq!(kept.read("names").as_deref(), Some(&b"fire, move"[..]));
        assert_eq!(kept.read("others").as_deref(), Some(&b""[..]));
        assert_eq!(KeptFolder::of(&folder, "another one").read("names"), None);
        // Whatever becomes of the file: nothing of it is read.
        let path = kept.path("names");
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert_eq!(kept.read("names"), None, "cut at {end}");
            let mut other = whole.clone();
            other[end] ^= 1;
            fs::write(&path, other).unwrap();
            assert_eq!(kept.read("names"), None, "another bit at {end}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(kept.read("names").is_some());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn of_too_many_files_the_first_ones_go() {
        let folder = std::env::temp_dir().join(format!("houserule-tidy-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let write = |n: u64| {
            let path = folder.join(n.to_string());
            let file = fs::File::create(path).unwrap();
            let written = std::time::UNIX_EPOCH + std::time::Duration::from_secs(n);
            file.set_modified(written).unwrap();
        };
        let left = || {
            let files = fs::read_dir(&folder).unwrap();
            let mut names: Vec<_> = files
                .filter_map(|file| file.unwrap().file_name().to_str()?.parse::<u64>().ok())
                .collect();
            names.sort_unstable();
            names
        };
        (0..6).for_each(write);
        tidy(&folder, 6);
        assert_eq!(left(), [0, 1, 2, 3, 4, 5]);
        write(6);
        tidy(&folder, 6);
        assert_eq!(left(), [4, 5, 6]);
        assert!(folder.join("inner").is_dir());
        fs::remove_dir_all(&folder).unwrap();
        tidy(&folder, 6);
    }
}
