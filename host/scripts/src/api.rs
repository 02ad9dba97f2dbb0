//! What the prelude and the machine call besides the functions of the contract:
//! reading an attribute, and faults that scripts run into.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{EntityId, Name, Value};
use mlua::{FromLuaMulti, IntoLuaMulti, LightUserData, Lua, LuaString, Table, Value as LuaValue};

use crate::answers::not_same;
use crate::arguments::{die, is_fraction};
use crate::contract::function;
use crate::taking::describe;
use crate::values::{EntityField, die_to_lua, entity_from_lua, immediate_to_lua, kept_to_lua};
use crate::vm::{Shared, unlimited};
use rules::contract::chance::shift_by_lines;
use rules::contract::types::Id;
use rules::contract::{entities, over_game};

/// Adds a function of the prelude.
fn method<A, R>(
    lua: &Lua,
    table: &Table,
    name: &str,
    shared: &Rc<Shared>,
    body: impl Fn(&Lua, &Shared, A) -> mlua::Result<R> + 'static,
) -> mlua::Result<()>
where
    A: FromLuaMulti,
    R: IntoLuaMulti,
{
    let shared = shared.clone();
    table.set(
        name,
        lua.create_function(move |lua, args: A| unlimited(lua, || body(lua, &shared, args)))?,
    )
}

/// The functions of the game, for the prelude; `shown` is the table of what need
/// not be shown again.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, shared: &Rc<Shared>, shown: &Table) -> mlua::Result<Table> {
    let (host, game) = (lua.create_table()?, lua.create_table()?);
    let (deck, die) = (lua.create_table()?, lua.create_table()?);
    // The metatables of points and hexes; the prelude fills them.
    host.set("point", lua.create_table()?)?;
    host.set("hex", lua.create_table()?)?;
    crate::contract::functions(lua, &host, (&game, &deck, &die), shared, shown)?;
    host.set("game", game)?;
    host.set("deck", deck)?;
    host.set("die", die)?;
    dice(lua, &host, shared)?;
    faults(lua, &host, shared)?;
    unknowns(lua, &host, shared)?;
    asking(lua, &host, shared)?;
    crate::noting::functions(lua, &host, shared)?;
    Ok(host)
}

/// The metatable of entities: attributes by name.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn entity_metatable(
    lua: &Lua,
    shared: &Rc<Shared>,
    shown: &Table,
) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    let (state, table) = (shared.clone(), shown.clone());
    let read = move |lua: &Lua, (data, key): (LightUserData, LuaValue)| match &key {
        LuaValue::String(key) => read_attribute(lua, &state, &table, entity_from_lua(data), key),
        other => {
            let message = format!(
                "expected the name of an attribute, found {}",
                describe(other)
            );
            Err(state.fault(lua, Fault::new(FaultCode::WrongType, message)))
        }
    };
    let read = lua.create_function(read)?;
    meta.set("__index", crate::answers::reader(lua, shared, read, shown)?)?;
    let write = function(lua, shared, &entities::WRITE, "__newindex", 0)?;
    meta.set("__newindex", crate::answers::writer(lua, shared, write)?)?;
    meta.set(
        "__tostring",
        function(lua, shared, &entities::LABEL, "__tostring", 0)?,
    )?;
    meta.set("__metatable", "entity")?;
    meta.set("__type", "entity")?;
    Ok(meta)
}

/// Reads an attribute; what need not be shown again goes into the table of what
/// was shown.
fn read_attribute(
    lua: &Lua,
    shared: &Shared,
    shown: &Table,
    entity: EntityId,
    key: &LuaString,
) -> mlua::Result<LuaValue> {
    shared.stopped()?;
    // The contract's own function, but for the place of an attribute, which is kept.
    let value = over_game(&shared.running, |game| {
        match shared.kept.borrow_mut().read_of(game, entity, key)? {
            EntityField::Name | EntityField::Kind => {
                entities::attribute(game, entity, &key.to_string_lossy()).map(ReadAttribute::Whole)
            }
            EntityField::Slot(slot) => {
                let value = game.get_slot(entity, slot)?;
                Ok(immediate_to_lua(value)
                    .map_or_else(|| ReadAttribute::Whole(value.clone()), ReadAttribute::Plain))
            }
        }
    });
    match value.map_err(|fault| shared.fault(lua, fault))? {
        ReadAttribute::Plain(value) => Ok(value),
        ReadAttribute::Whole(value) => {
            let tables = shared.tables()?;
            unlimited(lua, || {
                let value_shown = kept_to_lua(lua, &tables, &shared.kept, &value)?;
                if let Some(place) = shared.kept.borrow_mut().show(&value) {
                    shown.raw_set(place, &value_shown)?;
                }
                Ok(value_shown)
            })
        }
    }
}

