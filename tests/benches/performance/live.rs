//! Rules that change under a game of five hundred actions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use houserule::embed::{EntityRef, Input, Past, Plain, Start, Tabletop};
use houserule_tests::copy_folder;

use crate::clock::{Bound, Table, median, seconds};

/// Rounds; the 95th of a hundred counts.
const ROUNDS: usize = 100;
/// Decisions of the game: an action and an answer in turns.
const DECISIONS: usize = 500;

pub fn measure(table: &mut Table) {
    let what = "a save until it is live, 500 decisions";
    if !table.wants(what) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("houserule-performance-{}", std::process::id()));
    for (past, how) in [(Past::AsAlways, "as always"), (Past::FromNow, "from now")] {
        let mut times: Vec<f64> = reloads(&folder, past);
        times.sort_by(f64::total_cmp);
        let slow = times[times.len() * 95 / 100];
        let note = format!("{how}, 95th of 100; median {:.1} ms; without waiting for quiet", median(times));
        table.add(what, slow, "ms", Bound::AtMost(100.0), &note);
    }
    let _ = fs::remove_dir_all(&folder);
}

/// Milliseconds from the write of a file to the game going by it.
fn reloads(folder: &Path, past: Past) -> Vec<f64> {
    let _ = fs::remove_dir_all(folder);
    copy_folder(&houserule_tests::folder("duel"), &folder.join("duel")).unwrap();
    let start = Start {
        scenario: "yard".into(),
        journal: Some(folder.join("duel.journal")),
        explain: true,
        ..Start::default()
    };
    let mut game = Tabletop::start(&[folder.join("duel")], &start).unwrap();
    fight(&mut game);
    let file: PathBuf = folder.join("duel/rules/duel.luau");
    let text = fs::read_to_string(&file).unwrap();
    let round = |round: usize| {
        let saved = text.replace("points - 2 else", &format!("points - {} else", round % 3));
        let time = seconds(|| {
            fs::write(&file, saved).unwrap();
            let now = game.mods_now();
            if game.is_outdated(&now) {
                game.reload_to(&now, past, "referee").unwrap();
            }
        });
        time * 1e3
    };
    (0..ROUNDS).map(round).collect()
}

fn fight(game: &mut Tabletop) {
    for blow in 0..DECISIONS / 2 {
        let (by, who, foe) = if blow % 2 == 0 { ("red", "rufus", "blue") } else { ("blue", "bruno", "red") };
        let strike = Input::Act {
            by: by.into(),
            action: "duel.strike".into(),
            actor: Some(EntityRef::from(who)),
            params: BTreeMap::new(),
        };
        game.submit(&strike).unwrap();
        let answer = Plain::Bool(blow % 3 == 0);
        let parry = Input::Answer { by: foe.into(), question: "duel.parry".into(), value: answer };
        game.submit(&parry).unwrap();
    }
}
