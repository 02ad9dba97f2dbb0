//! A reload sets decisions aside that no longer fit. What they were, and that
//! there were any, is for the host: two games that part in such a decision give
//! the others the same bytes, before, during and after.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Start, Tabletop};
use houserule::workshop::Workshop;
use houserule_tests::{copy_folder, folder};
use serde_json::{Value as Json, json};

/// How the mods are reloaded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum By {
    /// The host asks for it.
    Request,
    /// The files are watched.
    Watch,
}

/// What an engine that leaks does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Leak {
    /// Nothing.
    None,
    /// It tells everybody of a reload what it tells the host.
    AsTheHost,
}

/// A game whose mod can be changed in its folder.
pub struct Room {
    server: Server,
    /// Who runs the game.
    pub host: ConnectionId,
    /// Who must not learn what red does.
    pub blue: ConnectionId,
    /// Who decides in secret.
    pub red: ConnectionId,
    leak: Leak,
    /// Everything that blue got.
    pub got: Vec<String>,
}

impl Room {
    /// The room, with blue and red in it.
    pub fn open(mods: &Path, leak: Leak) -> Room {
        let folders: Vec<PathBuf> = vec![mods.to_path_buf()];
        let (workshop, faults) = Workshop::open(&folders);
        assert!(faults.is_empty(), "{faults:?}");
        let start = Start {
            scenario: "veil/town".into(),
            seed: Some(5),
            ..Start::default()
        };
        let table = Tabletop::start_in(Rc::new(workshop), &folders, &start).unwrap();
        let mut server = Server::new(folders);
        server.serve(table);
        let host = server.connect_host();
        let (blue, red) = (server.connect(), server.connect());
        let mut room = Room {
            server,
            host,
            blue,
            red,
            leak,
            got: Vec::new(),
        };
        for (connection, side) in [(blue, "blue"), (red, "red")] {
            let given = room.send(
                host,
                "give_seat",
                json!({ "seat": "sides", "sides": [side] }),
            );
            room.send(
                connection,
                "hello",
                json!({ "token": given["result"]["token"] }),
            );
            room.send(connection, "subscribe", json!({}));
        }
        room.got.clear();
        room
    }

    /// Sends a line, and notes what blue got. The reply, and what the host got.
    pub fn send(&mut self, from: ConnectionId, method: &str, params: Json) -> Json {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.server.line(from, line.to_string().as_bytes());
        let reply = self.drain(from);
        reply
            .last()
            .map_or(Json::Null, |line| serde_json::from_str(line).unwrap())
    }

    fn drain(&mut self, from: ConnectionId) -> Vec<String> {
        let hosts = self.server.drain(self.host);
        let blues = self.server.drain(self.blue);
        let reds = self.server.drain(self.red);
        for line in &blues {
            let is_reload = line.contains("\"method\":\"reloaded\"");
            let of_host = hosts.iter().find(|line| line.contains("made_again"));
            match (self.leak, of_host) {
                (Leak::AsTheHost, Some(whole)) if is_reload => self.got.push(whole.clone()),
                _ => self.got.push(line.clone()),
            }
        }
        match () {
            () if from == self.host => hosts,
            () if from == self.blue => blues,
            () => reds,
        }
    }

    /// A decision, which must be taken.
    pub fn decide(&mut self, from: ConnectionId, input: Json) {
        let reply = self.send(from, "submit", json!({ "input": input }));
        assert!(reply["result"].is_object(), "{reply}");
    }

    /// Goes on by the files as they are now: what the host is told of it.
    fn reloaded(&mut self, past: &str, by: By) -> Json {
        if by == By::Request {
            return self.send(self.host, "reload", json!({ "past": past }))["result"].take();
        }
        self.server.files_changed();
        let lines = self.drain(self.host);
        let whole = lines
            .iter()
            .find(|line| line.contains("made_again"))
            .unwrap();
        serde_json::from_str::<Json>(whole).unwrap()["params"].take()
    }

    /// All that blue can ask, allowed or not.
    pub fn ask_everything(&mut self) {
        for method in [
            "about",
            "prompt",
            "legal",
            "view",
            "standing",
            "decisions",
            "news",
        ] {
            self.send(self.blue, method, json!({}));
        }
        for past in ["as_always", "from_now"] {
            let reply = self.send(self.blue, "reload", json!({ "past": past }));
            assert!(
                reply["error"].is_object(),
                "a side has reloaded the mods: {reply}"
            );
        }
        for method in ["redo", "hash"] {
            let reply = self.send(self.blue, method, json!({}));
            assert!(
                reply["error"].is_object(),
                "a side was granted {method}: {reply}"
            );
        }
        self.send(self.blue, "why", json!({ "event": 1 }));
    }
}

