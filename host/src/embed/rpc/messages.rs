//! Messages as JSON-RPC 2.0 states them: requests read, replies written.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::calls::{METHODS, RpcCall};
use super::naming::member_meant;
use crate::embed::Trouble;

/// A message may be this long, in bytes: a megabyte.
pub const LONGEST_MESSAGE: usize = 1 << 20;

/// A batch may hold so many messages.
pub const LARGEST_BATCH: usize = 100;

/// The codes of errors, and what they mean.
pub const ERRORS: [(i32, &str); 14] = [
    (-32700, "the line is not JSON"),
    (-32600, "the message is no request"),
    (-32601, "there is no such method"),
    (-32602, "the parameters do not fit"),
    (-32000, "the rules do not allow it: `data` says why"),
    (
        -32001,
        "a mod or file is broken: `data` has the faults, for the referee and the host",
    ),
    (-32002, "the side must decide something else by now"),
    (-32003, "no match is in play"),
    (
        -32004,
        "a side, a viewer, an action or a rule was named that is not there",
    ),
    (
        -32005,
        "the journal or save could not be written; nothing was done",
    ),
    (-32006, "the message is too long, or the batch too large"),
    (-32007, "it is not for this seat"),
    (-32008, "the token opens no seat"),
    (
        -32009,
        "the client speaks another version of these messages",
    ),
];

/// What went wrong with a message, as JSON-RPC numbers it.
pub(super) struct Problem {
    code: i32,
    message: String,
    data: Json,
}

impl Problem {
    pub fn new(code: i32, message: impl Into<String>) -> Problem {
        Problem {
            code,
            message: message.into(),
            data: Json::Null,
        }
    }

    /// A token that opens nothing: forged, expired, revoked, or cut short, it is
    /// all the same.
    pub fn no_seat() -> Problem {
        Problem::new(-32008, "the token opens no seat")
    }

    fn json(&self) -> Json {
        let mut error = json!({ "code": self.code, "message": self.message });
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        error
    }
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        let (code, message) = match &trouble {
            Trouble::Refusal { .. } => (-32000, trouble.to_string()),
            Trouble::Faults { faults, .. } => (
                -32001,
                faults
                    .first()
                    .map_or("a fault".into(), |fault| fault.message.clone()),
            ),
            Trouble::Broken {} => (-32001, trouble.to_string()),
            Trouble::Stale { .. } => (-32002, trouble.to_string()),
            Trouble::Unknown { message, .. } => (-32004, message.clone()),
            // The message itself is wrong: no data tells of that.
            Trouble::Unsaid { message } => return Problem::new(-32602, message),
            Trouble::Unwritten { fault } => (-32005, fault.message.clone()),
            Trouble::Forbidden {} => (-32007, trouble.to_string()),
        };
        Problem {
            code,
            message,
            data: json(&trouble),
        }
    }
}

/// A message that was read.
pub(super) struct RpcRequest {
    /// What the reply bears; none for a notification.
    pub id: Option<Json>,
    /// The seat as which it is said, if that is not the connection's own.
    pub token: Option<String>,
    pub call: Result<RpcCall, Problem>,
}

/// Reads a message.
///
/// # Errors
/// When it is no request, with the id that the error bears.
pub(super) fn request_of(message: Json) -> Result<RpcRequest, (Json, Problem)> {
    let wrong = |id: Json, text: &str| Err((id, Problem::new(-32600, text)));
    let Json::Object(mut fields) = message else {
        return wrong(Json::Null, "expected an object");
    };
    let id = fields.remove("id").map(as_whole);
    if id.as_ref().is_some_and(|id| !can_be_given_back(id)) {
        return wrong(
            Json::Null,
            "expected an id that is a text, null, a whole number of at most 64 bits, or another number of at most 53",
        );
    }
    let known = id.clone().unwrap_or_default();
    if fields.remove("jsonrpc") != Some(json!("2.0")) {
        return wrong(known, "expected \"jsonrpc\": \"2.0\"");
    }
    let Some(Json::String(method)) = fields.remove("method") else {
        return wrong(known, "expected a method as text");
    };
    let params = fields
        .remove("params")
        .unwrap_or_else(|| Json::Object(Map::new()));
    if !params.is_object() && !params.is_array() {
        return wrong(known, "expected parameters that are an object or a list");
    }
    let token = match fields.remove("token") {
        None => None,
        Some(Json::String(token)) => Some(token),
        Some(_) => return wrong(known, "expected a token as text"),
    };
    if let Some((other, _)) = fields.iter().next() {
        return wrong(known, &format!("found the unknown member `{other}`"));
    }
    Ok(RpcRequest {
        id,
        token,
        call: call_of(&method, params),
    })
}

