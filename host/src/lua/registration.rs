//! `rules.define`, `rules.wrap` and the rest: what mods call while they load.
//!
//! Everything is kept as it comes, with the place it comes from; signatures
//! and names are resolved at composition, when all mods have been heard.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::audience::Share;
use kernel::book::{Acts, AskOrder, Order};
use kernel::dice::{End, Ladder};
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, is_id, owner_of};
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::data::brief::RawBrief;
use crate::limits::CHECKS_A_REGISTRATION;
use crate::lua::chapters::{self, Chapters};
use crate::lua::lines::{self, Open, RawLine};
use crate::lua::registry::{Body, LayerKind, Signature};
use crate::lua::values::describe;
use crate::lua::vm::{Shared, caller};

/// Where something was registered, and for which clauses.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The mod.
    pub module: Name,
    /// The place in its files.
    pub place: Place,
    /// The clauses that it carries out.
    pub cites: Rc<[Name]>,
    /// Whether it is there when some of them are off, for those that are on.
    pub stays: bool,
    /// Clauses that it is cited for besides, whether they are on or off.
    pub mentions: Rc<[Name]>,
}

/// What is left of something when only some clauses hold.
pub enum Standing {
    /// All of it.
    Whole,
    /// It stays for those of its clauses that hold.
    Part(Origin),
    /// Nothing: a clause is off without which it does not exist.
    Gone,
}

impl Origin {
    /// What is left of something from there when these clauses hold.
    pub fn standing(&self, holds: &dyn Fn(&Name) -> bool) -> Standing {
        if self.cites.iter().all(holds) {
            return match self.mentions.is_empty() {
                true => Standing::Whole,
                false => Standing::Part(self.with_mentions(holds)),
            };
        }
        if !self.stays {
            return Standing::Gone;
        }
        let cites = self.cites.iter().filter(|clause| holds(clause)).cloned().collect();
        Standing::Part(Origin { cites, ..self.clone() })
    }

    /// Cited for what else it is about, as far as that holds.
    fn with_mentions(&self, holds: &dyn Fn(&Name) -> bool) -> Origin {
        let besides = self.mentions.iter().filter(|clause| holds(clause));
        let cites = self.cites.iter().chain(besides).cloned().collect();
        Origin { cites, mentions: Rc::from([]), ..self.clone() }
    }
}

/// A function for a rule.
#[derive(Clone, Debug)]
pub struct RawLayer {
    /// The rule.
    pub rule: Name,
    /// How the function takes its place.
    pub kind: LayerKind,
    /// Where it comes from.
    pub origin: Origin,
    /// Stated order.
    pub after: Rc<[Name]>,
    /// Stated order.
    pub before: Rc<[Name]>,
    /// What the rules mean it to give away of what others may not see.
    pub reveals: Option<Name>,
    /// What runs.
    pub body: Body,
    /// Its place among all functions that were heard.
    pub heard: usize,
}

/// The signature of a rule as written.
#[derive(Clone, Debug)]
pub struct RawSignature {
    /// The rule.
    pub rule: Name,
    /// `shot: skirmish.shot, band: close|long`.
    pub args: String,
    /// The type of the result; a domain begins with `domain `.
    pub returns: Option<String>,
    /// `reads draws`.
    pub effects: String,
    /// Whether it may be pushed.
    pub is_step: bool,
    /// One sentence.
    pub doc: Name,
    /// Where it comes from.
    pub origin: Origin,
    /// What it says, once it was read: the same for every selection.
    pub read: OnceCell<Result<Signature, Fault>>,
}

/// An action or a reaction as written.
#[derive(Clone, Debug)]
pub struct RawDeed {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: String,
    /// Phases, or the window.
    pub at: Vec<Name>,
    /// Whether it is a reaction.
    pub is_reaction: bool,
    /// The kind that acts.
    pub actor: Option<Name>,
    /// Its parameters.
    pub params: Vec<RawParam>,
    /// The rule that says whether, if there is one.
    pub allowed: Option<Name>,
    /// The rule that does it.
    pub perform: Name,
    /// The rule that says how good it is, if there is one.
    pub score: Option<Name>,
    /// Whether the phase cannot end before it.
    pub is_compulsory: bool,
    /// Whether its own events tell it.
    pub is_told: bool,
    /// To whom it is told.
    pub share: Option<Share>,
    /// Where it comes from.
    pub origin: Origin,
}

/// A parameter of an action or a reaction as written.
#[derive(Clone, Debug)]
pub struct RawParam {
    /// Its name.
    pub name: String,
    /// What the player is asked.
    pub title: String,
    /// What fits in it.
    pub ty: String,
    /// The rule that says what can be chosen.
    pub domain: Name,
    /// To whom it is told.
    pub share: Option<Share>,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
}

