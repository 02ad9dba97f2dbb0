//! The Luau machine with its rules: from the files of mods to a call from the
//! kernel.
//!
//! Read [`LuaHost`], `setup`, `binding` and `folding` (rules as functions),
//! `calling` (the kernel calls one), `again` (files that were saved), `tables` and
//! `chapters` (what files look up), `frozen`, `results`; `noting` and `reaching` are for
//! those who ask why.

mod again;
mod binding;
mod calling;
mod chapters;
mod folding;
mod frozen;
mod noting;
mod reaching;
mod results;
mod setup;
mod tables;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};

use kernel::error::{Fault, FaultCode, Place};
use kernel::game::Game;
use kernel::rules::Stop;
use kernel::value::{Name, Value, owner_of};
use mlua::{Function, Lua, Table, Thread, Value as LuaValue};
use rustc_hash::FxHashMap;

use crate::answers::{self, Entrance};
use crate::chain::Outside;
use crate::headers::RESERVED;
use crate::layer::LayerShape;
use crate::load;
use crate::registrar::ScriptRegistrar;
use crate::texts::{self, TextCache};
use crate::values::to_lua;
use crate::vm::{Shared, fault_of, fresh, limited};
use binding::Bound;
use rules::data::table::{Cells, Table as DataTable};
use rules::hosting::Running;
use rules::hosting::registry::Layer;
use rules::hosting::rows::ScriptRow;
use rules::limits::BUDGET;
use rules::registration::{Registrar, Registrations};
use rules::rulebook::host::{AnswerCache, ExportedType, Marks, RulesFiles, SavedFile, ScriptHost};
use rules::rulebook::{RuleEntries, Tables};

/// What a rule has given back.
enum Returned {
    /// A value of its type.
    Typed(Value),
    /// What a script gave.
    Luau(LuaValue, LuaValue),
}

/// The Luau machine with its rules.
pub struct LuaHost {
    lua: Lua,
    entrance: Entrance,
    shared: Rc<Shared>,
    registrar: Rc<ScriptRegistrar>,
    /// What others call it by.
    _outside: Rc<Outside>,
    prelude: Table,
    bound: FxHashMap<Name, Bound>,
    /// Whether names are still to be filled with the rules that are bound.
    is_unfilled: Cell<bool>,
    builders: FxHashMap<String, Function>,
    layer_builders: FxHashMap<LayerShape, Function>,
    bad_values: Option<(Function, Function)>,
    threads: RefCell<Vec<Thread>>,
    files: Rc<load::ScriptFiles>,
    noting: Function,
    is_left_open: bool,
    /// What the functions that keep answers are made of.
    tables: answers::AnswerTables,
    numbers: FxHashMap<Name, u32>,
    /// The lines of rules that are bound: their numbers and their addresses.
    columns: FxHashMap<Name, Vec<(u32, usize)>>,
    /// Keeps what was read of texts once all rules are bound, in the first
    /// machine of a process.
    keeping: Option<TextCache>,
}

