//! Rules that give something back, though their headers name no result: whoever
//! asks them hears nothing. And functions of lines that never give anything, so that
//! the line never holds.

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

/// Whether a function never gives anything, not even what another gives.
pub(super) fn gives_nothing(function: &Function<'_>) -> bool {
    let mut reader = ReturnSearch(false);
    function.body.visit(&mut reader);
    !reader.0
}

/// Whether anything is returned, but for `nil`.
struct ReturnSearch(bool);

impl<'ast> AstVisitor<'ast> for ReturnSearch {
    fn visit_function_literal_expression(&mut self, _: Expression<'ast>) -> bool {
        false
    }

    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Return(returned) = statement.view() {
            let is_nil = |one: &Expression<'_>| matches!(one.kind(), ExpressionKind::Nil);
            self.0 |= !returned.expressions.iter().all(is_nil);
        }
        true
    }
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
    for (verb, path, at) in &file.facts.silent_lines {
        let message = format!(
            "line `{verb}` of `{}`: this function never gives anything, so that the line never holds",
            path.join(".")
        );
        let fault = Fault::new(FaultCode::BadSignature, message);
        sink.put(
            fault.hint("a `return` is missing before what it comes to"),
            *at,
        );
    }
}

fn name(path: &ModPath) -> String {
    path[1..].join(".")
}
