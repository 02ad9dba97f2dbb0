//! Where things of mods are written.

use std::collections::BTreeMap;

use kernel::error::Place;
use kernel::value::{Name, owner_of};
use matches::workshop::Workshop;
use rules::modset::files::Sources;
use rules::rulebook::Rulebook;

use super::Meant;
use crate::types::names::{camel, chapter_and_name, short};

/// What sort of thing has an id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// A rule.
    Rule,
    /// An action or a reaction.
    Action,
    /// A phase.
    Phase,
    /// A window.
    Window,
    /// An event.
    Event,
    /// A named record.
    Record,
    /// A table.
    Table,
    /// A kind of entity.
    Kind,
    /// Anything else that data declares: a pot, a deck, a template.
    Other,
    /// An option.
    Option,
    /// A clause.
    Clause,
    /// A type that a file exports.
    Type,
    /// A mod.
    Mod,
}

/// Something that stands in a mod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Thing {
    /// What it is.
    pub sort: SymbolKind,
    /// Its id.
    pub id: Name,
    /// Where it is written.
    pub place: Place,
}

/// Where everything is written that some mods have.
#[derive(Default)]
pub struct Places {
    by_id: BTreeMap<Name, Vec<Thing>>,
}

impl Places {
    /// Reads it from a rulebook, and from the manifests of all mods.
    pub fn new(workshop: &Workshop, rulebook: &Rulebook) -> Places {
        let mut places = Places::default();
        places.add_manifests(workshop);
        places.add_registered(rulebook);
        for sources in rulebook
            .mods()
            .iter()
            .filter_map(|id| workshop.sources().get(id))
        {
            places.add_data(sources, rulebook);
            places.add_types(sources);
        }
        places
    }

    fn add(&mut self, sort: SymbolKind, id: &Name, place: &Place) {
        let all = self.by_id.entry(id.clone()).or_default();
        if all.iter().all(|thing| thing.sort != sort) {
            all.push(Thing {
                sort,
                id: id.clone(),
                place: place.clone(),
            });
            all.sort();
        }
    }

    fn add_manifests(&mut self, workshop: &Workshop) {
        for (id, manifest) in workshop.manifests().iter() {
            self.add(SymbolKind::Mod, id, &Place::new(&**id, "mod.ron", 1));
            for (_, clause) in manifest.clauses() {
                self.add(SymbolKind::Clause, &clause.id, &clause.place);
            }
            for option in &manifest.options {
                self.add(SymbolKind::Option, &option.id, &option.place);
            }
        }
    }

    /// What files register, whether it is in force or not.
    fn add_registered(&mut self, rulebook: &Rulebook) {
        for (id, rule) in rulebook.rules() {
            self.add(SymbolKind::Rule, id, &rule.place);
        }
        let registered = rulebook.registrations();
        registered
            .actions
            .iter()
            .for_each(|one| self.add(SymbolKind::Action, &one.id, &one.origin.place));
        registered
            .phases
            .iter()
            .for_each(|one| self.add(SymbolKind::Phase, &one.id, &one.origin.place));
        registered
            .windows
            .iter()
            .for_each(|one| self.add(SymbolKind::Window, &one.id, &one.origin.place));
        registered
            .events
            .iter()
            .for_each(|one| self.add(SymbolKind::Event, &one.id, &one.origin.place));
        registered
            .records
            .iter()
            .for_each(|(id, _, origin)| self.add(SymbolKind::Record, id, &origin.place));
    }

    /// What the data of a mod declares, by the line that says its id.
    fn add_data(&mut self, sources: &Sources, rulebook: &Rulebook) {
        let (schema, events) = (&rulebook.book().schema, &rulebook.book().events);
        let is_kind = |id: &Name| schema.kinds().iter().any(|kind| kind.id == *id);
        for (path, text) in sources
            .under("data")
            .filter(|(path, _)| path.ends_with(".ron"))
        {
            for (number, line) in (1u32..).zip(text.lines()) {
                for (id, column) in declared_in(line) {
                    let sort = match () {
                        () if is_kind(&id) => SymbolKind::Kind,
                        () if rulebook.tables().contains_key(&id) => SymbolKind::Table,
                        () if events.contains_key(&id) => SymbolKind::Event,
                        () if rulebook.records().contains_key(&id) => SymbolKind::Record,
                        () => SymbolKind::Other,
                    };
                    let place = Place {
                        column,
                        ..Place::new(&*sources.id, path, number)
                    };
                    self.add(sort, &id, &place);
                }
            }
        }
    }

    /// The types that the rules of a mod export.
    fn add_types(&mut self, sources: &Sources) {
        for (path, text) in sources
            .under("rules")
            .filter(|(path, _)| path.ends_with(".luau"))
        {
            for (number, line) in (1u32..).zip(text.lines()) {
                let Some(rest) = line.strip_prefix("export type ") else {
                    continue;
                };
                let name = rest
                    .split(|c: char| !super::is_of_name(c))
                    .next()
                    .unwrap_or_default();
                let id = Name::from(format!("{}.{name}", sources.id));
                self.add(
                    SymbolKind::Type,
                    &id,
                    &Place::new(&*sources.id, path, number),
                );
            }
        }
    }

