//! State that is kept in a table of the file: rules that write into it. The table is
//! frozen when the mod is loaded, so that each write is a fault once it is played.
//!
//! Functions that only loading calls may write. Those that rules reach are looked
//! at: functions of chapters, those that are handed to the API, and the functions
//! of the file that are named in one of these.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{AstVisitor, Block, Expression, ExpressionKind, Statement, StatementView};
use luau_syntax::location::Position;

use super::Sink;
use crate::scope::{Scope, text_of};

/// A rule that writes into a table of its file.
pub(super) struct KeptWrite {
    table: String,
    /// The function that writes, if none of the language's own signs does.
    by: Option<String>,
    at: Position,
}

/// All such writes of a file.
pub(super) fn kept(root: Block<'_>, scope: &Scope) -> Vec<KeptWrite> {
    let mut file = FileWrites {
        scope,
        tables: tables(root),
        rules: FunctionWrites::default(),
        functions: BTreeMap::new(),
    };
    if file.tables.is_empty() {
        return Vec::new();
    }
    root.visit(&mut file);
    file.reached()
}

/// Says what is wrong with them.
pub(super) fn check(all: &[KeptWrite], sink: &mut Sink<'_>) {
    for KeptWrite { table, by, at } in all {
        let how = match by {
            Some(by) => format!("is written to by `{by}`"),
            None => "is written to".into(),
        };
        let message = format!(
            "expected rules to keep nothing between two calls, found that `{table}`, a table of the file, {how}"
        );
        let hint = "state lives in entities: keep it in an attribute of one";
        sink.put(Fault::new(FaultCode::HiddenState, message).hint(hint), *at);
    }
}

/// The tables that a file makes, by the locals that hold them.
fn tables(root: Block<'_>) -> BTreeMap<u64, String> {
    let mut found = BTreeMap::new();
    for statement in root.as_slice() {
        let StatementView::Local(local) = statement.view() else {
            continue;
        };
        for (binding, value) in local.bindings.iter().zip(local.values) {
            if makes_table(*value) {
                let name = text_of(binding.name.bytes());
                found.insert(binding.identity().as_u64(), name);
            }
        }
    }
    found
}

/// Whether an expression makes a table.
fn makes_table(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Table { .. } => true,
        ExpressionKind::Grouped(inner) => makes_table(inner),
        ExpressionKind::TypeAssertion { expr, .. } => makes_table(expr),
        ExpressionKind::Call { func, .. } => {
            library(func).is_some_and(|name| ["table.create", "table.clone"].contains(&&*name))
        }
        _ => false,
    }
}

/// The name of a function of the library `table`, or of `rawset`.
fn library(function: Expression<'_>) -> Option<String> {
    match function.kind() {
        ExpressionKind::Global(name) if name == *"rawset" => Some("rawset".into()),
        ExpressionKind::IndexName { expr, index, .. } => {
            let is_it = matches!(expr.kind(), ExpressionKind::Global(name) if name == *"table");
            is_it.then(|| format!("table.{}", text_of(index.bytes())))
        }
        _ => None,
    }
}

/// What a function does, with those within it.
#[derive(Default)]
struct FunctionWrites {
    writes: Vec<KeptWrite>,
    /// The locals that are named.
    names: BTreeSet<u64>,
}

/// A file: its rules as one, and its own functions, each by its local.
struct FileWrites<'a> {
    scope: &'a Scope,
    tables: BTreeMap<u64, String>,
    rules: FunctionWrites,
    functions: BTreeMap<u64, FunctionWrites>,
}

impl FileWrites<'_> {
    fn unit(&self, expression: Expression<'_>) -> FunctionWrites {
        let mut body = Body {
            tables: self.tables.clone(),
            unit: FunctionWrites::default(),
        };
        expression.visit(&mut body);
        body.unit
    }

    fn add_rule(&mut self, expression: Expression<'_>) {
        let unit = self.unit(expression);
        self.rules.writes.extend(unit.writes);
        self.rules.names.extend(unit.names);
    }

    /// Whether what is called takes rules: a function of the API, or a line or a
    /// wrap of a rule.
    fn takes_rules(&self, called: Expression<'_>) -> bool {
        let is_api = self
            .scope
            .path(called)
            .is_some_and(|path| path.first().is_some_and(|module| module == "@rules"));
        is_api
            || self
                .scope
                .in_mod(called)
                .is_some_and(|path| path.get(1).is_some_and(|part| part == "over"))
    }

    /// The writes of rules, and of the functions that these can reach.
    fn reached(mut self) -> Vec<KeptWrite> {
        let mut found = self.rules.writes;
        let mut names: Vec<u64> = self.rules.names.into_iter().collect();
        while let Some(name) = names.pop() {
            if let Some(unit) = self.functions.remove(&name) {
                found.extend(unit.writes);
                names.extend(unit.names);
            }
        }
        found.sort_by_key(|write| (write.at.line, write.at.column));
        found
    }
}

