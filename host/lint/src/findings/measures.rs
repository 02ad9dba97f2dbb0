//! Plain numbers where a length, an angle or a direction is wanted: 6 is six
//! micrometres, and nobody means that. Numbers that are not whole where rules count.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Type, owner_of};
use rules::hosting::registry::{Returns, Signature};

use super::plain::{Against, ConvertedValue, PlainNumber};
use super::world::{PUBLISHED, WorldOfNames};
use super::{FileFacts, Sink};
use crate::scope::ModPath;
use crate::types::MemberWay;
use crate::types::names::{camel, short};

/// What a number can be a measure of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Length,
    Angle,
    Direction,
}

impl Measure {
    /// The measure that a type is, be it optional or not.
    pub fn of(ty: &Type) -> Option<Measure> {
        match ty {
            Type::Length => Some(Measure::Length),
            Type::Angle => Some(Measure::Angle),
            Type::Direction => Some(Measure::Direction),
            Type::Optional(inner) => Measure::of(inner),
            _ => None,
        }
    }

    fn named(name: &str) -> Option<Measure> {
        match name.trim().trim_end_matches('?') {
            "Length" => Some(Measure::Length),
            "Angle" => Some(Measure::Angle),
            "Direction" => Some(Measure::Direction),
            _ => None,
        }
    }

    /// Whether somebody who wrote this number meant it in another unit: less
    /// than a millimetre, or as many minutes of arc as there are degrees.
    fn is_meant_otherwise(self, number: f64) -> bool {
        let least = match self {
            Measure::Length => 1000.0,
            Measure::Angle | Measure::Direction => 361.0,
        };
        number != 0.0 && number.abs() < least
    }

    fn fault(self, number: f64) -> Fault {
        let (word, unit) = match self {
            Measure::Length => ("a length", "micrometres"),
            Measure::Angle => ("an angle", "minutes of arc"),
            Measure::Direction => ("a direction", "minutes of arc"),
        };
        let hint = match self {
            Measure::Length => format!("`rules.inches({number})` or `rules.cm({number})`"),
            Measure::Angle | Measure::Direction => format!("`rules.degrees({number})`"),
        };
        let message =
            format!("expected {word}, found the number {number}, which is {number} {unit}");
        Fault::new(FaultCode::WrongType, message).hint(hint)
    }
}

/// What who writes a half in a line means.
const HALVES: &str =
    "lines count in whole numbers: half of what a rule gives is `:scale(\"clause\", 1, 2)`";

/// Checks every plain number of a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for one in file.converted {
        if let Some(fault) = converted(world, one) {
            sink.put(fault, one.at);
        }
    }
    for plain in file.plain {
        if let Some(measure) = wanted(world, file, plain)
            && measure.is_meant_otherwise(plain.number)
        {
            sink.put(measure.fault(plain.number), plain.at);
        } else if plain.number.fract() != 0.0
            && let Some(fault) = not_whole(world, plain)
        {
            sink.put(fault, plain.at);
        }
    }
}

/// What is a measure already, and is made one once more.
fn converted(world: &WorldOfNames<'_>, one: &ConvertedValue) -> Option<Fault> {
    if let Some(against) = &one.value {
        Measure::of(&exact_type(world, against)?)?;
    }
    let unit = match one.by.as_str() {
        "inches" => "inches",
        "cm" => "centimetres",
        _ => "degrees",
    };
    let message = format!("expected a number of {unit}, found what is a measure already");
    let hint = format!("leave `rules.{}(…)` out", one.by);
    Some(Fault::new(FaultCode::WrongType, message).hint(hint))
}

/// The fault of a number that is not whole, where rules count.
fn not_whole(world: &WorldOfNames<'_>, plain: &PlainNumber) -> Option<Fault> {
    let message = format!("expected a whole number, found {}", plain.number);
    let fault = Fault::new(FaultCode::WrongType, message);
    match &plain.against {
        Against::Count => Some(fault.hint(HALVES)),
        Against::Term(path) => match signature(world, path)?.returns {
            Returns::Value(ref ty) if counts(ty) => Some(fault.hint(HALVES)),
            _ => None,
        },
        Against::Argument(path, place) => {
            let arg = signature(world, path)?.args.get(*place)?;
            counts(&arg.ty).then_some(fault)
        }
        _ => None,
    }
}

/// Whether it is a whole number, be it optional or not.
fn counts(ty: &Type) -> bool {
    match ty {
        Type::Int { .. } => true,
        Type::Optional(inner) => counts(inner),
        _ => false,
    }
}

/// What a rule takes and gives.
fn signature<'w>(world: &'w WorldOfNames<'_>, path: &ModPath) -> Option<&'w Signature> {
    let rule = world.known.rule(&MemberWay::try_from(path.clone()).ok()?)?;
    Some(&world.known.rulebook.rules().get(&rule.id)?.signature)
}

