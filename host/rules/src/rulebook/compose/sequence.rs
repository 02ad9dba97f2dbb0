//! The phases of the game: that each has its place, that what they name is there, and
//! that it is what a phase asks for.

use std::collections::BTreeSet;

use kernel::book::{Acts, Order, PhaseBody};
use kernel::error::{Fault, FaultCode, Place};
use kernel::game::Effects;
use kernel::value::{Name, Type};

use super::Composer;
use super::members::why_not;
use crate::hosting::registry::Returns;
use crate::registration::{PASSES, Registrations, wrong_passes};

/// What a phase asks of a rule.
struct PhaseRule<'a> {
    /// The field that names it.
    field: &'static str,
    /// The rule.
    rule: &'a Name,
    /// What it is given after the game: a type each.
    given: &'static [&'static str],
    /// What it must give.
    gives: Gives,
}

/// What a rule of a phase gives.
enum Gives {
    /// Whether.
    Claim,
    /// Why not.
    Reason,
    /// A side.
    Side,
    /// Nothing that anybody looks at.
    Nothing,
}

impl Composer<'_> {
    /// Every phase and rule that a phase names must be there, and do for it.
    pub(super) fn check_phases(&mut self, registered: &Registrations) {
        for raw in &registered.phases {
            let Some(phase) = self.book.phases.get(&raw.id).cloned() else {
                continue;
            };
            let place = &raw.origin.place;
            for id in phase.body.phases() {
                let found = self.book.phase(id).map(|_| ());
                let found = found.map_err(|fault| self.off_phase(id).unwrap_or(fault));
                self.keep(place, found);
            }
            if let PhaseBody::Acts(acts) = &phase.body {
                self.passes(acts, place);
                self.goes_of_secret(&raw.id, acts, place);
            }
            for asked in rules_of(&phase.body) {
                self.needs_rule(asked.rule, place);
                self.does_for_phase(&raw.id, &asked);
            }
        }
        self.phases_within_themselves(registered);
    }

    /// A rule that a phase names takes what the phase gives it, and gives what it asks for.
    fn does_for_phase(&mut self, phase: &Name, asked: &PhaseRule<'_>) {
        let Some(entry) = self.rules.get(asked.rule) else {
            return;
        };
        let (field, rule) = (asked.field, asked.rule);
        let signature = &entry.signature;
        let says = match (&asked.gives, &signature.returns) {
            // Phases without data give nothing.
            _ if signature.args.len() != asked.given.len()
                && !(asked.given == [DATA] && signature.args.is_empty()) =>
            {
                let count = match signature.args.len() {
                    1 => "one argument".to_string(),
                    some => format!("{some} arguments"),
                };
                Err((in_words(asked.given), format!("`{rule}` with {count}")))
            }
            (Gives::Nothing, _) => Ok(()),
            _ if !Effects::READS.include(signature.effects) => {
                let found = format!("that `{rule}` {}", signature.effects.words());
                Err(("only reads".to_string(), found))
            }
            (Gives::Claim, Returns::Value(ty)) if is_or_may_be(ty, &Type::Bool) => Ok(()),
            (Gives::Claim, other) => Err(gives("gives a `boolean`", rule, other)),
            (Gives::Side, Returns::Value(ty)) if is_or_may_be(ty, &Type::Text) => Ok(()),
            (Gives::Side, other) => Err(gives("gives a `Side`", rule, other)),
            (Gives::Reason, other) => why_not(other)
                .map_err(|found| ("says why not".to_string(), found_giving(rule, &found))),
        };
        let Err((expected, found)) = says else {
            return;
        };
        let message =
            format!("`{phase}`, `{field}`: expected a rule that {expected}, found {found}");
        let fault = Fault::new(FaultCode::BadSignature, message);
        let fault = match asked.gives {
            Gives::Reason => fault.hint(REASON),
            _ => fault,
        };
        let place = entry.place.clone();
        self.faults.push(fault.at(place));
    }

    /// In a secret phase each side says itself that it is ready: what is about goes in
    /// turn does nothing there.
    fn goes_of_secret(&mut self, phase: &Name, acts: &Acts, place: &Place) {
        if acts.order != Order::Secret || !acts.ends_when_idle {
            return;
        }
        let message = format!(
            "`{phase}`: expected `ends_when_idle` in a phase in which sides act in turn, found it in a secret one"
        );
        let fault = Fault::new(FaultCode::BadSignature, message)
            .hint("in secret each side says itself that it is ready: that it could do nothing would tell the others");
        self.faults.push(fault.at(place.clone()));
    }

    /// Whether a phase holds itself, over others or at once: it would never end.
    fn phases_within_themselves(&mut self, registered: &Registrations) {
        let mut told: BTreeSet<Name> = BTreeSet::new();
        for raw in &registered.phases {
            let Some(way) = self
                .way_back(&raw.id)
                .filter(|way| way.iter().all(|id| !told.contains(id)))
            else {
                continue;
            };
            let over = match way.as_slice() {
                [] => String::new(),
                some => {
                    let names: Vec<String> = some.iter().map(|id| format!("`{id}`")).collect();
                    format!(", over {}", names.join(", "))
                }
            };
            let message = format!("the phase `{}` holds itself{over}", raw.id);
            let fault = Fault::new(FaultCode::Cycle, message)
                .hint("what is to be played again is a `loop`, and its phases are others");
            self.faults.push(fault.at(raw.origin.place.clone()));
            told.extend(way);
            told.insert(raw.id.clone());
        }
    }

    /// The phases over which one holds itself, if it does.
    fn way_back(&self, id: &Name) -> Option<Vec<Name>> {
        let mut seen: BTreeSet<&Name> = BTreeSet::new();
        let mut open: Vec<(&Name, Vec<Name>)> = vec![(id, Vec::new())];
        while let Some((at, way)) = open.pop() {
            let Some(phase) = self.book.phases.get(at) else {
                continue;
            };
            for inner in phase.body.phases() {
                if inner == id {
                    return Some(way);
                }
                if seen.insert(inner) {
                    let further = way.iter().chain([inner]).cloned().collect();
                    open.push((inner, further));
                }
            }
        }
        None
    }

    /// An action is taken in a phase in which players act.
    pub(super) fn acts_at(&mut self, action: &Name, at: &Name, place: &Place) {
        let found = self.book.phase(at).map(|phase| match &phase.body {
            PhaseBody::Acts(_) => None,
            PhaseBody::Automatic { .. } => Some("which runs by itself"),
            PhaseBody::Sequence(_) | PhaseBody::Loop { .. } => Some("which is made of others"),
        });
        let found = found.map_err(|fault| self.off_at(action, at).unwrap_or(fault));
        let Some(Some(other)) = self.keep(place, found) else {
            return;
        };
        let message =
            format!("`{action}`: expected a phase in which players act, found `{at}`, {other}");
        let fault = Fault::new(FaultCode::BadSignature, message)
            .hint("a phase with `acts` is one in which actions are taken");
        self.faults.push(fault.at(place.clone()));
    }

    /// Only where sides take turns they let goes pass.
    fn passes(&mut self, acts: &Acts, place: &Place) {
        let Some(times) = acts.ends_after_passes else {
            return;
        };
        if acts.order != Order::Alternating {
            let message =
                "expected `ends_after_passes` in an alternating phase, found it in another";
            self.fault(place, FaultCode::OutOfRange, message);
        } else if !PASSES.contains(&times) {
            self.fault(place, FaultCode::OutOfRange, wrong_passes(times));
        }
    }
}

