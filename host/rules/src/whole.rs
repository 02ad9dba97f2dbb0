//! Files that appear whole or not at all: written under another name beside their
//! place, and put there when all of it is written.
//!
//! The other name begins with a dot and is nobody else's: neither that of another
//! process, nor one that a process of the same number has left when it was killed.
//! Whoever writes under it has it alone until it is in its place, so that drafts
//! of the dead can be told from those of the living.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::alone::{self, NotAlone};

/// Tells apart the drafts of one process.
static DRAFTS: AtomicU32 = AtomicU32::new(0);

/// So many names of drafts are tried: each was left by a process that was killed.
const MOST_TRIES: u32 = 10_000;

/// Writes a file in the place of what was there, whole or not at all: it survives a
/// crash of this process. Folders that are not there are made.
///
/// # Errors
/// When it cannot be written: what was there is as it was, and no draft is left.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("houserule-whole-{}", std::process::id()));
/// let path = folder.join("seats");
/// rules::whole::put(&path, b"blue")?;
/// rules::whole::put(&path, b"blue, red")?;
/// assert_eq!(std::fs::read(&path)?, b"blue, red");
/// assert_eq!(std::fs::read_dir(&folder)?.count(), 1, "nothing lies beside it");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (draft, mut file) = draft_of(path)?;
    let written = file.write_all(bytes);
    finish(&draft, file, path, written)
}

/// The same for what must survive a loss of power: the file, and its name in its
/// folder, are on the disk when this returns.
///
/// # Errors
/// As [`put`]; and when the disk does not take the name, though the file may be in
/// its place then.
pub fn put_on_disk(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (draft, mut file) = draft_of(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    finish(&draft, file, path, written)?;
    sync_folder_of(path)
}

/// Writes the names in the folder of a file to the disk, where the system keeps a
/// folder apart from its files; elsewhere nothing.
///
/// # Errors
/// When the disk does not take them.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder_of(path))?.sync_all(),
        false => Ok(()),
    }
}

/// Takes the drafts of one file away, as [`tidy`] does: for who goes on with it, or puts
/// another in its place.
pub fn tidy_beside(path: &Path) {
    if let Some(file) = path.file_name().and_then(|name| name.to_str()) {
        tidy(folder_of(path), &|name| name == file);
    }
}

/// Takes the drafts away that somebody who was killed has left in a folder, of the files
/// that are meant by their names. What another process writes there stays, and so does all
/// where the system knows no locks: that something stays is no fault.
pub fn tidy(folder: &Path, is_meant: &dyn Fn(&str) -> bool) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let of = name.to_str().and_then(drafted);
        if !of.is_some_and(is_meant) || !entry.file_type().is_ok_and(|found| found.is_file()) {
            continue;
        }
        let path = entry.path();
        let draft = alone::open(OpenOptions::new().write(true), &path);
        if draft.is_ok() {
            // It is ours until it is gone: whoever is about to write it looks whether it is there.
            let _ = fs::remove_file(&path);
        }
    }
}

/// The file that something is a draft of, by their names.
fn drafted(name: &str) -> Option<&str> {
    let (of, numbers) = name.strip_prefix('.')?.rsplit_once(".draft-")?;
    let (process, number) = numbers.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some(of)
}

/// The lock is held until the draft is in its place.
fn finish(draft: &Path, file: File, path: &Path, written: io::Result<()>) -> io::Result<()> {
    let put = written.and_then(|()| fs::rename(draft, path));
    drop(file);
    if put.is_err() {
        // It is of no use; that it cannot go either changes nothing.
        let _ = fs::remove_file(draft);
    }
    put
}

/// A new file beside a path that nobody else writes.
fn draft_of(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
    fs::create_dir_all(folder_of(path))?;
    for _ in 0..MOST_TRIES {
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let mut draft = OsString::from(".");
        draft.push(name);
        draft.push(format!(".draft-{}-{number}", std::process::id()));
        let draft = path.with_file_name(draft);
        match alone::open(OpenOptions::new().write(true).create_new(true), &draft) {
            // Who tidies may have been here first; where there are no locks nobody does.
            Ok(file) | Err(NotAlone::Unlocked(file, _)) => {
                if draft.exists() {
                    return Ok((draft, file));
                }
            }
            Err(NotAlone::Taken) => {}
            Err(NotAlone::Unopened(error)) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(NotAlone::Unopened(error)) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_that_a_killed_process_left_is_in_nobodys_way() {
        let folder = std::env::temp_dir().join(format!("houserule-drafts-{}", std::process::id()));
        let path = folder.join("game");
        fs::create_dir_all(&folder).unwrap();
        // Numbers of processes come again; in a container it is always the same one.
        let next = DRAFTS.load(Ordering::Relaxed);
        let left =
            |number: u32| folder.join(format!(".game.draft-{}-{number}", std::process::id()));
        for number in next..next + 50 {
            fs::write(left(number), "half").unwrap();
        }
        put(&path, b"whole").unwrap();
        put_on_disk(&path, b"on the disk").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"on the disk");
        assert_eq!(
            fs::read(left(next)).unwrap(),
            b"half",
            "it may be another's"
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 51);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn drafts_of_the_dead_go_and_those_of_the_living_stay() {
        let folder = std::env::temp_dir().join(format!("houserule-tidy-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str| fs::write(folder.join(name), "half").unwrap();
        let others = [".other.draft-77-3", ".game.draft-77-", ".game", "game"];
        [".game.draft-77-3", ".game.draft-1-0"]
            .into_iter()
            .for_each(write);
        others.into_iter().for_each(write);
        let (living, mut file) = draft_of(&folder.join("game")).unwrap();
        tidy(&folder, &|name| name == "game");
        let mut left: Vec<PathBuf> = others.iter().map(|name| folder.join(name)).collect();
        left.push(living.clone());
        left.sort();
        let there = || {
            let entries = fs::read_dir(&folder).unwrap();
            let mut there: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            there.sort();
            there
        };
        assert_eq!(there(), left);
        // What is a draft of one file is none of another.
        tidy_beside(&folder.join("game"));
        assert_eq!(there(), left);
        tidy_beside(&folder.join("other"));
        left.retain(|path| !path.ends_with(".other.draft-77-3"));
        assert_eq!(there(), left);
        // Nothing was taken from whoever writes.
        file.write_all(b"whole").unwrap();
        finish(&living, file, &folder.join("game"), Ok(())).unwrap();
        assert_eq!(fs::read(folder.join("game")).unwrap(), b"whole");
        tidy(&folder.join("nowhere"), &|_| true);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_put_in_its_place_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("houserule-place-{}", std::process::id()));
        let path = folder.join("taken");
        fs::create_dir_all(path.join("inner")).unwrap();
        assert!(put(&path, b"a file").is_err() && put_on_disk(&path, b"a file").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(put(Path::new(""), b"no name").is_err());
        assert!(put(Path::new("/"), b"no name").is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
