//! Values as they cross the edge: plain data with the same form as the JSON
//! of reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::dice::Die;
use kernel::game::Game;
use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{EntityId, Name, Type, Value};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::labels_of;
use crate::types::{Manner, Unit, ValuePart, parse_value, print_parts};

/// A value. Plain things are plain: nothing, truth values, whole numbers,
/// texts, lists; all else is an object whose key says what it is.
///
/// ```
/// use houserule::embed::Plain;
/// let read = |text| serde_json::from_str::<Plain>(text).unwrap();
/// assert_eq!(read("3"), Plain::Int(3));
/// assert_eq!(read(r#"{"length": 25400}"#), Plain::Length { length: 25_400 });
/// assert_eq!(read(r#"{"point": [0, 25400]}"#), Plain::Point { point: [0, 25_400] });
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a value: true or false, a whole number, a text, a list, or an object whose one key is \
                 `entity`, `length`, `angle`, `direction`, `point`, `hex`, `die` or `record`"
)]
pub enum Plain {
    /// An optional that is absent, or something that is hidden.
    #[default]
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A whole number, within plus or minus 2^53.
    Int(i64),
    /// Text, an id, or the tag of an enum. As an input it may also be a value
    /// of another type as players write it: `6in`, `(10in, 4in)`, `gun-1`.
    Text(String),
    /// A list.
    List(Vec<Plain>),
    /// An entity: the viewer's own number for it, and what it is called.
    Entity {
        /// The viewer's number, from 1; nothing if it has none.
        entity: Option<u32>,
        /// Its name, or `#` and the number; not needed as an input, and left
        /// out in changes where it was told.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        label: String,
    },
    /// A length.
    Length {
        /// In micrometres.
        length: i64,
    },
    /// An angle.
    Angle {
        /// In minutes of arc.
        angle: i32,
    },
    /// A facing.
    Direction {
        /// In minutes of arc, clockwise from north.
        direction: i32,
    },
    /// A point of the table.
    Point {
        /// Across and along, in micrometres from the lower left corner.
        point: [i64; 2],
    },
    /// A hex of the grid.
    Hex {
        /// Its two coordinates along the axes `q` and `r`.
        hex: [i32; 2],
    },
    /// A die.
    Die {
        /// How many sides.
        die: u16,
        /// How it became what it is.
        #[serde(default)]
        shifts: Vec<DieShift>,
    },
    /// A map or record.
    Record {
        /// Its fields.
        record: BTreeMap<String, Plain>,
    },
}

/// A shift of a die along its ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DieShift {
    /// By how many steps.
    pub by: i8,
    /// The sides before.
    pub from: u16,
    /// The sides after.
    pub to: u16,
    /// Why.
    pub reason: String,
}

/// How an input names an entity: by the viewer's number, by name, or as it
/// was given out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a piece: its number, its name, or an object with its number as `entity`"
)]
pub enum EntityRef {
    /// The viewer's own number.
    Number(u32),
    /// Its name, or `#` and the number.
    Name(String),
    /// As a view or an event gives it.
    Seen {
        /// The viewer's number.
        entity: Option<u32>,
        /// Its name.
        #[serde(default)]
        label: String,
    },
}

impl From<&str> for EntityRef {
    fn from(name: &str) -> EntityRef {
        EntityRef::Name(name.to_string())
    }
}

/// What a viewer calls an entity: its number, if it has one, and its label.
pub(crate) type Labels<'a> = dyn Fn(EntityId) -> (Option<u32>, Name) + 'a;

/// Finds the entity that an input names.
pub(crate) type Finds<'a> = dyn Fn(&EntityRef) -> Option<EntityId> + 'a;

impl Plain {
    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Plain::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value for who sits at the table: in the form in which players write it.
    ///
    /// ```
    /// use houserule::embed::Plain;
    /// use houserule::types::Unit;
    /// let range = Plain::List(vec![Plain::Bool(true), Plain::Length { length: 152_400 }]);
    /// assert_eq!(range.print(Unit::Inches), "yes, 6in");
    /// ```
    pub fn print(&self, unit: Unit) -> String {
        print_parts(self, &Plain::part, Manner::Table(unit))
    }

