//! The functions behind `chapters.luau`.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::chapters::guess;
use crate::headers::{HeaderKind, MemberHeader};
use crate::registrar::ScriptRegistrar;
use crate::taking::describe;
use crate::vm::caller;
use rules::registration::Origin;
use rules::rulebook::name_in_luau;

/// The functions behind `chapters.luau`.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(
    lua: &Lua,
    host: &Table,
    registrar: &Rc<ScriptRegistrar>,
) -> mlua::Result<()> {
    rules(lua, host, registrar)?;
    things(lua, host, registrar)?;
    names(lua, host, registrar)?;
    refusals(lua, host, registrar)?;
    wrong_names(lua, host, registrar)
}

/// Adds a function of the host; what it gives as a fault stops the script.
fn add<A: mlua::FromLuaMulti, R: mlua::IntoLuaMulti>(
    lua: &Lua,
    host: &Table,
    registrar: &Rc<ScriptRegistrar>,
    name: &str,
    body: impl Fn(&Lua, &ScriptRegistrar, A) -> Result<R, Fault> + 'static,
) -> mlua::Result<()> {
    let registrar = registrar.clone();
    let function = move |lua: &Lua, args: A| {
        body(lua, &registrar, args).map_err(|fault| registrar.shared.fault(lua, fault))
    };
    host.set(name, lua.create_function(function)?)
}

