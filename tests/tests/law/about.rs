//! What a widened line of a mod is about, as far as its text tells: the words around
//! it, the actions that write what it shows, and what the rules read that it calls.

use std::collections::BTreeSet;

use houserule::modset::files::Sources;

use crate::mutations::Widened;

/// A rule calls another that calls another; what is further off is not looked at.
const DEPTH: usize = 2;
/// How the functions of an action end in its name.
const ENDINGS: &[&str] = &["_perform", "_domain", "_automatic"];

/// Some lines of a mod, by their words.
pub struct Lines {
    /// Those of the lines themselves, and of the actions that write what they show.
    words: BTreeSet<String>,
    /// What the rules around them read, and the rules that these call.
    around: BTreeSet<String>,
}

impl Lines {
    /// What a widened line is about: of what data declares that which is declared,
    /// of a rule all that stands around it.
    pub fn of(wide: &Widened) -> Lines {
        let quoted = |key: &str| wide.line.split_once(key)?.1.split('"').next();
        let last = |id: &str| id.rsplit('.').next().unwrap_or_default().to_string();
        let declared = ["id: \"", "name: \""]
            .into_iter()
            .find_map(quoted)
            .map(last);
        let text = Text::of(wide.module());
        let shown: BTreeSet<String> = match &declared {
            Some(name) => [name.clone()].into(),
            None => wide
                .line
                .split('"')
                .skip(1)
                .step_by(2)
                .map(ToString::to_string)
                .collect(),
        };
        let near: BTreeSet<String> = match declared {
            Some(name) => [name].into(),
            None => words(&wide.near).map(ToString::to_string).collect(),
        };
        let writers = shown.iter().flat_map(|attribute| text.writers(attribute));
        Lines {
            words: writers.chain(near).collect(),
            around: text.around(wide),
        }
    }

    /// Whether they are about something, as the tally calls it.
    pub fn are_about(&self, what: &str) -> bool {
        self.words_in_common(what) > 0
    }

    /// How many words they have in common with something, as the tally calls it.
    pub fn words_in_common(&self, what: &str) -> usize {
        let id = what.rsplit(' ').next().unwrap_or_default();
        let parts = if what.starts_with("parameter ") { 2 } else { 1 };
        let named = id
            .split('.')
            .filter(|word| *word != "perform")
            .rev()
            .take(parts);
        named.filter(|word| self.words.contains(*word)).count()
    }

    /// Whether the rules around them name an attribute.
    pub fn look_at(&self, attribute: &str) -> bool {
        self.words.contains(attribute) || self.around.contains(attribute)
    }
}

/// What a line may read of something: words after a dot, and between quotes.
fn read(line: &str) -> impl Iterator<Item = String> {
    let after = line
        .split(['.', '"'])
        .skip(1)
        .filter_map(|text| words(text).next());
    after.map(ToString::to_string)
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_within = |letter: char| letter.is_alphanumeric() || ['_', '-'].contains(&letter);
    text.split(move |letter| !is_within(letter))
        .filter(|word| !word.is_empty())
}

/// The rules of a mod, in pieces: each begins at the margin, and ends where the
/// next one does.
struct Text {
    pieces: Vec<Piece>,
}

struct Piece {
    file: String,
    /// Its first line, from 1.
    first: usize,
    lines: Vec<String>,
}

impl Text {
    fn of(module: &Sources) -> Text {
        let mut pieces: Vec<Piece> = Vec::new();
        for (file, text) in module
            .to_files()
            .iter()
            .filter(|(file, _)| file.starts_with("rules/"))
        {
            for (place, line) in text.lines().enumerate() {
                let is_more =
                    line.is_empty() || line.starts_with([' ', '}', ')']) || line.starts_with("end");
                match pieces
                    .last_mut()
                    .filter(|piece| is_more && piece.file == *file)
                {
                    Some(piece) => piece.lines.push(line.to_string()),
                    None => pieces.push(Piece {
                        file: file.clone(),
                        first: place + 1,
                        lines: vec![line.to_string()],
                    }),
                }
            }
        }
        Text { pieces }
    }

    /// The actions in whose functions an attribute is written.
    fn writers(&self, attribute: &str) -> Vec<String> {
        let written = format!(".{attribute} =");
        let writes = |piece: &&Piece| {
            piece.lines.iter().any(|line| {
                line.match_indices(&written)
                    .any(|(at, _)| !line[at + written.len()..].starts_with('='))
            })
        };
        let named = self
            .pieces
            .iter()
            .filter(writes)
            .filter_map(Piece::function);
        named
            .filter_map(|(_, name)| ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)))
            .map(ToString::to_string)
            .collect()
    }

    /// The words of the piece in which a line stands, and of those that it calls.
    fn around(&self, wide: &Widened) -> BTreeSet<String> {
        let (file, line) = wide.at();
        let holds = |piece: &&Piece| {
            piece.file == file && (piece.first..piece.first + piece.lines.len()).contains(&line)
        };
        let mut reached: Vec<&Piece> = self.pieces.iter().filter(holds).collect();
        let mut from = 0;
        for _ in 0..DEPTH {
            let calls: BTreeSet<String> = reached[from..]
                .iter()
                .flat_map(|piece| piece.calls())
                .collect();
            from = reached.len();
            let is_new = |piece: &&Piece| !reached.iter().any(|one| std::ptr::eq(*one, *piece));
            let more: Vec<&Piece> = self
                .pieces
                .iter()
                .filter(|piece| piece.is_of(&calls))
                .filter(is_new)
                .collect();
            reached.extend(more);
        }
        reached
            .iter()
            .flat_map(|piece| &piece.lines)
            .flat_map(|line| read(line))
            .collect()
    }
}

impl Piece {
    /// The rulebook's part and the name of a function: `force.review_automatic`.
    fn function(&self) -> Option<(&str, &str)> {
        self.lines[0]
            .strip_prefix("function ")?
            .split('(')
            .next()?
            .split_once('.')
    }

    /// What is called in it: `force.unit_advice` and the like.
    fn calls(&self) -> BTreeSet<String> {
        let is_within = |letter: char| letter.is_alphanumeric() || ['_', '.'].contains(&letter);
        let called = self.lines.iter().skip(1).flat_map(|line| {
            line.match_indices('(').map(|(at, _)| {
                let before = &line[..at];
                &before[before
                    .rfind(|letter| !is_within(letter))
                    .map_or(0, |at| at + 1)..]
            })
        });
        called
            .filter(|name| !name.is_empty())
            .map(ToString::to_string)
            .collect()
    }

    /// Whether it defines or wraps one of some functions.
    fn is_of(&self, calls: &BTreeSet<String>) -> bool {
        let head = self.lines[0].trim_start_matches("local ");
        let mut starts = ["function ", "rules.wrap(", "over."].iter();
        let Some(named) = starts.find_map(|start| head.strip_prefix(start)) else {
            return false;
        };
        named
            .split(['(', ',', ':'])
            .next()
            .is_some_and(|name| calls.contains(name))
    }
}
