//! Running what lies on the agenda, to the next decision.

use crate::book::{Acts, AskOrder, Order, Phase, PhaseBody};
use crate::engine::MOST_STEPS;
use crate::error::{Fault, FaultCode};
use crate::event::Cause;
use crate::game::{Game, Guard};
use crate::rules::{Rules, Stop};
use crate::sequence::Frame;
use crate::stamp::{Stamp, Unseen};
use crate::value::{Name, Side, Value};
use crate::world::{Edge, Viewer};

/// Whether the agenda can go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgendaProgress {
    GoesOn,
    Waits,
}

impl Game {
    /// Runs to the next decision, or to the end.
    pub(crate) fn advance(&mut self, rules: &dyn Rules) -> Result<(), Fault> {
        let outcome = self.run_on(rules);
        self.follow_flow();
        outcome
    }

    fn run_on(&mut self, rules: &dyn Rules) -> Result<(), Fault> {
        for _ in 0..MOST_STEPS {
            if self.run_next(rules)? == AgendaProgress::Waits {
                self.is_looked_at = true;
                self.notice();
                return Ok(());
            }
        }
        Err(self.too_many_steps())
    }

    /// Runs what comes first on the agenda.
    pub(crate) fn run_next(&mut self, rules: &dyn Rules) -> Result<AgendaProgress, Fault> {
        self.follow_flow();
        if self.flow.finished.is_some() && self.running.start.is_none() {
            self.flow.agenda.clear();
            return Ok(AgendaProgress::Waits);
        }
        let progress = match self.flow.top() {
            None => {
                self.flow.finished.get_or_insert(Value::None);
                return Ok(AgendaProgress::Waits);
            }
            Some(Frame::Step { .. }) => self.run_step(rules)?,
            Some(Frame::Window(_)) => self.run_window(rules)?,
            Some(Frame::Phase(_)) => self.run_phase(rules)?,
            Some(Frame::Leave { phase }) => {
                let phase = phase.clone();
                self.leave_phase(&phase)
            }
        };
        // What the rules conceal before anybody looks has never been seen.
        if self.is_looked_at {
            self.notice();
        }
        Ok(progress)
    }

    /// The fault of an agenda that does not run dry; it names what comes next.
    fn too_many_steps(&self) -> Fault {
        let next = match self.flow.top() {
            Some(Frame::Step { rule, .. }) => Some(rule),
            Some(Frame::Phase(phase)) => Some(&phase.id),
            Some(Frame::Window(window)) => Some(&window.id),
            _ => None,
        };
        let next = next.map_or(String::new(), |next| format!("; next comes `{next}`"));
        let fault = Fault::new(
            FaultCode::TooManySteps,
            format!("expected at most {MOST_STEPS} steps from one input, found more{next}"),
        )
        .hint("some rule pushes itself, or a phase never ends");
        match self.flow.agenda.iter().rev().find_map(|frame| match frame {
            Frame::Step { rule, .. } => Some(rule.clone()),
            _ => None,
        }) {
            Some(rule) => fault.in_rule(&rule),
            None => fault,
        }
    }

    fn run_step(&mut self, rules: &dyn Rules) -> Result<AgendaProgress, Fault> {
        let Some(Frame::Step { rule, args, by }) = self.flow.top().cloned() else {
            return Ok(AgendaProgress::GoesOn);
        };
        if self.running.asking.is_some() {
            // Others have yet to answer; running again would forget who did.
            return Ok(AgendaProgress::Waits);
        }
        if self.running.start.is_none() {
            self.flow.step = self
                .flow
                .step
                .checked_add(1)
                .ok_or_else(too_many_in_action)?;
        }
        self.begin_step();
        self.running.by = by;
        self.guard = self.step_guard();
        let outcome = rules.call(self, &rule, &args);
        self.guard = Guard::STEP;
        match (outcome, self.running.asking.is_some()) {
            (Ok(_), false) => {
                self.flow.agenda.pop();
                let pushed = self.end_step();
                self.flow.agenda.extend(pushed.into_iter().rev());
                Ok(AgendaProgress::GoesOn)
            }
            (Err(Stop::Asked), true) => self.give_queued(rules),
            (Err(Stop::Fault(fault)), _) => Err(fault.in_rule(&rule)),
            (Ok(_), true) => Err(went_on("one that went on").in_rule(&rule)),
            (Err(Stop::Asked), false) => {
                Err(went_on("one that stopped without asking").in_rule(&rule))
            }
        }
    }

