//! `houserule record`, `conflicts` and `impact`: rules in force, kept and held against
//! each other.

use std::io::{BufRead as _, Write as _};
use std::process::Stdio;

use super::common::{Ran, Scratch};

// ---- record ----------------------------------------------------------------------

/// A duel with a deputy, recorded.
fn recorded(scratch: &Scratch) {
    let bandit = "        (kind: \"duel.gun\", id: \"bandit\"";
    let deputy = "        (kind: \"duel.gun\", id: \"deputy\", side: \"blue\", attributes: {\"at\": \"(4in, 12in)\"}),\n";
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        bandit,
        &format!("{deputy}{bandit}"),
    );
    scratch
        .ok("run noon --option duel.fire.needed=6 --bots random --seed 1 --journal noon.journal");
}

#[test]
fn a_moment_becomes_a_case_that_hangs_on_its_rule() {
    let scratch = Scratch::new();
    recorded(&scratch);
    let line = "record noon.journal --at 25 --as hit";
    let json = scratch.ok(&format!("{line} --format json")).document();
    assert!(json["shows"].as_str().unwrap().contains("is hit"), "{json}");
    assert!(
        json["changes"]["kept"].as_u64() <= json["changes"]["of"].as_u64(),
        "{json}"
    );
    let text = json["text"].as_str().unwrap();
    for part in [
        "-- to hit: d6=",
        "t:dice { \"d6=",
        "t:step(\"duel.",
        "t:events(\"duel.",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    scratch
        .ok(&format!("{line} --mod duel"))
        .says(&["the step duel.", "tests/hit.luau"]);
    assert_eq!(scratch.read("mods/duel/tests/hit.luau"), text);
    scratch.ok("test duel --filter hit");
    scratch
        .fails(1, &format!("{line} --mod duel"))
        .says(&["there is such a file already"]);
    // It notices that shots no longer hit, and then is none that could be written.
    scratch.edit(
        "mods/duel/rules/fire.luau",
        ">= game:option",
        "> 10 * game:option",
    );
    scratch.fails(1, "test duel --filter hit");
    scratch
        .fails(1, "record noon.journal --at 25 --as other --mod duel")
        .says(&[
            "by the mods as they are now it does not pass",
            "does not come about",
        ]);
    assert!(!scratch.0.join("mods/duel/tests/other.luau").exists());
}

/// What had become otherwise ends the turn after the step, and with it the dice: the step is shown without.
#[test]
fn a_moment_of_an_automatic_phase_begins_with_that_phase() {
    let scratch = Scratch::new();
    let rules = "mods/duel/rules/turn.luau";
    scratch.edit(
        rules,
        "loop = { duel.turn.act }",
        "loop = { duel.turn.act, duel.turn.fate }",
    );
    scratch.edit(
        rules,
        "--- [alternate]\nduel.turn.turns",
        "function duel.turn.fate_automatic(game: Acts)\n    game:emit(\"duel.turn.fated\", { face = \
         game:roll(rules.die(6), \"fate\") })\nend\n--- [alternate]\nduel.turn.fate = rules.phase { title = \"Fate\" }\n--- \
         [alternate]\nduel.turn.turns",
    );
    scratch.edit(
        "mods/duel/data/guns.ron",
        "    Event(id: \"duel.fire.shot\"",
        "    Event(id: \"duel.turn.fated\", heading: \"fate\", text: \"fate throws {face}\", fields: \"face: integer\", \
         cites: [\"duel.turn.alternate\"]),\n    Event(id: \"duel.fire.shot\"",
    );
    recorded(&scratch);
    let found = scratch
        .fails(2, "record noon.journal --at throws --as fated")
        .out;
    // In the second turn, so that everybody who is to shoot in the first has done so.
    let event = found
        .lines()
        .filter_map(|line| line.split_whitespace().next()?.parse::<u32>().ok())
        .nth(1)
        .unwrap();
    let line = format!("record noon.journal --at {event} --as fated --mod duel");
    scratch
        .ok(&line)
        .says(&["the step duel.turn.fate_automatic"]);
    let case = scratch.read("mods/duel/tests/fated.luau");
    assert!(!case.contains("fired ="), "{case}");
    scratch.ok("test duel --filter fated");
}

#[test]
fn a_moment_becomes_a_test_of_what_it_takes() {
    let scratch = Scratch::new();
    recorded(&scratch);
    let json = scratch
        .ok("record noon.journal --at 25 --as hit --golden --format json")
        .document();
    let shows = json["shows"].as_str().unwrap();
    assert!(shows.contains("is hit"), "{json}");
    assert_eq!(
        (&json["entities"]["kept"], &json["entities"]["of"]),
        (&2.into(), &3.into()),
        "{json}"
    );
    assert!(
        json["decisions"]["kept"].as_u64() < json["decisions"]["of"].as_u64(),
        "{json}"
    );
    let text = json["text"].as_str().unwrap();
    assert!(
        text.contains("// to hit: d6=") && text.contains("dice: [\"d6="),
        "{text}"
    );
    let whole = scratch
        .ok("record noon.journal --at 25 --as hit --whole --format json")
        .document();
    assert_eq!(whole["decisions"]["kept"], whole["decisions"]["of"]);
    assert_eq!(whole["entities"]["kept"], 3);
}

#[test]
fn a_recorded_test_is_run_with_the_others() {
    let scratch = Scratch::new();
    recorded(&scratch);
    let line = "record noon.journal --at 25 --as hit --golden --mod duel";
    scratch.ok(line).says(&[
        "1 decision of 8, 2 pieces of 3",
        "scenarios/hit.ron",
        "golden/hit.snap",
    ]);
    assert!(scratch.read("mods/duel/golden/hit.snap").contains("is hit"));
    scratch.ok("test duel --filter hit");
    scratch
        .fails(1, line)
        .says(&["there is such a file already"]);
    // It notices that shots no longer hit.
    scratch.edit(
        "mods/duel/rules/fire.luau",
        ">= game:option",
        "> 10 * game:option",
    );
    scratch.fails(1, "test duel --filter hit");
    // Nor is a test written that does not show what it was made for.
    scratch
        .fails(
            1,
            "record noon.journal --at 25 --as other --golden --mod duel",
        )
        .says(&["does not come about"]);
    assert!(!scratch.0.join("mods/duel/scenarios/other.ron").exists());
}

#[test]
fn what_cannot_be_recorded_is_said_plainly() {
    let scratch = Scratch::new();
    recorded(&scratch);
    scratch
        .fails(2, "record noon.journal --at hit --as Hit!")
        .says(&["found `Hit!`"]);
    scratch
        .fails(2, "record noon.journal --at 9999 --as hit")
        .says(&["expected an event from 1 to"]);
    scratch
        .fails(1, "record noon.journal --at wombat --as hit")
        .says(&["no event of this game says `wombat`"]);
    scratch
        .fails(1, "record noon.journal --at 1 --as hit")
        .says(&["before the first decision"]);
    scratch
        .fails(1, "record noon.journal --at 25 --as hit --mod dual")
        .says(&["did you mean `duel`?"]);
    scratch
        .fails(1, "record nowhere.journal --at hit --as hit")
        .says(&["nowhere.journal"]);
    scratch
        .fails(2, "record noon.journal --at hit --as hit")
        .says(&["events say so"]);
}

/// Ctrl-C while it is shrunk: it is kept as small as it had become, and holds.
#[cfg(unix)]
#[test]
fn a_moment_that_is_not_shrunk_to_its_end_is_kept_all_the_same() {
    let scratch = Scratch::new();
    let deputies: String = (0..60)
        .map(|n| format!("        (kind: \"duel.gun\", id: \"deputy-{n}\", side: \"blue\", attributes: {{\"at\": \"(4in, 12in)\"}}),\n"))
        .collect();
    let bandit = "        (kind: \"duel.gun\", id: \"bandit\"";
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        bandit,
        &format!("{deputies}{bandit}"),
    );
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "    if hit then\n",
        "    if hit and game:round(\"duel.turn.turns\") > 3 then\n",
    );
    scratch.ok("run noon --bots random --seed 1 --journal noon.journal");
    let found = scratch
        .fails(2, "record noon.journal --at hit --as hit")
        .out;
    let last = found
        .lines()
        .filter_map(|line| line.split_whitespace().next()?.parse::<u32>().ok())
        .next_back()
        .unwrap();
    let line =
        format!("record noon.journal --at {last} --as hit --golden --tries 1000000 --mod duel");
    let mut child = scratch
        .command(&line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let is_over = child.try_wait().unwrap().is_some();
    if !is_over {
        let sent = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    if !is_over {
        ran.says(&["stopped after ", "tries: it is as small as it had become"]);
    }
    scratch.ok("test duel --filter hit");
}

#[test]
fn at_the_table_a_word_keeps_the_last_event() {
    let scratch = Scratch::new();
    let mut child = scratch
        .command("play noon --option duel.fire.needed=6 --bot red=greedy")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = "shoot sheriff bandit\nrecord shot\nrecord shot\nrecord Shot!\nrecord\nrecord other x\nquit\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.says(&[
        "shot.luau: the step duel.",
        "there is a file `shot.luau` already",
        "found `Shot!`",
        "say what the test is called",
        "say an event by its number",
    ]);
    let case = scratch.read("shot.luau");
    assert!(case.contains("t:step(\"duel.fire."), "{case}");
}

