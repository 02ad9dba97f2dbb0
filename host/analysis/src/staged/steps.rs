//! The steps of a decision, and those from which an event of it can be shown.

use kernel::chance::Chance;
use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::event::Event;
use kernel::game::Game;
use kernel::sequence::Frame;
use kernel::value::{Name, Value};

use super::script_of;
use crate::moment::Moment;

/// A step from which an event can be shown.
pub(super) struct StagedStep {
    /// The game before it.
    pub game: Game,
    /// The rule.
    pub rule: Name,
    /// Its arguments.
    pub args: Vec<Value>,
    /// The answers to what it asks.
    pub answers: Vec<(Name, Value)>,
    /// What happened from it to the end of the decision.
    pub dealt: Vec<Event>,
}

/// A step that ran.
struct RanStep {
    game: Game,
    rule: Name,
    args: Vec<Value>,
    /// How much lay on the agenda, itself with it.
    depth: usize,
    /// How much had happened before.
    from: usize,
}

/// The steps from which the event of a moment can be shown, the best first: of those that brought it about the
/// innermost in which something fell, then those around it.
pub(super) fn stages(moment: &Moment<'_>, input: usize) -> Option<Vec<StagedStep>> {
    let game = moment.game;
    let span = game.events_before(input)..game.events_before(input + 1);
    let dealt = game.settled_events().get(span.clone())?;
    let place = moment.event.checked_sub(span.start)?;
    let ran = walked(moment, input, dealt, place)?;
    let has_chance = |from: usize| {
        let until = dealt.get(from..=place).unwrap_or_default();
        until
            .iter()
            .any(|event| matches!(&*event.kind, "roll" | "chits"))
    };
    let mut around = around(&ran);
    if around.iter().any(|step| has_chance(ran[*step].from)) {
        around.retain(|step| has_chance(ran[*step].from));
    } else {
        around.reverse();
    }
    let asked = answers(moment, input);
    let stage = |place: usize| {
        let step = &ran[place];
        StagedStep {
            game: step.game.clone(),
            rule: step.rule.clone(),
            args: step.args.clone(),
            answers: if place == 0 {
                asked.clone()
            } else {
                Vec::new()
            },
            dealt: dealt.get(step.from..).unwrap_or_default().to_vec(),
        }
    };
    Some(around.into_iter().map(stage).collect())
}

/// The steps of a decision up to that in which an event happens.
fn walked(
    moment: &Moment<'_>,
    input: usize,
    dealt: &[Event],
    place: usize,
) -> Option<Vec<RanStep>> {
    let rules = moment.game.rulebook();
    let _request = rules.running().request();
    let mut game = moment
        .game
        .game_before(input)
        .apart(Chance::scripted(script_of(dealt)?), None);
    game.begin(&**rules, moment.game.inputs().get(input)?)
        .ok()?;
    let mut happened = game.take_events();
    let mut ran = Vec::new();
    while happened.len() <= place {
        if let Some(Frame::Step { rule, args, .. }) = game.flow().top() {
            let (rule, args) = (rule.clone(), args.to_vec());
            let (depth, from) = (game.agenda_len(), happened.len());
            ran.push(RanStep {
                game: game.clone(),
                rule,
                args,
                depth,
                from,
            });
        }
        let goes_on = game.go_on(&**rules).ok()?;
        happened.extend(game.take_events());
        if !goes_on && happened.len() <= place {
            return None;
        }
    }
    let is_same = happened[place].kind == dealt.get(place)?.kind
        && happened[place].fields == dealt[place].fields;
    (is_same && !ran.is_empty()).then_some(ran)
}

/// The last step and those that led to it, innermost first: what a step pushes lies where it lay, or above.
fn around(ran: &[RanStep]) -> Vec<usize> {
    let mut least = usize::MAX;
    let mut found = Vec::new();
    for (place, step) in ran.iter().enumerate().rev() {
        if step.depth <= least {
            found.push(place);
            least = step.depth;
        }
    }
    found
}

/// The answers to the step that waits for the answer which a decision is.
fn answers(moment: &Moment<'_>, input: usize) -> Vec<(Name, Value)> {
    let game = moment.game;
    let top = game.game_before(input).flow().top().cloned();
    let mut found = Vec::new();
    for place in (0..=input).rev() {
        let before = game.game_before(place);
        let (
            Wanted::Answer { .. },
            Input::Answer {
                question, value, ..
            },
        ) = (before.wanted(), &game.inputs()[place])
        else {
            break;
        };
        if before.flow().top() != top.as_ref() {
            break;
        }
        found.push((question.clone(), value.clone()));
    }
    found.reverse();
    found
}
