//! What nobody should send, and what may go wrong behind the door: it is told,
//! nothing is lost, and nobody sees more for it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use houserule::embed::{Seat, Seats, Trouble};
use houserule_serve::guard::ServerNames;
use houserule_serve::{Hall, Opening, Room, Serving, serve};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::client::{
    Client, NOBODY_IS_THAT_SLOW, Table, TableSetup, are_here, post, raw, sent, table, table_as,
};

const PROMPT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"prompt"}"#;

#[tokio::test]
async fn foreign_pages_names_and_tokens_are_turned_away() {
    let table = table(None, &[], None).await;
    let url = format!("ws://127.0.0.1:{}/ws", table.port);
    let mut request = url.clone().into_client_request().unwrap();
    request
        .headers_mut()
        .insert("origin", "http://evil.example".parse().unwrap());
    assert!(
        connect_async(request)
            .await
            .unwrap_err()
            .to_string()
            .contains("403")
    );
    let reply = raw(
        &table,
        "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert!(reply.starts_with("HTTP/1.1 403"), "{reply}");
    let reply = raw(
        &table,
        "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert!(
        reply.starts_with("HTTP/1.1 200") && reply.contains("default-src 'none'"),
        "{reply}"
    );

    let mut client = Client::connect(&table).await;
    assert_eq!(
        client.call("view", json!({})).await["error"]["code"],
        -32007
    );
    assert_eq!(
        client.call("hello", json!({ "token": "forged" })).await["error"]["code"],
        -32008
    );
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
        assert_eq!(
            blue.call(method, params).await["error"]["code"],
            -32007,
            "{method}"
        );
    }
    assert!(blue.call("about", json!({})).await["result"]["journal"].is_null());
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
    assert_eq!(
        blue.call("prompt", json!({})).await["result"]["prompt"],
        "act"
    );
    let huge = "x".repeat(2 << 20);
    let _ = blue.socket.send(Message::text(huge)).await;
    while blue.next().await.is_some() {}
    let mut again = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(
        again.call("prompt", json!({})).await["result"]["prompt"],
        "act"
    );
}

/// The code and the words with which a client is shown out.
async fn told_why(client: &mut Client) -> (u16, String) {
    loop {
        let message = tokio::time::timeout(NOBODY_IS_THAT_SLOW, client.socket.next());
        let message = message.await.unwrap().expect("a last word");
        if let Message::Close(Some(frame)) = message.expect("nothing is lost on the way") {
            return (frame.code.into(), frame.reason.to_string());
        }
    }
}

/// What was not read any more must not take away what was said last; and who leaves
/// by itself is answered.
#[tokio::test]
async fn who_is_shown_out_is_told_why() {
    let table = table(None, &[], None).await;
    let mut flood = Client::seated(&table, "red", Json::Null).await;
    for _ in 0..400 {
        if flood.socket.send(Message::text(PROMPT)).await.is_err() {
            break;
        }
    }
    let too_many = (1008, "too many messages".to_string());
    assert_eq!(told_why(&mut flood).await, too_many);
    let mut wordy = Client::seated(&table, "blue", Json::Null).await;
    let long = Message::text("x".repeat((1 << 20) + 1));
    wordy.socket.send(long).await.unwrap();
    let too_long = (1009, "the message is too long".to_string());
    assert_eq!(told_why(&mut wordy).await, too_long);
    let mut polite = Client::seated(&table, "red", Json::Null).await;
    polite.socket.close(None).await.unwrap();
    while let Some(message) = polite.socket.next().await {
        message.expect("its farewell is answered");
    }
}

