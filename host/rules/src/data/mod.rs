//! What a mod says in data: `data/*.ron`, each file a list of items, and
//! `data/*.csv`, rows of tables that items name.
//!
//! | item | says |
//! |---|---|
//! | `Kind` | a kind of entity |
//! | `Record`, `Enum` | a named type |
//! | `Extend` | more for a kind, an enum, a record or a table of another mod |
//! | `Table` | a table with a declared key |
//! | `Amend` | rows of a table added, changed, removed; other chits, cards or attributes |
//! | `Pot` | a pot of chits |
//! | `Deck` | a deck of cards |
//! | `Event` | an event and how it reads in a report |
//! | `Template` | a unit or a group of units that scenarios place |
//!
//! Reading checks what one file can tell. Types may name records of other
//! mods, so cells and defaults keep their RON value and place until
//! composition, which calls the `build` of each item with all [`Records`].
//!
//! [`Records`]: crate::types::Records

pub mod amended;
pub mod brief;
pub mod deck;
pub mod item;
pub mod keys;
pub mod kind;
mod lines;
pub mod moment;
pub mod reader;
mod ron_words;
pub mod sheet;
pub mod table;
pub mod table_item;
pub mod template;
pub mod vocabulary;
pub mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use kernel::book::EventKind;
use kernel::chits::Composition;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Field, Name, is_word};
use rayon::prelude::*;
use serde::Deserialize;

use crate::types::{Records, named_records, parse_fields};
use amended::{Amended, MixAmend, MixSort, RawAmend, TemplateAmend};
use brief::RawBrief;
use deck::{DeckItem, RawDeck};
use item::{Checked, ItemHeader};
use kind::{Extension, KindItem, RawKind};
use reader::{Entries, RawRon, RonReader};
use sheet::Sheets;
use table_item::{AmendItem, RawTable, TableItem};
use template::{RawTemplate, TemplateItem};
use vocabulary::{
    ColumnExtension, EnumExtension, EnumItem, Extended, RawEnum, RawExtend, RecordExtension,
};

/// Fewer files than this are read on one core: to wake others takes longer.
const FEW: usize = 8;

/// All data of one mod, checked as far as it can be alone. Items stand in the
/// order of their files by name, and within a file as written.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Kinds of entities.
    pub kinds: Vec<KindItem>,
    /// Attributes for kinds of other mods.
    pub extensions: Vec<Extension>,
    /// Named record types.
    pub records: Vec<RecordItem>,
    /// Enums.
    pub enums: Vec<EnumItem>,
    /// Values for enums of other mods.
    pub more_values: Vec<EnumExtension>,
    /// Fields for records of other mods.
    pub more_fields: Vec<RecordExtension>,
    /// Columns for tables of other mods.
    pub more_columns: Vec<ColumnExtension>,
    /// Tables.
    pub tables: Vec<TableItem>,
    /// Changes to tables.
    pub amends: Vec<AmendItem>,
    /// Changes to pots and decks.
    pub mix_amends: Vec<MixAmend>,
    /// Changes to templates.
    pub template_amends: Vec<TemplateAmend>,
    /// Pots of chits.
    pub pots: Vec<PotItem>,
    /// Decks of cards.
    pub decks: Vec<DeckItem>,
    /// Events.
    pub events: Vec<EventItem>,
    /// Templates.
    pub templates: Vec<TemplateItem>,
    /// What is cited in them, once somebody asks.
    cited: OnceLock<Arc<DataCites>>,
}

/// What the data of a mod cites.
#[derive(Debug)]
pub struct DataCites {
    /// The clauses of kinds, events, pots, decks and templates, and of what changes
    /// them, by id.
    pub marked: Vec<(Name, Arc<[Name]>)>,
    /// The clauses of tables, by id.
    pub tables: Vec<(Name, Arc<[Name]>)>,
    /// Every clause that something cites, and where.
    pub places: Vec<(Name, Place)>,
}

/// A named record type.
#[derive(Clone, Debug)]
pub struct RecordItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// Its fields, as written.
    pub fields: String,
}

/// A pot of chits.
#[derive(Clone, Debug)]
pub struct PotItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// What people call it.
    pub title: Name,
    /// What it holds when nothing is out.
    pub chits: Composition,
}

/// An event.
#[derive(Clone, Debug)]
pub struct EventItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// The one word it goes under in a report.
    pub heading: Name,
    /// How it reads: `{field}` stands for a field.
    pub text: Name,
    /// Its fields, as written.
    pub fields: String,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
    /// How it reads in short reports, as written.
    pub brief: RawBrief,
}

