//! Functions that the machine calls without any help of the binding: asking for
//! an answer and keeping one ([`asking`]), reading an attribute ([`reading`](mod@reading)) and
//! writing one ([`writing`]), calling a function of the contract that only reads
//! ([`calls`], [`stack`]), going on at an interrupt ([`interrupt`]), and what the
//! kernel calls rules by ([`entering`]).
//!
//! What else of the host is unsafe only looks at values: `seen`, `coordinates` and
//! `upvalues`. Of each function here the same holds:
//!
//! - The machine calls it with its own state, which lives as long as the call.
//!   It uses no more of the stack than the twenty places that every function of
//!   the host has, or asks for more first.
//! - Its first upvalue is the address of what running functions share. A
//!   function of the binding that owns a share of that is another upvalue of
//!   it, so that the address is good for as long as it can be called.
//! - It raises no error of its own. Where something is amiss, or needs memory,
//!   it leaves the work to a function of the binding, or does nothing. What it
//!   calls in the machine may raise; then nothing is borrowed.
//! - It borrows only what can be borrowed. The functions of the contract that it
//!   calls take whatever a script gives them without a panic, which the tests of
//!   hostile scripts hold them to.
#![expect(unsafe_code, reason = "each use is argued above")]

mod asking;
mod calls;
mod entering;
mod interrupt;
mod reading;
mod room;
mod stack;
mod writing;

use std::ffi::{CStr, c_int, c_void};
use std::rc::Rc;
use std::sync::Once;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Table, Value as LuaValue};

use super::{AnswerStore, AnswerTables, MOST_TEXTS};
use crate::values::Immediate;
use crate::vm::Shared;

pub(crate) use calls::reading;
pub(super) use entering::{CameOut, OfferedCall};
pub(crate) use entering::{Entered, EnteredRule, Entrance};
pub(crate) use interrupt::Interrupts;
#[cfg(test)]
pub(crate) use reading::tests::game as game_with;
pub(super) use room::CallRoom;
pub(crate) use room::state_of;
pub(crate) use writing::writer;

unsafe extern "C-unwind" {
    /// The work that no interrupt has counted; see the README of `host/luau`.
    fn houserule_work(state: *mut lua_State) -> usize;
    fn houserule_setwork(state: *mut lua_State, work: usize);
    /// The limit that was met last, which is forgotten; with `from_here`, so is the
    /// work of before.
    fn houserule_limit(state: *mut lua_State, from_here: c_int) -> c_int;
    /// The light userdata that the function which runs has as its first upvalue.
    fn houserule_address(state: *mut lua_State) -> *mut c_void;
    /// A number that it has as another.
    fn houserule_number(state: *mut lua_State, upvalue: c_int) -> f64;
    /// Makes data read-only to the bottom; whether all of it is data.
    fn houserule_freeze(state: *mut lua_State, place: c_int) -> c_int;
    /// Gives a table room for so many entries of a list.
    fn houserule_room(state: *mut lua_State, place: c_int, entries: c_int);
    /// What light userdata have under a name, found without a call.
    fn houserule_reader(
        state: *mut lua_State,
        read: Option<reading::FindAttribute>,
        shared: *const c_void,
        shown: c_int,
    );
    /// The functions that run, innermost first, as far as there is room for them;
    /// gives how many there are.
    fn houserule_functions(state: *mut lua_State, functions: *mut usize, most: usize) -> usize;
    /// The functions that ran as the last error was raised, innermost first, as far
    /// as there is room for them, which are forgotten; gives how many are told.
    fn houserule_thrown(state: *mut lua_State, functions: *mut usize, most: usize) -> usize;
    /// What raises numbers to powers, in all machines from then on.
    fn houserule_setpower(power: extern "C-unwind" fn(f64, f64) -> f64);
    /// Pays for a call or a return.
    fn houserule_turn(state: *mut lua_State);
    /// Calls a function as a layer around it would.
    fn houserule_pass(state: *mut lua_State, arguments: c_int, results: c_int);
    /// Writes what tells a call from all others; 0 where nothing does.
    fn houserule_key(
        state: *mut lua_State,
        key: *mut asking::RawKey,
        first: c_int,
        count: c_int,
    ) -> c_int;
}

/// A machine, by one of its states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine(*mut lua_State);

