//! `houserule simulate`, `health`, `compare` and `bisect`, in `machines` games on many
//! machines, in `in_force` what is told of rules, in `sides` what is said of one of two
//! sides, and in `asked_wrongly` what these say when they are stopped, or asked of what is
//! not there: what they print, what they keep, and what they say when something is wrong.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop where they go wrong"
)]

mod asked_wrongly;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../common/mod.rs"]
mod common;
mod in_force;
mod machines;
mod printed;
mod revealed;
mod shuffled;
mod sides;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Ran, Scratch};

// ---- simulate ------------------------------------------------------------------

#[test]
fn games_are_kept_one_a_line_and_counted() {
    let scratch = Scratch::new();
    let ran = scratch.ok("simulate noon --games 12 --seed 3 --out noon.jsonl");
    ran.says(&[
        "Noon: 12 games",
        "seeds     3 to 14",
        "won by",
        "blue",
        "red",
        " % to ",
        "decisions",
    ]);
    let kept = scratch.read("noon.jsonl");
    let lines: Vec<serde_json::Value> = kept
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (lines[0]["scenario"].as_str(), lines[0]["games"].as_u64()),
        (Some("noon"), Some(12))
    );
    assert_eq!(lines.len(), 13);
    let seeds: Vec<u64> = lines[1..]
        .iter()
        .map(|line| line["seed"].as_u64().unwrap())
        .collect();
    assert_eq!(seeds, (3..15).collect::<Vec<_>>());
    // Each line is the game that its seed gives.
    let alone = scratch
        .ok("run noon --seed 9 --format json --quiet")
        .lines();
    assert_eq!(lines[7]["state"], alone[0]["state"]);
    assert_eq!(lines[7]["decisions"], alone[0]["inputs"]);
    assert!(
        lines[7]["actions"]["duel.fire.shoot"].as_u64() > Some(0),
        "{}",
        lines[7]
    );
    // As many are won as the tally counts.
    let tally = scratch
        .ok("run noon --games 12 --seed 3 --tally --format json")
        .document();
    let summary = scratch
        .ok("simulate noon --games 12 --seed 3 --format json")
        .document();
    for side in ["blue", "red"] {
        let here = summary["variants"][0]["winners"][side]["games"]
            .as_u64()
            .unwrap_or_default();
        assert_eq!(here, tally["winners"][side].as_u64().unwrap_or_default());
    }
}

#[test]
fn stopped_or_not_side_by_side_or_not_the_bytes_are_the_same() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 15 --vary duel.fire.needed=3,6 --out whole.jsonl --jobs 1");
    let whole = scratch.read("whole.jsonl");
    assert_eq!(whole.lines().count(), 31);
    scratch.ok("simulate noon --games 15 --vary duel.fire.needed=3,6 --out other.jsonl --jobs 3");
    assert_eq!(scratch.read("other.jsonl"), whole);
    // Broken off in the middle of a line, and in the middle of the first.
    for cut in [whole.len() * 2 / 3, 40, 3, 0, whole.len()] {
        scratch.write("cut.jsonl", &whole[..cut]);
        scratch.ok("simulate noon --games 15 --vary duel.fire.needed=3,6 --out cut.jsonl --resume");
        assert_eq!(scratch.read("cut.jsonl"), whole, "cut at {cut}");
    }
    for part in 1..=4 {
        let line = "simulate noon --games 15 --vary duel.fire.needed=3,6";
        scratch.ok(&format!("{line} --shard {part}/4 --out part-{part}.jsonl"));
    }
    // In whatever order they come.
    let merged = "simulate --merge part-3.jsonl part-1.jsonl part-4.jsonl part-2.jsonl";
    scratch.ok(&format!("{merged} --out merged.jsonl")).says(&[
        "30 games",
        "varied    duel.fire.needed=6",
        "turned",
    ]);
    assert_eq!(scratch.read("merged.jsonl"), whole);
    scratch
        .fails(1, "simulate --merge part-1.jsonl part-2.jsonl part-3.jsonl")
        .says(&["shard 4 is missing"]);
    scratch
        .fails(1, "simulate --merge part-1.jsonl part-1.jsonl")
        .says(&["shard 1 of 4 is given twice"]);
}

