//! Seats: who may ask what over the server, what they are told, and that
//! nothing that one side does in secret moves a byte of what another gets.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

#[path = "seats/taking_back.rs"]
mod taking_back;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::rpc::{ConnectionId, Server, schema};
use houserule::embed::{BotSort, Start, Tabletop, Trouble};
use houserule_tests::{copy_folder, folder};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

/// A server, its host, and whoever else is connected.
struct Door {
    server: Server,
    host: ConnectionId,
}

impl Door {
    fn open(folders: Vec<PathBuf>, start: Json) -> Door {
        let mut server = Server::new(folders);
        let host = server.connect_host();
        let mut door = Door { server, host };
        door.call(host, "start", start).unwrap();
        door
    }

    /// The drill: orders in secret, then shots that may be ducked.
    fn drill(more: Json) -> Door {
        let mut start = json!({ "scenario": "drill/range", "turns": 3 });
        start
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        Door::open(vec![folder("../docs/examples")], start)
    }

    /// Somebody connects and takes a seat.
    fn seat(&mut self, seat: Json) -> ConnectionId {
        let token = self.give(seat);
        let connection = self.server.connect();
        self.call(connection, "hello", json!({ "token": token }))
            .unwrap();
        connection
    }

    fn side(&mut self, side: &str) -> ConnectionId {
        self.seat(json!({ "seat": "sides", "sides": [side] }))
    }

    fn give(&mut self, seat: Json) -> String {
        let given = self.call(self.host, "give_seat", seat).unwrap();
        given["token"].as_str().unwrap().to_string()
    }

    /// The reply to a request; what is told before it stays with it.
    fn ask(&mut self, from: ConnectionId, method: &str, params: Json) -> (Vec<String>, String) {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.server.line(from, request.to_string().as_bytes());
        let mut lines = self.server.drain(from);
        let reply = lines.pop().unwrap();
        (lines, reply)
    }

    fn call(&mut self, from: ConnectionId, method: &str, params: Json) -> Result<Json, Json> {
        let (_, reply) = self.ask(from, method, params);
        let mut reply: Json = serde_json::from_str(&reply).unwrap();
        match reply.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(reply["result"].take()),
        }
    }

    fn code(&mut self, from: ConnectionId, method: &str, params: Json) -> i64 {
        self.call(from, method, params).unwrap_err()["code"]
            .as_i64()
            .unwrap()
    }

    fn received(&mut self, to: ConnectionId) -> Vec<Json> {
        self.server
            .drain(to)
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn hash(&mut self) -> Json {
        self.call(self.host, "hash", json!({})).unwrap()
    }

    fn order(&mut self, from: ConnectionId, side: &str, order: &str) -> Result<Json, Json> {
        self.call(from, "submit", json!({ "input": order_of(side, order) }))
    }

    fn done(&mut self, from: ConnectionId, side: &str) {
        self.call(
            from,
            "submit",
            json!({ "input": { "input": "done", "by": side } }),
        )
        .unwrap();
    }

    /// All that a side can ask for, as it gets it.
    fn all_of(&mut self, from: ConnectionId) -> Vec<String> {
        let mut all = Vec::new();
        for (method, params) in [
            ("hello", json!({})),
            ("about", json!({})),
            ("standing", json!({})),
            ("prompt", json!({})),
            ("legal", json!({})),
            ("view", json!({})),
            ("news", json!({})),
            ("decisions", json!({})),
            ("why", json!({ "event": 1 })),
            ("why", json!({ "event": 99 })),
            ("undo", json!({ "keep": 50 })),
            (
                "submit",
                json!({ "ask": 77, "input": order_of("blue", "hold") }),
            ),
            ("submit", json!({ "input": order_of("red", "hold") })),
            ("view", json!({ "viewer": "red" })),
            ("decisions", json!({ "viewer": "referee" })),
            ("hash", json!({})),
            ("bots", json!({})),
            ("redo", json!({})),
        ] {
            let (lines, reply) = self.ask(from, method, params);
            assert!(lines.is_empty(), "{lines:?}");
            all.push(format!("{method}: {reply}"));
        }
        all
    }
}

fn order_of(side: &str, order: &str) -> Json {
    let params = json!({ "order": order });
    json!({ "input": "act", "by": side, "action": "drill.orders.give", "actor": format!("{side}-1"), "params": params })
}

/// A folder with a mod in it that may be edited.
struct Yard(PathBuf);

