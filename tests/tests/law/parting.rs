//! Where games may part: what one viewer does not know of what has just
//! happened, and how it could have been otherwise.

use std::collections::BTreeSet;

use kernel::audience::Share;
use kernel::book::{Acts, Book, Order, PhaseBody};
use kernel::game::Game;
use kernel::value::{EntityId, Side, Value};
use kernel::world::{FirstViewers, Kind, SIDE, Viewer, Viewers, World};
use serde_json::{Map, Value as Json};

use crate::door::{HOST, Sent};
use crate::player::Line;
use crate::values::Others;

/// What was decided that somebody may not know.
#[derive(Clone, PartialEq, Debug)]
pub enum Secret {
    /// Parameters of an action or reaction; the rest of it is known.
    Params(Vec<String>),
    /// Who acts; what comes of it may be known.
    Actor,
    /// Who acts, and how.
    ActorAndParams,
    /// All of it, even that there was something to decide.
    Whole,
    /// The answer to a question.
    Answer,
}

/// The secrets of a decision that has just been taken, as one viewer sees it.
/// In a secret phase all of it is one. What is `acted_out`, by action and
/// parameter, all see at once whatever it rests on.
pub fn secrets_of(
    line: &Line,
    sent: &Sent,
    viewer: &str,
    is_secret_phase: bool,
    acted_out: impl Fn(&str, &str) -> bool,
) -> Vec<Secret> {
    let input = line.input();
    let kind = match input["input"].as_str().unwrap_or_default() {
        "answer" => return Vec::from_iter(is_unaware(sent, viewer).then_some(Secret::Answer)),
        // Who decides last in such a phase shows at once that it is over.
        _ if is_secret_phase && sent.ends_secrets() => return Vec::new(),
        _ if is_secret_phase => return vec![Secret::Whole],
        "act" => "action",
        "react" => "reaction",
        _ => return Vec::new(),
    };
    let (theirs, host) = (sent.events(viewer), sent.events(HOST));
    let is_decision = |event: &&Json| event["kind"] == kind;
    let (Some(whole), Some(seen)) = (
        host.iter().find(is_decision),
        theirs.iter().find(is_decision),
    ) else {
        return Vec::new();
    };
    let is_whole = is_hidden(seen, "params");
    let mut secrets = Vec::new();
    if is_hidden(seen, "actor") {
        secrets.push(if is_whole {
            Secret::ActorAndParams
        } else {
            Secret::Actor
        });
    }
    let id = whole["fields"]["action"].as_str().unwrap_or_default();
    let is_kept = |name: &str| {
        let is_hidden = is_whole || is_hidden(seen, &format!("params.{name}"));
        is_hidden && !acted_out(id, name)
    };
    let all = whole["fields"]["params"]["record"].as_object();
    let names = all
        .into_iter()
        .flat_map(|all| all.keys())
        .filter(|name| is_kept(name));
    let hidden: Vec<String> = names.cloned().collect();
    secrets.extend((!hidden.is_empty()).then_some(Secret::Params(hidden)));
    secrets
}

/// Whether a viewer is not told an answer, whatever comes of it.
fn is_unaware(sent: &Sent, viewer: &str) -> bool {
    let answers = |of: &str| {
        sent.events(of)
            .iter()
            .filter(|event| event["kind"] == "answer")
            .count()
    };
    match answers(HOST) {
        0 => sent.to(viewer).is_empty(),
        // Of what several answer nothing is told before the last has.
        1 => answers(viewer) == 0,
        _ => false,
    }
}

fn is_hidden(event: &Json, field: &str) -> bool {
    event["hidden"]
        .as_array()
        .is_some_and(|hidden| hidden.iter().any(|name| name == field))
}

/// The parameters that a decision holds.
pub fn params_of(line: &Line) -> Map<String, Json> {
    line.input()["params"]
        .as_object()
        .cloned()
        .unwrap_or_default()
}

