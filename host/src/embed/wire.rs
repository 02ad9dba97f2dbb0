//! What goes in and comes out: owned, serializable types, converted by hand
//! from those of the engine, so that no format freezes the inside.
//!
//! A type called `Wire…` is the kernel's of that name as one viewer may know it:
//! [`WireEvent`] an event, [`WireInput`] an input, [`WireEntity`]
//! an entity that is seen. Schemas show them without that word.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EntityRef, Plain};

/// How to start a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// A scenario: its id over all mods, `mod/id`, or the path of a `.ron` file.
    pub scenario: String,
    /// House rules to add: selectors, or whole selector lines.
    pub with: Vec<String>,
    /// Mods, groups or clauses to leave out.
    pub without: Vec<String>,
    /// Options of mods to set, by id.
    pub options: BTreeMap<String, String>,
    /// Another seed than the scenario's.
    pub seed: Option<u64>,
    /// Another number of turns than the scenario's.
    pub turns: Option<u32>,
    /// What plays a side, by side.
    pub bots: BTreeMap<String, BotSort>,
    /// What plays the other sides.
    pub others: Others,
    /// Who may take play back.
    pub undo: UndoPolicy,
    /// A new file to keep a journal in.
    pub journal: Option<PathBuf>,
    /// Whether each line of the journal goes to the disk before play goes on.
    pub durable: bool,
}

/// How a bot decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BotSort {
    /// Any legal thing.
    Random,
    /// What the rules' scores call best.
    Greedy,
}

/// What plays the sides that nothing else is said of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Others {
    /// People.
    #[default]
    People,
    /// The bots that the scenario names, and greedy ones where it names none.
    Scenario,
    /// Bots that do any legal thing.
    Random,
    /// Bots that do what the rules' scores call best.
    Greedy,
}

/// Who may take play back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoPolicy {
    /// An umpire, to any point; the dice stay the same.
    #[default]
    Umpire,
    /// The players, when every side that no bot plays has agreed; all dice
    /// after that are new, so that nobody rewinds to peek at them.
    Agreed,
}

/// What a match is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// The scenario's id.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub text: String,
    /// The mods and clauses in use, in one line that can be given back.
    pub selector: String,
    /// What came along or fell away because of what clauses require.
    pub notes: Vec<String>,
    /// The mods, in order.
    pub mods: Vec<ModAbout>,
    /// The sides, in order.
    pub sides: Vec<SideAbout>,
    /// The table: width and depth in micrometres.
    pub table: [i64; 2],
    /// Whether players measure in centimetres.
    pub metric: bool,
    /// How many turns the game is to last, if it is said.
    pub turns: Option<u32>,
    /// Whether sides may have secrets from each other.
    pub secrets: bool,
    /// Who may take play back.
    pub undo: UndoPolicy,
    /// The version of the engine.
    pub engine: String,
    /// The seed, for the referee alone: who knows it knows the dice to come.
    pub seed: Option<u64>,
    /// Where the journal is kept, if one is.
    pub journal: Option<PathBuf>,
}

/// A mod that takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModAbout {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The hash of what it is made of.
    pub hash: String,
}

/// A side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideAbout {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What plays it; people, if nothing.
    pub bot: Option<BotSort>,
}

/// Where a match stands, as a viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Standing")]
pub struct MatchStatus {
    /// How many decisions of the viewer's own stand; of all, for the referee.
    pub decisions: usize,
    /// The number of the viewer's prompt: another whenever it must decide
    /// something else, and with nothing else.
    pub ask: u32,
    /// The sides that must decide, as far as the viewer plays them; all, for
    /// the referee.
    pub waiting_for: Vec<String>,
    /// Whether the game is over.
    pub over: bool,
    /// How many decisions could be made again after an undo, for the referee.
    pub redoable: usize,
}

/// A decision as a client sends it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The number of the prompt of the side that decides: if another stands by
    /// now, nothing is taken.
    #[serde(default)]
    pub ask: Option<u32>,
    /// A text of the client's own, of at most 64 bytes: what is sent again with
    /// the same key is not taken again.
    #[serde(default)]
    pub key: Option<String>,
    /// The decision.
    pub input: WireInput,
}

