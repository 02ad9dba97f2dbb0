//! Snapshots and submitted actions.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use houserule::play::Match;
use houserule::record::{Durability, ENGINE, Journal, JournalHeader, content_hash};
use houserule::rulebook::Rulebook;
use kernel::decision::Input;
use kernel::value::{Name, Side, Value};

use crate::clock::{Bound, Table, median, nanoseconds, seconds};
use crate::tiny;

const ACTIONS: u32 = 5_000;

pub fn measure(table: &mut Table) {
    let rulebook = tiny::rulebook();
    if table.wants("snapshot of 100 units") {
        let game = Match::start(rulebook.clone(), tiny::setup(&rulebook, 100)).unwrap();
        let time = nanoseconds(1000, || {
            for _ in 0..1000 {
                black_box(game.game().clone());
            }
        });
        table.add(
            "snapshot of 100 units",
            time / 1000.0,
            "us",
            Bound::AtMost(5.0),
            "a clone of the game",
        );
    }
    let kinds = [
        (
            "actions a second, tiny ruleset",
            1,
            "tiny.play.count",
            50_000.0,
        ),
        (
            "actions a second, 100 units and a D6 each",
            100,
            "tiny.play.roll",
            20_000.0,
        ),
    ];
    for (what, units, action, least) in kinds {
        if table.wants(what) {
            let rounds = (0..5).map(|_| actions(&rulebook, units, action)).collect();
            let note = "checked, journalled in a file, hashed";
            table.add(what, median(rounds), "/s", Bound::AtLeast(least), note);
        }
    }
}

/// Actions a second of a game.
fn actions(rulebook: &Rc<Rulebook>, units: u32, action: &str) -> f64 {
    let mut game = Match::start(rulebook.clone(), tiny::setup(rulebook, units)).unwrap();
    let file = journal_file();
    let _ = std::fs::remove_file(&file);
    game.keep(Journal::create(&file, &header(), Durability::Process).unwrap());
    let action = Name::from(action);
    let is_of_units = units > 1;
    let inputs: Vec<Input> = (0..ACTIONS)
        .map(|i| {
            let unit = game
                .game()
                .world()
                .find(&format!("unit-{}", i % units + 1))
                .unwrap();
            Input::Act {
                by: Side(0),
                action: action.clone(),
                actor: is_of_units.then_some(unit),
                params: Value::Map(Arc::default()),
            }
        })
        .collect();
    let time = seconds(|| {
        for input in &inputs {
            game.submit(input).unwrap();
            black_box(game.hash());
        }
    });
    drop(game);
    let _ = std::fs::remove_file(&file);
    f64::from(ACTIONS) / time
}

fn journal_file() -> PathBuf {
    std::env::temp_dir().join(format!(
        "houserule-performance-{}.journal",
        std::process::id()
    ))
}

fn header() -> JournalHeader {
    JournalHeader {
        selector: "tiny".into(),
        scenario: "tiny".into(),
        scenario_hash: content_hash(&BTreeMap::new()),
        seed: 1996,
        turns: None,
        mods: Vec::new(),
        engine: ENGINE.into(),
        bots: Vec::new(),
        is_agreed: false,
    }
}
