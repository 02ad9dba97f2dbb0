//! The store beside a journal: the sources of every mod and scenario that
//! took part, by content hash, so that a match replays after they changed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use rules::whole;

use super::{is_hash, read_all};

/// The files of a mod or scenario: relative path with `/`, and content.
pub type Files = BTreeMap<String, Arc<str>>;

/// Sources by hash: whose, and what.
pub type KeptSources = BTreeMap<ContentHash, (String, Files)>;

const FIRST_LINE: &str = "houserule content 1";

/// The hash of some files: their identity in records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContentHash([u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ContentHash {
    type Err = String;

    fn from_str(text: &str) -> Result<ContentHash, String> {
        let mut bytes = [0; 32];
        if !is_hash(text, 64) {
            return Err("expected a hash of 64 hexadecimal digits in lower case".into());
        }
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |c: u8| {
                if c.is_ascii_digit() {
                    c - b'0'
                } else {
                    c - b'a' + 10
                }
            };
            *byte = digit(digits[0]) << 4 | digit(digits[1]);
        }
        Ok(ContentHash(bytes))
    }
}

/// The hash of files: of each path and content with its length, by path.
///
/// ```
/// use matches::record::{Files, content_hash};
/// let one = Files::from([("a".to_string(), "bc".into())]);
/// let other = Files::from([("ab".to_string(), "c".into())]);
/// assert_ne!(content_hash(&one), content_hash(&other));
/// ```
pub fn content_hash(files: &Files) -> ContentHash {
    let mut hasher = blake3::Hasher::new();
    let mut part = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    part(FIRST_LINE);
    for (path, content) in files {
        part(path);
        part(content);
    }
    ContentHash(*hasher.finalize().as_bytes())
}

/// A folder of contents, each in a file named by its hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store of a journal: the folder `<journal>.mods` beside it.
    pub fn beside(journal: &Path) -> Store {
        let mut name = journal.as_os_str().to_os_string();
        name.push(".mods");
        Store {
            folder: PathBuf::from(name),
        }
    }

    /// Keeps files; whose they are is noted for people. The file appears
    /// whole or not at all, and survives a loss of power; what is there already stays.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, id: &str, files: &Files) -> Result<ContentHash, Fault> {
        let hash = content_hash(files);
        if self.get(&hash).is_ok() {
            return Ok(hash);
        }
        let failed = |error: std::io::Error| {
            let reason = format!("the sources of `{id}` cannot be kept: {error}");
            Fault::new(FaultCode::JournalUnwritten, reason).at(self.place(&hash))
        };
        whole::put_on_disk(&self.path(&hash), to_text(id, files).as_bytes()).map_err(failed)?;
        Ok(hash)
    }

    /// Takes away what was half written here by somebody who was killed.
    pub fn tidy(&self) {
        whole::tidy(&self.folder, &|name| is_hash(name, 64));
    }

    /// Keeps all that a match is played by.
    ///
    /// # Errors
    /// When some of it cannot be written.
    pub fn put_all(&self, kept: &KeptSources) -> Result<(), Fault> {
        for (id, files) in kept.values() {
            self.put(id, files)?;
        }
        Ok(())
    }

    /// The files of that hash.
    ///
    /// # Errors
    /// When they are not there, or are no longer what they were.
    pub fn get(&self, hash: &ContentHash) -> Result<Files, Fault> {
        let unreadable =
            |reason: String| Fault::new(FaultCode::Unreadable, reason).at(self.place(hash));
        let path = self.path(hash);
        let found = fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?;
        if !found.is_file() {
            return Err(unreadable(
                "expected a file, found a folder or a device".into(),
            ));
        }
        let mut file = File::open(&path).map_err(|error| unreadable(error.to_string()))?;
        let bytes = read_all(&mut file).map_err(unreadable)?;
        let changed = |reason: &str| Fault::new(FaultCode::BadJournal, reason).at(self.place(hash));
        let text =
            std::str::from_utf8(&bytes).map_err(|_| changed("it was changed: it is not UTF-8"))?;
        let files =
            from_text(text).ok_or_else(|| changed("it was changed: its lengths do not fit"))?;
        match content_hash(&files) == *hash {
            true => Ok(files),
            false => Err(changed(
                "it was changed: its hash is not the one in its name",
            )),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        self.folder.join(hash.to_string())
    }

    fn place(&self, hash: &ContentHash) -> Place {
        Place::new("", self.path(hash).display().to_string(), 0)
    }
}

/// Files as one text: for each the lengths of path and content in bytes, then
/// both, each followed by a line break.
fn to_text(id: &str, files: &Files) -> String {
    let mut text = format!("{FIRST_LINE}\nof {}\n", super::one_line(id));
    for (path, content) in files {
        text.push_str(&format!(
            "file {} {}\n{path}\n{content}\n",
            path.len(),
            content.len()
        ));
    }
    text.push_str("end\n");
    text
}

fn from_text(text: &str) -> Option<Files> {
    let mut rest = text.strip_prefix(FIRST_LINE)?.strip_prefix("\nof ")?;
    rest = rest.split_once('\n')?.1;
    let mut files = Files::new();
    while let Some(after) = rest.strip_prefix("file ") {
        let (lengths, after) = after.split_once('\n')?;
        let (path_length, length) = lengths.split_once(' ')?;
        let (path, after) = after.split_at_checked(path_length.parse().ok()?)?;
        let (content, after) = after
            .strip_prefix('\n')?
            .split_at_checked(length.parse().ok()?)?;
        if files.insert(path.to_string(), Arc::from(content)).is_some() {
            return None;
        }
        rest = after.strip_prefix('\n')?;
    }
    (rest == "end\n").then_some(files)
}
