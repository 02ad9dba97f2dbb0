//! What each viewer asks at each step, granted or not: all that a client could
//! try in order to learn more than it may.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use crate::door::{Door, HOST, Sent, Spec};
use crate::player::{Player, input_of};

/// A reply, or whatever else a viewer got: what it asked, and the bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Got {
    /// What was asked.
    pub what: String,
    /// What came back.
    pub bytes: String,
}

/// All that a viewer gets at a step beyond what it is told.
pub type Given = Vec<Got>;

/// Names that the host knows of, to be tried by those who may not.
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// Entities.
    pub entities: Vec<String>,
    /// The question that is open, whoever is asked.
    pub question: Option<String>,
    /// Actions and reactions, whether anybody may take them or not.
    pub actions: Vec<String>,
}

impl Names {
    /// The names in a game as it stands.
    pub fn of(door: &mut Door) -> Names {
        let view = door.ask(HOST, "view", json!({ "viewer": HOST }));
        let entities = view["entities"].as_array().into_iter().flatten();
        let prompt = door.ask(HOST, "prompt", json!({ "viewer": HOST }));
        Names {
            entities: entities
                .filter_map(|one| one["label"].as_str().map(ToString::to_string))
                .collect(),
            question: prompt["question"]["id"].as_str().map(ToString::to_string),
            actions: door.actions.clone(),
        }
    }
}

/// The requests by which a viewer looks at the game.
const LOOKS: [&str; 5] = ["about", "prompt", "view", "standing", "decisions"];

/// Those that tell what is seen and what must be decided.
const BRIEFLY: [&str; 2] = ["prompt", "view"];

/// What is asked as a viewer, and need not say more.
const OF_A_VIEWER: [&str; 11] = [
    "view",
    "prompt",
    "about",
    "catalogue",
    "standing",
    "decisions",
    "subscribe",
    "unsubscribe",
    "follow",
    "unfollow",
    "news",
];

/// What no seat may ask but the referee's and the host's, and with what.
fn forbidden(viewer: &str, other: &str) -> Vec<(&'static str, Json)> {
    let mut tries = vec![
        ("bots", json!({})),
        ("bot_turn", json!({})),
        ("hash", json!({})),
        ("redo", json!({})),
        ("seats", json!({})),
        ("scenarios", json!({})),
        ("reload", json!({})),
        ("reload", json!({ "past": "from_now", "viewer": viewer })),
        ("choose", json!({})),
        ("choose", json!({ "past": "from_now", "viewer": viewer })),
        ("as_test", json!({ "id": "stolen" })),
        ("as_case", json!({ "id": "stolen" })),
        ("branch", json!({})),
        ("branch", json!({ "viewer": viewer, "at": 0 })),
        ("save", json!({ "path": "/nowhere/at-all" })),
        ("load", json!({ "path": "/nowhere/at-all" })),
        ("resume", json!({ "path": "/nowhere/at-all" })),
        ("start", json!({ "scenario": "drill/range" })),
        ("watch", json!({ "on": true })),
        ("give_seat", json!({ "seat": "referee" })),
        ("revoke_seat", json!({ "number": 1 })),
        ("set_bot", json!({ "side": other, "bot": "random" })),
        ("hello", json!({ "token": "0".repeat(64) })),
        ("undo", json!({ "by": other })),
        ("undo", json!({ "by": HOST, "keep": 0 })),
        ("undo", json!({ "by": other, "number": 1 })),
        ("decline_undo", json!({ "by": other })),
        ("decline_undo", json!({ "by": HOST, "number": 1 })),
        (
            "submit",
            json!({ "input": { "input": "done", "by": other } }),
        ),
        ("legal", json!({ "side": other })),
        (
            "next_param",
            json!({ "side": other, "action": "no.such.action" }),
        ),
        (
            "outlook",
            json!({ "side": other, "action": "no.such.action" }),
        ),
    ];
    for whom in [other, HOST, "nobody"] {
        for method in OF_A_VIEWER {
            tries.push((method, json!({ "viewer": whom })));
        }
        tries.push(("view", json!({ "viewer": whom, "at": 0 })));
        tries.push(("chart", json!({ "viewer": whom, "piece": 1 })));
        tries.push((
            "odds",
            json!({ "viewer": whom, "of": { "input": { "input": "done", "by": whom } } }),
        ));
        tries.push(("why", json!({ "viewer": whom, "event": 1 })));
    }
    tries
}

