//! Templates: what a scenario places by name, a single entity or a group.
//!
//! ```text
//!   EntityTemplate(id: "skirmish.platoon", kind: "skirmish.unit",
//!            parts: [(template: "skirmish.tank", name: "tank", count: 4, link: "unit")])
//! ```
//!
//! places one unit and four tanks, each of which names the unit in its
//! attribute `unit`.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type, is_id};
use kernel::world::{Kind, Schema, closest};
use serde::Deserialize;

use super::Data;
use super::amended::TemplateAmend;
use super::item::{Checked, ItemHeader};
use super::kind::AttributeItem;
use super::reader::{Datum, Entries, RawRon};
use super::table::{Stated, in_stated_order};
use crate::types::from_ron;

/// More parts of one sort than this are taken for a mistake.
const MOST_PARTS: u32 = 100;

/// A template as its mod declares it.
#[derive(Clone, Debug)]
pub struct TemplateItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// What people call it.
    pub title: Name,
    /// The kind, unless the template that it extends says it.
    pub kind: Option<Name>,
    /// The template whose attributes and parts it starts from.
    pub extends: Option<Name>,
    /// Attributes by name.
    pub attributes: BTreeMap<Name, Datum>,
    /// Entities that are placed with it.
    pub parts: Vec<PartItem>,
}

/// Entities that are placed with a template.
#[derive(Clone, Debug)]
pub struct PartItem {
    /// What is placed.
    pub what: PartOf,
    /// Its name under that of the whole: `tank` for `platoon-1.tank-2`.
    pub name: Name,
    /// How many.
    pub count: u32,
    /// The attribute of the part that names the whole.
    pub link: Option<Name>,
    /// Attributes by name; they go before those of the template.
    pub attributes: BTreeMap<Name, Datum>,
    /// Where it is written.
    pub place: Place,
}

/// What a part is made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartOf {
    /// A template, with parts of its own.
    Template(Name),
    /// A bare kind.
    Kind(Name),
}

/// A template with everything it takes over from others.
#[derive(Clone, Debug)]
pub struct EntityTemplate {
    /// Its id.
    pub id: Name,
    /// What people call it.
    pub title: Name,
    /// The kind of entity.
    pub kind: Name,
    /// The templates that it extends, the nearest first.
    pub extends: Vec<Name>,
    /// Attributes by name.
    pub attributes: BTreeMap<Name, Datum>,
    /// Entities that are placed with it.
    pub parts: Vec<PartItem>,
    /// Where it is written.
    pub place: Place,
}

/// The templates of the composed mods, with what others change of them, each whole and
/// checked.
///
/// # Errors
/// Every change of one that is not there, or that meets another without a stated order;
/// every template that extends or holds itself or one that is not there, has no
/// kind, or gives an attribute that its kind does not have or that does not fit.
pub fn resolve(
    mods: &[&Data],
    amends: &[&TemplateAmend],
    stated: Stated<'_>,
    schema: &Schema,
) -> Result<BTreeMap<Name, EntityTemplate>, Vec<Fault>> {
    let mut items: Items<'_> = mods
        .iter()
        .flat_map(|data| &data.templates)
        .map(|item| (&item.header.id, item))
        .collect();
    let mut faults = Vec::new();
    let changed = changed(&items, amends, stated, &mut faults);
    items.extend(changed.iter().map(|item| (&item.header.id, item)));
    let mut whole = BTreeMap::new();
    for item in items.values() {
        match flatten(item, &items) {
            Ok(template) => {
                whole.insert(template.id.clone(), template);
            }
            Err(fault) => faults.push(fault.at(item.header.place.clone())),
        }
    }
    leave_out(&mut whole, &LeftOut::of(mods, schema));
    for template in whole.values() {
        check(template, &whole, &items, schema, &mut faults);
    }
    if faults.is_empty() {
        Ok(whole)
    } else {
        Err(faults)
    }
}

/// What is declared and not there, for its clauses are off.
struct LeftOut<'a> {
    kinds: BTreeSet<&'a Name>,
    attributes: BTreeSet<(&'a Name, &'a Name)>,
}

