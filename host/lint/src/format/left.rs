//! A file around statements that the library cannot lay out: in the place of each stands
//! a call while the rest is laid out, then the statement again as it was written.

use std::ops::Range;

use luau_syntax::ast::{AstVisitor, Block, Statement};
use luau_syntax::location::{Location, Position};
use luau_syntax::parser::{ParseOptions, ParsedSource};

use super::{LayoutObstacle, in_rounds, unchanged};

/// With what the call begins that stands in the place of a statement.
const IN_PLACE: &str = "left_as_it_is_";

/// A statement that stays as it is.
struct LeftStatement {
    bytes: Range<usize>,
    why: LayoutObstacle,
}

impl LeftStatement {
    /// What stands in its place.
    fn call(&self) -> String {
        format!("{IN_PLACE}{}()", self.bytes.start)
    }
}

/// A file laid out around what cannot be, and what stands in the way there; nothing where
/// it is none of its statements.
pub(super) fn around(text: &str) -> Option<(String, Vec<LayoutObstacle>)> {
    let parsed = ParsedSource::parse(text, ParseOptions::default()).ok()?;
    if text.contains(IN_PLACE) {
        return None;
    }
    let file = WrittenFile::of(text);
    let left = file.left_of(parsed.root().as_slice());
    let mut found = in_rounds(&file.without(0..text.len(), &left)).ok()?;
    for statement in &left {
        found = found.replacen(&statement.call(), &text[statement.bytes.clone()], 1);
    }
    let is_whole = unchanged::lost(text, &found).is_none();
    is_whole.then(|| (found, left.into_iter().map(|one| one.why).collect()))
}

struct WrittenFile<'t> {
    text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl<'t> WrittenFile<'t> {
    fn of(text: &'t str) -> WrittenFile<'t> {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        WrittenFile {
            text,
            lines: std::iter::once(0).chain(ends).collect(),
        }
    }

    fn bytes(&self, location: Location) -> Range<usize> {
        let at = |position: Position| {
            let line = self.lines.get(position.line as usize);
            line.map_or(self.text.len(), |line| line + position.column as usize)
        };
        at(location.begin)..at(location.end)
    }

    /// Those that cannot be laid out, each as small as can be.
    fn left_of(&self, statements: &[Statement<'_>]) -> Vec<LeftStatement> {
        let of = |statement: &Statement<'_>| {
            let bytes = self.bytes(statement.location);
            let Err(mut why) = in_rounds(&self.text[bytes.clone()]) else {
                return Vec::new();
            };
            let inner = self.left_of(&within(*statement));
            if !inner.is_empty() && in_rounds(&self.without(bytes.clone(), &inner)).is_ok() {
                return inner;
            }
            (why.line, why.column) = (statement.location.begin.line + why.line.max(1), 0);
            vec![LeftStatement { bytes, why }]
        };
        statements.iter().flat_map(of).collect()
    }

    /// A part of the text, with calls in the place of what is left.
    fn without(&self, part: Range<usize>, left: &[LeftStatement]) -> String {
        let (mut text, mut from) = (String::new(), part.start);
        for statement in left {
            text.push_str(&self.text[from..statement.bytes.start]);
            text.push_str(&statement.call());
            from = statement.bytes.end;
        }
        text + &self.text[from..part.end]
    }
}

/// The statements right within one.
fn within(statement: Statement<'_>) -> Vec<Statement<'_>> {
    let mut inner = InnerStatements {
        of: statement.location,
        found: Vec::new(),
    };
    statement.visit(&mut inner);
    inner.found
}

struct InnerStatements<'ast> {
    of: Location,
    found: Vec<Statement<'ast>>,
}

impl<'ast> AstVisitor<'ast> for InnerStatements<'ast> {
    fn visit_block(&mut self, _: Block<'ast>) -> bool {
        true
    }

    fn visit_statement(&mut self, statement: Statement<'ast>) -> bool {
        if statement.location == self.of {
            return true;
        }
        self.found.push(statement);
        false
    }
}
