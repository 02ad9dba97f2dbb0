//! Rules that come out otherwise after a save: what is made again, and that all is
//! then as if all had been.

use std::fs;
use std::path::{Path, PathBuf};

use houserule::embed::{Others, ReloadMode, Start, Tabletop};
use houserule_tests::{copy_folder, root};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{Edit, Yard, are_alike_all_the_way_back, events, outcome, play};

/// Edits after which a raid takes another course.
const OTHERWISE: [Edit; 3] = [
    (
        "dsii/rules/conf/3_test.luau",
        "2 * score <= target",
        "2 * score <= target + 1",
    ),
    (
        "dsii/rules/conf/3_test.luau",
        "unit.leadership + threat",
        "unit.leadership + threat + 1",
    ),
    (
        "dsii/rules/fire/2_aim.luau",
        "fire_target_die:get(size).die",
        "fire_target_die:get(math.max(1, size - 1)).die",
    ),
];

/// Where a rule comes out otherwise, what shares nothing with what is another
/// is not made again, and all is as if it had been.
#[test]
fn a_raid_that_takes_another_course_is_made_again_as_far_as_it_matters() {
    let yard = Yard::new();
    copy_folder(&root().join("mods/dsii"), &yard.path("dsii")).unwrap();
    for edit in OTHERWISE {
        let start = Start {
            scenario: "dsii/border-raid".into(),
            others: Others::Scenario,
            ..Start::default()
        };
        let mut table = Tabletop::start(&yard.folders(), &start).unwrap();
        table.expect_reloads().unwrap();
        play(&mut table, 220);
        let mut whole = yard.copy(&mut table);
        let before = table.hash();
        yard.edit(edit);
        let all = whole.reload(ReloadMode::AsAlways, "referee").unwrap();
        let some = table.reload(ReloadMode::AsAlways, "referee").unwrap();
        let parted = some.difference.as_ref().expect("another course").decision;
        assert!(
            some.made_again + parted < some.decisions,
            "{edit:?}: {some:?}"
        );
        assert_eq!(outcome(Ok(some)), outcome(Ok(all)), "{edit:?}");
        yard.edit(edit);
        if table.standing().redoable == 0 {
            let mut back = yard.copy(&mut table);
            back.reload(ReloadMode::AsAlways, "referee").unwrap();
            assert_eq!(back.hash(), before, "{edit:?} taken back");
        }
        are_alike_all_the_way_back(table, whole);
    }
}

/// It is so at the first reload of a match that was loaded, too.
#[test]
fn a_raid_that_was_loaded_is_made_again_as_far_as_it_matters() {
    let yard = Yard::new();
    copy_folder(&root().join("mods/dsii"), &yard.path("dsii")).unwrap();
    let start = Start {
        scenario: "dsii/border-raid".into(),
        others: Others::Scenario,
        ..Start::default()
    };
    let mut played = Tabletop::start(&yard.folders(), &start).unwrap();
    play(&mut played, 160);
    let mut whole = yard.copy(&mut played);
    let mut table = yard.loaded(&mut played);
    play(&mut table, 20);
    play(&mut whole, 20);
    assert!(table.is_cold() && !whole.is_cold());
    table.warm_up();
    assert!(!table.is_cold());
    yard.edit(OTHERWISE[0]);
    let all = whole.reload(ReloadMode::AsAlways, "referee").unwrap();
    let some = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!((all.decisions, all.made_again), (180, 180));
    assert!(some.made_again < 90, "{some:?}");
    assert_eq!(outcome(Ok(some)), outcome(Ok(all)));
    are_alike_all_the_way_back(table, whole);
}

/// Scenarios that are played by rules which are edited anywhere.
const EDITED: [(&str, &str); 8] = [
    ("dsii", "skirmish"),
    ("dsii", "first-contact"),
    ("dsii", "ambush"),
    ("iceburg", "commando-raid"),
    ("iceburg", "steel-melee"),
    ("netepic", "broken-line"),
    ("netepic", "infiltration"),
    ("netepic", "crossroads"),
];

/// What an edit puts in the place of what, somewhere in a file of rules.
const TURNS: [(&str, &str); 8] = [
    (" + 1", " + 2"),
    (" - 1", " - 0"),
    (" <= ", " < "),
    (" > ", " >= "),
    (" == ", " ~= "),
    (" and ", " or "),
    ("if not ", "if "),
    ("local ", " local "),
];

/// The files of rules of a mod, in order.
fn files_of_rules(module: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![module.join("rules")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|end| end == "luau") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

/// Edits a file of rules of a mod at a place where it can be; false where it cannot.
fn edited_somewhere(files: &[PathBuf], at: usize, place: usize) -> bool {
    let file = &files[at % files.len()];
    let text = fs::read_to_string(file).unwrap();
    let (from, to) = TURNS[place % TURNS.len()];
    let places: Vec<_> = text.match_indices(from).map(|(place, _)| place).collect();
    let Some(start) = places.get(place / TURNS.len() % places.len().max(1)) else {
        return false;
    };
    let (before, rest) = text.split_at(*start);
    let after = &rest[from.len()..];
    fs::write(file, format!("{before}{to}{after}")).unwrap();
    true
}

/// Plays a scenario with edits anywhere in the rules on the way: what is made
/// again comes to what all comes to.
fn edited_anywhere(which: usize, seed: u64, course: &[(usize, usize, usize)]) {
    let (module, scenario) = EDITED[which];
    let yard = Yard(std::env::temp_dir().join(format!(
        "houserule-edited-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    )));
    for needed in ["dsii", module] {
        let _ = fs::remove_dir_all(yard.path(needed));
        copy_folder(&root().join("mods").join(needed), &yard.path(needed)).unwrap();
    }
    let files = files_of_rules(&yard.path(module));
    let start = Start {
        scenario: format!("{module}/{scenario}"),
        seed: Some(seed),
        others: Others::Scenario,
        ..Start::default()
    };
    let mut table = Tabletop::start(&yard.folders(), &start).unwrap();
    table.expect_reloads().unwrap();
    for (decisions, at, place) in course {
        // What was edited anywhere may break.
        for _ in 0..*decisions {
            if !matches!(table.bot_turn(), Ok(Some(_))) {
                break;
            }
        }
        if !edited_somewhere(&files, *at, *place) {
            continue;
        }
        let mut whole = yard.copy(&mut table);
        let all = outcome(whole.reload(ReloadMode::AsAlways, "referee"));
        let some = outcome(table.reload(ReloadMode::AsAlways, "referee"));
        assert_eq!(some, all, "{module}/{scenario}, seed {seed}");
        if some.is_ok() {
            assert_eq!(table.hash(), whole.hash());
            assert_eq!(events(&table), events(&whole));
        }
        // What is set aside may come back, and a copy does not have it.
        if table.standing().redoable > 0 {
            are_alike_all_the_way_back(table, whole);
            return;
        }
    }
}

#[test]
fn rules_that_are_edited_anywhere_come_to_what_all_comes_to() {
    let mut runner = TestRunner::new(Config {
        cases: Config::default().cases.min(8),
        failure_persistence: None,
        ..Config::default()
    });
    let first = (60usize..200, any::<usize>(), any::<usize>());
    let more = prop::collection::vec((0usize..15, any::<usize>(), any::<usize>()), 2..6);
    let edits = (first, more).prop_map(|(first, more)| [vec![first], more].concat());
    runner
        .run(
            &(0..EDITED.len(), 0u64..1000, edits),
            |(which, seed, course)| {
                edited_anywhere(which, seed, &course);
                Ok(())
            },
        )
        .unwrap();
}
