//! What is said of one of two sides belongs to that side: options of mods that only one
//! has, journals that were played with a house rule, revisions that only one repository
//! has, decisions about what is no longer there.

use std::process::Command;

use super::common::{Ran, Scratch, copy};

/// A house rule with options of its own: shots miss where the bonus is too great, or far
/// is too near.
fn lucky(scratch: &Scratch, folder: &str) {
    scratch.write(
        &format!("{folder}/lucky/mod.ron"),
        "Mod(id: \"lucky\", version: \"1.0.0\", title: \"Lucky\", engine: \"0.1\", depends: [(\"duel\", \"^1\")], \
         groups: [Group(id: \"aim\", title: \"Aim\", clauses: [Clause(id: \"lucky.aim.luck\", title: \"Luck\", \
         text: \"It is so.\", source: \"us\", effect: Changes)])], options: [\
         Option(id: \"lucky.aim.bonus\", title: \"Bonus\", text: \"How much.\", type: \"integer 0..3\", default: 1), \
         Option(id: \"lucky.aim.far\", title: \"Far\", text: \"How far.\", type: \"length\", default: \"10in\")])",
    );
    scratch.write(
        &format!("{folder}/lucky/rules/aim.luau"),
        "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\n\
         rules.wrap(duel.fire.hits, \"aim.luck\", function(base, game, shooter, target)\n    \
         local hit = base(game, shooter, target)\n    \
         if game:option(\"lucky.aim.bonus\") > 1 or game:option(\"lucky.aim.far\") < rules.inches(2) then\n        \
         return false\n    end\n    return hit\nend)\n",
    );
}

/// Runs a command with one more argument that has spaces in it.
fn with_words(scratch: &Scratch, line: &str, words: &str) -> Ran {
    Ran::of(scratch.command(line).arg(words).output().unwrap())
}

// ---- bisect --------------------------------------------------------------------

#[test]
fn options_of_a_mod_that_only_the_bad_rules_have_are_a_change_too() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch
        .ok("bisect --case duel/four --bad lucky --bad-option lucky.aim.bonus=2")
        .says(&[
            "lucky.aim.bonus is 2, was 1",
            "it passes",
            "found in 3 runs among 2 changes",
        ]);
    // What is as usual is no change.
    scratch
        .fails(
            1,
            "bisect --case duel/four --bad lucky --bad-option lucky.aim.bonus=1",
        )
        .says(&["it is well by the bad rules too"]);
}

#[test]
fn an_option_that_is_a_length_is_tried_as_it_is_typed() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch
        .ok("bisect --case duel/four --good lucky --bad lucky --bad-option lucky.aim.far=3cm")
        .says(&["lucky.aim.far is 3cm, was 10in", "it passes"]);
}

// ---- compare -------------------------------------------------------------------

/// Of a long tree those lines are told that name the difference; all of it is to be had.
#[test]
fn of_many_rules_behind_an_event_those_are_told_that_differ() {
    let scratch = Scratch::new();
    let mods = concat!("--mods ", env!("CARGO_MANIFEST_DIR"), "/../../mods");
    let line = format!("{mods} compare border-raid --b iceburg --turns 1");
    let short = scratch.ok(&line).out;
    let of_b = |out: &str| -> Vec<String> {
        let lines = out
            .lines()
            .skip_while(|line| !line.starts_with("b  supply: "));
        let lines = lines.skip(1).take_while(|line| !line.is_empty());
        lines.map(str::to_string).collect()
    };
    let (first, left) = (&of_b(&short)[..2], of_b(&short)[2].clone());
    assert_eq!(
        first,
        [
            "      option iceburg.artillery.marker_for = gun",
            "      iceburg.artillery.ready_ammo changes dsii.arty.most_markers: 1  (section 10)",
        ]
    );
    let whole = of_b(&scratch.ok(&format!("{line} --whole")).out);
    assert!(whole.len() > 20, "{whole:#?}");
    let more = whole.len() - 2;
    assert_eq!(
        left,
        format!("    and {more} lines more: `--whole` shows all")
    );
}

#[test]
fn a_journal_is_compared_for_as_many_turns_as_it_was_played() {
    let scratch = Scratch::new();
    let line = "run noon --turns 1 --option duel.fire.needed=6 --seed 2 --quiet";
    scratch.ok(&format!("{line} --journal one.journal"));
    let json = scratch.ok("compare one.journal --format json").document();
    for side in ["a", "b"] {
        assert_eq!(json[side]["decisions"], 2, "{json}");
        assert!(!json[side]["end"].as_array().unwrap().is_empty(), "{json}");
    }
    assert!(json["recorded"].is_null(), "{json}");
}

