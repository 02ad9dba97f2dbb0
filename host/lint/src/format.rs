//! Files of rules laid out in one way, whoever wrote them.

mod left;
mod unchanged;

use std::thread;

use kernel::error::{Fault, FaultCode, Place};
use luau_syntax::parser::{ParseOptions, ParsedSource};
use rules::tokens::tokens;
use stylua_lib::{CallParenType, Config, IndentType, LuaVersion, OutputVerification};

/// Lines are at most this long where they can be broken.
pub const WIDTH: usize = 100;

/// What is laid out is laid out again until it stays as it is; a file that
/// never does is left as it comes out last.
const MOST_ROUNDS: usize = 4;

/// Brackets and blocks within each other, more than anybody writes: the library goes down
/// into each, and each line of a block is moved in.
const MOST_NESTED: usize = 500;

/// Operators in one expression: the library takes time and memory by the square of them.
const MOST_OPERATORS: usize = 500;

/// Of these it takes twice as long for each that lies within another, so that some more
/// would never be done.
const MOST_SUMS: usize = 18;
const MOST_FUNCTIONS: usize = 10;
const MOST_ARROWS: usize = 14;

/// What some editors write before a text, to say that it is UTF-8.
const MARK: &str = "\u{feff}";

/// Bytes of the stack that it gets.
const STACK: usize = 256 << 20;

fn config() -> Config {
    let mut config = Config::new();
    config.syntax = LuaVersion::Luau;
    config.column_width = WIDTH;
    config.indent_type = IndentType::Spaces;
    config.call_parentheses = CallParenType::NoSingleTable;
    config
}

/// A file of rules as it was laid out, and what of it was left as it is.
pub struct LaidOut {
    /// The whole file.
    pub text: String,
    /// For each statement that was left, where and why.
    pub left: Vec<Fault>,
}

/// What stands in the way of laying something out.
struct LayoutObstacle {
    /// In words that follow `found`, or `left as it is:`.
    what: String,
    line: u32,
    column: u32,
    hint: Option<&'static str>,
}

impl LayoutObstacle {
    fn fault(self, module: &str, file: &str, begins: &str) -> Fault {
        let mut place = Place::new(module, file, self.line);
        place.column = self.column;
        let message = format!("{begins} {}", self.what);
        let fault = Fault::new(FaultCode::Syntax, message).at(place);
        self.hint.into_iter().fold(fault, Fault::hint)
    }
}

/// A file of rules as it should be laid out. A mark before the text stays, and lines end as
/// the first one does.
///
/// # Errors
/// When it is no Luau, with the place where that shows, or a comment stands where the library
/// would lose it, or code with it.
pub fn formatted(module: &str, file: &str, text: &str) -> Result<String, Fault> {
    let written = Written::of(text);
    checked(module, file, &written.text)?;
    let text = in_rounds(&written.text).map_err(|obstacle| whole_fault(module, file, obstacle))?;
    Ok(written.again(&text))
}

/// The same for a file that somebody wrote by hand: statements that cannot be laid out stay
/// as they are, with the rest laid out around them.
///
/// # Errors
/// When it is no Luau, with the place where that shows, or cannot be laid out even so.
pub fn laid_out(module: &str, file: &str, text: &str) -> Result<LaidOut, Fault> {
    let written = Written::of(text);
    checked(module, file, &written.text)?;
    let (text, left) = match in_rounds(&written.text) {
        Ok(text) => (text, Vec::new()),
        Err(obstacle) => {
            left::around(&written.text).ok_or_else(|| whole_fault(module, file, obstacle))?
        }
    };
    let fault = |obstacle: LayoutObstacle| obstacle.fault(module, file, "left as it is:");
    Ok(LaidOut {
        text: written.again(&text),
        left: left.into_iter().map(fault).collect(),
    })
}

fn whole_fault(module: &str, file: &str, obstacle: LayoutObstacle) -> Fault {
    obstacle.fault(module, file, "expected a file that can be laid out, found")
}

