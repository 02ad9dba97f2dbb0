//! What a side asks to take back is told to the others in the words of their logs,
//! and is agreed to, declined, withdrawn, or over when the game goes on.

use super::*;

/// Red strikes and blue parries, then blue strikes and red parries; both look on.
fn after_two_blows(more: Json) -> (Yard, Door, ConnectionId, ConnectionId) {
    let yard = Yard::new("duel");
    let mut start = json!({ "undo": "agreed" });
    let start_fields = start.as_object_mut().unwrap();
    start_fields.extend(more.as_object().unwrap().clone());
    let mut door = duel(&yard, start);
    let (red, blue) = (door.side("red"), door.side("blue"));
    for one in [red, blue] {
        door.call(one, "subscribe", json!({})).unwrap();
        door.call(one, "follow", json!({})).unwrap();
    }
    blow(&mut door, "red", "rufus", "blue");
    blow(&mut door, "blue", "bruno", "red");
    door.server.drain(red);
    door.server.drain(blue);
    (yard, door, red, blue)
}

fn blow(door: &mut Door, by: &str, who: &str, foe: &str) {
    door.call(door.host, "submit", strike(by, who)).unwrap();
    door.call(door.host, "submit", parry(foe, true)).unwrap();
}

/// The wishes that somebody was told of: by a notification, and by changes.
fn wishes(messages: &[Json]) -> [Vec<Json>; 2] {
    let of = |method: &'static str| messages.iter().filter(move |line| line["method"] == method);
    let told = of("undo").map(|line| line["params"].clone());
    let changed = of("change")
        .map(|line| line["params"].clone())
        .filter(|change| change.get("wish").is_some());
    [told.collect(), changed.collect()]
}

/// How what was asked came to its end, as somebody was told by both ways.
fn end_told(door: &mut Door, to: ConnectionId) -> Json {
    let [told, changed] = wishes(&door.received(to));
    let (told, changed) = (told.last().unwrap(), changed.last().unwrap());
    assert_eq!(
        (&told["wish"], &changed["wish"]),
        (&Json::Null, &Json::Null)
    );
    assert_eq!(told["ended"], changed["wish_ended"]);
    told["ended"].clone()
}

