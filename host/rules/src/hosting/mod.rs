//! What everything that runs rules has in common, in whatever language a rule
//! is written: the layers of composed rules, the game they work on, their
//! budget, what stops them, and the way from one language to another.
//!
//! Scripts and components know this and not each other. A call that leaves a
//! language goes through [`calls`]; what only the machine of scripts can do for
//! others is behind [`Scripts`], what only components can do behind
//! [`Component`] and [`Instances`].
//!
//! Read [`registry`], [`chain`], [`Running`], [`calls`].

pub mod calls;
pub mod chain;
pub mod language;
pub mod listeners;
pub mod registry;
mod request;
pub mod rows;

pub use request::RequestScope;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use kernel::dice::Ladder;
use kernel::error::{Fault, FaultCode};
use kernel::event::Cause;
use kernel::game::{Effects, Game};
use kernel::rules::Stop;
use kernel::value::{Name, Value};
use kernel::world::closest;
use rustc_hash::FxHashMap;

use crate::hosting::chain::{Chain, Stopped};
use crate::hosting::registry::{Layer, LayerKind};
use crate::hosting::rows::RowIndex;
use crate::limits::{BUDGET, Budget, Watch, too_long, too_slow};
use crate::trace::{Note, Recorder};

/// What the functions that rules call share, whatever they are written in.
pub struct Running {
    /// The game, while a rule runs over it.
    pub game: RefCell<Game>,
    /// Whether a rule runs: outside of it the game is a placeholder.
    pub is_running: Cell<bool>,
    /// Set once a rule must stop; nothing it does after that counts.
    pub stop: RefCell<Option<Stop>>,
    /// Checks left.
    pub budget: Rc<Budget>,
    /// Checks left to all calls of the request that is answered, if one is.
    pub pool: Cell<Option<u64>>,
    /// Checks that calls from the kernel have cost so far, in requests and outside of them.
    pub spent: Cell<u64>,
    /// The clock of the request.
    pub watch: Watch,
    /// All layers of all rules, by number.
    pub layers: RefCell<Vec<Layer>>,
    /// Ids by what they name (`rule`, `clause`, `option`, `table`), for hints.
    pub known: RefCell<BTreeMap<&'static str, Vec<Name>>>,
    /// Words that mods add to enums of others: the enum and the mod, by word.
    pub added_words: RefCell<BTreeMap<Name, (Name, Name)>>,
    /// What is not there because clauses of it are off, and which.
    pub off: RefCell<BTreeMap<Name, Vec<Name>>>,
    /// What steps do, for those who ask why.
    pub recorder: Recorder,
    /// Ladders of dice, in the order declared.
    pub ladders: RefCell<Vec<(Name, Ladder)>>,
    /// Composed rules, by id.
    pub chains: RefCell<FxHashMap<Name, Rc<Chain>>>,
    /// Functions of components that are running, outermost first.
    pub frames: RefCell<Vec<CallFrame>>,
    /// Files that are being loaded, one within the other.
    pub loading: Cell<u32>,
    /// What files asked while they were loaded: clauses and options; `None` if
    /// tables too.
    pub asked: RefCell<Option<BTreeSet<Name>>>,
    /// Every clause, and whether it is on.
    pub clauses: RefCell<BTreeMap<Name, bool>>,
    /// Every option.
    pub options: RefCell<BTreeMap<Name, Value>>,
    /// The rows of tables, by id.
    pub rows: RefCell<FxHashMap<Name, Rc<RowIndex>>>,
    /// The machine of scripts; it holds this in turn.
    scripts: RefCell<Option<Weak<dyn Scripts>>>,
    /// Instances of components, once there is a component.
    instances: RefCell<Option<Rc<dyn Instances>>>,
}

/// Clauses that are off, for a message.
pub(crate) fn clauses_in_words(clauses: &[Name]) -> String {
    let quoted: Vec<String> = clauses.iter().map(|id| format!("`{id}`")).collect();
    match quoted.as_slice() {
        [one] => format!("the clause {one}, which is off"),
        all => format!("the clauses {}, which are off", all.join(", ")),
    }
}

