//! What an editor gets from `houserule lsp`, over its protocol.

// Helpers of tests are tests too, though no attribute says so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../common/mod.rs"]
mod common;

mod client;

use client::Editor;
use common::Scratch;
use serde_json::{Value as Json, json};

const FIRE: &str = "mods/duel/rules/fire.luau";
const AIM: &str = "mods/snipers/rules/aim.luau";

/// Where a rule is written, which much leads to.
const HITS: &str = "function duel.fire.hits(";
/// Where clauses are written.
const CLAUSES: &str = "mods/duel/mod.ron";

/// The places where something is defined must be where the text says so.
fn goes(editor: &mut Editor, scratch: &Scratch, from: (&str, &str, usize), to: &str, text: &str) {
    let found = editor.definition(from.0, from.1, from.2);
    let [place] = found.as_slice() else {
        panic!("{from:?}: {found:?}")
    };
    let (file, line) = place.split_once(':').unwrap();
    assert_eq!(file, to, "{from:?}");
    let number: usize = line.parse().unwrap();
    let written = scratch.read(file);
    let written = written.lines().nth(number - 1).unwrap();
    assert!(written.contains(text), "{from:?} leads to `{written}`");
}

#[test]
fn rules_lead_to_the_place_where_they_are_written() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    // From a wrap, from a call, and from where it is.
    goes(
        &mut editor,
        &scratch,
        (AIM, "duel.fire.hits", 12),
        FIRE,
        HITS,
    );
    goes(
        &mut editor,
        &scratch,
        (FIRE, "duel.fire.hits(game, gun", 11),
        FIRE,
        HITS,
    );
    goes(
        &mut editor,
        &scratch,
        ("mods/duel/rules/turn.luau", "duel.turn.is_over,", 12),
        "mods/duel/rules/turn.luau",
        "is_over(game",
    );
    assert_eq!(editor.ends(), Some(0));
}

/// Short ones over a rule and in a wrap, whole ones in rules and data.
#[test]
fn clauses_lead_to_the_place_where_they_are_written() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    goes(
        &mut editor,
        &scratch,
        (FIRE, "[range]", 3),
        CLAUSES,
        "\"duel.fire.range\"",
    );
    goes(
        &mut editor,
        &scratch,
        (FIRE, "[duel.fire.hit]", 8),
        CLAUSES,
        "\"duel.fire.hit\"",
    );
    goes(
        &mut editor,
        &scratch,
        (AIM, "\"aim.sure\"", 3),
        "mods/snipers/mod.ron",
        "\"snipers.aim.sure\"",
    );
    goes(
        &mut editor,
        &scratch,
        ("mods/snipers/mod.ron", "\"duel.fire.hits\"", 8),
        FIRE,
        HITS,
    );
    assert_eq!(editor.ends(), Some(0));
}

#[test]
fn tables_kinds_and_options_lead_to_the_place_where_they_are_written() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    goes(
        &mut editor,
        &scratch,
        (AIM, "duel.fire.ranges", 14),
        "mods/duel/data/guns.ron",
        "\"duel.fire.ranges\"",
    );
    goes(
        &mut editor,
        &scratch,
        (FIRE, "_shooter: duel.Gun", 16),
        "mods/duel/data/guns.ron",
        "\"duel.gun\"",
    );
    goes(
        &mut editor,
        &scratch,
        (FIRE, "\"duel.fire.needed\"", 14),
        CLAUSES,
        "\"duel.fire.needed\"",
    );
    assert_eq!(
        editor.definition(FIRE, "local found", 8),
        Vec::<String>::new(),
        "types know what is local"
    );
    assert_eq!(editor.ends(), Some(0));
}

#[test]
fn a_rule_is_shown_with_its_clauses_and_with_who_wraps_it() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    let shown = editor.hover(FIRE, "function duel.fire.hits", 20);
    for part in [
        "duel.fire.hits(shooter: entity(duel.gun), target: entity(duel.gun)) -> bool",
        "Whether a shot hits.",
        "A shot hits on a 4 or more of a d6.",
        "- wrapped by `snipers`, rules/aim.luau:6",
        "Every shot hits.",
    ] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    let clause = editor.hover("mods/duel/mod.ron", "\"duel.fire.range\"", 9);
    assert!(clause.contains("Which range is close."), "{clause}");
    let table = editor.hover(AIM, "duel.fire.ranges", 14);
    assert!(table.contains("| **band** | up_to |"), "{table}");
    let kind = editor.hover(FIRE, "_shooter: duel.Gun", 16);
    assert!(
        kind.contains("| `fired` | `integer 0..99` | `0` |"),
        "{kind}"
    );
    let phase = editor.hover(FIRE, "duel.phases.turn_act", 14);
    assert!(
        phase.contains("The phase Turn.") && phase.contains("- in it `duel.fire.shoot`, Shoot"),
        "{phase}"
    );
    assert_eq!(editor.hover(FIRE, "local found", 8), "");
}