/// What the log of a viewer tells of the decisions after an event.
fn log_after(door: &mut Door, from: ConnectionId, event: u64) -> Vec<String> {
    let news = door.call(from, "news", json!({ "since": event })).unwrap();
    let decided = ["action", "reaction", "answer", "pass", "done"];
    news["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| decided.contains(&event["kind"].as_str().unwrap()))
        .filter_map(|event| event["text"][0].as_str())
        .map(|line| line.trim().to_string())
        .collect()
}

#[test]
fn what_would_be_taken_back_is_told_in_the_words_of_each_log() {
    let (_yard, mut door, red, blue) = after_two_blows(json!({}));
    let last = |door: &mut Door, one| {
        door.call(one, "news", json!({})).unwrap()["last"]
            .as_u64()
            .unwrap()
    };
    let before = last(&mut door, red);
    blow(&mut door, "red", "rufus", "blue");
    door.server.drain(blue);
    let log = log_after(&mut door, red, before);
    assert!(log.iter().any(|line| line.contains("rufus")), "{log:?}");
    // Red takes its blow back, and with it what blue answered.
    let proposal = door.call(red, "undo", json!({})).unwrap();
    assert_eq!(
        (&proposal["what"], &proposal["more"]),
        (&json!(log), &json!(0))
    );
    let [told, changed] = wishes(&door.received(blue));
    assert_eq!(told[0]["wish"]["what"], json!(log));
    assert_eq!(changed[0]["wish"], told[0]["wish"]);
    // In the middle of a blow only the answer would go.
    door.call(red, "decline_undo", json!({})).unwrap();
    door.call(door.host, "submit", strike("blue", "bruno"))
        .unwrap();
    let at = last(&mut door, blue);
    door.call(door.host, "submit", parry("red", true)).unwrap();
    let answers = log_after(&mut door, red, at);
    let proposal = door.call(red, "undo", json!({})).unwrap();
    assert_eq!(proposal["what"], json!(answers));
}

#[test]
fn it_is_declined_by_another_and_withdrawn_by_whoever_asked() {
    let (_yard, mut door, red, blue) = after_two_blows(json!({}));
    let before = door.hash();
    let asked = door.call(red, "undo", json!({})).unwrap();
    let number = json!({ "number": asked["number"] });
    assert_eq!(
        door.call(blue, "decline_undo", number.clone()).unwrap(),
        true
    );
    let end = json!({ "outcome": "declined", "by": "blue" });
    assert_eq!(end_told(&mut door, red), end);
    assert_eq!(
        door.code(blue, "undo", number),
        -32000,
        "it is asked no longer"
    );
    assert_eq!(door.code(red, "decline_undo", json!({})), -32000);

    let again = door.call(red, "undo", json!({})).unwrap();
    assert_eq!(again["number"], asked["number"].as_u64().unwrap() + 1);
    door.call(red, "decline_undo", json!({ "by": "red" }))
        .unwrap();
    let end = json!({ "outcome": "withdrawn", "by": "red" });
    assert_eq!(end_told(&mut door, blue), end);
    assert_eq!(door.hash(), before, "nothing was taken back");

    let last = door.call(red, "undo", json!({})).unwrap();
    let both = json!({ "number": last["number"], "keep": 0 });
    assert_eq!(door.code(blue, "undo", both), -32602);
    let agreed = json!({ "number": last["number"] });
    let done = door.call(blue, "undo", agreed).unwrap();
    assert_eq!(done["undo"], "done");
    assert_eq!(end_told(&mut door, red), json!({ "outcome": "agreed" }));
    assert_ne!(door.hash(), before);
}

#[test]
fn nobody_agrees_to_another_proposal_than_the_one_he_has_read() {
    let (_yard, mut door, red, blue) = after_two_blows(json!({}));
    blow(&mut door, "red", "rufus", "blue");
    let first = door.call(red, "undo", json!({ "keep": 2 })).unwrap();
    let other = door.call(red, "undo", json!({ "keep": 1 })).unwrap();
    assert_ne!(first["number"], other["number"]);
    let before = door.hash();
    let late = json!({ "number": first["number"] });
    assert_eq!(door.code(blue, "undo", late.clone()), -32000);
    assert_eq!(door.code(blue, "decline_undo", late), -32000);
    assert_eq!(door.hash(), before);
    let read = json!({ "number": other["number"] });
    assert_eq!(door.call(blue, "undo", read).unwrap()["undo"], "done");
}

#[test]
fn it_is_over_when_the_game_goes_on_but_not_for_what_a_bot_does() {
    let (_yard, mut door, red, blue) = after_two_blows(json!({}));
    let asked = door.call(red, "undo", json!({})).unwrap();
    door.server.drain(blue);
    door.call(door.host, "submit", strike("red", "rufus"))
        .unwrap();
    assert_eq!(end_told(&mut door, blue), json!({ "outcome": "lapsed" }));
    let late = json!({ "number": asked["number"] });
    assert_eq!(door.code(blue, "undo", late), -32000);
}

#[test]
fn a_secret_phase_neither_ends_it_nor_tells_of_it_until_it_closes() {
    let mut door = Door::drill(json!({ "undo": "agreed" }));
    let (blue, red) = (door.side("blue"), door.side("red"));
    for (one, side) in [(blue, "blue"), (red, "red")] {
        door.order(one, side, "shoot").unwrap();
        door.done(one, side);
    }
    // On to the next secret phase, where blue asks for the one before it.
    let host = door.host;
    while door.call(blue, "legal", json!({})).unwrap()["take_back"] == false
        && door.order(blue, "blue", "hold").is_err()
    {
        for (one, side) in [(blue, "blue"), (red, "red")] {
            let prompt = door.call(one, "prompt", json!({})).unwrap();
            let input = match prompt["prompt"].as_str().unwrap() {
                "act" => json!({ "input": "done", "by": side }),
                "react" => json!({ "input": "decline", "by": side }),
                _ => continue,
            };
            if door.call(one, "submit", json!({ "input": input })).is_err() {
                let pass = json!({ "input": { "input": "pass", "by": side } });
                let _ = door.call(host, "submit", pass);
            }
        }
    }
    for one in [red, blue] {
        door.call(one, "subscribe", json!({})).unwrap();
        door.call(one, "follow", json!({})).unwrap();
    }
    let asked = door.call(blue, "undo", json!({ "keep": 0 })).unwrap();
    assert!(
        asked["undo"] == "proposed" && asked["what"] != json!([]),
        "{asked}"
    );
    door.server.drain(red);
    door.server.drain(blue);
    door.order(red, "red", "hold").unwrap();
    door.done(red, "red");
    assert!(door.received(blue).is_empty(), "red decides in secret");
    door.done(blue, "blue");
    assert_eq!(end_told(&mut door, red), json!({ "outcome": "lapsed" }));
}
