//! House rules can be taken in parts: under any subset of Iceburg that is
//! closed under what its clauses require, a case of the base comes out
//! otherwise only because of a clause that it meets, and games come to their
//! end.
//!
//! The suite tries a few cases and games; `HOUSERULE_SUBSETS=100 cargo test
//! --release -p houserule-tests --test subsets` tries every case and every
//! scenario under each group alone, each clause alone, all, and 100 random
//! subsets.

#![allow(clippy::unwrap_used, reason = "tests stop where they go wrong")]

use houserule::modset::selector::Request;
use houserule::testing::{Filter, Plan, Subset, SubsetResult, audit_subsets, subsets_of};
use houserule::workshop::Workshop;
use houserule_tests::root;
use kernel::value::Name;
use rayon::prelude::*;

fn workshop() -> Workshop {
    let (workshop, faults) = Workshop::open(&[root().join("mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn request(line: &str) -> Request {
    Request::parse(line).unwrap()
}

fn audit(workshop: &Workshop, house: &str, text: Option<&str>, plan: &Plan) -> Vec<SubsetResult> {
    let base: Name = "dsii".into();
    let filter = Filter {
        mods: vec![base.clone()],
        text: text.map(str::to_string),
    };
    audit_subsets(workshop, &filter, &base, &request(house), plan, &|_| {}).unwrap()
}

fn requested() -> Option<usize> {
    std::env::var_os("HOUSERULE_SUBSETS")?
        .to_str()?
        .parse()
        .ok()
}

fn wrong(results: &[SubsetResult]) -> String {
    let mut text = String::new();
    for result in results.iter().filter(|result| !result.is_sound()) {
        let nobodys: Vec<_> = result
            .differences
            .iter()
            .filter(|one| one.made_by.is_empty())
            .collect();
        let broken: Vec<_> = result
            .games
            .iter()
            .filter(|game| game.fault.is_some())
            .collect();
        text += &format!(
            "{} ({}): {:?} {nobodys:?} {broken:?}\n",
            result.name, result.line, result.fault
        );
    }
    text
}

/// Every group alone, every clause alone, all, and random subsets, each closed.
#[test]
fn the_subsets_are_those_that_are_promised() {
    let workshop = workshop();
    let random = requested().unwrap_or(10);
    let plan = Plan {
        random: Some(random),
        seed: 7,
        games: 0,
        turns: 1,
    };
    let subsets = subsets_of(&workshop, &request("iceburg"), &plan).unwrap();
    let manifest = workshop.manifest("iceburg").unwrap();
    let clauses = manifest.clauses().count();
    assert_eq!(subsets.len(), 1 + manifest.groups.len() + clauses + random);
    assert_eq!(subsets[0].clauses.len(), clauses);
    let fault = |subset: &Subset| {
        workshop
            .compose_alone(&subset.request)
            .err()
            .map(|faults| format!("{}: {faults:?}", subset.name))
    };
    let faults: Vec<String> = subsets.par_iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

/// The whole of it if it is asked for, else some cases and games of one group.
#[test]
fn every_difference_has_its_clause_and_every_game_its_end() {
    let workshop = workshop();
    let results = match requested() {
        Some(random) => {
            let plan = Plan {
                random: Some(random),
                seed: 1996,
                games: 1,
                turns: 2,
            };
            audit(&workshop, "iceburg", None, &plan)
        }
        None => {
            let plan = Plan {
                random: Some(2),
                seed: 1996,
                games: 0,
                turns: 1,
            };
            let mut results = audit(
                &workshop,
                "iceburg:cb",
                Some("tests/counter_battery"),
                &plan,
            );
            let plan = Plan {
                random: None,
                seed: 3,
                games: 1,
                turns: 1,
            };
            results.extend(audit(
                &workshop,
                "iceburg",
                Some("points of weapons"),
                &plan,
            ));
            results
        }
    };
    assert_eq!(wrong(&results), "");
    let differences: usize = results.iter().map(|result| result.differences.len()).sum();
    assert!(
        differences > 4,
        "only {differences} differences: the house rules change nothing?"
    );
}