#[test]
fn what_is_typed_counts_for_the_word_and_what_is_saved_for_the_rest() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    editor.opens(AIM);
    let typed = scratch.read(AIM) + "\nlocal wanted = duel.fire.band(\nlocal more = \"duel.fire.b";
    editor.types(AIM, &typed);
    let found = editor.at_in("definition", AIM, &typed, "duel.fire.band(", 12);
    assert!(found[0]["uri"].as_str().unwrap().ends_with(FIRE), "{found}");
    // A rule that is not saved yet is nowhere.
    let typed = typed.replace("duel.fire.band(", "duel.fire.bend(");
    editor.types(AIM, &typed);
    assert_eq!(
        editor.at_in("definition", AIM, &typed, "duel.fire.bend(", 12),
        json!([])
    );
}

#[test]
fn clauses_are_completed_where_clauses_stand() {
    let scratch = Scratch::new();
    let mut editor = Editor::open(&scratch);
    let mut labels = |path: &str, wanted: &str, on: usize| -> Vec<String> {
        let found = editor.at("completion", path, wanted, on);
        let all = found.as_array().unwrap().iter();
        all.map(|one| one["label"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(
        labels(FIRE, "[range]", 1),
        ["hit", "range", "turn.alternate", "turn.manners"]
    );
    assert_eq!(labels(FIRE, "[range]", 3), ["range"]);
    assert_eq!(labels(AIM, "\"aim.sure\"", 5), ["aim.sure", "aim.close"]);
    assert_eq!(
        labels(AIM, "{ \"snipers.aim.close\"", 5),
        ["snipers.aim.sure", "snipers.aim.close"]
    );
    assert_eq!(
        labels("mods/snipers/mod.ron", "\"duel.fire.hits\"", 10),
        ["duel.fire.hit", "duel.fire.range"]
    );
    assert!(
        labels(FIRE, "\"to hit\"", 3).is_empty(),
        "words for players are no clauses"
    );
    assert!(
        labels(FIRE, "local found", 8).is_empty(),
        "names are for types"
    );
    let found = editor.at("completion", FIRE, "[range]", 3);
    assert_eq!(found[0]["textEdit"]["newText"], "range");
    assert_eq!(found[0]["textEdit"]["range"]["start"]["character"], 5);
    assert!(
        found[0]["documentation"]["value"]
            .as_str()
            .unwrap()
            .contains("Which range is close.")
    );
}

// ---- what is wrong -------------------------------------------------------------

/// Code, line from 1, and message.
fn summaries(findings: &[Json]) -> Vec<(String, u64, String)> {
    let text = |value: &Json| value.as_str().unwrap().to_string();
    let one = |one: &Json| {
        (
            text(&one["code"]),
            one["range"]["start"]["line"].as_u64().unwrap() + 1,
            text(&one["message"]),
        )
    };
    findings.iter().map(one).collect()
}

#[test]
fn what_check_finds_is_underlined_until_it_is_mended() {
    let scratch = Scratch::new();
    let right = scratch.read(FIRE);
    let mut editor = Editor::open(&scratch);
    editor.opens(FIRE);
    let wrong = right.replace("duel.fire.hits(game, gun,", "duel.fire.hit(game, gun,");
    editor.saves(FIRE, &wrong);
    let found = summaries(&editor.findings(FIRE));
    let checked = scratch
        .fails(1, &format!("check {FIRE} --format json"))
        .document();
    let [problem] = checked["problems"].as_array().unwrap().as_slice() else {
        panic!("{checked}")
    };
    let text = |key: &str| problem[key].as_str().unwrap().to_string();
    let message = format!("{}\nhint: {}", text("message"), text("hint"));
    assert_eq!(
        found,
        [(text("code"), problem["line"].as_u64().unwrap(), message)]
    );
    assert!(
        found[0].2.contains("did you mean `fire.hits`?"),
        "{found:?}"
    );
    editor.saves(FIRE, &right);
    assert!(editor.findings(FIRE).is_empty());
    assert_eq!(editor.ends(), Some(0));
}

#[test]
fn what_breaks_a_mod_is_told_where_it_is() {
    let scratch = Scratch::new();
    let manifest = "mods/snipers/mod.ron";
    let right = scratch.read(manifest);
    let mut editor = Editor::open(&scratch);
    editor.opens(AIM);
    // The clause is gone from the manifest; the wrap that carries it out is in another file.
    editor.saves(
        manifest,
        &right.replace("snipers.aim.sure", "snipers.aim.safe"),
    );
    let found = summaries(&editor.findings(AIM));
    assert!(
        found
            .iter()
            .any(|(code, line, _)| code == "F009" && *line == 6),
        "{found:?}"
    );
    // What was known before is known while it is broken.
    goes(
        &mut editor,
        &scratch,
        (AIM, "duel.fire.hits", 12),
        FIRE,
        "function duel.fire.hits(",
    );
    editor.saves(manifest, &right);
    assert!(editor.findings(AIM).is_empty());
}

#[test]
fn what_is_wrong_in_a_file_stays_while_another_is_broken() {
    let scratch = Scratch::new();
    let turn = "mods/duel/rules/turn.luau";
    let right = scratch.read(turn);
    let wrong = scratch
        .read(FIRE)
        .replace("duel.fire.hits(game, gun,", "duel.fire.hit(game, gun,");
    let mut editor = Editor::open(&scratch);
    editor.opens(FIRE);
    editor.saves(FIRE, &wrong);
    let before = summaries(&editor.findings(FIRE));
    assert!(!before.is_empty());
    editor.saves(turn, &format!("{right}\nfunction ("));
    assert!(!editor.findings(turn).is_empty());
    editor.saves(turn, &right);
    assert!(editor.findings(turn).is_empty());
    editor.saves(FIRE, &wrong.replacen('\n', "\n-- One line more.\n", 1));
    // Who looks may come upon a file that is being written, and finds more then; but
    // the file is never told to be without fault.
    loop {
        let now = summaries(&editor.findings(FIRE));
        assert!(!now.is_empty(), "it was wrong all the time");
        if now.iter().map(|one| one.1).eq([before[0].1 + 1]) {
            break;
        }
    }
}

// ---- what is asked wrongly -----------------------------------------------------

#[test]
fn what_is_asked_wrongly_is_answered_and_the_next_is_too() {
    let scratch = Scratch::new();
    let mut editor = Editor::start(&scratch);
    let early = editor.ask("textDocument/hover", &json!({}));
    assert_eq!(early["error"]["code"], -32002, "{early}");
    let root = editor.uri("");
    editor.ask(
        "initialize",
        &json!({ "capabilities": {}, "rootUri": root }),
    );
    editor.raw("Content-Length: 9\r\n\r\n{\"id\": 3, ");
    assert_eq!(editor.answer(&Json::Null)["error"]["code"], -32700);
    editor.raw("Content-Type: none\r\n\r\n");
    assert_eq!(editor.answer(&Json::Null)["error"]["code"], -32700);
    editor.send(&json!({ "jsonrpc": "2.0", "id": 70, "method": 12 }));
    assert_eq!(editor.answer(&json!(70))["error"]["code"], -32600);
    for (method, params, code) in [
        ("textDocument/hover", json!({ "textDocument": 1 }), -32602),
        ("textDocument/hover", Json::Null, -32602),
        ("textDocument/zeppelin", json!({}), -32601),
        ("initialize", json!({ "capabilities": {} }), -32600),
    ] {
        let answer = editor.ask(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
    }
    // Files outside of all mods, files that are not there, places beyond the end.
    for uri in [
        "file:///nowhere.luau".to_string(),
        "untitled:one".into(),
        editor.uri("mods/duel/rules/no.luau"),
    ] {
        let position = json!({ "line": 4_000_000_000u32, "character": 4_000_000_000u32 });
        let at = json!({ "textDocument": { "uri": uri }, "position": position });
        for method in [
            "textDocument/hover",
            "textDocument/definition",
            "textDocument/completion",
        ] {
            let answer = editor.ask(method, &at);
            let is_nothing = answer["result"].is_null() || answer["result"] == json!([]);
            assert!(
                is_nothing && answer.get("error").is_none(),
                "{method} {uri}: {answer}"
            );
        }
    }
    let fine = editor.hover(FIRE, "function duel.fire.hits", 20);
    assert!(fine.contains("Whether a shot hits."), "{fine}");
    assert_eq!(editor.ends(), Some(0));
}

#[test]
fn an_end_that_nobody_announced_is_a_failure() {
    let scratch = Scratch::new();
    let ran = scratch.command("lsp").output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "no more input is an end");
    let mut command = scratch.command("lsp");
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let exit = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    let text = format!("Content-Length: {}\r\n\r\n{exit}", exit.len());
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), text.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
