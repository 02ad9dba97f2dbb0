//! What is wrong with the text of a RON file, for people who write data: what reads
//! it speaks of structs, tuples and limits of a program.

use ron::Error;

/// So deep values may be nested.
const DEEPEST: usize = 128;

/// What was expected, and what was found.
pub(super) fn message_of(error: &Error) -> String {
    match error {
        Error::NoSuchStructField {
            expected, found, ..
        } => format!(
            "expected one of {}, found the unknown field `{found}`",
            list(expected)
        ),
        Error::NoSuchEnumVariant {
            expected, found, ..
        } => format!("expected one of {}, found `{found}`", list(expected)),
        Error::MissingStructField { field, .. } => {
            format!("expected the field `{field}`, found none")
        }
        Error::DuplicateStructField { field, .. } => {
            format!("expected the field `{field}` once, found it twice")
        }
        Error::InvalidValueForType { expected, found } => {
            format!("expected {}, found {}", wanted(expected), there(found))
        }
        Error::ExpectedDifferentLength { expected, found } => {
            format!("expected {}, found {found}", wanted(expected))
        }
        Error::ExpectedNamedStructLike(name) => format!("expected {}", record(name)),
        Error::ExpectedStructName(name) => format!("expected {}", record(name)),
        Error::ExpectedDifferentStructName { expected, found } => {
            format!("expected {}, found `{found}`", record(expected))
        }
        Error::Eof => "expected more, found the end of the file".into(),
        Error::InvalidIdentifier(found) | Error::SuggestRawIdentifier(found) => {
            format!("expected a name, found `{found}`")
        }
        Error::UnexpectedChar(found) => format!("expected a value, found `{found}`"),
        Error::ExceededRecursionLimit => {
            format!("expected values nested at most {DEEPEST} deep, found more")
        }
        other => plain(other).map_or_else(|| in_lower_case(&other.to_string()), str::to_string),
    }
}

/// The same where nothing in it is of the file.
fn plain(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::ExpectedArray => "expected a list, `[…]`",
        Error::ExpectedArrayEnd => "expected a `]`, which closes the list",
        Error::ExpectedBoolean => "expected `true` or `false`",
        Error::ExpectedChar => "expected a text in double quotes",
        Error::ExpectedComma => "expected a comma",
        Error::ExpectedMap => "expected a map, `{…}`",
        Error::ExpectedMapColon => "expected a colon",
        Error::ExpectedMapEnd => "expected a `}`, which closes the map",
        Error::ExpectedFloat => "expected a number",
        Error::ExpectedStructLike => "expected a record, `(…)`",
        Error::ExpectedStructLikeEnd => "expected a `)`, which closes the record",
        Error::ExpectedInteger => "expected a whole number",
        Error::ExpectedString => "expected a text in quotes",
        Error::ExpectedIdentifier => "expected a name",
        Error::ExpectedUnit => "expected `()`",
        Error::ExpectedRawValue => "expected a value",
        Error::UnclosedLineComment => "expected an end of the line behind the comment",
        Error::TrailingCharacters => "expected the end, found more",
        _ => return None,
    })
}

/// What helps there, by how people write who are used to other languages; the line is
/// parted where it shows.
pub(super) fn hint_of(error: &Error, (before, rest): (&str, &str)) -> Option<&'static str> {
    let rest = rest.trim_start();
    // `title: My` with more words behind it.
    let value = before.rsplit(':').next().unwrap_or_default().trim();
    let is_bare = before.contains(':') && value.starts_with(char::is_alphabetic);
    if rest.starts_with("--") || rest.starts_with('#') || before.trim() == "#" {
        return Some("a comment begins with `//`");
    }
    Some(match error {
        Error::ExpectedChar => "a text stands in double quotes: `\"…\"`",
        Error::ExpectedString if rest.starts_with('\'') => {
            "a text stands in double quotes: `\"…\"`"
        }
        // `0.1.0`, which begins like a number.
        Error::ExpectedFloat => "a text stands in quotes: `\"…\"`",
        Error::ExpectedMapColon | Error::ExpectedComma if rest.starts_with('=') => {
            "a colon stands between a field and its value: `id: \"…\"`"
        }
        Error::ExpectedIdentifier if rest.starts_with('"') => {
            "a name, and a word that is chosen, stand without quotes: `effect: Changes`"
        }
        Error::ExpectedComma if rest.starts_with(':') && before.ends_with('"') => {
            "a name, and a word that is chosen, stand without quotes: `effect: Changes`"
        }
        Error::ExpectedComma if is_bare => {
            "a comma is missing before this, or quotes around the whole text"
        }
        Error::ExpectedComma | Error::ExpectedStringEnd => {
            "a comma is missing before this, or a `\"` that closes the text before it"
        }
        _ => return None,
    })
}

fn in_lower_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    let first: String = first.collect();
    format!("{first}{}", letters.as_str().trim_end_matches('.'))
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// A record by the name that is written before it, if one is.
fn record(name: &str) -> String {
    match name.is_empty() || name.starts_with("Raw") {
        true => "a record, `(…)`".into(),
        false => format!("`{name}(…)`"),
    }
}