// ---- conflicts -------------------------------------------------------------------

/// A mod that wraps whether a shot hits.
fn wrapping(scratch: &Scratch, id: &str, gives: &str, after: &str) {
    let clause = format!(
        "Clause(id: \"{id}.aim.{id}\", title: \"Aim\", text: \"It is so.\", source: \"us\", effect: Changes)"
    );
    let manifest = format!(
        "Mod(id: \"{id}\", version: \"1.0.0\", title: \"{id}\", engine: \"0.1\", depends: [(\"duel\", \"^1\")], \
         after: [{after}], groups: [Group(id: \"aim\", title: \"Aim\", clauses: [{clause}])])"
    );
    scratch.write(&format!("mods/{id}/mod.ron"), &manifest);
    let rule = format!(
        "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\nrules.wrap(duel.fire.hits, {{ cites = {{ \
         \"{id}.aim.{id}\" }}, instead = true }}, function(base, game, shooter, target)\n    local hit = \
         base(game, shooter, target)\n    return {gives}\nend)\n"
    );
    scratch.write(&format!("mods/{id}/rules/aim.luau"), &rule);
}

#[test]
fn only_conflicts_that_matter_are_told() {
    let scratch = Scratch::new();
    wrapping(&scratch, "sharp", "true", "");
    wrapping(&scratch, "blunt", "false", "");
    let conflicts = |line: &str, needed: u32| {
        let option = format!("--seed 8 --option duel.fire.needed={needed}");
        let json = scratch
            .ok(&format!(
                "conflicts {line} --scenario noon {option} --format json"
            ))
            .document();
        let all = json["conflicts"].as_array().unwrap().clone();
        let of = |one: &serde_json::Value| {
            ["sort", "first", "second"]
                .map(|key| one[key].as_str().unwrap().to_string())
                .join(" ")
        };
        all.iter().map(of).collect::<Vec<_>>()
    };
    // Whoever comes last has the word, and without a stated order that is chance.
    assert_eq!(
        conflicts("sharp blunt", 2),
        ["order blunt sharp", "hides blunt sharp"]
    );
    // A third that only looks on is not to blame, wherever the two come to stand.
    wrapping(&scratch, "tame", "hit", "");
    assert_eq!(
        conflicts("sharp blunt tame", 2),
        ["order blunt sharp", "hides blunt sharp"]
    );
    // With one it is meant, but nothing is left of the other all the same.
    wrapping(&scratch, "blunt", "false", "\"sharp\"");
    assert_eq!(conflicts("sharp blunt", 6), ["hides sharp blunt"]);
    // Two that turn it round are nothing together.
    wrapping(&scratch, "sharp", "not hit", "");
    wrapping(&scratch, "blunt", "not hit", "");
    assert_eq!(conflicts("sharp blunt", 4), ["cancel sharp blunt"]);
    // Side by side: the other clause changes a table that nobody reads.
    assert_eq!(conflicts("snipers", 4), [""; 0]);
    // With itself nothing is in conflict.
    scratch
        .fails(2, "conflicts sharp sharp:aim --scenario noon")
        .says(&[
            "expected house rules that differ",
            "`sharp:aim` beside `sharp`",
        ]);
    let ran = scratch.ok("conflicts sharp blunt --scenario noon --seed 8");
    ran.says(&[
        "both together make no difference",
        "without both",
        "1 conflict in 1 scenario",
    ]);
}

