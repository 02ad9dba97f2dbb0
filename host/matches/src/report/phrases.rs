//! Values as a report says them: short, for players.

use kernel::geometry::{Length, Point};
use kernel::value::{EntityId, Name, Value};

use rules::types::Unit;

/// How values are said: in which unit, and what entities are called.
#[derive(Clone, Copy)]
pub struct Phrases<'a> {
    /// What lengths are measured in.
    pub unit: Unit,
    /// What an entity is called.
    pub names: &'a dyn Fn(EntityId) -> Name,
}

impl Phrases<'_> {
    /// A value. Lengths and points are rounded to the nearest tenth; but a
    /// length just beyond a whole inch or centimetre, where rules draw their
    /// lines, is told as just over it, so that it never reads as on it.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::None => "none".into(),
            Value::Bool(true) => "yes".into(),
            Value::Bool(false) => "no".into(),
            Value::Int(n) => n.to_string(),
            Value::Text(text) => text.to_string(),
            Value::Entity(entity) => (self.names)(*entity).to_string(),
            Value::Length(length) => self.length(*length),
            Value::Angle(angle) => angle.to_string(),
            Value::Direction(direction) => direction.to_string(),
            Value::Point(point) => self.point(*point),
            Value::Hex(hex) => hex.name(),
            Value::Die(die) => die.to_string(),
            Value::List(items) => self.list(items),
            Value::Map(map) => {
                let field = |(name, value): (&Name, &Value)| match value {
                    Value::Map(inner) if !inner.is_empty() => {
                        format!("{} ({})", spaced(name), self.value(value))
                    }
                    _ => format!("{} {}", spaced(name), self.value(value)),
                };
                match map.is_empty() {
                    true => "none".into(),
                    false => map.iter().map(field).collect::<Vec<_>>().join(", "),
                }
            }
        }
    }

    /// A list; several points are a route.
    fn list(&self, items: &[Value]) -> String {
        let points: Vec<Point> = items.iter().filter_map(Value::as_point).collect();
        match (items.len(), points.len(), points.last()) {
            (0, _, _) => "none".into(),
            (all, found, Some(end)) if all == found && all > 1 => {
                let legs = if all == 2 { "leg" } else { "legs" };
                format!("{} {legs} to {}", all - 1, self.point(*end))
            }
            _ => items
                .iter()
                .map(|item| self.value(item))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    fn length(&self, length: Length) -> String {
        let (unit, word) = self.measure();
        let tenths = nearest_tenths(length, unit);
        let is_just_beyond = tenths % 10 == 0 && i128::from(length.um()) * 10 > tenths * unit;
        let over = if is_just_beyond { "just over " } else { "" };
        format!("{over}{} {word}", tenths_text(tenths))
    }

    fn point(&self, point: Point) -> String {
        let (unit, _) = self.measure();
        let text = |length: Length| tenths_text(nearest_tenths(length, unit));
        format!("({}, {})", text(point.x()), text(point.y()))
    }

    /// Micrometres to the unit, and its word.
    fn measure(&self) -> (i128, &'static str) {
        match self.unit {
            Unit::Inches | Unit::AsWritten => (i128::from(Length::INCH.um()), "in"),
            Unit::Centimetres => (i128::from(Length::CM.um()), "cm"),
        }
    }
}

fn nearest_tenths(length: Length, unit: i128) -> i128 {
    (i128::from(length.um()) * 20 + unit).div_euclid(unit * 2)
}

fn tenths_text(tenths: i128) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let tenths = tenths.unsigned_abs();
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// A name as words.
pub(super) fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// Text that begins with a capital.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(rest).collect()
    })
}
