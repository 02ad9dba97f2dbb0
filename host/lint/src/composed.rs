//! What was composed for a look, kept while nothing changes that composition
//! sees: most edits are inside of one rule, whose body runs in play alone.

use std::rc::Rc;

use kernel::value::Name;
use luau_syntax::ast::{Statement, StatementView};
use luau_syntax::location::Position;
use luau_syntax::parser::{ParseOptions, ParsedSource};

use crate::by_text::ByText;
use crate::typecheck::compose;
use matches::workshop::Workshop;
use rules::rulebook::Rulebook;

/// The handles by one of which a function is known to be a rule: nobody has one
/// while files are loaded.
const HANDLES: [&str; 4] = [": Reads", ": Draws", ": Writes", ": Acts"];

/// Folders of which nothing is composed.
const NOT_COMPOSED: [&str; 3] = ["tests/", "scenarios/", "golden/"];

static SKELETONS: ByText<String> = ByText::new();

/// The rulebook of the last look.
#[derive(Default)]
pub(crate) struct Composed {
    last: Option<Last>,
}

struct Last {
    set: Vec<Name>,
    shape: blake3::Hash,
    rulebook: Rc<Rulebook>,
}

impl Composed {
    /// Mods composed together, now or when they had the same shape.
    pub fn rulebook(&mut self, workshop: &Workshop, set: &[Name]) -> Option<Rc<Rulebook>> {
        let shape = shape(workshop);
        if let Some(last) = &self.last
            && last.shape == shape
            && last.set == set
        {
            return Some(last.rulebook.clone());
        }
        self.last = None;
        let rulebook = compose(workshop, set)?;
        self.last = Some(Last { set: set.to_vec(), shape, rulebook: rulebook.clone() });
        Some(rulebook)
    }
}

/// What changes whenever something does that composition sees.
fn shape(workshop: &Workshop) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    let mut take = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for (id, sources) in workshop.sources() {
        take(id);
        for (path, text) in &sources.files {
            if NOT_COMPOSED.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            take(path);
            match path.ends_with(".luau") {
                true => take(&SKELETONS.get(&[text], || skeleton(text))),
                false => take(text),
            }
        }
    }
    hasher.finalize()
}

/// A file without what its rules do: each keeps its header and its lines.
fn skeleton(text: &str) -> String {
    let Ok(parsed) = ParsedSource::parse(text, ParseOptions::default()) else { return text.to_string() };
    if !parsed.metadata().errors.is_empty() {
        return text.to_string();
    }
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |at: Position| starts.get(at.line as usize).map_or(text.len(), |it| it + at.column as usize);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for statement in parsed.root().as_slice() {
        let Some((begin, end)) = body_of(*statement) else { continue };
        let (begin, end) = (offset(begin), offset(end));
        let head = text.get(offset(statement.location().begin)..begin).unwrap_or_default();
        if !HANDLES.iter().any(|handle| head.contains(handle)) {
            continue;
        }
        out.push_str(text.get(from..begin).unwrap_or_default());
        out.extend(text.get(begin..end).unwrap_or_default().matches('\n'));
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// From where to where a function does something that is given to a name.
fn body_of(statement: Statement<'_>) -> Option<(Position, Position)> {
    let StatementView::FunctionDeclaration(declared) = statement.view() else { return None };
    let statements = declared.function().body.as_slice();
    Some((statements.first()?.location().begin, statements.last()?.location().end))
}

#[cfg(test)]
mod tests {
    use super::skeleton;

    const FILE: &str = "local m = require(\"@m\")\n--- [on] A rule.\nfunction m.a.rule(game: Reads): Integer\n    local one = 1\n    return one\nend\nfunction lib.make(n)\n    return n\nend\n";

    #[test]
    fn a_skeleton_keeps_all_but_the_bodies_of_rules() {
        let kept = skeleton(FILE);
        assert_eq!(kept.lines().count(), FILE.lines().count());
        assert!(
            kept.contains("function m.a.rule(game: Reads): Integer") && kept.contains("--- [on] A rule.")
        );
        assert!(!kept.contains("one"), "{kept}");
        assert!(kept.contains("    return n\n"), "what may run while files are loaded stays: {kept}");
    }

    #[test]
    fn it_is_another_when_headers_lines_or_helpers_are() {
        let same = |from: &str, to: &str| skeleton(FILE) == skeleton(&FILE.replacen(from, to, 1));
        assert!(same("return one", "return two"));
        assert!(!same("return one", "return one +\n        1"));
        assert!(!same("game: Reads", "game: Draws"));
        assert!(!same("[on]", "[off]"));
        assert!(!same("return n", "return m"));
        assert!(!same("    return one\n", "    return return\n"), "what does not parse is taken whole");
    }
}
