//! What kinds, records and values are called in the types of Luau.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::value::{Field, Name, Type};
use kernel::world::Kind;

/// What every entity has beside the attributes of its kind.
const OF_ALL: [&str; 3] = ["name", "kind", "side"];

const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The types of kinds, by id of the kind.
pub(crate) struct KindNames(BTreeMap<Name, String>);

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

    /// The type of what a rule reads in an attribute: an optional value as if it
    /// were there, for rules know from the state of the game which ones are. What
    /// is in it is as it says.
    pub fn read(&self, ty: &Type) -> String {
        match ty {
            Type::Optional(inner) => self.exact(inner),
            _ => self.exact(ty),
        }
    }

    /// A type as it is.
    pub fn exact(&self, ty: &Type) -> String {
        match ty {
            Type::Any | Type::Verdict => "any".into(),
            Type::Entity(None) => "Entity".into(),
            Type::Entity(Some(kind)) => self.of(kind).into(),
            Type::Bool => "boolean".into(),
            Type::Int { .. } => "number".into(),
            Type::Text | Type::Id => "string".into(),
            Type::Enum(tags) => union(tags),
            Type::Length => "Length".into(),
            Type::Angle => "Angle".into(),
            Type::Direction => "Direction".into(),
            Type::Point => "Point".into(),
            Type::Hex => "Hex".into(),
            Type::Die => "Die".into(),
            Type::Path => "{ Point }".into(),
            Type::List(item) => format!("{{ {} }}", self.exact(item)),
            Type::Map(item) => format!("{{ [string]: {} }}", self.exact(item)),
            Type::Record(fields) => {
                let one =
                    |field: &Field| format!("read {}: {}", key(&field.name), self.exact(&field.ty));
                format!(
                    "{{ {} }}",
                    fields.iter().map(one).collect::<Vec<_>>().join(", ")
                )
            }
            Type::Optional(inner) => match self.exact(inner).as_str() {
                "any" => "any".into(),
                inner => format!("({inner})?"),
            },
        }
    }

    /// A record, of which a rule reads the fields.
    pub fn fields(&self, fields: &[Field]) -> String {
        let one = |field: &Field| format!("read {}: {}", key(&field.name), self.read(&field.ty));
        format!(
            "{{ {} }}",
            fields.iter().map(one).collect::<Vec<_>>().join(", ")
        )
    }

    /// What may be written where that type is wanted; what the host converts,
    /// or the checker cannot follow, is anything.
    pub fn written(&self, ty: &Type) -> String {
        match ty {
            Type::Optional(inner) => match self.written(inner).as_str() {
                "any" => "any".into(),
                inner => format!("({inner})?"),
            },
            Type::Entity(_) => "Entity".into(),
            Type::Bool | Type::Int { .. } | Type::Text | Type::Id => self.read(ty),
            Type::Enum(_)
            | Type::Length
            | Type::Angle
            | Type::Direction
            | Type::Point
            | Type::Hex => self.read(ty),
            _ => "any".into(),
        }
    }

    /// What a rule takes that says so in a signature.
    pub fn taken(&self, ty: &Type) -> String {
        match ty {
            Type::Entity(_) => self.exact(ty),
            Type::Optional(inner) => match self.taken(inner).as_str() {
                "any" => "any".into(),
                inner => format!("({inner})?"),
            },
            _ => self.written(ty),
        }
    }

    /// The definition of a kind.
    pub fn kind(&self, kind: &Kind) -> String {
        let mut text = format!("--- The kind `{}`.\n", kind.id);
        let _ = writeln!(
            text,
            "declare extern type {} extends Entity with",
            self.of(&kind.id)
        );
        for attribute in &kind.attributes {
            // The checker cannot write a keyword as the name of a property.
            if OF_ALL.contains(&&*attribute.name) || !is_name(&attribute.name) {
                continue;
            }
            let doc = if attribute.doc.is_empty() {
                String::new()
            } else {
                format!(": {}", attribute.doc)
            };
            let _ = writeln!(text, "\t--- `{}`{}", attribute.ty, doc.replace('\n', " "));
            let (read, written) = (self.read(&attribute.ty), self.written(&attribute.ty));
            if read == written {
                let _ = writeln!(text, "\t{}: {read}", attribute.name);
            } else {
                let _ = writeln!(
                    text,
                    "\tread {0}: {read}\n\twrite {0}: {written}",
                    attribute.name
                );
            }
        }
        text.push_str("end\n");
        text
    }
}

/// One of some tags.
pub(crate) fn union(tags: &[Name]) -> String {
    let quoted: Vec<String> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
    if quoted.is_empty() {
        "string".into()
    } else {
        format!("({})", quoted.join(" | "))
    }
}

/// `dsii.fire.outcome` is `DsiiFireOutcome`.
pub(crate) fn camel(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    id.split(['.', '_', '-']).map(word).collect()
}

/// A name with one separator.
pub(crate) fn plain(name: &str) -> String {
    name.replace(['.', '-'], "_")
}

/// The name of something in its mod: `fire_ranges` for `dsii.fire.ranges`.
pub(crate) fn short(id: &str) -> String {
    plain(id.split_once('.').map_or(id, |(_, rest)| rest))
}

/// The chapter and the name in it of an id of three parts or more.
pub(crate) fn chapter_and_name(id: &str) -> Option<(String, String)> {
    let (chapter, name) = id.split_once('.')?.1.split_once('.')?;
    Some((chapter.replace('-', "_"), plain(name)))
}

fn key(name: &str) -> String {
    if is_name(name) {
        name.into()
    } else {
        format!("[\"{name}\"]")
    }
}

/// Whether Luau takes it for a name.
pub(crate) fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(is_letter)
        && !KEYWORDS.contains(&name)
}
