//! A mod's folder as text in memory.
//!
//! Only files that can belong to a mod are read, so that an editor's leavings
//! change nothing:
//!
//! | file | changes play |
//! |---|---|
//! | `mod.ron`, `data/*.ron`, `data/*.csv`, `rules/**/*.luau`, `rules/**/*.wasm` | yes: part of the content hash |
//! | `scenarios/*.ron`, `tests/**/*.luau`, `golden/*.snap`, `README.md` | no |
//!
//! A file that cannot be read costs itself: it is left out, and
//! [`Sources::unread`] says why. Of those that change play none may be missing
//! where the mod is used.
//!
//! Who only plays reads [what says which mod it is](Sources::read_to_play), and of
//! the mods that take part their scenarios, rules and data.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, is_word};

use super::own_names::{CASES, RULES};
use super::strays::{self, Stray, has_ending};
use super::{manifest, own_names};
use walk::shelf_of;

mod unbuilt;
mod walk;

/// A file larger than this is no rule.
pub const LARGEST_FILE: u64 = 4 << 20;

/// The files of a mod have no more bytes than this together.
pub const LARGEST_MOD: u64 = 64 << 20;

/// A folder with more files and folders than this is no mod.
const MOST_FILES: usize = 10_000;

/// Folders nested deeper than this are no mod's.
const DEEPEST: usize = 16;

/// What says what the mod is.
const MANIFEST: [&str; 1] = ["mod.ron"];

/// So much of a manifest is read to know which mod it is: it stands in front.
const FRONT: u64 = 4 << 10;

/// What there is to play.
const OFFERED: [&str; 1] = ["scenarios"];

/// What it is played by.
const PLAYED: [&str; 2] = ["data", "rules"];

/// Files that were read together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Shelf {
    /// Text by path relative to the folder, with `/`, as it is written.
    files: BTreeMap<String, Arc<str>>,
    /// What is wrong with those that could not be read, which are left out.
    unread: Vec<Fault>,
    /// Files and folders that look as if they were to be read, and are not.
    strays: Vec<Stray>,
}

/// What is read once somebody asks for some of it, all of it together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Late {
    manifest: OnceLock<Shelf>,
    offered: OnceLock<Shelf>,
    played: OnceLock<Shelf>,
}

impl Late {
    /// Where files of that path are read together, and what else is with them.
    fn of(&self, path: &str) -> Option<(&OnceLock<Shelf>, &'static [&'static str])> {
        let top = path.split('/').next()?;
        self.all().into_iter().find(|(_, tops)| tops.contains(&top))
    }

    fn all(&self) -> [(&OnceLock<Shelf>, &'static [&'static str]); 3] {
        [
            (&self.manifest, &MANIFEST),
            (&self.offered, &OFFERED),
            (&self.played, &PLAYED),
        ]
    }
}

/// The files of a mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The mod's id, as its manifest says; its label where that says none.
    pub id: Name,
    /// The name of its folder, without the way there.
    pub label: String,
    /// Where the folder is, if the files were read from one.
    pub folder: Option<PathBuf>,
    /// What was read at once.
    first: Shelf,
    /// What else there is, where that is read once somebody asks for it.
    late: Option<Late>,
    /// The files of rules and of cases that are read as if names of their mod
    /// stood in them, once somebody reads some.
    rules: Follows<BTreeMap<String, Arc<str>>>,
    cases: Follows<BTreeMap<String, Arc<str>>>,
    /// The mods that it depends on, as far as its manifest can be read.
    depends: Follows<Vec<String>>,
    /// The hash of every file that can change play, once somebody asks for it.
    hash: Follows<blake3::Hash>,
}

impl Sources {
    /// The files of a mod from elsewhere than a folder: a test, or the store of
    /// a record. Files that a mod does not have are left out.
    pub fn from_memory(label: &str, files: BTreeMap<String, Arc<str>>) -> Sources {
        let strays = strays::among(&files);
        Sources::of(
            label,
            Shelf {
                files: readable(files),
                unread: Vec::new(),
                strays,
            },
        )
    }

