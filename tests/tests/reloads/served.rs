//! Saves under a match that is served: the first one too makes only that again
//! whose outcome may be another.

use houserule::embed::rpc::Server;
use serde_json::{Value as Json, json};

use super::{Watched, play};

impl Watched {
    fn watch(&mut self) {
        self.ask("watch", json!({ "on": true, "past": "as_always" }));
    }

    /// Plays up to so many decisions.
    fn play(&mut self, decisions: usize) {
        let count = |server: &Server| server.table().unwrap().standing().decisions;
        while count(&self.server) < decisions {
            assert!(self.server.bot_turn());
        }
    }

    /// How many of the decisions a save makes again that concerns the answers.
    fn made_again(&mut self) -> u64 {
        self.yard
            .edit(("club/rules/club.luau", "MORE + more)", "more + MORE)"));
        assert!(!self.server.files_changed());
        let told = self.server.drain(self.host);
        let told = told
            .iter()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        let mut reloaded = told.filter(|one| one["method"] == "reloaded");
        let reloaded = reloaded.next().expect("a save that is taken over");
        assert_eq!(reloaded["params"]["decisions"], 40);
        reloaded["params"]["made_again"].as_u64().unwrap()
    }
}

#[test]
fn a_match_that_is_watched_from_the_start() {
    let mut served = Watched::new();
    served.watch();
    let table = served.yard.unprepared(7);
    served.server.serve(table);
    served.play(40);
    assert!(served.server.is_cold());
    served.server.warm_up();
    assert!(!served.server.is_cold());
    assert!((15..=20).contains(&served.made_again()));
}

#[test]
fn a_match_that_is_watched_later() {
    let mut served = Watched::new();
    let table = served.yard.unprepared(7);
    served.server.serve(table);
    served.play(20);
    assert!(!served.server.is_cold(), "nobody watches");
    served.watch();
    served.play(40);
    assert_eq!(served.made_again(), 40, "half of them nobody noted");
}

#[test]
fn a_match_that_is_loaded_or_resumed() {
    for method in ["load", "resume"] {
        let mut served = Watched::new();
        let mut table = served.yard.unprepared(7);
        play(&mut table, 40);
        let path = served.yard.path("a.save");
        table.save(&path).unwrap();
        served.watch();
        served.ask(method, json!({ "path": path }));
        assert!((15..=20).contains(&served.made_again()), "{method}");
    }
}

#[test]
fn what_was_told_to_be_broken_is_told_to_be_mended() {
    let mut served = Watched::start("as_always");
    let file = "club/rules/club.luau";
    let whole = std::fs::read_to_string(served.yard.path(file)).unwrap();
    let before = served.shown();
    let told = |served: &mut Watched| -> Vec<Json> {
        while served.server.files_changed() {}
        let lines = served.server.drain(served.host);
        let told = lines.iter().map(|line| serde_json::from_str(line).unwrap());
        told.filter(|one: &Json| one["method"] == "fault" || one["method"] == "reloaded")
            .collect()
    };
    served.yard.write(file, &format!("{whole}local =\n"));
    assert_eq!(told(&mut served)[0]["method"], "fault");
    served.yard.write(file, &whole);
    let mended = told(&mut served);
    assert_eq!(mended[0]["method"], "reloaded");
    assert_eq!(mended[0]["params"]["changes"]["mods"], json!([]));
    assert_eq!(served.shown(), before);
    assert_eq!(told(&mut served), [] as [Json; 0], "once");
}
