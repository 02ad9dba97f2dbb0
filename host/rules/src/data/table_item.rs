//! Tables and changes to tables as mods write them.
//!
//! A row is a record (`(weapon: "HEL", band: "close", chits: 3)`) or, shorter,
//! a list in the order of key and columns (`["HEL", "close", 3]`). A record may
//! carry `cites` of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Field, Name, Type, is_word};
use serde::Deserialize;

use super::is_in_force;
use super::item::{Checked, ItemHeader};
use super::reader::{Datum, Entries, RawRon};
use super::sheet::SheetCell;
use super::table::{Cells, KeysOf, Provenance, Stated, Table};
use crate::types::{Records, from_ron, no_entities, parse_type};

/// A table as its mod declares it.
#[derive(Clone, Debug)]
pub struct TableItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// What people call it.
    pub title: Name,
    /// The printed source.
    pub source: Name,
    /// Whether the play sheet has it.
    pub on_sheet: bool,
    /// Name and type, as written, of what finds a row.
    pub key: Vec<(Name, String)>,
    /// Name and type, as written, of what a row says.
    pub columns: Vec<(Name, String)>,
    /// Columns whose words are keys of other tables.
    pub keys_of: Vec<KeysOf>,
    /// Its rows.
    pub rows: Vec<RowItem>,
}

/// Changes to the rows of a table of any mod.
#[derive(Clone, Debug)]
pub struct AmendItem {
    /// The table's id, clauses and place.
    pub header: ItemHeader,
    /// Rows to add.
    pub add: Vec<RowItem>,
    /// Rows to change: the key, and the cells that change.
    pub amend: Vec<RowItem>,
    /// Keys of rows to remove.
    pub remove: Vec<RowItem>,
}

/// A row as written.
#[derive(Clone, Debug)]
pub struct RowItem {
    /// Its cells.
    pub cells: RowCells,
    /// The clauses of this row alone; empty where those of the item hold.
    pub cites: Arc<[Name]>,
    /// Where it is written.
    pub place: Place,
}

/// The cells of a row as written.
#[derive(Clone, Debug)]
pub enum RowCells {
    /// By name.
    Named(Vec<(Name, Datum)>),
    /// In the order of key and columns.
    Listed(Vec<Datum>),
    /// Of a `.csv` file: the name of the column, where the first row has it, and
    /// the cell.
    Sheet(Vec<(Name, Place, SheetCell)>),
    /// Rows of a `.csv` file that are none, which is told with what is wrong in
    /// the cells of the others.
    Broken(Vec<Fault>),
}

impl TableItem {
    /// The table with those of its rows that are in force, and a fault for every
    /// type that does not parse and every row that does not fit.
    ///
    /// There is a table in any case, so that what names it is not found wrong as well.
    pub fn build(&self, records: &Records, active: &BTreeSet<Name>) -> (Table, Vec<Fault>) {
        let mut faults = Vec::new();
        let key = fields(&self.key, records, &self.header.place, &mut faults);
        let columns = fields(&self.columns, records, &self.header.place, &mut faults);
        let (id, title, source) = (
            self.header.id.clone(),
            self.title.clone(),
            self.source.clone(),
        );
        let mut table = Table::new(id, title, source, key, columns);
        table.on_sheet = self.on_sheet;
        for keys in &self.keys_of {
            let is_column = table
                .key
                .iter()
                .chain(table.columns.iter())
                .any(|one| one.name == keys.column);
            match is_column {
                true => table.keys_of.push(keys.clone()),
                false => faults.push(table.unknown_column(&keys.column).at(keys.place.clone())),
            }
        }
        for row in self
            .rows
            .iter()
            .filter(|row| is_in_force(&row.cites, active))
        {
            // One mod alone needs no stated order.
            change(&mut table, row, &self.header, &|table, cells, origin| {
                table.add(cells, origin, &|_, _| false)
            })
            .unwrap_or_else(|found| faults.extend(found));
        }
        (table, once(faults))
    }
}

impl AmendItem {
    /// All its rows, whatever is done with them.
    pub fn rows(&self) -> impl Iterator<Item = &RowItem> {
        self.add.iter().chain(&self.amend).chain(&self.remove)
    }

