//! Asking for an answer, and keeping one: for layers of rules, which call [`ask`] and
//! [`keep`], and for rules that the kernel enters.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use kernel::query::Answer;
use mlua::ffi::{self, lua_State};

use super::super::{AnswerStore, Asked, Asking, Kept, MOST_TEXTS};
use super::{
    Machine, houserule_freeze, houserule_key, houserule_number, houserule_setwork, houserule_work,
    push, shared_of,
};
use crate::values::Immediate;
use crate::vm::Shared;

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

/// The upvalue of [`ask`] and of [`keep`] that is the table of answers.
const PLACED: c_int = 3;

/// The upvalue of [`ask`] that is the table of texts in keys.
const TEXTS: c_int = 4;

/// The upvalue of [`ask`] that is the number of its rule.
const RULE: c_int = 5;

/// What came of asking for an answer.
pub(super) enum AskedCall {
    /// Nothing can be kept.
    Pass,
    /// The rule must run; how many were open before it.
    Run(usize),
    /// It is kept.
    Hit(Answer, Kept, Kept),
}

/// `ask(...)`: `true`, the answer and its reason if it is kept; else what to
/// give to `keep`, nil if nothing can be kept.
pub(super) unsafe extern "C-unwind" fn ask(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        let rule = houserule_number(state, RULE) as u32;
        let texts = ffi::lua_upvalueindex(TEXTS);
        let asked = shared_of(state).map_or(AskedCall::Pass, |shared| {
            asked(state, shared, rule, (1, count), texts)
        });
        match asked {
            AskedCall::Pass => {
                ffi::lua_pushnil(state);
                1
            }
            AskedCall::Run(depth) => {
                ffi::lua_pushnumber(state, depth as f64);
                1
            }
            AskedCall::Hit(answer, result, why) => {
                ffi::lua_pushboolean(state, 1);
                push_answer(state, answer, (result, why), ffi::lua_upvalueindex(PLACED));
                3
            }
        }
    }
}

/// Asks for the answer of a rule to so many arguments, from one place of the stack on;
/// the texts among them are held by the table at another. It takes no memory.
///
/// # Safety
/// Within a call, with those arguments, and three places on the stack that are free.
pub(super) unsafe fn asked(
    state: *mut lua_State,
    shared: &Shared,
    rule: u32,
    (first, count): (c_int, c_int),
    held: c_int,
) -> AskedCall {
    let store = &shared.answers;
    let is_first = store.is_first.replace(false);
    let is_stopped = || shared.stop.try_borrow().map_or(true, |stop| stop.is_some());
    if store.is_off() || !shared.is_running.get() || is_stopped() || !store.is_worth(rule) {
        return AskedCall::Pass;
    }
    unsafe {
        let before = houserule_work(state);
        let Some(written) = write_key(state, store, u64::from(rule), first, count) else {
            return AskedCall::Pass;
        };
        let (machine, mut work) = (Machine(state), before as u64);
        match shared.ask(machine, &mut work, is_first) {
            Asked::Pass => AskedCall::Pass,
            Asked::Run { place, compares } => {
                // A key that is there already has texts that are held.
                let are_texts_held = written.is_held
                    || place.is_some()
                    || (first..first + count).all(|at| hold_text(state, store, at, held, 0));
                houserule_setwork(state, before);
                let depth = are_texts_held.then(|| {
                    let asking = Asking {
                        place,
                        compares,
                        open_tables: written.open_tables,
                        is_first,
                        spent: shared.spent(work),
                        begun: Some((machine, machine.enter())),
                    };
                    shared.begin_asking(asking)
                });
                depth.flatten().map_or(AskedCall::Pass, AskedCall::Run)
            }
            Asked::Hit(answer, result, why) => {
                houserule_setwork(state, work as usize);
                AskedCall::Hit(answer, result, why)
            }
        }
    }
}