impl EventItem {
    /// The event for the kernel.
    ///
    /// # Errors
    /// When a field's type does not parse.
    pub fn build(&self, records: &Records) -> Result<EventKind, Fault> {
        let fields = parse_fields(&self.fields, records)
            .map_err(|fault| fault.at(self.header.place.clone()))?;
        check_text(&self.header.id, &self.text, &fields)
            .map_err(|fault| fault.at(self.header.place.clone()))?;
        let brief = self.brief.build(&fields).map_err(|words| {
            Fault::new(
                FaultCode::BadSignature,
                format!("event `{}`: {words}", self.header.id),
            )
            .at(self.header.place.clone())
        })?;
        Ok(EventKind {
            id: self.header.id.clone(),
            fields: fields.into(),
            text: self.text.clone(),
            heading: self.heading.clone(),
            reveals: self.reveals.clone(),
            brief,
            module: self.header.place.module.clone(),
        })
    }
}

/// In the text of an event stand its fields.
///
/// # Errors
/// When there is something else in braces.
pub(crate) fn check_text(id: &str, text: &str, fields: &[Field]) -> Result<(), Fault> {
    let is_field = |name: &str| fields.iter().any(|field| *field.name == *name);
    let Some(name) = placeholders(text).into_iter().find(|name| !is_field(name)) else {
        return Ok(());
    };
    let message = format!("expected a field of event `{id}` in its text, found `{{{name}}}`");
    let fault = Fault::new(FaultCode::BadSignature, message);
    let near = kernel::world::closest(name, fields.iter().map(|field| &*field.name));
    Err(near.iter().fold(fault, |fault, near| {
        fault.hint(format!("did you mean `{{{near}}}`?"))
    }))
}

/// The words in braces of a text, in order.
pub fn placeholders(text: &str) -> Vec<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRecord<'a> {
    id: String,
    fields: String,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPot<'a> {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(borrow)]
    chits: Entries<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEventItem<'a> {
    id: String,
    heading: String,
    text: String,
    #[serde(default)]
    fields: String,
    #[serde(default)]
    reveals: Option<String>,
    #[serde(default)]
    depth: Option<String>,
    #[serde(default)]
    brief: Option<String>,
    #[serde(default)]
    story: Option<String>,
    #[serde(default)]
    tally: Option<String>,
    #[serde(default)]
    leads: bool,
    #[serde(default)]
    counts: Option<String>,
    #[serde(default)]
    role: Option<String>,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
