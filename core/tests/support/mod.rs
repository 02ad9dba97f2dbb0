//! An invented game that uses every part of the kernel, its random players,
//! and what the tests compare. Its rules are plain functions, by id.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod rulebook;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use kernel::chance::{BotChance, Chance};
use kernel::decision::{Domain, Input, Region};
use kernel::digest::{Names, StateHash};
use kernel::engine::{Play, Rejected, Wanted};
use kernel::error::{Fault, FaultCode};
use kernel::event::Event;
use kernel::game::Game;
use kernel::geometry::{Length, Point};
use kernel::notation::print;
use kernel::rules::{Rules, Stop};
use kernel::value::{EntityId, Name, Side, Value};
use kernel::world::Viewer;

pub type Rule = Box<dyn Fn(&mut Game, &[Value]) -> Result<Value, Stop> + Send + Sync>;

/// The rules of the invented game.
pub struct Toy {
    pub rules: BTreeMap<&'static str, Rule>,
    /// At which call a fault is put in; below zero never.
    pub fault_at: AtomicI64,
    pub calls: AtomicU32,
}

impl Toy {
    pub fn new() -> Toy {
        let mut toy = Toy {
            rules: BTreeMap::new(),
            fault_at: AtomicI64::new(-1),
            calls: AtomicU32::new(0),
        };
        rulebook::write(&mut toy);
        toy
    }

    pub fn rule(
        &mut self,
        id: &'static str,
        rule: impl Fn(&mut Game, &[Value]) -> Result<Value, Stop> + Send + Sync + 'static,
    ) {
        self.rules.insert(id, Box::new(rule));
    }
}

impl Rules for Toy {
    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let left = self.fault_at.load(Ordering::Relaxed);
        if left >= 0 {
            self.fault_at.store(left - 1, Ordering::Relaxed);
        }
        let Some(body) = self.rules.get(&**rule) else {
            return Err(Fault::new(FaultCode::UnknownRule, format!("no rule `{rule}`")).into());
        };
        // An injected fault comes after the writes of its rule.
        let outcome = body(game, args);
        if left == 0 {
            Err(Fault::new(FaultCode::Script, "injected").into())
        } else {
            outcome
        }
    }
}

pub fn name(text: &str) -> Name {
    Arc::from(text)
}

pub fn sides(count: usize) -> Arc<[Name]> {
    ["red", "blue", "green", "white"]
        .iter()
        .take(count)
        .map(|side| name(side))
        .collect()
}

/// A game of so many sides, set up but not begun.
pub fn set_up(seed: u64, side_count: usize) -> Game {
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(
        rulebook::book(),
        sides(side_count),
        table,
        Chance::seeded(seed),
    );
    rulebook::deploy(&mut game, side_count);
    game
}

pub fn start(toy: &Toy, seed: u64, side_count: usize) -> Play {
    Play::start(set_up(seed, side_count), toy).unwrap()
}

/// Everybody who may look at a game.
pub fn viewers(game: &Game) -> Vec<Viewer> {
    let sides = (0..game.world().sides().len() as u8).map(|side| Viewer::Side(Side(side)));
    [Viewer::Referee, Viewer::Spectator]
        .into_iter()
        .chain(sides)
        .collect()
}

/// The hash and what everybody sees.
pub fn everything(play: &mut Play) -> (StateHash, Vec<(Viewer, StateHash, String)>) {
    let hash = play.hash();
    assert_eq!(
        hash,
        play.game().hash_afresh(),
        "the hash that is kept up, and the same from nothing"
    );
    let game = play.game();
    (
        hash,
        viewers(game)
            .into_iter()
            .map(|v| (v, game.view_hash(v), show_view(game, v)))
            .collect(),
    )
}

/// A random value of a domain.
pub fn sample(domain: &Domain, bot: &mut BotChance) -> Value {
    match domain {
        Domain::Choices { of, .. } => of[bot.below(of.len() as u32) as usize].value.clone(),
        Domain::Several { of, min, max, .. } => {
            let count = min + bot.below(max - min + 1);
            let from = bot.below(of.len() as u32) as usize;
            Value::list((0..count as usize).map(|i| of[(from + i) % of.len()].value.clone()))
        }
        Domain::Integer { min, max } => {
            Value::Int(min + i64::from(bot.below((max - min + 1) as u32)))
        }
        Domain::Place { regions, .. } => Value::Point(match &regions[0] {
            Region::Disc { centre, .. } => *centre,
            Region::Rectangle { min, .. } => *min,
        }),
        Domain::Route { from, legs, .. } => {
            let leg =
                |i: u32| Value::Point(Point::new(from.x() + Length::inches(i.into()), from.y()));
            Value::list((1..=1 + bot.below(*legs)).map(leg))
        }
    }
}

