//! The function around each layer of a rule: it checks what goes in and comes
//! out, and passes on exactly the arguments that the signature lists.
//!
//! Calls from rule to rule are the commonest thing that rules do, so the
//! function is written out for each shape of signature, with no loop and no
//! packing of arguments. Layers of one shape share its code.

use std::fmt::Write as _;
use std::sync::Arc;

use kernel::value::{Name, Type, Value};

use crate::seen::SeenValue;
use crate::values::{Immediate, immediate};
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
    Plain(LuauType),
    /// A whole number in a range.
    Integer(i64, i64),
    /// One of these texts.
    Words(Arc<[Name]>),
}

/// A type that Luau tells from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum LuauType {
    Boolean,
    Number,
    Text,
    Entity,
    Table,
}

impl LuauType {
    /// What Luau calls it.
    fn name(self) -> &'static str {
        match self {
            LuauType::Boolean => "boolean",
            LuauType::Number => "number",
            LuauType::Text => "string",
            LuauType::Entity => "entity",
            LuauType::Table => "table",
        }
    }
}

/// A value of the machine, as far as its form tells.
#[derive(Clone, Copy, Debug)]
enum MachineValue<'a> {
    Nil,
    Boolean,
    Number(f64),
    Text(&'a [u8]),
    Entity,
    Table,
    Other,
}

impl<'a> MachineValue<'a> {
    /// What a value of the kernel is in the machine.
    fn of(value: &'a Value) -> MachineValue<'a> {
        match (immediate(value), value) {
            (Some(Immediate::Nil), _) => MachineValue::Nil,
            (Some(Immediate::Bool(_)), _) => MachineValue::Boolean,
            (Some(Immediate::Number(number)), _) => MachineValue::Number(number),
            (Some(Immediate::Entity(_)), _) => MachineValue::Entity,
            (None, Value::Text(text)) => MachineValue::Text(text.as_bytes()),
            (None, _) => MachineValue::Table,
        }
    }
}

impl<'a> From<SeenValue<'a>> for MachineValue<'a> {
    fn from(value: SeenValue<'a>) -> MachineValue<'a> {
        match value {
            SeenValue::Nil => MachineValue::Nil,
            SeenValue::Bool(_) => MachineValue::Boolean,
            SeenValue::Number(number) => MachineValue::Number(number),
            SeenValue::Text(text) => MachineValue::Text(text),
            SeenValue::Entity(_) => MachineValue::Entity,
            SeenValue::Table(_) => MachineValue::Table,
            SeenValue::Other(_) => MachineValue::Other,
        }
    }
}

impl LayerShape {
    /// Whether these are as many arguments as it takes, and each fits.
    pub fn takes(&self, args: &[Value]) -> bool {
        let fits = |(arg, (form, is_optional)): (&Value, &(Form, bool))| {
            form.fits(MachineValue::of(arg), *is_optional)
        };
        args.len() == self.args.len() && args.iter().zip(&self.args).all(fits)
    }

    /// Whether a result fits.
    pub fn may_give(&self, result: SeenValue<'_>) -> bool {
        match &self.result {
            LayerResult::Value(form, is_optional) => form.fits(result.into(), *is_optional),
            LayerResult::Verdict => true,
        }
    }

    /// How many values it gives.
    pub fn results(&self) -> i32 {
        match self.result {
            LayerResult::Value(..) => 1,
            LayerResult::Verdict => 2,
        }
    }

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

impl Form {
    /// Whether a value has it: the same that [`check`] writes out.
    fn fits(&self, value: MachineValue<'_>, is_optional: bool) -> bool {
        match (self, value) {
            (Form::Any, _) => true,
            (_, MachineValue::Nil) => is_optional,
            (Form::Plain(LuauType::Boolean), MachineValue::Boolean)
            | (Form::Plain(LuauType::Number), MachineValue::Number(_))
            | (Form::Plain(LuauType::Text), MachineValue::Text(_))
            | (Form::Plain(LuauType::Entity), MachineValue::Entity)
            | (Form::Plain(LuauType::Table), MachineValue::Table) => true,
            (Form::Integer(min, max), MachineValue::Number(number)) => {
                // What is past all whole numbers of 64 bits is not the nearest of them.
                number >= *min as f64 && number <= *max as f64 && number as i64 as f64 == number
            }
            (Form::Words(words), MachineValue::Text(text)) => {
                words.iter().any(|word| word.as_bytes() == text)
            }
            _ => false,
        }
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
        Form::Plain(LuauType::Entity) => format!("typeof({name}) ~= \"entity\""),
        Form::Plain(kind) => format!("type({name}) ~= \"{}\"", kind.name()),
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
            (None, is_optional) => (Form::Any, is_optional),
            (Some(kind), is_optional) => (Form::Plain(kind), is_optional),
        },
    }
}

/// The Luau type of a kernel type, if it has but one, and whether nil fits too.
fn script_type(ty: &Type) -> (Option<LuauType>, bool) {
    let kind = match ty {
        Type::Optional(inner) => return (script_type(inner).0, true),
        Type::Any | Type::Verdict => return (None, true),
        Type::Bool => LuauType::Boolean,
        Type::Int { .. } | Type::Length | Type::Angle | Type::Direction => LuauType::Number,
        Type::Text | Type::Id | Type::Enum(_) => LuauType::Text,
        Type::Entity(_) => LuauType::Entity,
        Type::Point | Type::Path | Type::List(_) | Type::Map(_) | Type::Record(_) => {
            LuauType::Table
        }
        Type::Hex | Type::Die => LuauType::Table,
    };
    (Some(kind), false)
}
