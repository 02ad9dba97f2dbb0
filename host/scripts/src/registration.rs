//! `rules.wrap`, `rules.action` and the rest: what mods call while they load.
//!
//! Everything is kept as it comes, with the place it comes from; signatures
//! and names are resolved at composition, when all mods have been loaded.

use std::rc::Rc;
use std::sync::Arc;

use kernel::audience::Share;
use kernel::book::{Acts, AskOrder, Order};
use kernel::dice::{Ladder, LadderEnd};
use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::headers::types::OUTLOOK;
use crate::registrar::{
    ScriptRegistrar, flag, function, list, name, names, needed, only, script, text,
};
use crate::taking::describe;
use crate::{given, lines};
use rules::data::brief::RawBrief;
use rules::hosting::registry::LayerKind;
use rules::registration::{
    ActionRules, Origin, PASSES, Placement, RawAction, RawBody, RawEdit, RawEvent, RawLayer,
    RawParam, RawPhase, RawRows, RawWindow, share_of, wrong_passes,
};

/// The functions of `rules`, for the prelude.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(
    lua: &Lua,
    host: &Table,
    registrar: &Rc<ScriptRegistrar>,
) -> mlua::Result<()> {
    let table = lua.create_table()?;
    add_noting(lua, &table, registrar, "wrap", |lua, registrar, args| {
        over(lua, registrar, args, LayerKind::Wrap)
    })?;
    add_noting(lua, &table, registrar, "replace", |lua, registrar, args| {
        over(lua, registrar, args, LayerKind::Replace)
    })?;
    add(lua, &table, registrar, "action", |lua, registrar, args| {
        action(lua, registrar, args, false)
    })?;
    add(
        lua,
        &table,
        registrar,
        "reaction",
        |lua, registrar, args| action(lua, registrar, args, true),
    )?;
    add(lua, &table, registrar, "phase", phase)?;
    add(lua, &table, registrar, "remove_phase", remove_phase)?;
    add(lua, &table, registrar, "window", window)?;
    add(lua, &table, registrar, "event", event)?;
    add(lua, &table, registrar, "record", record)?;
    add_noting(lua, &table, registrar, "on", listen)?;
    add(lua, &table, registrar, "ladder", ladder)?;
    host.set("rules", table)?;
    given::functions(lua, host, registrar)?;
    lines::functions(lua, host, registrar)?;
    let registrar = registrar.clone();
    type Edit = (String, String, LuaValue, Option<Table>);
    let edit = move |lua: &Lua, (verb, id, rows, how): Edit| {
        let origin = registrar.origin(lua, how.as_ref())?;
        registrar.edit_table(verb, id, rows, origin);
        Ok(())
    };
    host.set("edit_table", lua.create_function(edit)?)
}

impl ScriptRegistrar {
    /// Keeps a change to a table; its rows are a list of tables, which is
    /// easily forgotten for a single one.
    fn edit_table(&self, verb: String, id: String, rows: LuaValue, origin: Origin) {
        match rows {
            LuaValue::Table(rows) if rows.raw_len() > 0 || rows.is_empty() => {
                let edit = RawEdit {
                    table: Arc::from(id),
                    verb,
                    rows: RawRows::Script(Rc::new(rows)),
                    origin,
                };
                self.registrations.borrow_mut().edits.push(Rc::new(edit));
            }
            other => {
                let message = format!("expected a list of rows, found {}", describe(&other));
                let fault =
                    Fault::new(FaultCode::BadRow, message).hint("each row is a table in that list");
                self.report(fault.at(origin.place));
            }
        }
    }
}

/// Adds a function that registers and gives nothing: what is wrong with its
/// arguments is noted.
fn add_noting(
    lua: &Lua,
    table: &Table,
    registrar: &Rc<ScriptRegistrar>,
    name: &str,
    body: fn(&Lua, &ScriptRegistrar, mlua::MultiValue) -> mlua::Result<()>,
) -> mlua::Result<()> {
    let registrar = registrar.clone();
    let registering = move |lua: &Lua, args: mlua::MultiValue| match body(lua, &registrar, args) {
        Ok(()) => Ok(()),
        Err(error) if registrar.shared.stop.borrow().is_some() || is_of_the_machine(&error) => {
            Err(error)
        }
        Err(error) => registrar.note(lua, Fault::new(FaultCode::BadSignature, message_of(error))),
    };
    table.set(name, lua.create_function(registering)?)
}

