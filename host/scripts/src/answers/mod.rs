//! Answers of rules that only read, kept until something that they have read
//! holds another value.
//!
//! [`kernel::query`] says what each answer rests on. Here are the answers: in a
//! table of the machine what is no plain value, beside it what tells one call
//! from another. The function around all layers of a rule asks here before it
//! runs them, through a function of [`raw`], so that a script hardly leaves its
//! machine for it; a call from the kernel asks before anything is turned into
//! Luau.
//!
//! What must hold:
//! - An answer is charged what it cost, so that no limit depends on who asked
//!   before. One that cannot be paid is found anew, and meets the limit where
//!   it is met.
//! - While somebody wants to know why, everything runs. While a case runs, a
//!   rule whose answer is kept runs too, and must give the same.
//! - What decisions reach is noted by what runs: an answer carries what was
//!   reached as it was found, and one without that does not count then.
//! - What many may hold, nobody may change: results are read-only.

mod apart;
mod code;
mod direct;
mod raw;
mod reached;
mod trial;

use std::cell::{Cell, RefCell};

use kernel::game::{Effects, Game};
use kernel::query::{Answer, Closed, Graph};
use kernel::stamp::Stamp;
use kernel::value::Value;
use kernel::world::Viewer;
use mlua::{Function, Lua, Table};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::collections::hash_map::Entry as Slot;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::values::Immediate;
use crate::vm::Shared;
use rules::limits::CHECKS_A_PART;
use rules::rulebook::host::{AnswerCache, AnswerCounts};

pub(super) use code::{is_keepable, numbered};
pub(super) use direct::not_same;
pub(super) use raw::{
    Entered, EnteredRule, Entrance, functions, introduce, machine_functions, reacher, reader,
    reading, state_of, writer,
};

use apart::ApartAnswer;
#[cfg(test)]
pub(crate) use raw::game_with;
use raw::{CallRoom, CameOut, Functions, Interrupts, Machine, OfferedCall};
use reached::{AnswerReach, Reaching};
use trial::RuleTrials;

/// More answers than this are not kept.
pub const MOST_ANSWERS: usize = 1 << 15;

/// For so many answers the machine has room at least, and at most: those that may
/// be found while more than are kept for long.
const LEAST_ROOM: usize = 1 << 12;
const MOST_ROOM: usize = MOST_ANSWERS + 256;

/// More reads than this all answers together may hold.
const MOST_READS: usize = 1 << 20;

/// More texts than this do not tell calls from each other.
const MOST_TEXTS: usize = 1 << 13;

/// More answers than this are not kept as values of the kernel too.
const MOST_KERNEL_ANSWERS: usize = 1 << 14;

/// A work unit of the machine is worth so much less than a check.
const UNITS_A_CHECK: u64 = 128;

/// Checks that must be left when an answer was paid.
const RESERVE: u64 = 256;

/// How answers are used while a rule runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// As they are.
    Use,
    /// They are compared with what the rule gives.
    Compare,
}

/// A value that is kept: one that needs no place in the machine, or the mark of
/// one that does.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kept {
    Plain(Immediate),
    /// It lies in the table of answers.
    Placed,
}

impl Kept {
    const NIL: Kept = Kept::Plain(Immediate::Nil);
}

/// What tells a call from all others. Most are short, and lie where they are
/// looked at.
type CallKey = SmallVec<[u64; 5]>;

/// An answer that is kept.
#[derive(Debug)]
struct KeptAnswer {
    key: CallKey,
    result: Kept,
    why: Kept,
    /// What was reached as it was found, if that was noted.
    reached: Option<Rc<AnswerReach>>,
    /// It is good for calls from the kernel alone: components ran for it.
    is_lone: bool,
    /// What its rule took at most in the machine.
    room: CallRoom,
}

