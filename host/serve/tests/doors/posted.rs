//! Plain HTTP, for programs without sockets.

use futures_util::SinkExt;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, NOBODY_IS_THAT_SLOW, are_here, post, raw, sent, table};

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
    assert!(
        reply.starts_with("HTTP/1.1 200") && reply.contains(r#""id":7"#),
        "{reply}"
    );
    let in_small = bearer.replace("Bearer", "bearer");
    let nobody = "Authorization: Bearer no\r\n";
    for (token, status) in [(&*in_small, 200), ("", 401), (nobody, 403)] {
        let reply = raw(&table, &post(token, body)).await;
        assert!(
            reply.starts_with(&format!("HTTP/1.1 {status}")),
            "{token}: {reply}"
        );
    }
    let events = |query: &str, header: &str| {
        format!(
            "GET /events{query} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n{bearer}{header}\r\n"
        )
    };
    let reply = raw(&table, &events("", "")).await;
    assert!(
        reply.contains("event: change") && !reply.contains(r#""events""#),
        "{reply}"
    );
    let id = reply
        .lines()
        .find_map(|line| line.strip_prefix("id: "))
        .unwrap()
        .to_string();
    let lines = raw(&table, &events("?events=lines", "")).await;
    assert!(
        lines.contains(r#""events":[{"#) && !lines.contains(r#""fields""#),
        "{lines}"
    );
    assert!(
        raw(&table, &events("?events=all", ""))
            .await
            .starts_with("HTTP/1.1 400")
    );
    let done = r#"{"jsonrpc":"2.0","id":8,"method":"submit","params":{"input":{"input":"done","by":"blue"}}}"#;
    assert!(raw(&table, &post(&bearer, done)).await.contains("result"));
    let missed = raw(&table, &events("", &format!("Last-Event-ID: {id}\r\n"))).await;
    let (game, seq) = id.split_once('/').unwrap();
    let next = format!("id: {game}/{}", seq.parse::<u64>().unwrap() + 1);
    assert!(
        missed.contains(&next) && !missed.contains("whole"),
        "{missed}"
    );
}

/// Others may speak between the messages of a batch; its replies come together.
#[tokio::test]
async fn a_batch_is_answered_as_one() {
    let table = table(None, &[], None).await;
    let mut blue = Client::seated(&table, "blue", Json::Null).await;
    let mut red = Client::seated(&table, "red", Json::Null).await;
    blue.until(|change| change["ask"]["prompt"] == "act").await;
    let known = blue.changes.len();
    let ask = |id: u64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method });
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    let batch = json!([
        ask(7, "prompt"),
        { "jsonrpc": "2.0", "method": "submit", "params": done },
        ask(8, "no_such"),
        5,
        ask(9, "prompt"),
    ]);
    let text = batch.to_string();
    blue.socket.send(Message::text(text.clone())).await.unwrap();
    red.call("prompt", json!({})).await;
    let replies = loop {
        let message = blue.next().await.unwrap();
        if message.is_array() {
            break message;
        }
    };
    assert!(
        blue.changes.len() > known,
        "it was told before what it has done"
    );
    let ids: Vec<&Json> = replies
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| &reply["id"])
        .collect();
    assert_eq!(ids, [&json!(7), &json!(8), &Json::Null, &json!(9)]);
    assert_ne!(replies[0]["result"], replies[3]["result"], "in its order");
    // The same by itself, and one of notifications alone.
    let posted: Json =
        serde_json::from_str(&post(&table, &table.tokens["blue"], &text).await.1).unwrap();
    assert_eq!(posted.as_array().unwrap().len(), 4);
    let silent = r#"[{"jsonrpc":"2.0","method":"prompt"},{"jsonrpc":"2.0","method":"view"}]"#;
    assert_eq!(post(&table, &table.tokens["blue"], silent).await.0, 204);
}

/// Who has said all that it has to say may close its half of the line.
#[tokio::test]
async fn who_ends_its_half_of_the_line_is_answered() {
    let table = table(None, &[], None).await;
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"view"}"#;
    let request = format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{body}",
        table.port,
        table.tokens["blue"],
        body.len()
    );
    for _ in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", table.port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
        assert!(reply.contains(r#""id":7"#), "{reply}");
    }
    are_here(&table, 0).await;
}

/// Who looks at several sides follows the first of them, or the one that it names.
#[tokio::test]
async fn a_seat_at_several_sides_follows_as_one_of_them() {
    let folder = std::env::temp_dir().join(format!("houserule-several-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let table = table(Some(folder.join("drill.journal")), &[], None).await;
    let branch = r#"{"jsonrpc":"2.0","id":1,"method":"branch"}"#;
    let (_, reply) = post(&table, &table.tokens["referee"], branch).await;
    let reply: Json = serde_json::from_str(&reply).unwrap();
    let (room, token) = (&reply["result"]["room"], &reply["result"]["token"]);
    let (room, token) = (room.as_str().unwrap(), token.as_str().unwrap());
    let events = |query: &str| {
        format!(
            "GET /events/{room}{query} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
        )
    };
    for (query, viewer) in [
        ("", "blue"),
        ("?viewer=red", "red"),
        ("?events=lines&viewer=blue", "blue"),
    ] {
        let reply = raw(&table, &events(query)).await;
        let told = format!(r#""viewer":"{viewer}""#);
        assert!(
            reply.contains("event: change") && reply.contains(&told),
            "{query}: {reply}"
        );
    }
    for (query, status) in [
        ("?viewer=green", "403"),
        ("?viewer=referee", "403"),
        ("?who=red", "400"),
    ] {
        let reply = raw(&table, &events(query)).await;
        assert_eq!(&reply[9..12], status, "{query}: {reply}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
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
    let whole =
        || prop::sample::select(messages.to_vec()).prop_map(|text| text.as_bytes().to_vec());
    let cut = (whole(), any::<prop::sample::Index>()).prop_map(|(mut body, at)| {
        body.truncate(at.index(body.len() + 1));
        body
    });
    let spoilt =
        (whole(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut body, at, byte)| {
            let length = body.len();
            body.get_mut(at.index(length.max(1)))
                .into_iter()
                .for_each(|place| *place = byte);
            body
        });
    prop_oneof![3 => whole(), 2 => cut, 2 => spoilt, 1 => prop::collection::vec(any::<u8>(), 0..60)]
}

/// Whatever is posted is answered at once: with a reply, or with nothing where
/// none is asked for.
#[test]
fn whatever_is_posted_is_answered_at_once() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
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
        let answer =
            async { tokio::time::timeout(NOBODY_IS_THAT_SLOW, sent(&table, &request)).await };
        let reply = runtime.block_on(answer);
        reply.unwrap_or_else(|_| panic!("no answer to {:?}", String::from_utf8_lossy(body)))
    };
    let status = |body: &str| post(body.as_bytes())[9..12].to_string();
    assert_eq!(status(r#"{"jsonrpc":"2.0","method":"prompt"}"#), "204");
    assert_eq!(status(r#"[{"jsonrpc":"2.0","method":"prompt"}]"#), "204");
    assert_eq!(
        status(r#"{"jsonrpc":"2.0","id":1,"method":"prompt"}"#),
        "200"
    );
    let mut runner = TestRunner::new(Config {
        cases: 150,
        failure_persistence: None,
        ..Config::default()
    });
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
