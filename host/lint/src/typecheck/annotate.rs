//! Writes into a file what the rulebook knows of its types, line by line, so
//! that the checker sees them and every finding keeps its line.

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::{Name, Type, owner_of};
use luau_syntax::ast::{
    AstVisitor, Expression, ExpressionKind, Function, Statement, StatementView, TableItem,
    Type as AstType, TypeKind,
};
use luau_syntax::location::Position;
use luau_syntax::parser::{ParseOptions, ParsedSource};

use rules::hosting::registry::Returns;
use rules::tokens::{NAMES_MARK, Token, declared_before, tokens};

use super::members::{ArgumentTypes, members};
use super::misjudged::{Misjudged, returns_in};
use crate::scope::{Scope, word};
use crate::types::headers::RuleHeader;
use crate::types::names::{short, union};
use crate::types::{self, CONDITION, MemberWay};

/// Methods and functions that give several values.
const SEVERAL: [&[u8]; 4] = [b"call", b"unpack", b"up", b"down"];

/// What the rulebook knows, in the words of Luau.
pub(super) struct KnownNames {
    kinds: BTreeMap<Name, String>,
    /// What a call of a rule by its id gives, where that is one value of a known type.
    rules: BTreeMap<Name, String>,
    events: BTreeMap<Name, String>,
    headers: BTreeMap<MemberWay, (RuleHeader, bool)>,
    members: ArgumentTypes,
}

/// What a function takes, in order, and what it may give back.
#[derive(Clone, Default)]
struct Taken {
    args: Vec<String>,
    returns: Option<String>,
}

impl KnownNames {
    pub fn new(known: &types::KnownRules<'_>) -> KnownNames {
        let book = known.book();
        let kinds = &known.kinds;
        let rules = known.rulebook.rules().iter().filter_map(|(id, entry)| {
            let value = match &entry.signature.returns {
                Returns::Value(Type::Any | Type::Verdict | Type::Optional(_)) => return None,
                Returns::Value(ty) => kinds.read(ty),
                Returns::Domain(_) | Returns::Nothing => return None,
            };
            Some((id.clone(), value))
        });
        let events = book
            .events
            .iter()
            .map(|(id, event)| (id.clone(), kinds.fields(&event.fields)));
        let own = book
            .schema
            .kinds()
            .iter()
            .map(|kind| (kind.id.clone(), kinds.of(&kind.id).to_string()));
        KnownNames {
            kinds: own.collect(),
            rules: rules.collect(),
            events: events.collect(),
            members: members(book, kinds),
            headers: known
                .rules()
                .map(|(way, rule)| (way.clone(), (rule.header.clone(), rule.is_new)))
                .collect(),
        }
    }
}

/// A file with types written in.
pub(super) struct Annotated {
    /// The text that the checker reads.
    pub text: String,
    original: String,
    /// By the place in the original, what was written there.
    inserted: Vec<(Position, String)>,
    /// Where what is returned begins that the checker holds against the wrong function.
    misjudged: BTreeSet<Position>,
}

impl Annotated {
    /// Whether what is returned there is held against the wrong function.
    pub fn is_misjudged(&self, position: Position) -> bool {
        self.misjudged.contains(&self.place_of(position))
    }

    /// Whether a place is in a line that begins with what is declared for the file.
    pub fn is_declared(&self, position: Position) -> bool {
        let line = self.original.lines().nth(position.line as usize);
        line.is_some_and(|line| line.starts_with(NAMES_MARK))
    }