/// A call that runs and whose answer is to be kept.
#[derive(Debug)]
struct Asking {
    /// What had been spent when it began.
    spent: u64,
    place: Option<Answer>,
    /// Whether there is an answer to compare with.
    compares: bool,
    /// How many of the tables that it was given could be changed.
    open_tables: u32,
    /// Whether it is the rule that the kernel has called.
    is_first: bool,
    /// Where it runs, and what whoever called it had taken there.
    begun: Option<(Machine, CallRoom)>,
}

/// An answer to the kernel.
#[derive(Debug)]
struct KernelAnswer {
    viewer: Viewer,
    rule: u32,
    args: Vec<Value>,
    answer: Answer,
    version: Stamp,
    value: Value,
    /// What the call cost.
    used: u64,
}

/// The answers of one machine.
pub(crate) struct AnswerStore {
    graph: RefCell<Option<Box<Graph>>>,
    /// The answers, by the hash of what tells their call from others: who looks
    /// for one looks at that too. Half a hash takes half the room, which is what
    /// a look waits for.
    by_key: RefCell<FxHashMap<u32, Answer>>,
    entries: RefCell<Vec<Option<KeptAnswer>>>,
    kernel_answers: RefCell<FxHashMap<u64, KernelAnswer>>,
    /// Whether rules are worth keeping.
    trials: RefCell<RuleTrials>,
    /// The answers to components.
    aparts: RefCell<FxHashMap<u64, ApartAnswer>>,
    asking: RefCell<Vec<(CallKey, Asking)>>,
    key: RefCell<Vec<u64>>,
    texts: RefCell<FxHashMap<usize, u32>>,
    /// The table of the machine in which answers lie that are no plain values.
    placed: RefCell<Option<Table>>,
    /// For how many answers that table has room.
    room: Cell<usize>,
    /// Whether the answers were let go of for the room that they took, so that the
    /// graph is to begin anew.
    is_let_go: Cell<bool>,
    /// Whether the rule that the kernel has called is yet to ask.
    is_first: Cell<bool>,
    /// Whether no component ran before the call from the kernel that runs.
    is_fresh: Cell<bool>,
    /// How many rules were open before that call.
    outside: Cell<usize>,
    /// How many are open up to the innermost that a component has asked for,
    /// which is computed apart, within the call from the kernel that runs.
    apart: Cell<Option<usize>>,
    /// The machine, for what it has not counted yet.
    pub(crate) machine: Cell<Option<Machine>>,
    /// The state on which the innermost step runs that may ask.
    stepping: Cell<Option<Machine>>,
    /// The arguments of a rule that the kernel calls, until a function of the
    /// machine takes them.
    offered: Cell<Option<OfferedCall>>,
    /// How what the rule gave that the kernel has entered comes out.
    came: Cell<CameOut>,
    /// The state on which a function runs that was called without the binding and
    /// asks what runs there.
    caller: Cell<Option<Machine>>,
    /// Whether what is open may not be kept, said while the game was at work.
    is_spoiled: Cell<bool>,
    /// The answer that a call from the kernel came to.
    last: Cell<Option<Closed>>,
    mode: Cell<Mode>,
    /// Nothing is kept while somebody wants to know why, or never.
    is_noting: Cell<bool>,
    is_never: Cell<bool>,
    /// What is reached.
    pub(crate) reaching: Reaching,
    counts: Cell<AnswerCounts>,
    is_counting: Cell<bool>,
    /// Forgets all answers after so many requests: for tests.
    drops: Cell<Option<u64>>,
    requests: Cell<u64>,
    /// How many answers of components there have been.
    directs: Cell<u64>,
    /// The addresses of the metatables of points, hexes and dice.
    pub(super) metatables: Cell<[usize; 3]>,
}