/// What makes no difference where a die fell as it did is not gone: by other dice it makes one.
#[test]
fn luck_is_no_conflict() {
    let scratch = Scratch::new();
    let misfires = |what: &str, needed: u32| {
        format!("hit and game:roll(rules.die(6), \"{what}\") >= {needed}")
    };
    wrapping(&scratch, "sharp", &misfires("the powder", 2), "");
    wrapping(&scratch, "blunt", &misfires("the flint", 4), "\"sharp\"");
    let said = |seed: u32| {
        let line = format!(
            "conflicts sharp blunt --scenario noon --seed {seed} --option duel.fire.needed=2"
        );
        scratch.ok(&line).out
    };
    for seed in [2, 8, 10, 19] {
        assert!(said(seed).starts_with("0 conflicts"), "{}", said(seed));
    }
    // Without powder there is no spark at all, by any dice.
    wrapping(&scratch, "sharp", &misfires("the powder", 7), "");
    assert!(
        said(8).starts_with("sharp leaves nothing of blunt"),
        "{}",
        said(8)
    );
}

/// A script's line that reacts where nobody is asked ends the game there, as other lines
/// that do not fit.
#[test]
fn a_line_that_reacts_where_no_window_is_open_breaks_nothing_off() {
    let scratch = Scratch::new();
    wrapping(&scratch, "sharp", "true", "");
    wrapping(&scratch, "blunt", "false", "\"sharp\"");
    scratch.write(
        "mods/sharp/rules/duck.luau",
        "--!strict\nlocal domain = require(\"@domain\")\nlocal rules = require(\"@rules\")\nlocal sharp = \
         require(\"@sharp\")\n\n--- [sharp]\nsharp.aim.raised = rules.window {}\n--- [sharp]\nsharp.aim.duck = \
         rules.reaction {\n    title = \"Duck\",\n    at = sharp.aim.raised,\n    params = { { name = \"low\", title = \
         \"How low?\", type = \"integer\" } },\n}\nfunction sharp.aim.duck_low_domain(_game: Reads, _side: string, _window: \
         any, _params: any): Domain\n    return domain.integer(1, 3)\nend\nfunction sharp.aim.duck_perform(_game: Acts, \
         _side: string, _window: any, _params: any) end\n",
    );
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "    turns: 4,",
        "    turns: 4,\n    script: [\n        Act(by: \"blue\", action: \"duel.fire.shoot\", actor: \"sheriff\", args: \
         {\"target\": \"bandit\"}),\n        React(by: \"red\", action: \"sharp.aim.duck\", args: {\"low\": 1}),\n    ],",
    );
    scratch
        .ok("conflicts sharp blunt --scenario noon")
        .says(&["blunt leaves nothing of sharp", "1 decision"]);
}

