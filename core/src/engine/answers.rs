//! What rules that only read have told, kept until something changes.
//!
//! What is legal is asked many times between two decisions: by whoever lists
//! it, by a bot that looks at what it might choose, by the check of what was
//! chosen. The rules are the same and so is the game, so the answer is.
//!
//! Everything that may change a game forgets what was kept, and an input
//! begins with nothing, so that what was asked before it cannot change what
//! it costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::error::Fault;
use crate::game::Game;
use crate::rules::Rules;
use crate::value::{EntityId, Name, Side, Value};
use crate::world::Viewer;

/// More answers than this are not kept.
const MOST_ANSWERS: usize = 16_384;

/// A rule, in whose eyes it looks, and what it was given.
type Asked = (Viewer, Name, Vec<Value>);

/// The next stamp that no state of any game has had.
static NEXT: AtomicU64 = AtomicU64::new(1);

fn next_stamp() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Answers of rules to what was asked since the last change.
#[derive(Debug)]
pub(crate) struct Answers {
    stamp: u64,
    told: FxHashMap<Asked, Value>,
    /// The entities that a side owns, by kind.
    owned: FxHashMap<(Side, u16), Arc<[EntityId]>>,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers { stamp: next_stamp(), told: FxHashMap::default(), owned: FxHashMap::default() }
    }
}

/// A copy of a game is played on its own, with answers of its own.
impl Clone for Answers {
    fn clone(&self) -> Answers {
        Answers::default()
    }
}

impl Answers {
    /// Forgets all of them: something changes.
    pub fn forget(&mut self) {
        self.stamp = next_stamp();
        if !self.told.is_empty() {
            self.told.clear();
        }
        if !self.owned.is_empty() {
            self.owned.clear();
        }
    }
}

/// Two dice of as many sides count as equal whatever shifted them, but a rule
/// may tell the one from the other.
fn holds_die(value: &Value) -> bool {
    match value {
        Value::Die(_) => true,
        Value::List(items) => items.iter().any(holds_die),
        Value::Map(map) => map.values().any(holds_die),
        _ => false,
    }
}

impl Game {
    /// A number that stands for the game as it is now: another one after each
    /// change, and one that no other game has. It is for those who keep what
    /// they have found out about a game; it means nothing, and is neither part
    /// of the state nor the same in another run.
    pub fn stamp(&self) -> u64 {
        self.answers.stamp
    }

    /// Forgets what rules have told: something changes.
    pub(crate) fn forget_answers(&mut self) {
        self.answers.forget();
    }

    /// What a rule tells that only reads: asked once until something changes.
    pub(crate) fn told(
        &mut self,
        rules: &dyn Rules,
        viewer: Viewer,
        rule: &Name,
        args: Vec<Value>,
    ) -> Result<Value, Fault> {
        if args.iter().any(holds_die) {
            return self.reads(rules, viewer, rule, &args);
        }
        let asked = (viewer, rule.clone(), args);
        if let Some(answer) = self.answers.told.get(&asked) {
            return Ok(answer.clone());
        }
        let answer = self.reads(rules, viewer, rule, &asked.2)?;
        if self.answers.told.len() < MOST_ANSWERS {
            self.answers.told.insert(asked, answer.clone());
        }
        Ok(answer)
    }

    /// The entities of a kind that a side owns, and knows that it owns, in the
    /// order of [`Game::known_of_kind`].
    pub(crate) fn owned(&mut self, side: Side, kind: u16) -> Arc<[EntityId]> {
        if let Some(owned) = self.answers.owned.get(&(side, kind)) {
            return owned.clone();
        }
        let viewer = Viewer::Side(side);
        let known = self.known_of_kind(viewer, kind);
        let owned: Arc<[EntityId]> =
            known.into_iter().filter(|entity| self.owns_openly(viewer, side, *entity)).collect();
        self.answers.owned.insert((side, kind), owned.clone());
        owned
    }

    fn owns_openly(&self, viewer: Viewer, side: Side, entity: EntityId) -> bool {
        self.world.owner(entity) == Some(side)
            && self.world.viewers(entity, crate::world::SIDE).is_ok_and(|viewers| viewers.contains(viewer))
    }
}
