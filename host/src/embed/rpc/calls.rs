//! What each method takes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::embed::{BotSort, EntityRef, Input, Past, Plain, Start};

/// The methods and what they take.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "method", content = "params", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Call {
    /// Every scenario that can be started.
    Scenarios {},
    /// Starts a match; the one in play is left.
    Start(Box<Start>),
    /// Loads a save or a journal, by the rules that are kept beside it.
    Load(LoadParams),
    /// Loads a journal and goes on writing it.
    Resume(ResumeParams),
    /// What the match is.
    About(Look),
    /// How many decisions stand, and who must decide.
    Standing {},
    /// What a viewer must decide.
    Prompt(Look),
    /// All that a side might do, allowed or not.
    Legal(OfSide),
    /// The next parameter of an action, with what may be given for it.
    NextParam(NextParamOf),
    /// Takes a decision.
    Submit(Submit),
    /// Lets a bot decide, if one must; null if none must.
    BotTurn {},
    /// Lets bots decide until people must, or the game is over.
    Bots {},
    /// Lets a bot play a side, or people.
    SetBot(SetBot),
    /// The game as a viewer may see it.
    View(Look),
    /// What has happened since a client last looked.
    News(Since),
    /// The decisions that stand.
    Decisions {},
    /// Takes play back.
    Undo(Undo),
    /// Makes the next decision again that was taken back.
    Redo {},
    /// The tree of rules behind an event, numbered for the referee, in a match
    /// that was started with `explain`.
    Why(Why),
    /// Goes on by the mods as they are in their folders now.
    Reload(ReloadTo),
    /// Writes all that was decided into a file.
    Save(File),
    /// The hash of the whole state.
    Hash {},
    /// Tells news and prompts of a viewer from now on.
    Subscribe(Look),
    /// Tells them no more.
    Unsubscribe(Look),
    /// Whether mods that change in their folders are reloaded at once.
    Watch(Watch),
}

/// The names of the methods, as [`Call`] reads them.
pub(super) const METHODS: [&str; 25] = [
    "scenarios",
    "start",
    "load",
    "resume",
    "about",
    "standing",
    "prompt",
    "legal",
    "next_param",
    "submit",
    "bot_turn",
    "bots",
    "set_bot",
    "view",
    "news",
    "decisions",
    "undo",
    "redo",
    "why",
    "reload",
    "save",
    "hash",
    "subscribe",
    "unsubscribe",
    "watch",
];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    /// `referee`, `spectator`, or a side.
    pub viewer: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfSide {
    /// The side.
    pub side: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadParams {
    /// The save or journal.
    pub path: PathBuf,
    /// Stop after so many decisions.
    #[serde(default)]
    pub up_to: Option<usize>,
    /// Whether to note what rules do, so that `why` can tell of what happened before too.
    #[serde(default)]
    pub explain: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResumeParams {
    /// The journal.
    pub path: PathBuf,
    /// Whether each line goes to the disk before play goes on.
    #[serde(default)]
    pub durable: bool,
    /// Whether to note what rules do, so that `why` can tell of what happened before too.
    #[serde(default)]
    pub explain: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NextParamOf {
    /// The side.
    pub side: String,
    /// The action, or the reaction while a window is open.
    pub action: String,
    /// Who acts.
    #[serde(default)]
    pub actor: Option<EntityRef>,
    /// What was given for those before it.
    #[serde(default)]
    pub params: BTreeMap<String, Plain>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Submit {
    /// How many decisions the client knows of: if more stand, nothing is taken.
    #[serde(default)]
    pub after: Option<usize>,
    /// The decision.
    pub input: Input,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetBot {
    /// The side.
    pub side: String,
    /// How the bot decides; people, if it is null.
    #[serde(default)]
    pub bot: Option<BotSort>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    /// `referee`, `spectator`, or a side.
    pub viewer: String,
    /// The timeline of the last news.
    #[serde(default)]
    pub timeline: u32,
    /// The number of the last event that the client has.
    #[serde(default)]
    pub since: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Undo {
    /// A side, or `referee`.
    pub by: String,
    /// How many decisions are to stand; without it, all but the last that
    /// people made.
    #[serde(default)]
    pub keep: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Why {
    /// The event's number for the referee.
    pub event: u32,
    /// Every rule that was called, not only those that decided something.
    #[serde(default)]
    pub whole: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReloadTo {
    /// What becomes of the game so far.
    #[serde(default)]
    pub past: Past,
    /// To whom the difference is told.
    #[serde(default = "referee")]
    pub viewer: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The file.
    pub path: PathBuf,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Watch {
    /// Whether to.
    pub on: bool,
    /// What becomes of the game so far.
    #[serde(default)]
    pub past: Past,
}

fn referee() -> String {
    "referee".into()
}
