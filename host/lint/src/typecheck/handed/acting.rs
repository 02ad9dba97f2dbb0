//! What a case hands to an action, beside what holds for all fields: parameters in a
//! table, words of an enum, entities of the right kind, and who does it.

use kernel::value::{Name, Type};
use kernel::world::closest;
use luau_analysis::types::{TypeId, TypeKind};
use luau_syntax::ast::Expression;
use luau_syntax::location::Position;

use super::super::words::NeverWord;
use super::{DEEPEST, FieldTaker, HandedReader, WrittenValue};

impl FieldTaker {
    /// What stands in the place of the parameters is an entity.
    pub(super) fn not_a_table(&self, at: Position) -> NeverWord {
        let named = self.fields.iter().map(|(name, _)| format!("{name} = …"));
        let named: Vec<String> = named.collect();
        NeverWord {
            at,
            message: format!(
                "{}: expected a table of parameters, found an entity",
                self.what
            ),
            hint: (!named.is_empty()).then(|| format!("`{{ {} }}`", named.join(", "))),
        }
    }
}

impl HandedReader<'_, '_> {
    /// What is wrong with a parameter whose value is of the right sort.
    pub(super) fn wrong_for_action(
        &self,
        what: &str,
        ty: &Type,
        value: &WrittenValue,
    ) -> Option<NeverWord> {
        let (found, hint) = match ty {
            Type::Optional(inner) => return self.wrong_for_action(what, inner, value),
            Type::Enum(tags) => {
                let tags = || tags.iter().map(|tag| &**tag);
                let word = value.word.as_deref()?;
                if tags().any(|tag| tag == word) {
                    return None;
                }
                let near = closest(word, tags());
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                (format!("`{word}`"), hint)
            }
            Type::Entity(Some(wanted)) => (other_kind(value.kind.as_ref()?, wanted)?, None),
            _ => return None,
        };
        Some(NeverWord {
            at: value.at,
            message: format!("{what}: expected {ty}, found {found}"),
            hint,
        })
    }

    /// Who does it is of another kind than those who can.
    pub(super) fn wrong_actor(
        &self,
        taker: &FieldTaker,
        actor: Expression<'_>,
    ) -> Option<NeverWord> {
        let wanted = taker.action.as_ref()?.actor.as_ref()?;
        let found = other_kind(&self.kind(actor)?, wanted)?;
        Some(NeverWord {
            at: actor.location().begin,
            message: format!(
                "{}: expected entity({wanted}) as the one who acts, found {found}",
                taker.what
            ),
            hint: None,
        })
    }

    /// The kind of an entity, where the types say it.
    pub(super) fn kind(&self, value: Expression<'_>) -> Option<Name> {
        let ty = self.model.expression_type(value)?.id();
        self.kind_of(ty, 0)
    }

    fn kind_of(&self, ty: TypeId, depth: usize) -> Option<Name> {
        let graph = self.model.graph();
        let ty = graph.follow_type(ty);
        match graph.kind(ty) {
            TypeKind::Extern(_) => {
                let name = graph.stringify_type(ty).to_string();
                self.takers.kinds.get(&name).cloned()
            }
            TypeKind::Intersection(both) if depth < DEEPEST => {
                let mut parts = both.parts.iter();
                parts.find_map(|part| self.kind_of(*part, depth + 1))
            }
            _ => None,
        }
    }
}

/// A kind in words, where it is not the one that is wanted.
fn other_kind(found: &Name, wanted: &Name) -> Option<String> {
    (found != wanted).then(|| format!("entity({found})"))
}
