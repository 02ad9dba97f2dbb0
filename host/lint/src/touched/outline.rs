//! The statements of a rules file, and which of them hang on which.
//!
//! It is no parser: where a file is written in a way that it does not follow,
//! it says so, and whoever asks takes the whole file for changed.

use std::collections::BTreeSet;
use std::rc::Rc;

use rules::tokens::{Sort, Token, tokens, words_in};

/// What a statement at the top level of a file does when the file is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    /// One call of a function of `rules`, and nothing beside it.
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
}

/// The statements of a file.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub statements: Vec<Statement>,
    /// Comments that steer the compiler.
    pub steering: Vec<String>,
    /// Whether it can be told what hangs on what.
    pub is_clear: bool,
    /// Whether it catches errors, whose messages hold lines.
    pub catches: bool,
}

impl Outline {
    /// Reads a file.
    pub fn of(source: &str) -> Outline {
        let found = tokens(source);
        let mut outline = Outline {
            statements: Vec::new(),
            steering: found.steering.iter().map(ToString::to_string).collect(),
            is_clear: found.is_whole,
            catches: found.all.iter().any(|token| matches!(token.text, "pcall" | "xpcall")),
        };
        let mut nesting = Nesting::default();
        let mut begun: Vec<(Token<'_>, bool)> = Vec::new();
        for token in &found.all {
            if nesting.is_level() && token.is_first && begins_statement(token) && !begun.is_empty() {
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
        // Under another name `rules` would be something else.
        let declares_rules = |statement: &&Statement| statement.names.iter().any(|name| &**name == "rules");
        let mut own = outline.statements.iter().filter(declares_rules);
        outline.is_clear &= match (own.next(), own.next()) {
            (None, None) => true,
            (Some(one), None) => &*one.text == "local rules = require ( \"@rules\" )",
            _ => false,
        };
        outline
    }

    /// The statement that a line is in.
    pub fn at(&self, line: u32) -> Option<usize> {
        self.statements.iter().position(|statement| (statement.first..=statement.last).contains(&line))
    }
}

fn begins_statement(token: &Token<'_>) -> bool {
    let words = ["local", "function", "return", "for", "while", "if", "do", "repeat"];
    match token.sort {
        Sort::Name => true,
        Sort::Keyword => words.contains(&token.text),
        _ => false,
    }
}

/// What is open at a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
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
    open: Vec<Open>,
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
            (Sort::Keyword, word) => self.keyword(word),
            (Sort::Sign, "(") => self.open.push(Open::Bracket(')')),
            (Sort::Sign, "{") => self.open.push(Open::Bracket('}')),
            (Sort::Sign, "[") => self.open.push(Open::Bracket(']')),
            (Sort::Sign, ")" | "}" | "]") => {
                let wanted = self.open.pop();
                self.is_lost |= wanted != token.text.chars().next().map(Open::Bracket);
            }
            _ => {}
        }
        token.text.clone_into(&mut self.before);
    }

    fn keyword(&mut self, word: &str) {
        match word {
            "function" => {
                self.open.push(Open::Function);
                self.functions += 1;
            }
            "do" => self.open.push(Open::Block),
            "repeat" => self.open.push(Open::Repeat),
            "until" => self.is_lost |= self.open.pop() != Some(Open::Repeat),
            "if" if self.is_in_expression() => self.open.push(Open::Choice),
            "if" => self.open.push(Open::If),
            "then" | "elseif" => self.in_choice = self.open.last() == Some(&Open::Choice),
            "else" => {
                self.in_choice = self.open.last() == Some(&Open::Choice);
                if self.in_choice {
                    self.open.pop();
                }
            }
            "end" => match self.open.pop() {
                Some(Open::Function) => self.functions -= 1,
                Some(Open::Block | Open::If) => {}
                _ => self.is_lost = true,
            },
            _ => {}
        }
    }

    /// Whether what comes next belongs to an expression.
    fn is_in_expression(&self) -> bool {
        match self.before.as_str() {
            "then" | "else" => self.in_choice,
            "" | "do" | "repeat" | "end" | ")" | "]" | "}" | ";" | "break" | "..." => false,
            "and" | "or" | "not" | "return" | "in" | "until" | "if" | "elseif" | "while" => true,
            other => other.chars().all(|c| !c.is_alphanumeric() && !matches!(c, '_' | '"' | '\'' | '`')),
        }
    }
}

/// Functions that may be called while a file is loaded without doing anything
/// but giving a value.
const QUIET: [&str; 29] = [
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
    "require",
    "tostring",
    "tonumber",
    "type",
    "typeof",
    "select",
    "ipairs",
];

/// Functions of `rules` that register.
const REGISTERING: [&str; 13] = [
    "define",
    "step",
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
        let from = if does == Does::Registers { head_length(&texts) + 1 } else { 0 };
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
        ["rules", ".", "table", "(", _, ")", ":", "add" | "amend" | "remove", ..] => 8,
        _ => 0,
    }
}

