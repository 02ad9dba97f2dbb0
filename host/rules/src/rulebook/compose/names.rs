//! Names of types in headers: `<dsii.Element>` is the kind `dsii.element`, a
//! record, or a type that a file of that mod exports.

use std::collections::BTreeMap;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, owner_of};
use kernel::world::closest;

use crate::modset::published_types;
use crate::rulebook::compose::Recipe;
use crate::rulebook::host::{ExportedType, WrittenType};
use crate::types::camel;

/// Types that stand for each other deeper than this go round in a circle.
const DEEPEST: usize = 8;

/// What names of types mean, as signatures write it, by `mod.Name`.
#[derive(Default)]
pub(super) struct TypeNames(BTreeMap<String, WrittenType>);

impl TypeNames {
    /// All names of all mods: kinds, then records, then what files export.
    pub fn new(
        recipe: &Recipe<'_>,
        records: &[(Name, &str)],
        exported: Vec<ExportedType>,
    ) -> TypeNames {
        let mut names = BTreeMap::new();
        for kind in recipe.mods.iter().flat_map(|module| &module.data.kinds) {
            let id = &kind.header.id;
            names.insert(
                format!("{}.{}", owner_of(id), camel(id)),
                Ok(format!("entity({id})")),
            );
        }
        let enums = recipe
            .mods
            .iter()
            .flat_map(|module| &module.data.enums)
            .map(|item| &item.header.id);
        for id in records.iter().map(|(id, _)| id).chain(enums) {
            names
                .entry(format!("{}.{}", owner_of(id), camel(id)))
                .or_insert_with(|| Ok(id.to_string()));
        }
        for (module, name, ty) in exported {
            names.entry(format!("{module}.{name}")).or_insert(ty);
        }
        TypeNames(names)
    }

    /// A type or a list of fields in a header of a mod, with the meaning of its
    /// names.
    ///
    /// # Errors
    /// A name that no mod has.
    pub fn resolved(&self, owner: &str, text: &str) -> Result<String, Fault> {
        let mut text = text.to_string();
        for _ in 0..DEEPEST {
            let Some((before, name, after)) = next_name(&text) else {
                return Ok(text);
            };
            let meant = match self.0.get(name) {
                Some(Ok(meant)) => meant,
                Some(Err((message, hint))) => {
                    let fault = Fault::new(
                        FaultCode::BadSignature,
                        format!("the type `{name}`: {message}"),
                    );
                    return Err(hint.iter().fold(fault, |fault, hint| fault.hint(hint)));
                }
                None => return Err(self.unknown(owner, name)),
            };
            let rest = self.resolved_rest(owner, after)?;
            text = format!("{before}{meant}{rest}");
        }
        let message = "expected types that do not stand for each other in a circle";
        Err(Fault::new(FaultCode::Cycle, message))
    }

    fn resolved_rest(&self, owner: &str, rest: &str) -> Result<String, Fault> {
        if rest.contains('<') {
            self.resolved(owner, rest)
        } else {
            Ok(rest.to_string())
        }
    }

    /// The fault of a name; those of its own mod a file has as they are.
    fn unknown(&self, owner: &str, name: &str) -> Fault {
        let found = as_written(owner, name);
        let own = self.0.keys().map(|name| as_written(owner, name));
        let fault = Fault::new(
            FaultCode::BadSignature,
            format!("expected a type, found `{found}`"),
        );
        let end = format!(".{found}");
        let of_other = self.0.keys().find(|name| name.ends_with(&end));
        let near = || closest(found, own.chain(published_types()));
        match of_other.map(String::as_str).or_else(near) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault.hint("kinds, records and types that a rules file exports have names"),
        }
    }
}

/// The name of a type as files of a mod may write it.
fn as_written<'a>(owner: &str, name: &'a str) -> &'a str {
    name.strip_prefix(owner)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(name)
}

/// The first name in angle brackets, and what is around it.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('<')?;
    let (name, after) = rest.split_once('>')?;
    Some((before, name, after))
}
