//! What was composed for a look, kept while nothing changes that composition
//! sees: most edits are inside of one rule, whose body runs in play alone.

use std::rc::Rc;

use kernel::value::Name;
use luau_syntax::ast::{Statement, StatementView};
use luau_syntax::location::Position;
use luau_syntax::parser::{ParseOptions, ParsedSource};

use crate::by_text::ByText;
use crate::typecheck::{CheckerSetup, compose};
use crate::types::KnownRules;
use matches::workshop::Workshop;
use rules::rulebook::Rulebook;

/// The handles by one of which a function is known to be a rule: nobody has one
/// while files are loaded.
const HANDLES: [&str; 4] = [": Reads", ": Draws", ": Writes", ": Acts"];

/// Folders of which nothing is composed.
const NOT_COMPOSED: [&str; 3] = ["tests/", "scenarios/", "golden/"];

static SKELETONS: ByText<String> = ByText::new();
static HEADS: ByText<String> = ByText::new();

/// The rulebook of the last look.
#[derive(Default)]
pub(crate) struct Composed {
    last: Option<Last>,
}

struct Last {
    set: Vec<Name>,
    shape: blake3::Hash,
    /// The same without the lines on which things stand.
    heads: blake3::Hash,
    rulebook: Rc<Rulebook>,
    prepared: Option<Rc<CheckerSetup>>,
}

/// What of a file does not count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    /// What rules do.
    Bodies,
    /// And on which lines they stand.
    Lines,
}

impl Composed {
    /// Mods composed together, now or when they had the same shape.
    pub fn rulebook(&mut self, workshop: &Workshop, set: &[Name]) -> Option<Rc<Rulebook>> {
        let shape = shape(workshop, Without::Bodies);
        if let Some(last) = &self.last
            && last.shape == shape
            && last.set == set
        {
            return Some(last.rulebook.clone());
        }
        self.last = None;
        let rulebook = compose(workshop, set)?;
        let heads = shape_of_heads(workshop);
        let (set, prepared) = (set.to_vec(), None);
        self.last = Some(Last {
            set,
            shape,
            heads,
            rulebook: rulebook.clone(),
            prepared,
        });
        Some(rulebook)
    }

    /// The rulebook of before, if nothing is other than it was but what rules do.
    pub fn of_before(&self, workshop: &Workshop, set: &[Name]) -> Option<Rc<Rulebook>> {
        let last = self.last.as_ref().filter(|last| last.set == set)?;
        (last.heads == shape_of_heads(workshop)).then(|| last.rulebook.clone())
    }

    /// What the checker goes by in the mods of the last rulebook.
    pub fn prepared(&mut self, known: &KnownRules<'_>) -> Rc<CheckerSetup> {
        let make = || Rc::new(CheckerSetup::new(known));
        match &mut self.last {
            Some(last) => last.prepared.get_or_insert_with(make).clone(),
            None => make(),
        }
    }
}

fn shape_of_heads(workshop: &Workshop) -> blake3::Hash {
    shape(workshop, Without::Lines)
}

/// What changes whenever something does that composition sees.
fn shape(workshop: &Workshop, without: Without) -> blake3::Hash {
    let kept = if without == Without::Lines {
        &HEADS
    } else {
        &SKELETONS
    };
    let mut hasher = blake3::Hasher::new();
    let mut take = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for (id, sources) in workshop.sources() {
        take(id);
        for (path, text) in sources.all() {
            if NOT_COMPOSED.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            take(path);
            match path.ends_with(".luau") {
                true => take(&kept.get(&[text], || skeleton(text, without))),
                false => take(text),
            }
        }
    }
    hasher.finalize()
}

/// A file without what its rules do: each keeps its header and its lines.
fn skeleton(text: &str, without: Without) -> String {
    let Ok(parsed) = ParsedSource::parse(text, ParseOptions::default()) else {
        return text.to_string();
    };
    if !parsed.metadata().errors.is_empty() {
        return text.to_string();
    }
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let offset = |at: Position| {
        starts
            .get(at.line as usize)
            .map_or(text.len(), |it| it + at.column as usize)
    };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for statement in parsed.root().as_slice() {
        let Some((begin, end)) = body_of(*statement) else {
            continue;
        };
        let (begin, end) = (offset(begin), offset(end));
        let head = text
            .get(offset(statement.location().begin)..begin)
            .unwrap_or_default();
        if !HANDLES.iter().any(|handle| head.contains(handle)) {
            continue;
        }
        out.push_str(text.get(from..begin).unwrap_or_default());
        if without == Without::Bodies {
            out.extend(text.get(begin..end).unwrap_or_default().matches('\n'));
        }
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// From where to where a function does something that is given to a name.
fn body_of(statement: Statement<'_>) -> Option<(Position, Position)> {
    let StatementView::FunctionDeclaration(declared) = statement.view() else {
        return None;
    };
    let statements = declared.function().body.as_slice();
    Some((
        statements.first()?.location().begin,
        statements.last()?.location().end,
    ))
}

#[cfg(test)]
mod tests {
    use super::{Without, skeleton};

    const FILE: &str = "local m = require(\"@m\")\n--- [on] A rule.\nfunction m.a.rule(game: Reads): Integer\n    local one = 1\n    return one\nend\nfunction lib.make(n)\n    return n\nend\n";

    #[test]
    fn a_skeleton_keeps_all_but_the_bodies_of_rules() {
        let kept = skeleton(FILE, Without::Bodies);
        assert_eq!(kept.lines().count(), FILE.lines().count());
        assert!(
            kept.contains("function m.a.rule(game: Reads): Integer")
                && kept.contains("--- [on] A rule.")
        );
        assert!(!kept.contains("one"), "{kept}");
        assert!(
            kept.contains("    return n\n"),
            "what may run while files are loaded stays: {kept}"
        );
    }

    #[test]
    fn it_is_another_when_headers_lines_or_helpers_are() {
        let same_without = |without: Without, from: &str, to: &str| {
            skeleton(FILE, without) == skeleton(&FILE.replacen(from, to, 1), without)
        };
        let same = |from: &str, to: &str| same_without(Without::Bodies, from, to);
        assert!(same("return one", "return two"));
        let line = ("return one", "return one +\n        1");
        assert!(!same(line.0, line.1) && same_without(Without::Lines, line.0, line.1));
        assert!(!same("game: Reads", "game: Draws"));
        assert!(!same("[on]", "[off]"));
        assert!(!same("return n", "return m"));
        assert!(
            !same("    return one\n", "    return return\n"),
            "what does not parse is taken whole"
        );
    }
}
