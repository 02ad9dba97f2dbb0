//! What lasts when rules change under a game: what was asked for, a journal that plays
//! again, and that all is told.

use std::collections::BTreeMap;
use std::fs;

use houserule::embed::{Choosing, Prompt, ReloadMode, Start, Tabletop};

use super::{Yard, fight, hp, parry, strike};

const GROUPS: &str = r#"groups: [
    Group(id: "core", title: "Core", clauses: [
        Clause(id: "duel.core.far", title: "Far", text: "They reach far.", effect: Adds),
        Clause(id: "duel.core.near", title: "Near", text: "They reach near.", effect: Adds, default: false),
    ]),
], options: [
    Option(id: "duel.core.reach", title: "Reach", text: "How far.", type: "integer", default: 1, clause: "duel.core.far"),
]"#;

/// The duel with clauses, and an option that counts.
fn with_clauses() -> Yard {
    let yard = Yard::new();
    yard.edit("mod.ron", "groups: []", GROUPS);
    yard.edit(
        "rules/duel.luau",
        ".points + face",
        ".points + face + options.core_reach(_game)",
    );
    yard
}

/// The clauses that are on, and the options.
fn chosen(table: &Tabletop) -> (Vec<String>, Vec<(String, String)>) {
    let rules = table.rules();
    let clauses = rules
        .iter()
        .flat_map(|one| &one.groups)
        .flat_map(|group| &group.clauses);
    let options = rules.iter().flat_map(|one| &one.options);
    (
        clauses
            .filter(|clause| clause.on)
            .map(|clause| clause.id.clone())
            .collect(),
        options
            .map(|option| (option.id.clone(), option.value.clone()))
            .collect(),
    )
}

#[test]
fn what_was_asked_for_holds_whatever_comes_by_itself() {
    let reach = BTreeMap::from([("duel.core.reach".to_string(), "1".to_string())]);
    let asked = [
        Start {
            options: reach,
            ..Start::default()
        },
        Start {
            without: vec!["duel.core.near".into()],
            ..Start::default()
        },
        Start {
            with: vec!["duel.core.far".into()],
            ..Start::default()
        },
    ];
    for start in asked {
        let yard = with_clauses();
        let path = yard.0.join("game.journal");
        let mut table = yard.start(&Start {
            journal: Some(path.clone()),
            ..start.clone()
        });
        fight(&mut table, 4);
        yard.edit("mod.ron", "default: 1,", "default: 3,");
        yard.edit("mod.ron", ", default: false", "");
        table.reload(ReloadMode::AsAlways, "referee").unwrap();
        fight(&mut table, 2);
        let mut fresh = yard.start(&start);
        fight(&mut fresh, 4);
        fight(&mut fresh, 2);
        assert_eq!(chosen(&table), chosen(&fresh), "{start:?}");
        assert_eq!(table.hash(), fresh.hash(), "{start:?}");
        let mut loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
        assert_eq!(chosen(&loaded), chosen(&table), "{start:?}");
        assert_eq!(loaded.hash(), table.hash(), "{start:?}");
        // Who loads the game goes on by what was asked for.
        yard.edit("mod.ron", "default: 3,", "default: 4,");
        for one in [&mut loaded, &mut table] {
            one.reload(ReloadMode::AsAlways, "referee").unwrap();
        }
        assert_eq!(chosen(&loaded), chosen(&table), "{start:?}");
        assert_eq!(loaded.hash(), table.hash(), "{start:?}");
    }
}

#[test]
fn a_house_rule_that_came_after_the_game_began_can_be_chosen() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 2);
    let club = yard.0.join("mods/club");
    let write = |points: u32| {
        let manifest = r#"Mod(id: "club", version: "1.0.0", title: "Club", authors: [], engine: "0.1", depends: [("duel", "^1")], groups: [Group(id: "g", title: "G", clauses: [Clause(id: "club.g.more", title: "More", text: "More.", effect: Changes)])])"#;
        let rule = format!(
            "--!strict\n-- Harder blows.\n\nlocal over = duel.over\n\nover.core.points:add(\"g.more\", {points})\n"
        );
        fs::create_dir_all(club.join("rules")).unwrap();
        fs::write(club.join("mod.ron"), manifest).unwrap();
        fs::write(club.join("rules/club.luau"), rule).unwrap();
    };
    let on = Choosing {
        on: vec!["club".into()],
        ..Choosing::default()
    };
    yard.edit(
        "rules/duel.luau",
        "function core.points",
        "--- The points of a blow. @open\nfunction core.points",
    );
    write(1);
    let offered = |table: &Tabletop| table.rules().iter().any(|one| one.id == "club");
    assert!(offered(&table));
    write(5);
    let wounds = hp(&table, "bruno");
    table.choose(&on, "referee").unwrap();
    assert_eq!(
        wounds - hp(&table, "bruno"),
        5,
        "as it is in its folder now"
    );
    let mut plain = yard.table();
    fs::remove_dir_all(&club).unwrap();
    assert!(!offered(&plain));
    assert!(plain.choose(&on, "referee").is_err());
}