/// A text as all are laid out, and what it had beside.
struct Written {
    text: String,
    mark: &'static str,
    is_windows: bool,
}

impl Written {
    fn of(text: &str) -> Written {
        let (mark, text) = match text.strip_prefix(MARK) {
            Some(text) => (MARK, text),
            None => ("", text),
        };
        let first = text.split_once('\n');
        Written {
            text: text.replace("\r\n", "\n"),
            mark,
            is_windows: first.is_some_and(|(line, _)| line.ends_with('\r')),
        }
    }

    fn again(&self, text: &str) -> String {
        match self.is_windows {
            true => format!("{}{}", self.mark, text.replace('\n', "\r\n")),
            false => format!("{}{text}", self.mark),
        }
    }
}

fn checked(module: &str, file: &str, text: &str) -> Result<(), Fault> {
    shallow(module, file, text)?;
    parsed(module, file, text)
}

fn in_rounds(text: &str) -> Result<String, LayoutObstacle> {
    let mut text = text.to_string();
    for _ in 0..MOST_ROUNDS {
        let next = once(&text)?;
        if next == text {
            break;
        }
        if let Some(obstacle) = unchanged::lost(&text, &next) {
            return Err(obstacle);
        }
        text = next;
    }
    Ok(text)
}

/// The library may break on what its authors did not think of.
fn once(text: &str) -> Result<String, LayoutObstacle> {
    let work = || stylua_lib::format_code(text, config(), None, OutputVerification::None);
    let laid_out = thread::scope(|scope| {
        let apart = thread::Builder::new().stack_size(STACK);
        apart
            .spawn_scoped(scope, work)
            .map_err(|error| error.to_string())
            .and_then(|apart| {
                apart
                    .join()
                    .map_err(|_| "the library that lays it out broke".to_string())
            })
    });
    let words = match laid_out {
        Ok(Ok(text)) => return Ok(text),
        Ok(Err(error)) => error.to_string(),
        Err(words) => words,
    };
    let (line, column) = place_in(&words);
    Err(LayoutObstacle {
        what: format!(
            "what the library that lays it out does not know: {}",
            first_of(&words)
        ),
        line,
        column,
        hint: None,
    })
}

/// The first thing of which the library complains, without its place.
fn first_of(words: &str) -> String {
    let mut lines = words.lines().map(str::trim);
    let first = lines.clone().find_map(|line| line.strip_prefix("- "));
    let first = first.or_else(|| lines.next()).unwrap_or_default();
    match first.split_once(" (").zip(first.split_once("), ")) {
        Some(((what, _), (_, why))) => format!("{what}, {why}"),
        None => first.to_string(),
    }
}

/// Where the library says that it breaks off: `… (3:10 to 3:11) …`.
fn place_in(words: &str) -> (u32, u32) {
    let number = |text: &str| text.parse::<u32>().ok();
    let numbers = words.split('(').skip(1).find_map(|part| {
        let (line, column) = part.split_once(" to ")?.0.split_once(':')?;
        Some((number(line)?, number(column)?))
    });
    numbers.unwrap_or((0, 0))
}

/// Whether the library can lay a file out in time: it goes down into what lies within
/// something else, and of some of that it goes through all as often as it is deep.
fn shallow(module: &str, file: &str, text: &str) -> Result<(), Fault> {
    let mut nesting = Nesting::default();
    for token in tokens(text).all {
        if let Some((most, what)) = nesting.beyond(token.text) {
            let message = format!("expected at most {most} {what}, found more");
            let place = Place::new(module, file, token.line);
            return Err(Fault::new(FaultCode::Syntax, message).at(place));
        }
    }
    Ok(())
}

/// A bracket or a block that is open, and what has come in it so far.
#[derive(Default)]
struct OpenPart {
    is_function: bool,
    /// The operators of the expression that is not over yet.
    operators: usize,
    /// The arrows of the type that is not over yet.
    arrows: usize,
}