/// Whether it is one call that registers, and ends with it.
fn registers(texts: &[&str]) -> bool {
    let head = head_length(texts);
    let (Some(open), true) = (texts.get(head), head > 0) else { return false };
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
            Sort::Name if !matches!(before, "." | ":") => {
                found.insert(Rc::from(token.text));
            }
            Sort::Interpolated => found.extend(words_in(token.text).map(Rc::from)),
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
    let is_opening = matches!(token.text, "(" | "{") || matches!(token.sort, Sort::Text | Sort::Interpolated);
    if *is_inside || !is_opening || place == 0 {
        return false;
    }
    let (before, _) = &tokens[place - 1];
    match before.sort {
        Sort::Name => !is_quiet(tokens, place - 1) && !is_header(tokens, place - 1),
        // What was called gives a function, or a method is called on a value.
        Sort::Sign => matches!(before.text, ")" | "]" | "}"),
        Sort::Text | Sort::Interpolated => token.text == "(",
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
    let path: Vec<&str> = tokens[place..=name].iter().map(|(token, _)| token.text).collect();
    let whole: String = path.concat();
    QUIET.contains(&whole.as_str())
        || path.first().is_some_and(|root| path.len() == 3 && QUIET.contains(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Does, bool)> {
        let outline = Outline::of(source);
        outline.statements.iter().map(|one| (one.does, one.is_lively)).collect()
    }

    const FILE: &str = "--!strict
local rules = require(\"@rules\")
local lib = require(\"./lib\")

local FAR: number, NEAR = rules.inches(6), { 1, 2 }
local made = lib.make(3)

local function helper(a)
    if a then
        return if a == 1 then 2 elseif a == 2 then 3 else 4
    end
    for i = 1, 2 do
        lib.call(i)
    end
end

type Shot = { gun: number }

rules.define(\"m.a\", { args = \"x: integer\" }, function(game, x)
    repeat
        local y = if x then helper(x) else `{NEAR} of {lib.z}`
    until y
    return FAR
end)

function lib.extra(a)
    return a
end
lib.more = 5

for _, id in { \"m.b\", \"m.c\" } do
    rules.define(id, {}, function() end)
end

rules.table(\"m.t\"):add {
    { a = 1 },
}
rules.wrap(\"m.a\", lib.make(2))
return { helper = helper }
";

    #[test]
    fn statements_are_told_apart() {
        use Does::{Declares, Else, Fills, Registers, Returns, Types};
        assert_eq!(
            kinds(FILE),
            [
                (Declares, false),
                (Declares, false),
                (Declares, false),
                (Declares, true),
                (Declares, false),
                (Types, false),
                (Registers, false),
                (Fills, false),
                (Fills, false),
                (Else, true),
                (Registers, false),
                (Registers, true),
                (Returns, false),
            ]
        );
        let outline = Outline::of(FILE);
        assert!(outline.is_clear && !outline.catches);
        assert_eq!(outline.statements[2].names, [Rc::from("FAR"), Rc::from("NEAR")]);
        assert_eq!(outline.statements[1].requires, [Rc::from("./lib")]);
        let define = &outline.statements[6];
        assert_eq!((define.first, define.last), (19, 24));
        for name in ["FAR", "NEAR", "helper", "lib"] {
            assert!(define.mentions.contains(name), "{name}");
        }
        assert!(!define.mentions.contains("define"));
        assert_eq!(outline.at(20), Some(6));
    }

    #[test]
    fn what_is_not_understood_is_not_clear() {
        for source in [
            "local rules = require(\"@other\")\n",
            "local rules = 1\nlocal rules = require(\"@rules\")\n",
            "local a = (1\nrules.define(\"m.a\", {}, f)",
            "local a = \"abc\n",
            "if a then\nlocal b = 1\n",
        ] {
            assert!(!Outline::of(source).is_clear, "{source}");
        }
        assert!(Outline::of("local ok = pcall(f)").catches);
        // A function whose body stands in the first column is one statement.
        assert_eq!(kinds("local function f()\nlocal a = 1\nreturn a\nend\n"), [(Does::Declares, false)]);
        assert_eq!(kinds("rules.define(\"a\", {}, f) print(1)"), [(Does::Else, true)]);
    }

    #[test]
    fn a_comment_or_a_blank_changes_no_statement() {
        let texts =
            |source: &str| Outline::of(source).statements.into_iter().map(|one| one.text).collect::<Vec<_>>();
        assert_eq!(texts("local a = 1\n"), texts("-- more\nlocal  a = --[[ x ]] 1 -- y\n"));
        assert_ne!(texts("local a = 1"), texts("local a = 2"));
    }
}
