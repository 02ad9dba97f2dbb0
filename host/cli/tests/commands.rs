//! Runs the binary as a user would: every command, its flags, its exit codes,
//! and what it says when something is wrong.

mod common;

use std::io::{Read, Write};
use std::process::Stdio;

use common::{Ran, Scratch};

// ---- run ---------------------------------------------------------------------

#[test]
fn a_duel_is_told_from_the_first_shot_to_the_result() {
    let scratch = Scratch::new();
    let ran = scratch.ok("run noon --rules");
    ran.says(&[
        "Noon",
        "Blue (greedy) against Red (greedy)",
        "Turn 1",
        "Blue: Shoot",
        "to hit: d6=",
        "duel.fire.hits",
    ]);
    ran.says(&[
        "victor",
        "losses",
        "rules     duel\n",
        "mods      duel 1.0.0 ",
        "seed      7\n",
        "state     ",
    ]);
    assert!(ran.err.is_empty(), "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}'));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let scratch = Scratch::new();
    let one = scratch.ok("run noon --seed 11 --bots random").out;
    assert_eq!(one, scratch.ok("run noon --seed 11 --bots random").out);
    assert_eq!(
        one,
        scratch
            .ok("run duel/noon --seed 11 --bot blue=random --bot red=random")
            .out
    );
    assert_ne!(one, scratch.ok("run noon --seed 12 --bots random").out);
}

#[test]
fn a_game_is_one_json_object_a_line() {
    let scratch = Scratch::new();
    let lines = scratch.ok("run noon --format json").lines();
    let types: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    assert_eq!((types[0], types[types.len() - 1]), ("game", "end"));
    assert!(
        types[1..types.len() - 1]
            .iter()
            .all(|word| *word == "event"),
        "{types:?}"
    );
    let numbers: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["number"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let end = &lines[lines.len() - 1];
    assert_eq!(
        (end["over"].as_bool(), end["seed"].as_u64()),
        (Some(true), Some(7))
    );
    assert_eq!(end["state"].as_str().unwrap().len(), 64);
    let quiet = scratch.ok("run noon --format json --quiet").lines();
    assert_eq!(quiet, vec![end.clone()]);
}

#[test]
fn house_rules_options_and_turns_change_the_game() {
    let scratch = Scratch::new();
    let sure = scratch.ok("run noon --with snipers");
    sure.says(&[
        "rules     duel snipers\n",
        "bandit is hit",
        "snipers 0.2.0",
        "victor    blue",
    ]);
    scratch
        .ok("run noon --with snipers --without snipers.aim.sure")
        .says(&["rules     duel snipers.aim.close\n"]);
    scratch
        .ok("run noon --option duel.fire.needed=6")
        .says(&["duel.fire.needed=6"]);
    // The line of a report can be pasted.
    let pasted = Ran::of(
        scratch
            .command("run noon --with")
            .arg("duel duel.fire.needed=6")
            .output()
            .unwrap(),
    );
    pasted.says(&["rules     duel duel.fire.needed=6"]);
    let short = scratch
        .ok("run noon --turns 1 --quiet --option duel.fire.needed=6")
        .out;
    assert!(
        !short.contains("Turn 1") && short.contains("victor"),
        "{short}"
    );
}

#[test]
fn a_side_sees_neither_seed_nor_state() {
    let scratch = Scratch::new();
    let side = scratch.ok("run noon --view blue").out;
    assert!(!side.contains("seed ") && side.contains("Turn 1"), "{side}");
    let json = scratch
        .ok("run noon --view spectator --format json")
        .lines();
    assert!(json.iter().all(|line| line.get("seed").is_none()));
    scratch
        .fails(1, "run noon --view blu")
        .says(&["found `blu`", "did you mean `blue`?"]);
}

#[test]
fn a_scenario_may_be_a_file() {
    let scratch = Scratch::new();
    scratch.write(
        "mine.ron",
        &scratch
            .read("mods/duel/scenarios/noon.ron")
            .replace("noon", "mine"),
    );
    scratch.ok("run mine.ron").says(&["scenario  mine"]);
    scratch
        .fails(1, "run nowhere.ron")
        .says(&["F001", "nowhere.ron"]);
}

#[test]
fn what_is_not_there_has_a_hint() {
    let scratch = Scratch::new();
    scratch.fails(1, "run nooon").says(&[
        "F040",
        "did you mean `noon`?",
        "`houserule scenarios` lists all",
    ]);
    scratch
        .fails(1, "play first")
        .says(&["F040", "`first_shot`", "`houserule scenarios`"]);
    scratch
        .fails(1, "run zzz")
        .says(&["F040", "`houserule scenarios` lists them"]);
    let wished = scratch.fails(1, "run noon --with sniperz");
    wished.says(&[
        "F010",
        "did you mean `snipers`?",
        "the command asked for `sniperz`; the scenario does not",
    ]);
    assert!(!wished.err.contains("noon.ron"), "{}", wished.err);
    scratch
        .fails(1, "run noon --option duel.fire.neded=3")
        .says(&["did you mean `duel.fire.needed`?"]);
    scratch
        .fails(1, "run noon --bot blu=random")
        .says(&["did you mean `blue`?"]);
    let json = scratch.fails(1, "run nooon --format json").lines();
    assert_eq!(json[0]["code"], "F040");
    assert_eq!(
        json[0]["hint"],
        "did you mean `noon`? `houserule scenarios` lists all"
    );
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "mods: [\"duel\"]",
        "mods: [\"duell\"]",
    );
    let own = scratch.fails(1, "run noon --with snipers");
    own.says(&["F010", "noon.ron"]);
    assert!(!own.err.contains("the command asked"), "{}", own.err);
}

#[test]
fn scenarios_are_listed() {
    let scratch = Scratch::new();
    let all = scratch.ok("scenarios");
    all.says(&[
        "duel",
        "first_shot  The first shot",
        "noon        Noon",
        "36 by 24 in; duel",
    ]);
    let json = scratch.ok("scenarios duel --format json").document();
    assert_eq!(json["scenarios"][1]["id"], "noon");
    assert_eq!(json["scenarios"][1]["sides"][0]["title"], "Blue");
    assert_eq!(json["scenarios"][1]["mod"], "duel");
    scratch
        .fails(1, "scenarios duell")
        .says(&["did you mean `duel`?"]);
    scratch.write("mods/duel/scenarios/torn.ron", "Scenario(");
    scratch.ok("scenarios").says(&["torn.ron", "Noon"]);
}

#[test]
fn many_games_are_counted() {
    let scratch = Scratch::new();
    let told = scratch.ok("run noon --games 20 --bots random");
    told.says(&[
        "Noon: 20 games",
        "seeds     7 to 26",
        "won by",
        "duel.fire.shoot",
        "in 20 games",
        "decisions",
    ]);
    assert_eq!(
        told.out,
        scratch.ok("run noon --games 20 --tally --bots random").out,
        "on any number of cores"
    );
    let json = scratch
        .ok("run noon --games 20 --tally --bots random --format json")
        .document();
    assert_eq!(json["games"], 20);
    let won: u64 = json["winners"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(serde_json::Value::as_u64)
        .sum();
    assert_eq!(won, 20);
    assert!(json["deeds"]["duel.fire.shoot"]["times"].as_u64().unwrap() >= 20);
    // What one game alone says is what the count of it says.
    let alone = scratch
        .ok("run noon --games 1 --tally --seed 9 --format json")
        .document();
    let lines = scratch.ok("run noon --seed 9 --format json").lines();
    assert_eq!(alone["decisions"]["most"], lines[lines.len() - 1]["inputs"]);
    let all = scratch
        .ok("run duel/* --games 2 --tally --format json")
        .document();
    assert_eq!(
        (&all["games"], all["scenarios"].as_array().unwrap().len()),
        (&serde_json::json!(4), 2)
    );
    scratch
        .fails(2, "run noon --games 2 --quiet")
        .says(&["--quiet"]);
    scratch
        .fails(1, "run noon --games 2 --tally --bot blu=random")
        .says(&["found `blu`"]);
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "return game:roll(",
        "error(\"jammed\")\n    return game:roll(",
    );
    let ran = scratch.fails(1, "run noon --games 2 --tally");
    ran.says(&["noon with seed 8 broke off", "jammed", "never"]);
}

#[test]
fn a_list_of_rules_shortens_records() {
    let scratch = Scratch::new();
    let rules = "mods/duel/rules/fire.luau";
    let rule = "function duel.fire.odd(_game: Reads, _shot: { gun: Entity, far: Length, near: Length }): boolean\n    return true\nend\n\n--- [duel.fire.hit]\nduel.fire.shoot =";
    scratch.edit(rules, "--- [duel.fire.hit]\nduel.fire.shoot =", rule);
    let book = scratch.ok("rules duel");
    book.says(&["duel.fire.odd(shot: { … }) -> bool"]);
    scratch
        .ok("rules duel.fire.odd")
        .says(&["far: length", "near: length"]);
}

#[test]
fn wrong_usage_exits_with_two() {
    let scratch = Scratch::new();
    for line in [
        "run",
        "runn noon",
        "run noon --seed x",
        "run noon --bots clever",
        "run noon --durable",
        "",
    ] {
        scratch.fails(2, line);
    }
    scratch.ok("--help").says(&["Examples:", "Exit codes:"]);
    for command in ["run", "check", "rules", "test", "replay", "eval"] {
        scratch
            .ok(&format!("{command} --help"))
            .says(&["Examples:", "--mods", "--format"]);
    }
}

#[test]
fn a_fault_in_the_middle_is_shown_with_its_line_and_the_journal_kept() {
    let scratch = Scratch::new();
    let rules = "mods/duel/rules/fire.luau";
    scratch.edit(rules, "return game:roll(", "if game:round(\"duel.turn.turns\") == 2 then\n        error(\"jammed\")\n    end\n    return game:roll(");
    let ran = scratch.fails(
        1,
        "run noon --journal duel.journal --option duel.fire.needed=6 --seed 3",
    );
    ran.says(&[
        "Turn 1",
        "F029",
        "jammed",
        "duel/rules/fire.luau:",
        "the game broke off",
        "duel.journal",
    ]);
    assert!(scratch.read("duel.journal").ends_with('\n'));
    scratch.ok("replay duel.journal").says(&["So far"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let scratch = Scratch::new();
    let mut child = scratch
        .command("rules")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let scratch = Scratch::new();
    assert!(
        scratch
            .ok("run noon --color always")
            .out
            .contains("\u{1b}[")
    );
    assert!(!scratch.ok("run noon --color never").out.contains('\u{1b}'));
    assert!(!scratch.fails(1, "run nooon").err.contains('\u{1b}'));
}

// ---- where mods are ------------------------------------------------------------

#[test]
fn mods_come_from_flags_a_config_file_or_the_folder() {
    let scratch = Scratch::new();
    scratch.write("deep/er/readme", "x");
    scratch.fails(1, "run noon --mods deep").says(&["F040"]);
    scratch.ok("run noon --mods mods/duel --quiet");
    let inside = |scratch: &Scratch| {
        Ran::of(
            scratch
                .command("run noon --quiet")
                .current_dir(scratch.0.join("deep/er"))
                .output()
                .unwrap(),
        )
    };
    assert_eq!(inside(&scratch).code, 1);
    scratch.write("houserule.ron", "Houserule(mods: [\"mods\"])");
    assert_eq!(inside(&scratch).code, 0);
    scratch.write("houserule.ron", "Houserule(mod: [\"mods\"])");
    let ran = inside(&scratch);
    assert_eq!(ran.code, 1);
    ran.says(&["F002", "houserule.ron:1"]);
    std::fs::remove_file(scratch.0.join("houserule.ron")).unwrap();
    scratch
        .fails(1, "check --mods nowhere")
        .says(&["F001", "nowhere"]);
}

// ---- check ---------------------------------------------------------------------

#[test]
fn good_mods_have_no_problems() {
    let scratch = Scratch::new();
    // What no case cites is a warning, no problem.
    scratch
        .ok("check")
        .says(&["no case cites `snipers.aim.sure`", "2 mods, no problems\n"]);
    scratch.ok("check duel").says(&["1 mod, no problems\n"]);
    let json = scratch.ok("check --format json").document();
    assert_eq!(json["mods"], serde_json::json!(["duel", "snipers"]));
    let all = json["problems"].as_array().unwrap();
    assert!(
        all.iter()
            .all(|one| one["severity"] == "warning" && one["code"] == "F063"),
        "{all:?}"
    );
    scratch
        .fails(1, "check dual")
        .says(&["F010", "did you mean `duel`?"]);
}

#[test]
fn every_problem_is_found_with_file_line_and_code() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/duel/rules/turn.luau",
        "loop = { duel.turn.act }",
        "loop = { duel.turn.akt }",
    );
    scratch.edit("mods/duel/data/guns.ron", "\"12in\"", "\"12ni\"");
    scratch.edit("mods/snipers/mod.ron", "0.2.0", "two");
    let ran = scratch.fails(1, "check");
    ran.says(&[
        "duel/data/guns.ron:",
        "12ni",
        "snipers/mod.ron:",
        "problems in 3 files\n",
    ]);
    let problems = scratch.fails(1, "check --format json").document();
    let places: Vec<(&str, &str)> = problems["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["mod"].as_str().unwrap_or(""),
                one["file"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert!(
        places.contains(&("duel", "data/guns.ron")) && places.contains(&("snipers", "mod.ron")),
        "{places:?}"
    );
}

#[test]
fn scenarios_and_test_files_are_checked_too() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "id: \"bandit\"",
        "id: \"sheriff\"",
    );
    scratch.edit(
        "mods/duel/tests/fire.luau",
        "test.case(\"a four hits\"",
        "test.kase(\"a four hits\"",
    );
    let ran = scratch.fails(1, "check duel");
    ran.says(&[
        "duel/scenarios/noon.ron:",
        "sheriff",
        "duel/tests/fire.luau:",
        "kase",
    ]);
}

// ---- rules ---------------------------------------------------------------------

#[test]
fn the_rulebook_says_who_defines_wraps_and_changes() {
    let scratch = Scratch::new();
    let all = scratch.ok("rules");
    all.says(&[
        "duel.fire.band(range: length) -> text?",
        "Tables (1)",
        "Clauses (6)",
    ]);
    all.says(&[
        "wrapped   snipers/rules/aim.luau:6",
        "snipers.aim.sure (our club)",
    ]);
    let duel = scratch.ok("rules duel").out;
    assert!(
        !duel.contains("snipers") && duel.contains("duel.turn.is_over"),
        "{duel}"
    );
    let snipers = scratch.ok("rules snipers").out;
    assert!(
        snipers.contains("duel.fire.hits(") && !snipers.contains("duel.fire.band("),
        "{snipers}"
    );
    let rule = scratch.ok("rules duel.fire.hits --with snipers");
    rule.says(&[
        "defined   duel/rules/fire.luau:",
        "wrapped   snipers/rules/aim.luau:6",
        "Every shot hits.",
    ]);
    let table = scratch.ok("rules duel.fire.ranges --with snipers");
    table.says(&[
        "band",
        "up_to",
        "[1] snipers/rules/aim.luau:",
        "snipers.aim.close",
    ]);
    scratch
        .ok("rules snipers.aim.sure")
        .says(&["Sure", "changes", "touches", "duel.fire.hits"]);
    scratch
        .fails(1, "rules duel.fire.bend")
        .says(&["did you mean `duel.fire.band`?"]);
    scratch
        .fails(1, "rules dual")
        .says(&["did you mean `duel`?"]);
}

#[test]
fn the_rulebook_is_one_json_document() {
    let scratch = Scratch::new();
    let json = scratch.ok("rules --format json").document();
    let rules = json["rules"].as_array().unwrap();
    let hits = rules
        .iter()
        .find(|rule| rule["id"] == "duel.fire.hits")
        .unwrap();
    assert_eq!(hits["layers"][1]["kind"], "wrap");
    assert_eq!(hits["layers"][1]["mod"], "snipers");
    assert_eq!(hits["args"][0]["type"], "entity(duel.gun)");
    assert_eq!(json["tables"][0]["rows"].as_array().unwrap().len(), 2);
    let one = scratch.ok("rules duel.fire.hit --format json").document();
    assert_eq!(one["clause"]["source"], "p. 1");
}

#[test]
fn coverage_has_the_promised_keys() {
    let scratch = Scratch::new();
    let json = scratch.ok("rules duel --coverage --format json").document();
    let clauses = json.as_array().unwrap();
    assert_eq!(clauses.len(), 4);
    for clause in clauses {
        let keys: Vec<&str> = clause
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            ["cases", "cited", "clause", "effect", "implemented"]
        );
    }
    let hit = clauses
        .iter()
        .find(|clause| clause["clause"] == "duel.fire.hit")
        .unwrap();
    assert_eq!(hit["cases"], serde_json::json!(["a four hits"]));
    assert_eq!(
        (hit["implemented"].as_bool(), hit["effect"].as_str()),
        (Some(true), Some("adds"))
    );
    scratch
        .ok("rules duel --coverage")
        .says(&["4 clauses, ", "a four hits"]);
}

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
    let told = scratch
        .ok("run noon --with snipers --journal duel.journal --durable")
        .out;
    std::fs::remove_dir_all(scratch.0.join("mods")).unwrap();
    assert_eq!(scratch.ok("replay duel.journal --report").out, told);
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

