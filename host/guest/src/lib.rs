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
//! (what there is to choose from), [`geometry`] and `hex`, `calls` (rules that are
//! called from rules), `border` and `arena` (how what is called most goes over to the
//! host and back); last [`parts`] and [`register`], which only the attributes
//! name, and `memory`, which lives for one call.
//!
//! No memory of a mod outlives a step, nor a call of a rule that only reads: a
//! `static` that is written is lost.
#![allow(
    unsafe_code,
    reason = "in what is generated from the contract, in the memory of an instance, where values cross the border, and where a function is called by its place"
)]

#[allow(
    missing_docs,
    reason = "generated from the contract, which explains everything"
)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../schemas/wit/v1",
        world: "module",
        disable_run_ctors_once_workaround: true,
        disable_custom_section_link_helpers: true,
    });
}

mod arena;
#[doc(hidden)]
pub mod border;
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
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            #[unsafe(export_name = "register")]
            extern "C" fn register() {
                $crate::start();
            }

            #[unsafe(export_name = "call")]
            unsafe extern "C" fn call(
                function: u32,
                args: *mut $crate::border::Node,
                count: usize,
            ) -> *const $crate::border::Outcome {
                // SAFETY: the host has the list made that it hands over.
                unsafe { $crate::run(function, args, count) }
            }

            #[unsafe(export_name = "cabi_realloc")]
            unsafe extern "C" fn room(
                old: *mut u8,
                old_size: usize,
                align: usize,
                size: usize,
            ) -> *mut u8 {
                // SAFETY: the host gives back what it was given.
                unsafe { $crate::border::room(old, old_size, align, size) }
            }
        };
    };
}

/// Registers everything.
#[doc(hidden)]
pub fn start() {
    gather();
    tell_panics();
    parts::register();
}

/// Runs a function by its number, with arguments that lie there.
///
/// # Safety
/// The host has given them to this instance.
#[doc(hidden)]
pub unsafe fn run(function: u32, args: *mut border::Node, count: usize) -> *const border::Outcome {
    tell_panics();
    // SAFETY: as above.
    unsafe { border::run(args, count, |args| parts::run(function, args)) }
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
