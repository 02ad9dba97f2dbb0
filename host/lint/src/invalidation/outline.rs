//! The statements of a rules file, and which of them hang on which.
//!
//! It is no parser: where a file is written in a way that it does not follow,
//! it says so, and whoever asks takes the whole file for changed.

use std::collections::BTreeSet;
use std::rc::Rc;

use rules::tokens::{Token, TokenKind, tokens, words_in};

/// What a statement at the top level of a file does when the file is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    /// One call of a function of `rules`, or a rule given to a chapter, and
    /// nothing beside it.
    Registers,
    /// Gives names to values.
    Declares,
    /// Puts something into a table that has a name.
    Fills,
    /// Gives what those who require the file get.
    Returns,
    /// Says something about types, which nothing does when the file runs.
    Types,
    /// Anything else.
    Else,
}

/// A statement at the top level of a file.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub does: Does,
    /// Its tokens in one text; comments and blanks are left out.
    pub text: Rc<str>,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The names that it declares or fills.
    pub names: Vec<Rc<str>>,
    /// Every name that it uses, declares or fills.
    pub mentions: BTreeSet<Rc<str>>,
    /// The files that it requires, as written.
    pub requires: Vec<Rc<str>>,
    /// Whether it calls, while the file is loaded, what may do anything.
    pub is_lively: bool,
    /// What it gives to a chapter, if what it names is one.
    given: Option<ChapterTarget>,
}

/// The statements of a file.
#[derive(Clone, Debug)]
pub(super) struct FileOutline {
    pub statements: Vec<Statement>,
    /// Comments that steer the compiler.
    pub steering: Vec<String>,
    /// Whether it can be told what hangs on what.
    pub is_clear: bool,
    /// Whether it catches errors, whose messages hold lines.
    pub catches: bool,
}

impl FileOutline {
    /// Reads a file.
    pub fn of(source: &str) -> FileOutline {
        let found = tokens(source);
        let mut outline = FileOutline {
            statements: Vec::new(),
            steering: found
                .steering
                .iter()
                .map(ToString::to_string)
                .chain(steering_docs(source))
                .collect(),
            is_clear: found.is_whole,
            catches: found
                .all
                .iter()
                .any(|token| matches!(token.text, "pcall" | "xpcall")),
        };
        let mut nesting = Nesting::default();
        let mut begun: Vec<(Token<'_>, bool)> = Vec::new();
        for token in &found.all {
            if nesting.is_level() && token.is_first && begins_statement(token) && !begun.is_empty()
            {
                outline.statements.push(statement(&begun));
                begun.clear();
            }
            let is_inside = nesting.functions > 0;
            nesting.step(token);
            begun.push((*token, is_inside));
        }
        if !begun.is_empty() {
            outline.statements.push(statement(&begun));
        }
        outline.is_clear &= nesting.is_level() && !nesting.is_lost;
        outline.know_chapters();
        // Under another name `rules` would be something else.
        let declares_rules =
            |statement: &&Statement| statement.names.iter().any(|name| &**name == "rules");
        let mut own = outline.statements.iter().filter(declares_rules);
        outline.is_clear &= match (own.next(), own.next()) {
            (None, None) => true,
            (Some(one), None) => &*one.text == "local rules = require ( \"@rules\" )",
            _ => false,
        };
        outline
    }

    /// Finds what is given to chapters, which their names tell: `local fire =
    /// dsii.fire` where `dsii` is `require("@dsii")`.
    fn know_chapters(&mut self) {
        let declared =
            |statements: &[Statement], wanted: &dyn Fn(&[&str]) -> bool| -> BTreeSet<Rc<str>> {
                let made = statements.iter().filter(|one| {
                    let texts: Vec<&str> = one.text.split(' ').collect();
                    one.does == Does::Declares && wanted(&texts)
                });
                made.flat_map(|one| one.names.iter().cloned()).collect()
            };
        let modules = declared(&self.statements, &|texts| match texts {
            ["local", _, "=", "require", "(", path, ")"] => is_module(path),
            _ => false,
        });
        let chapters = declared(&self.statements, &|texts| match texts {
            ["local", _, "=", module, ".", _] => modules.contains(*module),
            _ => false,
        });
        for statement in &mut self.statements {
            let is_chapter = |given: &ChapterTarget| match given.is_of_module {
                true => modules.contains(&given.to),
                false => chapters.contains(&given.to),
            };
            if statement.given.as_ref().is_some_and(is_chapter) {
                statement.does = Does::Registers;
                statement.names.clear();
                statement.is_lively = false;
            }
        }
    }

    /// The statement that a line is in.
    pub fn at(&self, line: u32) -> Option<usize> {
        self.statements
            .iter()
            .position(|statement| (statement.first..=statement.last).contains(&line))
    }
}

/// Doc lines that say more than what a rule does: whether it is open for lines
/// and what it gives without its clause.
fn steering_docs(source: &str) -> impl Iterator<Item = String> {
    let docs = source
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("---"));
    docs.filter(|line| line.contains("@open") || line.contains(" else "))
        .map(str::to_string)
}

