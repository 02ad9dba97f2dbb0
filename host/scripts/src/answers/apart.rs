//! Answers of rules that only read and that components call.
//!
//! Such a rule is computed apart: in instances of components that are new, and
//! of which none is there afterwards. So what it gives depends on what is read
//! and on nothing that ran before, and is kept like the answer to a call from
//! the kernel. Nobody can tell whether it was: what a call costs, and what it
//! takes at most of what all instances share, is kept with the answer, and one
//! that cannot be had is found anew, and so meets the limit where it is met.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use kernel::query::{Answer, Closed};
use kernel::stamp::Stamp;
use kernel::value::Value;
use kernel::world::Viewer;
use rustc_hash::FxHasher;

use super::direct::not_same;
use super::reached::AnswerReach;
use super::{
    Asking, CallKey, CallRoom, Kept, MOST_ANSWERS, MOST_READS, Mode, RESERVE, UNITS_A_CHECK,
};
use crate::vm::Shared;
use rules::hosting::chain::{Chain, Stopped};
use rules::hosting::{Footprint, Instances};
use rules::limits::CHECKS_A_PART;

/// What tells one call from another: in whose eyes, of what, with what.
type ApartCall<'a> = (Viewer, bool, u32, &'a [Value]);

/// An answer to a component.
#[derive(Debug)]
pub(super) struct ApartAnswer {
    viewer: Viewer,
    is_owner: bool,
    rule: u32,
    args: Box<[Value]>,
    answer: Answer,
    version: Stamp,
    value: Value,
    /// What the call cost, in checks.
    cost: u64,
    /// What it took at most.
    room: Footprint,
}

impl ApartAnswer {
    fn is_of(&self, (viewer, is_owner, rule, args): ApartCall<'_>) -> bool {
        self.viewer == viewer
            && self.is_owner == is_owner
            && self.rule == rule
            && *self.args == *args
    }

    pub(super) fn is_version(&self, version: Option<Stamp>) -> bool {
        version == Some(self.version)
    }

    pub(super) fn answer(&self) -> Answer {
        self.answer
    }
}

fn hash_of(call: ApartCall<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    call.hash(&mut hasher);
    hasher.finish()
}

/// What came of asking.
enum ApartOutcome {
    /// It is kept.
    Hit(Value),
    /// It runs, and nothing of it is kept.
    Pass,
    /// It runs: how many rules were open before, and what it must be equal to
    /// where answers are compared.
    Run(usize, Option<Value>),
}

impl Shared {
    /// The answer to a component that calls a rule that only reads.
    ///
    /// # Errors
    /// When it was stopped; why, is in what is shared.
    pub(crate) fn apart(
        &self,
        chain: &Chain,
        args: &[Value],
        run: &dyn Fn() -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        // What scripts owe is paid before and after, so that what is owed tells nobody what ran.
        self.pay_all();
        let Some(instances) = self.instances() else {
            return run();
        };
        let asked = chain.number.map_or(ApartOutcome::Pass, |rule| {
            self.ask_apart(&*instances, rule, args)
        });
        let (depth, expected) = match asked {
            ApartOutcome::Hit(value) => return Ok(value),
            ApartOutcome::Pass => (None, None),
            ApartOutcome::Run(depth, expected) => (Some(depth), expected),
        };
        let open = || {
            self.game
                .try_borrow()
                .ok()
                .and_then(|game| Some(game.graph()?.open_rules()))
        };
        let kept = depth.map_or_else(|| open().unwrap_or(0), |depth| depth + 1);
        let budget = self.budget.get();
        let measure = instances.measure(self.frames.borrow().len());
        let outer = self.answers.apart.replace(Some(kept));
        let outcome = run();
        self.answers.apart.set(outer);
        let room = instances.measured(measure);
        self.pay_all();
        let Some(depth) = depth else { return outcome };
        let closed = self.answered(depth, 0, outcome.is_ok(), (Kept::NIL, Kept::NIL));
        let value = outcome?;
        if expected.is_some_and(|expected| expected != value) {
            return Err(self.stop_with(not_same(&chain.rule)));
        }
        if let (Some(closed), Some(rule)) = (closed, chain.number) {
            self.keep_apart(
                closed,
                (rule, args),
                &value,
                (budget - self.budget.get(), room),
            );
        }
        Ok(value)
    }