impl Default for AnswerStore {
    fn default() -> AnswerStore {
        AnswerStore {
            graph: RefCell::new(Some(Box::default())),
            by_key: RefCell::default(),
            entries: RefCell::default(),
            kernel_answers: RefCell::default(),
            trials: RefCell::default(),
            aparts: RefCell::default(),
            asking: RefCell::default(),
            key: RefCell::default(),
            texts: RefCell::default(),
            placed: RefCell::default(),
            room: Cell::new(0),
            is_let_go: Cell::new(false),
            is_first: Cell::new(false),
            is_fresh: Cell::new(false),
            outside: Cell::new(0),
            apart: Cell::new(None),
            machine: Cell::new(None),
            stepping: Cell::new(None),
            offered: Cell::new(None),
            came: Cell::default(),
            caller: Cell::new(None),
            is_spoiled: Cell::new(false),
            last: Cell::new(None),
            mode: Cell::new(Mode::Use),
            is_noting: Cell::new(false),
            is_never: Cell::new(false),
            reaching: Reaching::default(),
            counts: Cell::default(),
            is_counting: Cell::new(false),
            drops: Cell::new(None),
            requests: Cell::new(0),
            directs: Cell::new(0),
            metatables: Cell::new([0; 3]),
        }
    }
}

impl AnswerCache for AnswerStore {
    fn keep(&self, is_on: bool) {
        self.is_never.set(!is_on);
        self.clear();
    }

    fn forget(&self) {
        self.clear();
    }

    fn count(&self, is_on: bool) {
        self.is_counting.set(is_on);
        self.counts.set(AnswerCounts::default());
    }

    fn counts(&self) -> AnswerCounts {
        self.counts.get()
    }

    fn drop_often(&self, every: Option<u64>) {
        self.drops.set(every);
    }

    fn kept(&self) -> usize {
        let kept = self.graph.borrow().as_ref().map_or(0, |graph| graph.len());
        debug_assert_eq!(
            kept,
            self.by_key.borrow().len(),
            "an answer is found by its key"
        );
        kept
    }
}

impl AnswerStore {
    fn is_off(&self) -> bool {
        self.is_noting.get() || self.is_never.get()
    }

    /// Whether what runs is told to somebody, or compared with what was kept: functions
    /// around layers do that.
    pub fn is_watched(&self) -> bool {
        self.is_noting.get() || self.reaching.is_on() || self.mode.get() == Mode::Compare
    }

    /// Whether somebody wants to know why: then everything runs.
    pub fn set_noting(&self, is_on: bool) {
        self.is_noting.set(is_on);
    }

    /// What is reached is noted from now on; `is_wide` in live play, else in a
    /// case, where each answer is compared with what its rule gives.
    pub fn begin_reach(&self, is_wide: bool) {
        self.reaching.begin(is_wide);
        self.mode
            .set(if is_wide { Mode::Use } else { Mode::Compare });
    }

    /// What is reached is noted no longer; gives the marks of all that was.
    pub fn end_reach(&self) -> Vec<Box<[u8]>> {
        self.mode.set(Mode::Use);
        self.reaching.end()
    }

    /// Forgets all answers; none may be under way.
    pub fn clear(&self) {
        if let Some(graph) = &mut *self.graph.borrow_mut() {
            graph.clear();
            self.forget_all();
        }
    }

    fn forget_all(&self) {
        self.by_key.borrow_mut().clear();
        self.entries.borrow_mut().clear();
        self.kernel_answers.borrow_mut().clear();
        self.aparts.borrow_mut().clear();
        // What lies in the tables of the machine is written over.
        self.texts.borrow_mut().clear();
        self.is_let_go.set(false);
    }

    /// Lets go of all answers for the room that they take in the machine, though a
    /// rule runs: nobody asks for them again, and how much memory a rule may use
    /// does not depend on who asked before it. What the graph knows of them, and
    /// the numbers of texts in keys that are made already, go with the next request.
    pub fn let_go(&self, lua: &Lua) -> mlua::Result<()> {
        self.by_key.borrow_mut().clear();
        self.entries.borrow_mut().clear();
        self.kernel_answers.borrow_mut().clear();
        self.aparts.borrow_mut().clear();
        self.is_let_go.set(true);
        let placed = self.placed.borrow();
        let Some(placed) = placed.as_ref() else {
            return Ok(());
        };
        placed.clear()?;
        self.room.set(0);
        raw::set_room(lua, placed, 0)
    }

