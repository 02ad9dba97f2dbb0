//! The rules that actions, reactions and automatic phases bring with them: in
//! Rust a function beside the others of the chapter, as in Luau.
//!
//! ```text
//!   skirmish.fire.shoot.perform   skirmish::fire::shoot_perform
//!   skirmish.turn.end.run         skirmish::turn::end_run
//! ```

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::{Field, Name, Type};

use super::ModContext;
use super::names::{record_mark, tail};
use crate::hosting::listeners::listener_prefix;
use crate::registration::{RawAction, RawBody};
use crate::rulebook::{Returns, member_in_words};

/// A rule that something else brings with it.
pub(super) struct BoundMember<'k> {
    /// The chapter.
    pub path: Vec<&'k str>,
    /// What it is called there.
    pub name: String,
    /// What brings it with it, and which part it is.
    of: &'k Name,
    word: String,
    /// The action, if it is one.
    action: Option<&'k RawAction>,
}

impl BoundMember<'_> {
    /// What it is, where nobody says.
    pub fn doc(&self) -> String {
        member_in_words(self.of, &self.word)
    }

    /// Gives its arguments the types that they have, where the rule takes anything.
    pub fn typed(&self, known: &ModContext<'_>, args: &mut [Field]) {
        let Some(action) = self.action else { return };
        for arg in args.iter_mut().filter(|arg| arg.ty == Type::Any) {
            arg.ty = match &*arg.name {
                "actor" => actor(known, action),
                "window" if action.at.len() == 1 => record_mark(&action.at[0]),
                "params" => Type::Record([].into()),
                _ => continue,
            };
        }
    }
}

/// The kind of who acts; the side where nobody does.
fn actor(known: &ModContext<'_>, action: &RawAction) -> Type {
    let Some(named) = &action.actor else {
        return Type::Text;
    };
    let kinds = known.book.schema.kinds();
    if kinds.iter().any(|kind| kind.id == *named) {
        return Type::Entity(Some(named.clone()));
    }
    let rule = known.rules.get(named).map(|entry| &entry.signature.returns);
    match rule {
        Some(Returns::Value(Type::List(kind))) => (**kind).clone(),
        _ => Type::Any,
    }
}

/// All of them by id; nothing for those that nobody can name.
pub(super) fn of<'k>(known: &ModContext<'k>) -> BTreeMap<Name, Option<BoundMember<'k>>> {
    let registrations = known.registrations;
    let ids: BTreeSet<&Name> = registrations
        .signatures
        .iter()
        .map(|raw| &raw.rule)
        .collect();
    let mut found = BTreeMap::new();
    for action in &registrations.actions {
        let inside = format!("{}.", action.id);
        for id in &ids {
            if let Some(word) = id.strip_prefix(&inside) {
                let member = member(&action.id, word, Some(action));
                found.insert(Name::clone(id), Some(member));
            }
        }
    }
    for phase in &registrations.phases {
        if let RawBody::Automatic(rule) = &phase.body {
            found.insert(rule.clone(), Some(member(&phase.id, "run", None)));
        }
    }
    for (event, ..) in &registrations.listeners {
        let inside = listener_prefix(event);
        let heard = ids.iter().filter(|id| id.starts_with(&inside));
        found.extend(heard.map(|id| (Name::clone(id), None)));
    }
    // A rule of that very name is called so.
    for member in found.values_mut() {
        let is_taken = member.as_ref().is_some_and(|member| {
            let (path, _) = tail(member.of);
            let module = member.of.split('.').next().unwrap_or_default();
            let parts: Vec<&str> = [module]
                .into_iter()
                .chain(path)
                .chain([&*member.name])
                .collect();
            ids.iter().any(|id| ***id == *parts.join("."))
        });
        if is_taken {
            *member = None;
        }
    }
    found
}

fn member<'k>(of: &'k Name, word: &str, action: Option<&'k RawAction>) -> BoundMember<'k> {
    let (path, name) = tail(of);
    let name = format!("{name}_{word}").replace(['.', '-'], "_");
    BoundMember {
        path,
        name,
        of,
        word: word.into(),
        action,
    }
}
