//! Words that mods share: enums, and what other mods add to enums, records and
//! tables.
//!
//! ```text
//!   Enum(id: "dsii.quality", values: ["green", "regular", "veteran"])
//!   Extend(enum: "dsii.quality", values: [(name: "elite", after: "veteran", like: "veteran")])
//!   Extend(record: "dsii.shot", fields: "from_behind: bool?")
//!   Extend(table: "dsii.fire.ranges", columns: [(name: "extreme", type: "length?")])
//! ```
//!
//! A word is known as soon as its mod is in play, whatever its clauses: these
//! switch rows and rules. A column is data, and goes with its clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Field, Name, Type, Value, is_word, owner_of};
use serde::Deserialize;

use super::item::{Checked, ItemHeader};
use super::kind::{Extension, read_attributes};
use super::reader::{Datum, RawRon};
use super::table::{Provenance, Stated, Table};
use crate::types::{
    Records, from_ron, is_tag, natural_zero, no_entities, parse_fields, parse_type,
};

/// An enum as its mod declares it.
#[derive(Clone, Debug)]
pub struct EnumItem {
    /// Id and place.
    pub header: ItemHeader,
    /// Its values, in order.
    pub values: Vec<Name>,
}

/// More values for an enum of any mod.
#[derive(Clone, Debug)]
pub struct EnumExtension {
    /// The enum's id, and the place.
    pub header: ItemHeader,
    /// The values.
    pub values: Vec<NewValue>,
}

/// One more value of an enum.
#[derive(Clone, Debug)]
pub struct NewValue {
    /// The value.
    pub name: Name,
    /// The value that it comes right after, in the order of the enum.
    pub after: Option<Name>,
    /// The value that it comes right before.
    pub before: Option<Name>,
    /// The value whose rows of tables count for it, where it has none.
    pub like: Option<Name>,
    /// Where it is written.
    pub place: Place,
}

/// More fields for a record of any mod.
#[derive(Clone, Debug)]
pub struct RecordExtension {
    /// The record's id, and the place.
    pub header: ItemHeader,
    /// The fields, as written.
    pub fields: String,
}

/// More columns for a table of any mod.
#[derive(Clone, Debug)]
pub struct ColumnExtension {
    /// The table's id, clauses and place.
    pub header: ItemHeader,
    /// The columns.
    pub columns: Vec<ColumnItem>,
}

/// One more column of a table.
#[derive(Clone, Debug)]
pub struct ColumnItem {
    name: Name,
    ty: String,
    default: Option<Datum>,
    place: Place,
}

/// What somebody added first, and where.
type FirstAdded = BTreeMap<(Name, Name), Place>;

/// All enums with what other mods add to them.
///
/// # Errors
/// Every value that is there already, or whose place in the order is not.
pub fn enums<'a>(
    items: impl Iterator<Item = &'a EnumItem>,
    more: impl Iterator<Item = &'a EnumExtension>,
    stated: Stated<'_>,
) -> Result<Records, Vec<Fault>> {
    let (mut found, mut taken) = (BTreeMap::<Name, Vec<Name>>::new(), FirstAdded::new());
    let mut faults = Vec::new();
    for item in items {
        let id = &item.header.id;
        for value in &item.values {
            taken.insert((id.clone(), value.clone()), item.header.place.clone());
        }
        found.insert(id.clone(), item.values.clone());
    }
    for extension in more {
        let id = &extension.header.id;
        let Some(values) = found.get_mut(id) else {
            let fault = Fault::new(
                FaultCode::BadSignature,
                format!("no mod declares the enum `{id}`"),
            );
            let known = found.keys().map(|id| &**id);
            faults.push(near(fault, id, known).at(extension.header.place.clone()));
            continue;
        };
        for value in &extension.values {
            let added = may_add(&mut taken, ("value", id, &value.name), &value.place, stated);
            match added.and_then(|is_new| {
                if is_new {
                    value.put_into(id, values)
                } else {
                    Ok(())
                }
            }) {
                Ok(()) => {}
                Err(fault) => faults.push(fault.at(value.place.clone())),
            }
        }
    }
    let enums = found
        .into_iter()
        .map(|(id, values)| (id, Type::Enum(values.into())))
        .collect();
    if faults.is_empty() {
        Ok(enums)
    } else {
        Err(faults)
    }
}

