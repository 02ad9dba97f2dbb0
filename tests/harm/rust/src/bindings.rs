//! What the rules of `harm` can name. Written by `houserule types harm --lang rust`.
#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

mod known {
    pub use houserule_guest::prelude::*;
    pub use houserule_guest::{
        Angle, Clause, Direction, Length, Path, Setting, kind, table,
    };
    pub use std::collections::BTreeMap;
    pub use super::words::*;
    pub use super::both::kinds::*;
    pub use super::harm::kinds::*;
}

/// Words of which one holds.
pub mod words {
    use super::known::*;
    #[words]
    pub enum Mood {
        Calm,
        Angry,
    }
    #[words]
    pub enum Ground {
        Open,
        Wood,
        Lake,
    }
}

/// Both languages.
pub mod both {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::both::clauses as both;
        pub use crate::bindings::harm::clauses as harm;
        pub mod play {
            use crate::bindings::known::*;
            /// What is always on
            pub const CORE: Clause = Clause::new("both.play.core");
            /// A wrap that adds one
            pub const LUCK: Clause = Clause::new("both.play.luck");
            /// Off at first
            pub const NIGHT: Clause = Clause::new("both.play.night");
        }
    }
    pub mod decks {
        pub mod play {
            use crate::bindings::known::*;
            pub const DECK: &str = "both.play.deck";
        }
    }
    pub mod events {
        use crate::bindings::known::*;
        /// {text}.
        #[event("both.play.noted")]
        pub struct PlayNoted<'t> {
            pub text: &'t str,
        }
        /// {piece} strikes {target}: {fallen} fall.
        #[event("both.play.struck")]
        pub struct PlayStruck<'t> {
            pub piece: Entity,
            pub target: Entity,
            pub fallen: i64,
            pub why: &'t str,
        }
    }
    pub mod kinds {
        use crate::bindings::known::*;
        /// The kind `both.piece`.
        #[kind("both.piece")]
        pub struct Piece {
            at: Option<Point>,
            hex: Hex,
            men: i64,
            reach: Length,
            facing: Direction,
            die: Die,
            mood: Mood,
            notes: Vec<String>,
            plan: Option<PiecePlan>,
            target: Option<Piece>,
            secret: i64,
            has_acted: bool,
        }
        #[fields]
        pub struct PiecePlan {
            pub to: Option<Hex>,
            pub how: Option<String>,
        }
    }
    pub mod options {
        pub mod play {
            use crate::bindings::known::*;
            /// Most.
            pub const MOST: Setting<i64> = Setting::new("both.play.most");
        }
    }
    pub mod play {
        use crate::bindings::known::*;
        #[record("both.play.outcome")]
        pub struct Outcome {
            pub hit: bool,
            pub fallen: i64,
            pub chit: Option<String>,
        }
        #[window("both.play.aimed")]
        pub struct Aimed {
            pub piece: Piece,
            pub target: Piece,
        }
        /// both.play.dawn.
        pub mod dawn {
            pub const ID: &str = "both.play.dawn";
        }
        /// both.play.cockcrow.
        pub mod cockcrow {
            pub const ID: &str = "both.play.cockcrow";
        }
        /// both.play.council.
        pub mod council {
            pub const ID: &str = "both.play.council";
        }
        /// Game.
        pub mod game {
            pub const ID: &str = "both.play.game";
        }
        /// Turn.
        pub mod turn {
            pub const ID: &str = "both.play.turn";
        }
        /// both.play.extra.
        pub mod extra {
            pub const ID: &str = "both.play.extra";
        }
        /// both.play.dusk.
        pub mod dusk {
            pub const ID: &str = "both.play.dusk";
        }
        /// both.play.start.
        pub mod start {
            pub const ID: &str = "both.play.start";
        }
        /// Runs `both.play.cockcrow`.
        #[rule("both.play.cockcrow.run")]
        pub fn cockcrow_run(game: &Acts);
        /// both.play.settled.
        #[rule("both.play.settled")]
        pub fn settled(game: &Reads, data: &Value) -> bool;
        /// both.play.mighty.
        #[rule("both.play.mighty")]
        pub fn mighty(game: &Reads, side: &str) -> Vec<Piece>;
        /// both.play.short.
        #[rule("both.play.short")]
        pub fn short(game: &Reads, most: i64, way: Path) -> Verdict;
        /// What can be chosen as `where` of `both.play.parley`.
        #[rule("both.play.parley.where")]
        pub fn parley_where(game: &Reads, actor: Piece, params: &Record) -> Value;
        /// What can be chosen as `way` of `both.play.parley`.
        #[rule("both.play.parley.way")]
        pub fn parley_way(game: &Reads, actor: Piece, params: &Record) -> Value;
        /// Does `both.play.parley`.
        #[rule("both.play.parley.perform")]
        pub fn parley_perform(game: &Acts, actor: Piece, params: &Record);
        /// Does `both.play.speak`.
        #[rule("both.play.speak.perform")]
        pub fn speak_perform(game: &Acts, actor: &str, params: &Record);
        /// Runs `both.play.dusk`.
        #[rule("both.play.dusk.run")]
        pub fn dusk_run(game: &Acts);
        /// Runs `both.play.start`.
        #[rule("both.play.start.run")]
        pub fn start_run(game: &Acts);
        /// both.play.over.
        #[rule("both.play.over")]
        pub fn over(game: &Reads) -> bool;
        /// both.play.first.
        #[rule("both.play.first")]
        pub fn first(game: &Reads) -> String;
        /// both.play.may_end.
        #[rule("both.play.may_end")]
        pub fn may_end(game: &Reads, side: &str) -> Verdict;
        /// A sum.
        #[rule("both.play.sum")]
        pub fn sum(game: &Reads, a: i64, b: i64) -> i64;
        /// both.play.reads.
        #[rule("both.play.reads")]
        pub fn reads(game: &Reads, piece: Piece, count: i64) -> i64;
        /// both.play.asked.
        #[rule("both.play.asked")]
        pub fn asked(game: &Acts, n: i64) -> i64;
        /// Stars by night.
        #[rule("both.play.stars")]
        pub fn stars(game: &Reads) -> i64;
        /// both.play.names.
        #[rule("both.play.names")]
        pub fn names(game: &Reads) -> String;
        /// both.play.resolve.
        #[rule("both.play.resolve")]
        pub fn resolve(game: &Draws, piece: Piece, target: Piece, force: i64) -> crate::bindings::both::play::Outcome;
        /// both.play.land.
        #[step("both.play.land")]
        pub fn land(game: &Acts, piece: Piece, target: Piece, force: i64);
        /// Why `both.play.strike` may not be done, if it may not.
        #[rule("both.play.strike.allowed")]
        pub fn strike_allowed(game: &Reads, actor: Piece) -> Verdict;
        /// What `both.play.strike` is worth to a bot.
        #[rule("both.play.strike.score")]
        pub fn strike_score(game: &Reads, actor: Piece, params: &Record) -> i64;
        /// What can be chosen as `target` of `both.play.strike`.
        #[rule("both.play.strike.target")]
        pub fn strike_target(game: &Reads, actor: Piece, params: &Record) -> Value;
        /// What can be chosen as `force` of `both.play.strike`.
        #[rule("both.play.strike.force")]
        pub fn strike_force(game: &Reads, actor: Piece, params: &Record) -> Value;
        /// Does `both.play.strike`.
        #[rule("both.play.strike.perform")]
        pub fn strike_perform(game: &Acts, actor: Piece, params: &Record);
        /// Why `both.play.counter` may not be done, if it may not.
        #[rule("both.play.counter.allowed")]
        pub fn counter_allowed(game: &Reads, actor: Piece, window: &crate::bindings::both::play::Aimed) -> Verdict;
        /// What can be chosen as `how` of `both.play.counter`.
        #[rule("both.play.counter.how")]
        pub fn counter_how(game: &Reads, actor: Piece, window: &crate::bindings::both::play::Aimed, params: &Record) -> Value;
        /// Does `both.play.counter`.
        #[rule("both.play.counter.perform")]
        pub fn counter_perform(game: &Acts, actor: Piece, window: &crate::bindings::both::play::Aimed, params: &Record);
        /// both.play.measure.
        #[rule("both.play.measure")]
        pub fn measure(game: &Reads, a: Piece, b: Piece) -> Value;
        /// both.play.survey.
        #[rule("both.play.survey")]
        pub fn survey(game: &Reads, a: Piece, b: Piece) -> Value;
        /// both.play.cards.
        #[rule("both.play.cards")]
        pub fn cards(game: &Draws, side: &str) -> Value;
    }
    pub mod pots {
        pub mod play {
            use crate::bindings::known::*;
            pub const CHITS: &str = "both.play.chits";
        }
    }
    pub mod tables {
        use crate::bindings::known::*;
        /// Costs.
        #[table("both.play.costs")]
        pub struct PlayCosts {
            #[key]
            pub ground: Ground,
            pub cost: Option<i64>,
            pub most: Length,
        }
    }
}
/// Harm.
pub mod harm {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::both::clauses as both;
        pub use crate::bindings::harm::clauses as harm;
    }
    pub mod events {
    }
    pub mod kinds {
    }
    pub mod tables {
    }
}