    /// Keeps an answer no longer, for which the machine has no room: it is found anew
    /// by whoever asks for it next. By its key it was found, if it was kept before.
    fn let_fall(&self, game: &mut Game, answer: Answer, key: Option<&CallKey>) {
        if let Some(key) = key {
            self.by_key.borrow_mut().remove(&hash_of_key(key));
        }
        if let Some(entry) = self.entries.borrow_mut().get_mut(answer.0 as usize) {
            *entry = None;
        }
        if let Some(graph) = game.graph_mut() {
            graph.forget(answer);
        }
    }

    /// More room for answers that are no plain values, before it is needed: while a
    /// rule runs nothing is made for them.
    fn make_room(&self, lua: &Lua, answers: usize) {
        let room = self.room.get();
        let wanted = match room {
            0 => LEAST_ROOM,
            _ if answers > room / 2 => (2 * room).min(MOST_ROOM),
            _ => room,
        };
        let placed = self.placed.borrow();
        if wanted > room
            && let Some(placed) = placed.as_ref()
            && raw::set_room(lua, placed, 2 * wanted).is_ok()
        {
            self.room.set(wanted);
        }
    }

    /// A request begins: makes room, if there are too many answers.
    pub fn tidy(&self, lua: &Lua) {
        self.drop_old();
        let answers = self.graph.borrow().as_ref().map_or(0, |graph| graph.len());
        self.make_room(lua, answers);
    }

    fn drop_old(&self) {
        let mut graph = self.graph.borrow_mut();
        let Some(graph) = &mut *graph else { return };
        graph.turn();
        self.requests.set(self.requests.get() + 1);
        if self
            .drops
            .get()
            .is_some_and(|every| self.requests.get().is_multiple_of(every.max(1)))
        {
            graph.clear();
            self.forget_all();
            return;
        }
        if self.is_let_go.get() || graph.is_full() || self.texts.borrow().len() >= MOST_TEXTS {
            graph.clear();
            self.forget_all();
            return;
        }
        let mut turns = 64;
        while (graph.len() > MOST_ANSWERS / 4 * 3 || graph.reads() > MOST_READS / 4 * 3)
            && turns > 0
        {
            self.drop_idle(graph, turns);
            turns /= 2;
        }
        if graph.len() > MOST_ANSWERS / 4 * 3 || graph.reads() > MOST_READS / 4 * 3 {
            graph.clear();
            self.forget_all();
        }
    }

    fn drop_idle(&self, graph: &mut Graph, turns: u32) {
        let (mut entries, mut by_key) = (self.entries.borrow_mut(), self.by_key.borrow_mut());
        for answer in graph.idle(turns) {
            if let Some(entry) = entries.get_mut(answer.0 as usize).and_then(Option::take)
                && let Slot::Occupied(slot) = by_key.entry(hash_of_key(&entry.key))
                && *slot.get() == answer
            {
                slot.remove();
            }
            graph.forget(answer);
        }
        self.kernel_answers
            .borrow_mut()
            .retain(|_, one| graph.version(one.answer) == Some(one.version));
        self.aparts
            .borrow_mut()
            .retain(|_, one| one.is_version(graph.version(one.answer())));
    }
}

/// Where the graph was before a game was given it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GraphOrigin {
    Store,
    /// A game that waits while this one runs.
    Outer,
}

/// How a game was given the graph, to take it back.
pub(super) struct Lending {
    origin: GraphOrigin,
    marks: Option<(usize, usize)>,
    asking: usize,
    was_fresh: bool,
    was_outside: usize,
    was_apart: Option<usize>,
}

