//! Values of components by the types of their places, as scripts' values are:
//! whoever writes `3` for a length means a length.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::decision::Domain;
use kernel::dice::Die;
use kernel::error::Fault;
use kernel::geometry::{Angle, Direction, Length};
use kernel::value::{Field, Mismatch, Name, Type, Value};

/// A value of a type. Most are of it already: then nothing is made anew.
///
/// # Errors
/// Where it does not have the form of the type. Ranges and kinds of entities
/// are checked by the kernel afterwards.
pub fn typed(value: Value, ty: &Type) -> Result<Value, Mismatch> {
    match is_typed(&value, ty) {
        true => Ok(value),
        false => brought(value, ty),
    }
}

/// Whether a value stays what it is if it is brought to a type.
fn is_typed(value: &Value, ty: &Type) -> bool {
    match (ty, value) {
        (Type::Optional(_) | Type::Verdict, Value::None) | (Type::Int { .. }, Value::Int(_)) => {
            true
        }
        (Type::Optional(inner), value) => is_typed(value, inner),
        (Type::Any, value) => is_plain(value),
        (Type::Path, Value::List(items)) => items.iter().all(|one| has_form(&Type::Point, one)),
        (Type::List(inner), Value::List(items)) => items.iter().all(|one| is_typed(one, inner)),
        (Type::Map(inner), Value::Map(map)) => {
            let mut values = map.values();
            values.all(|value| !value.is_none() && is_typed(value, inner))
        }
        (Type::Record(known), Value::Map(map)) => map.iter().all(|(name, value)| {
            !value.is_none() && is_typed(value, type_of(known, name).unwrap_or(&Type::Any))
        }),
        _ => has_form(ty, value),
    }
}

fn brought(value: Value, ty: &Type) -> Result<Value, Mismatch> {
    let wrong = |value: &Value| Err(mismatch(value, ty));
    Ok(match (ty, value) {
        (Type::Optional(_) | Type::Verdict, Value::None | Value::Bool(true)) if is_nothing(ty) => {
            Value::None
        }
        (Type::Optional(_), Value::None) => Value::None,
        (Type::Optional(inner), value) => brought(value, inner)?,
        (Type::Any, value) => plain(value),
        (Type::Int { .. }, value) => match plain(value) {
            Value::Int(n) => Value::Int(n),
            other => return wrong(&other),
        },
        (Type::Length, Value::Int(um)) => Value::Length(Length::from_um(um)),
        (Type::Angle | Type::Direction, value) => match (ty, number(&value)) {
            (Type::Angle, Some(minutes)) => Value::Angle(Angle::from_minutes(minutes)),
            (_, Some(minutes)) => Value::Direction(Direction::from_minutes(minutes)),
            (_, None) => return wrong(&value),
        },
        (Type::Die, Value::Text(text)) => match die(&text) {
            Some(die) => Value::Die(die),
            None => return wrong(&Value::Text(text)),
        },
        (Type::Path, Value::List(items)) => list(&items, &Type::Point)?,
        (Type::List(inner), Value::List(items)) => list(&items, inner)?,
        (Type::Map(inner), value) => match as_map(&value) {
            Some(map) => fields(&map, |_| Some(inner))?,
            None => return wrong(&value),
        },
        (Type::Record(known), value) => match as_map(&value) {
            Some(map) => fields(&map, |name| type_of(known, name))?,
            None => return wrong(&value),
        },
        (Type::Verdict, Value::Bool(false)) => Value::text("the rules do not allow it"),
        (_, value) if has_form(ty, &value) => value,
        (_, value) => return wrong(&value),
    })
}

fn is_nothing(ty: &Type) -> bool {
    matches!(ty, Type::Verdict)
}

fn type_of<'t>(fields: &'t [Field], name: &str) -> Option<&'t Type> {
    fields
        .iter()
        .find(|field| &*field.name == name)
        .map(|field| &field.ty)
}

/// An arena says an empty list where a script says an empty table.
fn as_map(value: &Value) -> Option<Arc<BTreeMap<Name, Value>>> {
    match value {
        Value::Map(map) => Some(map.clone()),
        Value::List(items) if items.is_empty() => Some(Arc::default()),
        _ => None,
    }
}