/// A number that is whole, however it was written, as whole numbers are written: `1e3`
/// as 1000, and `-0` as 0.
fn as_whole(id: Json) -> Json {
    match id.as_f64() {
        Some(number)
            if !id.is_i64() && !id.is_u64() && number.fract() == 0.0 && is_exact(number) =>
        {
            json!(number as i64)
        }
        _ => id,
    }
}

/// Whether no number beside it was read as the same.
fn is_exact(number: f64) -> bool {
    number.abs() < 9_007_199_254_740_992.0
}

/// Whether an id comes back as it was sent: not so a number that is cut short
/// as it is read.
fn can_be_given_back(id: &Json) -> bool {
    match id {
        Json::String(_) | Json::Null => true,
        Json::Number(number) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(is_exact)
        }
        _ => false,
    }
}

fn call_of(method: &str, params: Json) -> Result<RpcCall, Problem> {
    if METHODS.iter().all(|(name, _)| *name != method) {
        let near = kernel::world::closest(method, METHODS.iter().map(|(name, _)| *name));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(Problem::new(
            -32601,
            format!("there is no method `{method}`{hint}"),
        ));
    }
    if !params.is_object() {
        return Err(Problem::new(-32602, "expected parameters by name"));
    }
    // What reads them would take a list for the members of an object in their order.
    if let Some(name) = ["input", "have", "of"]
        .into_iter()
        .find(|name| params[*name].is_array())
    {
        let message =
            format!("parameters of `{method}`: expected `{name}` as an object, found a list");
        return Err(Problem::new(-32602, message));
    }
    let wrong = |reason: &str| {
        let message = format!("parameters of `{method}`: {reason}");
        Problem::new(-32602, message)
    };
    let read = |params: Json| {
        let call = json!({ "method": method, "params": params });
        serde_json::from_value::<RpcCall>(call).map_err(|error| error.to_string())
    };
    let call = read(params.clone()).map_err(|said| {
        let member = member_meant(&params, &said, |params| read(params).err());
        let member = member.map_or(String::new(), |name| format!("`{name}`: "));
        wrong(&format!("{member}{}", in_words_of_json(&said)))
    })?;
    match &call {
        RpcCall::Undo(said) if said.keep.is_some() && said.number.is_some() => {
            Err(wrong("expected `keep` or `number`, found both"))
        }
        _ => Ok(call),
    }
}

/// What the reader of parameters calls by the names of its own language, in words
/// of who writes JSON.
fn in_words_of_json(error: &str) -> String {
    const WORDS: [(&str, &str); 16] = [
        (
            "expected variant identifier",
            "expected the name of what it is as text",
        ),
        ("expected string or map", "expected a text or an object"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: object"),
        ("expected a map", "expected an object"),
        ("expected a sequence", "expected a list"),
        (
            "expected a nonzero u32",
            "expected a whole number from 1 to 4294967295",
        ),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        (
            "expected u64",
            "expected a whole number that is not negative",
        ),
        (
            "expected usize",
            "expected a whole number that is not negative",
        ),
        ("expected a boolean", "expected true or false"),
        ("expected a string", "expected a text"),
        ("invalid type: string", "invalid type: text"),
        ("invalid type: floating point", "invalid type: number"),
        ("invalid value: map", "invalid value: object"),
        (
            "expected map with a single key",
            "expected an object with one member",
        ),
    ];
    let said = (WORDS.iter()).fold(error.to_string(), |said, (theirs, ours)| {
        said.replace(theirs, ours)
    });
    // What an object is called in the language of the engine tells a client nothing.
    match said.split_once("expected struct ") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|letter: char| letter.is_alphanumeric());
            format!("{before}expected an object{rest}")
        }
        None => said,
    }
}

/// The reply to a request.
pub(super) fn reply(id: &Json, outcome: Result<Json, Problem>) -> Json {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(problem) => failed(id, &problem),
    }
}

