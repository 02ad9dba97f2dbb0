//! Kinds of entities and the attributes that mods add to them.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, Value};
use kernel::world::{Attribute, Edge, FirstViewers, Kind, Until};
use serde::Deserialize;

use super::item::{Checked, ItemHeader};
use super::reader::{Datum, RawRon};
use crate::types::{Records, from_ron, natural_zero, no_entities, parse_type};

/// A kind as its mod declares it.
#[derive(Clone, Debug)]
pub struct KindItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// What people call it.
    pub title: Name,
    /// One sentence about it.
    pub doc: Name,
    /// Who sees at first that one exists.
    pub existence: FirstViewers,
    /// Who sees its name at first.
    pub naming: FirstViewers,
    /// Its attributes.
    pub attributes: Vec<AttributeItem>,
}

/// More attributes for a kind of any mod.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The kind's id, clauses and place.
    pub header: ItemHeader,
    /// The attributes.
    pub attributes: Vec<AttributeItem>,
}

/// An attribute as its mod declares it.
#[derive(Clone, Debug)]
pub struct AttributeItem {
    /// Its name.
    pub name: Name,
    /// Its type, as written.
    pub ty: String,
    /// What it holds when nothing is said; the type's own zero without it.
    pub default: Option<Datum>,
    /// Who sees it at first.
    pub viewers: FirstViewers,
    /// One sentence with its unit.
    pub doc: Name,
    /// Whether it is bookkeeping of the rules, which people see when they ask.
    pub is_bookkeeping: bool,
    /// The edges of phases that take it back to its default.
    pub until: Vec<Until>,
    /// Where it is written.
    pub place: kernel::error::Place,
}

impl KindItem {
    /// The kind for the kernel, without what other mods add, and a fault for every
    /// attribute whose type or default is wrong, or that is there twice.
    ///
    /// There is a kind in any case, so that what names it is not found wrong as well.
    pub fn build(&self, records: &Records) -> (Kind, Vec<Fault>) {
        let mut kind = Kind::new(&self.header.id, &self.header.place.module);
        kind.existence = self.existence;
        kind.naming = self.naming;
        let faults = extend(&mut kind, &self.attributes, records)
            .err()
            .unwrap_or_default();
        (kind, faults)
    }
}

impl Extension {
    /// Adds the attributes to the kind.
    ///
    /// # Errors
    /// Every attribute whose type or default is wrong, or that is there already.
    pub fn apply(&self, kind: &mut Kind, records: &Records) -> Result<(), Vec<Fault>> {
        extend(kind, &self.attributes, records)
    }
}

