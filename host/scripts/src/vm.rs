//! A Luau machine that mods may run in: sandboxed, limited, deterministic.
//!
//! Absent on purpose: files, clocks, random numbers, addresses, weak tables,
//! compiling text at run time, globals that one mod could change for another.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::rules::Stop;
use kernel::value::Name;
use mlua::chunk::Compiler;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Function, Lua, LuaOptions, StdLib, Table, Value as LuaValue, VmState};
use rustc_hash::FxHashMap;

use crate::answers::{self, AnswerStore};
use crate::profiling::Profiler;
use crate::values::{Metatables, ValueCache};
use rules::hosting::language::ABSENT;
use rules::hosting::registry::{Layer, Signature};
use rules::hosting::{CallFrame, Running};
use rules::limits::{CHECKS_A_PART, CHECKS_AN_ERROR, MEMORY, STAYS, too_long, with_hint};
use rules::printable::{cut_off, one_line};

/// What to do about a table that cannot be written to.
const HINT_OF_TABLE: &str = "what files have made stays as it is: keep state in attributes of entities, or change a `table.clone`";

/// Longer messages than this are cut off.
const LONGEST_MESSAGE: usize = 400;

/// What the functions that scripts call share.
pub struct Shared {
    /// What everything that runs rules shares.
    pub(crate) running: Rc<Running>,
    /// The signature of the rule of each layer.
    pub(crate) signatures: RefCell<Vec<Signature>>,
    /// Each layer, with all under it, as scripts call it, by number.
    pub(crate) built: RefCell<FxHashMap<u32, Function>>,
    /// The layer of a function, by its address in the machine.
    pub(crate) by_function: RefCell<FxHashMap<usize, u32>>,
    /// Metatables of points and dice.
    pub(crate) tables: RefCell<Option<Rc<Metatables>>>,
    /// What need not be turned into Luau again.
    pub(crate) kept: RefCell<ValueCache>,
    /// Answers of rules, kept until something that they have read changes.
    pub(crate) answers: AnswerStore,
    /// What measures what rules cost, if somebody wants to know.
    pub(crate) profiler: Profiler,
}

impl Deref for Shared {
    type Target = Running;

    #[inline]
    fn deref(&self) -> &Running {
        &self.running
    }
}

/// What running functions share, before there are any.
pub(crate) fn fresh() -> Rc<Shared> {
    Rc::new(Shared {
        running: Rc::default(),
        signatures: RefCell::default(),
        built: RefCell::default(),
        by_function: RefCell::default(),
        tables: RefCell::new(None),
        kept: RefCell::default(),
        answers: AnswerStore::default(),
        profiler: Profiler::of_machine(),
    })
}

/// A limit that the machine itself keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MachineLimit {
    /// Of calls within calls.
    Deep,
    /// Of memory.
    Memory,
    /// Of work at once.
    Long,
}

impl MachineLimit {
    fn code(self) -> FaultCode {
        match self {
            MachineLimit::Deep => FaultCode::TooDeep,
            MachineLimit::Memory => FaultCode::TooMuchMemory,
            MachineLimit::Long => FaultCode::TooLong,
        }
    }

    /// An error as the fault of this limit.
    fn fault(self, mut fault: Fault) -> Fault {
        let place = fault.place.clone();
        let mut made = match self {
            MachineLimit::Long => too_long(),
            _ => {
                fault.code = self.code();
                with_hint(fault)
            }
        };
        made.place = place;
        made
    }
}

/// Runs a script: it may use no more memory than all mods may have.
pub(crate) fn limited<T>(lua: &Lua, work: impl FnOnce() -> T) -> T {
    with_limit(lua, MEMORY, work)
}

/// Runs a function of the host that a script called. It makes a bounded
/// number of values for each value that it is given, so the limit may wait
/// until the script goes on; under a limit each value that is made costs a
/// protected call, which is most of the time that a rule takes.
///
/// Without one nothing catches what the machine raises, so nothing that is made
/// may be past what the machine itself allows, a text of 16 MiB or a table of 2^21
/// entries: values have 65,536 parts at most, pots a million chits, decks 10,000
/// cards.
pub(crate) fn unlimited<T>(lua: &Lua, work: impl FnOnce() -> T) -> T {
    with_limit(lua, 0, work)
}

