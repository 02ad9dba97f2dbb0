//! Scripts: what is done in a scenario, with the dice, chits and shuffles that
//! come up.
//!
//! Windows that a script does not mention are let go by. Dice and chits are
//! used from left to right over the whole script, all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Book;
use kernel::chance::{Chance, Script, ScriptedDie, ScriptedOrder};
use kernel::chits::Composition;
use kernel::error::{Fault, FaultCode, Place};
use kernel::game::Game;
use kernel::value::Name;
use kernel::world::{closest, is_exchanged};
use serde::Deserialize;

use crate::scenario::read::{Scenario, ScenarioReading};
use rules::data::reader::{Datum, Entries, RawRon};

/// What one line of a script does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptedInput {
    /// An action, or (`is_reaction`) a reaction.
    Act {
        /// Its id.
        id: Name,
        /// Who does it.
        actor: Option<Name>,
        /// Its parameters.
        args: BTreeMap<Name, Datum>,
        /// Whether it is a reaction.
        is_reaction: bool,
        /// A part of the reason for which it must be refused.
        refused: Option<String>,
    },
    /// An answer to a question.
    Answer {
        /// The question.
        to: Name,
        /// The answer.
        value: Datum,
    },
    /// Letting a window go by.
    Decline,
    /// Letting the go pass.
    Pass,
    /// Being done.
    Done,
    /// Taking back.
    TakeBack,
}

/// One line of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// The side.
    pub by: Name,
    /// What it does.
    pub input: ScriptedInput,
    /// Dice that come up.
    pub dice: Vec<ScriptedDie>,
    /// Chits that come up.
    pub chits: Vec<Name>,
    /// What shuffles bring to the top, the uppermost card first.
    pub shuffles: Vec<ScriptedOrder>,
    /// Where it is written.
    pub place: Place,
}

/// A whole script.
pub type ActScript = [Act];

#[derive(Deserialize)]
enum RawAct<'a> {
    #[serde(borrow)]
    Act(RawInput<'a>),
    React(RawInput<'a>),
    Refused(RawInput<'a>),
    Answer(RawAnswer<'a>),
    Decline(RawBy),
    Pass(RawBy),
    Done(RawBy),
    TakeBack(RawBy),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInput<'a> {
    by: String,
    #[serde(alias = "reaction")]
    action: String,
    #[serde(default)]
    actor: Option<String>,
    #[serde(default, borrow)]
    args: Entries<'a>,
    #[serde(default)]
    dice: Vec<String>,
    #[serde(default)]
    chits: Vec<String>,
    #[serde(default)]
    shuffles: Vec<Vec<String>>,
    #[serde(default)]
    because: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer<'a> {
    by: String,
    to: String,
    #[serde(borrow, alias = "choice")]
    value: RawRon<'a>,
    #[serde(default)]
    dice: Vec<String>,
    #[serde(default)]
    chits: Vec<String>,
    #[serde(default)]
    shuffles: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBy {
    by: String,
    #[serde(default)]
    dice: Vec<String>,
    #[serde(default)]
    chits: Vec<String>,
    #[serde(default)]
    shuffles: Vec<Vec<String>>,
}

/// Dice, chits and shuffles, as written.
type RawChance = (Vec<String>, Vec<String>, Vec<Vec<String>>);

/// Reads one line of a script.
pub(super) fn read_act<'a>(
    piece: &RawRon<'a>,
    reading: &mut ScenarioReading<'a, '_>,
) -> Option<Act> {
    let raw: Result<RawAct<'a>, Fault> = reading.reader.part(piece);
    let raw = reading.keep(raw)?;
    let place = reading.reader.place(piece);
    let (by, input, (dice, chits, shuffles)) = match raw {
        RawAct::Act(raw) => scripted_action(raw, false, false, &place, reading),
        RawAct::React(raw) => scripted_action(raw, true, false, &place, reading),
        RawAct::Refused(raw) => scripted_action(raw, false, true, &place, reading),
        RawAct::Answer(raw) => {
            let value = reading.reader.datum(raw.value);
            let value = reading.keep(value)?;
            (
                raw.by,
                ScriptedInput::Answer {
                    to: Arc::from(raw.to),
                    value,
                },
                (raw.dice, raw.chits, raw.shuffles),
            )
        }
        RawAct::Decline(raw) => (
            raw.by,
            ScriptedInput::Decline,
            (raw.dice, raw.chits, raw.shuffles),
        ),
        RawAct::Pass(raw) => (
            raw.by,
            ScriptedInput::Pass,
            (raw.dice, raw.chits, raw.shuffles),
        ),
        RawAct::Done(raw) => (
            raw.by,
            ScriptedInput::Done,
            (raw.dice, raw.chits, raw.shuffles),
        ),
        RawAct::TakeBack(raw) => (
            raw.by,
            ScriptedInput::TakeBack,
            (raw.dice, raw.chits, raw.shuffles),
        ),
    };
    let mut faces = Vec::new();
    for text in &dice {
        match scripted_die(text) {
            Ok(die) => faces.push(die),
            Err(message) => reading.bad(place.clone(), message),
        }
    }
    let chits = chits.into_iter().map(Arc::from).collect();
    let order = |cards: Vec<String>| cards.into_iter().map(Arc::from).collect();
    let shuffles = shuffles.into_iter().map(order).collect();
    Some(Act {
        by: Arc::from(by),
        input,
        dice: faces,
        chits,
        shuffles,
        place,
    })
}

fn scripted_action<'a>(
    raw: RawInput<'a>,
    is_reaction: bool,
    is_refused: bool,
    place: &Place,
    reading: &mut ScenarioReading<'a, '_>,
) -> (String, ScriptedInput, RawChance) {
    let args = reading.values(raw.args, place);
    let refused = is_refused.then(|| raw.because.unwrap_or_default());
    let input = ScriptedInput::Act {
        id: Arc::from(raw.action),
        actor: raw.actor.map(Arc::from),
        args,
        is_reaction,
        refused,
    };
    (raw.by, input, (raw.dice, raw.chits, raw.shuffles))
}

/// A scripted die from text: `d8=5`, or `5` for whatever die is rolled.
///
/// # Errors
/// What was expected.
pub fn scripted_die(text: &str) -> Result<ScriptedDie, String> {
    let wrong = || format!("expected a die such as `d8=5` or `5`, found `{text}`");
    match text.split_once('=') {
        Some((die, face)) => {
            let sides: u32 = die
                .trim()
                .strip_prefix('d')
                .and_then(|sides| sides.parse().ok())
                .ok_or_else(wrong)?;
            let face: u32 = face.trim().parse().map_err(|_| wrong())?;
            if face == 0 || face > sides {
                return Err(format!("a d{sides} never shows {face}"));
            }
            Ok(ScriptedDie::of(sides, face))
        }
        None => match text.trim().parse() {
            Ok(0) | Err(_) => Err(wrong()),
            Ok(face) => Ok(ScriptedDie::any(face)),
        },
    }
}

/// What the script of a scenario names that is neither there as it begins nor in the
/// rules it is played by.
pub fn unknown_in(scenario: &Scenario, game: &Game) -> Vec<Fault> {
    let (mut faults, book) = (Vec::new(), game.book());
    for act in &scenario.script {
        let sides = scenario.sides.iter().map(|side| &*side.id);
        faults.extend(no_side(&act.by, sides).map(|fault| fault.at(act.place.clone())));
        faults.extend(unknown_draws(act, book));
        let ScriptedInput::Act {
            id,
            actor,
            args,
            is_reaction,
            ..
        } = &act.input
        else {
            continue;
        };
        let actor = actor.as_deref().and_then(|name| misspelt(name, game));
        faults.extend(actor.map(|fault| fault.at(act.place.clone())));
        let found = if *is_reaction {
            book.reaction(id)
        } else {
            book.action(id)
        };
        let params = match found {
            Ok(action) => &action.params,
            Err(fault) => {
                faults.push(fault.at(act.place.clone()));
                continue;
            }
        };
        for name in args
            .keys()
            .filter(|name| params.iter().all(|param| param.name != **name))
        {
            let message = format!("`{id}` has no parameter `{name}`");
            let fault = Fault::new(FaultCode::UnknownAction, message).at(act.place.clone());
            faults.push(
                match closest(name, params.iter().map(|param| &*param.name)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                },
            );
        }
    }
    faults
}

/// That something is not there that is called like something that is but for the order
/// of its letters. Of any other name nobody knows whether it is made in play.
fn misspelt(name: &str, game: &Game) -> Option<Fault> {
    let world = game.world();
    if world.find(name).is_some() {
        return None;
    }
    let mut names = world.all().map(|entity| world.name(entity));
    let near = names.find(|other| is_exchanged(name, other))?;
    let message = format!("nothing that is set up here is called `{name}`");
    let fault = Fault::new(FaultCode::NoSuchEntity, message);
    Some(fault.hint(format!("did you mean `{near}`?")))
}

/// That there is no side of that name.
pub(crate) fn no_side<'s>(
    name: &str,
    sides: impl Iterator<Item = &'s str> + Clone,
) -> Option<Fault> {
    if sides.clone().any(|side| side == name) {
        return None;
    }
    let message = format!("there is no side `{name}`");
    let fault = Fault::new(FaultCode::BadScenario, message);
    Some(match closest(name, sides) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    })
}

