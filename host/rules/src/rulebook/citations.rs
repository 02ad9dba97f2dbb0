//! Which clause stands behind what, and where each clause is cited: put together
//! when somebody asks, for most rulebooks only play.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::Place;
use kernel::value::Name;

use super::Tables;
use crate::data::DataCites;
use crate::hosting::rows::row_mark;
use crate::registration::{Origin, Registrations};

/// What is cited, by what is in force of the files, and by all data.
pub(super) struct Citations {
    registered: Registrations,
    data: Vec<Arc<DataCites>>,
    cited: OnceCell<BTreeMap<Name, Vec<Place>>>,
    marks: OnceCell<BTreeMap<Name, Vec<Name>>>,
}

impl Citations {
    pub fn new(registered: Registrations, data: Vec<Arc<DataCites>>) -> Citations {
        Citations {
            registered,
            data,
            cited: OnceCell::new(),
            marks: OnceCell::new(),
        }
    }

    /// Every clause that something in force cites, with the places.
    pub fn cited(&self) -> &BTreeMap<Name, Vec<Place>> {
        self.cited.get_or_init(|| self.find_cited())
    }

    fn find_cited(&self) -> BTreeMap<Name, Vec<Place>> {
        let mut found: BTreeMap<Name, Vec<Place>> = BTreeMap::new();
        let mut add = |origin: &Origin| {
            for clause in origin.cites.iter() {
                found
                    .entry(clause.clone())
                    .or_default()
                    .push(origin.place.clone());
            }
        };
        let registered = &self.registered;
        registered.layers.iter().for_each(|x| add(&x.origin));
        registered.actions.iter().for_each(|x| add(&x.origin));
        registered.phases.iter().for_each(|x| add(&x.origin));
        registered
            .removed_phases
            .iter()
            .for_each(|(_, origin)| add(origin));
        registered.windows.iter().for_each(|x| add(&x.origin));
        registered.events.iter().for_each(|x| add(&x.origin));
        registered.edits.iter().for_each(|x| add(&x.origin));
        registered
            .ladders
            .iter()
            .for_each(|(_, origin)| add(origin));
        registered.lines.iter().for_each(|x| add(&x.origin));
        for (clause, place) in self.data.iter().flat_map(|data| &data.places) {
            found.entry(clause.clone()).or_default().push(place.clone());
        }
        for places in found.values_mut() {
            places.sort();
            places.dedup();
        }
        found
    }

    /// The clauses behind rows of tables, kinds, events and phases.
    pub fn marks(&self, tables: &Tables) -> &BTreeMap<Name, Vec<Name>> {
        self.marks.get_or_init(|| self.find_marks(tables))
    }

    fn find_marks(&self, tables: &Tables) -> BTreeMap<Name, Vec<Name>> {
        let mut marks: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
        let mut add = |id: &Name, cites: &[Name]| {
            marks
                .entry(id.clone())
                .or_default()
                .extend(cites.iter().cloned());
        };
        for data in &self.data {
            data.marked.iter().for_each(|(id, cites)| add(id, cites));
            for (id, cites) in &data.tables {
                let Some(table) = tables.get(id) else {
                    continue;
                };
                for (key, row) in table.rows() {
                    let mark = row_mark(table, key);
                    add(&mark, cites);
                    add(&mark, &row.origin.cites);
                    row.changes
                        .iter()
                        .flatten()
                        .for_each(|change| add(&mark, &change.cites));
                }
            }
        }
        let registered = &self.registered;
        registered
            .events
            .iter()
            .for_each(|raw| add(&raw.id, &raw.origin.cites));
        registered
            .windows
            .iter()
            .for_each(|raw| add(&raw.id, &raw.origin.cites));
        registered
            .phases
            .iter()
            .for_each(|raw| add(&raw.id, &raw.origin.cites));
        registered
            .ladders
            .iter()
            .for_each(|(id, origin)| add(id, &origin.cites));
        marks
    }
}
