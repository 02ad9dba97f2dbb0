//! Messages as a program passes them on for several seats, and files that are named in
//! them.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{ConnectionId, LONGEST_MESSAGE, Server};

/// A server of the drill, and its host.
struct Passing {
    server: Server,
    host: ConnectionId,
}

impl Passing {
    fn started() -> Passing {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut server = Server::new(vec![root.join("../docs/examples")]);
        let host = server.connect_host();
        let mut passing = Passing { server, host };
        passing.ok("start", json!({ "scenario": "drill/range" }));
        passing
    }

    /// Says a message as the host's connection; all that it is told by it.
    fn say(&mut self, token: Option<&str>, method: &str, params: Json) -> Vec<Json> {
        let mut message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        if let Some(token) = token {
            message["token"] = json!(token);
        }
        self.server.line(self.host, message.to_string().as_bytes());
        let lines = self.server.drain(self.host);
        lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn ok(&mut self, method: &str, params: Json) -> Json {
        let mut reply = self.say(None, method, params).pop().unwrap();
        assert!(reply["error"].is_null(), "{method}: {reply}");
        reply["result"].take()
    }

    fn error(&mut self, method: &str, params: Json) -> Json {
        let mut reply = self.say(None, method, params).pop().unwrap();
        reply["error"].take()
    }

    fn token(&mut self, sides: &[&str]) -> String {
        let given = self.ok("give_seat", json!({ "seat": "sides", "sides": sides }));
        given["token"].as_str().unwrap().to_string()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("houserule-rpc-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn who_passes_messages_on_keeps_its_own_seat() {
    let mut host = Passing::started();
    let blue = host.token(&["blue"]);
    let red = host.token(&["red"]);
    for shown in [&blue, &red] {
        // A player's own message, with the token that the program adds to each.
        let told = host.say(
            Some(&blue),
            "hello",
            json!({ "token": shown, "have": null }),
        );
        let sides = if *shown == blue { "blue" } else { "red" };
        assert_eq!(told.last().unwrap()["result"]["viewer"], sides);
        assert_eq!(host.ok("hello", json!({}))["role"], "host");
    }
    host.ok("hash", json!({}));
    let refused = host.say(Some(&blue), "hello", json!({ "token": "forged" }));
    assert_eq!(refused[0]["error"]["code"], -32008);
    // A connection that speaks for itself changes seats as before.
    assert_eq!(host.ok("hello", json!({ "token": blue }))["role"], "seat");
    assert_eq!(host.error("hash", json!({}))["code"], -32007);
}

/// However it comes: programs in C and Python hand it over without a pipe.
#[test]
fn a_message_of_more_than_a_megabyte_is_not_read() {
    let mut host = Passing::started();
    for (more, end, code) in [
        (0, "", Json::Null),
        (0, "\n", Json::Null),
        (1, "", json!(-32006)),
    ] {
        let mut line = r#"{"jsonrpc":"2.0","id":1,"method":"hash"}"#.to_string();
        line.push_str(&" ".repeat(LONGEST_MESSAGE + more - line.len()));
        assert!(host.server.line(host.host, (line + end).as_bytes()));
        let reply: Json = serde_json::from_str(&host.server.drain(host.host)[0]).unwrap();
        assert_eq!(reply["error"]["code"], code, "{reply}");
    }
}

#[test]
fn a_change_says_whose_it_is_unless_hello_did() {
    let mut host = Passing::started();
    let (blue, red) = (host.token(&["blue"]), host.token(&["red"]));
    assert_eq!(host.ok("hello", json!({}))["viewer"], "referee");
    for token in [None, Some(&*blue), Some(&*red)] {
        host.say(token, "follow", json!({}));
    }
    let order = json!({ "input": "act", "by": "blue", "action": "drill.orders.give", "actor": "blue-1",
                        "params": { "order": "shoot" } });
    let told = host.say(None, "submit", json!({ "input": order }));
    let whose: Vec<&Json> = told
        .iter()
        .filter(|message| message["method"] == "change")
        .map(|message| &message["params"]["viewer"])
        .collect();
    assert!(
        whose.contains(&&Json::Null) && whose.contains(&&json!("blue")),
        "{whose:?}"
    );
    assert_eq!(whose.iter().filter(|viewer| viewer.is_null()).count(), 1);
    // Whoever was told nothing is told it with each.
    let mut other = Passing::started();
    other.say(None, "follow", json!({}));
    let done = json!({ "input": { "input": "done", "by": "blue" } });
    let told = other.say(None, "submit", done);
    assert_eq!(told[0]["params"]["viewer"], "referee", "{told:?}");
}

#[test]
fn a_key_that_is_too_long_is_a_parameter_that_does_not_fit() {
    let mut host = Passing::started();
    let done = json!({ "input": "done", "by": "blue" });
    let long = json!({ "key": "k".repeat(65), "input": done });
    assert_eq!(host.error("submit", long)["code"], -32602);
    assert_eq!(host.ok("standing", json!({}))["decisions"], 0);
    host.ok("submit", json!({ "key": "k".repeat(64), "input": done }));
}

#[test]
fn an_actor_who_is_not_there_is_refused_whatever_is_asked_of_him() {
    let mut host = Passing::started();
    let action = json!({ "side": "blue", "action": "drill.orders.give", "actor": "nobody" });
    let refused = host.error("next_param", action.clone());
    assert_eq!(refused["code"], -32000);
    assert_eq!(refused["data"]["reason"], "there is no `nobody`");
    assert_eq!(host.error("outlook", action), refused);
    let legal = json!({ "side": "blue", "actor": "nobody" });
    assert_eq!(host.error("legal", legal), refused);
    let known = json!({ "side": "blue", "actor": "blue-1" });
    assert_ne!(host.ok("legal", known)["actions"], json!([]));
}

#[test]
fn an_expression_that_is_far_too_long_is_not_read() {
    let mut host = Passing::started();
    let input = json!({ "input": "act", "by": "blue", "action": "drill.orders.give", "actor": "blue-1",
                        "params": { "order": "shoot" } });
    let asked = |by: String| json!({ "viewer": "referee", "of": { "input": input, "by": by } });
    // Each sum is a level on the stack of whoever tells it.
    let long = format!("blue-1.strength{}", " + 1".repeat(100_000));
    let error = host.error("odds", asked(long));
    assert_eq!(error["code"], -32004, "{error}");
    let fitting = format!("blue-1.strength{}", " + 1".repeat(400));
    let answer = host.say(None, "odds", asked(fitting)).pop().unwrap();
    assert_ne!(answer["error"]["code"], -32004, "{answer}");
}

#[test]
fn a_program_is_told_which_of_its_seats_is_gone() {
    let mut host = Passing::started();
    let (blue, red) = (host.token(&["blue"]), host.token(&["red"]));
    host.say(Some(&blue), "follow", json!({}));
    host.say(Some(&red), "subscribe", json!({}));
    for number in [1, 2] {
        let told = host.say(None, "revoke_seat", json!({ "number": number }));
        assert_eq!(told[0]["method"], "revoked");
        assert_eq!(told[0]["params"], json!({ "number": number }));
    }
    assert_eq!(host.ok("hello", json!({}))["role"], "host");
}

#[test]
fn a_seat_at_several_sides_sits_down_in_one_message() {
    let mut host = Passing::started();
    let both = host.token(&["blue", "red"]);
    let told = host.say(None, "hello", json!({ "token": both, "have": null }));
    assert_eq!(told[0]["params"]["viewer"], "blue");
    let hello = &told[1]["result"];
    assert_eq!(
        (&hello["viewer"], &hello["role"]),
        (&json!("blue"), &json!("seat"))
    );
    assert!(hello["catalogue"].is_object(), "{hello}");
}

#[test]
fn what_is_not_allowed_is_asked_for_no_parameters() {
    let mut host = Passing::started();
    host.ok("subscribe", json!({ "viewer": "referee" }));
    let hearts = json!({ "scenario": "hearts/table", "others": "greedy" });
    host.ok("start", hearts);
    host.ok("bot_turn", json!({}));
    let side = json!("ann");
    let legal = host.ok("legal", json!({ "side": side }));
    let actions = legal["actions"].as_array().unwrap();
    let refused = actions
        .iter()
        .find(|action| action["refused"].is_string())
        .unwrap()
        .clone();
    for method in ["next_param", "outlook"] {
        let asked = json!({ "side": side, "action": refused["id"], "actor": refused["actor"] });
        let told = host.say(None, method, asked);
        assert_eq!(told.len(), 1, "nothing is broken: {told:?}");
        let error = &told[0]["error"];
        assert_eq!(error["code"], -32000);
        assert_eq!(error["data"]["reason"], refused["refused"], "{error}");
    }
}

#[test]
fn whoever_sees_all_says_for_which_side() {
    let mut host = Passing::started();
    let action = json!({ "action": "drill.orders.give" });
    for (method, params) in [
        ("legal", json!({})),
        ("next_param", action.clone()),
        ("outlook", action),
    ] {
        let error = host.error(method, params);
        assert_eq!(error["code"], -32602);
        assert_eq!(
            error["message"], "expected `side`: one of blue, red",
            "{method}"
        );
    }
}

#[test]
fn a_file_that_breaks_off_is_told() {
    let folder = folder("torn");
    let mut host = Passing::started();
    for side in ["blue", "red"] {
        host.ok(
            "submit",
            json!({ "input": { "input": "done", "by": side } }),
        );
    }
    let path = folder.join("save");
    host.ok("save", json!({ "path": path }));
    let whole = host.ok("load", json!({ "path": path }));
    assert_eq!(
        (&whole["torn"], &whole["decisions"]),
        (&json!(false), &json!(2))
    );
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    for method in ["load", "resume"] {
        let torn = host.ok(method, json!({ "path": path }));
        assert_eq!(
            (&torn["torn"], &torn["decisions"]),
            (&json!(true), &json!(1))
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is refused has left nothing, and what is no file stays what it is.
#[test]
fn a_save_goes_where_a_file_can_be_and_nowhere_else() {
    let folder = folder("saves");
    let mut host = Passing::started();
    let notes = folder.join("notes");
    std::fs::write(&notes, "mine").unwrap();
    let inner = folder.join("inner");
    std::fs::create_dir(&inner).unwrap();
    let mut wrong = vec![PathBuf::new(), PathBuf::from("/"), notes, inner];
    #[cfg(unix)]
    {
        let socket = folder.join("socket");
        let _ = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        wrong.extend([socket, link]);
    }
    let names = || {
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| {
                let entry = entry.unwrap();
                (entry.file_name(), entry.file_type().unwrap())
            })
            .collect();
        names.sort_by_key(|(name, _)| name.clone());
        names
    };
    let before = names();
    for path in &wrong {
        let path = json!({ "path": path });
        assert_eq!(host.error("save", path.clone())["code"], -32005, "{path}");
        let start = json!({ "scenario": "drill/range", "journal": path["path"] });
        assert_eq!(host.error("start", start)["code"], -32005, "{path}");
    }
    assert_eq!(names(), before);
    assert!(!Path::new(".mods").exists() && !Path::new("/.mods").exists());
    // An earlier save gives way, in a folder that is made for it.
    let path = folder.join("new/save");
    for _ in 0..2 {
        host.ok("save", json!({ "path": path }));
    }
    assert_eq!(std::fs::read_dir(folder.join("new")).unwrap().count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A call that says two things that cannot go together is wrong as it is written, whoever sends it.
#[test]
fn how_many_are_to_stand_and_what_is_agreed_to_are_not_said_together() {
    let mut host = Passing::started();
    let both = host.error("undo", json!({ "keep": 1, "number": 1 }));
    assert_eq!(both["code"], -32602, "{both}");
    let told = "parameters of `undo`: expected `keep` or `number`, found both";
    assert_eq!(both["message"], told);
    for alone in [json!({ "keep": 1 }), json!({ "by": "blue", "number": 1 })] {
        assert_ne!(host.error("undo", alone)["code"], -32602);
    }
}

/// Two referees of one match rule it by turns: each is told what the other has done.
#[test]
fn who_follows_is_told_which_sides_bots_play() {
    let mut host = Passing::started();
    let other = host.server.connect_host();
    let told = |host: &mut Passing, method: &str, params: Json| -> Vec<Json> {
        host.ok(method, params);
        let lines = host.server.drain(other);
        let changes = lines
            .iter()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        changes
            .filter(|line| line["method"] == "change")
            .map(|line| line["params"]["bots"].clone())
            .collect()
    };
    let follow = json!({ "jsonrpc": "2.0", "id": 1, "method": "follow", "params": {} });
    host.server.line(other, follow.to_string().as_bytes());
    assert_eq!(told(&mut host, "hash", json!({})), [Json::Null]);
    for (bot, bots) in [
        (json!("greedy"), Some(json!({ "red": "greedy" }))),
        (json!("greedy"), None),
        (json!("random"), Some(json!({ "red": "random" }))),
        (Json::Null, Some(json!({}))),
    ] {
        let found = told(&mut host, "set_bot", json!({ "side": "red", "bot": bot }));
        assert_eq!(found, bots.into_iter().collect::<Vec<_>>());
    }
    host.ok("set_bot", json!({ "side": "blue", "bot": "greedy" }));
    host.server.drain(other);
    // With all there is they are told as well.
    host.server.line(other, follow.to_string().as_bytes());
    let found = told(&mut host, "hash", json!({}));
    assert_eq!(found, [json!({ "blue": "greedy" })]);
}