/// The type of what a number is held against, where that is beyond doubt.
pub(super) fn exact_type(world: &WorldOfNames<'_>, against: &Against) -> Option<Type> {
    match against {
        Against::Argument(path, place) => {
            Some(signature(world, path)?.args.get(*place)?.ty.clone())
        }
        Against::Result(path) => match &signature(world, path)?.returns {
            Returns::Value(ty) => Some(ty.clone()),
            _ => None,
        },
        Against::Choice(path) => of_option(world, path),
        Against::Field(name, owner) => owner.as_ref()?.type_of(world, name),
        Against::Key(path, key) => of_key(world, path, key),
        _ => None,
    }
}

fn wanted(world: &WorldOfNames<'_>, file: &FileFacts<'_>, plain: &PlainNumber) -> Option<Measure> {
    match &plain.against {
        Against::Named(name) => Measure::named(name),
        Against::GameArgument(method, place) => {
            OF_GAME.get(method.as_str())?.0.get(*place).copied()?
        }
        Against::GameResult(method) => OF_GAME.get(method.as_str())?.1,
        Against::Argument(path, place) => {
            Measure::of(&signature(world, path)?.args.get(*place)?.ty)
        }
        Against::Result(path) | Against::Term(path) => match &signature(world, path)?.returns {
            Returns::Value(ty) => Measure::of(ty),
            _ => None,
        },
        Against::Count => None,
        Against::Choice(_) | Against::Key(..) => Measure::of(&exact_type(world, &plain.against)?),
        Against::Field(name, owner) => {
            match owner.as_ref().and_then(|owner| owner.type_of(world, name)) {
                Some(ty) => Measure::of(&ty),
                // It may be a field of a table of the file's own.
                None if file.facts.own_fields.contains(name) => None,
                None => world.measures.get(name).copied().flatten(),
            }
        }
    }
}

fn of_option(world: &WorldOfNames<'_>, path: &ModPath) -> Option<Type> {
    let [module, _, name] = path.as_slice() else {
        return None;
    };
    let module = world
        .known
        .rulebook
        .mods()
        .iter()
        .find(|id| ***id == **module)?;
    let option = world
        .known
        .options(module)
        .find(|option| short(&option.id) == *name)?;
    Some(option.ty.clone())
}

/// An attribute of a kind, or a field of an event.
fn of_key(world: &WorldOfNames<'_>, path: &ModPath, key: &str) -> Option<Type> {
    let (module, book) = (path.first()?, world.known.book());
    let name = path.get(2)?;
    if path.get(1)? == "events" {
        let is_it = |id: &str| owner_of(id) == module && short(id) == *name;
        let (_, event) = book.events.iter().find(|(id, _)| is_it(id))?;
        let field = event.fields.iter().find(|field| *field.name == *key)?;
        return Some(field.ty.clone());
    }
    let is_it = |id: &str| {
        owner_of(id) == module && camel(id.split_once('.').map_or(id, |(_, rest)| rest)) == *name
    };
    let kind = book.schema.kinds().iter().find(|kind| is_it(&kind.id))?;
    let mut attributes = kind.attributes.iter();
    let attribute = attributes.find(|attribute| *attribute.name == *key)?;
    Some(attribute.ty.clone())
}

/// What a function of the game takes, and what it gives.
type OfMethod = (Vec<Option<Measure>>, Option<Measure>);

/// The functions of the game, from the published definitions.
static OF_GAME: LazyLock<BTreeMap<&'static str, OfMethod>> = LazyLock::new(|| {
    let (_, rest) = PUBLISHED
        .split_once("declare extern type Game with")
        .unwrap_or_default();
    let (game, _) = rest.split_once("\nend").unwrap_or_default();
    game.lines()
        .filter_map(|line| method(line.trim().strip_prefix("function ")?))
        .collect()
});

/// `within(self, a: Where, b: Where, reach: Length): boolean`.
fn method(header: &str) -> Option<(&str, OfMethod)> {
    let (name, rest) = header.split_once("(self")?;
    let (args, result) = rest.rsplit_once("):")?;
    let args = parted(args.trim_start_matches(','));
    let of_arg = |arg: &str| arg.split_once(':').and_then(|(_, ty)| Measure::named(ty));
    Some((
        name,
        (
            args.into_iter().map(of_arg).collect(),
            Measure::named(result),
        ),
    ))
}

/// Parted at commas that are in no brackets.
fn parted(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    all
}

#[cfg(test)]
mod tests {
    use super::{Measure, OF_GAME};

    #[test]
    fn what_the_game_takes_and_gives_is_read_from_the_definitions() {
        let (args, result) = &OF_GAME["within"];
        assert_eq!(
            (args.as_slice(), *result),
            (&[None, None, Some(Measure::Length)][..], None)
        );
        let (args, result) = &OF_GAME["in_arc"];
        assert_eq!(args.last().copied().flatten(), Some(Measure::Angle));
        assert_eq!((args.len(), *result), (5, None));
        assert_eq!(OF_GAME["distance"].1, Some(Measure::Length));
        assert_eq!(OF_GAME["bearing"].1, Some(Measure::Direction));
        assert_eq!(OF_GAME["create"].0, [None, None, None]);
    }
}
