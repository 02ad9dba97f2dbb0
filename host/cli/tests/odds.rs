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
        // What is wrong is said once, and by itself.
        assert!(!stderr.contains("error: odds: "), "{words:?}\n{stderr}");
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
    fails(
        &["--act", "plain blue-cup"],
        "`blue-cup` is one word too many for Throw in the open by red-cup, who alone may do it now",
    );
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

#[test]
fn an_outcome_that_names_nothing_is_told_before_anything_is_counted() {
    let scratch = Scratch::new();
    for (by, says) in [
        (
            "result.score",
            "`result.score`: `result` is what a rule gives",
        ),
        ("toss.core.omens(red-cup)", "did you mean `toss.core.omen`?"),
        (
            "toss.core.omen(red-cup, 3)",
            "expected at most 1 arguments of `toss.core.omen`, found 2",
        ),
        (
            "last(toss.scored).point",
            "expected a field of `toss.scored` (cup, points)",
        ),
    ] {
        let line = format!("odds toss/table --mods {}", toss());
        let mut command = scratch.command(&line);
        let command = command.args(["--act", "plain red-cup", "--by", by]);
        let ran = common::Ran::of(command.output().unwrap());
        assert_eq!(ran.code, 1, "{by}\n{}", ran.err);
        ran.says(&[says]);
        assert!(!ran.err.contains("after: "), "{by}\n{}", ran.err);
    }
}

#[test]
fn an_outcome_that_nobody_named_is_told_in_words_with_one_to_ask_for() {
    let scratch = Scratch::new();
    let asked = |more: &[&str]| {
        let line = format!("odds toss/table --mods {}", toss());
        let mut command = scratch.command(&line);
        let command = command.arg("--act").arg("plain red-cup").args(more);
        common::Ran::of(command.output().unwrap())
    };
    let ran = asked(&[]);
    assert!(ran.out.contains("  score  1.000000"), "{}", ran.out);
    ran.says(&["such as `--by 'events(toss.scored)'`"]);
    let ran = asked(&["--by", "events(toss.scored)"]);
    assert!(
        ran.code == 0 && !ran.err.contains("--by"),
        "{}{}",
        ran.out,
        ran.err
    );
    // Programs are told by ids, and nothing beside.
    let ran = asked(&["--format", "json"]);
    assert_eq!(ran.document()["outcomes"][0]["outcome"], "toss.scored");
    assert!(!ran.err.contains("--by"), "{}", ran.err);
}

#[test]
fn an_argument_that_is_left_out_is_named_without_its_whole_type() {
    let ran = Scratch::new().fails(
        2,
        &format!(
            "odds toss/table --mods {} --rule toss.core.throw --by red-cup.score",
            toss()
        ),
    );
    ran.says(&[
        "expected `cup=…`, an argument of `toss.core.throw`, found none",
        "`houserule rules toss.core.throw` prints its type",
    ]);
}

#[test]
fn what_an_action_lacks_is_told_with_what_there_is_to_choose() {
    let scratch = Scratch::new();
    let mut command = scratch.command("odds noon --act");
    let ran = common::Ran::of(command.arg("shoot sheriff").output().unwrap());
    assert_eq!(ran.code, 2, "{}", ran.err);
    ran.says(&[
        "the whole action, found that `target` is missing",
        "1 bandit",
    ]);
}

#[test]
fn an_answer_that_nobody_asks_for_is_told() {
    let scratch = Scratch::new();
    let line = format!(
        "odds toss/table --mods {} --rule toss.core.gamble --arg cup=red-cup --by red-cup.score",
        toss()
    );
    for more in ["", " --runs 1 --samples 20"] {
        let ran = scratch.ok(&format!("{line} --answer toss.agin=no{more}"));
        ran.says(&["`toss.agin` is not asked on any way"]);
        let ran = scratch.ok(&format!("{line} --answer toss.again=no{more}"));
        assert!(!ran.err.contains("is not asked"), "{}", ran.err);
    }
}

