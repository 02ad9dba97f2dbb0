//! Rules for Houserule in Rust.
//!
//! A mod is a library of chapters. At the top of a chapter stands its name, and
//! a rule is a function with an attribute; what the game has (kinds, tables,
//! options, clauses, rules of other mods) is in `bindings.rs`, which
//! `houserule types MOD --lang rust` writes:
//!
//! ```ignore
//! use crate::bindings::drill::kinds::Squad;
//! use houserule_guest::prelude::*;
//!
//! chapter!(drill.fire);
//!
//! /// [strength] How many men of a squad shoot.
//! #[rule]
//! pub fn strength(_game: &Reads, squad: Squad) -> i64 {
//!     if squad.is_shaken() { squad.men() / 2 } else { squad.men() }
//! }
//! ```
//!
//! A call of `strength` is a call of the rule, with the lines and wraps of all
//! mods. `houserule_guest::module!()` stands once in `lib.rs`.
//!
//! `houserule build` makes a component of it. What it means to register, wrap,
//! ask, push or open is in the book; here are only the words for it. What the
//! game refuses (an unknown attribute, an unanswered question) does not come
//! back: the call ends there, and nothing of its step remains.
//!
//! What it refuses to know: kinds, tables and rules of any mod, which stand in
//! its bindings; the host, of which it has the contract in `schemas/wit` alone.
//!
//! Read [`prelude`] (all that a mod names), then `value` and `convert` (values,
//! and the types of Rust that stand for them), `game` (what a rule can do), `domain`
//! (what there is to choose from), [`geometry`] and `hex`, and `calls` (rules that are
//! called from rules); last [`parts`] and [`register`], which only the attributes
//! name, and `memory`, which lives for one call.
//!
//! No memory of a mod outlives a step, nor a call of a rule that only reads: a
//! `static` that is written is lost.
#![allow(
    unsafe_code,
    reason = "in what is generated from the contract, in the memory of an instance, and where a function is called by its place"
)]

#[allow(
    missing_docs,
    reason = "generated from the contract, which explains everything"
)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../schemas/wit/v1",
        world: "module",
        pub_export_macro: true,
        export_macro_name: "export_module",
        default_bindings_module: "houserule_guest::bindings",
        disable_run_ctors_once_workaround: true,
    });
}

mod calls;
mod convert;
mod domain;
mod game;
pub mod geometry;
mod hex;
#[cfg(any(test, target_arch = "wasm32"))]
mod memory;
#[doc(hidden)]
pub mod parts;
pub mod register;
mod value;

pub use houserule_macros::{
    action, automatic, chapter, event, fields, kind, on, phase, reaction, record, register,
    replace, rule, step, table, window, words, wrap,
};

pub use convert::{Answer, FromValue, Typed};
pub use domain::{Choice, Domain, Region};
pub use game::{
    Acts, Attribute, Audience, Clause, Draws, Entity, Holding, Kind, Question, Reads, Setting,
    Writes,
};
pub use geometry::{Point, Shape, Where};
pub use hex::{Hex, HexCosts, HexMet};
pub use register::{Phase, Registrar};
pub use value::{
    Angle, Die, Direction, Fault, Length, Path, Reason, Record, Value, Verdict, record,
};

/// Everything that most mods use.
pub mod prelude {
    pub use crate::register::Acting;
    pub use crate::{
        Acts, Audience, CENTIMETRE, Die, Direction, Domain, Draws, Entity, Fault, Hex, HexCosts,
        INCH, Kind, Length, Phase, Point, Question, Reads, Reason, Record, Registrar, Value,
        Verdict, Writes, action, automatic, chapter, event, fields, on, phase, reaction, reason,
        record, refuse, register, replace, rule, step, window, words, wrap,
    };
}

/// Micrometres in an inch.
pub const INCH: i64 = 25_400;

/// Micrometres in a centimetre.
pub const CENTIMETRE: i64 = 10_000;

/// Makes a mod of a library: once, in `lib.rs`.
#[macro_export]
macro_rules! module {
    () => {
        #[doc(hidden)]
        struct HouseruleModule;

        impl $crate::bindings::Guest for HouseruleModule {
            fn register() {
                $crate::start();
            }

            fn call(
                function: u32,
                args: Vec<$crate::bindings::houserule::contract::data::Node>,
            ) -> Result<
                Vec<$crate::bindings::houserule::contract::data::Node>,
                $crate::bindings::houserule::contract::data::Fault,
            > {
                $crate::run(function, args)
            }
        }

        $crate::bindings::export_module!(HouseruleModule with_types_in $crate::bindings);
    };
}

/// Registers everything.
#[doc(hidden)]
pub fn start() {
    gather();
    tell_panics();
    parts::register();
}

/// Runs a function by its number.
#[doc(hidden)]
pub fn run(
    function: u32,
    args: Vec<bindings::houserule::contract::data::Node>,
) -> Result<
    Vec<bindings::houserule::contract::data::Node>,
    bindings::houserule::contract::data::Fault,
> {
    tell_panics();
    let mut args = match value::read(args) {
        Value::List(args) => args,
        _ => Vec::new(),
    };
    let answer = parts::run(function, &mut args);
    answer
        .map(|value| value::nodes(&value))
        .map_err(Fault::into_wit)
}

/// Gathers the pieces that register. Instances are made by the thousand to be
/// called, and need none of it: so linkers are not left to do it in each.
fn gather() {
    #[cfg(target_arch = "wasm32")]
    {
        unsafe extern "C" {
            fn __wasm_call_ctors();
        }
        // SAFETY: the linker makes it, and it is called once in an instance.
        unsafe { __wasm_call_ctors() }
    }
}

/// A panic is a fault at its place.
fn tell_panics() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|info| {
        let text = info
            .payload()
            .downcast_ref::<&str>()
            .map(|text| text.to_string());
        let text = text.or_else(|| info.payload().downcast_ref::<String>().cloned());
        let mut fault = Fault::new(&text.unwrap_or_default());
        if let Some(at) = info.location() {
            fault = fault.at(at.file(), at.line());
        }
        bindings::houserule::contract::game::fail(&fault.into_wit());
    }));
}
