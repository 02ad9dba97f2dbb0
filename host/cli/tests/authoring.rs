//! What writers of rules begin with and come back to: a new mod, the layout of
//! files, what is wrong in them, and the rule behind words of a page.

#[allow(dead_code, reason = "other tests use the rest")]
mod common;

use common::{Ran, Scratch};

/// The mods that ship.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mods");

#[test]
fn mods_are_checked_alone_and_together() {
    let scratch = Scratch::new();
    // What no case cites is a warning, no problem.
    scratch
        .ok("check duel snipers")
        .says(&["no case cites `snipers.aim.sure`", "2 mods, no problems\n"]);
    // Two replace one rule: each is fine alone.
    scratch.write(
        "mods/snipers/rules/aim.luau",
        "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\n\n\
         rules.replace(duel.fire.hits, { cites = { \"snipers.aim.sure\" } }, function(_game, _shooter, _target)\n    \
         return true\nend)\n",
    );
    for path in ["mod.ron", "rules/aim.luau"] {
        let text = scratch.read(&format!("mods/snipers/{path}"));
        scratch.write(
            &format!("mods/hunters/{path}"),
            &text.replace("snipers", "hunters"),
        );
    }
    scratch.ok("check snipers");
    scratch.ok("check hunters");
    scratch.fails(1, "check hunters snipers").says(&[
        "F006",
        "duel.fire.hits",
        "`after: [\"hunters\"]`",
    ]);
}

// ---- fmt -----------------------------------------------------------------------

#[test]
fn files_are_laid_out_once_and_for_all() {
    let scratch = Scratch::new();
    scratch.ok("fmt");
    scratch
        .ok("fmt --check")
        .says(&["files, 0 laid out otherwise"]);
    let right = scratch.read("mods/duel/tests/fire.luau");
    scratch.write("mods/duel/tests/fire.luau", &right.replace("    ", "  "));
    let ran = scratch.fails(1, "fmt --check duel");
    ran.says(&["duel/tests/fire.luau", "1 laid out otherwise"]);
    assert_ne!(
        scratch.read("mods/duel/tests/fire.luau"),
        right,
        "`--check` changes nothing"
    );
    let json = scratch
        .fails(1, "fmt --check duel --format json")
        .document();
    assert_eq!(json["changed"].as_array().map(Vec::len), Some(1));
    scratch
        .ok("fmt mods/duel/tests/fire.luau")
        .says(&["1 file, 1 laid out"]);
    assert_eq!(scratch.read("mods/duel/tests/fire.luau"), right);
    scratch.write("mods/duel/tests/fire.luau", "local a = = 1\n");
    scratch.fails(1, "fmt duel").says(&["F002", "fire.luau:1"]);
    assert_eq!(scratch.read("mods/duel/tests/fire.luau"), "local a = = 1\n");
    scratch
        .fails(2, "fmt nosuch")
        .says(&["`nosuch` is no mod, file or folder"]);
}

#[test]
fn an_editor_gets_its_file_back_letter_for_letter() {
    let scratch = Scratch::new();
    let text = "\u{feff}local a   = [[\t\u{200b}]] -- \u{1b}[31m\r\n";
    scratch.write("given.luau", text);
    let mut command = scratch.command("fmt -");
    let given = std::fs::File::open(scratch.0.join("given.luau")).unwrap();
    let ran = Ran::of(command.stdin(given).output().unwrap());
    assert_eq!((ran.code, ran.out), (0, text.replace("a   =", "a =")));
}

#[test]
fn rules_are_found_by_words_of_the_page() {
    let scratch = Scratch::new();
    let first = scratch.ok("rules duel --find range-band").out;
    assert!(first.starts_with("duel.fire.band("), "{first}");
    let json = scratch
        .ok("rules duel --find hits --format json")
        .document();
    assert_eq!(json["rules"][0]["id"], "duel.fire.hits");
    // Tables too, by what stands in their heads.
    let ran = scratch.ok("rules duel --find ranges");
    ran.says(&["table duel.fire.ranges\n    Ranges: band, up_to"]);
    scratch
        .ok("rules duel --find zeppelin")
        .says(&["no rule, table, clause or title has the words `zeppelin`"]);
    // The heading of a chapter and the name of a clause in it.
    let first = scratch
        .ok(&format!(
            "--mods {SHIPPED} rules dsii --find close-assault,attacker's-test"
        ))
        .out;
    assert!(first.starts_with("dsii.ca.waver("), "{first}");
}

