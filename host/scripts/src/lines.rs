//! Lines: what others may add to a rule that is open for them, instead of a
//! wrap. How lines of one rule combine is said by the law of the rule, which
//! follows from its result; see `docs/decisions/0076-lines.md`.
//!
//! What is here is checked when a line is registered and when mods are
//! composed; the folding itself is in `lines.luau`.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::value::{Name, Type};
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::lua::LuaHost;
use crate::lua::binding::Composed;
use crate::lua::layer_mark;
use crate::lua::registration::{Desk, Origin};
use crate::lua::registry::{Layer, Returns, Signature};
use crate::lua::values::describe;
use crate::types::parse_length;

/// What a rule that is open for lines says of how they combine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Open {
    /// How what was scaled is rounded.
    pub round: Round,
    /// The rule's own limits.
    pub least: Option<i64>,
    /// The rule's own limits.
    pub most: Option<i64>,
    /// What the sum of terms can be at most, either way.
    pub cap: Option<i64>,
    /// Whether terms are added before they are scaled.
    pub adds_first: bool,
    /// Whether `least` wins where it crosses `most`.
    pub least_wins: bool,
    /// The ladder of dice; none for the game's own.
    pub ladder: Option<Name>,
}

/// How what was scaled is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Round {
    /// To the next lower whole number.
    #[default]
    Down,
    /// To the next higher one.
    Up,
    /// To the nearest; halves up.
    Nearest,
}

impl Round {
    fn word(self) -> &'static str {
        match self {
            Round::Down => "down",
            Round::Up => "up",
            Round::Nearest => "nearest",
        }
    }
}

impl Open {
    /// Reads what stands in the brackets of `@open`: `round up, most 6in`.
    ///
    /// # Errors
    /// What is wrong, and a hint.
    pub fn read(text: &str) -> Result<Open, (String, Option<String>)> {
        let mut open = Open::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let words: Vec<&str> = part.split_whitespace().collect();
            match words.as_slice() {
                ["round", "down"] => open.round = Round::Down,
                ["round", "up"] => open.round = Round::Up,
                ["round", "nearest"] => open.round = Round::Nearest,
                ["least", "wins"] => open.least_wins = true,
                ["least", n] => open.least = Some(number(n)?),
                ["most", n] => open.most = Some(number(n)?),
                ["cap", n] => open.cap = Some(number(n)?),
                ["add", "first"] => open.adds_first = true,
                ["ladder", id] if kernel::value::is_id(id) => open.ladder = Some(Name::from(*id)),
                _ => {
                    let hint = "`round up`, `round nearest`, `least 0`, `most 6in`, `cap 3`, `add first`, `least wins` or `ladder game.dice`";
                    return Err((format!("`@open`: found `{part}`"), Some(hint.into())));
                }
            }
        }
        Ok(open)
    }
}

fn number(text: &str) -> Result<i64, (String, Option<String>)> {
    let length = || parse_length(text).ok().map(|length| length.um());
    text.parse()
        .ok()
        .or_else(length)
        .ok_or_else(|| (format!("`@open`: expected a whole number or a length, found `{text}`"), None))
}

/// What a line does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verb {
    /// Lines of a kind take no part.
    Ignore,
    /// The value, whatever it was.
    Set,
    /// The value in this case.
    Case,
    /// The value times a fraction.
    Scale,
    /// A term of the sum.
    Add,
    /// Steps of a die.
    Shift,
    /// A lower bound.
    Least,
    /// An upper bound.
    Most,
    /// It holds.
    Always,
    /// It does not hold.
    Never,
    /// It holds.
    Allow,
    /// It does not hold.
    Deny,
    /// A reason why not.
    Refuse,
    /// More items.
    Append,
    /// Fewer items.
    Drop,
    /// What happens afterwards.
    After,
}

const VERBS: [(&str, Verb); 16] = [
    ("ignore", Verb::Ignore),
    ("set", Verb::Set),
    ("case", Verb::Case),
    ("scale", Verb::Scale),
    ("add", Verb::Add),
    ("shift", Verb::Shift),
    ("least", Verb::Least),
    ("most", Verb::Most),
    ("always", Verb::Always),
    ("never", Verb::Never),
    ("allow", Verb::Allow),
    ("deny", Verb::Deny),
    ("refuse", Verb::Refuse),
    ("append", Verb::Append),
    ("drop", Verb::Drop),
    ("after", Verb::After),
];

