//! A Luau machine that mods may run in: sandboxed, limited, deterministic.
//!
//! Absent on purpose: files, clocks, random numbers, addresses, weak tables,
//! compiling text at run time, globals that one mod could change for another.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::game::Game;
use kernel::rules::Stop;
use kernel::value::Name;
use mlua::chunk::Compiler;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Lua, LuaOptions, StdLib, Table, Value as LuaValue, VmState};
use rustc_hash::FxHashMap;

use crate::lua::registry::Layer;
use crate::lua::values::{Kept, Metatables};

/// Interrupt checks (loop turns and calls) that one call from the kernel may
/// use: some tenths of a second of pure looping.
pub(crate) const BUDGET: u64 = 5_000_000;

/// Bytes that all mods of a game together may use.
pub(crate) const MEMORY: usize = 256 << 20;

/// What the functions that scripts call share.
pub(crate) struct Shared {
    /// The game, while a rule runs over it.
    pub game: RefCell<Game>,
    /// Whether a rule runs: outside of it the game is a placeholder.
    pub is_running: Cell<bool>,
    /// Set once a rule must stop; nothing it does after that counts.
    pub stop: RefCell<Option<Stop>>,
    /// Interrupt checks left.
    pub budget: Cell<u64>,
    /// All layers of all rules, by number.
    pub layers: RefCell<Vec<Layer>>,
    /// The layer of a function, by its address in the machine.
    pub by_function: RefCell<FxHashMap<usize, u32>>,
    /// Ids by what they name (`rule`, `clause`, `option`, `table`), for hints.
    pub known: RefCell<BTreeMap<&'static str, Vec<Name>>>,
    /// Metatables of points and dice.
    pub tables: RefCell<Option<Rc<Metatables>>>,
    /// What need not be turned into Luau again.
    pub kept: RefCell<Kept>,
}

/// Runs a script: it may use no more memory than all mods may have.
pub(crate) fn limited<T>(lua: &Lua, work: impl FnOnce() -> T) -> T {
    with_limit(lua, MEMORY, work)
}

/// Runs a function of the host that a script called. It makes a bounded
/// number of values for each value that it is given, so the limit may wait
/// until the script goes on; under a limit each value that is made costs a
/// protected call, which is most of the time that a rule takes.
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
    /// Stops the rule that runs with a fault, and gives the error to raise.
    pub fn fault(&self, lua: &Lua, fault: Fault) -> mlua::Error {
        let fault = match (&fault.place, caller(lua)) {
            (None, Some(place)) => fault.at(place),
            _ => fault,
        };
        let fault = match self.innermost(lua) {
            Some(layer) if fault.rule.is_none() => fault.in_rule(&layer),
            _ => fault,
        };
        let message = fault.message.clone();
        self.stop.borrow_mut().get_or_insert(Stop::Fault(Box::new(fault)));
        mlua::Error::runtime(message)
    }

    /// The error to raise when a rule that has been stopped goes on.
    pub fn stopped(&self) -> mlua::Result<()> {
        match *self.stop.borrow() {
            Some(_) => Err(mlua::Error::runtime("this rule has been stopped")),
            None => Ok(()),
        }
    }

    /// The metatables.
    pub fn tables(&self) -> mlua::Result<Rc<Metatables>> {
        self.tables.borrow().clone().ok_or_else(|| mlua::Error::runtime("the machine is not ready"))
    }

    /// The layers that are running, innermost first, by walking the stack of
    /// the machine. Calls themselves cost nothing for it.
    pub fn running(&self, lua: &Lua) -> Vec<u32> {
        let by_function = self.by_function.borrow();
        let mut found = Vec::new();
        let mut level = 1;
        while let Some(pointer) = lua.inspect_stack(level, |frame| frame.function().to_pointer().addr()) {
            if let Some(layer) = by_function.get(&pointer) {
                found.push(*layer);
            }
            level += 1;
        }
        found
    }

    fn innermost(&self, lua: &Lua) -> Option<kernel::value::Name> {
        let layer = *self.running(lua).first()?;
        self.layers.borrow().get(layer as usize).map(|layer| layer.rule.clone())
    }
}

