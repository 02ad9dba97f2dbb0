//! Files that one alone writes, while everybody may read them.
//!
//! On Unix this is a lock, which is advice: it keeps nobody from reading. On Windows
//! a lock would keep readers out too, even those of the same process; there the file
//! is opened so that nobody else can open it for writing.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Why a file could not be had alone.
#[derive(Debug)]
pub enum NotAlone {
    /// Another writes it.
    Taken,
    /// It cannot be opened.
    Unopened(io::Error),
    /// It was opened, but whoever keeps it knows no locks.
    Unlocked(File, io::Error),
}

/// Opens a file that nobody else writes until it is closed.
///
/// # Errors
/// Why it cannot be had.
///
/// ```
/// use rules::alone::{NotAlone, is_written, open};
/// let path = std::env::temp_dir().join(format!("houserule-alone-{}", std::process::id()));
/// let mut options = std::fs::OpenOptions::new();
/// options.write(true).create(true).truncate(false);
/// let first = open(&mut options, &path).unwrap();
/// assert!(matches!(open(&mut options, &path), Err(NotAlone::Taken)));
/// assert!(is_written(&path) && std::fs::read(&path).is_ok());
/// drop(first);
/// assert!(!is_written(&path) && open(&mut options, &path).is_ok());
/// # std::fs::remove_file(path).unwrap();
/// ```
pub fn open(options: &mut OpenOptions, path: &Path) -> Result<File, NotAlone> {
    shared_with_readers(options);
    let file = options.open(path).map_err(|error| match is_taken(&error) {
        true => NotAlone::Taken,
        false => NotAlone::Unopened(error),
    })?;
    locked(file)
}

/// Whether somebody writes a file who has opened it so.
pub fn is_written(path: &Path) -> bool {
    let mut options = OpenOptions::new();
    options.read(true).write(cfg!(windows));
    matches!(open(&mut options, path), Err(NotAlone::Taken))
}

#[cfg(not(windows))]
fn shared_with_readers(_: &mut OpenOptions) {}

#[cfg(not(windows))]
fn is_taken(_: &io::Error) -> bool {
    false
}

#[cfg(not(windows))]
fn locked(file: File) -> Result<File, NotAlone> {
    use std::fs::TryLockError;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(NotAlone::Taken),
        Err(TryLockError::Error(error)) => Err(NotAlone::Unlocked(file, error)),
    }
}

#[cfg(windows)]
fn shared_with_readers(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt as _;
    const READ: u32 = 1;
    const DELETE: u32 = 4;
    options.share_mode(READ | DELETE);
}

/// Whether another has the file open in a way that does not go with ours.
#[cfg(windows)]
fn is_taken(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    error.raw_os_error() == Some(SHARING_VIOLATION)
}

#[cfg(windows)]
fn locked(file: File) -> Result<File, NotAlone> {
    Ok(file)
}