/// What to do about a rule that goes with a clause.
pub(crate) fn without_clause(clause: &str) -> String {
    format!(
        "cite `{clause}` too where it is named, or let it give something without: `[{clause} else …]`"
    )
}

/// A function of a component that is running.
#[derive(Clone, Copy, Debug)]
pub struct CallFrame {
    /// Its layer.
    pub layer: u32,
    /// How many layers of scripts run outside of it; not known until it calls
    /// one itself.
    pub outside: Option<usize>,
}

/// What the machine of scripts does for those outside of it.
pub trait Scripts {
    /// Calls a layer of a rule, with all under it, as a script would.
    ///
    /// # Errors
    /// When it was stopped; [`Running::stop`] says why.
    fn call(&self, chain: &Chain, level: usize, args: &[Value]) -> Result<Value, Stopped>;

    /// The layers that are running, of scripts and of components, innermost
    /// first.
    fn layers_running(&self) -> Vec<u32>;

    /// A request begins: answers that rules gave and nobody asks for go.
    fn tidy_answers(&self);

    /// The answer to a component that calls a rule that only reads: the one that
    /// is kept, or what `run` gives, which computes it apart.
    ///
    /// # Errors
    /// When it was stopped; [`Running::stop`] says why.
    fn apart(
        &self,
        chain: &Chain,
        args: &[Value],
        run: &dyn Fn() -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped>;

    /// What is computed now depends on what ran before it: of what is open only
    /// the answer is kept that is computed apart.
    fn spoil_nested(&self);

    /// Notes that something was reached, if that is noted.
    fn reach(&self, mark: &str);

    /// A layer of a component begins: notes that it was entered, if that is noted,
    /// and measures what it costs, if that is measured.
    fn layer_entered(&self, layer: u32);

    /// The layer is over.
    fn layer_left(&self, layer: u32);

    /// A component looked up a clause or a row of a table: counts it, if that is
    /// counted.
    fn looked_up(&self, lookup: Lookup, id: &Name);
}

/// What is looked up among what is fixed while a game runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// Whether a clause is on.
    Clause,
    /// A row of a table, or all of them.
    Table,
}

/// A function of a component that is a layer of a rule.
pub trait Component: Debug + Any {
    /// Runs it, with arguments that fit the signature.
    ///
    /// # Errors
    /// When it was stopped; [`Running::stop`] says why.
    fn run(
        &self,
        running: &Rc<Running>,
        chain: &Rc<Chain>,
        level: usize,
        args: &[Value],
    ) -> Result<Value, Stopped>;
}

/// Instances of components that wait to be entered again.
pub trait Instances: Any {
    /// Forgets those that do not run: what one remembers is not for another call.
    fn clear(&self);

    /// Something is computed apart: those that wait are put aside.
    fn seal(&self);

    /// It is computed: what it has made goes, and those that were put aside wait
    /// again.
    fn unseal(&self);

    /// From now on it is measured what is taken at most, while so many functions
    /// of components run; gives what was measured so far.
    fn measure(&self, frames: usize) -> FootprintMeasure;

    /// What was taken at most since then.
    fn measured(&self, since: FootprintMeasure) -> Footprint;

    /// Whether so much more can be taken, while so many functions of components
    /// run; then it counts as taken.
    fn has_room(&self, frames: usize, room: Footprint) -> bool;

    /// One more function of a component runs, so many in all.
    fn entered(&self, frames: usize);
}

/// What is limited for all instances of components together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Footprint {
    /// Functions that run at once.
    pub frames: usize,
    /// Bytes of memory.
    pub memory: usize,
    /// Bytes of the stack of the machine.
    pub stack: usize,
}

