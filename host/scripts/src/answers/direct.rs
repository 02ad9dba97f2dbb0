//! Answers of rules that the kernel calls and whose outermost layer is a
//! function of a component: nothing of them is in the machine.
//!
//! All instances of components are new when the kernel calls, so what comes of
//! the call depends on what is read and on nothing else. What a component calls
//! that only reads is computed apart in the same way, and kept by
//! [`apart`](super::apart). Whatever else is called within meets instances that
//! have run before, which may remember it: such answers are not kept by
//! themselves, and what is kept here is good for calls from the kernel alone.

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::value::{Name, Value};

use super::{Asking, CallKey, Kept, MOST_ANSWERS, MOST_READS, hash_of};
use crate::vm::Shared;

/// The first word of the key of such an answer, which no rule has; the second
/// tells one from another.
pub(super) const DIRECT: u64 = u64::MAX;

/// A call that runs and whose answer is to be kept.
#[derive(Debug)]
pub(crate) struct DirectCall {
    depth: usize,
    /// What it must be equal to, where answers are compared.
    expected: Option<Value>,
}

impl Shared {
    /// What a component computes now depends on what ran before it: of what is
    /// open only the answer may be kept that is computed apart, which is that to
    /// the kernel, or one within it that a component has asked for.
    pub(crate) fn spoil_nested(&self) {
        let store = &self.answers;
        let Ok(game) = self.game.try_borrow() else {
            return store.is_spoiled.set(true);
        };
        let outermost = store.outside.get();
        let is_first = |all: &Vec<(CallKey, Asking)>| {
            all.get(outermost)
                .is_some_and(|(_, asking)| asking.is_first)
        };
        let to_kernel = || {
            store.is_fresh.get()
                && store
                    .asking
                    .try_borrow()
                    .is_ok_and(|asking| is_first(&asking))
        };
        match store.apart.get() {
            Some(kept) => game.spoil_nested(kept),
            None if to_kernel() => game.spoil_nested(outermost + 1),
            None => game.spoil_answers(),
        }
    }

    /// The kernel calls a rule that only reads, and a component answers; `None`
    /// if the answer cannot be kept.
    pub(crate) fn ask_directly(&self, rule: u32, args: &[Value]) -> Option<DirectCall> {
        let store = &self.answers;
        // Whatever a script asks from here on is not the first.
        store.is_first.set(false);
        if store.is_off() || !store.is_fresh.get() || args.iter().any(Value::holds_die) {
            return None;
        }
        let mut game = self.game.try_borrow_mut().ok()?;
        if game.guard().effects != Effects::READS {
            return None;
        }
        let graph = game.graph()?;
        if graph.reads() >= MOST_READS {
            return None;
        }
        let viewer = game.guard().scope;
        let known = store.kernel_answers.borrow();
        let before = known.get(&hash_of(viewer, rule, args)).filter(|one| {
            let is_asked = one.viewer == viewer && one.rule == rule && one.args == args;
            is_asked && graph.version(one.answer) == Some(one.version)
        });
        if before.is_none() && graph.len() >= MOST_ANSWERS {
            return None;
        }
        let is_compared = store.mode.get() == super::Mode::Compare;
        let valid = before.filter(|one| is_compared && game.is_answer_valid(graph, one.answer));
        let expected = valid.map(|one| one.value.clone());
        let place = before.map(|one| one.answer);
        let key = store.key_of(place);
        store.tell(false);
        let depth = game.begin_answer();
        store.reaching.open(depth);
        let mut asking = store.asking.borrow_mut();
        asking.truncate(depth);
        let compares = expected.is_some();
        let begun = Asking {
            spent: self.spent(0),
            place,
            compares,
            open_tables: 0,
            is_first: true,
            begun: store.begin(),
        };
        asking.push((key, begun));
        Some(DirectCall { depth, expected })
    }

    /// The rule is over that ran because of [`Shared::ask_directly`].
    ///
    /// # Errors
    /// When it did not give what it gave, though nothing that it reads changed.
    pub(crate) fn answered_directly(
        &self,
        direct: &DirectCall,
        rule: &Name,
        value: Option<&Value>,
    ) -> Result<(), Fault> {
        self.answered(direct.depth, 0, value.is_some(), (Kept::NIL, Kept::NIL));
        match (&direct.expected, value) {
            (Some(expected), Some(value)) if expected != value => Err(not_same(rule)),
            _ => Ok(()),
        }
    }
}

/// The fault of a rule that gives another answer, though nothing has changed.
pub(crate) fn not_same(rule: &Name) -> Fault {
    let message = format!(
        "`{rule}` only reads: expected the same answer as before, for nothing that it reads has changed, found another"
    );
    let fault = Fault::new(FaultCode::HiddenState, message).in_rule(rule);
    fault.hint("look at nothing but the game and the arguments")
}