fn with_limit<T>(lua: &Lua, limit: usize, work: impl FnOnce() -> T) -> T {
    let before = lua.set_memory_limit(limit).unwrap_or(limit);
    let result = work();
    // The state has an allocator of its own, so setting a limit cannot fail.
    let _ = lua.set_memory_limit(before);
    result
}

impl Shared {
    /// Tells the profiler of a layer, if anybody wants to know what rules cost.
    pub(crate) fn measure(&self, layer: u32, tell: fn(&Profiler, u32, &Layer)) {
        if !self.profiler.is_on() {
            return;
        }
        if let Some(found) = self.layers.borrow().get(layer as usize) {
            tell(&self.profiler, layer, found);
        }
    }

    /// Stops the rule that runs with a fault, and gives the error to raise.
    pub fn fault(&self, lua: &Lua, mut fault: Fault) -> mlua::Error {
        fault.message = one_line(&cut_off(&fault.message, LONGEST_MESSAGE));
        let fault = match (&fault.place, caller(lua)) {
            (None, Some(place)) => fault.at(place),
            _ => fault,
        };
        let fault = match fault.rule {
            None => self.within(fault, &self.running(lua)),
            Some(_) => fault,
        };
        let message = fault.message.clone();
        self.halt(Stop::Fault(fault));
        mlua::Error::runtime(message)
    }

    /// The error to raise when a rule that has been stopped goes on.
    pub fn stopped(&self) -> mlua::Result<()> {
        match *self.stop.borrow() {
            Some(_) => Err(mlua::Error::runtime("this rule has been stopped")),
            None => Ok(()),
        }
    }

    /// Takes checks for work that the machine itself does not count.
    pub fn charge(&self, lua: &Lua, checks: u64) -> mlua::Result<()> {
        self.spend(checks).map_err(|fault| self.fault(lua, fault))
    }

    /// One check: whether the rule may go on.
    fn check(&self, lua: &Lua) -> mlua::Result<()> {
        self.stopped()?;
        if lua.used_memory() > STAYS {
            lua.gc_collect()?;
        }
        if lua.used_memory() > STAYS {
            self.answers.let_go(lua)?;
            lua.gc_collect()?;
        }
        if lua.used_memory() > STAYS {
            return Err(self.fault(lua, too_much()));
        }
        let parts = self.budget.take_parts();
        self.charge(lua, 1 + parts * CHECKS_A_PART)
    }

    /// The limit that the machine has met since it was last asked. With
    /// `from_here`, what scripts did before is no longer counted either.
    pub(crate) fn met(&self, from_here: bool) -> Option<MachineLimit> {
        match self.answers.machine.get()?.take_limit(from_here) {
            1 => Some(MachineLimit::Deep),
            2 => Some(MachineLimit::Memory),
            3 => Some(MachineLimit::Long),
            _ => None,
        }
    }

    /// The fault of an error that a script raised or ran into.
    pub fn fault_of(&self, error: &mlua::Error) -> Fault {
        let fault = fault_of(error);
        match self.met(false) {
            Some(limit) if fault.code == FaultCode::Script || fault.code == limit.code() => {
                limit.fault(fault)
            }
            _ => fault,
        }
    }

    /// The metatables.
    pub fn tables(&self) -> mlua::Result<Rc<Metatables>> {
        self.tables
            .borrow()
            .clone()
            .ok_or_else(|| mlua::Error::runtime("the machine is not ready"))
    }

    /// The layers that are running, innermost first, by walking the stack of
    /// the machine. Calls themselves cost nothing for it.
    pub fn running(&self, lua: &Lua) -> Vec<u32> {
        self.layers_of(&answers::functions(lua, &self.answers))
    }