#[test]
fn games_are_a_table_too() {
    let scratch = Scratch::new();
    let csv = scratch
        .ok("simulate noon --games 2 --vary duel.fire.needed=2 --format csv")
        .out;
    let head = csv.lines().next().unwrap();
    assert_eq!(
        head,
        "duel.fire.needed,seed,winner,reason,decisions,state,fault,duel.fire.shoot"
    );
    assert_eq!(csv.lines().count(), 3);
    scratch.ok("simulate noon --games 2 --vary duel.fire.needed=2 --out noon.csv");
    assert_eq!(scratch.read("noon.csv"), csv);
}

#[test]
fn a_file_that_holds_something_else_is_not_gone_on_with() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 3 --out noon.jsonl");
    scratch
        .fails(1, "simulate noon --games 3 --out noon.jsonl")
        .says(&["`--resume` goes on with it"]);
    scratch
        .fails(1, "simulate noon --games 4 --out noon.jsonl --resume")
        .says(&[
            "noon.jsonl holds games of another question",
            "expected games of each variant: 4, found 3",
        ]);
    scratch.write("other.jsonl", "{\"a\":1}\n");
    scratch
        .fails(1, "simulate noon --out other.jsonl --resume")
        .says(&[
            "other.jsonl",
            "expected a file that `simulate --out` has written",
        ]);
    assert_eq!(scratch.read("other.jsonl"), "{\"a\":1}\n");
    // What is said to do instead can be done.
    scratch
        .fails(2, "simulate noon --games 3 --out noon.csv --resume")
        .says(&[
            "`noon.csv` is a table",
            "`--out noon.jsonl --resume`",
            "`houserule simulate --merge noon.jsonl --out noon.csv`",
        ]);
    scratch.ok("simulate noon --games 3 --out noon.jsonl --resume");
    scratch.ok("simulate --merge noon.jsonl --out noon.csv");
    scratch
        .fails(1, "simulate noon --games 3 --out noon.csv")
        .says(&["noon.csv is there already: a table is not gone on with, choose another name"]);
}

#[test]
fn shards_of_different_runs_are_not_merged() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 4 --shard 1/2 --out one.jsonl");
    scratch.ok("simulate noon --games 6 --shard 2/2 --out two.jsonl");
    scratch
        .fails(1, "simulate --merge one.jsonl two.jsonl")
        .says(&[
            "two.jsonl is a shard of another run",
            "expected games of each variant: 4, found 6",
        ]);
    scratch.ok("simulate noon --games 4 --shard 2/3 --out three.jsonl");
    scratch
        .fails(1, "simulate --merge one.jsonl three.jsonl")
        .says(&["three.jsonl: expected a part of 2, found one of 3"]);
    let cut = scratch.read("one.jsonl");
    scratch.write("one.jsonl", &cut[..cut.len() - 3]);
    scratch
        .fails(1, "simulate --merge one.jsonl")
        .says(&["expected 2 games, found 1"]);
}

#[test]
fn files_that_no_run_has_written_are_not_merged() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 3 --out noon.jsonl");
    let swapped = scratch
        .read("noon.jsonl")
        .replace("\"seed\":8", "\"seed\":9");
    scratch.write("swapped.jsonl", &swapped);
    scratch
        .fails(1, "simulate --merge swapped.jsonl")
        .says(&["in order, found others"]);
    for games in ["0", "18446744073709551615"] {
        let others = scratch
            .read("noon.jsonl")
            .replace("\"games\":3", &format!("\"games\":{games}"));
        scratch.write("others.jsonl", &others);
        scratch
            .fails(1, "simulate --merge others.jsonl")
            .says(&["expected 1 to 10000000 games", games]);
    }
    scratch
        .fails(1, "simulate --merge nowhere.jsonl")
        .says(&["nowhere.jsonl"]);
    scratch
        .fails(1, "simulate --merge mods/duel/mod.ron")
        .says(&["mods/duel/mod.ron: expected a file that `simulate --out` has written"]);
}

#[test]
fn what_cannot_be_simulated_is_said_plainly() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "simulate noon --shard 5/4")
        .says(&["such as `1/4`"]);
    scratch
        .fails(2, "simulate noon --jobs 0")
        .says(&["from 1 to 1024"]);
    scratch
        .fails(2, "simulate noon --vary duel.fire.needed=2,,3")
        .says(&["commas between them"]);
    scratch
        .fails(1, "simulate noon --vary duel.fire.neded=2")
        .says(&["duel.fire.needed"]);
    scratch
        .fails(1, "simulate noon --games 2 --bot green=random")
        .says(&["blue and red, found `green`"]);
    scratch.fails(2, "simulate").says(&["SCENARIO"]);
}

