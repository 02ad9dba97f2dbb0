//! Numbers that are out of the range which a type or an option states: given to what
//! cannot hold them, or compared with what never comes to them.

use kernel::error::{Fault, FaultCode};
use kernel::value::Type;
use luau_syntax::ast::BinaryOp;

use super::Sink;
use super::measures::exact_type;
use super::plain::{Against, NumberUse, PlainNumber};
use super::world::WorldOfNames;

/// Checks the plain numbers of a file.
pub(super) fn check(world: &WorldOfNames<'_>, all: &[PlainNumber], sink: &mut Sink<'_>) {
    for plain in all {
        if plain.used == NumberUse::Other || plain.number.fract() != 0.0 {
            continue;
        }
        let ty = exact_type(world, &plain.against);
        let fault = ty
            .as_ref()
            .and_then(range)
            .and_then(|range| out_of(range, plain));
        if let Some(fault) = fault {
            sink.put(fault, plain.at);
        }
    }
}

/// The least and the most, where a type states them.
fn range(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Int { .. } if *ty == Type::INT => None,
        Type::Int { min, max } => Some((*min, *max)),
        Type::Optional(inner) => range(inner),
        _ => None,
    }
}

fn out_of((min, max): (i64, i64), plain: &PlainNumber) -> Option<Fault> {
    let number = plain.number as i64;
    let what = called(&plain.against);
    let is_in = (min..=max).contains(&number);
    let never = match plain.used {
        NumberUse::Given => {
            let message = format!("{what}: expected integer {min}..{max}, found {number}");
            return (!is_in).then(|| Fault::new(FaultCode::OutOfRange, message));
        }
        NumberUse::Compared(BinaryOp::Equal | BinaryOp::NotEqual) if !is_in => "",
        NumberUse::Compared(BinaryOp::Less) if number <= min => "less than ",
        NumberUse::Compared(BinaryOp::LessEqual) if number < min => "as little as ",
        NumberUse::Compared(BinaryOp::Greater) if number >= max => "more than ",
        NumberUse::Compared(BinaryOp::GreaterEqual) if number > max => "as much as ",
        _ => return None,
    };
    let message = format!("{what} is never {never}{number}: it is integer {min}..{max}");
    Some(Fault::new(FaultCode::OutOfRange, message))
}

/// What a number is held against, as messages call it.
fn called(against: &Against) -> String {
    match against {
        Against::Field(name, _) | Against::Key(_, name) => format!("`{name}`"),
        Against::Result(path) | Against::Choice(path) => format!("`{}`", path.join(".")),
        Against::Argument(path, place) => {
            format!("argument {} of `{}`", place + 1, path.join("."))
        }
        _ => "this".into(),
    }
}
