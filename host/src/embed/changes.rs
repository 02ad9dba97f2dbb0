//! What changed between two rulebooks, for people who have just saved a file.

use std::collections::{BTreeMap, BTreeSet};

use kernel::book::Book;
use kernel::dice::Ladder;
use kernel::digest::Names;
use kernel::error::Place;
use kernel::value::{EntityId, Name, Value};
use kernel::world::{Attribute, Kind};
use lint::invalidation::Edition;
use rules::data::reader::Datum;
use rules::data::template::{EntityTemplate, PartItem};
use rules::tokens::declared_before;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rulebook::{LayerEntry, RuleEntry, Rulebook};
use crate::types::{Unit, from_ron, print_value};

/// What is new, other than before, and gone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// What is new.
    pub added: Vec<String>,
    /// What is other than before.
    pub changed: Vec<String>,
    /// What is gone.
    pub removed: Vec<String>,
}

/// What a reload changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// Mods whose files changed.
    pub mods: Vec<String>,
    /// Rules.
    pub rules: Delta,
    /// Rows of tables: `table [key]`, and what became of their cells.
    pub rows: Delta,
    /// Clauses that are in use.
    pub clauses: Delta,
    /// Kinds and their attributes.
    pub kinds: Delta,
    /// Actions, reactions, phases, windows, events, pots, decks and options.
    pub declared: Delta,
    /// Files that changed outside of any registration: helpers, constants,
    /// comments; and components, of which only the whole is known.
    pub files: Vec<String>,
}

impl Delta {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    fn lines(&self, what: &str, lines: &mut Vec<String>) {
        let all = [
            ("new", &self.added),
            ("changed", &self.changed),
            ("gone", &self.removed),
        ];
        for (how, list) in all {
            lines.extend(list.iter().map(|one| format!("{how} {what} {one}")));
        }
    }

    /// Between two maps, by key.
    fn between<K: Ord + ToString, V>(
        old: &BTreeMap<K, V>,
        new: &BTreeMap<K, V>,
        differs: impl Fn(&K, &V, &V) -> Option<String>,
    ) -> Delta {
        let added = new
            .keys()
            .filter(|key| !old.contains_key(key))
            .map(ToString::to_string);
        let removed = old
            .keys()
            .filter(|key| !new.contains_key(key))
            .map(ToString::to_string);
        let changed = new
            .iter()
            .filter_map(|(key, value)| differs(key, old.get(key)?, value));
        Delta {
            added: added.collect(),
            changed: changed.collect(),
            removed: removed.collect(),
        }
    }

    fn extend(&mut self, other: Delta, sort: &str) {
        let named = |list: Vec<String>| list.into_iter().map(move |id| format!("{sort} {id}"));
        self.added.extend(named(other.added));
        self.changed.extend(named(other.changed));
        self.removed.extend(named(other.removed));
    }
}

impl Changes {
    /// Whether nothing changed that could change play.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// One line for each thing that changed.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.rules.lines("rule", &mut lines);
        self.rows.lines("row", &mut lines);
        self.clauses.lines("clause", &mut lines);
        self.kinds.lines("kind", &mut lines);
        self.declared.lines("", &mut lines);
        lines
            .iter_mut()
            .for_each(|line| *line = line.replace("  ", " "));
        let file = |file: &String| match file.ends_with(".wasm") {
            true => format!("changed component {file}"),
            false => format!("changed file {file}, outside of its rules"),
        };
        lines.extend(self.files.iter().map(file));
        lines
    }
}

/// What is other in one edition than in another.
pub(super) fn changes(old: &Edition<'_>, new: &Edition<'_>) -> Changes {
    let (before, after) = (old.rulebook.book(), new.rulebook.book());
    let same = |_: &Name, _: &(), _: &()| None;
    let set = |ids: &BTreeSet<Name>| {
        ids.iter()
            .map(|id| (id.clone(), ()))
            .collect::<BTreeMap<_, _>>()
    };
    let mut clauses = Delta::between(&set(&old.active.clauses), &set(&new.active.clauses), same);
    clauses.changed = changed_clauses(old, new);
    let written = written(old, new);
    let is_same_text = |place: &Place| {
        !written
            .iter()
            .any(|(module, file)| **module == *place.module && **file == *place.file)
    };
    let is_same_rule = |a: &RuleEntry, b: &RuleEntry| {
        let is_same = |(a, b): (&LayerEntry, &LayerEntry)| a == b && is_same_text(&a.place);
        a.signature == b.signature
            && a.layers.len() == b.layers.len()
            && std::iter::zip(&a.layers, &b.layers).all(is_same)
    };
    Changes {
        mods: changed_mods(old, new),
        rules: Delta::between(old.rulebook.rules(), new.rulebook.rules(), |id, a, b| {
            // Most files are what they were.
            (!is_same_rule(a, b) && rule_text(old, a) != rule_text(new, b)).then(|| id.to_string())
        }),
        rows: rows(old.rulebook, new.rulebook),
        clauses,
        kinds: kinds(before, after),
        declared: declared(old, new),
        files: loose_files(old, new),
    }
}

