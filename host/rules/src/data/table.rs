//! Tables of the composed rules: rows found by a declared key, and who wrote
//! and changed each cell.
//!
//! ```text
//!   skirmish.damage.validity        key: weapon, band      columns: chits
//!   ["HEL", "close"]  ->  [3]       from skirmish, changed by steady_colonel
//! ```
//!
//! `add` refuses a row that is there and `amend` one that is not, so that a mod
//! says which it means. What two mods say about one cell must have a stated
//! order; the caller tells which orders are stated.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Field, Mismatch, Name, Value};
use kernel::world::{NoEntities, closest};

/// Whether one mod comes before another by a stated order: by dependency or
/// `after`, however many steps lie between.
pub type Stated<'a> = &'a dyn Fn(&str, &str) -> bool;

/// Who wrote a row or changed a cell, and for which clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// Where it is written; its module is the mod that wrote it.
    pub place: Place,
    /// The clauses that it carries out.
    pub cites: Arc<[Name]>,
}

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// Its cells, in the order of the table's columns.
    pub cells: Vec<Value>,
    /// Who added it.
    pub origin: Provenance,
    /// Who changed each cell last, if anyone did.
    pub changes: Vec<Option<Provenance>>,
    /// Its place among the rows as they were added.
    entered: usize,
}

/// A column whose words are keys of another table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeysOf {
    /// The column, or the field of the key.
    pub column: Name,
    /// The table that has them in the first field of its key.
    pub table: Name,
    /// Where that is said.
    pub place: Place,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its id.
    pub id: Name,
    /// What people call it.
    pub title: Name,
    /// The printed source.
    pub source: Name,
    /// The fields that find a row.
    pub key: Arc<[Field]>,
    /// What a row says.
    pub columns: Arc<[Field]>,
    /// What cells of the last columns hold where a row does not say: those that
    /// other mods added.
    defaults: Vec<Value>,
    /// Whether it is one of the main tables, which the play sheet has.
    pub on_sheet: bool,
    /// Columns whose words are keys of other tables.
    pub keys_of: Vec<KeysOf>,
    rows: BTreeMap<Vec<Value>, TableRow>,
    removed: BTreeMap<Vec<Value>, Provenance>,
    /// How many rows have been added.
    entries: usize,
}

/// That two mods which say the same thing have a stated order.
///
/// # Errors
/// When they have none.
pub(super) fn in_stated_order(
    what: &str,
    first: &Place,
    then: &Place,
    stated: Stated<'_>,
) -> Result<(), Fault> {
    let (a, b) = (&first.module, &then.module);
    if a == b || stated(a, b) {
        return Ok(());
    }
    let message = format!(
        "expected a stated order between the mods `{a}` and `{b}`, found that both write {what}"
    );
    let hint = format!("the other is {first}; write `after: [\"{a}\"]` in the manifest of `{b}`");
    Err(Fault::new(FaultCode::Conflict, message)
        .at(then.clone())
        .hint(hint))
}

/// The named cells of a row, or some of them.
pub type Cells = BTreeMap<Name, Value>;

impl Table {
    /// A table without rows.
    pub fn new(id: Name, title: Name, source: Name, key: Vec<Field>, columns: Vec<Field>) -> Table {
        Table {
            id,
            title,
            source,
            key: key.into(),
            columns: columns.into(),
            defaults: Vec::new(),
            on_sheet: false,
            keys_of: Vec::new(),
            rows: BTreeMap::new(),
            removed: BTreeMap::new(),
            entries: 0,
        }
    }

    /// Adds a column, which every row has with its default.
    ///
    /// # Errors
    /// When there is a column of that name, or the default does not fit.
    pub fn widen(&mut self, column: Field, default: Value) -> Result<(), Fault> {
        if self
            .key
            .iter()
            .chain(self.columns.iter())
            .any(|field| field.name == column.name)
        {
            let message = format!(
                "expected a new column of table `{}`, found `{}` there already",
                self.id, column.name
            );
            return Err(Fault::new(FaultCode::Duplicate, message));
        }
        self.checked(&column, &default)?;
        for row in self.rows.values_mut() {
            row.cells.push(default.clone());
            row.changes.push(None);
        }
        self.columns = self.columns.iter().cloned().chain([column]).collect();
        self.defaults.push(default);
        Ok(())
    }

    /// How many columns its own mod declares.
    pub(super) fn own_columns(&self) -> usize {
        self.columns.len() - self.defaults.len()
    }

    /// Copies the rows of one word in a field of the key to another word, where
    /// that has none.
    pub(super) fn copy_rows(&mut self, field: usize, from: &str, to: &str, origin: &Provenance) {
        let is_from = |key: &[Value]| {
            key.get(field)
                .and_then(Value::as_text)
                .is_some_and(|word| *word == *from)
        };
        let found: Vec<(Vec<Value>, TableRow)> = self
            .rows()
            .filter(|(key, _)| is_from(key))
            .map(|(key, row)| (key.to_vec(), row.clone()))
            .collect();
        for (mut key, row) in found {
            if let Some(word) = key.get_mut(field) {
                *word = Value::text(to);
            }
            if !self.removed.contains_key(&key) {
                self.rows.entry(key).or_insert(TableRow {
                    origin: origin.clone(),
                    ..row
                });
            }
        }
    }