// ---- new ---------------------------------------------------------------------

#[test]
fn a_game_of_ones_own_runs_at_once() {
    let scratch = Scratch::new();
    scratch
        .ok("new yard --game")
        .says(&["yard: change the rule, then `houserule test yard`"]);
    assert_eq!(scratch.ok("check yard").out, "1 mod, no problems\n");
    scratch.ok("test yard");
    scratch
        .ok("run yard-first --turns 2")
        .says(&["At the range", "rules     yard\n"]);
    // Bots act, and somebody wins.
    let ran = scratch.ok("run yard-first");
    ran.says(&[
        "fire      blue-1 shoots at red-1",
        "winner    blue",
        "reason    the other side has nobody left",
    ]);
    for path in ["mod.ron", "rules/fire.luau", "scenarios/yard-first.ron"] {
        let text = scratch.read(&format!("mods/yard/{path}"));
        let text = text.to_lowercase();
        assert!(
            !text.contains("skirmish") && !text.contains("the book"),
            "{path}: {text}"
        );
    }
    scratch
        .fails(2, "new yard --game")
        .says(&["is there already"]);
}

/// Who builds a component may stop while cargo runs: then the folder lies there.
#[test]
fn a_mod_that_was_begun_and_not_made_to_its_end_is_gone_on_with() {
    let scratch = Scratch::new();
    for line in ["new club --extends duel", "new yard --game"] {
        let folder = format!("mods/{}", line.split(' ').nth(1).unwrap());
        scratch.ok(line);
        let file = |path: &str| scratch.0.join(&folder).join(path);
        assert!(!file(".unfinished").exists());
        // As it lies there when the process ends in the middle.
        scratch.write(&format!("{folder}/.unfinished"), "");
        scratch.write(&format!("{folder}/README.md"), "mine\n");
        for gone in ["rules", "golden"] {
            std::fs::remove_dir_all(file(gone)).unwrap();
        }
        scratch.ok(line);
        assert_eq!(scratch.read(&format!("{folder}/README.md")), "mine\n");
        assert!(file("rules").is_dir() && file("golden").is_dir());
        assert!(!file(".unfinished").exists());
        scratch.fails(2, line).says(&["is there already"]);
    }
    // What cannot be made to the end stays as it was found.
    scratch.write("mods/club/.unfinished", "");
    scratch.write("mods/club/rules/first.luau", "return 1 +\n");
    scratch.fails(1, "new club --extends duel");
    assert_eq!(scratch.read("mods/club/rules/first.luau"), "return 1 +\n");
}

#[test]
fn games_that_ship_are_extended_by_mods_that_pass() {
    let scratch = Scratch::new();
    for base in ["dsii", "iceburg", "netepic"] {
        let mods = format!("--mods {SHIPPED} --mods mods");
        scratch.ok(&format!(
            "{mods} new club_{base} --extends {base} --in mods"
        ));
        let scenario = scratch.read(&format!("mods/club_{base}/scenarios/club_{base}-first.ron"));
        assert!(
            scenario.contains(&format!("\"{base}\", \"club_{base}\"]")),
            "{scenario}"
        );
        scratch.ok(&format!("{mods} test club_{base}"));
    }
}

/// What falls before the first decision stands in the case, or it would fail at once.
#[test]
fn a_game_that_begins_with_dice_or_cards_is_extended_by_mods_that_pass() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    scratch.edit(
        "mods/yard/rules/turn.luau",
        "function turn.begin_automatic(game: Acts)\n",
        "function turn.begin_automatic(game: Acts)\n    if game:round(phases.turn_game) == 1 then\n        \
         game:roll_all({ \"d8\", \"d6\" }, \"weather\")\n    end\n",
    );
    scratch.edit(
        "mods/yard/scenarios/yard-first.ron",
        "dice: [\"d8=5\"]",
        "dice: [\"d8=3\", \"d6=2\", \"d8=5\"]",
    );
    scratch.ok("new club --extends yard");
    let case = scratch.read("mods/club/tests/first.luau");
    assert!(
        case.contains("    t:dice({ \"d8=") || case.contains("    t:dice { \"d8="),
        "{case}"
    );
    scratch.ok("new strict --wrap yard.fire.barred");
    let mods = format!("--mods {SHIPPED}/../docs/examples --mods mods");
    scratch.ok(&format!(
        "{mods} new club_hearts --extends hearts --in mods"
    ));
    for made in ["club", "strict", "club_hearts"] {
        scratch.ok(&format!("{mods} test {made}"));
        scratch.ok(&format!("{mods} fmt --check {made}"));
    }
}

