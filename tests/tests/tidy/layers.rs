//! What is built on what: the kernel on next to nothing, crates and modules one way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::code_of;
use houserule_tests::{files_under, root};

/// All that the kernel may be built from: hashing, hash maps, error types,
/// and what these are built from themselves.
const KERNEL_MAY_USE: &[&str] = &[
    "arrayref",
    "arrayvec",
    "blake3",
    "cc",
    "cfg-if",
    "constant_time_eq",
    "cpufeatures",
    "find-msvc-tools",
    "houserule-kernel",
    "libc",
    "proc-macro2",
    "quote",
    "rustc-hash",
    "shlex",
    "syn",
    "thiserror",
    "thiserror-impl",
    "unicode-ident",
];

/// What `cargo tree` prints, without the marks of what it has shown already.
fn tree(arguments: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["tree", "--locked", "--offline", "--prefix", "none"])
        .args(arguments);
    let output = command.current_dir(root()).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8_lossy(&output.stdout);
    tree.lines()
        .map(|line| line.trim_end_matches(" (*)").to_string())
        .collect()
}

#[test]
fn the_kernel_depends_on_nothing_else() {
    let tree = tree(&["-p", "houserule-kernel", "-e", "normal,build"]);
    let found: BTreeSet<&str> = tree
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let strangers: Vec<_> = found
        .iter()
        .filter(|name| !KERNEL_MAY_USE.contains(name))
        .collect();
    assert!(
        strangers.is_empty(),
        "the kernel may not be built from {strangers:?}"
    );
    assert!(found.contains("blake3"), "{tree:?}");
}

/// The parts of the engine, each with those that it may be built on. Whatever is
/// not listed may not be used.
pub(super) const ARROWS: &[(&str, &[&str])] = &[
    ("houserule-kernel", &[]),
    ("houserule-rules", &["houserule-kernel"]),
    (
        "houserule-scripts",
        &["houserule-kernel", "houserule-rules"],
    ),
    (
        "houserule-components",
        &["houserule-kernel", "houserule-rules"],
    ),
    (
        "houserule-languages",
        &[
            "houserule-components",
            "houserule-kernel",
            "houserule-rules",
            "houserule-scripts",
        ],
    ),
    (
        "houserule-matches",
        &["houserule-kernel", "houserule-languages", "houserule-rules"],
    ),
    (
        "houserule-testing",
        &[
            "houserule-kernel",
            "houserule-matches",
            "houserule-rules",
            "houserule-scripts",
        ],
    ),
    (
        "houserule-lint",
        &["houserule-kernel", "houserule-matches", "houserule-rules"],
    ),
    (
        "houserule-analysis",
        &[
            "houserule-kernel",
            "houserule-matches",
            "houserule-rules",
            "houserule-testing",
        ],
    ),
    (
        "houserule",
        &[
            "houserule-analysis",
            "houserule-components",
            "houserule-kernel",
            "houserule-languages",
            "houserule-lint",
            "houserule-matches",
            "houserule-rules",
            "houserule-testing",
        ],
    ),
    ("houserule-c", &["houserule"]),
    ("houserule-serve", &["houserule"]),
    ("houserule-cli", &["houserule", "houserule-serve"]),
    ("houserule-macros", &[]),
    ("houserule-guest", &["houserule-macros"]),
    ("houserule-tests", &["houserule", "houserule-kernel"]),
];

/// Who may use the engines that run rules.
const ENGINES: &[(&str, &[&str])] = &[
    ("mlua", &["houserule-scripts", "houserule-testing"]),
    ("wasmtime", &["houserule-components", "houserule-tests"]),
];

/// What each crate of the workspace asks for, without what only its tests do,
/// and where its sources are.
pub(super) fn crates() -> BTreeMap<String, (BTreeSet<String>, PathBuf)> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "metadata",
        "--locked",
        "--offline",
        "--no-deps",
        "--format-version",
        "1",
    ]);
    let output = command.current_dir(root()).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    let one = |package: &serde_json::Value| {
        let asked = package["dependencies"].as_array().unwrap().iter();
        let asked = asked.filter(|dependency| dependency["kind"] != "dev");
        let asked = asked.map(|dependency| text(&dependency["name"])).collect();
        let folder = PathBuf::from(text(&package["manifest_path"]))
            .parent()
            .unwrap()
            .join("src");
        (text(&package["name"]), (asked, folder))
    };
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(one)
        .collect()
}

#[test]
fn arrows_between_crates_point_one_way() {
    let crates = crates();
    let own: BTreeSet<&str> = crates.keys().map(String::as_str).collect();
    for (name, allowed) in ARROWS {
        let (asked, _) = crates
            .get(*name)
            .unwrap_or_else(|| panic!("there is no crate {name}"));
        let strangers: Vec<_> = asked
            .iter()
            .filter(|other| own.contains(other.as_str()) && !allowed.contains(&other.as_str()))
            .collect();
        assert!(
            strangers.is_empty(),
            "{name} may not be built on {strangers:?}"
        );
    }
    let mods = "mods in Rust see the contract alone";
    for (name, (asked, _)) in crates
        .iter()
        .filter(|(name, _)| !ARROWS.iter().any(|(known, _)| known == name))
    {
        let own: Vec<_> = asked
            .iter()
            .filter(|other| own.contains(other.as_str()))
            .collect();
        assert!(
            own.iter().all(|other| *other == "houserule-guest"),
            "{name} uses {own:?}: {mods}"
        );
    }
    for (engine, allowed) in ENGINES {
        let users: Vec<_> = crates
            .iter()
            .filter(|(_, (asked, _))| asked.contains(*engine))
            .map(|(name, _)| name)
            .collect();
        assert!(
            users.iter().all(|user| allowed.contains(&user.as_str())),
            "{users:?} use {engine}"
        );
        assert!(!users.is_empty(), "nobody uses {engine}");
    }
}

