//! Leaks that are put back, one at a time: by an engine that sends more than it
//! may, and by mods whose audiences are wider than they should be. The law must
//! find each.

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::modset::files::Sources;
use kernel::value::Name;
use serde_json::{Value as Json, json};

use crate::door::{HOST, Sent};

/// What an engine that leaks sends in the place of what it should, or grants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sabotage {
    /// The parameters of an action stand in its event for everybody.
    Params,
    /// Rolls and draws are told to everybody.
    Draws,
    /// Whoever wishes takes play back.
    Undo,
    /// Whoever wishes reloads the mods.
    Reload,
    /// The reply to a decision counts those of all sides.
    Taken,
    /// Standings count them.
    Standing,
    /// What is refused as stale says how many there are.
    Stale,
    /// So does the reply to a wish to take play back.
    Undone,
    /// Everybody is told where the journal is kept.
    Journal,
}

impl Sabotage {
    /// All of them.
    pub const ALL: [Sabotage; 9] = [
        Sabotage::Params,
        Sabotage::Draws,
        Sabotage::Undo,
        Sabotage::Reload,
        Sabotage::Taken,
        Sabotage::Standing,
        Sabotage::Stale,
        Sabotage::Undone,
        Sabotage::Journal,
    ];

    /// The lines as the engine that leaks would have sent them.
    pub fn spoil(
        self,
        server: &mut Server,
        host: ConnectionId,
        (seat, method): (&str, &str),
        mut sent: Sent,
    ) -> Sent {
        match (self, method) {
            (Sabotage::Params, _) => tell_more(&mut sent, params_of_all),
            (Sabotage::Draws, _) => tell_more(&mut sent, draws_of_all),
            _ if seat == HOST => {}
            (Sabotage::Undo, "undo") | (Sabotage::Reload, "reload") => {
                let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} });
                server.line(host, line.to_string().as_bytes());
                sent.reply = server.drain(host).pop().unwrap();
            }
            (Sabotage::Taken, "submit") => sent.counts_all(server, "/result/decision"),
            (Sabotage::Standing, "standing") => sent.counts_all(server, "/result/decisions"),
            (Sabotage::Stale, "submit") => sent.counts_all(server, "/error/data/found"),
            (Sabotage::Undone, "undo") => sent.counts_all(server, "/result/decisions"),
            (Sabotage::Journal, "about") => {
                let journal = server.table().unwrap().about(HOST).unwrap().journal;
                sent.reply = changed(&sent.reply, |reply| {
                    reply["result"]["journal"] = json!(journal)
                });
            }
            _ => {}
        }
        sent
    }
}

impl Sent {
    /// The decisions of all sides stand where a number of the viewer's own
    /// should.
    fn counts_all(&mut self, server: &Server, pointer: &str) {
        let all = server.table().unwrap().standing().decisions;
        self.reply = changed(&self.reply, |reply| {
            if let Some(number) = reply.pointer_mut(pointer) {
                *number = json!(all);
            }
        });
    }
}

fn changed(line: &str, change: impl FnOnce(&mut Json)) -> String {
    let mut json: Json = serde_json::from_str(line).unwrap();
    change(&mut json);
    json.to_string()
}

/// Changes the events that each viewer is told, given those of the host.
fn tell_more(sent: &mut Sent, change: fn(&mut Vec<Json>, &[Json])) {
    let host = sent.events(HOST);
    for (viewer, lines) in &mut sent.notifications {
        if viewer == HOST {
            continue;
        }
        for line in lines
            .iter_mut()
            .filter(|line| line.contains("\"method\":\"news\""))
        {
            *line = changed(line, |line| {
                if let Some(events) = line["params"]["news"]["events"].as_array_mut() {
                    change(events, &host);
                }
            });
        }
    }
}

#[expect(clippy::ptr_arg, reason = "others of its kind add events")]
fn params_of_all(events: &mut Vec<Json>, host: &[Json]) {
    for kind in ["action", "reaction"] {
        let all = host.iter().filter(|event| event["kind"] == kind);
        for (event, whole) in
            std::iter::zip(events.iter_mut().filter(|event| event["kind"] == kind), all)
        {
            event["fields"]["params"] = named_only(&whole["fields"]["params"]);
            event["hidden"] = json!([]);
        }
    }
}

