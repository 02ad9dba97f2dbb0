//! What the commands say that tell what rules do, where they are stopped half-way, or
//! asked of rules that are not there, left out, or cannot be put together.

use super::common::{Ran, Scratch};

// ---- stopped half-way ------------------------------------------------------------

/// Runs a command that would take for ever, stops it as Ctrl-C does once it has had some
/// time, and gives it more if it had not come to anything by then.
#[cfg(unix)]
fn stopped(scratch: &Scratch, line: &str, nothing_yet: &str) -> Ran {
    let mut seconds = 2;
    loop {
        let child = scratch
            .command(line)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let sent = std::process::Command::new("kill")
            // Twice, as by a program that passes on what the terminal sends to both.
            .args(["-INT", &child.id().to_string(), &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, 130, "{}\n{}", ran.out, ran.err);
        if !ran.err.contains(nothing_yet) {
            return ran;
        }
        seconds *= 2;
        assert!(seconds < 60, "`{line}` came to nothing: {}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn impact_that_is_stopped_tells_of_the_pairs_that_were_played() {
    let scratch = Scratch::new();
    let line = "impact snipers --scenario noon --option duel.fire.needed=6 --format json --games";
    let nothing = "there is nothing to tell yet";
    let ran = stopped(&scratch, &format!("{line} 1000000"), nothing);
    let some = ran.document()["impacts"][0].clone();
    let pairs = some["pairs"].as_u64().unwrap();
    assert!(pairs > 0, "{some}");
    assert_eq!(
        some["stopped"],
        serde_json::json!({ "played": pairs, "of": 1_000_000 })
    );
    ran.says(&[&format!("stopped after {pairs} of 1000000 pairs of games")]);
    // They are the first pairs of all, as if no more had been asked for.
    let whole = scratch.ok(&format!("{line} {pairs}"));
    let whole = &whole.document()["impacts"][0];
    assert!(whole["stopped"].is_null());
    for part in ["wins", "measures", "happenings", "differing", "turned"] {
        assert_eq!(some[part], whole[part], "{part}");
    }
    // On a page it stands in the first sentence.
    let line = "impact snipers --scenario noon --games 1000000 --out now.md";
    stopped(&scratch, line, nothing);
    let page = scratch.read("now.md");
    assert!(page.contains("It was stopped after"), "{page}");
}

#[cfg(unix)]
#[test]
fn of_several_house_rules_it_is_told_which_one_was_asked_of() {
    let scratch = Scratch::new();
    let line = "impact snipers --each --scenario noon --games 1000000";
    let ran = stopped(&scratch, line, "there is nothing to tell yet");
    ran.says(&["of `snipers.aim.sure`, house rule 1 of 2"]);
}

#[cfg(unix)]
#[test]
fn games_that_were_stopped_are_counted_as_far_as_they_came() {
    let scratch = Scratch::new();
    let nothing = "there is nothing to tell yet";
    for line in [
        "run noon --tally --games 1000000",
        "simulate noon --games 1000000",
    ] {
        let ran = stopped(&scratch, line, nothing);
        let told = ran.err.split("stopped after ").nth(1).unwrap();
        let games: u64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!(games > 0, "{}", ran.err);
        ran.says(&[
            &format!(": {games} games"),
            &format!("stopped after {games} of 1000000 games"),
            "won by",
        ]);
    }
}

// ---- left out --------------------------------------------------------------------

#[test]
fn the_mod_that_a_scenario_stands_on_is_named_with_who_left_it_out() {
    let scratch = Scratch::new();
    for line in [
        "run noon --without duel",
        "simulate noon --games 2 --without duel",
        "odds noon --without duel --act x",
        "compare noon --a-without duel",
    ] {
        let ran = scratch.fails(1, line);
        ran.says(&[
            "expected the mod `duel`, which the scenario `noon` stands on, found it",
            "the command leaves out `duel`; the scenario does not",
        ]);
        assert!(!ran.err.contains("F012"), "{line}\n{}", ran.err);
    }
    scratch.fails(1, "bisect noon --bad-without duel").says(&[
        "expected the mod `duel`, which the scenario `noon` stands on, found it",
        "by these rules all clauses of `duel` are off",
    ]);
    // It comes along with a house rule, and goes with it.
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "mods: [\"duel\"]",
        "mods: [\"snipers\"]",
    );
    scratch
        .fails(1, "run noon --without snipers")
        .says(&["`duel` came along with what the command leaves out: `snipers`"]);
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "mods: [\"snipers\"]",
        "mods: []",
    );
    scratch
        .fails(1, "run noon")
        .says(&["the scenario has to name `duel` in its list `mods`"]);
}

#[test]
fn a_clause_that_a_scenario_needs_is_not_answered_with_what_is_called_nearly_so() {
    let scratch = Scratch::new();
    scratch.write(
        "mods/snipers/data/scopes.ron",
        "[Extend(kind: \"duel.gun\", attributes: [(name: \"scope\", type: \"integer\", default: 0, viewers: All, \
         doc: \"how far it sees\")], cites: [\"snipers.aim.close\"])]",
    );
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "mods: [\"duel\"]",
        "mods: [\"snipers\"]",
    );
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "{\"at\": \"(4in, 10in)\"}",
        "{\"at\": \"(4in, 10in)\", \"scope\": 3}",
    );
    scratch.ok("run noon --quiet");
    scratch
        .fails(1, "run noon --without snipers.aim.close")
        .says(&[
            "found `scope`",
            "the command leaves out `snipers.aim.close`; with it the scenario can be set up",
        ]);
}

