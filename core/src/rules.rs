//! The one trait through which the kernel asks for anything: a composed
//! rulebook that can be called.

use crate::error::Fault;
use crate::game::Game;
use crate::value::{Name, Value};

/// Why a rule did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It asked a question that is not answered yet; the game holds it.
    Asked,
    /// Something is broken.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// A rulebook that can be called.
pub trait Rules {
    /// Calls a rule over a game. What it may do there is set in the game's
    /// guard ([`crate::game::Guard`]); the game refuses everything else.
    ///
    /// # Errors
    /// [`Stop::Asked`] when it waits for an answer, a fault when it is broken.
    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop>;

    /// What all calls so far have cost, in the unit of whoever runs them; nothing where
    /// nobody counts. What a call costs follows from the game and the rules alone.
    fn spent(&self) -> u64 {
        0
    }

    /// The clause that gave the reason for which a rule that only reads said
    /// no: that of the innermost function that said so, or its rule where it
    /// carries out no clause. Asked once for what was refused, in the game in
    /// which the rule said so.
    fn clause_of(
        &self,
        game: &mut Game,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Name> {
        let _ = (game, rule, args, reason);
        None
    }
}
