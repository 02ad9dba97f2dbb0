//! Going on at an interrupt: at each call, each return and each turn of a loop
//! the machine asks whether it may go on.
//!
//! Nearly always it may, and pays for it by itself, in the budget that it was
//! given ([`Budget`]). Where its numbers say otherwise it asks here, and so it
//! does now and then, so that somebody looks at the clock. Where it may not go
//! on, and where memory is to be tidied, the interrupt of the binding does what
//! is to be done.
//! Which machine asks is found by the address of its callbacks, among those of
//! the thread.

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;
use std::sync::OnceLock;

use mlua::Lua;
use mlua::ffi::{self, lua_State};

use crate::vm::Shared;
use rules::limits::{Budget, CHECKS_A_PART, STAYS, too_slow};

unsafe extern "C-unwind" {
    /// What the machine counts down by itself, none if null; and with how much
    /// memory in use it asks.
    fn houserule_budget(state: *mut lua_State, budget: *const Budget, tidy: usize);
}

type Interrupt = unsafe extern "C-unwind" fn(*mut lua_State, c_int);

/// What the binding does at an interrupt, the same function for all machines.
static SLOW: OnceLock<Interrupt> = OnceLock::new();

thread_local! {
    /// The machines of this thread, by the addresses of their callbacks.
    static MACHINES: RefCell<Vec<(usize, *const InterruptedMachine)>> = const { RefCell::new(Vec::new()) };
    /// The one that asked last.
    static LAST: Cell<(usize, *const InterruptedMachine)> = const { Cell::new((0, std::ptr::null())) };
}

struct InterruptedMachine {
    lua: Lua,
    shared: Rc<Shared>,
}

/// The interrupts of a machine, which are ours for as long as this lives.
pub(crate) struct Interrupts {
    callbacks: usize,
    machine: Box<InterruptedMachine>,
}

impl Interrupts {
    /// Answers the interrupts of a machine that has one of the binding.
    ///
    /// # Errors
    /// When the machine has no memory for it.
    pub fn of(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Interrupts> {
        let machine = Box::new(InterruptedMachine {
            lua: lua.clone(),
            shared: shared.clone(),
        });
        let mut callbacks = 0;
        // It writes to the callbacks of a machine that is there, and calls nothing.
        unsafe {
            lua.exec_raw::<()>((), |state| {
                let own = ffi::lua_callbacks(state);
                if let Some(slow) = (*own).interrupt.replace(go_on) {
                    SLOW.get_or_init(|| slow);
                }
                callbacks = own.addr();
                // It lives as long as this, and does not move.
                houserule_budget(state, Rc::as_ptr(&shared.budget), STAYS);
            })?;
        }
        MACHINES.with_borrow_mut(|all| all.push((callbacks, std::ptr::from_ref(&*machine))));
        LAST.set((0, std::ptr::null()));
        Ok(Interrupts { callbacks, machine })
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        // As above; without memory for it the machine runs nothing more either.
        let _ = unsafe {
            self.machine.lua.exec_raw::<()>((), |state| {
                (*ffi::lua_callbacks(state)).interrupt = SLOW.get().copied();
                houserule_budget(state, std::ptr::null(), 0);
            })
        };
        let own = self.callbacks;
        let _ =
            MACHINES.try_with(|all| all.borrow_mut().retain(|(callbacks, _)| *callbacks != own));
        let _ = LAST.try_with(|last| last.set((0, std::ptr::null())));
    }
}

/// The interrupt.
unsafe extern "C-unwind" fn go_on(state: *mut lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    unsafe {
        // A machine is in the list for as long as it lives, and lives while it runs.
        if let Some(machine) = machine_of(ffi::lua_callbacks(state).addr()).as_ref()
            && may_go_on(machine)
        {
            return;
        }
        if let Some(slow) = SLOW.get() {
            // What it raises passes through: nothing here is held.
            slow(state, gc);
        }
    }
}

fn machine_of(callbacks: usize) -> *const InterruptedMachine {
    let last = LAST.get();
    if last.0 == callbacks {
        return last.1;
    }
    let found = MACHINES.with(|all| {
        let all = all.try_borrow().ok()?;
        all.iter()
            .find(|(own, _)| *own == callbacks)
            .map(|(_, machine)| *machine)
    });
    let found = found.unwrap_or(std::ptr::null());
    LAST.set((callbacks, found));
    found
}

/// Whether nothing stands against it; then it is paid.
fn may_go_on(machine: &InterruptedMachine) -> bool {
    let shared = &machine.shared;
    let is_stopped = shared.stop.try_borrow().map_or(true, |stop| stop.is_some());
    if is_stopped || machine.lua.used_memory() > STAYS {
        return false;
    }
    let Some(left) = shared
        .budget
        .get()
        .checked_sub(1 + shared.budget.parts() * CHECKS_A_PART)
    else {
        return false;
    };
    if shared.watch.is_over_after(shared.budget.ask_later() + 1) {
        // It does not say so again: the rule is stopped, which the binding meets.
        let _ = shared.fault(&machine.lua, too_slow());
        return false;
    }
    shared.budget.set_parts(0);
    shared.budget.set(left);
    true
}
