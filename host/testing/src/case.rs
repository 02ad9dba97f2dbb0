//! One case: a function of a test file, run over a scenario with scripted
//! dice, chits and shuffles.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};

use kernel::audience::Widening;
use kernel::digest::StateHash;
use kernel::engine::{Play, Prospect};
use kernel::error::{Fault, FaultCode, Place};
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::Name;
use mlua::Function;

use crate::library::{case_table, test_module};
use crate::openings::{Openings, ScenarioText};
use matches::workshop::Workshop;
use rules::rulebook::Rulebook;
use rules::types::Unit;
use scripts::LuaHost;
use scripts::vm::fault_of;

/// A case as its file lists it.
#[derive(Clone)]
pub(crate) struct Case {
    /// What it says of itself.
    pub head: CaseHead,
    /// What it does.
    pub function: Function,
}

/// What a case says of itself.
#[derive(Clone, Debug)]
pub(crate) struct CaseHead {
    /// Its title.
    pub title: String,
    /// The clauses that it shows.
    pub cites: Vec<Name>,
    /// Selectors beside the default.
    pub with: Vec<String>,
    /// Selectors of what is left out.
    pub without: Vec<String>,
    /// Options that it sets.
    pub options: Vec<(Name, String)>,
    /// What it sets up for the table of prohibitions, if anything.
    pub situation: Option<Situation>,
    /// Where it is written.
    pub place: Place,
}

/// Who is in what state: a column of the table of prohibitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Situation {
    /// Who, the title of a table.
    pub of: String,
    /// In what state, the title of a column.
    pub state: String,
}

/// Something that a case asked whether it may be done.
#[derive(Clone, Debug)]
pub(crate) struct TestedOffer {
    /// The action or reaction.
    pub action: Name,
    /// What players call it.
    pub title: Name,
    /// Who would do it.
    pub actor: Option<Name>,
    /// Why not.
    pub refused: Option<Name>,
    /// The clause behind that.
    pub clause: Option<Name>,
}

impl TestedOffer {
    /// With the name of who would do it.
    pub fn new(prospect: Prospect, game: &Game) -> TestedOffer {
        let legal = prospect.legal;
        TestedOffer {
            action: legal.action,
            title: legal.title,
            actor: legal.actor.map(|actor| game.world().name(actor)),
            refused: legal.refused,
            clause: prospect.clause,
        }
    }
}

/// What came of a case.
#[derive(Debug)]
pub(crate) struct CaseRun {
    /// What went wrong, if anything.
    pub fault: Option<Fault>,
    /// Marks of layers, clauses and rows that it reached.
    pub reached: BTreeSet<String>,
    /// Kinds of the events that happened.
    pub event_kinds: BTreeSet<Name>,
    /// Kinds of the entities that there were.
    pub kinds: BTreeSet<Name>,
    /// What was told to more than may see what it rests on.
    pub widenings: BTreeSet<Widening>,
    /// What the case asked whether it may be done.
    pub offers: Vec<TestedOffer>,
    /// What has happened, in order.
    pub events: Vec<Event>,
    /// The game as it was left, if there was one.
    pub play: Option<Play>,
}

/// What somebody wants to know of a case beside whether it passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CaseNotes {
    /// What it reaches, and what is told too widely; each answer that is kept is
    /// held against what its rule gives.
    All,
    /// Nothing: whoever runs a case again knows that already.
    Nothing,
}

/// The scenarios that a case may name, by id.
pub(crate) type ScenarioTexts = BTreeMap<String, Rc<ScenarioText>>;

/// What the functions of a case work on.
pub(crate) struct CaseContext {
    /// The scenarios.
    pub scenarios: Rc<ScenarioTexts>,
    /// Those that have begun.
    pub openings: Rc<Openings>,
    /// What is noted.
    pub notes: CaseNotes,
    /// The rules. What a case holds lies in their machine: if it held the rules
    /// in turn, neither would ever be freed.
    pub rulebook: Weak<Rulebook>,
    /// The game and its script.
    pub state: RefCell<CaseState>,
}

impl CaseContext {
    /// The rules.
    ///
    /// # Errors
    /// When the case is over.
    pub fn rulebook(&self) -> mlua::Result<Rc<Rulebook>> {
        self.rulebook
            .upgrade()
            .ok_or_else(|| mlua::Error::runtime("the case is over"))
    }
}

/// The game of a case; it is lent to the machine while the case runs.
#[derive(Default)]
pub(crate) struct CaseState {
    /// The game in play.
    pub play: Option<Play>,
    /// What has happened.
    pub events: Vec<Event>,
    /// The state in which a question is open, as it was when it was asked.
    pub asked: Option<StateHash>,
    /// Marks of what was reached, but for those that the machine holds yet.
    pub reached: BTreeSet<String>,
    /// What was told too widely in games that were set aside for another.
    pub widenings: BTreeSet<Widening>,
    /// What the case asked whether it may be done.
    pub offers: Vec<TestedOffer>,
    /// In what lengths are told.
    pub unit: Unit,
}

impl CaseState {
    /// Keeps what was told too widely in the game, which goes away.
    pub fn keep_widenings(&mut self) {
        if let Some(play) = &self.play {
            self.widenings.extend(play.game().widenings().cloned());
        }
    }
}

