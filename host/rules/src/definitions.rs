//! Types of the rulebook, as Luau writes them: for the type checker, and for
//! an editor beside or instead of those in `schemas/luau/v1`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::value::{Field, Name, Type};
use kernel::world::Kind;

use crate::hosting::registry::{Returns, Signature};
use crate::rulebook::Rulebook;

/// The published type definitions.
pub const DEFINITIONS: &str = include_str!("../../../schemas/luau/v1/houserule.d.luau");

/// What every entity has beside the attributes of its kind.
const OF_ALL: [&str; 3] = ["name", "kind", "side"];

const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The types of kinds, by id of the kind.
pub struct KindNames(BTreeMap<Name, String>);

impl KindNames {
    /// `skirmish.unit` is `SkirmishUnit`; where two kinds would share a name,
    /// the later one gets a number.
    pub fn new(kinds: &[Kind]) -> KindNames {
        let mut names: BTreeMap<Name, String> = BTreeMap::new();
        for kind in kinds {
            let plain = camel(&kind.id);
            let mut name = plain.clone();
            let mut number = 2;
            while names.values().any(|other| *other == name) {
                name = format!("{plain}{number}");
                number += 1;
            }
            names.insert(kind.id.clone(), name);
        }
        KindNames(names)
    }

    /// The type of an entity of a kind.
    pub fn of(&self, kind: &str) -> &str {
        self.0.get(kind).map_or("any", String::as_str)
    }

    /// The type of what a rule reads: optional values as if they were there.
    pub fn read(&self, ty: &Type) -> String {
        match ty {
            Type::Any | Type::Verdict | Type::Entity(None) => "any".into(),
            Type::Bool => "boolean".into(),
            Type::Int { .. } => "number".into(),
            Type::Text | Type::Id => "string".into(),
            Type::Enum(tags) => union(tags),
            Type::Entity(Some(kind)) => self.of(kind).into(),
            Type::Length => "Length".into(),
            Type::Angle => "Angle".into(),
            Type::Direction => "Direction".into(),
            Type::Point => "Point".into(),
            Type::Hex => "Hex".into(),
            Type::Die => "Die".into(),
            Type::Path => "{ Point }".into(),
            Type::List(item) => format!("{{ {} }}", self.read(item)),
            Type::Map(item) => format!("{{ [string]: {} }}", self.read(item)),
            Type::Record(fields) => self.fields(fields),
            Type::Optional(inner) => self.read(inner),
        }
    }