#[test]
fn a_folder_without_the_mods_is_told_as_such() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "mods: [\"duel\"]",
        "mods: [\"snipers\"]",
    );
    std::fs::rename(scratch.0.join("mods/snipers"), scratch.0.join("snipers")).unwrap();
    for line in ["run noon", "odds noon --act x"] {
        scratch.fails(1, line).says(&[
            "expected a mod, found `snipers`",
            "no folder of mods has it, with its `mod.ron`: `--mods` names another folder",
        ]);
    }
}

// ---- journals --------------------------------------------------------------------

#[test]
fn a_journal_whose_mods_are_not_here_names_them_and_what_to_do() {
    let scratch = Scratch::new();
    scratch.ok("run noon --with snipers --seed 1 --journal evenings/noon.journal");
    std::fs::rename(scratch.0.join("mods/snipers"), scratch.0.join("elsewhere")).unwrap();
    let missing = "was played with `snipers` 0.2.0, found none in the folders of mods";
    scratch
        .fails(1, "compare evenings/noon.journal")
        .says(&[missing, "by `--b-mods` or `--mods`"]);
    scratch
        .ok("compare evenings/noon.journal --b-mods mods --b-mods elsewhere")
        .says(&["both tell the same"]);
    // The journal is left out, and the games are told.
    let line = "impact duel.turn.manners --scenario noon --games 2 --journals evenings";
    scratch
        .ok(line)
        .says(&["left out: evenings/noon.journal", missing]);
    // Odds are told by the sources that are kept beside it.
    scratch.ok(
        "odds evenings/noon.journal --rule duel.fire.hits --arg shooter=sheriff --arg target=bandit",
    );
    // Without those each mod is named.
    std::fs::remove_dir_all(scratch.0.join("evenings/noon.journal.mods")).unwrap();
    scratch.fails(1, "compare evenings/noon.journal").says(&[
        "mod `duel` 1.0.0",
        "mod `snipers` 0.2.0",
        "bring `evenings/noon.journal.mods` back",
    ]);
}

#[test]
fn a_journal_is_compared_by_the_house_rules_that_it_was_played_by() {
    let scratch = Scratch::new();
    scratch.ok("run noon --with snipers --option duel.fire.needed=6 --journal noon.journal");
    let ran = scratch.ok("compare noon.journal");
    ran.says(&["both tell the same"]);
    scratch
        .ok("compare noon.journal --b-without snipers")
        .says(&["they part "]);
    scratch
        .ok("compare noon.journal --b-without snipers --b-option duel.fire.needed=5")
        .says(&["b         duel duel.fire.needed=5"]);
}

