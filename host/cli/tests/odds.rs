//! `houserule odds`: what it prints, and what it says when it cannot tell.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod common;

use common::Scratch;

#[test]
fn odds_are_told_in_every_format() {
    let scratch = Scratch::new();
    let shot = |more: &str| {
        let mut command = scratch.command(&format!("odds toss/table --mods {} {more}", toss()));
        command
            .arg("--act")
            .arg("plain red-cup")
            .arg("--by")
            .arg("red-cup.score");
        let out = command.output().unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap()
    };
    let text = shot("");
    assert!(
        text.contains("1  0.333333") && text.contains("1/3") && text.contains("exact"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&shot("--format json")).unwrap();
    assert_eq!(json["outcomes"][1]["odds"], "1/3");
    assert_eq!(json["mean"]["decimal"], "0.333333");
    assert_eq!(
        shot("--format csv"),
        "outcome,odds,decimal,low,high\n0,2/3,0.666667,,\n1,1/3,0.333333,,\n"
    );
    let svg = shot("--format svg");
    assert!(
        svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("1/3"),
        "{svg}"
    );
    let sampled = shot("--runs 1 --samples 400 --sample-seed 9");
    assert!(
        sampled.contains("400 games, seeds 9 to 408") && sampled.contains(" to 0."),
        "{sampled}"
    );
    assert_eq!(sampled, shot("--runs 1 --samples 400 --sample-seed 9"));
}

fn toss() -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/toss");
    folder.display().to_string()
}

#[test]
fn what_cannot_be_told_is_said_plainly() {
    let scratch = Scratch::new();
    let toss = toss();
    let fails = |words: &[&str], says: &str| {
        let mut command = scratch.command(&format!("odds toss/table --mods {toss}"));
        let out = command.args(words).output().unwrap();
        let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(
            !out.status.success() && stderr.contains(says) && !stderr.contains("panicked"),
            "{words:?}\n{stderr}"
        );
    };
    let cup = ["--arg", "cup=red-cup", "--by", "red-cup.score"];
    let rule = |id: &'static str| [&["--rule", id][..], &cup[..]].concat();
    fails(
        &rule("toss.core.brakes"),
        "did you mean `toss.core.breaks`?",
    );
    fails(&rule("toss.core.breaks"), "d6=4 (a crack), d6=2 (a break)");
    fails(
        &rule("toss.core.round"),
        "goes on with `toss.core.round` again and again",
    );
    fails(
        &["--rule", "toss.core.breaks", "--arg", "cub=red-cup"],
        "found `cub`",
    );
    fails(&["--rule", "toss.core.breaks"], "expected `cup=…`");
    fails(&["--act", "plain red-cup", "--by", "red-cup.scor"], "scor");
    fails(
        &["--act", "plain red-cup", "--by", "7"],
        "depends on what happens",
    );
    fails(&["--act", "plane red-cup"], "found `plane`");
    fails(&["--act", "plain blue-cup"], "");
    fails(&["--act", ""], "expected an action");
    fails(
        &["--act", "plain red-cup", "--set", "red-cup.scor=3"],
        "scor",
    );
    fails(
        &["--act", "plain red-cup", "--set", "red-cub.score=3"],
        "did you mean `red-cup`?",
    );
    fails(&["--at", "0", "--act", "plain red-cup"], "0");
    fails(
        &["--act", "plain red-cup", "--rule", "toss.core.pair"],
        "cannot be used with",
    );
    fails(&[], "--act");
    let ran = scratch.fails(2, "scenarios --format svg");
    ran.says(&["is for `odds`"]);
}
