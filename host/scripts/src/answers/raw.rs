//! Functions that the machine calls without any help of the binding: asking for
//! an answer, keeping one, reading an attribute ([`reading`](mod@reading)) and
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

mod calls;
mod entering;
mod interrupt;
mod reading;
mod room;
mod stack;
mod writing;

use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::Once;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Table, Value as LuaValue};

use super::{AnswerStore, AnswerTables, Asked, Asking, Kept, MOST_TEXTS};
use crate::values::Immediate;
use crate::vm::Shared;

pub(crate) use calls::reading;
pub(crate) use entering::Entrance;
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
    /// Writes what tells a call from all others; 0 where nothing does.
    fn houserule_key(state: *mut lua_State, key: *mut RawKey, first: c_int, count: c_int) -> c_int;
}

/// Deeper lists and records do not tell calls from each other.
const DEEPEST: u32 = 4;

/// Nor do longer ones, in words of a key.
const LONGEST: usize = 512;

/// Nor do more tables that no rule has given.
const MOST_OWNED: usize = 128;

/// Nor do more arguments.
const MOST_ARGUMENTS: c_int = 8;

/// Where in the first word of a key the tags of the arguments stand.
const TAGS_AT: u32 = 32;

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
        let ask = closure(lua, &self.functions, ask, more)?;
        let more = (&self.placed, &self.differs, id);
        Ok((ask, closure(lua, &self.functions, keep, more)?))
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

// ---- asking for an answer ----------------------------------------------------

/// The upvalue of [`ask`] that is the number of its rule.
const RULE: c_int = 5;

/// `ask(...)`: `true`, the answer and its reason if it is kept; else what to
/// give to `keep`, nil if nothing can be kept.
unsafe extern "C-unwind" fn ask(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        let Some(shared) = shared_of(state) else {
            return nothing(state);
        };
        let before = houserule_work(state);
        let store = &shared.answers;
        let is_first = store.is_first.replace(false);
        if store.is_off()
            || !shared.is_running.get()
            || shared.stop.try_borrow().map_or(true, |stop| stop.is_some())
        {
            return nothing(state);
        }
        let rule = houserule_number(state, RULE) as u64;
        if !store.is_worth(rule as u32) {
            return nothing(state);
        }
        let Some(Written {
            open_tables,
            is_held,
        }) = write_key(state, store, rule, 1, count)
        else {
            return nothing(state);
        };
        let (machine, mut work) = (Machine(state), before as u64);
        match shared.ask(machine, &mut work, is_first) {
            Asked::Pass => nothing(state),
            Asked::Run { place, compares } => {
                // A key that is there already has texts that are held.
                let are_texts_held = is_held || place.is_some() || hold_texts(state, store);
                houserule_setwork(state, before);
                let depth = are_texts_held.then(|| {
                    let asking = Asking {
                        place,
                        compares,
                        open_tables,
                        is_first,
                        spent: shared.spent(work),
                        begun: Some((machine, machine.enter())),
                    };
                    shared.begin_asking(asking)
                });
                match depth.flatten() {
                    Some(depth) => ffi::lua_pushnumber(state, depth as f64),
                    None => ffi::lua_pushnil(state),
                }
                1
            }
            Asked::Hit(answer, result, why) => {
                houserule_setwork(state, work as usize);
                ffi::lua_pushboolean(state, 1);
                push_answer(state, answer.0, result, why);
                3
            }
        }
    }
}

/// Pushes a kept answer and its reason; what of them is no plain value lies in the
/// table of answers. It takes no memory.
///
/// # Safety
/// Within a call of [`ask`] or [`keep`], whose third upvalue is that table, with two
/// places on the stack that are free.
unsafe fn push_answer(state: *mut lua_State, answer: u32, result: Kept, why: Kept) {
    unsafe {
        let place = answer as c_int * 2;
        for (value, at) in [(result, place + 1), (why, place + 2)] {
            match value {
                Kept::Placed => {
                    ffi::lua_rawgeti_(state, ffi::lua_upvalueindex(3), at);
                }
                Kept::Plain(plain) => push(state, plain),
            }
        }
    }
}

unsafe fn nothing(state: *mut lua_State) -> c_int {
    unsafe { ffi::lua_pushnil(state) };
    1
}