/// A link that went astray: whoever has it plays until the referee takes the
/// seat away, and from then on it opens nothing, to its owner neither.
#[tokio::test]
async fn a_stolen_token_is_taken_away() {
    let table = table(None, &[], None).await;
    let token = table.tokens["blue"].clone();
    let mut owner = Client::seated(&table, "blue", Json::Null).await;
    let mut thief = Client::seated(&table, "blue", Json::Null).await;
    for one in [&mut owner, &mut thief] {
        one.until(|change| change["whole"] == true).await;
    }
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let seats = referee.call("seats", json!({})).await["result"].clone();
    let is_blue = |seat: &&Json| seat["at"]["sides"] == json!(["blue"]);
    let number = seats.as_array().unwrap().iter().find(is_blue).unwrap()["number"].clone();
    assert!(!seats.to_string().contains(&token), "{seats}");
    assert_eq!(
        thief.call("revoke_seat", json!({ "number": number })).await["error"]["code"],
        -32007
    );
    assert_eq!(
        referee
            .call("revoke_seat", json!({ "number": number }))
            .await["result"],
        true
    );
    for one in [&mut owner, &mut thief] {
        while one.next().await.unwrap()["method"] != "revoked" {}
        assert_eq!(one.call("view", json!({})).await["error"]["code"], -32007);
        assert_eq!(
            one.call("hello", json!({ "token": token })).await["error"]["code"],
            -32008
        );
        one.changes.clear();
    }
    assert_eq!(post(&table, &token, PROMPT).await.0, 403);
    let events = "GET /events HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\nAuthorization: Bearer ";
    assert!(
        raw(&table, &format!("{events}{token}\r\n\r\n"))
            .await
            .starts_with("HTTP/1.1 403")
    );
    let mut red = Client::seated(&table, "red", Json::Null).await;
    let done = json!({ "input": { "input": "done", "by": "red" } });
    assert!(
        red.call("submit", done).await["result"].is_object(),
        "the game goes on"
    );
    thief.call("hello", json!({})).await;
    assert!(thief.changes.is_empty(), "{:?}", thief.changes);
}

/// A seat that was given for some time: its token opens nothing after it, and
/// whoever sits there is shown out without having said anything.
#[tokio::test]
async fn a_token_that_has_expired_opens_nothing() {
    let expire = [("blue", 2), ("spectator", 0)];
    let table = table_as(TableSetup {
        expire: &expire,
        ..TableSetup::default()
    })
    .await;
    let mut late = Client::connect(&table).await;
    assert_eq!(
        late.call("hello", json!({ "token": table.tokens["spectator"] }))
            .await["error"]["code"],
        -32008
    );
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    blue.until(|change| change["whole"] == true).await;
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    blue.changes.clear();
    let mut red = Client::seated(&table, "red", Json::Null).await;
    while blue.next().await.unwrap()["method"] != "revoked" {}
    let done = json!({ "input": { "input": "done", "by": "red" } });
    assert!(
        red.call("submit", done).await["result"].is_object(),
        "the game goes on"
    );
    assert_eq!(blue.call("view", json!({})).await["error"]["code"], -32007);
    assert_eq!(
        blue.call("hello", json!({ "token": table.tokens["blue"] }))
            .await["error"]["code"],
        -32008
    );
    assert!(blue.changes.is_empty(), "{:?}", blue.changes);
    assert_eq!(post(&table, &table.tokens["blue"], PROMPT).await.0, 403);
}

/// What comes before its time, twice, or by another's number.
#[tokio::test]
async fn messages_out_of_order_and_repeated_ones_do_nothing_twice() {
    let table = table(None, &[], None).await;
    let mut early = Client::connect(&table).await;
    let done = json!({ "input": "done", "by": "blue" });
    assert_eq!(
        early.call("submit", json!({ "input": done })).await["error"]["code"],
        -32007
    );
    assert_eq!(
        early.call("follow", json!({})).await["error"]["code"],
        -32007
    );
    let mut blue =
        Client::seated(&table, "blue", json!({ "game": "g1-00000000", "seq": 999 })).await;
    blue.until(|change| change["whole"] == true).await;
    let has = blue.has();
    let ahead = json!({ "game": has["game"], "seq": has["seq"].as_u64().unwrap() + 50 });
    blue.call("follow", json!({ "have": ahead })).await;
    assert_eq!(
        blue.changes.last().unwrap()["whole"],
        true,
        "what was never told was not missed"
    );
    let ask = blue.call("prompt", json!({})).await["result"]["ask"]
        .as_u64()
        .unwrap();
    for wrong in [0, ask + 1, u64::from(u32::MAX)] {
        let submission = json!({ "ask": wrong, "input": done });
        assert_eq!(
            blue.call("submit", submission).await["error"]["code"],
            -32002,
            "{wrong}"
        );
    }
    let submission = json!({ "ask": ask, "key": "k", "input": done });
    let mut replies = Vec::new();
    for _ in 0..3 {
        // The very same message, with the number that it had.
        blue.last = 70;
        replies.push(blue.call("submit", submission.clone()).await);
    }
    assert!(
        replies[0]["result"].is_object() && replies.iter().all(|reply| *reply == replies[0]),
        "{replies:?}"
    );
    let decisions = blue.call("decisions", json!({})).await["result"].clone();
    assert_eq!(decisions.as_array().unwrap().len(), 1, "{decisions}");
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "role": "referee" } }).to_string();
    blue.socket.send(Message::text(answer)).await.unwrap();
    assert_eq!(
        blue.call("hash", json!({})).await["error"]["code"],
        -32007,
        "a reply is no request"
    );
}