/// An attribute on its way to the script.
enum ReadAttribute {
    Plain(LuaValue),
    Whole(Value),
}

/// Faults that the prelude finds.
fn faults(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(
        lua,
        host,
        "bad_number",
        shared,
        |lua, shared, (what, found): (String, LuaValue)| -> mlua::Result<()> {
            let message = format!(
                "expected {what} as a whole number, found {}",
                describe(&found)
            );
            let fault = Fault::new(FaultCode::WrongType, message);
            let fault = if is_fraction(&found) {
                fault.hint("round it: `math.floor`, `math.round` or `//`")
            } else {
                fault
            };
            Err(shared.fault(lua, fault))
        },
    )
}

/// What is made of dice for modules and for the laws of lines.
fn dice(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(lua, host, "as_die", shared, |lua, shared, of: LuaValue| {
        let die = die(&of).map_err(|fault| shared.fault(lua, fault))?;
        die_to_lua(lua, &*shared.tables()?, &die)
    })?;
    type Args = (LuaValue, i64, Vec<Table>, Option<String>, Option<bool>);
    method(
        lua,
        host,
        "shift_by",
        shared,
        |lua, shared, (of, steps, lines, ladder, may_be_none): Args| {
            let line = |line: &Table| {
                Ok((
                    line.raw_get("by")?,
                    line.raw_get::<String>("reason")?.into(),
                ))
            };
            let lines: Vec<(i64, Name)> = lines.iter().map(line).collect::<mlua::Result<_>>()?;
            let ladder = ladder.map(|id| Id(id.into()));
            let how = (ladder.as_ref(), may_be_none.unwrap_or_default());
            let shifted =
                die(&of).and_then(|die| shift_by_lines(&shared.running, &die, steps, &lines, how));
            let shifted = shifted.map_err(|fault| shared.fault(lua, fault))?;
            shifted
                .map(|die| die_to_lua(lua, &*shared.tables()?, &die))
                .transpose()
        },
    )
}

/// What a script may look for in vain: the function that says so, its fault, what is
/// looked for, and what a mod would do with it.
const UNKNOWNS: [(&str, FaultCode, &str, &str); 4] = [
    ("unknown_rule", FaultCode::UnknownRule, "rule", "defines"),
    (
        "unknown_clause",
        FaultCode::UnknownClause,
        "clause",
        "lists",
    ),
    (
        "unknown_option",
        FaultCode::UnknownOption,
        "option",
        "lists",
    ),
    (
        "unknown_table",
        FaultCode::UnknownTable,
        "table",
        "declares",
    ),
];

/// Faults of ids that no mod has.
fn unknowns(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    for (name, code, word, verb) in UNKNOWNS {
        method(
            lua,
            host,
            name,
            shared,
            move |lua, shared, id: LuaValue| -> mlua::Result<()> {
                let LuaValue::String(id) = &id else {
                    let message = format!(
                        "expected the id of a {word} as a text, found {}",
                        describe(&id)
                    );
                    return Err(shared.fault(lua, Fault::new(FaultCode::WrongType, message)));
                };
                let id = id.to_string_lossy();
                let fault = Fault::new(code, format!("no mod {verb} the {word} `{id}`"));
                let fault = match shared.nearest(word, &id) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                };
                Err(shared.fault(lua, fault))
            },
        )?;
    }
    Ok(())
}

/// What files ask for while they are loaded; and the fault of a rule whose answer is
/// another when it is asked for again.
fn asking(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(
        lua,
        host,
        "asks",
        shared,
        |_, shared, id: String| -> mlua::Result<()> {
            shared.asks(&id);
            Ok(())
        },
    )?;
    method(
        lua,
        host,
        "asks_tables",
        shared,
        |_, shared, _: ()| -> mlua::Result<()> {
            shared.asked.replace(None);
            Ok(())
        },
    )?;
    method(
        lua,
        host,
        "not_same",
        shared,
        |lua, shared, rule: String| -> mlua::Result<()> {
            Err(shared.fault(lua, not_same(&Name::from(rule))))
        },
    )
}