/// Pushes a kept answer and its reason; what of them is no plain value lies in the
/// table of answers, at a place of the stack. It takes no memory.
///
/// # Safety
/// Within a call, with two places on the stack that are free.
pub(super) unsafe fn push_answer(
    state: *mut lua_State,
    answer: Answer,
    (result, why): (Kept, Kept),
    placed: c_int,
) {
    unsafe {
        let place = answer.0 as c_int * 2;
        for (value, at) in [(result, place + 1), (why, place + 2)] {
            match value {
                Kept::Placed => {
                    ffi::lua_rawgeti_(state, placed, at);
                }
                Kept::Plain(plain) => push(state, plain),
            }
        }
    }
}

/// What the machine writes of a call; `houserule_Key` has the same form there.
#[repr(C)]
pub(super) struct RawKey {
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

/// Holds the texts of a value that is in the key, so that none of their addresses comes
/// again while answers are kept; whether all could be held.
///
/// # Safety
/// Within a call, with that value and the table of texts on its stack.
unsafe fn hold_text(
    state: *mut lua_State,
    store: &AnswerStore,
    place: c_int,
    held: c_int,
    depth: u32,
) -> bool {
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
                ffi::lua_rawseti_(state, held, number as c_int);
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
                    let are_held = hold_text(state, store, top - 1, held, depth + 1)
                        && hold_text(state, store, top, held, depth + 1);
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
pub(super) unsafe extern "C-unwind" fn keep(state: *mut lua_State) -> c_int {
    unsafe {
        let count = ffi::lua_gettop(state);
        if count < 3 {
            ffi::lua_settop(state, 3);
        }
        let is_data = houserule_freeze(state, 2) != 0;
        let is_asked = ffi::lua_type(state, 1) == ffi::LUA_TNUMBER;
        if let (Some(shared), true) = (shared_of(state), is_asked) {
            let depth = ffi::lua_tonumberx(state, 1, std::ptr::null_mut()) as usize;
            let is_data = is_data && are_as_given(state, shared, depth, count);
            let work = houserule_work(state);
            compare(state, shared, depth);
            // Comparing may have called the machine.
            houserule_setwork(state, work);
            keep_at(
                state,
                shared,
                depth,
                is_data,
                (2, ffi::lua_upvalueindex(PLACED)),
            );
        }
        if let Some(shared) = shared_of(state) {
            pay(state, shared);
        }
        ffi::lua_settop(state, 3);
        2
    }
}

/// Pays for the work that a rule has left.
///
/// # Safety
/// Within a call.
pub(super) unsafe fn pay(state: *mut lua_State, shared: &Shared) {
    unsafe { houserule_setwork(state, shared.pay(houserule_work(state) as u64) as usize) };
}

/// Keeps what lies at a place of the stack and the one after it, in the table of answers
/// at another. It takes no memory.
///
/// # Safety
/// Within a call, with those values, and a place on the stack that is free.
pub(super) unsafe fn keep_at(
    state: *mut lua_State,
    shared: &Shared,
    depth: usize,
    is_data: bool,
    (first, placed): (c_int, c_int),
) {
    unsafe {
        let work = houserule_work(state) as u64;
        let values = (kept_at(state, first), kept_at(state, first + 1));
        let Some(closed) = shared.answered(depth, work, is_data, values) else {
            return;
        };
        let place = closed.answer.0 as c_int * 2;
        for (value, from, at) in [
            (values.0, first, place + 1),
            (values.1, first + 1, place + 2),
        ] {
            if value == Kept::Placed {
                ffi::lua_pushvalue(state, from);
                // The table has room for all of them: nothing is made.
                ffi::lua_rawseti_(state, placed, at);
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
        push_answer(
            state,
            Answer(answer),
            (result, why),
            ffi::lua_upvalueindex(PLACED),
        );
        ffi::lua_pushvalue(state, 2);
        ffi::lua_pushvalue(state, 3);
        // What it raises passes through: nothing here is held.
        ffi::lua_call(state, 5, 0);
    }
}
