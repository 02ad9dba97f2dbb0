//! Words that are none of those that something may be: to the checker a word of
//! an enum may be compared with any text, and ask a table for any key.
//!
//! What something may be is taken from its declaration, and not from what is
//! known of it at that place: between two comparisons a step may change it.

use std::collections::{BTreeMap, BTreeSet};

use kernel::world::closest;
use luau_analysis::SemanticModel;
use luau_analysis::types::{Name, Property, SingletonValue, TypeId, TypeKind};
use luau_syntax::ast::{
    AstVisitor, BinaryOp, Expression, ExpressionKind, Statement, StatementView, TableItem,
};
use luau_syntax::location::Position;

use crate::findings::is_case;
use crate::scope::{text_of, word};

/// A word that something never is.
pub(super) struct NeverWord {
    pub at: Position,
    pub message: String,
    pub hint: Option<String>,
}

/// All such words of a file.
pub(super) fn never_words(model: &SemanticModel<'_>) -> Vec<NeverWord> {
    let Some(root) = model.module().root() else {
        return Vec::new();
    };
    let mut reader = WordReader {
        model,
        found: Vec::new(),
        tables: BTreeMap::new(),
        fields: BTreeMap::new(),
    };
    root.visit(&mut reader);
    reader.tell_of_tables();
    reader.found
}

/// A word as a key of a table, and where it stands.
type Key = (String, Position);

/// A local table of words, and by what it is read.
struct WordTable {
    keys: Vec<Key>,
    /// What its readers may be; nothing where that is not known of one of them.
    read_by: Option<BTreeSet<String>>,
}

struct WordReader<'m, 'f> {
    model: &'m SemanticModel<'f>,
    found: Vec<NeverWord>,
    /// By the local that holds it.
    tables: BTreeMap<u64, WordTable>,
    /// What locals can be that hold a field, by the declaration of the field.
    fields: BTreeMap<u64, BTreeSet<String>>,
}

impl WordReader<'_, '_> {
    fn compared(&mut self, value: Expression<'_>, with: Expression<'_>) {
        let Some(text) = word(with).filter(|_| word(value).is_none()) else {
            return;
        };
        let Some(words) = self.words_of(value).filter(|words| !words.contains(&text)) else {
            return;
        };
        let what = match value.kind() {
            ExpressionKind::IndexName { index, .. } => format!("`{}`", text_of(index.bytes())),
            _ => "this".into(),
        };
        self.never(&what, &words, &text, with.location().begin);
    }

    fn never(&mut self, what: &str, words: &BTreeSet<String>, text: &str, at: Position) {
        let near = closest(text, words.iter().map(String::as_str));
        self.found.push(NeverWord {
            at,
            message: format!("{what} is never `{text}`"),
            hint: near.map(|near| format!("did you mean `{near}`?")),
        });
    }

    /// The words that something may be, if it is a word or nothing.
    fn words_of(&self, value: Expression<'_>) -> Option<BTreeSet<String>> {
        if let Some(text) = word(value) {
            return Some(BTreeSet::from([text]));
        }
        match value.kind() {
            ExpressionKind::Grouped(inner) => self.words_of(inner),
            ExpressionKind::Local { local, .. } => {
                let mut words =
                    self.words_in(self.model.binding_at(value.location().begin)?.type_id)?;
                words.extend(
                    self.fields
                        .get(&local.identity().as_u64())
                        .into_iter()
                        .flatten()
                        .cloned(),
                );
                Some(words)
            }
            ExpressionKind::IndexName { expr, index, .. } => {
                let owner = self.model.expression_type(expr)?.id();
                self.words_in(self.property(owner, index.bytes())?)
            }
            ExpressionKind::Binary {
                lhs,
                op: BinaryOp::Or,
                rhs,
            } => self.words_of_both(lhs, rhs),
            ExpressionKind::If {
                then_expression,
                else_expression,
                ..
            } => self.words_of_both(then_expression, else_expression),
            ExpressionKind::Call { .. } | ExpressionKind::TypeAssertion { .. } => {
                self.words_in(self.model.expression_type(value)?.id())
            }
            _ => None,
        }
    }

    fn words_of_both(
        &self,
        one: Expression<'_>,
        other: Expression<'_>,
    ) -> Option<BTreeSet<String>> {
        let mut words = self.words_of(one)?;
        words.extend(self.words_of(other)?);
        Some(words)
    }

    fn words_in(&self, ty: TypeId) -> Option<BTreeSet<String>> {
        let mut words = BTreeSet::new();
        (self.take_words(ty, &mut words) && !words.is_empty()).then_some(words)
    }

