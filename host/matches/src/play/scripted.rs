//! Scripts of scenarios, played out.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::decision::{Choice, Domain, Input, are_hexes};
use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::value::{EntityId, Name, Side, Type, Value};
use rules::data::reader::Datum;
use rules::types::{from_ron, parse_value};

use crate::play::{Match, SubmitError};
use crate::scenario::{Act, ActScript, ScriptedInput, no_side};

/// Plays a script out.
///
/// # Errors
/// The first line that cannot be played, or dice, chits and shuffles that are
/// left over.
pub fn run_script(game: &mut Match, script: &ActScript) -> Result<(), Fault> {
    for act in script {
        take_line(game, act).map_err(|fault| fault.at(act.place.clone()))?;
    }
    let left = game.game().chance().left_over();
    if left.is_empty() {
        return Ok(());
    }
    let message = format!(
        "expected every scripted die, chit and shuffle to be used, found left over: {left}"
    );
    let place = script
        .last()
        .map(|act| act.place.clone())
        .unwrap_or_default();
    Err(Fault::new(FaultCode::ScriptedDice, message).at(place))
}

/// Plays of a script what comes before so many decisions stand, windows that its
/// lines do not mention among them; of dice and chits some may then be left over.
///
/// # Errors
/// The first line that cannot be played.
pub fn run_script_to(game: &mut Match, script: &ActScript, decisions: usize) -> Result<(), Fault> {
    for act in script {
        while game.inputs().len() < decisions && lets_window_go(game, act)? {}
        if game.inputs().len() >= decisions {
            break;
        }
        take_line(game, act).map_err(|fault| fault.at(act.place.clone()))?;
    }
    Ok(())
}

/// Plays one line of a script; windows that it does not mention are let go by.
///
/// # Errors
/// When it cannot be played.
pub fn take_line(game: &mut Match, act: &Act) -> Result<(), Fault> {
    let by = side_of(game, act)?;
    while lets_window_go(game, act)? {}
    match &act.input {
        ScriptedInput::Act {
            id,
            actor,
            args,
            is_reaction,
            refused,
        } => {
            let outcome = input_of(game, by, id, actor.as_ref(), args, *is_reaction);
            check_outcome(game, outcome, refused.as_deref())
        }
        ScriptedInput::Answer { to, value } => {
            let input = answer_of(game, by, to, value)?;
            submit(game, &input)
        }
        ScriptedInput::Decline => submit(
            game,
            &Input::Decline {
                by,
                standing: false,
            },
        ),
        ScriptedInput::Pass => submit(game, &Input::Pass { by }),
        ScriptedInput::Done => submit(game, &Input::Done { by }),
        ScriptedInput::TakeBack => submit(game, &Input::TakeBack { by }),
    }
}

fn side_of(game: &Match, act: &Act) -> Result<Side, Fault> {
    let world = game.game().world();
    world.side(&act.by).ok_or_else(|| {
        no_side(&act.by, world.sides().iter().map(|side| &**side))
            .unwrap_or_else(|| bad(format!("there is no side `{}`", act.by)))
    })
}

/// Lets a window go by that a line does not mention; whether there was one.
fn lets_window_go(game: &mut Match, act: &Act) -> Result<bool, Fault> {
    let is_about_window = matches!(
        act.input,
        ScriptedInput::Decline
            | ScriptedInput::Act {
                is_reaction: true,
                ..
            }
    );
    let by = side_of(game, act)?;
    let Wanted::React { side, .. } = game.wanted() else {
        return Ok(false);
    };
    if is_about_window && side == by {
        return Ok(false);
    }
    let decline = Input::Decline {
        by: side,
        standing: false,
    };
    submit(game, &decline).map(|()| true)
}

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadScenario, message)
}

fn submit(game: &mut Match, input: &Input) -> Result<(), Fault> {
    game.submit(input).map_err(|refused| match refused {
        SubmitError::Refusal(refusal) => bad(format!(
            "expected it to be allowed, found a refusal: {refusal}"
        )),
        SubmitError::Fault { fault, .. } | SubmitError::Unwritten(fault) => fault,
    })
}

fn check_outcome(
    game: &mut Match,
    input: Result<Input, SubmitError>,
    refused: Option<&str>,
) -> Result<(), Fault> {
    let outcome = input.and_then(|input| game.submit(&input));
    match (outcome, refused) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(_)) => Err(bad("expected a refusal, found that it is allowed".into())),
        (Err(SubmitError::Refusal(refusal)), Some(because)) => {
            if refusal.to_string().contains(because) {
                return Ok(());
            }
            Err(bad(format!(
                "expected a refusal because `{because}`, found: {refusal}"
            )))
        }
        (Err(SubmitError::Refusal(refusal)), None) => Err(bad(format!(
            "expected it to be allowed, found a refusal: {refusal}"
        ))),
        (Err(SubmitError::Fault { fault, .. } | SubmitError::Unwritten(fault)), _) => Err(fault),
    }
}