#[test]
fn what_is_bad_is_said_with_the_expression_that_does_not_tell_it() {
    let scratch = Scratch::new();
    let mut command = scratch.command("bisect noon --bad snipers --if");
    let command = command.arg("count(duel.gun, it.firde = 1) > 0");
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, 1, "{}", ran.err);
    ran.says(&["`count(duel.gun, it.firde = 1) > 0`: expected an attribute of `duel.gun`"]);
}

#[test]
fn what_takes_no_journal_says_what_does() {
    let scratch = Scratch::new();
    scratch
        .fails(1, "record noon --at 3 --as x")
        .says(&["`run` and `play` write a journal with `--journal FILE`"]);
    scratch.ok("run noon --seed 1 --journal noon.journal");
    for line in ["bisect noon.journal --bad snipers", "simulate noon.journal"] {
        scratch.fails(1, line).says(&[
            "no mod has a scenario `noon.journal`",
            "whose `--golden` makes a scenario of it",
        ]);
    }
}

#[test]
fn where_no_mod_is_it_is_said_why_and_not_what_follows_from_it() {
    let scratch = Scratch::new();
    for line in [
        "run noon --mods no/such",
        "compare noon --b-mods no/such",
        "odds noon --mods no/such --act strike",
    ] {
        let ran = scratch.fails(1, line);
        ran.says(&["expected a folder of mods at `no/such`, found nothing there"]);
        assert!(!ran.err.contains("no mod has"), "{line}\n{}", ran.err);
    }
    // What is wrong besides is said too.
    scratch.write("broken.ron", "Scenario(");
    let ran = scratch.fails(1, "run broken.ron --mods no/such");
    ran.says(&["expected a folder of mods at `no/such`", "broken.ron"]);
}

#[test]
fn a_wrap_may_say_that_it_cites_nothing() {
    let scratch = Scratch::new();
    let more = "\nrules.wrap(duel.fire.hits, WHAT function(base, game, shooter, target)\n    \
                return base(game, shooter, target)\nend)\n";
    let file = "mods/snipers/rules/aim.luau";
    let text = scratch.read(file);
    scratch.write(file, &format!("{text}{}", more.replace("WHAT ", "")));
    scratch
        .run("check snipers")
        .says(&["`{ cites = {} }` says that"]);
    scratch.write(
        file,
        &format!("{text}{}", more.replace("WHAT ", "{ cites = {} }, ")),
    );
    scratch.ok("check snipers");
    scratch.ok("run noon --with snipers --quiet");
}

// ---- that cannot be put together -------------------------------------------------

/// A house rule that claims the same cell as `snipers.aim.close`.
fn rival(scratch: &Scratch, id: &str) {
    scratch.write(
        &format!("mods/{id}/mod.ron"),
        &format!(
            "Mod(id: \"{id}\", version: \"1.0.0\", title: \"Rival\", engine: \"0.1\", depends: [(\"duel\", \"^1\")], \
             groups: [Group(id: \"aim\", title: \"Aim\", clauses: [Clause(id: \"{id}.aim.close\", title: \"Close\", \
             text: \"Close is up to 4 inches.\", source: \"us\", effect: Changes, touches: [\"duel.fire.ranges\"])])])"
        ),
    );
    scratch.write(
        &format!("mods/{id}/rules/aim.luau"),
        &format!(
            "--!strict\nlocal rules = require(\"@rules\")\nrules.table(\"duel.fire.ranges\"):amend({{\n    {{ band = \
             \"close\", up_to = rules.inches(4) }},\n}}, {{ cites = {{ \"{id}.aim.close\" }} }})\n"
        ),
    );
    scratch.write(
        &format!("mods/{id}/tests/aim.luau"),
        &format!(
            "--!strict\nlocal test = require(\"@test\")\n\ntest.case(\"close is closer\", {{ cites = {{ \
             \"{id}.aim.close\" }} }}, function(t)\n    local game = t:scenario(\"duel/noon\")\n    \
             t:ok(game:get(\"sheriff\"), \"there he stands\")\nend)\n"
        ),
    );
}

/// Says that the rival wins.
fn settled(scratch: &Scratch) {
    scratch.edit(
        "mods/rival/mod.ron",
        "groups: [",
        "after: [\"snipers\"], groups: [",
    );
}

