//! Slips that Luau lets pass and that mean nothing: the item before the first of a
//! list, a comparison with a table that is made for it, a die that is shifted and that
//! nobody takes, a list that a rule has given and that is changed.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{
    AstVisitor, BinaryOp, Block, Expression, ExpressionKind, Statement, StatementView,
};
use luau_syntax::location::Position;

use super::Sink;
use super::expressions::{is_game, is_made_here, root_local};
use super::given::is_case;
use super::world::WorldOfNames;
use crate::scope::{ModPath, Scope, text_of};

/// Functions of `table` that change what they are given.
const CHANGE: [&[u8]; 4] = [b"sort", b"insert", b"remove", b"clear"];

/// A slip, and where it stands.
pub(super) enum LuauSlip {
    /// `units[0]`.
    BeforeFirst(Position),
    /// `units == {}`.
    ComparedTable { at: Position, is_empty: bool },
    /// `die:up(1, "a reason")`, as a statement.
    ShiftedForNothing { at: Position, method: String },
    /// `table.sort(m.chapter.rule(game))`.
    ChangedResult { at: Position, rule: ModPath },
}

/// All slips of a file.
pub(super) fn slips(root: Block<'_>, scope: &Scope) -> Vec<LuauSlip> {
    let mut reader = SlipReader {
        scope,
        lists: BTreeSet::new(),
        results: BTreeMap::new(),
        made: BTreeSet::new(),
        found: Vec::new(),
    };
    root.visit(&mut reader);
    reader.found
}

/// Says what is wrong with them.
pub(super) fn check(world: &WorldOfNames<'_>, all: &[LuauSlip], sink: &mut Sink<'_>) {
    for slip in all {
        let (fault, at) = match slip {
            LuauSlip::BeforeFirst(at) => {
                let message = "there is nothing at 0: the first of a list is at 1";
                (Fault::new(FaultCode::OutOfRange, message).hint("`[1]`"), at)
            }
            LuauSlip::ComparedTable { at, is_empty } => {
                let message = "nothing is the same as a table that is made for the comparison";
                let hint = match is_empty {
                    true => "whether a list is empty says `#list == 0`",
                    false => "compare what is in it, one by one",
                };
                (Fault::new(FaultCode::WrongType, message).hint(hint), at)
            }
            LuauSlip::ShiftedForNothing { at, method } => {
                let message = format!("`{method}` gives another die, which nobody takes here");
                let hint =
                    format!("a die stays as it is: `die = die:{method}(…)`, or give it back");
                (Fault::new(FaultCode::WrongType, message).hint(hint), at)
            }
            LuauSlip::ChangedResult { at, rule } => match read_only(world, rule) {
                Some(fault) => (fault, at),
                None => continue,
            },
        };
        sink.put(fault, *at);
    }
}

/// What is wrong with changing a list that a rule gives, if that is one that only reads.
fn read_only(world: &WorldOfNames<'_>, rule: &ModPath) -> Option<Fault> {
    let known = world
        .known
        .rule(&<[String; 3]>::try_from(rule.clone()).ok()?)?;
    let message = format!(
        "what `{}` gives is read-only, for many may hold it",
        known.id
    );
    let is_meant = known.header.handle == "Reads";
    is_meant.then(|| Fault::new(FaultCode::Script, message).hint("change a `table.clone` of it"))
}

struct SlipReader<'a> {
    scope: &'a Scope,
    /// Locals that hold what rules or the game give.
    lists: BTreeSet<u64>,
    /// Locals that hold what a rule gives.
    results: BTreeMap<u64, ModPath>,
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

impl SlipReader<'_> {
    /// The rule that gives it, if one does.
    fn result_of(&self, value: Expression<'_>) -> Option<ModPath> {
        match value.kind() {
            ExpressionKind::Grouped(inner) => self.result_of(inner),
            ExpressionKind::Call { func, .. } => {
                self.scope.in_mod(func).filter(|path| path.len() == 3)
            }
            ExpressionKind::Local { local, .. } => {
                self.results.get(&local.identity().as_u64()).cloned()
            }
            _ => None,
        }
    }

    fn changed(&mut self, list: Expression<'_>) {
        if let Some(rule) = self.result_of(list) {
            let at = list.location().begin;
            self.found.push(LuauSlip::ChangedResult { at, rule });
        }
    }
}

impl<'ast> AstVisitor<'ast> for SlipReader<'_> {
    fn visit_expression_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Expression(one) = statement.view()
            && let ExpressionKind::Call {
                func,
                args,
                self_call: true,
                ..
            } = one.expr.kind()
            && let ExpressionKind::IndexName { index, .. } = func.kind()
            && matches!(index.bytes(), b"up" | b"down")
            && args.len() > 1
        {
            let (at, method) = (statement.location().begin, text_of(index.bytes()));
            self.found.push(LuauSlip::ShiftedForNothing { at, method });
        }
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call { func, args, .. } = expression.kind()
            && let ExpressionKind::IndexName { expr, index, .. } = func.kind()
            && matches!(expr.kind(), ExpressionKind::Global(name) if name == *"table")
            && CHANGE.contains(&index.bytes())
            && let Some(list) = args.first()
        {
            self.changed(*list);
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        let StatementView::Assign(assign) = statement.view() else {
            return true;
        };
        for to in assign.vars {
            match to.kind() {
                ExpressionKind::IndexExpr { expr, .. } => self.changed(expr),
                // It holds something else from here on.
                ExpressionKind::Local { local, .. } => {
                    self.results.remove(&local.identity().as_u64());
                }
                _ => {}
            }
        }
        true
    }

    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                let id = binding.identity().as_u64();
                if let Some(rule) = self.result_of(*value) {
                    self.results.insert(id, rule);
                }
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
    fn what_a_rule_gives_is_changed_in_a_copy() {
        assert_eq!(count("table.sort(m.a.all(game))"), 1);
        assert_eq!(count("local all = m.a.all(game) table.insert(all, 1)"), 1);
        assert_eq!(count("local all = m.a.all(game) all[1] = 2"), 1);
        assert_eq!(
            count("local all = table.clone(m.a.all(game)) table.sort(all)"),
            0
        );
        assert_eq!(
            count("local all = m.a.all(game) all = {} table.sort(all)"),
            0
        );
    }

    #[test]
    fn a_die_that_is_shifted_is_another() {
        assert_eq!(count("unit.die:up(1, 'it waits')"), 1);
        assert_eq!(count("unit.die = unit.die:up(1, 'it waits')"), 0);
        assert_eq!(count("unit:up(1)"), 0);
    }

    #[test]
    fn a_table_is_the_same_as_itself_alone() {
        assert_eq!(count("local x = unit.weapons == {}"), 1);
        assert_eq!(count("local x = { 1 } ~= unit.weapons"), 1);
        assert_eq!(count("local x = #unit.weapons == 0"), 0);
    }
}