/// Numbers of entities are each viewer's own: what leaked were the names.
fn named_only(value: &Json) -> Json {
    crate::player::named(value)
}

fn draws_of_all(events: &mut Vec<Json>, host: &[Json]) {
    let of_chance = host
        .iter()
        .filter(|event| ["roll", "chits"].iter().any(|kind| event["kind"] == *kind));
    events.retain(|event| event["kind"] != "roll" && event["kind"] != "chits");
    events.extend(of_chance.cloned());
}

/// An audience that a mod declares, and the file with it widened.
pub struct Widened {
    /// The file, and its line from 1.
    pub place: String,
    /// The line as it is, and as it is widened.
    pub line: String,
    /// The lines before it, by which pairs are found that part there.
    pub near: String,
    /// All mods, with this one widened.
    pub sources: BTreeMap<Name, Sources>,
    /// Of a part of what only some know of, as a parameter of an action that the
    /// others do not learn of: all mods, where all know of the whole. What the
    /// part declares can matter only then.
    pub beside: Option<BTreeMap<Name, Sources>>,
}

impl Widened {
    /// The mod whose line it is, as it is widened.
    pub fn module(&self) -> &Sources {
        &self.sources[self.place.split('/').next().unwrap_or_default()]
    }

    /// The file within the mod, and the line from 1.
    pub fn at(&self) -> (&str, usize) {
        let (_, file) = self.place.split_once('/').unwrap();
        let (file, line) = file.rsplit_once(':').unwrap();
        (file, line.parse().unwrap())
    }

    /// Which of some questions it is, if it is who is told an answer: the one that
    /// is named last before it.
    pub fn question<'a>(&self, of: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let quoted = |id: &str| self.near.rfind(&format!("\"{id}\""));
        let named = of.filter_map(|id| Some((quoted(id)?, id))).max();
        named
            .map(|(_, id)| id)
            .filter(|_| self.line.contains("secret = true"))
    }
}

/// A mod in which something is written otherwise in a file.
pub fn replaced(sources: &Sources, path: &str, from: &str, to: &str) -> Sources {
    let text = sources.as_written(path).unwrap();
    assert!(text.contains(from), "{path} does not say `{from}` any more");
    let mut files = sources.to_files();
    files.insert(path.to_string(), Arc::from(text.replace(from, to)));
    Sources::from_memory(&sources.id, files)
}

/// So many lines before one say what it is about.
const BEFORE: usize = 10;

/// How audiences are declared, and what they read when they are wider.
const AUDIENCES: &[(&str, &str)] = &[
    ("viewers: Owner", "viewers: All"),
    ("viewers: Nobody", "viewers: All"),
    ("existence: Owner", "existence: All"),
    ("existence: Nobody", "existence: All"),
    ("naming: Owner", "naming: All"),
    ("naming: Nobody", "naming: All"),
    ("stock: Owner", "stock: All"),
    ("stock: Nobody", "stock: All"),
    ("discard: Owner", "discard: All"),
    ("discard: Nobody", "discard: All"),
    ("audience = \"owner\"", "audience = \"all\""),
    ("audience = \"nobody\"", "audience = \"all\""),
    ("secret = true", "secret = false"),
];

/// How an audience by field begins, in a line of its own.
const FIELDS: &str = "only = ";