/// What a statement gives to what seems to be a chapter: a rule, or what
/// `rules` makes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ChapterTarget {
    /// The chapter, or the module that the chapter belongs to.
    to: Rc<str>,
    /// Whether it is the module that is named.
    is_of_module: bool,
}

/// The tokens before the bracket of a line.
const LINE: usize = 7;

/// What is given, by the tokens of a statement and whether each calls something
/// while the file is loaded.
fn given(texts: &[&str], calls: impl Fn(usize) -> bool) -> Option<ChapterTarget> {
    let (to, is_of_module) = match texts {
        ["function", chapter, ".", _, "(", ..] => (*chapter, false),
        ["function", module, ".", _, ".", _, "(", ..] => (*module, true),
        // A line of a rule that is open: `over . fire . die : shift ( … )`.
        [over, ".", _, ".", _, ":", _, "(", ..] if is_one_call(texts, LINE) => {
            if (LINE + 1..texts.len()).any(calls) {
                return None;
            }
            (*over, false)
        }
        [chapter, ".", _, "=", made @ ..] if registers(made) => {
            // The call of `rules` itself is none.
            let from = texts.len() - made.len() + head_length(made) + 1;
            if (from..texts.len()).any(calls) {
                return None;
            }
            (*chapter, false)
        }
        _ => return None,
    };
    Some(ChapterTarget {
        to: Rc::from(to),
        is_of_module,
    })
}

/// Whether a path names a mod, and no file and nothing of the host.
fn is_module(path: &str) -> bool {
    let name = path.trim_matches(['"', '\'']).strip_prefix('@');
    name.is_some_and(|name| {
        !name.contains('/') && !["rules", "ask", "domain", "list", "test"].contains(&name)
    })
}

fn begins_statement(token: &Token<'_>) -> bool {
    let words = [
        "local", "function", "return", "for", "while", "if", "do", "repeat",
    ];
    match token.sort {
        TokenKind::Name => true,
        TokenKind::Keyword => words.contains(&token.text),
        _ => false,
    }
}

/// What is open at a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OpenBlock {
    Function,
    Block,
    Repeat,
    If,
    /// An `if` within an expression, which has no `end`.
    Choice,
    Bracket(char),
}

#[derive(Default)]
struct Nesting {
    open: Vec<OpenBlock>,
    functions: u32,
    before: String,
    /// Whether the last `then` or `else` belonged to an expression.
    in_choice: bool,
    is_lost: bool,
}

impl Nesting {
    fn is_level(&self) -> bool {
        self.open.is_empty()
    }

    fn step(&mut self, token: &Token<'_>) {
        match (token.sort, token.text) {
            (TokenKind::Keyword, word) => self.keyword(word),
            (TokenKind::Sign, "(") => self.open.push(OpenBlock::Bracket(')')),
            (TokenKind::Sign, "{") => self.open.push(OpenBlock::Bracket('}')),
            (TokenKind::Sign, "[") => self.open.push(OpenBlock::Bracket(']')),
            (TokenKind::Sign, ")" | "}" | "]") => {
                let wanted = self.open.pop();
                self.is_lost |= wanted != token.text.chars().next().map(OpenBlock::Bracket);
            }
            _ => {}
        }
        token.text.clone_into(&mut self.before);
    }