impl NewValue {
    fn put_into(&self, id: &Name, values: &mut Vec<Name>) -> Result<(), Fault> {
        let place = |name: &Name| {
            values
                .iter()
                .position(|there| there == name)
                .ok_or_else(|| {
                    let message = format!("expected a value of `{id}`, found `{name}`");
                    near(
                        Fault::new(FaultCode::BadSignature, message),
                        name,
                        values.iter().map(|one| &**one),
                    )
                })
        };
        if let Some(like) = &self.like {
            place(like)?;
        }
        let at = match (&self.after, &self.before) {
            (None, None) => values.len(),
            (Some(after), None) => place(after)? + 1,
            (None, Some(before)) => place(before)?,
            (Some(_), Some(_)) => {
                let message = format!("`{}`: expected `after` or `before`, found both", self.name);
                return Err(Fault::new(FaultCode::BadSignature, message));
            }
        };
        values.insert(at, self.name.clone());
        Ok(())
    }
}

/// Declarations of records with the fields that other mods add to them.
///
/// # Errors
/// Every extension whose record is not there, whose fields do not parse or are
/// there already, or that asks for what others do not give.
pub fn widened<'a>(
    declared: &[(Name, &str)],
    more: impl Iterator<Item = &'a RecordExtension>,
    records: &Records,
    stated: Stated<'_>,
) -> Result<Vec<String>, Vec<Fault>> {
    let mut texts: Vec<String> = declared
        .iter()
        .map(|(_, fields)| fields.to_string())
        .collect();
    let (mut faults, mut taken) = (Vec::new(), FirstAdded::new());
    for extension in more {
        let id = &extension.header.id;
        let place = &extension.header.place;
        let base = declared.iter().position(|(other, _)| other == id);
        let (Some(base), Some(Type::Record(there))) = (base, records.get(id)) else {
            let fault = Fault::new(
                FaultCode::BadSignature,
                format!("no mod declares the record `{id}`"),
            );
            faults.push(near(fault, id, declared.iter().map(|(id, _)| &**id)).at(place.clone()));
            continue;
        };
        match parse_fields(&extension.fields, records) {
            Err(fault) => faults.push(fault.at(place.clone())),
            Ok(fields) => {
                for field in &fields {
                    match extension.adds(field, there, &mut taken, stated) {
                        Ok(true) => {
                            let text = &mut texts[base];
                            let comma = if text.trim().is_empty() { "" } else { ", " };
                            *text = format!(
                                "{}{comma}{}: {}",
                                text.trim_end().trim_end_matches(','),
                                field.name,
                                field.ty
                            );
                        }
                        Ok(false) => {}
                        Err(fault) => faults.push(fault.at(place.clone())),
                    }
                }
            }
        }
    }
    if faults.is_empty() {
        Ok(texts)
    } else {
        Err(faults)
    }
}

impl RecordExtension {
    fn adds(
        &self,
        field: &Field,
        there: &[Field],
        taken: &mut FirstAdded,
        stated: Stated<'_>,
    ) -> Result<bool, Fault> {
        let id = &self.header.id;
        if there.iter().any(|other| other.name == field.name) {
            let message = format!(
                "expected a new field of `{id}`, found `{}` there already",
                field.name
            );
            return Err(Fault::new(FaultCode::Duplicate, message));
        }
        if !matches!(field.ty, Type::Optional(_)) {
            let message = format!(
                "`{}` of `{id}`: expected a type that may be nothing, found `{}`",
                field.name, field.ty
            );
            let hint = format!(
                "write `{}: {}?`: those who make the record do not know of it",
                field.name, field.ty
            );
            return Err(Fault::new(FaultCode::WrongType, message).hint(hint));
        }
        may_add(
            taken,
            ("field", id, &field.name),
            &self.header.place,
            stated,
        )
    }
}

