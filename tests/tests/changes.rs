//! Whoever follows a match knows of it what its view shows: all scenarios, all
//! viewers, up to three hundred decisions, and back again.
//!
//! Views are compared now and then; `HOUSERULE_CHANGES_EVERY=1 cargo test
//! --workspace --test changes` compares them after each decision.

use std::collections::BTreeMap;

use houserule::embed::{Catalogue, Detail, Following, Others, Start, Tabletop, ViewChange};
use kernel::value::Name;
use rayon::prelude::*;
use serde_json::{Value as Json, json};

/// So many decisions are followed.
const DECISIONS: usize = 300;

/// At this one play is taken back, by [`TAKEN_BACK`].
const TURNING: usize = 200;

const TAKEN_BACK: usize = 30;

/// Between two comparisons, unless it is said otherwise.
const EVERY: usize = 25;

/// Scenarios with what no mod has: decks of cards, three players.
const EXAMPLES: [&str; 2] = ["drill/range", "hearts/table"];

/// What a client knows who was told nothing but changes, as they cross a line.
#[derive(Default)]
struct Client {
    entities: BTreeMap<u64, BTreeMap<String, Json>>,
    phases: Vec<Json>,
    rest: BTreeMap<String, Json>,
    events: BTreeMap<u64, Json>,
}

impl Client {
    fn hear(&mut self, change: &ViewChange) {
        let sent = serde_json::to_value(change).unwrap();
        if sent["whole"] == true {
            *self = Client::default();
        }
        for gone in list(&sent["gone"]) {
            self.entities.remove(&gone.as_u64().unwrap());
        }
        self.hear_of_entities(&sent);
        for part in ["turn", "decks"] {
            if let Some(now) = sent.get(part) {
                self.rest.insert(part.into(), now.clone());
            }
        }
        let closed = sent["phases"]["closed"].as_u64().unwrap_or_default() as usize;
        self.phases.truncate(self.phases.len() - closed);
        let phase = |id: &Json| {
            let round = &sent["phases"]["rounds"][id.as_str().unwrap()];
            json!([id, round])
        };
        self.phases
            .extend(list(&sent["phases"]["opened"]).iter().map(phase));
        if let Some(ask) = sent.get("ask").and_then(Json::as_object) {
            let known = self.rest.entry("ask".into()).or_insert_with(|| json!({}));
            match ask.contains_key("prompt") {
                true => *known = sent["ask"].clone(),
                false => known["ask"] = ask["ask"].clone(),
            }
        }
        let Some(last) = sent["last"].as_u64() else {
            return;
        };
        let events = list(&sent["events"]);
        self.events
            .retain(|number, _| *number <= last - events.len() as u64);
        let lines = serde_json::to_value(change.in_detail(Detail::Lines)).unwrap();
        let first = last - events.len() as u64 + 1;
        for (number, (event, line)) in (first..).zip(std::iter::zip(events, list(&lines["events"])))
        {
            assert_eq!(event["number"], number, "numbers of events are implied");
            assert_eq!(
                list(&event["text"]),
                list(&line["text"]),
                "a line says what the event says"
            );
            self.events.insert(number, event.clone());
        }
    }

    fn hear_of_entities(&mut self, sent: &Json) {
        for (number, called) in members(&sent["called"]) {
            let entity = self.entities.entry(number).or_default();
            if called.get("kind").is_some() {
                entity.clear();
            }
            entity.extend(called.as_object().unwrap().clone());
        }
        for (number, attributes) in members(&sent["set"]) {
            let entity = self
                .entities
                .get_mut(&number)
                .expect("it was told what it is called");
            let named = attributes.as_object().unwrap().iter();
            entity.extend(named.map(|(name, now)| (attribute(name), now.clone())));
        }
        for (number, hidden) in members(&sent["hidden"]) {
            let entity = self
                .entities
                .get_mut(&number)
                .expect("it was told what it is called");
            entity.retain(|_, now| *now != unknown());
            let named = list(hidden)
                .iter()
                .map(|name| attribute(name.as_str().unwrap()));
            entity.extend(named.map(|name| (name, unknown())));
        }
    }

