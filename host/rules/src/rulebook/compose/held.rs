//! What a selection shares with the one before it in the same host: rules in
//! which no clause has a part that is on in one and off in the other, and no file
//! that was run again; kinds, events and templates where the same data are in force.

use kernel::error::Place;
use kernel::value::Name;
use rustc_hash::FxHashSet;

use super::Composer;
use crate::registration::{Origin, Registrations};

/// The rules that are to be read anew.
pub(super) enum Concerned {
    /// All of them.
    All,
    /// These, and no others.
    Only(FxHashSet<Name>),
}

impl Concerned {
    /// Whether a rule is one of them.
    pub fn has(&self, rule: &Name) -> bool {
        match self {
            Concerned::All => true,
            Concerned::Only(rules) => rules.contains(rule),
        }
    }
}

impl Composer<'_> {
    /// Takes over the rules that the host holds and that are here as they are
    /// there; says which others there may be.
    ///
    /// A rule is made of its signature, its functions and its lines, which all
    /// name their clauses; of the types that they are written in; and of what
    /// actions say of a rule that offers values for them.
    pub(super) fn take_held_rules(&mut self, all: &Registrations) -> Concerned {
        if !self.is_read_by_held_types() {
            return Concerned::All;
        }
        let changed: FxHashSet<&Name> = self
            .recipe
            .clauses
            .iter()
            .filter(|(id, is_on)| self.held.clauses.get(*id) != Some(*is_on))
            .map(|(id, _)| id)
            .collect();
        let concerned = self.rules_of(all, &changed);
        let is_held = |rule: &Name| !concerned.contains(rule);
        self.rules = self.held.rules.clone();
        self.rules.retain(|rule, _| is_held(rule));
        self.book.steps = self.held.book.steps.clone();
        self.book.steps.retain(|rule, _| is_held(rule));
        Concerned::Only(concerned)
    }

    /// Whether types mean here what they meant when the host was made ready last.
    pub(super) fn is_read_by_held_types(&self) -> bool {
        let here = self.schema.kinds().iter().map(|kind| &kind.id);
        let there = self.held.book.schema.kinds().iter().map(|kind| &kind.id);
        self.has_held_records && here.eq(there)
    }

    /// Finds out which data are in force, without tables, whose rows are looked at by
    /// themselves.
    pub(super) fn note_data_in_force(&mut self) {
        let mods = self.recipe.mods.iter();
        let marked = mods.flat_map(|module| &module.data.cited().marked);
        self.data_in_force = marked.map(|(_, cites)| self.is_on(cites)).collect();
    }

    /// Whether the data in force are those of the selection before, and say the same
    /// by its types: after a save they may say something else.
    pub(super) fn has_held_data(&self) -> bool {
        self.has_held_records
            && self.run_again.is_none()
            && self.data_in_force == self.held.data_in_force
    }

    /// The rules in which one of these clauses has a part, or a file that was run
    /// again.
    fn rules_of(&self, all: &Registrations, clauses: &FxHashSet<&Name>) -> FxHashSet<Name> {
        let is_again = |Place { module, file, .. }: &Place| {
            let files = self.run_again.as_ref().filter(|files| !files.is_empty());
            files.is_some_and(|files| files.contains(&(module.clone(), file.clone())))
        };
        let has_part = |origin: &Origin| {
            let named = origin.cites.iter().chain(origin.mentions.iter());
            is_again(&origin.place) || named.into_iter().any(|clause| clauses.contains(clause))
        };
        let signatures = all.signatures.iter().map(|raw| (&raw.rule, &raw.origin));
        let layers = all.layers.iter().map(|raw| (&raw.rule, &raw.origin));
        let lines = all.lines.iter().map(|raw| (&raw.rule, &raw.origin));
        let opened = all.opened.iter().map(|(rule, _, origin)| (rule, origin));
        let domains = all.actions.iter().flat_map(|raw| {
            let domains = raw.params.iter().map(|param| &param.domain);
            domains.map(|rule| (rule, &raw.origin))
        });
        signatures
            .chain(layers)
            .chain(lines)
            .chain(opened)
            .chain(domains)
            .filter(|(_, origin)| has_part(origin))
            .map(|(rule, _)| rule.clone())
            .collect()
    }
}