/// The place in a mod's file that is running: the first frame that is not
/// our own.
pub(crate) fn caller(lua: &Lua) -> Option<Place> {
    let mut level = 0;
    while let Some(place) = lua.inspect_stack(level, |frame| {
        let source = frame.source().source.map(|source| source.into_owned());
        place_of(&source.unwrap_or_default(), frame.current_line().unwrap_or(0))
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

/// A fault from an error that a script raised or ran into.
pub(crate) fn fault_of(error: &mlua::Error) -> Fault {
    let root = root_of(error);
    let (text, is_syntax) = match root {
        mlua::Error::SyntaxError { message, .. } => (message.clone(), true),
        mlua::Error::MemoryError(message) => (message.clone(), false),
        mlua::Error::RuntimeError(message) => (message.clone(), false),
        other => (other.to_string(), false),
    };
    let first = text.lines().next().unwrap_or("").to_string();
    let (place, message) = split_place(&first);
    let code = if is_syntax {
        FaultCode::Syntax
    } else if matches!(root, mlua::Error::MemoryError(_)) || message.contains("not enough memory") {
        FaultCode::TooMuchMemory
    } else if message.contains("stack overflow") {
        FaultCode::TooDeep
    } else {
        FaultCode::Script
    };
    let mut fault = Fault::new(code, message);
    fault.place = place;
    fault
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
        && let Some(place) = place_of(chunk, line)
    {
        return (Some(place), message.trim().to_string());
    }
    (None, text.to_string())
}

/// Whether an error is a limit, which no script may swallow.
fn is_limit(value: &LuaValue) -> bool {
    let text = match value {
        LuaValue::String(text) => text.to_string_lossy().to_string(),
        LuaValue::Error(error) => error.to_string(),
        _ => return false,
    };
    text.contains("not enough memory") || text.contains("stack overflow")
}

const STRIPPED: &[&str] = &[
    "os",
    "io",
    "debug",
    "coroutine",
    "loadstring",
    "getfenv",
    "setfenv",
    "collectgarbage",
    "gcinfo",
    "newproxy",
    "print",
    "require",
    "_VERSION",
    "buffer",
    "vector",
];

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
const HEAP_GOAL: i32 = 400;

const STRIPPED_MATH: &[&str] = &["random", "randomseed", "noise"];

/// A fresh machine, not yet sealed.
///
/// # Errors
/// When the machine cannot be set up.
pub(crate) fn new_machine(shared: &Rc<Shared>) -> mlua::Result<Lua> {
    let lua = Lua::new_with(StdLib::ALL_SAFE, LuaOptions::default())?;
    lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().goal(HEAP_GOAL)));
    lua.set_compiler(Compiler::new().set_disabled_builtins(REPLACED));
    let state = shared.clone();
    lua.set_interrupt(move |lua| {
        let left = state.budget.get();
        if left == 0 {
            let fault = Fault::new(
                FaultCode::TooLong,
                format!("expected at most {BUDGET} loop turns and calls, found more"),
            )
            .hint("a loop that never ends, or work that should be pushed as steps");
            return Err(state.fault(lua, fault));
        }
        if state.stop.borrow().is_some() {
            state.stopped()?;
        }
        state.budget.set(left - 1);
        Ok(VmState::Continue)
    });
    let globals = lua.globals();
    let math: Table = globals.get("math")?;
    for name in STRIPPED_MATH {
        math.set(*name, LuaValue::Nil)?;
    }
    portable_maths(&lua, &math)?;
    let state = shared.clone();
    globals.set(
        "__limit",
        lua.create_function(move |lua, error: LuaValue| {
            if state.stop.borrow().is_some() {
                return Ok(true);
            }
            if !is_limit(&error) {
                return Ok(false);
            }
            let deep =
                matches!(&error, LuaValue::String(text) if text.to_string_lossy().contains("overflow"));
            let code = if deep { FaultCode::TooDeep } else { FaultCode::TooMuchMemory };
            let _ = state.fault(lua, Fault::new(code, "a script ran into a limit and tried to go on"));
            Ok(true)
        })?,
    )?;
    let coroutine: Table = globals.get("coroutine")?;
    let yields = lua.create_table()?;
    for name in ["yield", "isyieldable"] {
        yields.set(name, coroutine.get::<LuaValue>(name)?)?;
    }
    lua.set_named_registry_value("houserule.yields", yields)?;
    lua.load(include_str!("sandbox.luau")).set_name("=[houserule]/sandbox.luau").exec()?;
    for name in STRIPPED.iter().chain(&["__limit"]) {
        globals.set(*name, LuaValue::Nil)?;
    }
    Ok(lua)
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
    math.set("atan2", lua.create_function(|_, (y, x): (f64, f64)| Ok(libm::atan2(y, x)))?)?;
    math.set("pow", lua.create_function(|_, (x, y): (f64, f64)| Ok(libm::pow(x, y)))?)?;
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
