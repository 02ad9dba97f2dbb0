//! A player who decides at random among what is allowed, through the door.

use std::collections::{BTreeMap, BTreeSet};

use houserule::embed::WireRegion;
use kernel::chance::BotChance;
use serde_json::{Map, Value as Json, json};

use crate::door::Door;

/// A line that somebody sends.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The seat that sends it.
    pub seat: String,
    /// The method.
    pub method: String,
    /// What the method is given.
    pub params: Json,
}

impl Line {
    /// A decision of a side.
    pub fn decision(side: &str, input: Json) -> Line {
        Line {
            seat: side.into(),
            method: "submit".into(),
            params: json!({ "input": input }),
        }
    }

    /// What is decided, if it is a decision.
    pub fn input(&self) -> &Json {
        &self.params["input"]
    }
}

/// So far off, in micrometres, is not far: two inches.
const NEAR: i64 = 50_800;
/// Tries at an action with parameters before the player gives up on it.
const TRIES: usize = 8;
/// So often by the same one an action is sought; then what comes after it has its turn.
const SOUGHT: u32 = 3;

/// A player of any side.
pub struct Player {
    chance: BotChance,
    /// How often each action was done: what was done seldom comes first.
    done: BTreeMap<String, u32>,
    /// How often by whom.
    by: BTreeMap<String, u32>,
    /// Actions that come before others where they are allowed.
    sought: BTreeSet<String>,
    /// Whether it is soon done where none of these is.
    hurries: bool,
}

impl Player {
    /// A player whose decisions follow from a seed.
    pub fn new(seed: u64, stream: u8) -> Player {
        Player {
            chance: BotChance::new(seed, stream),
            done: BTreeMap::new(),
            by: BTreeMap::new(),
            sought: BTreeSet::new(),
            hurries: false,
        }
    }

