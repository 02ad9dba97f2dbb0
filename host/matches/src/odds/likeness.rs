//! Comparisons: what stands on one side says what may stand on the other.
//!
//! A word that is none of those that an attribute can hold is never equal to it. Whoever wrote it has misspelt it,
//! and would take the answer, never, for the odds; so it is told before anything is counted. A word that names a
//! die is one where a die stands on the other side.

use std::mem::discriminant;

use kernel::game::Game;
use kernel::value::{Name, Type, Value};
use kernel::world::{SIDE, closest};

use super::expression::{EventNote, Expression};
use rules::types::{no_entities, parse_value};

/// What a rule gives, by its id; without one, the rule that is asked of.
pub(super) type ResultTypes<'a> = &'a dyn Fn(Option<&Name>) -> Option<Type>;

/// What is known before anything happens.
pub(super) struct KnownTypes<'a> {
    game: &'a Game,
    returns: ResultTypes<'a>,
    /// The kind of events of each note that keeps the last one.
    kept: Vec<Option<Name>>,
}

/// What `it` is.
#[derive(Clone, Copy)]
enum It<'a> {
    Nothing,
    Thing(&'a Name),
    Event(&'a Name),
}

/// Makes what is written fit what it is compared with, in an expression and its notes.
///
/// # Errors
/// What was expected there, and what was found.
pub(super) fn fit(
    expression: &mut Expression,
    notes: &mut [EventNote],
    game: &Game,
    returns: ResultTypes<'_>,
) -> Result<(), String> {
    let kept = |note: &EventNote| note.is_last.then(|| note.kind.clone());
    let known = KnownTypes {
        game,
        returns,
        kept: notes.iter().map(kept).collect(),
    };
    for note in notes {
        if let Some(condition) = &mut note.of {
            known.walk(condition, It::Event(&note.kind))?;
        }
    }
    known.walk(expression, It::Nothing)
}

impl KnownTypes<'_> {
    fn walk(&self, expression: &mut Expression, it: It<'_>) -> Result<(), String> {
        match expression {
            Expression::Both(operator, one, other) => {
                self.walk(one, it)?;
                self.walk(other, it)?;
                match operator.compares() {
                    true => self.pair(one, other, it),
                    false => Ok(()),
                }
            }
            Expression::Field(of, name) => {
                self.walk(of, it)?;
                self.must_have(of, name, it)
            }
            Expression::Not(one) => self.walk(one, it),
            Expression::Rule(_, args) => args.iter_mut().try_for_each(|arg| self.walk(arg, it)),
            Expression::Count(kind, Some(of)) => self.walk(of, It::Thing(kind)),
            _ => Ok(()),
        }
    }

    fn pair(&self, one: &mut Expression, other: &mut Expression, it: It<'_>) -> Result<(), String> {
        let (written, beside) = match (&*one, &*other) {
            (_, Expression::Value(_)) => (other, one),
            (Expression::Value(_), _) => (one, other),
            _ => return Ok(()),
        };
        if let (Some(ty), Expression::Value(value)) = (self.type_of(beside, it), &mut *written) {
            *value = fitted(&ty, &self.as_word(&ty, value))?;
        }
        Ok(())
    }

    /// A thing may be called as a word of a type is, such as a side: where only a word
    /// fits, that is meant.
    fn as_word(&self, ty: &Type, value: &Value) -> Value {
        match (ty, value) {
            (Type::Optional(inner), _) => self.as_word(inner, value),
            (Type::Enum(words), Value::Entity(entity)) => {
                let name = self.game.world().name(*entity);
                match words.contains(&name) {
                    true => Value::Text(name),
                    false => value.clone(),
                }
            }
            _ => value.clone(),
        }
    }

    /// A field of a record, or an attribute of a thing, that is read must be there.
    fn must_have(&self, of: &Expression, name: &Name, it: It<'_>) -> Result<(), String> {
        let ty = match self.type_of(of, it) {
            Some(Type::Optional(inner)) => Some((*inner).clone()),
            other => other,
        };
        match ty {
            Some(Type::Record(fields)) if fields.iter().all(|field| field.name != *name) => {
                let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
                let near = closest(name, names.iter().copied());
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let there = names.join(", ");
                Err(format!("expected a field ({there}), found `{name}`{near}"))
            }
            Some(Type::Entity(Some(kind))) => {
                let schema = self.game.world().schema();
                let found = schema.require(&kind).map(|slot| schema.kind(slot));
                let found = found.and_then(|kind| kind.require(name));
                found.map(|_| ()).map_err(|fault| fault.into_words())
            }
            _ => Ok(()),
        }
    }

    /// The type of an expression, as far as it can be told.
    fn type_of(&self, expression: &Expression, it: It<'_>) -> Option<Type> {
        let world = self.game.world();
        match expression {
            Expression::Value(Value::Entity(entity)) => {
                Some(Type::Entity(Some(world.kind(*entity).ok()?.id.clone())))
            }
            Expression::Value(_) => None,
            Expression::It => match it {
                It::Thing(kind) => Some(Type::Entity(Some(kind.clone()))),
                It::Nothing | It::Event(_) => None,
            },
            Expression::Field(of, name) => match (&**of, it) {
                (Expression::It, It::Event(kind)) => self.field_of_event(kind, name),
                (Expression::Noted(place), _) => {
                    self.field_of_event(self.kept.get(*place)?.as_ref()?, name)
                }
                _ => self.field_of(&self.type_of(of, it)?, name),
            },
            Expression::Result => (self.returns)(None),
            Expression::Rule(rule, _) => (self.returns)(Some(rule)),
            Expression::Count(..) => Some(Type::INT),
            Expression::Noted(place) => self.kept.get(*place)?.is_none().then_some(Type::INT),
            Expression::Not(_) => Some(Type::Bool),
            Expression::Both(operator, one, other) if operator.reckons() => {
                self.type_of(one, it).or_else(|| self.type_of(other, it))
            }
            Expression::Both(..) => Some(Type::Bool),
        }
    }

    fn field_of_event(&self, kind: &Name, name: &Name) -> Option<Type> {
        let fields = &self.game.book().events.get(kind)?.fields;
        let field = fields.iter().find(|field| field.name == *name)?;
        Some(field.ty.clone())
    }

    /// The type of an attribute of a thing, or of a field of a record.
    fn field_of(&self, of: &Type, name: &Name) -> Option<Type> {
        match of {
            Type::Optional(inner) => self.field_of(inner, name),
            Type::Map(inner) => Some((**inner).clone()),
            Type::Record(fields) => {
                let field = fields.iter().find(|field| field.name == *name)?;
                Some(field.ty.clone())
            }
            Type::Entity(Some(kind)) => {
                let schema = self.game.world().schema();
                let kind = schema.kind(schema.require(kind).ok()?);
                let slot = kind.find(name)?;
                Some(match slot {
                    SIDE => Type::Enum(self.game.world().sides().clone()),
                    _ => kind.attributes[usize::from(slot)].ty.clone(),
                })
            }
            _ => None,
        }
    }
}