/// How a rule says why not, for whoever wrote one that does not.
pub(super) const REASON: &str =
    "let it give `Reason?`: a text that players read, or nothing where it is allowed";

/// What some rules of a phase are given.
const DATA: &str = "the data of the phase";

/// The rules that a phase names, with what it asks of them.
fn rules_of(body: &PhaseBody) -> Vec<PhaseRule<'_>> {
    fn one<'a>(
        field: &'static str,
        rule: Option<&'a Name>,
        given: &'static [&'static str],
        gives: Gives,
    ) -> Option<PhaseRule<'a>> {
        rule.map(|rule| PhaseRule {
            field,
            rule,
            given,
            gives,
        })
    }
    let rules = match body {
        PhaseBody::Sequence(_) => Vec::new(),
        PhaseBody::Loop { until, .. } => vec![one("ends", until.as_ref(), &[], Gives::Claim)],
        PhaseBody::Automatic { rule } => {
            vec![one("automatic", Some(rule), &[], Gives::Nothing)]
        }
        PhaseBody::Acts(acts) => vec![
            one("first", acts.first.as_ref(), &[DATA], Gives::Side),
            one(
                "may_pass",
                acts.may_pass.as_ref(),
                &["a side"],
                Gives::Reason,
            ),
            one("may_end", acts.may_end.as_ref(), &["a side"], Gives::Reason),
            one("ends", acts.until.as_ref(), &[DATA], Gives::Claim),
        ],
    };
    rules.into_iter().flatten().collect()
}

/// Whether a type can be another one, for all that is known of it.
fn is_or_may_be(ty: &Type, other: &Type) -> bool {
    match ty {
        Type::Optional(inner) => is_or_may_be(inner, other),
        Type::Any => true,
        Type::Id | Type::Enum(_) => *other == Type::Text,
        ty => ty == other,
    }
}

/// What a rule is to take, in words.
fn in_words(given: &[&str]) -> String {
    match given {
        [] => "takes nothing but the game".into(),
        some => format!("takes {} after the game", some.join(" and ")),
    }
}

fn gives(expected: &str, rule: &Name, returns: &Returns) -> (String, String) {
    let found = match returns {
        Returns::Value(ty) => ty.to_string(),
        Returns::Domain(_) => "a domain".into(),
        Returns::Nothing => "nothing".into(),
    };
    (expected.to_string(), found_giving(rule, &found))
}

fn found_giving(rule: &Name, found: &str) -> String {
    format!("that `{rule}` gives {found}")
}