/// The input for an action or reaction, its parameters read by their domains.
///
/// # Errors
/// A refusal when a parameter does not fit, a fault of the rules.
pub fn input_of(
    game: &mut Match,
    by: Side,
    id: &Name,
    actor: Option<&Name>,
    args: &BTreeMap<Name, Datum>,
    is_reaction: bool,
) -> Result<Input, SubmitError> {
    let refuse = |reason: String| SubmitError::Refusal(kernel::error::Refusal::new(&**id, reason));
    let actor = match actor {
        Some(name) => {
            let found = game.game().world().find(name);
            Some(found.ok_or_else(|| refuse(format!("there is no entity `{name}`")))?)
        }
        None => None,
    };
    let mut params: BTreeMap<Name, Value> = BTreeMap::new();
    let fault = |fault: Fault| SubmitError::Fault { fault, undone: 0 };
    // What cannot be taken here at all is for the game to refuse, without a look at what goes with it.
    let mut is_offered = is_taken_here(game, by, id, is_reaction);
    while is_offered && !args.is_empty() {
        let next = game.next_param(by, id, actor, &params).map_err(fault)?;
        let Some((name, _, domain)) = next else { break };
        let Some(datum) = args.get(&name) else { break };
        let value = fit(game.game(), &domain, &datum.value)
            .map_err(|why| refuse(format!("`{name}`: {why}")))?;
        // What is not offered is for the game to refuse, for its own reason.
        is_offered = domain.accepts(&value).is_ok();
        params.insert(name, value);
    }
    if let Some(name) = args
        .keys()
        .find(|name| is_offered && !params.contains_key(*name))
    {
        return Err(refuse(format!("it does not ask for `{name}`")));
    }
    let (params, id) = (Value::Map(Arc::new(params)), id.clone());
    Ok(if is_reaction {
        Input::React {
            by,
            reaction: id,
            actor,
            params,
        }
    } else {
        Input::Act {
            by,
            action: id,
            actor,
            params,
        }
    })
}

/// Whether something can be taken by a side as things stand: a reaction while it is
/// asked for one, an action while it acts.
fn is_taken_here(game: &Match, by: Side, id: &Name, is_reaction: bool) -> bool {
    let book = game.game().book();
    match game.wanted() {
        Wanted::React { side, .. } => is_reaction && side == by && book.reactions.contains_key(id),
        Wanted::Act { sides, .. } => {
            !is_reaction && sides.contains(&by) && book.actions.contains_key(id)
        }
        Wanted::Answer { .. } | Wanted::Over => false,
    }
}

fn answer_of(game: &Match, by: Side, to: &Name, datum: &Datum) -> Result<Input, Fault> {
    let Wanted::Answer { question, .. } = game.wanted() else {
        return Err(bad(format!(
            "expected the question `{to}` to wait, found none"
        )));
    };
    if question.id != *to {
        return Err(bad(format!(
            "expected the question `{to}`, found `{}`",
            question.id
        )));
    }
    let Some((_, domain)) = question.to.iter().find(|(side, _)| *side == by) else {
        let name = |side: &Side| game.game().side_name(*side);
        let asked: Vec<_> = question.to.iter().map(|(side, _)| name(side)).collect();
        let asked = asked.join(" and ");
        return Err(bad(format!(
            "expected an answer of {asked}, of whom `{to}` is asked, found one of {}",
            name(&by)
        )));
    };
    let value = fit(game.game(), domain, &datum.value).map_err(bad)?;
    Ok(Input::Answer {
        by,
        question: to.clone(),
        value,
    })
}

/// A written value as a value of a domain: choices by their label too. An
/// entity may be one that is not offered, as may be a text or a hex where a rule
/// knows why it is not.
///
/// # Errors
/// What was expected.
pub fn fit(game: &Game, domain: &Domain, datum: &ron::Value) -> Result<Value, String> {
    let find = |name: &str| game.world().find(name);
    let typed = |ty: &Type| from_ron(ty, datum, &find).map_err(|mismatch| mismatch.to_string());
    match domain {
        Domain::Choices { of: choices, check } => choice(choices, check.is_some(), datum, &find),
        Domain::Several { of, check, .. } => {
            let ron::Value::Seq(items) = datum else {
                return Err("expected a list".into());
            };
            let one = |item: &ron::Value| choice(of, check.is_some(), item, &find);
            Ok(Value::List(
                items.iter().map(one).collect::<Result<_, _>>()?,
            ))
        }
        Domain::Integer { .. } => typed(&Type::INT),
        Domain::Place { .. } => typed(&Type::Point),
        Domain::Route { .. } => typed(&Type::List(Arc::new(Type::Point))),
    }
}

fn choice(
    choices: &[Choice],
    is_checked: bool,
    datum: &ron::Value,
    find: &dyn Fn(&str) -> Option<EntityId>,
) -> Result<Value, String> {
    let text = match datum {
        ron::Value::String(text) => Some(text.trim_start_matches('@')),
        _ => None,
    };
    if let Some(text) = text {
        let entity = find(text).map(Value::Entity);
        let hex = parse_value(&Type::Hex, text, find).ok();
        let fits = |choice: &&Choice| {
            *choice.label == *text
                || entity.as_ref() == Some(&choice.value)
                || hex.as_ref() == Some(&choice.value)
                || choice.value.as_text() == Some(text)
        };
        if let Some(choice) = choices.iter().find(fits) {
            return Ok(choice.value.clone());
        }
        let are_entities = choices
            .iter()
            .any(|choice| choice.value.as_entity().is_some());
        if let Some(entity) = entity.filter(|_| are_entities) {
            return Ok(entity);
        }
        if let Some(hex) = hex.filter(|_| is_checked && are_hexes(choices)) {
            return Ok(hex);
        }
        if is_checked
            && choices
                .iter()
                .any(|choice| choice.value.as_text().is_some())
        {
            return Ok(Value::text(text));
        }
    }
    let value = from_ron(&Type::Any, datum, find).map_err(|mismatch| mismatch.to_string())?;
    match choices.iter().find(|choice| choice.value == value) {
        Some(choice) => Ok(choice.value.clone()),
        None => {
            let labels: Vec<String> = choices
                .iter()
                .map(|choice| format!("`{}`", choice.label))
                .collect();
            Err(format!("expected one of {}", labels.join(", ")))
        }
    }
}