    /// Everything that has a place, by its id.
    pub fn things(&self) -> impl Iterator<Item = &Thing> {
        self.by_id.values().flatten()
    }

    /// What a word in a file of a mod means: nothing, or all that it may be.
    pub fn find(&self, module: &str, meant: &Meant) -> Vec<Thing> {
        match meant {
            Meant::Way(way) => self.along(way),
            Meant::Id(id) => self.first_of([id.clone(), format!("{module}.{id}")]),
            Meant::Clause { chapter, clause } => {
                let in_chapter = chapter.iter().filter(|_| !clause.contains('.'));
                let wanted = in_chapter.map(|chapter| format!("{module}.{chapter}.{clause}"));
                let found =
                    self.first_of(wanted.chain([clause.clone(), format!("{module}.{clause}")]));
                found
                    .into_iter()
                    .filter(|thing| thing.sort == SymbolKind::Clause)
                    .collect()
            }
        }
    }

    /// The things of the first of these ids that there is; `-` is `_` in names.
    fn first_of(&self, ids: impl IntoIterator<Item = String>) -> Vec<Thing> {
        let plain = |id: &str| id.replace('-', "_");
        ids.into_iter()
            .find_map(|id| {
                let same = || {
                    self.by_id
                        .iter()
                        .find(|(known, _)| plain(known) == plain(&id))
                };
                self.by_id
                    .get(&*id)
                    .or_else(|| same().map(|(_, things)| things))
                    .cloned()
            })
            .unwrap_or_default()
    }

    fn along(&self, way: &[String]) -> Vec<Thing> {
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        match way.as_slice() {
            [module] => self.first_of([(*module).to_string()]),
            [module, "over" | "push", chapter, name] => self.in_chapter(module, chapter, name),
            [module, "tables", name, ..] => {
                self.named(module, &[SymbolKind::Table], |id| short(id) == *name)
            }
            [module, "kinds", name, ..] => {
                self.named(module, &[SymbolKind::Kind], |id| camel_of(id) == *name)
            }
            [module, "options", name] => {
                self.named(module, &[SymbolKind::Option], |id| short(id) == *name)
            }
            [module, "clauses", name] => {
                self.named(module, &[SymbolKind::Clause], |id| short(id) == *name)
            }
            [module, "events", name] => {
                self.named(module, &[SymbolKind::Event], |id| short(id) == *name)
            }
            [module, "phases", name] => {
                self.named(module, &[SymbolKind::Phase], |id| short(id) == *name)
            }
            [module, "windows", name] => {
                self.named(module, &[SymbolKind::Window], |id| short(id) == *name)
            }
            [module, name] => {
                let types = [SymbolKind::Kind, SymbolKind::Record, SymbolKind::Type];
                self.named(module, &types, |id| camel_of(id) == *name)
            }
            [module, chapter, name] => self.in_chapter(module, chapter, name),
            _ => Vec::new(),
        }
    }

    /// What a chapter has under a name: code names no clauses and options so.
    fn in_chapter(&self, module: &str, chapter: &str, name: &str) -> Vec<Thing> {
        let sorts = [
            SymbolKind::Rule,
            SymbolKind::Action,
            SymbolKind::Phase,
            SymbolKind::Window,
            SymbolKind::Event,
            SymbolKind::Record,
        ];
        let is_it = |id: &str| {
            chapter_and_name(id).is_some_and(|(one, other)| (&*one, &*other) == (chapter, name))
        };
        self.named(module, &sorts, is_it)
    }

    fn named(
        &self,
        module: &str,
        sorts: &[SymbolKind],
        is_it: impl Fn(&str) -> bool,
    ) -> Vec<Thing> {
        let own = self
            .by_id
            .iter()
            .filter(|(id, _)| owner_of(id) == module && is_it(id));
        own.flat_map(|(_, things)| things)
            .filter(|thing| sorts.contains(&thing.sort))
            .cloned()
            .collect()
    }
}

/// The name of a type in its mod: `Element` for `dsii.element`.
fn camel_of(id: &str) -> String {
    camel(id.split_once('.').map_or(id, |(_, rest)| rest))
}

/// The ids that a line of data declares, each with its column, from 1.
fn declared_in(line: &str) -> Vec<(Name, u32)> {
    let begins = line.match_indices("id: \"").filter(|(at, _)| {
        let before = line[..*at].trim_start();
        before.is_empty() || before.ends_with(['(', ' '])
    });
    let ids = begins.filter_map(|(at, sign)| {
        let start = at + sign.len();
        let id = line[start..]
            .split('"')
            .next()
            .filter(|id| id.contains('.'))?;
        Some((Name::from(id), line[..start].chars().count() as u32 + 1))
    });
    ids.collect()
}