/// Every audience that a mod declares, each widened by itself.
pub fn widened(all: &BTreeMap<Name, Sources>, module: &str) -> Vec<Widened> {
    let mut found = Vec::new();
    let Some(sources) = all.get(module) else {
        return found;
    };
    let with = |files| {
        let mut sources = all.clone();
        sources.insert(module.into(), Sources::from_memory(module, files));
        sources
    };
    for (path, text) in &sources.to_files() {
        if !(path.starts_with("data/") || path.starts_with("rules/")) {
            continue;
        }
        // The line of a kind of which only some know that there is one, or of an
        // action that only some learn of.
        let mut unknown: Option<usize> = None;
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("Kind(") || line.starts_with("    audience = ") {
                unknown = (known_to_all(line) != line).then_some(number);
            } else if path.ends_with(".luau") {
                unknown = unknown.filter(|_| line.starts_with(' '));
            } else if line.starts_with("    ") && !line.starts_with("     ") {
                unknown = None;
            }
            for wide in wider(line) {
                let is_part = !(unknown == Some(number) && known_to_all(line) == wide);
                let known = unknown.filter(|_| is_part);
                let mut lines: Vec<String> = text.lines().map(ToString::to_string).collect();
                let file = |lines: &[String]| {
                    let mut files = sources.to_files();
                    files.insert(path.clone(), Arc::from(lines.join("\n") + "\n"));
                    files
                };
                if let Some(known) = known {
                    lines[known] = known_to_all(&lines[known]);
                }
                let beside = known.map(|_| with(file(&lines)));
                lines[number] = if known == Some(number) {
                    known_to_all(&wide)
                } else {
                    wide.clone()
                };
                found.push(Widened {
                    place: format!("{module}/{path}:{}", number + 1),
                    line: format!("{} => {}", line.trim(), wide.trim()),
                    near: text
                        .lines()
                        .skip(number.saturating_sub(BEFORE))
                        .take(number.min(BEFORE) + 1)
                        .collect::<Vec<_>>()
                        .join("\n"),
                    sources: with(file(&lines)),
                    beside,
                });
            }
        }
    }
    found
}

/// The line of a kind, of whose entities all know that they are there, or of an
/// action that all learn of.
fn known_to_all(line: &str) -> String {
    let of_a_kind = line
        .replace("existence: Owner", "existence: All")
        .replace("existence: Nobody", "existence: All");
    of_a_kind
        .replace("audience = \"owner\"", "audience = \"all\"")
        .replace("audience = \"nobody\"", "audience = \"all\"")
}

/// A line with each of its audiences widened by itself.
fn wider(line: &str) -> Vec<String> {
    let mut wide = Vec::new();
    if line.trim_start().starts_with("--") {
        return wide;
    }
    for (from, to) in AUDIENCES {
        wide.extend(
            line.match_indices(from)
                .map(|(at, _)| format!("{}{to}{}", &line[..at], &line[at + from.len()..])),
        );
    }
    // `only = { field = side }` in a line of its own.
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with(FIELDS) {
        wide.extend(to_all_sides(line, start, FIELDS));
    }
    // `{ to = side }` and `{ only = { field = side } }`.
    for key in ["{ to = ", "{ only = "] {
        for (at, _) in line.match_indices(key) {
            wide.extend(to_all_sides(line, at, key));
        }
    }
    if line.trim_start().starts_with("game:hide(") {
        wide.push(
            line.replacen("game:hide(", "local _ = (", 1)
                .replace(", \"", " and \""),
        );
    }
    wide
}

/// A line in which a table that begins at a place names all sides, in the place of
/// those to whom something is told, each field by itself: what names nobody tells
/// those alone who may know it. Nothing where it names them already.
fn to_all_sides(line: &str, at: usize, key: &str) -> Vec<String> {
    let from = at + key.len();
    let starts: Vec<usize> = match line[from..].strip_prefix("{ ") {
        None => vec![from],
        Some(fields) => {
            let fields = &fields[..closing(&line[from..]).map_or(fields.len(), |end| end - 2)];
            fields
                .match_indices(" = ")
                .map(|(place, _)| from + 2 + place + 3)
                .collect()
        }
    };
    let to_all = |start: usize| {
        let rest = &line[start..];
        let end = if rest.starts_with('{') {
            closing(rest)
        } else {
            rest.find([',', ' ', '}'])
        }?;
        let wide = format!("{}game:sides(){}", &line[..start], &rest[end..]);
        (wide != line).then_some(wide)
    };
    starts.into_iter().filter_map(to_all).collect()
}

/// How long a table is that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