impl Machine {
    /// The work that no interrupt has counted, of which none is left.
    pub(super) fn take_work(self) -> u64 {
        // The answers of a machine are asked for while it lives, and both functions only
        // look at a number in it.
        unsafe {
            let work = houserule_work(self.0);
            houserule_setwork(self.0, 0);
            work as u64
        }
    }

    /// The limit that was met last, by its number, which is forgotten; with
    /// `from_here`, so is the work of before.
    pub(crate) fn take_limit(self, from_here: bool) -> c_int {
        // As above: it looks at two numbers.
        unsafe { houserule_limit(self.0, c_int::from(from_here)) }
    }

    /// The addresses of the functions that ran as the last error was raised,
    /// innermost first, which are forgotten.
    pub(crate) fn take_thrown(self) -> Vec<usize> {
        let mut found = vec![0; MOST_THROWN];
        // As above: it copies no more numbers than there is room for.
        let count = unsafe { houserule_thrown(self.0, found.as_mut_ptr(), found.len()) };
        found.truncate(count);
        found
    }

    /// The addresses of the functions that run on the state, innermost first.
    ///
    /// # Safety
    /// While the state is there and a call on it runs.
    unsafe fn functions(self) -> Vec<usize> {
        // It only looks, and writes no more than there is room for.
        unsafe {
            let mut found: Vec<usize> = Vec::with_capacity(FEW);
            let count = houserule_functions(self.0, found.as_mut_ptr(), found.capacity());
            if count > found.capacity() {
                found.reserve(count);
                houserule_functions(self.0, found.as_mut_ptr(), count);
            }
            found.set_len(count);
            found
        }
    }
}

/// The machine notes no more functions of an error.
const MOST_THROWN: usize = 128;

/// Hardly ever more functions run within each other.
const FEW: usize = 48;

/// Makes the two functions of a rule.
pub(crate) struct Functions {
    address: *const Shared,
    owner: Function,
}

/// The name of our functions in traces.
const NAME: &CStr = c"houserule";

/// What is shared, behind the first upvalue of a function.
///
/// # Safety
/// Only within a call of a function that [`closure`] has made.
unsafe fn shared_of<'a>(state: *mut lua_State) -> Option<&'a Shared> {
    // The second upvalue owns a share of what the first one points to.
    unsafe { houserule_address(state).cast::<Shared>().as_ref() }
}

/// A function of the machine with what is shared, a function that owns it, and
/// more, as upvalues.
fn closure(
    lua: &Lua,
    functions: &Functions,
    function: ffi::lua_CFunction,
    more: impl mlua::IntoLuaMulti,
) -> mlua::Result<Function> {
    let address = mlua::LightUserData(functions.address.cast_mut().cast::<c_void>());
    let mut upvalues = more.into_lua_multi(lua)?;
    upvalues.push_front(LuaValue::Function(functions.owner.clone()));
    upvalues.push_front(LuaValue::LightUserData(address));
    // Its arguments are the upvalues, all of which the function takes; what the
    // call raises, `exec_raw` catches.
    unsafe {
        lua.exec_raw(upvalues, |state| {
            let count = ffi::lua_gettop(state);
            ffi::lua_pushcclosurek(state, function, NAME.as_ptr(), count, None);
        })
    }
}

/// Powers have the same bits on every machine.
static POWERS: Once = Once::new();

