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

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Detail, Others, Seat, Seats, Start, Tabletop, Trouble};
use houserule_serve::guard::ServerNames;
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

/// With this word and a port the program plays, and measures nothing.
const PLAYERS: &str = "players";

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let [PLAYERS, port] = &*wanted.iter().map(String::as_str).collect::<Vec<_>>() {
        return on_one_thread(players(port.parse().unwrap()));
    }
    let is_wanted =
        |row: &str| wanted.is_empty() || wanted.iter().any(|word| row.contains(word.as_str()));
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
    for (detail, what) in [
        ("none", "nothing"),
        ("lines", "lines of a log"),
        ("whole", "all"),
    ] {
        let mut server = Server::new(folders());
        let host = server.connect_host();
        let call = |method: &str, params: Json| {
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
        };
        let start = json!({ "scenario": "border-raid", "others": "greedy", "seed": 7 });
        server.line(host, call("start", start).as_bytes());
        let mut seats = Vec::new();
        for seat in [
            json!({ "seat": "sides", "sides": ["blue"] }),
            json!({ "seat": "spectator" }),
        ] {
            server.line(host, call("give_seat", seat).as_bytes());
            let given: Json = serde_json::from_str(server.drain(host).last().unwrap()).unwrap();
            let guest = server.connect();
            server.line(
                guest,
                call("hello", json!({ "token": given["result"]["token"] })).as_bytes(),
            );
            server.line(
                guest,
                call("follow", json!({ "events": detail })).as_bytes(),
            );
            seats.push(guest);
        }
        let whole = seats
            .iter()
            .flat_map(|guest| server.drain(*guest))
            .map(|line| line.len())
            .max()
            .unwrap();
        let bytes = followed(&mut server, host, &seats, &call("bot_turn", json!({})));
        let (median, most) = shares(bytes.clone());
        println!(
            "{} changes of a raid, with {what} of what happened",
            bytes.len()
        );
        println!("  bytes: median {median}, 95 % within {most}; all of it, once: {whole}");
    }
    let (typical, slow) = shares(times());
    println!("  time: median {typical:.2} ms, 95 % within {slow:.2} ms");
}