    /// A record, of which a rule reads the fields.
    pub fn fields(&self, fields: &[Field]) -> String {
        let one = |field: &Field| format!("read {}: {}", key(&field.name), self.read(&field.ty));
        format!("{{ {} }}", fields.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    /// What may be written where that type is wanted; what the host converts,
    /// or the checker cannot follow, is anything.
    fn written(&self, ty: &Type) -> String {
        match ty {
            Type::Optional(inner) => match self.written(inner).as_str() {
                "any" => "any".into(),
                inner => format!("({inner})?"),
            },
            Type::Entity(_) => "Entity".into(),
            Type::Bool | Type::Int { .. } | Type::Text | Type::Id => self.read(ty),
            Type::Enum(_) | Type::Length | Type::Angle | Type::Direction | Type::Point | Type::Hex => {
                self.read(ty)
            }
            _ => "any".into(),
        }
    }

    /// What a rule may give back where its signature says that type.
    pub fn given(&self, ty: &Type) -> String {
        match ty {
            Type::Enum(_) => "string".into(),
            Type::Optional(inner) => match self.given(inner).as_str() {
                "any" => "any".into(),
                inner => format!("({inner})?"),
            },
            _ => self.written(ty),
        }
    }

    fn kind(&self, kind: &Kind) -> String {
        let mut text = format!("--- The kind `{}`.\n", kind.id);
        let _ = writeln!(text, "declare extern type {} extends Entity with", self.of(&kind.id));
        for attribute in &kind.attributes {
            // The checker cannot write a keyword as the name of a property.
            if OF_ALL.contains(&&*attribute.name) || !is_name(&attribute.name) {
                continue;
            }
            let doc = if attribute.doc.is_empty() { String::new() } else { format!(": {}", attribute.doc) };
            let _ = writeln!(text, "\t--- `{}`{}", attribute.ty, doc.replace('\n', " "));
            let (read, written) = (self.read(&attribute.ty), self.written(&attribute.ty));
            if read == written {
                let _ = writeln!(text, "\t{}: {read}", attribute.name);
            } else {
                let _ = writeln!(text, "\tread {0}: {read}\n\twrite {0}: {written}", attribute.name);
            }
        }
        text.push_str("end\n");
        text
    }
}

/// The kinds of a rulebook as type definitions, to be loaded by an editor after
/// those in `schemas/luau/v1`.
pub fn kind_types(rulebook: &Rulebook) -> String {
    let kinds = rulebook.book().schema.kinds();
    let names = KindNames::new(kinds);
    kinds.iter().map(|kind| names.kind(kind)).collect::<Vec<_>>().join("\n")
}

/// The published definitions as the checker loads them: `require` follows the
/// files, and the kinds come after. What `game` gives for a kind is written into
/// each file where it is called: one overload for each kind is too much for the
/// checker where a mod has many.
pub fn definitions(rulebook: &Rulebook) -> String {
    let mut text = String::new();
    let mut is_require = false;
    for line in DEFINITIONS.lines() {
        is_require = line.starts_with("declare require") || is_require && line.starts_with('\t');
        if !is_require {
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str(&kind_types(rulebook));
    text
}

/// Everything that an editor can know of a rulebook: the published definitions,
/// with the methods of `game` for each kind and each rule, and the kinds.
pub fn editor_types(rulebook: &Rulebook) -> String {
    let kinds = rulebook.book().schema.kinds();
    let names = KindNames::new(kinds);
    let mut text = String::new();
    for line in DEFINITIONS.lines() {
        let method = line.trim_start().strip_prefix("function ");
        match method.and_then(|line| line.split_once("(self, kind: Id")) {
            Some((name, rest)) => text.push_str(&by_kind(name, rest, kinds, &names)),
            None if method.is_some_and(|line| line.starts_with("call(self,")) => {
                text.push_str(&by_rule(rulebook, &names));
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text.push_str("\n-- The kinds of these rules ----------------------------------------------\n\n");
    text.push_str(&kind_types(rulebook));
    text
}

/// `game:call`, once for each rule.
fn by_rule(rulebook: &Rulebook, names: &KindNames) -> String {
    let one = |(id, signature): (&Name, &Signature)| {
        let arg = |field: &Field| format!(", {}: {}", plain(&field.name), names.written(&field.ty));
        let args: String = signature.args.iter().map(arg).collect();
        let result = match &signature.returns {
            Returns::Value(Type::Verdict) => "(boolean, string?)".into(),
            Returns::Value(ty) => names.read(ty),
            Returns::Domain(_) => "any".into(),
            Returns::Nothing => "()".into(),
        };
        format!("((self: Game, id: \"{id}\"{args}) -> {result})")
    };
    let rules = rulebook.rules().iter().map(|(id, entry)| (id, &entry.signature));
    let mut overloads: Vec<String> = rules.map(one).collect();
    overloads.push("((self: Game, id: Id, ...any) -> ...any)".into());
    format!("\tcall: {}", overloads.join("\n\t\t& "))
}

/// A name that Luau takes for an argument.
fn plain(name: &str) -> String {
    if is_name(name) { name.into() } else { format!("{}_", name.replace('-', "_")) }
}

/// A method whose first argument names a kind, once for each kind.
fn by_kind(name: &str, rest: &str, kinds: &[Kind], names: &KindNames) -> String {
    let rest = rest.replacen("):", ") ->", 1);
    let one = |kind: &str, ty: &str| format!("((self: Game, kind: {kind}{})", rest.replace("Entity", ty));
    let mut overloads: Vec<String> =
        kinds.iter().map(|kind| one(&format!("\"{}\"", kind.id), names.of(&kind.id))).collect();
    overloads.push(one("Id", "Entity"));
    format!("\t{name}: {}", overloads.join(" & "))
}

fn union(tags: &[Name]) -> String {
    match tags {
        [] => "string".into(),
        tags => {
            let quoted: Vec<String> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
            format!("({})", quoted.join(" | "))
        }
    }
}

fn camel(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    id.split(['.', '_', '-']).map(word).collect()
}

fn key(name: &str) -> String {
    if is_name(name) { name.into() } else { format!("[\"{name}\"]") }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(is_letter)
        && !KEYWORDS.contains(&name)
}
