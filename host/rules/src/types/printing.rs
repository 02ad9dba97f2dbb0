//! Values as text: exactly, to be read again, and for people.

use kernel::digest::Names;
use kernel::geometry::{Angle, Length};
use kernel::value::{Value, is_id};

use super::{die_of, is_tag};

/// What a report measures in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unit {
    /// Inches.
    #[default]
    Inches,
    /// Centimetres.
    Centimetres,
}

impl Unit {
    /// One of it.
    pub fn length(self) -> Length {
        match self {
            Unit::Inches => Length::INCH,
            Unit::Centimetres => Length::CM,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Inches => "in",
            Unit::Centimetres => "cm",
        }
    }

    /// A length in this unit, rounded up to a thousandth.
    pub fn print(self, length: Length) -> String {
        match self {
            Unit::Inches => length.in_inches_text(),
            Unit::Centimetres => length.in_cm_text(),
        }
    }
}

/// A value for people: lengths in one unit, names and texts bare.
///
/// ```
/// use rules::types::{Unit, print_value};
/// use kernel::{geometry::Length, value::{EntityId, Name, Value}};
/// struct Nobody;
/// impl kernel::digest::Names for Nobody {
///     fn name_of(&self, _: EntityId) -> Name { "nobody".into() }
/// }
/// let range = Value::record([("band", Value::text("close")), ("range", Value::Length(Length::INCH))]);
/// assert_eq!(print_value(&range, &Nobody, Unit::Centimetres), "{band: close, range: 2.54 cm}");
/// ```
pub fn print_value(value: &Value, names: &dyn Names, unit: Unit) -> String {
    let all = |items: &[Value]| {
        items
            .iter()
            .map(|item| print_value(item, names, unit))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match value {
        Value::None => "none".into(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) => text.to_string(),
        Value::Entity(entity) => names.name_of(*entity).to_string(),
        Value::Length(length) => unit.print(*length),
        Value::Angle(angle) => angle.to_string(),
        Value::Direction(direction) => direction.to_string(),
        Value::Point(point) => format!("({}, {})", unit.print(point.x()), unit.print(point.y())),
        Value::Hex(hex) => hex.name(),
        Value::Die(die) => format!("d{}", die.sides()),
        Value::List(items) => format!("[{}]", all(items)),
        Value::Map(map) => {
            let field = |(key, item)| format!("{key}: {}", print_value(item, names, unit));
            format!(
                "{{{}}}",
                map.iter().map(field).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

/// A value as the text that [`super::parse_value`] reads back as the same,
/// without a space outside of quotes.
pub fn write_value(value: &Value, names: &dyn Names) -> String {
    let all = |items: &[Value]| {
        items
            .iter()
            .map(|item| write_value(item, names))
            .collect::<Vec<_>>()
            .join(",")
    };
    match value {
        Value::None => "nil".into(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) => write_text(text),
        Value::Entity(entity) => format!("@{}", write_text(&names.name_of(*entity))),
        Value::Length(length) => write_length(*length),
        Value::Angle(angle) => write_angle(*angle),
        Value::Direction(direction) => write_angle(Angle::from_minutes(direction.minutes())),
        Value::Point(point) => format!("({},{})", write_length(point.x()), write_length(point.y())),
        Value::Hex(hex) => hex.to_string(),
        Value::Die(die) => format!("d{}", die.sides()),
        Value::List(items) => format!("[{}]", all(items)),
        Value::Map(map) => {
            let field = |(key, item): (&kernel::value::Name, &Value)| {
                format!("{}={}", write_text(key), write_value(item, names))
            };
            format!(
                "{{{}}}",
                map.iter().map(field).collect::<Vec<_>>().join(",")
            )
        }
    }
}

fn write_text(text: &str) -> String {
    let is_taken = matches!(text, "nil" | "true" | "false") || die_of(text).is_some();
    let is_bare = is_tag(text) || is_id(text);
    if is_bare && !is_taken && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return text.into();
    }
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn write_length(length: Length) -> String {
    let um = length.um();
    let exact = |unit: i64, name: &str| (um % unit == 0).then(|| format!("{}{name}", um / unit));
    let tenths = || {
        (um % 2_540 == 0).then(|| {
            let tenths = um.unsigned_abs() / 2_540;
            format!(
                "{}{}.{}in",
                if um < 0 { "-" } else { "" },
                tenths / 10,
                tenths % 10
            )
        })
    };
    exact(25_400, "in")
        .or_else(|| exact(10_000, "cm"))
        .or_else(|| exact(1_000, "mm"))
        .or_else(tenths)
        .unwrap_or_else(|| format!("{um}um"))
}

fn write_angle(angle: Angle) -> String {
    match angle.minutes() {
        minutes if minutes % 60 == 0 => format!("{}deg", minutes / 60),
        minutes => format!("{minutes}'"),
    }
}
