//! What the doors cost: changes to those who follow, a hundred matches in one
//! process, and how much of one that sleeps stays in memory.
//!
//! `cargo bench --workspace --bench doors`; a word after `--` picks rows.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a measurement stops where it goes wrong, and has a clock"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Detail, Others, Seat, Seats, Start, Tabletop};
use houserule_serve::guard::Names;
use houserule_serve::{Hall, Opening, Room, Serving, serve};
use serde_json::{Value as Json, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn folders() -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    vec![root.join("mods"), root.join("docs/examples")]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |row: &str| wanted.is_empty() || wanted.iter().any(|word| row.contains(word.as_str()));
    if is_wanted("changes") {
        changes();
    }
    if is_wanted("hundred") {
        hundred();
    }
}

fn shares<T: Copy + PartialOrd>(mut all: Vec<T>) -> (T, T) {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    (all[all.len() / 2], all[all.len() * 95 / 100])
}

/// A raid between bots: what each decision tells three viewers, as whole
/// messages, by how much they ask to be told of what happens.
fn changes() {
    for (detail, what) in [("none", "nothing"), ("lines", "lines of a log"), ("whole", "all")] {
        let mut server = Server::new(folders());
        let host = server.connect_host();
        let call = |method: &str, params: Json| {
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
        };
        let start = json!({ "scenario": "border-raid", "others": "greedy", "seed": 7 });
        server.line(host, call("start", start).as_bytes());
        let mut seats = Vec::new();
        for seat in [json!({ "seat": "sides", "sides": ["blue"] }), json!({ "seat": "spectator" })] {
            server.line(host, call("give_seat", seat).as_bytes());
            let given: Json = serde_json::from_str(server.drain(host).last().unwrap()).unwrap();
            let guest = server.connect();
            server.line(guest, call("hello", json!({ "token": given["result"]["token"] })).as_bytes());
            server.line(guest, call("follow", json!({ "events": detail })).as_bytes());
            seats.push(guest);
        }
        let whole = seats.iter().flat_map(|guest| server.drain(*guest)).map(|line| line.len()).max().unwrap();
        let bytes = followed(&mut server, host, &seats, &call("bot_turn", json!({})));
        let (median, most) = shares(bytes.clone());
        println!("{} changes of a raid, with {what} of what happened", bytes.len());
        println!("  bytes: median {median}, 95 % within {most}; all of it, once: {whole}");
    }
    let (typical, slow) = shares(times());
    println!("  time: median {typical:.2} ms, 95 % within {slow:.2} ms");
}

