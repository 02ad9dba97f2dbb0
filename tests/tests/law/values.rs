//! What a hidden cell could hold instead: other values of its type.

use std::sync::Arc;

use kernel::geometry::{Length, Point};
use kernel::value::{EntityId, LARGEST_INT, Type, Value};
use kernel::world::{FirstViewers, Kind, SIDE, World};

/// An inch, in micrometres: so far off lies another point.
const INCH: i64 = 25_400;
/// Of what there is much of, so many are tried.
const FEW: usize = 4;
/// Of what stands in the game, so many.
const MANY: usize = 32;

/// Other values for a cell of an entity.
#[derive(Clone, Copy)]
pub struct Others<'a> {
    /// The game.
    pub world: &'a World,
    /// Whose cell it is.
    pub entity: EntityId,
    /// The attribute.
    pub slot: u16,
}

impl Others<'_> {
    /// Other values of a type than one.
    pub fn than(self, ty: &Type, than: &Value) -> Vec<Value> {
        let mut found = self.some(ty, than);
        found.retain(|value| value != than);
        let mut distinct: Vec<Value> = Vec::new();
        for value in found {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }

    fn some(self, ty: &Type, than: &Value) -> Vec<Value> {
        match ty {
            Type::Bool => [true, false].map(Value::Bool).into(),
            Type::Enum(tags) => tags.iter().cloned().map(Value::Text).collect(),
            Type::Int { min, max } => numbers(*min, *max, than.as_int()),
            Type::Entity(kind) => self.entities(kind.as_deref(), than.as_entity()),
            Type::Point => {
                let near = than.as_point().into_iter().flat_map(beside);
                near.chain(self.points()).collect()
            }
            Type::Optional(inner) => self
                .some(inner, than)
                .into_iter()
                .chain([Value::None])
                .collect(),
            Type::List(inner) => self.lists(inner, than),
            Type::Map(inner) => self.maps(ty, |_| Some(inner), than),
            Type::Record(fields) => {
                let of = |name: &str| {
                    fields
                        .iter()
                        .find(|field| *field.name == *name)
                        .map(|field| &field.ty)
                };
                self.maps(ty, of, than)
            }
            _ => self.held(|kind, slot| {
                let own = &kind.attributes[usize::from(slot)].ty;
                self.is_own(kind, slot) && required(own) == ty
            }),
        }
    }

    /// What cells hold, of those attributes that are meant. Of texts and the
    /// like nobody but the rules knows which mean something, so that no others
    /// are tried than those that stand in the game.
    fn held(self, is_meant: impl Fn(&Kind, u16) -> bool) -> Vec<Value> {
        let mut held = Vec::new();
        for other in self.world.all() {
            let Ok(kind) = self.world.kind(other) else {
                continue;
            };
            let slots = (0..kind.attributes.len() as u16).filter(|slot| is_meant(kind, *slot));
            let values = slots.filter_map(|slot| self.world.get(other, slot).ok());
            held.extend(values.filter(|value| !value.is_none()).cloned());
        }
        held.truncate(MANY);
        held
    }

    /// Whether an attribute is the one that is looked at.
    fn is_own(self, kind: &Kind, slot: u16) -> bool {
        slot == self.slot
            && self
                .world
                .kind(self.entity)
                .is_ok_and(|own| own.id == kind.id)
    }

    /// What is held anywhere where the type is the same and not everybody sees it.
    fn of_the_type(self, ty: &Type) -> Vec<Value> {
        self.held(|kind, slot| {
            let attribute = &kind.attributes[usize::from(slot)];
            required(&attribute.ty) == ty && attribute.viewers != FirstViewers::All
        })
    }

    /// Where something stands.
    fn points(self) -> Vec<Value> {
        let is_point = |kind: &Kind, slot: u16| {
            *required(&kind.attributes[usize::from(slot)].ty) == Type::Point
        };
        let mut points = self.held(is_point);
        points.truncate(FEW);
        points
    }

    /// Others of the kind and side; of those that belong to this entity as the
    /// one does, if it does.
    fn entities(self, kind: Option<&str>, than: Option<EntityId>) -> Vec<Value> {
        let world = self.world;
        let belongs = |one: EntityId| {
            let kind = world.kind(one).ok()?;
            let slots = SIDE + 1..kind.attributes.len() as u16;
            let mut held = slots.filter(|slot| *slot != self.slot);
            held.find(|slot| {
                world
                    .get(one, *slot)
                    .is_ok_and(|it| it.as_entity() == Some(self.entity))
            })
        };
        let is_fit = |other: &EntityId| {
            world
                .kind(*other)
                .is_ok_and(|it| kind.is_none_or(|kind| *it.id == *kind))
                && world.owner(*other) == world.owner(self.entity)
        };
        let all: Vec<EntityId> = world.all().filter(is_fit).collect();
        let own: Vec<EntityId> = all
            .iter()
            .copied()
            .filter(|one| belongs(*one).is_some())
            .collect();
        let from = match than.is_some_and(|one| belongs(one).is_none()) || own.is_empty() {
            true => all,
            false => own,
        };
        from.into_iter().take(FEW).map(Value::Entity).collect()
    }

    /// One more, one less, one that is another.
    fn lists(self, inner: &Type, than: &Value) -> Vec<Value> {
        let Value::List(items) = than else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some((_, fewer)) = items.split_last() {
            found.push(Value::list(fewer.iter().cloned()));
        }
        for (place, item) in items.iter().enumerate().take(FEW) {
            for other in self.than(inner, item).into_iter().take(FEW) {
                let mut changed = items.to_vec();
                changed[place] = other;
                found.push(Value::list(changed));
            }
        }
        found.extend(self.of_the_type(&Type::List(Arc::new(inner.clone()))));
        found
    }

    /// What others hold, and each part that is another.
    fn maps<'t>(
        self,
        whole: &Type,
        ty: impl Fn(&str) -> Option<&'t Type>,
        than: &Value,
    ) -> Vec<Value> {
        let mut found = self.of_the_type(whole);
        let Value::Map(map) = than else { return found };
        for (key, value) in map.iter() {
            let Some(ty) = ty(key) else { continue };
            for other in self.than(ty, value) {
                let mut changed = (**map).clone();
                changed.insert(key.clone(), other);
                found.push(Value::Map(Arc::new(changed)));
            }
        }
        found
    }
}

/// A type without that there may be nothing.
fn required(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    }
}

/// Numbers near one, and the smallest, where there is a bound.
fn numbers(min: i64, max: i64, than: Option<i64>) -> Vec<Value> {
    let near = than
        .into_iter()
        .flat_map(|number| [number - 1, number + 1, number + 2]);
    let first = [0, 1, 2, 5].map(|more| min.saturating_add(more));
    let first = first.into_iter().filter(|_| min > -LARGEST_INT);
    near.chain(first)
        .filter(|number| (min..=max).contains(number))
        .map(Value::Int)
        .collect()
}

fn beside(point: Point) -> Vec<Value> {
    let at = |more: i64| Point::checked(Length::from_um(point.x().um() + more), point.y());
    [INCH, -INCH]
        .into_iter()
        .filter_map(at)
        .map(Value::Point)
        .collect()
}