/// What yes and no mean is known by the question, for `eval` as for `odds`.
#[test]
fn a_rule_that_asks_is_answered_in_words() {
    let scratch = Scratch::new();
    let call = format!(
        "eval toss.core.gamble --in toss/table --mods {} --arg cup=red-cup --seed 4",
        toss()
    );
    let result = |more: &str| scratch.ok(&format!("{call} {more}")).out;
    let [yes, no] = ["yes", "no"].map(|word| result(&format!("--answer toss.again={word}")));
    assert_eq!(yes, result("--answer toss.again=true"));
    assert_eq!(no, result("--answer toss.again=false"));
    assert_ne!(yes, no);
    scratch
        .fails(1, &call)
        .says(&["the rule asks `toss.again`", "--answer toss.again=…"]);
    scratch
        .fails(2, &format!("{call} --answer toss.again=maybe"))
        .says(&["no answer to \"Do you throw again?\" (one of yes, no)"]);
}

#[test]
fn a_journal_is_asked_by_its_own_rules_and_its_own_seed() {
    let scratch = Scratch::new();
    let mods = format!("--mods {}", toss());
    scratch.ok(&format!(
        "{mods} run toss/table --quiet --journal table.journal"
    ));
    let line = format!("{mods} odds table.journal --rule toss.core.pair");
    scratch.ok(&line);
    for more in ["--seed 3", "--with toss", "--amend toss.prices[1].points=3"] {
        let ran = scratch.fails(2, &format!("{line} {more}"));
        ran.says(&["`--seed` are for scenarios"]);
    }
}

#[cfg(unix)]
#[test]
fn odds_that_were_stopped_do_not_end_like_others() {
    let scratch = Scratch::new();
    let line = format!(
        "odds toss/table --mods {} --rule toss.core.gamble --arg cup=red-cup --by red-cup.score --runs 1 \
         --samples 1000000000",
        toss()
    );
    let ran = scratch.interrupted_after(&line, 1500);
    assert_eq!(ran.code, 130, "{}", ran.err);
    ran.says(&["mean", "stopped: told is what was counted until then"]);
}

/// Toss with a gamble that takes as many dice as nobody can count, and says how it went.
fn gambling(dice: u32) -> Scratch {
    let scratch = Scratch::new();
    common::copy(std::path::Path::new(&toss()), &scratch.0.join("own/toss"));
    let file = "own/toss/rules/toss.luau";
    scratch.edit(
        file,
        "function core.gamble(game: Acts, cup: Cup)",
        "function core.gamble(game: Acts, cup: Cup): \"high\" | \"low\"",
    );
    scratch.edit(
        file,
        "    local face = game:roll(DIE, \"a stake\")\n",
        &format!(
            "    local face = 0\n    for _ = 1, {dice} do\n        face = face * 6 + game:roll(DIE, \"a stake\")\n    \
             end\n    cup.score = face\n"
        ),
    );
    scratch.edit(
        file,
        "game:roll(DIE, \"a second stake\") else face\n",
        "game:roll(DIE, \"a second stake\") else face\n    return if cup.score > 3 then \"high\" else \"low\"\n",
    );
    scratch
}

/// Which answer is the best nobody knows before all is counted: there is nothing to tell,
/// and it was stopped all the same.
#[cfg(unix)]
#[test]
fn odds_that_were_stopped_before_there_are_any_say_so() {
    let scratch = gambling(12);
    let ran = scratch.interrupted_after("odds toss/table --mods own --rule toss.core.gamble --arg cup=red-cup --by red-cup.score --others best \
             --runs 1000000000000", 2500);
    assert_eq!(ran.code, 130, "{}\n{}", ran.out, ran.err);
    ran.says(&[
        "note: stopped after ",
        "before all ways were counted: there is nothing to tell yet",
    ]);
}

