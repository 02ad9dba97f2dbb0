//! The rulebook for programs.

use houserule::data::table::{Provenance, Table};
use houserule::data::template::EntityTemplate;
use houserule::kernel::error::Place;
use houserule::kernel::game::Game;
use houserule::kernel::value::{Field, Name, Value};
use houserule::modset::manifest::{Clause, Manifest, Requirement};
use houserule::rulebook::{LayerEntry, LayerKind, RuleEntry, Rulebook};
use houserule::testing::ClauseCoverage;
use houserule::types::write_value;
use serde_json::{Map, Value as Json, json};

use super::actions::actions;
use super::{ClauseLibrary, effect_word, returns_text, signature_text};

pub(super) fn book(library: &ClauseLibrary<'_>, module: Option<&str>) -> Json {
    let chosen = &library.chosen;
    let rulebook = &chosen.rulebook;
    let each = |rules: Vec<&RuleEntry>| {
        rules
            .into_iter()
            .map(|entry| rule(library, entry))
            .collect::<Vec<_>>()
    };
    let mut json = json!({
        "selector": chosen.active.line,
        "mods": chosen.active.order.mods.iter().map(|id| &**id).collect::<Vec<_>>(),
        "rules": each(library.rules_of(module)),
        "tables": library.tables_of(module).into_iter().map(|one| table(rulebook, one)).collect::<Vec<_>>(),
        "templates": library.templates_of(module).into_iter().map(template).collect::<Vec<_>>(),
        "options": super::options::as_json(library, module),
        "clauses": library.clauses_of(module).into_iter().map(|one| clause(library, one)).collect::<Vec<_>>(),
    });
    if let Json::Object(fields) = &mut json {
        fields.extend(super::declared::as_json(rulebook.book(), module));
    }
    json
}

/// A template at a glance.
fn template(template: &EntityTemplate) -> Json {
    json!({ "id": &*template.id, "title": &*template.title, "kind": &*template.kind })
}

/// A mod at a glance.
pub(super) fn manifest(manifest: &Manifest) -> Json {
    json!({
        "id": &*manifest.id,
        "title": &*manifest.title,
        "version": manifest.version.to_string(),
        "clauses": manifest.clauses().count(),
        "options": manifest.options.len(),
        "depends": manifest.depends.iter().map(|on| &*on.id).collect::<Vec<_>>(),
    })
}

/// What a rule is meant to give away.
pub(super) fn reveals(rule: &RuleEntry) -> Vec<&str> {
    let reasons = rule.functions.iter();
    reasons
        .filter_map(|function| function.reveals.as_deref())
        .collect()
}

pub(super) fn rule(library: &ClauseLibrary<'_>, rule: &RuleEntry) -> Json {
    let signature = &rule.signature;
    json!({
        "id": &*rule.id,
        "signature": signature_text(rule),
        "args": fields(&signature.args),
        "returns": returns_text(&signature.returns),
        "effects": signature.effects.words().split(", ").filter(|word| !word.is_empty()).collect::<Vec<_>>(),
        "doc": rule.doc,
        "open_for": library.verbs_of(rule),
        "open_words": library.chosen.rulebook.open_words(rule),
        "reveals": reveals(rule),
        "defined": place(&rule.place),
        "layers": rule.layers.iter().map(|one| layer(library, one)).collect::<Vec<_>>(),
    })
}

fn layer(library: &ClauseLibrary<'_>, layer: &LayerEntry) -> Json {
    let cite = |id: &Name| {
        let source = library.clauses.get(id).map(|clause| &*clause.source);
        json!({ "clause": &**id, "source": source })
    };
    json!({
        "kind": match layer.kind {
            LayerKind::Define => "define",
            LayerKind::Wrap => "wrap",
            LayerKind::Replace => "replace",
            LayerKind::Lines | LayerKind::Line => "line",
        },
        "mod": &*layer.module,
        "at": place(&layer.place),
        "cites": layer.cites.iter().map(cite).collect::<Vec<_>>(),
    })
}

pub(super) fn table(_: &Rulebook, table: &Table) -> Json {
    let names = Game::empty();
    let text = |value: &Value| match value {
        Value::None => Json::Null,
        Value::Bool(yes) => json!(yes),
        Value::Int(n) => json!(n),
        Value::Text(text) => json!(&**text),
        other => json!(write_value(other, &names)),
    };
    let row = |(key, row): (&[Value], &houserule::data::table::TableRow)| {
        let named = table
            .key
            .iter()
            .zip(key)
            .chain(table.columns.iter().zip(&row.cells));
        let cells: Map<String, Json> = named
            .map(|(field, value)| (field.name.to_string(), text(value)))
            .collect();
        let changed = table.columns.iter().zip(&row.changes);
        let changes: Map<String, Json> = changed
            .filter_map(|(field, change)| Some((field.name.to_string(), origin(change.as_ref()?))))
            .collect();
        json!({ "cells": cells, "from": origin(&row.origin), "changes": changes })
    };
    json!({
        "id": &*table.id,
        "title": &*table.title,
        "source": &*table.source,
        "key": fields(&table.key),
        "columns": fields(&table.columns),
        "rows": table.rows().map(row).collect::<Vec<_>>(),
    })
}

pub(super) fn clause(library: &ClauseLibrary<'_>, clause: &Clause) -> Json {
    let rulebook = &library.chosen.rulebook;
    let required = |requirement: &Requirement| match requirement {
        Requirement::Clause(id) => id.to_string(),
        Requirement::Group { module, group } => format!("{module}:{group}"),
    };
    json!({
        "id": &*clause.id,
        "title": &*clause.title,
        "text": &*clause.text,
        "source": &*clause.source,
        "effect": effect_word(clause.effect),
        "default": clause.default,
        "core": clause.core,
        "on": rulebook.clauses().get(&clause.id).copied().unwrap_or_default(),
        "requires": clause.requires.iter().map(required).collect::<Vec<_>>(),
        "does": actions(library, clause).iter().map(|(how, what)| json!({ "how": how, "what": what })).collect::<Vec<_>>(),
        "touches": clause.touches.iter().map(|id| &**id).collect::<Vec<_>>(),
        "cited": rulebook.cited().get(&clause.id).into_iter().flatten().map(place).collect::<Vec<_>>(),
    })
}

/// What is promised of a clause's coverage, and nothing more.
pub(super) fn coverage(one: &ClauseCoverage) -> Json {
    json!({
        "clause": one.clause,
        "implemented": one.implemented,
        "cited": one.cited,
        "effect": one.effect,
        "cases": one.cases,
    })
}

fn fields(fields: &[Field]) -> Json {
    fields
        .iter()
        .map(|field| json!({ "name": &*field.name, "type": field.ty.to_string() }))
        .collect()
}

fn origin(origin: &Provenance) -> Json {
    let mut json = place(&origin.place);
    json["cites"] = origin.cites.iter().map(|id| json!(&**id)).collect();
    json
}

fn place(place: &Place) -> Json {
    json!({ "mod": &*place.module, "file": &*place.file, "line": place.line })
}
