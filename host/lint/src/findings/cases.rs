//! What cases name as texts that nothing has: mods, groups and clauses that they
//! take or leave out, entities of their scenarios.

use kernel::error::{Fault, FaultCode};
use kernel::value::{is_id, owner_of};
use kernel::world::{closest, is_exchanged};
use luau_syntax::ast::{Expression, ExpressionKind, TableItem};
use rules::modset::manifests::Manifests;
use rules::modset::selector::{Pick, Selector};

use super::expressions::PlacedWord;
use super::given::{MethodCall, On};
use super::world::WorldOfNames;
use super::{FileFacts, Sink};
use crate::scope::word;

/// What a case takes or leaves out, each as it is written.
pub(super) fn selectors(spec: Expression<'_>) -> Vec<PlacedWord> {
    let ExpressionKind::Table { items } = spec.kind() else {
        return Vec::new();
    };
    let list = |item: &TableItem<'_>| match item {
        TableItem::Record { key, value }
            if matches!(word(*key).as_deref(), Some("with" | "without")) =>
        {
            texts(*value)
        }
        _ => Vec::new(),
    };
    items.iter().flat_map(list).collect()
}

/// What a case says that it shows, each as it is written.
pub(super) fn cited(spec: Expression<'_>) -> Vec<PlacedWord> {
    let ExpressionKind::Table { items } = spec.kind() else {
        return Vec::new();
    };
    let list = |item: &TableItem<'_>| match item {
        TableItem::Record { key, value } if word(*key).as_deref() == Some("cites") => texts(*value),
        _ => Vec::new(),
    };
    items.iter().flat_map(list).collect()
}

/// A text that holds several words, or a list of texts.
fn texts(value: Expression<'_>) -> Vec<PlacedWord> {
    let at = value.location().begin;
    if let Some(text) = word(value) {
        return text
            .split_whitespace()
            .map(|one| (one.to_string(), at))
            .collect();
    }
    let ExpressionKind::Table { items } = value.kind() else {
        return Vec::new();
    };
    let text = |item: &TableItem<'_>| match item {
        TableItem::List { value } => Some((word(*value)?, value.location().begin)),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}

/// Checks the cases of a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    if !file.is_test {
        return;
    }
    let manifests = world.known.manifests();
    // Of an id that nothing has in a mod that there is, that is told already.
    let is_told = |text: &str| is_id(text) && manifests.contains_key(owner_of(text));
    let of_own = |text: &str| {
        let whole = format!("{}.{text}", file.module);
        let own = manifests.get(file.module)?;
        let is_it = own.clauses().any(|(_, clause)| *clause.id == *whole);
        is_it.then(|| {
            let message = format!("expected the whole id of a clause, found `{text}`");
            Fault::new(FaultCode::UnknownClause, message).hint(format!("`{whole}`"))
        })
    };
    let unknown = |text: &str| of_own(text).or_else(|| unknown_in(manifests, text));
    for (text, at) in file
        .facts
        .selectors
        .iter()
        .filter(|(text, _)| !is_told(text))
    {
        if let Some(fault) = unknown(text) {
            sink.put(fault, *at);
        }
    }
    for (text, at) in file.facts.cited.iter().filter(|(text, _)| !is_told(text)) {
        let whole = || {
            let message = format!("expected a clause, found `{text}`");
            Fault::new(FaultCode::UnknownClause, message)
                .hint("a case cites clauses one by one: `houserule rules` lists those of a group")
        };
        sink.put(unknown(text).unwrap_or_else(whole), *at);
    }
    entities(world, file, sink);
}

/// What is wrong with a selector.
fn unknown_in(manifests: &Manifests, text: &str) -> Option<Fault> {
    let selector = match Selector::parse(text) {
        Ok(selector) => selector,
        Err(fault) => return Some(fault),
    };
    let unknown = |code, word: &str, known: Vec<&str>| {
        let fault = Fault::new(code, format!("there is no {word}"));
        let name = word.split('`').nth(1).unwrap_or_default();
        match closest(name, known.into_iter()) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    };
    let Some(manifest) = manifests.get(&selector.module) else {
        let mods = manifests.keys().map(|id| &**id).collect();
        return Some(unknown(
            FaultCode::UnknownMod,
            &format!("mod `{}`", selector.module),
            mods,
        ));
    };
    selector.picks.iter().find_map(|pick| match pick {
        Pick::Group(name) if manifest.groups.iter().all(|group| group.name != *name) => {
            let groups = manifest.groups.iter().map(|group| &*group.name).collect();
            Some(unknown(
                FaultCode::UnknownMod,
                &format!("group `{name}` in mod `{}`", manifest.id),
                groups,
            ))
        }
        Pick::Clause(id) if manifest.clauses().all(|(_, clause)| clause.id != *id) => {
            let clauses = manifest.clauses().map(|(_, clause)| &*clause.id).collect();
            Some(unknown(
                FaultCode::UnknownClause,
                &format!("clause `{id}`"),
                clauses,
            ))
        }
        _ => None,
    })
}

/// Entities that no scenario has, and that are called like one of them but for
/// the order of the letters. Of others it is not known what is made in play.
fn entities(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let Some(known) = world.entities() else {
        return;
    };
    let is_get = |call: &&MethodCall| call.on == On::Game && call.method == "get";
    for call in file.facts.methods.iter().filter(is_get) {
        let Some(given) = call.args.first() else {
            continue;
        };
        let Some(name) = given.text.as_deref().filter(|name| !known.contains(*name)) else {
            continue;
        };
        if let Some(near) = known.iter().find(|near| is_exchanged(name, near)) {
            let message = format!("no scenario has an entity `{name}`");
            sink.unknown(FaultCode::NoSuchEntity, given.at, message, Some(near));
        }
    }
}
