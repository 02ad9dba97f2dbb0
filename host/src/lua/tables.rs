//! Tables of the composed rules, as scripts read them.

use std::collections::BTreeMap;

use kernel::error::Fault;
use kernel::value::{Name, Value};
use mlua::Table;

use crate::data::table::Table as DataTable;
use crate::lua::LuaHost;
use crate::lua::values::{Metatables, to_lua};
use crate::lua::vm::fault_of;
use crate::rulebook::compose::script_rows;

/// A row of a table for scripts.
#[derive(Clone, Debug)]
pub struct ScriptRow {
    /// Its key.
    pub key: Vec<Value>,
    /// Key and columns by name.
    pub cells: Vec<(Name, Value)>,
    /// What coverage calls it.
    pub mark: Name,
}

/// The rows of a table, as components read them.
#[cfg(feature = "wasm")]
pub(crate) struct RowIndex {
    /// All rows, by key.
    pub rows: Vec<ScriptRow>,
    /// The place of the row of a key.
    pub by_key: BTreeMap<Vec<Value>, usize>,
}

#[cfg(feature = "wasm")]
impl RowIndex {
    fn new(rows: &[ScriptRow]) -> RowIndex {
        let by_key = rows.iter().enumerate().map(|(i, row)| (row.key.clone(), i)).collect();
        RowIndex { rows: rows.to_vec(), by_key }
    }
}

impl LuaHost {
    /// Puts tables in place, for `rules.table(id):get(...)`; those that are there
    /// already as they shall be stay as they are.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn set_tables(
        &self,
        tables: &BTreeMap<Name, DataTable>,
        there: &BTreeMap<Name, DataTable>,
    ) -> Result<(), Fault> {
        self.shared.known.borrow_mut().insert("table", tables.keys().cloned().collect());
        for id in there.keys().filter(|id| !tables.contains_key(*id)) {
            self.drop_table(id).map_err(|error| fault_of(&error))?;
        }
        for (id, table) in tables.iter().filter(|(id, table)| there.get(*id) != Some(*table)) {
            self.set_rows(id, &script_rows(table))?;
        }
        Ok(())
    }

    fn drop_table(&self, id: &Name) -> mlua::Result<()> {
        #[cfg(feature = "wasm")]
        self.shared.rows.borrow_mut().remove(id);
        self.prelude.get::<Table>("indexes")?.set(&**id, mlua::Value::Nil)
    }

    /// Gives a table other rows.
    ///
    /// # Errors
    /// When the machine is out of memory.
    pub(crate) fn set_rows(&self, id: &Name, rows: &[ScriptRow]) -> Result<(), Fault> {
        #[cfg(feature = "wasm")]
        self.shared.rows.borrow_mut().insert(id.clone(), std::rc::Rc::new(RowIndex::new(rows)));
        self.index_table(id, rows).map_err(|error| fault_of(&error))
    }

    fn index_table(&self, id: &Name, rows: &[ScriptRow]) -> mlua::Result<()> {
        let tables = self.shared.tables()?;
        let index = self.lua.create_table()?;
        let (all, marks, root) =
            (self.lua.create_table()?, self.lua.create_table()?, self.lua.create_table()?);
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
}
