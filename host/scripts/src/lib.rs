//! Scripts in Luau: loads rules files, binds composed rules, calls them.
//!
//! All mods of a game share one machine, each file in an environment of its
//! own. Composed rules are Luau functions: a call from rule to rule never
//! leaves the machine. Which rule is running is read off the machine's stack
//! when somebody asks, so that calls cost nothing for it.
//!
//! What it refuses to know: how rulebooks are composed, components, matches and
//! files on a disk. What it has in common with all who run rules stands in
//! `rules::hosting`, and it is called through `rules::rulebook::host`.
//!
//! Read [`vm`] (the sandbox and its limits), `contract` and `arguments` (the
//! functions of the game), `chapters` (rules by their names), `registrar` (the registrar
//! at which files register), `given`, `lines` and `registration` (what they
//! register there), `texts` (what is read of a text alone), `load` and `mistyped` (files, and
//! what was meant by one that is no Luau), `layer` (how a call is checked), [`values`] and [`taking`] (values on their way in and out),
//! and `machine`, which is all of it together: [`LuaHost`].

#[cfg(test)]
mod agreement;
mod answers;
mod api;
mod arguments;
mod chain;
mod chapters;
mod code;
mod contract;
mod coordinates;
mod given;
mod headers;
mod layer;
mod lines;
mod load;
mod machine;
mod mistyped;
mod noting;
mod profiling;
mod recent;
mod registrar;
mod registration;
mod seen;
pub mod taking;
#[cfg(test)]
mod tests;
mod texts;
mod upvalues;
pub mod values;
pub mod vm;

pub use answers::MOST_ANSWERS;
pub use machine::LuaHost;
