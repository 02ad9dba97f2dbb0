//! What is asked of mods without a game: `houserule check`, `rules`, `types` and `design`.

use super::common::{Ran, Scratch};

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

/// What the engine takes with a question, `check` takes too.
#[test]
fn a_question_may_say_what_it_gives_away() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let acted = "    squad.has_acted = true\n";
    let asked = format!(
        "{acted}    ask.yes(squad, \"yard.fire.sure\", \"Sure?\", {{ secret = true, reveals = \"a cry\" }})\n"
    );
    scratch.edit("mods/yard/rules/fire.luau", acted, &asked);
    scratch.ok("check yard").says(&["no problems"]);
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
fn what_is_declared_is_told_with_what_an_author_must_know() {
    let scratch = Scratch::new();
    scratch.edit(
        "mods/duel/data/guns.ron",
        "(name: \"fired\", type: \"integer 0..99\", default: 0)",
        "(name: \"fired\", type: \"integer 0..99\", default: 3, viewers: Owner, bookkeeping: true)",
    );
    scratch.ok("rules duel.gun").says(&[
        "    fired: integer 0..99  seen by its owner, 3 if nothing is said, bookkeeping\n",
    ]);
    let gun = scratch.ok("rules duel.gun --format json").document();
    let fired = &gun["kind"]["attributes"][3];
    assert_eq!(
        (&fired["viewers"], &fired["default"], &fired["bookkeeping"]),
        (&"Owner".into(), &"3".into(), &true.into())
    );
    scratch.ok("rules duel.fire.shoot").says(&[
        "rule      duel.fire.shoot_allowed  whether it may be done",
        "rule      duel.fire.shoot_target_domain  what `target` may be",
        "rule      duel.fire.shoot_perform  does it",
    ]);
    let needed = "duel.fire.needed  Needed  (option)";
    scratch
        .ok("rules duel.fire.needed --option duel.fire.needed=5")
        .says(&[
            needed,
            "type      integer 2..6",
            "value     5  4 if nothing is said",
        ]);
    scratch.ok("rules duel fire").says(&["Options (1)", needed]);
    let json = scratch.ok("rules duel --format json").document();
    assert_eq!(json["options"][0]["id"], "duel.fire.needed");
    scratch
        .fails(1, "rules duel.fire.neded")
        .says(&["did you mean `duel.fire.needed`?"]);
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
    // Mods of two games have no types together.
    scratch.ok("new yard --game");
    scratch
        .fails(2, "types -o both")
        .says(&["of several games", "`houserule types MOD`"]);
    scratch.ok("types yard -o both");
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
    scratch
        .fails(1, &format!("{mods} design nosuch.ron"))
        .says(&["nosuch.ron: cannot read the design: ", "(os error 2)"]);
    scratch.write("tank.txt", "");
    scratch
        .fails(2, &format!("{mods} design tank.txt"))
        .says(&["expected a file that ends in `.ron`"]);
    scratch
        .fails(1, &format!("{mods} design dsii.platon"))
        .says(&["F020", "`houserule rules dsii`"]);
}

#[test]
fn where_there_is_nothing_it_is_said() {
    let scratch = Scratch::new();
    let none = "`snipers` has no scenario; `houserule scenarios` lists those of all mods\n";
    assert_eq!(scratch.ok("scenarios snipers").out, none);
    std::fs::create_dir(scratch.0.join("empty")).unwrap();
    let none = "no mod here has a scenario; `--mods` names another folder of mods\n";
    assert_eq!(scratch.ok("--mods empty scenarios").out, none);
    let none = "there is no mod here; `--mods` names another folder of mods\n";
    assert_eq!(scratch.ok("--mods empty rules").out, none);
}