/// A folder with the small game alone in it.
pub fn mods_of(name: &str) -> PathBuf {
    let mods = std::env::temp_dir().join(format!("houserule-law-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&mods);
    copy_folder(&folder("veil"), &mods.join("veil")).unwrap();
    mods
}

/// A side disguises an agent of its own.
pub fn disguise(side: &str, actor: &str, guise: &str) -> Json {
    let params = json!({ "guise": guise });
    json!({ "input": "act", "by": side, "action": "veil.core.disguise", "actor": actor, "params": params })
}

/// The rules with one guise alone that can be put on.
fn without_other_guises(text: &str) -> String {
    let all = "_agent: Agent, _params: any): Domain\n    return of_words(GUISES)";
    text.replace(all, &all.replace("(GUISES)", " { \"guard\" }"))
}

/// What blue gets of a game in which red puts on a guise that a later edition
/// of the rules does not have.
fn received(guise: &str, past: &str, by: By, leak: Leak) -> (Vec<String>, Json) {
    let mods = mods_of(&format!("{guise}-{past}-{by:?}-{leak:?}"));
    let mut room = Room::open(&mods, leak);
    if by == By::Watch {
        room.send(room.host, "watch", json!({ "on": true, "past": past }));
    }
    room.decide(room.blue, disguise("blue", "bruno", "guard"));
    room.decide(room.red, disguise("red", "rufus", guise));
    room.ask_everything();
    let rules = mods.join("veil/rules/veil.luau");
    let text = std::fs::read_to_string(&rules).unwrap();
    let edited = without_other_guises(&text);
    assert_ne!(edited, text);
    std::fs::write(&rules, edited).unwrap();
    let reloaded = room.reloaded(past, by);
    room.ask_everything();
    room.send(room.host, "redo", json!({}));
    room.decide(room.blue, disguise("blue", "bella", "guard"));
    room.ask_everything();
    std::fs::remove_dir_all(&mods).unwrap();
    (room.got, reloaded)
}

#[test]
fn what_a_reload_sets_aside_is_told_to_nobody_else() {
    for by in [By::Request, By::Watch] {
        for past in ["as_always", "from_now"] {
            let (one, reloaded) = received("spy", past, by, Leak::None);
            let (other, _) = received("decoy", past, by, Leak::None);
            assert_eq!(one, other, "{by:?} {past}");
            let is_aside = reloaded["set_aside"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("spy"));
            assert_eq!(is_aside, past == "as_always", "{reloaded}");
        }
    }
}

/// An engine that tells everybody of a reload what it tells the host is found
/// out.
#[test]
fn a_reload_that_is_told_as_to_the_host_is_found() {
    let [one, other] =
        ["spy", "decoy"].map(|guise| received(guise, "as_always", By::Watch, Leak::AsTheHost).0);
    assert_ne!(one, other);
}

/// A side says something in the open or in secret, through the host.
fn say(room: &mut Room, input: Json) {
    let host = room.host;
    room.decide(host, input);
}

fn vote(side: &str, is_for: bool) -> Json {
    json!({ "input": "answer", "by": side, "question": "veil.ballot", "value": is_for })
}

/// What blue gets of a game in which the rules of a secret vote change while it
/// is open: nobody may be against it any more, and red has been or has not.
fn received_of_votes(is_for: bool, past: &str, by: By, order: [&str; 2]) -> (Vec<String>, Json) {
    let mods = mods_of(&format!("votes-{is_for}-{past}-{by:?}-{}", order[0]));
    let mut room = Room::open(&mods, Leak::None);
    if by == By::Watch {
        room.send(room.host, "watch", json!({ "on": true, "past": past }));
    }
    for side in ["red", "blue", "green"] {
        say(&mut room, json!({ "input": "done", "by": side }));
    }
    say(
        &mut room,
        json!({ "input": "act", "by": "red", "action": "veil.core.vote" }),
    );
    for side in order {
        say(&mut room, vote(side, side != "red" || is_for));
    }
    room.ask_everything();
    let rules = mods.join("veil/rules/veil.luau");
    let text = std::fs::read_to_string(&rules).unwrap();
    let narrow = r#"domains[one] = domain.choices { { value = true, label = "yes" } }"#;
    let edited = text.replace("domains[one] = domain.yes()", narrow);
    assert_ne!(edited, text);
    std::fs::write(&rules, edited).unwrap();
    let reloaded = room.reloaded(past, by);
    room.ask_everything();
    room.send(room.host, "redo", json!({}));
    room.ask_everything();
    std::fs::remove_dir_all(&mods).unwrap();
    (room.got, reloaded)
}

#[test]
fn a_reload_beside_an_open_secret_question_tells_nobody_what_was_answered() {
    for by in [By::Request, By::Watch] {
        for (past, order) in [
            ("as_always", ["blue", "red"]),
            ("as_always", ["red", "blue"]),
            ("from_now", ["red", "blue"]),
        ] {
            let (one, reloaded) = received_of_votes(false, past, by, order);
            let (other, _) = received_of_votes(true, past, by, order);
            assert_eq!(one, other, "{by:?} {past} {order:?}");
            let is_aside = reloaded["set_aside"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("red"));
            assert_eq!(is_aside, past == "as_always", "{reloaded}");
        }
    }
}

/// In a secret phase too, what others decided after one stays when that one's
/// no longer fits; and what is left out comes back.
#[test]
fn what_others_decided_at_once_outlives_what_no_longer_fits() {
    let received = |guise: &str| {
        let mods = mods_of(&format!("at-once-{guise}"));
        let mut room = Room::open(&mods, Leak::None);
        room.decide(room.red, disguise("red", "rufus", guise));
        room.decide(room.blue, disguise("blue", "bruno", "guard"));
        room.ask_everything();
        let rules = mods.join("veil/rules/veil.luau");
        let text = std::fs::read_to_string(&rules).unwrap();
        let narrow = without_other_guises(&text);
        assert_ne!(narrow, text);
        std::fs::write(&rules, narrow).unwrap();
        let reloaded = room.reloaded("as_always", By::Request);
        let aside = if guise == "guard" {
            Json::Null
        } else {
            json!(1)
        };
        assert_eq!(reloaded["set_aside"]["count"], aside, "{reloaded}");
        room.ask_everything();
        std::fs::write(&rules, text).unwrap();
        let again = room.reloaded("as_always", By::Request);
        assert_eq!(again["decisions"], json!(2), "{again}");
        room.ask_everything();
        std::fs::remove_dir_all(&mods).unwrap();
        room.got
    };
    assert_eq!(received("spy"), received("guard"));
    assert_eq!(received("spy"), received("decoy"));
}
