//! The function around each layer of a rule: it checks what goes in and comes
//! out, and passes on exactly the arguments that the signature lists.
//!
//! Calls from rule to rule are the commonest thing that rules do, so the
//! function is written out for each shape of signature, with no loop and no
//! packing of arguments. Layers of one shape share its code.

use std::fmt::Write as _;
use std::sync::Arc;

use kernel::value::{Name, Type};

use rules::hosting::registry::{Returns, Signature};

/// What the code of a layer depends on.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct LayerShape {
    /// What fits each argument, and whether nil fits too.
    args: Vec<(Form, bool)>,
    /// Whether there is a layer under it.
    has_base: bool,
    result: LayerResult,
    keeping: KeptAnswers,
}

/// Whether answers are kept that a layer gives: those of the outermost layer of a
/// rule that only reads.
#[derive(PartialEq, Eq, Hash)]
enum KeptAnswers {
    Nothing,
    Answers,
    /// The same, and among its arguments may be tables that a script has made: an
    /// answer to what a rule has changed on its way is none.
    AnswersToTables,
}

#[derive(PartialEq, Eq, Hash)]
enum LayerResult {
    /// A value, and whether nil fits too.
    Value(Form, bool),
    /// Yes, or no and the reason.
    Verdict,
}

/// What of a type can be checked without leaving the machine.
#[derive(PartialEq, Eq, Hash)]
enum Form {
    /// Anything.
    Any,
    /// What has this Luau type.
    Plain(&'static str),
    /// A whole number in a range.
    Integer(i64, i64),
    /// One of these texts.
    Words(Arc<[Name]>),
}

impl LayerShape {
    /// The shape of a layer.
    pub fn of(signature: &Signature, has_base: bool, is_kept: bool) -> LayerShape {
        let result = match &signature.returns {
            Returns::Value(Type::Verdict) => LayerResult::Verdict,
            Returns::Value(ty) => {
                let (form, is_optional) = form_of(ty);
                LayerResult::Value(form, is_optional)
            }
            Returns::Domain(_) | Returns::Nothing => LayerResult::Value(Form::Any, true),
        };
        let args = signature
            .args
            .iter()
            .map(|field| form_of(&field.ty))
            .collect();
        let has_tables = signature.args.iter().any(|field| holds_tables(&field.ty));
        LayerShape {
            args,
            has_base,
            result,
            keeping: match (is_kept, has_tables) {
                (false, _) => KeptAnswers::Nothing,
                (true, false) => KeptAnswers::Answers,
                (true, true) => KeptAnswers::AnswersToTables,
            },
        }
    }

    /// A function that takes the game, what notes marks and what is called with
    /// the number of a layer when an argument or the result is of the wrong
    /// type, and gives one that builds layers.
    ///
    /// A layer whose answers are kept asks for one before it runs, and offers what it
    /// gives, unless it is called with `false` in the place of the game: so says
    /// who has asked already.
    pub fn source(&self) -> String {
        let names: String = (1..=self.args.len()).fold(String::new(), |mut names, i| {
            // Writing to a string cannot fail.
            let _ = write!(names, ", a{i}");
            names
        });
        let mut text = format!(
            "local game, tracing, bad_argument, bad_result = ...\n\
             return function(impl, base, mark, layer, ask, keep)\n\
             return function(caller{names}, extra)\n{}\
             local on = tracing.on\n\
             if on then on.enter(layer, mark{names}) end\n",
            self.asks(&names)
        );
        for (i, (form, is_optional)) in self.args.iter().enumerate() {
            let (name, bad) = (
                format!("a{}", i + 1),
                format!("bad_argument(layer, {}, ", i + 1),
            );
            check(&mut text, &name, form, *is_optional, &bad);
        }
        let _ = writeln!(
            text,
            "if extra ~= nil then bad_argument(layer, {}, extra) end",
            self.args.len() + 1
        );
        let call = if self.has_base {
            "impl(base, game"
        } else {
            "impl(game"
        };
        let result = self.result.names();
        let _ = writeln!(text, "local {result} = {call}{names})");
        if let LayerResult::Value(form, is_optional) = &self.result {
            check(&mut text, result, form, *is_optional, "bad_result(layer, ");
        }
        let _ = writeln!(text, "if on then on.leave(layer, {result}) end");
        text + &self.gives(&names) + "end\nend\n"
    }