/// A phase as written.
#[derive(Clone, Debug)]
pub struct RawPhase {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: String,
    /// What it is made of.
    pub body: RawBody,
    /// Whether it is the whole game.
    pub is_root: bool,
    /// Whether its beginning is an event.
    pub is_announced: bool,
    /// Where it goes; nowhere if other phases or rules name it.
    pub beside: Option<Beside>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a phase goes among those that are there.
#[derive(Clone, Debug)]
pub enum Beside {
    /// Before another one.
    Before(Name),
    /// After another one.
    After(Name),
    /// In the place of another one, which it holds itself.
    Around(Name),
}

/// What a phase is made of, as written.
#[derive(Clone, Debug)]
pub enum RawBody {
    /// Phases in order.
    Sequence(Vec<Name>),
    /// Phases in order, again and again until the rule says so.
    Loop(Vec<Name>, Option<Name>),
    /// A step of its own.
    Automatic(Name),
    /// Players act.
    Acts(Acts),
}

/// A window as written.
#[derive(Clone, Debug)]
pub struct RawWindow {
    /// Its id.
    pub id: Name,
    /// The fields of what it carries.
    pub carries: String,
    /// Who is asked first.
    pub order: AskOrder,
    /// Whether every side is asked.
    pub is_uniform: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// An event as written.
#[derive(Clone, Debug)]
pub struct RawEvent {
    /// Its id.
    pub id: Name,
    /// Its fields.
    pub fields: String,
    /// How it reads.
    pub text: String,
    /// Its heading.
    pub heading: String,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
    /// How it reads in short reports.
    pub brief: RawBrief,
    /// Where it comes from.
    pub origin: Origin,
}

/// A change to a table made by a rules file.
#[derive(Clone, Debug)]
pub struct RawEdit {
    /// The table.
    pub table: Name,
    /// `add`, `amend` or `remove`.
    pub verb: String,
    /// The rows or keys.
    pub rows: RawRows,
    /// Where it comes from.
    pub origin: Origin,
}

/// Rows of a table as a mod gives them.
#[derive(Clone, Debug)]
pub enum RawRows {
    /// A list of tables of a script.
    Luau(Table),
    /// Records, whose values have no types yet.
    #[cfg(feature = "wasm")]
    Values(Vec<kernel::value::Value>),
}

/// Everything that the rules files of all mods registered, whether its clauses
/// are on or not: files say the same again and again, so they are run once for
/// many selections.
#[derive(Clone, Debug, Default)]
pub struct Registrations {
    /// Functions.
    pub layers: Vec<Rc<RawLayer>>,
    /// Signatures.
    pub signatures: Vec<Rc<RawSignature>>,
    /// Actions and reactions.
    pub deeds: Vec<Rc<RawDeed>>,
    /// Phases.
    pub phases: Vec<Rc<RawPhase>>,
    /// Phases that are taken out.
    pub removed_phases: Vec<(Name, Origin)>,
    /// Windows.
    pub windows: Vec<Rc<RawWindow>>,
    /// Events.
    pub events: Vec<Rc<RawEvent>>,
    /// Named records.
    pub records: Vec<(Name, String, Origin)>,
    /// Changes to tables.
    pub edits: Vec<Rc<RawEdit>>,
    /// Events with their listeners: the rule that listens.
    pub listeners: Vec<(Name, Name, Origin)>,
    /// Ladders of dice.
    pub ladders: Vec<(Name, Origin)>,
    /// Lines of rules.
    pub lines: Vec<Rc<RawLine>>,
    /// Rules that are open for lines: how those combine, and whether what the
    /// rule gives is why not.
    pub opened: Vec<(Name, (Open, bool), Origin)>,
    /// Everything that is wrong so far.
    pub faults: Vec<Fault>,
}

impl Registrations {
    /// What is there when these clauses hold, and no others.
    pub fn in_force(&self, holds: &dyn Fn(&Name) -> bool) -> Registrations {
        Registrations {
            layers: in_force(&self.layers, holds),
            signatures: in_force(&self.signatures, holds),
            deeds: in_force(&self.deeds, holds),
            phases: in_force(&self.phases, holds),
            removed_phases: in_force(&self.removed_phases, holds),
            windows: in_force(&self.windows, holds),
            events: in_force(&self.events, holds),
            records: in_force(&self.records, holds),
            edits: in_force(&self.edits, holds),
            listeners: in_force(&self.listeners, holds),
            ladders: in_force(&self.ladders, holds),
            lines: in_force(&self.lines, holds),
            opened: in_force(&self.opened, holds),
            faults: self.faults.clone(),
        }
    }

    /// Says of what a mod registered last under an id what it gives away;
    /// whether there is such a thing.
    #[cfg(feature = "wasm")]
    pub fn reveals(&mut self, id: &str, module: &str, reason: Name) -> bool {
        if let Some(event) = self.events.iter_mut().rfind(|raw| *raw.id == *id) {
            Rc::make_mut(event).reveals = Some(reason);
            return true;
        }
        let listener = id.strip_suffix(".on").and_then(|event| {
            let is_meant = |raw: &&(Name, Name, Origin)| *raw.0 == *event && *raw.2.module == *module;
            self.listeners.iter().rfind(is_meant).map(|(_, rule, _)| rule.clone())
        });
        if let Some((deed, word)) = id.rsplit_once('.')
            && let Some(raw) = self.deeds.iter_mut().rfind(|raw| *raw.id == *deed)
            && let Some(param) = Rc::make_mut(raw).params.iter_mut().find(|raw| raw.name == word)
        {
            param.reveals = Some(reason);
            return true;
        }
        let is_deed = self.deeds.iter().any(|raw| *raw.id == *id);
        let rule = match listener {
            Some(rule) => rule.to_string(),
            None if is_deed => format!("{id}.perform"),
            None => id.to_string(),
        };
        let is_meant = |raw: &&mut Rc<RawLayer>| *raw.rule == *rule && *raw.origin.module == *module;
        match self.layers.iter_mut().rfind(is_meant) {
            Some(layer) => Rc::make_mut(layer).reveals = Some(reason),
            None => return false,
        }
        true
    }

