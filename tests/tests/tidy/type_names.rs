//! A public type's name stands once in the workspace.

use std::collections::BTreeMap;

use super::layers::{ARROWS, crates};
use super::{code_of, short};
use houserule_tests::files_under;

/// Crates on the mods' side of the contract: what they export carries the names
/// of the things that it stands for there.
const MIRRORS: &[&str] = &["houserule-guest", "houserule-macros"];

/// The types that a file declares as `pub`, each with its line.
fn declared_in(code: &str) -> Vec<(usize, String)> {
    let name = |line: &str| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split_whitespace();
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
            for (line, name) in declared_in(&code_of(&path)) {
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
fn a_declaration_is_found_in_every_form() {
    let code = "pub struct A<'a> {\npub(crate) struct B;\n    pub enum C {\npub fn d() {}\npub trait E: F {\npub type G = H;\npub struct I(u8);\n";
    let names: Vec<_> = declared_in(code)
        .into_iter()
        .map(|(line, name)| format!("{line} {name}"))
        .collect();
    assert_eq!(names, ["1 A", "3 C", "5 E", "6 G", "7 I"]);
}
