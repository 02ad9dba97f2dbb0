//! The doors as clients find them: seats by WebSocket and plain HTTP, what is
//! turned away, and what is missed while a line is broken.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may unwrap and panic"
)]

mod client;
mod panics;
mod posted;
mod unwelcome;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::SinkExt;
use houserule::embed::{Seat, Seats, Start, Tabletop};
use houserule_serve::guard::ServerNames;
use houserule_serve::{Hall, Opening, Room, Serving, serve};
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use client::{Client, Table, TableSetup, folders, table, table_as};

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
                let input = json!({ "input": "answer", "by": "blue", "question": question["id"], "value": value });
                blue.call("submit", json!({ "ask": prompt["ask"], "input": input }))
                    .await;
            }
            _ => {
                let legal = blue.call("legal", json!({ "allowed": true })).await["result"].clone();
                let kind = match (legal["decline"] == true, legal["pass_refused"].is_null()) {
                    (true, _) => "decline",
                    (false, true) => "pass",
                    (false, false) => "done",
                };
                let input = json!({ "input": kind, "by": "blue" });
                blue.call("submit", json!({ "ask": prompt["ask"], "input": input }))
                    .await;
            }
        }
    }
    assert_eq!(
        blue.call("prompt", json!({})).await["result"]["prompt"],
        "over"
    );
    watcher
        .until(|change| change["ask"]["prompt"] == "over")
        .await;
    let events = |client: &Client| -> usize {
        client
            .changes
            .iter()
            .map(|change| change["events"].as_array().map_or(0, Vec::len))
            .sum()
    };
    assert!(events(&watcher) > 5, "{:?}", watcher.changes);
}

#[tokio::test]
async fn changes_add_up_to_what_a_newcomer_is_told() {
    let table = table_as(TableSetup {
        scenario: "skirmish",
        bots: &["blue", "red"],
        ..TableSetup::default()
    })
    .await;
    let mut early = Client::seated(&table, "referee", Json::Null).await;
    early
        .until(|change| change["ask"]["prompt"] == "over")
        .await;
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
    let have = blue.has();
    drop(blue);
    let mut other = Client::seated(&table, "blue", Json::Null).await;
    let legal = other.call("legal", json!({})).await["result"].clone();
    let kind = if legal["pass_refused"].is_null() {
        "pass"
    } else {
        "done"
    };
    let prompt = other.call("prompt", json!({})).await["result"].clone();
    let input = json!({ "input": kind, "by": "blue" });
    let submission = json!({ "ask": prompt["ask"], "key": "one", "input": input });
    let first = other.call("submit", submission.clone()).await;
    assert!(first["result"].is_object(), "{first}");
    let again = other.call("submit", submission).await;
    assert_eq!(
        first["result"], again["result"],
        "the same key is taken once"
    );

    let mut back = Client::seated(&table, "blue", have).await;
    back.call("prompt", json!({})).await;
    assert!(!back.changes.is_empty());
    assert!(
        back.changes.iter().all(|change| change["whole"] != true),
        "{:?}",
        back.changes
    );
    let mut stranger = Client::seated(&table, "blue", json!({ "game": "g9", "seq": 1 })).await;
    stranger.call("prompt", json!({})).await;
    assert_eq!(
        stranger.changes[0]["whole"], true,
        "another game is told whole"
    );
}

/// Whoever shows no token that opens a seat is answered without the match.
async fn goes_on_sleeping_for_strangers(table: &Table) {
    let mut stranger = Client::connect(table).await;
    let hello = stranger.call("hello", json!({})).await;
    assert_eq!(hello["result"]["role"], "public", "{hello}");
    let guessed = stranger.call("hello", json!({ "token": "guessed" })).await;
    assert_eq!(guessed["error"]["code"], -32008, "{guessed}");
    let asked = stranger.call("prompt", json!({})).await;
    assert_eq!(asked["error"]["code"], -32007, "{asked}");
    assert_eq!(table.serving.hall.count(), (1, 0), "nobody has woken it");
}