    /// Everything it knows, with what an entity holds of which nothing was said.
    fn knows(&self, catalogue: &Json) -> Json {
        let whole = |(handle, attributes): (&u64, &BTreeMap<String, Json>)| {
            let kind = attributes["kind"].as_str().unwrap_or_default();
            let declared = catalogue["kinds"][kind]["attributes"].as_object();
            let defaults = declared
                .into_iter()
                .flatten()
                .map(|(name, of)| (attribute(name), of["default"].clone()));
            let mut entity: BTreeMap<String, Json> = defaults.collect();
            entity.extend(attributes.clone());
            (handle.to_string(), entity)
        };
        let entities: BTreeMap<String, BTreeMap<String, Json>> =
            self.entities.iter().map(whole).collect();
        let known = json!({ "entities": entities, "phases": self.phases });
        json!({ "view": unlabelled(&known), "rest": self.rest, "events": self.events })
    }
}

fn list(of: &Json) -> &[Json] {
    of.as_array().map_or(&[], Vec::as_slice)
}

fn members(of: &Json) -> impl Iterator<Item = (u64, &Json)> {
    let members = of.as_object().into_iter().flatten();
    members.map(|(number, member)| (number.parse().expect("a number of an entity"), member))
}

/// The same, where values name entities by their numbers alone.
fn unlabelled(of: &Json) -> Json {
    match of {
        Json::Object(all) => {
            let is_label =
                |name: &str| name == "label" && all.get("entity").is_some_and(Json::is_number);
            let kept = all.iter().filter(|(name, _)| !is_label(name));
            kept.map(|(name, one)| (name.clone(), unlabelled(one)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Json::Array(all) => all.iter().map(unlabelled).collect(),
        one => one.clone(),
    }
}

/// What is noted of an attribute that is hidden: nothing that one may hold, as the word is.
fn unknown() -> Json {
    json!({ "is_hidden": true })
}

fn attribute(name: &str) -> String {
    format!("attribute {name}")
}

/// The same, as the match shows it to whoever looks now.
fn shown(table: &Tabletop, viewer: &str, first: u64) -> Json {
    let view = serde_json::to_value(table.view(viewer).unwrap()).unwrap();
    let whole = |seen: &Json| {
        let held = seen["attributes"].as_object().into_iter().flatten();
        let mut entity: BTreeMap<String, Json> = held
            .map(|(name, now)| (attribute(name), now.clone()))
            .collect();
        entity.extend(["kind", "label"].map(|part| (part.to_string(), seen[part].clone())));
        entity.extend(
            list(&seen["hidden"])
                .iter()
                .map(|name| (attribute(name.as_str().unwrap()), unknown())),
        );
        (seen["handle"].to_string(), entity)
    };
    let entities: BTreeMap<String, BTreeMap<String, Json>> =
        list(&view["entities"]).iter().map(whole).collect();
    let mut rest = BTreeMap::from([("turn", view["turn"].clone())]);
    let phases: Vec<Json> = list(&view["phases"])
        .iter()
        .map(|phase| json!([phase["id"], phase["round"]]))
        .collect();
    rest.insert(
        "ask",
        serde_json::to_value(table.asking(viewer).unwrap()).unwrap(),
    );
    if !list(&view["decks"]).is_empty() {
        rest.insert("decks", view["decks"].clone());
    }
    let news = table
        .news(viewer, 0, first.saturating_sub(1) as u32)
        .unwrap();
    let numbered = |event| {
        let event = serde_json::to_value(event).unwrap();
        (event["number"].to_string(), event)
    };
    let events: BTreeMap<String, Json> = news.events.iter().map(numbered).collect();
    let shown = json!({ "entities": entities, "phases": phases });
    json!({ "view": unlabelled(&shown), "rest": rest, "events": events })
}

/// One who follows, and what it should know.
struct Followed {
    viewer: String,
    following: Following,
    client: Client,
    catalogue: Json,
}

impl Followed {
    fn new(table: &Tabletop, viewer: &str) -> Followed {
        let catalogue: Catalogue = table.catalogue(viewer).unwrap();
        Followed {
            viewer: viewer.into(),
            following: table.following(viewer).unwrap(),
            client: Client::default(),
            catalogue: serde_json::to_value(catalogue).unwrap(),
        }
    }

    fn catch_up(&mut self, table: &Tabletop) {
        while let Some(change) = self.following.next(table).unwrap() {
            self.client.hear(&change);
        }
    }

    /// What it was told comes to what is shown.
    fn compare(&self, table: &Tabletop, at: &str) {
        let first = self.client.events.keys().next().copied().unwrap_or(1);
        let (knows, shown) = (
            self.client.knows(&self.catalogue),
            shown(table, &self.viewer, first),
        );
        let parted = parted(&knows, &shown, String::new());
        assert!(
            parted.is_empty(),
            "{at}, {}, told and shown part:\n{}",
            self.viewer,
            parted.join("\n")
        );
    }
}

/// Where two documents part, by the path to it.
fn parted(known: &Json, shown: &Json, path: String) -> Vec<String> {
    match (known, shown) {
        (Json::Object(a), Json::Object(b)) => {
            let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            names
                .into_iter()
                .flat_map(|name| parted(&known[name], &shown[name], format!("{path}/{name}")))
                .collect()
        }
        _ if known == shown => Vec::new(),
        _ => vec![format!("{path}: told {known}, shown {shown}")],
    }
}

fn played(scenario: &str, every: usize) -> usize {
    let folders = [
        houserule_tests::root().join("mods"),
        houserule_tests::root().join("docs/examples"),
    ];
    let start = Start {
        scenario: scenario.into(),
        seed: Some(7),
        others: Others::Random,
        ..Start::default()
    };
    let mut table = Tabletop::start(&folders, &start).unwrap();
    let sides = table.about("referee").unwrap().sides;
    let viewers = sides
        .iter()
        .map(|side| side.id.as_str())
        .chain(["spectator", "referee"]);
    let mut all: Vec<Followed> = viewers
        .map(|viewer| Followed::new(&table, viewer))
        .collect();
    let (mut made, mut turned) = (0, false);
    loop {
        // What a broken rule undoes is told too; other tests look for these.
        let is_over = table.bot_turn().is_ok_and(|taken| taken.is_none());
        made += 1;
        let is_looked_at = is_over || made % every == 0 || made >= DECISIONS;
        for one in &mut all {
            one.catch_up(&table);
            if is_looked_at {
                one.compare(&table, &format!("{scenario}, decision {made}"));
            }
        }
        if !turned && (made == TURNING || is_over) {
            turned = true;
            let keep = table.standing().decisions.saturating_sub(TAKEN_BACK);
            if table.undo("referee", keep).is_ok() {
                for one in &mut all {
                    one.catch_up(&table);
                    one.compare(&table, &format!("{scenario}, back at decision {keep}"));
                }
                continue;
            }
        }
        if is_over || made >= DECISIONS {
            return made;
        }
    }
}

#[test]
fn what_is_told_adds_up_to_what_is_shown() {
    let every = std::env::var_os("HOUSERULE_CHANGES_EVERY");
    let every = every.map_or(EVERY, |every| {
        every
            .into_string()
            .unwrap()
            .parse()
            .expect("a number of decisions")
    });
    let (workshop, _) = houserule_tests::mods();
    let id = |(module, path): (Name, String)| {
        let file = path
            .strip_prefix("scenarios/")
            .and_then(|file| file.strip_suffix(".ron"));
        format!("{module}/{}", file.expect("a file of scenarios"))
    };
    let scenarios: Vec<String> = workshop
        .scenarios()
        .into_iter()
        .map(id)
        .chain(EXAMPLES.map(Into::into))
        .collect();
    let made: usize = scenarios
        .par_iter()
        .map(|scenario| played(scenario, every))
        .sum();
    assert!(
        made > 50 * scenarios.len(),
        "{made} decisions of {} scenarios",
        scenarios.len()
    );
}