    /// Gives the step the queued answers, where a rule has the last word on
    /// them; without them it waits.
    fn give_queued(&mut self, rules: &dyn Rules) -> Result<AgendaProgress, Fault> {
        let Some((question, _)) = self.running.asking.clone() else {
            return Ok(AgendaProgress::Waits);
        };
        if !self.fits_queued(&question) {
            return Ok(AgendaProgress::Waits);
        }
        let values: Vec<Value> = self
            .queued_answers
            .iter()
            .take(question.to.len())
            .map(|(_, v)| v.clone())
            .collect();
        for ((side, domain), value) in question.to.iter().zip(&values) {
            if self.checked(rules, *side, domain, value)?.is_err() {
                return Ok(AgendaProgress::Waits);
            }
        }
        self.take_queued(&question);
        self.running.asking = None;
        Ok(AgendaProgress::GoesOn)
    }

    /// In a secret phase a step looks with its side's eyes and writes only
    /// what that side owns; it may not ask, which the others would notice.
    pub(crate) fn step_guard(&self) -> Guard {
        match self.flow.lane {
            0 => Guard {
                scope: self.eyes.map_or(Viewer::Referee, Viewer::Side),
                ..Guard::STEP
            },
            lane => {
                let side = Side(lane - 1);
                let effects = crate::game::Effects::READS
                    .and(crate::game::Effects::WRITES)
                    .and(crate::game::Effects::DRAWS);
                Guard {
                    effects,
                    scope: Viewer::Side(side),
                    owner: Some(side),
                }
            }
        }
    }

    fn leave_phase(&mut self, id: &Name) -> AgendaProgress {
        let open = self
            .flow
            .agenda
            .iter()
            .rposition(|frame| matches!(frame, Frame::Phase(phase) if phase.id == *id));
        match open {
            Some(place) => {
                while self.flow.agenda.len() > place {
                    self.end_top();
                }
            }
            None => self.end_top(),
        }
        AgendaProgress::GoesOn
    }

    // ---- windows ---------------------------------------------------------

    fn run_window(&mut self, rules: &dyn Rules) -> Result<AgendaProgress, Fault> {
        let Some(Frame::Window(window)) = self.flow.top().cloned() else {
            return Ok(AgendaProgress::GoesOn);
        };
        let book = self.book.clone();
        let declared = book.window(&window.id)?;
        // Whether somebody might react rests on what its side alone knows.
        let is_unknown = self.eyes.is_some();
        if is_unknown || (!declared.is_uniform && book.reactions_at(&window.id).next().is_none()) {
            self.flow.agenda.pop();
            return Ok(AgendaProgress::GoesOn);
        }
        for side in self.asked_in_order(declared.order, window.acting) {
            let has_passed = window.passed & (1 << side.0) != 0;
            if has_passed || self.flow.standing.contains(&(side, window.id.clone())) {
                continue;
            }
            if declared.is_uniform || self.may_react(rules, side, &window)? {
                if let Some(top) = self.flow.top_window() {
                    top.asking = Some(side);
                }
                return Ok(AgendaProgress::Waits);
            }
        }
        self.flow.agenda.pop();
        Ok(AgendaProgress::GoesOn)
    }

