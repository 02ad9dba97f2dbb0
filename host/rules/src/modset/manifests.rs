//! The manifests of mods: all read at once, or each when somebody asks for it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use kernel::error::{Fault, Place};
use kernel::value::Name;
use kernel::world::closest;
use rayon::prelude::*;

use super::files::Sources;
use super::manifest::Manifest;

/// The good manifests of some mods, by mod.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    all: BTreeMap<Name, ManifestEntry>,
    /// What is wrong with mods that are left out, where that was said already.
    left_out: Vec<Fault>,
}

/// What is to be done about a mod that is nowhere.
const NOWHERE: &str = "no folder of mods has it, with its `mod.ron`: `--mods` names another folder, and can be given again";

/// The same of what is written like the path of a file.
const NO_FILE: &str = "there is no file of that path either: it begins where you are";

/// Whether something is written as a path, which the id of a mod never is.
fn is_path(id: &str) -> bool {
    id.contains(['/', '\\'])
}

/// A manifest, or what it is read from.
#[derive(Clone, Debug)]
struct ManifestEntry {
    sources: Option<Sources>,
    read: OnceLock<Result<Box<Manifest>, Vec<Fault>>>,
}

impl ManifestEntry {
    fn good(&self) -> Option<&Manifest> {
        self.read().as_deref().ok()
    }

    fn read(&self) -> &Result<Box<Manifest>, Vec<Fault>> {
        self.read.get_or_init(|| match &self.sources {
            Some(sources) => Manifest::read(sources).map(Box::new),
            None => Err(Vec::new()),
        })
    }
}

impl Manifests {
    /// Reads those of all these mods. What is broken is left out and reported.
    pub fn read(sources: &BTreeMap<Name, Sources>) -> (Manifests, Vec<Fault>) {
        let all: Vec<(&Name, &Sources)> = sources.iter().collect();
        let read: Vec<_> = all
            .par_iter()
            .map(|(id, files)| (*id, Manifest::read(files)))
            .collect();
        let (mut good, mut faults) = (Vec::new(), Vec::new());
        for (id, read) in read {
            match read {
                Ok(manifest) => good.push((id.clone(), manifest)),
                Err(found) => faults.extend(found),
            }
        }
        let manifests: Manifests = good.into_iter().collect();
        (manifests.without(&faults), faults)
    }

    /// The same with what is wrong with mods that are left out, which was said already.
    #[must_use]
    pub(super) fn without(mut self, faults: &[Fault]) -> Manifests {
        let of_mods = faults.iter().filter(|fault| is_of_mod(fault));
        self.left_out.extend(of_mods.cloned());
        self
    }

    /// What may be done about a mod that is not among them.
    pub fn why_absent(&self, id: &str) -> String {
        if let Some(fault) = self.fault_of(id) {
            let place = fault
                .place
                .as_ref()
                .map_or_else(String::new, Place::to_string);
            return format!(
                "it is there, but cannot be used: {place}: {}",
                fault.message
            );
        }
        match closest(id, self.keys().map(|known| &**known)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if is_path(id) => NO_FILE.into(),
            None => NOWHERE.into(),
        }
    }

    /// What is wrong with a mod that is left out because of it.
    fn fault_of(&self, id: &str) -> Option<&Fault> {
        let own = self
            .all
            .get(id)
            .and_then(|entry| entry.read().as_ref().err());
        let is_of = |fault: &&Fault| {
            let place = fault.place.as_ref();
            place.is_some_and(|place| *place.module == *id)
        };
        own.into_iter()
            .flatten()
            .chain(self.left_out.iter().filter(is_of))
            .next()
    }

    /// Those of all these mods, each read once somebody asks for it.
    pub fn to_read(sources: &BTreeMap<Name, Sources>) -> Manifests {
        let entry = |(id, files): (&Name, &Sources)| {
            let entry = ManifestEntry {
                sources: Some(files.clone()),
                read: OnceLock::new(),
            };
            (id.clone(), entry)
        };
        Manifests {
            all: sources.iter().map(entry).collect(),
            left_out: Vec::new(),
        }
    }

    /// What is wrong with those that are left out because of it, where that was not
    /// said when they were [read](Manifests::read).
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        let entries = self.all.values();
        entries.flat_map(|entry| entry.read().as_ref().err().into_iter().flatten())
    }

    /// That of a mod.
    pub fn get(&self, id: &str) -> Option<&Manifest> {
        self.all.get(id)?.good()
    }

    /// That of a mod, to change it.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut Manifest> {
        let entry = self.all.get_mut(id)?;
        entry.good()?;
        entry.read.get_mut()?.as_deref_mut().ok()
    }

    /// Whether there is one of that mod.
    pub fn contains_key(&self, id: &str) -> bool {
        self.get(id).is_some()
    }

    /// All of them, with their mods.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Manifest)> {
        let good = |(id, entry)| Some((id, ManifestEntry::good(entry)?));
        self.all.iter().filter_map(good)
    }

    /// The mods of all of them.
    pub fn keys(&self) -> impl Iterator<Item = &Name> {
        self.iter().map(|(id, _)| id)
    }

    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = &Manifest> {
        self.iter().map(|(_, manifest)| manifest)
    }
}

impl FromIterator<(Name, Manifest)> for Manifests {
    fn from_iter<I: IntoIterator<Item = (Name, Manifest)>>(all: I) -> Manifests {
        let entry = |(id, manifest)| {
            let entry = ManifestEntry {
                sources: None,
                read: OnceLock::from(Ok(Box::new(manifest))),
            };
            (id, entry)
        };
        Manifests {
            all: all.into_iter().map(entry).collect(),
            left_out: Vec::new(),
        }
    }
}

/// Whether a fault is about a mod as a whole, which is left out for it.
fn is_of_mod(fault: &Fault) -> bool {
    let place = fault.place.as_ref();
    place.is_some_and(|place| matches!(&*place.file, "" | "mod.ron"))
}