    /// Keeps a function, and gives it its place among all.
    pub fn add_layer(&mut self, mut layer: RawLayer) {
        layer.heard = self.layers.len();
        self.layers.push(Rc::new(layer));
    }
}

/// Something that was registered.
trait Registered: Clone {
    fn origin(&self) -> &Origin;
    fn at(&self, origin: Origin) -> Self;
}

macro_rules! registered {
    ($($raw:ty),*) => {$(
        impl Registered for Rc<$raw> {
            fn origin(&self) -> &Origin {
                &self.origin
            }
            fn at(&self, origin: Origin) -> Self {
                let mut raw = <$raw>::clone(self);
                raw.origin = origin;
                Rc::new(raw)
            }
        }
    )*};
}

registered!(RawLayer, RawSignature, RawDeed, RawPhase, RawWindow, RawEvent, RawEdit, RawLine);

impl Registered for (Name, Origin) {
    fn origin(&self) -> &Origin {
        &self.1
    }
    fn at(&self, origin: Origin) -> Self {
        (self.0.clone(), origin)
    }
}

impl<T: Clone> Registered for (Name, T, Origin) {
    fn origin(&self) -> &Origin {
        &self.2
    }
    fn at(&self, origin: Origin) -> Self {
        (self.0.clone(), self.1.clone(), origin)
    }
}

/// Those of a list that are there when these clauses hold.
fn in_force<T: Registered>(list: &[T], holds: &dyn Fn(&Name) -> bool) -> Vec<T> {
    let as_it_is = |one: &T| match one.origin().standing(holds) {
        Standing::Whole => Some(one.clone()),
        Standing::Part(origin) => Some(one.at(origin)),
        Standing::Gone => None,
    };
    list.iter().filter_map(as_it_is).collect()
}

/// What a registration is checked against while it is made.
pub(crate) struct Desk {
    pub shared: Rc<Shared>,
    pub registrations: RefCell<Registrations>,
    /// Whether each known clause is on.
    pub clauses: BTreeMap<Name, bool>,
    /// Those that only confirm: what cites them is made anyhow.
    pub confirming: BTreeSet<Name>,
    /// Whether registration is still open.
    pub is_open: std::cell::Cell<bool>,
    /// What is known of chapters.
    pub chapters: Chapters,
}

impl Desk {
    /// The origin of a registration.
    pub fn origin(&self, lua: &Lua, spec: Option<&Table>) -> mlua::Result<Origin> {
        self.shared.charge(lua, CHECKS_A_REGISTRATION)?;
        let place = caller(lua).unwrap_or_default();
        if !self.is_open.get() {
            let fault = Fault::new(
                FaultCode::NotAllowed,
                "expected registrations at the top level of a rules file, found one inside a rule",
            );
            return Err(self.shared.fault(lua, fault));
        }
        let cites = spec.map_or(Ok(Vec::new()), |spec| names(spec, "cites"))?;
        let stays = spec.map_or(Ok(false), |spec| flag(spec, "stays"))?;
        Ok(self.origin_of(place, cites, stays))
    }

    /// Whether a clause takes nothing away: it is on, or only confirms.
    fn holds(&self, clause: &Name) -> bool {
        self.clauses.get(clause).is_some_and(|on| *on) || self.confirming.contains(clause)
    }

    /// Whether what comes from there is in force, for something that files can
    /// count on while they are loaded: they are run again when that changes.
    pub fn is_in_force(&self, origin: &Origin) -> bool {
        origin.cites.iter().for_each(|clause| self.shared.asks(clause));
        !matches!(origin.standing(&|clause| self.holds(clause)), Standing::Gone)
    }

    /// The origin for a place and clauses that are known.
    pub fn origin_of(&self, place: Place, cites: Vec<Name>, stays: bool) -> Origin {
        for clause in cites.iter().filter(|clause| !self.clauses.contains_key(*clause)) {
            self.report(self.unknown_clause(clause).at(place.clone()));
        }
        let mentions = Rc::from([]);
        Origin { module: place.module.clone(), place, cites: cites.into(), stays, mentions }
    }

    pub fn unknown_clause(&self, clause: &str) -> Fault {
        let fault = Fault::new(FaultCode::UnknownClause, format!("no manifest lists the clause `{clause}`"));
        match kernel::world::closest(clause, self.clauses.keys().map(|name| &**name)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault.hint("list it in a group of `mod.ron`"),
        }
    }

    pub fn report(&self, fault: Fault) {
        self.registrations.borrow_mut().faults.push(fault);
    }

