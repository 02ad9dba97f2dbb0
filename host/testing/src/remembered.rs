//! Tests that passed, kept with what they rest on: as long as that is the same,
//! they pass again, and need not be run.
//!
//! Rules have no clock, no chance of their own and no state beside the game, so
//! that the same texts come to the same. A test rests on the program, on its own
//! file and those that this requires, on what rules and scenarios are chosen
//! from, and on the mods whose rules it was played by. For each file of tests
//! there is one file of what passed, which the next run writes over.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kernel::value::Name;
use serde::{Deserialize, Serialize};

use crate::outcome::{TestKind, TestResult, result};
use matches::workshop::Workshop;
use rules::kept;
use rules::modset::files::Sources;
use rules::tokens::{TokenKind, tokens};

/// Where it is kept which tests have passed.
pub struct Memory {
    /// The folder.
    pub folder: PathBuf,
    /// What tells this program from every other: what another one has seen pass
    /// does not count.
    pub program: String,
}

/// What passed before, for one look at the mods.
pub(crate) struct Passed<'w> {
    workshop: &'w Workshop,
    memory: &'w Memory,
    /// The program, all manifests and all scenarios.
    common: blake3::Hash,
}

/// What is kept of a file of tests.
#[derive(Serialize, Deserialize)]
struct RememberedFile {
    /// The hash of the program, and of all texts but those of rules.
    rests: String,
    /// The hashes of the mods by whose rules the tests were played.
    mods: BTreeMap<Name, String>,
    /// All of its tests: each has passed.
    tests: Vec<PassedTest>,
}

#[derive(Serialize, Deserialize)]
struct PassedTest {
    sort: TestKind,
    name: String,
    cites: BTreeSet<Name>,
    reached: BTreeSet<Name>,
}

impl<'w> Passed<'w> {
    pub fn new(workshop: &'w Workshop, memory: &'w Memory) -> Passed<'w> {
        let mut hasher = blake3::Hasher::new();
        add(&mut hasher, &memory.program);
        for (id, sources) in workshop.sources() {
            add(&mut hasher, id);
            let chosen_from = |path: &&str| *path == "mod.ron" || path.starts_with("scenarios/");
            for path in sources.all().into_keys().filter(chosen_from) {
                add_file(&mut hasher, sources, path);
            }
        }
        Passed {
            workshop,
            memory,
            common: hasher.finalize(),
        }
    }

    /// The tests of a file, if all of them have passed and nothing has changed
    /// that they rest on.
    pub fn of(&self, module: &Name, file: &str) -> Option<Vec<TestResult>> {
        let text = fs::read_to_string(self.kept_at(module, file)?).ok()?;
        let entry: RememberedFile = serde_json::from_str(&text).ok()?;
        let is_same = |(id, hash): (&Name, &String)| self.hash_of(id).as_ref() == Some(hash);
        if entry.rests != self.rests_on(module, file)? || !entry.mods.iter().all(is_same) {
            return None;
        }
        let again = |test: PassedTest| TestResult {
            cites: test.cites,
            reached: test.reached,
            is_remembered: true,
            ..result(module, test.sort, file, &test.name, None)
        };
        Some(entry.tests.into_iter().map(again).collect())
    }

    /// Keeps the tests of a file, all of which have passed by the rules of these
    /// mods. What cannot be kept is run again.
    pub fn keep(&self, module: &Name, file: &str, mods: &BTreeSet<Name>, tests: &[&TestResult]) {
        let hashes: Option<BTreeMap<Name, String>> = mods
            .iter()
            .map(|id| Some((id.clone(), self.hash_of(id)?)))
            .collect();
        let (Some(path), Some(rests), Some(mods)) = (
            self.kept_at(module, file),
            self.rests_on(module, file),
            hashes,
        ) else {
            return;
        };
        let passed = |test: &&TestResult| PassedTest {
            sort: test.sort,
            name: test.name.clone(),
            cites: test.cites.clone(),
            reached: test.reached.clone(),
        };
        let entry = RememberedFile {
            rests,
            mods,
            tests: tests.iter().map(passed).collect(),
        };
        let Ok(text) = serde_json::to_string(&entry) else {
            return;
        };
        kept::replace(&path, text.as_bytes());
    }

    /// Where the tests of a file are kept: by the folder of the mod.
    fn kept_at(&self, module: &Name, file: &str) -> Option<PathBuf> {
        let folder = self
            .workshop
            .sources()
            .get(module)?
            .folder
            .as_ref()?
            .canonicalize()
            .ok()?;
        let mut hasher = blake3::Hasher::new();
        add(&mut hasher, &folder.to_string_lossy());
        add(&mut hasher, file);
        Some(
            self.memory
                .folder
                .join(format!("{}.json", hasher.finalize().to_hex())),
        )
    }

    fn hash_of(&self, module: &str) -> Option<String> {
        Some(
            self.workshop
                .sources()
                .get(module)?
                .hash()
                .to_hex()
                .to_string(),
        )
    }

    /// The hash of everything that tests of a file rest on, but for rules.
    fn rests_on(&self, module: &Name, file: &str) -> Option<String> {
        let sources = self.workshop.sources().get(module)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.common.as_bytes());
        match file
            .strip_prefix("scenarios/")
            .map(|id| id.trim_end_matches(".ron"))
        {
            Some(id) => {
                let is_golden = |path: &&str| path.starts_with(&format!("golden/{id}."));
                sources
                    .all()
                    .into_keys()
                    .filter(is_golden)
                    .for_each(|path| add_file(&mut hasher, sources, path));
            }
            None => required(sources, file)
                .iter()
                .for_each(|path| add_file(&mut hasher, sources, path)),
        }
        Some(hasher.finalize().to_hex().to_string())
    }
}

