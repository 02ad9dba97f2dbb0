//! Expressions over what something comes to: how they are read.
//!
//! ```text
//! red-1.status = knocked_out and not red-1.is_immobilised
//! result.hits >= 2
//! count(dsii.element, it.status = knocked_out)
//! events(dsii.dmg.suffered, it.target = red-1)
//! last(dsii.dmg.suffered).result
//! dsii.conf.level(red)
//! ```

use std::sync::Arc;

use kernel::book::Book;
use kernel::event::KERNEL_EVENTS;
use kernel::game::Game;
use kernel::value::{Name, Type, Value};
use kernel::world::closest;

use rules::types::{Find, no_entities, parse_value};

/// How deep expressions may nest.
const DEEPEST: usize = 32;

/// How long they may be, in bytes: what is read of one is gone into piece by piece, and
/// told anew at each end.
const LONGEST: usize = 2_000;

/// An operator between two expressions, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Plus,
    Minus,
}

/// The operators, longer signs before shorter ones.
const OPERATORS: [(&str, Operator); 12] = [
    ("or", Operator::Or),
    ("and", Operator::And),
    ("==", Operator::Equal),
    ("~=", Operator::Unequal),
    ("!=", Operator::Unequal),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("=", Operator::Equal),
    ("<", Operator::Less),
    (">", Operator::More),
    ("+", Operator::Plus),
    ("-", Operator::Minus),
];

impl Operator {
    fn binds(self) -> usize {
        match self {
            Operator::Or => 0,
            Operator::And => 1,
            Operator::Plus | Operator::Minus => 3,
            _ => 2,
        }
    }

    /// Whether it says how two values lie to each other.
    pub fn compares(self) -> bool {
        self.binds() == 2
    }

    /// Whether it makes a value of two.
    pub fn reckons(self) -> bool {
        self.binds() == TIGHTEST
    }
}

/// How tightly the tightest operator binds.
const TIGHTEST: usize = 3;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    /// A value that is written there, or a thing of the game.
    Value(Value),
    /// What the rule gave.
    Result,
    /// The thing or event that is looked at.
    It,
    /// A field of a record, or an attribute of a thing.
    Field(Box<Expression>, Name),
    /// What a rule that only reads says of the end.
    Rule(Name, Vec<Expression>),
    /// How many things there are of a kind, of which something holds.
    Count(Name, Option<Box<Expression>>),
    /// What was kept of events, by the place of the note.
    Noted(usize),
    /// Not.
    Not(Box<Expression>),
    /// Two and what stands between them.
    Both(Operator, Box<Expression>, Box<Expression>),
}

/// What is kept of the events of a kind.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct EventNote {
    /// The kind.
    pub kind: Name,
    /// Only those of which this holds.
    pub of: Option<Expression>,
    /// Whether the last one is kept; else they are counted.
    pub is_last: bool,
}

/// Reads an expression and what it wants to be noted of events. Things are found
/// by what whoever asks calls them.
///
/// # Errors
/// What was expected, and what was found.
pub(super) fn read(
    text: &str,
    game: &Game,
    find: Find<'_>,
) -> Result<(Expression, Vec<EventNote>), String> {
    if text.len() > LONGEST {
        return Err(format!(
            "expected at most {LONGEST} bytes, found {}",
            text.len()
        ));
    }
    let mut parser = ExpressionParser {
        rest: text.trim(),
        book: game.book(),
        game,
        find,
        notes: Vec::new(),
        within: Within::Nothing,
        depth: 0,
    };
    let expression = parser.expression(0)?;
    parser.space();
    match parser.rest.is_empty() {
        true => Ok((expression, parser.notes)),
        false => Err(format!("expected nothing more, found `{}`", parser.rest)),
    }
}

struct ExpressionParser<'a> {
    rest: &'a str,
    book: &'a Book,
    game: &'a Game,
    find: Find<'a>,
    notes: Vec<EventNote>,
    /// What it reads that is said of one of several things, if it does.
    within: Within,
    depth: usize,
}

/// Of which things something is said.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Within {
    /// Of none: it is said of the end.
    Nothing,
    /// Of things of a kind.
    Things,
    /// Of the events of a kind.
    Events(Name),
}

fn goes_on(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '#')
}

