//! What the rules of a mod in Rust can name, as Rust writes it: kinds, tables,
//! options, clauses and events of the mod and of those that it depends on, and
//! the rules, windows and phases of the latter. The attributes of
//! `houserule-guest` make of it what a mod uses.

mod members;
mod names;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::book::Book;
use kernel::value::{Field, Name, Type, owner_of};

use crate::data::Data;
use crate::modset::manifest::Manifest;
use crate::registration::{RawSignature, Registrations};
use crate::rulebook::{RuleEntries, Tables};
use crate::types::{Records, camel as type_name, parse_effects, parse_fields, parse_type};

use kernel::game::Effects;
use members::BoundMember;
use names::{GeneratedNames, camel, ident, tail};

/// A mod with those that it depends on, composed without the rules of its own.
pub struct ModContext<'a> {
    /// The mod.
    pub module: &'a Name,
    /// The manifests of all of them, in order.
    pub manifests: Vec<&'a Manifest>,
    /// What the mod itself says in data, as written.
    pub own: Option<&'a Data>,
    /// What they declare.
    pub book: &'a Book,
    /// Their tables.
    pub tables: &'a Tables,
    /// Their rules, as far as they are in force.
    pub rules: &'a RuleEntries,
    /// Their named types.
    pub records: &'a Records,
    /// What the data of the mod name and its rules declare, if anything does.
    pub awaited: &'a BTreeSet<Name>,
    /// All that they register.
    pub registrations: &'a Registrations,
}

/// The file `bindings.rs` of a mod.
pub fn bindings(known: &ModContext<'_>) -> String {
    let mut names = GeneratedNames::new(known);
    let mut mods = String::new();
    for manifest in &known.manifests {
        mods.push_str(&module(known, &mut names, manifest));
    }
    let id = known.module;
    let mut text = format!(
        "//! What the rules of `{id}` can name. Written by `houserule types {id} --lang rust`.\n\
         #![allow(dead_code, missing_docs, unused_imports, clippy::all)]\n\n"
    );
    let _ = writeln!(
        text,
        "mod known {{\n    pub use houserule_guest::prelude::*;"
    );
    text.push_str("    pub use houserule_guest::{\n");
    text.push_str(
        "        Angle, Clause, Direction, Length, Path, Setting, kind, table,\n    };\n",
    );
    text.push_str("    pub use std::collections::BTreeMap;\n    pub use super::words::*;\n");
    for manifest in &known.manifests {
        let _ = writeln!(
            text,
            "    pub use super::{}::kinds::*;",
            ident(&manifest.id)
        );
    }
    text.push_str(
        "}\n\n/// Words of which one holds.\npub mod words {\n    use super::known::*;\n",
    );
    text.push_str(&names.words());
    text.push_str("}\n\n");
    text.push_str(&mods);
    text
}

/// What a mod gives.
fn module(known: &ModContext<'_>, names: &mut GeneratedNames, manifest: &Manifest) -> String {
    let id = &manifest.id;
    let is_own = id == known.module;
    let mut root = BindingModule::default();
    root.at(&["kinds"]).text = kinds(known, names, id);
    root.at(&["tables"]).text = tables(known, names, id);
    root.at(&["events"]).text = events(known, names, id);
    clauses(known, manifest, root.at(&["clauses"]));
    for option in &manifest.options {
        let (path, name) = tail(&option.id);
        let ty = names.owned(&option.ty, &option.id, name);
        let line = format!(
            "/// {}.\npub const {}: Setting<{ty}> = Setting::new(\"{}\");\n",
            one_line(&option.title),
            constant(name),
            option.id
        );
        root.at(&[&["options"], path.as_slice()].concat())
            .text
            .push_str(&line);
    }
    ids(known.book.pots.keys(), "pots", id, &mut root);
    ids(known.book.decks.keys(), "decks", id, &mut root);
    if !is_own {
        chapters(known, names, id, &mut root);
    }
    let doc = one_line(&manifest.title);
    let uses = if root.text.is_empty() { "" } else { USES };
    format!(
        "/// {doc}.\npub mod {} {{\n{uses}{}}}\n",
        ident(id),
        root.print(1)
    )
}

