//! The functions through which layers tell what they are given and give, while
//! somebody wants to know why, and that they begin and end, while somebody wants
//! to know what they cost.

use std::rc::Rc;

use kernel::value::{Name, Type, Value};
use mlua::{Lua, MultiValue, Table, Value as LuaValue};

use crate::answers::reacher;
use crate::profiling::Profiler;
use crate::taking::{from_lua, result_from_lua};
use crate::vm::{Shared, unlimited};
use rules::hosting::Lookup;
use rules::hosting::registry::{Layer, LayerBody, Returns};
use rules::trace::Note;

/// Adds the functions to those of the host.
///
/// # Errors
/// When the machine has no memory for them.
pub(super) fn functions(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let of = shared.clone();
    let enter = lua.create_function(move |lua, mut args: MultiValue| {
        let Some(layer) = layer_of(args.pop_front()) else {
            return Ok(());
        };
        unlimited(lua, || entered(&of, layer, &args))
    })?;
    host.set("note_enter", enter)?;
    let of = shared.clone();
    let leave = lua.create_function(
        move |lua, (layer, result, why): (u32, LuaValue, LuaValue)| {
            unlimited(lua, || left(&of, layer, &result, &why))
        },
    )?;
    host.set("note_leave", leave)?;
    let of = shared.clone();
    let clause = lua.create_function(move |_, (id, is_on): (String, bool)| {
        of.recorder.note(Note::Clause(Name::from(id), is_on));
        Ok(())
    })?;
    host.set("note_clause", clause)?;
    let of = shared.clone();
    let option = lua.create_function(move |_, (id, value): (String, LuaValue)| {
        let id = Name::from(id);
        // A script has lengths and angles as numbers.
        let known = of.running.options.borrow().get(&id).cloned();
        let value = known.unwrap_or_else(|| plain(&of, &value, &Type::Any));
        of.recorder.note(Note::Option(id, value));
        Ok(())
    })?;
    host.set("note_option", option)?;
    let of = shared.clone();
    let row = lua.create_function(move |_, mark: String| {
        of.recorder.note(Note::Row(Name::from(mark)));
        Ok(())
    })?;
    host.set("note_row", row)?;
    host.set("reach", reacher(lua, shared)?)?;
    costs(lua, host, shared)
}

/// Adds the functions through which layers tell that they begin and end.
///
/// # Errors
/// When the machine has no memory for them.
fn costs(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    // A component tells itself when it is entered, whoever called it.
    let over = |of: &Shared, layer: u32, tell: fn(&Profiler, u32, &Layer)| {
        let is_script = of
            .layers
            .borrow()
            .get(layer as usize)
            .is_some_and(|found| !matches!(found.body, LayerBody::Component(_)));
        if is_script {
            of.measure(layer, tell);
        }
    };
    let of = shared.clone();
    host.set(
        "cost_enter",
        lua.create_function(move |_, layer: u32| {
            over(&of, layer, Profiler::enter);
            Ok(())
        })?,
    )?;
    let of = shared.clone();
    host.set(
        "cost_leave",
        lua.create_function(move |_, layer: u32| {
            over(&of, layer, Profiler::leave);
            Ok(())
        })?,
    )?;
    let of = shared.clone();
    let looked_up = lua.create_function(move |_, (sort, id): (String, String)| {
        let lookup = match &*sort {
            "table" => Lookup::Table,
            _ => Lookup::Clause,
        };
        of.profiler.looked_up(lookup, &Name::from(id));
        Ok(())
    })?;
    host.set("cost_lookup", looked_up)?;
    host.set("is_profiled", shared.profiler.is_on())
}

fn layer_of(value: Option<LuaValue>) -> Option<u32> {
    match value? {
        LuaValue::Integer(n) => u32::try_from(n).ok(),
        LuaValue::Number(n) => Some(n as u32),
        _ => None,
    }
}

fn entered(shared: &Shared, layer: u32, args: &MultiValue) -> mlua::Result<()> {
    let signature = shared.signatures.borrow().get(layer as usize).cloned();
    let types = signature
        .iter()
        .flat_map(|signature| signature.args.iter())
        .map(|field| &field.ty);
    let args = args
        .iter()
        .zip(types)
        .map(|(arg, ty)| plain(shared, arg, ty))
        .collect();
    shared.recorder.note(Note::Enter { layer, args });
    Ok(())
}

fn left(shared: &Shared, layer: u32, result: &LuaValue, why: &LuaValue) -> mlua::Result<()> {
    let signature = shared.signatures.borrow().get(layer as usize).cloned();
    let result = match signature.map(|signature| signature.returns) {
        Some(Returns::Value(Type::Verdict)) => {
            let tables = shared.tables()?;
            result_from_lua(&tables, result, why, &Type::Verdict).unwrap_or_default()
        }
        Some(Returns::Value(ty)) => plain(shared, result, &ty),
        _ => Value::None,
    };
    shared.recorder.note(Note::Leave { result });
    Ok(())
}

/// A value as data; what is none is left out. It is not charged to the rule:
/// looking on must not change what a rule may do.
fn plain(shared: &Shared, value: &LuaValue, ty: &Type) -> Value {
    let Ok(tables) = shared.tables() else {
        return Value::None;
    };
    let taken = shared.budget.parts();
    let value = from_lua(&tables, value, ty).unwrap_or_default();
    shared.budget.set_parts(taken);
    value
}
