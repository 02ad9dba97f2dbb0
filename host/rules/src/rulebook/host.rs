//! What a rulebook asks of those who run rules: a host of scripts, which binds
//! and calls them all, and whoever knows all languages that rules are written in.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::Fault;
use kernel::game::Game;
use kernel::rules::Stop;
use kernel::value::{Name, Value};

use crate::data::table::{Cells, Table};
use crate::hosting::Running;
use crate::hosting::registry::Layer;
use crate::hosting::rows::ScriptRow;
use crate::registration::{Registrar, Registrations};
use crate::rulebook::{RuleEntries, Tables};

/// More arguments than this a rule cannot have.
pub const MOST_ARGUMENTS: usize = 8;

/// A type as signatures write it, or what is wrong with it and a hint.
pub type WrittenType = Result<String, (String, Option<String>)>;

/// A type that a file exports: its mod, its name, and what it is.
pub type ExportedType = (Name, String, WrittenType);

/// A file of rules as it is now, which was loaded as it was before.
#[derive(Clone, Copy)]
pub struct SavedFile<'a> {
    /// Its mod.
    pub module: &'a Name,
    /// Its path in the mod.
    pub path: &'a str,
    /// What it says now.
    pub text: &'a Arc<str>,
}

/// Files of rules, by mod and path.
pub type RulesFiles = BTreeSet<(Name, Name)>;

/// Makes what rules run in.
pub trait Languages: Sync {
    /// A machine for scripts of mods with these clauses (on or off), those of
    /// them that only confirm, and options.
    ///
    /// # Errors
    /// When it cannot be set up.
    fn scripts(
        &self,
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<Box<dyn ScriptHost>, Fault>;

    /// Lets a component of a mod register.
    ///
    /// # Errors
    /// When it is none, or what ended it.
    fn run_component(
        &self,
        host: &dyn ScriptHost,
        module: &Name,
        path: &str,
        bytes: &[u8],
    ) -> Result<(), Fault>;
}

/// A machine for scripts, in which composed rules are bound and called,
/// whatever their layers are written in.
pub trait ScriptHost: Any {
    /// What everything that runs rules shares.
    fn running(&self) -> &Rc<Running>;

    /// Who checks and keeps what is registered.
    fn registrar(&self) -> &Rc<Registrar>;

    /// Files that will be made known and run soon: what can be read of their
    /// texts alone may be read now, on all cores.
    fn look_ahead(&self, _sources: &[&Arc<str>]) {}

    /// Makes a file known, so that it can be loaded or required.
    fn add_file(&self, module: &Name, path: &str, source: &Arc<str>, is_exported: bool);

    /// Makes known on which mods one stands, and what its data declare: what it
    /// is, and its id.
    fn introduce(&self, module: &Name, depends: &[&Name], data: &[(&'static str, &Name)]);

    /// Runs a file: a rules file registers.
    ///
    /// # Errors
    /// A fault with its place in the file.
    fn run_file(&self, module: &Name, path: &str) -> Result<(), Fault>;

    /// Types that files export, for the signatures of all mods.
    fn exported_types(&self) -> Vec<ExportedType>;

    /// Ends registration and hands over what was registered; whether all files
    /// came to their end.
    fn close(&self, is_whole: bool) -> Rc<Registrations>;

    /// Freezes all that registered functions can reach, when all files of the
    /// mods have been loaded.
    ///
    /// # Errors
    /// Functions among it that keep something between two calls.
    fn freeze(&self, registrations: &Registrations) -> Result<(), Vec<Fault>>;

    /// Makes the host ready for another selection of the same mods; the
    /// rules are to be bound again. What files asked while they were loaded
    /// must be the same there: see [`Running::asked`].
    ///
    /// # Errors
    /// When the machine has no memory for it.
    fn reselect(
        &self,
        clauses: &BTreeMap<Name, bool>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<(), Fault>;

    /// Opens registration for files that were saved: gives them and those that
    /// required them, by mod and path, which are to be run again. `None` where
    /// they declare something else than before, on which other files count: then
    /// the host is of no more use.
    fn reopen(&self, saved: &[SavedFile<'_>]) -> Option<RulesFiles>;

    /// Binds composed rules: from now on these can be called, and no others.
    /// Those that are bound already as they shall be stay as they are.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    fn bind(&mut self, rules: &RuleEntries) -> Result<(), Fault>;

    /// The cells of rows that a script gave for a table, or what is wrong with
    /// a row.
    fn cells(&self, rows: &dyn Any, table: &Table) -> Vec<Result<Cells, Fault>>;

    /// Puts tables in place; those that are there already as they shall be stay
    /// as they are.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    fn set_tables(&self, tables: &Tables, there: &Tables) -> Result<(), Fault>;

    /// Gives a table other rows.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    fn set_rows(&self, id: &Name, rows: &[ScriptRow]) -> Result<(), Fault>;

    /// Calls a rule over a game.
    ///
    /// # Errors
    /// As [`kernel::rules::Rules::call`].
    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop>;

    /// The innermost function that gave the reason for which a rule that only
    /// reads said no. The rule runs once more for it, and is noted.
    fn layer_of_reason(
        &self,
        game: &mut Game,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Layer>;

    /// Notes from now on which rules, clauses and rows are reached, lookups that
    /// find nothing too, and all rows of a table as one.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    fn start_reaching(&self) -> Result<(), Fault>;

    /// Notes no longer what is reached, and gives all that was.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    fn stop_reaching(&self) -> Result<Marks, Fault>;

    /// The answers of rules that only read.
    fn answers(&self) -> &dyn AnswerCache;
}

/// Answers of rules that only read, as they are kept: none of this changes what
/// rules give.
pub trait AnswerCache {
    /// Whether they are kept from now on.
    fn keep(&self, is_on: bool);

    /// Forgets all of them, between two requests.
    fn forget(&self);

    /// Forgets all of them about every so many requests, or never.
    fn drop_often(&self, every: Option<u64>);

    /// Counts from now on, or counts no longer.
    fn count(&self, is_on: bool);

    /// What was counted.
    fn counts(&self) -> AnswerCounts;

    /// How many are kept.
    fn kept(&self) -> usize;
}

/// How many calls there were of rules that only read, and how many of them were
/// answered without running them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnswerCounts {
    /// Calls, as far as they are counted.
    pub calls: u64,
    /// Those that met an answer that was kept.
    pub hits: u64,
}

/// What was reached while that was noted, each by its mark, once.
pub type Marks = Vec<Box<[u8]>>;
