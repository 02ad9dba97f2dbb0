//! The functions through which a running rule reaches the game.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::audience::Audience;
use kernel::decision::{Domain, Question};
use kernel::error::{Fault, FaultCode};
use kernel::event::Cause;
use kernel::game::{Effects, Game};
use kernel::rules::Stop;
use kernel::value::{EntityId, Field, Name, Type, Value};
use kernel::world::Viewers;
use mlua::{FromLuaMulti, IntoLua, IntoLuaMulti, LightUserData, Lua, LuaString, Table, Value as LuaValue};

use crate::values::{
    Read, describe, die_of, entity_from_lua, entity_to_lua, from_lua, kept_to_lua, plain_to_lua,
    texts_to_lua, to_lua, whole,
};
use crate::vm::{Shared, unlimited};
use rules::hosting::game::{listeners, near_step, side_named, viewers_of};
use rules::limits::{CHECKS_A_CALL, CHECKS_A_CHANGE, CHECKS_A_LAYER, cost};
use rules::trace::Note;

/// The game handle that every method gets first; it carries nothing.
type Me = LuaValue;

impl Shared {
    /// Runs something over the game for a script; a fault stops the rule.
    pub(crate) fn with<T>(
        &self,
        lua: &Lua,
        work: impl FnOnce(&mut Game) -> Result<T, Fault>,
    ) -> mlua::Result<T> {
        self.stopped()?;
        if !self.is_running.get() {
            let fault =
                Fault::new(FaultCode::NotAllowed, "expected to run inside a rule, found a call at load");
            return Err(self.fault(lua, fault));
        }
        self.charge(lua, CHECKS_A_CALL)?;
        let outcome = match self.game.try_borrow_mut() {
            Ok(mut game) => work(&mut game),
            Err(_) => Err(Fault::new(
                FaultCode::NotAllowed,
                "expected plain data, found a metamethod that calls the game while its table is read",
            )),
        };
        outcome.map_err(|fault| self.fault(lua, fault))
    }

    /// Whether every rule that is running may have an effect.
    pub(crate) fn permit(&self, lua: &Lua, effect: Effects, what: &str) -> mlua::Result<()> {
        self.permitted(lua, effect, what).map(|_| ())
    }

    /// The same; tells what brings the effect about.
    pub(crate) fn cause(&self, lua: &Lua, effect: Effects, what: &str) -> mlua::Result<Cause> {
        let running = self.permitted(lua, effect, what)?;
        if self.recorder.is_running() {
            self.recorder.note(Note::Event(self.game.borrow().noted()));
        }
        Ok(self.cause_of(&running))
    }

    /// The layers that are running, innermost first, if all may have an effect.
    fn permitted(&self, lua: &Lua, effect: Effects, what: &str) -> mlua::Result<Vec<u32>> {
        self.stopped()?;
        let running = self.running(lua);
        // Looking down a deep stack takes its time.
        let change = if effect == Effects::READS { 0 } else { CHECKS_A_CHANGE };
        self.charge(lua, running.len() as u64 * CHECKS_A_LAYER + change)?;
        self.all_may(&running, effect, what).map_err(|fault| self.fault(lua, fault))?;
        Ok(running)
    }
}

/// Adds a method that takes the game handle first.
pub(crate) fn method<A, R>(
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
    let own_name = name.to_string();
    table.set(
        name,
        lua.create_function(move |lua, args: mlua::MultiValue| match A::from_lua_multi(args, lua) {
            Ok(args) => unlimited(lua, || body(lua, &shared, args)),
            Err(error) => {
                let fault = Fault::new(FaultCode::WrongType, bad_argument(&own_name, &error));
                Err(shared.fault(lua, fault))
            }
        })?,
    )
}

/// What does not fit, in the words of those who write rules.
fn bad_argument(method: &str, error: &mlua::Error) -> String {
    let (place, cause) = match error {
        // The game itself comes first.
        mlua::Error::BadArgument { pos, cause, .. } => {
            (format!(", argument {}", pos.saturating_sub(1)), &**cause)
        }
        other => (String::new(), other),
    };
    let mlua::Error::FromLuaConversionError { from, to, .. } = cause else {
        return format!("`{method}`{place}: {cause}");
    };
    let wanted = match to.as_str() {
        "String" | "string" | "LuaString" | "&str" if *from == "string" => "a text in UTF-8",
        "String" | "string" | "LuaString" => "a text",
        "table" | "Table" => "a table",
        "bool" | "boolean" => "true or false",
        to if to.contains("ightuserdata") || to.contains("LightUserData") => "an entity",
        _ => "something else",
    };
    let from = if *from == "lightuserdata" { "entity" } else { from };
    format!("`{method}`{place}: expected {wanted}, found {from}")
}

