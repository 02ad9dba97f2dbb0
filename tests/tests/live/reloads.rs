//! Rules that change under a game.

use std::fs;

use houserule::embed::{Plain, Prompt, ReloadMode, Tabletop, Trouble, WireInput};

use super::{Yard, fight, hp, is_refusal, parry, strike};

#[test]
fn a_reload_from_now_leaves_the_past() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 2);
    let wounds = hp(&table, "bruno");
    yard.edit("data/duel.ron", "(\"sword\", 3)", "(\"sword\", 9)");
    let reloaded = table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(
        reloaded.changes.rows.changed,
        ["duel.blows [sword]: points 3 is 9 now"]
    );
    assert_eq!(reloaded.changes.mods, ["duel"]);
    assert_eq!(hp(&table, "bruno"), wounds);
    fight(&mut table, 1);
    assert!(wounds - hp(&table, "bruno") >= 8);
    table.undo("referee", 1).unwrap();
    assert!(matches!(
        table.prompt("blue").unwrap(),
        Prompt::Answer { .. }
    ));
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(
        loaded.hash(),
        table.hash(),
        "a journal with a reload and an undo plays again"
    );
}

#[test]
fn a_reload_as_always_shows_the_first_difference() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 6);
    let before = table.hash();
    assert!(
        table
            .reload(ReloadMode::AsAlways, "referee")
            .unwrap()
            .changes
            .is_empty()
    );
    yard.edit("rules/duel.luau", "points - 2", "points - 3");
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(reloaded.changes.rules.changed, ["duel.core.points"]);
    let difference = reloaded.difference.unwrap();
    assert_eq!(difference.decision, 2, "{difference:?}");
    assert_ne!(difference.before, difference.after);
    assert_ne!(table.hash(), before);
    assert_eq!(table.standing().decisions, 12);
    let mut fresh = yard.table();
    fight(&mut fresh, 6);
    assert_eq!(
        table.hash(),
        fresh.hash(),
        "as if the rules had always been so"
    );
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
    yard.edit("rules/duel.luau", "points - 3", "points - 2");
    table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(table.hash(), before);
}

#[test]
fn a_broken_save_changes_nothing() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 2);
    table.submit(&strike("red", "rufus")).unwrap();
    let before = table.hash();
    yard.edit("rules/duel.luau", "points - 2 else", "points - 2 esle");
    for past in [ReloadMode::AsAlways, ReloadMode::FromNow] {
        let Trouble::Faults { faults, .. } = table.reload(past, "referee").unwrap_err() else {
            panic!()
        };
        assert_eq!(
            (faults[0].file.as_deref(), faults[0].line),
            (Some("rules/duel.luau"), Some(11)),
            "{faults:?}"
        );
        assert_eq!(table.hash(), before);
    }
    table.submit(&parry("blue", "yes")).unwrap();
    // A rule that composes and breaks when it is called.
    yard.edit(
        "rules/duel.luau",
        "points - 2 esle",
        "points - nil :: any else",
    );
    let before = table.hash();
    assert!(matches!(
        table.reload(ReloadMode::AsAlways, "referee"),
        Err(Trouble::Faults { .. })
    ));
    assert_eq!(table.hash(), before);
    yard.edit(
        "rules/duel.luau",
        "points - nil :: any else",
        "points - 2 else",
    );
    assert!(
        table
            .reload(ReloadMode::AsAlways, "referee")
            .unwrap()
            .changes
            .is_empty()
    );
}

#[test]
fn a_folder_that_vanishes_comes_back() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 2);
    let before = table.hash();
    fs::rename(yard.0.join("mods"), yard.0.join("elsewhere")).unwrap();
    assert!(table.is_outdated(&table.mods_now()));
    assert!(matches!(
        table.reload(ReloadMode::AsAlways, "referee"),
        Err(Trouble::Faults { .. })
    ));
    fight(&mut table, 1);
    table.undo("referee", 4).unwrap();
    assert_eq!(table.hash(), before, "the game goes on without its files");
    fs::rename(yard.0.join("elsewhere"), yard.0.join("mods")).unwrap();
    assert!(!table.is_outdated(&table.mods_now()));
    table.reload(ReloadMode::AsAlways, "referee").unwrap();
}

#[test]
fn a_reload_in_an_open_question_keeps_what_still_fits() {
    let yard = Yard::new();
    let mut table = yard.table();
    table.submit(&strike("red", "rufus")).unwrap();
    yard.edit("data/duel.ron", "(\"sword\", 3)", "(\"sword\", 30)");
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert!(
        matches!(table.prompt("blue").unwrap(), Prompt::Answer { .. }),
        "the question is still open"
    );
    table.submit(&parry("blue", "no")).unwrap();
    assert!(hp(&table, "bruno") <= 29, "the step ran by the new rules");
    // Two questions: the first is answered, then the second is put otherwise.
    let once = "local parried = ask.yes(foe.side, \"duel.parry\", \"Parry?\")";
    let twice = format!("ask.yes(foe.side, \"duel.stand\", \"Stand?\")\n    {once}");
    yard.edit("rules/duel.luau", once, &twice);
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    table.submit(&strike("blue", "bruno")).unwrap();
    let stand = WireInput::Answer {
        by: "red".into(),
        question: "duel.stand".into(),
        value: Plain::Bool(true),
    };
    table.submit(&stand).unwrap();
    yard.edit("rules/duel.luau", "\"Parry?\"", "\"Parry that?\"");
    let reloaded = table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert!(!reloaded.asked_again);
    let Prompt::Answer { question } = table.prompt("red").unwrap() else {
        panic!()
    };
    assert_eq!(
        question.text, "Parry that?",
        "the first answer stands, the second is asked anew"
    );
    yard.edit("rules/duel.luau", "\"Stand?\"", "\"Stand fast?\"");
    let reloaded = table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert!(reloaded.asked_again);
    let Prompt::Answer { question } = table.prompt("red").unwrap() else {
        panic!()
    };
    assert_eq!(question.text, "Stand fast?");
}

