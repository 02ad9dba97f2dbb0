//! Names that nothing has, each with what comes nearest.

use std::collections::BTreeSet;

use kernel::book::EventKind;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Type, Value, is_id, owner_of};
use kernel::world::{Kind, closest};
use luau_syntax::location::Position;
use rules::hosting::language::absent_of;

use super::expressions::PlacedWord;
use super::facts::{CallArguments, FieldUse, GlobalUse, NamedPath};
use super::world::{SECTIONS, WorldOfNames, tags_of};
use super::{FileFacts, Sink};
use crate::types::names::{camel, chapter_and_name, is_name, plain, short};

/// Fields of what a case is told, whatever attributes are called so.
const OF_CASES: [&str; 8] = [
    "side", "question", "text", "window", "phase", "action", "refused", "event",
];

/// Checks every name of a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for named in &file.facts.named {
        check_named(world, named, sink);
    }
    for field in &file.facts.fields {
        check_field(world, field, file.is_test, sink);
    }
    for (origin, text, at) in &file.facts.compared {
        if let Some(tags) = origin.own_type(world).as_ref().and_then(tags_of)
            && !tags.contains(text)
        {
            let near = closest(text, tags.iter().map(String::as_str));
            sink.unknown(
                FaultCode::WrongType,
                *at,
                format!("this is never `{text}`"),
                near,
            );
        }
    }
    for global in &file.facts.globals {
        check_global(global, sink);
    }
    if file.is_test {
        check_ids(world, file, sink);
    }
}

fn check_named(world: &WorldOfNames<'_>, named: &NamedPath, sink: &mut Sink<'_>) {
    let path: Vec<&str> = named.path.iter().map(String::as_str).collect();
    let (module, at) = (path[0], named.at.begin);
    if !world.known.rulebook.mods().iter().any(|id| **id == *module) {
        return;
    }
    match path.as_slice() {
        [_, section, name, ..] if SECTIONS.contains(section) => {
            if in_section(world, module, section, name, at, sink)
                && let Some(call) = &named.call
            {
                check_call(world, &path, call, sink);
            }
        }
        [_, "push" | "over", chapter, name, ..] | [_, chapter, name] => {
            in_chapter(world, [module, chapter, name], at, sink);
            if let [_, way, chapter, name, verb @ ..] = path.as_slice() {
                taken_otherwise(world, way, [module, chapter, name], verb, at, sink);
            }
        }
        _ => {}
    }
}

fn in_section(
    world: &WorldOfNames<'_>,
    module: &str,
    section: &str,
    name: &str,
    at: Position,
    sink: &mut Sink<'_>,
) -> bool {
    let Some(section) = SECTIONS.iter().find(|known| **known == section) else {
        return true;
    };
    let names = world.sections.get(&(module.to_string(), *section));
    if names.is_some_and(|names| names.contains(name)) {
        return true;
    }
    let code = match *section {
        "tables" => FaultCode::UnknownTable,
        "options" => FaultCode::UnknownOption,
        "clauses" => FaultCode::UnknownClause,
        "kinds" => FaultCode::UnknownKind,
        "events" => FaultCode::UnknownEvent,
        "phases" => FaultCode::UnknownPhase,
        _ => FaultCode::UnknownWindow,
    };
    let word = section.trim_end_matches('s');
    let near = closest(name, names.into_iter().flatten().map(String::as_str)).map(String::from);
    let near = near.or_else(|| in_other_mod(world, section, name));
    sink.unknown(
        code,
        at,
        format!("mod `{module}` has no {word} `{name}`"),
        near.as_deref(),
    );
    false
}

/// What another mod has of that name: `kinds.Unit` stands for one's own.
fn in_other_mod(world: &WorldOfNames<'_>, section: &str, name: &str) -> Option<String> {
    let mut others = world.sections.iter();
    let ((module, _), _) =
        others.find(|((_, known), names)| *known == section && names.contains(name))?;
    Some(format!("{module}.{section}.{name}"))
}