#[test]
fn a_past_that_was_left_is_played_again_when_that_is_asked_for() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 4);
    yard.edit("data/duel.ron", "(\"sword\", 3)", "(\"sword\", 9)");
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    let left = table.hash();
    assert!(table.reload(ReloadMode::FromNow, "referee").is_ok());
    assert_eq!(table.hash(), left);
    let mut loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), left);
    let mut fresh = yard.table();
    fight(&mut fresh, 4);
    for one in [&mut table, &mut loaded] {
        let reloaded = one.reload(ReloadMode::AsAlways, "referee").unwrap();
        assert!(reloaded.changes.is_empty());
        assert_eq!(reloaded.difference.map(|found| found.decision), Some(2));
        assert_eq!(one.hash(), fresh.hash());
        let again = one.reload(ReloadMode::AsAlways, "referee").unwrap();
        assert_eq!(again.made_again, 0, "it is done");
    }
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
}

/// Play is taken back into a step that was open, which by the rules of now asks
/// nothing: it is done, and all of it is told.
#[test]
fn what_a_step_does_by_the_rules_of_now_is_told_when_play_is_taken_back_into_it() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 2);
    yard.edit(
        "rules/duel.luau",
        "ask.yes(foe.side, \"duel.parry\", \"Parry?\")",
        "foe.hp > 99",
    );
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    table.undo("referee", 1).unwrap();
    assert!(matches!(table.prompt("blue").unwrap(), Prompt::Act { .. }));
    let told = |table: &Tabletop| {
        let events = table.news("referee", 0, 0).unwrap().events;
        events.last().map(|event| event.kind.clone())
    };
    assert_eq!(told(&table).as_deref(), Some("duel.hit"));
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
    assert_eq!(told(&loaded), told(&table));
    // And when it is taken back once more, from later on.
    table.submit(&strike("blue", "bruno")).unwrap();
    table.undo("referee", 1).unwrap();
    assert_eq!(loaded.hash(), table.hash());
    assert_eq!(told(&loaded), told(&table));
}

#[test]
fn an_action_that_breaks_after_its_rules_have_changed_is_taken_back_alike() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    table.submit(&strike("red", "rufus")).unwrap();
    yard.edit(
        "data/duel.ron",
        "(name: \"hp\"",
        "(name: \"luck\", type: \"integer\", default: 7, viewers: All, doc: \"luck\"), (name: \"hp\"",
    );
    yard.edit(
        "rules/duel.luau",
        "    local points = core",
        "    if parried then\n        error(\"no\")\n    end\n    foe.luck = foe.luck - 1\n    local points = core",
    );
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert!(table.submit(&parry("blue", "yes")).is_err());
    assert_eq!(table.standing().decisions, 0);
    table.submit(&strike("red", "rufus")).unwrap();
    table.submit(&parry("blue", "no")).unwrap();
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
}

#[test]
fn who_knows_of_a_kind_and_what_a_file_uses_is_told_for_what_it_is() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 1);
    yard.edit("data/duel.ron", "existence: All", "existence: Owner");
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(
        reloaded.changes.kinds.changed,
        ["duel.man: who knows of it"]
    );
    // A rule that does without a name that the file had from its mod.
    yard.edit(
        "rules/duel.luau",
        "ask.yes(foe.side, \"duel.parry\", \"Parry?\")",
        "foe.hp > 99",
    );
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    let changes = reloaded.changes;
    assert_eq!(changes.rules.changed, ["duel.core.strike_perform"]);
    assert!(changes.files.is_empty(), "{:?}", changes.files);
    // What a rule says of itself before its header.
    let header = "function core.points";
    let open = format!("--- The points of a blow. @open\n{header}");
    yard.edit("rules/duel.luau", header, &open);
    yard.edit("rules/duel.luau", "@open", "@open(most 12)");
    let changes = table
        .reload(ReloadMode::AsAlways, "referee")
        .unwrap()
        .changes;
    assert_eq!(changes.rules.changed, ["duel.core.points"]);
    assert!(changes.files.is_empty(), "{:?}", changes.files);
}

#[test]
fn what_was_hidden_when_the_past_was_left_is_told_to_nobody() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 2);
    yard.edit("data/duel.ron", "viewers: Owner", "viewers: All");
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    let mut loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    for table in [&mut table, &mut loaded] {
        let view = table.view("red").unwrap();
        let bruno = view.entities.iter().find(|seen| seen.label == "bruno");
        assert_eq!(bruno.unwrap().hidden, ["grudge"]);
        assert!(table.about("red").unwrap().secrets);
        let hit = table.news("red", 0, 0).unwrap().last;
        let why = table.why("red", hit, true).unwrap();
        let is_told = why.iter().any(|line| line.text.contains("face = "));
        assert!(!is_told, "{why:?}");
        table.reload(ReloadMode::AsAlways, "referee").unwrap();
        assert!(!table.about("red").unwrap().secrets, "it never was hidden");
        assert_eq!(table.view("red").unwrap().entities.len(), 2);
    }
}

#[test]
fn an_action_that_is_not_told_to_all_is_a_secret_before_anybody_takes_it() {
    let yard = Yard::new();
    yard.edit("data/duel.ron", "viewers: Owner", "viewers: All");
    assert!(!yard.table().about("red").unwrap().secrets);
    let open = "title = \"Strike\", ";
    let kept_back = format!("{open}audience = \"owner\", ");
    yard.edit("rules/duel.luau", open, &kept_back);
    assert!(yard.table().about("red").unwrap().secrets);
}

/// Nothing of a match has begun by the rules in force where these were changed
/// before its first decision and what was set up was left.
#[test]
fn what_was_set_up_by_other_rules_is_set_up_again_when_that_is_asked_for() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    yard.edit("data/duel.ron", "default: 60", "default: 50");
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    table.expect_reloads().unwrap();
    yard.edit("rules/duel.luau", "points - 2", "points - 1");
    table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(hp(&table, "rufus"), 50);
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
}
