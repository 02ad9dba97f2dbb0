//! What scripts and components may use, what things cost them, and the
//! watchdog behind it all.
//!
//! The unit is a check: a turn of a loop or a call, which takes about a tenth
//! of a microsecond. Everything else that takes time is charged in checks too:
//! inside the machine of Luau by the machine itself (`host/luau`), inside
//! components as fuel, and in the functions of the host by [`cost`], the same
//! for both. What is charged follows from the game and the rules alone, so that
//! a replay meets every limit where the match met it.

mod budget;
pub mod cost;
mod watch;

pub use budget::{Budget, TURNS};
pub use watch::{PATIENCE, Watch};

use kernel::error::{Fault, FaultCode};

/// Checks that one call from the kernel may use: some tenths of a second of
/// pure looping.
pub const BUDGET: u64 = 5_000_000;

/// Checks that all calls of one request together may use: of an input, of a
/// question what is legal, of a decision of a bot.
pub const REQUEST_BUDGET: u64 = 2 * BUDGET;

/// Functions of components that may run at once, one within the other.
pub const DEEPEST_COMPONENTS: usize = 48;

/// Bytes that all mods of a game together may use at any moment.
pub const MEMORY: usize = 256 << 20;

/// Bytes that may stay in use: with more of them in use, memory is tidied, and what is
/// in use then is too much. What is in use is never less than what stays, so whether it
/// is too much does not depend on what lies about yet from before.
pub const STAYS: usize = MEMORY / 2;

/// A part of a value that goes out of the machine costs so many checks: it may
/// stay in the state of the game.
pub const CHECKS_A_PART: u64 = 16;

/// What changes the game costs so many checks more.
pub const CHECKS_A_CHANGE: u64 = 64;

/// A function of the host costs so many checks more than one of a script.
pub const CHECKS_A_CALL: u64 = 4;

/// Looking who is running costs so many checks for each function of a rule.
pub const CHECKS_A_LAYER: u64 = 6;

/// An error that is caught costs so many checks: it unwinds the stack.
pub const CHECKS_AN_ERROR: u64 = 96;

/// What a file registers costs so many checks: it stays, and is composed.
pub const CHECKS_A_REGISTRATION: u64 = 256;

/// The fault of work that took more checks than there are.
pub fn too_long() -> Fault {
    Fault::new(
        FaultCode::TooLong,
        format!(
            "expected at most {BUDGET} loop turns and calls, or work worth as much, found more"
        ),
    )
    .hint("a loop that never ends, or work that should be pushed as steps")
}

/// The same where not one call took it, but all calls of a request together.
pub fn in_request(mut fault: Fault) -> Fault {
    if fault.code == FaultCode::TooLong {
        fault.message = format!(
            "expected at most {REQUEST_BUDGET} loop turns and calls, or work worth as much, in all that one request asks, found more"
        );
        fault.hint = Some(
            "ask for less at once, or let a rule that many ask give an answer that they can share"
                .into(),
        );
    }
    fault
}

/// What to do where a fault says that a limit was met, by its code.
pub fn hint_of(code: FaultCode) -> Option<&'static str> {
    match code {
        FaultCode::TooMuchMemory => Some(
            "make less at once: look for a list or a text that grows in a loop, and push what remains as a step",
        ),
        FaultCode::TooDeep => Some(
            "look for functions that call each other without an end: say when they stop, or push what remains as a step",
        ),
        _ => None,
    }
}

/// A fault with what to do about its limit, unless it says that already.
pub fn with_hint(fault: Fault) -> Fault {
    match (&fault.hint, hint_of(fault.code)) {
        (None, Some(hint)) => fault.hint(hint),
        _ => fault,
    }
}

/// The fault of work that the watchdog broke off.
pub fn too_slow() -> Fault {
    let message =
        "expected the rules to be done long before the watchdog, found them still at work";
    Fault::new(FaultCode::TooSlow, message).hint(
        "nothing that a mod does should take so long uncharged: please report it with the mod",
    )
}