    /// Changes a table: first removes, then amends, then adds those rows that
    /// are in force.
    ///
    /// # Errors
    /// Every row that does not fit the table, or meets that of a mod without a
    /// stated order.
    pub fn apply(
        &self,
        table: &mut Table,
        active: &BTreeSet<Name>,
        stated: Stated<'_>,
    ) -> Result<(), Vec<Fault>> {
        type Change<'a> = &'a dyn Fn(&mut Table, &Cells, Provenance) -> Result<(), Fault>;
        let parts: [(&[RowItem], Change<'_>); 3] = [
            (&self.remove, &|table, cells, origin| {
                table.remove(cells, origin, stated)
            }),
            (&self.amend, &|table, cells, origin| {
                table.amend(cells, origin, stated)
            }),
            (&self.add, &|table, cells, origin| {
                table.add(cells, origin, stated)
            }),
        ];
        let mut faults = Vec::new();
        for (rows, act) in parts {
            for row in rows.iter().filter(|row| is_in_force(&row.cites, active)) {
                change(table, row, &self.header, act).unwrap_or_else(|found| faults.extend(found));
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(once(faults))
        }
    }
}

/// What is wrong with the first row of a sheet would be told of every other.
fn once(faults: Vec<Fault>) -> Vec<Fault> {
    let mut reported = BTreeSet::new();
    let is_new = |fault: &Fault| reported.insert((fault.place.clone(), fault.message.clone()));
    faults.into_iter().filter(is_new).collect()
}

fn change(
    table: &mut Table,
    row: &RowItem,
    header: &ItemHeader,
    act: &dyn Fn(&mut Table, &Cells, Provenance) -> Result<(), Fault>,
) -> Result<(), Vec<Fault>> {
    let cells = row.cells_of(table)?;
    let cites = if row.cites.is_empty() {
        header.cites.clone()
    } else {
        row.cites.clone()
    };
    let origin = Provenance {
        place: row.place.clone(),
        cites,
    };
    act(table, &cells, origin).map_err(|fault| vec![fault.at(row.place.clone())])
}

fn fields(
    declared: &[(Name, String)],
    records: &Records,
    place: &Place,
    faults: &mut Vec<Fault>,
) -> Vec<Field> {
    let mut field = |(name, ty): &(Name, String)| {
        let ty = parse_type(ty, records).unwrap_or_else(|fault| {
            faults.push(fault.at(place.clone()));
            Type::Any
        });
        Field {
            name: name.clone(),
            ty,
        }
    };
    declared.iter().map(&mut field).collect()
}

impl RowItem {
    /// The cells with the types of a table.
    fn cells_of(&self, table: &Table) -> Result<Cells, Vec<Fault>> {
        let fields = || table.key.iter().chain(table.columns.iter());
        let mut cells = Cells::new();
        let mut faults = Vec::new();
        let mut read =
            |field: &Field, datum: &Datum| match from_ron(&field.ty, &datum.value, &no_entities) {
                Ok(value) => {
                    cells.insert(field.name.clone(), value);
                }
                Err(m) => faults.push(
                    table
                        .mismatch_fault(&field.name, &m)
                        .at(datum.place.clone()),
                ),
            };
        let mut unknown = Vec::new();
        match &self.cells {
            RowCells::Sheet(items) => return self.cells_of_sheet(table, items),
            RowCells::Broken(faults) => return Err(faults.clone()),
            RowCells::Listed(items) => {
                let all = table.key.len() + table.columns.len();
                // Columns that other mods added may be left out.
                let own = table.key.len() + table.own_columns();
                if !(own..=all).contains(&items.len()) && items.len() != table.key.len() {
                    let message = format!(
                        "expected {all} cells in a row of `{}`, found {}",
                        table.id,
                        items.len()
                    );
                    return Err(vec![
                        Fault::new(FaultCode::BadRow, message).at(self.place.clone()),
                    ]);
                }
                fields()
                    .zip(items)
                    .for_each(|(field, datum)| read(field, datum));
            }
            RowCells::Named(items) => {
                for (name, datum) in items {
                    match fields().find(|field| field.name == *name) {
                        Some(field) => read(field, datum),
                        None => unknown.push(table.unknown_column(name).at(datum.place.clone())),
                    }
                }
            }
        }
        faults.extend(unknown);
        if faults.is_empty() {
            Ok(cells)
        } else {
            Err(faults)
        }
    }

    /// A column that is not there is told where the first row names it.
    fn cells_of_sheet(
        &self,
        table: &Table,
        items: &[(Name, Place, SheetCell)],
    ) -> Result<Cells, Vec<Fault>> {
        let mut cells = Cells::new();
        let mut faults = Vec::new();
        for (name, head, cell) in items {
            let mut fields = table.key.iter().chain(table.columns.iter());
            match fields
                .find(|field| field.name == *name)
                .map(|field| cell.value(&field.ty))
            {
                Some(Ok(value)) => drop(cells.insert(name.clone(), value)),
                Some(Err(m)) => faults.push(table.mismatch_fault(name, &m).at(cell.place.clone())),
                None => faults.push(table.unknown_column(name).at(head.clone())),
            }
        }
        if faults.is_empty() {
            Ok(cells)
        } else {
            Err(faults)
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTable<'a> {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    on_sheet: bool,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(borrow)]
    key: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    columns: Vec<RawRon<'a>>,
    #[serde(default)]
    keys_of: BTreeMap<String, String>,
    #[serde(default, borrow)]
    rows: Option<RawRon<'a>>,
}

pub(super) fn read_table<'a>(raw: RawTable<'a>, checked: &mut Checked<'a, '_>) -> TableItem {
    let header = checked.header(&raw.id, &raw.cites);
    if raw.key.is_empty() {
        checked.fault(
            FaultCode::BadRow,
            format!(
                "expected a key that finds the rows of `{}`, found none",
                raw.id
            ),
        );
    }
    let mut taken = BTreeSet::new();
    TableItem {
        key: declared(&raw.key, &mut taken, checked),
        columns: declared(&raw.columns, &mut taken, checked),
        rows: rows(raw.rows, checked),
        keys_of: raw
            .keys_of
            .iter()
            .map(|(column, table)| keys_of(column, table, &header.place))
            .collect(),
        header,
        title: raw.title.into(),
        source: raw.source.into(),
        on_sheet: raw.on_sheet,
    }
}

fn keys_of(column: &str, table: &str, place: &Place) -> KeysOf {
    KeysOf {
        column: column.into(),
        table: table.into(),
        place: place.clone(),
    }
}

/// Rows that are added, changed and removed, in this order.
pub(super) fn amend_rows<'a>(
    header: ItemHeader,
    [add, amend, remove]: [Option<RawRon<'a>>; 3],
    checked: &mut Checked<'a, '_>,
) -> AmendItem {
    AmendItem {
        header,
        add: rows(add, checked),
        amend: rows(amend, checked),
        remove: rows(remove, checked),
    }
}

/// Names and types of a key or of columns: `("weapon", "text")`.
fn declared<'a>(
    pieces: &[RawRon<'a>],
    taken: &mut BTreeSet<String>,
    checked: &mut Checked<'a, '_>,
) -> Vec<(Name, String)> {
    let mut fields = Vec::new();
    for piece in pieces {
        let Some((name, ty)) = checked.read::<(String, String)>(piece) else {
            continue;
        };
        if !is_word(&name) || name == "cites" {
            let message = format!(
                "expected a name of lower case letters, digits, `_`, other than `cites`, found `{name}`"
            );
            checked.fault_at(piece, FaultCode::BadSignature, message);
        }
        if !taken.insert(name.clone()) {
            checked.fault_at(
                piece,
                FaultCode::Duplicate,
                format!("expected each column once, found `{name}` twice"),
            );
        }
        fields.push((Arc::from(name), ty));
    }
    fields
}

/// A list of rows, or the name of a `.csv` file that has them.
fn rows<'a>(piece: Option<RawRon<'a>>, checked: &mut Checked<'a, '_>) -> Vec<RowItem> {
    let Some(piece) = piece else {
        return Vec::new();
    };
    if checked.is_text(piece) {
        let name = checked.read::<String>(piece);
        return name.map_or_else(Vec::new, |name| checked.sheet(piece, &name));
    }
    let pieces = checked.read::<Vec<RawRon<'a>>>(piece).unwrap_or_default();
    pieces
        .iter()
        .filter_map(|piece| row(piece, checked))
        .collect()
}

fn row<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<RowItem> {
    let place = checked.place(piece);
    let mut cites: Arc<[Name]> = Arc::default();
    let cells = match checked.read::<Entries<'a>>(piece)? {
        Entries::Listed(items) => RowCells::Listed(
            items
                .into_iter()
                .map(|item| checked.datum(item))
                .collect::<Option<_>>()?,
        ),
        Entries::Named(entries) => {
            let mut cells = Vec::new();
            for (name, item) in entries {
                if name == "cites" {
                    let pieces = checked.read::<Vec<RawRon<'a>>>(item)?;
                    cites = checked.cites(&pieces);
                } else {
                    cells.push((Arc::from(name), checked.datum(item)?));
                }
            }
            RowCells::Named(cells)
        }
    };
    Some(RowItem {
        cells,
        cites,
        place,
    })
}
