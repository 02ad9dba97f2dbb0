//! Scenarios: who fights whom, where, with what, and (for tests) what they do.

mod build;
mod read;
mod script;

pub use build::set_up;
pub use read::{EntityItem, Scenario, SideItem};
pub use script::{Act, Deed, Script, chance_of, fit, input_of, run_script, scripted_die};