/// A power cut knows no letters: it leaves half of one.
#[test]
fn a_file_that_ends_in_half_a_letter_is_gone_on_with() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 3 --out noon.jsonl");
    let whole = scratch.read("noon.jsonl");
    let mut cut = whole.as_bytes()[..whole.len() - 40].to_vec();
    cut.push("é".as_bytes()[0]);
    std::fs::write(scratch.0.join("noon.jsonl"), cut).unwrap();
    scratch.ok("simulate noon --games 3 --out noon.jsonl --resume");
    assert_eq!(scratch.read("noon.jsonl"), whole);
}

#[test]
fn ctrl_c_keeps_the_games_that_are_over() {
    let scratch = Scratch::new();
    let line = "simulate noon --games 100000 --out noon.jsonl --jobs 1";
    let mut child = scratch
        .command(line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while std::fs::read_to_string(scratch.0.join("noon.jsonl"))
        .is_ok_and(|kept| kept.lines().count() < 4)
        || !scratch.0.join("noon.jsonl").exists()
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.says(&[
        "stopped after",
        "of 100000 games; `--resume` goes on with it",
    ]);
    let kept = scratch.read("noon.jsonl");
    let half: Vec<&str> = kept.lines().collect();
    assert!(half.len() > 3 && kept.ends_with('\n'), "{}", half.len());
}

/// A worker that dies in the middle of a write, and the one that goes on in its place.
#[cfg(unix)]
#[test]
fn what_a_worker_has_written_that_was_killed_is_gone_on_with() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 400 --shard 2/2 --out whole.jsonl");
    let line = "simulate noon --games 400 --shard 2/2 --out dead.jsonl --jobs 1";
    let mut child = scratch
        .command(line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = || {
        std::fs::read(scratch.0.join("dead.jsonl"))
            .map_or(0, |kept| kept.split(|c| *c == b'\n').count())
    };
    while lines() < 4 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    scratch.ok(&format!("{line} --resume"));
    assert_eq!(scratch.read("dead.jsonl"), scratch.read("whole.jsonl"));
}

/// What is asked of a journal whose mods are nowhere any more.
#[test]
fn a_journal_of_mods_that_are_not_here_is_told_as_such() {
    let scratch = Scratch::new();
    scratch.ok("run noon --seed 1 --journal evenings/noon.journal");
    let kept: Vec<PathBuf> = std::fs::read_dir(scratch.0.join("evenings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(kept.len(), 1, "the sources are kept beside it");
    std::fs::remove_dir_all(&kept[0]).unwrap();
    for line in [
        "odds evenings/noon.journal --rule duel.fire.hits --arg shooter=sheriff --arg target=bandit",
        "record evenings/noon.journal --at 9 --as hit",
        "compare evenings/noon.journal --b snipers",
    ] {
        scratch
            .fails(1, line)
            .says(&["`duel` 1.0.0", "bring `evenings/noon.journal.mods` back"]);
    }
    // One evening of many is left out, and the games are told.
    let ran = scratch.ok("impact snipers --scenario noon --games 2 --journals evenings");
    ran.says(&[
        "left out: evenings/noon.journal",
        "the sources of mod `duel`",
        "2 pairs of games",
    ]);
}

/// As where a machine that was thought dead plays on beside the one in its place.
#[test]
fn two_runs_do_not_write_one_file() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 3 --out noon.jsonl");
    let whole = scratch.read("noon.jsonl");
    let first = std::fs::File::open(scratch.0.join("noon.jsonl")).unwrap();
    first.lock().unwrap();
    let ran = scratch.fails(1, "simulate noon --games 3 --out noon.jsonl --resume");
    ran.says(&["noon.jsonl is being written by another run"]);
    drop(first);
    assert_eq!(scratch.read("noon.jsonl"), whole);
    scratch.ok("simulate noon --games 3 --out noon.jsonl --resume");
}

/// Mods that were changed since are named, and so is a scenario.
#[test]
fn games_by_other_files_are_not_gone_on_with() {
    let scratch = Scratch::new();
    scratch.ok("simulate noon --games 2 --out noon.jsonl");
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "game:option(\"duel.fire.needed\")",
        "1",
    );
    let again = "simulate noon --games 2 --out noon.jsonl --resume";
    scratch
        .fails(1, again)
        .says(&["expected the mod `duel` as it is, found it as it was then"]);
    scratch.edit("mods/duel/scenarios/noon.ron", "turns: 4", "turns: 3");
    scratch
        .fails(1, again)
        .says(&["expected `noon` as it is, found the scenario as it was then"]);
}

// ---- health --------------------------------------------------------------------

/// The scenario of a duel that says this of itself.
fn claiming(scratch: &Scratch, claims: &str) {
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "    turns: 4,\n",
        &format!("    turns: 4,\n{claims}"),
    );
}