fn in_chapter(world: &WorldOfNames<'_>, way: [&str; 3], at: Position, sink: &mut Sink<'_>) {
    let [module, chapter, name] = way;
    let owned: Vec<String> = way.iter().map(ToString::to_string).collect();
    if world.has(&owned) {
        return;
    }
    let all: Vec<String> = world
        .known
        .rules()
        .map(|(way, _)| way)
        .chain(world.known.things().map(|(way, _)| way))
        .filter(|[owner, ..]| owner == module)
        .map(|[_, chapter, name]| format!("{chapter}.{name}"))
        .collect();
    let near = closest(&format!("{chapter}.{name}"), all.iter().map(String::as_str));
    let message = format!("mod `{module}` has no rule `{chapter}.{name}`");
    sink.unknown(FaultCode::UnknownRule, at, message, near);
}

/// A rule that is pushed and is no step, or is wrapped as if it were open.
fn taken_otherwise(
    world: &WorldOfNames<'_>,
    way: &str,
    rule: [&str; 3],
    verb: &[&str],
    at: Position,
    sink: &mut Sink<'_>,
) {
    let Some(known) = world.known.rule(&rule.map(String::from)) else {
        return;
    };
    let (name, id) = (rule.join("."), &known.id);
    let fault =
        |message: String, hint: String| Fault::new(FaultCode::BadSignature, message).hint(hint);
    let is_step = known.header.handle == "Acts" && known.header.returns == "()";
    let found = match (way, verb) {
        ("push", []) if !is_step => fault(
            format!("`{id}` is no step: what is pushed takes `Acts` and gives nothing"),
            format!("call it: `{name}(game, …)`"),
        ),
        ("over", ["wrap"]) if known.law.is_none() => fault(
            format!("`{id}` is not open for lines"),
            format!(
                "every rule can be wrapped: `rules.wrap({name}, \"clause\", function(base, game, …) … end)`"
            ),
        ),
        _ => return,
    };
    sink.put(found, at);
}

fn check_call(world: &WorldOfNames<'_>, path: &[&str], call: &CallArguments, sink: &mut Sink<'_>) {
    match path {
        [module, "kinds", kind, "where"] => {
            let Some(Some((attribute, at))) = call.texts.get(1) else {
                return;
            };
            attribute_of(world, [module, kind, attribute], *at, sink);
            if let (Some(Some(value)), Some(kind)) =
                (call.texts.get(2), kind_of(world, module, kind))
            {
                let fields = kind.attributes.iter().map(|one| (&*one.name, &one.ty));
                word_of(fields, attribute, value, sink);
            }
        }
        [module, "kinds", kind, "create"] => {
            for (key, at) in call.keys.get(1).into_iter().flatten() {
                attribute_of(world, [module, kind, key], *at, sink);
            }
            let Some(kind) = kind_of(world, module, kind) else {
                return;
            };
            for (key, value) in call.values.get(1).into_iter().flatten() {
                let fields = kind.attributes.iter().map(|one| (&*one.name, &one.ty));
                word_of(fields, key, value, sink);
            }
        }
        [module, "events", event] => {
            for (key, at) in call.keys.get(1).into_iter().flatten() {
                field_of_event(world, module, event, key, *at, sink);
            }
            let Some(event) = event_of(world, module, event) else {
                return;
            };
            for (key, value) in call.values.get(1).into_iter().flatten() {
                word_of(
                    event.fields.iter().map(|one| (&*one.name, &one.ty)),
                    key,
                    value,
                    sink,
                );
            }
        }
        [module, "tables", table, "get" | "find"] => {
            keys_of_row(world, [module, table], call, sink)
        }
        _ => {}
    }
}

fn kind_of<'w>(world: &'w WorldOfNames<'_>, module: &str, kind: &str) -> Option<&'w Kind> {
    let is_it = |id: &str| {
        owner_of(id) == module && camel(id.split_once('.').map_or(id, |(_, rest)| rest)) == kind
    };
    world
        .known
        .book()
        .schema
        .kinds()
        .iter()
        .find(|one| is_it(&one.id))
}