    /// The innermost rule that runs, but for one that is over.
    pub(crate) fn called_by(&self, lua: &Lua, over: Option<&Name>) -> Option<Name> {
        let layers = self.layers.borrow();
        let running = self.running(lua);
        let mut running = running
            .iter()
            .filter_map(|layer| layers.get(*layer as usize));
        running
            .find(|layer| Some(&layer.rule) != over)
            .map(|layer| layer.rule.clone())
    }

    /// The layers of functions that run within each other, innermost first.
    fn layers_of(&self, functions: &[usize]) -> Vec<u32> {
        let by_function = self.by_function.borrow();
        let mut layers = Vec::with_capacity(functions.len());
        layers.extend(
            functions
                .iter()
                .filter_map(|function| by_function.get(function).copied()),
        );
        merged(layers, &self.frames.borrow())
    }

    /// A fault of an error that a script has raised, within the rule of the
    /// innermost function that ran then; `asked` is the rule that was asked for.
    pub(crate) fn raised(&self, error: &mlua::Error, asked: &Name) -> Fault {
        let fault = self.fault_of(error);
        let functions = self
            .answers
            .machine
            .get()
            .map(|machine| machine.take_thrown());
        let layers = self.layers_of(&functions.unwrap_or_default());
        let mut fault = self.within(fault, &layers).in_rule(asked);
        if fault.caller.is_none() && fault.rule.as_ref() != Some(asked) {
            fault.caller = Some(asked.clone());
        }
        fault
    }

    /// A fault with its rule, the clause of its function and who called it, by the
    /// layers that run, innermost first.
    fn within(&self, mut fault: Fault, running: &[u32]) -> Fault {
        let layers = self.layers.borrow();
        let mut running = running
            .iter()
            .filter_map(|layer| layers.get(*layer as usize));
        let Some(inner) = running.next() else {
            return fault;
        };
        fault.clause = inner
            .cites
            .first()
            .filter(|clause| **clause != inner.rule)
            .cloned();
        fault.caller = running
            .find(|outer| outer.rule != inner.rule)
            .map(|outer| outer.rule.clone());
        fault.at(inner.place.clone()).in_rule(&inner.rule)
    }
}

/// Layers of scripts (innermost first) with those of components among them.
fn merged(scripts: Vec<u32>, components: &[CallFrame]) -> Vec<u32> {
    if components.is_empty() {
        return scripts;
    }
    let (all, mut left) = (scripts.len(), scripts.len());
    let mut found = Vec::with_capacity(all + components.len());
    for frame in components.iter().rev() {
        let outside = frame.outside.unwrap_or(all).min(left);
        found.extend(&scripts[all - left..all - outside]);
        left = outside;
        found.push(frame.layer);
    }
    found.extend(&scripts[all - left..]);
    found
}

/// The place in a mod's file that is running: the first frame that is not
/// our own.
pub fn caller(lua: &Lua) -> Option<Place> {
    let mut level = 0;
    while let Some(place) = lua.inspect_stack(level, |frame| {
        let mut place = place_of(&frame.source().source.unwrap_or_default(), 0)?;
        place.line = frame.current_line().unwrap_or(0) as u32;
        Some(place)
    }) {
        if place.is_some() {
            return place;
        }
        level += 1;
    }
    None
}

/// The place of a chunk name such as `=skirmish/rules/fire.luau`.
pub(crate) fn place_of(chunk: &str, line: usize) -> Option<Place> {
    let chunk = chunk.trim_start_matches(['=', '@']);
    let (module, file) = chunk.split_once('/')?;
    (!module.starts_with('[')).then(|| Place::new(module, file, line as u32))
}