fn list(items: &[Value], inner: &Type) -> Result<Value, Mismatch> {
    let item = |(i, item): (usize, &Value)| {
        brought(item.clone(), inner).map_err(|m| m.inside(&format!("[{}]", i + 1)))
    };
    Ok(Value::List(
        items
            .iter()
            .enumerate()
            .map(item)
            .collect::<Result<_, _>>()?,
    ))
}

fn fields<'t>(
    map: &BTreeMap<Name, Value>,
    ty: impl Fn(&str) -> Option<&'t Type>,
) -> Result<Value, Mismatch> {
    let mut found = BTreeMap::new();
    for (name, value) in map {
        let value =
            brought(value.clone(), ty(name).unwrap_or(&Type::Any)).map_err(|m| m.inside(name))?;
        if !value.is_none() {
            found.insert(name.clone(), value);
        }
    }
    Ok(Value::Map(Arc::new(found)))
}

/// Where any value fits, quantities are numbers: scripts know no others, and
/// the same rule in two languages must leave the same state.
fn plain(value: Value) -> Value {
    match value {
        Value::Length(length) => Value::Int(length.um()),
        Value::Angle(angle) => Value::Int(i64::from(angle.minutes())),
        Value::Direction(direction) => Value::Int(i64::from(direction.minutes())),
        Value::List(items) => Value::List(items.iter().cloned().map(plain).collect()),
        Value::Map(map) => {
            let field = |(name, value): (&Name, &Value)| (name.clone(), plain(value.clone()));
            Value::Map(Arc::new(map.iter().map(field).collect()))
        }
        other => other,
    }
}

/// Whether [`plain`] leaves a value as it is.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Length(_) | Value::Angle(_) | Value::Direction(_) => false,
        Value::List(items) => items.iter().all(is_plain),
        Value::Map(map) => map.values().all(is_plain),
        _ => true,
    }
}

fn number(value: &Value) -> Option<i32> {
    match plain(value.clone()) {
        Value::Int(n) => i32::try_from(n).ok(),
        _ => None,
    }
}

fn die(text: &str) -> Option<Die> {
    Die::new(text.strip_prefix('d')?.parse().ok()?).ok()
}

fn has_form(ty: &Type, value: &Value) -> bool {
    matches!(
        (ty, value),
        (Type::Bool, Value::Bool(_))
            | (
                Type::Text | Type::Id | Type::Enum(_) | Type::Verdict,
                Value::Text(_)
            )
            | (Type::Entity(_), Value::Entity(_))
            | (Type::Length, Value::Length(_))
            | (Type::Point, Value::Point(_))
            | (Type::Hex, Value::Hex(_))
            | (Type::Die, Value::Die(_))
    )
}

fn mismatch(value: &Value, ty: &Type) -> Mismatch {
    Mismatch {
        place: String::new(),
        expected: ty.to_string(),
        found: found_words(value),
    }
}

/// What was found instead of something else.
pub fn found_words(value: &Value) -> String {
    match value {
        Value::Int(n) => format!("the number {n}"),
        Value::Text(text) => format!("the text `{}`", crate::printable::cut_off(text, 60)),
        Value::Bool(yes) => format!("`{yes}`"),
        other => other.type_word().to_string(),
    }
}

/// The type of what a domain offers, one by one, by that of its parameter.
pub fn element_of<'t>(domain: &Value, ty: &'t Type) -> &'t Type {
    match (domain.field("domain").and_then(Value::as_text), ty) {
        (Some("several"), Type::List(inner)) => inner,
        _ => ty,
    }
}

/// Whether a domain can answer for a parameter of a type: numbers for a number, a
/// list of some for a list.
///
/// # Errors
/// Where none of its answers is of the type.
pub fn domain_sort(domain: &Value, ty: &Type) -> Result<(), Mismatch> {
    let ty = match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    };
    let (gives, fits) = match domain.field("domain").and_then(Value::as_text) {
        Some("several") => ("several, which are a list", matches!(ty, Type::List(_))),
        Some("integer") => (
            "a number",
            matches!(
                ty,
                Type::Int { .. } | Type::Length | Type::Angle | Type::Direction
            ),
        ),
        Some("place") => ("a point", matches!(ty, Type::Point)),
        Some("route") => ("a list of points", matches!(ty, Type::Path | Type::List(_))),
        _ => return Ok(()),
    };
    match fits || *ty == Type::Any {
        true => Ok(()),
        false => Err(Mismatch {
            place: String::new(),
            expected: format!("a domain for {ty}"),
            found: format!("one of {gives}"),
        }),
    }
}

