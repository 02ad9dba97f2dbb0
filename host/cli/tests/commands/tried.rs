//! Rules that are tried: `houserule test`, `replay`, `eval` and `why`.

use std::io::Write as _;
use std::process::Stdio;

use super::common::{Ran, Scratch};

// ---- test ----------------------------------------------------------------------

#[test]
fn a_missing_golden_fails_until_it_is_accepted() {
    let scratch = Scratch::new();
    let failed = [
        "FAILED",
        "first_shot",
        "+    shot      bandit is hit",
        "passed, 1 failed\n",
    ];
    scratch.fails(1, "test").says(&failed);
    scratch.ok("test --accept").says(&["wrote", "0 failed\n"]);
    assert!(
        scratch
            .read("mods/duel/golden/first_shot.snap")
            .contains("bandit is hit")
    );
    scratch.ok("test").says(&[
        " passed, 0 failed\n",
        "of them passed before",
        "`--again` runs all",
    ]);
    let ran = scratch.ok("test --again");
    assert!(
        ran.out.ends_with(" passed, 0 failed\n") && ran.out.lines().count() == 1,
        "{}",
        ran.out
    );
    scratch.edit(
        "mods/duel/golden/first_shot.snap",
        "bandit is hit",
        "bandit is fine",
    );
    scratch.fails(1, "test duel").says(&[
        "-    shot      bandit is fine",
        "+    shot      bandit is hit",
    ]);
}

#[test]
fn a_review_asks_of_each_golden() {
    let scratch = Scratch::new();
    let answer = |text: &str| {
        let mut child = scratch
            .command("test --review")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        Ran::of(child.wait_with_output().unwrap())
    };
    assert_eq!(answer("n\n").code, 1);
    assert_eq!(answer("q\n").code, 1);
    assert_eq!(answer("").code, 1);
    assert!(!scratch.0.join("mods/duel/golden").exists());
    let yes = answer("what?\ny\n");
    assert_eq!(yes.code, 0, "{}", yes.out);
    yes.says(&["bandit is hit", "accept it? [y/n/q]", "wrote"]);
    scratch.ok("test");
}

#[test]
fn goldens_are_not_written_in_a_pipeline() {
    let scratch = Scratch::new();
    let ran = Ran::of(
        scratch
            .command("test --accept")
            .env("CI", "true")
            .output()
            .unwrap(),
    );
    assert_eq!(ran.code, 2);
    assert!(!scratch.0.join("mods/duel/golden").exists());
}

#[test]
fn tests_are_chosen_by_mod_path_and_text() {
    let scratch = Scratch::new();
    scratch.ok("test snipers").says(&["0 passed, 0 failed"]);
    scratch
        .ok("test --filter four")
        .says(&["2 passed, 0 failed"]);
    scratch
        .ok("test mods/duel/tests/fire.luau")
        .says(&["4 passed, 0 failed"]);
    scratch
        .ok("test mods/duel --filter close")
        .says(&["2 passed, 0 failed"]);
    scratch
        .fails(1, "test mods/duel/scenarios/first_shot.ron")
        .says(&["0 passed, 1 failed"]);
    scratch
        .fails(1, "test dual")
        .says(&["did you mean `duel`?"]);
}

#[test]
fn a_failing_case_shows_its_line() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/duel/tests/fire.luau",
        "12 * 25400), \"close\"",
        "13 * 25400), \"close\"",
    );
    let ran = scratch.fails(1, "test duel --filter twelve");
    ran.says(&[
        "FAILED",
        "duel/tests/fire.luau",
        "twelve inches is close",
        "F049",
        "0 passed, 1 failed",
    ]);
    let lines = scratch
        .fails(1, "test duel --filter twelve --format json")
        .lines();
    assert_eq!(
        (lines[0]["type"].as_str(), lines[0]["passed"].as_bool()),
        (Some("test"), Some(false))
    );
    assert_eq!(lines[0]["failure"]["code"], "F049");
    assert_eq!(
        lines[1],
        serde_json::json!({"type": "summary", "passed": 0, "failed": 1, "remembered": 0})
    );
}