/// The functions of the game, for the prelude.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let host = lua.create_table()?;
    let game = lua.create_table()?;
    entities(lua, &game, shared)?;
    visibility(lua, &game, shared)?;
    sequence(lua, &game, shared)?;
    chits(lua, &game, shared)?;
    crate::geometry::functions(lua, &game, &host, shared)?;
    crate::hexes::functions(lua, &game, shared)?;
    host.set("game", game)?;
    crate::decks::functions(lua, &host, shared)?;
    dice(lua, &host, shared)?;
    sides(lua, &host, shared)?;
    questions(lua, &host, shared)?;
    unknowns(lua, &host, shared)?;
    crate::noting::functions(lua, &host, shared)?;
    Ok(host)
}

/// The metatable of entities: attributes by name.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn entity_metatable(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    let state = shared.clone();
    let read = move |lua: &Lua, (data, key): (LightUserData, LuaValue)| match &key {
        LuaValue::String(key) => read_attribute(lua, &state, entity_from_lua(data), key),
        other => {
            let message = format!("expected the name of an attribute, found {}", describe(other));
            Err(state.fault(lua, Fault::new(FaultCode::WrongType, message)))
        }
    };
    let read = lua.create_function(read)?;
    meta.set("__index", crate::answers::reader(lua, shared, read)?)?;
    method(
        lua,
        &meta,
        "__newindex",
        shared,
        |lua, shared, (data, key, value): (LightUserData, LuaString, LuaValue)| {
            shared.permit(lua, Effects::WRITES, "writes")?;
            write_attribute(lua, shared, entity_from_lua(data), &utf8(lua, shared, &key)?, &value)
        },
    )?;
    method(lua, &meta, "__tostring", shared, |lua, shared, data: LightUserData| {
        shared.with(lua, |game| {
            let entity = entity_from_lua(data);
            game.note_label(entity);
            Ok(game.label(game.guard().scope, entity).to_string())
        })
    })?;
    meta.set("__metatable", "entity")?;
    meta.set("__type", "entity")?;
    Ok(meta)
}

fn utf8(lua: &Lua, shared: &Shared, text: &LuaString) -> mlua::Result<mlua::BorrowedStr> {
    text.to_str().map_err(|_| {
        shared.fault(lua, Fault::new(FaultCode::WrongType, "expected the name of an attribute in UTF-8"))
    })
}

fn read_attribute(lua: &Lua, shared: &Shared, entity: EntityId, key: &LuaString) -> mlua::Result<LuaValue> {
    let value = shared.with(lua, |game| match shared.kept.borrow_mut().read_of(game, entity, key)? {
        Read::Name => Ok(Found::Whole(Value::Text(game.known_name(entity)?))),
        Read::Kind => {
            game.note_presence(entity);
            Ok(Found::Whole(Value::Text(game.world().kind(entity)?.id.clone())))
        }
        Read::Slot(slot) => {
            let value = game.get_slot(entity, slot)?;
            Ok(plain_to_lua(value).map_or_else(|| Found::Whole(value.clone()), Found::Plain))
        }
    })?;
    match value {
        Found::Plain(value) => Ok(value),
        Found::Whole(value) => {
            let tables = shared.tables()?;
            unlimited(lua, || kept_to_lua(lua, &tables, &shared.kept, &value))
        }
    }
}

/// An attribute on its way to the script.
enum Found {
    Plain(LuaValue),
    Whole(Value),
}

fn write_attribute(
    lua: &Lua,
    shared: &Shared,
    entity: EntityId,
    name: &str,
    value: &LuaValue,
) -> mlua::Result<()> {
    let tables = shared.tables()?;
    shared.with(lua, |game| {
        let kind = game.world().kind(entity)?;
        let ty = kind.attributes[kind.require(name)? as usize].ty.clone();
        let what = format!("`{}.{name}`", kind.id);
        let value = from_lua(&tables, value, &ty).map_err(|m| Fault::mismatch(&what, &m))?;
        game.set(entity, name, value)
    })
}