/// What a viewer gets at a step when it asks for everything. The names are
/// those of the game that the twin is compared with, in both.
pub fn given(door: &mut Door, viewer: &str, step: usize, names: &Names) -> Given {
    let is_brief = door.is_brief;
    let mut asker = Asker {
        door,
        viewer,
        given: Given::new(),
    };
    if is_brief {
        for method in BRIEFLY {
            asker.ask(method, json!({ "viewer": viewer }));
        }
        return asker.given;
    }
    for method in LOOKS {
        asker.ask(method, json!({ "viewer": viewer }));
    }
    // Now from the beginning, now the last few.
    let since = if step.is_multiple_of(16) { 0 } else { u32::MAX };
    let news = asker.ask_for(
        "news",
        json!({ "viewer": viewer, "timeline": 0, "since": since }),
    );
    let last = news["result"]["last"].as_u64().unwrap_or(0);
    let timeline = &news["result"]["timeline"];
    let limited = json!({ "viewer": viewer, "timeline": timeline, "since": last.saturating_sub(7), "limit": 3 });
    asker.ask("news", limited);
    let event = 1 + (step as u64 * 5) % last.max(1);
    asker.ask(
        "why",
        json!({ "event": event, "whole": step.is_multiple_of(2) }),
    );
    asker.at_the_table(step, names, event);
    asker.not_for_it(step);
    if viewer != "spectator" {
        asker.side(step, names);
    }
    for (format, bytes) in std::iter::zip(["text", "JSON"], asker.door.report(viewer)) {
        asker.given.push(Got {
            what: format!("report as {format}"),
            bytes,
        });
    }
    asker.given
}

/// One of so many things that are forbidden is tried at each step.
const FEW: usize = 7;
/// What takes long is asked at one of so many steps.
const SELDOM: usize = 12;

/// What is noted where something was granted that must not be.
pub const GRANTED: &str = "granted";

/// The stream of chance of who asks for odds.
const ASKS: u8 = 1;

struct Asker<'a> {
    door: &'a mut Door,
    viewer: &'a str,
    given: Given,
}

