//! What the word under a cursor means in a file of a mod, and where that is
//! written.
//!
//! Only the word itself is read: a file that is being written says nothing else
//! for sure. What stands in the mods is taken from what was last composed.
//!
//! | in the file | means |
//! |---|---|
//! | `dsii.fire.hit`, `fire.hit` after `local fire = dsii.fire` | the rule or thing of a chapter |
//! | `dsii.tables.fire_ranges`, `dsii.Element`, `dsii.over.fire.hit` | the table, kind, open rule |
//! | a text in Luau, a RON string, a cell of a CSV table | the id that it is |
//! | `[hit, dsii.fire.range else nil]` and `cites:` over a rule | clauses, the short ones of its chapter |

mod offers;
mod places;

use luau_syntax::parser::{ParseOptions, ParsedSource};

use rules::tokens::declared_before;

use crate::scope::Scope;

pub use offers::{Completion, Offer, completion, with_bases};
pub use places::{Places, SymbolKind, Thing};

/// A place in a text: the line, and the letter in it, in bytes, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The line.
    pub line: usize,
    /// How many bytes of the line stand before it.
    pub byte: usize,
}

/// What a word means, before it is known whether there is such a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// A way into a mod: `dsii`, `fire`, `hit`.
    Way(Vec<String>),
    /// An id as text, whole or without its mod.
    Id(String),
    /// A clause over a rule of a chapter, as it is written there.
    Clause {
        /// The chapter, if the rule below is in one.
        chapter: Option<String>,
        /// The clause.
        clause: String,
    },
}

/// What the word at a place means; the file is told by its name.
pub fn meant(path: &str, text: &str, at: At) -> Option<Meant> {
    let line = text.lines().nth(at.line)?;
    let at = At {
        byte: at.byte + declared_before(line),
        ..at
    };
    line.get(..at.byte)?;
    match path.rsplit_once('.')?.1 {
        "luau" => in_luau(text, line, at),
        "csv" => id_at(line, at.byte),
        "ron" if is_in_string(line, at.byte) => id_at(line, at.byte),
        _ => None,
    }
}

fn in_luau(text: &str, line: &str, at: At) -> Option<Meant> {
    if let Some(list) = clauses_of_doc(line) {
        let is_inside = list.start <= at.byte && at.byte <= list.end;
        let clause = is_inside
            .then(|| around(line, at.byte, is_of_id, is_of_id))
            .flatten()?;
        return Some(Meant::Clause {
            chapter: chapter_below(text, at.line),
            clause: clause.to_string(),
        });
    }
    if is_in_string(line, at.byte) {
        return id_at(line, at.byte);
    }
    let chain = around(line, at.byte, |c| is_of_name(c) || c == '.', is_of_name)?;
    let mut parts = chain.split('.');
    let mut way = scope_of(text)?.named(parts.next()?)?;
    way.extend(parts.map(str::to_string));
    Some(Meant::Way(way))
}

/// What the locals of a file stand for, as far as it can be read.
fn scope_of(text: &str) -> Option<Scope> {
    let parsed = ParsedSource::parse(text, ParseOptions::default()).ok()?;
    Some(Scope::read(parsed.root()))
}

/// The chapter of the rule that a doc comment is over.
fn chapter_below(text: &str, line: usize) -> Option<String> {
    let header = text
        .lines()
        .skip(line)
        .find(|line| !line.trim_start().starts_with("---"))?;
    let header = &header[declared_before(header)..];
    let name = header.trim_start().trim_start_matches("function ");
    let name = name.split(|c: char| !is_of_name(c) && c != '.').next()?;
    let mut parts = name.split('.');
    let mut way = scope_of(text)?.named(parts.next()?)?;
    way.extend(parts.map(str::to_string));
    way.into_iter().nth(1)
}

/// Where the clauses stand in a line of a doc comment.
fn clauses_of_doc(line: &str) -> Option<std::ops::Range<usize>> {
    let doc = line.trim_start().strip_prefix("---")?.trim_start();
    let start = |rest: &str| line.len() - rest.len();
    if let Some(list) = doc.strip_prefix("cites:") {
        return Some(start(list)..line.len());
    }
    let Some(list) = doc.strip_prefix('[') else {
        return Some(line.len()..0);
    };
    let inside = list.split(']').next().unwrap_or_default();
    let inside = inside.split(" else ").next().unwrap_or_default();
    Some(start(list)..start(list) + inside.len())
}

fn id_at(line: &str, byte: usize) -> Option<Meant> {
    let word = around(line, byte, is_of_id, is_of_id)?;
    Some(Meant::Id(word.to_string()))
}

/// The letters around a place, as far as they go; nothing if there are none.
fn around(
    line: &str,
    byte: usize,
    before: fn(char) -> bool,
    after: fn(char) -> bool,
) -> Option<&str> {
    let (left, right) = (line.get(..byte)?, line.get(byte..)?);
    let start = left.trim_end_matches(before).len();
    let end = line.len() - right.trim_start_matches(after).len();
    line.get(start..end).filter(|word| !word.is_empty())
}

/// Whether a place is within a text in double quotes that its line opens.
fn is_in_string(line: &str, byte: usize) -> bool {
    let mut is_open = false;
    let mut is_escaped = false;
    for letter in line.get(..byte).unwrap_or_default().chars() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_open => is_escaped = true,
            '"' => is_open = !is_open,
            _ => {}
        }
    }
    is_open
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_of_id(c: char) -> bool {
    is_of_name(c) || matches!(c, '.' | '-')
}

#[cfg(test)]
mod tests;