impl Verb {
    /// The word for it.
    pub fn word(self) -> &'static str {
        VERBS.iter().find(|(_, verb)| *verb == self).map_or("", |(word, _)| word)
    }

    fn of(word: &str) -> Option<Verb> {
        VERBS.iter().find(|(known, _)| *known == word).map(|(_, verb)| *verb)
    }
}

/// How lines of a rule combine: by what the rule gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// A number or a measure.
    Sum,
    /// A die.
    Dice,
    /// Yes or no.
    Truth,
    /// Why not.
    Reasons,
    /// A list.
    List,
    /// Anything else.
    Choice,
    /// Nothing: something happens.
    Step,
}

impl Law {
    /// The law of a rule that gives this. Why not is a text that need not be.
    pub fn of(returns: &Returns, is_reason: bool) -> Law {
        let ty = match returns {
            Returns::Nothing => return Law::Step,
            Returns::Domain(_) => return Law::Choice,
            Returns::Value(Type::Verdict) => return Law::Reasons,
            Returns::Value(_) if is_reason => return Law::Reasons,
            Returns::Value(Type::Optional(inner)) => inner,
            Returns::Value(ty) => ty,
        };
        match ty {
            Type::Int { .. } | Type::Length | Type::Angle => Law::Sum,
            Type::Die => Law::Dice,
            Type::Bool => Law::Truth,
            Type::List(_) => Law::List,
            _ => Law::Choice,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Law::Sum => "sum",
            Law::Dice => "dice",
            Law::Truth => "truth",
            Law::Reasons => "reasons",
            Law::List => "list",
            Law::Choice => "choice",
            Law::Step => "step",
        }
    }

    /// The lines that it knows, in the order of their stages.
    pub fn verbs(self) -> &'static [Verb] {
        match self {
            Law::Sum => {
                &[Verb::Ignore, Verb::Set, Verb::Case, Verb::Scale, Verb::Add, Verb::Least, Verb::Most]
            }
            Law::Dice => &[Verb::Ignore, Verb::Set, Verb::Case, Verb::Shift, Verb::Least, Verb::Most],
            Law::Truth => {
                &[Verb::Ignore, Verb::Set, Verb::Case, Verb::Always, Verb::Never, Verb::Allow, Verb::Deny]
            }
            Law::Reasons => &[Verb::Ignore, Verb::Refuse],
            Law::List => &[Verb::Set, Verb::Case, Verb::Append, Verb::Drop],
            Law::Choice => &[Verb::Set, Verb::Case],
            Law::Step => &[Verb::After],
        }
    }
}

/// A line as a mod gives it.
#[derive(Clone, Debug)]
pub struct RawLine {
    /// The rule.
    pub rule: Name,
    /// What it does.
    pub verb: Verb,
    /// Clauses or mods whose `set` or `case` it goes before.
    pub over: Rc<[Name]>,
    /// Its condition, its value, its reason.
    pub spec: Table,
    /// Where it comes from.
    pub origin: Origin,
    /// Its place among all lines that were heard.
    pub heard: usize,
}

/// The lines of a rule that are in force.
#[derive(Debug)]
pub struct Column {
    /// How they combine.
    pub law: Law,
    /// What the rule says of it.
    pub open: Open,
    /// The lines, those that decide first before others.
    pub lines: Vec<Line>,
}

/// A line of a column.
#[derive(Debug)]
pub struct Line {
    /// What the stack tells it by.
    pub layer: Layer,
    /// What it does.
    pub verb: Verb,
    /// Its condition, its value, its reason.
    pub spec: Table,
    /// The lines that must not decide otherwise, by their places.
    pub rivals: Vec<usize>,
    /// Its place among all lines that were heard.
    pub heard: usize,
}

/// The function with which a mod says a line: `host.line`.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn functions(lua: &Lua, host: &Table, desk: &Rc<Desk>) -> mlua::Result<()> {
    let of = desk.clone();
    type Said = (String, String, String, String, LuaValue, Table);
    let line = lua.create_function(move |lua, (module, chapter, name, verb, clauses, spec): Said| {
        said(lua, &of, [&module, &chapter, &name], &verb, &clauses, spec)
            .map_err(|fault| of.shared.fault(lua, fault))
    })?;
    host.set("line", line)?;
    let of = desk.clone();
    let only = lua.create_function(move |lua, how: LuaValue| {
        let LuaValue::Table(how) = &how else {
            let message = format!(
                "expected `{{ kind = … }}` or `{{ over = … }}` at the end of a line, found {}",
                describe(&how)
            );
            return Err(of.shared.fault(lua, Fault::new(FaultCode::BadSignature, message)));
        };
        crate::lua::registration::only(how, &["kind", "over"])
            .map_err(|error| of.shared.fault(lua, Fault::new(FaultCode::BadSignature, error.to_string())))
    })?;
    host.set("only_of_line", only)?;
    faults(lua, host, desk)
}