#[test]
fn of_a_mod_that_cannot_be_made_no_part_stays() {
    let scratch = Scratch::new();
    scratch.write(
        "mods/base/mod.ron",
        "Mod(id: \"base\", version: \"1.0.0\", title: \"Base\", engine: \"0.1\")",
    );
    let scenario = "Scenario(id: \"plain\", mods: [\"base\"], sides: [])";
    scratch.write("mods/base/scenarios/plain.ron", scenario);
    scratch.fails(1, "new club --extends base");
    assert!(!scratch.0.join("mods/club").exists());
}

#[test]
fn a_mod_begins_with_a_change_that_its_case_needs() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    scratch.ok("new strict --wrap yard.fire.barred");
    assert_eq!(scratch.ok("check strict").out, "1 mod, no problems\n");
    scratch.ok("test strict");
    let case = scratch.read("mods/strict/tests/change.luau");
    assert!(case.contains("yard.fire.barred(game, game:get("), "{case}");
    scratch.ok("fmt --check strict");
    scratch.edit(
        "mods/strict/rules/change.luau",
        " or rules.reason(\"the club does not allow it\")",
        "",
    );
    scratch.fails(1, "test strict");
    scratch
        .fails(2, "new other --line yard.fire.barred")
        .says(&["not open for lines", "--wrap yard.fire.barred"]);
    // What no change fits says what to do by hand, and does not point back.
    let by_hand =
        "rules.wrap(yard.fire.resolve, \"first.bonus\", function(base, game, squad, target)";
    for way in ["wrap", "line"] {
        let ran = scratch.fails(2, &format!("new other --{way} yard.fire.resolve"));
        ran.says(&["does more than read", by_hand]);
        assert!(!ran.err.contains("--wrap"), "{}", ran.err);
    }
    scratch
        .fails(2, "new other --wrap yard.fire.aim")
        .says(&["is an action", "`yard.fire.aim_perform`"]);
    scratch
        .fails(2, "new other --wrap yard.fire.volley")
        .says(&["is a phase"]);
    // A text or nothing is no reason.
    scratch.ok("new wordy --wrap yard.fire.band");
    assert_eq!(scratch.ok("check wordy").out, "1 mod, no problems\n");
    scratch.ok("test wordy");
    scratch.fails(2, "new other --wrap yard.fire.bared").says(&[
        "no scenario of `yard` plays by a rule",
        "did you mean `yard.fire.barred`?",
    ]);
    scratch
        .fails(2, "new other")
        .says(&["--extends", "--wrap", "--line", "--game"]);
    let made = scratch
        .ok("new other --extends yard --format json")
        .document();
    assert_eq!(made["mod"], "other");
    assert!(
        made["folder"].as_str().unwrap().ends_with("other"),
        "{made}"
    );
    scratch.write("file", "");
    scratch
        .fails(1, "new another --extends yard --in file")
        .says(&["cannot write file/another"]);
}

#[test]
fn names_that_rules_cannot_say_are_refused() {
    let scratch = Scratch::new();
    scratch
        .fails(2, "new my-yard --game")
        .says(&["has a `-`", "`my_yard`"]);
    for name in ["test", "rules", "list", "game", "end"] {
        scratch
            .fails(2, &format!("new {name} --game"))
            .says(&["means something in rules already"]);
    }
    scratch
        .fails(2, "new fire --game")
        .says(&["is a chapter of that game already"]);
}

