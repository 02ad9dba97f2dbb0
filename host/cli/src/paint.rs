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

#[cfg(test)]
mod tests {
    use super::*;

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
