//! Rules for Houserule in Rust.
//!
//! A mod is a library that registers its rules in one function:
//!
//! ```
//! use houserule_guest::prelude::*;
//!
//! houserule_guest::module!(register);
//!
//! fn register(rules: &mut Rules) {
//!     rules.define(
//!         Rule::new("drill.fire.strength", "squad: entity(drill.squad)").returns("integer"),
//!         |_: Game, (squad,): (Entity,)| strength(squad.get("men"), squad.get("is_shaken")),
//!     );
//! }
//!
//! /// What needs no game is a function like any, and is tested like any.
//! fn strength(men: i64, is_shaken: bool) -> i64 {
//!     if is_shaken { men / 2 } else { men }
//! }
//!
//! assert_eq!(strength(7, true), 3);
//! ```
//!
//! `houserule build` makes a component of it. What it means to register, wrap,
//! ask, push or open is in the book; here are only the words for it. What the
//! game refuses (an unknown attribute, an unanswered question) does not come
//! back: the call ends there, and nothing of its step remains.
//!
//! No memory of a mod outlives a step: a `static` that is written is lost.
#![allow(unsafe_code, reason = "in what is generated from the contract")]

#[allow(missing_docs, reason = "generated from the contract, which explains everything")]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../schemas/wit/v1",
        world: "module",
        pub_export_macro: true,
        export_macro_name: "export_module",
        default_bindings_module: "houserule_guest::bindings",
    });
}

mod convert;
mod deed;
mod domain;
mod game;
pub mod geometry;
mod hex;
pub mod rules;
mod value;

pub use convert::{Answer, FromArgs, FromValue};
pub use deed::{Action, Reaction};
pub use domain::{Domain, Region};
pub use game::{Audience, Entity, Game, Question};
pub use geometry::{Point, Shape, Where};
pub use hex::{Hex, HexCosts, HexMet};
pub use rules::{Phase, Rule, Rules};
pub use value::{Die, Fault, Record, Value, Verdict, record};

/// Everything that most mods use.
pub mod prelude {
    pub use crate::{
        Action, Audience, Die, Domain, Entity, Fault, Game, Hex, HexCosts, Phase, Point, Question, Reaction,
        Record, Rule, Rules, Value, Verdict, record,
    };
}

/// Micrometres in an inch.
pub const INCH: i64 = 25_400;

/// Micrometres in a centimetre.
pub const CENTIMETRE: i64 = 10_000;

/// Makes a mod of a function that registers.
#[macro_export]
macro_rules! module {
    ($register:path) => {
        #[doc(hidden)]
        struct HouseruleModule;

        impl $crate::bindings::Guest for HouseruleModule {
            fn register() {
                $crate::start($register);
            }

            fn call(
                function: u32,
                args: Vec<$crate::bindings::houserule::contract::data::Node>,
            ) -> Result<
                Vec<$crate::bindings::houserule::contract::data::Node>,
                $crate::bindings::houserule::contract::data::Fault,
            > {
                $crate::run($register, function, args)
            }
        }

        $crate::bindings::export_module!(HouseruleModule with_types_in $crate::bindings);
    };
}

/// Runs the function that registers.
#[doc(hidden)]
pub fn start(register: fn(&mut Rules)) {
    tell_panics();
    register(&mut Rules::registering());
}

/// Runs a function by its number.
#[doc(hidden)]
pub fn run(
    register: fn(&mut Rules),
    function: u32,
    args: Vec<bindings::houserule::contract::data::Node>,
) -> Result<Vec<bindings::houserule::contract::data::Node>, bindings::houserule::contract::data::Fault> {
    let args = match value::read(args) {
        Value::List(args) => args,
        _ => Vec::new(),
    };
    let answer = FUNCTIONS.with(|rules| rules.get_or_init(|| found(register)).run(function, args));
    answer.map(|value| value::nodes(&value)).map_err(Fault::into_wit)
}

std::thread_local! {
    /// The functions of the mod, found at the first call in an instance.
    static FUNCTIONS: std::cell::OnceCell<Rules> = const { std::cell::OnceCell::new() };
}

fn found(register: fn(&mut Rules)) -> Rules {
    tell_panics();
    let mut rules = Rules::running();
    register(&mut rules);
    rules
}

/// A panic is a fault at its place.
fn tell_panics() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| info.payload().downcast_ref::<String>().cloned());
        let mut fault = Fault::new(&text.unwrap_or_default());
        if let Some(at) = info.location() {
            fault = fault.at(at.file(), at.line());
        }
        bindings::houserule::contract::game::fail(&fault.into_wit());
    }));
}