    /// The line and column, from 1, where the author names a type that is
    /// declared for the file.
    pub fn first_use(&self, name: &str) -> Option<(u32, u32)> {
        let found = tokens(&self.original).all;
        let is_used =
            |pair: &&[Token<'_>]| pair[1].text == name && !matches!(pair[0].text, "." | "type");
        let line = found.windows(2).find(is_used)?[1].line;
        let text = self.original.lines().nth(line as usize - 1)?;
        let own = text.get(declared_before(text)..)?;
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_word = |(place, _): &(usize, &str)| {
            !own[..*place].ends_with(is_of_word)
                && !own[*place + name.len()..].starts_with(is_of_word)
        };
        let (place, _) = own.match_indices(name).find(is_word)?;
        Some((line, own[..place].chars().count() as u32 + 1))
    }

    /// The line and column of the original, from 1.
    pub fn origin(&self, position: Position) -> (u32, u32) {
        let column = self.place_of(position).column;
        let line = self
            .original
            .lines()
            .nth(position.line as usize)
            .unwrap_or_default();
        let before = declared_before(line);
        let own = line.char_indices().skip_while(|(at, _)| *at < before);
        let letters = own.take_while(|(at, _)| *at < column as usize).count();
        (position.line + 1, letters as u32 + 1)
    }

    /// A place in the original, by that in the text that the checker reads.
    fn place_of(&self, position: Position) -> Position {
        let mut column = position.column;
        for (place, text) in self
            .inserted
            .iter()
            .filter(|(place, _)| place.line == position.line)
        {
            if place.column >= column {
                break;
            }
            column = column.saturating_sub(text.len() as u32).max(place.column);
        }
        Position { column, ..position }
    }
}

/// Writes types into a file. One that does not parse stays as it is.
pub(super) fn annotate(text: &str, is_test: bool, known: &KnownNames) -> Annotated {
    let mut scribe = Scribe {
        known,
        text,
        is_test,
        taken: BTreeMap::new(),
        starts: BTreeSet::new(),
        named: BTreeSet::new(),
        rules: BTreeMap::new(),
        scope: Scope::default(),
        is_new: !is_test && types::uses_chapters(text),
        inserted: vec![],
    };
    let mut misjudged = Misjudged::default();
    if let Ok(parsed) = ParsedSource::parse(text, ParseOptions::default())
        && parsed.metadata().errors.is_empty()
    {
        scribe.scope = Scope::read(parsed.root());
        parsed.root().visit(&mut scribe);
        parsed.root().visit(&mut misjudged);
    }
    let mut inserted = scribe.inserted;
    // Where two meet, the one found first stays outside.
    inserted.sort_by_key(|(place, _)| *place);
    let (original, misjudged) = (text.to_string(), misjudged.places);
    Annotated {
        text: written(text, &inserted),
        original,
        inserted,
        misjudged,
    }
}

fn written(text: &str, inserted: &[(Position, String)]) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut inserted = inserted.iter().peekable();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let mut from = 0;
        while let Some((place, what)) = inserted.next_if(|(place, _)| place.line as usize == number)
        {
            let to = place.column as usize;
            out.push_str(line.get(from..to).unwrap_or_default());
            out.push_str(what);
            from = to;
        }
        out.push_str(line.get(from..).unwrap_or_default());
    }
    out
}

struct Scribe<'a> {
    known: &'a KnownNames,
    text: &'a str,
    is_test: bool,
    /// What functions that are registered take, by where they begin.
    taken: BTreeMap<Position, Taken>,
    /// Where statements begin: a parenthesis there would join the line before.
    starts: BTreeSet<Position>,
    /// Where local functions begin. Those without a name have their types from
    /// what they are given to.
    named: BTreeSet<Position>,
    /// Rules by where they begin.
    rules: BTreeMap<Position, MemberWay>,
    scope: Scope,
    is_new: bool,
    inserted: Vec<(Position, String)>,
}