/// A fault from an error, whose kind tells its code; see [`Shared::fault_of`]
/// for what a script has run into.
pub fn fault_of(error: &mlua::Error) -> Fault {
    let root = root_of(error);
    let (text, is_syntax) = match root {
        mlua::Error::SyntaxError { message, .. } => (message.clone(), true),
        mlua::Error::MemoryError(message) => (message.clone(), false),
        mlua::Error::RuntimeError(message) => (message.clone(), false),
        other => (other.to_string(), false),
    };
    let first = text.lines().next().unwrap_or("").to_string();
    let (place, message) = split_place(&first);
    let place = place.or_else(|| {
        text.lines()
            .skip(1)
            .find_map(|line| split_place(line.trim()).0)
    });
    let message = if is_address(&message) {
        "expected an error with a message, found one that is no text".to_string()
    } else if is_syntax {
        let mut chars = message.chars();
        chars.next().map_or(String::new(), |first| {
            first.to_lowercase().chain(chars).collect()
        })
    } else {
        message
    };
    let code = if is_syntax {
        FaultCode::Syntax
    } else {
        match root {
            mlua::Error::MemoryError(_) => FaultCode::TooMuchMemory,
            mlua::Error::StackError => FaultCode::TooDeep,
            _ => FaultCode::Script,
        }
    };
    let mut fault = Fault::new(code, one_line(&cut_off(&message, LONGEST_MESSAGE)));
    fault.place = place;
    // The code does not hang on the words; a hint may.
    if code == FaultCode::Script && message == "attempt to modify a readonly table" {
        return fault.hint(HINT_OF_TABLE);
    }
    with_hint(fault)
}

/// Whether an error was raised with something that shows as an address, which
/// differs from run to run.
fn is_address(message: &str) -> bool {
    message == "nil"
        || message.split_once(": 0x").is_some_and(|(kind, address)| {
            kind.chars().all(char::is_alphabetic) && address.chars().all(|c| c.is_ascii_hexdigit())
        })
}

fn root_of(error: &mlua::Error) -> &mlua::Error {
    match error {
        mlua::Error::CallbackError { cause, .. } => root_of(cause),
        mlua::Error::BadArgument { cause, .. } => root_of(cause),
        mlua::Error::WithContext { cause, .. } => root_of(cause),
        other => other,
    }
}

/// Splits `skirmish/rules/fire.luau:7: message` into place and message.
fn split_place(text: &str) -> (Option<Place>, String) {
    let text = text.strip_prefix("runtime error: ").unwrap_or(text);
    let text = text.strip_prefix("syntax error: ").unwrap_or(text);
    let mut parts = text.splitn(3, ':');
    if let (Some(chunk), Some(line), Some(message)) = (parts.next(), parts.next(), parts.next())
        && let Ok(line) = line.parse()
    {
        let place = place_of(chunk, line);
        // Our own files are no place that an author can mend.
        if place.is_some() || chunk.starts_with("[houserule]") {
            return (place, message.trim().to_string());
        }
    }
    (None, text.to_string())
}

fn too_much() -> Fault {
    let message = format!(
        "expected at most {} MiB of memory in use, found more",
        STAYS >> 20
    );
    with_hint(Fault::new(FaultCode::TooMuchMemory, message))
}

/// Keys that are tables or functions are found, but stand in no order.
fn no_order() -> Fault {
    let message = "expected keys that have an order, found a table that has or had tables, functions or points as keys";
    Fault::new(FaultCode::NoOrder, message).hint(
        "keep a list of them beside it and walk through the list, or key by a name or a number",
    )
}

/// Functions that are replaced by our own: the compiler must not call the
/// built-in ones in their place.
const REPLACED: [&str; 18] = [
    "tostring",
    "setmetatable",
    "pcall",
    "xpcall",
    "math.sin",
    "math.cos",
    "math.tan",
    "math.asin",
    "math.acos",
    "math.atan",
    "math.sinh",
    "math.cosh",
    "math.tanh",
    "math.exp",
    "math.log",
    "math.log10",
    "math.pow",
    "math.atan2",
];

/// How large the heap may grow before it is tidied, in per cent of what is
/// alive: rules make many short-lived tables and keep few.
const HEAP_GOAL: i32 = 200;

/// How files are compiled.
pub(crate) fn compiler() -> Compiler {
    // With the names of locals, by which faults name them.
    Compiler::new()
        .set_disabled_builtins(REPLACED)
        .set_debug_level(2)
}