/// What the machine writes of a call; `houserule_Key` has the same form there.
#[repr(C)]
struct RawKey {
    state: *mut lua_State,
    words: *mut u64,
    count: usize,
    most: usize,
    texts: *mut *const c_void,
    text_count: usize,
    most_texts: usize,
    forms: [*const c_void; 3],
    tags: u64,
    open: u64,
    /// Tables that are told apart by where they lie, too.
    owned_count: usize,
    owned: [MaybeUninit<*const c_void>; MOST_OWNED],
}

/// What is known of a key that was written.
struct Written {
    /// How many tables among the arguments could be changed.
    open_tables: u32,
    /// Whether all its texts are held already.
    is_held: bool,
}

/// Writes what tells a call from all others: the rule, and its arguments from
/// one place of the stack on; `None` where they cannot be told apart by what
/// they are.
///
/// # Safety
/// Within a call, with that many arguments.
unsafe fn write_key(
    state: *mut lua_State,
    store: &AnswerStore,
    rule: u64,
    first: c_int,
    count: c_int,
) -> Option<Written> {
    let mut key = store.key.try_borrow_mut().ok()?;
    key.clear();
    if count > MOST_ARGUMENTS {
        return None;
    }
    key.reserve(LONGEST);
    let mut texts = [MaybeUninit::uninit(); 32];
    let mut raw = RawKey {
        state,
        // The first word is the rule's.
        words: unsafe { key.as_mut_ptr().add(1) },
        count: 0,
        most: LONGEST - 1,
        texts: texts.as_mut_ptr().cast(),
        text_count: 0,
        most_texts: texts.len(),
        forms: store.metatables.get().map(std::ptr::without_provenance),
        tags: 0,
        open: 0,
        owned_count: 0,
        owned: [MaybeUninit::uninit(); MOST_OWNED],
    };
    // It calls nothing, and takes no memory; of the words and texts it writes as many
    // as it says, and reads none that it has not written.
    unsafe {
        if houserule_key(state, &raw mut raw, first, count) == 0 {
            return None;
        }
        key.as_mut_ptr().write(rule | raw.tags << TAGS_AT);
        key.set_len(1 + raw.count);
    }
    let known = store.texts.try_borrow().ok()?;
    let is_held = texts.get(..raw.text_count).is_some_and(|all| {
        all.iter().all(|one: &MaybeUninit<*const c_void>| {
            known.contains_key(&unsafe { one.assume_init() }.addr())
        })
    });
    Some(Written {
        open_tables: raw.open as u32,
        is_held,
    })
}

/// Holds the texts that are in the key, so that none of their addresses comes
/// again while answers are kept; whether all could be held.
///
/// # Safety
/// Within a call of [`ask`], whose arguments the key was written from.
unsafe fn hold_texts(state: *mut lua_State, store: &AnswerStore) -> bool {
    let count = unsafe { ffi::lua_gettop(state) };
    (1..=count).all(|place| unsafe { hold_text(state, store, place, 0) })
}

unsafe fn hold_text(state: *mut lua_State, store: &AnswerStore, place: c_int, depth: u32) -> bool {
    unsafe {
        match ffi::lua_type(state, place) {
            ffi::LUA_TSTRING => {
                let address = ffi::lua_topointer(state, place).addr();
                let number = {
                    let Ok(mut texts) = store.texts.try_borrow_mut() else {
                        return false;
                    };
                    if texts.contains_key(&address) {
                        return true;
                    }
                    let number = texts.len() as u32 + 1;
                    if number as usize > MOST_TEXTS {
                        return false;
                    }
                    texts.insert(address, number);
                    number
                };
                ffi::lua_pushvalue(state, place);
                // The table has room for all of them: nothing is made.
                ffi::lua_rawseti_(state, ffi::lua_upvalueindex(4), number as c_int);
                true
            }
            ffi::LUA_TTABLE if depth < DEEPEST => {
                let mut next = 0;
                loop {
                    next = ffi::lua_rawiter(state, place, next);
                    if next < 0 {
                        return true;
                    }
                    let top = ffi::lua_gettop(state);
                    let are_held = hold_text(state, store, top - 1, depth + 1)
                        && hold_text(state, store, top, depth + 1);
                    ffi::lua_settop(state, top - 2);
                    if !are_held {
                        return false;
                    }
                }
            }
            _ => true,
        }
    }
}