impl Asker<'_> {
    /// Asks, and looks at what comes.
    fn ask_for(&mut self, method: &str, params: Json) -> Json {
        self.ask(method, params).reply()
    }

    fn ask(&mut self, method: &str, params: Json) -> Sent {
        let what = format!("{method} {params}");
        let sent = self.door.send(self.viewer, method, params);
        let bytes = sent
            .to(self.viewer)
            .iter()
            .chain([&sent.reply])
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        self.tells_nobody(&what, &sent);
        self.given.push(Got { what, bytes });
        sent
    }

    /// What somebody asks is told to none of the others.
    fn tells_nobody(&mut self, what: &str, sent: &Sent) {
        for other in self
            .door
            .viewers
            .iter()
            .filter(|other| *other != self.viewer)
        {
            if !sent.to(other).is_empty() {
                let what = format!("{what} of {} is told to {other}", self.viewer);
                self.given.push(Got {
                    what,
                    bytes: GRANTED.into(),
                });
            }
        }
    }

    /// What a picture of the table is drawn from: what rules draw around a
    /// piece, the game as it was, and all that was told of it.
    fn at_the_table(&mut self, step: usize, names: &Names, event: u64) {
        let piece = names.entities.get(step * 3 % names.entities.len().max(1));
        self.ask("chart", json!({ "piece": piece }));
        match step % SELDOM {
            2 => drop(self.ask("catalogue", json!({}))),
            3 => drop(self.ask("rules", json!({}))),
            4 => drop(self.ask("view", json!({ "at": event - 1 }))),
            // A line that broke, and one that was never there.
            6 => drop(self.ask(
                "follow",
                json!({ "have": { "game": "g1", "seq": 1 }, "events": "whole" }),
            )),
            8 => {
                self.ask("unfollow", json!({}));
                self.ask("follow", json!({ "events": "whole" }));
            }
            10 => {
                self.ask("unsubscribe", json!({}));
                self.ask("subscribe", json!({}));
            }
            _ => {}
        }
    }

    /// What is for other seats. It must be refused, whatever the game is.
    fn not_for_it(&mut self, step: usize) {
        let viewers = self.door.viewers.clone();
        let others: Vec<&String> = viewers
            .iter()
            .filter(|other| *other != self.viewer)
            .collect();
        let other = others[step % others.len()];
        let all = forbidden(self.viewer, other);
        for (method, params) in all.into_iter().skip(step % FEW).step_by(FEW) {
            let reply = self.ask_for(method, params.clone());
            if reply["error"].is_null() {
                let what = format!("{method} {params} is granted to {}", self.viewer);
                self.given.push(Got {
                    what,
                    bytes: GRANTED.into(),
                });
            }
        }
    }

    /// What a side may ask beyond what a spectator may.
    fn side(&mut self, step: usize, names: &Names) {
        let me = self.viewer;
        let legal = self.ask_for("legal", json!({ "side": me }))["result"].take();
        let actions = legal["actions"].as_array().cloned().unwrap_or_default();
        if let Some(action) = actions.get(step % actions.len().max(1)) {
            let ask = json!({ "side": me, "action": action["id"], "actor": action["actor"], "params": {} });
            let next = self.ask_for("next_param", ask)["result"].take();
            self.wrong_param(action, &next);
        }
        let guesses = names.entities.iter().skip(step % 5).step_by(5).take(3);
        for name in guesses {
            let id = actions
                .first()
                .map_or(json!("no.such.action"), |action| action["id"].clone());
            self.ask(
                "next_param",
                json!({ "side": me, "action": id, "actor": name, "params": {} }),
            );
        }
        // Something that somebody could do some time, perhaps not now.
        if let Some(id) = names.actions.get(step * 7 % names.actions.len().max(1)) {
            let actor = names.entities.get(step * 3 % names.entities.len().max(1));
            self.ask(
                "next_param",
                json!({ "side": me, "action": id, "actor": actor, "params": {} }),
            );
        }
        if step.is_multiple_of(SELDOM) {
            self.ask(
                "legal",
                json!({ "side": me, "actor": names.entities.first(), "allowed": true }),
            );
            self.odds(&actions, step);
        }
        self.refused(names);
    }

    /// The odds of something that it might do.
    fn odds(&mut self, actions: &[Json], step: usize) {
        let allowed: Vec<&Json> = actions
            .iter()
            .filter(|action| action["refused"].is_null())
            .collect();
        let mut player = Player::new(step as u64, ASKS);
        let Some(action) = player.one_of(&allowed) else {
            return;
        };
        let params = player.params(self.door, self.viewer, action, &Map::new(), &[]);
        let is_window = self.door.ask(self.viewer, "prompt", json!({}))["prompt"] == "react";
        let params = json!(params.unwrap_or_default());
        let choice = json!({ "action": action["id"], "actor": action["actor"], "params": params });
        self.ask("outlook", choice);
        let input = input_of(self.viewer, action, is_window, params);
        self.ask("odds", json!({ "of": { "input": input } }));
    }

    /// A value that no domain has, in the place of the first parameter.
    fn wrong_param(&mut self, action: &Json, next: &Json) {
        let Some(name) = next["name"].as_str() else {
            return;
        };
        let wrong: Map<String, Json> = [(name.to_string(), json!("no such value"))]
            .into_iter()
            .collect();
        let ask = json!({ "side": self.viewer, "action": action["id"], "actor": action["actor"], "params": wrong });
        self.ask("next_param", ask);
    }

    /// Decisions that nothing allows.
    fn refused(&mut self, names: &Names) {
        let me = self.viewer;
        let mut tries = vec![json!({ "input": "act", "by": me, "action": "no.such.action" })];
        let prompt = self.door.ask(me, "prompt", json!({ "viewer": me }));
        if prompt["prompt"] == "wait" {
            tries.extend(
                ["pass", "done", "decline", "take_back"]
                    .map(|input| json!({ "input": input, "by": me })),
            );
        }
        if prompt["prompt"] != "answer" {
            let question = names.question.as_deref().unwrap_or("no.such.question");
            tries.push(json!({ "input": "answer", "by": me, "question": question, "value": true }));
        }
        for input in tries {
            let reply = self.ask_for("submit", json!({ "input": input }));
            assert!(
                reply["error"].is_object(),
                "{me}: {input} was taken: {reply}"
            );
        }
        self.ask(
            "submit",
            json!({ "ask": 1_000_000, "input": { "input": "pass", "by": me } }),
        );
    }
}

/// No method is left out, whoever it is for: what nobody asks can leak unseen.
#[test]
fn every_method_of_the_door_is_asked_by_those_who_may_not_know() {
    let spec = Spec {
        scenario: "veil/town".into(),
        with: Vec::new(),
        options: BTreeMap::new(),
        seed: 0,
        is_agreed: false,
        is_brief: false,
    };
    let mut door = Door::open(&crate::workshop(crate::sources()), &spec, None);
    let names = Names::of(&mut door);
    let asked = (0..SELDOM * FEW).flat_map(|step| given(&mut door, "red", step, &names));
    let asked: BTreeSet<String> = asked
        .filter_map(|got| got.what.split(' ').next().map(ToString::to_string))
        .collect();
    let schema = houserule::embed::rpc::schema();
    let never: Vec<&String> = schema["roles"]
        .as_object()
        .unwrap()
        .keys()
        .filter(|method| !asked.contains(*method))
        .collect();
    assert!(never.is_empty(), "nobody asks for {never:?}");
}
