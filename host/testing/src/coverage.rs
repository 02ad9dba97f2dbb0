//! What the tests of a mod reach: told from what was loaded and run.

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::Name;
use serde::Serialize;

use crate::outcome::{TestKind, TestResult};
use matches::workshop::Workshop;
use rules::modset::manifest::Effect;
use rules::modset::selector::{Request, Selector};
use rules::rulebook::Rulebook;

/// One clause: whether it is there, and who reaches it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClauseCoverage {
    /// The clause.
    pub clause: String,
    /// What it is called.
    pub title: String,
    /// The printed source.
    pub source: String,
    /// Whether anything that is loaded carries it out.
    pub implemented: bool,
    /// Whether anything that is loaded cites it.
    pub cited: bool,
    /// `adds`, `changes`, `confirms` or `advises`.
    pub effect: &'static str,
    /// The cases that cite it, passed, and reached it.
    pub cases: Vec<String>,
}

/// The coverage of a mod's clauses, from the results of its tests.
///
/// # Errors
/// When the mod does not compose.
pub fn coverage(
    workshop: &Workshop,
    module: &Name,
    results: &[TestResult],
) -> Result<Vec<ClauseCoverage>, Vec<kernel::error::Fault>> {
    let manifest = workshop.manifest(module).map_err(|fault| vec![fault])?;
    let mut request = Request {
        with: vec![Selector {
            module: module.clone(),
            picks: Vec::new(),
        }],
        ..Request::default()
    };
    for (_, clause) in manifest
        .clauses()
        .filter(|(group, clause)| !(clause.default && group.default))
    {
        request.with.extend(Selector::parse(&clause.id).ok());
    }
    let rulebook = workshop.compose(&request)?.rulebook;
    let mut reached: BTreeMap<&Name, Vec<String>> = BTreeMap::new();
    let mut covered: BTreeSet<&Name> = BTreeSet::new();
    for result in results
        .iter()
        .filter(|result| result.sort == TestKind::Case && result.failure.is_none())
    {
        for clause in &result.reached {
            covered.insert(clause);
            if result.cites.contains(clause) {
                reached.entry(clause).or_default().push(result.name.clone());
            }
        }
    }
    let one = |clause: &rules::modset::manifest::Clause| {
        let cited = rulebook.cited().contains_key(&clause.id) || covered.contains(&clause.id);
        ClauseCoverage {
            clause: clause.id.to_string(),
            title: clause.title.to_string(),
            source: clause.source.to_string(),
            implemented: cited,
            cited,
            effect: effect_word(clause.effect),
            cases: reached.get(&clause.id).cloned().unwrap_or_default(),
        }
    };
    Ok(manifest.clauses().map(|(_, clause)| one(clause)).collect())
}

fn effect_word(effect: Effect) -> &'static str {
    match effect {
        Effect::Adds => "adds",
        Effect::Changes => "changes",
        Effect::Confirms => "confirms",
        Effect::Advises => "advises",
    }
}

/// The clauses behind the marks, events and kinds of a traced run.
pub(super) fn clauses_reached(
    rulebook: &Rulebook,
    marks: &BTreeSet<String>,
    happened: &BTreeSet<Name>,
) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    for mark in marks {
        found.extend(rulebook.clauses_at(mark));
    }
    for id in happened {
        if let Some(cites) = rulebook.marks().get(id) {
            found.extend(cites.iter().cloned());
        }
    }
    found
}