/// What rules cost is counted, and changes nothing.
#[test]
fn what_rules_cost_is_told() {
    let scratch = Scratch::new();
    let (told, plain) = (
        scratch.ok("run noon --quiet --profile"),
        scratch.ok("run noon --quiet"),
    );
    let profile = told
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

// ---- types -------------------------------------------------------------------

#[test]
fn types_are_written_for_an_editor() {
    let scratch = Scratch::new();
    scratch.write(".luaurc", "{ \"languageMode\": \"strict\" }");
    scratch.ok("types duel");
    let types = scratch.read(".houserule/types/houserule.d.luau");
    assert!(types.contains("declare extern type DuelGun extends Entity with"));
    let duel = scratch.read(".houserule/types/duel.luau");
    assert!(!duel.trim().is_empty());
    let aliases: serde_json::Value = serde_json::from_str(&scratch.read(".luaurc")).unwrap();
    assert_eq!(aliases["aliases"]["duel"], ".houserule/types/duel");
    assert_eq!(
        aliases["languageMode"], "strict",
        "what else stands there stays"
    );
    scratch.ok("types duel -o elsewhere");
    assert_eq!(scratch.read("elsewhere/.houserule/types/duel.luau"), duel);
    assert!(
        scratch
            .fails(1, "types nosuch")
            .err
            .contains("there is no mod `nosuch`")
    );
}

// ---- design ------------------------------------------------------------------

#[test]
fn a_design_is_added_up_line_by_line() {
    let scratch = Scratch::new();
    let mods = concat!("--mods ", env!("CARGO_MANIFEST_DIR"), "/../../mods");
    let card = scratch.ok(&format!("{mods} design dsii.vehicle.deimos"));
    card.says(&[
        "DEIMOS",
        "CAPACITY",
        "20 of 20",
        "POINTS",
        "356",
        "no violations",
    ]);
    let design = "Design(mods: [\"dsii\"], count: 2, design: (name: \"Too much\", size: 1, mobility: \"slow tracked\", \
                  plant: \"CFE\", armour: 5, weapons: [(type: \"HKP\", class: 5, mount: \"turret\")]))";
    scratch.write("heavy.ron", design);
    let card = scratch.fails(1, &format!("{mods} design heavy.ron"));
    card.says(&["2 x Too much", "x dsii.design."]);
    scratch.write(
        "odd.ron",
        "Design(mods: [\"dsii\"], design: (name: \"Odd\", sise: 1))",
    );
    assert!(
        scratch
            .fails(1, &format!("{mods} design odd.ron"))
            .err
            .contains("sise")
    );
}

/// A component that was not built from the source beside it plays by rules
/// that its author does not see any more.
#[cfg(feature = "wasm")]
#[test]
fn a_component_older_than_its_source_is_told() {
    let scratch = Scratch::new();
    let examples = houserule_tests::root().join("docs/examples");
    for name in ["drill", "echo"] {
        houserule_tests::copy_folder(&examples.join(name), &scratch.0.join("mods").join(name))
            .unwrap();
    }
    assert!(!scratch.ok("check echo --mods mods").out.contains("F051"));
    let source = scratch.0.join("mods/echo/rust/src/lib.rs");
    let text = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, format!("{text}\n// Changed, and not built.\n")).unwrap();
    let told = [
        "F051",
        "rules/echo.wasm",
        "built from the source beside it",
        "houserule build echo",
    ];
    scratch.ok("check echo --mods mods").says(&told);
    let ran = scratch.ok("test echo --mods mods");
    for part in told {
        assert!(
            ran.out.contains(part) || ran.err.contains(part),
            "{part}: {} {}",
            ran.out,
            ran.err
        );
    }
}

