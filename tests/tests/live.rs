//! Live play through the façade: decisions, taking back, saving, and rules
//! that change under the game.

#[path = "live/lasting.rs"]
mod lasting;
#[path = "live/maps.rs"]
mod maps;
#[path = "live/reloads.rs"]
mod reloads;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::{
    EntityRef, OddsAbout, OddsQuestion, Plain, Prompt, Start, Submission, Tabletop, Trouble,
    UndoPolicy, UndoProposal, Undone, WireInput,
};
use houserule_tests::{copy_folder, folder};

/// A folder with the duel in it, that is removed at the end of the test.
struct Yard(PathBuf);

impl Yard {
    fn new() -> Yard {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-live-{}-{n}", std::process::id()));
        copy_folder(&folder("duel"), &path.join("mods/duel")).unwrap();
        Yard(path)
    }

    fn mods(&self) -> Vec<PathBuf> {
        vec![self.0.join("mods")]
    }

    fn table(&self) -> Tabletop {
        self.start(&Start::default())
    }

    /// A game that is kept in a journal, and where that is.
    fn recorded(&self) -> (PathBuf, Tabletop) {
        let path = self.0.join("game.journal");
        let table = self.start(&Start {
            journal: Some(path.clone()),
            ..Start::default()
        });
        (path, table)
    }

    fn start(&self, start: &Start) -> Tabletop {
        Tabletop::start(
            &self.mods(),
            &Start {
                scenario: "yard".into(),
                ..start.clone()
            },
        )
        .unwrap()
    }

    /// Puts a text in place of another in a file of the mod.
    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.join("mods/duel").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn strike(by: &str, who: &str) -> WireInput {
    WireInput::Act {
        by: by.into(),
        action: "duel.core.strike".into(),
        actor: Some(EntityRef::from(who)),
        params: BTreeMap::new(),
    }
}

fn parry(by: &str, answer: &str) -> WireInput {
    WireInput::Answer {
        by: by.into(),
        question: "duel.parry".into(),
        value: Plain::Text(answer.into()),
    }
}

/// So many blows, each parried or not.
fn fight(table: &mut Tabletop, blows: usize) {
    for blow in 0..blows {
        let (by, who, foe) = if blow % 2 == 0 {
            ("red", "rufus", "blue")
        } else {
            ("blue", "bruno", "red")
        };
        table.submit(&strike(by, who)).unwrap();
        table
            .submit(&parry(foe, if blow % 3 == 0 { "yes" } else { "no" }))
            .unwrap();
    }
}

fn hp(table: &Tabletop, who: &str) -> i64 {
    let view = table.view("referee").unwrap();
    let seen = view.entities.iter().find(|seen| seen.label == who).unwrap();
    match seen.attributes["hp"] {
        Plain::Int(hp) => hp,
        ref other => panic!("{other:?}"),
    }
}

fn is_refusal(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Refusal { .. })
}

#[test]
fn a_question_is_prompted_masked_and_answered() {
    let yard = Yard::new();
    let mut table = yard.table();
    let legal = table.legal("red").unwrap();
    assert_eq!(legal.actions[0].id, "duel.core.strike");
    assert!(table.legal("blue").unwrap().actions.is_empty());
    table.submit(&strike("red", "rufus")).unwrap();
    let Prompt::Answer { question } = table.prompt("blue").unwrap() else {
        panic!()
    };
    assert_eq!((&*question.text, question.asked.len()), ("Parry?", 1));
    assert_eq!(table.prompt("red").unwrap(), Prompt::Wait);
    assert_eq!(table.prompt("spectator").unwrap(), Prompt::Wait);
    let taken = table.submit(&parry("blue", "no")).unwrap();
    assert_eq!((taken.decision, &*taken.by), (2, "blue"));
    assert!(hp(&table, "bruno") < 60);
    let view = table.view("red").unwrap();
    let bruno = view
        .entities
        .iter()
        .find(|seen| seen.label == "bruno")
        .unwrap();
    assert_eq!(bruno.hidden, ["grudge"], "what only its owner knows");
}

#[test]
fn bad_input_changes_nothing() {
    let yard = Yard::new();
    let mut table = yard.table();
    let before = table.hash();
    let refused = |trouble: Trouble| assert!(is_refusal(&trouble), "{trouble:?}");
    refused(table.submit(&parry("blue", "yes")).unwrap_err());
    refused(table.submit(&strike("blue", "bruno")).unwrap_err());
    refused(table.submit(&strike("red", "bruno")).unwrap_err());
    refused(table.submit(&strike("red", "nobody")).unwrap_err());
    refused(table.submit(&strike("red", "#99")).unwrap_err());
    refused(table.undo("red", 0).unwrap_err());
    refused(table.undo("referee", 0).unwrap_err());
    refused(table.redo().unwrap_err());
    let stranger = table
        .submit(&WireInput::Pass { by: "green".into() })
        .unwrap_err();
    assert!(matches!(stranger, Trouble::Unknown { .. }), "{stranger:?}");
    let ask = table.standing_of("red").unwrap().ask;
    let at = |ask| Submission {
        ask: Some(ask),
        key: None,
        input: strike("red", "rufus"),
    };
    let stale = table.submit_as(&at(ask + 1)).unwrap_err();
    assert_eq!(
        stale,
        Trouble::Stale {
            expected: ask + 1,
            found: ask
        }
    );
    assert_eq!(table.hash(), before);
    table.submit_as(&at(ask)).unwrap();
    let open = table.hash();
    let other = WireInput::Answer {
        by: "blue".into(),
        question: "duel.feint".into(),
        value: Plain::Bool(true),
    };
    refused(table.submit(&other).unwrap_err());
    refused(table.submit(&parry("red", "yes")).unwrap_err());
    refused(table.submit(&parry("blue", "perhaps")).unwrap_err());
    refused(table.submit(&strike("red", "rufus")).unwrap_err());
    assert_eq!(table.hash(), open);
}