impl OpenPart {
    fn end_expression(&mut self) {
        (self.operators, self.arrows) = (0, 0);
    }
}

/// What lies within what, at some place in a file.
#[derive(Default)]
struct Nesting<'t> {
    open: Vec<OpenPart>,
    /// What is in nothing.
    outside: OpenPart,
    before: &'t str,
    /// Whether the last `if` is a statement: then so is one behind its `then` or `else`.
    is_statement: bool,
}

impl<'t> Nesting<'t> {
    /// Goes on by a token; what there may be so many of, where there are more by now.
    fn beyond(&mut self, token: &'t str) -> Option<(usize, &'static str)> {
        if token == "if" {
            let is_branch = matches!(self.before, "then" | "else");
            self.is_statement = begins_statement(self.before) || is_branch && self.is_statement;
        }
        if token == "do" {
            // What was asked or counted before a block is over where it begins.
            self.part().end_expression();
        }
        match token {
            "(" | "[" | "{" | "do" | "function" | "repeat" => self.enter(token),
            "if" if self.is_statement => self.enter(token),
            ")" | "]" | "}" | "end" | "until" => drop(self.open.pop()),
            _ => {}
        }
        let part = self.part();
        match token {
            "->" => part.arrows += 1,
            "+" | "-" | "*" | "/" | "//" | "%" | "^" | ".." | "#" | "==" | "~=" | "<" | "<="
            | ">" | ">=" | "and" | "or" | "not" => part.operators += 1,
            "," | ";" | "=" | "local" | "return" | "if" | "then" | "else" | "elseif" | "while"
            | "for" | "in" | "type" => part.end_expression(),
            _ => {}
        }
        self.before = token;
        self.too_much()
    }

    fn part(&mut self) -> &mut OpenPart {
        self.open.last_mut().unwrap_or(&mut self.outside)
    }

    fn enter(&mut self, token: &str) {
        self.open.push(OpenPart {
            is_function: token == "function",
            ..OpenPart::default()
        });
    }

    fn too_much(&self) -> Option<(usize, &'static str)> {
        let all = || self.open.iter().chain([&self.outside]);
        let operators = self.open.last().unwrap_or(&self.outside).operators;
        let checks = [
            (
                self.open.len(),
                MOST_NESTED,
                "brackets and blocks within each other",
            ),
            (operators, MOST_OPERATORS, "operators in one expression"),
            (
                all().filter(|part| part.operators > 0).count(),
                MOST_SUMS,
                "expressions with operators within each other",
            ),
            (
                all().filter(|part| part.is_function).count(),
                MOST_FUNCTIONS,
                "functions within each other",
            ),
            (
                all().map(|part| part.arrows).sum(),
                MOST_ARROWS,
                "arrows in one type",
            ),
        ];
        let found = checks.into_iter().find(|(found, most, _)| found > most);
        found.map(|(_, most, what)| (most, what))
    }
}

/// Whether an `if` behind that is a statement for sure, which has an `end`; one that is part
/// of an expression has none.
fn begins_statement(before: &str) -> bool {
    match before {
        "" | ";" | ")" | "]" | "}" | "do" | "repeat" | "end" | "break" | "continue" | "nil"
        | "true" | "false" => true,
        "then" | "else" | "and" | "or" | "not" | "return" | "in" | "if" | "elseif" | "while"
        | "until" => false,
        other => {
            other.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '`'))
        }
    }
}