/// What the folding calls when lines do not go together.
fn faults(lua: &Lua, host: &Table, desk: &Rc<Desk>) -> mlua::Result<()> {
    let of = desk.clone();
    let rivals = lua.create_function(move |lua, (a, b): (usize, usize)| -> mlua::Result<()> {
        let fault = {
            let layers = of.shared.layers.borrow();
            let who = |layer: &Layer| layer.cites.first().unwrap_or(&layer.module).clone();
            let (first, second) = (&layers[a], &layers[b]);
            let message = format!(
                "`{}` is set by `{}` and by `{}` ({}) at once, to values that differ",
                first.rule,
                who(first),
                who(second),
                second.place
            );
            Fault::new(FaultCode::Conflict, message)
                .at(first.place.clone())
                .in_rule(&first.rule)
                .hint(format!("let one go before the other: `{{ over = \"{}\" }}`", who(second)))
        };
        Err(of.shared.fault(lua, fault))
    })?;
    host.set("rivals", rivals)?;
    let of = desk.clone();
    let no_whole =
        lua.create_function(move |lua, (number, found): (usize, LuaValue)| -> mlua::Result<()> {
            let fault = {
                let layers = of.shared.layers.borrow();
                let layer = &layers[number];
                let message = format!(
                    "a line of `{}`: expected a whole number, found {}",
                    layer.rule,
                    describe(&found)
                );
                Fault::new(FaultCode::BadReturn, message).at(layer.place.clone()).in_rule(&layer.rule)
            };
            Err(of.shared.fault(lua, fault))
        })?;
    host.set("no_whole_term", no_whole)
}

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadSignature, message)
}

fn said(
    lua: &Lua,
    desk: &Desk,
    path: [&str; 3],
    word: &str,
    clauses: &LuaValue,
    spec: Table,
) -> Result<(), Fault> {
    let origin = desk.origin_of_line(lua, clauses)?;
    let rule = desk.chapters.rule_id(desk, path);
    let Some(verb) = Verb::of(word) else { return Err(bad(format!("there is no line `{word}`"))) };
    let get = |field: &str| spec.get::<LuaValue>(field).unwrap_or(LuaValue::Nil);
    let is_function = |field: &str| matches!(get(field), LuaValue::Function(_));
    let what = format!("line `{word}` of `{rule}`");
    if !matches!(get("when"), LuaValue::Nil) && !is_function("when") {
        let found = describe(&get("when"));
        return Err(bad(format!("{what}: expected a function as its condition, found {found}")));
    }
    match verb {
        Verb::Drop if !is_function("drop") => {
            return Err(bad(format!(
                "{what}: expected a function that tells which items go, found {}",
                describe(&get("drop"))
            )));
        }
        Verb::After if !is_function("step") => {
            return Err(bad(format!(
                "{what}: expected a function that does it, found {}",
                describe(&get("step"))
            )));
        }
        Verb::Refuse => reason_of(&what, &get("reason"), true)?,
        Verb::Shift => reason_of(&what, &get("reason"), false)?,
        Verb::Ignore if get("kind").as_string().is_none_or(|kind| kind.as_bytes().is_empty()) => {
            let fault = bad(format!("{what}: expected the kind of lines that it ignores, found none"));
            return Err(fault.hint("`:ignore(\"clause\", { kind = \"cover\" }, when)`"));
        }
        Verb::Scale if get("divisor").as_i64().is_none_or(|d| d == 0) => {
            return Err(bad(format!("{what}: expected a fraction, such as `1, 2`, found no divisor")));
        }
        Verb::Set | Verb::Case | Verb::Add | Verb::Least | Verb::Most | Verb::Append | Verb::Scale
            if matches!(get("value"), LuaValue::Nil) =>
        {
            return Err(bad(format!("{what}: expected a value, or a function that gives it, found nothing")));
        }
        _ => {}
    }
    if matches!(get("reason"), LuaValue::Function(_)) {
        // What a function gives is the reason as it is.
        let _ = spec.set("reason", LuaValue::Nil);
    }
    let over = crate::lua::registration::names(&spec, "over").map_err(|error| bad(error.to_string()))?;
    let mut list = desk.registrations.borrow_mut();
    let heard = list.lines.len();
    list.lines.push(Rc::new(RawLine { rule, verb, over: over.into(), spec, origin, heard }));
    Ok(())
}