    /// What it is to whoever prints it.
    fn part(&self) -> ValuePart<'_, Plain> {
        match self {
            Plain::Nothing => ValuePart::Nothing,
            Plain::Bool(yes) => ValuePart::Bool(*yes),
            Plain::Int(number) => ValuePart::Words(number.to_string().into()),
            Plain::Text(text) | Plain::Entity { label: text, .. } => ValuePart::Words(text.into()),
            Plain::Length { length } => ValuePart::Length(Length::from_um(*length)),
            Plain::Angle { angle: minutes } | Plain::Direction { direction: minutes } => {
                ValuePart::Angle(Angle::from_minutes(*minutes))
            }
            Plain::Point { point } => ValuePart::Point(point.map(Length::from_um)),
            Plain::Hex { hex: [q, r] } => {
                let hex = Hex::new(i64::from(*q), i64::from(*r));
                ValuePart::Words(hex.name().into())
            }
            Plain::Die { die, .. } => ValuePart::Words(format!("d{die}").into()),
            Plain::List(items) => ValuePart::List(items),
            Plain::Record { record } => {
                let fields = record.iter().map(|(name, item)| (name.as_str(), item));
                ValuePart::Record(fields.collect())
            }
        }
    }

    pub(crate) fn of(value: &Value, labels: &Labels<'_>) -> Plain {
        match value {
            Value::None => Plain::Nothing,
            Value::Bool(yes) => Plain::Bool(*yes),
            Value::Int(n) => Plain::Int(*n),
            Value::Text(text) => Plain::Text(text.to_string()),
            Value::Entity(entity) => {
                let (handle, label) = labels(*entity);
                Plain::Entity {
                    entity: handle,
                    label: label.to_string(),
                }
            }
            Value::Length(length) => Plain::Length {
                length: length.um(),
            },
            Value::Angle(angle) => Plain::Angle {
                angle: angle.minutes(),
            },
            Value::Direction(direction) => Plain::Direction {
                direction: direction.minutes(),
            },
            Value::Point(point) => Plain::Point {
                point: pair(*point),
            },
            Value::Hex(hex) => Plain::Hex {
                hex: [hex.q(), hex.r()],
            },
            Value::Die(die) => Plain::of_die(die),
            Value::List(items) => {
                Plain::List(items.iter().map(|item| Plain::of(item, labels)).collect())
            }
            Value::Map(map) => Plain::Record {
                record: map
                    .iter()
                    .map(|(name, item)| (name.to_string(), Plain::of(item, labels)))
                    .collect(),
            },
        }
    }

    /// A value of a game as the referee names what is in it.
    pub fn of_referee(value: &Value, game: &Game) -> Plain {
        Plain::of(value, &labels_of(game, Viewer::Referee))
    }

    /// A value in which there is no entity, such as a record card.
    pub fn of_data(value: &Value) -> Plain {
        Plain::of(value, &|_| (None, Name::from("")))
    }

    fn of_die(die: &Die) -> Plain {
        let shift = |shift: &kernel::dice::Shift| DieShift {
            by: shift.by,
            from: shift.from,
            to: shift.to,
            reason: shift.reason.to_string(),
        };
        Plain::Die {
            die: die.sides(),
            shifts: die.reasons().iter().map(shift).collect(),
        }
    }

    /// The value, read as one of a type where that is known.
    pub(crate) fn to_value(&self, ty: &Type, finds: &Finds<'_>) -> Result<Value, String> {
        match (self, bare(ty)) {
            (
                Plain::Text(text),
                Type::Any | Type::Text | Type::Id | Type::Enum(_) | Type::Verdict,
            ) => Ok(Value::text(text)),
            (Plain::Text(text), ty) => {
                let find = |name: &str| finds(&EntityRef::Name(name.to_string()));
                parse_value(ty, text, &find).map_err(|mismatch| mismatch.to_string())
            }
            (Plain::List(items), Type::List(inner)) => list(items, inner, finds),
            (Plain::List(items), Type::Path) => list(items, &Type::Point, finds),
            (Plain::List(items), _) => list(items, &Type::Any, finds),
            (Plain::Record { record }, Type::Record(fields)) => {
                let field = |(name, item): (&String, &Plain)| {
                    let known = fields.iter().find(|field| *field.name == **name);
                    let value =
                        item.to_value(known.map_or(&Type::Any, |field| &field.ty), finds)?;
                    Ok((Name::from(name.as_str()), value))
                };
                Ok(Value::Map(Arc::new(
                    record.iter().map(field).collect::<Result<_, String>>()?,
                )))
            }
            (Plain::Record { record }, _) => {
                let field = |(name, item): (&String, &Plain)| {
                    Ok((Name::from(name.as_str()), item.to_value(&Type::Any, finds)?))
                };
                Ok(Value::Map(Arc::new(
                    record.iter().map(field).collect::<Result<_, String>>()?,
                )))
            }
            (plain, _) => plain.simple(finds),
        }
    }

    fn simple(&self, finds: &Finds<'_>) -> Result<Value, String> {
        Ok(match self {
            Plain::Bool(yes) => Value::Bool(*yes),
            Plain::Int(n) if n.unsigned_abs() <= kernel::value::LARGEST_INT.unsigned_abs() => {
                Value::Int(*n)
            }
            Plain::Int(_) => return Err("expected a number within 2^53".into()),
            Plain::Entity { entity, label } => {
                let named = EntityRef::Seen {
                    entity: *entity,
                    label: label.clone(),
                };
                Value::Entity(finds(&named).ok_or_else(|| "there is no such entity".to_string())?)
            }
            Plain::Length { length } => Value::Length(Length::from_um(*length)),
            Plain::Angle { angle } => Value::Angle(Angle::from_minutes(*angle)),
            Plain::Direction { direction } => Value::Direction(Direction::from_minutes(*direction)),
            Plain::Point { point } => Value::Point(point_of(*point)),
            Plain::Hex { hex: [q, r] } => match Hex::checked(i64::from(*q), i64::from(*r)) {
                Some(hex) => Value::Hex(hex),
                None => return Err("expected a hex nearer to the middle".into()),
            },
            Plain::Die { die, .. } => Value::Die(
                Die::new(*die).map_err(|_| format!("expected a die, found one of {die} sides"))?,
            ),
            _ => Value::None,
        })
    }
}

