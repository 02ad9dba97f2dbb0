//! The function around each layer of a rule: it checks what goes in and comes
//! out, and passes on exactly the arguments that the signature lists.
//!
//! Calls from rule to rule are the commonest thing that rules do, so the
//! function is written out for each shape of signature, with no loop and no
//! packing of arguments. Layers of one shape share its code.

use std::fmt::Write as _;

use kernel::value::Type;

use crate::lua::registry::{Returns, Signature};

/// What the code of a layer depends on.
pub(crate) struct Shape {
    /// The Luau type of each argument, and whether nil fits too.
    args: Vec<(&'static str, bool)>,
    /// Whether there is a layer under it; the innermost checks the arguments.
    has_base: bool,
    result: Outcome,
}

enum Outcome {
    /// A value of a Luau type, and whether nil fits too.
    Value(&'static str, bool),
    /// Yes, or no and the reason.
    Verdict,
}

impl Shape {
    /// The shape of a layer.
    pub fn of(signature: &Signature, has_base: bool) -> Shape {
        let result = match &signature.returns {
            Returns::Value(Type::Verdict) => Outcome::Verdict,
            Returns::Value(ty) => {
                let (kind, is_optional) = script_type(ty);
                Outcome::Value(kind, is_optional)
            }
            Returns::Domain(_) | Returns::Nothing => Outcome::Value("any", true),
        };
        Shape { args: signature.args.iter().map(|field| script_type(&field.ty)).collect(), has_base, result }
    }

    /// A function that takes the game and what notes marks, and gives one that
    /// builds layers.
    pub fn source(&self) -> String {
        let names: String = (1..=self.args.len()).fold(String::new(), |mut names, i| {
            // Writing to a string cannot fail.
            let _ = write!(names, ", a{i}");
            names
        });
        let mut text = format!(
            "local game, tracing = ...\n\
             return function(impl, base, bad_argument, bad_result, mark)\n\
             return function(_{names})\n\
             if tracing.reached then tracing.reached[mark] = true end\n"
        );
        if !self.has_base {
            for (i, (kind, is_optional)) in self.args.iter().enumerate() {
                check(
                    &mut text,
                    &format!("a{}", i + 1),
                    kind,
                    *is_optional,
                    &format!("bad_argument({}, ", i + 1),
                );
            }
        }
        let call = if self.has_base { "impl(base, game" } else { "impl(game" };
        match self.result {
            Outcome::Verdict => {
                let _ = write!(text, "local result, why = {call}{names})\nreturn result, why\n");
            }
            Outcome::Value(kind, is_optional) => {
                let _ = writeln!(text, "local result = {call}{names})");
                check(&mut text, "result", kind, is_optional, "bad_result(");
                text.push_str("return result\n");
            }
        }
        text.push_str("end\nend\n");
        text
    }
}

/// Writes the check of one value.
fn check(text: &mut String, name: &str, kind: &str, is_optional: bool, bad: &str) {
    if kind == "any" {
        return;
    }
    // Of entities `type` knows only that they are userdata.
    let type_of = if kind == "entity" { "typeof" } else { "type" };
    let or_nil = if is_optional { format!("{name} ~= nil and ") } else { String::new() };
    let _ = writeln!(text, "if {or_nil}{type_of}({name}) ~= \"{kind}\" then {bad}{name}) end");
}

/// The Luau type of a kernel type, and whether nil fits too.
fn script_type(ty: &Type) -> (&'static str, bool) {
    match ty {
        Type::Any => ("any", true),
        Type::Bool => ("boolean", false),
        Type::Int { .. } | Type::Length | Type::Angle | Type::Direction => ("number", false),
        Type::Text | Type::Id | Type::Enum(_) => ("string", false),
        Type::Entity(_) => ("entity", false),
        Type::Point | Type::Path | Type::List(_) | Type::Map(_) | Type::Record(_) => ("table", false),
        Type::Die => ("table", false),
        Type::Optional(inner) => (script_type(inner).0, true),
        Type::Verdict => ("any", true),
    }
}
