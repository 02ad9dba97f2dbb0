//! Rules that have the last word over what is chosen: `check` in a domain. Such a rule
//! gets what `args` holds, then what is chosen.

use kernel::error::{Fault, FaultCode};
use kernel::value::Type;
use luau_syntax::ast::{Expression, ExpressionKind, TableItem};
use luau_syntax::location::Position;
use rules::hosting::registry::Signature;

use super::Sink;
use super::expressions::keys_of;
use super::world::WorldOfNames;
use crate::scope::{ModPath, Scope, word};
use crate::types::MemberWay;

/// Where the functions of `@domain` take a table with `check`.
const TAKING: [(&str, usize); 5] = [
    ("choices", 1),
    ("entities", 1),
    ("several", 3),
    ("place", 0),
    ("route", 0),
];

/// A rule that checks what is chosen.
#[derive(Debug)]
pub(super) struct DomainCheck {
    rule: ModPath,
    at: Position,
    /// How many arguments it gets before what is chosen.
    args: usize,
}

/// The check of a domain, where it and its arguments stand in the call.
pub(super) fn domain_check(
    scope: &Scope,
    verb: &str,
    args: &[Expression<'_>],
) -> Option<DomainCheck> {
    let (_, place) = TAKING.iter().find(|(name, _)| *name == verb)?;
    let spec = args.get(*place)?;
    let ExpressionKind::Table { items } = spec.kind() else {
        return None;
    };
    if keys_of(*spec).len() != items.len() {
        return None;
    }
    let field = |wanted: &str| {
        items.iter().find_map(|item| match item {
            TableItem::Record { key, value } if word(*key).as_deref() == Some(wanted) => {
                Some(*value)
            }
            _ => None,
        })
    };
    let check = field("check")?;
    Some(DomainCheck {
        rule: scope.in_mod(check).filter(|path| path.len() == 3)?,
        at: check.location().begin,
        args: match field("args") {
            Some(list) => listed(list)?,
            None => 0,
        },
    })
}

/// How many items a list has, where that is plain.
fn listed(list: Expression<'_>) -> Option<usize> {
    let ExpressionKind::Table { items } = list.kind() else {
        return None;
    };
    let is_one = |item: &TableItem<'_>| match item {
        TableItem::List { value } => !matches!(
            value.kind(),
            ExpressionKind::Call { .. } | ExpressionKind::Varargs
        ),
        _ => false,
    };
    items.iter().all(is_one).then_some(items.len())
}

/// Checks those of a file.
pub(super) fn check(world: &WorldOfNames<'_>, all: &[DomainCheck], sink: &mut Sink<'_>) {
    for one in all {
        let rule = MemberWay::try_from(one.rule.clone())
            .ok()
            .and_then(|way| world.known.rule(&way));
        let entry = rule.and_then(|rule| world.known.rulebook.rules().get_key_value(&rule.id));
        if let Some((id, entry)) = entry
            && let Some(fault) = wrong_number(id, &entry.signature, one.args)
        {
            sink.put(fault, one.at);
        }
    }
}

/// What is wrong with so many arguments before what is chosen.
fn wrong_number(rule: &str, signature: &Signature, given: usize) -> Option<Fault> {
    let may_be_nothing = |ty: &Type| matches!(ty, Type::Optional(_) | Type::Any);
    let names: Vec<&str> = signature.args.iter().map(|arg| &*arg.name).collect();
    let left = signature.args.iter().skip(given + 1);
    let all = match names.as_slice() {
        [] => "nothing".to_string(),
        names => format!("`{}`", names.join("`, `")),
    };
    if given >= names.len() {
        let message = format!(
            "`{rule}` takes {all} beside the game, and is given {given} by `args`, then what is chosen"
        );
        return Some(Fault::new(FaultCode::WrongType, message));
    }
    if left.clone().all(|arg| may_be_nothing(&arg.ty)) {
        return None;
    }
    let message = match given {
        0 => format!(
            "`{rule}` takes {all}, and is given only what is chosen, for there is no `args`"
        ),
        _ => format!("`{rule}` takes {all}, and is given {given} by `args`, then what is chosen"),
    };
    let before = names.split_last().map_or(&names[..], |(_, before)| before);
    Some(
        Fault::new(FaultCode::WrongType, message)
            .hint(format!("`args = {{ {} }}`", before.join(", "))),
    )
}