impl Shared {
    /// Lends the graph to the game that is about to run, where the one that ran
    /// before may have it. `is_fresh`: no component has run before.
    pub(super) fn lend(&self, outer: Option<&mut Game>, now: &mut Game, is_fresh: bool) -> Lending {
        let store = &self.answers;
        let from_outer = outer.and_then(|game| game.lend_graph(None));
        let origin = if from_outer.is_some() {
            GraphOrigin::Outer
        } else {
            GraphOrigin::Store
        };
        let mut graph = from_outer
            .or_else(|| store.graph.borrow_mut().take())
            .unwrap_or_else(|| {
                // It went with a game that is no more.
                store.forget_all();
                Box::default()
            });
        let marks = Some(graph.enter());
        now.lend_graph(Some(graph));
        store.last.set(None);
        store.is_first.set(false);
        store.is_spoiled.set(false);
        let asking = store.asking.borrow().len();
        let (was_fresh, was_outside) = (
            store.is_fresh.replace(is_fresh),
            store.outside.replace(asking),
        );
        let was_apart = store.apart.replace(None);
        Lending {
            origin,
            marks,
            asking,
            was_fresh,
            was_outside,
            was_apart,
        }
    }

    /// The next rule that asks is the one that the kernel has called, if that is
    /// one whose answers are kept; else what asks first is called by it, and
    /// what ran before may matter to it.
    pub(super) fn expect_first(&self, is_kept: bool) {
        self.answers.is_first.set(is_kept);
    }

    /// Takes the graph back from the game that ran.
    pub(super) fn take_back(&self, lending: &Lending, now: &mut Game, outer: Option<&mut Game>) {
        let store = &self.answers;
        store.asking.borrow_mut().truncate(lending.asking);
        store.reaching.fall_to(lending.asking);
        store.is_fresh.set(lending.was_fresh);
        store.outside.set(lending.was_outside);
        store.apart.set(lending.was_apart);
        let mut graph = now.lend_graph(None);
        if let (Some(graph), Some(marks)) = (&mut graph, lending.marks) {
            graph.leave(marks);
        }
        match outer {
            Some(game) if lending.origin == GraphOrigin::Outer => {
                game.lend_graph(graph);
            }
            _ => *store.graph.borrow_mut() = graph,
        }
    }

    /// What is open may not be kept.
    pub(crate) fn spoil_answers(&self) {
        match self.game.try_borrow() {
            Ok(game) => game.spoil_answers(),
            Err(_) => self.answers.is_spoiled.set(true),
        }
    }

    /// Exchanges the game that is in the machine for another; the graph stays
    /// in the machine.
    pub fn swap_game(&self, game: &mut Game) {
        let mut mine = self.game.borrow_mut();
        let graph = mine.lend_graph(None);
        std::mem::swap(game, &mut *mine);
        mine.lend_graph(graph);
    }

    /// What was spent so far, in units of the machine's work, which has so much
    /// of it uncounted: it only grows while a rule runs.
    fn spent(&self, work: u64) -> u64 {
        let left = self.budget.get();
        let owed = self.budget.parts() * CHECKS_A_PART;
        ((1 << 40) - left.min(1 << 40) + owed) * UNITS_A_CHECK + work
    }

    /// Whether something may be paid, with what is owed already.
    fn can_pay(&self, cost: u64, work: u64) -> bool {
        let owed = self.budget.parts() * CHECKS_A_PART;
        let checks = (cost + work) / UNITS_A_CHECK + owed;
        self.budget.get() > checks + RESERVE
    }

    /// Pays for work of the machine as far as it is worth checks, and gives what
    /// is left of it: after each rule, so that what is left does not tell
    /// whether the rule ran.
    fn pay(&self, work: u64) -> u64 {
        match self.budget.get().checked_sub(work / UNITS_A_CHECK) {
            Some(left) => {
                self.budget.set(left);
                work % UNITS_A_CHECK
            }
            None => work,
        }
    }

