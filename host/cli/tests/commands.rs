//! Runs the binary as a user would: every command, its flags, its exit codes,
//! and what it says when something is wrong.

mod common;
#[path = "commands/mods.rs"]
mod mods;
#[path = "commands/tried.rs"]
mod tried;

use std::io::Read as _;
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

/// Who wins is for the rules to say; a game of rules that do not ends with a word all the same.
#[test]
fn a_game_without_a_winner_is_said_to_be_over() {
    let scratch = Scratch::new();
    let (turn, fire) = ("mods/duel/rules/turn.luau", "mods/duel/rules/fire.luau");
    scratch.edit(turn, "    game:finish { victor = \"nobody\" }\n", "");
    let hit = "local hit = duel.fire.hits(game, gun, params.target)";
    scratch.edit(fire, hit, &format!("{hit} and false"));
    let ran = scratch.ok("run noon --quiet");
    ran.says(&[
        "\nEnd\nresult    the game is over, and these rules name no winner\n\nscenario  noon\n",
    ]);
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
    let ran = scratch.fails(1, "run noon --with sniperz");
    ran.says(&[
        "F010",
        "did you mean `snipers`?",
        "the command asked for `sniperz`; the scenario does not",
    ]);
    assert!(!ran.err.contains("noon.ron"), "{}", ran.err);
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
    let ran = scratch.ok("run noon --games 20 --bots random");
    ran.says(&[
        "Noon: 20 games",
        "seeds     7 to 26",
        "won by",
        "duel.fire.shoot",
        "in 20 games",
        "decisions",
    ]);
    assert_eq!(
        ran.out,
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
    assert!(
        json["actions"]["duel.fire.shoot"]["times"]
            .as_u64()
            .unwrap()
            >= 20
    );
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
    ran.says(&["noon with seeds 7, 8 broke off", "jammed", "never"]);
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

/// What a report or a list of actions calls something is understood, where one thing is meant.
#[test]
fn a_rule_is_found_by_what_games_call_it() {
    let scratch = Scratch::new();
    let whole = scratch.ok("rules duel.fire.shoot").out;
    for name in [
        "Shoot",
        "shoot",
        "fire.shoot",
        "duel Shoot",
        "duel fire.shoot",
    ] {
        assert_eq!(scratch.ok(&format!("rules {name}")).out, whole, "{name}");
    }
    scratch.fails(2, "rules turn").says(&[
        "duel.turn.act  Turn",
        "duel.turn.turns  Turn",
        "`turn` may mean 2 things: give the id of one",
    ]);
    scratch
        .fails(1, "rules shooot")
        .says(&["there is no mod `shooot`"]);
    scratch
        .fails(1, "rules duel shooot")
        .says(&["expected a chapter of the mod `duel`"]);
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

/// Whoever asked for JSON reads nothing else, also when the command is no
/// command, or what it stands on cannot be read.
#[test]
fn what_is_wrong_with_a_command_is_json_where_that_is_asked_for() {
    let scratch = Scratch::new();
    for line in [
        "--format json run",
        "--format=json run noon --seed x",
        "run noon --turns -1 --format json",
    ] {
        let ran = scratch.fails(2, line);
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["type"], "usage", "{line}: {told}");
        assert!(ran.err.is_empty(), "{line}: {}", ran.err);
    }
    let ran = scratch.fails(2, "scenarios --log debgu");
    ran.says(&[
        "nothing writes to the log as `debgu`",
        "did you mean `debug`?",
    ]);
    let ran = scratch.fails(2, "--format json --log x=y=z scenarios");
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["type"], "usage", "{told}");
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
    assert!(!scratch.ok("replay duel.journal").out.contains("Turn 1"));
    for told in ["--detail full", "--rules", "--report"] {
        let line = format!("replay duel.journal {told}");
        scratch.ok(&line).says(&["Turn 1", "So far"]);
    }
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

// ---- rules in Rust -------------------------------------------------------------

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
    let expected = [
        "F051",
        "rules/echo.wasm",
        "built from the source beside it",
        "houserule build echo",
    ];
    scratch.ok("check echo --mods mods").says(&expected);
    let ran = scratch.ok("test echo --mods mods");
    for part in expected {
        assert!(
            ran.out.contains(part) || ran.err.contains(part),
            "{part}: {} {}",
            ran.out,
            ran.err
        );
    }
}

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

/// Whether this compiler can make modules.
#[cfg(feature = "wasm")]
#[expect(clippy::unwrap_used, reason = "it is part of a test")]
fn has_target() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = std::process::Command::new(compiler)
        .args([
            "--print",
            "target-libdir",
            "--target",
            "wasm32-unknown-unknown",
        ])
        .output()
        .unwrap();
    std::path::Path::new(String::from_utf8_lossy(&told.stdout).trim()).is_dir()
}