    /// The sides in the order in which a window asks them.
    fn asked_in_order(&self, order: AskOrder, acting: Option<Side>) -> Vec<Side> {
        let count = self.world.sides().len() as u8;
        let first = acting.map_or(0, |side| side.0);
        let round = (0..count).map(|i| Side((first + i) % count.max(1)));
        match (order, acting) {
            (_, None) | (AskOrder::ActingFirst, _) => round.collect(),
            (AskOrder::OthersOnly, _) => round.skip(1).collect(),
            (AskOrder::OthersFirst, Some(acting)) => round.skip(1).chain([acting]).collect(),
        }
    }

    // ---- phases ----------------------------------------------------------

    fn run_phase(&mut self, rules: &dyn Rules) -> Result<AgendaProgress, Fault> {
        let Some(Frame::Phase(frame)) = self.flow.top() else {
            return Ok(AgendaProgress::GoesOn);
        };
        let (id, begins) = (frame.id.clone(), !frame.has_begun);
        let book = self.book.clone();
        let phase = book.phase(&id)?;
        if begins {
            self.begin_phase(phase);
            let data = self
                .flow
                .top_phase()
                .map_or(Value::None, |frame| frame.data.clone());
            self.expire(Edge::Begins, &id, &data);
        }
        match &phase.body {
            PhaseBody::Sequence(phases) => {
                self.next_of(phases);
                Ok(AgendaProgress::GoesOn)
            }
            PhaseBody::Loop { phases, until } => self.run_loop(rules, phases, until.as_ref()),
            PhaseBody::Automatic { rule } => {
                self.flow.agenda.pop();
                let by = self.flow.acting();
                self.flow.push_step(rule, &[], by);
                Ok(AgendaProgress::GoesOn)
            }
            PhaseBody::Acts(acts) => self.run_acts(rules, acts),
        }
    }

    /// Takes what comes first off the agenda; a phase ends.
    fn end_top(&mut self) {
        if let Some(Frame::Phase(phase)) = self.flow.agenda.pop() {
            self.expire(Edge::Ends, &phase.id, &phase.data);
        }
    }

    /// Takes back to their default the attributes that hold until this edge.
    fn expire(&mut self, edge: Edge, phase: &str, data: &Value) {
        if self.tracked.0.is_some() {
            self.track_lifetimes(edge, phase);
        }
        self.world.expire(edge, phase, data);
    }

    /// Notes for whoever tracks them the attributes that such an edge looks at.
    fn track_lifetimes(&self, edge: Edge, phase: &str) {
        let schema = self.world.schema();
        let ending = schema
            .lifetimes()
            .filter(|(_, _, until)| until.is_at(edge, phase));
        for (kind, slot, until) in ending {
            self.track_kind(kind, slot);
            let of = until
                .of
                .as_ref()
                .and_then(|of| schema.kind(kind).require(of).ok());
            if let Some(of) = of {
                self.track_kind(kind, of);
            }
        }
    }

    fn begin_phase(&mut self, phase: &Phase) {
        if let Some(frame) = self.flow.top_phase() {
            frame.has_begun = true;
        }
        if phase.is_announced {
            let fields = vec![
                ("phase", Value::Text(phase.id.clone())),
                ("title", Value::Text(phase.title.clone())),
            ];
            self.announce("phase", fields, Cause::default());
        }
    }

    /// Puts the next phase of several on the agenda; whether there was one.
    fn next_of(&mut self, phases: &[Name]) -> bool {
        let Some(frame) = self.flow.top_phase() else {
            return false;
        };
        match phases.get(frame.next as usize) {
            Some(id) => {
                frame.next += 1;
                let inner = Frame::phase(id.clone(), Value::None);
                self.flow.agenda.push(inner);
                true
            }
            None => {
                self.end_top();
                false
            }
        }
    }

