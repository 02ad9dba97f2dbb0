//! Mods in the newer form, functions of chapters, do what they did in the older
//! one: the same cases, scenarios and goldens hold.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop where they go wrong")]

use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::testing::{Filter, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::{folder, root};
use kernel::value::Name;

/// The mods of the repository, one of them with its rules in the newer form.
fn with_rules_of(module: &str) -> Workshop {
    let (whole, faults) = Workshop::open(&[root().join("mods"), root().join("docs/examples")]);
    assert!(faults.is_empty(), "{faults:?}");
    let mut sources = whole.sources().clone();
    let older = &sources[module];
    let mut files = older.files.clone();
    let rules: Vec<String> = files.keys().filter(|path| path.starts_with("rules/")).cloned().collect();
    for path in &rules {
        let name = path.trim_start_matches("rules/");
        let text = std::fs::read_to_string(folder("authored").join(module).join(name)).unwrap();
        files.insert(path.clone(), Arc::from(text));
    }
    assert!(!rules.is_empty());
    sources.insert(Name::from(module), Sources::from_memory(module, files));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

/// Every case, scenario and golden of a mod; how many there are.
fn suite(workshop: &Workshop, module: &str) -> Vec<(String, String)> {
    let filter = Filter { mods: vec![module.into()], text: None };
    let results = run_suite(workshop, &filter, &|_| {});
    let of = |one: houserule::testing::TestResult| {
        assert!(one.failure.is_none(), "{}: {:?}", one.name, one.failure);
        (one.file, one.name)
    };
    results.into_iter().map(of).collect()
}

#[test]
fn a_whole_game_in_the_newer_form_passes_the_suite_of_the_older() {
    for module in ["drill", "warning_shots"] {
        let older = Workshop::open(&[root().join("mods"), root().join("docs/examples")]).0;
        let (before, after) = (suite(&older, module), suite(&with_rules_of(module), module));
        assert_eq!(before, after);
        assert!(before.len() > 2, "{before:?}");
    }
}