/// Chits and cards that come up, and that no pot and no deck holds.
fn unknown_draws(act: &Act, book: &Book) -> Vec<Fault> {
    let of_pots = || book.pots.values().flat_map(Composition::entries);
    let of_decks = || book.decks.values().flat_map(|deck| deck.cards().entries());
    let fault = |name: &str, what: &str, known: Vec<&str>| {
        let fault = Fault::new(FaultCode::BadPot, format!("no {what} `{name}`"));
        let fault = match closest(name, known.into_iter()) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        };
        fault.at(act.place.clone())
    };
    let is_in = |name: &str, all: &[&str]| all.contains(&name);
    let chits: Vec<&str> = of_pots().map(|(chit, _)| chit).collect();
    let cards: Vec<&str> = of_decks().map(|(card, _)| card).collect();
    let of_chits = act.chits.iter().filter(|chit| !is_in(chit, &chits));
    let mut faults: Vec<Fault> = of_chits
        .map(|chit| fault(chit, "pot holds a chit", chits.clone()))
        .collect();
    let shuffled = act.shuffles.iter().flat_map(|order| order.iter());
    let of_cards = shuffled.filter(|card| !is_in(card, &cards));
    faults.extend(of_cards.map(|card| fault(card, "deck holds a card", cards.clone())));
    faults
}

/// The chance of a script: its dice, chits and shuffles in order; `None` if it
/// has none.
pub fn chance_of(script: &ActScript) -> Option<Chance> {
    let dice: Vec<ScriptedDie> = script.iter().flat_map(|act| act.dice.clone()).collect();
    let chits: Vec<Name> = script.iter().flat_map(|act| act.chits.clone()).collect();
    let shuffles: Vec<ScriptedOrder> = script.iter().flat_map(|act| act.shuffles.clone()).collect();
    if dice.is_empty() && chits.is_empty() && shuffles.is_empty() {
        return None;
    }
    Some(Chance::scripted(
        Script::new(dice, chits).with_orders(shuffles),
    ))
}