/// The cases of a test file under a rulebook.
///
/// # Errors
/// When the file does not load.
pub(crate) fn cases_of(
    workshop: &Workshop,
    rulebook: &Rc<Rulebook>,
    module: &Name,
    path: &str,
) -> Result<Vec<Case>, Fault> {
    let host = lua_host(rulebook)?;
    let listed: Rc<RefCell<Vec<Case>>> = Rc::default();
    let table = test_module(host, &listed).map_err(|error| fault_of(&error))?;
    host.add_module("test", table)
        .map_err(|error| fault_of(&error))?;
    if let Some(sources) = workshop.sources().get(module) {
        for (file, text) in sources.under("tests") {
            host.add_file(module, file, text, false);
        }
    }
    host.run_file(module, path)?;
    Ok(listed.take())
}

/// The machine for scripts of a rulebook: cases are written in Luau.
///
/// # Errors
/// When it has another one.
fn lua_host(rulebook: &Rulebook) -> Result<&LuaHost, Fault> {
    LuaHost::of(rulebook.host()).ok_or_else(|| {
        Fault::new(
            FaultCode::BadCase,
            "expected a machine for cases in Luau, found another",
        )
    })
}

/// Runs one case.
pub(crate) fn run_case(
    rulebook: &Rc<Rulebook>,
    scenarios: &Rc<ScenarioTexts>,
    openings: &Rc<Openings>,
    case: &Case,
    notes: CaseNotes,
) -> CaseRun {
    let host = lua_host(rulebook).ok();
    let tracing = host
        .filter(|_| notes == CaseNotes::All)
        .filter(|host| host.start_tracing().is_ok());
    let context = Rc::new(CaseContext {
        scenarios: scenarios.clone(),
        openings: openings.clone(),
        notes,
        rulebook: Rc::downgrade(rulebook),
        state: RefCell::default(),
    });
    let fault = run_function(rulebook, case, &context).err();
    let reached = tracing.and_then(|host| host.stop_tracing().ok());
    let mut state = context.state.borrow_mut();
    let mut reached = reached.unwrap_or_default();
    reached.append(&mut state.reached);
    let mut kinds = BTreeSet::new();
    if let Some(play) = &mut state.play {
        let events = play.take_events();
        let world = play.game().world();
        kinds.extend(
            world
                .all()
                .filter_map(|entity| world.kind(entity).ok())
                .map(|kind| kind.id.clone()),
        );
        state.events.extend(events);
    }
    for event in &state.events {
        let id = ["pot", "deck", "phase"]
            .into_iter()
            .find_map(|field| event.field(field));
        kinds.extend(id.and_then(|id| id.as_text()).map(Name::from));
    }
    state.keep_widenings();
    let widenings = std::mem::take(&mut state.widenings);
    let event_kinds = state
        .events
        .iter()
        .map(|event| event.kind.clone())
        .collect();
    let fault = fault.map(|fault| fault.at(case.head.place.clone()));
    let (events, play) = (std::mem::take(&mut state.events), state.play.take());
    let offers = std::mem::take(&mut state.offers);
    CaseRun {
        fault,
        reached,
        event_kinds,
        kinds,
        widenings,
        offers,
        events,
        play,
    }
}

fn run_function(
    rulebook: &Rc<Rulebook>,
    case: &Case,
    context: &Rc<CaseContext>,
) -> Result<(), Fault> {
    let host = lua_host(rulebook)?;
    let table = case_table(host, context).map_err(|error| fault_of(&error))?;
    let outcome = host.run_case(&case.function, table);
    let mut state = context.state.borrow_mut();
    let Some(play) = &mut state.play else {
        return outcome;
    };
    host.swap_game(play.game_mut());
    outcome?;
    check_left(play)
}

/// A case must use every scripted die, chit and shuffle, and every answer.
fn check_left(play: &Play) -> Result<(), Fault> {
    let left = play.game().chance().left_over();
    if !left.is_empty() {
        return Err(Fault::new(
            FaultCode::ScriptedDice,
            format!(
                "expected every scripted die, chit and shuffle to be used, found left over: {left}"
            ),
        ));
    }
    match play.game().queued_answers().next() {
        None => Ok(()),
        Some((question, _)) => Err(Fault::new(
            FaultCode::BadCase,
            format!("expected every answer at hand to be used, found one left to `{question}`"),
        )),
    }
}

/// The scenarios that a case of a mod may name: its own before others.
pub(crate) fn scenarios_of(workshop: &Workshop, module: &Name) -> ScenarioTexts {
    let mut found = ScenarioTexts::new();
    for (owner, sources) in workshop.sources() {
        for (path, text) in sources.under("scenarios") {
            let id = path
                .rsplit('/')
                .next()
                .unwrap_or(path)
                .trim_end_matches(".ron")
                .to_string();
            let entry = Rc::new(ScenarioText::new(owner, path, text));
            found.insert(format!("{owner}/{id}"), entry.clone());
            if owner == module || !found.contains_key(&id) {
                found.insert(id, entry);
            }
        }
    }
    found
}
