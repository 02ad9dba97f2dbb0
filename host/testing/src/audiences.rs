//! What tests tell to more than may see what it rests on.

use std::collections::{BTreeMap, BTreeSet};

use kernel::audience::Widening;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;

use crate::outcome::{TestKind, TestResult, result};
use rules::rulebook::Rulebook;

/// What was told too widely, with the places of the functions that tell it.
pub(super) fn placed(rulebook: &Rulebook, found: BTreeSet<Widening>) -> Vec<(Place, Widening)> {
    found
        .into_iter()
        .map(|widening| (place_of(rulebook, &widening), widening))
        .collect()
}

/// Where the function is written that tells it: the definition of the rule, or
/// the wrap that carries out the clause.
fn place_of(rulebook: &Rulebook, widening: &Widening) -> Place {
    let entry = |rule: &Name| rulebook.rules().get(rule).map(|entry| entry.place.clone());
    let cited = || {
        rulebook
            .cited()
            .get(&widening.rule)
            .and_then(|places| places.first().cloned())
    };
    entry(&widening.rule)
        .or_else(cited)
        .or_else(|| entry(&widening.step))
        .unwrap_or_default()
}

/// Who tells what, and where that is written.
type EventAt<'r> = (&'r Place, &'r Name, &'r Name);

/// The steps in which it was told too widely, and what they had read.
type Rests<'r> = (BTreeSet<&'r Name>, BTreeSet<&'r Name>);

/// One result for each thing that some of the tests told too widely.
pub(super) fn findings(results: &[TestResult]) -> Vec<TestResult> {
    let mut found: BTreeMap<EventAt<'_>, Rests<'_>> = BTreeMap::new();
    for (place, widening) in results.iter().flat_map(|one| &one.widenings) {
        let (steps, cells) = found
            .entry((place, &widening.rule, &widening.subject))
            .or_default();
        steps.insert(&widening.step);
        cells.extend(&widening.cells);
    }
    let finding = |((place, rule, subject), (steps, cells)): (EventAt<'_>, Rests<'_>)| {
        let message = format!(
            "expected `{subject}` to be told only to those who may see what it rests on, found that some may not \
             see {}, which was read before in {}",
            in_words(&cells),
            in_words(&steps)
        );
        let fault = Fault::new(FaultCode::UnstatedReveal, message)
            .in_rule(rule)
            .at(place.clone())
            .hint("name its audience, or say with `reveals` what the printed rule means it to give away");
        let name = format!("`{subject}` of `{rule}`");
        result(
            &place.module,
            TestKind::Audience,
            &place.file,
            &name,
            Some(fault),
        )
    };
    found.into_iter().map(finding).collect()
}

fn in_words(names: &BTreeSet<&Name>) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
