//! Scenarios as they stand when they begin: begun once under a rulebook, for all
//! cases that begin with them.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::chance::{Chance, Script};
use kernel::engine::{Play, Wanted};
use kernel::error::Fault;
use kernel::event::Event;
use kernel::value::Name;

use matches::scenario::{Scenario, set_up, templates_of};
use rules::rulebook::Rulebook;
use rules::types::Unit;
use scripts::LuaHost;

/// The text of a scenario, which is read once for all rulebooks.
pub(crate) struct ScenarioText {
    module: Name,
    path: String,
    text: Arc<str>,
    read: OnceCell<Result<Scenario, Vec<Fault>>>,
}

impl ScenarioText {
    pub fn new(module: &Name, path: &str, text: &Arc<str>) -> ScenarioText {
        ScenarioText {
            module: module.clone(),
            path: path.to_string(),
            text: text.clone(),
            read: OnceCell::new(),
        }
    }

    fn scenario(&self) -> Result<&Scenario, Vec<Fault>> {
        let read = || Scenario::read(&self.module, &self.path, &self.text);
        self.read.get_or_init(read).as_ref().map_err(Vec::clone)
    }
}

/// A scenario that has begun.
#[derive(Clone)]
pub(crate) struct BegunScenario {
    /// The game, which waits for its first decision.
    pub play: Play,
    /// What has happened.
    pub events: Vec<Event>,
    /// Marks of layers, clauses and rows that were reached, where they are noted.
    pub reached: BTreeSet<String>,
    /// In what its lengths are told.
    pub unit: Unit,
}

/// The scenarios that have begun under a rulebook whose tables are as they were,
/// by mod and file, and whether it was noted what they reach.
#[derive(Default)]
pub(crate) struct Openings {
    begun: RefCell<BTreeMap<(Name, String, bool), BegunScenario>>,
}

impl Openings {
    /// A scenario that begins with what is scripted. Where nothing is, its beginning
    /// draws nothing, and comes to the same each time. A machine that is given notes
    /// what is reached: what it had noted before goes to `apart`, as does what a
    /// beginning reached that broke off.
    ///
    /// # Errors
    /// What is wrong with the scenario, or in its beginning.
    pub fn begin(
        &self,
        rulebook: &Rulebook,
        scenario: &ScenarioText,
        script: Script,
        noting: Option<&LuaHost>,
        apart: &mut BTreeSet<String>,
    ) -> Result<BegunScenario, Vec<Fault>> {
        if script != Script::default() {
            return begun(rulebook, scenario, script, noting, apart);
        }
        let key = (
            scenario.module.clone(),
            scenario.path.clone(),
            noting.is_some(),
        );
        if let Some(known) = self.begun.borrow().get(&key) {
            return Ok(known.clone());
        }
        let opening = begun(rulebook, scenario, script, noting, apart)?;
        self.begun.borrow_mut().insert(key, opening.clone());
        Ok(opening)
    }
}

fn begun(
    rulebook: &Rulebook,
    text: &ScenarioText,
    script: Script,
    noting: Option<&LuaHost>,
    apart: &mut BTreeSet<String>,
) -> Result<BegunScenario, Vec<Fault>> {
    let scenario = text.scenario()?;
    let mut game = set_up(scenario, rulebook, scenario.seed, None)?.game;
    game.set_chance(Chance::scripted(script));
    if noting.is_some() {
        game.watch_audiences();
    }
    apart.extend(taken(noting));
    let play = Play::start(game, rulebook);
    let mut reached = taken(noting);
    if noting.is_some() {
        let placed = templates_of(scenario, rulebook);
        reached.extend(placed.iter().map(ToString::to_string));
    }
    let mut play = match play {
        Ok(play) => play,
        Err(fault) => {
            apart.append(&mut reached);
            return Err(vec![fault]);
        }
    };
    let events = play.take_events();
    if matches!(play.wanted(), Wanted::Answer { .. }) {
        // While a question is open cases look whether something was written.
        play.keep_digests();
    }
    Ok(BegunScenario {
        play,
        events,
        reached,
        unit: scenario.unit(),
    })
}

/// The marks of what was reached so far; what is reached from now on is noted anew.
fn taken(noting: Option<&LuaHost>) -> BTreeSet<String> {
    let marks = noting.and_then(|host| {
        let reached = host.stop_tracing().ok()?;
        host.start_tracing().ok()?;
        Some(reached)
    });
    marks.unwrap_or_default()
}