#[test]
fn dice_and_words_of_games_that_ship_are_changed_by_wraps() {
    let scratch = Scratch::new();
    let mods = format!("--mods {SHIPPED} --mods mods");
    scratch
        .fails(2, &format!("{mods} new dice --line dsii.conf.die"))
        .says(&["say `--wrap dsii.conf.die`"]);
    for (name, rule) in [("dice", "dsii.conf.die"), ("bands", "dsii.fire.band_at")] {
        scratch.ok(&format!("{mods} new {name} --wrap {rule} --in mods"));
        assert_eq!(
            scratch.ok(&format!("{mods} check {name}")).out,
            "1 mod, no problems\n"
        );
        scratch.ok(&format!("{mods} test {name}"));
    }
    let scenario = scratch.read("mods/dice/scenarios/dice-first.ron");
    assert!(
        !scenario.contains("//") && !scenario.contains("{},"),
        "{scenario}"
    );
    assert!(scenario.ends_with("\n)\n"), "{scenario}");
    assert!(
        scratch
            .read("mods/dice/mod.ron")
            .contains("// Players read this")
    );
    for rule in ["dsii.fire.shoot", "dsii.dmg.suffer"] {
        let ran = scratch.fails(2, &format!("{mods} new other --line {rule}"));
        ran.says(&[
            "not open for lines, and does more than read",
            &format!("rules.wrap({rule},"),
        ]);
    }
    scratch
        .fails(2, &format!("{mods} new other --wrap dsii.move.leg"))
        .says(&["is a window"]);
}

#[test]
fn what_is_written_in_luau_alone_is_refused_in_rust_with_the_way_out() {
    let scratch = Scratch::new();
    for (way, instead) in [
        ("--game", "--extends MOD --lang rust"),
        ("--wrap skirmish.fire.hit", "--extends skirmish --lang rust"),
        ("--line skirmish.fire.hit", "--extends skirmish --lang rust"),
    ] {
        scratch
            .fails(2, &format!("--mods mods new other {way} --lang rust"))
            .says(&[instead]);
    }
}

/// A verdict is two values, of which the second is why not.
#[test]
#[cfg(feature = "wasm")]
fn verdicts_are_refused_by_lines_and_by_wraps() {
    if !std::path::Path::new(SHIPPED).join("tcs").is_dir() {
        return;
    }
    let scratch = Scratch::new();
    let mods = format!("--mods {SHIPPED} --mods mods");
    let rule = "tcs.helo.may_pop";
    for (name, way) in [("popped", "line"), ("kept_low", "wrap")] {
        scratch.ok(&format!("{mods} new {name} --{way} {rule} --in mods"));
        assert_eq!(
            scratch.ok(&format!("{mods} check {name}")).out,
            "1 mod, no problems\n"
        );
        scratch.ok(&format!("{mods} test {name}"));
    }
    let line = scratch.read("mods/popped/rules/change.luau");
    assert!(
        line.contains("tcs.over.helo.may_pop:refuse(\"change.rule\", "),
        "{line}"
    );
    let wrap = scratch.read("mods/kept_low/rules/change.luau");
    assert!(
        wrap.contains("return false, \"the club does not allow it\""),
        "{wrap}"
    );
}

#[test]
fn rules_tell_reasons_from_texts_and_records_by_name() {
    let scratch = Scratch::new();
    let mods = format!("--mods {SHIPPED}");
    scratch
        .ok(&format!("{mods} rules dsii.fire.label"))
        .says(&["weapon: dsii.weapon) -> text"]);
    let ran = scratch.ok(&format!("{mods} rules dsii.fire.shot_barred"));
    ran.says(&[
        "dsii.fire.shot_barred(shot: dsii.shot) -> Reason?",
        "record    dsii.shot {firer: entity",
    ]);
    scratch
        .ok(&format!("{mods} rules dsii fire"))
        .says(&["dsii.fire.first_die(shot: dsii.shot) -> die"]);
    let open = scratch.ok(&format!("{mods} rules dsii --open"));
    open.says(&["open for  ", "dsii.fire.die("]);
    assert!(!open.out.contains("dsii.fire.shot("), "{}", open.out);
    let json = scratch
        .ok(&format!("{mods} rules dsii conf --open --format json"))
        .document();
    assert!(
        json["rules"]
            .as_array()
            .is_some_and(|rules| !rules.is_empty())
    );
}