fn list(items: &[Plain], inner: &Type, finds: &Finds<'_>) -> Result<Value, String> {
    let values: Result<Vec<Value>, String> = items
        .iter()
        .map(|item| item.to_value(inner, finds))
        .collect();
    Ok(Value::list(values?))
}

/// The type within an optional.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => bare(inner),
        other => other,
    }
}

/// A point as two numbers of micrometres.
pub(crate) fn pair(point: Point) -> [i64; 2] {
    [point.x().um(), point.y().um()]
}

pub(crate) fn point_of([x, y]: [i64; 2]) -> Point {
    Point::new(Length::from_um(x), Length::from_um(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_from_its_json() {
        let labels =
            |entity: EntityId| (Some(entity.0 + 1), Name::from(format!("unit-{}", entity.0)));
        let finds = |named: &EntityRef| match named {
            EntityRef::Seen { entity, .. } => entity.map(|handle| EntityId(handle - 1)),
            _ => None,
        };
        let values = [
            Value::None,
            Value::Bool(true),
            Value::Int(-7),
            Value::text("close"),
            Value::Entity(EntityId(4)),
            Value::Length(Length::INCH),
            Value::Angle(Angle::from_minutes(90)),
            Value::Direction(Direction::from_minutes(2700)),
            Value::Point(Point::new(Length::INCH, Length::CM)),
            Value::Hex(Hex::new(3, -1)),
            Value::Die(Die::new(8).unwrap()),
            Value::list([Value::Int(1), Value::text("two")]),
            Value::record([("range", Value::Length(Length::CM))]),
        ];
        for value in values {
            let json = serde_json::to_string(&Plain::of(&value, &labels)).unwrap();
            let plain: Plain = serde_json::from_str(&json).unwrap();
            assert_eq!(plain.to_value(&Type::Any, &finds), Ok(value), "{json}");
        }
    }

    #[test]
    fn players_words_are_read_by_type() {
        let finds = |named: &EntityRef| match named {
            EntityRef::Name(name) if name == "gun-1" => Some(EntityId(0)),
            _ => None,
        };
        let read = |text: &str, ty: Type| Plain::Text(text.into()).to_value(&ty, &finds);
        assert_eq!(
            read("gun-1", Type::Entity(None)),
            Ok(Value::Entity(EntityId(0)))
        );
        assert_eq!(read("1in", Type::Length), Ok(Value::Length(Length::INCH)));
        assert_eq!(
            read("close", Type::Enum(Arc::from([Name::from("close")]))),
            Ok(Value::text("close"))
        );
        assert!(read("gun-2", Type::Entity(None)).is_err());
        assert!(Plain::Int(i64::MAX).to_value(&Type::Any, &finds).is_err());
    }
}
