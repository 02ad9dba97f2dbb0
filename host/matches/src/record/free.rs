//! Names for journals that nobody has named.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A new and empty file that is meant for a journal, and nobody else's: of two that
/// look for a name at once each has its own. It is gone again if nothing was written
/// into it by the time that this is dropped.
#[derive(Debug)]
pub struct FreeJournal {
    path: PathBuf,
    number: u32,
}

impl FreeJournal {
    /// The first of the names for 1, 2 and so on that is free.
    ///
    /// # Errors
    /// When no file can be made there, or all numbers are taken.
    ///
    /// ```
    /// use matches::record::FreeJournal;
    /// let folder = std::env::temp_dir().join(format!("houserule-free-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// let name = |number| folder.join(format!("raid-{number}.journal"));
    /// let (one, other) = (FreeJournal::claim(name)?, FreeJournal::claim(name)?);
    /// assert_eq!((one.path(), other.path()), (&*name(1), &*name(2)));
    /// drop(one);
    /// assert!(!name(1).exists(), "nothing was written into it");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn claim(name: impl Fn(u32) -> PathBuf) -> io::Result<FreeJournal> {
        for number in 1..=u32::MAX {
            let path = name(number);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(FreeJournal { path, number }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The number by which it has its name.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for FreeJournal {
    fn drop(&mut self) {
        if fs::metadata(&self.path).is_ok_and(|found| found.len() == 0) {
            // One that stays is passed over by the next.
            let _ = fs::remove_file(&self.path);
        }
    }
}
