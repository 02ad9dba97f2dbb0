//! The names that Rust has for ids and types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::value::{Field, Name, Type};

use super::ModContext;
use crate::types::{Records, parse_fields, parse_type};

const KEYWORDS: [&str; 39] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "priv", "pub", "ref", "return", "static",
    "struct", "true", "type", "use", "where",
];

/// Names that stand in every file.
const RESERVED: [&str; 35] = [
    "Acting",
    "Acts",
    "Angle",
    "Audience",
    "Box",
    "Clause",
    "Die",
    "Direction",
    "Domain",
    "Draws",
    "Entity",
    "Err",
    "Fault",
    "Hex",
    "HexCosts",
    "Kind",
    "Length",
    "None",
    "Ok",
    "Option",
    "Path",
    "Phase",
    "Point",
    "Question",
    "Reads",
    "Reason",
    "Record",
    "Registrar",
    "Result",
    "Setting",
    "Some",
    "String",
    "Value",
    "Vec",
    "Verdict",
];

/// A name as Rust takes it.
pub(super) fn ident(name: &str) -> String {
    let name = name.replace('-', "_");
    if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

/// `fire.area_hit` is `FireAreaHit`.
pub(super) fn camel(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    id.split(['.', '_', '-']).map(word).collect()
}

/// The parts of an id behind the mod: the chapters, and the name.
pub(super) fn tail(id: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = id.split('.').skip(1).collect();
    let name = parts.pop().unwrap_or_default();
    (parts, name)
}

/// The mark by which the type of a record with a name is known.
const RECORD: &str = "record ";

/// The mark of one that is declared in the sources of the mod itself.
const OWN_RECORD: &str = "record of its own ";

/// The names of types: kinds, records, and enums, which are called after the
/// field that they fit.
pub(super) struct GeneratedNames {
    kinds: BTreeMap<Name, String>,
    records: Records,
    /// All named types as they were composed, with marks for those that the
    /// mod's own rules declare.
    in_data: Records,
    awaited: BTreeSet<Name>,
    enums: BTreeMap<Vec<Name>, String>,
    taken: BTreeSet<String>,
    order: Vec<Vec<Name>>,
}

impl GeneratedNames {
    pub fn new(known: &ModContext<'_>) -> GeneratedNames {
        let mut names = GeneratedNames {
            kinds: BTreeMap::new(),
            records: Records::new(),
            in_data: known.records.clone(),
            awaited: known.awaited.clone(),
            enums: BTreeMap::new(),
            taken: RESERVED.iter().map(|name| name.to_string()).collect(),
            order: Vec::new(),
        };
        for kind in known.book.schema.kinds() {
            let short = camel(kind.id.rsplit('.').next().unwrap_or(&kind.id));
            let name = if names.taken.contains(&short) {
                camel(&kind.id)
            } else {
                short
            };
            names.taken.insert(name.clone());
            names.kinds.insert(kind.id.clone(), name);
        }
        for (id, ..) in &known.registrations.records {
            names.records.insert(id.clone(), of_record(RECORD, id));
        }
        for id in known.awaited {
            if known.records.get(id) == Some(&Type::Any) {
                names.in_data.insert(id.clone(), of_record(OWN_RECORD, id));
            }
        }
        names
    }

    /// A type, as it is written in the data of the mod if it names there what the
    /// rules of the mod declare.
    pub fn as_written(&self, ty: &Type, written: Option<&str>) -> Type {
        let written = written.filter(|text| self.names_awaited(text));
        let found = written.and_then(|text| parse_type(text, &self.in_data).ok());
        found.unwrap_or_else(|| ty.clone())
    }

    /// The same of a list of fields.
    pub fn fields_as_written(&self, fields: &[Field], written: Option<&str>) -> Vec<Field> {
        let written = written.filter(|text| self.names_awaited(text));
        let found = written.and_then(|text| parse_fields(text, &self.in_data).ok());
        found.unwrap_or_else(|| fields.to_vec())
    }

    fn names_awaited(&self, text: &str) -> bool {
        self.awaited.iter().any(|id| text.contains(&**id))
    }

    pub fn records(&self) -> &Records {
        &self.records
    }

    pub fn kind(&self, id: &str) -> &str {
        self.kinds.get(id).map_or("Entity", String::as_str)
    }

    /// A type as a function takes it.
    pub fn borrowed(&mut self, ty: &Type, owner: &str, field: &str) -> String {
        match ty {
            Type::Text | Type::Id => "&str".into(),
            Type::List(item) => format!("&[{}]", self.owned(item, owner, field)),
            ty if is_record(ty) => format!("&{}", self.owned(ty, owner, field)),
            ty => self.owned(ty, owner, field),
        }
    }

    /// A type as something that is kept, with what it is a part of.
    pub fn owned(&mut self, ty: &Type, owner: &str, field: &str) -> String {
        match ty {
            Type::Any => "Value".into(),
            Type::Bool => "bool".into(),
            Type::Int { .. } => "i64".into(),
            Type::Text | Type::Id => "String".into(),
            Type::Enum(tags) => self.word(tags, owner, field),
            Type::Entity(None) => "Entity".into(),
            Type::Entity(Some(kind)) => {
                match (kind.strip_prefix(OWN_RECORD), kind.strip_prefix(RECORD)) {
                    (Some(record), _) => format!("crate::{}", path_in_mod(record)),
                    (None, Some(record)) => record_path(record),
                    (None, None) => self.kind(kind).into(),
                }
            }
            Type::Length => "Length".into(),
            Type::Angle => "Angle".into(),
            Type::Direction => "Direction".into(),
            Type::Point => "Point".into(),
            Type::Hex => "Hex".into(),
            Type::Die => "Die".into(),
            Type::Path => "Path".into(),
            Type::Verdict => "Verdict".into(),
            Type::Record(_) => "Record".into(),
            Type::List(item) => format!("Vec<{}>", self.owned(item, owner, field)),
            Type::Map(item) => format!("BTreeMap<String, {}>", self.owned(item, owner, field)),
            Type::Optional(inner) => format!("Option<{}>", self.owned(inner, owner, field)),
        }
    }

    /// The enum of some words: called after its field, and where two differ,
    /// the second one after what it is a part of, too.
    fn word(&mut self, tags: &[Name], owner: &str, field: &str) -> String {
        if let Some(name) = self.enums.get(tags) {
            return name.clone();
        }
        let short = camel(field);
        let last = owner.rsplit('.').next().unwrap_or(owner);
        let candidates = [
            short.clone(),
            camel(&format!("{last}.{field}")),
            camel(&format!("{owner}.{field}")),
        ];
        let free = candidates
            .into_iter()
            .find(|name| !self.taken.contains(name));
        let name = free.unwrap_or_else(|| format!("{short}{}", self.order.len()));
        self.taken.insert(name.clone());
        self.enums.insert(tags.to_vec(), name.clone());
        self.order.push(tags.to_vec());
        name
    }

    /// All enums that were named.
    pub fn words(&self) -> String {
        let mut text = String::new();
        for tags in &self.order {
            let _ = writeln!(text, "    #[words]\n    pub enum {} {{", self.enums[tags]);
            for tag in tags {
                let name = camel(tag);
                if snake(&name) != **tag {
                    let _ = writeln!(text, "        #[word(\"{tag}\")]");
                }
                let _ = writeln!(text, "        {name},");
            }
            text.push_str("    }\n");
        }
        text
    }
}

fn is_record(ty: &Type) -> bool {
    matches!(ty, Type::Entity(Some(kind)) if kind.starts_with(RECORD))
        || matches!(ty, Type::Record(_) | Type::Any)
}

/// The mark of a record, or of what a window carries.
pub(super) fn record_mark(id: &str) -> Type {
    of_record(RECORD, id)
}

fn of_record(mark: &str, id: &str) -> Type {
    Type::Entity(Some(format!("{mark}{id}").into()))
}

/// `tcsbase.fire.outcome` is `tcsbase::fire::Outcome`.
fn record_path(id: &str) -> String {
    let module = id.split('.').next().unwrap_or_default();
    format!("crate::bindings::{}::{}", ident(module), path_in_mod(id))
}

/// `tcsbase.fire.outcome` is `fire::Outcome` there.
fn path_in_mod(id: &str) -> String {
    let (path, name) = tail(id);
    let path: String = path
        .iter()
        .map(|part| format!("{}::", ident(part)))
        .collect();
    format!("{path}{}", camel(name))
}

/// What the attribute for words makes of a variant.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
