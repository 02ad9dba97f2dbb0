//! The door that a game is played through: a server that takes lines and gives
//! lines, and a seat for each side, for a spectator and for the host.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Narration, Start, Tabletop, Trouble, UndoPolicy};
use houserule::play::Setup;
use houserule::workshop::Workshop;
use kernel::chance::{Chance, DrawPosition, uniform};
use kernel::value::{EntityId, Side};
use kernel::world::{Viewer, World};
use serde_json::{Value as Json, json};

use crate::mutations::Sabotage;
use crate::parting::{self, Renamed, SetUp};

/// The seat that sees everything.
pub const HOST: &str = "referee";

/// What is played.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The scenario, `mod/id`.
    pub scenario: String,
    /// House rules to add.
    pub with: Vec<String>,
    /// Options to set.
    pub options: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// Whether the players agree on undo; otherwise it is the host's.
    pub is_agreed: bool,
    /// Whether viewers ask at a step for what they see and must decide, and no
    /// more.
    pub is_brief: bool,
}

impl Spec {
    fn start(&self) -> Start {
        Start {
            scenario: self.scenario.clone(),
            with: self.with.clone(),
            options: self.options.clone(),
            seed: Some(self.seed),
            undo: if self.is_agreed {
                UndoPolicy::Agreed
            } else {
                UndoPolicy::Umpire
            },
            ..Start::default()
        }
    }
}

/// What is otherwise in a twin from its beginning.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Change {
    /// Nothing.
    #[default]
    Nothing,
    /// How the game is set up.
    SetUp(SetUp),
    /// What one draw gives.
    Draw(DrawPosition),
    /// Whether the host keeps a journal.
    Journal,
}

/// The seed of a draw that is parted, in the place of the game's.
const OTHER: u64 = 0x6f74_6865_725f_6461;

/// What a line brought: the reply to who sent it, and what each seat was told.
#[derive(Clone, Default, Debug)]
pub struct Sent {
    /// The reply, as it came.
    pub reply: String,
    /// The notifications of each seat, in order.
    pub notifications: BTreeMap<String, Vec<String>>,
}

impl Sent {
    /// Whether a rule broke.
    pub fn is_fault(&self) -> bool {
        self.reply()
            .pointer("/error/code")
            .is_some_and(|code| *code == -32001)
    }

    /// Whether it was granted.
    pub fn is_granted(&self) -> bool {
        self.reply().get("result").is_some()
    }

    /// The reply as JSON.
    pub fn reply(&self) -> Json {
        serde_json::from_str(&self.reply).unwrap()
    }

    /// What the reply holds; null if it is an error.
    pub fn result(&self) -> Json {
        self.reply()["result"].take()
    }

    /// Whether a secret phase is over with it.
    pub fn ends_secrets(&self) -> bool {
        self.events(HOST)
            .iter()
            .any(|event| event["kind"] == "revealed")
    }

    /// The notifications of a seat.
    pub fn to(&self, seat: &str) -> &[String] {
        self.notifications.get(seat).map_or(&[], |lines| lines)
    }

    /// The events in the news that a seat was told.
    pub fn events(&self, seat: &str) -> Vec<Json> {
        let mut events = Vec::new();
        for line in self.to(seat) {
            let line: Json = serde_json::from_str(line).unwrap();
            if line["method"] == "news" {
                events.extend(
                    line["params"]["news"]["events"]
                        .as_array()
                        .cloned()
                        .unwrap_or_default(),
                );
            }
        }
        events
    }
}

/// A game, and all who sit at it.
pub struct Door {
    server: Server,
    connections: BTreeMap<String, ConnectionId>,
    /// The sides, in order.
    pub sides: Vec<String>,
    /// The seats of those who may not know everything: the sides and a
    /// spectator.
    pub viewers: Vec<String>,
    places: Arc<Mutex<Vec<DrawPosition>>>,
    narrations: BTreeMap<String, Narration>,
    /// How the set-up could be otherwise.
    pub set_ups: Vec<SetUp>,
    /// What the rules declare to be hidden, as the tally calls it.
    pub declared: BTreeSet<String>,
    /// Every action and reaction, by id.
    pub actions: Vec<String>,
    /// As in its [`Spec`].
    pub is_brief: bool,
    sabotage: Option<Sabotage>,
    /// The field with what the server calls the game.
    game: String,
    /// What goes by another name here than in the game beside which this is.
    pub renamed: Option<Renamed>,
    /// Where the journal is.
    _folder: Option<Folder>,
}