fn message_of(error: mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(message) => message,
        other => other.to_string(),
    }
}

/// Adds a function that registers; what is wrong with its arguments is a fault.
fn add<R: mlua::IntoLuaMulti + 'static>(
    lua: &Lua,
    table: &Table,
    registrar: &Rc<ScriptRegistrar>,
    name: &str,
    body: fn(&Lua, &ScriptRegistrar, mlua::MultiValue) -> mlua::Result<R>,
) -> mlua::Result<()> {
    let registrar = registrar.clone();
    let registering = move |lua: &Lua, args: mlua::MultiValue| {
        body(lua, &registrar, args).map_err(|error| {
            if registrar.shared.stop.borrow().is_some() || is_of_the_machine(&error) {
                return error;
            }
            registrar
                .shared
                .fault(lua, Fault::new(FaultCode::BadSignature, message_of(error)))
        })
    };
    table.set(name, lua.create_function(registering)?)
}

/// Whether it is a limit, or an error that a script raised meanwhile.
fn is_of_the_machine(error: &mlua::Error) -> bool {
    matches!(
        error,
        mlua::Error::MemoryError(_) | mlua::Error::CallbackError { .. }
    )
}

fn unpack<A: mlua::FromLuaMulti>(
    lua: &Lua,
    args: mlua::MultiValue,
    expected: &str,
) -> mlua::Result<A> {
    A::from_lua_multi(args, lua).map_err(|_| mlua::Error::runtime(format!("expected {expected}")))
}

/// What something gives away by the rules, in words, if it says so.
fn reason(spec: &Table) -> mlua::Result<Option<Name>> {
    match name(spec, "reveals")? {
        Some(words) if words.trim().is_empty() => Err(mlua::Error::runtime(
            "`reveals`: expected a sentence that says what is revealed, found none",
        )),
        reason => Ok(reason),
    }
}

fn over(
    lua: &Lua,
    registrar: &ScriptRegistrar,
    mut args: mlua::MultiValue,
    kind: LayerKind,
) -> mlua::Result<()> {
    let expected = "a rule, its clauses or a table with `cites` (or nothing), and a function";
    if args.len() == 2 {
        args = [args[0].clone(), LuaValue::Nil, args[1].clone()]
            .into_iter()
            .collect();
    }
    let (id, spec, function): (String, Option<Table>, Function) = unpack(lua, args, expected)?;
    if let Some(spec) = &spec {
        only(spec, &["cites", "before", "after", "reveals", "instead"])?;
    }
    let origin = registrar.origin(lua, spec.as_ref())?;
    let order = |field| {
        spec.as_ref()
            .map_or(Ok(Vec::new()), |spec| names(spec, field))
    };
    let layer = RawLayer {
        rule: Arc::from(id),
        kind,
        origin,
        after: order("after")?.into(),
        before: order("before")?.into(),
        reveals: spec.as_ref().map_or(Ok(None), reason)?,
        body: script(function),
        registered: 0,
    };
    registrar.registrations.borrow_mut().add_layer(layer);
    Ok(())
}

/// The same from the table of a script.
struct SpecRules<'a> {
    rules: ActionRules<'a>,
    registrar: &'a ScriptRegistrar,
}

