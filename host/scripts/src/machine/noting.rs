//! When layers tell what they are given and give.

use kernel::game::{Effects, Game};
use kernel::value::{Name, Value};

use super::binding::Bound;
use super::{LuaHost, Returned};
use rules::hosting::registry::Layer;
use rules::trace::innermost_of_reason;

impl LuaHost {
    /// The innermost function that gave the reason for which a rule that only
    /// reads said no. The rule runs once more for it, and is noted.
    pub(crate) fn layer_of_reason(
        &self,
        game: &mut Game,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Layer> {
        let recorder = &self.shared.recorder;
        if recorder.is_running() {
            return None;
        }
        recorder.begin(rule);
        self.set_noting(true);
        let outcome = self.call(game, rule, args);
        self.set_noting(false);
        let notes = recorder.cut();
        outcome.ok()?;
        let number = innermost_of_reason(&notes, reason)?;
        self.shared.layers.borrow().get(number as usize).cloned()
    }

    /// Runs a rule; what its layers are given and give is noted if it is the
    /// first, writes, and somebody wishes to know.
    pub(super) fn run_noted(
        &self,
        (rule, bound): (&Name, &Bound),
        args: &[Value],
        effects: Effects,
        was_running: bool,
    ) -> mlua::Result<Returned> {
        let is_noted =
            self.shared.recorder.is_wanted() && !was_running && effects.include(Effects::WRITES);
        if is_noted {
            self.shared.recorder.begin(rule);
            self.set_noting(true);
        }
        let outcome = self.run_bound(bound, args, effects.include(Effects::ASKS));
        if is_noted {
            self.set_noting(false);
            self.shared
                .recorder
                .end(outcome.is_ok() && self.shared.stop.borrow().is_none());
        }
        outcome
    }

    /// Whether layers tell what they are given and give.
    fn set_noting(&self, is_on: bool) {
        self.shared.answers.set_noting(is_on);
        // The function only sets two locals of the prelude: it cannot fail.
        let _ = self.noting.call::<()>(is_on);
    }
}