/// An action that its own events tell is told by the first of these, where it is what differs.
#[test]
fn an_action_that_its_events_tell_is_shown_by_what_they_say() {
    let scratch = Scratch::new();
    let title = "    title = \"Shoot\",\n";
    scratch.edit(
        "mods/duel/rules/fire.luau",
        title,
        &format!("{title}    told = true,\n"),
    );
    let allowing = |id: &str, gives: &str, after: &str| {
        wrapping(&scratch, id, gives, after);
        let path = format!("mods/{id}/rules/aim.luau");
        scratch.edit(&path, "duel.fire.hits", "duel.fire.shoot_allowed");
        scratch.edit(&path, ", shooter, target", ", shooter");
    };
    allowing("sharp", "hit or rules.reason(\"the sun dazzles\")", "");
    allowing("blunt", "nil", "\"sharp\"");
    let line = "conflicts sharp blunt --scenario noon --seed 8";
    let ran = scratch.ok(line);
    ran.says(&[
        "blunt leaves nothing of sharp",
        "noon, decision 1: Blue: Shoot — sheriff, target bandit",
        "with both  roll: to hit: ",
        "without blunt  refused: Shoot: the sun dazzles",
    ]);
}

/// A case that shows what the mod of [`wrapping`] does by a die with which it does.
fn shown(scratch: &Scratch, id: &str, die: u8, gives: bool) {
    let case = format!(
        "--!strict\nlocal test = require(\"@test\")\n\ntest.case(\"{id} aims\", {{ cites = {{ \"{id}.aim.{id}\" }} }}, \
         function(t)\n    local game = t:scenario(\"duel/noon\")\n    t:dice {{ \"d6={die}\" }}\n    \
         t:eq(game:call(\"duel.fire.hits\", game:get(\"sheriff\"), game:get(\"bandit\")), {gives})\nend)\n"
    );
    scratch.write(&format!("mods/{id}/tests/aim.luau"), &case);
}

