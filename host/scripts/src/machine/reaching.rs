//! What is reached while rules run: layers, clauses, rows. Coverage asks, and
//! whoever wants to know what a change of rules concerns.

use std::collections::BTreeSet;

use kernel::error::Fault;
use mlua::{Function, LuaString, Table, Value as LuaValue};

use super::LuaHost;
use crate::vm::fault_of;
use rules::rulebook::host::ReachNotes;

impl LuaHost {
    /// Notes from now on which clauses and rows are reached.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn start_tracing(&self) -> mlua::Result<Table> {
        self.begin_reaching(false)
    }

    /// Everything a traced run has reached.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn stop_tracing(&self, reached: &Table) -> mlua::Result<BTreeSet<String>> {
        self.end_reaching()?;
        reached
            .pairs::<String, bool>()
            .map(|pair| pair.map(|(name, _)| name))
            .collect()
    }

    /// Notes what is reached, also lookups that find nothing.
    pub(super) fn start_noting_reach(&self) -> Result<Box<dyn ReachNotes>, Fault> {
        let reached = self
            .begin_reaching(true)
            .map_err(|error| fault_of(&error))?;
        Ok(Box::new(Notes(reached)))
    }

    /// Notes what is reached; `is_wide` counts lookups that find nothing too,
    /// and all rows of a table as one.
    fn begin_reaching(&self, is_wide: bool) -> mlua::Result<Table> {
        let reached = self.lua.create_table()?;
        let trace: Function = self.prelude.get("trace")?;
        self.shared.answers.begin_reach(is_wide);
        trace.call::<()>((reached.clone(), is_wide))?;
        self.shared.reached.replace(Some(reached.clone()));
        Ok(reached)
    }

    /// Notes no longer what is reached.
    pub(super) fn end_reaching(&self) -> mlua::Result<()> {
        let trace: Function = self.prelude.get("trace")?;
        self.shared.answers.end_reach();
        self.shared.reached.replace(None);
        trace.call::<()>(LuaValue::Nil)
    }
}

/// The table in which the machine notes what is reached.
struct Notes(Table);

impl ReachNotes for Notes {
    fn each(&self, tell: &mut dyn FnMut(&[u8])) -> bool {
        for pair in self.0.pairs::<LuaString, bool>() {
            let Ok((note, _)) = pair else { return false };
            tell(&note.as_bytes());
        }
        true
    }
}
