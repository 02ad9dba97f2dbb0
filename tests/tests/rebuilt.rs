//! Components that are built again while a game is on: swapped as a file of
//! Luau is, or refused whole.
#![cfg(feature = "wasm")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::{EntityRef, Input, Past, Plain, Start, Tabletop, Trouble};
use houserule_tests::{copy_folder, folder};

/// A folder with the conformance mod in it, that is removed at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-rebuilt-{}-{n}", std::process::id()));
        copy_folder(&folder("conformance"), &path.join("both")).unwrap();
        Place(path)
    }

    fn start(&self) -> Tabletop {
        let start = Start { scenario: "field".into(), ..Start::default() };
        Tabletop::start(&[self.0.join("both")], &start).unwrap()
    }

    fn component(&self) -> PathBuf {
        self.0.join("both/rules/both.wasm")
    }

    /// As if the component had been built from a source with another text.
    fn rebuild(&self, from: &str, to: &str) {
        assert_eq!(from.len(), to.len());
        let mut bytes = fs::read(self.component()).unwrap();
        let places: Vec<usize> =
            (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
        assert!(!places.is_empty(), "the component has no `{from}`");
        for at in places {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
        fs::write(self.component(), bytes).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn strike() -> Input {
    Input::Act {
        by: "blue".into(),
        action: "both.play.strike".into(),
        actor: Some(EntityRef::from("blue-1")),
        params: BTreeMap::from([
            ("target".to_string(), Plain::Text("red-1".into())),
            ("force".to_string(), Plain::Int(3)),
        ]),
    }
}

/// Why blue may not strike a second time.
fn refusal(game: &mut Tabletop) -> String {
    match game.submit(&strike()) {
        Err(Trouble::Refusal { reason, .. }) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was allowed"),
    }
}

/// A game after a strike, its answer and the window that follows.
fn struck(place: &Place) -> Tabletop {
    let mut game = place.start();
    game.submit(&strike()).unwrap();
    let answer = Plain::Bool(true);
    let question = "both.play.give_way".to_string();
    game.submit(&Input::Answer { by: "red".into(), question, value: answer }).unwrap();
    game.submit(&Input::Decline { by: "red".into(), standing: false }).unwrap();
    game
}

#[test]
fn a_rebuilt_component_goes_live_in_a_running_game() {
    for past in [Past::FromNow, Past::AsAlways] {
        let place = Place::new();
        let mut game = struck(&place);
        assert!(refusal(&mut game).contains("it has acted"));
        place.rebuild("it has acted", "it is tired!");
        let now = game.mods_now();
        assert!(game.is_outdated(&now));
        game.reload_to(&now, past, "referee").unwrap();
        assert!(refusal(&mut game).contains("it is tired!"));
        assert!(!game.is_outdated(&game.mods_now()));
    }
}

#[test]
fn a_component_that_is_cut_off_leaves_the_old_rules_running() {
    let place = Place::new();
    let mut game = struck(&place);
    let before = game.hash();
    let bytes = fs::read(place.component()).unwrap();
    fs::write(place.component(), &bytes[..bytes.len() / 2]).unwrap();
    let now = game.mods_now();
    match game.reload_to(&now, Past::FromNow, "referee") {
        Err(Trouble::Faults { faults, .. }) => {
            let text = faults.iter().map(|fault| fault.to_string()).collect::<String>();
            assert!(text.contains("F051") && text.contains("both.wasm"), "{text}");
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    }
    assert_eq!(game.hash(), before);
    assert!(refusal(&mut game).contains("it has acted"));
}