// ---- rules in Rust -------------------------------------------------------------

#[cfg(feature = "wasm")]
#[test]
fn what_rules_in_rust_can_name_is_written() {
    let scratch = Scratch::new();
    scratch.ok("types duel --lang rust -o bindings.rs");
    let text = scratch.read("bindings.rs");
    for part in [
        "#[kind(\"duel.gun\")]\npub struct Gun {",
        "pub mod clauses {",
        "Setting::new(\"duel.fire.needed\")",
    ] {
        assert!(text.replace("    ", "").contains(part), "{part}: {text}");
    }
    assert!(
        !text.contains("#[rule"),
        "its own rules are functions already: {text}"
    );
    assert!(
        scratch
            .fails(2, "types --lang rust")
            .err
            .contains("which mod?")
    );
}

/// A compiler that has neither the library for modules nor its sources.
#[cfg(all(feature = "wasm", unix))]
#[test]
fn without_the_target_it_says_what_to_do() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new();
    let compiler = scratch.0.join("bare-rustc");
    scratch.write(
        "bare-rustc",
        &format!("#!/bin/sh\necho {}\n", scratch.0.display()),
    );
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = scratch.command("new echo --extends duel --lang rust");
    let ran = Ran::of(command.env("RUSTC", &compiler).output().unwrap());
    assert_eq!(ran.code, 1, "{}", ran.err);
    ran.says(&["rustup target add wasm32-unknown-unknown"]);
    assert!(
        !scratch.0.join("mods/echo").exists(),
        "nothing is left of it"
    );
}