/// Ids that are only named.
fn ids<'a>(
    all: impl Iterator<Item = &'a Name>,
    word: &str,
    module: &Name,
    root: &mut BindingModule,
) {
    for id in all.filter(|id| owner_of(id) == &**module) {
        let (path, name) = tail(id);
        let line = format!("pub const {}: &str = \"{id}\";\n", constant(name));
        root.at(&[&[word], path.as_slice()].concat())
            .text
            .push_str(&line);
    }
}

/// How a module begins in which something is declared.
const USES: &str = "    use crate::bindings::known::*;\n";

/// A module of the file.
#[derive(Default)]
struct BindingModule {
    text: String,
    parts: BTreeMap<String, BindingModule>,
}

impl BindingModule {
    fn at(&mut self, path: &[&str]) -> &mut BindingModule {
        path.iter().fold(self, |part, name| {
            part.parts.entry(name.to_string()).or_default()
        })
    }

    fn print(&self, depth: usize) -> String {
        let indent = "    ".repeat(depth);
        let mut text = String::new();
        for line in self.text.lines() {
            let _ = if line.is_empty() {
                writeln!(text)
            } else {
                writeln!(text, "{indent}{line}")
            };
        }
        for (name, part) in &self.parts {
            let inner = part.print(depth + 1);
            let _ = writeln!(text, "{indent}pub mod {} {{", ident(name));
            if !part.text.is_empty() {
                let _ = write!(text, "{indent}{USES}");
            }
            let _ = writeln!(text, "{inner}{indent}}}");
        }
        text
    }
}

fn one_line(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
        .trim_end_matches('.')
        .to_string()
}

fn constant(name: &str) -> String {
    name.replace('-', "_").to_uppercase()
}

fn clauses(known: &ModContext<'_>, manifest: &Manifest, part: &mut BindingModule) {
    for other in &known.manifests {
        let name = ident(&other.id);
        let _ = writeln!(
            part.text,
            "pub use crate::bindings::{name}::clauses as {name};"
        );
    }
    for clause in manifest.groups.iter().flat_map(|group| &group.clauses) {
        let (path, name) = tail(&clause.id);
        let line = format!(
            "/// {}\npub const {}: Clause = Clause::new(\"{}\");\n",
            one_line(&clause.text),
            constant(name),
            clause.id
        );
        part.at(&path).text.push_str(&line);
    }
}

fn kinds(known: &ModContext<'_>, names: &mut GeneratedNames, module: &Name) -> String {
    let mut text = String::new();
    for kind in known
        .book
        .schema
        .kinds()
        .iter()
        .filter(|kind| owner_of(&kind.id) == &**module)
    {
        let name = names.kind(&kind.id).to_string();
        let mut inline = String::new();
        let mut fields = String::new();
        for attribute in kind
            .attributes
            .iter()
            .filter(|attribute| &*attribute.name != "side")
        {
            if !attribute.doc.is_empty() {
                let _ = writeln!(fields, "    /// {}", one_line(&attribute.doc));
            }
            let written = written::of_attribute(known, &kind.id, &attribute.name);
            let ty = names.as_written(&attribute.ty, written);
            let ty = match record_in(&ty) {
                Some(record) => {
                    let own = format!("{name}{}", camel(&attribute.name));
                    inline.push_str(&inline_record(names, &own, record));
                    wrapped(&attribute.ty, &own)
                }
                None => names.owned(&ty, &kind.id, &attribute.name),
            };
            let _ = writeln!(fields, "    {}: {ty},", ident(&attribute.name));
        }
        let _ = write!(
            text,
            "/// The kind `{0}`.\n#[kind(\"{0}\")]\npub struct {name} {{\n{fields}}}\n{inline}",
            kind.id
        );
    }
    text
}

/// The record that a type is, or may be.
fn record_in(ty: &Type) -> Option<&[Field]> {
    match ty {
        Type::Record(fields) => Some(fields),
        Type::Optional(inner) => record_in(inner),
        _ => None,
    }
}

