//! Tables of the composed rules: rows, what mods change of them, columns and
//! rows that come with what others add, and what a player amends.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type, Value};
use kernel::world::closest;

use super::Composer;
use crate::data::Data;
use crate::data::keys::unknown_keys;
use crate::data::table::{Cells, Provenance, Table};
use crate::data::table_item::TableItem;
use crate::data::vocabulary::{self, EnumExtension};
use crate::hosting::rows::no_row;
use crate::registration::{RawEdit, RawRows};
use crate::types::typed;

impl Composer<'_> {
    pub(super) fn tables(&mut self, edits: &[Rc<RawEdit>]) {
        let mods: Vec<&Data> = self.recipe.mods.iter().map(|module| module.data).collect();
        let shared = self.shared_tables(&mods, edits);
        for item in mods.iter().flat_map(|data| &data.tables) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            let id = &item.header.id;
            let table = match shared.as_ref().filter(|shared| !shared.contains(id)) {
                Some(_) => self.alone(item),
                None => self.built(item),
            };
            self.tables.insert(id.clone(), table);
        }
        self.widen_tables(&mods);
        let before = self.faults.len();
        for item in mods.iter().flat_map(|data| &data.amends) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            let Some(mut table) = self.table(&item.header.id, &item.header.place) else {
                continue;
            };
            match item.apply(&mut table, &self.active, self.recipe.stated) {
                Ok(()) => {
                    self.tables.insert(item.header.id.clone(), Arc::new(table));
                }
                Err(faults) => self.faults.extend(faults),
            }
        }
        for edit in edits {
            self.edit(edit);
        }
        if self.faults.len() > before {
            self.misspelt_keys();
        }
        self.fill_rows(&mods);
        self.amendments();
    }

    /// Rows that are changed and are not there may be so because they are misspelt
    /// where they are added: that is told as well, and not only once all others are
    /// mended.
    fn misspelt_keys(&mut self) {
        let mut found = Vec::new();
        for table in self.tables.values() {
            for keys in &table.keys_of {
                let other = self.tables.get(&keys.table);
                found.extend(
                    other
                        .into_iter()
                        .flat_map(|other| unknown_keys(table, keys, other)),
                );
            }
        }
        let is_near = |fault: &Fault| {
            let hint = fault.hint.as_deref();
            hint.is_some_and(|hint| hint.starts_with("did you mean"))
        };
        self.faults.extend(found.into_iter().filter(is_near));
    }

    /// The tables in which somebody else than their own item has a part; `None`
    /// where that may be all of them.
    fn shared_tables(&self, mods: &[&Data], edits: &[Rc<RawEdit>]) -> Option<BTreeSet<Name>> {
        if mods.iter().any(|data| !data.more_values.is_empty()) {
            return None;
        }
        let mut shared: BTreeSet<Name> = edits.iter().map(|edit| edit.table.clone()).collect();
        for data in mods {
            shared.extend(data.more_columns.iter().map(|item| item.header.id.clone()));
            shared.extend(data.amends.iter().map(|item| item.header.id.clone()));
        }
        shared.extend(
            self.recipe
                .amends
                .iter()
                .map(|amendment| amendment.table.clone()),
        );
        Some(shared)
    }

    fn built(&mut self, item: &TableItem) -> Arc<Table> {
        let (table, faults) = item.build(&self.records, &self.active);
        self.faults.extend(faults);
        Arc::new(table)
    }

    /// A table in which nobody else has a part: if the machine holds it with the
    /// same rows, it is that one.
    fn alone(&mut self, item: &TableItem) -> Arc<Table> {
        let id = &item.header.id;
        let rows: Vec<bool> = item.rows.iter().map(|row| self.is_on(&row.cites)).collect();
        let there = self
            .held
            .tables
            .get(id)
            .filter(|_| self.held.rows.get(id) == Some(&rows));
        let table = match there.filter(|_| self.has_held_records) {
            Some(there) => there.clone(),
            None => self.built(item),
        };
        self.table_rows.insert(id.clone(), rows);
        table
    }

    /// The columns that other mods add.
    fn widen_tables(&mut self, mods: &[&Data]) {
        for item in mods.iter().flat_map(|data| &data.more_columns) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            let Some(mut table) = self.table(&item.header.id, &item.header.place) else {
                continue;
            };
            match item.apply(&mut table, &self.records) {
                Ok(()) => drop(self.tables.insert(item.header.id.clone(), Arc::new(table))),
                Err(faults) => self.faults.extend(faults),
            }
        }
    }

    /// Rows of values that other mods add to enums, by those that they are like.
    fn fill_rows(&mut self, mods: &[&Data]) {
        let more: Vec<&EnumExtension> = mods.iter().flat_map(|data| &data.more_values).collect();
        if more.is_empty() {
            return;
        }
        for item in mods.iter().flat_map(|data| &data.tables) {
            if let Some(table) = self.tables.get_mut(&item.header.id) {
                vocabulary::fill_rows(Arc::make_mut(table), &item.key, &more);
            }
        }
    }

    /// What a player changes, after all mods.
    fn amendments(&mut self) {
        let mut changed = BTreeSet::new();
        for amendment in self.recipe.amends {
            let place = amendment.place();
            if !changed.insert((&amendment.table, &amendment.key, &amendment.column)) {
                let message = "expected each cell once, found it amended twice";
                self.fault(&place, FaultCode::Duplicate, message);
                continue;
            }
            let Some(mut table) = self.table(&amendment.table, &place) else {
                continue;
            };
            if self.keep(&place, amendment.apply(&mut table)).is_some() {
                self.tables.insert(amendment.table.clone(), Arc::new(table));
            }
        }
    }

    fn table(&mut self, id: &Name, place: &Place) -> Option<Table> {
        if let Some(table) = self.tables.get(id) {
            return Some((**table).clone());
        }
        let fault = Fault::new(
            FaultCode::UnknownTable,
            format!("no mod declares the table `{id}`"),
        );
        let fault = match closest(id, self.tables.keys().map(|id| &**id)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        };
        self.faults.push(fault.at(place.clone()));
        None
    }

    fn edit(&mut self, edit: &RawEdit) {
        let place = &edit.origin.place;
        let Some(mut table) = self.table(&edit.table, place) else {
            return;
        };
        for cells in self.rows_of(edit, &table) {
            let origin = Provenance {
                place: place.clone(),
                cites: edit.origin.cites.iter().cloned().collect(),
            };
            let done = match edit.verb.as_str() {
                "add" => table.add(&cells, origin, self.recipe.stated),
                "amend" => table.amend(&cells, origin, self.recipe.stated),
                _ => table.remove(&cells, origin, self.recipe.stated),
            };
            self.keep(place, done);
        }
        self.tables.insert(edit.table.clone(), Arc::new(table));
    }

    /// The cells of the rows that an edit gives.
    fn rows_of(&mut self, edit: &RawEdit, table: &Table) -> Vec<Cells> {
        let place = &edit.origin.place;
        let rows = match &edit.rows {
            RawRows::Script(rows) => self.host.cells(&**rows, table),
            RawRows::Values(rows) => rows.iter().map(|row| cells_of(table, row)).collect(),
        };
        rows.into_iter()
            .filter_map(|cells| self.keep(place, cells))
            .collect()
    }
}

/// The cells of a row of values that have no types yet.
fn cells_of(table: &Table, row: &Value) -> Result<Cells, Fault> {
    let Value::Map(row) = row else {
        return Err(no_row(table, row.type_word()));
    };
    let mut cells = Cells::new();
    for (name, value) in row.iter() {
        let field = table
            .key
            .iter()
            .chain(table.columns.iter())
            .find(|field| field.name == *name);
        let ty = field.map_or(&Type::Any, |field| &field.ty);
        let value = typed(value.clone(), ty)
            .map_err(|m| Fault::mismatch(&format!("table `{}`, `{name}`", table.id), &m))?;
        cells.insert(name.clone(), value);
    }
    Ok(cells)
}