impl<'ast> AstVisitor<'ast> for Scribe<'_> {
    fn visit_local_function_statement(&mut self, statement: Statement<'ast>) -> bool {
        self.named.extend(
            statement
                .as_local_function()
                .map(|local| local.function.location().begin),
        );
        self.visit_statement(statement)
    }

    fn visit_function_declaration_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::FunctionDeclaration(declared) = statement.view() {
            let begin = declared.function().location.begin;
            self.named.insert(begin);
            let way = self
                .scope
                .in_mod(declared.name)
                .and_then(|path| path.try_into().ok());
            self.rules.extend(way.map(|way| (begin, way)));
        }
        self.visit_statement(statement)
    }

    fn visit_if_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::If(found) = statement.view()
            && found.else_body.is_none()
            && returns_in(found.condition)
        {
            self.part(statement.location().end);
        }
        self.visit_statement(statement)
    }

    fn visit_statement(&mut self, statement: Statement<'ast>) -> bool {
        self.starts.insert(statement.location().begin);
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call {
            func,
            args,
            self_call,
            ..
        } = expression.kind()
            && let ExpressionKind::IndexName { expr, index, .. } = func.kind()
        {
            if self_call && index == *"call" {
                self.call(expression, args);
            } else if self_call && index == *"create" {
                self.of_kind(expression, args, |kind| kind.to_string());
            } else if self_call && (index == *"entities" || index == *"all") {
                self.of_kind(expression, args, |kind| format!("{{ {kind} }}"));
            } else if !self_call && self.scope.path(expr).is_some_and(|path| path == ["@list"]) {
                self.of_list(args);
            } else if !self_call
                && self
                    .scope
                    .path(func)
                    .is_some_and(|path| path == ["@ask", "one"])
            {
                self.answered(expression, args);
            } else if !self_call && is_named(expr, "rules") {
                self.registration(index.bytes(), args);
            } else if self_call && let Some(path) = self.scope.in_mod(expr) {
                self.line(&path, index.bytes(), args);
            }
        }
        true
    }

    fn visit_function_literal_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let Some(function) = expression.as_function() {
            self.function(expression.location().begin, function);
        }
        true
    }
}

