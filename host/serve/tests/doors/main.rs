//! The doors as clients find them: seats by WebSocket and plain HTTP, what is
//! turned away, and what is missed while a line is broken.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may unwrap and panic")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use houserule::embed::{BotSort, Seat, Seats, Start, Tabletop};
use houserule_serve::guard::Names;
use houserule_serve::{Branches, Hall, Opening, Room, Serving, serve};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const NOBODY_IS_THAT_SLOW: Duration = Duration::from_secs(60);

fn folders() -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    vec![root.join("mods"), root.join("docs/examples")]
}

/// A table that is served, and the tokens of its seats.
struct Table {
    port: u16,
    tokens: BTreeMap<&'static str, String>,
    serving: Arc<Serving>,
}

/// Serves the drill.
async fn table(journal: Option<PathBuf>, bots: &[&str], idle: Option<Duration>) -> Table {
    table_of("drill/range", journal, bots, idle).await
}

async fn table_of(scenario: &str, journal: Option<PathBuf>, bots: &[&str], idle: Option<Duration>) -> Table {
    let mut seats = Seats::default();
    let mut tokens = BTreeMap::new();
    for side in ["blue", "red"] {
        tokens.insert(side, seats.give(Seat::of_side(side)).unwrap().1);
    }
    tokens.insert("spectator", seats.give(Seat::Spectator).unwrap().1);
    tokens.insert("referee", seats.give(Seat::Referee).unwrap().1);
    let start = Start {
        scenario: scenario.into(),
        bots: bots.iter().map(|side| (side.to_string(), BotSort::Greedy)).collect(),
        journal: journal.clone(),
        ..Start::default()
    };
    let hall = Arc::new(Hall::default());
    let branches = journal.as_ref().map(|journal| Branches {
        hall: Arc::downgrade(&hall),
        folders: folders(),
        journal: journal.clone(),
    });
    let opened = move || match journal.as_ref().filter(|journal| journal.exists()) {
        Some(journal) => Ok(Tabletop::resume(journal, &folders(), false)?.table),
        None => Tabletop::start(&folders(), &start),
    };
    let opening = Opening {
        table: Box::new(opened),
        folders: folders(),
        watch: None,
        pause: Duration::ZERO,
        idle,
        branches,
    };
    hall.add("table", Room::new(opening, seats));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = Arc::new(Serving::new(hall, Names::of(port, &[])));
    tokio::spawn(serve(listener, serving.clone(), std::future::pending()));
    Table { port, tokens, serving }
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u64,
    /// Changes that were told, in order.
    changes: Vec<Json>,
}

impl Client {
    async fn connect(table: &Table) -> Client {
        let (socket, _) = connect_async(format!("ws://127.0.0.1:{}/ws", table.port)).await.unwrap();
        Client { socket, last: 0, changes: Vec::new() }
    }

    /// Takes a seat and follows.
    async fn seated(table: &Table, seat: &str, have: Json) -> Client {
        let mut client = Client::connect(table).await;
        let hello = client.call("hello", json!({ "token": table.tokens[seat] })).await;
        assert_eq!(hello["result"]["viewer"], *seat, "{hello}");
        client.call("follow", json!({ "have": have })).await;
        client
    }

    async fn call(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.socket.send(Message::text(message.to_string())).await.unwrap();
        loop {
            let message = self.next().await.expect("a reply");
            if message["id"] == self.last {
                return message;
            }
        }
    }

    /// The next message; changes are kept too.
    async fn next(&mut self) -> Option<Json> {
        let message = tokio::time::timeout(NOBODY_IS_THAT_SLOW, self.socket.next()).await.unwrap()?;
        match message.ok()? {
            Message::Text(text) => {
                let message: Json = serde_json::from_str(&text).unwrap();
                if message["method"] == "change" {
                    self.changes.push(message["params"].clone());
                }
                Some(message)
            }
            Message::Close(_) => None,
            _ => Some(Json::Null),
        }
    }

    /// Reads until somebody must decide something, as the viewer knows it.
    async fn until(&mut self, is_it: impl Fn(&Json) -> bool) {
        while !self.changes.last().is_some_and(&is_it) {
            self.next().await.expect("a change");
        }
    }

