//! What the rules of `both` can name. Written by `houserule types both --lang rust`.
#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

mod known {
    pub use houserule_guest::prelude::*;
    pub use houserule_guest::{
        Angle, Clause, Direction, Length, Path, Setting, kind, table,
    };
    pub use std::collections::BTreeMap;
    pub use super::words::*;
    pub use super::both::kinds::*;
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