/// Frames that no library sends: the line is closed, and nothing else.
#[tokio::test]
async fn frames_that_are_none_close_their_own_line() {
    let table = table(None, &[], None).await;
    let text = |opcode, is_last| {
        Message::Frame(Frame::message(PROMPT.as_bytes().to_vec(), opcode, is_last))
    };
    let reserved = {
        let Message::Frame(mut frame) = text(OpCode::Data(Data::Text), true) else {
            panic!("a frame")
        };
        frame.header_mut().rsv2 = true;
        Message::Frame(frame)
    };
    let ends = [
        vec![text(OpCode::Data(Data::Continue), true)],
        vec![
            text(OpCode::Data(Data::Text), false),
            text(OpCode::Data(Data::Text), true),
        ],
        vec![reserved],
        vec![Message::Frame(Frame::message(
            vec![0xff, 0xfe],
            OpCode::Data(Data::Text),
            true,
        ))],
    ];
    for (at, frames) in ends.into_iter().enumerate() {
        let mut client = Client::seated(&table, "red", Json::Null).await;
        for frame in frames {
            client.socket.send(frame).await.unwrap();
        }
        let (code, _) = told_why(&mut client).await;
        assert_eq!(code, if at == 3 { 1007 } else { 1002 }, "after {at}");
        let mut blue = Client::seated(&table, "blue", Json::Null).await;
        assert_eq!(
            blue.call("prompt", json!({})).await["result"]["prompt"],
            "act",
            "after {at}"
        );
    }
    let mut client = Client::seated(&table, "red", Json::Null).await;
    let parts = [
        text(OpCode::Data(Data::Text), false),
        Message::Ping("?".into()),
    ];
    for part in parts {
        client.socket.send(part).await.unwrap();
    }
    let rest = Frame::message(b" ".to_vec(), OpCode::Data(Data::Continue), true);
    client.socket.send(Message::Frame(rest)).await.unwrap();
    client.last = 0;
    while client.next().await.unwrap()["result"]["prompt"] != "act" {}
}

#[tokio::test]
async fn who_posts_too_much_is_told_to_wait() {
    let table = table(None, &[], None).await;
    let mut statuses = Vec::new();
    for _ in 0..320 {
        statuses.push(post(&table, &table.tokens["red"], PROMPT).await.0);
        if statuses.last() == Some(&429) {
            break;
        }
    }
    assert!(
        statuses.len() > 200 && statuses.last() == Some(&429),
        "{}",
        statuses.len()
    );
    assert_eq!(
        post(&table, &table.tokens["blue"], PROMPT).await.0,
        200,
        "others are not made to wait"
    );
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(post(&table, &table.tokens["red"], PROMPT).await.0, 200);
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"prompt\",\"params\":\"{}\"}}",
        "x".repeat(2 << 20)
    );
    let (status, said) = post(&table, &table.tokens["blue"], &long).await;
    assert_eq!(status, 413);
    assert_eq!(said, "expected a message of at most 1048576 bytes\n");
}

