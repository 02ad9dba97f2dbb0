//! Rows of tables in `.csv` files, as spreadsheets write them.
//!
//! The first row names columns, in any order; `cites` is one of them if rows have
//! clauses of their own. Cells are parted by commas, semicolons or tabs,
//! whichever the first row has. What a cell holds is read when its table is
//! known.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type, Value, is_id, is_word};

use super::lines::LineIndex;
use super::table_item::{RowCells, RowItem};
use crate::types::{self, no_entities};

/// What spreadsheets part cells by.
const DELIMITERS: [char; 3] = [',', ';', '\t'];

/// The column of a row's own clauses.
const CITES: &str = "cites";

/// A cell as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetCell {
    /// Its text, without the spaces around it.
    pub text: String,
    /// Where it is written.
    pub place: Place,
}

impl SheetCell {
    /// Its value; an empty cell is nothing, or an empty text.
    ///
    /// # Errors
    /// When it does not fit the type.
    pub fn value(&self, ty: &Type) -> Result<Value, kernel::value::Mismatch> {
        let plain = match ty {
            Type::Optional(_) if self.text.is_empty() => return Ok(Value::None),
            Type::Optional(inner) => inner,
            ty => ty,
        };
        match plain {
            Type::Text => Ok(Value::text(&self.text)),
            plain => types::parse_value(plain, &self.text, &no_entities),
        }
    }
}

/// The `.csv` files of a mod, by the names that tables call them by.
#[derive(Default)]
pub struct Sheets<'a> {
    texts: BTreeMap<&'a str, &'a str>,
    used: RefCell<BTreeSet<String>>,
}

impl<'a> Sheets<'a> {
    /// Those among the files of data: path and text.
    pub fn among(files: &[(&'a str, &'a str)]) -> Sheets<'a> {
        let texts = files.iter().filter(|(path, _)| path.ends_with(".csv"));
        let name = |path: &'a str| path.strip_prefix("data/").unwrap_or(path);
        Sheets {
            texts: texts.map(|(path, text)| (name(path), *text)).collect(),
            used: RefCell::default(),
        }
    }

    /// The rows of a file.
    ///
    /// Rows that are none are among them, told with the cells of the others.
    ///
    /// # Errors
    /// When it is not there, and everything that is wrong in it if its first row is.
    pub fn rows(&self, module: &str, name: &str) -> Result<Vec<RowItem>, Vec<Fault>> {
        let Some(text) = self.texts.get(name) else {
            let message = format!("expected a file `data/{name}` with rows, found none");
            let fault = Fault::new(FaultCode::BadRow, message);
            let near = kernel::world::closest(name, self.texts.keys().copied());
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "it stands beside the files of data, and its name ends in `.csv`".into(),
            };
            return Err(vec![fault.hint(hint)]);
        };
        self.used.borrow_mut().insert(name.to_string());
        Sheet::new(module, name, text).rows()
    }

    /// Files that no table asks for.
    pub fn unused(&self, module: &str) -> Vec<Fault> {
        let used = self.used.borrow();
        let left = self.texts.keys().filter(|name| !used.contains(**name));
        let fault = |name: &&str| {
            let message =
                format!("expected a `Table` or `Amend` with the rows of `{name}`, found none");
            let fault =
                Fault::new(FaultCode::BadRow, message).at(Place::new(module, place_of(name), 0));
            fault.hint(format!(
                "`rows: \"{name}\"` in a `Table`, `add: \"{name}\"` in an `Amend`"
            ))
        };
        left.map(fault).collect()
    }
}

fn place_of(name: &str) -> String {
    format!("data/{name}")
}

struct Sheet<'a> {
    module: &'a str,
    file: String,
    text: &'a str,
    lines: LineIndex,
    delimiter: char,
    faults: Vec<Fault>,
}

/// A row as it stands in the file.
struct FileRow {
    cells: Vec<SheetCell>,
    place: Place,
}