impl Yard {
    fn new(of: &str) -> Yard {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-seats-{}-{n}", std::process::id()));
        copy_folder(&folder(of), &path.join("mods/it")).unwrap();
        Yard(path)
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.join("mods/it").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The least that a method takes, so that only the seat decides.
fn least(method: &str) -> Json {
    match method {
        "start" => json!({ "scenario": "drill/range" }),
        "load" | "resume" | "save" => json!({ "path": "/nowhere/at.all" }),
        "watch" => json!({ "on": true }),
        "give_seat" => json!({ "seat": "spectator" }),
        "revoke_seat" => json!({ "number": 1 }),
        "set_bot" => json!({ "side": "blue", "bot": "random" }),
        "next_param" | "outlook" => json!({ "action": "drill.orders.give" }),
        "submit" => json!({ "input": order_of("blue", "hold") }),
        "why" => json!({ "event": 1 }),
        "as_test" | "as_case" => json!({ "id": "kept" }),
        "chart" => json!({ "piece": 1 }),
        "odds" => json!({ "of": { "input": order_of("blue", "hold") } }),
        _ => json!({}),
    }
}

#[test]
fn each_method_has_a_role_and_refuses_whoever_has_it_not() {
    let mut door = Door::drill(json!({}));
    let (blue, watcher) = (door.side("blue"), door.seat(json!({ "seat": "spectator" })));
    let referee = door.seat(json!({ "seat": "referee" }));
    let nobody = door.server.connect();
    let before = door.hash();
    let roles = schema()["roles"].as_object().unwrap().clone();
    let is = |method: &str, role: &str| assert_eq!(roles[method], role, "{method}");
    [
        "scenarios",
        "start",
        "load",
        "resume",
        "save",
        "watch",
        "give_seat",
    ]
    .iter()
    .for_each(|method| is(method, "host"));
    [
        "redo", "bots", "bot_turn", "set_bot", "reload", "choose", "as_test", "as_case", "branch",
        "hash", "seats",
    ]
    .iter()
    .for_each(|method| is(method, "referee"));
    let mut refusals = Vec::new();
    for (method, role) in &roles {
        let params = least(method);
        let mut refused =
            |door: &mut Door, from| refusals.push(door.ask(from, method, params.clone()).1);
        if role != "public" {
            refused(&mut door, nobody);
        }
        if role == "referee" || role == "host" {
            refused(&mut door, blue);
            refused(&mut door, watcher);
        }
        if role == "host" {
            refused(&mut door, referee);
        }
    }
    assert!(refusals.len() > 50);
    refusals.dedup();
    let data = json!({ "trouble": "forbidden" });
    let error = json!({ "code": -32007, "message": "that is not for this seat", "data": data });
    let only: Json = serde_json::from_str(&refusals[0]).unwrap();
    assert_eq!(
        (refusals.len(), &only["error"]),
        (1, &error),
        "{refusals:?}"
    );
    assert_eq!(door.hash(), before);
    assert!(door.call(referee, "hash", json!({})).is_ok());
    assert_eq!(
        door.call(referee, "seats", json!({}))
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// Whatever can be asked about a viewer or said in its name: of what may be
/// there, and of what is not.
fn all_about(other: &str) -> Vec<(&'static str, Json)> {
    vec![
        ("about", json!({ "viewer": other })),
        ("standing", json!({ "viewer": other })),
        ("prompt", json!({ "viewer": other })),
        ("view", json!({ "viewer": other })),
        ("news", json!({ "viewer": other })),
        ("decisions", json!({ "viewer": other })),
        ("why", json!({ "viewer": other, "event": 1 })),
        ("view", json!({ "viewer": other, "at": 0 })),
        ("catalogue", json!({ "viewer": other })),
        ("chart", json!({ "viewer": other, "piece": "blue-1" })),
        ("chart", json!({ "viewer": other, "piece": "no-such" })),
        (
            "odds",
            json!({ "viewer": other, "of": { "input": order_of("blue", "hold") } }),
        ),
        (
            "odds",
            json!({ "viewer": other, "of": { "input": order_of(other, "hold") } }),
        ),
        ("follow", json!({ "viewer": other })),
        ("unfollow", json!({ "viewer": other })),
        ("subscribe", json!({ "viewer": other })),
        ("unsubscribe", json!({ "viewer": other })),
        ("legal", json!({ "side": other })),
        ("next_param", json!({ "side": other, "action": "no.such" })),
        ("submit", json!({ "input": order_of(other, "hold") })),
        (
            "submit",
            json!({ "input": { "input": "pass", "by": other } }),
        ),
        ("undo", json!({ "by": other })),
        ("undo", json!({ "by": other, "keep": 0 })),
        ("undo", json!({ "by": other, "number": 1 })),
        ("decline_undo", json!({ "by": other })),
    ]
}

#[test]
fn what_is_anothers_is_refused_in_one_way_whether_it_is_there_or_not() {
    let mut door = Door::drill(json!({}));
    let blue = door.side("blue");
    let mut refusals = Vec::new();
    for other in ["red", "referee", "spectator", "nobody", "", "Blue"] {
        for (method, params) in all_about(other) {
            let (lines, reply) = door.ask(blue, method, params);
            assert!(
                lines.is_empty() && reply.contains("-32007"),
                "{method}: {reply}"
            );
            refusals.push(reply);
        }
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    // Its own it gets, with and without saying so.
    let own = door
        .call(blue, "view", json!({ "viewer": "blue" }))
        .unwrap();
    assert_eq!(door.call(blue, "view", json!({})).unwrap(), own);
    let both = door.seat(json!({ "seat": "sides", "sides": ["blue", "red"] }));
    for (method, params) in [
        ("view", json!({})),
        ("legal", json!({})),
        ("follow", json!({})),
        ("undo", json!({})),
        ("decline_undo", json!({})),
    ] {
        let error = door.call(both, method, params).unwrap_err();
        let is_unsaid = error["code"] == -32602 || error["code"] == -32007;
        assert!(is_unsaid && error["code"] != -32004, "{method}: {error}");
    }
    let which = door.call(both, "view", json!({})).unwrap_err();
    let message = "expected one of the sides of this seat: blue, red";
    assert_eq!(which, json!({ "code": -32602, "message": message }));
    // Whoever may look as anybody says for which side it asks what there is to do.
    assert_eq!(door.code(door.host, "legal", json!({})), -32602);
    assert_eq!(
        door.call(both, "view", json!({ "viewer": "blue" }))
            .unwrap(),
        own
    );
    assert_eq!(
        door.call(both, "view", json!({ "viewer": "red" })).unwrap()["viewer"],
        "red"
    );
    assert_eq!(
        door.code(both, "view", json!({ "viewer": "referee" })),
        -32007
    );
    let path = door.call(blue, "about", json!({})).unwrap();
    assert_eq!(
        (&path["journal"], &path["seed"]),
        (&Json::Null, &Json::Null)
    );
}

#[test]
fn one_message_sits_down_and_one_comes_back() {
    let mut door = Door::drill(json!({}));
    let token = door.give(json!({ "seat": "sides", "sides": ["blue"] }));
    let blue = door.server.connect();
    assert_eq!(
        door.code(blue, "hello", json!({ "protocol": 2, "token": token })),
        -32009
    );
    assert_eq!(
        door.code(blue, "view", json!({})),
        -32007,
        "it has not sat down"
    );
    assert_eq!(
        door.code(blue, "hello", json!({ "have": null })),
        -32007,
        "who follows has a seat"
    );
    let changes = |lines: Vec<String>| -> Vec<Json> {
        let messages = lines
            .iter()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        messages
            .filter(|line| line["method"] == "change")
            .map(|mut line| line["params"].take())
            .collect()
    };
    let (lines, reply) = door.ask(
        blue,
        "hello",
        json!({ "protocol": 1, "token": token, "have": null, "events": "lines" }),
    );
    let first = changes(lines);
    let reply: Json = serde_json::from_str(&reply).unwrap();
    assert!(
        !reply["result"]["catalogue"]["kinds"]
            .as_object()
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        (first.len(), &first[0]["whole"], &first[0]["viewer"]),
        (1, &json!(true), &json!("blue"))
    );

    door.server.disconnect(blue);
    door.order(door.host, "blue", "shoot").unwrap();
    let back = door.server.connect();
    let have = json!({ "game": reply["result"]["game"], "seq": first[0]["seq"] });
    let missed = changes(
        door.ask(back, "hello", json!({ "token": token, "have": have }))
            .0,
    );
    assert!(
        !missed.is_empty() && missed.iter().all(|change| change["whole"].is_null()),
        "{missed:?}"
    );
    assert_eq!(
        missed[0]["seq"].as_u64(),
        first[0]["seq"].as_u64().map(|seq| seq + 1)
    );
}

#[test]
fn a_token_opens_one_seat_until_it_is_revoked() {
    let mut door = Door::drill(json!({}));
    let token = door.give(json!({ "seat": "sides", "sides": ["blue"] }));
    assert_eq!(token.len(), 64);
    let guest = door.server.connect();
    let forged: String = token.chars().rev().collect();
    let wrong = [&token[..63], &forged, "", "blue", &token.to_uppercase()].map(str::to_string);
    let mut refusals: Vec<String> = wrong
        .iter()
        .map(|token| door.ask(guest, "hello", json!({ "token": token })).1)
        .collect();
    let welcome = door
        .call(guest, "hello", json!({ "token": token }))
        .unwrap();
    assert_eq!(
        (&welcome["role"], &welcome["at"]["sides"]),
        (&json!("seat"), &json!(["blue"]))
    );
    door.call(guest, "subscribe", json!({})).unwrap();
    // One request with a token is said as that seat, and no more than one.
    let request = |token: &str| {
        let request =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "view", "token": token, "params": {} });
        request.to_string()
    };
    door.server.line(door.host, request(&token).as_bytes());
    assert!(door.server.drain(door.host)[0].contains(r#""viewer":"blue""#));
    assert_eq!(
        door.call(door.host, "view", json!({})).unwrap()["viewer"],
        "referee"
    );
    assert_eq!(
        door.call(door.host, "revoke_seat", json!({ "number": 1 }))
            .unwrap(),
        true
    );
    assert_eq!(door.received(guest).last().unwrap()["method"], "revoked");
    assert_eq!(door.code(guest, "view", json!({})), -32007);
    refusals.push(door.ask(guest, "hello", json!({ "token": token })).1);
    door.server.line(door.host, request(&token).as_bytes());
    refusals.extend(door.server.drain(door.host));
    refusals.dedup();
    assert_eq!(
        refusals.len(),
        1,
        "forged, cut short and revoked are one: {refusals:?}"
    );
    door.order(door.host, "blue", "shoot").unwrap();
    assert!(
        door.server.drain(guest).is_empty(),
        "a seat that is gone is told nothing"
    );
    assert_eq!(
        door.call(door.host, "revoke_seat", json!({ "number": 1 }))
            .unwrap(),
        false
    );
}

#[test]
fn a_seat_is_given_for_sides_of_the_game_and_never_for_the_host() {
    let mut door = Door::drill(json!({}));
    assert_eq!(
        door.code(
            door.host,
            "give_seat",
            json!({ "seat": "sides", "sides": ["green"] })
        ),
        -32004
    );
    assert_eq!(
        door.code(
            door.host,
            "give_seat",
            json!({ "seat": "sides", "sides": [] })
        ),
        -32602
    );
    assert_eq!(
        door.code(door.host, "give_seat", json!({ "seat": "host" })),
        -32602
    );
}

#[test]
fn what_one_side_does_in_secret_moves_nothing_that_another_gets() {
    let mut door = Door::drill(json!({}));
    let (blue, red) = (door.side("blue"), door.side("red"));
    let watcher = door.seat(json!({ "seat": "spectator" }));
    for one in [blue, red, watcher] {
        door.call(one, "subscribe", json!({})).unwrap();
    }
    door.order(blue, "blue", "shoot").unwrap();
    door.server.drain(blue);
    let before = door.all_of(blue);
    let unmoved = |door: &mut Door, what: &str| {
        assert_eq!(door.server.drain(blue), Vec::<String>::new(), "{what}");
        assert_eq!(door.all_of(blue), before, "{what}");
    };
    let mut hashes = vec![door.hash()];
    door.order(red, "red", "shoot").unwrap();
    unmoved(&mut door, "an order");
    hashes.push(door.hash());
    door.order(red, "red", "hold").unwrap();
    unmoved(&mut door, "another");
    door.call(
        red,
        "submit",
        json!({ "input": { "input": "take_back", "by": "red" } }),
    )
    .unwrap();
    unmoved(&mut door, "taken back");
    let own = door.call(red, "decisions", json!({})).unwrap();
    assert_eq!(own.as_array().unwrap().len(), 3, "{own}");
    // The referee takes back what red did, and makes it again.
    door.received(red);
    door.call(door.host, "undo", json!({ "keep": 2 })).unwrap();
    assert!(
        door.received(red)
            .iter()
            .any(|message| message["method"] == "news" || message["method"] == "prompt")
    );
    unmoved(&mut door, "an undo");
    door.call(door.host, "redo", json!({})).unwrap();
    unmoved(&mut door, "a redo");
    door.done(red, "red");
    hashes.push(door.hash());
    unmoved(&mut door, "being done");
    let watched = door.received(watcher);
    assert!(
        watched
            .iter()
            .all(|message| !message.to_string().contains("orders.give")),
        "{watched:?}"
    );
    // All that is moved once everything is shown.
    door.done(blue, "blue");
    assert_ne!(door.all_of(blue), before);
    hashes.dedup();
    assert_eq!(hashes.len(), 3, "the games did part");
}

#[test]
fn decisions_and_events_bear_numbers_of_the_viewers_own() {
    let mut door = Door::drill(json!({}));
    let (blue, red) = (door.side("blue"), door.side("red"));
    for order in ["hold", "shoot", "hold"] {
        door.order(red, "red", order).unwrap();
    }
    let taken = door.order(blue, "blue", "shoot").unwrap();
    assert_eq!(
        (&taken["decision"], &taken["by"]),
        (&json!(1), &json!("blue"))
    );
    assert_eq!(
        door.call(blue, "standing", json!({})).unwrap()["decisions"],
        1
    );
    let own = door.call(blue, "decisions", json!({})).unwrap();
    assert_eq!(
        (own.as_array().unwrap().len(), &own[0]["number"]),
        (1, &json!(1))
    );
    assert_eq!(
        door.call(door.host, "standing", json!({})).unwrap()["decisions"],
        4
    );
    door.done(red, "red");
    door.done(blue, "blue");
    let news = door.call(blue, "news", json!({})).unwrap();
    let events = news["events"].as_array().unwrap();
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event["number"], json!(place + 1));
        let why = door
            .call(blue, "why", json!({ "event": place + 1 }))
            .unwrap();
        assert_eq!(why[0]["source"], json!(format!("event {}", place + 1)));
        let text = event["text"].as_array().unwrap();
        if let Some(line) = text.first() {
            assert!(
                why[0]["text"]
                    .as_str()
                    .unwrap()
                    .contains(line.as_str().unwrap()),
                "{why}"
            );
        }
    }
    assert_eq!(door.code(blue, "why", json!({ "event": 0 })), -32000);
    assert_eq!(
        door.code(blue, "why", json!({ "event": events.len() + 1 })),
        -32000
    );
    assert_eq!(&news_bit_by_bit(&mut door, blue), events);
}

/// All events that a seat is told of when it asks for no more than two at once.
fn news_bit_by_bit(door: &mut Door, seat: ConnectionId) -> Vec<Json> {
    let (mut since, mut bits) = (0, Vec::new());
    loop {
        let some = door
            .call(seat, "news", json!({ "since": since, "limit": 2 }))
            .unwrap();
        assert!(some["events"].as_array().unwrap().len() <= 2);
        bits.extend(some["events"].as_array().unwrap().clone());
        since = some["last"].as_u64().unwrap();
        if some["more"] == false {
            return bits;
        }
    }
}

#[test]
fn two_clients_in_one_seat_are_told_the_same_and_decide_once() {
    let mut door = Door::drill(json!({}));
    let token = door.give(json!({ "seat": "sides", "sides": ["blue"] }));
    let (first, second) = (door.server.connect(), door.server.connect());
    for one in [first, second] {
        door.call(one, "hello", json!({ "token": token })).unwrap();
        door.call(one, "subscribe", json!({})).unwrap();
    }
    assert_eq!(
        door.call(door.host, "seats", json!({})).unwrap()[0]["connections"],
        2
    );
    let ask = door.call(first, "prompt", json!({})).unwrap()["ask"].clone();
    let submit = |order: &str, key: Json| json!({ "ask": ask, "key": key, "input": order_of("blue", order) });
    let (lines, reply) = door.ask(first, "submit", submit("shoot", json!("a")));
    assert!(reply.contains("result"), "{reply}");
    let after = door.hash();
    let (others, refused) = door.ask(second, "submit", submit("hold", json!("b")));
    assert!(refused.contains("-32002"), "{refused}");
    assert_eq!(
        (others, door.hash()),
        (lines, after.clone()),
        "told the same; nothing was lost"
    );
    // What is sent again with its key is taken once, whatever stands by now.
    assert_eq!(
        door.ask(second, "submit", submit("shoot", json!("a"))).1,
        reply
    );
    assert_eq!(door.hash(), after);
    assert_eq!(
        door.code(second, "submit", submit("hold", json!("x".repeat(65)))),
        -32602
    );
    // What the other side does leaves the prompt what it is.
    let ask = door.call(first, "prompt", json!({})).unwrap()["ask"].clone();
    door.order(door.host, "red", "hold").unwrap();
    let late = json!({ "ask": ask, "input": order_of("blue", "hold") });
    assert!(door.call(first, "submit", late).is_ok());
}

/// A key is as old as its decision: it goes with what is taken back, comes again
/// with what is made again, and outlives a reload.
#[test]
fn a_key_holds_as_long_as_its_decision_stands() {
    let yard = Yard::new("duel");
    let mut door = duel(&yard, json!({}));
    let red = door.side("red");
    let mut blow = strike("red", "rufus");
    blow["key"] = json!("blow");
    let taken = door.call(red, "submit", blow.clone()).unwrap();
    door.call(door.host, "submit", parry("blue", true)).unwrap();
    let stands = |door: &mut Door| {
        let before = door.hash();
        assert_eq!(door.call(red, "submit", blow.clone()).unwrap(), taken);
        assert_eq!(door.hash(), before);
    };
    stands(&mut door);
    yard.edit("rules/duel.luau", "points - 2 else", "points - 1 else");
    let reloaded = door.call(door.host, "reload", json!({})).unwrap();
    assert_ne!(reloaded["made_again"], 0, "{reloaded}");
    stands(&mut door);
    door.call(door.host, "undo", json!({ "by": "referee", "keep": 0 }))
        .unwrap();
    door.call(door.host, "redo", json!({})).unwrap();
    stands(&mut door);
    door.call(door.host, "undo", json!({ "by": "referee", "keep": 0 }))
        .unwrap();
    let before = door.hash();
    door.call(red, "submit", blow.clone()).unwrap();
    assert_ne!(door.hash(), before, "what was taken back is decided anew");
}

fn strike(by: &str, who: &str) -> Json {
    json!({ "input": { "input": "act", "by": by, "action": "duel.core.strike", "actor": who } })
}

fn parry(by: &str, value: bool) -> Json {
    json!({ "input": { "input": "answer", "by": by, "question": "duel.parry", "value": value } })
}

fn duel(yard: &Yard, more: Json) -> Door {
    let mut start = json!({ "scenario": "yard" });
    start
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    Door::open(vec![yard.0.join("mods")], start)
}

#[test]
fn nothing_is_told_twice_while_a_question_is_open() {
    let yard = Yard::new("duel");
    let mut door = duel(&yard, json!({}));
    let (red, blue) = (door.side("red"), door.side("blue"));
    for one in [red, blue] {
        door.call(one, "subscribe", json!({})).unwrap();
    }
    door.call(red, "submit", strike("red", "rufus")).unwrap();
    let messages = door.received(blue);
    assert!(
        messages.iter().any(|message| message["method"] == "prompt"),
        "{messages:?}"
    );
    for _ in 0..3 {
        assert!(door.ask(blue, "prompt", json!({})).0.is_empty());
        assert!(door.ask(red, "view", json!({})).0.is_empty());
    }
    let news = door.call(blue, "news", json!({})).unwrap();
    let since = json!({ "timeline": news["timeline"], "since": news["last"] });
    assert_eq!(
        door.call(blue, "news", since.clone()).unwrap()["events"],
        json!([])
    );
    door.call(blue, "submit", parry("blue", true)).unwrap();
    // Once told, an event keeps its number; only what is new comes.
    let more = door.call(blue, "news", since).unwrap();
    assert_eq!(more["timeline"], news["timeline"]);
    assert_eq!(
        more["from"].as_u64().unwrap(),
        news["last"].as_u64().unwrap() + 1
    );
    assert!(!more["events"].as_array().unwrap().is_empty());
}

#[test]
fn players_take_back_together_each_in_numbers_of_its_own() {
    let yard = Yard::new("duel");
    let mut door = duel(&yard, json!({ "undo": "agreed" }));
    let (red, blue) = (door.side("red"), door.side("blue"));
    door.call(blue, "subscribe", json!({})).unwrap();
    for (by, who, foe) in [
        ("red", "rufus", "blue"),
        ("blue", "bruno", "red"),
        ("red", "rufus", "blue"),
    ] {
        door.call(door.host, "submit", strike(by, who)).unwrap();
        door.call(door.host, "submit", parry(foe, true)).unwrap();
    }
    door.server.drain(blue);
    let before = door.hash();
    assert_eq!(door.code(red, "undo", json!({ "keep": 3 })), -32000);
    let proposal = door.call(red, "undo", json!({ "keep": 1 })).unwrap();
    let asked = ["undo", "number", "by", "decisions", "waiting_for"].map(|name| &proposal[name]);
    assert_eq!(
        json!(asked),
        json!(["proposed", 1, "red", 1, ["blue"]]),
        "{proposal}"
    );
    let messages = door.received(blue);
    assert_eq!(messages.last().unwrap()["method"], "undo");
    // Red's first stands, and with it blue's first two: its parry and its blow.
    assert_eq!(messages.last().unwrap()["params"]["wish"]["decisions"], 2);
    assert_eq!(door.hash(), before, "one side alone takes nothing back");
    let done = door.call(blue, "undo", json!({ "keep": 2 })).unwrap();
    assert_eq!(
        done,
        json!({ "undo": "done", "decisions": 2, "taken_back": 1, "epoch": 1 })
    );
    assert_eq!(
        door.call(red, "standing", json!({})).unwrap()["decisions"],
        1
    );
    assert_ne!(door.hash(), before);
}

#[test]
fn a_seat_is_at_each_of_its_sides_once() {
    let mut door = Door::drill(json!({}));
    let host = door.host;
    for sides in [json!(["blue", "blue"]), json!(["blue", "red", "blue"])] {
        let seat = json!({ "seat": "sides", "sides": sides });
        let error = door.call(host, "give_seat", seat).unwrap_err();
        let message = "expected each side once, found `blue` twice";
        assert_eq!(error, json!({ "code": -32602, "message": message }));
    }
    assert_eq!(door.call(host, "seats", json!({})).unwrap(), json!([]));
}

#[test]
fn a_log_says_which_turn_begins() {
    let start = json!({ "scenario": "skirmish", "others": "greedy", "turns": 3 });
    let mut door = Door::open(vec![folder("../mods")], start);
    let host = door.host;
    door.call(host, "bots", json!({})).unwrap();
    let turns = |news: &Json| -> Vec<String> {
        let events = news["events"].as_array().unwrap().iter();
        events
            .filter(|event| event["kind"] == "phase")
            .filter_map(|event| event["text"][0].as_str())
            .filter(|text| text.starts_with("Turn"))
            .map(str::to_string)
            .collect()
    };
    let all = door
        .call(host, "news", json!({ "viewer": "blue" }))
        .unwrap();
    assert_eq!(turns(&all), ["Turn 1", "Turn 2", "Turn 3"]);
    // Whoever reads on from the middle reads the same.
    let since = json!({ "viewer": "blue", "since": all["last"].as_u64().unwrap() / 2 });
    let later = door.call(host, "news", since).unwrap();
    assert_eq!(turns(&later).last().unwrap(), "Turn 3");
}

#[test]
fn where_an_umpire_rules_no_seat_takes_anything_back() {
    let mut door = Door::drill(json!({}));
    let (blue, referee) = (door.side("blue"), door.seat(json!({ "seat": "referee" })));
    door.order(blue, "blue", "shoot").unwrap();
    let before = door.hash();
    for params in [
        json!({}),
        json!({ "keep": 0 }),
        json!({ "by": "blue", "keep": 0 }),
        json!({ "number": 1 }),
    ] {
        assert_eq!(door.code(blue, "undo", params), -32007);
    }
    assert_eq!(door.code(blue, "decline_undo", json!({})), -32007);
    assert_eq!(door.hash(), before);
    let undone = door.call(referee, "undo", json!({})).unwrap();
    assert_eq!(
        (&undone["decisions"], &undone["taken_back"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(door.call(referee, "redo", json!({})).unwrap()["by"], "blue");
    assert_eq!(door.hash(), before);
}

#[test]
fn nobody_goes_back_into_the_middle_of_what_is_secret() {
    // Red writes before blue in one game and after it in the other.
    let proposals = [true, false].map(|red_first| {
        let mut door = Door::drill(json!({ "undo": "agreed" }));
        let (blue, red) = (door.side("blue"), door.side("red"));
        door.call(blue, "subscribe", json!({})).unwrap();
        let sides = if red_first {
            [(red, "red"), (blue, "blue")]
        } else {
            [(blue, "blue"), (red, "red")]
        };
        for (one, side) in sides {
            door.order(one, side, "hold").unwrap();
        }
        assert_eq!(
            door.code(red, "undo", json!({})),
            -32000,
            "it is open still: take it back there"
        );
        for (one, side) in sides {
            door.done(one, side);
        }
        door.server.drain(blue);
        let proposal = door.call(red, "undo", json!({ "keep": 1 })).unwrap();
        assert_eq!(proposal["decisions"], 0, "the whole phase goes");
        let message = door.received(blue).pop().unwrap();
        assert_eq!(message["method"], "undo");
        (proposal, message)
    });
    assert_eq!(proposals[0], proposals[1]);
}

#[test]
fn a_reload_tells_each_seat_by_which_rules_the_game_goes_and_no_more() {
    let yard = Yard::new("duel");
    let mut door = duel(&yard, json!({}));
    let (red, blue) = (door.side("red"), door.side("blue"));
    door.call(blue, "subscribe", json!({})).unwrap();
    door.call(door.host, "watch", json!({ "on": true }))
        .unwrap();
    for (by, who, foe) in [
        ("red", "rufus", "blue"),
        ("blue", "bruno", "red"),
        ("red", "rufus", "blue"),
    ] {
        door.call(door.host, "submit", strike(by, who)).unwrap();
        door.call(door.host, "submit", parry(foe, true)).unwrap();
    }
    door.server.drain(blue);
    assert_eq!(door.code(red, "reload", json!({})), -32007);
    let performs = "function core.strike_perform";
    let forbids = "function core.strike_allowed(_game: Reads, man: Man): Reason?\n    return rules.refuse(man.hp <= 59, \"he is too weak\")\nend\nfunction core.strike_perform";
    yard.edit("rules/duel.luau", performs, forbids);
    assert!(!door.server.files_changed());
    let host = door.received(door.host);
    let whole = host
        .iter()
        .find(|message| message["method"] == "reloaded")
        .unwrap();
    assert!(
        whole["params"]["set_aside"]["text"]
            .as_str()
            .unwrap()
            .contains("duel.core.strike"),
        "{whole}"
    );
    let seen = door.received(blue);
    let news = &seen
        .iter()
        .find(|message| message["method"] == "reloaded")
        .unwrap()["params"];
    assert_eq!(news["changes"], whole["params"]["changes"]);
    let nothing = ["set_aside", "difference"].map(|name| news[name].clone());
    assert_eq!(nothing, [Json::Null, Json::Null], "{news}");
    assert_eq!(
        (&news["decisions"], &news["made_again"]),
        (&json!(0), &json!(0))
    );
    // Broken, it is told as broken: where and why is for the host.
    yard.edit("rules/duel.luau", performs, "funktion core.strike_perform");
    assert!(!door.server.files_changed());
    let fault = |messages: Vec<Json>| {
        messages
            .into_iter()
            .find(|message| message["method"] == "fault")
            .unwrap()["params"]
            .clone()
    };
    let host = fault(door.received(door.host));
    assert!(host["faults"][0]["line"].as_u64().is_some(), "{host}");
    assert_eq!(fault(door.received(blue)), json!({ "trouble": "broken" }));
}

#[test]
fn a_rule_that_breaks_is_told_to_the_host_and_not_to_the_seat() {
    let yard = Yard::new("duel");
    yard.edit(
        "rules/duel.luau",
        "local foe = ",
        "error(\"the grudge is \" .. man.grudge)\n    local foe = ",
    );
    let mut door = duel(&yard, json!({}));
    let red = door.side("red");
    door.call(door.host, "subscribe", json!({ "viewer": "referee" }))
        .unwrap();
    let before = door.hash();
    door.server.drain(door.host);
    let error = door
        .call(red, "submit", strike("red", "rufus"))
        .unwrap_err();
    assert_eq!(
        (&error["code"], &error["data"]),
        (&json!(-32001), &json!({ "trouble": "broken" }))
    );
    assert!(!error.to_string().contains("grudge"), "{error}");
    let messages = door.received(door.host);
    let fault = messages
        .iter()
        .find(|message| message["method"] == "fault")
        .unwrap();
    assert!(
        fault.to_string().contains("the grudge is 0") && fault.to_string().contains("duel.luau"),
        "{fault}"
    );
    assert_eq!(door.hash(), before);
}

#[test]
fn bots_stop_in_a_game_that_does_not_end() {
    let bots = ["red", "blue"].map(|side| (side.to_string(), BotSort::Random));
    let start = Start {
        scenario: "yard".into(),
        bots: bots.into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&[folder("duel")], &start).unwrap();
    table.stop_bots_at(500);
    let Trouble::Faults { faults, .. } = table.bots().unwrap_err() else {
        panic!()
    };
    assert!(
        faults[0].message.contains("goes on after 500 decisions"),
        "{faults:?}"
    );
    assert_eq!(table.standing().decisions, 500, "what they decided stands");
    assert!(table.bots().is_err() && table.standing().decisions == 500);
}

// ---- JSON-RPC 2.0 -----------------------------------------------------------

/// The reply to a line, if there is one.
fn reply(door: &mut Door, line: &[u8]) -> Option<Json> {
    door.server.line(door.host, line);
    let lines = door.server.drain(door.host);
    lines.last().map(|line| serde_json::from_str(line).unwrap())
}

/// The code of the error that a line gets, and the id that it is sent back with.
fn code_and_id(door: &mut Door, line: &[u8]) -> (i64, Json) {
    let reply = reply(door, line).unwrap();
    assert_eq!(
        (&reply["jsonrpc"], reply.get("result")),
        (&json!("2.0"), None),
        "{reply}"
    );
    (
        reply["error"]["code"].as_i64().unwrap(),
        reply["id"].clone(),
    )
}

/// Each line gets its code and its id, and the match stands as it stood.
fn are_refused(cases: &[(&[u8], (i64, Json))]) {
    let mut door = Door::drill(json!({}));
    let before = door.hash();
    for (line, expected) in cases {
        assert_eq!(
            &code_and_id(&mut door, line),
            expected,
            "{}",
            String::from_utf8_lossy(line)
        );
    }
    assert_eq!(door.hash(), before);
}

#[test]
fn what_is_no_json_is_refused_and_not_done() {
    // What is no UTF-8 is no JSON, and is not done: here an undo, with one byte of the key spoilt.
    let mut spoilt = br#"{"jsonrpc":"2.0","id":1,"method":"bots","params":{},"toke?":1}"#.to_vec();
    let place = spoilt.iter().position(|byte| *byte == b'?').unwrap();
    spoilt[place] = 0xff;
    let truncated = br#"{"jsonrpc":"2.0","id":1,"method""#;
    let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    are_refused(&[
        (&spoilt[..], (-32700, Json::Null)),
        (&truncated[..], (-32700, Json::Null)),
        (deep.as_bytes(), (-32700, Json::Null)),
    ]);
}

#[test]
fn what_is_json_and_no_request_is_refused() {
    are_refused(&[
        (&br#""hash""#[..], (-32600, Json::Null)),
        (br#"{}"#, (-32600, Json::Null)),
        (
            br#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#,
            (-32600, Json::Null),
        ),
        (
            br#"{"jsonrpc":"2.0","id":4,"method":"hash","params":"bar"}"#,
            (-32600, json!(4)),
        ),
        (
            br#"{"jsonrpc":"2.0","id":4,"method":"hash","params":null}"#,
            (-32600, json!(4)),
        ),
        (
            br#"{"jsonrpc":"2.0","id":[4],"method":"hash"}"#,
            (-32600, Json::Null),
        ),
        (
            br#"{"jsonrpc":"2.0","id":true,"method":"hash"}"#,
            (-32600, Json::Null),
        ),
        (
            br#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"hash"}"#,
            (-32600, Json::Null),
        ),
        (
            br#"{"jsonrpc":"2.0","id":1,"token":7,"method":"hash"}"#,
            (-32600, json!(1)),
        ),
    ]);
}

#[test]
fn a_request_for_no_method_or_with_wrong_params_is_refused() {
    are_refused(&[
        (
            &br#"{"jsonrpc":"2.0","id":"x","method":"rpc.hash"}"#[..],
            (-32601, json!("x")),
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"hash","params":[1]}"#,
            (-32602, Json::Null),
        ),
        (
            br#"{"jsonrpc":"2.0","id":-7,"method":"news","params":{"since":1e30}}"#,
            (-32602, json!(-7)),
        ),
        (
            br#"{"jsonrpc":"2.0","id":1.5,"method":"news","params":{"since":-1}}"#,
            (-32602, json!(1.5)),
        ),
    ]);
}

#[test]
fn a_notification_gets_no_reply_and_a_batch_one_for_each_request() {
    let mut door = Door::drill(json!({}));
    let before = door.hash();
    for line in [
        &br#"{"jsonrpc":"2.0","method":"hush"}"#[..],
        br#"{"jsonrpc":"2.0","method":"view","params":{"viewer":"nobody"}}"#,
        br#"{"jsonrpc":"2.0","method":"view","params":[1]}"#,
        br#"{"jsonrpc":"2.0","method":"view","token":"forged"}"#,
        br#"[{"jsonrpc":"2.0","method":"hush"},{"jsonrpc":"2.0","method":"hash"}]"#,
    ] {
        assert_eq!(
            reply(&mut door, line),
            None,
            "{}",
            String::from_utf8_lossy(line)
        );
    }
    let batch = br#"[{"jsonrpc":"2.0","id":"a","method":"hash"},1,{"jsonrpc":"2.0","method":"hash"},{"jsonrpc":"2.0","id":"b","method":"hush"},{"jsonrpc":"2.0","id":"a","method":"hash"}]"#;
    let replies = reply(&mut door, batch).unwrap();
    let ids: Vec<&Json> = replies
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| &reply["id"])
        .collect();
    assert_eq!(ids, [&json!("a"), &Json::Null, &json!("b"), &json!("a")]);
    assert_eq!(door.hash(), before);
    let act = json!({ "jsonrpc": "2.0", "method": "submit", "params": { "input": order_of("blue", "hold") } });
    assert_eq!(reply(&mut door, act.to_string().as_bytes()), None);
    assert_ne!(door.hash(), before);
}

/// Requests as a client might send them, for the fuzzer to spoil.
fn requests() -> Vec<Vec<u8>> {
    let methods = schema()["roles"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect::<Vec<_>>();
    // What leaves the match for another, or writes files, is not for the fuzzer to find.
    let is_safe =
        |method: &String| !["start", "load", "resume", "save", "watch"].contains(&&**method);
    let mut lines: Vec<Vec<u8>> = methods
        .iter()
        .filter(|method| is_safe(method))
        .flat_map(|method| {
            let with =
                |id: Json| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": least(method) });
            let without = json!({ "jsonrpc": "2.0", "method": method, "params": least(method) });
            [with(json!(1)), with(json!("id")), with(Json::Null), without]
        })
        .map(|json| json.to_string().into_bytes())
        .collect();
    let batch = format!(
        "[{}]",
        lines
            .iter()
            .take(9)
            .map(|line| String::from_utf8_lossy(line))
            .collect::<Vec<_>>()
            .join(",")
    );
    lines.push(batch.into_bytes());
    lines
}

/// A line that a broken or hostile client might send.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let valid = || prop::sample::select(requests());
    let spoilt = (
        valid(),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    )
        .prop_map(|(mut line, bytes)| {
            bytes.iter().for_each(|(place, byte)| {
                let place = place.index(line.len());
                line[place] = *byte;
            });
            line
        });
    let cut = (valid(), any::<prop::sample::Index>())
        .prop_map(|(line, at)| line[..at.index(line.len())].to_vec());
    let deep = (
        1usize..400,
        prop::sample::select(vec!["[", "{\"a\":", "[["]),
    )
        .prop_map(|(n, open)| open.repeat(n).into_bytes());
    let huge = prop::sample::select(vec![
        "1e999",
        "-1",
        "99999999999999999999",
        "1e30",
        "0.1",
        "4294967296",
    ])
    .prop_map(|number| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"news","params":{{"since":{number}}}}}"#
        )
        .into_bytes()
    });
    let bytes = prop::collection::vec(any::<u8>(), 0..80);
    prop_oneof![4 => valid(), 4 => spoilt, 2 => cut, 1 => deep, 1 => huge, 1 => bytes]
}

/// A reply bears its id and either a result or an error, and an error has a code
/// and words.
fn is_reply(reply: &Json) -> Result<(), String> {
    let fields = reply.as_object().ok_or("a reply that is no object")?;
    let is_one = fields.contains_key("result") != fields.contains_key("error");
    let has_code = fields
        .get("error")
        .is_none_or(|error| error["code"].is_i64() && error["message"].is_string());
    if fields.get("jsonrpc") == Some(&json!("2.0"))
        && fields.contains_key("id")
        && is_one
        && has_code
    {
        return Ok(());
    }
    Err(format!("not a reply: {reply}"))
}

/// A notification is a request in all but its id, and gets no reply.
fn is_notification(message: &Json) -> bool {
    message.is_object()
        && message.get("id").is_none()
        && message["jsonrpc"] == "2.0"
        && message["method"].is_string()
        && message
            .get("params")
            .is_none_or(|params| params.is_object() || params.is_array())
        && message
            .as_object()
            .unwrap()
            .keys()
            .all(|key| ["jsonrpc", "method", "params", "token"].contains(&&**key))
        && message.get("token").is_none_or(Json::is_string)
}

/// What the reply to a line must be: none, one, or as many as a batch asks for.
fn is_proper(line: &[u8], reply: Option<&Json>) -> Result<(), String> {
    match serde_json::from_slice::<Json>(line) {
        Err(_) => match reply {
            Some(reply) if reply["error"]["code"] == -32700 && reply["id"].is_null() => Ok(()),
            other => Err(format!("expected that it is not JSON, found {other:?}")),
        },
        Ok(Json::Array(batch)) if !batch.is_empty() && batch.len() <= 100 => {
            let asked = batch
                .iter()
                .filter(|message| !is_notification(message))
                .count();
            let given = reply.map_or(0, |reply| reply.as_array().map_or(0, Vec::len));
            if asked != given {
                return Err(format!("expected {asked} replies, found {given}"));
            }
            reply
                .and_then(Json::as_array)
                .into_iter()
                .flatten()
                .try_for_each(is_reply)
        }
        Ok(message) if is_notification(&message) => match reply {
            None => Ok(()),
            Some(reply) => Err(format!("a notification got {reply}")),
        },
        Ok(message) => {
            let reply = reply.ok_or("no reply")?;
            let id = message
                .get("id")
                .filter(|id| id.is_string() || id.is_number())
                .cloned()
                .unwrap_or_default();
            if !reply["id"].is_null() && reply["id"] != id {
                return Err(format!("expected the id {id}, found {reply}"));
            }
            is_reply(reply)
        }
    }
}

#[test]
fn whatever_clients_send_is_answered_properly_and_the_match_goes_on() {
    let mut runner = TestRunner::new(Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    });
    let course = prop::collection::vec((lines(), 0u8..4), 1..60);
    runner
        .run(&course, |course| {
            let mut door = Door::drill(json!({ "others": "random" }));
            let blue = door.side("blue");
            door.call(door.host, "subscribe", json!({ "viewer": "referee" }))
                .unwrap();
            let from = [door.host, blue, door.server.connect(), door.side("red")];
            for (line, who) in course {
                let who = from[who as usize];
                for one in from {
                    door.server.drain(one);
                }
                door.server.line(who, &line);
                let mut messages = door.received(who);
                messages
                    .retain(|message| !(message.is_object() && message.get("method").is_some()));
                prop_assert!(messages.len() <= 1, "{messages:?}");
                if let Err(reason) = is_proper(&line, messages.first()) {
                    return Err(TestCaseError::fail(format!(
                        "{reason}: {}",
                        String::from_utf8_lossy(&line)
                    )));
                }
            }
            // The match is whole: what stands can be made again, and goes on to its end.
            let host = door.host;
            for side in ["blue", "red"] {
                door.call(host, "set_bot", json!({ "side": side, "bot": "random" }))
                    .unwrap();
            }
            let end = door.call(host, "bots", json!({})).unwrap();
            prop_assert_eq!(&end["over"], &json!(true));
            let hash = door.hash();
            door.call(host, "undo", json!({ "keep": 0 })).unwrap();
            while door.call(host, "redo", json!({})).is_ok() {}
            prop_assert_eq!(door.hash(), hash);
            Ok(())
        })
        .unwrap();
}
