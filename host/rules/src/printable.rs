//! Text from outside made fit to be shown: what a mod, a scenario, a player or
//! the system wrote may not steer a terminal, turn the direction of reading, or
//! hide letters.
//!
//! Text stays as it is wherever it is data: in the game, in records, in what
//! programs are given. It is made printable where it is shown, and by these
//! functions alone: by whoever prints to a terminal, draws a picture, writes a
//! report or a log. What cannot be shown is written as its number, such as
//! `\u{1b}`, so that whoever wrote it can find it.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A tab where lines are meant.
const TAB: &str = "    ";

/// A text on one line: what would end the line is a space.
pub fn line(text: &str) -> Cow<'_, str> {
    cleaned(text, " ", " ")
}

/// A text of several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    cleaned(text, "\n", TAB)
}

/// A text on one line, for SVG and HTML: within an element, or within quotes.
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in line(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

/// JSON that can be looked at: what cannot be shown is escaped, which changes
/// nothing of what the JSON says. Only line breaks between values stay.
pub fn json(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|letter| letter != '\n' && is_hidden(letter))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '\n' || !is_hidden(letter) {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

/// The beginning of a text, in at most so many letters, and how long the whole
/// of it is.
pub fn clipped(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let all = most + text[end..].chars().count();
            Cow::Owned(format!("{}… ({all} letters)", &text[..end]))
        }
    }
}

/// A text with what goes past so many letters left out.
pub fn cut_off(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// How many columns of a terminal a text takes: letters of Chinese and Japanese, and
/// most pictures, take two, marks over others none.
pub fn width(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.width(),
    }
}

/// A text with spaces after it, up to so many columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Text in rows of at most so many columns, broken between words; at least one row. A longer word is a row of its own,
/// unless it is of letters between which a row may end anywhere.
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    if width(text) <= room {
        return vec![text.to_string()];
    }
    let mut rows: Vec<String> = Vec::new();
    let mut row = String::new();
    for word in text.split(' ') {
        if !row.is_empty() && width(&row) + 1 + width(word) > room {
            rows.push(std::mem::take(&mut row));
        }
        if !row.is_empty() {
            row.push(' ');
        }
        row.push_str(word);
        while let Some(end) = end_of_row(&row, room) {
            let rest = row.split_off(end);
            rows.push(std::mem::replace(&mut row, rest));
        }
    }
    rows.push(row);
    rows
}

/// Where a row that is too long may end within a word, beside a wide letter; none
/// where it fits, or has no such place.
fn end_of_row(row: &str, room: usize) -> Option<usize> {
    if row.is_ascii() || width(row) <= room {
        return None;
    }
    let is_wide = |letter: char| letter.width() == Some(2);
    let mut before = ' ';
    let mut end = None;
    for (place, letter) in row.char_indices() {
        if place > 0 && width(&row[..place]) > room {
            break;
        }
        // What takes no column belongs to the letter before it, and what follows a joiner too.
        let is_own = letter.width() != Some(0) && before.width() != Some(0);
        if place > 0 && is_own && (is_wide(before) || is_wide(letter)) {
            end = Some(place);
        }
        before = letter;
    }
    end
}

/// So many of something, in words that people say.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}

/// Text without anything that would end a line or steer a terminal.
pub fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
                ' '
            } else {
                c
            }
        })
        .collect()
}

fn cleaned<'a>(text: &'a str, line_break: &str, tab: &str) -> Cow<'a, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => out.push_str(line_break),
            '\t' => out.push_str(tab),
            letter if is_hidden(letter) && !is_joined(before, letter) => {
                let _ = write!(out, "{}", letter.escape_unicode());
            }
            letter => out.push(letter),
        }
        before = letter;
    }
    Cow::Owned(out)
}

/// Whether a letter shows nothing of itself, or steers what shows others:
/// control characters, marks of direction, what Unicode lets a printer ignore,
/// ends of lines and paragraphs, what is no character.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || (!letter.is_ascii()
            && matches!(letter,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
            || u32::from(letter) & 0xfffe == 0xfffe)
}