// ---- keeping one -------------------------------------------------------------

/// `keep(token, result, why, ...)`: gives the result and the reason, read-only.
unsafe extern "C-unwind" fn keep(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        if count < 3 {
            ffi::lua_settop(state, 3);
        }
        let is_data = houserule_freeze(state, 2) != 0;
        let is_asked = ffi::lua_type(state, 1) == ffi::LUA_TNUMBER;
        if let (Some(shared), true) = (shared_of(state), is_asked) {
            let depth = ffi::lua_tonumberx(state, 1, std::ptr::null_mut()) as usize;
            keep_in(state, shared, depth, is_data, count);
        }
        if let Some(shared) = shared_of(state) {
            houserule_setwork(state, shared.pay(houserule_work(state) as u64) as usize);
        }
        ffi::lua_settop(state, 3);
        2
    }
}

/// Keeps what lies at the second and the third place of the stack.
///
/// # Safety
/// Within a call of [`keep`].
unsafe fn keep_in(
    state: *mut lua_State,
    shared: &Shared,
    depth: usize,
    is_data: bool,
    count: c_int,
) {
    unsafe {
        let work = houserule_work(state);
        let is_data = is_data && are_as_given(state, shared, depth, count);
        let values = (kept_at(state, 2), kept_at(state, 3));
        compare(state, shared, depth);
        // Comparing may have called the machine.
        houserule_setwork(state, work);
        let Some(closed) = shared.answered(depth, work as u64, is_data, values) else {
            return;
        };
        let place = closed.answer.0 as c_int * 2;
        for (value, from, at) in [(values.0, 2, place + 1), (values.1, 3, place + 2)] {
            if value == Kept::Placed {
                ffi::lua_pushvalue(state, from);
                // The table has room for all of them: nothing is made.
                ffi::lua_rawseti_(state, ffi::lua_upvalueindex(3), at);
            }
        }
    }
}

/// Whether the arguments are what they were when the rule began; where it was
/// not given any that it could change, it cannot have changed them.
///
/// # Safety
/// Within a call of [`keep`].
unsafe fn are_as_given(state: *mut lua_State, shared: &Shared, depth: usize, count: c_int) -> bool {
    if count <= 3 {
        return true;
    }
    let store = &shared.answers;
    let Ok(asking) = store.asking.try_borrow() else {
        return false;
    };
    let Some((asked, asking)) = asking.get(depth) else {
        return false;
    };
    if asking.open_tables == 0 {
        return true;
    }
    let rule = asked[0] & 0xffff_ffff;
    let now = unsafe { write_key(state, store, rule, 4, count - 3) };
    now.is_some_and(|now| now.open_tables == asking.open_tables)
        && store.key.try_borrow().is_ok_and(|key| **key == **asked)
}

/// A value on the stack as it is kept.
///
/// # Safety
/// With a value at that place.
unsafe fn kept_at(state: *mut lua_State, place: c_int) -> Kept {
    unsafe {
        Kept::Plain(match ffi::lua_type(state, place) {
            ffi::LUA_TNIL | ffi::LUA_TNONE => Immediate::Nil,
            ffi::LUA_TBOOLEAN => Immediate::Bool(ffi::lua_toboolean(state, place) != 0),
            ffi::LUA_TNUMBER => {
                Immediate::Number(ffi::lua_tonumberx(state, place, std::ptr::null_mut()))
            }
            ffi::LUA_TLIGHTUSERDATA => {
                Immediate::Entity(ffi::lua_tolightuserdata(state, place).addr())
            }
            _ => return Kept::Placed,
        })
    }
}

/// Where a case runs, holds what a rule gives against what is kept, by a
/// function of the prelude that faults if it is another.
///
/// # Safety
/// Within a call of [`keep`].
unsafe fn compare(state: *mut lua_State, shared: &Shared, depth: usize) {
    let Some((answer, result, why)) = shared.answers.compared(depth) else {
        return;
    };
    unsafe {
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(4));
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(5));
        push_answer(state, answer, result, why);
        ffi::lua_pushvalue(state, 2);
        ffi::lua_pushvalue(state, 3);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, 5, 0);
    }
}
