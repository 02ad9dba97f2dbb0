//! The composed rulebook: everything that the chosen mods say, in order.

mod citations;
pub mod compose;
pub mod host;

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::book::Book;
use kernel::error::Place;
use kernel::game::{Effects, Game};
use kernel::rules::{Rules, Stop};
use kernel::value::{Name, Value, is_id};

use crate::data::amended::MixChanges;
use crate::data::table::Table;
use crate::data::template::EntityTemplate;
pub use crate::hosting::registry::{LayerKind, Returns, Signature};

use crate::hosting::Running;
use crate::hosting::registry::{Layer, LayerBody};
use crate::hosting::rows::script_rows;
use crate::lines::{Law, LineWords, Verb};
use crate::registration::Registrations;
use crate::rulebook::citations::Citations;
use crate::rulebook::compose::Recipe;
use crate::rulebook::host::{AnswerCounts, ScriptHost};
use crate::trace::StepTrace;
use crate::types::Records;

/// One function of a rule, as the rulebook prints it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerEntry {
    /// How it takes its place.
    pub kind: LayerKind,
    /// The mod.
    pub module: Name,
    /// Where it is written.
    pub place: Place,
    /// The clauses that it carries out.
    pub cites: Vec<Name>,
    /// What it does, where it is a line of a rule.
    pub line: Option<(Verb, LineWords)>,
}

/// A rule, as the rulebook prints it.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// Its id.
    pub id: Name,
    /// What it takes, gives and does.
    pub signature: Signature,
    /// Whether what it gives is why not, and no text like any.
    pub is_reason: bool,
    /// One sentence.
    pub doc: Name,
    /// Where it is defined.
    pub place: Place,
    /// Its functions that count, innermost first.
    pub layers: Vec<LayerEntry>,
    /// What runs for it: its definition (or what replaced it), then the wraps,
    /// innermost first; all its lines are one of them.
    pub functions: Vec<Layer>,
}

/// A composed rulebook that can be played by.
pub struct Rulebook {
    book: Arc<Book>,
    host: Box<dyn ScriptHost>,
    rules: RuleEntries,
    tables: Tables,
    templates: Rc<Templates>,
    /// Who changed pots and decks, by their ids.
    mix_changes: BTreeMap<Name, MixChanges>,
    records: Records,
    clauses: BTreeMap<Name, bool>,
    options: BTreeMap<Name, Value>,
    /// Which rows of its own each table has, if nobody else has a part in it.
    table_rows: BTreeMap<Name, Vec<bool>>,
    /// Which data of all mods are in force, without tables.
    data_in_force: Vec<bool>,
    citations: Citations,
    printed: BTreeMap<Name, Name>,
    notes_dependencies: Cell<bool>,
    layers: OnceCell<Rc<[Layer]>>,
    /// The mods, in order.
    mods: Vec<Name>,
    /// What their files registered, whether it is in force here or not.
    registrations: Rc<Registrations>,
}

/// A script host that is kept warm: it has loaded the files of some mods, and
/// holds what they registered.
pub struct WarmHost {
    host: Box<dyn ScriptHost>,
    registrations: Rc<Registrations>,
    held: Held,
    mods: Vec<Name>,
    options: BTreeMap<Name, Value>,
}

/// The tables of a rulebook, by id.
pub type Tables = BTreeMap<Name, Arc<Table>>;

/// The templates of a rulebook, by id.
pub type Templates = BTreeMap<Name, EntityTemplate>;

/// The rules of a rulebook, by id.
pub type RuleEntries = BTreeMap<Name, Rc<RuleEntry>>;

/// What a script host holds of the selection that it was made ready for last,
/// and what that was made from.
#[derive(Default)]
struct Held {
    /// Whether there is such a selection: a new host holds nothing yet.
    is_ready: bool,
    /// The clauses of the selection; mods may have none.
    clauses: BTreeMap<Name, bool>,
    rules: RuleEntries,
    book: Arc<Book>,
    tables: Tables,
    /// The types by which all of them were read.
    records: Records,
    /// Which rows were in force, of those that nobody but their own mod has a
    /// part in.
    rows: BTreeMap<Name, Vec<bool>>,
    /// Which data were in force, without tables.
    data_in_force: Vec<bool>,
    templates: Rc<Templates>,
}

impl WarmHost {
    fn new(
        recipe: &Recipe<'_>,
        host: Box<dyn ScriptHost>,
        registrations: Rc<Registrations>,
        held: Held,
    ) -> WarmHost {
        WarmHost {
            host,
            registrations,
            held,
            mods: recipe.mods.iter().map(|module| module.id.clone()).collect(),
            options: recipe.options.clone(),
        }
    }