    /// Pays for all that scripts have done so far.
    fn pay_all(&self) {
        let work = self
            .answers
            .machine
            .get()
            .map_or(0, |machine| machine.take_work());
        let owed = self.budget.take_parts() * CHECKS_A_PART + work.div_ceil(UNITS_A_CHECK);
        self.budget.set(self.budget.get().saturating_sub(owed));
    }

    fn ask_apart(&self, instances: &dyn Instances, rule: u32, args: &[Value]) -> ApartOutcome {
        let store = &self.answers;
        if store.is_off() || args.iter().any(Value::holds_die) {
            return ApartOutcome::Pass;
        }
        let Ok(mut game) = self.game.try_borrow_mut() else {
            return ApartOutcome::Pass;
        };
        let Some(graph) = game.graph() else {
            return ApartOutcome::Pass;
        };
        let guard = game.guard();
        let call: ApartCall<'_> = (guard.scope, guard.owner.is_some(), rule, args);
        let aparts = store.aparts.borrow();
        let before = aparts.get(&hash_of(call));
        let before =
            before.filter(|one| one.is_of(call) && one.is_version(graph.version(one.answer)));
        let mut expected = None;
        if let Some(one) = before
            && game.is_answer_valid(graph, one.answer)
        {
            let is_compared = store.mode.get() == Mode::Compare;
            let frames = self.frames.borrow().len();
            if !is_compared
                && store.reaching.fits(self.reached_of(one.answer).as_ref())
                && !graph.is_too_deep(one.answer)
                && self.budget.get() > one.cost + RESERVE
                && instances.has_room(frames, one.room)
                && store.has_room(&self.room_of(one.answer))
            {
                game.use_answer(graph, one.answer);
                store.reaching.give(self.reached_of(one.answer).as_ref());
                self.budget.set(self.budget.get() - one.cost);
                store.tell(true);
                self.profiler.hit_number(rule);
                return ApartOutcome::Hit(one.value.clone());
            }
            expected = is_compared.then(|| one.value.clone());
        }
        if before.is_none() && graph.len() >= MOST_ANSWERS || graph.reads() >= MOST_READS {
            return ApartOutcome::Pass;
        }
        let place = before.map(|one| one.answer);
        store.tell(false);
        let key = store.key_of(place);
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
            is_first: false,
            begun: store.begin(),
        };
        asking.push((key, begun));
        ApartOutcome::Run(depth, expected)
    }

    /// What was reached as an answer was found, if that was noted.
    fn reached_of(&self, answer: Answer) -> Option<Rc<AnswerReach>> {
        let entries = self.answers.entries.borrow();
        entries.get(answer.0 as usize)?.as_ref()?.reached.clone()
    }

    /// What the rule of an answer took at most in the machine.
    fn room_of(&self, answer: Answer) -> CallRoom {
        let entries = self.answers.entries.borrow();
        let entry = entries.get(answer.0 as usize).and_then(Option::as_ref);
        entry.map_or_else(CallRoom::default, |entry| entry.room)
    }

    fn keep_apart(
        &self,
        closed: Closed,
        (rule, args): (u32, &[Value]),
        value: &Value,
        (cost, room): (u64, Footprint),
    ) {
        let Ok(game) = self.game.try_borrow() else {
            return;
        };
        let guard = game.guard();
        let (viewer, is_owner) = (guard.scope, guard.owner.is_some());
        let (answer, version) = (closed.answer, closed.version);
        let value = value.clone();
        let one = ApartAnswer {
            viewer,
            is_owner,
            rule,
            args: args.into(),
            answer,
            version,
            value,
            cost,
            room,
        };
        self.answers
            .aparts
            .borrow_mut()
            .insert(hash_of((viewer, is_owner, rule, args)), one);
    }
}

impl super::AnswerStore {
    /// The key of an answer that has its place already, or one that no other has.
    pub(super) fn key_of(&self, place: Option<Answer>) -> CallKey {
        let found = place.and_then(|place| {
            Some(
                self.entries
                    .borrow()
                    .get(place.0 as usize)?
                    .as_ref()?
                    .key
                    .clone(),
            )
        });
        found.unwrap_or_else(|| {
            self.directs.set(self.directs.get() + 1);
            CallKey::from_slice(&[super::direct::DIRECT, self.directs.get()])
        })
    }
}