fn wrapped(ty: &Type, name: &str) -> String {
    if matches!(ty, Type::Optional(_)) {
        format!("Option<{name}>")
    } else {
        name.into()
    }
}

fn inline_record(names: &mut GeneratedNames, name: &str, fields: &[Field]) -> String {
    format!(
        "#[fields]\npub struct {name} {{\n{}}}\n",
        struct_fields(names, name, fields)
    )
}

fn struct_fields(names: &mut GeneratedNames, owner: &str, fields: &[Field]) -> String {
    let one = |field: &Field| {
        format!(
            "    pub {}: {},\n",
            ident(&field.name),
            names.owned(&field.ty, owner, &field.name)
        )
    };
    fields.iter().map(one).collect()
}

fn tables(known: &ModContext<'_>, names: &mut GeneratedNames, module: &Name) -> String {
    let mut text = String::new();
    for table in known
        .tables
        .values()
        .filter(|table| owner_of(&table.id) == &**module)
    {
        let name = camel(table.id.split_once('.').map_or("", |(_, rest)| rest));
        let _ = writeln!(text, "/// {}.", one_line(&table.title));
        let _ = writeln!(text, "#[table(\"{}\")]\npub struct {name} {{", table.id);
        for field in table.key.iter() {
            let ty = names.owned(&field.ty, &table.id, &field.name);
            let _ = writeln!(text, "    #[key]\n    pub {}: {ty},", ident(&field.name));
        }
        let columns: Vec<Field> = table
            .columns
            .iter()
            .map(|field| {
                let written = written::of_column(known, &table.id, &field.name);
                Field {
                    name: field.name.clone(),
                    ty: names.as_written(&field.ty, written),
                }
            })
            .collect();
        text.push_str(&struct_fields(names, &table.id, &columns));
        text.push_str("}\n");
    }
    text
}

fn events(known: &ModContext<'_>, names: &mut GeneratedNames, module: &Name) -> String {
    let mut text = String::new();
    for event in known
        .book
        .events
        .values()
        .filter(|event| owner_of(&event.id) == &**module)
    {
        let name = camel(event.id.split_once('.').map_or("", |(_, rest)| rest));
        let mut has_text = false;
        let mut fields = String::new();
        let written = written::of_event(known, &event.id);
        for field in names.fields_as_written(&event.fields, written) {
            let is_text = matches!(field.ty, Type::Text);
            has_text |= is_text;
            let ty = if is_text {
                "&'t str".into()
            } else {
                names.owned(&field.ty, &event.id, &field.name)
            };
            let _ = writeln!(fields, "    pub {}: {ty},", ident(&field.name));
        }
        let lifetime = if has_text { "<'t>" } else { "" };
        let _ = write!(
            text,
            "/// {}.\n#[event(\"{}\")]\npub struct {name}{lifetime} {{\n{fields}}}\n",
            one_line(&event.text),
            event.id
        );
    }
    text
}

/// The rules of a mod by chapters, with its records, windows and phases.
fn chapters(
    known: &ModContext<'_>,
    names: &mut GeneratedNames,
    module: &Name,
    root: &mut BindingModule,
) {
    let is_meant = |id: &str| owner_of(id) == &**module;
    records_and_windows(known, names, &is_meant, root);
    let phases = known.registrations.phases.iter();
    for phase in phases.filter(|phase| is_meant(&phase.id)) {
        let (path, name) = tail(&phase.id);
        let line = format!(
            "/// {}.\npub mod {} {{\n    pub const ID: &str = \"{}\";\n}}\n",
            one_line(&phase.title),
            ident(name),
            phase.id
        );
        root.at(&path).text.push_str(&line);
    }
    let parts = members::of(known);
    for raw in known
        .registrations
        .signatures
        .iter()
        .filter(|raw| is_meant(&raw.rule))
    {
        let part = parts.get(&raw.rule);
        let (path, name) = match part {
            Some(None) => continue,
            Some(Some(member)) => (member.path.clone(), &*member.name),
            None => tail(&raw.rule),
        };
        if let Some(text) = rule(known, names, raw, name, part.and_then(Option::as_ref)) {
            root.at(&path).text.push_str(&text);
        }
    }
}