/// Since when it is measured what is taken.
#[derive(Clone, Copy, Debug)]
pub struct FootprintMeasure {
    /// What was taken then.
    pub now: Footprint,
    /// What had been taken at most before.
    pub most: Footprint,
}

impl Footprint {
    /// The greater of both in each respect.
    #[must_use]
    pub fn max(self, other: Footprint) -> Footprint {
        Footprint {
            frames: self.frames.max(other.frames),
            memory: self.memory.max(other.memory),
            stack: self.stack.max(other.stack),
        }
    }

    /// How much more it is.
    #[must_use]
    pub fn above(self, other: Footprint) -> Footprint {
        Footprint {
            frames: self.frames.saturating_sub(other.frames),
            memory: self.memory.saturating_sub(other.memory),
            stack: self.stack.saturating_sub(other.stack),
        }
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Footprint) -> Footprint {
        Footprint {
            frames: self.frames + other.frames,
            memory: self.memory + other.memory,
            stack: self.stack + other.stack,
        }
    }
}

impl Default for Running {
    fn default() -> Running {
        Running {
            game: RefCell::new(Game::empty()),
            is_running: Cell::new(false),
            stop: RefCell::new(None),
            budget: Rc::new(Budget::new(BUDGET)),
            pool: Cell::new(None),
            spent: Cell::new(0),
            watch: Watch::default(),
            layers: RefCell::default(),
            known: RefCell::default(),
            added_words: RefCell::default(),
            off: RefCell::default(),
            recorder: Recorder::default(),
            ladders: RefCell::default(),
            chains: RefCell::default(),
            frames: RefCell::default(),
            loading: Cell::new(0),
            asked: RefCell::new(Some(BTreeSet::new())),
            clauses: RefCell::default(),
            options: RefCell::default(),
            rows: RefCell::default(),
            scripts: RefCell::new(None),
            instances: RefCell::new(None),
        }
    }
}

impl Running {
    /// The fault of a rule that is named while clauses of it are off.
    pub fn off_rule(&self, rule: &str) -> Option<Fault> {
        let off = self.off.borrow();
        let clauses = off.get(rule)?;
        let words = clauses_in_words(clauses);
        let message = format!("the rule `{rule}` is there only with {words}");
        let hint = without_clause(clauses.first()?);
        Some(Fault::new(FaultCode::UnknownRule, message).hint(hint))
    }

    /// Tells the trace what the rule that runs does, if anybody wants to know.
    pub fn trace(&self, note: Note) {
        if let Some(mark) = note.mark() {
            self.reach(&mark);
        }
        self.recorder.note(note);
    }

    /// Tells the trace that something was reached.
    pub fn reach(&self, mark: &str) {
        if let Some(scripts) = self.scripts() {
            scripts.reach(mark);
        }
    }

    /// A component looked something up.
    pub fn looked_up(&self, lookup: Lookup, id: &Name) {
        if let Some(scripts) = self.scripts() {
            scripts.looked_up(lookup, id);
        }
    }

    /// The machine of scripts is there.
    pub fn attach_scripts(&self, scripts: Weak<dyn Scripts>) {
        self.scripts.replace(Some(scripts));
    }

    /// The machine of scripts; none once it is gone.
    pub fn scripts(&self) -> Option<Rc<dyn Scripts>> {
        self.scripts.borrow().as_ref().and_then(Weak::upgrade)
    }

    /// The instances of components; none before there is a component.
    pub fn instances(&self) -> Option<Rc<dyn Instances>> {
        self.instances.borrow().clone()
    }

    /// There are components.
    pub fn attach_instances(&self, instances: Rc<dyn Instances>) {
        self.instances.replace(Some(instances));
    }

    /// A function of a component runs from now on: how many there are.
    pub fn push_frame(&self, layer: u32) -> usize {
        let mut frames = self.frames.borrow_mut();
        frames.push(CallFrame {
            layer,
            outside: None,
        });
        frames.len()
    }

    /// Forgets all instances of components that do not run.
    pub fn clear_instances(&self) {
        if let Some(instances) = self.instances() {
            instances.clear();
        }
    }

