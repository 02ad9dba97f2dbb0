//! Values of a known type from the values of a RON file.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::value::{LARGEST_INT, Mismatch, Name, Type, Value, is_id};
use ron::value::Number;

use super::{DEEPEST, Find, inside, keep, mismatch, parse_value, quoted, unknown_field};

/// Reads a value of a type from RON. Numbers, bools, lists and maps are RON's
/// own; what RON has no form for (lengths, dice, points) is written as text in
/// the form of [`parse_value`].
///
/// # Errors
/// The first place where the value does not fit.
pub fn from_ron(ty: &Type, value: &ron::Value, find: Find<'_>) -> Result<Value, Mismatch> {
    at_depth(ty, value, find, 0)
}

fn at_depth(
    ty: &Type,
    value: &ron::Value,
    find: Find<'_>,
    depth: usize,
) -> Result<Value, Mismatch> {
    use ron::Value as Ron;
    if depth > DEEPEST {
        return Err(mismatch("values nested less deep", word(value)));
    }
    match (ty, value) {
        (_, Ron::Option(Some(inner))) => at_depth(ty, inner, find, depth + 1),
        (Type::Optional(_) | Type::Verdict | Type::Any, Ron::Option(None)) => Ok(Value::None),
        (Type::Optional(inner), _) => at_depth(inner, value, find, depth + 1),
        (Type::Bool | Type::Any, Ron::Bool(yes)) => Ok(Value::Bool(*yes)),
        (Type::Int { .. } | Type::Any, Ron::Number(number)) => match whole(number) {
            Some(n) if fits(ty, n) => Ok(Value::Int(n)),
            Some(n) => Err(mismatch(ty, format!("the integer {n}"))),
            None => Err(mismatch(ty, word(value))),
        },
        (_, Ron::String(text)) => from_text(ty, text, find),
        (_, Ron::Char(c)) => from_text(ty, &c.to_string(), find),
        (Type::List(inner), Ron::Seq(items)) => list(inner, items, find, depth),
        (Type::Any, Ron::Seq(items)) => list(ty, items, find, depth),
        (Type::Path, Ron::Seq(items)) if items.len() >= 2 => list(&Type::Point, items, find, depth),
        (Type::Point, Ron::Seq(items)) => {
            point(items).unwrap_or_else(|| Err(mismatch(ty, word(value))))
        }
        (Type::Hex, Ron::Seq(items)) => hex(items).ok_or_else(|| mismatch(ty, word(value))),
        (Type::Map(inner), Ron::Map(map)) => entries(ty, map, &|_| Some(&**inner), find, depth),
        (Type::Any, Ron::Map(map)) => entries(ty, map, &|_| Some(ty), find, depth),
        (Type::Record(_), Ron::Map(map)) => record(ty, map, find, depth),
        _ => Err(mismatch(ty, word(value))),
    }
}

fn from_text(ty: &Type, text: &str, find: Find<'_>) -> Result<Value, Mismatch> {
    let is_fit = match ty {
        Type::Any | Type::Text | Type::Verdict => true,
        Type::Id => is_id(text),
        Type::Enum(tags) => tags.iter().any(|tag| **tag == *text),
        // RON has its own forms for these; text would hide a mistake.
        Type::Bool | Type::Int { .. } => false,
        _ => return parse_value(ty, text, find),
    };
    if is_fit {
        Ok(Value::text(text))
    } else {
        Err(mismatch(ty, quoted(text)))
    }
}

fn whole(number: &Number) -> Option<i64> {
    let n = match number {
        Number::I8(n) => i64::from(*n),
        Number::I16(n) => i64::from(*n),
        Number::I32(n) => i64::from(*n),
        Number::I64(n) => *n,
        Number::U8(n) => i64::from(*n),
        Number::U16(n) => i64::from(*n),
        Number::U32(n) => i64::from(*n),
        Number::U64(n) => i64::try_from(*n).ok()?,
        _ => return None,
    };
    (-LARGEST_INT..=LARGEST_INT).contains(&n).then_some(n)
}

fn fits(ty: &Type, n: i64) -> bool {
    match ty {
        Type::Int { min, max } => (min..=max).contains(&&n),
        _ => true,
    }
}

fn list(
    inner: &Type,
    items: &[ron::Value],
    find: Find<'_>,
    depth: usize,
) -> Result<Value, Mismatch> {
    let item = |(i, item)| {
        at_depth(inner, item, find, depth + 1).map_err(|m| inside(&format!("[{}]", i + 1), m))
    };
    Ok(Value::list(
        items
            .iter()
            .enumerate()
            .map(item)
            .collect::<Result<Vec<_>, _>>()?,
    ))
}

/// `("10in", "8in")` is read as the text `(10in, 8in)`.
fn point(items: &[ron::Value]) -> Option<Result<Value, Mismatch>> {
    match items {
        [ron::Value::String(x), ron::Value::String(y)] => Some(parse_value(
            &Type::Point,
            &format!("({x}, {y})"),
            &super::no_entities,
        )),
        _ => None,
    }
}

/// `(3, -1)`: the two coordinates of a hex.
fn hex(items: &[ron::Value]) -> Option<Value> {
    match items {
        [ron::Value::Number(q), ron::Value::Number(r)] => {
            kernel::geometry::Hex::checked(whole(q)?, whole(r)?).map(Value::Hex)
        }
        _ => None,
    }
}

fn record(ty: &Type, map: &ron::Map, find: Find<'_>, depth: usize) -> Result<Value, Mismatch> {
    let Type::Record(fields) = ty else {
        return Err(mismatch(ty, "a map"));
    };
    let type_of = |name: &str| {
        fields
            .iter()
            .find(|field| *field.name == *name)
            .map(|field| &field.ty)
    };
    let value = entries(ty, map, &type_of, find, depth)?;
    for field in fields
        .iter()
        .filter(|field| value.field(&field.name).is_none())
    {
        if !matches!(field.ty, Type::Optional(_) | Type::Any | Type::Verdict) {
            return Err(inside(&field.name, mismatch(&field.ty, "nothing")));
        }
    }
    Ok(value)
}

fn entries<'t>(
    ty: &Type,
    map: &ron::Map,
    type_of: &dyn Fn(&str) -> Option<&'t Type>,
    find: Find<'_>,
    depth: usize,
) -> Result<Value, Mismatch> {
    let mut read: BTreeMap<Name, Value> = BTreeMap::new();
    for (key, value) in map.iter() {
        let ron::Value::String(key) = key else {
            return Err(mismatch("text as a key", word(key)));
        };
        let Some(inner) = type_of(key) else {
            return Err(unknown_field(ty, key));
        };
        let value = at_depth(inner, value, find, depth + 1).map_err(|m| inside(key, m))?;
        keep(&mut read, &Arc::from(key.as_str()), value);
    }
    Ok(Value::Map(Arc::new(read)))
}

fn word(value: &ron::Value) -> String {
    match value {
        ron::Value::Bool(yes) => format!("`{yes}`"),
        ron::Value::Number(number) => match whole(number) {
            Some(n) => format!("the integer {n}"),
            None => "a number that is not whole or beyond 2^53".into(),
        },
        ron::Value::String(text) => quoted(text),
        ron::Value::Char(c) => format!("`{c}`"),
        ron::Value::Map(_) => "a map".into(),
        ron::Value::Seq(items) => format!("a list of {}", items.len()),
        ron::Value::Option(Some(inner)) => word(inner),
        ron::Value::Bytes(_) => "bytes".into(),
        ron::Value::Option(None) | ron::Value::Unit => "nothing".into(),
    }
}
