//! Scenarios: who fights whom, where, with what, and (for tests) what they do.

mod build;
mod read;
mod script;
mod written;

pub use build::{Setup, set_up, some_turns, templates_of};
pub use read::{Balance, EntityItem, Scenario, SideItem};
pub(crate) use script::no_side;
pub use script::{Act, ActScript, ScriptedInput, chance_of, scripted_die, unknown_in};
pub use written::{Heading, count_entities, line_of, with_script};