#[test]
fn a_journal_that_was_cut_is_told_and_both_games_are_played_to_their_end() {
    let scratch = Scratch::new();
    let line = "run noon --option duel.fire.needed=6 --seed 2 --quiet";
    scratch.ok(&format!("{line} --journal one.journal"));
    let text = scratch.read("one.journal");
    let second = text.match_indices("duel.fire.shoot").nth(1).unwrap().0;
    scratch.write("one.journal", &text[..second]);
    let ran = scratch.ok("compare one.journal");
    ran.says(&[
        "the last line was torn off in the middle, and is left out",
        "the journal ends after 1 decision; bots go on from there",
        "both tell the same",
    ]);
    let json = scratch.ok("compare one.journal --format json").document();
    assert_eq!(json["recorded"], 1, "{json}");
    assert!(!json["a"]["end"].as_array().unwrap().is_empty(), "{json}");
    assert_eq!(json["a"]["end"], json["b"]["end"], "{json}");
}

/// A house rule by which a gun is gone after its shot.
fn one_shot(scratch: &Scratch) {
    scratch.write(
        "mods/brief/mod.ron",
        "Mod(id: \"brief\", version: \"1.0.0\", title: \"Brief\", engine: \"0.1\", depends: [(\"duel\", \"^1\")], \
         groups: [Group(id: \"aim\", title: \"Aim\", clauses: [Clause(id: \"brief.aim.once\", title: \"Once\", \
         text: \"It is so.\", source: \"us\", effect: Changes)])])",
    );
    scratch.write(
        "mods/brief/rules/aim.luau",
        "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\n\
         rules.wrap(duel.fire.shoot_perform, \"aim.once\", function(base, game, gun, params)\n    \
         base(game, gun, params)\n    game:remove(gun)\nend)\n",
    );
}

#[test]
fn a_decision_about_what_is_lost_is_told_for_people() {
    let scratch = Scratch::new();
    one_shot(&scratch);
    let needed = "--option duel.fire.needed=6 --seed 2";
    let ran =
        scratch.ok("compare noon --a-option duel.fire.needed=6 --b-option duel.fire.needed=6 --seed 2 --b brief");
    ran.says(&["Shoot — ", "is no longer there"]);
    assert!(!ran.out.contains("at character"), "{}", ran.out);
    let ran = scratch.ok(&format!("impact brief --scenario noon --games 1 {needed}"));
    ran.says(&["Shoot — ", "is no longer there"]);
    assert!(
        !ran.out.contains("duel.fire.shoot @") && !ran.out.contains("at character"),
        "{}",
        ran.out
    );
}

/// Runs git in a folder of the scratch.
fn git(scratch: &Scratch, folder: &str, line: &str) -> String {
    let mut git = Command::new("git");
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
        .current_dir(scratch.0.join(folder))
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap().trim().to_string()
}

#[test]
fn a_revision_is_taken_where_there_is_one_and_it_is_said_where() {
    let scratch = Scratch::new();
    lucky(&scratch, "house");
    for folder in ["mods", "house"] {
        git(&scratch, folder, "init -q");
        git(&scratch, folder, "add .");
        git(&scratch, folder, "commit -q -m before");
    }
    let own = "lucky/rules/aim.luau";
    scratch.edit(&format!("house/{own}"), "return hit", "return not hit");
    git(&scratch, "house", "commit -q -a -m after");
    let before = git(&scratch, "house", "rev-parse HEAD~1");
    let line = "compare noon --mods mods --mods house --a lucky --b lucky --seed 2 --a-rev";
    let ran = scratch.ok(&format!("{line} {before}"));
    let short = git(&scratch, "house", "rev-parse --short HEAD~1");
    ran.says(&[
        &format!("mods of a mods as it is, house at {short}"),
        "they part ",
    ]);
    let json = scratch
        .ok(&format!("{line} {before} --format json"))
        .document();
    let wanted = serde_json::json!([
        { "folder": "mods", "commit": null }, { "folder": "house", "commit": short },
    ]);
    assert_eq!(json["a"]["folders"], wanted);
    assert_eq!(json["b"]["folders"], serde_json::json!([]));
    scratch
        .fails(1, &format!("{line} no-such-thing"))
        .says(&["found `no-such-thing`, which no repository has of the folders mods, house"]);
}

