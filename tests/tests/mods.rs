//! The mods of the repository: their own tests, and what is left of them when
//! one is taken away.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use houserule::modset::selector::Request;
use houserule::testing::{Filter, Memory, TestKind, TestResult, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::{Fixture, copy_folder, folder, root};
use kernel::error::FaultCode;

fn failures(results: &[TestResult]) -> String {
    let mut text = String::new();
    for one in results {
        if let Some(fault) = &one.failure {
            text.push_str(&format!("{} {}: {fault}\n", one.module, one.name));
        }
        if let Some(golden) = &one.golden {
            text.push_str(&golden.diff);
        }
    }
    text
}

#[test]
fn the_suite_of_the_mods_passes() {
    let (workshop, faults) = houserule_tests::mods();
    assert!(faults.is_empty(), "{faults:?}");
    let results = run_suite(&workshop, &Filter::default(), None, &|_| {});
    assert!(!results.is_empty());
    let text = failures(&results);
    assert!(text.is_empty(), "{text}");
}

/// House rules are nowhere but in their mod.
#[test]
fn without_the_house_rules_the_rest_composes_and_passes() {
    let (whole, _) = houserule_tests::mods();
    let Ok(house) = whole.manifest("iceburg") else {
        return;
    };
    let mut sources = whole.sources().clone();
    sources.remove("iceburg");
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    for id in workshop.manifests().keys() {
        workshop
            .compose(&Request::parse(id).unwrap())
            .map_err(|faults| format!("{id}: {faults:?}"))
            .unwrap();
    }
    // What has nothing to do with them passes as it does beside them.
    let filter = Filter {
        mods: house.depends.iter().map(|one| one.id.clone()).collect(),
        text: None,
    };
    assert!(!filter.mods.is_empty());
    let results = run_suite(&workshop, &filter, None, &|_| {});
    assert!(!results.is_empty());
    let text = failures(&results);
    assert!(text.is_empty(), "{text}");
}

#[test]
fn goldens_that_differ_are_told() {
    let text = |id: &str| {
        format!(
            "Scenario(format: 1, id: \"{id}\", title: \"\", mods: [\"m\"], seed: 1, \
             table: (width: \"48in\", depth: \"36in\"), sides: [(id: \"red\"), (id: \"blue\")], \
             script: [Act(by: \"red\", action: \"base.core.work\")])"
        )
    };
    let fixture = Fixture::read(&folder("base/README.txt")).unwrap();
    let mut sources = fixture.sources();
    let own = sources.get("m").unwrap().clone();
    let mut files: BTreeMap<String, Arc<str>> = own.to_files();
    files.insert("scenarios/new.ron".into(), Arc::from(text("new")));
    files.insert("scenarios/old.ron".into(), Arc::from(text("old")));
    files.insert(
        "golden/old.snap".into(),
        Arc::from("what nobody ever played\n"),
    );
    files.insert("golden/stray.snap".into(), Arc::from("no scenario\n"));
    sources.insert(
        Arc::from("m"),
        houserule::modset::files::Sources::from_memory("m", files),
    );
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let filter = Filter {
        mods: vec!["m".into()],
        text: None,
    };
    let results = run_suite(&workshop, &filter, None, &|_| {});
    let codes: Vec<_> = results
        .iter()
        .filter_map(|one| one.failure.as_ref())
        .map(|fault| fault.code)
        .collect();
    assert_eq!(codes, [FaultCode::BadGolden; 3], "{}", failures(&results));
}

/// A copy of a small mod, and a place to remember what passed.
struct Remembering {
    module: PathBuf,
    memory: Memory,
}

impl Remembering {
    fn new(name: &str) -> Remembering {
        let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&work);
        let module = work.join("drill");
        copy_folder(&root().join("docs/examples/drill"), &module).unwrap();
        Remembering {
            module,
            memory: Memory {
                folder: work.join("passed"),
                program: "this one".into(),
            },
        }
    }

    fn run(&self) -> Vec<TestResult> {
        let (workshop, faults) = Workshop::open(std::slice::from_ref(&self.module));
        assert!(faults.is_empty(), "{faults:?}");
        run_suite(&workshop, &Filter::default(), Some(&self.memory), &|_| {})
    }

    /// The files of which something was run.
    fn files_run(&self) -> BTreeSet<String> {
        self.run()
            .into_iter()
            .filter(|one| !one.is_remembered)
            .map(|one| one.file)
            .collect()
    }

    fn add_to(&self, file: &str, text: &str) {
        let path = self.module.join(file);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, before + text).unwrap();
    }
}

