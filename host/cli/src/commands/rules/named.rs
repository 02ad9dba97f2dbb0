//! What mods give a name to beside what runs: the types of values, the
//! templates that entities are made from, and what pots and decks are made of.
//! For people and for programs.

use std::io;

use houserule::data::reader::Datum;
use houserule::data::template::{EntityTemplate, PartOf};
use houserule::kernel::chits::Composition;
use houserule::kernel::error::Place;
use houserule::kernel::value::{Name, Type, Value, owner_of};
use houserule::rulebook::Rulebook;
use houserule::types::{from_ron, no_entities};
use serde_json::{Value as Json, json};

use super::as_text::cell;
use crate::paint::Paint;
use crate::ui::Ui;

/// One of them, and its id.
pub(super) enum Named<'a> {
    /// An enum or a record.
    Type(&'a Name, &'a Type),
    Template(&'a EntityTemplate),
    /// A pot or a deck: the word for what is in it, and how many there are of each.
    Mix(&'a Name, &'static str, &'a Composition),
}

/// What stands under an id, if it is one of these.
pub(super) fn of<'a>(rulebook: &'a Rulebook, id: &str) -> Option<Named<'a>> {
    let ty = rulebook
        .records()
        .get_key_value(id)
        .map(|(id, ty)| Named::Type(id, ty));
    let book = rulebook.book();
    let pot = || {
        book.pots
            .get_key_value(id)
            .map(|(id, made_of)| Named::Mix(id, "pot", made_of))
    };
    let deck = || {
        book.decks
            .get_key_value(id)
            .map(|(id, kind)| Named::Mix(id, "deck", kind.cards()))
    };
    ty.or_else(|| rulebook.templates().get(id).map(Named::Template))
        .or_else(pot)
        .or_else(deck)
}

/// Every id of these, for those who mistype one.
pub(super) fn ids(rulebook: &Rulebook) -> impl Iterator<Item = &str> {
    let mixes = rulebook
        .book()
        .pots
        .keys()
        .chain(rulebook.book().decks.keys());
    rulebook
        .records()
        .keys()
        .chain(rulebook.templates().keys())
        .chain(mixes)
        .map(|id| &**id)
}

/// The tables that have a row for each value of a type, or for some: by it is
/// one of the fields of their key.
fn tables_by<'a>(
    rulebook: &'a Rulebook,
    ty: &'a Type,
) -> impl Iterator<Item = (&'a Name, &'a Name)> {
    let is_by = move |held: &Type| match held {
        Type::Optional(inner) => **inner == *ty,
        held => held == ty,
    };
    let of_table = move |table: &'a houserule::data::table::Table| {
        table
            .key
            .iter()
            .find(|field| is_by(&field.ty))
            .map(|field| (&table.id, &field.name))
    };
    rulebook
        .tables()
        .values()
        .map(AsRef::as_ref)
        .filter_map(of_table)
}

pub(super) fn print(named: &Named<'_>, rulebook: &Rulebook, ui: &mut Ui) -> io::Result<()> {
    match named {
        Named::Type(id, ty @ Type::Enum(values)) => {
            ui.line(format!("{}  {}", id.bold(), "(enum)".dimmed()))?;
            let values: Vec<&str> = values.iter().map(|value| &**value).collect();
            ui.line(format!("    {}  {}", "values  ".cyan(), values.join(", ")))?;
            for (table, field) in tables_by(rulebook, ty) {
                ui.line(format!("    {}  {table}, by {field}", "rows in ".cyan()))?;
            }
            Ok(())
        }
        Named::Type(id, Type::Record(fields)) => {
            ui.line(format!("{}  {}", id.bold(), "(record)".dimmed()))?;
            fields
                .iter()
                .try_for_each(|field| ui.line(format!("    {}: {}", field.name, field.ty)))
        }
        Named::Type(id, ty) => ui.line(format!("{}  {ty}", id.bold())),
        Named::Template(template) => template_in_full(template, rulebook, ui),
        Named::Mix(id, word, made_of) => {
            ui.line(format!(
                "{}  {}",
                id.bold(),
                format!("({word} of {})", made_of.total()).dimmed()
            ))?;
            let changes = rulebook.mix_changes(id);
            made_of.entries().try_for_each(|(name, count)| {
                let by = changes.and_then(|changes| changes.get(name));
                let by = by.map_or_else(String::new, |by| changed_by(&by.place.module));
                ui.line(format!("    {count:>3}  {name}{}", by.dimmed()))
            })
        }
    }
}