/// A journal has its scenario with it, and people have it in a file.
#[test]
fn a_scenario_of_a_journal_that_does_not_fit_is_named_by_its_file() {
    let scratch = Scratch::new();
    scratch.ok("run noon --journal noon.journal");
    scratch.edit(
        "mods/duel/data/guns.ron",
        "(name: \"at\"",
        "(name: \"spot\"",
    );
    scratch
        .fails(1, "compare noon.journal")
        .says(&["duel/scenarios/noon.ron:", "found `at`"]);
    // Where no mod has it any more, it is the one that was kept.
    scratch.edit("mods/duel/scenarios/noon.ron", "noon", "one");
    scratch
        .fails(1, "compare noon.journal")
        .says(&["the scenario `noon` kept in noon.journal.mods:"]);
}

/// Ctrl-C while the mods of another time are read: git sends it here in its place.
#[cfg(unix)]
#[test]
fn mods_of_another_time_leave_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    git(&scratch, ".", "init -q");
    git(&scratch, ".", "add mods");
    git(&scratch, ".", "commit -q -m before");
    let paths = std::env::var_os("PATH").unwrap();
    let paths = paths.to_str().unwrap();
    scratch.write(
        "bin/git",
        &format!(
            "#!/bin/sh\ncase \"$*\" in *archive*) kill -INT $PPID; sleep 1;; esac\nPATH='{paths}' exec git \"$@\"\n"
        ),
    );
    let fake = scratch.0.join("bin/git");
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    scratch.write("temporary/keep", "");
    let out = scratch
        .command("compare noon --a-rev HEAD")
        .env(
            "PATH",
            format!("{}:{paths}", scratch.0.join("bin").display()),
        )
        .env("TMPDIR", scratch.0.join("temporary"))
        .output()
        .unwrap();
    let ran = Ran::of(out);
    assert_eq!(ran.code, 130, "{}\n{}", ran.out, ran.err);
    ran.says(&["stopped; where two games part"]);
    let left: Vec<_> = std::fs::read_dir(scratch.0.join("temporary"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["keep"]);
}

// ---- impact --------------------------------------------------------------------

#[test]
fn an_option_of_the_house_rule_is_for_the_side_that_has_it() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    let line = "impact --scenario noon --games 2 --format json";
    let beside = scratch
        .ok(&format!("{line} lucky --option lucky.aim.bonus=2"))
        .document();
    let own = with_words(&scratch, line, "lucky lucky.aim.bonus=2");
    assert_eq!(own.code, 0, "{}", own.err);
    let own = own.document();
    for json in [&beside, &own] {
        let impact = &json["impacts"][0];
        assert_eq!(impact["without"], "duel", "{impact}");
        assert_eq!(impact["with"], "duel lucky lucky.aim.bonus=2", "{impact}");
        assert_eq!(impact["wins"], own["impacts"][0]["wins"]);
    }
    assert_eq!(own["impacts"][0]["subject"], "lucky lucky.aim.bonus=2");
    // One that nobody has is still told.
    scratch
        .fails(1, &format!("{line} lucky --option lucky.aim.bones=2"))
        .says(&["F011", "lucky.aim.bones"]);
}

#[test]
fn only_what_the_house_rule_makes_illegal_is_laid_at_its_door() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    let line = "run noon --option duel.fire.needed=6 --seed 2 --quiet --journal";
    scratch.ok(&format!("{line} evenings/one.journal"));
    scratch.ok(&format!("{line} evenings/two.journal --with lucky"));
    let line = "impact lucky --scenario noon --games 1 --journals evenings --format json";
    let of = |ran: &Ran| {
        let json = ran.document();
        let past = json["impacts"][0]["past"].as_array().unwrap().clone();
        past.into_iter()
            .find(|one| one["of"] == "one.journal")
            .unwrap()
    };
    let ran = scratch.ok(line);
    ran.says(&["left out: 1 game that had `lucky` already: two.journal"]);
    assert!(!ran.out.contains("two.journal"), "{}", ran.out);
    assert!(of(&ran)["refused"].is_null(), "{}", ran.out);
    // With an option of both sides a shot hits, and those after it fit neither.
    let ran = scratch.ok(&format!("{line} --option duel.fire.needed=2"));
    ran.says(&["one.journal: the other house rules do not take decision"]);
    assert!(of(&ran)["refused"].is_null(), "{}", ran.out);
}