/// Attributes from a table, each by the type of its kind.
fn attributes(
    shared: &Shared,
    game: &Game,
    kind: &str,
    table: Option<Table>,
) -> Result<Vec<(Name, Value)>, Fault> {
    let Some(table) = table else { return Ok(Vec::new()) };
    let tables = shared.tables().map_err(|error| Fault::new(FaultCode::Script, error.to_string()))?;
    let schema = game.world().schema();
    let declared = schema.kind(schema.require(kind)?);
    let mut list = Vec::new();
    for pair in table.pairs::<String, LuaValue>() {
        let (name, value) = pair.map_err(|_| {
            Fault::new(FaultCode::WrongType, format!("expected attributes of `{kind}` by name"))
        })?;
        let ty = &declared.attributes[declared.require(&name)? as usize].ty;
        let value =
            from_lua(&tables, &value, ty).map_err(|m| Fault::mismatch(&format!("`{kind}.{name}`"), &m))?;
        list.push((Arc::from(name), value));
    }
    list.sort();
    Ok(list)
}

fn entity_list(lua: &Lua, list: Vec<EntityId>) -> mlua::Result<Table> {
    lua.create_sequence_from(list.into_iter().map(entity_to_lua))
}

fn entities(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(lua, game, "get", shared, |lua, shared, (_, name): (Me, String)| {
        let found = shared.with(lua, |game| {
            game.note_names();
            game.world().find(&name).filter(|e| game.knows_of(*e)).ok_or_else(|| {
                Fault::new(FaultCode::NoSuchEntity, format!("expected an entity named `{name}`, found none"))
            })
        })?;
        Ok(entity_to_lua(found))
    })?;
    method(lua, game, "find", shared, |lua, shared, (_, name): (Me, String)| {
        let found = shared.with(lua, |game| {
            game.note_names();
            Ok(game.world().find(&name).filter(|e| game.knows_of(*e)))
        })?;
        Ok(found.map_or(LuaValue::Nil, entity_to_lua))
    })?;
    method(lua, game, "exists", shared, |lua, shared, (_, data): (Me, LightUserData)| {
        shared.with(lua, |game| {
            game.note_presence(entity_from_lua(data));
            Ok(game.world().row(entity_from_lua(data)).is_ok())
        })
    })?;
    method(lua, game, "entities", shared, |lua, shared, (_, kind): (Me, String)| {
        let list = shared.with(lua, |game| game.entities(&kind))?;
        shared.charge(lua, cost::items(list.len()))?;
        entity_list(lua, list)
    })?;
    method(
        lua,
        game,
        "all",
        shared,
        |lua, shared, (_, kind, name, value): (Me, String, String, LuaValue)| {
            let list = all_with(lua, shared, &kind, &name, &value)?;
            entity_list(lua, list)
        },
    )?;
    method(
        lua,
        game,
        "create",
        shared,
        |lua, shared, (_, kind, values, name): (Me, String, Option<Table>, Option<String>)| {
            shared.permit(lua, Effects::WRITES, "makes an entity")?;
            let made = shared.with(lua, |game| {
                if let Some(name) = name.as_deref().filter(|name| !kernel::value::is_word(name)) {
                    let message =
                        format!("expected the name of an entity as one lower case word, found `{name}`");
                    return Err(Fault::new(FaultCode::WrongType, message));
                }
                let values = attributes(shared, game, &kind, values)?;
                game.create(&kind, name.as_deref(), &values)
            })?;
            Ok(entity_to_lua(made))
        },
    )?;
    method(lua, game, "remove", shared, |lua, shared, (_, data): (Me, LightUserData)| {
        shared.permit(lua, Effects::WRITES, "removes an entity")?;
        shared.with(lua, |game| game.remove(entity_from_lua(data)))
    })
}

/// The entities of a kind whose attribute holds a value, by name.
fn all_with(
    lua: &Lua,
    shared: &Shared,
    kind: &str,
    name: &str,
    value: &LuaValue,
) -> mlua::Result<Vec<EntityId>> {
    let tables = shared.tables()?;
    shared.with(lua, |game| {
        let schema = game.world().schema().clone();
        let declared = schema.kind(schema.require(kind)?);
        let slot = declared.require(name)?;
        let ty = Type::Optional(Arc::new(declared.attributes[slot as usize].ty.clone()));
        let wanted =
            from_lua(&tables, value, &ty).map_err(|m| Fault::mismatch(&format!("`{kind}.{name}`"), &m))?;
        let kind = schema.require(kind)?;
        game.holders((kind, slot), &wanted, |known| shared.spend(cost::items(known)))
    })
}

