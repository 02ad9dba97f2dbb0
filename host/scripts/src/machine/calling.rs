//! A call from the kernel: a rule is found, is lent the game, and runs.

use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::rules::Stop;
use kernel::value::{Name, Value};
use mlua::{MultiValue, Value as LuaValue};

use super::binding::{Bound, bad_result};
use super::{LuaHost, Returned};
use crate::answers::{self, Entered};
use crate::values::to_lua;
use crate::vm::limited;
use rules::hosting::calls;
use rules::limits::{BUDGET, in_request};

impl LuaHost {
    /// Calls a rule over a game.
    ///
    /// # Errors
    /// As [`kernel::rules::Rules::call`].
    pub fn call(&self, game: &mut Game, rule: &Name, args: &[Value]) -> Result<Value, Stop> {
        let Some(bound) = self.bound.get(rule) else {
            let fault = Fault::new(
                FaultCode::UnknownRule,
                format!("no mod defines the rule `{rule}`"),
            );
            return Err(fault.into());
        };
        let granted = self
            .shared
            .pool
            .get()
            .map_or(BUDGET, |pool| pool.min(BUDGET));
        let is_fresh = self.shared.frames.borrow().is_empty();
        if is_fresh {
            // What an instance remembers is not for another call.
            self.shared.clear_instances();
        }
        if let Some(number) = bound.number
            && let Some(value) = self.shared.kept_answer(game, number, args, granted)
        {
            self.shared.profiler.hit(rule);
            return Ok(value);
        }
        let earlier = self.shared.stop.take();
        let budget = self.shared.budget.replace(granted);
        self.shared.budget.set_parts(0);
        let outcome = self.run_lent(game, (rule, bound), args, is_fresh);
        if is_fresh {
            self.shared.clear_instances();
        }
        let used = granted - self.shared.budget.replace(budget);
        self.shared.charge_call(used);
        let stop = self.shared.stop.take();
        if let Some(earlier) = earlier {
            self.shared.halt(earlier);
        }
        let stop = match (stop, outcome) {
            (Some(stop), _) => stop,
            (None, Ok(outcome)) => {
                let value = match outcome {
                    Returned::Typed(value) => value,
                    Returned::Luau(first, second) => self.result(rule, bound, &first, &second)?,
                };
                self.offered(game, rule, bound, &value)?;
                if let Some(number) = bound.number {
                    self.shared
                        .keep_for_kernel(game, number, args, &value, used);
                }
                return Ok(value);
            }
            (None, Err(error)) => self.raised(rule, &error),
        };
        if matches!(&stop, Stop::Fault(fault) if fault.code == FaultCode::TooMuchMemory) {
            // What the rule has thrown away must not fail the next one too.
            self.shared.answers.clear();
            let _ = self.lua.gc_collect();
        }
        Err(match stop {
            Stop::Fault(fault) if granted < BUDGET => Stop::Fault(in_request(fault)),
            other => other,
        })
    }

    /// Runs a rule over a game, which is lent to the machine for as long as it runs.
    /// `is_fresh`: no component has run before.
    fn run_lent(
        &self,
        game: &mut Game,
        (rule, bound): (&Name, &Bound),
        args: &[Value],
        is_fresh: bool,
    ) -> mlua::Result<Returned> {
        let was_running = self.shared.is_running.replace(true);
        if !was_running {
            self.shared.kept.borrow_mut().tidy();
        }
        let lending = self
            .shared
            .lend(Some(&mut self.shared.game.borrow_mut()), game, is_fresh);
        self.shared.expect_first(bound.number.is_some());
        std::mem::swap(game, &mut self.shared.game.borrow_mut());
        let effects = self.shared.game.borrow().guard().effects;
        let outcome = self.run_noted((rule, bound), args, effects, was_running);
        std::mem::swap(game, &mut self.shared.game.borrow_mut());
        self.shared
            .take_back(&lending, game, Some(&mut self.shared.game.borrow_mut()));
        self.shared.is_running.set(was_running);
        outcome
    }