    /// The answer to a call from the kernel, if it is kept.
    pub(super) fn kept_answer(
        &self,
        game: &mut Game,
        rule: u32,
        args: &[Value],
        granted: u64,
    ) -> Option<Value> {
        let store = &self.answers;
        if store.is_off()
            || store.mode.get() == Mode::Compare
            || game.guard().effects != Effects::READS
        {
            return None;
        }
        let known = store.kernel_answers.borrow();
        let viewer = game.guard().scope;
        let found = known.get(&hash_of(viewer, rule, args))?;
        let is_asked = found.viewer == viewer && found.rule == rule && found.args == args;
        if !is_asked || found.used + RESERVE > granted {
            return None;
        }
        let graph = store.graph.borrow();
        let graph = graph.as_ref()?;
        let entries = store.entries.borrow();
        let entry = entries.get(found.answer.0 as usize)?.as_ref()?;
        if !store.reaching.fits(entry.reached.as_ref())
            || entry.is_lone && !self.frames.borrow().is_empty()
            || graph.version(found.answer) != Some(found.version)
            || !game.is_answer_valid(graph, found.answer)
            || !store.has_room(&entry.room)
        {
            return None;
        }
        game.use_answer(graph, found.answer);
        store.reaching.give(entry.reached.as_ref());
        store.trials.borrow_mut().hit(rule);
        store.tell(true);
        self.charge_call(found.used);
        Some(found.value.clone())
    }

    /// Keeps what a call from the kernel came to.
    pub(super) fn keep_for_kernel(
        &self,
        game: &Game,
        rule: u32,
        args: &[Value],
        value: &Value,
        used: u64,
    ) {
        let store = &self.answers;
        let Some(closed) = store.last.take() else {
            return;
        };
        let mut known = store.kernel_answers.borrow_mut();
        if args.iter().any(Value::holds_die) || known.len() >= MOST_KERNEL_ANSWERS {
            return;
        }
        let viewer = game.guard().scope;
        let one = KernelAnswer {
            viewer,
            rule,
            args: args.to_vec(),
            answer: closed.answer,
            version: closed.version,
            value: value.clone(),
            used,
        };
        known.insert(hash_of(viewer, rule, args), one);
    }
}

fn hash_of_key(key: &[u64]) -> u32 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish() as u32
}

fn hash_of(viewer: Viewer, rule: u32, args: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    (viewer, rule, args).hash(&mut hasher);
    hasher.finish()
}

impl AnswerStore {
    /// Where a rule runs that nobody in the machine has called, and what had been taken there.
    fn begin(&self) -> Option<(Machine, CallRoom)> {
        let machine = self.stepping.get().or_else(|| self.machine.get())?;
        Some((machine, machine.enter()))
    }

    /// Whether a rule that took so much would meet no limit where it would run if nobody in the machine called it: if
    /// so, it counts as having run.
    fn has_room(&self, took: &CallRoom) -> bool {
        let machine = self.stepping.get().or_else(|| self.machine.get());
        machine.is_none_or(|machine| machine.has_room(&took.with_calls_between()))
    }

    /// A step begins that may ask, on a state of its own; gives where the one around it runs.
    pub(crate) fn step(&self, machine: Option<Machine>) -> Option<Machine> {
        self.stepping.replace(machine)
    }

    /// Whether the answer of a rule is worth looking for: always where each is
    /// compared with what its rule gives.
    fn is_worth(&self, rule: u32) -> bool {
        self.mode.get() == Mode::Compare
            || self
                .trials
                .try_borrow_mut()
                .is_ok_and(|mut trials| trials.is_worth(rule))
    }

