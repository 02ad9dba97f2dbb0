//! The words of a rules file: enough of Luau to tell its statements apart.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name that is no keyword.
    Name,
    /// A keyword.
    Keyword,
    /// A text, of whatever spelling.
    Text,
    /// A text with expressions in it.
    Interpolated,
    /// A number.
    Number,
    /// Anything else.
    Sign,
}

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub sort: TokenKind,
    /// As it is written.
    pub text: &'a str,
    /// From 1.
    pub line: u32,
    /// Whether it begins in the first column, or a declaration made for the file.
    pub is_first: bool,
}

/// The comment before what is declared for a file that does not do so itself:
/// each of these declarations counts as one in the first column.
pub const NAMES_MARK: &str = "--[[names]]";

/// The comment behind them where the file goes on with code.
pub const NAMES_END: &str = "--[[/names]]";

/// How much of a line was declared for the file, before what its author wrote.
pub fn declared_before(line: &str) -> usize {
    if !line.starts_with(NAMES_MARK) {
        return 0;
    }
    if let Some(place) = line.find(NAMES_END) {
        return place + NAMES_END.len();
    }
    // What was declared stands before the first comment, or in a blank line.
    let declared = &line[NAMES_MARK.len()..];
    NAMES_MARK.len() + declared.find("--").unwrap_or(declared.len())
}

/// The tokens of a file.
pub struct Tokens<'a> {
    /// All of them, in order.
    pub all: Vec<Token<'a>>,
    /// Comments that steer the compiler.
    pub steering: Vec<&'a str>,
    /// Whether every text and comment came to its end.
    pub is_whole: bool,
}

fn is_keyword(word: &str) -> bool {
    match word.len() {
        2 => matches!(word, "do" | "if" | "in" | "or"),
        3 => matches!(word, "and" | "end" | "for" | "nil" | "not"),
        4 => matches!(word, "else" | "then" | "true"),
        5 => matches!(word, "break" | "false" | "local" | "until" | "while"),
        6 => matches!(word, "elseif" | "repeat" | "return"),
        8 => word == "function",
        _ => false,
    }
}

/// Signs of more than one letter, the longest first.
const SIGNS: [&str; 20] = [
    "//=", "...", "..=", "==", "~=", "<=", ">=", "..", "::", "->", "+=", "-=", "*=", "/=", "%=",
    "^=", "//", "=>", "&=", "|=",
];

/// Reads a file.
pub fn tokens(source: &str) -> Tokens<'_> {
    let mut lexer = Lexer {
        source,
        at: 0,
        line: 1,
        line_start: 0,
        names_line: 0,
    };
    // There is about one token for so many bytes.
    let all = Vec::with_capacity(source.len() / 6);
    let mut found = Tokens {
        all,
        steering: Vec::new(),
        is_whole: true,
    };
    while lexer.next(&mut found) {}
    found
}

/// The names in the expressions of an interpolated text, and for want of a
/// better look the words around them.
pub fn words_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word_letter(c))
        .filter(|word| !word.is_empty())
}