    /// Runs a rule in the language of its outermost layer.
    pub(super) fn run_bound(
        &self,
        bound: &Bound,
        args: &[Value],
        can_ask: bool,
    ) -> mlua::Result<Returned> {
        self.shared.profiler.restart();
        if !self.shared.recorder.is_running() && bound.chain.is_component() {
            let value = self.run_component(bound, args);
            return Ok(Returned::Typed(value));
        }
        if !can_ask
            && !self.is_watched()
            && let Some(outcome) = self.enter(bound, args)
        {
            return outcome;
        }
        self.run(bound, args, can_ask)
            .map(|(first, second)| Returned::Luau(first, second))
    }

    /// Runs a rule whose outermost layer is a function of a component; why it
    /// was stopped is in what is shared.
    fn run_component(&self, bound: &Bound, args: &[Value]) -> Value {
        let rule = &bound.chain.rule;
        self.shared.met(true);
        let asked = bound
            .number
            .and_then(|number| self.shared.ask_directly(number, args));
        let outcome = calls::run_outermost(&self.shared.running, &bound.chain, args);
        if let Some(direct) = asked
            && let Err(fault) = self
                .shared
                .answered_directly(&direct, rule, outcome.as_ref().ok())
        {
            self.shared.stop_with(self.at_its_place(rule, fault));
        }
        outcome.unwrap_or_default()
    }

    /// The fault of an error that a rule raised or ran into.
    fn raised(&self, rule: &Name, error: &mlua::Error) -> Stop {
        self.at_its_place(rule, self.shared.raised(error, rule))
            .into()
    }

    /// A fault with the place of the rule, unless it has one.
    fn at_its_place(&self, rule: &Name, fault: Fault) -> Fault {
        let layers = self.shared.layers.borrow();
        match layers.iter().find(|layer| layer.rule == *rule) {
            Some(layer) => fault.at(layer.place.clone()),
            None => fault,
        }
    }

    fn run(
        &self,
        bound: &Bound,
        args: &[Value],
        can_ask: bool,
    ) -> mlua::Result<(LuaValue, LuaValue)> {
        let list = match self.entrance.shown(&self.shared, args) {
            Some(list) => list?,
            None => self.shown(args)?,
        };
        // What was done before, such as showing values to a script, is not the rule's.
        self.shared.met(true);
        if !can_ask {
            return limited(&self.lua, || bound.function.call(list));
        }
        let idle = self.threads.borrow_mut().pop();
        let thread = match idle {
            Some(thread) => {
                thread.reset(bound.function.clone())?;
                thread
            }
            None => self.lua.create_thread(bound.function.clone())?,
        };
        let around = self.shared.answers.step(Some(answers::state_of(&thread)));
        let outcome = limited(&self.lua, || thread.resume(list));
        self.shared.answers.step(around);
        if thread.is_finished() {
            self.threads.borrow_mut().push(thread);
        }
        outcome
    }

    /// Whether what runs is told to somebody, or compared: functions around layers do
    /// that.
    fn is_watched(&self) -> bool {
        self.shared.answers.is_watched() || self.shared.profiler.is_on()
    }

    /// Enters the outermost layer of a rule without the function around it; nothing where
    /// that one would find something wrong with the arguments, or the binding must show
    /// them.
    fn enter(&self, bound: &Bound, args: &[Value]) -> Option<mlua::Result<Returned>> {
        let rule = &bound.entered;
        if !rule.shape.takes(args) {
            return None;
        }
        let entered = || self.entrance.call(&self.shared, rule, args);
        Some(
            limited(&self.lua, entered)?.and_then(|entered| match entered {
                Entered::Taken(value) => Ok(Returned::Typed(value)),
                Entered::Given(first, second) => Ok(Returned::Luau(first, second)),
                Entered::Misfit(found) => Err(self.misfit(bound, &found)),
            }),
        )
    }

    /// The error of a rule that gave what it may not give.
    fn misfit(&self, bound: &Bound, found: &LuaValue) -> mlua::Error {
        let outermost = bound.chain.links.last().map_or(0, |link| link.number);
        let mut fault = bad_result(&self.shared, outermost as usize, found);
        fault.caller = self.shared.called_by(&self.lua, fault.rule.as_ref());
        self.shared.fault(&self.lua, fault)
    }

    /// What a rule is called with, shown by the binding.
    fn shown(&self, args: &[Value]) -> mlua::Result<MultiValue> {
        let tables = self.shared.tables()?;
        let args = args.iter().map(|arg| to_lua(&self.lua, &tables, arg));
        std::iter::once(Ok(LuaValue::Nil)).chain(args).collect()
    }
}