/// A folder of its own for a game, as long as that is played.
struct Folder(PathBuf);

impl Folder {
    fn fresh() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("houserule-law-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now goes with the others of its place.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A game that was started, and by which rules: nobody plays it, others are
/// started beside it.
struct Opened {
    workshop: Rc<Workshop>,
    by: String,
    door: Door,
}

/// So many of them are kept.
const MOST_OPENED: usize = 6;

thread_local! {
    /// Those of last, the last one first.
    static OPENED: RefCell<Vec<Opened>> = const { RefCell::new(Vec::new()) };
}

impl Door {
    /// Starts a game, by the rules of the last ones where those are the same.
    pub fn open(workshop: &Rc<Workshop>, spec: &Spec, sabotage: Option<Sabotage>) -> Door {
        let by = format!(
            "{} {:?} {:?} {sabotage:?}",
            spec.scenario, spec.with, spec.options
        );
        OPENED.with_borrow_mut(|opened| {
            let is_it = |one: &Opened| Rc::ptr_eq(&one.workshop, workshop) && one.by == by;
            let one = match opened.iter().position(is_it) {
                Some(place) => opened.remove(place),
                None => Opened {
                    workshop: workshop.clone(),
                    by,
                    door: Door::open_afresh(workshop, spec, sabotage),
                },
            };
            opened.truncate(MOST_OPENED - 1);
            opened.insert(0, one);
            opened[0].door.twin(spec, &Change::Nothing)
        })
    }

    fn open_afresh(workshop: &Rc<Workshop>, spec: &Spec, sabotage: Option<Sabotage>) -> Door {
        let start = |start: &Start, change: &mut dyn FnMut(&mut Setup)| {
            Tabletop::start_changed(workshop.clone(), &[], start, change)
        };
        let door = Door::opened(spec, &Change::Nothing, sabotage, start);
        door.unwrap_or_else(|trouble| panic!("{}: {trouble}", spec.scenario))
    }

    /// Starts the same game once more, in which something is otherwise.
    pub fn twin(&self, spec: &Spec, change: &Change) -> Door {
        self.try_twin(spec, change)
            .unwrap_or_else(|trouble| panic!("{}: {trouble}", spec.scenario))
    }

    /// The same, where the rules may not know what to do with the change.
    pub fn try_twin(&self, spec: &Spec, change: &Change) -> Result<Door, Trouble> {
        let table = self.server.table().unwrap();
        Door::opened(spec, change, self.sabotage, |start, change| {
            table.start_beside(start, change)
        })
    }

    /// How entities that the rules conceal before anybody decides could be otherwise.
    pub fn concealed(&self, spec: &Spec, names: &BTreeSet<String>) -> Vec<SetUp> {
        let mut found = Vec::new();
        let table = self.server.table().unwrap();
        let started = table.start_beside(&spec.start(), &mut |setup: &mut Setup| {
            found = parting::concealed(&setup.game, names);
        });
        started.unwrap_or_else(|trouble| panic!("{}: {trouble}", spec.scenario));
        found
    }

    fn opened(
        spec: &Spec,
        change: &Change,
        sabotage: Option<Sabotage>,
        start_it: impl FnOnce(&Start, &mut dyn FnMut(&mut Setup)) -> Result<Tabletop, Trouble>,
    ) -> Result<Door, Trouble> {
        let folder = (*change == Change::Journal).then(Folder::fresh);
        let journal = folder.as_ref().map(|folder| folder.0.join("game.journal"));
        let start = Start {
            journal,
            ..spec.start()
        };
        let places = Arc::new(Mutex::new(Vec::new()));
        let (mut set_ups, mut declared, mut actions) = (Vec::new(), BTreeSet::new(), Vec::new());
        let table = start_it(&start, &mut |setup| {
            set_ups = parting::set_ups(&setup.game);
            let book = setup.game.book();
            declared = parting::declared(book);
            actions.extend(
                book.actions
                    .keys()
                    .chain(book.reactions.keys())
                    .map(ToString::to_string),
            );
            setup
                .game
                .set_chance(chance(spec.seed, change, places.clone()));
            apply(setup, change);
        })?;
        let about = table.about(HOST).unwrap();
        let sides: Vec<String> = about.sides.into_iter().map(|side| side.id).collect();
        let mut viewers = sides.clone();
        viewers.push("spectator".into());
        let mut server = Server::new(Vec::new());
        let narrations = viewers
            .iter()
            .map(|viewer| (viewer.clone(), table.narration(viewer).unwrap()))
            .collect();
        server.serve(table);
        let connections = BTreeMap::from([(HOST.to_string(), server.connect_host())]);
        let mut door = Door {
            server,
            connections,
            sides,
            viewers,
            places,
            narrations,
            set_ups,
            declared,
            actions,
            is_brief: spec.is_brief,
            sabotage,
            game: GAME.into(),
            renamed: renamed(change).cloned(),
            _folder: folder,
        };
        for viewer in door.viewers.clone() {
            door.sit_down(&viewer);
        }
        door.send(HOST, "subscribe", json!({ "viewer": HOST }));
        Ok(door)
    }

    /// Gives a viewer a connection, which takes its seat by a token.
    fn sit_down(&mut self, viewer: &str) {
        let seat = match viewer {
            "spectator" => json!({ "seat": "spectator" }),
            side => json!({ "seat": "sides", "sides": [side] }),
        };
        let token = self.ask(HOST, "give_seat", seat)["token"].take();
        let connection = self.server.connect();
        self.connections.insert(viewer.to_string(), connection);
        let hello = self.send(viewer, "hello", json!({ "token": token }));
        assert!(hello.is_granted(), "{}", hello.reply);
        self.send(viewer, "subscribe", json!({}));
        self.send(viewer, "follow", json!({ "events": "whole" }));
    }

    /// Sends a request from a seat.
    pub fn send(&mut self, seat: &str, method: &str, params: Json) -> Sent {
        let line =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let line = self.named_here(seat, line.replace(GAME, &self.game));
        self.server.line(self.connections[seat], line.as_bytes());
        let mut sent = Sent::default();
        for (name, connection) in &self.connections {
            let mut lines = self.server.drain(*connection);
            lines
                .iter_mut()
                .for_each(|line| called_alike(line, &mut self.game));
            if name == seat {
                sent.reply = lines.pop().unwrap();
            }
            if !lines.is_empty() {
                sent.notifications.insert(name.clone(), lines);
            }
        }
        match &self.sabotage {
            Some(sabotage) => sabotage.spoil(
                &mut self.server,
                self.connections[HOST],
                (seat, method),
                sent,
            ),
            None => sent,
        }
    }

    /// A line of somebody who knows what is called otherwise here.
    fn named_here(&self, seat: &str, line: String) -> String {
        match &self.renamed {
            Some(Renamed { from, to, known })
                if seat == HOST || known.contains(self.viewer(seat)) =>
            {
                quoted(&line, from, to)
            }
            _ => line,
        }
    }

    /// A viewer by its name.
    pub fn viewer(&self, name: &str) -> Viewer {
        let side = (0u8..).zip(&self.sides).find(|(_, side)| *side == name);
        side.map_or(Viewer::Spectator, |(place, _)| Viewer::Side(Side(place)))
    }

    /// Whether the rules mean an event to give something away, by the number
    /// that it has for a viewer.
    pub fn is_meant(&self, viewer: &str, event: &Json) -> bool {
        let number = event["number"].as_u64().unwrap_or(0) as u32;
        self.server
            .table()
            .unwrap()
            .reveals(viewer, number)
            .unwrap()
            .is_some()
    }

    /// Whether the rules mean a parameter to be seen by all, whatever it rests on.
    pub fn is_acted_out(&self, action: &str, param: &str) -> bool {
        self.server
            .table()
            .unwrap()
            .param_reveals(action, param)
            .is_some()
    }

    /// What everybody was told before the first line, as if it were news.
    pub fn begun(&mut self) -> Sent {
        let mut sent = Sent::default();
        for viewer in self
            .viewers
            .clone()
            .iter()
            .map(String::as_str)
            .chain([HOST])
        {
            let news = self.ask(viewer, "news", json!({ "viewer": viewer }));
            let line = json!({ "method": "news", "params": { "news": news } });
            sent.notifications
                .insert(viewer.to_string(), vec![line.to_string()]);
        }
        sent
    }

    /// What a request gives; null where it is refused.
    pub fn ask(&mut self, seat: &str, method: &str, params: Json) -> Json {
        self.send(seat, method, params).result()
    }

    /// What is new of a viewer's battle report, as text and as JSON.
    pub fn report(&mut self, viewer: &str) -> [String; 2] {
        let table = self.server.table().unwrap();
        let narration = self.narrations.get_mut(viewer).unwrap();
        let narrated = table.tell(narration);
        let lines = narrated
            .iter()
            .flat_map(|one| &one.lines)
            .map(|line| line.text.as_str());
        let events = narrated
            .iter()
            .map(|one| serde_json::to_string(&one.event).unwrap());
        [
            lines.collect::<Vec<_>>().join("\n"),
            events.collect::<Vec<_>>().join("\n"),
        ]
    }

    /// What an attribute of a kind holds when nothing is said.
    pub fn default_of(&self, kind: &str, attribute: &str) -> Json {
        let attributes = self.server.table().unwrap().attributes(kind);
        attributes.get(attribute).map_or(Json::Null, |about| {
            serde_json::to_value(&about.default).unwrap()
        })
    }

    /// Where the draws after so many stand.
    pub fn places_after(&self, count: usize) -> Vec<DrawPosition> {
        self.places.lock().unwrap()[count..].to_vec()
    }

    /// How many draws were made so far, those of steps that ran again too.
    pub fn drawn(&self) -> usize {
        self.places.lock().unwrap().len()
    }
}

/// Chance that follows from the seed as ever, but for the draw that is parted;
/// it notes where each draw stands.
fn chance(seed: u64, change: &Change, places: Arc<Mutex<Vec<DrawPosition>>>) -> Chance {
    let parted = match change {
        Change::Draw(place) => Some(*place),
        _ => None,
    };
    Chance::given(move |place, bound| {
        places.lock().unwrap().push(place);
        match parted == Some(place) {
            // Certainly another number, wherever there is another.
            true => {
                uniform(seed, place, bound)
                    + 1
                    + uniform(OTHER, place, bound) % bound.get().saturating_sub(1).max(1)
            }
            false => uniform(seed, place, bound),
        }
    })
}

fn apply(setup: &mut Setup, change: &Change) {
    let Change::SetUp(change) = change else {
        return;
    };
    let world = setup.game.world_mut();
    for (entity, attribute, value) in &change.cells {
        let entity = world.find(entity).unwrap();
        let slot = world.attribute(entity, attribute).unwrap();
        world.set(entity, slot, value.clone()).unwrap();
    }
    if let Some((entity, _)) = &change.missing {
        let entity = world.find(entity).unwrap();
        world.remove(entity).unwrap();
    }
    if let Some(Renamed { from, to, .. }) = &change.renamed {
        let other = called_otherwise(world, from, to);
        *world = other;
    }
}

fn renamed(change: &Change) -> Option<&Renamed> {
    match change {
        Change::SetUp(change) => change.renamed.as_ref(),
        _ => None,
    }
}

impl Renamed {
    /// A text of the twin with the name that is used in the game beside which it is.
    pub fn back(&self, text: &str) -> String {
        quoted(text, &self.to, &self.from)
    }
}

/// A text in which one quoted name stands for another.
fn quoted(text: &str, from: &str, to: &str) -> String {
    text.replace(&format!("\"{from}\""), &format!("\"{to}\""))
}

/// The same world, made anew, in which one entity goes by another name.
fn called_otherwise(world: &World, from: &str, to: &str) -> World {
    let mut other = World::new(world.schema().clone(), world.sides().clone());
    let entities = || (0..world.slots() as u32).map(EntityId);
    for entity in entities() {
        let name = world.name(entity);
        let name = if *name == *from { to } else { &name };
        let kind = world
            .schema()
            .require(&world.kind(entity).unwrap().id)
            .unwrap();
        other.create(kind, name, &[]).unwrap();
    }
    for entity in entities() {
        for slot in 0..world.kind(entity).unwrap().attributes.len() as u16 {
            other
                .set(entity, slot, world.get(entity, slot).unwrap().clone())
                .unwrap();
            other
                .set_viewers(entity, Some(slot), world.viewers(entity, slot).unwrap())
                .unwrap();
        }
        other
            .set_viewers(entity, None, world.existence(entity))
            .unwrap();
    }
    other
}

/// What every game is called here. Its name is chance of the server's own, so
/// that nobody goes on with changes of another one; it says nothing.
const GAME: &str = r#""game":"g1""#;

/// Takes the name of the game out of a line, and notes it.
fn called_alike(line: &mut String, game: &mut String) {
    const BEFORE: &str = r#""game":"g1-"#;
    const LENGTH: usize = BEFORE.len() + 9;
    while let Some(at) = line.find(BEFORE) {
        game.clear();
        game.push_str(&line[at..at + LENGTH]);
        line.replace_range(at..at + LENGTH, GAME);
    }
}
