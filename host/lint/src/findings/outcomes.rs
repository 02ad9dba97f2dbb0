//! What `t:odds` names: rules, events and kinds in `by`, and what is given.

use kernel::book::Action;
use kernel::error::{Fault, FaultCode};
use kernel::event::KERNEL_EVENTS;
use kernel::value::{Type, is_id};
use kernel::world::closest;
use rules::hosting::registry::Returns;

use super::Sink;
use super::given::WrittenArgument;
use super::world::WorldOfNames;

/// Words before a bracket that are no rules.
const NO_RULES: [&str; 4] = ["not", "and", "or", ""];

/// What an outcome asks of that nothing is called.
pub(super) fn unknown_in(world: &WorldOfNames<'_>, text: &str) -> Option<Fault> {
    asked(text).into_iter().find_map(|(by, name)| {
        let book = world.known.book();
        match by {
            "count" => {
                let mut kinds = book.schema.kinds().iter().map(|kind| &*kind.id);
                unknown(FaultCode::UnknownKind, "kind", name, &mut kinds)
            }
            "events" | "last" => {
                let mut events = book.events.keys().map(|id| &**id).chain(KERNEL_EVENTS);
                unknown(FaultCode::UnknownEvent, "event", name, &mut events)
            }
            _ => {
                let mut rules = world.known.rulebook.rules().keys().map(|id| &**id);
                unknown(FaultCode::UnknownRule, "rule", name, &mut rules)
            }
        }
    })
}

/// A field of what a rule gives, and gives without it.
pub(super) fn unknown_field(world: &WorldOfNames<'_>, rule: &str, text: &str) -> Option<Fault> {
    let entry = world.known.rulebook.rules().get(rule)?;
    let Returns::Value(ty) = &entry.signature.returns else {
        return None;
    };
    let fields = match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    };
    let Type::Record(fields) = fields else {
        return None;
    };
    let names = || fields.iter().map(|field| &*field.name);
    let parts = text.split(|letter| !goes_on(letter));
    let asked = parts.filter_map(|part| part.strip_prefix("result.")?.split('.').next());
    let mut unknown = asked.filter(|name| names().all(|known| known != *name));
    let name = unknown.next()?;
    let message = format!("what `{rule}` gives has no field `{name}`");
    let fault = Fault::new(FaultCode::UnknownAttribute, message);
    Some(match closest(name, names()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    })
}

fn unknown(
    code: FaultCode,
    word: &str,
    name: &str,
    known: &mut dyn Iterator<Item = &str>,
) -> Option<Fault> {
    let known: Vec<&str> = known.collect();
    if known.contains(&name) || !is_id(name) {
        return None;
    }
    let fault = Fault::new(code, format!("there is no {word} `{name}`"));
    Some(match closest(name, known.into_iter()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    })
}

/// What stands before each bracket, and the name that it is about: the first word
/// within for `count`, `events` and `last`, of a rule itself.
fn asked(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['(', '"', '\'']) {
        let (before, after) = rest.split_at(open);
        let quote = after.chars().next().unwrap_or('(');
        rest = &after[1..];
        if quote != '(' {
            // What is in quotes is no name.
            rest = rest.split_once(quote).map_or("", |(_, rest)| rest);
            continue;
        }
        let word = last_word(before.trim_end());
        match word {
            "count" | "events" | "last" => found.push((word, first_word(rest.trim_start()))),
            rule if NO_RULES.contains(&rule) => {}
            rule => found.push((rule, rule)),
        }
    }
    found
}

fn goes_on(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '#')
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter| !goes_on(letter));
    &text[..end.unwrap_or(text.len())]
}

fn last_word(text: &str) -> &str {
    let start = text.rfind(|letter| !goes_on(letter));
    let after = |at: usize| at + text[at..].chars().next().map_or(0, char::len_utf8);
    &text[start.map_or(0, after)..]
}

/// What the rule or the action is given whose odds are asked, by names that it has.
pub(super) fn check_arguments(
    world: &WorldOfNames<'_>,
    spec: &WrittenArgument,
    sink: &mut Sink<'_>,
) {
    let table = |key: &str| {
        let found = spec
            .inside
            .iter()
            .find(|(name, _)| name.as_deref() == Some(key));
        found.map(|(_, table)| table)
    };
    let rule = spec.values.iter().find(|(key, _)| key == "rule");
    let rule = rule.and_then(|(_, (id, _))| world.known.rulebook.rules().get(id.as_str()));
    if let (Some(rule), Some(args)) = (rule, table("args")) {
        let known = || rule.signature.args.iter().map(|field| &*field.name);
        let strange = args.keys.iter().flatten();
        for (key, at) in strange.filter(|(key, _)| known().all(|name| name != key)) {
            let message = format!("`{}` takes no `{key}`", rule.id);
            sink.unknown(FaultCode::BadSignature, *at, message, closest(key, known()));
        }
    }
    let Some(act) = table("act") else { return };
    let book = world.known.book();
    let action = act
        .texts
        .iter()
        .find_map(|(id, _)| book.actions.get(id.as_str()));
    let params = act.inside.iter().find(|(key, _)| key.is_none());
    if let (Some(action), Some((_, params))) = (action, params) {
        check_parameters(action, params, sink);
    }
}

/// Parameters of an action, by names that it has.
pub(super) fn check_parameters(action: &Action, params: &WrittenArgument, sink: &mut Sink<'_>) {
    let known = || action.params.iter().map(|param| &*param.name);
    for (key, at) in params.keys.iter().flatten() {
        if known().all(|name| name != key) {
            let message = format!("`{}` has no parameter `{key}`", action.id);
            sink.unknown(
                FaultCode::UnknownAction,
                *at,
                message,
                closest(key, known()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn what_is_asked_stands_before_a_bracket_or_first_within() {
        assert!(asked("result.hits >= 2 and red-1.status = down").is_empty());
        assert_eq!(
            asked("not (dsii.conf.level(red) = 2) or count( dsii.element, it.x = \"a(b\") > 1"),
            [
                ("dsii.conf.level", "dsii.conf.level"),
                ("count", "dsii.element")
            ]
        );
        assert_eq!(
            asked("last(dsii.dmg.suffered).result"),
            [("last", "dsii.dmg.suffered")]
        );
        assert!(asked("'never closed (").is_empty());
    }
}
