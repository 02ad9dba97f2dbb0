//! What looks wrong in the files of mods, without playing them.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use matches::workshop::Workshop;

use crate::built::unknown_to_components;
use crate::composed::Composed;
use crate::findings::findings;
use crate::said::taken_words;
use crate::typecheck::{CheckJob, Checkers, Finding};
use crate::types::KnownRules;
use crate::wanted::LintRequest;

/// Looks at mods, and again when they were saved: what has not changed is not
/// looked at again.
#[derive(Default)]
pub struct Looker {
    checkers: Checkers,
    composed: Composed,
    /// What could be better in all that was looked at last.
    warnings: Vec<Fault>,
    /// What was found last in one set of mods, and in all of their files.
    last: Option<(Vec<Name>, Vec<Fault>)>,
}

impl Looker {
    /// Looks at mods: those of a set are composed together, with all that they
    /// stand on and all of their clauses on. By place.
    ///
    /// Mods that do not compose have faults of their own, which are told
    /// elsewhere.
    pub fn look(
        &mut self,
        workshop: &Workshop,
        sets: &[Vec<Name>],
        wanted: LintRequest<'_>,
    ) -> Vec<Fault> {
        let mut by_text = Vec::new();
        let mut warnings = Vec::new();
        let jobs = sets.iter().filter_map(|set| {
            let rulebook = self.composed.rulebook(workshop, set)?;
            let known = KnownRules::new(workshop, &rulebook);
            for module in set {
                by_text.extend(findings(workshop, &known, module, wanted.file));
                warnings.extend(taken_words(&rulebook, module));
                warnings.extend(unknown_to_components(workshop, &known, module));
            }
            let prepared = self.composed.prepared(&known);
            Some(CheckJob::new(workshop, set, &rulebook, &prepared, wanted))
        });
        let types = self.checkers.check_all(jobs);
        let found = put_together(by_text, types, wanted);
        self.warnings = put_together(warnings, Vec::new(), wanted);
        self.last = match sets {
            [set] if wanted.file.is_none() => Some((set.clone(), found.clone())),
            _ => None,
        };
        found
    }

    /// What could be better in what was [looked](Looker::look) at last: rules are none
    /// the worse for it.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// Loads what a set of mods is checked by, where that was not needed yet: what
    /// was found is kept from one start to the next, but no checker is.
    pub fn make_ready(&mut self, workshop: &Workshop, set: &[Name]) {
        let Some(rulebook) = self.composed.rulebook(workshop, set) else {
            return;
        };
        let prepared = self
            .composed
            .prepared(&KnownRules::new(workshop, &rulebook));
        if !self.checkers.are_ready(&prepared) {
            let wanted = LintRequest::default();
            self.checkers
                .make_ready(CheckJob::new(workshop, &[], &rulebook, &prepared, wanted));
        }
    }

    /// What looks wrong in a set of mods that was looked at last, when one file of
    /// them was saved: that file is looked at, by what the others said before.
    ///
    /// `None` where they may have something else to say: where more of the file
    /// is another than what its rules do.
    pub fn look_first(
        &mut self,
        workshop: &Workshop,
        [module, file]: [&Name; 2],
        kept_in: Option<&Path>,
    ) -> Option<Vec<Fault>> {
        let (set, before) = self.last.clone()?;
        let rulebook = self.composed.of_before(workshop, &set)?;
        let is_of_file = |fault: &Fault| {
            fault
                .place
                .as_ref()
                .is_some_and(|place| place.module == *module && place.file == *file)
        };
        // Who swallows whom is told by lines, which may be others.
        if before
            .iter()
            .any(|fault| is_of_file(fault) && fault.code == FaultCode::Swallowed)
        {
            return None;
        }
        let known = KnownRules::new(workshop, &rulebook);
        let wanted = LintRequest {
            file: Some(file),
            kept_in,
        };
        let by_text = findings(workshop, &known, module, wanted.file);
        let prepared = self.composed.prepared(&known);
        let job = CheckJob::new(
            workshop,
            std::slice::from_ref(module),
            &rulebook,
            &prepared,
            wanted,
        );
        let types = self.checkers.check_all(std::iter::once(job));
        let others = before.into_iter().filter(|fault| !is_of_file(fault));
        let mut found: Vec<Fault> = others.chain(put_together(by_text, types, wanted)).collect();
        found.sort_by(by_place);
        self.last = Some((set, found.clone()));
        Some(found)
    }
}

/// Where a line without a sound name is told twice, the plainer words stay.
fn put_together(by_text: Vec<Fault>, types: Vec<Finding>, wanted: LintRequest<'_>) -> Vec<Fault> {
    let lines: BTreeSet<_> = by_text.iter().filter_map(line_of).collect();
    let types = types.into_iter().map(|finding| {
        let fault = Fault::new(FaultCode::WrongType, finding.message).at(finding.place);
        finding
            .hint
            .into_iter()
            .fold(fault, |fault, hint| fault.hint(hint))
    });
    let types = types.filter(|fault| line_of(fault).is_none_or(|line| !lines.contains(&line)));
    let is_wanted = |fault: &Fault| {
        let file = fault.place.as_ref().map(|place| &*place.file);
        wanted.file.is_none() || file == wanted.file
    };
    let mut all: Vec<Fault> = types.collect();
    all.extend(by_text);
    all.retain(is_wanted);
    all.sort_by(by_place);
    all.dedup();
    all
}

fn by_place(a: &Fault, b: &Fault) -> Ordering {
    (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message))
}

/// Looks at one mod, as [`Looker::look`] does.
pub fn look(workshop: &Workshop, module: &Name, wanted: LintRequest<'_>) -> Vec<Fault> {
    Looker::default().look(workshop, &[vec![module.clone()]], wanted)
}

fn line_of(fault: &Fault) -> Option<(Name, Name, u32)> {
    fault
        .place
        .as_ref()
        .map(|place| (place.module.clone(), place.file.clone(), place.line))
}
