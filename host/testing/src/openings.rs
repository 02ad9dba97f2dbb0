//! Scenarios as they stand when they begin: begun once under a rulebook, for all
//! cases that begin with them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kernel::chance::{Chance, Script};
use kernel::engine::Play;
use kernel::error::Fault;
use kernel::event::Event;
use kernel::value::Name;

use crate::case::{CaseContext, CaseNotes, ScenarioText};
use matches::scenario::{Scenario, set_up};
use rules::rulebook::Rulebook;
use scripts::LuaHost;

/// A scenario that has begun.
#[derive(Clone)]
pub(crate) struct Opening {
    /// The game, which waits for its first decision.
    pub play: Play,
    /// What has happened.
    pub events: Vec<Event>,
    /// Marks of layers, clauses and rows that were reached, where they are noted.
    pub reached: BTreeSet<String>,
}

/// The scenarios that have begun under a rulebook whose tables are as they were,
/// by mod and file, and whether it was noted what they reach.
#[derive(Default)]
pub(crate) struct Openings {
    begun: RefCell<BTreeMap<(Name, String, bool), Opening>>,
}

impl Openings {
    /// A scenario that begins with what is scripted. Where nothing is, its beginning
    /// draws nothing, and comes to the same each time.
    ///
    /// # Errors
    /// What is wrong with the scenario, or in its beginning.
    pub fn begin(
        &self,
        rulebook: &Rulebook,
        context: &CaseContext,
        scenario: &ScenarioText,
        script: Script,
    ) -> Result<Opening, Vec<Fault>> {
        let (module, path, _) = scenario;
        let is_noted = context.notes == CaseNotes::All;
        if script != Script::default() {
            return begun(rulebook, context, scenario, script);
        }
        let key = (module.clone(), path.clone(), is_noted);
        if let Some(known) = self.begun.borrow().get(&key) {
            return Ok(known.clone());
        }
        let opening = begun(rulebook, context, scenario, script)?;
        self.begun.borrow_mut().insert(key, opening.clone());
        Ok(opening)
    }
}

fn begun(
    rulebook: &Rulebook,
    context: &CaseContext,
    (module, path, text): &ScenarioText,
    script: Script,
) -> Result<Opening, Vec<Fault>> {
    let scenario = Scenario::read(module, path, text)?;
    let mut game = set_up(&scenario, rulebook, scenario.seed, None)?.game;
    game.set_chance(Chance::scripted(script));
    if context.notes == CaseNotes::All {
        game.watch_audiences();
    }
    let (play, reached) = apart(rulebook, context, || Play::start(game, rulebook));
    let mut play = play.map_err(|fault| vec![fault])?;
    Ok(Opening {
        events: play.take_events(),
        play,
        reached,
    })
}

/// Does something, and tells what it reaches apart from what the case has reached
/// so far, where that is noted.
fn apart<T>(
    rulebook: &Rulebook,
    context: &CaseContext,
    work: impl FnOnce() -> T,
) -> (T, BTreeSet<String>) {
    let host = LuaHost::of(rulebook.host()).filter(|_| context.notes == CaseNotes::All);
    let taken = || {
        let host = host?;
        let reached = host.stop_tracing().ok()?;
        host.start_tracing().ok()?;
        Some(reached)
    };
    let before = taken().unwrap_or_default();
    context.state.borrow_mut().reached.extend(before);
    let outcome = work();
    (outcome, taken().unwrap_or_default())
}