/// A random legal input; `None` when the game is over.
pub fn choose(play: &mut Play, toy: &Toy, bot: &mut BotChance) -> Option<Input> {
    match play.wanted() {
        Wanted::Over => None,
        Wanted::Answer { sides, question } => {
            let by = sides[bot.below(sides.len() as u32) as usize];
            let (_, domain) = question.to.iter().find(|(side, _)| *side == by).unwrap();
            Some(Input::Answer {
                by,
                question: question.id.clone(),
                value: sample(domain, bot),
            })
        }
        Wanted::React { side, .. } => Some(
            random_action(play, toy, bot, side, true)
                .filter(|_| bot.below(4) > 0)
                .unwrap_or(Input::Decline {
                    by: side,
                    standing: bot.below(8) == 0,
                }),
        ),
        Wanted::Act { sides, .. } => {
            let by = sides[bot.below(sides.len() as u32) as usize];
            let stopping = play.may_stop(toy, by).unwrap();
            let chosen = random_action(play, toy, bot, by, false);
            let is_secret = sides.len() > 1;
            let pick = bot.below(10);
            Some(match chosen {
                _ if pick == 0 && is_secret && can_take_back(play, by) => Input::TakeBack { by },
                _ if pick == 1 && stopping.pass.is_ok() => Input::Pass { by },
                _ if pick <= 3 && stopping.end.is_ok() => Input::Done { by },
                Some(chosen) => chosen,
                None => Input::Done { by },
            })
        }
    }
}

fn can_take_back(play: &Play, by: Side) -> bool {
    let phase = play.game().flow().phases().next_back().unwrap();
    !phase.pads[by.0 as usize].is_empty() && !phase.pads[by.0 as usize].has_drawn()
}

fn random_action(
    play: &mut Play,
    toy: &Toy,
    bot: &mut BotChance,
    by: Side,
    is_reaction: bool,
) -> Option<Input> {
    let mut legal = play.legal(toy, by).unwrap();
    legal.retain(|legal| legal.refused.is_none());
    if legal.is_empty() {
        return None;
    }
    let picked = legal[bot.below(legal.len() as u32) as usize].clone();
    let mut given = BTreeMap::new();
    while let Some((param, _, domain)) = play
        .next_param(toy, by, &picked.action, picked.actor, &given)
        .unwrap()
    {
        given.insert(param, sample(&domain, bot));
    }
    let (actor, params) = (picked.actor, Value::Map(Arc::new(given)));
    Some(match is_reaction {
        true => Input::React {
            by,
            reaction: picked.action,
            actor,
            params,
        },
        false => Input::Act {
            by,
            action: picked.action,
            actor,
            params,
        },
    })
}

/// A game that was played to its end by random players.
pub struct Played {
    pub play: Play,
    pub inputs: Vec<Input>,
    pub events: Vec<Event>,
    /// The hash after each input.
    pub hashes: Vec<StateHash>,
}

pub fn play_out(toy: &Toy, seed: u64, side_count: usize) -> Played {
    play_out_from(toy, set_up(seed, side_count), seed)
}

/// The same from a game that was set up.
pub fn play_out_from(toy: &Toy, game: Game, seed: u64) -> Played {
    let mut bot = BotChance::new(seed, 0);
    let mut play = Play::start(game, toy).unwrap();
    let (mut inputs, mut events, mut hashes) = (Vec::new(), play.take_events(), Vec::new());
    while let Some(input) = choose(&mut play, toy, &mut bot) {
        play.submit(toy, &input)
            .unwrap_or_else(|rejected| panic!("{input:?} was rejected: {rejected:?}"));
        events.extend(play.take_events());
        let hash = play.hash();
        assert_eq!(hash, play.game().hash_afresh(), "after {input:?}");
        hashes.push(hash);
        inputs.push(input);
        assert!(inputs.len() < 5000, "the game never ends");
    }
    Played {
        play,
        inputs,
        events,
        hashes,
    }
}

/// Names entities as a viewer does.
pub struct Labels<'a>(pub &'a Game, pub Viewer);

impl Names for Labels<'_> {
    fn name_of(&self, entity: EntityId) -> Name {
        self.0.label(self.1, entity)
    }
}

fn show_value(game: &Game, viewer: Viewer, value: Option<&Value>) -> String {
    value.map_or_else(
        || "hidden".into(),
        |value| print(value, &Labels(game, viewer)),
    )
}

/// A view as text, without the entities that never leave the process.
pub fn show_view(game: &Game, viewer: Viewer) -> String {
    let view = game.view(viewer);
    let mut text = format!("{:?} {:?} {}\n", view.phases, view.turn, view.wanted);
    text += &show_value(game, viewer, view.result.as_ref());
    for seen in &view.decks {
        text += &format!("\n{seen:?}");
    }
    for seen in &view.entities {
        text += &format!("\n{} {} {:?}", seen.handle, seen.kind, seen.name);
        for (attribute, value) in &seen.attributes {
            text += &format!(" {attribute}={}", show_value(game, viewer, value.as_ref()));
        }
    }
    text
}