impl LuaHost {
    /// A machine for mods with these clauses (on or off), those of them that
    /// only confirm, and options.
    ///
    /// # Errors
    /// When the machine cannot be set up.
    pub fn new(
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<LuaHost, Fault> {
        LuaHost::set_up(clauses, confirming, options).map_err(|error| {
            Fault::new(
                FaultCode::Script,
                format!("the machine cannot be set up: {error}"),
            )
        })
    }

    fn set_up(
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> mlua::Result<LuaHost> {
        let keeping = TextCache::open(&clauses.keys().map(|clause| owner_of(clause)).collect());
        let shared = fresh();
        let registrar = Rc::new(Registrar {
            shared: shared.running.clone(),
            registrations: RefCell::default(),
            clauses,
            confirming,
            is_open: Cell::new(true),
        });
        let registrar = Rc::new(ScriptRegistrar::new(shared.clone(), registrar));
        let (lua, prelude, shown) = setup::machine(&shared, &registrar)?;
        let outside = Rc::new(Outside {
            lua: lua.clone(),
            shared: shared.clone(),
        });
        let others: Weak<Outside> = Rc::downgrade(&outside);
        shared.attach_scripts(others);
        let modules: Table = prelude.get("modules")?;
        let files = Rc::new(load::ScriptFiles::new(
            modules,
            prelude.get("loading")?,
            registrar.clone(),
        ));
        let noting: Function = prelude.get("noting")?;
        let tables = answers::machine_functions(&lua, &shared, prelude.get("differs")?)?;
        let metatables = shared.tables()?;
        let entrance = Entrance::of(
            &lua,
            &shared,
            (&metatables.point, &metatables.hex, &shown),
            (&prelude.get("game")?, &tables.placed, &tables.texts),
        )?;
        let host = LuaHost {
            noting,
            lua,
            entrance,
            shared,
            registrar,
            _outside: outside,
            prelude,
            bound: FxHashMap::default(),
            is_unfilled: Cell::new(true),
            builders: FxHashMap::default(),
            layer_builders: FxHashMap::default(),
            bad_values: None,
            threads: RefCell::default(),
            files,
            is_left_open: false,
            tables,
            numbers: FxHashMap::default(),
            columns: FxHashMap::default(),
            keeping,
        };
        host.offer_chapters(options.keys())?;
        host.select(&host.registrar.clauses, options)?;
        Ok(host)
    }

    /// Tells the machine which clauses are on, and every option.
    fn select(
        &self,
        clauses: &BTreeMap<Name, bool>,
        options: &BTreeMap<Name, Value>,
    ) -> mlua::Result<()> {
        let active: Table = self.prelude.get("active")?;
        for (clause, is_on) in clauses {
            active.set(&**clause, *is_on)?;
        }
        let tables = self.shared.tables()?;
        let list: Table = self.prelude.get("options")?;
        for (option, value) in options {
            list.set(&**option, to_lua(&self.lua, &tables, value)?)?;
        }
        let mut known = self.shared.known.borrow_mut();
        known.insert("clause", clauses.keys().cloned().collect());
        known.insert("option", options.keys().cloned().collect());
        *self.shared.clauses.borrow_mut() = clauses.clone();
        *self.shared.options.borrow_mut() = options.clone();
        Ok(())
    }

    /// Makes the machine ready for another selection of the same mods; the
    /// rules are to be bound again. What files asked while they were loaded
    /// must be the same there: see [`LuaHost::asked`].
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn reselect(
        &self,
        clauses: &BTreeMap<Name, bool>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<(), Fault> {
        self.shared.answers.clear();
        self.shared.recorder.want(false);
        self.shared.clear_instances();
        self.select(clauses, options)
            .map_err(|error| fault_of(&error))
    }

    /// Freezes nothing that files have made, for whoever wants to see that what
    /// scripts keep between two calls is found in other ways too.
    pub fn leave_open(&mut self) {
        self.is_left_open = true;
    }

    /// The machine, for the test runner's own functions.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// What running functions share, for the test runner.
    pub fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    /// The `game` handle that rules get.
    ///
    /// # Errors
    /// Never, once the machine is set up.
    pub fn game_handle(&self) -> mlua::Result<Table> {
        self.prelude.get("game")
    }

    /// Adds a module that files may `require`, such as `test`.
    pub fn add_module(&self, name: &str, module: Table) -> mlua::Result<()> {
        self.files.add_module(name, module)
    }

    /// Makes a file known, so that it can be loaded or required.
    pub fn add_file(
        &self,
        module: &Name,
        path: &str,
        source: &std::sync::Arc<str>,
        is_exported: bool,
    ) {
        self.registrar
            .chapters
            .read_headers(&self.registrar, module, path, source);
        self.files.add(module, path, source, is_exported);
    }

    /// Runs a file: a rules file registers, a test file lists its cases.
    ///
    /// # Errors
    /// A fault with its place in the file.
    pub fn run_file(&self, module: &Name, path: &str) -> Result<(), Fault> {
        self.shared.stop.borrow_mut().take();
        self.shared.budget.set(BUDGET);
        self.shared.budget.set_parts(0);
        self.shared.met(true);
        let _request = self.shared.running.request();
        let outcome = self.files.run(&self.lua, &self.shared, module, path);
        match (self.shared.stop.borrow_mut().take(), outcome) {
            (Some(Stop::Fault(fault)), _) => Err(fault),
            (_, Err(error)) => {
                let fault = self
                    .shared
                    .fault_of(&error)
                    .at(Place::new(&**module, path, 0));
                Err(self.with_name(module, self.files.with_meaning(fault)))
            }
            _ => Ok(()),
        }
    }

    /// With what was meant by a name that stands for nothing, if the line has one.
    fn with_name(&self, module: &Name, fault: Fault) -> Fault {
        if fault.message == "attempt to modify a readonly table" {
            return self.with_taken_name(fault);
        }
        if let Some(member) = fault
            .message
            .strip_prefix("attempt to index function with '")
        {
            let member = member.trim_end_matches('\'').to_string();
            return self.with_member(&member, fault);
        }
        let Some(member) = fault.message.strip_prefix("attempt to index nil with '") else {
            return fault;
        };
        let member = member.trim_end_matches('\'').to_string();
        let line = fault
            .place
            .as_ref()
            .and_then(|place| self.files.line(place));
        let owner = line.as_deref().and_then(|line| owner_in(line, &member));
        match owner
            .and_then(|owner| Some((owner, self.registrar.chapters.near_name(module, owner)?)))
        {
            Some((owner, near)) if near != owner => {
                fault.hint(format!("did you mean `{near}.{member}`?"))
            }
            _ => match owner.filter(|_| RESERVED.contains(&&*member)) {
                Some(owner) => fault.hint(format!(
                    "a file has the names of the mods that `mod.ron` depends on: `depends: [(\"{owner}\", \"^0.1\")]`"
                )),
                None => fault,
            },
        }
    }

    /// With the chapter that a line gives something to, if every file has that name for something else.
    fn with_taken_name(&self, fault: Fault) -> Fault {
        let place = fault.place.clone();
        let line = place.as_ref().and_then(|place| self.files.line(place));
        let (Some(place), Some((taken, name))) = (place, line.as_deref().and_then(taken_in)) else {
            let bare = line.as_deref().and_then(bare_in).map(str::to_string);
            return bare.map_or(fault.clone(), |name| without_local(&name, &fault));
        };
        let message = format!(
            "`{taken}.{name}`: expected a chapter of the mod, found `{taken}`, which every file has for something else"
        );
        Fault::new(FaultCode::BadSignature, message)
            .hint(format!(
                "call the group `{taken}` otherwise, and with it its clauses and its file"
            ))
            .at(place)
    }

    /// With the name of a rule of an action or a phase, where the line says its id:
    /// the last dot of that is `_` in a name.
    fn with_member(&self, member: &str, fault: Fault) -> Fault {
        let line = fault
            .place
            .as_ref()
            .and_then(|place| self.files.line(place));
        let path = line.as_deref().and_then(|line| path_in(line, member));
        let registrations = self.registrar.registrations.borrow();
        let mut rules = registrations.signatures.iter().map(|raw| &raw.rule);
        match path {
            Some(path) if rules.any(|rule| rule.replace('-', "_").ends_with(path)) => {
                let owner = &path[..path.len() - member.len() - 1];
                fault.hint(format!("in Luau it is called `{owner}_{member}`"))
            }
            _ => fault,
        }
    }

    /// The machine of a rulebook, if it is one of these.
    pub fn of(host: &dyn ScriptHost) -> Option<&LuaHost> {
        let host: &dyn Any = host;
        host.downcast_ref()
    }

    /// Runs the function of a case over the game that it sets up.
    ///
    /// # Errors
    /// What the case found wrong, or a fault of the rules.
    pub fn run_case(&self, function: &Function, t: Table) -> Result<(), Fault> {
        // What an earlier case has scripted and not used is not for this one.
        let mut game = Game::empty();
        let lending = self
            .shared
            .lend(Some(&mut self.shared.game.borrow_mut()), &mut game, false);
        *self.shared.game.borrow_mut() = game;
        self.shared.stop.borrow_mut().take();
        self.shared.budget.set(BUDGET);
        self.shared.met(true);
        let was_running = self.shared.is_running.replace(true);
        if !was_running {
            self.shared.kept.borrow_mut().tidy();
        }
        let _clock = self.shared.running.clock();
        let outcome = limited(&self.lua, || function.call::<()>(t));
        self.shared.is_running.set(was_running);
        self.shared
            .take_back(&lending, &mut self.shared.game.borrow_mut(), None);
        match (self.shared.stop.borrow_mut().take(), outcome) {
            (Some(Stop::Fault(fault)), _) => Err(fault),
            (Some(Stop::Asked), _) => Err(Fault::new(
                FaultCode::BadCase,
                "expected an answer at hand (`t:answer`) for a rule that is called directly, found none",
            )),
            (None, Err(error)) => Err(self.shared.fault_of(&error)),
            (None, Ok(())) => Ok(()),
        }
    }

    /// Takes the game that was lent to the machine back, or lends it.
    pub fn swap_game(&self, game: &mut Game) {
        self.shared.swap_game(game);
    }
}

impl ScriptHost for LuaHost {
    fn running(&self) -> &Rc<Running> {
        &self.shared.running
    }

    fn registrar(&self) -> &Rc<Registrar> {
        &self.registrar.common
    }

    fn look_ahead(&self, sources: &[&std::sync::Arc<str>]) {
        texts::look_ahead(sources);
    }

    fn add_file(&self, module: &Name, path: &str, source: &std::sync::Arc<str>, is_exported: bool) {
        LuaHost::add_file(self, module, path, source, is_exported);
    }

    fn introduce(&self, module: &Name, depends: &[&Name], data: &[(&'static str, &Name)]) {
        self.registrar.chapters.introduce(module, depends, data);
    }

    fn run_file(&self, module: &Name, path: &str) -> Result<(), Fault> {
        LuaHost::run_file(self, module, path)
    }

    fn exported_types(&self) -> Vec<ExportedType> {
        self.registrar.chapters.exported()
    }

    fn close(&self, is_whole: bool) -> Rc<Registrations> {
        self.seal_chapters(is_whole);
        self.registrar.common.close()
    }

    fn freeze(&self, registrations: &Registrations) -> Result<(), Vec<Fault>> {
        LuaHost::freeze(self, registrations)
    }

    fn reselect(
        &self,
        clauses: &BTreeMap<Name, bool>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<(), Fault> {
        LuaHost::reselect(self, clauses, options)
    }

    fn reopen(&self, saved: &[SavedFile<'_>]) -> Option<RulesFiles> {
        LuaHost::reopen(self, saved)
    }

    fn bind(&mut self, rules: &RuleEntries) -> Result<(), Fault> {
        LuaHost::bind(self, rules)?;
        self.keeping.take().into_iter().for_each(TextCache::close);
        Ok(())
    }

    fn cells(&self, rows: &dyn Any, table: &DataTable) -> Vec<Result<Cells, Fault>> {
        self.cells_of(rows, table)
    }

    fn set_tables(&self, tables: &Tables, there: &Tables) -> Result<(), Fault> {
        LuaHost::set_tables(self, tables, there)
    }

    fn set_rows(&self, id: &Name, rows: &[ScriptRow]) -> Result<(), Fault> {
        LuaHost::set_rows(self, id, rows)
    }

    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop> {
        LuaHost::call(self, game, rule, args)
    }

    fn layer_of_reason(
        &self,
        game: &mut Game,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Layer> {
        LuaHost::layer_of_reason(self, game, rule, args, reason)
    }

    fn start_reaching(&self) -> Result<(), Fault> {
        self.start_noting_reach()
    }

    fn stop_reaching(&self) -> Result<Marks, Fault> {
        self.end_reaching().map_err(|error| fault_of(&error))
    }

    fn answers(&self) -> &dyn AnswerCache {
        &self.shared.answers
    }
}

/// The whole of a name with dots that ends with a member.
fn path_in<'a>(line: &'a str, member: &str) -> Option<&'a str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    line.match_indices(member).find_map(|(at, _)| {
        let before = line[..at].strip_suffix('.')?;
        let start = before.rfind(|c| !is_part(c)).map_or(0, |place| place + 1);
        (start < before.len()).then(|| &line[start..at + member.len()])
    })
}

/// What a line gives to a name that every file has, and that name: `function events.winter(`, `list.order = `.
fn taken_in(line: &str) -> Option<(&str, &str)> {
    const MODULES: [&str; 5] = ["rules", "ask", "domain", "list", "test"];
    // Behind what is declared in front of the file.
    let line = line.rsplit("]]").next()?;
    let line = line.strip_prefix("function ").unwrap_or(line);
    let (owner, rest) = line.split_once('.')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let is_taken = RESERVED.contains(&owner) || MODULES.contains(&owner);
    (is_taken && end > 0).then(|| (owner, &rest[..end]))
}

/// A name that a file gives something to and has not declared.
fn without_local(name: &str, fault: &Fault) -> Fault {
    let message =
        format!("`{name}`: expected `local`, or a chapter before the name, found neither");
    let said = Fault::new(FaultCode::BadSignature, message).hint(
        "what this file alone uses is `local`; a rule stands in its chapter: `function fire.die`",
    );
    fault
        .place
        .iter()
        .fold(said, |said, place| said.at(place.clone()))
}

/// What a line gives something to without a chapter and without `local`: `function winter(`,
/// `LIMIT = `.
fn bare_in(line: &str) -> Option<&str> {
    let line = line.rsplit("]]").next()?;
    let (line, is_function) = match line.strip_prefix("function ") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let is_given = match is_function {
        true => rest.starts_with(['(', '<']),
        false => rest.starts_with('=') && !rest.starts_with("=="),
    };
    (is_given && !name.is_empty()).then_some(name)
}

/// The name in a line whose member is looked up, if it is no member itself.
fn owner_in<'a>(line: &'a str, member: &str) -> Option<&'a str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(member).find_map(|(at, _)| {
        let before = line[..at].strip_suffix('.')?;
        let start = before.rfind(|c| !is_letter(c)).map_or(0, |place| place + 1);
        (!before[..start].ends_with(['.', ':']) && start < before.len()).then(|| &before[start..])
    })
}