#[test]
fn cases_show_conflicts_that_no_game_brings_up() {
    let scratch = Scratch::new();
    wrapping(&scratch, "sharp", "true", "");
    wrapping(&scratch, "blunt", "false", "");
    shown(&scratch, "sharp", 1, true);
    shown(&scratch, "blunt", 6, false);
    let conflicts = |line: &str| {
        let json = scratch
            .ok(&format!("conflicts {line} --cases --format json"))
            .document();
        let of = |one: &serde_json::Value| {
            ["sort", "first", "second", "case"]
                .map(|key| one[key].as_str().unwrap().to_string())
                .join(" ")
        };
        json["conflicts"]
            .as_array()
            .unwrap()
            .iter()
            .map(of)
            .collect::<Vec<_>>()
    };
    // The last has the word: nobody said which that is, and the case of the other fails.
    assert_eq!(
        conflicts("sharp blunt"),
        [
            "order blunt sharp sharp aims",
            "hides blunt sharp blunt aims"
        ]
    );
    wrapping(&scratch, "blunt", "false", "\"sharp\"");
    assert_eq!(conflicts("sharp blunt"), ["hides sharp blunt sharp aims"]);
    let ran = scratch.ok("conflicts sharp blunt --cases");
    ran.says(&[
        "blunt leaves nothing of sharp",
        "sharp/tests/aim.luau: sharp aims",
        "it fails",
        "it passes",
    ]);
    ran.says(&["1 conflict in the cases of 2 mods: 2 cases"]);
    // Each case stands as it did where neither touches the other.
    assert_eq!(conflicts("snipers"), [""; 0]);
}

#[test]
fn rules_that_break_the_game_together_are_told() {
    let scratch = Scratch::new();
    wrapping(&scratch, "sharp", "true", "");
    wrapping(
        &scratch,
        "blunt",
        "if hit then error(\"it cannot hit\") else false",
        "\"sharp\"",
    );
    let line = "--scenario noon --seed 8 --option duel.fire.needed=6";
    scratch
        .fails(1, &format!("conflicts sharp blunt {line}"))
        .says(&[
            "0 conflicts found until play broke off in 1 scenario: 0 decisions",
            "it cannot hit",
            "with all of them `noon` breaks off after 0 decisions",
        ]);
}

#[test]
fn what_cannot_be_in_conflict_is_said_plainly() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "conflicts snipers.aim.sure --scenario noon")
        .says(&["expected two house rules"]);
    scratch
        .fails(1, "conflicts snippers duel")
        .says(&["did you mean `snipers`?"]);
    scratch
        .fails(1, "conflicts snipers:sure duel --scenario noon")
        .says(&["snipers:sure"]);
    scratch
        .fails(1, "conflicts snipers --scenario nowhere")
        .says(&["nowhere"]);
}

// ---- impact ----------------------------------------------------------------------

#[test]
fn an_impact_of_games_that_broke_off_begins_with_that() {
    let scratch = Scratch::new();
    wrapping(&scratch, "boom", "error(\"boom\")", "");
    let ran = scratch.fails(1, "impact boom --scenario noon --games 2");
    ran.says(&["2 pairs of games", "In each of them a game broke off"]);
    assert!(!ran.out.contains("Not one of them differs"), "{}", ran.out);
}

#[test]
fn what_a_house_rule_does_is_counted_in_pairs() {
    let scratch = Scratch::new();
    let line =
        "impact snipers --scenario noon --games 30 --option duel.fire.needed=6 --format json";
    let json = scratch.ok(line).document();
    let impact = &json["impacts"][0];
    assert_eq!(
        (&impact["pairs"], &impact["asked"]),
        (&30.into(), &1.into())
    );
    let blue = impact["wins"]
        .as_array()
        .unwrap()
        .iter()
        .find(|shift| shift["name"] == "blue")
        .unwrap();
    // Who shoots first wins, for every shot hits.
    assert_eq!(blue["after"], 1.0, "{impact}");
    assert!(blue["interval"]["low"].as_f64() > Some(0.0), "{impact}");
    assert!(impact["turned"].as_u64() > Some(5), "{impact}");
    // Shots of a game that goes on cannot be fired when it is over.
    assert!(
        impact["past"]
            .as_array()
            .unwrap()
            .iter()
            .any(|past| past["refused"].is_object()),
        "{impact}"
    );
    let chances = impact["chances"][0]["outcomes"].as_array().unwrap();
    assert!(!chances.is_empty(), "{impact}");
    assert_eq!(
        scratch.ok(&format!("{line} --jobs 1")).document(),
        json,
        "however many cores"
    );
}