/// Whether a joiner or the choice of a variant does its work after a letter:
/// Persian, the scripts of India and emoji are not written without them. After
/// an ASCII letter, or after another of them, they only hide.
fn is_joined(before: char, letter: char) -> bool {
    let is_variant = |letter| matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    match letter {
        '\u{200c}' | '\u{200d}' => !before.is_ascii() && (!is_hidden(before) || is_variant(before)),
        letter if is_variant(letter) => !before.is_ascii() && !is_hidden(before),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_steers_is_written_as_its_number() {
        for (text, shown) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{7f}", "\\u{7f}"),
            (
                "a\u{202e}b\u{2066}c\u{200f}d\u{61c}",
                "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}",
            ),
            (
                "ad\u{200b}min ad\u{200d}min \u{feff}",
                "ad\\u{200b}min ad\\u{200d}min \\u{feff}",
            ),
            (
                "one\r\ntwo\nthree\tfour\rfive",
                "one two three four\\u{d}five",
            ),
            (
                "\u{2028}\u{85}\u{fdd0}\u{ffff}\u{e0041}",
                "\\u{2028}\\u{85}\\u{fdd0}\\u{ffff}\\u{e0041}",
            ),
            ("שלום, Füße, 戦車", "שלום, Füße, 戦車"),
        ] {
            assert_eq!(line(text), shown);
        }
        assert_eq!(lines("one\r\n\ttwo\u{1b}"), "one\n    two\\u{1b}");
    }

    #[test]
    fn scripts_and_emoji_that_need_joiners_keep_them() {
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}🚀",
            "❤\u{fe0f}\u{200d}🔥",
        ] {
            assert_eq!(line(text), text);
        }
        assert_eq!(
            line("戦\u{200d}\u{200d}\u{200d}"),
            "戦\u{200d}\\u{200d}\\u{200d}"
        );
    }

    #[test]
    fn markup_is_text_wherever_it_stands() {
        assert_eq!(
            markup("</title><script>alert('1')</script>\" onload=\"&\u{1b}"),
            "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=&quot;&amp;\\u{1b}"
        );
    }

    #[test]
    fn a_long_text_says_how_long_it_is() {
        assert_eq!(clipped("short", 5), "short");
        assert_eq!(clipped("löng", 2), "lö… (4 letters)");
    }

    #[test]
    fn wide_letters_take_two_columns() {
        for (text, columns) in [
            ("tank", 4),
            ("戦車", 4),
            ("Füße", 4),
            ("e\u{301}", 1),
            ("👩\u{200d}🚀", 2),
            ("—…²", 3),
        ] {
            assert_eq!(width(text), columns, "{text}");
        }
        assert_eq!(padded("戦車", 6), "戦車  ");
        assert_eq!(padded("戦車小隊", 6), "戦車小隊");
    }

    #[test]
    fn rows_end_between_words_and_beside_wide_letters() {
        assert_eq!(wrapped("two elements move", 12), ["two elements", "move"]);
        assert_eq!(
            wrapped("unbreakable as it is", 6),
            ["unbreakable", "as it", "is"]
        );
        assert_eq!(wrapped("戦車小隊 moves", 9), ["戦車小隊", "moves"]);
        assert_eq!(wrapped("戦車小隊戦車小隊", 7), ["戦車小", "隊戦車", "小隊"]);
        assert_eq!(wrapped("戦", 1), ["戦"]);
    }

    proptest! {
        #[test]
        fn rows_lose_nothing(text in "[a 戦é\u{200d}]{0,30}", room in 0..12usize) {
            let rows = wrapped(&text, room);
            let said = |text: &str| text.replace(' ', "");
            prop_assert_eq!(said(&rows.concat()), said(&text));
        }

        #[test]
        fn nothing_that_is_printable_steers(text in "(\\PC|\\pC|[\u{0}-\u{9f}]|[\u{2000}-\u{206f}]){0,40}") {
            for (shown, breaks) in [(line(&text), ""), (lines(&text), "\n"), (markup(&text).into(), "")] {
                let mut before = ' ';
                for letter in shown.chars() {
                    prop_assert!(breaks.contains(letter) || !is_hidden(letter) || is_joined(before, letter));
                    before = letter;
                }
            }
            // Once is enough.
            let (one, many) = (line(&text).into_owned(), lines(&text).into_owned());
            prop_assert_eq!(line(&one), one.as_str());
            prop_assert_eq!(lines(&many), many.as_str());
        }

        #[test]
        fn json_says_what_it_said(text in "(\\PC|\\pC|[\u{0}-\u{9f}]|[\u{2000}-\u{206f}]){0,40}") {
            let value = serde_json::Value::String(text);
            let (plain, pretty) = (value.to_string(), format!("{:#}", serde_json::json!({ "a": value })));
            for written in [plain, pretty] {
                let shown = json(&written);
                prop_assert!(shown.chars().all(|letter| letter == '\n' || !is_hidden(letter)));
                let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
                prop_assert_eq!(read(&shown), read(&written));
            }
        }
    }
}
