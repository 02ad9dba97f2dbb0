//! Locals that are called `list` where the module `@list` is meant: what is
//! called on them is not there when the rule runs, and the types of what may be
//! anything do not say so.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode};
use luau_syntax::ast::{
    AstVisitor, Block, Expression, ExpressionKind, Statement, StatementView, TableItem,
};
use luau_syntax::location::Position;

use super::Sink;
use crate::scope::{Scope, text_of, word};

/// The module, as files have it without saying so.
const LIST: &str = "list";

/// What it has.
const MEMBERS: [&str; 11] = [
    "filter", "map", "find", "any", "all", "count", "sum", "best", "with", "without", "joined",
];

/// A function of the module that is called on something else.
pub(super) struct Hidden {
    member: String,
    at: Position,
}

/// All such calls of a file.
pub(super) fn hidden(root: Block<'_>, scope: &Scope) -> Vec<Hidden> {
    let mut reader = HiddenReader {
        scope,
        own: BTreeSet::new(),
        calls: Vec::new(),
    };
    root.visit(&mut reader);
    let HiddenReader { own, calls, .. } = reader;
    let meant = calls
        .into_iter()
        .filter(|(local, call)| !own.contains(&(*local, call.member.clone())));
    meant.map(|(_, call)| call).collect()
}

/// Says what is wrong with them.
pub(super) fn check(all: &[Hidden], sink: &mut Sink<'_>) {
    for Hidden { member, at } in all {
        let message = format!(
            "expected `{LIST}.{member}` of the module `@{LIST}`, found a local called `{LIST}`, which hides it"
        );
        let hint = "call the local what is in it: `units`, `others`";
        sink.put(Fault::new(FaultCode::WrongType, message).hint(hint), *at);
    }
}

struct HiddenReader<'a> {
    scope: &'a Scope,
    /// Functions that such locals have themselves, by the local.
    own: BTreeSet<(u64, String)>,
    calls: Vec<(u64, Hidden)>,
}

impl HiddenReader<'_> {
    /// The local and the member, if an expression is a member of such a local.
    fn member(&self, expression: Expression<'_>) -> Option<(u64, String)> {
        let ExpressionKind::IndexName { expr, index, .. } = expression.kind() else {
            return None;
        };
        let ExpressionKind::Local { local, .. } = expr.kind() else {
            return None;
        };
        let is_it = local.name == *LIST && self.scope.path(expr).is_none();
        is_it.then(|| (local.identity().as_u64(), text_of(index.bytes())))
    }
}

impl<'ast> AstVisitor<'ast> for HiddenReader<'_> {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                let ExpressionKind::Table { items } = value.kind() else {
                    continue;
                };
                let keys = items.iter().filter_map(|item| match item {
                    TableItem::Record { key, .. } => word(*key),
                    _ => None,
                });
                let id = binding.identity().as_u64();
                self.own.extend(keys.map(|key| (id, key)));
            }
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            let given: Vec<_> = assign
                .vars
                .iter()
                .filter_map(|to| self.member(*to))
                .collect();
            self.own.extend(given);
        }
        true
    }

    fn visit_function_declaration_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::FunctionDeclaration(declared) = statement.view() {
            let given = self.member(declared.name);
            self.own.extend(given);
        }
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Call {
            func,
            self_call: false,
            ..
        } = expression.kind()
        else {
            return true;
        };
        let called = self
            .member(func)
            .filter(|(_, member)| MEMBERS.contains(&member.as_str()));
        if let Some((local, member)) = called {
            self.calls.push((
                local,
                Hidden {
                    member,
                    at: func.location().begin,
                },
            ));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use luau_syntax::parser::{ParseOptions, ParsedSource};

    use super::*;

    fn found(text: &str) -> Vec<String> {
        let parsed = ParsedSource::parse(text, ParseOptions::default()).unwrap();
        let scope = Scope::read(parsed.root());
        let all = hidden(parsed.root(), &scope).into_iter();
        all.map(|one| format!("{}:{} {}", one.at.line + 1, one.at.column + 1, one.member))
            .collect()
    }

    #[test]
    fn a_local_that_hides_the_module_is_found_where_the_module_is_meant() {
        let text = "function a.b(game, list: any)\n    return list.filter(list, f)\nend\nlocal list = {}\nlist.map(x, f)\n";
        assert_eq!(found(text), ["2:12 filter", "5:1 map"]);
    }

    #[test]
    fn what_is_the_module_or_has_the_function_itself_is_left_alone() {
        for text in [
            "local list = require(\"@list\")\nlist.filter(x, f)\n",
            "local list = require(\"./list\")\nlist.filter(x, f)\n",
            "local list = { filter = f }\nlist.filter(x, f)\n",
            "local list = {}\nfunction list.filter(x)\nend\nlist.filter(x)\n",
            "local list = {}\nlist.filter = f\nlist.filter(x)\n",
            "local list = {}\nlist.length(x)\ntable.insert(list, 1)\n",
            "local function a(list: any)\n    list:filter(1)\nend\n",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn all_that_the_module_has_is_known() {
        let published = include_str!("../../../../schemas/luau/v1/houserule.d.luau");
        let module = published
            .split("export type Lists = {")
            .nth(1)
            .unwrap()
            .split("\n}")
            .next()
            .unwrap();
        let names = module.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix('\t')?.split_once(": ")?;
            name.chars().all(|c| c.is_ascii_lowercase()).then_some(name)
        });
        let names: BTreeSet<&str> = names.collect();
        assert_eq!(names, MEMBERS.into());
    }
}