pub(super) fn failed(id: &Json, problem: &Problem) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": problem.json() })
}

pub(super) fn notification(method: &str, params: &impl Serialize) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": json(params) }).to_string()
}

pub(super) fn json(value: &impl Serialize) -> Json {
    // Types of the façade have no keys but texts: they all are JSON.
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_comes_back_as_the_number_that_it_is() {
        let id = |text: &str| {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{text},"method":"hash"}}"#);
            match request_of(serde_json::from_str(&line).unwrap()) {
                Ok(request) => request.id.unwrap().to_string(),
                Err((id, problem)) => {
                    assert_eq!((id, problem.code), (Json::Null, -32600));
                    "refused".into()
                }
            }
        };
        for (sent, back) in [
            ("1e3", "1000"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.5", "1.5"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("18446744073709551616", "refused"),
            ("1e300", "refused"),
            ("9007199254740993.0", "refused"),
        ] {
            assert_eq!(id(sent), back, "{sent}");
        }
    }

    #[test]
    fn a_list_is_no_object() {
        for (method, params) in [
            (
                "submit",
                json!({ "input": ["answer", "blue", "m.sure", true] }),
            ),
            ("follow", json!({ "have": ["g1-00000000", 1] })),
            ("odds", json!({ "of": [{ "input": "done", "by": "red" }] })),
        ] {
            let problem = call_of(method, params).err().unwrap();
            assert_eq!(problem.code, -32602);
            assert!(problem.message.ends_with("as an object, found a list"));
        }
    }

    /// Whatever is wrong with a member, it is named.
    #[test]
    fn the_member_that_does_not_fit_is_named() {
        let act = |more: Json| {
            let mut input = json!({ "input": "act", "by": "red", "action": "m.go" });
            for (name, value) in more.as_object().unwrap() {
                input[name] = value.clone();
            }
            json!({ "input": input })
        };
        for (method, params, named) in [
            (
                "start",
                json!({ "scenario": "a", "others": null }),
                "`others`",
            ),
            (
                "start",
                json!({ "scenario": "a", "with": ["b", 3] }),
                "`with[1]`",
            ),
            ("start", json!({ "scenario": 3, "seed": 4 }), "`scenario`"),
            ("start", json!({ "scenario": "a", "seed": "b" }), "`seed`"),
            ("news", json!({ "viewer": "red", "limit": 0 }), "`limit`"),
            ("watch", json!({ "on": true, "past": "b" }), "`past`"),
            ("submit", act(json!({ "by": null })), "`input.by`"),
            ("submit", act(json!({ "action": 3 })), "`input.action`"),
            ("submit", act(json!({ "input": "fly" })), "`input.input`"),
            (
                "submit",
                act(json!({ "actor": { "entty": 3 } })),
                "`input.actor.entty`",
            ),
            (
                "submit",
                act(json!({ "params": { "a": 1, "b": 1.5 } })),
                "`input.params.b`",
            ),
            (
                "give_seat",
                json!({ "seat": "sides", "sides": null }),
                "`sides`",
            ),
            ("give_seat", json!({ "seat": "throne" }), "`seat`"),
            (
                "hello",
                json!({ "have": { "game": "g", "seq": -1 } }),
                "`have.seq`",
            ),
        ] {
            let problem = call_of(method, params).err().unwrap();
            let said = format!("parameters of `{method}`: {named}: ");
            assert!(problem.message.starts_with(&said), "{}", problem.message);
        }
    }

    /// A client reads of lists, objects and numbers, and not of types of Rust.
    #[test]
    fn parameters_are_spoken_of_as_a_client_writes_them() {
        for (method, params, said) in [
            ("submit", json!({ "input": null }), "expected a decision"),
            ("news", json!({ "limit": 0 }), "from 1 to 4294967295"),
            ("news", json!({ "since": -1 }), "from 0 to 4294967295"),
            (
                "submit",
                json!({ "input": { "input": "act", "by": "red", "action": "m.go", "params": [] } }),
                "invalid type: list, expected an object",
            ),
            (
                "legal",
                json!({ "actor": { "entty": 3 } }),
                "an object with its number as `entity`",
            ),
        ] {
            let problem = call_of(method, params).err().unwrap();
            assert!(problem.message.contains(said), "{}", problem.message);
        }
    }
}