#[test]
fn house_rules_that_cannot_be_put_together_are_no_conflict_less() {
    let scratch = Scratch::new();
    rival(&scratch, "rival");
    for more in ["--cases", "--scenario noon", ""] {
        let ran = scratch.fails(1, &format!("conflicts snipers rival {more}"));
        ran.says(&[
            "snipers and rival cannot be put together",
            "F006",
            "expected a stated order",
        ]);
        assert!(!ran.out.contains("0 conflicts"), "{}", ran.out);
    }
    // Of clauses those are named of which it is true.
    let line = "conflicts snipers rival --clauses --cases --format json";
    let json = scratch.fails(1, line).document();
    let apart = &json["apart"][0];
    assert_eq!(
        apart["parties"],
        serde_json::json!(["snipers.aim.close", "rival.aim.close"])
    );
    assert_eq!(apart["faults"][0]["code"], "F006");
    assert!(json["apart"][1].is_null(), "{json}");
    // With an order they can be, and are looked at.
    settled(&scratch);
    scratch
        .ok("conflicts snipers rival --cases")
        .says(&["in the cases of 2 mods: 1 case"]);
}

#[test]
fn a_case_that_cannot_be_run_with_all_of_them_is_told() {
    let scratch = Scratch::new();
    rival(&scratch, "rival");
    rival(&scratch, "third");
    settled(&scratch);
    scratch.edit(
        "mods/rival/tests/aim.luau",
        "{ cites =",
        "{ with = { \"third\" }, cites =",
    );
    let ran = scratch.ok("conflicts snipers rival --cases");
    ran.says(&[
        "1 case of `rival` cannot be run with all of them: rival/tests/aim.luau: close is closer",
        "F006",
        "2 mods: 0 cases",
    ]);
}

/// What nobody can tell apart, what there is none of, and a game at no address.
#[test]
fn what_comes_to_nothing_is_said() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "simulate noon --games 2 --vary duel.fire.needed=4,4")
        .says(&["`4` stands there twice"]);
    scratch
        .ok("simulate noon --games 2 --shard 3/5 --out x.jsonl")
        .says(&["none of the games"]);
    scratch
        .fails(1, "serve noon --at 999.1.1.1:3")
        .says(&["nothing can be served at 999.1.1.1:3"]);
    assert!(!scratch.0.join(".houserule").exists());
}

/// A group that is not there is missed by all commands in the same words.
#[test]
fn a_mistyped_group_is_told_as_elsewhere() {
    let scratch = Scratch::new();
    for line in [
        "impact snipers:aimm --scenario noon --games 1",
        "impact snipers:aim,aimm --scenario noon --games 1",
        "conflicts snipers:aimm --scenario noon",
        "run noon --with snipers:aimm",
    ] {
        scratch.fails(1, line).says(&[
            "F010",
            "of the mod `snipers`, found `aimm`",
            "did you mean `aim`?",
        ]);
    }
    scratch
        .fails(1, "impact snipers.aim.sur --scenario noon --games 1")
        .says(&["F009", "did you mean `snipers.aim.sure`?"]);
}

/// Nothing of it is lost, and it is said how to go on.
#[test]
fn a_file_with_a_broken_line_among_good_ones_says_what_to_do() {
    let scratch = Scratch::new();
    let line = "simulate noon --games 4 --out noon.jsonl";
    scratch.ok(line);
    let whole = scratch.read("noon.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    for (third, why) in [
        (&lines[2][..30], "a line that breaks off"),
        ("", "an empty line"),
        ("{}", "a line of another form"),
        ("noon", "something else"),
    ] {
        let broken = [lines[0], lines[1], third, lines[3], lines[4], ""].join("\n");
        scratch.write("noon.jsonl", &broken);
        scratch.fails(1, &format!("{line} --resume")).says(&[
            &format!("line 3: expected a game, found {why}"),
            "lines 1 to 2 are good",
        ]);
        assert_eq!(scratch.read("noon.jsonl"), broken);
    }
    // What is said to do can be done.
    scratch.write("noon.jsonl", &[lines[0], lines[1], ""].join("\n"));
    scratch.ok(&format!("{line} --resume"));
    assert_eq!(scratch.read("noon.jsonl"), whole);
}
