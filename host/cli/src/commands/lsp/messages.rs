//! Messages as they come and go: a header with the length, then JSON.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use houserule::printable;
use lsp_server::{ErrorCode, Message};
use serde_json::{Value as Json, json};

/// A longer message is passed over: no file of rules comes near it.
const LONGEST: u64 = 64 << 20;

/// A longer line of a header is broken.
const LONGEST_HEADER: u64 = 4096;

/// So many messages may wait.
const WAITING: usize = 256;

/// What came in.
pub(super) enum Incoming {
    Message(Message),
    /// Something else, with what is told of it.
    Wrong(Json),
}

/// What comes in until the input ends.
pub(super) fn incoming() -> Receiver<Incoming> {
    let (sender, receiver) = sync_channel(WAITING);
    std::thread::spawn(move || read_all(&mut BufReader::new(io::stdin()), &sender));
    receiver
}

fn read_all(input: &mut impl BufRead, sender: &SyncSender<Incoming>) {
    while let Ok(Some(body)) = read(input) {
        let one = match body {
            Ok(body) => understood(&body),
            Err(what) => Incoming::Wrong(error(Json::Null, ErrorCode::ParseError, &what)),
        };
        if sender.send(one).is_err() {
            return;
        }
    }
}

/// The bytes of a message, or what is wrong with its header; nothing at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input
            .by_ref()
            .take(LONGEST_HEADER)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let Some(length) = length else {
        return Ok(Some(Err(
            "expected `Content-Length` in the header of a message".into(),
        )));
    };
    if length > LONGEST {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Err(format!(
            "expected a message of at most {LONGEST} bytes, found {length}"
        ))));
    }
    let mut body = Vec::new();
    let read = input.by_ref().take(length).read_to_end(&mut body)?;
    Ok((read as u64 == length).then_some(Ok(body)))
}

fn understood(body: &[u8]) -> Incoming {
    let json: Json = match serde_json::from_slice(body) {
        Ok(json) => json,
        Err(wrong) => {
            return Incoming::Wrong(error(
                Json::Null,
                ErrorCode::ParseError,
                &format!("no JSON: {wrong}"),
            ));
        }
    };
    let id = json
        .get("id")
        .filter(|id| id.is_i64() || id.is_string())
        .cloned()
        .unwrap_or_default();
    match serde_json::from_value(json) {
        Ok(message) => Incoming::Message(message),
        Err(_) => {
            let what = "expected a request, a notification or a response";
            Incoming::Wrong(error(id, ErrorCode::InvalidRequest, what))
        }
    }
}

fn error(id: Json, code: ErrorCode, message: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}

/// Sends a message.
///
/// # Errors
/// When nobody reads it.
pub(super) fn send(message: &Message) -> io::Result<()> {
    let mut json = serde_json::to_value(message)?;
    json["jsonrpc"] = "2.0".into();
    send_json(&json)
}

/// Sends what is no message of the protocol's own types.
///
/// # Errors
/// When nobody reads it.
pub(super) fn send_json(json: &Json) -> io::Result<()> {
    use std::io::Write as _;
    let text = printable::json(&json.to_string()).to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{Incoming, read, understood};

    fn all(text: &str) -> Vec<Result<Vec<u8>, String>> {
        let mut input = Cursor::new(text.as_bytes());
        std::iter::from_fn(|| read(&mut input).unwrap_or_default()).collect()
    }

    #[test]
    fn what_is_broken_does_not_end_what_follows() {
        let found = all("Content-Length: 2\r\n\r\n{}X: 1\r\n\r\ncontent-length:3\r\n\r\n[1]");
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], Ok(b"{}".to_vec()));
        assert!(
            found[1]
                .as_ref()
                .is_err_and(|what| what.contains("Content-Length"))
        );
        assert_eq!(found[2], Ok(b"[1]".to_vec()));
    }

    #[test]
    fn a_length_that_nobody_has_is_not_made_room_for() {
        assert_eq!(all("Content-Length: 99999999999999\r\n\r\n{}").len(), 1);
        assert!(
            all("Content-Length: 9\r\n\r\n{}").is_empty(),
            "half a message is none"
        );
    }

    #[test]
    fn what_is_no_message_is_told_with_its_id() {
        let reply_to = |text: &str| match understood(text.as_bytes()) {
            Incoming::Wrong(json) => (json["id"].clone(), json["error"]["code"].as_i64()),
            Incoming::Message(_) => Default::default(),
        };
        assert_eq!(reply_to("{"), (serde_json::Value::Null, Some(-32700)));
        assert_eq!(
            reply_to("{\"id\":7,\"method\":12}"),
            (7.into(), Some(-32600))
        );
        assert!(matches!(
            understood(b"{\"id\":7,\"method\":\"shutdown\"}"),
            Incoming::Message(_)
        ));
    }
}