    fn of(label: &str, first: Shelf) -> Sources {
        let peeked = first
            .files
            .get("mod.ron")
            .and_then(|text| manifest::peek_id(text));
        let id = peeked.unwrap_or_else(|| label.to_string());
        Sources {
            rules: Follows::default(),
            cases: Follows::default(),
            id: Arc::from(id),
            depends: Follows::default(),
            label: label.into(),
            folder: None,
            hash: Follows::default(),
            first,
            late: None,
        }
    }

    /// Reads a mod's folder, as far as it can be read.
    ///
    /// # Errors
    /// When it has no manifest that can be read, or is no folder of a mod at
    /// all: with everything else in it that cannot be read.
    pub fn read(folder: &Path) -> Result<Sources, Vec<Fault>> {
        Sources::begun(folder, None)
    }

    /// Reads which mod it is. Its scenarios are read once somebody asks for one of
    /// them, and so are rules and data; what it is tested and explained by never.
    ///
    /// # Errors
    /// As [`Sources::read`].
    pub fn read_to_play(folder: &Path) -> Result<Sources, Vec<Fault>> {
        let mut sources = match front_of(&folder.join("mod.ron")) {
            Some(id) => Sources {
                id: Arc::from(id),
                folder: Some(folder.to_path_buf()),
                ..Sources::of(&label_of(folder), Shelf::default())
            },
            // Whatever is the matter with it is told.
            None => Sources::begun(folder, Some(&MANIFEST))?,
        };
        sources.late = Some(Late::default());
        Ok(sources)
    }