/// It takes the libraries that are there: those of this workspace. Where the
/// compiler makes no modules there is nothing to show.
#[cfg(feature = "wasm")]
#[test]
fn a_new_mod_in_rust_is_built_and_passes() {
    if !has_target() {
        return;
    }
    let scratch = Scratch::new();
    let run = |line: &str| {
        let mut command = scratch.command(line);
        command.env("CARGO_NET_OFFLINE", "true");
        command.env("HOUSERULE_CACHE", env!("CARGO_TARGET_TMPDIR"));
        let ran = Ran::of(command.output().unwrap());
        assert_eq!(ran.code, 0, "{line}\n{}\n{}", ran.out, ran.err);
        ran
    };
    run("new echo --extends duel --lang rust");
    run("test echo --again").says(&["3 passed, 0 failed"]);
    run("check echo");
    assert!(!scratch.0.join("mods/echo/rust/target").exists());
}

/// Every part of the work has its span, by which a trace tells where time goes.
#[test]
fn loading_composing_steps_rules_reloads_and_requests_are_traced() {
    use std::io::Write as _;
    let scratch = Scratch::new();
    scratch.ok("run noon --quiet --trace run.json");
    let mut child = scratch
        .command("rpc --trace rpc.json")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let said = [
        r#"{"jsonrpc":"2.0","id":1,"method":"start","params":{"scenario":"noon"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"reload","params":{"past":"as_always"}}"#,
    ];
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", said.join("\n")).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    let traced = |file: &str, spans: &[&str]| {
        let events: serde_json::Value = serde_json::from_str(&scratch.read(file)).unwrap();
        for span in spans {
            let mut events = events.as_array().unwrap().iter();
            assert!(
                events.any(|event| event["name"] == *span),
                "{span} in {file}"
            );
        }
    };
    traced("run.json", &["load", "compose", "input", "step", "rule"]);
    traced("rpc.json", &["request", "reload"]);
}

/// Ctrl-C is answered from the start on, also by commands that have nothing to show before their end.
#[cfg(unix)]
#[test]
fn ctrl_c_is_answered_while_mods_are_read() {
    let scratch = Scratch::new();
    let mods = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    for command in ["check", "test dsii --again", "book dsii"] {
        let line = format!("{command} --mods {}", mods.display());
        // In its first milliseconds a process hears of nothing; how long these take, the machine decides.
        let mut ran = scratch.interrupted_after(&line, 60);
        for wait in [600, 6_000] {
            let has_begun = [0, 130].contains(&ran.code);
            if !has_begun {
                ran = scratch.interrupted_after(&line, wait);
            }
        }
        // Of whatever is over sooner nothing can be said.
        if ran.code == 0 {
            continue;
        }
        assert_eq!(ran.code, 130, "{command}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains("stopped before it was done"),
            "{command}: {}",
            ran.err
        );
    }
}

/// A game of no turns would still play one: whether it was the last is seen when it is over.
#[test]
fn no_turns_at_all_are_refused() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let range = "expected a whole number from 1 to 4294967295";
    for command in ["run", "simulate", "impact", "play"] {
        let ran = scratch.fails(2, &format!("{command} yard-first --turns 0"));
        ran.says(&[range]);
    }
    scratch.ok("run yard-first --turns 1 --quiet");
    let file = "mods/yard/scenarios/yard-first.ron";
    let text = scratch.read(file);
    let turns = text.lines().find(|line| line.contains("turns:"));
    scratch.edit(file, turns.unwrap_or("seed: 7,"), "    turns: 0,");
    scratch.fails(1, "check").says(&[range]);
}

/// A number that no seed can be is told with those that can.
#[test]
fn a_seed_out_of_its_range_is_told_with_the_range() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let range = "expected a whole number from 0 to 18446744073709551615";
    for seed in ["-1", "18446744073709551616", "x"] {
        let ran = scratch.fails(2, &format!("run yard-first --seed {seed}"));
        ran.says(&[range]);
        scratch.edit(
            "mods/yard/scenarios/yard-first.ron",
            "seed: 7",
            &format!("seed: {}", if seed == "x" { "\"x\"" } else { seed }),
        );
        let ran = scratch.fails(1, "check");
        ran.says(&[range]);
        let text = scratch.read("mods/yard/scenarios/yard-first.ron");
        let text = text.lines().map(|line| {
            let is_seed = line.trim_start().starts_with("seed:");
            if is_seed { "    seed: 7," } else { line }
        });
        let text: Vec<&str> = text.collect();
        scratch.write("mods/yard/scenarios/yard-first.ron", &text.join("\n"));
    }
    scratch.ok("check");
}
