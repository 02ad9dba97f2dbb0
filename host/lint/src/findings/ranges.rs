//! Domains whose numbers are written down and leave nothing to choose.

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{AstVisitor, Block, Expression, ExpressionKind};
use luau_syntax::location::Position;

use super::Sink;

/// A domain that nobody can ever choose from.
pub(super) struct EmptyRange {
    least: f64,
    most: f64,
    at: Position,
}

/// All of them in a file: `domain.several(list, 2, 1)`, `domain.integer(5, 2)`.
pub(super) fn empty(root: Block<'_>) -> Vec<EmptyRange> {
    let mut reader = RangeReader(Vec::new());
    root.visit(&mut reader);
    reader.0
}

struct RangeReader(Vec<EmptyRange>);

impl<'ast> AstVisitor<'ast> for RangeReader {
    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call { func, args, .. } = expression.kind()
            && let ExpressionKind::IndexName { expr, index, .. } = func.kind()
            && is_domain(expr)
        {
            let first = match index.bytes() {
                b"several" => 1,
                b"integer" => 0,
                _ => return true,
            };
            let number = |place: usize| args.get(place).and_then(|arg| number(*arg));
            if let (Some(least), Some(most)) = (number(first), number(first + 1))
                && least > most
            {
                let at = args[first].location().begin;
                self.0.push(EmptyRange { least, most, at });
            }
        }
        true
    }
}

fn number(expression: Expression<'_>) -> Option<f64> {
    match expression.kind() {
        ExpressionKind::Number { value, .. } => Some(value),
        _ => None,
    }
}

/// Whether it is the module of domains, as files have it or require it.
fn is_domain(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Local { local, .. } => local.name.bytes() == b"domain",
        ExpressionKind::Global(name) => name.bytes() == b"domain",
        _ => false,
    }
}

/// Tells each of them.
pub(super) fn check(found: &[EmptyRange], sink: &mut Sink<'_>) {
    for EmptyRange { least, most, at } in found {
        let message = format!(
            "expected the least before the most, found {least} before {most}: nothing can be chosen"
        );
        sink.put(Fault::new(FaultCode::BadQuestion, message), *at);
    }
}
