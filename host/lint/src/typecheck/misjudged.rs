//! What is returned, and held by the checker against the wrong function.
//!
//! The checker finds the function around a `return` by places. To an `if`
//! without `else` and to a loop belong blocks whose place has the condition, or
//! the header, in it too: what a function gives that stands there is held
//! against the function around the whole statement. An `if` is written otherwise
//! for the checker (see `annotate`); of loops it is passed over.

use std::collections::BTreeSet;

use luau_syntax::ast::{AstVisitor, Expression, Statement, StatementView};
use luau_syntax::location::Position;

/// Where what is returned begins, of all that is misjudged.
#[derive(Default)]
pub(super) struct Misjudged {
    pub places: BTreeSet<Position>,
}

impl Misjudged {
    fn take(&mut self, expression: Expression<'_>) {
        let mut returned = Returned::default();
        expression.visit(&mut returned);
        self.places.extend(returned.0);
    }
}

impl<'ast> AstVisitor<'ast> for Misjudged {
    fn visit_generic_for_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::GenericFor(found) = statement.view() {
            found.values.iter().for_each(|value| self.take(*value));
        }
        true
    }

    fn visit_numeric_for_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::NumericFor(found) = statement.view() {
            let header = [Some(found.start), Some(found.limit), found.step];
            header
                .into_iter()
                .flatten()
                .for_each(|value| self.take(value));
        }
        true
    }
}

/// Whether something is returned in an expression: by a function in it.
pub(super) fn returns_in(expression: Expression<'_>) -> bool {
    let mut returned = Returned::default();
    expression.visit(&mut returned);
    !returned.0.is_empty()
}

/// Where all that is returned in an expression begins.
#[derive(Default)]
struct Returned(Vec<Position>);

impl<'ast> AstVisitor<'ast> for Returned {
    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        self.0.push(statement.location().begin);
        if let StatementView::Return(returned) = statement.view() {
            self.0
                .extend(returned.expressions.iter().map(|one| one.location().begin));
        }
        true
    }
}