    /// What the files of its mods registered.
    pub fn registrations(&self) -> &Rc<Registrations> {
        &self.registrations
    }

    /// Whether a rulebook can be composed in it: it is of the same mods, and no
    /// file asked anything while it was loaded that is otherwise there.
    fn does_for(&self, recipe: &Recipe<'_>) -> bool {
        let is_same = |id: &Name| {
            self.held.clauses.get(id) == recipe.clauses.get(id)
                && self.options.get(id) == recipe.options.get(id)
        };
        self.mods
            .iter()
            .eq(recipe.mods.iter().map(|module| &module.id))
            && self
                .host
                .running()
                .asked
                .borrow()
                .as_ref()
                .is_some_and(|asked| asked.iter().all(is_same))
    }
}

impl Rulebook {
    /// What the mods declare.
    pub fn book(&self) -> &Arc<Book> {
        &self.book
    }

    /// The lines that a rule is open for; none for one that is not open.
    pub fn verbs_of(&self, rule: &str) -> &'static [Verb] {
        let opened = self
            .registrations()
            .opened
            .iter()
            .find(|(id, ..)| **id == *rule);
        match (opened, self.rules().get(rule)) {
            (Some((_, (_, is_reason), _)), Some(entry)) => {
                Law::of(&entry.signature.returns, *is_reason).verbs()
            }
            _ => &[],
        }
    }

    /// What a rule that is open for lines says of how they combine, in words; nothing
    /// where it says nothing.
    pub fn open_words(&self, rule: &RuleEntry) -> String {
        let opened = self.registrations().opened.iter();
        let mut opened = opened.filter(|(id, ..)| *id == rule.id);
        opened.next().map_or_else(String::new, |(_, (open, _), _)| {
            open.words(&rule.signature.returns)
        })
    }

    /// Every rule, by id.
    pub fn rules(&self) -> &RuleEntries {
        &self.rules
    }

    /// Every table, by id.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Every template, by id.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// Which mods changed what a pot or a deck of another is made of, by sort of chit or
    /// card.
    pub fn mix_changes(&self, id: &str) -> Option<&MixChanges> {
        self.mix_changes.get(id)
    }

    /// Every named record type, by id.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The mods, in order.
    pub fn mods(&self) -> &[Name] {
        &self.mods
    }

    /// What the files registered, whether it is in force here or not.
    pub fn registrations(&self) -> &Registrations {
        &self.registrations
    }

    /// Every clause, and whether it is on.
    pub fn clauses(&self) -> &BTreeMap<Name, bool> {
        &self.clauses
    }

    /// Every option, with its value.
    pub fn options(&self) -> &BTreeMap<Name, Value> {
        &self.options
    }

    /// The printed source of a clause.
    pub fn printed(&self, clause: &str) -> Option<&Name> {
        self.printed.get(clause)
    }

    /// Where each clause that something in force cites is cited.
    pub fn cited(&self) -> &BTreeMap<Name, Vec<Place>> {
        self.citations.cited()
    }

    /// The clauses behind rows of tables, kinds, events, phases and windows:
    /// what reaching one of them reaches.
    pub fn marks(&self) -> &BTreeMap<Name, Vec<Name>> {
        self.citations.marks(&self.tables)
    }

    /// The clauses behind a mark of what was reached: a function of a rule, a row,
    /// a kind, an event, or a clause itself.
    pub fn clauses_at(&self, mark: &str) -> Vec<Name> {
        if let Some(layer) = self.running().marked_layer(mark) {
            return layer.cites.to_vec();
        }
        match self.marks().get(mark) {
            Some(cites) => cites.clone(),
            None => self
                .clauses
                .get_key_value(mark)
                .map(|(id, _)| id.clone())
                .into_iter()
                .collect(),
        }
    }

    /// Lets scripts read another value in one cell, or what the table says
    /// again: for those who ask which case notices.
    pub fn try_cell(
        &self,
        table: &Name,
        key: &[Value],
        column: usize,
        to: Option<&Value>,
    ) -> Result<(), kernel::error::Fault> {
        let Some(found) = self.tables.get(table) else {
            return Ok(());
        };
        let mut rows = script_rows(found);
        if let Some(row) = rows.iter_mut().find(|row| row.key == key)
            && let Some((_, cell)) = row.cells.get_mut(key.len() + column)
            && let Some(to) = to
        {
            *cell = to.clone();
        }
        self.host.set_rows(table, &rows)
    }

    /// What another rulebook of the same mods can be composed in, now that
    /// nobody needs this one.
    pub fn into_warm_host(self) -> WarmHost {
        let Rulebook {
            host,
            registrations,
            book,
            rules,
            tables,
            records,
            table_rows,
            data_in_force,
            templates,
            mods,
            clauses,
            options,
            ..
        } = self;
        let held = Held {
            is_ready: true,
            clauses,
            rules,
            book,
            tables,
            records,
            rows: table_rows,
            data_in_force,
            templates,
        };
        WarmHost {
            host,
            registrations,
            held,
            mods,
            options,
        }
    }

    /// Whether it was composed in a host that registered this: what was loaded
    /// there is loaded here.
    pub fn is_of(&self, registrations: &Rc<Registrations>) -> bool {
        Rc::ptr_eq(&self.registrations, registrations)
    }

    /// Does some work, and notes what its steps do. It changes nothing but the
    /// time that they take.
    pub fn noting_steps<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<StepTrace>) {
        let recorder = &self.host.running().recorder;
        recorder.take();
        recorder.want(true);
        let result = work();
        recorder.want(false);
        (result, recorder.take())
    }

    /// Whether matches note from now on what each decision depends on, so that a
    /// reload knows which of them it concerns.
    pub fn note_dependencies(&self, is_wanted: bool) {
        self.notes_dependencies.set(is_wanted);
    }

    /// Whether matches note what each decision depends on.
    pub fn notes_dependencies(&self) -> bool {
        self.notes_dependencies.get()
    }

    /// Every function of every rule by its number, without what runs.
    pub fn layers(&self) -> &Rc<[Layer]> {
        self.layers.get_or_init(|| {
            let all = self.host.running().layers.borrow();
            all.iter()
                .map(|layer| Layer {
                    body: LayerBody::Nothing,
                    ..layer.clone()
                })
                .collect()
        })
    }

    /// Whether answers of rules that only read are kept from now on, as they
    /// are at first. It changes nothing but the time that a game takes, and is
    /// for whoever wants to see that.
    pub fn keep_answers(&self, is_on: bool) {
        self.host.answers().keep(is_on);
    }

    /// Forgets all answers: those about one game say nothing of the next.
    pub fn forget_answers(&self) {
        self.host.answers().forget();
    }

    /// Forgets all answers about every so many requests, or never: it changes
    /// nothing either.
    pub fn drop_answers(&self, every: Option<u64>) {
        self.host.answers().drop_often(every);
    }

    /// Counts from now on how often rules that only read are asked, and how
    /// often their answers were kept; or counts no longer.
    pub fn count_answers(&self, is_on: bool) {
        self.host.answers().count(is_on);
    }

    /// What was counted since then.
    pub fn answer_counts(&self) -> AnswerCounts {
        self.host.answers().counts()
    }

    /// The machine in which its rules are bound.
    pub fn host(&self) -> &dyn ScriptHost {
        &*self.host
    }

    /// What everything that runs its rules shares.
    pub fn running(&self) -> &Rc<Running> {
        self.host.running()
    }
}