    /// The lines that ask for an answer; calls with too much to them have none.
    fn asks(&self, names: &str) -> String {
        if self.keeping == KeptAnswers::Nothing {
            return String::new();
        }
        let (args, result) = (names.trim_start_matches(", "), self.result.names());
        format!(
            "local token\n\
             if caller ~= false and extra == nil then\n\
             local is_kept, result, why = ask({args})\n\
             if is_kept == true then return {result} end\n\
             token = is_kept\n\
             end\n"
        )
    }

    /// The lines that give the result: a verdict with its reason; all else is one
    /// value, also where the call is the last of several arguments.
    fn gives(&self, names: &str) -> String {
        let result = self.result.names();
        let kept = match (&self.keeping, &self.result) {
            (KeptAnswers::Nothing, _) => return format!("return {result}\n"),
            (KeptAnswers::Answers, _) => format!("keep(token, {result})"),
            (KeptAnswers::AnswersToTables, LayerResult::Verdict) => {
                format!("keep(token, {result}{names})")
            }
            (KeptAnswers::AnswersToTables, LayerResult::Value(..)) => {
                format!("keep(token, {result}, nil{names})")
            }
        };
        let kept = match &self.result {
            LayerResult::Verdict => kept,
            LayerResult::Value(..) => format!("({kept})"),
        };
        format!("if caller == false then return {result} end\nreturn {kept}\n")
    }
}

impl LayerResult {
    /// What a layer gives, by name.
    fn names(&self) -> &'static str {
        match self {
            LayerResult::Verdict => "result, why",
            LayerResult::Value(..) => "result",
        }
    }
}

/// Whether values of a type may be tables that a script has made.
fn holds_tables(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => holds_tables(inner),
        Type::Any | Type::Path | Type::List(_) | Type::Map(_) | Type::Record(_) => true,
        _ => false,
    }
}

/// Writes the check of one value.
fn check(text: &mut String, name: &str, form: &Form, is_optional: bool, bad: &str) {
    let is_wrong = match form {
        Form::Any => return,
        // Of entities `type` knows only that they are userdata.
        Form::Plain("entity") => format!("typeof({name}) ~= \"entity\""),
        Form::Plain(kind) => format!("type({name}) ~= \"{kind}\""),
        // What is no number at all has no remainder either.
        Form::Integer(min, max) => {
            format!(
                "(type({name}) ~= \"number\" or {name} < {min} or {name} > {max} or {name} % 1 ~= 0)"
            )
        }
        Form::Words(words) => {
            let each: Vec<String> = words
                .iter()
                .map(|word| format!("{name} ~= {word:?}"))
                .collect();
            each.join(" and ")
        }
    };
    let or_nil = if is_optional {
        format!("{name} ~= nil and ")
    } else {
        String::new()
    };
    let _ = writeln!(text, "if {or_nil}{is_wrong} then {bad}{name}) end");
}

/// What fits a type, and whether nil fits too.
fn form_of(ty: &Type) -> (Form, bool) {
    match ty {
        Type::Int { min, max } => (Form::Integer(*min, *max), false),
        Type::Enum(words) => (Form::Words(words.clone()), false),
        Type::Optional(inner) => (form_of(inner).0, true),
        other => match script_type(other) {
            ("any", _) => (Form::Any, true),
            (kind, is_optional) => (Form::Plain(kind), is_optional),
        },
    }
}

/// The Luau type of a kernel type, and whether nil fits too.
fn script_type(ty: &Type) -> (&'static str, bool) {
    match ty {
        Type::Any => ("any", true),
        Type::Bool => ("boolean", false),
        Type::Int { .. } | Type::Length | Type::Angle | Type::Direction => ("number", false),
        Type::Text | Type::Id | Type::Enum(_) => ("string", false),
        Type::Entity(_) => ("entity", false),
        Type::Point | Type::Path | Type::List(_) | Type::Map(_) | Type::Record(_) => {
            ("table", false)
        }
        Type::Hex | Type::Die => ("table", false),
        Type::Optional(inner) => (script_type(inner).0, true),
        Type::Verdict => ("any", true),
    }
}
