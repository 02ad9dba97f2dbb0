//! Members of actions and reactions that are rules by name.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::value::{Name, Type};

use super::Composer;
use super::sequence::REASON;
use crate::hosting::registry::Returns;
use crate::printable::counted;
use crate::registration::RawAction;
use crate::types::parse_type;

impl Composer<'_> {
    /// Every rule that an action or a reaction names must be there, and take
    /// what it is given.
    pub(super) fn check_members(&mut self, raw: &RawAction) {
        let context = if raw.is_reaction {
            "who acts and the window"
        } else {
            "who acts"
        };
        let count = if raw.is_reaction { 2 } else { 1 };
        let with_params = format!("{context}, and the parameters");
        if let Some(rule) = &raw.allowed {
            self.check_member(raw, "allowed", rule, count, context);
            self.gives_reason(raw, rule);
        }
        for param in &raw.params {
            self.check_member(
                raw,
                &format!("{}.domain", param.name),
                &param.domain,
                count + 1,
                &with_params,
            );
            self.type_domain(raw, &param.domain, &param.ty);
        }
        self.check_member(raw, "perform", &raw.perform, count + 1, &with_params);
        if let Some(rule) = &raw.score {
            self.check_member(raw, "score", rule, count + 1, &with_params);
        }
        if let Some(rule) = &raw.outlook {
            self.check_member(raw, "outlook", rule, count + 1, &with_params);
        }
        self.takes_actor(raw);
    }

    fn check_member(
        &mut self,
        raw: &RawAction,
        field: &str,
        rule: &Name,
        count: usize,
        takes: &str,
    ) {
        let place = raw.origin.place.clone();
        // A definition with a fault of its own is told there.
        let is_own = rule
            .strip_prefix(&*raw.id)
            .is_some_and(|rest| rest.starts_with('.'));
        let Some(entry) = self.rules.get(rule) else {
            if !is_own {
                self.needs_rule(rule, &place);
            }
            return;
        };
        let found = entry.signature.args.len();
        if found != count {
            let found = counted(found, "argument");
            let message = format!(
                "`{}`, `{field}`: expected a rule that takes {takes} after the game, found `{rule}` with {found}",
                raw.id
            );
            self.faults
                .push(Fault::new(FaultCode::BadSignature, message).at(place));
        } else if field != "perform" && !Effects::READS.include(entry.signature.effects) {
            let message = format!(
                "`{}`, `{field}`: expected a rule that only reads, found that `{rule}` {}",
                raw.id,
                entry.signature.effects.words()
            );
            let fault = Fault::new(FaultCode::BadSignature, message).hint(
                "it is asked again and again; let the step that `perform` is roll, write and ask",
            );
            let place = entry.place.clone();
            self.faults.push(fault.at(place));
        }
    }

    /// The rules of an action take who acts; of several that do not, one is told.
    fn takes_actor(&mut self, raw: &RawAction) {
        let members = [
            ("allowed", raw.allowed.as_ref()),
            ("perform", Some(&raw.perform)),
            ("score", raw.score.as_ref()),
            ("outlook", raw.outlook.as_ref()),
        ];
        let domains = (raw.params.iter()).map(|param| (&*param.name, Some(&param.domain)));
        let other = members
            .into_iter()
            .chain(domains)
            .find_map(|(field, rule)| {
                let entry = self.rules.get(rule?)?;
                let other = self.other_actor(raw, &entry.signature.args.first()?.ty)?;
                Some((field, rule?, other))
            });
        let Some((field, rule, other)) = other else {
            return;
        };
        let wanted = match &raw.actor {
            Some(kind) => format!("entity({kind})"),
            None => "a side".into(),
        };
        let message = format!(
            "`{}`, `{field}`: expected a rule that takes {wanted} first, found `{rule}`, which takes {other}",
            raw.id
        );
        let fault = Fault::new(FaultCode::BadSignature, message);
        let fault = match raw.actor {
            Some(_) => fault,
            None => fault.hint("`actor` is the kind of those who act; without it their side does"),
        };
        self.faults.push(fault.at(raw.origin.place.clone()));
    }

    /// What a rule takes instead of who acts: a piece where a side acts, a side or a
    /// piece of another kind where one of a kind does.
    fn other_actor(&self, raw: &RawAction, takes: &Type) -> Option<String> {
        let kind = raw.actor.as_ref();
        let is_kind = |name: &Name| self.schema.kinds().iter().any(|kind| kind.id == *name);
        match (kind, takes) {
            (None, Type::Entity(_)) => Some(takes.to_string()),
            (Some(kind), Type::Entity(Some(other))) if is_kind(kind) && kind != other => {
                Some(takes.to_string())
            }
            (Some(kind), Type::Text | Type::Id) if is_kind(kind) => Some(takes.to_string()),
            _ => None,
        }
    }

    /// Only a text forbids: whatever else a rule gives would allow everything.
    fn gives_reason(&mut self, raw: &RawAction, rule: &Name) {
        let Some(entry) = self.rules.get(rule) else {
            return;
        };
        let Err(says) = why_not(&entry.signature.returns) else {
            return;
        };
        let message = format!(
            "`{}`, `allowed`: expected a rule that says why not, found that `{rule}` gives {says}",
            raw.id
        );
        let fault = Fault::new(FaultCode::BadSignature, message).hint(REASON);
        let place = entry.place.clone();
        self.faults.push(fault.at(place));
    }

    /// What a rule says of a parameter has the type of the parameter.
    fn type_domain(&mut self, raw: &RawAction, rule: &Name, ty: &str) {
        let Ok(ty) = parse_type(ty, &self.records) else {
            return;
        };
        let Some(entry) = self.rules.get_mut(rule) else {
            return;
        };
        match &entry.signature.returns {
            Returns::Domain(Type::Any) => {
                Rc::make_mut(entry).signature.returns = Returns::Domain(ty);
            }
            Returns::Domain(known) if *known == ty || ty == Type::Any => {}
            Returns::Domain(known) => {
                let message = format!(
                    "`{}`: expected `{rule}` to offer {ty}, found that it offers {known} elsewhere",
                    raw.id
                );
                let fault = Fault::new(FaultCode::BadSignature, message);
                self.faults.push(fault.at(raw.origin.place.clone()));
            }
            _ => {
                let message = format!(
                    "`{}`: expected a rule that gives a `Domain`, found `{rule}`",
                    raw.id
                );
                let fault = Fault::new(FaultCode::BadSignature, message);
                self.faults.push(fault.at(raw.origin.place.clone()));
            }
        }
    }
}

/// What a rule gives, in words, if that is no reason why not.
pub(super) fn why_not(returns: &Returns) -> Result<(), String> {
    match returns {
        Returns::Value(Type::Optional(inner)) => says_why(inner),
        Returns::Value(ty) => says_why(ty),
        Returns::Domain(_) => Err("a domain".to_string()),
        Returns::Nothing => Err("nothing".to_string()),
    }
}

/// What a type is called that can give no reason.
fn says_why(ty: &Type) -> Result<(), String> {
    match ty {
        Type::Verdict | Type::Text | Type::Enum(_) | Type::Any => Ok(()),
        other => Err(other.to_string()),
    }
}