    /// The same player, who prefers these actions where they are allowed, and may
    /// be soon done where they are not.
    #[must_use]
    pub fn seeking(self, sought: BTreeSet<String>, hurries: bool) -> Player {
        Player {
            sought,
            hurries,
            ..self
        }
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound as u32) as usize
    }

    /// One of so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() {
            None
        } else {
            list.get(self.below(list.len()))
        }
    }

    /// What a side decides; `None` if it finds nothing, or does not have to.
    pub fn decide(&mut self, door: &mut Door, side: &str) -> Option<Line> {
        let prompt = door.ask(side, "prompt", json!({ "viewer": side }));
        let input = match prompt["prompt"].as_str()? {
            "act" | "react" => self.act(door, side, prompt["prompt"] == "react")?,
            "answer" => {
                let question = &prompt["question"];
                let value = self.value_of(own_domain(question, side)?)?;
                json!({ "input": "answer", "by": side, "question": question["id"], "value": value })
            }
            _ => return None,
        };
        Some(Line::decision(side, input))
    }

    fn act(&mut self, door: &mut Door, side: &str, is_window: bool) -> Option<Json> {
        let legal = door.ask(side, "legal", json!({ "side": side }));
        let mut allowed: Vec<Json> = legal["actions"].as_array()?.clone();
        allowed.retain(|action| action["refused"].is_null());
        let may_end = legal["done_refused"].is_null() && !is_window;
        let stops = match allowed.iter().any(|action| self.seeks(side, action)) {
            true => self.once_in(8),
            false if self.hurries => self.once_in(2),
            false if is_window => self.once_in(3),
            false => may_end && self.once_in(14),
        };
        let stops = stops && (is_window || may_end);
        for _ in 0..TRIES {
            if stops || allowed.is_empty() {
                break;
            }
            let action = self.seldom(side, &allowed);
            match self.params(door, side, &action, &Map::new(), &[]) {
                Some(params) => {
                    *self.done.entry(action["id"].to_string()).or_default() += 1;
                    *self.by.entry(by_whom(side, &action)).or_default() += 1;
                    return Some(input_of(side, &action, is_window, params));
                }
                None => allowed.retain(|other| *other != action),
            }
        }
        match () {
            () if is_window => Some(json!({ "input": "decline", "by": side })),
            () if may_end => Some(json!({ "input": "done", "by": side })),
            () if legal["pass_refused"].is_null() => Some(json!({ "input": "pass", "by": side })),
            () => None,
        }
    }

    /// The same action by somebody else of the same side; done in a way of its own,
    /// where how it is done is as secret.
    pub fn another_actor(&mut self, door: &mut Door, line: &Line, is_free: bool) -> Option<Line> {
        let (side, input) = (line.seat.as_str(), line.input());
        let is_window = input["input"] == "react";
        let id = if is_window {
            &input["reaction"]
        } else {
            &input["action"]
        };
        let legal = door.ask(side, "legal", json!({ "side": side }));
        let mut others = legal["actions"].as_array()?.clone();
        others.retain(|action| {
            let is_other = named(&action["actor"]) != input["actor"];
            action["refused"].is_null() && action["id"] == *id && is_other
        });
        let action = self.one_of(&others)?.clone();
        let kept = match is_free {
            true => Map::new(),
            false => input["params"].as_object().cloned().unwrap_or_default(),
        };
        let params = self.params(door, side, &action, &kept, &[])?;
        // All but who does it stays as it was.
        let is_fit = is_free || params == input["params"];
        is_fit.then(|| Line::decision(side, input_of(side, &action, is_window, params)))
    }

    /// Whether an action is sought, and this one has not done it often.
    fn seeks(&self, side: &str, action: &Json) -> bool {
        action["id"]
            .as_str()
            .is_some_and(|id| self.sought.contains(id))
            && self
                .by
                .get(&by_whom(side, action))
                .is_none_or(|times| *times < SOUGHT)
    }

    /// An action, the sooner the less often its like was done; one that is sought
    /// more often than not.
    fn seldom(&mut self, side: &str, allowed: &[Json]) -> Json {
        let sought: Vec<&Json> = allowed
            .iter()
            .filter(|action| self.seeks(side, action))
            .collect();
        if !self.once_in(6)
            && let Some(action) = self.one_of(&sought)
        {
            return (*action).clone();
        }
        let least = |action: &Json| {
            self.done
                .get(&action["id"].to_string())
                .copied()
                .unwrap_or(0)
        };
        let rarest = allowed.iter().map(least).min().unwrap_or(0);
        let rare: Vec<&Json> = allowed
            .iter()
            .filter(|action| least(action) == rarest)
            .collect();
        let rare: Vec<Json> = rare.into_iter().cloned().collect();
        let from = if self.once_in(3) { &rare } else { allowed };
        self.one_of(from).cloned().unwrap_or_default()
    }

    /// Parameters for an action: those that are to be `kept` as they are, those of
    /// `other` otherwise than they are kept, the rest at random.
    pub fn params(
        &mut self,
        door: &mut Door,
        side: &str,
        action: &Json,
        kept: &Map<String, Json>,
        other: &[String],
    ) -> Option<Json> {
        let mut given = Map::new();
        loop {
            let ask = json!({ "side": side, "action": action["id"], "actor": named(&action["actor"]), "params": given });
            let sent = door.send(side, "next_param", ask);
            if !sent.is_granted() {
                return None;
            }
            let next = sent.result();
            let Some(name) = next["name"].as_str() else {
                return Some(Json::Object(given));
            };
            let value = match kept.get(name) {
                Some(before) if other.iter().any(|other| other == name) => {
                    self.another(&next["domain"], before)?
                }
                Some(before) => before.clone(),
                None => self.value_of(&next["domain"])?,
            };
            given.insert(name.to_string(), value);
        }
    }

    /// Another value of a domain than one, if there is one.
    pub fn another(&mut self, domain: &Json, than: &Json) -> Option<Json> {
        for _ in 0..TRIES * 2 {
            let value = self.value_of(domain)?;
            if value != *than {
                return Some(value);
            }
        }
        None
    }

    /// Some value of a domain.
    pub fn value_of(&mut self, domain: &Json) -> Option<Json> {
        match domain["domain"].as_str()? {
            "choices" => {
                let choices = domain["choices"].as_array()?;
                self.one_of(choices).map(|choice| named(&choice["value"]))
            }
            "several" => {
                let mut left = domain["choices"].as_array()?.clone();
                let (min, max) = (
                    domain["min"].as_u64()? as usize,
                    domain["max"].as_u64()? as usize,
                );
                let count = min + self.below(max.min(left.len()).saturating_sub(min) + 1);
                let mut chosen = Vec::new();
                for _ in 0..count.min(left.len()) {
                    let place = self.below(left.len());
                    chosen.push(named(&left.swap_remove(place)["value"]));
                }
                Some(Json::Array(chosen))
            }
            "integer" => {
                let (min, max) = (domain["min"].as_i64()?, domain["max"].as_i64()?);
                // Much has more in it that may part.
                if self.once_in(3) {
                    return Some(json!(max));
                }
                Some(json!(
                    min + self.below((max - min).clamp(0, 1 << 20) as usize + 1) as i64
                ))
            }
            "place" => {
                let candidates = domain["candidates"].as_array()?;
                if !candidates.is_empty() && !self.once_in(4) {
                    let point = self.one_of(candidates)?.clone();
                    let point = if self.once_in(3) {
                        self.beside(&point)
                    } else {
                        point
                    };
                    return Some(json!({ "point": point }));
                }
                let regions: Vec<WireRegion> =
                    serde_json::from_value(domain["regions"].clone()).unwrap();
                let region = self.one_of(&regions)?.clone();
                Some(json!({ "point": self.point_in(&region) }))
            }
            "route" => {
                let path = self
                    .one_of(domain["candidates"].as_array()?)?
                    .as_array()?
                    .clone();
                Some(path.iter().map(|point| json!({ "point": point })).collect())
            }
            other => panic!("no value is known for {other}"),
        }
    }

    /// A point not far from one.
    fn beside(&mut self, point: &Json) -> Json {
        let near =
            |player: &mut Player, at: &Json| at.as_i64().unwrap_or(0) + player.between(-NEAR, NEAR);
        let near = [&point[0], &point[1]].map(|at| near(self, at).max(0));
        json!(near)
    }

    fn point_in(&mut self, region: &WireRegion) -> [i64; 2] {
        match region {
            WireRegion::Rectangle { min, max } => {
                [0, 1].map(|axis| self.between(min[axis], max[axis]))
            }
            // The square within the disc.
            WireRegion::Disc { centre, radius } => {
                let reach = radius * 7 / 10;
                centre.map(|middle| self.between(middle - reach, middle + reach).max(0))
            }
        }
    }

    fn between(&mut self, min: i64, max: i64) -> i64 {
        min + self.below((max - min).max(0) as usize + 1) as i64
    }
}

