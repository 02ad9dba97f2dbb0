//! Two mods of house rules over one base, neither of which knows the other:
//! what they wrap both goes in its order, what they write both is a conflict
//! that names both, and nothing else is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::Request;
use houserule::rulebook::{LayerKind, Rulebook};
use houserule::testing::{
    CaseDifference, Filter, Plan, Subset, audit_subsets, run_suite, subsets_of,
};
use houserule::workshop::Workshop;
use houserule_tests::{folder, root};
use kernel::book::PhaseBody;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

/// The clauses of the rival that write what Iceburg writes.
const COLLIDE: &str = "redoubt.price.autocannon redoubt.price.shells";

/// The mods of the repository and the rival, with its manifest as it is or
/// with another.
fn workshop(edit: impl Fn(&str) -> String) -> Workshop {
    let (whole, faults) = Workshop::open(&[root().join("mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let rival = Sources::read(&folder("rivals/redoubt")).unwrap();
    let mut files = rival.to_files();
    let manifest = edit(&files["mod.ron"]);
    files.insert("mod.ron".into(), Arc::from(manifest));
    let mut sources = whole.sources().clone();
    sources.insert(rival.id.clone(), Sources::from_memory(&rival.id, files));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn compose(workshop: &Workshop, line: &str) -> Result<std::rc::Rc<Rulebook>, Vec<Fault>> {
    workshop
        .compose(&Request::parse(line).unwrap())
        .map(|chosen| chosen.rulebook)
}

/// Who wraps a rule, innermost first.
fn wrapped_by(rulebook: &Rulebook, rule: &str) -> Vec<String> {
    let layers = &rulebook.rules()[rule].layers;
    let wraps = layers.iter().filter(|layer| layer.kind == LayerKind::Wrap);
    let mut mods: Vec<String> = wraps.map(|layer| layer.module.to_string()).collect();
    mods.dedup();
    mods.retain(|module| module != "dsii");
    mods
}

fn cell(rulebook: &Rulebook, table: &str, key: &str) -> Option<Value> {
    let rows: Vec<_> = rulebook.tables()[table].rows().collect();
    rows.iter()
        .find(|(at, _)| at[0] == Value::text(key))
        .map(|(_, row)| row.cells[0].clone())
}

fn same(text: &str) -> String {
    text.to_string()
}

#[test]
fn wraps_of_two_mods_go_in_their_order() {
    let workshop = workshop(same);
    let rulebook = compose(&workshop, "iceburg redoubt:street").unwrap();
    assert_eq!(
        wrapped_by(&rulebook, "dsii.inf.vehicle_chits"),
        ["iceburg", "redoubt"]
    );
    assert_eq!(
        wrapped_by(&rulebook, "dsii.conf.bonus"),
        ["redoubt", "iceburg"],
        "as its `before` says"
    );
    let other_way = compose(&workshop, "redoubt:street iceburg").unwrap();
    assert_eq!(
        wrapped_by(&other_way, "dsii.inf.vehicle_chits"),
        ["iceburg", "redoubt"]
    );
}

/// And do what that order says, each with its clause and without.
#[test]
fn the_cases_of_the_rival_pass() {
    let workshop = workshop(same);
    let filter = Filter {
        mods: vec!["redoubt".into()],
        text: None,
    };
    let results = run_suite(&workshop, &filter, None, &|_| {});
    let failed: Vec<_> = results
        .iter()
        .filter_map(|one| Some((&one.name, one.failure.as_ref()?)))
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert!(results.len() >= 8, "{} results", results.len());
}

#[test]
fn what_both_write_is_a_conflict_that_names_both() {
    let workshop = workshop(same);
    let mut faults = compose(&workshop, &format!("iceburg redoubt {COLLIDE}"))
        .err()
        .unwrap();
    faults.sort_by(|a, b| a.message.cmp(&b.message));
    let reported: Vec<(FaultCode, &str, &str)> = faults
        .iter()
        .map(|fault| {
            (
                fault.code,
                fault.message.as_str(),
                fault.hint.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    for ((code, message, hint), row) in reported
        .iter()
        .zip(["dsii.design.cap_carriage", "dsii.points.weapons"])
    {
        assert_eq!(*code, FaultCode::Conflict);
        assert!(
            message.contains("`iceburg` and `redoubt`") && message.contains(row),
            "{message}"
        );
        assert!(hint.contains("after: [\"iceburg\"]"), "{hint}");
    }
}

/// A clause that is off collides with nothing, and one collision is one fault.
#[test]
fn nobody_is_told_of_a_conflict_that_is_none() {
    let workshop = workshop(same);
    for line in [
        "iceburg redoubt".to_string(),
        "iceburg redoubt.price.cannon".to_string(),
        format!("redoubt {COLLIDE}"),
        format!("iceburg redoubt {COLLIDE} -iceburg.rfac.cost -iceburg.artillery.extra_ammo"),
        format!("iceburg:sam redoubt {COLLIDE}"),
    ] {
        let composed = compose(&workshop, &line);
        assert!(composed.is_ok(), "{line}: {:?}", composed.err());
    }
    for (line, count) in [
        (
            "iceburg.rfac.cost redoubt redoubt.price.autocannon redoubt.price.shells",
            1,
        ),
        ("iceburg redoubt.price.shells", 1),
    ] {
        assert_eq!(
            compose(&workshop, line).err().map(|faults| faults.len()),
            Some(count),
            "{line}"
        );
    }
}

/// With a stated order the later mod has the last word, on its own cell alone.
#[test]
fn a_stated_order_settles_it() {
    let depends = "depends: [(\"dsii\", \"^0.1\")],";
    let workshop =
        workshop(|text| text.replace(depends, &format!("{depends} after: [\"iceburg\"],")));
    let rulebook = compose(&workshop, "iceburg redoubt redoubt.price.autocannon").unwrap();
    assert_eq!(
        cell(&rulebook, "dsii.points.weapons", "RFAC"),
        Some(Value::Int(7))
    );
    assert_eq!(
        cell(&rulebook, "dsii.points.weapons", "HVC"),
        Some(Value::Int(7))
    );
    assert_eq!(
        cell(&rulebook, "dsii.design.cap_carriage", "light marker"),
        Some(Value::Int(1))
    );
}

/// What the rival changes of the base is the rival's, clause by clause.
#[test]
fn the_rival_can_be_taken_in_parts() {
    let workshop = workshop(same);
    let base: Name = "dsii".into();
    let filter = Filter {
        mods: vec![base.clone()],
        text: Some("points of weapons".into()),
    };
    let plan = Plan {
        random: Some(4),
        seed: 1,
        games: 0,
        turns: 1,
    };
    let house = Request::parse("redoubt:street,price,price.autocannon,price.shells").unwrap();
    let results = audit_subsets(&workshop, &filter, &base, &house, &plan, &|_| {}).unwrap();
    assert!(
        results.iter().all(|result| result.is_sound()),
        "{results:?}"
    );
    let of = |name: &str| {
        results
            .iter()
            .find(|result| result.name == name)
            .unwrap()
            .differences
            .len()
    };
    assert!(of("clause redoubt.price.autocannon") > 0 && of("clause redoubt.price.cannon") > 0);
    assert_eq!(of("clause redoubt.street.belts"), 0);
}

/// House rules of two mods are tried together, and each by itself, with options of those
/// that are there.
#[test]
fn house_rules_of_two_mods_are_taken_in_parts_together() {
    let workshop = workshop(same);
    let line = "iceburg:cb redoubt:street iceburg.cb.mixed=first";
    let house = Request::parse(line).unwrap();
    let plan = Plan {
        random: Some(8),
        seed: 1,
        games: 0,
        turns: 1,
    };
    let subsets = subsets_of(&workshop, &house, &plan).unwrap();
    assert_eq!(subsets[0].request, house);
    let of = |name: &str| subsets.iter().find(|one| one.name == name).unwrap();
    for (name, here, away) in [
        ("group cb", "iceburg.", "redoubt."),
        ("group street", "redoubt.", "iceburg."),
        ("clause redoubt.street.belts", "redoubt.", "iceburg."),
    ] {
        let clauses = &of(name).clauses;
        assert!(clauses.iter().all(|id| id.starts_with(here)), "{clauses:?}");
        let line = of(name).request.to_string();
        assert!(!line.contains(away), "{line}");
        assert_eq!(line.contains("iceburg.cb.mixed=first"), here == "iceburg.");
    }
    let both = |subset: &&Subset| {
        let of = |owner: &str| subset.clauses.iter().any(|id| id.starts_with(owner));
        of("iceburg.") && of("redoubt.")
    };
    assert!(subsets.iter().filter(both).count() > 2);

    let (base, text): (Name, _) = ("dsii".into(), Some("rockets spare infantry".into()));
    let mods = vec![base.clone()];
    let filter = Filter { mods, text };
    let plan = Plan {
        random: None,
        games: 1,
        ..plan
    };
    let results = audit_subsets(&workshop, &filter, &base, &house, &plan, &|_| {}).unwrap();
    assert!(results[0].is_sound(), "{results:?}");
    assert_eq!((results[0].cases, &*results[0].line), (1, line));
}

/// What a house rule brings along that it stands on makes differences too.
#[test]
fn a_difference_is_made_by_the_rule_that_comes_along() {
    let mut sources = workshop(same).sources().clone();
    let manifest = r#"Mod(id: "annex", version: "1.0.0", title: "Annex", engine: "0.1", depends: [("redoubt", "*")], groups: [])"#;
    let files = [("mod.ron".to_string(), Arc::from(manifest))];
    sources.insert("annex".into(), Sources::from_memory("annex", files.into()));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let base: Name = "dsii".into();
    let filter = Filter {
        mods: vec![base.clone()],
        text: Some("points of weapons".into()),
    };
    let plan = Plan {
        random: None,
        seed: 1,
        games: 0,
        turns: 1,
    };
    let house = Request::parse("annex").unwrap();
    let results = audit_subsets(&workshop, &filter, &base, &house, &plan, &|_| {}).unwrap();
    let differences = &results[0].differences;
    assert!(
        !differences.is_empty() && results[0].is_sound(),
        "{results:?}"
    );
    let makers = differences.iter().flat_map(|one| &one.made_by);
    assert!(
        makers.clone().all(|id| id.starts_with("redoubt.")),
        "{results:?}"
    );
}

/// A house rule that rolls before the first decision breaks cases off as their scenario begins; that is its clause's
/// doing all the same.
#[test]
fn what_breaks_off_as_a_scenario_begins_has_a_maker() {
    let manifest = r#"Mod(id: "gale", version: "1.0.0", title: "Gale", engine: "0.1", depends: [("dsii", "^0.1")], groups: [
        Group(id: "sky", title: "Sky", clauses: [Clause(id: "gale.sky.wind", title: "Wind", text: "It blows.", effect: Adds)])])"#;
    let rules = "-- The wind of a turn.\n\n--- [wind] It blows.\nfunction sky.blow(game: Acts)\n    game:roll(6, \"wind\")\nend\n\n\
        --- [wind]\nsky.gust = rules.phase { before = dsii.phases.seq_turn_start, automatic = sky.blow }\n";
    let files = [("mod.ron", manifest), ("rules/sky.luau", rules)];
    let files = files.map(|(path, text)| (path.to_string(), Arc::from(text)));
    let mut sources = workshop(same).sources().clone();
    sources.insert("gale".into(), Sources::from_memory("gale", files.into()));
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let base: Name = "dsii".into();
    let (mods, text) = (
        vec![base.clone()],
        Some("routed armour that has interrupted".into()),
    );
    let filter = Filter { mods, text };
    let plan = Plan {
        random: None,
        seed: 1,
        games: 0,
        turns: 1,
    };
    let house = Request::parse("gale").unwrap();
    let results = audit_subsets(&workshop, &filter, &base, &house, &plan, &|_| {}).unwrap();
    let differences = &results[0].differences;
    let is_told = |one: &CaseDifference| *one.made_by == ["gale.sky.wind"];
    assert!(
        !differences.is_empty() && differences.iter().all(is_told),
        "{results:?}"
    );
}

/// A mod over Dirtside II with one rules file.
fn over_base(id: &str, rules: &str) -> Sources {
    let manifest = format!(
        r#"Mod(id: "{id}", version: "1.0.0", title: "{id}", engine: "0.1", depends: [("dsii", "^0.1")], groups: [])"#
    );
    let rules = format!("-- Over Dirtside II.\n{rules}\n");
    let files = [("mod.ron", manifest), ("rules/x.luau", rules)];
    Sources::from_memory(
        id,
        files
            .map(|(path, text)| (path.to_string(), Arc::from(text)))
            .into(),
    )
}

/// Two mods that put a phase around the same one, and a third that puts one
/// before it.
#[test]
fn phases_go_around_each_other_as_wraps_do() {
    let twice = r#"local all = dsii.phases.seq_activations
turn.twice = rules.phase { around = all, sequence = { all, all } }"#;
    let framed = r#"local all = dsii.phases.seq_activations
turn.framed = rules.phase { around = all, sequence = { phases.turn_drums, all } }
turn.drums = rules.phase {}
function turn.drums_automatic(_game: Acts)
end"#;
    let fog = r#"turn.lifts = rules.phase { before = dsii.phases.seq_activations }
function turn.lifts_automatic(_game: Acts)
end"#;
    let mut sources = workshop(same).sources().clone();
    for made in [
        over_base("early", twice),
        over_base("fog", fog),
        over_base("late", framed),
    ] {
        sources.insert(made.id.clone(), made);
    }
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let held = |rulebook: &Rulebook, id: &str| match &rulebook.book().phases[id].body {
        PhaseBody::Sequence(list) => list.join(" "),
        other => panic!("{other:?}"),
    };
    let plain = compose(&workshop, "dsii").unwrap();
    let turn = held(&plain, "dsii.seq.turn");
    let all = compose(&workshop, "early fog late").unwrap();
    assert_eq!(
        held(&all, "dsii.seq.turn"),
        turn.replace("dsii.seq.activations", "fog.turn.lifts late.turn.framed")
    );
    assert_eq!(
        held(&all, "late.turn.framed"),
        "late.turn.drums early.turn.twice"
    );
    assert_eq!(
        held(&all, "early.turn.twice"),
        "dsii.seq.activations dsii.seq.activations"
    );
}
