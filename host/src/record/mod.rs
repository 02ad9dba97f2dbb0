//! The record of a match in files.

use kernel::decision::Input;
use kernel::digest::Sum;
use kernel::error::Fault;
use kernel::world::World;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {}

impl Journal {
    /// Writes an input that was taken, with the hash of the state after it.
    ///
    /// # Errors
    /// When the line cannot be handed to the operating system.
    pub fn input(&mut self, _input: &Input, _world: &World, _hash: &Sum) -> Result<(), Fault> {
        Ok(())
    }

    /// Writes that a fault undid the last inputs.
    ///
    /// # Errors
    /// When the line cannot be handed to the operating system.
    pub fn fault(&mut self, _fault: &Fault, _undone: u32) -> Result<(), Fault> {
        Ok(())
    }
}