// ---- replay --------------------------------------------------------------------

#[test]
fn a_journal_replays_though_the_mods_are_gone() {
    let scratch = Scratch::new();
    let reported = scratch
        .ok("run noon --with snipers --journal duel.journal --durable")
        .out;
    std::fs::remove_dir_all(scratch.0.join("mods")).unwrap();
    assert_eq!(scratch.ok("replay duel.journal --report").out, reported);
    scratch
        .ok("replay duel.journal --verify")
        .says(&["1 decision, every state and event as recorded"]);
    scratch
        .ok("replay duel.journal --to 0")
        .says(&["So far", "decisions 0"]);
    let json = scratch
        .ok("replay duel.journal --report --format json")
        .lines();
    assert_eq!(json[json.len() - 1]["type"], "end");
    scratch.fails(2, "replay duel.journal --verify --report");
}

#[test]
fn a_journal_that_was_changed_is_found_and_named() {
    let scratch = Scratch::new();
    scratch.ok("run noon --journal duel.journal");
    scratch
        .fails(1, "run noon --journal duel.journal")
        .says(&["F043", "duel.journal"]);
    scratch.edit("duel.journal", "act blue", "act red");
    scratch
        .fails(1, "replay duel.journal --verify")
        .says(&["F041", "duel.journal:"]);
    scratch.fails(1, "replay nowhere.journal").says(&["F001"]);
}

/// Where a line has no heading, a page has no bold nothing.
#[test]
fn nothing_is_bold_where_there_is_nothing_to_say() {
    let scratch = Scratch::new();
    let page = scratch.ok("run noon --format md").out;
    assert!(
        page.contains("\n- Blue: ") && page.contains("- **"),
        "{page}"
    );
    assert!(!page.contains("****"), "{page}");
    let page = scratch.ok("run noon --format html").out;
    assert!(page.contains("<p>Blue: ") && page.contains("<b>"), "{page}");
    assert!(!page.contains("<b></b>"), "{page}");
}

/// What rules cost is counted, and changes nothing.
#[test]
fn what_rules_cost_is_told() {
    let scratch = Scratch::new();
    let (profiled, plain) = (
        scratch.ok("run noon --quiet --profile"),
        scratch.ok("run noon --quiet"),
    );
    let profile = profiled
        .out
        .strip_prefix(plain.out.as_str())
        .expect("the game is the same");
    assert!(
        profile.contains("\nrules\n") && profile.contains("duel.fire.shoot_perform"),
        "{profile}"
    );
    let lines = scratch
        .ok("run noon --quiet --profile --format json")
        .lines();
    let rules = lines[lines.len() - 1]["rules"].as_array().unwrap();
    let perform = rules
        .iter()
        .find(|rule| rule["id"] == "duel.fire.shoot_perform")
        .unwrap();
    assert!(perform["calls"].as_u64().unwrap() > 0, "{perform}");
    assert!(
        perform["whole_us"].as_u64() >= perform["own_us"].as_u64(),
        "{perform}"
    );
    assert!(
        rules.iter().any(|rule| rule["hits"].as_u64() > Some(0)),
        "no answer was kept: {rules:?}"
    );
    scratch
        .fails(1, "test duel --profile")
        .says(&["rules", "duel.fire.shoot_perform"]);
}