impl Scribe<'_> {
    /// An `if` whose condition has functions in it gets an `else`: without one the
    /// checker takes the condition for a part of what it leads to, and holds what
    /// those functions give against the function around the `if`.
    fn part(&mut self, end: Position) {
        let begin = Position {
            column: end.column.saturating_sub(3),
            ..end
        };
        if slice(self.text, begin, end) == Some("end") {
            self.inserted.push((begin, "else ".into()));
        }
    }

    /// A call of a rule by its id is given its type.
    fn call(&mut self, expression: Expression<'_>, args: &[Expression<'_>]) {
        let location = expression.location();
        let value = args
            .first()
            .and_then(|id| self.known.rules.get(&*word(*id)?));
        if let Some(value) = value
            && !self.starts.contains(&location.begin)
        {
            self.inserted.push((location.begin, "(".into()));
            self.inserted.push((location.end, format!(" :: {value})")));
        }
    }

    /// An answer is one of the words that there are to choose from, where they
    /// stand beside the question.
    fn answered(&mut self, expression: Expression<'_>, args: &[Expression<'_>]) {
        let location = expression.location();
        let words = args.get(3).and_then(|domain| self.choices(*domain));
        if let Some(words) = words
            && !self.starts.contains(&location.begin)
        {
            let words: Vec<Name> = words.iter().map(|word| word.as_str().into()).collect();
            self.inserted.push((location.begin, "(".into()));
            self.inserted
                .push((location.end, format!(" :: {})", union(&words))));
        }
    }

    /// The words of `domain.choices { "hold", { value = "shoot", label = "…" } }`.
    fn choices(&self, domain: Expression<'_>) -> Option<Vec<String>> {
        let ExpressionKind::Call {
            func, args: [list], ..
        } = domain.kind()
        else {
            return None;
        };
        let is_it = self
            .scope
            .path(func)
            .is_some_and(|path| path == ["@domain", "choices"]);
        let ExpressionKind::Table { items } = list.kind() else {
            return None;
        };
        let choice = |item: &TableItem<'_>| match item {
            TableItem::List { value } => word(*value).or_else(|| word(field(*value, "value")?)),
            _ => None,
        };
        let words: Option<Vec<String>> = items.iter().map(choice).collect();
        words.filter(|words| is_it && !words.is_empty())
    }

    /// What `game` gives for a kind is given the type of that kind.
    fn of_kind(
        &mut self,
        expression: Expression<'_>,
        args: &[Expression<'_>],
        ty: fn(&str) -> String,
    ) {
        let location = expression.location();
        let kind = args
            .first()
            .and_then(|id| self.known.kinds.get(&*word(*id)?));
        if let Some(kind) = kind
            && !self.starts.contains(&location.begin)
        {
            self.inserted.push((location.begin, "((".into()));
            self.inserted
                .push((location.end, format!(" :: any) :: {})", ty(kind))));
        }
    }

    /// A function that is asked of each item of a list takes what is in it: the
    /// checker would find that out only after it has looked at the function.
    fn of_list(&mut self, args: &[Expression<'_>]) {
        let [items, function] = args else { return };
        if function.as_function().is_none() {
            return;
        }
        let location = items.location();
        let written = slice(self.text, location.begin, location.end).filter(|text| {
            // A function within would want types of its own.
            !text.contains("function") && !text.contains("--")
        });
        let item = written.map_or("any".into(), |text| {
            format!("typeof(({})[1])", text.replace('\n', " "))
        });
        let taken = Taken {
            args: vec![item, "number".into()],
            returns: None,
        };
        self.taken.insert(function.location().begin, taken);
    }

    fn registration(&mut self, what: &[u8], args: &[Expression<'_>]) {
        let (Some(first), Some(last)) = (args.first(), args.last()) else {
            return;
        };
        match what {
            b"replace" | b"wrap" if self.header(*first).is_some() => {
                let Some(header) = self.header(*first) else {
                    return;
                };
                self.take_wrap(&header.clone(), *last, what == b"wrap");
            }
            b"on" if self.event(*first).is_some() => {
                let event = self.event(*first).cloned().unwrap_or_default();
                let taken = Taken {
                    args: vec!["Acts".into(), event],
                    returns: None,
                };
                self.taken.insert(last.location().begin, taken);
            }
            _ => {}
        }
    }

    /// The header of a rule that is named.
    fn header(&self, rule: Expression<'_>) -> Option<&(RuleHeader, bool)> {
        let way: MemberWay = self.scope.in_mod(rule)?.try_into().ok()?;
        self.known.headers.get(&way)
    }

    /// The fields of an event that is named.
    fn event(&self, event: Expression<'_>) -> Option<&String> {
        let path = self.scope.in_mod(event)?;
        let [module, events, name] = path.as_slice() else {
            return None;
        };
        let is_it = |id: &Name| owner_of(id) == module && short(id) == *name;
        let found = self
            .known
            .events
            .iter()
            .find(|(id, _)| events == "events" && is_it(id));
        found.map(|(_, fields)| fields)
    }

    /// What a wrap takes and gives; of what is registered by its id less is known.
    fn take_wrap(
        &mut self,
        (header, is_new): &(RuleHeader, bool),
        function: Expression<'_>,
        has_base: bool,
    ) {
        let base = has_base.then(|| header.function());
        let args = header.args.iter().map(|(_, ty)| ty.clone());
        let args = base
            .into_iter()
            .chain([header.handle.clone()])
            .chain(args)
            .collect();
        let returns = if *is_new {
            header.returns.clone()
        } else {
            "...any".into()
        };
        self.taken.insert(
            function.location().begin,
            Taken {
                args,
                returns: Some(returns),
            },
        );
    }

    /// The functions of a line.
    fn line(&mut self, path: &[String], verb: &[u8], args: &[Expression<'_>]) {
        let [module, over, chapter, name] = path else {
            return;
        };
        let way = [module.clone(), chapter.clone(), name.clone()];
        let Some(known) = self
            .known
            .headers
            .get(&way)
            .filter(|_| over == "over")
            .cloned()
        else {
            return;
        };
        if verb == b"wrap" {
            args.last()
                .into_iter()
                .for_each(|function| self.take_wrap(&known, *function, true));
            return;
        }
        let handle = if verb == b"after" { "Acts" } else { "Reads" };
        let item = (verb == b"drop").then(|| "any".to_string());
        let own = known.0.args.iter().map(|(_, ty)| ty.clone());
        let types: Vec<String> = item
            .into_iter()
            .chain([handle.to_string()])
            .chain(own)
            .collect();
        for (place, function) in args
            .iter()
            .enumerate()
            .filter(|(_, one)| one.as_function().is_some())
        {
            let returns = given_in_line(verb, place).map(String::from);
            self.taken.insert(
                function.location().begin,
                Taken {
                    args: types.clone(),
                    returns,
                },
            );
        }
    }

    fn function(&mut self, begin: Position, function: &Function<'_>) {
        let taken = self.taken.remove(&begin).unwrap_or_default();
        let is_named = self.named.contains(&begin);
        let as_member = self
            .rules
            .get(&begin)
            .and_then(|way| self.known.members.get(way));
        for (place, local) in function.args.iter().enumerate() {
            if let Some(written) = local.annotation {
                let known = as_member.and_then(|known| known.get(&place));
                if let Some(known) = known.filter(|_| is_any(written)) {
                    let at = written.location();
                    // What stands there becomes a comment.
                    self.inserted.push((at.begin, format!("{known} --[[")));
                    self.inserted.push((at.end, "]]".into()));
                }
                continue;
            }
            let by_name = match local.name.bytes() {
                b"game" | b"_game" if !self.is_new => "Game",
                b"t" if self.is_test => "Case",
                _ => "any",
            };
            let ty = taken.args.get(place).map_or(by_name, String::as_str);
            self.inserted.push((local.location.end, format!(": {ty}")));
        }
        if let (None, Some(args)) = (&function.return_annotation, function.arg_location) {
            let returns = taken
                .returns
                .as_deref()
                .or_else(|| is_named.then(|| given(function)).flatten());
            self.inserted
                .extend(returns.map(|returns| (args.end, format!(": {returns}"))));
        }
    }
}

/// What a function gives that stands at a place of a line, where that is known.
fn given_in_line(verb: &[u8], place: usize) -> Option<&'static str> {
    match (verb, place) {
        // In the place of a reason stands what makes one.
        (b"refuse", 1) => Some("Reason?"),
        (b"always" | b"never" | b"allow" | b"deny" | b"drop", 1) => Some(CONDITION),
        (b"ignore" | b"set" | b"case" | b"add" | b"least" | b"most" | b"refuse" | b"append", 2) => {
            Some(CONDITION)
        }
        (b"shift" | b"scale", 3) => Some(CONDITION),
        _ => None,
    }
}

fn is_any(ty: AstType<'_>) -> bool {
    matches!(ty.kind(), TypeKind::Reference { prefix: None, name, .. } if name == *"any")
}

/// What stands under a key of a table.
fn field<'ast>(table: Expression<'ast>, wanted: &str) -> Option<Expression<'ast>> {
    let ExpressionKind::Table { items } = table.kind() else {
        return None;
    };
    items.iter().find_map(|item| match item {
        TableItem::Record { key, value } if word(*key).as_deref() == Some(wanted) => Some(*value),
        _ => None,
    })
}