impl<'a> Sheet<'a> {
    fn new(module: &'a str, name: &str, text: &'a str) -> Sheet<'a> {
        let head = text.lines().next().unwrap_or_default();
        let delimiter = DELIMITERS
            .into_iter()
            .find(|delimiter| head.contains(*delimiter))
            .unwrap_or(',');
        Sheet {
            module,
            file: place_of(name),
            text,
            lines: LineIndex::of(text),
            delimiter,
            faults: Vec::new(),
        }
    }

    fn rows(mut self) -> Result<Vec<RowItem>, Vec<Fault>> {
        let mut records = self.records().into_iter();
        let Some(head) = records.next() else {
            let message = "expected the names of columns in the first row, found an empty file";
            return Err(vec![
                Fault::new(FaultCode::BadRow, message).at(self.place(1, 0)),
            ]);
        };
        let before = self.faults.len();
        let names = self.names(&head);
        let is_headed = self.faults.len() == before;
        let rows = records
            .filter_map(|record| self.row(&names, record))
            .collect();
        self.with_broken(rows, is_headed)
    }

    /// The rows, before them those that are none. Under a head that is none no
    /// row can be told from another.
    fn with_broken(
        self,
        mut rows: Vec<RowItem>,
        is_headed: bool,
    ) -> Result<Vec<RowItem>, Vec<Fault>> {
        if !self.faults.is_empty() && !is_headed {
            return Err(self.faults);
        }
        if !self.faults.is_empty() {
            let place = self.place(1, 0);
            rows.insert(
                0,
                RowItem {
                    cells: RowCells::Broken(self.faults),
                    cites: Arc::default(),
                    place,
                },
            );
        }
        Ok(rows)
    }

    fn place(&self, line: u32, column: u32) -> Place {
        Place {
            column,
            ..Place::new(self.module, self.file.as_str(), line)
        }
    }

    fn fault(&mut self, place: Place, message: String, hint: &str) {
        self.faults
            .push(Fault::new(FaultCode::BadRow, message).at(place).hint(hint));
    }

    fn records(&mut self) -> Vec<FileRow> {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter as u8)
            .from_reader(self.text.as_bytes());
        let mut records = Vec::new();
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).unwrap_or(false) {
            let (from, to) = (
                record.position().map_or(0, csv::Position::byte),
                reader.position().byte(),
            );
            records.extend(self.record(&record, from as usize, to as usize));
        }
        records
    }

    /// The cells of a record with their places; nothing of one whose last quote
    /// is not closed.
    fn record(&mut self, record: &StringRecord, from: usize, to: usize) -> Option<FileRow> {
        // Lines without anything are passed over by the reader, which stands before them.
        let blank = self
            .text
            .get(from..to)?
            .bytes()
            .take_while(|byte| matches!(byte, b'\n' | b'\r'))
            .count();
        let from = from + blank;
        let Starts {
            starts,
            open,
            after,
        } = starts(self.text.get(from..to)?, self.delimiter as u8);
        if let Some(after) = after {
            let message =
                "expected the end of a cell after the `\"` that closes it, found more".to_string();
            let hint = "a quote may be open since a row before; one within quotes is written twice: `\"\"`";
            self.fault(self.place_at(from + after), message, hint);
            return None;
        }
        if let Some(open) = open {
            let message = "expected `\"` to close a quote, found the end of the file".to_string();
            self.fault(
                self.place_at(from + open),
                message,
                "a quote within quotes is written twice: `\"\"`",
            );
            return None;
        }
        let cell = |(text, start): (&str, &usize)| SheetCell {
            text: text.trim().to_string(),
            place: self.place_at(from + start),
        };
        let cells = record.iter().zip(&starts).map(cell).collect();
        Some(FileRow {
            cells,
            place: self.place_at(from),
        })
    }

    fn place_at(&self, offset: usize) -> Place {
        let (line, column) = self.lines.place(self.text, offset);
        self.place(line, column)
    }

    fn names(&mut self, head: &FileRow) -> Vec<(Name, Place)> {
        let mut names: Vec<(Name, Place)> = Vec::new();
        for SheetCell { text, place } in &head.cells {
            if !is_word(text) {
                let message =
                    format!("expected the name of a column in the first row, found `{text}`");
                self.fault(
                    place.clone(),
                    message,
                    "lower case letters, digits, `_`, as its table has it",
                );
            } else if names.iter().any(|(there, _)| **there == **text) {
                let message = format!("expected each column once, found `{text}` twice");
                self.fault(place.clone(), message, "leave one of them out");
            }
            names.push((Arc::from(text.as_str()), place.clone()));
        }
        names
    }

    fn row(&mut self, names: &[(Name, Place)], record: FileRow) -> Option<RowItem> {
        if record.cells.iter().all(|cell| cell.text.is_empty()) {
            // What is left of a row that was deleted.
            return None;
        }
        if record.cells.len() != names.len() {
            let message = format!(
                "expected {} cells, as many as the first row has, found {}",
                names.len(),
                record.cells.len()
            );
            let place = record
                .cells
                .get(names.len())
                .map_or(&record.place, |extra| &extra.place);
            self.fault(
                place.clone(),
                message,
                "an empty cell keeps its comma; a text with a comma stands in quotes",
            );
            return None;
        }
        let mut cites = Vec::new();
        let mut cells = Vec::new();
        for ((name, head), cell) in names.iter().zip(record.cells) {
            if **name == *CITES {
                cites = self.cites(&cell);
            } else {
                cells.push((name.clone(), head.clone(), cell));
            }
        }
        Some(RowItem {
            cells: RowCells::Sheet(cells),
            cites: cites.into(),
            place: record.place,
        })
    }

    fn cites(&mut self, cell: &SheetCell) -> Vec<Name> {
        let mut cites = Vec::new();
        for id in cell.text.split_whitespace() {
            if is_id(id) {
                cites.push(Arc::from(id));
            } else {
                let message =
                    format!("expected ids of clauses such as `skirmish.fire.range`, found `{id}`");
                self.fault(cell.place.clone(), message, "several are parted by spaces");
            }
        }
        cites
    }
}

/// Where the cells of a row begin, and what is wrong with its quotes.
#[derive(Default)]
struct Starts {
    starts: Vec<usize>,
    /// A quote that nobody closes.
    open: Option<usize>,
    /// What first stands between a quote that closes a cell and the end of that.
    after: Option<usize>,
}

fn starts(row: &str, delimiter: u8) -> Starts {
    let mut found = Starts {
        starts: vec![0],
        ..Starts::default()
    };
    let (mut is_start, mut was_closed) = (true, false);
    let mut bytes = row.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let was_start = std::mem::take(&mut is_start);
        match (found.open, byte) {
            (None, b'"') if was_start => found.open = Some(at),
            (Some(_), b'"') if bytes.next_if(|(_, next)| *next == b'"').is_some() => {}
            (Some(_), b'"') => (found.open, was_closed) = (None, true),
            (None, byte) if byte == delimiter => {
                found.starts.push(at + 1);
                (is_start, was_closed) = (true, false);
            }
            (None, byte) if was_closed && !byte.is_ascii_whitespace() => {
                found.after = found.after.or(Some(at));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
