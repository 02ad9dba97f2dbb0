//! What looks wrong in the files of mods, without playing them.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use matches::workshop::Workshop;

use crate::composed::Composed;
use crate::findings::findings;
use crate::typecheck::{Checkers, Finding, Job};
use crate::types::Known;
use crate::wanted::LintRequest;

/// Looks at mods, and again when they were saved: what has not changed is not
/// looked at again.
#[derive(Default)]
pub struct Looker {
    checkers: Checkers,
    composed: Composed,
}

impl Looker {
    /// Looks at mods: those of a set are composed together, with all that they
    /// stand on and all of their clauses on. By place.
    ///
    /// Mods that do not compose have faults of their own, which are told
    /// elsewhere.
    pub fn look(&mut self, workshop: &Workshop, sets: &[Vec<Name>], wanted: LintRequest<'_>) -> Vec<Fault> {
        let mut by_text = Vec::new();
        let jobs = sets.iter().filter_map(|set| {
            let rulebook = self.composed.rulebook(workshop, set)?;
            let known = Known::new(workshop, &rulebook);
            for module in set {
                by_text.extend(findings(workshop, &known, module));
            }
            Some(Job::new(workshop, set, &known, wanted))
        });
        let types = self.checkers.check_all(jobs);
        put_together(by_text, types, wanted)
    }
}

/// Where a line without a sound name is told twice, the plainer words stay.
fn put_together(by_text: Vec<Fault>, types: Vec<Finding>, wanted: LintRequest<'_>) -> Vec<Fault> {
    let told: BTreeSet<_> = by_text.iter().filter_map(line_of).collect();
    let types = types.into_iter().map(|finding| {
        let fault = Fault::new(FaultCode::WrongType, finding.message).at(finding.place);
        finding.hint.into_iter().fold(fault, |fault, hint| fault.hint(hint))
    });
    let types = types.filter(|fault| line_of(fault).is_none_or(|line| !told.contains(&line)));
    let is_wanted = |fault: &Fault| {
        let file = fault.place.as_ref().map(|place| &*place.file);
        wanted.file.is_none() || file == wanted.file
    };
    let mut all: Vec<Fault> = types.collect();
    all.extend(by_text);
    all.retain(is_wanted);
    all.sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
    all.dedup();
    all
}

/// Looks at one mod, as [`Looker::look`] does.
pub fn look(workshop: &Workshop, module: &Name, wanted: LintRequest<'_>) -> Vec<Fault> {
    Looker::default().look(workshop, &[vec![module.clone()]], wanted)
}

fn line_of(fault: &Fault) -> Option<(Name, Name, u32)> {
    fault.place.as_ref().map(|place| (place.module.clone(), place.file.clone(), place.line))
}