/// What is chosen as a side sends it: an action, or a reaction where a window is open.
pub fn input_of(side: &str, action: &Json, is_window: bool, params: Json) -> Json {
    let (input, key) = if is_window {
        ("react", "reaction")
    } else {
        ("act", "action")
    };
    json!({ "input": input, key: action["id"], "by": side, "actor": named(&action["actor"]), "params": params })
}

/// An action of a side by the one who does it.
fn by_whom(side: &str, action: &Json) -> String {
    format!("{side} {} {}", action["id"], action["actor"])
}

/// The domain of a question for a side.
pub fn own_domain<'a>(question: &'a Json, side: &str) -> Option<&'a Json> {
    let asked = question["asked"].as_array()?;
    asked
        .iter()
        .find(|asked| asked["side"] == side)
        .map(|asked| &asked["domain"])
}

/// A value in which entities go by their names, where those may be known: the
/// numbers of who parted are its own, and may part too.
pub fn named(value: &Json) -> Json {
    match value {
        Json::Array(items) => items.iter().map(named).collect(),
        Json::Object(fields) => match fields.get("label").and_then(Json::as_str) {
            Some(label) if fields.contains_key("entity") && !label.starts_with('#') => {
                json!({ "entity": null, "label": label })
            }
            Some(_) => value.clone(),
            None => fields
                .iter()
                .map(|(key, inner)| (key.clone(), named(inner)))
                .collect(),
        },
        other => other.clone(),
    }
}
