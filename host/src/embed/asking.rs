//! What a side is asked, and what it might do: prompts, questions, domains,
//! actions.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EntityRef, Plain, WireInput};

/// What a viewer must decide.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "prompt", rename_all = "snake_case")]
pub enum Prompt {
    /// Act, pass, or be done: see what is legal.
    Act {
        /// The sides that may.
        sides: Vec<String>,
        /// The phase.
        phase: String,
        /// What players call it.
        title: String,
    },
    /// React in a window, or let it go by.
    React {
        /// The side.
        side: String,
        /// The window.
        window: String,
        /// What players call the moment.
        title: String,
        /// The moment as a player would say it: the title, with what the viewer may know of it.
        text: String,
        /// What it carries, as far as the viewer may know it.
        about: BTreeMap<String, Plain>,
    },
    /// Answer a question.
    Answer {
        /// The question.
        question: WireQuestion,
    },
    /// Nothing: somebody else decides.
    Wait,
    /// Nothing: the game is over.
    Over {
        /// Its result.
        result: Plain,
    },
}

/// What a viewer must decide, with the number by which it is told from what
/// the viewer must decide at another time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Asking")]
pub struct NumberedPrompt {
    /// The number: it changes with this prompt, and with nothing else.
    pub ask: u32,
    /// What must be decided.
    #[serde(flatten)]
    pub prompt: Prompt,
}

/// A question of the rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Question")]
pub struct WireQuestion {
    /// Its id, with which the answer comes.
    pub id: String,
    /// The question, a full sentence.
    pub text: String,
    /// Whether the others may not know of it.
    pub secret: bool,
    /// What it is about.
    pub about: Vec<Plain>,
    /// Who has yet to answer, and what may be answered.
    pub asked: Vec<Respondent>,
}

/// One side's part of a question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Asked")]
pub struct Respondent {
    /// The side.
    pub side: String,
    /// What may be answered.
    pub domain: WireDomain,
}

/// What may be answered, or given for a parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "domain", rename_all = "snake_case")]
#[schemars(rename = "Domain")]
pub enum WireDomain {
    /// One of these: its value, or its label as a text.
    Choices {
        /// The choices.
        choices: Vec<WireChoice>,
    },
    /// A list of some of these, each at most once.
    Several {
        /// The choices.
        choices: Vec<WireChoice>,
        /// At least so many.
        min: u32,
        /// At most so many.
        max: u32,
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A point in any of these regions.
    Place {
        /// The regions.
        regions: Vec<WireRegion>,
        /// Points that the rules suggest, in micrometres.
        candidates: Vec<[i64; 2]>,
        /// Whether a rule has the last word on what lies in the regions.
        checked: bool,
    },
    /// A path: a list of points, walked in order.
    Route {
        /// Where it starts, in micrometres.
        from: [i64; 2],
        /// How many points at most.
        legs: u32,
        /// Paths that the rules suggest.
        candidates: Vec<Vec<[i64; 2]>>,
        /// Whether a rule has the last word.
        checked: bool,
    },
}

impl WireDomain {
    /// The first value that the rules offer or suggest: a choice, the smallest
    /// number, a point. `None` where they suggest nothing.
    pub fn first(&self) -> Option<Plain> {
        let point = |point: &[i64; 2]| Plain::Point { point: *point };
        match self {
            WireDomain::Choices { choices } => choices.first().map(|choice| choice.value.clone()),
            WireDomain::Several { choices, min, .. } => {
                let some = choices.iter().take(*min as usize);
                Some(Plain::List(
                    some.map(|choice| choice.value.clone()).collect(),
                ))
            }
            WireDomain::Integer { min, .. } => Some(Plain::Int(*min)),
            WireDomain::Place { candidates, .. } => candidates.first().map(point),
            WireDomain::Route { candidates, .. } => candidates
                .first()
                .map(|path| Plain::List(path.iter().map(point).collect())),
        }
    }
}

/// One thing to choose.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Choice")]
pub struct WireChoice {
    /// What is answered.
    pub value: Plain,
    /// What the player reads.
    pub label: String,
}

/// A region of the table, its edge included; in micrometres.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Region")]
pub enum WireRegion {
    /// Everything within a distance of a point.
    Disc {
        /// The middle.
        centre: [i64; 2],
        /// The distance.
        radius: i64,
    },
    /// A rectangle.
    Rectangle {
        /// The lower left corner.
        min: [i64; 2],
        /// The upper right corner.
        max: [i64; 2],
    },
}

/// All that a side might do now.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Legal")]
pub struct LegalMoves {
    /// Actions in a phase, or reactions in a window; also those that are not
    /// allowed, with the reason.
    pub actions: Vec<LegalAction>,
    /// Why the side may not let its go pass; nothing if it may.
    pub pass_refused: Option<String>,
    /// Why the side may not say that it is done; nothing if it may.
    pub done_refused: Option<String>,
    /// Whether the side may let a window go by.
    pub decline: bool,
    /// Whether the side may take its last action of a secret phase back.
    pub take_back: bool,
}

/// An action or reaction that a side might take.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Action")]
pub struct LegalAction {
    /// The id of the action or reaction.
    pub id: String,
    /// What players call it.
    pub title: String,
    /// The one who would act, if somebody in particular does.
    pub actor: Option<Plain>,
    /// Why it is not allowed; nothing if it is.
    pub refused: Option<String>,
    /// The parameters that may be asked for, in order.
    pub params: Vec<ParamAbout>,
}

impl LegalAction {
    /// The one who would act, to be named in an input.
    pub fn actor_ref(&self) -> Option<EntityRef> {
        match &self.actor {
            Some(Plain::Entity { entity, label }) => Some(EntityRef::Seen {
                entity: *entity,
                label: label.clone(),
            }),
            _ => None,
        }
    }
}

impl LegalMoves {
    /// The input that takes one of these: an action, or a reaction while
    /// a window is open.
    pub fn input(
        &self,
        by: &str,
        action: &LegalAction,
        params: BTreeMap<String, Plain>,
    ) -> WireInput {
        let (by, id, actor) = (by.to_string(), action.id.clone(), action.actor_ref());
        match self.decline {
            true => WireInput::React {
                by,
                reaction: id,
                actor,
                params,
            },
            false => WireInput::Act {
                by,
                action: id,
                actor,
                params,
            },
        }
    }
}

/// A parameter of an action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ParamAbout {
    /// Its name.
    pub name: String,
    /// What the player is asked.
    pub title: String,
    /// What fits, as mods write types.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A parameter that comes next, with what may be given for it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NextParam {
    /// Its name.
    pub name: String,
    /// What the player is asked.
    pub title: String,
    /// What may be given.
    pub domain: WireDomain,
}
