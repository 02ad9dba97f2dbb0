//! What words mean where they stand, as files are while they are written.

use super::{At, Meant, completion, meant};

const FILE: &str = "--!strict
local dsii = require(\"@dsii\")
local rules = require(\"@rules\")
local conf = dsii.conf

--- [test, dsii.fire.range else 0] Levels of the test. @open
--- cites: leader
function conf.levels_lost(game: Reads, unit: dsii.Unit): Integer
    local row = dsii.tables.conf_levels:get(unit.quality)
    return dsii.over.conf.bonus(game, \"dsii.conf.die\") + conf.
end
rules.wrap(conf.target, \"conf.test\", function(base) return base(";

/// Where a text begins in the file, and so many letters on.
fn at(text: &str, wanted: &str, on: usize) -> At {
    let (line, found) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(wanted))
        .unwrap();
    At {
        line,
        byte: found.find(wanted).unwrap() + on,
    }
}

fn of(wanted: &str, on: usize) -> Option<Meant> {
    meant("rules/a.luau", FILE, at(FILE, wanted, on))
}

fn way(parts: &[&str]) -> Option<Meant> {
    Some(Meant::Way(parts.iter().map(ToString::to_string).collect()))
}

fn clause(written: &str) -> Option<Meant> {
    Some(Meant::Clause {
        chapter: Some("conf".into()),
        clause: written.into(),
    })
}

#[test]
fn names_in_code_are_followed_by_the_locals_of_the_file() {
    assert_eq!(
        of("conf.levels_lost(game", 7),
        way(&["dsii", "conf", "levels_lost"])
    );
    assert_eq!(
        of("conf.levels_lost(game", 1),
        way(&["dsii", "conf"]),
        "the part under the cursor"
    );
    assert_eq!(of("dsii.Unit", 9), way(&["dsii", "Unit"]), "at its end");
    assert_eq!(
        of("dsii.tables", 14),
        way(&["dsii", "tables", "conf_levels"])
    );
    assert_eq!(of("dsii.over", 16), way(&["dsii", "over", "conf", "bonus"]));
    assert_eq!(
        of("conf.target", 6),
        way(&["dsii", "conf", "target"]),
        "in a file that does not parse"
    );
    assert_eq!(
        of("unit.quality", 7),
        None,
        "what an element has, types know"
    );
    assert_eq!(of("rules.wrap", 7), None, "the host is no mod");
}

#[test]
fn texts_are_ids_and_lists_over_rules_are_clauses() {
    assert_eq!(
        of("dsii.conf.die", 3),
        Some(Meant::Id("dsii.conf.die".into()))
    );
    assert_eq!(of("\"conf.test\"", 4), Some(Meant::Id("conf.test".into())));
    assert_eq!(of("[test,", 2), clause("test"));
    assert_eq!(of("dsii.fire.range", 8), clause("dsii.fire.range"));
    assert_eq!(of("cites: leader", 9), clause("leader"));
    assert_eq!(
        of("Levels of the test", 15),
        None,
        "its sentence is a sentence"
    );
}

#[test]
fn data_is_read_by_its_texts_and_cells() {
    let ron = "(cites: [\"dsii.conf.test\"], note: \"a \\\"b\"), id";
    let id = |text: &str| Some(Meant::Id(text.into()));
    assert_eq!(
        meant("data/a.ron", ron, at(ron, "conf.test", 2)),
        id("dsii.conf.test")
    );
    assert_eq!(meant("data/a.ron", ron, at(ron, "cites", 2)), None);
    assert_eq!(meant("data/a.ron", ron, at(ron, "), id", 4)), None);
    let csv = "weapon,clause\nHEL,dsii.fire.range\n";
    assert_eq!(
        meant("data/a.csv", csv, at(csv, "dsii", 0)),
        id("dsii.fire.range")
    );
    assert_eq!(meant("README.md", csv, at(csv, "dsii", 0)), None);
}

#[test]
fn places_beyond_a_text_mean_nothing() {
    for at in [At { line: 99, byte: 0 }, At { line: 0, byte: 99 }] {
        assert_eq!(meant("rules/a.luau", FILE, at), None);
        assert_eq!(completion("rules/a.luau", FILE, at), None);
    }
    let text = "local ä = 1";
    assert_eq!(
        meant("rules/a.luau", text, At { line: 0, byte: 7 }),
        None,
        "within a letter"
    );
}

#[test]
fn clauses_are_completed_after_short_names_and_within_lists() {
    let text = "--!strict\n--- [one, tw] Two.\nfunction fire.hit(game: Reads) end\nover.fire.die:shift(\"\", 1)\n";
    let typed = |wanted: &str, on: usize| {
        completion("rules/a.luau", text, at(text, wanted, on)).map(|completion| completion.typed)
    };
    assert_eq!(typed("over.fire", 21), Some(String::new()));
    assert_eq!(typed("[one, tw]", 8), Some("tw".into()));
    assert_eq!(
        typed("[one, tw]", 6),
        Some(String::new()),
        "after a comma and nothing more"
    );
}

#[test]
fn in_a_case_an_action_is_completed_where_one_stands() {
    let text = "t:act(\"blue\", \"drill.fire.\", squad)\nt:scenario(\"\")\nt:done(\"drill.\")\n";
    let is_action = |path: &str, wanted: &str, on: usize| {
        completion(path, text, at(text, wanted, on)).map(|completion| completion.is_action())
    };
    assert_eq!(is_action("tests/a.luau", "\"drill.fire", 12), Some(true));
    assert_eq!(
        is_action("tests/a.luau", "\"drill.fire", 1),
        Some(true),
        "of which nothing is written"
    );
    assert_eq!(
        is_action("rules/a.luau", "\"drill.fire", 12),
        Some(false),
        "a rule takes no action"
    );
    assert_eq!(
        is_action("tests/a.luau", "\"blue", 1),
        None,
        "the side stands first"
    );
    assert_eq!(is_action("tests/a.luau", "\"drill.\"", 7), Some(false));
}

#[test]
fn clauses_are_completed_where_lists_of_them_stand() {
    let typed = |path: &str, text: &str, wanted: &str, on: usize| {
        completion(path, text, at(text, wanted, on))
            .map(|completion| (completion.typed, completion.start))
    };
    assert_eq!(
        typed("rules/a.luau", FILE, "[test,", 3),
        Some(("te".into(), 5))
    );
    assert_eq!(
        typed("rules/a.luau", FILE, "\"conf.test", 1),
        Some((String::new(), 25))
    );
    assert_eq!(
        typed("rules/a.luau", FILE, "\"dsii.conf.die", 6),
        Some(("dsii.".into(), 39))
    );
    assert_eq!(
        typed("rules/a.luau", FILE, "\"@dsii\"", 1),
        None,
        "not every text is a clause"
    );
    let ron = "Table(title: \"\", cites: [\n    \"dsii.conf.test\",\n    \"\",\n])";
    assert_eq!(typed("data/a.ron", ron, "\"\", cites", 1), None);
    assert_eq!(
        completion("data/a.ron", ron, At { line: 2, byte: 5 }).map(|completion| completion.typed),
        Some(String::new())
    );
    assert_eq!(
        completion("data/a.ron", ron, At { line: 0, byte: 14 }),
        None
    );
}
