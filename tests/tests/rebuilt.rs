//! Components that are built again while a game is on: taken over as a file of
//! Luau is, or not at all.
#![cfg(feature = "wasm")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::{EntityRef, Plain, Prompt, ReloadMode, Start, Tabletop, Trouble, WireInput};
use houserule_tests::raw::blade;
use houserule_tests::{copy_folder, folder};

/// The build in which every blow costs so much.
fn costing(points: i64) -> Vec<u8> {
    blade(Some(points))
}

/// A folder with the duel and the component in it, removed at the end.
struct Yard(PathBuf);

impl Yard {
    fn new(component: &[u8]) -> Yard {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("houserule-rebuilt-{}-{n}", std::process::id()));
        for name in ["duel", "blade"] {
            copy_folder(&folder(name), &path.join("mods").join(name)).unwrap();
        }
        fs::create_dir_all(path.join("mods/blade/rules")).unwrap();
        let yard = Yard(path);
        yard.write(component);
        yard
    }

    fn write(&self, component: &[u8]) {
        fs::write(self.0.join("mods/blade/rules/blade.wasm"), component).unwrap();
    }

    fn mods(&self) -> [PathBuf; 1] {
        [self.0.join("mods")]
    }

    fn table(&self) -> Tabletop {
        let journal = Some(self.0.join("game.journal"));
        self.start(&Start {
            journal,
            ..Start::default()
        })
    }

    fn start(&self, start: &Start) -> Tabletop {
        let start = Start {
            scenario: "yard".into(),
            with: vec!["blade".into()],
            ..start.clone()
        };
        Tabletop::start(&self.mods(), &start).unwrap()
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn strike(table: &mut Tabletop, by: &str, who: &str) -> Result<(), Trouble> {
    let (by, action, actor) = (
        by.to_string(),
        "duel.core.strike".to_string(),
        Some(EntityRef::from(who)),
    );
    table
        .submit(&WireInput::Act {
            by,
            action,
            actor,
            params: BTreeMap::new(),
        })
        .map(|_| ())
}

fn parry(table: &mut Tabletop, by: &str) -> Result<(), Trouble> {
    let (by, question, value) = (by.to_string(), "duel.parry".to_string(), Plain::Bool(false));
    table
        .submit(&WireInput::Answer {
            by,
            question,
            value,
        })
        .map(|_| ())
}

/// A blow of each.
fn fight(table: &mut Tabletop) {
    for (by, who, foe) in [("red", "rufus", "blue"), ("blue", "bruno", "red")] {
        strike(table, by, who).unwrap();
        parry(table, foe).unwrap();
    }
}

/// What rufus and bruno can take still.
fn left(table: &Tabletop) -> [i64; 2] {
    let view = table.view("referee").unwrap();
    ["rufus", "bruno"].map(|who| {
        let seen = view.entities.iter().find(|seen| seen.label == who).unwrap();
        match seen.attributes["hp"] {
            Plain::Int(hp) => hp,
            ref other => panic!("{other:?}"),
        }
    })
}

#[test]
fn a_rebuilt_component_holds_from_now_on() {
    let yard = Yard::new(&costing(3));
    let mut table = yard.table();
    fight(&mut table);
    assert_eq!(left(&table), [57, 57]);
    assert!(!table.is_outdated(&table.mods_now()));
    yard.write(&costing(9));
    let now = table.mods_now();
    assert!(table.is_outdated(&now));
    let reloaded = table
        .reload_to(&now, ReloadMode::FromNow, "referee")
        .unwrap();
    assert_eq!(reloaded.changes.mods, ["blade"]);
    assert_eq!(
        reloaded.changes.lines(),
        ["changed component blade/rules/blade.wasm"]
    );
    assert_eq!(left(&table), [57, 57], "the past stays as it was");
    fight(&mut table);
    assert_eq!(left(&table), [48, 48]);
    table.undo("referee", 4).unwrap();
    fight(&mut table);
    assert_eq!(left(&table), [48, 48]);
    let loaded = Tabletop::load(&yard.0.join("game.journal"), &yard.mods(), None)
        .unwrap()
        .table;
    assert_eq!(loaded.hash(), table.hash(), "the journal holds both builds");
}

#[test]
fn a_rebuilt_component_has_always_been_so() {
    let yard = Yard::new(&costing(3));
    let mut table = yard.table();
    fight(&mut table);
    let before = table.hash();
    yard.write(&costing(9));
    let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(reloaded.difference.unwrap().decision, 2);
    assert_eq!(left(&table), [51, 51], "the game so far was played again");
    let mut fresh = yard.start(&Start::default());
    fight(&mut fresh);
    assert_eq!(table.hash(), fresh.hash());
    yard.write(&costing(3));
    assert!(
        table
            .reload(ReloadMode::AsAlways, "referee")
            .unwrap()
            .difference
            .is_some()
    );
    assert_eq!(table.hash(), before, "the first build, and the first game");
}

#[test]
fn a_component_is_taken_over_in_an_open_question() {
    let yard = Yard::new(&costing(3));
    let mut table = yard.table();
    strike(&mut table, "red", "rufus").unwrap();
    yard.write(&costing(20));
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert!(
        matches!(table.prompt("blue").unwrap(), Prompt::Answer { .. }),
        "it is still open"
    );
    parry(&mut table, "blue").unwrap();
    assert_eq!(left(&table), [60, 40]);
}

/// The code and the file of the fault with which a reload is refused.
fn refused(table: &mut Tabletop, past: ReloadMode) -> (String, String) {
    match table.reload(past, "referee") {
        Err(Trouble::Faults { faults, .. }) => (
            faults[0].code.to_string(),
            faults[0].file.clone().unwrap_or_default(),
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_broken_component_leaves_the_old_rules() {
    let good = costing(3);
    let yard = Yard::new(&good);
    let mut table = yard.table();
    fight(&mut table);
    let before = table.hash();
    let file = "rules/blade.wasm".to_string();
    for broken in [&good[..good.len() / 2], b"text", b"\0asm\x01\0\0\0"] {
        yard.write(broken);
        for past in [ReloadMode::AsAlways, ReloadMode::FromNow] {
            assert_eq!(refused(&mut table, past), ("F051".into(), file.clone()));
            assert_eq!(table.hash(), before);
        }
        assert!(
            table.is_outdated(&table.mods_now()),
            "it waits for a better one"
        );
    }
    fight(&mut table);
    assert_eq!(left(&table), [54, 54], "by the old rules");
    table.undo("referee", 4).unwrap();
    // One that can be loaded, and traps when it is called.
    yard.write(&blade(None));
    assert_eq!(refused(&mut table, ReloadMode::AsAlways).0, "F029");
    assert_eq!(table.hash(), before);
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    strike(&mut table, "red", "rufus").unwrap();
    assert!(matches!(
        parry(&mut table, "blue"),
        Err(Trouble::Faults { .. })
    ));
    assert_eq!(table.hash(), before, "nothing of the action remains");
    yard.write(&costing(5));
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    strike(&mut table, "red", "rufus").unwrap();
    parry(&mut table, "blue").unwrap();
    assert_eq!(left(&table), [57, 52], "and the next build goes on");
}