    /// Checks that an id is one, and the mod's own.
    pub fn own_id(&self, origin: &Origin, id: &str, word: &str) -> bool {
        let fault = if !is_id(id) {
            Fault::new(
                FaultCode::BadSignature,
                format!(
                    "expected the full id of a {word}, such as `{}.fire.{word}`, found `{id}`",
                    origin.module
                ),
            )
        } else if owner_of(id) != &*origin.module {
            Fault::new(
                FaultCode::WrongOwner,
                format!("expected the {word} `{id}` to begin with `{}.`", origin.module),
            )
            .hint("wrap or replace what another mod defines")
        } else {
            return true;
        };
        self.report(fault.at(origin.place.clone()));
        false
    }
}

pub(crate) fn names(table: &Table, field: &str) -> mlua::Result<Vec<Name>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(Vec::new()),
        LuaValue::String(one) => Ok(vec![Arc::from(&*one.to_str()?)]),
        LuaValue::Table(list) => {
            let name = |name: mlua::Result<String>| match name {
                Ok(name) => Ok(Arc::from(name)),
                Err(_) => Err(mlua::Error::runtime(format!("`{field}`: expected a list of ids"))),
            };
            list.sequence_values::<String>().map(name).collect()
        }
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected a list of ids, found {}",
            describe(&other)
        ))),
    }
}

fn text(table: &Table, field: &str) -> mlua::Result<Option<String>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::String(text) => Ok(Some(text.to_str()?.to_string())),
        other => Err(mlua::Error::runtime(format!("`{field}`: expected a text, found {}", describe(&other)))),
    }
}

fn name(table: &Table, field: &str) -> mlua::Result<Option<Name>> {
    Ok(text(table, field)?.map(Arc::from))
}

fn needed(table: &Table, field: &str, what: &str) -> mlua::Result<String> {
    text(table, field)?.ok_or_else(|| mlua::Error::runtime(format!("`{field}` is missing: {what}")))
}

fn function(table: &Table, field: &str) -> mlua::Result<Option<Function>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::Function(function) => Ok(Some(function)),
        other => {
            Err(mlua::Error::runtime(format!("`{field}`: expected a function, found {}", describe(&other))))
        }
    }
}

fn list(table: &Table, field: &str) -> mlua::Result<Option<Table>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::Table(list) => Ok(Some(list)),
        other => {
            Err(mlua::Error::runtime(format!("`{field}`: expected a table, found {}", describe(&other))))
        }
    }
}

fn flag(table: &Table, field: &str) -> mlua::Result<bool> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(false),
        LuaValue::Boolean(yes) => Ok(yes),
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected true or false, found {}",
            describe(&other)
        ))),
    }
}

/// The fields that a specification may have; anything else is a slip.
pub(crate) fn only(table: &Table, allowed: &[&str]) -> mlua::Result<()> {
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (LuaValue::String(key), _) = pair? else {
            return Err(mlua::Error::runtime("expected fields by name, found a list"));
        };
        let key = key.to_str()?;
        if !allowed.contains(&&*key) {
            let hint = match kernel::world::closest(&key, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of `{}`", allowed.join("`, `")),
            };
            return Err(mlua::Error::runtime(format!("unknown field `{key}`; {hint}")));
        }
    }
    Ok(())
}

/// The functions of `rules`, for the prelude.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, host: &Table, desk: &Rc<Desk>) -> mlua::Result<()> {
    let table = lua.create_table()?;
    add(lua, &table, desk, "define", |lua, desk, args| define(lua, desk, args, false))?;
    add(lua, &table, desk, "step", |lua, desk, args| define(lua, desk, args, true))?;
    add(lua, &table, desk, "wrap", |lua, desk, args| over(lua, desk, args, LayerKind::Wrap))?;
    add(lua, &table, desk, "replace", |lua, desk, args| over(lua, desk, args, LayerKind::Replace))?;
    add(lua, &table, desk, "action", |lua, desk, args| deed(lua, desk, args, false))?;
    add(lua, &table, desk, "reaction", |lua, desk, args| deed(lua, desk, args, true))?;
    add(lua, &table, desk, "phase", phase)?;
    add(lua, &table, desk, "remove_phase", remove_phase)?;
    add(lua, &table, desk, "window", window)?;
    add(lua, &table, desk, "event", event)?;
    add(lua, &table, desk, "record", record)?;
    add(lua, &table, desk, "on", listen)?;
    add(lua, &table, desk, "ladder", ladder)?;
    host.set("rules", table)?;
    chapters::functions(lua, host, desk)?;
    lines::functions(lua, host, desk)?;
    let desk = desk.clone();
    type Edit = (String, String, LuaValue, Option<Table>);
    let edit = move |lua: &Lua, (verb, id, rows, how): Edit| {
        let origin = desk.origin(lua, how.as_ref())?;
        desk.edit_table(verb, id, rows, origin);
        Ok(())
    };
    host.set("edit_table", lua.create_function(edit)?)
}