/// Rules files whose texts differ.
fn written(old: &Edition<'_>, new: &Edition<'_>) -> Vec<(Name, String)> {
    let texts = |edition: &Edition<'_>, id: &Name| {
        let sources = edition.workshop.sources().get(id);
        let files = sources
            .into_iter()
            .flat_map(|sources| sources.under("rules"));
        files
            .map(|(path, text)| (path.to_string(), text.clone()))
            .collect::<BTreeMap<_, _>>()
    };
    let ids: BTreeSet<&Name> = old
        .active
        .order
        .mods
        .iter()
        .chain(&new.active.order.mods)
        .collect();
    let mut found = Vec::new();
    for id in ids {
        let (before, after) = (texts(old, id), texts(new, id));
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let other = paths
            .into_iter()
            .filter(|path| before.get(*path) != after.get(*path));
        found.extend(other.map(|path| (id.clone(), path.clone())));
    }
    found
}

fn changed_mods(old: &Edition<'_>, new: &Edition<'_>) -> Vec<String> {
    let hash = |edition: &Edition<'_>, id: &Name| Some(edition.workshop.sources().get(id)?.hash());
    let ids: BTreeSet<&Name> = old
        .active
        .order
        .mods
        .iter()
        .chain(&new.active.order.mods)
        .collect();
    ids.into_iter()
        .filter(|id| hash(old, id) != hash(new, id))
        .map(ToString::to_string)
        .collect()
}

fn changed_clauses(old: &Edition<'_>, new: &Edition<'_>) -> Vec<String> {
    let all = |edition: &Edition<'_>| {
        let manifests = edition.workshop.manifests().values();
        let clauses =
            manifests.flat_map(|manifest| manifest.clauses().map(|(_, clause)| clause.clone()));
        clauses
            .map(|clause| (clause.id.clone(), clause))
            .collect::<BTreeMap<_, _>>()
    };
    let (before, after) = (all(old), all(new));
    let used = after
        .iter()
        .filter(|(id, _)| new.active.clauses.contains(*id));
    used.filter(|(id, clause)| before.get(*id).is_some_and(|old| old != *clause))
        .map(|(id, _)| id.to_string())
        .collect()
}

/// Signature and layers of a rule, each with its text.
fn rule_text(edition: &Edition<'_>, entry: &RuleEntry) -> String {
    let layers = entry.layers.iter().map(|layer| {
        format!(
            "{:?} {} {:?}\n{}",
            layer.kind,
            layer.module,
            layer.cites,
            registered_at(edition, &layer.place)
        )
    });
    format!(
        "{:?}\n{}",
        entry.signature,
        layers.collect::<Vec<_>>().join("\n")
    )
}

/// The text of a registration: from its doc comment to the line that closes it.
fn registered_at(edition: &Edition<'_>, place: &Place) -> String {
    let sources = edition.workshop.sources().get(&place.module);
    let Some(text) = sources.and_then(|sources| sources.get(&place.file)) else {
        return String::new();
    };
    let lines: Vec<&str> = text
        .lines()
        .map(|line| &line[declared_before(line)..])
        .collect();
    let start = (place.line as usize).saturating_sub(1).min(lines.len());
    let doc = doc_length(&lines[..start]);
    lines[start - doc..start + statement_length(&lines[start..])].join("\n")
}

/// How many lines of doc comment these end with: they say of what follows what it
/// is open for, and what it reveals.
fn doc_length(lines: &[&str]) -> usize {
    let is_doc = |line: &&&str| line.starts_with("---");
    lines.iter().rev().take_while(is_doc).count()
}

/// How many lines a statement has that begins in the first column: up to the
/// line that closes something there, or one if the next is not part of it.
fn statement_length(lines: &[&str]) -> usize {
    // `}, function(game)` closes one part and begins the next.
    let goes_further =
        |line: &str| line.trim_end().ends_with(['{', '(', ',']) || begins_function(line);
    let is_end = |line: &str| {
        (line.starts_with(['}', ')']) || line.starts_with("end")) && !goes_further(line)
    };
    let goes_on = lines
        .get(1)
        .is_some_and(|next| next.starts_with([' ', '\t']) || is_end(next));
    match lines.iter().skip(1).position(|line| is_end(line)) {
        Some(place) if goes_on => place + 2,
        _ => lines.len().min(1),
    }
}