/// Of a component not only what the kernel asks of it is counted, but what its rules
/// ask each other, the clauses that they cite and the rows that they look up.
#[test]
#[cfg(feature = "wasm")]
fn what_rules_of_a_component_cost_is_told() {
    let mods = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    if !mods.join("tcs").is_dir() {
        return;
    }
    let scratch = Scratch::new();
    let game = "run bridgehead --turns 1 --quiet --profile --format json";
    let lines = scratch
        .ok(&format!("--mods {} {game}", mods.display()))
        .lines();
    let profile = &lines[lines.len() - 1];
    let of = |sort: &str, id: &str| {
        let all = profile[sort].as_array().unwrap();
        let found = all.iter().find(|one| one["id"] == id);
        found
            .unwrap_or_else(|| panic!("{id} was not counted"))
            .clone()
    };
    let (asked, to) = (
        of("rules", "tcsbase.move.reach"),
        of("rules", "tcsbase.move.go.to"),
    );
    // Where a unit may go is what it can reach: the one is part of the other.
    assert!(to["whole_us"].as_u64() > to["own_us"].as_u64(), "{to}");
    let cited = of("clauses", "tcsbase.terrain.movement");
    let entered = of("rules", "tcsbase.assault.can_enter");
    let calls = |count: &serde_json::Value| count["calls"].as_u64().unwrap();
    assert_eq!(
        calls(&cited),
        calls(&asked) + calls(&entered),
        "both cite it"
    );
    assert!(of("tables", "tcsbase.terrain.effects")["calls"].as_u64() > Some(0));
}

// ---- eval ----------------------------------------------------------------------

#[test]
fn a_rule_is_called_with_typed_arguments() {
    let scratch = Scratch::new();
    assert_eq!(
        scratch.ok("eval duel.fire.band --arg range=12in").out,
        "result    close\n"
    );
    assert_eq!(
        scratch
            .ok("eval duel.fire.band --arg range=12in --with snipers")
            .out,
        "result    long\n"
    );
    assert_eq!(
        scratch.ok("eval duel.fire.band --arg range=80in").out,
        "result    none\n"
    );
    let hits = "eval duel.fire.hits --in noon --arg shooter=sheriff --arg target=bandit";
    scratch
        .ok(&format!("{hits} --dice d6=4"))
        .says(&["to hit: d6=4", "result    true"]);
    scratch
        .ok(&format!("{hits} --dice 3"))
        .says(&["result    false"]);
    let json = scratch
        .ok(&format!("{hits} --dice 3 --format json"))
        .document();
    assert_eq!(
        (&json["result"], &json["events"][0]["kind"]),
        (&serde_json::json!(false), &serde_json::json!("roll"))
    );
    assert_eq!(scratch.ok(hits).out, scratch.ok(hits).out);
}

#[test]
fn a_call_that_cannot_be_says_why() {
    let scratch = Scratch::new();
    scratch
        .fails(1, "eval duel.fire.bend")
        .says(&["F021", "did you mean `duel.fire.band`?"]);
    scratch
        .fails(2, "eval duel.fire.band")
        .says(&["--arg range=", "duel.fire.band(range: length) -> text?"]);
    scratch
        .fails(2, "eval duel.fire.band --arg rang=1in")
        .says(&["did you mean `range`?"]);
    scratch
        .fails(2, "eval duel.fire.band --arg range=far")
        .says(&["found `far`"]);
    scratch.fails(2, "eval duel.fire.band --arg range");
    scratch
        .fails(2, "eval duel.fire.band --arg range=1in --arg range=2in")
        .says(&["expected `--arg range=…` once, found it twice"]);
    scratch
        .fails(2, "eval Shoot")
        .says(&["expected the id of a rule", "`houserule rules Shoot`"]);
    let ran = scratch.fails(1, "eval duel.fire.band --arg range=1in --with snipers:aimm");
    ran.says(&["did you mean `aim`?"]);
    assert!(!ran.err.contains("the scenario does not"), "{}", ran.err);
    scratch
        .fails(1, "eval duel.fire.band --arg range=1in --dice 3")
        .says(&["F039", "left over"]);
    let hits = "eval duel.fire.hits --in noon --arg shooter=sheriff --arg target=bandit";
    scratch
        .fails(1, &format!("{hits} --dice d8=4"))
        .says(&["F039"]);
    scratch
        .fails(2, &format!("{hits} --chits R2"))
        .says(&["no pot holds a chit `R2`"]);
}

