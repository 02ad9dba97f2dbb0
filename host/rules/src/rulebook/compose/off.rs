//! What is registered and is not there, because a clause of it is off: whoever
//! names it is told of that clause.

use std::collections::BTreeMap;

use kernel::book::PhaseBody;
use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use kernel::world::closest;

use super::Composer;
use crate::hosting::{clauses_in_words, without_clause};
use crate::registration::{Origin, Registrations, Remainder};

/// Rules and phases that are gone while these clauses hold, each with those of
/// its clauses that do not.
pub(super) fn left_out(
    registrations: &Registrations,
    holds: &dyn Fn(&Name) -> bool,
) -> BTreeMap<Name, Vec<Name>> {
    let rules = registrations.signatures.iter();
    let phases = registrations.phases.iter();
    let all = rules
        .map(|raw| (&raw.rule, &raw.origin))
        .chain(phases.map(|raw| (&raw.id, &raw.origin)));
    let is_gone = |origin: &Origin| matches!(origin.standing(holds), Remainder::Gone);
    let off = |(id, origin): (&Name, &Origin)| {
        let clauses = origin.cites.iter().filter(|clause| !holds(clause));
        (id.clone(), clauses.cloned().collect())
    };
    all.filter(|(_, origin)| is_gone(origin)).map(off).collect()
}

impl Composer<'_> {
    /// Why a rule that is named is not there, and what to do about it.
    pub(super) fn why_not_there(&self, rule: &Name) -> (String, Option<String>) {
        if let Some((why, hint)) = self.why_off(rule) {
            return (why, Some(hint));
        }
        let near = closest(rule, self.rules.keys().map(|id| &**id));
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        ("no mod defines it".into(), hint)
    }

    /// Why a rule is not there that a mod registers, and what to do about it.
    fn why_off(&self, rule: &Name) -> Option<(String, String)> {
        let clauses = self.off.get(rule)?;
        let why = format!("it is there only with {}", clauses_in_words(clauses));
        Some((why, without_clause(clauses.first()?)))
    }

    /// The fault of a rule that is named while a clause of it is off.
    pub(super) fn off_rule(&self, rule: &Name) -> Option<Fault> {
        self.host.running().off_rule(rule)
    }

    /// The fault of a phase that is named while a clause of it is off.
    pub(super) fn off_phase(&self, phase: &Name) -> Option<Fault> {
        let clauses = clauses_in_words(self.off.get(phase)?);
        let message = format!("the phase `{phase}` is there only with {clauses}");
        let fault = Fault::new(FaultCode::UnknownPhase, message);
        Some(match self.neighbour_of(phase) {
            Some((word, other)) => fault.hint(format!(
                "leave it out of the list, and let the phase say where it goes: `{word} = \"{other}\"`"
            )),
            None => fault.hint("leave it out of the list, and let the phase say where it goes, with `before` or `after`"),
        })
    }

    /// The fault of an action that is taken in a phase while a clause of that is off.
    pub(super) fn off_at(&self, action: &Name, phase: &Name) -> Option<Fault> {
        let off = self.off.get(phase)?;
        let clauses = clauses_in_words(off);
        let message = format!("`{action}`: the phase `{phase}` is there only with {clauses}");
        let hint = format!("let the action cite it too: `[{}]`", off.first()?);
        Some(Fault::new(FaultCode::UnknownPhase, message).hint(hint))
    }

    /// Beside which phase another one stands in a list: after which, or before which.
    fn neighbour_of(&self, phase: &Name) -> Option<(&'static str, &Name)> {
        let lists = self.book.phases.values().filter_map(|one| match &one.body {
            PhaseBody::Sequence(list) | PhaseBody::Loop { phases: list, .. } => Some(list),
            PhaseBody::Automatic { .. } | PhaseBody::Acts(_) => None,
        });
        let is_there = |id: &&Name| self.book.phases.contains_key(*id);
        lists
            .filter_map(|list| Some((list, list.iter().position(|id| id == phase)?)))
            .find_map(|(list, at)| {
                let before = list[..at].iter().rev().find(is_there);
                let after = list[at + 1..].iter().find(is_there);
                before
                    .map(|id| ("after", id))
                    .or_else(|| after.map(|id| ("before", id)))
            })
    }
}