fn extend(
    kind: &mut Kind,
    attributes: &[AttributeItem],
    records: &Records,
) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for item in attributes {
        let (attribute, broken) = item.build(records);
        faults.extend(broken.map(|fault| fault.at(item.place.clone())));
        faults.extend(
            kind.extend(attribute)
                .err()
                .map(|fault| fault.at(item.place.clone())),
        );
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

impl AttributeItem {
    /// The attribute for the kernel, and what is wrong if its type does not parse,
    /// its default does not fit, or it has none and needs one: then it is one that
    /// may be anything.
    fn build(&self, records: &Records) -> (Attribute, Option<Fault>) {
        let (ty, default, fault) = match self.type_and_default(records) {
            Ok((ty, default)) => (ty, default, None),
            Err(fault) => (Type::Any, Value::None, Some(fault)),
        };
        let attribute = Attribute {
            name: self.name.clone(),
            ty,
            default,
            viewers: self.viewers,
            doc: self.doc.clone(),
            is_bookkeeping: self.is_bookkeeping,
            until: self.until.iter().cloned().collect(),
            module: self.place.module.clone(),
        };
        (attribute, fault)
    }

    fn type_and_default(&self, records: &Records) -> Result<(Type, Value), Fault> {
        let ty = parse_type(&self.ty, records).map_err(|fault| fault.at(self.place.clone()))?;
        let default: Value = match &self.default {
            Some(datum) => from_ron(&ty, &datum.value, &no_entities).map_err(|m| {
                Fault::mismatch(&format!("default of `{}`", self.name), &m).at(datum.place.clone())
            })?,
            None => natural_zero(&ty).ok_or_else(|| {
                let message = format!(
                    "expected a default for `{}` of type {ty}, found none",
                    self.name
                );
                Fault::new(FaultCode::WrongType, message)
                    .hint(format!("write a `default`, or the type `{ty}?`"))
            })?,
        };
        Ok((ty, default))
    }
}

#[derive(Deserialize, Clone, Copy, Default)]
pub(super) enum RawViewers {
    #[default]
    All,
    Owner,
    Nobody,
}

impl From<RawViewers> for FirstViewers {
    fn from(raw: RawViewers) -> FirstViewers {
        match raw {
            RawViewers::All => FirstViewers::All,
            RawViewers::Owner => FirstViewers::Owner,
            RawViewers::Nobody => FirstViewers::Nobody,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawKind<'a> {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    existence: RawViewers,
    #[serde(default)]
    naming: Option<RawViewers>,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    attributes: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAttribute<'a> {
    name: String,
    r#type: String,
    #[serde(default, borrow)]
    default: Option<RawRon<'a>>,
    #[serde(default)]
    viewers: RawViewers,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    bookkeeping: bool,
    #[serde(default, borrow)]
    until: Option<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUntil {
    #[serde(default)]
    begins: Option<String>,
    #[serde(default)]
    ends: Option<String>,
    #[serde(default)]
    of: Option<String>,
}

pub(super) fn read_kind<'a>(raw: RawKind<'a>, checked: &mut Checked<'a, '_>) -> KindItem {
    KindItem {
        header: checked.header(&raw.id, &raw.cites),
        title: raw.title.into(),
        doc: raw.doc.into(),
        existence: raw.existence.into(),
        naming: raw.naming.unwrap_or(raw.existence).into(),
        attributes: read_attributes(&raw.attributes, checked),
    }
}

pub(super) fn read_attributes<'a>(
    pieces: &[RawRon<'a>],
    checked: &mut Checked<'a, '_>,
) -> Vec<AttributeItem> {
    pieces
        .iter()
        .filter_map(|piece| attribute(piece, checked))
        .collect()
}

fn attribute<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<AttributeItem> {
    let raw: RawAttribute<'a> = checked.read(piece)?;
    checked.word(&raw.name, piece, "an attribute");
    Some(AttributeItem {
        default: match raw.default {
            Some(default) => Some(checked.datum(default)?),
            None => None,
        },
        name: raw.name.into(),
        ty: raw.r#type,
        viewers: raw.viewers.into(),
        doc: raw.doc.into(),
        is_bookkeeping: raw.bookkeeping,
        until: raw
            .until
            .map_or_else(Vec::new, |piece| read_until(piece, checked)),
        place: checked.place(piece),
    })
}

/// One edge of a phase, or a list of them.
fn read_until<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Vec<Until> {
    let pieces = match checked.is_list(piece) {
        true => checked.read::<Vec<RawRon<'a>>>(piece).unwrap_or_default(),
        false => vec![piece],
    };
    pieces
        .iter()
        .filter_map(|piece| read_edge(piece, checked))
        .collect()
}

fn read_edge<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<Until> {
    let raw: RawUntil = checked.read(piece)?;
    let (edge, phase) = match (raw.begins, raw.ends) {
        (Some(phase), None) => (Edge::Begins, phase),
        (None, Some(phase)) => (Edge::Ends, phase),
        _ => {
            let message = "`until`: expected `(begins: \"a.phase\")` or `(ends: \"a.phase\")`, found something else";
            checked.fault_at(piece, FaultCode::BadSignature, message);
            return None;
        }
    };
    if let Some(of) = &raw.of {
        checked.word(of, piece, "in `of` a field of what the phase is given");
    }
    Some(Until {
        edge,
        phase: phase.into(),
        of: raw.of.map(Name::from),
    })
}