    /// The row of a key, given in the order of the key's fields.
    pub fn get(&self, key: &[Value]) -> Option<&TableRow> {
        self.rows.get(key)
    }

    /// The row of a key.
    ///
    /// # Errors
    /// When there is none.
    pub fn require(&self, key: &[Value]) -> Result<&TableRow, Fault> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    /// The words in the first field of its key, those of rows that were removed
    /// among them.
    pub fn first_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.rows.keys().chain(self.removed.keys());
        keys.filter_map(|key| key.first().and_then(Value::as_text))
    }

    /// A cell of a row by its name, and where it was written.
    pub fn cell_of<'t>(
        &'t self,
        key: &'t [Value],
        row: &'t TableRow,
        name: &str,
    ) -> Option<(&'t Value, &'t Place)> {
        if let Some(at) = self.key.iter().position(|field| *field.name == *name) {
            return Some((key.get(at)?, &row.origin.place));
        }
        let at = self.column(name)?;
        let change = row.changes.get(at).and_then(Option::as_ref);
        Some((row.cells.get(at)?, &change.unwrap_or(&row.origin).place))
    }

    /// One cell.
    pub fn cell(&self, key: &[Value], column: &str) -> Option<&Value> {
        self.get(key)?.cells.get(self.column(column)?)
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|field| *field.name == *name)
    }

    /// All rows, by key.
    pub fn rows(&self) -> impl Iterator<Item = (&[Value], &TableRow)> {
        self.rows.iter().map(|(key, row)| (key.as_slice(), row))
    }

    /// All rows as they were added, which is how they are printed.
    pub fn rows_as_added(&self) -> Vec<(&[Value], &TableRow)> {
        let mut rows: Vec<_> = self.rows().collect();
        rows.sort_by_key(|(_, row)| row.entered);
        rows
    }

    /// A row as a record of key and columns.
    pub fn record(&self, key: &[Value], row: &TableRow) -> Value {
        let names = self
            .key
            .iter()
            .chain(self.columns.iter())
            .map(|field| field.name.clone());
        let values = key.iter().chain(&row.cells).cloned();
        Value::Map(Arc::new(
            names
                .zip(values)
                .filter(|(_, value)| !value.is_none())
                .collect(),
        ))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When a cell is missing, unknown or of another type, when there is such a
    /// row, or when another mod removed it and no order is stated.
    pub fn add(
        &mut self,
        cells: &Cells,
        origin: Provenance,
        stated: Stated<'_>,
    ) -> Result<(), Fault> {
        let key = self.key_of(cells)?;
        self.check_names(cells)?;
        if let Some(row) = self.rows.get(&key) {
            self.check_order(&key, &row.origin, &origin, stated)?;
            let message = format!(
                "expected a new row of table `{}`, found {} there already",
                self.id,
                self.say(&key)
            );
            let fault = Fault::new(FaultCode::BadRow, message).at(origin.place);
            return Err(fault.hint(format!(
                "it is from {}; to change it use `amend`",
                row.origin.place
            )));
        }
        if let Some(remover) = self.removed.get(&key) {
            self.check_order(&key, remover, &origin, stated)?;
        }
        let own = self.own_columns();
        let default = |place: usize| {
            place
                .checked_sub(own)
                .and_then(|place| self.defaults.get(place))
        };
        let value = |(place, field): (usize, &Field)| {
            let cell = cells.get(&field.name).or_else(|| default(place));
            self.checked(field, cell.unwrap_or(&Value::None))
        };
        let values = self
            .columns
            .iter()
            .enumerate()
            .map(value)
            .collect::<Result<Vec<_>, _>>();
        let values = values.map_err(|fault| fault.at(origin.place.clone()))?;
        let changes = vec![None; values.len()];
        self.removed.remove(&key);
        let entered = self.entries;
        self.entries += 1;
        self.rows.insert(
            key,
            TableRow {
                cells: values,
                origin,
                changes,
                entered,
            },
        );
        Ok(())
    }

    /// Changes cells of a row; the cells of the key say which.
    ///
    /// # Errors
    /// When a cell is unknown or of another type, when there is no such row, or
    /// when a mod changed the same cell and no order is stated.
    pub fn amend(
        &mut self,
        cells: &Cells,
        origin: Provenance,
        stated: Stated<'_>,
    ) -> Result<(), Fault> {
        let key = self.key_of(cells)?;
        self.check_names(cells)?;
        let row = self.existing(&key, &origin, stated)?;
        self.check_order(&key, &row.origin, &origin, stated)?;
        let mut row = row.clone();
        for (i, field) in self.columns.iter().enumerate() {
            let Some(value) = cells.get(&field.name) else {
                continue;
            };
            if let Some(Some(last)) = row.changes.get(i) {
                self.check_order(&key, last, &origin, stated)?;
            }
            let value = self
                .checked(field, value)
                .map_err(|fault| fault.at(origin.place.clone()))?;
            if let (Some(cell), Some(change)) = (row.cells.get_mut(i), row.changes.get_mut(i)) {
                *cell = value;
                *change = Some(origin.clone());
            }
        }
        self.rows.insert(key, row);
        Ok(())
    }

    /// Removes a row.
    ///
    /// # Errors
    /// When there is no such row, or when a mod added or changed it and no
    /// order is stated.
    pub fn remove(
        &mut self,
        cells: &Cells,
        origin: Provenance,
        stated: Stated<'_>,
    ) -> Result<(), Fault> {
        let key = self.key_of(cells)?;
        if let Some(name) = cells
            .keys()
            .find(|name| self.key.iter().all(|field| field.name != **name))
        {
            let message = format!(
                "expected only the key of a row of table `{}` to remove, found `{name}`",
                self.id
            );
            return Err(Fault::new(FaultCode::BadRow, message).at(origin.place));
        }
        let row = self.existing(&key, &origin, stated)?;
        for earlier in std::iter::once(&row.origin).chain(row.changes.iter().flatten()) {
            self.check_order(&key, earlier, &origin, stated)?;
        }
        self.rows.remove(&key);
        self.removed.insert(key, origin);
        Ok(())
    }

    /// The key in some named cells.
    ///
    /// # Errors
    /// When a field of it is missing or of another type.
    pub fn key_of(&self, cells: &Cells) -> Result<Vec<Value>, Fault> {
        let value =
            |field: &Field| self.checked(field, cells.get(&field.name).unwrap_or(&Value::None));
        self.key.iter().map(value).collect()
    }

    fn existing(
        &self,
        key: &[Value],
        origin: &Provenance,
        stated: Stated<'_>,
    ) -> Result<&TableRow, Fault> {
        if let Some(row) = self.rows.get(key) {
            return Ok(row);
        }
        let fault = self.missing(key).at(origin.place.clone());
        match self.removed.get(key) {
            Some(remover) => {
                self.check_order(key, remover, origin, stated)?;
                Err(fault.hint(format!("it was removed by {}", remover.place)))
            }
            None if fault.hint.is_none() => Err(fault.hint("to put in a new row use `add`")),
            None => Err(fault),
        }
    }

    fn missing(&self, key: &[Value]) -> Fault {
        let wanted = self.say(key);
        let fault = Fault::new(
            FaultCode::BadRow,
            format!(
                "expected a row of table `{}`, found none for {wanted}",
                self.id
            ),
        );
        let rows: Vec<String> = self.rows.keys().map(|key| self.say(key)).collect();
        match closest(&wanted, rows.iter().map(String::as_str)) {
            Some(near) => fault.hint(format!("did you mean {near}?")),
            None => fault,
        }
    }

    /// Two mods that meet in one row must have a stated order.
    fn check_order(
        &self,
        key: &[Value],
        first: &Provenance,
        then: &Provenance,
        stated: Stated<'_>,
    ) -> Result<(), Fault> {
        let what = format!("{} of table `{}`", self.say(key), self.id);
        in_stated_order(&what, &first.place, &then.place, stated)
    }

    fn check_names(&self, cells: &Cells) -> Result<(), Fault> {
        let known = self.key.iter().chain(self.columns.iter());
        match cells
            .keys()
            .find(|name| known.clone().all(|field| field.name != **name))
        {
            Some(name) => Err(self.unknown_column(name)),
            None => Ok(()),
        }
    }

    /// The fault of a column that is not there.
    pub(crate) fn unknown_column(&self, name: &str) -> Fault {
        let known = || {
            self.key
                .iter()
                .chain(self.columns.iter())
                .map(|field| &*field.name)
        };
        let message = format!("expected a column of table `{}`, found `{name}`", self.id);
        let fault = Fault::new(FaultCode::BadRow, message);
        match closest(name, known()) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault.hint(format!(
                "there are {}",
                known().collect::<Vec<_>>().join(", ")
            )),
        }
    }

    fn checked(&self, field: &Field, value: &Value) -> Result<Value, Fault> {
        let fits = field.ty.check(value, &NoEntities);
        fits.map_err(|m| self.mismatch_fault(&field.name, &m))?;
        Ok(value.clone())
    }

    /// The fault of a cell that does not fit.
    pub(crate) fn mismatch_fault(&self, name: &str, mismatch: &Mismatch) -> Fault {
        Fault::mismatch(&format!("`{name}` of table `{}`", self.id), mismatch)
    }

    fn say(&self, key: &[Value]) -> String {
        let field = |(field, value): (&Field, &Value)| {
            format!(
                "{} = {}",
                field.name,
                crate::types::write_value(value, &NoEntities)
            )
        };
        let cells: Vec<String> = self.key.iter().zip(key).map(field).collect();
        format!("({})", cells.join(", "))
    }
}
