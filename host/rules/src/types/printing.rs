//! Values as text: exactly, to be read again, and for people.

use std::borrow::Cow;

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
    /// Of each length the one in which it was written: inches where it is a round
    /// number of them, else centimetres where it is one of these. For what stands in
    /// data and manifests, where no table says what is measured in.
    AsWritten,
}

/// A hundredth of an inch, and a millimetre: what lengths in data are multiples of.
const GRAINS: [(Unit, i64); 2] = [(Unit::Inches, 254), (Unit::Centimetres, 1_000)];

impl Unit {
    /// One of it; an inch, where that depends on the length.
    pub fn length(self) -> Length {
        match self {
            Unit::Inches | Unit::AsWritten => Length::INCH,
            Unit::Centimetres => Length::CM,
        }
    }

    /// Its word; that of inches, where it depends on the length.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Inches | Unit::AsWritten => "in",
            Unit::Centimetres => "cm",
        }
    }

    /// A length in this unit, rounded up to a thousandth.
    ///
    /// ```
    /// use kernel::geometry::Length;
    /// use rules::types::Unit;
    /// assert_eq!(Unit::AsWritten.print(Length::inches(6)), "6.0 in");
    /// assert_eq!(Unit::AsWritten.print(Length::centimetres(6)), "6.0 cm");
    /// ```
    pub fn print(self, length: Length) -> String {
        match self.of(length) {
            Unit::Centimetres => length.in_cm_text(),
            Unit::Inches | Unit::AsWritten => length.in_inches_text(),
        }
    }

    /// The unit in which a length is told.
    pub fn of(self, length: Length) -> Unit {
        if self != Unit::AsWritten {
            return self;
        }
        let is_round = |(_, grain): &&(Unit, i64)| length.um() % grain == 0;
        GRAINS
            .iter()
            .find(is_round)
            .map_or(Unit::Inches, |(unit, _)| *unit)
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
    print_parts(value, &|value| part_of(value, names), Manner::Report(unit))
}

/// For whom a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Who reads a report: exactly, lists and records in brackets.
    Report(Unit),
    /// Who sits at the table: to a tenth, in the form in which players write it.
    Table(Unit),
}

/// What a value is to whoever prints it: nothing more of it, or its parts.
#[derive(Debug)]
pub enum ValuePart<'a, T> {
    /// Nothing.
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A text, a number, a name.
    Words(Cow<'a, str>),
    /// A length.
    Length(Length),
    /// An angle or a direction.
    Angle(Angle),
    /// A point, by how far it is across and along.
    Point([Length; 2]),
    /// A list.
    List(&'a [T]),
    /// A record or a map.
    Record(Vec<(&'a str, &'a T)>),
}

impl Manner {
    /// A length.
    pub fn length(self, length: Length) -> String {
        match self {
            Manner::Report(unit) => unit.print(length),
            Manner::Table(unit) => {
                let unit = unit.of(length);
                let tenths = tenths_of(length.um().into(), unit.length().um().into());
                tenths + unit.word()
            }
        }
    }

    /// A point.
    pub fn point(self, point: [Length; 2]) -> String {
        let [x, y] = point.map(|length| self.length(length));
        format!("({x}, {y})")
    }

    fn angle(self, angle: Angle) -> String {
        match self {
            Manner::Report(_) => angle.to_string(),
            Manner::Table(_) => tenths_of(angle.minutes().into(), 60) + "\u{b0}",
        }
    }

    fn bool(self, yes: bool) -> &'static str {
        match (self, yes) {
            (Manner::Report(_), true) => "true",
            (Manner::Report(_), false) => "false",
            (Manner::Table(_), true) => "yes",
            (Manner::Table(_), false) => "no",
        }
    }
}

/// So many of a unit, to the nearest tenth.
fn tenths_of(number: i128, unit: i128) -> String {
    let tenths = (number * 20 + unit).div_euclid(unit * 2);
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, rest) => format!("{sign}{whole}.{rest}"),
    }
}

/// A value for people, of whatever sort it is: `part_of` says what it is made of.
pub fn print_parts<'a, T>(
    value: &'a T,
    part_of: &dyn Fn(&'a T) -> ValuePart<'a, T>,
    manner: Manner,
) -> String {
    let print = |item: &'a T| print_parts(item, part_of, manner);
    let joined = |parts: Vec<String>, between: &str| parts.join(between);
    match (part_of(value), manner) {
        (ValuePart::Nothing, _) => "none".into(),
        (ValuePart::Bool(yes), _) => manner.bool(yes).into(),
        (ValuePart::Words(text), _) => text.into_owned(),
        (ValuePart::Length(length), _) => manner.length(length),
        (ValuePart::Angle(angle), _) => manner.angle(angle),
        (ValuePart::Point(point), _) => manner.point(point),
        (ValuePart::List([]), Manner::Table(_)) => "none".into(),
        (ValuePart::List(items), Manner::Report(_)) => {
            format!("[{}]", joined(items.iter().map(print).collect(), ", "))
        }
        (ValuePart::List(items), Manner::Table(_)) => {
            // The fields of a record are parted by commas: records by something else.
            let is_record = |item| matches!(part_of(item), ValuePart::Record(_));
            let between = if items.iter().any(is_record) {
                "; "
            } else {
                ", "
            };
            joined(items.iter().map(print).collect(), between)
        }
        (ValuePart::Record(fields), Manner::Report(_)) => {
            let field = |(name, item)| format!("{name}: {}", print(item));
            format!(
                "{{{}}}",
                joined(fields.into_iter().map(field).collect(), ", ")
            )
        }
        (ValuePart::Record(fields), Manner::Table(_)) => {
            let field = |(name, item)| format!("{name} {}", print(item));
            joined(fields.into_iter().map(field).collect(), ", ")
        }
    }
}

/// What a value of the kernel is made of.
fn part_of<'a>(value: &'a Value, names: &dyn Names) -> ValuePart<'a, Value> {
    match value {
        Value::None => ValuePart::Nothing,
        Value::Bool(yes) => ValuePart::Bool(*yes),
        Value::Int(n) => ValuePart::Words(n.to_string().into()),
        Value::Text(text) => ValuePart::Words(Cow::Borrowed(text)),
        Value::Entity(entity) => ValuePart::Words(names.name_of(*entity).to_string().into()),
        Value::Length(length) => ValuePart::Length(*length),
        Value::Angle(angle) => ValuePart::Angle(*angle),
        Value::Direction(direction) => ValuePart::Angle(Angle::from_minutes(direction.minutes())),
        Value::Point(point) => ValuePart::Point([point.x(), point.y()]),
        Value::Hex(hex) => ValuePart::Words(hex.name().into()),
        Value::Die(die) => ValuePart::Words(format!("d{}", die.sides()).into()),
        Value::List(items) => ValuePart::List(items),
        Value::Map(map) => {
            ValuePart::Record(map.iter().map(|(name, item)| (&**name, item)).collect())
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