/// Rules register no questions: those are listed that the cases of the mod come to.
#[test]
fn the_questions_of_a_mod_are_listed() {
    let scratch = Scratch::new();
    common::copy(std::path::Path::new(&toss()), &scratch.0.join("own/toss"));
    scratch.write(
        "own/toss/tests/again.luau",
        "--!strict\nlocal test = require(\"@test\")\n\ntest.case(\"nobody throws again\", function(t)\n    \
         local game = t:scenario(\"table\")\n    t:dice { \"d6=3\" }\n    \
         t:answer(\"toss.again\", false)\n    t:step(\"toss.core.gamble\", game:get(\"red-cup\"))\nend)\n",
    );
    let line = "rules toss --questions --mods own";
    scratch.ok(line).says(&[
        "toss.again  Do you throw again?",
        "asked of  red",
        "answers   no  (in 1 case)",
    ]);
    // What stands in the rules, and no case comes to.
    let rules = scratch.read("own/toss/rules/toss.luau");
    let asks = "\nfunction core.double(_game: Acts)\n    ask.yes(\"red\", \"toss.double\", \"Do you double?\")\nend\n";
    scratch.write("own/toss/rules/toss.luau", &(rules + asks));
    scratch.ok(line).says(&["no case comes to", "toss.double"]);
    let json = scratch.ok(&format!("{line} --format json")).document();
    assert_eq!(json["questions"].as_array().unwrap().len(), 1, "{json}");
}

/// A window that a script does not mention is a decision all the same.
#[test]
fn odds_are_asked_before_each_decision_of_a_script() {
    let scratch = Scratch::new();
    let drill = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/drill");
    common::copy(&drill, &scratch.0.join("own/drill"));
    let at = |number: u32| {
        let line = format!("odds drill/range --mods own --at {number} --act zz");
        scratch.fails(1, &line).err
    };
    assert!(
        at(4).contains("before decision 4 blue can do shoot"),
        "{}",
        at(4)
    );
    assert!(
        at(5).contains("before decision 5 red can do duck"),
        "{}",
        at(5)
    );
    assert!(
        at(6).contains("before decision 6 blue can do give"),
        "{}",
        at(6)
    );
    assert!(
        at(40).contains("found that the script ends after 10"),
        "{}",
        at(40)
    );
}

#[test]
fn words_have_no_best_answer_but_one_of_them_has() {
    let scratch = gambling(1);
    let line = "odds toss/table --mods own --rule toss.core.gamble --arg cup=red-cup --others best";
    let by = |by: &str| {
        let out = scratch.command(line).args(["--by", by]).output().unwrap();
        common::Ran::of(out)
    };
    let ran = by("result");
    assert_eq!(ran.code, 1, "{}", ran.out);
    ran.says(&["to find the best answer by", "hint: ", "--by 'result = "]);
    assert_eq!(by("result = high").code, 0);
}

#[test]
fn what_falls_again_and_again_is_said_once() {
    let scratch = Scratch::new();
    let line = format!(
        "odds toss/table --mods {} --rule toss.core.round_of_ones --arg cup=red-cup --by red-cup.score",
        toss()
    );
    let ran = scratch.fails(1, &line);
    ran.says(&["after: d1=1 (again) 40 times"]);
}

/// Of two values for one thing neither is taken without a word; nor is an argument of a rule for an action.
#[test]
fn what_is_given_twice_or_for_nothing_is_refused() {
    let scratch = Scratch::new();
    let grab = "--rule toss.core.grab";
    for (line, said) in [
        (
            format!("{grab} --arg count=1 --arg count=2"),
            "expected `--arg count=…` once, found it twice",
        ),
        (
            format!("{grab} --arg count=1 --answer toss.again=yes --answer toss.again=no"),
            "expected `--answer toss.again=…` once, found it twice",
        ),
        (
            format!("{grab} --arg count=1 --set red-cup.score=1 --set red-cup.score=2"),
            "expected `--set red-cup.score=…` once, found it twice",
        ),
        ("--act plain --arg count=1".into(), "cannot be used with"),
    ] {
        let ran = scratch.fails(2, &format!("odds toss/table --mods {} {line}", toss()));
        ran.says(&[said]);
    }
}
