//! What the repository promises about itself: what the kernel may depend on
//! and know, what stands where, and that every code of a fault has a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[path = "tidy/described.rs"]
mod described;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/outside.rs"]
mod outside;
#[path = "tidy/pointers.rs"]
mod pointers;
#[path = "tidy/type_names.rs"]
mod type_names;
#[path = "tidy/units.rs"]
mod units;

use houserule_tests::{files_under, folder, root};
use kernel::error::FaultCode;

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

/// Files of more lines than [`most_lines`], each with its reason.
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
        let used: BTreeSet<&str> = code.split(|c: char| !c.is_ascii_alphabetic()).collect();
        let known: Vec<_> = words
            .iter()
            .filter(|word| used.contains(word.as_str()))
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
    "host/cli/src/ui.rs",
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
    ("Desk", "ui, context"),
    ("Errand", "command"),
    ("Heard", "registrations"),
    ("Misfit", "migration"),
    ("Said", "recorded input, text"),
    ("Sitting", "session"),
    ("Teller", "reporter, narrator"),
    ("Telling", "narrator"),
    ("Told", "narrator, settled events"),
    ("Touched", "invalidation"),
    ("Wish", "overrides, proposal"),
];

/// Words that say too little of what a function does or gives.
const NO_FUNCTIONS: &[&str] = &["deed", "desk", "heard", "said", "telling", "told"];

/// The names of types that a file defines.
fn types_in(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.filter(|word| !matches!(*word, "" | "pub" | "crate" | "super"));
        let is_type = matches!(words.next()?, "struct" | "enum" | "trait" | "type");
        is_type.then(|| words.next()).flatten()
    })
}

/// The names of functions that a file defines.
fn functions_in(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let (before, after) = line.split_once("fn ")?;
        let is_code = !before.contains("//") && !before.ends_with(char::is_alphanumeric);
        let mut words = after.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        is_code.then(|| words.next()).flatten()
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
            let term = TERMS.iter().find(|(word, _)| name.contains(word));
            assert!(
                term.is_none(),
                "{}: `{name}`: expected {}",
                short(&path),
                term.unwrap().1
            );
        }
    }
    assert!(count > 500, "{count} types");
}

#[test]
fn functions_are_called_by_the_terms_of_the_field() {
    assert_eq!(
        functions_in("// A fn a().\n    pub(crate) fn told<'a>(\nfn b()").collect::<Vec<_>>(),
        ["told", "b"]
    );
    let mut count = 0;
    for path in sources(&[".rs"])
        .into_iter()
        .filter(|path| short(path).contains("/src/"))
    {
        let code = text(&path);
        for name in functions_in(&code) {
            count += 1;
            assert!(!NO_FUNCTIONS.contains(&name), "{}: `{name}`", short(&path));
        }
    }
    assert!(count > 5_000, "{count} functions");
}

/// How many lines a file may have: rustfmt breaks them sooner than the layout of
/// scripts does.
fn most_lines(path: &Path) -> usize {
    if path.extension().is_some_and(|ending| ending == "luau") {
        600
    } else {
        750
    }
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
            lines <= most_lines(&path) || known.contains_key(name.as_str()),
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
            let used: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            for other in mods.keys().filter(|other| !known.contains(*other)) {
                assert!(
                    !used.contains(other.as_str()),
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
        let found = BY_TEXT.split(' ').find(|call| text.contains(call));
        assert_eq!(found, None, "{}", short(&path));
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
