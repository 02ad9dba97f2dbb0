//! What lies in a mod's folder as if it were to be read, and is not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::sync::Arc;

use kernel::world::closest;

use super::files::is_wanted;

/// Something in a mod's folder that nobody reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stray {
    /// Its path in the folder.
    pub path: String,
    /// Where it may belong.
    pub hint: String,
}

/// Those among files, by path.
pub(super) fn among(files: &BTreeMap<String, Arc<str>>) -> Vec<Stray> {
    let all: BTreeSet<Stray> = files
        .keys()
        .filter_map(|path| stray_of_file(path))
        .collect();
    all.into_iter().collect()
}

/// What is wrong with a file or folder that is passed over.
pub(super) fn of_entry(entry: &DirEntry, path: &str) -> Option<Stray> {
    match entry.file_type().is_ok_and(|of| of.is_dir()) {
        true if !path.contains('/') => stray_folder(path),
        true => stray_of_file(&format!("{path}/")),
        false => stray_of_file(path),
    }
}

/// Whether a folder can hold such files.
pub(super) fn is_wanted_folder(path: &str) -> bool {
    matches!(path, "data" | "scenarios" | "golden" | "rules" | "tests")
        || path.starts_with("rules/")
        || path.starts_with("tests/")
}

pub(super) fn has_ending(name: &str, ending: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    !file.starts_with('.') && file.len() > ending.len() && file.ends_with(ending)
}

/// What each folder holds.
const FOLDERS: [(&str, &str); 5] = [
    ("data", "`.ron` and `.csv`"),
    ("golden", "`.snap`"),
    ("rules", "`.luau`"),
    ("scenarios", "`.ron`"),
    ("tests", "`.luau`"),
];

/// What is read of a mod, if it stands in the right place.
const ENDINGS: [&str; 5] = [".luau", ".lua", ".ron", ".csv", ".snap"];

/// What people and programs put beside other files: notes, and what they leave.
const BESIDE: [&str; 7] = ["~", ".md", ".txt", ".bak", ".orig", ".swp", ".new"];

/// A file that looks as if it were to be read, and is not.
fn stray_of_file(path: &str) -> Option<Stray> {
    let stray = |hint: String| {
        Some(Stray {
            path: path.into(),
            hint,
        })
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_wanted(path)
        || name.starts_with('.')
        || BESIDE.iter().any(|ending| name.ends_with(ending))
    {
        return None;
    }
    let Some((folder, rest)) = path.split_once('/') else {
        let is_ours = ENDINGS.iter().any(|ending| has_ending(name, ending));
        return is_ours
            .then(|| stray("`data`, `rules`, `tests` and `scenarios` are read".into()))
            .flatten();
    };
    match FOLDERS.iter().find(|(known, _)| *known == folder) {
        Some((_, endings)) if rest.contains('/') && !is_wanted_folder(&format!("{folder}/x")) => {
            stray(format!(
                "in `{folder}` no folders are read; files of {endings} stand in it"
            ))
        }
        Some((_, endings)) => stray(format!("files in `{folder}` end in {endings}")),
        None => stray_folder(folder),
    }
}

/// A folder whose name is nearly one that is read.
fn stray_folder(folder: &str) -> Option<Stray> {
    let near = closest(folder, FOLDERS.iter().map(|(known, _)| *known))?;
    let hint = format!("did you mean `{near}/`?");
    (near != folder && !folder.starts_with('.')).then(|| Stray {
        path: format!("{folder}/"),
        hint,
    })
}

#[cfg(test)]
mod tests {
    use super::{stray_folder, stray_of_file};

    #[test]
    fn what_looks_like_a_file_of_a_mod_has_a_hint() {
        let hint = |path: &str| stray_of_file(path).map(|stray| (stray.path, stray.hint));
        let (path, text) = hint("rule/fire.luau").unwrap_or_default();
        assert_eq!(
            (path.as_str(), text.as_str()),
            ("rule/", "did you mean `rules/`?")
        );
        for path in [
            "rules/fire.lua",
            "data/tables.json",
            "data/more/tables.ron",
            "fire.luau",
        ] {
            assert_eq!(hint(path).unwrap_or_default().0, path);
        }
    }

    #[test]
    fn what_people_and_programs_put_beside_is_left_alone() {
        for path in [
            "README.md",
            "data/notes.txt",
            "rules/fire.luau~",
            "rules/.fire.luau.swp",
            "LICENSE",
        ] {
            assert_eq!(stray_of_file(path), None, "{path}");
        }
        assert_eq!(
            (
                stray_folder("rust"),
                stray_folder("rules"),
                stray_folder(".git")
            ),
            (None, None, None)
        );
    }
}
