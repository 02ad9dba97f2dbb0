//! Lines of rules as scripts say them.

use std::any::Any;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};
use kernel::world::closest;
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::registrar::{ScriptRegistrar, names, only};
use crate::taking::{describe, whole};
use rules::lines::{LineWords, VERBS, Verb, set_at_once};
use rules::registration::RawLine;

/// The function with which a mod says a line: `host.line`.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn functions(
    lua: &Lua,
    host: &Table,
    registrar: &Rc<ScriptRegistrar>,
) -> mlua::Result<()> {
    let of = registrar.clone();
    type LineArguments = (String, String, String, String, LuaValue, Table);
    let line =
        lua.create_function(
            move |lua, (module, chapter, name, verb, clauses, spec): LineArguments| {
                match register_line(lua, &of, [&module, &chapter, &name], &verb, &clauses, spec) {
                    Ok(()) => Ok(()),
                    Err(fault) => of.note(lua, fault),
                }
            },
        )?;
    host.set("line", line)?;
    let of = registrar.clone();
    let only_of_line = lua.create_function(move |lua, how: LuaValue| {
        let LuaValue::Table(how) = &how else {
            let message = format!(
                "expected `{{ kind = … }}` or `{{ over = … }}` at the end of a line, found {}",
                describe(&how)
            );
            return Err(of
                .shared
                .fault(lua, Fault::new(FaultCode::BadSignature, message)));
        };
        only(how, &["kind", "over"]).map_err(|error| {
            of.shared
                .fault(lua, Fault::new(FaultCode::BadSignature, error.to_string()))
        })
    })?;
    host.set("only_of_line", only_of_line)?;
    let of = registrar.clone();
    let no_line = lua.create_function(
        move |lua, (module, chapter, name, word): (String, String, String, String)| {
            let words = VERBS.iter().map(|(word, _)| *word).chain(["wrap"]);
            let fault = bad(format!(
                "`{module}.{chapter}.{name}`: there is no line `{word}`"
            ));
            let hint = match closest(&word, words) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`houserule rules ID` lists those that a rule takes".into(),
            };
            of.note(lua, fault.hint(hint))?;
            // What is called in its place, so that the file goes on.
            lua.create_function(|_, _: mlua::MultiValue| Ok(()))
        },
    )?;
    host.set("no_line", no_line)?;
    let of = registrar.clone();
    let no_colon = lua.create_function(move |lua, word: String| -> mlua::Result<()> {
        let message = format!("`over.chapter.rule.{word}(…)`: expected a colon, found a dot");
        let hint = format!("`over.chapter.rule:{word}(…)`");
        Err(of.shared.fault(lua, bad(message).hint(hint)))
    })?;
    host.set("no_colon", no_colon)?;
    faults(lua, host, registrar)
}

/// What the folding calls when lines do not go together.
fn faults(lua: &Lua, host: &Table, registrar: &Rc<ScriptRegistrar>) -> mlua::Result<()> {
    let of = registrar.clone();
    let rivals = lua.create_function(move |lua, (a, b): (usize, usize)| -> mlua::Result<()> {
        let fault = {
            let layers = of.shared.layers.borrow();
            set_at_once(&layers[a], &layers[b]).in_rule(&layers[a].rule)
        };
        Err(of.shared.fault(lua, fault))
    })?;
    host.set("rivals", rivals)?;
    for (name, expected) in [
        ("no_whole_term", "a whole number"),
        (
            "no_condition",
            "`true`, `false` or nothing as its condition",
        ),
    ] {
        host.set(name, wrong_in_line(lua, registrar, expected)?)?;
    }
    Ok(())
}

/// The fault of what a function of a line gives, by the number of the line.
fn wrong_in_line(
    lua: &Lua,
    registrar: &Rc<ScriptRegistrar>,
    expected: &'static str,
) -> mlua::Result<Function> {
    let of = registrar.clone();
    lua.create_function(
        move |lua, (number, found): (usize, LuaValue)| -> mlua::Result<()> {
            let fault = {
                let layers = of.shared.layers.borrow();
                let layer = &layers[number];
                let message = format!(
                    "a line of `{}`: expected {expected}, found {}",
                    layer.rule,
                    describe(&found)
                );
                Fault::new(FaultCode::BadReturn, message)
                    .at(layer.place.clone())
                    .in_rule(&layer.rule)
            };
            Err(of.shared.fault(lua, fault))
        },
    )
}

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadSignature, message)
}