#[test]
fn an_umpire_takes_back_to_any_point_with_the_same_dice() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 4);
    let (after, wounds) = (table.hash(), hp(&table, "bruno"));
    let undone = table.undo("referee", 3).unwrap();
    assert_eq!(
        undone,
        Undone::Done {
            decisions: 3,
            taken_back: 5,
            epoch: 0
        }
    );
    assert!(
        matches!(table.prompt("red").unwrap(), Prompt::Answer { .. }),
        "the question is open again"
    );
    for _ in 0..5 {
        table.redo().unwrap();
    }
    assert_eq!((table.hash(), hp(&table, "bruno")), (after.clone(), wounds));
    assert!(
        is_refusal(&table.undo("red", 0).unwrap_err()),
        "the referee alone does"
    );
    table.undo("referee", 0).unwrap();
    fight(&mut table, 4);
    assert_eq!(table.hash(), after, "the same decisions, the same dice");
}

#[test]
fn players_must_agree_and_get_other_dice() {
    let yard = Yard::new();
    let mut table = yard.start(&Start {
        undo: UndoPolicy::Agreed,
        ..Start::default()
    });
    fight(&mut table, 6);
    let rolls = |table: &Tabletop| {
        let news = table.news("referee", 0, 0).unwrap();
        let faces = news.events.iter().filter(|event| event.kind == "roll");
        faces
            .map(|event| event.fields["faces"].clone())
            .collect::<Vec<_>>()
    };
    let before = rolls(&table);
    assert!(matches!(
        table.undo("referee", 0),
        Err(Trouble::Unknown { .. })
    ));
    let proposed = table.undo("red", 0).unwrap();
    let Undone::Proposed(UndoProposal {
        by,
        decisions,
        waiting_for,
        what,
        more,
        ..
    }) = proposed
    else {
        panic!("{proposed:?}")
    };
    assert_eq!(
        (by, decisions, waiting_for),
        ("red".into(), 0, vec!["blue".into()])
    );
    assert_eq!(what.len(), 12, "{what:?}");
    assert_eq!(more, 0);
    assert_eq!(
        table.standing().decisions,
        12,
        "one side alone takes nothing back"
    );
    assert_eq!(
        table.undo("blue", 0).unwrap(),
        Undone::Done {
            decisions: 0,
            taken_back: 6,
            epoch: 1
        }
    );
    fight(&mut table, 6);
    assert_ne!(rolls(&table), before, "nobody rewinds to peek at dice");
    let path = yard.0.join("agreed.save");
    table.save(&path).unwrap();
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
}

#[test]
fn news_tell_what_was_taken_back() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 2);
    let first = table.news("red", 0, 0).unwrap();
    assert_eq!((first.from, first.last), (1, first.events.len() as u32));
    assert!(first.events.iter().any(|event| {
        event
            .text
            .iter()
            .any(|line| line.contains("rufus hits bruno"))
    }));
    let nothing = table.news("red", first.timeline, first.last).unwrap();
    assert!(nothing.events.is_empty());
    table.undo("referee", 2).unwrap();
    let back = table.news("red", first.timeline, first.last).unwrap();
    assert!(
        back.from <= first.last && back.last < first.last && back.events.is_empty(),
        "{back:?}"
    );
    table.submit(&strike("blue", "bruno")).unwrap();
    let open = table.news("red", back.timeline, back.last).unwrap();
    assert!(!open.events.is_empty() && !open.more);
    let again = table.news("red", open.timeline, open.last).unwrap();
    assert!(
        again.events.is_empty(),
        "what is open is told once: {again:?}"
    );
}

#[test]
fn a_save_in_the_middle_of_a_question_goes_on() {
    let yard = Yard::new();
    let mut table = yard.table();
    fight(&mut table, 3);
    table.submit(&strike("blue", "bruno")).unwrap();
    let path = yard.0.join("open.save");
    table.save(&path).unwrap();
    table.save(&path).unwrap();
    let mut loaded = Tabletop::resume(&path, &yard.mods(), false).unwrap().table;
    assert_eq!(loaded.hash(), table.hash());
    table.submit(&parry("red", "no")).unwrap();
    loaded.submit(&parry("red", "no")).unwrap();
    assert_eq!(loaded.hash(), table.hash());
    let busy = Tabletop::resume(&path, &yard.mods(), false)
        .err()
        .expect("two matches write one file");
    assert!(busy.to_string().contains("F042"), "{busy}");
    assert!(table.save(&path).unwrap_err().to_string().contains("F042"));
    drop(loaded);
    let again = Tabletop::load(&path, &yard.mods(), None).unwrap();
    assert_eq!(
        again.decisions, 8,
        "what was decided after it was loaded is kept"
    );
}

