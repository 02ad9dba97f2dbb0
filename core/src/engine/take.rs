//! Taking an input: whether it is this side's to give, whether the rules
//! allow it, and what it sets going.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::audience::Audience;
use crate::book::{Action, Acts, Book, Order, Param, PhaseBody};
use crate::decision::{Choice, Domain, Input};
use crate::engine::legal::Objection;
use crate::engine::remarks::SharedParam;
use crate::engine::{MOST_REACTIONS, Rejected, Wanted};
use crate::error::{Fault, FaultCode, Refusal};
use crate::event::{Cause, EventField};
use crate::game::{Answered, Game, Guard};
use crate::nearest::closest;
use crate::notation::is_shallow;
use crate::past::Past;
use crate::rules::Rules;
use crate::sequence::{Frame, Pad, PhaseFrame, WindowFrame};
use crate::value::{EntityId, Name, Side, Value};
use crate::world::{Viewer, Viewers};

/// To whom each parameter of an action is told.
type Shares = Vec<SharedParam>;

/// What may be chosen, where it is a short list of words or numbers.
fn in_words(domain: &Domain) -> String {
    let Domain::Choices { of: choices, .. } = domain else {
        return String::new();
    };
    let word = |choice: &Choice| match &choice.value {
        Value::Text(text) => Some(text.to_string()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    };
    match choices.iter().map(word).collect::<Option<Vec<_>>>() {
        Some(words) if words.len() <= 8 => format!(" One of {}", words.join(", ")),
        _ => String::new(),
    }
}

fn refuse<T>(what: &str, reason: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Refusal(Refusal::new(what, reason)))
}

impl Game {
    pub(crate) fn take(&mut self, rules: &dyn Rules, input: &Input) -> Result<(), Rejected> {
        self.follow_flow();
        if let Some(refusal) = self.refused_now(input.by()) {
            return Err(Rejected::Refusal(refusal));
        }
        if !input.value().is_none_or(is_shallow) {
            return refuse("that input", "its values are nested too deep");
        }
        let asking = self.running.asking.is_some();
        match input {
            Input::Answer {
                by,
                question,
                value,
            } => self.take_answer(rules, *by, question, value),
            _ if asking => refuse("that input", self.unanswered()),
            Input::Act {
                by,
                action,
                actor,
                params,
            } => self.take_act(rules, *by, action, *actor, params),
            Input::React {
                by,
                reaction,
                actor,
                params,
            } => self.take_reaction(rules, *by, reaction, *actor, params),
            Input::Decline { by, standing } => self.take_decline(*by, *standing),
            Input::Pass { by } => self.take_pass(rules, *by),
            Input::Done { by } => self.take_done(rules, *by),
            Input::TakeBack { by } => self.take_back(*by),
        }
    }

    /// Why whatever a side decides is refused now, if it is: the game is over,
    /// or it waits for others.
    pub fn refused_now(&self, side: Side) -> Option<Refusal> {
        let reason = if self.wanted() == Wanted::Over {
            "the game is over"
        } else if side.0 as usize >= self.world.sides().len() {
            "there is no such side"
        } else if !self.waits_for(side) {
            self.why_wait(side)
        } else {
            return None;
        };
        Some(Refusal::new("that input", reason))
    }

