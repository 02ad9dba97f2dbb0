//! A scenario up to its first decision, and what falls in it until then, as a case
//! has to say it before it sets the scenario up.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::chance::{Chance, Script, ScriptedOrder, ShufflePosition, uniform};
use kernel::event::Event;
use matches::play::Match;
use matches::scenario::scripted_die;
use matches::workshop::{Found, Overrides, Workshop};

use crate::moment::{rolled, texts};
use crate::staged::quoted;

/// A scenario that has begun.
pub struct ScenarioOpening {
    /// The game at its first decision, as it is in a case that says these lines.
    pub play: Match,
    /// What falls until then, as lines of a case: dice, chits, and how decks come to lie.
    pub lines: Vec<String>,
}

impl ScenarioOpening {
    /// The beginning of a scenario by its own seed; `None` where it does not begin.
    ///
    /// How a deck comes to lie is left open where the game begins with any order of it.
    pub fn of(workshop: &Workshop, found: &Found) -> Option<ScenarioOpening> {
        let seed = found.scenario.seed;
        let orders: Arc<Mutex<BTreeMap<ShufflePosition, ScriptedOrder>>> = Arc::default();
        let notes = orders.clone();
        let chance = Chance::given(move |place, bound| uniform(seed, place, bound));
        let chance = chance.telling_orders(move |place, order| {
            let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
            notes.insert(place, order);
        });
        let play = begun(workshop, found, chance)?;
        let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
        let fallen = Fallen::of(play.settled_events());
        let whole: Vec<ScriptedOrder> = orders.values().cloned().collect();
        let open = vec![ScriptedOrder::default(); whole.len()];
        let scripted = [open, whole].into_iter().find_map(|orders| {
            let chance = Chance::scripted(fallen.script(&orders)?);
            let play = begun(workshop, found, chance)?;
            let lines = fallen.lines(&orders);
            play.game()
                .chance()
                .left_over()
                .is_empty()
                .then_some(ScenarioOpening { play, lines })
        });
        // What falls in a step that is not over when somebody is asked cannot be told.
        Some(scripted.unwrap_or(ScenarioOpening {
            play,
            lines: Vec::new(),
        }))
    }
}

fn begun(workshop: &Workshop, found: &Found, chance: Chance) -> Option<Match> {
    let (chosen, mut setup) = workshop.prepare(found, &Overrides::default()).ok()?;
    setup.game.set_chance(chance);
    Match::start(chosen.rulebook, setup).ok()
}

/// The dice and chits of some events.
struct Fallen {
    dice: Vec<String>,
    chits: Vec<String>,
}

impl Fallen {
    fn of(events: &[Event]) -> Fallen {
        let (mut dice, mut chits) = (Vec::new(), Vec::new());
        for event in events {
            let field = |name: &str| event.field(name).cloned().unwrap_or_default();
            match &*event.kind {
                "roll" => dice.extend(rolled(&field("dice"), &field("faces"))),
                "chits" => chits.extend(texts(&field("chits"))),
                _ => {}
            }
        }
        Fallen { dice, chits }
    }

    fn script(&self, orders: &[ScriptedOrder]) -> Option<Script> {
        let dice: Result<Vec<_>, _> = self.dice.iter().map(|die| scripted_die(die)).collect();
        let chits = self.chits.iter().map(String::as_str);
        Some(Script::new(dice.ok()?, chits).with_orders(orders.iter().cloned()))
    }

    fn lines(&self, orders: &[ScriptedOrder]) -> Vec<String> {
        let line = |call: &str, all: Vec<String>| format!("t:{call} {{ {} }}", all.join(", "));
        let named = [("dice", &self.dice), ("chits", &self.chits)];
        let named = named.into_iter().filter(|(_, all)| !all.is_empty());
        let mut lines: Vec<String> = named
            .map(|(call, all)| line(call, all.iter().map(|one| quoted(one)).collect()))
            .collect();
        lines.extend(orders.iter().map(|order| {
            let cards = order.iter().map(|card| quoted(card)).collect();
            line("shuffle", cards)
        }));
        lines
    }
}