#[test]
fn one_broken_mod_leaves_the_others_listed() {
    let scratch = Scratch::new();
    let manifest = |id: &str, on: &str| {
        format!(
            "Mod(id: \"{id}\", version: \"1.0.0\", title: \"t\", engine: \"0.1\", depends: [(\"{on}\", \"^1\")])"
        )
    };
    scratch.write("mods/worse/mod.ron", &manifest("worse", "duel"));
    scratch.write("mods/worse/rules/a.luau", "local = 3");
    scratch.write("mods/astray/mod.ron", &manifest("astray", "dual"));
    scratch.write("mods/upon/mod.ron", &manifest("upon", "worse"));
    let left_out = [
        "left out: F002 mod `worse`, rules/a.luau:1: ",
        "left out: F004 mod `astray`, mod.ron:1:",
        "left out: `upon`, which stands on what cannot be read",
    ];
    for (line, listed) in [
        ("rules", "duel.fire.hits"),
        ("rules --open", "no rule is open for lines"),
        ("rules --find hits", "duel.fire.hits"),
    ] {
        let ran = scratch.ok(line);
        ran.says(&[listed]);
        ran.says(&left_out);
        assert_eq!(ran.err.matches("left out: ").count(), 3, "{}", ran.err);
    }
    let book = scratch.ok("rules --format json").document();
    let mods: Vec<&str> = book["mods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect();
    assert_eq!(mods, ["duel", "snipers"]);
    let covered = scratch.ok("rules --coverage");
    covered.says(&["duel.fire.hit", left_out[0]]);
    // Who asks for the broken one is told of nothing else.
    scratch
        .fails(1, "rules worse")
        .says(&["F002", "worse/rules/a.luau"]);
    // Where nothing is left there is nothing to list.
    scratch.edit(
        "mods/duel/rules/turn.luau",
        "local rules = require",
        "local = require",
    );
    scratch
        .fails(1, "rules")
        .says(&["F002", "duel/rules/turn.luau"]);
}

#[test]
fn a_mod_that_is_there_and_broken_is_not_said_to_be_nowhere() {
    let scratch = Scratch::new();
    scratch.edit("mods/snipers/mod.ron", "0.2.0", "two");
    let why = "it is there, but cannot be used: mod `snipers`, mod.ron:4:";
    for line in [
        "run noon --with snipers",
        "rules snipers",
        "check duel snipers --format json",
    ] {
        scratch.fails(1, line).says(&["mod.ron", "two"]);
    }
    for line in ["run noon --with snipers", "rules snipers"] {
        scratch.fails(1, line).says(&[why]);
    }
}

#[test]
fn an_action_that_takes_the_word_of_another_is_warned_of() {
    let scratch = Scratch::new();
    let action = |id: &str, title: &str| {
        format!(
            "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\nlocal snipers = require(\"@snipers\")\n\n--- [sure]\nsnipers.aim.{id} = rules.action {{\n    title = \"{title}\",\n    phase = duel.phases.turn_act,\n    actor = duel.kinds.Gun,\n}}\nfunction snipers.aim.{id}_perform(_game: Acts, _gun: duel.Gun, _params: any) end\n"
        )
    };
    let word = "`duel.fire.shoot` is said as `shoot` in";
    scratch.write("mods/snipers/rules/roof.luau", &action("roof", "Shoot"));
    let ran = scratch.ok("check snipers");
    ran.says(&["F008", "`snipers.aim.roof`", word]);
    let in_file = scratch
        .ok("check mods/snipers/rules/roof.luau --format json")
        .document();
    let all = in_file["problems"].as_array().unwrap();
    assert!(
        all.iter()
            .any(|one| one["code"] == "F008" && one["severity"] == "warning"),
        "{all:?}"
    );
    // By its id it takes none: who says the word means the action with that title.
    let id = action("shoot", "Shoot from a roof");
    scratch.write("mods/snipers/rules/roof.luau", &id);
    let ran = scratch.ok("check snipers");
    assert!(!ran.out.contains("F008"), "{}", ran.out);
    scratch.edit(
        "mods/duel/rules/fire.luau",
        "duel.fire.shoot",
        "duel.fire.volley",
    );
    let mut command = scratch.command("odds noon --with snipers --at 1 --by bandit.is_hit");
    command.args(["--act", "shoot sheriff bandit"]);
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// Who builds a scenario looks for what can stand on the table.
#[test]
fn templates_stand_in_the_rulebook() {
    let scratch = Scratch::new();
    let data = "mods/duel/data/guns.ron";
    let template = "    Template(id: \"duel.gunman.sheriff\", kind: \"duel.gun\", title: \"A sheriff\", attributes: {}),\n]";
    let text = scratch.read(data);
    scratch.write(
        data,
        &format!("{}{template}\n", text.trim_end().trim_end_matches(']')),
    );
    for line in ["rules duel", "rules duel gunman", "rules duel.gunman"] {
        let ran = scratch.ok(line);
        ran.says(&[
            "Templates (1)",
            "duel.gunman.sheriff  A sheriff  (duel.gun)",
        ]);
    }
    let templates = &scratch.ok("rules duel --format json").document()["templates"];
    assert_eq!(
        *templates,
        serde_json::json!([{ "id": "duel.gunman.sheriff", "title": "A sheriff", "kind": "duel.gun" }])
    );
    scratch.ok("rules duel --pages reference");
    let page = scratch.read("reference/gunman.md");
    assert!(
        page.contains("### `duel.gunman.sheriff`\n\nA sheriff, a `duel.gun`."),
        "{page}"
    );
}

/// A chapter is said in both ways: by its own name, and as ids begin.
#[test]
fn what_ids_begin_with_is_a_chapter() {
    let scratch = Scratch::new();
    let chapter = scratch.ok("rules duel fire").out;
    assert!(chapter.contains("duel.fire.hits") && !chapter.contains("duel.turn.is_over"));
    assert_eq!(scratch.ok("rules duel.fire").out, chapter);
    scratch
        .fails(1, "rules duel.fir")
        .says(&["expected the id of something", "did you mean `duel.fire`?"]);
}