impl<'a> LeftOut<'a> {
    fn of(mods: &[&'a Data], schema: &Schema) -> LeftOut<'a> {
        let kinds = mods.iter().flat_map(|data| &data.kinds);
        let extended = mods.iter().flat_map(|data| &data.extensions);
        let attributes = extended.flat_map(|item| {
            let of = |attribute: &'a AttributeItem| (&item.header.id, &attribute.name);
            item.attributes.iter().map(of)
        });
        LeftOut {
            kinds: kinds
                .map(|item| &item.header.id)
                .filter(|id| schema.require(id).is_err())
                .collect(),
            attributes: attributes
                .filter(|(kind, name)| {
                    kind_of(schema, kind).is_ok_and(|kind| kind.find(name).is_none())
                })
                .collect(),
        }
    }

    fn drop_from(&self, kind: &Name, attributes: &mut BTreeMap<Name, Datum>) {
        attributes.retain(|name, _| !self.attributes.contains(&(kind, name)));
    }
}

/// A template is there whatever its clauses, for scenarios name it; of what it gives
/// that is left aside which is not there, and so is a template of such a kind.
fn leave_out(whole: &mut BTreeMap<Name, EntityTemplate>, left_out: &LeftOut<'_>) {
    whole.retain(|_, template| !left_out.kinds.contains(&template.kind));
    let kinds: BTreeMap<Name, Name> = whole
        .values()
        .map(|template| (template.id.clone(), template.kind.clone()))
        .collect();
    for template in whole.values_mut() {
        left_out.drop_from(&template.kind, &mut template.attributes);
        for part in &mut template.parts {
            let kind = match &part.what {
                PartOf::Template(id) => kinds.get(id),
                PartOf::Kind(kind) => Some(kind),
            };
            if let Some(kind) = kind.cloned() {
                left_out.drop_from(&kind, &mut part.attributes);
            }
        }
    }
}

type Items<'a> = BTreeMap<&'a Name, &'a TemplateItem>;

fn find<'a>(id: &Name, items: &Items<'a>) -> Result<&'a TemplateItem, Fault> {
    items.get(id).copied().ok_or_else(|| {
        let fault = Fault::new(
            FaultCode::UnknownTemplate,
            format!("expected a template, found `{id}`"),
        );
        match closest(id, items.keys().map(|id| &***id)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    })
}

/// The templates that are changed, as they then are.
fn changed(
    items: &Items<'_>,
    amends: &[&TemplateAmend],
    stated: Stated<'_>,
    faults: &mut Vec<Fault>,
) -> Vec<TemplateItem> {
    let mut changed: BTreeMap<&Name, TemplateItem> = BTreeMap::new();
    for amend in amends {
        let id = &amend.header.id;
        let place = &amend.header.place;
        let item = match find(id, items) {
            Ok(item) => changed.entry(id).or_insert_with(|| item.clone()),
            Err(fault) => {
                faults.push(fault.at(place.clone()));
                continue;
            }
        };
        for (name, datum) in &amend.attributes {
            let what = format!("attribute `{name}` of template `{id}`");
            let last = item.attributes.get(name).map_or(place, |last| &last.place);
            match in_stated_order(&what, last, &datum.place, stated) {
                Ok(()) => put(&mut item.attributes, name, datum),
                Err(fault) => faults.push(fault),
            }
        }
    }
    changed.into_values().collect()
}

fn put(attributes: &mut BTreeMap<Name, Datum>, name: &Name, datum: &Datum) {
    let mut datum = datum.clone();
    if let Some(before) = attributes.get(name) {
        keep_unnamed(&before.value, &mut datum.value);
    }
    attributes.insert(name.clone(), datum);
}

/// Of a record or a map what is not named stays as it is.
fn keep_unnamed(before: &ron::Value, now: &mut ron::Value) {
    let (ron::Value::Map(before), ron::Value::Map(now)) = (before, now) else {
        return;
    };
    for (name, value) in before.iter() {
        match now.get_mut(name) {
            Some(named) => keep_unnamed(value, named),
            None => drop(now.insert(name.clone(), value.clone())),
        }
    }
}

fn flatten(item: &TemplateItem, items: &Items<'_>) -> Result<EntityTemplate, Fault> {
    let mut template = EntityTemplate {
        id: item.header.id.clone(),
        title: item.title.clone(),
        kind: item.kind.clone().unwrap_or_default(),
        extends: Vec::new(),
        attributes: item.attributes.clone(),
        parts: item.parts.clone(),
        place: item.header.place.clone(),
    };
    let mut chain = vec![&item.header.id];
    let mut base = item.extends.as_ref();
    while let Some(id) = base {
        if chain.contains(&id) {
            chain.push(id);
            let words: Vec<&str> = chain.iter().map(|id| &***id).collect();
            let message = format!(
                "expected templates that end somewhere, found {}",
                words.join(" -> ")
            );
            return Err(Fault::new(FaultCode::Cycle, message));
        }
        chain.push(id);
        let under = find(id, items)?;
        template.extends.push(id.clone());
        if template.kind.is_empty() {
            template.kind = under.kind.clone().unwrap_or_default();
        }
        for (name, datum) in &under.attributes {
            template
                .attributes
                .entry(name.clone())
                .or_insert_with(|| datum.clone());
        }
        template.parts.splice(0..0, under.parts.iter().cloned());
        base = under.extends.as_ref();
    }
    if template.kind.is_empty() {
        let message = format!(
            "expected a `kind` in template `{}` or one it extends, found none",
            template.id
        );
        return Err(Fault::new(FaultCode::UnknownKind, message));
    }
    Ok(template)
}

fn check(
    template: &EntityTemplate,
    whole: &BTreeMap<Name, EntityTemplate>,
    items: &Items<'_>,
    schema: &Schema,
    faults: &mut Vec<Fault>,
) {
    match kind_of(schema, &template.kind) {
        Ok(kind) => check_attributes(kind, &template.attributes, faults),
        Err(fault) => faults.push(fault.at(template.place.clone())),
    }
    for part in &template.parts {
        let kind = match &part.what {
            PartOf::Kind(kind) => kind_of(schema, kind),
            PartOf::Template(id) => match whole.get(id) {
                Some(inner) if !holds(inner, &template.id, whole, &mut Vec::new()) => {
                    kind_of(schema, &inner.kind)
                }
                Some(_) => {
                    let message = format!(
                        "expected parts other than the whole, found `{}` in itself",
                        template.id
                    );
                    Err(Fault::new(FaultCode::Cycle, message))
                }
                // A template that is there but broken has its own fault.
                None => match find(id, items) {
                    Ok(_) => continue,
                    Err(fault) => Err(fault),
                },
            },
        };
        match kind {
            Ok(kind) => {
                check_attributes(kind, &part.attributes, faults);
                check_link(kind, part, faults);
            }
            Err(fault) => faults.push(fault.at(part.place.clone())),
        }
    }
}

/// Whether a template has another among its parts, at any depth, or is it.
fn holds(
    template: &EntityTemplate,
    wanted: &Name,
    whole: &BTreeMap<Name, EntityTemplate>,
    seen: &mut Vec<Name>,
) -> bool {
    if template.id == *wanted {
        return true;
    }
    if seen.contains(&template.id) {
        return false;
    }
    seen.push(template.id.clone());
    template.parts.iter().any(|part| match &part.what {
        PartOf::Template(id) => whole
            .get(id)
            .is_some_and(|inner| holds(inner, wanted, whole, seen)),
        PartOf::Kind(_) => false,
    })
}

fn kind_of<'s>(schema: &'s Schema, id: &str) -> Result<&'s Kind, Fault> {
    schema.require(id).map(|slot| schema.kind(slot))
}

