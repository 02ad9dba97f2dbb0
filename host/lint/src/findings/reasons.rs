//! Reasons with places in braces, and the values beside them.

use kernel::error::{Fault, FaultCode};
use kernel::world::closest;
use luau_syntax::ast::{Expression, ExpressionKind};
use luau_syntax::location::Position;

use super::expressions::keys_of;
use super::{FileFacts, Sink};
use crate::scope::word;

/// A reason whose text and values stand in the file.
#[derive(Debug)]
pub(super) struct Reason {
    text: String,
    at: Position,
    values: Vec<String>,
}

/// What `rules.reason(text, values)` or `rules.refuse(is_so, text, values)` is
/// given, where all of it stands there.
pub(super) fn reason(verb: &str, args: &[Expression<'_>]) -> Option<Reason> {
    let place = match verb {
        "reason" => 0,
        "refuse" => 1,
        _ => return None,
    };
    let text = args.get(place)?;
    let values = match args.get(place + 1) {
        None => Vec::new(),
        Some(values) => written_out(*values)?,
    };
    Some(Reason {
        text: word(*text)?,
        at: text.location().begin,
        values,
    })
}

/// The keys of a table in which no others can be.
fn written_out(table: Expression<'_>) -> Option<Vec<String>> {
    let ExpressionKind::Table { items } = table.kind() else {
        return None;
    };
    let keys: Vec<String> = keys_of(table).into_iter().map(|(key, _)| key).collect();
    (keys.len() == items.len()).then_some(keys)
}

/// Checks all reasons of a file.
pub(super) fn check(file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for reason in &file.facts.reasons {
        if reason.text.trim().is_empty() {
            let fault = Fault::new(
                FaultCode::BadSignature,
                "expected a reason in words, found none",
            );
            let hint = "players read it: it says what keeps them from it";
            sink.put(fault.hint(hint), reason.at);
        }
        let places = rules::data::placeholders(&reason.text).into_iter();
        for place in places.filter(|place| reason.values.iter().all(|value| value != place)) {
            let message = format!("a reason has a place for `{{{place}}}`, but no value for it");
            let fault = Fault::new(FaultCode::BadSignature, message);
            let hint = match closest(place, reason.values.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{{{near}}}`?"),
                None => format!("a table after the text gives it one: `{{ {place} = … }}`"),
            };
            sink.put(fault.hint(hint), reason.at);
        }
    }
}
