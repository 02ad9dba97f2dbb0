//! What writers of rules begin with and come back to: a new mod, the layout of
//! files, what is wrong in them, and the rule behind words of a page.

#[allow(dead_code, reason = "other tests use the rest")]
mod common;

use common::Scratch;

#[test]
fn mods_are_checked_alone_and_together() {
    let scratch = Scratch::new();
    assert_eq!(scratch.ok("check duel snipers").out, "2 mods, no problems\n");
    // Two replace one rule: each is fine alone.
    scratch.write(
        "mods/snipers/rules/aim.luau",
        "--!strict\nlocal rules = require(\"@rules\")\n\n\
         rules.replace(\"duel.fire.hits\", { cites = { \"snipers.aim.sure\" } }, function(_game, _shooter, _target)\n    \
         return true\nend)\n",
    );
    for path in ["mod.ron", "rules/aim.luau"] {
        let text = scratch.read(&format!("mods/snipers/{path}"));
        scratch.write(&format!("mods/hunters/{path}"), &text.replace("snipers", "hunters"));
    }
    scratch.ok("check snipers");
    scratch.ok("check hunters");
    scratch.fails(1, "check hunters snipers").says(&["F006", "duel.fire.hits", "`after: [\"hunters\"]`"]);
}

// ---- fmt -----------------------------------------------------------------------

#[test]
fn files_are_laid_out_once_and_for_all() {
    let scratch = Scratch::new();
    scratch.ok("fmt");
    scratch.ok("fmt --check").says(&["files, 0 laid out otherwise"]);
    let right = scratch.read("mods/duel/tests/fire.luau");
    scratch.write("mods/duel/tests/fire.luau", &right.replace("    ", "  "));
    let ran = scratch.fails(1, "fmt --check duel");
    ran.says(&["duel/tests/fire.luau", "1 laid out otherwise"]);
    assert_ne!(scratch.read("mods/duel/tests/fire.luau"), right, "`--check` changes nothing");
    let json = scratch.fails(1, "fmt --check duel --format json").document();
    assert_eq!(json["changed"].as_array().map(Vec::len), Some(1));
    scratch.ok("fmt mods/duel/tests/fire.luau").says(&["1 file, 1 laid out"]);
    assert_eq!(scratch.read("mods/duel/tests/fire.luau"), right);
    scratch.write("mods/duel/tests/fire.luau", "local a = = 1\n");
    scratch.fails(1, "fmt duel").says(&["F002", "fire.luau:1"]);
    assert_eq!(scratch.read("mods/duel/tests/fire.luau"), "local a = = 1\n");
    scratch.fails(2, "fmt nosuch").says(&["`nosuch` is no mod, file or folder"]);
}

#[test]
fn rules_are_found_by_words_of_the_page() {
    let scratch = Scratch::new();
    let first = scratch.ok("rules duel --find range-band").out;
    assert!(first.starts_with("duel.fire.band("), "{first}");
    let json = scratch.ok("rules duel --find hits --format json").document();
    assert_eq!(json["rules"][0]["id"], "duel.fire.hits");
    scratch.ok("rules duel --find zeppelin").says(&["no rule, clause or title has the words `zeppelin`"]);
}

// ---- new ---------------------------------------------------------------------

#[test]
fn a_game_of_ones_own_runs_at_once() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game").says(&["yard: change the rule, then `houserule test yard`"]);
    assert_eq!(scratch.ok("check yard").out, "1 mod, no problems\n");
    scratch.ok("test yard");
    scratch.ok("run yard-first --turns 2").says(&["At the range", "rules     yard\n"]);
    for path in ["mod.ron", "rules/fire.luau", "scenarios/yard-first.ron"] {
        let text = scratch.read(&format!("mods/yard/{path}"));
        assert!(!text.to_lowercase().contains("drill"), "{path}: {text}");
    }
    scratch.fails(2, "new yard --game").says(&["is there already"]);
}

#[test]
fn a_mod_begins_with_a_change_that_its_case_needs() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    scratch.ok("new strict --wrap yard.fire.barred");
    assert_eq!(scratch.ok("check strict").out, "1 mod, no problems\n");
    scratch.ok("test strict");
    let case = scratch.read("mods/strict/tests/change.luau");
    assert!(case.contains("yard.fire.barred(game, game:get("), "{case}");
    scratch.ok("fmt --check strict");
    scratch.edit("mods/strict/rules/change.luau", " or rules.reason(\"the club does not allow it\")", "");
    scratch.fails(1, "test strict");
    scratch
        .fails(2, "new other --line yard.fire.barred")
        .says(&["not open for lines", "--wrap yard.fire.barred"]);
    scratch.fails(2, "new other --wrap yard.fire.resolve").says(&["does more than read"]);
    scratch.fails(2, "new other --wrap yard.fire.bared").says(&["no scenario of `yard` plays by a rule"]);
    scratch.fails(2, "new other").says(&["--extends"]);
}