    /// What the answer of a call that runs must be equal to, if it must.
    fn compared(&self, depth: usize) -> Option<(u32, Kept, Kept)> {
        let asking = self.asking.try_borrow().ok()?;
        let (_, asking) = asking.get(depth).filter(|(_, asking)| asking.compares)?;
        let place = asking.place?;
        let entries = self.entries.try_borrow().ok()?;
        let entry = entries.get(place.0 as usize)?.as_ref()?;
        Some((place.0, entry.result, entry.why))
    }

    fn tell(&self, is_hit: bool) {
        if self.is_counting.get() {
            let counts = self.counts.get();
            let hits = counts.hits + u64::from(is_hit);
            self.counts.set(AnswerCounts {
                calls: counts.calls + 1,
                hits,
            });
        }
    }
}

/// What came of asking for an answer.
enum Asked {
    /// Nothing can be kept.
    Pass,
    /// It is kept under this number.
    Hit(Answer, Kept, Kept),
    /// The rule must run; with the number of the answer that there was, and
    /// whether what the rule gives must be the same.
    Run {
        place: Option<Answer>,
        compares: bool,
    },
}

impl Shared {
    /// Asks for the answer to a call that the key tells from all others. `work`
    /// is what the machine has not counted yet; it is paid on a hit.
    fn ask(&self, machine: Machine, work: &mut u64, is_first: bool) -> Asked {
        let store = &self.answers;
        let Ok(game) = self.game.try_borrow() else {
            return Asked::Pass;
        };
        let (Ok(mut key), Some(graph)) = (store.key.try_borrow_mut(), game.graph()) else {
            return Asked::Pass;
        };
        let guard = game.guard();
        key[0] |= viewer_bits(guard.scope, guard.owner.is_some()) << VIEWER_AT;
        let entries = store.entries.borrow();
        let place = store.by_key.borrow().get(&hash_of_key(&key)).copied();
        let place = place.filter(|answer| {
            entries
                .get(answer.0 as usize)
                .is_some_and(|entry| entry.as_ref().is_some_and(|entry| *entry.key == **key))
        });
        let mut compares = false;
        if let Some(answer) = place
            && game.is_answer_valid(graph, answer)
            && let Some(Some(entry)) = entries.get(answer.0 as usize)
        {
            if entry.is_lone && !(is_first && store.is_fresh.get()) {
                return Asked::Pass;
            }
            let is_noted = store.reaching.fits(entry.reached.as_ref());
            let cost = graph.cost(answer);
            compares = store.mode.get() == Mode::Compare;
            if !compares
                && is_noted
                && !graph.is_too_deep(answer)
                && self.can_pay(cost, *work)
                && machine.has_room(&entry.room)
            {
                let version = graph.version(answer).unwrap_or(Stamp::NONE);
                game.use_answer(graph, answer);
                store.reaching.give(entry.reached.as_ref());
                self.budget.set(self.budget.get() - cost / UNITS_A_CHECK);
                *work = self.pay(*work + cost % UNITS_A_CHECK);
                if is_first {
                    store.last.set(Some(Closed {
                        answer,
                        version,
                        is_lone: entry.is_lone,
                    }));
                }
                store.tell(true);
                let rule = (key[0] & u64::from(MOST_RULES - 1)) as u32;
                store.trials.borrow_mut().hit(rule);
                self.profiler.hit_number(rule);
                return Asked::Hit(answer, entry.result, entry.why);
            }
        }
        if place.is_none() && graph.len() >= MOST_ANSWERS || graph.reads() >= MOST_READS {
            return Asked::Pass;
        }
        Asked::Run { place, compares }
    }