/// What the rules say is hidden, whatever comes up in a game.
pub fn declared(book: &Book) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for kind in book.schema.kinds() {
        if kind.existence != FirstViewers::All {
            found.insert(format!("existence {}", kind.id));
        }
        let hidden = kind
            .attributes
            .iter()
            .filter(|attribute| attribute.viewers != FirstViewers::All);
        found.extend(hidden.map(|attribute| format!("attribute {}.{}", kind.id, attribute.name)));
    }
    for action in book.actions.values().chain(book.reactions.values()) {
        let kept = action
            .params
            .iter()
            .filter(|param| is_narrow(param.share.as_ref()) && param.reveals.is_none());
        found.extend(kept.map(|param| format!("parameter {}.{}", action.id, param.name)));
    }
    for phase in book.phases.values() {
        if let PhaseBody::Acts(Acts {
            order: Order::Secret,
            ..
        }) = phase.body
        {
            found.extend(
                ["number", "order"].map(|what| format!("{what} of decisions in {}", phase.id)),
            );
            found.extend(
                book.actions_in(&phase.id)
                    .map(|action| format!("decision {}", action.id)),
            );
        }
    }
    found
}

fn is_narrow(share: Option<&Share>) -> bool {
    share.is_some_and(|share| *share != Share::All)
}

/// A change of what is set up.
#[derive(Clone, PartialEq, Debug)]
pub struct SetUp {
    /// What the tally calls it.
    pub what: String,
    /// The cells, and what they hold in the twin.
    pub cells: Vec<(String, String, Value)>,
    /// What is not there in the twin, and who knows of it.
    pub missing: Option<(String, Viewers)>,
    /// What is called otherwise in the twin.
    pub renamed: Option<Renamed>,
}

/// An entity that goes by another name in the twin.
#[derive(Clone, PartialEq, Debug)]
pub struct Renamed {
    /// Its name in the game that is played.
    pub from: String,
    /// Its name in the twin.
    pub to: String,
    /// Who knows what it is called.
    pub known: Viewers,
}

/// How what is hidden of a set-up could be otherwise: two entities of one kind
/// and side in each other's place, another value of the type, an entity that is
/// not there, or one that goes by another name.
pub fn set_ups(game: &Game) -> Vec<SetUp> {
    let hidden = |_: EntityId, kind: &Kind, slot: u16, viewers: Viewers| {
        let attribute = &kind.attributes[usize::from(slot)];
        (viewers != Viewers::ALL).then(|| format!("set-up {}.{}", kind.id, attribute.name))
    };
    let mut found = cells_otherwise(game, hidden);
    let world = game.world();
    let known = |one: EntityId| world.existence(one);
    found.extend(missing(
        world,
        world.all().filter(|one| known(*one) != Viewers::ALL),
        known,
        "",
    ));
    found.extend(world.all().flat_map(|one| names_otherwise(game, one)));
    found
}

/// What is concealed whole by the rules, as the tally calls it.
const CONCEALED: &str = "a concealed ";

impl SetUp {
    /// Whether it is in something that the rules conceal before anybody decides.
    pub fn is_concealed(what: &str) -> bool {
        what.contains(CONCEALED)
    }
}

/// How these entities could be otherwise, which the rules conceal whole before
/// anybody decides: in what all could see of them, and whether they are there.
pub fn concealed(game: &Game, names: &BTreeSet<String>) -> Vec<SetUp> {
    let world = game.world();
    let is_meant = |entity: EntityId, kind: &Kind| {
        let is_open = [kind.existence, kind.naming]
            .iter()
            .all(|viewers| *viewers == FirstViewers::All);
        is_open && names.contains(&*world.name(entity))
    };
    let mut found = cells_otherwise(game, |entity, kind, slot, viewers| {
        let is_meant = is_meant(entity, kind) && viewers == Viewers::ALL && slot != SIDE;
        is_meant.then(|| format!("set-up of {CONCEALED}{}", kind.id))
    });
    let there = world
        .all()
        .filter(|one| is_meant(*one, world.kind(*one).unwrap()));
    // Who knows of one sees it.
    found.extend(missing(world, there, |_| Viewers::NONE, CONCEALED));
    found
}