#[test]
fn kinds_change_under_the_game() {
    let yard = Yard::new();
    let (path, mut table) = yard.recorded();
    fight(&mut table, 3);
    let value = |table: &Tabletop, name: &str| {
        let view = table.view("referee").unwrap();
        let bruno = view
            .entities
            .iter()
            .find(|seen| seen.label == "bruno")
            .unwrap();
        bruno.attributes.get(name).cloned()
    };
    let grudge = value(&table, "grudge");
    let line = "        (name: \"grudge\", type: \"integer\", default: 0, viewers: Owner, doc: \"blows that he counts in secret\"),\n";
    let uses = "    foe.grudge = foe.grudge + 1\n";
    // Added: takes its default.
    let added = format!(
        "{line}        (name: \"luck\", type: \"integer\", default: 7, viewers: All, doc: \"luck\"),\n"
    );
    yard.edit("data/duel.ron", line, &added);
    let reloaded = table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(reloaded.changes.kinds.added, ["duel.man.luck"]);
    assert_eq!(value(&table, "luck"), Some(Plain::Int(7)));
    // Removed: kept aside, and there again when it comes back.
    yard.edit("data/duel.ron", line, "");
    yard.edit("rules/duel.luau", uses, "");
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(value(&table, "grudge"), None);
    fight_on(&mut table);
    yard.edit(
        "data/duel.ron",
        "        (name: \"luck\"",
        &format!("{line}        (name: \"luck\""),
    );
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(value(&table, "grudge"), grudge);
    // Retyped: refused, until a rule says what becomes of the values.
    let before = table.hash();
    yard.edit(
        "data/duel.ron",
        "type: \"integer\", default: 0, viewers: Owner",
        "type: \"text\", default: \"\", viewers: Owner",
    );
    let refused = table.reload(ReloadMode::FromNow, "referee").unwrap_err();
    assert!(
        refused.to_string().contains("duel.migrate.man_grudge"),
        "{refused}"
    );
    assert_eq!(table.hash(), before);
    let rule = "function duel.migrate.man_grudge(_game: Reads, _man: Man, old: any): string\n    return `{old} blows`\nend\n\ncore.strike = ";
    yard.edit("rules/duel.luau", "core.strike = ", rule);
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(value(&table, "grudge"), Some(Plain::Text("2 blows".into())));
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(
        loaded.hash(),
        table.hash(),
        "five sets of rules in one journal"
    );
}

/// A blow of whoever's go it is.
fn fight_on(table: &mut Tabletop) {
    let by = table.standing().waiting_for[0].clone();
    let who = if by == "red" { "rufus" } else { "bruno" };
    table.submit(&strike(&by, who)).unwrap();
    let foe = table.standing().waiting_for[0].clone();
    table.submit(&parry(&foe, "yes")).unwrap();
}

/// What names a piece that is gone cannot be read, and is told in words all the same.
#[test]
fn a_decision_of_whoever_is_gone_is_told_in_words() {
    let yard = Yard::new();
    let hits = "    events.hit(";
    let joins =
        format!("    game:create(\"duel.man\", {{ side = man.side, at = man.at }})\n{hits}");
    yard.edit("rules/duel.luau", hits, &joins);
    let mut table = yard.table();
    for (by, who, foe) in [
        ("red", "rufus", "blue"),
        ("blue", "bruno", "red"),
        ("red", "man-1", "blue"),
    ] {
        table.submit(&strike(by, who)).unwrap();
        table.submit(&parry(foe, "no")).unwrap();
    }
    yard.edit("rules/duel.luau", &joins, hits);
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    let aside = reloaded.set_aside.unwrap();
    assert_eq!(aside.words, "Red: Strike — man-1");
    assert_eq!(aside.reason, "`man-1` is no longer there");
    let refused = table.redo().unwrap_err().to_string();
    assert_eq!(refused, "making it again: `man-1` is no longer there");
}

#[test]
fn decisions_that_no_longer_fit_are_set_aside_and_come_back() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 5);
    let before = table.hash();
    let performs = "function core.strike_perform";
    let forbids = "function core.strike_allowed(_game: Reads, man: Man): Reason?\n    return rules.refuse(man.hp <= 59, \"he is too weak\")\nend\nfunction core.strike_perform";
    yard.edit("rules/duel.luau", performs, forbids);
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    let aside = reloaded.set_aside.unwrap();
    assert!(aside.reason.contains("he is too weak"), "{aside:?}");
    assert!(
        aside.text.starts_with("act ") && aside.words.contains(": Strike — "),
        "{aside:?}"
    );
    assert_eq!(aside.count + reloaded.decisions, 10);
    assert!(is_refusal(&table.redo().unwrap_err()));
    yard.edit("rules/duel.luau", forbids, performs);
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!((reloaded.decisions, reloaded.set_aside), (10, None));
    let difference = reloaded.difference.unwrap();
    assert_eq!(
        (difference.decision, difference.text),
        (aside.decision, Some(aside.text)),
        "the game goes on with what was set aside"
    );
    assert_eq!(table.hash(), before, "nothing was lost");
}