fn visibility(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Show = (Me, LightUserData, Option<String>, Option<String>);
    method(lua, game, "reveal", shared, |lua, shared, (_, data, attribute, side): Show| {
        shared.permit(lua, Effects::WRITES, "reveals something")?;
        shared.with(lua, |game| {
            let entity = entity_from_lua(data);
            let before = viewers_of(game, entity, attribute.as_deref())?;
            let more = match side {
                Some(side) => Viewers::side(side_named(game, &side)?),
                None => Viewers::ALL,
            };
            game.show(entity, attribute.as_deref(), before.and(more))
        })
    })?;
    method(
        lua,
        game,
        "hide",
        shared,
        |lua, shared, (_, data, attribute): (Me, LightUserData, Option<String>)| {
            shared.permit(lua, Effects::WRITES, "hides something")?;
            shared.with(lua, |game| {
                let entity = entity_from_lua(data);
                let owner = game.world().owner(entity).map_or(Viewers::NONE, Viewers::side);
                game.show(entity, attribute.as_deref(), owner)
            })
        },
    )?;
    method(lua, game, "sees_entity", shared, |lua, shared, (_, side, data): (Me, String, LightUserData)| {
        shared.with(lua, |game| {
            let side = side_named(game, &side)?;
            Ok(game.sees_entity(side, entity_from_lua(data)))
        })
    })
}

fn sequence(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(
        lua,
        game,
        "push",
        shared,
        |lua, shared, (_, rule, args): (Me, String, mlua::Variadic<LuaValue>)| {
            shared.permit(lua, Effects::WRITES, "pushes a step")?;
            let tables = shared.tables()?;
            shared.with(lua, |game| {
                let fields = game.book().steps.get(&*rule).cloned().unwrap_or_default();
                let args = typed(&tables, &fields, &args, &format!("step `{rule}`"))?;
                game.push(&rule, args).map_err(|fault| near_step(fault, game, &rule))
            })?;
            shared.recorder.note(Note::Push(Name::from(rule)));
            Ok(())
        },
    )?;
    method(lua, game, "open", shared, |lua, shared, (_, window, data): (Me, String, Option<Table>)| {
        shared.permit(lua, Effects::WRITES, "opens a window")?;
        shared.reach(&format!("window {window}"))?;
        let tables = shared.tables()?;
        shared.with(lua, |game| {
            let ty = Type::Record(game.book().window(&window)?.carries.clone());
            let data = record(&tables, data, &ty, &format!("window `{window}`"))?;
            game.open(&window, data)
        })
    })?;
    method(lua, game, "enter", shared, |lua, shared, (_, phase, data): (Me, String, Option<Table>)| {
        shared.permit(lua, Effects::WRITES, "enters a phase")?;
        let tables = shared.tables()?;
        shared.with(lua, |game| {
            let data = record(&tables, data, &Type::Any, &format!("phase `{phase}`"))?;
            game.enter(&phase, data)
        })
    })?;
    method(lua, game, "leave", shared, |lua, shared, (_, phase): (Me, String)| {
        shared.permit(lua, Effects::WRITES, "leaves a phase")?;
        shared.with(lua, |game| game.leave(&phase))
    })?;
    method(lua, game, "finish", shared, |lua, shared, (_, result): (Me, Option<Table>)| {
        shared.permit(lua, Effects::WRITES, "ends the game")?;
        let tables = shared.tables()?;
        shared.with(lua, |game| {
            let result = record(&tables, result, &Type::Any, "the result of the game")?;
            game.finish(result)
        })
    })?;
    phases(lua, game, shared)?;
    events(lua, game, shared)
}

