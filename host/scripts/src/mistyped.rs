//! What somebody meant who writes Luau as other languages are written.

use kernel::error::{Fault, FaultCode};

/// A fault of a file that is no Luau, with what was meant, where that shows.
pub(crate) fn with_meaning(fault: Fault, source: &str) -> Fault {
    if fault.code != FaultCode::Syntax || fault.hint.is_some() {
        return fault;
    }
    let line = fault.place.as_ref().map_or(0, |place| place.line);
    let hint = match fault.message.starts_with("expected 'end'") {
        true => else_if(source, &fault.message),
        false => of_line(line_of(source, line), &fault.message).map(str::to_string),
    };
    hint.into_iter().fold(fault, Fault::hint)
}

fn line_of(source: &str, line: u32) -> &str {
    let before = (line as usize).saturating_sub(1);
    source.lines().nth(before).unwrap_or_default()
}

/// What a line means that breaks off in it.
fn of_line(line: &str, message: &str) -> Option<&'static str> {
    let breaks_at = |sign: &str| message.ends_with(&format!("got '{sign}'"));
    let is_incomplete = message.starts_with("incomplete statement");
    if line.contains("++") && (is_incomplete || breaks_at("+")) {
        Some("nothing counts up by itself: `x += 1`")
    } else if is_incomplete && counts_down(line) {
        Some("`--` begins a comment; to count down, `x -= 1`")
    } else if breaks_at("?") {
        Some("a choice between two values: `if a then b else c`")
    } else if breaks_at("{") && (message.contains("'then'") || message.contains("'do'")) {
        Some("a block has no braces: `if a then … end`, `for … do … end`")
    } else if message.contains("when parsing function call") && breaks_at(",") {
        Some("types stand where a function is defined, not where it is called: `f(game, unit)`")
    } else if breaks_at("=") && message.contains("'then'") {
        Some("`==` compares")
    } else {
        None
    }
}

/// Whether a line is a name with `--` right behind it.
fn counts_down(line: &str) -> bool {
    let name = line.split("--").next().unwrap_or_default();
    name.len() < line.len()
        && name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']'))
}

/// An `else if` that has no `end` of its own: the one that Luau names, else the first.
fn else_if(source: &str, message: &str) -> Option<String> {
    let named = message.rsplit_once("at line ")?.1;
    let digits = named.split(|c: char| !c.is_ascii_digit()).next();
    let named = digits
        .and_then(|digits| digits.parse().ok())
        .filter(|line| is_else_if(line_of(source, *line)));
    let first = || source.lines().position(is_else_if).map(|at| at as u32 + 1);
    let line = named.or_else(first)?;
    Some(format!(
        "line {line}: `else if` begins an `if` that needs an `end` of its own; `elseif` goes on with the one before"
    ))
}

fn is_else_if(line: &str) -> bool {
    let code = line.split("--").next().unwrap_or_default();
    let mut words = code.split_whitespace();
    words.any(|word| word == "else") && words.next() == Some("if")
}