    fn keyword(&mut self, word: &str) {
        match word {
            "function" => {
                self.open.push(OpenBlock::Function);
                self.functions += 1;
            }
            "do" => self.open.push(OpenBlock::Block),
            "repeat" => self.open.push(OpenBlock::Repeat),
            "until" => self.is_lost |= self.open.pop() != Some(OpenBlock::Repeat),
            "if" if self.is_in_expression() => self.open.push(OpenBlock::Choice),
            "if" => self.open.push(OpenBlock::If),
            "then" | "elseif" => self.in_choice = self.open.last() == Some(&OpenBlock::Choice),
            "else" => {
                self.in_choice = self.open.last() == Some(&OpenBlock::Choice);
                if self.in_choice {
                    self.open.pop();
                }
            }
            "end" => match self.open.pop() {
                Some(OpenBlock::Function) => self.functions -= 1,
                Some(OpenBlock::Block | OpenBlock::If) => {}
                _ => self.is_lost = true,
            },
            _ => {}
        }
    }

    /// Whether what comes next belongs to an expression.
    fn is_in_expression(&self) -> bool {
        match self.before.as_str() {
            "then" | "else" => self.in_choice,
            // `?` ends the type that a function gives back.
            "" | "do" | "repeat" | "end" | ")" | "]" | "}" | ";" | "?" | "break" | "..." => false,
            "and" | "or" | "not" | "return" | "in" | "until" | "if" | "elseif" | "while" => true,
            other => other
                .chars()
                .all(|c| !c.is_alphanumeric() && !matches!(c, '_' | '"' | '\'' | '`')),
        }
    }
}

/// Functions that may be called while a file is loaded without doing anything
/// but giving a value.
const QUIET: [&str; 30] = [
    "rules.inches",
    "rules.cm",
    "rules.degrees",
    "rules.die",
    "rules.point",
    "rules.hex",
    "rules.hex_at",
    "rules.table",
    "rules.option",
    "rules.active",
    "table.freeze",
    "table.clone",
    "table.concat",
    "table.find",
    "table.create",
    "table.pack",
    "table.unpack",
    "math",
    "string",
    "bit32",
    "utf8",
    "domain",
    "list",
    "require",
    "tostring",
    "tonumber",
    "type",
    "typeof",
    "select",
    "ipairs",
];

/// Functions of `rules` that register.
const REGISTERING: [&str; 11] = [
    "wrap",
    "replace",
    "action",
    "reaction",
    "phase",
    "remove_phase",
    "window",
    "event",
    "record",
    "on",
    "ladder",
];