fn phases(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(lua, game, "phase", shared, |lua, shared, (_, phase): (Me, String)| {
        let tables = shared.tables()?;
        let data = shared.with(lua, |game| {
            game.note_phase(&phase);
            Ok(game.flow().phase(&phase).map(|p| p.data.clone()))
        })?;
        match data {
            Some(Value::None) => Ok(LuaValue::Table(lua.create_table()?)),
            Some(data) => to_lua(lua, &tables, &data),
            None => Ok(LuaValue::Nil),
        }
    })?;
    method(lua, game, "round", shared, |lua, shared, (_, phase): (Me, String)| {
        shared.with(lua, |game| {
            game.note_phase(&phase);
            Ok(game.flow().phase(&phase).map_or(0, |p| p.rounds))
        })
    })
}

/// Arguments by the types of their fields; what is left out is nothing.
fn typed(
    tables: &crate::values::Metatables,
    fields: &[Field],
    args: &[LuaValue],
    what: &str,
) -> Result<Vec<Value>, Fault> {
    let nothing = LuaValue::Nil;
    let value = |(i, field): (usize, &Field)| {
        let arg = args.get(i).unwrap_or(&nothing);
        from_lua(tables, arg, &field.ty)
            .map_err(|m| Fault::mismatch(&format!("{what}, argument `{}`", field.name), &m))
    };
    fields.iter().enumerate().map(value).collect()
}

fn record(
    tables: &crate::values::Metatables,
    table: Option<Table>,
    ty: &Type,
    what: &str,
) -> Result<Value, Fault> {
    let Some(table) = table else { return Ok(Value::Map(Arc::default())) };
    from_lua(tables, &LuaValue::Table(table), ty).map_err(|m| Fault::mismatch(what, &m))
}

fn events(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Emit = (Me, String, Option<Table>, Option<Table>);
    method(lua, game, "emit", shared, |lua, shared, (_, kind, fields, how): Emit| {
        let cause = shared.cause(lua, Effects::WRITES, "emits an event")?;
        let tables = shared.tables()?;
        shared.with(lua, |game| {
            let declared = game.book().event(&kind)?.fields.clone();
            let what = format!("event `{kind}`");
            let record = record(&tables, fields, &Type::Record(declared), &what)?;
            let audience = audience(game, how.as_ref())?;
            let fields = match &record {
                Value::Map(fields) => (**fields).clone(),
                _ => BTreeMap::new(),
            };
            game.emit(&kind, fields, &audience, cause)?;
            let listeners = listeners(game, &kind);
            for listener in listeners {
                game.push(&listener, vec![record.clone()])?;
            }
            Ok(())
        })
    })
}

/// To whom something is told: `to` these sides, some fields to `only` those,
/// and what that `reveals`.
pub(crate) fn audience(game: &Game, how: Option<&Table>) -> Result<Audience, Fault> {
    let mut audience = Audience::default();
    for pair in how.into_iter().flat_map(Table::pairs::<LuaValue, LuaValue>) {
        let (key, value) = pair.map_err(|error| Fault::new(FaultCode::Script, error.to_string()))?;
        let word = key.as_string().map(|word| word.to_string_lossy()).unwrap_or_default();
        match (word.as_str(), &value) {
            ("to", sides) => audience.to = viewers(game, sides)?,
            ("only", LuaValue::Table(fields)) => {
                for field in fields.pairs::<String, LuaValue>() {
                    let (name, sides) =
                        field.map_err(|_| bad_audience("`only` as sides by field", &value))?;
                    audience = audience.only(&name, viewers(game, &sides)?);
                }
            }
            ("reveals", LuaValue::String(reason)) => {
                audience.reveals = Some(Name::from(reason.to_string_lossy()));
            }
            ("only", _) => return Err(bad_audience("`only` as sides by field", &value)),
            ("reveals", _) => return Err(bad_audience("`reveals` as a sentence", &value)),
            _ => return Err(bad_audience("`to`, `only` or `reveals`", &key)),
        }
    }
    Ok(audience)
}

fn bad_audience(expected: &str, found: &LuaValue) -> Fault {
    let found = match found {
        LuaValue::String(text) => format!("`{}`", text.to_string_lossy()),
        other => describe(other),
    };
    Fault::new(FaultCode::WrongType, format!("to whom it is told: expected {expected}, found {found}"))
}

