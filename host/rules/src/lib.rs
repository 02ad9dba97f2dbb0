//! Rules as data: what mods say and register, and how it is composed to one
//! rulebook.
//!
//! What it refuses to know: the engines that run rules. What is written in a
//! script or in a component is a body that is handed on; whoever can run it
//! stands behind [`rulebook::host::ScriptHost`] and [`hosting::Component`]. It
//! knows no match, no journal and no terminal either.
//!
//! Read [`types`] and [`data`], [`modset`] (which mods and clauses take part),
//! [`registration`] (what files register), [`hosting`] (what all who run rules
//! share), and [`rulebook`], where it all comes together. What one process leaves
//! to the next is in [`kept`]; files are put in their place by [`whole`], and those
//! that grow are opened by [`alone`].

pub mod alone;
pub mod bindings;
pub mod contract;
pub mod data;
pub mod design;
pub mod hosting;
pub mod kept;
pub mod limits;
pub mod lines;
pub mod modset;
pub mod printable;
pub mod printed;
pub mod profile;
pub mod registration;
pub mod rulebook;
pub mod tokens;
pub mod trace;
pub mod types;
pub mod whole;
