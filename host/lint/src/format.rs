//! Files of rules laid out in one way, whoever wrote them.

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

/// A file of rules as it should be laid out.
///
/// # Errors
/// When it is no Luau, with the place where that shows.
pub fn formatted(module: &str, file: &str, text: &str) -> Result<String, Fault> {
    shallow(module, file, text)?;
    parsed(module, file, text)?;
    let mut text = text.to_string();
    for _ in 0..MOST_ROUNDS {
        let next = once(module, file, &text)?;
        if next == text {
            break;
        }
        text = next;
    }
    Ok(text)
}

/// The library may break on what its authors did not think of: then the file
/// stays as it is.
fn once(module: &str, file: &str, text: &str) -> Result<String, Fault> {
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
    let message = format!("expected Luau that can be laid out, found otherwise: {words}");
    Err(Fault::new(FaultCode::Syntax, message).at(Place::new(module, file, 0)))
}

/// Whether nothing is deeper within brackets and blocks than the library can go.
fn shallow(module: &str, file: &str, text: &str) -> Result<(), Fault> {
    let (mut depth, mut before) = (0_usize, "");
    // Whether the last `if` is a statement: then so is one behind its `then` or `else`.
    let mut is_statement = false;
    for token in tokens(text).all {
        if token.text == "if" {
            let is_branch = matches!(before, "then" | "else");
            is_statement = begins_statement(before) || is_branch && is_statement;
        }
        match token.text {
            "(" | "[" | "{" | "do" | "function" | "repeat" => depth += 1,
            "if" if is_statement => depth += 1,
            ")" | "]" | "}" | "end" | "until" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_NESTED {
            let message = format!(
                "expected at most {MOST_NESTED} brackets and blocks within each other, found more"
            );
            let place = Place::new(module, file, token.line);
            return Err(Fault::new(FaultCode::Syntax, message).at(place));
        }
        before = token.text;
    }
    Ok(())
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
