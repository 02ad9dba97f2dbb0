//! The declared part of a composed rulebook: phases, actions, windows,
//! reactions, pots, decks, kinds. Plain data; the rules themselves are behind
//! [`crate::rules::Rules`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::audience::Share;
use crate::brief::Brief;
use crate::chits::Composition;
use crate::deck::DeckKind;
use crate::error::{Fault, FaultCode};
use crate::value::{Field, Name, Type, owner_of};
use crate::world::{FirstViewers, Kind, Schema, closest};

/// How the acting sides of a phase take turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// One side after another; each acts until it is done.
    OneAfterAnother,
    /// Sides take turns, one action each; a side with nothing to do is
    /// skipped, one that is done takes no further part.
    Alternating,
    /// All at once, in secret; what they did shows when all are ready.
    Secret,
    /// Only the side named in the phase's data under `side`.
    Given,
}

/// What a phase is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PhaseBody {
    /// Its phases, in order.
    Sequence(Vec<Name>),
    /// Its phases, in order, again and again until a rule says so.
    Loop {
        /// The phases.
        phases: Vec<Name>,
        /// The rule that ends it, asked before each round: a bool.
        until: Option<Name>,
    },
    /// A step that no player starts.
    Automatic {
        /// The rule.
        rule: Name,
    },
    /// Players act.
    Acts(Acts),
}

impl PhaseBody {
    /// The phases that it is made of, in order.
    pub fn phases(&self) -> &[Name] {
        match self {
            PhaseBody::Sequence(phases) | PhaseBody::Loop { phases, .. } => phases,
            PhaseBody::Automatic { .. } | PhaseBody::Acts(_) => &[],
        }
    }
}

/// A phase in which players act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acts {
    /// Who acts when.
    pub order: Order,
    /// The rule that names the side that starts; the first side if none.
    pub first: Option<Name>,
    /// The rule that tells whether a side may pass; without it nobody may.
    pub may_pass: Option<Name>,
    /// The rule that tells whether a side may say that it is done.
    pub may_end: Option<Name>,
    /// The rule that ends the phase at once: a bool, asked before each go.
    pub until: Option<Name>,
    /// Whether a side that can do nothing is done without being asked.
    pub ends_when_idle: bool,
    /// The phase ends when each side that is not done has let its go pass so many
    /// times, with nothing done between; 1 or more. Without it passing ends no
    /// phase. Only in alternating phases sides pass.
    pub ends_after_passes: Option<u32>,
}

/// One phase of the sequence of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: Name,
    /// What it is made of.
    pub body: PhaseBody,
    /// Whether its beginning is worth an event.
    pub is_announced: bool,
    /// The mod that declared it.
    pub module: Name,
}

/// A parameter of an action or reaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// What the player is asked.
    pub title: Name,
    /// What fits in it.
    pub ty: Type,
    /// The rule that gives its domain.
    pub domain: Name,
    /// To whom its value is told; without it, to those who may see all that
    /// its domain rests on.
    pub share: Option<Share>,
    /// What its value gives away of what others may not see.
    pub reveals: Option<Name>,
}

/// Something that a player may do: an action in a phase, or a reaction in a
/// window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: Name,
    /// The phases (or the one window) in which it can be taken.
    pub at: Vec<Name>,
    /// The kind of the one who acts, if somebody does.
    pub actor: Option<Name>,
    /// The rule that lists those who might do it now; without it everybody of
    /// the kind might.
    pub listed: Option<Name>,
    /// Its parameters, asked for in this order.
    pub params: Vec<Param>,
    /// The rule that tells whether it is allowed: a verdict.
    pub allowed: Option<Name>,
    /// The rule that does it.
    pub perform: Name,
    /// The rule that tells a greedy bot what it is worth.
    pub score: Option<Name>,
    /// The rule that says what a player should know before it is done.
    pub outlook: Option<Name>,
    /// Whether the side may not end the phase while it can be taken.
    pub is_compulsory: bool,
    /// Whether its own events tell it, so that a report need not.
    pub is_narrated: bool,
    /// Who learns what is done, of those who know of the one who does it; the
    /// others learn only that its side does something. Everybody without it.
    pub share: Option<Share>,
    /// The mod that declared it.
    pub module: Name,
}

/// In which order sides are asked in a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskOrder {
    /// The sides after the acting one, then the acting one.
    OthersFirst,
    /// The acting side, then the others.
    ActingFirst,
    /// Only the sides other than the acting one.
    OthersOnly,
}

/// A point at which others may react.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its id.
    pub id: Name,
    /// What players call the moment.
    pub title: Name,
    /// How it reads when it opens: the title, with parts in brackets that are told where all is known that they
    /// name in braces.
    pub text: Name,
    /// What it carries.
    pub carries: Arc<[Field]>,
    /// Who is asked first.
    pub order: AskOrder,
    /// Whether every side is asked, even one that can do nothing, so that
    /// the question itself tells nothing.
    pub is_uniform: bool,
    /// The mod that declared it.
    pub module: Name,
}