/// The sizes of all messages to some who follow, to the end of a game.
fn followed(
    server: &mut Server,
    host: ConnectionId,
    seats: &[ConnectionId],
    turn: &str,
) -> Vec<usize> {
    let mut bytes = Vec::new();
    loop {
        server.line(host, turn.as_bytes());
        bytes.extend(
            seats
                .iter()
                .flat_map(|guest| server.drain(*guest))
                .map(|line| line.len()),
        );
        if server
            .drain(host)
            .last()
            .is_none_or(|reply| reply.contains(r#""result":null"#))
        {
            return bytes;
        }
    }
}

/// What it takes to make a change, for each of three viewers of a raid.
fn times() -> Vec<f64> {
    let start = Start {
        scenario: "border-raid".into(),
        others: Others::Greedy,
        ..Start::default()
    };
    let mut table = Tabletop::start(&folders(), &start).unwrap();
    let mut following: Vec<_> = ["blue", "red", "spectator"]
        .map(|viewer| table.following(viewer).unwrap())
        .into_iter()
        .collect();
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
    on_one_thread(halls(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn on_one_thread(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work);
}

const MATCHES: usize = 100;
const PLAYED: usize = 10;

const SIDES: [&str; 2] = ["blue", "red"];

/// So many decisions of a raid were taken before people go on with it.
const BEGUN: usize = 60;

/// So many times each of them decides something.
const ROUNDS: usize = 12;

fn journal_of(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.journal"))
}

/// Plays a raid between bots, as far as people take it up.
fn begin(folder: &Path, number: usize) {
    let start = Start {
        scenario: "border-raid".into(),
        seed: Some(number as u64),
        journal: Some(journal_of(folder, number)),
        others: Others::Greedy,
        ..Start::default()
    };
    let mut table = Tabletop::start(&folders(), &start).unwrap();
    for _ in 0..BEGUN {
        table.bot_turn().unwrap();
    }
}

/// A raid as far as its bots played it, which people go on with.
fn taken_up(journal: &Path) -> Result<Tabletop, Trouble> {
    let mut table = Tabletop::resume(journal, &folders(), false)?.table;
    for side in SIDES {
        table.set_bot(side, None)?;
    }
    Ok(table)
}

/// Raids in rooms of their own, and the tokens of both sides of each.
fn raids(folder: &Path, hall: &Hall) -> Vec<[String; 2]> {
    let raid = |number: usize| {
        let journal = journal_of(folder, number);
        let mut seats = Seats::default();
        let tokens = SIDES.map(|side| seats.give(Seat::of_side(side)).unwrap().1);
        let opening = Opening {
            table: Box::new(move || taken_up(&journal)),
            folders: folders(),
            watch: None,
            pause: Duration::ZERO,
            // Those who play on are not to wait for their match.
            idle: Some(Duration::from_secs(if number < PLAYED { 30 } else { 2 })),
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
    let serving = Arc::new(Serving::new(hall.clone(), ServerNames::of(port, &[])));
    tokio::spawn(serve(listener, serving.clone(), std::future::pending()));
    let players = Players::start(port);
    for number in 0..MATCHES {
        players
            .tell(&format!("begin {number} {}", folder.display()))
            .await;
    }
    // What all matches have in common is there once one was awake.
    players
        .tell(&format!("sit 0 {}", tokens[0].join(" ")))
        .await;
    sleeping(&hall, 0).await;
    let before = resident();
    for (number, tokens) in tokens.iter().enumerate().skip(1) {
        players
            .tell(&format!("sit {number} {}", tokens.join(" ")))
            .await;
        sleeping(&hall, PLAYED + 3).await;
    }
    sleeping(&hall, 0).await;
    let each = (resident() - before) / (MATCHES - 1) as f64;
    println!(
        "{MATCHES} raids with {} connections, all asleep: {each:.2} MB each",
        serving.connections()
    );
    println!("  {PLAYED} of them played: {}", players.tell("play").await);
    println!(
        "  awake then: {} of {}, resident {:.0} MB",
        hall.count().1,
        hall.count().0,
        resident()
    );
    players.leave();
}

/// Waits until no more than so many are awake.
async fn sleeping(hall: &Hall, awake: usize) {
    while hall.count().1 > awake {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Those who play, in a process of their own: what they hold is not the
/// server's.
#[derive(Clone)]
struct Players(Arc<Mutex<(Child, Lines<BufReader<ChildStdout>>)>>);

impl Players {
    fn start(port: u16) -> Players {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([PLAYERS, &port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let says = BufReader::new(process.stdout.take().unwrap()).lines();
        Players(Arc::new(Mutex::new((process, says))))
    }

    /// Tells them what to do, until they say that it is done.
    async fn tell(&self, line: &str) -> String {
        let (players, line) = (self.clone(), format!("{line}\n"));
        let exchange = move || {
            let mut players = players.0.lock().unwrap();
            players
                .0
                .stdin
                .as_mut()
                .unwrap()
                .write_all(line.as_bytes())
                .unwrap();
            players.1.next().unwrap().unwrap()
        };
        tokio::task::spawn_blocking(exchange).await.unwrap()
    }

    /// They go when there is nothing more to do.
    fn leave(&self) {
        let mut players = self.0.lock().unwrap();
        drop(players.0.stdin.take());
        players.0.wait().unwrap();
    }
}

/// The process of those who play: does what stands in each line.
async fn players(port: u16) {
    let mut clients = Vec::new();
    for line in std::io::stdin().lines().map(Result::unwrap) {
        let mut words = line.split(' ');
        match words.next() {
            Some("sit") => {
                let number = words.next().unwrap().parse().unwrap();
                for token in words {
                    clients.push(Client::seated(port, number, token).await);
                }
                println!("they sit");
            }
            Some("begin") => {
                let number = words.next().unwrap().parse().unwrap();
                begin(Path::new(words.next().unwrap()), number);
                println!("it is begun");
            }
            _ => println!("{}", played(&mut clients[..PLAYED * 2]).await),
        }
    }
}

/// Decisions of each that are taken: how long that takes.
async fn played(clients: &mut [Client]) -> String {
    let (mut times, mut refused) = (Vec::new(), 0);
    for client in &mut *clients {
        client.call("prompt", json!({})).await.unwrap();
    }
    for round in 0..ROUNDS {
        for client in &mut *clients {
            let Some(input) = client.decision().await else {
                continue;
            };
            let begun = Instant::now();
            match client
                .call(
                    "submit",
                    json!({ "key": format!("k{round}"), "input": input }),
                )
                .await
            {
                Some(_) => times.push(begun.elapsed().as_secs_f64() * 1e3),
                None => refused += 1,
            }
        }
    }
    let (count, (median, most)) = (times.len(), shares(times));
    format!(
        "{count} decisions, median {median:.1} ms, 95 % within {most:.1} ms; {refused} were refused"
    )
}

/// Memory of this process that is resident, in megabytes, as Linux tells it.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<f64>().ok())
        .unwrap_or_default()
        / 1024.0
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u64,
}

impl Client {
    async fn seated(port: u16, number: usize, token: &str) -> Client {
        let (socket, _) = connect_async(format!("ws://127.0.0.1:{port}/ws/raid-{number}"))
            .await
            .unwrap();
        let mut client = Client { socket, last: 0 };
        client
            .call("hello", json!({ "token": token }))
            .await
            .unwrap();
        client.call("follow", json!({})).await.unwrap();
        client
    }

    /// What comes of a request; nothing if it is refused.
    async fn call(&mut self, method: &str, params: Json) -> Option<Json> {
        self.last += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.socket
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
        loop {
            let Message::Text(text) = self.socket.next().await.unwrap().unwrap() else {
                continue;
            };
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["id"] == self.last {
                return message.get("result").cloned();
            }
        }
    }

    /// Something that this side can decide, if it must.
    async fn decision(&mut self) -> Option<Json> {
        let prompt = self.call("prompt", json!({})).await?;
        match prompt["prompt"].as_str()? {
            "answer" => {
                let (asked, id) = (&prompt["question"]["asked"][0], &prompt["question"]["id"]);
                let value = self.value(&asked["domain"])?;
                Some(
                    json!({ "input": "answer", "by": asked["side"], "question": id, "value": value }),
                )
            }
            "react" => Some(json!({ "input": "decline", "by": prompt["side"] })),
            "act" => self.action(&prompt["sides"][0]).await,
            _ => None,
        }
    }

    /// One of all that is allowed, with its parameters; or the end of the go.
    async fn action(&mut self, by: &Json) -> Option<Json> {
        let legal = self.call("legal", json!({ "allowed": true })).await?;
        let Some(action) = self.some_of(&legal["actions"]) else {
            let end = if legal["done_refused"].is_null() {
                "done"
            } else {
                "pass"
            };
            return Some(json!({ "input": end, "by": by }));
        };
        let (id, actor) = (&action["id"], &action["actor"]);
        let mut params = serde_json::Map::new();
        loop {
            let of = json!({ "side": by, "action": id, "actor": actor, "params": params });
            let asked = self.call("next_param", of).await?;
            let Some(name) = asked["name"].as_str() else {
                break;
            };
            params.insert(name.to_string(), self.value(&asked["domain"])?);
        }
        Some(json!({ "input": "act", "by": by, "action": id, "actor": actor, "params": params }))
    }

    fn value(&self, domain: &Json) -> Option<Json> {
        match domain["domain"].as_str()? {
            "choices" => self.some_of(&domain["choices"])?.get("value").cloned(),
            "several" => {
                let least = domain["min"].as_u64()? as usize;
                let all = domain["choices"].as_array()?.iter().take(least.max(1));
                Some(all.map(|choice| choice["value"].clone()).collect())
            }
            "integer" => domain.get("min").cloned(),
            "place" => Some(json!({ "point": self.some_of(&domain["candidates"])? })),
            "route" => {
                let way = self.some_of(&domain["candidates"])?;
                Some(
                    way.as_array()?
                        .iter()
                        .map(|point| json!({ "point": point }))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// One of several, another each time.
    fn some_of<'a>(&self, all: &'a Json) -> Option<&'a Json> {
        let all = all.as_array().filter(|all| !all.is_empty())?;
        all.get(self.last as usize * 7 % all.len())
    }
}