    /// A mod with all that is in its folder, or with some of it.
    fn begun(
        folder: &Path,
        wanted: Option<&'static [&'static str]>,
    ) -> Result<Sources, Vec<Fault>> {
        let label = label_of(folder);
        let first = shelf_of(folder, &label, wanted);
        if first
            .unread
            .iter()
            .any(|fault| matches!(file_of(fault), "" | "mod.ron"))
        {
            return Err(first.unread);
        }
        let mut sources = Sources::of(&label, first);
        name(&mut sources.first.unread, &sources.id);
        sources.folder = Some(folder.to_path_buf());
        Ok(sources)
    }

    /// The files that were read together with one of that path, read now if they
    /// were not yet.
    fn shelf(&self, path: &str) -> &Shelf {
        let late = self.late.as_ref().and_then(|late| late.of(path));
        late.map_or(&self.first, |(shelf, tops)| self.read_late(shelf, tops))
    }

    fn read_late<'a>(
        &self,
        shelf: &'a OnceLock<Shelf>,
        tops: &'static [&'static str],
    ) -> &'a Shelf {
        shelf.get_or_init(|| {
            let mut read = self.folder.as_ref().map_or_else(Shelf::default, |folder| {
                shelf_of(folder, &self.label, Some(tops))
            });
            name(&mut read.unread, &self.id);
            read
        })
    }

    /// All that was read, or is now.
    fn shelves(&self) -> impl Iterator<Item = &Shelf> {
        let late = self.late.iter().flat_map(Late::all);
        let late = late.map(|(shelf, tops)| self.read_late(shelf, tops));
        [&self.first].into_iter().chain(late)
    }

    /// The text of a file as it is written.
    pub fn as_written(&self, path: &str) -> Option<&Arc<str>> {
        self.shelf(path).files.get(path)
    }

    /// All files as they are written, by path.
    pub fn all(&self) -> BTreeMap<&str, &Arc<str>> {
        let all = self.shelves().flat_map(|shelf| &shelf.files);
        all.map(|(path, text)| (path.as_str(), text)).collect()
    }

    /// All files as they are written, to make another mod of them.
    pub fn to_files(&self) -> BTreeMap<String, Arc<str>> {
        self.all()
            .into_iter()
            .map(|(path, text)| (path.to_string(), text.clone()))
            .collect()
    }

    /// Whether there is a file of that path, which need not be read for it.
    pub fn has(&self, path: &str) -> bool {
        let late = self.late.as_ref().and_then(|late| late.of(path));
        match (late, &self.folder) {
            (Some((shelf, _)), Some(folder)) if shelf.get().is_none() => {
                is_wanted(path) && folder.join(path).is_file()
            }
            _ => self.as_written(path).is_some(),
        }
    }

    /// What is wrong with files that could not be read, which are left out.
    pub fn unread(&self) -> impl Iterator<Item = &Fault> {
        self.shelves().flat_map(|shelf| &shelf.unread)
    }

    /// What is wrong with the file of that path, where it is left out.
    pub(super) fn why_unread(&self, path: &str) -> Vec<Fault> {
        let unread = self.shelf(path).unread.iter();
        unread
            .filter(|fault| file_of(fault) == path)
            .cloned()
            .collect()
    }

    /// The same of what was read until now.
    pub(super) fn unread_so_far(&self) -> impl Iterator<Item = &Fault> {
        let late = self.late.iter();
        let late = late
            .flat_map(Late::all)
            .filter_map(|(shelf, _)| shelf.get());
        let read = [&self.first].into_iter().chain(late);
        read.flat_map(|shelf| &shelf.unread)
    }

    /// Files and folders that look as if they were to be read, and are not.
    pub fn strays(&self) -> &[Stray] {
        &self.first.strays
    }

    /// The same with one of its files as that is now, and which one it is. `None`
    /// for a path of something else, for what cannot be read, and for what says
    /// what the mod is.
    pub fn with_file_now(&self, path: &Path) -> Option<(String, Sources)> {
        // Who watches a folder tells of files by other ways than it was found by.
        let (real, folder) = (
            fs::canonicalize(path).ok()?,
            fs::canonicalize(self.folder.as_ref()?).ok()?,
        );
        let inner = real.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
        if inner == "mod.ron" || inner.ends_with(".wasm") || !self.has(&inner) {
            return None;
        }
        if !fs::metadata(&real).ok()?.is_file() {
            return None;
        }
        let mut now = self.clone();
        now.put(&inner, &read_text(&real).ok()?);
        Some((inner, now))
    }

    /// What is wrong with files that could not be read and that rules may stand
    /// on, or with the folder as a whole: with one of these faults the mod cannot
    /// be used.
    pub fn missing(&self) -> impl Iterator<Item = &Fault> {
        // What is wrong with the folder is found each time that something is read.
        let mut is_told = false;
        self.unread().filter(move |fault| match file_of(fault) {
            "" => !std::mem::replace(&mut is_told, true),
            file => is_play(file),
        })
    }

    /// The hash of every file that can change play.
    pub fn hash(&self) -> blake3::Hash {
        *self.hash.0.get_or_init(|| hash(&self.all()))
    }

    /// The text of a file, with the [names](super::own_names) that it uses.
    pub fn get(&self, path: &str) -> Option<&Arc<str>> {
        self.named(path)
            .and_then(|named| named.get(path))
            .or_else(|| self.as_written(path))
    }

    /// The files of rules or of cases, as the path says, with their names.
    fn named(&self, path: &str) -> Option<&BTreeMap<String, Arc<str>>> {
        let (named, folder) = if path.starts_with(RULES) {
            (&self.rules, RULES)
        } else if path.starts_with(CASES) {
            (&self.cases, CASES)
        } else {
            return None;
        };
        let look = || {
            own_names::with_kept_names(&self.id, self.depends(), &self.shelf(path).files, folder)
        };
        Some(named.0.get_or_init(look))
    }

    /// Puts a file in, or in the place of another.
    pub fn put(&mut self, path: &str, text: &str) {
        self.changed()
            .files
            .insert(path.to_string(), Arc::from(text));
    }

    /// Takes all files of a folder of the mod out; what was wrong with others stays.
    pub fn leave_out(&mut self, folder: &str) {
        let is_in = |path: &str| path.split('/').next() == Some(folder);
        self.changed().files.retain(|path, _| !is_in(path));
    }

    /// All files, to change some: what followed from them is forgotten.
    fn changed(&mut self) -> &mut Shelf {
        let late: Vec<Shelf> = self.shelves().skip(1).cloned().collect();
        for shelf in late {
            self.first.files.extend(shelf.files);
            self.first.unread.extend(shelf.unread);
        }
        self.late = None;
        (self.rules, self.cases, self.hash) = Default::default();
        self.depends = Follows::default();
        &mut self.first
    }

    /// The mods that it depends on, as far as its manifest can be read.
    fn depends(&self) -> &[String] {
        let peek = || {
            let text = self.as_written("mod.ron");
            text.and_then(|text| manifest::peek_depends(text))
                .unwrap_or_default()
        };
        self.depends.0.get_or_init(peek)
    }

    /// Holds no second copy of texts that another one holds too.
    pub(super) fn share(&mut self, other: &Sources) {
        for (path, text) in &mut self.first.files {
            if let Some(known) = other.as_written(path).filter(|known| *known == text) {
                *text = known.clone();
            }
        }
    }

    /// The text of a file of this mod that is being written, with the names
    /// that it uses.
    pub fn reading(&self, path: &str, text: &str) -> Arc<str> {
        let mut files = self.to_files();
        files.insert(path.to_string(), Arc::from(text));
        let folder = if path.starts_with(CASES) {
            CASES
        } else {
            RULES
        };
        let mut named = own_names::with_names(&self.id, self.depends(), &files, folder);
        named.remove(path).unwrap_or_else(|| Arc::from(text))
    }

    /// The files in a folder of the mod, by path, as [`Sources::get`] gives them.
    pub fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a Arc<str>)> {
        let is_in = move |path: &str| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let all = self
            .shelf(folder)
            .files
            .iter()
            .filter(move |(path, _)| is_in(path));
        all.map(|(path, text)| (path.as_str(), self.get(path).unwrap_or(text)))
    }
}