#[test]
fn what_does_nothing_is_told_as_such() {
    let scratch = Scratch::new();
    let ran = scratch.ok("impact snipers.aim.close --scenario noon --games 5");
    ran.says(&[
        "5 pairs of games, seeds 7 to 11. Not one of them differs: who wins, how long games last and what \
         happens in them is the same with it.",
    ]);
    assert!(
        !ran.out.contains("0.00") && !ran.out.contains("**Who wins**"),
        "{}",
        ran.out
    );
    let each = scratch
        .ok("impact snipers --each --scenario noon --games 5 --format json")
        .document();
    let asked: Vec<_> = each["impacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["asked"].clone())
        .collect();
    assert_eq!(asked, [2, 2]);
}

#[test]
fn journals_are_made_again_by_the_new_rules() {
    let scratch = Scratch::new();
    scratch.ok("run noon --option duel.fire.needed=6 --seed 1 --journal evenings/one.journal");
    scratch.ok("impact snipers --scenario noon --games 2 --journals evenings --out impact.html");
    let page = scratch.read("impact.html");
    assert!(
        page.contains("one.journal") && page.contains("<svg"),
        "{page}"
    );
    assert!(
        !page.contains("src=") && !page.contains("<script"),
        "nothing is read from elsewhere"
    );
    scratch
        .fails(1, "impact snipers --scenario nowhere")
        .says(&["nowhere"]);
    scratch
        .fails(2, "impact snipers --scenario noon --watch")
        .says(&["--out"]);
    let line = "impact snipers --scenario noon --games 2 --journals";
    scratch
        .fails(1, &format!("{line} nowhere"))
        .says(&["nowhere: "]);
    scratch
        .fails(1, &format!("{line} mods"))
        .says(&["found no file that ends in `.journal` in mods"]);
}

#[test]
fn a_scenario_that_stands_on_the_rule_is_told_as_such() {
    let scratch = Scratch::new();
    scratch
        .fails(1, "impact duel --scenario noon --games 2")
        .says(&["the scenario cannot be played without `duel`"]);
}

#[test]
fn a_picture_is_for_pages_and_not_for_the_terminal() {
    let scratch = Scratch::new();
    let line = "impact snipers --scenario noon --games 2";
    assert!(!scratch.ok(line).out.contains("data:image"));
    let page = scratch.ok(&format!("{line} --format md")).out;
    assert!(page.contains("data:image"), "{page}");
}

#[test]
fn games_that_cannot_differ_are_not_played_twice() {
    let scratch = Scratch::new();
    let impact = |line: &str| {
        let line = format!(
            "impact {line} --scenario noon --games 6 --option duel.fire.needed=6 --format json"
        );
        scratch.ok(&line).document()["impacts"][0].clone()
    };
    // No game reads the table, each of them calls the rule.
    let close = impact("snipers.aim.close");
    assert_eq!(
        (&close["spared"], &close["differing"], &close["pairs"]),
        (&6.into(), &0.into(), &6.into())
    );
    assert_eq!(impact("snipers.aim.sure")["spared"], 0);
    // A game in which the table is asked before each shot is another matter.
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "    gun.fired = game:round",
        "    game:call(\"duel.fire.band\", game:distance(gun, params.target))\n    gun.fired = game:round",
    );
    assert_eq!(impact("snipers.aim.close")["spared"], 0);
}

#[cfg(unix)]
#[test]
fn while_somebody_edits_only_what_is_concerned_is_played_again() {
    let scratch = Scratch::new();
    let line = "impact snipers.aim.sure --scenario noon --games 5 --out now.md --watch";
    let mut child = scratch
        .command(line)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    let mut hears = |words: &str| {
        let found = output
            .by_ref()
            .map(Result::unwrap)
            .find(|line| line.contains("games were played"));
        let line = found.unwrap_or_else(|| panic!("nothing was told, expected `{words}`"));
        assert!(line.contains(words), "{line}");
    };
    hears("10 of 10 games were played");
    let first = scratch.read("now.md");
    assert!(first.contains("| blue | "), "{first}");
    scratch.edit(
        "mods/snipers/rules/aim.luau",
        "-- Snipers do not miss.",
        "-- Snipers never miss.",
    );
    hears("0 of 10 games were played");
    assert_eq!(scratch.read("now.md"), first);
    // The games without it stay as they were.
    scratch.edit("mods/snipers/rules/aim.luau", "return true", "return false");
    hears("5 of 10 games were played");
    assert_ne!(scratch.read("now.md"), first);
    scratch.edit(
        "mods/duel/rules/fire.luau",
        ">= game:option",
        "> game:option",
    );
    hears("10 of 10 games were played");
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let last = output.map(Result::unwrap).last();
    assert_eq!(
        last.as_deref(),
        Some("note: stopped watching: the last report is in now.md")
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
