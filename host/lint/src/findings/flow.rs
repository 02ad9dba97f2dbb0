//! Lines that nothing reaches, and wraps that can give back something without
//! what they go around.

use luau_syntax::ast::{
    AstVisitor, BinaryOp, Block, Expression, ExpressionKind, Function, Statement, StatementView,
};
use luau_syntax::location::Position;

/// Where lines begin that nothing reaches.
pub(super) fn unreachable(root: Block<'_>) -> Vec<Position> {
    let mut reader = Unreachable::default();
    root.visit(&mut reader);
    reader.0
}

#[derive(Default)]
struct Unreachable(Vec<Position>);

impl<'ast> AstVisitor<'ast> for Unreachable {
    fn visit_block(&mut self, block: Block<'ast>) -> bool {
        let all = block.as_slice();
        let end = all.iter().position(|statement| ends(*statement));
        if let Some(next) = end.and_then(|end| all.get(end + 1)) {
            self.0.push(next.location().begin);
        }
        true
    }
}

/// Whether what comes after a block is not reached through it.
pub(super) fn leaves(block: Block<'_>) -> bool {
    block.as_slice().last().is_some_and(|last| ends(*last))
}

fn ends(statement: Statement<'_>) -> bool {
    match statement.view() {
        StatementView::Return(_) | StatementView::Break | StatementView::Continue => true,
        StatementView::Block(block) => leaves(block),
        StatementView::If(one) => leaves(one.then_body) && one.else_body.is_some_and(ends),
        StatementView::Expression(expression) => is_error(expression.expr),
        _ => false,
    }
}

fn is_error(expression: Expression<'_>) -> bool {
    let ExpressionKind::Call { func, .. } = expression.kind() else {
        return false;
    };
    matches!(func.kind(), ExpressionKind::Global(name) if name == *"error")
}

/// Whether a wrap can give something back without calling its base.
pub(super) fn swallows(function: &Function<'_>) -> bool {
    let Some(base) = first_local(function) else {
        return true;
    };
    !always(function.body, base).is_some_and(|calls| calls)
}

/// Whether a wrap has its base in mind at all.
pub(super) fn asks_base(function: &Function<'_>) -> bool {
    let Some(base) = first_local(function) else {
        return false;
    };
    let mut reader = LocalSearch {
        local: base,
        found: false,
    };
    function.body.visit(&mut reader);
    reader.found
}

struct LocalSearch {
    local: u64,
    found: bool,
}

impl<'ast> AstVisitor<'ast> for LocalSearch {
    fn visit_local_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Local { local, .. } = expression.kind() {
            self.found |= local.identity().as_u64() == self.local;
        }
        true
    }
}

/// Whether the base is called on every way through a block: nothing if a way
/// leads out of the function without.
fn always(block: Block<'_>, base: u64) -> Option<bool> {
    for statement in block.as_slice() {
        if one(*statement, base)? {
            return Some(true);
        }
    }
    Some(false)
}

fn one(statement: Statement<'_>, base: u64) -> Option<bool> {
    let any = |all: &[Expression<'_>]| all.iter().any(|one| calls(*one, base));
    match statement.view() {
        StatementView::Return(returned) => any(returned.expressions).then_some(true),
        StatementView::Local(local) => Some(any(local.values)),
        StatementView::Assign(assign) => Some(any(assign.values)),
        StatementView::CompoundAssign(assign) => Some(calls(assign.value, base)),
        StatementView::Expression(expression) => Some(calls(expression.expr, base)),
        StatementView::Block(block) => always(block, base),
        StatementView::If(branch) => {
            let condition = calls(branch.condition, base);
            if condition {
                return Some(true);
            }
            let then = always(branch.then_body, base)?;
            let other = match branch.else_body {
                Some(other) => one(other, base)?,
                None => false,
            };
            Some(then && other)
        }
        StatementView::GenericFor(each) => {
            if any(each.values) {
                return Some(true);
            }
            always(each.body, base).map(|_| false)
        }
        StatementView::NumericFor(each) => always(each.body, base).map(|_| false),
        StatementView::While(each) => always(each.body, base).map(|_| false),
        StatementView::Repeat(each) => always(each.body, base),
        _ => Some(false),
    }
}

/// Whether an expression calls the base whatever is in it.
fn calls(expression: Expression<'_>, base: u64) -> bool {
    let mut reader = Calls { base, found: false };
    expression.visit(&mut reader);
    reader.found
}

struct Calls {
    base: u64,
    found: bool,
}

impl<'ast> AstVisitor<'ast> for Calls {
    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call { func, args, .. } = expression.kind() {
            let is_base = |one: Expression<'_>| matches!(one.kind(), ExpressionKind::Local { local, .. } if local.identity().as_u64() == self.base);
            // Who is handed the base, such as `pcall`, calls it.
            self.found |= is_base(func) || args.iter().any(|arg| is_base(*arg));
        }
        true
    }

    fn visit_function_literal_expression(&mut self, _: Expression<'ast>) -> bool {
        false
    }

    fn visit_binary_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Binary {
            lhs,
            op: BinaryOp::And | BinaryOp::Or,
            ..
        } = expression.kind()
        {
            lhs.visit(self);
            return false;
        }
        true
    }

    fn visit_if_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::If {
            condition,
            then_expression,
            else_expression,
            ..
        } = expression.kind()
        {
            condition.visit(self);
            self.found |= calls(then_expression, self.base) && calls(else_expression, self.base);
        }
        false
    }
}

/// The first parameter of a function, which a wrap takes its base by.
fn first_local(function: &Function<'_>) -> Option<u64> {
    function.args.first().map(|local| local.identity().as_u64())
}