fn event_of<'w>(world: &'w WorldOfNames<'_>, module: &str, event: &str) -> Option<&'w EventKind> {
    let events = &world.known.book().events;
    let found = events
        .iter()
        .find(|(id, _)| owner_of(id) == module && short(id) == event);
    found.map(|(_, event)| event)
}

/// A word that is given to something which is never that word.
fn word_of<'t>(
    mut fields: impl Iterator<Item = (&'t str, &'t Type)>,
    name: &str,
    (text, at): &PlacedWord,
    sink: &mut Sink<'_>,
) {
    let tags = fields
        .find(|(field, _)| *field == name)
        .and_then(|(_, ty)| tags_of(ty));
    if let Some(tags) = tags.filter(|tags| !tags.contains(text)) {
        let near = closest(text, tags.iter().map(String::as_str));
        sink.unknown(
            FaultCode::WrongType,
            *at,
            format!("`{name}` is never `{text}`"),
            near,
        );
    }
}

fn attribute_of(
    world: &WorldOfNames<'_>,
    [module, kind, name]: [&str; 3],
    at: Position,
    sink: &mut Sink<'_>,
) {
    let Some(found) = kind_of(world, module, kind) else {
        return;
    };
    if found
        .attributes
        .iter()
        .all(|attribute| *attribute.name != *name)
    {
        let near = closest(
            name,
            found.attributes.iter().map(|attribute| &*attribute.name),
        );
        sink.unknown(
            FaultCode::UnknownAttribute,
            at,
            format!("kind `{}` has no attribute `{name}`", found.id),
            near,
        );
    }
}

fn field_of_event(
    world: &WorldOfNames<'_>,
    module: &str,
    event: &str,
    name: &str,
    at: Position,
    sink: &mut Sink<'_>,
) {
    let Some(found) = event_of(world, module, event) else {
        return;
    };
    if found.fields.iter().all(|field| *field.name != *name) {
        let near = closest(name, found.fields.iter().map(|field| &*field.name));
        let message = format!("event `{}` has no field `{name}`", found.id);
        sink.unknown(FaultCode::UnknownEvent, at, message, near);
    }
}

fn keys_of_row(
    world: &WorldOfNames<'_>,
    [module, name]: [&str; 2],
    call: &CallArguments,
    sink: &mut Sink<'_>,
) {
    let tables = world.known.tables();
    let Some((id, table)) = tables
        .iter()
        .find(|(id, _)| owner_of(id) == module && short(id) == name)
    else {
        return;
    };
    for (place, text) in call.texts.iter().enumerate() {
        let Some((text, at)) = text else { continue };
        let keys: Vec<&str> = table
            .rows()
            .filter_map(|(key, _)| match key.get(place)? {
                Value::Text(word) => Some(&**word),
                _ => None,
            })
            .collect();
        if !keys.is_empty() && !keys.contains(&text.as_str()) {
            let near = closest(text, keys.iter().copied());
            sink.unknown(
                FaultCode::BadRow,
                *at,
                format!("no row of `{id}` has the key `{text}`"),
                near,
            );
        }
    }
}

/// What was meant by a field that nothing has: one of what it is a field of, an
/// attribute, or any field.
fn nearest_field(world: &WorldOfNames<'_>, field: &FieldUse) -> Option<String> {
    let own = field
        .owner
        .as_ref()
        .map(|owner| owner.fields(world))
        .unwrap_or_default();
    let near = |names: &BTreeSet<String>| {
        let names = names
            .iter()
            .map(String::as_str)
            .filter(|name| is_name(name));
        closest(&field.name, names).map(String::from)
    };
    near(&own)
        .or_else(|| near(&world.attributes))
        .or_else(|| near(&world.fields))
}