    /// What all changes say together.
    fn picture(&self) -> BTreeMap<u64, BTreeMap<String, Json>> {
        let mut picture: BTreeMap<u64, BTreeMap<String, Json>> = BTreeMap::new();
        for change in &self.changes {
            if change["whole"] == true {
                picture.clear();
            }
            for moved in change["set"].as_array().into_iter().flatten() {
                let entity = picture.entry(moved["entity"].as_u64().unwrap()).or_default();
                for part in ["kind", "label", "hidden"] {
                    if let Some(value) = moved.get(part) {
                        entity.insert(part.into(), value.clone());
                    }
                }
                for (name, value) in moved["attributes"].as_object().into_iter().flatten() {
                    entity.insert(format!("attribute {name}"), value.clone());
                }
            }
            for gone in change["gone"].as_array().into_iter().flatten() {
                picture.remove(&gone.as_u64().unwrap());
            }
        }
        picture
    }
}

#[tokio::test]
async fn a_game_is_played_by_two_and_watched_by_a_third() {
    let table = table(None, &["red"], None).await;
    let mut watcher = Client::seated(&table, "spectator", Json::Null).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    for _ in 0..200 {
        let prompt = blue.call("prompt", json!({})).await["result"].clone();
        match prompt["prompt"].as_str().unwrap() {
            "over" => break,
            "wait" => {
                blue.next().await;
            }
            "answer" => {
                let question = &prompt["question"];
                let value = question["asked"][0]["domain"]["choices"][0]["value"].clone();
                let input =
                    json!({ "input": "answer", "by": "blue", "question": question["id"], "value": value });
                blue.call("submit", json!({ "ask": prompt["ask"], "input": input })).await;
            }
            _ => {
                let legal = blue.call("legal", json!({ "allowed": true })).await["result"].clone();
                let kind = match (legal["decline"] == true, legal["pass_refused"].is_null()) {
                    (true, _) => "decline",
                    (false, true) => "pass",
                    (false, false) => "done",
                };
                let input = json!({ "input": kind, "by": "blue" });
                blue.call("submit", json!({ "ask": prompt["ask"], "input": input })).await;
            }
        }
    }
    assert_eq!(blue.call("prompt", json!({})).await["result"]["prompt"], "over");
    watcher.until(|change| change["ask"]["prompt"] == "over").await;
    let events = |client: &Client| -> usize {
        client.changes.iter().map(|change| change["news"]["events"].as_array().map_or(0, Vec::len)).sum()
    };
    assert!(events(&watcher) > 5, "{:?}", watcher.changes);
}

#[tokio::test]
async fn changes_add_up_to_what_a_newcomer_is_told() {
    let table = table_of("skirmish", None, &["blue", "red"], None).await;
    let mut early = Client::seated(&table, "referee", Json::Null).await;
    early.until(|change| change["ask"]["prompt"] == "over").await;
    let late = {
        let mut late = Client::seated(&table, "referee", Json::Null).await;
        late.until(|change| change["whole"] == true).await;
        late
    };
    // Attributes that hold the default again are told to one and left out for the other.
    let catalogue = early.call("catalogue", json!({})).await["result"].clone();
    let bare = |client: &Client| {
        let mut picture = client.picture();
        for entity in picture.values_mut() {
            let kind = entity["kind"].as_str().unwrap().to_string();
            entity.retain(|name, value| match name.strip_prefix("attribute ") {
                Some(name) => catalogue["kinds"][&kind]["attributes"][name]["default"] != *value,
                None => true,
            });
        }
        picture
    };
    assert_eq!(bare(&early), bare(&late));
    assert!(bare(&late).len() > 2);
}

#[tokio::test]
async fn who_comes_back_is_told_what_was_missed_and_no_more() {
    let table = table(None, &[], None).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["whole"] == true).await;
    let has = blue.changes.last().cloned().unwrap();
    drop(blue);
    let mut other = Client::seated(&table, "blue", Json::Null).await;
    let legal = other.call("legal", json!({})).await["result"].clone();
    let kind = if legal["pass_refused"].is_null() { "pass" } else { "done" };
    let prompt = other.call("prompt", json!({})).await["result"].clone();
    let input = json!({ "input": kind, "by": "blue" });
    let submission = json!({ "ask": prompt["ask"], "key": "one", "input": input });
    let first = other.call("submit", submission.clone()).await;
    assert!(first["result"].is_object(), "{first}");
    let again = other.call("submit", submission).await;
    assert_eq!(first["result"], again["result"], "the same key is taken once");

    let have = json!({ "game": has["game"], "seq": has["seq"] });
    let mut back = Client::seated(&table, "blue", have).await;
    back.call("prompt", json!({})).await;
    assert!(!back.changes.is_empty());
    assert!(back.changes.iter().all(|change| change["whole"] != true), "{:?}", back.changes);
    let mut stranger = Client::seated(&table, "blue", json!({ "game": "g9", "seq": 1 })).await;
    stranger.call("prompt", json!({})).await;
    assert_eq!(stranger.changes[0]["whole"], true, "another game is told whole");
}

