//! What the rules of `echo` can name. Written by `houserule types echo --lang rust`.
#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

mod known {
    pub use houserule_guest::prelude::*;
    pub use houserule_guest::{
        Angle, Clause, Direction, Length, Path, Setting, kind, table,
    };
    pub use std::collections::BTreeMap;
    pub use super::words::*;
    pub use super::drill::kinds::*;
    pub use super::echo::kinds::*;
}

/// Words of which one holds.
pub mod words {
    use super::known::*;
    #[words]
    pub enum Order {
        Hold,
        Shoot,
    }
    #[words]
    pub enum Band {
        Close,
        Far,
    }
}

/// Drill.
pub mod drill {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::drill::clauses as drill;
        pub use crate::bindings::echo::clauses as echo;
        pub mod fire {
            use crate::bindings::known::*;
            /// A rifle shoots better when it is close
            pub const RANGE: Clause = Clause::new("drill.fire.range");
            /// Each shot that hits draws a chit, which says how many fall
            pub const LUCK: Clause = Clause::new("drill.fire.luck");
            /// A squad that is aimed at may duck, once in the game
            pub const DUCK: Clause = Clause::new("drill.fire.duck");
        }
        pub mod orders {
            use crate::bindings::known::*;
            /// Both sides give their orders in secret; then all are shown
            pub const SECRET: Clause = Clause::new("drill.orders.secret");
        }
    }
    pub mod events {
        use crate::bindings::known::*;
        /// {squad} shoots at {target}: {result}.
        #[event("drill.fire.shot")]
        pub struct FireShot<'t> {
            pub squad: Entity,
            pub target: Entity,
            pub result: &'t str,
        }
    }
    pub mod fire {
        use crate::bindings::known::*;
        #[record("drill.fire.outcome")]
        pub struct Outcome {
            pub is_hit: bool,
            pub fallen: i64,
        }
        #[window("drill.fire.aimed")]
        pub struct Aimed {
            pub squad: Squad,
            pub target: Squad,
        }
        /// Volley.
        pub mod volley {
            pub const ID: &str = "drill.fire.volley";
        }
        /// The range band of a shot, or nothing if it cannot reach.
        #[rule("drill.fire.band")]
        pub fn band(game: &Reads, squad: Squad, target: Squad) -> Option<Band>;
        /// Why a squad may not shoot at another.
        #[rule("drill.fire.barred")]
        pub fn barred(game: &Reads, squad: Squad, target: Squad) -> Option<String>;
        /// Rolls for one shot.
        #[rule("drill.fire.resolve")]
        pub fn resolve(game: &Draws, squad: Squad, target: Squad) -> crate::bindings::drill::fire::Outcome;
        /// Takes off who fell.
        #[rule("drill.fire.apply")]
        pub fn apply(game: &Writes, squad: Squad, target: Squad, outcome: &crate::bindings::drill::fire::Outcome);
        /// A shot that was aimed is fired.
        #[step("drill.fire.shoot")]
        pub fn shoot(game: &Acts, squad: Squad, target: Squad);
        /// Why a squad may not aim.
        #[rule("drill.fire.may_aim")]
        pub fn may_aim(game: &Reads, squad: Squad) -> Option<String>;
        /// The squads that one can aim at.
        #[rule("drill.fire.targets")]
        pub fn targets(game: &Reads, squad: Squad, params: &Value) -> Value;
        /// A squad aims; who is aimed at may react before the shot.
        #[step("drill.fire.declare")]
        pub fn declare(game: &Acts, squad: Squad, params: &Value);
        /// How good a shot at it is: the fewer are left, the better.
        #[rule("drill.fire.worth")]
        pub fn worth(game: &Reads, squad: Squad, params: &Value) -> i64;
        /// Why a squad may not duck.
        #[rule("drill.fire.may_duck")]
        pub fn may_duck(game: &Reads, squad: Squad, window: &Value) -> Option<String>;
        /// A squad ducks under the shot that comes.
        #[step("drill.fire.go_down")]
        pub fn go_down(game: &Acts, squad: Squad, window: &Value, params: &Value);
    }
    pub mod kinds {
        use crate::bindings::known::*;
        /// The kind `drill.squad`.
        #[kind("drill.squad")]
        pub struct Squad {
            /// where it stands
            at: Point,
            /// men who can fight
            strength: i64,
            /// what it was told this turn
            order: Order,
            /// whether it has shot this turn
            has_acted: bool,
            /// whether it has ducked in this game
            has_ducked: bool,
            /// whether it ducks under the shot that comes
            is_down: bool,
        }
    }
    pub mod options {
        pub mod fire {
            use crate::bindings::known::*;
            /// To hit.
            pub const NEEDED: Setting<i64> = Setting::new("drill.fire.needed");
        }
    }
    pub mod orders {
        use crate::bindings::known::*;
        /// drill.orders.turn_start.
        pub mod turn_start {
            pub const ID: &str = "drill.orders.turn_start";
        }
        /// Secret orders.
        pub mod write {
            pub const ID: &str = "drill.orders.write";
        }
        /// drill.orders.show.
        pub mod show {
            pub const ID: &str = "drill.orders.show";
        }
        /// Drill.
        pub mod game {
            pub const ID: &str = "drill.orders.game";
        }
        /// Whether a side has nobody left, or the turns are over.
        #[rule("drill.orders.is_over")]
        pub fn is_over(game: &Reads) -> bool;
        /// A turn begins: nobody has acted, and the orders are the side's own.
        #[step("drill.orders.begin_turn")]
        pub fn turn_start_run(game: &Acts);
        /// All orders are shown.
        #[step("drill.orders.reveal")]
        pub fn show_run(game: &Acts);
        /// What a squad can be told.
        #[rule("drill.orders.choices")]
        pub fn choices(game: &Reads, squad: Squad, params: &Value) -> Value;
        /// A squad is told what to do.
        #[step("drill.orders.tell")]
        pub fn tell(game: &Acts, squad: Squad, params: &Value);
    }
    pub mod pots {
        pub mod fire {
            use crate::bindings::known::*;
            pub const CHITS: &str = "drill.fire.chits";
        }
    }
    pub mod tables {
        use crate::bindings::known::*;
        /// The rifle's die.
        #[table("drill.fire.dice")]
        pub struct FireDice {
            #[key]
            pub band: Band,
            pub most: Length,
            pub die: Die,
        }
    }
}
/// Echo.
pub mod echo {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::drill::clauses as drill;
        pub use crate::bindings::echo::clauses as echo;
        pub mod fire {
            use crate::bindings::known::*;
            /// A squad that misses shoots once more
            pub const AGAIN: Clause = Clause::new("echo.fire.again");
        }
        pub mod rally {
            use crate::bindings::known::*;
            /// Instead of shooting, up to three men join a squad that has room for them
            pub const FALL_IN: Clause = Clause::new("echo.rally.fall-in");
        }
    }
    pub mod events {
    }
    pub mod kinds {
    }
    pub mod tables {
    }
}
