//! What might be done now in a match: what the rules say of it, and its odds.

use kernel::error::Fault;
use kernel::game::Game;
use kernel::value::{EntityId, Side, Value};

use crate::odds::{By, Distribution, Limits, OddsQuery, Policy, Unanswered, What};
use crate::play::Match;

/// What is asked of a match.
#[derive(Clone, Debug)]
pub struct OddsOf {
    /// What runs.
    pub what: What,
    /// What counts as its outcome.
    pub by: By,
    /// How questions are answered.
    pub policy: Policy,
    /// Only as far as this side may know it.
    pub eyes: Option<Side>,
    /// How far to look.
    pub limits: Limits,
}

impl Match {
    /// The odds of something, from the game as it stands or from a copy of it.
    /// Nothing happens to the match.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn odds(
        &self,
        from: Option<&Game>,
        of: OddsOf,
        stop: &dyn Fn() -> bool,
    ) -> Result<Distribution, Unanswered> {
        let OddsOf {
            what,
            by,
            policy,
            eyes,
            limits,
        } = of;
        let game = from.unwrap_or(self.game());
        let asked = OddsQuery {
            game,
            rules: &**self.rulebook(),
            what,
            by,
            policy,
            eyes,
            limits,
        };
        asked.answer(stop)
    }

    /// What a side should know before it goes on with an action or reaction, with
    /// the parameters that it has given so far; none where the rules say nothing.
    ///
    /// # Errors
    /// When there is no such action, or its rule is broken.
    pub fn outlook(
        &self,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &Value,
    ) -> Result<Value, Fault> {
        let _request = self.rulebook.running().request();
        self.play
            .outlook(&*self.rulebook, side, action, actor, given)
    }
}
