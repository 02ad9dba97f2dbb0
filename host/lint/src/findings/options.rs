//! The options that cases set, and what they may be.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, owner_of};
use luau_syntax::ast::{Expression, ExpressionKind, TableItem};
use luau_syntax::location::Position;
use rules::types::{no_entities, parse_value};

use super::world::WorldOfNames;
use super::{FileFacts, Sink};
use crate::scope::word;

/// The value that a case gives to an option, as text.
#[derive(Debug)]
pub(super) struct OptionChoice {
    option: String,
    value: String,
    at: Position,
}

/// The options in what stands beside the title of a case.
pub(super) fn choices(spec: Expression<'_>) -> Vec<OptionChoice> {
    let options = fields(spec).into_iter().find(|(name, _)| name == "options");
    let all = options
        .map(|(_, options)| fields(options))
        .unwrap_or_default();
    let choice = |(option, value): (String, Expression<'_>)| {
        Some(OptionChoice {
            option,
            value: literal(value)?,
            at: value.location().begin,
        })
    };
    all.into_iter().filter_map(choice).collect()
}

/// What stands under the keys of a table.
fn fields<'ast>(table: Expression<'ast>) -> Vec<(String, Expression<'ast>)> {
    let ExpressionKind::Table { items } = table.kind() else {
        return Vec::new();
    };
    let field = |item: &TableItem<'ast>| match item {
        TableItem::Record { key, value } | TableItem::General { key, value } => {
            Some((word(*key)?, *value))
        }
        TableItem::List { .. } => None,
    };
    items.iter().filter_map(field).collect()
}

/// A value as it is handed on; nothing of what is worked out first.
fn literal(value: Expression<'_>) -> Option<String> {
    match value.kind() {
        ExpressionKind::Boolean(yes) => Some(yes.to_string()),
        ExpressionKind::Number { value, .. } => Some(value.to_string()),
        _ => word(value),
    }
}

/// Checks the options of a file. That a mod has none of that name, its id says.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for OptionChoice { option, value, at } in &file.facts.choices {
        let module = Name::from(owner_of(option));
        if !world.known.manifests().contains_key(&module) {
            let end = format!(".{option}");
            let mut own = world.known.options(file.module);
            let fault = Fault::new(
                FaultCode::UnknownOption,
                format!("expected an option by its whole id, found `{option}`"),
            );
            let whole = own.find(|one| one.id.ends_with(&end));
            let hint = whole.map(|whole| format!("`[\"{}\"]`", whole.id));
            sink.put(hint.into_iter().fold(fault, Fault::hint), *at);
            continue;
        }
        let Some(known) = world.known.options(&module).find(|one| *one.id == **option) else {
            continue;
        };
        if let Err(mismatch) = parse_value(&known.ty, value, &no_entities) {
            sink.put(
                Fault::mismatch(&format!("option `{option}`"), &mismatch),
                *at,
            );
        }
    }
}