/// Registers a line of a rule, if what it says fits.
fn register_line(
    lua: &Lua,
    registrar: &ScriptRegistrar,
    path: [&str; 3],
    word: &str,
    clauses: &LuaValue,
    spec: Table,
) -> Result<(), Fault> {
    let origin = registrar.origin_of_line(lua, clauses)?;
    let rule = registrar.chapters.rule_id(registrar, path);
    let Some(verb) = Verb::of(word) else {
        return Err(bad(format!("there is no line `{word}`")));
    };
    let get = |field: &str| field_of(&spec, field);
    let what = format!("line `{word}` of `{rule}`");
    if !matches!(get("when"), LuaValue::Nil | LuaValue::Function(_)) {
        let found = describe(&get("when"));
        return Err(bad(format!(
            "{what}: expected a function as its condition, found {found}"
        )));
    }
    fits(verb, &what, &spec)?;
    if matches!(get("reason"), LuaValue::Function(_)) {
        // What a function gives is the reason as it is.
        let _ = spec.set("reason", LuaValue::Nil);
    }
    let words = words_of(&spec);
    let over = names(&spec, "over").map_err(|error| bad(error.to_string()))?;
    let mut list = registrar.registrations.borrow_mut();
    let registered = list.lines.len();
    list.lines.push(Rc::new(RawLine {
        rule,
        verb,
        over: over.into(),
        words,
        spec: Rc::new(spec),
        origin,
        registered,
    }));
    Ok(())
}

/// Whether a line says what its verb needs: what it does, a reason, a kind, a value.
fn fits(verb: Verb, what: &str, spec: &Table) -> Result<(), Fault> {
    let get = |field: &str| field_of(spec, field);
    let is_function = |field: &str| matches!(get(field), LuaValue::Function(_));
    match verb {
        Verb::Drop if !is_function("drop") => Err(bad(format!(
            "{what}: expected a function that tells which items go, found {}",
            describe(&get("drop"))
        ))),
        Verb::After if !is_function("step") => Err(bad(format!(
            "{what}: expected a function that does it, found {}",
            describe(&get("step"))
        ))),
        Verb::Refuse => reason_of(what, &get("reason"), true),
        Verb::Shift => reason_of(what, &get("reason"), false),
        Verb::Ignore
            if get("kind")
                .as_string()
                .is_none_or(|kind| kind.as_bytes().is_empty()) =>
        {
            let fault = bad(format!(
                "{what}: expected the kind of lines that it ignores, found none"
            ));
            Err(fault.hint("`:ignore(\"clause\", { kind = \"cover\" }, when)`"))
        }
        Verb::Scale if get("divisor").as_i64().is_none_or(|d| d == 0) => Err(bad(format!(
            "{what}: expected a fraction, such as `1, 2`, found no divisor"
        ))),
        Verb::Set
        | Verb::Case
        | Verb::Add
        | Verb::Least
        | Verb::Most
        | Verb::Append
        | Verb::Scale
            if matches!(get("value"), LuaValue::Nil) =>
        {
            Err(bad(format!(
                "{what}: expected a value, or a function that gives it, found nothing"
            )))
        }
        _ => Ok(()),
    }
}

/// What a script says under a field of a line, nil if it says nothing there.
fn field_of(spec: &Table, field: &str) -> LuaValue {
    spec.get(field).unwrap_or(LuaValue::Nil)
}

/// What of a line can be read without calling it.
fn words_of(spec: &Table) -> LineWords {
    let get = |field: &str| field_of(spec, field);
    let text = |value: &LuaValue| {
        value
            .as_string()
            .map(|text| Name::from(text.to_string_lossy()))
    };
    let value = get("value");
    let plain = match &value {
        LuaValue::Boolean(yes) => Some(Value::Bool(*yes)),
        LuaValue::String(_) => text(&value).map(Value::Text),
        other => whole(other).map(Value::Int),
    };
    LineWords {
        value: plain,
        divisor: whole(&get("divisor")),
        reason: text(&get("reason")).or_else(|| text(&get("kind"))),
        is_always: get("when").is_nil(),
    }
}

/// A reason must say something.
fn reason_of(what: &str, reason: &LuaValue, may_be_made: bool) -> Result<(), Fault> {
    match reason {
        LuaValue::String(words) if !words.to_string_lossy().trim().is_empty() => Ok(()),
        LuaValue::Function(_) if may_be_made => Ok(()),
        other => {
            let found = if matches!(other, LuaValue::String(_)) {
                "none".into()
            } else {
                describe(other)
            };
            let fault = bad(format!("{what}: expected a reason in words, found {found}"));
            Err(fault.hint(
                "players read it: it says what keeps them from it, or what makes the difference",
            ))
        }
    }
}

/// The condition, the value and the reason of a line, as a script gave them.
pub(crate) fn spec_of(spec: &Rc<dyn Any>) -> Option<&Table> {
    spec.downcast_ref()
}
