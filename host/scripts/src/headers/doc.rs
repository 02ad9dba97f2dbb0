//! The doc comment over a header: the clauses that it is gated by, what it
//! cites, its sentence, and its tags.
//!
//! ```text
//! --- [firecon else nil] The firer's die. @open(round up)
//! --- cites: target_die, dsii.design.oversize
//! ```

use rules::lines::Open;
use serde::{Deserialize, Serialize};

/// What a doc comment says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Doc {
    /// The clauses without which the rule is not there, as written.
    pub gates: Vec<String>,
    /// What the rule gives when one of them is off, as written.
    pub otherwise: Option<String>,
    /// Clauses that are cited and gate nothing, as written.
    pub cites: Vec<String>,
    /// The sentence.
    pub text: String,
    /// Whether it never draws, though its handle could.
    pub never_draws: bool,
    /// Whether it never asks, though its handle could.
    pub never_asks: bool,
    /// How lines of others combine in it, if it is open for them.
    pub open: Option<Open>,
    /// What the rules mean it to give away.
    pub reveals: Option<String>,
}

/// The tags that a doc comment may hold.
const TAGS: [&str; 4] = ["never_draws", "never_asks", "open", "reveals"];

impl Doc {
    /// Reads the lines of a comment, without their `---`; what is wrong in them
    /// goes to `wrong`, each with its hint.
    pub fn read(lines: &[&str], wrong: &mut Vec<(String, Option<String>)>) -> Doc {
        let mut doc = Doc::default();
        let mut words: Vec<&str> = Vec::new();
        for line in lines.iter().map(|line| line.trim()) {
            match line.strip_prefix("cites:") {
                Some(list) => doc.cites.extend(clauses(list, wrong)),
                None if !line.is_empty() => words.push(line),
                None => {}
            }
        }
        let text = words.join(" ");
        let rest = doc.gate(&text, wrong);
        doc.tagged(rest, wrong);
        doc
    }

    /// Takes the clauses in brackets from the front.
    fn gate<'a>(&mut self, text: &'a str, wrong: &mut Vec<(String, Option<String>)>) -> &'a str {
        let Some(inner) = text.strip_prefix('[') else {
            return text;
        };
        let Some((inside, rest)) = inner.split_once(']') else {
            wrong.push((
                "expected `]` after the clauses of a doc comment, found its end".into(),
                None,
            ));
            return text;
        };
        let (list, otherwise) = match inside.split_once(" else ") {
            Some((list, otherwise)) => (list, Some(otherwise.trim().to_string())),
            None => (inside, None),
        };
        self.gates = clauses(list, wrong);
        self.otherwise = otherwise;
        if self.gates.is_empty() {
            let message = "expected a clause in the brackets of a doc comment, found none";
            wrong.push((
                message.into(),
                Some("`[clause]`, or `[clause else 0]`".into()),
            ));
        }
        rest.trim()
    }

    /// Takes the tags out of the sentence.
    fn tagged(&mut self, text: &str, wrong: &mut Vec<(String, Option<String>)>) {
        let mut left = text;
        let mut kept: Vec<&str> = Vec::new();
        while let Some(at) = next_tag(left) {
            let (before, tag) = left.split_at(at);
            kept.push(before.trim());
            let tag = &tag[1..];
            let end = tag
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(tag.len());
            let (word, rest) = tag.split_at(end);
            let (inside, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
            {
                Some((inside, rest)) => (Some(inside), rest),
                None => (None, rest),
            };
            self.tag(word, inside, wrong);
            left = rest;
        }
        kept.push(left.trim());
        kept.retain(|part| !part.is_empty());
        self.text = kept.join(" ");
    }

    fn tag(&mut self, word: &str, inside: Option<&str>, wrong: &mut Vec<(String, Option<String>)>) {
        match (word, inside) {
            ("never_draws", None) => self.never_draws = true,
            ("never_asks", None) => self.never_asks = true,
            ("open", inside) => match Open::read(inside.unwrap_or_default()) {
                Ok(open) => self.open = Some(open),
                Err((message, hint)) => wrong.push((message, hint)),
            },
            ("reveals", Some(words)) if !words.trim().is_empty() => {
                self.reveals = Some(words.trim().to_string());
            }
            ("reveals", _) => {
                let hint = "`@reveals(the shot shows where the battery stands)`";
                wrong.push((
                    "`@reveals`: expected in brackets what is revealed".into(),
                    Some(hint.into()),
                ));
            }
            ("kept" | "never_draws" | "never_asks", Some(_)) => {
                wrong.push((format!("`@{word}`: expected nothing in brackets"), None));
            }
            _ => {
                let hint = match kernel::world::closest(word, TAGS.into_iter()) {
                    Some(near) => format!("did you mean `@{near}`?"),
                    None => format!("expected one of `@{}`", TAGS.join("`, `@")),
                };
                wrong.push((
                    format!("unknown tag `@{word}` in a doc comment"),
                    Some(hint),
                ));
            }
        }
    }
}

/// Where the next tag begins: an `@` that begins a word.
fn next_tag(text: &str) -> Option<usize> {
    let is_start = |at: usize| {
        text[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    };
    let is_word = |at: usize| text[at + 1..].starts_with(|c: char| c.is_ascii_lowercase());
    text.match_indices('@')
        .map(|(at, _)| at)
        .find(|at| is_start(*at) && is_word(*at))
}

/// Ids of clauses, parted by commas.
fn clauses(list: &str, wrong: &mut Vec<(String, Option<String>)>) -> Vec<String> {
    let mut found = Vec::new();
    for one in list.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        if one.split('.').all(kernel::value::is_word) {
            found.push(one.to_string());
        } else {
            let message = format!("expected the id of a clause in a doc comment, found `{one}`");
            wrong.push((
                message,
                Some("lower case letters, digits, `_` and dots".into()),
            ));
        }
    }
    found
}
