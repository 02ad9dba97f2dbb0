//! A match whose thread panics: it is as one that was put away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use houserule::embed::{Seat, Seats, Start, Tabletop};
use houserule_serve::guard::ServerNames;
use houserule_serve::{Hall, Opening, Room, Serving, serve};
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use crate::client::{Client, Table, folders, post};

const PROMPT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"prompt"}"#;

/// The drill, whose match panics as it is taken up while `is_bad`, and whenever somebody
/// would play on beside it.
async fn fragile(journal: std::path::PathBuf, is_bad: Arc<AtomicBool>) -> Table {
    let start = Start {
        scenario: "drill/range".into(),
        journal: Some(journal.clone()),
        ..Start::default()
    };
    drop(Tabletop::start(&folders(), &start).unwrap());
    let mut seats = Seats::default();
    let tokens = [("blue", Seat::of_side("blue")), ("referee", Seat::Referee)];
    let tokens = tokens.map(|(who, seat)| (who, seats.give(seat).unwrap().1));
    let opening = Opening {
        table: Box::new(move || {
            assert!(!is_bad.load(Ordering::Relaxed), "a panic that is asked for");
            Ok(Tabletop::resume(&journal, &folders(), false)?.table)
        }),
        folders: folders(),
        watch: None,
        pause: Duration::ZERO,
        idle: None,
        branches: Some(Arc::new(|_, _| panic!("a panic that is asked for"))),
    };
    let hall = Arc::new(Hall::default());
    hall.add("table", Room::new(opening, seats));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = Arc::new(Serving::new(hall, ServerNames::of(port, &[])));
    tokio::spawn(serve(listener, serving.clone(), std::future::pending()));
    Table {
        port,
        tokens: tokens.into(),
        serving,
    }
}

#[tokio::test]
async fn a_match_that_panics_is_taken_up_again_from_its_journal() {
    let folder = std::env::temp_dir().join(format!("houserule-panics-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let is_bad = Arc::new(AtomicBool::new(true));
    let table = fragile(folder.join("drill.journal"), is_bad.clone()).await;
    // While it panics as it is taken up, whoever comes is told, each anew.
    for _ in 0..3 {
        assert_eq!(post(&table, &table.tokens["blue"], PROMPT).await.0, 503);
    }
    is_bad.store(false, Ordering::Relaxed);
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    assert!(blue.call("submit", done).await["result"].is_object());
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let hash = referee.call("hash", json!({})).await["result"].clone();
    // A panic in the middle of the game shows everybody out, and nothing is lost.
    let branch = r#"{"jsonrpc":"2.0","id":1,"method":"branch"}"#;
    assert_eq!(post(&table, &table.tokens["referee"], branch).await.0, 503);
    while blue.next().await.is_some() {}
    while referee.next().await.is_some() {}
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    assert_eq!(referee.call("hash", json!({})).await["result"], hash);
    let standing = referee.call("standing", json!({})).await;
    assert_eq!(standing["result"]["decisions"], 1, "{standing}");
    assert_eq!(post(&table, &table.tokens["blue"], PROMPT).await.0, 200);
    std::fs::remove_dir_all(&folder).unwrap();
}