#[test]
fn what_no_side_has_and_what_is_asked_twice_is_refused() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "impact snipers --scenario noon --without snipers")
        .says(&["found that `snipers` is left out on both"]);
    scratch
        .fails(2, "impact snipers snipers:aim --scenario noon")
        .says(&["expected house rules that differ, found `snipers:aim` beside `snipers`"]);
    // What is unknown is nothing for programs.
    let json = scratch
        .ok("impact snipers --scenario noon --games 1 --format json")
        .document();
    let interval = &json["impacts"][0]["measures"][0]["interval"];
    assert_eq!(
        interval,
        &serde_json::json!({ "low": null, "high": null }),
        "{json}"
    );
}

/// An action with more dice than are counted, of which nothing differs.
#[test]
fn odds_that_are_too_much_to_count_are_told() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "    gun.fired = game:round",
        "    for _ = 1, 5 do\n        game:roll(rules.die(6), \"smoke\")\n    end\n    gun.fired = game:round",
    );
    let line = "impact lucky --scenario noon --games 1";
    let json = scratch.ok(&format!("{line} --format json")).document();
    let impact = &json["impacts"][0];
    assert_eq!(impact["uncounted"], serde_json::json!(["duel.fire.shoot"]));
    scratch
        .ok(line)
        .says(&["Whether the odds of duel.fire.shoot are others was not counted to its end"]);
}

// ---- done before it is known that it is in vain ------------------------------------

#[test]
fn what_cannot_be_kept_is_not_played_first() {
    let scratch = Scratch::new();
    // So many games would take hours.
    scratch
        .fails(1, "simulate noon --games 1000000 --out nowhere/x.csv")
        .says(&["cannot write nowhere/x.csv"]);
    scratch
        .fails(
            1,
            "impact snipers --scenario noon --games 1000000 --out nowhere/x.html",
        )
        .says(&["cannot write nowhere/x.html"]);
    assert!(!scratch.0.join("nowhere").exists());
    // Before the journal is read which is not there either.
    scratch
        .fails(
            1,
            "record none.journal --at 1 --as noon --mod duel --golden",
        )
        .says(&["there is such a file already"]);
    scratch
        .fails(1, "record none.journal --at 1 --as fire --mod duel")
        .says(&["there is such a file already"]);
}

#[test]
fn shards_of_broken_games_fail_as_their_run_does() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch.edit("mods/lucky/rules/aim.luau", "return hit", "error(\"boom\")");
    scratch.fails(1, "simulate noon --with lucky --games 2 --out x.jsonl");
    scratch
        .fails(1, "simulate --merge x.jsonl")
        .says(&["broke off"]);
    for more in [
        "--games 3",
        "--seed 3",
        "--with lucky",
        "--turns 3",
        "--bot blue=greedy",
    ] {
        scratch
            .fails(2, &format!("simulate --merge x.jsonl {more}"))
            .says(&["cannot be used with"]);
    }
}

// ---- conflicts -----------------------------------------------------------------

#[test]
fn house_rules_of_two_games_are_named_that_cannot_be_put_together() {
    let scratch = Scratch::new();
    // The same game by another name, and a house rule for it.
    let (from, to) = (scratch.0.join("mods/duel"), scratch.0.join("mods/dual"));
    copy(&from, &to);
    for file in [
        "mod.ron",
        "rules/fire.luau",
        "rules/turn.luau",
        "data/guns.ron",
    ] {
        let path = format!("mods/dual/{file}");
        let text = scratch.read(&path).replace("duel", "dual");
        scratch.write(&path, &text);
    }
    for folder in ["scenarios", "tests"] {
        std::fs::remove_dir_all(to.join(folder)).unwrap();
    }
    lucky(&scratch, "mods");
    for file in ["mod.ron", "rules/aim.luau"] {
        let path = format!("mods/lucky/{file}");
        let text = scratch.read(&path).replace("duel", "dual");
        scratch.write(&path, &text);
    }
    for more in ["", "--cases", "--scenario noon"] {
        let ran = scratch.fails(1, &format!("conflicts snipers lucky {more}"));
        ran.says(&["snipers and lucky cannot be put together", "F006"]);
        assert!(!ran.out.contains("0 conflicts"), "{}", ran.out);
    }
}

