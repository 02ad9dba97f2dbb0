//! What all items of a data file have in common, and the collecting of what is
//! wrong with one of them.

use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, is_id, is_word, owner_of};

use super::reader::{Datum, Entries, RawRon, RonReader, after_space};
use super::table_item::RowItem;

/// Id, clauses and place of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemHeader {
    /// Its id; for a change, the id of what it changes.
    pub id: Name,
    /// The clauses that it carries out.
    pub cites: Arc<[Name]>,
    /// Where it is written.
    pub place: Place,
}

/// One item while it is checked: every problem goes to the list of the file.
pub struct Checked<'a, 'f> {
    reader: &'f RonReader<'a>,
    place: Place,
    faults: &'f mut Vec<Fault>,
}

impl<'a, 'f> Checked<'a, 'f> {
    /// An item that stands in a piece of a file.
    pub fn new(
        reader: &'f RonReader<'a>,
        piece: RawRon<'a>,
        faults: &'f mut Vec<Fault>,
    ) -> Checked<'a, 'f> {
        Checked {
            reader,
            place: reader.place(piece),
            faults,
        }
    }

    /// The one item that is the whole of a file.
    pub fn of_file(reader: &'f RonReader<'a>, faults: &'f mut Vec<Fault>) -> Checked<'a, 'f> {
        Checked {
            reader,
            place: reader.beginning(),
            faults,
        }
    }

    /// Adds a fault; its place is the item's, unless it has one.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault.at(self.place.clone()));
    }

    /// A fault of the item as a whole.
    pub fn fault(&mut self, code: FaultCode, message: impl Into<String>) {
        self.push(Fault::new(code, message));
    }

    /// A fault in a piece of the item.
    pub fn fault_at(&mut self, piece: RawRon<'a>, code: FaultCode, message: impl Into<String>) {
        let place = self.reader.place(piece);
        self.push(Fault::new(code, message).at(place));
    }

    /// Where a piece stands.
    pub fn place(&self, piece: RawRon<'a>) -> Place {
        self.reader.place(piece)
    }

    /// The header of something that the mod owns.
    pub fn header(&mut self, id: &str, cites: &[RawRon<'a>]) -> ItemHeader {
        let module = self.reader.module();
        if is_id(id) && owner_of(id) != module {
            let message = format!("expected an id that begins with `{module}.`, found `{id}`");
            self.fault(FaultCode::WrongOwner, message);
        }
        self.header_of(id, cites)
    }

    /// The header of a change to something that any mod may own.
    pub fn header_of(&mut self, id: &str, cites: &[RawRon<'a>]) -> ItemHeader {
        if !is_id(id) {
            let message = format!("expected an id such as `skirmish.unit`, found `{id}`");
            self.fault(FaultCode::BadSignature, message);
        }
        ItemHeader {
            id: Arc::from(id),
            cites: self.cites(cites),
            place: self.place.clone(),
        }
    }

    /// Clause ids.
    pub fn cites(&mut self, cites: &[RawRon<'a>]) -> Arc<[Name]> {
        let mut ids: Vec<Name> = Vec::new();
        for piece in cites {
            let Some(id) = self.read::<String>(piece) else {
                continue;
            };
            if is_id(&id) {
                ids.push(Arc::from(id));
            } else {
                let message = format!(
                    "expected the id of a clause such as `skirmish.fire.range`, found `{id}`"
                );
                self.fault_at(piece, FaultCode::UnknownClause, message);
            }
        }
        ids.into()
    }

    /// Whether a piece is a list.
    pub fn is_list(&self, piece: RawRon<'a>) -> bool {
        after_space(piece.get_ron()).starts_with('[')
    }

    /// Whether a piece is a text in quotes.
    pub fn is_text(&self, piece: RawRon<'a>) -> bool {
        after_space(piece.get_ron()).starts_with('"')
    }

    /// The rows of a `.csv` file of the mod, which is named in a piece.
    pub fn sheet(&mut self, piece: RawRon<'a>, name: &str) -> Vec<RowItem> {
        let found = self.reader.sheet(name);
        let place = self.reader.place(piece);
        found.unwrap_or_else(|faults| {
            self.faults
                .extend(faults.into_iter().map(|fault| fault.at(place.clone())));
            Vec::new()
        })
    }

    /// A piece as a typed thing.
    pub fn read<T: serde::Deserialize<'a>>(&mut self, piece: RawRon<'a>) -> Option<T> {
        let read = self.reader.part(piece);
        self.keep(read)
    }

    /// A piece as a value whose type is not known yet.
    pub fn datum(&mut self, piece: RawRon<'a>) -> Option<Datum> {
        let read = self.reader.datum(piece);
        self.keep(read)
    }

    fn keep<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(fault) => {
                self.push(fault);
                None
            }
        }
    }

    /// Named entries; a list is a fault that says what was expected.
    pub fn named(&mut self, entries: Entries<'a>, expected: &str) -> Vec<(String, RawRon<'a>)> {
        match entries {
            Entries::Named(entries) => entries,
            Entries::Listed(items) if items.is_empty() => Vec::new(),
            Entries::Listed(_) => {
                self.fault(
                    FaultCode::Syntax,
                    format!("expected {expected}, found a list"),
                );
                Vec::new()
            }
        }
    }

    /// Named values whose names are words.
    pub fn values(&mut self, entries: Entries<'a>, expected: &str) -> Vec<(Name, Datum)> {
        let mut values = Vec::new();
        for (name, piece) in self.named(entries, expected) {
            self.word(&name, piece, expected);
            values.extend(self.datum(piece).map(|datum| (Arc::from(name), datum)));
        }
        values
    }

    /// Checks that a name is one word.
    pub fn word(&mut self, name: &str, piece: RawRon<'a>, expected: &str) {
        if !is_word(name) {
            let message = format!(
                "expected {expected}, found the name `{name}`: use lower case letters, digits, `_`"
            );
            self.fault_at(piece, FaultCode::BadSignature, message);
        }
    }
}