fn rules(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "rule_given",
        |lua, registrar, (module, chapter, name, function): (String, String, String, Function)| {
            registrar.give_rule(lua, [&module, &chapter, &name], &function)
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "rule_id",
        |_, registrar, (module, chapter, name): (String, String, String)| {
            Ok(registrar
                .chapters
                .rule_id(registrar, [&module, &chapter, &name])
                .to_string())
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "member",
        |lua, registrar, (module, chapter, name): (String, String, String)| {
            let path = [&*module, &*chapter, &*name];
            if registrar.chapters.is_sealed.get() {
                return registrar.chapters.registered_member(path);
            }
            registrar
                .chapters
                .ask("rule", &module, format!("{chapter}.{name}"), caller(lua));
            let of = |header: &MemberHeader| match &header.what {
                HeaderKind::Rule(signature) => Some((Some(signature.count), None)),
                HeaderKind::Thing => Some((None, Some(format!("{module}.{chapter}.{name}")))),
                HeaderKind::Broken => None,
            };
            let (count, thing) = registrar.chapters.header(path, of).unwrap_or_default();
            Ok((count, thing, None))
        },
    )
}

fn things(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "thing_declared",
        |lua, registrar, word: String| {
            registrar.still_open()?;
            let mut declared = registrar.chapters.declared.borrow_mut();
            declared.push(Some((word, caller(lua).unwrap_or_default())));
            Ok(declared.len() - 1)
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "thing_given",
        |lua, registrar, (number, module, chapter, name): (usize, String, String, String)| {
            let path = [&*module, &*chapter, &*name];
            let origin = registrar.origin(lua, None).map_err(|_| registrar.taken())?;
            registrar.own_chapter(&origin, path)?;
            if let Some(declared) = registrar.chapters.declared.borrow_mut().get_mut(number) {
                *declared = None;
            }
            let file = (origin.module.clone(), origin.place.file.to_string());
            let line = registrar
                .chapters
                .header(path, |header| Some(header.line))
                .unwrap_or_default();
            let header = registrar.chapters.header_at(&file, line, path);
            let origin = header.and_then(|header| registrar.gated(&header, &origin));
            let texts = |of: fn(&Origin) -> &[Name]| -> Vec<String> {
                origin
                    .iter()
                    .flat_map(of)
                    .map(ToString::to_string)
                    .collect()
            };
            let given = || -> mlua::Result<Table> {
                let table = lua.create_table()?;
                table.raw_set("id", format!("{module}.{chapter}.{name}"))?;
                table.raw_set("cites", texts(|origin| &origin.cites))?;
                table.raw_set("mentions", texts(|origin| &origin.mentions))?;
                Ok(table)
            };
            given().map_err(|error| Fault::new(FaultCode::Script, error.to_string()))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "clause_ids",
        |lua, registrar, clauses: LuaValue| {
            let module = caller(lua).unwrap_or_default().module;
            let found = registrar.clause_list(&module, &clauses)?;
            Ok(found.iter().map(ToString::to_string).collect::<Vec<_>>())
        },
    )
}

fn names(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "named",
        |lua, registrar, (word, module, name): (String, String, String)| {
            if let Some(id) = registrar.chapters.find(registrar, &word, &module, &name) {
                return Ok(id.to_string());
            }
            let later = match word.as_str() {
                "event" => Some("event"),
                "phase" => Some("phase"),
                "window" => Some("window"),
                _ => None,
            };
            if let Some(word) = later.filter(|_| !registrar.chapters.is_sealed.get()) {
                registrar
                    .chapters
                    .ask(word, &module, name.clone(), caller(lua));
                return Ok(guess(&module, &name));
            }
            let code = match word.as_str() {
                "clause" => FaultCode::UnknownClause,
                "option" => FaultCode::UnknownOption,
                "table" => FaultCode::UnknownTable,
                "kind" => FaultCode::UnknownKind,
                "event" => FaultCode::UnknownEvent,
                _ => FaultCode::UnknownPhase,
            };
            let fault = Fault::new(code, format!("mod `{module}` has no {word} `{name}`"));
            Err(match registrar.chapters.near(&word, &module, &name) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            })
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "found",
        |_, registrar, (word, module, name): (String, String, String)| {
            Ok(registrar
                .chapters
                .find(registrar, &word, &module, &name)
                .map(|id| id.to_string()))
        },
    )?;
    let fill = lua.create_function(|_, (table, key, value): (Table, LuaValue, LuaValue)| {
        table.set_readonly(false);
        let done = table.raw_set(key, value);
        table.set_readonly(true);
        done
    })?;
    host.set("fill", fill)?;
    let freeze = lua.create_function(|_, table: Table| {
        table.set_readonly(true);
        Ok(table)
    })?;
    host.set("freeze", freeze)
}

/// What is refused, in the words of those who write rules.
fn refusals(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "too_early",
        |_, _, ()| -> Result<(), Fault> {
            Err(Fault::new(
                FaultCode::NotAllowed,
                "expected rules to be called in play, found a call while files are loaded",
            ))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "too_soon",
        |_, _, id: String| -> Result<(), Fault> {
            let message = format!(
                "expected `{id}` to be asked for in a rule, found it asked for while the file is loaded"
            );
            Err(Fault::new(FaultCode::NotAllowed, message)
                .hint("what a file keeps would outlive the selection that is played"))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "absent",
        |_,
         registrar,
         (module, chapter, name, id): (String, String, String, Option<String>)|
         -> Result<(), Fault> {
            let id = id.unwrap_or_else(|| {
                registrar
                    .chapters
                    .rule_id(registrar, [&module, &chapter, &name])
                    .to_string()
            });
            let message = format!(
                "the rule `{id}` is not there: a clause without which it does not exist is off"
            );
            Err(Fault::new(FaultCode::UnknownRule, message).hint(
                "ask for the clause first, or let the rule say what it gives without it: `[clause else 0]`",
            ))
        },
    )
}

/// The same of names and members that are not what they should be.
fn wrong_names(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "no_member",
        |_, _, (module, chapter, name): (String, String, String)| -> Result<(), Fault> {
            Err(Fault::new(
                FaultCode::UnknownRule,
                format!("expected the name of a rule of `{module}`, found `{chapter}.{name}`"),
            ))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "nothing_given",
        |_, _, (_module, chapter, name): (String, String, String)| -> Result<(), Fault> {
            let message = format!(
                "expected a function with a header, or what `rules.action` and its like declare, as `{chapter}.{name}`, found something else"
            );
            Err(Fault::new(FaultCode::BadSignature, message))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "no_rule_by_name",
        |_, _, field: LuaValue| -> Result<(), Fault> {
            let field = field
                .as_string()
                .map(|field| field.to_string_lossy().to_string())
                .unwrap_or_default();
            let message = format!("`{field}`: expected a rule by its name, found a function");
            Err(Fault::new(FaultCode::BadSignature, message).hint(
                "write it as a rule of a chapter, so that house rules can change it like any other",
            ))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "no_name",
        |_, _, (word, what, found): (String, String, LuaValue)| -> Result<(), Fault> {
            Err(not_by_name(&word, &what, &found))
        },
    )?;
    wrong_values(lua, host, registrar)
}

/// Something was to be said by its name, and is not.
fn not_by_name(word: &str, what: &str, found: &LuaValue) -> Fault {
    let message = format!(
        "`rules.{word}`: expected the {what} by its name, found {}",
        describe(found)
    );
    let written = found.as_string().map(|text| text.to_string_lossy());
    let written = written.and_then(|id| name_in_luau(&id));
    let name = match (what, &written) {
        ("rule", Some(name)) => name,
        ("rule", None) => "mod.chapter.rule",
        _ => "mod.events.chapter_event",
    };
    let fault = Fault::new(FaultCode::BadSignature, message);
    match found.is_table() && what == "rule" {
        true => fault.hint(format!(
            "one rule at a time: a `rules.{word}` for each of them"
        )),
        false => fault.hint(format!("`{name}`, of what `require(\"@mod\")` gives")),
    }
}

/// The same of keys and words.
fn wrong_values(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    add(
        lua,
        host,
        registrar,
        "no_row",
        |_, _, (id, key): (String, mlua::Variadic<LuaValue>)| -> Result<(), Fault> {
            let key: Vec<String> = key.iter().map(describe).collect();
            let message = format!(
                "expected a row of `{id}` for ({}), found none",
                key.join(", ")
            );
            Err(Fault::new(FaultCode::BadRow, message)
                .hint("`:find(…)` gives nil where there may be none"))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "no_words",
        |_, _, ()| -> Result<(), Fault> {
            Err(Fault::new(
                FaultCode::BadSignature,
                "expected a reason in words, found none",
            ))
        },
    )?;
    add(
        lua,
        host,
        registrar,
        "no_value",
        |_, _, name: String| -> Result<(), Fault> {
            Err(Fault::new(
                FaultCode::BadSignature,
                format!("a reason has a place for `{{{name}}}`, but no value for it"),
            ))
        },
    )
}
