//! Slips that Luau lets pass and that mean nothing: the item before the first of a
//! list, a comparison with a table that is made for it.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{
    AstVisitor, BinaryOp, Block, Expression, ExpressionKind, Statement, StatementView,
};
use luau_syntax::location::Position;

use super::Sink;
use super::expressions::{is_game, is_made_here, root_local};
use super::given::is_case;
use crate::scope::Scope;

/// A slip, and where it stands.
pub(super) enum LuauSlip {
    /// `units[0]`.
    BeforeFirst(Position),
    /// `units == {}`.
    ComparedTable { at: Position, is_empty: bool },
}

/// All slips of a file.
pub(super) fn slips(root: Block<'_>, scope: &Scope) -> Vec<LuauSlip> {
    let mut reader = SlipReader {
        scope,
        lists: BTreeSet::new(),
        made: BTreeSet::new(),
        found: Vec::new(),
    };
    root.visit(&mut reader);
    reader.found
}

/// Says what is wrong with them.
pub(super) fn check(all: &[LuauSlip], sink: &mut Sink<'_>) {
    for slip in all {
        let (code, at, message, hint) = match slip {
            LuauSlip::BeforeFirst(at) => (
                FaultCode::OutOfRange,
                *at,
                "there is nothing at 0: the first of a list is at 1",
                "`[1]`",
            ),
            LuauSlip::ComparedTable { at, is_empty } => (
                FaultCode::WrongType,
                *at,
                "nothing is the same as a table that is made for the comparison",
                match is_empty {
                    true => "whether a list is empty says `#list == 0`",
                    false => "compare what is in it, one by one",
                },
            ),
        };
        sink.put(Fault::new(code, message).hint(hint), at);
    }
}

struct SlipReader<'a> {
    scope: &'a Scope,
    /// Locals that hold what rules or the game give.
    lists: BTreeSet<u64>,
    /// Locals that hold tables which the file makes.
    made: BTreeSet<u64>,
    found: Vec<LuauSlip>,
}

impl SlipReader<'_> {
    /// Whether it is what a rule or the game gives: no list of these has anything at 0.
    fn is_given(&self, value: Expression<'_>) -> bool {
        match value.kind() {
            ExpressionKind::Grouped(inner) => self.is_given(inner),
            ExpressionKind::Call { func, .. } => match func.kind() {
                ExpressionKind::IndexName { expr, .. } if is_game(expr) || is_case(expr) => true,
                _ => self.scope.in_mod(func).is_some(),
            },
            ExpressionKind::Local { local, .. } => self.lists.contains(&local.identity().as_u64()),
            ExpressionKind::IndexName { expr, .. } => {
                root_local(expr).is_some_and(|root| !self.made.contains(&root.identity().as_u64()))
            }
            _ => false,
        }
    }
}

impl<'ast> AstVisitor<'ast> for SlipReader<'_> {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                let id = binding.identity().as_u64();
                if is_made_here(*value) {
                    self.made.insert(id);
                } else if matches!(value.kind(), ExpressionKind::Call { .. })
                    && self.is_given(*value)
                {
                    self.lists.insert(id);
                }
            }
        }
        true
    }

    fn visit_index_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::IndexExpr { expr, index, .. } = expression.kind()
            && let ExpressionKind::Number { value, .. } = index.kind()
            && value == 0.0
            && self.is_given(expr)
        {
            self.found
                .push(LuauSlip::BeforeFirst(index.location().begin));
        }
        true
    }

    fn visit_binary_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Binary {
            lhs,
            op: BinaryOp::Equal | BinaryOp::NotEqual,
            rhs,
        } = expression.kind()
        {
            let tables = [lhs, rhs].into_iter().filter_map(|side| match side.kind() {
                ExpressionKind::Table { items } => Some((side, items.is_empty())),
                _ => None,
            });
            self.found
                .extend(tables.map(|(side, is_empty)| LuauSlip::ComparedTable {
                    at: side.location().begin,
                    is_empty,
                }));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luau_syntax::parser::{ParseOptions, ParsedSource};

    fn count(text: &str) -> usize {
        let text = format!("local m = require(\"@m\") local game, unit = f() {text}");
        let parsed = ParsedSource::parse(text, ParseOptions::default()).unwrap();
        slips(parsed.root(), &Scope::read(parsed.root())).len()
    }

    #[test]
    fn nothing_that_is_given_has_anything_at_0() {
        assert_eq!(count("local all = m.a.all(game) local x = all[0]"), 1);
        assert_eq!(count("local x = game:roll_all(dice, '')[0]"), 1);
        assert_eq!(count("local x = unit.weapons[0]"), 1);
        assert_eq!(count("local x = unit.weapons[1]"), 0);
        assert_eq!(
            count("local counts = {} counts[0] = 1 local x = counts[0]"),
            0
        );
        assert_eq!(count("local function own(list) return list[0] end"), 0);
    }

    #[test]
    fn a_table_is_the_same_as_itself_alone() {
        assert_eq!(count("local x = unit.weapons == {}"), 1);
        assert_eq!(count("local x = { 1 } ~= unit.weapons"), 1);
        assert_eq!(count("local x = #unit.weapons == 0"), 0);
    }
}