extern "C-unwind" fn power(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Tells what is shared of its machine.
///
/// # Errors
/// When the machine has no memory for the call.
pub(crate) fn introduce(lua: &Lua, shared: &Shared) -> mlua::Result<()> {
    // It is set once, before the first machine runs anything.
    POWERS.call_once(|| unsafe { houserule_setpower(power) });
    // The main state lives as long as the machine.
    unsafe {
        lua.exec_raw((), |state| {
            shared
                .answers
                .machine
                .set(Some(Machine(ffi::lua_mainthread(state))))
        })
    }
}

/// What functions around rules are built from.
pub(crate) fn machine_functions(
    lua: &Lua,
    shared: &Rc<Shared>,
    differs: Function,
) -> mlua::Result<AnswerTables> {
    let held = shared.clone();
    let owner = lua.create_function(move |_, ()| Ok(Rc::strong_count(&held)))?;
    let functions = Functions {
        address: Rc::as_ptr(shared),
        owner,
    };
    let placed = lua.create_table()?;
    *shared.answers.placed.borrow_mut() = Some(placed.clone());
    let texts = lua.create_table_with_capacity(MOST_TEXTS + 64, 0)?;
    Ok(AnswerTables {
        functions,
        differs,
        placed,
        texts,
        _interrupts: Interrupts::of(lua, shared)?,
    })
}

/// Gives a table room for so many entries of a list.
///
/// # Errors
/// When the machine has no memory for them.
pub(super) fn set_room(lua: &Lua, table: &Table, entries: usize) -> mlua::Result<()> {
    // What the call raises, `exec_raw` catches; the table lies on the stack.
    unsafe { lua.exec_raw::<()>(table, |state| houserule_room(state, -1, entries as c_int)) }
}

impl AnswerTables {
    /// The functions that ask for an answer of a rule and keep it.
    pub(crate) fn of_rule(
        &self,
        lua: &Lua,
        number: u32,
        id: &str,
    ) -> mlua::Result<(Function, Function)> {
        let more = (&self.placed, &self.texts, number);
        let ask = closure(lua, &self.functions, asking::ask, more)?;
        let more = (&self.placed, &self.differs, id);
        Ok((ask, closure(lua, &self.functions, asking::keep, more)?))
    }
}

/// The function that reads an attribute; `slow` is what does it otherwise, and
/// puts what it shows into a table.
pub(crate) fn reader(
    lua: &Lua,
    shared: &Rc<Shared>,
    slow: Function,
    shown: &Table,
) -> mlua::Result<Function> {
    // The slow one owns a share: it is made over `shared`.
    let functions = Functions {
        address: Rc::as_ptr(shared),
        owner: slow,
    };
    let reader = closure(lua, &functions, reading::read, shown)?;
    // The machine asks for as long as it lives, and so long it has the function
    // above, which holds the table and a share of what is shared.
    unsafe {
        lua.exec_raw::<()>(shown, |state| {
            houserule_reader(state, Some(reading::find), Rc::as_ptr(shared).cast(), 1);
        })?;
    }
    Ok(reader)
}

/// The addresses of the functions that run, innermost first.
pub(crate) fn functions(lua: &Lua, store: &AnswerStore) -> Vec<usize> {
    let state = store.caller.get().unwrap_or_else(|| Machine(lua.state()));
    // A caller is said only while a function runs that was called on that state; the
    // state of the binding is the one that it runs on. To look needs no memory, so
    // nothing is raised that somebody would have to catch.
    unsafe { state.functions() }
}

// ---- plain values --------------------------------------------------------------

/// Pushes a plain value; it takes no memory.
///
/// # Safety
/// With a place on the stack that is free.
unsafe fn push(state: *mut lua_State, value: Immediate) {
    unsafe {
        match value {
            Immediate::Nil => ffi::lua_pushnil(state),
            Immediate::Bool(yes) => ffi::lua_pushboolean(state, c_int::from(yes)),
            Immediate::Number(n) => ffi::lua_pushnumber(state, n),
            Immediate::Entity(address) => {
                ffi::lua_pushlightuserdatatagged(
                    state,
                    std::ptr::without_provenance_mut(address),
                    0,
                );
            }
        }
    }
}

// ---- what is reached ---------------------------------------------------------

/// The function by which the machine tells what it reaches.
///
/// # Errors
/// When the machine has no memory for it.
pub(crate) fn reacher(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Function> {
    let held = shared.clone();
    let owner = lua.create_function(move |_, ()| Ok(Rc::strong_count(&held)))?;
    let functions = Functions {
        address: Rc::as_ptr(shared),
        owner,
    };
    closure(lua, &functions, reach, ())
}

/// `reach(mark)`: something was reached.
unsafe extern "C-unwind" fn reach(state: *mut lua_State) -> c_int {
    unsafe {
        if let (Some(shared), ffi::LUA_TSTRING) = (shared_of(state), ffi::lua_type(state, 1)) {
            let mut length = 0;
            let mark = ffi::lua_tolstring(state, 1, &raw mut length).cast::<u8>();
            // It lies on the stack until the call is over.
            shared
                .answers
                .reaching
                .note(std::slice::from_raw_parts(mark, length));
        }
        0
    }
}