// ---- why ---------------------------------------------------------------------

/// The turn and phase that is told with an event.
fn heading(json: &serde_json::Value) -> &str {
    json["heading"].as_str().unwrap_or_default()
}

#[test]
fn why_shows_the_tree_behind_an_event() {
    let scratch = Scratch::new();
    scratch.ok("run noon --journal noon.journal --quiet");
    let tree = scratch.ok("why noon.journal missed");
    tree.says(&[
        "shot: bandit is missed",
        "decision 1",
        "duel.fire.hits(shooter = sheriff, target = bandit) = false",
        "roll: to hit: d6=1",
        "option duel.fire.needed = 4",
    ]);
    scratch
        .ok("why noon.journal hit:")
        .says(&["2 events say so: give the number of one"]);
    let json = scratch
        .ok("why noon.journal missed --format json")
        .document();
    assert_eq!(json["why"][1]["depth"].as_u64(), Some(1));
    assert_eq!(json["words"], "Blue: Shoot — sheriff, target bandit");
    assert!(
        scratch
            .ok("why noon.journal missed")
            .out
            .starts_with(&format!(
                "{}\n  Blue: Shoot — sheriff, target bandit\n",
                heading(&json)
            ))
    );
    let hits = scratch.ok("why noon.journal hit: --format json").document();
    let list = scratch.ok("why noon.journal hit:").out;
    for event in hits["events"].as_array().unwrap() {
        assert!(list.contains(&format!("{}\n", heading(event))), "{list}");
    }
    let mut nothing = scratch.command("why noon.journal");
    let nothing = Ran::of(nothing.arg("").output().unwrap());
    assert_eq!((nothing.code, &*nothing.out), (2, ""), "{}", nothing.err);
    scratch
        .ok("run noon --why")
        .says(&["option duel.fire.needed = 4"]);
    assert!(
        scratch
            .fails(2, "why noon.journal 100000")
            .err
            .contains("expected an event from 1 to")
    );
    assert!(
        scratch
            .fails(1, "why noon.journal nosuchword")
            .err
            .contains("no event of this game says")
    );
}

// ---- what breaks ---------------------------------------------------------------

/// Who mends it goes to the wrap, not to the action in which it was asked.
#[test]
fn an_error_in_a_wrap_names_its_rule_and_clause_and_who_called_it() {
    let scratch = Scratch::new();
    let wrap = "mods/snipers/rules/aim.luau";
    scratch.edit(wrap, "    return true", "    return error(\"no aim\")");
    let ran = scratch.fails(1, "run noon --with snipers");
    ran.says(&[
        "snipers/rules/aim.luau:8",
        "in rule `duel.fire.hits`, for `snipers.aim.sure`, called by `duel.fire.shoot_perform`",
    ]);
    let told = scratch
        .fails(1, "run noon --with snipers --format json")
        .lines();
    let fault = told.last().unwrap();
    let names = ["rule", "clause", "caller"].map(|name| fault[name].as_str().unwrap());
    assert_eq!(
        names,
        [
            "duel.fire.hits",
            "snipers.aim.sure",
            "duel.fire.shoot_perform"
        ],
        "{fault}"
    );
    // An error in the action itself is in that, and an error that was caught is none.
    let rules = "mods/duel/rules/fire.luau";
    scratch.edit(
        wrap,
        "return error(\"no aim\")",
        "return pcall(error, \"no aim\") == false",
    );
    scratch.edit(
        rules,
        "    params.target.is_hit = hit\n",
        "    params.target.is_hit = hit\n    error(\"jammed\")\n",
    );
    let told = scratch
        .fails(1, "run noon --with snipers --format json")
        .lines();
    let fault = told.last().unwrap();
    assert_eq!(fault["rule"], "duel.fire.shoot_perform", "{fault}");
    assert_eq!(fault["caller"], serde_json::Value::Null, "{fault}");
}
