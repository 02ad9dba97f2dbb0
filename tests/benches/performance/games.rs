//! Whole games and tests of the mods in this repository.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use houserule::play::{Bot, BotKind, Match};
use houserule::testing::{Filter, TestKind, run_suite};
use houserule::workshop::{Overrides, Workshop};
use kernel::value::Side;

use crate::clock::{Bound, Table, median, seconds};

const RAID: &str = "border-raid";

pub fn measure(table: &mut Table) {
    let load = "load and compose the rules of the raid";
    if table.wants(load) {
        let workshop = workshop();
        let found = workshop.scenario(RAID).unwrap();
        let times =
            (0..9).map(|_| seconds(|| workshop.prepare(&found, &Overrides::default()).unwrap()));
        table.add(
            load,
            median(times.collect()) * 1e3,
            "ms",
            Bound::None,
            "once a process, not in a game",
        );
    }
    if table.wants("scenario test") {
        scenario_tests(table);
    }
    if table.wants("raid") {
        raid(table);
    }
}

fn workshop() -> Workshop {
    let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods");
    let (workshop, faults) = Workshop::open(&[mods]);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

/// A raid between greedy bots, to its end.
fn play_raid(workshop: &Workshop, seed: u64) -> (f64, usize) {
    let found = workshop.scenario(RAID).unwrap();
    let overrides = Overrides {
        seed: Some(seed),
        ..Overrides::default()
    };
    let (chosen, setup) = workshop.prepare(&found, &overrides).unwrap();
    let mut inputs = 0;
    let time = seconds(|| {
        let mut game = Match::start(chosen.rulebook, setup).unwrap();
        let mut bots: BTreeMap<Side, Bot> = (0..2)
            .map(|side| (Side(side), Bot::new(BotKind::Greedy, seed, Side(side))))
            .collect();
        game.play_bots(&mut bots, |_| false).unwrap();
        inputs = game.inputs().len();
        game
    });
    (time, inputs)
}

fn raid(table: &mut Table) {
    let workshop = workshop();
    let games: Vec<(f64, usize)> = (1..=5).map(|seed| play_raid(&workshop, seed)).collect();
    let inputs = games.iter().map(|(_, inputs)| inputs).sum::<usize>() / games.len();
    let time = median(games.iter().map(|(time, _)| *time * 1e3).collect());
    let note = format!("greedy bots, {inputs} inputs a game");
    table.add("the raid, a game", time, "ms", Bound::AtMost(300.0), &note);
    let output = Command::new(std::env::current_exe().unwrap())
        .arg("--raid")
        .output()
        .unwrap();
    let kilobytes: f64 = String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let note = "most ever resident, in a process of its own";
    table.add(
        "the raid, memory",
        kilobytes / 1024.0,
        "MB",
        Bound::AtMost(80.0),
        note,
    );
}

/// Plays one raid and prints the most that this process ever had resident,
/// in kB; 0 where the system does not tell.
pub fn raid_alone() {
    play_raid(&workshop(), 1996);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or("0 kB");
    println!("{}", line.trim().trim_end_matches("kB").trim());
}

/// The time from the end of one case to the end of the next, in one thread,
/// over all cases of all mods; what loads rules in between is in it.
fn scenario_tests(table: &mut Table) {
    let workshop = workshop();
    let last = Mutex::new(RefCell::new((Instant::now(), Vec::new())));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(|| {
        run_suite(&workshop, &Filter::default(), None, &|result| {
            let state = last.lock().unwrap();
            let mut state = state.borrow_mut();
            let time = state.0.elapsed().as_secs_f64() * 1e3;
            state.0 = Instant::now();
            if result.sort == TestKind::Case {
                state.1.push(time);
            }
        })
    });
    let times = last.into_inner().unwrap().into_inner().1;
    let note = format!("{} cases of all mods", times.len());
    table.add(
        "scenario test, median",
        median(times),
        "ms",
        Bound::AtMost(2.0),
        &note,
    );
}