impl Desk {
    /// Keeps a change to a table; its rows are a list of tables, which is
    /// easily forgotten for a single one.
    fn edit_table(&self, verb: String, id: String, rows: LuaValue, origin: Origin) {
        match rows {
            LuaValue::Table(rows) if rows.raw_len() > 0 || rows.is_empty() => {
                let edit = RawEdit { table: Arc::from(id), verb, rows: RawRows::Luau(rows), origin };
                self.registrations.borrow_mut().edits.push(Rc::new(edit));
            }
            other => {
                let message = format!("expected a list of rows, found {}", describe(&other));
                let fault = Fault::new(FaultCode::BadRow, message).hint("each row is a table in that list");
                self.report(fault.at(origin.place));
            }
        }
    }
}

/// Adds a function that registers; what is wrong with its arguments is a fault.
fn add<R: mlua::IntoLuaMulti + 'static>(
    lua: &Lua,
    table: &Table,
    desk: &Rc<Desk>,
    name: &str,
    body: fn(&Lua, &Desk, mlua::MultiValue) -> mlua::Result<R>,
) -> mlua::Result<()> {
    let desk = desk.clone();
    let registering = move |lua: &Lua, args: mlua::MultiValue| {
        body(lua, &desk, args).map_err(|error| {
            if desk.shared.stop.borrow().is_some() || is_of_the_machine(&error) {
                return error;
            }
            let message = match error {
                mlua::Error::RuntimeError(message) => message,
                other => other.to_string(),
            };
            desk.shared.fault(lua, Fault::new(FaultCode::BadSignature, message))
        })
    };
    table.set(name, lua.create_function(registering)?)
}

/// Whether it is a limit, or an error that a script raised meanwhile.
fn is_of_the_machine(error: &mlua::Error) -> bool {
    matches!(error, mlua::Error::MemoryError(_) | mlua::Error::CallbackError { .. })
}

fn unpack<A: mlua::FromLuaMulti>(lua: &Lua, args: mlua::MultiValue, expected: &str) -> mlua::Result<A> {
    A::from_lua_multi(args, lua).map_err(|_| mlua::Error::runtime(format!("expected {expected}")))
}

fn define(lua: &Lua, desk: &Desk, args: mlua::MultiValue, is_step: bool) -> mlua::Result<()> {
    let expected = "an id, a table that describes the rule, and a function";
    let (id, spec, function): (String, Table, Function) = unpack(lua, args, expected)?;
    only(&spec, &["args", "returns", "effects", "stays", "cites", "doc", "reveals", "open"])?;
    let origin = desk.origin(lua, Some(&spec))?;
    if !desk.own_id(&origin, &id, "rule") {
        return Ok(());
    }
    let effects = if is_step {
        "reads draws writes asks".to_string()
    } else {
        text(&spec, "effects")?.unwrap_or_default()
    };
    let signature = RawSignature {
        rule: Arc::from(id.as_str()),
        args: text(&spec, "args")?.unwrap_or_default(),
        returns: text(&spec, "returns")?,
        effects,
        is_step,
        doc: name(&spec, "doc")?.unwrap_or_default(),
        origin: origin.clone(),
        read: OnceCell::new(),
    };
    let open = open(&spec)?;
    let mut list = desk.registrations.borrow_mut();
    if let Some(open) = open {
        let always = Origin { cites: Rc::from([]), ..origin.clone() };
        list.opened.push((signature.rule.clone(), (open, false), always));
    }
    list.signatures.push(Rc::new(signature));
    let reveals = reason(&spec)?;
    list.add_layer(RawLayer { reveals, ..base_layer(&id, origin, Body::Luau(function)) });
    Ok(())
}

/// How lines combine in a rule, if it is open for them.
fn open(spec: &Table) -> mlua::Result<Option<Open>> {
    let text = match spec.get::<LuaValue>("open")? {
        LuaValue::Nil | LuaValue::Boolean(false) => return Ok(None),
        LuaValue::Boolean(true) => String::new(),
        LuaValue::String(text) => text.to_str()?.to_string(),
        other => {
            let message = format!("`open`: expected true, or how lines combine, found {}", describe(&other));
            return Err(mlua::Error::runtime(message));
        }
    };
    match Open::read(&text) {
        Ok(open) => Ok(Some(open)),
        Err((message, _)) => Err(mlua::Error::runtime(message)),
    }
}

/// What something gives away by the rules, in words, if it says so.
fn reason(spec: &Table) -> mlua::Result<Option<Name>> {
    match name(spec, "reveals")? {
        Some(words) if words.trim().is_empty() => {
            Err(mlua::Error::runtime("`reveals`: expected a sentence that says what is revealed, found none"))
        }
        reason => Ok(reason),
    }
}

/// The audience that a word means.
pub(crate) fn share_of(what: &str, word: &str) -> Result<Share, Fault> {
    Share::from_word(word).ok_or_else(|| {
        let words = Share::WORDS;
        let message = format!("{what}, `audience`: expected one of `{}`, found `{word}`", words.join("`, `"));
        let fault = Fault::new(FaultCode::BadSignature, message);
        match kernel::world::closest(word, words.into_iter()) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault.hint("`owner` is the side that acts"),
        }
    })
}

