//! What an expression is, as it stands in the text: the game, a table and its
//! keys, what hangs on a local.

use luau_syntax::ast::{Expression, ExpressionKind, Local, TableItem};
use luau_syntax::location::Position;

use crate::scope::word;

/// A word, and where it stands.
pub(super) type PlacedWord = (String, Position);

/// Whether it is the game.
pub(crate) fn is_game(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Local { local, .. } => matches!(local.name.bytes(), b"game" | b"_game"),
        _ => false,
    }
}

/// The keys that are written out in a table, each with its place.
pub(super) fn keys_of(table: Expression<'_>) -> Vec<PlacedWord> {
    let ExpressionKind::Table { items } = table.kind() else {
        return Vec::new();
    };
    let key = |item: &TableItem<'_>| match item {
        TableItem::Record { key, .. } => Some((word(*key)?, key.location().begin)),
        _ => None,
    };
    items.iter().filter_map(key).collect()
}

/// The local that it is a part of, however deep.
pub(super) fn root_local<'ast>(expression: Expression<'ast>) -> Option<&'ast Local<'ast>> {
    match expression.kind() {
        ExpressionKind::Local { local, .. } => Some(local),
        ExpressionKind::IndexName { expr, .. } | ExpressionKind::IndexExpr { expr, .. } => {
            root_local(expr)
        }
        ExpressionKind::Grouped(inner) => root_local(inner),
        _ => None,
    }
}

/// Whether it is a table that is made where it stands.
pub(super) fn is_made_here(value: Expression<'_>) -> bool {
    match value.kind() {
        ExpressionKind::Table { .. } => true,
        ExpressionKind::Call { func, .. } => match func.kind() {
            ExpressionKind::IndexName { expr, .. } => {
                matches!(expr.kind(), ExpressionKind::Global(name) if name == *"table")
            }
            _ => false,
        },
        _ => false,
    }
}