/// A sign of what `health` found, as JSON.
fn sign(ran: &Ran, about: &str) -> serde_json::Value {
    let json = ran.document();
    let mut signs = json["signs"].as_array().unwrap().iter();
    signs.find(|sign| sign["about"] == about).unwrap().clone()
}

#[test]
fn units_without_a_design_are_to_act_too() {
    let scratch = Scratch::new();
    let arms = || {
        let ran = scratch.fails(1, "health noon --games 8 --format json");
        let arms = sign(&ran, "arms");
        (arms["well"].clone(), arms["found"].clone())
    };
    assert_eq!(arms(), (true.into(), "all 2 units acted".into()));
    // One has shot in all turns to come, so there is nothing that it could do.
    let bandit = "        (kind: \"duel.gun\", id: \"bandit\"";
    let idle = |name: &str| {
        format!(
            "        (kind: \"duel.gun\", id: \"{name}\", side: \"red\", \
             attributes: {{\"at\": \"(14in, 12in)\", \"fired\": 99}}),\n{bandit}"
        )
    };
    let scenario = "mods/duel/scenarios/noon.ron";
    scratch.edit(scenario, bandit, &idle("deputy"));
    let found = "1 of 3 units never acted: deputy";
    assert_eq!(arms(), (false.into(), found.into()));
    // Where half of a kind never acts, it is not there to act.
    scratch.edit(scenario, bandit, &idle("barber"));
    let found = "no designs, and no kind of which most acted";
    assert_eq!(arms(), (serde_json::Value::Null, found.into()));
}

#[test]
fn a_scenario_is_held_to_what_it_says() {
    let scratch = Scratch::new();
    // A duel opens in few ways.
    let ran = scratch.fails(1, "health noon --games 40 --format json");
    assert_eq!(sign(&ran, "openings")["well"], false);
    assert_eq!(
        sign(&ran, "balance")["well"],
        serde_json::Value::Null,
        "it claims nothing"
    );
    assert_eq!(sign(&ran, "faults")["well"], true);
    // Who shoots first wins far more often.
    let blue = ["--option", "duel.fire.needed=2"].join(" ");
    claiming(&scratch, "    balance: Even,\n");
    let ran = scratch.fails(1, &format!("health noon --games 40 {blue} --format json"));
    assert_eq!(sign(&ran, "balance")["well"], false);
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "Even",
        "Edge(side: \"blue\", from: 60, to: 100)",
    );
    // The balance is as it says; but games that are over so soon open alike.
    let ran = scratch.fails(1, &format!("health noon --games 40 {blue} --format json"));
    assert_eq!(
        (
            &sign(&ran, "balance")["well"],
            &sign(&ran, "openings")["well"]
        ),
        (&true.into(), &false.into())
    );
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "from: 60, to: 100",
        "from: 0, to: 40",
    );
    scratch
        .fails(1, &format!("health noon --games 40 {blue}"))
        .says(&[
            "not",
            "balance",
            "blue wins",
            "it claims that blue wins 0 to 40 %",
        ]);
}

#[test]
fn ends_that_a_scenario_names_must_come() {
    let scratch = Scratch::new();
    claiming(&scratch, "    ends: [\"the moon has fallen\"],\n");
    scratch
        .fails(1, "health noon --games 5")
        .says(&["never: the moon has fallen"]);
}

#[test]
fn claims_that_make_no_sense_are_told_where_they_stand() {
    let scratch = Scratch::new();
    claiming(
        &scratch,
        "    balance: Edge(side: \"green\", from: 80, to: 20),\n",
    );
    scratch.fails(1, "health noon").says(&[
        "noon.ron",
        "expected a side that has the edge, found `green`",
        "found 80 to 20",
    ]);
}

// ---- compare -------------------------------------------------------------------