/// What was expected, where that is told by the type that it would have become.
fn wanted(expected: &str) -> String {
    if let Some(rest) = ["struct ", "tuple struct ", "newtype struct "]
        .iter()
        .find_map(|words| expected.strip_prefix(words))
    {
        return record(rest.split(' ').next().unwrap_or_default());
    }
    if let Some(size) = expected.strip_prefix("a tuple of size ") {
        return format!("{size} values, `(…)`");
    }
    match expected {
        "a string" | "string" => "a text in quotes".into(),
        "a boolean" | "bool" => "`true` or `false`".into(),
        "a sequence" => "a list, `[…]`".into(),
        "option" => "a value".into(),
        "unit" => "`()`".into(),
        "i64" => "a whole number".into(),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => "a whole number from 0 on".into(),
        "i8" | "i16" | "i32" | "isize" => "a whole number that is not as large".into(),
        words if words.starts_with("enum ") || words.ends_with(" identifier") => "a name".into(),
        words => words.into(),
    }
}

/// What was found.
fn there(found: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("the unsigned integer ", "the number "),
        ("the signed integer ", "the number "),
        ("the floating point number ", "the decimal "),
        ("the string ", "the text "),
        ("the UTF-8 character ", "the letter "),
        ("the boolean ", ""),
    ];
    for (words, ours) in WORDS {
        if let Some(rest) = found.strip_prefix(words) {
            return format!("{ours}{rest}");
        }
    }
    match found {
        "a unit value" => "a bare name or `()`".into(),
        "an optional value" => "`Some(…)`".into(),
        "a sequence" => "a list".into(),
        "a newtype struct" => "a record".into(),
        words if words == "an enum" || words.ends_with(" variant") => "a name".into(),
        words => words.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Data;
    use super::*;

    fn faults_of(text: &str) -> Vec<String> {
        let files = [("data/x.ron", text)];
        let faults = Data::read("m", files.into_iter()).unwrap_err();
        faults
            .into_iter()
            .map(|fault| fault.into_message())
            .collect()
    }

    #[test]
    fn no_type_of_the_program_is_named() {
        let kind = |attribute: &str| {
            format!(
                "[Kind(id: \"m.unit\", attributes: [(name: \"a\", type: \"integer\", {attribute})])]"
            )
        };
        let deep = format!("default: {}1{}", "[".repeat(200), "]".repeat(200));
        let cases = [
            (kind("until: \"m.phase\""), "expected a record, `(…)`"),
            (
                kind("until: Until(begins: \"m.phase\")"),
                "expected a record, `(…)`",
            ),
            (
                kind(&deep),
                "expected values nested at most 128 deep, found more",
            ),
            (kind("doc: 3"), "expected a text in quotes"),
            (kind("bookkeeping: 1"), "expected `true` or `false`"),
        ];
        for (text, message) in cases {
            let told = faults_of(&text).join("; ");
            assert!(told.starts_with(message), "{text}: {told}");
            let foreign = ["Raw", "struct", "ron::", "recursion"];
            assert!(!foreign.iter().any(|word| told.contains(word)), "{told}");
        }
    }

    #[test]
    fn habits_of_other_languages_are_told_with_the_way_it_is_written_here() {
        let cases = [
            ("[# one", "a comment begins with `//`"),
            ("# one", "a comment begins with `//`"),
            ("[Pot(id: \"m.a.b\", -- one", "a comment begins with `//`"),
            (
                "[Pot(id: 'm.a.b'",
                "a text stands in double quotes: `\"…\"`",
            ),
        ];
        for (text, hint) in cases {
            let files = [("data/x.ron", text)];
            let faults = Data::read("m", files.into_iter()).unwrap_err();
            let told = faults[0].hint.clone().unwrap_or_default();
            assert!(told.contains(hint), "{text}: {told} {:?}", faults[0]);
            assert!(!faults[0].message.contains("r#"), "{:?}", faults[0]);
        }
        let others = [
            (
                Error::ExpectedMapColon,
                ("    id ", "= \"m\","),
                "a colon stands between",
            ),
            (
                Error::ExpectedComma,
                ("[Pot(id ", "= \"m\","),
                "a colon stands between",
            ),
            (
                Error::ExpectedIdentifier,
                ("    effect: ", "\"Adds\","),
                "without quotes",
            ),
            (
                Error::ExpectedComma,
                ("[Pot(\"id\"", ": \"m\","),
                "without quotes",
            ),
            (
                Error::ExpectedComma,
                ("    title: My ", "rules,"),
                "quotes around the whole text",
            ),
            (
                Error::ExpectedComma,
                ("    ", "title: \"M\","),
                "a comma is missing before this, or a",
            ),
            (
                Error::ExpectedFloat,
                ("    version: ", "0.1.0,"),
                "a text stands in quotes",
            ),
        ];
        for (error, line, hint) in others {
            let told = hint_of(&error, line).unwrap_or_default();
            assert!(told.contains(hint), "{error:?} {line:?}: {told}");
        }
    }

    #[test]
    fn what_would_have_become_something_is_told_as_it_is_written() {
        assert_eq!(wanted("struct RawUntil"), "a record, `(…)`");
        assert_eq!(wanted("struct Mod with 3 elements"), "`Mod(…)`");
        assert_eq!(wanted("a tuple of size 2"), "2 values, `(…)`");
        assert_eq!(wanted("u8"), "a whole number from 0 to 255");
        assert_eq!(there("the unsigned integer `300`"), "the number `300`");
        assert_eq!(there("the boolean `true`"), "`true`");
        assert_eq!(there("a unit value"), "a bare name or `()`");
    }
}