enum RawItem<'a> {
    #[serde(borrow)]
    Kind(RawKind<'a>),
    Extend(RawExtend<'a>),
    Record(RawRecord<'a>),
    Enum(RawEnum<'a>),
    Table(RawTable<'a>),
    Amend(RawAmend<'a>),
    Pot(RawPot<'a>),
    Deck(RawDeck<'a>),
    Event(RawEventItem<'a>),
    Template(RawTemplate<'a>),
}

/// A piece of a file, and what it says.
type ParsedItem<'a> = (RawRon<'a>, Result<RawItem<'a>, Fault>);

/// What stands in a file, as far as its text alone says.
fn parse<'a>(reader: &RonReader<'a>) -> Result<Vec<ParsedItem<'a>>, Fault> {
    let pieces: Vec<RawRon<'a>> = reader.whole()?;
    Ok(pieces
        .into_iter()
        .map(|piece| (piece, reader.part(piece)))
        .collect())
}

impl Data {
    /// Reads the data files of a mod: relative path and text of each.
    ///
    /// # Errors
    /// Everything that is wrong in any of them.
    pub fn read<'a>(
        module: &str,
        files: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Data, Vec<Fault>> {
        let mut data = Data::default();
        let mut faults = Vec::new();
        let files: Vec<(&str, &str)> = files.collect();
        let sheets = Sheets::among(&files);
        let ron: Vec<&(&str, &str)> = files
            .iter()
            .filter(|(path, _)| !path.ends_with(".csv"))
            .collect();
        let reader = |(path, text): &(&'a str, &'a str)| RonReader::new(module, path, text);
        let parsed: Vec<_> = match ron.len() {
            ..FEW => ron.iter().map(|file| parse(&reader(file))).collect(),
            _ => ron.par_iter().map(|file| parse(&reader(file))).collect(),
        };
        for ((path, text), items) in ron.into_iter().zip(parsed) {
            let reader = RonReader::new(module, path, text).with_sheets(&sheets);
            match items {
                Ok(items) => data.take_file(&reader, items, &mut faults),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            faults.extend(sheets.unused(module));
        }
        data.check_twice(&mut faults);
        faults.sort_by(|a, b| a.place.cmp(&b.place));
        if faults.is_empty() {
            Ok(data)
        } else {
            Err(faults)
        }
    }

    fn take_file<'a>(
        &mut self,
        reader: &RonReader<'a>,
        items: Vec<ParsedItem<'a>>,
        faults: &mut Vec<Fault>,
    ) {
        for (piece, item) in items {
            let mut checked = Checked::new(reader, piece, faults);
            match item {
                Ok(item) => self.take(item, &mut checked),
                Err(fault) => checked.push(fault),
            }
        }
    }

    fn take<'a>(&mut self, item: RawItem<'a>, checked: &mut Checked<'a, '_>) {
        match item {
            RawItem::Kind(raw) => self.kinds.push(kind::read_kind(raw, checked)),
            RawItem::Extend(raw) => self.extend(vocabulary::read_extend(raw, checked)),
            RawItem::Enum(raw) => self.enums.push(vocabulary::read_enum(raw, checked)),
            RawItem::Record(raw) => self.records.push(RecordItem {
                header: checked.header(&raw.id, &raw.cites),
                fields: raw.fields,
            }),
            RawItem::Table(raw) => self.tables.push(table_item::read_table(raw, checked)),
            RawItem::Amend(raw) => self.amend(amended::read_amend(raw, checked)),
            RawItem::Pot(raw) => self.pots.extend(read_pot(raw, checked)),
            RawItem::Deck(raw) => self.decks.extend(deck::read_deck(raw, checked)),
            RawItem::Event(raw) => self.events.push(read_event(raw, checked)),
            RawItem::Template(raw) => self.templates.push(template::read_template(raw, checked)),
        }
    }

    fn extend(&mut self, extended: Option<Extended>) {
        match extended {
            Some(Extended::Kind(one)) => self.extensions.push(one),
            Some(Extended::Enum(one)) => self.more_values.push(one),
            Some(Extended::Record(one)) => self.more_fields.push(one),
            Some(Extended::Table(one)) => self.more_columns.push(one),
            None => {}
        }
    }

    fn amend(&mut self, amended: Option<Amended>) {
        match amended {
            Some(Amended::Table(one)) => self.amends.push(one),
            Some(Amended::Mix(one)) => self.mix_amends.push(one),
            Some(Amended::Template(one)) => self.template_amends.push(one),
            None => {}
        }
    }

    /// What changes pots, decks and templates.
    fn headers_of_amends(&self) -> impl Iterator<Item = &ItemHeader> {
        let mixes = self.mix_amends.iter().map(|item| &item.header);
        mixes.chain(self.template_amends.iter().map(|item| &item.header))
    }

    /// One sort of item may not use an id twice.
    fn check_twice(&self, faults: &mut Vec<Fault>) {
        twice("kind", self.kinds.iter().map(|x| &x.header), faults);
        let types = self
            .records
            .iter()
            .map(|x| &x.header)
            .chain(self.enums.iter().map(|x| &x.header));
        twice("record or enum", types, faults);
        twice("table", self.tables.iter().map(|x| &x.header), faults);
        twice("pot", self.pots.iter().map(|x| &x.header), faults);
        twice("deck", self.decks.iter().map(|x| &x.header), faults);
        twice("event", self.events.iter().map(|x| &x.header), faults);
        twice("template", self.templates.iter().map(|x| &x.header), faults);
    }

    /// What files may name by a plain name: what it is, and its id.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Name)> {
        let kinds = self.kinds.iter().map(|x| ("kind", &x.header.id));
        let tables = self.tables.iter().map(|x| ("table", &x.header.id));
        kinds
            .chain(tables)
            .chain(self.events.iter().map(|x| ("event", &x.header.id)))
    }

    /// The id of everything that may be another mod's and is extended or amended.
    pub fn changed(&self) -> impl Iterator<Item = &Name> {
        let headers = self.extensions.iter().map(|x| &x.header);
        let headers = headers.chain(self.more_values.iter().map(|x| &x.header));
        let headers = headers.chain(self.more_fields.iter().map(|x| &x.header));
        let headers = headers.chain(self.more_columns.iter().map(|x| &x.header));
        headers
            .chain(self.amends.iter().map(|x| &x.header))
            .chain(self.headers_of_amends())
            .map(|header| &header.id)
    }

    /// What is cited, put together once.
    pub fn cited(&self) -> &Arc<DataCites> {
        self.cited.get_or_init(|| {
            let kinds = self.kinds.iter().map(|item| &item.header);
            let marked = kinds.chain(self.extensions.iter().map(|item| &item.header));
            let marked = marked.chain(self.events.iter().map(|item| &item.header));
            let marked = marked.chain(self.pots.iter().map(|item| &item.header));
            let marked = marked.chain(self.decks.iter().map(|item| &item.header));
            let marked = marked.chain(self.templates.iter().map(|item| &item.header));
            let marked = marked.chain(self.headers_of_amends());
            let of = |header: &ItemHeader| (header.id.clone(), header.cites.clone());
            Arc::new(DataCites {
                marked: marked.map(of).collect(),
                tables: self.tables.iter().map(|item| of(&item.header)).collect(),
                places: self
                    .cites()
                    .map(|(clause, place)| (clause.clone(), place.clone()))
                    .collect(),
            })
        })
    }

    /// Every clause that is cited, with the place of the item.
    pub fn cites(&self) -> impl Iterator<Item = (&Name, &Place)> {
        let headers = self
            .kinds
            .iter()
            .map(|x| &x.header)
            .chain(self.extensions.iter().map(|x| &x.header));
        let headers = headers.chain(self.records.iter().map(|x| &x.header));
        let headers = headers.chain(self.tables.iter().map(|x| &x.header));
        let headers = headers.chain(self.more_columns.iter().map(|x| &x.header));
        let headers = headers.chain(self.amends.iter().map(|x| &x.header));
        let headers = headers.chain(self.headers_of_amends());
        let headers = headers.chain(self.pots.iter().map(|x| &x.header));
        let headers = headers.chain(self.decks.iter().map(|x| &x.header));
        let headers = headers.chain(self.events.iter().map(|x| &x.header));
        let headers = headers.chain(self.templates.iter().map(|x| &x.header));
        let of_items =
            headers.flat_map(|header| header.cites.iter().map(|cite| (cite, &header.place)));
        let rows = self
            .tables
            .iter()
            .flat_map(|x| &x.rows)
            .chain(self.amends.iter().flat_map(AmendItem::rows));
        of_items.chain(rows.flat_map(|row| row.cites.iter().map(|cite| (cite, &row.place))))
    }
}

fn twice<'a>(sort: &str, headers: impl Iterator<Item = &'a ItemHeader>, faults: &mut Vec<Fault>) {
    let mut seen: BTreeMap<&Name, &Place> = BTreeMap::new();
    for header in headers {
        match seen.get(&header.id) {
            Some(first) => faults.push(
                Fault::new(
                    FaultCode::Duplicate,
                    format!(
                        "expected each {sort} once, found `{}` again; the first is in {first}",
                        header.id
                    ),
                )
                .at(header.place.clone()),
            ),
            None => {
                seen.insert(&header.id, &header.place);
            }
        }
    }
}

fn read_pot<'a>(raw: RawPot<'a>, checked: &mut Checked<'a, '_>) -> Option<PotItem> {
    let header = checked.header(&raw.id, &raw.cites);
    let entries = checked.named(raw.chits, "chits with their numbers: {\"red\": 15}");
    let chits = MixSort::Pot.counts(entries, &header.id, checked);
    match Composition::new(chits) {
        Ok(chits) => Some(PotItem {
            header,
            title: raw.title.into(),
            chits,
        }),
        Err(error) => {
            checked.fault(FaultCode::BadPot, format!("pot `{}`: {error}", header.id));
            None
        }
    }
}

fn read_event<'a>(raw: RawEventItem<'a>, checked: &mut Checked<'a, '_>) -> EventItem {
    let header = checked.header(&raw.id, &raw.cites);
    if !is_word(&raw.heading) {
        let message = format!(
            "expected one lower case word as the heading of `{}`, found `{}`",
            raw.id, raw.heading
        );
        checked.fault(FaultCode::BadSignature, message);
    }
    if raw
        .reveals
        .as_ref()
        .is_some_and(|words| words.trim().is_empty())
    {
        let message = format!("`reveals` of `{}`: expected a sentence, found none", raw.id);
        checked.fault(FaultCode::BadSignature, message);
    }
    EventItem {
        header,
        heading: raw.heading.into(),
        text: raw.text.into(),
        fields: raw.fields,
        reveals: raw.reveals.map(Name::from),
        brief: RawBrief {
            depth: raw.depth,
            brief: raw.brief,
            story: raw.story,
            tally: raw.tally,
            leads: raw.leads,
            counts: raw.counts,
            role: raw.role,
        },
    }
}

/// The named record types of many mods together.
///
/// # Errors
/// Every declaration that does not parse or goes round in a circle.
pub fn records<'a>(mods: impl Iterator<Item = &'a Data>) -> Result<Records, Vec<Fault>> {
    let items: Vec<&RecordItem> = mods.flat_map(|data| &data.records).collect();
    let declared: Vec<(Name, &str)> = items
        .iter()
        .map(|item| (item.header.id.clone(), item.fields.as_str()))
        .collect();
    named_records(&declared, Records::new()).map_err(|faults| {
        let place = |(i, fault): (usize, Fault)| match items.get(i) {
            Some(item) => fault.at(item.header.place.clone()),
            None => fault,
        };
        faults.into_iter().map(place).collect()
    })
}

/// Whether something that cites these clauses is in force: all of them are
/// on.
pub fn is_in_force(cites: &[Name], active: &BTreeSet<Name>) -> bool {
    cites.iter().all(|clause| active.contains(clause))
}

#[cfg(test)]
mod tests;