#[test]
fn two_sets_of_rules_part_where_they_first_tell_something_else() {
    let scratch = Scratch::new();
    let same = scratch.ok("compare noon");
    same.says(&["both tell the same"]);
    let ran = scratch.ok("compare noon --a-option duel.fire.needed=6 --b snipers");
    ran.says(&[
        "a         duel duel.fire.needed=6",
        "they part ",
        "duel.fire.hits",
        "a ends",
        "b ends",
    ]);
    ran.says(&["snipers.aim.sure"]);
    // People read the decision as reports have it, programs as journals do.
    ran.says(&["does not fit by b:", ": Shoot — "]);
    let json = scratch
        .ok("compare noon --a-option duel.fire.needed=6 --b snipers --format json")
        .document();
    assert!(json["parting"]["event"].as_u64() > Some(0), "{json}");
    assert_ne!(json["parting"]["a"]["text"], json["parting"]["b"]["text"]);
    // The second game was over when the first went on: what was decided then fits no more.
    assert!(
        json["illegal"]["reason"]
            .as_str()
            .is_some_and(|reason| !reason.is_empty()),
        "{json}"
    );
    let illegal = json["illegal"]["text"].as_str().unwrap();
    assert!(illegal.contains("duel.fire.shoot @"), "{json}");
    assert_eq!(json["a"]["decisions"], json["decisions"]);
}

#[test]
fn a_journal_is_compared_with_the_mods_at_hand() {
    let scratch = Scratch::new();
    scratch.ok("run noon --option duel.fire.needed=6 --journal noon.journal");
    scratch
        .ok("compare noon.journal --b-option duel.fire.needed=6")
        .says(&["both tell the same"]);
    scratch
        .ok("compare noon.journal --b snipers")
        .says(&["they part "]);
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "game:option(\"duel.fire.needed\")",
        "1",
    );
    scratch.ok("compare noon.journal").says(&["they part "]);
    scratch
        .fails(2, "compare noon.journal --seed 3")
        .says(&["are for scenarios"]);
}

#[test]
fn mods_of_another_folder_and_of_another_time_are_compared() {
    let scratch = Scratch::new();
    let git = |line: &str| {
        let mut git = std::process::Command::new("git");
        git.args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "-c",
            "commit.gpgsign=false",
        ]);
        let out = git
            .args(line.split(' '))
            .current_dir(&scratch.0)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
    };
    git("init -q");
    git("add mods");
    git("commit -q -m before");
    scratch
        .ok("compare noon --a-rev HEAD")
        .says(&["both tell the same"]);
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "game:option(\"duel.fire.needed\")",
        "1",
    );
    scratch
        .ok("compare noon --a-rev HEAD")
        .says(&["they part "]);
    scratch
        .ok("compare noon --b-rev HEAD")
        .says(&["they part "]);
    scratch
        .fails(1, "compare noon --a-rev no-such-thing")
        .says(&["no-such-thing"]);
    scratch
        .fails(1, "compare noon --b-mods nowhere")
        .says(&["expected a folder of mods at `nowhere`"]);
}

// ---- bisect --------------------------------------------------------------------

#[test]
fn the_change_that_makes_the_difference_is_found() {
    let scratch = Scratch::new();
    let needed = "--good-option duel.fire.needed=6 --bad-option duel.fire.needed=6";
    let ran = scratch.ok(&format!("bisect noon {needed} --bad snipers"));
    ran.says(&["snipers.aim.sure is on (Sure)", "among 2 changes"]);
    let json =
        scratch.ok("bisect noon --bad-option duel.fire.needed=6 --if bandit.is_hit --format json");
    let json = json.document();
    assert_eq!(json["change"]["option"], "duel.fire.needed", "{json}");
    let turned = scratch
        .ok(&format!(
            "bisect noon {needed} --good snipers --format json"
        ))
        .document();
    assert_eq!(
        (&turned["change"]["clause"], &turned["change"]["on"]),
        (&"snipers.aim.sure".into(), &false.into())
    );
}

