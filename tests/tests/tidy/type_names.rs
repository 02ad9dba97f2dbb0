//! A public type's name stands once in the workspace, and one that other files
//! of its crate see once there.

use std::collections::BTreeMap;

use super::layers::{ARROWS, crates};
use super::{code_of, short};
use houserule_tests::files_under;

/// Crates on the mods' side of the contract: what they export carries the names
/// of the things that it stands for there.
const MIRRORS: &[&str] = &["houserule-guest", "houserule-macros"];

/// The types that a file declares as `pub`, each with its line; with those that
/// only others of its crate see, where they are asked for.
fn declared_in(code: &str, in_crate: bool) -> Vec<(usize, String)> {
    let name = |line: &str| {
        let line = line.trim_start();
        let behind = |prefix| line.strip_prefix(prefix).filter(|_| in_crate);
        let rest = line
            .strip_prefix("pub ")
            .or_else(|| behind("pub(crate) "))
            .or_else(|| behind("pub(super) "))?;
        let mut words = rest.split_whitespace();
        let keyword = words.next()?;
        let name = words
            .next()
            .filter(|_| matches!(keyword, "struct" | "enum" | "trait" | "type" | "union"))?;
        let end = name
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(name.len());
        Some(name[..end].to_string())
    };
    code.lines()
        .enumerate()
        .filter_map(|(at, line)| Some((at + 1, name(line)?)))
        .collect()
}

#[test]
fn a_public_type_has_its_name_alone() {
    let crates = crates();
    let mut declared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, _) in ARROWS.iter().filter(|(name, _)| !MIRRORS.contains(name)) {
        for path in files_under(&crates[*name].1, &[".rs"]) {
            for (line, name) in declared_in(&code_of(&path), false) {
                declared
                    .entry(name)
                    .or_default()
                    .push(format!("{}:{line}", short(&path)));
            }
        }
    }
    assert!(declared.len() > 600, "{} public types", declared.len());
    let twice: BTreeMap<_, _> = declared
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .collect();
    assert!(
        twice.is_empty(),
        "names of more than one public type: {twice:#?}"
    );
}

#[test]
fn a_type_that_other_files_see_has_its_name_alone_in_its_crate() {
    let crates = crates();
    for (name, _) in ARROWS.iter().filter(|(name, _)| !MIRRORS.contains(name)) {
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for path in files_under(&crates[*name].1, &[".rs"]) {
            for (line, name) in declared_in(&code_of(&path), true) {
                let place = format!("{}:{line}", short(&path));
                if let Some(other) = seen.insert(name.clone(), place.clone()) {
                    panic!("`{name}` is a type in {other} and in {place}");
                }
            }
        }
    }
}

#[test]
fn a_declaration_is_found_in_every_form() {
    let code = "pub struct A<'a> {\npub(crate) struct B;\n    pub enum C {\npub fn d() {}\npub trait E: F {\npub type G = H;\npub struct I(u8);\n";
    let names = |in_crate| -> Vec<_> {
        let declared = declared_in(code, in_crate).into_iter();
        declared
            .map(|(line, name)| format!("{line} {name}"))
            .collect()
    };
    assert_eq!(names(false), ["1 A", "3 C", "5 E", "6 G", "7 I"]);
    assert_eq!(names(true), ["1 A", "2 B", "3 C", "5 E", "6 G", "7 I"]);
}