    /// Why a side must wait: the same words whatever the others decide, for
    /// it may not know what that is.
    fn why_wait(&self, side: Side) -> &'static str {
        match self.flow.top() {
            Some(Frame::Phase(phase))
                if phase.pads.get(side.0 as usize).is_some_and(Pad::is_ready) =>
            {
                "your side has said that it is ready"
            }
            _ => "it is not for your side to decide now",
        }
    }

    /// That a question waits, and which.
    fn unanswered(&self) -> String {
        let text = self
            .running
            .asking
            .as_ref()
            .map(|(question, _)| format!(": {}", question.text));
        format!(
            "a question must be answered first{}",
            text.unwrap_or_default()
        )
    }

    /// The phase on top, in which the side that decides acts.
    fn go_of(&self, what: &str) -> Result<PhaseFrame, Rejected> {
        match self.flow.top() {
            Some(Frame::Phase(phase)) => Ok((**phase).clone()),
            _ => refuse(what, "a reaction must be decided first"),
        }
    }

    fn take_act(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Name,
        actor: Option<EntityId>,
        params: &Value,
    ) -> Result<(), Rejected> {
        let phase = self.go_of(action)?;
        let book = self.book.clone();
        let declared = action_in(&book, &phase, action)?;
        let is_secret = phase.is_secret();
        let (params, shares) = self.check_action(rules, by, declared, actor, None, params)?;
        if is_secret {
            self.flow.lane = by.0 + 1;
            self.flow.lanes[by.0 as usize] += 1;
            self.flow.step = 0;
            self.flow.drawn = 0;
        } else {
            self.flow.begin_action();
        }
        let before = is_secret.then(|| Arc::new(self.past()));
        if let Some(frame) = self.flow.top_phase() {
            match before {
                Some(before) => frame.pads[by.0 as usize].begin_entry(before),
                None => (frame.next, frame.passes) = (1, 0),
            }
        }
        let audience = if is_secret {
            Viewers::side(by)
        } else {
            Viewers::ALL
        };
        self.announce_action("action", by, declared, actor, (&params, shares), audience);
        let args = self.action_args(by, actor, None, Some(&params));
        self.flow.push_step(&declared.perform, &args, Some(by));
        Ok(())
    }

    fn take_reaction(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        reaction: &Name,
        actor: Option<EntityId>,
        params: &Value,
    ) -> Result<(), Rejected> {
        let window = match self.flow.top() {
            Some(Frame::Window(window)) if window.asking == Some(by) => window.clone(),
            _ => return refuse(reaction, "your side is not asked for a reaction"),
        };
        let book = self.book.clone();
        let declared = reaction_to(&book, &window, reaction)?;
        let (params, shares) =
            self.check_action(rules, by, declared, actor, Some(&window.data), params)?;
        if window.taken >= MOST_REACTIONS {
            return Err(too_many_reactions(declared, &window).into());
        }
        if let Some(top) = self.flow.top_window() {
            top.passed = 0;
            top.asking = None;
            top.taken += 1;
        }
        self.announce_action(
            "reaction",
            by,
            declared,
            actor,
            (&params, shares),
            Viewers::ALL,
        );
        let args = self.action_args(by, actor, Some(&window.data), Some(&params));
        self.flow.push_step(&declared.perform, &args, Some(by));
        Ok(())
    }

    /// Whether a side may begin an action or reaction with somebody, before it is asked for parameters: that it can be
    /// taken here, that this is one of those who might do it, and that the rules allow it. Domains rely on that.
    pub(crate) fn check_begun(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        id: &str,
        actor: Option<EntityId>,
    ) -> Result<(), Rejected> {
        let (book, id) = (self.book.clone(), Name::from(id));
        if let Some(Frame::Window(window)) = self.flow.top() {
            let window = window.clone();
            let declared = reaction_to(&book, &window, &id)?;
            return self.check_allowed(rules, by, declared, actor, Some(&window.data));
        }
        let phase = self.go_of(&id)?;
        self.check_allowed(rules, by, action_in(&book, &phase, &id)?, actor, None)
    }

    /// Whether the rules allow it so far: the actor, and the verdict.
    fn check_allowed(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        window: Option<&Value>,
    ) -> Result<(), Rejected> {
        self.check_actor(rules, by, action, actor, window)?;
        match self.verdict(rules, by, action, actor, window)? {
            Some(reason) => self.forbid(rules, by, action, actor, window, &reason),
            None => Ok(()),
        }
    }

    /// Whether the rules allow it: the actor, the verdict, each parameter in
    /// order. Returns the parameters as a record, and to whom each is told.
    fn check_action(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        window: Option<&Value>,
        params: &Value,
    ) -> Result<(Value, Shares), Rejected> {
        self.check_allowed(rules, by, action, actor, window)?;
        let given = match params {
            Value::Map(map) => map.clone(),
            Value::None => Arc::default(),
            _ => return refuse(&action.title, "expected its parameters by name"),
        };
        if let Some(stranger) = given
            .keys()
            .find(|name| action.params.iter().all(|p| p.name != **name))
        {
            return refuse(&action.title, format!("it has no parameter `{stranger}`"));
        }
        self.check_params(rules, by, action, (actor, window), &given)
    }

    /// Whether it is one of those who might do it. Of one whom the rules do not
    /// list, the verdict knows better why not.
    fn check_actor(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        window: Option<&Value>,
    ) -> Result<(), Rejected> {
        if !self.everybody(action, by)?.contains(&actor) {
            let reason = match (&action.actor, actor) {
                (Some(_), None) => "it must be said who does it",
                (None, _) => "nobody in particular does it",
                _ => "that is not one of yours who can do it",
            };
            return refuse(&action.title, reason);
        }
        if self.actors(rules, action, by, window)?.contains(&actor) {
            return Ok(());
        }
        match self.verdict(rules, by, action, actor, window)? {
            Some(reason) => self.forbid(rules, by, action, actor, window, &reason),
            None => refuse(&action.title, "that is not one of yours who can do it now"),
        }
    }

    /// Refuses an action for the reason that its rule gives, with the clause.
    fn forbid<T>(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        window: Option<&Value>,
        reason: &str,
    ) -> Result<T, Rejected> {
        let args = self.action_args(by, actor, window, None);
        let source = action.allowed.clone().map(|rule| (rule, args.to_vec()));
        Err(Rejected::Refusal(self.refusal(
            rules,
            by,
            &action.title,
            reason,
            source,
        )))
    }

    /// A refusal for the reason that a rule gave, with the clause behind it.
    fn refusal(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        what: &str,
        reason: impl Into<String>,
        source: Option<(Name, Vec<Value>)>,
    ) -> Refusal {
        let refusal = Refusal::new(what, reason);
        let clause = source
            .and_then(|(rule, args)| self.clause_behind(rules, by, &rule, &args, &refusal.reason));
        Refusal { clause, ..refusal }
    }

    /// The clause behind a reason that a rule gave.
    pub(crate) fn clause_behind(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        rule: &Name,
        args: &[Value],
        reason: &str,
    ) -> Option<Name> {
        let guard = self.set_guard(Guard::answering(Viewer::Side(by)));
        let clause = rules.clause_of(self, rule, args, reason);
        self.set_guard(guard);
        clause
    }

    /// Refuses a value for a parameter or an answer.
    fn object<T>(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        what: &str,
        about: &str,
        objection: Objection,
    ) -> Result<T, Rejected> {
        let Objection { reason, source } = objection;
        let refusal = self.refusal(rules, by, what, reason, source);
        let reason = format!("{about}{}", refusal.reason);
        Err(Rejected::Refusal(Refusal { reason, ..refusal }))
    }

    /// Checks each parameter in order, and finds to whom it is told: by
    /// default to those who may see all that it and those before it rest on.
    /// One that is not asked for has an audience too, for others may not know
    /// whether it was.
    fn check_params(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        (actor, window): (Option<EntityId>, Option<&Value>),
        given: &BTreeMap<Name, Value>,
    ) -> Result<(Value, Shares), Rejected> {
        let before = self.open_reads();
        let outcome = self.check_each(rules, by, action, (actor, window), given);
        self.close_reads(before);
        let (taken, shares) = outcome?;
        match given.keys().find(|name| !taken.contains_key(*name)) {
            Some(name) => refuse(&action.title, format!("`{name}` is not asked for here")),
            None => Ok((Value::Map(Arc::new(taken)), shares)),
        }
    }

    fn check_each(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        (actor, window): (Option<EntityId>, Option<&Value>),
        given: &BTreeMap<Name, Value>,
    ) -> Result<(BTreeMap<Name, Value>, Shares), Rejected> {
        let mut taken: BTreeMap<Name, Value> = BTreeMap::new();
        let mut shares = Shares::new();
        for param in &action.params {
            let found =
                self.check_param(rules, by, action, (actor, window), (param, &taken), given)?;
            let (value, words) = found.unzip();
            let shared = self.share_param(by, (action, param), words.flatten(), &shares);
            shares.push(shared);
            taken.extend(value.map(|value| (param.name.clone(), value)));
        }
        Ok((taken, shares))
    }

    /// The value of one parameter, after those that were taken, and the words in which it
    /// was offered; nothing where it is not asked for.
    fn check_param(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        action: &Action,
        (actor, window): (Option<EntityId>, Option<&Value>),
        (param, taken): (&Param, &BTreeMap<Name, Value>),
        given: &BTreeMap<Name, Value>,
    ) -> Result<Option<(Value, Option<Name>)>, Rejected> {
        let so_far = Value::Map(Arc::new(taken.clone()));
        let Some(domain) = self.domain(rules, by, actor, window, &param.domain, &so_far)? else {
            return Ok(None);
        };
        let Some(value) = given.get(&param.name) else {
            let (name, title) = (&param.name, &param.title);
            return refuse(
                &action.title,
                format!("`{name}` is missing: {title}{}", in_words(&domain)),
            );
        };
        self.check_value(rules, by, (&action.title, &param.name), &domain, value)?;
        let words = self.offered_words(by, &domain, value);
        Ok(Some((value.clone(), words)))
    }

    /// Whether a side may choose a value for a parameter of something (its
    /// title, the parameter), whose domain it was told.
    ///
    /// # Errors
    /// A refusal with the reason, a fault of the rules.
    pub(crate) fn check_value(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        (what, param): (&str, &str),
        domain: &Domain,
        value: &Value,
    ) -> Result<(), Rejected> {
        if !self.knows_value(by, value) {
            return refuse(what, format!("`{param}`: there is no such entity"));
        }
        match self.checked(rules, by, domain, value)? {
            Ok(()) => Ok(()),
            Err(objection) => self.object(rules, by, what, &format!("`{param}`: "), objection),
        }
    }

    /// Whether a side may know of every entity that a value names.
    fn knows_value(&self, side: Side, value: &Value) -> bool {
        let mut entities = Vec::new();
        value.entities(&mut entities);
        entities
            .iter()
            .all(|entity| self.is_seen(Viewer::Side(side), *entity))
    }

    /// Says who does what. Those who do not know of the one who acts, or to
    /// whom it is not told, learn only that something is done.
    fn announce_action(
        &mut self,
        kind: &str,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        (params, shares): (&Value, Shares),
        audience: Viewers,
    ) {
        let knowing = actor.map_or(Viewers::ALL, |actor| self.world.existence(actor));
        let knowing = action
            .share
            .map_or(knowing, |share| knowing.both(share.viewers(by)));
        let field = |name: &str, value, viewers| EventField::new(name, value, viewers);
        let parts = shares.iter().map(|one| (one.name.clone(), one.viewers));
        let fields = vec![
            field("by", Value::Text(self.side_name(by)), Viewers::ALL),
            field("action", Value::Text(action.id.clone()), knowing),
            field("title", Value::Text(action.title.clone()), knowing),
            field("actor", actor.map_or(Value::None, Value::Entity), knowing),
            EventField {
                parts: parts.collect(),
                ..field("params", params.clone(), knowing)
            },
        ];
        let remarks = shares.into_iter().filter_map(|shared| shared.offered);
        let told = (fields, remarks.collect());
        self.announce_remarked(kind, told, Cause::default(), &Audience::to(audience));
    }

    fn take_decline(&mut self, by: Side, standing: bool) -> Result<(), Rejected> {
        match self.flow.top_window() {
            Some(window) if window.asking == Some(by) => {
                window.passed |= 1 << by.0;
                window.asking = None;
                let id = window.id.clone();
                if standing {
                    self.flow.standing.insert((by, id));
                }
                Ok(())
            }
            _ => refuse("letting it go by", "your side is not asked for a reaction"),
        }
    }

    fn take_answer(
        &mut self,
        rules: &dyn Rules,
        by: Side,
        id: &Name,
        value: &Value,
    ) -> Result<(), Rejected> {
        let Some((question, _)) = &self.running.asking else {
            return refuse(id, "no question waits for an answer");
        };
        if question.id != *id {
            return refuse(id, "that is not the question that waits");
        }
        let Some(place) = question.to.iter().position(|(side, _)| *side == by) else {
            return refuse(id, "your side is not asked");
        };
        let text = question.text.clone();
        let domain = question.to[place].1.clone();
        if !self.knows_value(by, value) {
            return refuse(&text, "there is no such entity");
        }
        if let Err(objection) = self.checked(rules, by, &domain, value)? {
            return self.object(rules, by, &text, "", objection);
        }
        if let Some((question, given)) = &mut self.running.asking {
            given[place] = Some(value.clone());
            if given.iter().all(Option::is_some) {
                let values = given.iter().flatten().cloned().collect();
                let question = question.clone();
                self.running.answers.push(Answered { question, values });
                self.running.asking = None;
            }
        }
        Ok(())
    }

    /// The rule that says whether a side may stop in a phase, and what it is
    /// given.
    fn stopping_rule(
        &self,
        phase: &str,
        by: Side,
        of: impl Fn(&Acts) -> Option<Name>,
    ) -> Result<Option<(Name, Vec<Value>)>, Fault> {
        let PhaseBody::Acts(acts) = &self.book.phase(phase)?.body else {
            return Ok(None);
        };
        Ok(of(acts).map(|rule| (rule, vec![Value::Text(self.side_name(by))])))
    }

    fn take_pass(&mut self, rules: &dyn Rules, by: Side) -> Result<(), Rejected> {
        let phase = self.go_of("passing")?;
        if phase.is_secret() {
            return refuse("passing", "nobody passes in a secret phase");
        }
        if let Err(reason) = self.may_stop(rules, by)?.pass {
            let source = self.stopping_rule(&phase.id, by, |acts| acts.may_pass.clone())?;
            return Err(Rejected::Refusal(
                self.refusal(rules, by, "passing", reason, source),
            ));
        }
        let counts = matches!(&self.book.phase(&phase.id)?.body,
            PhaseBody::Acts(acts) if acts.ends_after_passes.is_some());
        self.flow.begin_action();
        if let Some(frame) = self.flow.top_phase() {
            frame.next = 1;
            frame.passes += u32::from(counts);
        }
        self.announce(
            "pass",
            vec![("by", Value::Text(self.side_name(by)))],
            Cause::default(),
        );
        Ok(())
    }

    fn take_done(&mut self, rules: &dyn Rules, by: Side) -> Result<(), Rejected> {
        let phase = self.go_of("being done")?;
        if let Err(reason) = self.may_stop(rules, by)?.end {
            let source = self.stopping_rule(&phase.id, by, |acts| acts.may_end.clone())?;
            return Err(Rejected::Refusal(self.refusal(
                rules,
                by,
                "being done",
                reason,
                source,
            )));
        }
        let is_secret = phase.is_secret();
        if !is_secret {
            self.flow.begin_action();
        }
        let book = self.book.clone();
        let alternates = matches!(&book.phase(&phase.id)?.body,
            PhaseBody::Acts(acts) if acts.order == Order::Alternating);
        if let Some(frame) = self.flow.top_phase() {
            if is_secret {
                frame.pads[by.0 as usize].set_ready();
            } else {
                frame.done |= 1 << by.0;
                (frame.next, frame.passes) = (u32::from(alternates), 0);
            }
        }
        let audience = if is_secret {
            Viewers::side(by)
        } else {
            Viewers::ALL
        };
        let fields = vec![
            ("by", Value::Text(self.side_name(by))),
            ("phase", Value::Text(phase.id.clone())),
        ];
        self.announce_to("done", fields, Cause::default(), &Audience::to(audience));
        Ok(())
    }

    /// Puts what a side owns back to where it was, and leaves what is not its.
    fn put_back_of(&mut self, by: Side, before: &Past) {
        self.world.take_back(&before.world, by);
        let stem = format!("{}-", self.side_name(by));
        let named = Arc::make_mut(&mut self.named);
        named.retain(|name, _| !name.starts_with(&stem));
        let counted = before
            .named
            .iter()
            .filter(|(name, _)| name.starts_with(&stem));
        named.extend(counted.map(|(name, count)| (name.clone(), *count)));
        let own = before.decks.iter().filter(|(id, _)| id.of == Some(by));
        Arc::make_mut(&mut self.decks).extend(own.map(|(id, deck)| (id.clone(), deck.clone())));
    }

    fn take_back(&mut self, by: Side) -> Result<(), Rejected> {
        let phase = self.go_of("taking back")?;
        if !phase.is_secret() {
            return refuse(
                "taking back",
                "only what is done in a secret phase can be taken back",
            );
        }
        if phase.pads.get(by.0 as usize).is_some_and(Pad::has_drawn) {
            return refuse(
                "taking back",
                "dice, chits or cards were drawn, and that stays",
            );
        }
        let entry = self
            .flow
            .top_phase()
            .and_then(|frame| frame.pads[by.0 as usize].take_back());
        let Some(entry) = entry else {
            return refuse("taking back", "nothing was done yet in this phase");
        };
        self.put_back_of(by, &entry.before);
        // What others see of the pad is another too.
        self.begin_era();
        self.flow.lanes[by.0 as usize] -= 1;
        let fields = vec![("by", Value::Text(self.side_name(by)))];
        self.announce_to(
            "taken_back",
            fields,
            Cause::default(),
            &Audience::to(Viewers::side(by)),
        );
        Ok(())
    }
}

