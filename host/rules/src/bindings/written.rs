//! Types as the data of a mod write them: composed they have no names any more.

use super::ModContext;

/// The type of an attribute that the mod declares, of a kind of its own or of
/// another mod.
pub(super) fn of_attribute<'k>(
    known: &ModContext<'k>,
    kind: &str,
    attribute: &str,
) -> Option<&'k str> {
    let data = known.own?;
    let own = data
        .kinds
        .iter()
        .map(|item| (&item.header, &item.attributes));
    let more = data
        .extensions
        .iter()
        .map(|item| (&item.header, &item.attributes));
    own.chain(more)
        .filter(|(header, _)| *header.id == *kind)
        .flat_map(|(_, attributes)| attributes)
        .find(|item| *item.name == *attribute)
        .map(|item| &*item.ty)
}

/// The type of a column of a table of the mod.
pub(super) fn of_column<'k>(known: &ModContext<'k>, table: &str, column: &str) -> Option<&'k str> {
    let tables = &known.own?.tables;
    let table = tables.iter().find(|item| *item.header.id == *table)?;
    let mut columns = table.columns.iter();
    columns
        .find(|(name, _)| **name == *column)
        .map(|(_, ty)| &**ty)
}

/// The fields of an event of the mod.
pub(super) fn of_event<'k>(known: &ModContext<'k>, event: &str) -> Option<&'k str> {
    let events = &known.own?.events;
    let event = events.iter().find(|item| *item.header.id == *event)?;
    Some(&event.fields)
}