    fn take_words(&self, ty: TypeId, words: &mut BTreeSet<String>) -> bool {
        let graph = self.model.graph();
        let ty = graph.follow_type(ty);
        match graph.kind(ty) {
            TypeKind::Singleton(singleton) => match &singleton.value {
                SingletonValue::String(text) => {
                    words.insert(text.value.to_string());
                    true
                }
                SingletonValue::Boolean(_) => false,
            },
            TypeKind::Union(union) => union
                .options
                .iter()
                .all(|option| self.take_words(*option, words)),
            TypeKind::Primitive(_) => graph.stringify_type(ty) == "nil",
            _ => false,
        }
    }

    /// The type of a field of a kind or of a record.
    fn property(&self, owner: TypeId, name: &[u8]) -> Option<TypeId> {
        let graph = self.model.graph();
        match graph.kind(graph.follow_type(owner)) {
            TypeKind::Table(record) => read_type(&record.props, name),
            TypeKind::Extern(kind) => {
                read_type(&kind.props, name).or_else(|| self.property(kind.parent?, name))
            }
            _ => None,
        }
    }

    /// A table of words that stands where it is read.
    fn indexed(&mut self, table: Expression<'_>, index: Expression<'_>) {
        let words = self.words_of(index);
        match ungrouped(table).kind() {
            ExpressionKind::Table { items } => {
                if let (Some(keys), Some(words)) = (keys_of(items), words) {
                    self.keys_that_never_come(&keys, &words);
                }
            }
            ExpressionKind::Local { local, .. } => {
                if let Some(known) = self.tables.get_mut(&local.identity().as_u64()) {
                    known.is_read_by(words);
                }
            }
            _ => table.visit(self),
        }
    }

    fn keys_that_never_come(&mut self, keys: &[Key], words: &BTreeSet<String>) {
        for (key, at) in keys.iter().filter(|(key, _)| !words.contains(key)) {
            self.never("what this table is asked for", words, key, *at);
        }
    }

    fn tell_of_tables(&mut self) {
        for table in std::mem::take(&mut self.tables).into_values() {
            if let Some(words) = table.words().filter(|words| !words.is_empty()) {
                self.keys_that_never_come(&table.keys, words);
            }
        }
    }
}

impl WordTable {
    fn is_read_by(&mut self, words: Option<BTreeSet<String>>) {
        match (words, &mut self.read_by) {
            (Some(words), Some(known)) => known.extend(words),
            _ => self.read_by = None,
        }
    }

    fn words(&self) -> Option<&BTreeSet<String>> {
        self.read_by.as_ref()
    }
}

fn read_type(properties: &BTreeMap<Name, Property>, name: &[u8]) -> Option<TypeId> {
    properties.get(&Name::from(name))?.read_ty
}

fn ungrouped(expression: Expression<'_>) -> Expression<'_> {
    match expression.kind() {
        ExpressionKind::Grouped(inner) => ungrouped(inner),
        _ => expression,
    }
}

/// The keys of a table that has no others than words.
fn keys_of(items: &[TableItem<'_>]) -> Option<Vec<Key>> {
    let key = |item: &TableItem<'_>| match item {
        TableItem::Record { key, .. } => Some((word(*key)?, key.location().begin)),
        TableItem::General { key, .. } => Some((word(*key)?, key.location().begin)),
        TableItem::List { .. } => None,
    };
    items.iter().map(key).collect()
}

impl<'ast> AstVisitor<'ast> for WordReader<'_, '_> {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                let words = binding
                    .annotation
                    .is_none()
                    .then(|| self.words_of(*value))
                    .flatten();
                self.fields
                    .extend(words.map(|words| (binding.identity().as_u64(), words)));
                if let ExpressionKind::Table { items } = value.kind()
                    && let Some(keys) = keys_of(items)
                {
                    let table = WordTable {
                        keys,
                        read_by: Some(BTreeSet::new()),
                    };
                    self.tables.insert(binding.identity().as_u64(), table);
                }
            }
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            for (to, value) in assign.vars.iter().zip(assign.values) {
                if matches!(to.kind(), ExpressionKind::IndexName { .. }) {
                    self.compared(*to, *value);
                }
            }
        }
        true
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call {
            func,
            args: [one, other, ..],
            self_call: true,
            ..
        } = expression.kind()
            && let ExpressionKind::IndexName { expr, index, .. } = func.kind()
            && index == *"eq"
            && is_case(expr)
        {
            self.compared(*one, *other);
            self.compared(*other, *one);
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
            self.compared(lhs, rhs);
            self.compared(rhs, lhs);
        }
        true
    }

    fn visit_index_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::IndexExpr { expr, index, .. } = expression.kind() else {
            return true;
        };
        self.indexed(expr, index);
        index.visit(self);
        false
    }

    fn visit_local_expression(&mut self, expression: Expression<'ast>) -> bool {
        // Whoever else has the table may read it by anything.
        if let ExpressionKind::Local { local, .. } = expression.kind() {
            self.tables.remove(&local.identity().as_u64());
        }
        true
    }
}
