//! Whether a file that was laid out says what it said before: the same code, but for
//! what layout may add and leave out, and every comment.
//!
//! The library puts some comments into the line before them, where the code that
//! stood behind them is a part of them from then on, and loses others.

use std::collections::BTreeMap;

use rules::tokens::{Token, TokenKind, tokens};

use super::LayoutObstacle;

/// What helps where a comment stands in the way.
const HINT: &str = "put the comment on a line of its own, before what it is about";

/// What is wrong with a file as it was laid out, if anything is.
pub(super) fn lost(before: &str, after: &str) -> Option<LayoutObstacle> {
    let (before, after) = (Parts::of(before), Parts::of(after));
    let obstacle = |what: &str, line, hint| LayoutObstacle {
        what: what.into(),
        line,
        column: 0,
        hint,
    };
    if let Some(at) = before.parts_from(&after) {
        return Some(match before.last_comment(at) {
            Some(line) => obstacle(
                "a comment in the middle of what it would break",
                line,
                Some(HINT),
            ),
            None => {
                let line = before.lines.get(at).copied().unwrap_or(0);
                obstacle("what would come out as other code", line, None)
            }
        });
    }
    let line = before.lost_comment(&after)?;
    Some(obstacle("a comment that would be lost", line, Some(HINT)))
}

/// A file in its code and its comments.
struct Parts<'t> {
    /// The letters of the code, without what layout may change, ...
    letters: Vec<char>,
    /// ... and the line of each.
    lines: Vec<u32>,
    comments: Vec<CommentLine<'t>>,
}

/// A line of a comment.
struct CommentLine<'t> {
    text: &'t str,
    line: u32,
    /// How many letters of code come before it.
    at: usize,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Parts<'t> {
        let mut parts = Parts {
            letters: Vec::new(),
            lines: Vec::new(),
            comments: Vec::new(),
        };
        let (mut end, mut line) = (0, 1);
        for token in tokens(text).all {
            let begin = token.text.as_ptr().addr() - text.as_ptr().addr();
            parts.gap(&text[end..begin], line);
            parts.code(token);
            end = begin + token.text.len();
            line = token.line + token.text.matches('\n').count() as u32;
        }
        parts.gap(&text[end..], line);
        parts
    }

    /// Takes what stands between two tokens.
    fn gap(&mut self, text: &'t str, from: u32) {
        let at = self.letters.len();
        let lines = (from..).zip(text.lines().map(str::trim));
        let written = lines.filter(|(_, text)| !text.is_empty());
        self.comments
            .extend(written.map(|(line, text)| CommentLine { text, line, at }));
    }

    fn code(&mut self, token: Token<'_>) {
        let kept: Vec<char> = match token.sort {
            // Signs that part what a line, or its end, parts as well.
            TokenKind::Sign => match token.text {
                "(" | ")" | "," | ";" | "|" | "&" => Vec::new(),
                sign => sign.chars().collect(),
            },
            // Quotes are exchanged, and with them what is escaped.
            TokenKind::Text if !token.text.starts_with('[') => {
                let is_quote = |letter: &char| matches!(letter, '"' | '\'' | '\\');
                token.text.chars().filter(|one| !is_quote(one)).collect()
            }
            TokenKind::Interpolated => {
                let is_layout =
                    |letter: &char| letter.is_whitespace() || "(),;'\"\\".contains(*letter);
                token.text.chars().filter(|one| !is_layout(one)).collect()
            }
            // `.5` becomes `0.5`.
            TokenKind::Number => match token.text.strip_prefix("0.") {
                Some(part) => ['.'].into_iter().chain(part.chars()).collect(),
                None => token.text.chars().collect(),
            },
            _ => token.text.chars().collect(),
        };
        let new = self.letters.len() + kept.len();
        self.letters.extend(kept);
        self.lines.resize(new, token.line);
    }

    /// Where its code is another than that of a file, if it is.
    fn parts_from(&self, other: &Parts<'_>) -> Option<usize> {
        let longest = self.letters.len().max(other.letters.len());
        (0..longest).find(|at| self.letters.get(*at) != other.letters.get(*at))
    }

    /// The line of the last comment before a letter.
    fn last_comment(&self, at: usize) -> Option<u32> {
        let before = self.comments.iter().rfind(|comment| comment.at <= at);
        before.map(|comment| comment.line)
    }

    /// The line of a comment of which another file has not every word.
    fn lost_comment(&self, other: &Parts<'_>) -> Option<u32> {
        let mut left = counted(
            other
                .comments
                .iter()
                .flat_map(|one| one.text.split_whitespace()),
        );
        let mut words = self
            .comments
            .iter()
            .flat_map(|one| one.text.split_whitespace());
        if words.all(|word| take(&mut left, word)) {
            return None;
        }
        let mut lines = counted(other.comments.iter().map(|one| one.text));
        let lost = self.comments.iter().find(|one| !take(&mut lines, one.text));
        lost.or(self.comments.last()).map(|one| one.line)
    }
}

fn counted<'t>(all: impl Iterator<Item = &'t str>) -> BTreeMap<&'t str, usize> {
    let mut counts = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts
}

/// Takes one of what is counted, if there is one.
fn take(counts: &mut BTreeMap<&str, usize>, one: &str) -> bool {
    match counts.get_mut(one) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}
