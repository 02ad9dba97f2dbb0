//! Mods as they were in a revision of git. Each folder of mods may lie in a
//! repository of its own, or in none: where there is no such revision it stays as
//! it is, and it is said of each which it was.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use houserule::kernel::error::Fault;
use houserule::workshop::Workshop;
use serde_json::{Value as Json, json};

use crate::failure::Failure;

/// A folder of mods, and the commit in which it was taken; none where it is as it is.
pub(super) struct TakenFolder {
    folder: PathBuf,
    commit: Option<String>,
}

impl TakenFolder {
    /// For people.
    pub fn text(&self) -> String {
        let folder = self.folder.display();
        match &self.commit {
            Some(commit) => format!("{folder} at {commit}"),
            None => format!("{folder} as it is"),
        }
    }

    /// For programs.
    pub fn json(&self) -> Json {
        json!({ "folder": self.folder.display().to_string(), "commit": self.commit })
    }
}

/// Mods of some folders, read as they were in a revision.
pub(super) struct PastMods {
    /// All of them.
    pub workshop: Workshop,
    /// What is wrong with those that are broken.
    pub broken: Vec<Fault>,
    /// Which folder was taken when.
    pub taken: Vec<TakenFolder>,
}

/// Reads the mods of some folders as they were in a revision; `name` says whose they are.
///
/// # Errors
/// When the repository of none of them has that revision, or it cannot be read.
pub(super) fn open(rev: &str, folders: &[PathBuf], name: &str) -> Result<PastMods, Failure> {
    if rev.starts_with('-') {
        return Err(Failure::Usage(format!(
            "expected a revision of git, found `{rev}`"
        )));
    }
    let taken = taken_at(rev, folders)?;
    // All of it is read at once, so that nothing need stay there while games are played.
    let extracted = Extracted::of(rev, &taken, name)?;
    let (workshop, broken) = Workshop::open(&extracted.folders);
    Ok(PastMods {
        workshop,
        broken,
        taken,
    })
}

/// Which folders are taken in a revision, and by which commit that is.
fn taken_at(rev: &str, folders: &[PathBuf]) -> Result<Vec<TakenFolder>, Failure> {
    let mut taken = Vec::new();
    for folder in folders {
        taken.push(TakenFolder {
            folder: folder.clone(),
            commit: commit_of(rev, folder)?,
        });
    }
    if taken.iter().all(|one| one.commit.is_none()) {
        let folders: Vec<String> = folders
            .iter()
            .map(|one| one.display().to_string())
            .collect();
        return Err(Failure::Plain(format!(
            "expected a revision of git, found `{rev}`, which no repository has of the folders {}",
            folders.join(", ")
        )));
    }
    Ok(taken)
}

/// The commit of a revision in the repository of a folder; none where it has no such revision.
fn commit_of(rev: &str, folder: &Path) -> Result<Option<String>, Failure> {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(folder)
        .args(["rev-parse", "--verify", "--quiet", "--short"]);
    let found = git
        .arg(format!("{rev}^{{commit}}"))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::Plain(format!("cannot run git: {error}")))?;
    let commit = String::from_utf8_lossy(&found.stdout).trim().to_string();
    Ok((found.status.success() && !commit.is_empty()).then_some(commit))
}

/// Folders as they were, in one that goes when it is dropped.
struct Extracted {
    root: PathBuf,
    folders: Vec<PathBuf>,
}

impl Extracted {
    fn of(rev: &str, taken: &[TakenFolder], name: &str) -> Result<Extracted, Failure> {
        let root = format!("houserule-compare-{}-{name}", std::process::id());
        let mut extracted = Extracted {
            root: std::env::temp_dir().join(root),
            folders: Vec::new(),
        };
        for (place, one) in taken.iter().enumerate() {
            let folder = match &one.commit {
                None => one.folder.clone(),
                Some(_) => {
                    let to = extracted.root.join(place.to_string());
                    extract(rev, &one.folder, &to)?;
                    to
                }
            };
            extracted.folders.push(folder);
        }
        Ok(extracted)
    }
}

impl Drop for Extracted {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Writes a folder as it was in a revision into a new one.
fn extract(rev: &str, folder: &Path, to: &Path) -> Result<(), Failure> {
    let failed =
        |what: &str| Failure::Plain(format!("{} at revision `{rev}`: {what}", folder.display()));
    std::fs::create_dir_all(to).map_err(|error| failed(&error.to_string()))?;
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(folder)
        .args(["archive", "--format=tar", rev, "."]);
    let mut git = git
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("cannot run git: {error}")))?;
    let archive = git.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let tar = Command::new("tar")
        .arg("-xf")
        .arg("-")
        .arg("-C")
        .arg(to)
        .stdin(archive)
        .output();
    let archived = git
        .wait_with_output()
        .map_err(|error| failed(&error.to_string()))?;
    if !archived.status.success() {
        return Err(failed(String::from_utf8_lossy(&archived.stderr).trim()));
    }
    let tar = tar.map_err(|error| failed(&format!("cannot run tar: {error}")))?;
    match tar.status.success() {
        true => Ok(()),
        false => Err(failed(String::from_utf8_lossy(&tar.stderr).trim())),
    }
}