/// Sends a request as it stands, and gives what comes back.
async fn raw(table: &Table, request: &str) -> String {
    let request = request.replace("PORT", &table.port.to_string());
    let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut reply)).await;
    String::from_utf8_lossy(&reply).into_owned()
}

/// Sends bytes, and gives what comes back until the line is closed.
async fn sent(table: &Table, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    String::from_utf8_lossy(&reply).into_owned()
}

#[tokio::test]
async fn foreign_pages_names_and_tokens_are_turned_away() {
    let table = table(None, &[], None).await;
    let url = format!("ws://127.0.0.1:{}/ws", table.port);
    let mut request = url.clone().into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    assert!(connect_async(request).await.unwrap_err().to_string().contains("403"));
    let reply = raw(&table, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").await;
    assert!(reply.starts_with("HTTP/1.1 403"), "{reply}");
    let reply = raw(&table, "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n").await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("default-src 'none'"), "{reply}");

    let mut client = Client::connect(&table).await;
    assert_eq!(client.call("view", json!({})).await["error"]["code"], -32007);
    assert_eq!(client.call("hello", json!({ "token": "forged" })).await["error"]["code"], -32008);
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    for (method, params) in [
        ("view", json!({ "viewer": "red" })),
        ("follow", json!({ "viewer": "referee" })),
        ("save", json!({ "path": "stolen.journal" })),
        ("load", json!({ "path": "/etc/passwd" })),
        ("start", json!({ "scenario": "drill/range" })),
        ("give_seat", json!({ "seat": "referee" })),
        ("undo", json!({})),
    ] {
        assert_eq!(blue.call(method, params).await["error"]["code"], -32007, "{method}");
    }
    assert!(blue.call("about", json!({})).await["result"]["journal"].is_null());
}