/// A fresh machine, not yet sealed.
///
/// # Errors
/// When the machine cannot be set up.
pub(crate) fn new_machine(shared: &Rc<Shared>) -> mlua::Result<Lua> {
    let lua = Lua::new_with(StdLib::ALL_SAFE, LuaOptions::default())?;
    lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().goal(HEAP_GOAL)));
    lua.set_compiler(compiler());
    let state = shared.clone();
    lua.set_interrupt(move |lua| state.check(lua).map(|()| VmState::Continue));
    let globals = lua.globals();
    let math: Table = globals.get("math")?;
    for name in ABSENT
        .iter()
        .filter_map(|absent| absent.name.strip_prefix("math."))
    {
        math.set(name, LuaValue::Nil)?;
    }
    portable_maths(&lua, &math)?;
    answers::introduce(&lua, shared)?;
    let state = shared.clone();
    let unordered = lua.create_function(move |lua, ()| -> mlua::Result<()> {
        Err(state.fault(lua, no_order()))
    })?;
    lua.set_named_registry_value("houserule.unordered", unordered)?;
    globals.set("__caught", lua.create_function(caught(shared))?)?;
    let coroutine: Table = globals.get("coroutine")?;
    let yields = lua.create_table()?;
    for name in ["yield", "isyieldable"] {
        yields.set(name, coroutine.get::<LuaValue>(name)?)?;
    }
    lua.set_named_registry_value("houserule.yields", yields)?;
    lua.set_named_registry_value(
        "houserule.info",
        globals.get::<Table>("debug")?.get::<LuaValue>("info")?,
    )?;
    lua.load(include_str!("sandbox.luau"))
        .set_name("=[houserule]/sandbox.luau")
        .exec()?;
    let whole = ABSENT
        .iter()
        .map(|absent| absent.name)
        .filter(|name| !name.contains('.'));
    for name in whole.chain(["__caught"]) {
        globals.set(name, LuaValue::Nil)?;
    }
    Ok(lua)
}

/// What happens when a script has caught an error: whether it passes through,
/// for it is a limit that was met, or the rule was stopped.
fn caught(shared: &Rc<Shared>) -> impl Fn(&Lua, ()) -> mlua::Result<bool> + 'static {
    let shared = shared.clone();
    move |lua, ()| {
        // What was broken off has read who knows what.
        shared.spoil_answers();
        if shared.stop.borrow().is_some() {
            return Ok(true);
        }
        if let Some(limit) = shared.met(false) {
            let message = "a script ran into a limit and tried to go on";
            let _ = shared.fault(lua, limit.fault(Fault::new(FaultCode::Script, message)));
            return Ok(true);
        }
        shared.charge(lua, CHECKS_AN_ERROR)?;
        Ok(false)
    }
}

/// Trigonometry and the like through a portable implementation: the same bits
/// on every machine.
fn portable_maths(lua: &Lua, math: &Table) -> mlua::Result<()> {
    type One = fn(f64) -> f64;
    let one: [(&str, One); 12] = [
        ("sin", libm::sin),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("atan", libm::atan),
        ("sinh", libm::sinh),
        ("cosh", libm::cosh),
        ("tanh", libm::tanh),
        ("exp", libm::exp),
        ("log10", libm::log10),
        ("sqrt", libm::sqrt),
    ];
    for (name, function) in one {
        math.set(name, lua.create_function(move |_, x: f64| Ok(function(x)))?)?;
    }
    math.set(
        "atan2",
        lua.create_function(|_, (y, x): (f64, f64)| Ok(libm::atan2(y, x)))?,
    )?;
    math.set(
        "pow",
        lua.create_function(|_, (x, y): (f64, f64)| Ok(libm::pow(x, y)))?,
    )?;
    math.set(
        "log",
        lua.create_function(|_, (x, base): (f64, Option<f64>)| {
            Ok(base.map_or_else(|| libm::log(x), |base| libm::log(x) / libm::log(base)))
        })?,
    )?;
    Ok(())
}

/// `coroutine.yield` and `isyieldable`, taken before scripts lose them.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn yield_functions(lua: &Lua) -> mlua::Result<Table> {
    lua.named_registry_value("houserule.yields")
}
