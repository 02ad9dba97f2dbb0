//! Named types and kinds of the composed rules, with what other mods add to
//! them.

use std::collections::BTreeSet;
use std::sync::Arc;

use kernel::book::PhaseBody;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type};
use kernel::world::{Edge, Until, closest};

use super::Composer;
use super::names::TypeNames;
use crate::data::{Data, vocabulary};
use crate::registration::Registrations;
use crate::types::{Records, named_records};

impl Composer<'_> {
    /// Resolves the named records; whether all could be.
    pub(super) fn records(&mut self, registered: &Registrations) -> bool {
        self.note_added_words();
        let items = self
            .recipe
            .mods
            .iter()
            .flat_map(|module| &module.data.records);
        let of_data = items.map(|r| (r.header.id.clone(), r.fields.as_str(), &r.header.place));
        let of_rules = registered
            .records
            .iter()
            .map(|(id, fields, o)| (id.clone(), fields.as_str(), &o.place));
        let all: Vec<(Name, &str, &Place)> = of_data.chain(of_rules).collect();
        let mut seen = BTreeSet::new();
        let mut is_whole = true;
        for (id, _, place) in &all {
            if !seen.insert(id.clone()) {
                is_whole = false;
                self.fault(
                    place,
                    FaultCode::Duplicate,
                    format!("record `{id}` is declared twice"),
                );
            }
        }
        let places: Vec<Place> = all.iter().map(|(_, _, place)| (*place).clone()).collect();
        let declared: Vec<(Name, &str)> = all
            .iter()
            .map(|(id, fields, _)| (id.clone(), *fields))
            .collect();
        self.names = TypeNames::new(self.recipe, &declared, self.host.exported_types());
        match self.named_types(&declared, &places) {
            Ok(found) => {
                self.has_held_records = self.held.is_ready && self.held.records == found;
                self.records = found;
            }
            Err(faults) => {
                is_whole = false;
                self.faults.extend(faults);
            }
        }
        is_whole
    }

    /// Makes known who adds which words to enums, for those who do not expect them.
    fn note_added_words(&self) {
        let added = self.recipe.mods.iter().flat_map(|module| {
            let values = module.data.more_values.iter().flat_map(|item| {
                let id = &item.header.id;
                item.values.iter().map(move |value| (id, &value.name))
            });
            values.map(|(id, word)| (word.clone(), (id.clone(), module.id.clone())))
        });
        *self.host.running().added_words.borrow_mut() = added.collect();
    }

    /// Enums and records, with what other mods add to them.
    fn named_types(
        &self,
        declared: &[(Name, &str)],
        places: &[Place],
    ) -> Result<Records, Vec<Fault>> {
        let mods = || self.recipe.mods.iter().map(|module| module.data);
        let (items, values) = (
            mods().flat_map(|data| &data.enums),
            mods().flat_map(|data| &data.more_values),
        );
        let mut enums = vocabulary::enums(items, values, self.recipe.stated)?;
        // A type that is not there yet may be any.
        for id in &self.awaited {
            enums.entry(id.clone()).or_insert(Type::Any);
        }
        let resolved = |declared: &[(Name, &str)]| {
            let placed = |(place, fault): (usize, Fault)| match places.get(place) {
                Some(place) => fault.at(place.clone()),
                None => fault,
            };
            let found = named_records(declared, enums.clone());
            found.map_err(|faults| faults.into_iter().map(placed).collect::<Vec<_>>())
        };
        let records = resolved(declared)?;
        if mods().all(|data| data.more_fields.is_empty()) {
            return Ok(records);
        }
        let more = mods().flat_map(|data| &data.more_fields);
        let texts = vocabulary::widened(declared, more, &records, self.recipe.stated)?;
        let wider: Vec<(Name, &str)> = declared
            .iter()
            .zip(&texts)
            .map(|((id, _), text)| (id.clone(), text.as_str()))
            .collect();
        resolved(&wider)
    }

    pub(super) fn kinds(&mut self) {
        self.note_data_in_force();
        if self.has_held_data() {
            self.schema = self.held.book.schema.clone();
            return;
        }
        let mods: Vec<&Data> = self.recipe.mods.iter().map(|module| module.data).collect();
        for item in mods.iter().flat_map(|data| &data.kinds) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            let (kind, faults) = item.build(&self.records);
            self.faults.extend(faults);
            let declared = Arc::make_mut(&mut self.schema).declare(kind);
            self.keep(&item.header.place, declared);
        }
        for item in mods.iter().flat_map(|data| &data.extensions) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            match Arc::make_mut(&mut self.schema).require_mut(&item.header.id) {
                Ok(kind) => {
                    if let Err(faults) = item.apply(kind, &self.records) {
                        self.faults.extend(faults);
                    }
                }
                Err(fault) => self.faults.push(fault.at(item.header.place.clone())),
            }
        }
        let places: Vec<(Name, Place)> = mods
            .iter()
            .flat_map(|data| {
                data.kinds
                    .iter()
                    .map(|item| &item.header)
                    .chain(data.extensions.iter().map(|item| &item.header))
            })
            .map(|header| (header.id.clone(), header.place.clone()))
            .collect();
        for kind in self.schema.kinds().to_vec() {
            let place = places
                .iter()
                .find(|(id, _)| *id == kind.id)
                .map(|(_, place)| place.clone());
            let place = place.unwrap_or_default();
            for attribute in &kind.attributes {
                self.knows_kinds(&attribute.ty, &place);
                if matches!(&*attribute.name, "name" | "kind") {
                    let message = format!(
                        "expected attributes of `{}` other than `name` and `kind`, which every entity has",
                        kind.id
                    );
                    self.fault(&place, FaultCode::Duplicate, message);
                }
            }
        }
    }

    /// What attributes hold until must be an edge of a phase that mods register.
    pub(super) fn lifetimes(&mut self) {
        let mods: Vec<&Data> = self.recipe.mods.iter().map(|module| module.data).collect();
        let kinds = mods
            .iter()
            .flat_map(|data| &data.kinds)
            .map(|item| (&item.header.cites, &item.attributes));
        let more = mods
            .iter()
            .flat_map(|data| &data.extensions)
            .map(|item| (&item.header.cites, &item.attributes));
        let in_force = kinds.chain(more).filter(|(cites, _)| self.is_on(cites));
        let faults: Vec<Fault> = in_force
            .flat_map(|(_, attributes)| attributes)
            .flat_map(|attribute| attribute.until.iter().map(move |until| (attribute, until)))
            .filter_map(|(attribute, until)| {
                Some(
                    self.lifetime(&attribute.name, until)?
                        .at(attribute.place.clone()),
                )
            })
            .collect();
        self.faults.extend(faults);
    }

    fn lifetime(&self, name: &Name, until: &Until) -> Option<Fault> {
        if self.awaited.contains(&until.phase) {
            return None;
        }
        if !self.registered_phases.contains(&until.phase) {
            let message = format!(
                "`until` of `{name}`: no mod declares the phase `{}`",
                until.phase
            );
            let fault = Fault::new(FaultCode::UnknownPhase, message);
            return Some(
                match closest(&until.phase, self.registered_phases.iter().map(|id| &**id)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                },
            );
        }
        let kinds = self.schema.kinds().iter();
        let attributes: Vec<&Name> = kinds
            .flat_map(|kind| &kind.attributes)
            .map(|attribute| &attribute.name)
            .collect();
        if let Some(of) = until.of.as_ref().filter(|of| !attributes.contains(of)) {
            let message = format!("`until` of `{name}`: no kind has an attribute `{of}`");
            let fault = Fault::new(FaultCode::UnknownAttribute, message);
            return Some(match closest(of, attributes.iter().map(|name| &***name)) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            });
        }
        let is_automatic = matches!(
            self.book.phases.get(&until.phase)?.body,
            PhaseBody::Automatic { .. }
        );
        (until.edge == Edge::Ends && is_automatic).then(|| {
            let message = format!(
                "`until` of `{name}`: expected a phase that ends after what is done in it, found the automatic \
                 phase `{}`",
                until.phase
            );
            Fault::new(FaultCode::UnknownPhase, message).hint("say `begins`, or name the phase that holds it")
        })
    }
}
