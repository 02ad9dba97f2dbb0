//! Colours, and what else a terminal is told about a line.
//!
//! Whatever is printed holds texts of mods, scenarios and players. So colours
//! are written as marks that nobody outside can write, and a line is turned
//! into what a terminal obeys at the very end, by [`printed`]: the marks become
//! colours, and everything else is made printable.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::LazyLock;

use houserule::printable;

/// What begins a mark. Half of it is drawn anew in each process, so that no
/// text can hold one; it is never printed.
static MARK: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\u{fdd0}{:016x}",
        RandomState::new().hash_one("a mark of a colour")
    )
});

/// What ends the style that was begun last.
const END: char = '.';

/// Ends all colours.
const RESET: &str = "\u{1b}[0m";

/// How text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Bold,
    Dimmed,
    Red,
    Green,
    Yellow,
    Cyan,
}

impl Style {
    const ALL: [Style; 6] = [
        Style::Bold,
        Style::Dimmed,
        Style::Red,
        Style::Green,
        Style::Yellow,
        Style::Cyan,
    ];

    /// Its letter in a mark.
    fn letter(self) -> char {
        match self {
            Style::Bold => 'b',
            Style::Dimmed => 'd',
            Style::Red => 'r',
            Style::Green => 'g',
            Style::Yellow => 'y',
            Style::Cyan => 'c',
        }
    }

    /// What a terminal is told.
    fn code(self) -> &'static str {
        match self {
            Style::Bold => "\u{1b}[1m",
            Style::Dimmed => "\u{1b}[2m",
            Style::Red => "\u{1b}[31m",
            Style::Green => "\u{1b}[32m",
            Style::Yellow => "\u{1b}[33m",
            Style::Cyan => "\u{1b}[36m",
        }
    }
}

/// Something in a style.
pub struct Painted<'a, T: ?Sized> {
    what: &'a T,
    style: Style,
}

impl<T: fmt::Display + ?Sized> fmt::Display for Painted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", *MARK, self.style.letter())?;
        // With the width that was asked for.
        self.what.fmt(f)?;
        write!(f, "{}{END}", *MARK)
    }
}

/// Gives a style to anything that can be printed.
pub trait Paint: fmt::Display {
    /// In bold letters.
    fn bold(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Bold,
        }
    }

    /// In pale letters.
    fn dimmed(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Dimmed,
        }
    }

    /// In red.
    fn red(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Red,
        }
    }

    /// In green.
    fn green(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Green,
        }
    }

    /// In yellow.
    fn yellow(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Yellow,
        }
    }

    /// In cyan.
    fn cyan(&self) -> Painted<'_, Self> {
        Painted {
            what: self,
            style: Style::Cyan,
        }
    }
}

impl<T: fmt::Display + ?Sized> Paint for T {}

/// No line has more letters than this; what is longer tells nobody anything.
const LONGEST: usize = 8_000;

/// A line as a terminal is told it: with its colours, and nothing else that a
/// terminal obeys.
pub fn printed(line: &str) -> String {
    let mut out = Printed {
        text: String::with_capacity(line.len()),
        left: LONGEST,
        rest: 0,
    };
    let mut open: Vec<Style> = Vec::new();
    let mut parts = line.split(MARK.as_str());
    out.push(parts.next().unwrap_or_default());
    for part in parts {
        let mut letters = part.chars();
        let first = letters.next();
        match Style::ALL
            .into_iter()
            .find(|style| first == Some(style.letter()))
        {
            Some(style) => {
                out.text.push_str(style.code());
                open.push(style);
            }
            None => {
                open.pop();
                out.text.push_str(RESET);
                open.iter()
                    .for_each(|style| out.text.push_str(style.code()));
            }
        }
        out.push(letters.as_str());
    }
    if out.rest > 0 {
        out.text.push_str(&format!("… ({} letters more)", out.rest));
    }
    out.text
}

/// A line as far as it is printed.
struct Printed {
    text: String,
    /// How many letters may follow.
    left: usize,
    /// How many were left out.
    rest: usize,
}

impl Printed {
    fn push(&mut self, text: &str) {
        let shown = printable::line(text);
        let count = shown.chars().count();
        let end = shown
            .char_indices()
            .nth(self.left)
            .map_or(shown.len(), |(end, _)| end);
        self.text.push_str(&shown[..end]);
        let room = self.left.min(count);
        self.left -= room;
        self.rest += count - room;
    }
}

/// Rows below the first begin so much further in than their line, where it begins at the edge or with a mark.
const HANG: usize = 2;

/// Rows are never squeezed into less than this.
const LEAST_TEXT: usize = 24;

/// A line as a terminal of so many columns is told it: broken between words, each row with the colours of its part.
/// Rows below the first stand under the last column of the line that begins in its left half, or else where the
/// line begins, but not at the edge.
pub fn rows(line: &str, columns: usize) -> Vec<String> {
    let whole = printed(line);
    let plain: String = letters(&whole).filter_map(Shown::letter).collect();
    if printable::width(&plain) <= columns {
        return vec![whole];
    }
    let (head, indent) = hanging(&plain, columns);
    let room = columns.saturating_sub(indent).max(LEAST_TEXT);
    let mut broken = printable::wrapped(plain[head..].trim_end(), room);
    broken
        .iter_mut()
        .for_each(|row| row.truncate(row.trim_end().len()));
    if let Some(first) = broken.first_mut() {
        first.insert_str(0, &plain[..head]);
    }
    coloured(&whole, &broken, indent)
}