pub fn show_events(game: &Game, viewer: Viewer, events: &[Event]) -> String {
    let mut text = String::new();
    for event in game.show_events(viewer, events) {
        text += &format!(
            "{} {} {:?} {:?}",
            event.number, event.kind, event.rule, event.draws
        );
        for (field, value) in &event.fields {
            text += &format!(" {field}={}", show_value(game, viewer, value.as_ref()));
        }
        text.push('\n');
    }
    text
}

fn show_domain(game: &Game, viewer: Viewer, domain: &Domain) -> String {
    match domain {
        Domain::Choices { of, .. } | Domain::Several { of, .. } => {
            let choice = |c: &kernel::decision::Choice| {
                format!("{}:{}", c.label, show_value(game, viewer, Some(&c.value)))
            };
            of.iter().map(choice).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    }
}

/// What a side is asked, what it may do, and why not.
pub fn show_prompt(play: &mut Play, toy: &Toy, side: Side) -> Result<String, Fault> {
    let viewer = Viewer::Side(side);
    let game = play.game();
    let mut text = match game.prompt(viewer) {
        None => "wait".into(),
        Some(Wanted::React { window, data, .. }) => {
            format!("react {window} {}", show_value(game, viewer, Some(&data)))
        }
        Some(Wanted::Answer { question, .. }) => {
            let domain = show_domain(game, viewer, &question.to[0].1);
            format!("answer {} {} {domain}", question.id, question.text)
        }
        Some(other) => format!("{other:?}"),
    };
    for legal in play.legal(toy, side)? {
        let actor = legal.actor.map(|actor| game.label(viewer, actor));
        text += &format!("\n{} {actor:?} {:?}", legal.action, legal.refused);
        if legal.refused.is_none()
            && let Some((param, _, domain)) =
                play.next_param(toy, side, &legal.action, legal.actor, &BTreeMap::new())?
        {
            text += &format!(" {param} {}", show_domain(game, viewer, &domain));
        }
    }
    text += &format!("\n{:?}", play.may_stop(toy, side)?);
    Ok(text)
}

/// An entity that is in no game.
const GHOST: Option<EntityId> = Some(EntityId(u32::MAX));

/// Inputs that no player may give, with every sort of nonsense in them.
pub fn hostile(by: Side) -> Vec<Input> {
    let mut deep = Value::Int(1);
    for _ in 0..100 {
        deep = Value::list([deep]);
    }
    let mut inputs = hostile_acts(by, &deep);
    inputs.extend([
        Input::React {
            by,
            reaction: name("toy.nothing"),
            actor: GHOST,
            params: Value::None,
        },
        Input::React {
            by,
            reaction: name("toy.snap"),
            actor: GHOST,
            params: deep.clone(),
        },
        Input::Answer {
            by,
            question: name("toy.nothing"),
            value: Value::None,
        },
        Input::Answer {
            by,
            question: name("toy.bid"),
            value: Value::Int(-7),
        },
        Input::Answer {
            by,
            question: name("toy.sure"),
            value: deep,
        },
    ]);
    inputs
}

/// Those of them that are actions.
fn hostile_acts(by: Side, deep: &Value) -> Vec<Input> {
    let act = |by, action: &str, actor, params| Input::Act {
        by,
        action: name(action),
        actor,
        params,
    };
    vec![
        act(Side(200), "toy.walk", None, Value::None),
        act(by, "toy.nothing", None, Value::None),
        act(by, "", GHOST, Value::None),
        act(
            by,
            "toy.walk",
            GHOST,
            Value::record([("to", Value::Int(1))]),
        ),
        act(by, "toy.walk", None, Value::Int(3)),
        act(
            by,
            "toy.raid",
            None,
            Value::record([("stranger", Value::Int(1))]),
        ),
        act(
            by,
            "toy.raid",
            None,
            Value::record([("who", Value::Entity(EntityId(77_777)))]),
        ),
        act(by, "toy.raid", None, deep.clone()),
        act(
            by,
            "toy.plan",
            Some(EntityId(0)),
            Value::record([("n", Value::Int(i64::MAX))]),
        ),
    ]
}

/// Refuses an input, which changes nothing; returns the reason.
pub fn refused(play: &mut Play, toy: &Toy, input: &Input) -> String {
    let before = everything(play);
    match play.submit(toy, input) {
        Err(Rejected::Refusal(refusal)) => {
            assert_eq!(
                everything(play),
                before,
                "a refusal of {input:?} changed something"
            );
            assert!(!refusal.reason.is_empty(), "a refusal says why");
            refusal.to_string()
        }
        other => panic!("expected a refusal of {input:?}, found {other:?}"),
    }
}