#[test]
fn what_is_wrong_in_a_scenario_is_told_at_its_line() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let path = "mods/yard/scenarios/yard-first.ron";
    let right = scratch.read(path);
    for (from, to, word) in [
        (
            "    turns: 6,",
            "    options: {\"yard.fire.needed\": 12},",
            "expected integer 2..6, found `12`",
        ),
        (
            "    turns: 6,",
            "    options: {\"yard.fire.neded\": 5},",
            "found `yard.fire.neded`",
        ),
        ("[\"yard\"]", "[\"yard:flair\"]", "found `flair`"),
        ("\"red\": \"greedy\"", "\"red\": \"gredy\"", "found `gredy`"),
    ] {
        scratch.edit(path, from, to);
        let line = scratch
            .read(path)
            .lines()
            .position(|line| line.contains(to))
            .map_or(0, |at| at + 1);
        scratch
            .fails(1, "check yard")
            .says(&[word, &format!("yard-first.ron:{line}:")]);
        scratch.write(path, &right);
    }
}

#[test]
fn a_sheet_that_cannot_be_read_is_told_as_that_alone() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let table = "    Table(id: \"yard.fire.notes\", title: \"Notes\", key: [(\"gun\", \"text\")], columns: [(\"note\", \"text\")], rows: \"notes.csv\"),\n]";
    let data = scratch.read("mods/yard/data/yard.ron");
    scratch.write(
        "mods/yard/data/yard.ron",
        &format!("{}{table}", data.trim_end().trim_end_matches(']')),
    );
    std::fs::write(
        scratch.0.join("mods/yard/data/notes.csv"),
        b"gun,note\nrifle,gr\xfcn\n",
    )
    .unwrap();
    let ran = scratch.fails(1, "check yard");
    ran.says(&["F001", "expected UTF-8, found the byte 0xfc in line 2"]);
    assert!(
        !ran.out.contains("found none") && !ran.err.contains("found none"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_place_that_nothing_fills_is_told_before_the_reason_is_given() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    scratch.edit(
        "mods/yard/rules/fire.luau",
        "    return if squad.has_acted then rules.reason(\"it has shot\") else nil",
        "    return rules.refuse(squad.has_acted, \"{unit} has shot\")",
    );
    scratch
        .fails(1, "test yard")
        .says(&["a reason has a place for `{unit}`, but no value for it"]);
}

#[test]
fn a_case_that_fails_says_what_its_game_waits_for() {
    let scratch = Scratch::new();
    scratch.write(
        "mods/late/mod.ron",
        "Mod(id: \"late\", version: \"0.1.0\", title: \"Late\", engine: \"0.1\", depends: [(\"dsii\", \"^0.1\")])\n",
    );
    let case = |acts: &str| {
        let head =
            "--!strict\ntest.case(\"a case\", function(t)\n    local game = t:scenario(\"duel\")\n";
        let text = format!("{head}{acts}end)\n");
        scratch.write("mods/late/tests/late.luau", &text);
        scratch.fails(1, &format!("test late --mods mods --mods {SHIPPED}"))
    };
    let asked = case("    t:eq(game:get(\"blue-a-1\").status, \"damaged\")\n");
    asked.says(&[
        "waits for an answer",
        "t:give(\"blue\", \"dsii.seq.who_begins\", …)",
    ]);
    let begun = "    t:give(\"blue\", \"dsii.seq.who_begins\", \"blue\")\n    \
                 local firer, target = game:get(\"blue-a-1\"), game:get(\"red-a-1\")\n    \
                 t:act(\"blue\", \"dsii.act.activate\", firer.unit)\n";
    let declared = "    t:act(\"blue\", \"dsii.fire.declare\", firer, { weapon = 1, target = target, pace = \"steady\" })\n";
    let left = case(&format!("{begun}    t:dice {{ \"d6=1\" }}\n{declared}"));
    left.says(&[
        "left over: d6=1",
        "blue may take `dsii.fire.volley`, or is done",
        "t:done(\"blue\")",
    ]);
    let refused = case(&format!(
        "{begun}{}",
        declared.replace(", pace = \"steady\"", "")
    ));
    refused.says(&[
        "`pace` is missing",
        "`houserule rules dsii.fire.declare` says what it takes",
    ]);
}

#[test]
fn house_rules_are_tried_without_some_of_them() {
    let scratch = Scratch::new();
    let line = "test duel --with snipers --without";
    scratch
        .fails(2, &format!("{line} duel.fire.hit"))
        .says(&["`duel.fire.hit` is no part of `snipers`"]);
    scratch
        .fails(2, &format!("{line} snipers"))
        .says(&["nothing of `snipers` is left"]);
    scratch
        .fails(2, "test duel --without snipers")
        .says(&["--with"]);
    let all = scratch.ok("test duel --with snipers --format json").out;
    let some = scratch
        .ok(&format!("{line} snipers.aim.close --format json"))
        .out;
    assert!(all.contains("made_by\":[\"snipers.aim.close"), "{all}");
    assert!(
        !some.contains("snipers.aim.close") && some.contains("snipers.aim.sure"),
        "{some}"
    );
}

#[test]
fn two_mods_that_change_the_same_thing_are_found_without_being_named() {
    let scratch = Scratch::new();
    let mod_of = |id: &str, depends: &str, data: &str| {
        let manifest = format!(
            "Mod(id: \"{id}\", version: \"1.0.0\", title: \"{id}\", engine: \"0.1\"{depends})"
        );
        scratch.write(&format!("met/{id}/mod.ron"), &manifest);
        scratch.write(&format!("met/{id}/data/{id}.ron"), data);
    };
    let on_base = ", depends: [(\"base\", \"^1.0\")]";
    let base = r#"[
        Enum(id: "base.mood", values: ["calm", "angry"]),
        Table(id: "base.costs", title: "Costs", source: "p. 1", key: [("name", "text")], columns: [("cost", "integer")], rows: [("axe", 1)]),
    ]"#;
    mod_of("base", "", base);
    let meek = r#"Extend(enum: "base.mood", values: [(name: "meek")])"#;
    let dear = r#"Amend(table: "base.costs", amend: [(name: "axe", cost: 3)])"#;
    let bow = r#"Amend(table: "base.costs", add: [(name: "bow", cost: 2)])"#;
    let check = "--mods met check";
    for (same, says) in [(meek, "meek"), (dear, "axe"), (bow, "bow")] {
        // However it is laid out, with remarks and with words that only look like it.
        mod_of(
            "one",
            on_base,
            &format!("[\n    // Extend(\n    {same},\n]"),
        );
        mod_of(
            "two",
            on_base,
            &format!("[{}]", same.replacen('(', "(\n  ", 1)),
        );
        scratch.ok(&format!("{check} one"));
        scratch.ok(&format!("{check} two"));
        scratch.fails(1, check).says(&[says, "`one`", "1 problem"]);
    }
    mod_of("one", on_base, &format!("[{meek}]"));
    mod_of("two", on_base, &format!("[{bow}]"));
    scratch.ok(check);
    mod_of("two", on_base, &format!("[/* {meek} */]"));
    scratch.ok(check);
}

