//! What a game waits for, in the words of a case: for who looks for a shot that
//! was never fired, or a move that a window has stopped.

use std::collections::BTreeSet;

use kernel::chance::ChanceError;
use kernel::engine::{Play, Wanted};
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Side};
use rules::rulebook::Rulebook;

/// How many actions are named.
const MOST_NAMED: usize = 4;

/// A fault of a case, with what its game waits for where nothing better is
/// said: an open window or question, or somebody's turn while a script has
/// something left. Whatever went wrong in a step did so before the game waited.
/// Without a game its scenario broke off as it began.
pub(crate) fn with_waiting(
    fault: Fault,
    case: &Place,
    play: Option<&Play>,
    rulebook: &Rulebook,
) -> Fault {
    let is_in_step = match fault.code {
        FaultCode::BadCase => fault.message.starts_with("fault "),
        FaultCode::Script => fault
            .place
            .as_ref()
            .is_some_and(|place| place.file != case.file),
        FaultCode::ScriptedDice => fault.place.as_ref() != Some(case),
        _ => true,
    };
    if fault.hint.is_none() && fault.code == FaultCode::ScriptedDice && is_of_shuffle(&fault) {
        return fault.hint(
            "say before it what it brings to the top, `t:shuffle {}` for any order; before `t:scenario`, where it is shuffled as that begins",
        );
    }
    let Some(play) = play else {
        return match fault.code {
            FaultCode::ScriptedDice if fault.hint.is_none() => fault.hint(
                "what comes up as a scenario begins is said before `t:scenario`: `t:dice { … }`, `t:chits { … }`",
            ),
            _ => fault,
        };
    };
    if fault.hint.is_some() || is_in_step {
        return fault;
    }
    // What a script has left over is told where the case begins.
    let is_of_case = fault.code == FaultCode::BadCase || fault.place.as_ref() == Some(case);
    match waiting(play, rulebook, is_of_case) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

/// Whether a shuffle found no order: most decks are shuffled as a scenario begins.
fn is_of_shuffle(fault: &Fault) -> bool {
    fault.message == ChanceError::NoOrderLeft.to_string()
}

fn waiting(play: &Play, rulebook: &Rulebook, is_of_case: bool) -> Option<String> {
    let game = play.game();
    let name = |side: &Side| game.side_name(*side);
    match game.wanted() {
        Wanted::Over => None,
        Wanted::Answer { sides, question } => {
            let (side, id) = (name(sides.first()?), &question.id);
            Some(format!(
                "the game waits for an answer: `t:give(\"{side}\", \"{id}\", …)`"
            ))
        }
        Wanted::React { side, window, .. } => {
            let side = name(&side);
            Some(format!(
                "the game stands still: {side} may react at `{window}`, and `t:decline(\"{side}\")` lets it go by"
            ))
        }
        Wanted::Act { .. } if !is_of_case || game.chance().left_over().is_empty() => None,
        Wanted::Act { sides, phase } => {
            let side = sides.first()?;
            let name = name(side);
            let can = match actions(play, rulebook, *side)?.as_slice() {
                [] => String::new(),
                actions => format!("may take {}, or ", actions.join(", ")),
            };
            Some(format!(
                "in `{phase}` {name} {can}is done: `t:done(\"{name}\")`"
            ))
        }
    }
}

/// The actions that a side may take now: first those that need nothing said.
fn actions(play: &Play, rulebook: &Rulebook, side: Side) -> Option<Vec<String>> {
    let legal = play.legal(rulebook, side).ok()?;
    let open = legal
        .into_iter()
        .filter(|one| one.refused.is_none())
        .map(|one| one.action);
    let asks = |action: &Name| {
        rulebook
            .book()
            .actions
            .get(action)
            .map_or(0, |action| action.params.len())
    };
    let mut found: Vec<Name> = open.collect::<BTreeSet<_>>().into_iter().collect();
    found.sort_by_key(asks);
    let more = if found.len() > MOST_NAMED {
        Some("…".to_string())
    } else {
        None
    };
    Some(
        found
            .iter()
            .take(MOST_NAMED)
            .map(|action| format!("`{action}`"))
            .chain(more)
            .collect(),
    )
}
