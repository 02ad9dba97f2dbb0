//! `houserule rpc` as a front-end uses it: whole games, and messages that no
//! front-end should send.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A server that runs beside the test.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    notifications: Vec<Json>,
}

impl Server {
    fn new() -> Server {
        Server::with(&["docs/examples", "mods"])
    }

    /// A server that knows only the mods of these folders.
    fn with(folders: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        command.arg("rpc");
        for folder in folders {
            command.arg("--mods").arg(root().join(folder));
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Server {
            child,
            input,
            output,
            last: 0,
            notifications: Vec::new(),
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    fn read(&mut self) -> Json {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The reply to a request; what is told before it is kept.
    fn call(&mut self, method: &str, params: Json) -> Result<Json, Json> {
        self.last += 1;
        let id = self.last;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        loop {
            let message = self.read();
            if message["id"] == json!(id) {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.notifications.push(message);
        }
    }

    fn code(&mut self, method: &str, params: Json) -> i64 {
        self.call(method, params).unwrap_err()["code"]
            .as_i64()
            .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Who stops it when it has answered everything has lost nothing, and is not told so.
#[cfg(unix)]
#[test]
fn one_that_is_stopped_says_whether_all_was_answered() {
    let mut server = Server::new();
    server.call("scenarios", json!({})).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let sent = Command::new("kill")
        .args(["-INT", &server.child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let mut told = String::new();
    let mut errors = server.child.stderr.take().unwrap();
    errors.read_to_string(&mut told).unwrap();
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
    assert_eq!(told.trim(), "stopped; all requests were answered");
}

#[test]
fn no_turns_at_all_are_refused() {
    let mut server = Server::new();
    let why = server
        .call("start", json!({ "scenario": "drill/range", "turns": 0 }))
        .unwrap_err();
    let why = why.to_string();
    assert!(why.contains("number of turns from 1 on, found 0"), "{why}");
}

#[test]
fn bots_play_a_game_and_everybody_is_told() {
    let mut server = Server::new();
    let titles = server.call("scenarios", json!({})).unwrap();
    assert!(
        titles
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["scenario"] == "drill/range")
    );
    server
        .call("subscribe", json!({ "viewer": "spectator" }))
        .unwrap();
    let start = json!({ "scenario": "drill/range", "others": "greedy" });
    assert_eq!(server.call("start", start).unwrap()["decisions"], 0);
    let end = server.call("bots", json!({})).unwrap();
    assert_eq!(end["over"], true);
    let methods: Vec<&str> = server
        .notifications
        .iter()
        .map(|message| message["method"].as_str().unwrap())
        .collect();
    assert!(
        methods.contains(&"news") && methods.contains(&"prompt"),
        "{methods:?}"
    );
    assert_eq!(
        server.notifications.last().unwrap()["params"]["prompt"]["prompt"],
        "over"
    );
    let hash = server.call("hash", json!({})).unwrap();
    assert_eq!(hash.as_str().unwrap().len(), 64);
    let view = server.call("view", json!({ "viewer": "referee" })).unwrap();
    assert!(!view["entities"].as_array().unwrap().is_empty());
    let decisions = server
        .call("decisions", json!({}))
        .unwrap()
        .as_array()
        .unwrap()
        .len();
    assert_eq!(end["decisions"], decisions);
    // Nobody but bots has decided, so there is nothing of theirs to take back.
    assert_eq!(server.code("undo", json!({ "by": "referee" })), -32000);
    // The same game again, from its decisions.
    let undone = server
        .call("undo", json!({ "by": "referee", "keep": 0 }))
        .unwrap();
    assert_eq!(undone["taken_back"], decisions);
    while server.call("redo", json!({})).is_ok() {}
    assert_eq!(server.call("hash", json!({})).unwrap(), hash);
}

#[test]
fn a_side_plays_by_hand() {
    let mut server = Server::new();
    let start = json!({ "scenario": "drill/range", "bots": { "blue": "greedy" } });
    server.call("start", start).unwrap();
    let standing = server.call("bots", json!({})).unwrap();
    assert_eq!(standing["waiting_for"], json!(["red"]));
    let legal = server.call("legal", json!({ "side": "red" })).unwrap();
    let first = legal["actions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["refused"].is_null())
        .unwrap()
        .clone();
    let (action, actor) = (first["id"].clone(), first["actor"].clone());
    let next = json!({ "side": "red", "action": action, "actor": actor, "params": {} });
    let next = server.call("next_param", next).unwrap();
    assert_eq!(next["domain"]["domain"], "choices");
    let value = next["domain"]["choices"][0]["value"].clone();
    let name = next["name"].as_str().unwrap();
    let input = json!({ "input": "act", "by": "red", "action": action, "actor": actor, "params": { name: value } });
    let ask = server.call("standing", json!({ "viewer": "red" })).unwrap()["ask"].clone();
    let stale = json!({ "ask": ask.as_u64().unwrap() + 1, "input": input });
    assert_eq!(server.code("submit", stale), -32002);
    assert_eq!(
        server
            .call("submit", json!({ "ask": ask, "input": input }))
            .unwrap()["by"],
        "red"
    );
    // The wrong side, a question that is not asked, an entity that is not there.
    let answer =
        json!({ "input": "answer", "by": "red", "question": "drill.no.question", "value": true });
    assert_eq!(server.code("submit", json!({ "input": answer })), -32000);
    let other =
        json!({ "input": "act", "by": "blue", "action": action, "actor": { "entity": 999 } });
    assert_eq!(server.code("submit", json!({ "input": other })), -32000);
    let nobody = json!({ "input": "pass", "by": "green" });
    assert_eq!(server.code("submit", json!({ "input": nobody })), -32004);
    assert_eq!(
        server.code("undo", json!({ "by": "referee", "keep": 99 })),
        -32000
    );
    assert_eq!(server.code("why", json!({ "event": 1 })), -32000);
}

#[test]
fn what_is_no_request_gets_a_proper_error() {
    let mut server = Server::new();
    for (line, code) in [
        ("{", -32700),
        ("\u{1}\u{2}", -32700),
        ("3", -32600),
        ("[]", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"hash"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"hash"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"hash","more":1}"#,
            -32600,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"hush"}"#, -32601),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"hash","params":[1]}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"next_param","params":{"side":"red"}}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"legal","params":{"side":"red","x":1}}"#,
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"hash"}"#, -32003),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"start","params":{"scenario":"nosuch"}}"#,
            -32001,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"load","params":{"path":"/no/such/file"}}"#,
            -32001,
        ),
    ] {
        server.send(line);
        let reply = server.read();
        assert_eq!(reply["error"]["code"], json!(code), "{line}: {reply}");
    }
    // What is no UTF-8 is not mended and not done, and the next one is read.
    server
        .input
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"scenarios\",\"params\":{}\xff}\n")
        .unwrap();
    assert_eq!(server.read()["error"]["code"], -32700);
    // Far too long, and the next one is read as if nothing had been.
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(2 << 20)
    );
    server.send(&long);
    assert_eq!(server.read()["error"]["code"], -32006);
    // A notification gets no reply; a batch gets one for each that has an id.
    server.send(r#"{"jsonrpc":"2.0","method":"scenarios"}"#);
    server
        .send(r#"[{"jsonrpc":"2.0","id":1,"method":"hush"},{"jsonrpc":"2.0","method":"hush"},5]"#);
    let batch = server.read();
    assert_eq!(batch.as_array().unwrap().len(), 2);
    server.send(&format!("[{}]", vec!["1"; 101].join(",")));
    assert_eq!(server.read()["error"]["code"], -32006);
    assert!(server.call("scenarios", json!({})).is_ok());
}

#[test]
fn a_client_that_dies_loses_nothing_that_was_acknowledged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rpc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for round in 0..200u64 {
        let path = folder.join(format!("{round}.journal"));
        let mut server = Server::with(&["docs/examples"]);
        let start = json!({ "scenario": "drill/range", "others": "random", "seed": round, "journal": path });
        server.call("start", start).unwrap();
        let mut acknowledged = 0;
        for _ in 0..round % 5 {
            let taken = server.call("bot_turn", json!({})).unwrap();
            acknowledged = taken["decision"].as_u64().unwrap_or(acknowledged);
        }
        // More are on their way when the process dies, now earlier, now later.
        for _ in 0..1 + round % 7 {
            server.send(r#"{"jsonrpc":"2.0","id":0,"method":"bot_turn"}"#);
        }
        std::thread::sleep(Duration::from_micros(round * 7919 % 4000));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        let mut again = Server::with(&["docs/examples"]);
        let standing = again.call("resume", json!({ "path": path })).unwrap();
        assert!(
            standing["decisions"].as_u64().unwrap() >= acknowledged,
            "{standing}"
        );
        assert_eq!(
            again
                .call("set_bot", json!({ "side": "red", "bot": "greedy" }))
                .unwrap(),
            true
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The reply is lost with the process: what is sent again under its key gets it.
#[test]
fn what_was_taken_under_a_key_is_taken_once_though_the_server_was_killed() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rpc-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("keys.journal");
    let order = json!({ "input": "act", "by": "blue", "action": "drill.orders.give", "actor": "blue-1",
                        "params": { "order": "shoot" } });
    let first = json!({ "key": "first = \"a\"\n", "input": order });
    let last = json!({ "key": "last", "input": { "input": "done", "by": "blue" } });
    let mut server = Server::with(&["docs/examples"]);
    server
        .call(
            "start",
            json!({ "scenario": "drill/range", "journal": path }),
        )
        .unwrap();
    let taken = server.call("submit", first.clone()).unwrap();
    server.send(
        &json!({ "jsonrpc": "2.0", "id": 0, "method": "submit", "params": last }).to_string(),
    );
    while !std::fs::read_to_string(&path)
        .unwrap()
        .contains("key last done blue")
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let mut again = Server::with(&["docs/examples"]);
    let standing = again.call("resume", json!({ "path": path })).unwrap();
    assert_eq!(standing["decisions"], 2, "{standing}");
    let hash = again.call("hash", json!({})).unwrap();
    for _ in 0..2 {
        assert_eq!(again.call("submit", first.clone()).unwrap(), taken);
        let taken = again.call("submit", last.clone()).unwrap();
        assert_eq!(
            taken,
            json!({ "decision": 2, "by": "blue", "text": "done blue", "over": false })
        );
    }
    assert_eq!(again.call("hash", json!({})).unwrap(), hash);
    assert_eq!(again.call("standing", json!({})).unwrap()["decisions"], 2);
    // Without its key, or under another, it is another decision.
    assert_eq!(
        again.code("submit", json!({ "key": "other", "input": order })),
        -32000
    );
    drop(again);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_schema_is_the_published_one() {
    let ran = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["rpc", "--schema"])
        .output()
        .unwrap();
    let published = std::fs::read_to_string(root().join("schemas/json/rpc.json")).unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    assert!(
        printed == published,
        "write it with `houserule rpc --schema > schemas/json/rpc.json`"
    );
}

/// The client that the book shows; where there is no Python it cannot run.
#[test]
fn the_client_of_the_book_plays_a_game() {
    for (scenario, told) in [("drill/range", "Volley"), ("hearts/table", "in all")] {
        let Ok(ran) = Command::new("python3")
            .arg(root().join("docs/embedding/client.py"))
            .args([env!("CARGO_BIN_EXE_houserule"), scenario, "--mods"])
            .arg(root().join("docs/examples"))
            .output()
        else {
            return;
        };
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            ran.status.success(),
            "{out}{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        assert!(
            out.contains(told) && out.contains("decisions the game is over: state "),
            "{out}"
        );
    }
    let lines = std::fs::read_to_string(root().join("docs/embedding/client.py"))
        .unwrap()
        .lines()
        .count();
    assert!(lines < 110, "{lines}");
}