#[test]
fn what_passed_is_remembered_with_all_that_it_showed() {
    let mods = Remembering::new("remembered");
    let first = mods.run();
    assert!(
        first
            .iter()
            .all(|one| one.failure.is_none() && !one.is_remembered),
        "{}",
        failures(&first)
    );
    assert!(first.iter().any(|one| one.sort == TestKind::ClauseOff));
    let outcomes = |results: &[TestResult]| {
        results
            .iter()
            .map(|one| {
                (
                    one.sort,
                    one.file.clone(),
                    one.name.clone(),
                    one.cites.clone(),
                    one.reached.clone(),
                )
            })
            .collect::<Vec<_>>()
    };
    let second = mods.run();
    assert!(second.iter().all(|one| one.is_remembered));
    assert_eq!(outcomes(&second), outcomes(&first));
}

#[test]
fn what_rests_on_something_that_changed_is_run_again() {
    let mut mods = Remembering::new("changed");
    let all = mods.files_run();
    assert_eq!(mods.files_run(), BTreeSet::new());
    let is_case = |file: &&String| file.starts_with("tests/");
    let (cases, scenarios): (BTreeSet<String>, BTreeSet<String>) = (
        all.iter().filter(is_case).cloned().collect(),
        all.iter().filter(|file| !is_case(file)).cloned().collect(),
    );
    assert!(!cases.is_empty() && !scenarios.is_empty());

    mods.add_to("tests/drill.luau", "-- A remark.\n");
    assert_eq!(mods.files_run(), cases, "a file of cases");
    mods.add_to("tests/helper.luau", "return { most = 3 }\n");
    assert_eq!(
        mods.files_run(),
        BTreeSet::new(),
        "a file that nobody requires"
    );
    mods.add_to(
        "tests/drill.luau",
        "local _helper = require(\"./helper\")\n",
    );
    assert_eq!(mods.files_run(), cases);
    mods.add_to("tests/helper.luau", "-- A remark.\n");
    assert_eq!(mods.files_run(), cases, "a file that cases require");
    let golden = fs::read_dir(mods.module.join("golden"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    mods.add_to(&format!("golden/{}", golden.file_name().display()), "\n");
    assert_eq!(mods.files_run().len(), 1, "a golden");
    let rules = fs::read_dir(mods.module.join("rules"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    mods.add_to(
        &format!("rules/{}", rules.file_name().display()),
        "-- A remark.\n",
    );
    assert_eq!(mods.files_run(), all, "a file of rules");
    let scenario = fs::read_dir(mods.module.join("scenarios"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    mods.add_to(
        &format!("scenarios/{}", scenario.file_name().display()),
        "// A remark.\n",
    );
    assert_eq!(mods.files_run(), all, "a scenario");
    mods.memory.program = "another one".into();
    assert_eq!(mods.files_run(), all, "the program");
    assert_eq!(mods.files_run(), BTreeSet::new());
}

#[test]
fn what_failed_is_run_again() {
    let mods = Remembering::new("failed");
    mods.add_to(
        "tests/drill.luau",
        "test.case(\"fails\", {}, function(t)\n    t:ok(false, \"it does not\")\nend)\n",
    );
    for _ in 0..2 {
        let results = mods.run();
        let failed: Vec<_> = results
            .iter()
            .filter(|one| one.failure.is_some())
            .map(|one| &*one.name)
            .collect();
        assert_eq!(failed, ["fails"]);
        assert!(
            results
                .iter()
                .filter(|one| one.file == "tests/drill.luau")
                .all(|one| !one.is_remembered)
        );
    }
}
