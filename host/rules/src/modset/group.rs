//! Reads the groups, clauses and options of a manifest.

use std::collections::BTreeSet;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, is_id, is_word};
use kernel::world::closest;
use serde::Deserialize;

use super::manifest::{Clause, Effect, Group, ModOption, Requirement, hinted};
use crate::data::item::Checked;
use crate::data::reader::RawRon;
use crate::types::{Records, from_ron, no_entities, parse_type};

#[derive(Deserialize)]
#[serde(rename = "Group", deny_unknown_fields)]
struct RawGroup<'a> {
    id: String,
    title: String,
    #[serde(default)]
    doc: String,
    #[serde(default = "yes")]
    default: bool,
    #[serde(default, borrow)]
    clauses: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
enum RawEffect {
    Adds,
    Changes,
    Confirms,
    Advises,
}

#[derive(Deserialize)]
#[serde(rename = "Clause", deny_unknown_fields)]
struct RawClause<'a> {
    id: String,
    title: String,
    text: String,
    #[serde(default)]
    source: String,
    effect: RawEffect,
    #[serde(default = "yes")]
    default: bool,
    #[serde(default)]
    core: bool,
    #[serde(default, borrow)]
    requires: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    touches: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(rename = "Option", deny_unknown_fields)]
struct RawOption<'a> {
    id: String,
    title: String,
    #[serde(default)]
    text: String,
    r#type: String,
    #[serde(borrow)]
    default: RawRon<'a>,
    #[serde(default)]
    clause: Option<String>,
}

fn yes() -> bool {
    true
}

pub(super) fn read_groups<'a>(
    module: &str,
    pieces: &[RawRon<'a>],
    checked: &mut Checked<'a, '_>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut taken = BTreeSet::new();
    for piece in pieces {
        let Some(raw) = checked.read::<RawGroup<'a>>(piece) else {
            continue;
        };
        checked.word(
            &raw.id,
            piece,
            "the second part of a clause id as the id of a group",
        );
        if groups.iter().any(|there| *there.name == *raw.id) {
            checked.fault_at(
                piece,
                FaultCode::Duplicate,
                format!("expected each group once, found `{}` again", raw.id),
            );
        }
        let prefix = format!("{module}.{}", raw.id);
        let clauses = raw
            .clauses
            .iter()
            .filter_map(|piece| read_clause(&prefix, piece, &mut taken, checked))
            .collect();
        groups.push(Group {
            id: Arc::from(prefix.as_str()),
            name: raw.id.into(),
            title: raw.title.into(),
            doc: raw.doc.into(),
            default: raw.default,
            clauses,
            place: checked.place(piece),
        });
    }
    groups
}

fn read_clause<'a>(
    prefix: &str,
    piece: RawRon<'a>,
    taken: &mut BTreeSet<String>,
    checked: &mut Checked<'a, '_>,
) -> Option<Clause> {
    let raw: RawClause<'a> = checked.read(piece)?;
    let is_own = raw
        .id
        .strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if !is_id(&raw.id) || !is_own {
        let message = format!(
            "expected a clause id that begins with `{prefix}`, found `{}`",
            raw.id
        );
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    if !taken.insert(raw.id.clone()) {
        checked.fault_at(
            piece,
            FaultCode::Duplicate,
            format!("expected each clause once, found `{}` again", raw.id),
        );
    }
    if raw.core && !raw.default {
        let message = format!(
            "expected a core clause to be on by default, found `{}` off",
            raw.id
        );
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    if raw.text.trim().is_empty() {
        let message = format!(
            "expected one plain sentence as the text of `{}`, found none",
            raw.id
        );
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    Some(Clause {
        id: raw.id.into(),
        title: raw.title.into(),
        text: raw.text.into(),
        source: raw.source.into(),
        effect: match raw.effect {
            RawEffect::Adds => Effect::Adds,
            RawEffect::Changes => Effect::Changes,
            RawEffect::Confirms => Effect::Confirms,
            RawEffect::Advises => Effect::Advises,
        },
        default: raw.default,
        core: raw.core,
        requires: raw
            .requires
            .iter()
            .filter_map(|piece| read_requirement(piece, checked))
            .collect(),
        touches: raw
            .touches
            .iter()
            .filter_map(|piece| read_touched(piece, checked))
            .collect(),
        place: checked.place(piece),
    })
}

fn read_requirement<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<Requirement> {
    let text: String = checked.read(piece)?;
    let requirement = match text.split_once(':') {
        Some((module, group)) if is_word(module) && is_word(group) => Some(Requirement::Group {
            module: module.into(),
            group: group.into(),
        }),
        None if is_clause_id(&text) => Some(Requirement::Clause(text.as_str().into())),
        _ => None,
    };
    if requirement.is_none() {
        let message = format!("expected a clause id or `mod:group` to require, found `{text}`");
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    requirement
}

fn read_touched<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<Name> {
    let text: String = checked.read(piece)?;
    if !is_id(&text) {
        let message =
            format!("expected the id of a rule or clause that is touched, found `{text}`");
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    Some(text.into())
}

/// Whether a text can be the id of a clause: mod and group, and more unless the
/// clause is called as its group.
pub(super) fn is_clause_id(text: &str) -> bool {
    is_id(text)
}

pub(super) fn read_options<'a>(
    module: &str,
    pieces: &[RawRon<'a>],
    groups: &[Group],
    checked: &mut Checked<'a, '_>,
) -> Vec<ModOption> {
    let mut options: Vec<ModOption> = Vec::new();
    for piece in pieces {
        let Some(option) = read_option(module, piece, groups, checked) else {
            continue;
        };
        if options.iter().any(|there| there.id == option.id) {
            let message = format!("expected each option once, found `{}` again", option.id);
            checked.fault_at(piece, FaultCode::Duplicate, message);
        }
        options.push(option);
    }
    options
}

fn read_option<'a>(
    module: &str,
    piece: RawRon<'a>,
    groups: &[Group],
    checked: &mut Checked<'a, '_>,
) -> Option<ModOption> {
    let raw: RawOption<'a> = checked.read(piece)?;
    if !is_id(&raw.id) || kernel::value::owner_of(&raw.id) != module {
        let message = format!(
            "expected an option id that begins with `{module}.`, found `{}`",
            raw.id
        );
        checked.fault_at(piece, FaultCode::BadManifest, message);
    }
    if let Some(clause) = &raw.clause {
        let clauses = groups.iter().flat_map(|group| &group.clauses);
        let mut ids = clauses.map(|there| &*there.id);
        if ids.clone().all(|there| there != clause.as_str()) {
            let message = format!(
                "expected a clause of this mod for the option `{}`, found `{clause}`",
                raw.id
            );
            let fault = Fault::new(FaultCode::UnknownClause, message).at(checked.place(piece));
            checked.push(hinted(fault, closest(clause, &mut ids)));
        }
    }
    let datum = checked.datum(raw.default);
    let place = checked.place(piece);
    let ty = match parse_type(&raw.r#type, &Records::new()) {
        Ok(ty) => ty,
        Err(fault) => {
            checked.push(fault.at(place));
            return None;
        }
    };
    match from_ron(&ty, &datum?.value, &no_entities) {
        Ok(default) => Some(ModOption {
            id: raw.id.into(),
            title: raw.title.into(),
            text: raw.text.into(),
            ty,
            default,
            clause: raw.clause.map(Name::from),
            place,
        }),
        Err(m) => {
            let message = format!("default of the option `{}`: {m}", raw.id);
            checked.fault_at(raw.default, FaultCode::WrongType, message);
            None
        }
    }
}