/// Where the text of a line begins that goes on in rows of its own, and in which column they stand.
fn hanging(plain: &str, columns: usize) -> (usize, usize) {
    let lead = plain.len() - plain.trim_start_matches(' ').len();
    let gaps = plain.match_indices("  ").map(|(place, _)| {
        let rest = &plain[place..];
        place + rest.len() - rest.trim_start_matches(' ').len()
    });
    let of_column = gaps
        .filter(|place| *place > lead && *place < plain.len())
        .map(|place| (place, printable::width(&plain[..place])))
        .filter(|(_, column)| *column <= columns / 2)
        .last();
    let is_marked = lead == 0 || plain[lead..].starts_with("- ");
    of_column.unwrap_or((lead, if is_marked { lead + HANG } else { lead }))
}

/// Part of a line that is printable already: a letter, or what a terminal is told.
#[derive(Clone, Copy)]
enum Shown<'a> {
    Letter(char),
    Code(&'a str),
}

impl Shown<'_> {
    fn letter(self) -> Option<char> {
        match self {
            Shown::Letter(letter) => Some(letter),
            Shown::Code(_) => None,
        }
    }
}

/// The parts of a line that is printable already: what it tells a terminal is ours, and ends with an `m`.
fn letters(line: &str) -> impl Iterator<Item = Shown<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first {
            '\u{1b}' => rest.find('m').map_or(rest.len(), |end| end + 1),
            letter => letter.len_utf8(),
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(match first {
            '\u{1b}' => Shown::Code(part),
            letter => Shown::Letter(letter),
        })
    })
}

/// Rows of a line with the colours that it has; between two of them only spaces are left out.
fn coloured(line: &str, rows: &[String], indent: usize) -> Vec<String> {
    let mut parts = letters(line).peekable();
    let mut open: Vec<&str> = Vec::new();
    let mut done: Vec<String> = Vec::new();
    for row in rows {
        let mut text = match done.is_empty() {
            true => String::new(),
            false => format!("{}{}", " ".repeat(indent), open.concat()),
        };
        let mut left = row.chars().count();
        let is_first = done.is_empty();
        let mut is_begun = is_first;
        while left > 0
            && let Some(part) = parts.next()
        {
            match part {
                Shown::Code(RESET) => open.clear(),
                Shown::Code(code) => open.push(code),
                Shown::Letter(' ') if !is_begun => continue,
                Shown::Letter(_) => {
                    is_begun = true;
                    left -= 1;
                }
            }
            match part {
                Shown::Code(code) => text.push_str(code),
                Shown::Letter(letter) => text.push(letter),
            }
        }
        while matches!(parts.peek(), Some(Shown::Code(RESET))) {
            parts.next();
            open.clear();
            text.push_str(RESET);
        }
        if !open.is_empty() {
            text.push_str(RESET);
        }
        done.push(text);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_on_under_its_last_column() {
        let line = format!(
            "  {}  A skirmish at the wood, of four against five",
            "skirmish".bold()
        );
        assert_eq!(
            rows(&line, 40),
            [
                "  \u{1b}[1mskirmish\u{1b}[0m  A skirmish at the wood, of",
                "            four against five"
            ]
        );
        assert_eq!(rows(&line, 80), [printed(&line)]);
        // Nothing is under what stands far at the right, or under nothing.
        let far = format!("    a{}b c d and so on", " ".repeat(30));
        assert_eq!(
            rows(&far, 40),
            [
                format!("    a{}b c d", " ".repeat(30)),
                "    and so on".into()
            ]
        );
        assert_eq!(
            rows("one two three four five six seven eight", 32),
            ["one two three four five six", "  seven eight"]
        );
    }

    #[test]
    fn a_colour_goes_on_in_the_next_row() {
        let line = format!("  - {}  end", "one two three four five six".dimmed());
        assert_eq!(
            rows(&line, 30),
            [
                "  - \u{1b}[2mone two three four five\u{1b}[0m",
                "    \u{1b}[2msix\u{1b}[0m  end"
            ]
        );
        let foreign = rows("a \u{1b}[31m b c d e f g h i j k l m n o p q r s", 30);
        assert_eq!(foreign[0], "a \\u{1b}[31m b c d e f g h i");
    }

    #[test]
    fn only_our_own_colours_reach_a_terminal() {
        let title = "\u{1b}[31mfault\u{1b}]0;title\u{7}\u{fdd0}0000000000000000r\u{202e}";
        let line = printed(&format!(
            "{:<3}| {} {title}",
            "a".bold(),
            format!("{} c", "b".red()).dimmed()
        ));
        let shown = "\\u{1b}[31mfault\\u{1b}]0;title\\u{7}\\u{fdd0}0000000000000000r\\u{202e}";
        let ours = "\u{1b}[1ma  \u{1b}[0m| \u{1b}[2m\u{1b}[31mb\u{1b}[0m\u{1b}[2m c\u{1b}[0m";
        assert_eq!(line, format!("{ours} {shown}"));
    }

    #[test]
    fn a_line_stays_a_line_and_has_an_end() {
        assert_eq!(printed("one\ntwo"), "one two");
        let line = printed(&"x".repeat(1 << 20).red().to_string());
        assert!(line.len() < LONGEST + 100);
        assert!(
            line.ends_with("… (1040576 letters more)"),
            "{}",
            &line[LONGEST..]
        );
    }
}