/// The modules at the top of a crate, and those that each names by `crate::`.
/// Its root is one of them, `lib`, with what it defines itself.
fn modules(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut of_root, mut root_names) = (Vec::new(), BTreeSet::new());
    for path in files_under(folder, &[".rs"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let short = path.strip_prefix(folder).unwrap();
        let top = short
            .iter()
            .next()
            .unwrap()
            .to_string_lossy()
            .trim_end_matches(".rs")
            .to_string();
        if matches!(name.as_str(), "tests.rs" | "cases.rs" | "properties.rs") {
            continue;
        }
        let code = code_of(&path);
        if top == "lib" || top == "main" {
            of_root = defined_in(&code);
            root_names = used_by_root(&code);
        } else {
            used.entry(top).or_default().extend(named_in(&code));
        }
    }
    let known: BTreeSet<String> = used.keys().cloned().collect();
    for (top, names) in &mut used {
        let is_of_root = names
            .iter()
            .any(|name| !known.contains(name) && of_root.contains(name));
        names.retain(|name| name != top && known.contains(name));
        names.extend(is_of_root.then(|| "lib".to_string()));
    }
    root_names.retain(|name| known.contains(name));
    used.insert("lib".into(), root_names);
    used
}

/// The names of what stands at the top of a file.
fn defined_in(code: &str) -> Vec<String> {
    let item = |line: &str| -> Option<String> {
        let line = line
            .strip_prefix("pub(crate) ")
            .or(line.strip_prefix("pub "))
            .unwrap_or(line);
        let (sort, rest) = line.split_once(' ')?;
        let is_item = matches!(
            sort,
            "const" | "enum" | "fn" | "static" | "struct" | "trait" | "type"
        );
        is_item.then(|| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap()
                .to_string()
        })
    };
    code.lines().filter_map(item).collect()
}

/// The names before `::` in the root of a crate; what it only hands on it does
/// not use.
fn used_by_root(code: &str) -> BTreeSet<String> {
    let lines = code.lines().filter(|line| !line.starts_with("pub use "));
    let before = lines.flat_map(|line| {
        let parts: Vec<&str> = line.split("::").collect();
        let names = parts[..parts.len() - 1].iter();
        names
            .filter_map(|part| {
                part.rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
            })
            .collect::<Vec<_>>()
    });
    before.map(str::to_string).collect()
}

/// The first names behind `crate::`, also in braces.
fn named_in(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        let word = |text: &str| -> String {
            text.trim_start()
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect()
        };
        let Some(inside) = rest.strip_prefix('{') else {
            names.push(word(rest));
            continue;
        };
        let (mut depth, mut begins) = (0, true);
        for (at, c) in inside.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && !c.is_whitespace() => {
                    names.push(word(&inside[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// All that a module uses, over others.
fn reached<'a>(from: &str, used: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let (mut found, mut left) = (BTreeSet::new(), vec![from.to_string()]);
    while let Some(next) = left.pop() {
        for other in used.get(&next).into_iter().flatten() {
            if found.insert(other.as_str()) {
                left.push(other.clone());
            }
        }
    }
    found
}

#[test]
fn modules_of_a_crate_go_in_no_circle() {
    let crates = crates();
    let mut looked_at = 0;
    // The chapters of a rulebook refer to each other; rules are called through the host.
    let is_mod = |folder: &Path| folder.iter().any(|part| part == "mods");
    for (name, (_, folder)) in crates
        .iter()
        .filter(|(_, (_, folder))| folder.exists() && !is_mod(folder))
    {
        let used = modules(folder);
        looked_at += used.len();
        for module in used.keys() {
            let with = reached(module, &used).into_iter();
            let with: Vec<&str> = with
                .filter(|other| reached(other, &used).contains(module.as_str()))
                .collect();
            assert!(with.len() <= 2, "{name}: {with:?} go in a circle");
        }
    }
    assert!(looked_at > 80, "{looked_at} modules looked at");
}

#[test]
fn a_name_behind_crate_is_found_in_every_form() {
    let code = "use crate::a::B; use crate::{c, d::{E, f}, g::H}; let x = crate::i::j();";
    assert_eq!(named_in(code), ["a", "c", "d", "g", "i"]);
    let root =
        "pub use a::B;\nuse c::{D, E};\npub(crate) struct F;\nfn g() {\n    h::i(|| j::K);\n}";
    assert_eq!(defined_in(root), ["F", "g"]);
    assert_eq!(
        used_by_root(root).into_iter().collect::<Vec<_>>(),
        ["c", "h", "j"]
    );
}