// ---- one cell ------------------------------------------------------------------

#[test]
fn one_cell_of_a_table_is_amended_without_a_mod() {
    let scratch = Scratch::new();
    let far = "eval duel.fire.band --arg range=20in";
    assert_eq!(scratch.ok(far).out, "result    long\n");
    let amend = "--amend duel.fire.ranges[close].up_to=25in";
    assert_eq!(
        scratch.ok(&format!("{far} {amend}")).out,
        "result    close\n"
    );
    let line = "duel duel.fire.ranges[close].up_to=25in";
    scratch
        .ok(&format!("run noon {amend} --journal noon.journal"))
        .says(&[&format!("rules     {line}")]);
    scratch.ok("replay noon.journal").says(&[line]);
    let rules = scratch.ok(&format!("rules duel.fire.ranges {amend}")).out;
    assert!(rules.contains("25"), "{rules}");
    scratch.ok(&format!("simulate noon --games 2 {amend} --out some.jsonl"));
    assert!(
        scratch.read("some.jsonl").contains(line),
        "{}",
        scratch.read("some.jsonl")
    );
    scratch
        .fails(1, "test duel --amend duel.fire.ranges[close].up_to=10in")
        .says(&["twelve inches is close"]);
}

#[test]
fn a_cell_that_is_not_there_is_a_fault_with_its_place() {
    let scratch = Scratch::new();
    for (amend, expected) in [
        (
            "duel.fire.ranges[near].up_to=1in",
            ["F022", "`band` of table `duel.fire.ranges`", "`near`"],
        ),
        (
            "duel.fire.ranges[close].up_tu=1in",
            ["F025", "found `up_tu`", "did you mean `up_to`?"],
        ),
        (
            "duel.fire.ranges[close].up_to=far",
            ["F022", "expected length", "`far`"],
        ),
        (
            "duel.fire.ranges[close,long].up_to=1in",
            ["F025", "expected band in the brackets", "close, long"],
        ),
        (
            "duel.fire.range[close].up_to=1in",
            ["F015", "no mod declares the table", "`duel.fire.ranges`?"],
        ),
    ] {
        let ran = scratch.fails(1, &format!("run noon --amend {amend}"));
        ran.says(&expected);
        ran.says(&[&format!("--amend {amend}")]);
    }
    scratch
        .fails(2, "run noon --amend duel.fire.ranges=1in")
        .says(&["`table[key,…].column=value`"]);
}

