//! Rules that give something back, though their headers name no result: whoever
//! asks them hears nothing.

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{
    AstVisitor, Expression, ExpressionKind, Function, Statement, StatementView,
};
use luau_syntax::location::Position;

use super::{FileFacts, Sink};
use crate::scope::ModPath;

/// Where a rule without a result first gives something back.
pub(super) fn given_back(function: &Function<'_>) -> Option<Position> {
    if function.return_annotation.is_some() {
        return None;
    }
    let mut reader = ResultReader(None);
    function.body.visit(&mut reader);
    reader.0
}

struct ResultReader(Option<Position>);

impl<'ast> AstVisitor<'ast> for ResultReader {
    fn visit_function_literal_expression(&mut self, _: Expression<'ast>) -> bool {
        false
    }

    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Return(returned) = statement.view()
            && returned.expressions.iter().any(|one| is_something(*one))
        {
            self.0 = self.0.or(Some(statement.location().begin));
        }
        true
    }
}

/// Whether an expression is certainly something: a step may leave by a call of
/// another that gives nothing.
fn is_something(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Nil => false,
        ExpressionKind::Grouped(inner) => is_something(inner),
        ExpressionKind::Call { func, .. } => match func.kind() {
            ExpressionKind::IndexName { expr, .. } => is_of_host(expr),
            _ => false,
        },
        _ => true,
    }
}

/// Whether it is a local by which files call a module that makes something.
fn is_of_host(expression: Expression<'_>) -> bool {
    let ExpressionKind::Local { local, .. } = expression.kind() else {
        return false;
    };
    matches!(local.name.bytes(), b"rules" | b"domain" | b"list")
}

/// Checks the rules of a file.
pub(super) fn check(file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for (path, at) in &file.facts.given_back {
        let message = format!(
            "`{}` gives something back, and its header names no result",
            name(path)
        );
        let hint = "say what it gives after its parameters: `function …(…): Reason?`";
        sink.put(Fault::new(FaultCode::BadSignature, message).hint(hint), *at);
    }
}

fn name(path: &ModPath) -> String {
    path[1..].join(".")
}