    fn run_loop(
        &mut self,
        rules: &dyn Rules,
        phases: &[Name],
        until: Option<&Name>,
    ) -> Result<AgendaProgress, Fault> {
        let at = self.flow.top_phase().map_or(0, |frame| frame.next as usize);
        if at == 0 || at >= phases.len() {
            let ends = match until {
                Some(rule) => self.tells(rules, Viewer::Referee, rule, &[])?,
                None => false,
            };
            if ends || phases.is_empty() {
                self.end_top();
                return Ok(AgendaProgress::GoesOn);
            }
            if let Some(frame) = self.flow.top_phase() {
                frame.next = 0;
                frame.rounds += 1;
                frame.stamp = Unseen(Stamp::fresh());
            }
        }
        self.next_of(phases);
        Ok(AgendaProgress::GoesOn)
    }

    fn run_acts(&mut self, rules: &dyn Rules, acts: &Acts) -> Result<AgendaProgress, Fault> {
        if let Some(until) = &acts.until {
            let data = self
                .flow
                .top_phase()
                .map_or(Value::None, |frame| frame.data.clone());
            if acts.order != Order::Secret && self.tells(rules, Viewer::Referee, until, &[data])? {
                self.end_top();
                return Ok(AgendaProgress::GoesOn);
            }
        }
        if acts.order == Order::Secret {
            return Ok(self.run_secret());
        }
        let first = self.first_side(rules, acts)?;
        let count = self.world.sides().len() as u8;
        let Some(frame) = self.flow.top_phase() else {
            return Ok(AgendaProgress::GoesOn);
        };
        let waiting = u32::from(count).saturating_sub(frame.done.count_ones());
        let most = acts.ends_after_passes;
        let most = most.map(|times| times.max(1).saturating_mul(waiting));
        if most.is_some_and(|most| frame.passes >= most) {
            self.end_top();
            return Ok(AgendaProgress::GoesOn);
        }
        let has_acted = std::mem::take(&mut frame.next) == 1;
        let turn = match frame.turn {
            None => first,
            Some(side) if has_acted && acts.order == Order::Alternating => {
                Side((side.0 + 1) % count.max(1))
            }
            Some(side) => side,
        };
        let candidates = match acts.order {
            Order::Given => 1,
            _ => count,
        };
        for i in 0..candidates {
            let side = Side((turn.0 + i) % count.max(1));
            let is_done = self
                .flow
                .top_phase()
                .is_none_or(|frame| frame.done & (1 << side.0) != 0);
            if is_done {
                continue;
            }
            if acts.ends_when_idle && !self.may_act(rules, side)? {
                self.idle(acts, side);
                continue;
            }
            if let Some(frame) = self.flow.top_phase() {
                frame.turn = Some(side);
            }
            return Ok(AgendaProgress::Waits);
        }
        self.end_top();
        Ok(AgendaProgress::GoesOn)
    }

    /// A side that can do nothing is done, unless its turn comes again.
    fn idle(&mut self, acts: &Acts, side: Side) {
        if acts.order == Order::OneAfterAnother
            && let Some(frame) = self.flow.top_phase()
        {
            frame.done |= 1 << side.0;
        }
    }

    fn first_side(&mut self, rules: &dyn Rules, acts: &Acts) -> Result<Side, Fault> {
        let Some(frame) = self.flow.top_phase() else {
            return Ok(Side(0));
        };
        let (phase, turn, data) = (frame.id.clone(), frame.turn, frame.data.clone());
        if let Some(side) = turn {
            return Ok(side);
        }
        let (rule, named) = match (&acts.order, &acts.first) {
            (Order::Given, _) => return self.side_given(&phase, &data),
            (_, Some(rule)) => (rule, self.reads(rules, Viewer::Referee, rule, &[data])?),
            (_, None) => return Ok(Side(0)),
        };
        self.side_to_begin(&named)
            .map_err(|fault| fault.in_rule(rule))
    }