/// Whoever guesses tokens is told to wait like whoever has one, and wakes nobody.
#[tokio::test]
async fn who_guesses_tokens_waits_and_wakes_no_match() {
    let folder = std::env::temp_dir().join(format!("houserule-guess-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(Some(folder.join("drill.journal")), &[], None).await;
    let guesses: Vec<String> = (0..320).map(|guess| format!("guess-{guess}")).collect();
    let posted = guesses.iter().map(|guess| post(&table, guess, PROMPT));
    let mut statuses = [0, 0];
    for (status, _) in futures_util::future::join_all(posted).await {
        assert!(matches!(status, 403 | 429), "{status}");
        statuses[usize::from(status == 429)] += 1;
    }
    assert!(statuses[0] >= 200 && statuses[1] > 0, "{statuses:?}");
    let events = "GET /events HTTP/1.1\r\nHost: localhost:PORT\r\nAuthorization: Bearer no\r\n\r\n";
    assert!(raw(&table, events).await.starts_with("HTTP/1.1 4"));
    assert_eq!(table.serving.hall.count(), (1, 0), "nobody has come in");
    let red = post(&table, &table.tokens["red"], PROMPT).await;
    assert_eq!(red.0, 200, "whoever has a token is not made to wait");
    assert_eq!(table.serving.hall.count(), (1, 1));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A proxy might heed one of two headers, and we the other.
#[tokio::test]
async fn a_header_that_counts_is_there_once() {
    let table = table(None, &[], None).await;
    let bearer = format!("Authorization: Bearer {}\r\n", table.tokens["blue"]);
    for (twice, status) in [
        ("", "204"),
        ("Host: evil.example\r\n", "400"),
        ("Host: localhost:PORT\r\n", "400"),
        ("Authorization: Bearer other\r\n", "400"),
    ] {
        let body = r#"{"jsonrpc":"2.0","method":"prompt"}"#;
        let request = format!(
            "POST /rpc HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n{bearer}{twice}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let reply = raw(&table, &request).await;
        assert_eq!(&reply[9..12], status, "{twice}: {reply}");
    }
}

/// Statuses that a client may meet and that are no reply of the match.
#[tokio::test]
async fn what_cannot_be_answered_gets_a_status_of_its_own() {
    let table = table(None, &[], None).await;
    let long = "x".repeat(70_000);
    let head = "Host: localhost:PORT\r\nConnection: close\r\nAuthorization: Bearer no\r\n";
    for (request, status) in [
        (format!("GET /rpc HTTP/1.1\r\n{head}\r\n"), "405"),
        (
            format!("GET /events?events=blah HTTP/1.1\r\n{head}\r\n"),
            "400",
        ),
        (format!("GET /{long} HTTP/1.1\r\n{head}\r\n"), "414"),
        (
            format!(
                "GET / HTTP/1.1\r\n{head}X: x\r\n{}\r\n",
                "Y: y\r\n".repeat(150)
            ),
            "431",
        ),
        (
            format!("POST /rpc HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
            "400",
        ),
    ] {
        let reply = raw(&table, &request).await;
        assert_eq!(reply.get(9..12), Some(status), "{reply}");
    }
}

/// More is sent than lines hold, to one who takes nothing: its place is free
/// after a while, and others never wait for it.
#[tokio::test]
async fn who_never_reads_is_let_go() {
    let setup = TableSetup {
        scenario: "border-raid",
        patience: Duration::from_millis(700),
        ..TableSetup::default()
    };
    let table = table_as(setup).await;
    let mut deaf = Client::seated(&table, "red", Json::Null).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    assert_eq!(table.serving.connections(), 2);
    for id in 0..120 {
        let message = json!({ "jsonrpc": "2.0", "id": 1_000 + id, "method": "view" }).to_string();
        if deaf.socket.send(Message::text(message)).await.is_err() {
            break;
        }
    }
    assert!(
        blue.call("prompt", json!({})).await["result"]["prompt"].is_string(),
        "others do not wait"
    );
    are_here(&table, 1).await;
    drop(deaf);
    let mut back = Client::seated(&table, "red", Json::Null).await;
    back.until(|change| change["whole"] == true).await;
}

/// Nothing at all, half a head, half a body: each is shown out when its time is
/// over, and who has asked for what has no end is not.
#[tokio::test]
async fn who_does_not_send_a_whole_request_is_shown_out() {
    let table = table_as(TableSetup {
        patience: Duration::from_millis(700),
        ..TableSetup::default()
    })
    .await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    let mut listening = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
    let events = format!(
        "GET /events HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        table.port, table.tokens["blue"]
    );
    listening.write_all(events.as_bytes()).await.unwrap();
    let head = format!("Host: localhost:{}\r\n", table.port);
    let halves = [
        (String::new(), ""),
        (format!("GET / HTTP/1.1\r\n{head}"), ""),
        (
            format!("POST /rpc HTTP/1.1\r\n{head}Content-Length: 40\r\n\r\n{{"),
            "HTTP/1.1 408",
        ),
    ];
    for (half, expected) in halves {
        let reply = tokio::time::timeout(NOBODY_IS_THAT_SLOW, sent(&table, half.as_bytes()))
            .await
            .expect("it is shown out");
        let is_expected = match expected {
            "" => reply.is_empty(),
            status => reply.starts_with(status),
        };
        assert!(is_expected, "{half:?}: {reply}");
    }
    are_here(&table, 2).await;
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    assert!(blue.call("submit", done).await["result"].is_object());
    let (mut told, mut bytes) = (String::new(), [0; 4_096]);
    while told.matches("event: change").count() < 2 {
        let read = tokio::time::timeout(NOBODY_IS_THAT_SLOW, listening.read(&mut bytes));
        let count = read.await.unwrap().unwrap();
        assert!(count > 0, "it is still told: {told}");
        told.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
}

/// Who has said half a request has a place, as all others: one more is told that
/// there is none, and when they are gone there is.
#[tokio::test]
async fn who_has_not_said_anything_yet_counts_too() {
    let table = table_as(TableSetup {
        most_connections: 3,
        ..TableSetup::default()
    })
    .await;
    let mut halves = Vec::new();
    for half in ["", "G", "POST /rpc HTTP/1.1\r\n"] {
        let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        halves.push(stream);
    }
    are_here(&table, 3).await;
    let page = "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n";
    let reply = raw(&table, page).await;
    assert!(
        reply.starts_with("HTTP/1.1 503") && reply.ends_with("\r\n\r\ntoo many are here already\n"),
        "{reply}"
    );
    drop(halves);
    are_here(&table, 0).await;
    let reply = raw(&table, page).await;
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}

/// A drill in a folder of its own, with another text in one of its rules.
fn broken_drill(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/drill");
    for part in ["", "rules", "scenarios", "data"] {
        let Ok(files) = std::fs::read_dir(root.join(part)) else {
            continue;
        };
        std::fs::create_dir_all(folder.join("drill").join(part)).unwrap();
        for file in files
            .map(|file| file.unwrap().path())
            .filter(|file| file.is_file())
        {
            let to = folder
                .join("drill")
                .join(part)
                .join(file.file_name().unwrap());
            std::fs::copy(file, to).unwrap();
        }
    }
    let path = folder.join("drill/rules/orders.luau");
    let text = std::fs::read_to_string(&path).unwrap();
    let (from, to) = (
        "squad.order = params.order",
        "error(`the plan is {params.order}`)",
    );
    assert!(text.contains(from));
    std::fs::write(path, text.replace(from, to)).unwrap();
}

#[tokio::test]
async fn a_match_that_faults_goes_on_and_tells_the_referee_alone_where() {
    let folder = std::env::temp_dir().join(format!("houserule-faults-{}", std::process::id()));
    broken_drill(&folder);
    let table = table_as(TableSetup {
        folders: vec![folder.clone()],
        ..TableSetup::default()
    })
    .await;
    let mut referee = Client::seated(&table, "referee", Json::Null).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    let before = referee.call("hash", json!({})).await["result"].clone();
    let order = json!({ "input": "act", "by": "blue", "action": "drill.orders.give", "actor": "blue-1",
        "params": { "order": "shoot" } });
    let error = blue
        .call("submit", json!({ "key": "k", "input": order }))
        .await["error"]
        .clone();
    assert_eq!(
        (&error["code"], &error["data"]),
        (&json!(-32001), &json!({ "trouble": "broken" }))
    );
    let fault = loop {
        let message = referee.next().await.unwrap();
        if message["method"] == "fault" {
            break message.to_string();
        }
    };
    assert!(
        fault.contains("the plan is shoot") && fault.contains("rules/orders.luau"),
        "{fault}"
    );
    assert!(
        !blue
            .changes
            .iter()
            .any(|change| change.to_string().contains("the plan"))
    );
    assert_eq!(
        referee.call("hash", json!({})).await["result"],
        before,
        "nothing is half done"
    );
    let done = json!({ "key": "l", "input": { "input": "done", "by": "blue" } });
    assert!(
        blue.call("submit", done).await["result"].is_object(),
        "the game goes on"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_match_that_cannot_be_taken_up_says_so() {
    let nowhere = || {
        Err(Trouble::Unknown {
            message: "the journal is gone".into(),
            hint: None,
        })
    };
    let opening = Opening {
        table: Box::new(nowhere),
        folders: Vec::new(),
        watch: None,
        pause: Duration::ZERO,
        idle: None,
        branches: None,
    };
    let hall = Arc::new(Hall::default());
    let mut seats = Seats::default();
    let token = seats.give(Seat::of_side("blue")).unwrap().1;
    hall.add("table", Room::new(opening, seats));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = Arc::new(Serving::new(hall, ServerNames::of(port, &[])));
    tokio::spawn(serve(listener, serving.clone(), std::future::pending()));
    let table = Table {
        port,
        tokens: [("blue", token)].into(),
        serving,
    };
    let (status, text) = post(&table, &table.tokens["blue"], PROMPT).await;
    assert_eq!(
        (status, text.as_str()),
        (503, "the match cannot be taken up\n")
    );
    let mut blue = Client::connect(&table).await;
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "hello", "params": { "token": table.tokens["blue"] } });
    blue.socket
        .send(Message::text(hello.to_string()))
        .await
        .unwrap();
    let closed = loop {
        if let Message::Close(frame) = blue.socket.next().await.unwrap().unwrap() {
            break frame.unwrap();
        }
    };
    assert_eq!(
        (u16::from(closed.code), closed.reason.as_str()),
        (1011, "the match cannot be taken up")
    );
    drop(blue);
    are_here(&table, 0).await;
}