/// A reason must say something.
fn reason_of(what: &str, reason: &LuaValue, may_be_made: bool) -> Result<(), Fault> {
    match reason {
        LuaValue::String(words) if !words.to_string_lossy().trim().is_empty() => Ok(()),
        LuaValue::Function(_) if may_be_made => Ok(()),
        other => {
            let found = if matches!(other, LuaValue::String(_)) { "none".into() } else { describe(other) };
            let fault = bad(format!("{what}: expected a reason in words, found {found}"));
            Err(fault.hint("players read it: it says what keeps them from it, or what makes the difference"))
        }
    }
}

impl LuaHost {
    /// The function that folds the lines of a rule into what is under it, and
    /// the numbers of the lines.
    pub(super) fn fold(&mut self, column: &Column, rule: &Composed) -> mlua::Result<Function> {
        let lines: Table = self.prelude.get("lines")?;
        let test_of: Function = lines.get("test_of")?;
        let by_verb = self.lua.create_table()?;
        for (word, _) in VERBS {
            by_verb.set(word, self.lua.create_table()?)?;
        }
        // Terms are shown as they are, whatever the rule gives.
        let signature = Signature { returns: Returns::Value(Type::Any), ..rule.signature.clone() };
        let mut made: Vec<(u32, Table)> = Vec::new();
        for line in &column.lines {
            let test: Function = test_of.call(&line.spec)?;
            let number = self.number(&line.layer, &signature, &test);
            self.columns.entry(rule.id.clone()).or_default().push((number, test.to_pointer().addr()));
            let entry = self.lua.create_table()?;
            entry.set("test", test)?;
            entry.set("number", number)?;
            entry.set("mark", layer_mark(number))?;
            for field in ["kind", "reason", "divisor"] {
                entry.set(field, line.spec.get::<LuaValue>(field)?)?;
            }
            entry.set("who", &**line.layer.cites.first().unwrap_or(&line.layer.module))?;
            by_verb.get::<Table>(line.verb.word())?.push(&entry)?;
            made.push((number, entry));
        }
        for (line, (_, entry)) in column.lines.iter().zip(&made) {
            let rivals = self.lua.create_table()?;
            for rival in line.rivals.iter().filter_map(|place| made.get(*place)) {
                rivals.set(rival.0, true)?;
            }
            entry.set("rivals", rivals)?;
        }
        let open = self.open_table(column, &rule.signature)?;
        lines.get::<Function>("fold")?.call((column.law.word(), open, by_verb))
    }

    fn open_table(&self, column: &Column, signature: &Signature) -> mlua::Result<Table> {
        let open = self.lua.create_table()?;
        let said = &column.open;
        open.set("round", said.round.word())?;
        open.set("least", said.least)?;
        open.set("most", said.most)?;
        open.set("cap", said.cap)?;
        open.set("adds_first", said.adds_first)?;
        open.set("least_wins", said.least_wins)?;
        open.set("ladder", said.ladder.as_deref())?;
        open.set("is_verdict", matches!(signature.returns, Returns::Value(Type::Verdict)))?;
        open.set("may_be_none", matches!(signature.returns, Returns::Value(Type::Optional(_))))?;
        let names = signature.args.iter().map(|field| &*field.name);
        open.set("names", self.lua.create_sequence_from(names)?)?;
        Ok(open)
    }

    /// The stack tells the lines of a rule no more.
    pub(super) fn unbind_lines(&mut self, rule: &Name) {
        for (number, address) in self.columns.remove(rule).unwrap_or_default() {
            self.shared.by_function.borrow_mut().remove(&address);
            let mut layers = self.shared.layers.borrow_mut();
            let layer = &mut layers[number as usize];
            (layer.rule, layer.body) = (Name::from(""), crate::lua::registry::Body::Nothing);
        }
    }
}

/// What a line may do, by its verb: conditions only read.
pub(crate) fn effects_of(verb: Verb, of_rule: Effects) -> Effects {
    if verb == Verb::After { of_rule } else { Effects::READS }
}
