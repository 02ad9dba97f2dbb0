//! The function around a rule whose answers are kept, written out for the
//! number of its arguments: no loop, no packing, one copy of the code for all
//! rules with as many.

use std::fmt::Write as _;

use kernel::game::Effects;
use kernel::value::{Name, Type};
use rustc_hash::FxHashMap;

use super::MOST_RULES;
use crate::vm::Shared;
use rules::hosting::registry::{Returns, Signature};

/// Whether a rule is one whose answers are kept: it only reads, and tells
/// something.
pub(crate) fn is_keepable(signature: &Signature) -> bool {
    Effects::READS.include(signature.effects) && signature.returns != Returns::Nothing
}

/// The number by which calls of a rule are told from those of others.
pub(crate) fn numbered(
    shared: &Shared,
    numbers: &mut FxHashMap<Name, u32>,
    rule: &Name,
) -> Option<u32> {
    let next = numbers.len() as u32;
    let number = *numbers.entry(rule.clone()).or_insert(next);
    shared.profiler.number(rule, number);
    (number < MOST_RULES).then_some(number)
}

/// The code of a function that takes what runs all layers of a rule, and the two
/// functions that ask for an answer and keep one, and gives the function around
/// it all.
///
/// What is given lists or records gives them to `keep` too: an answer to what a
/// rule has changed on its way is none. Calls with too much to them go to the
/// rule, which says so.
pub(crate) fn source(signature: &Signature) -> String {
    let names: String = (1..=signature.args.len()).fold(String::new(), |mut names, i| {
        // Writing to a string cannot fail.
        let _ = write!(names, ", a{i}");
        names
    });
    let args = names.trim_start_matches(", ");
    // A verdict comes with its reason; all else is one value, also where the
    // call is the last of several arguments.
    let (gives, kept) = match signature.returns {
        Returns::Value(Type::Verdict) => ("result, why", ("", "")),
        _ => ("result", ("(", ")")),
    };
    let keeps = match signature.args.iter().any(|field| holds_tables(&field.ty)) {
        true => {
            format!(
                "local r, w = inner(_{names})\nreturn {}keep(token, r, w{names}){}\n",
                kept.0, kept.1
            )
        }
        false => format!("return {}keep(token, inner(_{names})){}\n", kept.0, kept.1),
    };
    format!(
        "return function(inner, ask, keep)\n\
         return function(_{names}, extra)\n\
         if extra ~= nil then return inner(_{names}, extra) end\n\
         local token, result, why = ask({args})\n\
         if token == true then return {gives} end\n\
         {keeps}\
         end\nend\n"
    )
}

/// Whether values of a type may be tables that a script has made.
fn holds_tables(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => holds_tables(inner),
        Type::Any | Type::Path | Type::List(_) | Type::Map(_) | Type::Record(_) => true,
        _ => false,
    }
}