/// Whether something is new; another mod may have said the same if an order
/// between them is stated.
fn may_add(
    taken: &mut FirstAdded,
    (sort, id, name): (&str, &Name, &Name),
    place: &Place,
    stated: Stated<'_>,
) -> Result<bool, Fault> {
    let Some(first) = taken.get(&(id.clone(), name.clone())) else {
        taken.insert((id.clone(), name.clone()), place.clone());
        return Ok(true);
    };
    let (a, b) = (&first.module, &place.module);
    let is_own = a == b || **a == *owner_of(id);
    if !is_own && stated(a, b) {
        return Ok(false);
    }
    if is_own {
        let message = format!(
            "expected a new {sort} of `{id}`, found `{name}` there already; it is from {first}"
        );
        return Err(Fault::new(FaultCode::Duplicate, message));
    }
    let message =
        format!("expected one mod to add the {sort} `{name}` to `{id}`, found `{a}` and `{b}`");
    let hint = format!(
        "if both mean the same, write `after: [\"{a}\"]` in the manifest of `{b}`; otherwise call one of them \
         something else (the other is {first})"
    );
    Err(Fault::new(FaultCode::Conflict, message).hint(hint))
}

impl ColumnExtension {
    /// Adds the columns to the table.
    ///
    /// # Errors
    /// Every column whose type or default is wrong, or that is there already.
    pub fn apply(&self, table: &mut Table, records: &Records) -> Result<(), Vec<Fault>> {
        let mut faults = Vec::new();
        for column in &self.columns {
            let built = column.build(records);
            let added = built.and_then(|(field, default)| table.widen(field, default));
            faults.extend(added.err().map(|fault| fault.at(column.place.clone())));
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }
}

impl ColumnItem {
    fn build(&self, records: &Records) -> Result<(Field, Value), Fault> {
        let ty = parse_type(&self.ty, records)?;
        let default = match &self.default {
            Some(datum) => from_ron(&ty, &datum.value, &no_entities).map_err(|m| {
                Fault::mismatch(&format!("default of `{}`", self.name), &m).at(datum.place.clone())
            })?,
            None => natural_zero(&ty).ok_or_else(|| {
                let message = format!(
                    "expected a default for `{}` of type {ty}, found none",
                    self.name
                );
                let hint = format!("write a `default`, or the type `{ty}?`");
                Fault::new(FaultCode::WrongType, message).hint(hint)
            })?,
        };
        Ok((
            Field {
                name: self.name.clone(),
                ty,
            },
            default,
        ))
    }
}

/// Gives new values of enums the rows of those that they are like, in tables
/// whose key has the enum.
pub fn fill_rows(table: &mut Table, keys: &[(Name, String)], more: &[&EnumExtension]) {
    for extension in more {
        for value in &extension.values {
            let Some(like) = &value.like else { continue };
            let of_enum = |ty: &str| ty.trim().trim_end_matches('?') == &*extension.header.id;
            for (place, _) in keys.iter().enumerate().filter(|(_, (_, ty))| of_enum(ty)) {
                let origin = Provenance {
                    place: value.place.clone(),
                    cites: Arc::from([]),
                };
                table.copy_rows(place, like, &value.name, &origin);
            }
        }
    }
}

fn near<'a>(fault: Fault, wanted: &str, known: impl Iterator<Item = &'a str>) -> Fault {
    match kernel::world::closest(wanted, known) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEnum<'a> {
    id: String,
    #[serde(borrow)]
    values: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawValue {
    name: String,
    #[serde(default)]
    after: Option<String>,
    #[serde(default)]
    before: Option<String>,
    #[serde(default)]
    like: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawColumn<'a> {
    name: String,
    r#type: String,
    #[serde(default, borrow)]
    default: Option<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExtend<'a> {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    r#enum: Option<String>,
    #[serde(default)]
    record: Option<String>,
    #[serde(default)]
    table: Option<String>,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    attributes: Option<Vec<RawRon<'a>>>,
    #[serde(default, borrow)]
    values: Option<Vec<RawRon<'a>>>,
    #[serde(default)]
    fields: Option<String>,
    #[serde(default, borrow)]
    columns: Option<Vec<RawRon<'a>>>,
}

/// What an `Extend` extends.
pub(super) enum Extended {
    Kind(Extension),
    Enum(EnumExtension),
    Record(RecordExtension),
    Table(ColumnExtension),
}

pub(super) fn read_enum<'a>(raw: RawEnum<'a>, checked: &mut Checked<'a, '_>) -> EnumItem {
    let header = checked.header(&raw.id, &[]);
    let mut values: Vec<Name> = Vec::new();
    let mut known: BTreeSet<Name> = BTreeSet::new();
    for piece in &raw.values {
        let Some(value) = checked.read::<String>(piece).map(Name::from) else {
            continue;
        };
        if is_value(&value, piece, checked) {
            match known.insert(value.clone()) {
                true => values.push(value),
                false => {
                    let message = format!("expected each value once, found `{value}` twice");
                    checked.fault_at(piece, FaultCode::Duplicate, message);
                }
            }
        }
    }
    if raw.values.is_empty() {
        checked.fault(
            FaultCode::BadSignature,
            format!("expected the values of `{}`, found none", raw.id),
        );
    }
    EnumItem { header, values }
}