impl<'a> ExpressionParser<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn must(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.found(&format!("`{token}`"))),
        }
    }

    fn found(&self, expected: &str) -> String {
        match self.rest.is_empty() {
            true => format!("expected {expected}, found the end"),
            false => format!("expected {expected}, found `{}`", self.rest),
        }
    }

    /// A word, a number or an id: letters, digits, and what joins them.
    fn word(&mut self) -> &'a str {
        self.space();
        let end = self
            .rest
            .find(|letter| !goes_on(letter))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn operator(&mut self, binding: usize) -> Option<Operator> {
        self.space();
        let (sign, operator) = OPERATORS.iter().find(|(sign, _)| {
            let rest = self.rest.strip_prefix(sign);
            let is_word = sign.starts_with(|letter: char| letter.is_alphabetic());
            rest.is_some_and(|rest| !is_word || !rest.starts_with(goes_on))
        })?;
        (operator.binds() == binding).then(|| {
            self.rest = &self.rest[sign.len()..];
            *operator
        })
    }

    fn expression(&mut self, binding: usize) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST * (TIGHTEST + 2) {
            return Err("expected an expression that is nested less deep".into());
        }
        let outcome = match binding > TIGHTEST {
            true => self.part(),
            false => self.joined(binding),
        };
        self.depth -= 1;
        outcome
    }

    fn joined(&mut self, binding: usize) -> Result<Expression, String> {
        let mut left = self.expression(binding + 1)?;
        while let Some(operator) = self.operator(binding) {
            let right = self.expression(binding + 1)?;
            left = Expression::Both(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn part(&mut self) -> Result<Expression, String> {
        if self.eat("(") {
            let inner = self.expression(0)?;
            self.must(")")?;
            return self.fields(inner);
        }
        if let Some(quote) = ['"', '\'']
            .into_iter()
            .find(|quote| self.eat(&quote.to_string()))
        {
            let (text, rest) = self
                .rest
                .split_once(quote)
                .ok_or_else(|| self.found("the end of a text"))?;
            self.rest = rest;
            return Ok(Expression::Value(Value::text(text)));
        }
        let word = self.word();
        match word {
            "" => Err(self.found("an expression")),
            "not" => Ok(Expression::Not(Box::new(self.expression(2)?))),
            "true" | "false" => Ok(Expression::Value(Value::Bool(word == "true"))),
            "none" | "nil" => Ok(Expression::Value(Value::None)),
            _ if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') => {
                number(word)
            }
            _ if self.eat("(") => {
                let called = self.called(word)?;
                self.fields(called)
            }
            _ => self.path(word),
        }
    }

    /// What follows a closing bracket: `.field`.
    fn fields(&mut self, mut of: Expression) -> Result<Expression, String> {
        while self.rest.starts_with('.') {
            let word = self.word();
            if let (Expression::Noted(place), Some(field)) = (&of, word.split('.').nth(1)) {
                self.must_have_field(*place, field)?;
            }
            for field in word.split('.').skip(1) {
                of = Expression::Field(Box::new(of), Name::from(field));
            }
        }
        Ok(of)
    }

    fn called(&mut self, word: &str) -> Result<Expression, String> {
        match word {
            "count" => {
                let (kind, of) = self.kind_and_condition(false)?;
                let schema = self.game.world().schema();
                let kind = match schema.require(&kind) {
                    Ok(_) => kind,
                    Err(fault) => return Err(fault.into_words()),
                };
                Ok(Expression::Count(kind, of.map(Box::new)))
            }
            "events" | "last" => {
                if self.within != Within::Nothing {
                    return Err(format!(
                        "expected something of one thing, found `{word}` within another"
                    ));
                }
                let (kind, of) = self.kind_and_condition(true)?;
                if !self.book.events.contains_key(&kind) && !KERNEL_EVENTS.contains(&&*kind) {
                    return Err(self.no_event(&kind));
                }
                self.notes.push(EventNote {
                    kind,
                    of,
                    is_last: word == "last",
                });
                Ok(Expression::Noted(self.notes.len() - 1))
            }
            rule => {
                let mut args = Vec::new();
                while !self.eat(")") {
                    if !args.is_empty() {
                        self.must(",")?;
                    }
                    args.push(self.expression(0)?);
                }
                Ok(Expression::Rule(Name::from(rule), args))
            }
        }
    }

    /// The field of the last event of a kind, or of a count, which has none.
    fn must_have_field(&self, place: usize, field: &str) -> Result<(), String> {
        match self.notes.get(place) {
            Some(note) if note.is_last => self.must_be_declared(&note.kind, field),
            Some(note) => Err(format!(
                "expected a number of events, found its field `{field}`; did you mean `last({}).{field}`?",
                note.kind
            )),
            None => Ok(()),
        }
    }

    /// What mods declare of an event is all that it has; of those of the kernel nothing is declared.
    fn must_be_declared(&self, kind: &Name, field: &str) -> Result<(), String> {
        let Some(declared) = self.book.events.get(kind) else {
            return Ok(());
        };
        let names: Vec<&str> = declared.fields.iter().map(|field| &*field.name).collect();
        match (names.contains(&field), names.is_empty()) {
            (true, _) => Ok(()),
            (false, true) => Err(format!("expected no field of `{kind}`, found `{field}`")),
            (false, false) => Err(format!(
                "expected a field of `{kind}` ({}), found `{field}`",
                names.join(", ")
            )),
        }
    }

    fn kind_and_condition(&mut self, is_event: bool) -> Result<(Name, Option<Expression>), String> {
        let kind = Name::from(self.word());
        if !self.eat(",") {
            self.must(")")?;
            return Ok((kind, None));
        }
        let within = match is_event {
            true => Within::Events(kind.clone()),
            false => Within::Things,
        };
        let before = std::mem::replace(&mut self.within, within);
        let condition = self.expression(0)?;
        self.within = before;
        self.must(")")?;
        Ok((kind, Some(condition)))
    }

    /// A thing of the game, or what came of it, with fields; a word of its own
    /// is a text.
    fn path(&mut self, word: &str) -> Result<Expression, String> {
        let mut parts = word.split('.');
        let head = parts.next().unwrap_or_default();
        let root = match head {
            "result" => Expression::Result,
            "it" if self.within != Within::Nothing => {
                if let (Within::Events(kind), Some(field)) = (&self.within, word.split('.').nth(1))
                {
                    self.must_be_declared(kind, field)?;
                }
                Expression::It
            }
            name => match (self.find)(name) {
                Some(entity) => Expression::Value(Value::Entity(entity)),
                None if name.len() == word.len() => Expression::Value(Value::text(name)),
                None => return Err(self.unknown(name)),
            },
        };
        if let (Expression::Value(Value::Entity(entity)), Some(first)) =
            (&root, word.split('.').nth(1))
        {
            self.game
                .world()
                .attribute(*entity, first)
                .map_err(|fault| fault.into_words())?;
        }
        Ok(parts.fold(root, |of, field| {
            Expression::Field(Box::new(of), Name::from(field))
        }))
    }

    /// There is no such event: those that a report tells under that word, or the
    /// nearest.
    fn no_event(&self, kind: &str) -> String {
        let told: Vec<String> = self
            .book
            .events
            .values()
            .filter(|event| *event.heading == *kind)
            .map(|event| format!("`{}`", event.id))
            .collect();
        let ids = self.book.events.keys().map(|id| &**id);
        let hint = match closest(kind, ids.chain(KERNEL_EVENTS)) {
            _ if !told.is_empty() => format!("; a report calls so {}", told.join(" and ")),
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        format!("no mod declares the event `{kind}`{hint}")
    }

    fn unknown(&self, name: &str) -> String {
        let world = self.game.world();
        let is_known = |known: &Name| (self.find)(known).is_some();
        let names: Vec<Name> = world
            .all()
            .map(|entity| world.name(entity))
            .filter(is_known)
            .collect();
        match closest(name, names.iter().map(|name| &**name)) {
            Some(near) => format!("there is no `{name}`; did you mean `{near}`?"),
            None => format!("there is no `{name}`; expected a thing of the game, or `result`"),
        }
    }
}

/// A number, a length, an angle or a die.
fn number(word: &str) -> Result<Expression, String> {
    let types = [Type::INT, Type::Length, Type::Angle];
    let value = types
        .iter()
        .find_map(|ty| parse_value(ty, word, &no_entities).ok());
    match value {
        Some(value) => Ok(Expression::Value(value)),
        None => Err(format!(
            "expected a number such as `3`, `12in` or `30deg`, found `{word}`"
        )),
    }
}

impl Expression {
    /// It and everything within it.
    pub fn parts(&self) -> Vec<&Expression> {
        let mut found = vec![self];
        match self {
            Expression::Field(one, _) | Expression::Not(one) => found.extend(one.parts()),
            Expression::Count(_, of) => found.extend(of.iter().flat_map(|of| of.parts())),
            Expression::Rule(_, args) => found.extend(args.iter().flat_map(Expression::parts)),
            Expression::Both(_, one, other) => {
                found.extend(one.parts());
                found.extend(other.parts());
            }
            Expression::Value(_) | Expression::Result | Expression::It | Expression::Noted(_) => {}
        }
        found
    }

    /// Whether it is the same whatever happens.
    pub fn is_settled(&self) -> bool {
        match self {
            Expression::Value(_) => true,
            Expression::Not(one) => one.is_settled(),
            Expression::Both(_, one, other) => one.is_settled() && other.is_settled(),
            Expression::Rule(..)
            | Expression::Count(..)
            | Expression::Noted(_)
            | Expression::Result
            | Expression::It
            | Expression::Field(..) => false,
        }
    }
}

/// Fields of an event as a record.
pub(super) fn record(fields: &[(Name, Option<Value>)]) -> Value {
    let shown = fields
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
    Value::Map(Arc::new(shown.collect()))
}
