//! Finds mods in folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use rayon::prelude::*;

use super::files::Sources;
use super::manifest::Manifest;

/// Reads every folder with a `mod.ron` in each of the folders given, and each
/// of those itself if it has one. The order of the folders changes nothing: of
/// two mods with one id neither is taken. The faults are those of mods and of
/// files that are left out.
pub fn discover(dirs: &[PathBuf]) -> (BTreeMap<Name, Sources>, Vec<Fault>) {
    discover_in_place(dirs, &BTreeMap::new())
}

/// The same where some mods are in play, each from its folder: no other takes its
/// place, whatever its id.
pub fn discover_in_place(
    dirs: &[PathBuf],
    in_play: &BTreeMap<Name, PathBuf>,
) -> (BTreeMap<Name, Sources>, Vec<Fault>) {
    found_by(
        |folders| folders.par_iter().map(|one| Sources::read(one)).collect(),
        dirs,
        in_play,
    )
}

/// The same of what is [read to play](Sources::read_to_play).
pub fn discover_to_play(dirs: &[PathBuf]) -> (BTreeMap<Name, Sources>, Vec<Fault>) {
    // That is too little to wake other cores for it.
    found_by(
        |folders| {
            folders
                .iter()
                .map(|one| Sources::read_to_play(one))
                .collect()
        },
        dirs,
        &BTreeMap::new(),
    )
}

/// A mod that was read, or what is wrong with it.
type DiscoveredMod = Result<Sources, Vec<Fault>>;