fn is_value<'a>(value: &str, piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> bool {
    let is_one = is_tag(value);
    if !is_one {
        let message =
            format!("expected a value of letters, digits, `_`, `-`, `+` or `/`, found `{value}`");
        checked.fault_at(piece, FaultCode::BadSignature, message);
    }
    is_one
}

/// Which of the four it extends, and by what.
pub(super) fn read_extend<'a>(
    raw: RawExtend<'a>,
    checked: &mut Checked<'a, '_>,
) -> Option<Extended> {
    let cites = raw.cites;
    let no_cites = |checked: &mut Checked<'a, '_>| {
        if let Some(piece) = cites.first() {
            let message = "expected no `cites`: words are known as soon as the mod is in play";
            checked.fault_at(piece, FaultCode::BadSignature, message);
        }
    };
    match (raw.kind, raw.r#enum, raw.record, raw.table) {
        (Some(id), None, None, None)
            if raw.values.is_none() && raw.fields.is_none() && raw.columns.is_none() =>
        {
            let header = checked.header_of(&id, &cites);
            let attributes = read_attributes(&raw.attributes.unwrap_or_default(), checked);
            Some(Extended::Kind(Extension { header, attributes }))
        }
        (None, Some(id), None, None)
            if raw.attributes.is_none() && raw.fields.is_none() && raw.columns.is_none() =>
        {
            no_cites(checked);
            let header = checked.header_of(&id, &[]);
            let values = raw.values.unwrap_or_default();
            let values = values
                .iter()
                .filter_map(|piece| read_value(piece, checked))
                .collect();
            Some(Extended::Enum(EnumExtension { header, values }))
        }
        (None, None, Some(id), None)
            if raw.attributes.is_none() && raw.values.is_none() && raw.columns.is_none() =>
        {
            no_cites(checked);
            let header = checked.header_of(&id, &[]);
            Some(Extended::Record(RecordExtension {
                header,
                fields: raw.fields.unwrap_or_default(),
            }))
        }
        (None, None, None, Some(id))
            if raw.attributes.is_none() && raw.values.is_none() && raw.fields.is_none() =>
        {
            let header = checked.header_of(&id, &cites);
            let columns = raw.columns.unwrap_or_default();
            let columns = columns
                .iter()
                .filter_map(|piece| read_column(piece, checked))
                .collect();
            Some(Extended::Table(ColumnExtension { header, columns }))
        }
        _ => {
            let message = "expected one of `kind` with `attributes`, `enum` with `values`, `record` with `fields` \
                           and `table` with `columns`, found something else";
            checked.fault(FaultCode::BadSignature, message);
            None
        }
    }
}

fn read_value<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<NewValue> {
    let raw: RawValue = checked.read(piece)?;
    is_value(&raw.name, piece, checked).then(|| NewValue {
        name: raw.name.into(),
        after: raw.after.map(Name::from),
        before: raw.before.map(Name::from),
        like: raw.like.map(Name::from),
        place: checked.place(piece),
    })
}

fn read_column<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<ColumnItem> {
    let raw: RawColumn<'a> = checked.read(piece)?;
    if !is_word(&raw.name) || raw.name == "cites" {
        let message = format!(
            "expected a name of lower case letters, digits, `_`, other than `cites`, found `{}`",
            raw.name
        );
        checked.fault_at(piece, FaultCode::BadSignature, message);
    }
    let default = match raw.default {
        Some(default) => Some(checked.datum(default)?),
        None => None,
    };
    Some(ColumnItem {
        name: raw.name.into(),
        ty: raw.r#type,
        default,
        place: checked.place(piece),
    })
}