#[test]
fn what_makes_a_case_fail_is_found() {
    let scratch = Scratch::new();
    let ran = scratch.ok("bisect --case duel/twelve --bad snipers");
    ran.says(&[
        "snipers.aim.close is on (Closer)",
        "it passes",
        "found in 3 runs among 2 changes",
    ]);
    let json = scratch
        .ok("bisect --case duel/four --bad-option duel.fire.needed=5 --format json")
        .document();
    assert_eq!(
        (&json["change"]["option"], &json["runs"]),
        (&"duel.fire.needed".into(), &2.into())
    );
    scratch
        .fails(1, "bisect --case duel/five --bad snipers")
        .says(&["with `five` in its title, found none"]);
    scratch
        .fails(1, "bisect --case duel/s --bad snipers")
        .says(&["found 2: `a four hits`, `twelve inches"]);
    scratch
        .fails(1, "bisect --case twelve --bad snipers")
        .says(&["`mod/words`, found `twelve`"]);
    scratch
        .fails(1, "bisect --case dual/twelve --bad snipers")
        .says(&["did you mean `duel`?"]);
    scratch
        .fails(1, "bisect --case duel/four --bad snipers")
        .says(&["it is well by the bad rules too, so that no change can be found: it passes"]);
    scratch
        .fails(2, "bisect noon --case duel/four --bad snipers")
        .says(&["cannot be used with"]);
}

#[test]
fn what_makes_a_golden_differ_is_found() {
    let scratch = Scratch::new();
    scratch
        .fails(1, "bisect --golden first_shot --bad snipers")
        .says(&["expected a golden", "found none"]);
    scratch.edit("mods/duel/scenarios/first_shot.ron", "d6=5", "d6=2");
    scratch.ok("test duel --filter first_shot --accept");
    let json = scratch
        .ok("bisect --golden first_shot --bad snipers --format json")
        .document();
    assert_eq!(json["change"]["clause"], "snipers.aim.sure", "{json}");
    assert_eq!(json["before"], "as the golden says");
    assert!(json["after"].as_str().unwrap().contains("hit"), "{json}");
    // One that already differs is not the doing of what is asked of.
    scratch.edit("mods/duel/scenarios/first_shot.ron", "d6=2", "d6=3");
    scratch
        .fails(1, "bisect --golden first_shot --bad snipers")
        .says(&["it is bad by the good rules already"]);
}

/// A script has the dice of the rules that it was written for.
#[test]
fn a_script_that_other_rules_roll_otherwise_for_is_bisected_too() {
    let scratch = Scratch::new();
    let rules = "mods/snipers/rules/aim.luau";
    scratch.edit(
        rules,
        "base(game, shooter, target)\n",
        "game:roll(6, \"aim\")\n    base(game, shooter, target)\n",
    );
    let ran = scratch.ok("bisect first_shot --bad snipers");
    ran.says(&[
        "snipers.aim.sure is on (Sure)",
        "with it   its script goes no farther than line 15: expected a scripted result for a d6",
    ]);
    scratch
        .fails(
            1,
            "bisect first_shot --bad snipers --if bandit.is_hit=false",
        )
        .says(&[
            "is asked of the end of the game",
            "goes no farther than line 15",
        ]);
    scratch
        .fails(1, "bisect first_shot --good snipers")
        .says(&["by the good rules its script goes no farther than line 15"]);
    // A die that is left over is no matter: the game is over, and tells something else.
    let text = scratch.read(rules);
    let roll = "game:roll(6, \"aim\")\n    base(game, shooter, target)\n";
    scratch.write(rules, &text.replace(roll, ""));
    let ran = scratch.ok("bisect first_shot --bad snipers");
    ran.says(&["snipers.aim.sure is on (Sure)", "with it   shot"]);
    scratch.edit("mods/duel/scenarios/first_shot.ron", "d6=5", "d6=2");
    scratch
        .ok("bisect first_shot --bad snipers --if bandit.is_hit")
        .says(&["snipers.aim.sure is on (Sure)"]);
}

#[test]
fn what_cannot_be_bisected_is_said_plainly() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "bisect noon")
        .says(&["found the same twice"]);
    scratch
        .fails(
            1,
            "bisect noon --bad snipers --bad-without snipers.aim.sure",
        )
        .says(&["it is well by the bad rules too"]);
    scratch
        .fails(
            1,
            "bisect noon --bad snipers --if bandit.is_hit=bandit.is_hit",
        )
        .says(&["it is bad by the good rules already"]);
    scratch
        .fails(1, "bisect noon --bad snipers --if count(duel.gun)")
        .says(&["expected yes or no"]);
    scratch
        .fails(1, "bisect noon --bad snipers --if bandit.is_hat")
        .says(&["is_hat"]);
    scratch
        .fails(1, "bisect noon --bad snippers")
        .says(&["snipers"]);
}