impl SpecRules<'_> {
    /// The rule of a field, if there is one: one that it names, or the function
    /// that it holds, which becomes one.
    fn member(
        &self,
        spec: &Table,
        [field, word]: [&str; 2],
        more: &str,
        returns: Option<&str>,
    ) -> mlua::Result<Option<Name>> {
        if let LuaValue::String(rule) = spec.get::<LuaValue>(field)? {
            return Ok(Some(Name::from(&*rule.to_str()?)));
        }
        let Some(function) = function(spec, field)? else {
            return Ok(self.called(word, field));
        };
        let effects = if returns.is_none() {
            "reads draws writes asks"
        } else {
            ""
        };
        self.rules
            .add(word, more, returns, effects, script(function));
        Ok(Some(self.rules.rule(word)))
    }

    /// The rule that is called as the field of the action: `fire.shoot_allowed`
    /// for `allowed` of `fire.shoot`, `fire.shoot_target_domain` for the domain
    /// of its parameter `target`.
    fn called(&self, word: &str, field: &str) -> Option<Name> {
        let end = if word == field {
            word.to_string()
        } else {
            format!("{word}_{field}")
        };
        let rule = format!("{}_{end}", self.rules.id);
        self.registrar
            .chapters
            .gives(&rule)
            .then(|| Name::from(rule))
    }

    /// What the function of a member is called, as a rules file writes it.
    fn called_in_chapter(&self, member: &str) -> String {
        let id = self.rules.id;
        let short = id.split_once('.').map_or(id, |(_, name)| name);
        format!("{short}_{member}")
    }

    /// To whom something of it is told, if its table says so.
    fn share(&self, spec: &Table, what: &str) -> mlua::Result<Option<Share>> {
        let Some(word) = text(spec, "audience")? else {
            return Ok(None);
        };
        match share_of(what, &word) {
            Ok(share) => Ok(Some(share)),
            Err(fault) => {
                self.rules
                    .registrar
                    .report(fault.at(self.rules.origin.place.clone()));
                Ok(None)
            }
        }
    }

    /// Adds the domain of each parameter; the parameters.
    fn params(&self, spec: &Table) -> mlua::Result<Vec<RawParam>> {
        let mut params = Vec::new();
        let Some(list) = list(spec, "params")? else {
            return Ok(params);
        };
        for param in list.sequence_values::<Table>() {
            let param = param.map_err(|_| {
                mlua::Error::runtime("`params`: expected a list of tables, one a parameter")
            })?;
            only(
                &param,
                &["name", "title", "type", "domain", "audience", "reveals"],
            )?;
            let word = needed(&param, "name", "the name of the parameter")?;
            let ty = text(&param, "type")?.unwrap_or_else(|| "any".into());
            let returns = format!("domain {ty}");
            let domain = self.member(&param, ["domain", &word], ", params: any", Some(&returns));
            let domain = domain.ok().flatten().ok_or_else(|| {
                let called = self.called_in_chapter(&format!("{word}_domain"));
                mlua::Error::runtime(format!(
                    "parameter `{word}`: expected a function `{called}`, or `domain` with another rule, found none"
                ))
            })?;
            let title = text(&param, "title")?.unwrap_or_else(|| word.clone());
            let share = self.share(&param, &format!("parameter `{word}`"))?;
            params.push(RawParam {
                name: word,
                title,
                ty,
                domain,
                share,
                reveals: reason(&param)?,
            });
        }
        Ok(params)
    }
}

