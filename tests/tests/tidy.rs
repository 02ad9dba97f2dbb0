//! What the repository promises about itself: what the kernel may depend on
//! and know, what stands where, and that every code of a fault has a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "tidy/pointers.rs"]
mod pointers;
#[path = "tidy/type_names.rs"]
mod type_names;
#[path = "tidy/units.rs"]
mod units;

use houserule_tests::{files_under, folder, root};
use kernel::error::FaultCode;

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

/// All that may stand in the root.
const TOP_LEVEL: &[&str] = &[
    ".cargo",
    ".ci",
    ".clippy.toml",
    ".github",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "core",
    "docs",
    "host",
    "mods",
    "schemas",
    "tests",
];

/// What others build on.
const CONTRACTS: &[&str] = &[
    "schemas/luau/v1/houserule.d.luau",
    "schemas/wit/v1/data.wit",
    "schemas/wit/v1/game.wit",
    "schemas/wit/v1/geometry.wit",
    "schemas/wit/v1/hexes.wit",
    "schemas/wit/v1/registration.wit",
];

/// Files of more than 750 lines, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[
    (
        "schemas/luau/v1/houserule.d.luau",
        "the whole API of scripts, which editors read as one file",
    ),
    (
        "core/src/game.rs",
        "everything that a rule can do to a game, under one guard",
    ),
    (
        "host/scripts/src/api.rs",
        "the same, as scripts see it: one method a function",
    ),
    (
        "host/scripts/src/answers/mod.rs",
        "how answers are found, paid, kept and given up, over one store",
    ),
    (
        "host/rules/src/rulebook/compose.rs",
        "the steps of composition, in their order",
    ),
    (
        "host/testing/src/library.rs",
        "one short function for each thing that a case can do",
    ),
    (
        "host/scripts/src/prelude.luau",
        "what scripts find in their environment, sealed as one file",
    ),
    (
        "host/components/src/v1/game.rs",
        "the functions of the contract, one short method each",
    ),
    (
        "core/tests/support/rulebook.rs",
        "the whole rulebook of one made-up game, for all tests of the kernel",
    ),
    (
        "mods/dsii/tests/prohibitions.luau",
        "one table: every action and reaction in every state",
    ),
    (
        "mods/iceburg/tests/cruise.luau",
        "one chapter: missiles from their launch to their price",
    ),
    (
        "mods/iceburg/tests/a2a.luau",
        "one chapter, its worked examples in the order of the catalogue",
    ),
    (
        "tests/tests/seats.rs",
        "what each seat may ask, method by method",
    ),
];

/// Words of games, which the kernel must not know.
const WORDS_OF_GAMES: &str = "armour artillery autocannon dirtside gatling infantry missile netepic platoon tank tcs vehicle yellow";

/// Codes that no fixture of `errors/` or `hostile/` makes, and the tests that
/// do: file and function.
const OTHER_TESTS: &[(FaultCode, &str, &str)] = &[
    (
        FaultCode::Unreadable,
        "tests/tests/files.rs",
        "what_cannot_be_read_is_all_told",
    ),
    (
        FaultCode::UnknownAction,
        "tests/tests/games.rs",
        "an_unknown_action_is_told",
    ),
    (
        FaultCode::BadJournal,
        "tests/tests/files.rs",
        "a_journal_that_was_cut_or_edited_is_told",
    ),
    (
        FaultCode::JournalBusy,
        "tests/tests/files.rs",
        "one_journal_has_one_writer",
    ),
    (
        FaultCode::JournalUnwritten,
        "tests/tests/files.rs",
        "a_full_disk_takes_no_input",
    ),
    (
        FaultCode::NotYours,
        "core/tests/secret_phases.rs",
        "NotYours",
    ),
    (
        FaultCode::BadComponent,
        "tests/tests/components.rs",
        "what_is_no_component_of_the_contract_is_refused",
    ),
    (FaultCode::Unreachable, "tests/mistakes.txt", "> F061"),
    (FaultCode::Swallowed, "tests/mistakes.txt", "> F062"),
    (FaultCode::Unused, "tests/mistakes.txt", "> F063"),
    (
        FaultCode::TooSlow,
        "tests/tests/requests.rs",
        "the_watchdog_undoes_an_input_and_the_journal_says_so",
    ),
    (
        FaultCode::OldJournal,
        "host/matches/src/record/tests.rs",
        "journals_of_other_formats_name_the_version_that_plays_them",
    ),
    (
        FaultCode::PlaysOtherwise,
        "tests/tests/journals.rs",
        "the_first_decision_that_differs_is_named",
    ),
    (
        FaultCode::BadGolden,
        "tests/tests/mods.rs",
        "goldens_that_differ_are_told",
    ),
];

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path as the lists here write it.
fn short(path: &Path) -> String {
    let root = root().canonicalize().unwrap();
    let path = path.canonicalize().unwrap();
    path.strip_prefix(root)
        .unwrap()
        .to_string_lossy()
        .replace('\\', "/")
}