/// One side, or several; none of them is nobody.
fn viewers(game: &Game, to: &LuaValue) -> Result<Viewers, Fault> {
    let wrong = |found: &LuaValue| bad_audience("a side or a list of sides", found);
    match to {
        LuaValue::String(side) => Ok(Viewers::side(side_named(game, &side.to_string_lossy())?)),
        LuaValue::Table(sides) => {
            let mut viewers = Viewers::NONE;
            if sides.raw_len() > game.world().sides().len() {
                return Err(wrong(to));
            }
            for side in sides.sequence_values::<String>() {
                let side = side.map_err(|_| wrong(to))?;
                viewers = viewers.and(Viewers::side(side_named(game, &side)?));
            }
            Ok(viewers)
        }
        other => Err(wrong(other)),
    }
}

fn chits(lua: &Lua, game: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    for (name, keep) in [("draw", false), ("take", true)] {
        type Draw = (Me, String, LuaValue, Option<Table>);
        method(lua, game, name, shared, move |lua, shared, (_, pot, count, how): Draw| {
            let cause = shared.cause(lua, Effects::DRAWS, "draws chits")?;
            let drawn = shared.with(lua, |game| {
                let audience = audience(game, how.as_ref())?;
                let count = whole(&count).and_then(|n| u32::try_from(n).ok()).ok_or_else(|| {
                    Fault::new(
                        FaultCode::WrongType,
                        format!("expected how many chits to draw, found {}", describe(&count)),
                    )
                })?;
                shared.spend(cost::chits(count))?;
                game.draw(&pot, count, keep, &audience, cause)
            })?;
            texts_to_lua(lua, &drawn)
        })?;
    }
    method(lua, game, "put_back", shared, |lua, shared, (_, pot, chit): (Me, String, String)| {
        shared.permit(lua, Effects::DRAWS, "puts chits back")?;
        shared.with(lua, |game| game.put_back(&pot, &chit))
    })
}

fn dice(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Roll = (Table, Option<String>, Option<Table>);
    method(lua, host, "roll", shared, |lua, shared, (dice, purpose, how): Roll| {
        let cause = shared.cause(lua, Effects::DRAWS, "rolls dice")?;
        let faces = shared.with(lua, |game| {
            shared.spend(cost::rows(dice.raw_len()))?;
            let audience = audience(game, how.as_ref())?;
            let mut list = Vec::new();
            for die in dice.sequence_values::<LuaValue>().flatten() {
                list.push(die_of(&die).ok_or_else(|| {
                    Fault::new(FaultCode::BadDie, format!("expected a die, found {}", describe(&die)))
                })?);
            }
            game.roll(&list, purpose.as_deref().unwrap_or(""), &audience, cause)
        })?;
        lua.create_sequence_from(faces)
    })?;
    method(
        lua,
        host,
        "bad_number",
        shared,
        |lua, shared, (what, found): (String, LuaValue)| -> mlua::Result<()> {
            let message = format!("expected {what} as a whole number, found {}", describe(&found));
            let fault = Fault::new(FaultCode::WrongType, message);
            Err(shared.fault(lua, fault.hint("round it: `math.floor`, `math.round` or `//`")))
        },
    )?;
    method(lua, host, "bad_die", shared, |lua, shared, message: String| -> mlua::Result<()> {
        Err(shared.fault(lua, Fault::new(FaultCode::BadDie, message)))
    })
}

fn sides(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    method(lua, host, "sides", shared, |lua, shared, ()| {
        let sides = shared.with(lua, |game| Ok(game.world().sides().clone()))?;
        texts_to_lua(lua, sides.iter())
    })?;
    method(lua, host, "opponents", shared, |lua, shared, side: String| {
        let others = shared.with(lua, |game| {
            side_named(game, &side)?;
            Ok(game.world().sides().iter().filter(|other| ***other != *side).cloned().collect::<Vec<_>>())
        })?;
        texts_to_lua(lua, &others)
    })?;
    let game: Table = host.get("game")?;
    method(lua, &game, "sides", shared, |lua, shared, _: Me| {
        let sides = shared.with(lua, |game| Ok(game.world().sides().clone()))?;
        texts_to_lua(lua, sides.iter())
    })?;
    method(lua, &game, "turns", shared, |lua, shared, _: Me| shared.with(lua, |game| Ok(game.turns())))?;
    method(lua, &game, "width", shared, |lua, shared, _: Me| {
        shared.with(lua, |game| Ok(game.table().0.um() as f64))
    })?;
    method(lua, &game, "depth", shared, |lua, shared, _: Me| {
        shared.with(lua, |game| Ok(game.table().1.um() as f64))
    })
}

