//! Components that are built again while a game is on: how soon they are live.

use std::fs;
use std::path::{Path, PathBuf};

use houserule::embed::{Others, ReloadMode, Start, Tabletop};
use houserule::wasm;
use houserule_tests::{copy_folder, folder};

use crate::clock::{Bound, Table, median, seconds};
use crate::components::{check_alone, told_by};

/// How often each component is built again.
const ROUNDS: u8 = 9;

/// Decisions of a battle before anything of it is built again.
const PLAYED: usize = 30;

pub fn measure(table: &mut Table) {
    let here = std::env::temp_dir().join(format!(
        "houserule-performance-built-{}",
        std::process::id()
    ));
    let _ = fs::remove_dir_all(&here);
    // As the program does: before anything is loaded.
    let kept = here.join("kept");
    wasm::keep_compiled(&kept);
    compiled_in_the_game(table, &here);
    compiled_by_the_build(table, &here, &kept);
    let _ = fs::remove_dir_all(&here);
}

/// A component whose code nobody has made before it stands in the mod's folder: one
/// that another tool than `houserule build` has put there.
fn compiled_in_the_game(table: &mut Table, here: &Path) {
    let what = "a component of another tool until it is live";
    if !table.wants(what) {
        return;
    }
    let mods = here.join("both");
    copy_folder(&folder("conformance"), &mods).unwrap();
    let start = Start {
        scenario: "field".into(),
        ..Start::default()
    };
    let mut game = Tabletop::start(std::slice::from_ref(&mods), &start).unwrap();
    let component = Component::of(&mods, "both");
    let times = (0..ROUNDS).map(|round| {
        let bytes = component.built_again(round);
        component.until_live(&mut game, &bytes)
    });
    let time = median(times.collect());
    let note = format!(
        "{} kB, all of it compiled again; without waiting for quiet",
        component.bytes.len() / 1000
    );
    table.add(what, time, "ms", Bound::AtMost(300.0), &note);
}

/// Components of a battle that `houserule build` has made: it checks them before it puts
/// them there, and so their code is kept by then.
fn compiled_by_the_build(table: &mut Table, here: &Path, kept: &Path) {
    let what = |id: &str| format!("`{id}` as `houserule build` leaves it until it is live");
    if !["tcsbase", "tcs"].iter().any(|id| table.wants(&what(id))) {
        return;
    }
    let mods = ["tcsbase", "tcs"].map(|id| here.join(id));
    for (id, to) in ["tcsbase", "tcs"].iter().zip(&mods) {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods");
        copy_folder(&from.join(id), to).unwrap();
    }
    let start = Start {
        scenario: "bridgehead".into(),
        others: Others::Scenario,
        ..Start::default()
    };
    let mut game = Tabletop::start(&mods, &start).unwrap();
    game.expect_reloads().unwrap();
    for _ in 0..PLAYED {
        assert!(game.bot_turn().unwrap().is_some());
    }
    game.warm_up();
    for (id, folder) in ["tcsbase", "tcs"].into_iter().zip(&mods) {
        let component = Component::of(folder, id);
        let (mut live, mut compiled) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let bytes = component.built_again(round);
            let built = here.join("built.wasm");
            fs::write(&built, &bytes).unwrap();
            let args = ["--check", id].map(AsRef::as_ref);
            let paths = [kept.as_os_str(), built.as_os_str()];
            compiled.push(told_by(&[args, paths].concat()));
            live.push(component.until_live(&mut game, &bytes));
            game.tidy();
        }
        let note = format!(
            "{} kB in a battle of {PLAYED} decisions; the build compiled it in {:.0} ms",
            component.bytes.len() / 1000,
            median(compiled)
        );
        table.add(&what(id), median(live), "ms", Bound::AtMost(200.0), &note);
    }
}

/// Checks a component as `houserule build` does, and prints how many milliseconds that took.
pub fn check_built(id: &str, kept: &Path, built: &Path) {
    check_alone(kept, id, &fs::read(built).unwrap());
}

/// A component of a mod, and where it says in which file it was written.
struct Component {
    file: PathBuf,
    bytes: Vec<u8>,
    letter: usize,
}

impl Component {
    fn of(folder: &Path, id: &str) -> Component {
        let file = folder.join(format!("rules/{id}.wasm"));
        let bytes = fs::read(&file).unwrap();
        // The name of a source, which the module has for panics: with another letter in
        // it the module is another, and all of it is compiled anew.
        let name = b"src/";
        let is_own = |at: &[u8]| at.starts_with(name) && at[name.len()].is_ascii_lowercase();
        let letter = bytes.windows(name.len() + 1).position(is_own).unwrap();
        Component {
            file,
            bytes,
            letter,
        }
    }

    /// What it may come out as when it is built again.
    fn built_again(&self, round: u8) -> Vec<u8> {
        let mut changed = self.bytes.clone();
        changed[self.letter] = b'0' + round;
        changed
    }

    /// Milliseconds from the write until a game goes by it.
    fn until_live(&self, game: &mut Tabletop, bytes: &[u8]) -> f64 {
        let time = seconds(|| {
            fs::write(&self.file, bytes).unwrap();
            let now = game.mods_now();
            assert!(game.is_outdated(&now));
            game.reload_to(&now, ReloadMode::FromNow, "referee")
                .unwrap();
        });
        time * 1e3
    }
}