pub(crate) fn base_layer(id: &str, origin: Origin, body: Body) -> RawLayer {
    RawLayer {
        rule: Arc::from(id),
        kind: LayerKind::Define,
        origin,
        after: Rc::from([]),
        before: Rc::from([]),
        reveals: None,
        body,
        heard: 0,
    }
}

fn over(lua: &Lua, desk: &Desk, mut args: mlua::MultiValue, kind: LayerKind) -> mlua::Result<()> {
    let expected = "the id of a rule, a table with `cites` (or nothing), and a function";
    if args.len() == 2 {
        args = [args[0].clone(), LuaValue::Nil, args[1].clone()].into_iter().collect();
    }
    let (id, spec, function): (String, Option<Table>, Function) = unpack(lua, args, expected)?;
    if let Some(spec) = &spec {
        only(spec, &["cites", "before", "after", "reveals"])?;
    }
    let origin = desk.origin(lua, spec.as_ref())?;
    let order = |field| spec.as_ref().map_or(Ok(Vec::new()), |spec| names(spec, field));
    let layer = RawLayer {
        rule: Arc::from(id),
        kind,
        origin,
        after: order("after")?.into(),
        before: order("before")?.into(),
        reveals: spec.as_ref().map_or(Ok(None), reason)?,
        body: Body::Luau(function),
        heard: 0,
    };
    desk.registrations.borrow_mut().add_layer(layer);
    Ok(())
}

/// The rules that an action or reaction brings with it, each by its own id.
pub(crate) struct DeedRules<'a> {
    pub desk: &'a Desk,
    pub id: &'a str,
    pub origin: &'a Origin,
    pub is_reaction: bool,
    /// What doing it gives away by the rules.
    pub reveals: Option<Name>,
}

impl DeedRules<'_> {
    pub fn add(&self, word: &str, more: &str, returns: Option<&str>, effects: &str, body: Body) {
        let context = if self.is_reaction { "actor: any, window: any" } else { "actor: any" };
        let rule = format!("{}.{word}", self.id);
        let mut list = self.desk.registrations.borrow_mut();
        list.signatures.push(Rc::new(RawSignature {
            rule: Arc::from(rule.as_str()),
            args: format!("{context}{more}"),
            returns: returns.map(str::to_string),
            effects: effects.to_string(),
            is_step: false,
            doc: Arc::from(""),
            origin: self.origin.clone(),
            read: OnceCell::new(),
        }));
        let reveals = self.reveals.clone().filter(|_| word == "perform");
        list.add_layer(RawLayer { reveals, ..base_layer(&rule, self.origin.clone(), body) });
    }

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
        let Some(function) = function(spec, field)? else { return Ok(None) };
        let effects = if returns.is_none() { "reads draws writes asks" } else { "" };
        self.add(word, more, returns, effects, Body::Luau(function));
        Ok(Some(self.rule(word)))
    }

    /// The rule that a function of it becomes.
    pub fn rule(&self, word: &str) -> Name {
        Name::from(format!("{}.{word}", self.id))
    }

    /// To whom something of it is told, if its table says so.
    fn share(&self, spec: &Table, what: &str) -> mlua::Result<Option<Share>> {
        let Some(word) = text(spec, "audience")? else { return Ok(None) };
        match share_of(what, &word) {
            Ok(share) => Ok(Some(share)),
            Err(fault) => {
                self.desk.report(fault.at(self.origin.place.clone()));
                Ok(None)
            }
        }
    }

    /// Adds the domain of each parameter; the parameters.
    fn params(&self, spec: &Table) -> mlua::Result<Vec<RawParam>> {
        let mut params = Vec::new();
        let Some(list) = list(spec, "params")? else { return Ok(params) };
        for param in list.sequence_values::<Table>() {
            let param = param
                .map_err(|_| mlua::Error::runtime("`params`: expected a list of tables, one a parameter"))?;
            only(&param, &["name", "title", "type", "domain", "audience", "reveals"])?;
            let word = needed(&param, "name", "the name of the parameter")?;
            let ty = text(&param, "type")?.unwrap_or_else(|| "any".into());
            let returns = format!("domain {ty}");
            let domain = self.member(&param, ["domain", &word], ", params: any", Some(&returns));
            let domain = domain.ok().flatten().ok_or_else(|| {
                mlua::Error::runtime(format!("parameter `{word}`: `domain` must be a function"))
            })?;
            let title = text(&param, "title")?.unwrap_or_else(|| word.clone());
            let share = self.share(&param, &format!("parameter `{word}`"))?;
            params.push(RawParam { name: word, title, ty, domain, share, reveals: reason(&param)? });
        }
        Ok(params)
    }
}