/// Whether a function begins on a line and does not end there.
fn begins_function(line: &str) -> bool {
    line.contains("function(") && !line.trim_end().ends_with("end)")
}

/// Whether a line in the first column begins to register something that is no
/// function: `rules.wrap(…`, `core.turn = rules.phase {…`.
fn registers(line: &str) -> bool {
    let is_name = |name: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
        !name.is_empty() && name.chars().all(is_part)
    };
    line.starts_with("rules.")
        || line
            .split_once(" = rules.")
            .is_some_and(|(name, _)| is_name(name))
}

/// Files that differ outside of what they register.
fn loose_files(old: &Edition<'_>, new: &Edition<'_>) -> Vec<String> {
    let loose = |edition: &Edition<'_>, module: &Name, path: &str| {
        let text = edition.workshop.sources().get(module)?.get(path)?;
        let lines: Vec<&str> = text
            .lines()
            .map(|line| &line[declared_before(line)..])
            .collect();
        let layers = edition
            .rulebook
            .rules()
            .values()
            .flat_map(|rule| &rule.layers);
        let begun: BTreeSet<usize> = layers
            .filter(|layer| layer.place.module == *module && *layer.place.file == *path)
            .map(|layer| (layer.place.line as usize).saturating_sub(1))
            .collect();
        let mut kept = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            if begun.contains(&at) || registers(lines[at]) {
                if begun.contains(&at) {
                    kept.truncate(kept.len() - doc_length(&kept));
                }
                at += statement_length(&lines[at..]);
            } else {
                kept.push(lines[at]);
                at += 1;
            }
        }
        Some(kept.join("\n"))
    };
    let mut files = Vec::new();
    for module in &new.active.order.mods {
        let Some(sources) = new.workshop.sources().get(module) else {
            continue;
        };
        for (path, text) in sources.under("rules") {
            let before = old
                .workshop
                .sources()
                .get(module)
                .and_then(|sources| sources.get(path));
            let is_same = before.is_some_and(|before| before == text);
            if !is_same && before.is_some() && loose(old, module, path) != loose(new, module, path)
            {
                files.push(format!("{module}/{path}"));
            }
        }
    }
    files
}

struct Nobody;

impl Names for Nobody {
    fn name_of(&self, entity: EntityId) -> Name {
        format!("#{}", entity.0).into()
    }
}

fn rows(old: &Rulebook, new: &Rulebook) -> Delta {
    let say = |value: &Value| print_value(value, &Nobody, Unit::AsWritten);
    let is_same = |id: &Name| old.tables().get(id) == new.tables().get(id);
    let all = |book: &Rulebook| {
        let mut rows = BTreeMap::new();
        for (id, table) in book.tables().iter().filter(|(id, _)| !is_same(id)) {
            for (key, row) in table.rows() {
                let key: Vec<String> = key.iter().map(say).collect();
                let cells = table
                    .columns
                    .iter()
                    .map(|field| field.name.clone())
                    .zip(row.cells.clone());
                rows.insert(
                    format!("{id} [{}]", key.join(", ")),
                    cells.collect::<BTreeMap<Name, Value>>(),
                );
            }
        }
        rows
    };
    Delta::between(&all(old), &all(new), |key, before, after| {
        let cells = Delta::between(before, after, |name, a, b| {
            (a != b).then(|| format!("{name} {} is {} now", say(a), say(b)))
        });
        if cells.is_empty() {
            None
        } else {
            Some(format!("{key}: {}", cells_text(&cells)))
        }
    })
}