impl Rules for Rulebook {
    fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop> {
        let _span = match game.guard().effects.include(Effects::WRITES) {
            true => tracing::debug_span!(target: "houserule::rulebook", "step", %rule).entered(),
            false => tracing::trace_span!(target: "houserule::rulebook", "rule", %rule).entered(),
        };
        let _clock = self.running().clock();
        self.host.call(game, rule, args)
    }

    fn spent(&self) -> u64 {
        self.running().spent.get()
    }

    fn clause_of(
        &self,
        game: &mut Game,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Name> {
        let layer = self.host.layer_of_reason(game, rule, args, reason)?;
        Some(layer.cites.first().unwrap_or(&layer.rule).clone())
    }
}

/// How scripts write the rule of an id: `skirmish.fire.shoot_perform` for
/// `skirmish.fire.shoot.perform`. Nothing for what is no id of a rule in a chapter.
pub fn name_in_luau(id: &str) -> Option<String> {
    let mut parts = id.splitn(3, '.');
    let (module, chapter, name) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |text: &str| text.replace(['.', '-'], "_");
    is_id(id).then(|| format!("{module}.{}.{}", plain(chapter), plain(name)))
}

/// What a rule does that an action, a reaction or an automatic phase brings with it, in
/// a sentence without its full stop.
pub fn member_in_words(of: &str, word: &str) -> String {
    match word {
        "perform" => format!("Does `{of}`"),
        "allowed" => format!("Why `{of}` may not be done, if it may not"),
        "score" => format!("What `{of}` is worth to a bot"),
        "outlook" => format!("What there is to know before `{of}` is done"),
        "run" => format!("Runs `{of}`"),
        param => format!("What can be chosen as `{param}` of `{of}`"),
    }
}
