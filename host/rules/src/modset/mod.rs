//! Which mods there are, what they offer, in what order they come, and which
//! of their clauses a game uses.
//!
//! [`files`] reads a mod's folder into memory, [`discover`] finds the folders,
//! [`manifest`] reads `mod.ron`, [`manifests`] holds those of all, [`order`] puts mods in order, [`selector`]
//! chooses clauses. Nothing here runs a mod.

pub mod discover;
pub mod files;
mod group;
pub mod manifest;
pub mod manifests;
pub mod order;
mod own_names;
pub mod selector;
pub mod strays;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::error::Fault;
use kernel::value::Name;

use files::Sources;
use manifests::Manifests;
pub use own_names::published_types;

/// Every mod that was found, read but not chosen yet.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The files of each mod.
    pub sources: BTreeMap<Name, Sources>,
    /// The manifests of those mods whose manifest is good.
    pub manifests: Arc<Manifests>,
}

impl Library {
    /// Finds and reads the mods in some folders. What is broken is left out and
    /// reported, so that everything else can be played.
    pub fn read(dirs: &[PathBuf]) -> (Library, Vec<Fault>) {
        Library::found(discover::discover(dirs))
    }

    /// The same where some mods are in play, each from its folder: no other takes its
    /// place.
    pub fn read_in_place(
        dirs: &[PathBuf],
        in_play: &BTreeMap<Name, PathBuf>,
    ) -> (Library, Vec<Fault>) {
        Library::found(discover::discover_in_place(dirs, in_play))
    }

    /// The same for who only plays: of mods that take no part nothing is read but
    /// which they are.
    pub fn read_to_play(dirs: &[PathBuf]) -> (Library, Vec<Fault>) {
        let (sources, faults) = discover::discover_to_play(dirs);
        let manifests = Arc::new(Manifests::to_read(&sources).without(&faults));
        (Library { sources, manifests }, faults)
    }

    fn found(
        (sources, mut faults): (BTreeMap<Name, Sources>, Vec<Fault>),
    ) -> (Library, Vec<Fault>) {
        let (manifests, more) = Manifests::read(&sources);
        let manifests = Arc::new(manifests.without(&faults));
        faults.extend(more);
        (Library { sources, manifests }, faults)
    }

    /// Reads some of these mods again, from the folders that they were found
    /// in; the others stay as they were. `None` if more has changed than files
    /// of those mods beside their manifests: then everything must be read.
    pub fn read_again(&self, ids: &[Name]) -> Option<Library> {
        let mut again = self.clone();
        for id in ids {
            let old = self.sources.get(id)?;
            let mut new = Sources::read(old.folder.as_ref()?).ok()?;
            if new.id != old.id || new.get("mod.ron") != old.get("mod.ron") {
                return None;
            }
            new.share(old);
            again.sources.insert(id.clone(), new);
        }
        Some(again)
    }

    /// The same with one file of these mods as it is now, by its path; with the mod
    /// and the path there. `None` where that is no file of theirs, or more may have
    /// changed with it.
    pub fn with_file_now(&self, ids: &[Name], path: &Path) -> Option<(Library, Name, String)> {
        let found = |id: &Name| Some((id.clone(), self.sources.get(id)?.with_file_now(path)?));
        let (id, (inner, sources)) = ids.iter().find_map(found)?;
        let mut again = self.clone();
        again.sources.insert(id.clone(), sources);
        Some((again, id, inner))
    }

    /// The same of files that are in memory.
    pub fn of(sources: BTreeMap<Name, Sources>) -> (Library, Vec<Fault>) {
        let (manifests, faults) = Manifests::read(&sources);
        let manifests = Arc::new(manifests);
        (Library { sources, manifests }, faults)
    }
}

/// The path of a file beside another one; it never leaves the mod's folder.
pub fn relative(from: &str, wanted: &str) -> Option<String> {
    if !wanted.starts_with("./") && !wanted.starts_with("../") {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in wanted.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(format!("{}.luau", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_mod_does_not_hide_the_others() {
        let source = |text: &str| {
            let files = BTreeMap::from([("mod.ron".to_string(), Arc::from(text))]);
            let sources = Sources::from_memory("folder", files);
            (sources.id.clone(), sources)
        };
        let good = source("Mod(id: \"good\", version: \"1.0.0\", title: \"t\", engine: \"0.1\")");
        let bad = source("Mod(id: \"bad\", version: \"1\", title: \"t\", engine: \"0.1\")");
        let (library, faults) = Library::of(BTreeMap::from([good, bad]));
        assert_eq!(
            library.manifests.keys().map(|id| &**id).collect::<Vec<_>>(),
            ["good"]
        );
        assert_eq!(faults.len(), 1);
        assert_eq!(
            faults[0].place.as_ref().map(|place| &*place.module),
            Some("bad")
        );
        assert_eq!(library.sources.len(), 2);
    }

    #[test]
    fn a_mod_that_is_there_and_broken_is_told_from_one_that_is_nowhere() {
        let scratch = files::tests::Scratch::new();
        let text = |id: &str, version: &str| {
            format!("Mod(id: \"{id}\", version: \"{version}\", title: \"t\", engine: \"0.1\")")
        };
        scratch.write("one/bad/mod.ron", text("bad", "1"));
        scratch.write("one/cut/mod.ron", [0xff]);
        scratch.write("one/twice/mod.ron", text("twice", "1.0.0"));
        scratch.write("two/twice/mod.ron", text("twice", "1.0.0"));
        let dirs = ["one", "two"].map(|dir| scratch.0.join(dir));
        for (library, _) in [Library::read(&dirs), Library::read_to_play(&dirs)] {
            let why = |id: &str| library.manifests.why_absent(id);
            let there = |id: &str| format!("it is there, but cannot be used: mod `{id}`, mod.ron");
            assert!(
                why("bad").starts_with(&(there("bad") + ":1:")),
                "{}",
                why("bad")
            );
            assert!(why("cut").starts_with(&there("cut")), "{}", why("cut"));
            assert!(why("twice").contains("found it in"), "{}", why("twice"));
            assert!(why("other").starts_with("no folder of mods has it"));
            let path = why("one/bad/rules/gone.luau");
            assert!(path.starts_with("there is no file of that path"), "{path}");
        }
    }

    #[test]
    fn who_plays_hears_of_a_broken_manifest_when_somebody_asks() {
        let scratch = files::tests::Scratch::new();
        let text = |id: &str, version: &str| {
            format!("Mod(id: \"{id}\", version: \"{version}\", title: \"t\", engine: \"0.1\")")
        };
        scratch.write("good/mod.ron", text("good", "1.0.0"));
        scratch.write("bad/mod.ron", text("bad", "1"));
        let dirs = [scratch.0.clone()];
        let (library, faults) = Library::read_to_play(&dirs);
        assert_eq!((library.sources.len(), faults.len()), (2, 0));
        let manifests = &library.manifests;
        assert!(manifests.get("good").is_some() && !manifests.contains_key("bad"));
        assert_eq!(
            manifests.keys().map(|id| &**id).collect::<Vec<_>>(),
            ["good"]
        );
        let (whole, told) = Library::read(&dirs);
        assert_eq!(manifests.faults().cloned().collect::<Vec<_>>(), told);
        assert_eq!(whole.manifests.faults().count(), 0, "these were told");
    }
}
