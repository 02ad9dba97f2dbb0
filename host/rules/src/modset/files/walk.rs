//! A mod's folder, file by file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};

use super::{
    DEEPEST, LARGEST_MOD, MOST_FILES, Shelf, bytes_of_plain, is_wanted, readable, text_of, utf8,
};
use crate::modset::strays::{self, Stray, is_wanted_folder};

/// Reads a mod's folder, or some of what is at its top.
pub(super) fn shelf_of(
    folder: &Path,
    label: &str,
    wanted: Option<&'static [&'static str]>,
) -> Shelf {
    let mut walk = Walk::new(label, wanted);
    match fs::canonicalize(folder) {
        Ok(root) => {
            walk.root = root.clone();
            walk.folder(&root, "", &mut Vec::new());
        }
        Err(error) => walk.fault("", format!("expected a folder, found {}", error.kind())),
    }
    let Walk {
        files,
        mut faults,
        strays,
        ..
    } = walk;
    faults.sort_by(|a, b| a.place.cmp(&b.place));
    Shelf {
        files: readable(files),
        unread: faults,
        strays,
    }
}

struct Walk<'a> {
    label: &'a str,
    /// What is read of what lies at the top; everything if nothing is said.
    wanted: Option<&'a [&'a str]>,
    root: PathBuf,
    files: BTreeMap<String, Arc<str>>,
    faults: Vec<Fault>,
    /// How many files and folders there were.
    seen: usize,
    /// How many bytes were read.
    size: u64,
    strays: Vec<Stray>,
}

impl Walk<'_> {
    fn new<'a>(label: &'a str, wanted: Option<&'a [&'a str]>) -> Walk<'a> {
        let (files, faults) = (BTreeMap::new(), Vec::new());
        Walk {
            label,
            wanted,
            root: PathBuf::new(),
            files,
            faults,
            seen: 0,
            size: 0,
            strays: Vec::new(),
        }
    }

    fn fault(&mut self, path: &str, message: String) {
        let place = Place::new(self.label, path, 0);
        self.faults
            .push(Fault::new(FaultCode::Unreadable, message).at(place));
    }

    /// A folder that is called like a file would be read by some, passed over by others.
    fn folder_for_a_file(&mut self, path: &str) {
        let message = "expected a file, found a folder";
        let fault = Fault::new(FaultCode::Unreadable, message).at(Place::new(self.label, path, 0));
        let plain = path.rsplit_once('.').map_or(path, |(plain, _)| plain);
        self.faults.push(match is_wanted_folder(path) {
            true => fault.hint(format!(
                "a folder of such files has no ending: `{plain}`, for instance"
            )),
            false => fault,
        });
    }

    /// Reads a folder; `above` are the real paths of the folders it is in.
    fn folder(&mut self, real: &Path, path: &str, above: &mut Vec<PathBuf>) {
        let mut entries = match fs::read_dir(real).and_then(Iterator::collect::<Result<Vec<_>, _>>)
        {
            Ok(entries) => entries,
            Err(error) => {
                return self.fault(
                    path,
                    format!("expected a readable folder, found {}", error.kind()),
                );
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        above.push(real.to_path_buf());
        for entry in entries {
            let name = entry.file_name();
            let known = name.to_string_lossy();
            let inner = if path.is_empty() {
                known.to_string()
            } else {
                format!("{path}/{known}")
            };
            if path.is_empty() && self.wanted.is_some_and(|wanted| !wanted.contains(&&*inner)) {
                continue;
            }
            if !is_wanted(&inner) && !is_wanted_folder(&inner) {
                self.strays.extend(strays::of_entry(&entry, &inner));
                continue;
            }
            self.seen += 1;
            if self.seen > MOST_FILES {
                // Of too many none is taken, so that their order decides nothing.
                if self.seen == MOST_FILES + 1 {
                    self.fault(
                        "",
                        format!("expected a mod of at most {MOST_FILES} files, found more"),
                    );
                }
                break;
            }
            match name.to_str() {
                Some(_) => self.entry(&entry, &inner, above),
                None => self.fault(
                    &inner,
                    format!("expected a file name in UTF-8, found {name:?}"),
                ),
            }
        }
        above.pop();
    }

    fn entry(&mut self, entry: &fs::DirEntry, path: &str, above: &mut Vec<PathBuf>) {
        let (real, meta) = match there(entry) {
            Ok(there) => there,
            Err(error) => {
                return self.fault(
                    path,
                    format!("expected a file, or a link to one, found {}", error.kind()),
                );
            }
        };
        if !real.starts_with(&self.root) {
            return self.fault(
                path,
                "expected a link that stays in the mod's folder, found one that leaves it".into(),
            );
        }
        if meta.is_dir() {
            if is_wanted(path) || !is_wanted_folder(path) {
                self.folder_for_a_file(path);
            } else if above.contains(&real) {
                self.fault(
                    path,
                    "expected a link to somewhere else, found one that leads back to itself".into(),
                );
            } else if above.len() > DEEPEST {
                self.fault(
                    path,
                    format!("expected folders nested at most {DEEPEST} deep, found more"),
                );
            } else if self.seen <= MOST_FILES {
                self.folder(&real, path, above);
            }
        } else if is_wanted(path) {
            // Anything but a plain file could block or never end.
            if meta.is_file() {
                self.file(&real, &meta, path)
            } else {
                self.fault(path, "expected a plain file".into())
            }
        } else if !path.contains('/') {
            // Further down, other files than those of a mod are left alone.
            self.fault(path, "expected a folder, found a file".into());
        }
    }

    fn file(&mut self, real: &Path, meta: &fs::Metadata, path: &str) {
        let read = bytes_of_plain(real, meta).and_then(|bytes| {
            self.size += bytes.len() as u64;
            if self.size > LARGEST_MOD {
                let most = LARGEST_MOD >> 20;
                return Err(format!(
                    "expected the files of a mod to have at most {most} MiB, found more"
                ));
            }
            if path.ends_with(".wasm") {
                Ok(text_of(&bytes))
            } else {
                utf8(bytes)
            }
        });
        match read {
            Ok(text) => {
                self.files.insert(path.to_string(), Arc::from(text));
            }
            Err(reason) => self.fault(path, reason),
        }
    }
}

/// What stands in a folder that is reached by its real path: the real path of it,
/// and what it is. Only links lead elsewhere.
fn there(entry: &fs::DirEntry) -> std::io::Result<(PathBuf, fs::Metadata)> {
    if entry.file_type()?.is_symlink() {
        let real = fs::canonicalize(entry.path())?;
        let meta = fs::metadata(&real)?;
        return Ok((real, meta));
    }
    Ok((entry.path(), entry.metadata()?))
}