/// A declared event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventKind {
    /// Its id.
    pub id: Name,
    /// Its fields.
    pub fields: Arc<[Field]>,
    /// How it reads in a report: `{field}` stands for a field.
    pub text: Name,
    /// The heading it goes under, one word: `roll`, `damage`.
    pub heading: Name,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
    /// How it reads where not everything is told.
    pub brief: Brief,
    /// The mod that declared it.
    pub module: Name,
}

/// All that the composed mods declare.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Kinds of entities.
    pub schema: Arc<Schema>,
    /// Phases, by id.
    pub phases: BTreeMap<Name, Phase>,
    /// The phase that is the whole game.
    pub root: Option<Name>,
    /// Actions, by id.
    pub actions: BTreeMap<Name, Action>,
    /// Reactions, by id.
    pub reactions: BTreeMap<Name, Action>,
    /// Windows, by id.
    pub windows: BTreeMap<Name, Window>,
    /// Events, by id.
    pub events: BTreeMap<Name, EventKind>,
    /// Pots of chits, by id.
    pub pots: BTreeMap<Name, Composition>,
    /// Decks of cards, by id.
    pub decks: BTreeMap<Name, DeckKind>,
    /// What people call pots and decks, by id; those without a title are not there.
    pub titles: BTreeMap<Name, Name>,
    /// Steps that rules may push, with their arguments, by rule id.
    pub steps: BTreeMap<Name, Arc<[Field]>>,
}

impl Book {
    /// Whether there is something that not everybody sees at first: of entities, in a
    /// phase in which sides decide in secret, or of what is done.
    pub fn has_secrets(&self) -> bool {
        let is_secret = |phase: &Phase| matches!(&phase.body, PhaseBody::Acts(acts) if acts.order == Order::Secret);
        let mut actions = self.actions.values().chain(self.reactions.values());
        !self.schema.kinds().iter().all(is_open)
            || self.phases.values().any(is_secret)
            || actions.any(is_kept_back)
    }

    /// The phase of that id.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn phase(&self, id: &str) -> Result<&Phase, Fault> {
        find(&self.phases, id, FaultCode::UnknownPhase, "phase")
    }

    /// The action of that id.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn action(&self, id: &str) -> Result<&Action, Fault> {
        find(&self.actions, id, FaultCode::UnknownAction, "action")
    }

    /// The reaction of that id.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn reaction(&self, id: &str) -> Result<&Action, Fault> {
        find(&self.reactions, id, FaultCode::UnknownAction, "reaction")
    }

    /// The window of that id.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn window(&self, id: &str) -> Result<&Window, Fault> {
        find(&self.windows, id, FaultCode::UnknownWindow, "window")
    }

    /// The event of that id.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn event(&self, id: &str) -> Result<&EventKind, Fault> {
        find(&self.events, id, FaultCode::UnknownEvent, "event")
    }

    /// Actions that can be taken in a phase, by id.
    pub fn actions_in<'a>(&'a self, phase: &'a str) -> impl Iterator<Item = &'a Action> {
        self.actions
            .values()
            .filter(move |action| action.at.iter().any(|at| &**at == phase))
    }

    /// Reactions to a window, by id.
    pub fn reactions_at<'a>(&'a self, window: &'a str) -> impl Iterator<Item = &'a Action> {
        self.reactions
            .values()
            .filter(move |action| action.at.iter().any(|at| &**at == window))
    }
}

/// Whether all see of entities of a kind at first that they are there, how they are
/// called, and all that they have.
fn is_open(kind: &Kind) -> bool {
    let mut attributes = kind.attributes.iter().map(|attribute| attribute.viewers);
    let is_for_all = |viewers| viewers == FirstViewers::All;
    is_for_all(kind.existence) && is_for_all(kind.naming) && attributes.all(is_for_all)
}

/// Whether of an action, or of what was chosen in it, not all are told who know of the
/// one who does it.
fn is_kept_back(action: &Action) -> bool {
    let shares = action.params.iter().map(|param| param.share);
    let mut declared = shares.chain([action.share]).flatten();
    declared.any(|share| share != Share::All)
}

/// Some of the names that the same mod declares.
fn nearby<'a>(id: &str, names: impl Iterator<Item = &'a Name>) -> Vec<String> {
    let of_mod = names.filter(|name| owner_of(name) == owner_of(id));
    of_mod.take(8).map(|name| format!("`{name}`")).collect()
}

/// Finds something by id, or says what comes nearest.
fn find<'a, T>(
    map: &'a BTreeMap<Name, T>,
    id: &str,
    code: FaultCode,
    word: &str,
) -> Result<&'a T, Fault> {
    map.get(id).ok_or_else(|| {
        let fault = Fault::new(code, format!("no mod declares the {word} `{id}`"));
        match closest(id, map.keys().map(|key| &**key)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => match nearby(id, map.keys()) {
                some if some.is_empty() => fault,
                some => fault.hint(format!("there are {}", some.join(", "))),
            },
        }
    })
}