fn check_attributes(kind: &Kind, attributes: &BTreeMap<Name, Datum>, faults: &mut Vec<Fault>) {
    for (name, datum) in attributes {
        let checked = kind.require(name).and_then(|slot| {
            let Some(attribute) = kind.attributes.get(usize::from(slot)) else {
                return Ok(());
            };
            // Entities are found when the scenario places them.
            if mentions_entity(&attribute.ty) {
                return Ok(());
            }
            from_ron(&attribute.ty, &datum.value, &crate::types::no_entities)
                .map(|_| ())
                .map_err(|m| Fault::mismatch(&format!("attribute `{name}` of `{}`", kind.id), &m))
        });
        faults.extend(checked.err().map(|fault| fault.at(datum.place.clone())));
    }
}

fn check_link(kind: &Kind, part: &PartItem, faults: &mut Vec<Fault>) {
    let Some(link) = &part.link else { return };
    let checked =
        kind.require(link)
            .and_then(|slot| match kind.attributes.get(usize::from(slot)) {
                Some(attribute) if !mentions_entity(&attribute.ty) => {
                    let message = format!(
                        "expected an attribute of type entity as the link, found `{link}`: {}",
                        attribute.ty
                    );
                    Err(Fault::new(FaultCode::WrongType, message))
                }
                _ => Ok(()),
            });
    faults.extend(checked.err().map(|fault| fault.at(part.place.clone())));
}