/// In a batch, or beside the method of each request, a token is shown as it is by a
/// `hello` of its own.
#[tokio::test]
async fn who_has_shown_a_token_in_any_way_is_not_shown_out() {
    let table = table_as(TableSetup {
        patience: Duration::from_millis(700),
        ..TableSetup::default()
    })
    .await;
    let (token, mut told) = (&table.tokens["blue"], Vec::new());
    for message in [
        json!([{ "jsonrpc": "2.0", "id": 1, "method": "hello", "params": { "token": token } }]),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "prompt", "token": token }),
    ] {
        let mut client = Client::connect(&table).await;
        let message = Message::text(message.to_string());
        client.socket.send(message.clone()).await.unwrap();
        client.next().await.expect("a reply");
        told.push((client, message));
    }
    let mut stranger = Client::connect(&table).await;
    let hello = stranger.call("hello", json!({})).await;
    assert_eq!(hello["result"]["role"], "public");
    while stranger.next().await.is_some() {}
    for (mut client, message) in told {
        client.socket.send(message).await.unwrap();
        client.next().await.expect("a reply, after all that time");
    }
}

#[tokio::test]
async fn a_match_that_nobody_uses_sleeps_and_wakes_as_it_was() {
    let folder = std::env::temp_dir().join(format!("houserule-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let journal = folder.join("drill.journal");
    let table = table(Some(journal), &["red"], Some(Duration::from_millis(50))).await;
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    // Both give orders at once: the bot has given its own when blue alone is waited for.
    while referee.call("prompt", json!({})).await["result"]["sides"] != json!(["blue"]) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let hash = referee.call("hash", json!({})).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["ask"]["prompt"] == "act").await;
    let before = blue.picture();
    assert_eq!(table.serving.hall.count(), (1, 1));
    drop(referee);
    drop(blue);
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        if table.serving.hall.count() == (1, 0) {
            break;
        }
    }
    assert_eq!(table.serving.hall.count(), (1, 0), "it sleeps");
    goes_on_sleeping_for_strangers(&table).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["whole"] == true).await;
    assert_eq!(blue.picture(), before);
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    assert_eq!(
        referee.call("hash", json!({})).await["result"],
        hash["result"]
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_referee_plays_on_beside_the_game_and_nobody_else_does() {
    let folder = std::env::temp_dir().join(format!("houserule-branch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(Some(folder.join("drill.journal")), &[], None).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(
        blue.call("branch", json!({})).await["error"]["code"],
        -32007
    );
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    assert!(blue.call("submit", done.clone()).await["result"].is_object());
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let hash = referee.call("hash", json!({})).await["result"].clone();
    let branched = referee.call("branch", json!({ "at": 0 })).await["result"].clone();
    let room = branched["room"].as_str().unwrap().to_string();
    assert!(room.starts_with("what-if-1-"), "{room}");
    assert_eq!(branched["decisions"], 0);
    let at = format!("ws://127.0.0.1:{}/ws", table.port);
    assert!(
        connect_async(format!("{at}/what-if-1")).await.is_err(),
        "nobody guesses a room"
    );
    let (socket, _) = connect_async(format!("{at}/{room}")).await.unwrap();
    let mut beside = Client {
        socket,
        last: 0,
        changes: Vec::new(),
    };
    let hello = beside
        .call("hello", json!({ "token": branched["token"] }))
        .await;
    assert_eq!(
        hello["result"]["at"],
        json!({ "seat": "sides", "sides": ["blue", "red"] })
    );
    assert!(
        beside.call("submit", done).await["result"].is_object(),
        "it goes on from before that"
    );
    let forged = beside
        .call("hello", json!({ "token": table.tokens["referee"] }))
        .await;
    assert_eq!(forged["error"]["code"], -32008, "a seat is at one table");
    assert_eq!(referee.call("hash", json!({})).await["result"], hash);
    let second = referee.call("branch", json!({})).await["result"].clone();
    let room = second["room"].as_str().unwrap();
    assert!(room.starts_with("what-if-2-"), "{room}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The count is of rooms that are there: neither of files that lie beside the journal,
/// nor of rooms that everybody has left.
#[tokio::test]
async fn what_would_be_is_asked_as_often_as_one_likes() {
    let folder = std::env::temp_dir().join(format!("houserule-what-if-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for number in 1..=64 {
        let before = folder.join(format!("drill.journal.what-if-{number}"));
        std::fs::write(before, "of a server before this one").unwrap();
    }
    let table = table(Some(folder.join("drill.journal")), &[], None).await;
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let mut rooms = Vec::new();
    for number in 65..=130 {
        let branched = referee.call("branch", json!({})).await["result"].clone();
        let room = branched["room"].as_str().unwrap().to_string();
        assert!(room.starts_with(&format!("what-if-{number}-")), "{room}");
        rooms.push(room);
    }
    let hall = &table.serving.hall;
    assert_eq!(hall.count().0, 1 + 64);
    assert!(hall.room(Some(&rooms[0])).is_none() && hall.room(Some(&rooms[1])).is_none());
    assert!(hall.room(Some(&rooms[2])).is_some());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A server that goes on with a journal and its seats: the table, what ends the
/// server when it is dropped, and the server.
async fn served_again(
    journal: &Path,
    seats: &Path,
    token: &str,
) -> (Table, oneshot::Sender<()>, JoinHandle<std::io::Result<()>>) {
    let opened = journal.to_path_buf();
    let opening = Opening {
        table: Box::new(move || Ok(Tabletop::resume(&opened, &folders(), false)?.table)),
        folders: folders(),
        watch: None,
        pause: Duration::ZERO,
        idle: None,
        branches: None,
    };
    let hall = Arc::new(Hall::default());
    hall.add("table", Room::new(opening, Seats::kept_in(seats).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = Arc::new(Serving::new(hall, ServerNames::of(port, &[])));
    let (end, ended) = oneshot::channel::<()>();
    let server = tokio::spawn(serve(listener, serving.clone(), async {
        drop(ended.await)
    }));
    let table = Table {
        port,
        tokens: [("blue", token.to_string())].into(),
        serving,
    };
    (table, end, server)
}

/// Waits until the thread of a room lets its journal go, as it does when nobody
/// is at its door.
async fn is_let_go(journal: &Path) {
    for _ in 0..200 {
        if Tabletop::resume(journal, &folders(), false).is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A server that goes on after another, as one that was killed: seats hold, what
/// was taken is not taken again, and who comes back is told everything.
#[tokio::test]
async fn seats_and_decisions_outlive_a_server() {
    let folder = std::env::temp_dir().join(format!("houserule-again-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (journal, kept) = (
        folder.join("drill.journal"),
        folder.join("drill.journal.seats"),
    );
    let token = Seats::kept_in(&kept)
        .unwrap()
        .give(Seat::of_side("blue"))
        .unwrap()
        .1;
    let start = Start {
        scenario: "drill/range".into(),
        journal: Some(journal.clone()),
        ..Start::default()
    };
    drop(Tabletop::start(&folders(), &start).unwrap());
    let submit = json!({ "key": "once", "input": { "input": "done", "by": "blue" } });
    let mut seen = Vec::new();
    for _ in 0..2 {
        let (table, end, server) = served_again(&journal, &kept, &token).await;
        let have = seen
            .last()
            .map_or(Json::Null, |(have, _): &(Json, Json)| have.clone());
        let mut blue = Client::seated(&table, "blue", have).await;
        let taken = blue.call("submit", submit.clone()).await["result"].clone();
        assert!(taken.is_object());
        blue.until(|change| change["whole"] == true || change["ask"].is_object())
            .await;
        seen.push((blue.has(), taken));
        drop((blue, table, end));
        server.abort();
        is_let_go(&journal).await;
    }
    assert_eq!(
        seen[0].1, seen[1].1,
        "the same reply, and nothing is done twice"
    );
    assert_ne!(
        seen[0].0["game"], seen[1].0["game"],
        "numbers of one server mean nothing to another"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_match_sleeps_under_those_who_are_connected_and_wakes_when_one_says_something() {
    let folder = std::env::temp_dir().join(format!("houserule-sleep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(
        Some(folder.join("drill.journal")),
        &[],
        Some(Duration::from_millis(50)),
    )
    .await;
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
    red.until(|change| change["whole"] == true && change["seq"].as_u64() > Some(seq))
        .await;
    assert_eq!(red.picture(), before, "who waited is told the same");
    assert_eq!(table.serving.hall.count(), (1, 1));
    std::fs::remove_dir_all(&folder).unwrap();
}