/// What follows from the files as they are written, once it was asked for.
#[derive(Clone, Debug)]
struct Follows<T>(OnceLock<T>);

impl<T> Default for Follows<T> {
    fn default() -> Self {
        Follows(OnceLock::new())
    }
}

impl<T> PartialEq for Follows<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Follows<T> {}

/// Those of some files that a mod can have, as they are written.
fn readable(files: BTreeMap<String, Arc<str>>) -> BTreeMap<String, Arc<str>> {
    let wanted = files.into_iter().filter(|(path, _)| is_wanted(path));
    wanted
        .map(|(path, text)| (path, without_mark(text)))
        .collect()
}

/// What a mod is called by the name of its folder.
fn label_of(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| "mod".into(), |name| name.to_string_lossy().into_owned())
}

/// The id of a mod, where it stands at the front of its manifest, and that is a
/// plain file.
fn front_of(manifest: &Path) -> Option<String> {
    if !fs::symlink_metadata(manifest).ok()?.is_file() {
        return None;
    }
    let mut front = Vec::new();
    let file = fs::File::open(manifest).ok()?;
    file.take(FRONT).read_to_end(&mut front).ok()?;
    let text = front.utf8_chunks().next()?.valid();
    manifest::id_in_front(text).map(str::to_string)
}

/// Says of faults to which mod their files belong.
fn name(faults: &mut [Fault], id: &Name) {
    for place in faults.iter_mut().filter_map(|fault| fault.place.as_mut()) {
        place.module = id.clone();
    }
}

/// Whether a file can belong to a mod.
pub(super) fn is_wanted(path: &str) -> bool {
    let (folder, name) = path.split_once('/').unwrap_or(("", path));
    let is_flat = !name.contains('/');
    match folder {
        "" => name == "mod.ron" || name == "README.md",
        "data" => is_flat && (has_ending(name, ".ron") || has_ending(name, ".csv")),
        "scenarios" => is_flat && has_ending(name, ".ron"),
        "golden" => is_flat && has_ending(name, ".snap"),
        "rules" => has_ending(name, ".luau") || has_ending(name, ".wasm"),
        "tests" => has_ending(name, ".luau"),
        _ => false,
    }
}

