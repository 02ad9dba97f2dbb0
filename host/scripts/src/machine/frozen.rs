//! Nothing of a game lives in a script: what files have made while they were
//! loaded stays as it is from then on.
//!
//! A rule can hold on to something between two calls in three ways only. It can
//! write into a table that outlives the call: so every table that registered
//! functions can reach is frozen, and writing to it is a fault on that line.
//! It can assign to a local of a function around it: the compiled code says
//! which functions do, and those that registered functions can reach are
//! refused when the mods are composed. Or it can go on with a walk through a
//! text, which the machine keeps: one that registered functions can reach is
//! refused too. A function that rules make for
//! themselves while they run, and its locals, are gone when they end.

use kernel::error::{Fault, FaultCode, Place};
use mlua::{Function, Table, Value as LuaValue};

use super::LuaHost;
use crate::code::Assigner;
use crate::lines::spec_of;
use crate::registrar::function_of;
use crate::vm::{place_of, unlimited};
use crate::{load, upvalues};
use rules::registration::{RawRows, Registrations};

/// What to do about a local that is assigned.
const HINT: &str = "state lives in entities: keep it in an attribute of one";

/// More of the name of a file than this the machine does not tell.
const LONGEST_NAME: usize = 255;

impl LuaHost {
    /// Freezes all that registered functions can reach, when all files of the
    /// mods have been loaded.
    ///
    /// # Errors
    /// Functions among it that assign to locals outside of them, with the line, and
    /// walks through a text.
    pub(crate) fn freeze(&self, registrations: &Registrations) -> Result<(), Vec<Fault>> {
        if self.is_left_open {
            return Ok(());
        }
        let failed = |error: mlua::Error| {
            vec![Fault::new(
                FaultCode::Script,
                format!("what mods have made cannot be frozen: {error}"),
            )]
        };
        let (mut found, walks) = self
            .uncharged(|| self.frozen(registrations))
            .map_err(failed)?;
        found.sort();
        found.dedup();
        let faults: Vec<Fault> = found.iter().map(assigned).chain(walks).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// Runs what is the host's own, whatever mods have left of their budget.
    pub(super) fn uncharged<T>(&self, run: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        let budget = self.shared.budget.replace(u64::MAX);
        let outcome = unlimited(&self.lua, run);
        self.shared.budget.set(budget);
        outcome
    }

    fn frozen(
        &self,
        registrations: &Registrations,
    ) -> mlua::Result<(Vec<AssignedLocal>, Vec<Fault>)> {
        let roots = self.lua.create_table()?;
        for layer in &registrations.layers {
            if let Some(function) = function_of(&layer.body) {
                roots.push(function)?;
            }
        }
        registrations
            .lines
            .iter()
            .filter_map(|line| spec_of(&line.spec))
            .try_for_each(|spec| roots.push(spec))?;
        for edit in &registrations.edits {
            if let RawRows::Script(rows) = &edit.rows
                && let Some(rows) = rows.downcast_ref::<Table>()
            {
                roots.push(rows)?;
            }
        }
        self.files
            .loaded_values()
            .iter()
            .try_for_each(|value| roots.push(value))?;
        let (assigns, places) = self.assigns()?;
        let metatable = self
            .lua
            .create_function(|_, table: Table| Ok(table.metatable()))?;
        let freeze = self.lua.create_function(|_, table: Table| {
            table.set_readonly(true);
            Ok(())
        })?;
        let info: Function = self.lua.named_registry_value("houserule.info")?;
        let name = "=[houserule]/frozen.luau".to_string();
        let walk: Function = load::chunk(&self.lua, include_str!("../frozen.luau"), name)
            .call((info, upvalues::reader(&self.lua)?, metatable, freeze))?;
        let (found, walks): (Vec<usize>, Vec<Table>) = walk.call((roots, assigns))?;
        let assigned = found
            .into_iter()
            .filter_map(|number| places.get(number).cloned());
        Ok((assigned.collect(), walks.iter().map(begun).collect()))
    }

    /// Functions that assign to upvalues by source, line and shape, each with
    /// numbers; and by number what is assigned where.
    fn assigns(&self) -> mlua::Result<(Table, Vec<AssignedLocal>)> {
        let assigns = self.lua.create_table()?;
        let mut places = Vec::new();
        for (module, path, assigners) in self.files.assigners() {
            let mut source = format!("{module}/{path}");
            source.truncate(source.floor_char_boundary(LONGEST_NAME));
            let lines = entry(&self.lua, &assigns, source)?;
            for Assigner {
                line,
                shape,
                assigned,
            } in assigners.iter()
            {
                let shapes = entry(&self.lua, &lines, *line)?;
                let numbers = entry(&self.lua, &shapes, shape.as_str())?;
                for (name, line) in assigned {
                    numbers.push(places.len())?;
                    let place = Place::new(module.clone(), path.as_str(), *line);
                    places.push((place, name.clone()));
                }
            }
        }
        Ok((assigns, places))
    }
}

/// A place at which a local is assigned, and its name.
type AssignedLocal = (Place, String);

/// The table under a key, made if it is not there.
fn entry(lua: &mlua::Lua, table: &Table, key: impl mlua::IntoLua + Clone) -> mlua::Result<Table> {
    if let LuaValue::Table(found) = table.raw_get(key.clone())? {
        return Ok(found);
    }
    let made = lua.create_table()?;
    table.raw_set(key, &made)?;
    Ok(made)
}

/// A walk through a text that was begun while files were loaded, by the source,
/// the line and the name of what holds on to it.
fn begun(holder: &Table) -> Fault {
    let (source, line, name) = (
        holder.raw_get::<String>(1).unwrap_or_default(),
        holder.raw_get::<usize>(2).unwrap_or_default(),
        holder.raw_get::<String>(3).unwrap_or_default(),
    );
    let held = match &*name {
        "" => "a rule can reach".to_string(),
        name => format!("`{name}`, a local outside of this function, holds"),
    };
    let message = format!(
        "expected rules to keep nothing between two calls, found that {held} a walk of `string.gmatch`, which goes on from call to call"
    );
    let fault = Fault::new(FaultCode::HiddenState, message)
        .hint("begin the walk in the rule, or keep a list of what it finds");
    match place_of(&source, line) {
        Some(place) => fault.at(place),
        None => fault,
    }
}

fn assigned((place, name): &AssignedLocal) -> Fault {
    let message = format!(
        "expected rules to keep nothing between two calls, found that `{name}`, a local outside of this function, is assigned"
    );
    Fault::new(FaultCode::HiddenState, message)
        .at(place.clone())
        .hint(HINT)
}
