//! What the host saves, and that it loads it again, is the host's affair: two
//! games that part in a secret decision give the others the same bytes before
//! it, while it is done, and after.

use serde_json::json;

use crate::reloads::{Leak, Room, disguise, mods_of};

/// What blue gets of a game that the host saves and loads in the middle of it.
fn received(guise: &str) -> (Vec<String>, Vec<u8>) {
    let mods = mods_of(&format!("saves-{guise}"));
    let path = mods.join("a.save");
    let mut room = Room::open(&mods, Leak::None);
    room.decide(room.red, disguise("red", "rufus", guise));
    room.ask_everything();
    for seat in [room.blue, room.red] {
        for method in ["save", "load", "resume"] {
            let reply = room.send(seat, method, json!({ "path": path }));
            assert!(
                reply["error"].is_object(),
                "a side was granted {method}: {reply}"
            );
        }
    }
    assert!(!path.exists(), "a side has saved the game");
    let saved = room.send(room.host, "save", json!({ "path": path }));
    assert!(saved["error"].is_null(), "{saved}");
    let bytes = std::fs::read(&path).unwrap();
    room.decide(room.blue, disguise("blue", "bruno", "guard"));
    room.ask_everything();
    let loaded = room.send(room.host, "load", json!({ "path": path }));
    assert!(loaded["error"].is_null(), "{loaded}");
    room.ask_everything();
    room.decide(room.blue, disguise("blue", "bella", "guard"));
    room.ask_everything();
    std::fs::remove_dir_all(&mods).unwrap();
    (room.got, bytes)
}

#[test]
fn what_the_host_saves_and_loads_is_told_to_nobody_else() {
    let [(one, its_save), (other, other_save)] = ["spy", "decoy"].map(received);
    assert_ne!(its_save, other_save, "the two games are one");
    assert_eq!(one, other);
}
