//! How the moment reads at which a window opens: its title, with parts in brackets.
//!
//! ```text
//! An enemy moves[: {mover}][ from {from}][ to {mover.at}]
//! ```
//!
//! A part in brackets is told where all is known that it names in braces: a field that
//! the window carries, or an attribute of the entity in such a field. Without those parts
//! it is the title. Who may know what is for whoever tells it.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Field, Type};
use kernel::world::{Schema, closest};

use super::placeholders;

/// A part of such a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MomentPart<'a> {
    /// It is always told.
    Title(&'a str),
    /// It is told where what it names is known.
    Known(&'a str),
}

/// What is told without any part in brackets.
///
/// ```
/// let text = "An enemy moves[: {mover}][ to {mover.at}]";
/// assert_eq!(rules::data::moment::title_of(text), "An enemy moves");
/// ```
pub fn title_of(text: &str) -> String {
    let title = |part| match part {
        MomentPart::Title(text) => Some(text),
        MomentPart::Known(_) => None,
    };
    parts(text).into_iter().filter_map(title).collect()
}

/// What is told to somebody: `known` gives a field, or an attribute of the entity in it,
/// in words, if there is one and it may be known. Nothing if that is no more than the
/// title.
///
/// ```
/// let text = "An enemy moves[: {mover}][ to {mover.at}]";
/// let known = |field: &str, attribute: Option<&str>| match attribute {
///     None => Some(format!("the {field}")),
///     Some(_) => None,
/// };
/// let told = rules::data::moment::narrated(text, &known);
/// assert_eq!(told.as_deref(), Some("An enemy moves: the mover"));
/// assert_eq!(rules::data::moment::narrated(text, &|_, _| None), None);
/// ```
pub fn narrated(
    text: &str,
    known: &dyn Fn(&str, Option<&str>) -> Option<String>,
) -> Option<String> {
    let (mut all, mut tells) = (String::new(), false);
    for part in parts(text) {
        match part {
            MomentPart::Title(text) => all.push_str(text),
            MomentPart::Known(text) => {
                if let Some(filled) = filled(text, known) {
                    all.push_str(&filled);
                    tells = true;
                }
            }
        }
    }
    tells.then_some(all)
}

fn filled(text: &str, known: &dyn Fn(&str, Option<&str>) -> Option<String>) -> Option<String> {
    let mut filled = text.to_string();
    for name in placeholders(text) {
        let (field, attribute) = parted(name);
        filled = filled.replace(&format!("{{{name}}}"), &known(field, attribute)?);
    }
    Some(filled)
}

/// A field, and the attribute of what it names.
fn parted(name: &str) -> (&str, Option<&str>) {
    match name.split_once('.') {
        Some((field, attribute)) => (field, Some(attribute)),
        None => (name, None),
    }
}

fn parts(text: &str) -> Vec<MomentPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let (known, after) = after.split_once(']').unwrap_or((after, ""));
        parts.extend([MomentPart::Title(before), MomentPart::Known(known)]);
        rest = after;
    }
    parts.push(MomentPart::Title(rest));
    parts
}

/// Checks the text of a window: brackets that are closed, and in them alone fields that it
/// carries and attributes that these have.
pub(crate) fn check(id: &str, text: &str, fields: &[Field], schema: &Schema) -> Result<(), Fault> {
    if !are_closed(text) {
        let message =
            format!("expected each `[` of the title of `{id}` to have its `]`, found `{text}`");
        return Err(Fault::new(FaultCode::BadSignature, message));
    }
    if let Some(name) = placeholders(&title_of(text)).first() {
        let message = format!(
            "expected a field of `{id}` in brackets, since not all may know of it, found `{{{name}}}` outside of them"
        );
        let fault = Fault::new(FaultCode::BadSignature, message);
        return Err(fault.hint(format!("write `[: {{{name}}}]`")));
    }
    placeholders(text)
        .into_iter()
        .try_for_each(|name| check_name(id, name, fields, schema))
}

/// Whether each bracket that is opened is closed before the next.
fn are_closed(text: &str) -> bool {
    let mut is_open = false;
    for letter in text.chars().filter(|letter| matches!(letter, '[' | ']')) {
        if is_open == (letter == '[') {
            return false;
        }
        is_open = !is_open;
    }
    !is_open
}

fn check_name(id: &str, name: &str, fields: &[Field], schema: &Schema) -> Result<(), Fault> {
    let (carried, attribute) = parted(name);
    let Some(field) = fields.iter().find(|field| *field.name == *carried) else {
        let message =
            format!("expected a field that `{id}` carries in its title, found `{{{name}}}`");
        let fault = Fault::new(FaultCode::BadSignature, message);
        let near = closest(carried, fields.iter().map(|field| &*field.name));
        return Err(near.iter().fold(fault, |fault, near| {
            fault.hint(format!("did you mean `{{{near}}}`?"))
        }));
    };
    let Some(attribute) = attribute else {
        return Ok(());
    };
    let ty = match &field.ty {
        Type::Optional(inner) => inner,
        ty => ty,
    };
    match ty {
        Type::Entity(Some(kind)) => {
            let kind = schema.kind(schema.require(kind)?);
            kind.require(attribute).map(|_| ())
        }
        _ => {
            let message = format!(
                "expected `{carried}` of `{id}` to be an entity of one kind, since its title tells of an attribute, \
                 found `{ty}`"
            );
            Err(Fault::new(FaultCode::BadSignature, message))
        }
    }
}
