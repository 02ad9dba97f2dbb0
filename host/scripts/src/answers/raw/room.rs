//! What a rule takes at most of what has a limit in the machine: an answer is
//! given only where the rule, if it ran again, would meet none.

use mlua::Thread;
use mlua::ffi::lua_State;

use super::Machine;
use rules::limits::STAYS;

/// Between the kernel, or a component, and the function that asks for an answer
/// lie no more calls than these.
const FRAMES_BETWEEN: u32 = 16;
const CCALLS_BETWEEN: u32 = 8;

/// What a call took at most beyond what there was as it began; `houserule_Room`
/// has the same form in the machine.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::answers) struct CallRoom {
    /// Calls within calls.
    frames: u32,
    /// Calls of the machine's library within calls.
    ccalls: u32,
    /// Bytes that were asked for, whatever was given back.
    bytes: u64,
}

impl CallRoom {
    /// The same where nobody asks in the machine.
    pub fn with_calls_between(self) -> CallRoom {
        CallRoom {
            frames: self.frames.saturating_add(FRAMES_BETWEEN),
            ccalls: self.ccalls.saturating_add(CCALLS_BETWEEN),
            ..self
        }
    }
}

unsafe extern "C-unwind" {
    /// A call begins: what is to be known again when it is over.
    fn houserule_enter(state: *mut lua_State, outer: *mut CallRoom);
    /// It is over: what it took.
    fn houserule_leave(state: *mut lua_State, outer: *const CallRoom, took: *mut CallRoom);
    /// One that took so much is answered for; 0 where there is no room for it.
    fn houserule_spare(state: *mut lua_State, took: *const CallRoom, most: usize) -> i32;
}

/// The state of a thread, which lives as long as that: a thread of the machine lies
/// where its state does.
pub(crate) fn state_of(thread: &Thread) -> Machine {
    Machine(thread.to_pointer().cast::<lua_State>().cast_mut())
}

impl Machine {
    /// A rule begins: what is to be known again when it is over.
    pub(in crate::answers) fn enter(self) -> CallRoom {
        let mut outer = CallRoom::default();
        // The machine lives while its answers are asked for; it looks at numbers of its
        // own, and takes no memory.
        unsafe { houserule_enter(self.0, &raw mut outer) };
        outer
    }

    /// It is over: what it took at most.
    pub(in crate::answers) fn leave(self, outer: &CallRoom) -> CallRoom {
        let mut took = CallRoom::default();
        // As above.
        unsafe { houserule_leave(self.0, &raw const *outer, &raw mut took) };
        took
    }

    /// Whether a rule that took so much would meet no limit now: if so, it counts as
    /// having run.
    pub(in crate::answers) fn has_room(self, took: &CallRoom) -> bool {
        // As above.
        unsafe { houserule_spare(self.0, &raw const *took, STAYS) != 0 }
    }
}
