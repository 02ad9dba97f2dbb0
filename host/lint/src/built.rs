//! What components know: they are built with the words and fields that their
//! bindings had, and hold each of these lists, and each id, as a text.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, owner_of};
use matches::workshop::Workshop;
use rules::data::vocabulary::{EnumExtension, RecordExtension};
use rules::modset::files::Sources;
use rules::registration::{Origin, Registrations};
use rules::rulebook::Rulebook;
use rules::types::camel;

use crate::types::KnownRules;

/// Whether rules of a mod are in a component.
pub fn has_component(sources: &Sources) -> bool {
    components(sources).next().is_some()
}

/// Whether a component of a mod holds a text.
pub(crate) fn holds(sources: &Sources, text: &str) -> bool {
    // Components are kept as text themselves, two digits a byte.
    let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    components(sources).any(|hex| places(hex, &digits).next().is_some())
}

/// The texts that hold the components of a mod.
fn components(sources: &Sources) -> impl Iterator<Item = &str> {
    let rules = sources.under("rules");
    rules
        .filter(|(path, _)| path.ends_with(".wasm"))
        .map(|(_, text)| &**text)
}

/// Where bytes stand among others: what comes after them there.
fn places<'t>(hex: &'t str, digits: &'t str) -> impl Iterator<Item = &'t str> {
    hex.match_indices(digits)
        .filter(|(at, _)| at % 2 == 0)
        .map(|(at, _)| &hex[at + digits.len()..])
}

/// Whether a component of a mod holds a list of words, and no longer one that
/// begins with it.
fn holds_words(sources: &Sources, words: &str) -> bool {
    const BAR: &str = "7c";
    let digits: String = words.bytes().map(|byte| format!("{byte:02x}")).collect();
    components(sources).any(|hex| places(hex, &digits).any(|after| !after.starts_with(BAR)))
}

/// What a mod adds to enums and records that components of other mods know
/// without it.
pub(crate) fn unknown_to_components(
    workshop: &Workshop,
    known: &KnownRules<'_>,
    module: &Name,
) -> Vec<Fault> {
    let Some(data) = workshop.data(module) else {
        return Vec::new();
    };
    let others = known
        .rulebook
        .mods()
        .iter()
        .filter(|other| *other != module);
    let with_components: Vec<(&Name, &Sources)> = others
        .filter_map(|other| Some((other, workshop.sources().get(other)?)))
        .filter(|(_, sources)| has_component(sources))
        .collect();
    let mut found = Vec::new();
    for (other, sources) in with_components {
        let words = data.more_values.iter();
        found.extend(words.filter_map(|item| word(workshop, known, item, (other, sources))));
        let fields = data.more_fields.iter();
        found.extend(fields.filter_map(|item| field(known.rulebook, item, other)));
    }
    found
}

/// A word that a component does not know which reads the enum.
fn word(
    workshop: &Workshop,
    known: &KnownRules<'_>,
    item: &EnumExtension,
    (other, sources): (&Name, &Sources),
) -> Option<Fault> {
    let id = &item.header.id;
    let Some(Type::Enum(all)) = known.rulebook.records().get(id) else {
        return None;
    };
    // Its bindings were made with the mods that it stands on.
    let is_seen = |by: &Name| by == other || known.rests_on(other, by);
    let is_word_of = |by: &Name, word: &Name| {
        let more = workshop
            .data(by)
            .into_iter()
            .flat_map(|data| &data.more_values);
        more.filter(|more| more.header.id == *id)
            .any(|more| more.values.iter().any(|value| value.name == *word))
    };
    let mods = known.rulebook.mods();
    let is_unseen = |word: &&Name| mods.iter().any(|by| !is_seen(by) && is_word_of(by, word));
    let words: Vec<&str> = all
        .iter()
        .filter(|word| !is_unseen(word))
        .map(|word| &**word)
        .collect();
    if words.len() == all.len() || !holds_words(sources, &words.join("|")) {
        return None;
    }
    let new: Vec<String> = item
        .values
        .iter()
        .map(|value| format!("`{}`", value.name))
        .collect();
    let message = format!(
        "the component of `{other}` reads `{id}` and knows only the words that it was built with: {} ends a rule of it that meets it",
        new.join(", ")
    );
    let hint = format!(
        "keep it from those rules by wraps, or ask who wrote `{other}` to declare the word there"
    );
    let fault = Fault::new(FaultCode::WrongType, message).hint(hint);
    Some(fault.at(item.header.place.clone()))
}

/// Fields of a record that a component takes or gives, and drops.
fn field(rulebook: &Rulebook, item: &RecordExtension, other: &Name) -> Option<Fault> {
    let id = &item.header.id;
    let registered = rulebook.registrations();
    let rule = rule_with(registered, id, other)?;
    let message = format!(
        "the component of `{other}` knows `{id}` as it was built: what passes through a rule of it, such as `{rule}`, comes out without these fields"
    );
    let hint = "keep it in an attribute, `Extend(kind: …)`, or take it from the rule that gives it, in a wrap";
    let fault = Fault::new(FaultCode::WrongType, message).hint(hint);
    Some(fault.at(item.header.place.clone()))
}

/// A rule that takes or gives a record and that a component of a mod defines or
/// goes around.
fn rule_with<'r>(registered: &'r Registrations, record: &Name, module: &Name) -> Option<&'r Name> {
    let names = names_of(registered, record);
    let has_record = |text: &str| names.iter().any(|name| is_named(text, name));
    let is_built =
        |origin: &Origin| origin.module == *module && !origin.place.file.ends_with(".luau");
    let with_record: Vec<&Name> = registered
        .signatures
        .iter()
        .filter(|raw| has_record(&raw.args) || raw.returns.as_deref().is_some_and(has_record))
        .map(|raw| &raw.rule)
        .collect();
    let layers = registered.layers.iter();
    layers
        .filter(|layer| is_built(&layer.origin))
        .find(|layer| with_record.contains(&&layer.rule))
        .map(|layer| &layer.rule)
}

/// A record and those that hold it, each as signatures write them: by the id, or in
/// Luau by its name.
fn names_of(registered: &Registrations, record: &Name) -> Vec<String> {
    let mut names = written(record);
    let all = registered.records.iter();
    let holding = all.filter(|(_, fields, _)| names.iter().any(|name| is_named(fields, name)));
    let more: Vec<String> = holding.flat_map(|(id, ..)| written(id)).collect();
    names.extend(more);
    names
}

fn written(id: &Name) -> Vec<String> {
    let name = format!("<{}.{}>", owner_of(id), camel(id));
    vec![id.to_string(), name]
}

/// Whether a text has a name, and not a longer one that begins or ends with it.
fn is_named(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].chars().next();
        let before = text[..at].chars().next_back();
        !after.is_some_and(is_part) && !before.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::{is_named, places};

    #[test]
    fn bytes_are_found_where_they_begin() {
        assert_eq!(places("6162617c", "61").count(), 2);
        assert_eq!(
            places("1612", "61").count(),
            0,
            "half a byte and half of the next"
        );
        assert!(places("6162617c", "61").any(|after| after.starts_with("7c")));
    }

    #[test]
    fn a_name_is_no_part_of_another() {
        assert!(is_named("shot: a.fire.shot, of: text", "a.fire.shot"));
        assert!(is_named("list(<a.FireShot>)", "<a.FireShot>"));
        assert!(!is_named("shot: a.fire.shots", "a.fire.shot"));
        assert!(!is_named("shot: aa.fire.shot", "a.fire.shot"));
    }
}
