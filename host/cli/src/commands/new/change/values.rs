//! Values with which a rule may be called, as they are found in a game that has
//! begun.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use houserule::kernel::game::{Effects, Game, Guard};
use houserule::kernel::geometry::Length;
use houserule::kernel::rules::Rules as _;
use houserule::kernel::value::{Field, Name, Type, Value};
use houserule::rulebook::{Returns, Rulebook};
use houserule::types::natural_zero;

/// So many values of each type are tried.
const MOST: usize = 8;

/// So many records are made of what their fields can hold.
const MOST_RECORDS: usize = 48;

/// Where values are found.
pub(super) struct ValueSource<'a> {
    rulebook: &'a Rulebook,
    game: &'a Game,
    sides: &'a [Name],
}

impl<'a> ValueSource<'a> {
    /// In a game of some sides.
    pub fn new(rulebook: &'a Rulebook, game: &'a Game, sides: &'a [Name]) -> ValueSource<'a> {
        ValueSource {
            rulebook,
            game,
            sides,
        }
    }

    /// Some values of a type.
    pub fn some(&self, ty: &Type) -> Vec<Value> {
        match ty {
            Type::Entity(Some(kind)) => {
                let all = self.game.entities(kind).unwrap_or_default().into_iter();
                all.take(MOST).map(Value::Entity).collect()
            }
            Type::Entity(None) => {
                let kinds = self.rulebook.book().schema.kinds().iter();
                kinds
                    .flat_map(|kind| self.some(&Type::Entity(Some(kind.id.clone()))))
                    .take(MOST)
                    .collect()
            }
            Type::Int { min, max } => {
                let some = [1, 2, 3, 6, 0].into_iter();
                some.filter(|n| (min..=max).contains(&n))
                    .map(Value::Int)
                    .collect()
            }
            Type::Bool => vec![Value::Bool(true), Value::Bool(false)],
            Type::Enum(tags) => tags.iter().cloned().map(Value::Text).collect(),
            Type::Text => self.words(),
            Type::Length => vec![Value::Length(Length::tenths_of_inch(60))],
            Type::Optional(inner) => {
                let mut all = self.some(inner);
                all.push(Value::None);
                all
            }
            Type::List(_) => natural_zero(ty).into_iter().collect(),
            Type::Record(fields) => match self.given(ty) {
                some if some.is_empty() => self.records(fields),
                some => some,
            },
            _ => Vec::new(),
        }
    }

    /// Sides, and the words by which rows of tables are found.
    fn words(&self) -> Vec<Value> {
        let mut words: Vec<Name> = self.sides.to_vec();
        for table in self.rulebook.tables().values() {
            for (key, _) in table.rows() {
                words.extend(key.iter().filter_map(Value::as_text).map(Name::from));
            }
        }
        let mut known = BTreeSet::new();
        words.retain(|word| known.insert(word.clone()));
        words.into_iter().map(Value::Text).collect()
    }

    /// What rules give that list things of this type for a piece.
    fn given(&self, ty: &Type) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        for (id, entry) in self.rulebook.rules() {
            let [
                Field {
                    ty: Type::Entity(Some(kind)),
                    ..
                },
            ] = &*entry.signature.args
            else {
                continue;
            };
            let lists = matches!(&entry.signature.returns, Returns::Value(Type::List(item)) if **item == *ty);
            if !lists || entry.signature.effects != Effects::READS {
                continue;
            }
            for piece in self.some(&Type::Entity(Some(kind.clone()))) {
                let mut game = self.game.clone();
                game.set_guard(Guard::STEP);
                let Ok(Value::List(items)) = self.rulebook.call(&mut game, id, &[piece]) else {
                    continue;
                };
                for item in items.iter() {
                    if !found.contains(item) {
                        found.push(item.clone());
                    }
                }
                if found.len() >= MOST {
                    return found;
                }
            }
        }
        found
    }

    /// Records of what their fields can hold, the first field changing fastest.
    fn records(&self, fields: &[Field]) -> Vec<Value> {
        let values: Vec<Vec<Value>> = fields.iter().map(|field| self.some(&field.ty)).collect();
        let all = values.iter().map(Vec::len).fold(1, usize::saturating_mul);
        let record = |number: usize| {
            let mut left = number;
            let mut record = BTreeMap::new();
            for (field, some) in fields.iter().zip(&values) {
                record.insert(field.name.clone(), some.get(left % some.len())?.clone());
                left /= some.len();
            }
            Some(Value::Map(Arc::new(record)))
        };
        (0..all.min(MOST_RECORDS)).filter_map(record).collect()
    }
}