// ---- the reference -------------------------------------------------------------

#[test]
fn the_reference_of_a_mod_is_a_page_a_chapter() {
    let scratch = Scratch::new();
    scratch.ok("rules duel --pages reference --with snipers");
    let index = scratch.read("reference/index.md");
    for part in [
        "# Duel",
        "- [Fire](fire.md)",
        "- [Turn](turn.md)",
        "- [Kinds](kinds.md)",
    ] {
        assert!(index.contains(part), "{part}: {index}");
    }
    let fire = scratch.read("reference/fire.md");
    for part in [
        "### `duel.fire.band`",
        "duel.fire.band(range: length) -> text?",
        "`duel.fire.range` (p. 2), Which range is close.",
        "- wrapped by `snipers`, rules/aim.luau:6",
        "| **band** | up_to |",
        "`integer 2..6`, `4` if nothing is said.",
        "### `duel.fire.shoot`",
        "- asks `target: entity(duel.gun)`, Shoot at whom?",
        "### `duel.fire.shot`",
    ] {
        assert!(fire.contains(part), "{part}: {fire}");
    }
    assert!(
        scratch
            .read("reference/kinds.md")
            .contains("| `fired` | `integer 0..99` | `0` |")
    );
    scratch.fails(2, "rules --pages reference");
}

// ---- prohibitions --------------------------------------------------------------

const STATES: &str = r#"--!strict
local test = require("@test")

for place, state in { "loaded", "fired" } do
    local head = { situation = { of = "a gun", state = state } }
    test.case(`a gun, {state}`, head, function(t)
        local gun = t:scenario("noon"):get("sheriff")
        gun.fired = place - 1
        t:eq(t:may(gun.side, { actor = gun }), if place == 1 then { "duel.fire.shoot" } else {})
    end)
end
"#;

#[test]
fn what_a_state_forbids_is_asked_of_the_rules_in_force() {
    let scratch = Scratch::new();
    scratch.write("mods/duel/tests/states.luau", STATES);
    let json = scratch
        .ok("rules duel --prohibitions --format json")
        .document();
    let cells = &json["tables"][0]["actions"][0]["cells"];
    assert_eq!(
        cells[0],
        serde_json::json!({ "state": "loaded", "verdict": "allowed" })
    );
    assert_eq!(cells[1]["clause"], "duel.fire.hit");
    assert_eq!(cells[1]["reason"], "it has fired in this turn");
    scratch
        .ok("rules duel --prohibitions")
        .says(&["a gun", "  duel.fire.shoot  +       1"]);
    // A rule that forbids no more leaves no number, and the case says so.
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "if gun.fired >= game:round",
        "if gun.fired > game:round",
    );
    scratch
        .ok("rules duel --prohibitions")
        .says(&["  duel.fire.shoot  +       +", "fails `a gun, fired`"]);
}
