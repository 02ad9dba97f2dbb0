//! The test runner for mods: cases in Luau, goldens of scenarios, and what
//! they reach.

mod case;


mod library;