/// The action of an id that can be taken in a phase.
fn action_in<'a>(
    book: &'a Book,
    phase: &PhaseFrame,
    action: &Name,
) -> Result<&'a Action, Rejected> {
    let Some(declared) = book.actions.get(action) else {
        if book.reactions.contains_key(action) {
            let reason = "it is a reaction, for when its side is asked for one";
            return refuse(action, reason);
        }
        return refuse(action, none_such("action", action, book.actions.keys()));
    };
    if !declared.at.contains(&phase.id) {
        let now = book.phases.get(&phase.id).map(|now| &*now.title);
        let reason = match now {
            None | Some("") => "it cannot be taken in this phase".to_string(),
            Some(title) => format!("it cannot be taken in the phase {title}"),
        };
        return refuse(action, reason);
    }
    Ok(declared)
}

/// The fault of a window in which somebody always takes another reaction.
fn too_many_reactions(declared: &Action, window: &WindowFrame) -> Fault {
    let message = format!(
        "expected at most {MOST_REACTIONS} reactions in one window, found more in `{}`; the last is `{}`",
        window.id, declared.id
    );
    let fault = Fault::new(FaultCode::TooManySteps, message);
    let fault = fault.hint("let `allowed` refuse whoever has taken it already");
    fault.in_rule(&declared.perform)
}

/// The reaction of an id that answers a window.
fn reaction_to<'a>(
    book: &'a Book,
    window: &WindowFrame,
    reaction: &Name,
) -> Result<&'a Action, Rejected> {
    let Some(declared) = book.reactions.get(reaction) else {
        if book.actions.contains_key(reaction) {
            return refuse(reaction, "it is an action, and no reaction");
        }
        let reason = none_such("reaction", reaction, book.reactions.keys());
        return refuse(reaction, reason);
    };
    if !declared.at.contains(&window.id) {
        return refuse(reaction, format!("it is no reaction to `{}`", window.id));
    }
    Ok(declared)
}

/// That there is no such action or reaction, and which was meant.
fn none_such<'a>(sort: &str, id: &str, all: impl Iterator<Item = &'a Name>) -> String {
    match closest(id, all.map(|name| &**name)) {
        Some(near) => format!("there is no such {sort}; did you mean `{near}`?"),
        None => format!("there is no such {sort}"),
    }
}