/// What blue does with one of its units.
fn by_blue(action: &str, actor: &str, params: &BTreeMap<String, Plain>) -> WireInput {
    WireInput::Act {
        by: "blue".into(),
        action: action.into(),
        actor: Some(EntityRef::from(actor)),
        params: params.clone(),
    }
}

/// A skirmish in which it is for the first troop of blue to do something.
fn blue_begins() -> Tabletop {
    let start = Start {
        scenario: "dsii/skirmish".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&[folder("../mods/dsii")], &start).unwrap();
    let (by, question) = ("blue".to_string(), "dsii.seq.who_begins".to_string());
    table
        .submit(&WireInput::Answer {
            by,
            question,
            value: Plain::Text("blue".into()),
        })
        .unwrap();
    table
        .submit(&by_blue("dsii.act.activate", "blue-a", &BTreeMap::new()))
        .unwrap();
    table
}

/// What stands beside a target is what comes of the shot: the same odds as of
/// the volley when it is fired.
#[test]
fn the_chance_beside_a_target_is_that_of_firing_at_it() {
    let mut table = blue_begins();
    let firer = EntityRef::from("blue-a-1");
    let mut given = BTreeMap::from([("weapon".to_string(), Plain::Int(1))]);
    let outlook = |given: &BTreeMap<String, Plain>| {
        table
            .outlook("blue", "dsii.fire.declare", Some(&firer), given)
            .unwrap()
            .unwrap()
    };
    assert_eq!(outlook(&given).odds, None, "at nobody yet");
    given.insert("target".into(), Plain::Text("red-a-1".into()));
    let steady = outlook(&given);
    assert_eq!(
        steady.summary.as_deref(),
        Some("blue-a-1 fires its HKP/3 at red-a-1")
    );
    assert!(
        steady.notes.contains(&"20.5 in, medium".to_string()),
        "{steady:?}"
    );
    let dice = "d10 (superior FireCon) against d8 (signature) and d10 (hull down)".to_string();
    assert!(steady.notes.contains(&dice), "{steady:?}");
    given.insert("pace".into(), Plain::Text("hasty".into()));
    assert_ne!(
        outlook(&given).odds,
        steady.odds,
        "in haste with a smaller die"
    );
    given.insert("pace".into(), Plain::Text("steady".into()));
    table
        .submit(&by_blue("dsii.fire.declare", "blue-a-1", &given))
        .unwrap();
    let volley = OddsQuestion {
        input: by_blue("dsii.fire.volley", "blue-a", &BTreeMap::new()),
        by: Some("red-a-1.status".into()),
        answers: BTreeMap::new(),
        others: None,
    };
    let fired = table.odds("referee", &volley).unwrap();
    let chances = |odds: OddsAbout| {
        odds.outcomes
            .into_iter()
            .map(|one| one.odds)
            .collect::<Vec<_>>()
    };
    assert_eq!(chances(steady.odds.unwrap()), chances(fired));
}

/// What a house rule wrote in a table is named behind what it decided, also
/// of a match that was loaded.
#[test]
fn why_is_told_of_what_was_loaded() {
    let yard = Yard::new();
    let sharp = yard.0.join("mods/sharp");
    fs::create_dir_all(sharp.join("data")).unwrap();
    fs::write(
        sharp.join("mod.ron"),
        r#"Mod(id: "sharp", version: "1.0.0", title: "Sharp", engine: "0.1", depends: [("duel", "*")])"#,
    )
    .unwrap();
    fs::write(
        sharp.join("data/sharp.ron"),
        r#"[Amend(table: "duel.blows", amend: [{ "weapon": "sword", "points": 4 }])]"#,
    )
    .unwrap();
    let mut table = yard.start(&Start {
        with: vec!["sharp".into()],
        ..Start::default()
    });
    fight(&mut table, 2);
    let hit = |table: &Tabletop| {
        let events = table.news("referee", 0, 0).unwrap().events;
        let hit = events
            .iter()
            .find(|event| event.text.iter().any(|line| line.contains("hits")))
            .unwrap();
        table.why("referee", hit.number, false).map(|lines| {
            lines
                .into_iter()
                .map(|line| line.text)
                .collect::<Vec<_>>()
                .join("\n")
        })
    };
    let why = hit(&table).unwrap();
    assert!(
        why.contains("table duel.blows[sword], as sharp has it"),
        "{why}"
    );
    let path = yard.0.join("sharp.save");
    table.save(&path).unwrap();
    let loaded = Tabletop::load(&path, &yard.mods(), None).unwrap().table;
    assert_eq!(hit(&loaded).unwrap(), why);
    let resumed = Tabletop::resume(&path, &yard.mods(), false).unwrap().table;
    assert_eq!(hit(&resumed).unwrap(), why);
}
