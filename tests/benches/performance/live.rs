//! Rules that change under a game of five hundred actions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use houserule::embed::{EntityRef, Others, Plain, ReloadMode, Start, Tabletop, WireInput};
use houserule_tests::{RAID_SAVES, SAVED_FILE, copy_folder};

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
    for (past, how) in [
        (ReloadMode::AsAlways, "as always"),
        (ReloadMode::FromNow, "from now"),
    ] {
        let mut times: Vec<f64> = reloads(&folder, past);
        times.sort_by(f64::total_cmp);
        let slow = times[times.len() * 95 / 100];
        let note = format!(
            "{how}, 95th of 100; median {:.1} ms; without waiting for quiet",
            median(times)
        );
        table.add(what, slow, "ms", Bound::AtMost(100.0), &note);
    }
    raid(table, &folder);
    first(table, &folder);
    let _ = fs::remove_dir_all(&folder);
}

/// Rounds with the raid.
const RAID_ROUNDS: usize = 40;

/// The same in the raid, whose rules are many: by what the save is.
fn raid(table: &mut Table, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    copy_folder(
        &houserule_tests::folder("../mods/dsii"),
        &folder.join("dsii"),
    )
    .unwrap();
    let start = Start {
        scenario: "border-raid".into(),
        others: Others::Scenario,
        ..Start::default()
    };
    let mut game = Tabletop::start(&[folder.join("dsii")], &start).unwrap();
    game.expect_reloads().unwrap();
    while game.bot_turn().unwrap().is_some() {}
    let count = game.standing().decisions;
    for (sort, from, to) in RAID_SAVES {
        for (past, how) in [
            (ReloadMode::AsAlways, "as always"),
            (ReloadMode::FromNow, "from now"),
        ] {
            let (mut times, mut made) = raid_reloads(&mut game, folder, past, from, to);
            times.sort_by(f64::total_cmp);
            made.sort_unstable();
            let slow = times[times.len() * 95 / 100];
            let note = format!(
                "{how}; median {:.0} ms; {} of {count} made again in the middle, at most {}",
                median(times),
                made[made.len() / 2],
                made.last().unwrap(),
            );
            table.add(
                &format!("the same in the raid: {sort}"),
                slow,
                "ms",
                Bound::AtMost(100.0),
                &note,
            );
        }
        // Back to how it was, also the past.
        game.reload(ReloadMode::AsAlways, "referee").unwrap();
    }
}

/// Starts of which the first save counts.
const STARTS: usize = 9;

/// The first save after a start, and after the raid was loaded from its journal,
/// where nobody has done anything in between.
fn first(table: &mut Table, folder: &Path) {
    let journal = folder.join("raid.journal");
    let mods = [folder.join("dsii")];
    let start = Start {
        scenario: "border-raid".into(),
        others: Others::Scenario,
        ..Start::default()
    };
    let mut played = Tabletop::start(&mods, &start).unwrap();
    while played.bot_turn().unwrap().is_some() {}
    played.save(&journal).unwrap();
    let begun = || {
        let mut game = Tabletop::start(&mods, &start).unwrap();
        game.expect_reloads().unwrap();
        game
    };
    let loaded = || {
        let loaded = Tabletop::load_expecting_reloads(&journal, &mods, None);
        loaded.unwrap().table
    };
    let games: [(&str, &dyn Fn() -> Tabletop); 2] = [("a start", &begun), ("a load", &loaded)];
    for (after, game) in games {
        for (sort, from, to) in RAID_SAVES {
            let (mut times, mut made) = (Vec::new(), Vec::new());
            for _ in 0..STARTS {
                let mut game = game();
                game.warm_up();
                let (time, again) = first_reload(&mut game, folder, from, to);
                times.push(time);
                made.push(again);
            }
            made.sort_unstable();
            table.add(
                &format!("the first save after {after} of the raid: {sort}"),
                median(times),
                "ms",
                Bound::AtMost(100.0),
                &format!("middle of {STARTS}; {} made again", made[STARTS / 2]),
            );
        }
    }
}

/// Milliseconds of one reload, and how many decisions it made again.
fn first_reload(game: &mut Tabletop, folder: &Path, from: &str, to: &str) -> (f64, usize) {
    let file = folder.join(SAVED_FILE.trim_start_matches("mods/"));
    let text = fs::read_to_string(&file).unwrap();
    let mut made = 0;
    let time = seconds(|| {
        fs::write(&file, text.replacen(from, &to.replace('@', "1"), 1)).unwrap();
        let now = game.mods_now();
        made = game
            .reload_to(&now, ReloadMode::AsAlways, "referee")
            .unwrap()
            .made_again;
    });
    fs::write(&file, text).unwrap();
    (time * 1e3, made)
}

/// Milliseconds of each reload, and how many decisions it made again.
fn raid_reloads(
    game: &mut Tabletop,
    folder: &Path,
    past: ReloadMode,
    from: &str,
    to: &str,
) -> (Vec<f64>, Vec<usize>) {
    let file = folder.join(SAVED_FILE.trim_start_matches("mods/"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    let mut made = Vec::new();
    let times = (1..=RAID_ROUNDS).map(|round| {
        let saved = text.replacen(from, &to.replace('@', &round.to_string()), 1);
        let time = seconds(|| {
            fs::write(&file, saved).unwrap();
            let now = game.mods_now();
            if game.is_outdated(&now) {
                made.push(game.reload_to(&now, past, "referee").unwrap().made_again);
            }
        });
        // As the program does once the player was told.
        game.tidy();
        time * 1e3
    });
    let times = times.collect();
    fs::write(&file, text).unwrap();
    game.reload(past, "referee").unwrap();
    (times, made)
}

/// Milliseconds from the write of a file to the game going by it.
fn reloads(folder: &Path, past: ReloadMode) -> Vec<f64> {
    let _ = fs::remove_dir_all(folder);
    copy_folder(&houserule_tests::folder("duel"), &folder.join("duel")).unwrap();
    let start = Start {
        scenario: "yard".into(),
        journal: Some(folder.join("duel.journal")),
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
        let (by, who, foe) = if blow % 2 == 0 {
            ("red", "rufus", "blue")
        } else {
            ("blue", "bruno", "red")
        };
        let strike = WireInput::Act {
            by: by.into(),
            action: "duel.core.strike".into(),
            actor: Some(EntityRef::from(who)),
            params: BTreeMap::new(),
        };
        game.submit(&strike).unwrap();
        let answer = Plain::Bool(blow % 3 == 0);
        let parry = WireInput::Answer {
            by: foe.into(),
            question: "duel.parry".into(),
            value: answer,
        };
        game.submit(&parry).unwrap();
    }
}