/// A decision of a side: the only thing that moves a game on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "input",
    rename_all = "snake_case",
    deny_unknown_fields,
    expecting = "a decision: an object whose member `input` says of which sort it is"
)]
#[schemars(rename = "Input")]
pub enum WireInput {
    /// An action.
    Act {
        /// The side.
        by: String,
        /// The action's id.
        action: String,
        /// Who acts.
        #[serde(default)]
        actor: Option<EntityRef>,
        /// Its parameters.
        #[serde(default)]
        params: BTreeMap<String, Plain>,
    },
    /// A reaction in the window that is open.
    React {
        /// The side.
        by: String,
        /// The reaction's id.
        reaction: String,
        /// Who reacts.
        #[serde(default)]
        actor: Option<EntityRef>,
        /// Its parameters.
        #[serde(default)]
        params: BTreeMap<String, Plain>,
    },
    /// Letting a window go by.
    Decline {
        /// The side.
        by: String,
        /// Also for the rest of this action.
        #[serde(default)]
        standing: bool,
    },
    /// The answer to a question.
    Answer {
        /// The side.
        by: String,
        /// The question's id.
        question: String,
        /// The answer.
        value: Plain,
    },
    /// Letting the go pass.
    Pass {
        /// The side.
        by: String,
    },
    /// Being done with the phase.
    Done {
        /// The side.
        by: String,
    },
    /// Taking the last action of a secret phase back.
    TakeBack {
        /// The side.
        by: String,
    },
}

impl WireInput {
    /// The side that decides.
    pub fn by(&self) -> &str {
        match self {
            WireInput::Act { by, .. }
            | WireInput::React { by, .. }
            | WireInput::Decline { by, .. }
            | WireInput::Answer { by, .. }
            | WireInput::Pass { by }
            | WireInput::Done { by }
            | WireInput::TakeBack { by } => by,
        }
    }
}

/// A decision that stands, in the form that journals write, with what the
/// viewer calls things.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// Its number among the viewer's own, from 1; among all, for the referee.
    pub number: usize,
    /// The side.
    pub by: String,
    /// What was decided.
    pub text: String,
}

/// An attribute of a kind, as its mod declares it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttributeAbout {
    /// What fits in it, as mods write types.
    #[serde(rename = "type")]
    pub ty: String,
    /// One sentence, with its unit.
    pub doc: String,
    /// What it holds when nothing is said.
    pub default: Plain,
    /// Whether it is bookkeeping of the rules, to be shown to who asks for it.
    #[serde(default, skip_serializing_if = "super::following::is_false")]
    pub is_bookkeeping: bool,
}

/// The game as a viewer may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "View")]
pub struct WireView {
    /// Who looks: `referee`, `spectator`, or a side.
    pub viewer: String,
    /// The phases that are open, outermost first.
    pub phases: Vec<PhaseAbout>,
    /// Whose go it is, as far as that is public.
    pub turn: Option<String>,
    /// What the viewer must decide: `act`, `react`, `answer`, `wait`, `over`.
    pub wanted: String,
    /// The entities that the viewer knows of, by its own numbers.
    pub entities: Vec<WireEntity>,
    /// The decks of the game, by id and side.
    pub decks: Vec<WireDeck>,
    /// The result, once the game is over.
    pub result: Plain,
    /// The hash of this view: equal views have equal hashes.
    pub hash: String,
}

/// A phase that is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PhaseAbout {
    /// Its id.
    pub id: String,
    /// What players call it.
    pub title: String,
    /// Which round it is, where it comes again and again, as a turn does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
}

/// An entity as a viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Seen")]
pub struct WireEntity {
    /// The viewer's own number for it.
    pub handle: u32,
    /// Its kind.
    pub kind: String,
    /// Its name, or `#` and the number if the name is hidden.
    pub label: String,
    /// Its attributes, by name; nothing for those hidden.
    pub attributes: BTreeMap<String, Plain>,
    /// The attributes that are hidden from the viewer.
    pub hidden: Vec<String>,
}

/// A deck of cards as a viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SeenDeck")]
pub struct WireDeck {
    /// Its id.
    pub deck: String,
    /// The side whose own it is; nothing if it is the table's.
    pub of: Option<String>,
    /// The cards to be drawn.
    pub stock: WirePile,
    /// The cards laid aside.
    pub discard: WirePile,
}

/// A pile of cards as a viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SeenPile")]
pub struct WirePile {
    /// How many there are; nothing if that is hidden.
    pub size: Option<u32>,
    /// Which ones, the uppermost first; nothing if that is hidden.
    pub cards: Option<Vec<String>>,
}

/// What has happened since a client last looked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct News {
    /// The timeline that the numbers belong to: give it back next time.
    pub timeline: u32,
    /// Events with numbers from here on replace those that the client had;
    /// smaller than it asked for if something was taken back.
    pub from: u32,
    /// The events, in order.
    pub events: Vec<WireEvent>,
    /// The number of the last of these events, or of the last that the client
    /// has: give it back next time.
    pub last: u32,
    /// Whether there are more: ask again.
    pub more: bool,
}

/// How deep into a report an event belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventDepth {
    /// What a player would tell afterwards.
    Story,
    /// A line for each thing that is done.
    Volley,
    /// Every roll.
    Full,
}