/// The parser of the checker says where a file breaks off in better words.
fn parsed(module: &str, file: &str, text: &str) -> Result<(), Fault> {
    let parsed = ParsedSource::parse(text, ParseOptions::default()).ok();
    let error = parsed
        .as_ref()
        .and_then(|parsed| parsed.metadata().errors.first());
    match error {
        None => Ok(()),
        Some(error) => {
            let at = error.location.begin;
            let mut place = Place::new(module, file, at.line + 1);
            place.column = at.column + 1;
            Err(Fault::new(FaultCode::Syntax, error.message.to_string()).at(place))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_within_brackets_are_laid_out_or_refused() {
        let nested = |deep: usize| format!("local a = {}1{}\n", "(".repeat(deep), ")".repeat(deep));
        assert!(formatted("m", "x.luau", &nested(MOST_NESTED)).is_ok());
        let fault = formatted("m", "x.luau", &nested(MOST_NESTED + 1)).unwrap_err();
        assert!(fault.message.contains("500 brackets"), "{}", fault.message);
    }

    #[test]
    fn blocks_within_blocks_are_laid_out_or_refused() {
        let nested = |deep: usize| format!("{}{}\n", "do ".repeat(deep), "end ".repeat(deep));
        assert!(formatted("m", "x.luau", &nested(40)).is_ok());
        let fault = formatted("m", "x.luau", &nested(40_000)).unwrap_err();
        assert!(fault.message.contains("500 brackets"), "{}", fault.message);
    }

    const LONG: &str = r#"--!strict
local first = require("@mine").first

--- [bonus] What a unit that has not moved and does not move adds to the number that it needs to hit.
function first.bonus(game: Reads, firer: Unit, target: Unit, range: Length): { steps: Integer, reason: string }
  if firer.has_moved then return { steps = 0, reason = "" } end
    return {steps=1,reason='it stands still'}
end
rules.phase({ root = true })
"#;

    const LAID_OUT: &str = r#"--!strict
local first = require("@mine").first

--- [bonus] What a unit that has not moved and does not move adds to the number that it needs to hit.
function first.bonus(
    game: Reads,
    firer: Unit,
    target: Unit,
    range: Length
): { steps: Integer, reason: string }
    if firer.has_moved then
        return { steps = 0, reason = "" }
    end
    return { steps = 1, reason = "it stands still" }
end
rules.phase { root = true }
"#;

    #[test]
    fn a_file_is_laid_out_and_then_stays_as_it_is() {
        let first = formatted("mine", "rules/first.luau", LONG).unwrap();
        assert_eq!(first, LAID_OUT);
        assert_eq!(
            formatted("mine", "rules/first.luau", &first).unwrap(),
            first
        );
    }

    #[test]
    fn a_long_line_with_whole_division_is_broken() {
        let long = "local x = { a_long_name_of_something // another_long_name + a_third_name_of_something // one_more_name }\n";
        let broken = formatted("mine", "rules/first.luau", long).unwrap();
        assert!(
            broken.lines().all(|line| line.len() <= WIDTH) && broken.contains(" // "),
            "{broken}"
        );
    }

    #[test]
    fn blocks_that_are_nested_without_end_are_refused() {
        for (begins, ends) in [
            ("do ", "end "),
            ("if a then ", "end "),
            ("repeat ", "until a "),
        ] {
            let nested = |times: usize| begins.repeat(times) + &ends.repeat(times);
            let fault = formatted("mine", "rules/first.luau", &nested(20_000)).unwrap_err();
            let words = "expected at most 500 brackets and blocks within each other, found more";
            assert_eq!((fault.code, &*fault.message), (FaultCode::Syntax, words));
            assert!(formatted("mine", "rules/first.luau", &nested(20)).is_ok());
        }
        // What is written one behind the other is not nested, with an `end` or without.
        let rows = "local b = if a then 1 else 2\nif a then print(b) end\n".repeat(600);
        assert!(formatted("mine", "rules/first.luau", &rows).is_ok());
    }

    /// What the library would take minutes for, or all memory, is refused at once.
    #[test]
    fn expressions_without_end_are_refused() {
        let within = |begins: &str, ends: &str, times: usize| {
            format!(
                "local a = {}1{}\n",
                begins.repeat(times),
                ends.repeat(times)
            )
        };
        let arrows = |times: usize| format!("type T = {}number\n", "(number) -> ".repeat(times));
        let mut cases = Vec::new();
        for operator in ["- ", "not ", "1 + ", "1 .. ", "1 ^ ", "1 or "] {
            let most = "500 operators in one expression";
            cases.push((within(operator, "", 20_000), within(operator, "", 50), most));
        }
        let (begins, ends) = ("f(function() return ", " end)");
        cases.push((
            within(begins, ends, 30),
            within(begins, ends, 6),
            "10 functions within each other",
        ));
        cases.push((
            within("(a + ", ")", 30),
            within("(a + ", ")", 12),
            "18 expressions with operators",
        ));
        cases.push((arrows(30), arrows(10), "14 arrows in one type"));
        for (endless, short, most) in cases {
            let fault = formatted("mine", "rules/first.luau", &endless).unwrap_err();
            assert_eq!(fault.code, FaultCode::Syntax);
            assert!(fault.message.contains(most), "{}", fault.message);
            assert!(
                formatted("mine", "rules/first.luau", &short).is_ok(),
                "{short}"
            );
        }
        // What is written one behind the other is in no one expression.
        let rows = "local b = 1 + 2\nb = b - 1\nprint(-b, b * 2)\n".repeat(600);
        assert!(formatted("mine", "rules/first.luau", &rows).is_ok());
    }

    /// What the library would break or lose is refused, with the line of the comment.
    #[test]
    fn no_comment_takes_code_with_it_and_none_is_lost() {
        let swallowed = "a comment in the middle of what it would break";
        let cases = [
            ("local x -- why\n: number = 1\n", 1, swallowed),
            ("local a = b -- why\n    :: any\n", 1, swallowed),
            (
                "local t = {\n    a = b,\n    c --[[why]] = 1,\n}\n",
                3,
                "a comment that would be lost",
            ),
            ("while ( -- why\n    a\n) do\nend\n", 1, swallowed),
            ("type T = {\n    a: -- why\n    number,\n}\n", 2, swallowed),
            ("for i = 1, -- why\n    2 do\nend\n", 1, swallowed),
        ];
        for (text, line, words) in cases {
            let fault = formatted("mine", "rules/first.luau", text).unwrap_err();
            assert!(fault.message.contains(words), "{text}: {}", fault.message);
            assert_eq!(fault.place.clone().unwrap().line, line, "{text}");
        }
        let fault = unchanged::lost("a = 1\n-- why\n-- so\n", "a = 1\n-- so\n");
        let fault = fault.unwrap();
        assert!(fault.what.contains("would be lost"), "{}", fault.what);
        assert_eq!(fault.line, 2);
        assert!(unchanged::lost("a = (b)", "a = b").is_none());
        assert!(unchanged::lost("a = b", "a = c").is_some());
    }

    #[test]
    fn a_comment_within_brackets_keeps_them() {
        for text in [
            "local x = (--[[why]] a)\n",
            "local x = (a --[[why]])\n",
            "if (--[[why]] a) then\nend\n",
            "f(--[[why]] { a = 1 })\n",
        ] {
            let found = formatted("mine", "rules/first.luau", text);
            assert!(
                found.as_ref().is_ok_and(|found| found.contains("why")),
                "{text} {found:?}"
            );
        }
    }

    #[test]
    fn a_file_of_windows_stays_one() {
        let text = "\u{feff}--!strict\r\nlocal x   = [[a\r\nb]]\r\n-- c\r\n";
        let found = formatted("mine", "rules/first.luau", text).unwrap();
        assert_eq!(found, text.replace("   ", " "));
        assert_eq!(formatted("mine", "rules/first.luau", &found), Ok(found));
        let mixed = formatted("mine", "rules/first.luau", "local x = 1\nlocal y = 2\r\n");
        assert_eq!(mixed.as_deref(), Ok("local x = 1\nlocal y = 2\n"));
    }

    /// Between all words of all sorts of statements: a comment is kept, with the code
    /// around it, or the file is refused; and what is laid out stays as it is.
    #[test]
    fn comments_anywhere_are_kept_or_refused() {
        let tokens = tokens(HOSTILE).all;
        let (mut kept, mut refused) = (0, 0);
        for token in &tokens {
            let at = token.text.as_ptr().addr() - HOSTILE.as_ptr().addr();
            for comment in [" --[[ why ]] ", " -- why\n", "\n\n-- why\n\n"] {
                let text = format!("{}{comment}{}", &HOSTILE[..at], &HOSTILE[at..]);
                match formatted("mine", "rules/first.luau", &text) {
                    Ok(found) => {
                        kept += 1;
                        assert_eq!(found.matches("why").count(), 1, "{found}");
                        assert!(unchanged::lost(&text, &found).is_none(), "{found}");
                        let again = formatted("mine", "rules/first.luau", &found);
                        assert_eq!(again.as_deref(), Ok(&*found));
                    }
                    Err(fault) => {
                        refused += 1;
                        assert_eq!(fault.code, FaultCode::Syntax);
                        assert_ne!(fault.place.clone().unwrap().line, 0, "{text}");
                    }
                }
            }
        }
        assert!(kept > 2 * refused, "{kept} kept, {refused} refused");
    }

    /// What the library cannot lay out is left, and nothing else: a list in brackets with
    /// a comment in it, within a function or alone, and attributes with arguments.
    #[test]
    fn what_cannot_be_laid_out_is_left_with_the_rest_laid_out_around_it() {
        let text = "local   a = ( -- why\n  1\n)\n\n-- Old.\n@[deprecated {reason = 'old'}]\nfunction m.f()\nend\n\nfunction m.g(x)\n  local y = ( -- why\n   x )\n  return   y\nend\nlocal   z = 1\n";
        let laid = laid_out("mine", "rules/first.luau", text).unwrap();
        assert_eq!(
            laid.text,
            "local   a = ( -- why\n  1\n)\n\n-- Old.\n@[deprecated {reason = 'old'}]\nfunction m.f()\nend\n\nfunction m.g(x)\n    local y = ( -- why\n   x )\n    return y\nend\nlocal z = 1\n"
        );
        let left: Vec<(u32, &str)> = laid
            .left
            .iter()
            .map(|fault| (fault.place.as_ref().unwrap().line, &*fault.message))
            .collect();
        let comment = "left as it is: a comment in the middle of what it would break";
        let attribute = "left as it is: what the library that lays it out does not know: unexpected token `[`, expected identifier after `@`";
        assert_eq!(left, [(1, comment), (6, attribute), (11, comment)]);
        let again = laid_out("mine", "rules/first.luau", &laid.text).unwrap();
        assert_eq!(again.text, laid.text);
        assert_eq!(again.left.len(), 3);
    }

    #[test]
    fn of_a_file_that_can_be_laid_out_nothing_is_left() {
        let laid = laid_out("mine", "rules/first.luau", LONG).unwrap();
        assert_eq!((laid.text.as_str(), laid.left.len()), (LAID_OUT, 0));
    }

    const HOSTILE: &str = r#"local x: number, y = { ["a"] = 1, b = 2; 3 }, nil
local function f<T, U...>(a: T, ...: number): (T, ...any) return a, ... end
for i = 1, 10 do if i == 3 then continue end x += -i end
for k, v: number in pairs(t) do t.a[k] //= v break end
while a and not b do repeat local q = (a) until q == 1 end
if a then b() elseif (c) then d() else e:f "g" end
local v = if a then b elseif c then d else (f :: any)
type A<T = number> = { read x: T, [number]: string? } | nil | ("lit" & "b") | (a: number) -> ...boolean
return `a {b} c`, g { 1 }, function(n) return n .. "x" end, (#y ^ 2)
"#;

    #[test]
    fn a_file_that_is_no_luau_is_told_with_its_line() {
        let fault =
            formatted("mine", "rules/first.luau", "local a = 1\nlocal b = = 2\n").unwrap_err();
        let place = fault.place.clone().unwrap();
        assert_eq!(
            (fault.code, place.line, &*place.file),
            (FaultCode::Syntax, 2, "rules/first.luau")
        );
    }
}