#[test]
fn a_part_of_a_game_does_not_turn_the_rest_of_it_off() {
    let scratch = Scratch::new();
    let manifest = scratch.read("mods/duel/mod.ron");
    scratch.write("mods/duel/mod.ron", &manifest.replace(", core: true", ""));
    lucky(&scratch, "mods");
    let line = "--scenario noon --option duel.fire.needed=6";
    scratch.ok("run noon --with duel:fire --with lucky --quiet");
    scratch
        .ok(&format!("conflicts duel:fire lucky {line}"))
        .says(&["in 1 scenario"]);
}

#[test]
fn what_makes_a_difference_elsewhere_is_not_said_to_be_gone() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    // All that snipers do is undone at noon, where shots need six; not in the other scenario.
    scratch.edit(
        "mods/lucky/mod.ron",
        "groups: [",
        "after: [\"snipers\"], groups: [",
    );
    scratch.edit(
        "mods/lucky/rules/aim.luau",
        "game:option(\"lucky.aim.bonus\") > 1",
        "game:option(\"duel.fire.needed\") == 6",
    );
    let line = "conflicts snipers lucky --seed 2 --scenario noon";
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "    turns: 4,",
        "    turns: 4,\n    options: {\"duel.fire.needed\": 6},",
    );
    scratch.ok(line).says(&["lucky leaves nothing of snipers"]);
    scratch.edit(
        "mods/duel/scenarios/first_shot.ron",
        "    script: [",
        "    options: {\"duel.fire.needed\": 5},\n    script: [",
    );
    let ran = scratch.ok(&format!("{line} --scenario first_shot"));
    assert!(!ran.out.contains("leaves nothing"), "{}", ran.out);
    ran.says(&["0 conflicts in 2 scenarios", "2 of 2 house rules"]);
}

// ---- conflicts -----------------------------------------------------------------

/// What is said with a house rule is said of it alone, as `impact` takes it.
#[test]
fn a_house_rule_that_may_be_in_conflict_has_options_of_its_own() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    let conflicts = |party: &str| {
        let line = "conflicts snipers --scenario noon --format json";
        let ran = with_words(&scratch, line, party);
        assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
        ran.document()["conflicts"].as_array().unwrap().clone()
    };
    assert!(conflicts("lucky").is_empty());
    // All shots miss with that option, and with snipers alone none does.
    let found = conflicts("lucky lucky.aim.bonus=2");
    let names: Vec<_> = found
        .iter()
        .flat_map(|one| [one["first"].clone(), one["second"].clone()])
        .collect();
    assert!(
        names.contains(&"lucky lucky.aim.bonus=2".into()),
        "{names:?}"
    );
    let ran = with_words(
        &scratch,
        "conflicts snipers --cases",
        "lucky lucky.aim.bonus=2",
    );
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    with_words(&scratch, "conflicts snipers", "lucky -duel").says(&["expected a selector"]);
}

/// By the rules of all, and the dice of the seed, a script may not fit to its end.
#[test]
fn a_script_that_was_played_in_part_is_told() {
    let scratch = Scratch::new();
    let first = scratch.read("mods/duel/scenarios/first_shot.ron");
    let script = "script: [";
    let second = "script: [Act(by: \"red\", action: \"duel.fire.shoot\", actor: \"bandit\", args: {\"target\": \"sheriff\"}), ";
    let id = first.replace("\"first_shot\"", "\"two_shots\"");
    let two = id.replace(script, second).replace("dice: [\"d6=5\"]", "");
    scratch.write("mods/duel/scenarios/two_shots.ron", &two);
    scratch
        .ok("conflicts snipers --scenario two_shots")
        .says(&["the script of `two_shots` fits for 0 of 2 lines"]);
    assert!(
        !scratch
            .ok("conflicts snipers --scenario first_shot")
            .err
            .contains("fits")
    );
}

// ---- compare -------------------------------------------------------------------

/// A turn that begins by the rules of one side alone is the third, though no other event of the two tells which.
#[test]
fn a_turn_that_one_side_alone_begins_has_its_number() {
    let scratch = Scratch::new();
    copy(&scratch.0.join("mods"), &scratch.0.join("short"));
    let turns = "(game:turns() or 6)";
    scratch.edit("short/duel/rules/turn.luau", turns, "2");
    let missed = "--a-option duel.fire.needed=6 --b-option duel.fire.needed=6";
    let line = format!("compare noon {missed} --b-mods short --seed 1");
    scratch.ok(&line).says(&["a  Turn 3 begins"]);
}