    /// The side to which a phase is given, by its data.
    ///
    /// # Errors
    /// When they name none.
    pub(crate) fn side_given(&self, phase: &str, data: &Value) -> Result<Side, Fault> {
        let named = data.field("side").cloned().unwrap_or_default();
        self.side_to_begin(&named).map_err(|fault| {
            fault.hint(format!(
                "the phase `{phase}` is given to a side: `game:enter(\"{phase}\", {{ side = … }})`"
            ))
        })
    }

    fn side_to_begin(&self, named: &Value) -> Result<Side, Fault> {
        if let Some(side) = named.as_text().and_then(|name| self.world.side(name)) {
            return Ok(side);
        }
        let found = match named.as_text() {
            Some(name) => format!("`{name}`"),
            None => named.type_word().to_string(),
        };
        let sides = self.world.sides().join(", ");
        let message = format!("expected a side to act first, one of {sides}, found {found}");
        Err(Fault::new(FaultCode::WrongType, message))
    }

    fn run_secret(&mut self) -> AgendaProgress {
        // Which pad was written last must leave no trace.
        self.flow.lane = 0;
        self.flow.step = 0;
        self.flow.drawn = 0;
        let sides = self.world.sides().len();
        let Some(frame) = self.flow.top_phase() else {
            return AgendaProgress::GoesOn;
        };
        if sides == 0 {
            self.end_top();
            return AgendaProgress::GoesOn;
        }
        if !frame.is_secret() {
            self.flow.open_pads(sides);
            self.begin_era();
            return AgendaProgress::Waits;
        }
        if frame.pads.iter().any(|pad| !pad.is_ready()) {
            return AgendaProgress::Waits;
        }
        let id = frame.id.clone();
        self.flow.close_pads();
        self.end_top();
        self.begin_era();
        // Numbers of its own: those before the phase must not come again.
        self.flow.begin_action();
        let everything: Vec<_> = self.world.all().collect();
        self.unnoticed.extend(everything);
        self.announce(
            "revealed",
            vec![("phase", Value::Text(id))],
            Cause::default(),
        );
        AgendaProgress::GoesOn
    }

    // ---- rules that only read ---------------------------------------------

    /// Calls a rule that only reads, in the eyes of a viewer; in a copy that is
    /// played to find out what a side may know of it, in the eyes of that side,
    /// whoever answers: what another side could answer rests on its secrets.
    pub(crate) fn reads(
        &mut self,
        rules: &dyn Rules,
        viewer: Viewer,
        rule: &Name,
        args: &[Value],
    ) -> Result<Value, Fault> {
        // Where play stands may have changed since another rule was asked.
        self.follow_flow();
        let viewer = self.eyes.map_or(viewer, Viewer::Side);
        let guard = self.set_guard(Guard::answering(viewer));
        let outcome = rules.call(self, rule, args);
        self.set_guard(guard);
        match outcome {
            Ok(value) => Ok(value),
            Err(Stop::Fault(fault)) => Err(fault.in_rule(rule)),
            Err(Stop::Asked) => Err(Fault::new(
                FaultCode::NotAllowed,
                format!("expected `{rule}` to read only, found that it asks a player"),
            )),
        }
    }

    /// Calls a rule that only reads and answers yes or no.
    pub(crate) fn tells(
        &mut self,
        rules: &dyn Rules,
        viewer: Viewer,
        rule: &Name,
        args: &[Value],
    ) -> Result<bool, Fault> {
        match self.reads(rules, viewer, rule, args)? {
            Value::Bool(yes) => Ok(yes),
            other => Err(Fault::new(
                FaultCode::BadReturn,
                format!("expected a bool from `{rule}`, found {}", other.type_word()),
            )),
        }
    }
}

fn went_on(found: &str) -> Fault {
    Fault::new(
        FaultCode::BadQuestion,
        format!("expected a rule that stops at a question without an answer, found {found}"),
    )
}

fn too_many_in_action() -> Fault {
    Fault::new(
        FaultCode::TooManySteps,
        "expected at most 65535 steps in one action, found more",
    )
}
