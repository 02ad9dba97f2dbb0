//! What a rule has given back, by its signature.

use kernel::decision::Domain;
use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::rules::Stop;
use kernel::value::{KindOf, Mismatch, Name, Type, Value};
use kernel::world::World;
use mlua::Value as LuaValue;

use super::LuaHost;
use super::binding::{Bound, hint_of_result};
use crate::seen::{SeenTable, SeenValue, look};
use crate::taking::{describe, from_seen, result_from_lua};
use crate::values::Metatables;
use crate::vm::fault_of;
use rules::hosting::registry::Returns;
use rules::types::{domain_sort, element_of};

impl LuaHost {
    /// What a script gave, as a value of the type that its rule gives.
    ///
    /// # Errors
    /// When it is none.
    pub(super) fn result(
        &self,
        rule: &Name,
        bound: &Bound,
        first: &LuaValue,
        second: &LuaValue,
    ) -> Result<Value, Stop> {
        let tables = self.shared.tables().map_err(|error| fault_of(&error))?;
        let value = match &bound.entry.signature.returns {
            Returns::Nothing => return Ok(Value::None),
            Returns::Value(ty) => result_from_lua(&tables, first, second, ty),
            Returns::Domain(ty) => domain_from_lua(&tables, first, ty),
        };
        let wrong = |message: String| {
            let expected = match &bound.entry.signature.returns {
                Returns::Value(ty) => ty.to_string(),
                Returns::Domain(_) | Returns::Nothing => String::new(),
            };
            let message = format!("`{rule}` returns: {message}");
            let fault = Fault::new(FaultCode::BadReturn, message);
            match hint_of_result(first, &expected) {
                Some(hint) => fault.hint(hint),
                None => fault,
            }
        };
        let value = value.map_err(|mismatch| self.returned(rule, wrong(mismatch.to_string())))?;
        if matches!(&bound.entry.signature.returns, Returns::Domain(_))
            && value != Value::None
            && let Err(fault) = Domain::from_value(&value)
        {
            let message = match &value {
                Value::Map(_) => fault.into_message(),
                _ => format!("expected a domain, found {}", describe(first)),
            };
            return Err(self.returned(rule, wrong(message)));
        }
        Ok(value)
    }

    /// What a domain offers fits its parameter: that has the type, and where it is an
    /// entity, the kind.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn offered(
        &self,
        game: &Game,
        rule: &Name,
        bound: &Bound,
        value: &Value,
    ) -> Result<(), Stop> {
        let Returns::Domain(ty) = &bound.entry.signature.returns else {
            return Ok(());
        };
        let fits = domain_sort(value, ty)
            .and_then(|()| of_kind(element_of(value, ty), value, game.world()));
        fits.map_err(|mismatch| {
            let message = format!("`{rule}` returns: {mismatch}");
            self.returned(rule, Fault::new(FaultCode::BadReturn, message))
        })
    }

    /// A fault of what a rule gave back: it is at its outermost function.
    fn returned(&self, rule: &Name, fault: Fault) -> Stop {
        let layers = self.shared.layers.borrow();
        let place = layers
            .iter()
            .rfind(|layer| layer.rule == *rule)
            .map(|layer| layer.place.clone());
        let fault = fault.in_rule(rule);
        place.map_or(fault.clone(), |place| fault.at(place)).into()
    }
}

/// A domain, the values in it by the type of the parameter.
fn domain_from_lua(tables: &Metatables, value: &LuaValue, ty: &Type) -> Result<Value, Mismatch> {
    look(value, |seen| {
        let plain = from_seen(tables, seen, &Type::Any)?;
        let (Value::Map(map), SeenValue::Table(table)) = (&plain, seen) else {
            return Ok(plain);
        };
        let SeenValue::Table(choices) = table.field("choices") else {
            return Ok(plain);
        };
        let taken = match map.get("choices") {
            Some(Value::List(taken)) => Some(&**taken),
            _ => None,
        };
        let element = element_of(&plain, ty);
        let mut list = Vec::with_capacity(choices.length());
        let mut is_same = true;
        for number in 1..=choices.length() {
            let SeenValue::Table(choice) = choices.item(number) else {
                continue;
            };
            let value = from_seen(tables, choice.field("value"), element)
                .map_err(|m| m.inside("choices"))?;
            within(element, &value).map_err(|m| m.inside("choices"))?;
            let taken = taken.and_then(|all| all.get(number - 1));
            let kept = taken.filter(|taken| is_choice(taken, &value));
            is_same &= kept.is_some();
            list.push(kept.map_or_else(|| choice_of(choice, value), Value::clone));
        }
        // Most domains are by the type of their parameter what they are by none.
        if is_same && taken.is_some_and(|taken| taken.len() == list.len()) {
            return Ok(plain);
        }
        let mut map = (**map).clone();
        map.insert(Name::from("choices"), Value::list(list));
        Ok(Value::Map(std::sync::Arc::new(map)))
    })
}

/// Whether a choice is nothing but this value and a label.
fn is_choice(choice: &Value, value: &Value) -> bool {
    matches!(choice, Value::Map(map) if map.len() == 2)
        && choice.field("value") == Some(value)
        && matches!(choice.field("label"), Some(Value::Text(_)))
}

/// The choice of a value, with the label that a script gave it.
fn choice_of(choice: SeenTable<'_>, value: Value) -> Value {
    let label = match choice.field("label") {
        SeenValue::Text(label) => String::from_utf8_lossy(label).into_owned(),
        SeenValue::Number(number) => number.to_string(),
        _ => String::new(),
    };
    Value::record([("value", value), ("label", Value::text(&label))])
}

/// Whether all entities that a domain lists are of a kind.
fn of_kind(ty: &Type, domain: &Value, world: &World) -> Result<(), Mismatch> {
    let kind = match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    };
    let (Type::Entity(Some(kind)), Some(Value::List(choices))) = (kind, domain.field("choices"))
    else {
        return Ok(());
    };
    for (place, choice) in choices.iter().enumerate() {
        let entity = choice.field("value").and_then(Value::as_entity);
        let Some(found) = entity.and_then(|entity| world.kind_of(entity)) else {
            continue;
        };
        if found != kind {
            let mismatch = Mismatch {
                place: format!("choices[{}]", place + 1),
                expected: format!("entity({kind})"),
                found: format!("entity({found})"),
            };
            return Err(mismatch);
        }
    }
    Ok(())
}

/// Whether a word or a number is one that the type of a parameter has.
fn within(ty: &Type, value: &Value) -> Result<(), Mismatch> {
    match ty {
        Type::Enum(_) | Type::Int { .. } => ty.check(value, &kernel::world::NoEntities),
        Type::Optional(inner) if !value.is_none() => within(inner, value),
        _ => Ok(()),
    }
}
