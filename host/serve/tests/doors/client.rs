//! A table that is served, and clients of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use houserule::embed::{BotSort, Seat, Seats, Start, Tabletop};
use houserule_serve::guard::ServerNames;
use houserule_serve::{Branches, Hall, Opening, Room, Serving, serve, since_1970};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub const NOBODY_IS_THAT_SLOW: Duration = Duration::from_secs(60);

pub fn folders() -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    vec![root.join("mods"), root.join("docs/examples")]
}

/// A table that is served, and the tokens of its seats.
pub struct Table {
    pub port: u16,
    pub tokens: BTreeMap<&'static str, String>,
    pub serving: Arc<Serving>,
}

/// How a table is laid: the drill, unless it is said otherwise.
pub struct TableSetup<'a> {
    pub scenario: &'a str,
    pub folders: Vec<PathBuf>,
    pub journal: Option<PathBuf>,
    pub bots: &'a [&'a str],
    pub idle: Option<Duration>,
    /// How long the door waits for whoever is slow.
    pub patience: Duration,
    /// How many the door lets in at once.
    pub most_connections: usize,
    /// Seats that are given for so many seconds; all others have no end.
    pub expire: &'a [(&'a str, u64)],
}

impl Default for TableSetup<'_> {
    fn default() -> Self {
        TableSetup {
            scenario: "drill/range",
            folders: folders(),
            journal: None,
            bots: &[],
            idle: None,
            patience: Duration::from_secs(20),
            most_connections: 1_024,
            expire: &[],
        }
    }
}

/// Serves the drill.
pub async fn table(journal: Option<PathBuf>, bots: &[&str], idle: Option<Duration>) -> Table {
    table_as(TableSetup {
        journal,
        bots,
        idle,
        ..TableSetup::default()
    })
    .await
}

pub async fn table_as(setup: TableSetup<'_>) -> Table {
    let TableSetup {
        folders, journal, ..
    } = setup;
    let mut seats = Seats::default();
    let mut tokens = BTreeMap::new();
    let blue_and_red = ["blue", "red"].map(|side| (side, Seat::of_side(side)));
    for (who, seat) in blue_and_red
        .into_iter()
        .chain([("spectator", Seat::Spectator), ("referee", Seat::Referee)])
    {
        let lasts = setup.expire.iter().find(|(whose, _)| *whose == who);
        let until = lasts.map(|(_, seconds)| since_1970() + seconds);
        tokens.insert(who, seats.give_until(seat, until).unwrap().1);
    }
    let start = Start {
        scenario: setup.scenario.into(),
        bots: setup
            .bots
            .iter()
            .map(|side| (side.to_string(), BotSort::Greedy))
            .collect(),
        journal: journal.clone(),
        ..Start::default()
    };
    let hall = Arc::new(Hall::default());
    let branches = journal.as_ref().map(|journal| Branches {
        hall: Arc::downgrade(&hall),
        folders: folders.clone(),
        journal: journal.clone(),
    });
    let own = folders.clone();
    let opened = move || match journal.as_ref().filter(|journal| journal.exists()) {
        Some(journal) => Ok(Tabletop::resume(journal, &own, false)?.table),
        None => Tabletop::start(&own, &start),
    };
    let opening = Opening {
        table: Box::new(opened),
        folders,
        watch: None,
        pause: Duration::ZERO,
        idle: setup.idle,
        branches: branches.map(Branches::opener),
    };
    hall.add("table", Room::new(opening, seats));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut serving = Serving::new(hall, ServerNames::of(port, &[]));
    serving.patience = setup.patience;
    serving.most_connections = setup.most_connections;
    let serving = Arc::new(serving);
    tokio::spawn(serve(listener, serving.clone(), std::future::pending()));
    Table {
        port,
        tokens,
        serving,
    }
}

/// Waits until so many are connected: who leaves does so by and by.
pub async fn are_here(table: &Table, count: usize) {
    for _ in 0..600 {
        if table.serving.connections() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} are here, not {count}", table.serving.connections());
}

pub struct Client {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub last: u64,
    /// Changes that were told, in order.
    pub changes: Vec<Json>,
}

impl Client {
    pub async fn connect(table: &Table) -> Client {
        let (socket, _) = connect_async(format!("ws://127.0.0.1:{}/ws", table.port))
            .await
            .unwrap();
        Client {
            socket,
            last: 0,
            changes: Vec::new(),
        }
    }

    /// Takes a seat and follows.
    pub async fn seated(table: &Table, seat: &str, have: Json) -> Client {
        let mut client = Client::connect(table).await;
        let hello = client
            .call("hello", json!({ "token": table.tokens[seat] }))
            .await;
        assert_eq!(hello["result"]["viewer"], *seat, "{hello}");
        client
            .call("follow", json!({ "have": have, "events": "lines" }))
            .await;
        client
    }

    pub async fn call(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.socket
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
        loop {
            let message = self.next().await.expect("a reply");
            if message["id"] == self.last {
                return message;
            }
        }
    }

    /// The next message; changes are kept too.
    pub async fn next(&mut self) -> Option<Json> {
        let message = tokio::time::timeout(NOBODY_IS_THAT_SLOW, self.socket.next())
            .await
            .unwrap()?;
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
    pub async fn until(&mut self, is_it: impl Fn(&Json) -> bool) {
        while !self.changes.last().is_some_and(&is_it) {
            self.next().await.expect("a change");
        }
    }

    /// The last change that it has, for a line that goes on from there.
    pub fn has(&self) -> Json {
        let game = self
            .changes
            .iter()
            .rev()
            .find_map(|change| change["game"].as_str());
        json!({ "game": game, "seq": self.changes.last().unwrap()["seq"] })
    }

    /// What all changes say together.
    pub fn picture(&self) -> BTreeMap<u64, BTreeMap<String, Json>> {
        let mut picture: BTreeMap<u64, BTreeMap<String, Json>> = BTreeMap::new();
        for change in &self.changes {
            if change["whole"] == true {
                picture.clear();
            }
            for (number, called) in change["called"].as_object().into_iter().flatten() {
                let entity: &mut BTreeMap<String, Json> =
                    picture.entry(number.parse().unwrap()).or_default();
                entity.extend(called.as_object().unwrap().clone());
            }
            for (number, hidden) in change["hidden"].as_object().into_iter().flatten() {
                picture
                    .get_mut(&number.parse().unwrap())
                    .unwrap()
                    .insert("hidden".into(), hidden.clone());
            }
            for (number, attributes) in change["set"].as_object().into_iter().flatten() {
                let entity = picture.get_mut(&number.parse().unwrap()).unwrap();
                for (name, value) in attributes.as_object().unwrap() {
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

/// Posts a message with a token: the status, and what came back.
pub async fn post(table: &Table, token: &str, body: &str) -> (u16, String) {
    let reply = raw(
        table,
        &format!(
            "POST /rpc HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    )
    .await;
    let (head, content) = reply.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), content.to_string())
}

/// Sends a request as it stands, and gives what comes back.
pub async fn raw(table: &Table, request: &str) -> String {
    let request = request.replace("PORT", &table.port.to_string());
    let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut reply)).await;
    String::from_utf8_lossy(&reply).into_owned()
}

/// Sends bytes, and gives what comes back until the line is closed.
pub async fn sent(table: &Table, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    String::from_utf8_lossy(&reply).into_owned()
}