fn deed(lua: &Lua, desk: &Desk, args: mlua::MultiValue, is_reaction: bool) -> mlua::Result<()> {
    let spec: Table = unpack(lua, args, "a table")?;
    let place = if is_reaction { "at" } else { "phase" };
    only(
        &spec,
        &[
            "id",
            "title",
            place,
            "actor",
            "cites",
            "compulsory",
            "told",
            "allowed",
            "params",
            "perform",
            "score",
            "doc",
            "audience",
            "reveals",
        ],
    )?;
    let origin = desk.origin(lua, Some(&spec))?;
    let id = needed(&spec, "id", "the full id")?;
    if !desk.own_id(&origin, &id, if is_reaction { "reaction" } else { "action" }) {
        return Ok(());
    }
    let at = names(&spec, place)?;
    if at.is_empty() {
        let what =
            if is_reaction { "the window in which it can be taken" } else { "the phase, or a list of them" };
        return Err(mlua::Error::runtime(format!("`{place}` is missing: {what}")));
    }
    let rules = DeedRules { desk, id: &id, origin: &origin, is_reaction, reveals: reason(&spec)? };
    let allowed = rules.member(&spec, ["allowed"; 2], "", Some("verdict"))?;
    let score = rules.member(&spec, ["score"; 2], ", params: any", Some("integer"))?;
    let params = rules.params(&spec)?;
    let perform = rules
        .member(&spec, ["perform"; 2], ", params: any", None)?
        .ok_or_else(|| mlua::Error::runtime("`perform` is missing: the function that does it"))?;
    let raw = RawDeed {
        title: text(&spec, "title")?.unwrap_or_else(|| id.clone()),
        at,
        is_reaction,
        actor: name(&spec, "actor")?,
        params,
        allowed,
        perform,
        score,
        is_compulsory: flag(&spec, "compulsory")?,
        is_told: flag(&spec, "told")?,
        share: rules.share(&spec, &format!("`{id}`"))?,
        origin: origin.clone(),
        id: Arc::from(id.as_str()),
    };
    desk.registrations.borrow_mut().deeds.push(Rc::new(raw));
    Ok(())
}

fn phase(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<()> {
    let spec: Table = unpack(lua, args, "a table")?;
    only(
        &spec,
        &[
            "id",
            "title",
            "root",
            "announced",
            "before",
            "after",
            "around",
            "cites",
            "sequence",
            "loop",
            "ends",
            "automatic",
            "acts",
            "reveals",
        ],
    )?;
    let origin = desk.origin(lua, Some(&spec))?;
    let id = needed(&spec, "id", "the full id")?;
    if !desk.own_id(&origin, &id, "phase") {
        return Ok(());
    }
    let body = body(desk, &spec, &id, &origin)?;
    let raw = RawPhase {
        title: text(&spec, "title")?.unwrap_or_else(|| id.clone()),
        body,
        is_root: flag(&spec, "root")?,
        is_announced: flag(&spec, "announced")?,
        beside: beside(&spec)?,
        origin,
        id: Arc::from(id),
    };
    desk.registrations.borrow_mut().phases.push(Rc::new(raw));
    Ok(())
}

fn beside(spec: &Table) -> mlua::Result<Option<Beside>> {
    let said = [
        name(spec, "before")?.map(Beside::Before),
        name(spec, "after")?.map(Beside::After),
        name(spec, "around")?.map(Beside::Around),
    ];
    let mut said = said.into_iter().flatten();
    match (said.next(), said.next()) {
        (_, Some(_)) => {
            Err(mlua::Error::runtime("expected one of `before`, `after` and `around`, found several"))
        }
        (beside, None) => Ok(beside),
    }
}

fn body(desk: &Desk, spec: &Table, id: &str, origin: &Origin) -> mlua::Result<RawBody> {
    if let LuaValue::String(rule) = spec.get::<LuaValue>("automatic")? {
        return Ok(RawBody::Automatic(Name::from(&*rule.to_str()?)));
    }
    if let Some(function) = function(spec, "automatic")? {
        return Ok(RawBody::Automatic(desk.automatic(id, origin, Body::Luau(function), reason(spec)?)));
    }
    if let Some(acts) = list(spec, "acts")? {
        return Ok(RawBody::Acts(acts_of(&acts)?));
    }
    let inner = names(spec, "loop")?;
    if !inner.is_empty() {
        return Ok(RawBody::Loop(inner, name(spec, "ends")?));
    }
    Ok(RawBody::Sequence(names(spec, "sequence")?))
}

impl Desk {
    /// Keeps the rule of a phase that no player starts; its id.
    pub fn automatic(&self, id: &str, origin: &Origin, body: Body, reveals: Option<Name>) -> Name {
        let rule = format!("{id}.run");
        let mut list = self.registrations.borrow_mut();
        list.signatures.push(Rc::new(RawSignature {
            rule: Arc::from(rule.as_str()),
            args: String::new(),
            returns: None,
            effects: "reads draws writes asks".into(),
            is_step: false,
            doc: Arc::from(""),
            origin: origin.clone(),
            read: OnceCell::new(),
        }));
        list.add_layer(RawLayer { reveals, ..base_layer(&rule, origin.clone(), body) });
        Name::from(rule)
    }

    /// Keeps a listener.
    pub fn listener(&self, event: &str, origin: Origin, body: Body, reveals: Option<Name>) {
        let mut list = self.registrations.borrow_mut();
        let is_like =
            |(other, _, from): &&(Name, Name, Origin)| **other == *event && from.module == origin.module;
        let count = list.listeners.iter().filter(is_like).count() + 1;
        let rule: Name =
            Arc::from(format!("{}{}-{count}", crate::rulebook::listener_prefix(event), origin.module));
        list.signatures.push(Rc::new(RawSignature {
            rule: rule.clone(),
            args: "event: any".into(),
            returns: None,
            effects: "reads draws writes asks".into(),
            is_step: true,
            doc: format!("listens to `{event}`").into(),
            origin: origin.clone(),
            read: OnceCell::new(),
        }));
        list.add_layer(RawLayer { reveals, ..base_layer(&rule, origin.clone(), body) });
        list.listeners.push((Arc::from(event), rule, origin));
    }
}

fn acts_of(acts: &Table) -> mlua::Result<Acts> {
    only(acts, &["order", "first", "may_pass", "may_end", "ends", "ends_when_idle"])?;
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
    })
}