fn check_field(world: &WorldOfNames<'_>, field: &FieldUse, is_test: bool, sink: &mut Sink<'_>) {
    let name = field.name.as_str();
    let known = if field.is_method {
        &world.methods
    } else {
        &world.fields
    };
    if !known.contains(name) {
        let near = match field.is_method {
            true => closest(name, known.iter().map(String::as_str)).map(String::from),
            false => nearest_field(world, field),
        };
        let message = match field.is_method {
            true => format!("nothing has a method `{name}`"),
            false => format!("no kind, record, table or event has an attribute or field `{name}`"),
        };
        sink.unknown(
            FaultCode::UnknownAttribute,
            field.at,
            message,
            near.as_deref(),
        );
        return;
    }
    let Some(text) = &field.text else { return };
    if name == "kind" && is_id(text) {
        let kinds = world.known.book().schema.kinds();
        if kinds.iter().all(|kind| *kind.id != **text) {
            let near = closest(text, kinds.iter().map(|kind| &*kind.id));
            sink.unknown(
                FaultCode::UnknownKind,
                field.at,
                format!("there is no kind `{text}`"),
                near,
            );
        }
        return;
    }
    let exact = field
        .owner
        .as_ref()
        .and_then(|owner| owner.type_of(world, name));
    let tags = match &exact {
        Some(ty) => tags_of(ty),
        None if is_test && OF_CASES.contains(&name) => None,
        None => world.tags.get(name).cloned().flatten(),
    };
    if let Some(tags) = tags
        && !tags.contains(text)
    {
        let near = closest(text, tags.iter().map(String::as_str));
        sink.unknown(
            FaultCode::WrongType,
            field.at,
            format!("`{name}` is never `{text}`"),
            near,
        );
    }
}

/// What other scripts of Luau have, and mods do not.
fn check_global(global: &GlobalUse, sink: &mut Sink<'_>) {
    // `require` stands at the top of each file.
    let Some(absent) = absent_of(&global.name).filter(|absent| absent.name != "require") else {
        return;
    };
    let fault = Fault::new(FaultCode::Script, format!("mods have no `{}`", absent.name));
    let fault = absent
        .instead
        .iter()
        .fold(fault, |fault, instead| fault.hint(*instead));
    sink.put(fault, global.at);
}

/// Ids as texts, as cases need them.
pub(super) fn check_ids(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for (text, at) in &file.facts.texts {
        let is_ours = is_id(text)
            && world
                .known
                .rulebook
                .mods()
                .iter()
                .any(|id| **id == *owner_of(text));
        if is_ours
            && chapter_and_name(text).is_some()
            && !world.ids.contains_key(&plain(text))
            && !world.known.is_in_component(text)
        {
            let near = nearest_id(text, world.ids.values().map(String::as_str));
            sink.unknown(
                FaultCode::UnknownRule,
                *at,
                format!("nothing has the id `{text}`"),
                near,
            );
        }
    }
}

/// The id that was meant: ids have long beginnings in common, and are near to each
/// other only if their last words are, too.
fn nearest_id<'a>(text: &str, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let last = |id: &'_ str| id.rfind('.').map_or(0, |at| at + 1);
    let word = &text[last(text)..];
    closest(
        text,
        ids.filter(|id| closest(word, std::iter::once(&id[last(id)..])).is_some()),
    )
}

#[cfg(test)]
mod tests {
    use super::nearest_id;

    #[test]
    fn ids_are_near_if_their_last_words_are() {
        let of = |text: &str, ids: &[&'static str]| nearest_id(text, ids.iter().copied());
        assert_eq!(
            of(
                "old_guard.post.alram",
                &["old_guard.post.alarm", "old_guard.post.reach"]
            ),
            Some("old_guard.post.alarm")
        );
        assert_eq!(
            of(
                "old_guard.post.alarm",
                &["old_guard.post.reach", "old_guard.post.answer"]
            ),
            None
        );
        assert_eq!(
            of("drill.fier.duck", &["drill.fire.duck"]),
            Some("drill.fire.duck")
        );
    }
}
