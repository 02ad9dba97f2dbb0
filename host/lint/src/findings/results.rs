//! Rules that give something back, though their headers name no result: whoever
//! asks them hears nothing.

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{AstVisitor, Expression, Function, Statement, StatementView};
use luau_syntax::location::Position;

use super::{File, Sink};
use crate::scope::Path;

/// Where a rule without a result first gives something back.
pub(super) fn given_back(function: &Function<'_>) -> Option<Position> {
    if function.return_annotation.is_some() {
        return None;
    }
    let mut reader = Reader(None);
    function.body.visit(&mut reader);
    reader.0
}

struct Reader(Option<Position>);

impl<'ast> AstVisitor<'ast> for Reader {
    fn visit_function_literal_expression(&mut self, _: Expression<'ast>) -> bool {
        false
    }

    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Return(returned) = statement.view()
            && !returned.expressions.is_empty()
        {
            self.0 = self.0.or(Some(statement.location().begin));
        }
        true
    }
}

/// Checks the rules of a file.
pub(super) fn check(file: &File<'_>, sink: &mut Sink<'_>) {
    for (path, at) in &file.facts.given_back {
        let message = format!("`{}` gives something back, and its header names no result", name(path));
        let hint = "say what it gives after its parameters: `function …(…): Reason?`";
        sink.put(Fault::new(FaultCode::BadSignature, message).hint(hint), *at);
    }
}

fn name(path: &Path) -> String {
    path[1..].join(".")
}