    /// Computes something in instances of its own, whatever waits: it depends on
    /// nothing that ran before.
    pub fn sealed<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(instances) = self.instances() else {
            return work();
        };
        instances.seal();
        let outcome = work();
        instances.unseal();
        outcome
    }

    /// Stops what runs with a fault.
    pub fn stop_with(&self, fault: Fault) -> Stopped {
        self.halt(Stop::Fault(fault));
        Stopped
    }

    /// What runs must stop, for the first reason that there was.
    pub fn halt(&self, stop: Stop) {
        self.stop.borrow_mut().get_or_insert(stop);
        self.budget.ask_soon();
    }

    /// Notes that a clause or an option was asked for, if a file is loaded.
    pub fn asks(&self, id: &str) {
        if self.loading.get() > 0
            && let Some(asked) = &mut *self.asked.borrow_mut()
            && !asked.contains(id)
        {
            asked.insert(Name::from(id));
        }
    }

    /// Takes checks for work that no machine counts.
    ///
    /// # Errors
    /// When there are not so many left, or the clock of the request has run out.
    #[inline]
    pub fn spend(&self, checks: u64) -> Result<(), Fault> {
        if self.watch.is_over() {
            return Err(too_slow());
        }
        match self.budget.get().checked_sub(checks) {
            Some(left) => {
                self.budget.set(left);
                Ok(())
            }
            None => {
                self.budget.set(0);
                Err(too_long())
            }
        }
    }

    /// Whether all these layers may have an effect.
    ///
    /// # Errors
    /// When the signature of one of them does not list it.
    pub fn all_may(&self, running: &[u32], effect: Effects, what: &str) -> Result<(), Fault> {
        let layers = self.layers.borrow();
        for layer in running.iter().map(|layer| &layers[*layer as usize]) {
            if !layer.effects.include(effect) {
                return Err(may_not(layer, what));
            }
        }
        Ok(())
    }

    /// The cause of what layers (innermost first) bring about.
    pub fn cause_of(&self, running: &[u32]) -> Cause {
        let layers = self.layers.borrow();
        let label = |layer: &u32| layers[*layer as usize].label();
        Cause {
            rule: running.first().map(label),
            stack: running.iter().rev().map(label).collect(),
            draws: None,
            reveals: running
                .iter()
                .find_map(|layer| layers[*layer as usize].reveals.clone()),
        }
    }

    /// The rule, clause, option or table that comes nearest to an id.
    pub fn nearest(&self, word: &str, id: &str) -> Option<String> {
        let names = self.known.borrow();
        let list = names.get(word)?;
        closest(id, list.iter().map(|name| &**name)).map(str::to_string)
    }

    /// The layer that a traced run has marked.
    pub fn marked_layer(&self, mark: &str) -> Option<Layer> {
        let number: usize = mark.strip_prefix("layer ")?.parse().ok()?;
        self.layers.borrow().get(number).cloned()
    }
}

/// What a traced run calls a layer.
pub fn layer_mark(number: u32) -> String {
    format!("layer {number}")
}

/// The fault of a layer that does what its rule may not.
fn may_not(layer: &Layer, what: &str) -> Fault {
    let (rule, may) = (&layer.rule, layer.effects.words());
    let (message, hint) = match layer.kind {
        LayerKind::Wrap | LayerKind::Replace => (
            format!(
                "expected what goes around `{rule}` to do no more than the rule ({may}), found that it {what}"
            ),
            "let a step do it, or what listens to an event: `rules.on`",
        ),
        LayerKind::Define | LayerKind::Lines | LayerKind::Line => (
            format!(
                "expected `{rule}` to do no more than its signature says ({may}), found that it {what}"
            ),
            "say so in its header, `game: Draws`, `Writes` or `Acts`, or let a step do it",
        ),
    };
    Fault::new(FaultCode::NotAllowed, message).hint(hint)
}