/// Which mod changed something of another.
fn changed_by(module: &str) -> String {
    format!("  changed by {module}")
}

fn template_in_full(template: &EntityTemplate, rulebook: &Rulebook, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!(
        "{}  {}  {}",
        template.id.bold(),
        template.title,
        "(template)".dimmed()
    ))?;
    ui.line(format!("    {}  {}", "kind    ".cyan(), template.kind))?;
    for (name, value, place) in values_of(template, rulebook) {
        let mut declared_by = template.extends.iter().chain([&template.id]);
        let by = match declared_by.any(|id| *owner_of(id) == *place.module) {
            true => String::new(),
            false => changed_by(&place.module),
        };
        ui.line(format!("    {name}: {}{}", cell(&value), by.dimmed()))?;
    }
    for part in &template.parts {
        let of = match &part.what {
            PartOf::Template(id) => id,
            PartOf::Kind(id) => id,
        };
        ui.line(format!(
            "    {}  {} {of}, called {}",
            "with    ".cyan(),
            part.count,
            part.name
        ))?;
    }
    Ok(())
}

/// The attributes that a template gives, and where each is written; not those that name
/// other entities, which only a scenario has.
fn values_of<'a>(
    template: &'a EntityTemplate,
    rulebook: &Rulebook,
) -> Vec<(&'a Name, Value, &'a Place)> {
    let kind = rulebook
        .book()
        .schema
        .kinds()
        .iter()
        .find(|kind| kind.id == template.kind);
    let value_of = |(name, datum): (&'a Name, &'a Datum)| {
        let attribute = kind?.attributes.iter().find(|one| one.name == *name)?;
        Some((
            name,
            from_ron(&attribute.ty, &datum.value, &no_entities).ok()?,
            &datum.place,
        ))
    };
    template.attributes.iter().filter_map(value_of).collect()
}

/// The same as one record, under the word for what it is.
pub(super) fn as_json(named: &Named<'_>, rulebook: &Rulebook) -> (&'static str, Json) {
    match named {
        Named::Type(id, ty @ Type::Enum(values)) => {
            let rows: Vec<Json> = tables_by(rulebook, ty)
                .map(|(table, field)| json!({ "table": &**table, "by": &**field }))
                .collect();
            let values: Vec<&str> = values.iter().map(|value| &**value).collect();
            (
                "enum",
                json!({ "id": &***id, "values": values, "rows_in": rows }),
            )
        }
        Named::Type(id, Type::Record(fields)) => {
            let field = |field: &houserule::kernel::value::Field| json!({ "name": &*field.name, "type": field.ty.to_string() });
            (
                "record",
                json!({ "id": &***id, "fields": fields.iter().map(field).collect::<Vec<_>>() }),
            )
        }
        Named::Type(id, ty) => ("type", json!({ "id": &***id, "type": ty.to_string() })),
        Named::Mix(id, word, made_of) => {
            let each: serde_json::Map<String, Json> = made_of
                .entries()
                .map(|(name, count)| (name.to_string(), json!(count)))
                .collect();
            let changes = rulebook.mix_changes(id).into_iter().flatten();
            let changed_by: serde_json::Map<String, Json> = changes
                .map(|(name, by)| (name.to_string(), json!(&*by.place.module)))
                .collect();
            (
                word,
                json!({ "id": &***id, "total": made_of.total(), "each": each, "changed_by": changed_by }),
            )
        }
        Named::Template(template) => {
            let values = values_of(template, rulebook);
            let values = values
                .into_iter()
                .map(|(name, value, _)| (name.to_string(), json!(cell(&value))));
            let attributes: serde_json::Map<String, Json> = values.collect();
            let (title, kind) = (&*template.title, &*template.kind);
            (
                "template",
                json!({ "id": &*template.id, "title": title, "kind": kind, "attributes": attributes }),
            )
        }
    }
}