#[tokio::test]
async fn programs_without_sockets_post_and_listen() {
    let table = table(None, &[], None).await;
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"prompt"}"#;
    let post = |token: &str, body: &str| {
        format!(
            "POST /rpc HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n{token}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let bearer = format!("Authorization: Bearer {}\r\n", table.tokens["blue"]);
    let reply = raw(&table, &post(&bearer, body)).await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains(r#""id":7"#), "{reply}");
    assert!(raw(&table, &post("", body)).await.starts_with("HTTP/1.1 401"));
    assert!(raw(&table, &post("Authorization: Bearer no\r\n", body)).await.starts_with("HTTP/1.1 403"));
    let events = format!("GET /events HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n{bearer}\r\n");
    let reply = raw(&table, &events).await;
    assert!(reply.contains("event: change") && reply.contains("id: g1-"), "{reply}");
}

/// A body that a program might post, and many that none should.
fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let messages = [
        r#"{"jsonrpc":"2.0","id":7,"method":"prompt"}"#,
        r#"{"jsonrpc":"2.0","method":"prompt"}"#,
        r#"{"jsonrpc":"2.0","method":"subscribe"}"#,
        r#"{"jsonrpc":"2.0","id":"f","method":"follow"}"#,
        r#"{"jsonrpc":"2.0","method":"no.such"}"#,
        r#"{"jsonrpc":"2.0","method":"submit","params":{"input":{"input":"done","by":"red"}}}"#,
        r#"[{"jsonrpc":"2.0","method":"prompt"},{"jsonrpc":"2.0","method":"view"}]"#,
        r#"[{"jsonrpc":"2.0","method":"prompt"},{"jsonrpc":"2.0","id":1,"method":"view"}]"#,
        "[]",
        "",
    ];
    let whole = || prop::sample::select(messages.to_vec()).prop_map(|text| text.as_bytes().to_vec());
    let cut = (whole(), any::<prop::sample::Index>()).prop_map(|(mut body, at)| {
        body.truncate(at.index(body.len() + 1));
        body
    });
    let spoilt = (whole(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut body, at, byte)| {
        let length = body.len();
        body.get_mut(at.index(length.max(1))).into_iter().for_each(|place| *place = byte);
        body
    });
    prop_oneof![3 => whole(), 2 => cut, 2 => spoilt, 1 => prop::collection::vec(any::<u8>(), 0..60)]
}

/// Whatever is posted is answered at once: with a reply, or with nothing where
/// none is asked for.
#[test]
fn whatever_is_posted_is_answered_at_once() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let table = runtime.block_on(table(None, &[], None));
    let post = |body: &[u8]| {
        let head = format!(
            "POST /rpc HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Length: {}\r\n\r\n",
            table.port,
            table.tokens["blue"],
            body.len()
        );
        let request = [head.as_bytes(), body].concat();
        let answer = async { tokio::time::timeout(NOBODY_IS_THAT_SLOW, sent(&table, &request)).await };
        let reply = runtime.block_on(answer);
        reply.unwrap_or_else(|_| panic!("no answer to {:?}", String::from_utf8_lossy(body)))
    };
    let status = |body: &str| post(body.as_bytes())[9..12].to_string();
    assert_eq!(status(r#"{"jsonrpc":"2.0","method":"prompt"}"#), "204");
    assert_eq!(status(r#"[{"jsonrpc":"2.0","method":"prompt"}]"#), "204");
    assert_eq!(status(r#"{"jsonrpc":"2.0","id":1,"method":"prompt"}"#), "200");
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    runner
        .run(&bodies(), |body| {
            let reply = post(&body);
            let (head, content) = reply.split_once("\r\n\r\n").unwrap();
            match &head[9..12] {
                "204" => prop_assert_eq!(content, ""),
                "200" => prop_assert!(serde_json::from_str::<Json>(content).is_ok(), "{}", content),
                other => prop_assert!(false, "status {}", other),
            }
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn who_says_too_much_is_shown_out_and_the_game_goes_on() {
    let table = table(None, &[], None).await;
    let mut flood = Client::seated(&table, "red", Json::Null).await;
    for id in 0..2_000 {
        let message = json!({ "jsonrpc": "2.0", "id": id + 1_000, "method": "prompt" }).to_string();
        if flood.socket.send(Message::text(message)).await.is_err() {
            break;
        }
    }
    while flood.next().await.is_some() {}
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(blue.call("prompt", json!({})).await["result"]["prompt"], "act");
    let huge = "x".repeat(2 << 20);
    let _ = blue.socket.send(Message::text(huge)).await;
    while blue.next().await.is_some() {}
    let mut again = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(again.call("prompt", json!({})).await["result"]["prompt"], "act");
}

#[tokio::test]
async fn a_match_that_nobody_uses_sleeps_and_wakes_as_it_was() {
    let folder = std::env::temp_dir().join(format!("houserule-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let journal = folder.join("drill.journal");
    let table = table(Some(journal), &["red"], Some(Duration::from_millis(50))).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["ask"]["prompt"] == "act").await;
    let before = blue.picture();
    let hash = Client::seated(&table, "referee", Json::Null).await.call("hash", json!({})).await;
    assert_eq!(table.serving.hall.count(), (1, 1));
    drop(blue);
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        if table.serving.hall.count() == (1, 0) {
            break;
        }
    }
    assert_eq!(table.serving.hall.count(), (1, 0), "it sleeps");
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["whole"] == true).await;
    assert_eq!(blue.picture(), before);
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    assert_eq!(referee.call("hash", json!({})).await["result"], hash["result"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_referee_plays_on_beside_the_game_and_nobody_else_does() {
    let folder = std::env::temp_dir().join(format!("houserule-branch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(Some(folder.join("drill.journal")), &[], None).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(blue.call("branch", json!({})).await["error"]["code"], -32007);
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    assert!(blue.call("submit", done.clone()).await["result"].is_object());
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let hash = referee.call("hash", json!({})).await["result"].clone();
    let branched = referee.call("branch", json!({ "at": 0 })).await["result"].clone();
    assert_eq!((&branched["room"], &branched["decisions"]), (&json!("what-if-1"), &json!(0)));
    let (socket, _) = connect_async(format!("ws://127.0.0.1:{}/ws/what-if-1", table.port)).await.unwrap();
    let mut beside = Client { socket, last: 0, changes: Vec::new() };
    let hello = beside.call("hello", json!({ "token": branched["token"] })).await;
    assert_eq!(hello["result"]["at"], json!({ "seat": "sides", "sides": ["blue", "red"] }));
    assert!(beside.call("submit", done).await["result"].is_object(), "it goes on from before that");
    let forged = beside.call("hello", json!({ "token": table.tokens["referee"] })).await;
    assert_eq!(forged["error"]["code"], -32008, "a seat is at one table");
    assert_eq!(referee.call("hash", json!({})).await["result"], hash);
    assert_eq!(referee.call("branch", json!({})).await["result"]["room"], "what-if-2");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A server that goes on after another, as one that was killed: seats hold, what
/// was taken is not taken again, and who comes back is told everything.
#[tokio::test]
async fn seats_and_decisions_outlive_a_server() {
    let folder = std::env::temp_dir().join(format!("houserule-again-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (journal, kept) = (folder.join("drill.journal"), folder.join("drill.journal.seats"));
    let token = Seats::kept_in(&kept).unwrap().give(Seat::of_side("blue")).unwrap().1;
    let start = Start { scenario: "drill/range".into(), journal: Some(journal.clone()), ..Start::default() };
    drop(Tabletop::start(&folders(), &start).unwrap());
    let submit = json!({ "key": "once", "input": { "input": "done", "by": "blue" } });
    let mut seen = Vec::new();
    for _ in 0..2 {
        let opened = journal.clone();
        let opening = Opening {
            table: Box::new(move || Ok(Tabletop::resume(&opened, &folders(), false)?.table)),
            folders: folders(),
            watch: None,
            pause: Duration::ZERO,
            idle: None,
            branches: None,
        };
        let hall = Arc::new(Hall::default());
        hall.add("table", Room::new(opening, Seats::kept_in(&kept).unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = Arc::new(Serving::new(hall, Names::of(port, &[])));
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, serving.clone(), async { drop(ended.await) }));
        let table = Table { port, tokens: [("blue", token.clone())].into(), serving };
        let have = seen.last().map_or(Json::Null, |(have, _): &(Json, Json)| have.clone());
        let mut blue = Client::seated(&table, "blue", have).await;
        let taken = blue.call("submit", submit.clone()).await["result"].clone();
        assert!(taken.is_object());
        blue.until(|change| change["whole"] == true || change["ask"].is_object()).await;
        let last = blue.changes.last().unwrap();
        seen.push((json!({ "game": last["game"], "seq": last["seq"] }), taken));
        drop((blue, table, end));
        server.abort();
        // The thread of the room lets the journal go when nobody is at its door.
        for _ in 0..200 {
            if Tabletop::resume(&journal, &folders(), false).is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    assert_eq!(seen[0].1, seen[1].1, "the same reply, and nothing is done twice");
    assert_ne!(seen[0].0["game"], seen[1].0["game"], "numbers of one server mean nothing to another");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_match_sleeps_under_those_who_are_connected_and_wakes_when_one_says_something() {
    let folder = std::env::temp_dir().join(format!("houserule-sleep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(Some(folder.join("drill.journal")), &[], Some(Duration::from_millis(50))).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    let mut red = Client::seated(&table, "red", Json::Null).await;
    blue.until(|change| change["ask"]["prompt"] == "act").await;
    red.until(|change| change["ask"]["prompt"] == "act").await;
    let before = red.picture();
    for _ in 0..200 {
        if table.serving.hall.count() == (1, 0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(table.serving.hall.count(), (1, 0), "it sleeps");
    let seq = red.changes.last().unwrap()["seq"].as_u64().unwrap();
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    assert!(blue.call("submit", done).await["result"].is_object());
    red.until(|change| change["whole"] == true && change["seq"].as_u64() > Some(seq)).await;
    assert_eq!(red.picture(), before, "who waited is told the same");
    assert_eq!(table.serving.hall.count(), (1, 1));
    std::fs::remove_dir_all(&folder).unwrap();
}