impl From<kernel::brief::Depth> for EventDepth {
    fn from(depth: kernel::brief::Depth) -> EventDepth {
        match depth {
            kernel::brief::Depth::Story => EventDepth::Story,
            kernel::brief::Depth::Volley => EventDepth::Volley,
            kernel::brief::Depth::Full => EventDepth::Full,
        }
    }
}

/// Something that happened, as a viewer may know it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Event")]
pub struct WireEvent {
    /// Its number among those that the viewer sees, from 1.
    pub number: u32,
    /// What sort.
    pub kind: String,
    /// The shortest report that tells it.
    pub depth: EventDepth,
    /// How a battle report tells it, in lines; empty for what it leaves out.
    pub text: Vec<String>,
    /// Its fields; nothing for those hidden.
    pub fields: BTreeMap<String, Plain>,
    /// The fields that are hidden from the viewer.
    pub hidden: Vec<String>,
    /// The innermost rule or clause that caused it.
    pub rule: Option<String>,
    /// The first and last draw that it used, numbered for the viewer.
    pub draws: Option<[u32; 2]>,
}

/// What became of a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Taken")]
pub struct Accepted {
    /// Its number among the decisions of the side; among all, for the referee.
    pub decision: usize,
    /// The side that decided.
    pub by: String,
    /// What was decided, in the form that journals write, with what the side
    /// calls things.
    pub text: String,
    /// Whether the game is over.
    pub over: bool,
}

/// What became of a proposal to take play back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "undo", rename_all = "snake_case")]
pub enum Undone {
    /// It is done.
    Done {
        /// How many decisions stand now, of those of whoever asked.
        decisions: usize,
        /// How many of these were taken back.
        taken_back: usize,
        /// How often play between players was taken back: new dice each time.
        epoch: u32,
    },
    /// Others have yet to agree, each by the same proposal.
    Proposed(UndoProposal),
}

/// What a side has asked to take back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "UndoProposal")]
pub struct UndoProposal {
    /// Its number, by which it is agreed to or declined.
    pub number: u32,
    /// The side that asked first.
    pub by: String,
    /// How many decisions of the viewer's own would stand.
    pub decisions: usize,
    /// The sides that have not agreed yet.
    pub waiting_for: Vec<String>,
    /// The decisions that would be taken back, each as the viewer's log tells
    /// it: the first twelve of those of which the viewer was told.
    pub what: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

/// How what a side has asked to take back came to its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProposalEnd {
    /// In which way.
    pub outcome: ProposalOutcome,
    /// Who declined or withdrew it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// In which way a proposal to take play back ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalOutcome {
    /// All have agreed, and it is done.
    Agreed,
    /// A side that had to agree does not.
    Declined,
    /// Who asked does so no longer.
    Withdrawn,
    /// The game has gone on.
    Lapsed,
}

/// A broken mod or file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FaultAbout {
    /// Its code: `F021`.
    pub code: String,
    /// Its short name: `unknown-rule`.
    pub slug: String,
    /// What was expected and what was found.
    pub message: String,
    /// The mod, if it is in one.
    pub module: Option<String>,
    /// The file, within the mod's folder.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The rule that was running.
    pub rule: Option<String>,
    /// The clause that the function carries out in which it happened.
    pub clause: Option<String>,
    /// The rule that called it, if another did.
    pub caller: Option<String>,
    /// How to mend it, if we can guess.
    pub hint: Option<String>,
}

/// Why something was not done. Nothing has changed then, but for the actions
/// that a fault undid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "trouble", rename_all = "snake_case")]
pub enum Trouble {
    /// The rules of the game, or of taking back, do not allow it.
    Refusal {
        /// What was refused; empty where the reason says it.
        what: String,
        /// Why, in words for the player.
        reason: String,
        /// The clause that gives the reason; none where the table does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
    },
    /// Something was named that is not there: a side, a viewer, an entity.
    Unknown {
        /// What was expected and found.
        message: String,
        /// What comes near.
        hint: Option<String>,
    },
    /// Something was left out that must be said.
    Unsaid {
        /// What was expected.
        message: String,
    },
    /// The side must decide something else by now.
    Stale {
        /// The number of the prompt that was decided on.
        expected: u32,
        /// The number of the prompt that stands.
        found: u32,
    },
    /// It is not for whoever asked. Whether there is such a thing is not said.
    Forbidden {},
    /// A rule is broken; what is wrong with it is for the referee.
    Broken {},
    /// Mods or files are broken.
    Faults {
        /// What is broken.
        faults: Vec<FaultAbout>,
        /// How many decisions were undone with the one that hit it.
        undone: u32,
    },
    /// The journal or a save could not be written; nothing was done.
    Unwritten {
        /// Why.
        fault: FaultAbout,
    },
}
