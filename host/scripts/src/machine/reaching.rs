//! What is reached while rules run: layers, clauses, rows. Coverage asks, and
//! whoever wants to know what a change of rules concerns.

use std::collections::BTreeSet;

use kernel::error::Fault;
use mlua::Function;

use super::LuaHost;
use crate::vm::fault_of;

impl LuaHost {
    /// Notes from now on which clauses and rows are reached.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn start_tracing(&self) -> mlua::Result<()> {
        self.begin_reaching(false)
    }

    /// Everything a traced run has reached.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn stop_tracing(&self) -> mlua::Result<BTreeSet<String>> {
        let text = |mark: Box<[u8]>| String::from_utf8(mark.into()).map_err(mlua::Error::external);
        self.end_reaching()?.into_iter().map(text).collect()
    }

    /// Notes what is reached, also lookups that find nothing.
    pub(super) fn start_noting_reach(&self) -> Result<(), Fault> {
        self.begin_reaching(true).map_err(|error| fault_of(&error))
    }

    /// Notes what is reached; `is_wide` counts lookups that find nothing too,
    /// and all rows of a table as one.
    fn begin_reaching(&self, is_wide: bool) -> mlua::Result<()> {
        let trace: Function = self.prelude.get("trace")?;
        self.shared.answers.begin_reach(is_wide);
        trace.call::<()>((true, is_wide))
    }

    /// Notes no longer what is reached, and gives the marks of all that was.
    pub(super) fn end_reaching(&self) -> mlua::Result<Vec<Box<[u8]>>> {
        let trace: Function = self.prelude.get("trace")?;
        let marks = self.shared.answers.end_reach();
        trace.call::<()>((false, false))?;
        Ok(marks)
    }
}