fn cells_text(cells: &Delta) -> String {
    let added = cells.added.iter().map(|name| format!("{name} is new"));
    let removed = cells.removed.iter().map(|name| format!("{name} is gone"));
    cells
        .changed
        .iter()
        .cloned()
        .chain(added)
        .chain(removed)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Kinds, and their attributes.
fn kinds(old: &Book, new: &Book) -> Delta {
    fn all(book: &Book) -> BTreeMap<&Name, &Kind> {
        let kinds = book.schema.kinds().iter();
        kinds.map(|kind| (&kind.id, kind)).collect()
    }
    let seen = |kind: &Kind| (kind.existence, kind.naming);
    let mut delta = Delta::between(&all(old), &all(new), |id, a, b| {
        (seen(a) != seen(b)).then(|| format!("{id}: who knows of it"))
    });
    let attributes = attributes(old, new);
    delta.added.extend(attributes.added);
    delta.changed.extend(attributes.changed);
    delta.removed.extend(attributes.removed);
    delta
}

fn attributes(old: &Book, new: &Book) -> Delta {
    fn all(book: &Book) -> BTreeMap<String, &Attribute> {
        let kinds = book.schema.kinds().iter();
        let attributes = kinds.flat_map(|kind| {
            // Every kind has a side.
            let own = kind.attributes.iter().skip(1);
            own.map(move |one| (kind, one))
        });
        attributes
            .map(|(kind, one)| (format!("{}.{}", kind.id, one.name), one))
            .collect()
    }
    let holds = |one: &Attribute| (one.viewers, one.default.clone(), one.until.clone());
    Delta::between(&all(old), &all(new), |id, a, b| {
        match (holds(a) == holds(b), a.ty == b.ty) {
            (true, true) => None,
            (false, true) => Some(id.clone()),
            (_, false) => Some(format!("{id}: {} is {} now", a.ty, b.ty)),
        }
    })
}

fn declared(old: &Edition<'_>, new: &Edition<'_>) -> Delta {
    let (before, after) = (old.rulebook.book(), new.rulebook.book());
    let mut all = Delta::default();
    macro_rules! compare {
        ($($field:ident as $sort:literal),*) => {
            $(all.extend(Delta::between(&before.$field, &after.$field, changed_id), $sort);)*
        };
    }
    compare!(actions as "action", reactions as "reaction", phases as "phase", windows as "window",
        events as "event", pots as "pot", decks as "deck");
    all.extend(templates(old.rulebook, new.rulebook), "template");
    all.extend(ladders(old.rulebook, new.rulebook), "ladder");
    let options = Delta::between(&old.active.options, &new.active.options, changed_id);
    all.extend(options, "option");
    all
}

/// Templates, each with what it takes over from others, and what became of their
/// attributes.
fn templates(old: &Rulebook, new: &Rulebook) -> Delta {
    let say = |value: &Option<Value>| match value {
        Some(value) => print_value(value, &Nobody, Unit::AsWritten),
        None => "another entity".to_string(),
    };
    Delta::between(old.templates(), new.templates(), |id, a, b| {
        let (before, after) = (attributes_of(a, old), attributes_of(b, new));
        let attributes = Delta::between(&before, &after, |name, (was, a), (is, b)| {
            (was != is).then(|| match (a, b) {
                (None, None) => format!("{name} is other"),
                _ => format!("{name} {} is {} now", say(a), say(b)),
            })
        });
        if !attributes.is_empty() {
            return Some(format!("{id}: {}", cells_text(&attributes)));
        }
        let is_same = a.title == b.title && a.kind == b.kind && parts_of(a) == parts_of(b);
        (!is_same).then(|| id.to_string())
    })
}

/// What a template gives: as it is written, and as the value that it is, unless it
/// names another entity.
fn attributes_of(
    template: &EntityTemplate,
    rulebook: &Rulebook,
) -> BTreeMap<Name, (String, Option<Value>)> {
    let kinds = rulebook.book().schema.kinds();
    let kind = kinds.iter().find(|kind| kind.id == template.kind);
    let nobody = |_: &str| None;
    let value = |(name, datum): (&Name, &Datum)| {
        let attribute = kind.and_then(|kind| kind.attributes.iter().find(|one| one.name == *name));
        let value = attribute.and_then(|one| from_ron(&one.ty, &datum.value, &nobody).ok());
        (name.clone(), (as_written(datum), value))
    };
    template.attributes.iter().map(value).collect()
}

/// A value of data, without where it is written.
fn as_written(datum: &Datum) -> String {
    format!("{:?}", datum.value)
}

/// The parts of a template, without where they are written.
fn parts_of(template: &EntityTemplate) -> Vec<impl PartialEq> {
    let part = |part: &PartItem| {
        let attributes: BTreeMap<Name, String> = part
            .attributes
            .iter()
            .map(|(name, datum)| (name.clone(), as_written(datum)))
            .collect();
        let (what, name, link) = (part.what.clone(), part.name.clone(), part.link.clone());
        (what, name, part.count, link, attributes)
    };
    template.parts.iter().map(part).collect()
}

/// Ladders of dice, with their steps where these are other.
fn ladders(old: &Rulebook, new: &Rulebook) -> Delta {
    let all = |rulebook: &Rulebook| {
        let ladders = rulebook.running().ladders.borrow();
        let ladders = ladders
            .iter()
            .map(|(id, ladder)| (id.clone(), ladder.clone()));
        ladders.collect::<BTreeMap<Name, Ladder>>()
    };
    Delta::between(&all(old), &all(new), |id, a, b| {
        let steps = match a.rungs() == b.rungs() {
            true => String::new(),
            false => format!(": {a} is {b} now"),
        };
        (a != b).then(|| format!("{id}{steps}"))
    })
}

fn changed_id<V: PartialEq>(id: &Name, old: &V, new: &V) -> Option<String> {
    (old != new).then(|| id.to_string())
}
