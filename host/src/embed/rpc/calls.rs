//! The methods: what each takes, and whose role it is.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::embed::{
    BotSort, CaseRequest, Choosing, Detail, EntityRef, OddsQuestion, Plain, ReloadMode, Role, Seat,
    Start, Submission, TestRequest,
};

/// Declares the methods. A method without a role does not compile.
macro_rules! methods {
    ($($(#[doc = $doc:literal])* $role:ident $name:literal $variant:ident $params:tt)*) => {
        /// The methods and what they take.
        #[derive(Deserialize, JsonSchema)]
        #[serde(tag = "method", content = "params", deny_unknown_fields, rename = "Call")]
        pub(super) enum RpcCall {
            $($(#[doc = $doc])* #[serde(rename = $name)] $variant $params,)*
        }

        /// The name of each method, and the role that it takes.
        pub(super) const METHODS: &[(&str, Role)] = &[$(($name, Role::$role)),*];

        impl RpcCall {
            /// The name of the method.
            pub fn name(&self) -> &'static str {
                match self {
                    $(RpcCall::$variant { .. } => $name,)*
                }
            }

            /// The role that the method takes.
            pub fn role(&self) -> Role {
                match self {
                    $(RpcCall::$variant { .. } => Role::$role,)*
                }
            }
        }
    };
}

methods! {
    /// Takes the seat that a token opens; without a token, tells which seat is
    /// held.
    Public "hello" Hello(Hello)

    /// What the match is.
    Seat "about" About(Look)
    /// How many decisions stand, and who must decide.
    Seat "standing" Standing(Look)
    /// What a viewer must decide.
    Seat "prompt" Prompt(Look)
    /// The words and shapes of the match: they change only with its mods.
    Seat "catalogue" Catalogue(Look)
    /// All that a side might do, allowed or not; or what one actor might, or
    /// what is allowed.
    Seat "legal" Legal(LegalOf)
    /// The next parameter of an action, with what may be given for it.
    Seat "next_param" NextParam(NextParamOf)
    /// What a side should know of an action with the parameters given so far:
    /// notes, warnings, and the chance; null where the rules say nothing.
    Seat "outlook" Outlook(NextParamOf)
    /// The odds of an action, as far as a viewer may know them.
    Seat "odds" Odds(OddsAs)
    /// Takes a decision.
    Seat "submit" Submit(Submission)
    /// The game as a viewer may see it, or as it might have after one of its
    /// events.
    Seat "view" View(LookBack)
    /// What the rules draw around a piece: rings, arcs, areas.
    Seat "chart" Chart(PieceOf)
    /// What has happened since a client last looked.
    Seat "news" News(NewsParams)
    /// The decisions of a viewer's own; all, for the referee.
    Seat "decisions" Decisions(Look)
    /// Why an event came about, by the viewer's own number.
    Seat "why" Why(WhyParams)
    /// The clauses and options of the match, each with its sentence.
    Seat "rules" Rules {}
    /// Takes play back, or asks the others to, or agrees to what they ask.
    Seat "undo" Undo(UndoParams)
    /// Declines what another side has asked to take back, or withdraws what this
    /// one has.
    Seat "decline_undo" DeclineUndo(DeclineUndoParams)
    /// Tells news and prompts of a viewer from now on.
    Seat "subscribe" Subscribe(Look)
    /// Tells them no more.
    Seat "unsubscribe" Unsubscribe(Look)
    /// Tells all that a viewer may know from now on: first all of it, or what
    /// was missed, then changes.
    Seat "follow" Follow(Follow)
    /// Tells them no more.
    Seat "unfollow" Unfollow(Look)

    /// Makes the next decision again that was taken back.
    Referee "redo" Redo {}
    /// Lets a bot decide, if one must; null if none must.
    Referee "bot_turn" BotTurn {}
    /// Lets bots decide until people must, or the game is over.
    Referee "bots" Bots {}
    /// Lets a bot play a side, or people.
    Referee "set_bot" SetBot(SetBot)
    /// Goes on by the mods as they are in their folders now.
    Referee "reload" Reload(ReloadTo)
    /// Goes on by other clauses and options.
    Referee "choose" Choose(Choosing)
    /// All that was decided so far as a test: a scenario with a script.
    Referee "as_test" AsTest(TestRequest)
    /// What came about in one step as a test: a case that sets that step up.
    Referee "as_case" AsCase(CaseRequest)
    /// Another match that goes on from a moment of this one, beside it.
    Referee "branch" Branch(LookBack)
    /// The hash of the whole state.
    Referee "hash" Hash {}
    /// The seats that were given, by their numbers.
    Referee "seats" Seats {}
    /// Takes a seat away from whoever has its token.
    Referee "revoke_seat" RevokeSeat(SeatNumber)

    /// Every scenario that can be started.
    Host "scenarios" Scenarios {}
    /// Starts a match; the one in play is left.
    Host "start" Start(Box<Start>)
    /// Loads a save or a journal, by the rules that are kept beside it.
    Host "load" Load(LoadParams)
    /// Loads a journal and goes on writing it.
    Host "resume" Resume(ResumeParams)
    /// Writes all that was decided into a file.
    Host "save" Save(SaveParams)
    /// Whether mods that change in their folders are reloaded at once.
    Host "watch" Watch(WatchParams)
    /// Gives a seat away: its number, and the token that opens it.
    Host "give_seat" GiveSeat(Seat)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    /// The version of the messages that the client speaks; another than the
    /// server's is refused.
    #[serde(default)]
    pub protocol: Option<u32>,
    /// What the host gave.
    #[serde(default)]
    pub token: Option<String>,
    /// With it, the client follows from now on, as by `follow`, and is given
    /// the catalogue: the last change that it has, or null if it has none.
    #[serde(default, deserialize_with = "crate::embed::following::some")]
    #[expect(
        clippy::option_option,
        reason = "null says that the client has nothing yet"
    )]
    pub have: Option<Option<Have>>,
    /// How much changes tell of what has happened, if it follows.
    #[serde(default)]
    pub events: Detail,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LookBack {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// The number of an event of the viewer's: the game as it was after the
    /// decision that told it; 0 for how it began. As it is now, if it is left
    /// out.
    #[serde(default)]
    pub at: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceOf {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// The piece.
    pub piece: EntityRef,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Follow {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// The last change that the client has, after a line that broke.
    #[serde(default)]
    pub have: Option<Have>,
    /// How much changes tell of what has happened.
    #[serde(default)]
    pub events: Detail,
}

/// The last change that a client has.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Have {
    /// The game, as the change named it.
    pub game: String,
    /// The number of the change.
    pub seq: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LegalOf {
    /// The side; the seat's only one, if it is left out.
    #[serde(default)]
    pub side: Option<String>,
    /// Only what this one might do.
    #[serde(default)]
    pub actor: Option<EntityRef>,
    /// Only what is allowed.
    #[serde(default)]
    pub allowed: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadParams {
    /// The save or journal.
    pub path: PathBuf,
    /// Stop after so many decisions.
    #[serde(default)]
    pub up_to: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResumeParams {
    /// The journal.
    pub path: PathBuf,
    /// Whether each line goes to the disk before play goes on.
    #[serde(default)]
    pub durable: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NextParamOf {
    /// The side; the seat's only one, if it is left out.
    #[serde(default)]
    pub side: Option<String>,
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
pub(super) struct OddsAs {
    /// `referee`, or the side that would act; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// What is asked.
    pub of: OddsQuestion,
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
#[serde(deny_unknown_fields, rename = "Since")]
pub(super) struct NewsParams {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// The timeline of the last news.
    #[serde(default)]
    pub timeline: u32,
    /// The number of the last event that the client has.
    #[serde(default)]
    pub since: u32,
    /// How many events to give at most.
    #[serde(default)]
    pub limit: Option<NonZeroU32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Undo")]
pub(super) struct UndoParams {
    /// A side, or `referee`; whose the seat is, if it is left out.
    #[serde(default)]
    pub by: Option<String>,
    /// How many decisions of whoever asks are to stand; without it, all but
    /// the last: for the referee the last that people made.
    #[serde(default)]
    pub keep: Option<usize>,
    /// Agrees to what was asked under this number, and to nothing else; not
    /// together with `keep`.
    #[serde(default)]
    pub number: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "DeclineUndo")]
pub(super) struct DeclineUndoParams {
    /// A side; whose the seat is, if it is left out.
    #[serde(default)]
    pub by: Option<String>,
    /// The number of what was asked; whatever is asked now, if it is left out.
    #[serde(default)]
    pub number: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Why")]
pub(super) struct WhyParams {
    /// `referee`, `spectator`, or a side; the seat's only one, if it is left out.
    #[serde(default)]
    pub viewer: Option<String>,
    /// The event's number for the viewer.
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
    pub past: ReloadMode,
    /// To whom the difference is told.
    #[serde(default)]
    pub viewer: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "File")]
pub(super) struct SaveParams {
    /// The file.
    pub path: PathBuf,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Watch")]
pub(super) struct WatchParams {
    /// Whether to.
    pub on: bool,
    /// What becomes of the game so far.
    #[serde(default)]
    pub past: ReloadMode,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatNumber {
    /// The number of the seat.
    pub number: u32,
}
