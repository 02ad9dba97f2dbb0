//! Cases that begin with one scenario: it is begun once for all of them, and none
//! of them knows.

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::testing::{Filter, TestKind, TestResult, audit_rows, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::root;
use kernel::value::Name;

const CLAUSE: &str = r#"groups: [
        Group(id: "muster", title: "Muster", clauses: [
            Clause(id: "drill.muster.count", title: "Counting",
                text: "A squad begins with the men that the table says.", source: "p. 4", effect: Adds),
        ]),"#;

const MEN: &str = r#"[
    Table(id: "drill.muster.men", title: "Men", source: "p. 4", cites: ["drill.muster.count"],
        key: [("sort", "rifles|guard")], columns: [("men", "integer 0..10")], rows: [
        ("rifles", 5),
        ("guard", 2),
    ]),
]"#;

const RULES: &str = r#"--!strict
-- Muster: squads are filled before the first turn.

--- [count] The men that a squad begins with.
function muster.men(_game: Reads): Integer
    return tables.muster_men:get("rifles").men
end

--- [count] Every squad is filled.
function muster.fill(game: Acts)
    for _, squad in kinds.Squad.all(game) do
        squad.strength = muster.men(game)
    end
end

--- [count]
muster.start = rules.phase { before = phases.orders_turn_start, automatic = muster.fill }
"#;

/// The second case is spoilt by anything that the first one leaves; neither calls a
/// rule of the clause itself.
const CASES: &str = r#"--!strict
for _, title in { "one", "another" } do
    test.case(title, { cites = { "drill.muster.count" } }, function(t)
        local squad = t:scenario("range"):get("blue-1")
        t:eq(squad.strength, 5)
        squad.strength = 1
        t:act("blue", "drill.orders.give", squad, { order = "shoot" })
        t:eq(t:scenario("range"):get("blue-1").strength, 5)
    end)
end
test.case("with a die that nobody rolls", {}, function(t)
    t:dice { "d8=4" }
    t:scenario("range")
    t:done("blue")
    t:done("red")
    local game = t:scenario("range")
    local squad = game:get("blue-1")
    t:act("blue", "drill.orders.give", squad, { order = "shoot" })
    t:done("blue")
    t:done("red")
    t:chits { "two" }
    t:act("blue", "drill.fire.aim", squad, { target = game:get("red-1") })
    t:decline("red")
    t:eq(t:events("drill.fire.shot")[1].result, "2 fall")
end)
"#;