fn questions(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Ask = (String, String, Table, Option<Table>);
    method(lua, host, "ask", shared, |lua, shared, (id, text, to, opts): Ask| {
        let running = shared.permitted(lua, Effects::ASKS, "asks a player")?;
        let tables = shared.tables()?;
        let answers = shared.with(lua, |game| {
            let mut question = question(&tables, game, &id, &text, &to, opts.as_ref())?;
            if question.reveals.is_none() {
                question.reveals = shared.cause_of(&running).reveals;
            }
            game.ask(question)
        })?;
        let Some(answers) = answers else {
            shared.stop.borrow_mut().get_or_insert(Stop::Asked);
            return Ok(LuaValue::Nil);
        };
        let list = lua.create_table()?;
        for (i, answer) in answers.iter().enumerate() {
            list.raw_set(i + 1, to_lua(lua, &tables, answer)?)?;
        }
        list.into_lua(lua)
    })
}

fn question(
    tables: &crate::values::Metatables,
    game: &Game,
    id: &str,
    text: &str,
    to: &Table,
    opts: Option<&Table>,
) -> Result<Question, Fault> {
    let bad = |message: String| Fault::new(FaultCode::BadQuestion, message);
    if !kernel::value::is_id(id) {
        return Err(bad(format!("expected the full id of a question, found `{id}`")));
    }
    let mut asked = Vec::new();
    for one in to.sequence_values::<Table>().flatten() {
        let side: String = one.get("side").map_err(|_| bad(format!("`{id}`: expected a side to ask")))?;
        let domain: LuaValue = one.get("domain").unwrap_or(LuaValue::Nil);
        let domain = from_lua(tables, &domain, &Type::Any)
            .map_err(|m| Fault::mismatch(&format!("domain of `{id}`"), &m))?;
        asked.push((side_named(game, &side)?, Domain::from_value(&domain)?));
    }
    let is_secret = opts.and_then(|opts| opts.get::<Option<bool>>("secret").ok()).flatten().unwrap_or(false);
    let about = opts.and_then(|opts| opts.get::<Option<Table>>("about").ok()).flatten();
    let about = about.map_or_else(Vec::new, |list| {
        list.sequence_values::<LightUserData>().flatten().map(entity_from_lua).collect()
    });
    let reveals = opts.and_then(|opts| opts.get::<Option<String>>("reveals").ok()).flatten();
    let reveals = reveals.map(Name::from);
    Ok(Question { id: Arc::from(id), text: Arc::from(text), to: asked, is_secret, about, reveals })
}

fn unknowns(lua: &Lua, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    let all = [
        ("unknown_rule", FaultCode::UnknownRule, "rule", "defines"),
        ("unknown_clause", FaultCode::UnknownClause, "clause", "lists"),
        ("unknown_option", FaultCode::UnknownOption, "option", "lists"),
        ("unknown_table", FaultCode::UnknownTable, "table", "declares"),
    ];
    for (name, code, word, verb) in all {
        method(lua, host, name, shared, move |lua, shared, id: LuaValue| -> mlua::Result<()> {
            let LuaValue::String(id) = &id else {
                let message = format!("expected the id of a {word} as a text, found {}", describe(&id));
                return Err(shared.fault(lua, Fault::new(FaultCode::WrongType, message)));
            };
            let id = id.to_string_lossy();
            let fault = Fault::new(code, format!("no mod {verb} the {word} `{id}`"));
            let fault = match shared.nearest(word, &id) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            };
            Err(shared.fault(lua, fault))
        })?;
    }
    method(lua, host, "asks", shared, |_, shared, id: String| -> mlua::Result<()> {
        shared.asks(&id);
        Ok(())
    })?;
    method(lua, host, "asks_tables", shared, |_, shared, _: ()| -> mlua::Result<()> {
        shared.asked.replace(None);
        Ok(())
    })?;
    method(lua, host, "not_same", shared, |lua, shared, rule: String| -> mlua::Result<()> {
        let message = format!(
            "`{rule}` only reads: expected the same answer as before, for nothing that it reads has changed, found another"
        );
        let fault = Fault::new(FaultCode::HiddenState, message).in_rule(&Name::from(rule));
        Err(shared.fault(lua, fault.hint("look at nothing but the game and the arguments")))
    })
}