fn mentions_entity(ty: &Type) -> bool {
    match ty {
        Type::Entity(_) | Type::Any => true,
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => mentions_entity(inner),
        Type::Record(fields) => fields.iter().any(|field| mentions_entity(&field.ty)),
        _ => false,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTemplate<'a> {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    extends: Option<String>,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    attributes: Entries<'a>,
    #[serde(default, borrow)]
    parts: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPart<'a> {
    #[serde(default)]
    template: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default = "numbered")]
    name: String,
    #[serde(default = "one")]
    count: u32,
    #[serde(default)]
    link: Option<String>,
    #[serde(default, borrow)]
    attributes: Entries<'a>,
}

/// Parts are called after their whole, with a number.
fn numbered() -> String {
    "{name}-{n}".into()
}

fn one() -> u32 {
    1
}

pub(super) fn read_template<'a>(
    raw: RawTemplate<'a>,
    checked: &mut Checked<'a, '_>,
) -> TemplateItem {
    let header = checked.header(&raw.id, &raw.cites);
    for id in raw.kind.iter().chain(&raw.extends).filter(|id| !is_id(id)) {
        checked.fault(
            FaultCode::BadSignature,
            format!("expected an id such as `skirmish.unit`, found `{id}`"),
        );
    }
    if raw.kind.is_none() && raw.extends.is_none() {
        checked.fault(
            FaultCode::UnknownKind,
            format!(
                "expected `kind` or `extends` in `{}`, found neither",
                raw.id
            ),
        );
    }
    TemplateItem {
        header,
        title: raw.title.into(),
        kind: raw.kind.map(Name::from),
        extends: raw.extends.map(Name::from),
        attributes: checked
            .values(raw.attributes, "attributes by name")
            .into_iter()
            .collect(),
        parts: raw
            .parts
            .iter()
            .filter_map(|piece| read_part(piece, checked))
            .collect(),
    }
}

fn read_part<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<PartItem> {
    let raw: RawPart<'a> = checked.read(piece)?;
    let plain = raw.name.replace("{name}", "x").replace("{n}", "1");
    checked.word(&plain, piece, "the name of a part, such as `{name}-{n}`");
    if !(1..=MOST_PARTS).contains(&raw.count) {
        let message = format!(
            "expected 1 to {MOST_PARTS} parts `{}`, found {}",
            raw.name, raw.count
        );
        checked.fault_at(piece, FaultCode::OutOfRange, message);
    }
    let what = match (raw.template, raw.kind) {
        (Some(id), None) => PartOf::Template(id.into()),
        (None, Some(id)) => PartOf::Kind(id.into()),
        _ => {
            let message = format!(
                "expected either `template` or `kind` in part `{}`, found both or neither",
                raw.name
            );
            checked.fault_at(piece, FaultCode::UnknownTemplate, message);
            return None;
        }
    };
    Some(PartItem {
        what,
        name: raw.name.into(),
        count: raw.count,
        link: raw.link.map(Name::from),
        attributes: checked
            .values(raw.attributes, "attributes by name")
            .into_iter()
            .collect(),
        place: checked.place(piece),
    })
}