/// Whether a file or folder can change play.
fn is_play(path: &str) -> bool {
    matches!(path.split('/').next(), Some("mod.ron" | "data" | "rules"))
}

/// The file that a fault is about.
fn file_of(fault: &Fault) -> &str {
    fault.place.as_ref().map_or("", |place| &place.file)
}

/// A text without the mark of order that some editors put before it.
fn without_mark(text: Arc<str>) -> Arc<str> {
    match text.strip_prefix(MARK_OF_ORDER) {
        Some(rest) => Arc::from(rest),
        None => text,
    }
}

/// Bytes that say in which order the bytes of a text are, though UTF-8 has one.
pub const MARK_OF_ORDER: char = '\u{feff}';

/// Path and text of each file, each with its length before it, so that no two
/// sets of files run together into the same bytes.
fn hash(files: &BTreeMap<&str, &Arc<str>>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for (path, text) in files.iter().filter(|(path, _)| is_play(path)) {
        for part in [*path, text] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize()
}

/// The text of a plain file, without a mark of order before it.
///
/// # Errors
/// In words, when it cannot be read, is too large, not UTF-8, or no file.
pub fn read_text(path: &Path) -> Result<String, String> {
    let text = utf8(read_bytes(path)?)?;
    Ok(text
        .strip_prefix(MARK_OF_ORDER)
        .map_or_else(|| text.clone(), ToString::to_string))
}

fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        match error.as_bytes().get(at) {
            Some(byte) if error.utf8_error().error_len().is_some() => {
                format!("expected UTF-8, found the byte 0x{byte:02x} in line {line}")
            }
            _ => {
                format!("expected UTF-8, found a letter that is cut off at the end, in line {line}")
            }
        }
    })
}

/// The digits of each byte in the text in which a record keeps a component.
const DIGITS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

/// The bytes of a component as text, so that a mod is text all through: two
/// digits a byte.
fn text_of(bytes: &[u8]) -> String {
    let mut digits = vec![0; 2 * bytes.len()];
    let (pairs, _) = digits.as_chunks_mut();
    for (pair, byte) in pairs.iter_mut().zip(bytes) {
        *pair = DIGITS[usize::from(*byte)];
    }
    String::from_utf8(digits).unwrap_or_default()
}

/// The bytes of a component that is kept as text.
///
/// # Errors
/// When the text is none of ours.
pub fn bytes_of(text: &str) -> Result<Vec<u8>, Fault> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks();
    let pair = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    let bytes: Option<Vec<u8>> = pairs.iter().map(pair).collect();
    bytes.filter(|_| rest.is_empty()).ok_or_else(|| {
        Fault::new(
            FaultCode::BadComponent,
            "expected the bytes of a component as text, found other text",
        )
    })
}

/// The bytes of a plain file.
fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let about = fs::metadata(path).map_err(unreadable)?;
    // Anything but a plain file could block or never end.
    if !about.is_file() {
        return Err("expected a plain file".into());
    }
    bytes_of_plain(path, &about)
}

fn unreadable(error: std::io::Error) -> String {
    format!("expected a readable file, found {}", error.kind())
}

/// The bytes of what is known to be a plain file.
fn bytes_of_plain(path: &Path, about: &fs::Metadata) -> Result<Vec<u8>, String> {
    // With room for it all, and for the look whether there is more.
    let mut bytes = Vec::with_capacity(about.len().min(LARGEST_FILE) as usize + 64);
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!(
            "expected a file of at most {} MiB, found a larger one",
            LARGEST_FILE >> 20
        ));
    }
    Ok(bytes)
}

/// Whether a text can be the id of a mod.
pub fn is_mod_id(text: &str) -> bool {
    is_word(text) && text.starts_with(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
pub(super) mod tests;