/// A statement from its tokens, each with whether it is inside of a function.
fn statement(tokens: &[(Token<'_>, bool)]) -> Statement {
    let texts: Vec<&str> = tokens.iter().map(|(token, _)| token.text).collect();
    let does = what_it_does(&texts);
    let lively = || {
        let from = if does == Does::Registers {
            head_length(&texts) + 1
        } else {
            0
        };
        (from..tokens.len()).any(|place| calls_something(tokens, place))
    };
    Statement {
        does,
        text: texts.join(" ").into(),
        first: tokens.first().map_or(0, |(token, _)| token.line),
        last: tokens.last().map_or(0, |(token, _)| last_line(token)),
        names: names(&texts, does),
        mentions: mentions(tokens),
        requires: requires(&texts),
        is_lively: does != Does::Types && lively(),
        given: given(&texts, |place| calls_something(tokens, place)),
    }
}

fn last_line(token: &Token<'_>) -> u32 {
    token.line + token.text.matches('\n').count() as u32
}

fn what_it_does(texts: &[&str]) -> Does {
    match texts {
        ["local", ..] => Does::Declares,
        // What is deeper may belong to another table.
        ["function", _, ".", _, sign, ..] if matches!(*sign, "." | ":") => Does::Else,
        ["function", ..] => Does::Fills,
        ["return", ..] => Does::Returns,
        ["export", "type", ..] => Does::Types,
        ["type", name, sign, ..] if is_name(name) && matches!(*sign, "=" | "<") => Does::Types,
        ["rules", ".", ..] if registers(texts) => Does::Registers,
        _ if fills(texts) => Does::Fills,
        _ => Does::Else,
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// How many tokens name the function that registers: `rules . define`, or
/// `rules . table ( "x" ) : add`; 0 if they name none.
fn head_length(texts: &[&str]) -> usize {
    match texts {
        ["rules", ".", word, ..] if REGISTERING.contains(word) => 3,
        [
            "rules",
            ".",
            "table",
            "(",
            _,
            ")",
            ":",
            "add" | "amend" | "remove",
            ..,
        ] => 8,
        _ => 0,
    }
}

/// Whether it is one call that registers, and ends with it.
fn registers(texts: &[&str]) -> bool {
    let head = head_length(texts);
    head > 0 && is_one_call(texts, head)
}

/// Whether the call whose bracket stands at a place is all that is left.
fn is_one_call(texts: &[&str], head: usize) -> bool {
    let Some(open) = texts.get(head) else {
        return false;
    };
    if !matches!(*open, "(" | "{") {
        return false;
    }
    let mut depth = 0u32;
    for (place, text) in texts.iter().enumerate().skip(head) {
        match *text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return place + 1 == texts.len();
        }
    }
    false
}

/// Whether it is `name.field = …`; what is deeper may belong to another table.
fn fills(texts: &[&str]) -> bool {
    matches!(texts, [name, ".", field, "=", ..] if is_name(name) && is_name(field))
}

fn names(texts: &[&str], does: Does) -> Vec<Rc<str>> {
    match (does, texts) {
        (Does::Declares, ["local", "function", name, ..]) => vec![Rc::from(*name)],
        (Does::Declares, ["local", rest @ ..]) => {
            // Types after a colon may hold commas only within brackets.
            let mut depth = 0u32;
            let mut names = Vec::new();
            let mut is_next = true;
            for text in rest.iter().take_while(|text| **text != "=") {
                match *text {
                    "(" | "{" | "[" | "<" => depth += 1,
                    ")" | "}" | "]" | ">" => depth = depth.saturating_sub(1),
                    "," if depth == 0 => is_next = true,
                    name if is_next && is_name(name) => {
                        names.push(Rc::from(name));
                        is_next = false;
                    }
                    _ => {}
                }
            }
            names
        }
        (Does::Fills, ["function", name, ..] | [name, ..]) => vec![Rc::from(*name)],
        _ => Vec::new(),
    }
}

/// The names that are looked up or given: no fields and no methods.
fn mentions(tokens: &[(Token<'_>, bool)]) -> BTreeSet<Rc<str>> {
    let mut found = BTreeSet::new();
    let mut before = "";
    for (token, _) in tokens {
        match token.sort {
            TokenKind::Name if !matches!(before, "." | ":") => {
                found.insert(Rc::from(token.text));
            }
            TokenKind::Interpolated => found.extend(words_in(token.text).map(Rc::from)),
            _ => {}
        }
        before = token.text;
    }
    found
}

fn requires(texts: &[&str]) -> Vec<Rc<str>> {
    let call = |place: usize| match texts.get(place..)? {
        ["require", "(", path, ")", ..] | ["require", path, ..] => {
            Some(Rc::from(path.trim_matches(['"', '\''])))
        }
        _ => None,
    };
    (0..texts.len()).filter_map(call).collect()
}

/// Whether a call begins with the bracket or text at a place, outside of any
/// function, of something that may do more than give a value.
fn calls_something(tokens: &[(Token<'_>, bool)], place: usize) -> bool {
    let (token, is_inside) = &tokens[place];
    let is_opening = matches!(token.text, "(" | "{")
        || matches!(token.sort, TokenKind::Text | TokenKind::Interpolated);
    if *is_inside || !is_opening || place == 0 {
        return false;
    }
    let (before, _) = &tokens[place - 1];
    match before.sort {
        TokenKind::Name => !is_quiet(tokens, place - 1) && !is_header(tokens, place - 1),
        // What was called gives a function, or a method is called on a value.
        TokenKind::Sign => matches!(before.text, ")" | "]" | "}"),
        TokenKind::Text | TokenKind::Interpolated => token.text == "(",
        _ => false,
    }
}

/// Whether the brackets after a name hold the arguments of a function that is
/// being declared.
fn is_header(tokens: &[(Token<'_>, bool)], name: usize) -> bool {
    let mut place = name;
    while place >= 2 && matches!(tokens[place - 1].0.text, "." | ":") {
        place -= 2;
    }
    place >= 1 && tokens[place - 1].0.text == "function"
}

fn is_quiet(tokens: &[(Token<'_>, bool)], name: usize) -> bool {
    let mut place = name;
    while place >= 2 && tokens[place - 1].0.text == "." {
        place -= 2;
    }
    if place >= 1 && matches!(tokens[place - 1].0.text, ":" | ".") {
        return false;
    }
    let path: Vec<&str> = tokens[place..=name]
        .iter()
        .map(|(token, _)| token.text)
        .collect();
    let whole: String = path.concat();
    QUIET.contains(&whole.as_str())
        || path
            .first()
            .is_some_and(|root| path.len() == 3 && QUIET.contains(root))
}

#[cfg(test)]
mod tests;
