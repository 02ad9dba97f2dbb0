//! Tables of the composed rules, as scripts read them.

use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, Value};
use mlua::{Table, Value as LuaValue};

use super::LuaHost;
use crate::taking::{describe, from_lua};
use crate::values::{Metatables, to_lua};
use crate::vm::fault_of;
use rules::data::table::{Cells, Table as DataTable};
use rules::hosting::rows::{RowIndex, ScriptRow, no_row, script_rows};
use rules::rulebook::Tables;

impl LuaHost {
    /// Puts tables in place, for `rules.table(id):get(...)`; those that are there
    /// already as they shall be stay as they are.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn set_tables(&self, tables: &Tables, there: &Tables) -> Result<(), Fault> {
        self.shared
            .known
            .borrow_mut()
            .insert("table", tables.keys().cloned().collect());
        for id in there.keys().filter(|id| !tables.contains_key(*id)) {
            self.drop_table(id).map_err(|error| fault_of(&error))?;
        }
        for (id, table) in tables
            .iter()
            .filter(|(id, table)| there.get(*id) != Some(*table))
        {
            self.set_rows(id, &script_rows(table))?;
        }
        Ok(())
    }

    fn drop_table(&self, id: &Name) -> mlua::Result<()> {
        self.shared.rows.borrow_mut().remove(id);
        self.prelude
            .get::<Table>("indexes")?
            .set(&**id, mlua::Value::Nil)
    }

    /// Gives a table other rows.
    ///
    /// # Errors
    /// When the machine is out of memory.
    pub(crate) fn set_rows(&self, id: &Name, rows: &[ScriptRow]) -> Result<(), Fault> {
        // What rules have read of a table is nothing that answers are told of.
        self.shared.answers.clear();
        self.shared
            .rows
            .borrow_mut()
            .insert(id.clone(), Rc::new(RowIndex::new(rows)));
        self.index_table(id, rows).map_err(|error| fault_of(&error))
    }

    fn index_table(&self, id: &Name, rows: &[ScriptRow]) -> mlua::Result<()> {
        let tables = self.shared.tables()?;
        let index = self.lua.create_table()?;
        let (all, marks, root) = (
            self.lua.create_table()?,
            self.lua.create_table()?,
            self.lua.create_table()?,
        );
        for row in rows {
            let cells = self.lua.create_table()?;
            for (name, value) in &row.cells {
                cells.raw_set(&**name, to_lua(&self.lua, &tables, value)?)?;
            }
            cells.set_readonly(true);
            all.push(&cells)?;
            marks.push(&*row.mark)?;
            self.index_row(&tables, &root, row, cells)?;
        }
        all.set_readonly(true);
        index.set("rows", all)?;
        index.set("marks", marks)?;
        index.set("by", root)?;
        let indexes: Table = self.prelude.get("indexes")?;
        indexes.set(&**id, index)
    }

    fn index_row(
        &self,
        tables: &Metatables,
        root: &Table,
        row: &ScriptRow,
        cells: Table,
    ) -> mlua::Result<()> {
        let mut level = root.clone();
        for (depth, key) in row.key.iter().enumerate() {
            let key = to_lua(&self.lua, tables, key)?;
            let next = match level.raw_get::<Option<Table>>(&key)? {
                Some(next) => next,
                None => {
                    let next = self.lua.create_table()?;
                    level.raw_set(key, &next)?;
                    next
                }
            };
            if depth + 1 == row.key.len() {
                next.raw_set("row", &cells)?;
                next.raw_set("mark", &*row.mark)?;
                return Ok(());
            }
            level = match next.raw_get::<Option<Table>>("by")? {
                Some(by) => by,
                None => {
                    let by = self.lua.create_table()?;
                    next.raw_set("by", &by)?;
                    by
                }
            };
        }
        Ok(())
    }

    /// The cells of rows that a script gave for a table, or what is wrong with
    /// a row.
    pub(crate) fn cells_of(&self, rows: &dyn Any, table: &DataTable) -> Vec<Result<Cells, Fault>> {
        let Some(rows) = rows.downcast_ref::<Table>() else {
            return Vec::new();
        };
        let cells = |row: LuaValue| match row {
            LuaValue::Table(row) => self.cells(table, &row),
            other => Err(no_row(table, &describe(&other))),
        };
        rows.sequence_values::<LuaValue>()
            .flatten()
            .map(cells)
            .collect()
    }

    fn cells(&self, table: &DataTable, row: &Table) -> Result<Cells, Fault> {
        let mut cells = Cells::new();
        for (name, value) in row.pairs::<LuaValue, LuaValue>().flatten() {
            let LuaValue::String(name) = name else {
                let message = format!(
                    "expected cells of `{}` by name, found {}",
                    table.id,
                    describe(&name)
                );
                return Err(Fault::new(FaultCode::BadRow, message));
            };
            let name = name.to_string_lossy();
            let field = table
                .key
                .iter()
                .chain(table.columns.iter())
                .find(|field| *field.name == *name);
            let value = self.value(&value, field.map_or(&Type::Any, |field| &field.ty));
            let value = value
                .map_err(|m| Fault::mismatch(&format!("table `{}`, `{name}`", table.id), &m))?;
            cells.insert(Arc::from(name), value);
        }
        Ok(cells)
    }

    /// A Luau value of a type: a cell that a rules file wrote.
    fn value(&self, value: &LuaValue, ty: &Type) -> Result<Value, kernel::value::Mismatch> {
        match self.shared.tables.borrow().as_ref() {
            Some(tables) => from_lua(tables, value, ty),
            None => Ok(Value::None),
        }
    }
}