/// The part of a text between two places.
fn slice(text: &str, begin: Position, end: Position) -> Option<&str> {
    let offset = |at: Position| {
        let line = text
            .split_inclusive('\n')
            .take(at.line as usize)
            .map(str::len)
            .sum::<usize>();
        line + at.column as usize
    };
    text.get(offset(begin)..offset(end))
}

/// What a function without a type gives back: nothing, one thing, or several.
fn given(function: &Function<'_>) -> Option<&'static str> {
    let mut returns = Results::default();
    function.body.visit(&mut returns);
    match returns {
        Results {
            has_several: true, ..
        } => Some("...any"),
        Results { has_one: true, .. } => Some("any"),
        _ => None,
    }
}

#[derive(Default)]
struct Results {
    has_one: bool,
    has_several: bool,
}

impl<'ast> AstVisitor<'ast> for Results {
    fn visit_function_literal_expression(&mut self, _: Expression<'ast>) -> bool {
        false
    }

    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Return(returned) = statement.view() {
            match returned.expressions {
                [] => {}
                [one] if is_one(*one) => self.has_one = true,
                _ => self.has_several = true,
            }
        }
        true
    }
}

/// Whether an expression is one value at most: not what a rule gives, or a
/// function that may be anything.
fn is_one(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Varargs => false,
        ExpressionKind::Call {
            func, self_call, ..
        } => match func.kind() {
            ExpressionKind::IndexName { index, .. } => {
                self_call && !SEVERAL.contains(&index.bytes())
            }
            _ => false,
        },
        _ => true,
    }
}

fn is_named(expression: Expression<'_>, name: &str) -> bool {
    match expression.kind() {
        ExpressionKind::Local { local, .. } => local.name == *name,
        _ => false,
    }
}
