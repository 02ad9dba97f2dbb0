//! The mods of the repository: their own tests, and what is left of them when
//! one is taken away.

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::modset::selector::Request;
use houserule::testing::{Filter, TestResult, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::{Fixture, folder};
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
    let mut sources = whole.sources().clone();
    if sources.remove("iceburg").is_none() {
        return;
    }
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    for id in workshop.manifests().keys() {
        workshop.compose(&Request::parse(id).unwrap()).map_err(|faults| format!("{id}: {faults:?}")).unwrap();
    }
    let results = run_suite(&workshop, &Filter::default(), None, &|_| {});
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
    let mut files: BTreeMap<String, Arc<str>> = own.files;
    files.insert("scenarios/new.ron".into(), Arc::from(text("new")));
    files.insert("scenarios/old.ron".into(), Arc::from(text("old")));
    files.insert("golden/old.snap".into(), Arc::from("what nobody ever played\n"));
    files.insert("golden/stray.snap".into(), Arc::from("no scenario\n"));
    sources.insert(Arc::from("m"), houserule::modset::files::Sources::from_memory("m", files));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let filter = Filter { mods: vec!["m".into()], text: None };
    let results = run_suite(&workshop, &filter, None, &|_| {});
    let codes: Vec<_> =
        results.iter().filter_map(|one| one.failure.as_ref()).map(|fault| fault.code).collect();
    assert_eq!(codes, [FaultCode::BadGolden; 3], "{}", failures(&results));
}
