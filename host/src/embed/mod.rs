//! The façade: a match in play, for whoever builds a front-end.
//!
//! A [`Tabletop`] is started or loaded; it tells who must decide what, what
//! is legal and what has happened; it takes decisions, takes play back, goes
//! on by other rules, and saves. Everything that goes in and comes out is
//! plain, owned and serializable; nothing of the engine shows through, so
//! that the same types serve a program in Rust, a pipe and a socket.
//!
//! ```
//! use houserule::embed::{BotSort, Prompt, Start, Tabletop};
//! # let mods = ["../mods".into(), "../docs/examples".into()];
//! let start = Start {
//!     scenario: "drill/range".into(),
//!     bots: [("red".into(), BotSort::Greedy), ("blue".into(), BotSort::Greedy)].into(),
//!     ..Start::default()
//! };
//! let mut table = Tabletop::start(&mods, &start)?;
//! while table.bot_turn()?.is_some() {}
//! assert!(matches!(table.prompt("spectator")?, Prompt::Over { .. }));
//! # Ok::<(), houserule::embed::Trouble>(())
//! ```
//!
//! What it refuses to know: terminals, sockets, and the rules of any game.
//!
//! Read [`Tabletop`], then the types of [`Start`], [`WireInput`], [`Prompt`],
//! [`LegalMoves`], [`News`] and [`WireView`].

mod acting;
mod asking;
mod catalogue;
mod changes;
mod chart;
mod choosing;
mod convert;
mod difference;
mod following;
mod former;
mod keeping;
mod looking;
mod narration;
mod numbers;
mod odds;
mod outlook;
mod plain;
mod reloading;
pub mod rpc;
mod salvaging;
mod saving;
mod seated;
mod seats;
mod tabletop;
mod undoing;
mod why;
mod wire;

pub use acting::MOST_DECISIONS;
pub use asking::{
    LegalAction, LegalMoves, NextParam, NumberedPrompt, ParamAbout, Prompt, Respondent, WireChoice,
    WireDomain, WireQuestion, WireRegion,
};
pub use catalogue::{
    ArcAbout, Around, Catalogue, DrawingRole, HexLayout, KindAbout, ReachAbout, RingAbout,
};
pub use changes::{Changes, Delta};
pub use choosing::{Choosing, ClauseAbout, ClauseEffect, GroupAbout, ModRules, OptionAbout};
pub use difference::{Difference, EntityDiff};
pub use following::{
    AskChange, Called, Detail, EventDetail, EventLine, Following, PhaseChange, ViewChange,
};
pub use keeping::{CaseRequest, KeptAsCase, KeptTest, TestRequest};
pub use narration::{NarratedEvent, Narration, narrated_to_referee};
pub use odds::{OddsAbout, OddsAnswer, OddsQuestion, OddsSubject, OutcomeAbout};
pub use outlook::Outlook;
pub use plain::{DieShift, EntityRef, Plain};
pub use reloading::{ModsNow, ReloadMode, Reloaded, SetAside};
pub use salvaging::{Lost, Salvage};
pub use saving::Loaded;
pub use seated::Seated;
pub use seats::{Role, Seat, SeatKeys, Seats, secret_seed};
pub use tabletop::Tabletop;
pub use why::WhyAbout;
pub use wire::{
    About, Accepted, AttributeAbout, BotSort, Decision, EventDepth, FaultAbout, MatchStatus,
    ModAbout, News, Others, PhaseAbout, ProposalEnd, ProposalOutcome, SideAbout, Start, Submission,
    Trouble, UndoPolicy, UndoProposal, Undone, WireDeck, WireEntity, WireEvent, WireInput,
    WirePile, WireView,
};
