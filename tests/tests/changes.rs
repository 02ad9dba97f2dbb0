//! Whoever follows a match knows of it what its view shows: all scenarios, all
//! viewers, up to three hundred decisions, and back again.
//!
//! Views are compared now and then; `HOUSERULE_CHANGES_EVERY=1 cargo test
//! --workspace --test changes` compares them after each decision.

use std::collections::BTreeMap;

use houserule::embed::{Catalogue, Change, Following, Others, Start, Tabletop};
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
    rest: BTreeMap<String, Json>,
    events: BTreeMap<u64, Json>,
}

impl Client {
    fn hear(&mut self, change: &Change) {
        let told = serde_json::to_value(change).unwrap();
        if told["whole"] == true {
            *self = Client::default();
        }
        for gone in list(&told["gone"]) {
            self.entities.remove(&gone.as_u64().unwrap());
        }
        for moved in list(&told["set"]) {
            self.move_one(moved);
        }
        for part in ["phases", "turn", "decks", "ask"] {
            if let Some(now) = told.get(part) {
                self.rest.insert(part.into(), now.clone());
            }
        }
        if let Some(from) = told["news"]["from"].as_u64() {
            self.events.retain(|number, _| *number < from);
        }
        for event in list(&told["news"]["events"]) {
            self.events.insert(event["number"].as_u64().unwrap(), event.clone());
        }
    }

    fn move_one(&mut self, moved: &Json) {
        let entity = self.entities.entry(moved["entity"].as_u64().unwrap()).or_default();
        if moved.get("kind").is_some() {
            entity.clear();
        }
        for part in ["kind", "label"] {
            entity.extend(moved.get(part).map(|now| (part.to_string(), now.clone())));
        }
        let attributes = moved["attributes"].as_object();
        let named = attributes.into_iter().flatten().map(|(name, now)| (attribute(name), now.clone()));
        entity.extend(named);
        if let Some(hidden) = moved.get("hidden") {
            entity.retain(|_, now| *now != "hidden");
            entity
                .extend(list(hidden).iter().map(|name| (attribute(name.as_str().unwrap()), "hidden".into())));
        }
    }

    /// Everything it knows, with what an entity holds of which nothing was said.
    fn knows(&self, catalogue: &Json) -> Json {
        let whole = |(handle, told): (&u64, &BTreeMap<String, Json>)| {
            let kind = told["kind"].as_str().unwrap_or_default();
            let declared = catalogue["kinds"][kind]["attributes"].as_object();
            let defaults =
                declared.into_iter().flatten().map(|(name, of)| (attribute(name), of["default"].clone()));
            let mut entity: BTreeMap<String, Json> = defaults.collect();
            entity.extend(told.clone());
            (handle.to_string(), entity)
        };
        let entities: BTreeMap<String, BTreeMap<String, Json>> = self.entities.iter().map(whole).collect();
        json!({ "entities": entities, "rest": self.rest, "events": self.events })
    }
}

fn list(of: &Json) -> &[Json] {
    of.as_array().map_or(&[], Vec::as_slice)
}

fn attribute(name: &str) -> String {
    format!("attribute {name}")
}

/// The same, as the match shows it to whoever looks now.
fn shown(table: &Tabletop, viewer: &str, first: u64) -> Json {
    let view = serde_json::to_value(table.view(viewer).unwrap()).unwrap();
    let whole = |seen: &Json| {
        let held = seen["attributes"].as_object().into_iter().flatten();
        let mut entity: BTreeMap<String, Json> =
            held.map(|(name, now)| (attribute(name), now.clone())).collect();
        entity.extend(["kind", "label"].map(|part| (part.to_string(), seen[part].clone())));
        entity.extend(
            list(&seen["hidden"]).iter().map(|name| (attribute(name.as_str().unwrap()), "hidden".into())),
        );
        (seen["handle"].to_string(), entity)
    };
    let entities: BTreeMap<String, BTreeMap<String, Json>> =
        list(&view["entities"]).iter().map(whole).collect();
    let mut rest = BTreeMap::from([("phases", view["phases"].clone()), ("turn", view["turn"].clone())]);
    rest.insert("ask", serde_json::to_value(table.asking(viewer).unwrap()).unwrap());
    if !list(&view["decks"]).is_empty() {
        rest.insert("decks", view["decks"].clone());
    }
    let news = table.news(viewer, 0, first.saturating_sub(1) as u32).unwrap();
    let numbered = |event| {
        let event = serde_json::to_value(event).unwrap();
        (event["number"].to_string(), event)
    };
    let events: BTreeMap<String, Json> = news.events.iter().map(numbered).collect();
    json!({ "entities": entities, "rest": rest, "events": events })
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
        let (knows, shown) = (self.client.knows(&self.catalogue), shown(table, &self.viewer, first));
        let parted = parted(&knows, &shown, String::new());
        assert!(parted.is_empty(), "{at}, {}, told and shown part:\n{}", self.viewer, parted.join("\n"));
    }
}

/// Where two documents part, by the path to it.
fn parted(told: &Json, shown: &Json, path: String) -> Vec<String> {
    match (told, shown) {
        (Json::Object(a), Json::Object(b)) => {
            let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            names
                .into_iter()
                .flat_map(|name| parted(&told[name], &shown[name], format!("{path}/{name}")))
                .collect()
        }
        _ if told == shown => Vec::new(),
        _ => vec![format!("{path}: told {told}, shown {shown}")],
    }
}

fn played(scenario: &str, every: usize) -> usize {
    let folders = [houserule_tests::root().join("mods"), houserule_tests::root().join("docs/examples")];
    let start =
        Start { scenario: scenario.into(), seed: Some(7), others: Others::Random, ..Start::default() };
    let mut table = Tabletop::start(&folders, &start).unwrap();
    let sides = table.about("referee").unwrap().sides;
    let viewers = sides.iter().map(|side| side.id.as_str()).chain(["spectator", "referee"]);
    let mut all: Vec<Followed> = viewers.map(|viewer| Followed::new(&table, viewer)).collect();
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
    let every =
        every.map_or(EVERY, |every| every.into_string().unwrap().parse().expect("a number of decisions"));
    let (workshop, _) = houserule_tests::mods();
    let id = |(module, path): (Name, String)| {
        let file = path.strip_prefix("scenarios/").and_then(|file| file.strip_suffix(".ron"));
        format!("{module}/{}", file.expect("a file of scenarios"))
    };
    let scenarios: Vec<String> =
        workshop.scenarios().into_iter().map(id).chain(EXAMPLES.map(Into::into)).collect();
    let made: usize = scenarios.par_iter().map(|scenario| played(scenario, every)).sum();
    assert!(made > 50 * scenarios.len(), "{made} decisions of {} scenarios", scenarios.len());
}
