//! What somebody may try who has read how the door works: each gets a clear
//! refusal, and the others nothing.

use std::rc::Rc;

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Start, Tabletop};
use houserule::workshop::Workshop;
use houserule_tests::folder;
use serde_json::{Value as Json, json};

use crate::door::{Door, HOST, Spec};

/// A table at which red sits once, and blue with two clients.
struct Table {
    server: Server,
    host: ConnectionId,
    red: ConnectionId,
    blues: [ConnectionId; 2],
}

impl Table {
    fn open() -> Table {
        let sources = houserule::modset::files::Sources::read(&folder("deal")).unwrap();
        let (workshop, faults) = Workshop::from_sources([(sources.id.clone(), sources)].into());
        assert!(faults.is_empty(), "{faults:?}");
        let start = Start {
            scenario: "deal/table".into(),
            seed: Some(5),
            ..Start::default()
        };
        let table = Tabletop::start_in(Rc::new(workshop), &[], &start).unwrap();
        let mut server = Server::new(Vec::new());
        server.serve(table);
        let host = server.connect_host();
        let [red, one, other] = [(); 3].map(|()| server.connect());
        let mut table = Table {
            server,
            host,
            red,
            blues: [one, other],
        };
        for (connection, side) in [(red, "red"), (one, "blue"), (other, "blue")] {
            let seat = json!({ "seat": "sides", "sides": [side] });
            let token = table.send(host, "give_seat", seat)["result"]["token"].take();
            table.send(connection, "hello", json!({ "token": token }));
            table.send(connection, "subscribe", json!({}));
        }
        table.send(host, "subscribe", json!({ "viewer": "referee" }));
        table.received();
        table
    }

    /// The reply to a request.
    fn send(&mut self, from: ConnectionId, method: &str, params: Json) -> Json {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.server.line(from, line.to_string().as_bytes());
        let lines = self.server.drain(from);
        lines
            .last()
            .map_or(Json::Null, |line| serde_json::from_str(line).unwrap())
    }

    fn draw(&mut self, from: ConnectionId, side: &str, more: Json) -> Json {
        let input = json!({ "input": "act", "by": side, "action": "deal.core.draw", "actor": format!("{side}s"), "params": {} });
        let mut params = json!({ "input": input });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key.as_str()] = value.clone();
        }
        self.send(from, "submit", params)
    }

    /// What blue's clients and the host were told since this was last asked.
    fn received(&mut self) -> [Vec<String>; 3] {
        let [one, other] = self.blues;
        [one, other, self.host].map(|connection| self.server.drain(connection))
    }

    /// All that blue may ask.
    fn asked(&mut self) -> Vec<String> {
        let methods = [
            "about",
            "prompt",
            "view",
            "standing",
            "decisions",
            "legal",
            "news",
        ];
        methods
            .map(|method| self.send(self.blues[0], method, json!({})).to_string())
            .to_vec()
    }
}

/// A deck that runs out in a secret phase breaks a rule: who drew learns that,
/// the host why, and the other side nothing at all.
#[test]
fn a_deck_that_runs_out_in_secret_tells_the_others_nothing() {
    let mut table = Table::open();
    let before = table.asked();
    for turn in 0..5 {
        let reply = table.draw(table.red, "red", json!({}));
        assert_eq!(reply["error"].is_null(), turn < 3, "{reply}");
        if turn >= 3 {
            assert_eq!(
                reply["error"]["data"],
                json!({ "trouble": "broken" }),
                "{reply}"
            );
        }
        let [one, other, host] = table.received();
        assert_eq!((one, other), (Vec::new(), Vec::new()), "after draw {turn}");
        assert_eq!(
            host.iter().any(|line| line.contains("F038")),
            turn >= 3,
            "{host:?}"
        );
        assert_eq!(table.asked(), before, "after draw {turn}");
    }
}

/// Two clients of one side decide on the same prompt: the second is stale, and
/// what it sends again with the key of the first is not done again.
#[test]
fn two_clients_in_one_seat_do_not_decide_twice() {
    let mut table = Table::open();
    let [one, other] = table.blues;
    let asks =
        [one, other].map(|client| table.send(client, "prompt", json!({}))["result"]["ask"].take());
    assert_eq!(asks[0], asks[1]);
    let given = json!({ "ask": asks[0], "key": "first" });
    let taken = table.draw(one, "blue", given.clone());
    assert_eq!(taken["result"]["decision"], 1, "{taken}");
    let stale = table.draw(other, "blue", json!({ "ask": asks[1] }));
    assert_eq!(stale["error"]["code"], -32002, "{stale}");
    assert_eq!(table.draw(other, "blue", given)["result"], taken["result"]);
    let standing = table.send(other, "standing", json!({}));
    assert_eq!(standing["result"]["decisions"], 1, "{standing}");
    // Nor is red told how often any of it was tried.
    assert!(table.server.drain(table.red).is_empty());
}

/// Whoever waits is not told whether another side acts, reacts or answers, by
/// what it asks for nor by what it tries.
#[test]
fn who_waits_does_not_learn_what_another_decides() {
    let spec = Spec {
        scenario: "veil/town".into(),
        with: Vec::new(),
        options: Default::default(),
        seed: 1,
        is_agreed: false,
        is_brief: false,
    };
    let mut door = Door::open(&crate::workshop(crate::sources()), &spec, None);
    let decide = |door: &mut Door, side: &str, input: Json| {
        let sent = door.send(side, "submit", json!({ "input": input }));
        assert!(sent.is_granted(), "{}", sent.reply);
    };
    for side in door.sides.clone() {
        decide(&mut door, &side, json!({ "input": "done", "by": side }));
    }
    let go = json!({ "input": "act", "by": "red", "action": "veil.core.go", "actor": "rufus",
                     "params": { "post": "south", "errand": "wait" } });
    let talk = json!({ "input": "act", "by": "blue", "action": "veil.core.talk", "params": { "whom": "green" } });
    let lines = [
        ("react", "red", go),
        ("act", "blue", json!({ "input": "decline", "by": "blue" })),
        ("answer", "blue", talk),
    ];
    let mut replies: Vec<Vec<String>> = Vec::new();
    for (wanted, side, input) in lines {
        decide(&mut door, side, input);
        assert_eq!(
            door.ask(HOST, "prompt", json!({ "viewer": HOST }))["prompt"],
            wanted
        );
        replies.push(tries(&mut door));
    }
    for (acts, others) in [(1, 0), (1, 2)] {
        assert_eq!(replies[acts], replies[others]);
    }
}

/// What red hears while it waits, of everything that anybody might do.
fn tries(door: &mut Door) -> Vec<String> {
    let attempts = [
        (
            "act",
            "action",
            "veil.core.go",
            json!({ "post": "north", "errand": "wait" }),
        ),
        (
            "react",
            "reaction",
            "veil.core.note",
            json!({ "doubt": "spy" }),
        ),
        ("act", "action", "no.such.action", json!({})),
    ];
    let mut replies = vec![door.send("red", "legal", json!({})).reply];
    for (input, key, id, params) in attempts {
        let input =
            json!({ "input": input, "by": "red", key: id, "actor": "rufus", "params": params });
        let asked = [
            ("next_param", json!({ "action": id, "actor": "rufus" })),
            ("odds", json!({ "of": { "input": input } })),
            ("submit", json!({ "input": input })),
        ];
        for (method, params) in asked {
            let sent = door.send("red", method, params);
            assert!(!sent.is_granted(), "{method} {id}: {}", sent.reply);
            replies.push(sent.reply);
        }
    }
    replies
}