/// The fields of an action or a reaction; `place` is the one that says where it can be
/// taken. Without a header it says its id and its clauses itself.
fn action_fields(place: &'static str, has_header: bool) -> Vec<&'static str> {
    let fields = [
        "title",
        place,
        "actor",
        "compulsory",
        "told",
        "allowed",
        "params",
        "perform",
        "score",
        "outlook",
        "audience",
        "reveals",
    ];
    let own: &[&str] = if has_header { &[] } else { &["id", "cites"] };
    [&fields[..], own].concat()
}

/// The phases, or the window, in which it can be taken.
fn taken_at(spec: &Table, place: &str, is_reaction: bool) -> mlua::Result<Vec<Name>> {
    let at = names(spec, place)?;
    if at.is_empty() {
        let what = if is_reaction {
            "the window in which it can be taken"
        } else {
            "the phase, or a list of them"
        };
        return Err(mlua::Error::runtime(format!(
            "`{place}` is missing: {what}"
        )));
    }
    Ok(at)
}

fn action(
    lua: &Lua,
    registrar: &ScriptRegistrar,
    args: mlua::MultiValue,
    is_reaction: bool,
) -> mlua::Result<()> {
    let (spec, header): (Table, Option<Table>) = unpack(lua, args, "a table")?;
    let place = if is_reaction { "at" } else { "phase" };
    only(&spec, &action_fields(place, header.is_some()))?;
    let word = if is_reaction { "reaction" } else { "action" };
    let Some((id, origin)) = registrar.declared(lua, header.as_ref().unwrap_or(&spec), word)?
    else {
        return Ok(());
    };
    let at = taken_at(&spec, place, is_reaction)?;
    let rules = ActionRules {
        registrar,
        id: &id,
        origin: &origin,
        is_reaction,
        reveals: reason(&spec)?,
    };
    let rules = SpecRules { rules, registrar };
    let allowed = rules.member(&spec, ["allowed"; 2], "", Some("verdict"))?;
    let score = rules.member(&spec, ["score"; 2], ", params: any", Some("integer"))?;
    let outlook = rules.member(&spec, ["outlook"; 2], ", params: any", Some(OUTLOOK))?;
    let params = rules.params(&spec)?;
    let perform = rules
        .member(&spec, ["perform"; 2], ", params: any", None)?
        .ok_or_else(|| {
            let called = rules.called_in_chapter("perform");
            mlua::Error::runtime(format!(
                "expected a function `{called}` that does it, or `perform` with another rule, found none"
            ))
        })?;
    let raw = RawAction {
        title: text(&spec, "title")?.unwrap_or_else(|| id.clone()),
        at,
        is_reaction,
        actor: name(&spec, "actor")?,
        params,
        allowed,
        perform,
        score,
        outlook,
        is_compulsory: flag(&spec, "compulsory")?,
        is_narrated: flag(&spec, "told")?,
        share: rules.share(&spec, &format!("`{id}`"))?,
        reveals: reason(&spec)?,
        origin: origin.clone(),
        id: Arc::from(id.as_str()),
    };
    registrar
        .registrations
        .borrow_mut()
        .actions
        .push(Rc::new(raw));
    Ok(())
}

fn phase(lua: &Lua, registrar: &ScriptRegistrar, args: mlua::MultiValue) -> mlua::Result<()> {
    let (spec, header): (Table, Table) = unpack(lua, args, "a table")?;
    only(
        &spec,
        &[
            "title",
            "root",
            "announced",
            "before",
            "after",
            "around",
            "sequence",
            "loop",
            "ends",
            "automatic",
            "acts",
            "reveals",
        ],
    )?;
    let Some((id, origin)) = registrar.declared(lua, &header, "phase")? else {
        return Ok(());
    };
    let placement = placement(&spec)?;
    let body = body(registrar, &spec, &id)?;
    let raw = RawPhase {
        title: text(&spec, "title")?.unwrap_or_else(|| id.clone()),
        body,
        is_root: flag(&spec, "root")?,
        is_announced: flag(&spec, "announced")?,
        placement,
        reveals: reason(&spec)?,
        origin,
        id: Arc::from(id),
    };
    registrar
        .registrations
        .borrow_mut()
        .phases
        .push(Rc::new(raw));
    Ok(())
}

fn placement(spec: &Table) -> mlua::Result<Option<Placement>> {
    let given = [
        name(spec, "before")?.map(Placement::Before),
        name(spec, "after")?.map(Placement::After),
        name(spec, "around")?.map(Placement::Around),
    ];
    let mut given = given.into_iter().flatten();
    match (given.next(), given.next()) {
        (_, Some(_)) => Err(mlua::Error::runtime(
            "expected one of `before`, `after` and `around`, found several",
        )),
        (placement, None) => Ok(placement),
    }
}

fn body(registrar: &ScriptRegistrar, spec: &Table, id: &str) -> mlua::Result<RawBody> {
    only_one_body(spec, id)?;
    if let Some(rule) = name(spec, "automatic")? {
        return Ok(RawBody::Automatic(rule));
    }
    let called = format!("{id}_automatic");
    if !["acts", "loop", "sequence"]
        .iter()
        .any(|field| spec.contains_key(*field).unwrap_or(true))
        && registrar.chapters.gives(&called)
    {
        return Ok(RawBody::Automatic(Name::from(called)));
    }
    if let Some(acts) = list(spec, "acts")? {
        return Ok(RawBody::Acts(acts_of(&acts)?));
    }
    let inner = names(spec, "loop")?;
    if !inner.is_empty() {
        return Ok(RawBody::Loop(inner, name(spec, "ends")?));
    }
    if spec.contains_key("sequence")? {
        return Ok(RawBody::Sequence(names(spec, "sequence")?));
    }
    Err(mlua::Error::runtime(format!(
        "`{id}`: expected one of `sequence`, `loop`, `automatic`, `acts`, or a function `{}_automatic`, found none",
        id.split_once('.').map_or(id, |(_, name)| name)
    )))
}

/// A phase is one thing: what else it says it is would be lost.
fn only_one_body(spec: &Table, id: &str) -> mlua::Result<()> {
    let mut said = Vec::new();
    for field in ["sequence", "loop", "automatic", "acts"] {
        if spec.contains_key(field)? {
            said.push(format!("`{field}`"));
        }
    }
    match said.as_slice() {
        [] | [_] => Ok(()),
        several => Err(mlua::Error::runtime(format!(
            "`{id}`: expected one of `sequence`, `loop`, `automatic` and `acts`, found {}",
            several.join(" and ")
        ))),
    }
}

fn acts_of(acts: &Table) -> mlua::Result<Acts> {
    only(
        acts,
        &[
            "order",
            "first",
            "may_pass",
            "may_end",
            "ends",
            "ends_when_idle",
            "ends_after_passes",
        ],
    )?;
    let order = match text(acts, "order")?.as_deref() {
        Some("one_after_another") => Order::OneAfterAnother,
        Some("alternating") => Order::Alternating,
        Some("secret") => Order::Secret,
        Some("given") => Order::Given,
        other => {
            return Err(mlua::Error::runtime(format!(
                "`order`: expected one_after_another, alternating, secret or given, found {}",
                other.unwrap_or("nothing")
            )));
        }
    };
    Ok(Acts {
        order,
        first: name(acts, "first")?,
        may_pass: name(acts, "may_pass")?,
        may_end: name(acts, "may_end")?,
        until: name(acts, "ends")?,
        ends_when_idle: flag(acts, "ends_when_idle")?,
        ends_after_passes: passes(acts)?,
    })
}

/// After how many passes it ends, if that is said.
fn passes(acts: &Table) -> mlua::Result<Option<u32>> {
    let Some(number) = acts.get::<Option<f64>>("ends_after_passes")? else {
        return Ok(None);
    };
    let whole = (number.fract() == 0.0).then_some(number as u32);
    match whole.filter(|times| PASSES.contains(times)) {
        Some(times) => Ok(Some(times)),
        None => Err(mlua::Error::runtime(wrong_passes(number))),
    }
}

fn remove_phase(
    lua: &Lua,
    registrar: &ScriptRegistrar,
    args: mlua::MultiValue,
) -> mlua::Result<()> {
    let (id, spec): (String, Option<Table>) = unpack(lua, args, "the id of a phase")?;
    let origin = registrar.origin(lua, spec.as_ref())?;
    registrar
        .registrations
        .borrow_mut()
        .removed_phases
        .push((Arc::from(id), origin));
    Ok(())
}

fn window(lua: &Lua, registrar: &ScriptRegistrar, args: mlua::MultiValue) -> mlua::Result<()> {
    let (spec, header): (Table, Table) = unpack(lua, args, "a table")?;
    only(&spec, &["title", "carries", "order", "uniform"])?;
    let Some((id, origin)) = registrar.declared(lua, &header, "window")? else {
        return Ok(());
    };
    let order = match text(&spec, "order")?.as_deref() {
        None | Some("others_first") => AskOrder::OthersFirst,
        Some("acting_first") => AskOrder::ActingFirst,
        Some("others_only") => AskOrder::OthersOnly,
        Some(other) => {
            return Err(mlua::Error::runtime(format!(
                "`order`: expected others_first, acting_first or others_only, found {other}"
            )));
        }
    };
    let raw = RawWindow {
        id: Arc::from(id),
        title: text(&spec, "title")?.unwrap_or_default(),
        carries: text(&spec, "carries")?.unwrap_or_default(),
        order,
        is_uniform: flag(&spec, "uniform")?,
        origin,
    };
    registrar
        .registrations
        .borrow_mut()
        .windows
        .push(Rc::new(raw));
    Ok(())
}

fn event(lua: &Lua, registrar: &ScriptRegistrar, args: mlua::MultiValue) -> mlua::Result<()> {
    let (spec, header): (Table, Table) = unpack(lua, args, "a table")?;
    let own = ["heading", "text", "fields", "reveals"];
    only(&spec, &[&own[..], &RawBrief::MEMBERS[..]].concat())?;
    let Some((id, origin)) = registrar.declared(lua, &header, "event")? else {
        return Ok(());
    };
    let raw = RawEvent {
        id: Arc::from(id),
        fields: text(&spec, "fields")?.unwrap_or_default(),
        text: text(&spec, "text")?.unwrap_or_default(),
        heading: text(&spec, "heading")?.unwrap_or_default(),
        reveals: reason(&spec)?,
        brief: brief(&spec)?,
        origin,
    };
    registrar
        .registrations
        .borrow_mut()
        .events
        .push(Rc::new(raw));
    Ok(())
}

/// How an event reads in short reports.
fn brief(spec: &Table) -> mlua::Result<RawBrief> {
    Ok(RawBrief {
        depth: text(spec, "depth")?,
        brief: text(spec, "brief")?,
        story: text(spec, "story")?,
        tally: text(spec, "tally")?,
        leads: flag(spec, "leads")?,
        counts: text(spec, "counts")?,
        role: text(spec, "role")?,
    })
}

fn record(lua: &Lua, registrar: &ScriptRegistrar, args: mlua::MultiValue) -> mlua::Result<()> {
    let (id, fields): (String, String) = unpack(lua, args, "an id and the fields as a text")?;
    let origin = registrar.origin(lua, None)?;
    if registrar.own_id(&origin, &id, "record") {
        registrar
            .registrations
            .borrow_mut()
            .records
            .push((Arc::from(id), fields, origin));
    }
    Ok(())
}

/// A ladder of dice, which can step on it at once if it is in force.
fn ladder(lua: &Lua, registrar: &ScriptRegistrar, args: mlua::MultiValue) -> mlua::Result<()> {
    let (spec, header): (Table, Table) = unpack(lua, args, "a table with `steps`")?;
    only(&spec, &["steps", "bottom", "top"])?;
    let Some((id, origin)) = registrar.declared(lua, &header, "ladder")? else {
        return Ok(());
    };
    if !registrar.is_in_force(&origin) {
        return Ok(());
    }
    let steps: Vec<u16> = spec
        .get::<Table>("steps")
        .and_then(|steps| steps.sequence_values().collect())
        .map_err(|_| {
            mlua::Error::runtime("`steps`: expected the sides of each die, from worst to best")
        })?;
    let end = |field: &str| -> mlua::Result<LadderEnd> {
        match text(&spec, field)?.as_deref() {
            None | Some("stop") => Ok(LadderEnd::Stop),
            Some("refuse") => Ok(LadderEnd::Refuse),
            Some("convert") => Ok(LadderEnd::Convert),
            Some(other) => Err(mlua::Error::runtime(format!(
                "`{field}`: expected stop, refuse or convert, found `{other}`"
            ))),
        }
    };
    let ladder = Ladder::new(steps, end("bottom")?, end("top")?)
        .map_err(|error| mlua::Error::runtime(format!("`steps`: {error}")))?;
    let id: Name = Arc::from(id);
    registrar
        .shared
        .ladders
        .borrow_mut()
        .push((id.clone(), ladder));
    registrar
        .registrations
        .borrow_mut()
        .ladders
        .push((id, origin));
    Ok(())
}

fn listen(lua: &Lua, registrar: &ScriptRegistrar, mut args: mlua::MultiValue) -> mlua::Result<()> {
    if args.len() == 2 {
        args = [args[0].clone(), LuaValue::Nil, args[1].clone()]
            .into_iter()
            .collect();
    }
    let expected = "an event, its clauses or a table with `cites` (or nothing), and a function";
    let (event, spec, function): (String, Option<Table>, Function) = unpack(lua, args, expected)?;
    let origin = registrar.origin(lua, spec.as_ref())?;
    registrar.listener(
        &event,
        origin,
        script(function),
        spec.as_ref().map_or(Ok(None), reason)?,
    );
    Ok(())
}