/// A file of tests with those that it requires: all of the mod, if one of them
/// cannot be told from the text.
fn required(sources: &Sources, file: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![file.to_string()];
    while let Some(path) = open.pop() {
        let Some(text) = sources.as_written(&path).filter(|_| !found.contains(&path)) else {
            continue;
        };
        for wanted in wanted_by(text) {
            let other = wanted.and_then(|wanted| required_at(&path, wanted));
            match other.filter(|path| sources.has(path)) {
                Some(other) => open.push(other),
                None => {
                    return sources
                        .under("tests")
                        .map(|(path, _)| path.to_string())
                        .collect();
                }
            }
        }
        found.insert(path);
    }
    found
}

/// What a text requires, with its quotes; nothing where that is no plain text, or
/// where `require` is called by another name. What is written `@name` is left out:
/// it is the program's, or rules.
fn wanted_by(text: &str) -> Vec<Option<&str>> {
    let tokens = tokens(text).all;
    let is = |at: usize, sign: &str| tokens.get(at).is_some_and(|token| token.text == sign);
    let plain = |at: usize| {
        tokens
            .get(at)
            .filter(|token| token.sort == TokenKind::Text)
            .map(|token| token.text)
    };
    (0..tokens.len())
        .filter(|at| is(*at, "require"))
        .map(|at| match is(at + 1, "(") {
            true => plain(at + 2).filter(|_| is(at + 3, ")")),
            false => plain(at + 1),
        })
        .filter(|wanted| wanted.is_none_or(|wanted| !wanted.starts_with("\"@")))
        .collect()
}

/// The path of what a file requires, by what it writes with its quotes: a file of
/// the same mod, seen from where it stands.
fn required_at(file: &str, wanted: &str) -> Option<String> {
    let wanted = wanted.strip_prefix('"')?.strip_suffix('"')?;
    let mut at = Path::new(file).parent()?.to_path_buf();
    for part in wanted.split('/') {
        match part {
            "." => {}
            ".." => at.pop().then_some(())?,
            name => at.push(name),
        }
    }
    Some(format!(
        "{}.luau",
        at.to_str()?.trim_end_matches(".luau").replace('\\', "/")
    ))
}

fn add(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_file(hasher: &mut blake3::Hasher, sources: &Sources, path: &str) {
    add(hasher, path);
    add(hasher, sources.as_written(path).map_or("", |text| text));
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str =
        r#"Mod(id: "m", version: "1.0.0", title: "M", engine: "0.1", groups: [])"#;

    /// The files that `tests/a.luau` rests on, where it says this.
    fn rests_on(text: &str) -> Vec<String> {
        let files = [
            ("mod.ron", MANIFEST),
            ("tests/a.luau", text),
            ("tests/b.luau", "return {}"),
            ("tests/c.luau", "return {}"),
        ];
        let files = files.map(|(path, text)| (path.to_string(), text.into()));
        let sources = Sources::from_memory("m", files.into());
        required(&sources, "tests/a.luau").into_iter().collect()
    }

    #[test]
    fn a_file_rests_on_what_it_requires_however_that_is_written() {
        let all = ["tests/a.luau", "tests/b.luau", "tests/c.luau"];
        for (text, files) in [
            ("local rules = require(\"@m\")", 1),
            ("-- We require(nothing) here.", 1),
            ("local b = require(\"./b\")", 2),
            ("local b = require( \"./b.luau\" )", 2),
            ("local b = require \"./b\"", 2),
            ("local b = require \"../tests/b\"", 2),
            ("local b = require('./b')", 3),
            ("local b = require(\"./\" .. \"b\")", 3),
            ("local take = require\nlocal b = take(\"./b\")", 3),
        ] {
            assert_eq!(rests_on(text), all[..files], "{text}");
        }
    }
}