impl<'ast> AstVisitor<'ast> for FileWrites<'_> {
    fn visit_local_function_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::LocalFunction(local) = statement.view() {
            let unit = self.unit(local.function);
            self.functions.insert(local.name.identity().as_u64(), unit);
        }
        false
    }

    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                if value.as_function().is_some() {
                    let unit = self.unit(*value);
                    self.functions.insert(binding.identity().as_u64(), unit);
                } else {
                    value.visit(self);
                }
            }
        }
        false
    }

    fn visit_function_declaration_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::FunctionDeclaration(declared) = statement.view()
            && self.scope.in_mod(declared.name).is_some()
        {
            self.add_rule(declared.function);
        }
        false
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            for (target, value) in assign.vars.iter().zip(assign.values) {
                let is_rule = self.scope.in_mod(*target).is_some()
                    && !matches!(value.kind(), ExpressionKind::Call { .. });
                if is_rule {
                    self.add_rule(*value);
                }
            }
        }
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Call { func, args, .. } = expression.kind() else {
            return true;
        };
        let takes_rules = self.takes_rules(func);
        if takes_rules {
            args.iter().for_each(|arg| self.add_rule(*arg));
        }
        !takes_rules
    }
}

/// What is done within a function.
struct Body {
    /// The tables of the file, and the locals that hold something in one of them.
    tables: BTreeMap<u64, String>,
    unit: FunctionWrites,
}

impl Body {
    /// The table of the file that an expression is, or is something in.
    fn table(&self, expression: Expression<'_>) -> Option<String> {
        match expression.kind() {
            ExpressionKind::Local { local, .. } => {
                self.tables.get(&local.identity().as_u64()).cloned()
            }
            ExpressionKind::IndexName { expr, .. } | ExpressionKind::IndexExpr { expr, .. } => {
                self.table(expr)
            }
            ExpressionKind::Grouped(inner) => self.table(inner),
            ExpressionKind::TypeAssertion { expr, .. } => self.table(expr),
            _ => None,
        }
    }

    /// A write to a field of an expression, if that is in a table of the file.
    fn assigned(&mut self, target: Expression<'_>) {
        let (ExpressionKind::IndexName { expr, .. } | ExpressionKind::IndexExpr { expr, .. }) =
            target.kind()
        else {
            return;
        };
        if let Some(table) = self.table(expr) {
            let at = target.location().begin;
            self.unit.writes.push(KeptWrite {
                table,
                by: None,
                at,
            });
        }
    }
}

/// The functions of the library that write, and where what they write into stands
/// among what they are given.
const WRITERS: [(&str, usize); 6] = [
    ("table.insert", 0),
    ("table.remove", 0),
    ("table.sort", 0),
    ("table.clear", 0),
    ("table.move", 4),
    ("rawset", 0),
];

impl<'ast> AstVisitor<'ast> for Body {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                if let Some(table) = self.table(*value) {
                    self.tables.insert(binding.identity().as_u64(), table);
                }
            }
        }
        true
    }

    fn visit_local_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Local { local, .. } = expression.kind() {
            self.unit.names.insert(local.identity().as_u64());
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            assign.vars.iter().for_each(|target| self.assigned(*target));
        }
        true
    }

    fn visit_compound_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::CompoundAssign(assign) = statement.view() {
            self.assigned(assign.var);
        }
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Call { func, args, .. } = expression.kind() else {
            return true;
        };
        let Some(by) = library(func) else {
            return true;
        };
        let place = WRITERS
            .iter()
            .find(|(name, _)| *name == by)
            .map(|(_, at)| *at);
        // `table.move` without a fifth writes into the first.
        let target = place.and_then(|at| args.get(at).or_else(|| args.first()));
        if let Some(table) = target.and_then(|target| self.table(*target)) {
            let at = expression.location().begin;
            self.unit.writes.push(KeptWrite {
                table,
                by: Some(by),
                at,
            });
        }
        true
    }
}