    /// The rule begins whose call the key tells from all others: how many were
    /// open before; `None` if nothing can be kept.
    fn begin_asking(&self, asking: Asking) -> Option<usize> {
        let store = &self.answers;
        let Ok(mut game) = self.game.try_borrow_mut() else {
            left(&asking);
            return None;
        };
        store.tell(false);
        let depth = game.begin_answer();
        store.reaching.open(depth);
        let entries = store.entries.borrow();
        let entry = asking
            .place
            .and_then(|place| entries.get(place.0 as usize)?.as_ref());
        let key = entry.map_or_else(
            || CallKey::from_slice(&store.key.borrow()),
            |entry| entry.key.clone(),
        );
        let mut all = store.asking.borrow_mut();
        all.truncate(depth);
        all.push((key, asking));
        Some(depth)
    }

    /// The rule is over that ran because of [`Shared::ask`]: keeps its answer,
    /// and gives where its values are to be placed.
    fn answered(
        &self,
        depth: usize,
        work: u64,
        is_data: bool,
        values: (Kept, Kept),
    ) -> Option<Closed> {
        let store = &self.answers;
        let mut game = self.game.try_borrow_mut().ok()?;
        let mut all = store.asking.borrow_mut();
        let from = depth.min(all.len());
        let (key, asking) = all.drain(from..).next()?;
        let room = left(&asking);
        if store.is_spoiled.take() {
            game.spoil_answers();
        }
        if !is_data || self.stop.borrow().is_some() {
            // What it has read counts for whoever called it.
            game.drop_answer(depth);
            store.reaching.fall_to(depth);
            return None;
        }
        let cost = self.spent(work).saturating_sub(asking.spent);
        let Some(closed) = game.end_answer(depth, cost, asking.place) else {
            store.reaching.fall_to(depth);
            return None;
        };
        let place = closed.answer.0 as usize;
        let is_placed = matches!(values, (Kept::Placed, _) | (_, Kept::Placed));
        if is_placed && place >= store.room.get() {
            store.let_fall(&mut game, closed.answer, asking.place.map(|_| &key));
            store.reaching.fall_to(depth);
            return None;
        }
        if asking.is_first {
            store.last.set(Some(closed));
        }
        let (mut entries, mut by_key) = (store.entries.borrow_mut(), store.by_key.borrow_mut());
        if place >= entries.len() {
            entries.resize_with(place + 1, || None);
        }
        if asking.place.is_none()
            && let Some(other) = by_key.insert(hash_of_key(&key), closed.answer)
            && other != closed.answer
        {
            // A call whose words have the same hash: nobody finds its answer again.
            if let Some(entry) = entries.get_mut(other.0 as usize) {
                *entry = None;
            }
            if let Some(graph) = game.graph_mut() {
                graph.forget(other);
            }
        }
        let (result, why) = values;
        let (reached, is_lone) = (store.reaching.close(depth), closed.is_lone);
        entries[place] = Some(KeptAnswer {
            key,
            result,
            why,
            reached,
            is_lone,
            room,
        });
        Some(closed)
    }
}

/// What a rule took that is over.
fn left(asking: &Asking) -> CallRoom {
    let begun = asking.begun.as_ref();
    begun.map_or_else(CallRoom::default, |(machine, outer)| machine.leave(outer))
}

/// Where in the first word of a key the viewer stands; below it the rule.
const VIEWER_AT: u32 = 24;

/// More rules than this are not told apart.
pub(super) const MOST_RULES: u32 = 1 << VIEWER_AT;

fn viewer_bits(viewer: Viewer, is_owner: bool) -> u64 {
    let viewer = match viewer {
        Viewer::Referee => 0,
        Viewer::Spectator => 1,
        Viewer::Side(side) => 2 + u64::from(side.0 & 0x3f),
    };
    viewer << 1 | u64::from(is_owner)
}

/// What the machine needs for answers.
pub(super) struct AnswerTables {
    /// What functions around rules are built from.
    pub functions: Functions,
    /// Compares what a rule gives with what it gave.
    pub differs: Function,
    /// The answers that are no plain values, and the texts in keys.
    pub placed: Table,
    pub texts: Table,
    /// The machine's interrupts, for as long as rules can run.
    pub _interrupts: Interrupts,
}
