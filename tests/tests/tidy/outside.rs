//! What stands outside of the workspace is built on the engine as it is here: the
//! package for Python, and what the book tells others to write.

use std::collections::{BTreeMap, BTreeSet};

use super::layers::crates;
use super::text;
use houserule_tests::root;

/// Of what the workspace takes in place of others, that without which programs do the
/// same, only more slowly.
const NOT_NEEDED: &[&str] = &["minstant", "ron"];

/// What each package of a lock is built on, and in which versions it is there.
#[derive(Default)]
struct Locked {
    versions: BTreeSet<String>,
    asked: BTreeSet<String>,
}

fn locked(path: &str) -> BTreeMap<String, Locked> {
    let mut packages: BTreeMap<String, Locked> = BTreeMap::new();
    for package in text(&root().join(path)).split("[[package]]").skip(1) {
        let member = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().trim_matches('"').to_string()
        };
        let found = packages.entry(member("name = ")).or_default();
        found.versions.insert(member("version = "));
        let asked = package.lines().filter_map(|line| line.strip_prefix(" \""));
        let name = |line: &str| line.split([' ', '"']).next().unwrap().to_string();
        found.asked.extend(asked.map(name));
    }
    packages
}

/// The names of what a file takes in place of others, as a manifest says it.
fn patches(path: &str) -> BTreeSet<String> {
    let text = text(&root().join(path));
    let (_, after) = text.split_once("\n[patch.crates-io]\n").unwrap();
    let lines = after
        .lines()
        .take_while(|line| !line.starts_with(['[', '`']));
    let names = lines.filter_map(|line| line.split_once(" = {"));
    names.map(|(name, _)| name.to_string()).collect()
}

/// A lock that is of before is written anew by whoever builds, or refused by who says
/// `--locked`; and the engine rounds and hashes by what it is built on.
#[test]
fn the_package_for_python_is_locked_to_what_the_workspace_is_built_on() {
    let (theirs, ours) = (locked("host/python/Cargo.lock"), locked("Cargo.lock"));
    let mut looked_at = 0;
    for (name, (asked, _)) in &crates() {
        let Some(package) = theirs.get(name) else {
            continue;
        };
        let missing: Vec<_> = asked.difference(&package.asked).collect();
        assert!(
            missing.is_empty(),
            "{name} asks for {missing:?}: `cargo update --workspace` in host/python notes it"
        );
        for other in asked {
            let others: Vec<_> = theirs[other]
                .versions
                .difference(&ours[other].versions)
                .collect();
            assert!(
                others.is_empty(),
                "{other} {others:?}: `cargo update --precise` in host/python"
            );
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "{looked_at} looked at");
}

#[test]
fn who_builds_outside_takes_what_the_workspace_takes_in_place_of_others() {
    let mut needed = patches("Cargo.toml");
    for name in NOT_NEEDED {
        assert!(needed.remove(*name), "{name} is not taken any more");
    }
    for path in ["host/python/Cargo.toml", "docs/embedding/index.md"] {
        assert_eq!(patches(path), needed, "{path}");
    }
}

/// A library without it refuses games whose rules are components.
#[test]
fn libraries_for_other_languages_can_have_components() {
    for name in ["c", "python"] {
        let manifest = text(&root().join(format!("host/{name}/Cargo.toml")));
        assert!(
            manifest.contains("\nwasm = [\"houserule/wasm\"]\n"),
            "{name}"
        );
        let page = text(&root().join(format!("docs/embedding/{name}.md")));
        assert!(page.contains("--features wasm"), "{name}");
    }
}
