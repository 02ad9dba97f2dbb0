//! What each part says of itself, and that the map of all parts names it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::layers::{ARROWS, crates};
use super::{code_of, short, text};
use houserule_tests::{files_under, root};

/// The folders with the sources of the engine's own crates.
fn own_folders() -> Vec<PathBuf> {
    let crates = crates();
    let own = ARROWS
        .iter()
        .filter(|(name, _)| *name != "houserule-tests")
        .map(|(name, _)| crates[*name].1.clone());
    own.chain([root().join("host/python/src")]).collect()
}

/// The comment with which a file begins.
fn comment_of(path: &Path) -> String {
    text(path)
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .map(|line| line.trim_start_matches("//!").trim())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn each_crate_says_what_it_refuses_to_know_and_how_to_read_it() {
    for folder in own_folders() {
        let library = folder.join("lib.rs");
        let path = if library.is_file() {
            library
        } else {
            folder.join("main.rs")
        };
        let comment = comment_of(&path);
        let begins = |line: &str| {
            let mut lines = comment.lines();
            lines.any(|one| one.starts_with(line))
        };
        let name = short(&path);
        assert!(
            comment.contains("hat it refuses to know: "),
            "{name} does not say what it refuses to know"
        );
        assert!(
            begins("Read ") || comment.contains(". Read "),
            "{name} does not say in which order to read it"
        );
    }
}

/// The modules at the top of a folder, without tests.
fn modules_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let names = entries.filter_map(|entry| {
        let path = entry.path();
        let is_module = path.is_dir() && path.join("mod.rs").is_file() || path.extension()? == "rs";
        is_module.then(|| path.file_stem().unwrap().to_string_lossy().into_owned())
    });
    names
        .filter(|name| !["lib", "main", "mod", "tests"].contains(&name.as_str()))
        .collect()
}

/// The words of a page that stand between backticks, by their parts.
fn code_words(page: &str) -> BTreeSet<&str> {
    let prose = page
        .split("```")
        .enumerate()
        .filter(|(at, _)| at % 2 == 0)
        .map(|(_, prose)| prose);
    prose
        .flat_map(|prose| prose.split('`').skip(1).step_by(2))
        .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect()
}

#[test]
fn the_map_names_every_part() {
    let page = text(&root().join("docs/architecture.md"));
    let named = code_words(&page);
    let mut folders = own_folders();
    folders.push(root().join("host/src/embed"));
    let parts = folders.iter().flat_map(|folder| {
        let modules = modules_in(folder).into_iter();
        modules.map(|module| (short(folder), module))
    });
    let parts: Vec<(String, String)> = parts.collect();
    assert!(parts.len() > 180, "{} parts", parts.len());
    let missing: Vec<_> = parts
        .iter()
        .filter(|(_, module)| !named.contains(module.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/architecture.md does not name {missing:?}"
    );
}

/// What a file declares by one of these words, by name.
fn declared_in(code: &str) -> BTreeSet<&str> {
    let words = code.split_whitespace().zip(code.split_whitespace().skip(1));
    words
        .filter(|(word, _)| ["fn", "struct", "enum", "trait", "type", "mod"].contains(word))
        .filter_map(|(_, name)| {
            name.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        })
        .collect()
}

/// Whoever asks where something is decided is sent to what is there.
#[test]
fn what_the_map_points_at_is_there() {
    let page = text(&root().join("docs/architecture.md"));
    let (_, rest) = page.split_once("## Where is it decided").unwrap();
    let (table, _) = rest.split_once("\n## ").unwrap();
    let mut there: BTreeSet<String> = ARROWS
        .iter()
        .map(|(name, _)| name.trim_start_matches("houserule-").to_string())
        .collect();
    for folder in own_folders() {
        for path in files_under(&folder, &[".rs"]) {
            there.extend(declared_in(&code_of(&path)).into_iter().map(str::to_string));
        }
    }
    let named = code_words(table);
    assert!(named.len() > 60, "{named:?}");
    let missing: Vec<_> = named
        .iter()
        .filter(|word| !word.is_empty() && !there.contains(**word))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/architecture.md points at {missing:?}"
    );
}

#[test]
fn words_of_code_are_found_on_a_page() {
    let page = "A `value` and `a::b/`.\n```text\nnot `here`\n```\n`last`";
    let found: Vec<_> = code_words(page)
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect();
    assert_eq!(found, ["a", "b", "last", "value"]);
}