fn remove_phase(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<()> {
    let (id, spec): (String, Option<Table>) = unpack(lua, args, "the id of a phase")?;
    let origin = desk.origin(lua, spec.as_ref())?;
    desk.registrations.borrow_mut().removed_phases.push((Arc::from(id), origin));
    Ok(())
}

fn window(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<()> {
    let spec: Table = unpack(lua, args, "a table")?;
    only(&spec, &["id", "carries", "order", "uniform", "cites", "stays"])?;
    let origin = desk.origin(lua, Some(&spec))?;
    let id = needed(&spec, "id", "the full id")?;
    if !desk.own_id(&origin, &id, "window") {
        return Ok(());
    }
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
        carries: text(&spec, "carries")?.unwrap_or_default(),
        order,
        is_uniform: flag(&spec, "uniform")?,
        origin,
    };
    desk.registrations.borrow_mut().windows.push(Rc::new(raw));
    Ok(())
}

fn event(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<()> {
    let spec: Table = unpack(lua, args, "a table")?;
    let own = ["id", "heading", "text", "fields", "cites", "stays", "reveals"];
    only(&spec, &[&own[..], &RawBrief::MEMBERS[..]].concat())?;
    let origin = desk.origin(lua, Some(&spec))?;
    let id = needed(&spec, "id", "the full id")?;
    if !desk.own_id(&origin, &id, "event") {
        return Ok(());
    }
    let raw = RawEvent {
        id: Arc::from(id),
        fields: text(&spec, "fields")?.unwrap_or_default(),
        text: text(&spec, "text")?.unwrap_or_default(),
        heading: text(&spec, "heading")?.unwrap_or_default(),
        reveals: reason(&spec)?,
        brief: brief(&spec)?,
        origin,
    };
    desk.registrations.borrow_mut().events.push(Rc::new(raw));
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

fn record(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<()> {
    let (id, fields): (String, String) = unpack(lua, args, "an id and the fields as a text")?;
    let origin = desk.origin(lua, None)?;
    if desk.own_id(&origin, &id, "record") {
        desk.registrations.borrow_mut().records.push((Arc::from(id), fields, origin));
    }
    Ok(())
}

/// Checks a ladder of dice; whether it is in force, so that dice can step on it
/// at once.
fn ladder(lua: &Lua, desk: &Desk, args: mlua::MultiValue) -> mlua::Result<bool> {
    let (id, spec): (String, Table) = unpack(lua, args, "an id and a table with `steps`")?;
    only(&spec, &["steps", "bottom", "top", "cites"])?;
    let origin = desk.origin(lua, Some(&spec))?;
    if !desk.own_id(&origin, &id, "ladder") || !desk.is_in_force(&origin) {
        return Ok(false);
    }
    let steps: Vec<u16> = spec
        .get::<Table>("steps")
        .and_then(|steps| steps.sequence_values().collect())
        .map_err(|_| mlua::Error::runtime("`steps`: expected the sides of each die, from worst to best"))?;
    let end = |field: &str| -> mlua::Result<End> {
        match text(&spec, field)?.as_deref() {
            None | Some("stop") => Ok(End::Stop),
            Some("refuse") => Ok(End::Refuse),
            Some("convert") => Ok(End::Convert),
            Some(other) => Err(mlua::Error::runtime(format!(
                "`{field}`: expected stop, refuse or convert, found `{other}`"
            ))),
        }
    };
    let ladder = Ladder::new(steps, end("bottom")?, end("top")?)
        .map_err(|error| mlua::Error::runtime(format!("`steps`: {error}")))?;
    let id: Name = Arc::from(id);
    desk.shared.ladders.borrow_mut().push((id.clone(), ladder));
    desk.registrations.borrow_mut().ladders.push((id, origin));
    Ok(true)
}

fn listen(lua: &Lua, desk: &Desk, mut args: mlua::MultiValue) -> mlua::Result<()> {
    if args.len() == 2 {
        args = [args[0].clone(), LuaValue::Nil, args[1].clone()].into_iter().collect();
    }
    let expected = "the id of an event, a table with `cites` (or nothing), and a function";
    let (event, spec, function): (String, Option<Table>, Function) = unpack(lua, args, expected)?;
    let origin = desk.origin(lua, spec.as_ref())?;
    desk.listener(&event, origin, Body::Luau(function), spec.as_ref().map_or(Ok(None), reason)?);
    Ok(())
}
