//! What the names of a file stand for: mods, their chapters, and what is in
//! them.

use std::collections::BTreeMap;

use luau_syntax::ast::{AstVisitor, Block, Expression, ExpressionKind, Statement, StatementView};

/// Modules of the host, which are no mods.
const OF_THE_HOST: [&str; 5] = ["rules", "ask", "domain", "list", "test"];

/// A way into what a file requires: `@dsii`, `fire`, `die`.
pub(crate) type ModPath = Vec<String>;

/// The locals of a file that stand for something that it requires.
#[derive(Default)]
pub(crate) struct Scope {
    by_identity: BTreeMap<u64, ModPath>,
    by_name: BTreeMap<String, ModPath>,
}

impl Scope {
    /// Reads a file.
    pub fn read(root: Block<'_>) -> Scope {
        let mut scope = Scope::default();
        root.visit(&mut scope);
        scope
    }

    /// What an expression stands for, if it is a way into something required.
    pub fn path(&self, expression: Expression<'_>) -> Option<ModPath> {
        match expression.kind() {
            ExpressionKind::Local { local, .. } => {
                self.by_identity.get(&local.identity().as_u64()).cloned()
            }
            ExpressionKind::Grouped(inner) => self.path(inner),
            ExpressionKind::IndexName { expr, index, .. } => {
                let mut path = self.path(expr)?;
                path.push(text_of(index.bytes()));
                Some(path)
            }
            ExpressionKind::Call {
                func,
                args: [wanted],
                ..
            } => {
                let is_require =
                    matches!(func.kind(), ExpressionKind::Global(name) if name == *"require");
                let wanted = is_require.then(|| word(*wanted)).flatten()?;
                Some(vec![
                    wanted.strip_suffix('?').unwrap_or(&wanted).to_string(),
                ])
            }
            _ => None,
        }
    }

    /// The same within a mod: its id, and what follows.
    pub fn in_mod(&self, expression: Expression<'_>) -> Option<ModPath> {
        within_mod(self.path(expression)?)
    }

    /// The same for a local by its name, wherever in the file it is.
    pub fn named(&self, local: &str) -> Option<ModPath> {
        within_mod(self.by_name.get(local)?.clone())
    }
}

impl<'ast> AstVisitor<'ast> for Scope {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                if let Some(path) = self.path(*value) {
                    self.by_name
                        .insert(text_of(binding.name.bytes()), path.clone());
                    self.by_identity.insert(binding.identity().as_u64(), path);
                }
            }
        }
        true
    }
}

fn within_mod(mut path: ModPath) -> Option<ModPath> {
    let first = path.first_mut()?;
    *first = module_of(first)?.to_string();
    Some(path)
}

/// The mod that `require` of this gives the chapters of.
pub(crate) fn module_of(wanted: &str) -> Option<&str> {
    let module = wanted.strip_prefix('@')?;
    (!module.contains('/') && !OF_THE_HOST.contains(&module)).then_some(module)
}

/// A text that stands in the file.
pub(crate) fn word(expression: Expression<'_>) -> Option<String> {
    Some(expression.as_string()?.value.as_bstr().to_string())
}

/// A name as text.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