/// A value that is written, as one that can be equal to something of a type.
fn fitted(ty: &Type, value: &Value) -> Result<Value, String> {
    let text = match (ty, value) {
        (Type::Optional(inner), _) => return fitted(inner, value),
        (_, Value::None) | (Type::Any | Type::Text | Type::Id | Type::Verdict, Value::Text(_)) => {
            return Ok(value.clone());
        }
        (Type::Enum(words), Value::Text(word)) => return one_of(words, word),
        (_, Value::Text(text)) => text,
        _ if is_like(ty, value) => return Ok(value.clone()),
        _ => return Err(unfit(ty, value.type_word())),
    };
    parse_value(ty, text, &no_entities).map_err(|_| unfit(ty, &format!("`{text}`")))
}

fn one_of(words: &[Name], word: &Name) -> Result<Value, String> {
    if words.contains(word) {
        return Ok(Value::Text(word.clone()));
    }
    let all: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let near = closest(word, words.iter().map(|word| &**word));
    let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Err(format!(
        "expected one of {}, found `{word}`{near}",
        all.join(", ")
    ))
}

fn unfit(ty: &Type, found: &str) -> String {
    let expected = match ty {
        Type::Int { .. } => "a whole number".to_string(),
        Type::Bool => "`true` or `false`".to_string(),
        Type::Length => "a length such as `12in`".to_string(),
        Type::Angle => "an angle such as `30deg`".to_string(),
        Type::Die => "a die such as `d6`".to_string(),
        Type::Entity(_) => "a thing of the game".to_string(),
        other => other.to_string(),
    };
    format!("expected {expected} to compare with, found {found}")
}

/// Whether a value is of the sort of a type, in its bounds or not.
fn is_like(ty: &Type, value: &Value) -> bool {
    match ty {
        Type::Any => true,
        Type::Bool => matches!(value, Value::Bool(_)),
        Type::Int { .. } => matches!(value, Value::Int(_)),
        Type::Text | Type::Id | Type::Enum(_) | Type::Verdict => matches!(value, Value::Text(_)),
        Type::Entity(_) => matches!(value, Value::Entity(_)),
        Type::Length => matches!(value, Value::Length(_)),
        Type::Angle => matches!(value, Value::Angle(_)),
        Type::Direction => matches!(value, Value::Direction(_)),
        Type::Point => matches!(value, Value::Point(_)),
        Type::Hex => matches!(value, Value::Hex(_)),
        Type::Die => matches!(value, Value::Die(_)),
        Type::Path | Type::List(_) => matches!(value, Value::List(_)),
        Type::Map(_) | Type::Record(_) => matches!(value, Value::Map(_)),
        Type::Optional(inner) => is_like(inner, value),
    }
}

/// Whether two values are the same; nothing is like anything, and a die is compared with the word for one.
///
/// # Errors
/// Two values of different sorts, which can never be.
pub(super) fn are_equal(one: &Value, other: &Value) -> Result<bool, String> {
    match (one, other) {
        (Value::None, _) | (_, Value::None) => Ok(one == other),
        (Value::Die(die), Value::Die(with)) => Ok(die.sides() == with.sides()),
        (Value::Die(_), Value::Text(_)) => Ok(is_same_die(one, &fitted(&Type::Die, other)?)),
        (Value::Text(_), Value::Die(_)) => Ok(is_same_die(&fitted(&Type::Die, one)?, other)),
        _ if discriminant(one) == discriminant(other) => Ok(one == other),
        _ => Err(format!(
            "expected two things that can be the same, found {} and {}",
            one.type_word(),
            other.type_word()
        )),
    }
}

fn is_same_die(one: &Value, other: &Value) -> bool {
    matches!((one, other), (Value::Die(one), Value::Die(other)) if one.sides() == other.sides())
}
