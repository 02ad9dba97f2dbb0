//! A type that other files see has its name alone in the workspace: no other has
//! it, be it private to its file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::layers::{ARROWS, crates};
use super::{short, text};
use houserule_tests::{files_under, root};

/// Crates on the mods' side of the contract: what they export carries the names
/// of the things that it stands for there.
const MIRRORS: &[&str] = &["houserule-guest", "houserule-macros"];

/// A type that a file declares.
#[derive(Debug)]
struct DeclaredType {
    name: String,
    /// The line, from 1.
    line: usize,
    /// Whether other files can see it, of its crate or of others.
    is_seen: bool,
}

/// What stands behind `pub` or `pub(…)`, if a line begins with that.
fn behind_pub(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub")?;
    match rest.strip_prefix('(') {
        Some(whom) => Some(whom.split_once(") ")?.1),
        None => rest.strip_prefix(' '),
    }
}

/// The word before a trait that asks for care; whoever looks for such code looks for it.
const UNSAFE: &str = concat!("un", "safe ");

/// The types that a file declares, without those that belong to a trait.
fn declared_in(code: &str) -> Vec<DeclaredType> {
    let declared = |(at, line): (usize, &str)| {
        let own = line.trim_start();
        let (is_seen, rest) = behind_pub(own).map_or((false, own), |rest| (true, rest));
        let mut words = rest.strip_prefix(UNSAFE).unwrap_or(rest).split(' ');
        let keyword = words.next()?;
        let is_of_a_trait = keyword == "type" && own.len() < line.len() && !is_seen;
        if is_of_a_trait || !matches!(keyword, "struct" | "enum" | "trait" | "type" | "union") {
            return None;
        }
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let name = words.next()?.split(|c| !is_letter(c)).next()?.to_string();
        name.starts_with(char::is_uppercase)
            .then_some(DeclaredType {
                name,
                line: at + 1,
                is_seen,
            })
    };
    code.lines().enumerate().filter_map(declared).collect()
}

/// The code of a file without comments and without what is there for its tests
/// alone, line by line, and the modules that are: their names.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let (mut code, mut modules) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim_start() != "#[cfg(test)]" {
            code.push(line.split("//").next().unwrap_or(""));
            continue;
        }
        code.push("");
        let margin = &line[..line.len() - line.trim_start().len()];
        let end = format!("{margin}}}");
        let mut is_in_item = false;
        for line in lines.by_ref() {
            code.push("");
            let item = line.trim_start();
            if let Some(module) = item.strip_suffix(';').and_then(|item| {
                let item = behind_pub(item).unwrap_or(item);
                item.strip_prefix("mod ").filter(|_| !is_in_item)
            }) {
                modules.push(module.to_string());
            }
            let is_whole = !is_in_item && line.ends_with(';');
            if is_whole || line.starts_with(&end) {
                break;
            }
            is_in_item |= !item.starts_with('#');
        }
    }
    (code.join("\n"), modules)
}

/// The files of the engine's own crates, each with its code; not those of tests.
fn own_files() -> BTreeMap<PathBuf, String> {
    let crates = crates();
    let own = ARROWS.iter().filter(|(name, _)| !MIRRORS.contains(name));
    let folders = own.map(|(name, _)| crates[*name].1.clone());
    let (mut files, mut of_tests) = (BTreeMap::new(), BTreeSet::new());
    for folder in folders.chain([root().join("host/python/src")]) {
        for path in files_under(&folder, &[".rs"]) {
            let (code, modules) = without_tests(&text(&path));
            let is_root = ["mod", "lib", "main"].map(|name| path.ends_with(format!("{name}.rs")));
            let within = match is_root.contains(&true) {
                true => path.with_file_name(""),
                false => path.with_extension(""),
            };
            of_tests.extend(modules.iter().map(|module| within.join(module)));
            files.insert(path, code);
        }
    }
    files.retain(|path, _| {
        let module = path.with_extension("");
        !module.ancestors().any(|above| of_tests.contains(above))
    });
    files
}

#[test]
fn a_type_that_other_files_see_has_its_name_alone() {
    let mut declared: BTreeMap<String, Vec<(String, DeclaredType)>> = BTreeMap::new();
    for (path, code) in own_files() {
        for one in declared_in(&code) {
            let all = declared.entry(one.name.clone()).or_default();
            all.push((short(&path), one));
        }
    }
    let seen = |all: &[(String, DeclaredType)]| all.iter().filter(|(_, one)| one.is_seen).count();
    let count = declared.values().filter(|all| seen(all) > 0).count();
    assert!(count > 900, "{count} types that other files see");
    let is_shared = |all: &[(String, DeclaredType)]| {
        let files: BTreeSet<&str> = all.iter().map(|(file, _)| &**file).collect();
        seen(all) > 1 || seen(all) == 1 && files.len() > 1
    };
    let place = |(file, one): &(String, DeclaredType)| {
        let whose = if one.is_seen { "" } else { ", private" };
        format!("{file}:{}{whose}", one.line)
    };
    let shared: BTreeMap<&str, Vec<String>> = declared
        .iter()
        .filter(|(_, all)| is_shared(all))
        .map(|(name, all)| (&**name, all.iter().map(place).collect()))
        .collect();
    assert!(
        shared.is_empty(),
        "types that other files see, and others of their names: {shared:#?}"
    );
}

#[test]
fn a_declaration_is_found_in_every_form() {
    let code = "pub struct A<'a> {\npub(crate) struct B;\n    pub enum C {\npub fn d() {}\npub trait E: F {\npub type G = H;\nstruct I(u8);\npub(in crate::a) @trait J {\n    type K = L;\ntype M = N;\n    enum O {\n    type p => q";
    let code = code.replace('@', UNSAFE);
    let declared: Vec<String> = declared_in(&code)
        .iter()
        .map(|one| {
            let whose = if one.is_seen { "seen" } else { "private" };
            format!("{} {} {whose}", one.line, one.name)
        })
        .collect();
    let expected = [
        "1 A seen",
        "2 B seen",
        "3 C seen",
        "5 E seen",
        "6 G seen",
        "7 I private",
        "8 J seen",
        "10 M private",
        "11 O private",
    ];
    assert_eq!(declared, expected);
}

#[test]
fn what_is_there_for_tests_alone_is_left_out() {
    let code = "a // b\n#[cfg(test)]\nmod c;\n#[cfg(test)]\n#[expect(d)]\npub(super) mod e {\n    f {\n    }\n}\ng {\n    #[cfg(test)]\n    h(\n    ) {\n    }\n    i\n}\n#[cfg(test)]\npub mod j;\n#[cfg(test)]\nuse k::{\n    l;\n};\nm";
    let (code, modules) = without_tests(code);
    let left: Vec<&str> = code.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(left, ["a ", "g {", "    i", "}", "m"]);
    assert_eq!(modules, ["c", "j"]);
    assert_eq!(code.lines().count(), 23);
}
