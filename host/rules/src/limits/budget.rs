//! What is left to the rule that runs, where machines count it down themselves.

use std::cell::Cell;

/// So many turns a machine takes between two looks at the clock.
pub const TURNS: u32 = 256;

/// Checks that are left, and what is yet to be paid of them.
///
/// The machine of Luau counts them down by itself (`luaW_Budget` in `host/luau`
/// has the same form) and asks the host only where one of its numbers says so.
#[derive(Debug)]
#[repr(C)]
pub struct Budget {
    left: Cell<u64>,
    parts: Cell<u64>,
    turns: Cell<u32>,
}

impl Budget {
    /// So many checks.
    pub fn new(left: u64) -> Budget {
        Budget {
            left: Cell::new(left),
            parts: Cell::default(),
            turns: Cell::default(),
        }
    }

    /// Checks that are left.
    pub fn get(&self) -> u64 {
        self.left.get()
    }

    /// So many checks are left from now on.
    pub fn set(&self, left: u64) {
        self.left.set(left);
    }

    /// The same; gives how many there were.
    pub fn replace(&self, left: u64) -> u64 {
        self.left.replace(left)
    }

    /// Parts of values that went out of the machine and are not paid for yet:
    /// they are at its next turn.
    pub fn parts(&self) -> u64 {
        self.parts.get()
    }

    /// So many parts are to be paid for.
    pub fn set_parts(&self, parts: u64) {
        self.parts.set(parts);
    }

    /// So many more parts are to be paid for.
    pub fn add_parts(&self, parts: u64) {
        self.parts.set(self.parts.get() + parts);
    }

    /// The parts, of which none is left.
    pub fn take_parts(&self) -> u64 {
        self.parts.take()
    }

    /// The machine asks the host at its next turn.
    pub fn ask_soon(&self) {
        self.turns.set(0);
    }

    /// The machine asks the host again after [`TURNS`]; gives how many turns it
    /// has taken since it asked last.
    pub fn ask_later(&self) -> u32 {
        TURNS - self.turns.replace(TURNS).min(TURNS)
    }
}