fn mustered() -> Workshop {
    let (drill, faults) = Workshop::open(&[root().join("docs/examples/drill")]);
    assert!(faults.is_empty(), "{faults:?}");
    let mut files: BTreeMap<String, Arc<str>> = drill.sources()["drill"].to_files();
    let manifest = files["mod.ron"].replacen("groups: [", CLAUSE, 1);
    files.retain(|path, _| !path.starts_with("golden/") && !path.starts_with("tests/"));
    files.insert("mod.ron".into(), Arc::from(manifest));
    for (path, text) in [
        ("data/muster.ron", MEN),
        ("rules/muster.luau", RULES),
        ("tests/muster.luau", CASES),
    ] {
        files.insert(path.into(), Arc::from(text));
    }
    let sources = BTreeMap::from([(Name::from("drill"), Sources::from_memory("drill", files))]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn of_sort(results: &[TestResult], sort: TestKind) -> Vec<&TestResult> {
    results.iter().filter(|one| one.sort == sort).collect()
}

#[test]
fn cases_of_one_scenario_know_nothing_of_each_other() {
    let filter = Filter {
        mods: vec!["drill".into()],
        text: None,
    };
    let results = run_suite(&mustered(), &filter, None, &|_| {});
    for one in results.iter().filter(|one| one.file.starts_with("tests/")) {
        assert!(one.failure.is_none(), "{}: {:?}", one.name, one.failure);
    }
    let cases = of_sort(&results, TestKind::Case);
    assert_eq!(cases.len(), 3, "{cases:?}");
    for one in cases {
        assert!(
            one.reached.contains("drill.muster.count"),
            "{} begins with it: {:?}",
            one.name,
            one.reached
        );
    }
    assert_eq!(of_sort(&results, TestKind::ClauseOff).len(), 2);
}

/// A cell that only the beginning of a scenario reads is noticed when it is changed.
#[test]
fn what_a_beginning_reads_is_read_anew_from_a_table_that_was_changed() {
    let found = audit_rows(&mustered(), &Name::from("drill"), &|_| {}).unwrap();
    let noticed = |row: &str| {
        let mut cells = found.iter().filter(|cell| cell.row.contains(row));
        cells.any(|cell| cell.noticed.is_some())
    };
    assert!(noticed("rifles"), "{found:?}");
    assert!(!noticed("guard"), "{found:?}");
}

/// A base with a clause that is on by itself and one that is not, and a house rule
/// whose cases name the second, or both.
fn housed() -> Workshop {
    let base = r#"Mod(id: "game", version: "1.0.0", title: "Game", engine: "0.1", groups: [
        Group(id: "a", title: "A", clauses: [
            Clause(id: "game.a.usual", title: "Usual", text: "On.", effect: Adds),
            Clause(id: "game.a.extra", title: "Extra", text: "Off.", effect: Adds, default: false),
        ])])"#;
    let rules = "--!strict\n\n--- What counts.\nfunction a.count(_game: Reads): Integer\n    \
        return (if clauses.a_usual(_game) then 1 else 0) + (if clauses.a_extra(_game) then 10 else 0)\nend\n";
    let house = r#"Mod(id: "house", version: "1.0.0", title: "House", engine: "0.1", depends: [("game", "1")])"#;
    let cases = "--!strict\n\
        test.case(\"by what it cites\", { cites = { \"game.a.extra\" } }, function(t)\n    \
            t:eq(game.a.count(t:scenario(\"field\")), 11)\nend)\n\
        test.case(\"by what it asks for\", { with = { \"game.a.extra\" } }, function(t)\n    \
            t:eq(game.a.count(t:scenario(\"field\")), 11)\nend)\n\
        test.case(\"with less of it\", { with = { \"game.a.extra\" }, without = { \"game.a.usual\" } }, function(t)\n    \
            t:eq(game.a.count(t:scenario(\"field\")), 10)\nend)\n";
    let field = r#"Scenario(format: 1, id: "field", title: "Field", mods: ["game"], seed: 1,
        table: (width: "12in", depth: "12in"), sides: [(id: "one", title: "One")], entities: [])"#;
    let of = |id: &str, files: &[(&str, &str)]| {
        let files = files
            .iter()
            .map(|(path, text)| (path.to_string(), Arc::from(*text)))
            .collect();
        (Name::from(id), Sources::from_memory(id, files))
    };
    let sources = BTreeMap::from([
        of(
            "game",
            &[
                ("mod.ron", base),
                ("rules/a.luau", rules),
                ("scenarios/field.ron", field),
            ],
        ),
        of("house", &[("mod.ron", house), ("tests/house.luau", cases)]),
    ]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

#[test]
fn a_base_keeps_its_defaults_beside_a_clause_that_a_case_names() {
    let filter = Filter {
        mods: vec!["house".into()],
        text: None,
    };
    let results = run_suite(&housed(), &filter, None, &|_| {});
    let cases = of_sort(&results, TestKind::Case);
    assert_eq!(cases.len(), 3, "{results:?}");
    for one in cases {
        assert!(one.failure.is_none(), "{}: {:?}", one.name, one.failure);
    }
}

/// A shot for which a case has scripted no die: the game waited for nobody when it was rolled.
#[test]
fn what_goes_wrong_in_a_step_is_not_told_with_what_the_game_waits_for() {
    let (drill, faults) = Workshop::open(&[root().join("docs/examples/drill")]);
    assert!(faults.is_empty(), "{faults:?}");
    let mut files: BTreeMap<String, Arc<str>> = drill.sources()["drill"].to_files();
    files.retain(|path, _| !path.starts_with("golden/") && !path.starts_with("tests/"));
    let aimed = "local game = t:scenario(\"range\")\n    local squad = game:get(\"blue-1\")\n    \
        t:act(\"blue\", \"drill.orders.give\", squad, { order = \"shoot\" })\n    \
        t:done(\"blue\")\n    t:done(\"red\")\n    \
        t:act(\"blue\", \"drill.fire.aim\", squad, { target = game:get(\"red-1\") })\n    ";
    let case = |title: &str, then: &str| {
        format!("test.case(\"{title}\", {{}}, function(t)\n    {aimed}{then}\nend)\n")
    };
    let cases = [
        "--!strict\n".to_string(),
        case("no chit is scripted", "t:decline(\"red\")"),
        case(
            "the window is open",
            "t:eq(#t:events(\"drill.fire.shot\"), 1)",
        ),
    ]
    .concat();
    files.insert("tests/short.luau".into(), Arc::from(cases));
    let sources = BTreeMap::from([(Name::from("drill"), Sources::from_memory("drill", files))]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let filter = Filter {
        mods: vec!["drill".into()],
        text: None,
    };
    let results = run_suite(&workshop, &filter, None, &|_| {});
    let hint = |title: &str| {
        let mut cases = results.iter().filter(|one| one.name == title);
        let failure = cases.next().and_then(|one| one.failure.clone());
        failure
            .unwrap_or_else(|| panic!("{results:?}"))
            .hint
            .clone()
    };
    let waits = hint("no chit is scripted");
    assert!(
        waits.as_ref().is_none_or(|hint| !hint.contains("t:")),
        "{waits:?}"
    );
    let waits = hint("the window is open");
    assert!(waits.is_some_and(|hint| hint.contains("t:decline")));
}