/// The structs of what a mod hands on, and of what its windows carry.
fn records_and_windows(
    known: &ModContext<'_>,
    names: &mut GeneratedNames,
    is_meant: &dyn Fn(&str) -> bool,
    root: &mut BindingModule,
) {
    let registrations = &known.registrations;
    let records = registrations.records.iter();
    let records = records.map(|(id, fields, _)| ("record", id, fields));
    let windows = registrations.windows.iter();
    let windows = windows.map(|window| ("window", &window.id, &window.carries));
    for (sort, id, fields) in records.chain(windows) {
        if !is_meant(id) {
            continue;
        }
        let (path, name) = tail(id);
        let fields = parse_fields(fields, names.records()).unwrap_or_default();
        let fields = struct_fields(names, id, &fields);
        let name = camel(name);
        let line = format!("#[{sort}(\"{id}\")]\npub struct {name} {{\n{fields}}}\n");
        root.at(&path).text.push_str(&line);
    }
}

/// What a rule takes, gives and does.
struct RuleShape {
    args: Vec<Field>,
    returns: Option<Type>,
    effects: Effects,
}

/// As it was registered, where records have names still; or else as it was
/// composed.
fn shape(known: &ModContext<'_>, records: &Records, raw: &RawSignature) -> Option<RuleShape> {
    let as_registered = || {
        let args = parse_fields(&with_ids(known, &raw.args), records).ok()?;
        let returns = match &raw.returns {
            Some(text) => Some(parse_type(&with_ids(known, text), records).ok()?),
            None => None,
        };
        Some(RuleShape {
            args,
            returns,
            effects: parse_effects(&raw.effects).ok()?,
        })
    };
    as_registered().or_else(|| {
        let signature = &known.rules.get(&raw.rule)?.signature;
        let returns = match &signature.returns {
            crate::rulebook::Returns::Value(ty) => Some(ty.clone()),
            crate::rulebook::Returns::Domain(_) => Some(Type::Any),
            crate::rulebook::Returns::Nothing => None,
        };
        Some(RuleShape {
            args: signature.args.to_vec(),
            returns,
            effects: signature.effects,
        })
    })
}

/// A type as headers write it, with the ids of kinds and records for their
/// names: `<drill.FireOutcome>` is `drill.fire.outcome`.
fn with_ids(known: &ModContext<'_>, text: &str) -> String {
    let name = |id: &Name| format!("<{}.{}>", owner_of(id), type_name(id));
    let mut text = text.to_string();
    for kind in known.book.schema.kinds() {
        text = text.replace(&name(&kind.id), &format!("entity({})", kind.id));
    }
    for (id, ..) in &known.registrations.records {
        text = text.replace(&name(id), id);
    }
    text
}

fn rule(
    known: &ModContext<'_>,
    names: &mut GeneratedNames,
    raw: &RawSignature,
    name: &str,
    member: Option<&BoundMember<'_>>,
) -> Option<String> {
    let mut shape = shape(known, names.records(), raw)?;
    if let Some(member) = member {
        member.typed(known, &mut shape.args);
    }
    let handle = match () {
        () if shape.effects.include(Effects::ASKS) => "Acts",
        () if shape.effects.include(Effects::WRITES) => "Writes",
        () if shape.effects.include(Effects::DRAWS) => "Draws",
        () => "Reads",
    };
    let args: String = shape
        .args
        .iter()
        .map(|field| {
            format!(
                ", {}: {}",
                ident(&field.name),
                names.borrowed(&field.ty, &raw.rule, &field.name)
            )
        })
        .collect();
    let returns = match &shape.returns {
        Some(ty) => format!(" -> {}", names.owned(ty, &raw.rule, name)),
        None => String::new(),
    };
    let doc = match member {
        _ if !raw.doc.is_empty() => one_line(&raw.doc),
        Some(member) => member.doc(),
        None => raw.rule.to_string(),
    };
    let word = if raw.is_step { "step" } else { "rule" };
    Some(format!(
        "/// {doc}.\n#[{word}(\"{}\")]\npub fn {}(game: &{handle}{args}){returns};\n",
        raw.rule,
        ident(name)
    ))
}
