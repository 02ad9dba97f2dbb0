//! What looks wrong in the files of a mod, without playing it.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use matches::workshop::Workshop;

use crate::findings::findings;
use crate::found::{Looked, Wanted};
use crate::typecheck::{compose, typecheck_known};
use crate::types::{Known, uses_chapters};

/// Looks at the files of a mod with all of its clauses on; at types only where
/// its rules are functions of chapters. A mod that does not
/// compose has faults of its own, which are told elsewhere.
pub fn look(workshop: &Workshop, module: &Name, wanted: Wanted<'_>) -> Looked {
    let Some(rulebook) = compose(workshop, module) else { return Looked::default() };
    let known = Known::new(workshop, &rulebook);
    let is_wanted = |fault: &Fault| {
        let file = fault.place.as_ref().map(|place| &*place.file);
        wanted.file.is_none() || file == wanted.file
    };
    let mut looked = findings(workshop, &known, module);
    looked.problems.retain(is_wanted);
    looked.advice.retain(is_wanted);
    let told: BTreeSet<(Name, u32)> = looked.problems.iter().filter_map(line_of).collect();
    let sources = workshop.sources().get(module);
    if !sources.is_some_and(|sources| sources.under("rules").any(|(_, text)| uses_chapters(text))) {
        return looked;
    }
    for finding in typecheck_known(workshop, module, &known, wanted) {
        let fault = Fault::new(FaultCode::WrongType, finding.message).at(finding.place);
        let fault = finding.hint.into_iter().fold(fault, |fault, hint| fault.hint(hint));
        if line_of(&fault).is_none_or(|line| !told.contains(&line)) {
            looked.advice.push(fault);
        }
    }
    looked
}

fn line_of(fault: &Fault) -> Option<(Name, u32)> {
    fault.place.as_ref().map(|place| (place.file.clone(), place.line))
}