const fn is_word_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Which bytes are letters of words: asked of each letter of each file.
const WORD_LETTERS: [bool; 256] = {
    let mut letters = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        letters[byte] = is_word_letter(byte as u8 as char);
        byte += 1;
    }
    letters
};

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    /// The line of declarations that others have made.
    names_line: u32,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// Passes over so many bytes.
    fn pass(&mut self, bytes: usize) -> &'a str {
        let end = (self.at + bytes).min(self.source.len());
        let passed = self.source.get(self.at..end).unwrap_or_default();
        for (place, _) in passed.match_indices('\n') {
            self.line += 1;
            self.line_start = self.at + place + 1;
        }
        self.at = end;
        passed
    }

    /// Passes over what is all in one line.
    fn pass_within(&mut self, bytes: usize) -> &'a str {
        let passed = self
            .source
            .get(self.at..self.at + bytes)
            .unwrap_or_default();
        self.at += bytes;
        passed
    }

    /// Passes over what is blank.
    fn pass_blank(&mut self) {
        while let Some(byte) = self.source.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                }
                b'!'..=b'~' => return,
                // Blanks of other sorts are rare.
                _ => {
                    let rest = self.rest();
                    let length = rest.len() - rest.trim_start().len();
                    self.pass(length);
                    if length == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// Reads one token or comment; whether there was any.
    fn next(&mut self, found: &mut Tokens<'a>) -> bool {
        self.pass_blank();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        let (line, is_first) = (self.line, self.at == self.line_start);
        if rest.starts_with("--") {
            let (length, is_whole) = comment(rest);
            found.is_whole &= is_whole;
            let text = self.pass(length);
            if text.starts_with("--!") {
                found.steering.push(text.trim_end());
            } else if text == NAMES_MARK {
                self.names_line = line;
            } else if text == NAMES_END {
                // What follows stands where its author put it.
                (self.names_line, self.line_start) = (0, self.at);
            }
            return true;
        }
        let (sort, length, is_whole) = token(rest, first);
        found.is_whole &= is_whole;
        let is_short = matches!(
            sort,
            TokenKind::Name | TokenKind::Keyword | TokenKind::Number | TokenKind::Sign
        );
        let text = if is_short {
            self.pass_within(length)
        } else {
            self.pass(length)
        };
        let is_first = is_first || line == self.names_line && matches!(text, "local" | "type");
        found.all.push(Token {
            sort,
            text,
            line,
            is_first,
        });
        true
    }
}

/// How long a comment is, and whether it ends.
pub(crate) fn comment(rest: &str) -> (usize, bool) {
    if let Some(length) = rest.get(2..).and_then(long_text) {
        return (
            length.map_or(rest.len(), |length| length + 2),
            length.is_some(),
        );
    }
    (rest.find('\n').unwrap_or(rest.len()), true)
}

/// How long a text in long brackets is, if one begins here and if it ends.
fn long_text(rest: &str) -> Option<Option<usize>> {
    let inner = rest.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    inner.get(level..)?.strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    Some(rest.find(&close).map(|place| place + close.len()))
}

/// Sort and length of the token that begins here, and whether it ends.
fn token(rest: &str, first: char) -> (TokenKind, usize, bool) {
    if first.is_ascii_alphabetic() || first == '_' {
        let is_over = |byte: &u8| !WORD_LETTERS[usize::from(*byte)];
        let length = rest
            .as_bytes()
            .iter()
            .position(is_over)
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let sort = if is_keyword(word) {
            TokenKind::Keyword
        } else {
            TokenKind::Name
        };
        return (sort, length, true);
    }
    if first.is_ascii_digit() {
        let is_part = |c: char| is_word_letter(c) || c == '.';
        let mut length = 0;
        let mut before = ' ';
        for c in rest.chars() {
            let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
            // `1..n` is no number with two points.
            let is_range = c == '.'
                && rest
                    .get(length..)
                    .is_some_and(|rest| rest.starts_with(".."));
            if (!is_part(c) && !is_sign) || is_range {
                break;
            }
            before = c;
            length += c.len_utf8();
        }
        return (TokenKind::Number, length, true);
    }
    match first {
        '"' | '\'' => quoted(rest, first),
        '`' => interpolated(rest),
        '[' => match long_text(rest) {
            Some(length) => (
                TokenKind::Text,
                length.unwrap_or(rest.len()),
                length.is_some(),
            ),
            None => (TokenKind::Sign, 1, true),
        },
        '(' | ')' | '{' | '}' | ']' | ',' | ';' => (TokenKind::Sign, 1, true),
        _ => (TokenKind::Sign, sign(rest, first), true),
    }
}