fn found_by(
    read: fn(&[PathBuf]) -> Vec<DiscoveredMod>,
    dirs: &[PathBuf],
    in_play: &BTreeMap<Name, PathBuf>,
) -> (BTreeMap<Name, Sources>, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut folders: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for dir in dirs.iter().collect::<BTreeSet<_>>() {
        match candidates(dir) {
            // By real path, so that a mod reached in two ways is one mod.
            Ok((found, broken)) => {
                faults.extend(broken);
                for folder in found {
                    let real = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
                    folders.entry(real).or_insert(folder);
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    let mut found: BTreeMap<Name, Vec<(PathBuf, Sources)>> = BTreeMap::new();
    let folders: Vec<PathBuf> = folders.into_values().collect();
    let read = read(&folders);
    for (folder, read) in folders.into_iter().zip(read) {
        match read {
            Ok(sources) => {
                faults.extend(sources.unread_so_far().cloned());
                found
                    .entry(sources.id.clone())
                    .or_default()
                    .push((folder, sources));
            }
            Err(broken) => faults.extend(broken),
        }
    }
    let mods = found
        .into_iter()
        .filter_map(|(id, found)| match in_play.get(&id) {
            Some(folder) => in_place(&id, folder, found, &mut faults),
            None => single(&id, found, &mut faults),
        })
        .collect();
    faults.sort_by(|a, b| (&a.place, &a.message).cmp(&(&b.place, &b.message)));
    (mods, faults)
}

/// Of mods with the id of one that is in play that from its folder; the others are
/// told where it is gone, since somebody may have moved it there.
fn in_place(
    id: &Name,
    folder: &Path,
    found: Vec<(PathBuf, Sources)>,
    faults: &mut Vec<Fault>,
) -> Option<(Name, Sources)> {
    let is_it = |other: &Path| other == folder || is_same_folder(other, folder);
    let (mut own, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(other, _)| is_it(other));
    if let Some((_, sources)) = own.pop() {
        return Some((id.clone(), sources));
    }
    let others: Vec<String> = others
        .iter()
        .map(|(folder, _)| format!("`{}`", folder.display()))
        .collect();
    let message = format!(
        "expected the mod `{id}`, which is in play, in `{}`, found it gone",
        folder.display()
    );
    let hint = format!(
        "put its folder back: the game waits for it, and does not take {} in its place",
        others.join(" or ")
    );
    faults.push(Fault::new(FaultCode::UnknownMod, message).hint(hint));
    None
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn single(
    id: &Name,
    mut found: Vec<(PathBuf, Sources)>,
    faults: &mut Vec<Fault>,
) -> Option<(Name, Sources)> {
    if found.len() > 1 {
        found = readable(found, faults);
    }
    if found.len() == 1 {
        return found.pop().map(|(_, sources)| (id.clone(), sources));
    }
    let mut folders: Vec<String> = found
        .iter()
        .map(|(folder, _)| format!("`{}`", folder.display()))
        .collect();
    folders.sort();
    let message = format!(
        "expected one mod `{id}`, found it in {}",
        folders.join(" and in ")
    );
    faults.push(Fault::new(FaultCode::Duplicate, message).at(Place::new(&**id, "mod.ron", 0)));
    None
}

/// Those of several mods with one id whose manifest is good, if there are any: one
/// that is being written does not stand in the way of another, and is told by the
/// name of its folder.
fn readable(found: Vec<(PathBuf, Sources)>, faults: &mut Vec<Fault>) -> Vec<(PathBuf, Sources)> {
    let is_good = |(_, sources): &(PathBuf, Sources)| Manifest::read(sources).is_ok();
    let (good, broken): (Vec<_>, Vec<_>) = found.into_iter().partition(is_good);
    if good.is_empty() {
        return broken;
    }
    for (_, mut sources) in broken {
        sources.id = sources.label.as_str().into();
        faults.extend(Manifest::read(&sources).err().into_iter().flatten());
    }
    good
}

/// The mod folders in a folder, and what is wrong with what may be one.
fn candidates(dir: &Path) -> Result<(Vec<PathBuf>, Vec<Fault>), Fault> {
    if has_manifest(dir) {
        return Ok((vec![dir.to_path_buf()], Vec::new()));
    }
    let entries = fs::read_dir(dir)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| {
            let message = format!(
                "expected a folder of mods at `{}`, found {}",
                dir.display(),
                in_words(error.kind())
            );
            Fault::new(FaultCode::Unreadable, message)
                .hint("name the folder with `--mods`, or in a file `houserule.ron` beside it")
        })?;
    let (mut folders, mut faults) = (Vec::new(), Vec::new());
    for folder in entries.into_iter().map(|entry| entry.path()) {
        if has_manifest(&folder) {
            folders.push(folder);
        } else if let Err(error) = fs::metadata(&folder) {
            let message = format!(
                "expected a folder of a mod at `{}`, found {}",
                folder.display(),
                in_words(error.kind())
            );
            faults.push(Fault::new(FaultCode::Unreadable, message));
        }
    }
    Ok((folders, faults))
}

/// What was found in the place of a folder.
fn in_words(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::NotFound => "nothing there".into(),
        other => other.to_string(),
    }
}

/// Whether a folder has something that is called `mod.ron`, be it a file that
/// can be read or not: a mod that cannot be read is told, not passed over.
fn has_manifest(folder: &Path) -> bool {
    match fs::symlink_metadata(folder.join("mod.ron")) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::PermissionDenied,
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::tests::Scratch;
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_told_in_words() {
        let (_, faults) = discover(&[PathBuf::from("no/such/folder")]);
        let message = "expected a folder of mods at `no/such/folder`, found nothing there";
        assert_eq!(faults[0].message, message);
    }

    fn manifest(id: &str) -> String {
        format!("Mod(id: \"{id}\", version: \"1.0.0\")")
    }

    #[test]
    fn a_broken_mod_of_the_same_id_takes_no_good_one_out_of_play() {
        let scratch = Scratch::new();
        let good = "Mod(id: \"m\", version: \"1.0.0\", title: \"t\", engine: \"0.1\")";
        scratch.write("good/mod.ron", good);
        for broken in ["Mod(id: \"m\", version: ", "Mod(id: \"m\", version: \"1\")"] {
            scratch.write("old/mod.ron", broken);
            for read in [discover, discover_to_play] {
                let (mods, faults) = read(std::slice::from_ref(&scratch.0));
                assert_eq!(mods["m"].label, "good", "{broken}");
                assert_ne!(faults, [], "{broken}");
                for fault in faults {
                    let place = fault.place.clone().unwrap();
                    assert_eq!((&*place.module, &*place.file), ("old", "mod.ron"));
                }
            }
        }
        scratch.write("old/mod.ron", good);
        let (mods, faults) = discover(std::slice::from_ref(&scratch.0));
        assert!(mods.is_empty());
        assert_eq!(faults[0].code, FaultCode::Duplicate);
    }

    #[test]
    fn mods_are_found_whatever_the_order_of_folders() {
        let scratch = Scratch::new();
        scratch.write("one/dsii/mod.ron", manifest("dsii"));
        scratch.write("one/notes/readme.txt", "x");
        scratch.write("one/broken/mod.ron", [0xff]);
        scratch.write("two/ice/mod.ron", manifest("iceburg"));
        scratch.write("alone/mod.ron", manifest("alone"));
        let dirs: Vec<PathBuf> = ["one", "two", "alone", "nowhere"]
            .iter()
            .map(|dir| scratch.0.join(dir))
            .collect();
        let (mods, faults) = discover(&dirs);
        assert_eq!(
            mods.keys().map(|id| &**id).collect::<Vec<_>>(),
            ["alone", "dsii", "iceburg"]
        );
        assert_eq!(mods["iceburg"].label, "ice");
        assert_eq!(
            faults.iter().map(|fault| fault.code).collect::<Vec<_>>(),
            [FaultCode::Unreadable; 2]
        );
        let backwards: Vec<PathBuf> = dirs.iter().rev().chain(&dirs).cloned().collect();
        assert_eq!(discover(&backwards), (mods, faults));
    }

    #[cfg(unix)]
    #[test]
    fn what_may_be_a_mod_is_never_passed_over() {
        use std::os::unix::fs::symlink;
        let scratch = Scratch::new();
        scratch.write("good/mod.ron", manifest("good"));
        scratch.write("good/scenarios/cut.ron", [0xff]);
        scratch.write("notes.txt", "x");
        for name in ["dangling", "loop", "folder", "pipe", "zero"] {
            fs::create_dir_all(scratch.0.join(name)).unwrap();
        }
        symlink("nowhere", scratch.0.join("dangling/mod.ron")).unwrap();
        symlink("mod.ron", scratch.0.join("loop/mod.ron")).unwrap();
        fs::create_dir_all(scratch.0.join("folder/mod.ron")).unwrap();
        let pipe = scratch.0.join("pipe/mod.ron");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(pipe)
                .status()
                .unwrap()
                .success()
        );
        symlink("/dev/zero", scratch.0.join("zero/mod.ron")).unwrap();
        symlink("nowhere", scratch.0.join("stray")).unwrap();
        let (mods, faults) = discover(std::slice::from_ref(&scratch.0));
        assert_eq!(mods.keys().map(|id| &**id).collect::<Vec<_>>(), ["good"]);
        let place = |fault: &Fault| {
            fault
                .place
                .as_ref()
                .map(|place| format!("{}/{}", place.module, place.file))
        };
        let places: Vec<String> = faults.iter().filter_map(place).collect();
        assert_eq!(
            places,
            [
                "dangling/mod.ron",
                "folder/mod.ron",
                "good/scenarios/cut.ron",
                "loop/mod.ron",
                "pipe/mod.ron",
                "zero/mod.ron"
            ]
        );
        assert_eq!(faults.len(), 7, "{faults:#?}");
        assert!(
            faults[0].message.contains("/stray`, found "),
            "{}",
            faults[0]
        );
    }

    #[test]
    fn a_mod_in_play_comes_from_its_folder_and_no_other() {
        let scratch = Scratch::new();
        scratch.write("own/mod.ron", manifest("m"));
        scratch.write("copy/mod.ron", manifest("m"));
        let (own, away) = (scratch.0.join("own"), scratch.0.join("away"));
        let in_play = BTreeMap::from([(Name::from("m"), own.clone())]);
        let dirs = std::slice::from_ref(&scratch.0);
        let (mods, faults) = discover_in_place(dirs, &in_play);
        assert_eq!((&*mods["m"].label, faults), ("own", vec![]));
        fs::rename(&own, &away).unwrap();
        let (mods, faults) = discover_in_place(dirs, &in_play);
        assert!(mods.is_empty());
        assert_eq!(faults.len(), 1);
        assert!(faults[0].message.ends_with("own`, found it gone"));
        let hint = faults[0].hint.as_deref().unwrap();
        assert!(
            hint.contains("away` or `") && hint.contains("copy` in"),
            "{hint}"
        );
        fs::rename(&away, &own).unwrap();
        assert_eq!(discover_in_place(dirs, &in_play).0["m"].label, "own");
    }

    #[test]
    fn one_id_twice_names_both_folders() {
        let scratch = Scratch::new();
        scratch.write("one/dsii/mod.ron", manifest("dsii"));
        scratch.write("two/copy/mod.ron", manifest("dsii"));
        let dirs = [scratch.0.join("two"), scratch.0.join("one")];
        let (mods, faults) = discover(&dirs);
        assert!(mods.is_empty());
        assert_eq!(faults[0].code, FaultCode::Duplicate);
        let (one, two) = (
            faults[0].message.find("one/dsii"),
            faults[0].message.find("two/copy"),
        );
        assert!(one.is_some() && two.is_some() && one < two, "{}", faults[0]);
    }
}