/// Our own files: what stands here as others wrote it has ways of its own.
fn sources(endings: &[&str]) -> Vec<PathBuf> {
    let others = ["host/ron", "host/stylua"].map(|folder| root().join(folder));
    let is_ours = |path: &PathBuf| !others.iter().any(|folder| path.starts_with(folder));
    files_under(&root(), endings)
        .into_iter()
        .filter(is_ours)
        .collect()
}

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
const ARROWS: &[(&str, &[&str])] = &[
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
fn crates() -> BTreeMap<String, (BTreeSet<String>, PathBuf)> {
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

/// The code of a file of the kernel, without comments and without tests.
fn code_of(path: &Path) -> String {
    let text = text(path);
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or("")
        .to_string();
    text.lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_kernel_knows_no_game() {
    let mut words: BTreeSet<String> = WORDS_OF_GAMES.split(" ").map(String::from).collect();
    words.extend(mods().into_keys());
    for path in files_under(&root().join("core/src"), &[".rs"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if matches!(name.as_str(), "tests.rs" | "cases.rs" | "properties.rs") {
            continue;
        }
        let code = code_of(&path).to_lowercase();
        let said: BTreeSet<&str> = code.split(|c: char| !c.is_ascii_alphabetic()).collect();
        let known: Vec<_> = words
            .iter()
            .filter(|word| said.contains(word.as_str()))
            .collect();
        assert!(known.is_empty(), "{} knows {known:?}", short(&path));
    }
}

#[test]
fn the_root_holds_what_it_may() {
    for entry in std::fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let is_made = matches!(
            name.as_str(),
            ".git" | ".houserule" | "target" | ".gitattributes"
        );
        assert!(
            is_made || TOP_LEVEL.contains(&name.as_str()),
            "{name} may not stand in the root"
        );
    }
    for name in TOP_LEVEL
        .iter()
        .filter(|name| **name != "README.md")
        .chain(CONTRACTS)
    {
        assert!(root().join(name).exists(), "{name} is missing");
    }
}

#[test]
fn nothing_names_a_machine_or_puts_work_off() {
    let paths =
        ["ho me/", "ro ot/", "wo rk/", "Us ers/"].map(|path| format!("/{}", path.replace(' ', "")));
    let marks = ["to do!(", "unimple mented!(", "#[ig nore"].map(|mark| mark.replace(' ', ""));
    for path in sources(&[
        ".rs", ".luau", ".ron", ".md", ".toml", ".txt", ".snap", ".json", ".wit",
    ]) {
        let text = text(&path);
        for word in &paths {
            assert!(
                !text.contains(word.as_str()),
                "{} names {word}",
                short(&path)
            );
        }
        if path.extension().is_some_and(|ending| ending == "rs") {
            for mark in &marks {
                assert!(
                    !text.contains(mark.as_str()),
                    "{} says {mark}",
                    short(&path)
                );
            }
        }
    }
}

/// The files of the command line that hand bytes to a terminal by themselves:
/// each makes them printable. All others print through the first.
const PRINTERS: &[&str] = &[
    "host/cli/src/desk.rs",
    "host/cli/src/commands/lsp/messages.rs",
    "host/cli/src/commands/play/session.rs",
    "host/cli/src/commands/rpc.rs",
    "host/cli/src/interrupt.rs",
    "host/cli/src/logging.rs",
    "host/cli/src/main.rs",
];

#[test]
fn what_comes_from_outside_passes_one_door() {
    for path in files_under(&root().join("host/cli/src"), &[".rs"]) {
        let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
        if is_test || path.ends_with("src/paint.rs") {
            continue;
        }
        let code = code_of(&path);
        let prints = [
            "println!",
            "print!(",
            "stdout().lock()",
            "stderr().write",
            "io::stdout();",
        ];
        let found: Vec<_> = prints.iter().filter(|word| code.contains(**word)).collect();
        let name = short(&path);
        assert!(
            found.is_empty() || PRINTERS.contains(&name.as_str()),
            "{name} prints by {found:?}"
        );
        assert!(
            !code.contains("owo_colors") && !code.contains("\\u{1b}["),
            "{name} has colours of its own"
        );
        let is_printable = code.contains("printable::") || code.contains("printed(");
        assert!(
            found.is_empty() || is_printable,
            "{name} prints what may steer a terminal"
        );
    }
}

/// Words for which the field has a term, each with it.
const TERMS: &[(&str, &str)] = &[
    ("Deed", "action"),
    ("Errand", "command"),
    ("Misfit", "migration"),
    ("Sitting", "session"),
    ("Telling", "narrator"),
    ("Told", "narrator, settled events"),
    ("Touched", "invalidation"),
    ("Wish", "overrides, proposal"),
];

/// The names of types that a file defines.
fn types_in(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.filter(|word| !matches!(*word, "" | "pub" | "crate" | "super"));
        let is_type = matches!(words.next()?, "struct" | "enum" | "trait" | "type");
        is_type.then(|| words.next()).flatten()
    })
}

#[test]
fn types_are_called_by_the_terms_of_the_field() {
    assert_eq!(
        types_in("pub struct Deed<'a> {\n    type Wish = u8;").collect::<Vec<_>>(),
        ["Deed", "Wish"]
    );
    let mut count = 0;
    for path in sources(&[".rs"])
        .into_iter()
        .filter(|path| short(path).contains("/src/"))
    {
        let code = text(&path);
        for name in types_in(&code) {
            count += 1;
            let said = TERMS.iter().find(|(word, _)| name.contains(word));
            assert!(
                said.is_none(),
                "{}: `{name}`: expected {}",
                short(&path),
                said.unwrap().1
            );
        }
    }
    assert!(count > 500, "{count} types");
}

#[test]
fn long_files_have_a_reason() {
    let known: BTreeMap<&str, &str> = LONG_FILES.iter().copied().collect();
    for (path, reason) in &known {
        assert!(
            root().join(path).exists(),
            "{path} is listed as long ({reason}) and not there"
        );
    }
    let is_written = |path: &PathBuf| !path.ends_with("rust/src/bindings.rs");
    for path in sources(&[".rs", ".luau"]).into_iter().filter(is_written) {
        let lines = text(&path).lines().count();
        let name = short(&path);
        assert!(
            lines <= 750 || known.contains_key(name.as_str()),
            "{name} has {lines} lines"
        );
    }
}

/// The mods by id, each with what it depends on, however far.
fn mods() -> BTreeMap<String, BTreeSet<String>> {
    let (workshop, faults) = houserule::workshop::Workshop::open(&[root().join("mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let direct = |id: &str| -> Vec<String> {
        let manifest = workshop.manifest(id).unwrap();
        manifest
            .depends
            .iter()
            .map(|depends| depends.id.to_string())
            .collect()
    };
    let mut all = BTreeMap::new();
    for id in workshop.manifests().keys() {
        let (mut known, mut left) = (BTreeSet::new(), vec![id.to_string()]);
        while let Some(next) = left.pop() {
            if known.insert(next.clone()) {
                left.extend(direct(&next));
            }
        }
        all.insert(id.to_string(), known);
    }
    all
}

#[test]
fn mods_name_only_what_they_depend_on() {
    let mods = mods();
    for (id, known) in &mods {
        for path in files_under(&root().join("mods").join(id), &[".luau", ".ron", ".snap"]) {
            let text = text(&path).to_lowercase();
            let said: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            for other in mods.keys().filter(|other| !known.contains(*other)) {
                assert!(
                    !said.contains(other.as_str()),
                    "{} names {other}",
                    short(&path)
                );
            }
        }
    }
}

/// What names by a text what a chapter names.
const BY_TEXT: &str = r#"game:call(" game:push(" game:emit(" game:clause(""#;

#[test]
fn rules_of_mods_are_functions_of_chapters() {
    let folders = ["mods", "docs/examples"].map(|folder| root().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| files_under(folder, &[".luau"]));
    let rules: Vec<PathBuf> = files
        .filter(|path| short(path).contains("/rules/"))
        .collect();
    assert!(rules.len() > 100, "{} files of rules", rules.len());
    for path in rules {
        let text = text(&path);
        let said = BY_TEXT.split(' ').find(|said| text.contains(said));
        assert_eq!(said, None, "{}", short(&path));
    }
}

#[test]
fn every_code_of_a_fault_has_a_test() {
    let mut made = BTreeSet::new();
    for path in ["errors", "hostile"]
        .iter()
        .flat_map(|name| files_under(&folder(name), &[".txt"]))
    {
        let text = text(&path);
        for at in ["fault F", "fault-file F", "also F"]
            .iter()
            .flat_map(|mark| text.match_indices(mark))
        {
            let code = &text[at.0 + at.1.len() - 1..];
            made.insert(code.get(..4).unwrap_or("").to_string());
        }
    }
    for (code, file, function) in OTHER_TESTS {
        assert!(
            text(&root().join(file)).contains(function),
            "{file} has no {function} for {code}"
        );
        made.insert(code.to_string());
    }
    let missing: Vec<String> = FaultCode::ALL
        .iter()
        .filter(|code| !made.contains(&code.to_string()))
        .map(|c| format!("{c} {c:?}"))
        .collect();
    assert!(missing.is_empty(), "no test makes {missing:?}");
}