/// How long the sign is that begins here.
fn sign(rest: &str, first: char) -> usize {
    // What stands second in some sign of more than one letter.
    let is_longer = matches!(
        rest.as_bytes().get(1),
        Some(b'=' | b'.' | b'/' | b':' | b'>')
    );
    let is_sign = |sign: &&&str| sign.starts_with(first) && rest.starts_with(**sign);
    let longer = || SIGNS.iter().find(is_sign);
    is_longer
        .then(longer)
        .flatten()
        .map_or(first.len_utf8(), |sign| sign.len())
}

fn quoted(rest: &str, quote: char) -> (TokenKind, usize, bool) {
    let mut chars = rest.char_indices().skip(1);
    while let Some((place, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => break,
            c if c == quote => return (TokenKind::Text, place + 1, true),
            _ => {}
        }
    }
    (TokenKind::Text, rest.len(), false)
}

/// A text with expressions in braces, in which there may be texts again, as deep as anybody likes.
fn interpolated(rest: &str) -> (TokenKind, usize, bool) {
    let mut at = 1;
    let mut depth = 0u32;
    // How many braces were open in the texts around this one.
    let mut around = Vec::new();
    while let Some(c) = rest.get(at..).and_then(|rest| rest.chars().next()) {
        let inner = rest.get(at..).unwrap_or_default();
        at += match (c, depth) {
            ('\\', 0) => 1 + inner.chars().nth(1).map_or(0, char::len_utf8),
            ('"' | '\'', 1..) => quoted(inner, c).1,
            _ => c.len_utf8(),
        };
        match (c, depth) {
            ('`', 0) => match around.pop() {
                Some(outer) => depth = outer,
                None => return (TokenKind::Interpolated, at, true),
            },
            ('`', _) => around.push(std::mem::take(&mut depth)),
            ('{', _) => depth += 1,
            ('}', 1..) => depth -= 1,
            _ => {}
        }
    }
    (TokenKind::Interpolated, rest.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).all.iter().map(|token| token.text).collect()
    }

    #[test]
    fn texts_in_texts_may_be_as_deep_as_anybody_likes() {
        let deep = 100_000;
        let source = format!("{}1{} x", "`{".repeat(deep), "}`".repeat(deep));
        let found = tokens(&source);
        assert!(found.is_whole);
        assert_eq!((found.all.len(), found.all[1].text), (2, "x"));
        assert!(!tokens(&"`{".repeat(deep)).is_whole);
        assert!(!tokens(&format!("`{{{}", "`}".repeat(deep))).is_whole);
    }

    #[test]
    fn a_file_comes_apart_into_tokens() {
        assert_eq!(
            texts("local a = 1.5e-3 -- b\nreturn a..\"x\\\"y\"--[[ c\n ]]+2"),
            [
                "local",
                "a",
                "=",
                "1.5e-3",
                "return",
                "a",
                "..",
                "\"x\\\"y\"",
                "+",
                "2"
            ]
        );
        assert_eq!(
            texts("f`a {g(\"}\")} {`b{c}`}` 1..n"),
            ["f", "`a {g(\"}\")} {`b{c}`}`", "1", "..", "n"]
        );
        assert_eq!(
            texts("x = [==[ ]] ]==] y[1]"),
            ["x", "=", "[==[ ]] ]==]", "y", "[", "1", "]"]
        );
    }

    #[test]
    fn lines_and_columns_are_told() {
        let found = tokens("a\n  b\n--!strict\n[[\n]] c\nd");
        let all: Vec<(&str, u32, bool)> = found
            .all
            .iter()
            .map(|token| (token.text, token.line, token.is_first))
            .collect();
        assert_eq!(
            all,
            [
                ("a", 1, true),
                ("b", 2, false),
                ("[[\n]]", 4, true),
                ("c", 5, false),
                ("d", 6, true)
            ]
        );
        assert_eq!(found.steering, ["--!strict"]);
        assert!(found.is_whole);
        assert!(
            !tokens("\"abc\nd").is_whole && !tokens("--[[ x").is_whole && !tokens("`a{b").is_whole
        );
    }
}