/// The sizes of all messages to some who follow, to the end of a game.
fn followed(server: &mut Server, host: ConnectionId, seats: &[ConnectionId], turn: &str) -> Vec<usize> {
    let mut bytes = Vec::new();
    loop {
        server.line(host, turn.as_bytes());
        bytes.extend(seats.iter().flat_map(|guest| server.drain(*guest)).map(|line| line.len()));
        if server.drain(host).last().is_none_or(|reply| reply.contains(r#""result":null"#)) {
            return bytes;
        }
    }
}

/// What it takes to make a change, for each of three viewers of a raid.
fn times() -> Vec<f64> {
    let start = Start { scenario: "border-raid".into(), others: Others::Greedy, ..Start::default() };
    let mut table = Tabletop::start(&folders(), &start).unwrap();
    let mut following: Vec<_> =
        ["blue", "red", "spectator"].map(|viewer| table.following(viewer).unwrap()).into_iter().collect();
    let mut times = Vec::new();
    while table.bot_turn().unwrap().is_some() {
        for one in &mut following {
            let begun = Instant::now();
            while let Some(change) = one.next(&table).unwrap() {
                let text = serde_json::to_string(&change.in_detail(Detail::Lines)).unwrap();
                if !change.whole && !text.is_empty() {
                    times.push(begun.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
    }
    times
}

/// A hundred raids with two connections each, of which ten are played.
fn hundred() {
    let folder = std::env::temp_dir().join(format!("houserule-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(halls(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
}

const MATCHES: usize = 100;
const PLAYED: usize = 10;

/// Raids in rooms of their own, and the tokens of both sides of each.
fn raids(folder: &Path, hall: &Hall) -> Vec<[String; 2]> {
    let raid = |number: usize| {
        let journal = folder.join(format!("{number}.journal"));
        let start = Start {
            scenario: "border-raid".into(),
            seed: Some(number as u64),
            journal: Some(journal.clone()),
            ..Start::default()
        };
        drop(Tabletop::start(&folders(), &start).unwrap());
        let mut seats = Seats::default();
        let tokens = ["blue", "red"].map(|side| seats.give(Seat::of_side(side)).unwrap().1);
        let opening = Opening {
            table: Box::new(move || Ok(Tabletop::resume(&journal, &folders(), false)?.table)),
            folders: folders(),
            watch: None,
            pause: Duration::ZERO,
            idle: Some(Duration::from_secs(2)),
            branches: None,
        };
        hall.add(format!("raid-{number}"), Room::new(opening, seats));
        tokens
    };
    (0..MATCHES).map(raid).collect()
}

async fn halls(folder: &Path) {
    let hall = Arc::new(Hall::default());
    let tokens = raids(folder, &hall);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = Arc::new(Serving::new(hall.clone(), Names::of(port, &[])));
    tokio::spawn(serve(listener, serving, std::future::pending()));
    let before = resident();
    let mut clients = Vec::new();
    for (number, tokens) in tokens.iter().enumerate() {
        for token in tokens {
            clients.push(Client::seated(port, number, token).await);
        }
        while hall.count().1 > 3 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    while hall.count().1 > 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let asleep = resident();
    println!(
        "{MATCHES} raids with {} connections, all asleep: {:.2} MB each",
        clients.len(),
        (asleep - before) / MATCHES as f64
    );
    let mut times = Vec::new();
    for client in &mut clients[..PLAYED * 2] {
        client.call("prompt", json!({})).await;
    }
    for round in 0..12 {
        for client in &mut clients[..PLAYED * 2] {
            if let Some(input) = client.decision().await {
                let begun = Instant::now();
                client.call("submit", json!({ "key": format!("k{round}"), "input": input })).await;
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    let (count, (median, most)) = (times.len(), shares(times));
    println!("  {PLAYED} of them played: {count} decisions, median {median:.1} ms, 95 % within {most:.1} ms");
    println!("  awake then: {} of {}, resident {:.0} MB", hall.count().1, hall.count().0, resident());
}

/// Memory of this process that is resident, in megabytes, as Linux tells it.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u64,
}

impl Client {
    async fn seated(port: u16, number: usize, token: &str) -> Client {
        let (socket, _) = connect_async(format!("ws://127.0.0.1:{port}/ws/raid-{number}")).await.unwrap();
        let mut client = Client { socket, last: 0 };
        client.call("hello", json!({ "token": token })).await;
        client.call("follow", json!({})).await;
        client
    }

    async fn call(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.socket.send(Message::text(message.to_string())).await.unwrap();
        loop {
            let Message::Text(text) = self.socket.next().await.unwrap().unwrap() else { continue };
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["id"] == self.last {
                return message["result"].clone();
            }
        }
    }

    /// The first answer, or what ends the go, if this side must decide.
    async fn decision(&mut self) -> Option<Json> {
        let prompt = self.call("prompt", json!({})).await;
        let side = |asked: &Json| asked["side"].as_str().map(ToString::to_string);
        match prompt["prompt"].as_str()? {
            "answer" => {
                let asked = &prompt["question"]["asked"][0];
                let value = &asked["domain"]["choices"][0]["value"];
                let question = &prompt["question"]["id"];
                Some(json!({ "input": "answer", "by": side(asked)?, "question": question, "value": value }))
            }
            "act" => {
                let by = prompt["sides"][0].as_str()?;
                let legal = self.call("legal", json!({ "allowed": true })).await;
                let input = if legal["done_refused"].is_null() { "done" } else { "pass" };
                Some(json!({ "input": input, "by": by }))
            }
            "react" => Some(json!({ "input": "decline", "by": prompt["side"] })),
            _ => None,
        }
    }
}