/// A domain, the values in it by the type of the parameter.
///
/// # Errors
/// In words, when it is none.
pub fn typed_domain(value: Value, ty: &Type) -> Result<Value, String> {
    if value.is_none() {
        return Ok(value);
    }
    let Value::Map(map) = &value else {
        return Err(format!("expected a domain, found {}", value.type_word()));
    };
    domain_sort(&value, ty).map_err(|mismatch| mismatch.to_string())?;
    let element = element_of(&value, ty);
    let is_typed = match map.get("choices") {
        Some(Value::List(choices)) => choices.iter().all(|one| is_choice(one, element)),
        _ => true,
    };
    let domain = match is_typed {
        true => value.clone(),
        false => choices_typed(map, element)?,
    };
    Domain::from_value(&domain).map_err(|fault: Fault| fault.into_message())?;
    Ok(domain)
}

/// Whether something to choose is a label and a value of a type, and nothing else.
fn is_choice(choice: &Value, ty: &Type) -> bool {
    let Value::Map(map) = choice else {
        return false;
    };
    let is_value = |value: &Value| !value.is_none() && is_typed(value, ty);
    map.len() == 2
        && matches!(map.get("label"), Some(Value::Text(_)))
        && map.get("value").is_some_and(is_value)
}

/// A domain, what there is to choose in it by a type.
fn choices_typed(map: &BTreeMap<Name, Value>, element: &Type) -> Result<Value, String> {
    let mut map = map.clone();
    if let Some(Value::List(choices)) = map.get("choices") {
        let choice = |choice: &Value| {
            let of = choice.field("value").cloned().unwrap_or_default();
            let label = choice
                .field("label")
                .cloned()
                .unwrap_or_else(|| Value::text(""));
            Ok(Value::record([
                ("value", typed(of, element)?),
                ("label", label),
            ]))
        };
        let choices: Result<Vec<Value>, Mismatch> = choices.iter().map(choice).collect();
        let choices = choices.map_err(|mismatch| mismatch.inside("choices").to_string())?;
        map.insert(Name::from("choices"), Value::list(choices));
    }
    Ok(Value::Map(Arc::new(map)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::geometry::Hex;

    /// Values of each sort, and some that hold others.
    fn values() -> Vec<Value> {
        let plain = vec![
            Value::None,
            Value::Bool(true),
            Value::Bool(false),
            Value::Int(3),
            Value::text("d6"),
            Value::Length(Length::from_um(3)),
            Value::Angle(Angle::from_minutes(60)),
            Value::Direction(Direction::from_minutes(90)),
            Value::Hex(Hex::ORIGIN),
        ];
        let mut all = plain.clone();
        for value in plain {
            let map = BTreeMap::from([(Name::from("a"), value.clone())]);
            all.push(Value::Map(Arc::new(map)));
            all.push(Value::list(vec![value]));
        }
        all.push(Value::list(Vec::new()));
        all
    }

    fn types() -> Vec<Type> {
        let plain = [
            Type::Any,
            Type::Bool,
            Type::Text,
            Type::Verdict,
            Type::Length,
            Type::Angle,
            Type::Direction,
            Type::Die,
            Type::Path,
            Type::Hex,
        ];
        let mut all = plain.to_vec();
        for ty in plain {
            all.push(Type::Optional(Arc::new(ty.clone())));
            all.push(Type::List(Arc::new(ty.clone())));
            all.push(Type::Map(Arc::new(ty)));
        }
        all
    }

    #[test]
    fn what_is_typed_is_what_it_would_be_brought_to() {
        for ty in types() {
            let typed = values().into_iter().filter(|value| is_typed(value, &ty));
            for value in typed {
                assert_eq!(brought(value.clone(), &ty), Ok(value), "{ty}");
            }
        }
    }
}