/// Without one of these entities, where none of the others holds it.
fn missing(
    world: &World,
    of: impl Iterator<Item = EntityId>,
    known: impl Fn(EntityId) -> Viewers,
    sort: &str,
) -> Vec<SetUp> {
    let all: Vec<EntityId> = world.all().collect();
    let is_alone = |one: &EntityId| all.iter().all(|other| !refers(world, *other, *one));
    let without = |one: EntityId| SetUp {
        what: format!("set-up existence of {sort}{}", world.kind(one).unwrap().id),
        cells: Vec::new(),
        missing: Some((world.name(one).to_string(), known(one))),
        renamed: None,
    };
    of.filter(is_alone).map(without).collect()
}

/// Other names of an entity, where somebody does not know what it is called:
/// one that stands where the name stood among all of them, and one that stands
/// before them.
fn names_otherwise(game: &Game, entity: EntityId) -> Vec<SetUp> {
    let world = game.world();
    let name = world.name(entity);
    let knows = |viewer: &Viewer| game.label(*viewer, entity) == name;
    let sides = (0..world.sides().len() as u8).map(Side);
    let knowing = sides.filter(|side| knows(&Viewer::Side(*side)));
    let known = knowing.map(Viewers::side).fold(Viewers::NONE, Viewers::and);
    if knows(&Viewer::Spectator) || known.and(Viewers::SPECTATOR) == everybody(world) {
        return Vec::new();
    }
    let what = format!("set-up name of {}", world.kind(entity).unwrap().id);
    let called = |to: String| {
        let renamed = Renamed {
            from: name.to_string(),
            to,
            known,
        };
        SetUp {
            what: what.clone(),
            cells: Vec::new(),
            missing: None,
            renamed: Some(renamed),
        }
    };
    [format!("{name}-z"), format!("a-{name}")]
        .map(called)
        .into()
}

fn everybody(world: &World) -> Viewers {
    let sides = (0..world.sides().len() as u8).map(|side| Viewers::side(Side(side)));
    sides.fold(Viewers::SPECTATOR, Viewers::and)
}

/// Whether an entity holds another somewhere.
fn refers(world: &World, from: EntityId, to: EntityId) -> bool {
    fn holds(value: &Value, to: EntityId) -> bool {
        match value {
            Value::Entity(entity) => *entity == to,
            Value::List(items) => items.iter().any(|item| holds(item, to)),
            Value::Map(map) => map.values().any(|item| holds(item, to)),
            _ => false,
        }
    }
    let slots = world.kind(from).unwrap().attributes.len() as u16;
    from != to && (0..slots).any(|slot| world.get(from, slot).is_ok_and(|value| holds(value, to)))
}

/// Those cells otherwise that are meant, each as it is called.
fn cells_otherwise(
    game: &Game,
    called: impl Fn(EntityId, &Kind, u16, Viewers) -> Option<String>,
) -> Vec<SetUp> {
    let world = game.world();
    let all: Vec<EntityId> = world.all().collect();
    let mut found = Vec::new();
    for (place, one) in all.iter().enumerate() {
        let kind = world.kind(*one).unwrap();
        for (slot, attribute) in kind.attributes.iter().enumerate() {
            let slot = slot as u16;
            let viewers = world.viewers(*one, slot).unwrap();
            let Some(what) = called(*one, kind, slot, viewers) else {
                continue;
            };
            let cell = |entity, value: &Value| {
                (
                    world.name(entity).to_string(),
                    attribute.name.to_string(),
                    value.clone(),
                )
            };
            let value = world.get(*one, slot).unwrap();
            let alike = all[place + 1..].iter().filter(|other| {
                world.kind(**other).is_ok_and(|other| other.id == kind.id)
                    && world.owner(**other) == world.owner(*one)
                    && world
                        .viewers(**other, slot)
                        .is_ok_and(|other| other == viewers)
            });
            let theirs = |other: &EntityId| world.get(*other, slot).unwrap();
            for other in alike.filter(|other| theirs(other) != value) {
                let theirs = theirs(other);
                let cells = vec![cell(*one, theirs), cell(*other, value)];
                found.push(SetUp {
                    what: what.clone(),
                    cells,
                    missing: None,
                    renamed: None,
                });
            }
            for other in (Others {
                world,
                entity: *one,
                slot,
            })
            .than(&attribute.ty, value)
            {
                found.push(SetUp {
                    what: what.clone(),
                    cells: vec![cell(*one, &other)],
                    missing: None,
                    renamed: None,
                });
            }
        }
    }
    found
}
